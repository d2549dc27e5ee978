"""The lists of columns that a request may hold. In: its tokens; out: every list of names, with what is said of each.

A list is read from any word on, piece by piece between separators, as far as each piece begins with a name. Which of
the lists is the one that is meant is chosen elsewhere, by what they look like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from scrapewright.query.lexicon import NO, SMALL, TYPES, YES, concept_of, named_concepts, word_set
from scrapewright.query.notes import Note, date_format, read_note
from scrapewright.query.tokens import EASTERN, Tokens, phrase, unquoted

GIVE = word_set(
    """give get need want extract take return collect scrape grab fetch show list me include save record output select
    parse chci
    potřebuji brauche hole möchte gib will necesito quiero extrae saca voglio estrai dammi wil haal geef veux donne
    extrais récupère quero extraia preciso chcę pobierz podaj wypisz zwróć wyciągnij нужны нужно собери выпиши"""
)
ARTICLES = word_set(
    """the a an its their le la les un une el los las lo il gli de het o os der die das den dem each also both columns
    column fields field"""
)
NAME_ENDS = word_set(
    """as in from on at is without with where for that which if when or per under over only whose be to exactly not by
    until than minimum maximum since after before contains starts ends called marked are will would should"""
)
"""Words, as in the line, that end a name; they begin none but where they are all of it ("from, to, price")."""
NO_START = NAME_ENDS | word_set("all and skip sort N")
NO_NAME = word_set(
    """the a an and or all each every csv json jsonl everything me it them those these this that you i we please where
    when who what how why whether following columns fields nothing else more others same unsorted etc so no not only
    newest oldest"""
)
TYPE_NAMES = re.compile(r"(?:int(?:eger)?s?|floats?|decimals?|str(?:ing)?s?|bool(?:ean)?s?|datetime)")
_CLAUSE_STARTS = word_set("sort only without skip not where under over as")
"""Words, as in the line, that are a name only where they are all of it."""
CLAUSE_NOUNS = word_set("order rank ranking")
"""Words that mean a clause, unless a further one makes a noun of them: "order number"."""
_IN_COMPOUNDS = word_set(
    """list start record found result results data site website address link links url search file content contents
    format note print"""
)
"""Words that lead to a name in a sentence, and behind a separator are the beginning of one: "record holder"."""
_ENDS_ANY = word_set("as in en em is als comme come como jako som where if which that when like wenn falls si")
"""Words that end a name also where it is read as far as it can be."""
_INSIDE = word_set("of per de di da do du del des von van pro por par na za av af к по od")
"""Small words in the middle of a name: "price per night"."""
_AS_THE_PAGE = word_set(
    """printed shown written displayed given listed stated seen is it they appears text angegeben geschrieben angezeigt
    affiché indiqué écrit mostrado escrito indicado mostrato scritto indicato getoond vermeld podano napisano"""
)
"""What stands behind "as" and is no name: "dates as printed"."""
_SEPARATORS = frozenset({",", ";", "、", "・", "·", "•", "|", "and", "\n", "+", "&", "/"})
_SPACED = frozenset({"/", "+", "&"})
_STRONG = frozenset({"|", ";"})
"""Separators of lists whose items have commas in them: "name | code, like 22-1 | date"."""
_CODE = re.compile(r"[A-Za-z]\w*", re.ASCII)
_BEFORE_NAMES = ARTICLES | word_set("me us my our your")
"""Words behind a verb of fetching: "list the price"."""
_BEHIND_SORT = word_set("by from to of on in as is up down alphabetical first last newest oldest")
"""Words behind one of an order: "sorted by", "order ascending"."""
_LAST_OF_NAMES = word_set("from to in on at by until up")
"""Words that end a name where a separator comes behind them: "price from, posted by"."""
_FULL = word_set("full complete whole entire")
"""Words for all of something, and for the whole of one thing: "full name"."""
_BEHIND_NAMES = frozenset({"(", ")", "[", "]", "=", ":", "as", "in"})
_PLACES = word_set("from on of at for per")
"""What the words behind a name begin with that say where it is from: "of every book". They stay unread."""
_WRITTEN = phrase("as|to|in|->|=>|→* an|one? csv|json|jsonl|F")
"""How the rows are to be written: no note of the last column."""
_SAID = re.compile(r",|as|in|=|is|:|exactly|without|like|only|yes|ja|oui|sí|si", re.IGNORECASE)
"""What the words behind a name begin with that say something of the column."""
_ARROWS = frozenset({"->", "=>", "→"})
_ELIDED = re.compile(r"(?:l|d|un|all|dell|nell)['’](?=\w)", re.IGNORECASE)
"""Articles of French and Italian that are written as one word with what follows: "l'année"."""
ITEMS_AT_MOST = 60
_LONG = 8
"""Items from which on a list is long."""
LISTS_AT_MOST = 2_000
PIECE_AT_MOST = 60
"""Tokens that are looked at behind the beginning of a name."""
_WORDS_AT_MOST = 7


@dataclass
class Item:
    """One column as it was read. `start` to `end` are the tokens that say it, `rest` how many behind them say what is
    not known."""

    name: str
    notes: list[str] = field(default_factory=list)
    joined: bool = False
    """Whether "and" comes before it."""
    tight: bool = False
    """Whether no blank is between it and the separator before it: a file's header, not a sentence."""
    words: tuple[str, ...] = ()
    code: str = ""
    """The name that the request gives it beside its words: "the release date (released)"."""
    behind: str = ""
    """What that name stands behind: "(", or "as", "=" or an arrow and the kind of its token."""
    quoted: bool = False
    lead: int = 0
    """Words before it: "give me the"."""
    start: int = 0
    end: int = 0
    rest: int = 0

    @property
    def several(self) -> bool:
        """Whether the name was made of several words."""
        return len(self.words) > 1 and not self.code

    @property
    def typed(self) -> bool:
        """Whether a type is said of it."""
        notes = map(read_note, self.notes)
        return any(note.type is not None or note.numeric for note in notes)


@dataclass(frozen=True)
class Listed:
    """A list: its items, the separators between them, and where the piece of the last one ends. `codes` and `whole`
    say how names were read."""

    items: tuple[Item, ...]
    separators: tuple[str, ...]
    stop: int
    codes: bool = False
    whole: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(item.name for item in self.items)

    @property
    def start(self) -> int:
        return self.items[0].start - self.items[0].lead

    @property
    def end(self) -> int:
        return self.items[-1].end


def lists(tokens: Tokens) -> Iterator[Listed]:
    """Every list that can be read, with all that begin as it does; each way to read its names once. Of a long list
    those are left out that begin further on in it: the time is that of the text's length."""
    covered = count = 0
    for start, token in enumerate(tokens.all):
        if token.kind not in "WQ" or token.depth > 2:
            continue
        if start < covered and _separates(tokens, start - 1):
            continue
        seen: set[tuple[tuple[str, ...], int]] = set()
        for codes, whole in ((False, False), (False, True), (True, False), (True, True)):
            for found in _lists_from(tokens, start, codes=codes, whole=whole):
                if len(found.items) >= _LONG:
                    covered = max(covered, found.stop)
                if (found.names, found.stop) not in seen and count < LISTS_AT_MOST:
                    seen.add((found.names, found.stop))
                    count += 1
                    yield found
        if count >= LISTS_AT_MOST:
            return


def _lists_from(tokens: Tokens, start: int, *, codes: bool, whole: bool) -> Iterator[Listed]:
    size, depth, n = len(tokens.all), tokens.all[start].depth, start
    items: list[Item] = []
    separators: list[str] = []
    while n < size and len(items) < ITEMS_AT_MOST:
        commas = not (separators and separators[0] in _STRONG)
        stop = piece_end(tokens, n, depth, commas=commas)
        item = read_item(tokens, n, stop, codes=codes, whole=whole, inner=bool(items)) if stop > n else None
        if item is not None and _slash(tokens, stop) and item.start + 1 < stop:
            # A slash without blanks separates single words alone: "date as DD/MM/YYYY" is one column.
            stop = piece_end(tokens, n, depth, commas=commas, slashes=False)
            item = read_item(tokens, n, stop, codes=codes, whole=whole, inner=bool(items))
        if item is None or item.name.lower() in {one.name.lower() for one in items}:
            return
        item.joined = bool(separators) and tokens.all[n - 1].kind == "W"
        item.tight = bool(separators) and tokens.all[n - 1].end == tokens.all[n].start
        items.append(item)
        yield Listed(tuple(items), tuple(separators), stop, codes, whole)
        n, marks = after_separators(tokens, stop, depth)
        if n < size and not marks and tokens.all[n].kind == "Q" == tokens.all[start].kind and n == stop:
            marks = ["quoted"]
        if not marks or n >= size or tokens.all[n].kind not in "WQ" or tokens.all[n].depth != depth:
            return
        separators.append(next((mark for mark in marks if mark != "and"), "and"))


def after_separators(tokens: Tokens, n: int, depth: int) -> tuple[int, list[str]]:
    """The token after the separators that stand there, and these."""
    marks: list[str] = []
    while n < len(tokens.all) and not _is_hard(tokens, n, depth) and _separates(tokens, n):
        marks.append("and" if tokens.all[n].kind == "W" else tokens.all[n].word)
        n += 1
    return n, marks


def _separates(tokens: Tokens, n: int) -> bool:
    token = tokens.all[n]
    if token.word in _SPACED:
        before, after = tokens.raw[max(token.start - 1, 0)], tokens.raw[token.end : token.end + 1]
        spaced = before.isspace() and after.isspace()
        return spaced or (token.word == "/" and any(_slash(tokens, at) for at in (n - 2, n + 2)) and _slash(tokens, n))
    return token.word in _SEPARATORS


def _slash(tokens: Tokens, n: int) -> bool:
    """Whether it stands between two words without a blank: two of them are in "name/price/stock"."""
    if not 0 < n < len(tokens.all) - 1 or tokens.all[n].word != "/":
        return False
    before, slash, after = tokens.all[n - 1 : n + 2]
    return before.kind == after.kind == "W" and before.end == slash.start and slash.end == after.start


def _is_hard(tokens: Tokens, n: int, depth: int) -> bool:
    """Whether no list goes on behind a token: an address, the end of a sentence or of a bracket."""
    token = tokens.all[n]
    ends = tokens.ends_sentence(n) and token.word != "\n"
    return token.kind == "U" or token.depth < depth or (token.depth == depth > 0 and token.word in ")]}") or ends


def piece_end(tokens: Tokens, n: int, depth: int, *, commas: bool = True, slashes: bool = True) -> int:
    """Where the piece that begins here ends, or is too long to go on. `commas`, `slashes` (those without blanks): they
    separate pieces, too."""
    first = n
    while n < min(len(tokens.all), first + PIECE_AT_MOST) and not _is_hard(tokens, n, depth):
        token = tokens.all[n]
        ends = _separates(tokens, n) and (commas or token.word != ",") and (slashes or not _slash(tokens, n))
        if token.depth == depth and (ends or (n > first and token.kind == "Q" == tokens.all[first].kind)):
            break
        n = tokens.closes.get(n, n) + 1
    return n


def small_words(tokens: Tokens) -> frozenset[str]:
    """Words that say nothing, in English and in the request's language."""
    return SMALL["en"] | SMALL.get(tokens.language, frozenset())


def read_item(tokens: Tokens, n: int, stop: int, *, codes: bool, whole: bool, inner: bool) -> Item | None:
    """The name that a piece begins with, and what is said of it; None where it begins with none.

    `codes`: a single word in brackets, or behind "as", is the name itself. `whole`: all words of the piece are its
    name, else it ends with a small word. `inner`: another item comes before it.
    """
    small = small_words(tokens)
    first = n
    while n + 1 < stop and _leads(tokens, n, small, inner=inner):
        n += 1
    start = n
    if _starts_clause(tokens, n, stop):
        return None
    if tokens.all[n].text.lower() in _WHETHER and n + 1 < stop:
        return _read_question(tokens, first, n, stop, codes=codes)
    words = re.findall(r"\w+", unquoted(tokens.all[n])) if tokens.all[n].kind == "Q" else []
    if words:
        n += 1
    while n < stop and len(words) < _WORDS_AT_MOST and tokens.all[start].kind == "W":
        if not _goes_on(tokens, n, words, small, whole=whole):
            break
        found = re.findall(r"\w+", tokens.all[n].text if words else _ELIDED.sub("", tokens.all[n].text, 1))
        if words and found and tokens.all[n - 1].end == tokens.all[n].start:
            found[0] = words.pop() + found[0]  # of two scripts
        words += found
        n += 1
    while len(words) > 1 and words[-1].lower() in _INSIDE and not (whole and n == stop):
        words.pop()
        n -= 1
    if not words or (tokens.all[start].kind != "Q" and not any(char.isalpha() for word in words for char in word)):
        return None
    quoted = tokens.all[start].kind == "Q"
    one = "_".join(words).lower() if n - start > 1 or len(words) > 1 else _ELIDED.sub("", tokens.all[start].text, 1)
    name = unquoted(tokens.all[start]) if quoted else one
    item = Item(name, words=tuple(words), quoted=quoted, lead=start - first, start=start, end=n)
    _read_rest(tokens, item, stop, codes=codes)
    return item


_WHETHER = word_set("whether ob czy")
_ARE = word_set(
    "is are was were be been has have had does do can it's there's they're ist sind war hat haben jest są ma"
)
_NOBODY = word_set("it they there that this he she these those es er sie to")
_MEANWHILE = word_set("still also already even currently ever any some noch auch schon")


def _read_question(tokens: Tokens, first: int, n: int, stop: int, *, codes: bool) -> Item | None:
    """The column of a question, by what it asks: in_stock for "whether it is in stock", hearing_loop for "whether there
    is a hearing loop", prescription_needed for "whether a prescription is needed"."""
    last = next((at for at in range(n, stop) if tokens.all[at].kind != "W"), stop)
    said = [token.text.lower().replace("’", "'") for token in tokens.all[n + 1 : last]]
    verb = next((at for at, word in enumerate(said) if word in _ARE), -1)
    subject, asked = said[: max(verb, 0)], said[verb + 1 :]
    kept = [*subject, *asked] if subject[:1] in (["a"], ["an"]) or verb < 0 else asked
    no_names = {*ARTICLES, *_NOBODY, *_MEANWHILE, *_ARE}
    words = [part for word in kept if word not in no_names for part in re.findall(r"\w+", word)]
    if not 0 < len(words) <= _WORDS_AT_MOST:
        return None
    item = Item("_".join(words), ["true/false"], words=tuple(words), lead=n - first, start=n, end=last)
    _read_rest(tokens, item, stop, codes=codes)
    return item


def _starts_clause(tokens: Tokens, n: int, stop: int) -> bool:
    """Whether a piece says something else than a name: "sorted by", "only"."""
    token = tokens.all[n]
    if token.word not in _CLAUSE_STARTS or n + 1 >= stop or tokens.all[n + 1].word in _BEHIND_NAMES:
        return False
    words = list(takewhile(lambda other: other.kind == "W", tokens.all[n + 1 : stop]))
    return token.text.lower() not in CLAUSE_NOUNS or len(words) != 1 or words[0].word in _BEHIND_SORT


def _leads(tokens: Tokens, n: int, small: frozenset[str], *, inner: bool) -> bool:
    """Whether a word only leads to a name."""
    token, low, further = tokens.all[n], tokens.all[n].text.lower(), tokens.all[n + 1]
    if token.kind != "W" or token.word == "as" or further.word in _BEHIND_NAMES:
        return False
    if low.endswith(("'s", "’s")) and further.kind == "W" and n and tokens.all[n - 1].text.lower() in ARTICLES:
        return True  # "the bridge's name"
    noun = further.kind == "W" and further.word not in _BEHIND_SORT and further.text.lower() not in small
    if named_concepts(low) or (low in _FULL and noun):
        return False
    if inner and low in _IN_COMPOUNDS and further.text.lower() not in _BEFORE_NAMES:
        return False
    return low in ARTICLES or low in GIVE or low in small or token.word in {"all", "per", "and", "then"}


def _goes_on(tokens: Tokens, n: int, words: list[str], small: frozenset[str], *, whole: bool) -> bool:
    """Whether a name that has these words so far goes on with a token."""
    token, low = tokens.all[n], tokens.all[n].text.lower()
    if token.kind != "W":
        return False
    if not words:
        return True
    last = token.word in _LAST_OF_NAMES and n + 1 < len(tokens.all) and tokens.all[n + 1].word != "\n"
    noted = last and tokens.all[n + 1].word == "(" and token.word not in {"in", "on"}  # "salary in (USD)"
    if last and (noted or _separates(tokens, n + 1) or tokens.ends_sentence(n + 1)):
        return True
    if low in _ENDS_ANY or TYPE_NAMES.fullmatch(low) or date_format(token.text)[0] or token.word == "column":
        return False
    further = tokens.all[n + 1 : n + 2]
    after, behind = ({one.text.lower() for one in further}, {one.word for one in further})
    if token.word == "sort" and not behind.isdisjoint(_BEHIND_SORT):
        return False
    if (after == {"/"} and (low in YES or low in NO or low == "y")) or (low in small and EASTERN.search(low)):
        return False  # "pets allowed yes/no"
    if whole:
        return True
    of_all = not (after.isdisjoint(ARTICLES) and behind.isdisjoint({"all", "per", "this"}))
    if (token.word in NAME_ENDS and low not in _INSIDE) or (low in _INSIDE and of_all):
        return False  # "price of the lamp", "price of every lamp"
    return low not in small or low in _INSIDE or bool(concept_of(low))


def _read_rest(tokens: Tokens, item: Item, stop: int, *, codes: bool) -> None:
    """What comes behind a name in its piece: notes in brackets, a name of its own, words about it."""
    n = item.end
    stop = next((at for at in range(n, stop) if _WRITTEN.match(tokens.after(at, 3))), stop)
    named = next(
        (at for at in range(n + 1, stop - 1) if tokens.all[at].word == "as" and _is_code(tokens, at + 1)), None
    )
    if named is not None and not item.code:  # "the number of songs in it as song_count"
        _read_rest(tokens, item, named, codes=codes)
        _call(item, tokens, named)
        n = item.end
    while n < stop:
        token = tokens.all[n]
        if token.word in {"(", "["} and n in tokens.closes:
            note = tokens.said(n + 1, tokens.closes[n])
            given = note.lstrip(" \"'“”`")
            head = re.split(r"[,;:—–]| - ", given)[0].strip(" \"'“”`")
            called_so = _CALLED.fullmatch(note.strip())
            if called_so is not None and called_so[1].lower() not in _AS_THE_PAGE:
                given = head = called_so[1]
                codes = True
            if not item.code and "_" not in item.words[0] and (codes or "_" in head) and _is_name(head):
                item.name, item.code, item.behind = head, head, "("
                item.rest = 0  # the words before it say what it is
                note = " ".join((*item.words, given[len(head) :].lstrip(" ,;:\"'”`")))
            if note.strip():
                item.notes.append(note.strip())
            n = tokens.closes[n] + 1
            item.end = n if not item.rest else item.end
            continue
        after = tokens.all[n + 1] if n + 1 < stop else None
        called = codes and not item.code and token.word in {"as", "=", *_ARROWS}
        as_shown = token.word == "as" and after is not None and after.text.lower() in _AS_THE_PAGE
        if called and after is not None and after.kind in "WQ" and not as_shown and _is_name(unquoted(after)):
            _call(item, tokens, n)
            n = item.end
            continue
        if token.word in _PLACES and not item.rest:
            return
        until = next((at for at in range(n, stop) if tokens.all[at].word in {"(", "["} and at in tokens.closes), stop)
        said = tokens.said(n, until)
        if not item.rest and len(said) <= 120 and (_SAID.fullmatch(token.text) or _is_understood(said)):
            item.notes.append(said.lstrip(",: ="))
            n = item.end = until
        else:
            item.rest += 1
            n += 1


def _is_code(tokens: Tokens, n: int) -> bool:
    """Whether a word is written as names in programs are."""
    return tokens.all[n].kind in "WQ" and "_" in tokens.all[n].text and _is_name(unquoted(tokens.all[n]))


def _call(item: Item, tokens: Tokens, n: int) -> None:
    """Gives an item the name that is behind a token: "as", an arrow."""
    item.notes.append(" ".join(item.words))
    item.name = item.code = unquoted(tokens.all[n + 1])
    item.behind = f"{tokens.all[n].word} {tokens.all[n + 1].kind}"
    item.end = n + 2
    item.rest = 0


_CALLED = re.compile(r"(?:as|called|named|come|als|comme|como|jako)\s+[\"'“«]?([A-Za-z]\w*)[\"'”»]?", re.ASCII)
"""The name of a column in brackets behind what it is: (as "period")."""


def _is_understood(said: str) -> bool:
    """Whether words say something of a column that is understood."""
    return read_note(said) != Note(rest=said.lower().strip(" .:="))


def _is_name(text: str) -> bool:
    """Whether what is in brackets can be a name: one word in Latin letters that is no type and no form of a date."""
    return bool(_CODE.fullmatch(text)) and read_note(text).type is None and not date_format(text)[0]


def plural(name: str) -> bool:
    """ "titles and prices": a way to speak of the columns title and price, or their names? Nobody can tell."""
    concept = concept_of(name[:-1]) if name.endswith("s") else ""
    return TYPES.get(concept, "int") != "int" and concept not in {"tags", "status", "other", "code"}
