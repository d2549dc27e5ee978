"""Parts of a text that holds several values: labels with what follows each, and pieces between marks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Sequence

import msgspec

from scrapewright.programmers.rules.ops import Op, Part, Piece, Search, Trim
from scrapewright.programmers.rules.quantities import DATES
from scrapewright.programmers.rules.view import View, part
from scrapewright.programmers.rules.views import LEADING
from scrapewright.query.lexicon import tokens

MARKS = (" | ", " · ", " • ", " » ", " — ", " – ", " - ", " / ", "; ", ", ", ": ", " (")
_CALLED = re.compile(r"((?:[^\W\d_][\w.'’-]* ){0,2}[^\W\d_][\w.'’-]*)\s?[:：](?=\s)")
_BETWEEN = "|·•,;/–—-"
_LED = re.compile(r"[-–—:,;.|·•*/»>] ?")
MIXED = 1.0
"""How much less likely a text with several labels in it is a value than another."""
MANY = 8
"""More pieces than this are no values of one record."""


def labelled(whole: View, known: Container[tuple[str, ...]] = ()) -> list[View]:
    """What follows each label of a text that has several, or has one in its midst: "Year: 1979 | Length: 8.2 m".

    `known` are labels (as tokens) whose values have a place of their own: that is the better one.
    """
    texts = whole.texts
    labels = _labels(whole)
    if not labels or (len(labels) == 1 and all(text.startswith(labels[0]) for text in texts)):
        return []
    anything = "|".join(_escaped(label) for label in sorted(labels, key=len, reverse=True))
    found: list[View] = []
    colon = "[:：]" if any("：" in text for text in texts) else ":"
    for label in labels:
        if tokens(label) in known:
            continue
        here = re.compile(rf"(?<!\w){_escaped(label)}\s?[:：]\s*")
        behind: dict[str, None] = {}
        between: set[str] = set()
        for text in texts:
            start = here.search(text)
            following = re.compile(rf"(?<!\w)(?:{anything})\s?[:：]\s").search(text, start.end()) if start else None
            if following is not None:
                behind[following[0].split(":")[0].split("：")[0].strip()] = None
                between.update(c for c in text[: following.start()].rstrip()[-1:] if c in _BETWEEN)
        marks = re.escape("".join(sorted(between)))
        ends = "|".join([*(_escaped(name) + colon for name in behind), "$"])
        gap = rf"[\s{marks}]*" if marks else r"\s*"
        pattern = rf"\b{_escaped(label)}{colon}\s*" + (f"(.*?){gap}(?:{ends})" if behind else "(.+)")
        optional = any(re.search(pattern, text) is None for text in texts)
        found += part(whole, [Search(pattern, 1, optional)], -0.2, names=(label,))
    found += _before(whole, anything)
    return [msgspec.structs.replace(view, alone=True) for view in found]


_VERSION = r"(?<![\w.,])(v?\d+(?:\.\d+)+(?:-?[a-z]\w*)?)"
_DATED = re.compile(r"\d{1,2}\.\d{1,2}\.\d{2,4}")


def version(whole: View) -> list[View]:
    """The version, as it is shown, in a text that says more: "[1.4.0] - 2024-03-01", "Release v2.0"."""
    texts = whole.texts
    if whole.slot.attr not in ("text", "tail", "head") or whole.slot.many or not texts:
        return []
    found = [match[1] if (match := re.search(_VERSION, text)) else "" for text in texts]
    if not all(found) or any(map(_DATED.fullmatch, found)) or len(set(found)) < len(found) or found == texts:
        return []
    return part(whole, [Search(_VERSION, 1)], 0.1, names=("version",))


_CLOCK = r"(?<![\d:.])((?:[01]?\d|2[0-4]):[0-5]\d)(?![\d:])"


def clock(whole: View) -> list[View]:
    """The one time of day in a text that says more: "Fri 4 Mar 2022, 20:00"."""
    texts = whole.texts
    if whole.slot.attr not in ("text", "tail", "head") or whole.slot.many or not texts:
        return []
    found = [re.findall(_CLOCK, text) for text in texts]
    if any(len(times) != 1 for times in found) or all(
        times[0] == text for times, text in zip(found, texts, strict=True)
    ):
        return []
    return part(whole, [Search(_CLOCK, 1)], 0.1, names=("time",))


def beside(found: Sequence[View], parts: Sequence[View]) -> list[View]:
    """A slot's views; of a text with several labels those less likely that were cut without regard to them."""
    if len(_labels(found[0])) < 2:
        return [*found, *parts]
    return [*(msgspec.structs.replace(view, alone=True, cost=view.cost + MIXED) for view in found), *parts]


def _escaped(label: str) -> str:
    return re.escape(label).replace("\\ ", " ")


def _labels(whole: View) -> list[str]:
    """The words before colons that come in most of a place's texts."""
    texts = whole.texts
    if whole.slot.attr not in ("text", "tail", "head") or whole.slot.many or not texts:
        return []
    counts: Counter[str] = Counter()
    for text in texts:
        if ":" not in text and "：" not in text:
            continue  # a colon is soon missed, a label in front of one looked for at each word
        said: set[str] = set()
        for match in _CALLED.finditer(text):
            words = match[1].split()
            said.update(" ".join(words[-n:]) for n in range(1, len(words) + 1))
        counts.update(said)
    common = [label for label, count in counts.items() if count >= max(2, 0.7 * len(texts))]
    return [one for one in common if not any(other != one and other.endswith(" " + one) for other in common)]


def _before(whole: View, anything: str) -> list[View]:
    """What comes before the first label."""
    pattern = rf"^(.+?)[\s{re.escape(_BETWEEN)}]+(?:{anything}):"
    if sum(re.search(pattern, text) is not None for text in whole.texts) < 0.7 * len(whole.texts):
        return []
    optional = any(re.search(pattern, text) is None for text in whole.texts)
    return part(whole, [Search(pattern, 1, optional)], 0.3)


class Family(msgspec.Struct, frozen=True):
    """The pieces of a place's texts, in their order: all texts have as many."""

    pieces: tuple[View, ...]


def families(offered: Sequence[View]) -> list[Family]:
    """The ways to take whole texts apart at one mark; a mark that all of them begin with is no piece."""
    found = []
    for whole in offered:
        if whole.ops or whole.slot.many or len(whole.texts) < 2 or whole.slot.type != "text":
            continue
        if whole.slot.selector.startswith("^ "):
            continue
        quoted = _quoted(whole)
        if quoted is not None:
            found.append(quoted)  # what a quotation falls into is no value
            continue
        if whole.slot.attr not in ("text", "tail", "head"):
            continue
        lead = _lead(whole.texts)
        for mark in MARKS:
            made = _pieces(whole, lead, mark)
            if made is not None:
                found.append(made)
        found += filter(None, (_between(whole), _dated(whole)))
    return found


def _lead(texts: Sequence[str]) -> str:
    match = _LED.match(texts[0])
    return match[0] if match and all(text.startswith(match[0]) for text in texts) else ""


def _pieces(whole: View, lead: str, mark: str) -> Family | None:
    counts = {text.removeprefix(lead).count(mark) for text in whole.texts}
    if len(counts) != 1 or not 1 <= (count := counts.pop()) < MANY:
        return None
    made: list[View] = []
    for number in range(count + 1):
        ops: list[Op] = [Trim(lead)] if lead else []
        if count == 1:
            ops.append(Part(mark, bool(number)))
        else:
            ops.append(Piece(mark, number))
        if mark == " (" and number == count and all(text.endswith(")") for text in whole.texts):
            ops.append(Trim("", ")"))
        view = part(whole, ops, 0.5)
        if not view:
            return None
        made += view
    return Family(tuple(made))


_QUOTED = r'^(.*?(?:\b[A-Z]\.)?)[\s,.:;–-]*["“„«](.+?)[,.]?["“”»][\s,.:;–-]*(.*)$'


def _quoted(whole: View) -> Family | None:
    """What comes before, in and after the one quotation that all texts have: an author, a title, a journal."""
    if any(len(re.findall(r'["“”„«»]', text)) != 2 or not re.search(_QUOTED, text) for text in whole.texts):
        return None
    return _family(whole, _QUOTED, 3)


def _family(whole: View, pattern: str, groups: int) -> Family | None:
    """The groups of a pattern that all texts have something in, where there are several."""
    found = [view for number in range(1, groups + 1) for view in part(whole, [Search(pattern, number)], 0.5)]
    made = [view for view in found if len(view.texts) == len(whole.texts)]
    return Family(tuple(made)) if len(made) > 1 else None


_DELIMITER = re.compile(
    r"\s+(?:by|von|par|por|door|av|przez)\s+"
    r"|\s*(?!(?<=\d)[,:](?=\d))[^\w\s'’&+%./@-][^\w'’&+%@]*"
    r"|\s+[-–—/.]+\s+|\.\s+|\.$"
)
"""What separates values in a line: marks with the blanks around them, and small words before a name."""
_SPLICED = re.compile(r"[.,;:)] [.,;:(]")
"""What is left of a line whose elements were taken out."""


def _between(whole: View) -> Family | None:
    """The pieces between several different marks that all texts have, as often and in the same order.

    "Hill Forts by R. Dunn (Cairn Press, 2019) £24.95" has four of them.
    """
    if whole.slot.own and any(map(_SPLICED.search, whole.texts)):
        return None
    marks = [_DELIMITER.findall(text) for text in whole.texts]
    counts = [Counter(found) for found in marks]
    steady = {mark for mark, count in counts[0].items() if all(other[mark] == count for other in counts)}
    lines = {tuple(mark for mark in found if mark in steady) for found in marks}
    line = lines.pop() if len(lines) == 1 else ()
    if not 1 < len(line) < MANY or len(set(line)) < 2:
        return None
    pattern, groups = "^", 0
    begin = sum(text.startswith(line[0]) for text in whole.texts)
    end = sum(text.endswith(line[-1]) for text in whole.texts)
    if begin not in (0, len(whole.texts)) or end not in (0, len(whole.texts)):
        return None
    for at, mark in enumerate(line):
        if at or not begin:
            pattern, groups = pattern + "(.+?)", groups + 1
        pattern += mark if mark.strip().isalpha() else f" ?{_escaped(mark.strip())} ?"
    if not end:
        pattern, groups = pattern + "(.+)", groups + 1
    made = _family(whole, pattern + "$", groups)
    return made if made is not None and len(made.pieces) == groups else None


def _dated(whole: View) -> Family | None:
    """What comes before and after the one date that all texts have, and the date."""
    for form in DATES:
        pattern = rf"^(.*?)[\s,;:|–-]*\b({form})\b[\s,;:|–-]*(.*)$"
        if all(len(re.findall(form, text)) == 1 and re.search(pattern, text) for text in whole.texts):
            return _family(whole, pattern, 3)
    return None


def unled(view: View) -> View:
    """The view without what leads to its values in all texts: a dash, a label, "by", brackets around them."""
    lead = _lead(view.texts)
    words = [text.split(" ", 1) for text in view.texts]
    first = words[0][0] if len({found[0] for found in words}) == 1 and all(len(found) == 2 for found in words) else ""
    label = next((label for label in _labels(view) if all(text.startswith(f"{label}:") for text in view.texts)), "")
    ops: list[Op] = []
    if lead:
        ops.append(Trim(lead))
    elif label:
        ops.append(Trim(f"{label}:"))
    elif tokens(first) and LEADING.issuperset(tokens(first)):
        ops.append(Trim(first))
    elif all(text.startswith("(") and text.endswith(")") for text in view.texts):
        ops.append(Trim("(", ")"))
    return next(iter(part(view, ops, 0.0)), view) if ops else view
