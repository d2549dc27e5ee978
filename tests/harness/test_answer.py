"""The result's message: what the supervisor saw arrives, whatever the program's process says."""

from __future__ import annotations

from typing import Any

import pytest

from harness import answer, wire

SEEN: dict[str, Any] = {
    "exit_code": 3,
    "signal": "",
    "stdout": {"head": "a", "tail": "", "bytes": 1},
    "stderr": {"head": "", "tail": "", "bytes": 0},
}


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "claimed",
    [
        {"outcome": "ok", "recorder": float("inf")},
        {"outcome": "ok", "steps": deep(100_000)},
        {"outcome": "ok", "recorder": "é" * (3 << 20)},
        {"outcome": "é" * (3 << 20)},
        {str(n): "x" * 100 for n in range(200_000)},
    ],
    ids=["infinite", "deep", "long recorder", "long outcome", "many keys"],
)
def test_a_forged_claim_costs_only_itself(claimed: dict[str, Any]) -> None:
    data = answer.encode(SEEN, claimed)
    assert len(data) <= wire.MAX_MESSAGE
    assert wire.load(data)["seen"] == SEEN


def test_a_plain_claim_comes_through() -> None:
    claimed = {"outcome": "error", "exit_code": 1, "exception": {"type": "ValueError"}, "steps": []}
    assert wire.load(answer.encode(SEEN, claimed)) == {"seen": SEEN, "claimed": claimed}
