"""Which record of a page a row comes from, and which of its elements each of the row's values."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urljoin

import msgspec
from lxml import etree

from scrapewright.survey.dom import Element
from scrapewright.survey.extract import one_line

Record = Any
"""An element, or a JSON object."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_GROUPED = re.compile(r"(?<!\d)\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?!\d)(?:[.,]\d+)?")
LEAST = 0.5
"""The share of a row's values, by weight, that its record has at least."""


class Said(msgspec.Struct):
    """What a record says: its text, squeezed and folded; its numbers; its attributes' values."""

    text: str
    numbers: frozenset[float]
    attrs: tuple[tuple[Any, str, str], ...] = ()
    """(element, name, value) of those that are not about looks."""


class Row:
    """A row of the output, by column; values as the output file holds them."""

    def __init__(self, values: Mapping[str, str], base: str = "") -> None:
        self.base = base
        self.values = {name: value for name, value in values.items() if value.strip()}

    def share(self, said: Said, weights: Mapping[str, float]) -> float:
        """The share of the row's values that the record says, each by its weight (1.0 where none is given)."""
        whole = sum(weights.get(name, 1.0) for name in self.values)
        held = sum(weights.get(name, 1.0) for name, value in self.values.items() if holds(said, value, self.base))
        return held / whole if whole else 0.0


def what_it_says(record: Record) -> Said:
    """The record's texts and attributes, ready to be looked through."""
    if not isinstance(record, etree._Element):
        text = _fold(" ".join(_leaves(record)))
        return Said(text, _numbers(text))
    text = _fold(" ".join(map(str, record.itertext())))
    attrs = tuple(
        (element, str(name), str(value))
        for element in record.iter("*")
        for name, value in element.attrib.items()
        if name not in ("style", "id") and value
    )
    return Said(text, _numbers(text), attrs)


def together(said: Sequence[Said]) -> Said:
    """What several elements say that make one record."""
    numbers = frozenset(number for one in said for number in one.numbers)
    return Said(" ".join(one.text for one in said), numbers, tuple(attr for one in said for attr in one.attrs))


def holds(said: Said, value: str, base: str = "") -> bool:
    """Whether the value, or the number that it is, occurs in the record."""
    folded = _fold(value)
    number = _as_number(value)
    if number is not None:
        return number in said.numbers or any(attr[2].strip() == value.strip() for attr in said.attrs)
    if folded in said.text:
        return True
    return any(_same(attr[2], value, base) for attr in said.attrs)


def find(row: Row, records: Sequence[Said], wanted: Callable[[], bool] = lambda: True) -> tuple[int, float]:
    """(number of the record that says most of the row, the share that it says); (-1, 0.0) where none says half of it.

    Values that few records say count for more.
    """
    if not records or not row.values:
        return -1, 0.0
    weights = {}
    for name, value in row.values.items():
        if not wanted():
            return -1, 0.0
        count = sum(holds(said, value, row.base) for said in records)
        weights[name] = math.log(1 + len(records) / count) if count else 0.4
    shares = [row.share(said, weights) for said in records]
    best = max(range(len(shares)), key=lambda number: (shares[number], -number))
    return (best, shares[best]) if shares[best] >= LEAST else (-1, 0.0)


def elements_of(row: Row, record: Element) -> dict[str, tuple[Element, str]]:
    """(element, attribute; "" for its text) that each column's value comes from, of those that are in the record:
    the innermost that says the value and the least besides."""
    said = [(element, _fold(" ".join(map(str, element.itertext())))) for element in record.iter("*")]
    found: dict[str, tuple[Element, str]] = {}
    for name, value in row.values.items():
        folded, number = _fold(value), _as_number(value)
        fits = [
            (len(text), -at, element)
            for at, (element, text) in enumerate(said)
            if text and (number in _numbers(text) if number is not None else folded in text)
        ]
        if fits:
            found[name] = min(fits, key=lambda fit: fit[:2])[2], ""
            continue
        for element in record.iter("*"):
            attr = next((str(k) for k, v in element.attrib.items() if _same(str(v), value, row.base)), "")
            if attr:
                found[name] = element, attr
                break
    return found


def _same(attr: str, value: str, base: str) -> bool:
    attr, value = attr.strip(), value.strip()
    return attr == value or ("/" in value and bool(base) and urljoin(base, attr) == value)


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()


def _as_number(value: str) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _numbers(text: str) -> frozenset[float]:
    """The numbers in a text, by each way to read its points and commas."""
    found = set()
    for match in (*_NUMBER.findall(text), *_GROUPED.findall(text)):
        plain = re.sub(r"[ \u00a0\u202f'’]", "", match)
        readings = {plain.replace(",", ""), plain.replace(".", "").replace(",", ".")}
        for reading in readings:
            try:
                found.add(float(reading))
            except ValueError:
                continue
    return frozenset(found)


def _leaves(value: Any) -> list[str]:
    if isinstance(value, (dict, list)):
        items = value.values() if isinstance(value, dict) else value
        return [text for item in items for text in _leaves(item)]
    return [one_line(value)]
