"""The records of a group in a document, those among them that no element holds: runs of siblings in a box of their own.

Slots are found and read in such boxes as in any record. The generated program makes them with BeautifulSoup
(programmers.rules.helpers).
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

from lxml import etree

from scrapewright.survey import css
from scrapewright.survey.model import Group

Element = etree._Element


def records(root: Element, group: Group) -> list[Element]:
    """A group's records in a document, in order. Raises css.BadSelector for a selector that is not understood."""
    made = css.select_all(root, group.selector)
    if group.form == "run":
        made = runs(made, css.select_all(root, group.until) if group.until else ())
    return made


def runs(starts: Sequence[Element], ends: Sequence[Element] = ()) -> list[Element]:
    """Copies of each start and all that follows it under its parent, up to the next start or end, in a box."""
    stop = {*starts, *ends}
    boxes = []
    for start in starts:
        box = etree.Element("section")
        box.append(deepcopy(start))
        for sibling in start.itersiblings():
            if sibling in stop:
                break
            box.append(deepcopy(sibling))
        boxes.append(box)
    return boxes
