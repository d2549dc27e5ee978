"""Text that broke or fooled terminal programs, put into every field of a session, and what may reach a terminal."""

from __future__ import annotations

import base64
import itertools
import re
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
from hypothesis import strategies as st
from textual.drivers.headless_driver import HeadlessDriver

from scrapewright.query.reading import Column, Filter, Order, Reading
from scrapewright.session import events as ev
from scrapewright.session.questions import Copied, Option, Question
from scrapewright.session.result import Artifact, Captured, ExceptionInfo, Frame, Request, RunResult, StackLine, Step
from scrapewright.session.review import ColumnReview, Review
from scrapewright.session.sanitize import to_json
from scrapewright.session.verdict import Dispute, Finding, Sample, Verdict
from scrapewright.tui.terminal import BELL, KEEP_TITLE, TITLE, TITLE_BACK
from tests.fakes.parts import MemoryBlobs

MARKUP = ["[/]", "[bold", "closing [/foo]", "[/", "\\[x]", "[@click=app.quit]x[/]", "[link=http://evil/]x[/link]",
          "[$error]", "[b]b[/b]", "]]>", "{x!r}"]  # fmt: skip
ESCAPES = [
    "\x1b]2;PWNED\x07", "\x1b]0;PWNED\x1b\\", "\x1b[5;53mred\x1b[0m", "\x9b5;53m", "\x1b]52;c;UFdORUQ=\x07",
    "\x1b]8;;http://evil/\x1b\\link\x1b]8;;\x1b\\", "\x1b[2J", "\x1b[999;999H", "\x1b[6n", "\x1b[?1049l", "\x1b[?1000l",
    "\x1bP+q544e\x1b\\", "\x1b_Ga=T;AAAA\x1b\\", "\x1b^x\x1b\\", "\x1bX\x1b\\", "\x1bc", "\x1b", "\x1b[", "\x1b]",
    "\x90q\x9c", "\x9d2;PWNED\x9c", "\x9e", "\x9f", "\x9c", "\x84", "\x1b(0", "\x1b#8", "\x1b[201~", "\x0e", "\x0f",
]  # fmt: skip
CONTROLS = ["\0null", "a\tb\rc", "\b\b\b", "\x7f", "\x0b\x0c", "line\nline", "\r\n", "\x85\u2028\u2029", "\a", "\n" * 5]
BIDI = ["\u202egnp.exe", "\u2066a\u2069", "\u2067", "\u061c", "\u200e\u200f", "\u202a\u202b\u202c\u202d"]
ODD = [
    "日本語テキスト", "ﷺ", "e\u0301\u0301\u0301", "ก็็็็็", "\U0001f469\u200d\U0001f469\u200d\U0001f467", "👩🏽‍🚀",
    "\u200b\u200c\u200d\u2060\ufeff", "\ud800", "\udfff\ud800", "\ufffe\uffff", "\U000e0041", "'''", '"""', "f'{",
    "\\N{", "x" * 3_000, "日" * 1_500, "(" * 500, "\u0300", " " * 300, "", "http://[/", "http://x:y/", "%",
]  # fmt: skip
PIECES = [*MARKUP, *ESCAPES, *CONTROLS, *BIDI, *ODD]
nasty = st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join)

OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
"""What no widget may draw."""


# Into every field.

BLOBS = frozenset({"code", "result", "survey", "sha256", "body"})
"""Fields that name a blob: with another text in them there would be nothing to show."""


def poisoned(value: Any, text: Callable[[], str], hint: Any = None) -> Any:
    """The value with another text in each field that takes any, however deep: found by the types, so that a new field
    is filled as well. Empty tuples and mappings of texts get some."""
    hint = type(value) if hint is None else hint
    if isinstance(value, msgspec.Struct):
        hints = get_type_hints(type(value))
        return msgspec.structs.replace(
            value, **{name: poisoned(getattr(value, name), text, hints[name])
                      for name in value.__struct_fields__ if name not in BLOBS}
        )  # fmt: skip
    origin, inner = get_origin(hint), get_args(hint)
    if hint is str:
        return value if value.startswith("scraper.py") else text() + (".csv" if value.endswith(".csv") else "")
    if origin in {Union, types.UnionType} and isinstance(value, str) and str in inner:
        return text()
    if origin is tuple and inner[0] is str:
        return (text(), text(), text())
    if isinstance(value, tuple):
        return tuple(poisoned(item, text, inner[0] if inner else None) for item in value)
    if origin is dict and inner[0] is str:
        items = [*value.items(), ("", value[next(iter(value))])] if value else [("", "")] if inner[1] is str else []
        return {text(): poisoned(item, text, inner[1]) for _, item in items} | (value if inner[1] is int else {})
    return value


def free_texts(value: Any, hint: Any = str) -> Iterator[str]:
    """All texts of a value but those that its types allow a few words for."""
    if isinstance(value, msgspec.Struct):
        for name, of in get_type_hints(type(value)).items():
            if name not in BLOBS and name in value.__struct_fields__:
                yield from free_texts(getattr(value, name), of)
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from free_texts(item, get_args(hint)[0])
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from (key, *free_texts(item, get_args(hint)[1]))
    elif isinstance(value, str) and (hint is str or str in get_args(hint)):
        yield value


# A session with every kind of event.

QUERY = Reading(
    text="all mugs", urls=("http://127.0.0.1/",), columns=(Column("title", note="n", format="%d"),), section="s",
    filters=(Filter("only", "price", "lt", "3"),), order=(Order("price"),), file="rows.csv",
    unread=("nice ones",), limit=3,
)  # fmt: skip
RESULT = RunResult(
    status="error", exit_code=1, recorder="off", recorder_note="why", note="a note", sandbox="fake", python="3",
    stdout=Captured("out", "tail", 9), stderr=Captured("err", "tail", 9), artifacts_note="one was left out",
    exception=ExceptionInfo(
        "ValueError", "no price",
        (Frame("lib.py", 3, "get", "x"), Frame("scraper.py", 2, "parse", "float(text)", 2, 4, 9, {"text": "'a'"}, 3)),
        ExceptionInfo("KeyError", "'price'", (Frame("scraper.py", 1, "main", "x"),), None, "context", ("seen",)),
        "cause", ("note",),
    ),
    steps=tuple(Step(line, "main", 1, 1, kind, {"n": "1"}) for line, kind in ((1, "call"), (2, "set"), (2, "raise"))),
    trail=(1, 2), hits={"1": 3, "2": 9},
    requests=(Request("GET", "http://127.0.0.1/a", 200, "text/html", 9, 1.0, note="n"),
              Request("GET", "http://127.0.0.1/b", 500, "text/html", 9, 1.0, True, "refused", "why")),
)  # fmt: skip
KILLED = RunResult(
    status="timeout", signal="SIGKILL", trail=(1, 2, 2), stack=(StackLine("lib.py", 9, "recv", "t"),
                                                                StackLine("scraper.py", 1, "wait", "t")),
)  # fmt: skip


def session_of(text: Callable[[], str]) -> tuple[list[ev.Durable], MemoryBlobs]:
    """All kinds of events in an order that makes sense, with that text in every field and in all that they name."""
    blobs = MemoryBlobs()

    def blob(content: str | bytes) -> str:
        return blobs.put(content if isinstance(content, bytes) else content.encode("utf-8", "replace"))

    def made(result: RunResult) -> str:
        rows = "\n".join([f'"{text()}","{text()}"'.replace("\x00", "") for _ in range(6)])
        files = (
            Artifact("rows.csv", len(rows), blob(rows), "text/csv"),
            Artifact("rows.json", 9, blob(msgspec.json.encode([{well(text()): well(text())} for _ in range(4)]))),
            Artifact("notes.txt", 9, blob(text())),
        )
        return blob(to_json(poisoned(msgspec.structs.replace(result, artifacts=files), text)))

    one, two = f"x = 1\n{text()}\ny = '{text()}'\n", f"x = 1\n{text()}\nz = 2\n{text()}\n"
    fields: dict[str, Any] = {"attempt": 1}
    finding = Finding("wrong-type", "the price is no number", "title", (0, 2), "error", "float", "'x'")
    disputes = (Dispute("wrong-type", "title", "it is one", "so the page says"),)
    verdict = Verdict(
        False, 0.4, (finding, Finding("unchecked", "nothing")), 6, ("title",), "rows.csv", 2, disputes=disputes,
        samples=(Sample(0, {"title": "x"}, "x and more"),),
    )  # fmt: skip
    go: tuple[ev.AnswerKind, ...] = ("go", "edit", "hint", "refuse")
    host: tuple[ev.AnswerKind, ...] = ("allow-once", "allow", "deny")
    phase = ev.Phase
    over = ev.SessionFinished(
        phase=phase.FINISHED, outcome="unrepaired", exit_code=1, best=1, reason="r", advice="a",
        files=("/tmp/rows.csv",),
    )  # fmt: skip
    happened: list[ev.Event] = [
        ev.SessionStarted(session="s-1", text="all mugs", reading=QUERY, mode=ev.Mode.APPROVE),
        ev.ReadingChanged(reading=QUERY),
        ev.PhaseChanged(phase=phase.SURVEYING, step="survey"),
        ev.RequestSeen(request=Request("GET", "http://127.0.0.1/", 200, note="n")),
        ev.Surveyed(url="http://127.0.0.1/", survey=blob("{}"), summary=("8 × list",)),
        ev.PhaseChanged(phase=phase.WRITING, step="write"),
        ev.AttemptStarted(author="model", **fields),
        ev.CodeWritten(author="model", code=blob(one), lines=3, diagnosis="because", model="m", tokens=9, **fields),
        ev.CodeChecked(ok=False, fixes=("fence",), problems=("odd",), line=2, **fields),
        ev.Asked(kind="run", step="run", prompt="run attempt 1?", choices=go, code=blob(one), **fields),
        ev.Answered(ticket=10, answer="go", text="yes"),
        ev.PhaseChanged(phase=phase.RUNNING, step="run", **fields),
        ev.RunStarted(sandbox="fake", **fields),
        ev.RequestSeen(request=Request("GET", "http://127.0.0.1/", 403, "text/html", note="n"), **fields),
        ev.HostRefused(host="evil.example", url="http://evil.example/", reason="not named", **fields),
        ev.RunFinished(result=made(RESULT), status="error", line=2, exception=RESULT.exception,
                       artifacts=("rows.csv",), **fields),
        ev.Judged(verdict=verdict, **fields),
        ev.Asked(kind="host", prompt="allow evil.example?", choices=host, host="evil.example", **fields),
        ev.Answered(ticket=18, answer="allow"),
        ev.HostAllowed(host="evil.example"),
        ev.ModeChanged(mode=ev.Mode.STEP),
        ev.ProgrammerChanged(programmer="model", model="m"),
        ev.PauseAsked(),
        ev.Resumed(),
        ev.StepInterrupted(step="run", reason="killed", **fields),
        ev.BudgetWarned(what="tokens", used=9, limit=10),
        *(ev.Noted(text="remark", level=level) for level in ("info", "warning", "error")),
        ev.LeftOpen(question=Question("column", "which?", (Option("o", "place", "b.c", ("value", None)),), "name")),
        ev.Intervened(kind="hint", text="look there"),
        ev.PhaseChanged(phase=phase.WRITING, step="write"),
        ev.ReplyUnused(model="m", problem="no program", tokens=9, prompt=blob("{}"), reply=blob("no"), **fields),
        ev.WritingStopped(code=blob("impo"), **fields),
        ev.Advised(role="mapper", model="m", copied=(Copied("title", 0, "value"),), tokens=9),
        ev.AttemptStarted(attempt=2, parent=1, author="rules"),
        ev.CodeWritten(attempt=2, author="rules", code=blob(two), lines=4, diagnosis="so", added=1, removed=1),
        ev.PhaseChanged(phase=phase.RUNNING, step="run", attempt=2),
        ev.RunStarted(sandbox="fake", attempt=2),
        ev.RunFinished(result=made(KILLED), status="timeout", signal="SIGKILL", attempt=2),
        ev.Reviewed(of="0", model="m", review=Review((0,), (ColumnReview("title", "wrong", "no title", (0,)),)),
                    tokens=9, attempt=2),
        ev.Judged(verdict=verdict, attempt=2),
        ev.Disputed(disputes=disputes, unchanged=True, attempt=2),
        ev.Judged(verdict=verdict, attempt=2),
        ev.Asked(kind="retry", prompt="repair it?", choices=("go", "retry", "accept"), attempt=2),
        over,
        ev.Intervened(kind="go", attempt=2),
        over,
    ]  # fmt: skip
    return [
        msgspec.structs.replace(poisoned(event, text), seq=number, at=1e9 + number)
        for number, event in enumerate(happened, 1)
    ], blobs


def well(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def in_turn(texts: Sequence[str]) -> Callable[[], str]:
    """One after the other, round and round."""
    return itertools.cycle(texts).__next__


# What reaches the terminal.


class Recorded(HeadlessDriver):
    """A terminal that keeps all that is written to it."""

    written: str = ""

    @property
    def is_headless(self) -> bool:
        return False

    def write(self, data: str) -> None:
        self.written += data


_COLOR = r"(?:[34]8;2;\d{1,3};\d{1,3};\d{1,3}|[34]8;5;\d{1,3}|[34]9|3[0-7]|4[0-7]|9[0-7]|10[0-7]|[1-47-9])"
_MADE_BY_TEXTUAL = re.compile(
    rf"""
    (?P<text> [^\x00-\x1f\x7f-\x9f]+ ) | \r?\n
  | \x1b\[ (?:0|{_COLOR}(?:;{_COLOR})*)? m         # colours, bold, dim, italic, underline, reverse, strike: and no more
  | \x1b\[ (?P<row>\d+);(?P<column>\d+) H
  | \x1b\[ \?(?:2026|25)[hl] | \x1b\]22;[a-z-]*\x07  # one drawing at a time; the cursor; the pointer
  | \x1b\]52;c; (?P<copied>[A-Za-z0-9+/=]*) \x07
  | {re.escape(KEEP_TITLE)} | {re.escape(TITLE_BACK)} | \x1b\]2;{re.escape(TITLE)}\x07 | {BELL}
    """,
    re.VERBOSE,
)


def read_stream(written: str, size: tuple[int, int]) -> list[str]:
    """What was copied to the clipboard, once it is known that the stream holds only what the application itself makes:
    asserts that every sequence is one of its own and that no text holds what a terminal obeys."""
    copied, at = [], 0
    for found in _MADE_BY_TEXTUAL.finditer(written):
        assert found.start() == at, f"not of our making: {written[at : found.start() + 20]!r}"
        at = found.end()
        if found["text"]:
            assert not OBEYED.search(found["text"]), f"drawn: {found['text']!r}"
        if found["row"]:
            assert int(found["column"]) <= size[0] + 1, found[0]
            assert int(found["row"]) <= size[1] + 1, found[0]
        if found["copied"]:
            copied.append(base64.b64decode(found["copied"]).decode())
    assert at == len(written), f"not of our making: {written[at : at + 40]!r}"
    return copied
