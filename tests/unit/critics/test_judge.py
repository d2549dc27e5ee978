from __future__ import annotations

import csv
import io
import json
import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapewright.critics import evidence
from scrapewright.critics.judge import RowsCritic
from scrapewright.loop.ports import Case
from scrapewright.query.reading import Column, Filter, Order
from scrapewright.session.result import Request, RunResult
from scrapewright.session.verdict import Verdict
from scrapewright.survey.model import Group, Slot, Survey, SurveyedPage
from scrapewright.web.page import Page
from tests.suite import examples
from tests.unit.critics.shop_pages import BASE, FIELDS, LAYOUTS, NAMES, PER_PAGE, Row, ask, case, document, site, teas

layouts = pytest.mark.parametrize("layout", LAYOUTS)


def judge(rows: list[Row], layout: str = "cards", **asked: Any) -> Verdict:
    return RowsCritic().judge(case(rows, site(layout), ask(**asked)))


def codes(verdict: Verdict) -> set[str]:
    return {finding.code for finding in verdict.findings if finding.severity == "error"}


def test_right_rows_pass_with_a_full_score() -> None:
    for layout in LAYOUTS:
        verdict = judge(teas(), layout)
        assert verdict.ok, (layout, verdict.findings)
        assert verdict.score == 1.0
        assert (verdict.rows, verdict.pages) == (24, 3)


@layouts
@pytest.mark.parametrize("column", ["name", "price", "stock", "grade", "packed", "url"])
def test_a_column_shifted_by_one_is_caught(layout: str, column: str) -> None:
    rows = teas()
    for by in (1, -1):
        shifted = [{**row, column: rows[(n + by) % len(rows)][column]} for n, row in enumerate(rows)]
        verdict = judge(shifted, layout)
        assert not verdict.ok, by
        assert codes(verdict) & {"shifted-column", "wrong-record"}, verdict.findings


@layouts
@pytest.mark.parametrize("column", ["name", "price", "stock", "packed", "url"])
def test_the_first_records_value_in_every_row_is_caught(layout: str, column: str) -> None:
    rows = teas()
    verdict = judge([{**row, column: rows[0][column]} for row in rows], layout)
    assert not verdict.ok
    assert codes(verdict) & {"constant-column", "wrong-record", "shifted-column"}, verdict.findings


def test_a_value_that_all_records_share_is_right() -> None:
    rows = [{**row, "grade": "Gold"} for row in teas(1)]
    page = site("cards", 1)[f"{BASE}/teas"]
    body = page.body.replace(b">Silver<", b">Gold<")
    pages = {page.url: Page(page.url, page.url, 200, page.headers, body)}
    assert RowsCritic().judge(case(rows, pages)).ok


@layouts
@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("name", "Zanzibar Nights"),
        ("price", 77.77),
        ("packed", "2019-05-30"),
        ("url", f"{BASE}/tea/zanzibar-nights"),
        ("stock", 9999),
    ],
)
def test_one_invented_value_is_caught(layout: str, column: str, value: Any) -> None:
    rows = teas()
    rows[9] = {**rows[9], column: value}
    verdict = judge(rows, layout)
    assert codes(verdict) & {"ungrounded", "wrong-record"}, verdict.findings
    assert any(9 in finding.rows and finding.column == column for finding in verdict.findings)


def test_rows_without_any_page_fetched_are_invented() -> None:
    verdict = RowsCritic().judge(
        Case(ask(), None, RunResult("ok", 0), {"rows.json": json.dumps(teas()).encode()}, site())
    )
    assert "ungrounded" in codes(verdict)


@layouts
def test_a_lost_record_is_caught(layout: str) -> None:
    for lost in (0, 11, 23):
        rows = teas()
        del rows[lost]
        verdict = judge(rows, layout)
        assert "too-few-rows" in codes(verdict), (lost, verdict.findings)


@layouts
def test_a_fetched_page_without_rows_is_caught(layout: str) -> None:
    rows = teas()
    verdict = judge(rows[:PER_PAGE] + rows[2 * PER_PAGE :], layout)
    assert "page-lost" in codes(verdict)
    assert f"{BASE}/teas?page=2" in str(verdict.findings)


@layouts
def test_of_very_many_rows_some_are_looked_for(layout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "MAX_ROWS", 12)  # one of two
    verdict = judge(teas(), layout)
    assert verdict.ok, verdict.findings
    monkeypatch.setattr(evidence, "MAX_ROWS", 8)
    lost = judge(teas()[:PER_PAGE] + teas()[2 * PER_PAGE :], layout)
    assert "page-lost" in codes(lost)


@layouts
def test_a_next_page_that_was_not_followed_is_caught(layout: str) -> None:
    pages = site(layout)
    del pages[f"{BASE}/teas?page=3"]
    verdict = RowsCritic().judge(case(teas()[: 2 * PER_PAGE], pages))
    assert codes(verdict) == {"page-not-fetched"}
    two = RowsCritic().judge(case(teas()[: 2 * PER_PAGE], pages, ask(pages=2)))
    assert two.ok, two.findings


def test_links_of_records_that_were_not_followed_are_caught() -> None:
    """But not where the list calls every column so: nothing is lacking then."""
    rows, pages = [{"name": tea["name"], "grower": tea["grade"]} for tea in teas()], site("table")
    query = ask(columns=(Column("name"), Column("grower")), follow="the link of each tea")
    assert "page-not-fetched" in codes(RowsCritic().judge(case(rows, pages, query)))
    url = teas()[0]["url"]
    behind = Page(url, url, 200, {"content-type": "text/html"}, document(f"<h1>{rows[0]['name']}</h1>"))
    assert "page-not-fetched" not in codes(RowsCritic().judge(case(rows, {**pages, url: behind}, query)))
    listed = ask(columns=(Column("name"), Column("grade")), follow="the link of each tea")
    rows = [{"name": tea["name"], "grade": tea["grade"]} for tea in teas()]
    assert "page-not-fetched" not in codes(RowsCritic().judge(case(rows, pages, listed)))


def test_a_page_behind_a_record_that_shows_others_is_no_list() -> None:
    """The pages of records name three more: "see also"."""
    makers, listed = ("Tanaka", "Li", "Perera"), teas()[:9]
    cards = [f"<a href='{t['url']}'><h3>{t['name']}</h3></a><p>{1990 + n}</p>" for n, t in enumerate(listed)]
    listing = document("".join(f"<div class=card>{card}</div>" for card in cards))
    pages = {BASE: Page(BASE, BASE, 200, {"content-type": "text/html"}, listing)}
    rows = []
    for n, tea in enumerate(listed):
        row = {"name": tea["name"], "year": 1990 + n, "brewer": f"{makers[n % 3]} {n}", "lot": f"LT-{n}00{n}"}
        data = "".join(f"<p>{value}</p>" for value in list(row.values())[1:])
        more = "".join(f"<li>{cards[n - back]}</li>" for back in (1, 2, 3))
        body = document(f"<article><h1>{row['name']}</h1>{data}</article><h2>See also</h2><ul>{more}</ul>")
        pages[tea["url"]] = Page(tea["url"], tea["url"], 200, {"content-type": "text/html"}, body)
        rows.append(row)
    query = ask(columns=tuple(Column(name) for name in rows[0]), follow="each tea")
    assert "page-not-fetched" not in codes(RowsCritic().judge(case(rows, pages, query)))


def test_pages_beyond_the_first_are_too_much_where_one_was_asked_for() -> None:
    assert "extra-rows" in codes(judge(teas(), pages="first"))
    assert RowsCritic().judge(case(teas()[:PER_PAGE], site("cards", 1), ask(pages="first"))).ok


def test_navigation_taken_as_records_is_caught() -> None:
    words = ("Home", "Green", "Black", "Herbal", "Gifts", "Contact")
    rows = [{"name": word, "url": f"{BASE}/{word.lower()}"} for word in words]
    verdict = judge(rows, columns=(FIELDS[0], FIELDS[5]))
    assert "navigation-rows" in codes(verdict)


def test_a_header_taken_as_a_record_is_caught() -> None:
    head = {"name": "Name", "price": "Price", "stock": "Stock", "grade": "Grade", "packed": "Packed", "url": None}
    assert "extra-rows" in codes(judge([head, *teas()], "table"))


@layouts
def test_order(layout: str) -> None:
    rows = teas()
    shuffled = random.Random(4).sample(rows, len(rows))
    assert codes(judge(shuffled, layout)) == {"wrong-order"}
    rising = sorted(rows, key=lambda row: row["price"])
    assert judge(rising, layout, order=(Order("price"),)).ok
    assert codes(judge(rising[::-1], layout, order=(Order("price"),))) == {"wrong-order"}
    assert judge(rising[::-1], layout, order=(Order("price", True),)).ok
    as_text = sorted(rows, key=lambda row: str(row["price"]))
    assert codes(judge(as_text, layout, order=(Order("price"),))) == {"wrong-order"}
    assert judge(sorted(rows, key=lambda row: row["name"].casefold()), layout, order=(Order("name"),)).ok


def test_empty_cells_are_wrong_only_where_the_record_has_a_value() -> None:
    rows = teas()
    rows[3] = {**rows[3], "price": None}
    assert "low-coverage" in codes(judge(rows))
    pages = site()
    for url, page in pages.items():
        body = page.body.replace(b'<p class="price">\xc2\xa37.75</p>', b"")
        pages[url] = Page(url, url, 200, page.headers, body)
    gone = [{**row, "price": None if row["price"] == 7.75 else row["price"]} for row in teas()]
    assert sum(row["price"] is None for row in gone) == 1
    assert RowsCritic().judge(case(gone, pages)).ok


def test_columns_missing_and_empty() -> None:
    rows = teas()
    assert codes(judge([{k: v for k, v in row.items() if k != "price"} for row in rows])) == {"missing-column"}
    verdict = judge([{**row, "grade": ""} for row in rows])
    assert codes(verdict) == {"empty-column"}
    optional = tuple(Column("colour", note="optional") if f.name == "grade" else f for f in FIELDS)
    lacking = [{**{k: v for k, v in row.items() if k != "grade"}, "colour": None} for row in rows]
    assert codes(judge(lacking, columns=optional)) == {"empty-column"}  # what may be missing is not what all lack


@pytest.mark.parametrize(
    ("column", "change"),
    [("price", lambda v: f"£{v:,.2f}"), ("stock", lambda v: f"{v} left"), ("packed", lambda v: "2 May 2024")],
)
def test_types(column: str, change: Any) -> None:
    verdict = judge([{**row, column: change(row[column])} for row in teas()])
    assert "wrong-type" in codes(verdict)
    assert any(finding.column == column and finding.code == "wrong-type" for finding in verdict.findings)


def test_mojibake_is_caught_and_said_to_be_it() -> None:
    rows = [{**row, "name": row["name"].encode().decode("latin-1")} for row in teas()]
    verdict = judge(rows)
    assert codes(verdict) == {"mojibake"}
    finding = next(f for f in verdict.findings if f.code == "mojibake")
    assert finding.column == "name"
    assert "Café" in finding.expected


def test_relative_links() -> None:
    rows = [{**row, "url": row["url"].removeprefix(BASE)} for row in teas()]
    assert codes(judge(rows)) == {"relative-link"}


def test_filters_and_limit_and_distinct() -> None:
    rows = teas()
    cheap = (Filter("under 20", "price", "lt", "20"),)
    assert judge([row for row in rows if row["price"] < 20], filters=cheap).ok
    assert "filter-broken" in codes(judge(rows, filters=cheap))
    assert "limit-broken" in codes(judge(rows, limit=10))
    assert judge(rows[:10], limit=10).ok
    assert "not-distinct" in codes(judge([*rows, rows[0]], distinct=("name",)))
    assert "duplicate-rows" in codes(judge([row for row in rows for _ in range(2)]))
    assert "extra-rows" in codes(judge(rows, single=True))


def test_files() -> None:
    critic = RowsCritic()
    assert codes(critic.judge(case([], site(), files={}))) == {"no-file"}
    assert codes(critic.judge(case([], site(), files={"rows.json": b"[{]"}))) == {"unreadable-file"}
    assert "no-rows" in codes(critic.judge(case([], site())))
    table = io.StringIO()
    writer = csv.DictWriter(table, fieldnames=list(teas()[0]))
    writer.writeheader()
    writer.writerows(teas())
    as_csv = {"rows.csv": table.getvalue().encode()}
    assert critic.judge(case([], site(), ask(format="csv"), as_csv)).ok
    assert codes(critic.judge(case([], site(), ask(format_said=True), as_csv))) == {"wrong-format"}
    lines = "\n".join(json.dumps(row) for row in teas()).encode()
    assert critic.judge(case([], site(), ask(format="jsonl"), {"rows.jsonl": lines})).ok


def test_a_run_that_ended_badly_is_no_success() -> None:
    good = case(teas(), site())
    result = RunResult("error", 1, requests=good.result.requests)
    verdict = RowsCritic().judge(Case(good.reading, None, result, good.files, good.pages, author="model"))
    assert not verdict.ok


def test_scores_rise_as_rows_get_better() -> None:
    rows = teas()
    no_price = judge([{**row, "price": None} for row in rows])
    one_lost = judge([{**row, "price": None} if n == 3 else row for n, row in enumerate(rows)])
    assert 0 < judge(rows[:2]).score < 1
    assert no_price.score < judge(rows).score
    assert one_lost.score < judge(rows).score == 1.0


def test_values_from_the_page_around_and_from_pages_behind() -> None:
    """A heading over several records, and fields from the page that each record links to."""
    groups = [("Green teas", teas(1)[:4]), ("Black teas", teas(1)[4:])]
    body = "".join(
        f"<h2>{title}</h2><ul>"
        + "".join(f'<li><a href="{row["url"]}">{row["name"]}</a></li>' for row in part)
        + "</ul>"
        for title, part in groups
    )
    pages = {f"{BASE}/teas": Page(f"{BASE}/teas", f"{BASE}/teas", 200, {"content-type": "text/html"}, document(body))}
    rows = []
    for title, part in groups:
        for n, row in enumerate(part):
            origin = ("Uji, Japan", "Fujian, China", "Kandy, Sri Lanka")[n % 3]
            detail = document(f"<h1>{row['name']}</h1><dl><dt>Origin</dt><dd>{origin}</dd></dl>")
            pages[row["url"]] = Page(row["url"], row["url"], 200, {"content-type": "text/html"}, detail)
            rows.append({"group": title, "name": row["name"], "origin": origin})
    query = ask(columns=(Column("group"), Column("name"), Column("origin")), follow="tea")
    assert RowsCritic().judge(case(rows, pages, query)).ok
    crossed = [{**row, "origin": "Uji, Japan"} for row in rows]
    assert not RowsCritic().judge(case(crossed, pages, query)).ok
    wrong_group = [{**row, "group": "Green teas"} for row in rows]
    assert not RowsCritic().judge(case(wrong_group, pages, query)).ok


def test_conversions_that_were_asked_for() -> None:
    """Durations, words for numbers, marks counted, parts of a text, numbers in the continental way."""
    items = "".join(
        f'<div class="r"><h3>Soup {letter} - vegan</h3><p class="star-rating {word}"></p><i>{stars}</i>'
        f"<time>1 h {minutes} min</time><b>{price}</b></div>"
        for letter, word, stars, minutes, price in (
            ("Alpha", "One", "★", 5, "1.299,00 €"),
            ("Beta", "Three", "★★★", 25, "19,90 €"),
            ("Gamma", "Five", "★★★★★", 45, "7,5 €"),
        )
    )
    rows = [
        {"dish": "Soup Alpha", "rating": 1, "stars": 1, "minutes": 65, "price": 1299.0},
        {"dish": "Soup Beta", "rating": 3, "stars": 3, "minutes": 85, "price": 19.9},
        {"dish": "Soup Gamma", "rating": 5, "stars": 5, "minutes": 105, "price": 7.5},
    ]
    url = f"{BASE}/soups"
    pages = {url: Page(url, url, 200, {"content-type": "text/html; charset=utf-8"}, document(items))}
    fields = (
        Column("dish"),
        Column("rating", "int"),
        Column("stars", "int"),
        Column("minutes", "int"),
        Column("price", "float"),
    )
    verdict = RowsCritic().judge(case(rows, pages, ask(columns=fields)))
    assert verdict.ok, verdict.findings
    for column in ("rating", "minutes", "price"):
        wrong = [{**row, column: rows[(n + 1) % 3][column]} for n, row in enumerate(rows)]
        assert not RowsCritic().judge(case(wrong, pages, ask(columns=fields))).ok, column


def test_a_zero_is_a_count_where_nothing_is_there_to_be_counted() -> None:
    """Stars drawn one by one: a record without one has 0, which it does not say; a column of zeros counts nothing."""
    drawn = {"Alpha": 3, "Beta": 0, "Gamma": 2, "Delta": 4}
    items = "".join(
        f'<div class="r"><h3>Soup {name}</h3><p>{"<img class=star>" * stars}</p></div>' for name, stars in drawn.items()
    )
    url = f"{BASE}/soups"
    pages = {url: Page(url, url, 200, {"content-type": "text/html; charset=utf-8"}, document(items))}
    query = ask(columns=(Column("dish"), Column("stars", "int")))
    rows = [{"dish": f"Soup {name}", "stars": stars} for name, stars in drawn.items()]
    verdict = RowsCritic().judge(case(rows, pages, query))
    assert verdict.ok, verdict.findings
    for wrong in ({"stars": 0}, {"stars": 1}):
        assert not RowsCritic().judge(case([{**row, **wrong} for row in rows], pages, query)).ok


def test_json_answers_and_scripts_are_evidence_too() -> None:
    rows = [{k: row[k] for k in ("name", "price")} for row in teas(1)]
    fields = (FIELDS[0], FIELDS[1])
    url = f"{BASE}/api"
    data = json.dumps({"items": [{"title": row["name"], "offer": {"amount": row["price"]}} for row in rows]}).encode()
    script = document(f"<div id=app></div><script>window.teas = {data.decode()};</script>")
    for media, body in (("application/json", data), ("text/html", script)):
        pages = {url: Page(url, url, 200, {"content-type": media}, body)}
        assert RowsCritic().judge(case(rows, pages, ask(columns=fields))).ok
        wrong = [{**row, "price": rows[n - 1]["price"]} for n, row in enumerate(rows)]
        assert not RowsCritic().judge(case(wrong, pages, ask(columns=fields))).ok


def test_two_columns_from_one_place_are_caught() -> None:
    rows = [{**row, "maker": row["name"]} for row in teas()]
    assert "wrong-record" in codes(judge(rows, columns=(*FIELDS, Column("maker"))))


def test_lost_records_that_a_filter_keeps_are_caught() -> None:
    cheap = (Filter("under 20", "price", "lt", "20"),)
    kept = [row for row in teas() if row["price"] < 20]
    assert judge(kept, filters=cheap).ok
    assert "too-few-rows" in codes(judge([*kept[:2], *kept[3:]], filters=cheap))


def test_a_row_or_two_where_the_survey_saw_many() -> None:
    group = Group("g0", "list", "li.tea", PER_PAGE, (Slot("s0", "h3 a", samples=tuple(NAMES[:3])),))
    survey = Survey(pages=(SurveyedPage(f"{BASE}/teas", 200),), groups=(group,))
    one = case(teas(1)[:1], site("cards", 1))
    verdict = RowsCritic().judge(Case(one.reading, survey, one.result, one.files, one.pages))
    assert not verdict.ok
    assert "too-few-rows" in {finding.code for finding in verdict.findings}
    model = Case(one.reading, survey, one.result, one.files, one.pages, author="model")
    assert "too-few-rows" in {finding.code for finding in RowsCritic().judge(model).findings}
    single = case(teas(1)[:1], site("cards", 1), ask(single=True))
    assert (
        RowsCritic().judge(Case(single.reading, survey, single.result, single.files, single.pages, author="model")).ok
    )


def test_rows_that_hold_nothing() -> None:
    assert "extra-rows" in codes(judge([*teas(), dict.fromkeys(teas()[0])]))


CELLS = st.one_of(
    st.none(),
    st.text(max_size=12),
    st.floats(),
    st.integers(),
    st.booleans(),
    st.lists(st.text(max_size=4), max_size=2),
)
ROWS = st.lists(st.dictionaries(st.sampled_from(["name", "price", "url", "x"]), CELLS), max_size=6)


@given(ROWS, st.binary(max_size=200))
@settings(max_examples=examples(120), deadline=None)
def test_any_rows_and_any_bytes_get_a_verdict(rows: list[Row], body: bytes) -> None:
    url = f"{BASE}/teas"
    pages = {url: Page(url, url, 200, {"content-type": "text/html"}, body)}
    query = ask(columns=(FIELDS[0], FIELDS[1], FIELDS[5]), order=(Order("price"),))
    verdict = RowsCritic().judge(case(rows, pages, query))
    assert 0.0 <= verdict.score <= 1.0
    assert not (verdict.ok and any(finding.severity == "error" for finding in verdict.findings))
    for name in ("rows.json", "rows.csv", "rows.jsonl"):
        RowsCritic().judge(case([], pages, query, {name: body}))


def test_what_was_not_understood_withholds_a_success_and_is_no_error() -> None:
    one = case(teas(), site("cards"), ask(unread=("only those with a lid",)))
    verdict = RowsCritic().judge(msgspec.structs.replace(one, author="rules"))
    assert not verdict.ok
    assert verdict.doubtful
    assert [(f.code, f.severity) for f in verdict.findings] == [("not-understood", "doubt")]
    assert "only those with a lid" in verdict.findings[0].message


def test_true_and_false_of_an_answer_are_values_of_their_record() -> None:
    url = f"{BASE}/v1/teas"
    items = [{"id": 1000 + n, "name": name, "sold": n % 3 == 0} for n, name in enumerate(NAMES)]
    answer = Page(url, url, 200, {"content-type": "application/json"}, json.dumps({"data": items}).encode())
    asked = ask(urls=(url,), columns=(Column("id"), Column("name"), Column("sold")))

    def judged(rows: list[Row]) -> Verdict:
        lines = ["id,name,sold", *(f'{row["id"]},"{row["name"]}",{row["sold"]}' for row in rows)]
        files = {"rows.csv": "\n".join(lines).encode()}
        ran = RunResult("ok", 0, requests=(Request("GET", url, 200),))
        return RowsCritic().judge(Case(asked, None, ran, files, {url: answer}, author="model"))

    right = judged(items)
    assert right.ok, right.findings
    wrong = judged([*items[:4], {**items[4], "sold": True}, *items[5:]])
    assert "wrong-record" in codes(wrong)


def test_a_second_page_whose_rows_no_text_tells_apart_is_not_called_empty() -> None:
    names = ("Blue mug", "Red mug", "Green mug", "Grey mug")
    pages: dict[str, Page] = {}
    rows: list[Row] = []
    for number in (1, 2):
        items = "".join(f"<li><h3>{name}</h3><p>£{number}.1{n}</p></li>" for n, name in enumerate(names))
        url = f"{BASE}/mugs" + (f"?page={number}" if number > 1 else "")
        body = document(f'<ul>{items}</ul><a class="next" href="/mugs?page={number + 1}">Next</a>')
        pages[url] = Page(url, url, 200, {"content-type": "text/html"}, body)
        rows += [{"name": name, "price": float(f"{number}.1{n}")} for n, name in enumerate(names)]
    query = ask(columns=(Column("name"), Column("price", "float")), urls=(f"{BASE}/mugs",), pages=2)
    assert "page-failed" not in {finding.code for finding in RowsCritic().judge(case(rows, pages, query)).findings}
