"""How the reply of a programmer that reads a prompt becomes a draft."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from scrapewright.loop.ports import Brief, Draft, Said
from scrapewright.programmers.model.prompt import numbered
from scrapewright.programmers.model.reply import Contested, Reply
from scrapewright.query.reading import BadReading, Part, from_builtins
from scrapewright.session.result import Author
from scrapewright.session.spending import Kept
from scrapewright.session.verdict import Dispute, Finding, with_disputes


def to_draft(
    reply: Reply, brief: Brief, *, author: Author, model: str, tokens: int = 0, cost: float = 0.0, prompt: str = "",
    answer: str = "", kept: Kept = "",
) -> Draft:  # fmt: skip
    """The reply to the prompt of that brief. A reading counts with the first program alone."""
    return Draft(
        code=reply.program,
        diagnosis=reply.diagnosis,
        author=author,
        tokens=tokens,
        cost=cost,
        model=model,
        reading=_reading(reply.reading, brief.reading.text) if not brief.attempts else None,
        disputes=_disputes(reply.disputes, numbered(brief)),
        prompt=prompt,
        reply=answer,
        kept=kept,
    )


def _disputes(contested: Sequence[Contested], findings: Sequence[Finding]) -> tuple[Dispute, ...]:
    """The disputes of findings that the prompt listed, one of each."""
    named = [(findings[c.finding - 1], c) for c in contested if 1 <= c.finding <= len(findings)]
    return with_disputes((), (Dispute(f.code, f.column, c.reason, c.evidence) for f, c in named))


def _reading(raw: Any, text: str) -> Said | None:
    """The model's reading; None where it gave none or one that can't be used: the earlier reading is kept."""
    if not isinstance(raw, dict):
        return None
    known = {key: value for key, value in raw.items() if key in get_args(Part) or key == "doubtful"}
    known.pop("urls", None)  # where to start is the person's to say
    try:
        reading, parts = from_builtins(known, text)
    except BadReading:
        return None
    return Said(reading, parts) if reading.columns else None
