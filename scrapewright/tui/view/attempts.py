"""The list of attempts, as lines of spans: a tree where a rewind made branches, a plain list otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from scrapewright.session.attempt import AttemptState
from scrapewright.session.sanitize import one_line
from scrapewright.session.spending import Spent, in_dollars, together
from scrapewright.session.state import Session
from scrapewright.tui.view.cells import fit
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.view.units import compact, took

NUMBER = 2
"""Cells of an attempt's number, at the right of which it is where nothing branches."""


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


WIDE = 80
"""Cells from which what models took is shown too."""


def attempt_header(session: Session, width: int = 0) -> list[Spans]:
    """The header above the attempts: 56 cells where nothing branches, half of 120 columns without what frames it; more
    where `width` allows it."""
    number = "#".ljust(_label_width(session))
    spent = f" {'spent':>5}  {'cost':7} model" if session.spent and width >= WIDE else ""
    return [[(f"   {number} {'author':8}{'outcome':15}score{'rows':>6}  {'lines':8}{'took':>6}{spent}", QUIET)]]


def attempt_lines(session: Session, *, looked_at: int, against: int, width: int = 0) -> list[tuple[int, Spans]]:
    """(attempt, its row) in the order shown: ▸ the one looked at, ≠ the one it is compared with, ★ the best, where it
    came to anything."""
    best, label_width = session.best, _label_width(session)
    spent = {one.attempt: one for one in together(session.spent if width >= WIDE else (), lambda one: one.attempt)}
    found = []
    for attempt, drawing in in_order(session):
        star = attempt is best and (attempt.good or attempt.score > 0)
        mark = "▸" if attempt.id == looked_at else "≠" if attempt.id == against else " "
        here = "bold $primary" if attempt.id == looked_at else "bold"
        number = (f"{attempt.id}" if drawing else f"{attempt.id:>{NUMBER}}").ljust(label_width - len(drawing))
        label: Spans = [(f"{mark}{'★' if star else ' '} ", here), (drawing, QUIET), (f"{number} ", here)]
        found.append((attempt.id, label + _about(attempt) + _spent(attempt, spent.get(attempt.id))))
    return found


def _spent(attempt: AttemptState, spent: Spent | None) -> Spans:
    """What models took for an attempt, writing and reviewing together, and which of them wrote it."""
    if spent is None:
        return []
    cost = in_dollars(spent.cost) if spent.cost else ""
    tokens = "kept" if attempt.kept and not spent.tokens else compact(spent.tokens)
    return [(f" {tokens:>5}  {cost:7} {one_line(attempt.model, 40)}", QUIET)]


def _label_width(session: Session) -> int:
    return max([NUMBER, *(len(f"{drawing}{attempt.id}") for attempt, drawing in in_order(session))])


def _about(attempt: AttemptState) -> Spans:
    color = "$success" if attempt.good else "$error" if attempt.status not in {None, "ok"} else "$warning"
    score = f"{attempt.score:.2f}" if attempt.verdict is not None else ""
    rows = f"{attempt.verdict.rows}" if attempt.verdict is not None else ""
    change = f"+{attempt.added} −{attempt.removed}" if attempt.added or attempt.removed else f"{attempt.lines}"
    seconds = took(attempt.seconds) if attempt.status is not None else ""
    return [
        (f"{attempt.author:7} ", QUIET), (f"{fit(one_line(attempt.outcome, 40), 14)} ", color),
        (f"{score:5}{rows:>6}  {change:8}{seconds:>6}", QUIET),
    ]  # fmt: skip
