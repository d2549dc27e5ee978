"""What the rules ask about the reading: its columns, conditions in words, what was not read, one row or several."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from scrapewright.loop import conditions
from scrapewright.loop.ports import Brief
from scrapewright.programmers.rules.programmer import RulesProgrammer
from scrapewright.query.read import read_request
from scrapewright.query.reading import Column, Filter, Order, Reading
from scrapewright.session.questions import (
    NONE,
    NOTHING,
    UNSAID,
    WHOLE_PAGE,
    Decision,
    Option,
    Question,
    answered,
    best_guess,
)
from tests.unit.rules.helpers import Site, asked, decided, produced, served
from tests.unit.survey.helpers import survey_pages


@pytest.fixture
def site() -> Iterator[Site]:
    with served({}) as found:
        yield found


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
    ("text", "first"),
    [
        ("skip the pinned ones", "leave out the 2"),
        ("the pinned ones left out", "leave out the 2"),
        ("only those pinned", "keep only the 2"),
    ],
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


async def test_a_condition_that_names_several_values_is_kept_where_any_is_said(site: Site, tmp_path: Path) -> None:
    brief = forum(site, "only from the pinned and the closed ones")
    several = Filter(text=brief.reading.filters[0].text, value="Pinned or Closed")
    brief = msgspec.structs.replace(brief, reading=msgspec.structs.replace(brief.reading, filters=(several,)))
    question = await condition_of(brief)
    assert question is not None
    for option, kept in zip(question.options[:2], (True, False), strict=True):
        rows = produced(decided(brief, Decision("condition", question.column, option.id)), tmp_path)
        named = [title for title, flag in THREADS if bool(flag) is kept]
        assert [row["title"] for row in rows] == named


async def test_columns_are_asked_with_the_records_that_a_condition_in_words_keeps(site: Site) -> None:
    brief = forum(site, "only those pinned")
    brief = msgspec.structs.replace(
        brief, reading=msgspec.structs.replace(brief.reading, columns=(Column("matter", "text"),))
    )
    programmer = RulesProgrammer()
    question = await programmer.question(brief)
    assert question is not None
    assert question.kind == "condition"
    keeping = next(one for one in question.options if "flag" in one.where and one.text.startswith("keep only the 2"))
    column = await programmer.question(decided(brief, Decision("condition", question.column, keeping.id)))
    assert column is not None
    assert column.kind == "column"
    assert [list(option.samples) for option in column.options if "h3" in option.where] == [
        ["Welcome, read this first", "House rules"]
    ]


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


async def phrase_of(brief: Brief) -> Question:
    """The question about a phrase that was not read, the best guess taken in those before it."""
    programmer = RulesProgrammer()
    for _ in range(12):
        question = await programmer.question(brief)
        assert question is not None
        if question.decides[0] == "condition":
            return question
        brief = decided(brief, best_guess(question))
    raise AssertionError("no end of questions")


TITLES = [title for title, _ in THREADS]


def shown(question: Question, option: str) -> list[str]:
    """The values under which an option is shown that begins so."""
    return list(next(one for one in question.options if one.text.startswith(option)).samples)


async def test_words_that_were_not_read_are_asked_by_the_rows_that_each_reading_leaves(
    site: Site, tmp_path: Path
) -> None:
    brief = unread(site, "not the pinned")
    question = await phrase_of(brief)
    assert (question.kind, question.column, question.phrase) == ("column", "title", "not the pinned")
    assert not question.withholds
    assert shown(question, "all but where the record says Pinned") == TITLES[2:]
    assert shown(question, "only where the record says Pinned") == TITLES[:2]
    assert shown(question, "nothing") == TITLES
    assert shown(question, "sorted by replies, highest first") == TITLES[::-1]
    assert "sorted by replies, lowest first" not in {one.text for one in question.options}  # as the page has them
    decision = answered(question, "choose", question.options[0].id, "", ())
    assert decision is not None
    reading = conditions.decided(brief.reading, [decision])
    assert (reading.unread, reading.sources["filters"]) == ((), "person")
    rows = produced(decided(msgspec.structs.replace(brief, reading=reading), decision), tmp_path)
    assert [row["title"] for row in rows] == TITLES[2:]
    nothing = answered(question, "choose", NOTHING, "", ())
    assert nothing is not None
    assert conditions.decided(brief.reading, [nothing]) == msgspec.structs.replace(brief.reading, unread=())
    none = answered(question, "choose", NONE, "", ())
    assert none is not None
    assert conditions.decided(brief.reading, [none]) == brief.reading


@pytest.mark.parametrize(
    ("phrase", "option", "titles"),
    [
        ("die ersten 3", "the first 3 rows", TITLES[:3]),
        ("mindestens 7", "only where replies is at least 7", TITLES[4:]),
        ("mindestens 7", "only where replies is at most 7", TITLES[:5]),
        ('"Which" vorn', "only where title starts with Which", TITLES[3:4]),
        ("viel beantwortet", "sorted by replies, highest first", TITLES[::-1]),
        ("viel beantwortet", "sorted by title, A to Z", sorted(TITLES)),
    ],
)
async def test_numbers_quotes_and_columns_give_readings_of_a_phrase(
    site: Site, phrase: str, option: str, titles: list[str], tmp_path: Path
) -> None:
    brief = unread(site, phrase)
    question = await phrase_of(brief)
    assert shown(question, option) == titles
    chosen = next(one.id for one in question.options if one.text == option)
    decision = answered(question, "choose", chosen, "", ())
    assert decision is not None
    reading = conditions.decided(brief.reading, [decision])
    rows = produced(decided(msgspec.structs.replace(brief, reading=reading), decision), tmp_path)
    assert [row["title"] for row in rows] == titles


async def test_rows_left_out_behind_the_first_ones_are_shown(site: Site) -> None:
    items = "".join(f"<li><h3>Lamp {n}</h3> <i class=replies>{n % 7}</i></li>" for n in range(40))
    brief = unread(site, "die ersten 20")
    site.pages["/forum"] = f"<html><body><h1>Lamps</h1><ul class=list>{items}</ul></body></html>"
    brief = msgspec.structs.replace(
        brief, survey=survey_pages(brief.reading, [page := site.page("/forum")]), pages={brief.reading.urls[0]: page}
    )
    question = await phrase_of(brief)
    assert shown(question, "nothing") == [f"Lamp {n}" for n in (*range(6), *range(17, 23))]
    assert shown(question, "the first 20 rows") == [f"Lamp {n}" for n in (*range(6), *range(17, 20))]
    last = await phrase_of(msgspec.structs.replace(brief, reading=unread(site, "die ersten 39").reading))
    assert shown(last, "nothing") == [f"Lamp {n}" for n in (*range(6), *range(34, 40))]
    assert shown(last, "the first 39 rows") == [f"Lamp {n}" for n in (*range(6), *range(34, 39))]


@pytest.mark.parametrize(
    ("phrase", "first"),
    [
        ("not the pinned", "all but where"), ("only pinned", "only where"), ('the "pinned"', "only where"),
        ("pinned threads", "nothing"), ("forum", "nothing"),
    ],
)  # fmt: skip
async def test_the_best_guess_is_what_a_phrase_leaves_out_or_quotes(site: Site, phrase: str, first: str) -> None:
    question = await phrase_of(unread(site, phrase))
    assert question.options[0].text.startswith(first)
    assert NOTHING in {option.id for option in question.options}


@pytest.mark.parametrize("phrase", ["only the nice ones", "within 5000 days", 'only "nowhere"'])
async def test_what_seems_to_leave_rows_out_by_words_of_no_record_is_no_matter_of_course(
    site: Site, phrase: str
) -> None:
    brief = unread(site, phrase)
    question = await phrase_of(brief)
    assert (question.kind, question.column) == ("condition", phrase)
    assert [option.id for option in question.options] == [UNSAID, NOTHING]
    for option, left in ((NOTHING, ()), (UNSAID, (phrase,)), (NONE, (phrase,))):
        assert conditions.decided(brief.reading, [Decision("condition", phrase, option)]).unread == left


def on(site: Site, brief: Brief, html: str) -> Brief:
    """The same request of another page."""
    site.pages["/forum"] = html
    page = site.page("/forum")
    return msgspec.structs.replace(
        brief, survey=survey_pages(brief.reading, [page]), pages={brief.reading.urls[0]: page}
    )


BESIDE = FORUM.replace("</body>", "<p>Archived lists: Old windows</p></body>")


async def test_what_only_something_else_says_is_left_out_already(site: Site) -> None:
    brief = unread(site, "skip the archived lists")
    question = await phrase_of(on(site, brief, BESIDE))
    assert [option.id for option in question.options] == [NOTHING, UNSAID]
    assert "something else on the page does" in question.options[0].text
    for html in (FORUM, BESIDE.replace('class="thread"', 'class="thread archived-lists"', 1)):  # nothing, a class
        question = await phrase_of(on(site, brief, html))
        assert question.options[0].id != NOTHING
    replies = BESIDE.replace("Archived lists", "No replies").replace("replies>", "n>")
    question = await phrase_of(on(site, unread(site, "without replies"), replies))  # a column is called so
    assert question.options[0].id != NOTHING


async def test_a_condition_on_what_is_beside_the_records_leaves_nothing_out(site: Site, tmp_path: Path) -> None:
    brief = on(site, forum(site, "not the archived ones"), BESIDE)
    question = await condition_of(brief)
    assert question is not None
    assert [option.id for option in question.options] == [NOTHING]
    decision = Decision("condition", question.column, NOTHING)
    assert RulesProgrammer().understand(decision, brief) == ""
    assert len(produced(decided(brief, decision), tmp_path)) == len(THREADS)
    question = await condition_of(forum(site, "not the leaking ships"))  # a part of it is said
    assert question is not None
    assert not any(option.id == NOTHING for option in question.options)


async def test_what_all_records_meet_is_offered_before_nothing(site: Site) -> None:
    question = await phrase_of(unread(site, "with at least 3 replies"))
    assert (question.kind, question.options[0].text) == ("column", "only where replies is at least 3")
    assert list(question.options[0].samples) == TITLES
    assert NOTHING not in {option.id for option in question.options}


async def test_a_number_of_pages_is_none_of_rows(site: Site) -> None:
    question = await phrase_of(unread(site, "bis Seite 3"))
    assert not any("first 3 rows" in option.text for option in question.options)


@pytest.mark.parametrize(
    ("phrase", "kept"),
    [("only the Metropolitan table", "Metropolitan"), ("not Rural", ""), ("dams of the Rural kind, please", "")],
)
async def test_a_heading_that_a_phrase_names_is_the_section(site: Site, phrase: str, kept: str, tmp_path: Path) -> None:
    names = {"Rural": ["Ash", "Birch", "Cedar", "Dell"], "Metropolitan": ["Elm", "Fern", "Grove", "Holt"]}
    site.pages["/dams"] = "<html><body><h1>Dams</h1>" + "".join(
        f"<h2>{heading}</h2>"
        + "".join(f'<div class="dam"><b>{name}</b> <i>{n}</i></div>' for n, name in enumerate(some))
        for heading, some in names.items()
    )
    url = site.base + "/dams"
    reading = Reading(text=url, urls=(url,), columns=(Column("name"), Column("level", "int")), unread=(phrase,))
    page = site.page("/dams")
    brief = Brief(reading=reading, survey=survey_pages(reading, [page]), pages={url: page})
    rows = produced(brief, tmp_path)
    assert [row["name"] for row in rows] == (names[kept] if kept else [*names["Rural"], *names["Metropolitan"]])


ONE = (
    "<html><head><title>Red lamp</title></head><body><h1>Red lamp</h1><dl><dt>Price</dt><dd>12.50</dd><dt>Stock</dt>"
    "<dd>4</dd></dl><h2>You may like</h2><ul>"
    + "".join(f'<li class="like"><a href="/{n}">Lamp {n}</a></li>' for n in range(5))
    + "</ul></body></html>"
)


async def test_who_takes_the_page_as_a_whole_wants_one_row(site: Site, tmp_path: Path) -> None:
    site.pages["/one"] = ONE
    reading = read_request(f"{site.base}/one - price (float), stock (int)")
    page = site.page("/one")
    brief = Brief(reading=reading, survey=survey_pages(reading, [page]), pages={reading.urls[0]: page})
    options = await group_options(brief)
    decision = Decision("group", option=next(one.id for one in options if one.id.startswith(WHOLE_PAGE)))
    reading = conditions.decided(reading, [decision])
    assert (reading.single, reading.sources["single"]) == (True, "person")
    rows = produced(decided(msgspec.structs.replace(brief, reading=reading), decision), tmp_path)
    assert [(row["price"], row["stock"]) for row in rows] == [("12.5", "4")]


async def group_options(brief: Brief) -> list[Option]:
    """What is offered as the records."""
    return [option for question in await asked(brief) if question.kind == "group" for option in question.options]


async def test_columns_that_prose_seems_to_list_are_asked_first(site: Site) -> None:
    brief = unread(site, text=f"all about the topics of {site.base}/forum, titles and replies. Only 2")
    brief = msgspec.structs.replace(brief, reading=read_request(brief.reading.text))
    question = await RulesProgrammer().question(brief)
    assert question is not None
    assert (question.kind, question.withholds) == ("columns", True)
    assert [option.id for option in question.options] == ["columns", NOTHING]
    assert question.options[0].text == "titles, replies"
    for option in ("columns", NOTHING):
        decision = Decision("columns", option=option)
        assert "columns" not in {one.kind for one in await asked_after(brief, decision)}


async def test_words_that_no_record_says_are_asked_at_once(site: Site) -> None:
    phrases = ("forum board", "newest first")
    brief = unread(site, *phrases)
    question = await phrase_of(brief)
    assert question.options[0].id == NOTHING
    assert all(phrase in question.prompt for phrase in phrases)
    for option, left in ((NOTHING, ()), (NONE, phrases)):
        decision = Decision("condition", question.phrase, option)
        assert conditions.decided(brief.reading, [decision]).unread == left
        assert RulesProgrammer().understand(decision, brief) == ""
        assert all(asked.decides[0] != "condition" for asked in await asked_after(brief, decision))


async def asked_after(brief: Brief, decision: Decision) -> list[Question]:
    reading = conditions.decided(brief.reading, [decision])
    return await asked(decided(msgspec.structs.replace(brief, reading=reading), decision))


async def test_words_that_were_not_read_can_be_said_in_other_words(site: Site, tmp_path: Path) -> None:
    brief = unread(site, "forum board", "newest first")
    question = await phrase_of(brief)
    decision = Decision("condition", question.phrase, text="sorted by replies descending")
    assert RulesProgrammer().understand(decision, brief) == ""
    reading = conditions.decided(brief.reading, [decision])
    assert (reading.unread, reading.order) == ((), (Order("replies", descending=True),))
    rows = produced(msgspec.structs.replace(brief, reading=reading), tmp_path)
    assert [row["replies"] for row in rows] == sorted((row["replies"] for row in rows), key=int, reverse=True)
    decision = Decision("condition", question.phrase, text="the nice ones")
    assert "'the nice ones' is not read" in RulesProgrammer().understand(decision, brief)
    assert conditions.decided(brief.reading, [decision]) == brief.reading


async def test_which_rows_are_wanted_is_asked_before_the_columns_that_are_shown_by_them(site: Site) -> None:
    brief = unread(site, "only pinned")
    columns = (Column("matter", "text"), Column("replies", "int"), Column("title"))
    brief = msgspec.structs.replace(brief, reading=msgspec.structs.replace(brief.reading, columns=columns))
    programmer = RulesProgrammer()
    question = await programmer.question(brief)
    assert question is not None
    while not question.phrase:
        assert question.column != "matter"
        brief = decided(brief, best_guess(question))
        question = await programmer.question(brief)
        assert question is not None
    decision = answered(question, "choose", question.options[0].id, "", ())
    assert decision is not None
    reading = conditions.decided(brief.reading, [decision])
    column = await programmer.question(decided(msgspec.structs.replace(brief, reading=reading), decision))
    assert column is not None
    assert column.column == "matter"
    assert TITLES[:2] in [list(option.samples) for option in column.options]


async def test_a_name_of_several_words_counts_in_a_longer_text(site: Site) -> None:
    lines = [f"Appeal from a judgment of the {court} in another town" for court in ("Land Court", "Tax Board") * 3]
    items = "".join(f"<li><h3>Case {n}</h3><p>{line}</p></li>" for n, line in enumerate(lines))
    brief = unread(site, "leaving out what comes from the Tax Board")
    site.pages["/forum"] = f"<html><body><h1>Cases</h1><ul>{items}</ul></body></html>"
    query = msgspec.structs.replace(brief.reading, columns=(Column("title"),))
    brief = msgspec.structs.replace(
        brief, reading=query, survey=survey_pages(query, [page := site.page("/forum")]), pages={query.urls[0]: page}
    )
    question = await phrase_of(brief)
    assert question.options[0].text == "leave out the 3 that say “Tax Board”"


NEWS = "<h2>Town news</h2><ul>{}</ul><h2>Church news</h2><ul>{}</ul><nav><a rel=next href=/forum?page=2>Older</a></nav>"


def news(site: Site, phrase: str) -> Brief:
    """Two lists of two records each, below headings of their own."""
    items = ["".join(f"<li class=item><h3>{kind} {n}</h3></li>" for n in (1, 2)) for kind in ("Market", "Choir")]
    brief = unread(site, phrase)
    site.pages["/forum"] = f"<html><body>{NEWS.format(*items)}</body></html>"
    query = msgspec.structs.replace(brief.reading, row_is="item", columns=(Column("title"), Column("part")))
    survey = survey_pages(query, [page := site.page("/forum")])
    return msgspec.structs.replace(brief, reading=query, survey=survey, pages={query.urls[0]: page})


@pytest.mark.parametrize(
    ("phrase", "kind"),
    [
        ("only church", "condition"),
        ('the "Church news" box of the two', "condition"),
        ('the boxes "Town news" and "Church news"', "column"),
    ],
)
async def test_a_heading_is_named_in_quotes_or_by_what_is_to_be_kept_alone(site: Site, phrase: str, kind: str) -> None:
    question = await phrase_of(news(site, phrase))
    assert (question.kind, question.options[0].id) == (kind, NOTHING)
    if kind == "column":
        assert list(question.options[0].samples) == ["Market 1", "Market 2", "Choir 1", "Choir 2"]


@pytest.mark.parametrize("phrase", ["leave out the pinned and the closed ones", "no pinned or closed ones"])
async def test_what_leaves_out_all_kinds_that_some_records_name_is_no_talk(site: Site, phrase: str) -> None:
    question = await phrase_of(unread(site, phrase))
    assert question.options[0].id != NOTHING


@pytest.mark.parametrize(
    ("phrase", "text"), [('the link "Older" at the bottom', "Older"), ('the "Next" link below', "Next")]
)
async def test_a_phrase_that_quotes_the_link_to_the_next_page_restricts_nothing(
    site: Site, phrase: str, text: str
) -> None:
    brief = news(site, phrase)
    further = msgspec.structs.replace(brief.survey.next, text=text)
    brief = msgspec.structs.replace(brief, survey=msgspec.structs.replace(brief.survey, next=further))
    question = await phrase_of(brief)
    assert question.options[0].id == NOTHING
