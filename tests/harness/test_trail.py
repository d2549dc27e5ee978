"""The trail outlives the program, counts exactly, and belongs to one process."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import textwrap
import threading
from array import array
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.recorder import Recorder
from harness.trail import FLAG, LAPS, NEXT, RING, Trail, tally

PROGRAM = "scraper.py"


def in_child(trail: Trail, source: str) -> int:
    """Run a program in a forked child with the shared trail; how it ended."""
    pid = os.fork()
    if pid == 0:
        try:
            faulthandler.disable()
            exec(Recorder(trail).compile(textwrap.dedent(source), PROGRAM), {"__name__": "__main__"})
            os._exit(0)
        finally:
            os._exit(99)
    return os.waitpid(pid, 0)[1]


@pytest.mark.parametrize(
    ("last", "ended"),
    [
        ("os.kill(os.getpid(), 9)", -signal.SIGKILL),
        ("os.abort()", -signal.SIGABRT),
        ("os._exit(0)", 0),
    ],
)
def test_it_outlives_any_death(last: str, ended: int) -> None:
    trail = Trail()
    status = in_child(trail, f"import os\nfor i in range(3):\n    x = i\n{last}\n")
    assert os.waitstatus_to_exitcode(status) == ended
    assert trail.last_line() == 4
    assert trail.lines() == [1, 2, 2, 3, 2, 3, 2, 3, 4]
    assert trail.lines(2) == [3, 4]
    assert trail.hits() == {1: 1, 2: 4, 3: 3, 4: 1}


def test_nothing_ran() -> None:
    trail = Trail()
    assert trail.last_line() is None
    assert trail.lines() == []
    assert trail.hits() == {}


def test_counts_are_exact_over_many_laps() -> None:
    trail = Trail()
    in_child(trail, "n = 0\nwhile n < 20_000:\n    n += 1\n")
    assert trail.hits() == {1: 1, 2: 20_001, 3: 20_000}
    assert trail.lines(4) == [3, 2, 3, 2]


def test_it_is_read_while_the_program_runs() -> None:
    trail = Trail()
    recorder = Recorder(trail)
    code = recorder.compile("import os\nos.read(go, 1)\nx = 1\n", PROGRAM)
    go, start = os.pipe()
    thread = threading.Thread(target=exec, args=(code, {"go": go}))
    thread.start()
    while trail.last_line() != 2:
        assert thread.is_alive()
    os.write(start, b"x")
    thread.join()
    assert trail.lines() == [1, 2, 3]
    os.close(go)
    os.close(start)


def test_a_forked_grandchild_leaves_it_alone() -> None:
    trail = Trail()
    in_child(
        trail,
        """
        import os
        pid = os.fork()
        if not pid:
            for i in range(5000):
                x = i
            os._exit(0)
        os.waitpid(pid, 0)
        last = 1
        """,
    )
    assert trail.hits() == {2: 1, 3: 1, 4: 1, 8: 1, 9: 1}
    assert trail.last_line() == 9


def test_threads_share_it() -> None:
    source = """
        import threading
        def work():
            for i in range(1000):
                x = i
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    """
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(20):
            trail = Trail()
            assert in_child(trail, source) == 0
            assert trail.hits()[5] == 4000
            assert trail.hits()[3] == 5
    finally:
        sys.setswitchinterval(interval)


@settings(deadline=None)
@given(st.lists(st.integers(1, 300), max_size=3 * RING))
def test_any_sequence_of_lines(lines: list[int]) -> None:
    """Written as the hooks write, it reads back: the last lines in order, and every line's count."""
    trail = Trail(shared=False)
    recorder = Recorder(trail)
    code = recorder.compile("\n".join(f"def f{n}(): pass" for n in range(300)), PROGRAM)
    assert code is not None
    put = recorder.hooks["note"]
    frame = (0, 0, "<module>")
    for line in lines:
        put(line, frame)
    assert trail.hits() == dict(sorted(Counter(lines).items()))
    assert trail.lines(100) == lines[-100:]
    assert [step["line"] for step in recorder.steps()] == lines[-200:]


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 50), st.booleans()), max_size=2 * RING + 100))
def test_entries_with_values_only_are_no_lines(entries: list[tuple[int, bool]]) -> None:
    trail = Trail(shared=False)
    recorder = Recorder(trail)
    recorder.compile("\n" * 60, PROGRAM)
    note, bind = recorder.hooks["note"], recorder.hooks["bind"]
    frame = (0, 0, "<module>")
    for line, is_line in entries:
        if is_line:
            note(line, frame)
        else:
            bind(FLAG, ("set", line, ("x",)), frame, line)
    noted = [line for line, is_line in entries if is_line]
    assert trail.hits() == dict(sorted(Counter(noted).items()))
    recent = [line for line, is_line in entries[-RING:] if is_line]
    assert trail.lines(10) == recent[-10:] or len(recent) < 10
    assert [(s["line"], s["kind"]) for s in recorder.steps()] == [
        (line, "line" if is_line else "set") for line, is_line in entries[-200:]
    ]


def test_a_program_of_very_many_lines() -> None:
    trail = Trail(shared=False)
    recorder = Recorder(trail)
    code = recorder.compile("x = 1\n" + "\n" * 70_000 + "x = 2\n", PROGRAM)
    exec(code, {})
    assert trail.lines() == [1, 70_002]
    assert trail.hits() == {1: 1}


@settings(deadline=None)
@given(st.lists(st.integers(1, 70_000) | st.sampled_from([255, 256, 257, 512, 65_535, 65_536]), max_size=60))
def test_laps_are_tallied_line_by_line(lines: list[int]) -> None:
    """One and two lines an entry, entries of values alone, and any page of lines."""
    entries = [line | lines[-1] << NEXT if line % 3 else line for line in lines] + [FLAG, FLAG | 7 << NEXT, 0]
    counts = array("I", bytes(4 * 70_001))
    tally(array("Q", entries).tobytes(), counts)
    expected = Counter(lines + [lines[-1] for line in lines if line % 3] + [7])
    assert {line: count for line, count in enumerate(counts) if count} == expected


def test_the_counts_of_laps_not_yet_tallied_are_read_after_any_death() -> None:
    for rounds in (RING, 3 * RING, LAPS * RING // 2 + 50, LAPS * RING + 7):
        trail = Trail()
        status = in_child(trail, f"import os\nfor i in range({rounds}):\n    x = i\nos.kill(os.getpid(), 9)\n")
        assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL
        assert trail.hits() == {1: 1, 2: rounds + 1, 3: rounds, 4: 1}
