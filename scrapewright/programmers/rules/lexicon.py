"""What people and pages call the same thing: field names across languages, month and number words.

Words are compared folded: lower case, no accents, split at anything that is not a letter or a digit.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_CONCEPTS = """
title: topic thread thema
title: title name heading headline caption subject titel naam bezeichnung uberschrift produktname produkt
title: product titre nom intitule titulo nombre titolo nome naslov nazwa tytul nazev jmeno название имя заголовок
title: наименование baslik isim ad cim nev 标题 名称 名字 題名 標題 タイトル 名前 商品名 件名 제목 이름 상품명 item
title: article artikel runner player athlete driver rider employee member speaker candidate participant laufer spieler
title: joueur jugador giocatore speler mitarbeiter teilnehmer
role: role position job function designation title_role funktion poste puesto cargo ruolo functie stanowisko должность
url: url link href uri permalink address_link lien enlace collegamento odkaz ссылка adres_url baglanti hivatkozas
url: 链接 連結 網址 リンク 링크 website web
price: price cost amount preis kosten prix precio costo prezzo prijs bedrag preco valor cena cen цена стоимость
price: fiyat ara arak 价格 價格 価格 値段 가격 msrp
date: date day datum datetime published posted pubdate created updated time timestamp fecha data dato dzien дата
date: tarih kelt 日期 日付 날짜 veroffentlicht erschienen publie publicado pubblicato gepubliceerd opublikowano
date: опубликовано modified geandert modification when filed issued decided decision
author: author writer creator byline user username poster submitter by autor verfasser autore auteur schrijver автор
author: starter opener
author: пользователь yazar szerzo 作者 著者 저자 posted_by nutzer utilisateur usuario gebruiker uzivatel benutzer
text: text content body quote message inhalt texte contenu texto contenido testo tekst текст содержание metin szoveg
text: 内容 內容 本文 文章 내용 zitat citation frase citaat
description: description summary abstract excerpt teaser intro blurb beschreibung zusammenfassung resume descripcion
description: resumen descrizione omschrijving beschrijving descricao opis popis описание aciklama leiras 描述 说明
description: 說明 説明 概要 설명 definition text body
rating: rating stars star note_rating bewertung evaluation calificacion valoracion valutazione waardering
rating: beoordeling avaliacao ocena hodnoceni рейтинг оценка puan ertekeles 评分 評分 評価 평점 sterne etoiles
rating: estrellas
comments: comments comment replies reply responses kommentare antworten commentaires reponses comentarios respuestas
comments: commenti risposte reacties komentarze komentare комментарии ответы yorum hozzaszolasok 评论 評論 回复 回覆
comments: コメント 返信 댓글
reviews: reviews review bewertungen avis opiniones resenas recensioni beoordelingen recenzje recenze отзывы yorumlar
reviews: velemenyek レビュー 리뷰
stock: stock availability available instock verfugbarkeit lieferbarkeit lieferzeit lieferung bestand delivery
stock: disponibilite disponibilidad disponibilita beschikbaarheid voorraad dostepnosc dostupnost наличие stok
stock: keszlet 库存 庫存 在庫 재고
image: image img picture photo thumbnail thumb cover bild foto abbildung imagen immagine afbeelding plaatje zdjecie
image: obrazek изображение фото картинка resim gorsel kep 图片 圖片 画像 写真 이미지 사진 logo
category: category categories section genre kind type group department topics categorie kategorie rubrik categoria
category: genere afdeling kategoria категория раздел kategori rovat 分类 分類 類別 カテゴリ ジャンル 카테고리 art
category: typ rubrique cat kat categ
brand: brand manufacturer maker vendor marke hersteller marque fabricant marca fabricante produttore merk fabrikant
brand: publisher verlag editeur editorial editora editore uitgever wydawnictwo wydawca nakladatel издательство kiado
brand: 出版社 label imprint
brand: marka producent znacka vyrobce бренд производитель uretici gyarto 品牌 ブランド メーカー 브랜드
code: code sku id number no nr ref reference item_number article_number artikelnummer nummer numero num codigo
code: codice numer cislo номер код артикул kod numara szam 编号 編號 番号 型番 번호 model mpn ean isbn docket
quantity: quantity qty pack count units pieces menge anzahl stuck quantite cantidad quantita aantal quantidade ilosc
quantity: mnozstvi количество miktar adet mennyiseg 数量 數量 個数 수량
location: location loc place venue where city town ort standort stadt lieu ville lugar ciudad luogo citta plaats stad
location: localidade localita municipio municipality commune comune gemeinde loc_name
location: local cidade miejsce miasto misto mesto место город yer sehir hely varos 地点 地點 城市 場所 都市 장소
location: 도시
address: address street adresse anschrift direccion indirizzo adres endereco adresa адрес cim_address 地址 住所 주소
region: region district area state province country gebiet bezirk land bundesland pays estado regione paese regio
region: provincie pais kraj регион страна bolge ulke orszag 地区 地區 国家 國家 地域 国 지역 국가
phone: phone telephone tel mobile fax telefon telefono telefoon telefone телефон telefonszam 电话 電話 전화
email: email mail e_mail courriel correo posta почта eposta 邮箱 信箱 メール 이메일
tags: tags tag keywords keyword labels topics schlagworte schlagworter stichworter etiquettes mots etiquetas
tags: tag_list parole trefwoorden tagi stitky теги метки ключевые etiketler cimkek 标签 標籤 关键词 關鍵字 タグ
tags: キーワード 태그
rank: rank position place_rank ranking platz rang classement puesto posicion posizione rangorde plek pozycja poradi
rank: место_rank позиция sira helyezes 排名 名次 順位 순위
points: points score karma votes upvotes likes punkte stimmen pts puntos punti punten pontos punkty body очки баллы
points: vote voters upvoter upvoters голоса puanlar pontok 分数 分數 点数 得点 점수
duration: duration time length runtime minutes min time_needed dauer zeit zubereitungszeit kochzeit duree temps duracion
duration: tiempo durata tempo duur bereidingstijd tijd czas doba длительность время sure ido 时长 時長 時間 시간
servings: servings yield yields serves portions portionen personen personnes porciones raciones porzioni personas
servings: porcje osob порции kisilik adag 份量 人数 人分 인분
size: size dimensions filesize grosse groesse taille tamano dimensione grootte formaat maat tamanho rozmiar velikost
size: размер boyut meret 大小 尺寸 サイズ 크기
version: version release ausgabe versione versie wersja verze версия surum verzio 版本 バージョン 버전
language: language lang sprache langue idioma lingua taal jezyk jazyk язык dil nyelv 语言 語言 言語 언어
year: year jahr annee ano anno jaar rok год yil ev 年 년도
salary: salary pay wage gehalt lohn salaire sueldo salario stipendio salaris placa pensja plat зарплата maas fizetes
salary: 薪资 薪資 給与 연봉
company: company employer firm firma unternehmen entreprise societe empresa azienda ditta bedrijf przedsiebiorstwo
company: spolecnost компания фирма sirket ceg 公司 会社 企業 회사 organisation organization agency
status: status state_of zustand etat estado stato toestand stan stav статус состояние durum allapot 状态 狀態 状態
status: 상태
discount: discount sale savings rabatt ersparnis remise descuento sconto korting rabat sleva скидка indirim
discount: kedvezmeny 折扣 割引 할인
oldprice: was before vorher avant antes prima
oldprice: old_price list_price regular_price rrp uvp statt ancien_prix precio_anterior
views: views hits visits aufrufe vues visitas visualizzazioni weergaven wyswietlenia просмотры goruntulenme
views: megtekintesek 조회수 浏览 瀏覽 閲覧 조회
downloads: downloads download herunterladen telechargements descargas scaricamenti загрузки indirme letoltesek 下载
downloads: 下載 ダウンロード 다운로드
total: общие общий общее общая
total: total sum overall gesamt insgesamt summe totale totaal razem celkem всего итого toplam osszes 总计 總計 合計
total: 합계 capacity kapazitat
free: free frei libre libero vrij livre wolne volne свободно bos szabad 空 空き vacant
beds: beds bed bedrooms bedroom schlafzimmer chambres dormitorios camere slaapkamers quartos sypialnie loznice
beds: спальни yatak halo 卧室 寝室
baths: baths bath bathrooms bathroom badezimmer bader salles banos bagni badkamers banheiros lazienki koupelny
baths: ванные banyo furdo 浴室
rooms: rooms room rm rms zimmer zi pieces_rooms pieces habitaciones habitacion hab habs stanze locali vani kamers kamer
rooms: pokoje pokoj pok комнаты комн oda szoba
beds: habitaciones habitacion hab habs dorm bdrm bdr br bd ch chambre slpk
mileage: mileage odometer miles km kms kilometers kilometres kilometerstand laufleistung kilometrage chilometraggio
mileage: kilometraje kilometros quilometragem przebieg najeto пробег kilometer
fuel: fuel kraftstoff treibstoff carburant combustible carburante brandstof paliwo palivo топливо energie
metre: m metre metres meter meters metro metros metri metr
area: area surface superficie metros m2 sqm sqft qm flache wohnflache grundflache metratura mq mc powierzchnia
area: plocha площадь oppervlakte oppervlak terulet alan yuzolcumu 面積 面积 평 quadratmeter living_area floor_area
average: average avg mean durchschnitt moyenne promedio media gemiddelde srednia prumer среднее ortalama atlag 平均
average: 평균
percent: percent percentage rate ratio prozent pourcentage porcentaje percentuale процент yuzde szazalek
pdf: pdf document file dokument datei fichier archivo documento bestand plik soubor файл dosya fajl
"""

_WEAK_WORDS = """
the a an of and or to in on for with as is at from by der die das von mit le la les de du des el los las il lo del een
het van na do w z value info data field box item list wrapper container inner outer content block
"""
_WEAK = frozenset(_WEAK_WORDS.split())

MONTHS = {
    "en": "january february march april may june july august september october november december",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "cs": "ledna února března dubna května června července srpna září října listopadu prosince",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "uk": "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    "tr": "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "hu": "január február március április május június július augusztus szeptember október november december",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "da": "januar februar marts april maj juni juli august september oktober november december",
    "nb": "januar februar mars april mai juni juli august september oktober november desember",
    "fi": (
        "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta "
        "heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta"
    ),
    "ro": "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
    "hr": "siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenoga prosinca",
}
"""Month names as written in dates (the genitive where a language has one), January first."""

NUMBER_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5,
    "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eins": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "un": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5,
    "uno": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "due": 2, "tre": 3, "quattro": 4, "cinque": 5,
    "een": 1, "twee": 2, "drie": 3, "vijf": 5,
}  # fmt: skip

_YES_PHRASES = """
yes, true, available, in-stock, instock, in stock, ja, oui, si, sí, sim, tak, ano, да, vorrätig, lieferbar, sofort
lieferbar, auf lager, verfügbar, disponible, en stock, disponibile, disponível, em estoque, beschikbaar, op voorraad,
dostępny, w magazynie, skladem, есть, в наличии, var, 有, 有货, あり, 在庫あり, 재고있음
"""
_NO_PHRASES = """
no, false, unavailable, not available, sold, sold out, out of stock, nein, non, não, nie, ne, нет, ausverkauft,
nicht vorrätig, nicht lieferbar, nicht verfügbar, épuisé, rupture de stock, agotado, sin stock, esaurito,
non disponibile, esgotado, uitverkocht, niet op voorraad, niedostępny, vyprodáno, нет в наличии, yok,
無, なし, 在庫なし, 缺货, 품절
"""


def _phrases(text: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in text.split(","))


YES = _phrases(_YES_PHRASES)
NO = _phrases(_NO_PHRASES)


def fold(text: str) -> str:
    """Lower case without accents, for comparing; letters of other scripts stay."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(char for char in decomposed if not ("\u0300" <= char <= "\u036f"))
    return unicodedata.normalize("NFC", kept)


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[str, ...]:
    """The words of a name or phrase: split at punctuation, underscores and camel case, folded."""
    spaced = re.sub(r"(?<=[a-zа-я0-9])(?=[A-ZА-Я])", " ", text)
    return tuple(word for word in re.split(r"[\W_]+", fold(spaced)) if word)


@lru_cache(maxsize=1)
def _table() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for line in _CONCEPTS.strip().splitlines():
        concept, _, words = line.partition(":")
        for word in words.split():
            table.setdefault(fold(word), set()).add(concept)
    return {word: frozenset(found) for word, found in table.items()}


@lru_cache(maxsize=4096)
def concepts(word: str) -> frozenset[str]:
    """What the word means, as far as it is known: "preis" -> {"price"}. Tries the plural's singular as well."""
    table = _table()
    word = fold(word)
    if word in table:
        return table[word]
    for ending in ("s", "es", "en", "n", "e"):
        if len(word) > len(ending) + 3 and word.endswith(ending) and word[: -len(ending)] in table:
            return table[word[: -len(ending)]]
    return _slips().get(word, frozenset())


@lru_cache(maxsize=1)
def _slips() -> dict[str, frozenset[str]]:
    """Known words, and their plurals, with two neighbouring letters in the other's place: "prcie", "nmaes".

    The commonest slip of a typist, and the one that hardly ever gives another word.
    """
    table = _table()
    found: dict[str, frozenset[str]] = {}
    for known, meant in table.items():
        for word in (known, known + "s") if known.isascii() and known.isalpha() and len(known) > 3 else ():
            for at in range(len(word) - 1):
                if len(word) > 4 and word[at] != word[at + 1]:
                    slip = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
                    found.setdefault(slip, meant)
    return found


def concepts_of(words: tuple[str, ...]) -> frozenset[str]:
    """All concepts that a phrase touches."""
    joined = concepts("_".join(words)) if len(words) > 1 else frozenset()
    return frozenset().union(joined, *(concepts(word) for word in words))


def weak(word: str) -> bool:
    """A word that says nothing about what a field holds."""
    return word in _WEAK


_IRREGULAR = {
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "feet": "foot",
    "series": "series",
}


def singular(word: str) -> str:
    """English only, good enough to name a variable: "quotes" -> "quote", "stories" -> "story"."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "news")) and len(word) > 3:
        return word[:-1]
    return word
