"""Columns whose type neither the request nor their name says: the values on the page do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrapewright.loop.ports import Brief
from scrapewright.programmers.rules.emit import emit
from scrapewright.programmers.rules.plan import plan
from scrapewright.programmers.rules.programmer import RulesProgrammer, first
from scrapewright.query.read import read_request
from scrapewright.query.reading import Column, Reading
from scrapewright.session.questions import NONE, Decision
from tests.unit.rules.helpers import decided, lint, run_program, served
from tests.unit.survey.helpers import survey_pages


def column_of(tmp_path: Path, name: str, texts: tuple[str, ...], said: str = "", columns: bool = True) -> list[object]:
    """What a column of the table has whose cells are these texts. `said`: words behind its name in the request."""
    cells = "".join(f"<tr><td>Hut {chr(65 + n)}</td><td>{text}</td></tr>" for n, text in enumerate(texts))
    page = f"<html><body><table><tr><th>hut</th><th>{name}</th></tr>{cells}</table></body></html>"
    wanted = (Column("hut"), Column(name, note=said)) if columns else ()
    with served({"/huts": page}) as site:
        url = site.base + "/huts"
        query = Reading(urls=(url,), columns=wanted, format="json")
        pages = {url: site.page("/huts")}
        code = emit(plan(query, survey_pages(query, list(pages.values())), 0, pages))
        assert lint(code) == ""
        done = run_program(code, tmp_path)
    assert done.returncode == 0, done.stderr
    return [row[name] for row in json.loads((tmp_path / "rows.json").read_text("utf-8"))]


@pytest.mark.parametrize(
    ("name", "texts", "wanted"),
    [
        ("rent", ("£1,250.00", "£980.50", "£75.00"), [1250.0, 980.5, 75.0]),
        ("beds", ("12", "1,204", "8"), [12, 1204, 8]),
        ("height", ("2.5", "11.25", "3"), [2.5, 11.25, 3.0]),
        ("number_of_rooms", ("12", "9.5", "3"), [12.0, 9.5, 3.0]),
        ("opens", ("3 May 2024", "12 June 2024", "1 July 2024"), ["2024-05-03", "2024-06-12", "2024-07-01"]),
    ],
)
def test_numbers_sums_and_dates_are_what_they_look_like(
    name: str, texts: tuple[str, ...], wanted: list[object], tmp_path: Path
) -> None:
    assert column_of(tmp_path, name, texts) == wanted


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("mark", ("22-0282", "22-0283", "23-0011")),
        ("key", ("007", "012", "113")),
        ("clause", ("1.9", "1.10", "2.1")),
        ("wage", ("£31,000 a year", "£28,500 a year", "£40,000 a year")),
        ("line", ("0441234567", "0449876543", "0440001112")),
        ("rent", ("£1,250", "on request", "£75")),
        ("title", ("1917", "300", "1984")),
    ],
)
def test_what_a_number_would_not_keep_stays_a_text(name: str, texts: tuple[str, ...], tmp_path: Path) -> None:
    assert column_of(tmp_path, name, texts) == list(texts)


def test_as_it_is_shown_it_stays_a_text(tmp_path: Path) -> None:
    assert column_of(tmp_path, "rent", ("£1,250", "£980", "£75"), "as shown") == ["£1,250", "£980", "£75"]


def test_a_type_that_is_said_or_that_the_name_says_is_not_left_to_the_values() -> None:
    said = read_request("All huts on http://huts.test/: hut, rent (text), title, opens (date)")
    assert [field.name for field in said.fields if field.kinds] == ["hut"]


def test_columns_that_nobody_names_keep_codes_too(tmp_path: Path) -> None:
    assert column_of(tmp_path, "key", ("007", "012", "113"), columns=False) == ["007", "012", "113"]


HIVES = (("Ash lane", "14 frames", "6 kg"), ("Mill road", "9 frames", "11 kg"), ("The green", "22 frames", "8 kg"))


@pytest.mark.parametrize(
    ("place", "wanted"),
    [
        (("14 frames", "9 frames", "22 frames"), ["14 frames", "9 frames", "22 frames"]),
        ((14.0, 9.0, 22.0), [14, 9, 22]),
    ],
)
async def test_a_column_of_open_type_is_offered_as_each_type_that_it_may_be(
    place: tuple[object, ...], wanted: list[object], tmp_path: Path
) -> None:
    rows = "".join(f'<li class="hive"><b>{a}</b> <i>{b}</i> <u>{c}</u></li>' for a, b, c in HIVES)
    with served({"/hives": f"<html><body><ul>{rows}</ul></body></html>"}) as site:
        url = site.base + "/hives"
        query = Reading(text=url, urls=(url,), columns=(Column("lane", "text"), Column("qu")), format="json")
        assert {kind for kind, _ in query.fields[1].kinds} >= {"text", "float"}
        pages = {url: site.page("/hives")}
        brief = Brief(reading=query, survey=survey_pages(query, list(pages.values())), pages=pages)
        programmer = RulesProgrammer()
        while (question := await programmer.question(brief)) is not None:
            options = question.options if question.column == "qu" else question.options[:1]
            option = next((one.id for one in options if question.column != "qu" or one.samples == place), NONE)
            brief = decided(brief, Decision(*question.decides, option))
        done = run_program(first(brief).code, tmp_path)
    assert done.returncode == 0, done.stderr
    assert [row["qu"] for row in json.loads((tmp_path / "rows.json").read_text("utf-8"))] == wanted


async def test_whatever_is_chosen_for_a_column_of_open_type_it_holds_what_was_shown(tmp_path: Path) -> None:
    rows = "".join(
        f'<li class="hive"><b>{a}</b> <i>{b}</i> <s>yes</s><p><u class="q">{c}</u> <u class="q">{a[:3]}</u></p></li>'
        for a, b, c in HIVES
    )
    with served({"/hives": f"<html><body><ul>{rows}</ul></body></html>"}) as site:
        url = site.base + "/hives"
        query = Reading(text=url, urls=(url,), columns=(Column("lane", "text"), Column("features")), format="json")
        assert {kind for kind, _ in query.fields[1].kinds} > {"list"}
        pages = {url: site.page("/hives")}
        brief = Brief(reading=query, survey=survey_pages(query, list(pages.values())), pages=pages)
        programmer = RulesProgrammer()
        while (question := await programmer.question(brief)) is not None and question.column != "features":
            brief = decided(brief, Decision(*question.decides, question.options[0].id))
        assert question is not None
        assert any(isinstance(option.samples[0], list) for option in question.options)
        for option in question.options:
            chosen = decided(brief, Decision(*question.decides, option.id))
            done = run_program(first(chosen).code, tmp_path)
            assert done.returncode == 0, done.stderr
            held = [row["features"] for row in json.loads((tmp_path / "rows.json").read_text("utf-8"))]
            assert held == list(option.samples)
