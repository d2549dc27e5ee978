"""How far the proposals reach on pages with golden fields: `python -m tests.oracle.alignments [--part K/N] [--show]`.

For each page (a page about one thing, or a list) the fields are asked for by name. Counted are, of all fields, those
whose value some place of the best group gives, and those where the rules' own choice is that value.
"""

from __future__ import annotations

import argparse
import asyncio
import concurrent.futures
import gzip
import json
import re
import warnings
from collections import Counter
from collections.abc import Mapping
from typing import Any

from bs4 import XMLParsedAsHTMLWarning

from scrapewright.programmers.rules.choose import Candidate, candidates
from scrapewright.programmers.rules.offers import converted, group_id
from scrapewright.programmers.rules.pairs import pair
from scrapewright.programmers.rules.reading import Reader
from scrapewright.query.reading import Column, Reading
from scrapewright.session.questions import Decision
from scrapewright.survey.model import Survey
from scrapewright.survey.surveyor import PageSurveyor
from scrapewright.web.page import Page
from tests.calibrate.cases import CORPUS

FOLDER = CORPUS / "alignments"
LONG = ("body", "subheadings", "summary")
"""Fields that are most of a page: how they are cut into pieces is a matter of taste."""
ALIKE = 0.9
_WHOLE = ("prep_time", "cook_time", "total_time", "rating_count", "bedrooms", "bathrooms", "year_built")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", default="0/4", help="every Nth page, from the Kth on")
    parser.add_argument("--kind", choices=("detail", "list"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", action="store_true", help="print each page's fields that are missed")
    args = parser.parse_args()
    warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
    with gzip.open(FOLDER / "alignments.jsonl.gz", "rt", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    first, of = map(int, args.part.split("/"))
    chosen = [line for line in lines if args.kind in (None, line["kind"])][first::of]
    count: Counter[tuple[str, str]] = Counter()
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        for line, found in zip(chosen, pool.map(reached, chosen, chunksize=4), strict=True):
            kind = line["kind"]
            for result in found.values():
                count[kind, "fields"] += 1
                count[kind, result] += 1
            count[kind, "pages"] += bool(found)
            count[kind, "whole pages"] += (
                bool(found) and "missed" not in found.values() and "elsewhere" not in found.values()
            )
            count[kind, "whole guesses"] += bool(found) and set(found.values()) == {"chosen"}
            if args.show:
                missed = {name: result for name, result in found.items() if result != "chosen"}
                print(f"{line['page'].removeprefix('pages/')}: {missed}", flush=True)
    for kind in ("detail", "list"):
        totals = {what: number for (of_kind, what), number in sorted(count.items()) if of_kind == kind}
        print(kind, totals)


def reached(line: dict[str, Any]) -> dict[str, str]:
    """By field: chosen (the rules' choice is right), reached (a place of the best group gives it), elsewhere (one of
    another group), missed."""
    golden, reading, survey, reader = surveyed(line)
    single = line["kind"] == "detail"
    per_group = []
    for group in survey.groups:
        for candidate in candidates(reading, survey, reader, 0, [Decision("group", option=group_id(group))])[:1]:
            per_group.append({name for name, value in golden.items() if _holds(candidate, name, value, single)})
    best: set[str] = max(per_group, key=len, default=set())
    guessed = candidates(reading, survey, reader, 0)[:1]
    right = {name for one in guessed for name, value in golden.items() if _chosen(one, name, value, single)}
    anywhere = set().union(*per_group) if per_group else set()
    return {
        name: "chosen"
        if name in right
        else "reached"
        if name in best
        else "elsewhere"
        if name in anywhere
        else "missed"
        for name in golden
    }


def surveyed(line: dict[str, Any], *, said: bool = True) -> tuple[dict[str, Any], Reading, Survey, Reader]:
    """A page's golden fields, what asks for them, and the survey of the page alone with its reader. `said`: the request
    says whether it is about one thing."""
    golden = {name: value for name, value in line["fields"].items() if name not in LONG and value not in (None, "", [])}
    if line["kind"] == "list":
        rows = Counter(len(value) for value in golden.values() if isinstance(value, list)).most_common(1)
        golden = {
            name: value
            for name, value in golden.items()
            if rows and isinstance(value, list) and len(value) == rows[0][0]
        }
    body = gzip.decompress((FOLDER / line["page"]).read_bytes())
    headers = {"content-type": f"text/html; charset={line.get('encoding') or 'utf-8'}"}
    page = Page(line["url"], line["url"], 200, headers, body)

    async def fetch(
        url: str, *, method: str = "GET", headers: dict[str, str] | None = None,
        form: Mapping[str, str] | None = None,
    ) -> Page:  # fmt: skip
        asked = url == line["url"] and method == "GET"
        return page if asked else Page(url, url, error="refused")

    single = line["kind"] == "detail"
    columns = tuple(Column(name, type_of(name, value, single)) for name, value in golden.items())
    reading = Reading(text="", urls=(line["url"],), columns=columns, single=single and said)
    survey = asyncio.run(PageSurveyor().survey(reading, fetch, lambda tick: None))
    reader = Reader(survey, {line["url"]: page})
    return golden, reading, survey, reader


def type_of(name: str, value: Any, single: bool) -> Any:
    if name in ("image", "url"):
        return "url"
    if single and isinstance(value, list):
        return "list" if len(value) > 1 or name in ("ingredients", "instructions", "keywords", "topics") else "text"
    if name in _WHOLE:
        return "int"
    return (
        "float"
        if name in ("rating", "price") and single
        else "date"
        if name in ("date", "published") and single
        else "text"
    )


def _holds(candidate: Candidate, name: str, value: Any, single: bool) -> bool:
    field = next((field for field in candidate.fields if field.name == name), None)
    if field is None:
        return False
    for view in candidate.place.every_view(field):
        made = pair(field, view).fitting
        if made is not None and same(converted(field, view, made, candidate.place), value, field.type, single):
            return True
    return False


def _chosen(candidate: Candidate, name: str, value: Any, single: bool) -> bool:
    match = candidate.matches.get(name)
    if match is None:
        return False
    return same(converted(match.field, match.view, match.made, candidate.place), value, match.field.type, single)


def same(values: list[Any], golden: Any, kind: str, single: bool) -> bool:
    """Whether a column's values are the golden ones; in a list nearly all of them, in any order."""
    if single:
        return bool(values) and _key(values[0], kind) == _key(golden, kind)
    have = Counter(_key(one, kind) for one in values)
    found = sum(min(count, have[one]) for one, count in Counter(_key(one, kind) for one in golden).items())
    return found >= ALIKE * max(len(golden), 1)


def _key(value: Any, kind: str) -> str:
    if isinstance(value, list):
        return "".join(_key(one, "text") for one in value)
    text = str(value)
    if kind == "date":
        return text[:10]
    if kind in ("int", "float"):
        number = re.search(r"\d+(?:\.\d+)?", text.replace(",", ""))
        return repr(float(number[0])) if number else ""
    if kind == "url":
        return re.sub(r"^https?://(?:www\.)?|/$", "", text)
    return re.sub(r"[\W_]+", "", text.casefold())


if __name__ == "__main__":
    main()
