"""The model programmer: a prompt, a streamed reply, a whole program."""

from __future__ import annotations

import asyncio

from scrapewright.loop.ports import BadReply, Brief, Draft, Report
from scrapewright.programmers.model.completion import Prompt
from scrapewright.programmers.model.draft import PromptReader, to_draft
from scrapewright.programmers.model.endpoint import Endpoint
from scrapewright.programmers.model.prompt import messages
from scrapewright.programmers.model.reply import ProgramStream, read_reply, reply_schema
from scrapewright.programmers.model.texts import Texts
from scrapewright.session.events import CodeStreamed
from scrapewright.session.result import Author
from scrapewright.settings import ModelSpec


class ModelProgrammer(PromptReader):
    """Implements loop.ports.Programmer for any model that an Endpoint can ask."""

    def __init__(self, spec: ModelSpec, texts: Texts | None = None) -> None:
        """With the shipped texts if none are given. Raises UsageError where a package is missing."""
        self._endpoint = Endpoint(spec)
        self._texts = texts

    @property
    def author(self) -> Author:
        return "model"

    @property
    def model(self) -> str:
        return self._endpoint.model

    async def write(self, brief: Brief, report: Report) -> Draft:
        """A first program or a repaired one. A reply without a program loosens the next reply format.

        Raises ProgrammerUnavailable, BadReply.
        """
        chat = await asyncio.to_thread(messages, brief, self._endpoint.reply_format, self._texts)
        system, user = (message["content"] for message in chat)
        prompt = Prompt(system, user, reply_schema(not brief.attempts))
        stream = ProgramStream()

        def on_text(piece: str) -> None:
            if text := stream.feed(piece):
                report(CodeStreamed(attempt=brief.attempt, text=text))

        try:
            done = await self._endpoint.complete(prompt, on_text)
        finally:
            await self._endpoint.close()
        cost = self._endpoint.cost(done)
        try:
            reply = read_reply(done.text, finish=done.finish, refusal=done.refusal)
        except BadReply as error:
            if done.text.strip() and done.finish == "stop":
                self._endpoint.loosen_format()
            raise BadReply(str(error), tokens=done.tokens, cost=cost) from error
        return to_draft(
            reply, brief, author="model", model=self.model, tokens=done.tokens, cost=cost, prompt=prompt.stored
        )
