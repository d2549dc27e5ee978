"""What the loop is put together from, and how it is set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import msgspec

from scrapewright.loop.budget import Allowance
from scrapewright.loop.ports import Checker, Critic, Limits, Programmer, Reviewer, Sandbox, Surveyor, Web
from scrapewright.session.journal import Blobs
from scrapewright.session.state import AttemptState

Deliver = Callable[[AttemptState, str, Mapping[str, bytes], bool], tuple[str, ...]]
"""Writes the result files: (attempt, program, artifacts, whether the rows are stood behind) -> paths written."""


@dataclass(frozen=True)
class Parts:
    """What the loop works through; wiring.py chooses them."""

    programmer: Programmer
    sandbox: Sandbox
    web: Web
    surveyor: Surveyor
    critic: Critic
    checker: Checker
    blobs: Blobs
    deliver: Deliver | None = None
    reviewer: Reviewer | None = None


class Options(msgspec.Struct, frozen=True):
    """`attended`: somebody is there to be asked, in mode auto too: about hosts, records, columns and pages."""

    allowance: Allowance = Allowance()
    limits: Limits = Limits()
    recorder: bool = True
    attended: bool = False
    blank: tuple[str, ...] = ()
