"""The interfaces that the loop works through, as Protocols. The parts that fill them are chosen in wiring.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from scrapewright.errors import Unavailable, UsageError
from scrapewright.query.reading import Part, Reading
from scrapewright.session.events import AnyTick
from scrapewright.session.exit_codes import ExitCode
from scrapewright.session.questions import Decision, Question
from scrapewright.session.result import Author, RunResult
from scrapewright.session.review import Review
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
    blank: tuple[str, ...] = ()
    """Parts of the results that are withheld ("steps", "locals"): for measuring what they are worth."""


class Said(msgspec.Struct, frozen=True):
    """A reading of the request that came with a program, and the parts that it says something of."""

    reading: Reading
    parts: tuple[Part, ...]


class Draft(msgspec.Struct, frozen=True):
    """A whole program. `diagnosis` says in a sentence or two what was wrong and what was done."""

    code: str
    diagnosis: str = ""
    author: Author = "rules"
    tokens: int = 0
    cost: float = 0.0
    model: str = ""
    reading: Said | None = None
    """How the author of the first program read the request, where it says."""
    disputes: tuple[Dispute, ...] = ()
    """Findings of the last verdict that the author holds to be mistaken."""
    prompt: str = ""
    """What a model was asked, as it was sent: a JSON object of `system`, `user` and `schema`."""


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
    """The model's reply held nothing of what it was asked for (empty, cut off, refused). `tokens` are spent."""

    def __init__(self, message: str, tokens: int = 0, cost: float = 0.0) -> None:
        super().__init__(message)
        self.tokens = tokens
        self.cost = cost


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

    def read_hint(self, text: str, brief: Brief) -> tuple[Decision, ...]:
        """What a hint decides; nothing where it goes into the next program as it is. May be slow.

        Raises NotUnderstood where the programmer can make nothing of it.
        """
        ...

    async def write(self, brief: Brief, report: Report) -> Draft:
        """A first program or a repaired one. Raises NoIdea, ProgrammerUnavailable, BadReply."""
        ...


class Preview(msgspec.Struct, frozen=True):
    """What a correction would make of a column, before it is taken.

    `decisions` are what the correction decides. `rows` are (name, value now, value then) of each record of the surveyed
    page: `name` is what the record's first other column says.
    """

    decisions: tuple[Decision, ...]
    rows: tuple[tuple[str, Any, Any], ...]


Row = Mapping[str, str]


class Corrector(Protocol):
    """Finds the places of the surveyed page that a column could be corrected to. Pure, may be slow: called off the
    event loop, one call at a time. `rows` are some of the attempt that the person corrects, as they are shown.
    """

    def options(self, brief: Brief, column: str, rows: Sequence[Row]) -> Question:
        """The other places for a column, the likeliest first. Raises NotUnderstood where there can be none."""
        ...

    def preview(self, brief: Brief, decision: Decision, rows: Sequence[Row]) -> Preview:
        """What the records' values are by a decision about a column. Raises NotUnderstood."""
        ...

    def read_hint(self, brief: Brief, text: str, rows: Sequence[Row]) -> Decision:
        """The decision about a column that a hint states: "price is .old-price". Raises NotUnderstood."""
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


class Opinion(msgspec.Struct, frozen=True):
    """A review with what it took: tokens, and dollars (0.0 where a price is not known). `prompt` as in Draft."""

    review: Review
    tokens: int = 0
    cost: float = 0.0
    prompt: str = ""


class Reviewer(Protocol):
    """A model that says of each column whether its values are what was asked for."""

    @property
    def model(self) -> str: ...

    async def review(self, reading: Reading, samples: Sequence[Sample]) -> Opinion:
        """From these rows and their records alone. Raises ProgrammerUnavailable, BadReply."""
        ...


class Checked(msgspec.Struct, frozen=True):
    """A static check's outcome: the program with free fixes made, and what is still wrong with it."""

    code: str
    fixes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    line: int = 0


class Checker(Protocol):
    """Fixes what can be fixed without a programmer, and finds what is wrong without running the program."""

    def check(self, code: str) -> Checked: ...


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

    def refused(self) -> Sequence[tuple[str, str]]:
        """(host, URL) refused since the last call, for the questions between attempts."""
        ...
