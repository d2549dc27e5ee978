"""Past sessions printed on a stream: data as it is for a pipe, nothing that a terminal would obey for a terminal."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from scrapewright.headless.output import Output
from scrapewright.headless.sessions import export_script, show_list, show_one
from scrapewright.query.reading import Reading
from scrapewright.session import events as ev
from scrapewright.store.sessions import SessionFile, SessionStore

NASTY = "mugs\x9b31m\u202eof the shop"


class Stream(io.StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


def session(store: SessionStore) -> SessionFile:
    file = store.own(store.new_id())
    code = file.put(f"print({NASTY!r})  # {NASTY}\n".encode())
    query = Reading(text=NASTY, urls=("http://shop.test/",))
    events: list[ev.Event] = [
        ev.SessionStarted(seq=1, session=file.name, text=NASTY, reading=query),
        ev.PhaseChanged(seq=2, phase=ev.Phase.WRITING, step="write"),
        ev.AttemptStarted(seq=3, attempt=1, author="rules"),
        ev.CodeWritten(seq=4, attempt=1, author="rules", code=code, lines=1),
    ]
    for event in events:
        file.append(event.seq, ev.encode(event))
    return file


@pytest.mark.parametrize("terminal", [True, False])
def test_json_is_whole_for_a_pipe_and_harmless_for_a_terminal(terminal: bool, tmp_path: Path) -> None:
    out = Stream(terminal)
    with SessionStore(tmp_path) as store:
        file = session(store)
        show_one(file, out, as_json=True)
        events = [json.loads(line) for line in out.getvalue().splitlines()]
        show_list(store, out, as_json=True)
    assert events[0]["text"] == ("mugsof the shop" if terminal else NASTY)
    assert ("\x9b" in out.getvalue()) is ("\u202e" in out.getvalue()) is not terminal
    assert "print(" in events[3]["program"]


def test_a_session_printed_in_lines_is_harmless_anywhere(tmp_path: Path) -> None:
    out = Stream(False)
    with SessionStore(tmp_path) as store:
        show_one(session(store), out, as_json=False)
        show_list(store, out, as_json=False)
    assert "\x9b" not in out.getvalue()
    assert "\u202e" not in out.getvalue()


@pytest.mark.parametrize("terminal", [True, False])
def test_what_goes_to_stdout_is_harmless_where_that_is_a_terminal(terminal: bool) -> None:
    out = Stream(terminal)
    Output(out).line(NASTY)
    assert out.getvalue() == ("mugsof the shop\n" if terminal else f"{NASTY}\n")


def test_an_export_never_overwrites(tmp_path: Path) -> None:
    with SessionStore(tmp_path / "data") as store:
        file = session(store)
        first = export_script(file, tmp_path / "mine.py")
        second = export_script(file, tmp_path / "mine.py")
        assert [first, second] == [str(tmp_path / "mine.py"), str(tmp_path / "mine-2.py")]
        assert (tmp_path / "mine.py").read_text() == export_script(file, None)
