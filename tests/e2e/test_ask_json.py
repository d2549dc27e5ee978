"""Questions and answers over pipes: the command run for real, with a client that speaks `--ask json`."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from scrapewright.loop.answers import Answer
from scrapewright.options import RunOptions
from scrapewright.query.reading import Reading
from scrapewright.session import events as ev
from scrapewright.session.questions import Decision
from scrapewright.session.state import replay
from scrapewright.settings import load
from scrapewright.store.sessions import SessionStore
from scrapewright.wiring import continued_session
from tests.e2e.site import MUGS, Site, called, serve

PATIENCE = 60.0


def listing(number: int, last: int) -> str:
    mugs = "".join(
        f'<li class="mug"><h3 class="name">{color} mug</h3><p class="price">£{number}.{10 + place}</p></li>'
        for place, color in enumerate(["Blue", "Red", "Green", "Grey"])
    )
    onward = f'<a class="next" href="/?page={number + 1}">next</a>' if number < last else ""
    return f"<!doctype html><html><head><title>Mugs</title></head><body><ul>{mugs}</ul>{onward}</body></html>"


SHELF = {"/": listing(1, 3), "/?page=2": listing(2, 3), "/?page=3": listing(3, 3)}
ALL_ROWS = 12


class Client:
    """The other end of `run --ask json`. `events` are the lines that came, as they were read."""

    def __init__(self, query: str, cwd: Path, *args: str) -> None:
        self.child = subprocess.Popen(
            [sys.executable, "-m", "scrapewright", "run", query, "--ask", "json", "--out", "out", *args], cwd=cwd,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, "NO_COLOR": "1"},
        )  # fmt: skip
        self.events: list[dict[str, Any]] = []

    def until(self, kind: str) -> dict[str, Any]:
        """The next line of that type."""
        assert self.child.stdout is not None
        for line in self.child.stdout:
            self.events.append(json.loads(line))
            if self.events[-1]["type"] == kind:
                return self.events[-1]
        raise AssertionError(f"it ended before {kind}: {self.events[-1:]}")

    def say(self, **answer: object) -> None:
        self.line(json.dumps(answer))

    def line(self, text: str) -> None:
        assert self.child.stdin is not None
        self.child.stdin.write(text + "\n")
        self.child.stdin.flush()

    def hang_up(self) -> None:
        assert self.child.stdin is not None
        self.child.stdin.close()

    def end(self) -> tuple[int, dict[str, Any]]:
        """(exit code, the last event)."""
        finished = self.until("SessionFinished")
        return self.child.wait(PATIENCE), finished

    def close(self) -> None:
        self.child.kill()
        self.child.wait()
        for stream in (self.child.stdin, self.child.stdout):
            if stream is not None:
                stream.close()


@contextmanager
def client(tmp_path: Path, *args: str, pages: dict[str, str] | None = None) -> Iterator[tuple[Client, Site]]:
    with serve(pages or SHELF) as site:
        there = Client(f"all mugs on {site.base}/: name, price (float)", tmp_path, *args)
        try:
            yield there, site
        finally:
            there.close()


def rows(tmp_path: Path) -> int:
    return len((tmp_path / "out" / "rows.csv").read_text().splitlines()) - 1


@pytest.mark.parametrize(
    ("answer", "count", "decision"),
    [
        pytest.param({"choose": "first"}, 4, Decision("pages", option="first"), marks=pytest.mark.full),
        pytest.param({"choose": "all"}, ALL_ROWS, Decision("pages", option="all"), marks=pytest.mark.full),
        ({"text": "2"}, 8, Decision("pages", text="2")),
        ({"answer": "go"}, 4, Decision("pages", option="first")),
    ],
    ids=["the first option", "another option", "typed text", "the best guess"],
)
def test_an_answer_makes_the_rows(answer: dict[str, str], count: int, decision: Decision, tmp_path: Path) -> None:
    with client(tmp_path) as (there, _):
        asked = there.until("Asked")
        assert asked["kind"] == "pages"
        assert [option["id"] for option in asked["options"]] == ["first", "all"]
        assert asked["choices"][:3] == ["choose", "say", "go"]
        there.say(ticket=asked["seq"], **answer)
        code, end = there.end()
    assert (code, end["outcome"], rows(tmp_path)) == (0, "success", count)
    assert [e["type"] for e in there.events].count("Asked") == 1
    assert there.events[0]["type"] == "SessionStarted"
    assert decided(there.events[0]["session"]) == (decision,)


def test_what_is_no_answer_is_refused_and_the_question_stays_open(tmp_path: Path) -> None:
    with client(tmp_path) as (there, _):
        there.say(ticket=1, choose="first")  # nothing is asked yet
        assert there.until("Refused")["message"] == "1 is not the question that is open"
        seq = there.until("Asked")["seq"]
        for line, says in [
            ("all of them, please", "no answer"),
            (json.dumps({"ticket": seq, "choose": "third"}), "there is no option 'third'; there are first, all, none"),
            (json.dumps({"ticket": seq, "text": "a few"}), "say how many pages, or all: 'a few' is neither"),
            (json.dumps({"ticket": seq, "answer": "accept"}), "not accept"),
            (json.dumps({"ticket": seq - 1, "choose": "all"}), f"{seq - 1} is not the question that is open"),
        ]:
            there.line(line)
            assert says in there.until("Refused")["message"]
        there.say(ticket=seq, choose="all")
        there.say(ticket=seq, choose="first")  # a second answer to the same question
        assert there.until("Refused")["ticket"] == seq
        assert there.end()[0] == 0
    assert rows(tmp_path) == ALL_ROWS


@pytest.mark.parametrize("when", [pytest.param("at once", marks=pytest.mark.full), "while it is asked"])
def test_at_the_end_of_input_the_best_guess_runs_and_it_is_said(when: str, tmp_path: Path) -> None:
    with client(tmp_path) as (there, _):
        if when == "at once":
            there.hang_up()
        else:
            there.until("Asked")
            there.hang_up()
        code, end = there.end()
    assert (code, rows(tmp_path)) == (0, 4)
    assert end["reason"] == '4 rows of page 1; a next page is there: say "all pages" or --pages N'
    assert [e["question"]["kind"] for e in there.events if e["type"] == "LeftOpen"] == ["pages"]
    assert decided(there.events[0]["session"]) == ()


def test_runs_are_approved_without_a_terminal(tmp_path: Path) -> None:
    with client(tmp_path, "--mode", "approve", pages={"/": MUGS}) as (there, _):
        asked = there.until("Asked")
        assert (asked["kind"], "options" in asked) == ("run", False)
        there.say(ticket=asked["seq"], answer="go")
        code, _ = there.end()
    assert code == 0


@pytest.mark.full
def test_a_run_that_nobody_approves_any_more_is_not_run(tmp_path: Path) -> None:
    with client(tmp_path, "--mode", "approve", pages={"/": MUGS}) as (there, _):
        there.until("Asked")
        there.hang_up()
        code, end = there.end()
    assert (code, end["outcome"], end["reason"]) == (130, "stopped", "nobody is there any more to answer")
    assert not any(e["type"] == "RunStarted" for e in there.events)


@pytest.mark.full
def test_a_host_is_asked_about(tmp_path: Path) -> None:
    with serve({"/data.csv": "a"}) as other:
        program = (
            f'import csv\nimport requests\n\nrequests.get("{other.base}/data.csv").raise_for_status()\n'
            'with open("rows.csv", "w", newline="") as file:\n    csv.writer(file).writerow(["name", "price"])\n'
        )
        (tmp_path / "mine.py").write_text(program)
        with client(tmp_path, "--from", "mine.py", "--attempts", "1", pages={"/": MUGS}) as (there, _):
            asked = there.until("Asked")
            assert (asked["kind"], asked["host"]) == ("host", other.base.removeprefix("http://"))
            there.say(ticket=asked["seq"], answer="deny")
            there.end()
        assert other.seen == []


async def test_a_session_killed_while_it_asks_goes_on_and_asks_again(tmp_path: Path) -> None:
    with client(tmp_path) as (there, _):
        first = there.until("Asked")
        there.child.kill()
        there.child.wait()
        name = there.events[0]["session"]
        options = RunOptions(load(), Reading(text=""), out=tmp_path / "out")
        async with continued_session(options, name, asks=True) as handle:
            assert not handle.gate.asks  # what was asked then is no question until it is put again
            follow = handle.journal.follow(first["seq"])
            work = asyncio.create_task(handle.loop.run())
            async for event in follow:
                if isinstance(event, ev.Asked):
                    assert (event.kind, [o.id for o in event.options]) == ("pages", ["first", "all"])
                    assert handle.gate.answer(event.seq, Answer("choose", option="all"))
            end = await work
    assert end is not None
    assert (end.outcome, rows(tmp_path)) == ("success", ALL_ROWS)
    assert decided(name) == (Decision("pages", option="all"),)


def decided(name: str) -> tuple[Decision, ...]:
    """What a session that is stored decided, replayed."""
    with store() as sessions:
        return replay(sessions.read(name).events()).decisions


def store() -> SessionStore:
    return SessionStore(Path(os.environ["XDG_DATA_HOME"]) / "scrapewright")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--ask", "yaml"], "--ask: 'yaml' is not json"),
        (["--set", "price"], "--set takes COLUMN=SELECTOR"),
        (["--set", "price=p["], "is no CSS selector"),
        (["--example", "color=blue"], "there is no column 'color'; the request asks for name, price"),
        (["--mode", "approve"], "--ask json"),
    ],
)
def test_bad_usage_says_what_to_do(args: list[str], says: str, tmp_path: Path) -> None:
    done = called("run", "all mugs on http://127.0.0.1:1/: name, price (float)", *args, cwd=tmp_path)
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stdout == ""


def test_what_is_said_of_a_column_beforehand_is_a_decision(tmp_path: Path) -> None:
    with serve({"/": MUGS}) as site:
        done = called(
            "run", f"all mugs on {site.base}/: name, price (float)", "--json", "--set", "price=p.price",
            "--example", "name=Blue mug", cwd=tmp_path,
        )  # fmt: skip
    started = json.loads(done.stdout.splitlines()[0])
    assert started["decisions"] == [
        {"kind": "column", "column": "price", "text": "p.price", "how": "selector"},
        {"kind": "column", "column": "name", "text": "Blue mug", "how": "example"},
    ]
    assert "price: by selector p.price" in done.stderr


def test_without_anybody_the_next_page_is_said(tmp_path: Path) -> None:
    with serve(SHELF) as site:
        done = called("run", f"all mugs on {site.base}/: name, price (float)", "--out", "out", cwd=tmp_path)
    assert done.returncode == 0
    assert 'success: 4 rows of page 1; a next page is there: say "all pages" or --pages N' in done.stderr
