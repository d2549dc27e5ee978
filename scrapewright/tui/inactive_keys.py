"""Says why a key does nothing now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from scrapewright.tui.keymap import Known, keys_of

IN_A_PANE: Mapping[str, str] = {
    "search": "there is nothing to search here",
    "search-next": "nothing is looked for; / begins a search",
    "search-before": "nothing is looked for; / begins a search",
    "edit-submit": "nothing is being edited; e starts an edit",
    "edit-discard": "there is no edit that was left",
    "output-file": "there is no other file, or it is not shown here",
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
    told: dict[str, None] = {}
    for command in known:
        if command.description and key in keys_of(command, keymap) and (reason := hindrance(command)):
            told[f"{command.description}: {reason}"] = None
    return list(told)
