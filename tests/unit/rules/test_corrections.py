"""The places that a wrong column is corrected to: what is offered, what each gives, what a hint names."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from scrapewright.loop.corrections import Corrections
from scrapewright.loop.ports import Attempt, Brief, NotUnderstood, Preview, Row
from scrapewright.programmers.model.prompt import messages
from scrapewright.programmers.rules.corrections import RulesCorrector
from scrapewright.programmers.rules.programmer import RulesProgrammer, another
from scrapewright.query.read import read_request
from scrapewright.query.reading import Order
from scrapewright.session.attempt import AttemptState
from scrapewright.session.journal import Journal
from scrapewright.session.questions import NONE, Decision, Question
from scrapewright.session.state import Session
from scrapewright.session.verdict import Finding, Verdict
from scrapewright.survey.model import to_json
from scrapewright.tui.view.corrections import preview_title
from scrapewright.web.page import Page
from tests.fakes.parts import MemoryBlobs, MemoryLog
from tests.unit.rules.helpers import Site, rows_of, run_program, served
from tests.unit.survey.helpers import survey_pages

GOODS = [("Oak table", "120.00", "150.00"), ("Pine chair", "45.50", "60.00"), ("Elm shelf", "80.00", "95.00")]
CARDS = "".join(
    f'<article class="good"><h3><a href="/g/{title[:3]}">{title}</a></h3><p><span class="price">£{price}</span> '
    f'<s class="old-price">£{old}</s></p></article>'
    for title, price, old in GOODS
)
NEWS = "".join(f"<li class=item><a href='/n/{n}'>News {n}</a> <i>{n}</i></li>" for n in range(5))
PAGE = f"<html><body><h1>Goods</h1><main>{CARDS}</main><h2>News</h2><ul>{NEWS}</ul></body></html>"
ROWS: list[Row] = [{"title": title, "price": str(float(price))} for title, price, _ in GOODS]
OLD = [float(old) for *_, old in GOODS]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with served({"/": PAGE}) as found:
        yield found


@pytest.fixture
def brief(site: Site) -> Brief:
    url = f"{site.base}/"
    query = read_request(f"all goods on {url}: title, price (float)")
    pages = {url: site.page("/")}
    return Brief(query, survey_pages(query, list(pages.values())), pages=pages)


def price(**said: Any) -> Decision:
    return Decision("column", "price", **said)


def test_the_other_places_are_offered_and_not_the_one_that_is_wrong(brief: Brief) -> None:
    question = RulesCorrector().options(brief, "price", ROWS)
    first = question.options[0]
    assert (first.where, list(first.samples)) == ("s.old-price", OLD)
    assert [float(good[1]) for good in GOODS] not in [list(option.samples) for option in question.options]


@pytest.mark.parametrize("more", [9, 0], ids=["rows of several pages", "rows of some records"])
def test_the_wrong_place_is_known_by_the_values_that_rows_and_records_share(more: int, brief: Brief) -> None:
    others: list[Row] = [{"title": f"Mug {n}", "price": f"{1000 + n}.0"} for n in range(more)]
    corrector, rows = RulesCorrector(), [*ROWS, *others] if more else ROWS[:1]
    question = corrector.options(brief, "price", rows)
    assert question.options[0].where == "s.old-price"
    preview = corrector.preview(brief, price(option=question.options[0].id), rows)
    assert [before for _, before, _ in preview.rows] == [float(now) for _, now, _ in GOODS]


def test_once_it_is_corrected_the_first_place_is_offered_again(brief: Brief) -> None:
    corrector = RulesCorrector()
    decisions = corrector.preview(brief, price(text=".old-price"), ROWS).decisions
    rows: list[Row] = [{**row, "price": str(old)} for row, old in zip(ROWS, OLD, strict=True)]
    question = corrector.options(msgspec.structs.replace(brief, decisions=decisions), "price", rows)
    assert question.options[0].where == "span.price"
    assert "s.old-price" not in [option.where for option in question.options]


def test_a_preview_has_each_record_before_and_after(brief: Brief) -> None:
    corrector = RulesCorrector()
    option = corrector.options(brief, "price", ROWS).options[0].id
    preview = corrector.preview(brief, price(option=option), ROWS)
    assert preview.rows == tuple((title, float(now), float(old)) for title, now, old in GOODS)
    group, decided = preview.decisions
    assert (group.kind, bool(group.option)) == ("group", True)
    assert decided == price(option=option, text="s.old-price", how="selector", values=("150.0", "60.0", "95.0"))


@pytest.mark.parametrize("text", [".old-price", "£150.00", "95", "old price", "article > p s"])
def test_what_is_typed_is_generalised_over_the_records(text: str, brief: Brief) -> None:
    preview = RulesCorrector().preview(brief, price(text=text), ROWS)
    assert [then for *_, then in preview.rows] == OLD
    assert preview.decisions[-1] == price(text=text, values=("150.0", "60.0", "95.0"))


@pytest.mark.parametrize("text", ["b.unit", "+ b.unit", "+b.unit", "td.more > b.unit", "table td.more b.unit"])
def test_a_selector_finds_what_is_behind_a_record_and_belongs_to_it(text: str) -> None:
    """The name and what is said of it are in two rows of a table."""
    rows = "".join(
        f'<tr class="good"><td><a href="/{n}">Good {n}</a></td></tr>'
        f'<tr><td class="more"><i>{n + 10} left</i> <b class="unit">box {n}</b></td></tr><tr class="gap"></tr>'
        for n in range(6)
    )
    url = "http://h.example/goods"
    query = read_request(f"all goods on {url}: name, unit")
    page = Page(url, url, 200, {"content-type": "text/html"}, f"<table>{rows}</table>".encode())
    brief = Brief(query, survey_pages(query, [page]), pages={url: page})
    given: list[Row] = [{"name": f"Good {n}", "unit": f"{n + 10} left"} for n in range(6)]
    unit = Decision("column", "unit", text=text, how="selector")
    preview = RulesCorrector().preview(brief, unit, given)
    assert [then for *_, then in preview.rows] == [f"box {n}" for n in range(6)]


def test_a_selector_is_not_taken_for_another_that_has_its_letters(brief: Brief) -> None:
    corrector = RulesCorrector()
    with pytest.raises(NotUnderstood):
        corrector.preview(brief, price(text="s#old-price", how="selector"), ROWS)
    preview = corrector.preview(brief, price(text="s.old-price", how="selector"), ROWS)
    assert [then for *_, then in preview.rows] == OLD


def test_a_column_can_be_left_empty(brief: Brief) -> None:
    preview = RulesCorrector().preview(brief, price(option=NONE), ROWS)
    assert {then for *_, then in preview.rows} == {None}


@pytest.mark.parametrize(
    ("decision", "why"),
    [
        (price(text="£999.00"), "price: no record has '£999.00'"),
        (price(text=".nowhere", how="selector"), "price: nothing in the records of 'article.good' matches '.nowhere'"),
        (price(text="h3", how="selector"), "price: what 'h3' finds can't be read as price (float): 'Oak table'"),
        (price(option="s9-gone"), "price: the records have no place 's9-gone'"),
        (Decision("column", "colour", text=".c"), "colour is no column of the request; its columns are title, price"),
    ],
)
def test_what_leads_nowhere_is_said(decision: Decision, why: str, brief: Brief) -> None:
    with pytest.raises(NotUnderstood) as raised:
        RulesCorrector().preview(brief, decision, ROWS)
    assert str(raised.value).startswith(why)


def test_without_a_survey_there_is_nothing_to_choose_from(brief: Brief) -> None:
    with pytest.raises(NotUnderstood, match="the page was not looked at"):
        RulesCorrector().options(msgspec.structs.replace(brief, survey=None), "price", ROWS)


@pytest.mark.parametrize(
    ("hint", "text", "how"),
    [
        ("price is .old-price", ".old-price", ""),
        ("The price is .old-price", ".old-price", ""),
        ("column Price = s.old-price", "s.old-price", ""),
        ("price: old price", "old price", ""),
        ("price is '£150.00'", "£150.00", "example"),
        ("price should be “60.00”", "60.00", "example"),
    ],
)
def test_a_hint_names_a_column_and_its_place(hint: str, text: str, how: str, brief: Brief) -> None:
    for preview in (RulesCorrector().read_hint(brief, hint, ROWS), RulesProgrammer().read_hint(hint, brief)):
        assert preview.decisions[-1] == price(text=text, how=how, values=("150.0", "60.0", "95.0"))


@pytest.mark.parametrize("hint", ["make it right", "colour is .c", "price", "is .old-price", "price is", "News"])
def test_another_hint_is_not_understood(hint: str, brief: Brief) -> None:
    with pytest.raises(NotUnderstood) as raised:
        RulesCorrector().read_hint(brief, hint, ROWS)
    for form in ("COLUMN is SELECTOR", "'a value'", "only under HEADING", "all pages", "are title, price"):
        assert form in str(raised.value)


@pytest.mark.parametrize(
    ("hint", "why"),
    [
        ("pirce is .old-price", "there is no column 'pirce': is price meant? The columns are title, price"),
        ("price is .was", "price: nothing in the records of 'article.good' matches '.was'"),
        ("price is .old", "price: nothing in the records of 'article.good' matches '.old'"),
        ("title is tr[", "title: 'tr[' is no selector that can be read: "),
        ("only under Shoes", "no records are under a heading 'Shoes'"),
        ("price > many", "price > needs a number or a date after it"),
        ("all pages", "no next page was found"),
    ],
)
def test_why_a_hint_leads_nowhere_is_said(hint: str, why: str, brief: Brief) -> None:
    with pytest.raises(NotUnderstood) as raised:
        RulesCorrector().read_hint(brief, hint, ROWS)
    assert str(raised.value).startswith(why)


@pytest.mark.parametrize(
    ("hint", "rows"),
    [
        ("price <= 80", ["Pine chair · 45.5", "Elm shelf · 80.0"]),
        ("price is <= 80", ["Pine chair · 45.5", "Elm shelf · 80.0"]),
        ("leave out pine", ["Oak table · 120.0", "Elm shelf · 80.0"]),
        ("only pine", ["Pine chair · 45.5"]),
        ("sorted by price", ["Pine chair · 45.5", "Elm shelf · 80.0", "Oak table · 120.0"]),
        ("only the first 2", ["Oak table · 120.0", "Pine chair · 45.5"]),
        ("only under News", [f"News {n} · {n}.0" for n in range(5)]),
    ],
)
def test_a_hint_says_of_the_rows_what_a_request_does(hint: str, rows: list[str], brief: Brief) -> None:
    preview = RulesCorrector().read_hint(brief, hint, ROWS)
    assert preview.reading is not None
    assert [then for *_, then in preview.rows if then is not None] == rows


def test_a_heading_inside_the_list_leaves_its_rows(tmp_path: Path) -> None:
    parts = {"Lamps": ["Harbour Lamp", "Reading Lamp"], "Chairs": ["Oak Chair", "Elm Chair", "Ash Chair"]}
    cards = "".join(
        f"<h2>{heading}</h2>" + "".join(f"<article><h3>{name}</h3><b>£{len(name)}.50</b></article>" for name in names)
        for heading, names in parts.items()
    )
    with served({"/": f"<html><body><main>{cards}</main></body></html>"}) as site:
        url = f"{site.base}/"
        query = read_request(f"all goods on {url}: title, price (float)")
        brief = Brief(query, survey_pages(query, [site.page("/")]), pages={url: site.page("/")})
        rows: list[Row] = [{"title": name, "price": f"{len(name)}.5"} for names in parts.values() for name in names]
        known = corrections(brief)
        hinted = asyncio.run(known.read_hint("only under Lamps", rows))
        typed = asyncio.run(known.preview(known.typed_rows("Lamps"), rows))
        assert hinted == typed
        assert [then for *_, then in typed.rows if then is not None] == ["Harbour Lamp · 12.5", "Reading Lamp · 12.5"]
        assert [row["title"] for row in written_with(typed, brief, tmp_path)] == parts["Lamps"]


def test_a_hint_whose_place_is_not_there_is_not_understood(brief: Brief) -> None:
    with pytest.raises(NotUnderstood, match=r"no record has '£999\.00'"):
        RulesProgrammer().read_hint("price is '£999.00'", brief)


async def decided(hint: str, brief: Brief) -> tuple[Decision, ...]:
    return (await asyncio.to_thread(RulesProgrammer().read_hint, hint, brief)).decisions


async def test_the_next_program_is_written_with_it_and_so_is_each_later_one(brief: Brief, tmp_path: Path) -> None:
    wrong = await RulesProgrammer().write(brief, lambda tick: None)
    tried = Attempt(1, "rules", wrong.code)
    decisions = await decided("price is .old-price", brief)
    corrected = msgspec.structs.replace(brief, attempts=(tried,), decisions=decisions, corrections=decisions)
    draft = await RulesProgrammer().write(corrected, lambda tick: None)
    assert draft.diagnosis.startswith("Corrected by the person: price. ")
    assert run_program(draft.code, tmp_path).returncode == 0
    assert [float(row["price"]) for row in rows_of(tmp_path / "rows.csv")] == OLD
    later = msgspec.structs.replace(corrected, attempts=(tried, Attempt(2, "rules", wrong.code)), corrections=())
    assert another(later).code == draft.code


@pytest.mark.parametrize(
    ("line", "repaired", "kept"),
    [
        ("import csv\n", "import csv\nimport sys\n", True),
        (".price", ".price:not(.none)", False),
    ],
    ids=["elsewhere", "where the correction is"],
)
async def test_a_repair_is_kept_where_it_is_not_of_the_corrected_lines(
    line: str, repaired: str, kept: bool, brief: Brief
) -> None:
    written = await RulesProgrammer().write(brief, lambda tick: None)
    assert line in written.code
    last = Attempt(2, "rules", written.code.replace(line, repaired), parent=1, reading=brief.reading)
    tried = (Attempt(1, "rules", written.code, reading=brief.reading), last)
    decisions = await decided("price is .old-price", brief)
    corrected = msgspec.structs.replace(brief, attempts=tried, decisions=decisions, corrections=decisions)
    draft = await RulesProgrammer().write(corrected, lambda tick: None)
    alone = await RulesProgrammer().write(msgspec.structs.replace(corrected, attempts=tried[:1]), lambda tick: None)
    assert draft.code == (alone.code.replace(line, repaired) if kept else alone.code)
    assert ("is kept" in draft.diagnosis) == kept


@pytest.mark.parametrize(
    "hints",
    [["title is Pine chair"], ["price is .old-price", "price is span.price"]],
    ids=["nothing is changed", "it is changed back"],
)
async def test_a_repair_is_kept_where_its_program_comes_again(hints: list[str], brief: Brief) -> None:
    written = await RulesProgrammer().write(brief, lambda tick: None)
    mended = written.code.replace("import csv\n", "import csv\nimport sys\n")
    tried = [Attempt(n, "rules", code, reading=brief.reading) for n, code in enumerate((written.code, mended), 1)]
    for hint in hints:
        decisions = await decided(hint, brief)
        corrected = msgspec.structs.replace(brief, attempts=tuple(tried), decisions=decisions, corrections=decisions)
        draft = await RulesProgrammer().write(corrected, lambda tick: None)
        tried.append(Attempt(len(tried) + 1, "rules", draft.code, reading=brief.reading, decisions=decisions))
    assert tried[-1].code == mended


@pytest.mark.parametrize("text", ["Pine chair", "h3 a"])
async def test_a_correction_that_changes_nothing_is_refused(text: str, brief: Brief) -> None:
    known = corrections(brief)
    preview = await known.preview(known.typed_place("title", text), ROWS)
    with pytest.raises(NotUnderstood, match="so already: nothing would change"):
        known.check(preview)
    known.check(await known.preview(known.typed_place("price", ".old-price"), ROWS))
    known.check(await known.preview(known.respelled("price", "cost", ROWS), ROWS))


async def test_it_is_said_where_the_rows_are_of_more_pages_than_were_looked_at(brief: Brief) -> None:
    """What is the same on these may not be on the others, but for the same place."""
    known = corrections(brief)
    session = known._journal.session
    session.attempts[1] = AttemptState(1, "rules", verdict=Verdict(True, 1.0, rows=9))
    session.current = 1
    proposal = known.typed_place("title", "h3")
    preview = await known.preview(proposal, ROWS)
    said = "title is that already in all of 3 records on the page looked at"
    assert preview_title(proposal, preview)[0][0] == said
    known.check(preview)
    same = await known.preview(known.typed_place("title", "Pine chair"), ROWS)
    with pytest.raises(NotUnderstood, match="so already"):
        known.check(same)
    rows = await known.read_hint("price < 100", ROWS)
    assert preview_title(known.typed_rows("price < 100"), rows)[0][0] == "3 rows become 2 on the page looked at"
    session.attempts[1].verdict = Verdict(True, 1.0, rows=3)
    assert (await known.preview(proposal, ROWS)).pages == 0


async def test_one_that_settles_what_is_in_doubt_or_was_decided_otherwise_is_none(brief: Brief) -> None:
    """The rows that are looked at may be of an attempt before the decision."""
    other = RulesCorrector().preview(brief, price(text=".old-price"), ROWS).decisions
    known = corrections(msgspec.structs.replace(brief, decisions=other))
    known.check(await known.preview(known.typed_place("price", "span.price"), ROWS))
    known = corrections(brief)
    title = await known.preview(known.typed_place("title", "h3"), ROWS)
    known._journal.session.left_open = (Question("column", "Which of these is title?", column="title"),)
    known.check(title)
    known = corrections(brief)
    attempt = AttemptState(1, "rules", verdict=Verdict(False, 0.4, findings=(Finding("empty-column", "?", "title"),)))
    known._journal.session.attempts, known._journal.session.current = {1: attempt}, 1
    known.check(title)


# Columns, records and their order. What the person says is a reading, or other records.


def corrections(brief: Brief) -> Corrections:
    """On a session that has looked at the brief's page."""
    blobs, session = MemoryBlobs(), Session(reading=brief.reading, decisions=brief.decisions)
    assert brief.survey is not None
    session.survey = blobs.put(to_json(brief.survey))
    journal = Journal(MemoryLog())
    journal.session = session
    return Corrections(journal, blobs, RulesCorrector(), lambda urls: brief.pages)


def written_with(preview: Preview, brief: Brief, folder: Path) -> list[dict[str, Any]]:
    """The rows of the program that is written with the correction."""
    reading = preview.reading or brief.reading
    corrected = msgspec.structs.replace(brief, reading=reading, decisions=preview.decisions, reread=("columns",))
    run_program(asyncio.run(RulesProgrammer().write(corrected, lambda tick: None)).code, folder)
    return rows_of(folder / reading.output_name)


@pytest.mark.parametrize(
    ("text", "column", "values"),
    [
        ("cost", "cost", [float(now) for _, now, _ in GOODS]),
        ("price: text", "price", [f"£{now}" for _, now, _ in GOODS]),
    ],
    ids=["renamed", "retyped"],
)
async def test_a_column_is_called_or_typed_otherwise(text: str, column: str, values: list[Any], brief: Brief) -> None:
    known = corrections(brief)
    preview = await known.preview(known.respelled("price", text, ROWS), ROWS)
    assert preview.reading is not None
    assert column in [one.name for one in preview.reading.columns]
    assert [then for *_, then in preview.rows] == values
    assert [one.column for one in preview.decisions if one.kind == "column"] == [column]
    with pytest.raises(NotUnderstood, match="nothing in the records can be read as title: float"):
        await known.preview(known.respelled("title", "title: float", ROWS), ROWS)


def test_a_renamed_column_keeps_its_place_in_the_program(brief: Brief, tmp_path: Path) -> None:
    """Though the page has another place that is called so."""
    known = corrections(brief)
    preview = asyncio.run(known.preview(known.respelled("price", "old price: float", ROWS), ROWS))
    rows = written_with(preview, brief, tmp_path)
    assert [float(row["old price"]) for row in rows] == [float(now) for _, now, _ in GOODS]


async def test_the_columns_of_a_request_that_names_none_keep_their_places_by_name(brief: Brief) -> None:
    known = corrections(msgspec.structs.replace(brief, reading=msgspec.structs.replace(brief.reading, columns=())))
    rows: list[Row] = [{"title": title, "price": now, "old price": old} for title, now, old in GOODS]
    preview = await known.preview(known.respelled("price", "", rows), rows)
    assert preview.reading is not None
    assert [one.name for one in preview.reading.columns] == ["title", "old price"]


async def test_rows_are_still_sorted_by_a_column_that_is_dropped_and_the_last_one_stays(brief: Brief) -> None:
    ordered = msgspec.structs.replace(brief.reading, order=(Order("price"), Order("title")), distinct=("price",))
    known = corrections(msgspec.structs.replace(brief, reading=ordered))
    preview = await known.preview(known.respelled("price", "", ROWS), ROWS)
    assert preview.reading is not None
    assert (preview.reading.order, preview.reading.distinct) == (ordered.order, ())
    alone = corrections(msgspec.structs.replace(brief, reading=preview.reading))
    with pytest.raises(NotUnderstood, match="the only column"):
        alone.respelled("title", "", ROWS)
    with pytest.raises(NotUnderstood, match="there is a column 'title' already"):
        known.respelled("", "title", ROWS)
    with pytest.raises(NotUnderstood, match="'number' is no type"):
        known.respelled("price", "price: number", ROWS)


async def test_other_records_are_offered_and_typed(brief: Brief) -> None:
    known = corrections(brief)
    offered = await known.other_rows(ROWS)
    assert any("News" in one.option.text for one in offered)
    assert not any("article.good" in one.option.where for one in offered)
    preview = await known.preview(known.typed_rows("News"), ROWS)
    before, after = ([row[side] for row in preview.rows if row[side] is not None] for side in (1, 2))
    assert (len(before), len(after), preview.reading) == (3, 5, None)
    (decision,) = preview.decisions
    assert (decision.kind, "item" in decision.text) == ("group", True)
    with pytest.raises(NotUnderstood, match="no records match 'nowhere at all', and it is no heading or condition"):
        await known.preview(known.typed_rows("nowhere at all"), ROWS)


async def test_a_condition_leaves_rows_out_and_can_be_taken_back(brief: Brief) -> None:
    known = corrections(brief)
    preview = await known.preview(known.typed_rows("price < 100"), ROWS)
    assert [then for *_, then in preview.rows] == ["Pine chair · 45.5", "Elm shelf · 80.0", None]
    assert preview.reading is not None
    with pytest.raises(NotUnderstood, match="no record would be left"):
        await known.preview(known.typed_rows("price < 1"), ROWS)
    again = corrections(msgspec.structs.replace(brief, reading=preview.reading))
    without = next(one for one in await again.other_rows(ROWS) if one.option.text == "without: price < 100")
    preview = await again.preview(without, ROWS)
    assert [then for *_, then in preview.rows] == ["Oak table · 120.0", "Pine chair · 45.5", "Elm shelf · 80.0"]


async def test_each_order_is_offered_and_shown(brief: Brief) -> None:
    known = corrections(brief)
    found = {one.option.text: one for one in known.orders(ROWS)}
    assert list(found)[2:] == ["by price, low to high", "by price, high to low"]
    preview = await known.preview(found["by price, low to high"], ROWS)
    assert [then for *_, then in preview.rows] == ["Pine chair · 45.5", "Elm shelf · 80.0", "Oak table · 120.0"]
    with pytest.raises(NotUnderstood, match="there is no column 'colour'"):
        known.typed_order("colour desc")


def test_a_model_is_sent_what_was_corrected(brief: Brief) -> None:
    known = corrections(brief)
    preview = asyncio.run(known.preview(known.typed_rows("News"), ROWS))
    attempt = Attempt(1, "model", "x = 1\n")
    corrected = msgspec.structs.replace(
        brief, attempts=(attempt,), decisions=preview.decisions, corrections=preview.decisions, reread=("order",)
    )
    said = messages(corrected, "text")[1]["content"]
    assert "The person has corrected since how the request is read, as it is said above: order" in said
    assert f"The person says that the records are those at: {preview.decisions[0].text}" in said


@pytest.mark.parametrize("how", ["", "selector"])
def test_a_selector_of_elements_without_text_is_answered_with_the_attribute_that_says_it(
    how: Literal["", "selector"],
) -> None:
    words = ["Three", "One", "Five"]
    cards = "".join(f'<article><h3>Mug {word}</h3><p class="rating {word}"></p></article>' for word in words)
    with served({"/": f"<html><body><main>{cards}</main></body></html>"}) as site:
        query = read_request(f"all mugs on {site.base}/: title, rating (int)")
        pages = {f"{site.base}/": site.page("/")}
        brief = Brief(query, survey_pages(query, list(pages.values())), pages=pages)
        rows: list[Row] = [{"title": f"Mug {word}", "rating": ""} for word in words]
        with pytest.raises(NotUnderstood, match=r"'p\.rating' finds has no text .* p\.rating@class"):
            RulesCorrector().preview(brief, Decision("column", "rating", text="p.rating", how=how), rows)
        preview = RulesCorrector().preview(brief, Decision("column", "rating", text="p.rating@class"), rows)
    assert [then for *_, then in preview.rows] == [3, 1, 5]


def test_a_header_that_looks_like_a_selector_is_a_name(tmp_path: Path) -> None:
    rows = "".join(f"<tr><td>Good {n}</td><td>{n + 4}.50</td><td>{n + 9}.00</td></tr>" for n in range(6))
    head = "<tr><th>Title</th><th>Sale</th><th>Price [EUR]</th></tr>"
    with served({"/": f"<table>{head}{rows}</table>"}) as site:
        url = f"{site.base}/"
        query = read_request(f"all goods on {url}: title, sale (float)")
        pages = {url: site.page("/")}
        brief = Brief(query, survey_pages(query, list(pages.values())), pages=pages)
        preview = RulesCorrector().preview(brief, Decision("column", "sale", text="Price [EUR]"), [])
    assert [then for *_, then in preview.rows] == [float(n + 9) for n in range(6)]
