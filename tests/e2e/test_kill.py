"""kill -9 at any moment: what was acknowledged is there, and the session opens."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from scrapewright.session import events as ev
from scrapewright.session.state import replay
from scrapewright.store.sessions import SessionStore
from tests.e2e.site import MUGS, serve
from tests.suite import FULL

ROUNDS = 20 if FULL else 1
EVENTS = 20
"""About how many events a session of this kind has."""


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_kill_at_a_random_moment(seed: int, tmp_path: Path) -> None:
    after = random.Random(seed).randrange(1, EVENTS)
    with serve({"/": MUGS}) as site:
        child = subprocess.Popen(
            [sys.executable, "-m", "scrapewright", "run", f"all mugs on {site.base}/: name, price (float)", "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=tmp_path,
        )  # fmt: skip
        assert child.stdout is not None
        acknowledged = []
        for line in child.stdout:
            acknowledged.append(line)
            if len(acknowledged) == after:
                break
        child.kill()
        acknowledged += child.stdout.read().splitlines(keepends=True)
        child.stdout.close()
        child.wait()
    received = [json.loads(line) for line in acknowledged if line.endswith(b"\n")]
    assert received
    with SessionStore(Path(os.environ["XDG_DATA_HOME"]) / "scrapewright") as store:
        (summary,) = store.list()
        file = store.own(summary.id)  # the dead process's lease does not hold
        events = file.events()
        session = replay(events)
        for row in received:
            stored = json.loads(ev.encode(events[row["seq"] - 1]))
            resolved = {"result", "program"}  # what a blob's name stands for
            assert {k: v for k, v in row.items() if k not in resolved} == {
                k: v for k, v in stored.items() if k not in resolved
            }
        for attempt in session.attempts.values():
            for blob in (attempt.code, attempt.result):
                assert not blob or file.get(blob)
        file.release()
    assert session.seq == len(events) >= len(received)
