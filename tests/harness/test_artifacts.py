"""What a program left behind is taken without following anything it planted."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness import artifacts


def collect(folder: Path | str, count: int = 64, total: int = 1 << 20) -> tuple[dict[str, bytes], str]:
    collection = artifacts.Collection(str(folder), count, total)
    files = {found.name: b"".join(artifacts.content(found, 7)) for found in collection.files() if found}
    return files, collection.note


def test_regular_files_with_their_folders(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"x,y\n")
    (tmp_path / "empty").touch()
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "b.json").write_bytes(b"[1, 2, 3, 4, 5]")
    assert collect(tmp_path) == ({"a.csv": b"x,y\n", "empty": b"", "deep/er/b.json": b"[1, 2, 3, 4, 5]"}, "")


def test_links_and_special_files_are_left_out(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret")
    work = tmp_path / "work"
    work.mkdir()
    (work / "file").symlink_to(outside / "secret")
    (work / "folder").symlink_to(outside)
    (work / "loop").symlink_to("loop")
    os.mkfifo(work / "fifo")
    (work / "own").write_text("own")
    files, note = collect(work)
    assert files == {"own": b"own"}
    assert note == "special files: 1; links: 3"


def test_the_folder_itself_may_be_a_link_or_gone(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    assert collect(tmp_path / "link") == ({}, "directories that can't be read: 1")
    assert collect(tmp_path / "gone") == ({}, "directories that can't be read: 1")


def test_number_and_bytes_are_bounded(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / str(number)).write_bytes(bytes(10))
    files, note = collect(tmp_path, count=3)
    assert sorted(files) == ["0", "1", "2"]
    assert note == "files beyond the number allowed: 2"
    (tmp_path / "2").write_bytes(bytes(100))
    files, note = collect(tmp_path, total=40)
    assert sorted(files) == ["0", "1", "3", "4"]
    assert note == "files beyond the bytes allowed: 1"


def test_depth_and_entries_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bottom = tmp_path
    for _ in range(artifacts.MAX_DEPTH + 3):
        (bottom / "f").touch()
        bottom /= "d"
        bottom.mkdir()
    files, note = collect(tmp_path)
    assert len(files) == artifacts.MAX_DEPTH + 1
    assert note == "directories nested too deep: 1"
    monkeypatch.setattr(artifacts, "MAX_ENTRIES", 3)
    files, note = collect(tmp_path)
    assert len(files) <= 3
    assert "directories beyond 3 entries" in note


def test_it_pauses_in_trees_of_any_shape(tmp_path: Path) -> None:
    for wide in range(300):
        os.makedirs(tmp_path / str(wide % 50) / str(wide) / "empty")
    found = list(artifacts.Collection(str(tmp_path), 64, 1 << 20).files())
    assert found == [None] * ((50 + 300 + 300) // artifacts.PAUSE)


def test_it_gives_up_when_its_time_is_up(tmp_path: Path) -> None:
    for number in range(3):
        os.makedirs(tmp_path / str(number))
        (tmp_path / str(number) / "rows.csv").write_bytes(b"x")
    collection = artifacts.Collection(str(tmp_path), 64, 1 << 20, seconds=1e-9)
    files = [found for found in collection.files() if found]
    assert [found.name for found in files] == ["0/rows.csv"]
    for found in files:
        os.close(found.descriptor)
    assert collection.note == "directories left when the time for looking was up: 1"


def test_a_file_that_shrinks_is_filled_up(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"0123456789")
    found = next(iter(artifacts.Collection(str(tmp_path), 1, 100).files()))
    assert found is not None
    (tmp_path / "f").write_bytes(b"01")
    assert b"".join(artifacts.content(found, 3)) == b"01" + bytes(8)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(found.descriptor)


def test_names_that_clean_to_the_same_are_distinguished(tmp_path: Path) -> None:
    for name in ("a\n", "a\t", "a_"):
        (tmp_path / name).write_text(repr(name))
    (tmp_path / "a\r").mkdir()
    (tmp_path / "a\r" / "x").touch()
    files, note = collect(tmp_path)
    assert set(files) == {"a_", "a_~2", "a_~3/x", "a_~4"}
    assert note == ""


@pytest.fixture(scope="module")
def scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


NAMES = st.binary(min_size=1, max_size=40).filter(
    lambda name: not {0, ord("/")} & set(name) and name not in (b".", b"..")
)


@given(st.dictionaries(NAMES, st.binary(max_size=30), max_size=6))
def test_any_names(scratch: Path, contents: dict[bytes, bytes]) -> None:
    folder = tempfile.mkdtemp(dir=scratch)
    for name, data in contents.items():
        with open(os.path.join(os.fsencode(folder), name), "wb") as file:
            file.write(data)
    files, note = collect(folder)
    shutil.rmtree(folder)
    assert note == ""
    assert sorted(files.values()) == sorted(contents.values())
    for name in files:
        assert name.isprintable()
        assert not {"/", "\\", "\0"} & set(name)
        assert name not in {".", "..", ""}
        name.encode("utf-8")


@given(st.text(max_size=30))
def test_clean(name: str) -> None:
    safe = artifacts.clean(name)
    assert safe.strip(".")
    assert safe.isprintable()
    assert "/" not in safe
    assert artifacts.clean(safe) == safe
