"""What is said about a column beside its name: its type, how a date is written, that it may be missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from scrapewright.query.lexicon import TYPE_WORDS, named_concepts
from scrapewright.query.reading import FieldType


def _phrases(words: str) -> str:
    """A pattern of the phrases of the lexicon: any blanks between words, any ending for a star."""
    said = (re.escape(" ".join(phrase.split())) for phrase in words.split(","))
    return "|".join(one.replace(r"\*", r"\w*").replace(r"\ ", r"[\s-]") for one in said)


_ANYWHERE_RE: list[tuple[FieldType, re.Pattern[str]]] = [
    (kind, re.compile(rf"(?<![\w-])(?:{_phrases(words)})(?![\w-])")) for kind, words in TYPE_WORDS["anywhere"].items()
]
_ALONE_RE: list[tuple[FieldType, re.Pattern[str]]] = [
    (kind, re.compile(_phrases(words))) for kind, words in TYPE_WORDS["alone"].items()
]
_PLURAL = re.compile(
    r"(?<!\w)(?:ints|integers|floats|decimals|numbers|booleans|dates|datetimes|urls|links|strings|lists|ganzzahlen|zahlen"
    r"|entiers|enteros|interi|getallen)(?!\w)"
)
_NUMERIC = re.compile(rf"(?<!\w)(?:as )?(?:{_phrases(TYPE_WORDS['numeric']['words'])})(?!\w)")
_UNIT = re.compile(
    r"(?<!\w)(?:in|en|em|i|w|v|в)(?: (?:square|cubic|whole|full|us))*"
    rf" (?:{_phrases(TYPE_WORDS['unit']['words'])})(?!\w)"
)
_LEAD = re.compile(
    r"^(?:(?:as|in|is|an?|the|als|im|eine?|en|comme|como|come|un|una|une|jako|как|just|only|plain|в|формате|format|type"
    r"|of type|formatted as|form)(?!\w)[: ]*)+"
)
_ABSOLUTE = re.compile(r"(?<!\w)(?:absolut\w*|assolut\w*|full (?:url|link|address)|complete (?:url|link))(?!\w)")
_OPTIONAL = re.compile(
    r"(?<!\w)(?:optional\w*|op[cz]ional\w*|facultati\w+"
    r"|(?:may|can|could|might) be (?:missing|absent)|(?:none|missing|0|zero) (?:if|when|where|for|unless)"
    r"|(?:if|when|where) (?:any|available|present|given|there|shown|listed|possible)|(?:often|sometimes) missing"
    r"|(?:falls|wenn) (?:vorhanden|angegeben|verfügbar)|kann fehlen|si (?:disponible|présente?|hay|existe)"
    r"|se (?:presente|disponibile)|indien (?:aanwezig|beschikbaar)|если есть|jeśli jest|pokud je)(?!\w)"
)
_EMPTY = re.compile(
    r"(?<!\w)(?:empty|blank|null|leer|vide|vac[ií][oa]|vuot[oa]|leeg|pust[aey]|prázdn[éý]|пуст[оаы])"
    r"(?!\w| (?:más|del?|la|el)(?!\w))"
)
_NOT = re.compile(r"(?<!\w)(?:not|never|no|non|cannot|\w+n't|nicht|nie|pas|jamais|nunca|para)[ -](?:\w+[ -]){0,2}$")
"""What comes before a word for empty that says the contrary ("must not be empty"); "para leer" is to read."""
_AS_SHOWN = re.compile(r"(?<!\w)as (?:printed|shown|written|displayed|given|is)(?!\w)")

_LETTERS = ["YMD", "YMT", "JMT", "AMJ", "AMD", "AMG", "JMD", "RMD", "YAG", "ÅMD", "VKP", "ÉHN", "ГМД", "РМД", "ΕΜΗ"]
"""The letters of year, month and day, of a language each."""
_T = "HH:MM|ЧЧ:ММ|ГГ:ХХ|ΩΩ:ΛΛ|ÓÓ:PP"
"""Hours and minutes."""


def _forms() -> Iterator[re.Pattern[str]]:
    for letters in _LETTERS:
        y, m, d = f"(?P<Y>{letters[0]}{{4}})", f"(?P<M>{letters[1]}{{2}})", f"(?P<D>{letters[2]}{{2}})"
        for order in (
            f"{y}(?P<s>[-./ ]?){m}(?P=s){d}",
            f"{d}(?P<s>[-./ ]){m}(?P=s){y}",
            f"{m}(?P<s>[-./]){d}(?P=s){y}",
        ):
            time = rf"(?P<time>(?P<T>[ T])(?:{_T})(?P<S>:SS)?)?"
            yield re.compile(rf"(?<!\w)(?:{order}){time}(?!\w)", re.IGNORECASE)


_DATES = list(_forms())
_MONTH = re.compile(
    "|".join(
        rf"(?<![\w./-])(?:{letters[1]}{{2}}[./-]{letters[0]}{{4}}|{letters[0]}{{4}}[./-]{letters[1]}{{2}})(?![\w./-])"
        for letters in _LETTERS
    ),
    re.IGNORECASE,
)
"""A month of a year, which is no date."""
_YEAR_LETTERS = re.compile(r"([^\W\d_])\1{3}", re.IGNORECASE)
_TIME = re.compile(rf"(?<![\w:])(?:{_T})(?P<S>:SS)?(?![\w:])", re.IGNORECASE)
_STRFTIME = re.compile(r"%[dmYyHMSBbe](?:[-./: T]*%[dmYyHMSBbe])+")


class Note(msgspec.Struct, frozen=True):
    """What a note says. `type` None: it names none. `plural`: it names the type of several. `rest`: the other parts."""

    type: FieldType | None = None
    format: str = ""
    plural: bool = False
    optional: bool = False
    absolute: bool = False
    numeric: bool = False
    rest: str = ""


def date_format(text: str) -> tuple[FieldType | None, str]:
    """The type and the strftime pattern of a format that occurs in a text ("DD.MM.YYYY"); a time or a month alone is
    text."""
    if match := _STRFTIME.search(text):
        return ("datetime" if "%H" in match[0] else "date"), match[0]
    for pattern in _DATES if _YEAR_LETTERS.search(text) else ():
        if match := pattern.search(text):
            sep = match["s"]
            order = sorted((match.start(part), f"%{code}") for part, code in (("Y", "Y"), ("M", "m"), ("D", "d")))
            written = sep.join(code for _, code in order)
            if match["time"]:
                written += f"{match['T']}%H:%M{':%S' if match['S'] else ''}"
            return ("datetime" if match["time"] else "date"), written
    if _MONTH.search(text):
        return "text", ""
    if match := _TIME.search(text):
        return "text", "%H:%M:%S" if match["S"] else "%H:%M"
    return None, ""


def without_iso(kind: FieldType | None, written: str) -> str:
    """The pattern, empty where it is the ISO form of its type."""
    return "" if written == {"date": "%Y-%m-%d", "datetime": "%Y-%m-%dT%H:%M:%S"}.get(kind or "") else written


@lru_cache(maxsize=2000)
def read_note(text: str) -> Note:
    """What the words about a column say of it, in any order, with commas or semicolons between."""
    low = text.lower()
    kind, written = date_format(text)
    rest: list[str] = []
    for part in re.split(r"[,;]", low):
        bare = _LEAD.sub("", part.strip(" .:=\"'()"))
        said = next((k for k, p in _ALONE_RE if p.fullmatch(bare)), None)
        said = said or next((k for k, p in _ANYWHERE_RE if p.search(part)), None)
        kind = kind or said
        if not said and not _may_be_empty(part) and not date_format(part.upper())[0]:
            rest.append(part.strip(" .:="))
    return Note(
        type=kind,
        format=without_iso(kind, written),
        plural=bool(_PLURAL.search(low)),
        optional=_may_be_empty(low),
        absolute=bool(_ABSOLUTE.search(low)),
        numeric=bool(_NUMERIC.search(low) or _UNIT.search(low)),
        rest=", ".join(rest),
    )


def _may_be_empty(note: str) -> bool:
    empty = any(not _NOT.search(note[: match.start()]) for match in _EMPTY.finditer(note))
    return empty or _OPTIONAL.search(note) is not None


# What a name and a note suggest.


def named_link(name: str) -> bool:
    """Whether the name itself says that the column holds addresses: "pdf_url", "enlace"."""
    return named_concepts(name)[-1:] == ["url"]


def signs_of_type(text: str) -> str:
    """The words of a note, with one more for each thing about the type that can be said in many ways: "numeric" for
    "in kg"."""
    note = read_note(text)
    return " ".join((*["numeric"] * note.numeric, *["absolute"] * note.absolute, text))


def shows_as_written(text: str) -> bool:
    """Whether a note asks for the value as the page has it."""
    return _AS_SHOWN.search(text.lower()) is not None
