"""What a model's review of rows does to the verdict: a column called wrong withholds it, one called right needs no
rival test, and nothing else changes."""

from __future__ import annotations

import msgspec
import pytest

from scrapewright.critics.judge import RowsCritic, examined
from scrapewright.loop.ports import Case
from scrapewright.query.reading import Column, Reading
from scrapewright.session.questions import NONE, Decision
from scrapewright.session.review import ColumnReview, Judgement, Review
from scrapewright.session.verdict import Verdict
from scrapewright.web.page import Page
from tests.unit.critics.shop_pages import BASE, ask, case, document, site, teas

SHOWN = (0, 6, 12, 17, 23)


def judged(one: Case, *columns: ColumnReview, decisions: tuple[Decision, ...] = ()) -> Verdict:
    review = Review(SHOWN, columns) if columns else None
    return RowsCritic().judge(msgspec.structs.replace(one, review=review, decisions=decisions))


def says(judgement: Judgement, *columns: str) -> list[ColumnReview]:
    return [ColumnReview(column, judgement) for column in columns]


ALL = ("name", "price", "stock", "grade", "packed", "url")
RIGHT_ROWS = case(teas(), site("cards"), ask())
WRONG_GRADE = ColumnReview("grade", "wrong", "it is the packing date", (6, 12))


def test_rows_that_are_called_right_lose_nothing() -> None:
    before, after = judged(RIGHT_ROWS), judged(RIGHT_ROWS, *says("right", *ALL))
    assert before.ok
    assert (after.ok, after.findings, after.score) == (True, before.findings, before.score)
    assert after.probability >= before.probability
    assert "name, price, stock, grade, packed, url by a model's review of 5 of the rows" in after.checked


def test_a_column_called_wrong_withholds_it_and_changes_nothing_else() -> None:
    before, after = judged(RIGHT_ROWS), judged(RIGHT_ROWS, WRONG_GRADE)
    assert not after.ok
    assert not after.doubtful
    (finding,) = [f for f in after.findings if f not in before.findings]
    assert [f for f in after.findings if f != finding] == list(before.findings)
    assert (finding.code, finding.column, finding.severity, finding.source) == (
        "called-wrong", "grade", "error", "review",
    )  # fmt: skip
    assert finding.message == "grade is called wrong by a review of 5 rows: it is the packing date"
    assert (finding.rows, finding.share, finding.got) == ((6, 12), 0.4, str(teas()[6]["grade"]))
    assert (after.rows, after.columns, after.file, after.pages) == (
        before.rows, before.columns, before.file, before.pages,
    )  # fmt: skip
    assert after.samples[0].row == 6


@pytest.mark.parametrize("rows", [(), (0,), SHOWN])
@pytest.mark.parametrize("author", ["model", "rules", "person"])
def test_one_wrong_column_in_one_row_is_enough_for_any_author(rows: tuple[int, ...], author: str) -> None:
    one = msgspec.structs.replace(RIGHT_ROWS, author=author)
    others = says("right", *(column for column in ALL if column != "grade"))
    assert judged(one).ok
    assert not judged(one, ColumnReview("grade", "wrong", "", rows), *others).ok


def test_what_a_person_decided_of_a_column_overrides_the_review() -> None:
    grades = tuple(str(tea["grade"]) for tea in teas()[:5])
    pointed = (Decision("column", "grade", text=".grade", how="selector", values=grades),)
    after = judged(RIGHT_ROWS, WRONG_GRADE, decisions=pointed)
    assert after.ok
    assert after.findings == judged(RIGHT_ROWS).findings
    elsewhere = Decision(
        "column", "grade", text=".lot", values=("Lot 1", "Lot 2", "Lot 3")
    )  # the rows do not follow it
    for other in (Decision("column", "name", text="h3"), Decision("column", "grade", option=NONE), elsewhere):
        assert not judged(RIGHT_ROWS, WRONG_GRADE, decisions=(other,)).ok


def test_columns_that_it_says_nothing_of_or_can_not_tell_are_named() -> None:
    after = judged(RIGHT_ROWS, *says("right", "name", "price", "stock"), *says("unsure", "grade"))
    assert after.ok
    assert "whether grade, packed, url is right: a model's review can't say" in after.unchecked


def test_a_column_that_nobody_asked_for_is_not_judged() -> None:
    rows = [{**row, "extra": n} for n, row in enumerate(teas())]
    query = ask(columns=ask().columns)
    assert judged(case(rows, site("cards"), query), *says("wrong", "extra", "gone")).findings == (
        judged(case(rows, site("cards"), query)).findings
    )


def beside_its_name() -> Case:
    """A column taken from beside the place that bears its name."""
    rows = [{"name": row["name"], "grade": f"{n} left"} for n, row in enumerate(teas(1))]
    items = "".join(
        f'<li><h3 class="name">{r["name"]}</h3><p class="x">{r["grade"]}</p><p class="grade">Lot {n} G</p></li>'
        for n, r in enumerate(rows)
    )
    page = Page(f"{BASE}/teas", f"{BASE}/teas", 200, {"content-type": "text/html"}, document(f"<ul>{items}</ul>"))
    query = ask(columns=(Column("name"), Column("grade")), pages="first")
    return case(rows, {page.url: page}, query)


def test_a_column_called_right_needs_no_rival_test() -> None:
    before = judged(beside_its_name())
    assert [f.code for f in before.findings if f.source == "names"] == ["rival"]
    assert not before.ok
    after = judged(beside_its_name(), *says("right", "grade"))
    assert not [f for f in after.findings if f.source == "names"]
    assert after.ok
    unsure = judged(beside_its_name(), *says("unsure", "grade"))
    assert unsure.findings == before.findings
    pointed = (Decision("column", "grade", text=".x", values=("0 left", "1 left", "2 left")),)
    assert judged(beside_its_name(), *says("wrong", "grade"), decisions=pointed).ok


def test_columns_exchanged_by_their_names_are_not_where_both_are_called_right() -> None:
    rows = [{**row, "name": row["grade"], "grade": row["name"]} for row in teas(1)]
    items = "".join(
        f'<li><b class="name">{r["grade"]}</b><i class="grade">{r["name"]} {n}</i></li>' for n, r in enumerate(rows)
    )
    rows = [{"name": f"{r['name']} {n}", "grade": r["grade"]} for n, r in enumerate(rows)]
    page = Page(f"{BASE}/teas", f"{BASE}/teas", 200, {"content-type": "text/html"}, document(f"<ul>{items}</ul>"))
    one = case(rows, {page.url: page}, ask(columns=(Column("name"), Column("grade")), pages="first"))
    found = [f.code for f in judged(one).findings]
    assert "exchanged" in found
    assert [f.code for f in judged(one, *says("right", "name")).findings] == found
    assert "exchanged" not in [f.code for f in judged(one, *says("right", "name", "grade")).findings]


def test_rows_are_shown_from_first_to_last_with_text_and_attributes_of_their_records() -> None:
    shown = RowsCritic().samples(RIGHT_ROWS)
    assert [sample.row for sample in shown] == [0, 6, 12, 17, 23]
    first = shown[0]
    assert first.values == teas()[0]
    assert f"{teas()[0]['name']} £" in first.record
    assert "href=/tea/assam-gold" in first.record
    assert "class=" not in first.record


def test_attributes_that_say_nothing_are_left_out() -> None:
    items = "".join(
        f'<li data-sku="A{n}" data-state="{"x" * 999}" align="left"><b>{row["name"]}</b>'
        f'<time datetime="2024-01-0{n + 1}"></time></li>'
        for n, row in enumerate(teas(1)[:4])
    )
    page = Page(f"{BASE}/teas", f"{BASE}/teas", 200, {"content-type": "text/html"}, document(f"<ul>{items}</ul>"))
    one = case([{"name": row["name"]} for row in teas(1)[:4]], {page.url: page}, ask(columns=(Column("name"),)))
    assert RowsCritic().samples(one)[0].record == "Assam Gold (attributes: data-sku=A0; datetime=2024-01-01)"


def test_rows_without_a_record_are_shown_where_none_has_one_and_no_rows_not_at_all() -> None:
    lost = msgspec.structs.replace(RIGHT_ROWS, pages={})
    assert [sample.record for sample in RowsCritic().samples(lost)] == [""] * 5
    rows = [*teas(), {**teas()[0], "name": "Nowhere", "url": f"{BASE}/nowhere"}]
    assert 24 not in [sample.row for sample in RowsCritic().samples(case(rows, site("cards")))]
    assert RowsCritic().samples(case([], site("cards"))) == ()
    assert RowsCritic().samples(case([], {}, files={})) == ()
    assert [sample.row for sample in RowsCritic().samples(case(teas()[:2], site("cards")))] == [0, 1]


def test_a_review_is_no_part_of_the_features_of_rows_that_it_calls_right() -> None:
    plain = examined(RIGHT_ROWS)
    right = examined(msgspec.structs.replace(RIGHT_ROWS, review=Review(SHOWN, tuple(says("right", *ALL)))))
    assert plain is not None
    assert right is not None
    assert plain.features == right.features


def test_of_a_page_about_one_thing_what_is_near_its_values_is_shown() -> None:
    menu = "".join(f"<li><a href='/m/{n}'>Department number {n}</a></li>" for n in range(120))
    body = f"<ul>{menu}</ul><h1>Blue Lotus</h1><p>Sold by</p><p>Tea Traders</p><p>Cost of postage</p><p>£4.20</p>"
    fields = (Column("name"), Column("seller"), Column("postage", "float"))
    query = Reading(text="x", urls=(f"{BASE}/t",), columns=fields, single=True, format="json")
    page = Page(f"{BASE}/t", f"{BASE}/t", 200, {"content-type": "text/html"}, f"<main>{body}</main>".encode())
    row = [{"name": "Blue Lotus", "seller": "Tea Traders", "postage": 4.2}]
    (sample,) = RowsCritic().samples(case(row, {page.url: page}, query))
    assert "Blue Lotus Sold by Tea Traders Cost of postage £4.20" in sample.record
    assert "Department number 3 " not in sample.record
