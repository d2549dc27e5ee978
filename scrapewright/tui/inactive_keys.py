"""Says why a key does nothing now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from scrapewright.session.events import Asked, Phase
from scrapewright.session.state import Session
from scrapewright.tui.keymap import Known, keys_of

NO_ANSWER = "it is no answer to this question"
IN_A_PANE: Mapping[str, str] = {
    "search": "there is nothing to search here",
    "search-next": "nothing is looked for; / begins a search",
    "search-before": "nothing is looked for; / begins a search",
    "edit-submit": "nothing is being edited; e starts an edit",
    "edit-discard": "there is no edit that was left",
    "output-file": "there is no other file, or it is not shown here",
    "output-copy": "there are no rows here",
    "output-page": "there is no row here whose record could be shown",
    "page-bench": "no page is shown, or the bench is open already",
    "page-row": "no row of the output is looked up; v on a row in Output does that",
    "page-before": "there is no other page",
    "page-after": "there is no other page",
    "output-before": "all rows are shown",
    "output-after": "all rows are shown",
    "attempts-follow": "it is looked at already",
}
"""Why a pane's own key does nothing, by the binding's id. Where a pane's escape does nothing it pauses the session."""


def why_inactive(
    key: str, known: Iterable[Known], keymap: Mapping[str, str], hindrance: Callable[[Known], str]
) -> list[str]:
    """A sentence for each command that has the key: its name and what prevents it, from `hindrance`."""
    reasons: dict[str, None] = {}
    for command in known:
        if command.description and key in keys_of(command, keymap) and (reason := hindrance(command)):
            reasons[f"{command.description}: {reason}"] = None
    return list(reasons)


def why_not_now(
    action: str, parameters: tuple[object, ...], session: Session, question: Asked | None, *, editing: bool
) -> str:
    """Why a command does nothing in a session that runs; empty where it does something."""
    match action:
        case "answer" if question is None:
            return "nothing is asked now"
        case "answer":
            return "" if question is not None and parameters[0] in question.choices else NO_ANSWER
        case "pause" if question is not None:
            return "it waits for an answer, and nothing runs meanwhile"
        case "pause":
            return "it is paused already" if session.phase is Phase.PAUSED else ""
        case "resume":
            return "" if session.phase in {Phase.PAUSED, Phase.PAUSING} else "nothing is paused"
        case "edit" | "edit_outside" if session.attempt is None and not _asks_for_a_program(question):
            return "there is no program yet"
        case "edit" if editing:
            return "it is edited already"
        case "rewind" if not session.attempts:
            return "there is no attempt to go back to yet"
    return ""


def why_not_after(action: str, parameters: tuple[object, ...], session: Session, *, editing: bool) -> str | None:
    """The same in a session that is over; None where only one that runs takes the command."""
    match action:
        case "answer" if parameters[0] == "go":
            well = session.end is not None and session.end.exit_code == 0
            return "it ended well: correct it, or run it again" if well else ""
        case "edit" if editing:
            return "it is edited already"
        case "edit" | "edit_outside" | "rewind" if session.attempt is None:
            return "there is no program"
        case "hint" | "edit" | "edit_outside" | "rewind":
            return ""
    return None


def why_no_rewind(session: Session, target: int, question: Asked | None) -> str:
    """Why going back to attempt `target` would change nothing; empty where it does something. While the current one
    runs, or the next is written, that begins anew."""
    attempt = session.attempts.get(target)
    if attempt is None or target != session.current or attempt.refused:
        return ""
    if question is None and not session.over and session.phase not in {Phase.PAUSED, Phase.PAUSING}:
        return ""
    others = len(session.attempts) > 1
    how = "choose another one in the attempts pane first" if others else "there is no other one yet"
    return f"the session is at attempt {target} already; {how}"


def _asks_for_a_program(question: Asked | None) -> bool:
    return question is not None and question.kind == "programmer" and "edit" in question.choices
