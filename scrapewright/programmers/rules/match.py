"""How well a view of a slot serves a field: by name, by type, by example, by where the request says it is."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec
from msgspec.structs import replace
from rapidfuzz import fuzz

from scrapewright.programmers.rules.figures import Fit
from scrapewright.programmers.rules.fit import fit
from scrapewright.programmers.rules.ops import Lookup, Search, Trim
from scrapewright.programmers.rules.said import (
    HEADINGS,
    example_score,
    look,
    meanings,
    place_score,
    said_score,
    said_words,
)
from scrapewright.programmers.rules.view import View
from scrapewright.query.lexicon import concepts, fold, singular, tokens, weak
from scrapewright.query.reading import Field
from scrapewright.survey.dom import word_set
from scrapewright.survey.values import is_date

_UNITS = word_set("gbp eur usd chf euro dollar pounds int float number iso pln czk jpy cny")
_NAMED = {"href": ("url",), "src": ("image",), "datetime": ("date",), "data-src": ("image",)}


class Match(msgspec.Struct, frozen=True):
    """A view that can serve a field, with the steps that make it the field's type."""

    field: Field
    view: View
    made: Fit
    score: float
    """0.0 where nothing but its likelihood among the record's places speaks for it."""
    name: float
    """How alike the names are, 0.0 to 1.0."""

    def lowered(self, by: float) -> Match:
        """The same match, liked less."""
        return replace(self, score=self.score - by)


@lru_cache(maxsize=20000)
def alike(wanted: tuple[str, ...], offered: tuple[str, ...]) -> float:
    """How alike two names are, word by word: the same word, the same concept, nearly the same letters. 0.0 to 1.0."""
    if not wanted or not offered:
        return 0.0
    if wanted == offered:
        return 1.0
    if fold("".join(wanted)) == fold("".join(offered)):
        return 1.0

    def best(word: str, others: tuple[str, ...]) -> float:
        top = 0.0
        for other in others:
            if word == other:
                return 1.0
            if concepts(word) & concepts(other):
                top = max(top, 0.85)
            elif len(word) > 3 and len(other) > 3:
                if word.startswith(other) or other.startswith(word):
                    top = max(top, 0.75)
                elif (other.endswith(word) or word.endswith(other)) and "sub" not in (word[:3], other[:3]):
                    top = max(top, 0.75)  # class names are written as one word: "topictitle", "postdate"
                elif fuzz.ratio(word, other) >= 85:
                    top = max(top, 0.8)
        return top

    def side(words: tuple[str, ...], others: tuple[str, ...]) -> float:
        weights = [0.15 if weak(word) or word in _UNITS else 1.0 for word in words]
        return sum(best(word, others) * weight for word, weight in zip(words, weights, strict=True)) / sum(weights)

    return 0.65 * side(wanted, offered) + 0.35 * side(offered, wanted)


def name_score(field: Field, view: View) -> float:
    """The best likeness between what the field is called and what the place is called."""
    slot = view.slot
    own = [tokens(name) for name in view.names]
    outer = [tokens(name) for name in (*slot.names, slot.header, slot.label) if name]
    if view.alone or (not slot.selector and (own or (view.ops and field.type == "text"))):
        outer = []  # what the record is called says nothing of a part that has a name of its own
    attr = _NAMED.get(slot.attr, ())
    offered = [*own, *(name + attr for name in outer if attr), *outer, *([attr] if attr else [])]
    if own and field.type in ("int", "float"):
        offered += [name + unit for name in outer for unit in own]  # "height_m": what it is, and in what
    if field.type == "bool":
        offered += [tokens(text) for text in view.counts]  # the answers themselves say to what: in-stock, sold out
    wanted = tokens(field.name)
    top = max((alike(wanted, name) for name in offered if name), default=0.0)
    if own and view.ops and field.type == "text":
        # What the place is called is said of the whole rather than of a part that has a name of its own.
        top = max(0.8 * top, max(alike(wanted, name) for name in own))
    called = frozenset().union(*(concepts(word) for name in outer for word in name))
    leading = headline(slot.selector) or called == {"url"}
    if leading and slot.attr == "text" and not slot.many and slot.type == "text":
        coded = view.share(_CODED.fullmatch) > 0.6
        likely = 0.0 if coded or any(isinstance(op, Search) for op in view.ops) else 0.65
        likely *= 0.6 if called & _OF_ANOTHER and not called & {"title"} else 1.0
        top = max(top, likely * alike(wanted, ("title",)))
    marked = tokens(re.split(r"[\s>+~]", slot.selector)[-1].partition(":")[0])[1:] if slot.attr == "text" else ()
    top = max(top, 0.75 * alike(wanted, marked))
    extra = tuple(word for phrase in field.words for word in tokens(phrase) if word not in wanted and not weak(word))
    if extra:
        said = max((alike((word,), name) for word in extra for name in offered if name), default=0.0)
        top = max(top, 0.8 * said)
    note = tuple(word for word in tokens(field.note) if not weak(word) and len(word) > 2)
    if note and offered:
        header = max((alike(name, note) for name in offered if name and name != attr), default=0.0)
        top = max(top, 0.6 * header)
    if field.type == "text" and view.texts and _CLOCK_NAMES.intersection(wanted):
        # Dates are called times too: what the values look like tells a time of day.
        top = max(top, 0.9 * view.share(_CLOCK.fullmatch)) * (1 - 0.8 * view.share(_NO_CLOCK.fullmatch))
    return top


def score(field: Field, view: View, language: str = "") -> Match | None:
    """The match of a field and a view, or None where the view's values can't be made the field's type."""
    key = (field, language)
    if key not in view.scores:
        view.scores[key] = _scored(field, view, language)
    found: Match | None = view.scores[key]
    return found


def _scored(field: Field, view: View, language: str) -> Match | None:
    texts = view.texts
    if not texts or (view.place[:1] == ("example",) and view.place[1] != field.name):
        return None
    if view.share(says_nothing) > 0.5:
        return None
    if (view.coded and not _takes_codes(field)) or (view.cut and not _takes_rest(field, view)):
        return None
    if view.slot.attr == "href" and field.type in ("int", "float") and not (_takes_codes(field) or _is_year(field)):
        return None  # an address has numbers of its own
    wants = meanings(field)
    if field.type == "url" and "url" in wants and "image" not in wants and view.share(_PICTURE) > 0.8:
        return None  # what a record looks like is not where it is
    listed = field.type == "list" and view.slot.many
    linked = field.type == "url" and view.slot.attr in ("href", "src", "data-src") and not (view.ops or view.slot.many)
    made = Fit((), 1.0) if listed or linked else fit(texts, field, language)
    if made is None or made.share < 0.5:
        return None
    looked_up = field.type != "bool" and any(isinstance(op, Lookup) for op in made.ops)
    if looked_up and view.slot.attr != "class" and "rating" not in meanings(field):
        return None
    name = name_score(field, view)
    value = _type_score(field, view) + look(field, view)
    if field.type == "bool" and name < 0.3:
        return None  # a yes or no to another question
    if len(view.values) == 1 and name < 0.3 and value < 1.2 and field.type in ("text", "int", "float", "list"):
        return None  # nothing but its place on the page speaks for the one value
    example = example_score(field, view)
    total = 3.0 * name + value + 0.6 * view.coverage + 0.8 * made.share + 2.0 * example
    if not view.slot.selector and any(isinstance(op, Search) for op in view.ops):
        total -= 0.3  # rather out of a smaller place than out of the record
    total += place_score(field, view) + said_score(field, view) - view.cost - 0.25 * view.depth
    if field.type in ("text", "url") and wants & {"title", "url"} and view.coverage > 0.9:
        total += 0.5 * view.distinct
    if field.type == "text" and not field.optional and view.coverage < 0.3:
        total -= 1.0  # it may be missing in a record or two, not in most
    if field.type == "text" and (name < 0.3 or "title" in wants) and len(texts) > 2 and len(view.counts) == 1:
        total -= 2.4  # "Agenda", "Read more": what all records say names none of them, and is a label
    repeats = wants & {"brand", "category", "stock", "status", "region"}
    if field.type == "text" and view.distinct < 0.15 and len(texts) > 4 and not repeats:
        total -= 0.5
    return Match(field=field, view=view, made=made, score=total, name=name)


def _is_year(field: Field) -> bool:
    return "year" in tokens(field.name)


_NUMBER = word_set("number numbers num no nr nummer numero numer cislo szam zahl nombre")
"""What a note calls any quantity, and what a code is called too."""


def _takes_codes(field: Field) -> bool:
    """A token picked by its shape is no quantity, unless the request calls the quantity a code or a number."""
    if field.type not in ("int", "float"):
        return True
    beside = [word for phrase in (field.note, *field.words) for word in tokens(phrase) if word not in _NUMBER]
    return any(concepts(word) & {"code", "rank"} for word in (*tokens(field.name), *beside))


def _takes_rest(field: Field, view: View) -> bool:
    """Words that all texts share belong to them ("Item A"), unless the request says that they are to be left off.

    The field's own name is a label where figures are all that follows it ("Lot 12").
    """
    if place_score(field, view) > 0 or (field.type == "text" and view.cut and view.cost < 0):
        return True
    wanted = tokens(field.name)
    called = tuple(singular(word) for word in view.cut) == tuple(singular(word) for word in wanted)
    called = called or ("phone" in meanings(field) and all("phone" in concepts(word) for word in view.cut))
    return called and view.place == () and all(re.fullmatch(r"[\W\d]*\d[\W\d]*", text) for text in view.texts)


_PICTURE = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|avif|ico)(?:[?#]|$)", re.I).search
_OF_FEED = re.compile(r"rel=\"(replies|edit|self|hub|service|related|license)\"")
"""Links of a feed's entry that do not lead to what it is of."""
_LETTER = re.compile(r"\W*\w\W*")
_YEARLY = re.compile(r"\b(?:19|20)\d\d\b")
_SUMS = frozenset(("price", "oldprice", "salary", "total", "discount"))
BARE_SUM = re.compile(r"(?:from |ab )?[$€£¥₽₩₹₺]\s?\d[\d.,]*|\d[\d.,]*\s?[$€£¥₽₩₹₺]")
FRACTION = re.compile(r"\d[.,]\d{1,2}(?!\d)")
YEAR = re.compile(r"\b[12]\d{3}\b")
_MEASURED = re.compile(r"\d\s?(?:m²|m2|km|kg|kw)(?!\w)", re.I)
PRICED = re.compile(r"[$€£¥₽₩₹₺₴]|\b(?:EUR|USD|GBP|CHF|Fr\.|Ft|Kč|zł|kr|руб|TL|RON|лв|円|元)", re.I)


def _type_score(field: Field, view: View) -> float:
    """Whether the values look like the thing: a price has a currency, a link is in href."""
    slot, texts = view.slot, view.texts
    wants = meanings(field)
    kind = field.type
    if is_vocabulary_key(slot.selector):
        return -2.0
    if kind == "url":
        if slot.many:
            return -1.2
        if "image" in wants:
            return 1.0 if slot.attr in ("src", "data-src") or "image" in view.names else -0.5
        if _OF_FEED.search(slot.selector) and not said_words(field) & set(_OF_FEED.findall(slot.selector)):
            return -0.6
        good = slot.attr == "href" or slot.type == "url"
        return (0.8 if good else -0.3) + 0.8 * _in_address(field, texts)
    if kind in ("int", "float"):
        if slot.attr in ("href", "src", "id", "class") and not view.slot.vocabulary:
            return -0.6
        total = 0.0
        priced = view.share(PRICED.search)
        if "price" in wants:
            total += 1.2 * priced if priced else (0.2 if slot.type in ("float", "int") else -0.3)
            total -= 0.0 if priced else 1.5 * view.share(_MEASURED.search)
        elif priced:
            total -= 0.8
        if view.ops:
            total -= min(0.2, 0.002 * max(map(len, map(str, slot.samples)), default=0))  # the smallest box will do
        bare = sum(len(text) <= 24 for text in texts) / len(texts)
        total += 0.5 * bare - 0.4 * (1 - bare)
        if _is_year(field) and not any(len(text) == 4 or YEAR.search(text) for text in texts):
            total -= 1.5
        if kind == "int" and any(map(FRACTION.search, texts[:20])):
            total -= 0.6
        if slot.type in ("date", "datetime"):
            total -= 0.6
        if (
            "price" in wants
            and not _FORMER & said_words(field)
            and _FORMER.intersection(word for name in slot.names for word in tokens(name))
        ):
            total -= 0.8
        if not wants & {"rank", "code"} and counts_up(view):
            total -= 2.0
        return total
    if kind in ("date", "datetime"):
        short = sum(len(text) <= 40 for text in texts) / len(texts)
        total = 0.9 + 0.3 * short + (0.2 if slot.attr == "datetime" else 0.0)
        return total - (0.6 if slot.attr in ("href", "src", "id") else 0.0)
    if kind == "list":
        return 1.0 if slot.many else 0.0
    if kind == "bool":
        return 0.6
    if slot.many and kind == "text":
        last = tokens(field.name)[-1:] or ("",)
        several = not wants and singular(last[0]) != last[0]
        return (0.3 if several else -0.4) if slot.attr == "text" else -2.5
    if slot.attr in ("href", "src", "id", "class"):
        return -1.2 if slot.attr != "class" and not view.ops else -0.6
    if slot.above and view.share(_LETTER.fullmatch) > 0.6:
        return -3.0  # the letters of a directory
    if slot.above and wants & {"title"} and not HEADINGS.search(fold(field.note)):
        return -0.8 - 1.5 * view.share(is_date) - (1.0 if view.ops else 0.0)
    linked = view.share(LINKED.match)
    if slot.type == "url" or linked > 0.6:
        return -0.8
    if "version" in tokens(field.name):
        return 0.7 * view.share(_VERSIONED.fullmatch)
    if wants & {"code"}:
        return 0.6 * view.share(is_code)
    total = -0.1 if slot.attr in ("head", "tail") else 0.0
    if slot.attr.startswith("data-") and alike(tokens(field.name), tokens(slot.attr)[1:]) < 0.6:
        total -= 0.4  # it bears the name of its element, whose text is what is shown
    if not wants & _SUMS:
        total -= 1.5 * view.share(BARE_SUM.fullmatch)
    mean = sum(map(len, texts)) / len(texts)
    called = view.cost < 0  # what follows a label, a dash or "by"
    plain = called or all(isinstance(op, Trim) and op.prefix.endswith(":") for op in view.ops)
    if wants & {"title", "author", "brand", "category"} and plain:
        total += 0.3 if slot.type == "text" and 2 <= mean <= 140 else -0.2
    shaped = any(isinstance(op, Search) for op in view.ops) and "example" not in view.place and not called
    if wants and not wants & {"code", "rank", "version", "size"} and shaped:
        total -= 0.7
    if shaped and view.names == ("year",) and not _is_year(field):
        total -= 1.0
    if wants & {"title"} and not view.ops and headline(slot.selector):
        total += 0.3
    if wants & {"title"} and view.coverage < 0.6 and not field.optional:
        total -= 1.2  # what a record is called is seldom left out
    if wants & {"text", "description"}:
        total += min(mean, 200) / 400
    if wants & {"title", "author", "brand", "category", "company"}:
        total -= 1.5 * view.share(is_date)
    if wants & {"author"}:
        total -= 0.8 * view.share(_YEARLY.search)
    if wants & {"title"} and not wants & {"code"}:
        total -= 0.6 * view.share(is_code)
    if slot.type in ("int", "float", "date", "datetime") and wants & {"title", "author", "text", "brand", "category"}:
        total -= 0.6
    return total


_FORMER = word_set("old was before strike struck regular original list previous crossed rrp msrp uvp former del")


def is_vocabulary_key(path: str) -> bool:
    """Whether a path in JSON ends in a word of JSON-LD itself: "@type", "@id"."""
    return "@" in path.rpartition(".")[2]


_COUNTED = re.compile(r"#?(\d+)[.):]?")


def counts_up(view: View) -> bool:
    """Whether the values number the records: 1, 2, 3, with or without a dot."""
    first = _COUNTED.fullmatch(view.texts[0]) if len(view.texts) > 4 else None
    if first is None:
        return False
    numbers = enumerate(map(_COUNTED.fullmatch, view.texts), int(first[1]))
    return all(found is not None and int(found[1]) == at for at, found in numbers)


def _in_address(field: Field, texts: list[str]) -> float:
    """The share of the links whose addresses say what they are asked for: "download_url of the zip"."""
    said = {word for text in (field.name, field.note) for word in tokens(text)}
    said = {word for word in said if len(word) > 2 and not weak(word) and not concepts(word) & {"url"}} - _LINK_WORDS
    hits = [text for text in texts if said.intersection(re.split(r"[\W_]+", text.lower()))]
    return len(hits) / len(texts)


_LINK_WORDS = frozenset(("absolute", "absolut", "absolu", "full", "page", "http", "https", "html", "www", "com"))
_CODED = re.compile(r"\S*\d\S*")
_SPACED_CODE = re.compile(r"(?=.*\d)[A-Z\d][\w./-]*(?: [A-Z\d][\w./-]*){1,3}")
"""A code in several parts: "823.914 MUR", "DE 10 2014"."""


def is_code(text: str) -> bool:
    """Whether it looks like a code; one or two figures alone are rather a day or a count."""
    if len(text) > 32 or (text.isdigit() and len(text) < 3):
        return False
    spaced = _SPACED_CODE.fullmatch(text) and not re.search(r"[^\W\d_][a-zß-ÿ]{2}", text)
    return bool(_CODED.fullmatch(text) or spaced)


_VERSIONED = re.compile(r"\D{0,24}\b[vV]?\d+(?:[._]\w+)+(?:[-+~]?\w+)*")
LINKED = re.compile(r"(?i)https?://|/[\w.~%-]+/|/[\w.~%-]+$")


def says_nothing(text: str) -> bool:
    """Marks and no word: what is left between two elements of a line."""
    return not any(map(str.isalnum, text))


_CLOCK_NAMES = word_set(
    """time times hour start begin end departure arrival uhrzeit zeit beginn ende abfahrt ankunft heure hora ora orario
    tijd godzina cas czas время saat ido"""
)
_HOUR = r"(?:[01]?\d|2[0-4])(?:[:.h](?:[0-5]\d)?(?:\s?[ap]\.?m\.?)?|\s?[ap]\.?m\.?)"
_CLOCK = re.compile(rf"{_HOUR}(?:\s?(?:[-–—]|to|bis|à|a)\s?{_HOUR})?(?: ?(?:uhr|hrs?|h))?", re.I)
"""A time of day, or from one to another: 9:30, 18.45, 9h30, 9 pm, 10:00–12:30."""
_NO_CLOCK = re.compile(r"\d+|(?!.*\d[:h]\d).*\b\d{4}\b.*")
"""A bare number, and a date with its year."""


_OF_ANOTHER = frozenset(("tags", "author", "category", "comments", "date", "price", "company", "brand", "region"))
"""What a link in a record is called where it leads to something else than the record."""


@lru_cache(maxsize=4096)
def headline(selector: str) -> bool:
    return bool(re.search(r"(^|[\s>])(h[1-6]|a|strong|b)([.:\[\s>]|$)", selector))
