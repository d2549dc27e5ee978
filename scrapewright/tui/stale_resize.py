"""Keeps screens from laying themselves out for a size that the terminal no longer has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual import events
    from textual.screen import Screen


class StaleResizeFilter:
    """Comes before Screen among a screen's bases, and drops sizes that the terminal no longer has.

    Textual tells a screen its size once more whenever a layout has changed it. Two sizes under way at once, with
    anything between them in the queue, would follow each other for ever, and no key or signal would be handled.
    """

    async def _on_resize(self: Screen[Any], event: events.Resize) -> None:  # type: ignore[misc]
        if event.size != self.app.size:
            event.stop()
            event.prevent_default()  # what Screen does with it
