"""What things are called on pages, in the languages that pages are written in, and how well a name fits a field."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from rapidfuzz import fuzz

from scrapewright.survey.dom import words_of

_CONCEPTS: dict[str, str] = {
    "title": """
        title name heading headline caption subject titel überschrift titre título titulo titolo otsikko
        rubrik tytuł název nadpis заголовок название naslov cím
        başlık 标题 標題 タイトル 題名 名称 名前 제목 naam naziv nom
        nome nombre имя nazwa név isim ad bezeichnung product produkt produit producto prodotto artikel item
        topic thema thread betreff case
    """,
    "price": """
        price cost amount preis prix precio prezzo preço prijs cena цена стоимость ár hinta pris fiyat 价格 價格
        価格 値段 料金 가격 kosten tarif rent salary gehalt gbp eur usd chf
    """,
    "url": """
        url link href permalink address adresse enlace lien collegamento ссылка odkaz länk lenke 链接 連結 リンク
        webpage page pdf file download
    """,
    "date": """
        date datum fecha data дата dátum päivämäärä dato tarih 日期 日付 日時 날짜 published posted pubdate created
        updated modified filed decided decision issued time day when veröffentlicht publié publicado
        pubblicato опубликовано born release released start end veranstaltung termin
    """,
    "author": """
        author by writer creator user username poster posted autor auteur autore автор szerző tekijä
        författare forfatter yazar 作者 著者 작성자 byline verfasser nutzer member contributor artist
    """,
    "description": """
        description summary abstract excerpt text content body beschreibung résumé descripción descrizione
        описание popis kuvaus beskrivning beskrivelse açıklama 描述 說明 説明 설명 teaser intro details note quote
        comment message
    """,
    "image": """
        image img picture photo thumbnail thumb logo cover bild foto imagen immagine картинка фото obrázek
        kuva 图片 圖片 画像 이미지 src
    """,
    "rating": """
        rating stars score review bewertung note valoración valutazione рейтинг оценка hodnocení értékelés
        评分 評分 評価 평점 points
    """,
    "availability": """
        availability stock in-stock available verfügbarkeit lieferbar lieferzeit disponibilité
        disponibilidad disponibilità наличие dostupnost saatavuus 库存 庫存 在庫 재고 delivery
    """,
    "count": """
        count number quantity qty total anzahl menge nombre cantidad quantità количество aantal ilość antal
        数量 件数 개수 pieces case capacity stellplätze plätze
    """,
    "code": """
        code id sku number no nr article artikelnummer reference ref isbn ean docket case number номер
        código codice numéro 编号 編號 番号 번호 solicitation citation
    """,
    "category": """
        category type kind genre class section department group kategorie catégorie categoría categoria
        категория раздел kategória luokka 分类 分類 カテゴリ 종류 rubrik art
    """,
    "tags": """
        tags tag labels label keywords keyword topics schlagwörter stichworte étiquettes etiquetas теги
        метки címkék 标签 標籤 タグ 태그
    """,
    "location": """
        location place city town address venue region country ort stadt standort lieu ville lugar ciudad
        luogo città место город адрес miasto město 地点 地點 場所 지역 birthplace
    """,
    "comments": """
        comments replies answers responses kommentare antworten commentaires comentarios commenti
        комментарии 评论 評論 コメント 댓글
    """,
    "votes": """
        points votes score likes karma upvotes punkte голоса
    """,
    "views": """
        views hits visits aufrufe vues visitas просмотры
    """,
    "rank": """
        rank position place no # platz rang puesto место 排名 順位
    """,
    "brand": """
        brand manufacturer maker marke hersteller marque marca merk бренд производитель značka márka 品牌 ブランド
        브랜드 company firma
    """,
    "phone": """
        phone tel telephone telefon téléphone teléfono telefono телефон 电话 電話 전화
    """,
    "email": """
        email mail e-mail
    """,
    "size": """
        size größe taille tamaño dimensione размер velikost méret 大小 尺寸 サイズ 크기
    """,
    "status": """
        status state zustand estado stato статус stav 状态 狀態 状態
    """,
    "duration": """
        duration time minutes length dauer zeit durée tijd bereidingstijd gesamtzeit totaltime preptime
        cooktime idő czas продолжительность 時間
    """,
    "servings": """
        servings yield serves portions personen portionen portions raciones porzioni порций adag porce
        personer recipeyield
    """,
    "free": """
        free available frei libre libero свободно
    """,
}


@lru_cache(maxsize=1)
def _by_word() -> dict[str, frozenset[str]]:
    out: dict[str, set[str]] = {}
    for concept, words in _CONCEPTS.items():
        for word in words.split():
            out.setdefault(word, set()).add(concept)
    return {word: frozenset(concepts) for word, concepts in out.items()}


def concepts_of(words: Iterable[str]) -> frozenset[str]:
    """The concepts that words stand for."""
    table = _by_word()
    return frozenset(concept for word in words for concept in table.get(word, ()))


@lru_cache(maxsize=8192)
def tokens(text: str) -> tuple[str, ...]:
    """Words of a name in lower case; scripts without blanks are kept whole."""
    found = words_of(text)
    return found or tuple(part for part in re.split(r"[\W_]+", text.lower()) if part)


@lru_cache(maxsize=16384)
def likeness(wanted: str, found: str) -> float:
    """How well one name fits another, from 0.0 to 1.0: same words, words in common, one concept, similar spelling."""
    one, other = tokens(wanted), tokens(found)
    if not one or not other:
        return 0.0
    if one == other or "".join(one) == "".join(other):
        return 1.0
    both = set(one) & set(other)
    if both:
        return 0.6 + 0.3 * len(both) / max(len(set(one)), len(set(other)))
    if concepts_of(one[-1:]) & concepts_of(other) or concepts_of(one) & concepts_of(other[-1:]):
        return 0.55
    ratio = fuzz.ratio("".join(one), "".join(other)) / 100
    return 0.7 * ratio if ratio >= 0.8 else 0.0
