"""Runs a coroutine for a caller that blocks: on an event loop in a thread of its own.

So a blocking call works in any thread, also where an event loop runs already, and needs no signal handler: what
interrupts the caller (Ctrl+C among it) cancels the coroutine, and is raised once that has cleaned up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import suppress
from contextvars import copy_context
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")
ItemT = TypeVar("ItemT")


_SIGNALS = 0.5
"""Seconds of a wait for a message. A signal that comes just before CPython waits does not interrupt that wait: it is
seen at its end."""


class _Call(NamedTuple):
    """Something that the caller's thread is to compute."""

    function: Callable[[], Any]
    value: asyncio.Future[Any]


class _Item(NamedTuple):
    value: Any


class Worker(Generic[ItemT, T]):
    """`work` gets the worker, and hands items over by `put`. In the caller's thread `items` is gone through, then
    `result` called.
    """

    def __init__(self, work: Callable[[Worker[ItemT, T]], Coroutine[Any, Any, T]]) -> None:
        self._work = work
        self._messages: SimpleQueue[_Item | _Call | None] = SimpleQueue()
        self._loop = asyncio.new_event_loop()
        self._task: asyncio.Task[Any] | None = None
        self._stopping = False
        self._result: Future[T] = Future()

    # In the worker's thread.

    def put(self, item: ItemT) -> None:
        self._messages.put(_Item(item))

    async def call(self, function: Callable[[], Any]) -> Any:
        """The function's value, from the caller's thread. What it raises there ends the work."""
        value: asyncio.Future[Any] = self._loop.create_future()
        self._messages.put(_Call(function, value))
        return await value

    def _main(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                self._result.set_result(runner.run(self._run()))
        except BaseException as error:
            self._result.set_exception(error)
        finally:
            self._messages.put(None)

    async def _run(self) -> T:
        self._task = asyncio.current_task()
        if self._stopping:
            raise asyncio.CancelledError
        return await self._work(self)

    def _stop(self) -> None:
        self._stopping = True
        if self._task is not None:
            self._task.cancel()

    # In the caller's thread.

    def items(self) -> Iterator[ItemT]:
        """Starts the work and yields what it hands over until it has ended. Left early, it cancels the work and waits
        until that has cleaned up; interrupted a second time, it does not wait."""
        thread = Thread(target=copy_context().run, args=(self._main,), name="scrapewright", daemon=True)
        try:
            thread.start()
            while (message := self._next_message()) is not None:
                if isinstance(message, _Item):
                    yield message.value
                else:
                    self._soon(_settle, message.value, message.function())
        finally:
            self._soon(self._stop)
            if thread.ident is not None:
                thread.join()

    def _next_message(self) -> _Item | _Call | None:
        while True:
            with suppress(Empty):
                return self._messages.get(timeout=_SIGNALS)

    def result(self) -> T:
        """What the work returned, or raises what it raised."""
        return self._result.result()

    def _soon(self, callback: Callable[..., object], *args: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed: the work has ended
            self._loop.call_soon_threadsafe(callback, *args)


def _settle(future: asyncio.Future[Any], value: Any) -> None:
    if not future.done():
        future.set_result(value)
