"""Reads a request: what it says in so many words becomes a Reading, and all the rest stays verbatim in `unread`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from scrapewright.query import clauses
from scrapewright.query.clause_choice import read_clauses
from scrapewright.query.column_lists import lists
from scrapewright.query.columns import columns_from
from scrapewright.query.filters import filters as read_filters
from scrapewright.query.lexicon import ALL_SMALL, GRAMMAR, RESTRICTING, SMALL, concept_of, singular, word_set
from scrapewright.query.line_columns import lines_of_columns
from scrapewright.query.list_choice import Chosen, likeliest, score
from scrapewright.query.phrases import is_known, says_nothing
from scrapewright.query.reading import Column, Reading, combined, differing
from scrapewright.query.row_examples import row_example
from scrapewright.query.tokens import Tokens, is_participle

MAX_READ = 10_000
"""Characters that are read; what comes behind them is not understood."""


SURE = 0.75
"""How likely a list must be to be taken unasked: the least by which 0.89 of them are right. Of 377 requests that the
weights have not seen, and that this was chosen by, 243 have one that likely, and 217 of these are right."""
GUESSED = 0.2
"""How likely it must be to be offered to somebody."""
TALK = 0.9
"""How likely a phrase must say nothing of the rows to be left out of what was not read. Of 341 phrases that no weight
is fitted to 112 are so likely, and 102 of these say nothing; the others are mostly a word or two, which stay."""


class Columns(NamedTuple):
    """The columns that a request seems to list, how likely they are those that it means, and the tokens of each."""

    columns: tuple[Column, ...]
    likelihood: float
    pieces: tuple[tuple[int, int], ...]


def guessed_columns(text: str) -> tuple[Column, ...]:
    """The columns that a request seems to list where no list is certain: for somebody to confirm."""
    found = _listed(Tokens(text[:MAX_READ]))
    return found.columns if found is not None and GUESSED <= found.likelihood < SURE else ()


def named_columns(text: str) -> tuple[Column, ...]:
    """The columns of a list that is nothing else: "title, price (number)"; none where it can't be read to its end."""
    tokens = Tokens(f"columns: {text[:MAX_READ]}")
    size = len(tokens.all)
    behind_colon = 2
    whole = [one for one in lists(tokens) if (one.start, one.end) == (behind_colon, size)]
    whole = [one for one in whole if not any(item.rest for item in one.items)]
    best = max(whole, key=lambda one: score(tokens, one), default=None)
    return columns_from(best.items) if best is not None else ()


def read_request(text: str, named: tuple[Column, ...] | None = None, *, talk: float = TALK) -> Reading:
    """The reading of a request by the grammar alone. Never raises: any text gives a reading.

    `named`: the columns, where somebody said them: what the request seems to say of them is then no list any more.
    `talk`: how likely a phrase must say nothing of the rows not to count as unread.
    """
    tokens = Tokens(text[:MAX_READ])
    found = _listed(tokens)
    if found is not None and found.likelihood < (SURE if named is None else GUESSED):
        found = None
    listed = (found.pieces[0][0], found.pieces[-1][1]) if found is not None else None
    columns = named if named is not None else found.columns if found is not None else ()
    for piece in found.pieces if found is not None else ():
        tokens.use(*piece)
    search = clauses.search(tokens)
    follow = clauses.follow(tokens)
    filters = read_filters(tokens, columns)
    section = clauses.section(tokens)
    clauses.keep_order(tokens)
    format_, file = clauses.format_and_file(tokens)
    reading = Reading(
        text=text, urls=_addresses(tokens, listed), search=search, columns=columns, follow=follow, filters=filters,
        section=section, single=clauses.single(tokens), distinct=clauses.distinct(tokens, columns),
        format=format_ or "csv", format_said=format_ is not None, file=file,
    )  # fmt: skip
    reading = read_clauses(tokens, reading)
    columns = clauses.remarks(tokens, columns)
    row_is = _row(tokens, listed)
    unread = _unread(tokens, row_is.rpartition(" ")[2])
    if columns:  # where none are read the columns may be among what seems to say nothing
        unread = tuple(phrase for phrase in unread if not _is_talk(phrase, talk))
    if len(text) > MAX_READ:
        unread = (*unread, text[MAX_READ : MAX_READ + 200].strip())
    reading = msgspec.structs.replace(reading, columns=columns, row_is=row_is, unread=unread)
    parts = differing(reading, Reading())
    if not reading.single and clauses.several(tokens, listed):
        parts = (*parts, "single")
    return msgspec.structs.replace(reading, sources=dict.fromkeys(parts, "grammar"))


def _addresses(tokens: Tokens, listed: tuple[int, int] | None) -> tuple[str, ...]:
    """The addresses of the request; those in the list of columns (an example of a row) where there are no others."""
    if listed is not None:
        first, last = tokens.all[listed[0]].start, tokens.all[listed[1] - 1].end
        outside = [address.url for address in tokens.addresses if not first <= address.start < last]
        if outside:
            return tuple(dict.fromkeys(outside))
    return tuple(dict.fromkeys(address.url for address in tokens.addresses))


def read_more(reading: Reading, text: str) -> Reading | None:
    """The reading with what a person said in other words ("sorted by price", "only where stock is yes"); None where
    that is not read to its end."""
    tokens = Tokens(text[:MAX_READ])
    more = msgspec.structs.replace(
        reading,
        filters=(*reading.filters, *read_filters(tokens, reading.columns)),
        section=clauses.section(tokens) or reading.section,
        distinct=clauses.distinct(tokens, reading.columns) or reading.distinct,
    )
    more = read_clauses(tokens, more)
    changed = differing(reading, more)
    if not changed or _unread(tokens, reading.row_is.rpartition(" ")[2]):
        return None
    return combined(reading, more, changed, "person")


def _listed(tokens: Tokens) -> Columns | None:
    """The columns of an example of a row or of lines, the clearest of lists, else of the likeliest list in a sentence.
    JSON beside such a list may be something else: a body to post, a condition of a page."""
    example, chosen = row_example(tokens), likeliest(tokens)
    beside = 0.0
    if example is not None and chosen is not None and not tokens.all[chosen.found.start].depth:
        outside = chosen.found.end <= example.start or example.end <= chosen.found.start
        beside = chosen.likelihood if outside else 0.0
    lines = lines_of_columns(tokens)
    candidates = (
        Chosen(example, 1.0 - beside) if example is not None and beside < SURE else None,
        Chosen(lines, 1.0) if lines is not None else None,
        chosen,
    )
    for one in filter(None, candidates):
        if columns := columns_from(one.found.items):
            pieces = tuple((item.start - item.lead, item.end) for item in one.found.items)
            return Columns(columns, one.likelihood, pieces)
    return None


# What a row is.

_TELLING = word_set(
    """only not without skip under over minimum maximum after before since contains starts ends called marked where up
    down newest oldest cheapest dearest highest lowest last next unique duplicate sort first alphabetical follow open
    pagination section"""
)
"""Words of the grammar that say something was missed where they occur outside a phrase that was read."""
_LINKS = word_set(
    "on from of for with in to as by than that which where per and or is under over since at into between among"
)
_FETCHING = word_set(
    """list get give extract scrape collect grab pull fetch want need are who which what hol hole sammle extrahiere
    brauche liste récupère donne extrais extrae dame quiero estrai elenca haal geef chcę pobierz stáhni собери"""
)
_COLUMN_WORDS = word_set("title price date url author description rating phone email address")
_NO_ROWS = word_set("name excel xlsx xls sqlite database spreadsheet xml parquet")
"""What a row is not. Where a list of columns could not be read, its first word looks like a noun for the rows."""
_FOREIGN = re.compile("[^\u0000-\u052f\u1e00-\u2fff]")
_EACH = ("each", "every", "jede", "chaque", "cada")


class _Noun(NamedTuple):
    """A noun with the words before it. `each`: "each", "every" or "per" comes before them."""

    start: int
    end: int
    each: bool


def _row(tokens: Tokens, listed: tuple[int, int] | None) -> str:
    """What a row is: the noun behind "one row per" and "for every", else the first noun up to the sentence that holds
    the list of columns. Its words count as read, but for those that leave out some of its kind."""
    first, behind = listed or (0, 0)
    close = next((n for n in range(behind, len(tokens.all)) if tokens.ends_sentence(n)), len(tokens.all))
    nouns = [
        noun
        for noun in _nouns(tokens)
        if noun.start < first
        or (noun.start >= behind and (noun.each or noun.start < close) and tokens.all[noun.start - 1].word != ",")
    ]
    if not nouns:
        return ""
    chosen = next((noun for noun in nouns if noun.each), nouns[0])
    words = [token.text.lower() for token in tokens.all[chosen.start : chosen.end]]
    row = singular(words[-1])
    if (listed is None and concept_of(row) in _COLUMN_WORDS) or not _NO_ROWS.isdisjoint(words):
        return ""
    for noun in nouns:
        if noun is chosen or singular(tokens.all[noun.end - 1].text.lower()) == row:
            for n in range(noun.start, noun.end):
                if tokens.all[n].text.lower() not in RESTRICTING:
                    tokens.use(n, n + 1)
    return " ".join([*(word for word in words[:-1] if word not in RESTRICTING), row])


def _nouns(tokens: Tokens) -> Iterator[_Noun]:
    """Nouns where a row may be named: at the start of a sentence, behind a verb of fetching, "all", "each"."""
    behind = 0
    for start, end in tokens.pieces(
        lambda n: tokens.all[n].kind != "W" or tokens.all[n].word == "N" or not _weighs(tokens, n)
    ):
        ways = (way for n in range(start - 1, behind - 1, -1) if (way := _leads(tokens, n)))
        way = next(ways, "" if behind else "all")
        behind = end
        words = tokens.all[start:end]
        other = words[0].depth or any(token.word in _TELLING or _FOREIGN.search(token.text) for token in words)
        if way in ("all", "each") and len(words) <= _WORDS_OF_NOUN and not other:
            yield _Noun(start, end - (len(words) > 1 and is_participle(words[-1].text)), way == "each")


_WORDS_OF_NOUN = 5


def _leads(tokens: Tokens, n: int) -> str:
    """How a token leads to what a row is: to "each" or to "all" of them, "" where it tells nothing, "no" to none."""
    token = tokens.all[n]
    if token.word == "per" or (token.word == "all" and token.text.lower().startswith(_EACH)):
        return "each"
    starts = tokens.used[n] or tokens.ends_sentence(n) or token.word in {":", ";", "all", "table", "row"}
    if starts or token.text.lower() in _FETCHING:
        return "all"
    return "no" if token.word in _LINKS - {"from", "of"} else ""


# What was not read.


def _unread(tokens: Tokens, row: str) -> tuple[str, ...]:
    """The phrases with a word of weight in them that nothing above has read, verbatim."""
    found: list[str] = []
    for start, end in tokens.pieces(lambda n: tokens.used[n] or tokens.all[n].word in {";", "•"}):
        weighty = [at for at in range(start, end) if _weighs(tokens, at) and not _said_before(tokens, at, row)]
        heads = end - start == 2 and tokens.all[end - 1].word == ":" and end < len(tokens.all)  # "Notes:" before more
        if weighty and not heads:
            first, last = weighty[0], weighty[-1] + 1
            while first > start and tokens.all[first - 1].word in _LINKS:
                first -= 1
            while last < end and singular(tokens.all[last].text.lower()) == row:
                last += 1
            found.append(tokens.said(first, last))
    return tuple(dict.fromkeys(found))


def _is_talk(phrase: str, talk: float) -> bool:
    """Whether a phrase surely says nothing of the rows. Of one or two words nobody can tell without the page, nor of a
    number, a day, a quoted text or a code, which the page may have."""
    if len(phrase.split()) <= _SHORT or _CODE.search(phrase):
        return False
    values = any(token.kind in {"N", "D", "Q", "F"} for token in Tokens(phrase).all)
    return not values and says_nothing(phrase) >= talk and is_known(phrase)


_SHORT = 2
_CODE = re.compile(r"(?<!\w)/\w|\w[/#_:]\w|\d")
"""A digit, or what a mark joins or begins, as in "A/B" and "/AX"."""


def _weighs(tokens: Tokens, n: int) -> bool:
    """Whether a token that was not read says something: no article, verb of fetching or word of the grammar."""
    token = tokens.all[n]
    if token.kind != "W" or tokens.used[n]:
        return token.kind in {"Q", "N", "D", "F"} and not tokens.used[n]
    grammar = token.word in _SAYS_NOTHING and token.word not in _TELLING
    low = token.text.lower()
    negative = token.word == "not" and low not in SMALL.get(tokens.language, ())  # "no" is small in Portuguese
    return len(token.text) > 1 and (low not in ALL_SMALL or negative) and not grammar


_SAYS_NOTHING = GRAMMAR - {"called", "marked", "alphabetical", "unique", "starts", "ends"}


def _said_before(tokens: Tokens, n: int, row: str) -> bool:
    """Whether a word adds nothing: what a row is, said again, and "only" right before a condition that was read."""
    if tokens.all[n].word != "only":
        return singular(tokens.all[n].text.lower()) == row
    n += 1
    while n < len(tokens.all) and tokens.all[n].kind == "W" and not tokens.used[n]:
        if _weighs(tokens, n) and singular(tokens.all[n].text.lower()) != row:
            return False
        n += 1
    return n < len(tokens.all) and tokens.used[n] and tokens.all[n].kind != "U"
