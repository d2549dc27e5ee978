"""The line about the image for containers: whether there is one, and the progress of its build."""

from __future__ import annotations

import asyncio
import time
from typing import Literal

from textual import work

from scrapewright.session.sanitize import one_line
from scrapewright.tui.image_builder import ImageBuilder
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.view.units import clock
from scrapewright.tui.widgets.plain import Plain

PERIOD = 0.1
"""Seconds between two looks at how far the build is: pip and the engine tell more than can be read."""
BAR = 12
LINES = 8
"""Lines at most of what went wrong: the last ones, where the advice is."""

State = Literal["hidden", "lacking", "building", "there", "failed"]


class ImageLine(Plain):
    """Hidden unless Docker is the sandbox that is chosen. `build` and `stop` are the ids of the bindings that build the
    image and stop that."""

    DEFAULT_CSS = """
    ImageLine { height: auto; padding: 0 2; display: none; &.shown { display: block; } }
    """

    def __init__(self, images: ImageBuilder | None, *, build: str, stop: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._images = images
        self._build_id, self._stop_id = build, stop
        self._wanted = False
        self._wrong = ""
        self._at: tuple[str, float, float] = ("", 0.0, 0.0)
        self._began = 0.0
        self._idle = asyncio.Event()
        self._idle.set()
        self.state: State = "hidden"

    def on_mount(self) -> None:
        self.set_interval(PERIOD, self._tick)

    async def on_unmount(self) -> None:
        """Whoever leaves waits until nothing is left of a build."""
        self.cancel()
        await self._idle.wait()

    # What is known of it.

    def want(self, sandbox: str) -> None:
        """The sandbox that is chosen: only Docker needs the image."""
        wanted = sandbox == "docker" and self._images is not None
        if wanted == self._wanted:
            return
        self._wanted = wanted
        if self.state != "building":
            self._become("hidden")
            if wanted:
                self._look()

    @property
    def hindrance(self) -> str:
        """Why no session can start in a container now; empty where one can, as far as is known."""
        if not self._wanted or self.state not in {"lacking", "building", "failed"}:
            return ""
        if self.state == "building":
            return f"the image is being built; {self._key(self._stop_id)} stops that"
        return f"there is no image to run programs in yet; {self._key(self._build_id)} builds it"

    @property
    def buildable(self) -> bool:
        return self._wanted and self.state in {"lacking", "failed"}

    @work(group="image", exclusive=True, exit_on_error=False)
    async def _look(self) -> None:
        assert self._images is not None
        try:
            there = await self._images.there()
        except Exception as error:  # whatever the engine's client raises: the person sees it, and can try again
            self._fail(error)
            return
        if self._wanted:
            self._become("there" if there else "lacking")

    # Building it.

    def start(self) -> None:
        if self.buildable:
            self._at, self._began = ("asking the engine", 0.0, 0.0), time.monotonic()
            self._become("building")
            self._build()

    def cancel(self) -> None:
        if self.state == "building":
            self.workers.cancel_node(self)

    @work(group="image", exclusive=True, exit_on_error=False)
    async def _build(self) -> None:
        assert self._images is not None
        self._idle.clear()  # here, and not where it is begun: what is cancelled before it runs would never be idle
        try:
            await self._images.build(self._progress)
            self._become("there")
        except Exception as error:
            self._fail(error)
        except asyncio.CancelledError:
            self._become("lacking" if self._wanted else "hidden")
            raise
        finally:
            self._idle.set()

    def _progress(self, text: str, done: float, total: float) -> None:
        """Called in the thread that builds."""
        self._at = (text, done, total)

    def _fail(self, error: Exception) -> None:
        self._wrong = str(error).strip() or type(error).__name__
        self._become("failed" if self._wanted else "hidden")

    # Drawing.

    def _become(self, state: State) -> None:
        self.state = state
        self._draw()
        if self.is_attached:
            self.refresh_bindings()

    def _tick(self) -> None:
        if self.state == "building":
            self._draw()

    def _draw(self) -> None:
        self.set_class(self.state != "hidden", "shown")
        match self.state:
            case "lacking":
                said = "Docker has no image of this version to run programs in"
                self.show([[(f"{said}   ", "$warning"), *self._key_hint(self._build_id, "builds it")]])
            case "there":
                self.show([[("the image for containers is there", "$success")]])
            case "failed":
                lines = [line for line in self._wrong.splitlines() if line.strip()][-LINES:]
                said_lines: list[Spans] = [[(one_line(line, 500), "$error")] for line in lines]
                self.show([*said_lines, self._key_hint(self._build_id, "tries again")])
            case "building":
                self.show([self._building()])
            case _:
                self.show([])

    def _building(self) -> Spans:
        text, done, total = self._at
        full = round(BAR * min(1.0, done / total)) if total else 0
        step = f" step {done + 1:.0f} of {total:.0f} · " if total else " "
        elapsed = f"  {clock(time.monotonic() - self._began)}  "
        stop = self._key_hint(self._stop_id, "stops it")
        rest = len(step) + len(elapsed) + sum(len(part) for part, _ in stop)
        return [
            ("━" * full, "$primary"), ("━" * (BAR - full), "$line-running"), (step, ""),
            (one_line(text, max(10, self.content_size.width - BAR - rest)), QUIET), (elapsed, QUIET), *stop,
        ]  # fmt: skip

    def _key_hint(self, binding: str, does: str) -> Spans:
        return [(f" {self._key(binding)} ", "bold reverse $warning"), (f" {does}", "")]

    def _key(self, binding: str) -> str:
        """The key as it is bound now."""
        found = (a.binding for a in self.screen.active_bindings.values() if a.binding.id == binding)
        return next((self.app.get_key_display(bound) for bound in found), "")
