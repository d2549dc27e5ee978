"""What a column and a place have to do with each other, each thing found once.

In: a field and a view. Out: how alike they are called, what the request says of such a place, how much the values look
like what is asked for, and the steps that make them that; `match` scores by it, and `choice` weighs it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache

import msgspec
from msgspec.structs import replace
from rapidfuzz import fuzz

from scrapewright.programmers.rules.figures import Fit
from scrapewright.programmers.rules.fit import fit
from scrapewright.programmers.rules.ops import Count, Lookup, Present, Search, ToInt, Trim, value_of
from scrapewright.programmers.rules.view import LINKS, View, part
from scrapewright.programmers.rules.views import SIDES
from scrapewright.query.lexicon import concepts, fold, tokens, weak
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
    if wanted == offered or fold("".join(wanted)) == fold("".join(offered)):
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
            return share(_PHONE.fullmatch) - 1.2 * share(_too_short)
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
        if isinstance(first, Present) and field.type != "bool":
            return None
        if isinstance(first, Present):
            return Fit((Lookup("ANSWERS", (("True", True), ("False", False))),), 1.0)
        marked = field.type == "bool" and not (view.value or view.slot.data)
        if marked and len(view.counts) == 1 and view.coverage < 1.0:
            return None  # that it is there says it, and that it is not
        linked = field.type == "url" and view.slot.attr in LINKS and not (view.ops or view.slot.many)
        if linked and view.share(_is_inline) > CONVERTED:
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


def _is_inline(text: str) -> bool:
    return text.startswith("data:")


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
_NUMERALS = re.compile(r"[\d\s.,]+")
_SPACED_CODE = re.compile(r"(?=.*\d)[A-Z\d][\w./-]*(?: [A-Z\d][\w./-]*){1,3}")
"""A code in several parts: "823.914 MUR", "DE 10 2014"."""


def is_code(text: str) -> bool:
    """Whether it looks like a code; one or two figures alone are rather a day or a count."""
    if len(text) > 32 or (text.isdigit() and len(text) < 3):
        return False
    spaced = _SPACED_CODE.fullmatch(text) and not re.search(r"[^\W\d_][a-zß-ÿ]{2}", text)
    return bool(_CODED.fullmatch(text) or spaced)


def _too_short(text: str) -> bool:
    return sum(char.isdigit() for char in text) < 5


def _shape(text: str) -> str:
    """A text's outline: "2026 KV 40" and "2024 KV 7" have the same."""
    text = re.sub(r"\d+", "9", text)
    text = re.sub(r"[^\W\d_]*[a-zà-ÿа-я][^\W\d_]*", "a", text)
    text = re.sub(r"[A-Z]+", "A", text)
    return re.sub(r"(a[ ,.'&-]*)+", "a", text)


def exemplified(fields: Sequence[Field], offered: list[View]) -> list[View]:
    """Parts that look like the examples in the request: such as AB123, e.g. "Nr. 17/3"."""
    whole = [view for view in offered if not view.ops]
    quoted = [(field, example) for field in fields if field.type == "text" for example in field.said.examples]
    return [one for field, example in quoted for view in whole for one in like_example(view, example, field.name)]


def like_example(whole: View, example: str, name: str) -> list[View]:
    """The part of a text that has an example's shape: its letters, and digits where it has digits; none for an example
    without digits."""
    if whole.slot.many or not re.search(r"\d", example):
        return []
    pattern = re.sub(r"\d+", r"\\d+", re.escape(example).replace("\\ ", " ").replace("\\-", "-"))
    for shaped in (pattern, re.sub(r"(?<![^\W\d_])[A-Z]+(?![^\W\d_])", "[A-Z]+", pattern)):
        hits = sum(re.search(shaped, text) is not None for text in whole.texts)
        if hits >= 0.6 * len(whole.texts) and any(not re.fullmatch(shaped, text) for text in whole.texts):
            optional = hits < len(whole.texts)
            return part(whole, [Search(shaped, 0, optional)], 0.2, names=(name,), place=("example", name))
    return []
