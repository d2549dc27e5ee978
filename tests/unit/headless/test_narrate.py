"""What the narration says of a session before there is anything else to tell."""

from __future__ import annotations

import pytest

from scrapewright.headless.narrate import Narrator, _exception
from scrapewright.query.model import Query
from scrapewright.session import events as ev
from scrapewright.session.events import Phase
from scrapewright.session.result import ExceptionInfo, Frame
from tests.fakes.parts import MemoryBlobs


@pytest.mark.parametrize(
    ("programmer", "program", "says"),
    [("model", "", ["asking qwen"]), ("model", "sha", []), ("rules", "", [])],
    ids=["a model is asked", "the person's own is run first", "the rules take no time"],
)
def test_who_is_waited_for_is_said(programmer: str, program: str, says: list[str]) -> None:
    narrator = Narrator(MemoryBlobs())
    started = ev.SessionStarted(
        seq=1, session="s", text="t", query=Query(text="t"), programmer=programmer, model="qwen", program=program
    )
    before = [started, ev.PhaseChanged(seq=2, phase=Phase.SURVEYING, step="survey")]
    for event in before:
        list(narrator.tell(event))
    assert list(narrator.tell(ev.PhaseChanged(seq=3, phase=Phase.WRITING, step="write"))) == says


def test_an_error_in_a_library_is_told_at_the_persons_own_line() -> None:
    own = Frame("scraper.py", 4, "<module>", "held = datetime.strptime(text, form)", locals={"text": "'soon'"})
    library = Frame("/lib/_strptime.py", 349, "_strptime", "raise ValueError(")
    lines = list(_exception(ExceptionInfo("ValueError", "time data 'soon'", (own, library))))
    assert lines[1:] == ["    scraper.py:4 in <module>: held = datetime.strptime(text, form)", "      text = 'soon'"]
