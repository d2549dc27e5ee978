"""Reads one item of a list of fields: its name, and the note beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from scrapewright.query import triggers
from scrapewright.query.filters import begins_condition
from scrapewright.query.lexicon import concepts_of
from scrapewright.query.model import FieldType
from scrapewright.query.notes import date_format_of, read_note
from scrapewright.query.pattern import Pattern
from scrapewright.query.text import URL, Text
from scrapewright.query.wordlist import word_set


class Item(msgspec.Struct, frozen=True):
    """One field as it was written. `quality` tells how much it looks like a field; `weak`: it may as well be what a
    row is; `last`: the list ends with it; `spread`: a type that a later item's plural gave it."""

    name: str
    words: tuple[str, ...]
    note: str
    start: int
    end: int
    quality: float
    known: bool
    weak: bool = False
    last: bool = False
    spread: FieldType | Literal[""] = ""
    remark: str = ""
    """The part of the note that stands in brackets: what the page may call the field."""


_LEAD = Pattern(
    r"(?:[\s:=>*•·-]+|(?:teh|and|also|with|mit|avec|con|met|com|se|ze|со|the|a|an|its|their|his|her|each|both|any|all"
    r"|only|just|these|those|und|der"
    r"|die|das|den|dem|jeweils|deren|dessen|ihre?n?|seine?n?|eine?n?|auch|le|la|les|un|une|leurs?|son|sa|ses"
    r"|el|los|las|su|sus|lo|il|gli|i|l|o|os|as|seus?|suas?|de|het|een|hun|zijn|ook"
    r"|the following|following|sayfasından|sayfasındaki|sayfadan|sayfadaki"
    r"|sitesinden|adresinden|adresindeki|az|a|ich|jejich|их|его|её)(?=\s)\s+|(?:l'|d'|dell'|all'|un'|l’|d’|dell’))"
)
_ITEM_LEAD = Pattern(r"^\s*(?:and|und|et|y|e|en|i|a|и|ve|és|及|和|と)\s+")
_IDENTIFIER = Pattern(r"[^\W\d]\w*")
_TYPED_TAIL = Pattern(
    r":\s+|\s+(?=(?:yyyy|jjjj|aaaa|rrrr|гггг|dd|tt|jj|дд|mm)[-./ ](?:mm|мм|dd|yyyy)(?!\w|\s*\())"
    r"|\s+(?:as|als|en tant que|comme|como|come|jako|как|olarak|=|:|–|—|-|in|im|en|au format|em|w|v|в)\s+"
)
_STOPPERS = Pattern(
    r"^(?:sort|order|save|skip|leave|keep|follow|output|write|export|return|emit|store|put|print|ignore"
    r"|exclude|only|open|click|visit|go|do|don't|use|please|make|create|convert|then|if|when|where|which|who"
    r"|what|how|why|is|are|does|can|could|should|must|one|sorted|ordered|without|except"
    r"|including|for|per|want|this|that|not|no|scrape|crawl|download|find|search|look|list|extract|get|give"
    r"|fetch|collect|parse|show|summarize|calculate|compare|speicher\w*|sortier\w*|gib|schreib\w*|ohne|nur"
    r"|bitte|enregistr\w*|tri\w{1,4}|sans|guarda\w*|ordena\w*|sin|salva\w*|ordina\w*|senza|sla|sorteer|bewaar"
    r"|maak"
    r"|schrijf|zonder|alleen|zapisz|posortuj|bez|tylko|ulož|seřaď|pouze|сохрани\w*|отсортируй\w*|без|только"
    r"|kaydet|sırala\w*|sadece|mentsd|rendezd|csak|i|we|you|there)$"
)
_CONDITION = Pattern(
    r"\s*(?:(?:but|and|aber|und|mais|et|pero|y|ma|e|maar|en) )?(?:(?:only|just|nur|seulement|uniquement|solo|sólo"
    r"|solamente"
    r"|soltanto|alleen|enkel|apenas|somente|tylko|pouze|jen|только|sadece|csak) (?:(?:the )?ones?|those|these|if|when"
    r"|where|with"
    r"|by|from|that|which|who|diejenigen|solche|wenn|wo|mit|ceux|celles|si|avec|l[oa]s que|con|quell[ie]|se|als|met"
    r"|[oa]s que"
    r"|com|te|gdy|jeśli|ty|pokud|те|если|с)|(?:the |all )?ones?|those|diejenigen|ceux|celles|quell[ie]|aquell[oa]s"
    r"|те)(?!\w)"
    r"|\s*\d+ (?:of|rows?|results?|items?|entries|zeilen|lignes|filas|righe)(?!\w)"
)
"""What begins so says which rows, and is no column."""
_NO_NAME = Pattern(
    r"(?:(?:the )?(?:front|home|first|this|main|current)[ -]?page(?: only)?|(?:empty|blank|null|none|leer|vide)"
    r"(?: (?:for|if|when|where|in|on|wenn|bei|si) .*)?|ints?|integers?|floats?"
    r"|[a-z]{3,}est (?:ones )?first"
    r"|(?:all|every|each|alle|toutes les|todas las|tutte le)(?: of)?(?: the)? (?:pages?|seiten|páginas|pagine"
    r"|pagina's))"
)
"""What says which page, what to leave empty, a type, or an order: no column."""
_KEPT_ONLY = Pattern(
    r"([^\s,;:.()]+s) (?:in|from|by|of|with|near|about|aus|von|mit|de|des|en|du|avec|di|da|con|van|met|z|w|v|из|в) "
    r"[^,;:.()]{2,40} (?:only|nur|seulement|uniquement|solo|sólo|solamente|soltanto|alleen|apenas|tylko|pouze|только)"
    r"\s*$"
)
"""Things of one kind only, as in "countries in Europe only"; not "prices in euro only", which is a column."""
_ONES_LAST = Pattern(r"(?:but |and )?(?:only|just) [^,;:.()]{2,40} ones?\s*$")
_TRAILING = Pattern(
    r"(?:\s+(?:of|the|for|from|on|in|at|de|del|di|da|do|von|van|du|des?|su|sur|auf|aus|z|ze|с|со|из))+\s*$",
    re.IGNORECASE,
)
_CJK_FORM = Pattern(
    r"(?:并|並|然后)?(?:保存|导出|導出|输出|輸出|存储?|写入|寫入|生成|转换?|整理)(?:为|為|成|到|至|在)?(?:文件|格式|表格)?"
    r"|で?(?:保存|出力|書き出し?)"
)
"""What is left of "save as CSV" when the format has been read."""
_FULL = Pattern(
    r"absolut\w*|absolu\w*|assolut\w*|full|complete|полн\w+|abszolút|vollständige?r?|volledige|pełny|tam|teljes"
)
_COUNTS = Pattern(
    r"^(?:number|count|amount|anzahl|nombre|número|numero|aantal|quantidade|cantidad|liczba|počet|количество"
    r"|число)$"
)


def read_item(text: Text, start: int, end: int, language: str) -> Item | None:
    """The field at `start:end`, or None where it is none."""
    plain = text.plain
    while start < end and (plain[start].isspace() or plain[start] in "-*•·:="):
        start += 1
    while end > start and (
        plain[end - 1].isspace() or plain[end - 1] in ".:!?→" or plain[end - 2 : end] in ("->", "=>")
    ):
        end -= 1 + (plain[end - 1] == ">")
    if start >= end or end - start > 600 or is_condition(text, start, end):
        return None
    if _CJK_FORM.fullmatch(plain, start, end):
        return None
    quoted = text.pairs.get(start)
    if _NO_NAME.fullmatch(plain[start:end].lower().strip("() ")):
        return None
    if quoted is not None and plain[start] in "\"'“„«「『‘" and quoted < end:
        return _quoted(text, start, quoted, end)
    if plain[start] == "`":
        close = plain.find("`", start + 1, end)
        if close > 0:
            return _quoted(text, start, close, end)
    head_end, bracket_from = _head(text, start, end)
    head = plain[start:head_end]
    if URL in head:
        # The list ends where an address begins: "… and rating of every book on https://…".
        stop_at = head.index(URL)
        if not head[:stop_at].strip():
            return None
        head = head[:stop_at].rstrip()
        bracket_from = end = start + stop_at
    notes = [_remark(text, bracket_from, end)] if bracket_from < end else []
    ended_by_address = plain[end : end + 1] == URL
    head, moved = _strip_lead(head)
    start += moved
    if language == "ja":
        particles = len(head) - len(head.lstrip("のをにでがは分"))
        head, start = head[particles:], start + particles
    if language in _OF_BEFORE:
        moved = _owner(head, language)
        head = head[moved:]
        start += moved
    name, spoken, tail, last = _name(head, language)
    if not name:
        return None
    if tail:
        said = text.raw[start + len(head) - len(tail) : start + len(head)].strip(" \t\n=:-–—")
        notes.insert(0, "" if _TRAILING.fullmatch(" " + said) else _TRAILING.sub("", said))
    renamed = (
        _renamed(spoken, remark_at, language)
        if (remark_at := _remark(text, bracket_from, end) if bracket_from < end else "")
        else ""
    )
    if renamed:
        name, spoken = renamed, (*spoken, *_tokens(renamed))
    last = last or ended_by_address
    stop = end
    remark = notes[-1] if bracket_from < end else ""
    note = ", ".join(n for n in notes if n)
    if URL in plain[start:end] and bracket_from < end:
        address = plain.find(URL, bracket_from, end)
        if text.depth[address] == 0:
            stop = address
            note = _remark(text, bracket_from, stop)
            last = True
    sure = "_" in plain[start : start + len(name)] and plain.startswith(name, start)
    return _item(name, spoken, note, start, stop, last, sure=sure, remark=remark, language=language)


def is_condition(text: Text, start: int, end: int) -> bool:
    """Whether what stands there says which rows are wanted, and is no column."""
    while start < end and text.plain[start].isspace():
        start += 1
    if _CONDITION.match(text.low, start, end) or begins_condition(text.low, start, end):
        return True
    kept = _KEPT_ONLY.match(text.low, start, end)
    if kept and set(concepts_of(_tokens(kept[1]))) <= {"location", "name", "company", "role", "other"}:
        return True
    return bool(_ONES_LAST.match(text.low, start, end))


def _quoted(text: Text, start: int, close: int, end: int) -> Item | None:
    name = text.raw[start + 1 : close].strip(" :,")
    if not name or len(name) > 80 or URL in text.plain[start:close]:
        return None
    note = _after_quote(text, close + 1, end)
    words = tuple(_tokens(name))
    if not words:
        return None
    rest = text.plain[close + 1 : end].strip()
    if rest and rest[0] not in "(:=-–—[" and len(rest.split()) > 6:
        return None
    return _item(name, words, note, start, end, False, sure=True, remark=note)


_ENGLISH = word_set(
    """title name author price description category rating location company address image tags comments year rank
    status brand size version language duration servings ingredients email phone salary department position team city
    country region publisher genre level subject summary content quantity stock availability discount population yield
    temperature director isbn capacity distance calories difficulty abstract journal venue organizer host start end time
    format artist album model weight height width length color material condition type kind code number amount total
    free count score points views likes replies votes episode season chapter award role cast"""
)
"""What columns are called by people who write to programs, in whatever language they ask."""


def _renamed(words: tuple[str, ...], remark: str, language: str) -> str:
    """The column's name where it is given beside a longer phrase: "the walking time (walk_minutes)", "den Titel
    (title)"."""
    name = re.split(r"[,;]", remark)[0].strip()
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,40}", name):
        return ""
    if "_" in name.strip("_"):
        return name
    foreign = any(c.isalpha() and ord(c) > 0x24F for word in words for c in word)
    if name not in words and ((language != "en" and name in _ENGLISH) or name in map(_spelt, words)):
        return name
    if not (foreign or len(words) > 1) or not concepts_of([name]):
        return ""
    kind = read_note(name).type
    return name if not kind or (foreign and kind == "url") else ""


def named_alike(items: Sequence[Item]) -> list[Item]:
    """ "cím (title), dátum (date)": where brackets name the other columns, a word for a type in them is a name too."""
    if not any(item.name in _ENGLISH and item.words[:1] != (item.name,) for item in items):
        return list(items)
    found = []
    for item in items:
        said = re.split(r"[,;]", item.remark)[0].strip()
        if said in ("date", "url", "link", "text") and item.words[:1] != (said,):
            item = msgspec.structs.replace(item, name=said)
        found.append(item)
    return found


def _spelt(word: str) -> str:
    """As it is written where only ASCII will do: "verspaetung"."""
    return word.translate({ord("ä"): "ae", ord("ö"): "oe", ord("ü"): "ue", ord("ß"): "ss"})


def _after_quote(text: Text, start: int, end: int) -> str:
    opened = next((i for i in range(start, end) if text.plain[i] in "([{"), -1)
    if opened >= 0 and not text.plain[start:opened].strip():
        return _remark(text, opened, end)
    said = text.raw[start:end].strip(" \"'")
    return (
        re.sub(r"^(?:[:=–—-]|as |als )\s*", "", said)
        if said[:1] in (":", "=", "–", "—", "-") or read_note(said).type
        else ""
    )


def _head(text: Text, start: int, end: int) -> tuple[int, int]:
    """Where the name ends before a bracket, and where the notes begin."""
    at = start
    while at < end:
        if text.depth[at] > text.depth[start] and text.plain[at] in "([{":
            if at > start and text.plain[at : at + 3] == "(s)":
                at += 3
                continue
            return at, at
        at += 1
    return end, end


_OF_BEFORE = {"zh": "的", "ja": "の", "ko": "의"}


def _owner(head: str, language: str) -> int:
    """How much of "every book's title" is the owner, in languages that put it before the name."""
    mark = head.rfind(_OF_BEFORE[language])
    if mark <= 0:
        return 0
    rest = head[mark + 1 :]
    bare = triggers.CJK_ENDS.sub("", rest.lower()).strip()
    moved = mark + 1 + len(rest) - len(rest.lstrip())
    return moved if bare and concepts_of([bare]) else 0


def _strip_lead(head: str) -> tuple[str, int]:
    moved = 0
    match = _ITEM_LEAD.match(head.lower())
    if match:
        moved += match.end()
        head = head[match.end() :]
    for _ in range(4):
        match = _LEAD.match(head.lower())
        if not match or match.end() >= len(head):
            break
        moved += match.end()
        head = head[match.end() :]
    return head, moved


def _tokens(phrase: str) -> list[str]:
    return [t for t in re.split(r"[\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", phrase).lower().replace("'s", "")) if t]


_LINK_TO = Pattern(
    r"(?:links?|urls?|href|lien|url|enlace|vínculo|collegamento|adresse|odkaz|ссылка|koppeling)"
    r" (?:to|zum|zur|vers|al?|à|naar|para|na|на) (?:(?:the|a|an|its|their|la|le|l'|el|las?|los|il|lo|de|het|den|o) ?)?"
    r"(?!it(?!\w)|them|each|every|all|this|that|page|seite|site|json|csv)[^\W\d_]{3,30}(?:'s)?(?: (?:page|file"
    r"|profile|image))?(?=$|\s?\()"
    r"|(?:links?|urls?|href|src|lien|enlace|adresse|ссылка) (?:of|for|de|du|del|della|dell'|der|des|do|van|von|на) ?"
    r"(?:(?:the|its|their|la|le|l'|el|il|lo|de|het|den|o) ?)?(?:images?|pictures?|photos?|thumbnails?|covers?|logos?"
    r"|pdfs?|videos?"
    r"|authors?|bild(?:es)?|fotos?|bilder|imágenes|imagen|immagin[ei]|imagem|afbeelding|auteur|autor|autore"
    r"|изображение)"
    r"(?=$|\s?\()"
)
_LITTLE = word_set("the a an its their la le l el las los il lo de het den o")


def _name(head: str, language: str) -> tuple[str, tuple[str, ...], str, bool]:
    """(name, its words, what follows it as a note, whether the list ends here); an empty name where it is none."""
    last = False
    head = head.rstrip()
    tail = ""
    low = head.lower()
    first = _IDENTIFIER.match(head)
    if first and "_" in first[0] and first[0].strip("_") and len(first[0]) < 60:
        # An identifier is a name whatever follows it.
        tail = head[first.end() :]
        return first[0], tuple(_tokens(first[0])), tail, False
    typed = _typed_tail(head)
    if typed >= 0:
        tail = head[typed:]
        head = head[:typed]
        low = head.lower()
    led = _LINK_TO.match(low)
    if led:
        # "link to the review", "l'url de l'image": what it leads to is part of the name.
        words = [w for w in _tokens(head[: led.end()]) if w not in _LITTLE]
        return "_".join(words), tuple(words), head[led.end() :] + tail, False
    ender = triggers.ENDERS.get(language, triggers.ENDERS["en"])
    both = ender if language == "en" else f"{ender}|for each|from the|as|of the"
    for match in re.finditer(rf"\s(?:{both})(?!\w)", low):
        if match.start() == 0 or (
            _COUNTS.match(low[: match.start()].strip()) and not re.match(r"\s(?:as|for|from|on|in)\s", match[0] + " ")
        ):
            continue
        tail = head[match.start() :] + tail
        head = head[: match.start()]
        break
    if language in ("zh", "ja", "ko"):
        ended = triggers.CJK_ENDS.search(head.lower())
        if ended and ended.start() > 0:
            head = head[: ended.start()]
            last = True
            tail = ""
    head = _TRAILING.sub("", head).strip(" \t\n.\"'“”`*")
    head = re.sub(r"\(s\)$", "s", head)
    if language == "tr":
        head = re.sub(r"^\w{3,20}(?:[dt][ae]n|[dt][ae]ki)\s+", "", head)
        head = re.sub(r"['’](?:[yns]?[ıiuüae]|[nd]?[ae]n?)$", "", head)
    if not head or len(head) > 80 or not any(c.isalpha() for c in head):
        return "", (), "", False
    words = _tokens(head)
    if (
        not words
        or len(words) > 5
        or (_STOPPERS.match(words[0]) and not _is_compound(words))
        or (len(words) == 1 and len(words[0]) > 40)
    ):
        return "", (), "", False
    if re.search(r"[/\\@#<>|{}]", head) and not re.fullmatch(r"[\w/ -]+", head):
        return "", (), "", False
    if (
        len(words) == 2
        and (kept := [w for w in words if not _FULL.fullmatch(w)]) != words
        and concepts_of(kept) == ["url"]
    ):
        said = next(p for p in head.split() if p.lower() == kept[0]) if kept[0] in head.lower().split() else kept[0]
        return said, tuple(kept), " absolute" + tail, last
    if head.isidentifier():
        return head, tuple(words), tail, last
    return "_".join(words), tuple(words), tail, last


_NOUN_TOO = word_set(
    "download order show search open list index contact find print sort store return follow post visit put"
)


def _is_compound(words: list[str]) -> bool:
    """ "download link", "order number": a verb's form that is the first half of a name."""
    return len(words) == 2 and words[0] in _NOUN_TOO and bool(concepts_of(words[1:]))


def _typed_tail(head: str) -> int:
    """Where a phrase begins that says the type ("as float", "in YYYY-MM-DD", "= the rating"), or -1."""
    for match in _TYPED_TAIL.finditer(head.lower()):
        if match.start() == 0:
            continue
        rest = head[match.end() :]
        strong = match[0].strip() in ("=", ":", "–", "—", "-")
        if (
            strong
            or read_note(rest).type
            or date_format_of(rest.lower())[0]
            or re.match(r"^(?:shown|written|given|it|they|€|\$|£|[a-z]{3,6}\b)", rest.lower())
        ):
            return match.start()
    return -1


def _remark(text: Text, start: int, end: int) -> str:
    """What brackets from `start` on say, without the brackets; words after them only where they say a type."""
    parts: list[str] = []
    at = start
    while at < end:
        close = text.pairs.get(at)
        if text.plain[at] in "([{" and close is not None and close < end:
            parts.append(text.raw[at + 1 : close].strip())
            at = close + 1
            continue
        following = next((i for i in range(at + 1, end) if text.plain[i] in "([{"), end)
        said = text.raw[at:following].strip(" \t\n=:-–—")
        read = read_note(said) if said else None
        if read and (read.type or read.date_format or read.optional):
            parts.append(said)
        at = following
    return ", ".join(p for p in parts if p)


_DATA_IS_DATE = ("it", "pt", "pl", "ro")
_ENDS = frozenset(("name", "title", "id", "number", "code"))
_WEAK = word_set("""name text other type role company identifier title location""")


def _item(
    name: str,
    words: tuple[str, ...],
    note: str,
    start: int,
    end: int,
    last: bool,
    sure: bool = False,
    remark: str = "",
    language: str = "",
) -> Item:
    concepts = concepts_of([w for w in words if w != "data" or language in _DATA_IS_DATE])
    known = bool(concepts) or sure
    quality = 0.4
    if concepts:
        quality = 1.2 if len(words) <= 3 else 0.7
    elif len(words) > 3:
        quality = 0.1
    elif len(words) > 1:
        quality = 0.3
    read = read_note(note) if note else None
    if read and (read.type or read.optional or read.date_format):
        quality += 0.6
        known = True
    if sure:
        quality += 0.3
    weak = bool(concepts) and all(c in _WEAK for c in concepts) and not remark and not (read and read.type)
    weak = weak and (len(words) == 1 or words[-1] not in _ENDS)
    return Item(name, words, note, start, end, quality, known, weak, last, remark=remark)
