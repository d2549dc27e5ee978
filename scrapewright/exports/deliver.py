"""Writes a session's results into a folder: never over anything that is there, never by halves."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from scrapewright.session.result import PROGRAM_NAME
from scrapewright.session.state import AttemptState

DATA_SUFFIXES = frozenset({".csv", ".json", ".jsonl", ".ndjson", ".tsv"})


class Delivery:
    """Bound to one folder. Calling it is the loop's Deliver port."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def check(self) -> None:
        """Raises OSError where files could not be written there later. Leaves nothing behind."""
        made: list[Path] = []
        try:
            made = _make_folders(self.folder)
            with tempfile.NamedTemporaryFile(dir=self.folder, prefix=".scrapewright-"):
                pass
        finally:
            for folder in reversed(made):
                with suppress(OSError):
                    folder.rmdir()

    def __call__(self, attempt: AttemptState, code: str, files: Mapping[str, bytes], good: bool) -> tuple[str, ...]:
        """Writes the artifacts and the program; returns the paths, result files first. Raises OSError.

        Data that nobody stands behind is named NAME.unverified.EXT. A name that is taken gets a number.
        """
        main = attempt.verdict.file if attempt.verdict else ""
        order = sorted(files, key=lambda name: (name != main, name))
        written: list[Path] = []
        try:
            for name in order:
                target = self.folder / safe_name(name)
                if not good and target.suffix.lower() in DATA_SUFFIXES:
                    target = target.with_name(f"{target.stem}.unverified{target.suffix}")
                written.append(write_new(target, files[name]))
            written.append(write_new(self.folder / PROGRAM_NAME, code.encode("utf-8", "replace")))
        except OSError:
            for path in written:  # all of it or nothing
                with suppress(OSError):
                    path.unlink()
            raise
        return tuple(str(path) for path in written)


def safe_name(name: str) -> str:
    """A relative path that stays in its folder and has no surprises, from what a sandbox called it."""
    parts = [_safe_part(part) for part in PurePosixPath(name.replace("\\", "/")).parts]
    return "/".join(part for part in parts if part) or "output"


def _safe_part(part: str) -> str:
    clean = "".join(c if c.isprintable() and c not in '/\\:*?"<>|' else "_" for c in part).strip(" .")
    return clean.encode("utf-8", "ignore").decode()[:120] if clean.strip("_") else ""


def write_new(path: Path, data: bytes) -> Path:
    """Writes a new file, whole or not at all; where the name is taken, name-2, name-3, …. Raises OSError."""
    _make_folders(path.parent)
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


def _make_folders(folder: Path) -> list[Path]:
    """Makes the folder with its parents; returns those it made, outermost first."""
    missing = []
    probe = folder
    while not probe.exists():
        missing.append(probe)
        probe = probe.parent
    folder.mkdir(parents=True, exist_ok=True)
    return missing[::-1]
