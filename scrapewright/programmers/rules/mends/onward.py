"""Paging that was never followed: the program reads one page, and the critics name the next."""

from __future__ import annotations

import ast
import re
from urllib.parse import urljoin

from bs4 import BeautifulSoup, Tag

from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene
from scrapewright.programmers.rules.source import Source

_FETCH = ("get", "urlopen", "fetch", "get_soup", "get_page", "fetch_page", "load", "load_page", "make_soup")
_NEXT = re.compile(r"next|weiter|suivant|siguiente|volgende|forward|nast|dal[sš]|след", re.I)


def follow(scene: Scene) -> Fix | None:
    """Puts what reads a page into a loop over the links to the next one, as the page has them."""
    wanted = next((finding.expected for finding in scene.findings("page-not-fetched") if finding.expected), "")
    source = scene.source
    if not wanted or any(isinstance(node, ast.While) for node in ast.walk(source.tree)):
        return None
    selector = _selector(scene, wanted)
    place = _place(source)
    if not selector or place is None:
        return None
    call, body, first, last, soup = place
    block = body[first : last + 1]
    if any(_cannot_be_indented(node) for statement in block for node in ast.walk(statement)):
        return None
    url, seen = source.fresh("page_url", "next_url"), source.fresh("visited", "seen_urls")
    link = source.fresh("following", "next_link")
    indent = source.indent(block[0])
    lists = [statement for statement in block[1:] if _starts_empty(statement)]
    lines = [f"{source.text(statement)}" for statement in lists]
    bound = f" and len({seen}) < {scene.brief.reading.page_count}" if scene.brief.reading.page_count else ""
    lines += [
        f"{url} = {source.text(call.args[0])}", f"{seen} = set()",
        f"while {url} and {url} not in {seen}{bound}:", f"    {seen}.add({url})",
    ]  # fmt: skip
    start, end = source.span(block[0])[0], source.span(block[-1])[1]
    inner = source.code[start:end]
    drop = [(source.span(one)[0] - start, source.span(one)[1] - start, "") for one in lists]
    a, b = source.span(call.args[0])
    for at, until, new in sorted([*drop, (a - start, b - start, url)], reverse=True):
        inner = inner[:at] + new + inner[until:]
    kept = [line for line in inner.split("\n") if line.strip() or not lists]
    lines += [
        "    " + (line if n == 0 else line.removeprefix(indent)) if line.strip() else "" for n, line in enumerate(kept)
    ]
    lines += [
        f"    {link} = {soup}.select_one({literal(selector)})",
        f'    {url} = urljoin({url}, {link}["href"]) if {link} else None',
    ]
    code = source.edited([(start, end, ("\n" + indent).join(lines))], ["from urllib.parse import urljoin"])
    code = "\n".join(line.rstrip() if not line.strip() else line for line in code.split("\n"))
    return Fix(
        code, f"The next page {wanted} was never asked for: the link {selector!r} is followed until there is none."
    )


def _place(source: Source) -> tuple[ast.Call, list[ast.stmt], int, int, str] | None:
    """The fetching call, the statements it is among, from which to which of them the page is read, the soup's name."""
    for call in (node for node in ast.walk(source.tree) if isinstance(node, ast.Call)):
        if source.text(call.func).rpartition(".")[2] not in _FETCH or not call.args:
            continue
        statement = source.statement(call)
        above = source.parents.get(statement)
        body: list[ast.stmt] = getattr(above, "body", [])
        if not isinstance(statement, ast.Assign) or statement not in body or _is_param(source, call.args[0]):
            continue
        first = body.index(statement)
        rest = range(first, len(body))
        soups = [name for at in rest if (name := _soup(body[at]))]
        if len(set(soups)) != 1:
            continue
        loops = [at for at in rest if isinstance(body[at], ast.For) and _collects(body[at])]
        if loops:
            return call, body, first, loops[-1], soups[0]
    return None


def _is_param(source: Source, node: ast.expr) -> bool:
    """An address that the function was given: its caller goes through the pages."""
    function = source.function(node)
    arguments = function.args.args if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) else []
    return any(isinstance(n, ast.Name) and n.id == argument.arg for n in ast.walk(node) for argument in arguments)


def _soup(statement: ast.stmt) -> str:
    """The name that a statement binds to a parsed page."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
        return ""
    value = statement.value
    func = value.func if isinstance(value, ast.Call) else None
    name = func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""
    return statement.targets[0].id if name in ("BeautifulSoup", "get_soup", "make_soup") else ""


def _collects(loop: ast.AST) -> bool:
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("append", "writerow")
        for node in ast.walk(loop)
    )


def _starts_empty(statement: ast.stmt) -> bool:
    """A list made empty on the way must be made before the loop."""
    value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
    return isinstance(value, ast.List) and not value.elts


def _cannot_be_indented(node: ast.AST) -> bool:
    """What can't be put into a loop by moving it to the right: texts of several lines, and ways out."""
    text = isinstance(node, ast.Constant | ast.JoinedStr) and (node.end_lineno or node.lineno) > node.lineno
    return text or isinstance(node, ast.Return | ast.FunctionDef | ast.ClassDef)


def _selector(scene: Scene, wanted: str) -> str:
    """A selector whose first match on the page is the link wanted; "" where there is none that says next."""
    for page, soup in zip(scene.pages, scene.soups, strict=True):
        for tag in soup.select("a[href], link[href]"):
            if urljoin(page.url, str(tag["href"])) != wanted:
                continue
            for selector in _names(tag):
                if soup.select_one(selector) is tag and _ends(scene, selector, wanted):
                    return selector
    return ""


def _names(tag: Tag) -> list[str]:
    found = []
    if "next" in [str(word).lower() for word in tag.get_attribute_list("rel")]:
        found.append(f'{tag.name}[rel="next"]')
    for holder, inside in ((tag, ""), (tag.parent, " a")):
        if isinstance(holder, Tag):
            classes = [str(word) for word in holder.get_attribute_list("class") if word]
            found += [
                f"{holder.name}.{word}{inside}"
                for word in classes
                if _NEXT.search(word) and re.fullmatch(r"[A-Za-z][\w-]*", word)
            ]
    label = tag.get_text(strip=True)
    if _NEXT.search(label) and '"' not in label:
        found.append(f'a:-soup-contains("{label}")')
    return found


def _ends(scene: Scene, selector: str, wanted: str) -> bool:
    """Where the next page is taped too, the link there leads on and not back to it."""
    page = scene.brief.pages.get(wanted)
    if page is None or not page.body:
        return True
    tag = BeautifulSoup(page.body, "lxml").select_one(selector)
    return tag is None or urljoin(page.url, str(tag.get("href", ""))) != wanted


MENDS = (follow,)
