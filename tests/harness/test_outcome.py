"""A status follows from what was seen; the claim only tells ok, error and exit apart."""

from __future__ import annotations

import signal
from typing import Any

import pytest

from harness import exchange
from harness.exchange import Exchange
from harness.outcome import Ended, Outcome, decide

OK: dict[str, Any] = {"outcome": "ok", "exit_code": 0}
ERROR: dict[str, Any] = {"outcome": "error", "exit_code": 1}
EXIT: dict[str, Any] = {"outcome": "exit", "exit_code": 3}
TIMEOUT: dict[str, Any] = {"outcome": "timeout", "exit_code": 124}
GONE = "the process left without a report"


def left(code: int) -> int:
    return code << 8


@pytest.mark.parametrize(
    ("wait_status", "claim", "expected"),
    [
        (left(0), OK, ("ok", 0, "", "")),
        (left(1), ERROR, ("error", 1, "", "")),
        (left(3), EXIT, ("exit", 3, "", "")),
        (left(0), EXIT, ("exit", 0, "", "")),
        (left(0), {}, ("exit", 0, "", GONE)),
        (left(5), {}, ("exit", 5, "", GONE)),
        (left(5), OK, ("exit", 5, "", "")),
        (left(0), ERROR, ("error", 0, "", "")),
        (left(0), {"outcome": "splendid"}, ("exit", 0, "", "")),
        (left(0), {"outcome": ["ok"]}, ("exit", 0, "", "")),
        (signal.SIGKILL, OK, ("killed", None, "SIGKILL", "")),
        (signal.SIGSEGV | 0x80, {}, ("killed", None, "SIGSEGV", "")),
        (signal.SIGXCPU, {}, ("timeout", None, "SIGXCPU", "the CPU time limit was reached")),
        (40, {}, ("killed", None, "signal 40", "")),
    ],
)
def test_ends(wait_status: int, claim: dict[str, Any], expected: tuple[object, ...]) -> None:
    assert decide(Ended(wait_status), claim) == Outcome(*expected)  # type: ignore[arg-type]


def test_memory() -> None:
    assert decide(Ended(signal.SIGKILL, oom=True), {}).status == "oom"
    assert decide(Ended(left(0), oom=True), OK).status == "ok"


def test_cancelled_and_fatal() -> None:
    assert decide(Ended(signal.SIGKILL, cancelled=True, oom=True), OK)[::3] == ("killed", "stopped before its end")
    assert decide(Ended(signal.SIGABRT, fatal="Aborted"), {})[::3] == ("killed", "Aborted")


@pytest.mark.parametrize("wait_status", [left(124), left(0), signal.SIGKILL])
@pytest.mark.parametrize("claim", [TIMEOUT, OK, {}])
@pytest.mark.parametrize("phase", [exchange.STARTING, exchange.RUNNING, exchange.CLEARING])
def test_time_limit(wait_status: int, claim: dict[str, Any], phase: int) -> None:
    assert decide(Ended(wait_status, timed_out=True, phase=phase), claim).status == "timeout"


@pytest.mark.parametrize("claim", [OK, ERROR, EXIT])
@pytest.mark.parametrize(
    ("phase", "left_over"), [(exchange.THREADS, "a thread"), (exchange.EXITING, "an exit handler")]
)
def test_time_limit_after_the_last_line(claim: dict[str, Any], phase: int, left_over: str) -> None:
    outcome = decide(Ended(left(claim["exit_code"]), timed_out=True, phase=phase), claim)
    assert outcome[:3] == (claim["outcome"], claim["exit_code"], "")
    assert left_over in outcome.note
    killed = decide(Ended(signal.SIGKILL, timed_out=True, phase=phase), claim)
    assert killed == Outcome("timeout", None, "SIGKILL", "")
    assert decide(Ended(left(0), timed_out=True, phase=phase), TIMEOUT).status == "timeout"


def test_time_limit_while_reporting() -> None:
    assert decide(Ended(left(0), timed_out=True, phase=exchange.REPORTING), OK) == Outcome("ok", 0, "", "")


@pytest.mark.parametrize("phase", list(range(exchange.DONE + 1)))
@pytest.mark.parametrize("claim", [OK, ERROR, EXIT, {"outcome": "ok", "exit_code": 0, "signal": ""}])
def test_no_claim_outweighs_what_was_seen_at_the_time_limit(claim: dict[str, Any], phase: int) -> None:
    killed = decide(Ended(signal.SIGKILL, timed_out=True, phase=phase), claim)
    assert killed[:3] == ("timeout", None, "SIGKILL")
    by_itself = decide(Ended(left(9), timed_out=True, phase=phase), claim)
    assert by_itself.exit_code == 9
    assert by_itself.status != "ok"


def test_processes_that_held_too_much_together() -> None:
    outcome = decide(Ended(signal.SIGKILL, held=300 << 20, memory=256 << 20), OK)
    assert outcome[:3] == ("oom", None, "SIGKILL")
    assert outcome.note == "its processes held 300 MiB together; 256 MiB is the most"


def test_reports_pass_through_shared_memory() -> None:
    shared = Exchange()
    assert shared.read() == b""
    shared.write(b"{}")
    assert shared.read() == b"{}"
    shared.write(b"x" * exchange.CAPACITY)
    assert len(shared.read()) == exchange.CAPACITY
    with pytest.raises(ValueError, match="too long"):
        shared.write(b"x" * (exchange.CAPACITY + 1))
    shared.write(b"shorter")
    assert shared.read() == b"shorter"
    shared.phase = exchange.CLEARING
    assert (shared.phase, shared.stopping) == (exchange.CLEARING, False)
    shared.stop()
    assert (shared.phase, shared.stopping, shared.read()) == (exchange.CLEARING, True, b"shorter")


def test_a_damaged_report_is_none() -> None:
    shared = Exchange()
    shared.write(b"whole and sound")
    shared._memory[20] ^= 1
    assert shared.read() == b""
    shared._memory[:] = b"\xff" * len(shared._memory)
    assert shared.read() == b""
