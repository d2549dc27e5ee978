"""A weak model: it writes no programs, but reads the request and copies the values of columns out of records."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeVar, get_args

import msgspec

from scrapewright.loop.ports import Advice, BadReply, Brief, ProgrammerUnavailable
from scrapewright.programmers.model.completion import Completion, Model, Prompt, answered
from scrapewright.programmers.model.prompt import fenced
from scrapewright.programmers.model.reply import json_object, listed, object_of, text_of, whole_reply
from scrapewright.programmers.model.texts import Texts, shipped
from scrapewright.programmers.rules.programmer import RulesProgrammer
from scrapewright.programmers.rules.rivals import Sheet
from scrapewright.query.lexicon import ALL_SMALL, RESTRICTING, singular
from scrapewright.query.reading import Column, Filter, Op, Order, Part, Reading, combined, differing
from scrapewright.query.tokens import Tokens
from scrapewright.session.questions import Copied

T = TypeVar("T")
SECONDS = 120.0
"""The most that an answer may take: a small model on a processor reads some ten tokens a second at worst."""
COLUMNS = 40
_SMALL = ALL_SMALL - RESTRICTING - {"no", "out"}
_OPS: tuple[Op, ...] = tuple(op for op in get_args(Op) if op != "other")
_READING = object_of(
    columns=listed(text_of()),
    pages=text_of(),
    single=text_of(),
    filters=listed(
        object_of(words=text_of(), column=text_of(), op={"type": "string", "enum": [*_OPS]}, value=text_of())
    ),
    order=listed(object_of(words=text_of(), column=text_of(), descending={"type": "boolean"})),
    limit=text_of(),
)


class WeakModel:
    """Implements loop.ports.Adviser for any model."""

    def __init__(
        self, model: Model, rules: RulesProgrammer, texts: Texts | None = None, *, reader: Model | None = None
    ) -> None:
        """`rules` say which records and columns there are, `reader` reads the request, the model itself where none is
        given. With the shipped texts if none are given."""
        self._model, self._reader, self._rules = model, reader or model, rules
        self._texts = texts or shipped("weak")

    @property
    def model(self) -> str:
        return self._model.model

    async def read(self, reading: Reading) -> Advice | None:
        """Asked where words of the request were not read. A reply that is no reading loosens the next reply format."""
        if not reading.unread:
            return None
        how = self._texts[f"read.{self._reader.reply_format}"]
        prompt = Prompt(self._texts["read.contract"], f"{how}\n\nRequest: {reading.text}", _READING)
        said, advice = await self._answered(
            self._reader, prompt, lambda text: _object(text, "columns", "pages", "filters")
        )
        return msgspec.structs.replace(advice, reading=merged(reading, said))

    async def copy(self, brief: Brief) -> Advice | None:
        """A reply that names no column loosens the next reply format."""
        sheet = await asyncio.to_thread(self._rules.sheet, brief)
        if sheet is None:
            return None
        how = self._texts[f"copy.{self._model.reply_format}"]
        prompt = Prompt(self._texts["copy.contract"], copied_from(sheet, brief.reading, how), copy_schema(sheet))
        copied, advice = await self._answered(self._model, prompt, lambda text: read_copied(text, sheet))
        return msgspec.structs.replace(advice, copied=copied)

    async def _answered(self, model: Model, prompt: Prompt, read: Callable[[str], T]) -> tuple[T, Advice]:
        """Raises ProgrammerUnavailable, BadReply."""

        def whole(done: Completion) -> T:
            return read(whole_reply(done.text, finish=done.finish, refusal=done.refusal))

        try:
            async with asyncio.timeout(SECONDS):
                found, done = await answered(model, prompt, whole, lambda text: None)
        except TimeoutError as error:
            raise ProgrammerUnavailable(f"{model.model} gave no answer within {SECONDS:g} s") from error
        return found, Advice(
            model=model.model,
            tokens=done.tokens,
            cost=model.cost(done),
            prompt=prompt.stored,
            reply=done.text,
            kept=done.kept,
        )


# The request.


def merged(reading: Reading, said: dict[str, Any]) -> Reading:
    """The reading with what the model makes of the words that were not read. Nothing else is taken over, nothing that
    is not in the request's words, and nothing in place of what the grammar or a person read. Which rows are wanted, and
    in which order, is followed but not relied on: those words stay unread, and are for a person to confirm. Words of
    columns are read then, and of pages those that the grammar reads so, too.
    """
    taken: list[str] = []
    changes: dict[Part, Any] = {}
    unread = " | ".join(map(_plain, reading.unread))

    def left(words: object) -> str:
        """The words, where they are the request's own and some of them were not read; else nothing."""
        plain = _plain(words) if isinstance(words, str) else ""
        own = plain and f" {plain} " in f" {_plain(reading.text)} "
        return plain if own and any(word in unread.split() for word in plain.split()) else ""

    columns = list(reading.columns)
    names = {_plain(column.name) for column in columns}
    for name in _texts_of(said.get("columns")):
        if (plain := left(name)) and plain not in names and plain != _plain(reading.row_is) and len(columns) < COLUMNS:
            names.add(plain)
            columns.append(Column(" ".join(name.split())))
            taken.append(plain)
    if len(columns) > len(reading.columns):
        changes["columns"] = tuple(columns)
    by_name = {_plain(column.name): column.name for column in columns}
    if "page" in Tokens(pages := left(said.get("pages"))).line.split():
        count: int | Literal["all"] = _number(pages) or "all"
        if reading.pages == "unsaid":
            changes["pages"] = count
        elif reading.pages == count:
            taken.append(pages)
    if not (reading.single or reading.limit or changes.get("pages")) and left(said.get("single")):
        changes["single"] = True
    if not reading.order:
        order = [one for one in _objects_of(said.get("order")) if left(one.get("words"))]
        keys = [(by_name.get(_plain(str(one.get("column")))), one.get("descending") is True) for one in order]
        changes["order"] = tuple(Order(column, descending) for column, descending in keys if column)
    changes["filters"] = (*reading.filters, *_filters(said.get("filters"), left, by_name))
    if reading.limit is None:
        changes["limit"] = _number(left(said.get("limit"))) or None
    above = msgspec.structs.replace(reading, **changes)
    kept = tuple(phrase for phrase in reading.unread if not _covered(phrase, taken, reading.row_is))
    return msgspec.structs.replace(combined(reading, above, differing(reading, above), "model"), unread=kept)


def _filters(said: Any, left: Callable[[object], str], by_name: dict[str, str]) -> Iterator[Filter]:
    for one in _objects_of(said):
        words, column, value = left(one.get("words")), _plain(str(one.get("column"))), one.get("value")
        op = next((known for known in _OPS if known == one.get("op")), None)
        text = str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
        if words and op is not None and _plain(text) and _plain(text) in words and column in by_name:
            yield Filter(str(one["words"]), by_name[column], op, text)


def _covered(phrase: str, taken: list[str], row: str) -> bool:
    """Whether all words of weight in a phrase that was not read are read now, or say what a row is."""
    known = {word for words in taken for word in words.split()}
    words = [word for word in _plain(phrase).split() if word not in _SMALL and singular(word) != row]
    return bool(known) and all(word in known for word in words)


def _number(words: str) -> int:
    found = re.search(r"\d+", words)
    return int(found[0]) if found else 0


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def _texts_of(said: Any) -> list[str]:
    return [one for one in said if isinstance(one, str) and one.strip()] if isinstance(said, list) else []


def _objects_of(said: Any) -> list[dict[str, Any]]:
    return [one for one in said if isinstance(one, dict)] if isinstance(said, list) else []


# The records.


def copied_from(sheet: Sheet, reading: Reading, how: str) -> str:
    """The user message; `how` says how to answer."""
    parts = [f"The request, in the person's own words:\n{reading.text}"]
    notes = {column.name: column.note for column in reading.columns}
    wanted = (f"- {name}{f' ({notes[name]})' if notes.get(name) else ''}" for name in sheet.choices)
    parts.append("The columns:\n" + "\n".join(wanted))
    for at, record in enumerate(sheet.records, 1):
        parts.append(f"Record {at}:\n" + fenced("\n".join(f"{name}: {value}" for name, value in record.lines)))
    return "\n\n".join([*parts, how])


def copy_schema(sheet: Sheet) -> dict[str, Any]:
    """Of each column one of the values that it could have, or null."""
    records = {}
    for at, _ in enumerate(sheet.records):
        columns = {
            name: {"type": ["string", "null"], "enum": [*choices[at], None]} for name, choices in sheet.choices.items()
        }
        records[f"record {at + 1}"] = object_of(**columns)
    return object_of(**records)


def read_copied(text: str, sheet: Sheet) -> tuple[Copied, ...]:
    """What a whole reply copies, that is in the records. Raises BadReply where it names no column."""
    keys = [f"record {at}" for at, _ in enumerate(sheet.records, 1)]
    said = _object(text, *keys, *sheet.choices)
    if not any(key in said for key in keys):  # one record may come without its name
        said = {keys[0]: said}
    found = []
    for at, (key, record) in enumerate(zip(keys, sheet.records, strict=True)):
        columns = said.get(key)
        if not isinstance(columns, dict):
            continue
        for name, choices in sheet.choices.items():
            value = " ".join(str(columns.get(name) or "").split())
            if value in choices[at] or (value and any(value == text for _, text in record.lines)):
                found.append(Copied(name, record.number, value))
    return tuple(found)


def _object(text: str, *keys: str) -> dict[str, Any]:
    """The JSON object of a reply, prose around it left aside. Raises BadReply where it has none of the keys."""
    inner = text[max(0, text.find("{")) : text.rfind("}") + 1] or text
    said = json_object(inner) or {}
    if not any(key in said for key in keys):
        raise BadReply(f"the reply is not what was asked for: {' '.join(text.split())[:200]}")
    return said
