"""The only ways to put outside text on the screen: sanitized, and never read as markup."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content
from textual.widgets import Static

from scrapewright.tui.view.cells import drawn

Span = tuple[str, str]
"""(text, style); the style is a theme variable such as "$error", or empty."""
Line = Iterable[Span]


def content(lines: Iterable[Line | str]) -> Content:
    """Lines of spans as one Content. A plain string is a line without style."""
    whole: list[Content] = []
    for line in lines:
        spans = [(line, "")] if isinstance(line, str) else list(line)
        parts = [_span(text, style) for text, style in spans]
        whole.append(Content("").join(parts) if parts else Content(""))
    return Content("\n").join(whole)


def _span(text: str, style: str) -> Content:
    return Content.styled(drawn(text), style) if style else Content(drawn(text))


class Plain(Static):
    """Shows lines; leaves the screen alone where nothing changed."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(markup=False, id=id, classes=classes)
        self._shown: Content | None = None

    def show(self, lines: Iterable[Line | str]) -> None:
        new = content(lines)
        if self._shown is None or not new.is_same(self._shown):  # == compares the words alone
            self._shown = new
            self.update(new)
