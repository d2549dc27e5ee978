"""What a model's or another programmer's reply becomes in the journal."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from scrapewright.loop import briefing, summaries
from scrapewright.loop.ports import BadReply, Draft, Reply
from scrapewright.session import events as ev
from scrapewright.session.journal import Blobs, put_text

E = TypeVar("E", bound=ev.ReplyEvent)


def code_written(number: int, draft: Draft, old: str, seconds: float, blobs: Blobs) -> ev.CodeWritten:
    """Of a whole program, `old` being its parent's. Stores blobs: call it off the event loop."""
    added, removed = briefing.changed_lines(old, draft.code) if old else (0, 0)
    written = ev.CodeWritten(
        attempt=number, author=draft.author, code=put_text(blobs, draft.code), lines=len(draft.code.splitlines()),
        diagnosis=draft.diagnosis[:4000], added=added, removed=removed, seconds=seconds,
    )  # fmt: skip
    return with_reply(written, draft, blobs)


def reply_unused(reply: Draft | BadReply, attempt: int, problem: str, blobs: Blobs) -> ev.ReplyUnused:
    """Of a model's reply that becomes no attempt; `attempt` is the current one. Stores blobs."""
    return with_reply(ev.ReplyUnused(attempt=attempt, problem=problem[: summaries.MESSAGE]), reply, blobs)


def with_reply(event: E, reply: Reply | BadReply, blobs: Blobs) -> E:
    """The event with what the reply took, and with what was asked and answered. Stores blobs."""
    return msgspec.structs.replace(
        event, model=reply.model or event.model, tokens=reply.tokens, cost=reply.cost,
        prompt=_put(reply.prompt, blobs), reply=_put(reply.reply, blobs), kept=reply.kept,
    )  # fmt: skip


def _put(text: str, blobs: Blobs) -> str:
    return put_text(blobs, text) if text else ""
