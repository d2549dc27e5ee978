"""A host's end of the pipe in the standard library alone, for a supervisor on the interpreter that runs the tests.

No sandbox is around it, so only harmless programs are run this way.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from harness import wire

HARNESS = Path(wire.__file__).parent
LIMITS = {
    "seconds": 20.0, "memory": 4 << 30, "processes": 4096, "files": 256, "file_bytes": 64 << 20, "disk": 64 << 20,
    "output": 64 << 10, "artifacts": 16, "artifact_bytes": 1 << 20,
}  # fmt: skip


class Answer(NamedTuple):
    """What came back. `ticks` are the LINE and OUTPUT frames."""

    seen: dict[str, Any]
    claimed: dict[str, Any]
    files: dict[str, bytes]
    ticks: list[wire.Frame]


class Host:
    """Starts a supervisor and speaks to it, one frame after the other."""

    def __init__(self, *preload: str, reply: Callable[[bytes], bytes] = lambda request: b"") -> None:
        options = {"site": [], "preload": list(preload)}
        command = [sys.executable, "-I", "-S", "-B", str(HARNESS / "__main__.py"), json.dumps(options)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._parser = wire.Parser()
        self._frames: list[wire.Frame] = []
        self._requests: dict[int, bytes] = {}
        self._reply = reply
        self._watchdog = threading.Timer(60, self.process.kill)
        self._watchdog.start()

    def __enter__(self) -> Host:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends it, by the end of its stdin."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(timeout=30)
        self.process.stdout.close()
        self._watchdog.cancel()

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def receive(self) -> wire.Frame | None:
        """The next frame, or None at the end."""
        assert self.process.stdout is not None
        while not self._frames:
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                return None
            self._frames += self._parser.feed(data)
        return self._frames.pop(0)

    def job(self, code: str, recorder: bool = True, **limits: float) -> None:
        job = {"code": code, "recorder": recorder, "ca": "", "proxy": True, "argv": [], "limits": {**LIMITS, **limits}}
        for frame in wire.message(wire.JOB, wire.dump(job)):
            self.send(frame)

    def answer(self) -> Answer:
        """Serves connections until the result is there. Each gets its reply when the request's head is whole."""
        assembler = wire.Assembler()
        files: list[tuple[str, bytearray]] = []
        ticks = []
        while (frame := self.receive()) is not None:
            if frame.kind in (wire.LINE, wire.OUTPUT):
                ticks.append(frame)
            elif frame.kind == wire.FILE:
                files.append((wire.load(frame.payload)["name"], bytearray()))
            elif frame.kind == wire.CHUNK:
                files[frame.stream - 1][1].extend(frame.payload)
            elif frame.kind == wire.FAULT:
                raise AssertionError(frame.payload.decode())
            elif frame.kind == wire.RESULT:
                message = assembler.add(frame)
                if message is not None:
                    result = wire.load(message)
                    contents = {name: bytes(data) for name, data in files}
                    return Answer(result["seen"], result["claimed"], contents, ticks)
            else:
                self._serve(frame)
        raise AssertionError("no result")

    def _serve(self, frame: wire.Frame) -> None:
        if frame.kind == wire.OPEN:
            self._requests[frame.stream] = b""
        elif frame.kind == wire.DATA:
            self._requests[frame.stream] += frame.payload
            self.send(wire.frame(wire.CREDIT, frame.stream, wire.number(len(frame.payload))))
            if b"\r\n\r\n" in self._requests[frame.stream]:
                self.send(wire.frame(wire.DATA, frame.stream, self._reply(self._requests[frame.stream])))
                self.send(wire.frame(wire.CLOSE, frame.stream))


def run(code: str, *preload: str, recorder: bool = True, **limits: float) -> Answer:
    """One program's record."""
    with Host(*preload) as host:
        ready = host.receive()
        assert ready is not None
        assert ready.kind == wire.READY, ready
        host.job(code, recorder, **limits)
        return host.answer()


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
