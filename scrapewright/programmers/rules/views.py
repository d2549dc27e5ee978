"""What can be read out of a slot: its whole text, or a part of it that has a shape of its own.

A heading such as "Oak table - 2nd hand" holds two values, "4 chairs | 1 bench" two numbers, a link a code, other texts
labels with what follows each, or pieces between marks. Every such part becomes a `View` with its own values and likely
names, and competes for the fields like a whole slot. Of prices it is said which are those of before a sale: what the
page strikes out where it does, and the one price where it does not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, takewhile

from msgspec.structs import replace

from scrapewright.programmers.rules.figures import fit_number
from scrapewright.programmers.rules.ops import Op, Part, Plain, Present, Rewrite, Search, Trim, run
from scrapewright.programmers.rules.quantities import ENDS, ENUMERATED, FILE, codes, held, numbers, spans
from scrapewright.programmers.rules.reading import Reader
from scrapewright.programmers.rules.view import MOST, View, part, searched
from scrapewright.query.lexicon import concepts, singular, tokens
from scrapewright.query.numerals import CURRENCY
from scrapewright.survey.dom import shared_start, word_set
from scrapewright.survey.embedded import is_json
from scrapewright.survey.model import Group, Slot
from scrapewright.survey.slots import BACKGROUND, BAR, TARGET

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
}

_READ = frozenset(("text", "head", "tail", "href", "src", "title", "alt", "aria-label", "content", "class", "id"))
"""Attributes that say something in parts, as texts do."""
_AFTER = ("after", "behind", "nach", "hinter", "apres", "despues", "dopo", "na", "po", "после", "depois", "in")
_BEFORE = ("before", "vor", "avant", "antes", "prima", "voor", "przed", "до", "перед")
_WITHOUT = ("without", "ohne", "sans", "sin", "senza", "zonder", "bez", "без")
_LAST = ("last", "letzten", "dernier", "ultimo", "laatste", "последний")
SIDES = frozenset((*ENDS, *_AFTER[:-1], *_BEFORE, *_WITHOUT))
"""Words that say on which side of a mark a part is."""


def group_views(
    group: Group, reader: Reader, language: str, *, detail: bool = False, rough: bool = False
) -> list[View]:
    """Every place in the group's records, whole and in parts; by the survey's samples where that will do."""
    found = []
    json = is_json(group)
    scripted = {data.name for data in group.data if data.source != "ld+json"}
    markup = () if json else with_former([slot for slot in group.slots if not slot.data])
    if not (json or rough):
        markup = either(markup, lambda slot: reader.values(group, slot))
        markup = of_two(markup, lambda slot: reader.lists(group, slot))
    for slot in (*markup, *(slot for slot in group.slots if json or slot.data)):
        inside = json or bool(slot.data)
        depth = slot.selector.count(".") if inside else 0
        whole = View(slot, (), language=language, detail=detail, depth=depth, rough=rough, value=inside)
        if rough:
            whole = replace(whole, values=slot.samples)
        else:
            values = tuple(reader.values(group, slot))
            sought = group.count == 1 and (slot.data in scripted or not inside)
            whole = replace(
                whole, values=values, joint=reader.joint(group, slot), scripted=slot.data in scripted,
                unseen=_unseen(slot, values, reader) if sought else 0.0,
            )  # fmt: skip
        found.append(views(whole))
    parts = [view for offered in filter(None, found) for view in labelled(offered, group.slots)]
    return parts if rough or json or group.count == 1 else [*parts, *(mark for part in parts for mark in _marks(part))]


def _marks(whole: View) -> Iterator[View]:
    """Whether a record has a mark that says the same wherever it is, "Sold out", and whether it has none."""
    if len(whole.counts) != 1 or whole.coverage == 1.0 or whole.ops or whole.slot.many or whole.slot.data:
        return
    mark = whole.texts[0]
    for absent in (False, True):
        there = tuple(str(bool(text) != absent) for text in whole.values)
        op = Present(said=True, absent=absent, mark=mark)
        yield replace(whole, values=there, ops=(op,), names=(*whole.slot.names, mark), cost=0.3)


def _unseen(slot: Slot, values: Sequence[str | None], reader: Reader) -> float:
    """The share of the words of an attribute, or of a value in a script's data, that the page shows nowhere; 0.0 for
    text."""
    if slot.attr in ("text", "head", "tail") and not slot.data:
        return 0.0
    words = [singular(word) for text in values if text for word in tokens(text)]
    return sum(not reader.says((word,)) for word in words) / max(1, len(words))


def detail_views(group: Group, inner: Reader, outer: Reader, language: str) -> list[View]:
    """The places of a page behind a link, but for what is on the listing just the same: the site's own frame."""
    offered = group_views(group, inner, language, detail=True)

    def framed(view: View) -> bool:
        return bool(view.texts) and not (view.ops or view.slot.data) and outer.shows(view.slot, view.texts[0])

    return [view for view in offered if not framed(view)]


def views(whole: View) -> list[View]:
    """The whole of a slot and its parts."""
    slot, found = whole.slot, [whole]
    if slot.attr == "style":
        bars = searched(whole, BAR.pattern, 0.3, ("percent",), ("width",), least=0.5)
        return [*bars, *searched(whole, BACKGROUND.pattern, 0.0, ("image", "background"), least=0.5)]
    if slot.attr == "onclick":
        return searched(whole, TARGET.pattern, 0.0, ("url", "link"), least=0.5)
    if slot.many or not whole.texts or slot.attr not in _READ:
        return found
    if slot.attr in ("href", "src"):
        return [whole, *codes(whole), *held(whole, [FILE]), *_addressed(whole), *_points(whole)]
    if slot.attr == "text" and any(map(_MARKUP.search, whole.texts)):
        found += searched(whole, _SOURCE, 0.0, ("image",), least=0.5)
        if plain := part(whole, [Plain()], -0.2, place=("plain",)):
            found, whole = [*found, *plain], plain[0]  # parts are of what is said, not of how it is written
    found += numbers(whole)
    found += spans(whole)
    found += _points(whole)
    found += held(whole, [FILE]) if slot.type == "url" else held(whole)
    if slot.type not in ("int", "float", "date", "datetime", "url") and not slot.above:
        found += _separated(whole)
        found += _bared(whole)
        found += codes(whole)
    elif slot.label and all(text.startswith(slot.label) for text in whole.texts):
        found += part(whole, [Trim(slot.label)], -0.15, names=(slot.label,))
    return found


def _addressed(whole: View) -> list[View]:
    """Whom a link writes to or calls: an address of mail, a telephone number."""
    for scheme, called, cost in (("mailto:", "email", -0.2), ("tel:", "phone", 0.2)):  # a number is shown as well
        if all(text.lower().startswith(scheme) for text in whole.texts):
            # A subject may be filled in, and the scheme written in capitals.
            if any("?" in text or not text.startswith(scheme) for text in whole.texts):
                return searched(whole, f"(?i)^{scheme}([^?]+)", cost, (called,))
            return part(whole, [Trim(scheme)], cost, names=(called,))
    return []


_DEGREES, _COMMA = r"-?\d{1,3}\.\d+", r"(?:,\s*|%2C|;\s*|\s+)"


def _points(whole: View) -> list[View]:
    """The latitude and the longitude of a point on a map: "?q=52.5163,13.3777"."""
    found = searched(whole, rf"(?<![\d.])({_DEGREES}){_COMMA}{_DEGREES}(?![\d.])", 0.1, ("latitude", "lat"))
    if found:
        found += searched(
            whole, rf"(?<![\d.]){_DEGREES}{_COMMA}({_DEGREES})(?![\d.])", 0.1, ("longitude", "lng", "lon")
        )
    return found


_MARKUP = re.compile(r"</?[a-zA-Z][^<>]*>|&(?:[a-zA-Z]{2,8}|#\d{2,5}|#x[\da-fA-F]{2,4});")
_SOURCE = r'<img\b[^>]*?\ssrc=["\x27]([^"\x27]+)'
"""The address of a text's first picture. A single quote is written as its number: a literal of the program can't well
hold both kinds."""


_LOOSE_END = re.compile(r"\s+[|·•/–—-]$")
"""A mark between an element and one that follows it, where only the text outside of the elements is read."""


def _separated(whole: View) -> list[View]:
    """What is before and after a mark that most texts have, and what is in brackets."""
    found: list[View] = []
    loose: list[Op] = [Rewrite(_LOOSE_END.pattern, "")] if any(map(_LOOSE_END.search, whole.texts)) else []
    for separator, called in SEPARATORS.items():
        having = [text for text in whole.texts if separator in text]
        if len(having) < max(1, MOST * len(whole.texts)):
            continue
        bracket = separator.strip() in "(（"
        before, after = (*called, *_BEFORE, *(_WITHOUT if bracket else ())), (*called, *_AFTER)
        found += part(whole, [Part(separator)], 0.5, place=before)
        if bracket:
            # a text without brackets has nothing in them
            found += part(whole, [Search(r"[(（]([^()（）]+)[)）][^()（）]*$", 1, True)], 0.5, place=after)
            continue
        found += part(whole, [Part(separator, True), *loose], 0.5, place=after)
        if any(text.count(separator) > 1 for text in having):
            found += part(whole, [Part(separator, False, True)], 0.55, place=(*before, *_LAST))
            found += part(whole, [Part(separator, True, True)], 0.55, place=(*after, *_LAST))
    return found


def _bared(whole: View) -> list[View]:
    """Texts without what all of them, or most, have at the start or the end and what is none of their own: a label, a
    mark, a running number, quotes, words."""
    texts = whole.texts
    found: list[View] = []
    labels: Counter[str] = Counter()
    for text, times in whole.counts.items():
        if ":" in text and (match := _LABEL.match(text)):
            labels[match[1]] += times
    for label, count in labels.items():
        if count == len(texts) and (count > 1 or len(whole.values) == 1):
            found += part(whole, [Trim(f"{label}:")], -0.15, names=(label,))
        elif count > 1:  # where some texts lack the label they are about something else
            found += searched(whole, rf"^{re.escape(label)}:\s*(.+)", -0.15, (label,))
    numbered = takewhile(bool, map(_ENUMERATED.match, texts))
    counts = [int(re.sub(r"\D", "", match[0])) for match in numbered if match is not None]
    if LEAST_NUMBERED <= len(counts) == len(texts) and all(after - before == 1 for before, after in pairwise(counts)):
        made = part(whole, [Rewrite(ENUMERATED, "")], 0.1, place=(*_WITHOUT, "number"), bare=True)
        found += [view for view in made if view.distinct == 1.0]  # of "1. floor", "2. floor" the number tells
    mark, count = Counter(text[:2] for text in texts).most_common(1)[0]
    if count >= 0.8 * len(texts) and re.fullmatch(r"[-–—:,;.|·•*/»] ", mark):
        found += part(whole, [Trim(mark)], -0.2, bare=True)
    in_text = whole.slot.own or whole.slot.attr in ("head", "tail")
    if in_text and all(re.search(r"[^\W\d_]{2}\.$", text) for text in texts):
        found += part(whole, [Trim("", ".")], -0.2)  # the end of a sentence that began in an element
    for opening, closing in _PAIRS:
        if all(text.startswith(opening) and text.endswith(closing) for text in texts):
            found += part(whole, [Trim(opening, closing)], 0.3, place=("quoted",))
    start = _common_words(texts)
    if start and not start.rstrip().endswith(":"):
        marked = re.search(r"[-–—|/#»>•·=]\s*$", start) is not None
        words = tokens(start)
        leads = bool(words) and LEADING.issuperset(words)
        taken = () if marked else words or (start,)
        found += part(whole, [Trim(start)], -0.1 if leads else 0.2, names=() if leads else words, cut=taken)
    if whole.slot.attr == "class" and (stem := _common_words(texts, "-")):
        found += part(whole, [Trim(stem)], 0.2, names=tokens(stem))
    end = _common_words([text[::-1] for text in texts])[::-1]
    if end and not any(end.count(closing) > end.count(opening) for opening, closing in ("()", "[]")):
        found += part(whole, [Trim("", end)], 0.25, place=_WITHOUT, cut=tokens(end) or (end,))
    return found


LEAST_NUMBERED = 3
_LABEL = re.compile(r"([^\W\d][^:]{1,24}):\s+\S")
_ENUMERATED = re.compile(ENUMERATED)
_PAIRS = tuple((pair[0], pair[1]) for pair in ("“”", "„“", "«»", "»«", "《》", "「」", "『』", '""', "‘’", "''"))


def _common_words(texts: Sequence[str], gap: str = " ") -> str:
    """The words that all texts start with, up to a gap."""
    if len(texts) < 3 or len(set(texts)) < 2:
        return ""
    start = shared_start(texts)
    return start[: start.rfind(gap) + 1]


_CALLED = re.compile(r"((?:[^\W\d_][\w.'’-]* ){0,2}[^\W\d_][\w.'’-]*)\s?(?::(?=\s)|：)")
_BETWEEN = "|·•,;/–—-(["
MIXED = 1.0
"""How much less likely a text with several labels in it is a value than another."""


def labelled(found: Sequence[View], slots: Sequence[Slot] = ()) -> list[View]:
    """A slot's views, and what follows each label where the text has several, or has one in its midst: "Year: 1979 |
    Length: 8.2 m". A view that was cut without regard to several labels is less likely.

    A label of one of the other `slots` is left out: its values have a place of their own, which is the better one.
    """
    whole = found[0]
    texts, labels = whole.texts, _labels(whole)
    if not labels or (len(labels) == 1 and all(text.startswith(labels[0]) for text in texts)):
        return list(found)
    known = {tokens(slot.label) for slot in slots if slot.label and slot.selector != whole.slot.selector}
    colon = "[:：]" if any("：" in text for text in texts) else ":"
    one = {label: rf"(?<!\w){_escaped(label)}\s?{colon}" for label in labels}
    any_label = "|".join(sorted(one.values(), key=len, reverse=True))
    made: list[View] = []
    for label in labels:
        if tokens(label) in known:
            continue
        behind: dict[str, None] = {}
        between: set[str] = set()
        starts = [(text, match.end()) for text in texts if (match := re.search(one[label], text))]
        for text, start in starts:
            if following := re.compile(any_label).search(text, start):
                behind[next(other for other in labels if re.fullmatch(one[other], following[0]))] = None
                between.update(c for c in text[: following.start()].rstrip()[-1:] if c in _BETWEEN)
        gap = rf"[\s{re.escape(''.join(sorted(between)))}]*"
        ends = "|".join([*(_escaped(name) + colon for name in behind), "$"])
        pattern = rf"\b{_escaped(label)}{colon}\s*" + (f"(.*?){gap}(?:{ends})" if behind else "(.+)")
        in_brackets = rf"[(\[]{_escaped(label)}{colon}\s*([^()\[\]]+)[)\]]"
        if all(re.search(in_brackets, text) for text, _ in starts):
            pattern = in_brackets
        made += searched(whole, pattern, -0.2, (label,), least=0.5)
    made += searched(whole, rf"^(.+?)[\s{re.escape(_BETWEEN)}]+(?:{any_label})", 0.3)
    less = MIXED if len(labels) > 1 else 0.0
    others = [replace(view, alone=True, cost=view.cost + less) if less else view for view in found]
    return [*others, *(replace(view, alone=True) for view in made)]


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
    common = [label for label, count in counts.items() if count >= max(2, MOST * len(texts))]
    return [one for one in common if not any(other != one and other.endswith(" " + one) for other in common)]


# prices before and in a sale

_NOT_STRUCK = re.compile(r":not\((?:del|s|strike) \*\)")
STRUCK_OUT = re.compile(r"(?:^|[\s>])(?:del|s|strike)(?=[\s.>:]|$)")


def with_former(slots: Sequence[Slot]) -> tuple[Slot, ...]:
    """The slots, those of struck prices named so, and for each current price the regular one of all records.

    Of several prices a page writes the former one first: without its condition the current price's selector finds it.
    """
    found = []
    for slot in slots:
        if STRUCK_OUT.search(slot.selector) and slot.type in ("int", "float"):
            slot = replace(slot, names=(*slot.names, *_FORMER))
        regular = _NOT_STRUCK.sub("", slot.selector)
        if regular != slot.selector and slot.type in ("int", "float") and not slot.index:
            found.append(replace(slot, names=(*_NOW, *slot.names)))
            found.append(replace(slot, id=f"{slot.id}r", selector=regular, names=_REGULAR))
        else:
            found.append(slot)
    return tuple(found)


_REGULAR = ("regular price", "original price", "list price", "full price")
_FORMER = ("old price", "was price", "former price")
_NOW = ("price", "current price")
_MONEY = re.compile(f"[{CURRENCY}]")
_PLAIN = re.compile(r"[a-z][\w.# >-]*")
_OLD = word_set("old was before strike struck original list previous crossed rrp msrp uvp former save saving unit")
_NEW = word_set("special sale now current final offer actual promo reduced new")


def either(slots: Sequence[Slot], read: Callable[[Slot], Sequence[str | None]]) -> tuple[Slot, ...]:
    """The slots, and for two places of a price of which each record has one ("special price", else "regular price")
    one that holds the price of all. `read` gives a slot's text in each record."""
    prices = [slot for slot in slots if _is_price(slot) and not _words(slot) & _OLD]
    found = list(slots)
    for one in prices:
        texts = read(one)
        others = [other for other in prices if _complement(texts, read(other))]
        if len(others) > 1:
            others = [other for other in others if _words(other) & _NEW]
        # Of a box and the price in it the price. The pair is found from both of its sides, and taken from its first.
        others.sort(key=lambda other: sum(len(text or "") for text in read(other)))
        same = {tuple(text is None for text in read(other)) for other in others}
        if len(same) == 1 and prices.index(others[0]) > prices.index(one):
            both = f"{one.selector}, {others[0].selector}"
            found.append(replace(one, id=f"{one.id}e", selector=both, coverage=1.0, label="", header="", names=_NOW))
    return tuple(found)


def of_two(slots: Sequence[Slot], read: Callable[[Slot], Sequence[Sequence[str]]]) -> tuple[Slot, ...]:
    """The slots, and for a place of which a record has one price or two, the higher first: the price now (its last),
    and the former one (the last but one, where there are two). `read` gives all of a slot's texts in each record."""
    found = list(slots)
    for slot in slots:
        lists = [texts for texts in read(slot) if texts] if slot.many and slot.attr == "text" else []
        every = tuple(text for texts in lists for text in texts)
        one_or_two = {len(texts) for texts in lists} == {1, 2}
        money = one_or_two and (all(map(_MONEY.search, every)) or _is_called_price(slot))
        fit = fit_number(every, whole=False) if money else None
        if fit is None or fit.share < 1:
            continue
        pairs = [[run(fit.ops, text) for text in texts] for texts in lists if len(texts) == 2]
        if all(former > now for former, now in pairs):
            one = replace(slot, many=False, type="float", label="", header="")
            place, part = (slot.selector, slot.attr, slot.own), round(len(pairs) / len(lists), 3)
            firsts = [o for o in found if (o.selector, o.attr, o.own) == place and not (o.many or o.index)]
            found = [replace(other, names=_REGULAR) if other in firsts else other for other in found]
            found.append(replace(one, id=f"{slot.id}n", index=-1, names=_NOW))
            found.append(replace(one, id=f"{slot.id}f", index=-2, coverage=part, names=_FORMER))
    return tuple(found)


def _is_price(slot: Slot) -> bool:
    alone = slot.attr == "text" and not (slot.index or slot.many or slot.own) and slot.type in ("int", "float")
    if not alone or slot.coverage >= 1 or not _PLAIN.fullmatch(slot.selector) or STRUCK_OUT.search(slot.selector):
        return False
    return _is_called_price(slot)


def _is_called_price(slot: Slot) -> bool:
    return any("price" in concepts(word) for word in _words(slot))


def _words(slot: Slot) -> set[str]:
    return {word for name in (*slot.names, slot.selector) for word in tokens(name)}


def _complement(one: Sequence[str | None], other: Sequence[str | None]) -> bool:
    """Whether each record has its text in one of the two, and none in both."""
    return len(one) == len(other) > 1 and all((a is None) != (b is None) for a, b in zip(one, other, strict=True))
