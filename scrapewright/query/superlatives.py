"""Reads "the 3 cheapest", "top 10 highest rated", "les 5 moins chers", "最安の3件": how many, by what, which way.

A superlative means a column ("cheapest": the price) or a mere direction ("largest"), whose column is then looked for
among those asked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from scrapewright.query.lexicon import concepts_of
from scrapewright.query.model import Field
from scrapewright.query.order import says_direction
from scrapewright.query.pattern import Pattern
from scrapewright.query.phrases import NUM, PAGES, number
from scrapewright.query.text import Text
from scrapewright.query.wordlist import word_set


class Superlative(msgspec.Struct, frozen=True):
    """What stands at `spans`. `meaning` names a concept of the lexicon or a key of HINTS; `column`: the words of a
    column named with it ("with the most votes"); `limit` None: no number was said."""

    spans: tuple[tuple[int, int], ...]
    meaning: str
    descending: bool
    limit: int | None = None
    column: tuple[str, ...] = ()
    sure: bool = True
    """It can only be meant so. "Best" and "latest" are often no more than praise."""

    @property
    def start(self) -> int:
        return min(a for a, _ in self.spans)

    @property
    def end(self) -> int:
        return max(b for _, b in self.spans)


_RU = r"сам(?:ые|ых|ый|ая|ую|ое|ого|ой) "
_RO = r"cel(?:e|or|or|ui)? mai "
# (meaning, falling, words of scripts with spaces, words of scripts without)
_WORDS: tuple[tuple[str, bool, str, str], ...] = (
    (
        "price", False,
        r"cheapest|least expensive|lowest[- ]priced?(?! \w+ (?:first|column))|most affordable|most inexpensive"
        r"|(?:günstigst|billigst|preiswertest|preisgünstigst)e[nrsm]?|moins (?:chers?|chères?|coûteu(?:x|ses?))|plus"
        r" abordables?|más (?:barat|económic)[oa]s?|menos car[oa]s|(?:più economic|meno costos|meno car)\w{1,3}"
        r"|goedkoopste|mais (?:barat|econômic|económic)[oa]s?|najtańsz\w+|nejlevnějš\w+"
        rf"|{_RU}(?:деше?[вё]\w+|недорог\w+)|дешевейш\w+|en (?:ucuz|uygun fiyatlı)|legolcsóbb\w*|billigaste"
        rf"|{_RO}ieftin\w+|найдешевш\w+",
        r"最安値?|最も安い|一番安い|最(?:便宜|低价|低價|实惠|實惠)|(?:가장|제일) ?(?:저렴한|싼)|최저가",
    ),
    (
        "price", True,
        r"most expensive|priciest|dearest|costliest|highest[- ]priced|(?:teuerst|kostspieligst)e[nrsm]?"
        r"|plus (?:chers?|chères?|coûteu(?:x|ses?))|más (?:car[oa]s?|costos[oa]s?)|(?:più car|più costos)\w{1,3}"
        rf"|duurste|mais car[oa]s?|najdroższ\w+|nejdražš\w+|{_RU}дорог\w+|дорож(?:айш)\w+|en pahalı|legdrágább\w*"
        rf"|dyraste|dyreste|{_RO}scump\w+|найдорожч\w+",
        r"最高値|最も高価な|一番高い|最高価格|最(?:贵|貴|昂贵|昂貴)|(?:가장|제일) ?비싼|최고가",
    ),
    (
        "rating", True,
        r"(?:highest|best|top)[- ]rated|best[- ]reviewed|(?:best|höchst)bewertete[nrsm]?|am (?:besten|höchsten)"
        r" bewerteten?|mieux not(?:é|ée|és|ées)|mejor (?:valorad|puntuad|calificad)[oa]s?"
        r"|(?:meglio|più) (?:recensit|valutat|votat)[oiae]|best (?:beoordeelde|gewaardeerde)"
        r"|(?:mais bem|melhor) avaliad[oa]s?|najlepiej ocenian\w+|najwyżej ocenian\w+|nejlépe hodnocen\w+"
        r"|с (?:самым высоким|наивысшим|лучшим) рейтингом|en yüksek puanlı|legjobbra értékelt"
        r"|legjobb értékelésű",
        r"(?:评分|評分)最高|最高評価|(?:最も|一番)?評価の(?:最も)?高い|(?:평점|별점)이? ?(?:가장|제일) ?높은",
    ),
    (
        "rating", False,
        r"(?:lowest|worst)[- ]rated|(?:am )?schlechtest(?:en)?[ -]?bewertete[nrsm]?"
        r"|moins bien not(?:é|ée|és|ées)|peor (?:valorad|puntuad)[oa]s?|pior avaliad[oa]s?|slechtst beoordeelde"
        r"|najgorzej ocenian\w+|nejhůře hodnocen\w+",
        r"(?:评分|評分)最低|(?:最も)?評価の低い",
    ),
    (
        "date", False,
        r"oldest|earliest|älteste[nrsm]?|frühest(?:e|en)|plus ancien(?:ne)?s?|más antigu[oa]s?|más viej[oa]s?"
        r"|più (?:vecchi\w?|antic\w{1,2})|oudste|mais antig[oa]s?|najstarsz\w+|nejstarš\w+"
        rf"|{_RU}(?:стар|ранн)\w+|старейш\w+|en eski|legrégebbi\w*|äldsta|ældste|{_RO}vechi\w*|найстаріш\w+",
        r"最古|最も古い|一番古い|最早|最旧|最舊|(?:가장|제일) ?오래된",
    ),
    (
        "size", True,
        r"largest|biggest|greatest|größte[nrsm]?|plus (?:grand|gros)(?:e|se)?s?|más grandes?|mayores"
        r"|più grand[ei]|maggiori|grootste|maiores|największ\w+|největš\w+|крупнейш\w+"
        rf"|{_RU}(?:больш|крупн)\w+|en büyük|legnagyobb\w*|största|største|{_RO}mari|найбільш\w+",
        r"最大|最も大きい|一番大きい|(?:가장|제일) ?큰",
    ),
    (
        "size", False,
        r"smallest|tiniest|kleinste[nrsm]?|plus petit(?:e)?s?|más pequeñ[oa]s?|menores|più piccol\w|kleinste"
        rf"|najmniejsz\w+|nejmenš\w+|{_RU}мал\w+|en küçük|legkisebb\w*|minsta|mindste|{_RO}mici|найменш\w+",
        r"最小|最も小さい|(?:가장|제일) ?작은",
    ),
    (
        "length", True,
        r"longest|längste[nrsm]?|plus long(?:ue)?s?|más larg[oa]s?|più lung\w{1,2}|langste|mais long[oa]s?"
        rf"|najdłuższ\w+|nejdelš\w+|{_RU}(?:длинн|долг)\w+|en uzun|leghosszabb\w*|längsta|længste|{_RO}lung\w",
        r"最长|最長|最も長い|(?:가장|제일) ?긴",
    ),
    (
        "length", False,
        r"shortest|kürzeste[nrsm]?|plus court(?:e)?s?|más cort[oa]s?|più (?:cort\w|brev[ei])|kortste"
        rf"|mais curt[oa]s?|najkrótsz\w+|nejkratš\w+|{_RU}(?:коротк|кратк)\w+|en kısa|legrövidebb\w*|kortaste|korteste",
        r"最短|最も短い|(?:가장|제일) ?짧은",
    ),
    (
        "height", True,
        r"tallest|highest|höchste[nrsm]?|plus haut(?:e)?s?|más alt[oa]s?|più alt\w|hoogste|mais alt[oa]s?"
        rf"|najwyższ\w+|nejvyšš\w+|{_RU}высок\w+|en yüksek|legmagasabb\w*|högsta|højeste",
        r"最高(?![値価])|最も高い|(?:가장|제일) ?높은",
    ),
    (
        "height", False,
        r"lowest|niedrigste[nrsm]?|plus bas(?:se)?s?|más baj[oa]s?|più bass\w|laagste|mais baix[oa]s?|najniższ\w+"
        rf"|nejnižš\w+|{_RU}низк\w+|en düşük|legalacsonyabb\w*|lägsta|laveste",
        r"最低(?![价價])|最も低い|(?:가장|제일) ?낮은",
    ),
    (
        "population", True,
        r"most populous|most populated|bevölkerungsreichste[nrsm]?|einwohnerstärkste[nrsm]?|plus peuplé(?:e)?s?"
        r"|más poblad[oa]s?|più popolos[oaei]|mais populos[oa]s?|mais povoad[oa]s?|meest bevolkte|najludniejsz\w+"
        r"|nejlidnatějš\w+|самы[ехй] населённы[ехй]|самы[ехй] населенны[ехй]|en kalabalık|legnépesebb\w*",
        r"人口最多|人口の(?:最も)?多い",
    ),
    ("population", False, r"least populous|least populated|moins peuplé(?:e)?s?|menos poblad[oa]s?", r"人口最少"),
    ("weight", True, r"heaviest|schwerste[nrsm]?|plus lourd(?:e)?s?|más pesad[oa]s?|più pesant[ei]|zwaarste", r"最重"),
    ("weight", False,
        r"lightest|leichteste[nrsm]?|plus lég(?:er|ère)s?|más liger[oa]s?|più legger[ei]|lichtste", r"最轻"),
    (
        "popularity", True,
        r"most (?:popular|viewed|visited|forked|installed|read|downloaded|starred|liked|voted|upvoted|commented"
        r"|discussed|reviewed|played|cited|watched|followed)|(?:beliebtest|populärst|meistgelesen|meistgesehen|meistverkauft)e[nrsm]?"
        r"|plus (?:populaires?|lu(?:e)?s?|vu(?:e)?s?|commenté(?:e)?s?)|más (?:populares|vistos|vistas|leíd[oa]s"
        r"|votad[oa]s)"
        r"|più (?:popolari|lett[ie]|vist[ie])|populairste|meest gelezen|mais (?:populares|vist[oa]s|lid[oa]s)"
        rf"|najpopularniejsz\w+|nejoblíbenějš\w+|{_RU}популярн\w+|en (?:popüler|çok okunan)|legnépszerűbb\w*"
        rf"|populäraste|mest populære|{_RO}popular\w+",
        r"最受欢迎|最受歡迎|最热门|最も人気の(?:ある)?|人気の高い|(?:가장|제일) ?인기 ?있는",
    ),
    (
        "age", False,
        r"youngest|jüngste[nrsm]?|plus jeunes?|más jóvenes|más joven|più giovan[ei]|jongste|mais (?:jovens|nov[oa]s)"
        rf"|najmłodsz\w+|nejmladš\w+|{_RU}молод\w+|en genç|legfiatalabb\w*", r"最年轻|最年少|最も若い",
    ),
)  # fmt: skip
# "The last 10 posts" are the newest; "the last 10 rows" may be the end of the list, "the last 10 days" a time.
_LAST_OF = (
    r"last(?= (?:\d{1,4}|two|three|four|five|six|seven|eight|nine|ten|twenty) (?:[^\W\d_]+ )?(?:posts?|news|articles?"
    r"|stories|entries|episodes?|releases?|versions?|updates?|announcements?|videos?|comments?|messages?|headlines?"
    r"|commits?|threads?|topics?|issues?|press releases|reports?|results?|matches|games|papers?|photos?)(?!\w))"
)

# Often no more than praise or a habit of speech, so they count only beside a number.
_LOOSE: tuple[tuple[str, bool, str, str], ...] = (
    (
        "date", True,
        rf"newest|latest|most recent(?:ly \w+)?|{_LAST_OF}|neueste[nrsm]?|aktuellste[nrsm]?|letzten|plus récent(?:e)?s?"
        r"|derni(?:er|ère)s|más (?:recientes?|nuev[oa]s?)|últim[oa]s|più (?:recent[ei]|nuov[ie])|ultim[ie]|nieuwste"
        r"|recentste|laatste|mais recentes?|najnowsz\w+|ostatni(?:e|ch)|nejnovějš\w+|posledních"
        rf"|{_RU}(?:нов|свеж)\w+|новейш\w+|последни[ехй]|en (?:yeni|son)|legújabb\w*|legfrissebb\w*"
        rf"|legutóbbi|nyaste|senaste|nyeste|seneste|{_RO}(?:noi|recent\w*)|ultimele|найновіш\w+|останні\w*",
        r"最新|最も新しい|(?:가장 ?)?최신|가장 ?최근",
    ),
    (
        "rating", True,
        r"best|beste[nrsm]?|meilleur(?:e)?s?|mejor(?:es)?|miglior[ei]?|melhor(?:es)?|najlepsz\w+|nejlepš\w+"
        rf"|лучши[ехй]|en iyi|legjobb\w*|bästa|bedste|{_RO}bun[ei]|найкращ\w+",
        r"最好|最佳|(?:가장|제일) ?좋은",
    ),
    (
        "rating", False,
        r"worst|schlechteste[nrsm]?|pires?|peor(?:es)?|peggior[ei]|slechtste|pior(?:es)?|najgorsz\w+|nejhorš\w+"
        rf"|худши[ехй]|en kötü|legrosszabb\w*|sämsta|{_RU}плох\w+",
        r"最差|最悪",
    ),
)  # fmt: skip

HINTS: dict[str, frozenset[str]] = {
    "size": word_set(
        """size area population inhabitants employees staff volume acreage sqm surface capacity market_cap revenue
        größe fläche einwohner einwohnerzahl mitarbeiter taille surface superficie habitants population tamaño
        superficie población habitantes dimensione superficie popolazione abitanti grootte oppervlakte inwoners tamanho
        área população powierzchnia ludność rozloha obyvatel площадь население размер alan nüfus terület népesség"""
    ),
    "population": word_set(
        """population inhabitants einwohner einwohnerzahl bevölkerung habitants población habitantes popolazione
        abitanti inwoners população ludność obyvatel население nüfus népesség lakosság 人口"""
    ),
    "length": word_set(
        """length duration runtime pages distance time minutes länge dauer laufzeit seiten longueur durée pages largo
        duración longitud páginas lunghezza durata pagine lengte duur comprimento duração długość délka длина
        длительность uzunluk süre hossz"""
    ),
    "height": word_set(
        """height elevation altitude floors höhe hauteur altitude altura altitud altezza altitudine hoogte altitude
        wysokość výška высота yükseklik magasság prominence"""
    ),
    "weight": word_set("weight mass gewicht poids peso gewicht waga hmotnost вес ağırlık súly"),
    "popularity": word_set(
        """popularity views votes downloads stars likes followers upvotes points score comments reviews sales plays
        citations reads aufrufe stimmen vues votes vistas votos visualizzazioni voti weergaven visualizações głosy
        hlasy просмотры голоса oy görüntülenme subscribers installs review_count rating_count"""
    ),
    "age": word_set("age alter âge edad età leeftijd idade wiek věk возраст yaş kor"),
}
"""What a column may be called that a mere direction speaks of."""

_YEARS = word_set("year jahr année annee año anno jaar ano rok год yıl év 年 年份 年度 founded established born built")


def _united(table: Sequence[tuple[str, bool, str, str]], prefix: str) -> tuple[str, str]:
    spaced = "|".join(f"(?P<{prefix}{n}>{words})" for n, (_, _, words, _) in enumerate(table))
    plain = "|".join(f"(?P<{prefix}c{n}>{words})" for n, (_, _, _, words) in enumerate(table))
    return spaced, plain


_BOTH = _WORDS + _LOOSE
_SPACED, _DENSE = _united(_BOTH, "k")
_ART = (
    r"(?:the|all the|only the|just the|my|die|der|das|den|les|des|le|la|los|las|el|gli|i|il|lo|de|het|os|as|o|a|az"
    r"|te|tych|ty|эти|those|top)"
)
_GAP = r"(?:[^\s,;:.()\d\ue000]{2,30} ){1,3}"
_NOPAGE = rf"(?! (?:{PAGES})(?!\w))"
_UNIT = r"(?:个|個|条|條|名|项|項|本|篇|则|則|位|款|件|部|家|种|種|つ|冊|社|건|개|권|명|곳|편)"
_NUM = NUM[:-1] + r"|dozen)"
# What the large patterns can't do without: most requests hold no superlative, or no number beside it.
_SAID = Pattern("|".join(words for _, _, words, _ in _BOTH))
_SAID_DENSE = Pattern("|".join(words for _, _, _, words in _BOTH))
_NUMBER = Pattern(_NUM)
_PATTERNS = (
    # "the 3 cheapest", "die 3 billigsten", "les 5 moins chers"
    Pattern(rf"(?<!\w)(?:{_ART} ){{0,3}}{_NUM} (?:{_ART} )?(?:{_SPACED})(?!\w){_NOPAGE}", needs=(_NUMBER, _SAID)),
    # "cheapest 10", "en ucuz 5"
    Pattern(
        rf"(?<!\w)(?:{_ART} ){{0,3}}(?:{_SPACED}) {_NUM}(?!\w){_NOPAGE}(?! (?:days?|weeks?|months?|years?)(?!\w))",
        needs=(_NUMBER, _SAID),
    ),
    Pattern(rf"(?:{_DENSE})的?の? ?(?:前|上位)? ?{_NUM} ?{_UNIT}?", needs=(_SAID_DENSE,)),
    Pattern(rf"{_NUM} ?{_UNIT}?(?:の)?(?:{_DENSE})的?", needs=(_SAID_DENSE,)),
)
# "les 5 livres les moins chers", "los 3 libros más baratos": the noun stands between.
_AROUND = Pattern(
    rf"(?<!\w)(?P<lead>(?:(?:les|los|las|i|gli|le|os|as|cele|those|the) ){{1,2}}{_NUM}) (?P<gap>{_GAP}?)"
    rf"(?:(?:les|los|las|i|gli|le|os|as) )?(?:{_SPACED})(?!\w)",
    needs=(_NUMBER, _SAID),
)
# No number: "the cheapest book", "das günstigste Buch", "le livre le moins cher", "самую дешёвую книгу".
_ONE = Pattern(
    rf"(?<!\w)(?:(?P<art>{_ART}) )(?:{_united(_WORDS, 'k')[0]})(?!\w)(?= (?P<noun>[^\s,;:.()\ue000]{{3,40}}))",
    needs=(_SAID,),
)
_ONE_AFTER = Pattern(
    rf"(?<!\w)(?:le|la|el|il|lo|o|a) (?:[^\s,;:.()\d\ue000]{{3,30}} ){{1,2}}(?:(?:le|la|il) )?"
    rf"(?P<sup>{_united(_WORDS, 'k')[0]})(?!\w)",
    needs=(_SAID,),
)
_MORE = (
    r"(?P<desc>highest|most|largest|biggest|greatest|best|longest|höchsten?|meisten|größten?|le plus (?:de|d')|la plus"
    r" (?:grande|haute)|les plus (?:hautes|grandes)|la meilleure|le meilleur|más|mayor|más alt[oa]|mejor|più"
    r"|il maggior(?: numero di)?|la più alta|il più alto|meeste|hoogste|grootste|mais|maior|największą(?: liczbą)?"
    r"|najwyższ(?:ą|ym)|nejvíce|nejvyšš\w+|наибольшим(?: количеством| числом)?|самым большим(?: количеством"
    r"| числом)?|самым высоким|самой высокой|legtöbb|legmagasabb)"
)
_LESS = (
    r"(?P<asc>lowest|fewest|least|smallest|shortest|cheapest|niedrigsten?|wenigsten|kleinsten?|le moins (?:de|d')"
    r"|la plus (?:basse|petite)|menos|menor|más baj[oa]|meno|la più bassa|il più basso|minste|laagste|najmniejszą"
    r"|najniższ(?:ą|ym)|nejméně|nejnižš\w+|наименьшим(?: количеством| числом)?|самым низким|самой низкой|legkevesebb"
    r"|legalacsonyabb)"
)
_WITH = Pattern(
    r"(?<!\w)(?:with|having|that have|mit|avec|con|met|com|z|ze|s|se|с|со|a) (?:(?:the|dem|den|der|die|de|het|a|o|el"
    rf"|la|il|lo|az) )?(?:{_MORE}|{_LESS}) ?(?P<column>[^\s,;:.()\ue000]{{2,40}}(?: [^\s,;:.()\ue000]{{2,40}})?)"
)
_COUNTED = Pattern(rf"(?<!\w)(?:(?:{_ART}|only|just|give me|list|get|find|show|first) ){{1,3}}{_NUM} (?!{PAGES})")
_TOP = Pattern(
    rf"(?<!\w)(?:the )?(?:top|besten|obersten|mejores|meilleurs|migliori|melhores) {_NUM}(?!\w)"
    rf"|(?:上位|トップ|前) ?{_NUM} ?{_UNIT}?|топ[- ]?{_NUM}(?!\w)"
)
_FIRST_AFTER = Pattern(r" (?:\w+ )?(?:first|ones first|on top|zuerst|primero|d'abord|en premier|eerst|prima)(?!\w)")
_TOP_BY = Pattern(
    r"(?: (?!by )[^\s,;:.()\ue000]{2,30}){0,2} (?:by|nach|par|por|per|op|según|secondo|volgens|według|podle|по|efter)"
    r"(?: (?:the|dem|der|den|le|la|el|il|de|het|o|a))? ([^\s,;:.()\ue000]{2,40})"
)
_NAMED = Pattern(r" ([^\s,;:.()\ue000]{3,40})")
_PLACES = word_set("column field value row cell price prices date rating version release")


def find_superlatives(text: Text) -> list[Superlative]:
    """All superlatives that choose rows, by position, outside brackets and quotes. What puts rows first ("cheapest
    first") is an order and none of these."""
    found: list[Superlative] = []

    def add(one: Superlative) -> None:
        taken = any(a < d and c < b for other in found for a, b in other.spans for c, d in one.spans)
        if not taken and all(text.depth[a] == 0 for a, _ in one.spans):
            found.append(one)

    for match in _WITH.finditer(text.low):
        words = _column_words(match["column"])
        if words:
            limit, spans = _counted_before(text, match.start())
            stop = match.start("column") + _reach(match["column"], words)
            add(Superlative((*spans, (match.start(), stop)), "", bool(match["desc"]), limit, words))
    for match in _TOP.finditer(text.low):
        by = _TOP_BY.match(text.low, match.end())
        if by and concepts_of([by[1]]) and not says_direction(text.low[by.end(1) : by.end(1) + 30]):
            marked = text.low.rindex(" ", 0, by.start(1))
            span = (text.low.rindex(" ", 0, marked) + 1, by.end(1))
            add(Superlative((match.span(), span), "", True, _count(match), (by[1],)))
    for match in _AROUND.finditer(text.low):
        if _FIRST_AFTER.match(text.low, match.end()):
            continue
        meaning, falling, start = _meaning(match)
        lead = (match.start("lead"), match.end("lead"))
        add(Superlative((lead, (max(lead[1], start), match.end())), meaning, falling, _count(match)))
    for pattern in _PATTERNS:
        for match in pattern.finditer(text.low):
            if _FIRST_AFTER.match(text.low, match.end()):
                continue
            meaning, falling, _ = _meaning(match)
            named = _NAMED.match(text.low, match.end()) if meaning in HINTS else None
            words = (named[1],) if named and _is_measure(named[1]) else ()
            add(Superlative((match.span(),), meaning, falling, _count(match), words))
    for match in _ONE.finditer(text.low):
        if match["noun"] in _PLACES or concepts_of([match["noun"]])[:1] in (["price"], ["rating"], ["date"]):
            continue
        if _FIRST_AFTER.match(text.low, match.end()):
            continue
        meaning, falling, _ = _meaning(match)
        add(Superlative((match.span(),), meaning, falling, 1 if _is_one(match) else None, sure=False))
    for match in _ONE_AFTER.finditer(text.low):
        if match["sup"].endswith("s") or _FIRST_AFTER.match(text.low, match.end()):
            continue
        meaning, falling, _ = _meaning(match)
        add(Superlative((match.span("sup"),), meaning, falling, 1, sure=False))
    return sorted(found, key=lambda one: one.start)


def _meaning(match: re.Match[str]) -> tuple[str, bool, int]:
    for name, said in match.groupdict().items():
        if said and name[0] == "k" and name[1:].lstrip("c").isdigit():
            meaning, falling, _, _ = _BOTH[int(name[1:].lstrip("c"))]
            return meaning, falling, match.start(name)
    raise AssertionError(match[0])


def _count(match: re.Match[str]) -> int:
    named = {match.start(n) for n, said in match.groupdict().items() if said}
    for n in range(1, (match.re.groups or 0) + 1):
        if match[n] and match.start(n) not in named and _is_number(match[n]):
            return _value(match[n])
    return next(_value(g) for g in match.groups() if g and _is_number(g))


def _is_number(said: str) -> bool:
    return bool(re.fullmatch(_NUM, said))


def _value(said: str) -> int:
    return 12 if said == "dozen" else number(said)


_ONE_FORMS = Pattern(r"(?:das|der|самый|самая|самую|самое|el|la|il|lo|o|a)(?!\w)")


def _is_one(match: re.Match[str]) -> bool:
    """Whether one thing is meant: "the cheapest book", "das günstigste Buch", not "the cheapest books"."""
    noun, art, said = match["noun"], match["art"], match[0]
    if _ONE_FORMS.match(said) or _ONE_FORMS.match(art):
        return not said.endswith("sten")
    if art in ("the", "only the", "just the"):
        return not noun.endswith("s") or noun.endswith("ss")
    return False


def _column_words(said: str) -> tuple[str, ...]:
    words = re.findall(r"[^\W\d]+(?:-[^\W\d]+)*", said)
    if words and concepts_of(words[:1]):
        return tuple(words[:1]) if len(words) < 2 or not concepts_of(words[1:2]) else tuple(words)
    if len(words) == 2 and concepts_of(words[1:]):
        return tuple(words)
    return ()


def _is_measure(word: str) -> bool:
    return concepts_of([word])[:1] in (["price"], ["rating"], ["count"], ["population"], ["percent"], ["reviews"])


def _reach(said: str, words: Sequence[str]) -> int:
    return said.index(words[-1]) + len(words[-1])


def _counted_before(text: Text, at: int) -> tuple[int | None, tuple[tuple[int, int], ...]]:
    """The number in "the 5 books with the most votes", just before `at` in the same clause."""
    begin = max(0, at - 70)
    begin = max(begin, *(text.low.rfind(mark, begin, at) + 1 for mark in ".;:,\n"))
    last = None
    for match in _COUNTED.finditer(text.low, begin, at):
        last = match
    if last is None:
        return None, ()
    said = next(g for g in last.groups() if g)
    return _value(said), (last.span(),)


def column_of(one: Superlative, fields: Sequence[Field]) -> tuple[tuple[str, ...], bool] | None:
    """The words of the column that it sorts by, and whether falling; None where nothing tells which."""
    if one.column:
        return one.column, one.descending
    if one.meaning in ("price", "rating"):
        return (one.meaning,), one.descending
    if one.meaning == "date":
        dated = [f for f in fields if f.type in ("date", "datetime") or "date" in concepts_of(f.words)]
        if dated:
            return (dated[0].name,), one.descending
        for field in fields:
            names = {*field.words, field.name.lower()}
            if names & HINTS["age"]:
                return (field.name,), not one.descending
            if names & _YEARS:
                return (field.name,), one.descending
        return ("date",), one.descending
    hints = HINTS[one.meaning]
    numeric = [f for f in fields if f.type in ("int", "float")]
    for field in [*numeric, *fields]:
        if hints & {*field.words, field.name.lower()}:
            return (field.name,), one.descending
    counted = [f for f in numeric if not {*f.words} & _RANKS and concepts_of(f.words)[:1] != ["price"]]
    if len(counted) == 1 and one.meaning != "popularity":
        return (counted[0].name,), one.descending
    return None


_RANKS = word_set("rank rang position year jahr année año anno place platz no number nr id index #")


_STRONG_RE = Pattern(rf"(?<!\w)(?:{'|'.join(words for _, _, words, _ in _WORDS)}|most \w+|least \w+)(?!\w)")
_LOOSE_RE = Pattern(rf"(?<!\w)(?:{'|'.join(words for _, _, words, _ in _LOOSE)})(?!\w)")
_DENSE_RE = Pattern("|".join(words for _, _, _, words in _WORDS if words))


def is_superlative(low: str, counted: bool) -> bool:
    """Whether lower-case text holds a superlative; `counted`: a number stands beside it, so that praise counts too."""
    return bool(_STRONG_RE.search(low) or _DENSE_RE.search(low) or (counted and _LOOSE_RE.search(low)))
