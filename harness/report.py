"""An exception as data, bounded whatever it holds, and without running the program's code.

Exceptions are the program's own objects: their `__str__` may raise, hang or exit, their chain may be a circle or have
a hundred thousand links, their attributes may lie. Everything here is read through the interpreter's own descriptors.
"""

from __future__ import annotations

import builtins
import linecache
import os
import stat
from collections.abc import Iterator
from itertools import islice
from types import BuiltinFunctionType, FrameType, FunctionType, ModuleType, TracebackType
from typing import Any

from harness.describe import CUT, Describer
from harness.fields import instance_dict, type_name

# Our own copy: functions defined below do not see what the program puts into the real one.
globals()["__builtins__"] = vars(builtins).copy()

FRAMES = 30
"""Frames of one exception that are reported; of a cause, a third of it."""
CHAIN = 8
"""Exceptions of a chain that are reported."""
LOCALS = 40
MESSAGE = 2000
SOURCE = 300
SUB_EXCEPTIONS = 5
_LIBRARY_SOURCE = 2_000_000

_args: Any = BaseException.__dict__["args"].__get__
_cause: Any = BaseException.__dict__["__cause__"].__get__
_context: Any = BaseException.__dict__["__context__"].__get__
_suppress: Any = BaseException.__dict__["__suppress_context__"].__get__
_traceback: Any = BaseException.__dict__["__traceback__"].__get__
_group_message: Any = BaseExceptionGroup.__dict__["message"].__get__
_group_members: Any = BaseExceptionGroup.__dict__["exceptions"].__get__
_syntax: dict[str, Any] = {
    name: SyntaxError.__dict__[name].__get__ for name in ("msg", "filename", "lineno", "offset", "text")
}
_os: dict[str, Any] = {name: OSError.__dict__[name].__get__ for name in ("errno", "strerror", "filename", "filename2")}
_unicode: dict[type, list[Any]] = {
    kind: [vars(kind)[name].__get__ for name in ("encoding", "reason", "object") if name in vars(kind)]
    for kind in (UnicodeDecodeError, UnicodeEncodeError, UnicodeTranslateError)
}
_BUILTIN = frozenset(
    kind for kind in vars(builtins).values() if isinstance(kind, type) and issubclass(kind, BaseException)
)
_SAFE = frozenset({str, int, float, bool, bytes, type(None)})
_SHY = frozenset({ModuleType, FunctionType, BuiltinFunctionType, type})
_HARNESS = os.path.dirname(os.path.abspath(__file__)) + os.sep
_sources: dict[str, list[str]] = {}
_cache: dict[str, Any] = linecache.cache
_open, _read, _close, _fstat = os.open, os.read, os.close, os.fstat
_S_ISREG, _FLAGS = stat.S_ISREG, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


def remember_source(filename: str, source: str) -> None:
    """Keep a program's text, so that its lines can be shown whatever it does to `linecache` and the disk."""
    _sources[filename] = source.splitlines()


def exception_report(exc: BaseException, program_file: str) -> dict[str, Any]:
    """An exception as JSON of `session.result.ExceptionInfo`.

    The chain (`__cause__`, else `__context__` where it is not suppressed) is followed for `CHAIN` links and never in a
    circle. Frames are the program's, outermost first, at most `FRAMES`, and the innermost library frame where the
    exception came from a library; the others are counted in `folded` of the frame before them. Locals are described by
    `describe.Describer` under one time budget. Columns are 0-based character offsets, -1 where unknown.
    """
    links: list[tuple[BaseException, str]] = []
    seen: set[int] = set()
    link: BaseException | None = exc
    relation = ""
    while link is not None and id(link) not in seen and len(links) < CHAIN:
        links.append((link, relation))
        seen.add(id(link))
        cause = _cause(link)
        if cause is not None:
            link, relation = cause, "cause"
        elif not _suppress(link):
            link, relation = _context(link), "context"
        else:
            link = None
    describer = Describer(seconds=1.0)
    below: dict[str, Any] | None = None
    below_relation = ""
    for index in range(len(links) - 1, -1, -1):
        link, relation = links[index]
        most = FRAMES if index == 0 else FRAMES // 3
        report = {
            "type": type_name(type(link)),
            "message": exception_message(link),
            "frames": _frames(link, program_file, most, describer),
            "cause": below,
            "relation": below_relation,
            "notes": _notes(link, program_file),
        }
        below, below_relation = report, relation
    assert below is not None
    return below


def exception_text(error: BaseException | None) -> str:
    """`Class: message` in one short line; empty for None."""
    if error is None:
        return ""
    message = exception_message(error)
    text = f"{type_name(type(error))}: {message}" if message else type_name(type(error))
    return text if len(text) <= MESSAGE // 8 else text[: MESSAGE // 8] + CUT


def exception_message(error: BaseException, depth: int = 3) -> str:
    """What the exception says, at most `MESSAGE` characters.

    For a class of the interpreter's whose arguments are plain values this is exactly `str(error)`, made by that class's
    own C code. No other `__str__` is called: for a class of the program's or of a library's, and where an argument is
    an object, the message is made from the arguments (one string is the message itself, anything else is described).
    That is what the inherited `__str__` gives; where a class overrides it, its message may read otherwise on stderr.
    """
    try:
        text = _message(error, depth)
    except BaseException:
        text = ""
    return text if len(text) <= MESSAGE else f"{text[:MESSAGE]}{CUT} ({len(text)} characters)"


def _message(error: BaseException, depth: int) -> str:
    kind = type(error)
    # `issubclass` on real classes reads the interpreter's own tables; `isinstance` may ask the object's `__class__`.
    if issubclass(kind, BaseExceptionGroup):
        message = _group_message(error)
        size = len(_group_members(error))
        text = message if type(message) is str else ""
        return f"{text[:MESSAGE]} ({size} sub-exception{'' if size == 1 else 's'})"
    args = _args(error)
    # A SyntaxError's text is made from its fields alone.
    plain_args = issubclass(kind, SyntaxError) or _is_plain(args)
    if type(kind) is type and kind in _BUILTIN and plain_args and _fields_are_plain(error, kind):
        return str(kind.__str__(error))
    if not args:
        return _from_fields(error, kind)
    if len(args) == 1:
        return _argument(args[0], depth)
    return "(" + ", ".join(Describer(depth=1).describe(x) for x in islice(args, 10)) + ")"


def _is_plain(args: tuple[Any, ...]) -> bool:
    return len(args) <= 10 and all(type(type(x)) is type and type(x) in _SAFE for x in args)


def _argument(value: Any, depth: int) -> str:
    if type(value) is str:
        return value
    if depth and issubclass(type(value), BaseException):
        return f"{type_name(type(value))}: {exception_message(value, depth - 1)}"
    return Describer(depth=1).describe(value)


def _fields_are_plain(error: BaseException, kind: type) -> bool:
    """Whether the fields that a C `__str__` reads beside the arguments are plain as well."""
    if issubclass(kind, OSError):
        return _is_plain(tuple(get(error) for get in _os.values()))
    if issubclass(kind, SyntaxError):
        return _is_plain(tuple(get(error) for get in _syntax.values()))
    for unicode_kind, fields in _unicode.items():
        if kind is unicode_kind:
            return _is_plain(tuple(get(error) for get in fields))
    return True


def _from_fields(error: BaseException, kind: type) -> str:
    """A message for an exception that keeps it outside `args`: an error number with its text, or plain attributes."""
    if issubclass(kind, OSError):
        number, text = _os["errno"](error), _os["strerror"](error)
        if type(number) is int and type(text) is str:
            return f"[Errno {number}] {text}"
    plain = [
        f"{name}={value[:SOURCE]!r}" if type(value) is str else f"{name}={value}"
        for name, value in islice(instance_dict(error).items(), 20)
        if name[:1] != "_" and (type(value) is str or (type(value) is int and abs(value) < 1 << 64))
    ]
    return ", ".join(plain[:5])


def _notes(error: BaseException, program_file: str) -> list[str]:
    notes: Any = instance_dict(error).get("__notes__")
    found: list[str] = []
    if type(notes) is list:
        found = [x[:SOURCE] for x in islice(notes, 5) if type(x) is str]
    if issubclass(type(error), BaseExceptionGroup):
        for index, member in enumerate(islice(_group_members(error), SUB_EXCEPTIONS), 1):
            line = _program_line(member, program_file)
            where = f" (line {line})" if line else ""
            found.append(f"sub-exception {index}: {exception_text(member)}{where}")
    return found


def _program_line(error: BaseException, program_file: str) -> int:
    line = 0
    for frame, at, _ in _walk(_traceback(error)):
        if frame.f_code.co_filename == program_file:
            line = at
    return line


def _walk(traceback: TracebackType | None) -> Iterator[tuple[FrameType, int, int]]:
    """Frame, line and instruction of each entry, outermost first, without the recorder's own, at most 100,000."""
    for _ in range(100_000):
        if traceback is None:
            return
        frame = traceback.tb_frame
        if not frame.f_code.co_filename.startswith(_HARNESS):
            yield frame, traceback.tb_lineno or 0, traceback.tb_lasti
        traceback = traceback.tb_next


def _frames(error: BaseException, program_file: str, most: int, describer: Describer) -> list[dict[str, Any]]:
    kept: list[tuple[FrameType, int, int, int]] = []
    library: tuple[FrameType, int, int] | None = None
    hidden = 0
    for frame, line, instruction in _walk(_traceback(error)):
        if frame.f_code.co_filename == program_file:
            if kept and hidden:
                kept[-1] = (*kept[-1][:3], hidden)
            kept.append((frame, line, instruction, 0))
            library, hidden = None, 0
        else:
            library = (frame, line, instruction)
            hidden += 1
    if library is not None:
        if kept and hidden > 1:
            kept[-1] = (*kept[-1][:3], hidden - 1)
        kept.append((*library, 0))
    if len(kept) > most:
        first = most // 3
        left_out = len(kept) - most
        kept = [*kept[: first - 1], (*kept[first - 1][:3], left_out), *kept[left_out + first :]]
    frames = [_frame(*entry, program_file, describer) for entry in kept]
    if issubclass(type(error), SyntaxError) and (place := _syntax_frame(error, program_file)):
        frames.append(place)
    return frames


def _frame(
    frame: FrameType, line: int, instruction: int, folded: int, program_file: str, describer: Describer
) -> dict[str, Any]:
    code = frame.f_code
    source = _source(code.co_filename, line)
    start, end_line, column, end_column = line, 0, -1, -1
    if instruction >= 0:
        position = next(islice(code.co_positions(), instruction // 2, None), None)
        if position and position[0] is not None and position[0] == line:
            end_line = position[1] or line
            column = _characters(source, position[2])
            last = source if end_line == line else _source(code.co_filename, end_line)
            end_column = _characters(last, position[3])
    return {
        "file": code.co_filename,
        "line": start,
        "function": code.co_qualname,
        "source": source.strip()[:SOURCE],
        "end_line": end_line,
        "column": column,
        "end_column": end_column,
        "locals": _locals(frame, describer) if code.co_filename == program_file else {},
        "folded": folded,
    }


def _characters(source: str, offset: int | None) -> int:
    """A UTF-8 byte offset as a character offset, -1 where it is unknown."""
    if offset is None:
        return -1
    return len(source.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "replace"))


def _source(filename: str, line: int) -> str:
    """A line of the program's text as it was given, or of a library's file."""
    lines = _sources.get(filename)
    if lines is None:
        lines = _sources[filename] = _cached_lines(filename) or _read_lines(filename)
    return lines[line - 1] if 0 < line <= len(lines) else ""


def _cached_lines(filename: str) -> list[str]:
    """The lines that `linecache` was given for a text that lies in no file."""
    entry = _cache.get(filename)
    lines = entry[2] if type(entry) is tuple and len(entry) == 4 else None
    return [line.rstrip("\r\n") for line in lines if type(line) is str] if type(lines) is list else []


def _read_lines(filename: str) -> list[str]:
    """The lines of a regular file. A code object may claim any file name: a pipe or a device is not read."""
    if filename[:1] != "/" or filename[-3:] != ".py":
        return []
    try:
        handle = _open(filename, _FLAGS)
    except OSError:
        return []
    try:
        if not _S_ISREG(_fstat(handle).st_mode):
            return []
        return _read(handle, _LIBRARY_SOURCE).decode("utf-8", "replace").splitlines()
    finally:
        _close(handle)


def _locals(frame: FrameType, describer: Describer) -> dict[str, str]:
    """The frame's locals as text; of a module what a person would look for: no modules, functions, classes, dunders."""
    try:
        found: Any = frame.f_locals
        if type(found) is not dict and type_name(type(found)) != "FrameLocalsProxy":
            # A class body may have a namespace of the program's making.
            return {}
        module = found is frame.f_globals
        out: dict[str, str] = {}
        for name, value in list(found.items()):
            if type(name) is not str or not name.isidentifier():
                continue
            kind = type(value)
            if module and (name[:2] == "__" or type(kind) is not type or kind in _SHY):
                continue
            out[name[:100]] = describer.describe(value)
            if len(out) >= LOCALS:
                break
        return out
    except BaseException:
        return {}


def _syntax_frame(error: BaseException, program_file: str) -> dict[str, Any] | None:
    """Where the text of the program itself is wrong: no frame ran, the place is in the exception."""
    filename, line, offset = (_syntax[name](error) for name in ("filename", "lineno", "offset"))
    if filename != program_file or type(line) is not int:
        return None
    column = offset - 1 if type(offset) is int and offset > 0 else -1
    return {
        "file": program_file,
        "line": line,
        "function": "<module>",
        "source": _source(program_file, line).strip()[:SOURCE],
        "end_line": 0,
        "column": column,
        "end_column": -1,
        "locals": {},
        "folded": 0,
    }
