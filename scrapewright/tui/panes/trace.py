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
        return super().key(subject, tab), len(session.requests) + session.requests_dropped

    def lines(self, subject: Subject, tab: str) -> Iterable[Line]:
        result = subject.result()
        match tab:
            case "frames":
                return view.frames(result, subject.attempt)
            case "steps":
                return view.steps(result)
            case _:
                return view.requests(subject.session, subject.attempt, result)
