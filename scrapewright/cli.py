"""The door: commands, options and exit codes. Bodies import what they need when they run, so that it opens fast."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from scrapewright.dispatch import COMMANDS, has_terminal, meant

if TYPE_CHECKING:
    from scrapewright.options import RunOptions
    from scrapewright.settings import Settings

_SPOKEN = frozenset({"image", "themes", "config", "demo", "doctor"})
_UNDER_THEM = frozenset({"build", "list", "check", "show", "path", "remove"})

_CONTEXT = {"help_option_names": ["-h", "--help"]}
app = typer.Typer(
    name="scrapewright",
    help="Turn a sentence about a web site into a scraper that works.\n\nscrapewright [QUERY] opens the workbench.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings=_CONTEXT,
)
sessions_app = typer.Typer(help="Past sessions.", rich_markup_mode=None, context_settings=_CONTEXT)
config_app = typer.Typer(
    help="The settings and where they come from.", rich_markup_mode=None, context_settings=_CONTEXT
)
image_app = typer.Typer(help="The image for containers.", rich_markup_mode=None, context_settings=_CONTEXT)
app.add_typer(image_app, name="image")
app.add_typer(sessions_app, name="sessions")
themes_app = typer.Typer(help="The palettes of the workbench.", rich_markup_mode=None, context_settings=_CONTEXT)
app.add_typer(config_app, name="config")
app.add_typer(themes_app, name="themes")


def main(argv: list[str] | None = None) -> None:
    """Exits with one of the documented codes."""
    from scrapewright.headless.output import standard_streams

    with standard_streams():
        app(args=dispatch(sys.argv[1:] if argv is None else argv), prog_name="scrapewright")


def dispatch(args: list[str]) -> list[str]:
    """A first word that is a command is the command; anything else is the query; a leading `--` forces the query.

    Some commands are words of plain speech: "image urls of https://…" is a query, as no such command takes an address.
    """
    if len(args) > 1 and args[0] in _SPOKEN and args[1] not in _UNDER_THEM and _says_address(args[1:]):
        return ["open", *args]
    if command := meant(args):
        fail(
            f"there is no command {args[0]!r}; for {command!r}: scrapewright {command}; for a query: scrapewright -- …"
        )
    if args and (args[0] in COMMANDS or args[0] in {"--help", "-h", "--install-completion", "--show-completion"}):
        return args
    return ["open", *args]


def _says_address(args: list[str]) -> bool:
    from scrapewright.query.urls import find_addresses

    return any(find_addresses(arg) for arg in args if not arg.startswith("-"))


def fail(message: str) -> NoReturn:
    """A usage error: one line on stderr."""
    from scrapewright.headless.output import complain
    from scrapewright.session.exit_codes import ExitCode

    raise SystemExit(complain(message, ExitCode.USAGE))


Attempts = Annotated[
    int | None, typer.Option("--attempts", "--max-iters", min=1, help="Programs to try, all counted (default 4).")
]
ProgrammerName = Annotated[str | None, typer.Option("--programmer", help="auto, rules or model.")]
SandboxName = Annotated[str | None, typer.Option("--sandbox", help="auto, docker, local, bwrap or namespaces.")]
ModeName = Annotated[str | None, typer.Option("--mode", help="auto, approve or step.")]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="The folder for the results; nothing is overwritten.")]
TapeMode = Annotated[str | None, typer.Option("--tape", help="reuse, live or only (offline).")]
Pages = Annotated[int | None, typer.Option("--pages", min=1, help="Pages to read at most.")]
Allow = Annotated[list[str] | None, typer.Option("--allow", help="Another host that programs may reach; repeatable.")]
TimeLimit = Annotated[float | None, typer.Option("--time-limit", min=0.1, help="Seconds for each run (default 60).")]
Tokens = Annotated[int | None, typer.Option("--tokens", min=1, help="Tokens to spend at most.")]
IgnoreRobots = Annotated[bool, typer.Option("--ignore-robots", help="Fetch what robots.txt forbids.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]
From = Annotated[Path | None, typer.Option("--from", help="Start from this program: run it, then repair it.")]


@app.command("open", hidden=True)
def open_(
    query: Annotated[list[str] | None, typer.Argument()] = None,
    attempts: Attempts = None,
    programmer: ProgrammerName = None,
    sandbox: SandboxName = None,
    mode: ModeName = None,
    out: Out = None,
    tape: TapeMode = None,
    allow: Allow = None,
    from_file: From = None,
) -> None:
    """The workbench, with the query in place; narration where stdout is no terminal."""
    text = " ".join(query or [])
    interactive = has_terminal()
    if not interactive and not text:
        fail("there is no terminal for the workbench; give a query, or use `scrapewright run QUERY`")
    options = _options(
        text, attempts=attempts, programmer=programmer, sandbox=sandbox, mode=mode, out=out, tape=tape, allow=allow,
        from_file=from_file, need_url=not interactive, read=not interactive,
    )  # fmt: skip
    if interactive:
        from scrapewright.commands import open_workbench

        raise SystemExit(open_workbench(options))
    from scrapewright.commands import run_headless

    raise SystemExit(run_headless(options, as_json=False))


@app.command()
def run(
    query: Annotated[str, typer.Argument(help="What you want, with the address of the page.")],
    attempts: Attempts = None,
    programmer: ProgrammerName = None,
    sandbox: SandboxName = None,
    mode: ModeName = None,
    out: Out = None,
    tape: TapeMode = None,
    pages: Pages = None,
    allow: Allow = None,
    time_limit: TimeLimit = None,
    tokens: Tokens = None,
    ignore_robots: IgnoreRobots = False,
    json: Json = False,
    from_file: From = None,
) -> None:
    """Run a session without a screen: data on stdout, narration on stderr."""
    options = _options(
        query, attempts=attempts, programmer=programmer, sandbox=sandbox, mode=mode, out=out, tape=tape, pages=pages,
        allow=allow, time_limit=time_limit, tokens=tokens, ignore_robots=ignore_robots, from_file=from_file,
    )  # fmt: skip
    from scrapewright.commands import run_headless

    raise SystemExit(run_headless(options, as_json=json))


@app.command()
def trace(
    file: Annotated[Path, typer.Argument(help="A Python program.")],
    arguments: Annotated[
        list[str] | None, typer.Argument(help="The program's own arguments; after -- where they begin with a dash.")
    ] = None,
    sandbox: SandboxName = None,
    recorder: Annotated[str, typer.Option("--recorder", help="on or off.")] = "on",
    allow: Allow = None,
    time_limit: TimeLimit = None,
    out: Out = None,
    tape: TapeMode = None,
    json: Json = False,
) -> None:
    """Run any program once under the recorder and show what happened."""
    from scrapewright.commands import trace_program

    if recorder not in {"on", "off"}:
        fail(f"--recorder is on or off, not {recorder!r}")
    options = _options(
        "", sandbox=sandbox, out=out, tape=tape, allow=allow, time_limit=time_limit, from_file=file, need_url=False
    )
    raise SystemExit(trace_program(options, recorder=recorder == "on", as_json=json, argv=arguments or ()))


@app.command()
def demo(
    headless: Annotated[bool, typer.Option("--headless", help="Narrate instead of opening the workbench.")] = False,
    sandbox: SandboxName = None,
    mode: ModeName = None,
    out: Out = None,
) -> None:
    """A session against the practice shop, served on this machine: a failed attempt, its repair, right rows."""
    options = _options("", sandbox=sandbox, mode=mode, out=out, programmer="rules", need_url=False)
    from scrapewright.commands import run_demo

    raise SystemExit(run_demo(options, headless=headless or not has_terminal()))


@sessions_app.callback(invoke_without_command=True)
def sessions_default(context: typer.Context, json: Json = False) -> None:
    if context.invoked_subcommand is None:
        sessions_list(json)


@sessions_app.command("list")
def sessions_list(json: Json = False) -> None:
    """Past sessions, newest first."""
    from scrapewright.commands import list_sessions

    raise SystemExit(list_sessions(_settings(), as_json=json))


@sessions_app.command("show")
def sessions_show(session: Annotated[str, typer.Argument(metavar="ID")], json: Json = False) -> None:
    """A past session, told again from its events."""
    from scrapewright.commands import show_session

    raise SystemExit(show_session(_settings(), session, as_json=json))


@sessions_app.command("remove")
def sessions_remove(session: Annotated[list[str], typer.Argument(metavar="ID…")]) -> None:
    """Remove sessions with all they hold."""
    from scrapewright.commands import remove_sessions

    raise SystemExit(remove_sessions(_settings(), session))


@app.command()
def replay(
    session: Annotated[str, typer.Argument(metavar="ID")],
    headless: Annotated[bool, typer.Option("--headless", help="Tell it in lines instead of on the screen.")] = False,
) -> None:
    """A past session on the screen, event by event."""
    from scrapewright.commands import replay_session, show_session

    if headless or not has_terminal():
        raise SystemExit(show_session(_settings(), session, as_json=False))
    raise SystemExit(replay_session(_settings(), session))


@app.command()
def export(
    session: Annotated[str, typer.Argument(metavar="ID")],
    kind: Annotated[str, typer.Option("--as", help="script.")] = "script",
    path: Annotated[Path | None, typer.Option("-o", "--output", help="Where to; stdout if not given.")] = None,
) -> None:
    """Take a session's best program away."""
    from scrapewright.commands import export_session

    raise SystemExit(export_session(_settings(), session, kind, path))


@app.command()
def doctor(json: Json = False) -> None:
    """What works here: sandboxes, model, folders, versions."""
    from scrapewright.commands import run_doctor

    raise SystemExit(run_doctor(_settings(), as_json=json))


@image_app.command("build")
def image_build(
    force: Annotated[
        bool, typer.Option("--force", help="Build it although the image of this version is there.")
    ] = False,
) -> None:
    """Build the image that programs run in with Docker or Podman, unless it is there; older ones are removed."""
    from scrapewright.commands import build_image

    raise SystemExit(build_image(force=force))


@config_app.command("show")
def config_show(json: Json = False) -> None:
    """Every setting, its value and where it came from."""
    from scrapewright.settings import as_rows

    rows = as_rows(_settings())
    if json:
        import json as encoder

        print(encoder.dumps({name: {"value": value, "source": source} for name, value, source in rows}, indent=1))
        return
    width = max(len(name) for name, _, _ in rows)
    for name, value, source in rows:
        print(f"{name.ljust(width)}  {value}  ({source})" if source != "default" else f"{name.ljust(width)}  {value}")


@config_app.command("path")
def config_path() -> None:
    """Where the config file is, or would be."""
    from scrapewright.settings import config_path

    print(config_path())


@themes_app.callback(invoke_without_command=True)
def themes_default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        themes_list()


@themes_app.command("list")
def themes_list() -> None:
    """All palettes: those that ship, and your own from the themes folder beside the config file."""
    from scrapewright.commands import list_themes

    raise SystemExit(list_themes(_settings()))


@themes_app.command("check")
def themes_check(
    files: Annotated[list[Path] | None, typer.Argument(metavar="[FILE]…", help="Your own ones if not given.")] = None,
) -> None:
    """Say what is wrong with theme files; exit code 2 where something is."""
    from scrapewright.commands import check_themes

    raise SystemExit(check_themes(_settings(), files))


def _settings() -> Settings:
    from scrapewright.settings import SettingsError, load

    try:
        return load()
    except SettingsError as error:
        fail(str(error))


def _options(
    text: str, *, attempts: int | None = None, programmer: str | None = None, sandbox: str | None = None,
    mode: str | None = None, out: Path | None = None, tape: str | None = None, pages: int | None = None,
    allow: list[str] | None = None, time_limit: float | None = None, tokens: int | None = None,
    ignore_robots: bool = False, from_file: Path | None = None, need_url: bool = True, read: bool = True,
) -> RunOptions:  # fmt: skip
    """The settings with the command's options over them, checked. Exits with a usage error."""
    from scrapewright.options import UsageError, check_options
    from scrapewright.settings import CHOICES

    settings = _settings()
    given = {"programmer": programmer, "sandbox": sandbox, "mode": mode, "tape": tape}
    for name, value in given.items():
        if value is not None and value not in CHOICES[name]:
            fail(f"--{name}: {value!r} is none of {', '.join(CHOICES[name])}")
    changes = {
        **given, "attempts": attempts, "time_limit": time_limit, "tokens": tokens,
        "robots": False if ignore_robots else None,
    }  # fmt: skip
    try:
        return check_options(
            settings, text, {k: v for k, v in changes.items() if v is not None}, out=out, pages=pages,
            allow=tuple(allow or ()), from_file=from_file, need_url=need_url, read=read,
        )  # fmt: skip
    except UsageError as error:
        fail(str(error))
