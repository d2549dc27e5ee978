"""What a person can answer to a question of the loop, or do without being asked."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import msgspec

from scrapewright.errors import UsageError
from scrapewright.loop import pages
from scrapewright.loop.syntax_fixes import syntax_error
from scrapewright.query.read import named_columns
from scrapewright.query.reading import READING_AT_MOST, Reading
from scrapewright.session.events import AnswerKind, QuestionKind
from scrapewright.session.questions import KINDS, NONE, Decision, Option
from scrapewright.session.result import PROGRAM_AT_MOST
from scrapewright.session.sanitize import to_json
from scrapewright.session.state import Session
from scrapewright.web.cookie_file import read_cookies
from scrapewright.web.credentials import BadCredentials

RUN_CHOICES: tuple[AnswerKind, ...] = ("go", "edit", "hint", "refuse", "rewind", "stop")
INSTEAD_CHOICES: tuple[AnswerKind, ...] = ("hint", "edit", "rewind", "stop")
RETRY_CHOICES: tuple[AnswerKind, ...] = ("go", "edit", "hint", "retry", "accept", "rewind", "stop")
UNJUDGED_CHOICES: tuple[AnswerKind, ...] = ("edit", "hint", "accept", "rewind", "stop")
PHASE_CHOICES: tuple[AnswerKind, ...] = ("go", "iterate", "edit", "hint", "rewind", "stop")
HOST_CHOICES: tuple[AnswerKind, ...] = ("allow-once", "allow", "deny", "stop")
LOGIN_CHOICES: tuple[AnswerKind, ...] = ("say", "go", "stop")
"""A file of cookies, or to go on without."""
DOUBT_CHOICES: tuple[AnswerKind, ...] = ("accept", "hint", "edit", "retry", "rewind", "stop")
OPTION_CHOICES: tuple[AnswerKind, ...] = ("choose", "say", "go", "edit", "hint", "stop")
"""Of a question with options; to go on takes the best guess. There is no attempt yet to go back to."""
FAILED_CHOICES: tuple[AnswerKind, ...] = ("go", "rules", "edit", "stop")
"""Where the programmer failed; to go on asks it again."""
TEXT_AT_MOST = 4_000
"""Characters of a hint, or of what is said instead of an option."""


class Answer(msgspec.Struct, frozen=True):
    """What the person says. `code` is the whole program (edit), `text` a hint or what is said instead of an option,
    `target` an attempt (rewind), `option` the id of an option or "none" (choose), `decisions` a correction (correct),
    with the `reading` that it makes, None where it changes none. `unattended`: the gate's own answer, as nobody is
    there any more.
    """

    kind: AnswerKind
    code: str = ""
    text: str = ""
    target: int = 0
    option: str = ""
    unattended: bool = False
    decisions: tuple[Decision, ...] = ()
    reading: Reading | None = None


class BadAnswer(UsageError):
    """An answer that the open question does not accept; the message lists those it accepts."""


class Choices(Protocol):
    """What an open question takes."""

    @property
    def kind(self) -> QuestionKind: ...

    @property
    def choices(self) -> tuple[AnswerKind, ...]: ...

    @property
    def options(self) -> tuple[Option, ...]: ...


def check_answer(answer: Answer, question: Choices | None = None) -> None:
    """Raises BadAnswer where the question does not take it, or it lacks what it needs. Which attempts there are to go
    back to is not looked at."""
    if question is not None and answer.kind not in question.choices:
        raise BadAnswer(f"this question takes {', '.join(question.choices)}, not {answer.kind}")
    if answer.kind == "choose" and question is not None:
        ids = [*(o.id for o in question.options), NONE]
        if answer.option not in ids:
            raise BadAnswer(f"there is no option {answer.option[:200]!r}; there are {', '.join(ids)}")
    if answer.kind == "say" and question is not None and question.kind == "login":
        _check_cookies(answer.text)
    if answer.kind == "say" and not answer.text.strip():
        raise BadAnswer("say which it is: a selector, a value as the page shows it, or words")
    of_pages = answer.kind == "say" and question is not None and question.kind == "pages"
    if of_pages and pages.count_in(answer.text) is None:
        raise BadAnswer(f"say how many pages, or all: {answer.text[:200]!r} is neither")
    of_columns = answer.kind == "say" and question is not None and question.kind == "columns"
    if of_columns and not named_columns(answer.text):
        raise BadAnswer(f"{answer.text[:200]!r} is no list of columns: name them with commas, such as title, price")
    if answer.kind == "edit" and not answer.code.strip():
        raise BadAnswer("an edit needs a program")
    if len(answer.code) > PROGRAM_AT_MOST:
        raise BadAnswer(f"a program may have {PROGRAM_AT_MOST >> 20} MB at most")
    if answer.kind == "edit" and (error := syntax_error(answer.code)) is not None:
        raise BadAnswer(f"line {error.lineno or 1}: {error.msg}; the program is not run")
    if answer.kind == "hint" and not answer.text.strip():
        raise BadAnswer("a hint needs some words")
    if answer.reading is not None and len(to_json(answer.reading)) > READING_AT_MOST:
        raise BadAnswer(f"the request would be read in more than {READING_AT_MOST >> 10} KB: say it in fewer words")
    if len(answer.text) > TEXT_AT_MOST:
        raise BadAnswer(f"{TEXT_AT_MOST} characters are the most that an answer may have")


def _check_cookies(text: str) -> None:
    """Raises BadAnswer where that is no file of cookies. It may be a pasted cookie, so it is not repeated."""
    try:
        path = Path(text.strip()).expanduser()
        there = path.is_file()
    except (OSError, ValueError, RuntimeError):  # too long, a null byte, no such user
        there = False
    if not there:
        raise BadAnswer("there is no such file; type the path of a file of cookies, not a cookie itself")
    try:
        read_cookies(path)
    except BadCredentials as error:
        raise BadAnswer(str(error)) from error


def undoing(session: Session) -> Answer:
    """What takes back the last refusal, acceptance, rewind, correction or answer about records, columns and pages: a
    refused attempt is gone back to, and the one that a rewind left."""
    if session.undoes == "rewind":
        return Answer("rewind", target=session.rewinds[-1])
    return Answer("rewind", target=session.current) if session.undoes == "refusal" else Answer("undo")


def unattended(kind: QuestionKind) -> Answer:
    """The answer where nobody is there to give one."""
    answer: AnswerKind = "go" if kind in KINDS or kind == "login" else "deny" if kind == "host" else "stop"
    return Answer(answer, unattended=True)
