"""The command in a real terminal: tmux draws it, keys go in as a person would press them."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrapewright.practice.demo import demo_shop
from scrapewright.tui.widgets.questionbar import GRACE
from tests.e2e.site import MUGS, command, serve

TMUX = shutil.which("tmux")
pytestmark = pytest.mark.skipif(TMUX is None, reason="tmux is missing: the screen can't be tried in a real terminal")

SAY = [sys.executable, "-m", "scrapewright"]
PATIENCE = 60.0
"""Seconds for the screen to come to what is expected."""


def environment() -> dict[str, str]:
    """This process's, without the size of a terminal of its runner's: it would count for more than the real one's."""
    found = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
    return found | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "EDITOR": "true"}


class Terminal:
    """One command in one tmux server of its own. `status` is its exit code once it has ended."""

    def __init__(self, folder: Path, size: tuple[int, int]) -> None:
        self._socket = folder / "tmux"
        self._ended = folder / "status"
        self._size = size

    def start(self, *words: str, cwd: Path) -> None:
        line = f"trap : INT; {shlex.join(words)}; echo $? > {shlex.quote(str(self._ended))}; exec sleep 1000"
        width, height = map(str, self._size)
        self._tmux("-f", os.devnull, "new-session", "-d", "-x", width, "-y", height, "-c", str(cwd), "sh", "-c", line)

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p")

    def press(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def answer(self, question: str, key: str) -> None:
        """Waits for the question and answers it. In the time in which it takes no keys it must not go away."""
        self.until(question)
        time.sleep(GRACE + 0.1)
        assert question in self.screen(), f"{question!r} did not wait for a key:\n{self.screen()}"
        self.press(key)

    def until(self, *texts: str) -> str:
        """The screen once it shows all of them."""
        deadline = time.monotonic() + PATIENCE
        while True:
            shown = self.screen()
            if all(text in shown for text in texts):
                return shown
            assert time.monotonic() < deadline, f"{texts} never came:\n{shown}"
            time.sleep(0.05)

    def status(self) -> int:
        deadline = time.monotonic() + PATIENCE
        while not (self._ended.exists() and self._ended.read_text().strip()):
            assert time.monotonic() < deadline, f"it has not ended:\n{self.screen()}"
            time.sleep(0.05)
        return int(self._ended.read_text())

    def leader(self) -> int:
        return int(self._tmux("list-panes", "-F", "#{pane_pid}"))

    def close(self) -> None:
        self._tmux("kill-server", check=False)

    def _tmux(self, *words: str, check: bool = True) -> str:
        assert TMUX is not None
        done = subprocess.run(
            [TMUX, "-S", str(self._socket), *words], capture_output=True, text=True, check=check, timeout=30,
            env=environment(),
        )  # fmt: skip
        return done.stdout


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    terminal = Terminal(tmp_path, (120, 40))
    yield terminal
    terminal.close()


def children(pid: int) -> set[int]:
    """The processes that a process started itself, as /proc tells them now."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if parent == pid:
                found.add(int(entry.name))
    return found


def descendants(pid: int) -> set[int]:
    below = children(pid)
    return below.union(*map(descendants, below))


def alive(pids: set[int]) -> set[int]:
    left = set()
    for pid in pids:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state not in "ZX":
            left.add(pid)
    return left


def test_the_demo_comes_to_its_rows(terminal: Terminal, tmp_path: Path) -> None:
    terminal.start(*SAY, "demo", "--out", "out", cwd=tmp_path)
    shown = terminal.until(" success ", "rows.csv: 40 rows", "★  2 rules")
    assert "Harbour Lamp" in shown
    terminal.press("F3")
    terminal.until("Past sessions", "success", "127.0.0.1")
    terminal.press("F3")
    terminal.until("Continue")
    terminal.press("Enter")
    terminal.until("replay ", "Harbour Lamp")
    terminal.press("Home")
    terminal.until("replay 1/")
    terminal.press("Escape")
    terminal.until("Past sessions", "success")
    terminal.press("C-q")
    assert terminal.status() == 0
    assert "Harbour" not in terminal.screen(), "the terminal is as it was before"


@pytest.mark.full
def test_each_phase_waits_for_a_key_in_step_mode(terminal: Terminal, tmp_path: Path) -> None:
    terminal.start(*SAY, "demo", "--out", "out", "--mode", "step", cwd=tmp_path)
    terminal.answer("the page was looked at; write the program?", "a")
    terminal.answer("run attempt 1?", "i")
    terminal.answer("attempt 1 ended with ValueError", "a")
    terminal.answer("run attempt 2?", "a")
    terminal.answer("attempt 2 ran; judge the rows?", "a")
    terminal.until(" success ", "rows.csv: 40 rows")
    terminal.press("C-q")
    assert terminal.status() == 0


@pytest.mark.full
def test_a_hint_a_refusal_a_rewind_and_a_stop(terminal: Terminal, tmp_path: Path) -> None:
    terminal.start(*SAY, "demo", "--out", "out", "--mode", "approve", cwd=tmp_path)
    terminal.answer("run attempt 1?", "a")
    terminal.answer("attempt 1 ended with ValueError", "h")
    terminal.until("what should the programmer know?")
    terminal.press("-l", "the first number is the price")
    terminal.press("Enter")
    terminal.until("not understood: rules understand COLUMN is")
    terminal.answer("attempt 1 ended with ValueError", "a")
    terminal.answer("run attempt 2?", "r")
    terminal.answer("attempt 2 is not run; what instead?", "5")
    terminal.until("space Compare")
    terminal.press("Home", "w")
    terminal.until("attempt 1 ended with ValueError")
    terminal.press("F8")
    terminal.until(" stopped ")
    terminal.press("C-q")
    assert terminal.status() == 0
    (session,) = json.loads(command("sessions", "list", "--json", cwd=tmp_path).stdout)
    printed = command("sessions", "show", session["id"], "--json", cwd=tmp_path).stdout
    events = [json.loads(line) for line in printed.splitlines()]
    answers = [event["answer"] for event in events if "answer" in event]
    assert answers == ["go", "go", "refuse", "rewind", "stop"][: len(answers)], answers


@pytest.mark.parametrize(
    "how", ["key", *(pytest.param(name, marks=pytest.mark.full) for name in ("SIGTERM", "SIGHUP"))]
)
def test_quitting_in_the_middle_leaves_no_process(terminal: Terminal, tmp_path: Path, how: str) -> None:
    terminal.start(*SAY, "demo", "--out", "out", "--mode", "approve", cwd=tmp_path)
    terminal.until("run attempt 1?")
    started = descendants(terminal.leader())
    assert len(started) > 1, "the workbench and a sandbox that waits for its job"
    if how == "key":
        terminal.press("C-q")
        terminal.until("A session is running")
        terminal.press("y")
        assert terminal.status() == 0
    else:
        (workbench,) = children(terminal.leader())
        os.kill(workbench, signal.Signals[how])
        assert terminal.status() == 130
        assert "run attempt 1?" not in terminal.screen(), "the terminal is as it was before"
    deadline = time.monotonic() + PATIENCE
    while alive(started):
        assert time.monotonic() < deadline, f"left running: {alive(started)}"
        time.sleep(0.05)


@pytest.mark.full
def test_a_replay_of_its_own(terminal: Terminal, tmp_path: Path) -> None:
    with serve({"/": MUGS}) as site:
        done = command("run", f"all mugs on {site.base}/: name", "--out", "out", cwd=tmp_path)
    terminal.start(*SAY, "replay", done.stderr.splitlines()[0].removeprefix("session "), cwd=tmp_path)
    terminal.until("replay ", "rows.csv: 4 rows")
    terminal.press("Left", "Left")
    terminal.until(" judging ")
    terminal.press("Escape")
    assert terminal.status() == 0


@pytest.mark.full
def test_approving_on_a_plain_terminal(terminal: Terminal, tmp_path: Path) -> None:
    """Headless with --mode approve: questions by words, an editor, Ctrl+C at the prompt."""
    terminal.start(*SAY, "demo", "--headless", "--out", "out", "--mode", "approve", cwd=tmp_path)
    terminal.until("run attempt 1?", "] ?")
    terminal.press("what", "Enter")
    terminal.until("do not run this program")
    terminal.press("edit", "Enter")
    terminal.until("attempt 2 · person", "repair it?")
    terminal.press("C-c")
    terminal.until("stopping…", "stopped: stopped")
    assert terminal.status() == 130


def workbench_of(terminal: Terminal) -> int:
    (pid,) = children(terminal.leader())
    return pid


def gone(pids: set[int]) -> None:
    deadline = time.monotonic() + PATIENCE
    while left := alive(pids):
        assert time.monotonic() < deadline, f"left running: {left}"
        time.sleep(0.05)


@pytest.mark.full
def test_from_a_typed_query_to_rows_with_an_edit_by_hand(terminal: Terminal, tmp_path: Path) -> None:
    """Typed, read, run, failed, edited in mid-loop, approved, repaired, quit."""
    with demo_shop() as base:
        terminal.start(*SAY, "--mode", "approve", "--programmer", "rules", "--out", "out", cwd=tmp_path)
        terminal.until("Request", "type what you want")
        terminal.press("-l", f"all products on {base}/: title, price (float); all pages, CSV")
        terminal.until("price: float", "enter runs")
        terminal.press("Enter")
        terminal.answer("run attempt 1?", "a")
        terminal.until("text = 'from ")
        terminal.answer("attempt 1 ended with ValueError", "e")
        terminal.until("Code · editing")
        terminal.press("-l", "    print('by hand')")  # the cursor is before the line that crashed
        terminal.press("Enter", "F2")
        terminal.until("attempt 2 ", "person")
        terminal.answer("attempt 2 ended with ValueError", "4")
        terminal.press("]", "]")
        terminal.until("by hand")
        terminal.answer("attempt 2 ended with ValueError", "a")
        terminal.until("run attempt 3?", "17 −1 against attempt 2")
        terminal.answer("run attempt 3?", "4")
        terminal.press("[", "[")  # a tab that somebody has just chosen stays when the session ends
        terminal.until("no rows yet")
        terminal.press("Escape")  # nothing runs that could be paused
        terminal.answer("run attempt 3?", "a")
        terminal.until(" success ", "rows.csv: 40 rows", "Harbour Lamp")
        started = descendants(terminal.leader())
        terminal.press("C-q")
        assert terminal.status() == 0
        gone(started)
    assert (tmp_path / "out" / "rows.csv").exists()


@pytest.mark.full
def test_a_killed_terminal_leaves_no_process_and_the_session_goes_on_where_it_was(
    terminal: Terminal, tmp_path: Path
) -> None:
    again = Terminal(tmp_path / "again", (120, 40))
    (tmp_path / "again").mkdir()
    with demo_shop() as base:
        terminal.start(*SAY, f"all products on {base}/: title, price (float); all pages, CSV", cwd=tmp_path)
        terminal.until("price: float", "enter runs")
        terminal.press("F6")
        terminal.until("mode approve")
        terminal.press("Enter")
        terminal.answer("run attempt 1?", "a")
        terminal.until("attempt 1 ended with ValueError")
        started = descendants(terminal.leader())
        terminal.close()
        gone(started)
        try:
            again.start(*SAY, cwd=tmp_path)
            again.until("Request", "Past sessions", "all products on", "cut off")
            again.press("F3")
            again.until("Continue")
            again.press("Enter")
            again.until("replay ", "ValueError")
            again.press("Escape")
            again.until("Past sessions", "all products on")
            again.press("c")
            again.answer("attempt 1 ended with ValueError", "a")
            again.answer("run attempt 2?", "a")
            again.until(" success ", "rows.csv: 40 rows", "Harbour Lamp")
            again.press("C-q")
            assert again.status() == 0
        finally:
            again.close()
