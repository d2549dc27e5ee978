"""What the loop is put together from, and how it is set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import msgspec

from scrapewright.loop.budget import Allowance
from scrapewright.loop.ports import Adviser, Checker, Critic, Limits, Programmer, Reviewer, Sandbox, Surveyor, Web
from scrapewright.session.attempt import AttemptState
from scrapewright.session.journal import Blobs

Deliver = Callable[[AttemptState, str, Mapping[str, bytes], bool], tuple[str, ...]]
"""Writes the result files: (attempt, program, artifacts, whether the rows are trusted) -> paths written."""


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
    stand_in: Programmer | None = None
    """Writes where the programmer fails and the person says so, or a model turns out to be too weak."""
    adviser: Adviser | None = None
    """A weak model beside the rules, or beside a model for the case that it is one."""


class Options(msgspec.Struct, frozen=True):
    """`attended`: somebody is there to be asked, in mode auto too: about hosts, records, columns and pages."""

    allowance: Allowance = Allowance()
    limits: Limits = Limits()
    recorder: bool = True
    attended: bool = False
    blank: tuple[str, ...] = ()
