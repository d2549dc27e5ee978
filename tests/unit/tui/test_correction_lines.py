"""A correction's lines, without a screen."""

from __future__ import annotations

from scrapewright.loop.corrections import EMPTIED, Proposal
from scrapewright.loop.ports import Preview
from scrapewright.session.questions import Option
from scrapewright.tui.screens.correct import SPELL
from scrapewright.tui.view.cells import cells
from scrapewright.tui.view.corrections import preview_title, proposal_lines


def test_what_is_no_place_is_said_in_full_on_a_narrow_screen() -> None:
    place = Proposal("place", Option("old", "old price", ".old-price", ("150.0", "60.0", "95.0")), column="price")
    lines = proposal_lines([place, Proposal("place", EMPTIED, column="price"), SPELL], 70)
    said = ["".join(text for text, _ in line).rstrip() for line in lines]
    assert said[0].split() == ["1", "old", "price", ".old-price", "150.0", "·", "60.0", "·", "95.0"]
    assert said[1:] == [f" 0  {EMPTIED.text}", f"    {SPELL.option.text}"]
    assert max(map(cells, said)) <= 70


def test_what_changes_is_counted_in_the_records_of_all_pages_that_were_looked_at() -> None:
    place = Proposal("place", Option("old", "old price", ".old-price"), column="price")
    preview = Preview((), (("a", 1.0, 2.0), ("b", 1.0, 1.0), ("c", 3.0, None)))
    assert preview_title(place, preview)[0][0] == "price changes in 2 of 3 records, empty in 1"
