"""What nobody decided keeps rows from being called right, and is no fault of theirs."""

from __future__ import annotations

import msgspec
import pytest

from scrapewright.critics.judge import RowsCritic
from scrapewright.session.questions import Option, Question
from scrapewright.session.verdict import Verdict
from tests.unit.critics.shop_pages import ask, case, site, teas

GRADE = Question(
    "column", 'which of these is "grade"?',
    (Option("a", "the badge", ".badge", ("A",)), Option("b", "the stars", ".stars")), "grade", 0.6,
)  # fmt: skip


def judged(*questions: Question) -> Verdict:
    one = case(teas(), site("cards"), ask())
    return RowsCritic().judge(msgspec.structs.replace(one, open=questions, author="rules"))


def test_a_question_left_open_withholds_the_verdict_as_a_doubt() -> None:
    verdict = judged(GRADE)
    assert not verdict.ok
    assert verdict.doubtful
    (finding,) = verdict.doubts
    assert (finding.code, finding.column, finding.severity) == ("undecided", "grade", "doubt")
    assert "between the badge (.badge); the stars (.stars); the first was taken" in finding.message
    assert "--set grade=.badge or --example grade=A" in finding.message
    assert 0.8 < verdict.score < judged().score


@pytest.mark.parametrize(
    "question",
    [msgspec.structs.replace(GRADE, confidence=0.9), Question("pages", "page 1 only, or all?", confidence=0.5)],
    ids=["sure enough", "pages"],
)
def test_what_is_sure_enough_and_pages_withhold_nothing(question: Question) -> None:
    verdict = judged(question)
    assert verdict.ok
    assert verdict.findings == ()


def test_each_question_is_a_doubt_of_its_own() -> None:
    group = Question("group", "which of these are the records?", confidence=0.5)
    verdict = judged(group, GRADE)
    assert [finding.column for finding in verdict.doubts] == ["", "grade"]
