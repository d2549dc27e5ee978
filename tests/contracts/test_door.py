"""The door opens fast: what the command loads before it has anything to do."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from scrapewright.cli import dispatch
from scrapewright.dispatch import is_plain, meant

HEAVY = {"openai", "docker", "textual", "pandas", "numpy", "lxml", "bs4", "diskcache", "httpx2", "trustme"}


@pytest.mark.parametrize(
    "args", [["--version"], ["run", "--help"], ["--help"], ["trace", "--help"], ["sessions", "--help"]]
)
def test_asking_the_door_loads_nothing_heavy(args: list[str]) -> None:
    script = (
        "import sys, atexit\n"
        f"sys.argv = ['scrapewright', *{args!r}]\n"
        "atexit.register(lambda: print('LOADED', *sorted({m.split('.')[0] for m in sys.modules}), file=sys.stderr))\n"
        "from scrapewright.__main__ import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    loaded = set(done.stderr.rpartition("LOADED")[2].split())
    assert "scrapewright" in loaded
    assert not loaded & HEAVY
    if args == ["--version"]:
        assert "typer" not in loaded
        assert done.stdout.startswith("scrapewright ")


@pytest.mark.parametrize(
    ("args", "first"),
    [
        (["image", "urls", "of", "https://shop.example"], "open"),
        (["themes of the talks on https://talks.example"], "open"),
        (["image", "build"], "image"),
        (["image", "build", "--host", "tcp://127.0.0.1:2375"], "image"),
        (["themes", "check"], "themes"),
        (["doctor"], "doctor"),
    ],
)
def test_a_command_is_a_query_where_an_address_follows_that_it_does_not_take(args: list[str], first: str) -> None:
    assert dispatch(args)[0] == first


@pytest.mark.parametrize(
    ("args", "command"),
    [
        (["rnu", "all books on https://shop.example"], "run"),
        (["sesions", "list"], "sessions"),
        (["exprt", "--as", "script"], "export"),
        (["Replay"], "replay"),
    ],
)
def test_a_mistyped_command_is_told_and_not_taken_for_a_query(
    args: list[str], command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not is_plain(args)
    with pytest.raises(SystemExit) as stop:
        dispatch(args)
    assert stop.value.code == 2
    assert f"scrapewright {command};" in capsys.readouterr().err


@pytest.mark.parametrize(
    "args", [["all books on https://shop.example"], ["rum", "from", "https://x.example"], ["books"], ["--", "rnu"]]
)
def test_a_query_is_no_mistyped_command(args: list[str]) -> None:
    assert meant(args) == ""


SAID_AT_A_TERMINAL = """\
import os, sys
import scrapewright.commands
def opened(options):
    with open(os.environ["TOLD"], "w") as told:
        print("TEXT", repr(options.query.text), "LOADED", *sorted({m.split(".")[0] for m in sys.modules}), file=told)
    return 7
scrapewright.commands.open_workbench = opened
from scrapewright.__main__ import main
main()
"""


@pytest.mark.parametrize(
    ("args", "text", "parsed"),
    [
        ([], "", False),
        (["all mugs", "on https://shop.example/"], "all mugs on https://shop.example/", False),
        (["--", "run it"], "run it", True),
        (["--attempts", "2", "mugs"], "mugs", True),
    ],
)
def test_a_query_at_a_terminal_opens_without_what_parses_options(
    args: list[str], text: str, parsed: bool, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", SAID_AT_A_TERMINAL, *args]
    told = tmp_path / "told"
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            command, stdin=theirs, stdout=theirs, stderr=theirs, check=False, env={**os.environ, "TOLD": str(told)}
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == 7
    said, _, loaded = told.read_text().partition("LOADED")
    assert said == f"TEXT {text!r} "
    assert ("typer" in loaded.split()) is parsed
    assert ("pydantic" in loaded.split()) is parsed
