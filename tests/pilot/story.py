"""One scripted session for frames, replays and hostile text: a crash, a repair that falls short, a question about a
host, an edit by hand, a success. Its clock is stopped and its ids are fixed."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from scrapewright.loop.gate import Gate
from scrapewright.loop.loop import RepairLoop
from scrapewright.loop.parts import Options, Parts
from scrapewright.loop.ports import Brief, Draft, Job, Ran, Report
from scrapewright.loop.request_log import RequestLog
from scrapewright.query.read import read_request
from scrapewright.session import events as ev
from scrapewright.session.journal import Journal
from scrapewright.session.result import Captured, ExceptionInfo, Frame, Request, RunResult, Step
from scrapewright.session.verdict import Finding, Verdict
from scrapewright.survey.model import Group, NextPage, Slot, Survey, SurveyedPage
from scrapewright.tui.app import WorkbenchApp
from scrapewright.web.page import Connect
from tests.fakes.parts import Bench, FakeChecker, FakeCritic, FakeProgrammer, FakeSandbox, FakeSurveyor, ran
from tests.pilot.stage import make_app

SITE = "https://shop.example/lamps/"
QUERY = f"all lamps on {SITE}: title, price (float), url; all pages, CSV sorted by price"
BEGAN = 1_780_000_000.0
NOW = BEGAN + 42

ONE = '''"""Scrape lamps and write them to rows.csv."""

import csv

import requests
from bs4 import BeautifulSoup

START_URL = "https://shop.example/lamps/"
FIELDS = ["title", "price", "url"]


def parse_price(text):
    return float(text.removeprefix("£").strip())


def records(soup):
    for card in soup.select("article.lamp"):
        link = card.select_one("h3 a")
        yield {
            "title": link.get_text(strip=True),
            "price": parse_price(card.select_one(".price").text),
            "url": link["href"],
        }


def main():
    page = requests.get(START_URL, timeout=20)
    rows = list(records(BeautifulSoup(page.text, "lxml")))
    rows.sort(key=lambda row: row["price"])
    with open("rows.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(rows)
    print(f"{len(rows)} rows")


main()
'''
TWO = ONE.replace("import csv\n\n", "import csv\nimport re\n\n").replace(
    '    return float(text.removeprefix("£").strip())',
    '    found = re.search(r"\\d+(?:\\.\\d+)?", text)\n    return float(found[0]) if found else None',
)
EDIT = "# by hand\n"

CSV = """title,price,url
Harbour Lamp,7.61,https://shop.example/lamps/harbour
"Reading Lamp, No. 4",24.69,https://shop.example/lamps/reading-4
Attic Lantern,31.00,https://shop.example/lamps/attic
Night Light “Mist”,,https://shop.example/lamps/mist
Brass Sconce,63.15,https://shop.example/lamps/sconce
日本の行灯,90.92,https://shop.example/lamps/andon
"""
CSV_SHORT = CSV.replace(",24.69,", ",,").replace(",31.00,", ",,")

_SEEN = (
    Request("GET", SITE, 200, "text/html", 18_204, 131.0),
    Request("GET", "https://shop.example/lamps/?page=2", 200, "text/html", 17_090, 88.0),
    Request("GET", "https://shop.example/lamps/?page=3", 200, "text/html", 6_377, 0.4, from_tape=True, verdict="tape"),
)
_TEXT = "'from £12.50 each (was £15.00)'"
CRASHED = RunResult(
    status="error", exit_code=1, seconds=0.4, sandbox="fake",
    exception=ExceptionInfo(
        "ValueError", "could not convert string to float: 'from £12.50 each (was £15.00)'",
        (
            Frame("scraper.py", 39, "<module>", "main()"),
            Frame("scraper.py", 28, "main", 'rows = list(records(BeautifulSoup(page.text, "lxml")))',
                  locals={"page": "<Response [200]>"}),
            Frame("scraper.py", 20, "records", '"price": parse_price(card.select_one(".price").text),',
                  locals={"card": '<article class="lamp">…', "link": '<a href="/lamps/attic">Attic Lantern</a>'}),
            Frame("scraper.py", 13, "parse_price", 'return float(text.removeprefix("£").strip())',
                  locals={"text": _TEXT}),
        ),
    ),
    stderr=Captured("Traceback (most recent call last):\n  …\nValueError: could not convert\n", bytes=66),
    stdout=Captured("page 1\n", bytes=7),
    steps=(
        Step(28, "main", frame=1, values={"page": "<Response [200]>"}),
        Step(17, "records", frame=2, kind="set", values={"card": '<article class="lamp">Harbour Lamp…'}),
        Step(18, "records", frame=2, kind="set", values={"link": '<a href="/lamps/harbour">Harbour Lamp</a>'}),
        Step(13, "parse_price", frame=3, kind="call", values={"text": "'£7.61'"}),
        Step(13, "parse_price", frame=3, kind="return", values={"return": "7.61"}),
        Step(17, "records", frame=2, kind="set", values={"card": '<article class="lamp">Attic Lantern…'}),
        Step(18, "records", frame=2, kind="set", values={"link": '<a href="/lamps/attic">Attic Lantern</a>'}),
        Step(13, "parse_price", frame=4, kind="call", values={"text": _TEXT}),
        Step(13, "parse_price", frame=4, kind="raise", values={}),
    ),
    hits={"27": 1, "28": 1, "17": 2, "18": 2, "20": 2, "13": 2}, requests=_SEEN[:1],
)  # fmt: skip
SHORT_RUN = msgspec.structs.replace(
    ran({"rows.csv": CSV_SHORT.encode()}), requests=_SEEN, stdout=Captured("6 rows\n", bytes=7), seconds=0.6
)
RIGHT_RUN = msgspec.structs.replace(
    ran({"rows.csv": CSV.encode()}), requests=_SEEN, stdout=Captured("6 rows\n", bytes=7), seconds=0.5
)
ROWS = {hashlib.sha256(text.encode()).hexdigest(): text.encode() for text in (CSV, CSV_SHORT)}
NOTHING = Verdict(ok=False, score=0.0, findings=(Finding("no-file", "the program left no rows.csv"),))
SHORT = Verdict(
    ok=False, score=0.62, rows=6, columns=("title", "price", "url"), file="rows.csv",
    findings=(
        Finding("low-coverage", "price is empty in 3 of 6 rows, though the pages have one there", column="price",
                rows=(1, 2, 3), expected="24.69", got=""),
        Finding("page-not-fetched", "1 of 3 pages was reached", severity="warning", source="grammar"),
    ),
    probability=0.2561, checked=("6 of 6 rows against their records on 1 page", "records without a row"),
    unchecked=("whether price could be another text of the record: the page has no such name",),
)  # fmt: skip
RIGHT = Verdict(
    ok=True, score=1.0, rows=6, columns=("title", "price", "url"), file="rows.csv", pages=3, probability=0.9301,
    checked=("6 of 6 rows against their records on 3 pages", "records without a row", "where texts begin and end"),
    unchecked=("whether price could be another text of the record: the page has no such name",),
)  # fmt: skip
SURVEY = Survey(
    pages=(SurveyedPage(SITE, 200, "text/html", title="Lamps | shop.example"),),
    groups=(
        Group("g1", "list", "article.lamp", 24, (
            Slot("title", "h3 a", names=("title",), samples=("Harbour Lamp",)),
            Slot("price", ".price", names=("price",), type="float", samples=("£7.61",)),
            Slot("url", "h3 a", attr="href", names=("url",), type="url", samples=("/lamps/harbour",)),
        )),
    ),
    next=NextPage("link", "a.next", "next", verified=True),
)  # fmt: skip


class StoryProgrammer(FakeProgrammer):
    """Streams the program before it gives it."""

    async def write(self, brief: Brief, report: Report) -> Draft:
        text = self.drafts[0].code if self.drafts and isinstance(self.drafts[0], Draft) else ""
        for start in range(0, len(text), 400):
            report(ev.CodeStreamed(attempt=brief.attempt, text=text[start : start + 400]))
        return await super().write(brief, report)


class StorySandbox(FakeSandbox):
    """Leaves with each result the rows that go with it."""

    async def run(self, job: Job, connect: Connect, report: Report) -> Ran:
        done = await super().run(job, connect, report)
        return Ran(done.result, {a.name: ROWS[a.sha256] for a in done.result.artifacts})


class Story(Bench):
    """The session. `surveyor`, `programmer` and `sandbox` can be held by their `hold`."""

    def __init__(self, *, text: str = QUERY, mode: ev.Mode = ev.Mode.APPROVE) -> None:
        programmer = StoryProgrammer(
            Draft(code=ONE, diagnosis="Reads 24 records a page from 'article.lamp'."),
            Draft(code=TWO, diagnosis="text was 'from £12.50 each (was £15.00)': it now reads the number in it.",
                  tokens=1_234, cost=0.012),
        )  # fmt: skip
        sandbox = StorySandbox(CRASHED, SHORT_RUN, RIGHT_RUN)
        super().__init__(
            programmer, sandbox, FakeCritic(NOTHING, SHORT, RIGHT), options=Options(attended=True), mode=mode
        )
        self.surveyor = FakeSurveyor(SURVEY)
        self.text = text

    async def open(self) -> Story:
        self.journal = await Journal.open(self.log, clock=lambda: BEGAN)
        self.gate = Gate(self.journal, self.blobs)
        parts = Parts(
            programmer=self.programmer, sandbox=self.sandbox, web=self.web, surveyor=self.surveyor, critic=self.critic,
            checker=FakeChecker(), blobs=self.blobs, deliver=self.deliver, reviewer=self.reviewer,
        )  # fmt: skip
        self.requests = RequestLog(self.journal)
        self.loop = RepairLoop(self.journal, self.gate, parts, self.options, self.requests)
        started = ev.SessionStarted(
            session="0528-lamp", text=self.text, reading=read_request(self.text), mode=self.mode, sandbox="fake"
        )
        if self.journal.session.seq == 0:
            await self.journal.append(started)
        return self


def story_app(story: Story, *, query: str = QUERY, **settings: Any) -> WorkbenchApp:
    """The application on the story, 42 seconds after its beginning."""
    return make_app(story, query=query, now=NOW, tick=10.0, **settings)
