"""From a group's records to its slots: selector, attribute, type, names, coverage and samples of each value."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial

import msgspec

from scrapewright.query.reading import FieldType
from scrapewright.survey import observe, relative, values
from scrapewright.survey.css import Within
from scrapewright.survey.dom import (
    HEADINGS,
    INLINE,
    Element,
    classes_of,
    module_of,
    own_text,
    shared_start,
    squeeze,
    stability,
    text_of,
    value_of,
    word_set,
    words_of,
)
from scrapewright.survey.model import Slot

Read = Callable[[Element], str]

_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]+")
_TARGET = re.compile(r"/(tag|author|user|category|people|profile|member|brand)s?/")
MAX_SLOTS = 48
MAX_PLACES = 90
MAX_TEXT = 4000
LEARNT = 40
"""Of more than half as many again only so many records are looked at to find the places of values."""
_OF_TAG = {
    "a": ("href",), "link": ("href",), "area": ("href",), "form": ("action",),
    "img": ("src", "data-src", "data-original", "data-lazy-src", "data-lazy", "alt"),
    "source": ("src", "srcset"), "iframe": ("src",), "video": ("src", "poster"),
    "time": ("datetime",), "meta": ("content",), "input": ("value",), "data": ("value",), "abbr": ("title",),
    "meter": ("value",),
}  # fmt: skip
"""The attributes in which elements of a tag have their values."""
_GENERAL = ("content", "title", "aria-label", "datetime")
_BLOCKS = word_set("td th dd dt li p h1 h2 h3 h4 h5 h6 a blockquote article address figcaption label time button")
_TAG_NAMES = {
    "time": ("date",), "h1": ("title",), "h2": ("title",), "h3": ("title",), "h4": ("title",), "address": ("address",),
    "blockquote": ("text",), "dt": ("term", "question", "title"), "dd": ("definition", "answer"),
}  # fmt: skip
BAR = re.compile(r"(?i)(?<![\w-])width:\s*(\d+(?:\.\d+)?)\s*%")
"""What is said by how long a bar is: a rating, how full something is."""
BACKGROUND = re.compile(r"(?i)\burl\(\s*['\x22]?([^'\x22()]+)")
"""A picture that a style draws."""
TARGET = re.compile(r"(?:location(?:\.href)?\s*=|\bopen\(|\bassign\()\s*['\x22]([^'\x22]+)")
"""Where a click leads to."""
_MARKED = ("itemprop", "property", "data-testid", "data-field", "data-label", "data-th", "name")
"""The attributes in which machines are told what a value is."""
_ATTR_NAMES = {
    "href": ("url", "link"), "src": ("image", "src"), "data-src": ("image",), "datetime": ("date",),
    "alt": ("image alt",), "action": ("url",),
}  # fmt: skip


class _Draft(msgspec.Struct):
    """A slot in the making, with the value of every record."""

    place: observe.Place
    attr: str
    own: bool
    many: bool
    choice: relative.Choice
    texts: list[str]
    lists: list[list[str]]
    read: Read
    label: str = ""
    header: str = ""
    names: tuple[str, ...] = ()

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """The words of a class name that is one of a few."""
        return tuple(dict.fromkeys(filter(None, self.texts)))[:12] if self.attr == "class" else ()


def build(
    records: Sequence[Element],
    siblings: Sequence[Sequence[Element | None]] = (),
    *,
    headers: Mapping[str, str] = {},
) -> tuple[Slot, ...]:
    """Slots of a group, in page order. `siblings[i][k]` is the element i+1 places to the right of record k.

    `headers`: column headings by kind and 1-based number of the cell among those of its kind ("td:2").
    """
    whole: list[Sequence[Element | None]] = [records, *siblings]
    some = spread(records)
    scopes = whole if len(some) == len(records) else [[column[k] for k in some] for column in whole]
    drafts: list[_Draft] = []
    below = list(map(Within, scopes))
    for place in _common(observe.places(scopes), len(some)):
        drafts.extend(_drafts(place, below[place.step], headers))
    drafts = _whole_texts(_distinct(drafts))
    if scopes is not whole:
        drafts = _read_again(drafts[: MAX_SLOTS * 2], whole)
    slots = [_slot(draft, number, len(records)) for number, draft in enumerate(drafts[: MAX_SLOTS * 2])]
    if len(slots) > MAX_SLOTS:
        keep = sorted(slots, key=lambda slot: -(slot.coverage + min(slot.distinct, 0.5)))[:MAX_SLOTS]
        slots = [slot for slot in slots if slot in keep]
    return tuple(_called_by_title(slots))


def _called_by_title(slots: list[Slot]) -> list[Slot]:
    """The slots, with what the records are called as a name of their title, and not of all that they say: an
    `article.book` as a whole is no value of "book". Where none is a title, a part that is called so is enough."""
    whole = next((slot for slot in slots if not slot.selector and slot.attr == "text" and not slot.own), None)
    inside = [slot for slot in slots if slot is not whole and not slot.selector.startswith("+") and not slot.many]
    texts = [slot for slot in inside if slot.attr in ("text", "head", "tail", "alt", "title")]
    if whole is None or len(texts) < 2:
        return slots
    titles = (slot for slot in texts if "title" in slot.names)
    alike = (slot for slot in texts if set(whole.names) & set(slot.names))
    head = next(itertools.chain(titles, alike), None)
    if head is None:
        return slots
    names = tuple(dict.fromkeys((*head.names, *whole.names)))
    renamed = {
        whole.id: msgspec.structs.replace(whole, names=()),
        head.id: msgspec.structs.replace(head, names=names),
    }
    return [renamed.get(slot.id, slot) for slot in slots]


def spread(records: Sequence[Element]) -> list[int]:
    """The numbers of the records to learn from: all, or of many some from all over the page. Among them are those that
    hold the most and the fewest elements, and those with kinds of elements that few records have."""
    size = len(records)
    if size <= LEARNT * 1.5:
        return list(range(size))
    chosen = dict.fromkeys(round(k * (size - 1) / (LEARNT - 1)) for k in range(LEARNT))
    held = [[(e.tag, e.get("class")) for e in record.iter()] for record in records]
    by_size = sorted(range(size), key=lambda k: len(held[k]))
    chosen |= dict.fromkeys((*by_size[:3], *by_size[-6:]))
    kinds = [set(found) for found in held]
    count = Counter(kind for found in kinds for kind in found)
    least = max(2, size * 0.04)
    short = {kind: 2 for kind, n in count.items() if least <= n < 0.2 * size}
    for k in (*chosen, *range(size)):
        missed = [kind for kind in kinds[k] if kind in short]
        for kind in missed:
            short[kind] -= 1
            if not short[kind]:
                del short[kind]
        if missed and len(chosen) < LEARNT * 1.5:
            chosen[k] = None
    return sorted(chosen)


def _read_again(drafts: list[_Draft], scopes: Sequence[Sequence[Element | None]]) -> list[_Draft]:
    """The drafts with the values of all records, as their selectors find them."""
    below = {step: Within(scopes[step]) for step in {draft.place.step for draft in drafts}}
    out = []
    for draft in drafts:
        at = draft.choice.index if draft.choice.selector else 0
        which = slice(None) if draft.many else slice(at, at + 1 or None)
        found = [one[which] for one in below[draft.place.step].select(draft.choice.selector)]
        if draft.attr == "class" and (words := _class_words([element for one in found for element in one])):
            draft.read = partial(_class_read, words=words)
        draft.lists = _lists(found, draft.read)
        draft.texts = list(map("; ".join, draft.lists))
        if sum(map(bool, draft.texts)) >= len(scopes[0]) * 0.04:
            out.append(draft)
    return out


def _lists(found: Sequence[Sequence[Element]], read: Read) -> list[list[str]]:
    """For each record what its elements say, of those that say something."""
    return [[text for element in one if (text := read(element))] for one in found]


def _common(places: list[observe.Place], size: int) -> list[observe.Place]:
    """Places worth a slot, in page order: not those of one odd record, and no more than can be looked at."""
    least = max(1 if size < 8 else 2, size * 0.04)
    out = [place for place in places if place.records >= least]
    if len(out) > MAX_PLACES:
        kept = set(sorted(range(len(out)), key=lambda k: (-out[k].records, k))[:MAX_PLACES])
        out = [place for k, place in enumerate(out) if k in kept]
    return out


def _drafts(place: observe.Place, below: Within, headers: Mapping[str, str]) -> list[_Draft]:
    readers = _readers(place)
    if not readers:
        return []
    size = len(place.found)
    label = place.label or observe.constant([observe.label_before(found[0]) for found in place.found if found])
    header = _header(place, headers)
    counts = {len(found) for found in place.found if found}
    # Where some lack one, their last ones are the others' last.
    indexes = range(min(place.most, 6)) if len(counts) == 1 else (0, 1, -1, -2) if min(counts) > 2 else (0, 1)
    held = [{element: read(element) for element in place.elements()} for _, _, read in readers]
    out = []
    for index in (None, *indexes) if place.most > 1 else indexes:
        many, which = index is None, slice(None) if index is None else slice(index, index + 1 or None)
        wanted = [found[which] for found in place.found]
        last = index is not None and index < 0
        choice = relative.choose(below, wanted, many=many, last=last, label=place.label)
        if choice is None or choice.agreement < 0.75:
            continue
        for (attr, own, read), text_at in zip(readers, held, strict=True):
            lists = _lists(wanted, text_at.__getitem__)
            texts = list(map("; ".join, lists))
            if sum(map(bool, texts)) < max(1, size * 0.04):
                continue
            said = label
            if attr == "tail":
                said = observe.constant([text_of(found[0]) for found in wanted if found and text_at[found[0]]])[:40]
            elif _is_label(wanted, texts):
                continue
            out.append(_Draft(place, attr, own, many, choice, texts, lists if many else [], read, said, header))
    return out


def _readers(place: observe.Place) -> list[tuple[str, bool, Read]]:
    """What can be read at this place: (attribute, own, reader). Empty where there is nothing of worth."""
    elements = place.elements()
    tag, some, few = str(elements[0].tag), elements[:40], elements[:5]
    out: list[tuple[str, bool]] = []
    pieces = [_pieces(element) for element in some]
    nested = any(len(element) for element in some)
    block = tag in _BLOCKS or any(stability(name) == 2 for element in few for name in classes_of(element))
    if any(pieces) or (block and nested) or any(element.get("itemprop") for element in few):
        out.append(("text", False))
    if any(pieces) and nested:
        out.append(("text", True))
        if max(map(len, pieces)) > 1 and any(value_of(element, "head") for element in some):
            out.append(("head", False))
    if any(map(_tail_matters, some)):
        out.append(("tail", False))
    present = {name for element in some for name in map(str, element.attrib)}
    data = sorted(name for name in present if name.startswith("data-") and _data_matters(name, some))
    identifier = ("id",) if not place.path and place.step == 0 else ()
    attrs = dict.fromkeys((*_OF_TAG.get(tag, ()), *_GENERAL, *data, *identifier))
    out += [(name, False) for name in attrs if name in present]
    readers = [(attr, own, _reader(attr, own)) for attr, own in out]
    for attr, said in (("style", BACKGROUND), ("onclick", TARGET), *([("style", BAR)] if not any(pieces) else [])):
        if any(said.search(element.get(attr) or "") for element in some):
            readers.append((attr, False, _reader(attr, own=False)))
    if words := _class_words(elements):
        readers.append(("class", False, partial(_class_read, words=words)))
    return readers


def _reader(attr: str, own: bool) -> Read:
    if attr == "text":
        return lambda element: (own_text(element) if own else text_of(element))[:MAX_TEXT]
    return lambda element: value_of(element, attr)


def _class_read(element: Element, words: frozenset[str]) -> str:
    return next((word for word in classes_of(element) if word in words), "")


def _pieces(element: Element) -> list[str]:
    parts = [element.text, *(child.tail for child in element)]
    return [part for part in parts if part and part.strip(" \t\r\n\u00a0|·•,;-–()[]/&»›:")]


def _tail_matters(element: Element) -> bool:
    """Text behind an element that its parent's own text would mix with other texts, or that a label in it names."""
    tail = element.tail
    if not tail or not tail.strip(" \t\r\n\u00a0|·•,;-–()[]/&»›:"):
        return False
    parent = element.getparent()
    if parent is None:
        return False
    return (
        len(_pieces(parent)) > 1
        or parent.tag == "pre"
        or str(element.tag) in ("b", "strong", "label", "br", "span", "i", "em", "img", "input")
    )


def _data_matters(name: str, elements: Sequence[Element]) -> bool:
    found = [value for element in elements if (value := element.get(name))]
    return bool(found) and all(0 < len(value) <= 200 and not value.startswith(("{", "[")) for value in found[:10])


def _class_words(elements: Sequence[Element]) -> frozenset[str]:
    """Class words that tell records apart, one of them on nearly every element beside constant ones: a few words, or
    many that begin alike, as an icon's do ("flag flag-fr")."""
    if len(elements) < 3:
        return frozenset()
    sets = [frozenset(classes_of(element)) for element in elements]
    if not all(sets):
        return frozenset()
    common = frozenset.intersection(*sets)
    rest = [words - common for words in sets]
    found = frozenset(word for words in rest for word in words)
    stems = {word.partition("-")[:2] for word in found}
    most = 300 if len(stems) == 1 and all(stem and dash for stem, dash in stems) else 12
    if not common or not 2 <= len(found) <= most or sum(1 for words in rest if len(words) == 1) < 0.9 * len(rest):
        return frozenset()
    if any(len(word) > 24 or re.search(r"\d{3,}", word) for word in found):
        return frozenset()
    return found


def _header(place: observe.Place, headers: Mapping[str, str]) -> str:
    if place.step or not place.path or ":" not in place.path[0]:
        return ""
    cell = place.path[0].split("/")[0]
    return headers.get(cell, "")


def _distinct(drafts: list[_Draft]) -> list[_Draft]:
    """Of slots that read the same values the one with the most robust selector, with the names of all."""
    by_values: dict[tuple[object, ...], _Draft] = {}
    for draft in drafts:
        key = (draft.many, draft.attr in ("href", "src"), tuple(draft.texts))
        other = by_values.get(key)
        if other is None:
            by_values[key] = draft
            continue
        better = _cost(draft) < _cost(other)
        kept, lost = (draft, other) if better else (other, draft)
        kept.header = kept.header or lost.header
        kept.label = kept.label or lost.label
        kept.names = (*kept.names, *lost.names, *_names(lost))
        if better:
            kept.place.order = min(kept.place.order, other.place.order)
        by_values[key] = kept
    return sorted(by_values.values(), key=lambda d: (d.place.step, d.place.order))


def _whole_texts(drafts: list[_Draft]) -> list[_Draft]:
    """Where a text is cut off ("A long ti…") and an attribute holds the whole of it, the attribute takes its place."""
    out = list(drafts)
    for cut in drafts:
        if cut.attr != "text" or cut.many or not any(text.endswith(("…", "...")) for text in cut.texts):
            continue
        for whole in drafts:
            if whole.attr in ("title", "alt", "aria-label", "content") and not whole.many and _completes(whole, cut):
                whole.names = (*whole.names, *_names(cut))
                whole.header = whole.header or cut.header
                out = [draft for draft in out if draft is not cut]
                break
    return out


def _completes(whole: _Draft, cut: _Draft) -> bool:
    pairs = [(w, c) for w, c in zip(whole.texts, cut.texts, strict=True) if c]
    right = sum(1 for w, c in pairs if w.startswith(re.sub(r"\s*(?:…|\.\.\.)$", "", c)))
    return bool(pairs) and right >= 0.9 * len(pairs)


def _cost(draft: _Draft) -> tuple[float, ...]:
    form = {"text": 0.0, "head": 3.0, "tail": 4.0, "class": 5.0}.get(
        draft.attr, 1.0 if draft.attr in ("href", "src", "datetime", "content") else 2.0
    )
    return (
        round(1 - draft.choice.agreement, 2),
        form + draft.own * 0.5 + (3 if draft.choice.index else 0) + relative.fragility(draft.choice.selector),
    )


def _slot(draft: _Draft, number: int, size: int) -> Slot:
    filled = [text for text in draft.texts if text]
    flat = [text for found in draft.lists for text in found] if draft.many else filled
    draft.label = label = draft.label or prefix_of(filled)
    said = [text.removeprefix(label).strip() for text in filled]
    kind: FieldType = "list" if draft.many else values.type_of_all(said, draft.attr)
    return Slot(
        id=f"s{number}",
        selector="+ " * draft.place.step + draft.choice.selector,
        attr=draft.attr,
        index=draft.choice.index,
        own=draft.own,
        many=draft.many,
        type=kind,
        names=tuple(dict.fromkeys((*_names(draft), *draft.names)))[:10],
        label=label,
        header=draft.header,
        coverage=round(len(filled) / size, 3) if size else 0.0,
        distinct=round(len(set(filled)) / len(filled), 3) if filled else 0.0,
        samples=samples_of(flat, links=draft.attr == "href"),
        vocabulary=draft.vocabulary,
    )


def _names(draft: _Draft) -> tuple[str, ...]:
    texts = [text for text in draft.texts[:20] if text]
    names = names_of(draft.place.elements(), draft.attr, draft.header, draft.label, texts)
    words = set(map(_in_words, draft.vocabulary))
    return tuple(name for name in names if name not in words)


def _is_label(wanted: Sequence[Sequence[Element]], texts: Sequence[str]) -> bool:
    """A label, not a value: the same in every record that has it, with a colon behind it or in a label's element."""
    said = set(filter(None, texts))
    tag = next((element.tag for found in wanted for element in found), "")
    return len(said) == 1 < len(texts) and (tag in ("dt", "th", "label") or said.pop().endswith((":", "：")))


def prefix_of(texts: Sequence[str]) -> str:
    """A label that all the texts start with ("Author: "), "" where there is none."""
    if len(texts) < 2:
        return ""
    head = shared_start(texts)[:40]
    label = head[: max(head.rfind(":"), head.rfind("：")) + 1]
    address = "//" in min(texts)[: len(label) + 2]
    return label if 1 < len(label) <= 30 and any(c.isalpha() for c in label) and not address else ""


def samples_of(texts: Sequence[str], limit: int = 12, *, links: bool = False) -> tuple[str, ...]:
    """A few values: the first ones, then one of each further shape (digits and letters blurred), so that conversions
    can be fitted to all that was seen; of links the last one, too: it leads to a page unlike those of the first."""
    out: list[str] = []
    shapes: set[str] = set()
    unlike = list(dict.fromkeys(texts))
    for text in unlike[:3]:
        out.append(text)
        shapes.add(shape_of(text))
    for text in unlike:
        if len(out) >= limit:
            break
        shape = shape_of(text)
        if shape not in shapes:
            shapes.add(shape)
            out.append(text)
    if links and unlike and unlike[-1] not in out:
        out.append(unlike[-1])
    return tuple(text if len(text) <= 160 else text[:157] + "…" for text in out)


@lru_cache(maxsize=8192)
def shape_of(text: str) -> str:
    """A text with runs of digits and of letters blurred."""
    return _LETTERS.sub("a", _DIGITS.sub("9", text[:80]))


def names_of(elements: Sequence[Element], attr: str, header: str, label: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Likely names of a value in lower case, best first: machine markup, heading, label, class and id words, kind."""
    element, tag = elements[0], str(elements[0].tag)
    names = [_in_words(value.rpartition(":")[2]) for key in _MARKED if (value := element.get(key))]
    names += [squeeze(re.sub(r"[^\w\s%#]+", " ", text)).lower() for text in (header, label) if text]
    if attr.startswith("data-"):
        names.append(_in_words(attr[5:]))
    names += _class_names(element)
    if match := re.match(r"^([A-Za-z_-]{3,})[-_]?\d", element.get("id") or ""):
        names.append(_in_words(match[1]))
    names += ((element.get("rel") or "").lower(), *_ATTR_NAMES.get(attr, ()))
    if attr in ("text", "head"):
        names += _TAG_NAMES.get(tag, ())
    if tag == "th" and element.get("scope") == "row":
        names.append("title")
    above = list(itertools.islice(element.iterancestors(), 2 if tag in INLINE else 1))
    for box in above:
        if not any(names):
            names += (*_class_names(box), *(_TAG_NAMES.get(str(box.tag), ()) if attr in ("text", "title") else ()))
    if attr in ("text", "title") and any(box.tag in HEADINGS[:4] for box in above):
        names.append("title")
    if attr == "text" and (match := _TARGET.search(element.get("href") or "")):
        names.append(match[1])
    some = texts[:20] if all(child.tag in INLINE for child in element) else ()  # a block of values is none of them
    if some and sum(map(values.is_price, some)) >= len(some) * 0.7:
        names.append("price")
    return tuple(dict.fromkeys(name for name in names if name))[:8]


def _class_names(element: Element) -> list[str]:
    kept = (name if stability(name) == 2 else module_of(name) for name in classes_of(element))
    return [_in_words(name) for name in kept if name]


def _in_words(name: str) -> str:
    return " ".join(words_of(name))
