"""What a person can be offered for a column: the places of a record, whole and in parts, and the values they give;
beside them what no name leads to: how many elements a record has, whether it has one or says some words, all elements
of a kind as a list, the parts of an address."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urljoin

import msgspec
from bs4.element import Tag
from msgspec.structs import replace

from scrapewright.programmers.rules.answers import says_no
from scrapewright.programmers.rules.figures import Fit
from scrapewright.programmers.rules.match import Match
from scrapewright.programmers.rules.ops import Count, Present, Search, value_of
from scrapewright.programmers.rules.quantities import pieces
from scrapewright.programmers.rules.reading import Reader
from scrapewright.programmers.rules.view import View, part
from scrapewright.query.lexicon import tokens
from scrapewright.query.reading import Field, FieldType
from scrapewright.survey.embedded import is_json
from scrapewright.survey.model import Group, Slot


class Home(NamedTuple):
    """Where records are read: their group, who reads it, and the address that its links count from."""

    group: Group
    reader: Reader
    base: str = ""


class Place(msgspec.Struct, frozen=True, dict=True):
    """Where a group's values are read, with its views, and where those behind its links are, if it has any.

    `offered` are the views of both, in page order; those with `detail` set are of the group behind.
    """

    home: Home
    offered: tuple[View, ...]
    behind: Home | None = None

    @property
    def group(self) -> Group:
        return self.home.group

    @property
    def reader(self) -> Reader:
        return self.home.reader

    @property
    def language(self) -> str:
        return self.offered[0].language if self.offered else ""

    def home_of(self, view: View) -> Home:
        """Where a view is read."""
        return self.behind if view.detail and self.behind is not None else self.home

    def values(self, match: Match) -> list[Any]:
        """What a match gives, record by record."""
        return converted(match.field, match.view, match.made, self)

    def every_view(self, field: Field) -> list[View]:
        """The views, the pieces that their texts fall into, and what else a field of this type could mean."""
        key = (field.type, field.note if field.type == "bool" else "")
        if key not in self._every:
            self._every[key] = self._all_views(field)
        return self._every[key]

    def _all_views(self, field: Field) -> list[View]:
        own, behind = ([view for view in self.offered if view.detail == detail] for detail in (False, True))
        found = [*self.offered, *pieces(field, self.offered), *derived(field, self.home, own)]
        more = derived(field, self.behind, behind) if self.behind is not None else []
        return found + [replace(view, detail=True) for view in more]

    @cached_property
    def _every(self) -> dict[tuple[str, str], list[View]]:
        return {}


def option_id(view: View, place: Place, kind: FieldType | None = None) -> str:
    """An id that is the same whenever the same place of the same survey is offered. `kind`: the type that the place is
    read as, where it is not the column's first guess."""
    slot = view.slot
    behind = place.behind.group.id if view.detail and place.behind is not None else ""
    rest = view.rest.slot.selector if view.rest is not None else ""
    key = repr((slot.data, slot.selector, slot.attr, slot.index, slot.own, slot.many, view.ops, behind, rest))
    return "-".join(filter(None, (slot.id, hashlib.sha256(key.encode()).hexdigest()[:8], kind)))


def group_id(group: Group) -> str:
    """The same for a group."""
    key = repr(
        (group.kind, group.selector, group.source, group.form, group.until, group.breaks, group.skip, group.cuts)
    )
    return f"{group.kind}-{hashlib.sha256(key.encode()).hexdigest()[:8]}"


def converted(field: Field, view: View, made: Fit, place: Place) -> list[Any]:
    """The values that the column would hold, record by record; None where a record has none or a step fails."""
    group, reader, base = place.home_of(view)
    if field.type == "list" and view.slot.many and not view.ops:
        return [texts or None for texts in reader.lists(group, view.slot)]
    default = field.said.default
    values = [value_of(text, made.ops) for text in view.values]
    if field.type == "url":
        values = [_whole(base, value) if isinstance(value, str) else value for value in values]
    return [default if value is None else value for value in values]


def _whole(base: str, address: str) -> str | None:
    """An address as a whole URL; None for a text that is none, such as "//["."""
    try:
        return urljoin(base, address)
    except ValueError:
        return None


_PLAIN_TAGS = frozenset(("li", "img", "i", "tr", "a", "span", "svg", "p"))
_CLASS = re.compile(r"-?[A-Za-z_][\w-]*")
_OF_ONE = frozenset(("class", "id", "href", "src", "style", "title", "alt", "name", "value"))
"""Attributes that say what one element is or has, not of what kind it is."""
LONGEST = 20
"""Characters of a word in an attribute."""
MOST = 24
"""Kinds of elements that are looked at, the most frequent first."""
_LAST_NUMBER = r"(\d+)\D*$"
_STEP_NUMBER = r"/(\d+)[-_.][^/?#]*\d[^/?#]*/?(?:[?#].*)?$"
"""The number that the last step begins with, where others follow: "/t/4711-spring-2015"."""
_FIRST_STEP = r"^(?:(?:\w+:)?//[^/]+)?/([^/?#]+)"
_LAST_STEP = r"([^/?#]+?)(?:\.(?:html?|php|aspx?|jsp))?/?(?:[?#][^/]*)?$"
_QUOTED = re.compile(r"[\"“”„«「]([^\"“”„«»「」]{2,60})[\"“”»」]|(?<![\w-])([\w-]+\.(?:gif|png|jpe?g|svg|webp))\b")
_PARAMETER = re.compile(r"[?&]([\w.-]+)=[^&#]")
_ADDRESS = re.compile(r"(?:https?:)?/|\w+://|[\w.-]+/")


def derived(field: Field, home: Home, offered: Sequence[View]) -> list[View]:
    """The views that a field of this type could mean besides the group's own: no two with the same values, and of each
    kind the most frequent."""
    group, reader, _ = home
    ways: list[Iterator[View]] = []
    if field.type in ("int", "text"):
        ways = [_of_addresses(offered, field.type)]
    if not is_json(group):
        if field.type == "int":
            ways.insert(0, _counts(group, reader))
        if field.type == "bool":
            ways = [_saying(field, group, reader), _presence(group, reader)]
        if field.type == "list":
            ways = [_lists(group, reader)]
    found: list[View] = []
    for way in ways:
        different: dict[tuple[str | None, ...], View] = {}
        for view in way:
            different.setdefault(view.values, view)
            if len(different) == MOST:
                break
        found += different.values()
    return found


def _kinds(group: Group, reader: Reader, attributes: bool = False) -> dict[str, list[int]]:
    """For selectors of a tag and a class (of a tag and a word in an attribute), and of some tags alone, how many
    elements each record has."""
    records = [record for record in reader.records(group) if isinstance(record, Tag)]
    found: list[Counter[str]] = []
    for record in records:
        here: Counter[str] = Counter()
        for tag in record.find_all(True):
            classes = tag.get("class")
            here.update(f"{tag.name}.{name}" for name in set(classes or ()) if _CLASS.fullmatch(name))
            here.update([tag.name] if tag.name in _PLAIN_TAGS else [])
            here.update(_attributes(tag) if attributes else [])
        found.append(here)
    total: Counter[str] = sum(found, Counter())
    common = sorted(total, key=lambda selector: ("." not in selector, -total[selector], selector))
    return {selector: [here[selector] for here in found] for selector in common}


def _attributes(tag: Tag) -> Iterator[str]:
    """Selectors of the tag by what an attribute of a word says of it: target="_blank", checked."""
    for name, value in tag.attrs.items():
        if name in _OF_ONE or not _CLASS.fullmatch(name):
            continue
        for word in [value] if isinstance(value, str) else value:
            if not word:
                yield f"{tag.name}[{name}]"
            elif _CLASS.fullmatch(word) and len(word) <= LONGEST:
                yield f'{tag.name}[{name}{"" if isinstance(value, str) else "~"}="{word}"]'


def _counts(group: Group, reader: Reader) -> Iterator[View]:
    """How many elements of a kind there are, where the records differ in that or have several."""
    for selector, counts in _kinds(group, reader).items():
        if max(counts) > 1 and (len(counts) == 1 or len(set(counts)) > 1):
            slot = Slot(id="count_" + _named(selector), selector=selector, many=True, names=(_class_of(selector),))
            values = tuple(map(str, counts))
            yield View(slot=slot, values=values, ops=(Count(),), place=("how", "many"), cost=1.0)


def _presence(group: Group, reader: Reader) -> Iterator[View]:
    """Whether the record is of a class, or there is an element of a kind, a picture, or anything under a heading, in
    some records and not in others."""
    found = [
        (slot, [text is not None for text in reader.values(group, slot)], Present(said=True))
        for slot in group.slots
        if slot.coverage < 1 and (slot.header or slot.label or slot.attr == "src") and not (slot.data or slot.many)
    ]
    for selector, counts in _kinds(group, reader, attributes=True).items():
        if "." in selector or "[" in selector:
            slot = Slot(id="has_" + _named(selector), selector=selector, names=(_class_of(selector),))
            found.append((slot, list(map(bool, counts)), Present()))
    found += _states(group, reader)  # last: a shop's records have a class for each of their categories, too
    for slot, there, op in found:
        if len(set(there)) < 2:
            continue
        yield View(slot=slot, values=tuple(map(str, there)), ops=(op,), place=("is", "there"), cost=1.0)
        if any(says_no(text) for text in (" ".join(slot.names), *_texts(slot, group, reader))):
            values, lacks = tuple(str(not one) for one in there), msgspec.structs.replace(op, absent=True)
            yield View(slot=slot, values=values, ops=(lacks,), place=("is", "not", "there"), cost=1.0)


def _texts(slot: Slot, group: Group, reader: Reader) -> set[str]:
    """What the elements say, the first of each record."""
    if slot.attr != "text" or not slot.selector:
        return set()
    records = [record for record in reader.records(group) if isinstance(record, Tag)]
    found = (record.select_one(slot.inner) for record in records if not (slot.above or slot.steps))
    return {" ".join(tag.get_text(" ").split()) for tag in found if tag is not None}


def _states(group: Group, reader: Reader) -> Iterator[tuple[Slot, list[bool], Present]]:
    """The classes that some records have themselves, as a shop's software marks what is sold out."""
    texts = [(text or "").casefold() for text in reader.values(group, Slot("", "", "class"))]
    words = [set(text.split()) for text in texts]
    total = Counter(word for found in words for word in found if len(word) <= LONGEST and _CLASS.fullmatch(word))
    for word in sorted(total, key=lambda word: (-total[word], word)):
        there = [word in found for found in words]
        if there == [word in text for text in texts]:  # no part of another class
            slot = Slot(f"is_{_named(word)}", "", "class", names=(_class_of(word),))
            yield slot, there, Present(said=True, words=word)


def _saying(field: Field, group: Group, reader: Reader) -> Iterator[View]:
    """Whether a record says the words that the field's note quotes, or has the picture that it names; each read in the
    shortest texts that have them."""
    texts = [(slot, reader.values(group, slot)) for slot in group.slots if not (slot.data or slot.many)]
    texts.sort(key=lambda pair: sum(len(text or "") for text in pair[1]))
    for said in _QUOTED.findall(field.note):
        words = "".join(said).casefold()
        for slot, found in texts:
            values = tuple(str(words in (text or "").casefold()) for text in found)
            if len(set(values)) > 1:
                ops, place = (Present(said=True, words=words),), ("says", *tokens(words))
                yield View(slot=slot, values=values, joint=reader.joint(group, slot), ops=ops, place=place, cost=1.0)


def _lists(group: Group, reader: Reader) -> Iterator[View]:
    """All elements of a kind: those that a slot names one of, and the items of lists that have a name."""
    plain = [slot for slot in group.slots if slot.attr == "text" and not (slot.many or slot.data)]
    selectors = dict.fromkeys(slot.selector for slot in plain if slot.selector)
    for record in reader.records(group)[:3]:
        for box in record.find_all(["ul", "ol", "dl", "tbody"]):
            item = {"dl": "dd", "tbody": "tr"}.get(box.name, "li")
            name = next((name for name in map(_name_of, (box, *list(box.parents)[:2])) if name), "")
            selectors |= {f"{name} {item}": None} if name else {}
    for selector in selectors:
        if not selector.startswith(("+", "^")):
            slot = Slot(id="all_" + _named(selector), selector=selector, many=True, names=(_class_of(selector),))
            texts = reader.lists(group, slot)
            if any(len(one) > 1 for one in texts):
                values = tuple("; ".join(one) or None for one in texts)
                yield View(slot=slot, values=values, joint=reader.joint(group, slot), place=("all",), cost=0.5)


def _of_addresses(offered: Sequence[View], kind: str) -> Iterator[View]:
    """Of addresses the last number (of ids as well) and that before the words of the last step, or the first and the
    last step of the path; and what a parameter says."""
    ways: dict[str, tuple[str, ...]] = {_LAST_NUMBER: ("last", "number"), _STEP_NUMBER: ("first", "number")}
    if kind == "text":
        ways = {_LAST_STEP: ("last", *_STEP), _FIRST_STEP: ("first", *_STEP)}
    for view in offered:
        if view.ops or view.slot.many or not view.texts:
            continue
        if not (view.share(_ADDRESS.match) > 0.9 or (kind == "int" and view.slot.attr == "id")):
            continue
        found: list[View] = []
        for pattern, place in ways.items():
            if view.share(re.compile(pattern).search) > 0.7:
                found += part(view, [Search(pattern, 1, True)], 1.0, place=place)
        said = Counter(name for text in view.texts for name in dict.fromkeys(_PARAMETER.findall(text)))
        for name in (name for name, count in said.items() if count > 0.7 * len(view.texts)):
            ops = [Search(rf"[?&]{re.escape(name)}=([^&#]+)", 1, True)]
            found += part(view, ops, 1.0, names=(name,), place=("link", "parameter"))
        yield from (one for one in found if len(one.counts) > 1 or len(one.values) == 1)


_STEP = ("part", "bit", "piece", "segment", "link", "url", "address")


def _name_of(tag: Tag) -> str:
    """A selector of the tag by its id or its classes, "" where it has neither."""
    name = tag.get("id")
    if isinstance(name, str) and _CLASS.fullmatch(name):
        return f"#{name}"
    classes = [one for one in tag.get("class") or () if _CLASS.fullmatch(one)]
    return f"{tag.name}.{'.'.join(classes[:2])}" if classes else ""


def _class_of(selector: str) -> str:
    return re.sub(r"[\W_]+", " ", selector.rpartition(".")[2] or selector).strip()


def _named(selector: str) -> str:
    return re.sub(r"\W+", "_", selector).strip("_")[:40]
