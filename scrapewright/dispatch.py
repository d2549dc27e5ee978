"""The common way in, `scrapewright` and `scrapewright QUERY` at a terminal, without the package that parses options.

Loading that takes a quarter of the time to the first paint: Typer 0.29 brings pydantic with it. Whatever has an option,
is a command or is not at a terminal goes through `cli`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

COMMANDS = frozenset(
    {"run", "trace", "demo", "sessions", "replay", "export", "image", "doctor", "themes", "config", "open"}
)


_AFTER_COMMANDS = frozenset({"build", "list", "check", "show", "path", "remove"})


def is_plain(args: Sequence[str]) -> bool:
    """The words of a query or none at all, at a terminal."""
    if any(arg.startswith("-") for arg in args) or (args and args[0] in COMMANDS) or meant(args):
        return False
    return has_terminal()


def has_terminal() -> bool:
    """Whether there is a terminal for the workbench, which reads from stdin and is drawn on stderr."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


def meant(args: Sequence[str]) -> str:
    """The command that a first word was to be ("rnu", "sesions list"); empty where it can be the start of a query."""
    if not args or not args[0].isalpha() or args[0] in COMMANDS:
        return ""
    if len(args) > 1 and not (args[1].startswith("-") or " " in args[1] or args[1] in _AFTER_COMMANDS):
        return ""
    from difflib import get_close_matches

    return next(iter(get_close_matches(args[0].lower(), sorted(COMMANDS - {"open"}), 1, 0.66)), "")


def open_plain(args: Sequence[str]) -> int:
    """The workbench with the query in place. Returns the exit code."""
    from scrapewright.headless.output import complain, standard_streams
    from scrapewright.options import UsageError, check_options
    from scrapewright.session.exit_codes import ExitCode
    from scrapewright.settings import SettingsError, load

    with standard_streams():
        try:
            options = check_options(load(), " ".join(args), {}, need_url=False, read=False)
        except (SettingsError, UsageError) as error:
            return complain(str(error), ExitCode.USAGE)
        from scrapewright.commands import open_workbench

        return open_workbench(options)
