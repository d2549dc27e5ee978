"""Which rows to keep: comparisons on columns, and kinds of rows that the request leaves out in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec

from scrapewright.programmers.rules.conditions import Keep as Keep
from scrapewright.programmers.rules.conditions import on_column, on_record
from scrapewright.programmers.rules.decisions import newest
from scrapewright.programmers.rules.fit import PLACEHOLDERS
from scrapewright.programmers.rules.ops import FAILURES, Op, run
from scrapewright.query.filters import leaves_out, title_of
from scrapewright.query.lexicon import CANONICAL, fold, singular, tokens, weak
from scrapewright.query.reading import Field, Filter, Reading
from scrapewright.session.questions import Decision, condition_option
from scrapewright.survey.json_values import is_json
from scrapewright.survey.model import Slot

if TYPE_CHECKING:
    from scrapewright.programmers.rules.choose import Candidate
    from scrapewright.programmers.rules.match import Match


class HasField(Protocol):
    @property
    def field(self) -> Field: ...

    @property
    def slot(self) -> Slot | None: ...

    @property
    def ops(self) -> Sequence[Op]: ...


def read_filters(
    query: Reading, columns: Sequence[HasField], chosen: Candidate, decisions: Sequence[Decision] = ()
) -> tuple[Keep, ...]:
    """The filters that the page's values can answer. What no operator says is looked for in the records' texts, where
    nobody decided what it means."""
    kept = []
    for wanted in query.filters:
        decided = newest(decisions, "condition", title_of(wanted))
        keep = None
        if decided is not None or wanted.op == "other":
            keep = in_words(wanted, chosen, query.subject, decided)
        elif wanted.on_column:
            match = chosen.matches.get(wanted.column)
            keep = on_column(wanted, match, chosen) if match is not None else None
        else:
            keep = on_record(wanted, list(chosen.matches.values()), chosen)
            if keep is None and wanted.leaves_out:
                keep = in_words(wanted, chosen, query.subject, None)
        if keep is not None:
            kept.append(keep)
    if chosen.under is not None:
        slot, heading = chosen.under
        kept.insert(0, Keep(op="eq", value=heading, slot=slot, text=query.section or heading))
    junk = _odd_ones(columns, chosen)
    return (junk, *kept) if junk else tuple(kept)


def _odd_ones(columns: Sequence[HasField], chosen: Candidate) -> Keep | None:
    """A few members of the group that lack most values (a "back" link, an advertisement) are no records."""
    wanted = {column.field.name for column in columns if not column.field.optional}
    matches = [match for name, match in chosen.matches.items() if name in wanted and not match.view.detail]
    sizes = {len(match.view.values) for match in matches}
    if len(matches) < 3 or len(sizes) != 1 or any(match.view.rough for match in matches) or min(sizes) < 5:
        return None
    empty = {match.field.name: _empty_rows(match) for match in matches}
    count = sizes.pop()
    edges = {0, 1, count - 2, count - 1}
    for rows in empty.values():
        # What lacks several values at once, at the edge of the list, is about something else; in the middle of it, it
        # may well be a record of another kind.
        together = sum(other == rows for other in empty.values())
        if rows and rows <= edges and len(rows) <= 0.25 * count and together >= 2:
            return Keep(op="present", column=next(name for name, other in empty.items() if other == rows))
    return None


def _empty_rows(match: Match) -> set[int]:
    """The records without a value. A dash in its place says that the record has none, and is one all the same."""
    found = set()
    for row, value in enumerate(match.view.values):
        try:
            if value not in PLACEHOLDERS and (value is None or run(match.made.ops, value) in (None, "", [])):
                found.add(row)
        except FAILURES:
            continue
    return found


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


def meanings(wanted: Filter, chosen: Candidate, subject: Sequence[str], said: str = "") -> list[Meaning]:
    """What a condition in words can mean, the likeliest first: its words are looked for in every place of the records
    (`said`: these words alone), and what some of them say, but at most half, can be left out or be all that is kept.

    A badge or a heading says what kind a record is, and little else; a text that happens to have a word of the
    condition does not. Words that somebody quoted or typed count wherever they are. Places that the same records say it
    in are one meaning. Both ways are given, the one that the request's words have first.
    """
    found: dict[tuple[int, ...], tuple[float, Keep, str]] = {}
    known = {singular(word) for phrase in subject for word in tokens(phrase)}
    total = max((len(view.values) for view in chosen.views), default=0)
    texts = {
        match.view.slot: name
        for name, match in chosen.matches.items()
        if match.field.type == "text" and not match.view.ops and not match.made.ops
    }
    quoted = [said] if said else _quoted(wanted)
    for phrase in quoted if said else _phrases(wanted):
        folded = [fold(one) for one in phrase.split("\n")]
        if not said and {singular(word) for word in tokens(phrase)} <= known:
            continue
        for view in chosen.views:
            if view.ops or view.detail or (is_json(chosen.group) and not view.slot.selector):
                continue
            every = [{row for row, text in enumerate(view.values) if text and one in fold(text)} for one in folded]
            rows = tuple(sorted(set().union(*every)))
            if not all(every) or len(rows) > 0.5 * max(total, 1):
                continue
            hits = [view.values[row] or "" for row in rows]
            size = sum(map(len, folded))
            if phrase not in quoted and LABEL * sum(map(len, hits)) > size * len(hits):
                continue
            exact = sum(fold(text) in folded for text in hits) / len(hits)
            column = texts.get(view.slot, "")
            worth = size / 10 + exact + (0.3 if column else 0.0) - 0.002 * sum(map(len, hits)) / len(hits)
            if view.slot.attr not in ("text", "tail", "alt", "title", "class"):
                worth -= 0.5
            if rows not in found or worth > found[rows][0]:
                slot = None if column else view.slot
                keep = Keep(op="lacks", value=phrase, column=column, slot=slot, text=wanted.text)
                found[rows] = worth, keep, view.slot.id
    ranked = sorted(found.items(), key=lambda item: -item[1][0])
    out = [Meaning(keep, rows, place) for rows, (_, keep, place) in ranked]
    kept = [one._replace(keep=msgspec.structs.replace(one.keep, op="contains")) for one in out]
    pairs = zip(out, kept, strict=True) if leaves_out(wanted) else zip(kept, out, strict=True)
    return [one for pair in pairs for one in pair]


def in_words(wanted: Filter, chosen: Candidate, subject: Sequence[str], decided: Decision | None) -> Keep | None:
    """A condition in words, as a person decided it, else as it is understood best."""
    if decided is None or not (decided.option or decided.text):
        found = meanings(wanted, chosen, subject)
    elif decided.text:
        found = meanings(wanted, chosen, subject, decided.text.strip())
    else:
        found = [one for one in meanings(wanted, chosen, subject) if one.id == decided.option]
    return found[0].keep if found else None


def _said(wanted: Filter) -> str:
    return f"{wanted.text} {wanted.value}" if wanted.value not in wanted.text else wanted.text


def _quoted(wanted: Filter) -> list[str]:
    """The texts in quotes or parentheses."""
    text = _said(wanted)
    return re.findall(r"[\"“„«'‘]([^\"”“»'’]{2,40})[\"”“»'’]", text) + re.findall(r"\(([^)]{2,40})\)", text)


_OR = rf"\s*,?\s+(?:{'|'.join(sorted(word for word, said in CANONICAL.items() if said == 'or'))})\s+|\s*,\s+"
"""What stands between the values of which one will do."""


def _phrases(wanted: Filter) -> list[str]:
    """What to look for: several values of which one will do, in lines; what is quoted or in parentheses, the whole
    phrase, then its single words."""
    text, found = _said(wanted), _quoted(wanted)
    several = re.split(_OR, wanted.value)
    found = ["\n".join(several), *found] if len(several) > 1 and all(several) else found
    plain = re.sub(r"\([^)]*\)", " ", text)
    words = [word for word in re.findall(r"[\w-]+", plain) if not weak(fold(word)) and len(word) > 2]
    found += [" ".join(words)]
    for size in (3, 2, 1):
        found += [" ".join(words[at : at + size]) for at in range(len(words) - size + 1)]
    found += [singular(word) for word in words if singular(fold(word)) != fold(word)]
    seen: dict[str, None] = {}
    for phrase in found:
        if len(tokens(phrase)) and len(phrase) > 3:
            seen.setdefault(phrase)
    return list(seen)
