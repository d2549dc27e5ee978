"""Pages that have nothing to list: what is said of them, and that pages with records are not taken for such."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapewright.survey import verdict
from scrapewright.survey.decode import parse
from tests.unit.reading_helpers import OTHER, html, read
from tests.unit.survey.helpers import page, query, survey_pages

ASKED = "all products on {}: name, price (float), url, as CSV"
WARES = ("Copper pot", "Iron pan", "Bread knife", "Oak board", "Tin kettle", "Stone mug", "Glass jug", "Clay bowl")
SECTIONS = ("Pots", "Pans", "Knives", "Boards", "Kettles", "Mugs", "Sale", "New in")


def links(*names: str, item: str = "li") -> str:
    return "".join(f'<{item}><a href="/c/{n}">{name}</a></{item}>' for n, name in enumerate(names))


MENU = f"<header><nav><ul>{links(*SECTIONS)}</ul></nav></header>"
TILES = '<div class="top">' + "".join(
    f'<div class="tile"><a href="/c/{n}"><img src="/i/{n}.png"><span>{name}</span></a></div>'
    for n, name in enumerate(SECTIONS)
) + "</div>"  # fmt: skip
MAKERS = "".join(f'<li><input type="checkbox"><a href="/?m={m}">{m}</a> ({len(m)})</li>' for m in WARES[:4])
FACETS = f'<aside class="filters"><h3>Maker</h3><ul>{MAKERS}</ul></aside>'
FOOT = (
    f"<footer><ul>{links('About', 'Jobs')}</ul><ul>{links('Delivery', 'Returns')}</ul>"
    f"<ul>{links('Privacy', 'Terms')}</ul></footer>"
)


def cards(names: tuple[str, ...], kind: str = "ware") -> str:
    return "".join(
        f'<li class="{kind}"><h3><a href="/p/{kind}{n}">{name}</a></h3><span class="price">£{n}.50</span></li>'
        for n, name in enumerate(names, 1)
    )


MORE = f"<ul>{cards(WARES[:4])}</ul>"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (f"{MENU}{FACETS}<main><h1>Search</h1><p>0 results</p><p>No products found for “zzz”.</p></main>{FOOT}", "zzz"),
        (f"{TILES}<div><h2>Suche</h2><div>Keine Artikel gefunden.</div></div>{FOOT}", "Keine Artikel gefunden."),
        (f"{MENU}<main><p>Aucun résultat</p></main>{FOOT}", "Aucun résultat"),
        (f"{MENU}<main><p>検索結果はありません</p></main>{FOOT}", "検索結果はありません"),
        (f"{MENU}<main><p>No matches.</p></main><section><h2>You may also like</h2>{MORE}</section>", "No matches."),
        (f'{MENU}<main><p>Nothing found</p></main><div class="related-items">{MORE}</div>', "Nothing found"),
    ],
)  # fmt: skip
def test_a_page_that_says_it_has_nothing(body: str, said: str, tmp_path: Path) -> None:
    found = read(ASKED, html(body), tmp_path)
    assert found.survey.verdict == "empty"
    assert found.survey.reason.startswith("no records: the page says “")
    assert said in found.survey.reason
    assert found.code == ""


def test_a_page_of_menus_alone(tmp_path: Path) -> None:
    found = read("title and url of all news on {}", html(f"{MENU}<main><h1>News</h1></main>{FOOT}"), tmp_path)
    assert (found.survey.verdict, found.code) == ("empty", "")
    assert "navigation" in found.survey.reason


@pytest.mark.parametrize(
    "message",
    [
        '<p style="display: none">No products found.</p>',
        "<p hidden>No products found.</p>",
        '<p class="empty-state">No products found.</p>',
        "<template><p>No products found.</p></template>",
        "<p>There are no results for last year yet, but these are this year's.</p>",
    ],
)
def test_records_are_read_whatever_a_message_in_the_markup_says(message: str, tmp_path: Path) -> None:
    for body in (f"{message}<ul>{cards(WARES)}</ul>", f"<ul>{cards(WARES)}</ul>{message}"):
        found = read(ASKED, html(f"{MENU}<main>{body}</main>{FOOT}"), tmp_path)
        assert found.column("name") == list(WARES)
        assert found.ok


def test_menus_and_links_are_read_where_they_are_asked_for(tmp_path: Path) -> None:
    found = read(
        "all links on {}: text, url",
        html(f"<h1>Links</h1><nav><ul>{''.join(f'<li><a href=/{w}>{w}</a></li>' for w in WARES)}</ul></nav>"),
        tmp_path,
    )
    assert found.column("text") == list(WARES)
    assert found.ok


def test_a_menu_of_dishes_is_no_navigation(tmp_path: Path) -> None:
    dishes = "".join(f'<div class="dish"><b>{w} stew</b> <i>€{n},50</i></div>' for n, w in enumerate(WARES, 4))
    found = read("dishes on {}: name, price (float)", html(f'<div id="menu" class="menu">{dishes}</div>'), tmp_path)
    assert found.column("name") == [f"{w} stew" for w in WARES]
    assert found.ok


def test_menu_rows_are_refused_whichever_group_the_survey_put_first(tmp_path: Path) -> None:
    """A program that takes the menu from a page of records, and one that takes the footer."""
    listing = html(f"{MENU}<main><ul>{cards(WARES)}</ul></main>{FOOT}")
    for selector in ("nav li", "footer li"):
        program = (
            "import csv, requests\nfrom bs4 import BeautifulSoup\nfrom urllib.parse import urljoin\n"
            "soup = BeautifulSoup(requests.get('{}').content, 'lxml')\n"
            "with open('rows.csv', 'w', newline='', encoding='utf-8') as file:\n"
            "    writer = csv.writer(file)\n    writer.writerow(['title', 'url'])\n"
            f"    for item in soup.select('{selector}'):\n"
            "        writer.writerow([item.get_text(), urljoin('{}', item.a['href'])])\n"
        )
        found = read("title and url of the wares on {}", listing, tmp_path, program)
        assert "navigation-rows" in found.findings


@pytest.mark.parametrize(
    "text",
    ["0 results", "No results found", "Sorry, we couldn’t find any books", "Your search returned no results",
     "Es wurden keine Ergebnisse gefunden", "0 Treffer", "Aucun produit trouvé", "No se encontraron resultados",
     "Nenhum produto encontrado", "Nessun risultato", "Geen producten gevonden", "Nie znaleziono produktów",
     "Nebyly nalezeny žádné produkty", "Ничего не найдено", "該当する商品はありません", "没有找到相关商品",
     "검색 결과가 없습니다", "Nincs találat", "Inga träffar", "Ingen resultater", "Ürün bulunamadı",
     "Δεν βρέθηκαν προϊόντα"],
)  # fmt: skip
def test_messages_in_many_languages(text: str) -> None:
    assert verdict.message(parse(page(f"<html><body><main><p>{text}</p></main></body></html>"))) is not None


@pytest.mark.parametrize(
    "text", ["0 items in your cart", "No. 5 Bond Street", "Notebooks", "No smoking", "10 results", "Nobody"]
)
def test_what_is_no_such_message(text: str) -> None:
    assert verdict.message(parse(page(f"<html><body><main><p>{text}</p></main></body></html>"))) is None


def test_links_of_other_sites_in_a_side_box_are_not_the_list(tmp_path: Path) -> None:
    box = (
        "<aside><ul>"
        + "".join(f'<li><a href="{OTHER}/{n}">{w} friends</a></li>' for n, w in enumerate(WARES))
        + "</ul></aside>"
    )
    found = read(
        "title and url of all articles on {}", html(f"{MENU}<main><h1>Articles</h1></main>{box}{FOOT}"), tmp_path
    )
    assert found.survey.verdict == "empty"


def test_a_part_of_the_frame_that_the_request_names_is_no_empty_page() -> None:
    body = page(html(f"{MENU}{FACETS}{FOOT}"))
    for section, empty in (("", True), ("Maker", False)):
        asked = query("name", "url:url", row_is="company", section=section)
        groups = survey_pages(asked, [body]).groups
        assert bool(verdict.empty(asked, parse(body), groups)) is empty
