"""The kinds of file that rows are written as, by the ending of the file's name; packages can add some."""

from __future__ import annotations

import csv
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec

from scrapewright import plugins
from scrapewright.errors import UnfitRows
from scrapewright.exports import database, duckdb_file, parquet, workbook
from scrapewright.exports.rows import typed_rows, with_dates
from scrapewright.exports.table import as_text, columns_of
from scrapewright.extras import how_to_add
from scrapewright.query.reading import Field, Format

Rows = Sequence[Mapping[str, Any]]


class Kind(msgspec.Struct, frozen=True):
    """One kind of file. `name`: in words ("a SQLite file"). `write` makes a file that is not there yet (OSError,
    UnfitRows). `append` (path, rows, key) and `check` (path, key) for those to whose files rows can be added. `dates`:
    it holds dates as such. `needs`: the module that it takes, and the extra that has it. `asks`: the format in which
    a program is asked for its rows, None where what the request says is as good.
    """

    name: str
    suffixes: tuple[str, ...]
    write: Callable[[Path, Any], None]
    append: Callable[[Path, Any, str], None] | None = None
    check: Callable[[Path, str], None] | None = None
    dates: bool = False
    needs: tuple[str, str] = ("", "")
    asks: Format | None = "json"

    def require(self) -> None:
        """Raises UnfitRows where a package is missing."""
        module, extra = self.needs
        if module and find_spec(module) is None:
            what = f"{self.name} needs the package {module}, which is not installed"
            raise UnfitRows(what, f"{how_to_add(extra)} adds it")

    def content(self, rows: Rows) -> bytes:
        """The content of a new file. Columns are those of all rows, in the order in which they come.

        Raises OSError, UnfitRows.
        """
        self.require()
        with tempfile.TemporaryDirectory(prefix="scrapewright-") as folder:
            path = Path(folder) / f"rows{self.suffixes[0]}"
            self.write(path, rows)
            return path.read_bytes()

    def is_of(self, name: str) -> bool:
        """Whether a file of that name is of this kind already."""
        return Path(name).suffix.lower() in self.suffixes

    def rows(self, name: str, data: bytes, fields: Sequence[Field]) -> list[dict[str, Any]]:
        """The rows of a result file as this kind holds them. Raises ValueError (csv.Error, RecursionError)."""
        rows = typed_rows(name, data, fields)
        return with_dates(rows, fields) if self.dates else rows


def separated(rows: Rows, delimiter: str, *, header: bool = True) -> str:
    """As CSV or TSV: an empty cell where there is no value, lists and objects as JSON."""
    columns = columns_of(rows)
    lines: list[str] = []
    # A cell is quoted for what it has of the line's end: with "\n" alone a "\r" would end the line for readers.
    writer = csv.writer(SimpleNamespace(write=lines.append), delimiter=delimiter, lineterminator="\r\n")
    if header:
        writer.writerow(columns)
    writer.writerows([as_text(row.get(column)) for column in columns] for row in rows)
    return "".join(line.removesuffix("\r\n") + "\n" for line in lines)


def as_json(rows: Rows) -> str:
    return json.dumps([dict(row) for row in rows], ensure_ascii=False, indent=2) + "\n"


def _as_lines(rows: Rows) -> str:
    return "".join(json.dumps(dict(row), ensure_ascii=False) + "\n" for row in rows)


def _text(name: str, suffixes: tuple[str, ...], made: Callable[[Rows], str], asks: Format | None = "json") -> Kind:
    def write(path: Path, rows: Rows) -> None:
        path.write_bytes(made(rows).encode("utf-8", "replace"))

    return Kind(name, suffixes, write, asks=asks)


BUILT_IN: tuple[Kind, ...] = (
    _text("a CSV file", (".csv",), lambda rows: separated(rows, ","), asks=None),
    _text("a TSV file", (".tsv",), lambda rows: separated(rows, "\t")),
    _text("a JSON file", (".json",), as_json),
    _text("a JSON Lines file", (".jsonl", ".ndjson"), _as_lines, asks="jsonl"),
    Kind("an Excel workbook", (".xlsx",), workbook.write, needs=("xlsxwriter", "xlsx")),
    Kind("a SQLite file", (".sqlite", ".sqlite3", ".db"), database.write, database.append, database.check),
    Kind(
        "a DuckDB file", (".duckdb",), duckdb_file.write, duckdb_file.append, duckdb_file.check, True,
        ("duckdb", "duckdb"),
    ),
    Kind("a Parquet file", (".parquet",), parquet.write, dates=True, needs=("pyarrow", "parquet")),
)  # fmt: skip


def kind_of(path: Path) -> Kind | None:
    """What rows that go there are written as, by its name; None where it has no such ending.

    Raises plugins.BrokenPlugin where the package that says so can't be loaded.
    """
    suffix = path.suffix.lower()
    found = next((kind for kind in BUILT_IN if suffix in kind.suffixes), None)
    if found is None and suffix[1:] in plugins.names("exports"):
        return Kind(f"a {suffix} file", (suffix,), _added(suffix[1:]))
    return found


def _added(name: str) -> Callable[[Path, Rows], None]:
    """What a package writes files of that name with. Raises plugins.BrokenPlugin where it can't be loaded."""
    plugins.load("exports", name)

    def write(path: Path, rows: Rows) -> None:
        """Raises UnfitRows."""
        try:
            plugins.made("exports", name, path, rows)
            if not path.is_file():
                raise plugins.BrokenPlugin(f"{plugins.described(plugins.found('exports')[name])} wrote no file")
        except plugins.BrokenPlugin as error:
            raise UnfitRows(str(error), database.OTHER_FILE) from error

    return write


def endings() -> list[str]:
    """The endings that names of files can have, without their dots."""
    return [*(kind.suffixes[0][1:] for kind in BUILT_IN), *plugins.names("exports")]
