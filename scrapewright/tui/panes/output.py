"""What came out: rows, the verdict's findings, stdout, files."""

from __future__ import annotations

from collections.abc import Iterable

from scrapewright.exports.table import read_table
from scrapewright.session.sanitize import one_line
from scrapewright.tui import view
from scrapewright.tui.panes.tabbed import TabbedPane
from scrapewright.tui.subject import Subject
from scrapewright.tui.widgets.plain import Line

ROWS = 200
CELL = 48


class OutputPane(TabbedPane):
    TITLE = "Output"
    TABS = ("rows", "checks", "stdout", "files")
    WRAPPED = frozenset({"checks"})

    def lines(self, subject: Subject, tab: str) -> Iterable[Line]:
        result = subject.result()
        match tab:
            case "rows":
                return self._rows(subject)
            case "checks":
                return view.checks(subject.attempt)
            case _:
                return view.files(result, subject.session)

    def _rows(self, subject: Subject) -> Iterable[Line]:
        result, attempt = subject.result(), subject.attempt
        artifacts = result.artifacts if result is not None else ()
        wanted = attempt.verdict.file if attempt is not None and attempt.verdict is not None else ""
        chosen = next((a for a in artifacts if a.name == wanted), None) or next(iter(artifacts), None)
        if chosen is None:
            return [[("no rows yet", view.QUIET)]]
        table = read_table(chosen.name, subject.file(chosen.sha256), limit=ROWS)
        if table is None:
            return [[(f"{chosen.name} is not CSV, JSON or JSON Lines", view.QUIET)]]
        cells = [[one_line(cell, CELL) for cell in row] for row in table.rows]
        widths = [max([len(c), *(len(row[i]) for row in cells)]) for i, c in enumerate(table.columns)]
        head = "  ".join(c.ljust(w) for c, w in zip(table.columns, widths, strict=True))
        lines: list[Line] = [[(f"{chosen.name}: {table.total} rows", view.QUIET)], [(head, "bold $primary")]]
        lines += [[("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)), "")] for row in cells]
        if table.total > len(cells):
            lines.append([(f"… {table.total - len(cells)} more rows", view.QUIET)])
        return lines
