"""A list of many lines, without wrapping: only those in view are drawn, so that the screen stays responsive."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import ClassVar, cast

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style

from scrapewright.tui.live_output import LineLog
from scrapewright.tui.view.cells import cells, drawn, flat
from scrapewright.tui.view.spans import Lines, Spans
from scrapewright.tui.widgets.plain import Line, content
from scrapewright.tui.widgets.search import Joined, Match, Matches, pattern

LEFT, RIGHT = "‹", "›"
"""At the edge of a row that goes on there: a scroll bar would take a line of every pane for it."""
DRAWN_AT_MOST = 4_000
"""Characters of one line that are drawn; the rest is counted."""

MOVES: list[BindingType] = [
    Binding("j", "scroll_down", "Down", show=False, id="scroll-down"),
    Binding("k", "scroll_up", "Up", show=False, id="scroll-up"),
    Binding("g", "scroll_home", "Top", show=False, id="scroll-top"),
    Binding("G", "scroll_end", "End", show=False, id="scroll-end"),
    Binding("less_than_sign", "page_left", "Left", show=False, id="scroll-left"),
    Binding("greater_than_sign", "page_right", "Right", show=False, id="scroll-right"),
]

PARTS = {
    "cursor": "on $panel", "focused cursor": "bold on $primary-muted", "marked": "on $warning-muted",
    "match": "underline on $warning-muted", "found": "bold $background on $warning",
}  # fmt: skip
"""Styles of parts of rows. No component classes: they were two fifths of what it takes to style the screen anew."""
ANSI_PARTS = {
    "cursor": "bold on ansi_default", "focused cursor": "reverse ansi_default on ansi_default",
    "marked": "underline on ansi_default", "match": "underline on ansi_default", "found": "bold ansi_black on $warning",
}  # fmt: skip
"""The same in the terminal's own 16 colours, which have no muted ones."""


class Rows(ScrollView, can_focus=True):
    """Lines of spans, one row each; scrolls with the arrows, j, k, g, G, and sideways with < and >.

    A last span without text gives the background of the rest of its row.

    With `cursor` one row is the chosen one and the same keys move it; with `tail` the end stays in view until the
    person scrolls up, and G or scrolling to the end takes it up again. Rows are numbered from 0; the header has none.
    """

    ALLOW_SELECT = True
    DEFAULT_CSS = """
    Rows { height: 1fr; background: $surface; scrollbar-size-vertical: 1; scrollbar-size-horizontal: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *MOVES,
        Binding("enter", "pick", "Open", show=False, id="rows-pick"),
    ]

    class About(Message):
        """About row `index`."""

        def __init__(self, rows: Rows, index: int) -> None:
            super().__init__()
            self.rows, self.index = rows, index

        @property
        def control(self) -> Rows:
            return self.rows

    class Moved(About):
        """The person moved the cursor to row `index`."""

    class Picked(About):
        """The person wants row `index`: enter, or a double click."""

    def __init__(self, *, cursor: bool = False, tail: bool = False, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.frozen = 0
        """Cells at the left that stay when scrolled sideways, where there is room for them."""
        self.copied: Callable[[], str] | None = None
        """Gives what is copied in place of what is drawn, where that is cut."""
        self._has_cursor = cursor
        self._cursor = 0
        self._tail = tail
        self._following = tail
        self._moving = False
        self._lines: list[Spans] = []
        self._header: list[Spans] = []
        self._marks: frozenset[int] = frozenset()
        self._drawn: dict[int, Content] = {}
        self._base = 0
        """How many rows were dropped at the top: `_drawn` and the matches count from before them."""
        self._width = 0
        self._log: LineLog | None = None
        self._log_end = 0
        self._log_open = False
        self._matches = Matches()
        self._joined: Joined | None = None

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, lambda _: self.refresh())  # a part may be all that it changes

    # What is shown.

    def show(self, lines: Iterable[Line], *, header: Iterable[Line] = (), marks: Collection[int] = ()) -> None:
        """Replaces what is shown, keeping the place; leaves the screen alone where nothing changed.

        `header` stays in view; the rows in `marks` stand out.
        """
        new, head = [list(line) for line in lines], [list(line) for line in header]
        self._log = None
        self.mark(marks)
        if new == self._lines and head == self._header:
            return
        self._replace(new, head)

    def show_log(self, log: LineLog, header: Iterable[Line] = ()) -> None:
        """Shows what was printed; a log shown before is only added to."""
        head = [list(line) for line in header]
        if self._log is not log:
            self._log = log
            self._replace([[(line, "")] for line in log.since(log.first)], head)
        else:
            if self._log_open:
                del self._lines[-1:]
                self._log_end -= 1
                self._drawn.pop(self._base + len(self._lines), None)
            self._header = head
            self._drop(min(max(0, log.first - (self._log_end - len(self._lines))), len(self._lines)))
            self.extend([(line, "")] for line in log.since(self._log_end))
        self._log_end, self._log_open = log.end, log.unfinished

    def show_lazily(
        self, lines: Lines, *, width: int, header: Iterable[Line] = (), marks: Collection[int] = (),
        joined: Joined | None = None,
    ) -> None:  # fmt: skip
        """As `show`, of lines that are made only as they are drawn; `width`: of the widest, in cells. `joined`
        are the same for the search."""
        self._log = None
        self.mark(marks)
        self._replace(cast("list[Spans]", lines), [list(line) for line in header], width, joined)  # only read from

    def extend(self, lines: Iterable[Line]) -> None:
        """Adds rows at the end."""
        new = [list(line) for line in lines]
        first = len(self._lines)
        self._lines += new
        self._width = max([self._width, *map(_width, new)])
        self._matches.scan(self, first)
        self._resized()

    @property
    def marks(self) -> Collection[int]:
        """The rows that stand out."""
        return self._marks

    def mark(self, rows: Collection[int]) -> None:
        """Makes these rows stand out, and no others."""
        if self._marks != (marks := frozenset(rows)):
            self._marks = marks
            self.refresh()

    def _replace(self, lines: list[Spans], header: list[Spans], width: int = 0, joined: Joined | None = None) -> None:
        self._lines, self._header, self._base, self._joined = lines, header, 0, joined
        self._drawn.clear()
        self._width = width or max(map(_width, [*header, *lines]), default=0)
        self._cursor = max(0, min(self._cursor, len(lines) - 1))
        self._matches.scan(self, 0, joined)
        self._resized()

    def _drop(self, count: int) -> None:
        if count:
            del self._lines[:count]
            for number in range(self._base, self._base + count):
                self._drawn.pop(number, None)
            self._base += count
            self._cursor = max(0, self._cursor - count)
            self._matches.drop(count)
            if not self._following:
                self._scroll_rows(self.scroll_offset.y - count)

    def _resized(self) -> None:
        following = self._following
        self.virtual_size = Size(self._width, len(self._header) + len(self._lines))
        if following:
            self._to_end()
        self.refresh()

    # The cursor, and where the rows are scrolled to.

    @property
    def cursor(self) -> int:
        """The row the cursor is on; -1 where there is no cursor or no row."""
        return self._cursor if self._has_cursor and self._lines else -1

    @property
    def row_count(self) -> int:
        return len(self._lines)

    @property
    def following(self) -> bool:
        """The end is kept in view."""
        return self._following

    def goto(self, row: int, *, middle: bool = False) -> None:
        """Moves the cursor, where there is one, and the view to the row. Posts no `Moved`."""
        row = max(0, min(row, len(self._lines) - 1))
        if row != self._cursor:
            self._cursor = row
            self.refresh()
        self._following = self._tail and row >= len(self._lines) - 1
        height = max(1, self.scrollable_content_region.height - len(self._header))
        top = self.scroll_offset.y
        if not top <= row < top + height:
            self._scroll_rows(row - height // 2 if middle else row if row < top else row - height + 1)

    def _move(self, row: int) -> None:
        before = self.cursor
        self.goto(row)
        if self.cursor != before:
            self.post_message(self.Moved(self, self.cursor))

    def _scroll_rows(self, top: int) -> None:
        self._moving = True
        self.scroll_to(y=max(0, top), animate=False, force=True, immediate=True)
        self._moving = False

    def _to_end(self) -> None:
        self._following = self._tail
        self._scroll_rows(self.max_scroll_y)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if self._tail and not self._moving and round(new_value) != round(old_value):
            self._following = round(new_value) >= self.max_scroll_y

    def on_resize(self) -> None:
        if self._following:
            self._to_end()
        elif self._has_cursor and self._lines:
            self.goto(self._cursor)

    def action_scroll_down(self) -> None:
        self._by(1)

    def action_scroll_up(self) -> None:
        self._by(-1)

    def action_page_down(self) -> None:
        self._by(self._page)

    def action_page_up(self) -> None:
        self._by(-self._page)

    def action_page_left(self) -> None:
        self._sideways(-1)

    def action_page_right(self) -> None:
        self._sideways(1)

    def _sideways(self, pages: int) -> None:
        """As far as there is room beside what stays, so that nothing is passed over."""
        room = max(1, self.scrollable_content_region.width - self._kept)
        left = max(0, min(self.scroll_offset.x + pages * room, self.max_scroll_x))
        self.scroll_to(x=left, animate=False, force=True, immediate=True)

    def action_scroll_home(self) -> None:
        self._by(-len(self._lines))

    def _by(self, rows: int) -> None:
        """The cursor, or the view, so many rows on; at once, so that no key is lost in a scroll that still goes on."""
        if self._has_cursor:
            self._move(self._cursor + rows)
            return
        if rows < 0:
            self._leave_end()
        top = self.scroll_offset.y + rows
        self.scroll_to(y=max(0, min(top, self.max_scroll_y)), animate=False, force=True, immediate=True)

    def action_scroll_end(self) -> None:
        if self._has_cursor:
            self._move(len(self._lines) - 1)
        else:
            self._to_end()

    @property
    def _page(self) -> int:
        return max(1, self.scrollable_content_region.height - len(self._header) - 1)

    def action_pick(self) -> None:
        if self.cursor >= 0:
            self.post_message(self.Picked(self, self.cursor))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._has_cursor if action == "pick" else super().check_action(action, parameters)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._leave_end()

    def _leave_end(self) -> None:
        """The person goes up; where all rows are in view there is no way up, and the end stays in view."""
        if self.scroll_offset.y:
            self._following = False

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is None or not self._has_cursor:
            return
        row = at.y - len(self._header) + self.scroll_offset.y
        if at.y >= len(self._header) and row < len(self._lines):
            self._move(row)
            if event.chain == 2:
                self.action_pick()

    # Search and copy.

    def search(self, text: str) -> int:
        """Marks what matches and returns how many do; an empty text ends the search. Case counts where the text has
        a capital."""
        self._matches.look_for(pattern(drawn(text)), self, self._joined)
        self.refresh()
        return len(self._matches)

    def go_to_match(self, step: int) -> tuple[int, int]:
        """To the match `step` further on from the place in view: (its number from 1, how many there are); 0 if none."""
        found = self._matches.step(step, self._place)
        if found is not None:
            before = self.cursor
            self.goto(found.row, middle=True)
            self._show_match(found)
            self.refresh()
            if self.cursor != before:
                self.post_message(self.Moved(self, self.cursor))
        return self._matches.place

    @property
    def _place(self) -> int:
        """The row the person is at: the cursor's, else the match in view, else the top one."""
        if self._has_cursor:
            return self._cursor
        top, current = self.scroll_offset.y, self._matches.current
        in_view = current is not None and top <= current.row < top + self.scrollable_content_region.height
        return current.row if current is not None and in_view else top

    def _show_match(self, match: Match) -> None:
        """Scrolls sideways to it, unless it is in view already."""
        text, left, width = self.line_text(match.row), self.scroll_offset.x, self.scrollable_content_region.width
        start, end = cells(text[: match.start]), cells(text[: match.end])
        kept = self._kept if left else 0
        if end > kept and not (left + kept <= start and end <= left + width):
            self.scroll_to(x=max(0, start - max(self._kept, width // 3)), animate=False, force=True, immediate=True)

    def line_text(self, row: int) -> str:
        """A row as it is drawn, but whole."""
        return "".join(drawn(text) for text, _ in self._lines[row])

    def copy_text(self) -> str:
        """What `copied` gives, else the row under the cursor; all rows with their header where there is no cursor."""
        if self.copied is not None and (text := self.copied()):
            return text
        copied = [self._lines[self.cursor]] if self.cursor >= 0 else [*self._header, *self._lines]
        return "\n".join("".join(flat(text) for text, _ in line) for line in copied)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        head = [content([line]).plain for line in self._header]
        return selection.extract("\n".join([*head, *(self._content(row).plain for row in range(self.row_count))])), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        self.refresh()

    # Drawing.

    @property
    def _kept(self) -> int:
        """Cells at the left that stay when scrolled sideways."""
        return self.frozen if self.frozen * 2 <= self.scrollable_content_region.width else 0

    def render_line(self, y: int) -> Strip:
        left, top = self.scroll_offset
        width, head = self.scrollable_content_region.width, len(self._header)
        base = self.visual_style
        number = y if y < head else y + top
        row = number - head
        if row >= len(self._lines):
            return Strip.blank(width, base.rich_style)
        line = content([_cut(self._header[y])]) if y < head else self._content(row)
        if row >= 0:
            if self._lines[row] and self._lines[row][-1][0] == "":
                base += Style(background=self._style_of(self._lines[row][-1][1]).background)
            if row in self._marks:
                base += self._part("marked")
            if row == self.cursor:
                base += (cursor := self._part("focused cursor" if self.has_focus else "cursor"))
                if cursor.reverse:  # one bar; a bar of many colours is no bar
                    line = line.stylize(cursor)
            for match in self._matches.in_row(row):
                kind = "found" if match == self._matches.current else "match"
                line = line.stylize(self._part(kind), match.start, match.end)
        if (selection := self.text_selection) is not None and (span := selection.get_span(number)) is not None:
            start, end = span
            marked = Style.from_styles(self.screen.get_component_styles("screen--selection"))
            line = line.stylize(marked, start, len(line.plain) if end == -1 else end)
        segments = [Segment(text, style.rich_style) for text, style in line.render(base, "", self._style_of)]
        strip = Strip(segments)
        kept = self._kept if left else 0
        shown = strip.crop_extend(left + kept, left + width, base.rich_style).apply_offsets(left + kept, number)
        whole = Strip.join([strip.crop_extend(0, kept, base.rich_style), shown]) if kept else shown
        return self._with_edges(whole, strip, kept, base)

    def _with_edges(self, shown: Strip, strip: Strip, kept: int, base: Style) -> Strip:
        """What is seen of a row, with a sign at each edge over which it goes on. `kept` cells at its left stay."""
        left, width = self.scroll_offset.x, shown.cell_length
        edge = (base + self._style_of("$text-quiet")).rich_style
        if left and not _is_blank(strip, kept, left + kept):
            shown = Strip.join([shown.crop(0, kept), Strip([Segment(LEFT, edge)], 1), shown.crop(kept + 1, width)])
        if not _is_blank(strip, left + width, strip.cell_length):
            shown = Strip.join([shown.crop(0, width - 1), Strip([Segment(RIGHT, edge)], 1)])
        return shown

    def _part(self, name: str) -> Style:
        return self._style_of((ANSI_PARTS if self.app.native_ansi_color else PARTS)[name])

    def _style_of(self, style: str | Style) -> Style:
        return style if isinstance(style, Style) else self.app.stylesheet.parse_style(style)

    def _content(self, row: int) -> Content:
        number = self._base + row
        if number not in self._drawn:
            if len(self._drawn) > 2_000:
                self._drawn.clear()
            self._drawn[number] = content([_cut(self._lines[row])])
        return self._drawn[number]


def _is_blank(strip: Strip, start: int, end: int) -> bool:
    return end <= start or not strip.crop(start, end).text.strip()


def _cut(line: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The line, or its beginning and how much of it is left out."""
    if sum(len(text) for text, _ in line) <= DRAWN_AT_MOST:
        return line
    room, kept = DRAWN_AT_MOST, []
    for text, style in line:
        kept.append((text[:room], style))
        room -= min(room, len(text))
    over = sum(len(text) for text, _ in line) - DRAWN_AT_MOST
    return [*kept, (f" … {over:,} more characters", "$text-quiet")]


def _width(line: list[tuple[str, str]]) -> int:
    """Cells the line takes when drawn."""
    return sum(len(text) if text.isascii() and text.isprintable() else cells(text) for text, _ in _cut(line))
