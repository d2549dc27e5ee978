"""The gate's questions on a plain terminal."""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
import tempfile
from pathlib import Path

from scrapewright.headless.output import Output
from scrapewright.loop.answers import Answer, BadAnswer
from scrapewright.loop.handle import SessionHandle
from scrapewright.loop.ports import NotUnderstood
from scrapewright.loop.tasks import run_in_foreground
from scrapewright.session import events as ev
from scrapewright.session.questions import NONE

_MEANING = {
    "go": "go on",
    "edit": "edit the program in $EDITOR, then run it",
    "hint": "tell the programmer something",
    "refuse": "do not run this program",
    "retry": "another try, nothing learnt",
    "accept": "take the rows as they are",
    "rewind": "go back to an earlier attempt",
    "stop": "end the session",
    "iterate": "go on to the next approval",
    "allow-once": "allow the host for the next run",
    "allow": "allow the host for this session",
    "deny": "do not allow it",
    "rules": "let the rules write it",
    "choose": "its number, or 0 for none of them",
    "say": "what it is: a selector, a value, words (in quotes where they are one of these)",
}


async def ask(handle: SessionHandle, question: ev.Asked, out: Output, editing: asyncio.Event) -> None:
    """Reads an answer from stdin and gives it to the gate. End of input stops the session. `editing` is set while an
    editor has the terminal.
    """
    while handle.journal.session.question == question:
        out.line(f"  [{_taken(question)}] ?")
        line = await read_line()
        if not line:
            handle.gate.stop()
            return
        try:
            if (option := chosen(question, line)) is not None:
                if option.kind == "say" and handle.corrections is not None:
                    await handle.corrections.check_said(question, option.text)
                if handle.gate.answer(question.seq, option):
                    return
        except (BadAnswer, NotUnderstood) as error:
            out.line(f"    {error}")
            continue
        word, _, rest = line.strip().partition(" ")
        matches = [choice for choice in question.choices if choice.startswith(word)] if word else []
        exact = [choice for choice in matches if choice == word] or matches
        if len(exact) != 1:
            for choice in question.choices:
                file = question.kind == "login" and choice == "say"
                out.line(f"    {choice.ljust(10)} {'the path of a file of cookies' if file else _MEANING[choice]}")
            continue
        try:
            answer = await _complete(handle, exact[0], rest.strip(), out, editing)
            if handle.gate.answer(question.seq, answer):
                return
        except (BadAnswer, OSError, KeyError, ValueError) as error:
            out.line(f"    {error}")


def _taken(question: ev.Asked) -> str:
    words = [word for word in question.choices if word not in ("choose", "say")]
    options = ["number", "0 none"] if "choose" in question.choices else []
    said = ["path of a file" if question.kind == "login" else "text"] if "say" in question.choices else []
    return " · ".join([*options, *said, *words])


def chosen(question: ev.Asked, line: str) -> Answer | None:
    """The answer that a line gives to a question with options or one that takes text: a number, "none", or text that
    is none of the other answers' words; None for those, and for an empty line.
    """
    text = line.strip()
    word, _, rest = text.partition(" ")
    if "say" not in question.choices or not text or text in question.choices or (word == "hint" and rest):
        return None
    if "choose" in question.choices and text in ("0", NONE):
        return Answer("choose", option=NONE)
    if "choose" in question.choices and text.isdecimal() and text.isascii():
        number = int(text[:4])
        if number > len(question.options):
            raise BadAnswer(f"there is no option {text[:20]}; a number that is meant as text is written in quotes")
        return Answer("choose", option=question.options[number - 1].id)
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return Answer("say", text=text[1:-1] if quoted else text)


async def _complete(
    handle: SessionHandle, kind: ev.AnswerKind, rest: str, out: Output, editing: asyncio.Event
) -> Answer:
    if kind == "hint" and not rest:
        out.line("    what should the programmer know?")
        rest = (await read_line()).strip()
    if kind == "rewind":
        return Answer(kind, target=int(rest) if rest.isdecimal() else 0)
    if kind == "edit":
        attempt = handle.journal.session.attempt
        code = handle.blobs.get(attempt.code).decode("utf-8", "replace") if attempt and attempt.code else ""
        editing.set()
        try:
            return Answer(kind, code=await edit(code))
        finally:
            editing.clear()
    return Answer(kind, text=rest)


async def read_line() -> str:
    """A line from the terminal, empty at its end. No thread waits in it, so that a stop is not held up by it."""
    loop = asyncio.get_running_loop()
    line: asyncio.Future[str] = loop.create_future()
    number = sys.stdin.fileno()
    data = bytearray()

    def take() -> None:
        try:
            piece = os.read(number, 1)  # what follows the line belongs to the next question, or to the editor
        except OSError:  # the terminal is gone
            piece = b""
        data.extend(piece)
        if piece in {b"", b"\n"} and not line.done():
            line.set_result(data.decode("utf-8", "replace"))

    loop.add_reader(number, take)
    try:
        return await line
    finally:
        loop.remove_reader(number)


async def edit(code: str) -> str:
    """The program after the person's editor, which ends with the caller's task where that is cancelled.

    Raises OSError where the editor fails, ValueError where it left no UTF-8.
    """
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory(prefix="scrapewright-") as folder:
        path = Path(folder) / "scraper.py"
        path.write_text(code, "utf-8", "replace")
        try:
            status = await run_in_foreground([*shlex.split(editor), str(path)])
        except (OSError, ValueError) as error:
            raise OSError(f"$EDITOR ({editor}) can't be started: {error}") from error
        if status != 0:
            raise OSError(f"$EDITOR ({editor}) ended with {status}; nothing was changed")
        return path.read_text("utf-8")
