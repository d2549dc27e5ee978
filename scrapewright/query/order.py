"""Reads how the rows are to be sorted: keys with directions, or no key (the order of the site)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from scrapewright.query.lexicon import concepts_of
from scrapewright.query.pattern import Pattern
from scrapewright.query.phrases import phrase
from scrapewright.query.text import Text
from scrapewright.query.wordlist import word_set


class OrderClause(msgspec.Struct, frozen=True):
    """A sort key as it was said: words for a column, and the direction."""

    start: int
    end: int
    words: tuple[str, ...]
    descending: bool


DESCENDING = (
    r"descending(?: order)?|desc|(?:from )?(?:the )?(?:high|highest|large|largest|most|big|biggest|new|newest"
    r"|best|z|9) (?:to|-) (?:the )?(?:low|lowest|small|smallest|least|old|oldest|worst|a|0)|z ?- ?a"
    r"|(?:highest|largest|biggest|most|greatest|best|newest|latest|most recent|longest|heaviest"
    r"|top)(?: \w+)?(?: comes?| goes?)? first"
    r"|in reverse(?: order)?|reversed|decreasing|absteigend\w*|(?:höchste[rsn]?|größte[rsn]?|meiste[nr]?"
    r"|beste[rsn]?|neueste[rsn]?|teuerste[rsn]?)(?: \w+)? zuerst|von (?:hoch nach niedrig|groß nach klein)"
    r"|fallend|décroissante?s?|descendante?s?|du plus \w+ au moins \w+|du plus grand au plus petit"
    r"|(?:dal|dalla) più (?:alt[oa]|grande|car[oa]|recente|nuov[oa])(?: al(?:la)? (?:più|meno) \w+)?"
    r"|(?:del|de la|de) más (?:alt[oa]|grande|car[oa]|reciente|nuev[oa])(?: a(?:l| la)? más \w+)?"
    r"|du plus (?:élevé|haut|grand|cher|récent|nouveau)(?: au (?:plus|moins) \w+)?"
    r"|vo[nm] (?:höchsten|größten|teuersten|neuesten) zu[mr]? \w+|von teuer (?:nach|zu) \w+"
    r"|descendentes?|de mayor a menor|de más a menos|decrescent[ei]s?|decreciente"
    r"|dal più \w+ al meno \w+|aflopend\w*|van hoog naar laag|hoogste eerst|duurste eerst|nieuwste eerst"
    r"|do maior (?:para|ao) (?:o )?menor"
    r"|malejąco|od najwyższ\w+(?: do najniższ\w+)?|od najdroższ\w+|od najnowsz\w+|sestupně|od nej(?:vyšší"
    r"|dražší|nov|větší)\w*(?: po nej\w+)?|по убыванию|убывани\w+|от (?:больш\w+|высок\w+|дорог\w+"
    r"|нов\w+) к \w+|azalan(?: sıra\w*)?|büyükten küçüğe|yüksekten düşüğe|pahalıdan ucuza|yeniden eskiye"
    r"|csökkenő(?: sorrend\w*)?|fallande|faldende|descrescător"
)
ASCENDING = (
    r"ascending(?: order)?|asc|(?:from )?(?:the )?(?:low|lowest|small|smallest|least|old|oldest|worst|a"
    r"|0) (?:to|-) (?:the )?(?:high|highest|large|largest|most|big|biggest|new|newest|best|z|9)|a ?- ?z"
    r"|(?:lowest|smallest|least|oldest|earliest|shortest|fewest|cheapest)(?: \w+)?(?: comes?| goes?)? first"
    r"|increasing|alphabetically|in alphabetical order|alphabetical(?: order)?|aufsteigend\w*|alphabetisch"
    r"|(?:niedrigste[rsn]?|kleinste[rsn]?|älteste[rsn]?|billigste[rsn]?|günstigste[rsn]?)(?: \w+)? zuerst"
    r"|von (?:niedrig nach hoch|klein nach groß)|steigend|croissante?s?|ascendante?s?"
    r"|du moins \w+ au plus \w+|du plus petit au plus grand|ordre alphabétique|alphabétique"
    r"|(?:dal|dalla) più (?:bass[oa]|piccol[oa]|economic[oa]|vecchi[oa])(?: al(?:la)? più \w+)?"
    r"|(?:del|de la|de) más (?:baj[oa]|pequeñ[oa]|barat[oa]|antigu[oa])(?: a(?:l| la)? más \w+)?"
    r"|du (?:plus (?:bas|petit|ancien)|moins cher)(?: au plus \w+)?"
    r"|vo[nm] (?:niedrigsten|kleinsten|billigsten|günstigsten|ältesten) zu[mr]? \w+"
    r"|von (?:billig|günstig) (?:nach|zu) \w+"
    r"|ascendentes?|ascendente|de menor a mayor|de menos a más|crescent[ei]s?|creciente"
    r"|dal meno \w+ al più \w+|alfabéticamente|orden alfabético|alfabetic[oa]|oplopend\w*|van laag naar hoog"
    r"|laagste eerst|goedkoopste eerst|oudste eerst|alfabetisch|do menor (?:para|ao) (?:o )?maior"
    r"|ordem alfabética"
    r"|rosnąco|od najniższ\w+(?: do najwyższ\w+)?|od najtańsz\w+|od najstarsz\w+|alfabetycznie|vzestupně"
    r"|od nej(?:nižší|levně|starší|menší)\w*(?: po nej\w+)?|abecedně|по возрастанию|возрастани\w+"
    r"|от (?:меньш\w+|низк\w+|дешев\w+|дешёв\w+|стар\w+) к \w+|по алфавиту|алфавитн\w+|artan(?: sıra\w*)?"
    r"|küçükten büyüğe|düşükten yükseğe|ucuzdan pahalıya|eskiden yeniye|alfabetik(?: sıra\w*)?"
    r"|növekvő(?: sorrend\w*)?|emelkedő|ábécé\w*(?: sorrend\w*)?|stigande|stigende|crescător"
)
_CJK_DESC = (
    r"降序|倒序|从高到低|從高到低|由高到低|从大到小|從大到小|由大到小|从新到旧"
    r"|降順|高い順|大きい順|多い順|新しい順|新着順|내림차순|높은 ?순|큰 ?순|많은 ?순|최신순"
)
_CJK_ASC = (
    r"升序|正序|从低到高|從低到高|由低到高|从小到大|從小到大|由小到大|从旧到新|昇順|安い順|低い順|小さい順|少ない順"
    r"|古い順|오름차순|낮은 ?순|작은 ?순|적은 ?순|가나다순|五十音順"
    r"|あいうえお順"
)
_DIRECTION = Pattern(
    rf"(?<!\w)(?:(?P<desc>{DESCENDING})|(?P<asc>{ASCENDING}))(?!\w)|(?P<cdesc>{_CJK_DESC})|(?P<casc>{_CJK_ASC})"
)

_SORT_BY = phrase(
    r"(?:and |then |und |et |y |e |en |i |a |и )?(?:sort(?:ed|ing)?|order(?:ed|ing)?|rank(?:ed|ing)?"
    r"|arranged?)(?: (?:it|them|this|that|everything|rows|results|output|list|(?:the |all |these "
    r"|those )(?:\w+ ){0,2}\w+?))?(?: in)?(?: (?P<dir1>(?:descending|ascending|reverse|alphabetical"
    r"|increasing|decreasing)(?:ly)?)(?: order)?)?(?: (?:by|on|according to)(?: the)?)"
    r"|(?:in )?(?P<dir2>descending|ascending|decreasing|increasing) order (?:of|by)(?: the)?"
    r"|(?:und |bitte )?(?:absteigend |aufsteigend )?(?:sortier(?:t|e|en)?|geordnet|ordne|ordnen)(?: (?:sie|es"
    r"|die \w+|das \w+|alles|alle|diese))?(?: (?:absteigend|aufsteigend))? (?:nach|anhand)(?: dem| der| den)?"
    r"|(?:et )?(?:tri(?:é|ée|és|ées|e|er|ez)|class(?:é|ée|és|ées|e|er|ez)|ordonn(?:é|ée|és|ées|e"
    r"|er))(?: (?:le tout|les \w+|la liste|le résultat))?(?: par ordre (?P<dir3>\w+) (?:de|du|d'))? ?(?:par"
    r"|selon|suivant)?(?= )(?: (?:le|la|les))?"
    r"|(?:y |e )?(?:ordenad[oa]s?|ordena(?:r|los|las)?|ordene|classificad[oa]s?"
    r"|clasificad[oa]s?)(?: (?:l[oa]s \w+|[oa]s \w+|todo|tudo))? (?:por|según|pelo|pela"
    r"|de acordo com)(?: (?:el|la|los|las|o|a))?"
    r"|(?:e )?(?:ordinat[oiae]|ordina(?:re|li|le)?)(?: (?:i \w+|le \w+|tutto|gli \w+|la lista))? (?:per"
    r"|in base a[dl]?|secondo)(?: (?:il|la|lo|l'))?"
    r"|(?:en )?(?:gesorteerd|sorteer|gerangschikt|sorteren|geordend)(?: (?:ze|het|alles|de \w+))? (?:op"
    r"|volgens|naar)(?: (?:de|het))?"
    r"|(?:i )?(?:posortowan\w+|posortuj|sortuj|sortowan\w+|uporządkowan\w+|uporządkuj)(?: (?:je|to|wszystko"
    r"|wyniki))?(?: (?:rosnąco|malejąco))? (?:według|wg|po|względem|podług)"
    r"|(?:a )?(?:seřazen\w+|seřaď|seřadit|setříděn\w+|setřiď|řazen\w+|řaď)(?: (?:je|to|vše"
    r"|výsledky))?(?: (?:vzestupně|sestupně))? (?:podle|dle)"
    r"|(?:и )?(?:отсортиру\w+|отсортирован\w+|сортиру\w+|сортировк\w+|упорядоч\w+|сортировать)(?: (?:их|всё"
    r"|все|результат\w*|список))? (?:по|согласно)|(?:och )?(?:sorterade?|sortera|sorteret)(?: (?:efter|på))"
    r"|(?:și )?sortat\w? după",
)  # fmt: skip
_BY = Pattern(
    rf"(?<!\w)(?:by|in order of|nach|par|por|per|op|według|wg|podle|dle|по"
    rf"|efter)((?: [^\s,;:.()\ue000]{{1,40}}){{1,4}}?),? (?:(?P<desc>{DESCENDING})|(?P<asc>{ASCENDING}))(?!\w)"
)
_BY_SORTED = Pattern(
    r"(?<!\w)(?:nach|op|naar|według|wg|podle|dle|по|efter)(?: (?:dem|der|den|de|het))?"
    r"((?: [^\s,;:.()\ue000]{1,40}){1,3}?)"
    r" (?:sortiert\w*|geordnet\w*|gesorteerd\w*|geordend\w*|gerangschikt\w*|sortowan\w+|posortowan\w+"
    r"|seřazen\w+|řazen\w+|отсортирован\w+|упорядочен\w+|sorter\w+)(?!\w)"
)
_DIR_BY = Pattern(
    rf"(?<!\w)(?:(?P<desc>{DESCENDING})|(?P<asc>{ASCENDING})) (?:by|on|nach|op|par|por|per|według|wg|podle|по|efter)"
    r"((?: [^\s,;:.()\ue000]{1,40}){1,2})"
)
_GORE = Pattern(
    rf"(?<!\w)((?:[^\s,;:.()\ue000]{{1,40}} ){{1,2}}?)(?:göre|szerint)(?: (?:(?P<desc>{DESCENDING})"
    rf"|(?P<asc>{ASCENDING})))?(?: (?:sıra|rendez|sorrend)\w*)*(?!\w)(?: (?:(?P<desc2>{DESCENDING})"
    rf"|(?P<asc2>{ASCENDING}))(?!\w))?"
)
_RU_OF = Pattern(
    r"(?<!\w)(?:(?P<desc>по убыванию)|(?P<asc>по возрастанию)) ([^\s,;:.()\ue000]{1,40})"
    r"|(?<!\w)par ordre (?P<dir>croissant|décroissant) d(?:e |u |es |')([^\s,;:.()\ue000]{1,40})|(?<!\w)(?:in"
    r"|nach) (?P<dird>absteigender|aufsteigender) reihenfolge (?:des|der|nach)(?: dem| der)? ([^\s,;:.()\ue000]{1,40})"
)
_CJK = Pattern(
    rf"(?:按照?|依照?|根据|根據|以)(?:照)?\s*([^\s,;:.()按排]{{1,16}}?)(?:的|进行|進行|来)?\s*(?:(?P<cdesc>{_CJK_DESC})"
    rf"|(?P<casc>{_CJK_ASC})|排序|排列)(?:排序|排列)?(?P<after>,?(?:(?P<cdesc2>{_CJK_DESC})|(?P<casc2>{_CJK_ASC})))?"
    rf"|(?P<jname>[^\s,;:.()をはで、。]{{1,16}}?)(?:の|が|を|で|は)?\s*(?:(?P<jdesc>{_CJK_DESC})"
    rf"|(?P<jasc>{_CJK_ASC}))(?:に|で|の順に?)?(?:並[びべ]\w*|ソート|整列|정렬)?"
    rf"|(?P<kname>[^\s,;:.()]{{1,12}}?)(?:을|를)?\s?(?:순으로|기준(?:으로)?|順(?:に|で)(?:並[びべ]|ソート)|でソート"
    rf"|で並[びべ]替)\s*(?:(?P<kdesc>{_CJK_DESC})|(?P<kasc>{_CJK_ASC}))?(?:으로)?\s?(?:정렬)?"
)
_ADJECTIVES: tuple[tuple[str, str, bool], ...] = (
    (
        r"du moins cher au plus cher|de más barat[oa]s? a más car[oa]s?|dal (?:meno caro|più economico) al più caro"
        r"|van goedkoop naar duur|do mais barato (?:para|ao) (?:o )?mais caro"
        r"|cheapest(?: \w+)? (?:first|ones first|on top)|günstigste[rsn]? zuerst|billigste[rsn]? zuerst|(?:le"
        r"|les) moins chers? (?:d'abord|en premier)|(?:el|los|las) más barat\w+ primero|(?:il|i"
        r"|le) più economic\w+ (?:prima|per prim\w)|goedkoopste eerst|mais barat\w+ primeiro|od najtańsz\w+"
        r"|od nejlevnějš\w+|сначала (?:самые )?дешев\w+|от дешевых к дорогим|ucuzdan pahalıya|önce en ucuz\w*"
        r"|legolcsóbb(?:ak)? (?:elöl|előre|először)|安い順|価格の安い順|싼 ?순|저렴한 ?순", "price", False),
    (
        r"du plus cher au moins cher|de más car[oa]s? a más barat[oa]s?|dal più caro al (?:meno caro|più economico)"
        r"|van duur naar goedkoop|do mais caro (?:para|ao) (?:o )?mais barato|(?:most expensive"
        r"|dearest|priciest)(?: \w+)? first|teuerste[rsn]? zuerst|(?:le"
        r"|les) plus chers? (?:d'abord|en premier)|(?:el|los|las) más car\w+ primero|(?:il|i"
        r"|le) più car\w+ (?:prima|per prim\w)|duurste eerst|mais car\w+ primeiro|od najdroższ\w+"
        r"|od nejdražš\w+|сначала (?:самые )?дорог\w+|от дорогих к дешевым|pahalıdan ucuza"
        r"|legdrágább(?:ak)? (?:elöl|előre|először)|비싼 ?순", "price", True),
    (
        r"(?:newest|latest|most recent)(?: \w+)? first|in reverse chronological order"
        r"|reverse chronological(?:ly)?|neueste[rsn]? zuerst|(?:le|les) plus récent\w* (?:d'abord|en premier)"
        r"|(?:el|los|las) más recientes? primero|(?:il|i|le) più recent\w (?:prima|per prim\w)|nieuwste eerst"
        r"|mais recentes? primeiro|od najnowsz\w+|od nejnověj\w+|сначала (?:самые )?нов\w+|от новых к старым"
        r"|yeniden eskiye|en yeni(?:ler)? önce|legújabb(?:ak)? (?:elöl|előre|először)"
        r"|新着順|新しい順|最新的?在前|최신순",
        "date", True),
    (
        r"(?:oldest|earliest)(?: \w+)? first|in chronological order|chronological(?:ly)?(?: order)?"
        r"|älteste[rsn]? zuerst|chronologisch|ordre chronologique|(?:el|los|las) más antigu\w+ primero"
        r"|orden cronológico|ordine cronologico|oudste eerst|ordem cronológica|od najstarsz\w+"
        r"|chronologicznie|od nejstarší\w+|chronologicky|сначала (?:самые )?стар\w+|в хронологическом порядке"
        r"|eskiden yeniye|kronolojik|időrend\w*|古い順|오래된 ?순", "date", False),
    (
        r"(?:best|top|highest)[- ]rated(?: \w+)? first|best[- ]rated first|bestbewertete[rsn]? zuerst|(?:el"
        r"|los|las) mejor valorad\w+ primero|评分最高的?在前|評価の高い順|평점 ?높은 ?순", "rating", True),
    (r"longest first|längste[rsn]? zuerst|langste eerst", "length", True),
    (r"shortest first|kürzeste[rsn]? zuerst|kortste eerst", "length", False),
    (r"tallest first", "height", True),
    (r"heaviest first|schwerste[rsn]? zuerst", "weight", True),
    (r"lightest first|leichteste[rsn]? zuerst", "weight", False),
)  # fmt: skip
_ADJ_RE = [(Pattern(rf"(?<!\w)(?:{p})(?!\w)"), c, d) for p, c, d in _ADJECTIVES]
_FORMAT_BY = Pattern(
    r"(?<!\w)(?:csv|json(?: ?lines)?|jsonl|ndjson),? by (?:the )?([^\s,;:.()\ue000]{2,40})(?= ?(?:[,;.]|$))"
)
_FIRST_DE = Pattern(
    r"(?<!\w)(?:(?P<desc>höchste[rsn]?|größte[rsn]?|längste[rsn]?|meiste[nr]?|hoogste|grootste|meeste)|(?P<asc>niedrigste[rsn]?"
    r"|kleinste[rsn]?|kürzeste[rsn]?|wenigste[nr]?|laagste|kortste)) ([^\s,;:.()\ue000]{2,40}) (?:zuerst|eerst)(?!\w)"
)
_FIRST = Pattern(
    r"(?<!\w)(?:(?P<desc>best|highest|largest|biggest|greatest|most|longest|latest|newest)|(?P<asc>lowest|smallest"
    r"|fewest|shortest|earliest|least))((?: [^\s,;:.()\ue000]{1,40}){1,2}?) (?:first|on top)(?!\w)"
)
_ALPHA = phrase(
    r"(?:sort(?:ed)? |order(?:ed)? |list(?:ed)? )?(?:in )?alphabetical(?:ly| order)(?: (?:by"
    r"|on)((?: [^\s,;:.()\ue000]{1,40}){1,3}))?|alphabetisch (?:sortiert|geordnet)|par ordre alphabétique|(?:por"
    r"|en) orden alfabético|in ordine alfabetico|op alfabetische volgorde|em ordem alfabética|alfabetycznie"
    r"|abecedně|по алфавиту|в алфавитном порядке|alfabetik sırayla|ábécé sorrendben",
    r"按字母(?:顺序|順序)?(?:排序)?|五十音順|가나다순",
)
_IN_ORDER = Pattern(r"(?<!\w)in ((?:[a-z_]+ )?[a-z_]+) order(?!\w)")
_MOST = Pattern(
    r"(?:the )?(?:(?P<desc>most|highest|best|biggest|largest|greatest|newest|latest)|(?P<asc>least|lowest"
    r"|fewest|smallest|cheapest|oldest|earliest)) (?!expensive|recent|popular)"
)
_THEN = Pattern(
    r"(?<!\w)(?:and then|then|and|dann|danach|und dann|und|puis|ensuite|et|luego|después|y|poi|quindi|e"
    r"|vervolgens|dan|daarna|en|depois|następnie|potem|i|pak|poté|a|затем|потом|и|sonra|majd|és)(?: by| nach"
    r"| par| por| per| op| po| по| podle| według)?(?!\w)"
)
_EDGE = Pattern(
    r"[;:.!?\n—]|\.\s|(?<!\w)(?:as|to|in|into|als|en|in|como|come|jako|в|w|and save|and write|and export"
    r"|und speicher|save|write|export|from|for|on|with|mit|avec)(?!\w)(?! (?:descending|ascending|reverse"
    r"|absteig|aufsteig|order|ordre|orden|alphabet))"
)
_ARTICLES = word_set(
    """the a an its their by of on in order dem der den die das le la les el los las il lo i gli de het o os as
    az ascending descending column field value spalte"""
)


def find_order(text: Text, names: tuple[str, ...], without: Sequence[tuple[int, int]] = ()) -> list[OrderClause]:
    """All sort keys in the order of their weight. `names` are the columns asked for, `without` spans not to look at."""
    low = text.low
    for start, end in without:
        low = low[:start] + "." * (end - start) + low[end:]
    for finder in (_sorted_by, _plain_by, _adjectives):
        found = finder(text, low, names)
        if found:
            return found
    return []


def _direction(said: str) -> tuple[bool | None, str]:
    """The direction that a phrase says (None: none), and the phrase without it."""
    match = _DIRECTION.search(said)
    if not match:
        return None, said
    down = bool(match["desc"] or match["cdesc"])
    return down, (said[: match.start()] + " " + said[match.end() :]).strip()


def says_direction(low: str) -> bool:
    """Whether lower-case text says rising or falling."""
    return _DIRECTION.search(low) is not None


def _towards(said: str) -> tuple[bool | None, str]:
    """As `_direction`, with superlatives before the column: "most votes", "lowest price"."""
    down, rest = _direction(said)
    most = _MOST.match(rest.strip())
    if most and down is None:
        return bool(most["desc"]), rest.strip()[most.end() :]
    return down, rest


def _words(said: str) -> tuple[str, ...]:
    words = re.findall(r"[^\W]+(?:[-'][^\W]+)*", said)
    return tuple(w for w in words if w not in _ARTICLES)[:5]


def _sorted_by(text: Text, low: str, names: tuple[str, ...]) -> list[OrderClause]:
    for match in _SORT_BY.finditer(low):
        if text.depth[match.start()] > 1:
            continue
        lead, _ = _direction(low[match.start() : match.end()])
        if match["dir1"] == "reverse":
            lead = True
        keys, end = _keys(text, low, match.end(), names, lead)
        if keys:
            return [OrderClause(match.start(), end, words, down) for words, down in keys]
    for match in _ALPHA.finditer(low):
        key = _words(match[1] or "") or ("name",)
        return [OrderClause(match.start(), match.end(), key, False)]
    return []


def _keys(
    text: Text, low: str, at: int, names: tuple[str, ...], lead: bool | None
) -> tuple[list[tuple[tuple[str, ...], bool]], int]:
    depth = text.depth[at - 1]
    limit = min(len(low), at + 160)
    for index in range(at, limit):
        if text.depth[index] < depth or (text.depth[index] == depth and low[index] in ")]"):
            limit = index
            break
    for stop in _EDGE.finditer(low, at, limit):
        said = _DIRECTION.match(low, stop.start()) or _DIRECTION.match(low, stop.end() + 1)
        inside = any(m.start() < stop.start() < m.end() for m in _DIRECTION.finditer(low, at, limit))
        if not said and not inside:
            limit = stop.start()
            break
    keys: list[tuple[tuple[str, ...], bool]] = []
    end = at
    pieces = [(m.start(), m.end()) for m in re.finditer(r"[^,、]+", low[at:limit])]
    for first, (a, b) in enumerate(pieces):
        piece = low[at + a : at + b]
        down, rest = _towards(_unwrap(piece))
        words = _words(_THEN.sub(" ", rest, count=1) if first and _THEN.match(rest.strip()) else rest)
        if first == 0:
            for part in _parts(_unwrap(piece)):
                way, bare = _towards(part)
                if _words(bare):
                    keys.append((_words(bare), bool(lead if way is None else way)))
                elif way is not None and keys:
                    keys[-1] = (keys[-1][0], way)
            if not keys:
                return [], at
        elif down is not None and (not words or _same(words, keys[-1][0])):
            keys[-1] = (keys[-1][0], down)
        elif _THEN.match(rest.strip()) or (words and _is_column(words, names)):
            if not words:
                break
            keys.append((words, bool(down)))
        else:
            break
        end = at + b
    return keys, end


def _parts(piece: str) -> list[str]:
    """The piece cut at "then" and "and", but not within a direction ("de mayor a menor")."""
    spans = [m.span() for m in _DIRECTION.finditer(piece)]
    parts, at = [], 0
    for match in _THEN.finditer(piece):
        if not any(a < match.start() < b for a, b in spans):
            parts.append(piece[at : match.start()])
            at = match.end()
    return [*parts, piece[at:]]


def _unwrap(piece: str) -> str:
    return piece.replace("(", " ").replace(")", " ")


def _same(words: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return bool(set(words) & set(other)) or bool(set(concepts_of(words)) & set(concepts_of(other)))


def _is_column(words: tuple[str, ...], names: tuple[str, ...]) -> bool:
    return "_".join(words) in {n.lower() for n in names} or (len(words) == 1 and words[0] in {n.lower() for n in names})


def _plain_by(text: Text, low: str, names: tuple[str, ...]) -> list[OrderClause]:
    for match in _RU_OF.finditer(low):
        word = match[3] or match[5] or match[7]
        down = bool(match["desc"]) or (match["dir"] or "").startswith("dé") or (match["dird"] or "").startswith("ab")
        return [OrderClause(match.start(), match.end(), (word,), down)]
    for match in _DIR_BY.finditer(low):
        words = _words(match[3])
        if words and text.depth[match.start()] <= 1 and (concepts_of(words) or _is_column(words, names)):
            return [OrderClause(match.start(), match.end(), words, bool(match["desc"]))]
    for match in _BY.finditer(low):
        words = _words(match[1])
        if words and text.depth[match.start()] <= 1:
            return [OrderClause(match.start(), match.end(), words, bool(match["desc"]))]
    for match in _BY_SORTED.finditer(low):
        words = _words(match[1])
        if words and text.depth[match.start()] <= 1 and (concepts_of(words) or _is_column(words, names)):
            way = _DIRECTION.match(low, match.end() + len(low[match.end() :]) - len(low[match.end() :].lstrip(" ,(")))
            end = way.end() if way else match.end()
            return [OrderClause(match.start(), end, words, bool(way and (way["desc"] or way["cdesc"])))]
    for match in _GORE.finditer(low):
        words = _words(match[1].replace("'", " ").replace("’", " "))
        said = match[0]
        if words and ("sıra" in said or "rendez" in said or "sorrend" in said or _direction(said)[0] is not None):
            return [
                OrderClause(
                    match.start(),
                    match.end(),
                    words[-1:] if len(words) > 1 and not concepts_of(words[:1]) else words,
                    bool(match["desc"] or match["desc2"]),
                )
            ]
    for match in _CJK.finditer(low):
        name = match[1] or match["jname"] or match["kname"]
        down = any(match[g] for g in ("cdesc", "cdesc2", "jdesc", "kdesc"))
        if name and (concepts_of([name]) or _is_column((name,), names)):
            return [OrderClause(match.start(), match.end(), (name,), down)]
    return []


def _adjectives(text: Text, low: str, names: tuple[str, ...]) -> list[OrderClause]:
    for pattern, concept, down in _ADJ_RE:
        found = pattern.search(low)
        if found:
            return [OrderClause(found.start(), found.end(), (concept,), down)]
    for match in _FIRST_DE.finditer(low):
        words = _words(match[3])
        if words and (concepts_of(words) or _is_column(words, names)):
            return [OrderClause(match.start(), match.end(), words, bool(match["desc"]))]
    for match in _FORMAT_BY.finditer(low):
        words = _words(match[1])
        if words and (concepts_of(words) or _is_column(words, names)):
            return [OrderClause(match.start() + match[0].index(" by ") + 1, match.end(), words, False)]
    for match in _FIRST.finditer(low):
        words = _words(match[3])
        if words:
            return [OrderClause(match.start(), match.end(), words, bool(match["desc"]))]
    for match in _IN_ORDER.finditer(low):
        words = _words(match[1])
        if words and _is_column(words, names):
            return [OrderClause(match.start(), match.end(), words, False)]
    return []
