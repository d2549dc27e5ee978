"""Rows as files of the kinds that names say: what is read back is what was there, with its types."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapewright.errors import UnfitRows
from scrapewright.exports.deliver import Delivery
from scrapewright.exports.formats import BUILT_IN, kind_of
from scrapewright.exports.table import as_text, columns_of, records
from scrapewright.exports.workbook import MOST_CHARACTERS
from scrapewright.session.attempt import AttemptState
from scrapewright.session.verdict import Verdict
from tests.suite import FULL

VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-(1 << 70), 1 << 70), st.floats(allow_nan=False, allow_infinity=False),
    st.text(), st.lists(st.integers(0, 9), max_size=2),
)  # fmt: skip
ROWS = st.lists(st.dictionaries(st.sampled_from("abc"), VALUES, min_size=1, max_size=3), max_size=6)
MUGS: list[dict[str, Any]] = [
    {"name": '=SUM("a") & <b>', "price": 7.5, "left": 3, "new": True, "id": 1 << 60},
    {"name": "https://shop.example/", "price": None, "left": 0, "new": False, "sizes": ["S", "M"]},
]


def encode(name: str, rows: list[dict[str, Any]]) -> bytes:
    kind = kind_of(Path(name))
    assert kind is not None
    return kind.content(rows)


def sheet_of(book: bytes) -> tuple[str, list[str]]:
    with zipfile.ZipFile(io.BytesIO(book)) as opened:
        sheet = opened.read("xl/worksheets/sheet1.xml").decode()
        return sheet, re.findall(r"<t[^>]*>(.*?)</t>", opened.read("xl/sharedStrings.xml").decode())


@given(ROWS)
def test_json_and_its_lines_keep_every_value(rows: list[dict[str, Any]]) -> None:
    clean = json.loads(json.dumps(rows).encode("utf-8", "replace").decode())
    for name in ("rows.json", "rows.jsonl"):
        assert json.loads(json.dumps(list(records(name, encode(name, rows))))) == clean or not rows


@given(ROWS)
def test_a_csv_has_the_texts_of_all_columns(rows: list[dict[str, Any]]) -> None:
    for name, delimiter in (("rows.csv", ","), ("rows.TSV", "\t")):
        text = encode(name, rows).decode()
        csv.field_size_limit(sys.maxsize)
        found = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
        columns = columns_of(rows)
        wanted = [[as_text(row.get(column)).encode("utf-8", "replace").decode() for column in columns] for row in rows]
        assert [row for row in found if columns] == ([columns, *wanted] if columns else [])


def test_a_sheet_has_numbers_as_numbers_and_texts_as_texts() -> None:
    sheet, texts = sheet_of(encode("rows.xlsx", MUGS))
    cells = dict(re.findall(r'<c r="(\w+)"[^>]*?(?: t="\w+")?><v>(.*?)</v>', sheet))
    assert (cells["B2"], cells["C2"], cells["D2"], cells["C3"]) == ("7.5", "3", "1", "0")
    assert "B3" not in cells
    assert '=SUM("a") &amp; &lt;b&gt;' in texts
    assert {"https://shop.example/", str(1 << 60), '["S", "M"]'} <= set(texts)
    assert "<f>" not in sheet


def delivered(out: Path, name: str, data: bytes, *, good: bool = True) -> list[str]:
    attempt = AttemptState(id=1, author="rules", verdict=Verdict(True, 1.0, file=name))
    return [Path(path).name for path in Delivery(out)(attempt, "print()", {name: data}, good)]


def test_out_names_the_kind_of_file(tmp_path: Path) -> None:
    rows = json.dumps(MUGS[1:]).encode()
    assert delivered(tmp_path / "rows.xlsx", "rows.json", rows) == ["rows.xlsx", "scraper.py"]
    sheet, texts = sheet_of((tmp_path / "rows.xlsx").read_bytes())
    assert '<c r="C2"><v>0</v>' in sheet
    assert "https://shop.example/" in texts
    delivered(tmp_path / "rows.tsv", "rows.json", rows)
    assert (tmp_path / "rows.tsv").read_text().splitlines()[0] == "name\tprice\tleft\tnew\tsizes"
    made = delivered(tmp_path / "rows.csv", "rows.json", rows, good=False)
    assert made == ["rows.unverified.csv", "scraper-3.py"]
    delivered(tmp_path / "mugs.json", "rows.json", rows)
    assert (tmp_path / "mugs.json").read_bytes() == rows  # as the program wrote it
    assert delivered(tmp_path / "odd.csv", "rows.json", b"{") == ["rows.json", "scraper-5.py"]
    (tmp_path / "folder.csv").mkdir()
    delivered(tmp_path / "folder.csv", "rows.json", rows)
    assert (tmp_path / "folder.csv" / "rows.json").read_bytes() == rows


def test_what_can_not_be_written_says_why(tmp_path: Path) -> None:
    assert kind_of(Path("rows")) is None
    assert kind_of(Path("rows.doc")) is None
    with pytest.raises(UnfitRows, match="name of row 1 has 32,768 characters") as unfit:
        encode("rows.xlsx", [{"name": "x" * (MOST_CHARACTERS + 1)}])
    assert unfit.value.advice == "write them as csv or json"


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [("a.duckdb", "duckdb", "duckdb"), ("a.parquet", "pyarrow", "parquet"), ("a.xlsx", "xlsxwriter", "xlsx")],
)
def test_a_package_that_is_missing_is_reported_beforehand(
    name: str, package: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrapewright.exports.formats.find_spec", lambda module: None)
    for tried in (Delivery(tmp_path / name).check, lambda: encode(name, MUGS)):
        with pytest.raises(UnfitRows, match=f"needs the package {package}, which is not installed") as missing:
            tried()
        assert f"scrapewright[{extra}]" in missing.value.advice


ANY = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.lists(st.integers())
    | st.lists(st.text(max_size=3)) | st.dictionaries(st.text(max_size=2), st.integers(), max_size=2)
)  # fmt: skip


@settings(max_examples=100 if FULL else 12)
@given(st.lists(st.dictionaries(st.text(max_size=4), ANY, max_size=4), max_size=4))
def test_any_rows_fit(rows: list[dict[str, Any]]) -> None:
    for kind in BUILT_IN:
        assert kind.content(rows) or not any(rows)
