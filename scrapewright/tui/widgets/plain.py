"""The only ways to put outside text on the screen: sanitized, and never read as markup."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content
from textual.widgets import Static

from scrapewright.session.sanitize import sanitize

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


def clean(text: str) -> str:
    """A span's text as it is put on the screen: on one line, nothing in it that a terminal obeys."""
    return sanitize(text).replace("\n", " ").expandtabs(4)


def _span(text: str, style: str) -> Content:
    return Content.styled(clean(text), style) if style else Content(clean(text))


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
