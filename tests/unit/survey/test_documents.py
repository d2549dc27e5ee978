from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapewright.query.read import read_request
from scrapewright.survey import relative
from scrapewright.survey.decode import decode, parse
from scrapewright.survey.dom import Tree
from scrapewright.survey.embedded import api_urls
from scrapewright.survey.model import Data
from scrapewright.survey.page_record import page_group
from tests.suite import examples
from tests.unit.survey.helpers import column, page, products, query, shell, survey_pages

RSS = """<?xml version="1.0" encoding="{0}"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:media="http://search.yahoo.com/mrss/"><channel><title>News</title>{1}</channel></rss>"""
ITEM = "<item><title>Titel {0} é</title><link>http://n.test/{0}</link><dc:date>2024-03-0{0}</dc:date><media:title>m{0}</media:title>{1}</item>"


def test_an_rss_feed_with_prefixed_names() -> None:
    text = RSS.format(
        "iso-8859-1", "".join(ITEM.format(n, "<category>a</category><category>b</category>") for n in range(1, 5))
    )
    body = text.encode("iso-8859-1")
    survey = survey_pages(query("title", "link:url", "date:date"), [page(body, content_type="text/xml")])
    assert survey.page.declared == "xml"
    group = survey.groups[0]
    assert (group.kind, group.selector, group.count) == ("feed", "item", 4)
    assert column(body, group, [f"Titel {n} é" for n in range(1, 5)]) is not None
    assert column(body, group, [f"http://n.test/{n}" for n in range(1, 5)]) is not None
    date = column(body, group, [f"2024-03-0{n}" for n in range(1, 5)])
    assert date is not None
    assert (date.selector, date.type) == ("dc|date", "date")
    assert column(body, group, [["a", "b"]] * 4) is not None


def test_an_atom_feed_with_links_by_rel() -> None:
    entries = "".join(
        f'<entry><title>E{n}</title><link rel="edit" href="/e/{n}"/><link rel="alternate" href="/a/{n}"/>'
        f"<author><name>N{n}</name></author></entry>"
        for n in range(3)
    )
    body = f'<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title>{entries}</feed>'
    group = survey_pages(query("title", "url:url", "author"), [page(body, content_type="application/atom+xml")]).groups[
        0
    ]
    assert (group.selector, group.count) == ("entry", 3)
    assert column(body, group, [f"/a/{n}" for n in range(3)]) is not None
    assert column(body, group, [f"N{n}" for n in range(3)]) is not None


@pytest.mark.parametrize(
    ("body", "header", "encoding", "declared"),
    [
        ("<p>£5</p>".encode("cp1252"), "text/html; charset=iso-8859-1", "cp1252", "header"),
        ("<meta charset=windows-1251><p>Привет</p>".encode("cp1251"), "text/html", "cp1251", "meta"),
        ("<p>£5</p>".encode(), "text/html", "utf-8", "guess"),
        ("\ufeff<p>x</p>".encode("utf-16-le"), "text/html; charset=utf-8", "utf-16-le", "bom"),
        ("<p>Crème brûlée – £4.50, Pâté, Jalapeño".encode("cp1252"), "text/html", "cp1252", "guess"),
        ("<p>Größe über Straße, schöne Grüße".encode("cp1252"), "text/html", "cp1252", "guess"),
        ("<p>Příliš žluťoučký kůň úpěl ďábelské ódy".encode("cp1250"), "text/html", "cp1250", "guess"),
        ("<meta charset=windows-1251><p>Да, нет</p>".encode("cp1251"), "text/html; charset=utf-8", "cp1251", "meta"),
    ],
)
def test_bytes_are_read_as_they_are_declared(body: bytes, header: str, encoding: str, declared: str) -> None:
    found = decode(body, header)
    assert (found.encoding, found.declared) == (encoding, declared)
    assert "\ufffd" not in found.text


def test_json_ld_by_type_and_a_single_page() -> None:
    thing = {
        "@context": "https://schema.org",
        "@graph": [
            {"@type": "Recipe", "name": "Soup", "totalTime": "PT30M", "author": {"@type": "Person", "name": "Ann"}}
        ],
    }
    body = shell("<h1>Soup</h1><p>Nice.</p>", head=f'<script type="application/ld+json">{json.dumps(thing)}</script>')
    survey = survey_pages(query("title", "author", "total_time", single=True), [page(body)])
    group = next(g for g in survey.groups if g.kind == "page")
    assert Data("recipe_data", "ld+json", "Recipe") in group.data
    inside = [slot for slot in group.slots if slot.data == "recipe_data" and slot.selector != "@type"]
    assert {slot.selector: slot.samples[0] for slot in inside} == {
        "name": "Soup",
        "totalTime": "PT30M",
        "author.@type": "Person",
        "author.name": "Ann",
    }


def test_json_in_a_script_and_by_assignment() -> None:
    data = [{"text": f"T{n}", "author": {"name": f"A{n}"}, "tags": ["x", "y"]} for n in range(5)]
    assigned = (
        shell("<div id=list></div>", head="")
        + f"<script>var quotes = {json.dumps(data)};\nfor (var d in quotes) {{}}</script>"
    )
    group = survey_pages(query("text", "author", "tags:list"), [page(assigned)]).groups[0]
    assert (group.kind, group.source, group.selector, group.count) == ("json", "var quotes", "", 5)
    paths = {slot.selector: slot for slot in group.slots}
    assert paths["author.name"].names[0] == "author"
    assert paths["tags"].many
    nested = (
        shell("<div></div>")
        + f'<script id="state" type="application/json">{json.dumps({"page": {"items": data}})}</script>'
    )
    group = survey_pages(query("text", "author"), [page(nested)]).groups[0]
    assert (group.source, group.selector) == ("script#state", "page.items")


def test_a_json_answer_is_surveyed_as_it_is() -> None:
    body = json.dumps({"count": 3, "results": [{"name": f"n{n}", "price": n + 0.5, "new": True} for n in range(3)]})
    group = survey_pages(query("name", "price:float"), [page(body, content_type="application/json")]).groups[0]
    assert (group.kind, group.source, group.selector, group.count) == ("json", "body", "results", 3)
    assert {slot.selector: slot.type for slot in group.slots} == {"name": "text", "price": "float", "new": "bool"}


def test_calls_of_scripts_are_found() -> None:
    script = """fetch('/api/items?page=' + page); $.getJSON("/data/list.json", show); fetch(`/v1/things?page=${n}`);
    $.get('/api/quotes', {page: page, tag: tag}, done); loadStyle('/static/site.css'); axios.get("/users/" + id);"""
    found = api_urls(parse(page(shell("<p>x</p>") + f"<script>{script}</script>")))
    assert set(found) == {
        "http://shop.test/api/items?page=1",
        "http://shop.test/data/list.json",
        "http://shop.test/v1/things?page=1",
        "http://shop.test/api/quotes?page=1",
    }


def test_labels_and_values_of_one_page() -> None:
    body = shell(
        "<h1>Ada Lovelace</h1><dl><dt>Born</dt><dd>10 December 1815</dd><dt>Died</dt><dd>1852-11-27</dd></dl>"
        "<p><b>Field:</b> Mathematics</p>"
        "<table><tr><th>Country</th><td>England</td></tr><tr><th>Works</th><td>1</td></tr></table>"
    )
    survey = survey_pages(query("name", "born:date", "died:date", "field", "country", single=True), [page(body)])
    group = next(g for g in survey.groups if g.kind == "page")
    labels = {slot.label: slot.samples[0] for slot in group.slots if slot.label}
    assert labels == {
        "Born": "10 December 1815",
        "Died": "1852-11-27",
        "Field:": "Mathematics",
        "Country": "England",
        "Works": "1",
    }
    assert column(body, group, ["10 December 1815"]) is not None
    assert column(body, group, ["Mathematics"]) is not None
    assert column(body, group, ["England"]) is not None


def test_meta_tags_are_a_record() -> None:
    head = (
        '<meta name="keywords" content="a, b"><meta property="article:published_time" content="2024-05-06T07:08:09Z">'
    )
    survey = survey_pages(
        query("keywords:list", "published:date", single=True), [page(shell("<p>text</p>", head=head))]
    )
    group = survey.groups[0]
    assert (group.kind, group.selector) == ("page", "html")
    assert {slot.selector for slot in group.slots} >= {
        'meta[name="keywords"]',
        'meta[property="article:published_time"]',
        "title",
    }


def test_a_page_is_one_record_of_its_markup_and_its_data() -> None:
    thing = {"@type": "Recipe", "name": "Leek soup", "prepTime": "PT15M"}
    script = f'<script type="application/ld+json">{json.dumps(thing)}</script>'
    body = shell("<h1>Leek soup</h1><h2>You need</h2><ul><li>3 leeks</li><li>1 potato</li></ul>", head=script)
    survey = survey_pages(query("name", "ingredients:list", "prep_time", single=True), [page(body)])
    group = survey.groups[0]
    assert (group.kind, group.count) == ("page", 1)
    assert group.data == (Data("recipe_data", "ld+json", "Recipe"),)
    assert {("recipe_data", "prepTime"), ("", "h1")} <= {(slot.data, slot.selector) for slot in group.slots}
    heading = next(slot for slot in group.slots if slot.selector == "h1")
    assert "name" in heading.names  # what the page's data call the same text
    assert any(slot.many and slot.samples == ("3 leeks", "1 potato") for slot in group.slots)


def test_other_scripts_tell_of_a_page_whose_linked_data_do_not() -> None:
    dish = {"id": 7, "slug": "leek", "votes": 31, "stars": 4.5, "cook": "Ann", "kitchen": "plain"}
    state = f'<script id="state" type="application/json">{json.dumps({"props": {"dish": dish}})}</script>'
    survey = survey_pages(query("votes:int", "cook", single=True), [page(shell("<h1>Soup</h1>", head=state))])
    assert survey.groups[0].data == (Data("dish_data", "script#state", "props.dish"),)
    assert {"votes", "cook"} <= {slot.selector for slot in survey.groups[0].slots if slot.data}


@settings(max_examples=examples(120), deadline=None)
@given(
    st.binary(max_size=400),
    st.sampled_from(["text/html", "application/json", "text/xml", "", "text/html; charset=nonsense"]),
)
def test_any_bytes_give_a_survey(body: bytes, content_type: str) -> None:
    survey = survey_pages(query("a", "b:int"), [page(body, content_type=content_type)])
    assert survey.page.bytes == len(body)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "<div class=a>",
                "</div>",
                "<li>",
                "x1",
                "<table><tr><td>",
                "</table>",
                "<a href='?p=2'>n",
                "<b>L:</b> v",
                "<br>",
                "<p id='q\"'>",
                "<meta name='k' content='v'>",
                '<script>var a=[{"k":1},{"k":2}]</script>',
            ]
        ),
        max_size=40,
    )
)
def test_any_markup_gives_a_survey_that_bs4_can_follow(parts: list[str]) -> None:
    from tests.unit.survey.helpers import rows

    body = "".join(parts)
    survey = survey_pages(query("k"), [page(body)])
    for group in survey.groups:
        if not group.source:
            assert len(rows(body, group)) == group.count


def test_the_survey_of_a_large_page_is_quick() -> None:
    from time import process_time

    body = shell(products(700))
    assert len(body) > 150_000
    survey_pages(query("title"), [page(shell(products(5)))])
    started = process_time()
    survey = survey_pages(query("title", "price:float", "url:url"), [page(body)])
    assert survey.groups[0].count == 700
    assert process_time() - started < 3.0


def test_of_many_headings_no_more_are_looked_for_in_the_page_than_it_has_room_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[object] = []
    choose = relative.choose
    monkeypatch.setattr(
        "scrapewright.survey.relative.choose", lambda *args, **more: tried.append(args) or choose(*args, **more)
    )
    items = "".join(f"<article><h3>Item {n}</h3><p>A {n} and a few words</p></article>" for n in range(600))
    root = parse(page(f"<h1>All of them</h1><main>{items}</main><p id=note>The last word</p>")).root
    found = page_group(root, Tree(root.find("body")), whole=False)
    assert found is not None
    said = [slot.samples[0] for slot in found.slots]
    assert (said[0], said[1], said[-1]) == ("All of them", "Item 0", "The last word"), "in page order, the best of all"
    assert len(tried) < 100, "each is looked for in the whole page: 9,000 headings of 5 MB took more than ten minutes"


def test_where_nothing_says_one_row_or_a_list_the_page_is_one_record_with_its_data() -> None:
    """Unless a list serves well; a word of several ("all") is a list."""
    thing = {"@context": "https://schema.org", "@type": "Product", "name": "Oak table", "sku": "T-1", "price": 99}
    head = f'<script type="application/ld+json">{json.dumps(thing)}</script>'
    more = "".join(f'<li class="like"><a href="/{n}">Chair {n}</a></li>' for n in range(6))
    body = shell(f"<h1>Oak table</h1><ul>{more}</ul>", head=head)
    at = "http://shop.test/list"
    said = {f"{at}: name, sku, price": "page", f"all goods on {at}: name, sku, price": "list"}
    said[f"{at}: name, sku, price, the first 5 rows"] = "list"
    for text, kind in said.items():
        assert survey_pages(read_request(text), [page(body)]).groups[0].kind == kind, text
    goods = survey_pages(read_request(f"{at}: title, price"), [page(shell(products(8)))])
    assert [group.kind for group in goods.groups].count("page") == 0


def test_the_page_as_one_record_has_its_links_and_what_is_played() -> None:
    comments = "".join(f'<p><a class=who rel=nofollow href="/who/{n}">N{n}</a> said {n}</p>' for n in range(20))
    ways = "<nav><a class=before href=/p/6>Older</a><a class=after href=/p/8>Newer</a></nav>"
    shown = "<audio><source src=/sound/7.ogg></audio><img src=/pics/7.png>"
    body = f"<html><body>{ways}<main><h1>Seven</h1>{shown}{comments}</main></body></html>"
    survey = survey_pages(query("title", single=True), [page(body)])
    group = next(g for g in survey.groups if g.kind == "page")
    found = {
        slot.samples[0].removeprefix("http://shop.test"): slot.names for slot in group.slots if slot.attr != "text"
    }
    assert {name for names in found.values() for name in names} >= {"older", "newer", "audio"}
    assert list(found) == ["/p/6", "/p/8", "/sound/7.ogg", "/pics/7.png"]
