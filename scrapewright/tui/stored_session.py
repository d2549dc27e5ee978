"""A past session, read from the store for a replay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scrapewright.session import events as ev
from scrapewright.session.journal import Blobs


@dataclass(frozen=True)
class StoredSession:
    """The events up to the first that can't be read, and where their blobs are until `close` is called. `blobs` is None
    where there are no events."""

    events: Sequence[ev.Durable] = ()
    blobs: Blobs | None = None
    close: Callable[[], None] = lambda: None
    tape: Path | None = None
    """The folder of the pages that sessions have fetched."""
    wrong: str = ""
    """What could not be read, and why; empty where all could."""


def read_stored_session(folder: Path, session: str) -> StoredSession:
    """Blocks while it reads. Does not raise: `wrong` says what could not be read."""
    from scrapewright.store.sessions import DamagedSession, NoSuchSession, SessionStore

    found: list[ev.Durable] = []
    try:
        store = SessionStore(folder)
    except OSError as error:
        return StoredSession(wrong=str(error))
    wrong = ""
    try:
        file = store.read(session)
        found.extend(file.iter_events())
    except (NoSuchSession, DamagedSession, OSError) as error:
        wrong = str(error)
    if not found:
        store.close()
        return StoredSession(wrong=wrong)
    return StoredSession(found, file, store.close, store.tape, wrong)
