"""Conditions that the request puts in words and the page answers in one place, and those that it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapewright.programmers.rules.choose import candidates
from scrapewright.programmers.rules.conditions import meanings, on_record, passes
from scrapewright.programmers.rules.reading import Reader
from scrapewright.query.reading import Column, Filter, Reading
from tests.unit.rules.helpers import served
from tests.unit.rules.layouts import framed
from tests.unit.rules.layouts.ways import outcome
from tests.unit.survey.helpers import page, survey_pages


def product(name: str, price: str, former: str = "") -> str:
    amount = f'<b class="amount">€{price}</b>'
    shown = f'<del><b class="amount">€{former}</b></del> <ins>{amount}</ins>' if former else amount
    return f'<li class="product"><h2>{name}</h2><span class="price">{shown}</span></li>'


SHOP = framed(
    '<ul class="products">'
    + product("Stool", "89.00")
    + product("Bench", "199.00", "240.00")
    + product("Box", "35.50")
    + product("Table", "950.00", "1250.00")
    + product("Lamp", "110.00")
    + "</ul>"
)
RIVERS = framed(
    "<table><thead><tr><th>River</th><th>Length (km)</th><th>Continent</th><th>Mouth</th></tr></thead><tbody>"
    + "".join(
        f"<tr><td>{river}</td><td>{length}</td><td>{where}</td><td>{mouth}</td></tr>"
        for river, length, where, mouth in (
            ("Ebro", 930, "Europe", "Mediterranean"),
            ("Volta", 1500, "Africa", "Atlantic"),
            ("Oder", 866, "Europe", "Baltic"),
            ("Indus", 3180, "Asia", "Arabian Sea"),
            ("Limpopo", 1750, "Africa", "Indian Ocean"),
            ("Kura", 1364, "Asia", "Caspian"),
        )
    )
    + "</tbody></table>"
)
POSTS = framed(
    '<div class="jobs">'
    + "".join(
        f'<div class="job"><h3><a href="/j/{n}">{title}</a></h3><span class="firm">{firm}</span>'
        f'<span class="place">{place}</span></div>'
        for n, (title, firm, place) in enumerate(
            (
                ("Baker", "Rye & Co", "Remote"),
                ("Welder", "Iron Works", "Hull"),
                ("Clerk", "Mill", "Remote"),
                ("Cook", "Inn", "York"),
            )
        )
    )
    + "</div>"
)


@pytest.mark.parametrize(
    ("request_", "page"),
    [
        ("{URL}: river and length as int, JSON. Only rivers of renown.", RIVERS),
        # Two columns say it, of other rivers.
        ("{URL}: river and length as int, JSON. Only rivers in Asia.", RIVERS.replace("Baltic", "Asia")),
        ("Products not on sale on {URL}: name, price (float). JSON", SHOP),
    ],
)
async def test_a_condition_without_one_answer_stays_a_doubt(request_: str, page: str, tmp_path: Path) -> None:
    with served({"/": page}) as site:
        assert not (await outcome(site, request_, tmp_path)).verdict.ok


async def test_a_word_of_what_a_row_is_chooses_none_where_it_is_said_in_passing(tmp_path: Path) -> None:
    rooms = ("Board room", "Annexe", "Board room", "Hall")
    page = framed(
        '<div class="list">'
        + "".join(
            f'<div class="meeting"><h3>{day} meeting</h3><span class="place">{room}</span></div>'
            for day, room in zip(("May", "June", "July", "August"), rooms, strict=True)
        )
        + "</div>"
    )
    with served({"/": page}) as site:
        found = await outcome(site, "List every board meeting on {URL}: title, place. JSON", tmp_path)
        assert [row["place"] for row in found.rows] == list(rooms)


async def test_nothing_is_compared_with_what_is_no_finite_number(tmp_path: Path) -> None:
    with served({"/": SHOP}) as site:
        found = await outcome(site, "{URL}: name, price (float) where price is not nan, JSON", tmp_path)
    assert len(found.rows) == 5
    assert "nan" not in found.code


@pytest.mark.parametrize(
    ("said", "selector"), [("only the remote ones", "b.mode"), ("remote, by their badge", "i.badge")]
)
def test_of_places_that_say_the_word_a_condition_looks_at_the_first_or_the_one_that_it_names(
    said: str, selector: str
) -> None:
    line = '<li class="job"><h3>{}</h3><b class="mode">{}</b><i class="badge">{}</i></li>'
    both = ("Remote", "Remote")
    jobs = (("Baker", *both), ("Welder", "Office", "Abroad"), ("Clerk", *both), ("Cook", "Office", "Abroad"))
    body = page(framed(f"<ul>{''.join(line.format(title, mode, badge) for title, mode, badge in jobs)}</ul>"))
    reading = Reading(text="x", urls=(body.url,), columns=(Column("title"),), row_is="job")
    survey = survey_pages(reading, [body])
    chosen = candidates(reading, survey, Reader(survey, {body.url: body}))[0]
    keep = on_record(Filter(said, "", "eq", "Remote"), list(chosen.matches.values()), chosen)
    assert keep is not None
    assert keep.slot is not None
    assert keep.slot.selector == selector


@pytest.mark.parametrize(
    ("note", "selectors"),
    [
        ("Discontinued! Take the walnut one of the autumn list.", {"p.note"}),
        ("Discontinued: the walnut one of the autumn list is like it.", {"p.note"}),
        ("Discontinued models such as this one are kept for ten years.", set()),
        ("It is not discontinued! Ask us for one of the autumn list.", set()),
    ],
)
def test_a_note_of_few_records_that_begins_with_a_word_says_what_kind_they_are(note: str, selectors: set[str]) -> None:
    names = ("Stool", "Bench", "Trunk", "Table", "Lamp")
    lines = "".join(
        f'<li class="product"><h3>{name}</h3><b>{n}9.00</b>{f"<p class=note>{note}</p>" if n in (2, 4) else ""}</li>'
        for n, name in enumerate(names, 1)
    )
    body = page(framed(f"<ul>{lines}</ul>"))
    reading = Reading(text="x", urls=(body.url,), columns=(Column("name"),), row_is="product")
    survey = survey_pages(reading, [body])
    chosen = candidates(reading, survey, Reader(survey, {body.url: body}))[0]
    found = meanings(Filter("without the discontinued ones", "", "other", "discontinued"), chosen)
    assert {one.keep.slot.selector for one in found if one.keep.slot is not None} == selectors
    assert all(one.said_by == (1, 3) for one in found)


def test_what_follows_a_label_of_a_text_is_the_value_and_no_longer_name() -> None:
    stalls = (("Plums", "North"), ("Pears", "North Gate"), ("Leeks", "North"), ("Eggs", "Yard"), ("Honey", "Yard"))
    items = "".join(
        f"<li class=stall><h3>{what}</h3><p class=where>Hall: {hall} · Stall: {n}</p></li>"
        for n, (what, hall) in enumerate(stalls)
    )
    body, wanted = page(framed(f"<ul>{items}</ul>")), Filter("in North", "", "eq", "North")
    reading = Reading(text="x", urls=(body.url,), columns=(Column("what"),), row_is="stall")
    survey = survey_pages(reading, [body])
    chosen = candidates(reading, survey, Reader(survey, {body.url: body}))[0]
    keep = on_record(wanted, [], chosen)
    assert keep is not None
    values = next(v.values for v in chosen.views if v.slot == keep.slot and v.ops == keep.ops)
    assert [passes(keep, value) for value in values] == [True, False, True, False, False]
