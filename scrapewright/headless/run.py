"""Runs a session to its end and narrates it on stderr; stdout is data."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

import msgspec

from scrapewright.headless.answers import answer_questions
from scrapewright.headless.ask import ask
from scrapewright.headless.narrate import Narrator
from scrapewright.headless.output import Output
from scrapewright.headless.rows import preview
from scrapewright.loop.handle import SessionHandle
from scrapewright.loop.tasks import cancel_and_wait
from scrapewright.session import events as ev
from scrapewright.session.exit_codes import ExitCode
from scrapewright.session.journal import Blobs
from scrapewright.session.sanitize import sanitize


async def follow_session(
    handle: SessionHandle, *, as_json: bool, stdout: TextIO, stderr: TextIO, answers: int | None = None
) -> int:
    """Returns the exit code. Ctrl+C and SIGTERM stop the session; a second one does not wait for its results.

    stdout gets the paths of the result files, or with `as_json` every durable event as a JSON line. A stream that
    can't be written any more does not stop the session. `answers` is a descriptor to read answers from as JSON lines;
    without it questions are asked on the terminal.
    """
    out, err = Output(stdout), Output(stderr)
    work = asyncio.create_task(handle.loop.run(), name="session")
    editing = asyncio.Event()
    with _stopped_by_signals(handle, work, err, editing):
        asks = None if answers is not None else editing
        narrating = asyncio.create_task(_narrate(handle, asks, as_json=as_json, out=out, err=err), name="narrator")
        narrating.add_done_callback(lambda done: _stop_if_failed(handle, done))
        reader: asyncio.Task[None] | None = None
        if answers is not None:
            reader = asyncio.create_task(answer_questions(handle.gate, answers, out.line), name="answers")
        try:
            end = await work
        finally:
            if reader is not None:
                await cancel_and_wait(reader)
            await handle.journal.flush()
            await narrating
    if end is None:
        return ExitCode.RETRY_LATER
    if not as_json:
        _results(end, out, err)
    if out.error is not None:
        err.line(f"scrapewright: standard output can't be written: {out.error.strerror}")
        return end.exit_code or ExitCode.RETRY_LATER
    return end.exit_code


def _stop_if_failed(handle: SessionHandle, narrating: asyncio.Task[None]) -> None:
    """Stops the session where the narration failed: it would wait for answers that nobody is asked for."""
    if narrating.cancelled() or narrating.exception() is not None:
        handle.gate.stop()


async def _narrate(
    handle: SessionHandle, editing: asyncio.Event | None, *, as_json: bool, out: Output, err: Output
) -> None:
    """Without `editing` nobody is asked on the terminal."""
    narrator = Narrator(handle.blobs)
    asking: asyncio.Task[None] | None = None
    try:
        async for item in handle.journal.follow():
            if not isinstance(item, ev.Event):
                continue
            if as_json:
                out.line(event_line(item, handle.blobs))
            for line in narrator.tell(item):
                err.line(line)
            if asking is not None and handle.journal.session.question is None:
                asking.cancel()  # answered, or the session was stopped while the person was being asked
            if editing is not None and isinstance(item, ev.Asked) and handle.journal.session.question == item:
                asking = asyncio.create_task(ask(handle, item, err, editing), name="asking")
    finally:
        if asking is not None:
            asking.cancel()
            await asyncio.wait({asking})


def event_line(event: ev.Event, blobs: Blobs) -> str:
    """An event as one JSON line, with the whole run record (`result`) and program (`program`) where there is one."""
    data: dict[str, Any] = msgspec.to_builtins(event)
    if isinstance(event, ev.RunFinished):
        with suppress(KeyError, ValueError):  # gone or damaged: the event itself is still true
            data["result"] = msgspec.json.decode(blobs.get(event.result))
    if isinstance(event, ev.CodeWritten):
        with suppress(KeyError, ValueError):  # gone or damaged: the event itself is still true
            data["program"] = blobs.get(event.code).decode("utf-8", "replace")
    return msgspec.json.encode(data).decode()


def _results(end: ev.SessionFinished, out: Output, err: Output) -> None:
    if end.files:
        for line in preview(Path(end.files[0])):
            err.line(f"  {sanitize(line)}")
    for path in end.files:
        err.line(f"  wrote {sanitize(path)}")
        out.line(sanitize(path))


@contextmanager
def _stopped_by_signals(
    handle: SessionHandle, work: asyncio.Task[Any], err: Output, editing: asyncio.Event
) -> Iterator[None]:
    """SIGINT, SIGTERM and SIGHUP stop the session while the block runs; after it they cancel the caller's task. While
    the person is `editing` an interrupt is for the editor: the terminal sends it to both.
    """
    task = asyncio.current_task()
    assert task is not None
    asked = False

    def stop() -> None:
        nonlocal asked
        if asked:
            work.cancel()
            return
        asked = True
        err.line("stopping…")
        handle.gate.stop()

    def interrupt() -> None:
        if not editing.is_set():
            stop()

    on_signals(stop, interrupt)
    try:
        yield
    finally:
        on_signals(task.cancel)


def on_signals(act: Callable[[], object], interrupt: Callable[[], object] | None = None) -> None:
    """Calls `act` at SIGINT (or `interrupt`), SIGTERM and SIGHUP, in place of what was called before; nohup keeps its
    meaning.
    """
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if number == signal.SIGHUP and signal.getsignal(number) is signal.SIG_IGN:
            continue
        with suppress(NotImplementedError, RuntimeError, ValueError):  # not on the main thread
            loop.add_signal_handler(number, interrupt if interrupt and number == signal.SIGINT else act)
