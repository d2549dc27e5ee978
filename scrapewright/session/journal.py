"""The one place where an event is numbered, stored, applied and published, in that order."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Protocol, TypeVar

import msgspec

from scrapewright.errors import Unavailable
from scrapewright.session import events as ev
from scrapewright.session.state import Session
from scrapewright.session.transitions import check

TICKS_KEPT = 1_000
NOTE_AT_MOST = 2_000
"""Characters of a remark; what it is about may be of any length."""

E = TypeVar("E", bound=ev.Event)
Item = ev.Event | ev.Tick


class EventLog(Protocol):
    """Where events are kept. Called from one thread of the journal's own."""

    def append(self, seq: int, row: bytes) -> None:
        """Stores event number `seq` durably. Raises if that number is taken."""
        ...

    def read(self) -> list[bytes]:
        """All events, in order."""
        ...


class Blobs(Protocol):
    """Large values, by the sha256 of their bytes."""

    def put(self, data: bytes) -> str: ...

    def get(self, name: str) -> bytes:
        """Raises KeyError where there is none."""
        ...


def put_text(blobs: Blobs, text: str) -> str:
    """Keeps a program as it is: a model's reply may hold lone surrogates, which UTF-8 has no bytes for."""
    return blobs.put(text.encode("utf-8", "surrogatepass"))


def get_text(blobs: Blobs, name: str) -> str:
    """The inverse of put_text. Raises what `Blobs.get` raises."""
    return blobs.get(name).decode("utf-8", "surrogatepass")


class JournalBroken(Unavailable):
    """An event could not be stored, so nothing more can happen in this session. `__cause__` says why."""


class Journal:
    """Orders what happens in one session. To be used from one event loop.

    A single writer task takes events from a queue, one at a time: checked against the state, stored in a thread,
    applied, published. So the order that callers see is the order on disk, an event that makes no sense is never
    stored, and cancelling a caller never leaves an event half happened.
    """

    def __init__(self, log: EventLog, *, clock: Callable[[], float] = time.time) -> None:
        self.session = Session()
        self.events: list[ev.Durable] = []
        self._log = log
        self._clock = clock
        self._queue: deque[tuple[Item, asyncio.Future[ev.Event] | None]] = deque()
        self._followers: list[_Follower] = []
        self._writer: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
        self._broken: BaseException | None = None
        self._closed = False

    @classmethod
    async def open(cls, log: EventLog, *, clock: Callable[[], float] = time.time) -> Journal:
        """A journal with what the log holds already applied. Raises IllegalTransition on a log that makes no sense."""
        journal = cls(log, clock=clock)
        try:
            for row in await asyncio.get_running_loop().run_in_executor(journal._thread, log.read):
                event = ev.decode(row)
                journal.session.apply(event)
                journal.events.append(event)
        except BaseException:
            journal._thread.shutdown(wait=False)
            raise
        return journal

    async def append(self, event: E) -> E:
        """Makes it happen; returns the event with its number and time. Raises JournalBroken, IllegalTransition.

        Cancelling the caller does not undo it.
        """
        future: asyncio.Future[ev.Event] = asyncio.get_running_loop().create_future()
        self._put(event, future)
        stored = await asyncio.shield(future)
        assert isinstance(stored, type(event))
        return stored

    async def append_to_current(self, event: E) -> E:
        """As append, with the number of the current attempt."""
        return await self.append(msgspec.structs.replace(event, attempt=self.session.current))

    async def note(self, text: str, level: ev.NoteLevel = "info") -> None:
        """A remark about the current attempt."""
        await self.append_to_current(ev.Noted(text=text[:NOTE_AT_MOST], level=level))

    def post(self, event: ev.Event) -> None:
        """As append, for callers that can't wait. What makes no sense is dropped; a failing disk shows at the next."""
        self._put(event, None)

    def tick(self, tick: ev.Tick) -> None:
        """Publishes without storing. Never fails, never blocks."""
        if not self._closed and self._broken is None:
            self._put(tick, None)

    async def follow(self, since: int = 0) -> AsyncGenerator[Item, None]:
        """Events from `since`+1 on, and ticks as they come; ends after the session's last event, at close, or where the
        journal breaks.

        A follower that lags loses the oldest ticks, never an event, and never delays anyone.
        """
        ended = self._closed or self._broken is not None or self.session.over
        follower = _Follower(self.events[since:], ended=ended)
        self._followers.append(follower)
        try:
            while True:
                while follower.items:
                    yield follower.pop()
                if follower.ended:
                    return
                follower.wake.clear()
                await follower.wake.wait()
        finally:
            self._followers.remove(follower)

    async def flush(self) -> None:
        """Waits until what was put before is stored and published. Raises JournalBroken."""
        while self._queue or (self._writer is not None and not self._writer.done()):
            await asyncio.wait([self._ensure_writer()])
        if self._broken is not None:
            raise JournalBroken(f"the session's journal can't be written: {self._broken}") from self._broken

    async def close(self) -> None:
        """Writes what is queued and ends the followers. Does not raise."""
        with suppress(JournalBroken):
            await self.flush()
        self._closed = True
        for follower in self._followers:
            follower.end()
        self._thread.shutdown(wait=True)

    def _put(self, item: Item, future: asyncio.Future[ev.Event] | None) -> None:
        if self._broken is not None or self._closed:
            why = f"the session's journal can't be written: {self._broken}" if self._broken else "the journal is closed"
            error = JournalBroken(why)
            error.__cause__ = self._broken
            if future is None:
                return
            raise error
        self._queue.append((item, future))
        self._ensure_writer()

    def _ensure_writer(self) -> asyncio.Task[None]:
        if self._writer is None or self._writer.done():
            self._writer = asyncio.get_running_loop().create_task(self._write(), name="journal")
        return self._writer

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        while self._queue:
            item, future = self._queue.popleft()
            if isinstance(item, ev.Event):
                item = msgspec.structs.replace(item, seq=self.session.seq + 1, at=self._clock())
                try:
                    check(self.session, item)
                    row = ev.encode(item)
                except Exception as error:  # this event is wrong, the journal is not
                    _fail(future, error)
                    continue
                try:
                    await loop.run_in_executor(self._thread, self._log.append, item.seq, row)
                except BaseException as error:
                    self._break(error, future)
                    if not isinstance(error, Exception):
                        raise
                    return
            self._happen(item, future)

    def _happen(self, item: Item, future: asyncio.Future[ev.Event] | None) -> None:
        if isinstance(item, ev.Event):
            self.session.apply(item)
            self.events.append(item)  # type: ignore[arg-type]
        else:
            self.session.tick(item)
        for follower in self._followers:
            follower.push(item)
        if self.session.over:
            for follower in self._followers:
                follower.end()
        if future is not None and not future.done():
            assert isinstance(item, ev.Event)
            future.set_result(item)

    def _break(self, cause: BaseException, future: asyncio.Future[ev.Event] | None) -> None:
        self._broken = cause
        for waiting in [future, *(f for _, f in self._queue)]:
            error = JournalBroken(f"the session's journal can't be written: {cause}")
            error.__cause__ = cause
            _fail(waiting, error)
        self._queue.clear()
        for follower in self._followers:
            follower.end()


def _fail(future: asyncio.Future[ev.Event] | None, error: Exception) -> None:
    if future is not None and not future.done():
        future.set_exception(error)
        future.exception()  # its caller may be gone: marked as seen, so that asyncio logs nothing


class _Follower:
    def __init__(self, backlog: Sequence[ev.Event], *, ended: bool) -> None:
        self.items: deque[Item] = deque(backlog)
        self.ticks = 0
        self.ended = ended
        self.wake = asyncio.Event()

    def push(self, item: Item) -> None:
        if isinstance(item, ev.Tick):
            if self.ticks >= TICKS_KEPT:
                self._drop_oldest_tick()
            self.ticks += 1
        self.items.append(item)
        self.wake.set()

    def pop(self) -> Item:
        item = self.items.popleft()
        if isinstance(item, ev.Tick):
            self.ticks -= 1
        return item

    def _drop_oldest_tick(self) -> None:
        for index, item in enumerate(self.items):
            if isinstance(item, ev.Tick):
                del self.items[index]
                self.ticks -= 1
                return

    def end(self) -> None:
        self.ended = True
        self.wake.set()
