"""Which rows are wanted: the conditions of a request that name a column and a value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from scrapewright.query.columns import dated, holder, of_concept
from scrapewright.query.lexicon import CANONICAL, SMALL, word_set
from scrapewright.query.notes import type_of_name
from scrapewright.query.reading import Column, Filter, Op, Reading
from scrapewright.query.tokens import Tokens, date_of, number_of, unquoted

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
_VERBS = "dated|published|posted|released|filed|decided|updated|created|announced|held|added|issued|signed"
_DAYS = (
    "verb:W? in|on|from|of|dated? the? v:D|N or or:after|before", f"only? verb:{_VERBS} in|on v:D|N",
    "verb:W? lead:on_or_after|since|on_or_before|after|before|not_before v:D|N",
)  # fmt: skip
_COMPARED: tuple[tuple[str, Op], ...] = (
    ("at_least|not_under_than|minimum of? $|£|€? v:N", "ge"),
    ("at_most|not_over_than|not_over|maximum|up_to of? $|£|€? v:N", "le"),
    ("over than? $|£|€? v:N", "gt"), ("under than? $|£|€? v:N", "lt"),
    ("$|£|€? v:N W|$|£|€? or over|up|after", "ge"), ("$|£|€? v:N W|$|£|€? or under|before", "le"),
)  # fmt: skip
_WAYS: dict[str, Op] = {"or before": "le", "on or before": "le", "before": "lt", "after": "gt"}
_NEGATIVE = word_set("not without skip leave leaving omitted excluded skipped")
_LIMITING = word_set("only where")
_MONEY = word_set("usd eur gbp dollars dollar euros euro pounds pound $ £ € chf pln kč zł")


def filters(tokens: Tokens, columns: Sequence[Column]) -> tuple[Filter, ...]:
    """The conditions, their tokens marked as read. One whose column is not certain stays unread."""
    return (*_worded(tokens, columns), *_on_days(tokens, columns), *_on_numbers(tokens, columns))


def _worded(tokens: Tokens, columns: Sequence[Column]) -> list[Filter]:
    """ "only where state is open", "keep only the events called …", "leave out those that are marked as sold"."""
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
    return found


def _on_days(tokens: Tokens, columns: Sequence[Column]) -> list[Filter]:
    """ "dated 2020-01-31 or later", "decided in 2020", "held on or after 3 March 2020": of the only column of dates."""
    found: list[Filter] = []
    for match, start, end in tokens.taken(*_DAYS):
        token = tokens.named(match, "v")
        if token is None:
            continue
        if token.kind == "N" and not re.fullmatch(r"(?:1[89]|20)\d\d", token.text):
            continue
        verb = (match["verb"] or "").lower()
        column = next((c.name for c in columns if c.name.lower() == verb), "") or dated(columns)
        value = date_of(token) if token.kind == "D" else token.text
        said = match.groupdict()
        way = " ".join(filter(None, ("or" if said.get("or") else "", said.get("or") or said.get("lead") or "")))
        if not column or (way and len(value) == 7):
            continue
        if verb and not (verb.endswith("ed") or verb in {"held", "date", column.lower()}):
            start += 1
        exact: Op = "eq" if len(value) == 10 else "starts"
        op: Op = _WAYS.get(way, "ge") if way else exact
        if way and len(value) == 4:
            # A year is all of its days: after 2020 is from 2021 on, 2020 or earlier is before 2021.
            value = f"{int(value) + (op in {'gt', 'le'}):04d}-01-01"
            op = "ge" if op in {"gt", "ge"} else "lt"
        found.append(_claim(tokens, start, end, column, op, value))
    return found


def _on_numbers(tokens: Tokens, columns: Sequence[Column]) -> list[Filter]:
    """ "with a price of at least 20", "more than 10 replies", "under £20": of a named column, or of the price."""
    found: list[Filter] = []
    for pattern, op in _COMPARED:
        for match, start, end in tokens.taken(pattern):
            token = tokens.named(match, "v")
            if token is None:
                continue
            before, reach = _words_before(tokens, start)
            after = [t.text for t in tokens.all[end : end + 1] if t.kind == "W"]
            inner = [t.text for t in tokens.all[start:end]]
            name = holder(columns, before, named=True)
            begin = start - (reach if name else 0)
            name = name or holder(columns, [w for w in (*after, *inner) if w.lower() not in SMALL["en"]], named=True)
            priced = bool(_MONEY & {word.lower() for word in (*inner, *after)}) or bool(
                before and before[-1][:4] == "cost"
            )
            if not name and priced:
                name = of_concept(columns, "price")
                begin = start - (reach if before and before[-1][:4] == "cost" else 0)
            kind = next((c.type or type_of_name(c.name) for c in columns if c.name == name), None)
            if not name or kind in {"url", "date", "datetime", "list", "bool"}:
                continue
            lead = {"with", "only", "a", "where", "that"}
            while begin and not tokens.used[begin - 1] and tokens.all[begin - 1].word in lead:
                begin -= 1
            closes = bool(after) and (after[0].lower() in _MONEY or holder(columns, after, named=True) == name)
            value = f"{number_of(token):f}".rstrip("0").rstrip(".")
            found.append(_claim(tokens, begin, end + closes, name, op, value))
    return found


def _words_before(tokens: Tokens, start: int) -> tuple[list[str], int]:
    """Up to three words of weight before a token, and how many tokens they reach back."""
    words: list[str] = []
    at, reach = start - 1, 0
    while at >= 0 and tokens.all[at].kind == "W" and not tokens.used[at] and len(words) < 3:
        if tokens.all[at].word in {"only", "with", "where"}:
            break
        if tokens.all[at].text.lower() not in SMALL["en"] and tokens.all[at].word not in {"of", "is"}:
            words.insert(0, tokens.all[at].text)
            reach = start - at
        at -= 1
    return words, reach


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


def title_of_all(several: Iterable[Filter]) -> str:
    """The same for several conditions that are asked about at once."""
    return "; ".join(title_of(wanted) for wanted in several)[:200]


def leaves_out(wanted: Filter) -> bool:
    """Whether a condition says which rows to leave out, rather than which to keep."""
    return wanted.leaves_out or not _NEGATIVE.isdisjoint(_canonical(wanted.text))


def limits(wanted: Filter) -> bool:
    """Whether a condition says in so many words that not all rows are wanted, or quotes what they say."""
    quotes = re.search(r"[\"“„«「].+[\"”“»」]", wanted.text) is not None
    return quotes or leaves_out(wanted) or not _LIMITING.isdisjoint(_canonical(wanted.text))


def _canonical(text: str) -> set[str]:
    words = re.findall(r"[^\W_]+", text.lower().replace("left out", "leave out"))
    return {CANONICAL.get(word, word) for word in words}
