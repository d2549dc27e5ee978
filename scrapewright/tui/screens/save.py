"""Saving the rows or the program of the attempt looked at: one line that asks where."""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from scrapewright.errors import UnfitRows, UsageError
from scrapewright.exports.deliver import safe_name, write_new
from scrapewright.exports.formats import Kind, endings, kind_of
from scrapewright.exports.script import script
from scrapewright.exports.table import is_table
from scrapewright.session.result import PROGRAM_NAME, Artifact
from scrapewright.session.sanitize import one_line
from scrapewright.tui.stale_resize import StaleResizeFilter
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.view.units import human_bytes
from scrapewright.tui.view_state import ViewState
from scrapewright.tui.widgets.inputs import SafeInput
from scrapewright.tui.widgets.plain import Plain

THERE = "that file is there: enter saves beside it with a number, ^o overwrites it"


@dataclass(frozen=True)
class Savable:
    """What can be saved: `name` is the file name to propose, `read` gives the content (LookupError if it is gone), and
    `read_as` the same as a file of another kind (UnfitRows where it can't be that)."""

    what: str
    name: str
    read: Callable[[], bytes]
    warning: str = ""
    read_as: Callable[[Kind], bytes] | None = None


def savable_rows(view_state: ViewState, file: Artifact) -> Savable:
    """A file that the program left. Unverified rows are proposed as NAME.unverified.EXT."""
    attempt = view_state.attempt
    path = Path(safe_name(file.name))
    warning = ""
    if is_table(path.name) and (attempt is None or not attempt.good):
        path = path.with_name(f"{path.stem}.unverified{path.suffix}")
        warning = "these rows were not judged right"

    def read() -> bytes:
        data = view_state.file(file.sha256)
        if len(data) != file.bytes:
            raise LookupError(f"{file.name} is no longer there")
        return data

    def read_as(kind: Kind) -> bytes:
        try:
            rows = kind.rows(file.name, read(), view_state.session.reading.fields)
        except (ValueError, csv.Error, RecursionError) as error:
            raise LookupError(f"{file.name} can't be read as rows: {error}") from error
        return kind.content(rows)

    converts = read_as if is_table(path.name) else None
    return Savable(f"{file.name}, {human_bytes(file.bytes)}", path.name, read, warning, converts)


def savable_program(view_state: ViewState) -> Savable:
    """The program of the attempt looked at, with a comment that says where it comes from."""
    attempt = view_state.attempt
    good = attempt is not None and attempt.good
    read = partial(_program, view_state, attempt.id if attempt is not None else 0)
    warning = "" if good else "its rows were not judged right"
    return Savable(f"the program of attempt {attempt.id if attempt is not None else 0}", PROGRAM_NAME, read, warning)


def _program(view_state: ViewState, attempt: int) -> bytes:
    return script(view_state.session, view_state.blobs, attempt).encode("utf-8", "replace")


def target_of(savable: Savable, where: str) -> Path:
    """The file that is meant; a folder takes the proposed name. Raises ValueError, RuntimeError (a ~ of nobody)."""
    text = where.strip()
    if not text:
        raise ValueError("no path is given")
    path = Path(text).expanduser()
    if text.endswith("/") or path.is_dir():
        path /= savable.name
    return path.absolute()


def save(savable: Savable, path: Path, *, replace: bool = False) -> Path:
    """Writes it, as what the name's ending says; a name that is taken gets a number, unless what is there is to be
    replaced. Raises OSError, LookupError, ValueError (UnfitRows)."""
    if savable.read_as is None or path.suffix.lower() in {"", Path(savable.name).suffix.lower()}:
        data = savable.read()
    elif (kind := kind_of(path)) is not None:
        data = savable.read_as(kind)
    else:
        raise UsageError(f"{path.name} has no ending that rows are written with; there are {', '.join(endings())}")
    written = write_new(path, data)
    if replace and written != path:
        written.replace(path)
        return path
    return written


class SaveScreen(StaleResizeFilter, ModalScreen[Path | None]):
    """Returns where it was written, None where it was not. What goes wrong is shown here, and the path stays."""

    DEFAULT_CSS = """
    SaveScreen {
        align: center middle;
        #save-box { width: 90%; max-width: 110; height: auto; background: $panel; border: round $primary; padding: 1; }
        #save-path { border: none; height: 1; padding: 0; background: $surface; margin: 1 0; }
        #save-title, #save-said { height: auto; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Leave", id="save-leave", priority=True),
        Binding("ctrl+o", "replace", "Overwrite", id="save-replace", priority=True),
    ]

    def __init__(self, savable: Savable) -> None:
        super().__init__()
        self._savable = savable
        self._saving = False
        self._asked: tuple[Path, str] | None = None
        """The path that has been asked about, and what: it is there already, or its folder isn't there yet."""

    def compose(self) -> ComposeResult:
        with Vertical(id="save-box"):
            yield Plain(id="save-title")
            yield SafeInput(str(_short(Path.cwd() / self._savable.name)), id="save-path")
            yield Plain(id="save-said")

    def on_mount(self) -> None:
        lines: list[Spans] = [[("Save ", "bold"), (self._savable.what, "bold")]]
        if self._savable.warning:
            lines.append([(self._savable.warning, "$warning")])
        self.query_one("#save-title", Plain).show(lines)
        kinds = f"{', '.join(endings())} by the name's ending; " if self._savable.read_as else ""
        self._tell(f"enter saves, esc leaves; {kinds}what is there is asked about", QUIET)
        field = self.query_one(Input)
        field.focus()
        field.cursor_position = len(field.value)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """It is not left while the file is written: nothing would say where to."""
        if action == "replace":
            return self._asked is not None and self._asked[1] == THERE and not self._saving
        return not self._saving if action == "dismiss" else super().check_action(action, parameters)

    def _tell(self, text: str, style: str) -> None:
        self.query_one("#save-said", Plain).show([[(one_line(text, 300), style)]])

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if not self._saving:
            self._saving = True
            self._write(event.value)

    def action_replace(self) -> None:
        self._saving = True
        self._write(self.query_one(Input).value, replace=True)

    @work(group="save", exit_on_error=False)
    async def _write(self, where: str, *, replace: bool = False) -> None:
        try:
            path = target_of(self._savable, where)
            before, question = self._asked, await asyncio.to_thread(_question, path)
            self._asked = (path, question)
            if question and before != self._asked:
                self._tell(question, "$warning")
                return
            self._tell("saving …", "$warning")
            written = await asyncio.to_thread(save, self._savable, path, replace=replace)
        except (OSError, LookupError, ValueError, RuntimeError, UsageError) as error:  # RuntimeError: a ~ of nobody
            text = (error.strerror if isinstance(error, OSError) else None) or str(error)
            text += f"; {error.advice}" if isinstance(error, UnfitRows) else ""
            self._tell(f"not saved: {text}", "$error")
            return
        finally:
            self._saving = False
        self.dismiss(written)


def _question(path: Path) -> str:
    """What is asked before it is written; "" where nothing is."""
    if path.exists():
        return THERE
    return "" if path.parent.exists() else f"its folder is not there: enter makes {_short(path.parent)}"


def _short(path: Path) -> Path:
    """With ~ for the home folder."""
    try:
        return Path("~") / path.relative_to(Path.home())
    except (ValueError, RuntimeError):
        return path
