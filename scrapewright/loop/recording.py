"""What a model's or another programmer's reply becomes in the journal."""

from __future__ import annotations

from scrapewright.loop import briefing, summaries
from scrapewright.loop.ports import BadReply, Draft
from scrapewright.session import events as ev
from scrapewright.session.journal import Blobs, put_text


def code_written(number: int, draft: Draft, old: str, seconds: float, blobs: Blobs) -> ev.CodeWritten:
    """Of a whole program, `old` being its parent's. Stores blobs: call it off the event loop."""
    added, removed = briefing.changed_lines(old, draft.code) if old else (0, 0)
    return ev.CodeWritten(
        attempt=number, author=draft.author, code=put_text(blobs, draft.code), lines=len(draft.code.splitlines()),
        diagnosis=draft.diagnosis[:4000], added=added, removed=removed, tokens=draft.tokens, cost=draft.cost,
        model=draft.model, seconds=seconds, prompt=put_blob(draft.prompt, blobs), reply=put_blob(draft.reply, blobs),
        kept=draft.kept,
    )  # fmt: skip


def reply_unused(reply: Draft | BadReply, attempt: int, problem: str, blobs: Blobs) -> ev.ReplyUnused:
    """Of a model's reply that becomes no attempt; `attempt` is the current one. Stores blobs."""
    return ev.ReplyUnused(
        attempt=attempt, model=reply.model, problem=problem[: summaries.MESSAGE], tokens=reply.tokens, cost=reply.cost,
        prompt=put_blob(reply.prompt, blobs), reply=put_blob(reply.reply, blobs), kept=reply.kept,
    )  # fmt: skip


def put_blob(text: str, blobs: Blobs) -> str:
    """The text's blob; none for an empty one."""
    return put_text(blobs, text) if text else ""
