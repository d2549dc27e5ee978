"""Answers to questions with options: as JSON lines, and as lines typed on a plain terminal."""

from __future__ import annotations

import json
import os
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.headless import answers
from scrapewright.headless.answers import Refused, Unreadable, answer_questions, read_answer, take
from scrapewright.headless.ask import chosen
from scrapewright.loop.answers import HOST_CHOICES, OPTION_CHOICES, Answer, BadAnswer
from scrapewright.session import events as ev
from scrapewright.session.questions import Option


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ({"choose": "s3"}, Answer("choose", option="s3")),
        ({"choose": "none"}, Answer("choose", option="none")),
        ({"text": ".sitestr"}, Answer("say", text=".sitestr")),
        ({"answer": "say", "text": ".sitestr"}, Answer("say", text=".sitestr")),
        ({"answer": "go"}, Answer("go")),
        ({"answer": "hint", "text": "in brackets"}, Answer("hint", text="in brackets")),
        ({"answer": "edit", "code": "print(1)"}, Answer("edit", code="print(1)")),
        ({"answer": "rewind", "target": 2}, Answer("rewind", target=2)),
        ({"answer": "allow-once"}, Answer("allow-once")),
    ],
    ids=str,
)
def test_a_line_is_an_answer(line: dict[str, Any], answer: Answer) -> None:
    assert read_answer(json.dumps({"ticket": 7, **line}).encode()) == (7, answer)


@pytest.mark.parametrize(
    ("line", "ticket", "says"),
    [
        ("hello", None, "no answer"),
        ("[1]", None, "no answer"),
        ('"7"', None, "no answer"),
        ("{}", None, "ticket"),
        ('{"ticket": 7}', 7, 'needs "choose", "text" or "answer"'),
        ('{"ticket": true, "choose": "a"}', None, "no answer"),
        ('{"ticket": 99999999999999999999999, "choose": "a"}', None, "no answer"),
        ('{"ticket": 7, "choose": "a", "text": "b"}', 7, "one of"),
        ('{"ticket": 7, "choose": "a", "answer": "go"}', 7, "one of"),
        ('{"ticket": 7, "answer": "choose"}', 7, "an option is chosen with"),
        ('{"ticket": 7, "answer": "perhaps"}', 7, "perhaps"),
        ('{"ticket": 7, "chose": "a"}', 7, "chose"),
        ('{"ticket": 7, "choose": 1}', 7, "choose"),
        ("\x00", None, "no answer"),
    ],
)
def test_what_is_no_answer_says_why_with_the_ticket_it_has(line: str, ticket: int | None, says: str) -> None:
    with pytest.raises(Unreadable, match=says) as caught:
        read_answer(line.encode())
    assert caught.value.ticket == ticket


class Taker:
    """A gate as far as answers go: one question with options is open, as ticket 7."""

    def __init__(self) -> None:
        self.taken: list[Answer] = []
        self.has_left = False

    def answer(self, ticket: int, answer: Answer) -> bool:
        if answer.kind == "choose" and answer.option != "a":
            raise BadAnswer(f"there is no option {answer.option!r}")
        if ticket == 7 and not self.taken:
            self.taken.append(answer)
            return True
        return False

    def leave(self) -> None:
        self.has_left = True


@given(st.one_of(st.binary(max_size=60), st.text(max_size=60).map(str.encode)))
def test_any_line_is_an_answer_or_refused(line: bytes) -> None:
    refused = take(Taker(), line)  # type: ignore[arg-type]
    assert refused is None or (isinstance(refused, Refused) and refused.message)


def pipe(*pieces: bytes) -> int:
    """A descriptor that gives the pieces one by one, and then its end."""
    source, sink = os.pipe()

    def write() -> None:
        for piece in pieces:
            os.write(sink, piece)
        os.close(sink)

    threading.Thread(target=write, daemon=True).start()
    return source


@pytest.fixture
def taker() -> Taker:
    return Taker()


async def test_lines_are_given_one_by_one_until_the_end(taker: Taker) -> None:
    said: list[str] = []
    source = pipe(
        b'\n{"ticket": 7, "cho', b'ose": "b"}\r\n{"ticket": 6, "text": "x"}\n', b'{"ticket": 7, "choose": "a"}'
    )
    await answer_questions(taker, source, said.append)  # type: ignore[arg-type]
    os.close(source)
    assert taker.taken == [Answer("choose", option="a")]  # the last line has no end
    assert [json.loads(line) for line in said] == [
        {"type": "Refused", "ticket": 7, "message": "there is no option 'b'"},
        {"type": "Refused", "ticket": 6, "message": "6 is not the question that is open"},
    ]
    assert taker.has_left


async def test_a_line_without_end_takes_no_memory_without_end(taker: Taker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "LINE_AT_MOST", 100)
    said: list[str] = []
    source = pipe(*(b"x" * 4_000 for _ in range(50)), b'\n{"ticket": 7, "choose": "a"}\n')
    await answer_questions(taker, source, said.append)  # type: ignore[arg-type]
    os.close(source)
    assert len(said) == 1
    assert taker.taken == [Answer("choose", option="a")]


async def test_a_file_can_be_read_and_nothing_is_the_end(taker: Taker) -> None:
    source = os.open(os.devnull, os.O_RDONLY)
    await answer_questions(taker, source, print)  # type: ignore[arg-type]
    os.close(source)
    assert taker.has_left


ASKED = ev.Asked(
    seq=7, kind="column", prompt="?", choices=OPTION_CHOICES, column="site",
    options=(Option("a", "the first"), Option("b", "the second")),
)  # fmt: skip


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("1\n", Answer("choose", option="a")),
        (" 2 \n", Answer("choose", option="b")),
        ("0\n", Answer("choose", option="none")),
        ("none\n", Answer("choose", option="none")),
        (".sitestr\n", Answer("say", text=".sitestr")),
        ("A Light in the Attic\n", Answer("say", text="A Light in the Attic")),
        ("12.50\n", Answer("say", text="12.50")),
        ('"12"\n', Answer("say", text="12")),
        ("'go'\n", Answer("say", text="go")),
        ("2 pages\n", Answer("say", text="2 pages")),
        ("go\n", None),
        ("stop\n", None),
        ("hint\n", None),
        ("hint the one in brackets\n", None),
        ("\n", None),
    ],
)
def test_a_typed_line_chooses_or_says(line: str, answer: Answer | None) -> None:
    assert chosen(ASKED, line) == answer


def test_a_number_that_is_no_option_is_not_taken_for_text() -> None:
    with pytest.raises(BadAnswer, match="there is no option 3; a number that is meant as text is written in quotes"):
        chosen(ASKED, "3\n")


def test_other_questions_take_words_as_before() -> None:
    assert chosen(ev.Asked(seq=7, kind="host", prompt="?", choices=HOST_CHOICES), "1\n") is None
