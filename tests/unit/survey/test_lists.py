from __future__ import annotations

import re

import pytest

from scrapewright.survey.model import Group
from tests.unit.survey.helpers import column, page, products, query, rows, shell, survey_pages


def top(body: str, *fields: str, **more: object) -> Group:
    return survey_pages(query(*fields, **more), [page(body)]).groups[0]


def test_a_product_list_gives_its_fields_by_robust_selectors() -> None:
    body = shell(f"<h1>Things</h1>{products(9)}")
    group = top(body, "title", "price:float", "url:url", "rating", "tags:list")
    assert (group.kind, group.selector, group.count) == ("list", "article.product", 9)
    title = column(body, group, [f"Thing number {n} of many" for n in range(1, 10)])
    assert title is not None
    assert title.attr == "title"
    price = column(body, group, ["" if n % 3 == 0 else f"£{n}.50" for n in range(1, 10)])
    assert price is not None
    assert (price.selector, price.type, price.coverage) == ("p.price", "float", 0.667)
    assert "price" in price.names
    assert column(body, group, [f"/item/{n}" for n in range(1, 10)]) is not None
    tags = column(body, group, [[f"t{k}" for k in range(n % 4)] for n in range(1, 10)])
    assert tags is not None
    assert tags.many


def test_a_word_in_a_class_becomes_a_slot_with_its_vocabulary() -> None:
    body = shell(products(9))
    group = top(body, "title", "rating")
    rating = column(body, group, [("One", "Two", "Three")[n % 3] for n in range(1, 10)])
    assert rating is not None
    assert rating.attr == "class"
    assert set(rating.vocabulary) == {"One", "Two", "Three"}


def test_of_many_words_in_classes_those_that_begin_alike_become_a_slot() -> None:
    codes = [a + b for a in "bcdfg" for b in "ae"] + ["it", "jp", "pl", "us"]
    items = "".join(f'<li><i class="flag flag-{code}"></i><b>Team {n}</b></li>' for n, code in enumerate(codes))
    group = top(shell(f'<ul class="teams">{items}</ul>'), "team", "country")
    (slot,) = (slot for slot in group.slots if slot.attr == "class")
    assert "flag-it" in slot.vocabulary
    words = shell(f'<ul class="teams">{items.replace("flag-", "")}</ul>')
    assert all(slot.attr != "class" for slot in top(words, "team", "country").slots)


def test_a_cut_text_gives_way_to_the_attribute_that_holds_the_whole() -> None:
    body = shell(products(6))
    group = top(body, "title")
    assert not any(
        sample.endswith("…") for slot in group.slots if slot.attr == "text" for sample in slot.samples if slot.selector
    )
    whole = next(slot for slot in group.slots if slot.attr == "title")
    assert "title" in whole.names


def test_odd_and_even_rows_are_one_group() -> None:
    body = shell(products(10, odd=True))
    assert top(body, "title", "price:float").count == 10


def test_records_in_rows_of_a_grid_outrank_the_rows() -> None:
    grid = "".join(f'<div class="line">{products(3, start)}</div>' for start in (1, 4, 7))
    group = top(shell(grid), "title", "price:float", "url:url")
    assert (group.selector, group.count) == ("article.product", 9)


def test_navigation_is_not_the_first_choice() -> None:
    group = top(shell(products(4)), "title", "url:url")
    assert group.selector == "article.product"


def test_records_that_span_two_table_rows() -> None:
    lines = "".join(
        f'<tr><td>{n}.</td><td class="name"><a href="/s/{n}">Story {n}</a></td></tr>'
        f'<tr><td colspan="2"><span id="score_{n * 7}">{n * 3} points</span> by '
        f'<a href="/user?id=u{n}">u{n}</a></td></tr>'
        '<tr style="height:5px"></tr>'
        for n in range(1, 9)
    )
    body = shell(f"<table>{lines}</table>")
    group = top(body, "title", "url:url", "points:int", "user")
    assert group.count == 8
    user = column(body, group, [f"u{n}" for n in range(1, 9)])
    assert user is not None
    assert user.selector.startswith("+ ")
    points = column(body, group, [f"{n * 3} points" for n in range(1, 9)])
    assert points is not None
    assert "score" in points.names


def test_headings_above_records_are_a_slot() -> None:
    parts = ""
    for r in "ABC":
        places = "".join(f"<li><a href=/p/{r}{k}>Place {r}{k}</a> <i>{k} free</i></li>" for k in range(4))
        parts += f"<h2>Region {r}</h2><ul class=places>{places}</ul>"
    body = shell(parts)
    group = top(body, "region", "name", "free:int")
    assert group.count == 12
    assert group.section == "h2"
    region = column(body, group, [f"Region {r}" for r in "ABC" for _ in range(4)])
    assert region is not None
    assert region.selector == "^ h2"


def test_headings_of_the_records_themselves_are_above_none_of_them() -> None:
    birds = [
        f"<div class=bird>{f'<h4>Rare: bird {n}</h4>' if n % 2 else ''}<a href=/b/{n}>Bird {n}</a> <i>{n}</i></div>"
        for n in range(12)
    ]
    walks = "<div><h4>Guided walks</h4><h4>On Sundays</h4></div>"
    body = shell(f"<h4>Birds of the lake</h4><section>{''.join(birds[:6])}{walks}{''.join(birds[6:])}</section>")
    group = top(body, "name", "seen:int")
    assert (group.selector, group.section, group.context) == ("div.bird", "", "Birds of the lake")


def test_the_linked_titles_of_boxes_are_no_records_of_them() -> None:
    boxes = "".join(
        f"<div><h3><a class=go href=/of/{k}>Shop {k}</a></h3><ul>"
        + "".join(f"<li><a class=go href=/of/{k}/{n}>Ware {k}{n}</a></li>" for n in range(4))
        + "</ul></div>"
        for k in range(3)
    )
    groups = survey_pages(query("name", "url:url"), [page(shell(boxes))]).groups
    assert any(group.count == 12 and group.section == "h3" for group in groups)
    assert all(group.count != 15 for group in groups)


def side_box(title: str, path: str, names: list[str]) -> str:
    links = "".join(f"<p class=one><a href=/{path}/{n}>{name}</a></p>" for n, name in enumerate(names))
    return f"<div class=box><div class=box-title>{title}</div><div class=line></div><div>{links}</div></div>"


def test_records_under_the_named_title_of_a_box_are_a_group() -> None:
    kinds = [f"Kind {n}" for n in range(12)]
    side = "".join(side_box(f"Box {k}", f"b{k}", [f"A much longer entry {k}{n}" for n in range(9)]) for k in range(9))
    side += side_box("Kinds", "k", kinds).replace("class=one", "class=kind")
    body = shell(f"<h1>Things</h1>{products(9)}<aside>{side}</aside>")
    groups = survey_pages(query("name", "url:url", section="Kinds"), [page(body)]).groups
    group = next(one for one in groups if one.context == "Kinds")
    assert column(body, group, kinds) is not None


def test_the_items_of_one_list_are_records_though_few_have_a_list_in_them() -> None:
    inner = "".join(f"<li><a href=/part/{n}>A part of it with a long name {n}</a></li>" for n in range(9))
    items = [f"<li><a href=/m/{n}>M{n}</a>{f'<ul>{inner}</ul>' if n % 3 == 1 else ''}</li>" for n in range(9)]
    groups = survey_pages(query("name", "url:url"), [page(shell(f"<ul>{''.join(items)}</ul>"))]).groups
    assert any(group.count == 9 and column_of(group, "M0") for group in groups)


def column_of(group: Group, first: str) -> bool:
    return any(slot.samples[:1] == (first,) for slot in group.slots)


def test_records_of_one_kind_among_others_of_a_list_are_no_runs_of_all() -> None:
    kinds = ("sea", "lake", "sea", "river")
    walks = "".join(
        f"<div class='walk {kinds[n % 4]}'><h3><a href=/w/{n}>Walk {n}</a></h3><p><i>{n} km</i></p></div>"
        for n in range(16)
    )
    groups = survey_pages(query("name", "url:url"), [page(shell(walks))]).groups
    assert (groups[0].selector, groups[0].count) == ("div.walk", 16)
    assert not any(slot.selector.startswith("+ ") for group in groups for slot in group.slots)


def test_what_a_list_hangs_under_is_told_from_its_entries() -> None:
    entries = [(part, f"{part} {n}") for part in ("Lathes", "Saws", "Drills") for n in range(4)]
    tree = "".join(
        f"<li><a href=/{part}>{part}</a><ul>"
        + "".join(f"<li><a href=/{part}/{n}>{part} {n}</a></li>" for n in range(4))
        + "</ul></li>"
        for part in ("Lathes", "Saws", "Drills")
    )
    body = shell(f"<ul class=tree>{tree}</ul>")
    group = next(one for one in survey_pages(query("kind", "name", "url:url"), [page(body)]).groups if one.count == 12)
    kind = column(body, group, [part for part, _ in entries])
    assert kind is not None
    assert kind.selector == "^ li > a:has(+ ul)"
    counted = re.sub("(s)</a><ul>", lambda at: f"s</a><i>({at.start()})</i><ul>", body).replace(
        "</a></li>", "</a><i>1</i></li>"
    )
    groups = survey_pages(query("kind", "name", "url:url"), [page(counted)]).groups
    assert not any("i:has" in group.section for group in groups)


def test_labels_tell_values_apart_where_some_are_missing() -> None:
    items = []
    for n in range(8):
        facts = [f"<span>Beds: {n}</span>"] if n % 2 else []
        facts += [f"<span>Baths: {n + 1}</span>"]
        items.append(
            f'<div class="house"><a href="/h/{n}">House {n}</a><div class="facts">{"".join(facts)}</div></div>'
        )
    body = shell("".join(items))
    group = top(body, "address", "beds:int", "baths:int")
    assert group.count == 8
    beds = column(body, group, [f"Beds: {n}" if n % 2 else "" for n in range(8)])
    assert beds is not None
    assert beds.label == "Beds:"
    assert column(body, group, [f"Baths: {n + 1}" for n in range(8)]) is not None


def test_text_between_line_breaks_is_reached() -> None:
    items = "".join(f"<li>Name {n}<br>Street {n}<br>Town {n}</li>" for n in range(5))
    body = shell(f"<ul class=offices>{items}</ul>")
    group = top(body, "name", "street", "town")
    assert column(body, group, [f"Name {n}" for n in range(5)]) is not None
    assert column(body, group, [f"Street {n}" for n in range(5)]) is not None
    assert column(body, group, [f"Town {n}" for n in range(5)]) is not None


def test_hashed_and_state_classes_stay_out_of_selectors() -> None:
    items = "".join(
        f'<div class="css-1x{n}k9 card{" active" if n == 0 else ""}">'
        f'<span class="sc-a1b2c{n}">Name {n}</span><b class="cost">{n} €</b></div>'
        for n in range(6)
    )
    group = top(shell(items), "name", "cost:float")
    assert group.selector == "div.card"
    assert not any(
        "css-" in slot.selector or "sc-" in slot.selector or "active" in slot.selector for slot in group.slots
    )


def test_samples_show_every_shape_of_a_value() -> None:
    prices = ["$1.00"] * 20 + ["$1,299.00", "call us", "$2.00"]
    items = "".join(
        f'<li class="offer"><a href="/o/{n}">Offer {n}</a><span class="price">{p}</span></li>'
        for n, p in enumerate(prices)
    )
    group = top(shell(f"<ul>{items}</ul>"), "name", "price:float")
    price = next(slot for slot in group.slots if slot.selector == "span.price")
    assert {"$1.00", "$1,299.00", "call us"} <= set(price.samples)


def test_every_selector_reads_the_same_through_bs4() -> None:
    lines = "".join(f"<tr><td>{n}</td><td><a href=/{n}>n{n}</a></td></tr>" for n in range(5))
    body = shell(f"<h1>Things</h1>{products(12, odd=True)}<table class=x>{lines}</table>")
    survey = survey_pages(query("title", "price:float"), [page(body)])
    for group in survey.groups:
        if group.source:
            continue
        read = rows(body, group)
        assert len(read) == group.count
        for slot in group.slots:
            filled = [row[slot.id] for row in read if row[slot.id]]
            assert abs(len(filled) / len(read) - slot.coverage) < 0.002, (group.selector, slot)
            if not slot.many and filled[0] and len(filled[0]) < 150:
                assert filled[0] == slot.samples[0], (group.selector, slot)


def test_the_names_of_drawings_are_values() -> None:
    kinds = (("Wifi", "Pool"), ("Parking",), ("Wifi", "Bar", "Parking"), (), ("Pool", "Bar"), ("Bar",))
    body = shell(
        "".join(
            f'<div class="inn"><h3>Inn {n}</h3><p class="has">'
            + "".join(f'<svg role="img" aria-label="{kind}"><path d="M0 0h1"/></svg>' for kind in has)
            + f'</p><svg class="arrow"><path d="M1 1"/></svg><b class="price">£{n}0</b></div>'
            for n, has in enumerate(kinds, 1)
        )
    )
    found = top(body, "name", "services:list", "price:float")
    has = column(body, found, list(map(list, kinds)))
    assert has is not None
    assert (has.attr, has.many) == ("aria-label", True)
    assert not [slot for slot in found.slots if "arrow" in slot.selector]


def test_what_alone_has_no_class_is_told_from_its_kind_by_that() -> None:
    """Where it is among them changes with how many of the others a record has."""
    lines = [
        f'<li class="book"><h3>Book {n}</h3>'
        + (f'<p class="price">£{n}.00</p>' if n % 3 else "")
        + (f"<p>A tale of {n} cities and more</p>" if n % 4 else "")
        + ('<p class="badge">new</p>' if n % 2 else "")
        + "</li>"
        for n in range(1, 10)
    ]
    body = shell(f"<ul>{''.join(lines)}</ul>")
    wanted = [f"A tale of {n} cities and more" if n % 4 else "" for n in range(1, 10)]
    about = column(body, top(body, "name", "price:float", "about"), wanted)
    assert about is not None
    assert about.selector == "p:not([class])"


SIGNS = {
    "an attribute": ('<li aria-label="{sign}"><b>{value}</b></li>', '[aria-label="{sign}"]'),
    "the class of an icon": ("<li><i class='ic ic-{sign}'></i> {value}</li>", ":has(> i.ic-{sign})"),
    "a drawing": ("<li><svg><use href='#{sign}'></use></svg> {value}</li>", ':has(use[href="#{sign}"])'),
}


@pytest.mark.parametrize("kind", SIGNS)
def test_like_elements_are_told_apart_by_what_an_attribute_or_an_icon_says_of_them(kind: str) -> None:
    markup, condition = SIGNS[kind]
    boats = [{"berths": f"{n + 1}", "masts": f"{n % 2 + 1}", "draught": f"1.{n} m"} for n in range(8)]
    del boats[3]["masts"], boats[5]["berths"]
    items = "".join(
        f"<article class=boat><h3>Boat {n}</h3><ul>"
        + "".join(markup.format(sign=sign, value=value) for sign, value in boat.items())
        + "</ul></article>"
        for n, boat in enumerate(boats)
    )
    body = shell(f"<h1>Boats</h1>{items}")
    group = top(body, "name", "masts:int", "berths:int")
    for sign in ("berths", "masts", "draught"):
        slot = column(body, group, [boat.get(sign, "") for boat in boats])
        assert slot is not None
        assert condition.format(sign=sign) in slot.selector
        assert any(sign in name for name in slot.names)


def test_a_short_list_is_looked_at_where_its_heading_names_what_is_wanted() -> None:
    cards = "".join(
        f"<section><h2>Shelf {'ABCDEFGHIJKL'[n]}</h2>"
        + "".join(
            f"<div class=card{n}><h3><a href=/b/{n}/{m}>Book {n} {m}</a></h3><p>{'A long tale of the sea. ' * 4}</p>"
            "</div>"
            for m in range(6)
        )
        + "</section>"
        for n in range(12)
    )
    parts = "".join(f"<li><a href=/s/{n}>Part {n}</a> <span>{2000 + n}</span></li>" for n in (1, 2, 3))
    survey = survey_pages(
        query("season", "year:int"), [page(shell(f"{cards}<h2>Seasons (3)</h2><ul class=few>{parts}</ul>"))]
    )
    assert "Seasons (3)" in {group.context for group in survey.groups}
