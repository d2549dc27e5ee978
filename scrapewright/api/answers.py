"""Questions as a callable gets them, and what it may answer."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable

import msgspec

from scrapewright.loop.answers import Answer
from scrapewright.loop.handle import SessionHandle
from scrapewright.session import events as ev
from scrapewright.session.events import AnswerKind, QuestionKind
from scrapewright.session.journal import get_text
from scrapewright.session.questions import NONE, Option


class Question(msgspec.Struct, frozen=True):
    """What a session asks.

    `kind`: "columns" (which are asked for), "group" (which are the records), "column" (which place is this column),
    "condition" (which records does it leave out), "pages" (one, or all), "host" (may it be reached), "login" (the path
    of a file of cookies), "programmer" (it failed: who writes instead), and in the modes approve and step "run",
    "retry" and "phase". `options`, of the first five, have the best guess first; there may be none. `choices` are the
    kinds of answer that it takes. `program` is the program that is asked about, `phrase` words of the request that were
    not read: it is asked what they say, by the values that the column then has.
    """

    kind: QuestionKind
    prompt: str
    choices: tuple[AnswerKind, ...]
    options: tuple[Option, ...] = ()
    column: str = ""
    host: str = ""
    program: str = ""
    phrase: str = ""


Reply = Option | Answer | str | None
"""An option of the question; or a text: an option's id, "none" (none of them is right), one of the choices, or else
what the column or the pages are (a selector, a value as the page shows it, words, a number of pages). An Answer says
the same outright, and what needs more than a word: `Answer("hint", text="…")`. None: nobody answers any more, neither
this nor a later question; the best guess is taken and said to be undecided, a host is not allowed, and what waits for
approval ends the session."""

Answerer = Callable[[Question], Reply | Awaitable[Reply]]


def answer_of(question: Question, reply: Option | Answer | str) -> Answer:
    """What the gate takes for a reply. Raises TypeError."""
    match reply:
        case Answer():
            return reply
        case Option():
            return Answer("choose", option=reply.id)
        case str() if "choose" in question.choices and reply in (NONE, *(option.id for option in question.options)):
            return Answer("choose", option=reply)
        case str():
            word = next((choice for choice in question.choices if choice == reply), None)
            return Answer(word) if word is not None else Answer("say", text=reply)
    raise TypeError(f"an answer is an Option, an Answer, a text or None, not {type(reply).__name__}")


async def ask(handle: SessionHandle, asked: ev.Asked, answer: Answerer) -> None:
    """Gives the open question to the callable and its reply to the gate. Raises BadAnswer where the question does not
    take it, and what the callable raises."""
    program = await asyncio.to_thread(get_text, handle.blobs, asked.code) if asked.code else ""
    question = Question(
        asked.kind, asked.prompt, asked.choices, asked.options,
        column=asked.column, host=asked.host, program=program, phrase=asked.phrase,
    )  # fmt: skip
    reply = answer(question)
    if inspect.isawaitable(reply):
        reply = await reply
    if reply is None:
        handle.gate.leave()
    else:
        handle.gate.answer(asked.seq, answer_of(question, reply))
