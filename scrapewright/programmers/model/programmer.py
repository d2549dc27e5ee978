"""The model programmer: a prompt, a streamed reply, a whole program."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from scrapewright.loop.ports import Brief, Draft, LeastCost, Report
from scrapewright.programmers.model.accepted import ReplyFormat
from scrapewright.programmers.model.completion import Completion, Model, Prompt, answered
from scrapewright.programmers.model.draft import to_draft
from scrapewright.programmers.model.prompt import messages
from scrapewright.programmers.model.reply import ProgramStream, Reply, read_reply, reply_schema
from scrapewright.programmers.model.texts import Texts
from scrapewright.programmers.without_questions import PromptReader
from scrapewright.session.events import CodeStreamed
from scrapewright.session.result import Author


class ModelProgrammer(PromptReader):
    """Implements loop.ports.Programmer for models: the first writes until a reply of it falls short, then the next."""

    def __init__(self, models: Sequence[Model], texts: Texts | None = None, conventions: str = "") -> None:
        """With the shipped texts if none are given. `conventions` are the person's own, for all programs."""
        self._models = models
        self._texts = texts
        self._conventions = conventions

    @property
    def author(self) -> Author:
        return "model"

    def _asked(self, brief: Brief) -> tuple[Model, Prompt]:
        """The model whose turn it is, among those whose context holds the prompt."""
        formats = dict.fromkeys(model.reply_format for model in self._models)
        prompts = {reply_format: self._prompt(brief, reply_format) for reply_format in formats}
        asked = [(model, prompts[model.reply_format]) for model in self._models]
        holding = [(model, prompt) for model, prompt in asked if model.holds(prompt)] or asked
        return holding[min(brief.fell_short, len(holding) - 1)]

    def _prompt(self, brief: Brief, reply_format: ReplyFormat) -> Prompt:
        chat = messages(brief, reply_format, self._texts, self._conventions)
        system, user = (message["content"] for message in chat)
        return Prompt(system, user, reply_schema(not brief.attempts))

    def least_cost(self, brief: Brief) -> LeastCost | None:
        model, prompt = self._asked(brief)
        return model.least_cost(prompt)

    async def write(self, brief: Brief, report: Report) -> Draft:
        """A first program or a repaired one. A reply without a program loosens the next reply format.

        Raises ProgrammerUnavailable, BadReply.
        """
        model, prompt = await asyncio.to_thread(self._asked, brief)
        stream = ProgramStream()

        def on_text(piece: str) -> None:
            if text := stream.feed(piece):
                report(CodeStreamed(attempt=brief.attempt, text=text))

        reply, done = await answered(model, prompt, _read, on_text)
        return to_draft(
            reply, brief, author="model", model=model.model, tokens=done.tokens, cost=model.cost(done),
            prompt=prompt.stored, answer=done.text, kept=done.kept,
        )  # fmt: skip


def _read(done: Completion) -> Reply:
    return read_reply(done.text, finish=done.finish, refusal=done.refusal)
