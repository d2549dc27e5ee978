"""What nobody was there to decide, where the best guess is not sure enough to call rows right by it."""

from __future__ import annotations

from collections.abc import Sequence

from scrapewright.session.questions import Question
from scrapewright.session.questions import undecided as in_words
from scrapewright.session.verdict import Finding


def undecided(questions: Sequence[Question]) -> list[Finding]:
    """One doubt for each. How many pages are meant is said elsewhere, and is no reason to distrust the rows."""
    return [
        Finding("undecided", in_words(question), column=question.column, severity="doubt")
        for question in questions
        if question.withholds
    ]
