"""The repair loop: survey, write, check, run, judge, repair, until the rows are right or going on makes no sense.

One task. What to do next follows from the session's state, so a session that was cut off goes on where it was.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Literal

import msgspec

from scrapewright.loop import answers, briefing, disputes, outcomes, recording, summaries
from scrapewright.loop.advising import Advising
from scrapewright.loop.answers import Answer
from scrapewright.loop.budget import Budget, RepeatDetector
from scrapewright.loop.failure import classify, signature
from scrapewright.loop.gate import Gate, Intervention, Stopped
from scrapewright.loop.host_approval import HostApproval
from scrapewright.loop.outcomes import Outcome
from scrapewright.loop.parts import Options, Parts
from scrapewright.loop.ports import (
    BadReply,
    Brief,
    Draft,
    Job,
    NoIdea,
    ProgrammerUnavailable,
    Ran,
    SandboxUnavailable,
)  # fmt: skip
from scrapewright.loop.questions import Questions
from scrapewright.loop.request_log import RequestLog
from scrapewright.loop.reviewing import Reviews
from scrapewright.loop.tasks import cancel_and_wait, run_to_completion
from scrapewright.loop.writing import Writing, WritingInterrupted
from scrapewright.session import events as ev
from scrapewright.session.attempt import AttemptState
from scrapewright.session.events import Phase
from scrapewright.session.journal import Journal, JournalBroken, put_text
from scrapewright.session.result import Author
from scrapewright.session.spending import summed
from scrapewright.survey.model import to_json

Move = Literal["survey", "write", "edit", "ask-run", "run", "judge", "decide"]


class RepairLoop:
    """Runs one session to its end. `run` is called once."""

    def __init__(self, journal: Journal, gate: Gate, parts: Parts, options: Options, requests: RequestLog) -> None:
        self._journal = journal
        self._session = journal.session
        self._gate = gate
        self._parts = parts
        self._options = options
        self._requests = requests
        self._hosts = HostApproval(parts.web, gate, journal, attended=self._attended)
        self._started = time.monotonic()
        self.budget = Budget(options.allowance, lambda: time.monotonic() - self._started - gate.waited)
        self._reviews = Reviews(parts, gate, journal, self.budget)
        self._writing = Writing(parts, gate, journal, self.budget, self._attended)
        self._advising = Advising(parts, gate, journal, self.budget)
        self._questions = Questions(
            self._writing, self._advising, gate, journal, brief=self._brief, attended=self._attended
        )
        self._repeats = RepeatDetector()
        self._strategy, self._switched = 0, False
        self._forget = 0
        self._no_program = ""
        self._weighed: set[tuple[int, int]] = set()
        self._spare: asyncio.Task[None] | None = None

    # The session from its first to its last event.

    async def run(self) -> ev.SessionFinished | None:
        """Ends with a SessionFinished in the journal whatever happens, and returns it; without one where it is cut off.

        Cancelled, it does the same and then raises CancelledError. Raises JournalBroken where nothing can be written.
        """
        outcome = outcomes.stopped()
        self._started = time.monotonic()
        try:
            await self._parts.web.open()
            self._hosts.restore()
            self._spare = asyncio.create_task(self._prepare_sandbox(), name="spare")
            outcome = await self._work()
        except Stopped as stopped:
            outcome = outcomes.stopped(str(stopped))
        except SandboxUnavailable as error:
            outcome = outcomes.retry_later(str(error), "see `scrapewright doctor`")
        except ProgrammerUnavailable as error:
            outcome = outcomes.no_programmer(error)
        except JournalBroken:
            raise
        except OSError as error:
            outcome = outcomes.retry_later(str(error), "see `scrapewright doctor`")
        except Exception as error:
            outcome = outcomes.broken(error)
        finally:
            finished = await run_to_completion(self._finish(outcome))
        return finished

    async def _finish(self, outcome: Outcome) -> ev.SessionFinished | None:
        self._gate.close()
        if self._spare is not None:
            await cancel_and_wait(self._spare)
        with suppress(Exception):
            await self._parts.web.close()
        if self._gate.was_cut_off:
            return None
        best = self._session.best or self._session.attempt
        with suppress(Exception):  # the session has an end whatever its blobs hold
            if remark := await asyncio.to_thread(briefing.pages_not_read, self._session, best, self._parts.blobs):
                outcome = outcomes.with_remark(outcome, remark)
        files: tuple[str, ...] = ()
        if best is not None and best.code and self._parts.deliver is not None:
            try:
                files = await asyncio.to_thread(briefing.deliver, self._parts.deliver, best, self._parts.blobs)
            except Exception as error:  # whatever it is, the session has an end
                outcome = outcomes.undelivered(outcome, error, self._session.id)
        try:
            return await self._journal.append(
                ev.SessionFinished(
                    attempt=self._session.current,
                    phase=outcome.phase,
                    outcome=outcome.name,
                    exit_code=int(outcome.exit_code),
                    best=best.id if best else 0,
                    reason=outcome.reason[:REASON_AT_MOST],
                    advice=outcome.advice[:REASON_AT_MOST],
                    files=summaries.fit_in_event(files),
                    spent=summed(self._session.spent)[:SPENT_AT_MOST],
                )
            )
        except JournalBroken:
            return None

    async def _prepare_sandbox(self) -> None:
        with suppress(SandboxUnavailable):  # the run will say it, if it comes to one
            await self._parts.sandbox.prepare(self._options.limits)

    async def _work(self) -> Outcome:
        self.budget.spend(tokens=self._session.tokens, money=self._session.cost)  # what an earlier process took
        self._count_anew()
        await self._journal.flush()  # a hint may have been given before it began
        move: Move | Outcome = self._resume_point()
        while True:
            try:
                if not isinstance(move, Outcome):
                    move = await self._moves[move](self)
                else:
                    await self._gate.raise_intervention(last=True)
                    return move
            except Intervention as intervention:
                if intervention.corrects:
                    self._count_anew()
                move = self._resume_point()

    def _count_anew(self) -> None:
        """Attempts and repeats: what an earlier process wrote counts, what the person corrected since does not."""
        session, self._repeats, self._switched, self._strategy = self._session, RepeatDetector(), False, 0
        written = [a for a in session.attempts.values() if a.code]
        self.budget.attempts = sum(a.id > session.counted_from for a in written)
        for attempt in (a for a in written if not a.overruled):
            self._repeats.program(attempt.id, briefing.read_code(attempt, self._parts.blobs))

    def _resume_point(self) -> Move:
        session, attempt = self._session, self._session.attempt
        if session.edit:
            return "edit"
        if not session.survey and attempt is None:
            return "survey"
        if attempt is None or not attempt.code or attempt.refused or attempt.overruled:
            return "survey" if session.looks_again else "write"
        if not attempt.result:
            return "ask-run"
        if attempt.verdict is None or attempt.disputed == "unchanged":
            return "judge"
        return "write" if session.hint and self._parts.programmer.author != "rules" else "decide"

    async def _survey(self) -> Move | Outcome:
        await self._phase(Phase.SURVEYING, "survey")
        await self._advising.read()
        started, parts = time.monotonic(), self._parts
        survey = await self._gate.step(
            "survey", lambda: parts.surveyor.survey(self._session.reading, parts.web.fetch, self._journal.tick)
        )
        failure = classify(None, survey, parts.web.pages()) if survey.verdict != "ok" else None
        if failure and self._attended() and (await self._hosts.ask() or await self._hosts.ask_login(failure)):
            return "survey"  # the address leads to another site, the page gets its data from one, or asks for a login
        blob = await asyncio.to_thread(parts.blobs.put, to_json(survey))
        await self._journal.append_to_current(
            ev.Surveyed(
                url=survey.pages[0].url if survey.pages else "",
                survey=blob,
                summary=summaries.survey_lines(survey),
                records=survey.groups[0].count if survey.groups else 0,
                seconds=time.monotonic() - started,
            )
        )
        given = await asyncio.to_thread(briefing.read_program, self._session, parts.blobs)
        if failure and not (given and survey.verdict in _MAY_STILL_RUN):
            return Outcome(failure.kind, failure.exit_code, failure.message, failure.advice)
        question = "the page was looked at; write the program?"
        answer = await self._gate.after_phase("survey", question if given else await self._questions.priced(question))
        if answer is not None:
            return await self._apply_answer(answer)
        if given and not self._session.attempts:
            return await self._new_attempt(Draft(code=given, author="person", diagnosis="the program you gave"))
        return "write"

    async def _write(self) -> Move | Outcome:
        if (spent := self.budget.spent()) is not None:
            return outcomes.budget_spent(*spent, no_program=self._no_program)
        for warning in self.budget.warnings():
            await self._journal.append_to_current(warning)
        await self._phase(Phase.WRITING, "write")
        overruled = self._session.attempt is not None and self._session.attempt.overruled
        if (answer := await self._questions.ask()) is not None:
            return answer if answer == "survey" else await self._apply_answer(answer)
        if overruled and self._session.attempt is not None and not self._session.attempt.overruled:
            return self._resume_point()  # the answer was the same again
        if (answer := await self._writing.instead_of_stopped()) is not None:
            return await self._apply_answer(answer)
        started = time.monotonic()
        try:
            draft = await self._gate.step("write", self._ask_programmer, self._writing.keep_stopped)
        except WritingInterrupted:
            return "write"
        except NoIdea as error:
            return await self._give_up(str(error), "give a hint or edit the program")
        except BadReply as error:
            await self._writing.unused(error, str(error))
            self._no_program = str(error)
            await self._journal.note(f"no program came back: {error}", "warning")
            if self._writing.partial and self._attended() and self.budget.spent() is None:  # it broke off
                return await self._apply_answer(await self._writing.instead(error))
            return "write"
        except ProgrammerUnavailable as error:
            return await self._apply_answer(await self._writing.instead(error))
        if draft.reading is not None:
            await self._writing.take_reading(draft.reading)
        if same := await asyncio.to_thread(disputes.given_back, self._session, draft, self._parts.blobs):
            await self._writing.unused(draft, "it is the program that was there, with findings contested")
            await self._dispute(same, draft, unchanged=True)
            return "judge"
        number = max(self._session.attempts, default=0) + 1
        if earlier := self._repeats.program(number, draft.code):
            await self._writing.unused(draft, f"it is the program of attempt {earlier}")
            if await self._switch_strategy(f"the programmer came back with the program of attempt {earlier}"):
                return "write"
            return await self._give_up(f"the programmer repeats the program of attempt {earlier}")
        return await self._new_attempt(draft, seconds=time.monotonic() - started)

    async def _edit(self) -> Move | Outcome:
        """The person's own program is the next attempt."""
        code = await asyncio.to_thread(briefing.read_edit, self._session, self._parts.blobs)
        return await self._new_attempt(Draft(code=code, author="person", diagnosis="edited by hand"))

    async def _ask_programmer(self) -> Draft:
        return await self._writing.write(await self._brief())

    async def _brief(self) -> Brief:
        return await asyncio.to_thread(
            briefing.make_brief, self._session, self._parts.blobs, self._parts.web.pages(), strategy=self._strategy,
            forget=self._forget, blank=self._options.blank,
        )  # fmt: skip

    async def _new_attempt(self, draft: Draft, *, seconds: float = 0.0) -> Move | Outcome:
        """Records a program as a new attempt and checks it. A person's own program runs without being asked about."""
        parts, parent = self._parts, self._session.attempt
        if parent is not None and not parent.code:  # cut off before its program was stored
            parent = self._session.attempts.get(parent.parent)
        old = await asyncio.to_thread(briefing.read_code, parent, parts.blobs) if parent else ""
        number = max(self._session.attempts, default=0) + 1
        by: Author = draft.author
        self._forget, self._no_program = 0, ""
        self.budget.spend(attempts=1, tokens=draft.tokens, money=draft.cost)
        self._repeats.program(number, draft.code)
        if self._session.phase is not Phase.WRITING:
            await self._phase(Phase.WRITING, "write")
        await self._journal.append(ev.AttemptStarted(attempt=number, parent=parent.id if parent else 0, author=by))
        blobs = parts.blobs
        await self._journal.append(await asyncio.to_thread(recording.code_written, number, draft, old, seconds, blobs))
        if draft.disputes:
            await self._dispute(number, draft)
        checked = parts.checker.check(draft.code, mend=by != "person")  # theirs runs as they see it, or not at all
        fixed = await self._put(checked.code) if checked.code != draft.code else ""
        await self._journal.append(
            ev.CodeChecked(
                attempt=number, ok=not checked.problems, fixes=summaries.fit_in_event(checked.fixes, share=4),
                problems=summaries.fit_in_event(checked.problems), line=checked.line, code=fixed, fails=checked.fails,
            )
        )  # fmt: skip
        return "run" if by == "person" and not checked.fails else "ask-run"

    async def _dispute(self, number: int, draft: Draft, *, unchanged: bool = False) -> None:
        contested = summaries.fit_disputes(draft.disputes)
        await self._journal.append(ev.Disputed(attempt=number, disputes=contested, unchanged=unchanged))

    async def _ask_run(self) -> Move | Outcome:
        """One that can't work goes back to its author without a run; a person's own runs if they say so."""
        attempt, asks = self._current_attempt(), self._gate.wants_approval()
        if attempt.fails and attempt.author != "person":
            if not asks:
                return "write"
            question = await self._questions.priced(summaries.cannot_work(attempt))
            return await self._apply_answer(
                await self._gate.approve("retry", question, answers.RETRY_CHOICES, step="write")
            )
        if not asks and not (attempt.fails and self._attended()):
            return "run"
        question = summaries.run_question(attempt)
        answer = await self._gate.approve("run", question, answers.RUN_CHOICES, step="run", code=attempt.code)
        if answer.kind == "refuse":
            return await self._instead(_REFUSED.format(attempt.id))
        return "run" if answer.kind == "go" else await self._apply_answer(answer)

    async def _run(self) -> Move | Outcome:
        attempt = self._current_attempt()
        await self._phase(Phase.RUNNING, "run")
        try:
            ran = await self._gate.step("run", lambda: self._run_once(attempt))
        finally:
            self._hosts.run_finished()
        result = msgspec.structs.replace(ran.result, requests=self._requests.of(attempt.id))
        blob = await asyncio.to_thread(briefing.keep_run, ran, result, self._parts.blobs)
        await self._journal.append_to_current(
            ev.RunFinished(
                result=blob, status=result.status, exit_code=result.exit_code, signal=result.signal, line=result.where,
                exception=summaries.brief_exception(result), seconds=result.seconds,
                artifacts=summaries.fit_in_event(a.name for a in result.artifacts),
            )
        )  # fmt: skip
        answer = await self._gate.after_phase("run", f"attempt {attempt.id} ran; judge the rows?")
        return "judge" if answer is None else await self._apply_answer(answer)

    async def _run_once(self, attempt: AttemptState) -> Ran:
        parts = self._parts
        if self._spare is not None:
            await asyncio.wait({self._spare})
        self._requests.begin(attempt.id)
        await self._journal.append_to_current(ev.RunStarted(sandbox=parts.sandbox.name))
        code = await asyncio.to_thread(briefing.read_code, attempt, parts.blobs)
        job = Job(code=code, recorder=self._options.recorder, ca=parts.web.ca, limits=self._options.limits)

        def report(tick: ev.AnyTick) -> None:
            self._journal.tick(msgspec.structs.replace(tick, attempt=attempt.id))

        return await parts.sandbox.run(job, parts.web.connect(attempt.id), report)

    async def _judge(self) -> Move | Outcome:
        attempt, parts = self._current_attempt(), self._parts
        await self._phase(Phase.JUDGING, "judge")
        case = await asyncio.to_thread(briefing.make_case, self._session, attempt, parts.blobs, parts.web.pages())
        case = await self._reviews.added_to(case, attempt.id)
        verdict = await self._gate.step("judge", lambda: asyncio.to_thread(parts.critic.judge, case))
        await self._journal.append_to_current(ev.Judged(verdict=summaries.fit_verdict(verdict)))
        return "decide"

    async def _decide(self) -> Move | Outcome:
        attempt, parts = self._current_attempt(), self._parts
        verdict = attempt.verdict
        assert verdict is not None
        if verdict.ok:
            return outcomes.success("; ".join(f.message for f in verdict.findings if f.code == "page-failed"))
        if await self._hosts.ask():
            return "run"
        result = await asyncio.to_thread(briefing.read_result, attempt, parts.blobs)
        survey = await asyncio.to_thread(briefing.read_survey, self._session, parts.blobs)
        usable = survey if survey is not None and survey.verdict == "ok" else None
        failure = classify(result, usable, parts.web.pages(), verdict)
        if await self._hosts.ask_login(failure):
            return "run"
        if not failure.repairable:
            return Outcome(failure.kind, failure.exit_code, failure.message, failure.advice)
        if verdict.doubtful and attempt.ended_well:
            end, question = outcomes.doubtful(summaries.doubts(verdict)), summaries.failure_question(attempt)
            return await self._end_or_ask(end, question)
        unjudged = verdict.failure if failure.kind == "rows" else ""  # no program can mend a defect of the judge
        if unjudged and not self._gate.wants_approval():
            return outcomes.unjudged(unjudged)
        if not unjudged and await asyncio.to_thread(disputes.nothing_new, self._session, attempt, parts.blobs):
            sides = summaries.both_sides(verdict, self._session.disputes, parts.programmer.author)
            return await self._end_or_ask(outcomes.disputed(sides), f"attempt {attempt.id}: {sides}; who is right?")
        if self._gate.wants_approval():
            choices = answers.UNJUDGED_CHOICES if unjudged else answers.RETRY_CHOICES
            question = await self._questions.priced(summaries.failure_question(attempt))
            answer = await self._gate.approve("retry", question, choices, step="write")
            if answer.kind != "go":
                return await self._apply_answer(answer)
        if (spent := self.budget.spent()) is not None:
            return outcomes.budget_spent(*spent)
        if (attempt.id, attempt.runs) in self._weighed:  # gone back to by the person: no failure that came again
            return "write"
        self._weighed.add((attempt.id, attempt.runs))
        if result is not None and self._repeats.failure(signature(result, verdict)):
            if not await self._switch_strategy("the same failure came again"):
                return await self._give_up("the same failure came again")
        elif attempt.status == "ok" and self._repeats.no_gain(verdict.score):
            return await self._give_up("two repairs in a row gained nothing")
        return "write"

    async def _apply_answer(self, answer: Answer) -> Move | Outcome:
        """What a person's answer leads to."""
        attempt = self._session.attempt
        match answer.kind:
            case "edit":
                return "edit"
            case "accept" if attempt is not None and attempt.verdict is not None:
                await self._journal.append_to_current(ev.Judged(verdict=attempt.verdict, accepted=True))
                return outcomes.accepted()
            case "retry":
                self._strategy += 1
                self._forget = self._session.current
                return "write"
            case "rewind":
                return self._resume_point()
            case "hint":
                return await self._take_hint(answer.text)
            case "refuse" | "go":
                return "write"
            case _:
                raise Stopped

    async def _take_hint(self, hint: str) -> Move | Outcome:
        """What is not understood costs no attempt: it goes on from where it was asked."""
        known, attempt = self._session.corrections, self._session.attempt
        if not await self._questions.take_hint(hint):
            refused = attempt is not None and attempt.refused
            return await self._instead(_REFUSED.format(self._session.current)) if refused else self._resume_point()
        if self._session.corrections != known:
            self._count_anew()
        return "survey" if self._session.looks_again else "write"

    async def _instead(self, question: str) -> Move | Outcome:
        return await self._apply_answer(await self._gate.ask("retry", question, answers.INSTEAD_CHOICES, step="write"))

    async def _give_up(self, why: str, advice: str = "") -> Move | Outcome:
        """By itself the loop ends here; a person who is asked about each program may know another way."""
        if not self._gate.wants_approval():
            return outcomes.unrepaired(why, advice or _STUCK)
        return await self._instead(f"{why}; what instead?")

    async def _end_or_ask(self, end: Outcome, question: str) -> Move | Outcome:
        """Where no other program helps: what was not understood or is contested, a person who is asked can decide."""
        if not self._gate.wants_approval():
            return end
        return await self._apply_answer(await self._gate.ask("retry", question, answers.DOUBT_CHOICES, step="write"))

    async def _switch_strategy(self, why: str) -> bool:
        """Asks the programmer for another way, once in a session."""
        if self._switched:
            return False
        self._switched = True
        self._strategy += 1
        await self._journal.note(f"{why}: trying another way")
        return True

    # Small things.

    def _attended(self) -> bool:
        return self._options.attended and not self._gate.left

    _moves: Mapping[Move, Callable[[RepairLoop], Awaitable[Move | Outcome]]] = {
        "survey": _survey, "write": _write, "edit": _edit, "ask-run": _ask_run, "run": _run, "judge": _judge,
        "decide": _decide,
    }  # fmt: skip

    def _current_attempt(self) -> AttemptState:
        attempt = self._session.attempt
        assert attempt is not None, "there is a program before it is run or judged"
        return attempt

    async def _phase(self, phase: Phase, step: ev.Step) -> None:
        await self._journal.append_to_current(ev.PhaseChanged(phase=phase, step=step))

    async def _put(self, text: str) -> str:
        return await asyncio.to_thread(put_text, self._parts.blobs, text)


REASON_AT_MOST = 2_000
"""Characters of why a session ended; a server's own message may be of any length."""
SPENT_AT_MOST = 100
"""Entries of what models took: more than the attempts of any session, and small enough for an event."""
_REFUSED = "attempt {} is not run; what instead?"
_STUCK = "give a hint or edit the program, or try another programmer"
_MAY_STILL_RUN = frozenset({"not-html", "javascript", "empty"})
