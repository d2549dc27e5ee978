"""Opens $VISUAL or $EDITOR on a temporary file, while the session continues in the background."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported

from scrapewright.loop.tasks import run_in_foreground

BYTES_AT_MOST = 2 * 1024 * 1024
WAY_OUT = "set EDITOR, for example: export EDITOR=nano; or edit here with e"


class EditorError(Exception):
    """It could not be edited; the message says why and what can be done."""


def command(environment: Mapping[str, str] = os.environ) -> list[str]:
    """VISUAL, else EDITOR, in words. Raises EditorError where neither is set."""
    for name in ("VISUAL", "EDITOR"):
        if value := environment.get(name, "").strip():
            try:
                return shlex.split(value)
            except ValueError as error:
                raise EditorError(f"{name} is {value!r}, which is no command ({error}); {WAY_OUT}") from error
    raise EditorError(f"no editor is set; {WAY_OUT}")


async def edit(app: App[Any], text: str) -> str:
    """The text as it was saved. The application leaves the terminal to the editor until that ends, and draws nothing;
    the event loop runs on, so that a session does not stop meanwhile. Cancelled, it ends the editor, too.

    Raises EditorError.
    """
    words = command()
    with tempfile.TemporaryDirectory(prefix="scrapewright-") as folder:
        path = Path(folder) / "scraper.py"
        before = text.encode("utf-8", "replace")
        path.write_bytes(before)
        failed: OSError | None = None
        code = 0
        try:
            with app.batch_update(), app.suspend(), _interrupts_are_the_editors():
                try:
                    code = await run_in_foreground([*words, str(path)])
                except OSError as error:  # raised inside, the terminal would not be taken back
                    failed = error
        except SuspendNotSupported as error:
            raise EditorError("this terminal can't be left to an editor; edit here with e") from error
        if failed is not None:
            raise EditorError(f"{words[0]} could not be started: {failed.strerror or failed}; {WAY_OUT}")
        if code:
            how = f"ended with {code}" if code > 0 else f"was ended by signal {-code}"
            raise EditorError(f"{words[0]} {how}; nothing was taken from it")
        try:
            size = path.stat().st_size
            if size > BYTES_AT_MOST:
                raise EditorError(f"the file is {size:,} bytes; a program may have {BYTES_AT_MOST:,}")
            after = path.read_bytes()
        except OSError as error:
            raise EditorError(f"the file can't be read back: {error.strerror or error}") from error
    return text if after == before else after.decode("utf-8", "replace").replace("\r\n", "\n")


@contextmanager
def _interrupts_are_the_editors() -> Iterator[None]:
    """A terminal sends ctrl+c to both: it would end the application behind the editor."""
    loop, before = asyncio.get_running_loop(), signal.getsignal(signal.SIGINT)
    try:
        loop.add_signal_handler(signal.SIGINT, lambda: None)
    except (NotImplementedError, RuntimeError, ValueError):  # not on the main thread: nothing comes here
        yield
        return
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, before)
