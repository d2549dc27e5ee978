"""Reads a slot's text out of a record's tags, the way the program will: BeautifulSoup and soupsieve."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from bs4 import BeautifulSoup
from bs4.element import CData, NavigableString, Tag

from scrapewright.programmers.rules.helpers import FORMS, function
from scrapewright.survey import css
from scrapewright.survey.model import Group, Slot


def selection(group: Group) -> tuple[str, int, int]:
    """The records' selector with the skips of CSS in it, and how many to drop at the start and (negative) the end."""
    selector, head, tail, drop = group.selector, 0, 0, []
    for skip in group.skip:
        if re.fullmatch(r":\d+", skip):
            head = int(skip[1:])
        elif re.fullmatch(r"-\d+", skip):
            tail = int(skip)
        else:
            drop.append(skip)
    if drop:
        joined = ", ".join(drop)
        selector = ", ".join(f"{member}:not({joined})" for member in css.members(selector))
    return selector, head, tail


def steps_of(slot: Slot) -> tuple[int, bool, str]:
    """(siblings to step over, whether it looks back in the document, the selector that is left)."""
    selector, siblings = slot.selector, 0
    if selector.startswith("^ "):
        return 0, True, selector[2:]
    while selector.startswith("+ ") or selector == "+":
        selector = selector[2:]
        siblings += 1
    return siblings, False, selector


def elements_at(record: Tag, slot: Slot) -> list[Tag]:
    """The elements that a slot names in a record or after it: all of them for `many`, else one or none."""
    siblings, _, selector = steps_of(slot)
    base: Tag | None = record
    for _ in range(siblings):
        if base is None:
            return []
        found = base.find_next_sibling()
        base = found if isinstance(found, Tag) else None
    if base is None:
        return []
    if not selector:
        return [base]
    if slot.index == 0 and not slot.many:
        return list(base.select(selector, limit=1))
    matches = list(base.select(selector))
    if slot.many:
        return matches
    return [matches[slot.index]] if -len(matches) <= slot.index < len(matches) else []


def text_of(elements: Sequence[Tag], slot: Slot, joint: str = " ") -> str | None:
    """The elements' text, or None. Lists are joined with "; "."""
    return joined(_value(element, slot, joint) for element in elements)


def joined(texts: Iterable[str]) -> str | None:
    """The texts that are not empty as one, or None where there is none."""
    found = [text for text in texts if text]
    return "; ".join(found) if found else None


def _value(element: Tag, slot: Slot, joint: str) -> str:
    if slot.attr == "tail":
        return " ".join(tail_text(element).split())
    if slot.attr == "head":
        return " ".join(head_text(element).split())
    if slot.attr == "text":
        if slot.own:
            own = element.find_all(string=True, recursive=False)
            return " ".join(" ".join(str(text) for text in own if type(text) in (NavigableString, CData)).split())
        return " ".join(element.get_text(joint).split())
    value = element.get(slot.attr)
    return " ".join(value) if isinstance(value, list) else str(value or "").strip()


def head_text(element: Tag) -> str:
    """The text at an element's beginning, before the first element in it."""
    texts = []
    for node in element.children:
        if isinstance(node, Tag):
            break
        if type(node) in (NavigableString, CData):
            texts.append(str(node))
    return "".join(texts)


def tail_text(element: Tag) -> str:
    """The text right behind an element, up to the next one."""
    texts = []
    for node in element.next_siblings:
        if isinstance(node, Tag):
            break
        if type(node) in (NavigableString, CData):
            texts.append(str(node))
    return "".join(texts)


def formed(soup: BeautifulSoup, group: Group, selector: str) -> list[Tag]:
    """The records of a group that has a form, from what the selector matches. The document may be changed."""
    make = function(FORMS[group.form])
    if group.form == "run":
        return make(soup, selector, group.until or None)
    return make(soup.select(selector), *([group.cuts] if group.form == "text" else []))


_WORDS = re.compile(r"\w+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def runs_together(element: Tag) -> bool:
    """Whether the texts of its parts make one word where nothing is put between them."""
    if element.find(True) is None:
        return False
    if element.find(["br", "p", "div", "li", "td", "tr"]) is not None:
        return True
    glued, apart = element.get_text(""), element.get_text(" ")
    return not _CJK.search(glued) and len(_WORDS.findall(glued)) != len(_WORDS.findall(apart))
