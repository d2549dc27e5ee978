"""Which of the phrases that were not understood bear on which rows are right, and which are mere words around it.

A number, a superlative, a condition, a part of the page, or something to be done with the rows: as long as one of
these was not read, rows can look right and be the wrong ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from scrapewright.query.model import Doubt, Query
from scrapewright.query.pattern import Pattern
from scrapewright.query.superlatives import is_superlative
from scrapewright.query.text import URL, Text
from scrapewright.query.unread import KNOWN, Unread

_ONLY = (
    r"only|solely|exclusively|nothing but|nur|ausschließlich|lediglich|seulement|uniquement|solo|sólo|solamente"
    r"|únicamente|soltanto|solamente|alleen|enkel|apenas|somente|só|tylko|wyłącznie|pouze|jen|jenom|только|лишь|sadece"
    r"|yalnızca|csak|kizárólag|endast|bara|kun|doar|numai|лише|тільки"
)
_WHICH = (
    r"where|whose|provided|unless|if|dessen|deren|bei denen|in denen|sofern|falls|wenn|dont|où|si|cuy[oa]s?|donde"
    r"|il cui"
    r"|la cui|i cui|le cui|dove|se|waarvan|waarbij|mits|als|cuj[oa]s?|onde|których|którego|której|jeśli|jejichž|kde"
    r"|pokud|у которых|которы[хейм]\w*|если|где|amelyek\w*|ahol|ha"
)
_BOUND = (
    r"under|over|above|below|beneath|between|beyond|less than|more than|fewer than|at least|at most|before|after"
    r"|since|until|older than|newer than|not|excluding|without|except|matching|starting with|ending (?:with|in|on)"
    r"|beginning"
    r" with|tagged|marked|labell?ed|über|unter|zwischen|mindestens|höchstens|vor|nach|seit|bis|nicht|keine[nrs]?"
    r"|moins de|plus de|entre|avant|après|depuis|sans|menos de|más de|antes de|después de|desde|hasta|sin|meno di"
    r"|più di|tra|prima di|dopo|senza|minder dan|meer dan|tussen|zonder|voor|poniżej|powyżej|między|przed|po|bez"
    r"|méně než|více než|mezi|před|меньше|больше|между|до|после|без|не"
)
_WITH = r"with|having|mit|avec|con|met|com|z|ze|s|se|с|со|med|cu"
_AFTER_NOUN = (
    r"by|about|in|near|around|regarding|concerning|made (?:by|in|of)|written by|über|von|aus|sur|à|en|par"
    r"|sobre|acerca de|por|su|over|uit|em|w|od|na temat|v|od|из|в|от|про|о|об"
)
_LEADS = Pattern(
    rf"(?<!\w)(?:(?<!are )(?<!is )(?<!sind )(?<!ist )(?:{_ONLY})(?: [^\s,;:()\ue000]{{1,12}}){{0,4}}"
    rf"|(?:{_WHICH}|{_BOUND}|{_WITH})(?: [^\s,;:.()\ue000]{{1,12}}){{0,2}}) ?[.\"'“„«‘]?$"
)
"""What makes a condition of the words after it. "They are only in the footer" tells where they stand."""
_FILES = Pattern(r"(?:\.\w{1,8})? (?:files?|archives?|links?|documents?|downloads?|dateien?|fichiers?|archivos?)(?!\w)")
_ONLY_AFTER = Pattern(rf" (?:{_ONLY})(?!\w)")
_REDUCED = Pattern(
    r"(?<!\w)(?:on (?:special )?(?:sale|offer)|discounted|reduced|clearance|im (?:sonder)?angebot|reduziert\w*"
    r"|en (?:promo\w*|soldes?|oferta|réduction)|soldés?|rebajad\w+|in (?:offerta|saldo)|scontat\w+"
    r"|in de (?:aanbieding|uitverkoop)|afgeprijsd\w*|em (?:promoção|oferta)|w promocji|przecenion\w+|ve slevě"
    r"|zlevněn\w+|со скидкой|indirimli\w*|akciós\w*)(?!\w)"
)
"""Goods below their price: some of the page's, which no column's name tells."""
_ON_SALE = Pattern(
    r"(?<=[^\W\d_]s )(?:(?:that|which) are )?(?:not |currently |now )?on (?:special )?(?:sale|offer)(?!\w)"
    r"|(?<=[^\W\d_][ern] )im (?:sonder)?angebot(?!\w)"
)
"""It stands behind what is on sale, and so no column is called it, wherever in the request it stands."""
_TOLD = Pattern(r"(?<!\w)(?:whether|if|flag|bool\w*|ob|si)(?!\w)")
_INSIDE = Pattern(rf"(?<!\w)(?:{_ONLY}|{_WHICH}|{_BOUND})(?!\w)")
_RELATIVE = Pattern(r"(?<=[^\W\d_]s) (?:that|which|who)(?: are| is| have| has| were| was| do| don't)? ?$")
_SCOPE = Pattern(
    rf"^ ?(?:{_AFTER_NOUN})(?: (?:the|a|an|der|die|das|den|dem|le|la|les|el|los|las|il|lo|i|gli|de|het))? ?[\"'“„«‘]?$"
)
_ONES = Pattern(r"(?:the )?(?:ones?|those|diejenigen|ceux|celles|quell[ie]|aquell[oa]s)(?!\w)")
_CJK = Pattern(r"(?:只|仅|僅|のみ|だけ|만|以上|以下|以内|未満|超|이상|이하|미만|초과|大于|小于|高于|低于|除)")
_NUMBER = Pattern(
    r"(?<![\w.,#/:%-])\d{1,9}(?:[,.']\d{3}){0,4}(?:[.,]\d{1,9})?(?![\w/:-]|[.,]\d)"
    r"(?! ?(?:%|px|ms|st|nd|rd|th|decimal|digit|dezimal|nachkomma|décimal|decimal|stellig|place|second|minute"
    r"|sekunde|column|spalte|colonne|columna|word|wort|mot|palabra|parola|sentence|char|space|thread|retr|attempt"
    r"|time|tries|step|file|kb|mb))"
)
_LISTED = Pattern(r"[\n,]\s*$")
_SECTION = Pattern(
    r"(?<!\w)(?:section|table|box|sidebar|widget|panel|tab|heading|headed|abschnitt|bereich|kasten|rubrique|encadré"
    r"|bloc"
    r"|sección|apartado|recuadro|sezione|riquadro|sectie|seção|sekcj\w+|sekc\w+|раздел\w*|секци\w+|блок\w*"
    r"|bölüm\w*|szakasz\w*)(?!\w)|(?:部分|栏目|欄目|セクション|欄|섹션)"
)
_DESCRIBES = Pattern(
    r"(?<!\w)(?:are|is|sind|ist|sont|est|están|está|sono|è|zijn) (?:grouped|listed|organi[sz]ed|arranged|split"
    r"|divided|shown"
    r"|laid out|gruppiert|aufgelistet|regroupés?|agrupad[oa]s|raggruppat[ie]|gegroepeerd)(?!\w)"
)
"""It tells how the page is laid out, and asks for nothing."""
_ORDINAL = Pattern(
    r"(?<!\w)(?:second|third|fourth|fifth|zweite|dritte|deuxième|troisième|segund[oa]|terc[eo]r[oa]?)\w{0,2}$"
)
_DEED = Pattern(
    r"(?<!\w)(?:search(?:ing)? for|look(?:ing)? up|log ?in|sign in|fill (?:in|out)|calculate|compute|count|sum up"
    r"|summari[sz]e|translate|classify|analy[sz]e|average|group(?:ed)? by|how many|suche nach|berechne\w*"
    r"|zähle|fasse|übersetze|wie viele|cherche[rz]?|calcule[rz]?|résume[rz]?|tradui[st]\w*|combien de"
    r"|busca(?:r)?"
    r"|calcula(?:r)?|resume|traduce|cuántos|cuántas|cerca|calcola|riassumi|traduci|quant[ie]|zoek naar|bereken"
    r"|vat samen"
    r"|vertaal|hoeveel|calcule|resuma|traduza|quant[oa]s|oblicz|policz|przetłumacz|ile|spočítej|přelož|kolik|посчитай"
    r"|вычисли|переведи|сколько)(?!\w)|计算|翻译|总结|計算して|翻訳|要約|계산|번역|요약"
)
_YES_NO = Pattern(
    r"\s*(?:is|are|was|were|did|does|do|has|have|can)(?: [^\s?]+){2,}[^?]*\?|(?:gibt es|ist|sind|est-ce que|y a-t-il"
    r"|hay"
    r"|c'è|ci sono|is er|zijn er|há|czy|existuje|есть ли)(?!\w)[^?]*\?"
)
_TOOLS = Pattern(
    r"^(?:python|requests|beautiful ?soup|bs4|pandas|lxml|selenium|scrapy|playwright|regex|utf|unicode|care|proper"
    r"|correct"
    r"|clean|full|complete|accurate|respect|minimal|good|header|headers|quotes|commas?|semicolons?|tabs?|indent\w*"
    r"|help|regards|bitte|gracias|merci|structured|following|details?)(?!\w)"
)
_MOST = 12
Kind = Literal["number", "order", "condition", "section", "deed", "format", "column"]


def find_doubts(
    text: Text, left: Sequence[Unread], used: Sequence[tuple[int, int]], subject: Sequence[tuple[int, int]]
) -> tuple[Doubt, ...]:
    """The doubts among `left`, and numbers that nothing has read. `used`: what was read; `subject`: where it says what
    a row is."""
    found: dict[str, Doubt] = {}
    covered: list[tuple[int, int]] = []
    asks = bool(_YES_NO.match(text.low))
    for phrase in left:
        begin = _clause_begin(text.low, phrase.start)
        before, said = text.low[begin : phrase.start], text.low[phrase.start : phrase.end]
        kind: Kind | None = _kind(before, said, _follows_subject(text, phrase, subject))
        if kind is None and before.endswith(".") and _FILES.match(text.low, phrase.end):
            kind = "condition"
        if kind is None and " " in said and _ONLY_AFTER.match(text.low, phrase.end):
            kind = "condition"
        if kind == "condition" and _bounded(text.low, phrase, used):
            kind = None
        if kind == "condition" and _PLACE.fullmatch(before) and text.low[phrase.end :].lstrip().startswith(URL):
            kind = None
        if kind is None and (asks or _DEED.search(before)):
            kind = "deed"
        if kind is not None:
            covered.append((phrase.start - 20, phrase.end + 1))
            found.setdefault(phrase.said, Doubt(_with_lead(text, begin, phrase), kind))
    for match in _ON_SALE.finditer(text.low):
        begin = _clause_begin(text.low, match.start())
        told = _TOLD.search(text.low, begin, match.start()) or text.depth[match.start()] > 0
        if not told and not any(
            text.low[match.start() : match.end()] in doubt.text.lower() for doubt in found.values()
        ):
            found.setdefault(match[0], Doubt(text.said(*match.span()), "condition"))
    for match in _NUMBER.finditer(text.low):
        at = match.start()
        if any(a <= at < b for a, b in [*used, *covered]) or text.depth[at] > 0:
            continue
        if _LISTED.search(text.low[max(0, at - 12) : at]) and re.match(
            r"[.)]", text.low[match.end() : match.end() + 1]
        ):
            continue  # a list's own number
        said = _around(text, at, match.end())
        found.setdefault(said, Doubt(said, "number"))
    return tuple(found.values())[:_MOST]


def _clause_begin(low: str, at: int) -> int:
    """Where the clause begins that holds `at`. The dot of ".zip" and of "v1.2" ends none."""
    begin = max(low.rfind(mark, 0, at) for mark in ",;:!?\n()" + URL) + 1
    dot = low.rfind(". ", begin, at)
    return dot + 1 if dot >= 0 else begin


_PLACE = Pattern(r"\s*(?:z|ze|s|se|с|со|con|com|met|mit|avec)\s*")
"""What stands between it and the address is what the address is of: "z podcastu https://…"."""
_BARE_NOUN = Pattern(r"[^\W\d_]+s")


def _bounded(low: str, phrase: Unread, used: Sequence[tuple[int, int]]) -> bool:
    """ "only films after 1980": the bare noun is what a row is, and the condition behind it was read."""
    noun = _BARE_NOUN.fullmatch(low, phrase.start, phrase.end)
    return noun is not None and any(
        a == phrase.end + 1 and (_INSIDE.match(low, a, b) or low.startswith(("with ", "having "), a))
        for a, b in used
        if low[phrase.end : a].isspace()
    )


def _kind(before: str, said: str, after_noun: bool) -> Kind | None:
    """Why the phrase bears on the rows; None where it does not."""
    if is_superlative(said, bool(_NUMBER.search(before[-12:] + said))):
        return "order"
    if _DEED.search(said):
        return "deed"
    if _NUMBER.search(said):
        return "number"
    if _ORDINAL.search(said) or _SECTION.search(said) or (_SECTION.search(before) and not _TOOLS.match(said)):
        return "section"
    if _TOOLS.match(said) or _DESCRIBES.search(said):
        return None
    if _LEADS.search(before) or _INSIDE.search(said) or _RELATIVE.search(before) or _CJK.search(said):
        return "condition"
    reduced = next((m for m in _REDUCED.finditer(before + said) if m.end() > len(before)), None)
    return "condition" if after_noun or reduced or _ONES.match(said) else None


def _follows_subject(text: Text, phrase: Unread, subject: Sequence[tuple[int, int]]) -> bool:
    """ "books by Tolkien", "jobs in Berlin": the phrase stands behind what a row is, with a preposition between."""
    return any(b <= phrase.start and _SCOPE.match(text.low[b : phrase.start]) for _, b in subject)


def _with_lead(text: Text, begin: int, phrase: Unread) -> str:
    """The phrase with the words that make it a condition: "only those by local makers"."""
    lead = [
        m.start()
        for m in re.finditer(rf"(?<!\w)(?:{_ONLY}|{_WHICH}|{_BOUND}|{_WITH})(?!\w)", text.low[begin : phrase.start])
    ]
    start = begin + lead[0] if lead else phrase.start
    return " ".join(text.raw[start : phrase.end].split()) if phrase.end - start <= 120 else phrase.said


def _around(text: Text, start: int, end: int) -> str:
    """A number with a word or two on each side."""
    head = re.search(r"(?:[^\s,;:.()\ue000]+ ){0,2}$", text.low[max(0, start - 40) : start])
    tail = re.match(r"(?: [^\s,;:.()\ue000]+){0,2}", text.low[end : end + 40])
    return text.said(start - (len(head[0]) if head else 0), end + (len(tail[0]) if tail else 0))


_HINTS: dict[str, str] = {
    "number": 'for a number of rows say "the first 10 rows", for pages "the first 2 pages", for a value "where COLUMN'
    ' is at least 10"',
    "order": 'name the column: "sorted by COLUMN, highest first", with "the first 10 rows" for a part of them',
    "condition": 'name the column: "only where COLUMN is VALUE", "where COLUMN contains VALUE", "where COLUMN is below'
    ' 20"',
    "section": 'name the heading as the page has it: under the heading "NAME"',
    "format": "a file of rows is CSV, JSON or JSON lines",
    "column": 'name them in one list: "columns: title, price, url"',
    "deed": "rows are all that is collected here: give the address of the page that lists them, and name their columns",
}


def how_to_say(doubt: Doubt) -> str:
    """What a person may write instead."""
    return _HINTS[doubt.kind]


_STATE = Pattern(rf"(?<!\w)(?:{_ONLY})(?: the| all)? (open|live|free|new|current)(?= [^\W\d_]+)")
"""What a row is, where a request has the same word for what is to be done with it: "only the open notices"."""


def content_words(doubt: Doubt) -> tuple[str, ...]:
    """The words in it that mean something, in lower case: what is quoted, else all that are not small."""
    quoted = re.search(r"[\"“„«‘']([^\"”“»’']{3,})", doubt.text)
    said = quoted[1] if quoted else doubt.text
    small = Pattern(rf"(?:{_ONLY}|{_WHICH}|{_BOUND}|{_WITH}|{_AFTER_NOUN})")
    words = re.findall(r"[^\W_]+", said.lower())
    kept = _STATE.search(said.lower())
    return tuple(w for w in words if (kept and w == kept[1]) or (w not in KNOWN and not small.fullmatch(w)))


def marking_words(query: Query, doubt: Doubt) -> tuple[str, ...]:
    """The words of a condition that rows may bear, without what a row or a column is called: "europe" of "countries in
    Europe"."""
    said = content_words(doubt)
    return tuple(word for word in said if word not in _names(query)) or said


def _names(query: Query) -> set[str]:
    names = (*query.subject, *(word for field in query.fields for word in re.findall(r"[^\W_]+", field.name.lower())))
    return {form for word in names for form in (word, word + "s", word + "es", word[:-1] + "ies")}


def marks_of(query: Query, titles: str) -> tuple[tuple[str, ...], ...]:
    """The words, each condition's together, that may mark the rows asked for: ("europe",) for "countries in Europe".

    What the page as a whole says, by its `titles` or its address, marks none of its rows.
    """
    if any(doubt.kind != "condition" or is_negative(doubt) for doubt in query.doubts):
        return ()
    marks = dict.fromkeys(mark for doubt in query.doubts if (mark := mark_of(query, doubt)))
    return tuple(mark for mark in marks if not all(_is_about(query, titles, word) for word in mark))


def kinds_of(query: Query, titles: str) -> tuple[str, ...]:
    """The words that say of which kind a row is: "remote" for "remote jobs". `titles` as in `marks_of`."""
    if query.doubts or query.filters:
        return ()
    pairs = (re.fullmatch(r"([^\W\d_]{3,}) [^\W\d_]{3,}s", said.lower()) for said in query.unread)
    loose = [pair[1] for pair in pairs if pair]
    kinds = dict.fromkeys(word for word in (*query.subject[:-1], *loose) if len(word) > 2)
    return tuple(word for word in kinds if not _is_about(query, titles, word))


def _is_about(query: Query, titles: str, word: str) -> bool:
    about = f"{titles} {' '.join(query.urls)} {query.section}".lower()
    return any(there.startswith(word[:-1] if len(word) > 3 else word) for there in re.findall(r"[^\W_]+", about))


ON_SALE = ("sale",)
"""The mark of goods below their price, however the request says it."""


def mark_of(query: Query, doubt: Doubt) -> tuple[str, ...]:
    """The words that rows of this condition bear."""
    reduced = _REDUCED.search(doubt.text.lower())
    if reduced is None:
        return marking_words(query, doubt)
    rest = set(content_words(doubt)) - _names(query) - set(re.findall(r"[^\W_]+", reduced[0]))
    return marking_words(query, doubt) if rest else ON_SALE


_NEGATIVE = Pattern(
    r"(?<!\w)(?:not|no|never|without|except|excluding|un(?:less|til)|nicht|keine?\w*|ohne|außer|pas|sans|sauf|sin"
    r"|excepto|non|senza"
    r"|niet|geen|zonder|não|sem|nie|bez|ne|не|без|кроме|değil|nem|nélkül|n't)(?!\w)|n't|不|非|ない|않|아닌"
)


def is_negative(doubt: Doubt) -> bool:
    """Whether it leaves something out, so that its words speak against a row."""
    return bool(_NEGATIVE.search(doubt.text.lower()))
