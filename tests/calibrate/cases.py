"""Judged cases of the saved-site corpus, whether their rows are right, and the same rows spoilt as programs do."""

from __future__ import annotations

import importlib
import json
import os
import pickle
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from scrapewright.loop.ports import Case

CORPUS = Path(os.environ.get("CORPUS", Path(__file__).resolve().parents[3] / "shared" / "corpus"))


def corpus_module(name: str) -> ModuleType:
    """One of the corpus's own programs: `serve`, `score`, `plants`, `person`."""
    if str(CORPUS) not in sys.path:
        sys.path.append(str(CORPUS))
    return importlib.import_module(name)


@dataclass(frozen=True)
class Kept:
    """A case with where it is from. `base` is the address that its site was served at."""

    task: str
    site: str
    kind: str
    base: str
    case: Case
    plant: str = ""
    """How its rows were spoilt, empty where they were not."""

    @property
    def leaves_rows_out(self) -> bool:
        reading = self.case.reading
        return bool(reading.filters or reading.section or reading.limit)


def load(folder: Path) -> Iterator[Kept]:
    for path in sorted(folder.glob("*.pickle")):
        yield read(path)


def read(path: Path) -> Kept:
    kept: Kept = pickle.loads(path.read_bytes())
    return kept


@cache
def task_of(name: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((CORPUS / "tasks" / f"{name}.json").read_text("utf-8"))
    return read


def is_right(kept: Kept) -> bool:
    """Whether its rows are those of the task, in the asked order, as the corpus scores them."""
    score = corpus_module("score")
    files = [name for name in kept.case.files if name.endswith((".csv", ".json", ".jsonl"))]
    if not files or kept.case.result.status not in ("ok", "exit"):
        return False
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / Path(files[-1]).name
        path.write_bytes(kept.case.files[files[-1]])
        try:
            found = score.score(task_of(kept.task), score.load(str(path)), kept.base, auto=False)
        except Exception:  # an unreadable file is a wrong one
            return False
    return bool(found["pass"]) and found["typed_ok"] in (None, 1.0)


def planted(kept: Kept, plant: str) -> Kept | None:
    """The case with its rows spoilt; None where that does not apply to them."""
    footer = corpus_module("plants").FOOTER.replace("@KIND@", plant)
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        for name, data in kept.case.files.items():
            (Path(folder) / Path(name).name).write_bytes(data)
        os.chdir(folder)
        try:
            exec(compile(footer, "plants", "exec"), {})
        finally:
            os.chdir(here)
        files = {name: (Path(folder) / Path(name).name).read_bytes() for name in kept.case.files}
    if files == dict(kept.case.files):
        return None
    return replace(kept, case=msgspec.structs.replace(kept.case, files=files), plant=plant)
