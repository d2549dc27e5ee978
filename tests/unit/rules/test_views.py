"""What can be read out of a slot: its whole text and its parts."""

from __future__ import annotations

from scrapewright.programmers.rules.ops import run
from scrapewright.programmers.rules.parts import families
from scrapewright.programmers.rules.view import View
from scrapewright.programmers.rules.views import views
from scrapewright.survey.model import Slot


def test_a_class_word_without_what_all_of_them_begin_with() -> None:
    slot = Slot(id="s0", selector="i.flag", attr="class")
    texts = ["flag flag-it", "flag flag-jp", "flag flag-us"]
    assert ["it", "jp", "us"] in [[run(view.ops, text) for text in texts] for view in views(slot, texts)]


def test_what_an_attribute_quotes_is_a_piece_of_it() -> None:
    slot = Slot(id="s1", selector="a.bid", attr="aria-label", type="text")
    view = View(slot=slot, values=("Put “Blue bowl” on my list", "Put “Old clock” on my list"))
    pieces = [piece.values for family in families([view]) for piece in family.pieces]
    assert ("Blue bowl", "Old clock") in pieces
