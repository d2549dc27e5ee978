"""Conditions on rows: what a filter of the request compares, and how, and the expression for it in the program."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from types import CodeType
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from scrapewright.programmers.rules.dates import fit_date
from scrapewright.programmers.rules.fit import fit
from scrapewright.programmers.rules.offers import converted, steps
from scrapewright.programmers.rules.ops import FAILURES, Op, literal, raw_literal, run
from scrapewright.programmers.rules.view import View
from scrapewright.query.lexicon import YES, fold
from scrapewright.query.reading import Field, Filter
from scrapewright.survey.json_values import is_json
from scrapewright.survey.model import Slot

if TYPE_CHECKING:
    from scrapewright.programmers.rules.choose import Candidate
    from scrapewright.programmers.rules.match import Match

_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_ORDERED = ("lt", "le", "gt", "ge")
_TEXTS = ("text", "tail", "head", "alt", "title", "content", "datetime", "aria-label")
_ISO = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::\d{2})?")


class Keep(msgspec.Struct, frozen=True):
    """A condition that rows must meet. `column` names a column; else `slot` is a place of the record to look at, and
    `ops` the steps from its text to what is compared.

    `op`: eq, ne, lt, le, gt, ge compare; contains, lacks, starts and ends look for a text, without regard to case, the
    first two for any of several, in lines; says looks for whole words; present asks that there is a value at all
    (False: that there is none). `kind` is what is compared: dates by as much of the ISO form as `value` has, times by
    hours and minutes. `form` is the strftime pattern that a column of dates is written in, empty for ISO.
    """

    op: Literal["eq", "ne", "lt", "le", "gt", "ge", "contains", "lacks", "says", "starts", "ends", "present"]
    value: str | float | int | bool = ""
    column: str = ""
    slot: Slot | None = None
    text: str = ""
    ops: tuple[Op, ...] = ()
    kind: Literal["", "number", "date", "datetime", "time", "list", "bool"] = ""
    form: str = ""


def expression(keep: Keep, value: str, iso: str = "iso_of") -> str:
    """The condition as an expression; `value` is the expression of what is compared, `iso` the name of the function
    that reads dates of the keep's form."""
    if keep.op == "present" and keep.kind == "list":
        return f"not {value}" if keep.value is False else f"bool({value})"
    if keep.op == "present":
        return f"{value} is {'' if keep.value is False else 'not '}None"
    if keep.kind == "list":
        return _of_list(keep, value)
    if keep.kind == "bool":
        return f"{value} is {'not ' if (keep.op == 'ne') == bool(keep.value) else ''}True"
    if keep.kind in ("date", "datetime", "time"):
        return _of_moment(keep, value, iso)
    said = str(keep.value).casefold()
    text = f'({value} or "")' if isinstance(keep.value, str) and keep.kind != "number" else f"str({value})"
    if keep.op in ("lacks", "contains") and "\n" in said:
        listed = ", ".join(map(literal, said.split("\n")))
        return f"{'not ' if keep.op == 'lacks' else ''}any(word in {text}.casefold() for word in ({listed}))"
    if keep.op in ("lacks", "contains"):
        return f"{literal(said)} {'not in' if keep.op == 'lacks' else 'in'} {text}.casefold()"
    if keep.op == "says":
        return f'bool(re.search({raw_literal(_whole_words(str(keep.value)))}, {value} or ""))'
    if keep.op in ("starts", "ends"):
        return f"{text}.casefold().{keep.op}with({literal(said)})"
    if keep.op in ("eq", "ne"):
        if isinstance(keep.value, str):
            return f"{text}.casefold() {_SIGNS[keep.op]} {literal(said)}"
        return f"{value} {_SIGNS[keep.op]} {keep.value!r}"
    given = literal(keep.value) if isinstance(keep.value, str) else repr(keep.value)
    return f"{value} is not None and {value} {_SIGNS[keep.op]} {given}"


def passes(keep: Keep, value: Any) -> bool:
    """Whether a value meets the condition: what the program's own expression says."""
    test = _compiled(expression(keep, "value"))

    def iso_of(text: str) -> str:
        return datetime.strptime(text, keep.form).date().isoformat()

    return bool(eval(test, {"re": re, "value": value, "iso_of": iso_of}))


@lru_cache(maxsize=1 << 10)
def _compiled(expression: str) -> CodeType:
    return compile(expression, "condition", "eval")


def iso_body(form: str) -> list[str]:
    """The body of the function that gives a date of a form in the ISO way."""
    return [f"return datetime.strptime(text, {literal(form)}).date().isoformat()"]


def _of_list(keep: Keep, value: str) -> str:
    said = literal(str(keep.value).casefold())
    test = {"eq": "{} == text.casefold()", "ne": "{} == text.casefold()"}.get(keep.op, "{} in text.casefold()")
    if keep.op in ("starts", "ends"):
        test = f"text.casefold().{keep.op}with({{}})"
    found = f"any({test.format(said)} for text in {value} or [])"
    return f"not {found}" if keep.op in ("ne", "lacks") else found


def _of_moment(keep: Keep, value: str, iso: str) -> str:
    """Dates and times are compared as texts of one length: "2018" with the first four figures of an ISO date."""
    said, length = str(keep.value), len(str(keep.value))
    if keep.kind == "time":
        key = f"{value}.zfill({length})[:{length}]"
    elif keep.form:
        key = f"{iso}({value})" if length == 10 else f"{iso}({value})[:{length}]"
    else:
        key = value if keep.kind == "date" and length == 10 else f"{value}[:{length}]"
    if keep.op in ("ne", "lacks"):
        return f"{value} is None or {key} != {literal(said)}"
    sign = _SIGNS.get(keep.op, "==")
    return f"{value} is not None and {key} {sign} {literal(said)}"


def _whole_words(text: str) -> str:
    """A pattern for the text as words; capitals alone ("WI") are looked for as they are."""
    escaped = re.escape(text).replace("\\ ", " ")
    return rf"{'' if text.isupper() else '(?i)'}(?<!\w){escaped}(?!\w)"


def on_column(wanted: Filter, match: Match, chosen: Candidate) -> Keep | None:
    """The condition on a column of the output, compared as what the column holds. None where it can't be answered."""
    field, op, value = match.field, wanted.op, wanted.value.strip()
    if op == "other":
        return None
    keep = Keep(op=op, value=value, column=field.name, text=wanted.text)
    if field.type == "bool":
        truth = fold(value) in YES or fold(value) in ("true", "yes", "1")
        return _with(keep, kind="bool", value=truth) if op in ("eq", "ne") else None
    if field.type in ("list", "int", "float") and not value and op in ("eq", "ne"):
        return _with(keep, op="present", value=op == "ne", kind="list" if field.type == "list" else "")
    if field.type == "list":
        return _with(keep, kind="list") if op not in _ORDERED else None
    if field.type in ("date", "datetime"):
        return _dated(keep, field)
    if field.type in ("int", "float"):
        if op in ("starts", "ends", "contains", "lacks"):
            return _with(keep, kind="number")
        limit = _number(value, field)
        return _with(keep, kind="number", value=limit) if limit is not None else None
    clock = _CLOCK.fullmatch(value)
    if clock and op not in ("contains", "lacks", "starts", "ends"):
        return _with(keep, kind="time", value=f"{int(clock[1]):02}:{clock[2]}")
    if op in _ORDERED:
        return _measured(keep, match, chosen)
    if op == "eq" and not match.view.detail and match.view.texts:
        values = [fold(text) for text in match.view.texts]
        if fold(value) not in values and any(_says(text, value) for text in match.view.texts):
            return _with(keep, op="says")
    return keep


def _with(keep: Keep, **changes: Any) -> Keep:
    return msgspec.structs.replace(keep, **changes)


def _dated(keep: Keep, field: Field) -> Keep | None:
    """A column of dates: what is compared is as long as the date that the request says."""
    value = str(keep.value)
    form = "" if field.date_format in ("", "%Y-%m-%d") else field.date_format
    if not _ISO.fullmatch(value):
        read = fit_date([value]) if keep.op not in ("contains", "lacks", "ends") else None
        if read is None:
            return keep if keep.op not in _ORDERED else None
        value = str(run(read[0], value))
    if keep.op in ("contains", "ends"):
        return keep
    kind: Literal["date", "datetime"] = "date" if field.type == "date" else "datetime"
    return _with(keep, kind=kind, value=value, form=form)


def _number(value: str, field: Field) -> int | float | None:
    try:
        return int(value) if field.type == "int" else float(value)
    except ValueError:
        pass
    made = fit([value], Field(name=field.name, type="float"))
    try:
        found = run(made.ops, value) if made is not None else None
    except FAILURES:
        return None
    return found if isinstance(found, int | float) else None


def _measured(keep: Keep, match: Match, chosen: Candidate) -> Keep | None:
    """A text column that is more or less than something is compared by the number or the date that its text says."""
    value, view = str(keep.value), match.view
    kind: Literal["date", "float"] = "date" if _ISO.fullmatch(value) and len(value) > 4 else "float"
    field = Field(name=match.field.name, type=kind)
    made = fit(view.texts, field, chosen.place.language if chosen.place else "")
    if made is None or view.detail or view.rest is not None:
        return None
    limit = _number(value, field) if kind == "float" else value
    if limit is None:
        return None
    kept = _with(keep, value=limit, column="", slot=view.slot, ops=steps(view, made))
    return _with(kept, kind="date" if kind == "date" else "number")


def on_record(wanted: Filter, columns: Sequence[Match], chosen: Candidate) -> Keep | None:
    """The condition on the record, where no column is named: the place whose values answer it, else all of its text.

    None where it holds for all records or for none: then the page's values don't say which rows are meant.
    """
    value, op = wanted.value.strip(), wanted.op
    if op == "other" or op in _ORDERED or not value:
        return _by_type(wanted, chosen) if op in _ORDERED and value else None
    if _ISO.fullmatch(value) and op in ("eq", "ne", "starts"):
        return _by_type(wanted, chosen)
    best: tuple[float, Keep] | None = None
    named = {(match.view.slot, match.view.ops): match.field for match in columns if match.field.type == "text"}
    for at, view in enumerate(chosen.views):
        if view.ops or view.detail or view.rough or view.slot.many or view.slot.attr not in _TEXTS:
            continue
        for worth, kept in _WAYS.get(op, ((1.0, op),)):
            hits = sum(passes(Keep(op=kept, value=value), text) for text in view.values)
            if not 0 < hits < len(view.values):
                continue
            total = worth - 0.001 * sum(map(len, view.texts)) / len(view.texts) - 0.0001 * at
            column = named.get((view.slot, view.ops))
            keep = Keep(
                op=kept, value=value, text=wanted.text,
                column=column.name if column is not None else "", slot=None if column is not None else view.slot,
            )  # fmt: skip
            if best is None or total > best[0]:
                best = total, keep
    if best is None or (is_json(chosen.group) and best[1].slot and not best[1].slot.selector):
        return None
    return best[1]


_WAYS: dict[str, tuple[tuple[float, Literal["eq", "ne", "lacks", "says"]], ...]] = {
    "eq": ((3.0, "eq"), (1.0, "says")), "ne": ((3.0, "ne"), (1.0, "lacks")),
}  # fmt: skip
"""The tests that a condition can mean, with how well each fits: a place that says nothing else first."""


def _says(text: str, value: str) -> bool:
    return re.search(_whole_words(value), text) is not None


def _by_type(wanted: Filter, chosen: Candidate) -> Keep | None:
    """The place whose dates or numbers the condition is about: the only one of the kind, or that the words name."""
    value = wanted.value.strip()
    dated = _ISO.fullmatch(value) is not None and (len(value) > 4 or wanted.op in ("eq", "starts"))
    field = Field(name="value", type="date" if dated else "float")
    limit: Any = value if dated else _number(value, field)
    place = chosen.place
    op = "eq" if wanted.op == "starts" else wanted.op
    if limit is None or place is None or op == "other" or op not in _SIGNS:
        return None
    found: dict[tuple[bool, ...], tuple[View, Keep]] = {}
    for view in chosen.views:
        slot = view.slot
        if view.ops or view.detail or view.rough or slot.many or slot.attr not in _TEXTS or view.coverage < 0.5:
            continue
        if dated and slot.type not in ("date", "datetime") and slot.attr != "datetime":
            continue
        if not dated and slot.type not in ("int", "float"):
            continue
        made = fit(view.texts, field, place.language)
        if made is None:
            continue
        keep = Keep(
            op=op, value=limit, slot=slot, text=wanted.text, ops=steps(view, made), kind="date" if dated else "number"
        )
        met = tuple(passes(keep, one) for one in converted(field, view, made, place))
        if 0 < sum(met) < len(met):
            found.setdefault(met, (view, keep))
    return next(iter(found.values()))[1] if len(found) == 1 else None
