"""The list of attempts, as lines of spans: a tree where a rewind made branches, a plain list otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from scrapewright.session.state import AttemptState, Session
from scrapewright.tui.view.spans import QUIET, Spans

HEADER: list[Spans] = [[(f"  no {'author':8}{'outcome':15}score{'rows':>6}  {'lines':9}{'took':>6}", QUIET)]]
"""56 cells: the half of 120 columns without what frames it."""


def in_order(session: Session) -> Iterator[tuple[AttemptState, str]]:
    """Each attempt with the tree's drawing before it. An only child goes on below its parent; two or more branch."""
    children: dict[int, list[AttemptState]] = {}
    for attempt in session.attempts.values():
        parent = attempt.parent if attempt.parent in session.attempts else 0
        children.setdefault(parent, []).append(attempt)
    waiting = [(attempt, "", "") for attempt in reversed(children.get(0, []))]
    while waiting:
        attempt, drawing, below = waiting.pop()
        yield attempt, drawing
        kids = children.get(attempt.id, [])
        if len(kids) == 1:
            waiting.append((kids[0], below, below))
            continue
        for kid in reversed(kids):
            last = kid is kids[-1]
            waiting.append((kid, below + ("└ " if last else "├ "), below + ("  " if last else "│ ")))


def attempt_lines(session: Session, *, looked_at: int, against: int) -> list[tuple[int, Spans]]:
    """(attempt, its row) in the order shown: ★ the best, ▸ the one looked at, ≠ the one it is compared with."""
    best = session.best
    return [
        (attempt.id, _line(attempt, drawing, best=attempt is best, looked_at=looked_at, against=against))
        for attempt, drawing in in_order(session)
    ]


def _line(attempt: AttemptState, drawing: str, *, best: bool, looked_at: int, against: int) -> Spans:
    color = "$success" if attempt.good else "$error" if attempt.status not in {None, "ok"} else "$warning"
    mark = "★" if best else "▸" if attempt.id == looked_at else "≠" if attempt.id == against else " "
    here = "bold $primary" if attempt.id == looked_at else "bold"
    score = f"{attempt.score:.2f}" if attempt.verdict is not None else ""
    rows = f"{attempt.verdict.rows}" if attempt.verdict is not None else ""
    change = f"+{attempt.added} −{attempt.removed}" if attempt.added or attempt.removed else f"{attempt.lines}"
    seconds = f"{attempt.seconds:.1f} s" if attempt.status is not None else ""
    other = " ≠" if attempt.id == against and mark != "≠" else ""
    return [
        (mark, here), (f"  {drawing}", QUIET), (f"{attempt.id} ", here), (f"{attempt.author:7} ", QUIET),
        (f"{attempt.outcome:14.14} ", color), (f"{score:5}{rows:>6}  {change:8} {seconds:>6}{other}", QUIET),
    ]  # fmt: skip
