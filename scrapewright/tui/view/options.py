"""The options of a question about records, a column or pages, as lines: what each is, where it is, its samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scrapewright.session.questions import Option
from scrapewright.tui.view.cells import EMPTY, cells, fit, flat, from_where_they_differ
from scrapewright.tui.view.spans import QUIET, Spans

SAMPLE = 28
"""Cells of one sample where several are on a line."""
NAME = 34
"""Cells at most of what an option is called, where its place or samples need the others."""
JOINT = " · "


def option_lines(options: Sequence[Option], width: int, most: int, *, marked: int | None = -1) -> list[Spans]:
    """The options in `most` lines of `width` cells at most.

    Each has a line with its number, name and place, and below it the samples where there is room for that; else all in
    one line. The option at index `marked` is drawn as chosen; None: the numbers are no keys now, and not drawn as such.
    """
    if not options:
        return []
    tall = len(options) + sum(bool(option.samples) for option in options) <= most
    lines: list[Spans] = []
    for number, option in enumerate(options, 1):
        on = number - 1 == marked
        style = QUIET if marked is None else "bold reverse $primary" if on else "bold reverse $warning"
        key = (f" {number} ", style)
        room = max(8, width - 4)
        longest = max(NAME, room - cells(option.where) - 2) if tall else NAME
        name = max(1, min(cells(option.text), room, longest))
        head: Spans = [key, (" ", ""), (fit(option.text, name), "bold")]
        left = room - name - 2
        if tall:
            if option.where and left > 3:
                head += [("  ", ""), (fit(option.where, min(left, cells(option.where)), middle=True), QUIET)]
            lines.append(head)
            if option.samples:
                lines.append([("    ", ""), *samples_line(option.samples, width - 4)])
        else:
            lines.append([*head, ("  ", ""), *samples_line(option.samples, left)] if left > 8 else head)
    return lines[:most]


def samples_line(samples: Sequence[Any], width: int) -> Spans:
    """As many samples as `width` cells hold; a sample that is alone there takes all of it."""
    if not samples or width < 2:
        return []
    line: Spans = []
    used = 0
    texts = from_where_they_differ([sample_text(sample) for sample in samples])
    for number, (sample, text) in enumerate(zip(samples, texts, strict=True)):
        joint = JOINT if number else ""
        alone = number == 0 and cells(text) > width - SAMPLE
        room = min(width - used - cells(joint), width if alone else SAMPLE)
        if room < min(4, cells(text)):
            break
        shown = fit(text, min(room, max(1, cells(text))))
        line += [(joint, QUIET), (shown, "" if sample not in (None, "", []) else QUIET)]
        used += cells(joint) + cells(shown)
    return line


def sample_text(sample: Any) -> str:
    """A sample as it is drawn: numbers and truth values as Python writes them, lists with their items in brackets."""
    if sample is None or sample == "" or sample == []:
        return EMPTY
    if isinstance(sample, list):
        return "[" + ", ".join(map(sample_text, sample)) + "]"
    return flat(str(sample)).strip() or EMPTY
