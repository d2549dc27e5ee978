"""A question with yes and no."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from scrapewright.session.attempt import AttemptState
from scrapewright.session.sanitize import one_line
from scrapewright.tui.stale_resize import StaleResizeFilter
from scrapewright.tui.view.units import counted
from scrapewright.tui.widgets.plain import Line, Plain

QUIT = "quit"
"""The id of the question before a session at work is left."""


EDIT_LOST = "Your edit of the program has not run, and is lost."


class ConfirmScreen(StaleResizeFilter, ModalScreen[bool]):
    """Shows the lines, and below them the keys with what they come to. True: yes."""

    DEFAULT_CSS = """
    ConfirmScreen {
        align: center middle;
        #confirm { width: 70; max-width: 90%; height: auto; background: $panel; border: round $warning; padding: 1 2; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "dismiss(True)", "Yes", id="confirm-yes", priority=True),
        Binding("n,escape", "dismiss(False)", "No", id="confirm-no", priority=True),
    ]

    def __init__(
        self, lines: Iterable[Line | str], yes: str, no: str = "no", *, others: Iterable[tuple[str, str]] = (),
        id: str | None = None,  # noqa: A002
    ) -> None:  # fmt: skip
        """`others` are further keys, with what they come to."""
        super().__init__(id=id)
        self._said = list(lines)
        self._yes, self._no, self._others = yes, no, list(others)

    def compose(self) -> ComposeResult:
        with Vertical(id="confirm"):
            yield Plain(id="confirm-text")

    def on_mount(self) -> None:
        self._show()

    def _show(self) -> None:
        keys: Line = [
            (" y ", "bold reverse $warning"), (f" {self._yes}   ", ""),
            *(span for key, to in self._others for span in ((f" {key} ", "bold reverse $error"), (f" {to}   ", ""))),
            (" n ", "bold reverse $primary"), (f" {self._no}", ""),
        ]  # fmt: skip
        self.query_one(Plain).show([*self._said, "", keys])


class QuitScreen(ConfirmScreen):
    """Before a session at work is left. True: it is left as it is, or stopped where `stops` says so."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("Q", "stop_and_quit", "Stop it and quit", id="confirm-stop", priority=True)
    ]

    def __init__(self, ended: Callable[[], Awaitable[object]], *, edited: bool = False) -> None:
        """`ended` returns when the session has come to its end by itself; `edited`: an edit has not run."""
        lines: list[Line | str] = [
            [("A session is running.", "bold")], "",
            "Suspended, it stays where it is, and c on Home goes on with it. Stopped, it ends here. Either way what it "
            "has done is kept, and nothing is left running.",
        ]  # fmt: skip
        if edited:
            lines.append([(EDIT_LOST, "$warning")])
        super().__init__(lines, "suspend it and quit", "stay", others=[("Q", "stop it and quit")], id=QUIT)
        self.stops = False
        self._ended = ended

    def on_mount(self) -> None:
        """Beside what ConfirmScreen does: Textual calls the handlers of both."""
        self.run_worker(self._follow(), exit_on_error=False)

    async def _follow(self) -> None:
        await self._ended()
        self._said, self._others = [[("The session has come to its end.", "bold")], "", "All of it is kept."], []
        self._yes = "quit"
        self._show()
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return bool(self._others) if action == "stop_and_quit" else super().check_action(action, parameters)

    def action_stop_and_quit(self) -> None:
        self.stops = True
        self.dismiss(True)


def ask_to_lose_edit() -> ConfirmScreen:
    """Where nothing is at work, but an edit has not run."""
    return ConfirmScreen([[(EDIT_LOST, "bold")]], "quit without it", "stay", id=QUIT)


def ask_to_suspend() -> ConfirmScreen:
    """Before another session begins."""
    lines: list[Line | str] = [
        [("Another session is at work.", "bold")], "",
        "Suspended, it stays where it is, and c on Home goes on with it. Then this one begins.",
    ]  # fmt: skip
    return ConfirmScreen(lines, "suspend it and begin", "leave it at work")


def ask_to_replay(why: str) -> ConfirmScreen:
    """Where a session can't be gone on with, as another process has it, which `why` names."""
    lines: list[Line | str] = [
        [(f"{one_line(why, 200)}.", "bold")], "",
        "Only one process at a time can go on with a session: do it there, or leave it there (ctrl+q, suspend) and "
        "press c on Home again. A replay shows what has happened in it until now, and changes nothing.",
    ]  # fmt: skip
    return ConfirmScreen(lines, "replay it as it is now", "leave it")


def ask_to_accept(attempt: AttemptState) -> ConfirmScreen:
    """Before rows that the judge does not call right count as such."""
    findings = attempt.verdict.findings if attempt.verdict is not None else ()
    rows = attempt.verdict.rows if attempt.verdict is not None else 0
    lines: list[Line | str] = [[(f"Accept the {counted(rows, 'row')} of attempt {attempt.id}?", "bold")]]
    if not attempt.ended_well:
        lines.append([("The program did not run to its end.", "$warning")])
    lines += ["", *([(f"· {one_line(found.message, 120)}", "$warning")] for found in findings[:3])]
    lines += ["", "The session ends with them as its result. An undo takes it back."]
    return ConfirmScreen(lines, "accept them")
