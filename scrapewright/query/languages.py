"""Which language a request is written in, from its script and its smallest words."""

from __future__ import annotations

import re

from scrapewright.query.pattern import Pattern

_SMALL_WORDS: dict[str, str] = {
    "en": "the a an of and for with from all every each to in on by as is are list get extract scrape give me "
    "find only please what",
    "de": "der die das und mit von vom für alle jede jedes jeden aus auf als nach ein eine den dem bitte nur "
    "hole hol sortiert zu im"
    " erstelle gib mir seite seiten",
    "fr": "le la les des du et avec de pour tous toutes chaque sur dans par une un au aux seulement donne moi "
    "liste récupère extrais"
    " trié triés page pages cette",
    "es": "el la los las y con de para todos todas cada en por una un del solo esta lista extrae dame ordenado "
    "página páginas",
    "it": "il lo la gli le e con di per tutti tutte ogni da dal dalla dei delle in un una solo questa estrai "
    "elenca ordina pagina pagine"
    " della del",
    "nl": "de het een en met van voor alle elke uit op als naar alleen deze haal geef lijst gesorteerd pagina "
    "pagina's maak",
    "pt": "o a os as e com de do da dos das para todos todas cada em por uma um só apenas esta extraia liste "
    "ordenado página páginas",
    "pl": "i z ze wszystkie wszystkich każdy każdego dla ze na do tylko pobierz wypisz strony stronie "
    "posortowane według lub oraz jako",
    "cs": "a s se všechny všech každý pro z ze na do pouze jen stáhni vypiš stránky stránce seřazené podle "
    "nebo jako seřaď",
    "ru": "и с со из на для все всех каждый каждого по в во только собери извлеки страницы странице сортировка "
    "отсортируй как",
    "uk": "і та з із на для всі всіх кожного по в у тільки збери витягни сторінки",
    "tr": "ve ile için tüm bütün her bir olarak sayfa sayfadaki sayfası çıkar listele sadece göre sırala bu",
    "hu": "és a az egy minden összes oldal oldalról csak szerint rendezve gyűjtsd ki listázd mint formátumban",
    "sv": "och med från alla varje på som endast den det ett en hämta lista",
    "da": "og med fra alle hver på som kun den det et en hent liste",
    "ro": "și cu din toate fiecare pe ca numai pentru extrage listează",
}
_SETS = {language: frozenset(words.split()) for language, words in _SMALL_WORDS.items()}
SMALL = frozenset().union(*_SETS.values())
"""The small words of all languages."""
_WORD = Pattern(r"[^\W\d_]+(?:'s)?")
_HANGUL = Pattern("[\uac00-\ud7af]")
_KANA = Pattern("[\u3040-\u30ff]")
_HAN = Pattern("[\u3400-\u9fff]")
_SCRIPTS = (("he", "[\u0590-\u05ff]"), ("ar", "[\u0600-\u06ff]"), ("el", "[\u0370-\u03ff]"), ("th", "[\u0e00-\u0e7f]"))


def language_of(text: str) -> str:
    """A two-letter code (ISO 639-1); "en" where nothing tells. `text` in lower case, its addresses masked."""
    sample = text[:4000]
    if len(_HANGUL.findall(sample)) >= 2:
        return "ko"
    if len(_KANA.findall(sample)) >= 2:
        return "ja"
    if len(_HAN.findall(sample)) >= 2:
        return "zh"
    words = _WORD.findall(sample)
    letters = sum(map(len, words)) or 1
    for code, script in _SCRIPTS:
        if len(re.findall(script, sample)) > letters * 0.4:
            return code
    best, most = "en", 0.0
    for code, small in _SETS.items():
        score = sum(1.0 for w in words if w in small)
        if score > most:
            best, most = code, score
    return best
