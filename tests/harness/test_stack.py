"""Stacks are read from what this interpreter's faulthandler really writes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from harness import stack

DUMP = """
import faulthandler, signal, sys, threading
faulthandler.register(signal.SIGUSR1, file=sys.stdout, all_threads=True)
started, stop = threading.Event(), threading.Event()

def other():
    started.set()
    stop.wait()

def inner():
    print('  File "planted.py", line 7 in forged', flush=True)
    signal.raise_signal(signal.SIGUSR1)

thread = threading.Thread(target=other)
thread.start()
started.wait()
inner()
stop.set()
thread.join()
"""

CRASH = """
import ctypes, faulthandler, sys
faulthandler.enable(file=sys.stdout)
def crash():
    ctypes.string_at(0)
crash()
"""


def dumped(tmp_path: Path, source: str) -> str:
    path = tmp_path / "scraper.py"
    path.write_text(source)
    command = [sys.executable, "-I", str(path)]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False).stdout


def test_the_signalled_thread_comes_first(tmp_path: Path) -> None:
    lines = stack.parse(dumped(tmp_path, DUMP), "/nowhere/")
    own = [line for line in lines if line["thread"] == lines[0]["thread"]]
    assert [(line["line"], line["function"]) for line in own] == [(12, "inner"), (17, "<module>")]
    others = [line for line in lines if line["thread"] != lines[0]["thread"]]
    assert ("other", 8) in [(line["function"], line["line"]) for line in others]
    assert not [line for line in lines if line["file"] == "planted.py"]


def test_a_crash_names_its_cause(tmp_path: Path) -> None:
    text = dumped(tmp_path, CRASH)
    assert stack.fatal(text) == "Segmentation fault"
    lines = [line for line in stack.parse(text, "/nowhere/") if str(line["file"]).endswith("scraper.py")]
    assert [(line["line"], line["function"]) for line in lines] == [(5, "crash"), (6, "<module>")]


def test_files_of_a_folder_are_left_out() -> None:
    text = 'Current thread 0x01 (most recent call first):\n  File "/h/a.py", line 1 in f\n  File "b.py", line 2 in g\n'
    assert [line["file"] for line in stack.parse(text, "/h/")] == ["b.py"]


def test_the_last_dump_counts() -> None:
    one = 'Thread 0x02 (most recent call first):\n  File "b.py", line 9 in w\n\n'
    text = "".join(
        f'{one}Current thread 0x01 (most recent call first):\n  File "a.py", line {line} in f\n' for line in (3, 5)
    )
    assert [(line["file"], line["line"]) for line in stack.parse(text, "/h/")] == [("a.py", 5), ("b.py", 9)]


def test_named_threads_and_unknown_lines() -> None:
    text = (
        "Current thread 0x01 [scraper] (most recent call first):\n"
        '  File "a.py", line ??? in f\n  File "a.py", line 4 in g\n  ...\n'
    )
    assert [line["line"] for line in stack.parse(text, "/h/")] == [4]


@given(st.text(st.sampled_from('Current thread 0x1 (most recent call first):\n  File "a", line 3 in f[]')))
def test_anything_may_come(text: str) -> None:
    assert len(stack.parse(text, "/h/")) <= stack.MAX_LINES
    assert isinstance(stack.fatal(text), str)


def test_no_more_than_the_cap() -> None:
    text = "Current thread 0x1 (most recent call first):\n" + '  File "a", line 3 in f\n' * 1000
    assert len(stack.parse(text, "/h/")) == stack.MAX_LINES
