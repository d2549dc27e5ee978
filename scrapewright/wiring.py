"""The composition root: the only place where parts are chosen and put together."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from scrapewright.errors import UsageError
from scrapewright.loop.ports import Job, Limits, Programmer, Ran, Reviewer, Sandbox
from scrapewright.loop.request_log import RequestLog
from scrapewright.loop.tasks import acquired_in_thread, run_to_completion
from scrapewright.options import RunOptions, Writer, model_for, restored_options
from scrapewright.programmers.choose import choose, choose_adviser, choose_reviewer
from scrapewright.session.exit_codes import ExitCode
from scrapewright.settings import CHOICES, ModelSpec, Settings

if TYPE_CHECKING:
    from scrapewright.exports.deliver import Delivery
    from scrapewright.loop.answers import Answer
    from scrapewright.loop.handle import SessionHandle
    from scrapewright.loop.ports import OfferedTables
    from scrapewright.sandboxes.choose import Chosen
    from scrapewright.sandboxes.chromium import Chromium
    from scrapewright.session.events import Noted
    from scrapewright.session.journal import Journal
    from scrapewright.session.verdict import RowsReport
    from scrapewright.store.sessions import SessionFile, SessionStore
    from scrapewright.survey.model import Survey
    from scrapewright.survey.surveyor import PageSurveyor
    from scrapewright.web.gateway import Gateway
    from scrapewright.web.page import Page

_TRACED = 1
"""The number of the only run where there is no session."""


# Sessions.


@asynccontextmanager
async def new_session(options: RunOptions, *, asks: bool) -> AsyncIterator[SessionHandle]:
    """A new session, stored from its first event. `asks`: a person is there to answer.

    Raises SandboxUnavailable, UsageError, OSError.
    """
    from scrapewright import __version__
    from scrapewright.session import events as ev
    from scrapewright.session.journal import put_text

    settings = options.settings
    await asyncio.to_thread(_load_parts)
    programmer, reviewer = choose(settings, options.reading.urls)
    own = settings.programmer in CHOICES["programmer"]
    writes = own and programmer.author == "model" and not settings.cassette
    async with (
        opened_store(settings) as store,
        _owned(store, await asyncio.to_thread(store.new_id)) as (file, journal),
        chosen_sandbox(settings) as chosen,
    ):
        handle = assemble(options, journal, file, programmer, reviewer, chosen.sandbox, asks=asks)
        await journal.append(
            ev.SessionStarted(
                session=file.name, text=options.reading.text, reading=options.as_read or options.reading,
                origin=options.origin, mode=ev.Mode(settings.mode), programmer=_name(settings, programmer),
                model=model_for(settings, "programmer").name if writes else "",
                escalate=settings.later_writers if writes else (), cassette=settings.cassette,
                sandbox=chosen.sandbox.name, tape=settings.tape, attempts=settings.attempts,
                time_limit=settings.time_limit, allow=options.allow, decisions=options.decisions,
                program=await asyncio.to_thread(put_text, file, options.program) if options.program else "",
                version=__version__,
            )
        )  # fmt: skip
        if options.as_read is not None:
            await journal.append(ev.ReadingChanged(reading=options.reading))
        for note in (*chosen.notes(), *web_notes(options)):
            await journal.append(note)
        try:
            yield handle
        finally:
            if not journal.session.over and not handle.gate.was_cut_off:  # left before the loop began
                stopped = ev.SessionFinished(phase=ev.Phase.STOPPED, outcome="stopped", exit_code=ExitCode.INTERRUPTED)
                journal.post(stopped)


@asynccontextmanager
async def continued_session(
    options: RunOptions,
    session: str,
    *,
    asks: bool,
    act: Answer | None = None,
    opens: bool = False,
    writer: Writer | None = None,
) -> AsyncIterator[SessionHandle]:
    """A session that was cut off, from its last event on; what is stored says what it was to do and with what. One that
    is over goes on with `act`, what the person does in it; with `opens` it can also be had as it is, for its loop not
    to be run, and a programmer that is not set up any more says so where it is to write. `writer` writes the programs
    from here on.

    Raises SessionBusy while another process has it, DamagedSession, NoSuchSession, UsageError where it is over and
    nothing is to be done in it, or `act` can't be, and what `new_session` raises.
    """
    from scrapewright.session import events as ev
    from scrapewright.session.state import ACTIVE

    await asyncio.to_thread(_load_parts)
    async with opened_store(options.settings) as store:
        name = await asyncio.to_thread(store.find, session)
        async with _owned(store, name) as (file, journal):
            state = journal.session
            over = state.over
            if over and act is None and not opens:
                raise UsageError(f"session {name} is over; its best program can start a new one")
            if writer is not None and (writer.programmer, writer.model) == (state.programmer, state.model):
                writer = None
            options = restored_options(options, state, writer)
            programmer, reviewer = choose(options.settings, state.reading.urls, state.spent, needed=not opens)
            async with chosen_sandbox(options.settings) as chosen:
                handle = assemble(options, journal, file, programmer, reviewer, chosen.sandbox, asks=asks)
                if over and act is None:
                    yield handle
                    return
                if over and act is not None:
                    await handle.gate.reopen(act)
                if writer is not None:
                    await journal.append(
                        ev.ProgrammerChanged(attempt=state.current, programmer=writer.programmer, model=writer.model)
                    )
                if state.step is not None and state.phase in ACTIVE:
                    await journal.append(
                        ev.StepInterrupted(attempt=state.current, step=state.step, reason="the session was cut off")
                    )
                if state.pause_asked or state.phase in {ev.Phase.PAUSED, ev.Phase.PAUSING}:
                    await journal.append(ev.Resumed(attempt=state.current))
                said = "goes on" if over else "continues where it was cut off"
                continues = ev.Noted(attempt=state.current, text=f"the session {said}")
                for note in (continues, *chosen.notes(), *web_notes(options)):
                    await journal.append(note)
                if act is not None and not over:
                    handle.gate.intervene(act)
                yield handle


@asynccontextmanager
async def _owned(store: SessionStore, name: str) -> AsyncIterator[tuple[SessionFile, Journal]]:
    """A session with its journal, for this process alone to write. It is closed at the end whatever
    else is cancelled meanwhile."""
    from scrapewright.session.journal import Journal

    async with acquired_in_thread(lambda: store.own(name), lambda file: file.release()) as file:
        journal = await Journal.open(file)
        try:
            yield file, journal
        finally:
            await run_to_completion(journal.close())


def _load_parts() -> None:
    """Loads what a session is put together from, which takes long enough to be seen where the loop would do it."""
    import scrapewright.critics.judge
    import scrapewright.exports.deliver
    import scrapewright.loop.loop
    import scrapewright.loop.static_check
    import scrapewright.programmers.rules.programmer
    import scrapewright.sandboxes.choose
    import scrapewright.survey.surveyor
    import scrapewright.web.gateway  # noqa: F401  # loaded, not used here


def assemble(
    options: RunOptions, journal: Journal, file: SessionFile, programmer: Programmer, reviewer: Reviewer | None,
    sandbox: Sandbox, *, asks: bool,
) -> SessionHandle:  # fmt: skip
    """The loop with its parts around it."""
    from scrapewright.critics.judge import RowsCritic
    from scrapewright.loop.budget import Allowance
    from scrapewright.loop.corrections import Corrections
    from scrapewright.loop.gate import Gate
    from scrapewright.loop.handle import SessionHandle
    from scrapewright.loop.loop import RepairLoop
    from scrapewright.loop.parts import Options, Parts
    from scrapewright.loop.static_check import StaticChecker
    from scrapewright.programmers.rules.corrections import RulesCorrector
    from scrapewright.programmers.rules.programmer import RulesProgrammer
    from scrapewright.web.gateway import stored_pages

    settings = options.settings
    gate = Gate(journal, file)
    requests = RequestLog(journal)
    parts = Parts(
        programmer=programmer,
        sandbox=sandbox,
        web=make_gateway(options, file.tape, file.name, requests),
        surveyor=make_surveyor(settings),
        critic=RowsCritic(),
        checker=StaticChecker(),
        blobs=file,
        deliver=delivery(options, journal, file.results) if options.delivers else None,
        reviewer=reviewer,
        stand_in=None if programmer.author == "rules" else RulesProgrammer(),
        adviser=choose_adviser(settings, programmer, options.reading.urls, journal.session.spent),
    )
    allowance = Allowance(
        attempts=settings.attempts,
        tokens=settings.tokens or None,
        money=settings.money or None,
        seconds=settings.seconds or None,
    )
    loop_options = Options(allowance=allowance, limits=limits(settings), attended=asks)
    loop = RepairLoop(journal, gate, parts, loop_options, requests)
    corrections = Corrections(journal, file, RulesCorrector(), partial(stored_pages, file.tape, file.name))
    return SessionHandle(journal, gate, loop, file, file.tape, corrections)


async def check_rows(options: RunOptions, name: str, body: bytes, narrate: Callable[[str], None]) -> RowsReport:
    """Judges the rows in a file that anything wrote, on pages fetched for it; `narrate` takes lines about that.

    Raises UsageError where the file holds no rows that can be read or the data folder can't be used.
    """
    from scrapewright.critics import rows
    from scrapewright.critics.gather import gather
    from scrapewright.critics.judge import RowsCritic
    from scrapewright.loop.failure import classify
    from scrapewright.loop.pages import not_read
    from scrapewright.loop.ports import Case
    from scrapewright.loop.reviewing import review_once
    from scrapewright.session.verdict import RowsReport

    try:
        table = await asyncio.to_thread(rows.read, name, body)
    except rows.Unreadable as error:
        raise UsageError(str(error)) from error
    # The name and format in the request are for a program to write; these rows are written already.
    reading = msgspec.structs.replace(options.reading, format=table.format, format_said=False, file=name)
    for note in web_notes(options):
        narrate(note.text)
    async with opened_web(options) as web:
        found = await gather(reading, table, make_surveyor(options.settings), web.fetch, narrate)
    failure = classify(None, found.survey, found.pages) if found.survey.verdict != "ok" else None
    if failure is not None and not found.placed:
        return RowsReport(
            False, rows=len(table.rows), columns=table.columns, reason=failure.message, advice=failure.advice,
            exit_code=failure.exit_code, judged=False,
        )  # fmt: skip
    survey = msgspec.structs.replace(found.survey, verdict="ok")  # rows were found, whatever it seemed to be
    case = Case(reading, survey, found.result, {name: body}, found.pages, author="person")
    critic = RowsCritic()
    if (reviewer := choose_reviewer(options.settings)) is not None:
        samples = await asyncio.to_thread(critic.samples, case)
        review = await review_once(reviewer, reading, samples, narrate) if samples else None
        case = msgspec.structs.replace(case, review=review)
    verdict = await asyncio.to_thread(critic.judge, case)
    outside = classify(found.result, survey, found.pages, verdict)
    if verdict.ok or outside.kind == "rows":
        reason, advice = not_read(reading, survey, verdict.rows, (r.url for r in found.result.requests)), ""
        code: int = ExitCode.OK if verdict.ok else ExitCode.UNREPAIRED
    else:
        reason, advice, code = outside.message, outside.advice, outside.exit_code
    hosts = [f"what is on pages at {host}: --allow {host} lets them be fetched" for host in found.refused]
    return RowsReport(
        verdict.ok, verdict.probability, verdict.score, verdict.findings, verdict.checked,
        (*verdict.unchecked, *found.left, *hosts), verdict.rows, verdict.columns, verdict.pages, reason, advice, code,
    )  # fmt: skip


async def trace_program(
    options: RunOptions, narrate: Callable[[str], None], *, recorder: bool = True, argv: tuple[str, ...] = ()
) -> Ran:
    """Runs the program of the options once: no loop, no verdict. `narrate` takes lines about the sandbox.

    Raises SandboxUnavailable, and UsageError where the data folder can't be used.
    """
    requests, settings = RequestLog(), options.settings
    async with chosen_sandbox(settings) as chosen, opened_web(options, requests) as web:
        for note in (*chosen.notes(), *web_notes(options)):
            narrate(note.text)
        job = Job(options.program, recorder, web.ca, argv=argv, limits=limits(settings))
        ran = await chosen.sandbox.run(job, web.connect(_TRACED), lambda tick: None)
    return Ran(msgspec.structs.replace(ran.result, requests=requests.of(_TRACED)), ran.files)


async def survey_page(options: RunOptions) -> tuple[Page | None, Survey]:
    """The first address of the request and what the survey proposes there; None where no answer came, which the
    survey's verdict tells. Raises UsageError where the data folder can't be used."""

    async with opened_web(options) as web:
        survey = await make_surveyor(options.settings).survey(options.reading, web.fetch, lambda tick: None)
        return await asyncio.to_thread(web.pages().get, survey.page.url), survey


async def offered_tables(options: RunOptions) -> OfferedTables:
    """The tables that the first address of the request offers. Raises UsageError where an address or the data folder
    can't be used."""
    from scrapewright.loop.ports import OfferedTables
    from scrapewright.programmers.rules.corrections import offered_tables as offered
    from scrapewright.survey.surveyor import PageSurveyor

    async with opened_web(options) as web:
        survey = await PageSurveyor().survey(options.reading, web.fetch, lambda tick: None)
        pages = await asyncio.to_thread(web.pages)
        tables = await asyncio.to_thread(offered, options.reading, survey, pages) if survey.verdict == "ok" else ()
    return OfferedTables(survey.page.title, tables, survey.reason if not tables else "")


# Parts.


def delivery(options: RunOptions, journal: Journal, own: Path) -> Delivery:
    """What writes the session's results, into its `own` folder where none is named: there the newest are in place of
    those before them."""
    from scrapewright.exports.deliver import Delivery
    from scrapewright.session.events import SessionFinished

    def earlier() -> list[Path]:
        ends = (event for event in journal.events if isinstance(event, SessionFinished))
        return [path for end in ends for path in map(Path, end.files) if path.is_relative_to(own)]

    return Delivery(
        options.out or own, append=options.append, key=options.key, fields=lambda: journal.session.reading.fields,
        earlier=earlier,
    )  # fmt: skip


def limits(settings: Settings) -> Limits:
    from scrapewright.web.politeness import Politeness

    return Limits(
        seconds=settings.time_limit, wall_limit=settings.time_limit + Politeness().seconds, memory=settings.memory
    )


def _name(settings: Settings, programmer: Programmer) -> str:
    """What a session calls its programmer: one of a package by the name that --programmer takes."""
    return programmer.author if settings.programmer in CHOICES["programmer"] else settings.programmer


def prompt_texts(settings: Settings) -> list[str]:
    """In words which texts of prompts are sent. Raises UsageError where a file of the user's own can't be used."""
    from scrapewright.programmers.model import texts

    return [texts.load(name, settings.prompts_dir).in_words for name in texts.NAMES]


async def find_models(settings: Settings) -> dict[str, tuple[str, ...]]:
    """The models that servers on this machine offer, by provider; none where looking for them is switched off."""
    if not settings.find_models:
        return {}

    def find() -> dict[str, tuple[str, ...]]:  # in a thread: what it needs is slow to load
        from scrapewright.programmers.model.local_servers import find_servers

        return asyncio.run(find_servers(settings.models.providers.values()))

    return await asyncio.to_thread(find)


async def try_model(spec: ModelSpec) -> str:
    """Asks a model one short question; says what came of it. Raises UsageError, ProgrammerUnavailable, BadReply."""
    from scrapewright.programmers.model.endpoint import try_once

    return await try_once(spec)


@asynccontextmanager
async def chosen_sandbox(settings: Settings) -> AsyncIterator[Chosen]:
    """The sandbox that the settings lead to, closed at the end. Raises SandboxUnavailable with what to do."""
    from scrapewright.sandboxes.choose import choose

    chosen = await choose(settings.sandbox, limits(settings))  # type: ignore[arg-type]  # checked with the settings
    try:
        yield chosen
    finally:
        await run_to_completion(chosen.sandbox.close())


class DockerImages:
    """The image for containers, as the screen has it made. An engine is looked for each time: it may have come up."""

    async def there(self) -> bool:
        """Raises SandboxUnavailable where no engine can be had."""
        from scrapewright.sandboxes.docker import image
        from scrapewright.sandboxes.docker.engine import connect

        with closing(await connect()) as engine:
            return await image.is_there(engine)

    async def build(self, progress: Callable[[str, float, float], None]) -> None:
        """As `image build`. Raises SandboxUnavailable."""
        from scrapewright.sandboxes.docker import image
        from scrapewright.sandboxes.docker.engine import connect

        with closing(await connect()) as engine:
            await image.build(engine, progress)


def make_gateway(options: RunOptions, tape: Path, session: str, requests: RequestLog) -> Gateway:
    """The gateway of one session. Raises UsageError for an invalid address."""
    from scrapewright.web.gateway import Gateway
    from scrapewright.web.politeness import Politeness
    from scrapewright.web.urls import BadURL

    settings = options.settings
    politeness = Politeness(
        robots=settings.robots, delay=settings.delay, requests=settings.max_requests, bytes=settings.max_bytes
    )
    if settings.user_agent:
        politeness = msgspec.structs.replace(politeness, user_agent=settings.user_agent)
    try:
        return Gateway(
            options.reading.urls,
            tape=tape,
            session=session,
            mode=settings.tape,  # type: ignore[arg-type]  # checked when the settings were read
            allow=options.allow,
            credentials=options.credentials,
            proxies=options.proxies,
            politeness=politeness,
            browser=make_browser(settings),
            no_browser="pages are not drawn here: --render never says so",
            on_request=requests.request,
            on_refused=requests.refused,
        )
    except BadURL as error:
        raise UsageError(str(error)) from error


def make_surveyor(settings: Settings) -> PageSurveyor:
    from scrapewright.survey.surveyor import PageSurveyor

    return PageSurveyor(settings.render)  # type: ignore[arg-type]  # checked when the settings were read


def make_browser(settings: Settings) -> Chromium | None:
    """What draws pages, in the local sandbox that is asked for by name, or the first that works."""
    from scrapewright.sandboxes.chromium import Chromium
    from scrapewright.sandboxes.spawn import KINDS

    if settings.render == "never":
        return None
    return Chromium(tuple(kind for kind in KINDS if settings.sandbox in (kind, "auto", "local")) or KINDS)


def web_notes(options: RunOptions) -> list[Noted]:
    """What is sent to which sites, and through which proxy."""
    from scrapewright.session.events import Noted
    from scrapewright.web.credentials import Credentials
    from scrapewright.web.summary import notes
    from scrapewright.web.upstream_proxy import Proxies

    found = notes(
        options.credentials or Credentials(),
        options.proxies or Proxies(),
        options.reading.urls,
        options.allow,
        os.environ,
    )
    return [Noted(text=text, level=level) for level, text in found]


@asynccontextmanager
async def opened_web(options: RunOptions, requests: RequestLog | None = None) -> AsyncIterator[Gateway]:
    """A gateway of no session, closed at the end. Raises UsageError where the data folder can't be used."""
    async with opened_store(options.settings) as store:
        web = make_gateway(options, store.tape, store.new_id(), requests or RequestLog())
        try:
            await web.open()
            yield web
        finally:
            await run_to_completion(web.close())


@asynccontextmanager
async def opened_store(settings: Settings) -> AsyncIterator[SessionStore]:
    """The store, closed at the end. Raises UsageError where the data folder can't be used."""
    async with acquired_in_thread(lambda: open_store(settings), lambda store: store.close()) as store:
        yield store


def open_store(settings: Settings) -> SessionStore:
    """Raises UsageError where the data folder can't be used."""
    from scrapewright.store.sessions import SessionStore

    try:
        return SessionStore(settings.data_dir)
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(
            f"the data folder {settings.data_dir} can't be used: {reason}; XDG_DATA_HOME names another"
        ) from error
