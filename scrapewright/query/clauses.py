"""What a request says outside its list of columns: pages, format, order, limit, section, and the like.

Each reader finds its phrases in the line of tokens, returns what they say and marks their tokens as read. What it can't
read to the end it leaves: the words stay unread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import cast

import msgspec

from scrapewright.query.columns import date_type, dated, holder, of_concept
from scrapewright.query.lexicon import concept_of, word_set
from scrapewright.query.notes import date_format, without_iso
from scrapewright.query.reading import Column, Format, Order, Pages
from scrapewright.query.tokens import Tokens, number_of, phrase, unquoted

_ALL_PAGES = (
    "on|from|of|across|through|over|for|follow? all of? the? N? of? the? W? page of_the_pagination|of_pagination?",
    "and|then? follow the|all|its|any* Q|next|pagination|page|older|over+ page? link|links|button|buttons|posts? "
    "to_the_last_page|to_the_ends|to_last?",
    "through|walk|crawl the? all? pagination", "the? all pagination", "to|until the? last page",
    "and? all? the? next|follow page too?",
)  # fmt: skip
_NOT_ONE = ("not only the|this? first|this|one page", "until there is not any|over|next* page|link|button?")
_SOME_PAGES = (
    "only|on|of|from|for|over|THE* first n:N W? page only|of_results?",
    "only|on|of|from|for|over|THE* n:N first W? page only|of_results?",
    "page 1|N -|–|to|and|through n:N only?", "at_most|maximum|up_to|not_over_than|only n:N page",
)  # fmt: skip
_ONE_PAGE = (
    "only on|of|from|THE* this|first|one|front|one_single+ page", "on|of|from|THE* this|first|front|one+ page only",
    "on|of|from|THE* this one page", "on|of|from|THE* W? first page of_results|of_the_results?",
    "only on|of|from|THE* page !of|from|for|per|all|N", "page this|first only",
    "and|but? not|without|skip to? the|any? W? W? pagination|page_links|page_link|next_page|other_page|more_page|next",
    "and|but? not|without follow|paginate|paginating|go|going|open W? W? W? W? pagination|page|links N? links|link?",
    "not|without W W? W? page_N|next_page", "not|without paginate|paginating|pagination",
)  # fmt: skip


def pages(tokens: Tokens) -> Pages:
    """The pages asked for, where the request says it in so many words and does not contradict itself."""
    counted: set[Pages] = set()
    others: set[Pages] = set()
    for _, start, end in tokens.taken(*_NOT_ONE):
        others.add("all")
        tokens.use(start, end)
    for match, start, end in tokens.taken(*_SOME_PAGES):
        token = tokens.named(match, "n")
        if token is not None and not (match[0].startswith("page") and tokens.all[start + 1].text not in {"1", "one"}):
            count = int(number_of(token))
            counted.add("first" if count <= 1 else count)
            tokens.use(start, end)
    for _, start, end in tokens.taken(*_ONE_PAGE):
        others.add("first")
        tokens.use(start, end)
    for _, start, end in tokens.taken(*_ALL_PAGES):
        if tokens.all[max(start - 1, 0)].word not in {"not", "without", "skip"}:
            others.add("all")
            tokens.use(start, end)
    found = counted or others
    return found.pop() if len(found) == 1 else "unsaid"


_BEFORE_FORM = word_set("as in like are is be written formatted format form all both the jako im au come como als w v")


def dates(tokens: Tokens, columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """The columns with the form that the request gives for dates in general: "dates as YYYY-MM-DD"."""
    found = {column.name: type_of_date for column in columns if (type_of_date := date_type(column))}
    size = len(tokens.all)
    for n, token in enumerate(tokens.all if found else ()):
        if concept_of(token.text.lower()) != "date" or token.text in found:
            continue
        start = n + 1
        while start < size and tokens.all[start].text.lower() in _BEFORE_FORM:
            start += 1
        stop = min(start + 1, size)
        while stop < size and tokens.all[stop].start == tokens.all[stop - 1].end and not tokens.ends_sentence(stop):
            stop += 1
        kind, written = date_format(form := tokens.said(start, stop))
        if any(tokens.used[start:stop]) or not (kind in ("date", "datetime") or _ISO_DATE.fullmatch(form)):
            continue
        tokens.use(n, stop)
        if written := without_iso(kind, written):
            columns = tuple(
                msgspec.structs.replace(column, type=found[column.name], format=written)
                if column.name in found and not column.format
                else column
                for column in columns
            )
    return columns


_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")
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


# Order.

_PAGE_ORDER = (
    "keep|preserve|leave in? the|them_in|it_in* W? sort|sequence of|on|from|as_on? the|this? page|site|table|website?",
    "in|as+ the? page|site|table|source|document|original|same|listed sort as_on|of? the? page?",
)
_SUPERLATIVES = {
    "newest": ("date", True), "oldest": ("date", False), "cheapest": ("price", False), "dearest": ("price", True),
    "most recent": ("date", True), "most expensive": ("price", True), "least expensive": ("price", False),
    "highest": ("", True), "most": ("", True), "lowest": ("", False),
}  # fmt: skip
_MOST = "|".join(name.replace(" ", "_") for name in _SUPERLATIVES)
_ON_TOP = (
    "on_top|up_top|at_top|at_the_top|to_the_top|on_the_first_W|oben|zuoberst|bovenaan|arriba|na_górze|nahoře|сверху"
)
_KEYED = (
    "by THE? k:W|W_W d:up|down", "by THE? k:W sort (? d:up|down? )?", "k:W d:up|down", "in THE? k:W sort",
    "in|by w:up|down|alphabetical|chronological|reverse_chronological sort of|by? THE? c:W?",
    "by THE? k:W|W_W a_to_z|a_-_z|a-z", "w:alphabetical|a_to_z|a_-_z|a-z|chronological|reverse_chronological",
    f"with|by? THE? over? s:{_MOST} k:W|W_W|W_W_W? go|goes|come|comes|should|must|be|is* the? first|{_ON_TOP}",
    f"from THE? s:{_MOST} W? down? to THE? {_MOST}", f"starts with|at|from THE? s:{_MOST}",
    "d:up|down by THE? k:W",
)  # fmt: skip
_WAY = phrase(
    ",? (? in|the|from|with|going* up|lowest_to_highest|lowest_first|low_to_high|a_to_z|a_-_z|oldest_first"
    "|cheapest_first sort? )?",
    ",? (? in|the|from|with|going* d:down|highest_to_lowest|highest_first|high_to_low|most_first|newest_first|z_to_a"
    "|dearest_first sort? )?",
)
_KEY_ENDS = word_set("up down and then in highest lowest newest oldest with as from")
_BOUNDARY = phrase("END|and|then|as|csv|json|F|to|on|in|with|please")
"""What may follow a sort key. Anything else may say which way it goes: "du plus élevé au plus bas"."""


def order(tokens: Tokens, columns: Sequence[Column]) -> tuple[Order, ...]:
    """The sort keys; none where one of them fits no column or several."""
    for _, start, end in tokens.taken(*_PAGE_ORDER):
        tokens.use(start, end)
    keys: list[Order] = []
    for _, start, end in tokens.taken(
        "and? then? sort !by|per W|U? W|U? W|U? W|U? by|per", "sort by|per", "alphabetical by"
    ):
        found, end = _keys(tokens, end, columns)
        if found:
            keys += found
            tokens.use(start, end)
    for match, start, end in tokens.taken(*_KEYED):
        key = _key(match, columns)
        if key is not None:
            keys.append(key)
            tokens.use(start, end)
    return tuple({key.column: key for key in reversed(keys)}[name] for name in dict.fromkeys(k.column for k in keys))


def _keys(tokens: Tokens, at: int, columns: Sequence[Column]) -> tuple[list[Order], int]:
    """The keys behind "sort by", and where they end."""
    keys: list[Order] = []
    end = at
    while True:
        words: list[str] = []
        while at < len(tokens.all) and tokens.all[at].kind in {"W", "Q"} and not tokens.used[at] and len(words) < 4:
            if words and tokens.all[at].word in _KEY_ENDS:
                break
            words.append(unquoted(tokens.all[at]))
            at += 1
        if len(words) > 1 and phrase("THE").match(f"{words[0].lower()} "):
            words = words[1:]
        name = holder(columns, words) if 0 < len(words) < 4 else ""
        if not name:
            return keys, end
        way = _WAY.match(tokens.after(at))
        at += len(way[0].split()) if way else 0
        if not way and at < len(tokens.all) and not _BOUNDARY.match(tokens.after(at)):
            return [], end
        keys.append(Order(name, bool(way and way["d"])))
        end = at
        more = phrase(",? and? then by?", "and by? =W", ", by").match(tokens.after(at))
        if not more:
            return keys, end
        at += len(more[0].split())


def _key(match: re.Match[str], columns: Sequence[Column]) -> Order | None:
    said = match.groupdict()
    words = (said.get("k") or said.get("c") or "").split()
    way = said.get("w") or ""
    down = said.get("d") == "down" or way.startswith(("down", "reverse"))
    name = holder(columns, words) if words else ""
    concept = ""
    if said.get("s"):
        concept, down = _SUPERLATIVES[said["s"]]
    elif not words:
        concept = "date" if "chronological" in way else "title" if way.startswith("a") else ""
    if not name and concept and len(words) < 2:
        name = dated(columns) if concept == "date" else of_concept(columns, concept)
    return Order(name, down) if name else None


# How many rows, and which.

_LIMIT = (
    "only? the? first|top n:N row? only? !page|W_page|years|days|chars|characters|words|letters",
    "at_most|maximum|up_to|not_over_than|limit|limited_to|limit_to|stop_after the? n:N row|results only?",
    "limit|maximum|max of|to? n:N =END",
    "THE n:N first row? !page|W_page",
)


def limit(tokens: Tokens) -> int | None:
    """The most rows that may be written, where the request says one number."""
    spans = [(token, s, e) for m, s, e in tokens.taken(*_LIMIT) if (token := tokens.named(m)) is not None]
    found = {int(number_of(token)) for token, _, _ in spans}
    if len(found) != 1 or not 0 < min(found) < 10**6:
        return None
    for _, start, end in spans:
        tokens.use(start, end)
    return found.pop()


def single(tokens: Tokens) -> bool:
    """Whether one row is asked for in so many words."""
    found = bool(re.search(r"\bjson[- ]object\b(?! (?:per|for))", tokens.raw, re.IGNORECASE))
    for _, start, end in tokens.taken("as|in|with|of|an|to|exactly|only* one csv|json|XXX|XXXX? row !per|for|by|of"):
        if tokens.all[max(start - 1, 0)].word not in {"per", "all", "not"}:
            tokens.use(start, end)
            found = True
    return found


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
    found: dict[str, tuple[int, int]] = {}
    for match, start, end in tokens.taken(*_SECTION):
        if (token := tokens.named(match)) is not None:
            found.setdefault(unquoted(token), (start, end))
    if len(found) != 1:
        return ""
    name, span = found.popitem()
    tokens.use(*span)
    return name


_SEARCH = (
    "from|in|of* the? result|results* of* THE? search|searching the|this? site|page|shop? on|at? U? for q:Q",
    "find|type|enter|put q:Q in|into the? search W?", "fill|use the? search W? with q:Q",
)  # fmt: skip


def search(tokens: Tokens) -> str:
    """What is to be typed into the page's search form, where the request quotes it; empty where it names several."""
    spans = [(unquoted(token), s, e) for m, s, e in tokens.taken(*_SEARCH) if (token := tokens.named(m)) is not None]
    found = {words for words, _, _ in spans}
    if len(found) != 1:
        return ""
    for _, start, end in spans:
        tokens.use(start, end)
    return found.pop()


def follow(tokens: Tokens) -> str:
    """The words about the page of each record that is to be opened."""
    opens = "and|then* open|follow|go to|on|into|up|sur|na? the?"
    for _, start, end in tokens.taken(
        f"{opens} W? W? W? of|for|from? all|per !page W W? page|link|links? =END|and|to|for|as",
        f"{opens} its|their|each own|detail* page|link|links page?",
    ):
        inside = {token.word for token in tokens.all[max(start - 1, 0) : end]}
        if not inside & {"not", "without", "pagination", "next", "last"}:
            said = tokens.said(start, end)
            tokens.use(start, end)
            return said
    return ""


def optional(tokens: Tokens, columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """The columns, with what is said elsewhere of their empty cells as a note: "leave price empty where none is"."""
    for match, start, end in tokens.taken(
        "and|but? leave|keep the|a|any|missing* c:W empty|blank",
        "and|but? the? c:W may|can|could|might is empty|missing|blank",
    ):
        name = holder(columns, [match["c"]], named=True)
        if not name and match["c"] not in {"column", "it", "them", "cell", "cells", "value", "values"}:
            continue
        if end < len(tokens.all) and tokens.all[end].text.lower() in {"if", "where", "when", "unless"}:
            stops = {".", ";", ",", ")", "\n"}
            while end < len(tokens.all) and not tokens.used[end] and tokens.all[end].word not in stops:
                end += 1
        text = tokens.said(start, end)
        columns = tuple(
            msgspec.structs.replace(c, note="; ".join(filter(None, (c.note, text)))) if name in {"", c.name} else c
            for c in columns
        )
        tokens.use(start, end)
    return columns
