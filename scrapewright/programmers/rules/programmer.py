"""The programmer that needs no model: it plans from the survey, writes the program, repairs it from the trace, and
keeps what was repaired or edited where it writes anew."""

from __future__ import annotations

import asyncio
from difflib import SequenceMatcher

from msgspec.structs import replace

from scrapewright.loop.ports import Brief, Draft, LeastCost, NoIdea, Preview, Report
from scrapewright.loop.syntax_fixes import syntax_error
from scrapewright.programmers.rules.corrections import RulesCorrector
from scrapewright.programmers.rules.emit import emit
from scrapewright.programmers.rules.mends import mend
from scrapewright.programmers.rules.plan import Plan, plan
from scrapewright.programmers.rules.questions import question
from scrapewright.programmers.rules.reading import Reader, Readers
from scrapewright.programmers.rules.rivals import Sheet, filled, sheet
from scrapewright.query.summary import PART_NAMES
from scrapewright.session.events import CodeStreamed
from scrapewright.session.questions import Decision, Question
from scrapewright.session.result import Author

_PIECE = 400
"""Characters of code in one tick."""


class RulesProgrammer:
    """Writes by rules. The same brief gives the same program; between calls only what was read of the pages is kept."""

    def __init__(self) -> None:
        self._readers = Readers()
        self._corrector = RulesCorrector(self._readers)

    @property
    def author(self) -> Author:
        return "rules"

    async def question(self, brief: Brief) -> Question | None:
        """Which records or which place of a column is meant, where the ranking is close; None where nothing is."""
        if brief.survey is None or not _is_first(brief):
            return None
        reader = self._readers.of(brief.survey, brief.pages)
        return await asyncio.to_thread(question, brief.reading, brief.survey, reader, brief.decisions, brief.copied)

    def sheet(self, brief: Brief) -> Sheet | None:
        """What a weak model copies the values of columns from; None where nothing can be decided by that. Slow."""
        if brief.survey is None:
            return None
        return sheet(brief.reading, brief.survey, self._readers.of(brief.survey, brief.pages), brief.decisions)

    def understand(self, decision: Decision, brief: Brief) -> str:
        """Why what the person decided can't be followed on this page; "" where it can."""
        return self._corrector.understand(brief, decision)

    def least_cost(self, brief: Brief) -> LeastCost | None:
        return None

    def read_hint(self, text: str, brief: Brief) -> Preview:
        """As `RulesCorrector.read_hint`. Raises NotUnderstood where it says nothing that the page bears out."""
        return self._corrector.read_hint(brief, text, ())

    async def write(self, brief: Brief, report: Report) -> Draft:
        """A first program from the survey, also where the person has corrected what the last one was written from, or a
        repair of that. Raises NoIdea, with the reason."""
        is_first = _is_first(brief)
        if brief.copied and brief.survey is not None:
            known = brief.reading, brief.survey, self._readers.of(brief.survey, brief.pages), brief.decisions
            more = await asyncio.to_thread(filled, *known, brief.copied)
            brief = replace(brief, decisions=(*brief.decisions, *more))
        reader = self._readers.of(brief.survey, brief.pages) if brief.survey is not None else None
        draft = first(brief, reader) if is_first else self._next(brief, reader)
        for start in range(0, len(draft.code), _PIECE):
            report(CodeStreamed(attempt=brief.attempt, text=draft.code[start : start + _PIECE]))
        return draft

    def _next(self, brief: Brief, reader: Reader | None) -> Draft:
        """The trace first; where it has nothing to go by, another way to read the page. Where nothing but doubts or a
        model's review speak against the rows, no program will do better: other records would not be likelier."""
        last = brief.attempts[-1]
        found = last.verdict.findings if last.verdict else ()
        reviewed = [one for one in found if one.source == "review" and last.author == "rules"]
        errors = [finding for finding in found if finding.severity == "error" and finding not in reviewed]
        against = [one.message for one in found if one.severity == "doubt" or one in reviewed]
        if against and not errors:
            raise NoIdea("; ".join(against))
        if brief.strategy == 0:
            draft = mend(brief)
            if draft is not None:
                return draft
        return another(brief, reader)


def _is_first(brief: Brief) -> bool:
    """Whether the program is written from the survey: the first one, or one after the person decided otherwise."""
    if not brief.attempts or brief.corrections or brief.reread:
        return True
    return set(brief.attempts[-1].decisions) != set(brief.decisions)


def first(brief: Brief, reader: Reader | None = None) -> Draft:
    """The first program, or one by what was corrected since the last one. Raises NoIdea where the page offers no
    records."""
    made = _planned(brief, 0, reader)
    code = emit(made)
    corrected = [one.column for one in brief.corrections if one.column] + [PART_NAMES[part] for part in brief.reread]
    said = f"Corrected by the person: {', '.join(corrected)}. " if corrected else ""
    if (both := _with_changes(brief, code, reader)) is not None:
        code, said = both, f"{said}What was repaired or edited before is kept. "
    return Draft(code=code, diagnosis=said + described(made))


def _with_changes(brief: Brief, code: str, reader: Reader | None) -> str | None:
    """The program with what repairs and edits had made of the last one, which it is again where the correction changes
    nothing in it. None where there are none, or they don't fit."""
    last = brief.attempts[-1] if brief.attempts else None
    if last is None or last.reading is None:
        return None
    before = replace(brief, reading=last.reading, decisions=last.decisions)
    try:
        both = merged(emit(_planned(before, 0, reader)), last.code, code)
    except NoIdea:
        return None
    return both if both not in (None, code) and syntax_error(both) is None else None


def another(brief: Brief, reader: Reader | None = None) -> Draft:
    """A program by the next plan that gives another program than those that were tried. Raises NoIdea."""
    tried = {attempt.code for attempt in brief.attempts}
    choice = 0
    while True:
        made = _planned(brief, choice, reader)
        code = emit(made)
        if code not in tried:
            return Draft(code=code, diagnosis=f"Tried another way to read the page. {described(made)}")
        choice += 1


def _planned(brief: Brief, choice: int, reader: Reader | None) -> Plan:
    if brief.survey is None:
        raise NoIdea("there is no survey of the page to write a program from")
    try:
        return plan(brief.reading, brief.survey, choice, brief.pages, brief.decisions, reader)
    except LookupError as error:
        raise NoIdea(str(error)) from error


def described(made: Plan) -> str:
    """What the plan reads, in a sentence."""
    group = made.group
    where = f"the JSON in {group.source}" if group.source else f"{group.selector!r}"
    text = f"Reads {group.count} record{'s' if group.count != 1 else ''} a page from {where}"
    if made.paging is not None:
        text += ", page after page" if made.paging.pages is None else f", {made.paging.pages} pages"
    if made.detail is not None:
        text += ", with the page behind each record's link"
    text += "."
    if made.missing:
        text += f" Nothing on the page looks like {', '.join(made.missing)}: left empty."
    return text


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
