"""How well a group of records serves a request."""

from __future__ import annotations

from scrapewright.programmers.rules.choose import GROUP_WEIGHTS, Candidate, candidates, group_features
from scrapewright.programmers.rules.pairs import weights
from scrapewright.programmers.rules.questions import group_confidence, groups_shown, without_states
from scrapewright.programmers.rules.reading import Reader
from scrapewright.query.reading import Column, Pages, Reading
from scrapewright.web.page import Page
from tests.unit.survey.helpers import survey_pages

URL = "http://teas.test/"
TEAS = "".join(
    f"<div class=cup><b class=tea>Tea {name}</b> <i class=price>£{n}.50</i></div>" for n, name in enumerate("ABCDEF", 2)
)
NEWS = "".join(f"<li><em>{n} May 2024</em> <u>News of {name}</u></li>" for n, name in enumerate("QRSTUVWXY", 2))
PAGE = f"<html><body><h1>The tea house</h1><ul class=news>{NEWS}</ul><section>{TEAS}</section></body></html>"


def ranked(*columns: Column, single: bool = False, pages: Pages = "unsaid") -> list[Candidate]:
    page = Page(URL, URL, 200, {"content-type": "text/html; charset=utf-8"}, PAGE.encode())
    query = Reading(text=URL, urls=(URL,), columns=columns, single=single, pages=pages)
    survey = survey_pages(query, [page])
    return candidates(query, survey, Reader(survey, {URL: page}))


def test_the_shipped_weights_are_those_of_the_features() -> None:
    (first, *_) = ranked(Column("tea"))
    found = group_features(Reading(text=URL, urls=(URL,), columns=()), first.group, first.fields, first.matches, 0, 0.0)
    assert list(found) == list(weights(GROUP_WEIGHTS).weights)


def test_the_records_that_have_places_called_as_the_columns_are_first() -> None:
    teas = ranked(Column("tea"), Column("price", "float"))
    assert teas[0].group.count == 6
    assert group_confidence(teas) > 0.5
    assert ranked(Column("date", "date"), Column("title"), pages="all")[0].group.count == 9


def test_where_one_thing_is_asked_for_the_page_is_first() -> None:
    assert ranked(Column("title"), single=True)[0].group.count == 1


def test_confidence_is_less_where_another_group_serves_as_well() -> None:
    found = ranked(Column("tea"), Column("price", "float"))
    assert group_confidence([found[0], found[0]]) < group_confidence(found[:1]) <= 1.0
    assert group_confidence([]) == 1.0


def lists_of(body: str, *columns: Column) -> dict[str, tuple[tuple[str, ...], Candidate]]:
    """The lists of a page that can be offered, by their selectors, with the samples of each."""
    page = Page(URL, URL, 200, {"content-type": "text/html; charset=utf-8"}, f"<body>{body}</body>".encode())
    query = Reading(text=URL, urls=(URL,), columns=columns)
    survey = survey_pages(query, [page])
    shown, _ = groups_shown(query, candidates(query, survey, Reader(survey, {URL: page})))
    return {one.group.selector: (samples, one) for samples, one in shown.items()}


def counts(*found: tuple[tuple[str, ...], Candidate]) -> list[int]:
    """How many records the lists have that a person is asked to choose among, in their order."""
    return [one.group.count for one in without_states(dict(found)).values()]


CUPS = [f"<b class=tea>Tea {name}</b> <i class=price>£{n}.50</i>" for n, name in enumerate("ABCDEFGHIJKL", 2)]


def test_records_of_one_state_among_those_of_a_list_are_not_offered() -> None:
    body = "".join(f'<div class="cup{" green" if n in (2, 3, 8) else ""}">{cup}</div>' for n, cup in enumerate(CUPS))
    found = lists_of(f"<main>{body}</main>", Column("tea"), Column("price", "float"))
    assert counts(found["div.cup"], found["div.green"]) == [12]


def test_a_list_by_itself_is_offered_beside_a_wider_one() -> None:
    body = "".join(f'<div class="cup {"green" if n < 4 else "black"}">{cup}</div>' for n, cup in enumerate(CUPS))
    found = lists_of(f"<main>{body}</main>", Column("tea"), Column("price", "float"))
    assert counts(found["div.cup"], found["div.green"]) == [12, 4]
