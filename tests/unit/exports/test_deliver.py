"""Result files: whole, never over anything, all of them or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapewright.exports.deliver import Delivery
from scrapewright.session.attempt import AttemptState

ATTEMPT = AttemptState(id=1, author="rules")


def test_names_that_are_taken_get_a_number(tmp_path: Path) -> None:
    deliver = Delivery(tmp_path / "new" / "out")
    first = deliver(ATTEMPT, "print()", {"rows.csv": b"a\n1\n"}, True)
    second = deliver(ATTEMPT, "print()", {"rows.csv": b"a\n2\n"}, False)
    assert [Path(p).name for p in first] == ["rows.csv", "scraper.py"]
    assert [Path(p).name for p in second] == ["rows.unverified.csv", "scraper-2.py"]
    assert Path(first[0]).read_bytes() == b"a\n1\n"


def test_the_newest_files_take_the_place_of_the_earlier_ones_and_of_no_others(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    earlier: list[Path] = []
    deliver = Delivery(tmp_path, earlier=lambda: earlier)
    for number, good in enumerate((True, False, True)):
        written = deliver(ATTEMPT, f"print({number})", {"rows.csv": b"%d\n" % number}, good)
        earlier += map(Path, written)
        rows = "rows.csv" if good else "rows.unverified.csv"
        assert [Path(path).name for path in written] == [rows, "scraper.py"]
        assert {path.name for path in tmp_path.iterdir()} == {"notes.txt", rows, "scraper.py"}
        assert (tmp_path / rows).read_bytes() == b"%d\n" % number


def test_where_one_file_cannot_be_written_none_is_left(tmp_path: Path) -> None:
    files = {"rows.csv": b"a\n1\n", "z" * 300 + "/" + "deep/" * 2000 + "notes.txt": b"too deep for any file system"}
    with pytest.raises(OSError, match="name too long"):
        Delivery(tmp_path)(ATTEMPT, "print()", files, True)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_names_the_folder_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match=r"new/out: No space left on device$"):
        Delivery(tmp_path / "new" / "out")(ATTEMPT, "print()", {"deep/rows.csv": b"a\n1\n"}, True)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_a_file_is_reported_beforehand(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    with pytest.raises(OSError, match="File exists"):
        Delivery(tmp_path / "out" / "more").check()
    Delivery(tmp_path / "new" / "more").check()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize(
    "name", ["../up.csv", "/etc/passwd", "a/../../b.csv", "C:\\x\\y.csv", ".hidden", "\x1b[31m.csv"]
)
def test_names_stay_in_the_folder(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "out"
    for path in Delivery(folder)(ATTEMPT, "print()", {name: b"1"}, True):
        assert Path(path).resolve().is_relative_to(folder.resolve())
        assert Path(path).name.isprintable()
