"""Sessions on disk: events by number, blobs by digest, one summary row each, one owner at a time.

Rows of a session carry its id as diskcache's tag, so that removing it is one indexed statement.
"""

from __future__ import annotations

import hashlib
import itertools
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from scrapewright.errors import ScrapewrightError, Unavailable, UsageError
from scrapewright.session import events as ev
from scrapewright.session.state import Session
from scrapewright.session.transitions import IllegalTransition
from scrapewright.store.owner import Owner, is_alive, myself
from scrapewright.web import tape
from scrapewright.web.disk import BytesStore, NotBytes

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


class NoSuchSession(UsageError, KeyError):
    """There is no session of that id, or several begin with it."""

    def __str__(self) -> str:
        return str(self.args[0])


class SessionBusy(Unavailable):
    """Another process owns the session."""


class SessionTaken(Exception):
    """A second writer appended to the session: that event number is already there."""


class DamagedSession(ScrapewrightError):
    """A stored event can't be read or applied. Those before it can still be read."""


class Summary(msgspec.Struct, frozen=True, omit_defaults=True):
    """A session in a line. `outcome` is empty while it is not over; `open` is one that a process is at now."""

    id: str
    text: str
    urls: tuple[str, ...] = ()
    started_at: float = 0.0
    at: float = 0.0
    outcome: str = ""
    exit_code: int | None = None
    attempts: int = 0
    rows: int = 0
    programmer: str = ""
    sandbox: str = ""
    open: bool = False


_summaries = msgspec.json.Decoder(Summary)


def summarise(session: Session) -> Summary:
    """The summary row of a session in its present state."""
    end, best = session.end, session.best
    return Summary(
        id=session.id,
        text=session.text,
        urls=session.reading.urls,
        started_at=session.started_at,
        at=session.at,
        outcome=end.outcome if end else "",
        exit_code=end.exit_code if end else None,
        attempts=len(session.attempts),
        rows=best.verdict.rows if best and best.verdict else 0,
        programmer=session.programmer,
        sandbox=session.sandbox,
    )


class SessionStore:
    """All sessions under one folder. Safe to use from several threads and several processes.

    Methods raise OSError where the disk fails them.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._rows = BytesStore(path / "sessions", flush=True)
        self._summaries = BytesStore(path / "summaries", flush=True)

    @property
    def tape(self) -> Path:
        """The folder of the pages that sessions have fetched."""
        return self.path / "tape"

    def results(self, session: str) -> Path:
        """The session's own folder of results, which goes with it; made by whoever writes there."""
        return self.path / "results" / session

    def close(self) -> None:
        self._rows.close()
        self._summaries.close()

    def __enter__(self) -> SessionStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def new_id(self) -> str:
        """A short id that is not taken: the day, then four characters that can't be misread."""
        day = time.strftime("%m%d", time.localtime())
        while True:
            name = f"{day}-{''.join(secrets.choice(_ALPHABET) for _ in range(4))}"
            if f"{name}/1" not in self._rows and f"{name}/lease" not in self._rows:
                return name

    def own(self, session: str) -> SessionFile:
        """The session, for this process alone to write. Raises SessionBusy while another process has it."""
        mine = myself()
        with self._rows.transaction():
            if (owner := self._holder(session)) is not None:
                raise SessionBusy(f"session {session} is open in another process ({owner.pid})")
            self._rows.set(f"{session}/lease", msgspec.json.encode(mine), tag=session)
        return SessionFile(self, session, mine)

    def read(self, session: str) -> SessionFile:
        """The session, to be read. Raises NoSuchSession."""
        return SessionFile(self, self.find(session), None)

    def find(self, prefix: str) -> str:
        """The one id that begins so. Raises NoSuchSession where there is none or more than one."""
        if f"{prefix}/1" in self._rows:
            return prefix
        hits = [summary.id for summary in self.list() if summary.id.startswith(prefix)] if prefix else []
        if len(hits) == 1:
            return hits[0]
        if hits:
            raise NoSuchSession(f"{prefix!r} begins several sessions: {', '.join(hits[:5])}")
        raise NoSuchSession(f"there is no session {prefix!r}; `scrapewright sessions list` shows what there is")

    def list(self) -> list[Summary]:
        """Newest first."""
        found = []
        for key, row in self._summaries.items():
            try:
                found.append(_summaries.decode(row or b""))
            except msgspec.MsgspecError:  # damaged, or too long for its row
                if (summary := self._summary(key)) is not None:
                    found.append(summary)
        found = [s if s.outcome else msgspec.structs.replace(s, open=self._holder(s.id) is not None) for s in found]
        return sorted(found, key=lambda s: (s.started_at, s.id), reverse=True)

    def remove(self, session: str) -> None:
        """Removes its pages, results, events, blobs and summary. Raises NoSuchSession, SessionBusy, OSError."""
        file = self.own(self.find(session))
        try:
            tape.remove(self.tape, file.name)
            with suppress(FileNotFoundError):
                shutil.rmtree(self.results(file.name))
            with self._rows.transaction():
                self._rows.evict(file.name)  # its lease row goes with the rest
            self._summaries.delete(file.name)  # last: as long as the session is listed it can be removed again
        finally:
            file.release()

    def _holder(self, session: str) -> Owner | None:
        """The process that has it now."""
        try:
            owner = _owner(self._rows.get(f"{session}/lease"))
        except NotBytes:
            return None
        return owner if owner is not None and is_alive(owner) else None

    def _summary(self, session: str) -> Summary | None:
        """None where another process has removed it meanwhile. A damaged one is made anew from the events."""
        try:
            row = self._summaries.get(session)
            return None if row is None else msgspec.json.decode(row, type=Summary)
        except (msgspec.MsgspecError, NotBytes):
            state = Session()
            with suppress(DamagedSession):
                for _ in SessionFile(self, session, None)._walk(state):
                    pass
            return summarise(state) if state.seq else None


def _owner(held: bytes | None) -> Owner | None:
    """Who has it; nobody where the row makes no sense."""
    try:
        return None if held is None else msgspec.json.decode(held, type=Owner)
    except msgspec.MsgspecError:
        return None


class SessionFile:
    """One session's rows: the journal's EventLog, and its Blobs. Methods raise OSError where the disk fails them."""

    def __init__(self, store: SessionStore, name: str, owner: Owner | None) -> None:
        self.name = name
        self._store = store
        self._rows = store._rows
        self._owner = owner
        self._state = Session()

    @property
    def tape(self) -> Path:
        """The folder of the pages that sessions have fetched."""
        return self._store.tape

    @property
    def results(self) -> Path:
        """The session's own folder of results."""
        return self._store.results(self.name)

    def append(self, seq: int, row: bytes) -> None:
        """Raises SessionTaken where that number is there already."""
        if not self._rows.add(f"{self.name}/{seq}", row, tag=self.name):
            raise SessionTaken(f"event {seq} of session {self.name} was written by another process")
        event = ev.decode(row)
        self._state.apply(event)
        if _changes_summary(self._state, event):
            self.summarise()

    def read(self) -> list[bytes]:
        """All events in order; what is appended after them goes on from there. Raises DamagedSession."""
        self._state = Session()
        return [row for row, _ in self._walk(self._state)]

    def events(self) -> list[ev.Durable]:
        """Raises DamagedSession."""
        return list(self.iter_events())

    def iter_events(self) -> Iterator[ev.Durable]:
        """One by one, so that what comes before a damaged one is seen. Raises DamagedSession."""
        for _, event in self._walk(Session()):
            yield event

    def _walk(self, state: Session) -> Iterator[tuple[bytes, ev.Durable]]:
        """The events, each applied to the state before it is given."""
        for number in itertools.count(1):
            try:
                row = self._rows.get(f"{self.name}/{number}")
                if row is None:
                    return
                event = ev.decode(row)
                state.apply(event)
            except (msgspec.MsgspecError, NotBytes, IllegalTransition) as error:
                raise DamagedSession(f"event {number} of session {self.name} can't be read: {error}") from error
            yield row, event

    def summarise(self) -> None:
        self._store._summaries.set(self.name, msgspec.json.encode(summarise(self._state)))

    def put(self, data: bytes) -> str:
        """Keeps a blob; returns its name, the sha256 of its bytes in hex."""
        name = hashlib.sha256(data).hexdigest()
        self._rows.add(f"{self.name}/blob/{name}", data, tag=self.name)
        return name

    def get(self, name: str) -> bytes:
        """Raises KeyError where there is no such blob, ValueError where its bytes are not what its name says."""
        data = self._rows.get(f"{self.name}/blob/{name}")
        if data is None:
            raise KeyError(f"session {self.name} has no blob {name}")
        if hashlib.sha256(data).hexdigest() != name:
            raise ValueError(f"blob {name} of session {self.name} is damaged")
        return data

    def release(self) -> None:
        """Gives the session up, so that another process may own it."""
        if self._owner is None:
            return
        with suppress(OSError), self._rows.transaction():  # a lease that stays dies with us
            if _owner(self._rows.get(f"{self.name}/lease")) == self._owner:
                self._rows.delete(f"{self.name}/lease")


def _changes_summary(state: Session, event: ev.Durable) -> bool:
    attempt = state.attempt
    if isinstance(event, ev.SessionStarted | ev.AttemptStarted | ev.Intervened):  # the last: it may be over no longer
        return True
    return state.over or (attempt is not None and attempt.verdict is not None)
