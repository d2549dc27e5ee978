"""What came out of a run, as lines of spans: findings, files, rows."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from scrapewright.exports.table import Table
from scrapewright.session.attempt import AttemptState
from scrapewright.session.result import Artifact, RunResult
from scrapewright.session.sanitize import one_line
from scrapewright.session.state import Session
from scrapewright.session.verdict import Dispute, Finding
from scrapewright.session.wording import account, likelihood, rests_on
from scrapewright.tui.view.cells import EMPTY, cells, fit
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.view.units import counted, human_bytes

CELL = 40
"""Cells a column takes at most; the whole value is one key away."""
COLUMNS = 200
"""Columns that are shown."""
LINK_AT_MOST = 2_000
"""Characters of a link that are looked at; longer ones are no links to `exports.table` either."""
LEAST, FEWEST = 12, 6
"""Cells a column of texts or links keeps where room is short, and where columns would not be seen; numbers keep all."""
KEPT_COLUMN = 24
"""The widest first column that stays when scrolled sideways."""
NUMBERS = frozenset({"int", "float"})
ROWS_NAMED = 12


@dataclass(frozen=True)
class Sheet:
    """A table ready to be drawn. `frozen` are the cells at the left that stay when scrolled sideways."""

    table: Table
    lines: list[Spans]
    names: Spans
    kinds: Spans
    frozen: int


def sheet(table: Table, room: int = 0) -> Sheet:
    """Lays rows out in columns with their numbers, from 1. Numbers are aligned at their points; a link
    that is too long is cut inside, for how it ends tells it from others; line breaks are seen.

    With `room` (in cells) columns of texts and links give way where that brings all columns into view.
    """
    columns = table.columns[:COLUMNS]
    kinds = table.kinds[:COLUMNS] or ("",) * len(columns)
    empty = table.empty or (0,) * len(columns)
    said = [
        kind + (f" {missing:,}{EMPTY}" if missing and kind != "empty" else "")
        for kind, missing in zip(kinds, empty, strict=False)
    ]
    names = [one_line(name, CELL) or " " for name in columns]
    shown = [_column([row[place] for row in table.rows], kind) for place, kind in enumerate(kinds)]
    widths = [
        min(CELL, max(cells(text) for text in [name, kind, *column]))
        for name, kind, column in zip(names, said, shown, strict=True)
    ]
    digits = len(str(table.first + len(table.rows)))
    if room > 0:
        said_in = [max(cells(name), cells(about)) for name, about in zip(names, said, strict=True)]
        space = room - digits - 1 - 2 * (len(widths) - 1)
        for fewest, whole in ((LEAST, True), (LEAST, False), (FEWEST, False)):  # names are cut before a column is lost
            least = [
                width if kind in NUMBERS else min(width, max(fewest, head if whole else 0))
                for width, kind, head in zip(widths, kinds, said_in, strict=True)
            ]
            if sum(least) <= space:
                break
        widths = _narrowed(widths, least, space)
    laid = [
        [fit(text, width, right=kind in NUMBERS, middle=kind == "link") + "  " for text in [name, about, *column]]
        for name, about, kind, column, width in zip(names, said, kinds, shown, widths, strict=True)
    ]
    margin = " " * (digits + 1)
    head: Spans = [(margin, ""), *((column[0], "bold $primary") for column in laid)]
    if len(table.columns) > COLUMNS:
        head.append((f"… {counted(len(table.columns) - COLUMNS, 'more column')}", QUIET))
    below: Spans = [(margin, ""), *((column[1], QUIET) for column in laid)]
    lines: list[Spans] = []
    for place in range(len(table.rows)):
        line: Spans = [(f"{table.first + place + 1:>{digits}} ", QUIET)]
        for of, column in zip(shown, laid, strict=True):
            line.append((column[place + 2], QUIET if of[place].rstrip() == EMPTY else ""))
        lines.append(line)
    first = widths[0] + 2 if widths and widths[0] <= KEPT_COLUMN else 0
    return Sheet(table, lines, head, below, digits + 1 + first)


def _narrowed(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """The widths with the widest cut alike until they fit; as they are where that can't be."""
    for most in range(max(widths, default=0), 0, -1):
        cut = [max(low, min(width, most)) for width, low in zip(widths, least, strict=True)]
        if sum(cut) <= room:
            return cut
    return list(widths)


def _column(values: list[str], kind: str) -> list[str]:
    """The cells of a column as they are shown, before they are made equally wide."""
    most = LINK_AT_MOST if kind == "link" else 2 * CELL
    shown = [one_line(value.replace("\n", " ↵ ") if value.strip() else EMPTY, most) for value in values]
    if kind != "float":
        return shown
    after = [len(text) - text.rfind(".") if "." in text else 0 for text in shown]
    most_after = max(after, default=0)
    return [text + " " * (most_after - behind) for text, behind in zip(shown, after, strict=True)]


def marked(laid: Sheet, finding: Finding | None) -> tuple[list[Spans], list[int]]:
    """The lines with the cells that a finding names standing out, and the places of its rows among them."""
    if finding is None:
        return laid.lines, []
    first, count = laid.table.first, len(laid.lines)
    places = [row - first for row in finding.rows if first <= row < first + count]
    if finding.column not in laid.table.columns[:COLUMNS]:
        return laid.lines, places
    column = laid.table.columns.index(finding.column) + 1
    lines = list(laid.lines)
    for place in places:
        lines[place] = [*lines[place]]
        lines[place][column] = (lines[place][column][0], "bold on $line-crashed")
    return lines, places


def marked_names(laid: Sheet, finding: Finding | None) -> Spans:
    """The column names with the one that a finding names standing out."""
    if finding is None or finding.column not in laid.table.columns[:COLUMNS]:
        return laid.names
    column = laid.table.columns.index(finding.column) + 1
    return [(t, "bold $error") if n == column else (t, s) for n, (t, s) in enumerate(laid.names)]


def table_title(laid: Sheet, name: str, place: int, files: int, finding: Finding | None) -> Spans:
    """The file, how many rows, which of them are shown, and what is marked."""
    table = laid.table
    said = ""
    if table.total > len(table.rows):
        said = f" · {table.first + 1:,} to {table.first + len(table.rows):,} shown, {{ }} turn"
    if files > 1:
        said += f" · file {place + 1} of {files}, F turns"
    marks = f" · marked: {one_line(finding.message, 120)}" if finding is not None and finding.rows else ""
    return [(f"{one_line(name, 60)}: {counted(table.total, 'row')}", ""), (said, QUIET), (marks, "$warning")]


def row_as_a_whole(table: Table, place: int) -> tuple[str, list[tuple[str, str]]]:
    """Which row it is, counted from 1, and its names and values."""
    said = f"row {table.first + place + 1:,} of {table.total:,}"
    return said, list(zip(table.columns, table.rows[place], strict=True))


# The checks.


@dataclass(frozen=True)
class CheckLine:
    """`finding` is the place of the finding that the line belongs to, -1 if none."""

    spans: Spans
    finding: int = -1


def checks(attempt: AttemptState | None, width: int) -> list[CheckLine]:
    """The verdict, its findings with what each rests on, what was checked and what was not; broken to the
    width."""
    verdict = attempt.verdict if attempt is not None else None
    if attempt is None or verdict is None:
        return [CheckLine([("not judged yet" if attempt is not None else "no attempt yet", QUIET)])]
    word, color = ("accepted", "$success") if attempt.accepted else ("falls short", "$error")
    if verdict.ok and not attempt.accepted:
        word, color = "right", "$success"
    elif verdict.doubtful and not attempt.accepted:
        word, color = "doubtful", "$warning"
    counts = f"{counted(verdict.rows, 'row')}, {counted(verdict.pages, 'page')}"
    likely = likelihood(verdict.probability)
    said = f"  {likely}, {counts}" if likely else f"  {counts}, score {verdict.score:.2f}"
    lines = [CheckLine([(word, f"bold {color}"), (said, QUIET)])]
    for place, finding in enumerate(verdict.findings):
        shown = _finding(finding, verdict.dispute(finding), max(30, width - 1))
        lines += [CheckLine(spans, place) for spans in shown]
    if not verdict.findings:
        lines.append(CheckLine([("nothing was found wrong", QUIET)]))
    for said in account(verdict):
        parts = textwrap.wrap(one_line(said, 4_000), max(30, width - 1), subsequent_indent="  ")
        lines += [CheckLine([(part, QUIET)]) for part in parts]
    return lines


def _finding(finding: Finding, dispute: Dispute | None, width: int) -> list[Spans]:
    serious = finding.severity == "error"
    color = "$error" if serious else "$warning"
    text = textwrap.wrap(one_line(finding.message, 1_000), width - 2) or [""]
    mark = {"error": "✖ ", "doubt": "? "}.get(finding.severity, "· ")
    lines: list[Spans] = [[(mark, f"bold {color}"), (text[0], "")]]
    lines += [[("  ", ""), (more, "")] for more in text[1:]]
    details = [f"column {one_line(finding.column, 60)}"] if finding.column else []
    if finding.rows:
        named = ", ".join(str(row + 1) for row in finding.rows[:ROWS_NAMED])
        more = f" and {len(finding.rows) - ROWS_NAMED} more" if len(finding.rows) > ROWS_NAMED else ""
        details.append(f"{'row' if len(finding.rows) == 1 else 'rows'} {named}{more}")
    details += [f"{word} {one_line(value, 120)}" for word, value in (("asked", finding.expected), ("got", finding.got))
                if value]  # fmt: skip
    details += filter(None, [rests_on(finding)])
    lines += [[("  ", ""), (part, QUIET)] for part in textwrap.wrap(" · ".join(details), width - 2)]
    if dispute is not None:
        said = textwrap.wrap(f"contested: {one_line(dispute.in_words, 1_000)}", width - 2)
        lines += [[("  ", ""), (part, "$warning")] for part in said]
    return lines


def first_named(findings: Sequence[Finding]) -> int:
    """The finding that the cursor belongs on at first: the first serious one, else the first; -1 if there is none."""
    serious = [place for place, finding in enumerate(findings) if finding.severity != "warning"]
    return next(iter(serious), 0 if findings else -1)


# The files.


def file_lines(result: RunResult | None, session: Session) -> tuple[list[Spans], list[Spans]]:
    """What the program wrote, a row each; above them where the session's results were put."""
    header: list[Spans] = []
    for path in session.end.files if session.end is not None else ():
        header.append([("wrote ", QUIET), (one_line(path, 400), "$success")])
    artifacts = result.artifacts if result is not None else ()
    if result is not None and result.artifacts_note:
        header.append([(one_line(result.artifacts_note, 300), "$warning")])
    if not artifacts:
        header.append([("no files", QUIET)])
    return [_file(artifact) for artifact in artifacts], header


def _file(artifact: Artifact) -> Spans:
    return [
        (f"{human_bytes(artifact.bytes):>8}  ", QUIET), (one_line(artifact.name, 200), ""),
        (f"  {one_line(artifact.media_type, 60)}", QUIET),
    ]  # fmt: skip
