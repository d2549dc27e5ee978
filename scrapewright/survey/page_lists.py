"""The lists of a page that is one record. In: the page's tree and the groups found on it. Out: a slot of several values
for each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from scrapewright.survey import css, relative, slots
from scrapewright.survey.dom import Element, Tree, classes_of, stability, text_of, words_of
from scrapewright.survey.model import Group, Slot
from scrapewright.survey.observe import label_before, label_inside
from scrapewright.survey.records import context_of

MAX_VALUE = 2000
MOST_LISTS = 24
MOST_ITEMS = 80
_BETWEEN = " \t\r\n\u00a0,;|/·•–-"
_LONGEST = 200
"""Letters of one of the values behind a label."""


def listed_in(tree: Tree, below: css.Within, groups: Sequence[Group]) -> list[Slot]:
    """The page's lists as values of its one record: those of its markup's elements, what is linked in their items, what
    a label is followed by several of, and groups of short texts."""
    body = tree.elements[0]
    found: dict[tuple[str, ...], Slot] = {}
    for i, element in enumerate(tree.elements):
        if len(found) >= MOST_LISTS:
            break
        if tree.region(i) in _FRAME:
            continue
        if tree.tags[i] in ("ul", "ol"):
            items = [item for item in element.iterchildren("li") if text_of(item)]
            if not 1 < len(items) <= MOST_ITEMS or tree.size[i] > MOST_ITEMS * MAX_VALUE // 4:
                continue
            label, kinds = context_of(tree, i), [items, *([linked] if (linked := _linked(items)) else [])]
        elif (label := label_before(element)) and (items := _labelled(element)):
            kinds = [items]
        else:
            continue
        for members in kinds:
            if (texts := _texts(members)) in found:
                continue
            choice = relative.choose(below, [members], many=True)
            if choice is not None and choice.agreement >= 1.0:
                found[texts] = _list_slot(choice.selector, members, label, texts)
    for group in groups:
        if group.kind == "list" and not group.form and group.region not in _FRAME:
            members = css.select_all(body, group.selector)
            filled = [text for text in map(text_of, members[:MOST_ITEMS]) if text]
            if len(filled) > 1 and max(map(len, filled)) <= MAX_VALUE and (texts := _texts(members)) not in found:
                found[texts] = _list_slot(group.selector, members, group.context, texts)
    return list(found.values())[:MOST_LISTS]


_FRAME = ("nav", "footer", "header")
"""Of the parts around a page's subject those that list nothing of it; what is beside it may."""


def _linked(items: Sequence[Element]) -> list[Element]:
    """The one link of each item, where some say more than what is linked: the names in "Ada Roe (editor)"."""
    links = [list(item.iter("a")) for item in items]
    if any(len(one) != 1 or not text_of(one[0]) for one in links):
        return []
    found = [one[0] for one in links]
    return found if any(text_of(link) != text_of(item) for link, item in zip(found, items, strict=True)) else []


def _labelled(first: Element) -> list[Element]:
    """The elements of one kind that are behind a label, with nothing but marks between them: those that all of the
    first one's text is in, or it and all that follow it in its box. "Authors: <a>A. Roe</a>, <a>B. Poe</a>"."""
    row = [first, *islice(first.itersiblings(), MOST_ITEMS)]
    between = [item.tail or "" for item in row[:-1]]
    return _of_one_kind(list(first), [first.text, *(item.tail for item in first)]) or (
        _of_one_kind(row, between) if all(text.strip() for text in between) else []
    )


def _of_one_kind(items: list[Element], between: Sequence[str | None]) -> list[Element]:
    """The items where they are several short values of one tag, and what is between them only parts them; else []."""
    if not 1 < len(items) <= MOST_ITEMS or items[0].tag not in _VALUES or len({item.tag for item in items}) > 1:
        return []
    plain = all(0 < len(text_of(item)) <= _LONGEST and not label_inside(item) for item in items)
    return items if plain and not any((text or "").strip(_BETWEEN) for text in between) else []


_VALUES = frozenset(("a", "div", "p", "span", "b", "strong", "em", "i", "code"))


def _texts(items: Sequence[Element]) -> tuple[str, ...]:
    return tuple(text_of(item)[:300] for item in items)


def _list_slot(selector: str, items: Sequence[Element], context: str, texts: tuple[str, ...]) -> Slot:
    names = slots.names_of([items[0]], "text", "", context, texts)
    for above in list(items[0].iterancestors())[:2]:
        names += tuple(" ".join(words_of(name)) for name in classes_of(above) if stability(name) == 2)
    return Slot("", selector, many=True, type="list", names=names[:6], label=context, samples=texts[:3])
