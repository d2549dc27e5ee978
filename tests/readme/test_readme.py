"""The README's key table and pictures are those of the screen as it is.

`GOLDEN=write pytest tests/readme` writes the table anew; `make pictures` takes the pictures.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.readme.keys import README, put_in
from tests.readme.pictures import PICTURES, self_contained

SHOWN = sorted(PICTURES.glob("*.svg"))


def test_the_key_table_is_made_from_the_bindings() -> None:
    text = README.read_text("utf-8")
    wanted = put_in(text)
    if os.environ.get("GOLDEN") == "write":
        README.write_text(wanted, "utf-8")
        text = wanted
    assert text == wanted


def test_every_picture_that_is_named_is_there_and_no_other() -> None:
    named = re.findall(r"\(docs/pictures/([\w-]+\.svg)\)", README.read_text("utf-8"))
    assert sorted(named) == [path.name for path in SHOWN]
    assert len(named) >= 3


@pytest.mark.parametrize("path", SHOWN, ids=[path.stem for path in SHOWN])
def test_a_picture_loads_nothing_and_tells_nothing_of_a_machine(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.encode()) < 200_000
    assert "@font-face" not in text
    assert set(re.findall(r"https?://([^/\s\"'<:)]+)", text)) <= {"www.w3.org", "127.0.0.1"}
    assert not re.search(r"/(?:home|root|tmp|work|Users)/", text)


def test_a_picture_that_would_load_something_is_refused() -> None:
    with pytest.raises(SystemExit, match="elsewhere"):
        self_contained(
            '<svg class="x" xmlns="http://www.w3.org/2000/svg"><image href="https://elsewhere.example/x.png"/>'
        )


def test_a_link_that_a_narrow_column_cuts_inside_loads_nothing() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><text>http://1…/harbour-lamp.html</text></svg>'
    assert "harbour-lamp" in self_contained(svg)
