"""Whole runs over the kinds of lists that sites are made of: each row must be what a person would have read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.site import command, serve

Row = dict[str, Any]


def page(body: str) -> str:
    menu = '<nav><ul><li><a href="/">Home</a></li><li><a href="/about">About</a></li></ul></nav>'
    head = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A site</title></head>'
    return f"{head}<body>{menu}<main>{body}</main><footer><a href='/terms'>Terms</a></footer></body></html>"


def each(form: str, *rows: tuple[Any, ...]) -> str:
    return "".join(form.format(*row) for row in rows)


def rows(columns: str, *values: tuple[Any, ...]) -> list[Row]:
    return [dict(zip(columns.split(), row, strict=True)) for row in values]


GOODS = [
    ("Oak Stool", 49.0, 39.0),
    ("Pine Bench", 120.0, None),
    ("Ash Table", 1299.0, 999.5),
    ("Elm Chair", 85.0, None),
]


def sale(name: str, usual: float, now: float | None) -> str:
    """A sale price stands deeper in the card than a usual one, behind the price that it strikes out."""
    usual_, now_ = (f'<b class="amount">${price:,.2f}</b>' for price in (usual, now or 0))
    price = f"<del>{usual_}</del> <ins>{now_}</ins>" if now else usual_
    return f'<li class="product"><h2>{name}</h2><span class="price">{price}</span></li>'


CASES: dict[str, tuple[str, str, list[Row]]] = {
    "sale prices beside usual ones": (
        "<ul>" + "".join(sale(*one) for one in GOODS) + "</ul>",
        "name and price (number) of all products",
        rows("name price", *((name, now or usual) for name, usual, now in GOODS)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES)
def test_the_rows_are_what_a_person_reads(kind: str, tmp_path: Path) -> None:
    body, asked, expected = CASES[kind]
    with serve({"/": page(body)}) as site:
        run = command("run", f"{asked} on {site.base}/ as JSON", "--out", str(tmp_path / "out"), cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert json.loads((tmp_path / "out" / "rows.json").read_text(encoding="utf-8")) == expected
