"""A model that contests a finding instead of changing its program, over the real protocol and the real judge."""

from __future__ import annotations

import json
from pathlib import Path

from tests.e2e.site import MUGS, command
from tests.e2e.site import serve as site
from tests.fakes.openai_server import Say, serve

PROGRAM = """\
import csv
import requests
from bs4 import BeautifulSoup

soup = BeautifulSoup(requests.get("{base}/", timeout=30).content, "lxml")
with open("rows.csv", "w", newline="", encoding="utf-8") as file:
    out = csv.writer(file)
    out.writerow(["name", "price"])
    for mug in soup.select("li.mug"):
        out.writerow([mug.h3.get_text(strip=True), 7.77])
"""


def test_rows_that_come_back_contested_are_judged_once_more_and_shown_with_both_sides(tmp_path: Path) -> None:
    with site({"/": MUGS}) as shop:
        program = PROGRAM.format(base=shop.base)
        (tmp_path / "mine.py").write_text(program, encoding="utf-8")
        mine = {"finding": 1, "reason": "every mug costs the same", "evidence": "the sign at the door"}
        reply = json.dumps({"diagnosis": "It is right.", "disputes": [mine], "program": program})
        with serve(Say(reply)) as model:
            run = command(
                "run", f"name and price of all mugs from {shop.base}/", "--from", "mine.py", "--programmer", "model",
                "--no-review", "--out", "out", cwd=tmp_path, OPENAI_API_KEY="key", OPENAI_BASE_URL=f"{model.base}/v1",
                OPENAI_MODEL="m",
            )  # fmt: skip
    (asked,) = model.requests
    prompt = asked["messages"][1]["content"]
    assert 'row 1: {"name":"Blue mug","price":"7.77"}\nits record: Blue mug £3.50\n' in prompt
    assert run.returncode == 1, run.stderr
    assert run.stderr.count("verdict: falls short") == 2, run.stderr
    assert run.stderr.count("running in") == 1
    assert "contested: every mug costs the same (the sign at the door)" in run.stderr
    end = run.stderr.rpartition("unrepaired: the judge: price ")[2].splitlines()[0]
    assert end.endswith("; the model: every mug costs the same (the sign at the door)")
    assert (tmp_path / "out" / "rows.unverified.csv").exists()
