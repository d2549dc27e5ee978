"""The gate's open question, with the answers it takes. Text typed in its first half second is no answer to it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from scrapewright.loop.answers import TEXT_AT_MOST, Answer
from scrapewright.session import events as ev
from scrapewright.session.questions import NONE, OPTIONS_AT_MOST
from scrapewright.session.sanitize import one_line
from scrapewright.tui.view.options import option_lines
from scrapewright.tui.view.wrap import wrap_at_most
from scrapewright.tui.widgets.focus import focus_now, takes_letters
from scrapewright.tui.widgets.inputs import SafeInput
from scrapewright.tui.widgets.plain import Plain, Span

GRACE = 0.5
"""Seconds: a person who was typing does not approve by accident."""

KEYS: dict[str, str] = {
    "go": "a,ctrl+y", "edit": "e", "hint": "h", "refuse": "r,ctrl+n", "retry": "t,ctrl+l", "accept": "A,ctrl+a",
    "say": "=,f11", "rewind": "w", "stop": "Q", "iterate": "i,ctrl+e", "allow-once": "o,ctrl+u", "allow": "a,ctrl+y",
    "deny": "r,ctrl+n", "rules": "l",
}  # fmt: skip
"""The first is the one that is shown; a and r, and ctrl+y and ctrl+n, are yes and no to whatever is asked."""
WORDS: dict[str, str] = {
    "go": "go on", "edit": "edit", "hint": "hint", "refuse": "refuse", "retry": "try again",
    "accept": "accept rows", "rewind": "rewind", "stop": "stop",
    "iterate": "next iteration",
    "allow-once": "allow once", "allow": "allow", "deny": "deny",
    "choose": "choose", "say": "type it", "rules": "let the rules write it",
}  # fmt: skip
_MEANT: dict[tuple[str, str], str] = {
    ("run", "go"): "run it", ("retry", "go"): "repair it", ("phase", "go"): "next phase",
    ("host", "stop"): "stop the session", ("login", "go"): "go on without", ("login", "say"): "name the file",
    ("programmer", "go"): "try again", ("programmer", "edit"): "write it yourself",
}  # fmt: skip
"""What an answer comes to where the question is of that kind."""
PROMPT_AT_MOST = 400
HINT = "what should the programmer know?"
LINES = 7
"""Lines inside the bar, as its style says: what is asked leaves room for all answers to it."""


def meaning(kind: str, choice: str) -> str:
    """The answer in the words of the question."""
    return _MEANT.get((kind, choice), WORDS[choice])


PLACEHOLDERS = {
    "columns": "the columns, with commas: title, price (number), url",
    "group": "the heading above the records, a selector, or words of one record",
    "column": "a value as the page shows it, a selector, or words of its label",
    "condition": "words that only the records in question say",
    "phrase": "the same in other words: sorted by price, only where stock is yes, the first 20",
    "pages": "how many pages: all, or a number",
    "login": "the path of a file of cookies: cookies.txt, or JSON as extensions export it",
}
"""What can be typed in answer to a question with options."""


def first_keys() -> dict[str, str]:
    """The key of each answer that is shown, as it is shipped."""
    return {choice: keys.partition(",")[0] for choice, keys in KEYS.items()}


def laid_out(keys: Iterable[tuple[str, str]], width: int, color: str = "$warning") -> list[list[Span]]:
    """(key, word) pairs in as few lines as they take, none of them broken."""
    lines: list[list[Span]] = [[]]
    room = width
    for key, word in keys:
        spans: list[Span] = [(f" {key} ", f"bold reverse {color}"), (f" {word}  ", "")]
        cells = sum(cell_len(text) for text, _ in spans)
        if cells > room and lines[-1]:
            lines.append([])
            room = width
        lines[-1] += spans
        room -= cells
    return lines


class QuestionBar(Vertical):
    """Hidden while nothing is asked; then it has the question, or what can be done now that the session is over.

    Numbers, arrows and enter choose an option where the bar has the focus; elsewhere they are what they always are.
    `keys` gives the key that each choice has now, so that a remapped one is shown as it is; it lacks what no key gives.
    """

    DEFAULT_CSS = """
    QuestionBar {
        display: none; height: auto; max-height: 8; background: $panel; padding: 0 1;
        border-top: heavy $warning;
        &.open, &.hinting { display: block; }
        &.choosing { max-height: 90%; }
        &.choosing:focus { border-top: heavy $primary; }
        &.ended { border-top: heavy $success; }
        &.ended.bad { border-top: heavy $error; }
        Input, Input:focus { display: none; background: $surface; padding: 0; }
        &.hinting Input, &.hinting Input:focus { display: block; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave_hint", "No hint", id="hint-leave"),
        *(
            Binding(str(n), f"option({n})", f"Option {n}", show=False, id=f"option-{n}")
            for n in range(1, OPTIONS_AT_MOST + 1)
        ),
        Binding("0", "option(0)", "None of them", show=False, id="option-none"),
        Binding("enter", "marked", "The marked option", show=False, id="option-marked"),
        Binding("up", "mark(-1)", "Mark another option", show=False, id="option-mark-before"),
        Binding("down", "mark(1)", "Mark another option", show=False, id="option-mark"),
    ]

    class Hinted(Message):
        """What the person typed: for the programmer to know, or (`answers`) as the answer to the question."""

        def __init__(self, text: str, *, answers: bool = False) -> None:
            super().__init__()
            self.text = text
            self.answers = answers

    class Chosen(Message):
        """The person chose an option of the question, or none."""

        def __init__(self, answer: Answer) -> None:
            super().__init__()
            self.answer = answer

    def __init__(
        self, *, clock: Callable[[], float] = time.monotonic, keys: Callable[[], Mapping[str, str]] = first_keys,
        id: str | None = None,  # noqa: A002
    ) -> None:  # fmt: skip
        super().__init__(id=id)
        self._clock = clock
        self._keys = keys
        self._opened = 0.0
        self._back_to: Widget | None = None
        self._ending: tuple[list[Span], list[tuple[str, str]]] | None = None
        self._answering = False
        self._remark = ""
        self.question: ev.Asked | None = None
        self.marked = 0

    def compose(self) -> ComposeResult:
        yield Plain(id="question-text")
        yield SafeInput(
            placeholder=HINT, id="question-hint",
            compact=True, max_length=TEXT_AT_MOST, select_on_focus=False,
        )  # fmt: skip

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._keys_changed)

    def _keys_changed(self, screen: Screen[object]) -> None:
        """Where the focus has gone letters may be text, and no answers."""
        if self.is_attached and screen is self.screen and self.has_class("open"):
            self._draw()

    def show(self, question: ev.Asked | None) -> None:
        """The open question, or None."""
        if question is not None and (self.question is None or question.seq != self.question.seq):
            self._opened = self._clock()
        if self.question is not None and (question is None or question.seq != self.question.seq):
            self.action_leave_hint()
        if question is None or self.question is None or question.seq != self.question.seq:
            self.marked = 0
        if question is None and self.question is not None:
            self._remark = ""
        self.question = question
        if question is not None:
            self._ending = None
        self._draw()

    def tell(self, said: list[Span], keys: list[tuple[str, str]], *, good: bool) -> None:
        """How it ended, and what the keys do now."""
        self._ending = (said, keys)
        self.set_class(not good, "bad")
        self._draw()

    def remark(self, text: str) -> bool:
        """Says why nothing came of a hint, above the keys, until there is another one or the question is answered.
        False where nothing is asked and nothing has ended."""
        self._remark = text
        self._draw()
        return self.has_class("open")

    def untell(self) -> None:
        """It is over no more: it goes on, or a replay went back."""
        if self._ending is not None:
            self._ending, self._remark = None, ""
            self._draw()

    def _draw(self) -> None:
        asked, ending = self.question, self._ending
        self.set_class(asked is not None or ending is not None, "open")
        self.set_class(asked is None and ending is not None, "ended")
        self.set_class(asked is not None and bool(asked.options), "choosing")
        text = self.query_one(Plain)
        text.display = asked is not None or ending is not None
        width = max(20, self.screen.size.width - 2)  # its own is not known before it is shown, or is an older one
        if asked is not None:
            said, keys = [(one_line(asked.prompt, PROMPT_AT_MOST), "bold")], laid_out(self._answers(asked), width)
        elif ending is not None:
            said, keys = ending[0], laid_out(self.last_keys, width, "$primary")
        else:
            return
        hinting = self.has_class("hinting")
        remark = wrap_at_most([(self._remark, "$warning")], width, 3) if self._remark else []
        keys = [*remark, *keys]
        if asked is None or not asked.options:
            text.show([*wrap_at_most(said, width, LINES - len(keys) - hinting), *keys])
            return
        prompt = wrap_at_most(said, width, 2)
        room = max(len(asked.options), self.screen.size.height - 6 - len(keys) - len(prompt) - hinting)
        marked = None if self._elsewhere else self.marked
        text.show([*prompt, *option_lines(asked.options, width, room, marked=marked), *keys])

    # Choosing.

    @property
    def choosing(self) -> bool:
        """One of its options is asked for."""
        return self.question is not None and "choose" in self.question.choices

    @property
    def _chooses(self) -> bool:
        """Its keys choose now."""
        return self.choosing and self.screen.focused is self

    @property
    def _elsewhere(self) -> bool:
        """Its keys would choose, but another part has the focus. (A replay's never do.)"""
        return self.can_focus and self.screen.focused is not self

    def action_mark(self, step: int) -> None:
        """Marks the option `step` further on; it stops at both ends."""
        if self.question is not None and self.question.options:
            self.marked = max(0, min(len(self.question.options) - 1, self.marked + step))
            self._draw()

    def action_marked(self) -> None:
        """The best guess is taken as such: who has marked nothing may not have looked at the options."""
        if self.question is not None:
            option = self.question.options[self.marked].id if self.marked else ""
            self.post_message(self.Chosen(Answer("choose", option=option) if option else Answer("go")))

    def action_option(self, number: int) -> None:
        if self.question is not None:
            option = self.question.options[number - 1].id if number else NONE
            self.post_message(self.Chosen(Answer("choose", option=option)))

    def _answers(self, asked: ev.Asked) -> list[tuple[str, str]]:
        """The keys that answer now, with what each comes to: a letter is text while somebody types."""
        if self.has_class("hinting"):
            return (
                [("enter", "answer"), ("esc", "back")]
                if self._answering
                else [("enter", "send it"), ("esc", "no hint")]
            )
        options: list[tuple[str, str]] = []
        if "choose" in asked.choices:
            numbers = f"1-{len(asked.options)}" if len(asked.options) > 1 else "1"
            none = [] if asked.kind in ("pages", "columns") else [("0", "none of them")]
            options = [(numbers, "choose"), ("enter", "the marked one"), *none, ("tab", "the panes")]
            if self._elsewhere:
                options = [("esc", "choose one")]
        taken = {"choose", "go"} if "choose" in asked.choices else set()
        bound = self._keys()  # found once: it goes through all bindings
        keys = [(bound.get(choice, ""), meaning(asked.kind, choice)) for choice in asked.choices if choice not in taken]
        return self._pressable([*options, *keys])

    @property
    def last_keys(self) -> list[tuple[str, str]]:
        """The keys, with what they do, that are shown because the session is over."""
        return self._pressable(self._ending[1]) if self._ending is not None and self.question is None else []

    def _pressable(self, keys: list[tuple[str, str]]) -> list[tuple[str, str]]:
        typing = takes_letters(self.screen.focused)
        return [(key, word) for key, word in keys if key and not (typing and len(key) == 1)]

    def on_resize(self, event: events.Resize) -> None:
        self._draw()

    @property
    def ready(self) -> bool:
        """Something is asked, and the person has had time to see it."""
        return self.question is not None and self._clock() - self._opened >= GRACE

    def hold(self) -> None:
        """Somebody still types what was begun before the question came."""
        self._opened = self._clock()

    def ask_hint(self, *, answers: bool = False, text: str = "") -> None:
        """Opens the line to type in: a hint, or what `answers` the open question; `text` is typed already."""
        self._back_to = self.screen.focused
        self._answering, self._remark = answers, ""
        self.add_class("hinting")
        field = self.query_one(Input)
        asked = self.question if answers else None
        kind = "" if asked is None else "phrase" if asked.phrase else asked.kind
        field.placeholder = PLACEHOLDERS.get(kind, HINT)
        field.value = text
        field.cursor_position = len(text)
        focus_now(field)
        self._draw()

    def action_leave_hint(self) -> None:
        if not self.has_class("hinting"):
            return
        self.remove_class("hinting")
        self._draw()
        back, self._back_to = self._back_to, None
        if back is not None and back.focusable:
            self.screen.set_focus(back)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Escape is the session's where no hint is being typed."""
        match action:
            case "leave_hint":
                return self.has_class("hinting")
            case "option":
                options = self.question.options if self.question is not None else ()
                return self._chooses and int(str(parameters[0])) <= len(options)
            case "mark" | "marked":
                return self._chooses
        return super().check_action(action, parameters)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_leave_hint()
        if event.value.strip():
            self.post_message(self.Hinted(event.value.strip(), answers=self._answering))
