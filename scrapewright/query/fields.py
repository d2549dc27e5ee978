"""What columns are called and what is said of them, read once.

In: the columns of a reading. Out: its fields, the words of each with all that they say of its place and its values, and
the fields that sort keys and conditions need beside them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache

import msgspec
from msgspec.structs import replace

from scrapewright.query.column_types import guessed_type, likely_types, type_of_name
from scrapewright.query.lexicon import ALL_SMALL, concepts, concepts_of, fold, tokens, weak, word_set
from scrapewright.query.notes import read_note, shows_as_written, signs_of_type
from scrapewright.query.numerals import names_scale
from scrapewright.query.reading import Column, Field, Reading

_NUMBERED = re.compile(r"(.*\D)(\d)").fullmatch


@lru_cache(maxsize=64)
def fields_of(columns: tuple[Column, ...]) -> tuple[Field, ...]:
    """Each column's Field, in order."""
    stems = {column: (match[1].casefold(), int(match[2])) for column in columns if (match := _NUMBERED(column.name))}
    found = []
    for column in columns:
        field, (stem, number) = field_of(column), stems.get(column, ("", 0))
        numbers = [other for like, other in stems.values() if like == stem]
        if number and sorted(numbers) == list(range(1, len(numbers) + 1)) != [1]:
            field = replace(field, nth=(number, len(numbers)))
        found.append(field)
    return tuple(found)


@lru_cache(maxsize=2000)
def field_of(column: Column) -> Field:
    """What a column's name and note say of it."""
    note, said = read_note(column.note), signs_of_type(column.note)
    guess = note.type or guessed_type(column.name, said)
    guess = "float" if note.numeric and guess == "text" and not note.type else guess
    shown = shows_as_written(column.note) and guess not in {"url", "list"}
    if shown:
        guess = "text"
    return Field(
        name=column.name,
        type=column.type or guess,
        kinds=() if column.type or note.type or shown else likely_types(column.name, said),
        words=_words_of(column.name, note.rest),
        note=column.note,
        optional=note.optional,
        typed=column.type is not None,
        absolute=note.absolute,
        date_format=column.format or (note.format if column.type in (None, "date", "datetime") else ""),
    )


def _words_of(name: str, rest: str) -> tuple[str, ...]:
    """The words of the name, and those of short remarks beside it: what the page may call the field."""
    words = list(tokens(name))
    for part in rest.split(","):
        found = re.findall(r"[^\W\d_]{2,}", part.lower())
        if 0 < len(found) <= 3:
            words += [w for w in found if w not in ALL_SMALL and w not in words and len(set(w)) > 1]
    return tuple(words[:12])


# Fields that keys and conditions need.


def needed(query: Reading, fields: Sequence[Field]) -> tuple[Field, ...]:
    """The fields for sort keys and conditions that none of `fields` is, each once: "the 3 cheapest books: title" needs
    the price."""
    found: dict[str, Field] = {}
    names = [order.field for order in query.order]
    names += [wanted.field for wanted in query.filters if wanted.on_column]
    for name in names:
        if name in found or _same_field(name, fields):
            continue
        kind = type_of_name(name)
        if kind == "text" and any(w.field == name and w.op in ("lt", "le", "gt", "ge") for w in query.filters):
            kind = "float"
        found[name] = Field(name=name, type=kind, words=Field(name).said.words, optional=True)
    return tuple(found.values())


def resolved(query: Reading, fields: Sequence[Field]) -> Reading:
    """The request with its keys and conditions under the names of the columns that they mean."""
    return replace(
        query,
        order=tuple(replace(order, column=_same_field(order.column, fields) or order.column) for order in query.order),
        filters=tuple(
            replace(wanted, column=_same_field(wanted.column, fields) or wanted.column) if wanted.field else wanted
            for wanted in query.filters
        ),
    )


def _same_field(name: str, fields: Sequence[Field]) -> str:
    """The field of this name, else the only one that means the same; "" where there is none."""
    if any(field.name == name for field in fields):
        return name
    wanted = Field(name).said.meaning
    if wanted <= {"text"}:
        return ""
    alike = [field.name for field in fields if field.type not in ("url", "list") and wanted & field.said.meaning]
    return alike[0] if len(alike) == 1 else ""


# What a field's words say.

_PLAIN_NAMES = word_set("date datum fecha data price preis prix name title number link text one value column")
"""What is said of the column itself, and tells it from no other: "not the posted date"."""
_QUANTITY = word_set("number numbers num no nr nummer numero numer cislo szam zahl nombre")
"""What a note calls any quantity, and what a code is called too."""
_LINK_WORDS = frozenset(("absolute", "absolut", "absolu", "full", "page", "http", "https", "html", "www", "com"))
_ATTRIBUTES = {
    name: re.compile(
        rf"\b(?:link|links|bild|image|attribut\w*|tag|{said})\b[ -]*(?:{said})\b|\b(?:{said}) attribut"
    )
    for name, said in {
        "title": "title|tooltip", "alt": "alt", "content": "meta|content", "datetime": "datetime", "aria-label": "aria",
    }.items()
}  # fmt: skip
_HEADING = re.compile(
    r"\b(?:heading|headline|section|box|listed under|grouped|uberschrift|abschnitt|rubrik|gruppe|encabezado"
    r"|seccion|intestazione|sezione|kop|sectie|naglowek|sekcja|nadpis|заголовок раздела|раздел\w*|baslik)\b"
    r"|見出し"
)
_NOT = re.compile(
    r"\b(?:not|nicht|sondern|ni|pas|non|niet|не)\b(?: the| der| die| das| den)?((?: [^\W\d_]+){1,3})", re.I
)
_UNQUOTED = re.compile(
    r"(?i)without (?:the )?quot|ohne (?:die )?anf|sans (?:les )?guillemets|sin (?:las )?comillas"
    r"|senza (?:le )?virgolette|без кавычек|不[带帶含](?:书名号|書名號|引号|引號)|(?:かっこ|カッコ|括弧)(?:なし|を除)"
)
_LEFT_OFF = re.compile(
    r"(?i)\b(?:without|ohne|sans|sin|senza|zonder|bez|без)(?: [^\W\d_]+){0,2} [\"“„«']([^\"”“»']{1,30})[\"”“»']"
)
_MARKS_OFF = re.compile(
    r"(?i)\b(?:without|ohne|sans|sin|senza|zonder|bez)(?: (?:the|any|die|les?|las?|los))?"
    r" (?:foot ?notes?|notes?|references?|citations?|fußnoten?|notas?|note)\b"
)
"""What hangs on a text and is no part of it, wherever it ends."""
_PART = re.compile(r"\b(part|after|before|behind|without|teil|nach|vor|ohne|avant|après|partie|sans)\b")
_SUCH_AS = re.compile(
    r"(?:such as|like|e\.g\.|z\. ?B\.|(?<!\w)(?:ex|es|ej|eks)\.|par exemple|por ejemplo|bijv\.|np\.|např\."
    r"|напр\.|например|例如|例えば)"
    r":?\s+([^\s,;)\"“]{2,40})"
)
_FORM = re.compile(r"(?<![\w-])(?:(?:YYYY|JJJJ|AAAA|MM|DD|TT|JJ|HH|hh|mm|ss|SS)[/.:-]?){2,6}(?![\w-])")
"""A moment's form, such as MM/YYYY: its example is "11/1111"."""
_NUMBER_FOR = re.compile(r"(?<![\w.])(\d+)\b[^\d\"“„«「']{0,40}[\"“„«「']([^\"”“»」']{2,30})[\"”“»」']")
_SAYS = re.compile(
    r"(?<![\w.])(\d+) (?:for|when it says|if it says|where it says|bei|für|pour|para|per|voor)"
    r" (?!(?:no|none|missing|absent|empty|blank|unknown|the|those|all|each|rows|job|any|keine?|fehlende|leere?)\b)"
    r"([^\W\d_]{1,20}(?: [^\W\d_]{1,20}){0,3})\s*(?=$|[,;])"
)
_ELSE = re.compile(
    r"(?<![\w.])(\d+)\b(?! (?:or|to|oder|bis)\b)[^\d\"“„«,;]{0,12}"
    r"\b(?:if|when|where|for|wenn|falls|bei|si|se|cuando|quand|als|gdy|pokud|если|при)\b[^\d\"“„«,;]{0,30}"
    r"\b(?:no|none|missing|absent|empty|blank|without|not|isn't|aren't|keine?r?|fehlt|leer|nicht|aucune?|absente?|pas"
    r"|no hay|ningun\w*|falta|manca|nessun\w*|non|geen|ontbreekt|brak|nie|chybí|нет|отсутств\w*)(?!\w)"
    r"|(?:else|otherwise|default(?:s|ing)?(?: to| is)?|sonst|sinon|si no|altrimenti|anders|иначе)\s+(\d+)\b",
    re.IGNORECASE,
)
_MINUTES = re.compile(r"minut|\bmin\b|perc|分|분")
_SECONDS = re.compile(r"\b(?:secs?|seconds|sekunden|secondes|segundos|secondi|seconden|sekund\w*)\b|секунд|秒|초")
_OTHER_UNITS = frozenset(("hour", "hours", "sec", "secs", "seconds", "days"))
_FIRST_ONLY = re.compile(
    r"(?:only|just)\b.{0,20}\bfirst|\bfirst\b.{0,20}\bonly|nur\b.{0,20}\berste|(?:que|seulement|uniquement)\b.{0,25}\bpremi"
    r"|(?:s[oó]lo|solo|solamente|apenas|só)\b.{0,25}\bprim|alleen\b.{0,20}\beerste|tylko\b.{0,20}\bpierwsz|jen\b.{0,20}\bprvn"
    r"|только\b.{0,20}\bперв|最初.{0,12}だけ|只在第一|첫",
    re.IGNORECASE,
)


class Said(msgspec.Struct, frozen=True, dict=True):
    """All that the name and the note of a field say, each found when it is first asked for."""

    field: Field

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of its name."""
        return tokens(self.field.name)

    @cached_property
    def note(self) -> tuple[str, ...]:
        return tokens(self.field.note)

    @cached_property
    def folded(self) -> str:
        """Its note, as texts are compared."""
        return fold(self.field.note)

    @cached_property
    def called(self) -> tuple[str, ...]:
        """The words that the page may have for it."""
        return tuple(word for phrase in self.field.words for word in tokens(phrase))

    @cached_property
    def all(self) -> frozenset[str]:
        """Every word that the request has for it."""
        return frozenset((*self.words, *self.note, *self.called))

    @cached_property
    def beside(self) -> tuple[str, ...]:
        """What it may be called beside its name."""
        return tuple(word for word in self.called if word not in self.words and not weak(word))

    @cached_property
    def noted(self) -> tuple[str, ...]:
        """The words of the note that tell something."""
        return tuple(word for word in self.note if not weak(word) and len(word) > 2)

    @cached_property
    def concepts(self) -> frozenset[str]:
        """What the words of its name mean, each by itself."""
        return frozenset().union(*map(concepts, self.words))

    @cached_property
    def meaning(self) -> frozenset[str]:
        """What they mean by themselves and together."""
        return concepts_of(self.words)

    @cached_property
    def constant(self) -> str:
        """Its name as a constant of a program is called, empty where it can't be."""
        constant = re.sub(r"\W+", "_", fold(self.field.name)).strip("_").upper()
        return constant if constant.isidentifier() and constant.isascii() else ""

    @cached_property
    def is_title(self) -> bool:
        """Whether every word of its name means a title."""
        return all("title" in concepts(word) for word in self.words)

    @cached_property
    def is_plain_link(self) -> bool:
        """Whether it is "url" or "link" and nothing more: the record's own page."""
        return all("url" in concepts(word) or word in ("absolute", "full", "page") for word in self.words)

    @cached_property
    def takes_codes(self) -> bool:
        """A token picked by its shape is no quantity, unless the request calls the quantity a code or a number."""
        if self.field.type not in ("int", "float"):
            return True
        beside = (word for word in (*self.note, *self.called) if word not in _QUANTITY)
        return any(concepts(word) & {"code", "rank"} for word in (*self.words, *beside))

    @cached_property
    def in_address(self) -> frozenset[str]:
        """The words that an address has that is asked for by them: "download_url of the zip"."""
        said = {word for word in (*self.words, *self.note) if len(word) > 2 and not weak(word)}
        return frozenset(word for word in said if not concepts(word) & {"url"}) - _LINK_WORDS

    # of the place

    @cached_property
    def place(self) -> frozenset[str]:
        """Words and marks that can say which part of a text is meant: "the part before the dash"."""
        return frozenset((*self.note, *re.findall(r"[-–—|:/,·»>(#@]", self.field.note)))

    @cached_property
    def asks_part(self) -> bool:
        return _PART.search(_MARKS_OFF.sub("", self.field.note).lower()) is not None

    @cached_property
    def marks_off(self) -> bool:
        """Whether it is wanted without what hangs on a text."""
        return _MARKS_OFF.search(self.field.note) is not None

    @cached_property
    def unquoted(self) -> bool:
        return _UNQUOTED.search(self.field.note) is not None

    @cached_property
    def left_off(self) -> tuple[str, ...]:
        """What the note quotes as to be left off: (without "No.")."""
        return tuple(fold(match[1]).strip() for match in _LEFT_OFF.finditer(self.field.note))

    @cached_property
    def attributes(self) -> frozenset[str]:
        """The attributes that the note names."""
        return frozenset(name for name, said in _ATTRIBUTES.items() if said.search(self.folded))

    @cached_property
    def under_heading(self) -> bool:
        """Whether its name or note speaks of a heading."""
        return _HEADING.search(fold(" ".join((self.field.name, self.field.note)))) is not None

    @cached_property
    def notes_heading(self) -> bool:
        return _HEADING.search(self.folded) is not None

    @cached_property
    def denied(self) -> tuple[tuple[str, ...], ...]:
        """What the place is not called: the words behind each "not"."""
        own = {*_PLAIN_NAMES, *self.words}
        found = (tokens(match[1]) for match in _NOT.finditer(self.field.note))
        return tuple(tuple(word for word in words if not weak(word) and word not in own) for words in found)

    @cached_property
    def first_only(self) -> bool:
        """Whether it is only said in the first of several records."""
        return _FIRST_ONLY.search(self.field.note) is not None

    # of the values

    @cached_property
    def examples(self) -> tuple[str, ...]:
        """Values that the request itself quotes: (e.g. "Nr. 17/3"), such as AB123."""
        note = self.field.note
        found = re.findall(r"[\"“„«「『]([^\"”“»」』]{2,60})[\"”“»」』]", note)
        found += [match[1] for match in _SUCH_AS.finditer(note)]
        if self.field.type == "text":
            found += [re.sub(r"[^\W\d_]", "1", form[0]) for form in _FORM.finditer(note)]
        return tuple(text for text in dict.fromkeys(found) if not re.fullmatch(r"[YMDHSymdhs\W]+", text))

    @cached_property
    def number_word(self) -> tuple[str, int] | None:
        """A word of the page and the number that the request gives for it, as in: 0 where it says "none yet"."""
        found = _NUMBER_FOR.search(self.field.note) or _SAYS.search(self.field.note)
        return (found[2], int(found[1])) if found else None

    @cached_property
    def default(self) -> int | None:
        """The number that the request gives for records without a value: "0 if there are none", "else 0"."""
        found = _ELSE.search(self.field.note) if self.field.type in ("int", "float") else None
        return int(found[1] or found[2]) if found else None

    @cached_property
    def scaled(self) -> bool:
        """Whether a number is wanted in full, rather than in a unit that the request gives: "in millions"."""
        return not names_scale(self._text)

    @cached_property
    def in_minutes(self) -> bool:
        return _MINUTES.search(fold(self._text)) is not None

    @cached_property
    def in_seconds(self) -> bool:
        return _SECONDS.search(fold(" ".join((*self.words, self._text)))) is not None

    @cached_property
    def in_other_units(self) -> bool:
        """Whether a unit of time is said that is not the minute."""
        return not _OTHER_UNITS.isdisjoint((*self.words, *self.note))

    @property
    def _text(self) -> str:
        return " ".join((self.field.name, self.field.note, *self.field.words))
