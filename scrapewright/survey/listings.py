"""Tables written as preformatted text: where their columns begin, and which lines are records."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

_RULE = re.compile(r"[-=_+| ]*[-=_]{2,}[-=_+| ]*")
_GAP = re.compile(r"\S {2,}\S")
LEAST = 3


class Listing(msgspec.Struct, frozen=True):
    """Columns of text lines. `cuts`: where each begins. `head` and `tail`: lines before and behind the records.
    `headings`: the column names, empty where no line has them."""

    cuts: tuple[int, ...]
    head: int
    tail: int
    headings: tuple[str, ...]


def columns_of(lines: Sequence[str], rules: Sequence[int] = ()) -> Listing | None:
    """How lines (those that say something) are cut into columns; None where they are running text.

    `rules`: numbers of the lines that a ruled line precedes.
    """
    first, last = _block(lines, rules)
    if last - first < LEAST:
        return None
    body = lines[first:last]
    blank = _blanks(body)
    cuts = _cuts(body, blank)
    if len(cuts) < 2:
        return None
    heading = _heading(lines[first - 1], body, cuts) if first else ()
    if not heading and not rules:
        named = _heading(body[0], body[1:], cuts)
        if named and len(body) > LEAST:
            return Listing(cuts, first + 1, len(lines) - last, named)
    return Listing(cuts, first, len(lines) - last, heading)


def is_rule(line: str) -> bool:
    """A line drawn with dashes, as under column names."""
    return bool(_RULE.fullmatch(line.strip()))


def _block(lines: Sequence[str], rules: Sequence[int]) -> tuple[int, int]:
    """The longest run of lines with gaps in them, behind the first ruled line if there is one."""
    start = rules[0] if rules and rules[0] < len(lines) - 1 else 0
    stop = next((rule for rule in rules if rule >= start + LEAST), len(lines))
    best, at = (0, 0), start
    while at < stop:
        end = at
        while end < stop and _GAP.search(lines[end]):
            end += 1
        if end - at > best[1] - best[0]:
            best = at, end
        at = end + 1
    return best


def _blanks(lines: Sequence[str]) -> list[bool]:
    """For each place whether it is blank in all the lines."""
    width = max(map(len, lines))
    return [all(at >= len(line) or line[at] == " " for line in lines) for at in range(width)]


def _cuts(lines: Sequence[str], blank: Sequence[bool]) -> tuple[int, ...]:
    """Where the columns begin: behind gaps of two blanks in all lines, or of one between figures and words."""
    cuts = [0]
    at = next((place for place, empty in enumerate(blank) if not empty), 0)
    while at < len(blank):
        end = at
        while end < len(blank) and not blank[end]:
            end += 1
        after = end
        while after < len(blank) and blank[after]:
            after += 1
        if after >= len(blank):
            break
        sides = _figures(lines, at, end), _figures(lines, after, _column_end(blank, after))
        clocks = after - end == 1 and _clocks(lines, after, _column_end(blank, after))
        if after - end >= 2 or (sides[0] != sides[1] and not clocks):
            cuts.append(end + 1 if _right_aligned(lines, after, _column_end(blank, after)) else after)
        at = after
    return tuple(cuts)


def _column_end(blank: Sequence[bool], start: int) -> int:
    return next((place for place in range(start, len(blank)) if blank[place]), len(blank))


def _figures(lines: Sequence[str], start: int, end: int) -> bool:
    cells = [line[start:end].strip() for line in lines]
    return all(re.fullmatch(r"[\d.,:/+-]*\d[\d.,:/+-]*[%KMGkm]?|-", cell) for cell in cells if cell) and any(cells)


def _clocks(lines: Sequence[str], start: int, end: int) -> bool:
    """Times of day, which belong to the date before them."""
    cells = [line[start:end].strip() for line in lines]
    return all(re.fullmatch(r"\d{1,2}:\d{2}(?::\d{2})?", cell) for cell in cells if cell) and any(cells)


def _right_aligned(lines: Sequence[str], start: int, end: int) -> bool:
    cells = [line[start:end] for line in lines if line[start:end].strip()]
    return len(cells) > 1 and all(len(cell) == end - start for cell in cells) and any(c[0] == " " for c in cells)


def _heading(line: str, body: Sequence[str], cuts: Sequence[int]) -> tuple[str, ...]:
    """The column names in a line, where each is above its column and none has a figure; () for any other line."""
    if any(c.isdigit() for c in line) or not any(c.isdigit() for text in body for c in text):
        return ()
    names: list[list[str]] = [[] for _ in cuts]
    for word in re.finditer(r"\S+(?: \S+)*", line):
        overlap = [
            _overlap(word.span(), body, start, end) for start, end in zip(cuts, [*cuts[1:], 10_000], strict=True)
        ]
        best = max(range(len(cuts)), key=lambda k: overlap[k])
        if overlap[best] > 0:
            names[best].append(word[0])
        else:
            return ()
    if sum(map(bool, names)) < max(2, len(cuts) - 1) or any(len(found) > 1 for found in names):
        return ()
    return tuple(" ".join(found) for found in names)


def _overlap(span: tuple[int, int], body: Sequence[str], start: int, end: int) -> int:
    """How many places a word shares with a column of the body."""
    width = max(len(line) for line in body)
    return min(span[1], end, max(width, span[1])) - max(span[0], start)
