"""What a person can be offered for a column: the places of a record, whole and in parts, and the values they give."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any
from urllib.parse import urljoin

import msgspec

from scrapewright.programmers.rules.derived import derived
from scrapewright.programmers.rules.figures import Fit
from scrapewright.programmers.rules.fit import default_of, fit
from scrapewright.programmers.rules.ops import FAILURES, Count, NumberWord, Op, Present, ToInt, Truth, run
from scrapewright.programmers.rules.reading import Reader
from scrapewright.programmers.rules.view import View
from scrapewright.programmers.rules.views import families, unled
from scrapewright.query.reading import Field
from scrapewright.survey.model import Group

LINKS = ("href", "src", "data-src")
CONVERTED = 0.5
"""Share of a place's texts that must turn into the column's type."""


class Place(msgspec.Struct, frozen=True, dict=True):
    """Where a group's values are read: the group with its views, and the group behind its links, if there is one.

    `offered` are the views of both, in page order; those with `detail` set are of the group behind.
    """

    group: Group
    reader: Reader
    offered: tuple[View, ...]
    language: str = ""
    detail: Group | None = None
    inner: Reader | None = None
    base: str = ""
    inner_base: str = ""

    def home(self, view: View) -> tuple[Group, Reader]:
        """The group that a view reads, and its reader."""
        if view.detail and self.detail is not None and self.inner is not None:
            return self.detail, self.inner
        return self.group, self.reader

    def every_view(self, field: Field | None = None) -> list[View]:
        """The views, the pieces that their texts fall into, and what else a field of this type could mean."""
        kind = field.type if field is not None else ""
        if kind not in self._every:
            self._every[kind] = self._all_views(field)
        return self._every[kind]

    @cached_property
    def _every(self) -> dict[str, list[View]]:
        return {}

    def _all_views(self, field: Field | None) -> list[View]:
        found = list(self.offered)
        seen = {(view.slot.id, view.detail, view.ops) for view in found}
        for family in families(self.offered):
            for piece in map(unled, family.pieces):
                key = (piece.slot.id, piece.detail, piece.ops)
                if key not in seen:
                    seen.add(key)
                    found.append(piece)
        if field is not None:
            own = [view for view in self.offered if not view.detail]
            found += derived(field, self.group, self.reader, own)
            if self.detail is not None and self.inner is not None:
                behind = [view for view in self.offered if view.detail]
                more = derived(field, self.detail, self.inner, behind)
                found += [msgspec.structs.replace(view, detail=True) for view in more]
        return found


def option_id(view: View, place: Place) -> str:
    """An id that is the same whenever the same place of the same survey is offered."""
    slot = view.slot
    behind = place.detail.id if view.detail and place.detail is not None else ""
    rest = view.rest.slot.selector if view.rest is not None else ""
    key = repr((slot.data, slot.selector, slot.attr, slot.index, slot.own, slot.many, view.ops, behind, rest))
    return f"{slot.id}-{hashlib.sha256(key.encode()).hexdigest()[:8]}"


def group_id(group: Group) -> str:
    """The same for a group."""
    key = repr((group.kind, group.selector, group.source, group.form, group.until, group.skip, group.cuts))
    return f"{group.kind}-{hashlib.sha256(key.encode()).hexdigest()[:8]}"


def fitted(field: Field, view: View, language: str = "") -> Fit | None:
    """The steps that make a view's texts what the field asks for; None where too few of them can be made that."""
    key = ("fitted", field, language)
    if key not in view.scores:
        view.scores[key] = _fitted(field, view, language)
    found: Fit | None = view.scores[key]
    return found


def _fitted(field: Field, view: View, language: str) -> Fit | None:
    if not view.texts:
        return None
    if view.ops and isinstance(view.ops[0], Count | Present):
        return Fit((ToInt(),) if isinstance(view.ops[0], Count) else (Truth(("True",), ("False",)),), 1.0)
    listed = field.type == "list" and view.slot.many
    if listed or (field.type == "url" and view.slot.attr in LINKS and not (view.ops or view.slot.many)):
        return Fit((), 1.0)
    made = fit(view.texts, field, language)
    return made if made is not None and made.share >= CONVERTED else None


def steps(view: View, made: Fit) -> tuple[Op, ...]:
    """The steps to the part and on to the value; words that stand for a number are looked for in the whole text."""
    ops = (*view.ops, *made.ops)
    number_words = tuple(op for op in ops if isinstance(op, NumberWord))
    return (*number_words, *(op for op in ops if op not in number_words))


def converted(field: Field, view: View, made: Fit, place: Place) -> list[Any]:
    """The values that the column would hold, record by record; None where a record has none or a step fails."""
    if field.type == "list" and view.slot.many and not view.ops:
        group, reader = place.home(view)
        listed = reader.lists(group, view.slot)
        return [texts or None for texts in listed]
    default = default_of(field)
    values = [value_of(text, made.ops) for text in view.values]
    if field.type == "url":
        base = place.inner_base if view.detail else place.base
        values = [urljoin(base, value) if isinstance(value, str) else value for value in values]
    return [default if value is None else value for value in values]


def value_of(text: str | None, ops: Sequence[Op]) -> Any:
    """What the steps make of a text; None where one fails."""
    try:
        return run(ops, text)
    except FAILURES:
        return None
