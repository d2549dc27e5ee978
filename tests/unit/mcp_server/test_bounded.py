"""What clients are handed is JSON of limited size, without what a terminal would obey."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.api.answers import Question
from scrapewright.api.page import Page
from scrapewright.api.result import Result
from scrapewright.loop.answers import OPTION_CHOICES
from scrapewright.mcp_server import bounded
from scrapewright.session.questions import Option
from scrapewright.session.result import Captured, ExceptionInfo, Frame, RunResult, Step
from scrapewright.session.verdict import Finding, Verdict
from scrapewright.survey.model import Group, Slot
from tests.json_values import json_values

JSON = json_values(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec=None)), st.text(st.characters(codec=None))
)


@given(JSON)
def test_texts_are_short_and_harmless(value: Any) -> None:
    found = bounded.short(value, 20)
    text = json.dumps(found, ensure_ascii=False)
    assert not {"\x1b", "\x9b", "\u202e"} & set(str(list(texts(found))))
    assert all(len(each) <= 20 for each in texts(found))
    text.encode()


def texts(value: Any) -> Any:
    if isinstance(value, str):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from texts(item)


def test_a_text_that_was_cut_says_so() -> None:
    assert bounded.short("x" * 9, 10) == "x" * 9
    assert bounded.short("x" * 11, 10) == "x" * 9 + "…"
    assert bounded.short("\x1b[2J" * 9 + "x", 10).endswith("…")


def test_rows_are_cut_by_number_and_by_size() -> None:
    few = bounded.run_result(Result(session="s", query="q", outcome="success", rows=[{"a": n} for n in range(120)]))
    assert (len(few["rows"]), few["rows_shown"], few["rows_total"], few["trusted"]) == (50, 50, 120, True)
    wide = [{f"column {n}": "x" * 400 for n in range(10)} for _ in range(40)]
    cut = bounded.run_result(Result(session="s", query="q", outcome="unrepaired", unverified=wide, exit_code=1))
    assert 0 < cut["rows_shown"] == len(cut["rows"]) < 40 == cut["rows_total"]
    assert len(json.dumps(cut["rows"])) < bounded.BYTES * 1.1
    assert not cut["trusted"]


def test_findings_and_refused_hosts_are_reported() -> None:
    verdict = Verdict(False, 0.1, tuple(Finding("empty-column", f"{n} is empty") for n in range(30)), checked=("rows",))
    shown = bounded.run_result(Result(session="s", query="q", outcome="host", verdict=verdict), ["cdn.test"])
    assert len(shown["verdict"]["findings"]) == 12 < shown["verdict"]["findings_total"] == 30
    assert shown["verdict"]["checked"] == ["rows"]
    assert shown["refused_hosts"] == ["cdn.test"]
    assert "only a person may" in shown["advice"]
    assert "refused_hosts" not in bounded.run_result(Result(session="s", query="q"))


def test_a_question_names_what_it_takes() -> None:
    option = Option("s1", "title", samples=("x" * 2_000,))
    question = Question("column", "which is it?", OPTION_CHOICES, (option,), column="title")
    shown = bounded.waiting("s", question)
    assert shown["status"] == "waiting"
    assert shown["question"]["choices"] == ["go", "edit", "hint", "stop"]
    assert len(shown["question"]["options"][0]["samples"][0]) == 800


def test_a_large_page_is_cut() -> None:
    slots = tuple(Slot(f"s{n}", ".x" * 900, samples=("y" * 2_000,) * 9) for n in range(90))
    groups = tuple(Group(f"g{n}", "list", "li", 9, slots) for n in range(30))
    shown = bounded.page(Page(url="http://shop.test/", status=200, headers={}, body=b"", groups=groups))
    assert (shown["groups_total"], shown["groups"][0]["places_total"]) == (30, 90)
    assert len(shown["groups"][0]["places"]) == 24
    assert len(json.dumps(shown)) < 60_000


def test_a_large_record_of_a_run_is_cut() -> None:
    frames = tuple(Frame("scraper.py", n, "f", locals={"x": "y" * 9_000}) for n in range(50))
    result = RunResult(
        status="error", exit_code=1, exception=ExceptionInfo("E", "m", frames, cause=ExceptionInfo("F", "m", frames)),
        steps=tuple(Step(n) for n in range(200)), stdout=Captured("x" * 90_000, "end", 99_999),
    )  # fmt: skip
    shown = bounded.trace(result, ["/tmp/a"])
    assert [frame["line"] for frame in shown["exception"]["frames"]] == [45, 46, 47, 48, 49]
    assert len(shown["exception"]["cause"]["frames"]) == 5
    assert [step["line"] for step in shown["steps"]] == list(range(180, 200))
    assert shown["files"] == ["/tmp/a"]
    assert (shown["stdout"][0], shown["stdout"][-3:]) == ("…", "end"), "a traceback is at the end of what is printed"
    assert len(msgspec.json.encode(shown)) < 30_000
