"""How it ran: frames and locals, the last steps, stderr, requests."""

from __future__ import annotations

from collections.abc import Iterable

from scrapewright.tui import view
from scrapewright.tui.panes.tabbed import TabbedPane
from scrapewright.tui.subject import Subject
from scrapewright.tui.widgets.plain import Line


class TracePane(TabbedPane):
    TITLE = "Trace"
    TABS = ("frames", "steps", "stderr", "requests")
    WRAPPED = frozenset({"frames"})

    def key(self, subject: Subject, tab: str) -> object:
        session = subject.session
        live = session.live.stderr if tab == "stderr" and subject.live else ""
        return super().key(subject, tab), live, len(session.requests) + session.requests_dropped

    def lines(self, subject: Subject, tab: str) -> Iterable[Line]:
        result = subject.result()
        live = subject.session.live if subject.live else None
        match tab:
            case "frames":
                return view.frames(result, subject.attempt)
            case "steps":
                return view.steps(result)
            case "stderr":
                return view.log(result.stderr.text if result is not None else live.stderr if live else "")
            case _:
                return view.requests(subject.session, subject.attempt, result)
