"""Text to be read: lines that are broken to the width, and can be searched and copied like any rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from scrapewright.tui.view.cells import drawn
from scrapewright.tui.view.spans import Spans
from scrapewright.tui.view.wrap import wrap_spans
from scrapewright.tui.widgets.plain import Line
from scrapewright.tui.widgets.rows import Rows


class Prose(Rows):
    """Rows that are never wider than the widget; a row that is marked is marked in all its pieces."""

    DEFAULT_CSS = """
    Prose { scrollbar-gutter: stable; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._said: tuple[list[Spans], list[Line], Collection[int]] = ([], [], ())
        self._broken: dict[tuple[tuple[str, str], ...], list[Spans]] = {}
        self._broken_to = 0

    def show(self, lines: Iterable[Line], *, header: Iterable[Line] = (), marks: Collection[int] = ()) -> None:
        self._said = [[(drawn(text), style) for text, style in line] for line in lines], list(header), marks
        self._break()

    def _break(self) -> None:
        """What was broken to this width before is not broken again: a story grows by a line at a time."""
        width = self.scrollable_content_region.width
        if width <= 0:
            return
        before = self._broken if width == self._broken_to else {}
        self._broken, self._broken_to = {}, width
        lines, header, marks = self._said
        pieces: list[Spans] = []
        marked: list[int] = []
        for number, line in enumerate(lines):
            key = tuple(line)
            self._broken[key] = broken = before.get(key) or wrap_spans(line, width)
            if number in marks:
                marked += range(len(pieces), len(pieces) + len(broken))
            pieces += broken
        super().show(pieces, header=header, marks=marked)

    def on_resize(self) -> None:
        if self.scrollable_content_region.width != self._broken_to:
            self._break()
