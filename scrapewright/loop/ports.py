"""The interfaces that the loop works through, as Protocols. The parts that fill them are chosen in wiring.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from scrapewright.errors import Unavailable, UsageError
from scrapewright.query.reading import Column, Part, Reading
from scrapewright.session.events import AnyTick, NoteLevel
from scrapewright.session.exit_codes import ExitCode
from scrapewright.session.questions import Copied, Decision, Question
from scrapewright.session.result import Author, RunResult
from scrapewright.session.review import Review
from scrapewright.session.spending import Kept
from scrapewright.session.verdict import Dispute, Sample, Verdict
from scrapewright.survey.model import Survey
from scrapewright.web.page import Connect, Fetch, Page

Report = Callable[[AnyTick], None]
"""Publishes a tick. Never blocks."""


class Limits(msgspec.Struct, frozen=True):
    """What a run may use. Seconds and bytes."""

    seconds: float = 60.0
    wall_limit: float = 0.0
    """Seconds in all, where the host holds requests back (a site's delay): such waits put the end off until then, and
    not at all where this is no more than `seconds`."""
    memory: int = 2 << 30
    reserve: int = 0
    """Address space that a process may map beyond `memory`; what its processes use together stays below `memory`."""
    processes: int = 64
    files: int = 256
    file_bytes: int = 64 << 20
    disk: int = 64 << 20
    output: int = 256 << 10
    """Bytes kept of each output stream (half as head, half as tail); the rest is counted and dropped."""
    artifacts: int = 64
    artifact_bytes: int = 64 << 20


class Job(msgspec.Struct, frozen=True):
    """A program to run. It holds no secret: whatever is here the program can read.

    `ca` is the PEM of the run's own certificate authority, `proxy` whether connections go out at all.
    """

    code: str
    recorder: bool = True
    ca: str = ""
    proxy: bool = True
    argv: tuple[str, ...] = ()
    limits: Limits = Limits()


class Ran(msgspec.Struct, frozen=True):
    """A run's record and the content of its artifacts by name. `requests` are added by the loop, not by the sandbox."""

    result: RunResult
    files: dict[str, bytes] = {}


class SandboxUnavailable(Unavailable):
    """No sandbox could be had. The message says why and what to do."""


class Sandbox(Protocol):
    """Where programs run. One `run` at a time per call; concurrent calls use separate sandboxes."""

    @property
    def name(self) -> str:
        """bwrap, namespaces, docker."""
        ...

    async def prepare(self, limits: Limits) -> None:
        """Get a spare ready, if there is none. Raises SandboxUnavailable."""
        ...

    async def run(self, job: Job, connect: Connect, report: Report) -> Ran:
        """Always a result, whatever the program does. Cancelling kills the sandbox before the cancellation goes on.

        Raises SandboxUnavailable where none could be started.
        """
        ...

    async def close(self) -> None:
        """Ends the spares. No process is left afterwards."""
        ...


class Attempt(msgspec.Struct, frozen=True):
    """A past attempt, as a programmer needs it."""

    id: int
    author: Author
    code: str
    parent: int = 0
    diagnosis: str = ""
    result: RunResult | None = None
    verdict: Verdict | None = None
    problems: tuple[str, ...] = ()
    """What the static check could not fix."""
    reading: Reading | None = None
    """How the request was read as it was begun."""
    decisions: tuple[Decision, ...] = ()
    """What the person had decided then."""
    review: Review | None = None
    """What a model said of its rows."""


class Brief(msgspec.Struct, frozen=True):
    """All a programmer may work from. `attempts` is empty for the first program; its last is the one to repair.

    `pages` are the pages that the survey and the programs have fetched, newest answer of each URL.
    `strategy` counts up when the loop saw a repeat and asks for another way (0: the best one).
    """

    reading: Reading
    survey: Survey | None
    attempts: tuple[Attempt, ...] = ()
    pages: Mapping[str, Page] = {}
    hint: str = ""
    strategy: int = 0
    attempt: int = 0
    """The attempt being written, for ticks."""
    decisions: tuple[Decision, ...] = ()
    """What the person decided so far, the newest last."""
    corrections: tuple[Decision, ...] = ()
    """Those of them that the person made after the last program was written."""
    reread: tuple[Part, ...] = ()
    """The parts of the reading that the person corrected after it."""
    fell_short: int = 0
    """How many replies of models fell short so far: of several models each writes once the one before it did."""
    blank: tuple[str, ...] = ()
    """Parts of the results that are withheld ("steps", "locals"): for measuring what they are worth."""
    copied: tuple[Copied, ...] = ()
    """What a weak model copied out of records for the columns."""


class Said(msgspec.Struct, frozen=True):
    """A reading of the request that came with a program, and the parts that it says something of."""

    reading: Reading
    parts: tuple[Part, ...]


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What a programmer or a model answered, and what that took: base of a draft, an advice and a review."""

    model: str = ""
    tokens: int = 0
    cost: float = 0.0
    """Dollars; 0.0 where a price is not known."""
    prompt: str = ""
    """What a model was asked, as it was sent: a JSON object of `system`, `user` and `schema`."""
    reply: str = ""
    """What it answered, as it came."""
    kept: Kept = ""
    """Where the reply was kept, if the model was not asked now: then it took no tokens."""


class Draft(Reply, frozen=True):
    """A whole program. `diagnosis` says in a sentence or two what was wrong and what was done."""

    code: str
    diagnosis: str = ""
    author: Author = "rules"
    reading: Said | None = None
    """How the author of the first program read the request, where it says."""
    disputes: tuple[Dispute, ...] = ()
    """Findings of the last verdict that the author holds to be mistaken."""


class NotUnderstood(UsageError):
    """What the person said of a column leads nowhere; the message says what would."""


class NoIdea(Exception):
    """The programmer has nothing (more) to try; the message says why."""


class ProgrammerUnavailable(Exception):
    """The programmer gives no program: it can't be reached, is out of quota, or refuses the request.

    `advice` says what to do, `exit_code` whether another try may help by itself (3), the settings are wrong (2) or
    neither (1).
    """

    def __init__(
        self, message: str, advice: str = "try again later", exit_code: ExitCode = ExitCode.RETRY_LATER
    ) -> None:
        super().__init__(message)
        self.advice = advice
        self.exit_code = exit_code


class BadReply(Exception):
    """The model's reply held nothing of what it was asked for (empty, cut off, refused). `tokens` are spent. The rest
    as in Reply."""

    def __init__(
        self, message: str, tokens: int = 0, cost: float = 0.0, *, model: str = "", prompt: str = "", reply: str = "",
        kept: Kept = "",
    ) -> None:  # fmt: skip
        super().__init__(message)
        self.tokens = tokens
        self.cost = cost
        self.model = model
        self.prompt = prompt
        self.reply = reply
        self.kept = kept


class LeastCost(msgspec.Struct, frozen=True):
    """What a prompt takes before a word of the reply. `tokens` is an estimate; `cost` is in dollars, 0.0 where no price
    is known."""

    model: str
    tokens: int
    cost: float


class Programmer(Protocol):
    """Who writes the code."""

    @property
    def author(self) -> Author: ...

    async def question(self, brief: Brief) -> Question | None:
        """What it would ask a person before it writes its first program; None where nothing is left to ask.

        What `brief.decisions` has decided is never asked again.
        """
        ...

    def understand(self, decision: Decision, brief: Brief) -> str:
        """Why what the person typed can't be followed on this page, in a sentence; empty where it can. May be slow."""
        ...

    def read_hint(self, text: str, brief: Brief) -> Preview:
        """What a hint decides, and how the request is read by it; nothing of both where it goes into the next program
        as it is. May be slow.

        Raises NotUnderstood where the programmer can make nothing of it.
        """
        ...

    def least_cost(self, brief: Brief) -> LeastCost | None:
        """What asking for the next program takes at least; None where it takes nothing or no price is known. May be
        slow."""
        ...

    async def write(self, brief: Brief, report: Report) -> Draft:
        """A first program or a repaired one. Raises NoIdea, ProgrammerUnavailable, BadReply."""
        ...


class Preview(msgspec.Struct, frozen=True):
    """What a correction would make of the rows, before it is taken.

    `decisions` are what the correction decides, `reading` is how the request is read by it, None where it is as before.
    `rows` are (name, value now, value then) of each record of the surveyed page: `name` is what the record's first
    other column says. Where other rows or another order are proposed they are ("", row now, row then), in the order of
    the rows. `already`: the place, or the records, are those that the rows are from. `pages`: of how many pages they
    are, where there are more rows than those; else 0.
    """

    decisions: tuple[Decision, ...]
    rows: tuple[tuple[str, Any, Any], ...]
    reading: Reading | None = None
    already: bool = False
    pages: int = 0


class OfferedColumn(msgspec.Struct, frozen=True):
    """A column that records offer by themselves: what the page calls it, its place, and values of the first records."""

    column: Column
    place: Decision
    samples: tuple[str, ...]
    filled: float
    """Share of the records that have a value, from 0.0 to 1.0."""


class OfferedTable(msgspec.Struct, frozen=True):
    """Records of a page, offered for a request that says nothing but its address. `text` says what they are."""

    text: str
    where: str
    records: int
    place: Decision
    columns: tuple[OfferedColumn, ...]


class OfferedTables(msgspec.Struct, frozen=True):
    """What a page offers, the likeliest first. `problem` says why where that is nothing."""

    title: str
    tables: tuple[OfferedTable, ...]
    problem: str = ""


Row = Mapping[str, str]


class Corrector(Protocol):
    """Finds the places of the surveyed page that a column could be corrected to. Pure, may be slow: called off the
    event loop, one call at a time. `rows` are some of the attempt that the person corrects, as they are shown.
    """

    def options(self, brief: Brief, column: str, rows: Sequence[Row]) -> Question:
        """The other places for a column, the likeliest first. Raises NotUnderstood where there can be none."""
        ...

    def understand(self, brief: Brief, decision: Decision) -> str:
        """Why what the person typed can't be followed on this page; "" where it can."""
        ...

    def preview(self, brief: Brief, decision: Decision, rows: Sequence[Row]) -> Preview:
        """What the records' values are by a decision about a column. Raises NotUnderstood."""
        ...

    def respelled(self, brief: Brief, reading: Reading, before: str, after: str, rows: Sequence[Row]) -> Preview:
        """What becomes of the column `before` where the request is read so and calls it `after`: its name or type is
        another one, its place stays if that can be read so. `after` is empty where it is dropped. Raises NotUnderstood.
        """
        ...

    def groups(self, brief: Brief, rows: Sequence[Row]) -> Question:
        """The other records of the page, the likeliest first. Raises NotUnderstood."""
        ...

    def records(self, brief: Brief, reading: Reading, decision: Decision | None, rows: Sequence[Row]) -> Preview:
        """The rows that the records become by a decision about which records are meant, and by this reading's
        conditions, order and limit. Raises NotUnderstood."""
        ...

    def read_hint(self, brief: Brief, text: str, rows: Sequence[Row]) -> Preview:
        """What a hint says of a column ("price is .old-price"), or of the records and pages as a request does, before
        it is taken. Raises NotUnderstood."""
        ...


class Advice(Reply, frozen=True):
    """What a weak model says: how the request is read with it, None where that is as before, or what it copied out of
    records."""

    reading: Reading | None = None
    copied: tuple[Copied, ...] = ()


class Adviser(Protocol):
    """A weak model: it writes no programs, and helps the rules with what they write."""

    @property
    def model(self) -> str: ...

    async def read(self, reading: Reading) -> Advice | None:
        """What the grammar left of the request; None where it left nothing. Raises ProgrammerUnavailable, BadReply."""
        ...

    async def copy(self, brief: Brief) -> Advice | None:
        """The values of the columns that are not certain, out of one or two records; None where all are certain.

        Raises ProgrammerUnavailable, BadReply.
        """
        ...


class Surveyor(Protocol):
    """Looks at the page. Never raises for what the site does: that is the survey's verdict."""

    async def survey(self, reading: Reading, fetch: Fetch, report: Report) -> Survey: ...


class Case(msgspec.Struct, frozen=True):
    """What a critic judges. `pages` as in Brief, with this run's requests in `result.requests`."""

    reading: Reading
    survey: Survey | None
    result: RunResult
    files: Mapping[str, bytes] = {}
    pages: Mapping[str, Page] = {}
    code: str = ""
    author: Author = "rules"
    open: tuple[Question, ...] = ()
    """What nobody was there to decide."""
    disputes: tuple[Dispute, ...] = ()
    """Findings that programmers of the session contest."""
    decisions: tuple[Decision, ...] = ()
    """What the person decided: a review and what the page calls its places say nothing against it."""
    review: Review | None = None
    """What a model said of these rows, where one was asked."""


class Critic(Protocol):
    """Judges whether the rows are what was asked for. Pure, may be slow: called off the event loop."""

    def judge(self, case: Case) -> Verdict: ...

    def samples(self, case: Case) -> tuple[Sample, ...]:
        """A few rows from first to last with what their records say, for a review; empty where there are none."""
        ...


class Opinion(Reply, frozen=True):
    """A review with what it took."""

    review: Review


class Reviewer(Protocol):
    """A model that says of each column whether its values are what was asked for."""

    @property
    def model(self) -> str: ...

    async def review(self, reading: Reading, samples: Sequence[Sample]) -> Opinion:
        """From these rows and their records alone. Raises ProgrammerUnavailable, BadReply."""
        ...


class Checked(msgspec.Struct, frozen=True):
    """A static check's outcome: the program with free fixes made, and what is still wrong with it. `fails`: that ends
    its run for certain."""

    code: str
    fixes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    line: int = 0
    fails: bool = False


class Checker(Protocol):
    """Finds what is wrong without running the program; with `mend` what can be is fixed without a programmer."""

    def check(self, code: str, *, mend: bool = True) -> Checked: ...


class Web(Protocol):
    """The gateway as the loop uses it, one per session.

    `begin` opens a run: connections of that run go to `connect`, and its exchanges are collected until `end`.
    """

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    @property
    def ca(self) -> str:
        """PEM of the run's certificate authority."""
        ...

    @property
    def fetch(self) -> Fetch: ...

    def connect(self, attempt: int) -> Connect: ...

    def pages(self) -> Mapping[str, Page]:
        """What this session has fetched: the newest answer of each URL, by URL asked for and by final URL."""
        ...

    def allow(self, host: str) -> None:
        """Lets programs reach a host that the query does not name."""
        ...

    def forbid(self, host: str) -> None:
        """Takes back what `allow` allowed."""
        ...

    def log_in(self, cookies: str) -> Sequence[tuple[NoteLevel, str]]:
        """Sends the cookies of a file from now on, where they belong; says how many go where, and no value.

        Blocks. Raises web.credentials.BadCredentials.
        """
        ...

    def refused(self) -> Sequence[tuple[str, str]]:
        """(host, URL) refused since the last call, for the questions between attempts."""
        ...
