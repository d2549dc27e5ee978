"""The command line: commands and their options. Bodies import what they need when they run, so that --help is fast."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrapewright.cli_options import (
    Allow,
    Append,
    Ask,
    Attempts,
    Auth,
    CassetteFile,
    Cookies,
    Example,
    Fresh,
    From,
    Headers,
    IgnoreRobots,
    Json,
    Key,
    MaxCost,
    ModelName,
    ModeName,
    NoReview,
    Out,
    Pages,
    ProgrammerName,
    Proxy,
    ReadingFile,
    RenderMode,
    SandboxName,
    Set,
    Simulate,
    TapeMode,
    TimeLimit,
    Tokens,
    examples,
    web_of,
)
from scrapewright.cli_serving import register as register_serving
from scrapewright.dispatch import dispatch, fail, has_terminal

if TYPE_CHECKING:
    from scrapewright.options import RunOptions
    from scrapewright.settings import Settings, Web

_CONTEXT = {"help_option_names": ["-h", "--help"]}
_SHOP = "https://shop.example/"


def _group(about: str, *lines: str) -> typer.Typer:
    return typer.Typer(help=about, epilog=examples(*lines), rich_markup_mode=None, context_settings=_CONTEXT)


app = typer.Typer(
    name="scrapewright",
    help="Turn a sentence about a web site into a scraper that works.\n\nscrapewright [QUERY] opens the workbench.",
    epilog=examples(f'"all books on {_SHOP}: title, price (float), CSV sorted by price"'),
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings=_CONTEXT,
)
sessions_app = _group("Past sessions.", "sessions", "sessions show 1122-tgkw")
config_app = _group("The settings and where they come from.", "config show")
image_app = _group("The image for containers.", "image build")
cassette_app = _group(
    "A session's replies of models as a file, which run --cassette FILE plays.", "cassette record 1122-tgkw shop.json"
)
themes_app = _group("The palettes of the workbench.", "themes", "themes check my-theme.toml")
app.add_typer(image_app, name="image")
app.add_typer(sessions_app, name="sessions")
app.add_typer(config_app, name="config")
app.add_typer(cassette_app, name="cassette")
app.add_typer(themes_app, name="themes")


def main(argv: list[str] | None = None) -> None:
    """Exits with one of the documented codes."""
    from scrapewright.headless.output import standard_streams

    with standard_streams():
        app(args=dispatch(sys.argv[1:] if argv is None else argv), prog_name="scrapewright")


@app.command("open", hidden=True, epilog=examples(f'--mode step "all books on {_SHOP}: title, price"'))
def open_(
    query: Annotated[list[str] | None, typer.Argument()] = None,
    attempts: Attempts = None,
    programmer: ProgrammerName = None,
    model: ModelName = None,
    sandbox: SandboxName = None,
    mode: ModeName = None,
    out: Out = None,
    tape: TapeMode = None,
    render: RenderMode = None,
    allow: Allow = None,
    from_file: From = None,
    max_cost: MaxCost = None,
    fresh: Fresh = False,
    cassette: CassetteFile = None,
    no_review: NoReview = False,
    header: Headers = None,
    cookies: Cookies = None,
    auth: Auth = None,
    proxy: Proxy = None,
) -> None:
    """The workbench, with the query in place; narration where stdout is no terminal."""
    text = " ".join(query or [])
    interactive = has_terminal()
    if not interactive and not text:
        fail("there is no terminal for the workbench; give a query, or use `scrapewright run QUERY`")
    options = _options(
        text, attempts=attempts, programmer=programmer, model=model, sandbox=sandbox, mode=mode, out=out, tape=tape,
        allow=allow, no_review=no_review, from_file=from_file, need_url=not interactive, read=not interactive,
        max_cost=max_cost, fresh=fresh, cassette=cassette, render=render,
        web=web_of(header, auth, cookies, proxy),
    )  # fmt: skip
    if interactive:
        from scrapewright.commands import open_workbench

        raise SystemExit(open_workbench(options))
    from scrapewright.commands import run_headless

    raise SystemExit(run_headless(options, as_json=False))


@app.command(epilog=examples(f'run "all books on {_SHOP}: title, price (float)" --out books --attempts 6'))
def run(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What you want, with the address of the page.")],
    attempts: Attempts = None,
    programmer: ProgrammerName = None,
    model: ModelName = None,
    sandbox: SandboxName = None,
    mode: ModeName = None,
    out: Out = None,
    tape: TapeMode = None,
    render: RenderMode = None,
    pages: Pages = None,
    allow: Allow = None,
    time_limit: TimeLimit = None,
    tokens: Tokens = None,
    max_cost: MaxCost = None,
    fresh: Fresh = False,
    cassette: CassetteFile = None,
    ignore_robots: IgnoreRobots = False,
    no_review: NoReview = False,
    json: Json = False,
    from_file: From = None,
    reading: ReadingFile = None,
    ask: Ask = None,
    set_: Set = None,
    example: Example = None,
    header: Headers = None,
    cookies: Cookies = None,
    auth: Auth = None,
    proxy: Proxy = None,
    append: Append = False,
    key: Key = None,
    simulate: Simulate = None,
) -> None:
    """Run without a screen: data on stdout, narration on stderr."""
    if ask not in {None, "json"}:
        fail(f"--ask: {ask!r} is not json")
    options = _options(
        query, attempts=attempts, programmer=programmer, model=model, sandbox=sandbox, mode=mode, out=out, tape=tape,
        pages=pages, allow=allow, time_limit=time_limit, tokens=tokens, max_cost=max_cost, fresh=fresh,
        cassette=cassette, ignore_robots=ignore_robots, render=render,
        no_review=no_review, from_file=from_file, selectors=tuple(set_ or ()), examples=tuple(example or ()),
        reading_file=reading, web=web_of(header, auth, cookies, proxy), append=append, key=key or "", simulate=simulate,
    )  # fmt: skip
    from scrapewright.commands import run_headless

    raise SystemExit(run_headless(options, as_json=json, ask_json=ask is not None))


@app.command(epilog=examples(f'check rows.csv "all books on {_SHOP}: title, price (float)"'))
def check(
    rows: Annotated[Path, typer.Argument(metavar="ROWS", help="A file of rows: CSV, JSON or JSON lines.")],
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What they should be, with the address of the page.")],
    reading: ReadingFile = None,
    tape: TapeMode = None,
    render: RenderMode = None,
    pages: Pages = None,
    allow: Annotated[
        list[str] | None, typer.Option("--allow", metavar="HOST", help="Another host to fetch pages from; repeatable.")
    ] = None,
    ignore_robots: IgnoreRobots = False,
    no_review: NoReview = False,
    fresh: Fresh = False,
    json: Json = False,
    header: Headers = None,
    cookies: Cookies = None,
    auth: Auth = None,
    proxy: Proxy = None,
) -> None:
    """Judge rows that anything scraped, as a run's rows are judged. Nothing is run.

    The pages are fetched as far as judging takes it. The file may have any format, whatever the query says of that.
    """
    options = _options(
        query, tape=tape, pages=pages, allow=allow, ignore_robots=ignore_robots, no_review=no_review,
        fresh=fresh, reading_file=reading, delivers=False, render=render, web=web_of(header, auth, cookies, proxy),
    )  # fmt: skip
    from scrapewright.commands import check_file

    raise SystemExit(check_file(options, rows, as_json=json))


@app.command(epilog=examples("trace scraper.py --allow shop.example", "trace scraper.py -- --verbose"))
def trace(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A Python program.")],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="ARGS", help="The program's own arguments; after -- where they begin with a dash."),
    ] = None,
    sandbox: SandboxName = None,
    recorder: Annotated[str, typer.Option("--recorder", metavar="on|off")] = "on",
    allow: Allow = None,
    time_limit: TimeLimit = None,
    out: Out = None,
    tape: TapeMode = None,
    render: RenderMode = None,
    json: Json = False,
    cookies: Cookies = None,
    auth: Auth = None,
    proxy: Proxy = None,
) -> None:
    """Run any program once under the recorder and show its steps."""
    from scrapewright.commands import trace_program

    if recorder not in {"on", "off"}:
        fail(f"--recorder is on or off, not {recorder!r}")
    options = _options(
        "", sandbox=sandbox, out=out, tape=tape, allow=allow, time_limit=time_limit, from_file=file, need_url=False,
        render=render, web=web_of(None, auth, cookies, proxy),
    )  # fmt: skip
    raise SystemExit(trace_program(options, recorder=recorder == "on", as_json=json, argv=arguments or ()))


@app.command(epilog=examples("demo", "demo --json --tape live"))
def demo(
    headless: Annotated[bool, typer.Option("--headless", help="Narrate instead of opening the workbench.")] = False,
    attempts: Attempts = None,
    programmer: Annotated[
        str | None,
        typer.Option("--programmer", metavar="NAME", help="auto, rules, model or command (default rules)."),
    ] = None,
    model: ModelName = None,
    sandbox: SandboxName = None,
    mode: ModeName = None,
    out: Out = None,
    tape: TapeMode = None,
    time_limit: TimeLimit = None,
    tokens: Tokens = None,
    max_cost: MaxCost = None,
    fresh: Fresh = False,
    cassette: CassetteFile = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON on stdout, without the workbench.")] = False,
) -> None:
    """A session against the practice shop: a failure, its repair."""
    options = _options(
        "", attempts=attempts, programmer=programmer or ("model" if model or cassette else "rules"), model=model,
        sandbox=sandbox, mode=mode, out=out, tape=tape, time_limit=time_limit, tokens=tokens, need_url=False,
        sends=False, no_review=not (model or programmer or cassette), max_cost=max_cost, fresh=fresh, cassette=cassette,
    )  # fmt: skip
    from scrapewright.commands import run_demo

    raise SystemExit(run_demo(options, headless=headless or json or not has_terminal(), as_json=json))


@sessions_app.callback(invoke_without_command=True)
def sessions_default(context: typer.Context, json: Json = False) -> None:
    if context.invoked_subcommand is None:
        sessions_list(json)


@sessions_app.command("list", epilog=examples("sessions list --json"))
def sessions_list(json: Json = False) -> None:
    """Past sessions, newest first."""
    from scrapewright.commands import list_sessions

    raise SystemExit(list_sessions(_settings(), as_json=json))


@sessions_app.command("show", epilog=examples("sessions show 1122-tgkw"))
def sessions_show(session: Annotated[str, typer.Argument(metavar="ID")], json: Json = False) -> None:
    """Narrate a past session from its events."""
    from scrapewright.commands import show_session

    raise SystemExit(show_session(_settings(), session, as_json=json))


@sessions_app.command("remove", epilog=examples("sessions remove 1122-tgkw 1121-5mqd"))
def sessions_remove(session: Annotated[list[str], typer.Argument(metavar="ID")]) -> None:
    """Remove sessions with all they hold."""
    from scrapewright.commands import remove_sessions

    raise SystemExit(remove_sessions(_settings(), session))


@app.command(epilog=examples("replay 1122-tgkw"))
def replay(
    session: Annotated[str, typer.Argument(metavar="ID")],
    headless: Annotated[bool, typer.Option("--headless", help="Tell it in lines instead of on the screen.")] = False,
) -> None:
    """A past session on the screen, event by event."""
    from scrapewright.commands import replay_session, show_session

    if headless or not has_terminal():
        raise SystemExit(show_session(_settings(), session, as_json=False))
    raise SystemExit(replay_session(_settings(), session))


@app.command(epilog=examples("export 1122-tgkw --as script -o scraper.py"))
def export(
    session: Annotated[str, typer.Argument(metavar="ID")],
    kind: Annotated[str, typer.Option("--as", metavar="script")] = "script",
    path: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Where to; stdout if not given.")
    ] = None,
) -> None:
    """Take a session's best program away."""
    from scrapewright.commands import export_session

    raise SystemExit(export_session(_settings(), session, kind, path))


@app.command("show-prompt", epilog=examples("show-prompt 1122-tgkw --attempt 2"))
def show_prompt(
    session: Annotated[str, typer.Argument(metavar="ID")],
    attempt: Annotated[
        int | None, typer.Option("--attempt", min=1, metavar="N", help="Which; the last if not given.")
    ] = None,
    review: Annotated[bool, typer.Option("--review", help="That of the review of its rows.")] = False,
    json: Json = False,
) -> None:
    """What a model was asked for a program, as it was sent."""
    from scrapewright import commands

    raise SystemExit(commands.show_prompt(_settings(), session, attempt, review=review, as_json=json))


@cassette_app.command("record", epilog=examples("cassette record 1122-tgkw shop.json"))
def cassette_record(
    session: Annotated[str, typer.Argument(metavar="ID")],
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A new file; nothing is overwritten.")],
) -> None:
    """Write what models replied in a past session, without any key; played it needs neither key nor network."""
    from scrapewright.commands import record_cassette

    raise SystemExit(record_cassette(_settings(), session, path))


@cassette_app.command("play", epilog=examples("cassette play shop.json --out shop"))
def cassette_play(
    path: Annotated[Path, typer.Argument(metavar="FILE")], out: Out = None, tape: TapeMode = None, json: Json = False
) -> None:
    """Run a cassette's own request with its replies; `run QUERY --cassette FILE` plays them for another."""
    from scrapewright.commands import run_headless

    raise SystemExit(run_headless(_options("", out=out, tape=tape, cassette=path), as_json=json))


@app.command(epilog=examples("doctor", "doctor --try"))
def doctor(
    ask: Annotated[
        bool, typer.Option("--try", help="Ask each model that is set up one short question; it may cost a little.")
    ] = False,
    json: Json = False,
) -> None:
    """What works here: sandboxes, models, folders, versions."""
    from scrapewright.commands import run_doctor

    raise SystemExit(run_doctor(_settings(), as_json=json, ask=ask))


register_serving(app)


@image_app.command("build", epilog=examples("image build --force"))
def image_build(
    force: Annotated[
        bool, typer.Option("--force", help="Build it although the image of this version is there.")
    ] = False,
) -> None:
    """Build the image that programs run in with Docker or Podman, unless it is there; older ones are removed."""
    from scrapewright.commands import build_image

    raise SystemExit(build_image(force=force))


@config_app.command("show", epilog=examples("config show --json"))
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


@config_app.command("path", epilog=examples("config path"))
def config_path() -> None:
    """Where the config file is, or would be."""
    from scrapewright.settings import config_path

    print(config_path())


@app.command("schema", epilog=examples("schema reading"))
def schema(what: Annotated[str, typer.Argument(metavar="WHAT", help="reading, result, event or check.")]) -> None:
    """Print a JSON Schema: of a reading, result, event or check."""
    from scrapewright.commands import SCHEMAS, json_schema

    if what not in SCHEMAS:
        fail(f"schema: {what!r} is none of {', '.join(SCHEMAS)}")
    print(json_schema(what))


@themes_app.callback(invoke_without_command=True)
def themes_default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        themes_list()


@themes_app.command("list", epilog=examples("themes list"))
def themes_list() -> None:
    """All palettes: those that ship, and your own from the themes folder beside the config file."""
    from scrapewright.commands import list_themes

    raise SystemExit(list_themes(_settings()))


@themes_app.command("check", epilog=examples("themes check my-theme.toml"))
def themes_check(
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE", help="Your own ones if not given.")] = None,
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
    text: str, *, attempts: int | None = None, programmer: str | None = None, model: str | None = None,
    sandbox: str | None = None, mode: str | None = None, out: Path | None = None, tape: str | None = None,
    pages: int | None = None, allow: list[str] | None = None, time_limit: float | None = None,
    tokens: int | None = None, ignore_robots: bool = False, no_review: bool = False, from_file: Path | None = None,
    need_url: bool = True, read: bool = True, selectors: tuple[str, ...] = (), examples: tuple[str, ...] = (),
    reading_file: Path | None = None, delivers: bool = True, web: Web | None = None, sends: bool = True,
    append: bool = False, key: str = "", simulate: str | None = None, max_cost: float | None = None,
    fresh: bool = False, cassette: Path | None = None, render: str | None = None,
) -> RunOptions:  # fmt: skip
    """The settings with the command's options over them, checked. Without `sends` nothing of the settings' web counts.

    Exits with a usage error.
    """
    from scrapewright.errors import UsageError
    from scrapewright.options import check_options
    from scrapewright.plugins import choices
    from scrapewright.settings import CHOICES

    settings = _settings() if sends else _settings().without_web()
    given = {"programmer": programmer, "model": model, "sandbox": sandbox, "mode": mode, "tape": tape, "render": render}
    for name, value in (*given.items(), ("simulate", simulate)):
        if value is not None and name in CHOICES and value not in (known := choices(name, value, CHOICES[name])):
            fail(f"--{name}: {value!r} is none of {', '.join(known)}")
    changes = {
        **given, "attempts": attempts, "time_limit": time_limit, "tokens": tokens,
        "robots": False if ignore_robots else None, "review": False if no_review else None, "simulate": simulate,
        "money": max_cost, "fresh": fresh or None, "cassette": str(cassette) if cassette is not None else None,
    }  # fmt: skip
    try:
        return check_options(
            settings, text, {k: v for k, v in changes.items() if v is not None}, out=out, pages=pages,
            allow=tuple(allow or ()), from_file=from_file, need_url=need_url, read=read, selectors=selectors,
            examples=examples, reading_file=reading_file, delivers=delivers, web=web, append=append, key=key,
        )  # fmt: skip
    except UsageError as error:
        fail(str(error))
