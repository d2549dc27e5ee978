"""What the rules' rows and the verdict on them are worth where what helps a reader is taken away: the pages of tests
with classes that mean nothing, and their columns asked for without notes, and under other names."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from tests.unit.rules import test_layouts, test_markup, test_sites
from tests.unit.rules.perturbed import CHANGES, all_tried, as_it_is, leaves_answers


def main() -> None:
    """Prints how many of the trusted stay so, and which are wrong and trusted."""
    every = [case for module in (test_layouts, test_markup, test_sites) for case in module.CASES]
    with tempfile.TemporaryDirectory() as folder:
        first = asyncio.run(all_tried(every, as_it_is, Path(folder)))
        known = {case.name: one for case, one in zip(every, first, strict=True)}
        print(f"as they are: {sum(one.trusted for one in first)} of {len(every)} trusted")
        for change in CHANGES:
            cases = [case for case in every if leaves_answers(change, case)]
            before = [known[case.name] for case in cases]
            after = asyncio.run(all_tried(cases, change, Path(folder)))
            stay = [two.trusted for one, two in zip(before, after, strict=True) if one.trusted]
            wrong = [case.name for case, one in zip(cases, after, strict=True) if one.trusted and not one.right]
            print(f"{change.__name__}: {sum(stay)} of {len(stay)} trusted stay so; {len(wrong)} wrong and trusted")
            for name in wrong:
                print(f"    {name}")
