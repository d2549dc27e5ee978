"""Runs a command that may do anything: for a limited time, with limited output kept, and nothing of it left running."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE, Popen, TimeoutExpired
from tempfile import TemporaryFile
from typing import NamedTuple

KEPT = 1 << 20
"""Bytes of each output stream that are kept, the last ones: what an agent has to say comes at the end."""
_CHUNK = 1 << 16
_END_SECONDS = 5.0


class Ended(NamedTuple):
    """`code` as Popen has it: negative is the number of the signal that ended it, None that its time was up."""

    code: int | None
    stdout: str
    stderr: str


async def run(
    argv: Sequence[str], *, folder: Path, environment: Mapping[str, str], stdin: str, seconds: float
) -> Ended:
    """The command in that folder, in a session of its own. Whatever ends this call, cancellation among it, the
    command's whole process group is killed first. Raises OSError where it can't be started.
    """
    loop = asyncio.get_running_loop()
    with TemporaryFile() as given:  # a file: the command need not read it, and nothing waits until it does
        given.write(stdin.encode("utf-8", "replace"))
        given.seek(0)
        process = Popen(  # noqa: ASYNC220  # asyncio's own, cancelled while it starts, leaves pipes open
            argv, stdin=given, stdout=PIPE, stderr=PIPE, cwd=folder, env=environment, start_new_session=True
        )
    assert process.stdout is not None
    assert process.stderr is not None
    pipes = (process.stdout, process.stderr)
    streams = [_Stream(pipe.fileno()) for pipe in pipes]
    exited = asyncio.Event()
    watched = [stream.descriptor for stream in streams]
    in_time = True
    try:
        watched.append(os.pidfd_open(process.pid))
        loop.add_reader(watched[-1], exited.set)
        for stream in streams:
            loop.add_reader(stream.descriptor, stream.read)
        async with asyncio.timeout(seconds):
            await exited.wait()
    except TimeoutError:
        in_time = False
    finally:
        for descriptor in watched:
            loop.remove_reader(descriptor)
        with suppress(ProcessLookupError, PermissionError):  # not waited for yet: the number is still its own
            os.killpg(process.pid, signal.SIGKILL)
        with suppress(TimeoutExpired):  # what runs as another user may not be killed
            process.wait(_END_SECONDS)
        for stream in streams:
            for _ in range(KEPT // _CHUNK):  # somebody outside the group may write on and on
                if not stream.read():
                    break
        for descriptor in watched[len(streams) :]:
            os.close(descriptor)
        for pipe in pipes:
            pipe.close()
    out, err = (bytes(stream.kept[-KEPT:]).decode("utf-8", "replace") for stream in streams)
    return Ended(process.returncode if in_time else None, out, err)


class _Stream:
    """The end of what comes through a pipe."""

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor
        self.kept = bytearray()

    def read(self) -> int:
        """Takes what is there; how many bytes that was, 0 where nothing is there now or will come any more."""
        try:
            data = os.read(self.descriptor, _CHUNK)
        except BlockingIOError:
            return 0
        if not data:
            asyncio.get_running_loop().remove_reader(self.descriptor)
        self.kept += data
        if len(self.kept) > 2 * KEPT:
            del self.kept[:-KEPT]
        return len(data)
