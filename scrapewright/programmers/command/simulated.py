"""A stand-in for an agent where the loop is tried without one: a real process, and always the same program."""

from __future__ import annotations

import sys

from scrapewright.loop.ports import Brief, Draft, Report
from scrapewright.programmers.command.programmer import CommandProgrammer
from scrapewright.programmers.rules.programmer import RulesProgrammer
from scrapewright.settings import Settings

_GOOD = "import sys; sys.stdin.read(); open('scraper.py', 'w', encoding='utf-8').write(sys.argv[1])"
_BAD = '''print("""Reads the price.
```python
import csv

text = "from nine pounds"
with open("rows.csv", "w", newline="", encoding="utf-8") as file:
    csv.writer(file).writerows([["price"], [float(text)]])
```""")'''
_STUCK = "import time; time.sleep(1_000_000)"


class SimulatedProgrammer(CommandProgrammer):
    """`settings.simulate`: good leaves the program that the rules would write, bad prints one that fails, stuck gives
    none until its time is up."""

    def __init__(self, settings: Settings) -> None:
        script = {"good": _GOOD, "bad": _BAD, "stuck": _STUCK}[settings.simulate]
        super().__init__(settings, [sys.executable, "-I", "-c", script])
        self._name = f"simulated-{settings.simulate}"
        self._good = settings.simulate == "good"

    async def write(self, brief: Brief, report: Report) -> Draft:
        """As any command. Raises NoIdea as well where the rules have none."""
        if self._good:
            program = (await RulesProgrammer().write(brief, lambda tick: None)).code
            self._argv = [*self._argv[:4], program]
        return await super().write(brief, report)
