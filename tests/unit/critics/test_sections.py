"""Rows from the part of the page that the request names, and from another."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scrapewright.critics.judge import RowsCritic
from scrapewright.loop.ports import Case
from scrapewright.query.reading import Column, Reading
from scrapewright.session.result import Request, RunResult
from scrapewright.session.verdict import Verdict
from scrapewright.web.page import Page

URL = "http://menu.test/"
MENU = {
    "Starters": ("Leek Soup", "Garden Salad", "Olive Bread", "Smoked Trout"),
    "Mains": ("Fish Pie", "Lamb Stew", "Mushroom Roast", "Squash Curry"),
    "Desserts": ("Plum Cake", "Lemon Tart", "Rose Ice", "Berry Fool"),
}


def page(title: str = "h2") -> Page:
    parts = "".join(
        f"<{title}>{head}</{title}><ul>"
        + "".join(f'<li class="dish"><b>{name}</b> <i>{4 + n}.50</i></li>' for n, name in enumerate(names))
        + "</ul>"
        for head, names in MENU.items()
    )
    body = f"<html><head><title>Menu</title></head><body><main><h1>What we cook</h1>{parts}</main></body></html>"
    return Page(URL, URL, 200, {"content-type": "text/html; charset=utf-8"}, body.encode())


def judged(names: tuple[str, ...], **asked: Any) -> Verdict:
    query = Reading(text="", urls=(URL,), columns=(Column("name"),), format="json", **asked)
    files = {query.output_name: json.dumps([{"name": name} for name in names]).encode()}
    given = page()
    result = RunResult("ok", 0, requests=(Request("GET", URL, 200, "text/html", len(given.body)),))
    return RowsCritic().judge(Case(query, None, result, files, {URL: given}, author="model"))


def codes(verdict: Verdict) -> set[str]:
    return {finding.code for finding in verdict.findings if finding.severity == "error"}


asked = pytest.mark.parametrize("said", [{"section": "Desserts"}, {"section": "dessert"}])


@asked
def test_the_rows_of_the_section_are_right(said: dict[str, Any]) -> None:
    verdict = judged(MENU["Desserts"], **said)
    assert verdict.ok, verdict.findings


@asked
def test_rows_of_another_section_are_refused(said: dict[str, Any]) -> None:
    assert "other-section" in codes(judged(MENU["Mains"], **said))
    verdict = judged(sum(MENU.values(), ()), **said)
    assert codes(verdict) == {"other-section"}
    assert "Starters" in verdict.findings[0].message


@asked
def test_a_record_of_the_section_that_is_lost_is_missed(said: dict[str, Any]) -> None:
    assert "too-few-rows" in codes(judged(MENU["Desserts"][:3], **said))


def test_a_section_that_is_no_heading_cannot_be_checked() -> None:
    verdict = judged(MENU["Mains"], section="Drinks")
    assert codes(verdict) == set()
    assert any("Drinks" in said for said in verdict.unchecked)


LONG = "with everything that belongs to it on the plate"


def other(title: str, rows: tuple[str, ...], **asked: Any) -> set[str]:
    """Findings on rows of a side box on a page whose own list goes on behind a link."""
    side = "".join(f"<li><b>{name}</b></li>" for name in MENU["Mains"])
    main = "".join(f"<article><h3><a href='/{name}'>{name} {LONG}</a></h3></article>" for name in "ABCDE")
    body = f"<div><div><p>{title}</p><ul>{side}</ul></div><div>{main}<a rel='next' href='/?page=2'>Next</a></div></div>"
    return of_page(body, rows, **asked)


def of_page(body: str, rows: tuple[str, ...], **asked: Any) -> set[str]:
    """The errors of rows of names on a page."""
    query = Reading(text="", urls=(URL,), columns=(Column("name"),), format="json", **asked)
    files = {query.output_name: json.dumps([{"name": name} for name in rows]).encode()}
    given = Page(URL, URL, 200, {"content-type": "text/html; charset=utf-8"}, body.encode())
    result = RunResult("ok", 0, requests=(Request("GET", URL, 200, "text/html", len(given.body)),))
    verdict = RowsCritic().judge(Case(query, None, result, files, {URL: given}, author="model"))
    return {finding.code for finding in verdict.findings if finding.severity == "error"}


def test_the_next_page_of_another_list_is_not_asked_for() -> None:
    assert not other("Today", MENU["Mains"], section="box of the day", pages="all")
    rows = tuple(f"{name} {LONG}" for name in "ABCDE")
    assert "page-not-fetched" in other("Today", rows, pages="all")


def test_records_of_a_part_that_no_heading_names_are_those_beside_the_rows() -> None:
    assert "too-few-rows" in other("Today", MENU["Mains"][1:], section="box of the day")


def test_a_pager_among_other_texts_is_that_of_the_list() -> None:
    records = "".join(f"<li><b>{name}</b></li>" for name in MENU["Mains"])
    about = f"<p>About us, {LONG}</p>" * 3
    body = f"<ul>{records}</ul><footer>{about}<p><a rel='next' href='/?page=2'>Next</a></p></footer>"
    assert "page-not-fetched" in of_page(body, MENU["Mains"], pages="all")


@pytest.mark.parametrize(
    "link",
    [
        "<a href='/?page=2' title='Zur nächsten Seite'><img src='r.svg'></a>",
        "<a href='/?page=2' aria-label='Go to next page'><svg></svg></a>",
        "<a href='/?page=2'><i class='bi bi-chevron-right'></i></a>",
        "<a href='/?page=2'><span>chevron_right</span></a>",
    ],
)
def test_a_link_of_an_arrow_alone_leads_to_the_next_page(link: str) -> None:
    records = "".join(f"<li><b>{name}</b></li>" for name in MENU["Mains"])
    assert "page-not-fetched" in of_page(f"<ul>{records}</ul><div>{link}</div>", MENU["Mains"], pages="all")
    for label in ("Zur nächsten Seite", "Go to next page"):
        link = link.replace(label, "More about it")
    for address in ("/about", "/stamp/40"):
        elsewhere = link.replace("/?page=2", address)
        assert not of_page(f"<ul>{records}</ul><div>{elsewhere}</div>", MENU["Mains"], pages="all")


@pytest.mark.parametrize("divider", ["<p class='t'>{}</p>", "<div><b>{}</b></div>"])
def test_lines_that_are_no_headings_divide_a_list(divider: str) -> None:
    body = "".join(
        divider.format(head) + "".join(f"<div><b>{name}</b> <i>{4 + n}.50</i></div>" for n, name in enumerate(names))
        for head, names in MENU.items()
    )
    assert not of_page(f"<h1>Menu</h1><div>{body}</div>", MENU["Starters"], section="Starters")


def test_a_part_is_headed_by_the_first_word_of_its_list() -> None:
    """The line above it says what the columns are, and begins with what the records are."""
    line = "<li><dl><dt>{}</dt><dd>{}</dd></dl></li>"
    parts = "".join(
        f"<div class='board'><ul class='top'>{line.format(head, 'Price')}</ul>"
        f"<ul class='top lines'>{''.join(line.format(name, f'4.{n}0') for n, name in enumerate(names))}</ul></div>"
        for head, names in MENU.items()
    )
    body = f"<h2>What we cook</h2>{parts}"
    assert not of_page(body, MENU["Mains"], section="Mains")
    assert "other-section" in of_page(body, MENU["Desserts"], section="Mains")


@pytest.mark.parametrize(
    "menu", ["<ul class=menu><li>{}</li><li>{}</li></ul>", "<div><span>{}</span><span>{}</span></div>"]
)
def test_the_first_of_a_menu_heads_nothing(menu: str) -> None:
    parts = "".join(
        f"<div class=title>{head}</div><ul>{''.join(f'<li><b>{name}</b></li>' for name in MENU[head])}</ul>"
        for head in ("Starters", "Desserts")
    )
    body = f"{menu.format('Desserts', 'Starters')}<div>{parts}</div>"
    assert "other-section" in of_page(body, MENU["Starters"] + MENU["Desserts"], section="Desserts")


def test_a_title_with_the_name_of_a_section_is_none() -> None:
    body = "".join(
        f"<h2>{head}</h2>" + "".join(f"<article><h3>{name} with desserts</h3></article>" for name in names)
        for head, names in MENU.items()
    )
    rows = tuple(f"{name} with desserts" for name in MENU["Mains"])
    assert "other-section" in of_page(body, rows, section="Desserts")


def test_a_heading_that_a_list_of_headings_follows_is_above_all_of_them() -> None:
    """Headings of one rank: the part's own, and at once behind it the first of its groups."""
    parts = "".join(
        f"<h3 class='g'>{head}</h3><ul>{''.join(f'<li>{name}</li>' for name in names)}</ul>"
        for head, names in list(MENU.items())[:2]
    )
    morning = "".join(f"<li>{name}</li>" for name in MENU["Desserts"])
    body = f"<h3>Evening</h3><div>{parts}</div><h3>Morning</h3><ul>{morning}</ul>"
    assert not of_page(body, MENU["Starters"] + MENU["Mains"], section="Evening")
    assert "too-few-rows" in of_page(body, MENU["Starters"] + MENU["Mains"][:3], section="Evening")
    assert "other-section" in of_page(body, MENU["Desserts"], section="Evening")


def test_a_text_that_is_no_heading_heads_a_box() -> None:
    boxes = "".join(
        f"<div class='box'><p><b>{head}</b></p><div>{''.join(f'<p>{name}</p>' for name in names)}</div></div>"
        for head, names in MENU.items()
    )
    body = f"{boxes}<aside><h2>Mains</h2><p>All day</p></aside>"
    assert not of_page(body, MENU["Mains"], section="Mains")
    assert "too-few-rows" in of_page(body, MENU["Mains"][1:], section="Mains")
    assert "other-section" in of_page(body, MENU["Desserts"], section="Mains")


@pytest.mark.parametrize(
    "before", ["<div class=now>{}</div>", "<select><option>{}</option></select>", "<a>A</a> <a>{}</a>"]
)
def test_a_text_in_front_of_headings_heads_none_of_them(before: str) -> None:
    """The open tab of a menu, a chosen option, a link to the part."""
    parts = "".join(
        f"<h2>{head}</h2><ul>{''.join(f'<li>{n}</li>' for n in names)}</ul>" for head, names in MENU.items()
    )
    body = before.format("Mains") + parts
    assert "other-section" in of_page(body, MENU["Mains"] + MENU["Desserts"], section="Mains")
