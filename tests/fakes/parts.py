"""Scripted programmer, sandbox, web, surveyor, critic; a log and blobs in memory."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scrapewright.loop.gate import Gate
from scrapewright.loop.loop import RepairLoop
from scrapewright.loop.parts import Options, Parts
from scrapewright.loop.ports import (
    Adviser,
    Brief,
    Case,
    Checked,
    Draft,
    Job,
    LeastCost,
    Limits,
    Opinion,
    Preview,
    Ran,
    Report,
    Row,
)
from scrapewright.loop.request_log import RequestLog
from scrapewright.query.reading import Reading
from scrapewright.session import events as ev
from scrapewright.session.journal import Journal
from scrapewright.session.questions import Decision, Option, Question, is_decided
from scrapewright.session.result import Artifact, Author, ExceptionInfo, Frame, Request, RunResult
from scrapewright.session.verdict import Finding, Sample, Verdict
from scrapewright.survey.model import Survey, SurveyedPage
from scrapewright.web.page import ByteStream, Connect, Fetch, Page

RIGHT = Verdict(ok=True, score=1.0, rows=3, columns=("title",), file="rows.csv")


def wrong(score: float = 0.4, message: str = "the column price is empty") -> Verdict:
    return Verdict(ok=False, score=score, findings=(Finding("empty-column", message, column="price"),), rows=3)


def crashed(line: int = 4, message: str = "could not convert", kind: str = "ValueError") -> RunResult:
    frame = Frame(file="scraper.py", line=line, function="main", source="x = float(text)", locals={"text": "'call us'"})
    return RunResult(status="error", exit_code=1, exception=ExceptionInfo(kind, message, (frame,)))


def ran(files: Mapping[str, bytes] | None = None) -> RunResult:
    files = files or {"rows.csv": b"title\na\nb\nc\n"}
    rows = tuple(Artifact(n, len(d), hashlib.sha256(d).hexdigest()) for n, d in files.items())
    return RunResult(status="ok", exit_code=0, artifacts=rows)


class MemoryLog:
    """An EventLog; `fail_at` makes the disk fail at that event."""

    def __init__(self, rows: Sequence[bytes] = ()) -> None:
        self.rows = list(rows)
        self.fail_at = 0

    def append(self, seq: int, row: bytes) -> None:
        if seq == self.fail_at:
            raise OSError("no space left on device")
        assert seq == len(self.rows) + 1
        self.rows.append(row)

    def read(self) -> list[bytes]:
        return list(self.rows)


class MemoryBlobs:
    def __init__(self) -> None:
        self.data: dict[str, bytes] = {}

    def put(self, data: bytes) -> str:
        name = hashlib.sha256(data).hexdigest()
        self.data[name] = data
        return name

    def get(self, name: str) -> bytes:
        return self.data[name]


class FakeProgrammer:
    """Gives the drafts in turn; an exception in the list is raised. `hold` makes it wait until released."""

    author: Author = "rules"
    least: LeastCost | None = None

    def __init__(self, *drafts: Draft | str | Exception) -> None:
        self.drafts = list(drafts)
        self.streams = "import requests\n"
        self.briefs: list[Brief] = []
        self.hold: asyncio.Event | None = None
        self.cancelled = 0
        self.questions: list[Question] = []
        self.asked: list[Brief] = []

    def understand(self, decision: Decision, brief: Brief) -> str:
        return ""

    def read_hint(self, text: str, brief: Brief) -> Preview:
        return Preview((), ())

    def least_cost(self, brief: Brief) -> LeastCost | None:
        return self.least

    async def question(self, brief: Brief) -> Question | None:
        """The first of `questions` that is not decided."""
        self.asked.append(brief)
        return next((q for q in self.questions if not is_decided(q, brief.decisions)), None)

    async def write(self, brief: Brief, report: Report) -> Draft:
        self.briefs.append(brief)
        if self.streams:
            report(ev.CodeStreamed(attempt=brief.attempt, text=self.streams))
        await _held(self)
        if not self.drafts:
            raise AssertionError("the programmer was asked more often than the test expects")
        draft = self.drafts.pop(0)
        if isinstance(draft, Exception):
            raise draft
        return Draft(code=draft, diagnosis="because") if isinstance(draft, str) else draft


class FakeCorrector:
    """Takes every decision about a column as it is, and a hint as the place of its first word."""

    def options(self, brief: Brief, column: str, rows: Sequence[Row]) -> Question:
        return Question("column", f"{column} is wrong", (Option("a", "another", ".another"),), column)

    def understand(self, brief: Brief, decision: Decision) -> str:
        return "no record has it" if decision.text == "nowhere" else ""

    def preview(self, brief: Brief, decision: Decision, rows: Sequence[Row]) -> Preview:
        return Preview((decision,), tuple((str(at), "before", "after") for at, _ in enumerate(rows)))

    def read_hint(self, brief: Brief, text: str, rows: Sequence[Row]) -> Preview:
        return self.preview(brief, Decision("column", text.partition(" ")[0], text=text), rows)


class FakeSandbox:
    """Gives the results in turn, the last one for ever."""

    name = "fake"

    def __init__(self, *results: RunResult | Exception, files: Mapping[str, bytes] | None = None) -> None:
        self.results = list(results)
        self.files = dict(files or {"rows.csv": b"title\na\nb\nc\n"})
        self.jobs: list[Job] = []
        self.hold: asyncio.Event | None = None
        self.running = self.cancelled = self.prepared = 0
        self.during: Callable[[], None] = lambda: None

    async def prepare(self, limits: Limits) -> None:
        self.prepared += 1

    async def run(self, job: Job, connect: Connect, report: Report) -> Ran:
        self.jobs.append(job)
        self.running += 1
        report(ev.LineReached(line=3))
        self.during()
        try:
            await _held(self)
        finally:
            self.running -= 1
        result = self.results.pop(0) if len(self.results) > 1 else self.results[0]
        if isinstance(result, Exception):
            raise result
        return Ran(result, {a.name: self.files[a.name] for a in result.artifacts})

    async def close(self) -> None:
        pass


class FakeWeb:
    def __init__(self) -> None:
        self.ca = "PEM"
        self.opened = self.closed = 0
        self.allowed: list[str] = []
        self.refusals: list[tuple[str, str]] = []

    async def open(self) -> None:
        self.opened += 1

    async def close(self) -> None:
        self.closed += 1

    @property
    def fetch(self) -> Fetch:
        async def fetch(url: str, *, method: str = "GET", headers: dict[str, str] | None = None) -> Page:
            return Page(url=url, status=200)

        return fetch

    def connect(self, attempt: int) -> Connect:
        async def connect(stream: ByteStream) -> None:
            stream.close()

        return connect

    def pages(self) -> Mapping[str, Page]:
        return {}

    def allow(self, host: str) -> None:
        self.allowed.append(host)

    def forbid(self, host: str) -> None:
        self.allowed.remove(host)

    def log_in(self, cookies: str) -> Sequence[tuple[ev.NoteLevel, str]]:
        return [("info", f"cookies of {cookies}")]

    def refused(self) -> Sequence[tuple[str, str]]:
        found, self.refusals = self.refusals, []
        return found


class FakeSurveyor:
    def __init__(self, survey: Survey | None = None) -> None:
        self.found = survey or Survey(
            pages=(SurveyedPage(url="http://127.0.0.1/", status=200, media_type="text/html"),)
        )
        self.hold: asyncio.Event | None = None
        self.cancelled = 0
        self.calls = 0

    async def survey(self, query: Reading, fetch: Fetch, report: Report) -> Survey:
        self.calls += 1
        await _held(self)
        return self.found


class FakeCritic:
    """Gives the verdicts in turn, the last one for ever."""

    def __init__(self, *verdicts: Verdict) -> None:
        self.verdicts = list(verdicts)
        self.cases: list[Case] = []
        self.shown: tuple[Sample, ...] = (Sample(0, {"title": "a"}, "a"),)

    def samples(self, case: Case) -> tuple[Sample, ...]:
        return self.shown

    def judge(self, case: Case) -> Verdict:
        self.cases.append(case)
        return self.verdicts.pop(0) if len(self.verdicts) > 1 else self.verdicts[0]


class FakeReviewer:
    """Gives the opinions in turn, the last one for ever; an exception is raised."""

    model = "small"

    def __init__(self, *opinions: Opinion | Exception) -> None:
        self.opinions = list(opinions)
        self.asked: list[tuple[Reading, tuple[Sample, ...]]] = []
        self.hold: asyncio.Event | None = None
        self.cancelled = 0

    async def review(self, reading: Reading, samples: Sequence[Sample]) -> Opinion:
        self.asked.append((reading, tuple(samples)))
        await _held(self)
        opinion = self.opinions.pop(0) if len(self.opinions) > 1 else self.opinions[0]
        if isinstance(opinion, Exception):
            raise opinion
        return opinion


class FakeChecker:
    """Finds nothing, unless given what to have found. `failing`: what is wrong with programs that can't work."""

    found: Checked | None = None

    def __init__(self) -> None:
        self.failing: dict[str, str] = {}

    def check(self, code: str, *, mend: bool = True) -> Checked:
        if code in self.failing:
            return Checked(code=code, problems=(self.failing[code],), line=2, fails=True)
        return self.found or Checked(code=code)


class Bench:
    """A session on fakes, ready to run. `delivered` holds what would have been written."""

    def __init__(
        self,
        programmer: FakeProgrammer,
        sandbox: FakeSandbox,
        critic: FakeCritic,
        *,
        options: Options | None = None,
        mode: ev.Mode = ev.Mode.AUTO,
        log: MemoryLog | None = None,
        blobs: MemoryBlobs | None = None,
        program: str = "",
        decisions: tuple[Decision, ...] = (),
        reviewer: FakeReviewer | None = None,
    ) -> None:
        self.reviewer = reviewer
        self.stand_in: FakeProgrammer | None = None
        self.adviser: Adviser | None = None
        self.model = ""
        self.decisions = decisions
        self.programmer, self.sandbox, self.critic = programmer, sandbox, critic
        self.web, self.surveyor, self.checker = FakeWeb(), FakeSurveyor(), FakeChecker()
        self.log, self.blobs = log or MemoryLog(), blobs or MemoryBlobs()
        self.delivered: list[tuple[int, str, dict[str, bytes], bool]] = []
        self.options = options or Options()
        self.mode = mode
        self.program = self.blobs.put(program.encode()) if program else ""
        self.journal: Journal
        self.gate: Gate
        self.requests: RequestLog
        self.loop: RepairLoop

    async def open(self) -> Bench:
        self.journal = await Journal.open(self.log)
        self.gate = Gate(self.journal, self.blobs)
        parts = Parts(
            programmer=self.programmer, sandbox=self.sandbox, web=self.web, surveyor=self.surveyor, critic=self.critic,
            checker=self.checker, blobs=self.blobs, deliver=self.deliver, reviewer=self.reviewer,
            stand_in=self.stand_in, adviser=self.adviser,
        )  # fmt: skip
        self.requests = RequestLog(self.journal)
        self.loop = RepairLoop(self.journal, self.gate, parts, self.options, self.requests)
        if self.journal.session.seq == 0:
            await self.journal.append(
                ev.SessionStarted(
                    session="t-1",
                    text="q",
                    reading=Reading(text="q", urls=("http://127.0.0.1/",)),
                    mode=self.mode,
                    model=self.model,
                    program=self.program,
                    decisions=self.decisions,
                )
            )
        return self

    async def run(self) -> ev.SessionFinished:
        end = await self.loop.run()
        assert end is not None
        await self.journal.close()
        return end

    def deliver(self, attempt: Any, code: str, files: Mapping[str, bytes], good: bool) -> tuple[str, ...]:
        self.delivered.append((attempt.id, code, dict(files), good))
        return ("rows.csv",)

    @property
    def names(self) -> list[str]:
        """The types of what happened, without what is said of requests and notes."""
        return [type(e).__name__ for e in self.journal.events]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits, event by event, until the condition holds."""
        if condition():
            return
        async for _ in self.journal.follow():
            if condition():
                return
        assert condition(), "the session ended first"

    async def question(self, kind: str) -> ev.Asked:
        """The open question, once it is of that kind."""
        await self.until(
            lambda: self.journal.session.question is not None and self.journal.session.question.kind == kind
        )
        asked = self.journal.session.question
        assert asked is not None
        return asked


async def _held(part: Any) -> None:
    if part.hold is not None:
        try:
            await part.hold.wait()
        except asyncio.CancelledError:
            part.cancelled += 1
            raise


def request(url: str) -> Request:
    return Request("GET", url, 200)
