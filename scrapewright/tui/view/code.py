"""What goes beside a program: what changed in it, how often its lines were reached."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence

from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.view.units import compact

LINES_AT_MOST = 20_000
"""Lines of both programs together that are compared; more would take seconds."""
SLOW = 2_000
"""Lines of both together over which comparing may take longer than a key should wait."""
CONTEXT = 3
"""Unchanged lines shown around a change, as diff -u does."""
WORDS_AT_MOST = 400
"""Characters of a line that is compared word by word."""
LINE_AT_MOST = 4_000
"""Characters of a line that are shown where it is not edited."""
EFFORT = 1_000_000
"""Pairs of words in one difference that are compared: a tenth of a second or two, which a key may wait."""
ALIKE = 0.4
"""How much of two lines must agree before the words that differ say more than the lines."""
_NEWLINE = re.compile(r"\r\n|\r|\n")
_SELECTS = re.compile(r"\.(?:select|select_one|find|find_all|xpath|cssselect|json)\(|\bread_html\(")
NEAR = 12
"""Lines that are looked at together."""
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")

Opcode = tuple[str, int, int, int, int]
Words = dict[tuple[int, int], list[tuple[str, bool]]]
"""By side (0 the old one) and line of a replacement: the pieces of the line, and whether each differs."""


def source_lines(code: str) -> list[str]:
    """The lines as Python counts them: a form feed or a line separator inside a string ends none."""
    lines = _NEWLINE.split(code)
    return lines if lines[-1] else lines[:-1]


def opcodes(before: Sequence[str], after: Sequence[str]) -> list[Opcode]:
    """How one sequence of lines becomes the other. Long ones are compared with frequent lines left aside."""
    lines = len(before) + len(after)
    return list(difflib.SequenceMatcher(None, before, after, autojunk=lines > SLOW).get_opcodes())


def added_lines(before: str, after: str) -> list[int]:
    """0-based lines of `after` that are not in `before`."""
    old, new = source_lines(before), source_lines(after)
    if len(old) + len(new) > LINES_AT_MOST:
        return []
    return [n for tag, _, _, start, end in opcodes(old, new) if tag in {"insert", "replace"} for n in range(start, end)]


def is_slow(before: str, after: str) -> bool:
    """Comparing them belongs off the event loop."""
    return before.count("\n") + after.count("\n") > SLOW


def diff(before: str, after: str, old_name: str, new_name: str) -> Iterator[Spans]:
    """A unified diff with the line numbers of both sides; in lines that are alike the words that differ stand out."""
    old, new = source_lines(before), source_lines(after)
    if len(old) + len(new) > LINES_AT_MOST:
        yield [(f"too long to compare: {len(old):,} and {len(new):,} lines", "$warning")]
        return
    if old == new:
        same = "no difference" if before == after else "no difference but in white space at the ends of lines"
        yield [(f"{same} between {old_name} and {new_name}", QUIET)]
        return
    ops = opcodes(old, new)
    removed = sum(a1 - a0 for tag, a0, a1, _, _ in ops if tag != "equal")
    added = sum(b1 - b0 for tag, _, _, b0, b1 in ops if tag != "equal")
    yield [
        (f"{old_name} → {new_name}", "bold"), (f"   +{added}", "$success"), (f" −{removed}", "$error"),
        (f" of {len(new)} lines", QUIET),
    ]  # fmt: skip
    digits = len(str(max(len(old), len(new))))
    last, effort = 0, EFFORT
    for group in _groups(ops):
        skipped = group[0][3] - last
        if skipped > 0:
            yield [(f"{'':{2 * digits + 2}} ⋯ {skipped} unchanged", QUIET)]
        last = group[-1][4]
        for op in group:
            words: Words = {}
            if op[0] == "replace" and effort > 0:
                words, spent = _words(old[op[1] : op[2]], new[op[3] : op[4]], effort)
                effort -= spent
            yield from _change(op, old, new, digits, words)
    if last < len(new):
        yield [(f"{'':{2 * digits + 2}} ⋯ {len(new) - last} unchanged", QUIET)]


def _groups(ops: list[Opcode]) -> list[list[Opcode]]:
    """Runs of changes with a few unchanged lines around them."""
    groups: list[list[Opcode]] = []
    for index, (tag, a0, a1, b0, b1) in enumerate(ops):
        if tag != "equal":
            if not groups:
                groups.append([])
            groups[-1].append((tag, a0, a1, b0, b1))
            continue
        length, first, final = a1 - a0, index == 0, index == len(ops) - 1
        head, tail = (0 if first else min(CONTEXT, length)), (0 if final else min(CONTEXT, length))
        if head + tail >= length and not first and not final:
            groups[-1].append(("equal", a0, a1, b0, b1))
            continue
        if head:
            groups[-1].append(("equal", a0, a0 + head, b0, b0 + head))
        if tail:
            groups.append([("equal", a1 - tail, a1, b1 - tail, b1)])
    return groups


def _change(op: Opcode, old: Sequence[str], new: Sequence[str], digits: int, words: Words) -> Iterator[Spans]:
    tag, a0, a1, b0, b1 = op
    if tag == "equal":
        for a, b in zip(range(a0, a1), range(b0, b1), strict=True):
            yield [(f"{a + 1:{digits}} {b + 1:{digits}}   ", QUIET), (new[b], "")]
        return
    for a in range(a0, a1):
        line = words.get((0, a - a0)) or [(old[a], False)]
        yield [
            (f"{a + 1:{digits}} {'':{digits}} ", QUIET), ("− ", "bold $error on $line-removed"),
            *((text, f"{'bold underline ' if differs else ''}on $line-removed") for text, differs in line),
            ("", "on $line-removed"),
        ]  # fmt: skip
    for b in range(b0, b1):
        line = words.get((1, b - b0)) or [(new[b], False)]
        yield [
            (f"{'':{digits}} {b + 1:{digits}} ", QUIET), ("+ ", "bold $success on $line-added"),
            *((text, f"{'bold underline ' if differs else ''}on $line-added") for text, differs in line),
            ("", "on $line-added"),
        ]  # fmt: skip


def _words(old: Sequence[str], new: Sequence[str], effort: int) -> tuple[Words, int]:
    """For lines of a replacement that go together: their pieces, and whether each differs. Then the effort it took,
    after `effort` of which the rest of the lines is left as it is."""
    found: Words = {}
    spent = 0
    for number, (before, after) in enumerate(zip(old, new, strict=False)):
        if max(len(before), len(after)) > WORDS_AT_MOST:
            continue
        left, right = _WORDS.findall(before), _WORDS.findall(after)
        spent += len(left) * len(right)
        if spent > effort:
            break
        matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
        if matcher.ratio() < ALIKE:
            continue
        found[0, number], found[1, number] = [], []
        for tag, a0, a1, b0, b1 in matcher.get_opcodes():
            if a1 > a0:
                found[0, number].append(("".join(left[a0:a1]), tag != "equal"))
            if b1 > b0:
                found[1, number].append(("".join(right[b0:b1]), tag != "equal"))
    return found, spent


def landing(code: str) -> int:
    """The 0-based line that the eye belongs on first: where the values are selected, the densest place of it."""
    lines = source_lines(code)
    found = [n for n, line in enumerate(lines) if _SELECTS.search(line)]
    dense = [sum(first <= n < first + NEAR for n in found) for first in found]
    return found[dense.index(max(dense))] if found else 0


def main_change(before: str, after: str, crashed: int | None) -> tuple[int, int] | None:
    """The 0-based lines, of both programs, where the change begins that matters most: the one that the crashed line
    (from 1) is in, else the longest that takes something's place, else the longest. None where nothing changed."""
    old, new = source_lines(before), source_lines(after)
    if len(old) + len(new) > LINES_AT_MOST:
        return None
    changes = [op for op in opcodes(old, new) if op[0] != "equal"]
    if not changes:
        return None
    line = (crashed or 0) - 1
    best = max(changes, key=lambda op: (op[1] <= line < op[2], op[0] == "replace", op[2] - op[1] + op[4] - op[3]))
    return best[1], best[3]


def row_of(lines: Sequence[Spans], old: int, new: int) -> int:
    """The row of a diff where the change begins whose 0-based lines these are; 0 where it is not shown."""
    wanted = {(str(old + 1), "−"), (str(new + 1), "+")}
    return next((n for n, line in enumerate(lines) if len(line) > 1
                 and (line[0][0].strip(), line[1][0].strip()) in wanted), 0)  # fmt: skip


def hit_column(hits: dict[str, int]) -> dict[int, str]:
    """How often each 0-based line was reached, as it is shown."""
    return {int(line) - 1: compact(count) for line, count in hits.items() if line.isdecimal() and count > 0}


def cut_lines(code: str) -> str:
    """The program with very long lines cut, which would take seconds to draw; says what was cut."""
    if len(code) <= LINE_AT_MOST:
        return code
    lines = code.split("\n")
    if max(map(len, lines)) <= LINE_AT_MOST:
        return code
    return "\n".join(
        f"{line[:LINE_AT_MOST]} … {len(line) - LINE_AT_MOST:,} more characters" if len(line) > LINE_AT_MOST else line
        for line in lines
    )
