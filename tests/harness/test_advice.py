"""A program that fails of what a sandbox lacks gets advice; any other failure goes without."""

from __future__ import annotations

import pytest

from harness.advice import advice
from tests.harness.supervisor_helpers import run


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("import no_such_library", "the sandbox has the standard library"),
        ("name = input('Name? ')", "no standard input"),
        ("open('rows.csv')", "starts in an empty folder"),
        ("import subprocess\nsubprocess.run(['no-such-command'])", "and commands are not"),
    ],
)
def test_what_a_sandbox_lacks_is_reported(code: str, word: str) -> None:
    seen = run(code).seen
    assert seen["status"] == "error"
    assert word in seen["note"]


@pytest.mark.parametrize(
    "code",
    [
        "raise FileNotFoundError('page')",
        "raise EOFError('the file is cut')",
        "raise ImportError('no')",
        "{}['open']",
        "class ModuleNotFoundError2(Exception): pass\nraise ModuleNotFoundError2",
    ],
)
def test_other_failures_get_no_advice(code: str) -> None:
    seen = run(code).seen
    assert (seen["status"], seen["note"]) == ("error", "")


def test_the_libraries_are_named_that_are_there() -> None:
    message = "No module named 'aiohttp'"
    assert "standard library, requests, bs4; nothing" in advice("ModuleNotFoundError", message, ["requests", "bs4"])
    assert "standard library; nothing" in advice("ModuleNotFoundError", message, [])


def test_many_threads_left_over_are_ended_quietly() -> None:
    code = """
import atexit, threading, time
for _ in range(3):
    threading.Thread(target=time.sleep, args=(60,)).start()
file = open("rows.txt", "w")
file.write("whole")
atexit.register(print, "goodbye")
print("done")
"""
    answer = run(code, seconds=0.5)
    assert (answer.seen["status"], answer.seen["exit_code"]) == ("ok", 0)
    assert answer.seen["note"] == "the program was done, but a thread was still running at the time limit and was ended"
    assert answer.seen["stdout"]["head"] == "done\ngoodbye\n"
    assert answer.seen["stderr"]["head"] == ""
    assert answer.files == {"rows.txt": b"whole"}
