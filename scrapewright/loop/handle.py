"""What a screen or a narrator needs of a session to follow it and to answer its questions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from scrapewright.loop.corrections import Corrections
from scrapewright.loop.gate import Gate
from scrapewright.loop.loop import RepairLoop
from scrapewright.session.journal import Blobs, Journal


@dataclass(frozen=True)
class SessionHandle:
    """`loop.run()` is called once; follow the session through `journal`, control it through `gate`. `tape` is the
    folder of the pages that sessions have fetched, None where none are kept; `corrections` is what the person chooses
    from who corrects a column, None where nothing is offered."""

    journal: Journal
    gate: Gate
    loop: RepairLoop
    blobs: Blobs
    tape: Path | None = None
    corrections: Corrections | None = None
