"""Finds the parts of a request that say how much, how many pages, in which form, and which rows not.

Each finder gives spans of the text, so that what was read is known and the rest can be shown as not understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from scrapewright.query import phrases
from scrapewright.query.pattern import Pattern
from scrapewright.query.phrases import NUM, number, phrase
from scrapewright.query.text import URL, Text
from scrapewright.query.wordlist import word_set

Kind = Literal[
    "format",
    "file",
    "all-pages",
    "this-page",
    "page-count",
    "keep-order",
    "distinct",
    "single",
    "follow",
    "limit",
    "exclude",
    "leave-empty",
    "order",
    "superlative",
    "section",
    "other-format",
    "manner",
]


class Clause(msgspec.Struct, frozen=True):
    """A part of the request at `start:end`; `value` depends on the kind."""

    kind: Kind
    start: int
    end: int
    value: Any = ""


_SIMPLE: tuple[tuple[Kind, Pattern], ...] = (
    ("keep-order", phrases.KEEP_ORDER),
    ("this-page", phrases.THIS_PAGE),
    ("all-pages", phrases.ALL_PAGES),
    ("distinct", phrases.DISTINCT),
    ("single", phrases.SINGLE),
)


def find_clauses(text: Text) -> list[Clause]:
    """All clauses that do not depend on the field list, by position. A paging clause inside another is part of it."""
    found: list[Clause] = []
    for kind, pattern in _SIMPLE:
        for match in pattern.finditer(text.low):
            if match.end() > match.start():
                found.append(Clause(kind, match.start(), match.end()))
    found.extend(_page_counts(text))
    found.extend(_formats(text))
    found.extend(_limits(text))
    found.extend(_exclusions(text))
    found.extend(_follows(text))
    found.sort(key=lambda c: (c.start, -c.end))
    kept: list[Clause] = []
    paging = ("all-pages", "this-page", "page-count")
    for clause in found:
        # "until there is no next page" holds "no next page": what stands inside another is part of it.
        if clause.kind in paging and any(
            k.kind in paging and k.start <= clause.start and clause.end <= k.end for k in kept[-6:]
        ):
            continue
        if clause.kind == "exclude" and any(k.kind == "this-page" and k.start <= clause.start < k.end for k in found):
            continue  # "ignore the pager" leaves out no rows
        kept.append(clause)
    return kept


def _page_counts(text: Text) -> Iterator[Clause]:
    for pattern in phrases.PAGE_COUNT:
        for match in pattern.finditer(text.low):
            value = next(g for g in match.groups() if g)
            yield Clause("page-count", match.start(), match.end(), number(value))


def _formats(text: Text) -> Iterator[Clause]:
    for match in phrases.FILENAME.finditer(text.low):
        if URL in match[0] or text.low[max(0, match.start() - 1)] == URL:
            continue
        lead = phrases.FILE_LEAD.search(text.low, max(0, match.start() - 90), match.start())
        start = lead.start() if lead else match.start()
        yield Clause("file", start, match.end(), text.raw[match.start(1) : match.end(1)])
    for match in text.top(phrases.OTHER_FORMATS, 0, len(text.low)):
        if URL not in match[0]:
            yield Clause("other-format", match.start(), match.end(), text.said(*match.span()))
    for name, pattern in phrases.FORMATS:
        for match in pattern.finditer(text.low):
            before = text.low[max(0, match.start() - 120) : match.start()]
            if phrases.NEGATED.search(before[-30:]):
                continue
            if (
                text.low[match.start() - 1 : match.start()] == "."
                or URL in text.low[match.start() - 1 : match.end() + 1]
            ):
                continue
            lead = phrases.FORMAT_LEAD.search(before)
            start = match.start() - (len(before) - lead.start() if lead else 0)
            tail = phrases.FORMAT_TAIL.match(text.low[match.end() : match.end() + 60])
            end = match.end() + (len(tail[0]) if tail else 0)
            yield Clause("format", start, end, name)


_ROWS = (
    r"results?|rows?|items?|entries|entry|records?|products?|articles?|hits?|posts?|listings?|books?|stories"
    r"|lines?|objects?|ergebnisse[n]?|einträge[n]?|zeilen|treffer[n]?|datensätze[n]?|artikel[n]?|produkte[n]?"
    r"|résultats?|lignes?|entrées?|produits?|resultados?|filas?|registros?|productos?|artículos?|risultati"
    r"|righe|elementi|prodotti|articoli|resultaten|rijen|regels|producten|artikelen|linhas|itens|produtos"
    r"|wynik\w*|wiersz\w*|pozycj\w+|produkt\w*|výsledk\w*|řádk\w*|polož\w+|záznam\w*|результат\w*|строк\w*"
    r"|запис\w+|товар\w*|sonuç\w*|kayıt\w*|satır\w*|ürün\w*|találat\w*|sor\w{0,3}|tétel\w*"
)
_LIMITS = (
    phrase(
        rf"(?:the |just |only |give me |show ){{0,5}}(?:top|first|newest|latest"
        rf"|most recent) {NUM}(?! ?(?:{phrases.PAGES})(?!\w))(?! (?:words?"
        rf"|letters?|characters?|chars|digits?|sentences?|columns?|paragraphs?|lines? of|days?|years?)(?!\w))"
        rf"|(?:limit(?:ed)?(?: it| them| the (?:output|results?|list))?(?: to)?|at most|no more than"
        rf"|not more than|max(?:imum)?(?: of)?|up to|only|just|stop after)(?: the)? {NUM} (?:{_ROWS})"
        rf"|limit(?:ed)?(?: it| them| the (?:output|results?|list"
        rf"|rows))?(?: to)?[: =]+{NUM}(?! ?(?:{phrases.PAGES})(?!\w))"
        rf"|(?:(?:nur |bloß )?(?:die|der|den) )?(?:ersten|obersten|besten"
        rf"|top) {NUM}(?! (?:{phrases.PAGES})(?!\w))|(?:höchstens|maximal|nur|bis zu) {NUM} (?:{_ROWS})"
        rf"|(?:les |des )?(?:{NUM} premi(?:er|ère)s|premi(?:er|ère)s {NUM})(?! (?:{phrases.PAGES})(?!\w))"
        rf"|(?:au (?:plus|maximum)|maximum) {NUM} (?:{_ROWS})"
        rf"|(?:l[oa]s |[oa]s )?(?:(?:primer[oa]s|primeir[oa]s|mejores|melhores) {NUM}|{NUM} (?:primer[oa]s"
        rf"|primeir[oa]s|mejores|melhores))(?! (?:{phrases.PAGES})(?!\w))|(?:como máximo|máximo|no máximo"
        rf"|hasta|até) {NUM} (?:{_ROWS})"
        rf"|(?:i |le |gli )?(?:prim[ie] {NUM}|{NUM} prim[ie])(?! (?:{phrases.PAGES})(?!\w))|(?:al massimo"
        rf"|massimo|fino a) {NUM} (?:{_ROWS})|(?:de )?eerste {NUM}(?! (?:{phrases.PAGES})(?!\w))|(?:hoogstens"
        rf"|maximaal|hooguit) {NUM} (?:{_ROWS})"
        rf"|pierwsz(?:e|ych|ych) {NUM}(?! (?:{phrases.PAGES})(?!\w))|(?:najwyżej"
        rf"|maksymalnie) {NUM} (?:{_ROWS})|(?:prvních|první|prvé) {NUM}(?! (?:{phrases.PAGES})(?!\w))"
        rf"|(?:nejvýše|maximálně) {NUM} (?:{_ROWS})"
        rf"|перв(?:ые|ых) {NUM}(?! (?:{phrases.PAGES})(?!\w))|(?:не более|максимум"
        rf"|топ)[- ]?{NUM}(?: (?:{_ROWS}))?|ilk {NUM}(?! (?:{phrases.PAGES})(?!\w))|en fazla {NUM} (?:{_ROWS})"
        rf"|(?:az )?első {NUM}(?! (?:{phrases.PAGES})(?!\w))|legfeljebb {NUM} (?:{_ROWS})",
        rf"前 ?{NUM} ?(?:个|個|条|條|名|项|項|本|篇|则|則|位|款|件)|(?:最多"
        rf"|至多) ?{NUM} ?(?:个|個|条|條|项|項)|(?:最初|先頭|上位"
        rf"|トップ)の? ?{NUM} ?(?:件|個|つ|位|冊)?(?! ?ページ)|(?:상위|처음|최대"
        rf"|첫) ?{NUM} ?(?:개|건|권|명)(?! ?(?:의 )?페이지)",
    ),
    phrase(rf"limit[: =]+{NUM}"),
)
_ONE = phrase(
    r"(?:the |only the |just the ){0,5}first (?:result|item|entry|article|row|hit|record|product|post|story"
    r"|listing)(?! page)(?! of (?:each|every))|(?:das|der|die|den) (?:erste|ersten) (?:ergebnis|eintrag"
    r"|artikel|treffer|zeile|produkt)"
    r"|(?:le|la) premi(?:er|ère) (?:résultat|article|ligne|produit|entrée)|el primer (?:resultado|artículo"
    r"|producto|elemento)|il primo (?:risultato|articolo|prodotto|elemento)|het eerste (?:resultaat|artikel"
    r"|product|item)|o primeiro (?:resultado|artigo|produto|item)",
    r"第一(?:个|個|条|條|篇)(?:结果|結果|文章|商品|产品)?|最初の1件|첫 ?번째 (?:결과|항목|기사|상품)",
)


def _limits(text: Text) -> Iterator[Clause]:
    for pattern in _LIMITS:
        for match in text.top(pattern, 0, len(text.low)):
            value = next(g for g in match.groups() if g)
            yield Clause("limit", match.start(), match.end(), number(value))
    for match in text.top(_ONE, 0, len(text.low)):
        yield Clause("limit", match.start(), match.end(), 1)


_EXCLUDE = phrase(
    r"(?:but |and |please ){0,5}(?:skip(?:ping)?|leav(?:e|ing) out|exclud(?:e|ing)|except(?: for)?|omit(?:ting)?"
    r"|drop(?:ping)?|ignor(?:e|ing)|disregard(?:ing)?|do not include|don't include|not including"
    r"|without counting|other than|filter(?:ing)? out|apart from|not counting|minus"
    r"|(?:that|which|who)(?: are|'re| is| were| was)(?: not|n't)(?! (?:in|on|from|at|yet|the|an?|listed|shown)(?!\w)))"
    r"(?: all| any)?(?! empty)"
    r"|(?:aber |und ){0,5}(?:ohne|außer|ausser|abgesehen von|überspringe?|lass(?:e)?(?= [^.;]{1,60} (?:weg|aus))"
    r"|ignoriere?|ausgenommen|mit ausnahme)|(?:sauf|excepté|hormis|en excluant|exclu(?:s|re|ez)|ignore[rz]?"
    r"|saute[rz]?|à l'exception d)"
    r"|(?:excepto|salvo|menos(?! (?:de )?\d)|excluyendo|excluye|omite|omitir|omitiendo|ignora(?:r|ndo)?|sin incluir)"
    r"|(?:eccetto|tranne|escluso|esclus[ei]|escludi|escludendo|ignora(?:ndo)?|salta(?:ndo)?|a parte)"
    r"|(?:behalve|sla over|uitgezonderd|exclusief|negeer)"
    r"|(?:exceto|salvo|excluindo|exclua|ignore|pule)|(?:oprócz|poza|z wyjątkiem|pomiń|pomijając"
    r"|z pominięciem)|(?:kromě|vyjma|mimo|vynech(?:ej|te)?|přeskoč)|(?:кроме|за исключением|исключая"
    r"|исключи(?:ть|в)?|пропусти(?:ть|в)?|пропуская|не включая)|(?:kivéve|hagyd ki|kihagyva)",
    r"(?:不要|不包括|不包含|排除|跳过|跳過|忽略|去掉|除了)",
)
_WITHOUT = phrase(
    r"(?:but |and ){0,2}(?:without|excl\.?|sans|sin|senza|zonder|sem|bez|без)(?: any| the)?"
    r"|(?<=[.,;] )(?:no|keine[nrs]?|pas de|geen|nessun\w{0,2})"
)
_EXCLUDE_AFTER = phrase(
    r"(?:hariç|dışında|olmadan|kivételével|nélkül|weglassen|auslassen|überspringen|ignorieren|weg|overslaan"
    r"|weglaten)",
    r"(?:以外|を除[いくき]\w*|は除外\w*|을? ?제외(?:하고|한)?|를? ?제외(?:하고|한)?|除外|除く)",
)
_INSTRUMENTS = Pattern(
    r"^(?:the |an? |any |einen? |une? |un |una |een ){0,5}(?:browsers?|javascript|js|selenium|playwright"
    r"|puppeteer|api|headless\w*|login|logging|running|using|clicking|pandas|scrapy|external|extra|further"
    r"|(?:quotation|quote|footnote|reference)(?: |-)?(?:marks?|signs?)|anführungszeichen|guillemets|comillas|virgolette"
    r"|ado|header\w*|duplicates?|repeats?|pagination|paging|"
    r"blanks?|robots\w*|quotes|index|html|tags?|markup|wrappers?|fuss|problem\w*|errors?|currency|duplikate"
    r"|dubletten|doppelte|paginierung|doublons|duplicados|repetid\w+|duplicati|paginazione|navigateur"
    r"|navegador|browsera|браузера|cookies?|pager|rest|case|everything|whitespace"
    r"|weitere[nr]? seiten?|paginacji|stránkování|пагинаци\w+|paginação|paginering|повтор\w+|дублик\w+|powtórzeń"
    r"|duplik\w+|duplic\w+|repetiç\w+|herhaling\w*|dubbel\w+|opakování|le symbole|el símbolo|símbolo|simbolo)(?!\w)"
)
_EMPTY = Pattern(
    r"(?<!\w)(?:leav(?:e|ing)|keep(?:ing)?|set(?:ting)?|lass(?:e|en)?|laisse[rz]?|deja|dejar|lascia|laat"
    r"|deixe|zostaw|pozostaw|nech(?:ej)?|ponech\w*|остав(?:ь|ить|ляй)\w*"
    r"|hagyd)(?!\w)([^.;:]{0,120}?)(?<!\w)(?:empty|blank|null|none|leer|vides?|vacíos?|vacías?|vuot[oiae]"
    r"|leeg|vazi[oa]s?|puste|prázdn\w+|пуст\w+|üresen)(?!\w)([^.;]{0,120})"
    r"|(?<!\w)(?:the )?([^\W\d]{2,30}) (?:may|can|might|could|is allowed to) (?:also )?(?:be|stay)"
    r" (?:empty|blank|missing|null|absent)(?! ?\))(?!\w)"
    r"|([^\s,.;:\ue000]{1,20})\s*(?:があれば|がなければ空|がない場合は空|이 없으면 비|가 없으면 비)\w*"
)


def _exclusions(text: Text) -> Iterator[Clause]:
    for match in _EMPTY.finditer(text.low):
        if text.depth[match.start()] <= 1:
            start, end = match.start(), match.end()
            names = next((match[group] for group in (1, 3, 4) if match[group] is not None), "")
            # Within brackets the clause ends with them.
            while end > start and text.depth[end - 1] < text.depth[start]:
                end -= 1
            yield Clause("leave-empty", start, end, names)
    for pattern in (_EXCLUDE, _WITHOUT):
        for match in pattern.finditer(text.low):
            if text.depth[match.start()] > 1:
                continue
            end = _phrase_end(text, match.end(), text.depth[match.start()])
            what = text.said(match.end(), end)
            if what and _INSTRUMENTS.match(what.lower()):
                yield Clause("manner", match.start(), end)
                continue
            if not what or len(what) > 200:
                continue
            yield Clause("exclude", match.start(), end, what)
    for match in text.top(_EXCLUDE_AFTER, 0, len(text.low)):
        start = max(text.low.rfind(c, 0, match.start()) for c in ",.;:\n、。！") + 1
        start = max(start, match.start() - 60)
        for other in re.finditer(f"{URL}+", text.low[start : match.start()]):
            start += other.end()
            break
        what = re.sub(r"^(?:but|ve|aber|und|ohne|a|az|的)\s+", "", text.said(start, match.start()))
        if what and not _INSTRUMENTS.match(what.lower()):
            yield Clause("exclude", start, match.end(), what)


_PHRASE_END = Pattern(r"[,;:.!?)\]\n—–。、]")
_NEXT_VERB = Pattern(
    r"(?<!\w)(?:and|und|et|y|e|en|i|a|и|ve|és) (?:sort|save|write|store|export|output|return|emit|keep|order"
    r"|give|follow|speicher|sortier|exportier|enregistr|trie|guarda|ordena|ordina|salva|sorteer|bewaar"
    r"|posortuj|zapisz|seřaď|ulož|сохрани|отсортируй|kaydet|sırala)\w*"
)


def _phrase_end(text: Text, at: int, depth: int) -> int:
    """Where the phrase that goes on at `at` ends: at a mark of its own depth, or where the brackets around it close."""
    limit = min(len(text.low), at + 400)
    stop = _NEXT_VERB.search(text.low, at, limit)
    if stop:
        limit = stop.start()
    for match in _PHRASE_END.finditer(text.low, at, limit):
        here = text.depth[match.start()]
        if here < depth or (match[0] in ")]" and here == depth and depth > 0):
            return match.start()
        if here == depth and match[0] not in ")]":
            if match[0] == "." and match.end() < len(text.low) and not text.low[match.end()].isspace():
                continue
            return match.start()
    return limit


_PAGING_WORDS = Pattern(
    r"(?:the |a |all |every |each ){0,5}['\"“]?(?:pagination|paging|pager|next|more|older|paginierung|paginación"
    r"|paginazione|paginering|paginação|stránkování|пагинаци\w+|page(?:s)? (?:links?|numbers?))(?!\w)"
)
_FOLLOW_STOP = Pattern(
    r"(?<!\w)(?:and|to|for|then|und|um|et|pour|y|para|e|per|en|om|i|a|и|чтобы|ve|és|of|on|in|at|from|von|auf"
    r"|de|su|op|z|na|with|that)(?!\w)|[,;:.()\n—を]|을|를|페이지|页|頁|ページ"
)


def _follows(text: Text) -> Iterator[Clause]:
    for match in phrases.FOLLOW.finditer(text.low):
        if text.depth[match.start()] > 0:
            continue
        rest = text.low[match.end() : match.end() + 90]
        lead = len(rest) - len(rest.lstrip())
        if rest.lstrip().startswith(URL) or _PAGING_WORDS.match(rest.lstrip()) or URL in rest[:12]:
            yield from _second_object(text, match.end() + lead)
            continue
        if _is_next(rest) or not _chooses(match[0]):
            continue
        end, words = _follow_words(text, match.end() + lead)
        yield Clause("follow", match.start(), max(end, match.end()), words)
    for match in phrases.DETAIL.finditer(text.low):
        words = tuple(w for w in re.findall(r"[^\W\d_]{2,}", match[0]) if w not in _DETAIL_NOISE)
        yield Clause("follow", match.start(), match.end(), words[:3] or ("detail",))


_DETAIL_NOISE = word_set(
    """from on in via of the its their each every his her own page pages individual separate linked link links s
    von aus auf der den die de la les sur dans"""
)
_CHOOSING = Pattern(
    r"(?<!\w)(?:each|every|all|its|their|it|them|the|jede[nrs]?|alle|jedem|allen|chaque|tou\w+|cada|tod\w+"
    r"|ogni|tutt\w+|elke|kaž\w+|każ\w+|wszystkie|všechny|кажд\w+|все\w*|her|minden|összes|mindegyik)(?!\w)"
    r"|[\u3040-\u9fff\uac00-\ud7af]|страниц"
)


def _chooses(low: str) -> bool:
    return bool(_CHOOSING.search(low))


def _is_next(low: str) -> bool:
    return bool(
        re.match(
            r"\s*['\"“]?(?:next|more|older|page|pages|site|website|url|search|home|pagina'?s?|seiten?"
            r"|páginas?|pagine|stron\w*|strán\w*|страниц\w*|sayfa\w*|oldal\w*)(?!\w)(?! title)",
            low,
        )
    ) and not re.match(r"\s*page of", low)


def _second_object(text: Text, at: int) -> Iterator[Clause]:
    """The second thing in "follow the pagination and every author link"."""
    more = Pattern(
        r"(?:[^,.;:()\n]{0,40}?)(?<!\w)(?:and|und|et|y|e|en|i|a|и|ve|és) (?:also |then )?(?:each|every|all"
        r"|the|jede[nrs]?|alle|den|chaque|tous les|cada|todos los|ogni|elke|każdy|każdego|každý|кажд\w+"
        r"|все)(?: the)? "
    )
    match = more.match(text.low, at)
    if match:
        end, words = _follow_words(text, match.end())
        if words and not any(w in ("page", "pages", "next") for w in words):
            yield Clause("follow", at, end, words)


def _follow_words(text: Text, at: int) -> tuple[int, tuple[str, ...]]:
    limit = min(len(text.low), at + 80)
    end = limit
    for match in _FOLLOW_STOP.finditer(text.low, at, limit):
        if text.depth[match.start()] == 0 or (
            text.depth[match.start()] == text.depth[max(at - 1, 0)] and match[0] in ".:;"
        ):
            end = match.start()
            break
    words = re.findall(r"[^\W\d_]{2,}", text.low[at:end])
    noise = (
        "link",
        "links",
        "page",
        "pages",
        "the",
        "url",
        "its",
        "their",
        "each",
        "every",
        "seite",
        "lien",
        "it",
        "them",
    )
    return end, tuple(w for w in words if w not in noise and URL not in w)[:4]
