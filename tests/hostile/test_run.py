"""Hostile programs on every backend: a valid record in time, naming the line, and nothing left running."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from scrapewright.loop.ports import Job, Limits, Ran
from scrapewright.sandboxes import spawn
from scrapewright.sandboxes.local import LocalSandbox
from scrapewright.session.result import PROGRAM_NAME, RunResult
from scrapewright.web.page import Connect
from tests.hostile.backends import backend, no_web, sandbox, unheard
from tests.hostile.expected import Program
from tests.hostile.programs_report import REPORTS
from tests.hostile.programs_run import ENDINGS

__all__ = ["backend", "sandbox"]

EXPECTED = [*ENDINGS, *REPORTS]


def descendants(pid: int) -> set[int]:
    """The process and all that come from it, as the host numbers them."""
    found = {pid}
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:
            continue
        for child in children:
            found |= descendants(int(child))
    return found


def running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


async def run(
    sandbox: LocalSandbox, monkeypatch: pytest.MonkeyPatch, code: str, limits: Limits, connect: Connect = no_web
) -> Ran:
    """Runs it, and sees to it that nothing of it is left: the kernel ends a namespace with its first process."""
    started: list[int] = []
    plain = spawn.spawn

    async def watched(*args: Any, **named: Any) -> asyncio.subprocess.Process:
        process = await plain(*args, **named)
        started.append(process.pid)
        return process

    monkeypatch.setattr(spawn, "spawn", watched)
    await sandbox.prepare(limits)
    family = set().union(*map(descendants, started))
    assert len(family) >= 2  # the supervisor and the program's process
    ran = await sandbox.run(Job(code=code, limits=limits), connect, unheard)
    assert len(started) == 1
    async with asyncio.timeout(5):
        while any(map(running, family)):
            await asyncio.sleep(0.01)
    return ran


@pytest.mark.sandbox
@pytest.mark.parametrize("program", EXPECTED, ids=lambda program: program.name)
async def test_record(sandbox: LocalSandbox, monkeypatch: pytest.MonkeyPatch, program: Program) -> None:
    ran = await run(sandbox, monkeypatch, program.code, program.limits)
    result = ran.result
    told = f"{result.note} {result.stderr.text[-500:]} {result.exception}"
    assert result.status in program.status, told
    assert msgspec.json.decode(msgspec.json.encode(result), type=RunResult) == result
    if program.lines:
        assert result.where in program.lines, (result.where, told)
    if program.stack:
        assert program.lines & {entry.line for entry in result.stack if entry.file == PROGRAM_NAME}
    if program.exit_code is not None:
        assert result.exit_code == program.exit_code
    if program.signal:
        assert (result.signal, result.exit_code) == (program.signal, None)
    if program.type:
        assert result.exception is not None, told
        assert result.exception.type == program.type
    if result.exception is not None:
        assert len(result.exception.frames) <= 30
    if program.stdout is not None:
        assert result.stdout.text == program.stdout
    if program.note:
        assert program.note in result.note
    if program.seconds:
        assert result.seconds <= program.seconds


async def record(sandbox: LocalSandbox, monkeypatch: pytest.MonkeyPatch, name: str) -> Ran:
    program = next(program for program in EXPECTED if program.name == name)
    return await run(sandbox, monkeypatch, program.code, program.limits)


async def test_time_out_tells_the_values(sandbox: LocalSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    result = (await record(sandbox, monkeypatch, "inf_loop")).result
    assert result.exception is not None
    assert int(result.exception.frames[-1].locals["count"]) > 1000
    assert result.hits["3"] > 1000


@pytest.mark.parametrize("name", ["huge_stdout", "huge_one_line_stderr"])
async def test_output_is_counted_whole_and_kept_in_part(
    sandbox: LocalSandbox, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    result = (await record(sandbox, monkeypatch, name)).result
    captured = result.stdout if name == "huge_stdout" else result.stderr
    assert captured.bytes == (200 if name == "huge_stdout" else 300) << 20
    assert len(captured.head) == len(captured.tail) == Limits().output // 2


async def test_files_left_open_are_whole(sandbox: LocalSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = await record(sandbox, monkeypatch, "unflushed_file")
    assert ran.files == {"a.json": b"[1, 2, 3]", "b.txt": b"from the exit handler", "c.txt": b"in a cycle"}
    ran = await record(sandbox, monkeypatch, "sleep_forever_thread")
    assert ran.files == {"kept.txt": b"whole"}


async def test_what_a_report_forges_stays_a_claim(sandbox: LocalSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    result = (await record(sandbox, monkeypatch, "forged_report")).result
    assert (result.status, result.exit_code, result.note) == ("exit", 7, "")
    assert result.trail
