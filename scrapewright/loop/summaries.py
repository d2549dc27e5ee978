"""Short forms of results and verdicts that fit into an event, and sentences for people."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TypeVar

import msgspec

from scrapewright.session.attempt import AttemptState
from scrapewright.session.events import MAX_EVENT_BYTES
from scrapewright.session.result import PROGRAM_NAME, ExceptionInfo, RunResult
from scrapewright.session.review import Review
from scrapewright.session.sanitize import to_json
from scrapewright.session.verdict import Dispute, Verdict
from scrapewright.survey.model import Survey

T = TypeVar("T")
MESSAGE = 500
LOCALS = 12
FINDINGS = 40
DISPUTES = 12


def brief_exception(result: RunResult) -> ExceptionInfo | None:
    """The exception with its innermost program frame alone, small enough for an event."""
    info = result.exception
    if info is None:
        return None
    frames = [f for f in info.frames if f.file == PROGRAM_NAME][-1:] or list(info.frames[-1:])
    small = tuple(
        msgspec.structs.replace(
            f,
            file=f.file[:200],
            function=f.function[:200],
            source=f.source[:MESSAGE],
            locals={k[:100]: v[:200] for k, v in list(f.locals.items())[:LOCALS]},
        )
        for f in frames
    )
    return ExceptionInfo(type=info.type[:100], message=info.message[:MESSAGE], frames=small)


def fit_verdict(verdict: Verdict) -> Verdict:
    """A verdict small enough for an event: long texts are cut; then samples and the last findings are left out."""
    columns = fit_in_event(name[:200] for name in verdict.columns)
    findings = tuple(
        msgspec.structs.replace(
            f,
            message=f.message[:MESSAGE],
            rows=f.rows[:20],
            expected=f.expected[:200],
            got=f.got[:200],
            column=f.column[:200],
        )
        for f in verdict.findings[:FINDINGS]
    )
    disputes = fit_disputes(d for d in verdict.disputes if any(map(d.names, findings)))
    small = msgspec.structs.replace(
        verdict,
        findings=findings,
        columns=columns,
        disputes=disputes,
        checked=fit_in_event((said[:MESSAGE] for said in verdict.checked), share=16),
        unchecked=fit_in_event((said[:MESSAGE] for said in verdict.unchecked), share=16),
    )
    while (small.samples or small.findings) and len(to_json(small)) > MAX_EVENT_BYTES * 3 // 4:
        fewer = small.findings if small.samples else small.findings[: len(small.findings) // 2]
        kept = tuple(d for d in disputes if any(map(d.names, fewer)))
        small = msgspec.structs.replace(small, findings=fewer, disputes=kept, samples=small.samples[:-1])
    return small


def fit_disputes(disputes: Iterable[Dispute]) -> tuple[Dispute, ...]:
    """A few of them, with their texts cut: half an event at most."""
    short = (
        msgspec.structs.replace(d, column=d.column[:200], reason=d.reason[:MESSAGE], evidence=d.evidence[:MESSAGE])
        for d in disputes
    )
    return fit_in_event(islice(short, DISPUTES))


def fit_review(review: Review) -> Review:
    """A review with its texts cut, and as many of its columns as fit into half an event."""
    short = (
        msgspec.structs.replace(c, column=c.column[:200], reason=c.reason[:MESSAGE], rows=c.rows[:20])
        for c in review.columns
    )
    return msgspec.structs.replace(review, rows=review.rows[:20], columns=fit_in_event(short))


def fit_in_event(items: Iterable[T], *, share: int = 2) -> tuple[T, ...]:
    """The first ones, as many as fit into a half (a third, a quarter, …) of an event."""
    kept: list[T] = []
    room = MAX_EVENT_BYTES // share
    for item in items:
        room -= len(to_json(item)) + 1
        if room < 0:
            break
        kept.append(item)
    return tuple(kept)


def survey_lines(survey: Survey) -> tuple[str, ...]:
    """What was found, for people, a few lines."""
    lines: list[str] = []
    for page in survey.pages[:3]:
        title = f" “{page.title[:80]}”" if page.title else ""
        lines.append(f"{page.url} · {page.status} · {page.media_type or 'no type'} · {page.encoding}{title}")
    if survey.verdict != "ok":
        lines.append(f"{survey.verdict}: {survey.reason}")
    lines += survey.notes[:3]
    for group in survey.groups[:3]:
        named = [slot.names[0] for slot in group.slots if slot.names] or [slot.id for slot in group.slots]
        where = f" under “{group.context[:60]}”" if group.context else ""
        lines.append(f"{group.count} × {group.kind} {group.selector}{where}: {', '.join(named[:8])}")
    if survey.next.how != "none":
        proof = "verified" if survey.next.verified else "not yet verified"
        lines.append(f"next page by {survey.next.how}: {survey.next.text or survey.next.url} ({proof})")
    if survey.detail is not None and survey.detail.pages:
        lines.append(f"a record's own page: {survey.detail.pages[0].url}")
    return tuple(line[:300] for line in lines)


def doubts(verdict: Verdict) -> str:
    """What keeps its rows from being called right, where that is no fault of them."""
    said = [f.message[:300] for f in verdict.doubts or verdict.findings]
    more = f" (and {len(said) - 3} more)" if len(said) > 3 else ""
    return "; ".join(said[:3]) + more


def both_sides(verdict: Verdict, disputes: Iterable[Dispute], author: str) -> str:
    """What the judge holds against the rows, contested findings first, and what the programmer answers."""
    contested = [(f, d) for d in disputes for f in verdict.findings if d.names(f)][:3]
    errors = [f for f in verdict.findings if f.severity == "error"]
    said = dict.fromkeys(f.message[:300] for f in [*(f for f, _ in contested), *errors])
    answers = dict.fromkeys(d.in_words[:500] for _, d in contested)
    return f"the judge: {'; '.join([*said][:3])}; the {author}: {'; '.join(answers)}"


def cannot_work(attempt: AttemptState) -> str:
    return f"attempt {attempt.id} can't work: {'; '.join(attempt.problems)[:1_000]}"


def run_question(attempt: AttemptState) -> str:
    return f"{cannot_work(attempt)}; run it all the same?" if attempt.fails else f"run attempt {attempt.id}?"


def failure_question(attempt: AttemptState) -> str:
    """The question after a failed attempt."""
    if attempt.status is not None and not attempt.ended_well:
        what = attempt.exception.type if attempt.exception else attempt.status
        where = f" on line {attempt.line}" if attempt.line else ""
        return f"attempt {attempt.id} ended with {what}{where}; repair it?"
    verdict = attempt.verdict
    findings = verdict.findings if verdict else ()
    if verdict is not None and verdict.doubtful:
        return f"attempt {attempt.id}: {doubts(verdict)}; are its rows right?"
    first = next((f.message for f in findings if f.severity == "error"), "its rows fell short")
    return f"attempt {attempt.id}: {first[:200]}; {'what now' if verdict and verdict.failure else 'repair it'}?"
