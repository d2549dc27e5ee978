"""Generated programs on sites that do not give every page: the first one's failure is raised, a later one's ends it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scrapewright.programmers.rules.emit import emit
from scrapewright.programmers.rules.plan import plan
from scrapewright.query.reading import Column, Reading
from scrapewright.survey.model import Group, NextPage, Slot, Survey
from tests.unit.rules.helpers import Site, group_of, lint, rows_of, run_program, served, survey_of

SLOTS = (Slot("n", "b", names=("name",), samples=("a1",)), Slot("p", "i", names=("price",), samples=("1.50",)))
PRICES = Slot("p", "price", names=("price",), samples=("1.5",), type="float")
JSON_SLOTS = (Slot("n", "name", names=("name",), samples=("a1",)), PRICES)
FIELDS = (Column("name"), Column("price", type="float"))
ROWS = [{"name": f"{letter}{page}", "price": page + 0.5} for page in (1, 2) for letter in "ab"]


def listing(page: int, onward: str) -> str:
    items = "".join(f"<p><b>{row['name']}</b><i>{row['price']:.2f}</i></p>" for row in ROWS[2 * page - 2 : 2 * page])
    return f"<html><body>{items}<a class='next' href='{onward}'>next</a></body></html>"


def answer(page: int, onward: str) -> str:
    return json.dumps({"items": ROWS[2 * page - 2 : 2 * page], "next": onward})


def link(site: Site) -> tuple[Group, NextPage]:
    return group_of("p", *SLOTS, count=2), NextPage(how="link", selector="a.next", url=f"{site.base}/?page=2")


def numbers(site: Site) -> tuple[Group, NextPage]:
    return group_of("p", *SLOTS, count=2), NextPage(how="param", param="page", start=1, url=f"{site.base}/?page=2")


def endpoint(site: Site) -> Group:
    return group_of("items", *JSON_SLOTS, kind="json", source=f"url {site.base}/api?page=1", count=2)


def counted(site: Site) -> tuple[Group, NextPage]:
    return endpoint(site), NextPage(how="param", param="page", start=1, url=f"{site.base}/api?page=2")


def addressed(site: Site) -> tuple[Group, NextPage]:
    return endpoint(site), NextPage(how="json", selector="next", url=f"{site.base}/api?page=2")


WAYS = {"link": link, "numbers": numbers, "counted answers": counted, "answers with addresses": addressed}


def pages(last: int = 2) -> dict[str, str]:
    """Page `last` links to one more, which is not there."""
    found = {f"/?page={page}": listing(page, f"/?page={page + 1}") for page in range(1, last + 1)}
    found["/"] = listing(1, "/?page=2")
    return found | {f"/api?page={page}": answer(page, f"/api?page={page + 1}") for page in range(1, last + 1)}


def ran(way: str, site: Site, tmp_path: Path) -> tuple[int, str, str]:
    group, onward = WAYS[way](site)
    survey = survey_of(f"{site.base}/", group, onward=onward)
    query = Reading(text="", urls=(f"{site.base}/",), columns=FIELDS, pages="all", format="json")
    code = emit(plan(query, survey))
    assert lint(code) == ""
    done = run_program(code, tmp_path)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("way", WAYS)
def test_a_dead_next_page_leaves_the_rows_before_it(way: str, tmp_path: Path) -> None:
    with served(pages()) as site:
        code, said, wrong = ran(way, site, tmp_path)
    assert (code, wrong) == (0, "")
    assert rows_of(tmp_path / "rows.json") == ROWS
    assert said.startswith("Stopped after 4 rows: 404 Client Error")


@pytest.mark.parametrize("way", ["link", "numbers"])
def test_an_empty_page_leaves_the_rows_before_it(way: str, tmp_path: Path) -> None:
    with served(pages() | {"/?page=3": listing(3, "/?page=4")}) as site:
        code, said, _ = ran(way, site, tmp_path)
        assert "/?page=4" not in site.hits
        assert f"No records on {site.base}/?page=3" in said or way == "numbers"
    assert code == 0
    assert rows_of(tmp_path / "rows.json") == ROWS


@pytest.mark.parametrize("way", ["counted answers", "answers with addresses"])
def test_an_answer_that_is_no_json_leaves_the_rows_before_it(way: str, tmp_path: Path) -> None:
    with served(pages() | {"/api?page=3": "<h1>Busy</h1>"}) as site:
        code, said, _ = ran(way, site, tmp_path)
    assert code == 0
    assert said.startswith("Stopped after 4 rows: ")
    assert rows_of(tmp_path / "rows.json") == ROWS


@pytest.mark.parametrize("way", WAYS)
def test_the_first_page_failing_is_an_error(way: str, tmp_path: Path) -> None:
    with served({"/other": "x"}) as site:
        code, _, wrong = ran(way, site, tmp_path)
    assert code == 1
    assert "404 Client Error" in wrong
    assert not (tmp_path / "rows.json").exists()


PRICE = Slot("p", "i", names=("price",), label="Price:", samples=("1.50",))


def behind(site: Site, *own: Slot) -> Survey:
    detail = survey_of(f"{site.base}/a", group_of("body", PRICE, kind="page", count=1))
    slots = (*own, Slot("l", "a", attr="href", type="url", samples=("/a",)))
    return survey_of(f"{site.base}/", group_of("p", *slots, count=3), detail=detail, follow_slot="l")


@pytest.mark.parametrize("named", [True, False])
def test_a_record_whose_own_page_is_dead(named: bool, tmp_path: Path) -> None:
    home = "".join(f"<p><b>{name}</b><a href='/{name}'>more</a></p>" for name in "abc")
    with served({"/": home, "/a": "<body><i>1.50</i></body>", "/c": "<body><i>3.50</i></body>"}) as site:
        survey = behind(site, *([Slot("n", "b", names=("name",), samples=("a",))] if named else []))
        fields = FIELDS if named else FIELDS[1:]
        query = Reading(text="", urls=(f"{site.base}/",), columns=fields, follow="more", format="json")
        code = emit(plan(query, survey))
        assert lint(code) == ""
        done = run_program(code, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Left out: 404 Client Error" in done.stdout
    wanted: list[dict[str, Any]] = [
        {"name": name, "price": price} for name, price in zip("abc", (1.5, None, 3.5), strict=True)
    ]
    assert rows_of(tmp_path / "rows.json") == (wanted if named else [{"price": 1.5}, {"price": 3.5}])
