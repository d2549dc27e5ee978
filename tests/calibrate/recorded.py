"""Runs the command as usual, and keeps what its critic judged: `python -m tests.calibrate.recorded FOLDER run …`."""

from __future__ import annotations

import itertools
import pickle
import sys
from pathlib import Path

import msgspec

from scrapewright import cli
from scrapewright.critics.judge import RowsCritic
from scrapewright.loop.ports import Case
from scrapewright.session.verdict import Verdict


def main() -> None:
    folder = Path(sys.argv.pop(1))
    numbers = itertools.count()
    judge = RowsCritic.judge

    def kept(self: RowsCritic, case: Case) -> Verdict:
        logged = (request.url for request in case.result.requests)  # by which pages are known too, secrets left out
        pages = {url: page for url in (*case.pages, *logged) if (page := case.pages.get(url)) is not None}
        whole = msgspec.structs.replace(case, pages=pages)
        (folder / f"case-{next(numbers):03}").write_bytes(pickle.dumps(whole))
        return judge(self, case)

    RowsCritic.judge = kept  # type: ignore[method-assign]
    cli.main()


if __name__ == "__main__":
    main()
