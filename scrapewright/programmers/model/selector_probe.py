"""Runs a program's selectors on the fetched pages: how many matches each has, and the nearest that exists."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

import msgspec

from scrapewright.loop.css_selectors import css_selectors
from scrapewright.loop.parsing import parse
from scrapewright.web.page import Page

_FIND = frozenset({"find", "find_all", "findAll", "find_next", "find_parent"})
_PARSERS = {"html": "lxml", "xml": "xml"}
"""By what is in a page's media type."""
MAX_SELECTORS = 24
MAX_PAGES = 3


class SelectorProbe(msgspec.Struct, frozen=True):
    """One selector: matches on each probed page, an error, and the nearest thing that is there."""

    selector: str
    line: int
    matches: tuple[int, ...]
    error: str = ""
    nearest: str = ""


def selectors(code: str) -> list[tuple[int, str]]:
    """(line, CSS selector) for each of a select, select_one, find or find_all call; empty on a syntax error."""
    try:
        tree = parse(code)
    except (SyntaxError, ValueError):
        return []
    found = set(css_selectors(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _FIND:
            found.add((node.lineno, _selector(node)))
    return sorted((line, selector) for line, selector in found if selector)[:MAX_SELECTORS]


def _selector(call: ast.Call) -> str:
    """The selector that says what a find call says."""
    first = call.args[0] if call.args else None
    text = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
    parts = [text]
    attributes = call.args[1] if len(call.args) > 1 else None
    if isinstance(attributes, ast.Dict):
        for key, value in zip(attributes.keys, attributes.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(value, ast.Constant) and isinstance(value.value, str):
                parts.append(_attribute(str(key.value), value.value))
    elif isinstance(attributes, ast.Constant) and isinstance(attributes.value, str):
        parts.append(_attribute("class", attributes.value))
    for keyword in call.keywords:
        if keyword.arg in {"class_", "id"} and isinstance(keyword.value, ast.Constant):
            parts.append(_attribute(keyword.arg.rstrip("_"), str(keyword.value.value)))
    return "".join(parts)


def _attribute(name: str, value: str) -> str:
    if name == "class":
        return "".join(f".{word}" for word in value.split())
    return f'[{name}="{value}"]'


def probe_selectors(code: str, pages: Mapping[str, Page]) -> list[SelectorProbe]:
    """Every selector of the program on the first HTML and XML pages; none without pages. Parsing makes it slow: call it
    off the event loop."""
    wanted = selectors(code)
    soups = list(_soups(pages)) if wanted else []
    return [_probe(line, selector, soups) for line, selector in wanted] if soups else []


def _soups(pages: Mapping[str, Page]) -> Iterator[object]:
    from bs4 import BeautifulSoup

    count = 0
    for url in pages:
        page = pages[url]
        parser = next((parser for kind, parser in _PARSERS.items() if kind in page.media_type), "")
        if page.status == 200 and parser and count < MAX_PAGES:
            count += 1
            yield BeautifulSoup(page.body, parser)


def _probe(line: int, selector: str, soups: list[object]) -> SelectorProbe:
    import soupsieve

    from scrapewright.survey.selecting import UNREADABLE

    counts: list[int] = []
    for soup in soups:
        try:
            counts.append(len(soupsieve.select(selector, soup)))  # type: ignore[arg-type]
        except UNREADABLE as error:
            return SelectorProbe(selector, line, (), error=(str(error).splitlines() or ["it can't be read"])[0])
    nearest = _nearest(selector, soups) if counts and not any(counts) else ""
    return SelectorProbe(selector, line, tuple(counts), nearest=nearest)


def _nearest(selector: str, soups: list[object]) -> str:
    """The class or id on the page that is most like the one asked for; of XML the element."""
    from rapidfuzz import process

    names: dict[str, int] = {}
    for soup in soups:
        for tag in soup.find_all(True):  # type: ignore[attr-defined]
            if soup.is_xml:  # type: ignore[attr-defined]
                names[tag.name] = names.get(tag.name, 0) + 1
            for word in tag.get_attribute_list("class"):
                if word:
                    key = f"{tag.name}.{word}"
                    names[key] = names.get(key, 0) + 1
            if tag.get("id"):
                names[f"{tag.name}#{tag['id']}"] = names.get(f"{tag.name}#{tag['id']}", 0) + 1
    last = selector.split()[-1] if selector.split() else selector
    best = process.extractOne(last, names.keys(), score_cutoff=55)
    return f"{best[0]} ({names[best[0]]}×)" if best else ""
