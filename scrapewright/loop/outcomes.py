"""How a session can end, with its exit code."""

from __future__ import annotations

import msgspec

from scrapewright.errors import UnfitRows
from scrapewright.loop.ports import ProgrammerUnavailable
from scrapewright.session.events import Phase
from scrapewright.session.exit_codes import ExitCode


class Outcome(msgspec.Struct, frozen=True):
    """Why the loop stops. `reason` is a sentence, `advice` what the person can do."""

    name: str
    exit_code: int
    reason: str = ""
    advice: str = ""
    phase: Phase = Phase.FAILED


def success(reason: str = "") -> Outcome:
    return Outcome("success", ExitCode.OK, reason, phase=Phase.FINISHED)


def accepted() -> Outcome:
    return Outcome("accepted", ExitCode.OK, "you accepted the rows", phase=Phase.FINISHED)


def unrepaired(reason: str, advice: str = "") -> Outcome:
    return Outcome("unrepaired", ExitCode.UNREPAIRED, reason, advice)


def unjudged(reason: str) -> Outcome:
    advice = "look at the rows yourself; this is a defect, please report it"
    return Outcome("unjudged", ExitCode.UNREPAIRED, reason, advice)


def budget_spent(what: str, used: float, limit: float, *, no_program: str = "") -> Outcome:
    """`no_program`: why the programmer's last reply held none, where it was its replies that spent the budget."""
    unit = {"time": f"{limit:g} s", "money": f"${limit:.2f}"}.get(what, f"{limit:g} {what}")
    option = {"attempts": "--attempts", "tokens": "--tokens", "money": "--max-cost"}.get(what, "")
    advice = f"raise {option}, or give a hint" if option else "raise the limit in the settings"
    reason = f"the budget of {unit} is spent"
    if no_program:
        return Outcome("budget", ExitCode.BUDGET, f"{reason}; no program came back: {no_program}", _OTHER_PROGRAMMER)
    return Outcome("budget", ExitCode.BUDGET, reason, advice)


def retry_later(reason: str, advice: str = "try again later") -> Outcome:
    return Outcome("retry-later", ExitCode.RETRY_LATER, reason, advice)


def no_programmer(error: ProgrammerUnavailable) -> Outcome:
    name = {ExitCode.RETRY_LATER: "retry-later", ExitCode.USAGE: "configuration"}.get(error.exit_code, "unrepaired")
    return Outcome(name, error.exit_code, str(error), error.advice)


def undelivered(outcome: Outcome, error: Exception, session: str) -> Outcome:
    """The same end, with results that could not be written."""
    why = f"the result could not be written: {error}"
    advice = error.advice if isinstance(error, UnfitRows) else "make room or name another folder"
    return msgspec.structs.replace(
        outcome,
        exit_code=outcome.exit_code or ExitCode.USAGE,
        reason=f"{outcome.reason}; {why}" if outcome.reason else why,
        advice=f"{advice}; the session keeps it: `scrapewright replay {session}` saves it",
    )


def stopped(reason: str = "") -> Outcome:
    return Outcome("stopped", ExitCode.INTERRUPTED, reason or "stopped", phase=Phase.STOPPED)


def doubtful(reason: str) -> Outcome:
    """Nothing is known to be wrong with the rows, but what was wanted is not known either."""
    return unrepaired(reason, "say it in the request or with an option, or accept the rows")


def disputed(reason: str) -> Outcome:
    """The judge and the programmer disagree, and neither has anything new to say."""
    return unrepaired(reason, "look at the rows: accept them, or give a hint")


def with_remark(outcome: Outcome, remark: str) -> Outcome:
    """The same end, with a remark behind its reason."""
    return msgspec.structs.replace(outcome, reason=f"{outcome.reason}; {remark}" if outcome.reason else remark)


def broken(error: BaseException) -> Outcome:
    reason = f"scrapewright itself failed: {type(error).__name__}: {error}"
    return Outcome("broken", ExitCode.UNREPAIRED, reason, "this is a defect; the session is kept, please report it")


_OTHER_PROGRAMMER = "try another model (--model) or another programmer (--programmer)"
