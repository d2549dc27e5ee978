from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from scrapewright.query.reading import Reading
from scrapewright.session.events import AnyTick
from scrapewright.survey.digest import digest, tokens_in
from scrapewright.survey.model import Survey, from_json, to_json
from scrapewright.survey.surveyor import PageSurveyor
from scrapewright.web.page import Page
from tests.unit.survey.helpers import HTML, page, products, query, shell

START = "http://shop.test/list"


class Site:
    """Pages by address, with a record of what was fetched; any other address is a 404."""

    def __init__(self, **pages: str) -> None:
        self.pages: dict[str, Page] = {}
        self.fetched: list[str] = []

    def put(self, url: str, body: str | bytes, content_type: str = HTML, status: int = 200) -> Site:
        self.pages[url] = page(body, url, content_type, status)
        return self

    async def __call__(self, url: str, *, method: str = "GET", headers: dict[str, str] | None = None) -> Page:
        self.fetched.append(url)
        return self.pages.get(url) or page("<h1>gone</h1>", url, status=404)


def silent(tick: AnyTick) -> None:
    assert tick is not None


async def survey(site: Site, asked: Reading, report: Callable[[AnyTick], None] = silent) -> Survey:
    return await PageSurveyor().survey(asked, site, report)


def two_pages() -> Site:
    first = shell(products(6) + '<div class="pager"><a class="next" href="/list?page=2">Next</a></div>')
    second = shell(
        products(6, 7).replace("£8.50", "from £1,008.50") + '<div class="pager"><a href="/list">Previous</a></div>'
    )
    return Site().put(START, first).put(f"{START}?page=2", second)


async def test_page_two_is_fetched_and_learnt_from_where_all_pages_are_wanted() -> None:
    site = two_pages()
    found = await survey(site, query("title", "price:float", pages="all"))
    assert site.fetched == [START, f"{START}?page=2"]
    assert found.next.verified
    assert found.groups[0].count == 6
    price = next(slot for slot in found.groups[0].slots if slot.selector == "p.price")
    assert "from £1,008.50" in price.samples


async def test_page_two_is_looked_at_but_not_learnt_from_where_nothing_was_said_of_pages() -> None:
    site = two_pages()
    found = await survey(site, query("title", "price:float"))
    assert site.fetched == [START, f"{START}?page=2"]
    assert found.next.verified  # so that it can be asked, or said, that there is more
    price = next(slot for slot in found.groups[0].slots if slot.selector == "p.price")
    assert "from £1,008.50" not in price.samples


@pytest.mark.parametrize("said", [{"pages": "first"}, {"limit": 3}, {"single": True}], ids=str)
async def test_page_two_is_left_alone_where_it_is_not_wanted(said: dict[str, Any]) -> None:
    site = two_pages()
    found = await survey(site, query("title", "price:float", **said))
    assert site.fetched == [START]
    assert not found.next.verified


async def test_a_next_link_to_the_same_records_is_not_verified() -> None:
    site = two_pages()
    site.put(f"{START}?page=2", site.pages[START].body)
    found = await survey(site, query("title", pages="all"))
    assert not found.next.verified
    assert found.notes


async def test_an_endpoint_behind_an_empty_page() -> None:
    site = Site().put(
        START, shell("<div id=app></div>") + "<script>fetch('/api/items?page=' + n)</script>" + "<script></script>"
    )
    for number in (1, 2):
        items = [{"name": f"n{number}{k}", "price": k + 0.5} for k in range(4)]
        answer = json.dumps({"has_next": number < 2, "items": items})
        site.put(f"http://shop.test/api/items?page={number}", answer, "application/json")
    found = await survey(site, query("name", "price:float", pages="all"))
    assert found.verdict == "ok"
    group = found.groups[0]
    assert (group.source, group.selector, group.count) == ("url http://shop.test/api/items?page=1", "items", 4)
    assert [(api.param, api.records) for api in found.apis] == [("page", "items")]
    assert (found.next.how, found.next.selector, found.next.param, found.next.verified) == (
        "json",
        "has_next",
        "page",
        True,
    )


async def test_a_record_s_own_page_is_looked_at_where_the_list_lacks_a_field() -> None:
    site = Site().put(START, shell(products(6)))
    detail = "<h1>Thing number 1</h1><dl><dt>Weight</dt><dd>12 kg</dd><dt>Material</dt><dd>Oak</dd></dl>"
    site.put("http://shop.test/item/1", shell(detail))
    found = await survey(site, query("title", "weight", "material"))
    assert found.detail is not None
    slot = next(slot for slot in found.groups[0].slots if slot.id == found.follow_slot)
    assert slot.attr == "href"
    assert {s.label: s.samples[0] for s in found.detail.groups[0].slots if s.label} == {
        "Weight": "12 kg",
        "Material": "Oak",
    }


@pytest.mark.parametrize("said", ["about", "on the about page"])
async def test_the_named_link_is_followed(said: str) -> None:
    quotes = "".join(
        f'<div class="quote"><a href="/q/{n}">A long sentence {n}</a> <a href="/list/page/{n}">set {n}</a>'
        f' <a href="/who/{n}">(about)</a></div>'
        for n in range(5)
    )
    site = (
        Site()
        .put(START, shell(quotes))
        .put("http://shop.test/who/0", shell("<h1>Ada</h1><p class=born>1815-12-10</p>"))
    )
    found = await survey(site, query("name", "born:date", follow=said))
    assert found.detail is not None
    assert found.detail.page.url == "http://shop.test/who/0"


@pytest.mark.parametrize(
    ("body", "kind", "status", "verdict"),
    [
        (shell(products(5)), HTML, 404, "error"),
        (shell(products(5)), HTML, 503, "error"),
        ("<h1>Forbidden</h1>", HTML, 403, "blocked"),
        ("<title>Just a moment...</title><script>window._cf_chl_opt={}</script>", HTML, 403, "blocked"),
        ("<html><body><h1>Access denied</h1><p>Please verify you are a human.</p></body></html>", HTML, 200, "blocked"),
        (
            '<body><div id="root"></div><script src="/app.js"></script><script src="/b.js"></script></body>',
            HTML,
            200,
            "javascript",
        ),
        (
            "<noscript>You need to enable JavaScript to run this app.</noscript><div id=app></div><script>1</script>",
            HTML,
            200,
            "javascript",
        ),
        (b"%PDF-1.7 ....", "application/pdf", 200, "not-html"),
        (b"\x89PNG\r\n\x1a\n", "image/png", 200, "not-html"),
        ("", HTML, 200, "empty"),
        ("{}", "application/json", 200, "empty"),
        (shell(products(5)), HTML, 200, "ok"),
        (
            shell("<h1>On captchas</h1>" + "<p>Why access denied pages exist. Are you a robot?</p>" * 60),
            HTML,
            200,
            "ok",
        ),
    ],
)
async def test_verdicts(body: str | bytes, kind: str, status: int, verdict: str) -> None:
    found = await survey(Site().put(START, body, kind, status), query("title"))
    assert found.verdict == verdict
    assert bool(found.reason) == (verdict != "ok")


async def test_embedded_data_makes_a_shell_workable() -> None:
    state = json.dumps({"items": [{"title": f"t{n}"} for n in range(4)]})
    data = f'<script id="__DATA__" type="application/json">{state}</script>'
    body = f'<body><div id="root"></div>{data}<script src=a.js></script></body>'
    found = await survey(Site().put(START, body), query("title"))
    assert (found.verdict, found.groups[0].source) == ("ok", "script#__DATA__")


async def test_no_answer_and_no_address() -> None:
    async def fetch(url: str, *, method: str = "GET", headers: dict[str, str] | None = None) -> Page:
        return Page(url, url, error="dns", message="the name shop.test is not known")

    found = await PageSurveyor().survey(query("title"), fetch, silent)
    assert (found.verdict, found.reason) == ("error", "the name shop.test is not known")
    assert (await PageSurveyor().survey(Reading(""), fetch, silent)).verdict == "error"


async def test_a_survey_survives_its_json_and_its_digest_keeps_to_the_budget() -> None:
    asked = query("title", "price:float", "url:url", pages="all")
    found = await survey(two_pages(), asked)
    assert from_json(to_json(found)) == found
    whole = digest(found, asked, 2000)
    assert "article.product" in whole
    assert "p.price" in whole
    assert "NEXT PAGE follow href" in whole
    for limit in (100, 300, 800, 2000):
        assert tokens_in(digest(found, asked, limit)) <= limit + 20


@pytest.mark.parametrize(
    ("said", "how", "path"),
    [
        ({"meta": {"next_cursor": "50"}, "links": {"next": "/v1/tools?cursor=50"}}, "json", "links.next"),
        ({"meta": {"next_cursor": "50"}}, "none", ""),
    ],
    ids=["an address goes before a cursor", "no parameter is known that takes the cursor"],
)
async def test_an_answer_that_is_paged_by_a_cursor(said: dict[str, object], how: str, path: str) -> None:
    start = "http://shop.test/v1/tools"
    site = Site()
    for url, first in ((start, 0), (f"{start}?cursor=50", 50)):
        data = [{"id": n, "title": f"Tool {n}"} for n in range(first, first + 50)]
        site.put(url, json.dumps({"data": data, **(said if first == 0 else {})}), "application/json")
    asked = Reading(text="x", urls=(start,), columns=query("id", "title").columns, pages="all")
    found = (await survey(site, asked)).next
    assert (found.how, found.selector) == (how, path)
    assert found.verified == (how == "json")


LOGIN = """<h1>{}</h1><form action="/session" method="post"><input name="user">
<input type="password" name="secret"><button>OK</button></form>"""


@pytest.mark.parametrize("title", ["Log in", "Please sign in", "Anmelden", "Connexion", "Вход", "ログイン", "Members"])
async def test_a_page_that_asks_for_a_login(title: str) -> None:
    site = Site().put(START, shell(LOGIN.format(title)))
    found = await survey(site, query("title", "price:float"))
    assert (found.verdict, found.reason) == ("login", f"{START} asks for a login")


async def test_a_list_beside_a_form_of_login_is_a_list() -> None:
    site = Site().put(START, shell(LOGIN.format("Sign in") + products(8)))
    found = await survey(site, query("title", "price:float"))
    assert found.verdict == "ok"
    assert found.groups[0].count == 8


@pytest.mark.parametrize("status", [404, 410, 429, 500])
async def test_a_second_page_that_is_not_there_changes_no_group(status: int) -> None:
    site = two_pages()
    whole = await survey(site, query("title", "price:float", pages="first"))
    site.put(f"{START}?page=2", "<h1>no</h1>" + products(30), status=status)
    found = await survey(site, query("title", "price:float", pages="all"))
    assert found.groups == whole.groups
    assert (found.next.how, found.next.verified) == ("link", False)
    assert str(status) in found.notes[0]
