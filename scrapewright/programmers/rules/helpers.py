"""The small functions that generated programs share. Only those that a program needs are written into it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from copy import copy
from functools import cache
from typing import Any, cast

from bs4 import BeautifulSoup
from bs4.element import NavigableString, Tag

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
    """A value inside nested JSON, None where a part of the path is missing."""
    for key in path:
        try:
            value = value[str(key) if isinstance(value, dict) else key]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def json_of(script):
    """The data in a script tag, None where there is no JSON. Its strings may hold line breaks."""
    try:
        return json.loads(script.string or "null", strict=False) if script else None
    except (ValueError, RecursionError):
        return None


def data_of(soup, name):
    """The data that a script of the page gives a variable, None where none does."""
    for script in soup.select("script"):
        code = script.string or ""
        match = re.search(rf"\b{re.escape(name)}\s*=\s*", code)
        if match:
            return json.JSONDecoder().raw_decode(code, match.end())[0]
    return None


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
FORMS = {
    "run": "with_following",
    "text": "rows_of_text",
    "blocks": "blocks_of_text",
}
"""For each form of records (see Group.form) the function that makes them."""


@cache
def function(name: str) -> Callable[..., Any]:
    """A helper, for reading a page as the program will."""
    space: dict[str, Any] = {
        "BeautifulSoup": BeautifulSoup, "NavigableString": NavigableString, "Tag": Tag, "copy": copy, "json": json,
        "re": re,
    }  # fmt: skip
    exec("\n".join(HELPERS.values()), space)
    return cast("Callable[..., Any]", space[name])
