"""Answers as JSON lines (`run --ask json`): one line for each question, read while the session runs.

A line is an object with the question's `ticket` and one of: `choose`, an option's id or "none"; `text`, what is said
instead of an option; `answer`, any of the question's choices, with `text`, `code` or `target` where it needs them. A
line that answers nothing is refused with a JSON line on stdout, and the question stays open. At the end of input
nobody is there any more.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated

import msgspec

from scrapewright.loop.answers import Answer, BadAnswer
from scrapewright.loop.gate import Gate
from scrapewright.session.events import AnswerKind
from scrapewright.session.result import PROGRAM_AT_MOST

LINE_AT_MOST = 6 * PROGRAM_AT_MOST + 64 * 1024
"""Bytes of a line: the largest program, escaped."""
_PIECE = 64 * 1024
TICKET_AT_MOST = 1 << 53
Ticket = Annotated[int, msgspec.Meta(ge=0, le=TICKET_AT_MOST)]


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer as it comes in. `ticket` is the `seq` of the Asked event."""

    ticket: Ticket
    choose: str | None = None
    text: str | None = None
    answer: AnswerKind | None = None
    code: str = ""
    target: int = 0


class Refused(msgspec.Struct, frozen=True, tag=True, tag_field="type"):
    """Why a line answered nothing. `ticket` is that of the line, where it could be read."""

    ticket: int | None
    message: str


def read_answer(line: bytes) -> tuple[int, Answer]:
    """(ticket, answer). Raises BadAnswer, which carries the ticket where the line has one, as `ticket`."""
    try:
        said = msgspec.json.decode(line, type=Line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unreadable(f"no answer: {error}", _ticket_of(line)) from error
    if (said.choose is not None) + (said.answer is not None) > 1 or (said.choose is not None and said.text is not None):
        raise Unreadable('one of "choose", "text" and "answer" answers a question', said.ticket)
    if said.choose is not None:
        return said.ticket, Answer("choose", option=said.choose)
    if said.answer == "choose":
        raise Unreadable('an option is chosen with "choose": "ID" or "none"', said.ticket)
    if said.answer is None and said.text is None:
        raise Unreadable('an answer needs "choose", "text" or "answer"', said.ticket)
    kind: AnswerKind = said.answer or "say"
    return said.ticket, Answer(kind, text=said.text or "", code=said.code, target=said.target)


class Unreadable(BadAnswer):
    """A line that is no answer, with its ticket as far as it can be read."""

    def __init__(self, message: str, ticket: int | None) -> None:
        super().__init__(message)
        self.ticket = ticket


def _ticket_of(line: bytes) -> int | None:
    with suppress(msgspec.DecodeError, UnicodeDecodeError):
        data = msgspec.json.decode(line)
        ticket = data.get("ticket") if isinstance(data, dict) else None
        return ticket if type(ticket) is int and 0 <= ticket <= TICKET_AT_MOST else None
    return None


def take(gate: Gate, line: bytes) -> Refused | None:
    """Gives a line to the gate; what is wrong with it, if something is."""
    ticket: int | None = None
    try:
        ticket, answer = read_answer(line)
        if gate.answer(ticket, answer):
            return None
        return Refused(ticket, f"{ticket} is not the question that is open")
    except Unreadable as error:
        return Refused(error.ticket, str(error))
    except BadAnswer as error:
        return Refused(ticket, str(error))


async def answer_questions(gate: Gate, source: int, say: Callable[[str], None]) -> None:
    """Reads lines from a descriptor until its end and gives them to the gate; `say` gets what is refused, as JSON.

    A thread reads, as not every kind of file can be waited for; nothing waits for the thread in the end.
    """
    lines: asyncio.Queue[bytes | None] = asyncio.Queue()
    room = threading.Semaphore(8)
    loop = asyncio.get_running_loop()

    def put(line: bytes | None) -> bool:
        room.acquire()
        try:
            loop.call_soon_threadsafe(lines.put_nowait, line)
        except RuntimeError:  # the session is over, and the loop with it
            return False
        return True

    threading.Thread(target=_read, args=(source, put), name="answers", daemon=True).start()
    while (line := await lines.get()) is not None:
        room.release()
        if line.strip() and (refused := take(gate, line)) is not None:
            say(msgspec.json.encode(refused).decode())
    gate.leave()


def _read(source: int, put: Callable[[bytes | None], bool]) -> None:
    """Lines, the last one also without its end, then None. One that is too long comes as its first bytes."""
    held = bytearray()
    while True:
        try:
            piece = os.read(source, _PIECE)
        except OSError:
            piece = b""
        held += piece
        *whole, rest = held.split(b"\n")
        if not piece and rest:
            whole.append(rest)
        for line in whole:
            if not put(bytes(line[:LINE_AT_MOST])):
                return
        if not piece:
            put(None)
            return
        held = bytearray(rest[: LINE_AT_MOST + 1])
