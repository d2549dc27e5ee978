"""Wiring: the only place where parts are chosen and put together. The public functions are the commands' bodies."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from scrapewright.headless.output import drop
from scrapewright.loop.listener import Listener
from scrapewright.loop.ports import Job, Limits, Programmer, Sandbox, SandboxUnavailable
from scrapewright.options import RunOptions, UsageError, as_it_was
from scrapewright.session.journal import JournalBroken
from scrapewright.session.sanitize import sanitize, to_json
from scrapewright.settings import Settings

if TYPE_CHECKING:
    from scrapewright.loop.kit import Kit
    from scrapewright.sandboxes.choose import Chosen
    from scrapewright.session.journal import Journal
    from scrapewright.store.sessions import SessionFile, SessionStore
    from scrapewright.web.gateway import Gateway

USAGE, RETRY_LATER, INTERRUPTED = 2, 3, 130


# Sessions.


@asynccontextmanager
async def new_session(options: RunOptions, *, asks: bool) -> AsyncIterator[Kit]:
    """A new session, stored from its first event. `asks`: a person is there to answer.

    Raises SandboxUnavailable, UsageError, OSError.
    """
    from scrapewright import __version__
    from scrapewright.session import events as ev
    from scrapewright.session.journal import Journal

    settings = options.settings
    await asyncio.to_thread(_load_parts)
    programmer, model = choose_programmer(settings)
    async with _stored(settings) as store:
        file = await asyncio.to_thread(lambda: store.own(store.new_id()))
        journal = await Journal.open(file)
        try:
            chosen = await choose_sandbox(settings)
            async with _closing(chosen.sandbox) as sandbox:
                kit = assemble(options, journal, file, programmer, sandbox, asks=asks)
                await journal.append(
                    ev.SessionStarted(
                        session=file.name, text=options.query.text, query=options.as_read or options.query,
                        origin=options.origin, mode=ev.Mode(settings.mode), programmer=programmer.author, model=model,
                        sandbox=sandbox.name, tape=settings.tape, attempts=settings.attempts,
                        time_limit=settings.time_limit, version=__version__,
                    )
                )  # fmt: skip
                if options.as_read is not None:
                    await journal.append(ev.QueryCorrected(query=options.query))
                for note in chosen.notes():
                    await journal.append(note)
                try:
                    yield kit
                finally:
                    if not journal.session.over:  # cut off before the loop began
                        journal.post(
                            ev.SessionFinished(phase=ev.Phase.STOPPED, outcome="stopped", exit_code=INTERRUPTED)
                        )
        finally:
            await journal.close()
            await asyncio.to_thread(file.release)


@asynccontextmanager
async def continued_session(options: RunOptions, session: str, *, asks: bool) -> AsyncIterator[Kit]:
    """A session that was cut off, from its last event on; what is stored says what it was to do and with what.

    Raises SessionBusy while another process has it, DamagedSession, NoSuchSession, UsageError where it is over, and
    what `new_session` raises.
    """
    from scrapewright.session import events as ev
    from scrapewright.session.journal import Journal
    from scrapewright.session.state import ACTIVE

    await asyncio.to_thread(_load_parts)
    async with _stored(options.settings) as store:
        name = await asyncio.to_thread(store.find, session)
        file = await asyncio.to_thread(store.own, name)
        try:
            journal = await Journal.open(file)
            state = journal.session
            try:
                if state.over:
                    raise UsageError(f"session {name} is over; its best program can start a new one")
                options = as_it_was(options, state)
                programmer, _ = choose_programmer(options.settings)
                chosen = await choose_sandbox(options.settings)
                async with _closing(chosen.sandbox) as sandbox:
                    kit = assemble(options, journal, file, programmer, sandbox, asks=asks)
                    if state.step is not None and state.phase in ACTIVE:
                        await journal.append(
                            ev.StepInterrupted(attempt=state.current, step=state.step, reason="the session was cut off")
                        )
                    if state.pause_asked or state.phase in {ev.Phase.PAUSED, ev.Phase.PAUSING}:
                        await journal.append(ev.Resumed(attempt=state.current))
                    for note in (ev.Noted(text="the session goes on where it was cut off"), *chosen.notes()):
                        await journal.append(note)
                    yield kit
            finally:
                await journal.close()
        finally:
            await asyncio.to_thread(file.release)


def _load_parts() -> None:
    """Loads what a session is put together from, which takes long enough to be seen where the loop would do it."""
    import scrapewright.critics.judge
    import scrapewright.exports.deliver
    import scrapewright.loop.check
    import scrapewright.loop.loop
    import scrapewright.programmers.rules.programmer
    import scrapewright.sandboxes.choose
    import scrapewright.survey.surveyor
    import scrapewright.web.gateway  # noqa: F401  # loaded, not used here


def assemble(
    options: RunOptions, journal: Journal, file: SessionFile, programmer: Programmer, sandbox: Sandbox, *, asks: bool
) -> Kit:
    """The loop with its parts around it."""
    from scrapewright.critics.judge import RowsCritic
    from scrapewright.exports.deliver import Delivery
    from scrapewright.loop.budget import Allowance
    from scrapewright.loop.check import StaticChecker
    from scrapewright.loop.gate import Gate
    from scrapewright.loop.kit import Kit
    from scrapewright.loop.loop import Options, Parts, RepairLoop
    from scrapewright.survey.surveyor import PageSurveyor

    settings = options.settings
    gate = Gate(journal, file)
    listener = Listener()
    parts = Parts(
        programmer=programmer,
        sandbox=sandbox,
        web=make_gateway(options, file.name, listener),
        surveyor=PageSurveyor(),
        critic=RowsCritic(),
        checker=StaticChecker(),
        blobs=file,
        deliver=Delivery(options.out or Path()),
    )
    allowance = Allowance(
        attempts=settings.attempts,
        tokens=settings.tokens or None,
        money=settings.money or None,
        seconds=settings.seconds or None,
    )
    loop_options = Options(allowance=allowance, limits=limits(settings), program=options.program, asks_hosts=asks)
    loop = RepairLoop(journal, gate, parts, loop_options)
    listener.loop = loop
    return Kit(journal=journal, gate=gate, loop=loop, blobs=file, session=file.name, query=options.query)


# Parts.


def limits(settings: Settings) -> Limits:
    from scrapewright.web.manners import Manners

    return Limits(
        seconds=settings.time_limit, wall_limit=settings.time_limit + Manners().seconds, memory=settings.memory
    )


def choose_programmer(settings: Settings) -> tuple[Programmer, str]:
    """(programmer, model name). Raises UsageError where it is not set up."""
    name = settings.programmer
    if name == "auto":
        name = "model" if settings.model.configured else "rules"
    if name == "rules":
        from scrapewright.programmers.rules.programmer import RulesProgrammer

        return RulesProgrammer(), ""
    if name == "model":
        if not settings.model.configured:
            raise UsageError(
                "--programmer model needs OPENAI_API_KEY (or OPENAI_BASE_URL for another server, or the AZURE_OPENAI_… "
                "variables) in the environment or in .env; `scrapewright doctor` shows what is set"
            )
        from scrapewright.programmers.model.programmer import ModelProgrammer

        return ModelProgrammer(settings.model), settings.model.name or settings.model.azure_deployment
    raise UsageError(f"the programmer {name!r} is not in this version; use rules or model")


async def choose_sandbox(settings: Settings) -> Chosen:
    """Raises SandboxUnavailable with what to do."""
    from scrapewright.sandboxes.choose import choose

    return await choose(settings.sandbox, limits(settings))  # type: ignore[arg-type]  # checked with the settings


def make_gateway(options: RunOptions, session: str, listener: Listener) -> Gateway:
    """The way to the web for one session. Raises UsageError for an address that is none."""
    from scrapewright.web.gateway import Gateway
    from scrapewright.web.manners import Manners
    from scrapewright.web.urls import BadURL

    settings = options.settings
    manners = Manners(
        robots=settings.robots, delay=settings.delay, requests=settings.max_requests, bytes=settings.max_bytes
    )
    if settings.user_agent:
        manners = msgspec.structs.replace(manners, user_agent=settings.user_agent)
    try:
        return Gateway(
            options.query.urls,
            tape=settings.data_dir / "tape",
            session=session,
            mode=settings.tape,  # type: ignore[arg-type]  # checked when the settings were read
            allow=options.allow,
            manners=manners,
            on_request=listener.request,
            on_refused=listener.refused,
        )
    except BadURL as error:
        raise UsageError(str(error)) from error


# Commands.


def run_headless(options: RunOptions, *, as_json: bool) -> int:
    """`run`: the loop without a screen. Returns the exit code."""
    if options.settings.mode != "auto" and not (sys.stdin.isatty() and sys.stderr.isatty()):
        return complain(f"--mode {options.settings.mode} asks questions, and there is no terminal to ask on", USAGE)
    return _drive(_run_headless(options, as_json=as_json))


async def _run_headless(options: RunOptions, *, as_json: bool) -> int:
    from scrapewright.headless.run import follow_session

    async with new_session(options, asks=options.settings.mode != "auto") as kit:
        return await follow_session(kit, as_json=as_json, stdout=sys.stdout, stderr=sys.stderr)


def open_workbench(options: RunOptions) -> int:
    """The screen. Returns the exit code. The query's text is read on the screen."""
    from scrapewright.tui.door import run_workbench

    return run_workbench(options, new_session, continued_session)


def run_demo(options: RunOptions, *, headless: bool) -> int:
    """`demo`: a session against the practice shop; its results go to a new folder unless one is named."""
    from scrapewright.practice.demo import demo_query, demo_shop
    from scrapewright.query.model import Query

    folder = options.out or Path(tempfile.mkdtemp(prefix="scrapewright-demo-"))
    with demo_shop() as base:
        ready = msgspec.structs.replace(options, query=Query(text=demo_query(base)), out=folder, origin="demo")
        if not headless:
            return open_workbench(ready)
        from scrapewright.query.read import read_query

        return run_headless(msgspec.structs.replace(ready, query=read_query(ready.query.text)), as_json=False)


def trace_program(options: RunOptions, *, recorder: bool, as_json: bool, argv: Sequence[str] = ()) -> int:
    """`trace`: one run, no loop, with `argv` as the program's arguments. Returns 0 where it ended well, else 1."""
    return _drive(_trace(options, recorder=recorder, as_json=as_json, argv=argv))


async def _trace(options: RunOptions, *, recorder: bool, as_json: bool, argv: Sequence[str]) -> int:
    from scrapewright.headless import trace as tracing
    from scrapewright.headless.output import Output

    listener = Listener()
    chosen = await choose_sandbox(options.settings)
    for note in chosen.notes():
        print(sanitize(note.text), file=sys.stderr)
    async with _closing(chosen.sandbox) as sandbox, _stored(options.settings) as store:
        web = make_gateway(options, store.new_id(), listener)
        job = Job(options.program, recorder=recorder, argv=tuple(argv), limits=limits(options.settings))
        ran = await tracing.trace(sandbox, web, job, listener.requests)
    result, out = ran.result, Output(sys.stdout)
    if as_json:
        out.line(msgspec.json.format(to_json(result), indent=1).decode())
    else:
        tracing.show(result, out)
    if options.out is not None:
        for path in tracing.keep(ran, options.out):
            print(f"wrote {sanitize(str(path))}", file=sys.stderr)
    ended_well = result.status == "ok" or (result.status == "exit" and result.exit_code == 0)
    if out.error is not None:
        return complain(f"standard output can't be written: {out.error.strerror}", RETRY_LATER)
    return 0 if ended_well else RETRY_LATER if result.status == "lost" else 1


def list_sessions(settings: Settings, *, as_json: bool) -> int:
    from scrapewright.headless.past import show_list

    with _past(settings) as store:
        show_list(store, sys.stdout, as_json=as_json)
    return 0


def show_session(settings: Settings, session: str, *, as_json: bool) -> int:
    from scrapewright.headless.past import show_one

    with _past(settings) as store:
        show_one(store.read(session), sys.stdout, as_json=as_json)
    return 0


def replay_session(settings: Settings, session: str) -> int:
    from scrapewright.tui.door import run_replay

    with _past(settings) as store:
        name = store.find(session)
    return run_replay(settings, name)


def remove_sessions(settings: Settings, sessions: list[str]) -> int:
    with _past(settings) as store:
        for session in [store.find(name) for name in sessions]:  # all are known before any is gone
            store.remove(session)
            print(f"removed {session}")
    return 0


def export_session(settings: Settings, session: str, kind: str, path: Path | None) -> int:
    from scrapewright.headless.past import export_script

    if kind != "script":
        return complain(f"--as {kind}: this version exports script", USAGE)
    with _past(settings) as store:
        try:
            print(export_script(store.read(session), path), end="\n" if path is not None else "")
        except LookupError as error:
            return complain(str(error), 1)
        except OSError as error:
            return complain(f"{path} can't be written: {error.strerror or error}", USAGE)
    return 0


def build_image(*, force: bool) -> int:
    """`image build`: the image that containers are made of, unless it is there. Its tag on stdout."""
    return _drive(_build_image(force=force))


async def _build_image(*, force: bool) -> int:
    from scrapewright.headless.image import BuildTeller
    from scrapewright.sandboxes.docker import image
    from scrapewright.sandboxes.docker.engine import connect

    engine = await connect()
    try:
        if not force and await image.is_there(engine):
            print("The image of this version is there already; --force builds it anew.", file=sys.stderr)
            print(image.tag())
        else:
            print(await image.build(engine, BuildTeller(sys.stderr)))
    finally:
        engine.close()
    return 0


def run_doctor(settings: Settings, *, as_json: bool) -> int:
    from scrapewright.headless.doctor import Check, basics, show
    from scrapewright.sandboxes.choose import diagnose

    found = asyncio.run(diagnose())
    works = any(check.ok for check in found if check.name.startswith("sandbox "))
    tried = [Check(c.name, c.ok, c.detail, c.advice, c.name.startswith("sandbox ") and not works) for c in found]
    return show([*basics(settings), *tried], sys.stdout, as_json=as_json)


def list_themes(settings: Settings) -> int:
    """`themes list`. Bad files are told on stderr; the exit code says whether there were any."""
    from scrapewright.tui.palettes import list_palettes

    lines, wrong = list_palettes(settings)
    return _tell(lines, wrong)


def check_themes(settings: Settings, files: list[Path] | None) -> int:
    """`themes check`: the files named, else the user's own."""
    from scrapewright.tui.palettes import check_palettes

    return _tell(*check_palettes(settings, files))


# Small things.


def _open_store(settings: Settings) -> SessionStore:
    """Raises UsageError where the data folder can't be used."""
    from scrapewright.store.sessions import SessionStore

    try:
        return SessionStore(settings.data_dir)
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(
            f"the data folder {settings.data_dir} can't be used: {reason}; XDG_DATA_HOME names another"
        ) from error


@asynccontextmanager
async def _stored(settings: Settings) -> AsyncIterator[SessionStore]:
    store = await asyncio.to_thread(_open_store, settings)
    try:
        yield store
    finally:
        await asyncio.to_thread(store.close)


@asynccontextmanager
async def _closing(sandbox: Sandbox) -> AsyncIterator[Sandbox]:
    try:
        yield sandbox
    finally:
        await sandbox.close()


@contextmanager
def _past(settings: Settings) -> Iterator[SessionStore]:
    """The store, with what can go wrong turned into a line on stderr and the exit code."""
    from scrapewright.store.sessions import DamagedSession, NoSuchSession, SessionBusy

    try:
        with closing(_open_store(settings)) as store:
            yield store
    except (UsageError, NoSuchSession) as error:
        raise SystemExit(complain(str(error), USAGE)) from error
    except DamagedSession as error:
        raise SystemExit(complain(str(error), 1)) from error
    except BrokenPipeError:
        drop(sys.stdout)
        raise SystemExit(0) from None
    except (SessionBusy, OSError) as error:
        raise SystemExit(complain(str(error), RETRY_LATER)) from error


def _drive(work: Coroutine[Any, Any, int]) -> int:
    """Runs a command's coroutine; turns what can go wrong into a line on stderr and an exit code."""
    try:
        return asyncio.run(_interruptible(work))
    except UsageError as error:
        return complain(str(error), USAGE)
    except (SandboxUnavailable, JournalBroken, OSError) as error:
        return complain(str(error), RETRY_LATER)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return INTERRUPTED


async def _interruptible(work: Coroutine[Any, Any, int]) -> int:
    """SIGTERM and SIGHUP cancel it as Ctrl+C does, so that what it started is put away."""
    from scrapewright.headless.run import on_signals

    task = asyncio.current_task()
    assert task is not None
    on_signals(task.cancel)
    return await work


def _tell(lines: Sequence[str], wrong: Sequence[str]) -> int:
    for line in lines:
        print(sanitize(line))
    return max([0, *(complain(message, USAGE) for message in wrong)])


def complain(message: str, code: int) -> int:
    """One line on stderr; returns the exit code."""
    print(f"scrapewright: {sanitize(message)}", file=sys.stderr)
    return code
