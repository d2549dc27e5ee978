"""Between the gateway and the loop."""

from __future__ import annotations

from typing import Any

from scrapewright.session.result import Request


class Listener:
    """What the gateway reports to; it is made before the loop, which comes later."""

    def __init__(self) -> None:
        self.loop: Any = None
        self.requests: list[Request] = []

    def request(self, attempt: int, request: Request) -> None:
        if self.loop is not None:
            self.loop.on_request(attempt, request)
        else:
            self.requests.append(request)

    def refused(self, attempt: int, host: str, url: str, reason: str) -> None:
        if self.loop is not None:
            self.loop.on_refused(attempt, host, url, reason)
