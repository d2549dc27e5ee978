"""An exception as data, bounded whatever it holds, and without running the program's code.

Exceptions are the program's own objects: their `__str__` may raise, hang or exit, their chain may be a circle or have
a hundred thousand links, their attributes may lie. Everything here is read through the interpreter's own descriptors.
"""

from __future__ import annotations

import builtins
import linecache
import os
import types
from collections.abc import Iterator
from itertools import islice
from typing import Any

from harness.describe import CUT, Describer, instance_dict, type_name

FRAMES = 30
"""Frames of one exception that are reported; of a cause, a third of it."""
CHAIN = 8
"""Exceptions of a chain that are reported."""
LOCALS = 40
MESSAGE = 2000
SOURCE = 300
SUB_EXCEPTIONS = 5

_type, _len, _isinstance, _int, _str, _BaseException = type, len, isinstance, int, str, BaseException
_args = BaseException.__dict__["args"].__get__
_cause = BaseException.__dict__["__cause__"].__get__
_context = BaseException.__dict__["__context__"].__get__
_suppress = BaseException.__dict__["__suppress_context__"].__get__
_traceback = BaseException.__dict__["__traceback__"].__get__
_Group, _SyntaxError, _OSError = BaseExceptionGroup, SyntaxError, OSError
_group_message = BaseExceptionGroup.__dict__["message"].__get__
_group_members = BaseExceptionGroup.__dict__["exceptions"].__get__
_syntax = {name: SyntaxError.__dict__[name].__get__ for name in ("msg", "filename", "lineno", "offset", "text")}
_os = {name: OSError.__dict__[name].__get__ for name in ("errno", "strerror", "filename", "filename2")}
_BUILTIN = frozenset(
    kind for kind in vars(builtins).values() if isinstance(kind, type) and issubclass(kind, BaseException)
)
_SAFE = frozenset({str, int, float, bool, bytes, type(None)})
_SHY = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)
_HARNESS = os.path.dirname(os.path.abspath(__file__)) + os.sep
_sources: dict[str, list[str]] = {}
_getline = linecache.getline
_basename = os.path.basename


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
    while link is not None and id(link) not in seen and _len(links) < CHAIN:
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
    for index in range(_len(links) - 1, -1, -1):
        link, relation = links[index]
        most = FRAMES if index == 0 else FRAMES // 3
        report = {
            "type": type_name(_type(link)),
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
    text = f"{type_name(_type(error))}: {message}" if message else type_name(_type(error))
    return text if _len(text) <= MESSAGE // 8 else text[: MESSAGE // 8] + CUT


def exception_message(error: BaseException, depth: int = 3) -> str:
    """What the exception says, at most `MESSAGE` characters.

    For a class of the interpreter's whose arguments are plain values this is exactly `str(error)`, made by that class's
    own C code. No other `__str__` is called: for a class of the program's or of a library's, and where an argument is an
    object, the message is made from the arguments (one string is the message itself, anything else is described), which
    is what the inherited `__str__` would give and what classes that override it are nearly always called with.
    """
    try:
        text = _message(error, depth)
    except _BaseException:
        text = ""
    return text if _len(text) <= MESSAGE else f"{text[:MESSAGE]}{CUT} ({_len(text)} characters)"


def _message(error: BaseException, depth: int) -> str:
    kind = _type(error)
    if _isinstance(error, _Group):
        message = _group_message(error)
        size = _len(_group_members(error))
        text = message if _type(message) is _str else ""
        return f"{text[:MESSAGE]} ({size} sub-exception{'' if size == 1 else 's'})"
    args = _args(error)
    safe = all(_type(x) in _SAFE for x in islice(args, 10)) and _len(args) <= 10
    if kind in _BUILTIN and safe and _plain_fields(error):
        return kind.__str__(error)
    if not args:
        return _from_fields(error)
    if _len(args) == 1:
        return _argument(args[0], depth)
    return "(" + ", ".join(Describer(depth=1).describe(x) for x in islice(args, 10)) + ")"


def _argument(value: Any, depth: int) -> str:
    if _type(value) is _str:
        return value
    if depth and _isinstance_exactly(value):
        return f"{type_name(_type(value))}: {exception_message(value, depth - 1)}"
    return Describer(depth=1).describe(value)


def _isinstance_exactly(value: Any) -> bool:
    """Whether it is an exception by its real class, whatever `__class__` it claims."""
    return BaseException in type.__dict__["__mro__"].__get__(_type(value))


def _plain_fields(error: BaseException) -> bool:
    """Whether the fields that a C `__str__` reads beside the arguments are plain as well."""
    if _isinstance_exactly(error) and isinstance(error, (_OSError, _SyntaxError)):
        fields = _os if isinstance(error, _OSError) else _syntax
        return all(_type(get(error)) in _SAFE for get in fields.values())
    return not isinstance(error, UnicodeError) or _type(error) is UnicodeError


def _from_fields(error: BaseException) -> str:
    """A message for an exception that keeps it outside `args`: an error number with its text, or plain attributes."""
    if isinstance(error, _OSError):
        number, text = _os["errno"](error), _os["strerror"](error)
        if _type(number) is _int and _type(text) is _str:
            return f"[Errno {number}] {text}"
    fields = instance_dict(error)
    plain = [f"{k}={v!r}" for k, v in islice(fields.items(), 20) if _type(v) in (_str, _int) and k[:1] != "_"]
    return ", ".join(x[:200] for x in plain[:5])


def _notes(error: BaseException, program_file: str) -> list[str]:
    notes = instance_dict(error).get("__notes__")
    found: list[str] = []
    if _type(notes) is list:
        found = [x[:SOURCE] for x in islice(notes, 5) if _type(x) is _str]
    if _isinstance(error, _Group):
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


def _walk(traceback: types.TracebackType | None) -> Iterator[tuple[types.FrameType, int, int]]:
    """Frame, line and instruction of each entry, outermost first, without the recorder's own, at most 100,000."""
    for _ in range(100_000):
        if traceback is None:
            return
        frame = traceback.tb_frame
        if not frame.f_code.co_filename.startswith(_HARNESS):
            yield frame, traceback.tb_lineno or 0, traceback.tb_lasti
        traceback = traceback.tb_next


def _frames(error: BaseException, program_file: str, most: int, describer: Describer) -> list[dict[str, Any]]:
    kept: list[tuple[types.FrameType, int, int, int]] = []
    library: tuple[types.FrameType, int, int] | None = None
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
    if _len(kept) > most:
        first = most // 3
        left_out = _len(kept) - most
        kept = [*kept[: first - 1], (*kept[first - 1][:3], left_out), *kept[left_out + first :]]
    frames = [_frame(*entry, program_file, describer) for entry in kept]
    if _isinstance(error, _SyntaxError) and (place := _syntax_frame(error, program_file)):
        frames.append(place)
    return frames


def _frame(
    frame: types.FrameType, line: int, instruction: int, folded: int, program_file: str, describer: Describer
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
    return _len(source.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "replace"))


def _source(filename: str, line: int) -> str:
    lines = _sources.get(filename)
    if lines is not None:
        return lines[line - 1] if 0 < line <= _len(lines) else ""
    try:
        return _getline(filename, line).rstrip("\r\n")
    except _BaseException:
        return ""


def _locals(frame: types.FrameType, describer: Describer) -> dict[str, str]:
    """The frame's locals as text; of a module what a person would look for: no modules, functions, classes, dunders."""
    try:
        found: Any = frame.f_locals
        if _type(found) is not dict and _type(found).__name__ != "FrameLocalsProxy":
            return {}
        module = found is frame.f_globals
        out: dict[str, str] = {}
        for name, value in list(found.items()):
            if _type(name) is not _str or not name.isidentifier():
                continue
            if module and (name[:2] == "__" or _type(value) in _SHY):
                continue
            out[name[:100]] = describer.describe(value)
            if _len(out) >= LOCALS:
                break
        return out
    except _BaseException:
        return {}


def _syntax_frame(error: BaseException, program_file: str) -> dict[str, Any] | None:
    """Where the text of the program itself is wrong: no frame ran, the place is in the exception."""
    filename, line, offset = (_syntax[name](error) for name in ("filename", "lineno", "offset"))
    if filename != program_file or _type(line) is not _int:
        return None
    column = offset - 1 if _type(offset) is _int and offset > 0 else -1
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
