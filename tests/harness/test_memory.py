"""Processes together: their memory is added up fairly, and too much of it ends them with the line reported."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from time import monotonic

import pytest

from harness import memory
from harness.processes import oom_kills
from tests.harness.supervisor_helpers import alive, run

HOG = """
import os, time
block = bytearray(b"x") * (60 << 20)
pids = []
for _ in range(6):
    pid = os.fork()
    if pid == 0:
        {change}
        time.sleep(30)
        os._exit(0)
    pids.append(pid)
print(*pids)
for pid in pids:
    os.waitpid(pid, 0)
"""


def test_a_tree_over_the_limit_is_ended_with_its_line() -> None:
    answer = run(HOG.format(change='block = bytearray(b"y") * (60 << 20)'), memory=300 << 20)
    assert (answer.seen["status"], answer.seen["signal"]) == ("oom", "SIGKILL")
    assert "together; 300 MiB is the most" in answer.seen["note"]
    assert answer.claimed["trail"][-1] in range(5, 15)
    assert not any(alive(int(word)) for word in answer.seen["stdout"]["head"].split())
    assert answer.seen["seconds"] < 15


def test_pages_that_a_fork_shares_count_once() -> None:
    """Seven processes of one block: by resident pages they are over the limit, by what they share they are not."""
    code = HOG.format(change="pass").replace("time.sleep(30)", "time.sleep(0.5)")
    answer = run(code, memory=300 << 20)
    assert (answer.seen["status"], answer.seen["note"]) == ("ok", ""), answer.seen


@pytest.fixture
def sleepers() -> Iterator[list[int]]:
    context = get_context("fork")
    started = [context.Process(target=signal.pause) for _ in range(2)]
    for process in started:
        process.start()
    yield [process.pid or 0 for process in started]
    for process in started:
        process.kill()
        process.join()


def test_a_look_is_taken_once_an_interval(sleepers: list[int]) -> None:
    watch = memory.Watch(1 << 20)
    now = monotonic()
    assert watch.over(now, lambda: sleepers) > 1 << 20
    assert watch.over(now + memory.INTERVAL / 2, lambda: sleepers) == 0
    assert watch.over(now + 1e6, lambda: sleepers) > 0
    assert memory.Watch(1 << 40).over(now, lambda: sleepers) == 0
    assert memory.Watch(1 << 20).over(now, lambda: sleepers[:1]) == 0


def test_what_they_hold(sleepers: list[int]) -> None:
    me = os.getpid()
    assert memory.resident(me) >= memory.proportional(me) > 1 << 20
    assert memory.resident(1 << 30) == memory.proportional(1 << 30) == 0
    assert {me, *sleepers} <= set(memory.below(me))


def test_the_kernels_count_is_read_from_either_version_of_control_groups(tmp_path: Path) -> None:
    second, first = tmp_path / "memory.events", tmp_path / "memory.oom_control"
    places = (str(second), str(first))
    assert oom_kills(places) == 0
    first.write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 3\n")
    assert oom_kills(places) == 3
    second.write_text("low 0\nhigh 0\nmax 7\noom 2\noom_kill 1\noom_group_kill 0\n")
    assert oom_kills(places) == 1
