"""Runs a session to its end, telling it on stderr; stdout is data."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

import msgspec

from scrapewright.headless.ask import ask
from scrapewright.headless.narrate import Narrator
from scrapewright.headless.rows import preview
from scrapewright.loop.kit import Kit
from scrapewright.session import events as ev
from scrapewright.session.journal import Blobs
from scrapewright.session.sanitize import sanitize


async def follow_session(kit: Kit, *, as_json: bool, stdout: TextIO, stderr: TextIO) -> int:
    """Returns the exit code. Ctrl+C and SIGTERM stop the session; a second one does not wait for its results.

    stdout gets the paths of the result files, or with `as_json` every durable event as a JSON line.
    """
    work = asyncio.create_task(kit.loop.run(), name="session")
    with _signals(kit, work):
        teller = asyncio.create_task(_tell(kit, as_json=as_json, stdout=stdout, stderr=stderr), name="narrator")
        try:
            end = await work
        finally:
            await kit.journal.flush()
            await teller
    if end is None:
        return 3
    if not as_json:
        _results(end, stdout, stderr)
    return end.exit_code


async def _tell(kit: Kit, *, as_json: bool, stdout: TextIO, stderr: TextIO) -> None:
    narrator = Narrator(kit.blobs)
    async for item in kit.journal.follow():
        if not isinstance(item, ev.Event):
            continue
        if as_json:
            print(event_line(item, kit.blobs), file=stdout, flush=True)
        for line in narrator.tell(item):
            print(line, file=stderr, flush=True)
        if isinstance(item, ev.Asked) and kit.journal.session.question == item:
            await ask(kit, item, stderr)


def event_line(event: ev.Event, blobs: Blobs) -> str:
    """An event as one JSON line, with the whole run record (`result`) and program (`program`) where there is one."""
    data: dict[str, Any] = msgspec.to_builtins(event)
    if isinstance(event, ev.RunFinished):
        with suppress(KeyError):
            data["result"] = msgspec.json.decode(blobs.get(event.result))
    if isinstance(event, ev.CodeWritten):
        with suppress(KeyError):
            data["program"] = blobs.get(event.code).decode("utf-8", "replace")
    return msgspec.json.encode(data).decode()


def _results(end: ev.SessionFinished, stdout: TextIO, stderr: TextIO) -> None:
    if end.files:
        for line in preview(Path(end.files[0])):
            print(f"  {sanitize(line)}", file=stderr)
    for path in end.files:
        print(f"  wrote {sanitize(path)}", file=stderr)
        print(sanitize(path), file=stdout, flush=True)


class _signals:  # noqa: N801  # used as a with statement's verb
    """SIGINT and SIGTERM stop the session while the block runs."""

    def __init__(self, kit: Kit, work: asyncio.Task[Any]) -> None:
        self._kit = kit
        self._work = work
        self._asked = False

    def __enter__(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, self._stop)

    def __exit__(self, *_: object) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with suppress(NotImplementedError, RuntimeError, ValueError):
                loop.remove_signal_handler(number)

    def _stop(self) -> None:
        if self._asked:
            self._work.cancel()
            return
        self._asked = True
        with suppress(OSError, ValueError):
            print("stopping…", file=sys.stderr, flush=True)
        self._kit.gate.stop()
