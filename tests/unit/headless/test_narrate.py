"""What the narration says of a session before there is anything else to tell."""

from __future__ import annotations

import msgspec
import pytest

from scrapewright.headless.narrate import Narrator, _exception
from scrapewright.query.reading import Reading
from scrapewright.session import events as ev
from scrapewright.session.events import Phase
from scrapewright.session.questions import Option, Question
from scrapewright.session.result import ExceptionInfo, Frame
from scrapewright.session.review import Review
from scrapewright.session.spending import Spent
from scrapewright.session.verdict import Dispute, Finding, Verdict
from tests.fakes.parts import MemoryBlobs


@pytest.mark.parametrize(
    ("programmer", "program", "says"),
    [("model", "", ["asking qwen"]), ("model", "sha", []), ("rules", "", [])],
    ids=["a model is asked", "the person's own is run first", "the rules take no time"],
)
def test_who_is_waited_for_is_said(programmer: str, program: str, says: list[str]) -> None:
    narrator = Narrator(MemoryBlobs())
    started = ev.SessionStarted(
        seq=1, session="s", text="t", reading=Reading(text="t"), programmer=programmer, model="qwen", program=program
    )
    before = [started, ev.PhaseChanged(seq=2, phase=Phase.SURVEYING, step="survey")]
    for event in before:
        list(narrator.tell(event))
    assert list(narrator.tell(ev.PhaseChanged(seq=3, phase=Phase.WRITING, step="write"))) == says


def test_an_error_in_a_library_is_narrated_at_the_persons_own_line() -> None:
    own = Frame("scraper.py", 4, "<module>", "held = datetime.strptime(text, form)", locals={"text": "'soon'"})
    library = Frame("/lib/_strptime.py", 349, "_strptime", "raise ValueError(")
    lines = list(_exception(ExceptionInfo("ValueError", "time data 'soon'", (own, library))))
    assert lines[1:] == ["    scraper.py:4 in <module>: held = datetime.strptime(text, form)", "      text = 'soon'"]


def test_a_question_is_narrated_with_its_options_and_what_was_answered() -> None:
    narrator = Narrator(MemoryBlobs())
    options = (
        Option("a", "the text in brackets", ".sitestr", ("example.org", None, "shop.test", "a.test", "b.test")),
        Option("b", "the \x1b[2Jlink", samples=(12.5, True)),
    )
    site = Question("column", "which of these is site?", options, "site", 0.4)
    choices: tuple[ev.AnswerKind, ...] = ("choose", "say", "go", "stop")
    asked = ev.Asked(kind="column", prompt=site.prompt, choices=choices, column="site", options=options)
    answers = [
        ev.Answered(ticket=2, answer="choose", option="b"), ev.Answered(ticket=4, answer="choose", option="none"),
        ev.Answered(ticket=6, answer="say", text=".sitestr"), ev.Answered(ticket=8, answer="go", unattended=True),
    ]  # fmt: skip
    list(narrator.tell(ev.SessionStarted(seq=1, session="s", text="t", reading=Reading(text="t"))))
    narrated = []
    for number, answered in enumerate(answers):
        narrated.append(list(narrator.tell(msgspec.structs.replace(asked, seq=2 + 2 * number))))
        narrated.append(list(narrator.tell(msgspec.structs.replace(answered, seq=3 + 2 * number))))
    assert narrated[0] == [
        "? which of these is site?", "  1  the text in brackets (.sitestr): example.org | shop.test | a.test",
        "  2  the link: 12.5 | True",
    ]  # fmt: skip
    assert narrated[1::2] == [
        ["  answered: choose the link"], ["  answered: choose none of them"], ["  answered: say .sitestr"],
        ["  answered: go (nobody is there any more)"],
    ]  # fmt: skip
    (left,) = narrator.tell(ev.LeftOpen(seq=10, question=site))
    assert left.startswith("undecided: which of these is site? between the text in brackets (.sitestr); the link")
    pages = Question("pages", "one, or all?")
    assert list(narrator.tell(ev.LeftOpen(seq=11, question=pages))) == []  # the end says it, with the rows


def test_a_doubt_is_narrated_where_the_verdict_is_withheld() -> None:
    narrator = Narrator(MemoryBlobs())
    doubt = Finding("undecided", "undecided: which is site?", severity="doubt")
    happened = [
        ev.SessionStarted(seq=1, session="s", text="t", reading=Reading(text="t")),
        ev.AttemptStarted(seq=2, attempt=1, author="rules"),
        ev.Judged(seq=3, attempt=1, verdict=Verdict(False, 0.98, (doubt,), 3)),
    ]
    lines = [line for event in happened for line in narrator.tell(event)]
    assert lines[-2:] == ["  verdict: doubtful · 3 rows · score 0.98", "    ? undecided: which is site?"]


def test_a_verdict_is_narrated_with_how_likely_it_is_and_what_that_rests_on() -> None:
    narrator = Narrator(MemoryBlobs())
    findings = (
        Finding("wrong-order", "not sorted by price", source="model"),
        Finding("rival", "there is another price", "price", severity="doubt", source="names"),
        Finding("low-coverage", "may be fine", severity="warning"),
        Finding("missing-column", "there is no column \x1b[2Jurl"),
    )
    verdict = Verdict(
        False, 0.5, findings, 1, probability=0.8999, checked=("1 of 1 rows", "the order"), unchecked=("the rest",)
    )
    happened = [
        ev.SessionStarted(seq=1, session="s", text="t", reading=Reading(text="t")),
        ev.AttemptStarted(seq=2, attempt=1, author="rules"),
        ev.Judged(seq=3, attempt=1, verdict=verdict),
    ]
    lines = [line for event in happened for line in narrator.tell(event)]
    assert lines[-6:] == [
        "  verdict: falls short · 89 % likely right · 1 row · score 0.50",
        "    ✗ not sorted by price (by the request as read by the model)",
        "    ? there is another price (by what the page calls its places)",
        "    ✗ there is no column url",
        "    checked: 1 of 1 rows; the order",
        "    not checked: the rest",
    ]
    narrator = Narrator(MemoryBlobs())
    for event in happened[:2]:
        list(narrator.tell(event))
    assert list(narrator.tell(ev.Judged(seq=3, attempt=1, verdict=verdict, accepted=True))) == [
        "  accepted by the person"
    ]


def test_both_sides_of_a_contested_finding_are_narrated() -> None:
    narrator = Narrator(MemoryBlobs())
    finding = Finding("empty-column", "the column price is empty", column="price")
    mine = Dispute("empty-column", "price", "no record\x1b[2J has a price", "“on request”")
    happened = [
        ev.SessionStarted(seq=1, session="s", text="t", reading=Reading(text="t")),
        ev.AttemptStarted(seq=2, attempt=1, author="model"),
        ev.Disputed(seq=3, attempt=1, disputes=(mine,), unchanged=True),
        ev.Judged(seq=4, attempt=1, verdict=Verdict(False, 0.5, (finding,), 3, disputes=(mine,))),
    ]
    lines = [line for event in happened for line in narrator.tell(event)]
    assert lines[-4:] == [
        "  the program came back as it is, with findings contested: judging its rows again",
        "  verdict: falls short · 3 rows · score 0.50",
        "    ✗ the column price is empty",
        "      contested: no record has a price (“on request”)",
    ]


def test_who_wrote_after_whom_and_what_it_took_is_narrated() -> None:
    blobs = MemoryBlobs()
    narrator = Narrator(blobs)
    code = blobs.put(b"print()\n")
    write = ev.PhaseChanged(phase=Phase.WRITING, step="write")
    written = ev.CodeWritten(attempt=1, author="model", code=code, lines=1, model="gpt", tokens=1500, cost=0.02)
    spent = (Spent(1, "programmer", "qwen", 1, 200), Spent(1, "programmer", "gpt", 1, kept="cassette"))
    events = [
        ev.SessionStarted(
            session="s", text="t", reading=Reading(text="t"), programmer="model", model="small", escalate=("strong",)
        ),
        write, ev.ReplyUnused(model="qwen", problem="empty", tokens=200), write,
        ev.AttemptStarted(attempt=1, author="model"), written, msgspec.structs.replace(written, kept="cache"),
        ev.Reviewed(attempt=1, of="", model="qwen", review=Review((), ()), tokens=5),
        ev.SessionFinished(phase=Phase.STOPPED, outcome="stopped", exit_code=130, spent=spent),
    ]  # fmt: skip
    narrated = [[*narrator.tell(msgspec.structs.replace(event, seq=number))] for number, event in enumerate(events, 1)]
    assert narrated[1] == ["asking small"]
    assert narrated[3] == ["asking strong, as small fell short"]
    assert narrated[5][0] == "attempt 1 · model (gpt) · 1 lines, 1500 tokens, $0.02"
    assert narrated[6][0] == "attempt 1 · model (gpt) · 1 lines, from the cache"
    assert narrated[7] == ["  review of 0 rows by qwen, 5 tokens"]
    assert narrated[8][1:] == ["  programmer qwen: 1 reply, 200 tokens", "  programmer gpt: 1 reply, from the cassette"]
