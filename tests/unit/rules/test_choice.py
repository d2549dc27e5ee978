"""How likely each place is what a column means."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.programmers.rules.choose import candidates
from scrapewright.programmers.rules.figures import Fit
from scrapewright.programmers.rules.fit import fit
from scrapewright.programmers.rules.match import score
from scrapewright.programmers.rules.ops import Part
from scrapewright.programmers.rules.pairs import Context, features, likelihoods, table, weights
from scrapewright.programmers.rules.reading import Reader
from scrapewright.programmers.rules.rivals import column_offers
from scrapewright.programmers.rules.view import View, part
from scrapewright.query.reading import Column, Field, Reading
from scrapewright.survey.model import Slot
from scrapewright.web.page import Page
from tests.unit.survey.helpers import survey_pages

URL = "http://mill.test/"
NOTHING = Context()
TITLES = ("Oak table", "Pine chair", "Elm shelf")
MAKERS = ("Grain & Co.", "Bark", "Knot Brothers")


def view(selector: str, *values: str | None, name: str = "", attr: str = "text") -> View:
    names = (name,) if name else ()
    return View(Slot(selector, selector, attr, names=names, label=name), tuple(values))


def placed(field: Field, *views: View) -> list[tuple[View, Fit]]:
    return [(one, made) for one in views if (made := fit(one.texts, field)) is not None]


def test_the_shipped_weights_are_those_of_the_features() -> None:
    field = Field("maker")
    (row,) = table(field, placed(field, view("p", *MAKERS)), NOTHING)
    assert list(row) == list(weights().weights)


def test_the_place_that_is_called_so_is_the_likeliest() -> None:
    field = Field("maker")
    likely = likelihoods(
        field, placed(field, view("h3", *TITLES), view("p", *MAKERS, name="maker"), view("i", *"123")), NOTHING
    )
    assert max(likely) == likely[1]


def test_what_the_rules_guess_and_no_other_column_has_is_likelier() -> None:
    field = Field("zeta")
    places = placed(field, view("h3", *TITLES), view("p", *MAKERS))
    plain = likelihoods(field, places, NOTHING)
    assert likelihoods(field, places, Context(guess=MAKERS))[1] > plain[1]
    assert likelihoods(field, places, Context(taken=frozenset([MAKERS])))[1] < plain[1]


def test_what_a_column_is_called_is_no_value_of_it() -> None:
    field = Field("yields")
    places = placed(field, view("b", "Yields", "Yields", "Yields"), view("i", "2 cakes", "30 scones", "1 loaf"))
    first, second = likelihoods(field, places, NOTHING)
    assert first < second


def test_what_is_before_a_colon_is_less_likely_than_what_follows_it() -> None:
    field = Field("zeta")
    whole = view("p", *(f"Made by: {maker}" for maker in MAKERS))
    before, after = (part(whole, [Part(": ", after=after)], 0.1)[0] for after in (False, True))
    first, second = likelihoods(field, placed(field, before, after), NOTHING)
    assert first < second


@pytest.mark.parametrize(
    ("column", "kind", "texts", "named"),
    [
        ("score", "text", ("***", "--", "·"), "marks alone"),
        ("score", "text", ("12", "7", "3"), "without letters"),
        ("maker", "text", ("https://a.example/x", "https://a.example/y"), "address in a text"),
        ("maker", "text", ("$5", "$7.50", "€12"), "sum for a text"),
        ("seats", "int", ("4.5", "3.25"), "fraction for a whole number"),
        ("year", "int", ("12", "7"), "no year for a year"),
        ("lot code", "text", ("AB-12", "CD-77"), "code for a code"),
        ("email", "text", ("a@b.example", "c@d.example"), "looks as it is called"),
        ("points", "text", ("1", "2", "3", "4", "5"), "numbers the records"),
    ],
)
def test_texts_have_the_look_that_a_feature_names(column: str, kind: str, texts: tuple[str, ...], named: str) -> None:
    field = Field(column, kind)  # type: ignore[arg-type]
    looks, plain = (features(field, view("p", *some), 1.0)[named] for some in (texts, ("Oak 1900", "Elm 1950")))
    assert looks > 0.9 > 0.1 > plain


def test_what_a_page_keeps_for_its_scripts_is_hardly_a_column() -> None:
    """A setting of a script, or a tag of the head, beside a fact that the page shows behind a label of another name."""
    facts = "".join(f"<p><span>{label}: {value}</span></p>" for label, value in (("Orte", "Tromm"), ("Tage", "Montag")))
    said = {"locale": "sq", "easing": "soft", "mode": "flat", "side": "left", "tone": "dark", "skin": "plain"}
    settings = f"<script>var settings = {json.dumps(said)};</script>"
    head = "<title>The mill</title><meta name='theme-color' content='#ffeecc'><meta name='place' content='水車小屋'>"
    html = f"<html><head>{head}{settings}</head><body><h1>The mill</h1><p>古い水車小屋の歴史</p>{facts}</body></html>"
    page = Page(URL, URL, 200, {"content-type": "text/html; charset=utf-8"}, html.encode())
    query = Reading(text=URL, urls=(URL,), columns=(Column("birthplace"),), single=True)
    survey = survey_pages(query, [page])
    chosen = next(one for one in candidates(query, survey, Reader(survey, {URL: page})) if one.group.kind == "page")
    offered = {one.values[0]: one for one in chosen.views}
    assert (offered["sq"].scripted, offered["Tromm"].scripted) == (True, False)
    assert [offered[text].unseen for text in ("#ffeecc", "水車小屋", "Tromm")] == [1.0, 0.0, 0.0]
    field = chosen.fields[0]
    values = [offer.values[0] for offer in column_offers(field, None, chosen, [chosen])]
    assert max(map(values.index, ("Tromm", "Montag"))) < min(map(values.index, (*said.values(), "#ffeecc")))


def test_no_place_no_likelihood() -> None:
    assert likelihoods(Field("maker"), [], NOTHING) == []


TEXT = st.text("aAé9 :,£-/…", min_size=0, max_size=40)


@pytest.mark.parametrize("kind", ["text", "int", "float", "date", "url", "list", "bool"])
@given(values=st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=6))
def test_probabilities_of_any_places_are_shares_of_one(kind: str, values: list[tuple[str, str, str]]) -> None:
    field = Field("price", kind)  # type: ignore[arg-type]
    views = [view(f"p.c{at}", *(text or None for text in row)) for at, row in enumerate(values) if any(row)]
    likely = likelihoods(field, placed(field, *views), NOTHING)
    assert all(0.0 <= one <= 1.0 for one in likely)
    assert sum(likely) <= 1.0 + 1e-9


@pytest.mark.parametrize(
    ("column", "taken"),
    [
        (Column("url", "url"), {"pagePath"}),
        (Column("link", "url", note="to its page"), {"pagePath"}),
        (Column("photo", "url"), {"cover.url", "pagePath"}),
    ],
)
def test_pictures_are_no_pages_where_others_were_asked_for(column: Column, taken: set[str]) -> None:
    records = [
        {
            "title": title, "maker": {"name": maker}, "cover": {"url": f"https://cdn.mill.test/{n}.jpg"},
            "pagePath": f"/item/{n}",
        }
        for n, (title, maker) in enumerate(zip(TITLES, MAKERS, strict=True))
    ]  # fmt: skip
    body = f"<h1>Mill</h1><script id='d' type='application/json'>{json.dumps({'items': records})}</script>"
    page = Page(URL, URL, 200, {"content-type": "text/html; charset=utf-8"}, body.encode())
    query = Reading(text="x", urls=(URL,), columns=(Column("title"), column))
    survey = survey_pages(query, [page])
    chosen = candidates(query, survey, Reader(survey, {URL: page}))[0]
    field = query.fields[1]
    found = {one.slot.selector for one in chosen.views if not one.ops and score(field, one) is not None}
    assert taken <= found
    assert (found & {"maker.name", "cover.url", "pagePath"}) <= taken
