"""The host's side of the protocol: the harness's own frames, and nothing taken on trust.

The wire format lives in `harness/wire.py`, the one module of the harness that the host loads, so that both ends always
agree. What comes from a sandbox is checked and bounded here before it becomes a RunResult.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import msgspec

from scrapewright import assets
from scrapewright.loop.ports import Job
from scrapewright.session.result import Captured, ExceptionInfo, Frame, RunResult, StackLine, Status, Step

if TYPE_CHECKING:
    import harness.wire as frames
else:

    def _load() -> Any:
        path = assets.harness_dir() / "wire.py"
        spec = importlib.util.spec_from_file_location("scrapewright_harness_wire", path)
        module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    frames = _load()

WireError = frames.WireError
T = TypeVar("T")

__all__ = ["WireError", "artifact_name", "frames", "job_message", "media_type", "read_result"]

MAX_STEPS = 1000
MAX_FRAMES = 100
MAX_CHAIN = 20
MAX_STACK = 200
MAX_VALUES = 500
MAX_HITS = 100_000
MAX_TRAIL = 10_000
_LARGEST = 1 << 63
_STATUSES: dict[object, Status] = {status: status for status in get_args(Status) if status != "lost"}
_NAME = re.compile(r"[^/\\\x00-\x1f\x7f]{1,255}")

MEDIA_TYPES = {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "ndjson": "application/x-ndjson",
    "txt": "text/plain",
    "log": "text/plain",
    "md": "text/markdown",
    "html": "text/html",
    "htm": "text/html",
    "xml": "application/xml",
    "rss": "application/rss+xml",
    "yaml": "application/yaml",
    "yml": "application/yaml",
    "db": "application/vnd.sqlite3",
    "sqlite": "application/vnd.sqlite3",
    "parquet": "application/vnd.apache.parquet",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pdf": "application/pdf",
    "zip": "application/zip",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "svg": "image/svg+xml",
}


def media_type(name: str) -> str:
    """By the name's extension; `application/octet-stream` where that says nothing. No system table is asked."""
    return MEDIA_TYPES.get(name.rpartition(".")[2].lower(), "application/octet-stream")


def job_message(job: Job) -> bytes:
    """The payload of a JOB. Raises WireError where the program is too large for the pipe."""
    limits = job.limits
    text = frames.dump(
        {
            # A lone surrogate has no UTF-8 and would not compile either: let the compiler say so.
            "code": job.code,
            "recorder": job.recorder,
            "ca": job.ca,
            "proxy": job.proxy,
            "argv": list(job.argv),
            "limits": {name: getattr(limits, name) for name in limits.__struct_fields__},
        }
    )
    if len(text) > frames.MAX_MESSAGE:
        raise WireError(f"a program of {len(job.code)} characters is too long to run")
    return text


def artifact_name(value: object) -> str:
    """A relative name with `/`, safe to join to a folder. Raises WireError for any other."""
    if not isinstance(value, str) or len(value) > 500 or not value.isprintable():
        raise WireError("not a file name")
    for part in value.split("/"):
        if not _NAME.fullmatch(part) or not part.strip("."):
            raise WireError("not a file name")
    return value


def read_result(data: bytes, limits: int) -> RunResult:
    """A RESULT's message as a RunResult without its artifacts. `limits` is the bytes of output that were to be kept.

    Raises WireError where a part that the supervisor saw has the wrong type; what is merely too long is cut. A part
    that only the program's process claims is left out where it is wrong, and the note says so.
    """
    message = frames.load(data)
    seen, claimed = _object(message.get("seen")), _object(message.get("claimed"))
    status = _STATUSES.get(_text(seen.get("status"), 40))
    if status is None:
        raise WireError("no such status")
    doubts: list[str] = []

    def believe(part: str, read: Callable[[Any], T], otherwise: T) -> T:
        try:
            return read(claimed[part]) if claimed.get(part) is not None else otherwise
        except WireError as error:
            doubts.append(f"the program's report of its {part} made no sense: {error}")
            return otherwise

    result = RunResult(
        status=status,
        exit_code=None if seen.get("exit_code") is None else _integer(seen["exit_code"]),
        signal=_text(seen.get("signal", ""), 40),
        recorder="on" if claimed.get("recorder") == "on" else "off",
        recorder_note=believe("recorder_note", lambda note: _text(note, 1000), ""),
        seconds=_real(seen.get("seconds", 0.0)),
        cpu_seconds=_real(seen.get("cpu_seconds", 0.0)),
        max_rss_bytes=_integer(seen.get("max_rss_bytes", 0)),
        stdout=_captured(seen.get("stdout"), limits),
        stderr=_captured(seen.get("stderr"), limits),
        exception=believe("exception", lambda info: _exception(info, 0), None),
        steps=believe("steps", lambda steps: tuple(map(_step, _list(steps, MAX_STEPS))), ()),
        stack=believe("stack", lambda lines: tuple(map(_stack_line, _list(lines, MAX_STACK))), ()),
        trail=believe("trail", lambda lines: tuple(map(_integer, _list(lines, MAX_TRAIL))), ()),
        hits=believe("hits", _hits, {}),
        artifacts_note=_text(seen.get("artifacts_note", ""), 1000),
        python=_text(seen.get("python", ""), 40),
    )
    note = "; ".join([*filter(None, [_text(seen.get("note", ""), 1000)]), *doubts])
    return msgspec.structs.replace(result, note=note)


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise WireError("an object was expected")
    return value


def _list(value: object, most: int) -> list[Any]:
    if not isinstance(value, list):
        raise WireError("a list was expected")
    return value[-most:]


def _text(value: object, most: int) -> str:
    """Cut to `most` characters; a lone surrogate, which no UTF-8 can hold, becomes a question mark."""
    if not isinstance(value, str):
        raise WireError("a text was expected")
    return value[:most].encode("utf-8", "replace").decode("utf-8")


def _integer(value: object) -> int:
    if type(value) is not int or not -_LARGEST <= value < _LARGEST:
        raise WireError("an integer was expected")
    return value


def _real(value: object) -> float:
    if type(value) not in (int, float) or not 0 <= value < 1e12:  # type: ignore[operator]
        raise WireError("a number was expected")
    return float(value)  # type: ignore[arg-type]


def _values(value: object) -> dict[str, str]:
    items = list(_object(value).items())[:MAX_VALUES]
    return {_text(name, 200): _text(item, 4000) for name, item in items}


def _hits(value: object) -> dict[str, int]:
    items = list(_object(value).items())[:MAX_HITS]
    return {_text(line, 12): _integer(count) for line, count in items}


def _captured(value: object, limit: int) -> Captured:
    record = _object(value)
    # Replacement characters may make a text longer in bytes than what was captured, never longer in characters.
    return Captured(
        head=_text(record.get("head", ""), limit + 4),
        tail=_text(record.get("tail", ""), limit + 4),
        bytes=_integer(record.get("bytes", 0)),
    )


def _step(value: object) -> Step:
    step = _object(value)
    return Step(
        line=_integer(step.get("line")),
        function=_text(step.get("function", "<module>"), 200),
        frame=_integer(step.get("frame", 0)),
        thread=_integer(step.get("thread", 0)),
        kind=_text(step.get("kind", "line"), 20),
        values=_values(step.get("values", {})),
    )


def _stack_line(value: object) -> StackLine:
    line = _object(value)
    return StackLine(
        file=_text(line.get("file"), 500),
        line=_integer(line.get("line")),
        function=_text(line.get("function"), 200),
        thread=_text(line.get("thread", ""), 40),
    )


def _frame(value: object) -> Frame:
    frame = _object(value)
    return Frame(
        file=_text(frame.get("file"), 500),
        line=_integer(frame.get("line")),
        function=_text(frame.get("function"), 200),
        source=_text(frame.get("source", ""), 4000),
        end_line=_integer(frame.get("end_line", 0)),
        column=_integer(frame.get("column", -1)),
        end_column=_integer(frame.get("end_column", -1)),
        locals=_values(frame.get("locals", {})),
        folded=_integer(frame.get("folded", 0)),
    )


def _exception(value: object, depth: int) -> ExceptionInfo:
    info = _object(value)
    cause = info.get("cause")
    relation = info.get("relation", "")
    if relation not in ("", "cause", "context"):
        raise WireError("no such relation between exceptions")
    return ExceptionInfo(
        type=_text(info.get("type"), 300),
        message=_text(info.get("message"), 20_000),
        frames=tuple(_frame(frame) for frame in _list(info.get("frames", []), MAX_FRAMES)),
        cause=None if cause is None or depth >= MAX_CHAIN else _exception(cause, depth + 1),
        relation=relation,
        notes=tuple(_text(note, 4000) for note in _list(info.get("notes", []), 100)),
    )
