"""A correction's lines, without a screen."""

from __future__ import annotations

from scrapewright.loop.corrections import EMPTIED, Proposal
from scrapewright.session.questions import Option
from scrapewright.tui.screens.correct import SPELL
from scrapewright.tui.view.cells import cells
from scrapewright.tui.view.corrections import proposal_lines


def test_what_is_no_place_is_said_in_full_on_a_narrow_screen() -> None:
    place = Proposal("place", Option("old", "old price", ".old-price", ("150.0", "60.0", "95.0")), column="price")
    lines = proposal_lines([place, Proposal("place", EMPTIED, column="price"), SPELL], 70)
    said = ["".join(text for text, _ in line).rstrip() for line in lines]
    assert said[0].split() == ["1", "old", "price", ".old-price", "150.0", "·", "60.0", "·", "95.0"]
    assert said[1:] == [f" 0  {EMPTIED.text}", f"    {SPELL.option.text}"]
    assert max(map(cells, said)) <= 70
