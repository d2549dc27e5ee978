"""Writing to standard output and error that may be closed, full, or a pipe whose reader has gone."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from scrapewright.session.exit_codes import ExitCode


class Output:
    """Lines to a stream. The first failure ends the writing, not the program; `error` is that failure.

    A reader that has gone (`| head -1`) has what it wanted and is no error.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._gone = False
        self.error: OSError | None = None

    def line(self, text: str) -> None:
        if self._gone:
            return
        try:
            print(for_stream(text, self._stream), file=self._stream, flush=True)
        except OSError as error:
            self._gone = True
            if not isinstance(error, BrokenPipeError):
                self.error = error
            discard(self._stream)


def for_stream(text: str, stream: TextIO) -> str:
    """The text unchanged, but for a terminal without control sequences."""
    from scrapewright.session.sanitize import sanitize  # imported late, to start fast

    return sanitize(text) if stream.isatty() else text


def complain(message: str, code: int) -> int:
    """One line on stderr; returns the exit code."""
    from scrapewright.session.sanitize import sanitize  # imported late, to start fast

    print(f"scrapewright: {sanitize(message)}", file=sys.stderr)
    return code


def discard(stream: TextIO) -> None:
    """Redirects a stream to /dev/null, with what its buffer holds: else Python fails to flush it at exit."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, stream.fileno())
        finally:
            os.close(nowhere)


@contextmanager
def standard_streams() -> Iterator[None]:
    """Wraps a command: all three streams exist, accept any text, and a reader that has gone is no error."""
    _open_missing()
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # a test's stream may not have it
    try:
        yield
    except BrokenPipeError:
        discard(sys.stdout)
    except OSError as error:
        with suppress(OSError):
            complain(str(error), ExitCode.RETRY_LATER)
        raise SystemExit(ExitCode.RETRY_LATER) from error
    finally:
        failed = _flushed(sys.stdout)
        _flushed(sys.stderr)
        if failed is not None:
            with suppress(OSError):
                complain(f"standard output can't be written: {failed.strerror}", ExitCode.RETRY_LATER)
            raise SystemExit(ExitCode.RETRY_LATER)


def _flushed(stream: TextIO) -> OSError | None:
    try:
        stream.flush()
    except OSError as error:
        discard(stream)
        return None if isinstance(error, BrokenPipeError) else error
    except ValueError:  # closed
        return None
    return None


def _open_missing() -> None:
    """Opens descriptors 0 to 2 where they are closed: else the next file opened would get their number."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
