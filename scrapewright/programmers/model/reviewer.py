"""The model that reviews rows: each column right, wrong or unsure, by a few rows beside the text of their records."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, get_args

from scrapewright.loop.ports import BadReply, Opinion, ProgrammerUnavailable
from scrapewright.programmers.model.completion import Completion, Model, Prompt, answered
from scrapewright.programmers.model.prompt import beside_records, columns_in_words
from scrapewright.programmers.model.reply import json_object, listed, object_of, text_of, whole_reply
from scrapewright.programmers.model.texts import Texts, shipped
from scrapewright.query.reading import Reading
from scrapewright.session.review import ColumnReview, Judgement, Review
from scrapewright.session.verdict import Sample

SECONDS = 60.0
"""The most that a review may take: the rows wait for it."""
_SCHEMA = object_of(
    columns=listed(
        object_of(
            column=text_of("The column's name as in the rows."),
            judgement={"type": "string", "enum": [*get_args(Judgement)]},
            reason=text_of("Why it is wrong or can't be judged, one sentence; else empty."),
            rows=listed({"type": "integer", "description": "The number of a row that is wrong."}),
        )
    )
)


class ModelReviewer:
    """Implements loop.ports.Reviewer for any model."""

    def __init__(self, model: Model, texts: Texts | None = None) -> None:
        """With the shipped texts if none are given."""
        self._model = model
        self._texts = texts or shipped("review")

    @property
    def model(self) -> str:
        return self._model.model

    async def review(self, reading: Reading, samples: Sequence[Sample]) -> Opinion:
        """A reply that judges no column loosens the next reply format. Raises ProgrammerUnavailable, BadReply."""
        model = self._model
        answer = self._texts[f"answer.{model.reply_format}"]
        prompt = Prompt(self._texts["contract"], asked(reading, samples, answer), _SCHEMA)

        def read(done: Completion) -> Review:
            return read_review(whole_reply(done.text, finish=done.finish, refusal=done.refusal), samples)

        try:
            async with asyncio.timeout(SECONDS):
                review, done = await answered(model, prompt, read, lambda text: None)
        except TimeoutError as error:
            raise ProgrammerUnavailable(f"{self.model} gave no review within {SECONDS:g} s") from error
        return Opinion(
            review, model=self.model, tokens=done.tokens, cost=model.cost(done), prompt=prompt.stored, reply=done.text,
            kept=done.kept,
        )  # fmt: skip


def asked(reading: Reading, samples: Sequence[Sample], answer: str) -> str:
    """The user message; `answer` says how to."""
    parts = [f"The request, in the person's own words:\n{reading.text}"]
    if columns := columns_in_words(reading):
        parts.append(f"Its columns, as it was read: {columns}")
    names = dict.fromkeys(name for sample in samples for name in sample.values)
    parts.append(f"The columns of the rows: {', '.join(names)}")
    parts.append(beside_records(samples))
    parts.append(answer)
    return "\n\n".join(parts)


def read_review(text: str, samples: Sequence[Sample]) -> Review:
    """What a whole reply says of the columns shown; of a column that it judges twice "wrong" counts.

    Raises BadReply where it judges none.
    """
    names = {name.casefold(): name for sample in samples for name in sample.values}
    names |= {name: name for name in names.values()}
    shown = tuple(sample.row for sample in samples)
    found: dict[str, ColumnReview] = {}
    text = text[max(0, text.find("{")) : text.rfind("}") + 1] or text  # prose around it is common
    said = (json_object(text) or {}).get("columns")
    for item in said if isinstance(said, list) else []:
        column = _column(item, names, shown) if isinstance(item, dict) else None
        if column is not None and (column.column not in found or column.says == "wrong"):
            found[column.column] = column
    if not found:
        raise BadReply(f"the reply judges no column: {' '.join(text.split())[:200]}")
    return Review(shown, tuple(found.values()))


def _column(item: dict[str, Any], names: dict[str, str], shown: tuple[int, ...]) -> ColumnReview | None:
    name, judgement, reason, rows = (item.get(key) for key in ("column", "judgement", "reason", "rows"))
    column = names.get(name) or names.get(name.strip().casefold()) if isinstance(name, str) else None
    if column is None or judgement not in ("right", "wrong", "unsure"):
        return None
    numbers = [n - 1 for n in rows if type(n) is int] if isinstance(rows, list) else []
    return ColumnReview(
        column,
        judgement,
        " ".join(reason.split()) if isinstance(reason, str) else "",
        tuple(row for row in shown if row in numbers) if judgement == "wrong" else (),
    )
