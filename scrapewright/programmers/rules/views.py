"""What can be read out of a slot: its whole text, or a part of it that has a shape of its own.

A heading such as "Oak table - 2nd hand" holds two values, "4 chairs | 1 bench" two numbers, a link a code, other texts
labels with what follows each, or pieces between marks. Every such part becomes a `View` with its own values and likely
names, and competes for the fields like a whole slot.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Sequence
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from scrapewright.programmers.rules.fit import common_start
from scrapewright.programmers.rules.ops import Op, Part, Plain, Rewrite, Search, Trim
from scrapewright.programmers.rules.quantities import DATES, ENDS, codes, last_dates, numbers
from scrapewright.programmers.rules.view import View, part
from scrapewright.query.lexicon import tokens
from scrapewright.survey.dom import word_set
from scrapewright.survey.model import Slot

LEADING = word_set(
    """by with via from von mit vom par avec por con di da del door met av od przez autor author written posted speaker
    started asked submitted shared uploaded added created
    host presented taught von durch de от с автор"""
)
"""Words before a name that are none of it."""


SEPARATORS = {
    " - ": ("dash", "hyphen", "-", "bindestrich", "strich", "tiret", "guion", "trattino", "тире", "дефис"),
    " – ": ("dash", "–", "bindestrich", "strich", "tiret", "guion", "trattino", "тире"),
    " — ": ("dash", "—", "tiret", "тире"),
    " | ": ("bar", "pipe", "|"),
    ": ": ("colon", ":", "doppelpunkt", "deux-points", "двоеточие"),
    " / ": ("slash", "/", "schragstrich"),
    "/": ("slash", "/", "schragstrich"),
    ", ": ("comma", ",", "komma", "virgule", "coma", "запятая"),
    " · ": ("dot", "·"),
    " » ": ("arrow", "»"),
    " > ": ("arrow", ">"),
    " (": ("parenthesis", "parentheses", "bracket", "brackets", "klammer", "klammern", "parenthese", "скобки", "("),
    "（": ("parenthesis", "parentheses", "bracket", "brackets", "括弧", "カッコ", "括号", "括號", "("),
    " #": ("#", "hash"),
    " @ ": ("@", "at"),
    " by ": ("by",),
    " v. ": (),
}

_CLOSING = {" (": ")", "（": "）"}
"""What closes a bracket that opens so."""
_READ = frozenset(("text", "head", "tail", "href", "src", "title", "alt", "aria-label", "content", "class", "id"))
"""Attributes that say something in parts, as texts do."""
_AFTER = ("after", "behind", "nach", "hinter", "apres", "despues", "dopo", "na", "po", "после", "depois", "in")
_BEFORE = ("before", "vor", "avant", "antes", "prima", "voor", "przed", "до", "перед")
_WITHOUT = ("without", "ohne", "sans", "sin", "senza", "zonder", "bez", "без")
_LAST = ("last", "letzten", "dernier", "ultimo", "laatste", "последний")
SIDES = frozenset((*ENDS, *_AFTER[:-1], *_BEFORE, *_WITHOUT))
"""Words that say on which side of a mark a part is."""


def views(
    slot: Slot,
    values: Sequence[str | None],
    joint: str = "",
    *,
    detail: bool = False,
    rough: bool = False,
    json: bool = False,
    scripted: bool = False,
    unseen: float = 0.0,
) -> list[View]:
    """The whole of a slot and its parts."""
    depth = slot.selector.count(".") if json else 0
    whole = View(
        slot=slot, values=tuple(values), joint=joint, detail=detail, rough=rough, depth=depth, value=json,
        scripted=scripted, unseen=unseen,
    )  # fmt: skip
    found = [whole]
    if slot.many or not whole.texts or slot.attr not in _READ:
        return found
    if slot.attr in ("href", "src"):
        found += codes(whole)
        found += _named(whole)
        found += _dialled(whole)
        return found
    if slot.attr == "text" and any(map(_MARKUP.search, whole.texts)):
        found += _out_of_markup(whole)
    found += numbers(whole)
    found += last_dates(whole)
    if slot.type == "url":
        found += _named(whole)
    if slot.type not in ("int", "float", "date", "datetime", "url") and not slot.above:
        found += _separated(whole)
        found += _bared(whole)
        found += codes(whole)
    elif slot.label and all(text.startswith(slot.label) for text in whole.texts):
        found += part(whole, [Trim(slot.label)], -0.15, names=(slot.label,))
    return found


_MARKUP = re.compile(r"</?[a-zA-Z][^<>]*>|&(?:[a-zA-Z]{2,8}|#\d{2,5}|#x[\da-fA-F]{2,4});")
_SOURCE = r'<img\b[^>]*?\ssrc=["\x27]([^"\x27]+)'
"""A single quote is written as its number: a literal of the program can't well hold both kinds."""


def _out_of_markup(whole: View) -> list[View]:
    """What markup in a text says, and the address of its first picture."""
    plain = part(whole, [Plain()], -0.2, place=("plain",))
    shown = sum(re.search(_SOURCE, text) is not None for text in whole.texts)
    picture = part(whole, [Search(_SOURCE, 1, shown < len(whole.values))], 0.0, names=("image",)) if shown else []
    return plain + picture


_FILE = r"(?<![:/])/([^/?#]*\d[^/?#]*)\.[A-Za-z]\w{1,4}(?:[?#]|$)"


def _named(whole: View) -> list[View]:
    """The name of the file that a link leads to, without its ending, where it has a number: of "/2024/20-311.pdf" it
    is 20-311."""
    names = [match[1] if (match := re.search(_FILE, text)) else "" for text in whole.texts]
    if not all(names) or len(set(names)) < len(set(whole.texts)):
        return []
    return part(whole, [Search(_FILE, 1)], 1.9, names=("code", "id"), place=("file", "name"))


def _dialled(whole: View) -> list[View]:
    """What a link writes to or calls: an address of mail, a telephone number."""
    for scheme, called in (("mailto:", "email"), ("tel:", "phone")):
        if all(text.startswith(scheme) for text in whole.texts):
            filled_in = any("?" in text for text in whole.texts)  # a subject
            ops: list[Op] = [Search(f"^{scheme}([^?]+)", 1)] if filled_in else [Trim(scheme)]
            return part(whole, ops, -0.2, names=(called,))
    return []


_LOOSE_END = re.compile(r"\s+[|·•/–—-]$")
"""A mark between an element and one that follows it, where only the text outside of the elements is read."""


def _separated(whole: View) -> list[View]:
    found: list[View] = []
    texts = whole.texts
    loose: list[Op] = [Rewrite(_LOOSE_END.pattern, "")] if any(map(_LOOSE_END.search, texts)) else []
    for separator, called in SEPARATORS.items():
        if not called:
            continue
        having = [text for text in texts if separator in text]
        if len(having) < max(1, 0.7 * len(texts)):
            continue
        several = any(text.count(separator) > 1 for text in having)
        close = _CLOSING.get(separator, "")
        for after in (False, True):
            side = _AFTER if after else _BEFORE
            place = (*called, *side)
            if after and close:
                inside: list[Op] = [Part(separator, True, True), Trim("", close)]
                opening, closing = re.escape(separator.strip()), re.escape(close)
                if not all(text.endswith(close) for text in having):
                    no_bracket = f"[^{separator.strip()}{close}]"
                    inside = [Search(f"{opening}({no_bracket}+){closing}{no_bracket}*$", 1, True)]
                elif len(having) < len(texts):  # a text without brackets has nothing in them
                    inside = [Search(f"{separator.replace('(', opening)}(.*){closing}", 1, True)]
                found += part(whole, inside, 0.5, place=place)
                continue
            ops = [Part(separator, after), *(loose if after else ())]
            found += part(whole, ops, 0.5, place=(*place, *(_WITHOUT if close else ())))
            if several:
                found += part(whole, [Part(separator, after, True)], 0.55, place=(*place, *_LAST))
    return found


def _bared(whole: View) -> list[View]:
    """Text after a label that most values begin with, or that occurs in all of them: "Posted by: X"."""
    labels: Counter[str] = Counter()
    for text, times in whole.counts.items():
        match = re.match(r"([^\W\d][^:]{1,24}):\s+\S", text)
        if match:
            labels[match[1]] += times
    found: list[View] = []
    for label, count in labels.items():
        if count >= 0.7 * len(whole.texts) and (count > 1 or len(whole.values) == 1):
            # Where some texts lack the label they are about something else.
            cut = Trim(f"{label}:") if count == len(whole.texts) else Search(rf"{re.escape(label)}:\s*(.+)", 1, True)
            found += part(whole, [cut], -0.15, names=(label,))
    found += _unnumbered(whole)
    in_text = whole.slot.own or whole.slot.attr in ("head", "tail")
    mark, count = Counter(text[:2] for text in whole.texts).most_common(1)[0]
    if count < 0.8 * len(whole.texts) or not re.fullmatch(r"[-–—:,;.|·•*/»] ", mark):
        mark = ""
    if in_text and all(re.search(r"[^\W\d_]{2}\.$", text) for text in whole.texts):
        # The end of a sentence that goes on, or began, in an element; "Heron & Co." keeps its dot.
        short = sorted({word for text in whole.texts for word in _SHORT.findall(text)})
        kept = "".join(f"(?<! {word})" for word in short)
        ends: list[Op] = [Trim(mark), Rewrite(rf"{kept}\.$", "")] if short else [Trim(mark, ".")]
        found += part(whole, ends, -0.2)
    elif mark:
        found += part(whole, [Trim(mark)], -0.2, bare=True)
    for opening, closing in _PAIRS:
        if all(text.startswith(opening) and text.endswith(closing) for text in whole.texts):
            found += part(whole, [Trim(opening, closing)], 0.3, place=("quoted",))
    start = _common_words(whole.texts)
    if start and not start.rstrip().endswith(":"):
        marked = re.search(r"[-–—|/#»>•·=]\s*$", start) is not None
        words = tokens(start)
        leads = bool(words) and LEADING.issuperset(words)
        taken = () if marked else words or (start,)
        found += part(whole, [Trim(start)], -0.1 if leads else 0.2, names=() if leads else words, cut=taken)
    if whole.slot.attr == "class" and (stem := _common_words(whole.texts, "-")):
        found += part(whole, [Trim(stem)], 0.2, names=tokens(stem))
    end = _common_words([text[::-1] for text in whole.texts])[::-1]
    if end and not _opens_outside(end):
        found += part(whole, [Trim("", end)], 0.25, place=_WITHOUT, cut=tokens(end) or (end,))
    return found


_NUMBERED = r"^(\d{1,4})[.)]\s+"
LEAST_NUMBERED = 3


def _unnumbered(whole: View) -> list[View]:
    """Texts without the numbers that count them: "1. Oak Lane", "2. Mill Road"."""
    found = [re.match(_NUMBERED, text) for text in whole.texts]
    numbers = [int(match[1]) for match in found if match is not None]
    counted = all(after - before == 1 for before, after in pairwise(numbers))
    if len(numbers) < LEAST_NUMBERED or len(numbers) < len(found) or not counted:
        return []
    made = part(whole, [Rewrite(_NUMBERED, "")], 0.1, place=(*_WITHOUT, "number"), bare=True)
    return [view for view in made if view.distinct == 1.0]  # of "1. floor", "2. floor" the number is what tells


_PAIRS = tuple((pair[0], pair[1]) for pair in ("“”", "„“", "«»", "»«", "《》", "「」", "『』", '""', "‘’", "''"))


def _opens_outside(end: str) -> bool:
    """Whether a bracket closes in it that opens before it."""
    return any(closing in end and end.count(opening) < end.count(closing) for opening, closing in ("()", "[]"))


_SHORT = re.compile(r" (Co|Inc|Ltd|Corp|Bros|Jr|Sr|Cie|etc)\.$")


def _common_words(texts: Sequence[str], gap: str = " ") -> str:
    """The words that all texts start with, up to a gap."""
    if len(texts) < 3 or len(set(texts)) < 2:
        return ""
    start = common_start(texts)
    return start[: start.rfind(gap) + 1]


_CALLED = re.compile(r"((?:[^\W\d_][\w.'’-]* ){0,2}[^\W\d_][\w.'’-]*)\s?[:：](?=\s)")
_BETWEEN = "|·•,;/–—-(["
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
        in_brackets = rf"[(\[]{_escaped(label)}{colon}\s*([^()\[\]]+)[)\]]"
        if all(re.search(in_brackets, text) for text in texts if here.search(text)):
            pattern = in_brackets
        optional = any(re.search(pattern, text) is None for text in texts)
        found += part(whole, [Search(pattern, 1, optional)], -0.2, names=(label,))
    found += _before(whole, anything)
    return [replace(view, alone=True) for view in found]


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
    return [*(replace(view, alone=True, cost=view.cost + MIXED) for view in found), *parts]


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
    """The ways to take whole texts apart that all of them share: at a quotation, at several marks, at a date."""
    found = []
    for whole in offered:
        if whole.ops or whole.slot.many or len(whole.texts) < 2 or whole.slot.type != "text":
            continue
        if whole.slot.above:
            continue
        quoted = _quoted(whole)
        if quoted is not None:
            found.append(quoted)  # what a quotation falls into is no value
            continue
        if whole.slot.attr not in ("text", "tail", "head"):
            continue
        found += filter(None, (_between(whole), _dated(whole)))
    return found


def _lead(texts: Sequence[str]) -> str:
    match = _LED.match(texts[0])
    return match[0] if match and all(text.startswith(match[0]) for text in texts) else ""


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
