"""A weak model: it reads and copies over the real protocol, the rules write, and the rows are judged for real."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.site import called
from tests.e2e.site import serve as site
from tests.fakes.openai_server import Say, serve
from tests.unit.rules.test_questions import PAGE

GOODS = PAGE.partition("<h2>News")[0] + "</body></html>"
CONFIG = """programmer = "model"
model = "small"
review = false
[models.small]
model = "m"
base_url = "{base}/v1"
weak = {weak}
"""


def run(folder: Path, query: str, *replies: Say, weak: str = "true") -> tuple[Any, list[dict[str, Any]], list[Any]]:
    """How the command ended, its events, and what the model was asked."""
    config = folder / "config" / "scrapewright"
    config.mkdir(parents=True, exist_ok=True)
    with site({"/": GOODS}) as goods, serve(*replies) as model:
        (config / "config.toml").write_text(CONFIG.format(base=model.base, weak=weak), encoding="utf-8")
        ended = ran(folder, "run", query.format(f"{goods.base}/"), "--json", "--fresh")
        return ended, [json.loads(line) for line in ended.stdout.splitlines()], model.requests


def ran(folder: Path, *args: str) -> Any:
    """A command with the folder's config and store."""
    return called(*args, cwd=folder, XDG_CONFIG_HOME=str(folder / "config"), XDG_DATA_HOME=str(folder / "d"))


@pytest.mark.sandbox
def test_a_copy_that_agrees_decides_and_one_that_differs_does_not(tmp_path: Path) -> None:
    query = "all goods on {}: name, score (float)"
    alone, events, asked = run(tmp_path, query, Say("no idea"))
    (left,) = [event["question"] for event in events if event["type"] == "LeftOpen"]
    assert (alone.returncode, left["column"], len(asked)) == (1, "score", 1)
    values = {4.5: ("4.5", "3.0"), 120.0: ("£120.00", "£45.50")}
    guess = values.pop(left["options"][0]["samples"][0])
    for texts, code in ((guess, 0), (next(iter(values.values())), 1)):
        copied = {f"record {at}": {"score": text} for at, text in enumerate(texts, 1)}
        ended, events, asked = run(tmp_path, query, Say(json.dumps(copied)))
        assert ended.returncode == code, ended.stderr
        (advised,) = [event for event in events if event["type"] == "Advised"]
        assert (advised["role"], len(advised["copied"]), advised["tokens"], len(asked)) == ("mapper", 2, 150, 1)
        assert {event["author"] for event in events if event["type"] == "CodeWritten"} == {"rules"}
        assert len([event for event in events if event["type"] == "LeftOpen"]) == code


@pytest.mark.full
@pytest.mark.sandbox
def test_a_model_that_writes_nothing_of_use_reads_and_copies(tmp_path: Path) -> None:
    copied = {"record 1": {"firm": "Grain"}, "record 2": {"firm": "Bark"}}
    replies = (Say("I can't do that."), Say("```python\nprint(1 2)\n```"), Say(json.dumps(copied)))
    ended, events, asked = run(tmp_path, "all goods on {}: name, firm", *replies, weak="false")
    assert ended.returncode == 1, ended.stderr
    assert len(asked) == 3
    assert "small gave no usable program twice" in ended.stderr
    assert [event["author"] for event in events if event["type"] == "CodeWritten"] == ["model", "rules"]
    assert [event["question"]["column"] for event in events if event["type"] == "LeftOpen"] == ["firm"]
    (verdict,) = [event["verdict"] for event in events if event["type"] == "Judged"]
    assert [finding["severity"] for finding in verdict["findings"] if finding["code"] == "undecided"] == ["doubt"]
    assert "firm is empty" not in ended.stderr


@pytest.mark.sandbox
@pytest.mark.parametrize("weak", ["true", pytest.param("false", marks=pytest.mark.full)])
def test_what_it_said_is_recorded_and_played(weak: str, tmp_path: Path) -> None:
    copied = {f"record {at}": {"score": text} for at, text in enumerate(("4.5", "3.0"), 1)}
    useless = (Say("I can't do that."), Say("```python\nprint(1 2)\n```"))
    replies = (*(useless if weak == "false" else ()), Say(json.dumps(copied)))
    ended, events, asked = run(tmp_path, "all goods on {}: name, score (float)", *replies, weak=weak)
    assert ran(tmp_path, "cassette", "record", events[0]["session"], "c.json").returncode == 0
    recorded = json.loads((tmp_path / "c.json").read_bytes())
    assert [reply["role"] for reply in recorded["replies"]] == ["programmer"] * (len(asked) - 1) + ["mapper"]
    with site({"/": GOODS}) as goods:
        query = f"all goods on {goods.base}/: name, score (float)"
        played = ran(tmp_path, "run", query, "--cassette", "c.json", "--json")
    assert (played.returncode, ended.returncode) == (0, 0), played.stderr
    again = [json.loads(line) for line in played.stdout.splitlines()]
    for type_, key in (("Advised", "copied"), ("CodeWritten", "author"), ("ReplyUnused", "problem")):
        assert [e[key] for e in again if e["type"] == type_] == [e[key] for e in events if e["type"] == type_]
