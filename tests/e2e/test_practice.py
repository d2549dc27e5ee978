"""The practice shop's session, kept honest: without its defect the first program is the same and right at once; with
the defect elsewhere the repair follows it."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from scrapewright.practice.defects import Defect
from scrapewright.practice.demo import demo_query
from scrapewright.practice.server import ShopServer
from scrapewright.practice.shop import Shop
from tests.e2e.site import called

ASK_MORE = (
    "Scrape every product on {base}/ (all pages): title, price as float, stock as int, added as date."
    " CSV in site order."
)


def session(shop: Shop, query: str, cwd: Path) -> tuple[list[dict[str, Any]], list[dict[str, str]], str]:
    """(events, rows, first program), the shop's address levelled."""
    with ShopServer(shop) as server:
        asked = query.replace("{base}", server.base) if "{base}" in query else demo_query(server.base)
        done = called("run", asked, "--programmer", "rules", "--out", "out", "--json", cwd=cwd)
        assert done.returncode == 0, done.stderr
        events = [json.loads(line) for line in done.stdout.splitlines()]
        wanted = shop.rows(server.base)
        rows = list(csv.DictReader((cwd / "out" / "rows.csv").open(newline="", encoding="utf-8")))
        columns = list(rows[0])
        assert [[_plain(row[c]) for c in columns] for row in rows] == [
            [_plain(row[c]) for c in columns] for row in wanted
        ]
        first = next(e["program"] for e in events if e["type"] == "CodeWritten").replace(server.base, "BASE")
    return events, rows, first


def _plain(value: object) -> str:
    """A cell as its value: 7.0 and 7 are the same number, nothing and None the same gap."""
    text = "" if value is None else str(value)
    try:
        return repr(float(text))
    except ValueError:
        return text


def programs(events: list[dict[str, Any]]) -> int:
    return sum(e["type"] == "CodeWritten" for e in events)


@pytest.mark.full
def test_without_the_defect_the_first_program_is_the_same_and_right_at_once(tmp_path: Path) -> None:
    (tmp_path / "with").mkdir()
    (tmp_path / "without").mkdir()
    broken, _, first = session(Shop(Defect("price", 3, "range")), "", tmp_path / "with")
    whole, rows, same = session(Shop(), "", tmp_path / "without")
    assert programs(broken) == 2
    assert programs(whole) == 1
    assert first == same
    assert "import requests" in first
    assert len(rows) == 40


@pytest.mark.parametrize(
    ("defect", "query"),
    [
        pytest.param(Defect("price", 4, "range"), "", marks=pytest.mark.full),
        (Defect("price", 3, "thousands"), ""),
        pytest.param(Defect("price", 5, "words"), "", marks=pytest.mark.full),
        pytest.param(Defect("rating", 3, "zero"), "", marks=pytest.mark.full),
        pytest.param(Defect("stock", 4, "thousands"), ASK_MORE, marks=pytest.mark.full),
        pytest.param(Defect("added", 3, "iso"), ASK_MORE, marks=pytest.mark.full),
    ],
    ids=lambda v: f"{v.field}-{v.page}-{v.kind}" if isinstance(v, Defect) else "",
)
def test_the_repair_follows_the_defect(defect: Defect, query: str, tmp_path: Path) -> None:
    events, _, _ = session(Shop(defect), query, tmp_path)
    runs = [e for e in events if e["type"] == "RunFinished"]
    assert len(runs) >= 2
    first = runs[0]
    assert first["status"] == "error", "the first program dies of the value"
    diagnosis = next(e["diagnosis"] for e in events if e["type"] == "CodeWritten" and e["attempt"] == 2)
    # The value that broke it is in the failing frame, and the diagnosis names it.
    values = " ".join(v for frame in first["exception"]["frames"] for v in frame.get("locals", {}).values())
    named = re.findall(r"'([^']+)'", diagnosis)
    assert any(value in values for value in named), diagnosis
    fetched = [e["request"]["url"] for e in events if e["type"] == "RequestSeen" and not e["request"].get("from_tape")]
    assert len(fetched) == len(set(fetched)), "nothing is fetched twice"
