"""What the host takes from a sandbox's messages, and what it refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.loop.ports import Job, Limits
from scrapewright.sandboxes.wire import WireError, artifact_name, frames, job_message, media_type, read_result
from scrapewright.session.result import RunResult
from tests.json_values import json_values
from tests.unit.sandboxes_helpers import GOOD

JSON = json_values(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    st.text(max_size=10),
    max_leaves=12,
)
PARTS = st.sampled_from(
    [
        "status",
        "exit_code",
        "signal",
        "note",
        "seconds",
        "cpu_seconds",
        "max_rss_bytes",
        "stdout",
        "stderr",
        "python",
        "exception",
        "steps",
        "stack",
        "trail",
        "hits",
        "recorder",
        "recorder_note",
        "artifacts_note",
    ]
)


@given(st.dictionaries(PARTS, JSON, max_size=3))
def test_a_result_is_whole_or_refused(changes: dict[str, Any]) -> None:
    message = {part: {**GOOD[part], **changes} for part in GOOD}
    try:
        result = read_result(frames.dump(message), 1000)
    except WireError:
        return
    assert isinstance(result, RunResult)
    assert json.loads(json.dumps(result.to_builtins()))


@given(JSON)
def test_any_exception_is_whole_or_refused(claim: Any) -> None:
    frame = {"file": "scraper.py", "line": 1, "function": "f", "locals": claim}
    chain = {"type": "E", "message": "m", "frames": [frame], "cause": claim, "notes": claim}
    for exception in (claim, chain):
        message = {**GOOD, "claimed": {**GOOD["claimed"], "exception": exception}}
        try:
            read_result(frames.dump(message), 1000)
        except WireError:
            pass


@pytest.mark.parametrize("part", ["exception", "steps", "stack", "trail", "hits", "recorder_note"])
def test_a_senseless_claim_costs_no_more_than_itself(part: str) -> None:
    claimed = {**GOOD["claimed"], "trail": [1, 2], part: 5 if part != "trail" else "lines"}
    result = read_result(frames.dump({"seen": {**GOOD["seen"], "note": "seen"}, "claimed": claimed}), 100)
    assert result.status == "ok"
    assert result.note.startswith(f"seen; the program's report of its {part} made no sense")
    assert result.trail == (() if part == "trail" else (1, 2))


def test_long_texts_are_cut_and_surrogates_replaced() -> None:
    seen = {**GOOD["seen"], "note": "\ud800" + "n" * 5000, "stdout": {"head": "h" * 5000, "tail": "", "bytes": 9}}
    cause: dict[str, Any] | None = None
    for _ in range(60):
        cause = {"type": "E" * 1000, "message": "m", "frames": [], "cause": cause, "relation": "cause"}
    result = read_result(frames.dump({"seen": seen, "claimed": {**GOOD["claimed"], "exception": cause}}), 100)
    assert result.note == "?" + "n" * 999
    assert len(result.stdout.head) == 104
    depth, exception = 0, result.exception
    while exception is not None:
        assert len(exception.type) == 300
        depth, exception = depth + 1, exception.cause
    assert depth == 21


@pytest.mark.parametrize(
    "name", ["", ".", "..", "/a", "a/", "a//b", "../a", "a/../b", "a\\b", "a\n", "a\x1b[2J", "a\0", "x" * 501, 5, None]
)
def test_names_that_are_refused(name: object) -> None:
    with pytest.raises(WireError):
        artifact_name(name)


@pytest.mark.parametrize("name", ["a", "a/b.csv", ".hidden", "a b", "ä/日本.json", "..a", "a.."])
def test_names_that_are_taken(name: str) -> None:
    assert artifact_name(name) == name


def test_media_types() -> None:
    assert [media_type(name) for name in ("a.CSV", "x/b.json", "c", "d.unknown")] == [
        "text/csv",
        "application/json",
        "application/octet-stream",
        "application/octet-stream",
    ]


def test_a_job_carries_its_limits() -> None:
    job = json.loads(job_message(Job(code="\ud800", limits=Limits(seconds=2.5))))
    assert (job["code"], job["limits"]["seconds"], job["limits"]["processes"]) == ("\ud800", 2.5, 64)
