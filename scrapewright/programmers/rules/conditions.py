"""Which rows to keep: what a condition of the request compares, and how, the expression for it in the program, the
kinds of rows that the request leaves out in words, and the records that are left."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from operator import itemgetter
from types import CodeType
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from scrapewright.programmers.rules.choose import Candidate
from scrapewright.programmers.rules.figures import fit_date
from scrapewright.programmers.rules.fit import PLACEHOLDERS, fit
from scrapewright.programmers.rules.match import Match
from scrapewright.programmers.rules.ops import Op, literal, raw_literal, run, value_of
from scrapewright.programmers.rules.rivals import EMPTY
from scrapewright.programmers.rules.view import View
from scrapewright.query.filters import phrase_of
from scrapewright.query.reading import Field, Filter
from scrapewright.session.questions import Decision, condition_option
from scrapewright.survey.embedded import is_json
from scrapewright.survey.model import Slot

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
    joint: str = ""
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
    said, op = str(keep.value).casefold(), keep.op
    if keep.kind == "list":
        test = _TESTS.get(_CONTRARY.get(op, op), _TESTS["contains"]).format(text="text.casefold()", said=literal(said))
        return f"{'not ' if op in _CONTRARY else ''}any({test} for text in {value} or [])"
    if keep.kind == "bool":
        return f"{value} is {'not ' if (op == 'ne') == bool(keep.value) else ''}True"
    if keep.kind in ("date", "datetime", "time"):
        return _of_moment(keep, value, iso)
    text = f'({value} or "")' if isinstance(keep.value, str) and keep.kind != "number" else f"str({value})"
    if op in ("lacks", "contains") and "\n" in said:
        listed = ", ".join(map(literal, said.split("\n")))
        return f"{'not ' if op == 'lacks' else ''}any(word in {text}.casefold() for word in ({listed}))"
    if op == "says":
        return f'bool(re.search({raw_literal(_whole_words(str(keep.value)))}, {value} or ""))'
    if op in _TESTS and (isinstance(keep.value, str) or op not in _SIGNS):
        return _TESTS[op].format(text=f"{text}.casefold()", said=literal(said))
    given = literal(keep.value) if isinstance(keep.value, str) else repr(keep.value)
    known = "" if op in ("eq", "ne") else f"{value} is not None and "
    return f"{known}{value} {_SIGNS[op]} {given}"


_TESTS = {
    "eq": "{text} == {said}", "ne": "{text} != {said}", "contains": "{said} in {text}", "lacks": "{said} not in {text}",
    "starts": "{text}.startswith({said})", "ends": "{text}.endswith({said})",
}  # fmt: skip
_CONTRARY = {"ne": "eq", "lacks": "contains"}


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
        return replace(keep, kind="bool", value=wanted.said.is_yes) if op in ("eq", "ne") else None
    if field.type in ("list", "int", "float") and not value and op in ("eq", "ne"):
        return replace(keep, op="present", value=op == "ne", kind="list" if field.type == "list" else "")
    if field.type == "list":
        return replace(keep, kind="list") if op not in _ORDERED else None
    if field.type in ("date", "datetime"):
        return _dated(keep, field)
    if field.type in ("int", "float"):
        if op in ("starts", "ends", "contains", "lacks"):
            return replace(keep, kind="number")
        limit = _number(value, field)
        return replace(keep, kind="number", value=limit) if limit is not None else None
    clock = _CLOCK.fullmatch(value)
    if clock and op not in ("contains", "lacks", "starts", "ends"):
        return replace(keep, kind="time", value=f"{int(clock[1]):02}:{clock[2]}")
    if op in _ORDERED:
        return _measured(keep, match.view, dated=_ISO.fullmatch(value) is not None and len(value) > 4)
    if op == "eq" and not match.view.detail and match.view.texts:
        whole = any(text and text == wanted.said.value for text in match.view.folded)
        if not whole and any(map(re.compile(_whole_words(value)).search, match.view.texts)):
            return replace(keep, op="says")
    return keep


def _dated(keep: Keep, field: Field) -> Keep | None:
    """A column of dates: what is compared is as long as the date that the request says."""
    value = str(keep.value)
    form = "" if field.date_format in ("", "%Y-%m-%d") else field.date_format
    if not _ISO.fullmatch(value):
        read = fit_date((value,)) if keep.op not in ("contains", "lacks", "ends") else None
        if read is None:
            return keep if keep.op not in _ORDERED else None
        value = str(run(read[0], value))
    if keep.op in ("contains", "ends"):
        return keep
    kind: Literal["date", "datetime"] = "date" if field.type == "date" else "datetime"
    return replace(keep, kind=kind, value=value, form=form)


def _number(value: str, field: Field) -> int | float | None:
    try:
        number: Any = int(value) if field.type == "int" else float(value)
    except ValueError:
        made = fit([value], Field(name=field.name, type="float"))
        number = value_of(value, made.ops) if made is not None else None
    return number if isinstance(number, int | float) and math.isfinite(number) else None


def _measured(keep: Keep, view: View, *, dated: bool) -> Keep | None:
    """The condition on a place, compared by the number or the date that its text says."""
    value = str(keep.value)
    field = Field(name=keep.column or "value", type="date" if dated else "float")
    limit = value if dated else _number(value, field)
    made = fit(view.texts, field, view.language)
    if limit is None or made is None or view.detail or view.rest is not None:
        return None
    kept = replace(keep, value=limit, column="", slot=view.slot, joint=view.joint, ops=(*view.ops, *made.ops))
    return replace(kept, kind="date" if dated else "number")


def on_record(wanted: Filter, columns: Sequence[Match], chosen: Candidate) -> Keep | None:
    """The condition on the record, where no column is named: the place whose values answer it, else all of its text.

    None where it holds for all records or for none: then the page's values don't say which rows are meant.
    """
    value, op = wanted.value.strip(), wanted.op
    if op == "other" or not value:
        return None
    if op in _ORDERED or (_ISO.fullmatch(value) and op in ("eq", "ne", "starts")):
        return _by_type(wanted, chosen)
    found: list[tuple[float, Keep]] = []
    named = {(match.view.slot, match.view.ops): match.field.name for match in columns if match.field.type == "text"}
    for at, view in enumerate(_plain_views(chosen)):
        piece = bool(view.ops)
        if piece and (op not in _WAYS or view.cut or not view.names):
            continue
        column = named.get((view.slot, view.ops), "")
        for worth, kept in _WAYS[op][:1] if piece else _WAYS.get(op, ((1.0, op),)):
            hits = sum(passes(Keep(op=kept, value=value), text) for text in view.values)
            if not 0 < hits < len(view.values):
                continue
            worth += _CALLED * (not view.called.isdisjoint(wanted.said.around))
            worth -= _PIECE * (piece or view.slot.attr in ("head", "tail"))
            worth -= 0.001 * sum(map(len, view.texts)) / len(view.texts) + 0.0001 * at
            keep = Keep(op=kept, value=value, column=column, text=wanted.text, joint=view.joint)
            found.append((worth, keep if column else replace(keep, slot=view.slot, ops=view.ops)))
    best = max(found, key=itemgetter(0))[1] if found else None
    unnamed = best is not None and is_json(chosen.group) and best.slot is not None and not best.slot.selector
    return None if unnamed else best


def _plain_views(chosen: Candidate) -> list[View]:
    """The places of the records that say one text."""
    views = (view for view in chosen.views if not (view.detail or view.rough or view.slot.many))
    return [view for view in views if view.slot.attr in _TEXTS]


_WAYS: dict[str, tuple[tuple[float, Literal["eq", "ne", "lacks", "says"]], ...]] = {
    "eq": ((3.0, "eq"), (1.0, "says")), "ne": ((3.0, "ne"), (1.0, "lacks")),
}  # fmt: skip
"""The tests that a condition can mean, with how well each fits: a place that says nothing else first."""
_CALLED = 1.5
"""How much better a place fits that is called by a word of the condition: "that charities can apply for"."""
_PIECE = 0.5
"""How much worse the text before or behind an element is than all of it: of several in lines it is the first. What
follows a label in a text is a piece of it, too, and the value where it says nothing else: "Ward: Castle; Plans: 4"."""


def _by_type(wanted: Filter, chosen: Candidate) -> Keep | None:
    """The place whose dates or numbers the condition is about: the only one of the kind, or that the words name."""
    value = wanted.value.strip()
    dated = _ISO.fullmatch(value) is not None and (len(value) > 4 or wanted.op in ("eq", "starts"))
    op = "eq" if wanted.op == "starts" else wanted.op
    if op == "other" or op not in _SIGNS:
        return None
    found: dict[tuple[bool, ...], Keep] = {}
    for view in _plain_views(chosen):
        of_kind = view.slot.type in (("date", "datetime") if dated else ("int", "float"))
        if view.ops or view.coverage < 0.5 or not (of_kind or (dated and view.slot.attr == "datetime")):
            continue
        keep = _measured(Keep(op=op, value=value, text=wanted.text), view, dated=dated)
        if keep is not None:
            met = tuple(passes(keep, value_of(text, keep.ops)) for text in view.values)
            if 0 < sum(met) < len(met):
                found.setdefault(met, keep)
    return next(iter(found.values())) if len(found) == 1 else None


def kept(chosen: Candidate) -> list[Keep]:
    """The heading that is meant and the conditions that the page's values can answer. What no operator says is looked
    for in the records' texts, where nobody decided what it means."""
    found: list[Keep] = []
    query = chosen.query
    if chosen.under is not None:
        view, heading = chosen.under
        found.append(Keep(op="eq", value=heading, slot=view.slot, joint=view.joint, text=query.section or heading))
    for wanted in query.filters:
        decided = chosen.decided.get(("condition", wanted.title))
        keep = None
        if decided is not None or wanted.op == "other":
            keep = in_words(wanted, chosen, decided)
        elif wanted.on_column:
            match = chosen.matches.get(wanted.column)
            keep = on_column(wanted, match, chosen) if match is not None else None
        else:
            keep = on_record(wanted, list(chosen.matches.values()), chosen)
            if keep is None and wanted.leaves_out:
                keep = in_words(wanted, chosen, None)
        found += [keep] if keep is not None else []
    return found


def wanted_records(candidate: Candidate) -> list[int]:
    """The numbers of the records that are under the heading that is meant and meet the request's conditions, as far as
    the page says it, in its order and no more than it wants."""
    query, matches, reader = candidate.query, candidate.matches, candidate.place.reader
    rows = list(range(max((len(view.values) for view in candidate.views if not view.detail), default=0)))
    for keep in kept(candidate):
        if keep.slot is not None:
            values = [value_of(text, keep.ops) for text in reader.values(candidate.group, keep.slot)]
        elif matches[keep.column].view.detail:
            continue
        else:
            values = candidate.place.values(matches[keep.column])
        rows = [at for at in rows if at < len(values) and passes(keep, values[at])]
    for order in reversed(query.order):
        match = matches.get(order.column)
        if match is None or match.view.detail or match.view.rough:
            return rows
        by = dict(enumerate(candidate.place.values(match)))
        known = [at for at in rows if by.get(at) not in EMPTY]
        if len({type(by[at]) for at in known}) > 1:
            return rows
        rest = [at for at in rows if by.get(at) in EMPTY]
        rows = sorted(known, key=by.__getitem__, reverse=order.descending) + rest
    return rows[: query.limit]


def read_filters(fields: Sequence[Field], chosen: Candidate) -> tuple[Keep, ...]:
    """The conditions of the program: those of the request, and that a member of the group is a record at all."""
    junk = _odd_ones(fields, chosen)
    return (*((junk,) if junk else ()), *kept(chosen))


def _odd_ones(fields: Sequence[Field], chosen: Candidate) -> Keep | None:
    """A few members of the group that lack most values (a "back" link, an advertisement) are no records."""
    wanted = {field.name for field in fields if not field.optional}
    matches = [match for name, match in chosen.matches.items() if name in wanted and not match.view.detail]
    sizes = {len(match.view.values) for match in matches}
    if len(matches) < 3 or len(sizes) != 1 or any(match.view.rough for match in matches) or min(sizes) < 5:
        return None
    empty = {match.field.name: _empty_rows(match, chosen) for match in matches}
    count = sizes.pop()
    edges = {0, 1, count - 2, count - 1}
    for name, rows in empty.items():
        # What lacks several values at once, at the edge of the list, is about something else; in the middle of it, it
        # may well be a record of another kind.
        together = sum(other == rows for other in empty.values())
        if rows and rows <= edges and len(rows) <= 0.25 * count and together >= 2:
            return Keep(op="present", column=name)
    return None


def _empty_rows(match: Match, chosen: Candidate) -> set[int]:
    """The records without a value. A dash in its place says that the record has none, and is one all the same."""
    both = enumerate(zip(match.view.values, chosen.place.values(match), strict=True))
    return {row for row, (text, value) in both if text is None or (value in EMPTY and text not in PLACEHOLDERS)}


LABEL = 0.5
"""Share of a text's characters that the words make up where the text is a label."""


class Meaning(NamedTuple):
    """What a condition in words can mean: the rows to keep, the records that say the words, by their numbers, and the
    place that they say them in."""

    keep: Keep
    said_by: tuple[int, ...]
    place: str

    @property
    def id(self) -> str:
        """Stable for the same survey, whatever the columns are: the test, the place and the words."""
        return condition_option("lacks" if self.keep.op == "lacks" else "contains", self.place, str(self.keep.value))

    @property
    def said(self) -> str:
        """The words, or all the words of which one will do."""
        return str(self.keep.value).replace("\n", " / ")


def meanings(wanted: Filter, chosen: Candidate, said: str = "") -> list[Meaning]:
    """What a condition in words can mean, the likeliest first: its words are looked for in every place of the records
    (`said`: these words alone), and what some of them say can be left out or be all that is kept: at most half of
    them, unless it is all that a place says.

    A badge or a heading says what kind a record is, and little else; a text that happens to have a word of the
    condition does not. Words that somebody quoted or typed count wherever they are. Places that the same records say it
    in are one meaning. Both ways are given, the one that the request's words have first.
    """
    found: dict[tuple[int, ...], tuple[float, Keep, str]] = {}
    total = max((len(view.values) for view in chosen.views), default=0)
    texts = {
        match.view.slot: name
        for name, match in chosen.matches.items()
        if match.field.type == "text" and not match.view.ops and not match.made.ops
    }
    quoted = [said] if said else wanted.said.quoted
    for phrase in [phrase_of(said)] if said else wanted.said.phrases:
        folded = phrase.folded
        if not said and phrase.words.issubset(chosen.query.nouns):
            continue
        for view in chosen.views:
            if view.ops or view.detail or (is_json(chosen.group) and not view.slot.selector):
                continue
            every = [{row for row, text in enumerate(view.folded) if text and one in text} for one in folded]
            rows = tuple(sorted(set().union(*every)))
            hits = [view.folded[row] for row in rows]
            most = total - 1 if all(hit in folded for hit in hits) else total / 2
            if not all(every) or len(rows) > most:
                continue
            size, whole = sum(map(len, folded)), sum(len(view.values[row] or "") for row in rows)
            long = LABEL * whole > size * len(hits)
            if phrase.text not in quoted and long and not (_heads(folded, view, hits) or phrase.is_proper_name):
                continue
            exact = sum(text in folded for text in hits) / len(hits)
            column = texts.get(view.slot, "")
            worth = size / 10 + exact + (0.3 if column else 0.0) - 0.002 * whole / len(hits)
            if view.slot.attr not in ("text", "tail", "alt", "title", "class"):
                worth -= 0.5
            if rows not in found or worth > found[rows][0]:
                slot = None if column else view.slot
                keep = Keep(op="lacks", value=phrase.text, column=column, slot=slot, joint=view.joint, text=wanted.text)
                found[rows] = worth, keep, view.slot.id
    ranked = sorted(found.items(), key=lambda item: -item[1][0])
    out = [Meaning(keep, rows, place) for rows, (_, keep, place) in ranked]
    kept = [one._replace(keep=replace(one.keep, op="contains")) for one in out]
    pairs = zip(out, kept, strict=True) if wanted.said.leaves_out else zip(kept, out, strict=True)
    return [one for pair in pairs for one in pair]


def _heads(words: Sequence[str], view: View, hits: Sequence[str]) -> bool:
    """Whether a place that few records have begins with the words in all of them, each as a sentence or a label: "Sold
    out! More in May"."""
    begun = re.compile(rf"(?:{'|'.join(map(re.escape, words))})(?!\w|\s+\w)")
    return len(hits) == len(view.texts) and all(begun.match(hit) for hit in hits)


def in_words(wanted: Filter, chosen: Candidate, decided: Decision | None) -> Keep | None:
    """A condition in words, as a person decided it, else as it is understood best."""
    found = meanings(wanted, chosen, decided.text.strip() if decided is not None else "")
    if decided is not None and decided.option and not decided.text:
        found = [one for one in found if one.id == decided.option]
    return found[0].keep if found else None
