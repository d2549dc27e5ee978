"""The command line answers fast: what it loads before it has anything to do; and what is a command, what a query."""

from __future__ import annotations

import os
import pty
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from scrapewright import cli
from scrapewright.dispatch import COMMANDS, dispatch, is_query_at_terminal, mistyped_command

HEAVY = {"openai", "anthropic", "docker", "textual", "pandas", "numpy", "lxml", "bs4", "diskcache", "httpx2", "trustme"}


@pytest.mark.parametrize(
    "args", [["--version"], ["run", "--help"], ["--help"], ["trace", "--help"], ["sessions", "--help"]]
)
def test_help_and_version_load_nothing_heavy(args: list[str]) -> None:
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
        (["check", "prices", "on", "https://shop.example"], "open"),
        (["check", "prices on https://shop.example/a.csv"], "open"),
        (["check", "https://shop.example/rows.csv", "title"], "open"),
        (["check", "x" * 5_000], "open"),
        (["check", "gone.csv", "all books on https://shop.example"], "check"),
        (["check", __file__, "all books on https://shop.example"], "check"),
        (["check", "--json", "rows.csv", "all books on https://shop.example"], "check"),
        (["check"], "check"),
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
def test_a_mistyped_command_is_reported_and_not_taken_for_a_query(
    args: list[str], command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not is_query_at_terminal(args)
    with pytest.raises(SystemExit) as stop:
        dispatch(args)
    assert stop.value.code == 2
    assert f"scrapewright {command};" in capsys.readouterr().err


@pytest.mark.parametrize(
    "args", [["all books on https://shop.example"], ["rum", "from", "https://x.example"], ["books"], ["--", "rnu"]]
)
def test_a_query_is_no_mistyped_command(args: list[str]) -> None:
    assert mistyped_command(args) == ""


ROOT: Any = typer.main.get_command(cli.app)


def commands(group: Any = ROOT, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The path of every command and sub-command, the program itself (an empty path) first."""
    yield path
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, (*path, name))


def resolved(args: list[str]) -> tuple[str, ...]:
    """The command that arguments lead to, which takes them: parsing fails where it does not know an option."""
    command, path = ROOT, ()
    context = command.make_context("scrapewright", dispatch(args))
    while hasattr(command, "commands") and (rest := [*context._protected_args, *context.args]):
        name, command, rest = command.resolve_command(context, rest)
        path, context = (*path, name), command.make_context(name, rest, parent=context)
    return path


def test_the_commands_are_known_without_the_option_parser() -> None:
    assert {name: frozenset(getattr(c, "commands", ())) for name, c in ROOT.commands.items()} == COMMANDS


@pytest.mark.parametrize("path", list(commands()), ids=lambda path: " ".join(path) or "scrapewright")
def test_help_ends_with_examples_that_the_command_takes(
    path: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main([*path, "--help"])
    assert not stop.value.code
    _, heading, end = capsys.readouterr().out.rpartition("\n  Example:\n")
    assert heading, "no example"
    examples = [line.strip() for line in end.splitlines() if line.strip()]
    assert examples
    for example in examples:
        program, *args = shlex.split(example)
        assert program == "scrapewright"
        expected = path or ("open",)
        assert resolved(args)[: len(expected)] == expected


@pytest.mark.parametrize("path", list(commands()), ids=lambda path: " ".join(path) or "scrapewright")
def test_help_calls_values_by_what_they_are_and_not_by_types(
    path: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        cli.main([*path, "--help"])
    options = capsys.readouterr().out.partition("\nOptions:\n")[2]
    assert options
    assert not re.findall(r"<[\w\[\] ]+>| (?:TEXT|PATH|INTEGER|FLOAT)\b", options)


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["ru"], ["run"]),
        (["run", "--prox"], ["--proxy"]),
        (["run", "mugs", "--tape", ""], ["reuse", "live", "only"]),
        (["run", "mugs", "--sandbox", "b"], ["bwrap"]),
        (["run", "--proxy", "", "--render", "al"], ["always"]),
    ],
)
def test_a_shell_completes_commands_options_and_their_values(words: list[str], offered: list[str]) -> None:
    line = shlex.join(["scrapewright", *words])
    asked = {"COMP_WORDS": line, "COMP_CWORD": str(len(words)), "_SCRAPEWRIGHT_COMPLETE": "complete_bash"}
    done = subprocess.run(
        [sys.executable, "-m", "scrapewright"], capture_output=True, text=True, check=False, env={**os.environ, **asked}
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == offered


SAID_AT_A_TERMINAL = """\
import os, sys
import scrapewright.commands
def opened(options):
    with open(os.environ["REPORT"], "w") as report:
        print("TEXT", repr(options.reading.text), "LOADED", *sorted({m.split(".")[0] for m in sys.modules}),
        file=report)
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
    report = tmp_path / "report"
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            command, stdin=theirs, stdout=theirs, stderr=theirs, check=False, env={**os.environ, "REPORT": str(report)}
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == 7
    said, _, loaded = report.read_text().partition("LOADED")
    assert said == f"TEXT {text!r} "
    assert ("typer" in loaded.split()) is parsed
    assert ("pydantic" in loaded.split()) is parsed
