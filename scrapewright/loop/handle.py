"""A session put together: what a screen or a narrator needs to follow it and to answer."""

from __future__ import annotations

from dataclasses import dataclass

from scrapewright.loop.gate import Gate
from scrapewright.loop.loop import RepairLoop
from scrapewright.session.journal import Blobs, Journal


@dataclass(frozen=True)
class SessionHandle:
    """`loop.run()` is called once; everything else is read from `journal` and said to `gate`."""

    journal: Journal
    gate: Gate
    loop: RepairLoop
    blobs: Blobs
