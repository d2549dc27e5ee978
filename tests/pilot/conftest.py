"""What all pilots share: the screen is drawn where a test looks at it, styles are parsed once, and keys are waited for
as long as something comes of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import Any

import pytest
import textual.app
import textual.pilot
from textual._compositor import Compositor
from textual._context import active_app
from textual.app import ScreenStackError
from textual.css.stylesheet import Stylesheet

from tests.suite import FULL

_DRAW = Compositor.render_update


def _draw_later(compositor: Compositor, full: bool = False, **how: Any) -> Any:
    """An update for a terminal is not made where there is none; a screen that is asked for is."""
    if full or not (compositor.root is not None and compositor.root.app.is_headless):
        return _DRAW(compositor, full, **how)
    compositor._dirty_regions.clear()
    return None


@pytest.fixture(autouse=True)
def _drawn_where_it_is_looked_at(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Updates for a terminal that is not there were two fifths of a pilot's time. `frame` and what exports a picture
    draw the whole screen as it is then. Tests that are about drawing are marked `drawn`; the whole suite draws all.
    """
    if not FULL and request.node.get_closest_marker("drawn") is None:
        monkeypatch.setattr(Compositor, "render_update", _draw_later)


_PARSE = Stylesheet._parse_rules
_PARSED: dict[tuple[object, ...], Any] = {}


def _parse_once(sheet: Stylesheet, css: str, *where: Any, **how: Any) -> Any:
    key = (css, where, tuple(sorted(how.items())), tuple(sorted(sheet._variables.items())))
    if key not in _PARSED:
        _PARSED[key] = _PARSE(sheet, css, *where, **how)
    return _PARSED[key]


@pytest.fixture(autouse=True, scope="session")
def _styles_are_parsed_once() -> Iterator[None]:
    """The rules of a style sheet are the same for each application that a test mounts, and nothing changes them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", _parse_once)
        yield


_RUN_IN_EXECUTOR = asyncio.BaseEventLoop.run_in_executor
_IN_THREADS: set[asyncio.Future[Any]] = set()
"""What a loop has given to threads and not got back."""
_HELD = 0.04
"""Seconds after which a thread is taken for one that the test itself holds."""


def _run_in_executor(loop: asyncio.BaseEventLoop, executor: Executor | None, work: Any, *args: Any) -> Any:
    future = _RUN_IN_EXECUTOR(loop, executor, work, *args)
    _IN_THREADS.add(future)
    future.add_done_callback(_IN_THREADS.discard)
    return future


def _update_now() -> bool:
    """Makes the update of the screen that is due at the next sixtieth of a second, as `pilot.pause` does at its end."""
    try:
        screen = active_app.get().screen
    except (LookupError, ScreenStackError):
        return False
    due = screen._update_timer._active.is_set()
    if due:
        screen._on_timer_update()
    return due


async def _wait_for_idle(min_sleep: float = 0, max_sleep: float = 1) -> None:
    loop: Any = asyncio.get_running_loop()
    began = loop.time()
    while (waited := loop.time() - began) < max_sleep:
        await asyncio.sleep(0)
        if loop._ready or _update_now():
            continue
        if not _IN_THREADS or waited > _HELD:
            return
        await asyncio.sleep(0.002)


@pytest.fixture(autouse=True)
def _idle_means_that_nothing_is_left_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Textual's pilot takes the process for idle that has used no processor for 20 ms, twice for each key: half of a
    pilot's time. Here it is where the loop has no callback left to call, no work in threads and no screen to draw.
    """
    _IN_THREADS.clear()
    monkeypatch.setattr(asyncio.BaseEventLoop, "run_in_executor", _run_in_executor)
    for module in (textual.app, textual.pilot):
        monkeypatch.setattr(module, "wait_for_idle", _wait_for_idle)
