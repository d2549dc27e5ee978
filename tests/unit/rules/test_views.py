"""What can be read out of a slot: its whole text and its parts."""

from __future__ import annotations

import pytest

from scrapewright.programmers.rules.offers import fitted
from scrapewright.programmers.rules.ops import run
from scrapewright.programmers.rules.parts import families
from scrapewright.programmers.rules.view import View
from scrapewright.programmers.rules.views import views
from scrapewright.query.reading import Field
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


def test_a_code_behind_a_label_is_its_whole_token() -> None:
    lots = ("Lot No. 1204", "Lot No. 88", "Lot No. 7-B-2", "Lot No 915")
    assert ("1204", "88", "7-B-2", "915") in [view.values for view in views(Slot(id="s2", selector="td"), lots)]


@pytest.mark.parametrize(
    ("slot", "values", "offered"),
    [
        (Slot(id="s3", selector="a", attr="href"), ("42", "oak"), True),
        (Slot(id="s4", selector="b"), ("42", "oak"), False),
        (Slot(id="s5", selector="b"), ("17.50", "9.00"), False),
        (Slot(id="s6", selector="b"), ("mill.example/a", "/b"), True),
        (Slot(id="s7", selector="p a", attr="href", many=True), ("/a; /b", "/c", "/d; /e"), False),
    ],
    ids=["a link", "words", "prices", "written out", "several in one"],
)
def test_what_can_be_an_address(slot: Slot, values: tuple[str, ...], offered: bool) -> None:
    made = fitted(Field(name="page", type="url"), View(slot=slot, values=values))
    assert (made is not None) is offered
