"""The parts of the shell that need no screen: the status line, the keys, the clipboard, the call for an answer."""

from __future__ import annotations

import os
import stat
import sys
import threading
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.binding import Binding
from textual.screen import Screen
from textual.widget import Widget

import scrapewright.tui.app
import scrapewright.tui.screens.help
import scrapewright.tui.screens.replay
import scrapewright.tui.screens.workbench  # noqa: F401  (every class that has keys is loaded)
from scrapewright.session import events as ev
from scrapewright.session.events import Mode, Phase
from scrapewright.session.live import Live
from scrapewright.session.result import Request
from scrapewright.session.spending import Spent
from scrapewright.session.state import Session
from scrapewright.tui import clipboard
from scrapewright.tui.keymap import Known, complaints, known_bindings
from scrapewright.tui.terminal import KEEP_TITLE, TITLE, TITLE_BACK, Notifier
from scrapewright.tui.widgets.keyline import place
from scrapewright.tui.widgets.questionbar import KEYS, laid_out, meaning
from scrapewright.tui.widgets.statusline import status_line


def a_session(**changes: object) -> Session:
    session = Session(
        id="1122-exfs", seq=3, started_at=100.0, at=107.0, mode=Mode.APPROVE, programmer="model", model="gpt-x",
        sandbox="bwrap", phase=Phase.RUNNING, current=2, spent=[Spent(1, "programmer", "gpt-x", 1, 1234, 0.0123)],
    )  # fmt: skip
    for name, value in changes.items():
        setattr(session, name, value)
    return session


def text(session: Session, width: int = 200, now: float = 107.0) -> str:
    return "".join(part for part, _ in status_line(session, now=now, width=width))


def test_the_status_line_tells_all_that_there_is() -> None:
    assert text(a_session()) == (
        " ● running  attempt 2 of 4 · mode approve · model gpt-x · bwrap · 1.2k tokens · $0.01 · 0:07 · 1122-exfs"
    )


def test_requests_that_are_no_longer_kept_are_not_forgotten() -> None:
    session = a_session(requests=[(1, Request("GET", "http://x/")), *[(2, Request("GET", "http://x/"))] * 3])
    assert "3 requests" in text(session)
    session.requests_dropped = 9
    assert "3 requests" in text(session), "what was dropped is of another attempt"
    del session.requests[0]
    assert "3+ requests" in text(session)


def test_what_matters_least_goes_first_where_there_is_no_room() -> None:
    narrow = text(a_session(), 60)
    assert "running" in narrow
    assert "attempt 2 of 4" in narrow
    assert "1122-exfs" not in narrow
    assert "bwrap" not in narrow
    assert "attempt" not in text(a_session(), 12)


@given(st.integers(min_value=10, max_value=200), st.text(max_size=30), st.floats(min_value=0, max_value=1e9))
def test_the_status_line_is_never_wider_than_the_screen(width: int, name: str, done: float) -> None:
    session = a_session(model=name, id=name, live=Live(what=name, done=done, total=done * 2))
    line = text(session, width)
    least = cell_len(text(session, 1))
    assert cell_len(line) <= max(width, least)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"phase": Phase.WAITING}, " ? waiting "),
        ({"phase": Phase.PAUSED}, " ‖ paused  f5 goes on"),
        ({"phase": Phase.PAUSING}, "esc again kills the running step"),
        ({"phase": None}, " ● starting "),
        ({"end": ev.SessionFinished(phase=Phase.FINISHED, outcome="success", exit_code=0)}, " ✓ success "),
        ({"end": ev.SessionFinished(phase=Phase.STOPPED, outcome="stopped", exit_code=130)}, " ■ stopped "),
        ({"end": ev.SessionFinished(phase=Phase.FAILED, outcome="budget", exit_code=4)}, " ✖ budget "),
        ({"current": 5}, "  attempt 5 · "),
        ({"live": Live(what="pages", done=3, total=5)}, "━━━━━━━━━━━━ 3/5 pages "),
        ({"live": Live(what="characters", done=12_345)}, "characters 12k "),
        ({"spent": []}, "bwrap · 0:07"),
        ({"started_at": 107.0 - 3_725}, "1:02:05"),
    ],
)
def test_the_status_line_in_every_state(changes: dict[str, object], says: str) -> None:
    assert says in text(a_session(**changes))


# Keys.


def known(name: str, keys: str, owner: type = Widget) -> Known:
    return Known(name, tuple(keys.split(",")), name, name, owner)


class OneScreen(Screen[None]):
    pass


class OtherScreen(Screen[None]):
    pass


class OneWidget(Widget):
    pass


class OtherWidget(Widget):
    pass


FOUND = [
    known("stop", "f8", OneScreen), known("pause", "escape", OneScreen), known("leave", "escape", OtherScreen),
    known("down", "j", OneWidget), known("open", "enter", OtherWidget),
]  # fmt: skip


@pytest.mark.parametrize(
    ("keymap", "says"),
    [
        ({"stop": "ctrl+x"}, []),
        ({"stp": "ctrl+x"}, ["[keys] stp: there is no such command; did you mean stop?"]),
        ({"zzzzzz": "ctrl+x"}, ["[keys] zzzzzz: there is no such command; F1 lists them"]),
        ({"stop": " "}, ["[keys] stop: no key is given"]),
        ({"stop": "escape"}, ["[keys] one key for two commands: escape is pause and stop"]),
        ({"stop": "j"}, ["[keys] one key for two commands: j is down and stop"]),
        ({"open": "j"}, []),
        ({"leave": "f8"}, []),
        ({"stop": "escape", "pause": "f8"}, []),
        ({"stop": "f8,j, escape"}, ["[keys] one key for two commands: escape is pause and stop; j is down and stop"]),
    ],
)
def test_what_is_said_of_the_persons_own_keys(keymap: dict[str, str], says: list[str]) -> None:
    assert complaints(keymap, FOUND) == says


def test_the_keys_as_they_ship_are_named_and_without_complaint() -> None:
    found = known_bindings()
    assert {"pause", "stop", "quit", "help", "jump", "home", "answer-go", "edit-submit"} <= {k.id for k in found}
    assert complaints({}, found) == []
    assert all(k.description for k in found)


def test_main_commands_have_two_keys_and_none_that_terminals_keep() -> None:
    main = {
        "pause", "resume", "mode", "stop", "again", "home", "help", "quit", "jump", "answer-edit", "answer-hint",
        "answer-rewind", "edit-submit", "edit-outside",
    }  # fmt: skip
    found = {k.id: k for k in known_bindings() if k.id in main}
    assert set(found) == main
    for name, binding in found.items():
        assert len(binding.keys) >= 2, name
        assert "ctrl+enter" not in binding.keys


def test_the_footer_puts_what_matters_first() -> None:
    names = ["quit", "help", "zebra", "stop", "pause", "resume", "edit-submit"]
    keys = [Binding("x", name, name, id=name) for name in names]
    assert [b.id for b in sorted(keys, key=place)] == [
        "edit-submit", "resume", "pause", "stop", "zebra", "help", "quit",
    ]  # fmt: skip


def test_no_answer_is_broken_over_two_lines() -> None:
    pairs = [(KEYS[choice], meaning("retry", choice)) for choice in KEYS]
    for width in (30, 60, 78, 200):
        lines = laid_out(pairs, width)
        assert all(sum(cell_len(part) for part, _ in line) <= width for line in lines)
        assert sum(len(line) for line in lines) == 2 * len(pairs)
    assert len(laid_out(pairs, 400)) == 1


# The clipboard.


@pytest.mark.parametrize(
    ("environ", "there", "command"),
    [
        ({"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}, {"wl-copy", "xclip"}, "wl-copy"),
        ({"DISPLAY": ":0"}, {"wl-copy", "xclip"}, "xclip -selection clipboard"),
        ({"DISPLAY": ":0"}, {"xsel"}, "xsel --clipboard --input"),
        ({}, {"pbcopy", "xclip"}, "pbcopy"),
        ({}, {"xclip"}, ""),
        ({"DISPLAY": ":0"}, set(), ""),
    ],
)
def test_the_tool_that_is_there(environ: dict[str, str], there: set[str], command: str) -> None:
    found = clipboard.tool(environ, lambda name: name if name in there else None)
    assert " ".join(found) == command


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "tool"
    path.write_text(f"#!{sys.executable}\nimport os, sys\nexec(os.environ['TOOL_DOES'])\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_a_tool_gets_the_text(script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOL_DOES", f"open({str(tmp_path / 'got')!r}, 'wb').write(sys.stdin.buffer.read())")
    assert clipboard.copy_with_tool((str(script),), "é[/]\x1b", 30.0)
    assert (tmp_path / "got").read_bytes() == "é[/]\x1b".encode()


def test_a_tool_that_fails_hangs_or_is_gone_holds_nothing_up(
    script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOL_DOES", "sys.exit(3)")
    assert not clipboard.copy_with_tool((str(script),), "x", 30.0)
    reader, writer = os.pipe()
    try:
        monkeypatch.setenv("TOOL_DOES", f"open('/proc/{os.getpid()}/fd/{reader}').read()")
        assert not clipboard.copy_with_tool((str(script),), "x", 0.5)
    finally:
        os.close(reader)
        os.close(writer)
    assert not clipboard.copy_with_tool((str(tmp_path / "nothing"),), "x")
    assert threading.active_count() < 20


def test_what_is_said_of_a_copy() -> None:
    assert clipboard.fit("abc") == ("abc", "copied 3 characters")
    assert clipboard.fit("a\nb")[1] == "copied 2 lines"
    assert clipboard.fit("\ud800")[0] == "?"
    kept, said = clipboard.fit("x" * (clipboard.AT_MOST + 1))
    assert len(kept) == clipboard.AT_MOST
    assert said.startswith("copied the first")


# The call for an answer.


def test_a_call_rings_and_puts_the_title_back() -> None:
    written: list[str] = []
    caller = Notifier(written.append)
    caller.done()
    assert written == []
    caller.call()
    assert "".join(written) == f"{KEEP_TITLE}\x1b]2;{TITLE}\a\a"
    caller.call()
    assert written[-1] == "\a", "the title that was kept is not kept twice"
    caller.done()
    caller.done()
    assert written[-1] == TITLE_BACK
    assert "".join(written).count(TITLE_BACK) == 1


def test_a_call_can_be_switched_off() -> None:
    written: list[str] = []
    caller = Notifier(written.append, on=False)
    caller.call()
    caller.done()
    assert written == []


def test_the_setting_for_it() -> None:
    from scrapewright.settings import Settings

    assert Settings().bell
    assert not msgspec.structs.replace(Settings(), bell=False).bell
