"""The programmer that needs no model: it plans from the survey, writes the program, and repairs it from the trace."""

from __future__ import annotations

from scrapewright.loop.ports import Brief, Draft, NoIdea, Report
from scrapewright.programmers.rules.emit import emit
from scrapewright.programmers.rules.mend import mend
from scrapewright.programmers.rules.plan import Plan, plan
from scrapewright.session.events import CodeStreamed
from scrapewright.session.result import Author

_PIECE = 400
"""Characters of code in one tick."""


class RulesProgrammer:
    """Writes by rules. The same brief gives the same program; nothing is remembered between calls."""

    @property
    def author(self) -> Author:
        return "rules"

    async def write(self, brief: Brief, report: Report) -> Draft:
        """A first program from the survey, or a repair of the last one. Raises NoIdea, with the reason."""
        draft = first(brief) if not brief.attempts else self._next(brief)
        for start in range(0, len(draft.code), _PIECE):
            report(CodeStreamed(attempt=brief.attempt, text=draft.code[start : start + _PIECE]))
        return draft

    def _next(self, brief: Brief) -> Draft:
        """The trace first; where it has nothing to go by, another way to read the page. Where all that is wrong is that
        the request was not understood, no program will do."""
        verdict = brief.attempts[-1].verdict
        errors = [finding for finding in verdict.findings if finding.severity == "error"] if verdict else []
        if errors and all(finding.code == "not-understood" for finding in errors):
            raise NoIdea("; ".join(finding.message for finding in errors))
        if brief.strategy == 0:
            draft = mend(brief)
            if draft is not None:
                return draft
        return another(brief)


def first(brief: Brief) -> Draft:
    """The first program. Raises NoIdea where the page offers no records."""
    made = _planned(brief, 0)
    return Draft(code=emit(made), diagnosis=described(made))


def another(brief: Brief) -> Draft:
    """A program by the next plan that gives another program than those that were tried. Raises NoIdea."""
    tried = {attempt.code for attempt in brief.attempts}
    choice = 0
    while True:
        made = _planned(brief, choice)
        code = emit(made)
        if code not in tried:
            return Draft(code=code, diagnosis=f"Tried another way to read the page. {described(made)}")
        choice += 1


def _planned(brief: Brief, choice: int) -> Plan:
    if brief.survey is None:
        raise NoIdea("there is no survey of the page to write a program from")
    try:
        return plan(brief.query, brief.survey, choice, brief.pages)
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
