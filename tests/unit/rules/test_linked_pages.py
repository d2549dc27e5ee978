"""Pages behind records' links, from lists of every kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scrapewright.programmers.rules.emit import emit
from scrapewright.programmers.rules.plan import plan
from scrapewright.query.reading import Column, Reading
from scrapewright.survey.model import NextPage, Slot
from tests.unit.reading_helpers import html, read
from tests.unit.rules.helpers import group_of, lint, rows_of, run_program, served, survey_of

TEAS = ("Assam", "Sencha", "Keemun", "Rooibos", "Oolong")
BEHIND = {
    f"/tea/{tea}": html(
        f'<h1>{tea}</h1><p class="origin">Origin: {tea} hills</p>',
        head='<meta charset="utf-8">',
    )
    for tea in TEAS
}
TYPES = {"rss": "application/rss+xml", "atom": "application/atom+xml", "json": "application/json"}
RECORDS = [{"name": tea, "url": f"/tea/{tea}", "price": n + 0.5} for n, tea in enumerate(TEAS, 3)]


def items(link: str) -> str:
    return "".join(
        f"<item><name>{one['name']}</name>{link.format(one['url'])}<price>{one['price']}</price></item>"
        for one in RECORDS
    )


LISTS = {
    "rss": '<?xml version="1.0"?><rss version="2.0"><channel>' + items("<link>{}</link>") + "</channel></rss>",
    "atom": '<?xml version="1.0"?><feed>' + items('<link href="{}"/>') + "</feed>",
    "json": json.dumps({"teas": RECORDS}),
    "script": html(f"<h1>Teas</h1><script id='d' type='application/json'>{json.dumps(RECORDS)}</script>"),
    "html": html(
        "<ul>"
        + "".join(
            f'<li class="tea"><a href="{one["url"]}">{one["name"]}</a> <b class="price">£{one["price"]:.2f}</b></li>'
            for one in RECORDS
        )
        + "</ul>"
    ),
}


@pytest.mark.parametrize("kind", LISTS)
def test_the_page_behind_each_record_is_read(kind: str, tmp_path: Path) -> None:
    start: Any = (LISTS[kind].encode(), TYPES[kind]) if kind in TYPES else LISTS[kind]
    request = "all teas on {}: name, price (float), origin. Follow the link of each tea."
    found = read(request, {"/": start, **BEHIND}, tmp_path)
    assert found.ok, found.findings
    assert found.rows == [
        {"name": tea, "price": str(n + 0.5), "origin": f"{tea} hills"} for n, tea in enumerate(TEAS, 3)
    ]


@pytest.mark.parametrize("columns", ["name, price (float), origin", "origin and harvest"])
@pytest.mark.parametrize("kind", ["json", "html", "rss"])
def test_no_more_pages_are_opened_than_are_asked_for(kind: str, columns: str, tmp_path: Path) -> None:
    start: Any = (LISTS[kind].encode(), TYPES[kind]) if kind in TYPES else LISTS[kind]
    request = f"the first 2 teas on {{}}: {columns}. Follow the link of each tea."
    behind = {
        path: page.replace("</body>", f'<p class="harvest">Harvest: {path[5:]} spring</p></body>')
        for path, page in BEHIND.items()
    }
    found = read(request, {"/": start, **behind}, tmp_path)
    assert found.ok, found.findings
    assert found.column("origin") == ["Assam hills", "Sencha hills"]
    opened = [path for path in found.hits if path.startswith("/tea/")]
    assert opened == ["/tea/Assam", "/tea/Sencha"]


@pytest.mark.parametrize(
    "address", ["/2024/05/{}", "/12-{}", "/@{}", "/?tea={}", "tea/{}", "?tea={}", "{}.html"]
)  # fmt: skip
def test_addresses_in_data_have_many_forms(address: str, tmp_path: Path) -> None:
    records = [{**one, "url": address.format(one["name"])} for one in RECORDS]
    behind = {"/" + address.format(tea).removeprefix("/"): BEHIND[f"/tea/{tea}"] for tea in TEAS}
    start: Any = (json.dumps({"teas": records}).encode(), TYPES["json"])
    request = "all teas on {}: name, price (float), origin. Follow the link of each tea."
    assert read(request, {"/": start, **behind}, tmp_path).column("origin") == [f"{tea} hills" for tea in TEAS]


def test_of_several_addresses_the_one_of_a_page_is_followed(tmp_path: Path) -> None:
    """Beside a picture's and that of the same record as data; a page that is gone leaves its cells empty."""
    records = [
        {"api_url": f"/api/{one['name']}", "image_url": f"/tea/{one['name']}.png", **one, "page_url": one["url"]}
        for one in RECORDS
    ]
    data: Any = {f"/api/{tea}": (json.dumps({"tea": {"id": 1}}).encode(), TYPES["json"]) for tea in TEAS}
    start: Any = (json.dumps({"teas": [{**one, "url": one["api_url"]} for one in records]}).encode(), TYPES["json"])
    there = {path: page for path, page in BEHIND.items() if path != "/tea/Sencha"}
    request = "all teas on {}: name, price (float), origin. Follow the link of each tea."
    found = read(request, {"/": start, **data, **there}, tmp_path)
    assert found.column("origin") == ["" if tea == "Sencha" else f"{tea} hills" for tea in TEAS]


@pytest.mark.parametrize("limit", [None, 3])
@pytest.mark.parametrize("asked", [("name", "origin"), ("origin",)])
@pytest.mark.parametrize("how", ["param", "link", "json"])
def test_they_are_read_from_every_page_of_a_list(
    how: str, asked: tuple[str, ...], limit: int | None, tmp_path: Path
) -> None:
    """And from no further page, nor behind any further record, than are asked for."""

    def listing(number: int) -> str:
        if how == "json":
            said = {
                "teas": RECORDS[2 * number - 2 : 2 * number],
                "next": f"/?page={number + 1}" if number < 3 else None,
            }
            return json.dumps(said)
        links = "".join(f'<p><a href="/tea/{tea}">{tea}</a></p>' for tea in TEAS[2 * number - 2 : 2 * number])
        return html(links + (f'<a class="next" href="/?page={number + 1}">next</a>' if number < 3 else ""))

    lists = {"/" if number == 1 else f"/?page={number}": listing(number) for number in range(1, 5)}
    with served({**lists, **BEHIND, "/?page=1": lists["/"]}) as site:
        start = site.base + "/"
        name, url = ("name", "url") if how == "json" else ("a", "a")
        slots = (
            Slot("n", name, names=("name",), samples=TEAS[:2]),
            Slot("l", url, attr="text" if how == "json" else "href", type="url", samples=("/tea/Assam",)),
        )
        shape = {"kind": "json", "source": f"url {start}"} if how == "json" else {}
        group = group_of("teas" if how == "json" else "p", *slots, count=2, **shape)
        origin = Slot("o", "p.origin", names=("origin",), label="Origin:", samples=("Origin: Assam hills",))
        behind = survey_of(f"{site.base}/tea/Assam", group_of("body", origin, kind="page", count=1))
        onward = NextPage(how=how, selector="next" if how == "json" else "a.next", url=f"{start}?page=2", start=1,
                          param="page" if how == "param" else "")  # fmt: skip
        query = Reading(
            text="", urls=(start,), columns=tuple(map(Column, asked)), follow="tea", pages="all", format="json",
            limit=limit,
        )  # fmt: skip
        survey = survey_of(start, group, onward=onward, detail=behind, follow_slot="l")
        code = emit(plan(query, survey))
        assert lint(code) == ""
        site.hits.clear()
        done = run_program(code, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    rows = [{"name": tea, "origin": f"{tea} hills"} for tea in TEAS[:limit]]
    assert [path for path in site.hits if path in BEHIND] == [f"/tea/{tea}" for tea in TEAS[:limit]]
    assert ("/?page=3" in site.hits) == (limit is None)
    assert rows_of(tmp_path / "rows.json") == [{name: row[name] for name in asked} for row in rows]
