"""A model that reviews rows, over the real protocol, with a real sandbox, critic and store."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.site import MUGS, called, command
from tests.e2e.site import serve as site
from tests.fakes.openai_server import Endpoint, Say, serve

PROGRAM = """\
import csv
import requests
from bs4 import BeautifulSoup

soup = BeautifulSoup(requests.get("{base}/", timeout=30).content, "lxml")
with open("rows.csv", "w", newline="", encoding="utf-8") as file:
    out = csv.writer(file)
    out.writerow(["name", "price"])
    for mug in soup.select("li.mug"):
        out.writerow([mug.h3.get_text(strip=True), mug.p.get_text(strip=True).lstrip("£")])
"""


def judged(**columns: str) -> str:
    return json.dumps(
        {"columns": [{"column": c, "judgement": j, "reason": "", "rows": []} for c, j in columns.items()]}
    )


RIGHT = judged(name="right", price="right")
WRONG = json.dumps({"columns": [
    {"column": "name", "judgement": "right", "reason": "", "rows": []},
    {"column": "price", "judgement": "wrong", "reason": "these are weights \x1b[31m", "rows": [2]},
]})  # fmt: skip


def run(tmp_path: Path, model: Endpoint, base: str, *options: str) -> Any:
    (tmp_path / "mine.py").write_text(PROGRAM.format(base=base), encoding="utf-8")
    return command(
        "run", f"name and price of all mugs from {base}/", "--from", "mine.py", "--out", "out", *options, cwd=tmp_path,
        OPENAI_API_KEY="key", OPENAI_BASE_URL=f"{model.base}/v1", OPENAI_MODEL="m", XDG_DATA_HOME=str(tmp_path / "d"),
    )  # fmt: skip


@pytest.mark.parametrize("programmer", ["rules", pytest.param("model", marks=pytest.mark.full)])
def test_right_rows_that_are_called_right_are_trusted_and_it_is_said(tmp_path: Path, programmer: str) -> None:
    with site({"/": MUGS}) as shop, serve(Say(RIGHT)) as model:
        ended = run(tmp_path, model, shop.base, "--programmer", programmer)
    assert ended.returncode == 0, ended.stderr
    assert "  review of 4 rows by m, 150 tokens\n    right: name, price\n  verdict: right" in ended.stderr
    assert "name, price by a model's review of 4 of the rows" in ended.stderr
    (asked,) = model.requests
    assert 'row 1: {"name":"Blue mug","price":"3.50"}\nits record: Blue mug £3.50' in asked["messages"][1]["content"]


def test_a_column_called_wrong_withholds_them_and_reaches_the_repair_prompt(tmp_path: Path) -> None:
    with site({"/": MUGS}) as shop:
        program = PROGRAM.format(base=shop.base)
        with serve(Say(WRONG), Say(json.dumps({"diagnosis": "", "disputes": [], "program": program}))) as model:
            ended = run(tmp_path, model, shop.base, "--programmer", "model", "--attempts", "2", "--json")
    assert ended.returncode == 4, ended.stderr
    assert (tmp_path / "out" / "rows.unverified.csv").exists()
    events = [json.loads(line) for line in ended.stdout.splitlines()]
    (event,) = [e for e in events if e["type"] == "Reviewed"]
    assert event["review"]["columns"][1] == {
        "column": "price", "says": "wrong", "reason": "these are weights \x1b[31m", "rows": [1],
    }  # fmt: skip
    first = next(e["verdict"] for e in events if e["type"] == "Judged")
    assert [(f["code"], f["column"], f["source"]) for f in first["findings"]] == [("called-wrong", "price", "review")]
    assert (
        "price is called wrong by a review of 4 rows: these are weights" in model.requests[1]["messages"][1]["content"]
    )
    assert "(by a model's review of the rows)" in model.requests[1]["messages"][1]["content"]
    shown = called("sessions", "show", event_session(events), cwd=tmp_path, XDG_DATA_HOME=str(tmp_path / "d"))
    assert "    wrong: price (these are weights" in shown.stdout
    assert "\x1b" not in shown.stdout


@pytest.mark.full
def test_what_a_model_was_asked_is_kept_and_shown(tmp_path: Path) -> None:
    with site({"/": MUGS}) as shop:
        program = PROGRAM.format(base=shop.base).replace("3.50", "4")
        reply = json.dumps({"diagnosis": "", "disputes": [], "program": f"{program}\nprint('done')\n"})
        with serve(Say(WRONG), Say(reply), Say(RIGHT)) as model:
            ended = run(tmp_path, model, shop.base, "--programmer", "model", "--json")
    events = [json.loads(line) for line in ended.stdout.splitlines()]
    session, homes = event_session(events), {"XDG_DATA_HOME": str(tmp_path / "d")}

    def prompt(*options: str) -> Any:
        return called("show-prompt", session, *options, cwd=tmp_path, **homes)

    def sent(place: int) -> str:
        system, user = (message["content"] for message in model.requests[place]["messages"])
        return f"system:\n\n{system}\n\nuser:\n\n{user}\n"

    assert prompt().stdout == prompt("--attempt", "2").stdout == sent(1)
    assert prompt("--review").stdout == sent(2)
    assert prompt("--review", "--attempt", "1").stdout == sent(0)
    stored = prompt("--json").stdout.removesuffix("\n")
    written = [e["prompt"] for e in events if e["type"] == "CodeWritten" and e.get("prompt")]
    assert written == [hashlib.sha256(stored.encode()).hexdigest()]
    assert json.loads(stored)["schema"]["required"] == ["diagnosis", "disputes", "program"]
    by_hand = prompt("--attempt", "1")
    assert (by_hand.returncode, by_hand.stdout) == (2, "")
    assert by_hand.stderr == (
        f"scrapewright: no model was asked for a program in attempt 1 of session {session}; there are prompts of 2\n"
    )


def test_a_session_without_a_model_has_no_prompt(tmp_path: Path) -> None:
    with site({"/": MUGS}) as shop:
        query = f"name and price of all mugs from {shop.base}/"
        ended = called("run", query, "--json", cwd=tmp_path, XDG_DATA_HOME=str(tmp_path / "d"))
    session = json.loads(ended.stdout.splitlines()[0])["session"]
    for options, what in (((), "a program"), (("--review",), "a review")):
        shown = called("show-prompt", session, *options, cwd=tmp_path, XDG_DATA_HOME=str(tmp_path / "d"))
        assert (shown.returncode, shown.stderr) == (
            2, f"scrapewright: no model was asked for {what} in session {session}\n",
        )  # fmt: skip


@pytest.mark.full
def test_texts_of_ones_own_are_sent_and_a_bad_file_is_said_before_anything_runs(tmp_path: Path) -> None:
    prompts = tmp_path / "config" / "scrapewright" / "prompts"
    prompts.mkdir(parents=True)
    (prompts / "review.toml").write_text('contract = "Look twice."\n', encoding="utf-8")
    (tmp_path / "rows.csv").write_text("name,price\nBlue mug,3.50\nRed mug,4.25\nGreen mug,2.75\nGrey mug,9.00\n")
    with site({"/": MUGS}) as shop, serve(Say(RIGHT)) as model:
        settings = {"OPENAI_API_KEY": "key", "OPENAI_BASE_URL": f"{model.base}/v1", "XDG_DATA_HOME": str(tmp_path)}
        settings["XDG_CONFIG_HOME"] = str(tmp_path / "config")
        query = f"name and price of all mugs from {shop.base}/"
        right = called("check", "rows.csv", query, cwd=tmp_path, **settings)
        report = called("doctor", "--json", cwd=tmp_path, **settings)
        (prompts / "review.toml").write_text("contract = 7\n", encoding="utf-8")
        bad = called("check", "rows.csv", query, cwd=tmp_path, **settings)
        bad_report = called("doctor", "--json", cwd=tmp_path, **settings)
    assert right.returncode == 0, right.stderr
    assert model.requests[0]["messages"][0]["content"] == "Look twice."
    checks = [next(c for c in json.loads(t.stdout) if c["name"] == "prompts") for t in (report, bad_report)]
    where = prompts / "review.toml"
    assert checks[0]["detail"] == f"program version 2; review version 1 with contract of {where}; weak version 1"
    assert (checks[1]["ok"], checks[1]["detail"]) == (False, f"{where}: contract must be a text")
    assert (bad.returncode, bad.stderr.splitlines()[-1]) == (2, f"scrapewright: {where}: contract must be a text")
    assert len(model.requests) == 1


def event_session(events: list[dict[str, Any]]) -> str:
    return str(events[0]["session"])


@pytest.mark.full
def test_no_review_asks_nobody_and_a_failing_one_changes_nothing(tmp_path: Path) -> None:
    with site({"/": MUGS}) as shop, serve(Say("no quota", status=429, code="insufficient_quota")) as model:
        without = run(tmp_path, model, shop.base, "--programmer", "rules", "--no-review")
        assert model.requests == []
        failed = run(tmp_path, model, shop.base, "--programmer", "rules")
    assert (without.returncode, failed.returncode) == (0, 0), failed.stderr
    assert "warning: the rows are not reviewed: " in failed.stderr
    verdicts = [ended.stderr.partition("  verdict: ")[2].partition("  wrote ")[0] for ended in (without, failed)]
    assert verdicts[0] == verdicts[1] != ""


def test_rows_that_anything_scraped_are_reviewed_too(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("name,price\nBlue mug,3.50\nRed mug,4.25\nGreen mug,2.75\nGrey mug,9.00\n")
    with site({"/": MUGS}) as shop, serve(Say(RIGHT), Say(WRONG)) as model:
        settings = {"OPENAI_API_KEY": "key", "OPENAI_BASE_URL": f"{model.base}/v1", "XDG_DATA_HOME": str(tmp_path)}
        query = f"name and price of all mugs from {shop.base}/"
        right, kept, wrong, none = (
            called("check", "rows.csv", query, *options, cwd=tmp_path, **settings)
            for options in ((), (), ("--fresh",), ("--no-review",))
        )
    assert (right.returncode, wrong.returncode, none.returncode) == (0, 1, 0), right.stderr + wrong.stderr
    assert ("the review is from the cache" in kept.stderr, kept.stdout) == (True, right.stdout)
    assert "price is called wrong by a review of 4 rows" in wrong.stdout
    assert len(model.requests) == 2


@pytest.mark.parametrize(
    ("config", "says"),
    [
        (
            'reviewer = "strong"\n[models.strong]\nprovider = "qwen"\nkey = "NO_SUCH_KEY"\n',
            "the model strong needs a key",
        ),
        ('reviewer = "gone"\n', "there is no model 'gone'"),
    ],
)
def test_a_reviewer_that_is_named_has_to_be_there(tmp_path: Path, config: str, says: str) -> None:
    folder = tmp_path / "config" / "scrapewright"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(config, encoding="utf-8")
    homes = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_DATA_HOME": str(tmp_path / "d")}
    query = "name of all mugs from http://127.0.0.1:9/"
    ended = called("run", query, "--programmer", "rules", cwd=tmp_path, **homes)
    assert (ended.returncode, says in ended.stderr) == (2, True), ended.stderr
