"""The gate's questions on a plain terminal: the command on a real pseudo-terminal, answered as a person would."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.site import MUGS, serve
from tests.e2e.test_weak import GOODS

PROMPT = "] ?"
PATIENCE = 60.0


class Terminal:
    """The command with its keyboard and its stderr on a terminal; stdout is a pipe."""

    def __init__(self, args: list[str], cwd: Path, **variables: str) -> None:
        self._master, slave = pty.openpty()
        self.child = subprocess.Popen(
            [sys.executable, "-m", "scrapewright", "run", *args], cwd=cwd, stdin=slave, stderr=slave,
            stdout=subprocess.PIPE, text=True, start_new_session=True, env={**os.environ, "NO_COLOR": "1", **variables},
        )  # fmt: skip
        os.close(slave)
        self.shown = ""

    def until(self, text: str, times: int = 1) -> None:
        """Reads what the terminal shows until `text` is there that often. Fails where the command ends first."""
        end = time.monotonic() + PATIENCE
        while self.shown.count(text) < times:
            ready, _, _ = select.select([self._master], [], [], max(0.0, end - time.monotonic()))
            assert ready, self.shown
            assert self._read(), f"it ended first\n{self.shown}"

    def say(self, line: str) -> None:
        os.write(self._master, line.encode())

    def end(self) -> int:
        """The exit code; `shown` is then all that was shown."""
        while self._read():
            pass
        return self.child.wait(PATIENCE)

    def close(self) -> None:
        self.child.kill()
        self.child.communicate()
        os.close(self._master)

    def _read(self) -> bool:
        try:
            data = os.read(self._master, 65_536)
        except OSError:  # nobody has the other end any more
            return False
        self.shown += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)


MUGS_ASKED = "all mugs on {}: name, price (float)"
SECOND = MUGS.replace(" mug</a>", " cup</a>").replace("£", "£1")
PAGED = {"/": MUGS.replace("</body>", '<a class="next" href="/?page=2">next</a></body>'), "/?page=2": SECOND}


@contextmanager
def asked(
    tmp_path: Path, program: str = "", *, pages: dict[str, str] | None = None, query: str = MUGS_ASKED, **variables: str
) -> Iterator[Terminal]:
    """A session that asks before each run. It starts from `program`, if there is one; BASE in it is the site."""
    with serve(pages or {"/": MUGS}) as site:
        args = [query.format(f"{site.base}/"), "--mode", "approve", "--out", "out"]
        if program:
            (tmp_path / "mine.py").write_text(program.replace("BASE", site.base))
            args += ["--from", "mine.py"]
        terminal = Terminal(args, tmp_path, **variables)
        try:
            yield terminal
        finally:
            terminal.close()


def test_a_program_is_approved_after_a_word_that_is_none(tmp_path: Path) -> None:
    with asked(tmp_path) as terminal:
        terminal.until(PROMPT)
        terminal.say("perhaps\n")
        terminal.until("do not run this program")  # what each word means
        terminal.until(PROMPT, times=2)
        terminal.say("rewind 7\n")
        terminal.until("there is no attempt 7")
        terminal.until(PROMPT, times=3)
        terminal.say("g\n")
        assert terminal.end() == 0
    assert "answered: go" in terminal.shown
    assert (tmp_path / "out" / "rows.csv").exists()


def test_an_option_is_chosen_by_its_number(tmp_path: Path) -> None:
    with asked(tmp_path, pages=PAGED) as terminal:
        terminal.until(PROMPT)
        assert "  1  page 1 only (" in terminal.shown
        assert "  2  all pages (" in terminal.shown
        assert "[number · 0 none · text · go · edit · hint · stop] ?" in terminal.shown
        terminal.say("7\n")
        terminal.until("there is no option 7")
        terminal.until(PROMPT, times=2)
        terminal.say("\n")
        terminal.until("its number, or 0 for none of them")  # what each answer means
        terminal.until(PROMPT, times=3)
        terminal.say("a few\n")
        terminal.until("say how many pages, or all")
        terminal.until(PROMPT, times=4)
        terminal.say("2\n")
        terminal.until("run attempt 1?")
        terminal.until(PROMPT, times=5)
        terminal.say("go\n")
        assert terminal.end() == 0, terminal.shown
    assert "answered: choose all pages" in terminal.shown
    assert len((tmp_path / "out" / "rows.csv").read_text().splitlines()) == 9


@pytest.mark.sandbox
def test_what_no_record_has_answers_nothing(tmp_path: Path) -> None:
    with asked(tmp_path, pages={"/": GOODS}, query="all goods on {}: name, score (float)") as terminal:
        terminal.until("score")
        terminal.until(PROMPT)
        asked_first = terminal.shown.rpartition("? ")[0]
        terminal.say("'nobody has this'\n")
        terminal.until(PROMPT, times=2)
        assert "nobody has this" in terminal.shown.removeprefix(asked_first)
        assert "answered" not in terminal.shown
        terminal.say("1\n")
        terminal.until("answered: choose")
        terminal.say("stop\n")
        assert terminal.end() == 130, terminal.shown


def test_a_program_is_mended_in_the_persons_own_editor(tmp_path: Path) -> None:
    program = (
        "import csv\nimport requests\nfrom bs4 import BeautifulSoup\n\n"
        'soup = BeautifulSoup(requests.get("BASE/").content, "lxml")\n'
        'rows = [{"name": i.h3.get_text(), "price": float(i.p.get_text())} for i in soup.select("li.mug")]\n'
        'with open("rows.csv", "w", newline="", encoding="utf-8") as file:\n'
        '    writer = csv.DictWriter(file, ["name", "price"])\n    writer.writeheader()\n    writer.writerows(rows)\n'
    )
    editor = tmp_path / "editor.py"
    editor.write_text(
        "import sys, pathlib\npath = pathlib.Path(sys.argv[1])\n"
        'path.write_text(path.read_text().replace("float(", "(lambda text: float(text[1:]))("))\n'
    )
    with asked(tmp_path, program, VISUAL="", EDITOR=f"{sys.executable} {editor}") as terminal:
        terminal.until(PROMPT)  # the given program has run and failed
        assert "ValueError" in terminal.shown
        terminal.say("edit\n")
        assert terminal.end() == 0, terminal.shown
    assert "attempt 2 · person" in terminal.shown
    assert "float(text[1:])" in (tmp_path / "out" / "scraper.py").read_text()


@pytest.mark.full
def test_an_editor_that_fails_leaves_the_question_open(tmp_path: Path) -> None:
    with asked(tmp_path, VISUAL="", EDITOR="false") as terminal:
        terminal.until(PROMPT)
        terminal.say("edit\n")
        terminal.until("nothing was changed")
        terminal.until(PROMPT, times=2)
        terminal.say("stop\n")
        assert terminal.end() == 130


@pytest.mark.full
def test_an_interrupt_in_the_editor_is_the_editors(tmp_path: Path) -> None:
    editor = tmp_path / "editor.py"
    editor.write_text(  # a terminal sends it to all that are in the foreground
        "import os, signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nos.killpg(os.getpgrp(), signal.SIGINT)\n"
    )
    with asked(tmp_path, VISUAL="", EDITOR=f"{sys.executable} {editor}") as terminal:
        terminal.until(PROMPT)
        terminal.say("edit\n")
        assert terminal.end() == 0, terminal.shown
    assert "stopping" not in terminal.shown


@pytest.mark.full
def test_a_session_that_is_asked_to_end_ends_the_editor(tmp_path: Path) -> None:
    editor = tmp_path / "editor.py"
    editor.write_text(
        "import os, signal, sys\nsignal.alarm(300)\n"  # it does not outlive a test that fails
        'print(f"editor {os.getpid()} is open", file=sys.stderr, flush=True)\nsignal.pause()\n'
    )
    with asked(tmp_path, VISUAL="", EDITOR=f"{sys.executable} {editor}") as terminal:
        terminal.until(PROMPT)
        terminal.say("edit\n")
        terminal.until("is open")
        terminal.child.send_signal(signal.SIGTERM)
        assert terminal.child.wait(PATIENCE) == 130
        assert terminal.end() == 130
    number = int(terminal.shown.partition("editor ")[2].split()[0])
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


@pytest.mark.full
def test_the_end_of_input_stops_the_session(tmp_path: Path) -> None:
    with asked(tmp_path) as terminal:
        terminal.until(PROMPT)
        terminal.say("\x04")
        assert terminal.end() == 130
    assert "stopped" in terminal.shown


def test_an_interrupt_while_it_asks_stops_the_session(tmp_path: Path) -> None:
    with asked(tmp_path) as terminal:
        terminal.until(PROMPT)
        terminal.child.send_signal(signal.SIGINT)
        assert terminal.end() == 130
    assert "Traceback" not in terminal.shown
