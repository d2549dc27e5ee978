"""The state of a session: what its events add up to. Live screen and replay read the same object."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from scrapewright.query.reading import Reading
from scrapewright.session import events as ev
from scrapewright.session.events import TERMINAL, Mode, Phase
from scrapewright.session.questions import KINDS, NONE, Decision, Question, best_guess, is_decided, with_decision
from scrapewright.session.result import Author, ExceptionInfo, Request, Status
from scrapewright.session.verdict import Dispute, Verdict, with_disputes

ACTIVE = frozenset({Phase.SURVEYING, Phase.WRITING, Phase.RUNNING, Phase.JUDGING})
REQUESTS_KEPT = 5_000
NOTES_KEPT = 500
LIVE_TEXT_KEPT = 64 * 1024

_AFTER: dict[Phase, frozenset[Phase]] = {
    Phase.SURVEYING: frozenset({Phase.SURVEYING, Phase.WRITING, Phase.RUNNING}),
    Phase.WRITING: frozenset({Phase.WRITING, Phase.RUNNING, Phase.SURVEYING}),
    Phase.RUNNING: frozenset({Phase.RUNNING, Phase.JUDGING, Phase.WRITING}),
    Phase.JUDGING: frozenset({Phase.JUDGING, Phase.WRITING, Phase.RUNNING}),
    Phase.WAITING: ACTIVE,
    Phase.PAUSING: ACTIVE,
    Phase.PAUSED: ACTIVE,
}
_FROM_ANYWHERE = frozenset({Phase.WAITING, Phase.PAUSING, Phase.PAUSED})


class IllegalTransition(Exception):
    """An event that can't follow what happened before: the journal and the state disagree."""


@dataclass(slots=True)
class AttemptState:
    """One program and what became of it. `code`, `prompt`, `result` are blob names; empty or None while unknown.

    `disputed`: the program came with disputes ("changed"), or came back as it was: its rows are then to be judged again
    ("unchanged") until they are ("weighed"). `decisions` are what the person had decided as it was begun; `overruled`:
    they have corrected a column since, or taken back the correction that it was written with.
    """

    id: int
    author: Author
    parent: int = 0
    code: str = ""
    lines: int = 0
    added: int = 0
    removed: int = 0
    diagnosis: str = ""
    prompt: str = ""
    model: str = ""
    tokens: int = 0
    cost: float = 0.0
    checked: bool = False
    fixes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    sandbox: str = ""
    runs: int = 0
    running: bool = False
    result: str = ""
    status: Status | None = None
    exit_code: int | None = None
    signal: str = ""
    line: int | None = None
    exception: ExceptionInfo | None = None
    seconds: float = 0.0
    artifacts: tuple[str, ...] = ()
    verdict: Verdict | None = None
    accepted: bool = False
    refused: bool = False
    decisions: tuple[Decision, ...] = ()
    overruled: bool = False
    disputed: Literal["", "changed", "unchanged", "weighed"] = ""

    @property
    def score(self) -> float:
        """The verdict's score; -1.0 before there is one."""
        return self.verdict.score if self.verdict is not None else -1.0

    @property
    def good(self) -> bool:
        """The critic or the person accepted its rows, and the person has corrected none since."""
        return not self.overruled and (self.accepted or (self.verdict is not None and self.verdict.ok))

    @property
    def ended_well(self) -> bool:
        """It ran to its end without an error."""
        return self.status == "ok" or (self.status == "exit" and not self.exit_code)

    @property
    def outcome(self) -> str:
        """In a word or two, for lists."""
        if self.refused:
            return "refused"
        if self.overruled:
            return "overruled"
        if self.accepted:
            return "accepted"
        if self.running:
            return "running"
        if self.status is None:
            return "written" if self.code else "being written"
        if self.status != "ok":
            return self.exception.type if self.exception is not None and self.status == "error" else self.status
        if self.verdict is None:
            return "ran"
        return "right" if self.verdict.ok else "doubtful" if self.verdict.doubtful else "fell short"


@dataclass(frozen=True, slots=True)
class Correction:
    """What undoing it goes back to: the decisions, the questions left open and the current attempt before it."""

    decisions: tuple[Decision, ...]
    left_open: tuple[Question, ...]
    attempt: int


@dataclass(slots=True)
class Live:
    """The state that ticks set. The next durable event clears it."""

    code: str = ""
    line: int = 0
    stdout: str = ""
    stderr: str = ""
    what: str = ""
    done: float = 0.0
    total: float = 0.0

    def apply(self, tick: ev.Tick) -> None:
        if isinstance(tick, ev.CodeStreamed):
            self.code = (self.code + tick.text)[-LIVE_TEXT_KEPT:]
        elif isinstance(tick, ev.LineReached):
            self.line = tick.line
        elif isinstance(tick, ev.OutputPrinted):
            kept = (getattr(self, tick.stream) + tick.text)[-LIVE_TEXT_KEPT:]
            setattr(self, tick.stream, kept)
        elif isinstance(tick, ev.Progressed):
            self.what, self.done, self.total = tick.what, tick.done, tick.total


@dataclass(slots=True)
class Session:
    """A session as of event `seq`. Changed by `apply` and `tick` alone.

    `hint` is for the next program; `edit` is the person's own program (a blob) until it has become an attempt.
    `decisions` are what the person decided about records, columns and pages, the newest last; `questions` counts the
    answers to such questions, and `left_open` are those that nobody was there to answer. `disputes` are the findings
    that programmers contest, the newest of each finding. `reviews` are what models said of rows, by what was reviewed.
    `corrections` can be undone, the last one first. The budget's attempts are those after `counted_from`: the person
    who corrects something, or goes on, asks for more.
    """

    id: str = ""
    text: str = ""
    reading: Reading = field(default_factory=lambda: Reading(text=""))
    origin: str = "query"
    started_at: float = 0.0
    at: float = 0.0
    seq: int = 0
    mode: Mode = Mode.AUTO
    programmer: str = ""
    model: str = ""
    sandbox: str = ""
    tape: str = "reuse"
    max_attempts: int = 4
    time_limit: float = 60.0
    program: str = ""
    allow: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    questions: int = 0
    left_open: tuple[Question, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    reviews: dict[str, ev.Reviewed] = field(default_factory=dict)
    corrections: tuple[Correction, ...] = ()
    counted_from: int = 0
    phase: Phase | None = None
    step: ev.Step | None = None
    before_pause: Phase | None = None
    pause_asked: bool = False
    survey: str = ""
    survey_summary: tuple[str, ...] = ()
    attempts: dict[int, AttemptState] = field(default_factory=dict)
    current: int = 0
    question: ev.Asked | None = None
    requests: list[tuple[int, Request]] = field(default_factory=list)
    requests_dropped: int = 0
    refused_hosts: dict[str, str] = field(default_factory=dict)
    allowed_hosts: set[str] = field(default_factory=set)
    notes: list[ev.Noted] = field(default_factory=list)
    warnings: dict[str, ev.BudgetWarned] = field(default_factory=dict)
    hint: str = ""
    hinted_at: int = 0
    writing_since: int = 0
    edit: str = ""
    tokens: int = 0
    cost: float = 0.0
    end: ev.SessionFinished | None = None
    live: Live = field(default_factory=Live)

    @property
    def attempt(self) -> AttemptState | None:
        """The current attempt."""
        return self.attempts.get(self.current)

    @property
    def best(self) -> AttemptState | None:
        """The attempt that wins: one that keeps to what the person corrected, then one that is stood behind, else the
        highest score, the later of equals."""
        judged = [a for a in self.attempts.values() if a.verdict is not None or a.accepted]
        return max(judged, key=lambda a: (not a.overruled, a.accepted, a.good, a.score, a.id), default=None)

    @property
    def over(self) -> bool:
        return self.end is not None

    def tick(self, tick: ev.Tick) -> None:
        self.live.apply(tick)

    def guard(self, event: ev.Event) -> None:
        """Raises IllegalTransition where `event` can't follow what has happened."""
        name = type(event).__name__
        if (self.end is not None) is not isinstance(event, ev.Reopened):
            when = "after the session's end" if self.end is not None else "before the session's end"
            raise IllegalTransition(f"{name} {when}")
        if event.seq != self.seq + 1:
            raise IllegalTransition(f"event {event.seq} after event {self.seq}")
        if (self.seq == 0) is not isinstance(event, ev.SessionStarted):
            raise IllegalTransition(f"{name} as event {event.seq}")
        if isinstance(event, ev.SessionStarted) and event.schema != ev.SCHEMA:
            raise IllegalTransition(f"the session has schema {event.schema}; this version reads schema {ev.SCHEMA}")
        if isinstance(event, ev.PhaseChanged) and not self._may_enter(event.phase):
            raise IllegalTransition(f"{event.phase} after {self.phase}")
        if isinstance(event, ev.SessionFinished) and event.phase not in TERMINAL:
            raise IllegalTransition(f"a session does not end as {event.phase}")
        if isinstance(event, ev.AttemptStarted):
            if event.attempt <= max(self.attempts, default=0):
                raise IllegalTransition(f"attempt {event.attempt} does not follow attempt {max(self.attempts)}")
            if event.parent and event.parent not in self.attempts:
                raise IllegalTransition(f"attempt {event.attempt} has no parent {event.parent}")
        if isinstance(event, _OF_AN_ATTEMPT) and event.attempt not in self.attempts:
            raise IllegalTransition(f"{name} of attempt {event.attempt}, which is not there")
        if isinstance(event, ev.Answered):
            if self.question is None or self.question.seq != event.ticket:
                raise IllegalTransition(f"an answer to {event.ticket}, which is not the open question")
            if event.answer == "rewind" and event.target not in self.attempts:
                raise IllegalTransition(f"a rewind to attempt {event.target}, which is not there")
            if event.answer == "choose" and event.option not in {NONE, *(o.id for o in self.question.options)}:
                raise IllegalTransition(f"option {event.option!r}, which the question does not have")
        if isinstance(event, ev.Intervened) and event.kind == "rewind" and event.target not in self.attempts:
            raise IllegalTransition(f"a rewind to attempt {event.target}, which is not there")
        if isinstance(event, ev.Intervened) and event.kind == "undo" and not self.corrections:
            raise IllegalTransition("an undo where nothing was corrected")

    def apply(self, event: ev.Event) -> None:
        """The only way the state changes. Raises IllegalTransition, and then nothing has changed."""
        self.guard(event)
        _APPLY[type(event)](self, event)
        self.seq, self.at = event.seq, event.at
        self.live = Live()

    def _may_enter(self, phase: Phase) -> bool:
        """Ends are entered by SessionFinished alone; from writing, only rows that are to be judged again are judged."""
        if phase in TERMINAL:
            return False
        if (self.phase, phase) == (Phase.WRITING, Phase.JUDGING):
            return self.attempt is not None and self.attempt.disputed == "unchanged"
        return self.phase is None or phase in _FROM_ANYWHERE or phase in _AFTER[self.phase]

    def _enter(self, phase: Phase, step: ev.Step | None) -> None:
        now = self.phase
        if phase in {Phase.PAUSING, Phase.PAUSED} and now in ACTIVE | {Phase.WAITING}:
            self.before_pause = now
        self.phase, self.step = phase, step

    # One method an event; the table below finds it by the event's type.

    def _session_started(self, e: ev.SessionStarted) -> None:
        self.id, self.text, self.reading, self.origin = e.session, e.text, e.reading, e.origin
        self.mode, self.programmer, self.model, self.sandbox = e.mode, e.programmer, e.model, e.sandbox
        self.tape, self.max_attempts, self.time_limit = e.tape, e.attempts, e.time_limit
        self.program, self.allow, self.decisions = e.program, e.allow, e.decisions
        self.started_at = e.at

    def _reading_changed(self, e: ev.ReadingChanged) -> None:
        self.reading = e.reading

    def _phase_changed(self, e: ev.PhaseChanged) -> None:
        self._enter(e.phase, e.step)
        if e.phase is Phase.PAUSED:
            self.pause_asked = False
        if e.phase is Phase.WRITING:
            self.writing_since = e.seq

    def _surveyed(self, e: ev.Surveyed) -> None:
        self.survey, self.survey_summary = e.survey, e.summary

    def _request_seen(self, e: ev.RequestSeen) -> None:
        self.requests.append((e.attempt, e.request))
        if len(self.requests) > REQUESTS_KEPT:
            del self.requests[0]
            self.requests_dropped += 1

    def _host_refused(self, e: ev.HostRefused) -> None:
        self.refused_hosts[e.host] = e.url

    def _host_allowed(self, e: ev.HostAllowed) -> None:
        self.refused_hosts.pop(e.host, None)
        if e.always:
            self.allowed_hosts.add(e.host)

    def _attempt_started(self, e: ev.AttemptStarted) -> None:
        self.attempts[e.attempt] = AttemptState(e.attempt, e.author, e.parent, decisions=self.decisions)
        self.current = e.attempt

    def _code_written(self, e: ev.CodeWritten) -> None:
        a = self.attempts[e.attempt]
        a.author, a.code, a.lines, a.diagnosis = e.author, e.code, e.lines, e.diagnosis
        a.added, a.removed, a.tokens, a.cost, a.model = e.added, e.removed, e.tokens, e.cost, e.model
        a.prompt = e.prompt
        self.tokens += e.tokens
        self.cost += e.cost
        if e.author == "person":
            self.edit = ""
        elif self.hinted_at < self.writing_since:  # one that came later was not heard yet
            self.hint = ""

    def _code_checked(self, e: ev.CodeChecked) -> None:
        a = self.attempts[e.attempt]
        a.checked, a.fixes, a.problems = True, e.fixes, e.problems
        a.code = e.code or a.code

    def _run_started(self, e: ev.RunStarted) -> None:
        a = self.attempts[e.attempt]
        a.sandbox, a.running, a.runs, a.verdict, a.result = e.sandbox, True, a.runs + 1, None, ""
        a.disputed = "changed" if a.disputed == "changed" else ""

    def _run_finished(self, e: ev.RunFinished) -> None:
        a = self.attempts[e.attempt]
        a.running, a.result, a.status, a.exit_code, a.signal = False, e.result, e.status, e.exit_code, e.signal
        a.line, a.exception, a.seconds, a.artifacts = e.line, e.exception, e.seconds, e.artifacts

    def _reviewed(self, e: ev.Reviewed) -> None:
        self.reviews[e.of] = e
        self.tokens += e.tokens
        self.cost += e.cost

    def _judged(self, e: ev.Judged) -> None:
        a = self.attempts[e.attempt]
        a.verdict, a.accepted = e.verdict, e.accepted
        if a.disputed == "unchanged":
            a.disputed = "weighed"

    def _disputed(self, e: ev.Disputed) -> None:
        self.disputes = with_disputes(self.disputes, e.disputes)
        self.attempts[e.attempt].disputed = "unchanged" if e.unchanged else "changed"
        if e.unchanged:
            self.current = e.attempt

    def _asked(self, e: ev.Asked) -> None:
        self.question = e

    def _answered(self, e: ev.Answered) -> None:
        question, self.question = self.question, None
        if e.answer == "hint":
            self.hint, self.hinted_at = e.text, e.seq
        elif e.answer == "edit":
            self.edit = e.code
        elif e.answer == "rewind":
            self.current = e.target
        elif e.answer == "refuse" and question is not None and question.attempt in self.attempts:
            self.attempts[question.attempt].refused = True
        if question is not None and question.kind in KINDS:
            self.questions += 1
            if (decision := _decision(question, e)) is not None:
                self.decisions = with_decision(self.decisions, decision)
                self.left_open = tuple(q for q in self.left_open if not is_decided(q, (decision,)))

    def _left_open(self, e: ev.LeftOpen) -> None:
        self.left_open = (*self.left_open, e.question)

    def _intervened(self, e: ev.Intervened) -> None:
        if e.kind == "hint":
            self.hint, self.hinted_at = e.text, e.seq
            return
        self.question = None
        if self.phase in ACTIVE:  # what follows may be any step
            self._enter(Phase.WAITING, None)
        match e.kind:
            case "edit":
                self.edit = e.code
            case "rewind":
                self.current = e.target
            case "correct":
                if any(attempt.code for attempt in self.attempts.values()):  # else it is an answer before it is asked
                    self.corrections += (Correction(self.decisions, self.left_open, self.current),)
                for decision in e.decisions:
                    self.decisions = with_decision(self.decisions, decision)
                columns = [decision for decision in e.decisions if decision.kind == "column"]
                self.left_open = tuple(q for q in self.left_open if not is_decided(q, columns))
                self._correct()
                kept = [attempt.id for attempt in self.attempts.values() if attempt.code and not attempt.overruled]
                self.current = max(kept, default=self.current)
            case "undo":
                before = self.corrections[-1]
                self.corrections = self.corrections[:-1]
                self.decisions, self.left_open, self.current = before.decisions, before.left_open, before.attempt
                self._correct()

    def _correct(self) -> None:
        """Overrules the attempts that were begun with other decisions."""
        self.counted_from = max(self.attempts, default=0)
        for attempt in self.attempts.values():
            attempt.overruled = set(attempt.decisions) != set(self.decisions)

    def _mode_changed(self, e: ev.ModeChanged) -> None:
        self.mode = e.mode

    def _pause_asked(self, e: ev.PauseAsked) -> None:
        self.pause_asked = True
        if self.phase in ACTIVE | {Phase.WAITING}:
            self._enter(Phase.PAUSING, self.step)

    def _resumed(self, e: ev.Resumed) -> None:
        self.pause_asked = False
        if self.phase in {Phase.PAUSING, Phase.PAUSED} and self.before_pause is not None:
            self.phase = self.before_pause
        self.before_pause = None

    def _step_interrupted(self, e: ev.StepInterrupted) -> None:
        a = self.attempts.get(e.attempt)
        if a is not None:
            a.running = False

    def _budget_warned(self, e: ev.BudgetWarned) -> None:
        self.warnings[e.what] = e

    def _noted(self, e: ev.Noted) -> None:
        self.notes.append(e)
        del self.notes[:-NOTES_KEPT]

    def _reopened(self, e: ev.Reopened) -> None:
        self._enter(Phase.WAITING, None)
        self.end, self.counted_from = None, max(self.attempts, default=0)

    def _session_finished(self, e: ev.SessionFinished) -> None:
        self._enter(e.phase, None)
        self.question, self.end = None, e
        for a in self.attempts.values():
            a.running = False


def _decision(question: ev.Asked, answered: ev.Answered) -> Decision | None:
    """What an answer decides: to go on decides for the best guess, unless nobody was there."""
    if question.kind not in ("group", "column", "condition", "pages") or answered.unattended:
        return None
    match answered.answer:
        case "choose":
            return Decision(question.kind, question.column, option=answered.option)
        case "say":
            return Decision(question.kind, question.column, text=answered.text)
        case "go":
            return best_guess(Question(question.kind, question.prompt, question.options, question.column))
    return None


def _method_name(event: type) -> str:
    return "".join("_" + c.lower() if c.isupper() else c for c in event.__name__)


_OF_AN_ATTEMPT = (
    ev.CodeWritten, ev.CodeChecked, ev.RunStarted, ev.RunFinished, ev.Reviewed, ev.Judged, ev.Disputed,
)  # fmt: skip
_APPLY = {event: getattr(Session, _method_name(event)) for event in get_args(ev.Durable)}


def replay(events: list[ev.Durable], upto: int | None = None) -> Session:
    """The state after the first `upto` events (all of them if None). Raises IllegalTransition."""
    session = Session()
    for event in events[:upto]:
        session.apply(event)
    return session
