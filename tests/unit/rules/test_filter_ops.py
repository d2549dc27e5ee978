"""Every condition that a reading can have, in the program and in the judge."""

from __future__ import annotations

import re
from datetime import date, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.programmers.rules.conditions import Keep, expression, iso_body, passes
from scrapewright.programmers.rules.emit import emit
from scrapewright.programmers.rules.plan import plan
from scrapewright.query.reading import Column, Filter, Reading
from tests.unit.rules.helpers import lint, rows_of, run_program, served
from tests.unit.survey.helpers import survey_pages

EVENTS = (
    ("Open day", "9:30", "North, ON", "4 January 2021", "12", "music, food"),
    ("Board talk", "11:45", "West, AB", "30 June 2021", "250", "talk"),
    ("Late show", "20:15", "Onward, BC", "2 March 2022", "90", "music"),
    ("Open stage", "12:00", "East, ON", "18 May 2022", "1,200", "food, talk"),
)
PAGE = (
    "<html><head><title>Events</title></head><body><h1>Events</h1><table><thead><tr><th>Event</th><th>Start</th>"
    "<th>Where</th><th>Date</th><th>Seats</th><th>Kinds</th></tr></thead><tbody>"
    + "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in EVENTS)
    + "</tbody></table></body></html>"
)
EVENT = Column("event")
START = Column("start")
WHERE = Column("where")
DATE = Column("date", "date")
SEATS = Column("seats", "int")
KINDS = Column("kinds", "list")
GERMAN = msgspec.structs.replace(DATE, format="%d.%m.%Y")


def produced(tmp_path: Path, *filters: Filter, fields: tuple[Column, ...], page: str = PAGE) -> list[dict[str, Any]]:
    with served({"/": page}) as site:
        url = site.base + "/"
        query = Reading(text=url, urls=(url,), columns=fields, filters=filters, format="json")
        pages = {url: site.page("/")}
        code = emit(plan(query, survey_pages(query, list(pages.values())), 0, pages))
        assert lint(code) == ""
        done = run_program(code, tmp_path)
    assert done.returncode == 0, done.stderr
    rows = rows_of(tmp_path / "rows.json")
    assert all(list(row) == [field.name for field in fields] for row in rows), "what only a condition needs stays out"
    return rows


def on(op: Any, value: str, column: str = "") -> Filter:
    return Filter(text=f"{column} {op} {value}", column=column, op=op, value=value)


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [
        (on("eq", "board talk", "event"), (1,)),
        (on("ne", "Open day", "event"), (1, 2, 3)),
        (on("contains", "open", "event"), (0, 3)),
        (on("lacks", "open", "event"), (1, 2)),
        (on("starts", "OPEN", "event"), (0, 3)),
        (on("ends", "show", "event"), (2,)),
        (on("eq", "ON", "where"), (0, 3)),
        (on("eq", "90", "seats"), (2,)),
        (on("ne", "90", "seats"), (0, 1, 3)),
        (on("lt", "250", "seats"), (0, 2)),
        (on("le", "250", "seats"), (0, 1, 2)),
        (on("gt", "250 seats", "seats"), (3,)),
        (on("ge", "250", "seats"), (1, 3)),
        (on("starts", "12", "seats"), (0, 3)),
        (on("ge", "12:00", "start"), (2, 3)),
        (on("lt", "11:45", "start"), (0,)),
        (on("le", "9:30", "start"), (0,)),
        (on("ge", "2021-06-30", "date"), (1, 2, 3)),
        (on("lt", "2022", "date"), (0, 1)),
        (on("le", "2022-03", "date"), (0, 1, 2)),
        (on("eq", "2022-05-18", "date"), (3,)),
        (on("eq", "18 May 2022", "date"), (3,)),
        (on("ne", "2022-05-18", "date"), (0, 1, 2)),
        (on("starts", "2022", "date"), (2, 3)),
        (on("starts", "2021-06", "date"), (1,)),
        (on("contains", "food", "kinds"), (0, 3)),
        (on("lacks", "food", "kinds"), (1, 2)),
        (on("eq", "music", "kinds"), (0, 2)),
    ],
    ids=lambda value: value.text if isinstance(value, Filter) else "",
)
def test_a_condition_on_a_column(tmp_path: Path, wanted: Filter, kept: tuple[int, ...]) -> None:
    fields = (EVENT, START, WHERE, DATE, SEATS, KINDS)
    rows = produced(tmp_path, wanted, fields=fields)
    assert [row["event"] for row in rows] == [EVENTS[at][0] for at in kept]


@pytest.mark.parametrize("column", ["start", "date", "seats", "kinds"])
def test_rows_with_or_without_a_value_can_be_wanted(tmp_path: Path, column: str) -> None:
    page = PAGE
    for cell in EVENTS[1][1:]:
        page = page.replace(f"<td>{cell}</td>", "<td></td>")
    fields = (EVENT, START, WHERE, DATE, SEATS, KINDS)
    for op, kept in (("ne", (0, 2, 3)), ("eq", (1,))):
        rows = produced(tmp_path, on(op, "", column), fields=fields, page=page)
        assert [row["event"] for row in rows] == [EVENTS[at][0] for at in kept]


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [
        (on("ge", "2021-06-30", "date"), (1, 2, 3)),
        (on("starts", "2022", "date"), (2, 3)),
        (on("eq", "2021-01-04", "date"), (0,)),
        (on("ne", "2021-01-04", "date"), (1, 2, 3)),
    ],
    ids=lambda value: value.text if isinstance(value, Filter) else "",
)
def test_dates_are_compared_as_dates_however_they_are_written(
    tmp_path: Path, wanted: Filter, kept: tuple[int, ...]
) -> None:
    rows = produced(tmp_path, wanted, fields=(EVENT, GERMAN))
    assert [row["event"] for row in rows] == [EVENTS[at][0] for at in kept]
    assert all(row["date"][2] == row["date"][5] == "." for row in rows)


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [
        (on("eq", "ON"), (0, 3)),
        (on("eq", "Board talk"), (1,)),
        (on("contains", "stage"), (3,)),
        (on("lacks", "Late"), (0, 1, 3)),
        (on("ne", "Late show"), (0, 1, 3)),
        (on("starts", "Late"), (2,)),
        (on("eq", "2022-03-02"), (2,)),
        (on("ge", "2022-01-01"), (2, 3)),
        (on("contains", "no such word"), (0, 1, 2, 3)),
    ],
    ids=lambda value: value.text if isinstance(value, Filter) else "",
)
def test_a_condition_on_the_record(tmp_path: Path, wanted: Filter, kept: tuple[int, ...]) -> None:
    rows = produced(tmp_path, wanted, fields=(EVENT,))
    assert [row["event"] for row in rows] == [EVENTS[at][0] for at in kept]


@pytest.mark.parametrize(
    ("keep", "value", "held"),
    [
        (Keep("eq", True, "c", kind="bool"), True, True),
        (Keep("eq", True, "c", kind="bool"), False, False),
        (Keep("eq", False, "c", kind="bool"), False, True),
        (Keep("ne", True, "c", kind="bool"), None, True),
        (Keep("ne", "2021", "c", kind="date"), None, True),
        (Keep("ge", "2021", "c", kind="date"), None, False),
        (Keep("lt", "12:00", "c", kind="time"), "9:05", True),
        (Keep("says", "WI", "c"), "Rewind", False),
        (Keep("says", "WI", "c"), "Madison, WI 53703", True),
        (Keep("contains", "a", "c", kind="list"), None, False),
        (Keep("ends", "0", "c", kind="number"), 120, True),
    ],
)
def test_a_test_says_what_it_says_of_any_value(keep: Keep, value: Any, held: bool) -> None:
    assert evaluated(keep, value) is held
    assert passes(keep, value) is held


def evaluated(keep: Keep, value: Any) -> bool:
    """What the program's own expression says."""
    names: dict[str, Any] = {"value": value, "re": re, "datetime": datetime}
    exec("\n".join(["def iso_of(text):", *("    " + line for line in iso_body(keep.form))]), names)
    return bool(eval(expression(keep, "value"), names))


SAID = st.sampled_from(["", "a", "A b", "a bc", "12", "2021", "2021-06-30", "9:30", "12:00", "WI"])
TEXT_OPS = st.sampled_from(["eq", "ne", "contains", "lacks", "says", "starts", "ends", "present"])
MOMENT_OPS = st.sampled_from(["eq", "ne", "lt", "le", "gt", "ge", "starts", "lacks"])
DAYS = st.none() | st.dates(date(2019, 1, 1), date(2023, 12, 31)).map(date.isoformat)
GERMAN_DAYS = st.none() | st.dates(date(2019, 1, 1), date(2023, 12, 31)).map(lambda day: day.strftime("%d.%m.%Y"))
PARTS = st.sampled_from(["2021", "2021-06", "2021-06-30"])
CASES = st.one_of(
    st.tuples(st.builds(Keep, TEXT_OPS, SAID), st.none() | SAID),
    st.tuples(st.builds(Keep, st.just("present"), st.booleans()), st.none() | SAID),
    st.tuples(st.builds(Keep, st.just("present"), st.booleans(), kind=st.just("list")), st.none() | st.lists(SAID)),
    st.tuples(st.builds(Keep, TEXT_OPS, SAID, kind=st.just("list")), st.none() | st.lists(SAID, max_size=3)),
    st.tuples(
        st.builds(Keep, st.sampled_from(["eq", "ne"]), st.booleans(), kind=st.just("bool")),
        st.sampled_from([None, True, False]),
    ),
    st.tuples(st.builds(Keep, MOMENT_OPS, PARTS, kind=st.sampled_from(["date", "datetime"])), DAYS),
    st.tuples(st.builds(Keep, MOMENT_OPS, PARTS, kind=st.just("date"), form=st.just("%d.%m.%Y")), GERMAN_DAYS),
    st.tuples(
        st.builds(Keep, MOMENT_OPS, st.just("12:00"), kind=st.just("time")),
        st.sampled_from([None, "9:30", "12:00", "20:15"]),
    ),
    st.tuples(
        st.builds(
            Keep, st.sampled_from(["eq", "ne", "lt", "le", "gt", "ge"]), st.integers(0, 3), kind=st.just("number")
        ),
        st.none() | st.integers(0, 3),
    ),
)


@given(CASES)
def test_the_plan_and_the_program_agree_on_every_condition(case: tuple[Keep, Any]) -> None:
    keep, value = case
    assert passes(keep, value) is evaluated(keep, value)
