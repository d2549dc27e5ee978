"""The model programmer: a prompt, a streamed reply, a whole program."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, get_args

from scrapewright.loop.ports import BadReply, Brief, Draft, Report, Said
from scrapewright.programmers.model.completion import Prompt
from scrapewright.programmers.model.endpoint import Endpoint
from scrapewright.programmers.model.prompt import messages, numbered
from scrapewright.programmers.model.reply import Contested, ProgramStream, read_reply, reply_schema
from scrapewright.programmers.model.texts import Texts
from scrapewright.query.reading import BadReading, Part, from_builtins
from scrapewright.session.events import CodeStreamed
from scrapewright.session.questions import Decision, Question
from scrapewright.session.result import Author
from scrapewright.session.verdict import Dispute, Finding, with_disputes
from scrapewright.settings import ModelSpec


class ModelProgrammer:
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

    async def question(self, brief: Brief) -> Question | None:
        """None: the model goes by the request's own words."""
        return None

    def understand(self, decision: Decision, brief: Brief) -> str:
        """Empty: the decision goes to the model as it was typed."""
        return ""

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
        return Draft(
            code=reply.program,
            diagnosis=reply.diagnosis,
            author="model",
            tokens=done.tokens,
            cost=cost,
            model=self.model,
            reading=_reading(reply.reading, brief.reading.text) if not brief.attempts else None,
            disputes=_disputes(reply.disputes, numbered(brief)),
            prompt=prompt.stored,
        )


def _disputes(contested: Sequence[Contested], findings: Sequence[Finding]) -> tuple[Dispute, ...]:
    """Those of findings that the prompt told of, one of each."""
    named = [(findings[c.finding - 1], c) for c in contested if 1 <= c.finding <= len(findings)]
    return with_disputes((), (Dispute(f.code, f.column, c.reason, c.evidence) for f, c in named))


def _reading(raw: Any, text: str) -> Said | None:
    """The model's reading; None where it gave none or one that can't be used: what was read before it stands."""
    if not isinstance(raw, dict):
        return None
    known = {key: value for key, value in raw.items() if key in get_args(Part) or key == "doubtful"}
    known.pop("urls", None)  # where to start is the person's to say
    try:
        reading, parts = from_builtins(known, text)
    except BadReading:
        return None
    return Said(reading, parts) if reading.columns else None
