"""One task solved by the best choice among what the survey proposes, judged by the task's expected rows."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import requests
from bs4 import XMLParsedAsHTMLWarning

from scrapewright.programmers.rules.choose import Candidate, candidates
from scrapewright.programmers.rules.emit import emit
from scrapewright.programmers.rules.offers import converted, group_id, option_id
from scrapewright.programmers.rules.pairs import pair
from scrapewright.programmers.rules.plan import plan
from scrapewright.programmers.rules.questions import question
from scrapewright.programmers.rules.reading import Reader
from scrapewright.programmers.rules.view import View
from scrapewright.query.reading import Reading, from_builtins
from scrapewright.session.questions import QUESTIONS_AT_MOST, Decision, chosen
from scrapewright.session.sanitize import to_json
from scrapewright.survey.model import Survey
from scrapewright.survey.surveyor import PageSurveyor
from scrapewright.web.page import Page
from tests.calibrate.cases import CORPUS, corpus_module, task_of

Chooser = Literal["oracle", "person", "rules"]
"""The expected rows, a played person who answers the questions of the rules, or the rules alone."""

warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
SECONDS = 60
REACHED = 0.97
"""Share of the expected values that a place must hold to count as the column's."""


@dataclass
class Outcome:
    """`missed` says what is wrong with the best choice; empty where they are right."""

    task: str
    right: bool
    missed: str
    about: str
    columns: int = 0
    reached: int = 0
    questions: int = 0
    code: str = ""


@dataclass
class _Best:
    """The best place of each column in a candidate, with the share of the expected rows that it answers."""

    candidate: Candidate
    places: dict[str, tuple[float, View]]

    @property
    def worth(self) -> float:
        return sum(share for share, _ in self.places.values())


def solve(name: str, raw: dict[str, Any], chooser: Chooser = "oracle") -> Outcome:
    """`raw`: the task's true reading."""
    task, serve = task_of(name), corpus_module("serve")
    site = serve.start(task["site"], opts=serve.Opts(), root=str(CORPUS))
    try:
        text = json.dumps({key: value for key, value in raw.items() if key != "task"}).replace("{BASE}", site.base)
        reading, _ = from_builtins(json.loads(text), task["query"].replace("{BASE}", site.base))
        fetched: dict[str, Page] = {}
        survey = asyncio.run(PageSurveyor().survey(reading, fetcher(fetched), lambda tick: None))
        return _solved(task, site.base, reading, survey, fetched, chooser)
    except Exception as error:  # a defect of the product is a miss like others
        return Outcome(name, False, "failed", f"{name}: {type(error).__name__}: {error}", len(task["fields"]))
    finally:
        site.shutdown()
        site.server_close()


def fetcher(fetched: dict[str, Page]) -> Any:
    async def fetch(
        url: str, *, method: str = "GET", headers: dict[str, str] | None = None,
        form: Mapping[str, str] | None = None,
    ) -> Page:  # fmt: skip
        try:
            answer = await asyncio.to_thread(requests.request, method, url, headers=headers, data=form, timeout=SECONDS)
        except requests.RequestException as error:
            return Page(url, url, error="refused", message=str(error))
        lower = {key.lower(): value for key, value in answer.headers.items()}
        page = Page(answer.url, url, answer.status_code, lower, answer.content, method=method)
        fetched[answer.url] = fetched[url] = page
        return page

    return fetch


def _solved(
    task: dict[str, Any], base: str, reading: Reading, survey: Survey, fetched: dict[str, Page], chooser: Chooser
) -> Outcome:
    name, count = task["id"], len(task["fields"])
    reader = Reader(survey, fetched)
    best = None
    decisions: list[Decision] = []
    if chooser == "person":
        decisions = _asked(task, base, reading, survey, reader)
    elif chooser == "oracle":
        found = [
            _best(task, base, reading, candidate)
            for group in survey.groups
            for candidate in candidates(reading, survey, reader, 0, [Decision("group", option=group_id(group))])
        ]
        best = max(found, key=lambda one: one.worth, default=None)
        if best is None or not best.worth:
            return Outcome(name, False, "no records", f"{name}: {survey.verdict} {survey.reason}", count)
        decisions = _decisions(best)
    made = plan(reading, survey, 0, fetched, decisions, reader)
    code = emit(made)
    right, said = _ran(task, base, code)
    poor = (
        []
        if best is None
        else [f"{column} {share:.2f}" for column, (share, _) in best.places.items() if share < REACHED]
    )
    lacking = [] if best is None else [field["name"] for field in task["fields"] if field["name"] not in best.places]
    missed = "" if right else "place" if poor or lacking else "program"
    group = made.group.selector or made.group.source
    about = f"{name}: {made.group.kind} {group!r} {' '.join((*poor, *lacking))} {said}"
    return Outcome(name, right, missed, about, count, count - len(poor) - len(lacking), len(decisions), code)


def _asked(task: dict[str, Any], base: str, reading: Reading, survey: Survey, reader: Reader) -> list[Decision]:
    """What the corpus's played person answers to the questions."""
    answer = corpus_module("person").answer
    decisions: list[Decision] = []
    while len(decisions) < QUESTIONS_AT_MOST:
        asked = question(reading, survey, reader, decisions)
        if asked is None:
            break
        said = answer(json.loads(to_json(asked)), task, base)
        decisions.append(chosen(asked, said.get("choose", "none")))
    return decisions


def _best(task: dict[str, Any], base: str, reading: Reading, candidate: Candidate) -> _Best:
    """The place of each column whose values agree best with the expected ones, in records matched to the rows."""
    key = Keys(task, base)
    rows = task["expected_rows"]
    fields = {one["name"]: one for one in task["fields"]}
    offered: dict[str, list[tuple[View, list[Any]]]] = {}
    for field in candidate.fields:
        if field.name not in fields:
            continue
        offered[field.name] = []
        for view in candidate.place.every_view(field):
            made = pair(field, view).fitting
            if made is not None:
                values = converted(field, view, made, candidate.place)
                offered[field.name].append((view, [key(fields[field.name], value) for value in values]))
    wanted = {column: [key(fields[column], row.get(column)) for row in rows] for column in offered}
    places: dict[str, tuple[float, View]] = {}
    inner = [(view, values) for views in offered.values() for view, values in views if not view.detail]
    size = max((len(values) for _, values in inner), default=0)
    aligned = aligned_rows(offered, wanted, len(rows), size)
    for column, views in offered.items():
        top: tuple[float, int] = (0.0, 0)
        for view, values in views:
            if view.detail:  # few of the pages behind links were read
                known = set(wanted[column])
                filled = [value for value in values if value]
                share = sum(value in known for value in filled) / len(filled) if filled else 0.0
            else:
                pairs = [(wanted[column][row], values[record]) for row, record in aligned if record < len(values)]
                share = sum(one == other for one, other in pairs) / len(rows)
            rank = (round(share, 3), -len(view.ops))
            if share > 0 and rank > top:
                top = rank
                places[column] = (share, view)
    return _Best(candidate, places)


def aligned_rows(
    offered: dict[str, list[tuple[View, list[Any]]]], wanted: dict[str, list[Any]], rows: int, records: int
) -> list[tuple[int, int]]:
    """Pairs of an expected row and the record that holds most of its values, each record once."""
    held: list[dict[str, set[Any]]] = [{} for _ in range(records)]
    for column, views in offered.items():
        for view, values in views:
            if view.detail:
                continue
            for record, value in enumerate(values[:records]):
                if value:
                    held[record].setdefault(column, set()).add(value)
    free = list(range(records))
    pairs = []
    for row in range(rows):
        best, top = -1, 0
        for record in free:
            hits = sum(1 for column, keys in wanted.items() if keys[row] and keys[row] in held[record].get(column, ()))
            if hits > top:
                best, top = record, hits
        if best >= 0:
            free.remove(best)
            pairs.append((row, best))
    return pairs


class Keys:
    """Values as texts that are the same where the corpus's comparison holds them for the same."""

    def __init__(self, task: dict[str, Any], base: str) -> None:
        self.score = corpus_module("score")
        self.comparer = self.score.Comparer(task, base)

    def __call__(self, field: dict[str, Any], value: Any) -> str:
        kind, mode = field["type"], self.comparer.modes.get(field["name"], {})
        if kind in ("float", "int"):
            number = self.score.num(value)
            return "" if number is None else repr(round(number, 2))
        if kind == "date":
            return str(self.score.date(value))
        if kind == "url":
            made = self.score.urlkey(value, self.comparer.origins, self.comparer.base)
            return repr(made[1:]) if made else ""
        if kind == "bool":
            return str(self.score.norm(value).lower() in ("true", "yes", "1", "y", "t", "in stock", "available"))
        if kind == "list":
            return str(self.score.list_key(value))
        text = self.score.norm(value)
        text = re.sub(mode["strip"], "", text).strip() if "strip" in mode else text
        how = mode.get("mode", "exact")
        if how == "casefold":
            return str(text.casefold())
        if how in ("alnum", "prefix"):
            return re.sub(r"[\W_]+", "", text.casefold())[: 25 if how == "prefix" else None]
        return str(text)


def _decisions(best: _Best) -> list[Decision]:
    chosen = [Decision("group", option=group_id(best.candidate.group))]
    for column, (_, view) in best.places.items():
        chosen.append(Decision("column", column=column, option=option_id(view, best.candidate.place)))
    return chosen


def _ran(task: dict[str, Any], base: str, code: str) -> tuple[bool, str]:
    """Whether the program's rows are the task's, and what it said where they are not."""
    score = corpus_module("score")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "program.py").write_text(code, "utf-8")
        try:
            done = subprocess.run(
                [sys.executable, "program.py"], cwd=folder, capture_output=True, text=True, check=False, timeout=SECONDS
            )
        except subprocess.TimeoutExpired:
            return False, "timed out"
        files = [path for path in Path(folder).iterdir() if path.suffix in (".csv", ".json", ".jsonl")]
        if not files:
            return False, (done.stderr.strip().splitlines() or ["no file"])[-1]
        try:
            found = score.score(task, score.load(str(files[0])), base, auto=False)
        except Exception as error:  # an unreadable file is a wrong one
            return False, repr(error)
    right = bool(found["pass"]) and found["typed_ok"] in (None, 1.0)
    said = (
        ""
        if right
        else f"rows {found['row_f1']:.2f} cells {found['cell_f1']:.2f} order {found['order_ok']} {_poor(found)}"
    )
    return right, said


def _poor(found: dict[str, Any]) -> str:
    fields: Iterable[tuple[str, Any]] = (
        (found.get("fields") or {}).items() if isinstance(found.get("fields"), dict) else ()
    )
    low: Sequence[str] = [f"{name}={value}" for name, value in fields if isinstance(value, float) and value < 1]
    return " ".join(low)
