"""Finds what a row is: "all lamps on …", "eine Zeile pro Sorte", "каждой книги"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrapewright.query.pattern import Pattern
from scrapewright.query.phrases import phrase
from scrapewright.query.text import URL, Text
from scrapewright.query.unread import KNOWN
from scrapewright.query.wordlist import word_set

_WORD = r"[^\s,;:.!?()\[\]{}\"“”„«»\ue000—–]+"
_NOUN = rf"({_WORD}(?: {_WORD}){{0,4}})"
_PER = Pattern(
    rf"(?<!\w)(?:(?:one|a) (?:row|line|record|object|entry) (?:per|for each|for every|for)|(?:for|of|from"
    rf"|per) (?:each|every)|per|each|every|eine zeile (?:pro|je|für jede[nrs]?)|(?:pro|für jede[nrs]?"
    rf"|von jede[mr]|jede[nrs]?)|(?:une )?ligne par|pour chaque|de chaque|chaque|(?:una fila )?(?:por"
    rf"|para|de) cada|cada"
    rf"|(?:una riga )?(?:per|di) ogni|ogni|(?:één rij )?(?:per|voor elke?|van elke?)|elke?|(?:dla|z) każd\w+"
    rf"|każd\w+|(?:pro|z) každ\w+|každ\w+|(?:для|у|по) кажд\w+|кажд\w+|her(?: bir)?"
    rf"|minden(?: egyes)?) (?:of the |of these |the |single |distinct |unique |individual )?{_NOUN}"
)
_ALL = Pattern(
    rf"(?<!\w)(?:all(?: of)?(?: the| these| those)?|alle[nr]?(?: der| die| de)?|sämtliche[nr]?|tou(?:s"
    rf"|tes) (?:les|ces)|tod[oa]s (?:l[oa]s|[oa]s)|tutt[ie](?: (?:i|gli|le))?|(?:the )?(?:list|table"
    rf"|index) of(?: the)?|wszystkie|wszystkich|všechny|všech|vsechny|все(?:х)?|tüm|bütün|(?:az )?összes|alla"
    rf"|toate|the (?:entire|full|complete) list of|(?:a )?list of(?: all)?(?: the)?) (?:available |listed "
    rf"|current |existing )?{_NOUN}"
)
_THE = Pattern(
    rf"(?<!\w)(?<!\ba )(?<!the )(?:list|get|give me|extract|scrape|collect|want|need|fetch|pull|find"
    rf"|show(?: me)?|parse|convert|grab|download|take|crawl|record|hole?|liste|extrahiere|sammle|gib mir|zeige"
    rf"|brauche|möchte|récupère[rz]?|liste[rz]?|donne[rz]?-moi|extrais|extrae|extraer|lista|listar|dame|quiero"
    rf"|estrai|elenca|dammi|voglio|haal|geef(?: me)?|verzamel|extraia|liste|quero"
    rf"|pobierz|wypisz|zbierz|wyodrębnij|stáhni|vypiš|získej|собери|извлеки|получи|выпиши|спарси|gyűjtsd ki"
    rf"|listázd|hämta|hent) (?:me |mir |bitte |out |only )?(?:the |a list of the |die |der |das |den |les |la "
    rf"|le |las |los |el |i |gli |le |il |de |het |os |as )?(?:top |first |latest |newest "
    rf"|last )?(?:\d+ )?{_NOUN}"
)
_STOP = Pattern(
    r"(?<!\w)(?:(?:les |las |los |os |as |i |gli |le )?(?:plus|moins|más|menos|mais|più|meno|mieux|mejor|meglio)"
    r"|in|on|of|from|at|save|store|return|collect|write|emit|extract|take|record"
    r"|with|for|as|to|and|or|that|which|who|where|by|into|give|listed|shown|found"
    r"|published|available|dated|tagged|including|named|is|are|under|over|below|above|within|across|between"
    r"|via|using|their|its|whose|i|we|you|here|there|come|comes|have|has|please|sorted|then|this"
    r"|these|there|it|should"
    r"|must|if|without|per"
    r"|von|vom|auf|aus|mit|und|im|als|nach|für|bei|an|sortiert|der|des|dem|zu|die|das|ein|eine|gib|sur|de|du"
    r"|des|dans|avec|et|en|à|au|aux|par|pour|depuis|qui|del|con|y|e|em|no|na|nas|nos|da|do|das|dos|com|su|dal"
    r"|dalla|della|nel|nella|da|per|van|uit|op|met|voor|bij|in het|naar"
    r"|ze|z|na|w|dla|oraz|i|jako|se|v|pro|a|со|с|из|на|в|для|и|по|как|için|ve|ile|çıkar\w*"
    r"|listele\w*|topla|getir\w*|innen|olarak|sayfa\w*|bu|és|az"
    r"|ból|oldal\w*|szerint|från|på|och|med|fra|og|din)(?!\w)"
)
_HERE = Pattern(rf"\s?(?:the |of the |der |de |des |di |)?{_NOUN}")
_GENERIC = word_set(
    """tableau tabla tabela tabulka tabella tabelle таблица таблицу tablo táblázat résultats resultados
    risultati résultat here there unique distinct useful utili about nützliche utiles útiles yararlı
    page pages site website web webpage link links url urls data information info details row rows line lines
    record records entry entries item items object objects result results list lists table content everything
    following all each every one json csv file field fields column columns it them that this the a an seite
    seiten daten zeile zeilen informationen einträge eintrag site webseite liste tabelle alles données page
    informations ligne lignes página páginas datos información filas fila pagina pagine dati informazioni
    righe riga pagina's gegevens rij rijen strony stron stronie dane informacje stránky stránek stránce údaje
    страницы страниц странице данные информацию строка sayfa sayfadaki bilgileri bilgi oldal oldalak adatok
    adatokat adatait useful utili about nützliche utiles útiles yararlı new latest first next last available
    other same following single different main me my your our his her their its metadata text output format
    order sorted sort most more least no not only also up top"""
)
_CJK_GENERIC = word_set("页 页面 頁 頁面 分页 ページ 페이지 网页 网站 数据 信息 資料 情報 データ 데이터 정보")
_CJK = (
    Pattern(
        r"(?:所有|全部|每一?(?:个|個|条|條|则|則|本|篇|部|款|件|位|家|项|項)?)(?:的)?([\u3400-\u9fff]{1,8}?)(?:的|,|、|信息"
        r"|输|輸|列|并|並|和"
        r"|与|$|[:.;(\s]|名称|标题|价格|標題|價格|数据)"
    ),
    Pattern(
        r"(?:すべて|全て|全部|全|各|それぞれ)の?([\u3040-\u30ff\u3400-\u9fff]{1,10}?)(?:の|を|について|から|ごと|,|、|$"
        r"|[:.;\s])"
    ),
    Pattern(r"([\u30a0-\u30ff\u3400-\u9fff]{1,10})(?:一覧|リスト|ごとに)"),
    Pattern(r"の([\u3040-\u30ff\u3400-\u9fff]{2,12}?)(?:ボックス|欄|セクション|部分|表|テーブル)?から"),
    Pattern(r"の([\u3040-\u30ff\u3400-\u9fff]{2,10}?)を"),
    Pattern(r"の([\u3040-\u30ff\u3400-\u9fff]{2,10}?)(?=:)"),
    Pattern(r"的([\u3400-\u9fff]{1,8}?)(?=:)"),
    Pattern(r"上的([\u3400-\u9fff]{1,8}?)(?:列|的|,|:)"),
    Pattern(r"([\uac00-\ud7af]{2,8}) ?(?:목록|리스트)"),
    Pattern(r"(?:모든|각|전체)\s*([\uac00-\ud7af]{1,8}?)(?:의|을|를|에|마다|[,:]|\s|$)"),
)


def find_subject(
    text: Text, spans: Sequence[tuple[int, int]], fields: Sequence[tuple[int, int]], after: Sequence[int] = ()
) -> tuple[tuple[str, ...], list[tuple[int, int]]]:
    """The words for a row, in lower case, and the spans they were read from. `spans`: text already read as
    something
    else, `fields`: as fields; `after`: where a noun is likely to stand ("the first 20 …")."""
    found = _in_words(text, (_PER, _ALL, _THE), [*spans, *fields]) or _after(text, after, [*spans, *fields])
    found = found or _before_colon(text, spans, fields) or _at_start(text, [*spans, *fields])
    # "title and price of every book": what a row is may stand at the end of the field list itself.
    return found or _in_words(text, (_PER, _ALL), spans) or _in_cjk(text, [*spans, *fields]) or ((), [])


def _before_colon(
    text: Text, spans: Sequence[tuple[int, int]], fields: Sequence[tuple[int, int]]
) -> tuple[tuple[str, ...], list[tuple[int, int]]] | None:
    """ "… the episodes: title, date": what stands just before the colon of the field list."""
    for start, _ in fields:
        if start >= len(text.plain) or text.plain[start] != ":":
            continue
        low = max(0, start - 60)
        begin = max(
            low, *(text.plain.rfind(mark, low, start) + 1 for mark in (URL, ",", ";", ".", ")", "(", ":", "\n"))
        )
        words: list[re.Match[str]] = []
        for match in reversed(list(re.finditer(r"[^\W\d_]{2,}", text.low[begin:start]))):
            if (
                match[0] in KNOWN
                or match[0] in _GENERIC
                or not _free(begin + match.start(), begin + match.end(), spans)
            ):
                break
            words.insert(0, match)
        if 0 < len(words) <= 3 and not _CJK_LETTER.search(words[0][0]):
            return _singular(tuple(w[0] for w in words)), [(begin + words[0].start(), start)]
    return None


_START = Pattern(
    r"\s*(?:(?:only |just |all )?the |only |just |nur |die |der |das |les |le |la |los |las |el |i |gli |il |lo |de "
    r"|het |os |as |o |a |az )?"
    rf"{_NOUN}"
)
_PLACED = Pattern(
    r"\s+(?:listed |found |shown )?(?:(?:with|between|rated|priced|published|posted|since|after|before|above|over"
    r"|cheaper|zwischen|mit|avec|entre|con|tra|met|tussen|com|in|on|from|at|under|below|auf|von|aus|bei|unter|sur"
    r"|sous|dans|de|en|bajo|su"
    rf"|da|sotto|op|van|onder|no|na|em|z|ze|pod|v|под|из|на|в|с)(?!\w)|{URL})|\s*{URL}"
)


def _at_start(text: Text, spans: Sequence[tuple[int, int]]) -> tuple[tuple[str, ...], list[tuple[int, int]]] | None:
    """ "Lamps on https://…": a bare noun that begins the request and is followed by where it stands."""
    match = _START.match(text.low)
    words = _noun(match[1]) if match else ()
    if not match or not words or not _free(match.start(1), match.start(1) + 1, spans) or _CJK_LETTER.search(words[0]):
        return None
    end = _reach(text, words, match.start(1))
    if any(word in KNOWN for word in words) or text.low[match.start(1) : end].split() != list(words):
        return None
    return (_singular(words), [(match.start(1), end)]) if _PLACED.match(text.low, end) else None


_CJK_LETTER = Pattern("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
Found = tuple[tuple[str, ...], list[tuple[int, int]]]


def _free(start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    return not any(a < end and start < b for a, b in spans)


def _in_words(text: Text, patterns: Sequence[Pattern], spans: Sequence[tuple[int, int]]) -> Found | None:
    for pattern in patterns:
        for match in pattern.finditer(text.low):
            if text.depth[match.start()] > 0 or not _free(match.start(1), match.start(1) + 1, spans):
                continue
            words = _noun(match[1])
            if words:
                return _singular(words), [(match.start(), _reach(text, words, match.start(1)))]
    return None


def _after(text: Text, places: Sequence[int], spans: Sequence[tuple[int, int]]) -> Found | None:
    for at in places:
        match = _HERE.match(text.low, at)
        words = _noun(match[1]) if match and _free(at, at + 1, spans) else ()
        if match and words:
            return _singular(words), [(at, _reach(text, words, match.start(1)))]
    return None


def _reach(text: Text, words: Sequence[str], at: int) -> int:
    for word in words:
        at = text.low.find(word, at) + len(word)
    return at


def _in_cjk(text: Text, spans: Sequence[tuple[int, int]]) -> Found | None:
    for pattern in _CJK:
        for match in pattern.finditer(text.low):
            if _free(match.start(1), match.end(1), spans) and match[1] not in _CJK_GENERIC:
                return (match[1],), [(match.start(), match.end(1))]
    return None


def _noun(said: str) -> tuple[str, ...]:
    stop = _STOP.search(said)
    if stop:
        said = said[: stop.start()]
    words = [w for w in re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", said) if len(w) > 1]
    while words and (words[0] in _GENERIC or words[0].isdigit()):
        words.pop(0)
    while words and words[-1] in _GENERIC:
        words.pop()
    return tuple(words[:4])


def _singular(words: tuple[str, ...]) -> tuple[str, ...]:
    """English plurals of the last word made singular, the rest as it is."""
    last = words[-1]
    if (
        last.isascii()
        and len(last) > 3
        and last.endswith("s")
        and not last.endswith(("ss", "us", "is", "news", "series", "glasses"))
    ):
        if last.endswith("ies") and len(last) > 4:
            last = last[:-3] + "y" if last not in ("movies", "cookies", "ties") else last[:-1]
        elif last.endswith(("ches", "shes", "xes", "sses", "zzes")):
            last = last[:-2]
        else:
            last = last[:-1]
    return (*words[:-1], last)


_THEIR = phrase(
    r"(?:and|with|along with|together with|plus|mit|und|avec|et|con|y|e|met|en|com)(?: all)? (?:their|its"
    r"|leurs?|sus|ihren|deren|hun|seus|suas|i loro|le loro|il loro|la loro)"
)


def with_their(low: str, start: int) -> bool:
    """Whether the list that begins at `start` is what belongs to the subject: "all projects with their
    description"."""
    tail = low[max(0, start - 40) : start + 24]
    their = _THEIR.search(tail)
    return their is not None and URL not in tail[their.start() :]
