"""Screens lay themselves out for the terminal's size, and for no size that is past."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual import events
    from textual.screen import Screen


class StaleResizeFilter:
    """Stands before Screen among a screen's bases, and leaves out sizes that the terminal no longer has.

    Textual tells a screen its size once more whenever a layout has changed it. Two sizes under way at once, with
    anything between them in the queue, would follow each other for ever, and neither a key nor a signal be heard.
    """

    async def _on_resize(self: Screen[Any], event: events.Resize) -> None:  # type: ignore[misc]
        if event.size != self.app.size:
            event.stop()
            event.prevent_default()  # what Screen does with it
