"""`make bench`: what is claimed to be fast, as ratios within one run. `make bench ARGS="doors recorder"` runs two."""

from __future__ import annotations

import sys
from collections.abc import Callable

from scrapewright.loop.ports import SandboxUnavailable
from tests.bench import doors, judging, perturbed, pipe, reading, recorder, screen, spares, wear
from tests.corpus import readings

BENCHES: dict[str, Callable[[], object]] = {
    "doors": doors.main,
    "recorder": recorder.main,
    "spares": spares.main,
    "pipe": pipe.main,
    "wear": wear.main,
    "survey-and-plan": reading.main,
    "judging": judging.main,
    "screen": screen.main,
    "grammar": readings.main,
    "perturbed": perturbed.main,
}


def main() -> None:
    names = sys.argv[1:] or list(BENCHES)
    if unknown := [name for name in names if name not in BENCHES]:
        raise SystemExit(f"no such bench: {', '.join(unknown)}; there are {', '.join(BENCHES)}")
    sys.argv[1:] = []
    failed = []
    for name in names:
        print(f"\n== {name}", flush=True)
        try:
            BENCHES[name]()
        except (SandboxUnavailable, SystemExit) as error:
            print(f"FAILED: {error}", flush=True)
            failed.append(name)
    if failed:
        raise SystemExit(f"could not be measured, or fell short: {', '.join(failed)}")


if __name__ == "__main__":
    main()
