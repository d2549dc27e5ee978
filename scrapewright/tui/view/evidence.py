"""What speaks for each column of the rows, in a line each: how full it is, values, its place on the page, doubts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from scrapewright.exports.table import Table
from scrapewright.session.questions import Decision, comparable
from scrapewright.session.sanitize import one_line
from scrapewright.session.verdict import Finding, Verdict
from scrapewright.tui.view.cells import cells, fit, from_where_they_differ
from scrapewright.tui.view.page_records import where
from scrapewright.tui.view.program_places import places_in
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.view.units import counted

if TYPE_CHECKING:
    from scrapewright.survey.model import Survey

SAMPLES = 3
NAME, PLACE, SAMPLE = 18, 28, 24
"""Cells at most."""
ALTERNATIVES = 2
"""Places of one column that are named."""
_NUMBER = re.compile(r"-?\d[\d.,]*")
_SCHEME = re.compile(r"^https?://(?=.)")
_EMPTY = frozenset({"", "none", "null", "nan", "nat", "<na>"})
_SERIOUS = {"error": 0, "doubt": 1, "warning": 2}


@dataclass(frozen=True)
class Evidence:
    """`rank`: the lower, the more it has to be looked at."""

    column: str
    filled: int
    total: int
    samples: tuple[str, ...]
    place: str
    sure: str
    style: str
    rank: int


def evidence_of(
    table: Table, verdict: Verdict, decisions: Sequence[Decision] = (), survey: Survey | None = None, code: str = ""
) -> list[Evidence]:
    """Of each column, those that are to be looked at first. `table` is one whose kinds were asked for, `code` the
    program that wrote it, which knows best where its values are from."""
    missing = dict(zip(table.columns, table.empty, strict=False))
    read = places_in(code)
    found = []
    for at, column in enumerate(table.columns):
        values = [row[at] for row in table.rows if row[at].strip().lower() not in _EMPTY]
        said = next((d for d in reversed(decisions) if (d.kind, d.column) == ("column", column)), None)
        sure, style, rank = _sure(column, verdict, said)
        filled = table.total - missing.get(column, 0)
        if not filled:
            rank = min(rank, 1)
        place = " or ".join(map(str, read.get(column, ())[:ALTERNATIVES]))
        if not place and said is not None and said.how != "example":
            place = said.text
        texts = from_where_they_differ(list(dict.fromkeys(values))[:SAMPLES])
        samples = tuple(one_line(_SCHEME.sub("", text), SAMPLE) for text in texts)
        found.append(
            Evidence(column, filled, table.total, samples, place or place_of(values, survey), sure, style, rank)
        )
    return sorted(found, key=lambda evidence: evidence.rank)


def _sure(column: str, verdict: Verdict, said: Decision | None) -> tuple[str, str, int]:
    """(in words, style, rank) how sure it is that the column is the one asked for."""
    about = sorted((f for f in verdict.findings if f.column == column), key=lambda f: _SERIOUS[f.severity])
    if about:
        rank = _SERIOUS[about[0].severity]
        return _in_words(about[0]), "$error" if rank == 0 else "$warning", rank
    if said is not None:
        return "you said so", "$success", 5
    doubted = next((text for text in verdict.unchecked if _names(text, column)), "")
    if doubted:
        return "may be another text", "$warning", 3
    return ("checked" if verdict.checked else "not checked"), QUIET, 4


def _in_words(finding: Finding) -> str:
    word = {"rival": "rival", "doubt": "in doubt"}.get(finding.code, "wrong" if finding.severity == "error" else "")
    return f"{word}: {finding.message}" if word else finding.message


def _names(text: str, column: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(column)}(?!\w)", text) is not None


def place_of(values: Sequence[str], survey: Survey | None) -> str:
    """The selector of the survey's place that begins with these values, one for one; empty where it knows none.

    That the values are somewhere among a place's would not do: small numbers are in most of them."""
    if survey is None or not survey.pages or not values:
        return ""
    base = survey.base or survey.page.url
    held = list(dict.fromkeys(map(comparable, values)))
    for group in survey.groups:
        for slot in sorted(group.slots, key=lambda slot: slot.attr != "text"):  # what is read, before what repeats it
            samples = [_keys(text, base) for text in dict.fromkeys(slot.samples) if text.strip()]
            if samples and all(value in keys for value, keys in zip(held, samples, strict=False)):
                return where(slot)
    return ""


def _keys(text: str, base: str) -> set[str]:
    """What a text of the page can have become in the rows: itself, its number, the link that it is."""
    found = {comparable(text)}
    for number in _NUMBER.findall(text)[:1]:
        found |= {comparable(number.replace(",", "")), comparable(number.replace(".", "").replace(",", "."))}
    try:
        found.add(comparable(urljoin(base, text)))
    except ValueError:
        pass
    return found


def pages_line(verdict: Verdict, survey: Survey | None) -> str:
    """How many pages the rows are from, of how many are known."""
    read = counted(verdict.pages, "page")
    last = survey.next.last if survey is not None else None
    if last is not None and last > verdict.pages:
        return f"{read} of {last} read"
    if survey is not None and survey.next.verified and verdict.pages == 1:
        return "page 1 read, more are there"
    return f"{read} read"


def shared(needs: Sequence[int], room: int) -> list[int]:
    """The room for each, as even as may be, and 1 at least: what one does not need goes to the others."""
    given = [0] * len(needs)
    order = sorted(range(len(needs)), key=needs.__getitem__)
    for done, at in enumerate(order):
        given[at] = min(needs[at], max(1, room // (len(needs) - done)))
        room -= given[at]
    return given


def strip(evidence: Sequence[Evidence], verdict: Verdict, survey: Survey | None, width: int, lines: int) -> list[Spans]:
    """The lines, `lines` at most; what there is no room for is counted. The last is about the rows as a whole."""
    shown = list(evidence[: max(1, lines - 1)])
    filled = [f"{e.filled:,} of {e.total:,}" for e in shown]
    counts = max(map(len, filled), default=0)
    texts = [
        (one_line(e.column, NAME), one_line(e.place, 200), " · ".join(e.samples), one_line(e.sure, 200)) for e in shown
    ]
    needs = [max(map(cells, column), default=0) for column in zip(*texts, strict=True)]
    needs[1] = min(PLACE, needs[1])
    room = width - counts - 2 * len(needs)
    name, place, *_ = shared(needs, room)
    said: list[Spans] = []
    for each, count, (column, where_, values, doubt) in zip(shown, filled, texts, strict=True):
        _, sure = shared([cells(values), cells(doubt)], room - name - place)
        line: Spans = [
            (fit(column, name) + "  ", "bold"),
            (f"{count:>{counts}}  ", "" if each.filled == each.total else "$warning"),
        ]
        if place:
            line.append((fit(where_, place, middle=True) + "  ", "$accent"))
        line.append((fit(values, max(1, room - name - place - sure)) + "  ", ""))
        said.append([*line, (fit(doubt, sure), each.style)])
    rest = evidence[len(shown) :]
    named = ", ".join(e.column if e.filled == e.total else f"{e.column} {e.filled:,} of {e.total:,}" for e in rest)
    whole = [pages_line(verdict, survey), f"{counted(len(rest), 'more column')}: {named}" if rest else ""]
    whole += [f"not checked: {'; '.join(verdict.unchecked)}" if verdict.unchecked else ""]
    said.append([(one_line(" · ".join(filter(None, whole)), max(20, width)), QUIET)])
    return said
