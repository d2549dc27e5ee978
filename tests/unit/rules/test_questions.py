"""What the rules ask a person, and what they make of the answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from scrapewright.loop import conditions
from scrapewright.loop.ports import Attempt, Brief, NoIdea
from scrapewright.programmers.rules.programmer import RulesProgrammer, another, first
from scrapewright.query.reading import Column, Filter, Order, Reading
from scrapewright.session.questions import (
    NONE,
    NOTHING,
    OPTIONS_AT_MOST,
    SAMPLES_AT_MOST,
    UNSAID,
    Decision,
    Question,
    best_guess,
)
from scrapewright.survey.survey import survey_pages
from tests.unit.rules.helpers import Site, lint, rows_of, run_program, served

GOODS = (
    ("Oak table", "Grain", "4.5", "£120.00", "12 March 2021"),
    ("Pine chair", "Bark", "3.0", "£45.50", "2 April 2021"),
    ("Elm shelf", "Grain", "4.0", "£80.00", "30 May 2021"),
    ("Ash stool", "Knot", "2.5", "£25.25", "1 June 2021"),
)
NEWS = ("Shop moved", "New opening hours", "Summer sale", "Winter sale", "Staff wanted")
PAGE = (
    "<html><head><title>Goods</title></head><body><h1>Goods</h1><div class=list>"
    + "".join(
        f'<div class="unit"><h3><a href="/g/{n}">{name}</a></h3><p class="k1">{maker}</p><p class="k2">{rating}</p>'
        f'<p class="k3">{price}</p><p class="k4">in stock since {date}</p></div>'
        for n, (name, maker, rating, price, date) in enumerate(GOODS)
    )
    + "</div><h2>News</h2><ul class=news>"
    + "".join(f'<li class="item"><a href="/n/{n}">{text}</a> <i>{n}</i></li>' for n, text in enumerate(NEWS))
    + "</ul></body></html>"
)
NAME = Column("name")
SCORE = Column("score", "float")
FIRM = Column("firm")
SINCE = Column("since", "date")
LINK = Column("link", "url", note="absolute")


@pytest.fixture
def site() -> Iterator[Site]:
    with served({"/": PAGE}) as found:
        yield found


def brief_of(site: Site, *fields: Column, decisions: tuple[Decision, ...] = (), page: str = "/") -> Brief:
    url = site.base + page
    query = Reading(text=url, urls=(url,), columns=fields, row_is="good")
    pages = {url: site.page(page)}
    survey = survey_pages(query, list(pages.values()))
    return Brief(reading=query, survey=survey, pages=pages, decisions=decisions)


def decided(brief: Brief, *decisions: Decision) -> Brief:
    return msgspec.structs.replace(brief, decisions=(*brief.decisions, *decisions))


def column(name: str, text: str, how: Any = "") -> Decision:
    return Decision("column", name, text=text, how=how)


async def asked(brief: Brief) -> list[Question]:
    """All the questions, none of which is answered but by "none"."""
    programmer, found = RulesProgrammer(), []
    while (question := await programmer.question(brief)) is not None:
        found.append(question)
        brief = decided(brief, Decision(question.kind, question.column, NONE))
        assert len(found) < 12
    return found


def produced(brief: Brief, tmp_path: Path) -> list[dict[str, Any]]:
    code = first(brief).code
    assert lint(code) == ""
    done = run_program(code, tmp_path)
    assert done.returncode == 0, done.stderr
    return rows_of(tmp_path / "rows.csv")


async def test_a_column_that_nothing_names_is_asked_with_the_values_it_would_hold(site: Site) -> None:
    brief = brief_of(site, NAME, SCORE, FIRM)
    questions = {question.column: question for question in await asked(brief)}
    assert {"score", "firm"} <= questions.keys()
    for question in questions.values():
        assert 0 < len(question.options) <= OPTIONS_AT_MOST
        assert len({option.id for option in question.options}) == len(question.options)
        assert len({repr(option.samples) for option in question.options}) == len(question.options)
        assert all(len(option.samples) <= SAMPLES_AT_MOST for option in question.options)
    assert all(0.0 <= questions[name].confidence < 0.9 for name in ("score", "firm"))
    scores = [option.samples for option in questions["score"].options]
    assert (4.5, 3.0, 4.0, 2.5) in scores
    assert (120.0, 45.5, 80.0, 25.25) in scores
    assert all(sample is None or isinstance(sample, float) for samples in scores for sample in samples)
    assert tuple(maker for _, maker, *_ in GOODS) in [option.samples for option in questions["firm"].options]


async def test_what_is_called_as_the_page_calls_it_is_not_asked(site: Site) -> None:
    page = PAGE.replace('class="k1"', 'class="firm"').replace('class="k2"', 'class="score"')
    site.pages["/named"] = page
    assert not {"firm", "score"} & {
        question.column for question in await asked(brief_of(site, NAME, SCORE, FIRM, page="/named"))
    }


async def test_the_same_brief_asks_the_same_and_nothing_twice(site: Site) -> None:
    brief = brief_of(site, NAME, SCORE, FIRM, LINK)
    once, again = await asked(brief), await asked(brief_of(site, NAME, SCORE, FIRM, LINK))
    assert once == again
    subjects = [(question.kind, question.column) for question in once]
    assert len(set(subjects)) == len(subjects)


async def test_dates_and_links_are_shown_as_the_column_would_hold_them(site: Site) -> None:
    shown = {
        question.column: [option.samples for option in question.options]
        for question in await asked(brief_of(site, NAME, msgspec.structs.replace(SINCE, name="zeta"), LINK))
    }
    if "link" in shown:
        assert tuple(f"{site.base}/g/{n}" for n in range(4)) in shown["link"]
    assert ("2021-03-12", "2021-04-02", "2021-05-30", "2021-06-01") in shown["zeta"]


async def test_the_chosen_place_is_the_column(site: Site, tmp_path: Path) -> None:
    brief = brief_of(site, NAME, SCORE, FIRM)
    programmer = RulesProgrammer()
    wanted = {"score": (120.0, 45.5, 80.0, 25.25), "firm": tuple(maker for _, maker, *_ in GOODS)}
    while (question := await programmer.question(brief)) is not None:
        option = next((one.id for one in question.options if one.samples == wanted.get(question.column)), "")
        if not option:
            option = question.options[0].id
        brief = decided(brief, Decision(question.kind, question.column, option))
    rows = produced(brief, tmp_path)
    assert [float(row["score"]) for row in rows] == list(wanted["score"])
    assert [row["firm"] for row in rows] == list(wanted["firm"])
    assert [row["name"] for row in rows] == [name for name, *_ in GOODS]


async def test_none_leaves_a_column_empty(site: Site, tmp_path: Path) -> None:
    goods, nothing = Decision("group", text=".unit", how="selector"), Decision("column", "score", NONE)
    brief = decided(brief_of(site, NAME, SCORE, FIRM), goods, nothing)
    rows = produced(brief, tmp_path)
    assert [row["name"] for row in rows] == [name for name, *_ in GOODS]
    assert {row["score"] for row in rows} == {""}


async def test_a_decided_group_is_the_only_one(site: Site, tmp_path: Path) -> None:
    brief = brief_of(site, NAME)
    survey = brief.survey
    assert survey is not None
    brief = decided(brief, Decision("group", text="News"))
    assert [row["name"] for row in produced(brief, tmp_path)] == list(NEWS)
    written: list[str] = []
    while draft := _next(brief, written):
        assert "news" in draft or "li.item" in draft
        written.append(draft)
    assert written


def _next(brief: Brief, written: list[str]) -> str:
    """The next program that is none of those written; "" where there is none."""
    attempts = tuple(Attempt(id=at, author="rules", code=code) for at, code in enumerate(written))
    try:
        return another(msgspec.structs.replace(brief, attempts=attempts)).code
    except NoIdea:
        return ""


@pytest.mark.parametrize(
    ("decision", "values"),
    [
        (column("firm", "p.k1", "selector"), [maker for _, maker, *_ in GOODS]),
        (column("firm", "body > div.list > div.unit p.k1", "selector"), [maker for _, maker, *_ in GOODS]),
        (column("firm", "h3 a@href", "selector"), [f"/g/{n}" for n in range(4)]),
        (column("score", ".k3", "selector"), ["120.0", "45.5", "80.0", "25.25"]),
        (column("since", "p.k4", "selector"), ["2021-03-12", "2021-04-02", "2021-05-30", "2021-06-01"]),
        (column("link", "h3 > a", "selector"), ["{BASE}" + f"/g/{n}" for n in range(4)]),
        (column("firm", "Grain", "example"), [maker for _, maker, *_ in GOODS]),
        (column("firm", "  gRAIN ", "example"), [maker for _, maker, *_ in GOODS]),
        (column("score", "45.50", "example"), ["120.0", "45.5", "80.0", "25.25"]),
        (column("score", "£120.00", "example"), ["120.0", "45.5", "80.0", "25.25"]),
        (column("since", "2021-05-30", "example"), ["2021-03-12", "2021-04-02", "2021-05-30", "2021-06-01"]),
        (column("since", "30/05/2021", "example"), ["2021-03-12", "2021-04-02", "2021-05-30", "2021-06-01"]),
        (column("firm", "Knot"), [maker for _, maker, *_ in GOODS]),
        (column("firm", "p.k1"), [maker for _, maker, *_ in GOODS]),
        (column("firm", "k1"), [maker for _, maker, *_ in GOODS]),
    ],
)
async def test_what_is_typed_is_found_in_the_records(
    site: Site, tmp_path: Path, decision: Decision, values: list[str]
) -> None:
    fields = {field.name: field for field in (SCORE, FIRM, SINCE, LINK)}
    brief = decided(brief_of(site, NAME, fields[decision.column]), decision)
    assert RulesProgrammer().understand(decision, brief) == ""
    rows = produced(brief, tmp_path)
    assert [row[decision.column] for row in rows] == [value.replace("{BASE}", site.base) for value in values]
    assert [row["name"] for row in rows] == [name for name, *_ in GOODS]


async def test_an_example_chooses_the_records_that_have_it(site: Site, tmp_path: Path) -> None:
    brief = decided(brief_of(site, NAME), column("name", "Summer sale", "example"))
    assert [row["name"] for row in produced(brief, tmp_path)] == list(NEWS)


async def test_what_is_found_nowhere_is_said_with_what_is_near(site: Site) -> None:
    brief, programmer = brief_of(site, NAME, SCORE), RulesProgrammer()
    said = programmer.understand(column("name", "Oak tables", "example"), brief)
    assert "'Oak tables'" in said
    assert "'Oak table'" in said
    assert "matches" in programmer.understand(column("name", "div.nowhere", "selector"), brief)
    assert "p[" in programmer.understand(column("name", "p[", "selector"), brief)
    assert programmer.understand(column("shade", "x"), brief) != ""
    assert programmer.understand(Decision("group", text="#nowhere"), brief) != ""


async def test_what_cant_be_followed_is_not_asked_again_and_the_rest_is_written(site: Site, tmp_path: Path) -> None:
    brief = decided(brief_of(site, NAME, SCORE), column("score", "no such value", "example"))
    assert "score" not in {question.column for question in await asked(brief)}
    assert [row["name"] for row in produced(brief, tmp_path)] == [name for name, *_ in GOODS]


FILMS = (
    "<html><head><title>Films</title></head><body><h1>Films</h1><div class=list>"
    + "".join(
        f'<div class="film"><h3>{title}</h3><p class="row">{"<i class=on></i>" * stars}{"<i></i>" * (5 - stars)}</p>'
        f"{'<em class=new>New</em>' if new else ''}<ul class=cast>{''.join(f'<li>{one}</li>' for one in cast)}</ul>"
        f'<a class="more" href="/film/{number}.html">More</a></div>'
        for title, stars, new, cast, number in (
            ("Harbour", 4, True, ("Ada Wolf", "Bo Lind"), 311),
            ("Tides", 2, False, ("Cy Hart",), 87),
            ("Anchor", 5, False, ("Di Moss", "Ed Rhys", "Flo Dean"), 402),
            ("Mooring", 3, True, ("Gus Orr", "Hal Pike"), 15),
        )
    )
    + "</div></body></html>"
)


@pytest.mark.parametrize(
    ("field", "values"),
    [
        (Column("zeta", "int"), (4, 2, 5, 3)),
        (Column("zeta", "bool"), (True, False, False, True)),
        (Column("zeta", "int"), (311, 87, 402, 15)),
        (
            Column("zeta", "list"),
            (["Ada Wolf", "Bo Lind"], ["Cy Hart"], ["Di Moss", "Ed Rhys", "Flo Dean"], ["Gus Orr", "Hal Pike"]),
        ),
    ],
    ids=["how many elements", "whether there is one", "the number of an address", "all elements"],
)
async def test_values_that_no_text_is_are_offered_and_written(
    site: Site, tmp_path: Path, field: Column, values: tuple[Any, ...]
) -> None:
    site.pages["/films"] = FILMS
    brief = brief_of(site, NAME, field, page="/films")
    brief = msgspec.structs.replace(brief, reading=msgspec.structs.replace(brief.reading, format="json"))
    brief = decided(brief, Decision("group", text="Films"))
    programmer = RulesProgrammer()
    question = await programmer.question(brief)
    while question is not None and question.column != "zeta":
        brief = decided(brief, Decision("column", question.column, question.options[0].id))
        question = await programmer.question(brief)
    assert question is not None
    option = next(option for option in question.options if option.samples == values)
    code = first(decided(brief, Decision("column", "zeta", option.id))).code
    assert lint(code) == ""
    done = run_program(code, tmp_path)
    assert done.returncode == 0, done.stderr
    assert tuple(row["zeta"] for row in rows_of(tmp_path / "rows.json")) == values


THREADS = (
    ("Welcome, read this first", "Pinned"), ("House rules", "Pinned"), ("A leaking roof", ""), ("Which paint?", ""),
    ("Old windows", "Closed"), ("Floor boards", ""), ("Pinned joints", ""),
)  # fmt: skip
FORUM = (
    "<html><head><title>Forum</title></head><body><h1>Forum</h1><div class=list>"
    + "".join(
        f'<div class="thread"><h3>{title}</h3>{f"<b class=flag>{flag}</b>" if flag else ""}<i class=replies>{n}</i>'
        "</div>"
        for n, (title, flag) in enumerate(THREADS, 3)
    )
    + "</div></body></html>"
)


def forum(site: Site, text: str) -> Brief:
    site.pages["/forum"] = FORUM
    url = site.base + "/forum"
    wanted = Filter(text=text)
    columns = (Column("title"), Column("replies", "int"))
    query = Reading(text=url, urls=(url,), columns=columns, row_is="thread", filters=(wanted,))
    pages = {url: site.page("/forum")}
    return Brief(reading=query, survey=survey_pages(query, list(pages.values())), pages=pages)


async def condition_of(brief: Brief) -> Question | None:
    """The question about the condition, the best guess taken in those before it."""
    programmer = RulesProgrammer()
    for _ in range(12):
        question = await programmer.question(brief)
        if question is None or question.kind == "condition":
            return question
        brief = decided(brief, best_guess(question))
    raise AssertionError("no end of questions")


@pytest.mark.parametrize(
    ("text", "first"), [("skip the pinned ones", "leave out the 2"), ("only those pinned", "keep only the 2")]
)
async def test_a_condition_in_words_is_asked_with_the_records_that_say_its_words(
    site: Site, tmp_path: Path, text: str, first: str
) -> None:
    brief = forum(site, text)
    question = await condition_of(brief)
    assert question is not None
    assert (question.column, question.withholds, text in question.prompt) == (text, True, True)
    leaving = next(one for one in question.options if "flag" in one.where and one.text.startswith("leave out the 2"))
    assert [sample.partition(" Pinned")[0] for sample in leaving.samples] == [title for title, _ in THREADS[:2]]
    assert question.options[0].text.startswith(first)
    assert not any("joints" in sample for option in question.options for sample in option.samples)  # a mention
    rows = produced(decided(brief, Decision("condition", text, leaving.id)), tmp_path)
    assert [row["title"] for row in rows] == [title for title, _ in THREADS[2:]]
    keeping = next(one for one in question.options if "flag" in one.where and one.text.startswith("keep only the 2"))
    rows = produced(decided(brief, Decision("condition", text, keeping.id)), tmp_path)
    assert [row["title"] for row in rows] == [title for title, _ in THREADS[:2]]
    rows = produced(decided(brief, Decision("condition", text, NONE)), tmp_path)
    assert len(rows) == len(THREADS)
    after = await asked(decided(brief, Decision("condition", text, NONE)))
    assert "condition" not in {one.kind for one in after}


async def test_quoted_words_of_a_condition_are_found_in_longer_texts(site: Site) -> None:
    question = await condition_of(forum(site, 'skip what says "read this"'))
    assert question is not None
    assert question.options[0].samples[0].startswith("Welcome, read this first")


async def test_other_words_can_be_typed_for_a_condition(site: Site, tmp_path: Path) -> None:
    brief = forum(site, "without what nobody can answer")
    question = await condition_of(brief)
    assert question is not None
    assert question.options == ()
    decision = Decision("condition", question.column, text="closed")
    programmer = RulesProgrammer()
    assert programmer.understand(decision, brief) == ""
    rows = produced(decided(brief, decision), tmp_path)
    assert [row["title"] for row in rows] == [title for title, flag in THREADS if flag != "Closed"]
    assert "no record says 'sold'" in programmer.understand(Decision("condition", question.column, text="sold"), brief)
    assert "no condition" in programmer.understand(Decision("condition", "another", text="sold"), brief)
    assert "no option" in programmer.understand(Decision("condition", question.column, "lacks:x:y"), brief)


def unread(site: Site, *phrases: str, text: str = "") -> Brief:
    brief = forum(site, "")
    said = text or f"I want the title and the replies of the threads on {brief.reading.urls[0]}, " + ", ".join(phrases)
    return msgspec.structs.replace(
        brief, reading=msgspec.structs.replace(brief.reading, text=said, filters=(), unread=phrases)
    )


async def test_words_that_were_not_read_are_asked_with_the_records_that_say_them(site: Site, tmp_path: Path) -> None:
    brief = unread(site, "not the pinned")
    question = await condition_of(brief)
    assert question is not None
    assert (question.column, question.withholds) == ("not the pinned", False)
    assert (question.options[0].id, question.options[-1].id) == (UNSAID, NOTHING)
    meant = question.options[1]
    assert meant.text.startswith("leave out the 2")
    decision = Decision("condition", question.column, meant.id)
    reading = conditions.decided(brief.reading, [decision])
    assert (reading.unread, reading.sources["filters"]) == ((), "person")
    rows = produced(decided(msgspec.structs.replace(brief, reading=reading), decision), tmp_path)
    assert [row["title"] for row in rows] == [title for title, _ in THREADS[2:]]


async def test_words_that_no_record_says_are_asked_at_once(site: Site) -> None:
    phrases = ("forum board", "newest first")
    brief = unread(site, *phrases)
    question = await condition_of(brief)
    assert question is not None
    assert [option.id for option in question.options] == [UNSAID, NOTHING]
    assert all(phrase in question.prompt for phrase in phrases)
    for option, left in ((NOTHING, ()), (UNSAID, phrases), (NONE, phrases)):
        decision = Decision("condition", question.column, option)
        assert conditions.decided(brief.reading, [decision]).unread == left
        assert RulesProgrammer().understand(decision, brief) == ""
        assert all(asked.kind != "condition" for asked in await asked_after(brief, decision))


async def asked_after(brief: Brief, decision: Decision) -> list[Question]:
    reading = conditions.decided(brief.reading, [decision])
    return await asked(decided(msgspec.structs.replace(brief, reading=reading), decision))


async def test_words_that_were_not_read_can_be_said_in_other_words(site: Site, tmp_path: Path) -> None:
    brief = unread(site, "forum board", "newest first")
    question = await condition_of(brief)
    assert question is not None
    decision = Decision("condition", question.column, text="sorted by replies descending")
    assert RulesProgrammer().understand(decision, brief) == ""
    reading = conditions.decided(brief.reading, [decision])
    assert (reading.unread, reading.order) == ((), (Order("replies", descending=True),))
    rows = produced(msgspec.structs.replace(brief, reading=reading), tmp_path)
    assert [row["replies"] for row in rows] == sorted((row["replies"] for row in rows), key=int, reverse=True)
    decision = Decision("condition", question.column, text="the nice ones")
    assert "'the nice ones' is not read" in RulesProgrammer().understand(decision, brief)
    assert conditions.decided(brief.reading, [decision]) == brief.reading
