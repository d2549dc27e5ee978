"""Dates of which the record says a part and a heading above it the rest: "12 March" under "2021"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from scrapewright.programmers.rules.fit import fit
from scrapewright.programmers.rules.match import Match
from scrapewright.programmers.rules.ops import Op, Rewrite
from scrapewright.programmers.rules.view import Rest, View
from scrapewright.query.reading import Field

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_DAY = re.compile(r"(?<![\d:.])\d{1,2}(?![\d:])")
_BARE = re.compile(r"\d{1,2}([./-])\d{1,2}")
_TEXTS = ("text", "tail", "head")
MOST = 24
"""A longer text is no part of a date."""


def composed(
    fields: Sequence[Field], matches: dict[str, Match], offered: Sequence[View], language: str
) -> dict[str, Match]:
    """The matches, with those of dates that no single place of the record says."""
    found = dict(matches)
    for field in fields:
        if field.type == "date" and field.name not in matches:
            made = next(_dates(field, offered, language), None)
            if made is not None:
                found[field.name] = made
    return found


def _dates(field: Field, offered: Sequence[View], language: str) -> Iterator[Match]:
    """Matches of the field by a short text with a day in it and the nearest heading that says the year."""
    plain = [view for view in offered if _is_plain(view)]
    heads = [view for view in plain if view.slot.selector.startswith("^ ") and _all_have(view, _YEAR)]
    days = [view for view in plain if _all_have(view, _DAY) and max(map(len, view.texts)) <= MOST]
    for day in days:
        if any(map(_YEAR.search, day.texts)):
            continue
        for head in heads:
            for joint, ops in _ways(head.texts, _joint(day.texts)):
                values = [f"{one}{joint}{two}" for one, two in zip(day.values, head.values, strict=True)]
                made = fit([_run(ops, value) for value in values], field, language)
                if made is not None and made.share > 0.99:
                    view = msgspec.structs.replace(day, values=tuple(values), rest=Rest(head.slot, joint), ops=ops)
                    yield Match(field=field, view=view, made=made, score=3.0, name=0.5)


def _is_plain(view: View) -> bool:
    return not (view.ops or view.slot.many or view.rough or view.detail) and view.slot.attr in _TEXTS


def _all_have(view: View, pattern: re.Pattern[str]) -> bool:
    return bool(view.texts) and len(view.texts) == len(view.values) and all(map(pattern.search, view.texts))


def _joint(texts: Sequence[str]) -> str:
    """What to put between day and year, as the day is written: nothing behind "12.3.", a slash behind "3/12"."""
    if all(text.endswith((".", "/", "-")) for text in texts):
        return ""
    marks = {found[1] if (found := _BARE.fullmatch(text)) else " " for text in texts}
    return marks.pop() if len(marks) == 1 else " "


def _ways(heads: Sequence[str], joint: str) -> Iterator[tuple[str, tuple[Op, ...]]]:
    """What to put between a day and its heading, and the steps that then take out what is no part of the date: all of
    the heading but the year, or the month with it."""
    if all(map(_WHEN.fullmatch, heads)):
        yield joint, ()
    for wanted in (r"(?:19|20)\d\d", r"[^\W\d]+\.? (?:19|20)\d\d"):
        yield _APART, (Rewrite(rf"{re.escape(_APART)}.*?\b({wanted})\b.*$".replace("\\ ", " "), rf"{joint}\1"),)


_WHEN = re.compile(r"(?:[^\W\d]+\.? )?(?:19|20)\d\d")
_APART = " | "
"""Between a day and a heading that says more than when."""


def _run(ops: Sequence[Op], value: str) -> str:
    for op in ops:
        value = str(op.apply(value))
    return value
