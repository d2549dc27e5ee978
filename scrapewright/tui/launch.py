"""Starts the application: the workbench with a query, or the replay of a session."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from io import TextIOWrapper
from typing import TYPE_CHECKING

from scrapewright.loop.tasks import exit_despite_threads
from scrapewright.options import RunOptions
from scrapewright.session.sanitize import one_line
from scrapewright.settings import Settings
from scrapewright.tui.image_builder import ImageBuilder
from scrapewright.tui.session_spec import FindModels, OpenSession, SessionSpec, run_options

if TYPE_CHECKING:
    from scrapewright.loop.handle import SessionHandle
    from scrapewright.loop.ports import OfferedTables
    from scrapewright.tui.app import WorkbenchApp

Sessions = Callable[..., AbstractAsyncContextManager["SessionHandle"]]
"""Opens a new session, or continues an old one; see `wiring`."""


def run_workbench(
    options: RunOptions, new_session: Sessions, continued_session: Sessions, images: ImageBuilder,
    find_models: FindModels, offered_tables: Callable[[RunOptions], Awaitable[OfferedTables]],
) -> int:  # fmt: skip
    """Opens the screen and returns the exit code when it is left. Only the demo starts by itself."""

    async def offer_tables(spec: SessionSpec) -> OfferedTables:
        return await offered_tables(await asyncio.to_thread(run_options, spec, options))

    app = _load_application()(
        session_opener(options, new_session, continued_session), options.settings, query=options.reading.text,
        start=options.origin == "demo", images=images, find_models=find_models,
        offer_tables=offer_tables,
    )  # fmt: skip
    return _run(app)


def session_opener(options: RunOptions, new_session: Sessions, continued_session: Sessions) -> OpenSession:
    """Starts the sessions that the screen asks for, with the command's options."""

    @asynccontextmanager
    async def open_session(spec: SessionSpec) -> AsyncIterator[SessionHandle]:
        if spec.resume:
            session = continued_session(options, spec.resume, asks=True, act=spec.act, opens=True, writer=spec.writer)
        else:
            session = new_session(await asyncio.to_thread(run_options, spec, options), asks=True)
        async with session as handle:
            yield handle

    return open_session


def run_replay(
    settings: Settings, session: str, options: Callable[[], RunOptions], new_session: Sessions,
    continued_session: Sessions,
) -> int:  # fmt: skip
    """Opens a past session. `options` are those of the session that one goes on with from there."""

    def open_session(spec: SessionSpec) -> AbstractAsyncContextManager[SessionHandle]:
        return session_opener(options(), new_session, continued_session)(spec)

    return _run(_load_application()(open_session, settings, replay=session))


def _run(app: WorkbenchApp) -> int:
    """What it was left with; an application that broke down has left nothing, and says so by its return code."""
    with _replace_unencodable():
        return asyncio.run(_run_and_get_code(app))


async def _run_and_get_code(app: WorkbenchApp) -> int:
    left = await app.run_async()
    for line in app.left_behind:
        print(one_line(line, 400), file=sys.stderr)
    code = left if left is not None else app.return_code or 0
    await exit_despite_threads(code)
    return code


@contextmanager
def _replace_unencodable() -> Iterator[None]:
    """What the terminal's encoding lacks takes a cell, as it was measured; an escape would take six and push the rest
    of its line aside. Textual draws on stderr."""
    stream = sys.__stderr__
    if not isinstance(stream, TextIOWrapper):  # a test's, or none
        yield
        return
    before = stream.errors
    stream.reconfigure(errors="replace")
    try:
        yield
    finally:
        stream.reconfigure(errors=before)


def _load_application() -> type[WorkbenchApp]:
    """Loaded with the collector off: what is made until the first paint stays, and looking through it again and again
    takes as long as the paint itself. The application sets it going."""
    gc.disable()
    from scrapewright.tui.app import WorkbenchApp

    return WorkbenchApp
