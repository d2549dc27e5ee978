"""The README's key table, made from the bindings. A test holds the two together."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from textual.app import App
from textual.binding import Binding

from scrapewright.tui.keymap import Known, known_bindings

README = Path(__file__).resolve().parents[2] / "README.md"
BEGIN, END = "<!-- keys: made from the bindings -->", "<!-- end of the keys -->"
GROUPS: tuple[tuple[str, Callable[[Known], bool]], ...] = (
    ("an answer, while something is asked", lambda known: known.id.startswith(("answer-", "option-"))),
    ("the session", lambda known: known.owner.__name__ == "WorkbenchScreen"),
    ("the panes", lambda known: known.owner.__name__ in {"SessionScreen", "Pane", "TabbedPane"}),
    ("the code", lambda known: known.owner.__name__ == "CodePane"),
    (
        "query, trace, output, attempts",
        lambda known: known.owner.__name__ in {"QueryPane", "TracePane", "OutputPane", "AttemptsPane"},
    ),
    ("the page and its bench", lambda known: known.owner.__name__ in {"PagePane", "SelectorBench"}),
    ("Home", lambda known: known.owner.__name__ in {"HomeScreen", "SessionList", "ReadingBox", "Form"}),
    ("a replay", lambda known: known.owner.__name__ == "ReplayScreen"),
    ("everywhere", lambda known: issubclass(known.owner, App)),
)
_LEFT_OUT = re.compile(
    r"(pane-(?!query)|option-[2-8]$|.*-mark-before$|search-end|.*-search-end$|interrupt$|.*-leave$|attempts-follow$|bench-scope-before$)"
)
_NAMES = {
    "slash": "/", "comma": ",", "full_stop": ".", "question_mark": "?", "left_square_bracket": "[", "plus": "+",
    "left_curly_bracket": "{", "right_curly_bracket": "}", "left": "←", "right": "→", "up": "↑", "down": "↓",
    "right_square_bracket": "]", "escape": "esc", "equals_sign": "=", "minus": "-", "delete": "del",
}  # fmt: skip


_NUMBERED = {"pane-query": ("1…6", "a pane"), "option-1": ("1…8", "an option"), "option-mark": ("↑↓", "mark one")}
"""Commands of which one stands for all, with their keys and what they do."""


def key_name(key: str) -> str:
    """A key as it is written on a keyboard."""
    *before, last = key.split("+")
    return "+".join([*before, _NAMES.get(last, last)])


def table() -> str:
    """One row a group: `key` what it does."""
    import scrapewright.tui.app
    import scrapewright.tui.screens.replay
    import scrapewright.tui.screens.workbench  # noqa: F401  # the bindings are those of what is loaded

    rows = ["| where | keys |", "|---|---|"]
    listed: set[tuple[str, str]] = set()
    known = [one for one in known_bindings() if one.description and not _LEFT_OUT.match(one.id)]
    for title, belongs in GROUPS:
        said = []
        for one in known:
            if (one.id, one.action) in listed or not belongs(one):
                continue
            listed.add((one.id, one.action))
            keys = " ".join(f"`{key_name(key)}`" for key in _keys(one))
            said.append(f"{keys} {_word(one)}")
        rows.append(f"| {title} | {' · '.join(said)} |")
    return "\n".join(rows)


def _keys(known: Known) -> list[str]:
    made = Binding.make_bindings([Binding(",".join(known.keys), "", "")])
    keys = [binding.key for binding in made]
    return list(_NUMBERED[known.id][0]) if known.id in _NUMBERED else keys


def _word(known: Known) -> str:
    return _NUMBERED[known.id][1] if known.id in _NUMBERED else known.description[0].lower() + known.description[1:]


def put_in(text: str) -> str:
    """The README with the table as it is now. Raises ValueError where the markers are not there."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{README.name} has no {BEGIN} … {END}")
    return f"{before}{begin}\n{table()}\n{end}{after}"
