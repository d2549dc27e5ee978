"""The list of columns of a request: "columns: a, b (int), c", "with name, price and url", "(title,author)".

A list is claimed only if it was read from one end to the other: each of its pieces is a name, with what is said of it
in brackets or in a few known forms behind it. A piece that is anything else makes the list prose, which is not claimed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from scrapewright.query.lexicon import SMALL, TYPES, concept_of, named_concepts, word_set
from scrapewright.query.notes import Note, date_format, named_link, read_note, type_of_name, without_iso
from scrapewright.query.reading import COLUMNS_AT_MOST, Column, FieldType
from scrapewright.query.tokens import Tokens, phrase, unquoted

SEPARATORS = frozenset({",", ";", "、", "・", "·", "•", "|", "and", "\n", "/"})
LINES = frozenset({"\n", "•"})
_OPENERS, _CLOSERS = frozenset({"(", "[", "{"}), frozenset({")", "]", "}"})
_ARROWS = frozenset({"->", "=>", "→"})
_COLONS = _ARROWS | {":", "—", "–", "-", ">"}
_OF = word_set("of with von mit de avec con met z ze s")
GIVE = word_set(
    """give get need want extract take return collect scrape grab fetch show list me include save record output chci
    potřebuji brauche hole möchte gib will necesito quiero extrae saca voglio estrai dammi wil haal geef veux donne
    extrais récupère quero extraia preciso chcę pobierz podaj wypisz нужны нужно собери выпиши"""
)
ARTICLES = word_set(
    """the a an its their le la les un une el los las lo il gli de het o os der die das den dem each also both columns
    column fields field"""
)
NAME_ENDS = word_set(
    """as in from on at is without with where for that which if when or per under over only whose be to exactly not by
    until than minimum maximum since after before contains starts ends called marked"""
)
"""Words, as in the line, that end a name; they begin none but where they are all of it ("from, to, price")."""
NO_START = NAME_ENDS | word_set("all and skip sort N")
NO_NAME = word_set(
    """the a an and or all each every csv json jsonl everything me it them those these this that you i we please where
    when who what how why following columns fields nothing else more others same unsorted etc so no not only newest
    oldest"""
)
_ALONE = word_set("csv json jsonl please thanks thx bitte danke merci gracias grazie only ascending descending")
_OF_SEVERAL = word_set("dates numbers prices times links urls")
"""What columns are together, where one of them was named: "title, date, price; dates as YYYY-MM-DD"."""
TYPE_NAMES = re.compile(r"(?:int(?:eger)?s?|floats?|decimals?|str(?:ing)?s?|bool(?:ean)?s?|datetime)")
EASTERN = re.compile("[\u0590-\u06ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CLAUSE = phrase(
    "and|but|then|please|all|in|for|the* sort|only|not|without|skip|csv|json|jsonl|F|newest|oldest|cheapest|dearest"
    "|highest|lowest|most|longest|shortest|alphabetical|follow|open|go|write|save|export|output|leave|keep|where|per|page|maximum"
    "|minimum|please|thanks|unique|duplicate|but|if|so|use|because|when|limit|between|dated|bitte|danke|merci|top_N|all_page"
    "|first_page|first_N|N_first|this_page|this_one|N_row|N_page|one_row|on_U|from_U|at_least|at_most|up_to",
    "as|to an|one? csv|json|F", "in|by ANY sort|up|down",
    "ANY ANY? ANY? only",
    "THE? ANY may|can|could|might", "ANY ANY? up|down", "ANY ANY? first",
    "ANY? under|over|minimum|maximum|after|before|since ANY? ANY? ANY? N|D",
)  # fmt: skip
"""How a piece begins that is no column."""
_PLACED = phrase(
    "from|on|of|at|in|by the|this? W? page|site|website? U|page", "of|from|for|per all|per", "per W",
    "to an|F|csv|json|my", "of this|these W", "of|from|for the|this|these W W? W? on|from|at|in|of",
)  # fmt: skip
"""What says where the columns are from: "of every book", "from the page https://…"."""
_WRITTEN = phrase("as|to|in? an|one? csv|json|jsonl|F")
_ARE = frozenset({"is", "should", "must", "shall", "will"})
_UNIT = phrase("in ANY (|[|as|END", "in ANY and")
_EACH = phrase("per", "for all", "one row", "csv|json|F|column")


@dataclass
class Item:
    """One column as it was read."""

    name: str
    notes: list[str] = field(default_factory=list)
    joined: bool = False
    """Whether "and" comes before it."""
    several: bool = False
    """Whether the name was made of several words."""


@dataclass
class Listed:
    """A list of columns, the tokens it was read from, and what came before it: "colon", "columns", "with", "give",
    "bare" (an address or nothing), "line", "bracket", "object" (braces) or "script" (a word in another script)."""

    start: int
    end: int
    items: list[Item]
    marker: str


class _Prose(Exception):
    """What was to be a list is none."""


def find_columns(tokens: Tokens) -> tuple[tuple[Column, ...], tuple[int, int] | None]:
    """The columns, and the span of the tokens that say them; none where no list could be read as a whole."""
    lists: list[Listed] = []
    for start, marker in _list_starts(tokens):
        try:
            items, end = _items(tokens, start, marker)
        except _Prose:
            continue
        _take_names(items, tokens.language)
        found = Listed(start, end, items, marker)
        if _credible(tokens, found):
            lists.append(found)
    if not lists:
        return (), None
    return columns_of(max(lists, key=lambda one: (len(one.items), one.marker in {"columns", "colon"}, -one.start)))


def columns_of(found: Listed) -> tuple[tuple[Column, ...], tuple[int, int] | None]:
    """The columns of a list and its span; none where two have one name, or there are too many."""
    columns = columns_from(found.items)
    return (columns, (found.start, found.end)) if columns else ((), None)


def _list_starts(tokens: Tokens) -> Iterator[tuple[int, str]]:
    """Where a list may begin, and after what."""
    for n, token in enumerate(tokens.all):
        low, after = token.text.lower(), n + 1
        if token.word in _OPENERS and token.depth == 1 and n in tokens.closes:
            yield after, "object" if token.word == "{" else "bracket"
        if token.depth:
            continue
        if n == 0 or tokens.ends_sentence(n - 1):
            yield n, "bare"
        if token.kind == "U":
            yield after, "bare"
        beside = tokens.raw[max(token.start - 1, 0)] + tokens.raw[token.end : token.end + 1]
        tight = not beside.isspace() if token.word in {"-", ">"} else token.text == ":" and beside.isalpha()  # "HH:MM"
        if token.word in _COLONS and not tight:
            yield after, "colon"
        elif token.word == "column":
            yield after, "columns"
        elif token.word == "with":
            yield after, "with"
        elif low in GIVE:
            yield after, "give"
        elif low in {"csv", "json"} and after < len(tokens.all) and tokens.all[after].text.lower() in _OF:
            yield after + 1, "columns"
        elif EASTERN.search(token.text) or (token.word == "," and n and EASTERN.search(tokens.all[n - 1].text)):
            yield after, "script"


def _credible(tokens: Tokens, found: Listed) -> bool:
    """Whether what could be read as a list is one."""
    names = [item.name for item in found.items]
    marked = found.marker in {"colon", "columns"}
    if len(names) == 1 and not (
        marked
        and (found.end >= len(tokens.all) or tokens.ends_sentence(found.end))
        and (found.items[0].notes or "_" in names[0] or TYPES.get(concept_of(names[0]), "int") != "int")
    ):
        return False
    several = sum(item.several and read_note("; ".join(item.notes)).type is None for item in found.items)
    snake = any("_" in item.name for item in found.items if not item.several)
    if several == 1 or (several and snake):
        return False  # a phrase behind names is as often words about the list as a column: "…, url, plain text please"
    plain = all(name.isascii() and name.isidentifier() and not TYPE_NAMES.fullmatch(name) for name in names)
    if found.marker == "bracket" and not (plain and not any(item.notes for item in found.items)):
        return False
    if found.marker == "bracket" and date_format(tokens.said(found.start, found.end))[0]:
        return False  # a note: "updated (date, MM/DD/YYYY)"
    if found.marker == "script" and not plain:
        return False
    if not marked and len(names) > 1 and 2 * sum(map(plural, names)) > len(names):
        return False
    if found.marker == "bare" and not all("_" in name or named_concepts(name) for name in names):
        return False
    means = {concept for name in names for concept in named_concepts(name)}
    if found.marker == "with" and not means & {"title", "thing", "code", "text"}:
        # "The threads with author and date": with their titles, too?
        before = "".join(f"{token.word} " for token in tokens.all[max(0, found.start - 13) : found.start - 1])
        if not _EACH.search(before):
            return False
    return not _goes_on(tokens, found.end, names)


def plural(name: str) -> bool:
    """ "titles and prices": a way to speak of the columns title and price, or their names? Nobody can tell."""
    concept = concept_of(name[:-1]) if name.endswith("s") else ""
    return TYPES.get(concept, "int") != "int" and concept not in {"tags", "status", "other", "code"}


def _goes_on(tokens: Tokens, n: int, names: Sequence[str]) -> bool:
    """Whether more columns seem to come in the same sentence, behind what ended the list: "name, under 20, url"."""
    depth = tokens.all[n].depth if n < len(tokens.all) else 0
    while n < len(tokens.all) and tokens.all[n].depth >= depth and not tokens.ends_sentence(n):
        stop, low = _piece_end(tokens, n, depth), tokens.all[n].text.lower()
        whole = stop - n == 1 or tokens.closes.get(n + 1) == stop - 1
        if whole and tokens.all[n].kind == "W" and low not in {*names, *_ALONE} and ("_" in low or concept_of(low)):
            return True
        n = max(stop, n) + 1
    return False


def _take_names(items: list[Item], language: str) -> None:
    """Takes the names from the brackets of "название (title)", and of "Titel (title), Autor (author)"."""
    inner = []
    for item in items:
        first = item.notes[-1].partition(",")[0].strip() if item.notes else ""
        plain = first.isascii() and first.isidentifier() and read_note(first) == Note(rest=first.lower())
        inner.append(first if plain else "")
    every = all(inner) and language != "en"
    for item, name in zip(items, inner, strict=True):
        if name and (every or not item.name.isascii()):
            item.notes[-1] = item.name + item.notes[-1][len(name) :]
            item.name = name


def _items(tokens: Tokens, n: int, marker: str) -> tuple[list[Item], int]:
    """The items from a token on, and where they end. Raises _Prose where it is no list."""
    items: list[Item] = []
    size = len(tokens.all)
    depth = tokens.all[n].depth if n < size else 0
    closed = lines = False
    end = n
    while n < size and tokens.all[n].word in {":", "\n", "•"} | (_ARE if marker == "columns" else set()):
        lines = lines or tokens.all[n].word in {"\n", "•"}
        n += 1
    while n < size and not _list_ends(tokens, n, depth, items):
        stop = _piece_end(tokens, n, depth)
        try:
            item, n, last = _item(tokens, n, stop)
        except _Prose:
            if closed and stop - n >= 3:
                break  # "a, b and c, …": what comes behind a list that was closed may be anything
            raise
        item.joined = bool(items) and any(token.word == "and" for token in tokens.all[end:n] if token.depth == depth)
        items.append(item)
        closed = closed or item.joined
        end = n
        while n < size and tokens.all[n].word in SEPARATORS and tokens.all[n].depth == depth:
            if tokens.all[n].word == "\n" and (not lines or tokens.all[min(n + 1, size - 1)].word == "\n"):
                last = True
            n += 1
        if last or n == end:
            break
    if not items:
        raise _Prose
    return items, end


def _list_ends(tokens: Tokens, n: int, depth: int, items: list[Item]) -> bool:
    """Whether the list is over before a token: a sentence ends, or something other than a column begins."""
    token = tokens.all[n]
    if token.depth < depth or (depth and token.word in _CLOSERS) or token.kind == "U" or tokens.ends_sentence(n):
        return True
    if not items:
        return False
    low, eastern = token.text.lower(), EASTERN.search(token.text)
    if low in _ALONE or (eastern and (items[0].name.isascii() or _WRITTEN.match(tokens.after(n + 1)))):
        return True
    if low in _OF_SEVERAL and (
        low == "numbers" or concept_of(low) in {c for i in items for c in named_concepts(i.name)}
    ):
        return True
    stop = _piece_end(tokens, n, token.depth)
    return stop - n > 1 and tokens.all[n + 1].word != "(" and _CLAUSE.match(tokens.after(n)) is not None


def _piece_end(tokens: Tokens, n: int, depth: int) -> int:
    """Where the piece that begins here ends: at a separator, a sentence's end or an address."""
    while n < len(tokens.all):
        token = tokens.all[n]
        closes = token.word in SEPARATORS or token.kind == "U" or tokens.ends_sentence(n)
        if token.depth < depth or (token.depth == depth and (closes or (depth and token.word in _CLOSERS))):
            break
        n = tokens.closes.get(n, n) + 1
    return n


def _item(tokens: Tokens, n: int, stop: int) -> tuple[Item, int, bool]:
    """The item of a piece, the token after it, and whether the list ends with it."""
    while n + 1 < stop and tokens.all[n].text.lower() in ARTICLES:
        n += 1
    first = n
    if n + 1 < stop and tokens.all[n].word in NO_START and tokens.all[n + 1].word not in {"(", "as", "is"}:
        raise _Prose
    while n < stop and _goes_on_name(tokens, n, first):
        n += 1
    words = [unquoted(token) for token in tokens.all[first:n]]
    notes: list[str] = []
    if len(words) > 1 and (TYPE_NAMES.fullmatch(words[-1].lower()) or read_note(words[-1]).absolute):
        notes.append(words.pop())
    name = _name(words, tokens.language)
    while n < stop:
        token = tokens.all[n]
        if token.word in {"(", "["} and n in tokens.closes:
            notes += filter(None, [tokens.said(n + 1, tokens.closes[n])])
            n = tokens.closes[n] + 1
        elif _WRITTEN.match(tokens.after(n)):
            return Item(name, notes, several=len(words) > 1), n, True
        elif token.word == "in" and _UNIT.match(tokens.after(n)):
            notes.append(tokens.said(n, n + 2))
            n += 2
        elif token.word in {"as", "=", "is", ":", "exactly", "without"} or (
            token.word == "in" and date_format(tokens.said(n, stop))[0] is not None
        ):
            said = tokens.said(n + (token.text == "="), stop).lstrip(": ")
            if not said or len(said) > 120 or (token.word == "without" and stop - n > 6):
                raise _Prose
            notes.append(said)
            n = stop
        elif (
            token.word in {"column", "where", "only", "—", "–", "-"} | _ARROWS
            or _PLACED.match(tokens.after(n))
            or (EASTERN.search(token.text) and name.isascii())
        ):
            return Item(name, notes, several=len(words) > 1), n, True
        else:
            raise _Prose
    return Item(name, notes, several=len(words) > 1), n, False


def _goes_on_name(tokens: Tokens, n: int, first: int) -> bool:
    token, start = tokens.all[n], tokens.all[first]
    if n == first:
        return token.kind in {"W", "Q"}
    if token.kind != "W" or start.kind == "Q" or token.word in NAME_ENDS:
        return False
    if token.word == "of" and _PLACED.match(tokens.after(n)):
        return False
    return bool(EASTERN.search(token.text)) == bool(EASTERN.search(start.text))


def _name(words: list[str], language: str) -> str:
    """The name of the column in the output. Raises _Prose where the words are none."""
    low = [word.lower() for word in words]
    if len(words) == 1 and len(low[0].split()) <= 4 and not (low[0].isdigit() or low[0] in NO_NAME):
        return words[0]
    plain = language == "en" and all(word.isascii() and word.isalpha() for word in words)
    link = named_link(low[-1]) and low[-1] != "url" if low else False
    small = any(word in NO_NAME | SMALL["en"] and word != "of" for word in low[:-1]) or low[-1:] == ["of"]
    if not 1 < len(words) <= 4 or not plain or link or small or low[-1] in NO_NAME:
        raise _Prose
    return "_".join(low)


# What the items say, as columns.


class Said(Protocol):
    """What a list says of one column: its name, the words about it, and whether "and" comes before it."""

    name: str
    notes: list[str]
    joined: bool


def columns_from(items: Sequence[Said]) -> tuple[Column, ...]:
    """The columns with their types; none where two have one name, or there are too many."""
    if not len({item.name for item in items}) == len(items) <= COLUMNS_AT_MOST:
        return ()
    texts = ["; ".join(item.notes) for item in items]
    notes = [read_note(text) for text in texts]
    types: list[FieldType | None] = [note.type for note in notes]
    formats = [note.format for note in notes]
    for n, (item, note) in enumerate(zip(items, notes, strict=True)):
        # "total and free as integers": what is said of several holds for those before it that nothing is said of.
        if not note.plural or (note.type is None and not note.numeric):
            continue
        kinds = {type_of_name(item.name), note.type}
        at = n - 1
        while at >= 0 and types[at] is None and (items[at + 1].joined or _alike(items[at].name, kinds)):
            types[at], formats[at] = note.type, note.format
            texts[at] = "; ".join(filter(None, (texts[at], item.notes[-1])))
            at -= 1
    return tuple(
        Column(item.name, kind or ("url" if named_link(item.name) else None), without_iso(kind, written), text)
        for item, kind, written, text in zip(items, types, formats, texts, strict=True)
    )


def _alike(name: str, kinds: set[FieldType | None]) -> bool:
    return type_of_name(name) in kinds - {"text", None} or not named_concepts(name)


def holder(columns: Sequence[Column], words: Sequence[str], named: bool = False) -> str:
    """The one column that words of the request mean; "" where there is none or several. `named`: by its own name."""
    low = [word.lower() for word in words]
    names = {column.name.lower(): column.name for column in columns}
    for said in ("_".join(low), " ".join(low), "".join(low)):
        if said in names:
            return names[said]
    exact = [names[word] for word in low if word in names]
    if exact:
        return exact[0] if len(set(exact)) == 1 else ""
    parts = {column.name: set(re.split(r"[\W_]+", column.name.lower())) for column in columns}
    content = _forms(word for word in low if len(word) > 2)
    found = [name for name, of in parts.items() if content & _forms(of)]
    if not found and not named:
        means = {concept for concept in named_concepts(" ".join(low)) if TYPES[concept] != "int"} - {"other", "text"}
        found = [name for name in parts if means & set(named_concepts(name))]
    return found[0] if len(found) == 1 else ""


def _forms(words: Iterable[str]) -> set[str]:
    return {form for word in words for form in (word, word.removesuffix("s"))}


def dated(columns: Sequence[Column]) -> str:
    """The one column of dates; "" where there is none or several."""
    found = [column.name for column in columns if date_type(column)]
    return found[0] if len(found) == 1 else ""


def date_type(column: Column) -> Literal["date", "datetime"] | None:
    """The type of a column of dates, also where its name alone says so; None of any other."""
    kind = column.type or type_of_name(column.name)
    return kind if kind in ("date", "datetime") else None


def of_concept(columns: Sequence[Column], concept: str) -> str:
    """The one column that is called so (a title also by what the thing is); "" where there is none or several."""
    wanted = {concept, "thing"} if concept == "title" else {concept}
    found = [c.name for c in columns if not wanted.isdisjoint(named_concepts(c.name))]
    return found[0] if len(found) == 1 else ""
