"""How a session can end, with the exit code that goes with it."""

from __future__ import annotations

import msgspec

from scrapewright.loop.ports import ProgrammerUnavailable
from scrapewright.session.events import Phase
from scrapewright.session.exits import Exit


class Ending(msgspec.Struct, frozen=True):
    """Why the loop stops. `reason` is a sentence, `advice` what the person can do."""

    outcome: str
    exit_code: int
    reason: str = ""
    advice: str = ""
    phase: Phase = Phase.FAILED


def success(reason: str = "") -> Ending:
    return Ending("success", Exit.OK, reason, phase=Phase.FINISHED)


def accepted() -> Ending:
    return Ending("accepted", Exit.OK, "you accepted the rows", phase=Phase.FINISHED)


def unrepaired(reason: str, advice: str = "") -> Ending:
    return Ending("unrepaired", Exit.UNREPAIRED, reason, advice)


def budget_spent(what: str, used: float, limit: float, *, no_program: str = "") -> Ending:
    """`no_program`: why the programmer's last reply held none, where it was its replies that spent the budget."""
    unit = {"time": f"{limit:g} s", "money": f"${limit:.2f}"}.get(what, f"{limit:g} {what}")
    option = {"attempts": "--attempts", "tokens": "--tokens"}.get(what, "")
    advice = f"raise {option}, or give a hint in the workbench" if option else "raise the limit in the settings"
    reason = f"the budget of {unit} is spent"
    if no_program:
        return Ending("budget", Exit.BUDGET, f"{reason}; no program came back: {no_program}", _OTHER_PROGRAMMER)
    return Ending("budget", Exit.BUDGET, reason, advice)


def retry_later(reason: str, advice: str = "try again later") -> Ending:
    return Ending("retry-later", Exit.RETRY_LATER, reason, advice)


def no_programmer(error: ProgrammerUnavailable) -> Ending:
    outcome = {Exit.RETRY_LATER: "retry-later", Exit.USAGE: "configuration"}.get(error.exit_code, "unrepaired")
    return Ending(outcome, error.exit_code, str(error), error.advice)


def undelivered(ending: Ending, error: Exception, session: str) -> Ending:
    """The same end, with results that could not be written."""
    why = f"the result could not be written: {error}"
    return msgspec.structs.replace(
        ending,
        exit_code=ending.exit_code or Exit.USAGE,
        reason=f"{ending.reason}; {why}" if ending.reason else why,
        advice=f"make room or name another folder; the session keeps it: `scrapewright replay {session}` saves it",
    )


def stopped() -> Ending:
    return Ending("stopped", Exit.INTERRUPTED, "stopped", phase=Phase.STOPPED)


def broken(error: BaseException) -> Ending:
    reason = f"scrapewright itself failed: {type(error).__name__}: {error}"
    return Ending("broken", Exit.UNREPAIRED, reason, "this is a defect; the session is kept, please report it")


_OTHER_PROGRAMMER = "try another model (OPENAI_MODEL), or --programmer rules"
