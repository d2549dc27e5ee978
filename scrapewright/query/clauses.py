"""What a request says outside its list of columns: pages, format, order, limit, section, and the like.

Each reader finds its phrases in the line of tokens, returns what they say and marks their tokens as read. What it can't
read to the end it leaves: the words stay unread.
"""

from __future__ import annotations

import re
from typing import cast

import msgspec

from scrapewright.query.columns import date_type, holder, title_of_rows
from scrapewright.query.filters import column_at
from scrapewright.query.lexicon import ALL_SMALL, concept_of, word_set
from scrapewright.query.notes import read_note, without_iso
from scrapewright.query.phrases import says_nothing
from scrapewright.query.reading import Column, Format
from scrapewright.query.tokens import Tokens, phrase, unquoted

_FORMATS = {"csv": "csv", "json": "json", "jsonl": "jsonl", "ndjson": "jsonl"}
_IN_SOURCE = phrase("data|script|feed|api|endpoint|in_the|in_its|inside|block|blob|-|ld")
"""What follows where JSON is what the page holds, not what is to be written."""


def format_and_file(tokens: Tokens) -> tuple[Format | None, str]:
    """The format and the name of the file, None and empty where they are not said."""
    file = ""
    found: set[str] = set()
    for _, start, end in tokens.taken("to|as|in|called|and|write|save|a|file* F"):
        file = tokens.all[end - 1].text
        found.add(_FORMATS[re.split(r"\W", file.casefold())[-1]])  # the stop before it may be of another script
        tokens.use(start, end)
    for match, start, end in tokens.taken("f:csv|jsonl|ndjson|json row|l?"):
        before = tokens.all[max(start - 2, 0) : start]
        held = bool(before) and (before[-1].word in {"its", "the", "embedded"} or before[-1].text.endswith("__"))
        if (held and before[0].word not in {"as", "in", "to"}) or _IN_SOURCE.match(tokens.after(end)):
            continue
        lines = end - start > 1 and tokens.all[end - 1].text.lower() in {"line", "lines", "l"}
        found.add("jsonl" if lines else _FORMATS[match["f"]])
        end -= end - start > 1 and not lines
        tokens.use(start, end)
    if len(found) != 1:
        return None, ""
    return cast("Format", found.pop()), file


# How many rows, and which.

_PAGE_ORDER = (
    "keep|preserve|leave in? the|them_in|it_in* W? sort|sequence of|on|from|as_on? the|this? page|site|table|website?",
    "in|as+ the? page|site|table|source|document|original|same|listed sort as_on|of? the? page?",
)


def keep_order(tokens: Tokens) -> None:
    """Marks as read that the order of the page is to be kept: it says nothing more."""
    for _, start, end in tokens.taken(*_PAGE_ORDER):
        tokens.use(start, end)


def single(tokens: Tokens) -> bool:
    """Whether one row is asked for in so many words."""
    found = bool(re.search(r"\bjson[- ]object\b(?! (?:per|for))", tokens.raw, re.IGNORECASE))
    for _, start, end in tokens.taken("as|in|with|of|an|to|exactly|only* one csv|json? row !per|for|by|of"):
        if tokens.all[max(start - 1, 0)].word not in {"per", "all", "not"}:
            tokens.use(start, end)
            found = True
    return found


_REPEATS = "not|without|sans+ all? duplicate by|of|on|in? the? c:W?", "only? unique by|on? the? c:W? only?"


def distinct(tokens: Tokens, columns: tuple[Column, ...]) -> tuple[str, ...]:
    """The columns in which no two rows are to be the same: the one that is named behind "unique", "no duplicate" or
    "deduplicated by", and the title of another thing that is called unique; else all, so that equal rows are one."""
    found: dict[str, None] = {}
    for match, start, end in tokens.taken(*_REPEATS) if columns else ():
        keyword = next(n for n in range(start, end) if tokens.all[n].word in ("duplicate", "unique"))
        token = tokens.named(match) if match["c"] else None
        rows = token is not None and token.word == "row"
        name = holder(columns, token.text) if token is not None else ""
        tokens.use(start, end if name or rows else keyword + 1)
        if not name and token is not None and not rows and tokens.all[keyword].word == "unique":
            name = title_of_rows(columns)
        found |= dict.fromkeys([name] if name else [column.name for column in columns])
    return tuple(found)


_SEVERAL = frozenset({"all", "per", "table"})


def several(tokens: Tokens, listed: tuple[int, int] | None) -> bool:
    """Whether a word beside the list of columns says that the rows are a list."""
    start, end = listed or (0, 0)
    return any(token.word in _SEVERAL for token in (*tokens.all[:start], *tokens.all[end:]))


_SECTION = (
    "only? in|from|of|on|under|within? the? part|table|block|row? under the? section|title+ h:Q|W",
    "only? in|from|of|on|under|within* THE? section|table|block called|titled? the? h:Q !and|or|,",
    "only? in|from|of|on|under|within* the? h:Q section|table|block only?",
    "only the? section h:W !of",
    "only? under the? h:Q !headings|sections",
    "only? in|from|of|under+ the? !main|first|last|next|this|that|all|THE h:W section only?",
)


def section(tokens: Tokens) -> str:
    """The heading that the rows are under; empty where several are named or none."""
    return _captured(tokens, *_SECTION)


def _captured(tokens: Tokens, *patterns: str) -> str:
    """The one text that phrases capture, marked as read; empty where they capture several or none."""
    every = [(tokens.named(match), start, end) for match, start, end in tokens.taken(*patterns)]
    found = {unquoted(token) for token, _, _ in every if token is not None}
    if len(found) != 1:
        return ""
    for _, start, end in every:
        tokens.use(start, end)
    return found.pop()


_SEARCH = (
    "from|in|of* the? result|results* of* THE? search|searching the|this? site|page|shop? on|at? U? for q:Q",
    "find|type|enter|put q:Q in|into the? search W?", "fill|use the? search W? with q:Q",
)  # fmt: skip


def search(tokens: Tokens) -> str:
    """What is to be typed into the page's search form, where the request quotes it; empty where it names several."""
    return _captured(tokens, *_SEARCH)


_NEVER = frozenset(("no", "not", "don't", "dont", "never", "without", "needn't"))


def follow(tokens: Tokens) -> str:
    """The words about the page of each record that is to be opened."""
    opens = "and|then* open|follow|go to|on|into|up|sur|na? the?"
    for _, start, end in tokens.taken(
        f"{opens} W? W? W? of|for|from? all|per !page W W? page|link|links? =END|and|to|for|as",
        f"{opens} its|their|each own|detail* page|link|links page?",
    ):
        before = [token.word for token in tokens.all[max(start - 3, 0) : start]]
        before = before[max((n for n, word in enumerate(before, 1) if word in {".", ";", ",", ":", "\n"}), default=0) :]
        inside = {token.word for token in tokens.all[start:end]}
        if not (_NEVER.intersection(before) or inside & {"not", "without", "pagination", "next", "last"}):
            said = tokens.said(start, end)
            tokens.use(start, end)
            return said
    return ""


TOLD_OF_COLUMN = 0.75
"""How likely a sentence that begins with a column's name must say nothing of the rows to be a remark on the column."""
_WORDS_OF_REMARK = 3
_CONDITIONS = word_set("must not")
_LEADING = ALL_SMALL | word_set("all leave any missing but")
_BEHIND_NAME = word_set(": - – — = is are should be")


def remarks(tokens: Tokens, columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """The columns, with what sentences that begin with the name of one say of it as its note: "karma is an integer",
    "leave size empty where none is shown"; of all that are dates where it is how these are written: "dates as
    DD.MM.YYYY"; of all in "leave a field empty where none is".
    """
    found = {column.name: column for column in columns}
    leaves = {at - 1 for at, token in enumerate(tokens.all) if token.word == "leave"}  # ", leave size empty"
    for start, end in tokens.pieces(lambda n: tokens.all[n].word in {";", "•"} or n in leaves):
        first = start
        while start < end and tokens.all[start].text.lower() in _LEADING:
            start += 1
        column, at = column_at(tokens, start, end, columns)
        of_dates = column is None and concept_of(tokens.all[min(start, end - 1)].text) == "date"
        of_all = column is None and tokens.all[min(start, end - 1)].word == "column"
        at += of_dates or of_all
        while at < end and tokens.all[at].word in _BEHIND_NAME:
            at += 1
        if at >= end or tokens.all[at].word in _CONDITIONS or any(tokens.used[start:end]):
            continue
        text = tokens.said(at, end)
        said = read_note(text)
        told = [one.name for one in columns if one is column or (of_all and said.optional)]
        told += [one.name for one in columns if of_dates and said.type == "date" and date_type(one)]
        short = end - at < _WORDS_OF_REMARK and not (said.type or said.optional)  # "colour is red" is a condition
        if not told or short or says_nothing(tokens.said(start, end)) < TOLD_OF_COLUMN:
            continue
        for name in told:
            one = found[name]
            found[name] = msgspec.structs.replace(
                one,
                type=one.type or said.type,
                format=one.format or without_iso(said.type, said.format),
                note="; ".join(filter(None, (one.note, text))),
            )
        tokens.use(first, end)
    return tuple(found.values())
