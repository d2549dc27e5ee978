"""Rows of the part of the page that the request names."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapewright.loop.ports import Brief
from scrapewright.programmers.rules.choose import candidates
from scrapewright.programmers.rules.emit import emit
from scrapewright.programmers.rules.plan import plan
from scrapewright.programmers.rules.reading import Reader
from scrapewright.query.read import read_request
from scrapewright.query.reading import Column, Reading
from tests.unit.rules.helpers import asked, lint, rows_of, run_program, served
from tests.unit.survey.helpers import survey_pages

MENU = {
    "Starters": ("Leek Soup", "Garden Salad", "Olive Bread", "Smoked Trout"),
    "Mains": ("Fish Pie", "Lamb Stew", "Mushroom Roast", "Squash Curry"),
    "Desserts": ("Plum Cake", "Lemon Tart", "Rose Ice", "Berry Fool"),
}


def one_list(names: tuple[str, ...], shape: str = "li") -> str:
    return "".join(
        f'<{shape} class="dish"><b>{name}</b> <i class="p">{4 + n}.50</i></{shape}>' for n, name in enumerate(names)
    )


LISTS = "".join(f"<h2>{head}</h2><ul>{one_list(names)}</ul>" for head, names in MENU.items())
FLAT = "".join(f"<h3>{head}</h3>{one_list(names, 'p')}" for head, names in MENU.items())
BOXES = "".join(
    f"<section><h2>{head}</h2><div>{one_list(names, 'div')}</div></section>" for head, names in MENU.items()
)


@pytest.mark.parametrize("layout", [LISTS, FLAT, BOXES], ids=["lists", "flat", "boxes"])
@pytest.mark.parametrize(
    ("request_", "section"),
    [
        ("the desserts on MENU: name, price", "Desserts"),
        ("dishes under 'Mains' on MENU: name, price", "Mains"),
        ('all dishes under the heading "Starters" on MENU: name, price', "Starters"),
        ("all dishes in the Desserts section of MENU: name, price", "Desserts"),
        ("all dishes on MENU: name, price", ""),
    ],
)
def test_the_rows_are_those_under_the_heading(layout: str, request_: str, section: str, tmp_path: Path) -> None:
    page = f"<html><head><title>Menu</title></head><body><h1>What we cook</h1>{layout}</body></html>"
    with served({"/menu": page}) as site:
        query = read_request(request_.replace("MENU", site.base + "/menu"))
        pages = {site.base + "/menu": site.page("/menu")}
        code = emit(plan(query, survey_pages(query, list(pages.values())), 0, pages))
        assert lint(code) == ""
        done = run_program(code, tmp_path)
    assert done.returncode == 0, done.stderr
    rows = rows_of(tmp_path / "rows.csv")
    wanted = MENU[section] if section else sum(MENU.values(), ())
    assert [row["name"] for row in rows] == list(wanted)
    assert all(list(row) == ["name", "price"] for row in rows)


async def test_a_person_is_shown_values_of_the_rows_under_the_heading() -> None:
    page = f"<html><head><title>Menu</title></head><body>{LISTS}</body></html>"
    with served({"/menu": page}) as site:
        url = site.base + "/menu"
        query = Reading(urls=(url,), columns=(Column("cook's word for it"),), row_is="dish", section="Desserts")
        pages = {url: site.page("/menu")}
        brief = Brief(reading=query, survey=survey_pages(query, list(pages.values())), pages=pages)
        question = next(one for one in await asked(brief) if one.kind == "column")
    assert any(option.samples == MENU["Desserts"] for option in question.options)


@pytest.mark.parametrize(("section", "is_asked"), [("", False), ("left-hand menu", True)])
async def test_where_no_heading_is_the_one_named_a_person_is_asked_for_the_records(
    section: str, is_asked: bool
) -> None:
    menu = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in sum(MENU.values(), ()))
    dishes = "".join(
        f"<article><h3><a href=/d/{n}>Dish {n}</a></h3><p>Served {n} times</p></article>" for n in range(9)
    )
    page = f"<html><body><nav><ul>{menu}</ul></nav><main>{dishes}</main></body></html>"
    with served({"/": page}) as site:
        url = site.base + "/"
        columns = (Column("name"), Column("url", "url"))
        query = Reading(urls=(url,), columns=columns, row_is="dish", section=section)
        pages = {url: site.page("/")}
        brief = Brief(reading=query, survey=survey_pages(query, list(pages.values())), pages=pages)
        question = next((one for one in await asked(brief) if one.kind == "group"), None)
    assert (question is not None) is is_asked
    assert question is None or any(
        option.where.startswith("nav") or "li" in option.where for option in question.options
    )


def test_boxes_that_hold_several_alike_are_far_behind_these() -> None:
    boxes = "".join(
        f"<div class=box><span>{head}</span>"
        + "".join(f'<a class=item href="/{name[:3]}"><b data-cook="{head[:2]}">{name}</b></a>' for name in names)
        + "</div>"
        for head, names in MENU.items()
    )
    with served({"/": f"<html><body><h1>What we cook</h1><div>{boxes}</div></body></html>"}) as site:
        url = site.base + "/"
        columns = (Column("course"), Column("dish"), Column("cook"), Column("url", "url"))
        query = Reading(urls=(url,), columns=columns, row_is="dish")
        pages = {url: site.page("/")}
        survey = survey_pages(query, list(pages.values()))
        scores = {one.group.count: one.score for one in candidates(query, survey, Reader(survey, pages))}
    assert max(scores, key=lambda count: scores[count]) == 12
    assert scores[3] < scores[12] - 1
