"""The small functions that generated programs share, and how they list a page's records. Of the functions only those
that a program needs are written into it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from copy import copy
from functools import cache
from typing import Any, cast

from bs4 import BeautifulSoup
from bs4.element import NavigableString, Tag

from scrapewright.programmers.rules.ops import literal
from scrapewright.survey.css import ROOTS
from scrapewright.survey.embedded import is_json
from scrapewright.survey.model import Group

_TEXT = r'''
def with_following(soup, starts, ends=None):
    """A box for each of the tags: it and all that follows, up to the next one or an end."""
    tags = soup.select(starts)
    stop = {id(tag) for tag in (tags + soup.select(ends) if ends else tags)}
    boxes = []
    for tag in tags:
        box = tag.wrap(soup.new_tag("section"))
        while box.next_sibling is not None and id(box.next_sibling) not in stop:
            box.append(box.next_sibling)
        boxes.append(box)
    return boxes


def parts_of(tags, breaks):
    """A box for each part of the tags, between headings, lines or so many breaks in a row."""
    boxes = []
    for tag in tags:
        met = breaks
        for node in list(tag.children):
            if node.name == "br":
                met += 1
            elif node.name in ("hr", "h1", "h2", "h3", "h4", "h5", "h6"):
                met += breaks
            elif node.name or (type(node) is NavigableString and (not met or node.strip())):
                if met >= breaks:
                    boxes.append(Tag(name="section"))
                    node.insert_before(boxes[-1])
                elif met:
                    boxes[-1].append(Tag(name="br"))
                met = 0
                boxes[-1].append(node)
    return boxes


def rows_of_text(texts, starts):
    """The lines of preformatted texts as rows of cells, cut where columns start, and links."""
    rows = []
    lines = "\n".join(text.decode_contents() for text in texts).replace("<br/>", "\n")
    for line in lines.splitlines():
        content = BeautifulSoup(f"<pre>{line}</pre>", "html.parser")
        said = content.get_text().expandtabs()
        if not re.search(r"[^\W_]", said):
            continue
        row = Tag(name="tr")
        for start, end in zip(starts, [*starts[1:], None]):
            cell = Tag(name="td")
            cell.string = said[start:end].strip()
            row.append(cell)
        row.extend(content.select("a[href]"))
        rows.append(row)
    return rows


def blocks_of_text(texts):
    """The blocks between blank lines of preformatted texts as rows, a cell a line, and links."""
    rows = []
    for text in texts:
        block = []
        for line in [*text.decode_contents().replace("<br/>", "\n").splitlines(), ""]:
            content = BeautifulSoup(f"<pre>{line}</pre>", "html.parser")
            if re.search(r"[^\W_]", content.get_text()):
                block.append(content)
                continue
            if len(block) > 1:
                row = Tag(name="tr")
                for content in block:
                    cell = Tag(name="td")
                    cell.string = " ".join(content.get_text().split())
                    row.append(cell)
                for content in block:
                    row.extend(content.select("a[href]"))
                rows.append(row)
            block = []
    return rows


def unspan(rows):
    """The rows, with a copy of each cell in all the rows and columns that it spans."""
    wanted = {id(row) for row in rows}
    for body in {id(row.parent): row.parent for row in rows}.values():
        above = {}
        for row in body.find_all("tr", recursive=False):
            own = []
            for cell in row.find_all(["td", "th"], recursive=False):
                own += [cell] * span_of(cell, "colspan")
            cells, below = [], {}
            while own or len(cells) in above:
                cell, left = above.get(len(cells)) or (own[0], span_of(own.pop(0), "rowspan"))
                if left > 1:
                    below[len(cells)] = cell, left - 1
                cells.append(cell)
            above = below
            if id(row) in wanted:
                row.clear()
                row.extend([copy(cell) for cell in cells])
    return rows


def span_of(cell, name):
    """How many rows or columns the cell spans."""
    value = cell.get(name, "").strip()
    return max(1, min(int(value), 50)) if value.isdecimal() else 1


def text_of(tag, joint=""):
    """The tag's text in one line, `joint` between its parts; None where it is empty."""
    return " ".join(tag.get_text(joint).split()) or None if tag else None


def own_text_of(tag):
    """The tag's text without that of the tags in it, None where there is none."""
    if tag is None:
        return None
    texts = [node for node in tag.children if type(node) is NavigableString]
    return " ".join(" ".join(texts).split()) or None


def head_of(tag):
    """The text at the tag's beginning, before the first tag in it."""
    return text_before_tag(tag.children) if tag else None


def tail_of(tag):
    """The text right behind the tag, up to the next tag."""
    return text_before_tag(tag.next_siblings) if tag else None


def text_before_tag(nodes):
    """The text of some nodes up to the first tag among them, None where there is none."""
    texts = []
    for node in nodes:
        if node.name:
            break
        if type(node) is NavigableString:
            texts.append(node)
    return " ".join("".join(texts).split()) or None


def attribute_of(tag, name):
    """An attribute of the tag, None where the tag or the attribute is missing."""
    value = tag.get(name) if tag else None
    return value.strip() if value else None


def classes_of(tag):
    """The tag's class names in one text, None where there are none."""
    return " ".join(tag.get("class", [])) or None if tag else None


def nth(tags, index):
    """One of several tags, None where there are not as many."""
    return tags[index] if -len(tags) <= index < len(tags) else None


def nearest_before(tag, selector):
    """The last tag before this one that the selector matches."""
    for previous in tag.find_all_previous():
        if previous.css.match(selector):
            return previous
    return None


def joined(first, second, joint):
    """Two texts as one, None where one of them is missing."""
    return first + joint + second if first and second else None


def absolute(base, link):
    """The link as a whole URL, None where there is no link."""
    return urljoin(base, link) if link else None


def page_link(url, name, number):
    """The URL with the number of a page as its parameter."""
    if re.search(rf"[?&]{re.escape(name)}=", url):
        return re.sub(rf"([?&]{re.escape(name)}=)[^&]*", rf"\g<1>{number}", url)
    return f"{url}{'&' if '?' in url else '?'}{name}={number}"


def form_fields(form):
    """What a browser sends with the form, but for its buttons."""
    fields = {}
    for tag in form.select("input, select, textarea"):
        name, kind = tag.get("name"), tag.get("type", "text").lower()
        if not name or tag.has_attr("disabled"):
            continue
        if tag.name == "select":
            options = tag.select("option[selected]")
            if not options and not tag.has_attr("multiple"):
                options = tag.select("option")
            for option in options[:1]:
                fields[name] = option.get("value", option.get_text().strip())
        elif tag.name == "textarea":
            fields[name] = tag.get_text()
        elif kind in ("checkbox", "radio"):
            if tag.has_attr("checked"):
                fields[name] = tag.get("value", "on")
        elif kind not in ("submit", "button", "image", "reset", "file"):
            fields[name] = tag.get("value", "")
    return fields


def dig(value, *path):
    """A value inside nested JSON, None where a part of the path is missing; "*" is all values."""
    for key in path:
        try:
            if key == "*":
                value = list(value.values()) if isinstance(value, dict) else value
            else:
                value = value[str(key) if isinstance(value, dict) else key]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def value_of(text):
    """The JSON of a text, None where it is none. Its strings may hold line breaks."""
    try:
        return json.loads(text or "null", strict=False)
    except (ValueError, RecursionError):
        return None


def json_of(script):
    """The data in a script tag, None where there is no JSON."""
    return value_of(script.string) if script else None


def attribute_data(soup, selector, name):
    """The first data in an attribute of tags, None where it has none."""
    values = (value_of(tag[name]) for tag in soup.select(selector) if tag[name].lstrip()[:1] in "{[")
    return next(filter(None, values), None)


def scripts_of(soup):
    """The code of the page's scripts."""
    found = []
    for script in soup.select("script:not([src])"):
        kind = script.get("type", "").lower()
        if kind in ("", "module") or "javascript" in kind:
            found.append(script.string or "")
    return found


def given(code, name):
    """Where code gives a variable or a function data."""
    pattern = rf"(?<![\w$.\]]){re.escape(name)}\s*[=(]\s*(?=[\[{{])"
    return [match.end() for match in re.finditer(pattern, code)]


def data_of(soup, name):
    """The data that a script of the page gives a variable or a function, None where none does."""
    for code in scripts_of(soup):
        for start in given(code, name):
            try:
                value = json.JSONDecoder().raw_decode(code, start)[0]
            except (ValueError, RecursionError):
                continue
            if value:
                return value
    return None


def literal_of(soup, name):
    """The same, where the data is written as JavaScript has it and is no JSON."""
    for code in scripts_of(soup):
        for start in given(code, name):
            value = value_of(as_json(literal_at(code, start)))
            if value:
                return value
    return None


def literal_at(code, start):
    """The literal that begins there in JavaScript, an empty text where it is code."""
    depth = 0
    text = r"""("(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+')"""
    tokens = re.compile(rf"""{text}|([\[{{])|([\]}}])|[(;=`"']|//|/\*""", re.S)
    for token in tokens.finditer(code, start, start + 2_000_000):
        depth += bool(token[2]) - bool(token[3])
        if token[3] and not depth:
            return code[start : token.end()]
        if not any(token.groups()):
            break
    return ""


def as_json(literal):
    """JavaScript's data as JSON: double quotes around names and texts, no comma at the end."""

    def changed(match):
        text, name, word, close = match.groups()
        if text:
            return f'"{re.sub(escapes, escaped, text[1:-1], flags=re.S)}"'
        words = {"undefined": "null", "!0": "true", "!1": "false"}
        return f'"{name}":' if name else words.get(word, close)

    def escaped(match):
        if match[1]:
            return f"\\u00{match[1]}"
        return '\\"' if match[3] else "'" if match[2] == "'" else match[0]

    escapes = r"""\\x([0-9a-fA-F]{2})|\\(.)|(")"""
    text = r"""("(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+')"""
    name = r"(?<![\w$.])([A-Za-z_$][\w$]*+|\d++)\s*:"
    word = r"(?<![\w$.])(undefined|!0|!1)(?![\w$])"
    return re.sub(rf"{text}|{name}|{word}|,\s*([\]}}])", changed, literal, flags=re.S)


def flight_of(soup):
    """The data that a page of Next.js streams in pieces, a value for each line that holds some."""
    pushed = r'self\.__next_f\.push\(\[1,\s*("(?:[^"\\]++|\\.)*+")\s*\]\)'
    pieces = [piece for code in scripts_of(soup) for piece in re.findall(pushed, code, re.S)]
    lines = "".join(value_of(piece) or "" for piece in pieces).split("\n")
    said = (line.partition(":")[2] for line in lines)
    return list(filter(None, (value_of(text) for text in said if text[:1] in ("{", "["))))


def objects_in(soup, kind):
    """The JSON-LD objects of a type in the page's scripts."""
    scripts = soup.select('script[type="application/ld+json"]')
    return [found for script in scripts for found in objects_of_type(json_of(script), kind)]


def objects_of_type(data, kind):
    """All JSON-LD objects of a type, wherever they are in the data."""
    if isinstance(data, list):
        return [found for item in data for found in objects_of_type(item, kind)]
    if not isinstance(data, dict):
        return []
    types = data.get("@type")
    if types == kind or (isinstance(types, list) and kind in types):
        return [data]
    return [found for item in data.values() for found in objects_of_type(item, kind)]
'''

HELPERS = {text.partition("(")[0]: f"def {text}".strip() for text in re.split(r"^def ", _TEXT, flags=re.M)[1:]}
"""By their names, in the order in which they come in a program."""
_FORMS = {"run": "with_following", "parts": "parts_of", "text": "rows_of_text", "blocks": "blocks_of_text"}
"""For each form of records (see Group.form) the function that makes them."""
_GIVERS = {"var": "data_of", "js": "literal_of"}
"""For each kind of source that a script's variable or function is the function that reads its data."""
_INDEX = re.compile(r"0|-?[1-9][0-9]{0,8}")


def step_of(key: str) -> str:
    """A step of the way to a value in JSON, as code: an index, else a key."""
    return key if _INDEX.fullmatch(key) else literal(key)


def dug(data: str, dotted: str) -> str:
    """The expression of what is at a path in some data."""
    path = [step_of(key) for key in dotted.split(".") if key]
    return f"dig({data}, {', '.join(path)})" if path else data


def selection(group: Group) -> tuple[str, int, int]:
    """The records' selector, and how many to drop at the start and (negative) the end."""
    return group.selector, group.skip[0], -group.skip[1]


def records_of(group: Group, soup: str, none: str = "[]") -> str:
    """An expression that lists the records of a page, or gives the object at a path; `none` where data lack it."""
    if not is_json(group):
        if group.selector in ROOTS:
            return f"[{soup}]"
        selector, head, tail = selection(group)
        cut = f"[{head or ''}:{tail or ''}]" if head or tail else ""
        if group.form == "run":
            ends = f", {literal(group.until)}" if group.until else ""
            return f"{_FORMS['run']}({soup}, {literal(selector)}{ends}){cut}"
        found = f"{soup}.select({literal(selector)})"
        if group.form:
            more = {"text": f", {list(group.cuts)}", "parts": f", {group.breaks}"}.get(group.form, "")
            return f"{_FORMS[group.form]}({found}{more}){cut}"
        return f"unspan({found}{cut})" if group.spans else found + cut
    if group.source == "ld+json":
        return f"objects_in({soup}, {literal(group.selector)})"
    kind, _, name = group.source.partition(" ")
    if kind == "flight":
        return f"next(filter(None, ({dug('line', group.selector)} for line in flight_of({soup}))), {none})"
    if kind in _GIVERS:
        data = f"{_GIVERS[kind]}({soup}, {literal(name)})"
    elif kind == "attr":
        attribute, _, tag = name.partition(" ")
        data = f"attribute_data({soup}, {literal(f'{tag}[{attribute}]')}, {literal(attribute)})"
    else:
        data = f"json_of({soup}.select_one({literal(group.source)}))"
    return f"{dug(data, group.selector)} or {none}"


@cache
def _space() -> dict[str, Any]:
    space: dict[str, Any] = {
        "BeautifulSoup": BeautifulSoup, "NavigableString": NavigableString, "Tag": Tag, "copy": copy, "json": json,
        "re": re,
    }  # fmt: skip
    exec("\n".join(HELPERS.values()), space)
    return space


def function(name: str) -> Callable[..., Any]:
    """A helper, for reading a page as the program will."""
    return cast("Callable[..., Any]", _space()[name])


def evaluated(code: str, **names: Any) -> Any:
    """The value of an expression of the program, where these names stand for values."""
    return eval(code, {**_space(), **names})
