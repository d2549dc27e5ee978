"""What a column and a place have to do with each other, each thing found once, and how likely it is the column's place.

In: a field and views. Out: how alike they are called, how much the values look like what is asked for, and the steps
that make them that, by which `match` scores; and for the places of a record a probability for each, what is missing to
1.0 being that of none. That is a conditional logit (McFadden, 1974) over features of which none knows a site; its
weights are fitted on saved pages (`make calibrate-choice`) and shipped in choice.json.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace
from rapidfuzz import fuzz

from scrapewright.programmers.rules.answers import of_mark
from scrapewright.programmers.rules.figures import Fit
from scrapewright.programmers.rules.fit import fit
from scrapewright.programmers.rules.ops import Count, Lookup, Part, Present, Search, ToInt, Trim, value_of
from scrapewright.programmers.rules.view import BARE_SUM, FRACTION, LINKED, LINKS, PRICED, YEAR, View, says_nothing
from scrapewright.programmers.rules.views import SIDES
from scrapewright.query.lexicon import concepts, fold, tokens, weak
from scrapewright.query.logit import shares
from scrapewright.query.reading import Field
from scrapewright.survey.dom import word_set

CONVERTED = 0.5
"""Share of a place's texts that must turn into the column's type."""
_UNITS = word_set("gbp eur usd chf euro dollar pounds int float number iso pln czk jpy cny")
_NAMED = {"href": ("url",), "src": ("image",), "datetime": ("date",), "data-src": ("image",)}


@lru_cache(maxsize=20000)
def alike(wanted: tuple[str, ...], offered: tuple[str, ...]) -> float:
    """How alike two names are, word by word: the same word, the same concept, nearly the same letters. 0.0 to 1.0."""
    if not wanted or not offered:
        return 0.0
    if wanted == offered or "".join(wanted) == "".join(offered):
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


def pair(field: Field, view: View) -> Pair:
    """The two, with all that was found of them before."""
    if field not in view.pairs:
        view.pairs[field] = Pair(field, view)
    found: Pair = view.pairs[field]
    return found


class Pair(msgspec.Struct, frozen=True, dict=True):
    """A column and a place that may be its."""

    field: Field
    view: View

    @cached_property
    def likeness(self) -> float:
        """The best likeness between what the field is called and what the place is called, from 0.0 to 1.0."""
        field, view, said = self.field, self.view, self.field.said
        slot, own, outer, wanted = view.slot, view.own, view.outer, said.words
        if view.alone or (not slot.selector and (own or (view.ops and field.type == "text"))):
            outer = []  # what the record is called says nothing of a part that has a name of its own
        attr = _NAMED.get(slot.attr, ())
        offered = [*own, *(name + attr for name in outer if attr), *outer, *([attr] if attr else [])]
        if own and field.type in ("int", "float"):
            offered += [name + unit for name in outer for unit in own]  # "height_m": what it is, and in what
        if field.type == "bool":
            offered += [tokens(text) for text in view.counts]  # the answers themselves say to what: in-stock, sold out
        top = max((alike(wanted, name) for name in offered if name), default=0.0)
        if own and view.ops and field.type == "text":
            # What the place is called is said of the whole rather than of a part that has a name of its own.
            top = max(0.8 * top, max(alike(wanted, name) for name in own))
        called = view.concepts if outer else frozenset()
        if (view.headline or called == {"url"}) and slot.attr == "text" and not slot.many and slot.type == "text":
            coded = view.share(_CODED.fullmatch) > 0.6
            likely = 0.0 if coded or any(isinstance(op, Search) for op in view.ops) else 0.65
            likely *= 0.6 if called & _OF_ANOTHER and not called & {"title"} else 1.0
            top = max(top, likely * alike(wanted, ("title",)))
        top = max(top, 0.75 * alike(wanted, view.classes))
        if said.beside:
            most = max((alike((word,), name) for word in said.beside for name in offered if name), default=0.0)
            top = max(top, 0.8 * most)
        if said.noted and offered:
            header = max((alike(name, said.noted) for name in offered if name and name != attr), default=0.0)
            top = max(top, 0.6 * header)
        if field.type == "text" and view.texts and _CLOCK_NAMES.intersection(wanted):
            # Dates are called times too: what the values look like tells a time of day.
            top = max(top, 0.9 * view.share(_CLOCK.fullmatch)) * (1 - 0.8 * view.share(_NO_CLOCK.fullmatch))
        return top

    @cached_property
    def place(self) -> float:
        """Whether the request says that the value is this part of a text: "the part before the dash"."""
        said, place = self.field.said, self.view.place
        if place == ("quoted",):
            return 1.6 if said.unquoted else 0.0
        if not place or place[0] == "example":
            return 1.5 if self._is_left_off else -0.8 if said.asks_part else 0.0
        hits = [word for word in place if word in said.place]
        if place[0] in hits and "without" in hits and said.marks_off:
            hits = []
        if "in" in hits and "parenthesis" in place and any(hit not in SIDES and hit != "in" for hit in hits):
            return 1.5
        if any(hit in SIDES for hit in hits):
            named = any(hit not in SIDES for hit in hits) or place[0] in SIDES
            return 1.5 if named else 0.3
        return 0.0

    @property
    def _is_left_off(self) -> bool:
        """Whether the part is what the note quotes as to be left off."""
        cut, left_off = self.view.ops[0] if self.view.ops else None, self.field.said.left_off
        edges = (cut.prefix, cut.suffix) if isinstance(cut, Trim) and left_off else ()
        return any(fold(edge).strip() in left_off for edge in edges if edge.strip())

    @cached_property
    def said(self) -> float:
        """What the request says of the place: the part of a text, the attribute that it is in, the heading that it is,
        which of several alike, or the place that it is not."""
        said, view = self.field.said, self.view
        total = 1.5 if view.slot.attr in said.attributes else 0.0
        if view.slot.above and said.under_heading:
            total += 1.2
        for words in said.denied:
            if any(word in name for word in words for name in view.outer):
                total -= 1.5
        called = (view.slot.label, *view.slot.names[:1]) if said.concepts & {"author", "date"} else ()
        if any(_LATER.intersection(tokens(name)) for name in called) and not _LATER & said.all:
            total -= 0.9  # who posted last is not who began
        return self.place + (total + self._numbered)

    @property
    def _numbered(self) -> float:
        """Whether the place is that of several alike that the number in the column's name says: the second for
        team2."""
        (number, count), index = self.field.nth, self.view.slot.index
        if not number or self.view.slot.many or (index == 0 and number > 1):
            return 0.0
        at = index + 1 if index >= 0 else count + index + 1
        return (1.5 if index else 0.0) if at == number else -1.5

    @cached_property
    def example(self) -> float:
        """1.0 and more where a value is one that the request quotes, up to 0.6 where values look like it; negative
        where none do."""
        quoted = self.field.said.examples if self.field.type == "text" else ()
        if not quoted:
            return 0.0
        if any(example in self.view.counts for example in quoted):
            return 1.0 if any(c.isdigit() for c in "".join(quoted)) else 1.5
        shapes = set(map(_shape, quoted))
        like = self.view.share(lambda text: _shape(text) in shapes)
        return 0.6 * like if like > 0.3 else -0.2

    @cached_property
    def look(self) -> float:
        """How much the values speak for a text field, or against it; 0.0 for fields whose values have no look."""
        wants, share = self.field.said.concepts, self.view.share
        if self.field.type != "text":
            return 0.0
        if "email" in wants:
            return 2.2 * share(_MAIL.fullmatch) - 0.8 * (1.0 - share(_MAIL.search))
        if "phone" in wants:
            return share(_PHONE.fullmatch) - 1.2 * (1.0 - share(_FIGURES_OF_PHONE.search))
        return -1.5 * share(_NUMERALS.fullmatch) if "address" in wants else 0.0

    # what its texts can be made

    @cached_property
    def made(self) -> Fit | None:
        """The steps that make the texts the field's type; None where too few of them can be made that."""
        field, view = self.field, self.view
        if not view.texts:
            return None
        first = view.ops[0] if view.ops else None
        if isinstance(first, Count):
            return Fit((ToInt(),), 1.0)
        if isinstance(first, Present):
            if field.type != "bool" or (first.mark and of_mark(first.mark, field) is not (not first.absent)):
                return None
            return Fit((Lookup("ANSWERS", (("True", True), ("False", False))),), 1.0)
        marked = field.type == "bool" and not (view.value or view.slot.data)
        if marked and len(view.counts) == 1 and view.coverage < 1.0:
            return None  # that it is there says it, and that it is not
        linked = field.type == "url" and view.slot.attr in LINKS and not (view.ops or view.slot.many)
        if linked and view.share(_INLINE.match) > CONVERTED:
            return None
        if linked or (field.type == "list" and view.slot.many):
            return Fit((), 1.0)
        made = fit(view.texts, field, view.language)
        return made if made is not None and made.share >= CONVERTED else None

    @cached_property
    def typed(self) -> Field:
        """The field with the type that all values have, where neither the request nor its name says one: sums of money
        are numbers, and not texts with a sign; numbers of which some have fractions are no whole ones."""
        field, view = self.field, self.view
        if not field.kinds or field.type not in ("int", "text"):
            return field
        kind = "float" if field.type == "int" else view.type
        typed = replace(field, type=kind, kinds=())
        if kind == "text" or (made := pair(typed, view).made) is None:
            return field
        if field.type == "text":
            return typed if made.share >= 1.0 else field
        values = (value_of(text, made.ops) for text in view.counts)
        return typed if any(isinstance(value, float) and value % 1 for value in values) else field

    @property
    def fitting(self) -> Fit | None:
        """As `made`, as that type."""
        return pair(self.typed, self.view).made

    @property
    def numbers_records(self) -> bool:
        """Whether the values number the records, and the field is none that does."""
        return not self.field.said.concepts & {"rank", "code"} and self.view.counts_up


_INLINE = re.compile("data:")
_LATER = word_set("last latest letzter letzte letzten dernier derniere ultimo ultima laatste")
_CODED = re.compile(r"\S*\d\S*")
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
_MAIL = re.compile(r"[\w.+-]+(?:@|\s?\[at\]\s?)[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"\+?\(?\d[\d\s()/.–-]{5,22}\d(?:\s?(?:x|ext\.?)\s?\d+)?")
_FIGURES_OF_PHONE = re.compile(r"(?:\d\D*){5}")
_NUMERALS = re.compile(r"[\d\s.,]+")
_SPACED_CODE = re.compile(r"(?=.*\d)[A-Z\d][\w./-]*(?: [A-Z\d][\w./-]*){1,3}")
"""A code in several parts: "823.914 MUR", "DE 10 2014"."""


def is_code(text: str) -> bool:
    """Whether it looks like a code; one or two figures alone are rather a day or a count."""
    if len(text) > 32 or (text.isdigit() and len(text) < 3):
        return False
    spaced = _SPACED_CODE.fullmatch(text) and not re.search(r"[^\W\d_][a-zß-ÿ]{2}", text)
    return bool(_CODED.fullmatch(text) or spaced)


def _shape(text: str) -> str:
    """A text's outline: "2026 KV 40" and "2024 KV 7" have the same."""
    forms = (r"\d+", "9"), (r"[^\W\d_]*[a-zà-ÿа-я][^\W\d_]*", "a"), (r"[A-Z]+", "A"), (r"(a[ ,.'&-]*)+", "a")
    for pattern, sign in forms:
        text = re.sub(pattern, sign, text)
    return text


# how likely each place of a record is what a column means

WEIGHTS = Path(__file__).with_name("choice.json")
_BARE = re.compile(r"\W*\d[\d.,' ]*\W*")
_FIGURES = ("int", "float")
_DATES = ("date", "datetime")
Texts = tuple[str | None, ...]
_LOOKED_AT = 20
"""Different texts of a place whose look is weighed."""
_ITS_NAME = 0.85
"""Likeness from which on a text is what the column is called, not a value."""
_COMPARED = 4
"""Records whose texts are compared to know which places hold others."""


class Context(NamedTuple):
    """What the other columns say: the texts of the place that the rules guess, and those that other columns have."""

    guess: Texts | None = None
    taken: frozenset[Texts] = frozenset()


class Among(NamedTuple):
    """A place's position among all of a record's: from 0.0 (first) to 1.0, and how many places it holds, is held in,
    and is said again by."""

    at: float
    holds: int
    held: int
    again: int


class Weights(msgspec.Struct, frozen=True):
    """The weight of each feature, and the utility of there being no place."""

    weights: dict[str, float]
    none: float


@cache
def weights(path: Path = WEIGHTS) -> Weights:
    return msgspec.json.decode(path.read_bytes(), type=Weights)


def likelihoods(field: Field, places: Sequence[tuple[View, Fit]], context: Context) -> list[float]:
    """The probability of each place to be the one that is meant."""
    if not places:
        return []
    known, rows = weights(), table(field, places, context)
    worth = [sum(known.weights[name] * value for name, value in row.items()) for row in rows]
    return shares([*worth, known.none])[:-1]


def table(field: Field, places: Sequence[tuple[View, Fit]], context: Context) -> list[dict[str, float]]:
    """The features of each place, those that the other places and columns tell among them."""
    views = [view for view, _ in places]
    own = [features(field, view, made.share) for view, made in places]
    called = {view.values for view, row in zip(views, own, strict=True) if row["same name"]}
    rows = []
    for view, row, there in zip(views, own, among(views), strict=True):
        guess = view.values == context.guess
        rows.append(row | {
            "place on the page": there.at,
            "holds others": math.log1p(there.holds) / 3,
            "held in others": math.log1p(there.held) / 3,
            "said again": math.log1p(there.again) / 3,
            "the guess": float(guess),
            "another column's": float(view.values in context.taken),
            "alone called so": float(bool(row["same name"]) and len(called) == 1),
            "the guess of a list": float(guess and len(view.values) > 1),
        })  # fmt: skip
    return rows


def among(views: Sequence[View]) -> list[Among]:
    """How the places of a record relate to one another, by the texts of the first records."""
    said = [tuple(" ".join((text or "").split()).casefold() for text in view.values[:_COMPARED]) for view in views]
    whole = Counter(mine for mine, view in zip(said, views, strict=True) if not view.ops and any(mine))
    last = max(1, len(views) - 1)
    known: dict[tuple[str, ...], tuple[int, int, int]] = {}
    out = []
    for at, (mine, view) in enumerate(zip(said, views, strict=True)):
        if mine not in known:
            holds, held = sum(_holds(mine, other) for other in whole), sum(_holds(other, mine) for other in whole)
            known[mine] = holds, held, whole[mine] - (not view.ops and any(mine))
        out.append(Among(at / last, *known[mine]))
    return out


def _holds(box: tuple[str, ...], inner: tuple[str, ...]) -> bool:
    some = False
    for one, other in zip(box, inner, strict=False):  # of very many pairs nearly all are told by the first texts
        if other:
            if len(other) >= len(one) or other not in one:
                return False
            some = True
    return some


def features(field: Field, view: View, converted: float) -> dict[str, float]:
    """What speaks for a place or against it by itself; most are from 0.0 to 1.0. `converted`: the share of its texts
    that can be made the field's type."""
    key = ("features", field, converted)
    if key not in view.scores:
        view.scores[key] = _features(pair(field, view), converted)
    found: dict[str, float] = view.scores[key]
    return found


def _features(both: Pair, converted: float) -> dict[str, float]:
    field, view, asked = both.field, both.view, both.field.said
    slot, texts, kind, likeness = view.slot, view.texts, field.type, both.likeness
    cut = bool(view.ops) and not view.bare
    said = view.own if view.ops and view.own else view.leading
    mean = math.log1p(sum(map(len, texts)) / len(texts)) / 6
    listed, several = kind == "list", slot.many
    link = slot.attr in ("href", "src", "data-src") or slot.type == "url"
    means, title = asked.concepts, "title" in asked.concepts
    heading = view.headline and slot.attr == "text"
    priced = view.share(PRICED.search) if kind in _FIGURES else 0.0
    pictured = slot.attr in ("src", "data-src") or any("image" in name for name in said)
    items = 1 + sum(text.count("; ") for text in texts) / len(texts)  # `many` joins them so
    return {
        "same name": float(asked.words in said),
        "own name": float(view.leading[:1] == [asked.words]),
        "likeness": likeness,
        "likeness above 0.8": max(0.0, likeness - 0.8) * 5,
        "likeness of its words": max((alike((word,), name) for word in asked.beside for name in said), default=0.0),
        "likeness of its note": max((alike(name, asked.noted) for name in said), default=0.0),
        "labelled otherwise": float(bool(slot.header or slot.label) and likeness < 0.4),
        "example": both.example,
        "said place": both.said,
        "converted": converted,
        "coverage": view.coverage,
        "distinct": view.distinct,
        "constant": float(len(view.counts) == 1 and len(texts) > 2),
        "part": float(cut),
        "trimmed": float(cut and all(isinstance(op, Trim) for op in view.ops)),
        "cost": view.cost,
        "figure for a text": float(kind == "text" and slot.type in (*_FIGURES, *_DATES)),
        "length of a text": mean if kind == "text" else 0.0,
        "length of a text, squared": mean**2 if kind == "text" else 0.0,
        "text is short": float(kind == "text" and mean < math.log1p(3) / 6),
        "bare number": view.share(_BARE.fullmatch) if kind in _FIGURES else 0.0,
        "number in a text": mean if kind in _FIGURES else 0.0,
        "currency for a price": priced if "price" in means else 0.0,
        "currency for another figure": priced if "price" not in means else 0.0,
        "link for a url": float(link and kind == "url"),
        "image for an image": float("image" in means and pictured),
        "date by type": float(slot.type in _DATES or slot.attr == "datetime") if kind in _DATES else 0.0,
        "several for a list": float(several and listed),
        "items of a list": math.log1p(items) / 4 if listed and several else 0.0,
        "length of an item": max(0.0, mean - math.log1p(items) / 6) if listed and several else 0.0,
        "one for a list": float(listed and not several),
        "several for one": float(several and not listed),
        "address for a text": float(link and kind == "text"),
        "headline for a title": float(heading and title),
        "first headline for a title": float(title and slot.selector.split(".")[0] in ("h1", "h2")),
        "headline for another": float(heading and not title),
        "own text": float(slot.own),
        "beside an element": float(slot.attr in ("head", "tail") or slot.above or slot.steps > 0),
        "attribute": float(slot.attr in ("title", "alt", "aria-label", "datetime", "content", "value")),
        "hidden attribute": float(slot.attr in ("class", "id") or slot.attr.startswith("data-")),
        "in data": float(view.value),
        "in meta tags": float(slot.selector.startswith("meta[")),
        "in the page's frame": float(slot.framed),
        "linked page": float(view.detail),
        "depth": float(view.depth),
    } | _looks(both)


def _looks(both: Pair) -> dict[str, float]:
    """Whether the texts look like values of a column of this name and type."""
    view, slot, kind = both.view, both.view.slot, both.field.type
    wanted, means = both.field.said.words, both.field.said.concepts
    text, label = kind in ("text", "list"), tokens(slot.label)
    last = view.ops[-1] if view.ops else None
    colon = last if isinstance(last, Part) and last.separator.strip() == ":" else None
    few = list(view.counts)[:_LOOKED_AT]

    def share(holds: Callable[[str], object]) -> float:
        return sum(map(bool, map(holds, few))) / max(1, len(few))

    coded = view.share(is_code) if kind == "text" else 0.0
    return {
        "says the column's name": share(lambda one: alike(wanted, tokens(one)) >= _ITS_NAME) if text else 0.0,
        "says its label": share(lambda one: tokens(one) == label) if text and label else 0.0,
        "before a colon": float(colon is not None and not colon.after),
        "key of a vocabulary": float(view.is_vocabulary_key),
        "behind a colon": float(colon is not None and colon.after),
        "data of scripts": float(view.scripted),
        "shown nowhere": view.unseen if text else 0.0,
        "without letters": share(lambda one: not any(map(str.isalpha, one))) if text else 0.0,
        "address in a text": share(LINKED.match) if text else 0.0,
        "looks as it is called": both.look,
        "numbers the records": float(kind in ("int", "float", "text") and both.numbers_records),
        "no year for a year": 1.0 - share(YEAR.search) if kind in _FIGURES and "year" in wanted else 0.0,
        "code for a code": coded if "code" in means else 0.0,
        "code for another text": coded if "code" not in means else 0.0,
        "sum for a text": share(BARE_SUM.fullmatch) if text and "price" not in means else 0.0,
        "marks alone": share(says_nothing) if text else 0.0,
        "fraction for a whole number": share(FRACTION.search) if kind == "int" else 0.0,
    }
