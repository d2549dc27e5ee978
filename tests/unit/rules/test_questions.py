"""What the rules ask a person, and what they make of the answers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from scrapewright.loop.briefing import read_survey
from scrapewright.loop.ports import Attempt, Brief, NoIdea
from scrapewright.programmers.rules import plan as rules_plan
from scrapewright.programmers.rules import reading as rules_reading
from scrapewright.programmers.rules.programmer import RulesProgrammer, another, first
from scrapewright.programmers.rules.reading import Reader
from scrapewright.query.reading import Column, Order, Reading
from scrapewright.session.questions import (
    NONE,
    NOTHING,
    OPTIONS_AT_MOST,
    SAMPLES_AT_MOST,
    Decision,
)
from scrapewright.survey.model import to_json
from tests.unit.rules.helpers import Site, asked, decided, lint, produced, rows_of, run_program, served
from tests.unit.survey.helpers import survey_pages

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


def column(name: str, text: str, how: Any = "") -> Decision:
    return Decision("column", name, text=text, how=how)


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


async def test_a_page_is_read_once_for_all_questions_and_the_program(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between questions a session reads its survey and pages anew from where they are kept."""
    brief, programmer, readers = brief_of(site, NAME, SCORE, FIRM), RulesProgrammer(), list[Reader]()
    data = to_json(brief.survey)
    kept: Any = SimpleNamespace(survey="key", get=lambda key: bytes(bytearray(data)))

    def reader(*args: Any) -> Reader:
        readers.append(Reader(*args))
        return readers[-1]

    def anew() -> Brief:
        return msgspec.structs.replace(brief, survey=read_survey(kept, kept), pages={site.base + "/": site.page("/")})

    monkeypatch.setattr(rules_reading, "Reader", reader)
    monkeypatch.setattr(rules_plan, "Reader", reader)
    while (question := await programmer.question(anew())) is not None:
        brief = decided(brief, Decision(question.kind, question.column, question.options[0].id))
    await programmer.write(anew(), lambda event: None)
    assert brief.decisions
    assert len(readers) == 1


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


async def test_an_answer_that_is_taken_back_is_asked_again_and_its_program_is_no_way_to_be_left_out(site: Site) -> None:
    brief, programmer = brief_of(site, NAME, SCORE, FIRM), RulesProgrammer()
    asked_first = await programmer.question(brief)
    assert asked_first is not None
    answer = Decision(asked_first.kind, asked_first.column, asked_first.options[0].id)
    before = await programmer.write(decided(brief, answer), lambda tick: None)
    tried = Attempt(1, "rules", before.code, reading=brief.reading, decisions=(answer,))
    after = msgspec.structs.replace(brief, attempts=(tried,))
    assert await programmer.question(after) == asked_first
    best = await programmer.write(brief, lambda tick: None)
    assert (await programmer.write(after, lambda tick: None)).code == best.code
    assert await programmer.question(decided(after, answer)) is None, "a repair asks nothing"


async def test_none_of_those_shows_the_next_ones_and_in_the_end_leaves_the_column_empty(tmp_path: Path) -> None:
    """Thirty places a record, none of them called as the column is: eight at a time, no place twice, all of them."""
    words = [f"{chr(97 + n % 26) * 2}{n}" for n in range(30)]
    units = "".join(
        f"<div class=unit><h3><a href=/g/{unit}>{unit} table</a></h3>"
        + "".join(f'<p class="k{n}">{word} {unit}</p>' for n, word in enumerate(words))
        + "</div>"
        for unit in ("Oak", "Elm", "Ash", "Fir")
    )
    with served({"/": f"<html><body><h1>Goods</h1><div>{units}</div></body></html>"}) as site:
        brief, seen, sizes = brief_of(site, FIRM), list[str](), list[int]()
        while (question := await RulesProgrammer().question(brief)) is not None:
            shown = [option.id for option in question.options]
            ids = [one for one in shown if one != NOTHING]
            assert not set(ids) & set(seen)
            assert shown == ids + [NOTHING] * bool(seen), "from the second time on that no place has it is an option"
            assert question.prompt.startswith("None of those, then. ") is bool(seen)
            seen += ids
            sizes.append(len(shown))
            none = Decision(question.kind, question.column, NONE, refused=tuple(seen))
            brief = msgspec.structs.replace(brief, decisions=(none,))
        assert sizes == [OPTIONS_AT_MOST] * (len(sizes) - 1) + sizes[-1:]
        assert len(seen) >= len(words)
        chosen = Decision("column", "firm", option=seen[2 * OPTIONS_AT_MOST - 1])
        rows = produced(msgspec.structs.replace(brief, decisions=(chosen,)), tmp_path)
    assert all(row["firm"].split()[1] == unit for row, unit in zip(rows, ("Oak", "Elm", "Ash", "Fir"), strict=True))


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


async def test_a_decided_place_leaves_only_the_records_that_have_it(site: Site) -> None:
    brief = decided(brief_of(site, NAME), column("name", "Pine chair", "example"))
    written: list[str] = []
    while draft := _next(brief, written):
        assert not any(news in draft for news in ("li.item", "news"))
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
        f'<div class="film kept{" out-lent" if stars > 3 else " in"}" id="shelf_4_{number + 7}"><h3>{title}</h3>'
        f'<p class="row">{"<i class=on></i>" * stars}{"<i></i>" * (5 - stars)}</p>'
        f"{'<em class=new>New</em>' if new else ''}<ul class=cast>{''.join(f'<li>{one}</li>' for one in cast)}</ul>"
        f"<b>Mon, {number % 28 + 1:02} Jan 2006 {number % 24:02}:30:00 +0300</b>"
        f"<i>{stars} reels (of {number}) in good order (hall {stars}) {number} seats</i>"
        f"{'<img src=/flag.png>' if not new or stars < 4 else ''}"
        f'<a class="more" href="/film/{number}.html"{" target=_blank" if stars > 4 else ""}>More</a>'
        f'<a class="cut" href="/cut/{number + 1000}-take-{stars}.html">Cut</a></div>'
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
        (Column("zeta", "bool"), (False, True, True, True)),
        (Column("zeta", "bool"), (False, False, True, False)),
        (Column("zeta", "bool"), (True, False, True, False)),
        (Column("zeta", "bool", note="true if it is in „Hall 4“"), (True, False, False, False)),
        (Column("zeta", "int"), (311, 87, 402, 15)),
        (Column("zeta", "int"), (318, 94, 409, 22)),
        (Column("zeta", "int"), (1311, 1087, 1402, 1015)),
        (
            Column("zeta", "list"),
            (["Ada Wolf", "Bo Lind"], ["Cy Hart"], ["Di Moss", "Ed Rhys", "Flo Dean"], ["Gus Orr", "Hal Pike"]),
        ),
        (Column("zeta", format="%H:%M"), ("23:30", "15:30", "18:30", "15:30")),
        (Column("zeta", "text"), ("hall 4", "hall 2", "hall 5", "hall 3")),
    ],
    ids=[
        "how many elements",
        "whether there is one",
        "whether a picture is there",
        "whether an attribute says so",
        "whether the record is of a class",
        "whether a text says the quoted words",
        "the number of an address",
        "the last number of an id",
        "the number before the words of an address",
        "all elements",
        "a part of a date",
        "what stands in the last brackets",
    ],
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
    shown = question.options
    refused = Decision("column", "zeta", NONE, refused=tuple(option.id for option in shown))
    if (question := await programmer.question(decided(brief, refused))) is not None:
        shown += question.options
    option = next(option for option in shown if option.samples == values)
    code = first(decided(brief, Decision("column", "zeta", option.id))).code
    assert lint(code) == ""
    done = run_program(code, tmp_path)
    assert done.returncode == 0, done.stderr
    assert tuple(row["zeta"] for row in rows_of(tmp_path / "rows.json")) == values


GAMES = "".join(
    f'<li class="game"><b class="side">{home}</b> <i class="goals">{a}</i> <b class="side">{away}</b> '
    f'<i class="goals">{b}</i></li>'
    for home, a, away, b in (("Ayr", 1, "Bo", 2), ("Cy", 0, "Ayr", 3), ("Bo", 4, "Cy", 0), ("Ayr", 1, "Cy", 1))
)


@pytest.mark.parametrize("turned", [False, True], ids=["as on the page", "the second first"])
async def test_numbered_columns_are_the_places_of_that_number(turned: bool, tmp_path: Path) -> None:
    with served({"/": f"<html><body><h1>Games</h1><ul>{GAMES}</ul></body></html>"}) as games:
        names = [Column("side1"), Column("goals1", "int"), Column("side2"), Column("goals2", "int")]
        brief = brief_of(games, *(reversed(names) if turned else names))
        rows = produced(brief, tmp_path)
    assert [(row["side1"], row["goals1"], row["side2"], row["goals2"]) for row in rows] == [
        ("Ayr", "1", "Bo", "2"),
        ("Cy", "0", "Ayr", "3"),
        ("Bo", "4", "Cy", "0"),
        ("Ayr", "1", "Cy", "1"),
    ]


@pytest.mark.parametrize(("limit", "offered"), [(6, False), (3, True), (20, True)])
async def test_records_that_are_too_few_are_not_offered_where_others_are_enough(limit: int, offered: bool) -> None:
    lists = [
        f"<ul class={name}>"
        + "".join(f"<li class={name}-one><b>{name} {n}</b> <i>{n}.5</i></li>" for n in range(count))
        + "</ul>"
        for name, count in (("left", 4), ("right", 8))
    ]
    with served({"/": f"<html><body><main>{''.join(lists)}</main></body></html>"}) as two:
        brief = brief_of(two, Column("what"), Column("worth", "float"))
        brief = msgspec.structs.replace(brief, reading=msgspec.structs.replace(brief.reading, limit=limit))
        question = await RulesProgrammer().question(brief)
    assert question is not None
    counts = {int(option.text.split()[0]) for option in question.options}
    assert (8 in counts, 4 in counts) == (True, offered)


async def test_one_record_of_the_whole_page_is_no_other_way_to_read_a_list(site: Site) -> None:
    brief = brief_of(site, NAME, SCORE)
    brief = msgspec.structs.replace(
        brief, reading=msgspec.structs.replace(brief.reading, sources={"single": "grammar"})
    )
    tried: tuple[Attempt, ...] = ()
    with contextlib.suppress(NoIdea):
        while True:
            draft = another(msgspec.structs.replace(brief, attempts=tried)) if tried else first(brief)
            tried = (*tried, Attempt(len(tried) + 1, "rules", draft.code, diagnosis=draft.diagnosis))
    assert tried
    assert not any("Reads 1 record" in attempt.diagnosis for attempt in tried)


async def test_a_person_is_shown_the_records_that_the_order_and_the_number_of_rows_ask_for() -> None:
    walks = [(f"Walk {chr(65 + n)}", (n * 7) % 30) for n in range(30)]
    items = "".join(f"<li class=walk><b>{name}</b> <i class=miles>{miles} miles</i></li>" for name, miles in walks)
    with served({"/": f"<html><body><main><ul>{items}</ul></main></body></html>"}) as site:
        brief = brief_of(site, Column("what it is"), Column("miles", "int"))
        reading = msgspec.structs.replace(brief.reading, order=(Order("miles", True),), limit=4)
        found = await asked(msgspec.structs.replace(brief, reading=reading))
    best = [name for name, _ in sorted(walks, key=lambda walk: -walk[1])[:4]]
    column = next(one for one in found if one.column == "what it is")
    assert any(list(option.samples) == best for option in column.options)


BOATS = (("Swift", "lugger", "A7", "gaff"), ("Heron", "ketch", "C2", "bermuda"), ("Tern", "sloop", "B9", "junk"))
HARBOUR = (
    "<html><head><title>Boats</title></head><body><h1>Boats</h1><div class=list>"
    + "".join(
        f'<div class="boat"><h3><a href="/{kind}/boats/{name.lower()}.html?berth={berth}&amp;v=1">{name}</a></h3>'
        f'<a class=more href="https://rigs.example/{rig}/">Rig</a></div>'
        for name, kind, berth, rig in BOATS
    )
    + "</div></body></html>"
)


@pytest.mark.parametrize(
    ("name", "note", "values"),
    [
        ("hull", "first part of the link", tuple(kind for _, kind, *_ in BOATS)),
        ("code", "the last part of the link", tuple(one[0].lower() for one in BOATS)),
        ("berth", "from the link", tuple(one[2] for one in BOATS)),
        ("rig", "as in the address", tuple(one[3] for one in BOATS)),
    ],
)
async def test_the_parts_of_an_address_are_offered(
    site: Site, tmp_path: Path, name: str, note: str, values: tuple[str, ...]
) -> None:
    site.pages["/boats"] = HARBOUR
    brief = brief_of(site, NAME, Column(name, note=note), page="/boats")
    question = next(one for one in await asked(brief) if one.column == name)
    right = next(option for option in question.options if option.samples == values)
    rows = produced(decided(brief, Decision("column", name, right.id)), tmp_path)
    assert [row[name] for row in rows] == list(values)
