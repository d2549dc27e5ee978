"""Something of each kind that a package can add to scrapewright."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from scrapewright.loop.ports import Brief, Draft, Limits, Report, Sandbox
from scrapewright.programmers.rules.programmer import RulesProgrammer
from scrapewright.query.reading import Reading
from scrapewright.sandboxes.local import choose_local
from scrapewright.settings import Settings
from scrapewright.web.page import Page


class Programmer(RulesProgrammer):
    """The rules, with a remark of its own in the program."""

    async def write(self, brief: Brief, report: Report) -> Draft:
        draft = await super().write(brief, report)
        return Draft(code=draft.code + "\n# Written by the example.\n", diagnosis="By the example.", author=self.author)


def programmer(settings: Settings) -> Programmer:
    return Programmer()


async def sandbox(limits: Limits) -> Sandbox:
    return await choose_local("auto", limits)


def no_shouting(rows: Sequence[Mapping[str, Any]], pages: Sequence[Page], reading: Reading) -> Iterator[str]:
    """Says of each column in which most texts are in capitals that it shouts."""
    for column in rows[0] if rows else ():
        texts = [str(row[column]) for row in rows if row[column]]
        if sum(text.isupper() for text in texts) > len(texts) / 2:
            yield f"the texts of {column} are in capitals"


def clumsy(rows: Sequence[Mapping[str, Any]], pages: Sequence[Page], reading: Reading) -> Iterable[str]:
    raise LookupError("this check is broken")


def markdown(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    columns = list(rows[0])
    lines = [columns, ["---"] * len(columns), *([str(row[name]) for name in columns] for row in rows)]
    path.write_text("".join(f"| {' | '.join(line)} |\n" for line in lines), encoding="utf-8")
