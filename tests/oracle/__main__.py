"""What the survey's proposals reach: `python -m tests.oracle [--out FILE] [TASK …]`.

For each task of the saved-site corpus with its true reading, the group and the place of each column are chosen by the
expected rows; the rules' program for that choice is run once and scored. What comes out wrong, no choice could mend.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
from collections import Counter
from pathlib import Path
from typing import get_args

from tests.calibrate.cases import CORPUS
from tests.oracle.solve import Chooser, Outcome, solve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--chooser", choices=get_args(Chooser), default="oracle", help="for comparison: who chooses")
    parser.add_argument("--out", type=Path, help="write each outcome as a JSON line")
    args = parser.parse_args()
    lines = (CORPUS / "readings.jsonl").read_text("utf-8").splitlines()
    readings = {one["task"]: one for one in map(json.loads, lines)}
    tasks = args.tasks or sorted(path.stem for path in (CORPUS / "tasks").glob("*.json"))
    outcomes: list[Outcome] = []
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        for outcome in pool.map(solve, tasks, [readings[task] for task in tasks], [args.chooser] * len(tasks)):
            outcomes.append(outcome)
            print(f"{'right' if outcome.right else outcome.missed:16} {outcome.about}", flush=True)
            if args.out:
                with args.out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(outcome.__dict__, ensure_ascii=False) + "\n")
    right = sum(outcome.right for outcome in outcomes)
    print(f"\nright {right}/{len(outcomes)} ({100 * right / max(1, len(outcomes)):.0f} %)")
    print(
        " · ".join(f"{what} {count}" for what, count in Counter(o.missed for o in outcomes if o.missed).most_common())
    )
    columns, reached = sum(o.columns for o in outcomes), sum(o.reached for o in outcomes)
    print(f"columns reached {reached}/{columns} · questions {sum(o.questions for o in outcomes)}")


if __name__ == "__main__":
    main()
