"""How the request was read, part by part, each to be corrected before anything runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input

from scrapewright.query.reading import Reading
from scrapewright.tui.view.home import part_line
from scrapewright.tui.view.spans import QUIET
from scrapewright.tui.widgets.inputs import TransientInput
from scrapewright.tui.widgets.plain import Plain
from scrapewright.tui.widgets.rows import Rows

if TYPE_CHECKING:  # loaded with what reads, after the first paint
    from scrapewright.query.correct import Part


class ReadingBox(Vertical):
    """Enter edits the part under the cursor, delete takes it out, + adds a field, u takes all corrections back."""

    DEFAULT_CSS = """
    ReadingBox {
        #parts { height: 1fr; }
        #part-help { height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("delete,x", "remove", "Remove", id="part-remove"),
        Binding("plus", "add", "Add a field", id="part-add"),
        Binding("u", "undo", "Undo", id="part-undo"),
        Binding("escape", "leave", "Leave", show=False, id="part-leave"),
    ]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._as_read: Reading | None = None
        self.reading: Reading | None = None
        """What it is read as, with the corrections; None before it is read."""
        self._parts: list[Part] = []
        self._edited = ""

    def compose(self) -> ComposeResult:
        yield Rows(cursor=True, id="parts")
        yield TransientInput(id="part-text", compact=True, select_on_focus=False, max_length=2_000)
        yield Plain(id="part-help")

    def on_mount(self) -> None:
        self._guide()

    @property
    def is_corrected(self) -> bool:
        return self.reading is not None and self.reading != self._as_read

    def wait(self) -> None:
        """There is a request, and no reading yet."""
        if self._as_read is None:
            self.say("reading…")

    def show_reading(self, query: Reading) -> None:
        """A new reading; corrections of the one before are gone with it."""
        dropped = self.is_corrected
        self._as_read = self.reading = query
        self.query_one(TransientInput).close()
        self._draw()
        if dropped:
            self.say("the request was read again, without your corrections", warn=True)
        else:
            self._guide()

    def say(self, text: str, *, warn: bool = False) -> None:
        self.query_one("#part-help", Plain).show([[(text, "$warning" if warn else QUIET)]])

    def _guide(self) -> None:
        """Says what can be done where the focus is."""
        if self.query_one(Rows).has_focus and self.part is not None:
            self.say(f"enter edits · {self.part.help}")
        elif self._as_read is None or not self._as_read.text.strip():
            self.say("type what you want, with the address of the page")
        elif not self._as_read.urls:
            self.say("the address of the page is missing")
        else:
            self.say("enter runs · tab: correct the reading")

    def on_descendant_focus(self) -> None:
        if not self.editing:
            self._guide()

    def on_descendant_blur(self) -> None:
        if not self.editing:
            self._guide()

    def _draw(self) -> None:
        query = self.reading
        if query is None or not query.text.strip():
            self._parts = []
        else:
            from scrapewright.query.correct import Part, parts

            found = [*parts(query)]
            more = [Part(f"column.{len(query.columns)}", "+ field", "", "name: type", many=True)]
            more.append(
                Part(f"filter.{len(query.filters)}", "+ only rows", "", "price < 20, or leave out adverts", many=True)
            )
            said = [p for p in found if p.doubtful] + [p for p in found if p.text and not p.doubtful]
            self._parts = [*said, *more, *(p for p in found if not p.text)]
        self.query_one(Rows).show([part_line(part) for part in self._parts])

    @property
    def part(self) -> Part | None:
        """The one under the cursor."""
        at = self.query_one(Rows).cursor
        return self._parts[at] if 0 <= at < len(self._parts) else None

    @property
    def editing(self) -> bool:
        return self.query_one(TransientInput).is_open

    @on(Rows.Moved)
    def _moved(self, event: Rows.Moved) -> None:
        event.stop()
        if not self.editing:
            self._guide()

    @on(Rows.Picked)
    def _picked(self, event: Rows.Picked) -> None:
        event.stop()
        if self.part is not None:
            self._edit(self.part)

    def _edit(self, part: Part) -> None:
        self._edited = part.key
        self.query_one(TransientInput).open(part.text)
        self.say(f"{part.label}: {part.help}")

    @on(Input.Submitted, "#part-text")
    def _written(self, event: Input.Submitted) -> None:
        event.stop()
        if self._correct(self._edited, event.value):
            self.query_one(TransientInput).close()
            self.query_one(Rows).focus()

    def _correct(self, key: str, text: str) -> bool:
        if self.reading is None:
            return False
        from scrapewright.query.correct import BadCorrection, corrected

        try:
            self.reading = corrected(self.reading, key, text)
        except BadCorrection as error:
            self.say(str(error), warn=True)
            return False
        self._draw()
        if self.is_corrected:
            self.say("corrected; u takes all corrections back")
        else:
            self._guide()
        return True

    def action_remove(self) -> None:
        if self.part is not None and not self.editing:
            self._correct(self.part.key, "")

    def action_add(self) -> None:
        if self.reading is not None and not self.editing:
            key = f"column.{len(self.reading.columns)}"
            at = next((n for n, part in enumerate(self._parts) if part.key == key), 0)
            self.query_one(Rows).goto(at)
            if self._parts:
                self._edit(self._parts[at])

    def action_undo(self) -> None:
        if self._as_read is not None and not self.editing:
            self.reading = self._as_read
            self._draw()
            self._guide()

    def action_leave(self) -> None:
        self.query_one(TransientInput).close()
        self.query_one(Rows).focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "leave":
            return self.editing
        if action in {"remove", "add", "undo"}:
            return not self.editing and self.reading is not None
        return super().check_action(action, parameters)
