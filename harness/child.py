"""The program's own process: it is run as `__main__`, and what became of it is written down before the process ends.

Everything here runs beside a program that may have patched `os`, `builtins`, `json` and `sys.modules`, so what is
needed at the end is bound at import and the functions keep their own copy of builtins. A process that the program
forked and that falls out of the program's end goes on like plain Python and reports nothing.
"""

from __future__ import annotations

import atexit
import builtins as _builtins
import faulthandler
import fcntl
import gc
import io
import linecache
import os
import resource
import signal
import sys
import threading
import traceback
import types
from _sitebuiltins import Quitter, _Helper
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from harness import encoder, exchange, kernel, limits, wire
from harness.exchange import Exchange
from harness.recorder import Recorder
from harness.report import exception_report
from harness.trail import Trail

__builtins__ = dict(vars(_builtins))  # type: ignore[assignment]  # functions made below keep this copy

PROGRAM = "scraper.py"
"""The name a program is compiled under and shown as in tracebacks."""

TIMED_OUT = 124
"""Exit code of a program that the time limit ended, as timeout(1) has it."""

_STACK, _JOB = 3, 4

MAX_STACK = 2000
"""Frames looked at, from the innermost outward, when the time limit strikes."""

BALLAST = 4 << 20
"""Bytes held while the program runs and let go when it has ended: the first steps after a MemoryError need some."""

_HERE = os.path.dirname(__file__) + "/"
_exit, _getpid, _kill = os._exit, os.getpid, os.kill
_signal, _getsignal, _sigmask = signal.signal, signal.getsignal, signal.pthread_sigmask
_get_ident = threading.get_ident
_setrlimit, _getrlimit = resource.setrlimit, resource.getrlimit
_run_exit_functions = atexit._run_exitfuncs
_join_threads = threading._shutdown  # type: ignore[attr-defined]
_print_exception = traceback.print_exception
_plain_hook = sys.excepthook
_get_objects, _collect = gc.get_objects, gc.collect
_get_recursion_limit, _set_recursion_limit = sys.getrecursionlimit, sys.setrecursionlimit
_current_frames = sys._current_frames
_KEPT = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType)
_Traceback = types.TracebackType
_WRITERS = (io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom)


class TimeLimit(BaseException):
    """Raised in the program when its time is up. No Exception, so that a broad `except` does not swallow it."""

    __module__ = "builtins"  # shown by its bare name


class Descriptors(NamedTuple):
    """The child's ends: its stdin, stdout and stderr, where faulthandler writes, and where the job comes from."""

    stdin: int
    stdout: int
    stderr: int
    stack: int
    job: int


class Child:
    """One program in this process, from just after the fork to its end.

    The fork is made ahead of the job: copying a large process takes milliseconds that the program would wait for.
    """

    def __init__(self, shared: Exchange, trail: Trail) -> None:
        self._job: dict[str, Any] = {}
        self._shared = shared
        self._trail = trail
        self._pid = 0
        self._recorder: Recorder | None = None
        self._module = types.ModuleType("__main__")
        self._streams: list[io.TextIOWrapper] = []
        self._outcome: dict[str, object] = {"outcome": "ok", "exit_code": 0, "exception": None}
        self._timed_out = False
        """The time was up while the program ran."""
        self._late = False
        """The time was up while the harness itself was at work."""
        self._term_seen = False
        """SIGTERM has been handled; the supervisor sends it twice."""
        self._code = 0
        self._interruptible = False
        self._ballast: bytearray | None = None
        self._room = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        """The memory limit while reporting; made beforehand, when there may be no memory left to make it in."""
        self._masks: dict[int, set[Any]] = {}
        """The signals that each thread blocked before it began to fork."""

    def run(self, descriptors: Descriptors, port: int, folder: str) -> NoReturn:
        """Never returns; `folder` holds the working directory `work`, and the proxy listens on `port`."""
        code = 1
        try:
            self._pid = _getpid()
            self._settle(descriptors, folder)
            self._job = _read_job(_JOB)
            self._begin(port, folder)
            code = self._live()
        except BaseException:
            # The harness failed, not the program: say so where it is seen, and let the exit code tell.
            try:
                _print_exception(*sys.exc_info())
            except BaseException:
                pass
        finally:
            while True:
                try:
                    _exit(code)
                except BaseException:  # patched: whatever happens, the supervisor's code must not go on here
                    pass

    # -- before the program

    def _settle(self, descriptors: Descriptors, folder: str) -> None:
        kernel.die_with_parent()
        os.setsid()
        # Out of the way first, so that no dup2 below overwrites one that is still to be used.
        moved = [fcntl.fcntl(number, fcntl.F_DUPFD, _JOB + 1) for number in descriptors]
        for target, source in enumerate(moved):
            os.dup2(source, target, inheritable=target < 3)
        os.closerange(_JOB + 1, 1 << 16)
        kernel.set_dumpable(True)  # the program may look at its own /proc entries, as anywhere else
        faulthandler.enable(file=_STACK, all_threads=True)
        faulthandler.register(signal.SIGUSR1, file=_STACK, all_threads=True)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, self._on_term)
        os.register_at_fork(
            before=self._before_fork,
            after_in_parent=lambda: self._after_fork(False),
            after_in_child=lambda: self._after_fork(True),
        )

        work = folder + "/work"
        os.chdir(work)
        for number, mode in enumerate("rww"):
            stream = io.TextIOWrapper(
                io.BufferedReader(io.FileIO(0, closefd=False)) if number == 0 else _writer(number),
                encoding="utf-8",
                errors="strict" if number == 0 else "backslashreplace",
                line_buffering=number > 0,
            )
            stream.mode = mode  # type: ignore[misc]
            self._streams.append(stream)
        sys.stdin, sys.stdout, sys.stderr = self._streams
        sys.__stdin__, sys.__stdout__, sys.__stderr__ = self._streams  # type: ignore[misc]

        # -S left these out, and programs end with exit() and quit().
        eof = "Ctrl-D (i.e. EOF)"
        for name in ("exit", "quit"):
            setattr(_builtins, name, Quitter(name, eof))
        _builtins.help = _Helper()

        module = self._module
        module.__file__ = PROGRAM
        module.__dict__["__builtins__"] = _builtins
        sys.modules["__main__"] = module
        sys.path.insert(0, work)

    def _begin(self, port: int, folder: str) -> None:
        if self._job["recorder"]:
            self._recorder = Recorder(self._trail)
        sys.argv = [PROGRAM, *self._job["argv"]]
        limits.apply(self._job["limits"])
        hard = _getrlimit(resource.RLIMIT_AS)[1]
        self._room = (hard, hard)
        self._ballast = bytearray(BALLAST)
        if self._job["proxy"]:
            for name in ("http_proxy", "https_proxy"):
                os.environ[name] = os.environ[name.upper()] = f"http://127.0.0.1:{port}"
        if self._job["ca"]:
            path = folder + "/ca.pem"
            with open(path, "w", encoding="ascii") as file:
                file.write(self._job["ca"])
            for name in ("REQUESTS_CA_BUNDLE", "SSL_CERT_FILE", "CURL_CA_BUNDLE"):
                os.environ[name] = path

    # -- the program and its end

    def _live(self) -> int:
        """The program and all that the interpreter does at its end. Its exit code."""
        self._shared.phase = exchange.RUNNING
        code = self._code = self._main()
        if self._timed_out or self._late:
            self._enter(exchange.CLEARING)
            self._quietly(self._flush_files)  # and nothing that may take its time
        else:
            self._enter(exchange.THREADS)
            self._quietly(_join_threads)
            self._wind_up()
        self._close()
        return code

    def _wind_up(self) -> None:
        """What follows the last thread."""
        self._enter(exchange.EXITING)
        self._quietly(_run_exit_functions)
        self._enter(exchange.CLEARING)
        self._quietly(self._flush_files)
        self._quietly(self._clear)

    def _close(self) -> None:
        self._enter(exchange.REPORTING)
        for stream in self._streams[1:]:
            self._quietly(stream.flush)
        self._enter(exchange.DONE)

    def _main(self) -> int:
        """The program up to its last line, and the report of it. Its exit code so far."""
        code, outcome, error = 0, "ok", None
        try:
            try:
                self._interruptible = True
                self._execute()
            finally:
                self._interruptible = False
                self._lift_memory_limit()
        except SystemExit as stop:
            code, outcome = self._exit_code(stop), "exit"
        except BaseException as raised:
            code, outcome, error = 1, "error", raised
            _trim(raised)
        if self._timed_out:
            code = TIMED_OUT  # the report is of the moment when the time was up
        else:
            described = None if error is None else self._describe(error)
            self._outcome = {"outcome": outcome, "exit_code": code, "exception": described}
        self._enter(exchange.THREADS)
        self._write()
        if error is not None:
            self._quietly(self._show, error)
        return code

    def _execute(self) -> None:
        source = self._job["code"]
        if self._recorder is None:
            code = compile(source, PROGRAM, "exec", dont_inherit=True)
            linecache.cache[PROGRAM] = (len(source), None, source.splitlines(keepends=True), PROGRAM)
        else:
            code = self._recorder.compile(source, PROGRAM)
            self._recorder.install()
        exec(code, self._module.__dict__)

    def _exit_code(self, stop: SystemExit) -> int:
        """As the interpreter has it: None is 0, an int itself, anything else is printed and 1."""
        value = stop.code
        if value is None:
            return 0
        if type(value) is int or type(value) is bool:
            return value & 0xFF
        try:
            print(value, file=sys.stderr)
        except BaseException:
            pass
        return 1

    def _show(self, error: BaseException) -> None:
        """The traceback on stderr, through the program's own hook where it has set one."""
        hook = sys.excepthook
        if hook is _plain_hook:
            _print_exception(error)  # the plain hook would, before 3.13, look for the source in a file
        else:
            hook(type(error), error, error.__traceback__)

    def _flush_files(self) -> None:
        """Files that the program left open would be flushed by the interpreter's own end, which `_exit` skips."""
        for candidate in _get_objects():
            if type(candidate) in _WRITERS:
                try:
                    candidate.flush()
                except BaseException:
                    pass

    def _clear(self) -> None:
        """Drops the values that the program held, so that their finalisers run; those may write files, too.

        Modules, functions and classes stay, since finalisers use them. While daemon threads run, all of it stays: they
        would stumble over what is missing, where the interpreter's own end just stops them.
        """
        if len(_current_frames()) > 1:
            return
        names = self._module.__dict__
        for name in list(names):
            kind = type(names[name])
            if kind not in _KEPT and not issubclass(kind, type):
                names[name] = None
        _collect()

    def _quietly(self, step: Callable[..., object], *arguments: object) -> None:
        """What ends badly after the last line, by the time limit perhaps, changes nothing about the outcome."""
        try:
            try:
                self._interruptible = True
                step(*arguments)
            finally:
                self._interruptible = False
        except BaseException:
            pass

    # -- the time limit

    def _before_fork(self) -> None:
        """In a process that the program forks, SIGTERM shall do what it does by default.

        A handler in Python runs between two instructions, so a signal that comes just before a wait in C code is not
        noticed there, and one that comes right after the fork is forgotten: `Pool.terminate` would hang. So it is held
        back until the handler is gone.
        """
        self._masks[_get_ident()] = _sigmask(signal.SIG_BLOCK, {signal.SIGTERM})

    def _after_fork(self, forked: bool) -> None:
        if forked and _getsignal(signal.SIGTERM) == self._on_term:
            _signal(signal.SIGTERM, signal.SIG_DFL)
        _sigmask(signal.SIG_SETMASK, self._masks.pop(_get_ident(), set()))

    def _on_term(self, number: int, frame: types.FrameType | None) -> None:
        if _getpid() != self._pid or not self._shared.stopping:
            _signal(signal.SIGTERM, signal.SIG_DFL)  # the program's own doing: what it would do without a handler
            _kill(_getpid(), signal.SIGTERM)
            return
        if self._term_seen:
            return
        self._term_seen = True
        phase = self._shared.phase
        if not self._interruptible or phase >= exchange.REPORTING:
            self._late = True
            return
        waited = self._shared.waited
        more = f", not counting {waited:.1f} s of waiting for a site's turn" if waited else ""
        if phase == exchange.THREADS:
            # Waited for by code that takes no exception: from 3.13 on it would print it and wait for the next thread.
            self._wind_up()
            self._close()
            _exit(self._code)
        error = TimeLimit(f"still running after {self._job['limits']['seconds']:g} s{more}")
        if phase == exchange.RUNNING:
            self._timed_out = True
            self._enter(exchange.REPORTING)  # which gets more time than the program would
            self._lift_memory_limit()
            _set_recursion_limit(_get_recursion_limit() + 500)
            described = self._describe(error.with_traceback(_traceback_to(frame)))
            self._outcome = {"outcome": "timeout", "exit_code": TIMED_OUT, "exception": described}
            self._write()
            self._enter(exchange.RUNNING)
            error.__traceback__ = None
        raise error

    # -- the report

    def _enter(self, phase: int) -> None:
        if _getpid() == self._pid:
            self._shared.phase = phase

    def _lift_memory_limit(self) -> None:
        """Up to the hard limit, which leaves some room to report a MemoryError. Lifting it takes memory, too."""
        self._ballast = None
        try:
            _setrlimit(resource.RLIMIT_AS, self._room)
        except (OSError, ValueError, MemoryError):
            pass

    def _describe(self, error: BaseException) -> object:
        try:
            return exception_report(error, PROGRAM)
        except BaseException as failure:
            return {"type": _class_name(error), "message": f"(not described: {_class_name(failure)})", "frames": []}

    def _write(self) -> None:
        if _getpid() != self._pid:
            return
        report: dict[str, object] = dict(self._outcome)
        recorder = self._recorder
        report["recorder"], report["recorder_note"] = "off", "switched off"
        report["steps"] = []
        if recorder is not None:
            try:
                report["recorder"], report["recorder_note"] = recorder.state, recorder.note
                report["steps"] = recorder.steps()
            except BaseException as failure:
                report["recorder_note"] = f"steps lost: {_class_name(failure)}"
        for lost in ("", "steps", "exception"):
            if lost:
                report[lost] = None
                report["recorder_note"] = f"{lost} too large to report"
            try:
                self._shared.write(encoder.encode(report, exchange.CAPACITY))
            except encoder.TooLarge:
                continue
            return


def _read_job(descriptor: int) -> dict[str, Any]:
    """The job, once it has come whole: the other end is closed after it. EOFError where none comes."""
    parts = []
    while data := os.read(descriptor, 1 << 20):
        parts.append(data)
    os.close(descriptor)
    if not parts:
        raise EOFError("no job")
    return wire.load(b"".join(parts))


def _writer(number: int) -> io.BufferedWriter:
    return io.BufferedWriter(io.FileIO(number, "w", closefd=False))


def _class_name(value: object) -> str:
    name: str = type.__dict__["__name__"].__get__(type(value))
    return name


def _trim(error: BaseException) -> None:
    """Takes the harness's own frames out of the traceback: those around the program, and the handler that ended it."""
    kept = []
    trace = error.__traceback__
    while trace is not None:
        if not trace.tb_frame.f_code.co_filename.startswith(_HERE):
            kept.append(trace)
        trace = trace.tb_next
    below = None
    for trace in reversed(kept):
        trace.tb_next = below
        below = trace
    BaseException.with_traceback(error, below)


def _traceback_to(frame: types.FrameType | None) -> types.TracebackType | None:
    """A traceback that ends in the frame, as if an exception had come all the way from it."""
    trace: types.TracebackType | None = None
    count = 0
    while frame is not None and count < MAX_STACK and frame.f_code is not Child._execute.__code__:
        if not frame.f_code.co_filename.startswith(_HERE):
            trace = _Traceback(trace, frame, frame.f_lasti, frame.f_lineno or 0)
            count += 1
        frame = frame.f_back
    return trace
