"""A verdict in words, and its form in the JSON schemas that the commands print."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.commands import json_schema
from scrapewright.session.verdict import Finding, Verdict
from scrapewright.session.wording import account, likelihood, rests_on


@pytest.mark.parametrize(
    ("probability", "said"),
    [(0.0, ""), (0.004, "0 % likely right"), (0.29, "29 % likely right"), (0.8999, "89 % likely right"),
     (0.9, "90 % likely right"), (1.0, "100 % likely right")],
)  # fmt: skip
def test_a_probability_is_said_in_whole_percents(probability: float, said: str) -> None:
    assert likelihood(probability) == said


@given(st.floats(0.001, 1.0))
def test_no_more_is_said_than_was_computed(probability: float) -> None:
    percents = int(likelihood(probability).partition(" ")[0])
    assert percents <= probability * 100 + 1e-6
    assert percents > probability * 100 - 1


@pytest.mark.parametrize(
    ("finding", "said"),
    [
        (Finding("ungrounded", "m"), ""),
        (Finding("wrong-order", "m", source="grammar"), "by the request as read by the grammar"),
        (Finding("wrong-order", "m", source="model"), "by the request as read by the model"),
        (Finding("wrong-order", "m", source="person"), "by the request as read by a person"),
        (Finding("rival", "m", severity="warning", source="names"), "by what the page calls its places"),
        (Finding("not-understood", "m", severity="doubt", source="grammar"), ""),
    ],
)
def test_what_a_finding_rests_on_is_said_where_that_is_not_the_pages(finding: Finding, said: str) -> None:
    assert rests_on(finding) == said


def test_the_account_leaves_out_what_is_empty() -> None:
    assert account(Verdict(True, 1.0)) == []
    assert account(Verdict(True, 1.0, checked=("a", "b"))) == ["checked: a; b"]
    assert account(Verdict(True, 1.0, checked=("a",), unchecked=("c",))) == ["checked: a", "not checked: c"]


@pytest.mark.parametrize("what", ["event", "check"])
def test_the_schemas_say_all_that_a_verdict_holds(what: str) -> None:
    kinds = json.loads(json_schema(what))["$defs"]
    whole = Finding("rival", "m", "price", (1,), "warning", "a", "b", 0.5, "names")
    assert set(msgspec.to_builtins(whole)) == set(kinds["Finding"]["properties"])
    verdict = Verdict(True, 0.5, (whole,), 1, ("price",), "rows.csv", 1, 0.5, ("a",), ("b",))
    missing = {"file"} if what == "check" else set()
    known = kinds["RowsReport" if what == "check" else "Verdict"]["properties"]
    assert set(msgspec.to_builtins(verdict)) - missing <= set(known)
