"""The line at the top: what is going on, how far it is, and what it costs."""

from __future__ import annotations

from rich.cells import cell_len

from scrapewright.session.events import Phase
from scrapewright.session.sanitize import one_line
from scrapewright.session.spending import in_dollars
from scrapewright.session.state import Session
from scrapewright.tui.view.spans import QUIET
from scrapewright.tui.view.units import clock, compact, counted
from scrapewright.tui.widgets.plain import Plain, Span

BAR = 12
"""Cells of the progress bar."""
GAP = " · "

_WAITS = frozenset({Phase.WAITING, Phase.PAUSED, Phase.PAUSING})


def phase_span(session: Session) -> Span:
    """A glyph and a word, in the colour of what it means."""
    end = session.end
    if end is not None:
        good = end.exit_code == 0
        glyph = "✓" if good else "■" if end.outcome == "stopped" else "✖"
        return f" {glyph} {end.outcome} ", "bold $success" if good else "bold $error"
    if session.phase in _WAITS:
        glyph = "?" if session.phase is Phase.WAITING else "‖"
        return f" {glyph} {session.phase} ", "bold $warning"
    return f" ● {session.phase or 'starting'} ", "bold $primary"


def status_line(
    session: Session, *, now: float, width: int, first: tuple[Span, ...] = (), pace: tuple[str, bool] = ("", False)
) -> list[Span]:
    """The line, `width` cells wide at most where that is possible at all; what matters least goes first.

    `now` is in seconds since the epoch; `first` comes before all (a replay says where it is). `pace` is how fast it
    goes, and whether that is a warning.
    """
    head = [*first, phase_span(session)]
    progress = _progress(session)
    parts = _parts(session, now)
    if pace[0] and session.end is None:
        parts.insert(0, (0, pace[0], "$warning" if pace[1] else ""))
    used = _cells(head) + _cells(progress)
    for least in sorted({rank for rank, _, _ in parts}, reverse=True):
        if used + 1 + sum(cell_len(text) + len(GAP) for _, text, _ in parts) <= width:
            break
        parts = [part for part in parts if part[0] < least]
    line = list(head)
    for number, (_, text, style) in enumerate(parts):
        line.append((GAP if number else " ", QUIET))
        line.append((text, style))
    if progress:
        line.append((" " * max(2, width - _cells(line) - _cells(progress)), ""))
        line += progress
    return line


def _parts(session: Session, now: float) -> list[tuple[int, str, str]]:
    """(rank, text, style): the higher the rank, the sooner it is left out where there is no room."""
    end = session.end
    elapsed = (session.at if end else max(now, session.at)) - session.started_at
    number = session.current
    writer = "cassette" if session.cassette else session.writer
    model = f" {one_line(writer, 24)}" if writer else ""
    parts = []
    if session.phase is Phase.PAUSING and end is None:
        parts.append((0, "esc again kills the running step", "$warning"))
    elif session.phase is Phase.PAUSED and end is None:
        parts.append((0, "f5 goes on", "$warning"))
    if number:
        within = number <= session.max_attempts
        parts.append((1, f"attempt {number} of {session.max_attempts}" if within else f"attempt {number}", ""))
    elif end is None:
        parts.append((1, f"up to {counted(session.max_attempts, 'attempt')}", ""))
    parts.append((3, f"mode {session.mode}", QUIET))
    if session.programmer:
        parts.append((5, f"{one_line(session.programmer, 20)}{model}", QUIET))
    if session.sandbox:
        parts.append((6, one_line(session.sandbox, 20), QUIET))
    if session.tokens:
        parts.append((4, f"{compact(session.tokens)} tokens", QUIET))
    if session.cost:
        parts.append((4, in_dollars(session.cost), QUIET))
    parts.append((2, clock(elapsed), QUIET))
    if session.id:
        parts.append((7, one_line(session.id, 20), QUIET))
    return parts


def _progress(session: Session) -> list[Span]:
    live = session.live
    if session.over:
        return []
    if not live.what:
        asked = sum(attempt == session.current for attempt, _ in session.requests)
        more = "+" if session.requests_dropped and asked == len(session.requests) else ""
        fetching = session.phase is Phase.RUNNING and asked
        return [(f"{compact(asked)}{more} request{'s' if asked != 1 else ''} ", QUIET)] if fetching else []
    if live.total <= 0:
        return [(f"{one_line(live.what, 40)} {compact(live.done)} ", QUIET)]
    share = min(1.0, max(0.0, live.done / live.total))
    full = round(BAR * share)
    said = f" {compact(live.done)}/{compact(live.total)} {one_line(live.what, 24)} "
    return [("━" * full, "$primary"), ("━" * (BAR - full), "$line-running"), (said, QUIET)]


def _cells(line: list[Span]) -> int:
    return sum(cell_len(text) for text, _ in line)


class StatusLine(Plain):
    """Shows the status of a session, or what to do where there is none."""

    DEFAULT_CSS = """
    StatusLine { height: 1; background: $panel; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def tell(
        self, session: Session, *, now: float, first: tuple[Span, ...] = (), pace: tuple[str, bool] = ("", False)
    ) -> None:
        self.show([status_line(session, now=now, width=self.size.width or 10_000, first=first, pace=pace)])

    def greet(self, text: str) -> None:
        """Without a session."""
        self.show([[(" scrapewright ", "bold $primary"), (f" {text}", QUIET)]])
