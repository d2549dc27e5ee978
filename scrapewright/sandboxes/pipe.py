"""The interface to a started sandbox of any kind: bytes in, bytes out, and a way to end it."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import Protocol

READ_BYTES = 256 << 10
STDERR_BYTES = 8 << 10
WAIT_SECONDS = 5.0


class Pipe(Protocol):
    """A started sandbox's stdin and stdout."""

    async def read(self) -> bytes:
        """Some bytes, or b"" at the end. Raises nothing."""
        ...

    def write(self, data: bytes) -> None:
        """Queues bytes. Never blocks and raises nothing; what is written to a sandbox that is gone is dropped."""
        ...

    async def drain(self) -> None:
        """Waits until what was written is mostly on its way. Raises ConnectionError where the sandbox is gone."""
        ...

    async def halted(self) -> str:
        """Who paused the sandbox, for a person; empty where nobody did, or that is unknown. Takes a few
        seconds at most.
        """
        ...

    def kill(self) -> None:
        """Ends the sandbox at once. May be called again."""
        ...

    async def wait(self) -> str:
        """Waits, for a bounded time, until it has ended. How it did and what it said on stderr, for a person."""
        ...


class ProcessPipe:
    """A sandbox that is a child process. Its stderr may be a pipe, too; its end is kept for the message."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._stdin = process.stdin
        self._stdout = process.stdout
        self._drained = asyncio.Lock()  # before 3.12 two tasks may not wait in drain() at once
        self._said = bytearray()
        # Killing by number would race with asyncio's own reaping: the number may by then be another process's.
        try:
            self._handle: int | None = os.pidfd_open(process.pid)
        except (OSError, AttributeError):
            self._handle = None
        self._listener = None if process.stderr is None else asyncio.create_task(self._listen(process.stderr))

    async def _listen(self, stderr: asyncio.StreamReader) -> None:
        while data := await stderr.read(STDERR_BYTES):
            self._said += data
            del self._said[:-STDERR_BYTES]

    async def read(self) -> bytes:
        try:
            return await self._stdout.read(READ_BYTES)
        except OSError:
            return b""

    def write(self, data: bytes) -> None:
        if not self._stdin.is_closing():
            self._stdin.write(data)

    async def drain(self) -> None:
        async with self._drained:
            await self._stdin.drain()

    async def halted(self) -> str:
        return ""

    def kill(self) -> None:
        # The supervisor ends by itself at the end of its stdin, also where the signal would not reach it.
        self._stdin.close()
        if self._process.returncode is not None:
            return
        try:
            if self._handle is None:
                self._process.kill()
            else:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        except ProcessLookupError:
            pass

    async def wait(self) -> str:
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                code = await self._process.wait()
                if self._handle is not None:
                    os.close(self._handle)
                    self._handle = None
                if self._listener is not None:
                    await asyncio.wait([self._listener], timeout=0.5)
        except TimeoutError:
            return "did not end"
        finally:
            if self._listener is not None:
                self._listener.cancel()
        how = f"killed by signal {-code}" if code < 0 else f"exit status {code}"
        said = self._said.decode("utf-8", "replace").strip()
        return f"{how}: {said}" if said else how
