"""The time limit is paused while the host holds requests back, and no longer than it may."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from harness import wire
from harness.deadline import Deadline
from tests.harness.supervisor_helpers import Host

SPANS = st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 300)), max_size=20)


@given(SPANS, st.integers(1, 60), st.integers(0, 2000))
def test_time_held_counts_once_and_within_the_wall(spans: list[tuple[int, int]], seconds: int, wall: int) -> None:
    deadline = Deadline(100.0, seconds, wall)
    held: set[int] = set()
    for start, length in sorted(spans):
        deadline.hold(100.0 + start, length)
        held.update(range(start, start + length))
    assert deadline.at == min(100.0 + seconds + len(held), 100.0 + max(seconds, wall))
    assert deadline.waited == deadline.at - 100.0 - seconds


def test_a_wait_of_the_hosts_is_not_charged() -> None:
    code = "import time\nuntil = time.monotonic() + 1.5\nwhile time.monotonic() < until:\n    time.sleep(0.05)\n"
    with Host() as host:
        assert host.receive() is not None
        host.job(code, seconds=1.0, wall_limit=60.0)
        host.send(wire.frame(wire.WAITED, 1, wire.number(50_000)))
        answer = host.answer()
    assert (answer.seen["status"], answer.seen["exit_code"]) == ("ok", 0)
    assert answer.seen["seconds"] > 1.4


def test_no_wait_goes_past_the_wall_limit() -> None:
    with Host() as host:
        assert host.receive() is not None
        host.job("import time\nwhile True:\n    time.sleep(0.01)\n", seconds=0.3, wall_limit=1.0)
        for _ in range(3):
            host.send(wire.frame(wire.WAITED, 1, wire.number(1_000_000)))
        answer = host.answer()
    assert (answer.seen["status"], answer.seen["exit_code"]) == ("timeout", 124)
    assert 1.0 <= answer.seen["seconds"] < 30
    assert answer.claimed["exception"]["message"] == (
        "still running after 0.3 s, not counting 0.7 s of waiting for a site's turn"
    )


def test_without_a_wall_limit_no_wait_counts() -> None:
    with Host() as host:
        assert host.receive() is not None
        host.job("import time\ntime.sleep(60)\n", seconds=0.3)
        host.send(wire.frame(wire.WAITED, 1, wire.number(50_000)))
        answer = host.answer()
    assert answer.seen["status"] == "timeout"
    assert answer.claimed["exception"]["message"] == "still running after 0.3 s"
