"""A dialler that goes nowhere."""

from __future__ import annotations

import socket
from collections.abc import Sequence

import httpcore2


class Recorder:
    """A dialler that writes down where it was sent, and a resolver with a table."""

    def __init__(self, names: dict[str, list[str]] | None = None) -> None:
        self.names = names or {}
        self.dialled: list[tuple[str, int]] = []
        self.looked_up: list[str] = []

    async def lookup(self, host: str, port: int) -> Sequence[str]:
        self.looked_up.append(host)
        if host not in self.names:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return self.names[host]

    async def dial(self, address: str, port: int, seconds: float) -> httpcore2.AsyncNetworkStream:
        self.dialled.append((address, port))
        raise httpcore2.ConnectError("nothing is dialled in a test")
