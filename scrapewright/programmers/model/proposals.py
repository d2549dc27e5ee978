"""What of a survey's proposals is worth a place in a prompt: none that says again what another one does."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from scrapewright.survey.model import Group, Survey

SELECTOR = 200
"""Characters of a selector: a longer one serves nobody who writes by hand."""
SAME = 0.8
"""The share of a group's values that another one has, from which on it is a repetition of that."""
NEARLY = 0.7


def worth_showing(survey: Survey) -> tuple[Survey, list[str]]:
    """The survey without what repeats, and a line for each repetition of the first group with nearly as many records:
    which of them is right the request may say."""
    kept: list[Group] = []
    lines: list[str] = []
    for group in survey.groups:
        short = tuple(slot for slot in group.slots if len(slot.selector) <= SELECTOR)
        shown = msgspec.structs.replace(group, slots=short)
        like = next((known for known in kept if _repeats(shown, known)), None)
        if like is None:
            kept.append(shown)
        elif (
            like is kept[0] and group.count != like.count and group.count * NEARLY <= like.count <= group.count / NEARLY
        ):
            lines.append(f"GROUP 1 by another selector: {group.count} of {group.selector!r}")
    return msgspec.structs.replace(survey, groups=tuple(kept)), lines


def _repeats(group: Group, known: Group) -> bool:
    said, said_there = _values(group), _values(known)
    return bool(said) and len(said & said_there) >= SAME * len(said)


def _values(group: Group) -> set[tuple[str, Sequence[str]]]:
    return {(slot.attr, slot.samples) for slot in group.slots if slot.samples}
