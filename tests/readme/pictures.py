"""`make pictures`: the README's pictures, taken of the real application in a demo session on this machine.

`python -m tests.readme.pictures FOLDER --sizes 80x24,120x40 --themes all` takes the same pictures at other sizes and in
other themes, to be looked at.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path

import msgspec
from textual.pilot import Pilot

from scrapewright.loop.handle import SessionHandle
from scrapewright.options import RunOptions, check_options
from scrapewright.practice.demo import demo_query, demo_shop
from scrapewright.settings import Settings
from scrapewright.tui.app import WorkbenchApp
from scrapewright.tui.launch import session_opener
from scrapewright.tui.screens.correct import CorrectScreen
from scrapewright.tui.screens.workbench import WorkbenchScreen
from scrapewright.tui.session_spec import SessionSpec
from scrapewright.tui.themes import palettes
from scrapewright.tui.widgets.questionbar import GRACE
from scrapewright.wiring import continued_session, new_session
from tests.e2e.site import serve
from tests.pilot.test_correct import PAGE

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
PATIENCE = 60.0
CORRECTION = 26
"""Lines of each of the pictures of a correction."""
_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
_FAMILY = "ui-monospace, 'DejaVu Sans Mono', 'Cascadia Mono', Menlo, Consolas, monospace"


def self_contained(svg: str) -> str:
    """The picture without the web fonts that Rich's template names: nothing is loaded from anywhere."""
    svg = _FONTS.sub("", svg)
    svg = svg.replace("<svg ", '<svg xml:space="preserve" ', 1)
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"font-family: ?(?:Fira Code|arial)[^;]*;", f"font-family: {_FAMILY};", svg)
    found = re.findall(r"https?://[^\s\"'<)]+", svg)
    addresses = [one for one in found if "127.0.0.1" not in one and "…" not in one]  # a link in a cell is cut inside
    if set(addresses) - {"http://www.w3.org/2000/svg"}:
        raise SystemExit(f"the picture names {addresses}")
    return svg


async def until(pilot: Pilot[int], condition: Callable[[], bool], what: str) -> None:
    """Waits for it, then for what it brought to be drawn."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await pilot.pause(0.02)
    before = ""
    while (now := pilot.app.export_screenshot()) != before:
        before = now
        await pilot.pause(0.3)


async def take(folder: Path, size: tuple[int, int], theme: str, base: str, suffix: str) -> None:
    """The pictures of one session."""
    settings = msgspec.structs.replace(Settings(), theme=theme, mode="approve", programmer="rules")
    options = msgspec.structs.replace(check_options(settings, demo_query(base), {}, out=Path("out")), origin="demo")

    @asynccontextmanager
    async def open_session(spec: SessionSpec) -> AsyncIterator[SessionHandle]:
        async with new_session(options, asks=True) as handle:
            yield handle

    app = WorkbenchApp(open_session, settings, query=options.reading.text, start=True)
    async with app.run_test(size=size) as pilot:

        def screen() -> WorkbenchScreen:
            assert app.workbench is not None
            return app.workbench

        def asked(kind: str, attempt: int) -> bool:
            handle = screen().handle
            question = handle.journal.session.question if handle is not None else None
            return question is not None and (question.kind, question.attempt) == (kind, attempt)

        def over() -> bool:
            handle = screen().handle
            return handle is not None and handle.journal.session.over

        async def shoot(name: str) -> None:
            svg = self_contained(app.export_screenshot(title="scrapewright"))
            (folder / f"{name}{suffix}.svg").write_text(svg, "utf-8")

        await until(pilot, lambda: asked("run", 1), "the first program")
        await asyncio.sleep(GRACE)
        await pilot.press("a")
        await until(pilot, lambda: asked("retry", 1), "its failure")
        await shoot("failing")
        await asyncio.sleep(GRACE)
        await pilot.press("a")
        await until(pilot, lambda: asked("run", 2), "the repair")
        await shoot("approval")
        await asyncio.sleep(GRACE)
        await pilot.press("a")
        await until(pilot, over, "the end")
        await shoot("result")


async def take_correction(folder: Path, size: tuple[int, int], theme: str, suffix: str) -> None:
    """Rows with the price of a sale where the one before it was meant: as they are, what would change, corrected."""
    settings = msgspec.structs.replace(Settings(), theme=theme, programmer="rules")

    def unasked(options: RunOptions, *, asks: bool) -> AbstractAsyncContextManager[SessionHandle]:
        return new_session(options, asks=False)

    with serve({"/": PAGE}) as site:
        options = check_options(settings, f"all goods on {site.base}/: title, price (float)", {}, out=Path("sale"))
        opener = session_opener(options, unasked, continued_session)
        app = WorkbenchApp(opener, settings, query=options.reading.text, start=True)
        async with app.run_test(size=size) as pilot:

            def over(best: int) -> bool:
                handle = app.workbench.handle if app.workbench is not None else None
                end = handle.journal.session.end if handle is not None else None
                return end is not None and end.best == best

            def shoot(number: int) -> None:
                svg = self_contained(app.export_screenshot(title="scrapewright"))
                (folder / f"correction-{number}{suffix}.svg").write_text(svg, "utf-8")

            await until(pilot, lambda: over(1), "the rows")
            shoot(1)
            await pilot.press("=")
            await until(pilot, lambda: isinstance(app.screen, CorrectScreen), "the columns")
            await pilot.press("2")
            await until(pilot, lambda: "before" in app.export_screenshot(), "what would change")
            shoot(2)
            await pilot.press("enter")
            await until(pilot, lambda: over(2), "the rows as corrected")
            shoot(3)


@contextmanager
def somewhere_else() -> Iterator[None]:
    """A new folder to work in, so that the pictures show none of this machine's."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for kind in ("DATA", "CACHE", "CONFIG"):
            os.environ[f"XDG_{kind}_HOME"] = str(Path(folder) / kind.lower())
        try:
            yield
        finally:
            os.chdir(before)


def main() -> None:
    parser = argparse.ArgumentParser(description="Takes the README's pictures.")
    parser.add_argument("folder", type=Path, nargs="?", default=PICTURES)
    parser.add_argument("--sizes", default="120x40")
    parser.add_argument("--themes", default="slate")
    given = parser.parse_args()
    folder: Path = given.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    sizes = [tuple(map(int, size.split("x"))) for size in given.sizes.split(",")]
    themes = sorted(palettes()[0]) if given.themes == "all" else given.themes.split(",")
    for theme in themes:
        for width, height in sizes:
            suffix = "" if folder == PICTURES else f"-{theme}-{width}x{height}"
            with demo_shop() as base, somewhere_else():
                asyncio.run(take(folder, (width, height), theme, base, suffix))
                asyncio.run(take_correction(folder, (width, min(height, CORRECTION)), theme, suffix))


if __name__ == "__main__":
    main()
