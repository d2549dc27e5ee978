"""What columns are commonly called, in the languages people write in, and what type such a column has.

One concept a line: its name, the type that its name alone suggests, and its words. A word with a star is a stem: it
stands for every word that begins so and goes on for four letters at most (inflections, plurals). Used to tell a list
of fields from other lists, to guess a type that was not said, and to see that "preis" and "price" are one column.
"""

from __future__ import annotations

from scrapewright.query.model import FieldType

_TABLE: tuple[tuple[str, FieldType, str], ...] = (
    (
        "title",
        "text",
        """title* heading* headline* subject* caption* titel* überschrift* betreff* schlagzeile* titre*
        intitulé* título* titulo* titular* titolo titoli intestazion* kop koppen tytuł* nagłów* titul*
        nadpis* názv* název заголов* başlı* cím címe címek címet tematik* 标题 標題 题目 タイトル 題名
        見出し 件名 제목 타이틀 rubrik* otsikko* overskrift* titlu*""",
    ),
    (
        "name",
        "text",
        """name names nom noms nombre nombres nome nomi nomes naam namen benennung* bezeichnung* nazw* jmén*
        имя имен* назван* наименован* isim isimleri ad adı adları név neve nevet nevek 名称 名稱 名字 姓名
        名前 名 品名 이름 명칭 상품명 제품명 namn navn nimi nume product item artikel* produkt* produit*
        producto* prodott* produto* товар* ürün* termék* 商品 产品 產品 商品名 製品 상품 제품 article
        articles articulo* artículo* articol* artigo*""",
    ),
    (
        "text",
        "text",
        """text texts quote* quotation* content* body message* inhalt* nachricht* zitat* contenu* texte*
        citation* texto* cita citas contenid* testo testi contenut* citazion* tekst* inhoud* citaat citaten
        treść treści cytat* obsah* citát* текст* цитат* содержан* metin* alıntı* içeri* szöveg* idézet*
        tartal* 内容 內容 正文 文本 引用 名言 本文 テキスト 내용 본문 인용""",
    ),
    (
        "price",
        "float",
        """price* cost costs fee fees amount* prix tarif* coût* precio* coste* costo costi prezzo prezzi prijs
        prijzen kosten preis* betrag* preço* preco* cena ceny cenę ceně cenou cenu цен* стоимост* fiyat*
        tutar* ár ára árak árat ára ár 价格 價格 售价 售價 单价 価格 値段 料金 가격 금액 pris priser hinta
        pret preț*""",
    ),
    (
        "date",
        "date",
        """date dates datum* dato datoen päivä* published posted fecha* data datas daty datę datu дат* tarih* dátum*
        日期 日付 発売日 公開日 投稿日 发布日期 發布日期 日時 날짜 일자 게시일 veröffentlicht* erschein* erstellt
        publication publié* publicado* pubblicat* gepubliceerd* opublikowan* publikováno опубликован*
        yayınlan* updated created modified filed decided released deadline""",
    ),
    (
        "time",
        "text",
        """time times uhrzeit* zeit* heure* horaire* hora horas ora ore orario tijd* czas* godzin* čas* время
        saat* idő* 时间 時間 时刻 時刻 시간""",
    ),
    (
        "url",
        "url",
        """url urls uri link links href hyperlink* linki linkini linkleri linklerini permalink* lien liens
        enlace* vínculo* collegament* koppeling* odnośnik* odkaz* adresse_web ссылк* adresi bağlantı*
        hivatkozás* 链接 鏈接 連結 网址 網址 リンク 링크 주소링크 länk* linkki* pdf homepage website
        webseite* webpage""",
    ),
    (
        "image",
        "url",
        """image* img picture* photo* thumbnail* cover covers bild bilder foto fotos afbeelding* immagin*
        imagen* imagem imagens zdjęci* obraz* obráz* изображен* фото картинк* resim* görsel* kép képe képek
        图片 圖片 图像 封面 画像 写真 이미지 사진 logo avatar""",
    ),
    (
        "author",
        "text",
        """author* writer* autor* verfasser* auteur* autore autori schrijver* автор* yazar* szerző* 作者 著者
        作家 저자 작성자 글쓴이 byline forfatter* user users username* benutzer* utilisateur* usuario*
        utente* gebruiker* użytkowni* пользовател* kullanıcı* felhasznál* 用户 用戶 ユーザー 사용자""",
    ),
    (
        "description",
        "text",
        """description* desc summary summaries abstract* excerpt* beschreibung* zusammenfassung* kurztext*
        résumé* descripción* descripcion* resumen* descrizion* riassunt* beschrijving* samenvatting*
        descrição* resumo* opis opisy opisem opisu popis* описан* açıklama* özet* leírás* 描述 简介 簡介
        说明 說明 摘要 説明 概要 설명 요약""",
    ),
    (
        "rating",
        "float",
        """rating* ratings note notes score_avg bewertung* sternebewertung* évaluation* valoración* puntuaci*
        valoracion* calificaci* valutazion* voto beoordeling* waardering* avaliaç* ocen* hodnocení рейтинг*
        оценк* puan* derecelendirm* értékel* 评分 評分 评级 評価 평점 별점 등급""",
    ),
    (
        "reviews",
        "int",
        """reviews review_count rezensionen avis reseñas recensioni recensies avaliações recenzj* recenz*
        отзыв* yorum* vélemény* 评论数 評論數 レビュー数 리뷰수 후기""",
    ),
    (
        "availability",
        "text",
        """availabilit* stock instock lagerbestand* verfügbarkeit* lieferbarkeit* lieferzeit* disponibilit*
        disponibilid* beschikbaarhei* voorraad dostępnoś* dostupnost* наличи* stok* elérhető* készlet* 库存
        庫存 在庫 재고""",
    ),
    (
        "category",
        "text",
        """categor* genre* section* department* topic* kategori* rubrik abteilung* thema themen catégorie*
        rayon categoría* categoria* sezion* categorie* kategoria* категор* раздел* kategória* 类别 類別 分类
        分類 カテゴリ カテゴリー ジャンル 카테고리 분류 장르""",
    ),
    (
        "tags",
        "list",
        """tags keywords labels schlagwörter schlagworte stichwörter étiquettes etiquetas palabras_clave
        etichette trefwoorden tagi štítky теги ключевые etiketler címkék 标签 標籤 关键词 關鍵字 タグ
        キーワード 태그 키워드""",
    ),
    (
        "address",
        "text",
        """address addresses adresse* anschrift* dirección* direccion* indirizz* adres adressen endereço*
        adresu adresy adresa адрес* adres cím_hely 地址 住所 주소 adress""",
    ),
    (
        "phone",
        "text",
        """phone* telephone* tel telefon* téléphone* teléfono* telefono* telefoon* телефон* 电话 電話 電話番号
        전화 전화번호""",
    ),
    ("email", "text", """email emails e-mail mail courriel* correo* e-posta почт* 邮箱 電子郵件 メール 이메일"""),
    (
        "location",
        "text",
        """location* place* venue* city cities town* country countries region* state ort orte stadt land lieu
        ville* pays lugar* ciudad* país* luogo città plaats* stad* cidade* miejsc* miast* míst* měst* город*
        мест* стран* регион* şehir* yer konum* ülke* hely* város* ország* 地点 地點 城市 国家 國家 地区 場所
        都市 国 地域 위치 장소 도시 국가 지역""",
    ),
    (
        "identifier",
        "text",
        """id ids sku isbn ean upc asin code codes reference* ref docket nummer aktenzeichen* artikelnummer*
        code référence* referencia* codice codici kod kody kód код артикул* номер* kodu numara* szám száma
        azonosító* 编号 編號 代码 番号 コード 번호 코드 case_number serial zip postcode plz""",
    ),
    (
        "count",
        "int",
        """count counts number_of anzahl* nombre_de número_de numero_di aantal liczba ilość počet количеств*
        число sayısı adet darab* 数量 數量 件数 개수 수량 quantity quantities qty menge* quantité* cantidad*
        quantità hoeveelheid* quantidad* total totals gesamt* points punkte points puntos punti punten
        pontos punkty body_count очк* баллы 点数 分数 得分 ポイント 점수 stars sterne étoiles estrellas
        stelle sterren estrelas gwiazdki звезд* yıldız* csillag* 星级 星数 votes stimmen votos voti views
        likes downloads followers forks upvotes comments kommentare commentaires comentarios commenti
        reacties komentarz* komentář* комментари* 评论 コメント数 댓글수 rank ranks rang platz platzierung*
        position posición posizione positie miejsce pořadí место sıra helyezés 排名 名次 順位 순위 year
        years replies responses hits visits seeders leechers antworten aufrufe réponses vues respuestas visitas
        risposte visite odpowiedzi wyświetlenia ответы ответов просмотры просмотров jahr année annee año anno jaar
        ano rok godz_rok год* yıl év éve 年份 年 연도 minutes minuten
        seconds pages seiten beds baths bedrooms bathrooms rooms zimmer servings age alter
        capacity mileage seats wins losses games goals""",
    ),
    (
        "population",
        "int",
        """population* inhabitant* einwohner* bevölkerung* habitant* población* abitant* inwoner* popolazion*
        população ludnoś* mieszkańc* obyvatel* населени* жител* nüfus* lakosság* 人口 인구""",
    ),
    (
        "percent",
        "float",
        """percent* percentage* prozent* pourcentage* porcentaje* percentual* процент* yüzde* százalék* 百分比
        割合 비율 average avg mean durchschnitt* moyenne* promedio* media gemiddeld* średni* průměr* средн*
        ortalama* átlag* 平均 평균 latitude longitude weight height width length gewicht temperature*
        temperatur* humidity pressure discount* rabatt* rabais* descuento* sconto sconti korting* скидк*
        indirim* kedvezmén* 折扣 割引 할인""",
    ),
    (
        "status",
        "text",
        """status state_of zustand* état estado* stato stan stav* статус* состояни* durum* állapot* 状态 狀態
        状態 ステータス 상태 condition*""",
    ),
    (
        "brand",
        "text",
        """brand* manufacturer* vendor* publisher* marke* hersteller* verlag* marque* fabricant* éditeur* marca
        marcas fabricante* editorial marche produttor* merk merken uitgever* mark* producent* wydawc* značk*
        výrobc* производител* бренд* издател* marka* üretici* márk* gyártó* kiadó* 品牌 厂商 出版社 ブランド
        メーカー 브랜드 제조사""",
    ),
    (
        "company",
        "text",
        """company companies employer* organization* organisation* agency agencies firma firmen unternehmen
        entreprise* société* empresa* aziend* società bedrijf bedrijven spółk* společnost* компани* şirket*
        cég* vállalat* 公司 企业 企業 会社 회사 기업""",
    ),
    (
        "role",
        "text",
        """role* job jobs positions occupation* stelle_beruf beruf* poste* rol roles puesto* cargo* ruolo ruoli
        functie* stanowisk* pozic* должност* görev* beosztás* 职位 職位 役職 직책 직위""",
    ),
    (
        "type",
        "text",
        """type types typ typen art arten tipo* tipi soort* rodzaj* druh* тип* вид виды tür* típus* 类型 類型
        種類 タイプ 종류 유형 kind kinds""",
    ),
    (
        "size",
        "text",
        """size* größe* groesse* taille* tamaño* dimension* taglia taglie grootte maat maten tamanho* rozmiar*
        velikost* размер* boyut* beden* méret* 大小 尺寸 サイズ 크기 사이즈""",
    ),
    (
        "color",
        "text",
        """color* colour* farbe* couleur* colore colori kleur* cor cores kolor* barv* цвет* renk* szín* 颜色
        顏色 色 カラー 색상""",
    ),
    (
        "salary",
        "text",
        """salary salaries wage* gehalt* salaire* salario* stipendi* salaris* salário* wynagrodzeni* plat
        zarobki mzd* зарплат* maaş* fizetés* 薪资 薪水 給与 급여 연봉""",
    ),
    (
        "duration",
        "text",
        """duration* runtime dauer* durée* duración* durata duur duração* czas_trwania délk* длительност* süre*
        időtartam* 时长 時長 期間 所要時間 기간""",
    ),
    (
        "language",
        "text",
        """language* sprache* langue* idioma* lingua lingue taal talen język* jazyk* язык* dil dili nyelv* 语言
        語言 言語 언어""",
    ),
    (
        "other",
        "text",
        """version* license* licence* director* actor* cast ingredients zutaten ingrédients ingredientes
        ingredienti ingrediënten składniki ingredience ингредиент* malzeme* hozzávalók 材料 재료 artist*
        singer* album* team teams mannschaft* équipe* equipo* squadra club clubs player* spieler* joueur*
        jugador* giocator* speler* judge* court* citation* founder* gründer* fondateur* fundador* fondator*
        oprichter* założyciel* zakladatel* основател* kurucu* alapító* employee* mitarbeiter* data_type dish
        dishes gericht* zutat* recipe* nickname* model* modell* modèle* modelo* modello* модел* 型号 型番
        모델 series season episode* chapter* headline_text birthday birthplace nationality nationalit*
        gender height_cm question* answer* symbol* ticker currency währung* devise moneda valuta waluta měna
        валют*""",
    ),
)


def _build() -> tuple[dict[str, str], dict[str, str], dict[str, FieldType]]:
    exact: dict[str, str] = {}
    stems: dict[str, str] = {}
    types: dict[str, FieldType] = {}
    for concept, kind, words in _TABLE:
        types[concept] = kind
        for word in words.split():
            if word.endswith("*"):
                stems.setdefault(word[:-1], concept)
                exact.setdefault(word[:-1], concept)
            else:
                exact.setdefault(word, concept)
    return exact, stems, types


_EXACT, _STEMS, TYPES = _build()
_CJK_WORDS = tuple(sorted((w for w in _EXACT if ord(w[0]) > 0x2E7F), key=len, reverse=True))


def concept_of(word: str) -> str:
    """The concept that a single word (lower case) names, or ""."""
    found = _EXACT.get(word)
    if found:
        return found
    for cut in range(1, 5):
        if len(word) - cut < 3:
            break
        found = _STEMS.get(word[:-cut])
        if found:
            return found
    if word and ord(word[0]) > 0x2E7F and len(word) <= 12:
        for known in _CJK_WORDS:
            if len(known) > 1 and word.endswith(known):
                return _EXACT[known]
    return ""


def concepts_of(words: tuple[str, ...] | list[str]) -> list[str]:
    """The concepts that the words of a name stand for, in their order, without those that stand for none."""
    joined = "_".join(words)
    if joined in _EXACT:
        return [_EXACT[joined]]
    return [c for c in map(concept_of, words) if c]
