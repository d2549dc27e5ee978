"""The settings of the session to come, in one line: left and right choose one, up, down and typing change it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import msgspec
from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from scrapewright import plugins
from scrapewright.errors import UsageError
from scrapewright.options import agent_command, model_for
from scrapewright.session.sanitize import one_line
from scrapewright.settings import CHOICES, Settings
from scrapewright.tui.view.spans import QUIET
from scrapewright.tui.widgets.plain import Plain, Span

DIGITS = "0123456789."
PASTED_AT_MOST = 200

_KINDS: dict[str, Callable[[str], Any]] = {"attempts": int, "time_limit": float}


@dataclass
class Cell:
    """One setting. `choices` empty: it is typed; `number` is the least that a number may be, None for words; `offers`
    are words to go through, beside which others may be typed."""

    name: str
    label: str
    value: str
    choices: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    number: float | None = None
    first: str = ""


def cells_of(settings: Settings) -> list[Cell]:
    """What is set now."""
    cells = [
        _chosen("programmer", settings.programmer),
        Cell("model", "model", _model(settings), offers=tuple(spec.name for spec in settings.models.set_up())),
        _chosen("sandbox", settings.sandbox),
        Cell("mode", "mode", settings.mode, CHOICES["mode"]),
        Cell("attempts", "attempts", str(settings.attempts), number=1),
        Cell("time_limit", "seconds a run", f"{settings.time_limit:g}", number=0.1),
        Cell("pages", "pages", "", number=1),
    ]
    for cell in cells:
        cell.first = cell.value
    return cells


def _chosen(name: str, value: str) -> Cell:
    return Cell(name, name, value, plugins.choices(name, value, CHOICES[name]))


def _model(settings: Settings) -> str:
    """The model that would write the programs; empty where there is none."""
    spec = settings.model_for("programmer")
    return spec.name if spec is not None else ""


def wrong(cells: Iterable[Cell], settings: Settings) -> str:
    """What can't be so, and what to do about it; empty where all is well."""
    given = {cell.name: cell.value for cell in cells}
    if given["programmer"] in {"rules", "command"} and given["model"] != _model(settings):
        return f"the programmer {given['programmer']} asks no model; choose model, or leave the model as it is"
    if given["programmer"] == "command":
        try:
            agent_command(settings)
        except UsageError as error:
            return str(error)
    if given["programmer"] == "model" or (given["programmer"] == "auto" and given["model"]):
        try:
            model_for(msgspec.structs.replace(settings, model=given["model"]), "programmer")
        except UsageError as error:
            return str(error)
    for cell in cells:
        if cell.number is None or (not cell.value and cell.name == "pages"):
            continue
        try:
            good = cell.number <= float(cell.value) < 1e15
        except ValueError:
            good = False
        if not good or (cell.name != "time_limit" and not cell.value.isdigit()):
            return f"{cell.label}: {cell.value or 'nothing'!r} will not do; the least is {cell.number:g}"
    return ""


class Form(Plain, can_focus=True):
    """Below it, what is wrong with it."""

    DEFAULT_CSS = """
    Form { height: auto; max-height: 3; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1)", "Setting", show=False, id="form-left"),
        Binding("right", "go(1)", "Setting", show=False, id="form-right"),
        Binding("up", "change(-1)", "Change", show=False, id="form-up"),
        Binding("down,space", "change(1)", "Change", show=False, id="form-down"),
    ]

    class Changed(Message):
        """A setting has another value."""

    def __init__(
        self, settings: Settings, changes: Mapping[str, Any] | None = None, pages: int | None = None, *,
        id: str | None = None,  # noqa: A002
    ) -> None:  # fmt: skip
        """`changes` and `pages`: what was changed before."""
        super().__init__(id=id)
        self._settings = settings
        self._cells = cells_of(settings)
        for name, value in {**(changes or {}), "pages": pages or ""}.items():
            self.cell(name).value = f"{value:g}" if isinstance(value, float) else str(value)
        self._at = 0
        self._fresh = True

    def on_mount(self) -> None:
        self.draw()

    @property
    def wrong(self) -> str:
        """What can't be so, and what to do about it; empty where all is well."""
        return wrong(self._cells, self._settings)

    @property
    def changes(self) -> dict[str, Any]:
        """Settings that are not as they were, by name; pages are not among them."""
        changed = {c.name: c.value for c in self._cells if c.value != c.first and c.name != "pages"}
        return {name: _KINDS.get(name, str)(value) for name, value in changed.items()}

    @property
    def pages(self) -> int | None:
        """How many pages at most; None: as the request says."""
        value = self.cell("pages").value
        return int(value) if value else None

    def cell(self, name: str) -> Cell:
        return next(cell for cell in self._cells if cell.name == name)

    def offer(self, name: str, values: Iterable[str]) -> None:
        """More values to go through."""
        cell = self.cell(name)
        cell.offers = tuple(dict.fromkeys([*cell.offers, *values]))

    def turn(self, name: str, step: int = 1) -> None:
        """To the next choice, or one up or down in a number."""
        cell = self.cell(name)
        if cell.choices:
            cell.value = cell.choices[(cell.choices.index(cell.value) + step) % len(cell.choices)]
        elif cell.offers:
            at = cell.offers.index(cell.value) + step if cell.value in cell.offers else min(step, 0)
            cell.value = cell.offers[at % len(cell.offers)]
        elif cell.number is not None:
            size = 10 if name == "time_limit" else 1
            try:
                number = float(cell.value or 0) - step * size
            except ValueError:
                number = cell.number
            cell.value = f"{number:g}" if number >= cell.number else "" if name == "pages" else f"{cell.number:g}"
        self.post_message(self.Changed())
        self.draw()

    def action_go(self, step: int) -> None:
        self._at = (self._at + step) % len(self._cells)
        self._fresh = True
        self.draw()

    def action_change(self, step: int) -> None:
        self.turn(self._cells[self._at].name, step)

    def on_key(self, event: events.Key) -> None:
        """Typing replaces what was there, and goes on."""
        cell = self._cells[self._at]
        if cell.choices or not (event.key == "backspace" or (event.character and event.character.isprintable())):
            return
        if event.key == "backspace":
            cell.value = cell.value[:-1]
        elif event.character is not None and event.key != "space":
            if cell.number is not None and event.character not in DIGITS:
                return
            cell.value = ("" if self._fresh else cell.value) + event.character
        self._fresh = False
        event.stop()
        event.prevent_default()
        self.post_message(self.Changed())
        self.draw()

    def on_paste(self, event: events.Paste) -> None:
        """The name of a model is long, and rarely typed."""
        cell, text = self._cells[self._at], one_line(event.text, PASTED_AT_MOST)
        event.stop()
        if text and not cell.choices and (cell.number is None or not set(text) - set(DIGITS)):
            cell.value = text if self._fresh else cell.value + text
            self._fresh = False
            self.post_message(self.Changed())
            self.draw()

    def on_focus(self) -> None:
        self.call_after_refresh(self.draw)

    def on_blur(self) -> None:
        self.call_after_refresh(self.draw)

    def on_resize(self) -> None:
        self.draw()

    def draw(self) -> None:
        lines: list[list[Span]] = [[]]
        room = self.size.width or 10_000
        for number, cell in enumerate(self._cells):
            said = cell.value or ("as asked" if cell.name == "pages" else "none")
            chosen = number == self._at and self.has_focus
            style = "bold reverse $primary" if chosen else "bold $accent" if cell.value != cell.first else ""
            spans: list[Span] = [(f"{cell.label} ", QUIET), (f" {said} " if chosen else said, style), ("  ", "")]
            wide = sum(cell_len(text) for text, _ in spans)
            if wide > room and lines[-1]:
                lines.append([])
                room = self.size.width or 10_000
            lines[-1] += spans
            room -= wide
        if self.wrong:
            lines = [*lines[:2], [(f"! {self.wrong}", "$warning")]]
        self.show(lines)
