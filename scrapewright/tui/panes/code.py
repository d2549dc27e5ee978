"""The program: as it is written, as it runs, where it crashed, what changed, and edited in place."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Sequence
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget
from textual.widgets import TextArea

from scrapewright.loop.syntax_fixes import syntax_error
from scrapewright.session.attempt import AttemptState
from scrapewright.session.events import Phase
from scrapewright.session.sanitize import one_line, sanitize
from scrapewright.tui import editor
from scrapewright.tui.panes.tabbed import TabbedPane
from scrapewright.tui.themes import line_marks, syntax_colors
from scrapewright.tui.view.code import (
    CONTEXT,
    added_lines,
    cut_lines,
    diff,
    hit_column,
    is_slow,
    landing,
    main_change,
    row_of,
)
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.view_state import ViewState
from scrapewright.tui.widgets.codeview import CodeView
from scrapewright.tui.widgets.rows import Rows

WHY = 5
"""Lines at most that tell what the author had in mind."""
Pair = tuple[str, str, str, str]
"""Two programs that are compared, and what each is called."""


class CodePane(TabbedPane):
    """`editing` while the person edits: nothing that happens then touches the text."""

    TITLE = "Code"
    TABS = ("code", "diff")
    HELP = """\
The program of the attempt that is looked at, and how it differs from another.

`✖` crashed here, `▶` running now, `▸` the step or frame chosen, `+` new against its parent; the count before a line
number is how often the line was reached. An edit that is left is kept: `e` returns to it.
"""
    DEFAULT_CSS = """
    CodePane {
        CodeView, CodeView:focus {
            border: none; padding: 0; background: $surface; height: 1fr;
            scrollbar-size-vertical: 1; scrollbar-size-horizontal: 0;
        }
        &.editing { border: round $accent; border-title-color: $accent; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2,ctrl+s", "submit", "Run mine", id="edit-submit"),
        Binding("escape", "abandon", "Leave the edit", id="edit-abandon", priority=True),
        Binding("escape", "search_end", "End the search", show=False, id="code-search-end"),
        Binding("d", "diff", "Diff", id="diff"),
        Binding("comma", "compare(-1)", "Compare with the attempt before", show=False, id="compare-before"),
        Binding("full_stop", "compare(1)", "Compare with the attempt after", show=False, id="compare-after"),
        Binding("D", "discard", "Throw the edit away", show=False, id="edit-discard"),
    ]

    class EditBegun(Message):
        """The person edits from now on."""

    class EditEnded(Message):
        """The edit was left, or is to be run."""

    class Edited(Message):
        """The person's program, to be run next."""

        def __init__(self, code: str) -> None:
            super().__init__()
            self.code = code

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.editing = False
        self._drafts: dict[tuple[str, int], str] = {}
        """Edits that were left, by the session and the attempt they began from."""
        self._edited = ("", 0)
        self._crash: object = None
        self._led: object = None
        self._added: tuple[object, list[int]] = (None, [])
        self._diff_key: tuple[object, ...] | None = None
        self._outside = False
        self._refused = False
        self._landed: object = None

    def make_tab(self, tab: str, id: str) -> Widget:  # noqa: A002
        return CodeView(id=id) if tab == "code" else Rows(id=id)

    def on_mount(self) -> None:
        super().on_mount()
        self.app.theme_changed_signal.subscribe(self, self._recolor)
        self._recolor()

    def _recolor(self, _: object = None) -> None:
        """The view is drawn without the style sheet."""
        variables = self.app.theme_variables
        self.view.recolor(syntax_colors(variables), line_marks(variables))

    @property
    def view(self) -> CodeView:
        return self.query_one(CodeView)

    # What is shown.

    def show(self, view_state: ViewState | None) -> None:
        super().show(view_state)
        if view_state is None or self.editing:
            return
        if self.tab == "diff":
            self._show_diff(view_state)
        key = self._state(view_state)
        if key == self._key:
            return
        self._key = key
        if self._streaming(view_state):
            failed = view_state.session.phase is not Phase.WRITING
            self.entitle("Code · as far as it came" if failed else "Code · being written")
            self.view.show(cut_lines(sanitize(view_state.streaming)), tail=not failed)
            return
        self.entitle(self._title(view_state))
        if self.tab == "code":
            self._show_code(view_state)

    def _streaming(self, view_state: ViewState) -> bool:
        asked = view_state.session.question
        failed = asked is not None and asked.kind == "programmer"
        writing = view_state.live and view_state.session.phase is Phase.WRITING
        return (writing or failed) and bool(view_state.streaming)

    def _state(self, view_state: ViewState) -> object:
        """Differs whenever the pane may have to show something else."""
        if self._streaming(view_state):
            written = view_state.live_output.code_version
            return ("streaming", view_state.session.phase, written, len(view_state.streaming))
        attempt, other = view_state.attempt, view_state.other
        if attempt is None:
            return (self.tab, id(view_state), None)
        return (
            self.tab, id(view_state), attempt.id, attempt.code, attempt.result, attempt.status, attempt.line,
            attempt.running, attempt.author, other.id if other is not None else 0, other.code if other else "",
            view_state.running_line, view_state.line, view_state.step, view_state.frame, self._shown in self._drafts,
        )  # fmt: skip

    def _title(self, view_state: ViewState) -> str:
        attempt, other = view_state.attempt, view_state.other
        if attempt is None:
            return self.TITLE
        title = f"Code · attempt {attempt.id} by {attempt.author}"
        if other is not None and (self.tab == "diff" or other.id == attempt.parent):
            counts = f"+{attempt.added} −{attempt.removed} " if other.id == attempt.parent else ""
            title += f" · {counts}against attempt {other.id}"
        if self._shown in self._drafts:
            title += " · your edit is kept: e"
        return title

    def _show_code(self, view_state: ViewState) -> None:
        attempt, view = view_state.attempt, self.view
        code = sanitize(view_state.code())
        running = view_state.running_line
        run = (attempt.id, attempt.runs) if attempt is not None and attempt.running else None
        if run != self._led:
            self._led = run
            view.lead()
        result = view_state.result() if attempt is not None and not attempt.running else None
        view.show(
            cut_lines(code), self._marks(view_state, code), hits=hit_column(result.hits) if result is not None else {}
        )
        if view_state.line and not running:
            if ("chosen", view_state.line, view_state.step, view_state.frame) != self._crash:
                self._crash = ("chosen", view_state.line, view_state.step, view_state.frame)
                view.lead()
                view.goto(view_state.line - 1)
            return
        crash = (attempt.id, attempt.runs, attempt.line) if attempt is not None and _crashed(attempt) else None
        if running:
            view.follow(running - 1)
        elif crash != self._crash and crash is not None:
            view.lead()
            view.goto((crash[2] or 1) - 1)
        elif crash is None and attempt is not None and not attempt.running:
            self._land(view_state, attempt, code)
        self._crash = crash

    def _land(self, view_state: ViewState, attempt: AttemptState, code: str) -> None:
        """Goes once to what matters in a program: its selectors, in a repair its main change."""
        landed = (view_state.session.id, attempt.id, attempt.runs)
        if landed == self._landed or self.view.left:
            return
        self._landed = landed
        change, parent = None, view_state.session.attempts.get(attempt.parent)
        if parent is not None and parent.code and not is_slow(before := sanitize(view_state.code(parent)), code):
            change = main_change(before, code, parent.line)
        self.view.goto(change[1] if change is not None else landing(code))

    def _marks(self, view_state: ViewState, code: str) -> dict[int, str]:
        """The later ones replace the earlier ones."""
        attempt = view_state.attempt
        if attempt is None:
            return {}
        parent = view_state.session.attempts.get(attempt.parent)
        marks: dict[int, str] = {}
        if parent is not None:
            marks.update(dict.fromkeys(self._added_lines(view_state, parent, code), "added"))
        if attempt.line and _crashed(attempt) and not attempt.running:
            marks[attempt.line - 1] = "crashed"
        if view_state.running_line:
            marks[view_state.running_line - 1] = "running"
        elif view_state.line and marks.get(view_state.line - 1) != "crashed":
            marks[view_state.line - 1] = "step"
        return marks

    def _added_lines(self, view_state: ViewState, parent: AttemptState, code: str) -> list[int]:
        key = (parent.code, code)
        if self._added[0] != key:
            before = sanitize(view_state.code(parent))
            self._added = (key, [] if is_slow(before, code) else added_lines(before, code))
        return self._added[1]

    # The diff.

    def _show_diff(self, view_state: ViewState) -> None:
        attempt, other = view_state.attempt, view_state.other
        rows = self.query_one(f"#{self._tab_id(1)}", Rows)
        written = view_state.written()
        if attempt is None or not attempt.code or (other is None and not written):
            self._diff_key = None
            rows.show([[("nothing to compare with yet" if attempt else "no attempt yet", QUIET)]])
            return
        width = max(40, (self.size.width or self.app.size.width) - 1)  # it has none while hidden; beside a scroll bar
        compared = (attempt.id, other.id if other is not None else 0)
        key = (compared, attempt.code, other.code if other is not None else "", width)
        if key == self._diff_key:
            return
        new = self._diff_key is None or compared != self._diff_key[0]
        self._diff_key = key
        after, why = sanitize(view_state.code(attempt)), list[Spans]()
        pairs: list[Pair] = []
        if written:
            pairs.append((sanitize(written), after, "as it was written", "as it runs"))
        if other is not None:
            pairs.append((sanitize(view_state.code(other)), after, f"attempt {other.id}", f"attempt {attempt.id}"))
            said = textwrap.wrap(one_line(attempt.diagnosis, 1_000), width)[:WHY]
            why = [[(line, "italic")] for line in said]
        # Nothing but this is shown of what was changed without being asked.
        fixes: list[Spans] = [[(f"fixed for free: {one_line(fix, 200)}", "$warning")] for fix in attempt.fixes]
        if any(is_slow(*pair[:2]) for pair in pairs):
            rows.show([[("comparing…", QUIET)]], header=why)
            self._compare(key, fixes, pairs, why)
        else:
            shown = [*fixes, *_diffs(pairs)]
            rows.show(shown, header=why)
            change = main_change(pairs[0][0], after, other.line) if new and other is not None and not written else None
            if change is not None:
                top = max(0, row_of(shown, *change) - CONTEXT)
                rows.scroll_to(0, top, animate=False, force=True, immediate=True)
                return
        if new:
            rows.scroll_to(0, 0, animate=False, force=True, immediate=True)

    @work(exclusive=True, group="diff", exit_on_error=False)
    async def _compare(self, key: object, fixes: list[Spans], pairs: list[Pair], why: list[Spans]) -> None:
        shown = await asyncio.to_thread(_diffs, pairs)
        if key == self._diff_key:
            self.query_one(f"#{self._tab_id(1)}", Rows).show([*fixes, *shown], header=why)

    def on_resize(self) -> None:
        if self.tab == "diff" and self._subject is not None and not self.editing:
            self._show_diff(self._subject)

    def compare(self, attempt: int, against: int) -> None:
        """Shows how one attempt differs from another; 0 is the parent."""
        if self._subject is not None and not self.editing:
            self._subject.look_at(attempt)
            self._subject.against = against
            self.choose("diff")

    def action_diff(self) -> None:
        self.choose("code" if self.tab == "diff" else "diff")
        self.tab_widget.focus()

    def action_compare(self, step: int) -> None:
        """The other attempt of the diff: the one before or after, the attempt looked at left out."""
        view_state = self._subject
        if view_state is None or view_state.attempt is None:
            return
        shown, other = view_state.attempt.id, view_state.other
        others = [number for number, a in view_state.session.attempts.items() if number != shown and a.code]
        if not others:
            return
        place = others.index(other.id) + step if other is not None and other.id in others else len(others) - 1
        view_state.against = others[max(0, min(place, len(others) - 1))]
        self.choose("diff")

    # Editing.

    @property
    def _shown(self) -> tuple[str, int]:
        """The session and the attempt that are looked at."""
        view_state = self._subject
        attempt = view_state.attempt if view_state is not None else None
        return (view_state.session.id, attempt.id) if view_state is not None and attempt is not None else ("", 0)

    @property
    def has_unrun_edit(self) -> bool:
        """Whether something was changed in a program that has not run, in hand or left to be gone on with."""
        return bool(self._drafts) or (self.editing and self.view.dirty)

    def begin_edit(self, code: str, text: str | None = None) -> None:
        """Edits the program, with `text` as the edit so far; without it, an edit of the same attempt that was left is
        taken up again."""
        left = self._drafts.pop(self._shown, code)
        text = sanitize(left if text is None else text)
        self.choose("code")
        view = self.view
        subject = self._subject
        view.show(sanitize(code), self._marks(subject, sanitize(code)) if subject is not None else {})
        self.editing, self._edited = True, self._shown
        self.add_class("editing")
        view.read_only = False
        if text != view.text:
            view.replace(text, (0, 0), view.document.end)  # so that undo leads back to the program as it was
            view.move_cursor((0, 0))
        view.focus()
        self._edit_title()
        self.refresh_bindings()
        self.post_message(self.EditBegun())

    def end_edit(self) -> None:
        self.editing = self._refused = False
        self.remove_class("editing")
        self.post_message(self.EditEnded())
        self.view.read_only = True
        self._key = self._crash = None
        self.refresh_bindings()
        self.show(self._subject)

    @on(TextArea.Changed)
    def _typed(self, event: TextArea.Changed) -> None:
        event.stop()
        if self.editing and self._refused and self._subject is not None:
            self._refused = False
            self.view.mark(self._marks(self._subject, self.view.text))
        if self.editing:
            self._edit_title()

    def _edit_title(self) -> None:
        mark = "● edited" if self.view.dirty else "editing"
        self.entitle(f"Code · {mark}: F2 runs yours, Esc leaves")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "submit" | "abandon":
                return self.editing
            case "diff" | "compare" | "tab":
                return not self.editing
            case "discard":
                return not self.editing and self._shown in self._drafts
        return super().check_action(action, parameters)

    def action_submit(self) -> None:
        """Run mine, unless it can't be: then the line is marked, and the edit goes on."""
        code = self.view.text
        if (error := syntax_error(code)) is not None:
            line = min(max(0, (error.lineno or 1) - 1), self.view.document.line_count - 1)
            self._refused = True
            self.view.mark({line: "crashed"})
            self.view.goto(line)
            said = one_line(f"line {line + 1}: {error.msg}", 200)
            self.entitle(f"Code · not run: {said}")
            self.app.notify(f"not run: {said}", severity="warning", markup=False)
            return
        self.end_edit()
        self.post_message(self.Edited(code))

    def action_abandon(self) -> None:
        """Leaves the edit; what was changed is kept and nothing is asked."""
        if self.view.dirty:
            self._drafts[self._edited] = self.view.text
            self.app.notify("your edit is kept; e returns to it, D throws it away", markup=False)
        self.end_edit()

    def action_discard(self) -> None:
        self._drafts.pop(self._shown, None)
        self.show(self._subject)

    @work(group="editor", exit_on_error=False)
    async def edit_outside(self, code: str) -> None:
        """The program, or the edit of it that is in hand or was left, in the person's own editor. What comes back is an
        edit here, to be run with F2. Not exclusive: a second key would leave the first editor behind."""
        if self._outside:
            return
        start = self.view.text if self.editing else self._drafts.get(self._shown, code)
        self._outside = True
        try:
            text = await editor.edit(self.app, start)
        except editor.EditorError as error:
            self.app.notify(one_line(str(error), 400), severity="warning", timeout=10, markup=False)
            return
        finally:
            self._outside = False
        if text == start:
            self.app.notify("nothing was changed in the editor", markup=False)
        elif self.editing:
            self.view.replace(sanitize(text), (0, 0), self.view.document.end)
        else:
            self.begin_edit(code, text)


def _diffs(pairs: Sequence[Pair]) -> list[Spans]:
    """One below the other."""
    lines: list[Spans] = []
    for pair in pairs:
        lines += [*([[]] if lines else []), *diff(*pair)]
    return lines


def _crashed(attempt: AttemptState) -> bool:
    return bool(attempt.line) and attempt.status not in {None, "ok"}
