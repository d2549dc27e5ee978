"""Lines up what is in the records of a group: which element of one record answers which of the next.

Elements are first lined up by their tag path in the record (cells by their column), then distinguished by class, by the
label before them, and at last by position: a partial tree alignment on paths instead of on whole trees
(after Zhai and Liu, "Web data extraction based on partial tree alignment", WWW 2005).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from scrapewright.survey import css
from scrapewright.survey.dom import Element, classes_of, module_of, squeeze, stability, text_of, words_of

_CELLS = frozenset(("td", "th", "dd", "dt"))
_TABLE_CELLS = frozenset(("td", "th"))
"""Cells that are distinguished by their number. The descriptions of a single term are several of a kind instead."""
_LABEL_TAGS = frozenset(
    ("b", "strong", "dt", "th", "label", "em", "span", "i", "small", "td", "div", "h4", "h5", "h6", "font", "p")
)
_SKIPPED = frozenset(
    ("option", "script", "style", "template", "noscript", "svg", "path", "br", "hr", "wbr", "colgroup", "col")
)
MAX_PER_RECORD = 400


@dataclass(slots=True, eq=False)
class Place:
    """Elements that answer each other: for each record those that are at this place (none, one or several).

    `step` is 0 inside the record, else the number of siblings to the right. `order` is their order on the page.
    """

    step: int
    path: tuple[str, ...]
    order: int
    found: list[list[Element]]
    label: str = ""

    @property
    def records(self) -> int:
        return sum(1 for found in self.found if found)

    @property
    def most(self) -> int:
        return max((len(found) for found in self.found), default=0)

    @property
    def first(self) -> Element:
        return next(element for found in self.found for element in found)

    def elements(self) -> list[Element]:
        return [element for found in self.found for element in found]

    def split(self, names: dict[Element, str]) -> list[Place]:
        """One place per name; elements without one are left out."""
        parts: dict[str, Place] = {}
        for k, found in enumerate(self.found):
            for element in found:
                if element not in names:
                    continue
                name = names[element]
                if name not in parts:
                    path = (*self.path[:-1], f"{self.path[-1] if self.path else ''}/{name}")
                    parts[name] = Place(self.step, path, self.order, [[] for _ in self.found], self.label)
                parts[name].found[k].append(element)
        return list(parts.values())


def places(scopes: Sequence[Sequence[Element | None]]) -> list[Place]:
    """Places of a group. `scopes[step][k]` is record k (step 0) or its step-th sibling, None where there is none."""
    found: dict[tuple[int, tuple[str, ...]], Place] = {}
    for step, elements in enumerate(scopes):
        for k, scope in enumerate(elements):
            for path, element in _walk(scope) if scope is not None else ():
                if (step, path) not in found:
                    found[step, path] = Place(step, path, len(found), [[] for _ in elements])
                found[step, path].found[k].append(element)
    out = [part for place in found.values() for part in _refined(place)]
    out += _current(out)
    out += _alike(out)
    return sorted(out, key=lambda place: (place.step, place.order))


STRUCK = ("del", "s", "strike")
"""Tags of what no longer holds: the price before the sale."""


def struck_by(element: Element) -> str:
    """The tag that strikes an element out, "" where none does."""
    return next((str(above.tag) for above in element.iterancestors(*STRUCK)), "")


def _current(places: Sequence[Place]) -> list[Place]:
    """Values that are deeper in some records, beside a struck one of the same name, each kind as one place.

    "<del><b class=sum>49</b></del> <ins><b class=sum>39</b></ins>" on sale, and "<b class=sum>120</b>" else.
    """
    alike: defaultdict[tuple[int, str, tuple[str, ...]], list[Place]] = defaultdict(list)
    for place in places:
        element = place.first
        alike[place.step, str(element.tag), _names(element)].append(place)
    return [whole for (_, _, names), kin in alike.items() if names for whole in _beside_struck(kin)]


def _beside_struck(kin: Sequence[Place]) -> list[Place]:
    """The places of one name that are not struck out as one: those in what the struck ones are in, where these make
    one, as there may be sums of another kind (the price of a kilogram)."""
    current = [one for one in kin if not struck_by(one.first)]
    if not 1 < len(current) < len(kin):
        return []
    boxes = {one.path[: -_depth_struck(one.first)] for one in kin if one not in current}
    near = [one for one in current if any(one.path[: len(box)] == box for box in boxes)]
    return (_whole(near, first=True) if near else []) or _whole(current, first=True)


def _depth_struck(element: Element) -> int:
    """How many levels an element is below what the tag that strikes it out is in."""
    return 2 + next(n for n, above in enumerate(element.iterancestors()) if above.tag in STRUCK)


def _alike(places: Sequence[Place]) -> list[Place]:
    """Links that say the same in all records ("Agenda"), each kind as one place where they are in several: in
    tables of unlike columns, in rows that lack a link."""
    said: defaultdict[tuple[int, str], list[Place]] = defaultdict(list)
    for place in places:
        texts = {text_of(element) for element in place.elements()} if place.first.tag == "a" else set()
        if place.most == 1 and len(texts) == 1 and 2 < len(text := texts.pop()) <= 30 and text.isprintable():
            said[place.step, text].append(place)
    return [place for (_, text), kin in said.items() if len(kin) > 1 for place in _whole(kin, text)]


def _whole(kin: Sequence[Place], label: str = "", *, first: bool = False) -> list[Place]:
    """The places as one, where no record has several of them (of a range "49 to 60" the first counts for `first`) and
    more records have one than in any of the places."""
    order = min(place.order for place in kin)
    whole = Place(kin[0].step, kin[0].path, order, [[] for _ in kin[0].found], label)
    for place in kin:
        for mine, theirs in zip(whole.found, place.found, strict=True):
            mine.extend(element for element in theirs[: 1 if first and not mine else None] if element not in mine)
    return [whole] if whole.most == 1 and whole.records > max(place.records for place in kin) else []


def _walk(scope: Element) -> list[tuple[tuple[str, ...], Element]]:
    """The scope's elements with their paths, in document order; the scope itself has the empty path."""
    out: list[tuple[tuple[str, ...], Element]] = [((), scope)]
    stack: list[tuple[Element, tuple[str, ...]]] = [(scope, ())]
    while stack and len(out) < MAX_PER_RECORD:
        parent, path = stack.pop()
        columns: Counter[str] = Counter()
        inner: list[tuple[Element, tuple[str, ...]]] = []
        numbered = _CELLS if sum(1 for _ in parent.iterchildren("dt")) != 1 else _TABLE_CELLS
        for child in parent.iterchildren("*"):
            tag = str(child.tag)
            if tag not in _SKIPPED or _says(child):
                columns[tag] += 1
                inner.append((child, (*path, f"{tag}:{columns[tag]}" if tag in numbered else tag)))
        stack.extend(pair for pair in reversed(inner) if len(pair[0]))
        out.extend((p, e) for e, p in inner)
    return out


def _says(element: Element) -> bool:
    """Whether an element without a text of its own is a value all the same: a text follows it, or it is a drawing
    that is named for those who don't see it."""
    named = element.tag == "svg" and (element.get("aria-label") or "").strip()
    return bool(named or (element.tail and element.tail.strip()))


def _refined(place: Place) -> list[Place]:
    if place.records < 1 or not place.path:
        return [place]
    parts = _by_class(place)
    # A cell's class tells its state ("up", "down") as often as its kind: the column stays one place as well.
    out: list[Place] = [place] if len(parts) > 1 and place.most <= 1 and place.path[-1][:3] in ("td:", "th:") else []
    for part in parts:
        if part.most <= 1:
            out.append(part)
            continue
        out.extend(_by_label(part) or _by_sign(part) or [*_by_said(part), *(_by_target(part) or [part])])
    return out


def _by_class(place: Place) -> list[Place]:
    """Split by the class (or itemprop) that names an element, where one path holds differently named ones."""
    size, elements = len(place.found), place.elements()
    said = {element: _names(element) for element in elements}
    frequency = Counter(name for found in place.found for name in {n for element in found for n in said[element]})
    if not frequency:
        return [place]
    if place.most <= 1:
        common = set(said[elements[0]]).intersection(*said.values())
        if common or sum(1 for n in frequency.values() if n >= max(2, size * 0.15)) < 2:
            return [place]
    names = {e: max(said[e], key=frequency.__getitem__, default="") for e in elements}
    if place.most <= 1 and size > 4:
        names = {e: name if frequency[name] >= max(2, size * 0.05) else "" for e, name in names.items()}
    out: list[Place] = []
    for part in place.split(names):
        finer = part.split({e: ".".join(said[e]) for e in part.elements()}) if part.most > 1 else []
        good = all(one.most <= 1 and one.records >= max(2, part.records * 0.3) for one in finer)
        out += finer if len(finer) > 1 and good else [part]
    return out


def _names(element: Element) -> tuple[str, ...]:
    return _named(element.get("class") or "", *map(element.get, _MARKED))


_MARKED = ("itemprop", "property", "data-testid", "rel")


@lru_cache(maxsize=4096)
def _named(classes: str, *marks: str | None) -> tuple[str, ...]:
    kept = (name if stability(name) else module_of(name) for name in classes.split())
    return (*(f"[{mark}]" for mark in marks if mark), *filter(None, kept))


def _by_label(place: Place) -> list[Place]:
    """Split by the label before each element."""
    beside = _paired(place)
    heads = set(beside.values())
    labels = {
        element: text_of(beside[element]) if element in beside else label_before(element) or label_inside(element)
        for element in place.elements()
        if element not in heads
    }
    return _by_name(place, {element: [label] if label else [] for element, label in labels.items()}, 1 if heads else 2)


def _by_sign(place: Place) -> list[Place]:
    """Split by what an attribute or an icon says of each element, unless that is all that there is to read.

    "<li aria-label=baths>2</li>", "<li><i class=icon-bath></i> 2</li>"
    """
    said = {element: [name for name, _ in signs_of(element)] for element in place.elements()}
    return _by_name(place, said) if any(map(text_of, said)) else []


def _by_said(place: Place) -> list[Place]:
    """The links that say what comes back from record to record and leads elsewhere from each, by that: "http | ftp |
    rsync". A tag leads to the same page from all records."""
    if place.first.tag != "a":
        return []
    leads: defaultdict[str, set[str]] = defaultdict(set)
    texts = {element: text_of(element) for element in place.elements()}
    for element, text in texts.items():
        leads[text].add(element.get("href") or "")
    telling = {text for text, targets in leads.items() if 1 < len(text) <= 30 and len(targets) > 1}
    parts = _by_name(place, {element: [text] if text in telling else [] for element, text in texts.items()})
    return [part for part in parts if part is not place and part.label]


def _by_name(place: Place, said: dict[Element, list[str]], least: int = 2) -> list[Place]:
    """Split by the names that are said of each element (those of which nothing is, not even none, are left out), where
    `least` of them come back from record to record, once in each; where some elements have no such name, all of them
    stay one place as well."""
    size, several = len(place.found), set[str]()
    frequency: Counter[str] = Counter()
    for found in place.found:
        here = Counter(name for element in found for name in set(said.get(element, ())))
        frequency.update(here.keys())
        several.update(name for name, count in here.items() if count > 1)
    known = {name for name, count in frequency.items() if count >= max(2, size * 0.2) and name not in several}
    names = {element: next(filter(known.__contains__, found), "") for element, found in said.items()}
    named = list(filter(None, names.values()))
    rest = len(set(named)) < least or len(named) < 0.7 * len(names)
    if rest:  # it is of no kind, but what most records have under one label is
        known = {name for name in known if name.endswith((":", "：")) and frequency[name] >= 0.7 * size}
        names = {element: name if name in known else "" for element, name in names.items()}
    parts = place.split(names) if known else []
    for part in parts:
        part.label = names[part.first]
    kept = [part for part in parts if part.label or rest]
    return kept if all(part.label for part in parts) else [*kept, place]


def signs_of(element: Element) -> list[tuple[str, str]]:
    """What an element's attribute for those who can't see it, or the icon that it begins with, says of it: each name
    with the condition on the element in a selector."""
    out = []
    for attr in ("aria-label", "title"):
        name = element.get(attr) or ""
        if 1 < len(name) <= 40 and css.quotable(name) and not any(c.isdigit() for c in name):
            out.append((name, f'[{attr}="{name}"]'))
    icon = next(iter(element), None)
    if icon is None or icon.tag not in ("i", "svg", "span", "em") or text_of(icon) or (element.text or "").strip():
        return out
    drawn = icon.find("use")
    shown = drawn.get("href") or "" if drawn is not None else ""
    if len(shown) > 2 and css.quotable(shown):
        out.append((" ".join(words_of(shown.rpartition("#")[2])), f':has(use[href="{shown}"])'))
    for name in classes_of(icon):
        if stability(name) == 2 and css.is_identifier(name):
            out.append((" ".join(words_of(name)), f":has(> {icon.tag}.{name})"))
    return out


def _paired(place: Place) -> dict[Element, Element]:
    """Of labels and values in turn, each value's label: both are in this place, or each two make a line of their
    own. Empty where the first of each two does not come back from record to record.

    "<div><div>Area</div><div>54 m²</div></div>", "<span>Area</span><span>54 m²</span><span>Rent</span>…"
    """
    pairs: dict[Element, Element] = {}
    for found in place.found:
        lines = [line_label(element) for element in found]
        if found and all(line is not None for line in lines):
            pairs.update((element, line) for element, line in zip(found, lines, strict=True) if line is not None)
            continue
        turns = list(zip(found[::2], found[1::2], strict=False))
        if len(found) % 2 or any(value.getprevious() is not head for head, value in turns):
            return {}
        pairs.update((value, head) for head, value in turns)
    if len({head.get("href") for head in pairs.values()}) > 1:
        return {}  # links that lead elsewhere in each record are values themselves
    said: Counter[str] = Counter(text_of(head) for head in pairs.values())
    if any(len(text) > 40 or not text[:1].isalpha() or any(c.isdigit() for c in text) for text in said):
        return {}
    steady = sum(count for count in said.values() if count >= max(2, 0.5 * place.records))
    return pairs if steady >= 0.7 * len(pairs) else {}


def line_label(element: Element) -> Element | None:
    """The first of two elements that make a line with nothing else in it, where the other is the second."""
    head, line = element.getprevious(), element.getparent()
    if head is None or line is None or head.tag in ("br", "img", "input", "a"):
        return None
    if element.getnext() is not None or head.getprevious() is not None:
        return None  # lxml counts all of a box's parts for its length
    loose = (line.text, head.tail, element.tail)
    return head if isinstance(head.tag, str) and not any(text and text.strip() for text in loose) else None


def _by_target(place: Place) -> list[Place]:
    """Split links by the kind of page they lead to ("user?id=", "/tag/"), where each kind comes once a record."""
    if place.first.tag != "a":
        return []
    kinds = {element: target_kind(element.get("href") or "") for element in place.elements()}
    once = all(len({kinds[element] for element in found}) == len(found) for found in place.found)
    return place.split(kinds) if once and 2 <= len(set(kinds.values())) <= 8 else []


def target_kind(href: str) -> str:
    """What a link's address says of the page behind it: page and first parameter, or the first part of the path."""
    path, _, query = href.partition("?")
    if query:
        return f"{path.rsplit('/', 1)[-1]}?{query.partition('=')[0]}"
    parts = [part for part in path.split("//", 1)[-1].split("/")[1 if "//" in path else 0 :] if part]
    return parts[0] if len(parts) > 1 and parts[0].isalpha() else ""


_LETTERS_OF_LABEL = 3
"""Of less text between two elements nobody calls anything."""


def label_before(element: Element) -> str:
    """The text that comes right before an element: a text node, or a label element's text. "" where none does. What
    begins with a colon is the value of the element before it, whatever that is."""
    previous, parent = element.getprevious(), element.getparent()
    before = previous.tail if previous is not None else parent.text if parent is not None else None
    head = text_of(previous) if previous is not None and previous.tag in _LABEL_TAGS else ""
    head = head if len(head) <= 40 else ""
    if head and text_of(element).startswith((":", "：")) and len((before or "").strip()) < _LETTERS_OF_LABEL:
        return head
    if before and before.strip(" \t\r\n\u00a0|·•,-–()"):
        text = squeeze(before)
        return text if len(text) <= 40 else ""
    if previous is None or not head or len(previous) > 2:
        return ""
    called = head.endswith((":", "：")) or previous.tag in ("dt", "th", "label") or _is_label(previous)
    return head if called else ""


def _is_label(element: Element) -> bool:
    words = (element.get("class") or "").lower()
    return any(word in words for word in ("label", "title", "name", "key", "caption", "term", "heading"))


def label_inside(element: Element) -> str:
    """A label that an element's own text starts with ("Beds: 3" has "Beds:")."""
    text = squeeze(element.text or "")
    head, colon, _ = text.partition(":" if ":" in text else "：")
    return head + colon if colon and 1 < len(head) <= 30 and not head[-1].isdigit() else ""


def constant(labels: Sequence[str], share: float = 0.6) -> str:
    """The label that at least `share` of the records have, "" if there is none or it holds no letter."""
    best, count = max(Counter(labels).items(), key=lambda item: item[1], default=("", 0))
    return best if count >= share * len(labels) and any(c.isalpha() for c in best) else ""
