"""What can be read out of a slot: its whole text, or a part of it that has a shape of its own.

A heading such as "Oak table - 2nd hand" holds two values, "4 chairs | 1 bench" two numbers, a link a code.
Every such part becomes a `View` with its own values and likely names, and competes for the fields like a whole slot.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from os.path import commonprefix

from scrapewright.programmers.rules.ops import Op, Part, Plain, Rewrite, Search, Trim
from scrapewright.programmers.rules.quantities import ENDS, codes, last_dates, numbers
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
    " #": ("#", "hash"),
    " @ ": ("@", "at"),
    " by ": ("by",),
    " v. ": (),
}

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
) -> list[View]:
    """The whole of a slot and its parts."""
    depth = slot.selector.count(".") if json else 0
    whole = View(slot=slot, values=tuple(values), joint=joint, detail=detail, rough=rough, depth=depth, value=json)
    found = [whole]
    if slot.many or not whole.texts or slot.attr not in _READ:
        return found
    if slot.attr in ("href", "src"):
        found += codes(whole)
        found += _dialled(whole)
        return found
    if slot.attr == "text" and any(map(_MARKUP.search, whole.texts)):
        found += _out_of_markup(whole)
    found += numbers(whole)
    found += last_dates(whole)
    if slot.type not in ("int", "float", "date", "datetime", "url") and not slot.selector.startswith("^ "):
        found += _separated(whole)
        found += _labelled(whole)
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


def _dialled(whole: View) -> list[View]:
    """What a link writes to or calls: an address of mail, a telephone number."""
    for scheme, called in (("mailto:", "email"), ("tel:", "phone")):
        if all(text.startswith(scheme) for text in whole.texts):
            return part(whole, [Trim(scheme)], -0.2, names=(called,))
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
        close = separator == " ("
        for after in (False, True):
            side = _AFTER if after else _BEFORE
            place = (*called, *side)
            if after and close:
                inside: list[Op] = [Part(separator, True, True), Trim("", ")")]
                if not all(text.endswith(")") for text in having):
                    inside = [Search(r"\(([^()]+)\)[^()]*$", 1, True)]
                elif len(having) < len(texts):  # a text without brackets has nothing in them
                    inside = [Search(r" \((.*)\)", 1, True)]
                found += part(whole, inside, 0.5, place=place)
                continue
            ops = [Part(separator, after), *(loose if after else ())]
            found += part(whole, ops, 0.5, place=(*place, *(_WITHOUT if close else ())))
            if several:
                found += part(whole, [Part(separator, after, True)], 0.55, place=(*place, *_LAST))
    return found


def _labelled(whole: View) -> list[View]:
    """Text after a label that most values begin with, or that occurs in all of them: "Posted by: X"."""
    labels: Counter[str] = Counter()
    for text, times in whole.counts.items():
        match = re.match(r"([^\W\d][^:]{1,24}):\s+\S", text)
        if match:
            labels[match[1]] += times
    found: list[View] = []
    for label, count in labels.items():
        if count >= 0.7 * len(whole.texts) and count > 1:
            # Where some texts lack the label they are about something else.
            cut = Trim(f"{label}:") if count == len(whole.texts) else Search(rf"{re.escape(label)}:\s*(.+)", 1, True)
            found += part(whole, [cut], -0.15, names=(label,))
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
        found += part(whole, [Trim(mark)], -0.2)
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


_PAIRS = tuple((pair[0], pair[1]) for pair in ("“”", "„“", "«»", "»«", "《》", "「」", "『』", '""', "‘’", "''"))


def _opens_outside(end: str) -> bool:
    """Whether a bracket closes in it that opens before it."""
    return any(closing in end and end.count(opening) < end.count(closing) for opening, closing in ("()", "[]"))


_SHORT = re.compile(r" (Co|Inc|Ltd|Corp|Bros|Jr|Sr|Cie|etc)\.$")


def _common_words(texts: Sequence[str], gap: str = " ") -> str:
    """The words that all texts start with, up to a gap."""
    if len(texts) < 3 or len(set(texts)) < 2:
        return ""
    start = commonprefix(texts)
    return start[: start.rfind(gap) + 1]
