"""A command's process: what it gets, what is kept of it, and that nothing of it is left running."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from scrapewright.programmers.command.process import KEPT, Ended, run
from tests.hostile.processes import stat

WITH_CHILD = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; print('up', flush=True); time.sleep(1000)"],
                         stdout=subprocess.PIPE)
child.stdout.readline()
open("child.new", "w").write(str(child.pid))
import os; os.rename("child.new", "child")
"""
STUCK = f"{WITH_CHILD}time.sleep(1000)"


async def ended(folder: Path, script: str, stdin: str = "", seconds: float = 60) -> Ended:
    argv = [sys.executable, "-I", "-c", script]
    return await run(argv, folder=folder, environment=os.environ, stdin=stdin, seconds=seconds)


async def until_gone(pid: int) -> None:
    async with asyncio.timeout(30):
        while stat(pid) is not None:
            await asyncio.sleep(0.01)


async def test_it_gets_its_input_and_gives_its_output(tmp_path: Path) -> None:
    script = "import sys, os; print(sys.stdin.read(), os.listdir()); print('no', file=sys.stderr); sys.exit(7)"
    assert await ended(tmp_path, script, "prompt £") == Ended(7, "prompt £ []\n", "no\n")


async def test_what_it_does_not_read_keeps_nobody_waiting(tmp_path: Path) -> None:
    assert await ended(tmp_path, "print(1)", "x" * (4 << 20)) == Ended(0, "1\n", "")


async def test_a_signal_has_its_number(tmp_path: Path) -> None:
    assert (await ended(tmp_path, "import os; os.kill(os.getpid(), 11)")).code == -11


async def test_the_end_of_much_output_is_kept(tmp_path: Path) -> None:
    script = "import sys\nfor s in (sys.stdout, sys.stderr):\n    s.write('x' * (12 << 20) + '\\nlast\\n')"
    code, out, err = await ended(tmp_path, script)
    assert code == 0
    for text in (out, err):
        assert len(text) == KEPT
        assert text.endswith("x\nlast\n")


async def test_its_time_ends_with_all_that_it_started(tmp_path: Path) -> None:
    """The time begins when the child is there: a machine may be slow to start a process."""
    code = None
    for seconds in (1, 4, 16):
        code = (await ended(tmp_path, f"print('so far', flush=True)\n{STUCK}", seconds=seconds)).code
        if (tmp_path / "child").exists():
            break
    assert code is None
    await until_gone(int((tmp_path / "child").read_text()))


async def test_what_it_leaves_running_is_ended(tmp_path: Path) -> None:
    """Also where that holds its output open."""
    script = WITH_CHILD.replace("stdout=subprocess.PIPE", "stdout=None").replace("child.stdout.readline()", "")
    assert (await ended(tmp_path, script)).code == 0
    await until_gone(int((tmp_path / "child").read_text()))


@pytest.mark.parametrize("times", [1, 2])
async def test_cancelled_it_is_killed_with_all_that_it_started(times: int, tmp_path: Path) -> None:
    work = asyncio.create_task(ended(tmp_path, STUCK))
    async with asyncio.timeout(60):
        while not (tmp_path / "child").exists():
            await asyncio.sleep(0.01)
    for _ in range(times):
        work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    await until_gone(int((tmp_path / "child").read_text()))


async def test_what_can_not_be_started_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "agent"
    file.write_text("no program of any kind")
    file.chmod(0o755)
    with pytest.raises(OSError, match="format"):
        await run([str(file)], folder=tmp_path, environment={}, stdin="", seconds=60)
