"""Lays code out: breaks long lines at parentheses, the way formatters do."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from scrapewright.programmers.rules.ops import literal, raw_literal

WIDTH = 100
_OPEN, _CLOSE = "([{", ")]}"


def lay(code: str, indent: int = 0, tail: str = "") -> list[str]:
    """The lines of one statement (or one element with a comma as `tail`), at most WIDTH wide where it can be broken."""
    pad = " " * indent
    if len(pad) + len(code) + len(tail) <= WIDTH:
        return [pad + code + tail]
    cut = _last_bracket(code)
    if cut is None:
        return _broken_text(code, indent, tail)
    start, end = cut
    head, inner, rest = code[: start + 1], code[start + 1 : end], code[end:] + tail
    if not inner.strip():
        return [pad + code + tail]
    clauses = _clauses(inner)
    if len(pad) + 4 + len(inner) <= WIDTH and (len(clauses) > 1 or not _is_collection(code, start)):
        return [pad + head, pad + "    " + inner, pad + rest]
    lines = [pad + head]
    if len(clauses) > 1:
        for clause in clauses:
            lines += lay(clause, indent + 4)
    else:
        for part in split_arguments(inner):
            lines += lay(part, indent + 4, ",")
    return [*lines, pad + rest]


def _clauses(inner: str) -> list[str]:
    """A comprehension's element and its clauses; one piece where it is none."""
    cuts = [at for at, _, depth in _scan(inner) if depth == 0 and inner.startswith((" for ", " if "), at)]
    if not any(inner.startswith(" for ", at) for at in cuts):
        return [inner]
    return [inner[start:end].strip() for start, end in zip([0, *cuts], [*cuts, len(inner)], strict=True)]


def _is_collection(code: str, start: int) -> bool:
    """Whether the bracket opens a dict, a set or a list and not a call's arguments."""
    return code[start] == "{" or (
        code[start] == "[" and (start == 0 or not (code[start - 1].isalnum() or code[start - 1] in "_)]"))
    )


def _scan(code: str) -> Iterator[tuple[int, str, int]]:
    """(position, character, depth before it) of everything outside of string literals."""
    depth, at, quote = 0, 0, ""
    while at < len(code):
        char = code[at]
        if quote:
            if char == "\\":
                at += 1
            elif char == quote:
                quote = ""
        elif char in "\"'":
            quote = char
        else:
            if char in _CLOSE:
                depth -= 1
            yield at, char, depth
            if char in _OPEN:
                depth += 1
        at += 1


def _last_bracket(code: str) -> tuple[int, int] | None:
    """The outermost bracket pair with the most in it."""
    best: tuple[int, int] | None = None
    start = -1
    for at, char, depth in _scan(code):
        if depth == 0 and char in _OPEN:
            start = at
        elif depth == 0 and char in _CLOSE and start >= 0 and (best is None or at - start > best[1] - best[0]):
            best = start, at
    return best


def split_arguments(inner: str) -> list[str]:
    """The arguments between a call's parentheses."""
    parts, start = [], 0
    for at, char, depth in _scan(inner):
        if char == "," and depth == 0:
            parts.append(inner[start:at].strip())
            start = at + 1
    parts.append(inner[start:].strip())
    return [part for part in parts if part]


def _broken_text(code: str, indent: int, tail: str) -> list[str]:
    """A string literal too long for a line becomes several, joined by the compiler."""
    pad = " " * indent
    prefix, sep, rest = code.partition(" = ")
    if sep and prefix.isidentifier():
        lines = _broken_text(rest, indent + 4, "")
        return [f"{pad}{prefix} = (", *lines, pad + ")" + tail] if len(lines) > 1 else [pad + code + tail]
    if not code.startswith(('"', "'", 'r"', "r'")):
        return [pad + code + tail]
    try:
        text = ast.literal_eval(code)
    except (SyntaxError, ValueError):
        return [pad + code + tail]
    room = WIDTH - indent - 8
    pieces = []
    while len(text) > room:
        at = max(text.rfind(mark, 0, room) for mark in (" ", ",", ">", "/", "&"))
        at = at + 1 if at > room // 3 else room
        pieces.append(text[:at])
        text = text[at:]
    pieces.append(text)
    write = raw_literal if code.startswith("r") else literal
    lines = [pad + write(piece) for piece in pieces]
    lines[-1] += tail
    return lines
