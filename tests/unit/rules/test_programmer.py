"""The rules programmer over briefs: first program, another way, nothing left."""

from __future__ import annotations

import msgspec
import pytest

from scrapewright.loop.ports import Attempt, Brief, NoIdea
from scrapewright.programmers.rules.programmer import RulesProgrammer
from scrapewright.query.reading import Column, Reading
from scrapewright.session.events import AnyTick, CodeStreamed
from scrapewright.session.verdict import Finding, Verdict
from scrapewright.survey.model import Group, Slot
from tests.unit.rules.helpers import group_of, survey_of

URL = "http://a.example/"
QUERY = Reading(text="", urls=(URL,), columns=(Column("title"), Column("url", type="url")), row_is="books")
SLOTS = (
    Slot("t", "h3 a", names=("title",), samples=("One", "Two", "Three")),
    Slot("u", "h3 a", attr="href", type="url", samples=("/1", "/2", "/3")),
)
BOOKS = group_of("div.book", *SLOTS)
SIDE: Group = msgspec.structs.replace(group_of("li.side", *SLOTS, count=4), id="g2", region="aside")


async def written(brief: Brief) -> tuple[str, str, list[AnyTick]]:
    ticks: list[AnyTick] = []
    draft = await RulesProgrammer().write(brief, ticks.append)
    return draft.code, draft.diagnosis, ticks


async def test_the_first_program_is_streamed_as_it_is_written() -> None:
    brief = Brief(reading=QUERY, survey=survey_of(URL, BOOKS, SIDE), attempt=7)
    code, diagnosis, ticks = await written(brief)
    assert "div.book" in code
    assert "div.book" in diagnosis
    streamed = [tick for tick in ticks if isinstance(tick, CodeStreamed)]
    assert "".join(tick.text for tick in streamed) == code
    assert {tick.attempt for tick in ticks} == {7}


async def test_the_same_brief_gives_the_same_program() -> None:
    brief = Brief(reading=QUERY, survey=survey_of(URL, BOOKS, SIDE))
    assert await written(brief) == await written(brief)


async def test_asked_for_another_way_it_reads_another_group_until_none_is_left() -> None:
    survey = survey_of(URL, BOOKS, SIDE)
    first, _, _ = await written(Brief(reading=QUERY, survey=survey))
    tried = (Attempt(id=1, author="rules", code=first),)
    second, _, _ = await written(Brief(reading=QUERY, survey=survey, attempts=tried, strategy=1))
    assert "li.side" in second
    tried += (Attempt(id=2, author="rules", code=second),)
    with pytest.raises(NoIdea, match="no other way"):
        await written(Brief(reading=QUERY, survey=survey, attempts=tried, strategy=2))


async def test_without_a_survey_or_records_there_is_no_idea() -> None:
    with pytest.raises(NoIdea, match="no survey"):
        await written(Brief(reading=QUERY, survey=None))
    with pytest.raises(NoIdea, match="no records"):
        await written(Brief(reading=QUERY, survey=survey_of(URL)))


async def test_a_field_that_the_page_lacks_is_said_and_left_empty() -> None:
    query = msgspec.structs.replace(QUERY, columns=(*QUERY.columns, Column("isbn_number", type="int")))
    code, diagnosis, _ = await written(Brief(reading=query, survey=survey_of(URL, BOOKS)))
    assert '"isbn_number": None' in code
    assert "isbn_number" in diagnosis


async def test_no_program_makes_up_for_a_request_that_was_not_understood() -> None:
    doubt = Finding("not-understood", "not understood: 'the blue ones'", severity="doubt")
    brief = Brief(reading=QUERY, survey=survey_of(URL, BOOKS, SIDE))
    code, _, _ = await written(brief)
    attempt = Attempt(id=1, author="rules", code=code, verdict=Verdict(False, 0.8, (doubt,)))
    with pytest.raises(NoIdea, match="the blue ones"):
        await written(msgspec.structs.replace(brief, attempts=(attempt,)))
    wrong = Verdict(False, 0.5, (doubt, Finding("navigation-rows", "the rows are a menu")))
    again, _, _ = await written(
        msgspec.structs.replace(brief, attempts=(msgspec.structs.replace(attempt, verdict=wrong),))
    )
    assert again != code


async def test_what_a_review_alone_says_is_wrong_sends_nobody_to_other_records() -> None:
    said = Finding("called-wrong", "a model's review says that price is wrong: it is a weight", source="review")
    brief = Brief(reading=QUERY, survey=survey_of(URL, BOOKS, SIDE))
    code, _, _ = await written(brief)
    attempt = Attempt(id=1, author="rules", code=code, verdict=Verdict(False, 0.8, (said,)))
    with pytest.raises(NoIdea, match="it is a weight"):
        await written(msgspec.structs.replace(brief, attempts=(attempt,)))
    of_model = msgspec.structs.replace(attempt, author="model", code="print(1)")
    again, _, _ = await written(msgspec.structs.replace(brief, attempts=(of_model,)))
    assert again == code, "a model wrote it: the rules' own way was not tried"
