"""What a request and the values themselves say of the place of a field: a part of a text, an attribute, a heading,
examples such as AB123, what a telephone number looks like."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrapewright.programmers.rules.ops import Search, Trim
from scrapewright.programmers.rules.view import View, part
from scrapewright.programmers.rules.views import SIDES
from scrapewright.query.lexicon import concepts, fold, tokens, weak
from scrapewright.query.reading import Field
from scrapewright.survey.dom import word_set


def meanings(field: Field) -> frozenset[str]:
    """The concepts of the words of its name."""
    return frozenset().union(*(concepts(word) for word in tokens(field.name)))


def said_words(field: Field) -> set[str]:
    """All words that the request has for it."""
    return {word for text in (field.name, field.note, *field.words) for word in tokens(text)}


def place_score(field: Field, view: View) -> float:
    """Whether the request says that the value is this part of a text: "the part before the dash"."""
    words = {*tokens(field.note), *re.findall(r"[-–—|:/,·»>(#@]", field.note)}
    if view.place == ("quoted",):
        return 1.6 if _UNQUOTED.search(field.note) else 0.0
    if not view.place or view.place[0] == "example":
        if _leaves_out(field.note, view):
            return 1.5
        return -0.8 if _asks_part(field.note) else 0.0
    hits = [word for word in view.place if word in words]
    if view.place[0] in hits and "without" in hits and _MARKS_OFF.search(field.note):
        hits = []
    if "in" in hits and "parenthesis" in view.place and any(hit not in SIDES and hit != "in" for hit in hits):
        return 1.5
    if any(hit in SIDES for hit in hits):
        named = any(hit not in SIDES for hit in hits) or view.place[0] in SIDES
        return 1.5 if named else 0.3
    return 0.0


_ATTRIBUTES = {
    "title": "title|tooltip", "alt": "alt", "content": "meta|content", "datetime": "datetime", "aria-label": "aria",
}  # fmt: skip
HEADINGS = re.compile(
    r"\b(?:heading|headline|section|box|listed under|grouped|uberschrift|abschnitt|rubrik|gruppe|encabezado"
    r"|seccion|intestazione|sezione|kop|sectie|naglowek|sekcja|nadpis|заголовок раздела|раздел\w*|baslik)\b"
    r"|見出し"
)
_NOT = re.compile(
    r"\b(?:not|nicht|sondern|ni|pas|non|niet|не)\b(?: the| der| die| das| den)?((?: [^\W\d_]+){1,3})", re.I
)


def said_score(field: Field, view: View) -> float:
    """What the note says of the place: the attribute it is in, or the place that it is not."""
    total, said = 0.0, fold(field.note)
    known = _ATTRIBUTES.get(view.slot.attr)
    if known and re.search(
        rf"\b(?:link|links|bild|image|attribut\w*|tag|{known})\b[ -]*(?:{known})\b|\b(?:{known}) attribut", said
    ):
        total += 1.5
    if view.slot.above and HEADINGS.search(fold(" ".join((field.name, field.note)))):
        total += 1.2
    for match in _NOT.finditer(field.note):
        own = {*_PLAIN_NAMES, *tokens(field.name)}
        words = tuple(word for word in tokens(match[1]) if not weak(word) and word not in own)
        offered = {word for name in (*view.slot.names, view.slot.label, view.slot.header) for word in tokens(name)}
        if any(word in offered for word in words):
            total -= 1.5
    words_said = said_words(field)
    called = {word for name in (view.slot.label, *view.slot.names[:1]) for word in tokens(name)}
    if meanings(field) & {"author", "date"} and (_LATER & called) and not _LATER & words_said:
        total -= 0.9  # who posted last is not who began
    return total + _numbered(field, view)


def _numbered(field: Field, view: View) -> float:
    """Whether the place is that of several alike that the number in the column's name says: the second for team2."""
    number, count = field.nth
    index = view.slot.index
    if not number or view.slot.many or (index == 0 and number > 1):
        return 0.0
    at = index + 1 if index >= 0 else count + index + 1
    return (1.5 if index else 0.0) if at == number else -1.5


_PLAIN_NAMES = word_set("date datum fecha data price preis prix name title number link text one value column")
"""What is said of the column itself, and tells it from no other: "not the posted date"."""
_LATER = word_set("last latest letzter letzte letzten dernier derniere ultimo ultima laatste")


_UNQUOTED = re.compile(
    r"(?i)without (?:the )?quot|ohne (?:die )?anf|sans (?:les )?guillemets|sin (?:las )?comillas"
    r"|senza (?:le )?virgolette|без кавычек|不[带帶含](?:书名号|書名號|引号|引號)|(?:かっこ|カッコ|括弧)(?:なし|を除)"
)
_LEFT_OFF = re.compile(
    r"(?i)\b(?:without|ohne|sans|sin|senza|zonder|bez|без)(?: [^\W\d_]+){0,2} [\"“„«']([^\"”“»']{1,30})[\"”“»']"
)


def _leaves_out(note: str, view: View) -> bool:
    """Whether the part is what the note quotes as to be left off: (without "No.")."""
    cut = view.ops[0] if view.ops and isinstance(view.ops[0], Trim) else None
    quoted = [fold(match[1]).strip() for match in _LEFT_OFF.finditer(note)]
    return cut is not None and any(fold(edge).strip() in quoted for edge in (cut.prefix, cut.suffix) if edge.strip())


_MARKS_OFF = re.compile(
    r"(?i)\b(?:without|ohne|sans|sin|senza|zonder|bez)(?: (?:the|any|die|les?|las?|los))?"
    r" (?:foot ?notes?|notes?|references?|citations?|fußnoten?|notas?|note)\b"
)
"""What hangs on a text and is no part of it, wherever it ends."""


def _asks_part(note: str) -> bool:
    note = _MARKS_OFF.sub("", note)
    return bool(
        re.search(r"\b(part|after|before|behind|without|teil|nach|vor|ohne|avant|après|partie|sans)\b", note.lower())
    )


_SUCH_AS = re.compile(
    r"(?:such as|like|e\.g\.|z\. ?B\.|(?<!\w)(?:ex|es|ej|eks)\.|par exemple|por ejemplo|bijv\.|np\.|např\."
    r"|напр\.|например|例如|例えば)"
    r":?\s+([^\s,;)\"“]{2,40})"
)
_FORM = re.compile(r"(?<![\w-])(?:(?:YYYY|JJJJ|AAAA|MM|DD|TT|JJ|HH|hh|mm|ss|SS)[/.:-]?){2,6}(?![\w-])")
"""A moment's form, such as MM/YYYY: its example is "11/1111"."""


def examples(field: Field) -> tuple[str, ...]:
    """Values that the request itself quotes: (e.g. "Nr. 17/3"), such as AB123."""
    found = re.findall(r"[\"“„«「『]([^\"”“»」』]{2,60})[\"”“»」』]", field.note)
    found += [match[1] for match in _SUCH_AS.finditer(field.note)]
    found += [re.sub(r"[^\W\d_]", "1", form[0]) for form in _FORM.finditer(field.note)] if field.type == "text" else []
    return tuple(text for text in dict.fromkeys(found) if not re.fullmatch(r"[YMDHSymdhs\W]+", text))


def shape(text: str) -> str:
    """A text's outline: "2026 KV 40" and "2024 KV 7" have the same."""
    text = re.sub(r"\d+", "9", text)
    text = re.sub(r"[^\W\d_]*[a-zà-ÿа-я][^\W\d_]*", "a", text)
    text = re.sub(r"[A-Z]+", "A", text)
    return re.sub(r"(a[ ,.'&-]*)+", "a", text)


def example_score(field: Field, view: View) -> float:
    """1.0 and more where a value is one that the request quotes, up to 0.6 where values look like it.

    Negative where none do.
    """
    if field.type != "text":
        return 0.0
    quoted = examples(field)
    if not quoted:
        return 0.0
    texts = view.texts
    if any(text == example for example in quoted for text in texts):
        return 1.0 if any(c.isdigit() for c in "".join(quoted)) else 1.5
    shapes = {shape(example) for example in quoted}
    like = view.share(lambda text: shape(text) in shapes) if texts else 0.0
    return 0.6 * like if like > 0.3 else -0.2


def exemplified(fields: Sequence[Field], offered: list[View]) -> list[View]:
    """Parts that look like the examples in the request: such as AB123, e.g. "Nr. 17/3"."""
    found = []
    for field in fields:
        if field.type != "text":
            continue
        for example in examples(field):
            found += [one for view in offered if not view.ops for one in like_example(view, example, field.name)]
    return found


def like_example(whole: View, example: str, name: str) -> list[View]:
    """The part of a text that has an example's shape: its letters, and digits where it has digits; none for an example
    without digits."""
    if whole.slot.many or not re.search(r"\d", example):
        return []
    pattern = re.sub(r"\d+", r"\\d+", re.escape(example).replace("\\ ", " ").replace("\\-", "-"))
    for shaped in (pattern, re.sub(r"(?<![^\W\d_])[A-Z]+(?![^\W\d_])", "[A-Z]+", pattern)):
        hits = sum(re.search(shaped, text) is not None for text in whole.texts)
        if hits >= 0.6 * len(whole.texts) and any(not re.fullmatch(shaped, text) for text in whole.texts):
            optional = hits < len(whole.texts)
            return part(whole, [Search(shaped, 0, optional)], 0.2, names=(name,), place=("example", name))
    return []


_MAIL = re.compile(r"[\w.+-]+(?:@|\s?\[at\]\s?)[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"\+?\(?\d[\d\s()/.–-]{5,22}\d(?:\s?(?:x|ext\.?)\s?\d+)?")
_NUMERALS = re.compile(r"[\d\s.,]+")


def look(field: Field, view: View) -> float:
    """How much the values speak for a text field, or against it; 0.0 for fields whose values have no look."""
    if field.type != "text":
        return 0.0
    wants = meanings(field)
    if "email" in wants:
        return 2.2 * view.share(_MAIL.fullmatch) - 0.8 * (1.0 - view.share(_MAIL.search))
    if "phone" in wants:
        return view.share(_PHONE.fullmatch) - 1.2 * view.share(_too_short)
    return -1.5 * view.share(_NUMERALS.fullmatch) if "address" in wants else 0.0


def _too_short(text: str) -> bool:
    return sum(char.isdigit() for char in text) < 5
