"""Writes a session's results into a folder: never over anything of others that is there, never by halves."""

from __future__ import annotations

import csv
import errno
import os
import secrets
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from scrapewright.exports.formats import Kind, kind_of
from scrapewright.exports.rows import Row
from scrapewright.exports.table import is_table
from scrapewright.query.reading import Field
from scrapewright.session.attempt import AttemptState
from scrapewright.session.result import PROGRAM_NAME


class Delivery:
    """Bound to one folder, or to a file in one that then holds the rows, as its name says. Calling it is the loop's
    Deliver port. A folder of such a name is a folder.

    `append`: rows that are trusted are added to the file, where they take the place of those with the same `key`.
    `fields` gives the columns asked for, whose types the cells of a CSV have. `earlier` gives the files that the new
    ones take the place of.
    """

    def __init__(
        self, out: Path, *, append: bool = False, key: str = "", fields: Callable[[], Sequence[Field]] = tuple,
        earlier: Callable[[], Iterable[Path]] = tuple,
    ) -> None:  # fmt: skip
        self.kind: Kind | None = None if out.is_dir() else kind_of(out)
        self._out = out
        self.folder = out.parent if self.kind is not None else out
        self._append = append
        self._key = key
        self._fields = fields
        self._earlier = earlier

    def check(self) -> None:
        """Raises OSError, UnfitRows where files could not be written there later. Leaves nothing behind."""
        if self.kind is not None:
            self.kind.require()
            if self._append and self.kind.check is not None:
                self.kind.check(self._out, self._key)
        made: list[Path] = []
        try:
            _make_folders(self.folder, made)
            with tempfile.NamedTemporaryFile(dir=self.folder, prefix=".scrapewright-"):
                pass
        finally:
            for folder in reversed(made):
                with suppress(OSError):
                    folder.rmdir()

    def __call__(self, attempt: AttemptState, code: str, files: Mapping[str, bytes], good: bool) -> tuple[str, ...]:
        """Writes the artifacts and the program; returns the paths, result files first. Raises OSError, UnfitRows.

        Rows that are appended come with no second copy of a program that is there already.

        Unverified data is named NAME.unverified.EXT. A name that is taken gets a number.
        """
        main = attempt.verdict.file if attempt.verdict else ""
        rows = self._rows(main, files)
        add = self.kind.append if self.kind is not None and self._append and good and rows is not None else None
        wanted: list[tuple[str, bytes]] = []
        for name in sorted(files, key=lambda name: (name != main, name)):
            target, data = PurePosixPath(safe_name(name)), files[name]
            holds_rows = name == main and rows is not None
            if holds_rows and add is not None:
                continue
            if name == main and rows is not None and self.kind is not None:
                target = PurePosixPath(self._out.name)
                data = data if self.kind.is_of(name) else self.kind.content(rows)
            if not good and (holds_rows or is_table(target.name)):
                target = target.with_name(f"{target.stem}.unverified{target.suffix}")
            wanted.append((str(target), data))
        program = code.encode("utf-8", "replace")
        if not (add and _holds(self.folder / PROGRAM_NAME, program)):
            wanted.append((PROGRAM_NAME, program))
        written = write_all(self.folder, wanted)
        written = _in_place_of(self._earlier(), [self.folder / name for name, _ in wanted], written)
        if add is not None and rows is not None:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                add(self._out, rows, self._key)
            except BaseException:
                for path in written:
                    path.unlink(missing_ok=True)
                raise
            written.insert(0, self._out)
        return tuple(map(str, written))

    def _rows(self, main: str, files: Mapping[str, bytes]) -> list[Row] | None:
        """The rows for the file that was named; None where none was, or where the program's is no table and is kept."""
        if self.kind is None or main not in files:
            return None
        try:
            return self.kind.rows(main, files[main], self._fields())
        except (ValueError, csv.Error, RecursionError):
            return None


def _holds(path: Path, data: bytes) -> bool:
    try:
        return path.read_bytes() == data
    except OSError:
        return False


def write_all(folder: Path, files: Iterable[tuple[str, bytes]]) -> list[Path]:
    """Writes new files into a folder, all of them or none; a name that is taken gets a number. Raises OSError, which
    names the folder.
    """
    made: list[Path] = []
    written: list[Path] = []
    try:
        for name, data in files:
            _make_folders((folder / name).parent, made)
            written.append(write_new(folder / name, data))
    except OSError as error:
        for path in written:
            with suppress(OSError):
                path.unlink()
        for path in reversed(made):
            with suppress(OSError):
                path.rmdir()
        raise OSError(f"{folder}: {error.strerror or error}") from error
    return written


def _in_place_of(earlier: Iterable[Path], names: Sequence[Path], written: Sequence[Path]) -> list[Path]:
    """Removes the earlier files once the new ones are there, which get the names that are free then: where they are."""
    for path in set(earlier) - set(written):
        with suppress(OSError):
            path.unlink()
    found = []
    for name, path in zip(names, written, strict=True):
        with suppress(OSError):  # it stays what it is called
            path = path if name.exists() else path.rename(name)
        found.append(path)
    return found


def safe_name(name: str) -> str:
    """A relative path that stays in its folder and has no surprises, from what a sandbox called it."""
    parts = [_safe_part(part) for part in PurePosixPath(name.replace("\\", "/")).parts]
    return "/".join(part for part in parts if part) or "output"


def _safe_part(part: str) -> str:
    clean = "".join(c if c.isprintable() and c not in '/\\:*?"<>|' else "_" for c in part).strip(" .")
    return clean.encode("utf-8", "ignore").decode()[:120] if clean.strip("_") else ""


def write_new(path: Path, data: bytes) -> Path:
    """Writes a new file, whole or not at all; where the name is taken, name-2, name-3, …. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.parent / f".scrapewright-{secrets.token_hex(8)}"
    try:
        with draft.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        number = 1
        while True:
            target = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
            try:
                os.link(draft, target)
            except FileExistsError:
                number += 1
                continue
            except OSError:  # a file system without hard links
                if target.exists():
                    number += 1
                    continue
                draft.rename(target)
            return target
    finally:
        draft.unlink(missing_ok=True)


def _make_folders(folder: Path, made: list[Path]) -> None:
    """Makes the folder with its parents, and adds those that were not there to `made`, outermost first."""
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    if not folder.is_dir():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder))
    for path in reversed(missing):
        path.mkdir(exist_ok=True)
        made.append(path)
