"""The progress of `image build` on stderr: a line for each step, and what the steps print."""

from __future__ import annotations

import time
from typing import TextIO

from scrapewright.session.sanitize import one_line

WIDTH = 160


class BuildProgress:
    """Prints the build's progress. Called from the thread that builds."""

    def __init__(self, err: TextIO) -> None:
        self._err = err
        self._began = time.monotonic()
        self._step = -1.0

    def __call__(self, text: str, done: float, total: float) -> None:
        """`text` as the engine sent it, `done` steps of `total` (0.0: not known)."""
        if done != self._step and total:
            self._step = done
            line = f"[{done + 1:.0f}/{total:.0f}] {one_line(text, WIDTH)}"
        elif text.startswith(("--->", "Removing intermediate", "Successfully")):
            return
        else:
            line = f"  {one_line(text, WIDTH)}"
        print(f"{time.monotonic() - self._began:6.1f} s  {line}", file=self._err, flush=True)
