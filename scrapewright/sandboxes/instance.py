"""The host's end of a sandbox's pipe: hands over the job, serves its connections, makes a result of what comes back.

Nothing from inside is trusted: every frame, window, size, name and type is checked. A sandbox that breaks the protocol
is killed, and its result is made up from what was seen until then, with status "lost".
"""

from __future__ import annotations

import asyncio
import codecs
import hashlib
import time

import msgspec

from scrapewright.loop.ports import Job, Ran, Report, SandboxUnavailable
from scrapewright.sandboxes.pipe import Pipe, ProcessPipe
from scrapewright.sandboxes.streams import SandboxStream
from scrapewright.sandboxes.wire import WireError, artifact_name, frames, job_message, media_type, read_result
from scrapewright.session.events import LineReached, OutputPrinted
from scrapewright.session.result import Artifact, Captured, RunResult
from scrapewright.web.page import Connect

GRACE_SECONDS = 20.0
"""How long after the time limit a sandbox may take to answer; its own escalation takes two at most."""
BEAT_SECONDS = 1.0
"""Between two times that it is asked whether it is there. A standstill of this process counts as one beat."""
TAKEN_BEATS = 5
"""After so many without a reply to the job, the job counts as not taken."""
ASKED_BEATS = 3
"""After so many in a row the system is asked whether the sandbox was paused."""
SILENT_BEATS = 15
"""So many in a row, and it is given up. A supervisor answers within milliseconds, beside a crowd of its program's
processes within a few seconds."""
KEPT_OUTPUT = 64 << 10
"""Characters of the live output kept of each stream, for a result that has to be made up."""


class _GaveUpError(Exception):
    """The supervisor reported a fault and can't continue."""


class _Incoming:
    """An artifact on its way."""

    def __init__(self, name: str, size: int) -> None:
        self.name = name
        self.size = size
        self.data = bytearray()


class SandboxInstance:
    """A started sandbox, good for one job. `sandbox` is the backend's name, for the result.

    Call `ready`, then `run` once; `kill` at any time, and always in the end.
    """

    def __init__(self, process: asyncio.subprocess.Process | Pipe, sandbox: str = "") -> None:
        self._pipe: Pipe = ProcessPipe(process) if isinstance(process, asyncio.subprocess.Process) else process
        self.sandbox = sandbox
        self.python = ""
        self.preload_failed: dict[str, str] = {}
        self._parser = frames.Parser()
        self._assembler = frames.Assembler()
        loop = asyncio.get_running_loop()
        self._ready: asyncio.Future[None] = loop.create_future()
        self._over: asyncio.Future[None] = loop.create_future()
        self._trouble = ""
        """Why the sandbox can't be used any more; empty while it can."""
        self._said = ""
        self._faults: list[str] = []
        self._job: Job | None = None
        self._connect: Connect | None = None
        self._report: Report | None = None
        self._streams: dict[int, SandboxStream] = {}
        self._opened = 0
        self._handlers: set[asyncio.Task[None]] = set()
        self._incoming: list[_Incoming] = []
        self._result: RunResult | None = None
        self._received = False
        """Whether anything came since that was last asked."""
        self._line = 0
        self._printed = {1: "", 2: ""}
        self._counted = {1: 0, 2: 0}
        self._decoders = {stream: codecs.getincrementaldecoder("utf-8")("replace") for stream in (1, 2)}
        self._reader = asyncio.create_task(self._read())

    # -- what the launcher and the loop call

    async def ready(self, timeout: float) -> None:  # noqa: ASYNC109  # the launcher's to choose
        """Waits until a job may come. Raises SandboxUnavailable where it doesn't within `timeout` seconds."""
        try:
            async with asyncio.timeout(timeout):
                await asyncio.wait([self._ready, self._over], return_when=asyncio.FIRST_COMPLETED)
        except TimeoutError:
            await self.kill()
            raise SandboxUnavailable(f"the sandbox was not ready within {timeout:g} s") from None
        if not self._ready.done():
            await self.kill()
            raise SandboxUnavailable(f"the sandbox did not start: {self._trouble}")

    @property
    def alive(self) -> bool:
        """Whether it is ready and still there, as far as is known."""
        return self._ready.done() and not self._over.done()

    async def run(self, job: Job, connect: Connect, report: Report) -> Ran:
        """Runs the program. Always a result, unless the sandbox is not `alive` or does not take the job: then
        SandboxUnavailable, and nothing has come from the program.

        Cancelling kills the sandbox at once.
        """
        if not self.alive or self._job is not None:
            raise SandboxUnavailable(f"the sandbox is gone: {self._trouble or 'used up'}")
        self._job, self._connect, self._report = job, connect, report
        began = time.monotonic()
        try:
            for frame in frames.message(frames.JOB, job_message(job)):
                self._pipe.write(frame)
            taken = await self._listen(began + max(job.limits.seconds, job.limits.wall_limit) + GRACE_SECONDS)
        except WireError as error:
            taken, self._trouble = True, str(error)  # a program too long for the pipe
        finally:
            seconds = time.monotonic() - began
            await self.kill()
        if not taken:
            raise SandboxUnavailable(f"the sandbox does not respond: {self._trouble}")
        return self._conclude(job, seconds)

    async def _listen(self, until: float) -> bool:
        """Waits for the end, at most until then by the monotonic clock, and no longer than there are signs of life.

        `_trouble` says why it is not the end. Whether there were any signs at all, or time enough for one.
        """
        taken, silent = False, 0
        while not self._over.done() and (left := until - time.monotonic()) > 0:
            self._received = False
            self._pipe.write(frames.frame(frames.PING))
            await asyncio.wait([self._over], timeout=min(BEAT_SECONDS, left))
            taken, silent = taken or self._received, 0 if self._received else silent + 1
            if silent >= (SILENT_BEATS if taken else TAKEN_BEATS):
                self._trouble = f"no sign of life for {silent * BEAT_SECONDS:.0f} s"
                return taken
            if silent == ASKED_BEATS and (halted := await self._pipe.halted()):
                self._trouble = halted
                return taken
        if not self._over.done():
            self._trouble = "no answer in time"
        return True

    async def kill(self) -> None:
        """Ends the sandbox and its handlers at once. May be called again."""
        self._pipe.kill()
        for handler in self._handlers:
            handler.cancel()
        for stream in self._streams.values():
            stream.lose()
        if self._handlers:
            await asyncio.wait(set(self._handlers), timeout=5.0)
        ended = await self._pipe.wait()
        if self._result is None:
            self._said = self._said or ended
        await asyncio.wait([self._reader], timeout=1.0)
        self._reader.cancel()

    # -- the reader: takes frames and never waits for anything but the next bytes

    async def _read(self) -> None:
        try:
            while data := await self._pipe.read():
                self._received = True
                for frame in self._parser.feed(data):
                    self._take(frame)
                if self._result is not None:
                    return
            self._trouble = self._trouble or await self._pipe.wait()
        except _GaveUpError as error:
            self._trouble = str(error)
            self._pipe.kill()
        except WireError as error:
            self._trouble = f"it broke the protocol: {error}"
            self._pipe.kill()
        finally:
            for stream in self._streams.values():
                stream.lose()
            if not self._over.done():
                self._over.set_result(None)

    def _take(self, frame: frames.Frame) -> None:
        kind, number, payload = frame
        if kind == frames.READY and not self._ready.done():
            self._on_ready(payload)
        elif kind == frames.FAULT:
            raise _GaveUpError(payload[:2000].decode("utf-8", "replace"))
        elif self._job is None or self._result is not None:
            raise WireError(f"{frames.NAMES[kind]} out of turn")
        elif kind == frames.OPEN:
            self._on_open(number)
        elif kind in (frames.DATA, frames.CREDIT, frames.SHUT, frames.CLOSE):
            self._on_stream(kind, number, payload)
        elif kind == frames.PONG:
            pass
        elif kind == frames.LINE:
            self._line = frames.read_number(payload)
            self._publish(LineReached(line=self._line))
        elif kind == frames.OUTPUT:
            self._on_output(number, payload)
        elif kind == frames.FILE:
            self._on_file(number, payload)
        elif kind == frames.CHUNK:
            self._on_chunk(number, payload)
        elif kind == frames.RESULT:
            message = self._assembler.add(frame)
            if message is not None:
                if self._incoming and len(self._incoming[-1].data) != self._incoming[-1].size:
                    raise WireError("an artifact was cut short")
                self._result = read_result(message, self._job.limits.output)
        else:
            raise WireError(f"{frames.NAMES[kind]} from the sandbox")

    def _on_ready(self, payload: bytes) -> None:
        about = frames.load(payload)
        if about.get("version") != frames.VERSION:
            raise WireError(f"the harness speaks version {about.get('version')!r}, not {frames.VERSION}")
        self.python = str(about.get("python"))[:40]
        failed = about.get("preload_failed")
        if isinstance(failed, dict):
            self.preload_failed = {str(name)[:100]: str(why)[:500] for name, why in list(failed.items())[:20]}
        self._ready.set_result(None)

    def _publish(self, tick: LineReached | OutputPrinted) -> None:
        if self._report is not None:
            self._report(tick)

    def _on_output(self, stream: int, payload: bytes) -> None:
        if stream not in (1, 2):
            raise WireError(f"output on stream {stream}")
        left_out, data = frames.read_output(payload)
        text = self._decoders[stream].decode(data)
        if left_out:
            text += f"\n[… {left_out} bytes …]\n"
            self._decoders[stream].reset()
        self._counted[stream] += len(data) + left_out
        self._printed[stream] = (self._printed[stream] + text)[-KEPT_OUTPUT:]
        if text:
            self._publish(OutputPrinted(stream="stdout" if stream == 1 else "stderr", text=text))

    # -- connections

    def _on_open(self, number: int) -> None:
        if number != self._opened + 1 or len(self._streams) >= frames.MAX_STREAMS:
            raise WireError(f"stream {number} opened out of turn")
        self._opened = number
        stream = self._streams[number] = SandboxStream(number, self._send, self._pipe.drain)
        handler = asyncio.create_task(self._handle(stream))
        self._handlers.add(handler)
        handler.add_done_callback(self._handlers.discard)

    async def _handle(self, stream: SandboxStream) -> None:
        assert self._connect is not None
        try:
            await self._connect(stream)
        except ConnectionError:
            pass
        except Exception as error:  # a fault of the gateway's must neither end the run nor go unseen
            self._faults.append(f"a connection's handler failed: {type(error).__name__}: {error}")
        finally:
            stream.close()

    def _on_stream(self, kind: int, number: int, payload: bytes) -> None:
        stream = self._streams.get(number)
        if stream is None:
            raise WireError(f"{frames.NAMES[kind]} on stream {number}, which is not open")
        if kind == frames.DATA:
            stream.feed(payload)
        elif kind == frames.CREDIT:
            stream.credit(frames.read_number(payload))
        elif kind == frames.SHUT:
            stream.finish()
        else:
            stream.lose()
            del self._streams[number]

    def _send(self, kind: int, number: int, payload: bytes) -> None:
        self._pipe.write(frames.frame(kind, number, payload))

    # -- artifacts and the result

    def _on_file(self, number: int, payload: bytes) -> None:
        assert self._job is not None
        about = frames.load(payload)
        name, size = artifact_name(about.get("name")), about.get("bytes")
        limits = self._job.limits
        if number != len(self._incoming) + 1 or number > limits.artifacts:
            raise WireError("an artifact too many")
        if self._incoming and len(self._incoming[-1].data) != self._incoming[-1].size:
            raise WireError("an artifact was cut short")
        if (
            type(size) is not int
            or size < 0
            or size + sum(file.size for file in self._incoming) > limits.artifact_bytes
        ):
            raise WireError("an artifact too large")
        if any(file.name == name for file in self._incoming):
            raise WireError("two artifacts of one name")
        self._incoming.append(_Incoming(name, size))

    def _on_chunk(self, number: int, payload: bytes) -> None:
        if not self._incoming or number != len(self._incoming):
            raise WireError("a piece of no artifact")
        file = self._incoming[-1]
        file.data += payload
        if len(file.data) > file.size:
            raise WireError("an artifact larger than it said")

    def _conclude(self, job: Job, seconds: float) -> Ran:
        complete = [file for file in self._incoming if len(file.data) == file.size]
        files = {file.name: bytes(file.data) for file in complete}
        artifacts = tuple(
            Artifact(name, len(data), hashlib.sha256(data).hexdigest(), media_type(name))
            for name, data in files.items()
        )
        result = self._result
        if result is None:
            why = self._trouble or self._said
            result = RunResult(
                status="lost",
                recorder="on" if job.recorder else "off",
                seconds=seconds,
                stdout=Captured(head=self._printed[1], bytes=self._counted[1]),
                stderr=Captured(head=self._printed[2], bytes=self._counted[2]),
                trail=(self._line,) if self._line else (),
                python=self.python,
                note=f"the sandbox gave no result ({why}); this is what was seen of it",
            )
        note = "; ".join([result.note] * bool(result.note) + self._faults[:3])
        return Ran(msgspec.structs.replace(result, artifacts=artifacts, sandbox=self.sandbox, note=note), files)
