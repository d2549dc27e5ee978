"""What a request says outside of its list of columns: how the rows are sorted, how many, from which pages, and which.
In: the tokens that nothing has read yet, and the columns; out: what the pieces and values between them likely say.

Everything that a piece or a value can mean is weighed by the words around it: conditional logits (McFadden 1974) whose
weights are fitted on requests with known readings (`make calibrate-requests`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import islice, takewhile
from typing import Any, NamedTuple, cast

import msgspec

from scrapewright.query.column_types import sure_type
from scrapewright.query.columns import WHOLE, date_type, named_by, naming
from scrapewright.query.filters import compared
from scrapewright.query.lexicon import GRAMMAR, fold, named_concepts, weak, word_set
from scrapewright.query.lexicon import tokens as words_of
from scrapewright.query.logit import features_of, score, shares, weights
from scrapewright.query.notes import signs_of_type
from scrapewright.query.reading import Column, Filter, LikelyPages, Op, Order, Pages, Reading
from scrapewright.query.tokens import Tokens, is_participle, number_of, stems, unquoted

SURE = 0.8
"""How likely a statement must be to count as read. In the 160 requests that no weight is fitted to, 144 of the 153
statements that are so likely are right."""
SURE_OF_UNNAMED = 0.95
"""How likely, where it names no column and several are of the type of its value."""
_COMPARED: tuple[Op, ...] = ("ge", "gt", "le", "lt", "eq", "ne")
_WORDED: tuple[Op, ...] = ("eq", "ne", "contains", "lacks", "starts", "ends")
_OPS = frozenset({*_COMPARED, *_WORDED})
_FITTING = {"N": ("int", "float"), "D": ("date", "datetime"), "Q": ("text", "list")}
"""Types of columns by the kind of the value that they are compared with."""
_ENDS = word_set(", ; ( ) [ ] { } | • \n — – - -> → => 、 ・ and then . ! ?")
_WAYS = word_set("up down newest oldest cheapest dearest highest lowest alphabetical sort over under")
_DOWN = frozenset({"down", "newest", "dearest", "highest"})
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_RANGE_AT_MOST = 5
"""Tokens of "3 and 8 cm long"."""
_ROWS_AT_MOST = 10**6
PIECES_AT_MOST, VALUES_AT_MOST = 200, 30
"""Pieces that are looked at, and values of each: what comes behind them stays unread."""
_PAGES_AT_MOST = 1000


class Piece(NamedTuple):
    """Tokens between two marks, of which nothing was read."""

    start: int
    end: int


class Statement(NamedTuple):
    """What a piece may say. `label`: asc, desc, first, all, limit, pages, section or an operator; "" for nothing.
    `at`: the token with its value, -1 where it has none."""

    label: str
    column: str = ""
    at: int = -1
    piece: Piece = Piece(0, 0)


NOTHING = Statement("")


class Choice(NamedTuple):
    """Statements of which one holds, and what each looks like: the names of its features."""

    statements: list[Statement]
    features: list[set[str]]


def read_clauses(tokens: Tokens, reading: Reading) -> Reading:
    """The reading with what the pieces that nothing has read say, as far as it is likely; their tokens are marked as
    read."""
    columns = reading.columns
    said = said_in(tokens, columns)
    way, likelihood = likeliest(ways(said))
    if way != NOTHING and columns:
        key, share = likeliest(keys(said, way))
        if key != NOTHING and likelihood * share >= _least(key, said):
            reading = _with(reading, tokens, key, said)
    read = [likeliest(choice) for choice in (*(pages([one]) for one in said), *values(said))]
    for best, likelihood in read:
        if best == NOTHING or any(_contradicts(tokens, best, other) for other, _ in read):
            continue
        if likelihood >= _least(best, said):
            reading = _with(reading, tokens, best, said)
        elif best.label in _OF_PAGES and likelihood > 0.5:
            likely = LikelyPages(_pages_of(tokens, best), likelihood, tokens.said(*best.piece))
            reading = msgspec.structs.replace(reading, likely_pages=likely)
    return reading


def comparisons(tokens: Tokens, columns: Sequence[Column]) -> list[tuple[Filter, float]]:
    """What the values that nothing has read may be compared with, the likeliest first, and how likely each is."""
    said = said_in(tokens, columns)
    found: list[tuple[Filter, float]] = []
    for choice in values(said):
        for one, share in zip(choice.statements, likelihoods(choice), strict=True):
            if one.column:
                op, value = _of_column(tokens, one, columns)
                found.append((Filter(tokens.said(*one.piece), one.column, op, value), share))
    return sorted(found, key=lambda one: -one[1])


def order_in(tokens: Tokens, columns: Sequence[Column]) -> Order | None:
    """The order that pieces which nothing has read say if they say one; None where no column is likely its key."""
    said = said_in(tokens, columns)
    choice = ways(said)
    _, way = max(zip(likelihoods(choice)[1:], choice.statements[1:], strict=True), default=(0.0, NOTHING))
    if way == NOTHING or not columns:
        return None
    key, _ = likeliest(keys(said, way))
    return Order(key.column, key.label == "desc") if key != NOTHING else None


def _least(best: Statement, said: Sequence[Said]) -> float:
    """How likely a statement must be: more where it does not say which of several columns of a type it is about."""
    named = not best.column or next(one for one in said if one.piece == best.piece).says_which(best)
    return SURE if named else SURE_OF_UNNAMED


_OF_PAGES = frozenset({"first", "all", "pages"})
_ONCE = ({"limit"}, _OF_PAGES, {"section"})
"""What is said once: of two that differ none holds, however likely."""


def _contradicts(tokens: Tokens, one: Statement, other: Statement) -> bool:
    alike = any({one.label, other.label} <= labels for labels in _ONCE)
    values = [tokens.all[said.at].text if said.at >= 0 else "" for said in (one, other)]
    return alike and (one.label != other.label or values[0] != values[1])


def _with(reading: Reading, tokens: Tokens, best: Statement, said: Sequence[Said]) -> Reading:
    start, end = next(one for one in said if one.piece == best.piece).evidence(best)
    token = tokens.all[best.at]
    around = [one.word for one in tokens.all[max(best.at - 1, 0) : best.at + 3]]
    between = best.label == "ge" and around == ["between", token.word, "and", token.word]
    if between:
        unit = best.piece.end if best.piece.end - best.at <= _RANGE_AT_MOST else 0
        end = max(end, best.at + 3, unit)
    text = tokens.said(start, end)
    tokens.use(start, end)
    changes: dict[str, Any] = {}
    match best.label:
        case "asc" | "desc":
            order = {best.column: Order(best.column, best.label == "desc")}
            last = best.piece.end
            for one in said:
                if (key := one.further_key(last)) is not None:
                    order.setdefault(key.column, key)
                    tokens.use(*one.piece)
                    last = one.piece.end
            changes["order"] = tuple(order.values())
        case "first" | "all" | "pages":
            changes["pages"] = _pages_of(tokens, best)
        case "limit":
            changes["limit"] = int(number_of(token))
        case "section":
            changes["section"] = unquoted(token)
        case _:
            ends = [best, best._replace(label="le", at=best.at + 2)] if between else [best]
            found = {(one.column, one.op, one.value): one for one in reading.filters}
            for each in ends:
                op, value = _of_column(tokens, each, reading.columns)
                found.setdefault((each.column, op, value), Filter(text, each.column, op, value))
            changes["filters"] = tuple(found.values())
    return msgspec.structs.replace(reading, **changes)


def _pages_of(tokens: Tokens, said: Statement) -> Pages:
    if said.label != "pages":
        return cast("Pages", said.label)
    count = int(number_of(tokens.all[said.at]))
    return count if count > 1 else "first"


def _of_column(tokens: Tokens, said: Statement, columns: Sequence[Column]) -> tuple[Op, str]:
    """The operator and the value of a comparison."""
    dated = any(column.name == said.column and date_type(column) for column in columns)
    return compared(tokens, said.at, cast("Op", said.label), dated=dated)


# What there is to choose.


def said_in(tokens: Tokens, columns: Sequence[Column]) -> list[Said]:
    """The pieces that were not read: between marks, "and" and what was read. Behind "sorted by price" goes on what says
    which way: ", high to low"."""
    found: list[Said] = []

    def parts(n: int) -> bool:
        token = tokens.all[n]
        return tokens.used[n] or token.kind == "U" or (token.word in _ENDS and not _is_range(tokens, n))

    for start, end in islice(tokens.pieces(parts), PIECES_AT_MOST):
        if (piece := _trimmed(tokens, start, end)).start < piece.end:
            if found and tokens.all[start - 1].word in {",", "("} and found[-1].goes_on_with(piece):
                piece = Piece(found.pop().piece.start, piece.end)
            found.append(Said(tokens, piece, columns))
    return found


def _is_range(tokens: Tokens, n: int) -> bool:
    """Whether it joins two numbers, or one and all above or below: "pages 1-4", "between 3 and 8", "4.5 and up"."""
    around = [token.word for token in tokens.all[max(n - 1, 0) : n + 2]]
    if len(around) < 3 or around[0] != "N" or around[1] not in {"-", "–", "and", "&", "+"}:
        return False
    return around[2] == "N" or (around[1] == "and" and around[2] in {"up", "over", "after", "under", "before"})


def _trimmed(tokens: Tokens, start: int, end: int) -> Piece:
    """The tokens without the colons at their ends."""
    while start < end and tokens.all[start].word == ":":
        start += 1
    while start < end and tokens.all[end - 1].word == ":":
        end -= 1
    return Piece(start, end)


def ways(said: Sequence[Said]) -> Choice:
    """Whether a piece says that the rows are sorted, and which way."""
    return _of_pieces(said, ("asc", "desc"))


def pages(said: Sequence[Said]) -> Choice:
    """Whether a piece says that the first page is enough, or that all are wanted."""
    return _of_pieces(said, ("first", "all"))


def _of_pieces(said: Sequence[Said], labels: Sequence[str]) -> Choice:
    found = [(Statement(label, piece=one.piece), set(one.of_piece(label))) for one in said for label in labels]
    return Choice([NOTHING, *(statement for statement, _ in found)], [set(), *(features for _, features in found)])


def keys(said: Sequence[Said], way: Statement) -> Choice:
    """By which column a piece sorts: by none of them, as far as it tells, or by one; where it has the name of one,
    by that."""
    one = next(one for one in said if one.piece == way.piece)
    found = [column for column in one.columns if not one.is_noun(column.name)]
    columns = [column for column in found if one.names_whole(column.name)] or found
    statements = [way._replace(column=column.name) for column in columns]
    features = [set(one.of_key(way.label, column)) for column in columns]
    return Choice([NOTHING, *statements], [set(one.of_no_key(way.label)), *features])


def values(said: Sequence[Said]) -> Iterator[Choice]:
    """What each number, date and quoted text says."""
    for one in said:
        for at in one.values:
            statements = list(one.statements(at))
            labels = {label: set(one.of_label(at, label)) for label in {each.label for each in statements}}
            columns = {name: set(one.of_column(at, name)) for name in {each.column for each in statements}}
            features = [labels[each.label] | columns[each.column] for each in statements]
            yield Choice([NOTHING, *statements], [set(), *features])


class Said:
    """A piece, and what it looks like."""

    def __init__(self, tokens: Tokens, piece: Piece, columns: Sequence[Column]) -> None:
        self.piece, self.columns, self._tokens = piece, columns, tokens
        names = {part for column in columns for part in words_of(column.name) if not weak(part)}
        self._words = {n: list(_words(tokens, n, names)) for n in range(*piece)}
        self._bag = {word for words in self._words.values() for word in words}
        self._named = self._names(range(*piece))
        self._before = self._names(range(max(0, piece.start - 5), piece.start))
        self._types = {column.name: _type(column) for column in columns}
        self.values = [n for n in range(*piece) if _is_value(tokens, n)][:VALUES_AT_MOST]

    def statements(self, at: int) -> Iterator[Statement]:
        """What a value can say."""
        token = self._tokens.all[at]
        if token.word == "N" and (value := number_of(token)) < _ROWS_AT_MOST and value == int(value) > 0:
            yield Statement("limit", "", at, self.piece)
            if value < _PAGES_AT_MOST:
                yield Statement("pages", "", at, self.piece)
        if token.word == "Q":
            for label in ("section", "eq", "lacks"):
                yield Statement(label, "", at, self.piece)
        fitting = (*_FITTING[token.word], *(_FITTING["D"] if self._is_year(at) else ()))
        for column in self.columns:
            if self._types[column.name] in (*fitting, "unknown"):
                for op in _WORDED if token.word == "Q" else _COMPARED:
                    yield Statement(op, column.name, at, self.piece)

    def of_piece(self, label: str) -> Iterator[str]:
        """An order or the pages, said by the piece as a whole."""
        places = range(*self.piece)
        yield label
        yield f"{label} of {min(len(places), 5)} words"
        yield f"{label} names {max(self._named.values(), default=0)}"
        yield f"{label} behind a name: {max(self._before.values(), default=0)}"
        yield from features_of([*self._words.values()], label)
        found = [word for n in places for word in self._words[n] if word in _WAYS]
        yield f"{label} by {' '.join(found[:2])}"

    def of_key(self, label: str, column: Column) -> Iterator[str]:
        """The column that a piece sorts by."""
        name = column.name
        yield f"key {self._named[name]}, another {_most(self._named, name)}"
        if max(self._named.values()) > 2:
            return
        kind, concept = self._types[name], "".join(named_concepts(name)[:1])
        for what in (kind, concept):
            yield from (f"key {what} {way}" for way in ("", label))
            yield from (f"key {what} {way}: {word}" for way in ("", label) for word in self._bag)
        yield f"key of several {kind}: {list(self._types.values()).count(kind) > 1}"
        yield f"key at {min(self.columns.index(column), 4)}"
        yield f"key of {min(len(words_of(name)), 3)} words"
        yield f"key before {self._before[name]}"

    def of_no_key(self, label: str) -> Iterator[str]:
        """That no column is what a piece sorts by."""
        most = max(self._named.values(), default=0)
        yield f"no key, named {most}"
        if most < 3:
            yield from (f"no key: {word}" for word in self._bag)
            yield f"no key {label}, before {max(self._before.values(), default=0)}"

    def of_label(self, at: int, label: str) -> Iterator[str]:
        """What a value says, of whatever column."""
        area = self._area(at)
        kind = self._kind(at)
        for one in [label, "filter"] if label in _OPS else [label]:
            yield f"{one} {kind}"
            yield f"{one} alone: {not area}"
            for by in (-3, -2, -1, 1, 2):
                yield from (f"{one} {by:+}: {word}" for word in self._words.get(at + by, ["none"]))
            yield from (f"{one} in: {word}" for n in area for word in self._words[n])
        if label not in _OPS:
            yield f"{label} names {max(self._named.values(), default=0)}"

    def of_column(self, at: int, name: str) -> Iterator[str]:
        """The column that a value is compared with; "" for the record as a whole, or where it is no comparison."""
        kind = self._kind(at)
        if not name:
            yield f"{kind} of no column"
            return
        near = self._near(at)
        for place, names in (("near", near), ("before", self._before)):
            yield f"{place} {names[name]}"
            yield f"{place} {names[name]}, another {_most(names, name)}"
        of = self._types[name]
        alone = list(self._types.values()).count(of) == 1
        yield f"{kind} of {of}, alone: {alone}, near {min(near[name], 2)}, before {min(self._before[name], 2)}"
        yield f"{kind} of {''.join(named_concepts(name)[:1])}"

    def _near(self, at: int) -> dict[str, int]:
        """How the words around a value name the columns."""
        return self._names(self._area(at))

    def _kind(self, at: int) -> str:
        return "Y" if self._is_year(at) else self._tokens.all[at].word

    def names_whole(self, name: str) -> bool:
        """Whether it has the whole name of a column."""
        return self._named[name] == WHOLE

    def is_noun(self, name: str) -> bool:
        """Whether a column's name is there as the noun of the rows, in the plural: "cheapest hotels first"."""
        words = (self._tokens.all[n].text for n in range(*self.piece))
        return self._bag.isdisjoint({"by", "sort"}) and f"{fold(name)}s" in map(fold, words)

    def evidence(self, said: Statement) -> tuple[int, int]:
        """The tokens from the first to the last that tell what a statement says; of an order and of pages to the end of
        the piece: what leads to them may leave rows out, what follows does not."""
        if said.label == "pages":
            return self.piece  # "pages 1 to 4"
        places = range(*self.piece) if said.at < 0 else [*self._area(said.at), said.at]
        telling = [n for n in places if n == said.at or self._tells(n, said)]
        if not telling:
            return self.piece
        start, end = min(telling), max(telling) + 1 if said.at >= 0 else self.piece.end
        led = start - 1 in places and is_participle(self._tokens.all[start - 1].text)  # "published after 2020"
        return start - led, end

    def says_which(self, said: Statement) -> bool:
        """Whether the words around a comparison, or those of an order, name its column, or there is no other of its
        type: of numbers and dates that tells it, a text may be said of what is in no column."""
        near = self._named if said.at < 0 else self._near(said.at)
        alone = list(self._types.values()).count(self._types[said.column]) == 1
        quoted = said.at >= 0 and self._tokens.all[said.at].word == "Q"
        return max(near[said.column], self._before[said.column]) > 0 or (alone and not quoted)

    def _tells(self, n: int, said: Statement) -> bool:
        token = self._tokens.all[n]
        named = token.kind == "W" and bool(said.column) and named_by(said.column, (fold(token.text),)) > 1
        if named or token.word in GRAMMAR:
            return True
        names = [f"{said.label}: ", f"{said.label} in: ", *(["filter in: "] if said.at >= 0 else [])]
        return any(weights("clause_choice").get(name + word, 0.0) > 0.1 for name in names for word in self._words[n])

    def goes_on_with(self, piece: Piece) -> bool:
        """Whether it names what to sort by, and the piece right behind it may say which way."""
        words = {token.word for token in self._tokens.all[slice(*piece)]}
        sorts = not self._bag.isdisjoint({"sort", "by"}) and self._bag.isdisjoint(_WAYS - {"sort"})
        beside = self.piece.end + 1 == piece.start and piece.end - piece.start < 6
        other = {"sort", "by", "then", "page", "all", "csv", "json", "jsonl", "only", "N", "Q", "D", "as"}
        return sorts and beside and not self.values and words.isdisjoint(other)

    def further_key(self, end: int) -> Order | None:
        """The key of an order that ends there and goes on in this piece: "then by name", "and date descending"."""
        between = {token.word for token in self._tokens.all[end : self.piece.start]}
        names = [name for name, how in self._named.items() if how > 2]
        if len(names) != 1 or self.values or not between <= {",", ";", "and", "then"} or end > self.piece.start:
            return None
        tokens = self._tokens.all[slice(*self.piece)]
        rest = {token.word for token in tokens if named_by(names[0], (fold(token.text),)) < 3}
        return Order(names[0], not rest.isdisjoint(_DOWN)) if rest <= {*_WAYS, "by", "as", "the"} else None

    def _area(self, at: int) -> list[int]:
        """The tokens around a value up to other values."""
        behind = takewhile(lambda n: n not in self.values, range(at + 1, self.piece.end))
        return [*takewhile(lambda n: n not in self.values, range(at - 1, self.piece.start - 1, -1)), *behind]

    def _names(self, places: Iterable[int]) -> dict[str, int]:
        low = tuple(fold(self._tokens.all[n].text) for n in places if self._tokens.all[n].kind == "W")
        return naming(tuple(column.name for column in self.columns), low)

    def _is_year(self, at: int) -> bool:
        return self._tokens.all[at].word == "N" and _YEAR.fullmatch(self._tokens.all[at].text) is not None


def _is_value(tokens: Tokens, n: int) -> bool:
    """Whether a token is a number, a day or a quoted text; no part of what slashes join: "4/5", and dates of which
    nobody knows the day."""
    token, beside = tokens.all[n], (*tokens.all[max(n - 1, 0) : n], *tokens.all[n + 1 : n + 2])
    if any(other.word == "/" for other in beside):
        return False
    return token.word == "Q" or (token.word == "N" and number_of(token) < math.inf) or token.word == "D"


def _type(column: Column) -> str:
    """The type of a column; "unknown" where neither the request nor the name says for certain what it holds."""
    return column.type or sure_type(column.name, signs_of_type(column.note)) or "unknown"


def _most(names: dict[str, int], but: str) -> int:
    """How surely the best named of the other columns is."""
    return max((how for other, how in names.items() if other != but), default=0)


def _words(tokens: Tokens, n: int, names: Set[str]) -> Iterator[str]:
    """The words that a token counts as: that it is one of a column's, else its stems."""
    token, low = tokens.all[n], fold(tokens.all[n].text)
    if token.kind == "W" and token.word != "N" and not names.isdisjoint({low, f"{low}s", low.removesuffix("s")}):
        yield "NAME"
    else:
        yield from stems(token)


# Choosing.


def likelihoods(choice: Choice) -> list[float]:
    """How likely each of the statements is."""
    return shares([score(weights("clause_choice"), features) for features in choice.features])


def likeliest(choice: Choice) -> tuple[Statement, float]:
    """The likeliest statement and how likely it is; where several pieces say the same, together."""
    likely = likelihoods(choice)
    best = choice.statements[likely.index(max(likely))]
    return best, sum(share for share, one in zip(likely, choice.statements, strict=True) if one[:3] == best[:3])
