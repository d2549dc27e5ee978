"""What the grammar claims of a request, against readings by a careful reader: `python -m tests.bench grammar`.

Each part that the grammar fills is a claim, and is right where the true reading says the same. The sites are split into
two halves by the digest of their names, so that what is fitted while looking at one half can be measured on the other.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scrapewright.query.read import read_request
from scrapewright.query.reading import Filter, Reading, from_builtins

CORPUS = Path(os.environ.get("SCRAPEWRIGHT_CORPUS", Path(__file__).resolve().parents[3] / "shared" / "corpus"))
TRUTH = CORPUS / "readings.jsonl"
BASE = "http://127.0.0.1:8000"
"""What stands for the address of the server in the requests."""
PARTS = (
    "columns", "types", "date formats", "pages", "filters", "order", "limit", "format", "single", "section", "distinct"
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A request, what it truly asks for and what the grammar made of it."""

    task: str
    half: str
    truth: Reading
    read: Reading


@dataclass
class Tally:
    """`there`: how many the true readings have; `wrong`: what was claimed and what is true, for each wrong claim."""

    claimed: int = 0
    right: int = 0
    there: int = 0
    wrong: list[str] = field(default_factory=list)

    def claim(self, right: bool, what: str) -> None:
        self.claimed += 1
        self.right += right
        if not right:
            self.wrong.append(what)

    def __str__(self) -> str:
        share = f"{self.right / self.claimed:7.1%}" if self.claimed else "      -"
        return f"claimed {self.claimed:4}  right {self.right:4} {share}  of {self.there:4} true ones"


def half_of(site: str) -> str:
    return "ab"[hashlib.sha256(site.encode()).digest()[0] & 1]


def cases() -> list[Case]:
    """Every open task; empty where the corpus is not there."""
    if not TRUTH.is_file():
        return []
    found = []
    for line in TRUTH.read_text(encoding="utf-8").splitlines():
        raw: dict[str, Any] = json.loads(line.replace("{BASE}", BASE))
        task = raw.pop("task")
        about = json.loads((CORPUS / "tasks" / f"{task}.json").read_text(encoding="utf-8"))
        request = about["query"].replace("{BASE}", BASE)
        truth, _ = from_builtins(raw, request)
        found.append(Case(task, half_of(about["site"]), truth, read_request(request)))
    return found


def tallies(over: Iterable[Case]) -> dict[str, Tally]:
    """Claims by part. Columns are right where all names are, in their order; "column names" counts them one by one."""
    found: dict[str, Tally] = defaultdict(Tally)
    for case in over:
        for part, there, claims in _claims(case):
            found[part].there += there
            for right, what in claims:
                found[part].claim(right, f"{case.task}: {what}")
    return found


def _claims(case: Case) -> Iterator[tuple[str, int, list[tuple[bool, str]]]]:
    read, truth = case.read, case.truth
    names, true_names = [[column.name for column in one.columns] for one in (read, truth)]
    yield "columns", 1, [(names == true_names, f"{names}, not {true_names}")] if names else []
    yield "column names", len(true_names), [(name in true_names, name) for name in names]
    true_columns = {column.name: column for column in truth.columns}
    both = [(column, true_columns[column.name]) for column in read.columns if column.name in true_columns]
    yield (
        "types",
        len(true_names),
        [(a.type == b.type, f"{a.name} {a.type}, not {b.type}") for a, b in both if a.type],
    )
    written = sum(bool(column.format) for column in truth.columns)
    yield (
        "date formats",
        written,
        [(a.format == b.format, f"{a.name} {a.format!r}, not {b.format!r}") for a, b in both if a.format],
    )
    keys = [_key(one) for one in truth.filters]
    yield "filters", len(keys), [(_key(f) in keys, f"{_key(f)}, not {keys}") for f in read.filters]
    for part, there, claimed in (
        ("pages", truth.pages != "unsaid", read.pages != "unsaid"),
        ("order", bool(truth.order), bool(read.order)),
        ("limit", truth.limit is not None, read.limit is not None),
        ("single", truth.single, read.single),
        ("section", bool(truth.section), bool(read.section)),
        ("distinct", bool(truth.distinct), bool(read.distinct)),
        ("format", truth.format_said, read.format_said),
    ):
        mine, true = (getattr(one, part) for one in (read, truth))
        if part == "section":
            mine, true = _heading(mine), _heading(true)
        if part == "format":
            true = true if truth.format_said else None
        yield part, int(there), [(mine == true, f"{mine}, not {true}")] if claimed else []


def _key(what: Filter) -> tuple[str, str, str]:
    return what.column.casefold(), what.op, what.value.casefold()


def _heading(section: str) -> str:
    """The words of the heading itself, without what says that it is one: the "News" table, the box News."""
    words = re.findall(r"[\w'-]+", section.casefold())
    return " ".join(w for w in words if w not in {"the", "section", "table", "heading", "box", "list", "part", "under"})


def missed(case: Case) -> list[tuple[str, bool]]:
    """The conditions that the grammar did not read (the request's words), each with whether they are in `unread`,
    wholly or in part."""
    claimed = {_key(f) for f in case.read.filters}
    out = []
    for one in case.truth.filters:
        if _key(one) not in claimed:
            words = {word.casefold() for word in one.text.split() if len(word) > 3} or {one.text.casefold()}
            unread = " ".join(case.read.unread).casefold()
            out.append((one.text, any(word in unread for word in words)))
    return out


def read_whole(case: Case) -> bool:
    """Whether the grammar claims all that the true reading has."""
    read, truth = case.read, case.truth
    return (
        [c.name for c in read.columns] == [c.name for c in truth.columns]
        and sorted(map(_key, read.filters)) == sorted(map(_key, truth.filters))
        and (read.pages, read.order, read.limit, read.single, bool(read.section), bool(read.follow))
        == (truth.pages, truth.order, truth.limit, truth.single, bool(truth.section), bool(truth.follow))
    )


def main(verbose: str = "") -> None:
    """Prints the shares by half; `verbose` names the half whose wrong claims are printed as well."""
    found = cases()
    if not found:
        print(f"skipped: there are no true readings at {TRUTH}")
        return
    for half in ("a", "b", "ab"):
        these = [case for case in found if case.half in half]
        print(f"\nhalf {half}: {len(these)} requests" if len(half) == 1 else f"\nboth: {len(these)} requests")
        by_part = tallies(these)
        for part in ("columns", "column names", *PARTS[1:]):
            print(f"  {part:13} {by_part[part]}")
            if half == verbose:
                print("".join(f"      {what}\n" for what in by_part[part].wrong), end="")
        whole = [case for case in these if read_whole(case)]
        lost = [one for case in these for one in missed(case)]
        print(f"  read in full {len(whole)}, of these with nothing unread {sum(not c.read.unread for c in whole)}")
        print(f"  conditions not read {len(lost)}, of these in unread {sum(held for _, held in lost)}")


if __name__ == "__main__":
    import sys

    main(*sys.argv[1:])
