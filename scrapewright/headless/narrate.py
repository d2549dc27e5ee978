"""Narrates a session as lines of text, from its events. Pure: the same events give the same lines."""

from __future__ import annotations

from collections.abc import Iterator

from scrapewright.loop.briefing import read_result
from scrapewright.query.reading import Reading, differing
from scrapewright.query.summary import PART_NAMES, summary
from scrapewright.session import events as ev
from scrapewright.session.journal import Blobs
from scrapewright.session.questions import Option, undecided
from scrapewright.session.result import PROGRAM_NAME, ExceptionInfo, RunResult
from scrapewright.session.review import Review
from scrapewright.session.sanitize import one_line, sanitize
from scrapewright.session.spending import by_role, in_words
from scrapewright.session.state import Session
from scrapewright.session.verdict import Verdict
from scrapewright.session.wording import account, likelihood, rests_on

PREVIEW = 14
_OPEN = frozenset({"unrepaired", "budget"})
"""Ends of a session that the person can take further in the workbench."""
FINDINGS = 6
STDERR = 6
LOCALS = 8
SAMPLES = 3
_MARKS = {"error": "✗", "warning": "·", "doubt": "?"}


class Narrator:
    """Turns events into lines. It keeps its own Session, so a replay gives the same lines as a live run."""

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs
        self._session = Session()
        self._before = self._session.reading
        self._asked = self._session.question

    def tell(self, event: ev.Event) -> Iterator[str]:
        """Lines without newline, safe for a terminal."""
        self._before, self._asked = self._session.reading, self._session.question
        self._session.apply(event)
        for line in self._lines(event):
            yield sanitize(line).replace("\n", " ")

    def _lines(self, event: ev.Event) -> Iterator[str]:
        match event:
            case ev.SessionStarted():
                yield f"session {event.session}"
                for line in summary(event.reading):
                    yield f"  {line}"
                for decision in event.decisions:
                    yield f"  {decision.column}: by {decision.how} {one_line(decision.text, 200)}"
            case ev.ReadingChanged():
                yield "the model reads the request so:" if event.source == "model" else "the reading was corrected"
                before = summary(self._before)
                for line in summary(event.reading):
                    if line not in before:
                        yield f"  {line}"
            case ev.PhaseChanged(step="survey", phase=ev.Phase.SURVEYING):
                yield "looking at the page"
            case ev.PhaseChanged(step="write", phase=ev.Phase.WRITING) if self._asks():
                yield self._asking()
            case ev.Surveyed():
                for line in event.summary:
                    yield f"  {line}"
            case ev.CodeWritten():
                yield from self._code(event)
            case ev.CodeChecked():
                for fix in event.fixes:
                    yield f"  fixed for free: {fix}"
                for problem in event.problems:
                    yield f"  problem: {problem}"
                if event.fails:
                    yield "  it can't work so"
            case ev.RunStarted():
                yield f"  running in {event.sandbox}"
            case ev.RunFinished():
                yield from self._run(event)
            case ev.Advised(problem=""):
                yield _advised(event)
            case ev.Reviewed(review=Review() as review):
                yield from _review(event, review)
            case ev.Judged():
                lines = ["accepted by the person"] if event.accepted else verdict_lines(event.verdict)
                yield from (f"  {line}" for line in lines)
            case ev.Disputed(unchanged=True):
                yield "  the program came back as it is, with findings contested: judging its rows again"
            case ev.HostRefused():
                yield f"  refused: {event.url} ({event.reason})"
            case ev.Asked():
                yield f"? {event.prompt}"
                for number, option in enumerate(event.options, 1):
                    yield f"  {number}  {_option(option)}"
            case ev.Answered():
                yield f"  answered: {self._answer(event)}"
            case ev.LeftOpen() if event.question.kind != "pages":  # which is said in the end, with the rows
                yield undecided(event.question)
            case ev.Intervened():
                what = {
                    "edit": "edited by hand", "hint": f"hint: {one_line(event.text, 400)}",
                    "correct": f"corrected: {', '.join(_corrected(event, self._before))}",
                    "undo": "what was decided last was taken back", "go": "the session goes on",
                }  # fmt: skip
                yield f"  {what.get(event.kind, f'back to attempt {event.target}')}"
            case ev.StepInterrupted():
                yield f"  {event.step} interrupted: {event.reason}"
            case ev.BudgetWarned():
                yield f"  budget: {event.used:g} of {event.limit:g} {event.what} used"
            case ev.Noted():
                yield f"  {'' if event.level == 'info' else event.level + ': '}{one_line(event.text, 500)}"
            case ev.SessionFinished():
                yield from self._end(event)
            case _:
                return

    def _asks(self) -> bool:
        """Whether a model or a command is asked, which takes time, and not the person's own program is taken up."""
        session = self._session
        own = session.edit or (session.program and not session.attempts)
        return session.programmer in {"model", "command"} and not own

    def _asking(self) -> str:
        session = self._session
        if session.cassette:
            return "playing the cassette"
        after = f", as {session.escalated_from} fell short" if session.escalated_from else ""
        return f"asking {session.writer or f'the {session.programmer}'}{after}"

    def _answer(self, event: ev.Answered) -> str:
        options = self._asked.options if self._asked is not None else ()
        chosen = next((one_line(o.text, 80) for o in options if o.id == event.option), "none of them")
        said = {"choose": f"choose {chosen}", "say": f"say {one_line(event.text, 200)}"}.get(event.answer, event.answer)
        return f"{said} (nobody is there any more)" if event.unattended else said

    def _code(self, event: ev.CodeWritten) -> Iterator[str]:
        change = f", +{event.added} −{event.removed}" if event.added or event.removed else ""
        who = f"{event.author} ({event.model})" if event.model else event.author
        yield f"attempt {event.attempt} · {who} · {event.lines} lines{change}{_took(event)}"
        if event.diagnosis:
            yield f"  {one_line(event.diagnosis, 400)}"
        try:
            lines = self._blobs.get(event.code).decode("utf-8", "replace").splitlines()
        except (KeyError, ValueError):
            yield "  its program can't be read from the store"
            return
        shown = self._changed(event, lines) if change else [(n, line) for n, line in enumerate(lines, 1)][:PREVIEW]
        for number, line in shown[:PREVIEW]:
            yield f"  {number:4} │ {line[:110]}".rstrip()
        left = (len(shown) if change else len(lines)) - min(len(shown), PREVIEW)
        if left > 0:
            yield f"       │ … {left} more"

    def _changed(self, event: ev.CodeWritten, lines: list[str]) -> list[tuple[int, str]]:
        attempt = self._session.attempts[event.attempt]
        parent = self._session.attempts.get(attempt.parent)
        if parent is None or not parent.code:
            return list(enumerate(lines, 1))
        import difflib

        try:
            before = self._blobs.get(parent.code).decode("utf-8", "replace").splitlines()
        except (KeyError, ValueError):
            return list(enumerate(lines, 1))
        matcher = difflib.SequenceMatcher(None, before, lines, False)
        return [
            (n + 1, lines[n])
            for tag, _, _, start, end in matcher.get_opcodes()
            if tag in {"insert", "replace"}
            for n in range(start, end)
        ]

    def _run(self, event: ev.RunFinished) -> Iterator[str]:
        attempt = self._session.attempts[event.attempt]
        try:
            result = read_result(attempt, self._blobs)
        except (KeyError, ValueError):  # gone or damaged; the event tells the gist
            where = f" in line {event.line}" if event.line else ""
            yield f"  {event.status}{where} · {event.seconds:.1f} s; the record of the run can't be read from the store"
            return
        if result is None:
            return
        how: str = result.status
        if result.status == "exit":
            how += f" {result.exit_code}"
        elif result.status == "killed":
            how += f" by {result.signal}"
        where = f" in line {result.where}" if result.where and result.status != "ok" else ""
        fetched = sum(not r.from_tape and r.verdict == "allowed" for r in result.requests)
        taped = sum(r.from_tape for r in result.requests)
        web = f" · {fetched} fetched, {taped} from tape" if result.requests else ""
        yield f"  {how}{where} · {result.seconds:.1f} s{web}"
        if result.note:
            yield f"  {one_line(result.note)}"
        if result.exception is not None:
            yield from _exception(result.exception)
        elif result.status in {"timeout", "killed", "oom", "lost"}:
            for entry in result.stack[:3]:
                yield f"    {entry.file}:{entry.line} in {entry.function}"
        yield from _stderr(result)

    def _end(self, event: ev.SessionFinished) -> Iterator[str]:
        reason = f": {one_line(event.reason, 500)}" if event.reason else ""
        yield f"{event.outcome}{reason}"
        if event.advice:
            opens = f" (scrapewright replay {self._session.id})" if event.outcome in _OPEN and self._session.id else ""
            yield f"  {one_line(event.advice, 500)}{opens}"
        for line in by_role(event.spent):
            yield f"  {one_line(line, 200)}"


def verdict_lines(verdict: Verdict, *, every: bool = False) -> Iterator[str]:
    """The verdict, the first findings (or `every` one) with what each rests on, what was checked, what could not be."""
    pages = f", {verdict.pages} pages" if verdict.pages > 1 else ""
    word = "right" if verdict.ok else "doubtful" if verdict.doubtful else "falls short"
    likely = likelihood(verdict.probability)
    rows = f"{verdict.rows} {'row' if verdict.rows == 1 else 'rows'}"
    yield f"verdict: {word}{f' · {likely}' if likely else ''} · {rows}{pages} · score {verdict.score:.2f}"
    shown = [f for f in verdict.findings if f.severity != "warning" or verdict.ok][:FINDINGS]
    for finding in verdict.findings if every else shown:
        basis = rests_on(finding)
        yield f"  {_MARKS[finding.severity]} {one_line(finding.message, 400)}{f' ({basis})' if basis else ''}"
        if (dispute := verdict.dispute(finding)) is not None:
            yield f"    contested: {one_line(dispute.in_words, 400)}"
    for line in account(verdict):
        yield f"  {one_line(line, 600)}"


def _advised(event: ev.Advised) -> str:
    columns = ", ".join(dict.fromkeys(one_line(one.column, 60) for one in event.copied)) or "nothing that is there"
    did = "read the request" if event.role == "reader" else f"copied out of records: {columns}"
    return f"  {event.model} {did}{_took(event)}"


def _took(event: ev.ReplyEvent) -> str:
    """What a reply took, behind what it is."""
    took = in_words(event.tokens, event.cost, event.kept)
    return f", {took}" if took else ""


def _review(event: ev.Reviewed, review: Review) -> Iterator[str]:
    """What a model said of the columns, with its reasons."""
    rows = f"{len(review.rows)} {'row' if len(review.rows) == 1 else 'rows'}"
    yield f"  review of {rows} by {event.model}{_took(event)}"
    for judgement, word in (("right", "right"), ("wrong", "wrong"), ("unsure", "can't say")):
        said = (
            f"{one_line(column.column, 60)}{f' ({one_line(column.reason, 200)})' if column.reason else ''}"
            for column in review.columns
            if column.says == judgement
        )
        if text := ", ".join(said):
            yield f"    {word}: {text}"


def _corrected(event: ev.Intervened, before: Reading) -> Iterator[str]:
    """What a correction is about: columns, records, parts of the reading."""
    columns = [one_line(decision.column, 60) for decision in event.decisions if decision.column]
    yield from columns or ("which records" for decision in event.decisions if decision.kind == "group")
    for part in differing(before, event.reading or before):
        yield PART_NAMES[part]


def _option(option: Option) -> str:
    """What it is, where, and its first values."""
    where = f" ({one_line(option.where, 80)})" if option.where else ""
    values = [one_line(str(sample), 60) for sample in option.samples if sample not in (None, "")]
    return f"{one_line(option.text, 80)}{where}{': ' if values else ''}{' | '.join(values[:SAMPLES])}"


def _exception(info: ExceptionInfo) -> Iterator[str]:
    yield f"  {info.type}: {one_line(info.message, 240)}"
    known = [f for f in info.frames if f.locals or f.source] or list(info.frames)
    frames = [f for f in known if f.file == PROGRAM_NAME] or known  # a library's own lines say little
    for frame in frames[-1:]:
        yield f"    {frame.file}:{frame.line} in {frame.function}: {one_line(frame.source, 120)}"
        for name, value in list(frame.locals.items())[:LOCALS]:
            yield f"      {one_line(name, 40)} = {one_line(value, 120)}"


def _stderr(result: RunResult) -> Iterator[str]:
    if not result.stderr.bytes:
        return
    lines = result.stderr.text.rstrip().splitlines()
    if result.exception is not None:  # the traceback is shown already, better
        lines = [line for line in lines if not line.startswith(("Traceback", "  ", f"{result.exception.type}:"))]
    for line in lines[-STDERR:]:
        yield f"    stderr: {one_line(line, 200)}"
