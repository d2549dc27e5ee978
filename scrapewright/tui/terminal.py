"""What is said to the terminal itself: a bell and a title when an answer is wanted."""

from __future__ import annotations

from collections.abc import Callable

BELL = "\a"
KEEP_TITLE = "\x1b[22;2t"
TITLE_BACK = "\x1b[23;2t"
"""XTerm's stack of titles, which tmux, VTE, kitty and others have too; the rest ignore both."""
TITLE = "scrapewright: an answer is wanted"


class Caller:
    """Calls the person, and takes the call back. `write` puts a text on the terminal as it is."""

    def __init__(self, write: Callable[[str], None], *, on: bool = True) -> None:
        self._write = write
        self._on = on
        self.calling = False

    def call(self) -> None:
        """Rings once for each call; the title stays until `done`."""
        if not self._on:
            return
        title = "" if self.calling else f"{KEEP_TITLE}\x1b]2;{TITLE}{BELL}"
        self.calling = True
        self._write(title + BELL)

    def done(self) -> None:
        """The title is as it was."""
        if self.calling:
            self.calling = False
            self._write(TITLE_BACK)
