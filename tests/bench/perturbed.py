"""What the rules' rows and the verdict on them are worth where what helps a reader is taken away: the pages of tests
with classes that mean nothing, and their columns asked for under other names."""

from __future__ import annotations

import asyncio
import re
import tempfile
import zlib
from pathlib import Path
from typing import NamedTuple

from tests.unit.rules import test_layouts, test_markup, test_sites
from tests.unit.rules.helpers import served
from tests.unit.rules.layouts import Case
from tests.unit.rules.layouts.ways import expected, outcome

SYNONYMS = {
    "name": "label", "title": "heading", "price": "cost", "date": "day", "author": "writer", "url": "address",
    "year": "year_of_it", "city": "town",
}  # fmt: skip


def hashed(case: Case) -> Case:
    """Each class by a number."""

    def renamed(match: re.Match[str]) -> str:
        words = (match[1] or match[2] or "").split()
        return f'class="{" ".join(f"c{zlib.crc32(word.encode()):08x}" for word in words)}"'

    return case._replace(page=re.sub(r"""class=(?:"([^"]*)"|([^\s>"']+))""", renamed, case.page))


def renamed(case: Case) -> Case:
    """Columns by other words for the same."""
    found = {old: new for old, new in SYNONYMS.items() if any(old in row for row in case.rows)}
    request = case.request
    for old, new in found.items():
        request = re.sub(rf"\b{old}\b", new, request)
    return case._replace(
        request=request, rows=[{found.get(key, key): value for key, value in row.items()} for row in case.rows]
    )


class Tried(NamedTuple):
    trusted: bool
    right: bool


def tried(case: Case, directory: Path) -> Tried:
    directory.mkdir()
    try:
        with served({"/": case.page}) as site:
            found = asyncio.run(outcome(site, case.request, directory))
            return Tried(found.verdict.ok, found.rows == expected(case.rows, site))
    except Exception:  # no plan, or a program that fails: no rows at all
        return Tried(False, False)


def main() -> None:
    """Prints how many of the trusted stay so, and which are wrong and trusted."""
    cases = [case for module in (test_layouts, test_markup, test_sites) for case in module.CASES]
    with tempfile.TemporaryDirectory() as folder:
        before = [tried(case, Path(folder) / f"before{n}") for n, case in enumerate(cases)]
        print(f"as they are: {sum(one.trusted for one in before)} of {len(cases)} trusted")
        for change in (hashed, renamed):
            after = [tried(change(case), Path(folder) / f"{change.__name__}{n}") for n, case in enumerate(cases)]
            stay = [two.trusted for one, two in zip(before, after, strict=True) if one.trusted]
            wrong = [case.name for case, one in zip(cases, after, strict=True) if one.trusted and not one.right]
            print(f"{change.__name__}: {sum(stay)} of {len(stay)} trusted stay so; {len(wrong)} wrong and trusted")
            for name in wrong:
                print(f"    {name}")
