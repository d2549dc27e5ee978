"""The contract: everything that can happen in a session.

Durable events are numbered by the journal, stored, applied and published. Ticks are published alone. Screen, headless
run, exports and replay read nothing else.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, cast

import msgspec

from scrapewright.query.reading import Reading, Source
from scrapewright.session.questions import KINDS, Copied, Decision, Kind, Option, Question
from scrapewright.session.result import Author, ExceptionInfo, Request, Status
from scrapewright.session.review import Review
from scrapewright.session.sanitize import to_json
from scrapewright.session.spending import Kept, Spent
from scrapewright.session.verdict import Dispute, Verdict

SCHEMA = 1
MAX_EVENT_BYTES = 64 * 1024


class Phase(StrEnum):
    """What the loop is doing now."""

    SURVEYING = "surveying"
    WRITING = "writing"
    WAITING = "waiting"
    RUNNING = "running"
    JUDGING = "judging"
    PAUSING = "pausing"
    PAUSED = "paused"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"


TERMINAL = frozenset({Phase.FINISHED, Phase.STOPPED, Phase.FAILED})


class Mode(StrEnum):
    """When the gate asks: never, before every run and retry, or after every phase."""

    AUTO = "auto"
    APPROVE = "approve"
    STEP = "step"


Step = Literal["survey", "write", "check", "run", "judge"]
QuestionKind = Literal[
    "run", "retry", "phase", "host", "login", "columns", "group", "column", "condition", "pages", "programmer"
]
AnswerKind = Literal[
    "go", "edit", "hint", "refuse", "retry", "accept", "rewind", "stop", "iterate", "allow-once", "allow", "deny",
    "choose", "say", "rules", "correct", "undo",
]  # fmt: skip
"""`correct` and `undo` answer no question: a person steps in with them."""

InterventionKind = Literal["edit", "hint", "rewind", "correct", "undo", "go"]
NoteLevel = Literal["info", "warning", "error"]


class Event(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type", omit_defaults=True):
    """Durable. `seq` and `at` (seconds since the epoch) are set by the journal; `attempt` 0 means none yet."""

    seq: int = 0
    at: float = 0.0
    attempt: int = 0


class SessionStarted(Event, frozen=True, kw_only=True):
    """First in every session. `origin`: "query", "file" (run --from), "trace" or "demo". `program` is the blob of a
    program to start from, `allow` are the hosts that may be reached besides the query's, `decisions` what the person
    decided beforehand (--set, --example). `escalate` are the models that write after `model`, each once the one before
    it fell short. `cassette` is the file whose replies are played in place of theirs.
    """

    schema: int = SCHEMA
    session: str
    text: str
    reading: Reading
    origin: str = "query"
    mode: Mode = Mode.AUTO
    programmer: str = "rules"
    model: str = ""
    escalate: tuple[str, ...] = ()
    cassette: str = ""
    sandbox: str = "auto"
    tape: str = "reuse"
    attempts: int = 4
    time_limit: float = 60.0
    program: str = ""
    allow: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    version: str = ""


class ReadingChanged(Event, frozen=True, kw_only=True):
    """The request is read otherwise from here on. `source`: who said so."""

    reading: Reading
    source: Source = "person"


class PhaseChanged(Event, frozen=True, kw_only=True):
    phase: Phase
    step: Step | None = None


class Surveyed(Event, frozen=True, kw_only=True):
    """The page was looked at. `survey` is a blob (JSON of survey.model.Survey); `summary` is for people."""

    url: str
    survey: str
    summary: tuple[str, ...] = ()
    records: int = 0
    seconds: float = 0.0


class RequestSeen(Event, frozen=True, kw_only=True):
    """The gateway answered or refused a request, from the survey or from a program."""

    request: Request


class HostRefused(Event, frozen=True, kw_only=True):
    """A program asked for a host that the query does not name."""

    host: str
    url: str
    reason: str


class HostAllowed(Event, frozen=True, kw_only=True):
    """A person's answer. `always`: for the rest of the session, else for the next run alone."""

    host: str
    always: bool = False


class AttemptStarted(Event, frozen=True, kw_only=True):
    """`attempt` is new here and only grows; `parent` 0 means none."""

    parent: int = 0
    author: Author


class ReplyEvent(Event, frozen=True, kw_only=True):
    """What came of a question to a programmer or a model: base of the events below. `tokens` and `cost` (dollars, 0.0
    where a price is not known) are what the reply took, `prompt` and `reply` the blobs of what was asked and answered,
    `kept` where the answer was kept if the model was not asked now.
    """

    model: str = ""
    tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    prompt: str = ""
    reply: str = ""
    kept: Kept = ""


class CodeWritten(ReplyEvent, frozen=True, kw_only=True):
    """A whole program. `code` is a blob; `added` and `removed` count lines against the parent."""

    author: Author
    code: str
    lines: int
    diagnosis: str = ""
    added: int = 0
    removed: int = 0


class ReplyUnused(ReplyEvent, frozen=True, kw_only=True):
    """A reply to the question for a program became no attempt: `problem` says why."""

    problem: str


class WritingStopped(Event, frozen=True, kw_only=True):
    """The person stopped a programmer at its writing: `code` is the blob of what came of its program."""

    code: str


Adviser = Literal["reader", "mapper"]


class Advised(ReplyEvent, frozen=True, kw_only=True):
    """A weak model, which writes no programs, read the request (`reader`), or copied the values of columns out of
    records (`mapper`). Where nothing came of it `problem` says why.
    """

    role: Adviser
    copied: tuple[Copied, ...] = ()
    problem: str = ""


class CodeChecked(Event, frozen=True, kw_only=True):
    """Static check. `fixes` were made for free (`code` is then the fixed program's blob); `problems` remain, and where
    it `fails` by them for certain it is not run unless a person wants it."""

    ok: bool
    fixes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    line: int = 0
    code: str = ""
    fails: bool = False


class RunStarted(Event, frozen=True, kw_only=True):
    sandbox: str


class RunFinished(Event, frozen=True, kw_only=True):
    """`result` is a blob: the whole RunResult as JSON. The rest is what a list or a narration shows of it."""

    result: str
    status: Status
    exit_code: int | None = None
    signal: str = ""
    line: int | None = None
    exception: ExceptionInfo | None = None
    seconds: float = 0.0
    artifacts: tuple[str, ...] = ()


class Reviewed(ReplyEvent, frozen=True, kw_only=True):
    """A model was asked whether the attempt's rows are right. `of` is a digest of the program, the rows and the reading
    that they are held against: the same are not reviewed again in the session. Where no review came `review` is None
    and `problem` says why.
    """

    of: str
    review: Review | None = None
    problem: str = ""


class Judged(Event, frozen=True, kw_only=True):
    """`accepted`: the person overruled the judge."""

    verdict: Verdict
    accepted: bool = False


class Disputed(Event, frozen=True, kw_only=True):
    """The author of `attempt` contests findings of the last verdict.

    `unchanged`: the program came back as it was in that attempt, which is then the current one; its rows are judged
    again with the disputes.
    """

    disputes: tuple[Dispute, ...]
    unchanged: bool = False


class Asked(Event, frozen=True, kw_only=True):
    """The gate waits. Its own `seq` is the ticket that an answer must carry.

    Questions of kind group, column and pages carry `options`, the best guess first, and a question about a column its
    name; where it asks what words of the request say, by the values that the column then has, those words are `phrase`.
    `host` is that of a question about a host, `code` the blob of the program that is asked about; one of kind
    programmer has what came of a program before its author failed.
    """

    kind: QuestionKind
    step: Step | None = None
    prompt: str
    choices: tuple[AnswerKind, ...]
    code: str = ""
    host: str = ""
    column: str = ""
    options: tuple[Option, ...] = ()
    phrase: str = ""

    @property
    def as_question(self) -> Question | None:
        """What is asked about the records, the columns or the pages; None where it is something else."""
        if self.kind not in KINDS:
            return None
        kind = cast("Kind", self.kind)
        return Question(kind, self.prompt, self.options, self.column, phrase=self.phrase)


class Answered(Event, frozen=True, kw_only=True):
    """`code` is a blob (edit), `text` a hint, a reason or what was said instead of an option, `target` the attempt of a
    rewind, `option` the id of the option chosen or "none".

    `unattended`: nobody was there any more; it was answered for them, and what was asked stays undecided.
    """

    ticket: int
    answer: AnswerKind
    code: str = ""
    text: str = ""
    target: int = 0
    option: str = ""
    unattended: bool = False


class LeftOpen(Event, frozen=True, kw_only=True):
    """A question that nobody was there to answer: its best guess is used, and a verdict says that it was undecided."""

    question: Question


class Intervened(Event, frozen=True, kw_only=True):
    """The person stepped in without being asked, and whatever was asked is asked no more. A session that is over goes
    on by it, with attempts counted anew.

    `code` is a blob (edit), `text` a hint, which is kept for the next program, `target` the attempt of a rewind. A
    correction (`correct`) is what it decides about columns and records and, where it says that the request is to be
    read otherwise, the `reading` from then on. `undo` takes back the acceptance of the current attempt, else the last
    correction or answer about records, columns and pages; `go` goes on after the end.
    """

    kind: InterventionKind
    code: str = ""
    text: str = ""
    target: int = 0
    decisions: tuple[Decision, ...] = ()
    reading: Reading | None = None


class ModeChanged(Event, frozen=True, kw_only=True):
    mode: Mode


class ProgrammerChanged(Event, frozen=True, kw_only=True):
    """Another one writes the programs from here on, named as in `SessionStarted`; no model follows it, and no cassette
    is played any more."""

    programmer: str
    model: str = ""


class PauseAsked(Event, frozen=True, kw_only=True):
    """`kill`: asked for a second time, so the step in hand is killed and run again on resume."""

    kill: bool = False


class Resumed(Event, frozen=True, kw_only=True):
    pass


class StepInterrupted(Event, frozen=True, kw_only=True):
    step: Step
    reason: str


class BudgetWarned(Event, frozen=True, kw_only=True):
    what: Literal["attempts", "tokens", "money", "time"]
    used: float
    limit: float


class Noted(Event, frozen=True, kw_only=True):
    """A remark for the person: a decision made, a way down taken, a thing that could not be kept."""

    text: str
    level: NoteLevel = "info"


class SessionFinished(Event, frozen=True, kw_only=True):
    """Last in every session, unless the person goes on in it. `outcome`: success, accepted, unrepaired, unjudged,
    budget, retry-later, configuration, stopped, broken, or the kind of a failure that no program can repair (see
    loop.failure).

    `best` is the attempt whose rows and program are the result. `advice` says what the person can do. `spent` is what
    models took, one entry for each attempt, role and model.
    """

    phase: Phase
    outcome: str
    exit_code: int
    best: int = 0
    reason: str = ""
    advice: str = ""
    files: tuple[str, ...] = ()
    spent: tuple[Spent, ...] = ()


Durable = (
    SessionStarted
    | ReadingChanged
    | PhaseChanged
    | Surveyed
    | RequestSeen
    | HostRefused
    | HostAllowed
    | AttemptStarted
    | CodeWritten
    | ReplyUnused
    | WritingStopped
    | Advised
    | CodeChecked
    | RunStarted
    | RunFinished
    | Reviewed
    | Judged
    | Disputed
    | Asked
    | Answered
    | LeftOpen
    | Intervened
    | ModeChanged
    | ProgrammerChanged
    | PauseAsked
    | Resumed
    | StepInterrupted
    | BudgetWarned
    | Noted
    | SessionFinished
)


class Tick(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    """Not durable: has no seq, is never stored, and touches only `Session.live`."""

    attempt: int = 0


class CodeStreamed(Tick, frozen=True, kw_only=True):
    """A piece of the program as it is written; `text` is appended to what came before in this attempt."""

    text: str


class LineReached(Tick, frozen=True, kw_only=True):
    """The program line being run right now, read from the shared-memory trail."""

    line: int


class OutputPrinted(Tick, frozen=True, kw_only=True):
    stream: Literal["stdout", "stderr"]
    text: str


class Progressed(Tick, frozen=True, kw_only=True):
    """`total` 0.0 means unknown."""

    what: str
    done: float = 0.0
    total: float = 0.0


AnyTick = CodeStreamed | LineReached | OutputPrinted | Progressed

_decoder: msgspec.json.Decoder[Durable] = msgspec.json.Decoder(Durable)


def encode(event: Event) -> bytes:
    """One JSON object. Raises ValueError if it is larger than an event may be (large values belong in blobs)."""
    data = to_json(event)
    if len(data) > MAX_EVENT_BYTES:
        raise ValueError(f"{type(event).__name__} is {len(data)} bytes; {MAX_EVENT_BYTES} is the most an event may be")
    return data


def decode(data: bytes) -> Durable:
    """The inverse of encode. Raises msgspec.ValidationError on anything else."""
    return _decoder.decode(data)
