"""A session that was cut off opens again and goes on from its last event; one that can't says why."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scrapewright.errors import UsageError
from scrapewright.options import RunOptions
from scrapewright.query.reading import Reading
from scrapewright.session.state import replay
from scrapewright.settings import load
from scrapewright.store.sessions import SessionBusy, SessionStore
from scrapewright.wiring import continued_session
from tests.e2e.site import MUGS, serve


def cut_off(base: str, folder: Path, after: str) -> str:
    """The id of a session whose process was killed as soon as it reported an event of that type."""
    child = subprocess.Popen(
        [sys.executable, "-m", "scrapewright", "run", f"all mugs on {base}/: name, price (float)", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder,
    )  # fmt: skip
    assert child.stdout is not None
    for line in child.stdout:
        if f'"type":"{after}"'.encode() in line:
            break
    child.kill()
    child.stdout.close()
    child.wait()
    with SessionStore(data()) as store:
        return store.list()[0].id


def data() -> Path:
    return Path(os.environ["XDG_DATA_HOME"]) / "scrapewright"


def given(folder: Path) -> RunOptions:
    return RunOptions(load(), Reading(text=""), out=folder / "out")


@pytest.mark.parametrize(
    "after",
    [
        "RunFinished",
        *(
            pytest.param(after, marks=pytest.mark.full)
            for after in ("SessionStarted", "Surveyed", "AttemptStarted", "RunStarted")
        ),
    ],
)  # fmt: skip
async def test_it_goes_on_to_the_end_from_wherever_it_was_cut_off(after: str, tmp_path: Path) -> None:
    with serve({"/": MUGS}) as site:
        name = cut_off(site.base, tmp_path, after)
        with SessionStore(data()) as store:
            before = store.read(name).events()
        async with continued_session(given(tmp_path), name, asks=False) as handle:
            end = await handle.loop.run()
    assert end is not None
    assert end.outcome == "success"
    with SessionStore(data()) as store:
        events = store.read(name).events()
        assert store.list()[0].outcome == "success"
    assert events[: len(before)] == before
    assert replay(events).seq == len(events)
    assert (tmp_path / "out" / "rows.csv").is_file()


@pytest.mark.full
async def test_a_session_of_a_living_process_is_busy(tmp_path: Path) -> None:
    with serve({"/": MUGS}) as site:
        name = cut_off(site.base, tmp_path, "Surveyed")
        with SessionStore(data()) as store:
            file = store.own(name)
            with pytest.raises(SessionBusy, match=f"session {name} is open in another process"):
                async with continued_session(given(tmp_path), name, asks=False):
                    pass
            file.release()


async def test_a_session_that_is_over_does_not_go_on(tmp_path: Path) -> None:
    with serve({"/": MUGS}) as site:
        name = cut_off(site.base, tmp_path, "Surveyed")
        async with continued_session(given(tmp_path), name, asks=False) as handle:
            await handle.loop.run()
        with pytest.raises(UsageError, match="is over"):
            async with continued_session(given(tmp_path), name, asks=False):
                pass
