"""The commands' bodies. Each returns its exit code; what goes wrong is a line on stderr that says what to do."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import closing
from functools import partial, wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ParamSpec

import msgspec

from scrapewright import wiring
from scrapewright.errors import ScrapewrightError, UsageError
from scrapewright.extras import how_to_add
from scrapewright.headless.output import Output, complain, discard, for_stream
from scrapewright.loop.tasks import exit_despite_threads
from scrapewright.options import RunOptions, check_options
from scrapewright.session.exit_codes import ExitCode
from scrapewright.session.journal import JournalBroken
from scrapewright.session.sanitize import sanitize, to_json
from scrapewright.settings import Settings

P = ParamSpec("P")
ROWS_AT_MOST = 64 << 20
"""Bytes of a file of rows, as of a file that a program may leave behind."""


def _command(body: Callable[P, int]) -> Callable[P, int]:
    """Turns the errors that a person can do something about into a line on stderr and an exit code."""

    @wraps(body)
    def command(*args: P.args, **kwargs: P.kwargs) -> int:
        try:
            return body(*args, **kwargs)
        except BrokenPipeError:  # who reads us has enough
            discard(sys.stdout)
            return ExitCode.OK
        except (KeyboardInterrupt, asyncio.CancelledError):
            return ExitCode.INTERRUPTED
        except JournalBroken as error:
            advice = "make room there, or let XDG_DATA_HOME name another folder"
            return complain(f"{error}; {advice}", ExitCode.RETRY_LATER)
        except Exception as error:
            code = _exit_code(error)
            if code is None:
                raise
            return complain(str(error), code)

    return command


def _exit_code(error: Exception) -> ExitCode | None:
    """The exit code of an error that a person can do something about; None for a defect of this program."""
    if isinstance(error, ScrapewrightError):
        return ExitCode(error.exit_code)
    return ExitCode.RETRY_LATER if isinstance(error, OSError) else None


def _driven(work: Coroutine[Any, Any, int]) -> int:
    """Runs a coroutine. SIGTERM and SIGHUP cancel it as Ctrl+C does, so that what it started is cleaned up."""
    from scrapewright.headless.run import on_signals

    async def interruptible() -> int:
        task = asyncio.current_task()
        assert task is not None
        on_signals(task.cancel)
        try:
            code = await work
        except asyncio.CancelledError:
            code = ExitCode.INTERRUPTED
        if code == ExitCode.INTERRUPTED:
            await exit_despite_threads(code)
        return code

    return asyncio.run(interruptible())


# Sessions.


@_command
def run_headless(options: RunOptions, *, as_json: bool, ask_json: bool = False) -> int:
    """`run`: the loop without a screen. `ask_json`: somebody answers in JSON lines on stdin, and gets events so."""
    if not ask_json:
        _needs_terminal(options)
    return _driven(_run_headless(options, as_json=as_json or ask_json, ask_json=ask_json))


def _needs_terminal(options: RunOptions) -> None:
    """Raises UsageError."""
    if options.settings.mode != "auto" and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(
            f"--mode {options.settings.mode} asks questions, and there is no terminal to ask on; "
            "`scrapewright run … --ask json` asks over pipes"
        )


async def _run_headless(options: RunOptions, *, as_json: bool, ask_json: bool) -> int:
    from scrapewright.headless.run import follow_session

    async with wiring.new_session(options, asks=ask_json or options.settings.mode != "auto") as handle:
        answers = sys.stdin.fileno() if ask_json else None
        return await follow_session(handle, as_json=as_json, stdout=sys.stdout, stderr=sys.stderr, answers=answers)


@_command
def open_workbench(options: RunOptions) -> int:
    """The screen. The query's text is read on the screen."""
    from scrapewright.tui.launch import run_workbench

    return run_workbench(
        options,
        wiring.new_session,
        wiring.continued_session,
        wiring.DockerImages(),
        partial(wiring.find_models, options.settings),
        wiring.offered_tables,
    )


@_command
def run_demo(options: RunOptions, *, headless: bool, as_json: bool = False) -> int:
    """`demo`: a session against the practice shop."""
    from scrapewright.practice.demo import demo_query, demo_shop
    from scrapewright.query.read import read_request
    from scrapewright.query.reading import Reading

    if headless:
        _needs_terminal(options)
    with demo_shop() as base:
        text = demo_query(base)
        query = read_request(text) if headless else Reading(text=text)
        ready = msgspec.structs.replace(options, reading=query, origin="demo")
        return run_headless(ready, as_json=as_json) if headless else open_workbench(ready)


@_command
def replay_session(settings: Settings, session: str) -> int:
    """`replay`: a past session on the screen."""
    from scrapewright.tui.launch import run_replay

    with closing(wiring.open_store(settings)) as store:
        name = store.find(session)
    options = partial(check_options, settings, "", {}, need_url=False, read=False)
    return run_replay(settings, name, options, wiring.new_session, wiring.continued_session)


@_command
def list_sessions(settings: Settings, *, as_json: bool) -> int:
    from scrapewright.headless.sessions import show_list

    with closing(wiring.open_store(settings)) as store:
        show_list(store, sys.stdout, as_json=as_json)
    return ExitCode.OK


@_command
def show_session(settings: Settings, session: str, *, as_json: bool) -> int:
    from scrapewright.headless.sessions import show_one

    with closing(wiring.open_store(settings)) as store:
        show_one(store.read(session), sys.stdout, as_json=as_json)
    return ExitCode.OK


@_command
def remove_sessions(settings: Settings, sessions: list[str]) -> int:
    with closing(wiring.open_store(settings)) as store:
        for session in dict.fromkeys([store.find(name) for name in sessions]):  # all are known before any is gone
            store.remove(session)
            print(f"removed {session}")
    return ExitCode.OK


@_command
def export_session(settings: Settings, session: str, kind: str, path: Path | None) -> int:
    """`export`: the best program, to stdout or to a new file whose path is printed."""
    from scrapewright.headless.sessions import export_script

    if kind != "script":
        raise UsageError(f"--as {kind}: this version exports script")
    with closing(wiring.open_store(settings)) as store:
        file = store.read(session)
        try:
            print(for_stream(export_script(file, path), sys.stdout), end="\n" if path is not None else "")
        except LookupError as error:
            return complain(str(error), ExitCode.UNREPAIRED)
        except OSError as error:
            if path is None:
                raise
            raise UsageError(f"{path} can't be written: {error.strerror or error}") from error
    return ExitCode.OK


@_command
def show_prompt(settings: Settings, session: str, attempt: int | None, *, review: bool, as_json: bool) -> int:
    """`show-prompt`: what a model was asked."""
    from scrapewright.headless import sessions

    with closing(wiring.open_store(settings)) as store:
        file = store.read(session)
        try:
            sessions.show_prompt(file, attempt, sys.stdout, review=review, as_json=as_json)
        except LookupError as error:
            raise UsageError(str(error.args[0])) from error
    return ExitCode.OK


@_command
def record_cassette(settings: Settings, session: str, path: Path) -> int:
    """`cassette record`: the path of the new file on stdout."""
    from scrapewright.headless.sessions import record_cassette

    with closing(wiring.open_store(settings)) as store:
        file = store.read(session)
        try:
            print(for_stream(record_cassette(file, path), sys.stdout))
        except LookupError as error:
            return complain(f"session {file.name} can't be recorded: {error.args[0]}", ExitCode.UNREPAIRED)
        except OSError as error:
            raise UsageError(f"{path} can't be written: {error.strerror or error}") from error
    return ExitCode.OK


# What works without a session.


@_command
def check_file(options: RunOptions, path: Path, *, as_json: bool) -> int:
    """`check`: a verdict on rows that something else scraped. The report goes to stdout, what is fetched to stderr."""
    try:
        with path.open("rb") as file:
            body = file.read(ROWS_AT_MOST + 1)
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror or error}") from error
    if len(body) > ROWS_AT_MOST:
        raise UsageError(f"{path} is larger than {ROWS_AT_MOST >> 20} MB, the most that is judged")
    if b"\0" in body:
        raise UsageError(f"{path} is no text; rows are read from CSV, JSON and JSON lines in UTF-8")
    return _driven(_check(options, path.name, body, as_json=as_json))


async def _check(options: RunOptions, name: str, body: bytes, *, as_json: bool) -> int:
    from scrapewright.headless.check import show, show_json
    from scrapewright.query.summary import summary

    out, err = Output(sys.stdout), Output(sys.stderr)
    for line in summary(options.reading):
        if not line.startswith("write: "):
            err.line(sanitize(line))
    report = await wiring.check_rows(options, name, body, lambda line: err.line(sanitize(line)))
    (show_json if as_json else show)(report, out)
    if out.error is not None:
        return complain(f"standard output can't be written: {out.error.strerror}", ExitCode.RETRY_LATER)
    return report.exit_code


@_command
def trace_program(options: RunOptions, *, recorder: bool, as_json: bool, argv: Sequence[str] = ()) -> int:
    """`trace`: one run, no loop, with `argv` as the program's arguments."""
    return _driven(_trace(options, recorder=recorder, as_json=as_json, argv=argv))


async def _trace(options: RunOptions, *, recorder: bool, as_json: bool, argv: Sequence[str]) -> int:
    from scrapewright.headless import trace as tracing

    out, err = Output(sys.stdout), Output(sys.stderr)
    ran = await wiring.trace_program(
        options, lambda line: err.line(sanitize(line)), recorder=recorder, argv=tuple(argv)
    )
    result = ran.result
    if as_json:
        out.line(msgspec.json.format(to_json(result), indent=1).decode())
    else:
        tracing.show(result, out)
    for line in tracing.advice(result):
        err.line(sanitize(line))
    if options.out is not None:
        for path in tracing.keep(ran, options.out):
            err.line(f"wrote {sanitize(str(path))}")
    if out.error is not None:
        return complain(f"standard output can't be written: {out.error.strerror}", ExitCode.RETRY_LATER)
    if result.status == "lost":
        return ExitCode.RETRY_LATER
    ended_well = result.status == "ok" or (result.status == "exit" and result.exit_code == 0)
    return ExitCode.OK if ended_well else ExitCode.UNREPAIRED


@_command
def serve_mcp() -> int:
    """`mcp`: the tools for agents, on stdin and stdout until the client leaves."""
    if not find_spec("mcp"):
        raise UsageError(f"the MCP server needs the package mcp, which is not installed: {how_to_add('mcp')} adds it")
    if sys.stdin.isatty():
        print("This serves tools to an MCP client, which starts it itself; Ctrl+C ends it.", file=sys.stderr)
    return _driven(_serve_mcp())


@_command
def serve_workbench(words: Sequence[str], *, host: str, port: int) -> int:
    """`serve`: the workbench in browsers, until Ctrl+C. The address with its token on stdout."""
    if not find_spec("textual_serve"):
        raise UsageError(
            "serving the workbench needs the package textual-serve, which is not installed: "
            f"{how_to_add('serve')} adds it"
        )
    return _driven(_serve_workbench(words, host, port))


async def _serve_workbench(words: Sequence[str], host: str, port: int) -> int:
    from scrapewright.tui.serving.server import is_loopback, serve

    def say(address: str) -> None:
        print(address, flush=True)
        if not is_loopback(host):
            print(
                "Whoever reaches this address and has the token runs programs and reads files as you do, and what is "
                "sent is not encrypted.",
                file=sys.stderr,
            )
        print("Open it in a browser on this machine or one that reaches it; Ctrl+C ends it.", file=sys.stderr)

    await serve(words, host, port, say)
    return ExitCode.OK


async def _serve_mcp() -> int:
    from scrapewright.mcp_server.server import serve

    try:
        await serve()
    except asyncio.CancelledError:  # a thread waits for the next line of stdin, and nothing ends that
        os._exit(ExitCode.INTERRUPTED)
    return ExitCode.OK


@_command
def build_image(*, force: bool) -> int:
    """`image build`: the image that containers are made of, unless it is there. Its tag on stdout."""
    return _driven(_build_image(force=force))


async def _build_image(*, force: bool) -> int:
    from scrapewright.headless.image_build import BuildProgress
    from scrapewright.sandboxes.docker import image
    from scrapewright.sandboxes.docker.engine import connect

    engine = await connect()
    try:
        if not force and await image.is_there(engine):
            print("The image of this version is there already; --force rebuilds it.", file=sys.stderr)
            print(image.tag())
        else:
            print(await image.build(engine, BuildProgress(sys.stderr)))
    finally:
        engine.close()
    return ExitCode.OK


@_command
def run_doctor(settings: Settings, *, as_json: bool, ask: bool = False) -> int:
    """`doctor`. With `ask` each model that is set up is asked one short question."""
    from scrapewright.headless.doctor import Check, basics, models, show
    from scrapewright.sandboxes import chromium
    from scrapewright.sandboxes.choose import diagnose

    async def look() -> tuple[list[Check], Sequence[Any]]:
        served = await wiring.find_models(settings)
        checks = await models(settings, served, wiring.try_model if ask else None)
        return checks, [*await diagnose(), await chromium.diagnose()]

    checks, found = asyncio.run(look())
    works = any(check.ok for check in found if check.name.startswith("sandbox "))
    tried = [Check(c.name, c.ok, c.detail, c.advice, c.name.startswith("sandbox ") and not works) for c in found]
    try:
        prompts = Check("prompts", True, "; ".join(wiring.prompt_texts(settings)))
    except UsageError as error:
        prompts = Check("prompts", False, str(error), "mend it, or take it away")
    return show([*basics(settings), *checks, prompts, *tried], sys.stdout, as_json=as_json)


@_command
def list_themes(settings: Settings) -> int:
    """`themes list`. Bad files are reported on stderr; the exit code says whether there were any."""
    from scrapewright.tui.theme_commands import list_palettes

    return _narrate(*list_palettes(settings))


@_command
def check_themes(settings: Settings, files: list[Path] | None) -> int:
    """`themes check`: the files named, else the user's own."""
    from scrapewright.tui.theme_commands import check_palettes

    return _narrate(*check_palettes(settings, files))


def _narrate(lines: Sequence[str], wrong: Sequence[str]) -> int:
    for line in lines:
        print(sanitize(line))
    return max([ExitCode.OK, *(complain(message, ExitCode.USAGE) for message in wrong)])


SCHEMAS = ("reading", "result", "event", "check")


def json_schema(what: str) -> str:
    """The JSON Schema of one of `SCHEMAS`, indented."""
    from scrapewright.query import reading
    from scrapewright.session.events import Durable
    from scrapewright.session.result import RunResult
    from scrapewright.session.verdict import RowsReport

    kinds: dict[str, Any] = {"result": RunResult, "event": Durable, "check": RowsReport}
    made = reading.schema() if what == "reading" else msgspec.json.schema(kinds[what])
    return msgspec.json.format(msgspec.json.encode(made), indent=2).decode()
