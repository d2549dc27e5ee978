"""A correction as lines: the columns, the places that one can be corrected to, and the column before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from scrapewright.loop.corrections import EMPTIED, Proposal
from scrapewright.loop.ports import Preview
from scrapewright.session.questions import Option
from scrapewright.session.sanitize import one_line
from scrapewright.tui.view.cells import cells, fit
from scrapewright.tui.view.options import NAME, sample_text, samples_line
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.view.units import counted

SAMPLES = 8
"""Values of a column that are shown beside its name."""
VALUE = 40
"""Cells of a value at most in a preview."""
TYPED = frozenset({"typed", "called or typed otherwise"})
"""What a proposal that was typed is called in the list."""


def column_lines(
    columns: Sequence[str], rows: Sequence[Mapping[str, str]], width: int, others: Sequence[str] = ()
) -> list[Spans]:
    """The columns, numbered from 1, each with the values of the first rows; then what else can be wrong."""
    samples = [[row.get(column, "") for row in rows[:SAMPLES]] for column in columns]
    name = min(NAME, max(map(cells, columns), default=1))
    lines: list[Spans] = [
        [*_number(n), (fit(column, name), "bold"), ("  ", ""), *samples_line(values, width - name - 6)]
        for n, (column, values) in enumerate(zip(columns, samples, strict=True), 1)
    ]
    return lines + [[*_number(n), (other, QUIET)] for n, other in enumerate(others, len(columns) + 1)]


def proposal_lines(proposals: Sequence[Proposal], width: int) -> list[Spans]:
    """The proposals, numbered from 1, each with what it holds in the first records; number 0 leaves a column empty."""
    options = [one.option for one in proposals]
    if not options:
        return []
    room = max(8, width - 4)
    name = min(NAME, room // 3, max(cells(option.text) for option in options))
    where = min(NAME, room // 4, max(cells(option.where) for option in options))
    lines = []
    for n, (one, option) in enumerate(zip(proposals, options, strict=True), 1):
        line = _number(0 if option is EMPTIED else n if one.about != "column" else 10)
        if option.where or option.samples:
            line += [(fit(option.text, name), "bold"), ("  ", "")]
            line += [(fit(option.where, where, middle=True) if where else "", QUIET), ("  ", "")]
            line += samples_line(option.samples, room - name - where - 4)
        else:  # no place: its words have the line
            line.append((one_line(option.text, room), "bold"))
        lines.append(line)
    return lines


def with_samples(proposal: Proposal, preview: Preview) -> Proposal:
    """What the person typed, beside what is offered."""
    option = proposal.option
    samples = tuple(then for _, _, then in preview.rows)
    return msgspec.structs.replace(proposal, option=Option("", option.text, option.where, samples))


def preview_title(proposal: Proposal, preview: Preview) -> Spans:
    """What changes, in a sentence."""
    on = f" on the {counted(preview.pages, 'page')} looked at" if preview.pages > 1 else ""
    on = on or (" on the page looked at" if preview.pages else "")
    if proposal.about == "rows":
        before, after = (sum(row[side] is not None for row in preview.rows) for side in (1, 2))
        if all(old == new for _, old, new in preview.rows):
            return [(f"that makes the same rows{on}", "bold $warning")]
        same = f"{counted(before, 'row')} in another order"
        said = same if _same_rows(preview) else f"{counted(before, 'row')} become {after:,}"
        return [(f"{said}{on}", "bold"), (" · before → after", QUIET)]
    column = proposal.column
    if proposal.about == "column" and not proposal.called:
        return [(f"{one_line(column, 60)} is dropped", "bold")]
    if proposal.about == "column":
        column = f"{one_line(column, 60)} as {one_line(proposal.option.where, 60)}"
        if all(old == new for _, old, new in preview.rows):
            return [(f"{column}: the same values{on}", "bold")]
    changed = sum(before != then for _, before, then in preview.rows)
    empty = sum(then in (None, "", []) for _, _, then in preview.rows)
    total = f"{counted(len(preview.rows), 'record')}{on}"
    column = one_line(column, 130)
    if not changed:
        return [(f"{column} is that already in all of {total}", "bold $warning")]
    left = f", empty in {empty:,}" if empty else ""
    return [(f"{column} changes in {changed:,} of {total}{left}", "bold"), (" · before → after", QUIET)]


def preview_lines(preview: Preview, width: int) -> list[Spans]:
    """Each record: its name, and the column's value before and after."""
    shown = [(name, sample_text(before), sample_text(then)) for name, before, then in preview.rows]
    value = min(VALUE, max(4, width // 3), max((cells(text) for _, *two in shown for text in two), default=1))
    name = min(max(8, width - 2 * value - 8), max((cells(name) for name, _, _ in shown), default=0))
    lines: list[Spans] = []
    for (called, before, then), (_, old, new) in zip(shown, preview.rows, strict=True):
        styles = ("$error", "bold $success") if old != new else (QUIET, "")
        lines.append([
            (f"{fit(called, name)}  " if name else "", QUIET), (fit(before, value), styles[0]), ("  →  ", QUIET),
            (fit(then, value), styles[1]),
        ])  # fmt: skip
    return lines


def _same_rows(preview: Preview) -> bool:
    return sorted(str(row[1]) for row in preview.rows) == sorted(str(row[2]) for row in preview.rows)


def _number(number: int) -> Spans:
    return [(f" {number} " if number < 10 else "   ", "bold reverse $primary"), (" ", "")]
