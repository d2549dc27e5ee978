"""A code view and editor: Pygments colours, marked lines, hit counts, through TextArea's public hooks.

No tree-sitter: its current release crashes the terminal application.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType
from textual.color import Color, ColorParseError
from textual.geometry import Offset
from textual.strip import Strip
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult

from scrapewright.tui.widgets.highlight import Highlighter
from scrapewright.tui.widgets.rows import LEFT, RIGHT
from scrapewright.tui.widgets.search import Matches, pattern

GLYPHS = {"crashed": "✖", "running": "▶", "step": "▸", "added": "+", "removed": "−"}
HITS = 4
"""Cells of the column that says how often a line was reached."""
_DEFAULTS = {
    "crashed": "error-muted", "running": "warning-muted", "step": "primary-muted", "added": "success-muted",
    "removed": "error-muted", "crashed-glyph": "error", "running-glyph": "warning", "step-glyph": "primary",
    "added-glyph": "success", "removed-glyph": "error", "match": "warning-muted", "found": "warning",
    "hits": "text-quiet",
}  # fmt: skip
"""The theme's variables for what `recolor` gives no colour."""
_UNSAFE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_ONLY_EDITING = frozenset(
    {"undo", "redo", "cut", "paste", "select_line", "select_all", "delete_left", "delete_right", "delete_line"}
)


class CodeView(TextArea):
    """Shows a program. `marks` maps 0-based lines to crashed, running, step, added or removed.

    The view goes where it is sent (`goto`, `follow`, a tail) until the person scrolls; `lead` takes it up again.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "view_down", "Down", show=False, id="code-down"),
        Binding("k", "view_up", "Up", show=False, id="code-up"),
        Binding("g", "view_top", "Top", show=False, id="code-top"),
        Binding("G", "view_end", "End", show=False, id="code-end"),
    ]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        self._highlighter = Highlighter()
        self._stale = True
        self._marks: dict[int, str] = {}
        self._hits: dict[int, str] = {}
        self._matches = Matches()
        self._moving = False
        self._left = False
        self._tail = False
        self._led_to = -1
        """The 0-based line that is to be kept in view when the view becomes smaller."""
        self._led_top = 0
        """The line that was at the top when the view was last led."""
        self._base = ""
        self._styles: dict[str, Style] = {}
        self.syntax: dict[str, str] = {}
        self.mark_colors: dict[str, str] = {}
        super().__init__(
            "", id=id, read_only=True, show_line_numbers=False, soft_wrap=False, tab_behavior="indent", theme="css",
            placeholder="no program yet",
        )  # fmt: skip

    # What is shown.

    def show(
        self, text: str, marks: Mapping[int, str] | None = None, *, hits: Mapping[int, str] | None = None,
        tail: bool = False,
    ) -> None:  # fmt: skip
        """Replaces the text where it differs, keeping the place; or keeps its end in view, with `tail`."""
        written = self._tail and not tail and not self._left  # what was followed to its end is read from its beginning
        self._moving, self._tail = True, tail
        self.show_line_numbers = bool(text)
        if text != self._base or text != self.text:
            if self._base and text.startswith(self._base) and self.text == self._base:
                self.insert(text[len(self._base) :], self.document.end)
                self.history.clear()
            else:
                at, self._led_to = self.scroll_offset, -1
                self.load_text(text)
                self.scroll_to(at.x, at.y, animate=False, force=True, immediate=True)
            self._base = text
        self._set_hits(dict(hits or {}))
        self.mark(marks or {})
        if tail and not self._left:
            self.scroll_to(x=0, y=self.max_scroll_y, animate=False, force=True, immediate=True)
        elif written:
            self.scroll_to(0, 0, animate=False, force=True, immediate=True)
        self._moving = False

    def mark(self, marks: Mapping[int, str]) -> None:
        """Marks these 0-based lines, and no others."""
        if dict(marks) != self._marks:
            self._marks = dict(marks)
            self._repaint()
        self._light_cursor_line()

    def _set_hits(self, hits: dict[int, str]) -> None:
        if hits == self._hits:
            return
        wider = bool(hits) is not bool(self._hits)
        self._hits = hits
        if wider:  # the numbers' column is part of the text's width
            self.mutate_reactive(TextArea.show_line_numbers)
        self._repaint()

    def recolor(self, syntax: dict[str, str], marks: dict[str, str]) -> None:
        """New colours, after a change of theme."""
        self.syntax, self.mark_colors = syntax, marks
        self._styles.clear()
        self._repaint()

    @property
    def dirty(self) -> bool:
        """The text was edited since it was shown."""
        return self.text != self._base

    # Where it is.

    def lead(self) -> None:
        """Goes again where it is sent, after the person scrolled away."""
        self._left = False

    @property
    def left(self) -> bool:
        """The person scrolled away from where the view was led."""
        return self._left

    def goto(self, line: int) -> None:
        """Puts the cursor on the 0-based line, and the line where it can be seen."""
        if 0 <= line < self.document.line_count:
            self._moving, self._led_to = True, line
            self._bring(line)
            self.move_cursor((line, 0))
            self._moving = False

    def follow(self, line: int) -> None:
        """Keeps the 0-based line in view, unless the person scrolled away."""
        if not self._left and 0 <= line < self.document.line_count:
            self._moving, self._led_to = True, line
            self._bring(line)
            self._moving = False

    def _bring(self, line: int) -> None:
        height, top = self.scrollable_content_region.height, self.scroll_offset.y
        if not height:
            return
        if not top <= line < top + height:
            top = max(0, line - height // 3)
            self.scroll_to(y=top, animate=False, force=True, immediate=True)
        self._led_top = top

    def scroll_cursor_visible(self, center: bool = False, animate: bool = False) -> Offset:
        """Nothing behind another tab, where there is no height to see it in; `on_resize` makes up for it. What is being
        written stays at its left."""
        if self._tail or not self.scrollable_content_region.height:
            return Offset()
        moving = self._moving
        # A cursor that is where it was led has been moved by nobody: a scrollbar has come or gone.
        self._moving = moving or self.cursor_location[0] == self._led_to
        scrolled = super().scroll_cursor_visible(center, animate)
        self._moving = moving
        return scrolled

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if not self._moving and round(old_value) != round(new_value):
            self._left = not (self._tail and round(new_value) >= self.max_scroll_y)

    def on_resize(self) -> None:
        if self._left:
            return
        self._moving = True
        if self._tail:
            self.scroll_to(y=self.max_scroll_y, animate=False, force=True, immediate=True)
        elif self._led_to >= 0:
            # A moment in which all of it had room has taken it to the top.
            self.scroll_to(y=self._led_top, animate=False, force=True, immediate=True)
            self._bring(self._led_to)
        self._moving = False

    @on(TextArea.SelectionChanged)
    def _light_cursor_line(self) -> None:
        """The line of the cursor, but not over the colour of a mark."""
        self.highlight_cursor_line = self.cursor_location[0] not in self._marks

    def action_view_down(self) -> None:
        self.action_cursor_down()

    def action_view_up(self) -> None:
        self.action_cursor_up()

    def action_view_top(self) -> None:
        self.move_cursor((0, 0))

    def action_view_end(self) -> None:
        self.move_cursor((self.document.line_count - 1, 0))
        self.lead()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What edits is no key where nothing can be edited, and the letters are no keys where they are typed."""
        if action.startswith("view_"):
            return self.read_only
        if self.read_only and (action in _ONLY_EDITING or action.startswith("delete_")):
            return False
        return super().check_action(action, parameters)

    # Search and copy.

    @property
    def row_count(self) -> int:
        return self.document.line_count

    def line_text(self, row: int) -> str:
        """A line as it is drawn."""
        return _UNSAFE.sub("\ufffd", self.document.get_line(row))

    def search(self, text: str) -> int:
        """Marks what matches and returns how many do; an empty text ends the search."""
        self._matches.look_for(pattern(text), self)
        self._repaint()
        return len(self._matches)

    def go_to_match(self, step: int) -> tuple[int, int]:
        """To the next or the last match from the cursor: its number from 1, and how many there are."""
        found = self._matches.step(step, self.cursor_location[0])
        if found is not None:
            self.goto(found.row)
            self.move_cursor((found.row, found.start))
            self._repaint()
        return self._matches.place

    def copy_text(self) -> str:
        """What is selected, else the whole program."""
        return self.selected_text or self.text

    # What changes the text.

    def load_text(self, text: str) -> None:
        super().load_text(text)
        self._changed()

    def edit(self, edit: Edit) -> EditResult:
        lines, start = self.document.line_count, min(edit.from_location, edit.to_location)
        last = max(edit.from_location, edit.to_location)[0]
        result = super().edit(edit)
        if not self.read_only and self._marks and (moved := self.document.line_count - lines):
            below = last if start == (last, 0) else last + 1  # a line that is pushed down whole goes with its mark
            self._marks = {
                line + (moved if line >= below else 0): mark
                for line, mark in self._marks.items()
                if line <= start[0] or line >= below
            }
        self._changed()
        return result

    def undo(self) -> None:
        super().undo()
        self._changed()

    def redo(self) -> None:
        super().redo()
        self._changed()

    def _changed(self) -> None:
        self._stale = True
        self._matches.scan(self, 0)
        if not self.read_only:  # a string that opens or closes colours the lines below it
            self._repaint()

    # Drawing.

    @property
    def gutter_width(self) -> int:
        """The numbers, before them a cell for the glyph, and the hits where there are any."""
        if not self.show_line_numbers:
            return 0
        return super().gutter_width + self._margin

    @property
    def _margin(self) -> int:
        return 2 + HITS if self._hits else 1

    def _repaint(self) -> None:
        self.notify_style_update()
        self.refresh()

    def get_line(self, line_index: int) -> Text:
        line = super().get_line(line_index)
        if _UNSAFE.search(line.plain):
            line = Text(self.line_text(line_index), end="", no_wrap=True)
        if self._stale:
            self._stale = False
            self._highlighter.update(self.document.lines)
        for start, end, kind in self._highlighter.spans(line_index):
            if kind in self.syntax:
                line.stylize(self._style(self.syntax[kind], ""), start, end)
        if line_index in self._marks:
            line.stylize(self._ground(self._marks[line_index]))
        for match in self._matches.in_row(line_index):
            if match == self._matches.current:
                line.stylize(Style(reverse=True, bold=True) + self._mark("found", ""), match.start, match.end)
            else:
                line.stylize(Style(underline=True) + self._mark("", "match"), match.start, match.end)
        return line

    def render_line(self, y: int) -> Strip:
        strip = super().render_line(y)
        row = y + self.scroll_offset.y  # no soft wrap: a screen line is a line
        if not self.show_line_numbers or row >= self.document.line_count:
            return strip
        mark, margin = self._marks.get(row), self._margin
        if mark is not None or self._hits:
            before, rest = strip.crop(0, margin), strip.crop(margin)
            gutter = next(iter(strip)).style or Style()
            if mark is not None:
                glyph = Segment(GLYPHS[mark], gutter + Style(bold=True) + self._mark(f"{mark}-glyph", ""))
                before = Strip.join([Strip([glyph], 1), before.crop(1)])
                rest = self._fill(rest, row, self._ground(mark))
            if count := self._hits.get(row):
                hits = Segment(f"{count:>{HITS}} ", gutter + self._mark("hits", ""))
                before = Strip.join([before.crop(0, 1), Strip([hits], HITS + 1)])
            strip = Strip.join([before, rest])
        return self._with_edges(strip, row)

    def _with_edges(self, strip: Strip, row: int) -> Strip:
        """A sign at each edge over which the line goes on."""
        left, width, gutter = self.scroll_offset.x, self.scrollable_content_region.width, self.gutter_width
        if left and set_cell_size(self._expanded(row), left).strip():
            strip = self._with_sign(strip, gutter, LEFT)
        if self._cells(row) - left > width - gutter:
            strip = self._with_sign(strip.crop(0, width), width - 1, RIGHT)
        return strip

    def _with_sign(self, strip: Strip, cell: int, sign: str) -> Strip:
        """The sign in the place of what is in that cell, on the same ground."""
        under = next(iter(strip.crop(cell, cell + 1)), Segment(" ")).style or Style()
        shown = Strip([Segment(sign, Style(bgcolor=under.bgcolor) + self._mark("hits", ""))], 1)
        return Strip.join([strip.crop(0, cell), shown, strip.crop(cell + 1)])

    def _expanded(self, row: int) -> str:
        return self.document.get_line(row).expandtabs(self.indent_width)

    def _cells(self, row: int) -> int:
        return cell_len(self._expanded(row))

    def _fill(self, strip: Strip, row: int, style: Style) -> Strip:
        """The mark's colour to the end of the row, not under the text alone; a cursor that is there is left."""
        at_end = self.cursor_location == (row, len(self.document.get_line(row)))
        end = max(0, super().gutter_width + self._cells(row) + at_end - self.scroll_offset.x)
        blank = [Segment(s.text, (s.style or Style()) + style) for s in strip.crop(end)]
        return Strip.join([strip.crop(0, end), Strip(blank)])

    def _mark(self, color: str, background: str) -> Style:
        values = self.app.theme_variables
        names = (color, background)
        front, back = (self.mark_colors.get(name) or values.get(_DEFAULTS.get(name, ""), "") for name in names)
        return self._style(front, back)

    def _ground(self, mark: str) -> Style:
        """The background of a marked line."""
        style = self._mark("", mark)
        color = style.bgcolor
        if color is None or color.is_default or not self.app.current_theme.ansi:
            return style
        # the colours of the terminal that the text has are not sure to be readable on this one
        return Style(color=color, bgcolor="default", reverse=True)

    def _style(self, color: str, background: str) -> Style:
        key = f"{color} on {background}"
        if key not in self._styles:
            self._styles[key] = Style(color=_rich(color), bgcolor=_rich(background))
        return self._styles[key]


def _rich(color: str) -> RichColor | None:
    """A theme's colour as rich takes it; None for one that can't be parsed."""
    try:
        return Color.parse(color).rich_color if color else None
    except ColorParseError:
        return None
