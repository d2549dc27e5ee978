"""Which record of a page a row comes from, and which of its elements each of the row's values."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
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
    """What a record says: its text, squeezed and folded; its numbers; its attributes' values but those about looks."""

    text: str
    numbers: frozenset[float]
    attrs: tuple[str, ...] = ()


def what_it_says(*parts: Record) -> Said:
    """The texts and attributes of the elements (or the JSON object) that make a record, ready to be looked through."""
    texts = [part.itertext() if isinstance(part, etree._Element) else _leaves(part) for part in parts]
    text = _fold(" ".join(str(one) for found in texts for one in found))
    elements = (element for part in parts if isinstance(part, etree._Element) for element in part.iter("*"))
    attrs = (
        str(value) for element in elements for name, value in element.attrib.items() if name not in ("style", "id")
    )
    return Said(text, _numbers(text), tuple(filter(None, attrs)))


def holds(said: Said, value: str, base: str = "") -> bool:
    """Whether the value, or the number that it is, occurs in the record."""
    number = _as_number(value)
    if number is not None:
        return number in said.numbers or any(attr.strip() == value.strip() for attr in said.attrs)
    return _fold(value) in said.text or any(_same(attr, value, base) for attr in said.attrs)


def find(
    row: Mapping[str, str], records: Sequence[Said], base: str = "", wanted: Callable[[], bool] = lambda: True
) -> tuple[int, float]:
    """(number of the record that says most of the row, the share that it says); (-1, 0.0) where none says half of it.

    Values that few records say count for more. It stops where it is not `wanted` any more.
    """
    shares, whole = [0.0] * len(records), 0.0
    for value in _filled(row).values():
        if not wanted():
            return -1, 0.0
        held = [number for number, said in enumerate(records) if holds(said, value, base)]
        weight = math.log(1 + len(records) / len(held)) if held else 0.4
        whole += weight
        for number in held:
            shares[number] += weight
    best = max(range(len(records)), key=shares.__getitem__, default=-1)
    share = shares[best] / whole if whole and records else 0.0
    return (best, share) if share >= LEAST else (-1, 0.0)


def elements_of(row: Mapping[str, str], record: Element, base: str = "") -> dict[str, tuple[Element, str]]:
    """(element, attribute; "" for its text) that each column's value comes from, of those that are in the record:
    the innermost that says the value and the least besides."""
    whole = [(element, _fold(" ".join(map(str, element.itertext())))) for element in record.iter("*")]
    said = whole[::-1]  # of those alike the inner ones first
    said.sort(key=lambda one: len(one[1]))
    found: dict[str, tuple[Element, str]] = {}
    for name, value in _filled(row).items():
        folded, number = _fold(value), _as_number(value)
        texts = (e for e, text in said if (folded in text if number is None else number in _numbers(text)))
        attrs = ((e, str(key)) for e, _ in whole for key, attr in e.attrib.items() if _same(str(attr), value, base))
        if (place := next(chain(((e, "") for e in texts), attrs), None)) is not None:
            found[name] = place
    return found


def _filled(row: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in row.items() if value.strip()}


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
    said = (re.sub(r"[ \u00a0\u202f'’]", "", match) for match in (*_NUMBER.findall(text), *_GROUPED.findall(text)))
    readings = {read for one in said for read in (one.replace(",", ""), one.replace(".", "").replace(",", "."))}
    return frozenset(number for read in readings if (number := _as_number(read)) is not None)


def _leaves(value: Any) -> list[str]:
    if isinstance(value, (dict, list)):
        items = value.values() if isinstance(value, dict) else value
        return [text for item in items for text in _leaves(item)]
    return [one_line(value)]
