"""A code view and editor: Pygments colours, marked lines, through TextArea's public hooks.

No tree-sitter: its current release crashes the terminal application.
"""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.strip import Strip
from textual.widgets import TextArea

HIGHLIGHT_AT_MOST = 2_000
"""Lines; a longer program is shown without colours, which would take longer than a key may wait."""

GLYPHS = {"crashed": "✖", "running": "▶", "added": "+", "removed": "−"}
_TOKENS = (
    ("Keyword", "keyword"), ("Name.Function", "function"), ("Name.Class", "function"), ("Name.Builtin", "function"),
    ("Literal.String", "string"), ("Literal.Number", "number"), ("Comment", "comment"), ("Operator", "operator"),
    ("Name", "name"),
)  # fmt: skip


class CodeView(TextArea):
    """Shows a program; `marks` maps 0-based lines to crashed, running, added or removed."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(
            "", id=id, read_only=True, show_line_numbers=True, soft_wrap=False, tab_behavior="indent", theme="css"
        )
        self._spans: list[list[tuple[int, int, Style]]] = []
        self._spans_for: str | None = None
        self._marks: dict[int, str] = {}
        self.syntax: dict[str, str] = {}
        self.mark_colors: dict[str, str] = {}

    def show(self, text: str, marks: dict[int, str]) -> None:
        """Replaces the text where it differs, keeping the scroll position, and sets the marks."""
        if text != self.text:
            at = self.scroll_offset
            self.load_text(text)
            self.scroll_to(at.x, at.y, animate=False)
        if marks != self._marks:
            self._marks = dict(marks)
            self._repaint()

    def recolor(self, syntax: dict[str, str], marks: dict[str, str]) -> None:
        """New colours, after a change of theme."""
        self.syntax, self.mark_colors, self._spans_for = syntax, marks, None
        self._repaint()

    def reveal(self, line: int) -> None:
        """Scrolls so that the 0-based line can be seen."""
        if 0 <= line < self.document.line_count:
            self.move_cursor((line, 0))

    @property
    def gutter_width(self) -> int:
        """One column more than the numbers take, for the glyph before them."""
        return super().gutter_width + 1 if self.show_line_numbers else 0

    def _repaint(self) -> None:
        self.notify_style_update()
        self.refresh()

    def get_line(self, line_index: int) -> Text:
        line = super().get_line(line_index)
        self._lex()
        if line_index < len(self._spans):
            for start, end, style in self._spans[line_index]:
                line.stylize(style, start, end)
        if color := self.mark_colors.get(self._marks.get(line_index, "")):
            line.stylize(Style(bgcolor=color))
        return line

    def render_line(self, y: int) -> Strip:
        strip = super().render_line(y)
        row = y + self.scroll_offset.y  # no soft wrap: a screen line is a line
        mark = self._marks.get(row)
        if mark is None or not self.show_line_numbers:
            return strip
        glyph = Segment(GLYPHS[mark], Style(bold=True, color=self.mark_colors.get(f"{mark}-glyph")))
        return Strip.join([Strip([glyph], 1), strip.crop(1)])

    def _lex(self) -> None:
        text = self.text
        if text == self._spans_for:
            return
        self._spans_for, self._spans = text, [[]]
        if not self.syntax or self.document.line_count > HIGHLIGHT_AT_MOST:
            return
        from pygments.lexers.python import PythonLexer

        styles: dict[object, Style | None] = {}
        column = 0
        for token, value in PythonLexer(stripnl=False, ensurenl=False).get_tokens(text):
            if token not in styles:
                styles[token] = self._style(str(token).removeprefix("Token."))
            style = styles[token]
            for number, part in enumerate(value.split("\n")):
                if number:
                    self._spans.append([])
                    column = 0
                if part:
                    if style is not None:
                        self._spans[-1].append((column, column + len(part), style))
                    column += len(part)

    def _style(self, token: str) -> Style | None:
        kind = next((kind for prefix, kind in _TOKENS if token.startswith(prefix)), "")
        color = self.syntax.get(kind)
        return Style(color=color) if color else None
