"""Three versions of a program in, one out: what was changed from a base in one of them, in the other as well."""

from __future__ import annotations

from difflib import SequenceMatcher

Change = tuple[int, int, tuple[str, ...]]
"""The lines of the base from `start` to `end` (exclusive) are these now."""


def merged(base: str, one: str, other: str) -> str | None:
    """The base with the changes of both; None where both changed the same lines, or added to the same place, and not
    alike. Lines next to each other are no conflict: columns are."""
    lines = base.splitlines(keepends=True)
    changes = sorted({*_changes(lines, one), *_changes(lines, other)})
    out: list[str] = []
    at = 0
    added_at = -1
    for start, end, now in changes:
        if start < at or (start == end == added_at):
            return None
        out += lines[at:start]
        out += now
        at, added_at = end, start if start == end else -1
    return "".join([*out, *lines[at:]])


def _changes(lines: list[str], text: str) -> list[Change]:
    new = text.splitlines(keepends=True)
    codes = SequenceMatcher(None, lines, new, autojunk=False).get_opcodes()
    return [(start, end, tuple(new[a:b])) for tag, start, end, a, b in codes if tag != "equal"]
