"""Asks the person, between steps, about hosts that a page or a program wants and the query does not name, and for the
cookies of a page that asks for a login."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from scrapewright.loop.answers import HOST_CHOICES, LOGIN_CHOICES
from scrapewright.loop.failure import Failure
from scrapewright.loop.gate import Gate
from scrapewright.loop.ports import Web
from scrapewright.session import events as ev
from scrapewright.session.journal import Journal
from scrapewright.web.credentials import BadCredentials


class HostApproval:
    """Where nobody can be asked (`attended` is false), a refused host stays refused, and a note says so."""

    def __init__(self, web: Web, gate: Gate, journal: Journal, *, attended: Callable[[], bool]) -> None:
        self._web = web
        self._gate = gate
        self._journal = journal
        self._attended = attended
        self._denied: set[str] = set()
        self._allowed_once: set[str] = set()

    def restore(self) -> None:
        """Allows again what was allowed before the session was cut off."""
        for host in sorted(self._journal.session.allowed_hosts):
            self._web.allow(host)

    async def ask(self) -> bool:
        """Asks about what was refused since the last call. True where a host was allowed, so that the step can be taken
        again. Raises Stopped, Intervention.
        """
        allowed = False
        for host, url in self._web.refused():
            if host in self._denied:
                continue
            if not self._attended():
                self._denied.add(host)
                said = f"{host} was refused (the query does not name it); --allow {host} lets it through"
                await self._journal.note(said)
                continue
            who = "the program asks for" if self._journal.session.current else "the page leads to"
            prompt = f"{who} {url[:200]}, which the query does not name"
            answer = await self._gate.ask("host", prompt, HOST_CHOICES, host=host)
            if answer.kind not in {"allow", "allow-once"}:
                self._denied.add(host)
                continue
            self._web.allow(host)
            if answer.kind == "allow-once":
                self._allowed_once.add(host)
            await self._journal.append_to_current(ev.HostAllowed(host=host, always=answer.kind == "allow"))
            allowed = True
        return allowed

    async def ask_login(self, failure: Failure) -> bool:
        """Asks for a file of cookies where a page asks for a login. True where one was given, so that the step can be
        taken again. Raises Stopped, Intervention.
        """
        if failure.kind not in ("login", "unauthorized") or not self._attended():
            return False
        prompt = f"{failure.message[:300]}: a file of cookies that a browser which is logged in there has exported?"
        answer = await self._gate.ask("login", prompt, LOGIN_CHOICES)
        if answer.kind != "say":
            return False
        try:
            said = await asyncio.to_thread(self._web.log_in, answer.text.strip())
        except BadCredentials as error:  # the file has changed since it was looked at
            said = [("warning", str(error))]
        for level, text in said:
            await self._journal.note(text, level)
        return True

    def run_finished(self) -> None:
        """Withdraws what was allowed for one run."""
        while self._allowed_once:
            self._web.forbid(self._allowed_once.pop())
