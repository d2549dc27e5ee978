"""What of a request was not understood: the phrases that no rule took and that are more than the words around it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from scrapewright.query.languages import SMALL
from scrapewright.query.pattern import Pattern
from scrapewright.query.text import Text

_VERBS = """scrape scraping extract get give grab collect fetch pull list find return output need want like show
    record capture save store take parse gather tell retrieve report note read convert emit write export
    produce create make build put download crawl open visit go come starting start what's who's it's there's
    that's look here's here this that is are these those would could can you please me us my your we it them
    they out up do does should must extrahiere extrahieren hol hole sammle gib mir zeige lies brauche möchte
    will schreibe schreib speichere erfasse suche nimm scrapen auslesen lade récupère récupérer donne extrais
    extraire enregistre veux voudrais collecte affiche écris exporte moi je extrae extraer obtén dame quiero
    necesito recoge guarda exporta saca muestra escribe estrai dammi voglio raccogli prendi mostra scarica
    salva esporta scrivi haal geef verzamel toon schrijf sla maak wil bewaar exporteer extraia obtenha liste
    quero preciso colete mostre salve exporte escreva pobierz wyciągnij wypisz zbierz podaj zapisz wyodrębnij
    eksportuj stáhni získej vypiš extrahuj seber ulož exportuj chci собери извлеки получи выпиши сохрани
    вытащи спарси выгрузи выведи хочу нужно нужны çıkar listele kaydet topla al ver yaz getir gyűjtsd listázd
    mentsd írd kérem szedd extragi olarak şeklinde formatında"""
_NOUNS = """everything since dated alles tout todo tutto
    i'd i'll i'm home several spreadsheet overview overzicht newest latest recorre gez нужна нужен нужны
    ausgabe mezők sort sorted volg follow following suis sigue segui order ordered rss-feed tableau
    résultats tabla sütunlarını sütunları alanları alanlarını oszlopokkal formato formátu formacie
    format formátumban thanks thank sayfasındaki innen sajt сайта сайт сайте page pages site website web
    webpage homepage url urls link data information info details rows row line lines records record
    entries entry items item results result list table file files output format row's following objects
    object columns column fields field utf utf-8 encoding useful grid search pager feed rss atom metadata
    listing listings listed index directory catalog catalogue section box boxes heading
    headings english german french spanish italian dutch portuguese polish czech russian turkish
    hungarian chinese japanese korean hebrew arabic seite seiten webseite daten zeile zeilen datei liste
    tabelle spalten felder folgende folgenden données informations fichier ligne lignes tableau
    suivantes suivants página páginas datos archivo tabla siguientes información pagina pagine dati sito
    tabella informazioni file sitio web gegevens bestand rij tabel regel dados arquivo strony strona
    stronie stron dane plik pliku tabela informacje stránky stránka stránce stránek soubor soubor data
    tabulka страница страницы страниц странице данные файл файле таблица таблицы sayfa sayfası
    sayfasından sayfadan sayfadaki dosya tablo bilgileri bilgi sitesinden oldal oldalról oldalon oldalán
    fájl adatokat adatok táblázat sida sidan eine ein einen einer einem une un una het een one per
    jeweils each every all any some title's"""
_MORE = """of off into onto over under than then also both just only while when if so such there here now etc via
    using its their his her has have had be been was were not no or but e.g i.e what which who whose where how
    much many at by as to from with without about after before during between within across und oder aber auch
    nur noch wie was wer wo wenn dann dass des dem den ist sind war haben hat bitte mir ich wir sie es ou mais
    aussi qui que où quand est sont au aux ce cette ces nous vous il elle o u pero también que quien donde
    cuando es son este estos estas yo se su sus ma anche chi dove quando è sono questo questi ci si loro of
    maar ook die wie waar wanneer zijn is ik wij ze dat deze dit mas também quem onde são é eu ale też kto
    gdzie kiedy jest są to ten tej się nebo také kdo kde když je jsou ten tato tuto или но также кто где когда
    это этот эту эта этой ли бы мне нам ya da ama de da bu şu o mi vagy de is ki hol amikor ez azt ezt hogy
    van nekem kérlek proszę prosím por favor s'il te plaît пожалуйста lütfen per favore alsjeblieft graag"""
KNOWN = SMALL.union(*(group.split() for group in (_VERBS, _NOUNS, _MORE)))
_CJK_KNOWN = Pattern(
    r"把|将|將|请|請|从|從|这个|這個|这|這|此|网页|網頁|网站|網站|页面|頁面|中|里|裡|的|提取|抓取|获取|獲取|爬取|采集|採集|輸出|输出|保存|导出|存|成|为|為|格式|文件|信息"
    r"|数据|資料|以及|和|以|有用|所有|全部|每|一|列出|给我|并|並|を|から|で|に|は|が|の|と|も|して|します|ください|下さい|取得|抽出|収集|保存|出力|形式|ファイル|ボックス|セクション|部分|欄|ページ|サイト"
    r"|一覧|データ|情報|すべて|全て|し|た|て|する|せよ|"
    r"에서|을|를|의|로|으로|이|가|은|는|에|도|추출|수집|저장|가져와|가져오|해줘|해주세요|하세요|하고|하여|주세요|페이지|웹페이지|사이트|모든|각|목록|정보|데이터|파일|형식|유용한"
    r"|출력|줘|오|세요|정렬|해|順番|順序|顺序|上|共|多|页|頁|列成|表|整理"
)
_PIECE = Pattern(r"[^,;:.!?\n()\[\]{}—\ue000]+")
_WORD = Pattern(r"[^\W_]+(?:['’._-][^\W_]+)*")
_MAX_UNREAD = 24


class Unread(msgspec.Struct, frozen=True):
    """A phrase at `start:end` that nothing has read; `said` as written."""

    start: int
    end: int
    said: str


def find_unread(text: Text, used: Sequence[tuple[int, int]], known: Sequence[str] = ()) -> list[Unread]:
    """Phrases with words in them that nothing above has read. `used`: spans that were read; `known`: words that are
    no news (what a row is)."""
    taken = bytearray(len(text.low) + 1)
    for start, end in used:
        taken[start:end] = b"\x01" * max(0, min(end, len(text.low)) - start)
    names = {w for k in known for w in (k, k + "s", k + "es", k[:-1] + "ies")}
    left: dict[str, Unread] = {}
    for match in _PIECE.finditer(text.low):
        start, end = match.start(), match.end()
        parts = [(w.start() + start, w.end() + start) for w in _WORD.finditer(text.low[start:end])]
        for run in _runs(text, parts, taken):
            if any(text.low[a:b] not in names for a, b in run):
                said = _said(text, run[0][0], run[-1][1])
                left.setdefault(said, Unread(run[0][0], run[-1][1], said))
        if len(left) >= _MAX_UNREAD:
            break
    return list(left.values())


def _runs(text: Text, words: Sequence[tuple[int, int]], taken: bytearray) -> list[list[tuple[int, int]]]:
    """The words that matter, in runs without a word between them that was read. Small words join a run; they do not
    make one."""
    runs: list[list[tuple[int, int]]] = [[]]
    for a, b in words:
        if _open(text.low, taken, a, b):
            runs[-1].append((a, b))
        elif taken[a]:
            runs.append([])
    return [run for run in runs if run]


def _said(text: Text, start: int, end: int) -> str:
    while end < len(text.raw) and text.raw[end] in "\"”»'":
        end += 1
    while start > 0 and text.raw[start - 1] in "\"“«„'":
        start -= 1
    return " ".join(text.raw[start:end].split())[:200]


def _open(low: str, taken: bytearray, start: int, end: int) -> bool:
    if ord(low[start]) > 0x2E7F:
        return _matters("".join(low[i] for i in range(start, end) if not taken[i]))
    return not taken[start] and _matters(low[start:end])


def _matters(word: str) -> bool:
    if not word or word in KNOWN or word.replace("’", "'") in KNOWN or not any(c.isalpha() for c in word):
        return False
    if ord(word[0]) > 0x2E7F:
        return len(_CJK_KNOWN.sub("", word)) > 1
    return len(word) > 1
