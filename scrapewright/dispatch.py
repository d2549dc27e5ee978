"""Tells a command from a query, and opens the workbench on a query without loading the option parser.

The option parser is slow to load: Typer 0.29 imports pydantic, which takes a quarter of the time to the first paint.
Whatever has an option, is a command, or is not at a terminal goes through `cli`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

COMMANDS: Mapping[str, frozenset[str]] = {
    "open": frozenset(),
    "run": frozenset(),
    "check": frozenset(),
    "trace": frozenset(),
    "demo": frozenset(),
    "sessions": frozenset({"list", "show", "remove"}),
    "replay": frozenset(),
    "export": frozenset(),
    "show-prompt": frozenset(),
    "image": frozenset({"build"}),
    "themes": frozenset({"list", "check"}),
    "config": frozenset({"show", "path"}),
    "cassette": frozenset({"play", "record"}),
    "doctor": frozenset(),
    "mcp": frozenset(),
    "serve": frozenset(),
    "schema": frozenset(),
}
"""Every command with its sub-commands."""
SUBCOMMANDS = frozenset().union(*COMMANDS.values())

_EVERYDAY_WORDS = frozenset({"image", "themes", "config", "cassette", "demo", "doctor", "mcp", "schema", "serve"})
"""Commands whose names can begin a query. None of them takes an address."""
_ROWS_SUFFIXES = (".csv", ".tsv", ".json", ".jsonl", ".ndjson")
_ROOT_OPTIONS = frozenset({"--help", "-h", "--install-completion", "--show-completion"})


def dispatch(args: Sequence[str]) -> list[str]:
    """The arguments with their command in front: `open` where they are a query.

    A first word that is a command is the command; anything else is the query; a leading `--` forces the query. Where
    an address follows a command that takes none ("image urls of https://…"), or something other than a file follows
    `check`, it is a query after all. A mistyped command is a usage error.
    """
    if len(args) > 1 and args[0] in _EVERYDAY_WORDS and args[1] not in SUBCOMMANDS and _names_address(args[1:]):
        return ["open", *args]
    if len(args) > 1 and args[0] == "check" and not _is_rows_file(args[1]):
        return ["open", *args]
    if command := mistyped_command(args):
        fail(
            f"there is no command {args[0]!r}; for {command!r}: scrapewright {command}; for a query: scrapewright -- …"
        )
    if args and (args[0] in COMMANDS or args[0] in _ROOT_OPTIONS):
        return list(args)
    return ["open", *args]


def _is_rows_file(arg: str) -> bool:
    """Whether `check` is the command: a file follows, or what is called like one, or an option."""
    named = arg.lower().endswith(_ROWS_SUFFIXES) and not any(mark in arg for mark in (" ", "://"))
    if arg.startswith("-") or named:
        return True
    try:
        return Path(arg).exists()
    except OSError:  # too long for a name
        return False


def _names_address(args: Sequence[str]) -> bool:
    from scrapewright.query.urls import find_addresses

    return any(find_addresses(arg) for arg in args if not arg.startswith("-"))


def mistyped_command(args: Sequence[str]) -> str:
    """The command that the first word resembles ("rnu", "sesions list"); empty where it can begin a query."""
    if not args or not args[0].isalpha() or args[0] in COMMANDS:
        return ""
    if len(args) > 1 and not (args[1].startswith("-") or " " in args[1] or args[1] in SUBCOMMANDS):
        return ""
    from difflib import get_close_matches

    return next(iter(get_close_matches(args[0].lower(), sorted(COMMANDS.keys() - {"open"}), 1, 0.66)), "")


def is_query_at_terminal(args: Sequence[str]) -> bool:
    """Whether the arguments are a query without options, or nothing, at a terminal: the fast path."""
    if any(arg.startswith("-") for arg in args) or (args and args[0] in COMMANDS) or mistyped_command(args):
        return False
    return has_terminal()


def has_terminal() -> bool:
    """Whether there is a terminal for the workbench, which reads from stdin and is drawn on stderr; or a browser, which
    `serve` shows it in."""
    if os.environ.get("TEXTUAL_DRIVER", "").startswith("scrapewright."):
        return True
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


def open_query(args: Sequence[str]) -> int:
    """Opens the workbench with the query filled in. Returns the exit code."""
    from scrapewright.errors import UsageError
    from scrapewright.headless.output import complain, standard_streams
    from scrapewright.options import check_options
    from scrapewright.session.exit_codes import ExitCode
    from scrapewright.settings import load

    with standard_streams():
        try:
            options = check_options(load(), " ".join(args), {}, need_url=False, read=False)
        except UsageError as error:
            return complain(str(error), ExitCode.USAGE)
        from scrapewright.commands import open_workbench

        return open_workbench(options)


def fail(message: str) -> NoReturn:
    """Exits with a usage error: one line on stderr."""
    from scrapewright.headless.output import complain
    from scrapewright.session.exit_codes import ExitCode

    raise SystemExit(complain(message, ExitCode.USAGE))
