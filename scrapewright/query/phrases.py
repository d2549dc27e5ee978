"""The phrases of a request that are no fields: how each is said, in the languages people write in.

Patterns are matched on lower-case text in which full-width punctuation is plain and addresses are masked.
"""

from __future__ import annotations

import re

from scrapewright.query.pattern import Pattern


def phrase(spaced: str, unspaced: str = "", *, needs: tuple[Pattern, ...] = ()) -> Pattern:
    """A pattern of whole words, and of words in scripts that put no space between words."""
    whole = rf"(?<!\w)(?:{spaced})(?!\w)"
    return Pattern(f"{whole}|(?:{unspaced})" if unspaced else whole, needs=needs)


_NUMBERS = """one two three four five six seven eight nine ten eleven twelve fifteen=15 twenty=20 fifty=50 hundred=100
    eins=1 ein=1 eine=1 zwei=2 drei=3 vier=4 fünf=5 sechs=6 sieben=7 acht=8 neun=9 zehn=10 zwanzig=20 un=1
    une=1 deux=2 trois=3 quatre=4 cinq=5 sept=7 huit=8 neuf=9 dix=10 vingt=20 uno=1 una=1 dos=2 tres=3
    cuatro=4 cinco=5 seis=6 siete=7 ocho=8 nueve=9 diez=10 veinte=20 due=2 tre=3 quattro=4 cinque=5 sei=6
    sette=7 otto=8 nove=9 dieci=10 venti=20 een=1 één=1 twee=2 drie=3 vijf=5 zes=6 zeven=7 negen=9 tien=10
    twintig=20 dois=2 duas=2 três=3 quatro=4 sete=7 oito=8 dez=10 vinte=20 jeden=1 jedną=1 dwa=2 dwie=2 trzy=3
    cztery=4 pięć=5 sześć=6 siedem=7 osiem=8 dziewięć=9 dziesięć=10 jednu=1 dva=2 dvě=2 tři=3 čtyři=4 pět=5
    šest=6 sedm=7 osm=8 devět=9 deset=10 один=1 одну=1 два=2 две=2 три=3 четыре=4 пять=5 шесть=6 семь=7
    восемь=8 девять=9 десять=10 двадцать=20 bir=1 iki=2 üç=3 dört=4 beş=5 altı=6 yedi=7 sekiz=8 dokuz=9 on=10
    egy=1 két=2 kettő=2 három=3 négy=4 öt=5 hat=6 hét=7 nyolc=8 kilenc=9 tíz=10 一=1 二=2 两=2 兩=2 三=3 四=4 五=5
    六=6 七=7 八=8 九=9 十=10 두=2 세=3 네=4 다섯=5 열=10"""


def _numbers() -> dict[str, int]:
    values: dict[str, int] = {}
    for index, word in enumerate(_NUMBERS.split(), start=1):
        name, _, value = word.partition("=")
        values.setdefault(name, int(value) if value else index)
    return values


NUMBERS = _numbers()
_WORDS = "|".join(sorted((n for n in NUMBERS), key=len, reverse=True))
NUM = rf"(\d{{1,3}}(?:[,.']\d{{3}})+|\d{{1,6}}|{_WORDS})"


def number(text: str) -> int:
    """The value of what NUM matched."""
    return NUMBERS[text] if text in NUMBERS else int(re.sub(r"\D", "", text))


PAGES = (
    r"(?:result |listing |search )?pages?|seiten?|ergebnisseiten|pages?|páginas?|pagine|pagina(?:'s|s)?"
    r"|stron[yaę]?|stronach|stránk[ayuouách]*|stránek"
    r"|страниц\w*|sayfa\w*|oldal\w*|sidor|sider|pagini"
)

ALL_PAGES = phrase(
    r"(?:across |through |over |from |on |of |for )?(?:all|every|each)(?: of)?(?: the| its| available"
    r"| remaining| result| results| listing| search| following| subsequent| further| next| other| \d+)*"
    r" (?:pages|page(?= of (?:the )?(?:result|list"
    r"|catalog)))"
    r"|(?:through |on |over |across )?every (?:result |listing |search )?page|every page|the (?:whole|entire"
    r"|full) (?:pagination|catalogue|catalog)"
    r"|(?:and |then )?(?:follow(?:ing)?|go(?:ing)? through|walk|crawl|use|handle|process|including|include"
    r"|traverse) (?:the |all |every |each |any |all the |its )?(?:pagination|paging|paginated"
    r"|pager)(?: links?| pages?)?"
    r"|and (?:the |its )?(?:following|subsequent|further) pages"
    r"|(?:is )?(?:an? )?paginated(?: (?:api|list|listing|results?|json api))?"
    r"|follow(?:ing)? [\w.]*[._]next\w*(?: links?)?"
    r"|(?:several|multiple|many) pages[^.;]{0,20}?follow\w* (?:them|all)"
    r"|follow(?:ing)? (?:the |every |each |all )?['\"“]?(?:next|more|older"
    r"|load more)(?: posts?| entries| results| articles| items)?['\"”]?(?: page"
    r"| pages)?(?: links?| buttons?)?"
    r"|(?:keep |by )?click(?:ing)? (?:on |through )?(?:the )?['\"“]?(?:next|more|older"
    r"|load more)['\"”]?(?: links?| buttons?)?(?: until (?:there is |there are )?(?:no|none)[^.,;]{0,30})?"
    r"|until (?:there (?:is|are) )?(?:no (?:more |next |further )?(?:pages?|link|results?|next)"
    r"|the (?:last page|end|pages run out|list ends))(?: page)?(?: left)?|to the last page"
    r"|paginate(?: through)?(?: all| everything)?|page through(?: all| everything)?"
    r"|(?:von |auf |über |durch )?(?:allen?|sämtlichen?) (?:ergebnis|unter|folge)?seiten"
    r"|jede(?:r)? (?:ergebnis)?seite|(?:folge|folgen|mit) (?:der |dem |allen )?(?:paginierung|blätterlinks?"
    r"|seitennavigation|seitenlinks)|(?:alle|bis zur letzten) seiten?"
    r"|bis (?:es )?keine (?:weitere )?seite(?: mehr)?[^.,;]{0,10}|blättere(?: durch)?(?: alle seiten)?"
    r"|(?:sur |de |dans )?toutes les pages|chaque page|(?:suis|suivre|suivez|en suivant) (?:la )?pagination"
    r"|jusqu'à la dernière page|l'ensemble des pages"
    r"|(?:de |en |por )?todas las páginas|cada página|(?:sigue|siguiendo|seguir) (?:la )?paginación"
    r"|hasta la última página|(?:di |su |da )?tutte le pagine|ogni pagina|(?:segui|seguendo"
    r"|seguire) (?:la )?paginazione|fino all'ultima pagina"
    r"|(?:van |op |over )?alle pagina(?:'s|s)|elke pagina|(?:volg|volgend) (?:de )?paginering"
    r"|tot de laatste pagina|(?:de |em |por )?todas as páginas|(?:siga|seguindo|seguir) a paginação"
    r"|até a última página"
    r"|(?:ze |na )?wszystkie strony|(?:ze |na )?wszystkich stron(?:ach)?|każdej strony|(?:ze "
    r"|na )?všech strán(?:ek|kách)|všechny stránky|každé stránky|до последней страницы|(?:со |на "
    r"|по )?все(?:х|м|ми)? страниц\w*|каждой страницы|с переходом по страницам"
    r"|пройди(?:сь)? по (?:всем )?(?:страницам|пагинации)"
    r"|(?:tüm|bütün) sayfalar\w*|her sayfa\w*|son sayfaya kadar|(?:az )?összes oldal\w*|minden oldal\w*"
    r"|lapozz végig|alla sidor|alle sider|toate paginile",
    r"(?:所有|全部|每一?)(?:的)?(?:分页|页面?|頁面?|分頁)|翻[页頁](?:到最[后後]|到底)?|遍历(?:所有)?页面|直到最后一页"
    r"|直到最後一頁|(?:すべて|全て|全部)のページ|全ページ|最後のページまで"
    r"|ページネーションを(?:辿|たど)|(?:모든|전체) ?페이지|마지막 ?페이지까지|다음 ?페이지(?:가 없을 때)?까지",
)
THIS_PAGE = phrase(
    r"(?:from |on )?(?:only |just )?(?:on )?(?:this|that|the (?:first|given|current)|first|one|a single"
    r"|single|current) page (?:only|alone)|(?:only|just)(?: on| from| scrape| parse| take)? (?:this|that"
    r"|the (?:first|given|current|one)|page 1|page one|first|one|a single)(?: page)?(?= page|\W|$)(?: page)?"
    r"|page (?:1|one) only|(?:the )?(?:front|home|landing) ?page only|only the (?:front|home|landing) ?page"
    r"|(?:ignore|skip|without|no|not|don't follow|do not follow|never follow) (?:the |any "
    r"|all )?(?:\w+ )?(?:pager|pagination|paging|paginated pages|next link|next page|further pages"
    r"|other pages)(?: links?)?|don't paginate|do not paginate"
    r"|(?:nur|bloß|lediglich) (?:von |auf )?(?:diese[rn]?|die|der|die erste|der ersten"
    r"|erste)(?: erste[n]?)? (?:eine )?seite|nur (?:die )?erste seite|ohne (?:paginierung|blättern"
    r"|weitere seiten)|keine (?:weiteren seiten|paginierung)"
    r"|(?:seulement |uniquement |juste )(?:sur |de )?(?:cette|la première"
    r"|la) (?:première )?page(?: seulement)?|cette page (?:seulement|uniquement)|première page (?:seulement"
    r"|uniquement)|sans (?:la )?pagination"
    r"|(?:solo|sólo|solamente|únicamente) (?:de |en )?(?:esta|la primera|primera) página|(?:esta"
    r"|primera) página (?:solamente|únicamente|solo|sólo)|sin paginación|(?:solo|soltanto|solamente) (?:di "
    r"|su )?(?:questa|la prima|prima) pagina|(?:questa|prima) pagina soltanto|senza paginazione"
    r"|(?:alleen|enkel|slechts) (?:van |op )?(?:deze|de eerste|eerste) pagina|zonder paginering|(?:só|somente"
    r"|apenas) (?:d?esta|a primeira|primeira) página|sem paginação"
    r"|tylko (?:z |na )?(?:ta|tę|tej|pierwsza|pierwszą|pierwszej) stron\w+|bez paginacji|(?:pouze|jen) (?:z "
    r"|na )?(?:tat?o|tuto|této|první) strán\w+|bez stránkování|только (?:с |со |на )?(?:эт\w+"
    r"|перв\w+) страниц\w+|без пагинации"
    r"|(?:sadece|yalnızca|yalnız) (?:bu|ilk) sayfa\w*|csak (?:ezt? (?:az |a )?|ezen (?:az |a )?"
    r"|az első )oldal\w*|lapozás nélkül|endast (?:denna|första) sidan?",
    r"(?:只|仅|僅|只要|仅限|僅限|只抓)(?:抓取|爬取|取|看|要)?(?:这一?|這一?|本|当前|當前|第一"
    r"|首)(?:个|個)?(?:页面?|頁面?)|(?:不要|不用|无需)翻页"
    r"|この ?ページ(?:のみ|だけ)|(?:最初|1)の?ページ(?:のみ|だけ)|(?:이|첫|첫 ?번째) ?페이지만",
)
PAGE_COUNT = (
    phrase(
        rf"(?:(?:from|on|of|over|across|scrape|only|just) )?(?:the )?(?:first|initial) {NUM} (?:{PAGES})"
        rf"|(?:up to|at most|max(?:imum)?(?: of)?|no more than|not more than|limit(?:ed)?(?: it)? to|only"
        rf"|scrape|crawl|through|stop after|the top) {NUM} (?:{PAGES})"
        rf"|(?:die |der |von den |auf den )?ersten {NUM} (?:{PAGES})|(?:maximal|höchstens|bis zu"
        rf"|nur) {NUM} (?:{PAGES})|(?:les |des )?{NUM} premières (?:{PAGES})"
        rf"|(?:les )?premières {NUM} (?:{PAGES})"
        rf"|(?:las |de las )?(?:primeras {NUM}|{NUM} primeras) (?:{PAGES})|(?:le |delle "
        rf"|dalle )?prime {NUM} (?:{PAGES})|(?:de )?eerste {NUM} (?:{PAGES})|(?:as |das "
        rf"|nas )?(?:primeiras {NUM}|{NUM} primeiras) (?:{PAGES})"
        rf"|(?:z |ze )?pierwsz\w+ {NUM} (?:{PAGES})|(?:z |ze )?prvních {NUM} (?:{PAGES})"
        rf"|první {NUM} (?:{PAGES})|(?:с |со )?перв\w+ {NUM} (?:{PAGES})|ilk {NUM} (?:{PAGES})"
        rf"|(?:az )?első {NUM} (?:{PAGES})|(?:jusqu'à|maximum|hasta|fino a|tot|até|do|до|legfeljebb"
        rf"|en fazla) {NUM} (?:{PAGES})",
        rf"前 ?{NUM} ?(?:页|頁)|最初の ?{NUM} ?ページ|先頭 ?{NUM} ?ページ|(?:처음|첫|앞) ?{NUM} ?(?:개(?:의)? )?페이지",
        needs=(Pattern(rf"{PAGES}|页|頁|ページ|페이지"),),
    ),
    phrase(
        r"(?:pages?|seiten?|páginas?|pagin[ea]|pagina's|stron\w*|strán\w*|страниц\w*|sayfa\w*|oldal\w*) (?:1"
        r"|one) ?(?:-|–|to|through|until|bis|à|a|al|tot|до|do|ile|és) ?(\d{1,4})",
        r"第? ?1 ?(?:-|–|~|到|至) ?(\d{1,4}) ?(?:页|頁|ページ|페이지)",
    ),
)

FORMATS: tuple[tuple[str, Pattern], ...] = (
    ("jsonl", Pattern(
        r"(?<![a-z0-9_.])(?:json ?lines|jsonl|ndjson|newline[- ]delimited json|json,? one (?:object|record"
        r"|row) per line|one json object (?:per|a|each) (?:line|row))(?!\w)")),
    ("json", Pattern(
        r"(?<![a-z0-9_.])json(?![\w-]*-?ld(?!\w))(?!-ld)(?!\w*[a-z])(?!['’]?s? (?:endpoint|api|feed|data (?:in"
        r"|inside|embedded|behind|from)|embedded|inside|in (?:the|a) (?:page|script)|hidden|response|behind"
        r"|behind|that the|script|request|file (?:that|the page)|url|schnittstelle|daten im))")),
    ("csv", Pattern(
        r"(?<![a-z0-9_.])(?:csv|comma[- ]separated(?: values| file)?)(?![a-z])(?!['’]?s? (?:endpoint|api|feed"
        r"|link))")),
)  # fmt: skip
_INTO = (
    r"(?:(?:and |und |et |y |e )?(?:write|save|store|export|output|put|dump|convert|speicher\w*|enregistr\w*|guard\w*"
    r"|salv\w*|bewaar"
    r"|zapisz|сохрани\w*)(?: (?:it|them|this|everything|all))? )?(?:(?:as|in|to|into|als|in|nach|en|dans|a|su|naar|do"
    r"|в|w)"
    r" (?:an? |eine[mnr]? |une? |un |una |een )?)?"
)
OTHER_FORMATS = phrase(
    rf"{_INTO}(?:[\w.-]+\.(?:xlsx?|ods|sqlite3?|db|parquet|xml|ya?ml|html?|md|pdf)(?= |$|[,;.])"
    r"|(?:ms |microsoft )?excel(?:[- ]?(?:file|sheet|spreadsheet|datei|tabelle|workbook|fichier|format))?"
    r"|xlsx?(?: file)?"
    r"|sqlite3?(?: ?(?:database|db|datenbank|file))?|parquet(?: file)?|google sheets?|yaml(?: file)?|xml file"
    r"|markdown table)"
)
"""Kinds of files that are not written."""
FORMAT_LEAD = Pattern(
    r"(?:(?<!\w)(?:(?:please )?(?:write|save|store|export|output|emit|return|give|produce|dump|put|print|send"
    r"|download|convert|deliver|render|format|make|create)(?: me)?(?: (?:it|them|this|that|everything|all"
    r"|the (?:results?|rows?|data|output|lot)))?(?: all)? )?"
    r"(?:(?:as|in|to|into|for|is|be|via|format|output|result|als|im|in das|ins|nach|en|au format"
    r"|sous forme de|dans un|comme|em|en formato|como|a|in formato|come|su|in un|naar|naar een|w formacie"
    r"|do pliku|do|jako|ve formátu|v|в|в формате|в виде|formatında|olarak|mint|formátumban)(?: an?| one| the"
    r"| single| eine?[nrs]?| une?| ein| egy| plain| valid| simple| pretty)*(?: array of| list of"
    r"| file of)? ?)?"
    r"(?:(?<!\w)(?:an?|one|the|eine?|un|una|une|single|een) )?)$"
)
FORMAT_TAIL = Pattern(
    r"^(?:[- ]?(?:(?:files?|format|output|objects?|arrays?|documents?|lists?|datei(?:en)?|fichier|archivo"
    r"|fichero|bestand|arquivo|plik\w*|soubor\w*|файл\w*|dosya\w*|fájl\w*|formátum\w*|formatında|olarak"
    r"|ként|-?ben|-?ba|-?ként)(?!\w)|형식(?:으로)?|形式|格式|文件|ファイル|파일|로|으로|で"
    r"|に)(?: please(?!\w))?| please(?!\w)|,? in utf-?8|,? utf-?8"
    r"| \(utf-?8\)){0,5}"
)
NEGATED = Pattern(
    r"(?<!\w)(?:not|no|instead of|rather than|statt|nicht|pas|non|sin|niet|não|nie|ne|не|вместо)(?: as| in"
    r"| an?| als)? *$"
)
FILENAME = Pattern(r"(?<![\w@])(?:[\w.~-]*/)*([\w][\w.-]{0,120}\.(?:csv|jsonl|ndjson|json))(?![\w/])")
FILE_LEAD = Pattern(
    r"(?:(?<!\w)(?:please )?(?:write|save|store|export|output|put|dump|speicher\w*|schreib\w*|enregistr\w*"
    r"|sauvegard\w*|guard\w*|salv\w*|sla|bewaar|zapisz|ulož|сохрани\w*|kaydet|mentsd)(?: \w+){0,3} )?"
    r"(?:(?<!\w)(?:as|to|into|in|called|named|file|a|als|unter|nach|dans|sous|como|en|em|in|come|naar|do|jako"
    r"|do pliku|v|в|файл|в файл)(?: (?:an?|the|file|called|named|datei|fichier|archivo|bestand|arquivo|pliku"
    r"|souboru|файл)){0,5} )?['\"“`]?$"
)

DISTINCT = phrase(
    r"(?:one row |once )?(?:per |for each |for every |of all |all )?(?:distinct|unique)|(?:no|without|remove"
    r"|drop|skip|omit|ignore|eliminate)(?: any| all)? (?:duplicates?|repeats?|duplicate \w+)|de-?duplicat\w*"
    r"|dedupe\w*|each \w+ only once|only once(?: each)?"
    r"|ohne (?:duplikate|dubletten|doppelte)|keine (?:duplikate|dubletten|doppelten)|jede[nrs]? nur einmal"
    r"|eindeutige[nr]?|verschiedenen?|sans (?:doublons?|les doublons)|(?:distincte?s?|uniques)"
    r"|sin (?:duplicados|repetidos)|distint[oa]s|únic[oa]s"
    r"|senza (?:duplicati|ripetizioni)|distinti|unici|zonder (?:duplicaten|dubbelen)|unieke|sem (?:duplicatas"
    r"|duplicados|repetições)|distint[oa]s|bez (?:duplikatów|powtórzeń|duplicit|duplikátů|opakování)"
    r"|unikaln\w+|unikátní\w*|jedinečn\w+"
    r"|без (?:повтор\w+|дублик\w+)|уникальн\w+|tekrarsız|benzersiz|(?:yinelenen|tekrar eden)\w* olmadan"
    r"|ismétlődés nélkül|egyedi|duplikátum\w* nélkül",
    r"去重|不重复|不重複|唯一的?|重複(?:を)?(?:除|なし|しない)\w*|一意の?|중복 ?(?:없이|제거|을? 제외)|고유한?",
)
SINGLE = phrase(
    r"(?:as |into |in |write |return |output |one |a |the ){0,5}(?:one|a single|single) (?:json )?(?:object"
    r"|record|row|entry)(?! (?:per|for each|for every|each|a)(?!\w))(?: (?:to|into|as) (?:an? )?csv)?"
    r"|(?:as an? |one |an? )?json object(?!s)(?! (?:per|for each|for every|each|a line)(?!\w))"
    r"|(?:nur )?(?:eine einzige|genau eine) (?:zeile|datensatz)|ein (?:einziges |einzelnes )?json-?objekt"
    r"|eine zeile(?! (?:pro|je|für))|(?:un seul|un|une seule|une) (?:objet json|ligne"
    r"|enregistrement)(?! (?:par|pour chaque))"
    r"|(?:un solo|un único|un|una sola|una única|una) (?:objeto json|fila|registro)(?! (?:por|para cada))"
    r"|(?:un solo|un unico|un|una sola|una) (?:oggetto json|riga|record)(?! (?:per))|(?:één|een enkele"
    r"|een) (?:rij|json-?object|record|regel)(?! per)"
    r"|(?:um único|um só|um|uma única|uma) (?:objeto json|linha|registro)(?! (?:por|para cada))"
    r"|jeden (?:wiersz|obiekt json|rekord)(?! (?:na|dla))|jeden (?:řádek|objekt json|json objekt"
    r"|záznam)(?! (?:na|pro))|(?:один|одну) (?:объект json|json-?объект|строк[ау]|запись)(?! (?:на|для))"
    r"|tek (?:bir )?(?:satır|json nesnesi|kayıt)|egyetlen (?:sor\w*|json objektum\w*|rekord\w*)"
    r"|egy (?:json )?objektum\w*",
    r"(?:一个|一個|单个|單個) ?json ?(?:对象|物件)|只?(?:一行|一条记录)(?!一)"
    r"|1つの ?json|一行だけ|1行(?:だけ|のみ)|하나의 ?json|한 행",
)
QUESTION = phrase(
    r"what(?:'s| is| are| was| were)|which(?: is)?|who(?: is|'s)?|when(?: is| was)?|how (?:much|long|old|big"
    r"|tall)|was (?:ist|sind|kostet)|wie (?:heißt|lautet|viel|lange|hoch|alt)|wer ist|wann"
    r"|quel(?:le)?s? (?:est|sont)|qui est|combien coûte|cuál(?:es)? (?:es|son)|qué (?:es|precio)|quién es"
    r"|cuánto cuesta|qual(?:i)? (?:è|sono|é|são)|quanto (?:costa|custa)|chi è|quem é|wat (?:is|zijn|kost)"
    r"|wie is|hoeveel kost"
    r"|jak(?:i|a|ie) (?:jest|są)|ile kosztuje|jak(?:ý|á|é) (?:je|jsou)|kolik stojí|какой|какая|какое|какие"
    r"|сколько стоит|кто|nedir|ne kadar|kaçtır|mi(?:k|ly?en)? (?:a|az)|mennyi(?:be)?|ki a",
    r"是什么|是什麼|多少钱|何ですか|いくら|무엇|얼마",
)

FOLLOW = phrase(
    r"(?:and |then |also ){0,5}(?:follow(?:ing)?|open(?:ing)?|visit(?:ing)?|click(?:ing)? (?:on |into |through )?"
    r"|go(?:ing)? (?:in)?to|enter(?:ing)?|load(?:ing)?|fetch(?:ing)? )(?: into)? ?(?:each|every|all|the"
    r"|all the|its|their|each of the|it|them|his|her)? ?"
    r"|öffne(?:n)?(?: dazu| dafür)? (?:jede[nrs]?|alle|die)|folge (?:jedem|den|allen|dem)"
    r"|besuche (?:jede[nrs]?|alle)|(?:ouvre|ouvrir|ouvrez|visite[rz]?|suis|suivre) (?:chaque|toutes les"
    r"|tous les|les|la|le)|(?:abre|abrir|visita(?:r)?|sigue|entra en) (?:cada|todos los|todas las|los|el|la)"
    r"|(?:apri|aprire|visita(?:re)?|segui) (?:ogni|tutti i|tutte le|il|la|i)|(?:open|bezoek|volg) (?:elke"
    r"|alle|de|het)|(?:abra|abrir|visite|siga) (?:cada|todos os|todas as|os|o|a)|(?:otwórz|odwiedź"
    r"|wejdź (?:na|w)) (?:każd\w+|wszystkie)"
    r"|(?:otevři|navštiv|projdi) (?:každ\w+|všechny)|(?:открой|открывай|перейди|зайди|заходи)(?: на| в"
    r"| по)? (?:кажд\w+|все\w*|странице?\w*)|her (?=\w+ (?:sayfasını|bağlantısını|detay))|nyisd meg (?:minden"
    r"|az összes|mindegyik)|látogasd meg (?:minden|az összes)",
    r"(?:打开|打開|进入|進入|点击|點擊|访问)(?:每|各|所有)(?:一?[个個条條本篇])?"
    r"|各(?=[^、,。]{1,10}(?:を開|ページを開|の詳細))|각 (?=\S+ ?(?:을"
    r"|를)? ?(?:열|방문|클릭))",
)
DETAIL = phrase(
    r"(?:from |on |in |via |of )?(?:the |its |their |each |every |his |her |each item's |own ){1,4}(?:own "
    r"|individual |separate )?(?:(?:\w+['’]s |\w+ )?(?:detail|details|item|product|article|profile|info"
    r"|information)(?:s)? ?(?:pages?|links?|views?|urls?)|own pages?|linked pages?|individual pages?"
    r"|subpages?)"
    r"|detail(?:s)? pages?|(?:von |aus |auf )?(?:der |den |die |seiner |ihrer |jeder )?detail-?seiten?"
    r"|unterseiten?|(?:de |sur |dans )?(?:la |les |sa |leur |chaque )?(?:page(?:s)? de détail"
    r"|fiche(?:s)?(?: produit| détaillée)?)|(?:de |en )?(?:la |las |su |cada )?páginas? de detalles?"
    r"|(?:dalla |dalle |della |nella )?pagin[ae] di dettaglio|scheda prodotto|(?:van |op )?(?:de "
    r"|elke )?detailpagina(?:'s)?|(?:da |na |das )?páginas? de detalhes?|(?:ze )?stron\w* (?:szczegół\w*"
    r"|produktu)|(?:z )?detail\w* strán\w+|strán\w+ (?:detailu|s detailem)"
    r"|страниц\w+ (?:с описанием|товара|с деталями|подробност\w+)|детальн\w+ страниц\w+|detay sayfa\w*"
    r"|(?:a )?részlet\w* oldal\w*|adatlap\w*",
    r"(?:详情|詳情|详细|详细信息)(?:页面?|頁面?)|詳細 ?ページ|個別 ?ページ|상세 ?페이지",
)

KEEP_ORDER = phrase(
    r"(?:keep|keeping|preserve|preserving|maintain|retain|leave|respect)(?: it| them)?(?: in)? (?:the |its "
    r"|their )?(?:\w+ ){0,2}(?:order(?:ing)?|sequence)(?: (?:of|on|from|as on) (?:the |this )?(?:page|site"
    r"|table|list|website|document))?"
    r"|(?:in|by|with) (?:the )?(?:(?:site|page|document|original|source|given|same|listed|listing|natural"
    r"|website|table|list)(?:'s)? order(?:ing)?|same order as (?:on |in )?(?:the )?(?:page|site|list|table)"
    r"|order (?:of|on|in|they|as|that|from|shown|listed|given)[^.,;:]{0,40})"
    r"|(?:in )?(?:the )?order of (?:the )?(?:page|site|website|document|appearance)"
    r"|as (?:they are )?(?:ordered|sorted|listed|ranked) on the (?:page|site)|(?:don't|do not|without"
    r"|no) (?:re-?)?sort(?:ing)?|unsorted|(?:in |behalte |beibehalten )?(?:der )?reihenfolge (?:der "
    r"|wie auf der )(?:seite|website|liste|tabelle)(?: beibehalten)?|(?:reihenfolge"
    r"|sortierung) (?:beibehalten|der seite)|in der reihenfolge[^.,;:]{0,30}"
    r"|behalte die reihenfolge[^.,;:]{0,20}"
    r"|(?:dans|en gardant|garde[rz]?|en conservant|conserve[rz]?) l'ordre(?: de la page| du site| d'origine"
    r"| d'apparition)?|(?:en|mantén|mantener|conserva(?:r)?"
    r"|respeta(?:ndo)?)(?: el)? (?:mismo )?orden (?:de la página|del sitio|original|de aparición)"
    r"|(?:nell'ordine|mantieni l'ordine|mantenendo l'ordine)(?: della pagina| del sito| originale)?"
    r"|(?:in|behoud|houd) (?:de )?volgorde(?: van de (?:pagina|site)| aan)?|(?:na|mantenha a|mantendo a"
    r"|mantém a) ordem(?: da página| do site| original)?|(?:w|zachowaj|z zachowaniem) kolejno\w+(?: (?:ze "
    r"|na |jak na )?stron\w+)?|(?:v|zachovej|zachovat)(?: původní)? pořadí(?: (?:na |ze |jako na )?strán\w+)?"
    r"|(?:в|сохрани(?:в|ть|те)?)(?: исходн\w+| том же| оригинальн\w+)? поряд(?:ке|ок)(?: (?:на "
    r"|как на )?(?:сайт\w*|страниц\w*))?|(?:sayfadaki|sitedeki) sıra\w*(?: (?:koru|ile)\w*)?|sırayı koru\w*"
    r"|(?:az )?oldal(?:on)?(?: lévő)? sorrend\w*|(?:az )?eredeti sorrend\w*",
    r"(?:保持|按照?|依照?)(?:网页|網頁|页面|頁面|网站|網站|原来?|原有|原始)(?:的|上的)?(?:顺序|順序|排序)"
    r"|保持(?:原来?的?|原有)?(?:顺序|順序)|(?:ページ|サイト"
    r"|元|掲載|表示)の?(?:並び)?順(?:番)?(?:通り|どおり|のまま|で)?|(?:페이지"
    r"|사이트|원래)(?:의)? ?순서(?:대로|를 유지)?",
)
