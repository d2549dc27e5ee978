"""What a model copies out of records, held against the rules' places: it decides, makes doubtful, or says nothing."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from scrapewright.loop.ports import Brief
from scrapewright.programmers.rules.programmer import RulesProgrammer
from scrapewright.programmers.rules.rivals import CHARACTERS, Sheet
from scrapewright.session.questions import NONE, Copied, Decision, Question
from tests.unit.rules.helpers import Site, served
from tests.unit.rules.test_questions import FIRM, NAME, PAGE, SCORE, brief_of


@pytest.fixture
def site() -> Iterator[Site]:
    with served({"/": PAGE, "/goods": PAGE.partition("<h2>News")[0] + "</body></html>"}) as found:
        yield found


async def asked(brief: Brief, *copied: Copied) -> dict[str, Question]:
    """The questions about columns, each answered by "none"."""
    programmer, found = RulesProgrammer(), {}
    brief = msgspec.structs.replace(brief, copied=copied)
    while (question := await programmer.question(brief)) is not None and question.column not in found:
        found[question.column] = question
        decision = Decision(question.kind, question.column, NONE)
        brief = msgspec.structs.replace(brief, decisions=(*brief.decisions, decision))
    return found


def sheet_of(brief: Brief) -> Sheet:
    sheet = RulesProgrammer().sheet(brief)
    assert sheet is not None
    return sheet


def test_a_sheet_shows_two_records_and_what_could_be_copied(site: Site) -> None:
    sheet = sheet_of(brief_of(site, NAME, SCORE, FIRM))
    assert [record.number for record in sheet.records] == [0, 1]
    assert {"Oak table", "Grain", "4.5", "£120.00"} <= {value for _, value in sheet.records[0].lines}
    assert {"score", "firm"} <= sheet.choices.keys()
    for number, (rating, price) in enumerate((("4.5", "120.00"), ("3.0", "45.50"))):
        assert {rating, price} <= {text.lstrip("£") for text in sheet.choices["score"][number]}
    assert all(len(value) <= CHARACTERS for record in sheet.records for _, value in record.lines)


async def test_a_copy_of_the_best_guess_decides_the_column(site: Site) -> None:
    brief = brief_of(site, NAME, SCORE, FIRM)
    guess = (await asked(brief))["score"].options[0].samples
    texts = {4.5: ("4.5", "3.0"), 120.0: ("£120.00", "£45.50")}[guess[0]]
    copied = [Copied("score", number, text) for number, text in enumerate(texts)]
    assert "score" not in await asked(brief, *copied)
    assert "firm" in await asked(brief, *copied)


async def test_a_copy_of_another_place_is_asked_with_both_first(site: Site) -> None:
    brief = brief_of(site, NAME, SCORE, FIRM)
    before = (await asked(brief))["score"]
    texts = ("4.5", "3.0") if before.options[0].samples[0] == 120.0 else ("£120.00", "£45.50")
    after = (await asked(brief, *(Copied("score", number, text) for number, text in enumerate(texts))))["score"]
    assert after.options[0] == before.options[0]
    assert {option.samples[0] for option in after.options[:2]} == {4.5, 120.0}
    assert after.withholds
    assert {option.id for option in after.options} == {option.id for option in before.options}


@pytest.mark.parametrize(
    "copied",
    [
        (Copied("score", 0, "is nowhere"),),
        (Copied("score", 0, "4.5"), Copied("score", 1, "£45.50")),  # of two places
        (Copied("score", 99, "4.5"),),
        (Copied("price", 0, "4.5"),),
    ],
)
async def test_a_copy_that_fits_no_place_says_nothing(copied: tuple[Copied, ...], site: Site) -> None:
    brief = brief_of(site, NAME, SCORE, FIRM)
    assert await asked(brief, *copied) == await asked(brief)


async def test_a_column_that_nothing_leads_to_is_what_was_copied(site: Site) -> None:
    brief = brief_of(site, NAME, FIRM, page="/goods")
    assert "p.k1" not in (await RulesProgrammer().write(brief, lambda tick: None)).code
    copied = (Copied("firm", 0, "Grain"), Copied("firm", 1, "Bark"))
    brief = msgspec.structs.replace(brief, copied=copied)
    assert "p.k1" in (await RulesProgrammer().write(brief, lambda tick: None)).code
    question = (await asked(brief, *copied))["firm"]
    assert (question.options[0].samples[0], question.withholds) == ("Grain", True)


def test_there_is_nothing_to_copy_where_all_is_certain(site: Site) -> None:
    programmer = RulesProgrammer()
    assert programmer.sheet(brief_of(site)) is None
    brief = brief_of(site, NAME, FIRM)
    decisions = tuple(Decision("column", name, text=text) for name, text in (("name", "h3"), ("firm", "p.k1")))
    assert programmer.sheet(msgspec.structs.replace(brief, decisions=decisions)) is None
