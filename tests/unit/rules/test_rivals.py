"""What can be offered for a column, and how sure the choice is."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from msgspec.structs import replace

from scrapewright.programmers.rules.choose import Candidate, candidates
from scrapewright.programmers.rules.decisions import decided_by
from scrapewright.programmers.rules.reading import Reader
from scrapewright.programmers.rules.rivals import exclusive, undecided, with_likeliest
from scrapewright.programmers.rules.views import of_two
from scrapewright.query.reading import Column, Reading
from scrapewright.session.questions import NONE, Decision
from scrapewright.survey.model import Slot
from tests.unit.rules.helpers import Site, served
from tests.unit.survey.helpers import survey_pages

ROWS = "".join(
    f'<li class="good"><h3><a href="/g/{n}">Good {word}</a></h3><p class="maker">{maker}</p><b>{maker}</b>'
    + (f"<i>{maker}</i>" if n % 2 else "")
    + f"<p class=zed>{n}5</p></li>"
    for n, (word, maker) in enumerate([("Oak", "Bark"), ("Elm", "Grain"), ("Ash", "Knot"), ("Fir", "Bark & Co.")])
)
PAGE = f"<html><body><h1>Goods</h1><ul>{ROWS}</ul></body></html>"


@pytest.fixture
def site() -> Iterator[Site]:
    with served({"/": PAGE}) as found:
        yield found


def ranked(site: Site, *decisions: Decision) -> tuple[Reading, list[Candidate]]:
    url = site.base + "/"
    reading = Reading(text=url, urls=(url,), columns=(Column("name"), Column("maker"), Column("omega")), row_is="good")
    pages = {url: site.page("/")}
    survey = survey_pages(reading, list(pages.values()))
    return reading, candidates(reading, survey, Reader(survey, pages), 0, decisions)


def test_places_that_say_the_same_are_one_offer_and_parts_of_it_none(site: Site) -> None:
    _, found = ranked(site)
    offers = next(one.offers for one in undecided(found) if one.field.name == "maker")
    makers = [offer.values for offer in offers if "Bark" in offer.values or "Grain" in offer.values]
    assert makers == [("Bark", "Grain", "Knot", "Bark & Co.")]
    assert offers[0].values == makers[0]


def test_a_place_that_few_records_have_is_offered_beside_the_box_that_all_have() -> None:
    goods = (("Adze", 30, 45), ("Burr", 12, 0), ("Cramp", 9, 18), ("Dowel", 3, 0))
    page = "".join(
        f"<li><h3>{name}</h3><div class=sums>{f'<p class=zed>€ {was}</p>' if was else ''}<p>€ {now}</p></div></li>"
        for name, now, was in goods
    )
    with served({"/": f"<html><body><ul>{page}</ul></body></html>"}) as site:
        url = site.base + "/"
        reading = Reading(text=url, urls=(url,), columns=(Column("name"), Column("omega", "int")), row_is="good")
        pages = {url: site.page("/")}
        survey = survey_pages(reading, list(pages.values()))
        found = candidates(reading, survey, Reader(survey, pages), 0, ())
    offers = next(one.offers for one in undecided(found) if one.field.name == "omega")
    assert (45, None, 18, None) in [offer.values for offer in offers]


def test_a_place_that_the_program_reads_nothing_at_has_no_two_prices() -> None:
    slots = (Slot(id="s1", selector="b", many=True, names=("price",)),)
    assert of_two(slots, lambda slot: [[], []]) == slots


def test_a_column_that_is_called_so_is_surer_than_one_that_nothing_names(site: Site) -> None:
    _, found = ranked(site)
    sure = {one.field.name: one.likelihood for one in undecided(found)}
    assert sure["maker"] > 0.8 > sure["omega"]


def test_a_part_of_what_is_called_so_is_asked_about(site: Site) -> None:
    """A number out of the address of a link that is called as the column is no matter of course."""
    asked: dict[str, bool] = {}
    for kind, page in (
        ("whole", PAGE.replace("<p class=zed>", "<p class=omega>")),
        ("part", PAGE.replace("/g/", "/omega/").replace("<a ", "<a class=omega ").replace("<p class=zed>", "<p>no ")),
    ):
        site.pages["/"] = page
        url = site.base + "/"
        reading = Reading(text=url, urls=(url,), columns=(Column("omega", "int"),), row_is="good")
        pages = {url: site.page("/")}
        survey = survey_pages(reading, list(pages.values()))
        found = candidates(reading, survey, Reader(survey, pages), 0, ())
        (one,) = undecided(found)
        asked[kind] = not one.outright
    assert asked == {"whole": False, "part": True}


def test_a_place_that_is_surely_another_columns_is_unlikely(site: Site) -> None:
    _, found = ranked(site)
    offers = {one.field.name: one.offers for one in undecided(found)}
    shared = [offer for offer in offers["omega"] if offer.values == offers["maker"][0].values]
    assert shared
    sure, unsure = offers["maker"][0], shared[0]
    both = {
        "maker": [msgspec.structs.replace(sure, likelihood=0.9)],
        "omega": [msgspec.structs.replace(unsure, likelihood=0.6), msgspec.structs.replace(sure, likelihood=0.0)],
    }
    apart = exclusive(both)
    assert apart["maker"][0].likelihood > 0.85
    assert apart["omega"][0].likelihood < 0.3
    assert exclusive({"omega": both["omega"]})["omega"][0].likelihood == pytest.approx(0.6)
    taken = exclusive({"omega": both["omega"]}, [sure])
    assert taken["omega"][0].likelihood < 0.1


def test_places_that_give_the_same_numbers_are_one_for_other_columns(site: Site) -> None:
    _, found = ranked(site)
    (offer, *_) = next(one.offers for one in undecided(found) if one.field.name == "omega")
    text = msgspec.structs.replace(offer, values=(5, 15, 25, 35), likelihood=0.6)
    longer = tuple(f"{value} of 100, all in all" for value in offer.view.values)
    again = msgspec.structs.replace(text, view=msgspec.structs.replace(offer.view, values=longer))
    assert exclusive({"omega": [text]}, [again])["omega"][0].likelihood < 0.1


def test_on_a_page_about_one_thing_a_place_that_is_likelier_by_far_is_taken(site: Site) -> None:
    _, (chosen, *_) = ranked(site)
    assert with_likeliest(chosen, [chosen]) is chosen, "not in a list"
    site.pages["/"] = "<html><body><h1>Oak table</h1><p>Price: £3</p><p>Weight: 30 kg</p></body></html>"
    url = site.base + "/"
    reading = Reading(text=url, urls=(url,), columns=(Column("name"), Column("price", "float")), single=True)
    pages = {url: site.page("/")}
    survey = survey_pages(reading, list(pages.values()))
    (guessed, *_) = candidates(reading, survey, Reader(survey, pages), 0, ())
    right = guessed.matches["price"]
    assert right.view.texts == ["£3"]
    weight = next(view for view in guessed.place.offered if view.texts == ["30 kg"])
    astray = replace(guessed, matches={**guessed.matches, "price": replace(right, view=weight, score=0.0)})
    mended = with_likeliest(astray, [astray])
    assert "£3" in mended.matches["price"].view.texts[0]
    assert mended.guesses == astray.matches
    told = replace(astray, decided=decided_by([Decision("column", "price", text="30 kg", how="example")]))
    assert with_likeliest(told, [told]).matches["price"].view is weight


def test_what_was_decided_is_open_no_more(site: Site) -> None:
    decision = Decision("column", "omega", NONE)
    _, found = ranked(site, decision)
    assert [one.field.name for one in undecided(found)] == ["name", "maker"]
