"""The terminal of a workbench that is shown in a browser, by way of the process that serves it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from textual.drivers.web_driver import WebDriver

VARIABLE = "TEXTUAL_DRIVER"
NAME = f"{__name__}:BrowserDriver"
"""What the variable says in a workbench that is shown in a browser."""


class BrowserDriver(WebDriver):
    """A tab that is closed is a terminal that is gone: the session is left as it is, to be continued later."""

    def __init__(self, app: Any, **options: Any) -> None:
        super().__init__(app, **options)
        self._of_app = asyncio.get_running_loop()

    def write(self, data: str) -> None:
        with suppress(OSError):  # who served it is gone
            super().write(data)

    def write_meta(self, data: dict[str, object]) -> None:
        with suppress(OSError):
            super().write_meta(data)

    def on_meta(self, packet_type: str, payload: dict[str, object]) -> None:
        if packet_type == "quit":
            self._left()
        else:
            super().on_meta(packet_type, payload)

    def run_input_thread(self) -> None:
        super().run_input_thread()
        if not self.exit_event.is_set():  # who served it is gone
            self._left()

    def _left(self) -> None:
        with suppress(RuntimeError):  # the application is gone, too
            self._of_app.call_soon_threadsafe(self._app.terminal_gone)  # type: ignore[attr-defined]  # ours has it
