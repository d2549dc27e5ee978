"""The page as one record: which of its values are proposed, and what they are called."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scrapewright.survey.model import Group, Slot
from tests.unit.survey.helpers import page, query, shell, survey_pages


def slots_of(body: str, head: str = "") -> tuple[Slot, ...]:
    survey = survey_pages(query("name", single=True), [page(shell(body, head=head))])
    return next(group.slots for group in survey.groups if group.kind == "page")


def samples(slots: tuple[Slot, ...], name: str) -> list[str]:
    return [slot.samples[0] for slot in slots if name in slot.names and not slot.many]


def test_the_name_of_a_step_of_the_way_to_the_page_is_not_that_of_its_subject() -> None:
    way = "".join(
        f"<li itemprop=itemListElement itemscope><a href=/{n}><span itemprop=name>{step}</span></a>"
        f"<meta itemprop=position content={n}></li>"
        for n, step in enumerate(("Garden", "Tools", "Rakes"))
    )
    found = slots_of(f"<ol>{way}</ol><div itemscope><h2 itemprop=name>Elm rake</h2><p itemprop=sku>R-7</p></div>")
    assert samples(found, "name") == ["Elm rake"]
    assert samples(found, "sku") == ["R-7"]
    assert not samples(found, "position")


def test_a_cell_with_a_colon_is_the_label_of_the_next_in_a_row_of_more_cells_too() -> None:
    rows = "".join(
        f"<tr><td><img src=/{n}.png></td><td>{label}:</td><td>{text}</td></tr>"
        for n, (label, text) in enumerate((("Wood", "elm"), ("Grip", "cork")))
    )
    found = slots_of(f"<h1>Elm rake</h1><table>{rows}</table>")
    assert {slot.label: slot.samples for slot in found if slot.label and not slot.many} == {
        "Wood:": ("elm",),
        "Grip:": ("cork",),
    }


def test_a_term_that_is_drawn_is_called_as_its_drawing_is() -> None:
    lines = "".join(
        f"<dt><i class='ic ic-{n}' {attr}='{label}'></i></dt><dd>{text}</dd>"
        for n, (attr, label, text) in enumerate(
            (("title", "Room", "B 12"), ("aria-label", "Hours", "Monday 9 to 10"), ("data-x", "1", "none of these"))
        )
    )
    found = slots_of(f"<h1>Ada Roe</h1><dl>{lines}<dt>Post</dt><dd>Reader</dd></dl>")
    assert {slot.label: slot.samples for slot in found if slot.label and not slot.many} == {
        "Room": ("B 12",),
        "Hours": ("Monday 9 to 10",),
        "Post": ("Reader",),
    }
    room = next(slot for slot in found if slot.label == "Room")
    assert room.selector == 'dt:has([title="Room"]) + dd'


def test_a_label_alone_is_no_value() -> None:
    found = slots_of("<h1>Elm rake</h1><p>Wood:</p><p>elm</p><p>Grip: cork</p>")
    assert samples(found, "wood") == ["elm"]
    assert samples(found, "grip") == ["Grip: cork"]


@pytest.mark.parametrize(("last", "inside"), [("", "Rakes"), ("<li>Elm rake</li>", "Rakes")])
def test_the_last_steps_of_the_way_to_the_page_are_values_and_the_last_is_what_it_is_in(last: str, inside: str) -> None:
    steps = "".join(f"<li><a href=/{step}>{step}</a></li>" for step in ("Garden", "Tools", "Rakes"))
    menu = "<nav class=menu><ul><li><a href=/1>News</a></li><li><a href=/2>Help</a></li></ul></nav>"
    found = slots_of(f"{menu}<nav class=bread-crumbs><ul>{steps}{last}</ul></nav><h1>Elm rake</h1><p>Light</p>")
    assert set(samples(found, "parent category")) == {inside}
    assert inside in samples(found, "breadcrumb")


def test_the_picture_beside_the_heading_is_proposed_however_many_the_page_has() -> None:
    others = "".join(f"<a class=c{n}logo href=/{n}><img class=i{n}con src=/{n}.png></a>" for n in range(30))
    logo = "<h1><a href=/><img src=/logo.png></a></h1>"
    found = slots_of(f"{logo}<p>{others}</p><div><div><h1>Elm rake</h1></div><p><img src=/rake.jpg></p></div>")
    assert [slot.samples[0] for slot in found if slot.samples[0] == "/rake.jpg"] == ["/rake.jpg"]


def test_what_a_number_in_an_item_of_a_list_is_of_is_its_name() -> None:
    items = "".join(f"<li>{text}</li>" for text in ("4 prongs", "Ash handle", "Made in 1997", "35 cm wide"))
    found = slots_of(f"<h1>Elm rake</h1><ul>{items}</ul>")
    assert (samples(found, "prongs"), samples(found, "made in")) == (["4 prongs"], ["Made in 1997"])


def test_what_is_first_of_a_class_is_proposed_where_the_page_repeats_the_class_for_others() -> None:
    more = "".join(f"<div class=tile><span class=cook>Cook {n}</span><b>Dish {n}</b></div>" for n in range(5))
    found = slots_of(f"<h1>Leek tart</h1><div><span class=cook>Una Reed</span></div>{more}")
    assert "Una Reed" in [slot.samples[0] for slot in found if not slot.many]


@pytest.mark.parametrize(
    ("box", "framed"),
    [
        ("story-header", False),
        ("card--footer--notes", False),
        ("kit-widget kit-widget-text", False),
        ("left-sidebar", True),
    ],
)
def test_the_header_of_an_article_is_no_frame_of_the_page(box: str, framed: bool) -> None:
    found = slots_of(f"<h1>Leek tart</h1><div class='{box}'><p class=teller>Una Reed</p></div><p>{'word ' * 40}</p>")
    assert {slot.framed for slot in found if slot.samples[0] == "Una Reed"} == {framed}


def test_a_picture_that_is_loaded_once_it_is_in_sight() -> None:
    found = slots_of("<h1>Leek tart</h1><img class=dish src='data:image/gif;base64,R0' data-src=/pics/tart.jpg>")
    assert ("data-src", "/pics/tart.jpg") in [(slot.attr, slot.samples[0]) for slot in found]


def test_what_a_label_is_followed_by_several_of_is_a_list() -> None:
    found = slots_of(
        "<h1>Elm rake</h1>"
        "<div><span class='label'>Makers:</span><div class='in'><div>Ada Roe</div><div>Bo Yew</div></div></div>"
        "<p><b>Woods:</b> <span class='ws'><a href=/w/1>elm</a>, <a href=/w/2>ash</a></span></p>"
        "<div><span class='label'>Size:</span><div class='in'><div>Width: 4</div><div>Depth: 5</div></div></div>"
        "<div><span class='label'>About:</span><div class='in'><p>Made <i>by hand</i></p> since <p>1902</p></div></div>"
    )
    lists = {slot.label: slot.samples for slot in found if slot.many}
    assert lists["Makers:"] == ("Ada Roe", "Bo Yew")
    assert lists["Woods:"] == ("elm", "ash")
    assert "Size:" not in lists
    assert "About:" not in lists


def test_the_links_of_a_list_whose_items_say_more_are_a_list_of_their_own() -> None:
    people = "<li><a href=/p/1>Ada Roe</a> (editor)</li><li><a href=/p/2>Bo Yew</a> of the office</li>"
    plain = "<li><a href=/p/3>Cy Ash</a></li><li><a href=/p/4>Di Fir</a></li>"
    found = slots_of(
        f"<h1>Elm rake</h1><div class=thanks><h2>Thanks</h2><ul>{people}</ul></div>"
        f"<div class=shops><h2>Sellers</h2><ul>{plain}</ul></div>"
    )
    lists = [slot.samples for slot in found if slot.many and slot.label in ("Thanks", "Sellers")]
    assert ("Ada Roe", "Bo Yew") in lists
    assert ("Ada Roe (editor)", "Bo Yew of the office") in lists
    assert lists.count(("Cy Ash", "Di Fir")) == 1


TILES = "".join(
    f"<div class=tile><a href=/{n}>Tart {n}</a><div><span>Stars:</span> <i>{n % 5}</i></div><div><span>Serves:</span> "
    f"<i>{n}</i></div><span class=cost><span class=cost-name>Usually</span> "
    f"<span><b class=sum>€{n}.50</b></span></span></div>"
    for n in range(1, 40)
)


def test_the_subject_has_what_a_page_says_of_its_other_goods_in_the_same_classes() -> None:
    costs = "".join(
        f"<span class=cost><span class=cost-name>{name}</span> <span><b class=sum>{price}</b></span></span>"
        for name, price in (("Today", "€61.00"), ("Usually", "€72.00"))
    )
    found = slots_of(f"<h1>Leek tart</h1><div>{costs}</div><h2>More tarts</h2>{TILES}")
    assert (samples(found, "today")[:1], samples(found, "usually")[:1]) == (["€61.00"], ["€72.00"])


def test_what_is_beside_the_page_is_proposed_before_what_is_labelled_once_more() -> None:
    beside = "<aside><h3>Baked by</h3><ul><li class=baker>Una Reed</li></ul></aside>"
    found = slots_of(f"<main><h1>Leek tart</h1><h2>More tarts</h2>{TILES}</main>{beside}")
    assert samples(found, "baker") == ["Una Reed"]
    assert samples(found, "stars")[:1] == ["1"]


def test_sums_of_money_are_proposed_whatever_they_are_in() -> None:
    rows = "".join(
        f"<tr><td>{price}</td><td>{what}</td></tr>" for price, what in (("$72", "a whole one"), ("$9", "a slice"))
    )
    found = slots_of(f"<h1>Leek tart</h1><table>{rows}</table>")
    assert {"$72", "$9"} <= {slot.samples[0] for slot in found}


def test_what_begins_with_a_colon_is_the_value_of_the_element_before_it() -> None:
    lines = "".join(
        f"<li><span class='icon i{n}'>{label}</span> &nbsp;|&nbsp; <span>: {text}</span></li>"
        for n, (label, text) in enumerate((("Floor", "3rd"), ("Heating", "gas")))
    )
    found = slots_of(f"<h1>Elm Lane 4</h1><ul>{lines}</ul>")
    assert {slot.label: slot.samples for slot in found if slot.label and not slot.many} == {
        "Floor": (": 3rd",),
        "Heating": (": gas",),
    }
    marked = "".join(
        f"<li><b>New</b> {label} <span>: {text}</span></li>" for label, text in (("Floor", 3), ("Rooms", 4))
    )
    found = slots_of(f"<h1>Elm Lane 4</h1><ul>{marked}</ul>")
    assert {slot.label for slot in found if slot.attr == "text" and slot.samples in ((": 3",), (": 4",))} == {
        "Floor", "Rooms",
    }  # fmt: skip


def test_several_elements_in_a_line_behind_a_label_are_a_list() -> None:
    found = slots_of(
        "<h1>Elm rake</h1>"
        "<div class=who><span class=head>Makers:</span><a href=/p/1>Ada Roe</a>, <a href=/p/2>Bo Yew</a></div>"
        "<p>Woods: <em>elm</em> / <em>ash</em></p>"
        "<p>Seen by: <a href=/p/3>Cy Poe</a> and <a href=/p/4>Di Fox</a></p>"
        "<p>Price: <b>4</b> <b>pounds</b></p>"
    )
    lists = {slot.label: slot.samples for slot in found if slot.many and slot.label.endswith(":")}
    assert lists == {"Makers:": ("Ada Roe", "Bo Yew"), "Woods:": ("elm", "ash")}


def state_of(state: dict[str, Any], *asked: str) -> tuple[Group, list[str]]:
    """The page as a record whose scripts hold a state, and the paths of the objects that it offers."""
    script = f'<script id="__STATE__" type="application/json">{json.dumps(state)}</script>'
    survey = survey_pages(query(*asked, single=True), [page(shell("<h1>Elm rake</h1><p>Long.</p>") + script)])
    group = next(group for group in survey.groups if group.kind == "page")
    return group, [data.selector for data in group.data]


def test_the_object_of_a_pages_state_that_has_what_is_asked_for_comes_first() -> None:
    made = {"page": "/rake", "build": "x1", "locale": "en", "prefix": "/s", "gip": True, "path": "/rake"}
    colours = {f"colour_{n}": f"#{n:06}" for n in range(60)}
    rake = {f"note_{n}": f"text {n}" for n in range(60)} | {"where": {"lat": 51.5, "lon": -1.4}}
    group, found = state_of(made | {"props": {"theme": colours, "item": rake}}, "latitude:float")
    assert found[0] == "props.item"
    assert ("51.5",) in [slot.samples for slot in group.slots if slot.selector == "where.lat"]


def test_an_object_keeps_its_own_values_where_what_it_holds_has_more() -> None:
    specs = {f"spec_{n}": n for n in range(9)}
    rake = {"id": 4, "name": "Elm rake", "sku": "R-7", "price": 9.5, "brand": "Yew", "unit": "piece", "specs": specs}
    group, found = state_of({"props": {"product": rake}}, "sku", "price:float")
    assert found[0] == "props.product"
    assert {"R-7", "9.5"} <= {slot.samples[0] for slot in group.slots if slot.data and slot.samples}


def test_a_list_that_is_asked_for_is_proposed_however_much_an_object_holds() -> None:
    steps = [{"@type": "HowToStep", "text": f"Step number {n}"} for n in range(5)]
    more = {f"value{n}": {"inner": {"unit": f"u{n}", "amount": n}} for n in range(40)}
    data = {"@type": "Recipe", "name": "Soup", **more, "recipeInstructions": steps}
    head = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    found = survey_pages(query("name", "instructions:list", single=True), [page(shell("<h1>Soup</h1>", head))]).groups
    assert any(slot.selector == "recipeInstructions.*.text" and slot.many for group in found for slot in group.slots)


def test_labels_and_values_by_turns_in_one_box() -> None:
    facts = {"Maker": "Roe Bros", "Weight": "1.4 kg", "Built": "1987"}
    turns = "".join(f'<span class="dim">{label}</span><span>{value}</span>' for label, value in facts.items())
    found = slots_of(f"<h1>Elm rake</h1><div>{turns}</div><p><em>elm</em><b>ash</b></p>")
    assert {slot.label: slot.samples[0] for slot in found if slot.label in facts} == facts
    assert not any(slot.label == "elm" for slot in found)
