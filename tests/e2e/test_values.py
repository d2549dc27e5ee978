"""Whole runs over pages whose numbers and names are easily misread: the rows must be the page's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.site import called, serve, written


def page(items: str, language: str = "en") -> str:
    head = f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>A list</title></head>'
    return f"{head}<body><h1>A list</h1>{items}</body></html>"


def cards(form: str, texts: list[tuple[str, str]], language: str = "en") -> str:
    items = "".join(f'<li class="card">{form.format(name, text)}</li>' for name, text in texts)
    return page(f"<ul>{items}</ul>", language)


NAMES = ["Ash", "Birch", "Cedar", "Dogwood"]


def listed(*texts: str, form: str = "<h3>{}</h3><p>{}</p>", language: str = "en", names: list[str] = NAMES) -> str:
    return cards(form, list(zip(names, texts, strict=True)), language)


MODELS = ["Model 300", "Model 200", "Model 450", "Model 500"]
ITEMS = ["Item A", "Item B", "Item C", "Item D"]

CASES: dict[str, tuple[str, str, list[str], list[float]]] = {
    "grouped and scaled": (
        listed("2,000,000", "1.5 million", "1,299", "850,000"), "population", NAMES, [2e6, 1.5e6, 1299, 850e3],
    ),
    "a minus that is no hyphen": (listed("−5", "3", "−12", "–8"), "temperature", NAMES, [-5, 3, -12, -8]),
    "brackets": (listed("(1,200)", "3,000", "(15)", "80"), "profit", NAMES, [-1200, 3000, -15, 80]),
    "a name with a number": (
        listed("49", "39", "99", "120", form='<a href="/m">{}</a> in steel <b>{} €</b>', names=MODELS),
        "price", MODELS, [49, 39, 99, 120],
    ),
    "points for thousands": (
        listed("1.299 €", "950 €", "2.450 €", "80 €", language=""), "price", NAMES, [1299, 950, 2450, 80],
    ),
    "narrow blanks": (
        listed("1\u202f299,00 €", "950,00 €", "2\u2009450,50 €", "80,00 €", language="fr"),
        "price", NAMES, [1299, 950, 2450.5, 80],
    ),
    "apostrophes": (
        listed("CHF 1’299.00", "CHF 950.00", "CHF 2'450.50", "CHF 80.00", language="de"),
        "price", NAMES, [1299, 950, 2450.5, 80],
    ),
    "a word that all names share": (
        listed("£12.50", "£9.50", "£24.50", "£7.90", names=ITEMS), "price", ITEMS, [12.5, 9.5, 24.5, 7.9],
    ),
}  # fmt: skip

ALSO_ALONE = {"a minus that is no hyphen", "brackets", "narrow blanks", "points for thousands", "grouped and scaled"}
"""How such numbers are read has tests of its own."""


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.full] if kind in ALSO_ALONE else []) for kind in CASES]
)
def test_the_rows_are_the_pages_own(kind: str, tmp_path: Path) -> None:
    listing, column, names, numbers = CASES[kind]
    with serve({"/": listing}) as site:
        asked = f"every entry on {site.base}/: name, {column} (number). JSON"
        run = called("run", asked, "--out", str(tmp_path / "out"), cwd=tmp_path)
    assert written(run, tmp_path / "out") == [
        {"name": name, column: number} for name, number in zip(names, numbers, strict=True)
    ]
