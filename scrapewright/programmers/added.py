"""A programmer that an installed package adds, by an entry point."""

from __future__ import annotations

from typing import Any

import msgspec

from scrapewright.loop.ports import BadReply, Brief, Draft, NoIdea, ProgrammerUnavailable, Report
from scrapewright.plugins import left
from scrapewright.programmers.without_questions import PromptReader
from scrapewright.session.result import Author

_OPTIONAL = ("question", "understand", "read_hint", "least_cost")
_ADVICE = "see to that package, or name another programmer (--programmer)"


class AddedProgrammer(PromptReader):
    """Implements loop.ports.Programmer for one that has `author` and `write` at least. What it leaves out asks nothing
    and puts hints into the prompt; what `write` fails with is said with the package's name."""

    def __init__(self, programmer: Any, described: str) -> None:
        self._programmer = programmer
        self._described = described
        for name in _OPTIONAL:
            if callable(own := getattr(programmer, name, None)):
                setattr(self, name, own)

    @property
    def author(self) -> Author:
        author: Author = self._programmer.author
        return author

    async def write(self, brief: Brief, report: Report) -> Draft:
        """Raises NoIdea, ProgrammerUnavailable, BadReply."""
        try:
            draft = await self._programmer.write(brief, report)
        except (NoIdea, ProgrammerUnavailable, BadReply):
            raise
        except (Exception, SystemExit) as error:
            cause = left(error) if isinstance(error, SystemExit) else error
            why = f"{self._described} failed: {type(cause).__name__}: {cause}"
            raise ProgrammerUnavailable(why, _ADVICE) from error
        if not isinstance(draft, Draft):
            raise ProgrammerUnavailable(f"{self._described} gave no Draft but {type(draft).__name__}", _ADVICE)
        return msgspec.structs.replace(draft, author=self.author)
