"""What programmers that read a prompt have in common, and what stands in for one that is not set up any more."""

from __future__ import annotations

from scrapewright.loop.ports import Brief, Draft, LeastCost, Preview, ProgrammerUnavailable, Report
from scrapewright.session.exit_codes import ExitCode
from scrapewright.session.questions import Decision, Question
from scrapewright.session.result import Author


class PromptReader:
    """Goes by the request's own words: it asks nothing, and what a person says goes into its prompt as it is."""

    async def question(self, brief: Brief) -> Question | None:
        return None

    def understand(self, decision: Decision, brief: Brief) -> str:
        return ""

    def least_cost(self, brief: Brief) -> LeastCost | None:
        return None

    def read_hint(self, text: str, brief: Brief) -> Preview:
        return Preview((), ())


class AbsentProgrammer(PromptReader):
    """Where it is to write it says `why` it can't."""

    author: Author = "model"

    def __init__(self, why: str) -> None:
        self._why = why

    async def write(self, brief: Brief, report: Report) -> Draft:
        """Raises ProgrammerUnavailable."""
        raise ProgrammerUnavailable(self._why, "set it up, or have another one write", ExitCode.USAGE)
