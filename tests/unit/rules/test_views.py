"""What can be read out of a slot: its whole text and its parts."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from scrapewright.programmers.rules.ops import Plain, run
from scrapewright.programmers.rules.pairs import pair
from scrapewright.programmers.rules.quantities import exemplified, pieces
from scrapewright.programmers.rules.view import View
from scrapewright.programmers.rules.views import labelled, views
from scrapewright.query.reading import Column, Field
from scrapewright.survey.model import Slot
from tests.unit.rules.helpers import asked, produced, served
from tests.unit.rules.test_questions import brief_of


def test_a_class_word_without_what_all_of_them_begin_with() -> None:
    slot = Slot(id="s0", selector="i.flag", attr="class")
    texts = ["flag flag-it", "flag flag-jp", "flag flag-us"]
    assert ["it", "jp", "us"] in [[run(view.ops, text) for text in texts] for view in views(View(slot, texts))]


def test_what_an_attribute_quotes_is_a_piece_of_it() -> None:
    slot = Slot(id="s1", selector="a.bid", attr="aria-label", type="text")
    view = View(slot=slot, values=("Put “Blue bowl” on my list", "Put “Old clock” on my list"))
    assert ("Blue bowl", "Old clock") in [piece.values for piece in pieces(Field("name"), [view])]


def test_a_code_behind_a_label_is_its_whole_token() -> None:
    lots = ("Lot No. 1204", "Lot No. 88", "Lot No. 7-B-2", "Lot No 915")
    assert ("1204", "88", "7-B-2", "915") in [view.values for view in views(View(Slot(id="s2", selector="td"), lots))]


def test_a_label_in_the_only_text_names_what_follows_it() -> None:
    found = views(View(Slot(id="s8", selector="p"), ("Height: tall",)))
    assert ("Height",) in [view.names for view in found if view.values == ("tall",)]


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
    made = pair(Field(name="page", type="url"), View(slot=slot, values=values)).fitting
    assert (made is not None) is offered


def test_what_markup_in_a_text_says_and_shows(tmp_path: Path) -> None:
    items = "".join(
        f"<item><title>{name}</title><description>&lt;img src='/pics/{name}.png'&gt;&lt;p&gt;Salt &amp;amp; {name}"
        "&lt;/p&gt;</description></item>"
        for name in ("kelp", "dulse", "laver")
    )
    feed = f"<rss version='2.0'><channel><title>Weeds</title>{items}</channel></rss>".encode()
    with served({"/feed.xml": (feed, "application/rss+xml")}) as site:
        columns = (Column("title"), Column("description"), Column("picture", "url"))
        rows = produced(brief_of(site, *columns, page="/feed.xml"), tmp_path)
    assert [row["description"] for row in rows] == ["Salt & kelp", "Salt & dulse", "Salt & laver"]
    assert [row["picture"] for row in rows] == [f"{site.base}/pics/{n}.png" for n in ("kelp", "dulse", "laver")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("https://mill.example/a", "https://mill.example/a"),
        ("/srv/mill/a.html", "/srv/mill/a.html"),
        ("Fish &amp; chips", "Fish & chips"),
        ("<p>Fish <b>3 &lt; 4</b></p>", "Fish 3 < 4"),
    ],
)
def test_markup_and_an_address_in_its_place_are_read_without_a_warning(text: str, said: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run((Plain(),), text) == said


@pytest.mark.parametrize("note", ["e.g. BR-12", "solo il codice, es. BR-12", "p. ej. BR-12", "f.eks. BR-12"])
def test_a_part_has_the_form_of_an_example_whatever_its_letters_are(note: str) -> None:
    texts = ["OK-04 Oak, oiled", "OK-11 Oak", "ELM-7 Elm, waxed", "BR-2 Birch"]
    field = Field("code", "text", note=note)
    (found,) = exemplified([field], [whole for whole in views(View(Slot("a", "p"), texts)) if not whole.ops])
    assert found.texts == ["OK-04", "OK-11", "ELM-7", "BR-2"]


def test_an_address_of_mail_ends_before_the_subject() -> None:
    links = ("mailto:una@mill.test?subject=Your%20tart", "mailto:bo@mill.test")
    found = views(View(Slot(id="s9", selector="a", attr="href", type="url"), links))
    assert ("una@mill.test", "bo@mill.test") in [view.values for view in found if view.names == ("email",)]


def test_a_bracket_before_a_label_is_in_neither_of_the_values_beside_it() -> None:
    texts = ("Hall: North [Stall: 12] daily", "Hall: Yard [Stall: 7] Fridays", "Hall: Quay [Stall: 31] daily")
    offered = {view.names: view.values for view in labelled([View(slot=Slot(id="s10", selector="p"), values=texts)])}
    assert offered["Hall",] == ("North", "Yard", "Quay")
    assert offered["Stall",] == ("12", "7", "31")


def test_the_name_of_a_file_with_a_number_is_a_code_of_the_link() -> None:
    link = Slot(id="s9", selector="a", attr="href")
    files = ("/2024/20-311.pdf", "/2024/7b_12.pdf?v=1", "/2023/311.html")
    assert ("20-311", "7b_12", "311") in [view.values for view in views(View(link, files))]
    for others in (("/a/b.pdf", "/a/c.pdf"), ("https://a1.example", "https://b2.example")):
        assert not [view for view in views(View(link, others)) if view.place == ("file", "name")]


def test_a_wide_bracket_parts_a_text_as_a_narrow_one_does() -> None:
    found = [
        view.values
        for view in views(View(Slot(id="s10", selector="p"), ("会議室（北区3-1）・駅から5分", "ホール（南区）")))
    ]
    assert ("会議室", "ホール") in found
    assert ("北区3-1", "南区") in found


@pytest.mark.parametrize(
    ("texts", "bare"),
    [
        (("1. Oak Lane", "2. Mill Road", "3. Quay"), ("Oak Lane", "Mill Road", "Quay")),
        ((": oak", ": elm", ": ash"), ("oak", "elm", "ash")),
        (("4. Oak Lane", "2. Mill Road", "3. Quay"), None),
        (("1. floor", "2. floor", "3. floor"), None),
        (("1. Oak Lane", "2. Mill Road"), None),
    ],
    ids=["counted", "marked", "not in order", "told by the number", "too few"],
)
def test_what_counts_or_marks_texts_is_no_part_of_them(texts: tuple[str, ...], bare: tuple[str, ...] | None) -> None:
    found = [view.values for view in views(View(Slot(id="s11", selector="p", own=True), texts)) if view.bare]
    assert found == ([bare] if bare is not None else [])


async def test_a_value_behind_the_label_of_the_columns_name_is_not_asked_for(tmp_path: Path) -> None:
    floors, woods = ("ground", "first", "upper", "top", "attic"), ("elm", "oak", "ash", "fir", "yew")
    flats = [{"sort": "flat", "floor": floor, "wood": wood} for floor, wood in zip(floors, woods, strict=True)]
    items = "".join(
        "<li class=flat>"
        + "".join(f"<p><span>{label}</span> i <span>: {text}</span></p>" for label, text in flat.items())
        + "</li>"
        for flat in flats
    )
    with served({"/": f"<html><body><h1>Flats</h1><ul>{items}</ul></body></html>"}) as site:
        brief = brief_of(site, Column("floor"), Column("wood"))
        assert "wood" not in [question.column for question in await asked(brief)]
        rows = produced(brief, tmp_path)
    assert [(row["floor"], row["wood"]) for row in rows] == list(zip(floors, woods, strict=True))
