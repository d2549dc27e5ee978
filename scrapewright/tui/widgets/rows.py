"""Many lines that are not broken: only those in view are drawn, so that a flood of them leaves the keys alive."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style

from scrapewright.tui.widgets.plain import Line, clean, content

MOVES: list[BindingType] = [
    Binding("j", "scroll_down", "Down", show=False, id="scroll-down"),
    Binding("k", "scroll_up", "Up", show=False, id="scroll-up"),
    Binding("g", "scroll_home", "Top", show=False, id="scroll-top"),
    Binding("G", "scroll_end", "End", show=False, id="scroll-end"),
    Binding("less_than_sign", "page_left", "Left", show=False, id="scroll-left"),
    Binding("greater_than_sign", "page_right", "Right", show=False, id="scroll-right"),
]


class Rows(ScrollView, can_focus=True):
    """Lines of spans, one row each; scrolls with the arrows, j, k, g, G, and sideways with < and >."""

    ALLOW_SELECT = True
    DEFAULT_CSS = """
    Rows { height: 1fr; background: $surface; scrollbar-size-vertical: 1; scrollbar-size-horizontal: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = MOVES

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._lines: list[list[tuple[str, str]]] = []
        self._drawn: dict[int, Content] = {}

    def show(self, lines: Iterable[Line]) -> None:
        """Replaces what is shown, keeping the place; leaves the screen alone where nothing changed."""
        new = [list(line) for line in lines]
        if new == self._lines:
            return
        self._lines = new
        self._drawn.clear()
        width = max((sum(cell_len(clean(text)) for text, _ in line) for line in new), default=0)
        self.virtual_size = Size(width, len(new))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        left, top = self.scroll_offset
        row, width = top + y, self.scrollable_content_region.width
        base = self.visual_style
        if row >= len(self._lines):
            return Strip.blank(width, base.rich_style)
        line = self._content(row)
        if (selection := self.text_selection) is not None and (span := selection.get_span(row)) is not None:
            start, end = span
            marked = Style.from_styles(self.screen.get_component_styles("screen--selection"))
            line = line.stylize(marked, start, len(line.plain) if end == -1 else end)
        segments = [Segment(text, style.rich_style) for text, style in line.render(base, "", self._style_of)]
        return Strip(segments).crop_extend(left, left + width, base.rich_style).apply_offsets(left, row)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        return selection.extract("\n".join(self._content(row).plain for row in range(len(self._lines)))), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        self.refresh()

    def _style_of(self, style: str | Style) -> Style:
        return style if isinstance(style, Style) else self.app.stylesheet.parse_style(style)

    def _content(self, row: int) -> Content:
        if row not in self._drawn:
            self._drawn[row] = content([self._lines[row]])
        return self._drawn[row]
