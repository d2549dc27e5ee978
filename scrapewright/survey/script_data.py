"""The data in a page's scripts and attributes, JSON-LD left out: JSON that a script holds alone, what scripts give
variables and functions, what they stream, JSON in attributes.

In: the document; out: each value with its source (see `Group.source`). Programs read the same with the functions of
`programmers.rules.helpers`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from scrapewright.survey import css
from scrapewright.survey.decode import Document, Script


def loaded(text: str | None) -> Any:
    """The value of a script's JSON, None where it is none: pages write line breaks into their strings."""
    try:
        return json.loads((text or "null").strip(), strict=False)
    except (ValueError, RecursionError):
        return None


_GIVEN = re.compile(
    r"(?<![\w.$\]])((?:(?:window|self|globalThis)\.)?[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)\s*[=(]\s*(?=[\[{])"
)
"""A variable or a function that a script gives data."""


def script_values(document: Document) -> list[tuple[str, Any]]:
    """(source, value) of each JSON value in a page's scripts and attributes, JSON-LD left out; the source as in
    `Group`. Of a stream every line is a value of its own: programs take the first that has a group's path."""
    if document.script_values is None:
        document.script_values = list(_script_values(document))
    return document.script_values


def _script_values(document: Document) -> Iterator[tuple[str, Any]]:
    kinds = ((script, script.attrs.get("type", "").lower()) for script in document.scripts)
    typed = [script for script, kind in kinds if "json" in kind and "ld+json" not in kind]
    for script in typed:
        value, selector = loaded(script.text), _script_selector(script, typed)
        if isinstance(value, (dict, list)) and selector:
            yield selector, value
    run = [script.text for script in document.scripts if "src" not in script.attrs and _runs(script)]
    yield from _given(run)
    yield from (("flight", value) for value in flight_of(run))
    yield from _attributes(document)


def _runs(script: Script) -> bool:
    """Whether a browser runs it as JavaScript."""
    kind = script.attrs.get("type", "").lower()
    return not kind or "javascript" in kind or kind == "module"


def _given(scripts: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """(source, value) of the data that scripts give variables and functions. A name that is given several values is
    left out: programs would take the first."""
    decoder = json.JSONDecoder()
    found: dict[str, list[tuple[str, Any]]] = {}
    room = LONGEST_LITERAL
    for code in scripts:
        ends: dict[str, int] = {}
        for match in _GIVEN.finditer(code):
            name, start = match[1], match.end()
            if start < ends.get(name, 0):
                continue
            kind, value = "var", None
            try:
                value, ends[name] = decoder.raw_decode(code, start)
            except (ValueError, RecursionError):
                literal = literal_at(code, start, room)
                room -= len(literal) or min(room, SCANNED)
                kind, value = "js", loaded(as_json(literal)) if literal else None
            if value:
                found.setdefault(name, []).append((f"{kind} {name}", value))
    yield from (values[0] for values in found.values() if all(one[1] == values[0][1] for one in values))


LONGEST_LITERAL = 2_000_000
"""Characters of a page's literals that are no JSON and are read all the same."""
SCANNED = 2_000
"""Characters that a place costs of these where nothing but code is found there."""
_OF_LITERAL = re.compile(
    r"""(?P<text>"(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+')|(?P<open>[\[{])|(?P<close>[\]}])|[(;=`"']|//|/\*""", re.S
)
_LOOSE = re.compile(
    r"""("(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+')|(?<![\w$.])([A-Za-z_$][\w$]*+|\d++)\s*:"""
    r"""|(?<![\w$.])(undefined|!0|!1)(?![\w$])|,\s*([\]}])""",
    re.S,
)
_ESCAPED = re.compile(r"""\\x([0-9a-fA-F]{2})|\\(.)|(")""", re.S)


def literal_at(code: str, start: int, room: int = LONGEST_LITERAL) -> str:
    """The literal that begins there; "" where calls, functions or comments are in it (it is code, then), or where it is
    longer than there is `room`."""
    depth = 0
    for token in _OF_LITERAL.finditer(code, start, start + room):
        if token["open"]:
            depth += 1
        elif token["close"]:
            depth -= 1
            if not depth:
                return code[start : token.end()]
        elif not token["text"]:
            break
    return ""


def as_json(literal: str) -> str:
    """JavaScript's data as JSON: double quotes around names and texts, no comma before a closing bracket."""

    def changed(match: re.Match[str]) -> str:
        text, name, word, close = match.groups()
        if text:
            return f'"{_ESCAPED.sub(escaped, text[1:-1])}"'
        return f'"{name}":' if name else {"undefined": "null", "!0": "true", "!1": "false"}.get(word, close)

    def escaped(match: re.Match[str]) -> str:
        if match[1]:
            return f"\\u00{match[1]}"
        return '\\"' if match[3] else "'" if match[2] == "'" else match[0]

    return _LOOSE.sub(changed, literal)


_FLIGHT = re.compile(r'self\.__next_f\.push\(\[1,\s*("(?:[^"\\]++|\\.)*+")\s*\]\)', re.S)


def flight_of(scripts: Sequence[str]) -> list[Any]:
    """The data that a page of Next.js streams in pieces, a value for each line that holds some."""
    pieces = (loaded(piece) for code in scripts for piece in _FLIGHT.findall(code))
    lines = (line.partition(":")[2] for line in "".join(piece or "" for piece in pieces).split("\n"))
    return [value for said in lines if said[:1] in ("{", "[") and (value := loaded(said))]


LEAST_OF_ATTRIBUTE = 100
"""Characters of an attribute that holds data."""
_LISTED = frozenset(("class", "rel", "rev", "headers", "accept-charset", "archive"))
"""Attributes that parsers split into words."""


def _attributes(document: Document) -> Iterator[tuple[str, Any]]:
    """(source, value) of the data in attributes: for a tag and a name of an attribute the first that there is."""
    held: dict[str, list[str]] = {}
    for element in document.root.iter("*") if document.root is not None else ():
        for name, value in element.attrib.items():
            if value[:40].lstrip()[:1] in ("{", "[") and str(name) not in _LISTED:
                held.setdefault(f"attr {name} {element.tag}", []).append(str(value))
    for source, texts in held.items():
        text, value = next(((text, value) for text in texts if (value := loaded(text))), ("", None))
        if len(text) >= LEAST_OF_ATTRIBUTE and all(map(css.is_identifier, source.split(" "))):
            yield source, value


def _script_selector(script: Script, peers: Sequence[Script]) -> str:
    """What tells a script from the others that hold JSON: its id, another attribute, or its type; empty where nothing
    does."""
    for name, value in sorted(script.attrs.items(), key=lambda one: (one[0] != "id", one[0] == "type")):
        alone = sum(peer.attrs.get(name) == value for peer in peers) == 1
        if alone and name not in ("nonce", "src") and css.is_identifier(name) and '"' not in value and len(value) <= 60:
            by_id = name == "id" and css.is_identifier(value)
            return f"script#{value}" if by_id else f'script[{name}="{value}"]' if value else f"script[{name}]"
    return ""
