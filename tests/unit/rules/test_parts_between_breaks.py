"""Records that nothing but line breaks keep apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.reading_helpers import read
from tests.unit.rules.layouts import framed

CASES = (
    ("Ash v. Birch", "21-104", "2024-03-05", "/opinions/104.pdf"),
    ("Cole v. Dunn Ferries", "21-377", "2024-03-11", "/opinions/377.pdf"),
    ("In re Elm", "20-88", "2024-04-02", "/opinions/88.pdf"),
    ("State v. Finch", "22-5", "2024-04-19", "/opinions/5.pdf"),
    ("Gale v. Heath", "22-41", "2024-05-08", "/opinions/41.pdf"),
)
LINE = '<a href="{3}">{0}</a>, No. {1} ({2})<br>\n'
BLOCK = "Filed {2}, No. {1}<br>\n<a href='{3}'>{0}</a><br><br>\n"
RULED = "Filed {2}, No. {1}<br><a href='{3}'>{0}</a><hr>"


@pytest.mark.parametrize("form", [LINE, BLOCK, RULED], ids=["a line each", "empty lines", "drawn lines"])
def test_cases_between_line_breaks(form: str, tmp_path: Path) -> None:
    body = "".join(form.format(*case) for case in CASES)
    page = framed(f'<h1>Opinions</h1><div class="opinions">{body}</div>')
    found = read("all opinions on {}: case title, docket, filed (date), url", page, tmp_path)
    assert [list(row.values())[:3] for row in found.rows] == [list(case[:3]) for case in CASES]
    assert [row["url"].endswith(case[3]) for row, case in zip(found.rows, CASES, strict=True)] == [True] * len(CASES)
    assert found.ok, found.verdict


def test_people_in_blocks_of_plain_lines(tmp_path: Path) -> None:
    people = [(f"{name} Ashdown", f"01{n}1 496 0{n}12") for n, name in enumerate(("Ann", "Bo", "Cy", "Di", "Ed"), 2)]
    body = "<br><br>".join(f"Name: {name}<br>Telephone: {phone}" for name, phone in people)
    found = read("everyone on {}: name, telephone", framed(f"<div><p>{body}</p></div>"), tmp_path)
    assert [tuple(row.values()) for row in found.rows] == people


def test_prose_with_breaks_and_addresses_are_no_records(tmp_path: Path) -> None:
    shops = {"Ash": "4 Mill Road", "Birch": "19 Quay Street", "Cole": "7 Old Lane", "Dunn": "3 High Street"}
    body = "".join(
        f'<div class="shop"><h3>{name}</h3><p>{street}<br>Bath<br>BA1 {n}XY<br>01225 49600{n}</p></div>'
        for n, (name, street) in enumerate(shops.items())
    )
    verse = "<p>In 1 line or 2,<br>or 3 with breaks,<br>or 4 in all,<br>it says no more.</p>"
    found = read("all shops on {}: name, street", framed(verse + body), tmp_path)
    assert found.column("name") == list(shops)


def test_the_heading_above_records_between_breaks(tmp_path: Path) -> None:
    terms = {term: [(f"{one[0]} ({term})", *one[1:]) for one in CASES] for term in ("Spring", "Summer", "Autumn")}
    parts = "".join(f"<h2>{term}</h2><p>{''.join(LINE.format(*c) for c in cases)}</p>" for term, cases in terms.items())
    found = read("all opinions on {}: section, case title, url", framed(f"<h1>Opinions</h1>{parts}"), tmp_path)
    assert [tuple(row.values())[:2] for row in found.rows] == [
        (term, case[0]) for term, cases in terms.items() for case in cases
    ]
