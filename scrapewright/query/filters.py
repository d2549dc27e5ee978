"""Which rows are wanted: the conditions of a request that name a column and a value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from scrapewright.query.columns import of_concept
from scrapewright.query.lexicon import ALL_SMALL, CANONICAL, NUMBERS, singular, weak, word_set
from scrapewright.query.lexicon import tokens as words_of
from scrapewright.query.reading import Column, Filter, Op, Reading
from scrapewright.query.tokens import Tokens, unquoted

_WORDED = (
    "and|but? only|keep|where|with keep|the|only|row|those|where|that|have|has|with* c:W "
    "op:is_not|is|not|contains|starts_with|starts|ends_with|ends with? v:Q|W|N =END|and|or"
)
_CALLED = "keep|only+ the? W? called v:Q only?"
_LEFT_OUT = (
    "leave_out|leaving_out|skip|without the|an|all|those* W? that|which is|are? contains|marked|says|say as? v:Q|W =END"
)
_OPS: dict[str, Op] = {"is": "eq", "not": "ne", "contains": "contains", "starts": "starts", "ends": "ends"}
_NO_VALUE = word_set("the a an empty in under over at one not only by on from")
_NEGATIVE = word_set("not without skip leave leaving omitted excluded skipped")
_LIMITING = word_set("only where")
_MORE = word_set("only where sort then by and or left")
"""Words of the grammar with which a condition says more than what to leave out."""
_QUOTED = re.compile(r"[\"“„«「].+?[\"”“»」]")
_OF_HEADINGS = word_set("only the from in on of under section table part block heading called")
"""Words of the grammar that a heading is named with."""


def filters(tokens: Tokens, columns: Sequence[Column]) -> tuple[Filter, ...]:
    """Conditions that are said in the grammar's own words, their tokens marked as read: "only where state is open",
    "keep only the events called …", "leave out those that are marked as sold"."""
    found: list[Filter] = []
    names = {column.name.lower(): column.name for column in columns}
    for match, start, end in tokens.taken(_WORDED):
        value = tokens.named(match, "v")
        if value is not None and match["c"] in names and value.text.lower() not in _NO_VALUE:
            op: Op = "ne" if "not" in match["op"] else _OPS[match["op"].split()[0]]
            found.append(_claim(tokens, start, end, names[match["c"]], op, unquoted(value)))
    for match, start, end in tokens.taken(_CALLED):
        if (value := tokens.named(match, "v")) is not None:
            found.append(_claim(tokens, start, end, of_concept(columns, "title"), "eq", unquoted(value)))
    for match, start, end in tokens.taken(_LEFT_OUT):
        if (value := tokens.named(match, "v")) is not None:
            found.append(_claim(tokens, start, end, "", "lacks", unquoted(value)))
    return tuple(found)


def _claim(tokens: Tokens, start: int, end: int, column: str, op: Op, value: str) -> Filter:
    text = tokens.said(start, end)
    tokens.use(start, end)
    return Filter(text=text, column=column, op=op, value=value)


def title_of(wanted: Filter) -> str:
    """What questions and decisions call a condition: its words, 200 characters at most."""
    return " ".join(wanted.text.split())[:200]


def not_read(query: Reading) -> list[Filter]:
    """The phrases of a request that were not read, each as the condition that it may be."""
    return [Filter(text=phrase) for phrase in query.unread]


def mentions(query: Reading, heading: str) -> bool:
    """Whether a phrase that was not read names a heading, and says nothing else: "only the Metropolitan table"."""
    words = words_of(heading)
    if not any(len(word) > 2 and not weak(word) for word in words):
        return False
    for phrase in map(words_of, query.unread):
        for at in range(len(phrase) - len(words) + 1):
            rest = {CANONICAL.get(word, word) for word in (*phrase[:at], *phrase[at + len(words) :])}
            if words == phrase[at : at + len(words)] and rest <= _OF_HEADINGS:
                return True
    return False


def title_of_all(several: Iterable[Filter]) -> str:
    """The same for several conditions that are asked about at once."""
    return "; ".join(title_of(wanted) for wanted in several)[:200]


def leaves_out(wanted: Filter) -> bool:
    """Whether a condition says which rows to leave out, rather than which to keep."""
    return wanted.leaves_out or not _NEGATIVE.isdisjoint(_canonical(wanted.text))


def words_left_out(wanted: Filter) -> frozenset[str]:
    """The words of what a condition leaves out, in the singular: its value, what it quotes, else what follows its
    negative word; empty where it leaves nothing out, or says more than that."""
    words = words_of(wanted.text)
    known = [CANONICAL.get(word, word) for word in words]
    negative = [at for at, word in enumerate(known) if word in _NEGATIVE]
    if len(negative) != 1 or not _MORE.isdisjoint(known):
        return frozenset()
    quoted = _QUOTED.search(wanted.text)
    said = wanted.value or (quoted[0] if quoted else "")
    rest = map(singular, words_of(said) if said else words[negative[0] + 1 :])
    no_names = {*ALL_SMALL, *NUMBERS, "out"}
    return frozenset(word for word in rest if len(word) > 2 and not weak(word) and word not in no_names)


def limits(wanted: Filter) -> bool:
    """Whether a condition says in so many words that not all rows are wanted, or quotes what they say."""
    quotes = _QUOTED.search(wanted.text) is not None
    return quotes or leaves_out(wanted) or not _LIMITING.isdisjoint(_canonical(wanted.text))


def _canonical(text: str) -> set[str]:
    words = re.findall(r"[^\W_]+", text.lower().replace("left out", "leave out"))
    return {CANONICAL.get(word, word) for word in words}
