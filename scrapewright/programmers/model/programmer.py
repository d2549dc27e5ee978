"""The model programmer: a prompt, a streamed reply, a whole program."""

from __future__ import annotations

import asyncio

from scrapewright.loop.ports import BadReply, Brief, Draft, Report
from scrapewright.programmers.model.endpoint import Completion, Endpoint
from scrapewright.programmers.model.prompt import messages
from scrapewright.programmers.model.reply import ProgramStream, read_reply
from scrapewright.session.events import CodeStreamed
from scrapewright.session.result import Author
from scrapewright.settings import Model


class ModelProgrammer:
    """Implements loop.ports.Programmer for any endpoint that speaks OpenAI's chat protocol."""

    def __init__(self, settings: Model) -> None:
        self._settings = settings
        self._endpoint = Endpoint(settings)

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
        chat = await asyncio.to_thread(messages, brief, self._endpoint.reply_format)
        stream = ProgramStream()

        def on_text(piece: str) -> None:
            if text := stream.feed(piece):
                report(CodeStreamed(attempt=brief.attempt, text=text))

        try:
            done = await self._endpoint.complete(chat, on_text)
        finally:
            await self._endpoint.close()
        cost = self._cost(done)
        try:
            reply = read_reply(done.text, finish=done.finish, refusal=done.refusal)
        except BadReply as error:
            if done.text.strip() and done.finish == "stop":
                self._endpoint.loosen_format()
            raise BadReply(str(error), tokens=done.tokens, cost=cost) from error
        return Draft(
            code=reply.program,
            diagnosis=reply.diagnosis,
            author="model",
            tokens=done.tokens,
            cost=cost,
            model=self.model,
        )

    def _cost(self, done: Completion) -> float:
        """Dollars, from the prices in the settings."""
        s = self._settings
        return (done.input_tokens * s.input_price + done.output_tokens * s.output_price) / 1e6
