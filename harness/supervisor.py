"""The supervisor: owns the pipe, runs one program, and always answers.

One thread and one selector loop. It installs no signal handler: as PID 1 of its namespace it is deaf to every signal it
does not handle, so the program can't kill, stop or distract it. It never blocks on the pipe and never stops reading it;
the end of its stdin means that the host is gone, and ends everything at once.
"""

from __future__ import annotations

import fcntl
import importlib.util
import os
import selectors
import shutil
import signal
import time
from collections.abc import Iterator
from typing import Any, NoReturn

from harness import advice, answer, artifacts, exchange, memory, outcome, processes, stack, wire
from harness.capture import Capture
from harness.child import Child, Descriptors
from harness.deadline import Deadline
from harness.exchange import Exchange
from harness.outbox import Outbox
from harness.processes import Family
from harness.startup import make_folder
from harness.trail import Trail
from harness.tunnel import Tunnel

TICK = 0.05
"""Seconds between two looks at the running program: its line, and what it printed."""
FIRST_TICK = 0.005
POLL = 0.01
"""Seconds between two looks whether the program has ended, where the kernel has no pidfd."""
DRAIN = 0.15
"""Seconds that output may still come after everything was killed."""
STACK_BYTES = 256 << 10

TERM_AFTER = 0.05
"""Seconds between asking faulthandler for the stack and SIGTERM; it needs the program where it hung."""
STACK_WITHIN = 0.3
"""The same where SIGKILL comes next and nothing is reported after it; the program's children are stopped meanwhile."""
TERM_AGAIN = 0.1
"""Seconds to a second SIGTERM: one that comes just before the program waits inside C code is not noticed there."""
KILL_AFTER = 0.45
"""Seconds that a program has to end on SIGTERM."""
REPORT_AFTER = 2.0
"""The same for one that has taken the exception and is reporting."""

_HERE = os.path.dirname(__file__) + "/"
_READ_BYTES = 256 << 10


class Supervisor:
    """Serves one job over a pair of descriptors that it alone holds."""

    def __init__(self, source: int, target: int, ready: dict[str, Any]) -> None:
        os.set_blocking(source, False)
        os.set_blocking(target, False)
        self._source = source
        self._selector = selectors.DefaultSelector()
        self._outbox = Outbox(target)
        self._target = target
        self._target_watched = False
        self._parser = wire.Parser()
        self._assembler = wire.Assembler()
        self._tunnel = Tunnel(self._selector, self._outbox)
        self._family = Family()
        self._shared = Exchange()
        self._trail = Trail()
        self._folder = make_folder(self._family.alone)
        self._ready = ready

        self._job: dict[str, Any] | None = None
        self._captures = {stream: Capture(STACK_BYTES) for stream in (1, 2, 3)}
        self._pipes: dict[int, int] = {}
        """Open read ends by stream: 1 stdout, 2 stderr, 3 faulthandler's."""
        self._watched: set[int] = set()
        self._pidfd: int | None = None
        self._job_end = -1
        self._began = self._ended = 0.0
        self._deadline = Deadline(0.0, 0.0)
        self._memory = memory.Watch(0)
        self._held = 0
        """Bytes that the program's processes held together when that was too much."""
        self._next_tick = 0.0
        self._line = 0
        self._escalation: list[tuple[float, int]] = []
        self._timed_out = self._cancelled = False
        self._phase_at_limit = exchange.RUNNING
        self._oom_before = 0
        self._drain_until: float | None = None
        self._answer: Iterator[None] | None = None

    def serve(self) -> NoReturn:
        """Runs until the answer is written or the host is gone. Never returns."""
        code = 0
        try:
            self._fork()
            self._selector.register(self._source, selectors.EVENT_READ, self._read_pipe)
            self._outbox.send(wire.READY, 0, wire.dump(self._ready))
            while self._go_on():
                pass
        except BrokenPipeError:
            pass
        except wire.WireError as error:
            code = self._fail(f"the host broke the protocol: {error}")
        except Exception as error:
            code = self._fail(f"{type(error).__name__}: {error}")
        finally:
            if not self._family.alone:
                self._family.end()
                shutil.rmtree(self._folder, ignore_errors=True)
            os._exit(code)

    def _fail(self, message: str) -> int:
        """Says why it can't go on, if the pipe takes it."""
        self._outbox.send(wire.FAULT, 0, message.encode("utf-8", "replace")[: wire.CHUNK_BYTES])
        try:
            self._outbox.flush()
        except OSError:
            pass
        return 1

    # -- the loop

    def _go_on(self) -> bool:
        now = time.monotonic()
        self._outbox.flush()
        if self._answer is not None and self._answered(self._answer):
            return False
        self._tunnel.refresh(now)
        self._watch()
        for key, mask in self._selector.select(self._patience(now)):
            key.data(mask)
        now = time.monotonic()
        if self._began and not self._ended:
            self._look_after(now)
        elif not self._began and not self._family.reap():
            raise RuntimeError("the process for the program ended before its job came")
        elif self._drain_until is not None and (not self._pipes or now > self._drain_until):
            self._drain_until = None
            self._finish()
        return True

    def _answered(self, pieces: Iterator[None]) -> bool:
        """Goes on with the answer for a tick while the pipe keeps up. Whether all of it is written."""
        until = time.monotonic() + TICK
        while not self._outbox.full and time.monotonic() < until:
            try:
                next(pieces)
            except StopIteration:
                return not self._outbox
        return False

    def _patience(self, now: float) -> float | None:
        """Seconds until there is something to do by the clock; None while a job is waited for."""
        if self._answer is not None:
            return None if self._outbox else 0.0  # the outbox wakes it when it has drained
        if self._drain_until is not None:
            if not self._pipes:
                return 0.0
            return max(self._drain_until - now, 0.0)
        if not self._began:
            return None
        moments = [self._next_tick] + [moment for moment, _ in self._escalation[:1]]
        if self._pidfd is None:
            moments.append(now + POLL)
        return max(min(moments) - now, 0.0)

    def _watch(self) -> None:
        """Registers what may be read and written now; the host's frames may always be."""
        if bool(self._outbox) != self._target_watched:
            self._target_watched = not self._target_watched
            if self._target_watched:
                self._selector.register(self._target, selectors.EVENT_WRITE, lambda mask: None)
            else:
                self._selector.unregister(self._target)
        for stream, descriptor in self._pipes.items():
            wanted = stream == 3 or not self._outbox.full
            if wanted and descriptor not in self._watched:
                self._watched.add(descriptor)
                self._selector.register(descriptor, selectors.EVENT_READ, self._on_output(stream))
            elif not wanted and descriptor in self._watched:
                self._watched.discard(descriptor)
                self._selector.unregister(descriptor)

    # -- the host's frames

    def _read_pipe(self, mask: int) -> None:
        try:
            data = os.read(self._source, _READ_BYTES)
        except BlockingIOError:
            return
        if not data:
            raise BrokenPipeError
        for frame in self._parser.feed(data):
            self._take(frame)

    def _take(self, frame: wire.Frame) -> None:
        kind = frame.kind
        if kind == wire.DATA:
            self._tunnel.data(frame.stream, frame.payload)
        elif kind == wire.CREDIT:
            self._tunnel.credit(frame.stream, wire.read_number(frame.payload))
        elif kind == wire.CLOSE:
            self._tunnel.finish(frame.stream)
        elif kind == wire.PING:
            self._outbox.send(wire.PONG)
        elif kind == wire.CANCEL:
            self._cancel()
        elif kind == wire.WAITED:
            self._put_off(wire.read_number(frame.payload) / 1000)
        elif kind == wire.JOB:
            message = self._assembler.add(frame)
            if message is not None:
                if self._job is not None:
                    raise wire.WireError("a second job")
                self._job = wire.load(message)
                self._start(self._job, message)
        else:
            raise wire.WireError(f"{wire.NAMES[kind]} from the host")

    def _cancel(self) -> None:
        if self._began and not self._ended:
            self._cancelled = True
            self._family.signal(signal.SIGKILL)

    def _put_off(self, seconds: float) -> None:
        """The time limit, for a wait of the host's making."""
        if self._began and not self._ended and not self._timed_out and not self._held:
            self._deadline.hold(time.monotonic(), seconds)
            self._shared.waited = self._deadline.waited
            self._escalation[0] = (self._deadline.at, signal.SIGUSR1)

    # -- the program

    def _fork(self) -> None:
        """Makes the program's process, which then waits for the job like this one."""
        self._oom_before = processes.oom_kills()
        job_read, self._job_end = os.pipe()
        pipes = [os.pipe() for _ in range(3)]
        null = os.open(os.devnull, os.O_RDONLY)
        child = Child(self._shared, self._trail)
        pid = os.fork()
        if pid == 0:
            ends = Descriptors(null, pipes[0][1], pipes[1][1], pipes[2][1], job_read)
            child.run(ends, self._tunnel.port, self._folder)
        os.close(null)
        os.close(job_read)
        for stream, (read, write) in enumerate(pipes, 1):
            os.close(write)
            os.set_blocking(read, False)
            try:
                fcntl.fcntl(read, fcntl.F_SETPIPE_SZ, _READ_BYTES)  # fewer turns between the two ends
            except OSError:
                pass  # the user's share of such memory is used up; it works without
            self._pipes[stream] = read
        self._pidfd = self._family.adopt(pid)
        if self._pidfd is not None:
            self._selector.register(self._pidfd, selectors.EVENT_READ, lambda mask: None)

    def _start(self, job: dict[str, Any], message: bytes) -> None:
        limits = job["limits"]
        self._family.count_from_now()
        self._began = time.monotonic()
        # The pipe may block here: it is read by our own code, no line of the program's has run.
        with open(self._job_end, "wb", buffering=0) as pipe:
            view = memoryview(message)
            while view:
                view = view[pipe.write(view) :]
        for stream in (1, 2):
            self._captures[stream] = Capture(limits["output"])
        if job["proxy"]:
            self._tunnel.begin()
        self._deadline = Deadline(self._began, limits["seconds"], limits.get("wall_limit", 0.0))
        self._escalation = [(self._deadline.at, signal.SIGUSR1)]
        self._memory = memory.Watch(limits["memory"])
        self._next_tick = self._began + FIRST_TICK

    def _look_after(self, now: float) -> None:
        if self._escalation and now >= self._escalation[0][0]:
            self._escalate(now)
        self._family.reap()
        if self._family.wait_status is not None:
            self._on_end()
        elif now >= self._next_tick:
            self._next_tick = now + TICK
            self._tell()
            if not self._timed_out and not self._held:
                self._weigh(now)

    def _weigh(self, now: float) -> None:
        """Ends them all where they hold too much memory together, once the program's stack is known."""
        self._held = self._memory.over(now, lambda: memory.below(self._family.child))
        if self._held:
            self._family.freeze_the_others()
            self._family.signal(signal.SIGUSR1)
            self._escalation = [(now + STACK_WITHIN, signal.SIGKILL)]

    def _escalate(self, now: float) -> None:
        """Stack, exception, end. Each step leaves the next one less to find out."""
        _, step = self._escalation.pop(0)
        if step == signal.SIGUSR1:
            self._timed_out = True
            self._shared.stop()
            self._phase_at_limit = self._shared.phase
            self._family.freeze_the_others()
            first = now + TERM_AFTER
            self._escalation = [
                (first, signal.SIGTERM),
                (first + TERM_AGAIN, signal.SIGTERM),
                (first + KILL_AFTER, signal.SIGKILL),
            ]
        elif step == signal.SIGTERM:
            pass
        elif not self._held and self._shared.phase == exchange.REPORTING and now < self._deadline.at + REPORT_AFTER:
            self._escalation = [(now + TERM_AFTER, signal.SIGKILL)]
            return
        self._family.signal(step)

    def _tell(self) -> None:
        """The live view: a line and a little output, at most one of each a tick, and none that would have to wait."""
        if self._outbox.full:
            return
        line = self._trail.last_line() or 0
        if line and line != self._line:
            self._line = line
            self._outbox.send(wire.LINE, 0, wire.number(line))
        for stream in (1, 2):
            if self._captures[stream].pending:
                data, left_out = self._captures[stream].view()
                self._outbox.send(wire.OUTPUT, stream, wire.output(left_out, data))

    def _on_output(self, stream: int) -> Any:
        descriptor = self._pipes[stream]

        def ready(mask: int) -> None:
            try:
                data = os.read(descriptor, _READ_BYTES)
            except BlockingIOError:
                return
            if data:
                self._captures[stream].add(data)
                return
            self._watched.discard(descriptor)
            self._selector.unregister(descriptor)
            os.close(descriptor)
            del self._pipes[stream]

        return ready

    def _on_end(self) -> None:
        self._ended = time.monotonic()
        self._escalation = []
        if self._pidfd is not None:
            self._selector.unregister(self._pidfd)
            os.close(self._pidfd)
        self._family.end()
        self._tunnel.close()
        self._drain_until = time.monotonic() + DRAIN

    # -- the answer

    def _finish(self) -> None:
        self._tell()
        self._answer = self._answering()

    def _answering(self) -> Iterator[None]:
        """Puts the artifacts and then the result into the outbox, a piece at a time."""
        assert self._job is not None
        limits = self._job["limits"]
        collection = artifacts.Collection(self._folder + "/work", limits["artifacts"], limits["artifact_bytes"])
        number = 0
        for found in collection.files():
            if found is None:
                yield
                continue
            number += 1
            self._outbox.send(wire.FILE, number, wire.dump({"name": found.name, "bytes": found.bytes}))
            for piece in artifacts.content(found, wire.CHUNK_BYTES):
                self._outbox.send(wire.CHUNK, number, piece)
                yield
        for frame in wire.message(wire.RESULT, self._result(collection.note)):
            self._outbox.put(frame)
        yield

    def _result(self, artifacts_note: str) -> bytes:
        assert self._family.wait_status is not None
        assert self._job is not None
        limits = self._job["limits"]
        dump = self._captures[3].record()
        text = f"{dump['head']}{dump['tail']}"
        ended = outcome.Ended(
            self._family.wait_status,
            self._timed_out,
            self._phase_at_limit,
            processes.oom_kills() > self._oom_before,
            self._cancelled,
            stack.fatal(text),
            self._held,
            int(limits["memory"]),
        )
        claim = answer.claim(self._shared.read())
        decided = outcome.decide(ended, claim)
        if decided.status == "error" and not decided.note:
            decided = decided._replace(note=_advice(claim.get("exception")))
        usage = self._family.usage
        seen = {
            **decided._asdict(),
            "seconds": self._ended - self._began,
            "cpu_seconds": usage.cpu_seconds,
            "max_rss_bytes": usage.max_rss_bytes,
            "stdout": self._captures[1].record(),
            "stderr": self._captures[2].record(),
            "artifacts_note": artifacts_note,
            "python": self._ready["python"],
        }
        claimed = {
            "exception": claim.get("exception"),
            "steps": claim.get("steps") or [],
            "recorder": claim.get("recorder", "on" if self._job["recorder"] else "off"),
            "recorder_note": claim.get("recorder_note", ""),
            "stack": [] if decided.status in ("ok", "error", "exit") else stack.parse(text, _HERE),
            "trail": self._trail.lines(),
            "hits": {str(line): count for line, count in self._trail.hits().items()},
        }
        return answer.encode(seen, claimed)


def _advice(exception: object) -> str:
    """`advice` on what the program's process claims to have ended with."""
    if not isinstance(exception, dict):
        return ""
    libraries = [name for name in advice.LIBRARIES if importlib.util.find_spec(name) is not None]
    return advice.advice(str(exception.get("type")), str(exception.get("message")), libraries)
