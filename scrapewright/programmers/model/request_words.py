"""Where the words of a request occur in a page's source, whatever the survey made of it: labels and headings, ids,
classes, names of properties, and keys of JSON in scripts."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, get_args

from lxml import etree

from scrapewright.programmers.model.record_markup import source
from scrapewright.query.lexicon import SMALL
from scrapewright.query.reading import Format, Reading
from scrapewright.survey.decode import Document
from scrapewright.survey.dom import squeeze, text_of, words_of
from scrapewright.survey.script_data import loaded, script_values

Element = etree._Element
MOST, OF_EACH = 1000, 2
"""Characters of all places, and places of a column."""
PLACE = 220
"""Characters of a place."""
LABEL = 48
"""Characters of a text that may be a label."""
ENOUGH, NEARLY = 0.5, 0.8
"""How much of a column's words a place must have, rare words counting more, and how much of what the best one has."""
TERMS = 24
WALK = 20_000
"""Values that are looked at in a script."""
SHORT = 2
"""Words of a value that names its place by itself, as in "143 comments"."""
MANY_TEXTS = 40
ABOVE = 2
_CONTROLS = frozenset({"option", "select", "input", "button", "textarea", "label", "script", "style"})
_OF_PAGE = frozenset({"meta", "link", "title"})
_NAMING = ("itemprop", "property", "name", "id", "class", "rel")
_SAYING = ("content", "value", "datetime", "href", "src")
_SMALL = frozenset().union(*SMALL.values())
_LONG = re.compile(r"[^\W\d]{3,}")
_ACCENTS = re.compile("[\u0300-\u036f]")
_ADDRESS = re.compile(r"\S*://\S*")


class Place(NamedTuple):
    """`words` are what it is called by. It is `at` an element, or else `text` says where in a script and what is there.
    `depth` says how far inside others that is, or how much more than is shown the element holds. `label`: it holds
    those words alone, and what follows it counts."""

    words: tuple[str, ...]
    at: Element | None
    text: str = ""
    depth: int = 0
    label: bool = False


def found_by_words(reading: Reading, document: Document, shown: str, *, several: bool) -> list[str]:
    """A line for each place that has a column's words, where none of those that are `shown` has them as well.

    Where no columns are named, the words of the request are looked for one by one. `several`: the page is a list, so
    that what is about the page (meta tags, data of scripts) or large is left aside.
    """
    terms = list(dict.fromkeys(_terms(reading)))[:TERMS]
    places = list(_places(document, several=several)) if terms else []
    index = _Index([place.words for place in places])
    known = [_words_shown(line) for line in shown.splitlines() if line.startswith("  ")]
    lines: list[str] = []
    for name, term in terms:
        shares = index.shares(term)
        best = max(shares.values(), default=0.0)
        if best < ENOUGH or any(index.share(term, words) >= best for words in known):
            continue
        longest = len(term) + (8 if reading.columns else 1)
        least = max(ENOUGH, NEARLY * best)
        good = [n for n, share in shares.items() if share >= least and len(places[n].words) <= longest]
        good.sort(key=lambda n: (-shares[n], abs(len(places[n].words) - len(term)), places[n].depth, n))
        texts = (_shown(places[n]) for n in good[: 2 * OF_EACH])
        whole = (text for text in texts if not (several and text.endswith("…")))
        lines += [f"{name}: {text}" for text in _distinct(whole)[:OF_EACH]]
    return _within(dict.fromkeys(lines))


def _distinct(texts: Iterable[str]) -> list[str]:
    """Those that are in no other one before them."""
    found: list[str] = []
    for text in filter(None, texts):
        if not any(text.strip("…") in other for other in found):
            found.append(text)
    return found


def _words_shown(line: str) -> tuple[str, ...]:
    """What a place of the survey is called: its selector and names, and values that are hardly more than a word."""
    called, _, samples = line.partition(" e.g. ")
    short = (words for sample in samples.split(" | ") if len(words := _words(sample)) <= SHORT)
    return (*_words(called), *(word for words in short for word in words))


def _within(lines: Iterable[str]) -> list[str]:
    room, kept = MOST, []
    for line in lines:
        if len(line) <= room:
            room -= len(line)
            kept.append(line)
    return kept


def _terms(reading: Reading) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What is looked for: a name for people, and its words."""
    if reading.columns:
        named = [column.name for column in reading.columns if column.type != "url"]
    else:
        said = {*words_of(reading.row_is), *get_args(Format)}
        named = [word for word in _LONG.findall(_ADDRESS.sub(" ", reading.text)) if word.casefold() not in said]
    for name in named:
        words = _words(name)
        weighty = tuple(word for word in words if word not in _SMALL)
        if weighty or (words and reading.columns):
            yield name, weighty or words


def _words(text: str) -> tuple[str, ...]:
    """As `words_of`, without accents: names of columns are often written so."""
    return tuple(_ACCENTS.sub("", unicodedata.normalize("NFD", word)) for word in words_of(text))


class _Index:
    """Which places have a term's words, each word weighed by how few have it."""

    def __init__(self, all_words: Sequence[tuple[str, ...]]) -> None:
        self._found: dict[str, frozenset[int]] = {}
        self._places: dict[str, list[int]] = defaultdict(list)
        for n, words in enumerate(all_words):
            for word in {*words, "".join(words)}:
                self._places[word].append(n)

    def _having(self, word: str) -> frozenset[int]:
        if word not in self._found:
            alikes = (places for other, places in self._places.items() if alike(word, other))
            self._found[word] = frozenset(n for places in alikes for n in places)
        return self._found[word]

    def _weight(self, word: str) -> float:
        return 1.0 / (1.0 + math.log1p(len(self._having(word))))

    def shares(self, term: Sequence[str]) -> dict[int, float]:
        """How much of the term each place has that has any of it."""
        total = sum(map(self._weight, term))
        found: dict[int, float] = defaultdict(float)
        for word in term:
            for n in self._having(word):
                found[n] += self._weight(word) / total
        return found | dict.fromkeys(self._places.get("".join(term), ()), 1.0)

    def share(self, term: Sequence[str], words: Sequence[str]) -> float:
        if "".join(term) in words:
            return 1.0
        total = sum(map(self._weight, term))
        return sum(self._weight(word) / total for word in term if any(alike(word, other) for other in words))


def alike(word: str, other: str) -> bool:
    """Whether two words are the same but for their endings."""
    least = max(4, math.ceil(0.75 * max(len(word), len(other))))
    return word == other or (len(other) >= least and word[:least] == other[:least])


def _places(document: Document, *, several: bool) -> Iterator[Place]:
    for element in () if document.root is None else document.root.iter("*"):
        if element.tag in _CONTROLS or (several and element.tag in _OF_PAGE):
            continue
        inside = sum(len(text) for text in islice(element.itertext(), MANY_TEXTS))
        if inside or any(element.get(name) for name in _SAYING):
            for name in _NAMING:
                value = element.get(name) or ""
                for one in value.split() if name == "class" else (value,):
                    if words := _words(one):
                        yield Place(words, element, depth=inside // PLACE)
        for text, at in ((element.text, element), (element.tail, element.getparent())):
            label = squeeze((text or "")[: 4 * LABEL]).partition(":")[0]
            if 1 < len(label) <= LABEL and at is not None and (words := _words(label)):
                yield Place(words, at, label=len(text_of(at)) <= len(label) + 2)
    for where, value in () if several else _scripts(document):
        yield from _keys(value, where, [WALK])


def _scripts(document: Document) -> Iterator[tuple[str, Any]]:
    for script in document.scripts:
        if "ld+json" in script.attrs.get("type", "").lower():
            yield "script ld+json", loaded(script.text)
    for where, value in script_values(document):
        yield f"script {where}", value
    if document.data is not None:
        yield "the answer", document.data


def _keys(value: Any, path: str, left: list[int], depth: int = 0) -> Iterator[Place]:
    left[0] -= 1
    if left[0] < 0 or depth > 12:
        return
    if isinstance(value, list):
        for item in value[:1]:
            yield from _keys(item, f"{path}[0]", left, depth + 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            inside = f"{path} {key}" if not depth else f"{path}.{key}"
            if item not in (None, "", [], {}) and (words := _words(key)):
                yield Place(words, None, f"{inside} = {_cut(repr(item))}", depth)
            yield from _keys(item, inside, left, depth + 1)


def _shown(place: Place) -> str:
    """The element's markup, and of a label what follows it."""
    element = place.at
    if element is None:
        return place.text
    text = source(element, PLACE)
    following = element.getnext() if place.label else None
    for _ in range(ABOVE if place.label else 0):  # a label in boxes of its own is before what the outermost is before
        if following is None and (above := element.getparent()) is not None and not (element.tail or "").strip():
            element, following = above, above.getnext()
    tail = squeeze(element.tail or "") if place.label else ""
    if following is not None and len(text) < PLACE // 2:
        tail = f"{_cut(tail)}{source(following, PLACE - len(text))}"
    return " ".join(f"{text}{tail}".split())


def _cut(text: str) -> str:
    return text if len(text) <= PLACE // 2 else text[: PLACE // 2] + "…"
