"""The judge gives a verdict on whatever a program writes: any JSON values, any cells, any bytes."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrapewright.critics import judge as judging
from scrapewright.critics.bench import Bench
from scrapewright.critics.judge import RowsCritic
from scrapewright.loop.ports import Case
from scrapewright.loop.summaries import fit_verdict
from scrapewright.query.reading import Column, Filter, Order, Reading
from scrapewright.session.result import Request, RunResult
from scrapewright.session.sanitize import to_json
from scrapewright.session.verdict import Finding, Verdict
from scrapewright.survey.model import Survey
from scrapewright.survey.surveyor import PageSurveyor
from scrapewright.web.page import Page
from tests.json_values import json_values
from tests.suite import examples
from tests.unit.critics.shop_pages import FIELDS, LAYOUTS, ask, site, teas

NAMES = tuple(field.name for field in FIELDS)
TYPES = ("text", "int", "float", "date", "datetime", "url", "bool", "list")
OPS = ("eq", "ne", "lt", "le", "gt", "ge", "contains", "lacks", "starts", "ends", "other")

ODD = (
    "", " ", "\ud800", "a\ud800b", "\x00", "\u2028", "\u0130", "½", "²", "٣", "1e999", "-1e999", "1" * 400, "NaN",
    "nan", "inf", "None", "null", "true", "P1DT2H", "2024-02-30", "0000-00-00", "9999-99-99", "//", "http://[",
    "https://tea.test:99999/", "[[[[", "[1, [2, {}]]", "(1,", "{}", "£-", "Ã©", "\ufffd", "“”", "1,2,3,4", "%", "#",
    "-", "–5", "12:99", "Assam Gold", "£3.25", "Gold", "One", "3/4/5", "a" * 5000,
)  # fmt: skip
numbers = st.one_of(
    st.integers(), st.sampled_from([10**400, -(10**400), 2**63, -(2**63) - 1, 2**64, 0, -0, 1 << 1100]),
    st.floats(allow_nan=True, allow_infinity=True), st.sampled_from([1e308, -0.0, 5e-324, 1e22]),
)  # fmt: skip
scalars = st.one_of(st.none(), st.booleans(), numbers, st.text(max_size=12), st.sampled_from(ODD))
values = json_values(scalars, most=3, max_leaves=6)

fields = st.builds(
    Column, st.sampled_from((*NAMES, "nowhere", "count", "image")), st.sampled_from((None, *TYPES)),
    format=st.sampled_from(("", "%d.%m.%Y", "%H:%M", "%Q")),
    note=st.sampled_from(
        ("", "in millions", "discount", "like £3.25", "e.g. 'Gold'", "0 if there is none", "absolute", "optional")
    ),
)  # fmt: skip
filters = st.builds(
    Filter, st.just("only some"), st.sampled_from((*NAMES, "nowhere", "")), st.sampled_from(OPS),
    st.sampled_from(("", "10", "1e999", "Gold", "2024-05-01", "Assam", ".pdf")),
)  # fmt: skip


@st.composite
def queries(draw: st.DrawFn) -> Reading:
    return ask(
        columns=draw(st.just(FIELDS) | st.lists(fields, max_size=6, unique_by=lambda field: field.name).map(tuple)),
        pages=draw(st.sampled_from(("unsaid", "first", "all", 2, 9))),
        filters=tuple(draw(st.lists(filters, max_size=2))),
        order=tuple(draw(st.lists(st.builds(Order, st.sampled_from(NAMES), st.booleans()), max_size=2))),
        limit=draw(st.sampled_from((None, 0, 1, 5))),
        distinct=draw(st.sampled_from(((), ("name",), ("nowhere", "grade")))),
        single=draw(st.booleans()),
        section=draw(st.sampled_from(("", "All teas"))),
        format=draw(st.sampled_from(("csv", "json", "jsonl"))),
        format_said=draw(st.booleans()),
        unread=draw(st.sampled_from(((), ("the ripe ones",)))),
    )


@cache
def surveyed(layout: str) -> Survey:
    pages = site(layout)

    async def fetch(url: str, *, method: str = "GET", headers: dict[str, str] | None = None) -> Page:
        return pages.get(url) or Page(url, url, 404)

    return asyncio.run(PageSurveyor().survey(ask(), fetch, lambda tick: None))


def judged(query: Reading, layout: str, name: str, body: bytes) -> Verdict:
    pages = site(layout)
    requests = tuple(Request("GET", url, page.status, page.media_type, len(page.body)) for url, page in pages.items())
    case = Case(query, surveyed(layout), RunResult("ok", 0, requests=requests), {name: body}, pages)
    verdict = RowsCritic().judge(case)
    to_json(fit_verdict(verdict))  # it fits into an event
    return verdict


@st.composite
def right_but_for_some(draw: st.DrawFn) -> list[Any]:
    """The right rows with some cells, some keys and some rows put in the place of others: so every check is reached."""
    rows: list[Any] = [dict(row) for row in teas()]
    for _ in range(draw(st.integers(1, 6))):
        number = draw(st.integers(0, len(rows) - 1))
        match draw(st.sampled_from(("cell", "column", "row", "key", "lost"))):
            case "cell" if isinstance(rows[number], dict):
                rows[number][draw(st.sampled_from(NAMES))] = draw(values)
            case "column":
                name, choice = draw(st.sampled_from(NAMES)), draw(st.lists(values, min_size=1, max_size=3))
                rows = [
                    {**row, name: choice[n % len(choice)]} if isinstance(row, dict) else row
                    for n, row in enumerate(rows)
                ]
            case "row":
                rows[number] = draw(values)
            case "key" if isinstance(rows[number], dict):
                rows[number][draw(st.text(max_size=5))] = draw(values)
            case _ if len(rows) > 1:
                del rows[number]
    return rows


layouts = st.sampled_from(tuple(LAYOUTS))
a_few = settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def lines(rows: list[Any]) -> str:
    return "\n".join(json.dumps(row, ensure_ascii=len(rows) % 2 == 0) for row in rows)


@a_few
@given(queries(), layouts, right_but_for_some(), st.booleans())
def test_any_values_in_json_get_a_verdict(query: Reading, layout: str, rows: list[Any], lined: bool) -> None:
    text = lines(rows) if lined else json.dumps(rows)
    verdict = judged(query, layout, "rows.jsonl" if lined else "rows.json", text.encode("utf-8", "surrogatepass"))
    assert not verdict.failure
    assert verdict.rows == len(rows)
    assert 0 <= verdict.score <= 1


@a_few
@given(queries(), layouts, right_but_for_some())
def test_any_cells_in_csv_get_a_verdict(query: Reading, layout: str, rows: list[Any]) -> None:
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(NAMES)
    for row in rows:
        cells = list(row.values()) if isinstance(row, dict) else row if isinstance(row, list) else [row]
        writer.writerow([str(cell)[:400] for cell in cells])
    assert not judged(query, layout, "rows.csv", file.getvalue().encode("utf-8", "surrogatepass")).failure


@settings(max_examples=examples(90), deadline=None)
@given(st.sampled_from(("rows.json", "rows.jsonl", "rows.csv", "rows.tsv", "rows")), st.binary(max_size=60), values)
def test_any_bytes_get_a_verdict(name: str, noise: bytes, value: Any) -> None:
    for body in (noise, json.dumps(value).encode(), json.dumps({"rows": value}).encode()):
        verdict = judged(ask(), "cards", name, body)
        assert not verdict.ok
        assert not verdict.failure


ODD = [
    7, 10**400, 2**70, 1.5, float("nan"), float("inf"), None, True, "\ud800", [], [None, [1, {"a": 10**400}]],
    {"a": {"b": "\ud800"}}, json.loads("[" * 60 + "]" * 60), "a\u2028b",
]  # fmt: skip
FORMS = [("rows.json", ""), ("rows.jsonl", "All teas"), ("rows.json", "All teas"), ("rows.jsonl", "")]


@pytest.mark.parametrize(
    ("value", "name", "section"),
    [
        pytest.param(
            value, *form, id=f"{ascii(value)[:20]}-{form[0]}-{form[1]}",
            marks=[] if number % 2 == turn else [pytest.mark.full],
        )
        for number, value in enumerate(ODD) for turn, form in enumerate(FORMS)
    ],
)  # fmt: skip
def test_a_column_of_one_value_gets_a_verdict(value: Any, section: str, name: str) -> None:
    for column in ("name", "price", "packed", "url"):
        rows = [{**row, column: value} for row in teas()]
        text = json.dumps(rows) if name == "rows.json" else lines(rows)
        verdict = judged(ask(section=section), "cards", name, text.encode("utf-8", "surrogatepass"))
        assert not verdict.failure
        assert not verdict.ok or value is True  # a text may be anything: that a mark is there, too
        assert verdict.rows == len(rows)


def test_a_check_that_fails_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(bench: Bench) -> list[Finding]:
        raise KeyError("price")

    monkeypatch.setattr(judging, "CHECKS", (*judging.CHECKS[:3], broken))
    verdict = judged(ask(), "cards", "rows.json", json.dumps(teas()).encode())
    assert not verdict.ok
    assert [finding.code for finding in verdict.findings] == ["could-not-judge"]
    assert verdict.failure.startswith("the rows could not be judged: KeyError: 'price' (test_any_rows.py:")
