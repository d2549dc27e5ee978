"""Collects what the choices of groups and of places are fitted on: `python -m tests.choices.collect FILE.npz`.

For each page of the open tasks (with their true readings) and of the aligned pages: the features of every group, and
which of them reach most of what is expected; for one about one thing once more where the request does not say so. For
each column (a golden field of an aligned page): the features of every place of the group that reaches most, and which
of them give the expected values.
"""

from __future__ import annotations

import argparse
import asyncio
import concurrent.futures
import gzip
import json
import warnings
from collections.abc import Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy
from bs4 import XMLParsedAsHTMLWarning
from msgspec.structs import replace

from scrapewright.programmers.rules.choose import Candidate, candidates, group_features, serves_section
from scrapewright.programmers.rules.figures import Fit
from scrapewright.programmers.rules.offers import converted, group_id
from scrapewright.programmers.rules.pairs import pair, table
from scrapewright.programmers.rules.reading import Reader
from scrapewright.programmers.rules.rivals import column_offers, context_of
from scrapewright.programmers.rules.view import View
from scrapewright.query.reading import Field, Reading, from_builtins
from scrapewright.session.questions import Decision
from scrapewright.survey.surveyor import PageSurveyor
from scrapewright.web.page import Page
from tests.calibrate.cases import CORPUS, corpus_module, task_of
from tests.oracle import alignments
from tests.oracle.solve import REACHED, Keys, aligned_rows, fetcher

AS_MUCH = 0.95
"""Share of what the best group reaches from which on another one is as good."""


class Choice(NamedTuple):
    """A column's places: where it is from, whether of a page about one thing, the features of each place, which give
    the expected values, and a number for each that places of the same values share. `offered` is how many values a
    person is offered before a right one; -1 where none is."""

    site: str
    single: bool
    rows: list[dict[str, float]]
    right: list[bool]
    same: list[int]
    offered: int


class Groups(NamedTuple):
    """A page's groups: where it is from, whether it is about one thing, the features of each group, and which reach as
    much as any does, if that is anything."""

    site: str
    single: bool
    rows: list[dict[str, float]]
    right: list[bool]


class Collected(NamedTuple):
    groups: Groups | None = None
    choices: Sequence[Choice] = ()
    """The columns' places in the group that reaches most."""


class _Column(NamedTuple):
    """A column, the places that can be made its type, and which of these give the expected values."""

    field: Field
    places: list[tuple[View, Fit]]
    right: list[bool]


class _Reached(NamedTuple):
    """One candidate: its group's position in the survey, its columns' places, the share of the rows that it holds."""

    candidate: Candidate
    rank: int
    columns: list[_Column]
    rows: float = 1.0

    @property
    def share(self) -> float:
        return self.rows * sum(any(one.right) for one in self.columns)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--every", type=int, default=4, help="every Nth aligned page about one thing, beside all lists")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    lines = map(json.loads, (CORPUS / "readings.jsonl").read_text("utf-8").splitlines())
    readings = {one["task"]: one for one in sorted(lines, key=itemgetter("task"))}
    with gzip.open(alignments.FOLDER / "alignments.jsonl.gz", "rt", encoding="utf-8") as file:
        pages = [json.loads(line) for line in file]
    pages = [page for at, page in enumerate(pages) if page["kind"] == "list" or at % args.every == 0]
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        found = [*pool.map(of_task, readings, readings.values())]
        found += pool.map(of_page, pages, chunksize=4)
        single = [name for name, reading in readings.items() if reading["single"]]
        unsaid = [*pool.map(partial(of_task, said=False), single, [readings[name] for name in single])]
        unsaid += pool.map(partial(of_page, said=False), [page for page in pages if page["kind"] == "detail"])
    found += [one._replace(choices=()) for one in unsaid]
    groups = [one.groups for one in found if one.groups is not None]
    choices = [choice for one in found for choice in one.choices if choice.rows]
    numpy.savez_compressed(
        args.file,
        **_arrays(choices),
        same=numpy.array([same for one in choices for same in one.same]),
        offered=numpy.array([one.offered for one in choices]),
        **{f"groups.{name}": array for name, array in _arrays(groups).items()},
    )
    print(f"{len(groups)} pages; {len(choices)} columns, {sum(any(one.right) for one in choices)} with a right place")


def _arrays(found: Sequence[Groups | Choice]) -> dict[str, Any]:
    return {
        "sites": numpy.array([one.site for one in found]),
        "single": numpy.array([one.single for one in found]),
        "sizes": numpy.array([len(one.right) for one in found]),
        "names": numpy.array(list(found[0].rows[0])),
        "values": numpy.array([[*row.values()] for one in found for row in one.rows], dtype=numpy.float32),
        "right": numpy.array([right for one in found for right in one.right]),
    }


def of_task(name: str, raw: dict[str, Any], *, said: bool = True) -> Collected:
    """`said`: the request says whether one thing is meant."""
    warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
    task, serve = task_of(name), corpus_module("serve")
    site = serve.start(task["site"], opts=serve.Opts(), root=str(CORPUS))
    try:
        text = json.dumps({key: value for key, value in raw.items() if key != "task"}).replace("{BASE}", site.base)
        reading, _ = from_builtins(json.loads(text), task["query"].replace("{BASE}", site.base))
        if not said:
            sources = {part: source for part, source in reading.sources.items() if part != "single"}
            reading = replace(reading, single=False, sources=sources)
        fetched: dict[str, Page] = {}
        survey = asyncio.run(PageSurveyor().survey(reading, fetcher(fetched), lambda tick: None))
        reader = Reader(survey, fetched)
        found = [
            _of_candidate(task, site.base, candidate, rank)
            for rank, group in enumerate(survey.groups)
            for candidate in candidates(reading, survey, reader, 0, [Decision("group", option=group_id(group))])
        ]
        return _collected(task["site"], len(task["expected_rows"]) == 1, reading, found)
    except Exception as error:
        print(name, repr(error)[:200], flush=True)
        return Collected()
    finally:
        site.shutdown()
        site.server_close()


def _collected(site: str, single: bool, reading: Reading, found: Sequence[_Reached]) -> Collected:
    if not found:
        return Collected()
    best = max(found, key=lambda one: one.share)
    rows = []
    for candidate, rank in ((one.candidate, one.rank) for one in found):
        under = serves_section(reading, candidate.group, candidate.under)
        fields = (*candidate.fields, *candidate.hidden)
        rows.append(group_features(reading, candidate.group, fields, candidate.matches, rank, under))
    right = [one.share > 0 and one.share >= AS_MUCH * best.share for one in found]
    choices = [_choice(site, single, column, best.candidate) for column in best.columns]
    return Collected(Groups(site, single, rows, right), choices)


def _of_candidate(task: dict[str, Any], base: str, candidate: Candidate, rank: int) -> _Reached:
    key, place = Keys(task, base), candidate.place
    fields = {field["name"]: field for field in task["fields"]}
    known: dict[str, tuple[Field, list[tuple[View, Fit]]]] = {}
    offered: dict[str, list[tuple[View, list[Any]]]] = {}
    for column in candidate.fields:
        if column.name in fields:
            places = _places(column, candidate)
            known[column.name] = column, places
            offered[column.name] = [
                (view, [key(fields[column.name], value) for value in converted(column, view, fit, place)])
                for view, fit in places
            ]
    rows = task["expected_rows"]
    wanted = {name: [key(fields[name], row.get(name)) for row in rows] for name in offered}
    inner = [values for views in offered.values() for view, values in views if not view.detail]
    aligned = aligned_rows(offered, wanted, len(rows), max(map(len, inner), default=0))
    out = []
    for name, views in offered.items():
        right = []
        for view, values in views:
            if view.detail:
                filled = [value for value in values if value]
                share = sum(value in set(wanted[name]) for value in filled) / len(filled) if filled else 0.0
            else:
                pairs = [(wanted[name][row], values[at]) for row, at in aligned if at < len(values)]
                share = sum(one == other for one, other in pairs) / max(1, len(pairs))
            right.append(share >= REACHED and any(values))
        out.append(_Column(*known[name], right))
    return _Reached(candidate, rank, out, len(aligned) / max(1, len(rows)))


def _places(field: Field, candidate: Candidate) -> list[tuple[View, Fit]]:
    fits = [(view, pair(field, view).fitting) for view in candidate.place.every_view(field)]
    return [(view, fit) for view, fit in fits if fit is not None and view.texts]


def _choice(site: str, single: bool, column: _Column, candidate: Candidate) -> Choice:
    field, places, right = column
    values = [repr(tuple(converted(field, view, fit, candidate.place))) for view, fit in places]
    numbers = {text: number for number, text in enumerate(dict.fromkeys(values))}
    good = {text for text, one in zip(values, right, strict=True) if one}
    offers = column_offers(field, candidate.matches.get(field.name), candidate, [candidate])
    at = next((at for at, offer in enumerate(offers) if repr(offer.values) in good), -1)
    return Choice(
        site, single, table(field, places, context_of(field, candidate)), right, [numbers[text] for text in values], at
    )


def of_page(line: dict[str, Any], *, said: bool = True) -> Collected:
    warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
    try:
        golden, reading, survey, reader = alignments.surveyed(line, said=said)
    except Exception as error:
        print(line["page"], repr(error)[:200], flush=True)
        return Collected()
    single = line["kind"] == "detail"
    site = f"{line['page'].split('/')[1]}/{line['page'].split('/')[2][:10]}"
    found = []
    for rank, group in enumerate(survey.groups if golden else ()):
        for candidate in candidates(reading, survey, reader, 0, [Decision("group", option=group_id(group))])[:1]:
            place, columns = candidate.place, []
            for field in candidate.fields:
                if field.name in golden:
                    places = _places(field, candidate)
                    right = [
                        alignments.same(converted(field, view, fit, place), golden[field.name], field.type, single)
                        for view, fit in places
                    ]
                    columns.append(_Column(field, places, right))
            found.append(_Reached(candidate, rank, columns))
    return _collected(site, single, reading, found)


if __name__ == "__main__":
    main()
