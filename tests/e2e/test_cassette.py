"""Recorded replies played without a key: the shipped ones against the practice shop, and what can't be played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrapewright import practice
from tests.e2e.site import MUGS, called
from tests.e2e.site import serve as site

SHIPPED = Path(practice.__file__).with_name("replies.json")
QUERY = "title of all books on http://127.0.0.1:1/"


def test_the_shipped_cassette_shows_a_failed_attempt_its_repair_and_a_review(tmp_path: Path) -> None:
    run = called("demo", "--headless", "--cassette", str(SHIPPED), "--out", "out", "--json", cwd=tmp_path)
    events = [json.loads(line) for line in run.stdout.splitlines()]
    assert run.returncode == 0, run.stderr
    assert "playing the cassette" in run.stderr
    assert "attempt 1 \u00b7 model (example) \u00b7 51 lines, from the cassette" in run.stderr
    assert "ValueError: could not convert string to float" in run.stderr
    assert "review of 5 rows by example, from the cassette" in run.stderr
    spent = [(one["attempt"], one["role"], one["kept"]) for one in events[-1]["spent"]]
    assert spent == [(1, "programmer", "cassette"), (2, "programmer", "cassette"), (2, "reviewer", "cassette")]
    assert not any(one.get("tokens") for one in events[-1]["spent"])
    assert len((tmp_path / "out" / "rows.csv").read_text(encoding="utf-8").splitlines()) == 41
    session = events[0]["session"]
    again = called("cassette", "record", session, "again.json", cwd=tmp_path)
    assert again.returncode == 0
    played, recorded = (json.loads(path.read_bytes()) for path in (SHIPPED, tmp_path / "again.json"))
    assert [r["model"] for r in played["replies"]] == [r["model"] for r in recorded["replies"]]


def test_a_cassette_is_played_with_its_own_request(tmp_path: Path) -> None:
    program = (
        "import requests\nopen('rows.csv', 'w').write('name\\nBlue mug\\n')\nrequests.get('{}').raise_for_status()\n"
    )
    with site({"/": MUGS}) as shop:
        url = f"{shop.base}/"
        reply = {"diagnosis": "", "program": program.format(url)}
        recorded = {
            "cassette": 1, "request": f"name of all mugs from {url}", "urls": [url],
            "replies": [{"role": "programmer", "model": "gpt", "text": json.dumps(reply)}],
        }  # fmt: skip
        (tmp_path / "c.json").write_text(json.dumps(recorded))
        run = called("cassette", "play", "c.json", "--out", "out", "--json", cwd=tmp_path)
    events = [json.loads(line) for line in run.stdout.splitlines()]
    assert events[0]["text"] == recorded["request"]
    assert [(e["model"], e["kept"]) for e in events if e["type"] == "CodeWritten"] == [("gpt", "cassette")]
    assert (tmp_path / "out" / "rows.unverified.csv").read_text() == "name\nBlue mug\n"


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("cassette", "play", "gone.json"), "gone.json can't be read: No such file"),
        (("run", QUERY, "--cassette", "gone.json"), "gone.json can't be read: No such file"),
        (("run", QUERY, "--cassette", "."), "can't be read: Is a directory"),
        (("run", QUERY, "--cassette", "rows.csv"), "is no cassette, as `scrapewright cassette record` writes them"),
        (("run", QUERY, "--cassette", "newer.json"), "it has version 9; this program reads version 1"),
        (("run", QUERY, "--cassette", "c.json", "--programmer", "rules"), "leave --model, --programmer and --simulate"),
        (("demo", "--headless", "--cassette", "c.json", "--programmer", "command"), "leave --model, --programmer"),
        (("cassette", "record", "nothing", "c2.json"), "there is no session 'nothing'"),
        (("run", QUERY, "--max-cost", "-1"), "--max-cost"),
    ],
)
def test_what_can_not_be_played_is_said(args: tuple[str, ...], says: str, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("a,b\n")
    (tmp_path / "c.json").write_bytes(SHIPPED.read_bytes())
    (tmp_path / "newer.json").write_text('{"cassette": 9, "request": "", "urls": [], "replies": []}')
    run = called(*args, cwd=tmp_path)
    assert run.returncode == 2
    assert says in run.stderr


@pytest.mark.full
def test_a_session_without_a_model_holds_nothing_to_record(tmp_path: Path) -> None:
    run = called("run", QUERY, "--programmer", "rules", "--json", cwd=tmp_path)
    session = json.loads(run.stdout.splitlines()[0])["session"]
    recorded = called("cassette", "record", session, "c.json", cwd=tmp_path)
    assert (recorded.returncode, recorded.stdout) == (1, "")
    assert f"session {session} can't be recorded: no model replied in it" in recorded.stderr
    assert not (tmp_path / "c.json").exists()
