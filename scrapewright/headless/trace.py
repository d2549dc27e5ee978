"""Shows the run of one program: no repair loop, no verdict."""

from __future__ import annotations

from pathlib import Path

from scrapewright.exports.deliver import safe_name, write_all
from scrapewright.headless.output import Output
from scrapewright.loop.failure import host_of
from scrapewright.loop.ports import Ran
from scrapewright.session.result import PROGRAM_NAME, ExceptionInfo, RunResult
from scrapewright.session.sanitize import one_line, sanitize

STEPS = 20


def show(result: RunResult, out: Output) -> None:
    """The run for a person: how it ended, where, the values there, the last steps, output, requests, files."""
    code = f" {result.exit_code}" if result.exit_code is not None and result.status == "exit" else ""
    by = f" by {result.signal}" if result.signal else ""
    where = f" in line {result.where}" if result.where and result.status != "ok" else ""
    lines = [
        f"{result.status}{code}{by}{where} · {result.seconds:.2f} s, {result.cpu_seconds:.2f} s cpu, "
        f"{result.max_rss_bytes >> 20} MB · {result.sandbox}, Python {result.python}"
    ]
    if result.note:
        lines.append(result.note)
    if result.recorder != "on":
        lines.append(f"recorder {result.recorder}: {result.recorder_note}".rstrip(": "))
    if result.exception is not None:
        lines += _exception(result.exception)
    elif result.status not in {"ok", "exit"}:
        lines += ["stack:"] + [f"  {s.file}:{s.line} in {s.function}" for s in result.stack[:10]]
    if result.steps:
        lines.append(f"last steps ({min(STEPS, len(result.steps))} of {len(result.steps)} kept):")
        for step in result.steps[-STEPS:]:
            values = ", ".join(f"{k} = {one_line(v, 60)}" for k, v in step.values.items())
            lines.append(f"  {step.line:5} {step.function} {step.kind}{': ' + values if values else ''}")
    for name in ("stdout", "stderr"):
        captured = getattr(result, name)
        if captured.bytes:
            lines.append(f"{name} ({captured.bytes} bytes):")
            # What a carriage return takes back (a progress bar's past) is not seen on a terminal either.
            printed = captured.text.replace("\r\n", "\n").rstrip("\r\n").split("\n")
            lines += [f"  {line.rstrip(chr(13)).rpartition(chr(13))[2]}" for line in printed[-40:]]
    if result.requests:
        lines.append("requests:")
        for r in result.requests[:50]:
            note = f" {r.note}" if r.note else ""
            tape = " tape" if r.from_tape else ""
            status = (r.answered and r.status) or "---"
            lines.append(f"  {r.method} {r.url} {status} {r.bytes} bytes {r.ms:.0f} ms{tape} {r.verdict}{note}")
    if result.artifacts:
        lines.append("files:")
        lines += [f"  {a.name} {a.bytes} bytes {a.media_type}" for a in result.artifacts]
    for line in lines:
        out.line(sanitize(line).replace("\n", " "))


def advice(result: RunResult) -> list[str]:
    """Lines that say how to allow the hosts that were refused."""
    hosts = dict.fromkeys(host_of(r.url) for r in result.requests if r.verdict == "refused")
    return [f"{host} was refused; --allow {host} lets the program reach it" for host in hosts]


def _exception(info: ExceptionInfo) -> list[str]:
    lines = []
    if info.cause is not None:
        lines += _exception(info.cause)
        lines.append("  which led to" if info.relation == "context" else "  which caused")
    lines.append(f"{info.type}: {one_line(info.message, 400)}")
    for frame in info.frames:
        lines.append(f"  {frame.file}:{frame.line} in {frame.function}: {one_line(frame.source, 120)}")
        if frame.file == PROGRAM_NAME:
            lines += [f"      {one_line(k, 40)} = {one_line(v, 120)}" for k, v in frame.locals.items()]
        if frame.folded:
            lines.append(f"  … {frame.folded} library frames")
    return lines


def keep(ran: Ran, folder: Path) -> list[Path]:
    """Writes the artifacts, all of them or none; raises OSError."""
    return write_all(folder, ((safe_name(name), data) for name, data in ran.files.items()))
