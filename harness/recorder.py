"""The flight recorder: the last steps of a program, with the values they bound, and the trail in shared memory.

`Recorder.compile` rewrites a program (`instrument`) and puts this module's hooks into its code. What a hook costs is
what the recorder costs, so the hooks are plain and short: a store in the trail, stores in three lists of the same
length, and for a plain value no object is made; hits are counted a lap at a time. Values are copied compactly as they
are recorded (`snapshot`), so no object of the program lives longer for having been seen.

The state that the hooks share is consistent wherever the interpreter may switch threads or run a signal's handler: at
the start of a function and after a call. Between a line's stores there is neither.
"""

from __future__ import annotations

import builtins
import gc
import linecache
import os
import sys
import sysconfig
import threading
import types
import warnings
from array import array
from collections.abc import Callable
from itertools import count
from typing import Any

from harness.describe import BIG
from harness.fields import is_plain
from harness.instrument import FLAG, MODULE_FRAME, NEXT, UNBOUND, bind, rewrite
from harness.report import exception_text, remember_source
from harness.snapshot import shown, snapshot
from harness.trail import LAPS, RING, Trail, tally

# Our own copy: functions defined below do not see what the program puts into the real one.
globals()["__builtins__"] = vars(builtins).copy()

Frame = tuple[int, int, str]
"""A frame's number (the module's is 0), the thread's identity, the function's qualified name."""

_Entry = tuple[int, Frame, Any, Any]
"""A trail's entry (a line, FLAG or two lines), the frame, the site (None: the line alone), the copied values.

A site is a constant of the program's code: (kind, line, names, ...), see `instrument`.
"""

_FRAMES = 10_000
"""Numbers that are kept for frames found by looking; past it they are forgotten."""
_NOT_TOUCHED = frozenset({str, int, float, bool, bytes, tuple, frozenset, type(None), types.ModuleType, type})
"""Receivers of a method call that it can't have changed, or that say nothing."""


class Recorder:
    """Records one program. `state` is "on" or "off", `note` says why it is off.

    `trail` is the shared mapping, None where nobody outside reads along; `steps` is how many steps are kept, at most
    as many as the trail's ring holds.
    """

    def __init__(self, trail: Trail | None = None, steps: int = 200) -> None:
        self.state = "off"
        self.note = "nothing was compiled"
        self.limit = steps
        self._trail = trail if trail is not None else Trail(shared=False, ring=max(RING, steps))
        self._source = ""
        self._filename = ""
        self._main = 0
        self._recorded: Callable[[], list[_Entry]] = list
        self.hooks: dict[str, Any] = {}
        """What the code of the program calls, by the names of `instrument.HOOKS`."""

    def compile(self, source: str | bytes, filename: str) -> types.CodeType:
        """The program's code, recording where that can be had. Raises what compiling the program plainly raises."""
        self._source = source if isinstance(source, str) else source.decode("utf-8", "replace")
        self._filename = filename
        remember_source(filename, self._source)
        self.note = "the program does not compile"
        plain = compile(source, filename, "exec", dont_inherit=True)
        if sysconfig.get_config_var("Py_GIL_DISABLED"):
            self.note = "a free-threaded interpreter is not recorded"
            return plain
        collecting = gc.isenabled()
        # A tree's many nodes, short-lived, would bring the program's first full collection forward.
        gc.disable()
        try:
            with warnings.catch_warnings():
                # The program's own warnings were given by the first compilation.
                warnings.simplefilter("ignore")
                tree = rewrite(source, filename)
                code = compile(tree, filename, "exec", dont_inherit=True)
            self.hooks, self._recorded, forked = _hooks(self._trail, len(self._source.splitlines()) + 3)
            code = bind(code, self.hooks)
        except Exception as error:
            self.note = f"the program could not be rewritten: {exception_text(error)}"
            return plain
        finally:
            if collecting:
                gc.enable()
        os.register_at_fork(after_in_child=forked)
        self.state, self.note = "on", ""
        return code

    def install(self) -> None:
        """Give the program's text to `linecache`: tracebacks and `inspect` show it whatever lies on the disk."""
        lines = self._source.splitlines(keepends=True)
        linecache.cache[self._filename] = (len(self._source), None, lines, self._filename)
        self._main = threading.get_ident()

    def steps(self) -> list[dict[str, Any]]:
        """The last steps, oldest first, as JSON of `session.result.Step`."""
        if self.state != "on":
            return []
        steps: list[dict[str, Any]] = []
        threads: dict[int, int] = {self._main: 0} if self._main else {}
        for entry in self._recorded():
            _expand(*entry, threads, steps)
        return steps[-self.limit :]


def _expand(
    line: int, frame: Frame, site: Any, value: Any, threads: dict[int, int], steps: list[dict[str, Any]]
) -> None:
    """The steps that one entry of the ring stands for."""
    kind, at, names = site[:3] if site is not None else ("line", line, ())
    number, thread, function = frame
    # Where no names are, the value is one left behind by the lap before.
    copies = [value] if len(names) == 1 else value if names else ()
    texts = {name: shown(copy) for name, copy in zip(names, copies, strict=True)}

    def step(at: int, kind: str, values: dict[str, str]) -> None:
        place = threads.setdefault(thread, len(threads))
        steps.append(
            {"line": at, "function": function, "frame": number, "thread": place, "kind": kind, "values": values}
        )

    if kind in ("call", "return", "raise"):
        step(at, kind, texts)
    elif kind == "loop":
        step(at, "line", {})
        step(at, "set", texts)
    else:
        if texts:
            step(at, "set", texts)
        if not line & FLAG:
            step(line, "line", {})
    if line >> NEXT:
        step(line >> NEXT, "line", {})


def _hooks(trail: Trail, lines: int) -> tuple[dict[str, Any], Callable[[], list[_Entry]], Callable[[], None]]:
    """The hooks, with what reads the ring and what a forked child must call, around one shared state."""
    size = len(trail.ring)
    ring, log, header, empty, publish = trail.ring, trail.log, trail.header, trail.empty, trail.publish
    frames: list[Any] = [None] * size
    sites: list[Any] = [None] * size
    values: list[Any] = [None] * size
    counts = array("I", bytes(4 * max(lines + 1, 256)))
    at = 0
    get_ident, getframe, exc_info = threading.get_ident, sys._getframe, sys.exc_info
    numbers = count(1)
    # Beyond these an integer is looked at; the smaller ones that are compared first are quicker to compare with.
    low, high = -BIG, BIG
    found: dict[int, int] = {}
    module: Frame = (0, get_ident(), "<module>")

    plain: Any = b"%b"

    laps: list[bytes] = []

    def turn() -> None:
        nonlocal at, laps
        if at >= size:
            # No call before `at` is set: nothing can come in between. (Hence the copy by formatting.)
            start = header[0] % LAPS * size
            log[start : start + size] = ring
            ring[:] = empty
            header[0] += 1
            if not header[0] % LAPS:
                laps += [plain % (log,)]
            at = 0
        while laps:
            full = laps[0]
            del laps[0]
            try:
                tally(full, counts)
            except RecursionError:
                laps += [full]  # tally's first call failed, so nothing of it was counted
                return
            publish(memoryview(counts))

    def put(line: int, frame: Frame, site: Any, value: Any) -> None:
        nonlocal at
        # Again and again: while the one thread counts its lap, others may fill the next. So may a trace function of the
        # program's own, which is called between any two of these lines.
        while True:
            try:
                while at >= size:
                    turn()
                here = at
                ring[here] = line
                frames[here] = frame
                sites[here] = site
                values[here] = value
                at = here + 1
            except IndexError:
                continue
            except RecursionError:
                if at >= size:
                    return
                continue
            return

    # The hooks that run for nearly every line have `put` and the check for plain values spelt out: a call is half of
    # what they cost. A hook that runs out of stack is silent: the program meets the limit itself a few calls on.

    def note(line: int, frame: Frame) -> None:
        nonlocal at
        try:
            here = at
            ring[here] = line
            frames[here] = frame
            sites[here] = None
            at = here + 1
        except IndexError:
            put(line, frame, None, None)

    def bind_one(line: int, site: Any, frame: Frame, value: Any) -> None:
        nonlocal at
        try:
            kind = type(value)
            if kind is str:
                if len(value) > 200:
                    value = snapshot(value)
            elif kind is int:
                if (value > 1_000_000_000 or value < -1_000_000_000) and (value > high or value < low):
                    value = snapshot(value)
            elif kind is not float and kind is not bool and value is not None:
                value = snapshot(value)
            here = at
            ring[here] = line
            frames[here] = frame
            sites[here] = site
            values[here] = value
            at = here + 1
        except IndexError:
            put(line, frame, site, value)
        except RecursionError:
            pass

    def touch(line: int, site: Any, frame: Frame, value: Any) -> None:
        nonlocal at
        try:
            kind = type(value)
            if kind is list or kind is dict or _telling(kind):
                value = snapshot(value)
            elif line & FLAG:
                return
            else:
                site = value = None
            here = at
            ring[here] = line
            frames[here] = frame
            sites[here] = site
            values[here] = value
            at = here + 1
        except IndexError:
            put(line, frame, site, value)
        except RecursionError:
            pass

    def copies(seen: tuple[Any, ...]) -> Any:
        many = len(seen)
        if many == 2:
            return [snapshot(seen[0]), snapshot(seen[1])]
        if many == 3:
            return [snapshot(seen[0]), snapshot(seen[1]), snapshot(seen[2])]
        return snapshot(seen[0]) if many == 1 else [snapshot(value) for value in seen]

    def bind_many(line: int, site: Any, frame: Frame, *seen: Any) -> None:
        try:
            put(line, frame, site, copies(seen))
        except RecursionError:
            pass

    def enter(line: int, site: Any, *seen: Any) -> Frame:
        nonlocal at
        frame = (next(numbers), get_ident(), site[3])
        value = None
        try:
            value = copies(seen)
            here = at
            ring[here] = line
            frames[here] = frame
            sites[here] = site
            values[here] = value
            at = here + 1
        except IndexError:
            put(line, frame, site, value)
        except RecursionError:
            pass
        return frame

    def enter_one(line: int, site: Any, value: Any) -> Frame:
        nonlocal at
        frame = (next(numbers), get_ident(), site[3])
        try:
            kind = type(value)
            if kind is str:
                if len(value) > 200:
                    value = snapshot(value)
            elif kind is int:
                if (value > 1_000_000_000 or value < -1_000_000_000) and (value > high or value < low):
                    value = snapshot(value)
            elif kind is not float and kind is not bool and value is not None:
                value = snapshot(value)
            here = at
            ring[here] = line
            frames[here] = frame
            sites[here] = site
            values[here] = value
            at = here + 1
        except IndexError:
            put(line, frame, site, value)
        except RecursionError:
            pass
        return frame

    def leave(result: Any, site: Any, frame: Frame) -> Any:
        nonlocal at
        value = result
        try:
            kind = type(value)
            if kind is str:
                if len(value) > 200:
                    value = snapshot(value)
            elif kind is int:
                if (value > 1_000_000_000 or value < -1_000_000_000) and (value > high or value < low):
                    value = snapshot(value)
            elif kind is not float and kind is not bool and value is not None:
                value = snapshot(value)
            here = at
            ring[here] = FLAG
            frames[here] = frame
            sites[here] = site
            values[here] = value
            at = here + 1
        except IndexError:
            put(FLAG, frame, site, value)
        except RecursionError:
            pass
        return result

    def caught(line: int, site: Any, frame: Any) -> None:
        try:
            put(line, place(frame, 2), site, ("text", exception_text(exc_info()[1])))
        except RecursionError:
            pass

    def place(frame: Any, depth: int) -> Frame:
        """The frame of a hook that was given a function's name only, or that of another thread."""
        thread = get_ident()
        if type(frame) is not str:
            return frame if frame[1] == thread else (frame[0], thread, frame[2])
        key = id(getframe(depth))
        number = found.get(key)
        if number is None:
            if len(found) > _FRAMES:
                found.clear()
            number = found[key] = next(numbers)
        return (number, thread, frame)

    def slow(line: int, site: Any, frame: Any, *seen: Any) -> None:
        try:
            frame = place(frame, 2)
            if site is not None and (site[0] != "touch" or _telling(type(seen[0]))):
                put(line, frame, site, copies(seen))
            elif not line & FLAG:
                put(line, frame, None, None)
        except RecursionError:
            pass

    def slow_enter(site: Any, *seen: Any) -> None:
        try:
            found.pop(id(getframe(1)), None)
            put(site[1], place(site[3], 2), site, copies(seen))
        except RecursionError:
            pass

    def slow_leave(value: Any, site: Any, frame: Any) -> Any:
        try:
            put(FLAG, place(frame, 2), site, snapshot(value))
        except RecursionError:
            pass
        return value

    def recorded() -> list[_Entry]:
        last = list(zip(ring.tolist()[:at], frames, sites, values, strict=False))
        if header[0] and len(last) < size:
            older = trail.logged(header[0] - 1)
            last = list(zip(older[at:], frames[at:], sites[at:], values[at:], strict=True)) + last
        return [entry for entry in last if entry[1] is not None]

    def forked() -> None:
        """In a forked child: leave the shared trail to the parent."""
        nonlocal trail, ring, log, header, publish
        own = Trail(shared=False, ring=size)
        own.ring[:], own.log[:], own.header[:] = ring, log, header
        trail, ring, log, header, publish = own, own.ring, own.log, own.header, own.publish

    hooks = {
        "note": note,
        "bind": bind_one,
        "touch": touch,
        "bind_many": bind_many,
        "enter": enter,
        "enter_one": enter_one,
        "leave": leave,
        "caught": caught,
        "slow": slow,
        "slow_enter": slow_enter,
        "slow_leave": slow_leave,
        MODULE_FRAME: module,
        UNBOUND: NameError,
    }
    return hooks, recorded, forked


def _telling(kind: type) -> bool:
    """Whether it is worth noting an object of that type again after a method was called on it."""
    return is_plain(kind) and kind not in _NOT_TOUCHED
