"""`make calibrate-verdict`: judges the collected cases, stores what was found of them, and fits the weights.

python -m tests.calibrate CASES           measure the cases in a folder (see `collect`), then fit
python -m tests.calibrate                 fit the stored table again
"""

from __future__ import annotations

import multiprocessing
import sys
from collections import Counter
from pathlib import Path

import msgspec

from scrapewright.critics.judge import examined
from scrapewright.critics.probability import DATA
from tests.calibrate import cases, fit

PLANTS = ("lost", "shift", "swap", "cut", "noise", "first", "repeat", "daymonth")


def main() -> None:
    if len(sys.argv) > 1:
        measure(Path(sys.argv[1]))
    rows = fit.load()
    print("\n".join(fit.summary(rows, fit.held_out(rows))))
    fitted = fit.fit(rows)
    DATA.write_bytes(msgspec.json.format(msgspec.json.encode(fitted, order="sorted"), indent=1) + b"\n")
    right = Counter(name for row in rows if row.right for name in row.features)
    wrong = Counter(name for row in rows if not row.right for name in row.features)
    print(f"\nsure {fitted.sure}")
    for name, weight in sorted(fitted.weights.items(), key=lambda item: -item[1]):
        print(f"{name:36} {weight:6.2f}   in {right[name]} right, {wrong[name]} wrong")


def measure(folder: Path) -> None:
    """Writes the table. Sites are numbered: none is named."""
    paths = sorted(folder.glob("*.pickle"))
    sites = sorted({kept.site for kept in cases.load(folder)})
    with multiprocessing.Pool(2) as pool:
        found = [row for rows in pool.imap(_rows, ((path, sites) for path in paths), chunksize=4) for row in rows]
    fit.TABLE.write_bytes(b"".join(msgspec.json.encode(row, order="sorted") + b"\n" for row in found))


def _rows(work: tuple[Path, list[str]]) -> list[fit.Row]:
    path, sites = work
    kept = cases.read(path)
    right = cases.is_right(kept)
    spoilt = [cases.planted(kept, plant) for plant in PLANTS] if right and kept.kind.startswith("reply") else []
    rows = []
    for one in (kept, *(one for one in spoilt if one is not None and not cases.is_right(one))):
        found = examined(one.case)
        if found is not None:
            author = "rules" if kept.kind.startswith("rules") else "model"
            reading = kept.kind.partition("-")[2]
            good, leaves = right and not one.plant, one.leaves_rows_out
            features = found.features
            rows.append(fit.Row(sites.index(kept.site), author, reading, good, features, one.plant, leaves))
    return rows


if __name__ == "__main__":
    main()
