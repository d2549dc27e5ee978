"""The preview of the rows at a narration's end: any result file, whatever is in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapewright.headless.rows import preview


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.json", "{}"), ("a.json", "[{}]"), ("a.jsonl", "{}\n{}\n"), ("a.json", "[]"), ("a.csv", ""), ("a.csv", "\n\n")],
)
def test_rows_without_columns_are_none(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert preview(path) == ["no rows"]


def test_columns_are_under_each_other_and_the_rest_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("name,price\n" + "".join(f"mug {n},{n}.50\n" for n in range(1, 11)))
    assert preview(path) == [
        "name   price",
        "─────  ─────",
        *(f"mug {n}  {n}.50" for n in range(1, 9)),
        "… 2 more of 10",
    ]


def test_more_columns_than_fit_and_cells_that_a_terminal_would_obey(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(",".join(f"c{n}" for n in range(200)) + "\n" + ",".join(["\x1b[31mred\nline"] * 200) + "\n")
    assert not any("\x1b" in line or "\n" in line for line in preview(path))


def test_what_is_no_table_has_no_preview(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("a,b\n1,2\n")
    assert preview(tmp_path / "notes.txt") == []
    assert preview(tmp_path / "gone.csv") == []
