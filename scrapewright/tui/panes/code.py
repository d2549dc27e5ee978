"""The program: as it is written, as it runs, where it crashed, what changed, and edited in place."""

from __future__ import annotations

import difflib

from textual.app import ComposeResult
from textual.binding import Binding
from textual.message import Message

from scrapewright.session.events import Phase
from scrapewright.session.sanitize import sanitize
from scrapewright.tui.panes.base import Pane
from scrapewright.tui.subject import Subject
from scrapewright.tui.widgets.codeview import CodeView


class CodePane(Pane):
    """`editing` while the person edits: nothing that happens then touches the text."""

    TITLE = "Code"
    DEFAULT_CSS = """
    CodePane {
        padding: 0;
        CodeView, CodeView:focus { border: none; padding: 0; background: $surface; height: 1fr; }
        &.editing { border: round $accent; border-title-color: $accent; }
    }
    """
    BINDINGS = [
        Binding("f2,ctrl+s", "submit", "Run mine", id="edit-submit"),
        Binding("escape", "abandon", "Leave the edit", id="edit-abandon"),
    ]

    class Edited(Message):
        """The person's program, to be run next."""

        def __init__(self, code: str) -> None:
            super().__init__()
            self.code = code

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.editing = False
        self._revealed: tuple[int, int] = (0, 0)

    def compose(self) -> ComposeResult:
        yield CodeView(id="code-view")

    @property
    def view(self) -> CodeView:
        return self.query_one(CodeView)

    def show(self, subject: Subject | None) -> None:
        if subject is None or self.editing:
            return
        session, attempt = subject.session, subject.attempt
        streaming = subject.live and session.phase is Phase.WRITING and session.live.code
        if streaming:
            self.border_title = "Code · being written"
            self.view.show(sanitize(session.live.code), {})
            return
        code = sanitize(subject.code())
        marks: dict[int, str] = {}
        title = f"Code · attempt {attempt.id} by {attempt.author}" if attempt is not None else self.TITLE
        if attempt is not None:
            parent = session.attempts.get(attempt.parent)
            if parent is not None:
                marks.update(dict.fromkeys(added_lines(sanitize(subject.code(parent)), code), "added"))
                title += f" · +{attempt.added} −{attempt.removed} against attempt {parent.id}"
            if attempt.line and attempt.status not in {None, "ok"}:
                marks[attempt.line - 1] = "crashed"
            if subject.live and attempt.running and session.live.line:
                marks[session.live.line - 1] = "running"
        self.border_title = title
        self.view.show(code, marks)
        where = (attempt.id, attempt.line or 0) if attempt is not None and "crashed" in marks.values() else (0, 0)
        if where != self._revealed:
            self._revealed = where
            if where[1]:
                self.view.reveal(where[1] - 1)

    def begin_edit(self, code: str) -> None:
        self.editing = True
        self.add_class("editing")
        self.border_title = "Code · editing: F2 runs yours, Esc leaves"
        self.view.show(code, {})
        self.view.read_only = False
        self.view.focus()
        self.refresh_bindings()

    def end_edit(self) -> None:
        self.editing = False
        self.remove_class("editing")
        self.view.read_only = True
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.editing if action in {"submit", "abandon"} else True

    def action_submit(self) -> None:
        code = self.view.text
        self.end_edit()
        self.post_message(self.Edited(code))

    def action_abandon(self) -> None:
        self.end_edit()


def added_lines(before: str, after: str) -> list[int]:
    """0-based lines of `after` that are not in `before`."""
    new = after.splitlines()
    matcher = difflib.SequenceMatcher(None, before.splitlines(), new, False)
    return [
        n for tag, _, _, start, end in matcher.get_opcodes() if tag in {"insert", "replace"} for n in range(start, end)
    ]
