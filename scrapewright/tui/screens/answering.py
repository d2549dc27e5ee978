"""How a person answers what a session asks, and steps in without being asked: edits, hints, rewinds."""

from __future__ import annotations

from functools import partial

from textual import events, on

from scrapewright.loop.answers import Answer
from scrapewright.session import events as ev
from scrapewright.session.events import AnswerKind
from scrapewright.tui.inactive_keys import why_no_rewind
from scrapewright.tui.panes.attempts import AttemptsPane
from scrapewright.tui.panes.code import CodePane
from scrapewright.tui.screens.confirm import ask_to_accept
from scrapewright.tui.screens.correcting import CorrectingScreen
from scrapewright.tui.view_state import ViewState
from scrapewright.tui.widgets.focus import focus_now, takes_letters
from scrapewright.tui.widgets.questionbar import QuestionBar


class AnsweringScreen(CorrectingScreen):
    """What is typed as a question comes is no answer to it."""

    def _answer_keys(self) -> dict[str, str]:
        """The key of each answer that one gives, as it is bound now."""
        found: dict[str, str] = {}
        for active in self.active_bindings.values():
            name = active.binding.id or ""
            if name.startswith("answer-"):
                found.setdefault(name.removeprefix("answer-"), self.app.get_key_display(active.binding))
        return found

    @property
    def _editing(self) -> bool:
        return self.query_one(CodePane).editing

    @property
    def _question(self) -> ev.Asked | None:
        """What is asked, where an answer is waited for."""
        handle = self.handle
        return handle.journal.session.question if handle is not None and handle.gate.asks else None

    def action_answer(self, kind: AnswerKind) -> None:
        question = self.query_one(QuestionBar).question
        if kind == "say":
            if not self._too_soon():
                self.query_one(QuestionBar).ask_hint(answers=True)
            return
        if kind == "go" and self.ended is not None:
            self.go_on("Go on", Answer("go"))
            return
        if question is None or self._too_soon():
            return
        session = self.handle.journal.session if self.handle is not None else None
        if kind == "accept" and session is not None and session.attempt is not None:
            self.app.push_screen(ask_to_accept(session.attempt), partial(self._answer, question, Answer(kind)))
        else:
            self._answer(question, Answer(kind))

    def _answer(self, question: ev.Asked, answer: Answer, sure: bool | None = True) -> None:
        if sure and self.handle is not None:
            self.handle.gate.answer(question.seq, answer)

    def take_typed(self, event: events.Event) -> bool:
        """Text that is typed as a question comes is no answer to it: it goes into the line for a hint. Nothing is
        taken where no hint can be given; the question is new then until nobody types."""
        asked, text = self._question, event.character if isinstance(event, events.Key) and event.is_printable else ""
        if asked is None or not text or takes_letters(self.focused) or not self._is_new(asked):
            return False
        bar = self.query_one(QuestionBar)
        bar.show(asked)
        if "hint" in asked.choices:
            bar.ask_hint(text="" if text == self._answer_keys().get("hint") else text)
        else:
            bar.hold()
            self._too_soon()
        return True

    @on(QuestionBar.Chosen)
    def _chosen(self, event: QuestionBar.Chosen) -> None:
        question = self.query_one(QuestionBar).question
        if question is not None and not self._too_soon():
            self._answer(question, event.answer)

    def action_to_question(self) -> None:
        focus_now(self.query_one(QuestionBar))

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """One number means one thing: while the options have them, the panes show none."""
        self.number_panes(not isinstance(self.focused, QuestionBar))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "to_question":
            # Keys are asked about before the bar is there, too.
            return any(bar.choosing and self.focused is not bar for bar in self.query(QuestionBar))
        return super().check_action(action, parameters)

    def hindrance(self, action: str, parameters: tuple[object, ...]) -> str:
        if action == "pane" and isinstance(self.focused, QuestionBar) and self.focused.choosing:
            return "the numbers are those of the options now; tab leads to the panes"
        return super().hindrance(action, parameters)

    def action_edit(self) -> None:
        if self.view_state is not None and not self._too_soon():
            self.bring_front("code")
            self.query_one(CodePane).begin_edit(self._to_edit(self.view_state))

    def action_edit_outside(self) -> None:
        if self.view_state is not None and not self._too_soon():
            self.bring_front("code")
            self.query_one(CodePane).edit_outside(self._to_edit(self.view_state))

    def _to_edit(self, view_state: ViewState) -> str:
        """The program looked at; where its author has failed, what came of the next one."""
        asked = self._question
        return (view_state.streaming if asked is not None and asked.kind == "programmer" else "") or view_state.code()

    def action_hint(self) -> None:
        if not self._too_soon():
            self.query_one(QuestionBar).ask_hint()

    def action_rewind(self) -> None:
        """To the attempt under the cursor of the list, or the one looked at."""
        if self._too_soon() or self.view_state is None:
            return
        session = self.view_state.session
        target = self.query_one(AttemptsPane).highlighted or self.view_state.chosen or session.current
        if wrong := why_no_rewind(session, target, self._question):
            self.say(f"Rewind: {wrong}")
            return
        self.view_state.look_at(session.current)
        self.go_on("Rewind", Answer("rewind", target=target))

    def _is_new(self, asked: ev.Asked) -> bool:
        """It has only just come: who was typing has not seen it."""
        bar = self.query_one(QuestionBar)
        return not (bar.question is asked and bar.ready)

    def _too_soon(self) -> bool:
        asked = self._question
        soon = asked is not None and self._is_new(asked)
        if soon:
            self.say("this has only just been asked; press it again")
        return soon
