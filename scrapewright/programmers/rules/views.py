"""What can be read out of a slot: its whole text, or a part of it that has a shape of its own.

A heading such as "Oak table - 2nd hand" holds two values, "4 chairs | 1 bench" two numbers, a link a code.
Every such part becomes a `View` with its own values and likely names, and competes for the fields like a whole slot.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property

import msgspec

from scrapewright.programmers.rules.lexicon import MONTHS, fold, tokens
from scrapewright.programmers.rules.ops import FAILURES, AnyOp, FindAll, Part, Search, Trim, run
from scrapewright.survey.dom import word_set
from scrapewright.survey.model import Slot
from scrapewright.survey.numerals import APOSTROPHES, BLANKS, CURRENCY, MINUS, NUMERAL, scale_after

_DIGIT = re.compile(r"\d")


LEADING = word_set(
    """by with from von mit vom par avec por con di da del door met av od przez autor author written posted speaker host
    presented taught von durch de от с автор"""
)
"""Words before a name that are none of it."""


class View(msgspec.Struct, frozen=True, dict=True):
    """A slot with the steps to a part of its text. `place` says where the part stands, in the words people use for it.

    `values` has one text (or None) for each record; `cost` is how much less likely a part is than the whole.
    """

    slot: Slot
    values: tuple[str | None, ...]
    ops: tuple[AnyOp, ...] = ()
    names: tuple[str, ...] = ()
    place: tuple[str, ...] = ()
    cost: float = 0.0
    joint: str = ""
    detail: bool = False
    """It stands on the page behind the record's link."""
    depth: int = 0
    """How deep the value lies in JSON; 0 for places in HTML."""
    rough: bool = False
    """The values are the survey's samples, not the records' own."""
    coded: bool = False
    """A token picked by its shape: it serves a code, and no quantity."""
    alone: bool = False
    """The text holds several labelled values: what its place is called does not name this one."""
    cut: tuple[str, ...] = ()
    """The words that all texts share and that are taken off without a mark that would show them to be a label."""

    @cached_property
    def texts(self) -> list[str]:
        return [value for value in self.values if value]

    @cached_property
    def counts(self) -> Counter[str]:
        """Each text once, with how often it comes, in their order."""
        return Counter(self.texts)

    @cached_property
    def numbered(self) -> dict[str, int]:
        """As `counts`, of the texts that hold a digit."""
        return {text: count for text, count in self.counts.items() if _DIGIT.search(text)}

    def share(self, holds: Callable[[str], object]) -> float:
        """The share of the texts of which a thing can be said."""
        if holds not in self._shares:
            held = sum(count for text, count in self.counts.items() if holds(text))
            self._shares[holds] = held / len(self.texts)
        return self._shares[holds]

    @cached_property
    def _shares(self) -> dict[Callable[[str], object], float]:
        return {}

    @property
    def coverage(self) -> float:
        share = len(self.texts) / len(self.values) if self.values else 0.0
        return share * self.slot.coverage if self.rough else share

    @property
    def distinct(self) -> float:
        if self.rough:
            return self.slot.distinct
        return len(self.counts) / len(self.texts) if self.values and self.texts else 0.0


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

_AFTER = ("after", "behind", "nach", "hinter", "apres", "despues", "dopo", "na", "po", "после", "depois", "in")
_BEFORE = ("before", "vor", "avant", "antes", "prima", "voor", "przed", "до", "перед")
_WITHOUT = ("without", "ohne", "sans", "sin", "senza", "zonder", "bez", "без")
_LAST = ("last", "letzten", "dernier", "ultimo", "laatste", "последний")
_ENDS = ("end", "ende", "schluss", "fin", "final", "fine", "einde", "конце")
SIDES = frozenset((*_ENDS, *_AFTER[:-1], *_BEFORE, *_WITHOUT))
"""Words that say on which side of a mark a part stands."""


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
    whole = View(slot=slot, values=tuple(values), joint=joint, detail=detail, rough=rough, depth=depth)
    found = [whole]
    if (
        slot.many
        or not whole.texts
        or slot.attr not in ("text", "head", "tail", "href", "src", "title", "alt", "content", "class", "id")
    ):
        return found
    if slot.attr in ("href", "src"):
        found += _codes(whole)
        return found
    found += _numbers(whole)
    found += _last_dates(whole)
    if slot.type not in ("int", "float", "date", "datetime", "url") and not slot.selector.startswith("^ "):
        found += _separated(whole)
        found += _labelled(whole)
        found += _codes(whole)
    elif slot.label and all(text.startswith(slot.label) for text in whole.texts):
        bare = part(whole, [Trim(slot.label)], -0.15, names=(slot.label,))
        found += [bare] if bare is not None else []
    return found


def part(
    whole: View,
    ops: Sequence[AnyOp],
    cost: float,
    names: Sequence[str] = (),
    place: Sequence[str] = (),
    *,
    coded: bool = False,
    cut: Sequence[str] = (),
) -> View | None:
    """A view of what the steps leave; None where they leave the same, or hardly anything."""
    made: dict[str | None, str | None] = {}
    for value in dict.fromkeys(whole.values):
        try:
            made[value] = run(ops, value)
        except FAILURES:
            made[value] = None
    values = tuple(map(made.__getitem__, whole.values))
    if sum(map(bool, values)) < 0.5 * len(whole.texts) or values == whole.values:
        return None
    return View(
        slot=whole.slot, values=values, ops=(*whole.ops, *ops), names=tuple(names), place=tuple(place),
        cost=whole.cost + cost, joint=whole.joint, detail=whole.detail, depth=whole.depth, rough=whole.rough,
        coded=coded, cut=tuple(cut),
    )  # fmt: skip


def _separated(whole: View) -> list[View]:
    found: list[View | None] = []
    texts = whole.texts
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
                found.append(part(whole, [Part(separator, True, True), Trim("", ")")], 0.5, place=place))
                continue
            found.append(part(whole, [Part(separator, after)], 0.5, place=place))
            if several:
                found.append(part(whole, [Part(separator, after, True)], 0.55, place=(*place, *_LAST)))
    return [view for view in found if view is not None]


def like_several(whole: View, quoted: Sequence[str], name: str) -> View | None:
    """All parts of an example's shape, where another example lists several: AB123 or "AB123, AB124"."""
    for several in quoted:
        for joint in (", ", "; ", " / "):
            pieces = several.split(joint)
            shapes = {re.sub(r"\d+", r"\\d+", re.escape(piece)) for piece in pieces}
            if len(pieces) < 2 or len(shapes) != 1 or whole.slot.many:
                continue
            pattern = shapes.pop()
            hits = [re.findall(pattern, text) for text in whole.texts]
            if all(hits) and any(len(hit) > 1 for hit in hits):
                return part(whole, [FindAll(pattern, joint)], 0.1, names=(name,), place=("example", name))
    return None


def like_example(whole: View, example: str, name: str) -> View | None:
    """The part of a text that has an example's shape: its letters, and digits where it has digits."""
    if not re.search(r"\d", example) or whole.slot.many:
        return None
    pattern = re.sub(r"\d+", r"\\d+", re.escape(example).replace("\\ ", " ").replace("\\-", "-"))
    for shaped in (pattern, re.sub(r"[A-Z]+(?=\\d)", "[A-Z]+", pattern)):
        hits = sum(re.search(shaped, text) is not None for text in whole.texts)
        if hits >= 0.6 * len(whole.texts) and any(not re.fullmatch(shaped, text) for text in whole.texts):
            optional = hits < len(whole.texts)
            return part(whole, [Search(shaped, 0, optional)], 0.2, names=(name,), place=("example", name))
    return None


_UNIT = re.compile(
    rf"(?P<head>(?<![^\W\d_])[^\W\d_]++[.:]?\s*+:?\s*+)?(?P<sign>(?<![\w.,%)])[{MINUS}])?(?<!\d)(?<!\d[.,'’])(?P<number>{NUMERAL})"
)
_WORD = re.compile(r"\s*([^\W\d_]{2,}|m²|m2(?!\w))")


_MONTHS = frozenset(fold(word) for words in MONTHS.values() for word in words.split())


def _numbers(whole: View) -> list[View]:
    """Numbers told apart by the word beside them: "12 votes from 3 readers", "Likes: 12"."""
    units: Counter[str] = Counter()
    heads: Counter[str] = Counter()
    said: dict[str, set[str]] = {}
    numbers: set[str] = set()
    signs: set[str] = set()
    scales: set[str] = set()
    if not whole.numbered:
        return []
    for text, times in whole.numbered.items():
        for match in _UNIT.finditer(text):
            numbers.add(match["number"])
            signs.add(match["sign"] or "")
            _, sure, scale = scale_after(text, match.start("number"), match.end("number"))
            at = text.index(scale, match.end("number")) + len(scale) if scale and sure else match.end("number")
            scales.add(scale if sure else "")
            unit = _WORD.match(text, at + (text[at : at + 1] == "."))
            if unit:
                stem = _stem(unit[1])
                units[stem] += times
                said.setdefault(stem, set()).add(unit[1])
            if match["head"]:
                heads[match["head"].strip(" :.").lower()] += times
    number = _number_pattern(numbers, signs, scales)
    found: list[View | None] = []
    enough = max(1, 0.5 * len(whole.texts))
    for stem, count in units.items():
        if count >= enough and not stem.isdigit() and fold(stem) not in _MONTHS:
            pattern = rf"(?i)({number})\s*{re.escape(stem)}"
            having = [text for text in whole.numbered if re.search(pattern, text)]
            optional = len(having) < len(whole.counts)
            bare = pattern.removeprefix("(?i)")
            cased = all(re.search(bare, text) for text in having)
            found.append(part(whole, [Search(bare if cased else pattern, 1, optional)], 0.15, names=sorted(said[stem])))
    for head, count in heads.items():
        if count >= enough and len(head) > 1:
            pattern = rf"{re.escape(head)}[.:]?\s*({number})"
            flag = "" if all(head in text for text in whole.counts) else "(?i)"
            optional = any(re.search("(?i)" + pattern, text) is None for text in whole.counts)
            found.append(part(whole, [Search(flag + pattern, 1, optional)], 0.15, names=(head,)))
    return [view for view in (*found, _money(whole, number), _size(whole), _year(whole)) if view is not None]


_COIN = rf"[{CURRENCY}]|\b(?:EUR|USD|GBP|CHF|PLN|Kč|zł|kr|Ft)\b"


def _money(whole: View, number: str) -> View | None:
    """The sum of money in a text whose first number is another one: "Model 300 for 49 €"."""
    for pattern in (rf"(?:{_COIN})\s?{number}", rf"{number}\s?(?:{_COIN})"):
        hits = [(text, match) for text in whole.numbered if (match := re.search(pattern, text))]
        held = sum(whole.counts[text] for text, _ in hits)
        if held < 0.8 * len(whole.texts):
            continue
        later = sum(whole.counts[text] for text, match in hits if any(c.isdigit() for c in text[: match.start()]))
        if later >= 0.5 * held:
            coins = {coin[0] for _, match in hits if (coin := re.search(_COIN, match[0]))}
            plain = "|".join(re.escape(coin) for coin in sorted(coins))
            bare = pattern.replace(_COIN, plain)
            return part(whole, [Search(bare, 0, held < len(whole.texts))], 0.15, names=("price",))
    return None


_YEAR = r"\b(?:1[5-9]|20)\d\d\b"


def _year(whole: View) -> View | None:
    """The year in brackets, or the only year, of a text with other numbers: "Adams (2019), vol. 12"."""
    for pattern in (rf"\(({_YEAR})\)", rf"({_YEAR})"):
        found = [re.findall(pattern, text) for text in whole.texts]
        if all(len(years) == 1 for years in found) and len({years[0] for years in found}) > 1:
            return part(whole, [Search(pattern, 1, False)], 0.1, names=("year",))
    return None


_BYTES = r"\d+(?:[.,]\d+)?\s?(?:[KMGT]i?B|[kMG]o|bytes?|Bytes)\b"


def _size(whole: View) -> View | None:
    """How large a file is, where a text says more than that: "(PDF, 1.2 MB)"."""
    hits = sum(re.search(_BYTES, text) is not None for text in whole.texts)
    if hits < 0.6 * len(whole.texts) or all(re.fullmatch(_BYTES, text) for text in whole.texts):
        return None
    sizes = " ".join(size for text in whole.texts for size in re.findall(_BYTES, text))
    units = set(re.findall(r"\d\s?([A-Za-z]+)", sizes))
    pattern = rf"\d+(?:[.,]\d+)?\s?(?:{'|'.join(sorted(units))})\b"
    return part(whole, [Search(pattern, 0, hits < len(whole.texts))], 0.1, names=("size", "file size"))


def _number_pattern(numbers: set[str], signs: set[str], scales: set[str]) -> str:
    """A whole number as these are written, with the signs and the scaling words that were seen and no others."""
    spaced = "".join(sorted({mark for text in numbers for mark in text if mark in BLANKS + APOSTROPHES}))
    pattern = r"\d+(?:[.,]\d+)*"
    if spaced:
        pattern = rf"(?:\d{{1,3}}(?:[{spaced}]\d{{3}})+(?!\d)(?:[.,]\d+)?|{pattern})"
    minus = "".join(sorted(signs - {""}, key=lambda mark: mark != "-"))
    lead = rf"(?<![\w.,])[{minus}]?" if minus and len(minus) > 1 else rf"(?<![\w.,]){minus}?" if minus else ""
    words = "|".join(sorted(map(re.escape, scales - {""}), key=len, reverse=True))
    return lead + pattern + (rf"(?:[\s-]?(?:{words})\.?)?" if words else "")


_DATES = (
    r"\d{4}-\d{1,2}-\d{1,2}",
    r"\d{1,2}-\d{1,2}-\d{4}",
    r"\d{1,2}/\d{1,2}/\d{2,4}",
    r"\d{1,2}\.\d{1,2}\.\d{2,4}",
    r"[^\W\d_]{3,9}\.? \d{1,2},? \d{4}",
    r"\d{1,2}\.? [^\W\d_]{3,9}\.?,? \d{4}",
)


def _last_dates(whole: View) -> list[View]:
    """The date that a longer text ends with."""
    enough = 0.6 * len(whole.texts)
    if sum(whole.numbered.values()) < enough:
        return []
    for form in _DATES:
        pattern = re.compile(rf"\D(?:{form})\W*$")
        ending = sum(times for text, times in whole.numbered.items() if pattern.search(_tail(text)))
        if ending >= enough:
            optional = ending < len(whole.texts)
            view = part(whole, [Search(rf"({form})\W*$", 1, optional)], 0.3, place=_ENDS)
            return [view] if view is not None else []
    return []


def _tail(text: str) -> str:
    """The end of a text, long enough for a date that it ends with."""
    tail = text[-_TAIL:]
    return tail if len(text) <= _TAIL or re.search(r"\w", tail[_TAIL // 2 :]) else text


_TAIL = 120


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def _labelled(whole: View) -> list[View]:
    """Text after a label that most values begin with, or that stands in all of them: "Posted by: X"."""
    labels: Counter[str] = Counter()
    for text, times in whole.counts.items():
        match = re.match(r"([^\W\d][^:]{1,24}):\s+\S", text)
        if match:
            labels[match[1]] += times
    found = []
    for label, count in labels.items():
        if count >= 0.7 * len(whole.texts) and count > 1:
            # Where some texts lack the label they are about something else.
            cut = Trim(f"{label}:") if count == len(whole.texts) else Search(rf"{re.escape(label)}:\s*(.+)", 1, True)
            view = part(whole, [cut], -0.15, names=(label,))
            if view is not None:
                found.append(view)
    in_text = whole.slot.own or whole.slot.attr != "text"
    if in_text and all(re.search(r"[^\W\d_]{2}\.$", text) for text in whole.texts):
        view = part(whole, [Trim("", ".")], -0.2)  # the end of a sentence that goes on, or began, in an element
        found += [view] if view is not None else []
    mark, count = Counter(text[:2] for text in whole.texts).most_common(1)[0]
    if count >= 0.8 * len(whole.texts) and re.fullmatch(r"[-–—:,;|·•*/»] ", mark):
        view = part(whole, [Trim(mark)], -0.2)
        if view is not None:
            found.append(view)
    start = _common_words(whole.texts)
    if start and not start.rstrip().endswith(":"):
        marked = re.search(r"[-–—|/#»>•·=]\s*$", start) is not None
        words = tokens(start)
        leads = bool(words) and LEADING.issuperset(words)
        taken = () if marked else words or (start,)
        view = part(whole, [Trim(start)], -0.1 if leads else 0.2, names=() if leads else words, cut=taken)
        if view is not None:
            found.append(view)
    end = _common_words([text[::-1] for text in whole.texts])[::-1]
    if end:
        view = part(whole, [Trim("", end)], 0.25, place=_WITHOUT, cut=tokens(end) or (end,))
        if view is not None:
            found.append(view)
    return found


def _common_words(texts: Sequence[str]) -> str:
    """The words that all texts start with, up to a gap."""
    if len(texts) < 3 or len(set(texts)) < 2:
        return ""
    first, last = min(texts), max(texts)
    same = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    start = first[:same]
    return start[: start.rfind(" ") + 1] if " " in start else ""


def _codes(whole: View) -> list[View]:
    """Tokens with digits that all values hold in the same shape: "Item #0042", "/0042/oak-table.html", "AB123"."""
    found: list[View | None] = []
    texts = whole.texts
    seen: set[str] = set()
    for text in texts[:3]:
        for match in re.finditer(r"[A-Za-z]{0,4}[-.]?\d[\w.-]*", text):
            if _in_number(text, match):
                continue
            for pattern in _shapes(text, match):
                if pattern in seen:
                    continue
                seen.add(pattern)
                matches = [re.search(pattern, other) for other in texts]
                hits = [hit[1] for hit in matches if hit]
                if len(hits) < 0.8 * len(texts) or len(set(hits)) < 0.5 * len(hits):
                    continue
                optional = len(hits) < len(texts)
                before = _shared(tokens(text[: match.start()])[-2:], texts)
                linked = whole.slot.attr in ("href", "src")
                alone = linked or sum(map(len, texts)) <= 40 * len(texts)
                names = ("code", "id" if linked else "number", *before) if alone else before
                cost = 1.9 if linked else 0.45 if alone else 0.6
                found.append(part(whole, [Search(pattern, 1, optional)], cost, names=names, coded=True))
                if len(found) > 8:
                    return [view for view in found if view is not None]
    return [view for view in found if view is not None]


def _shared(words: Sequence[str], texts: Sequence[str]) -> tuple[str, ...]:
    """The words that most texts have: a label's, and not those of one value."""
    return tuple(word for word in words if sum(word in tokens(text) for text in texts) >= 0.7 * len(texts))


def _in_number(text: str, match: re.Match[str]) -> bool:
    """Whether a token is a piece of a longer number: the 1 and the 299 of 1,299, of 1 299 and of 1’299."""
    token = match[0]
    numbers = (_UNIT.finditer(text)) if token[:1].isdigit() or token[-1:].isdigit() else ()
    for found in numbers:
        start, end = found.span("number")
        if start < match.end() and match.start() < end and (start < match.start() or end > match.end()):
            return True
    return False


def _shapes(text: str, match: re.Match[str]) -> list[str]:
    """Patterns for a token, with what stands right before it as an anchor."""
    token = match[0]
    shape = re.sub(r"\d+", r"\\d+", re.escape(token).replace("\\-", "-"))
    shape = re.sub(r"(?<![\\\w])[A-Z]+(?![a-z])", "[A-Z]+", shape)
    whole = r"(?![.,'’]?\d)" if token[-1:].isdigit() else ""
    before = text[: match.start()]
    anchor = re.search(r"[^\w\s]+\s*$|\w+[^\w\s]*\s*$", before)
    found = []
    if anchor:
        lead = re.escape(anchor[0].strip())
        gap = r"\s*" if anchor[0] != anchor[0].rstrip() else ""
        found.append(
            f"{lead}{gap}({shape})"
            + (whole if text[match.end() : match.end() + 1] not in ("/", ")", "]") else "")
            + (re.escape(text[match.end()]) if text[match.end() : match.end() + 1] in ("/", ")", "]") else "")
        )
    start = r"(?<!\d[.,'’])" if token[:1].isdigit() else ""
    found.append(rf"{start}\b({shape})\b{whole}")
    return found
