"""The state of a session: what its events add up to. Live screen and replay read the same object."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from scrapewright.query.reading import Reading
from scrapewright.session import events as ev
from scrapewright.session.attempt import AttemptState
from scrapewright.session.events import Mode, Phase
from scrapewright.session.live import Live
from scrapewright.session.phases import ACTIVE as ACTIVE  # a part of the state
from scrapewright.session.questions import (
    Copied,
    Decision,
    Question,
    answered,
    is_decided,
    still_held,
    with_decision,
)
from scrapewright.session.result import Request
from scrapewright.session.spending import Role, Spent
from scrapewright.session.transitions import check
from scrapewright.session.verdict import Dispute, with_disputes

REQUESTS_KEPT = 5_000
NOTES_KEPT = 500


@dataclass(frozen=True, slots=True)
class Correction:
    """What undoing it goes back to: what was so before it. `attempt` was the current one; `answered`: it is the answer
    to a question, which is asked again."""

    decisions: tuple[Decision, ...]
    left_open: tuple[Question, ...]
    reading: Reading
    attempt: int
    answered: bool = False


@dataclass(slots=True)
class Session:
    """A session as of event `seq`. Changed by `apply` and `tick` alone.

    `hint` is for the next program; `edit` is the person's own program (a blob) until it has become an attempt.
    `decisions` are what the person decided about records, columns and pages, the newest last; `questions` counts the
    answers to such questions, and `left_open` are those that nobody was there to answer. `disputes` are the findings
    that programmers contest, the newest of each finding. `reviews` are what models said of rows, by what was reviewed,
    `advice` what a weak model said before the first program, by its role.
    `corrections`, answers to such questions among them, can be undone, the last one first, and before them `rewinds`
    since then, which are the attempts that were current before. `asks_again`: such an answer was taken back. The
    budget's attempts are those after `counted_from`: the person who corrects something, or goes on, asks for more.
    `looks_again`: more pages are wanted than the survey looked at.
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
    escalate: tuple[str, ...] = ()
    cassette: str = ""
    sandbox: str = ""
    tape: str = "reuse"
    max_attempts: int = 4
    time_limit: float = 60.0
    program: str = ""
    allow: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    questions: int = 0
    asks_again: bool = False
    left_open: tuple[Question, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    reviews: dict[str, ev.Reviewed] = field(default_factory=dict)
    advice: dict[str, ev.Advised] = field(default_factory=dict)
    corrections: tuple[Correction, ...] = ()
    rewinds: tuple[int, ...] = ()
    counted_from: int = 0
    phase: Phase | None = None
    step: ev.Step | None = None
    before_pause: Phase | None = None
    pause_asked: bool = False
    survey: str = ""
    survey_summary: tuple[str, ...] = ()
    looks_again: bool = False
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
    unfinished: str = ""
    """The blob of a program that was stopped while it was written; empty once it is decided what is done instead."""
    unused: int = 0
    empty_replies: int = 0
    spent: list[Spent] = field(default_factory=list)
    end: ev.SessionFinished | None = None
    live: Live = field(default_factory=Live)

    @property
    def attempt(self) -> AttemptState | None:
        """The current attempt."""
        return self.attempts.get(self.current)

    @property
    def best(self) -> AttemptState | None:
        """The attempt that wins: one that keeps to what the person corrected, then one that is trusted, of these
        the current one, which the person may have edited or gone back to; else the highest score, the later of equals.
        """
        judged = [a for a in self.attempts.values() if a.verdict is not None or a.accepted]

        def worth(a: AttemptState) -> tuple[bool, bool, bool, bool, float, int]:
            return not a.overruled, a.accepted, a.good, a.good and a.id == self.current, a.score, a.id

        return max(judged, key=worth, default=None)

    @property
    def fell_short(self) -> int:
        """How many of the model's replies fell short of what the person wants now, those without a program included."""
        own = (a for a in self.attempts.values() if a.author == "model" and not a.overruled)
        return self.unused + sum((a.verdict is not None or a.refused or a.fails) and not a.good for a in own)

    @property
    def writer(self) -> str:
        """The name of the model that writes the next program; empty where none does."""
        return (self.model, *self.escalate)[: self.fell_short + 1][-1]

    @property
    def escalated_from(self) -> str:
        """The model that fell short, where the next program is the first that another one writes."""
        return (self.model, *self.escalate)[self.fell_short - 1] if 0 < self.fell_short <= len(self.escalate) else ""

    @property
    def copied(self) -> tuple[Copied, ...]:
        """What a weak model copied out of records."""
        return self.advice["mapper"].copied if "mapper" in self.advice else ()

    @property
    def too_weak(self) -> bool:
        """Whether the model, the last one of several, gave no program that could work at all in two replies. One
        without a word, as where the endpoint broke off, says nothing of the model."""
        own = [a for a in self.attempts.values() if a.author == "model"]
        useless = self.unused - self.empty_replies + sum(a.fails for a in own)
        asked = bool(self.model or self.cassette)
        return asked and not any(a.runs for a in own) and useless >= 2 + len(self.escalate)

    @property
    def tokens(self) -> int:
        return sum(entry.tokens for entry in self.spent)

    @property
    def cost(self) -> float:
        """Dollars."""
        return sum(entry.cost for entry in self.spent)

    @property
    def over(self) -> bool:
        return self.end is not None

    @property
    def undoes(self) -> Literal["", "refusal", "acceptance", "rewind", "correction"]:
        """What an undo takes back: what the person did last to the current attempt, else that they went back to an
        attempt, else their last correction."""
        attempt = self.attempt
        if attempt is not None and attempt.refused:
            return "refusal"
        if attempt is not None and attempt.accepted and not attempt.overruled:
            return "acceptance"
        if self.rewinds:
            return "rewind"
        return "correction" if self.corrections else ""

    def tick(self, tick: ev.Tick) -> None:
        self.live.apply(tick)

    def apply(self, event: ev.Event) -> None:
        """The only way the state changes. Raises IllegalTransition, and then nothing has changed."""
        check(self, event)
        _APPLY[type(event)](self, event)
        self.seq, self.at = event.seq, event.at
        self.live = Live()

    def _enter(self, phase: Phase, step: ev.Step | None) -> None:
        now = self.phase
        if phase in {Phase.PAUSING, Phase.PAUSED} and now in ACTIVE | {Phase.WAITING}:
            self.before_pause = now
        self.phase, self.step = phase, step

    # One method an event; the table below finds it by the event's type.

    def _session_started(self, e: ev.SessionStarted) -> None:
        self.id, self.text, self.reading, self.origin = e.session, e.text, e.reading, e.origin
        self.mode, self.programmer, self.model, self.sandbox = e.mode, e.programmer, e.model, e.sandbox
        self.escalate, self.cassette = e.escalate, e.cassette
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
        self.survey, self.survey_summary, self.looks_again = e.survey, e.summary, False

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
        a = AttemptState(e.attempt, e.author, e.parent, decisions=self.decisions, reading=self.reading)
        self.attempts[a.id], self.current, self.asks_again, self.unfinished = a, a.id, False, ""

    def _code_written(self, e: ev.CodeWritten) -> None:
        a = self.attempts[e.attempt]
        a.author, a.code, a.lines, a.diagnosis = e.author, e.code, e.lines, e.diagnosis
        a.added, a.removed, a.tokens, a.cost, a.model = e.added, e.removed, e.tokens, e.cost, e.model
        a.prompt, a.kept = e.prompt, e.kept
        self._spend("programmer", e)
        if e.author == "person":
            self.edit = ""
        elif self.hinted_at < self.writing_since:  # one that came later was not read yet
            self.hint = ""

    def _writing_stopped(self, e: ev.WritingStopped) -> None:
        self.unfinished = e.code

    def _reply_unused(self, e: ev.ReplyUnused) -> None:
        self.unused += 1
        self.empty_replies += not e.reply
        self._spend("programmer", e, max(self.attempts, default=0) + 1)

    def _advised(self, e: ev.Advised) -> None:
        self.advice[e.role] = e
        if e.prompt or not e.problem:  # else no reply came
            self._spend(e.role, e, max(self.attempts, default=0) + 1)

    def _spend(self, role: Role, e: ev.ReplyEvent, attempt: int = 0) -> None:
        if e.model or e.tokens:
            self.spent.append(Spent(attempt or e.attempt, role, e.model, 1, e.tokens, e.cost, e.kept))

    def _code_checked(self, e: ev.CodeChecked) -> None:
        a = self.attempts[e.attempt]
        a.checked, a.fixes, a.problems, a.fails = True, e.fixes, e.problems, e.fails
        if e.code:
            a.written, a.code = a.code, e.code

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
        if e.prompt or not e.problem:  # else no reply came
            self._spend("reviewer", e)

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
            self._rewind(e.target)
        elif e.answer == "refuse" and question is not None and question.attempt in self.attempts:
            self.attempts[question.attempt].refused = True
        if question is not None and question.kind == "programmer" and e.answer != "stop":
            self.unfinished = ""
        if question is not None and (put := question.as_question) is not None:
            self.questions += 1
            self.asks_again, self.rewinds = False, ()
            decision = answered(put, e.answer, e.option, e.text, self.decisions) if not e.unattended else None
            if decision is not None:
                self._remember(answered=True)
                self.decisions = with_decision(still_held(self.decisions, question.options[:1], decision), decision)
                self.left_open = tuple(q for q in self.left_open if not is_decided(q, (decision,)))
                self._choose_current()

    def _left_open(self, e: ev.LeftOpen) -> None:
        self.left_open = (*self.left_open, e.question)

    def _intervened(self, e: ev.Intervened) -> None:
        if self.end is not None or (e.kind != "hint" and self.phase in ACTIVE):  # what follows may be any step
            self._enter(Phase.WAITING, None)
        if self.end is not None:
            self.end, self.counted_from = None, max(self.attempts, default=0)
        if e.kind == "hint":
            self.hint, self.hinted_at = e.text, e.seq
            return
        self.question = None
        if e.kind != "go":
            self.unfinished = ""
        if e.kind in ("edit", "correct", "undo"):
            self.rewinds = ()
        match e.kind:
            case "edit":
                self.edit = e.code
            case "rewind":
                self._rewind(e.target)
            case "correct":
                self._remember()
                for decision in e.decisions:
                    self.decisions = with_decision(self.decisions, decision)
                meant = [one for one in e.decisions if one.kind == "column" or one.text]  # else it is where one pointed
                self.left_open = tuple(q for q in self.left_open if not is_decided(q, meant))
                self._read(e.reading or self.reading)
                self._choose_current()
            case "undo" if self.undoes == "acceptance":
                self.attempts[self.current].accepted = False
            case "undo":
                before = self.corrections[-1]
                self.corrections = self.corrections[:-1]
                self.decisions, self.left_open, self.current = before.decisions, before.left_open, before.attempt
                self._read(before.reading)
                self._correct()
                self.asks_again = self.asks_again or before.answered

    def _remember(self, *, answered: bool = False) -> None:
        """What is decided and read now can be gone back to."""
        now = Correction(self.decisions, self.left_open, self.reading, self.current, answered)
        self.corrections = (*self.corrections, now)

    def _read(self, reading: Reading) -> None:
        """The request is read so from here on, by the person."""
        if reading.pages != self.reading.pages:
            self.looks_again = reading.paging in ("all", "count")
        if names := {column.name for column in reading.columns}:
            self.left_open = tuple(q for q in self.left_open if q.kind != "column" or q.column in names)
        self.reading = reading

    def _rewind(self, attempt: int) -> None:
        """A refusal is taken back with it, by going back to where one came from the rewind, and to an overruled attempt
        what was decided since."""
        if self.rewinds[-1:] == (attempt,):
            self.rewinds = self.rewinds[:-1]
        elif attempt != self.current:
            self.rewinds += (self.current,)
        back = self.attempts[attempt]
        self.current, back.refused = attempt, False
        if back.overruled:
            self.decisions = back.decisions
            self._read(back.reading or self.reading)
            self._correct()

    def _choose_current(self) -> None:
        """After what was decided: from the last attempt that was begun with just that, where there is one."""
        if self.attempts:
            self._correct()
            kept = [attempt.id for attempt in self.attempts.values() if attempt.code and not attempt.overruled]
            self.current = max(kept, default=self.current)

    def _correct(self) -> None:
        """Overrules the attempts that were begun with other decisions, or by another reading."""
        self.counted_from, self.unused, self.empty_replies = max(self.attempts, default=0), 0, 0
        for attempt in self.attempts.values():
            other = attempt.reading is not None and attempt.reading != self.reading
            attempt.overruled = other or set(attempt.decisions) != set(self.decisions)

    def _mode_changed(self, e: ev.ModeChanged) -> None:
        self.mode = e.mode

    def _programmer_changed(self, e: ev.ProgrammerChanged) -> None:
        self.programmer, self.model, self.escalate, self.cassette = e.programmer, e.model, (), ""
        self.unfinished = ""

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

    def _session_finished(self, e: ev.SessionFinished) -> None:
        self._enter(e.phase, None)
        self.question, self.end = None, e
        for a in self.attempts.values():
            a.running = False


def _method_name(event: type) -> str:
    return "".join("_" + c.lower() if c.isupper() else c for c in event.__name__)


_APPLY = {event: getattr(Session, _method_name(event)) for event in get_args(ev.Durable)}


def replay(events: list[ev.Durable], upto: int | None = None) -> Session:
    """The state after the first `upto` events (all of them if None). Raises IllegalTransition."""
    session = Session()
    for event in events[:upto]:
        session.apply(event)
    return session
