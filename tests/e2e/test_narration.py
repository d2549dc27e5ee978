"""The narration of a demo, word for word.

After a change that is meant, `GOLDEN=write pytest tests/e2e/test_narration.py` writes it anew; read the difference.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.e2e.site import called, command

GOLDEN = Path(__file__).resolve().parents[1] / "data" / "narration.txt"

LEVELLED = [
    (r"\Asession \d{4}-\w{4}", "session DAY-NAME"),
    (r"127\.0\.0\.1:\d+", "127.0.0.1:PORT"),
    (r"(?<=running in )(bwrap|namespaces)", "SANDBOX"),
    (r"· \d+\.\d s(?= ·|$)", "· N s"),
]


def levelled(text: str, folder: Path) -> str:
    """Without what differs from run to run: the port, the session's id, seconds, which sandbox, where the files go."""
    text = text.replace(str(folder), "FOLDER")
    for pattern, word in LEVELLED:
        text = re.sub(pattern, word, text, flags=re.MULTILINE)
    return text


def test_the_demo_is_narrated_as_it_always_was(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    done = command("demo", "--headless", "--out", str(folder), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [str(folder / "rows.csv"), str(folder / "scraper.py")]
    narration = levelled(done.stderr, folder)
    if os.environ.get("GOLDEN") == "write":
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text(narration, "utf-8")
    assert narration == GOLDEN.read_text("utf-8")


@pytest.mark.full
def test_a_session_is_replayed_as_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    done = called("demo", "--headless", "--out", str(folder), cwd=tmp_path)
    name = done.stderr.splitlines()[0].removeprefix("session ")
    again = called("sessions", "show", name, cwd=tmp_path)
    assert again.returncode == 0
    assert done.stderr.startswith(again.stdout)
    assert again.stdout.splitlines()[-1] == "success"


def test_the_demo_takes_options_of_run(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    done = called("demo", "--json", "--attempts", "1", "--tape", "live", "--out", str(folder), cwd=tmp_path)
    assert done.returncode == 4, done.stderr
    first, *_, last = [json.loads(line) for line in done.stdout.splitlines()]
    assert (first["origin"], first["attempts"], first["tape"]) == ("demo", 1, "live")
    assert (last["type"], last["outcome"]) == ("SessionFinished", "budget")


def test_the_demo_with_a_model_needs_one(tmp_path: Path) -> None:
    done = called("demo", "--headless", "--programmer", "model", cwd=tmp_path)
    assert done.returncode == 2
    assert "OPENAI_API_KEY" in done.stderr
