"""The words after which (or before which) a list of fields stands."""

from __future__ import annotations

from scrapewright.query.pattern import Pattern
from scrapewright.query.phrases import phrase

COLUMNS = phrase(
    r"(?:with |using |having |containing |and |the |these |following |exactly |only |for |named ){0,5}(?:columns?"
    r"|fields?|attributes|properties|keys|headers|column names|data points)(?: names?| named| called| are"
    r"| should be| of| =| for each(?: \w+){1,3})?"
    r"|(?:mit |und |den |die |folgenden? |nur ){0,5}(?:spalten|feldern?|attributen?)|(?:avec |et |les |la "
    r"|des ){0,5}(?:colonnes|champs)(?: suivante?s)?|(?:con |y |e |as |los |las |com |os ){0,5}(?:columnas|campos"
    r"|colunas)(?: siguientes| seguintes)?"
    r"|(?:con |e |le |i ){0,5}(?:colonne|campi)(?: seguenti)?|(?:met |en |de |volgende ){0,5}(?:kolommen|velden)"
    r"|(?:z |ze |i ){0,5}(?:kolumn\w*|pol(?:a|ami|ach))|(?:se |s |a ){0,5}(?:sloupc\w*|pol[ei]|poli)|(?:с |и "
    r"|со ){0,5}(?:колонк\w*|столбц\w*|пол(?:я|ями|ях))|mezők|oszlopok|(?:sütunlar"
    r"|alanlar)(?=:)|(?:med |och ){0,5}(?:kolumner\w*|fält\w*)",
    r"(?:以下|下列)?(?:字段|欄位|栏位|列名)(?:为|是|包括|有)?|(?:以下の)?(?:カラム|フィールド|項目"
    r"|列)(?:は|が)?(?=[: ])|(?:컬럼|필드|항목|열)(?:은"
    r"|는)?(?=[: ])",
)
COLUMNS_AFTER = phrase(
    r"(?:sütun|alan|kolon)\w*|oszlop\w*|mező\w*|columns|fields|spalten|felder|kolumny|sloupce|столбцы|колонки",
    r"(?:这|這)?(?:几|幾|[一二三四五六七八九两兩\d])?(?:个|個)?(?:字段|欄位|栏位)"
    r"|(?:の)?(?:各)?(?:カラム|フィールド|項目|列)(?:で|を|に)|(?:컬럼|필드"
    r"|항목|열)(?:으로|을|를)",
)
WITH = phrase(
    r"with(?: (?:their|its|the|each|these))?|including(?: (?:their|its))?|includes?|containing|contains?"
    r"|(?:csv|json(?: ?lines)?|ndjson|spreadsheet)(?: file| array| table)? (?:of|with)(?: the)?"
    r"|having|showing|namely|along with|together with|plus|mit|inklusive|samt|bestehend aus|und zwar"
    r"|avec(?: (?:leurs?|son|sa|ses|le|la|les))?|comprenant|contenant|incluant|inclu[tsz]?"
    r"|con(?: (?:su|sus|el|la|los|las|i|il|le|lo|gli))?|incluyendo|incluya|inclus[oaie]|comprendente"
    r"|contenente|met|inclusief|bevattende|com(?: (?:seus?|suas?|o|a|os|as))?|incluindo|inclua|contendo"
    r"|wraz z|razem z|z|ze|zawierając\w*|s|se|včetně|obsahující\w*|с(?: их)?|со|включая|вместе с|содержащ\w+"
    r"|med|cu",
    r"包含|包括|含有?|提取|抓取|获取|獲取|爬取|采集|輸出|输出|列出|显示|收集|の中から|から"
    r"|より|について|ごとに|に含まれる|에서|의|각각의|마다",
)
VERB = phrase(
    r"(?:please |can you |could you |i |we |you |to |and |then |also |just |only |me |would ){0,5}(?:extract"
    r"|scrape|get|give|grab|collect|fetch|pull|list|find|return|output|need|want|like|show|record|capture"
    r"|save|store|take|parse|gather|tell|retrieve|report|note|read)(?: me| us| out| for me| back)?(?: (?:all"
    r"|both|just|only))?(?: of)?(?: the)?(?: following)?"
    r"|(?:ich |wir |bitte |und |mir |uns ){0,5}(?:extrahiere|hole?|liste|gib|sammle|zeige|lies|brauche|möchte"
    r"|will|schreibe|speichere|erfasse|suche|finde|benötige|nimm|gebe)(?: mir| uns| bitte)*(?: (?:den|die|das"
    r"|jeweils))?"
    r"|(?:je |nous |et |s'il te plaît ){0,5}(?:extrais|extraire|extrayez|récupère[rz]?|donne[rz]?(?:-moi)?"
    r"|liste[rz]?|veux|voudrais|besoin de|collecte[rz]?|affiche[rz]?|relève[rz]?|renvoie"
    r"|enregistre[rz]?)(?: moi)?(?: (?:le|la|les))?"
    r"|(?:y |e |por favor ){0,5}(?:extrae|extraer|extraiga|obtén|obtener|dame|lista|listar|quiero|necesito|recoge"
    r"|recopila|saca|muestra|devuelve|guarda|extraia|extrair|obtenha|liste|quero|preciso(?: de)?|colete"
    r"|mostre|pegue|me dê)(?: (?:el|la|los|las|o|a|os|as))?"
    r"|(?:e )?(?:estrai|estrarre|elenca|dammi|voglio|raccogli|prendi|mostra|scarica|vorrei|ottieni"
    r"|restituisci)(?: (?:il|la|lo|i|gli|le))?|(?:en |graag )?(?:haal|geef|verzamel|lijst|toon|extraheer|wil"
    r"|pak|schrijf|noteer)(?: (?:mij|me|de|het)){0,5}"
    r"|(?:i )?(?:pobierz|wyciągnij|wypisz|zbierz|podaj|wyodrębnij|pokaż|potrzebuję|chcę|zapisz)"
    r"|(?:a )?(?:stáhni|získej|vypiš|extrahuj|seber|vytáhni|zobraz|chci|potřebuji|ulož|posbírej|načti)"
    r"|(?:и )?(?:собери|извлеки|получи|выпиши|вытащи|достань|спарси|выгрузи|покажи|нужн\w+|хочу|выведи"
    r"|сохрани|соберите|извлечь|получить|собрать|укажи|возьми)|(?:kérem? )?(?:gyűjtsd (?:ki|össze)|listázd"
    r"|szedd ki|kérem|add meg|nyerd ki|írd ki|mentsd)(?: (?:az|a|ki)){0,5}|(?:hämta|lista|hent|extrage)",
    r"(?:提取|抓取|获取|獲取|爬取|采集|採集|輸出|输出|列出|给我|收集|取得)(?:它们的"
    r"|他们的|每[个個][^,、。\s]{0,6}?的)?",
)
QUESTION_LEAD = phrase(
    r"(?:what(?:'s| is| are| was| were)|wat (?:is|zijn)|was (?:ist|sind)|quel(?:le)?s? (?:est|sont)"
    r"|cuál(?:es)? (?:es|son)|qual(?:i)? (?:è|sono|é|são)|jak(?:i|a|ie) (?:jest|są)|jak(?:ý|á|é) (?:je|jsou)"
    r"|какой|какая|какое|какие|каков\w*|mi (?:a|az)|who is|who are|when is|when was)(?: (?:the|de|het|der|die"
    r"|das|le|la|les|el|los|las|il|lo|o|a|os|as))?"
)
PER = phrase(
    r"(?:for |of |from |with |by |per |in )?(?:each|every)(?: of (?:the|them|these"
    r"|those))?(?: [^\s,;:.()\ue000]{1,40}){0,3}|per (?:[^\s,;:.()\ue000]{1,40}){1,2}"
    r"|für (?:jede[nrs]?|alle)(?: [^\s,;:.()\ue000]{1,40}){1,2}"
    r"|je(?:weils)?|jeweils|pour (?:chaque|tous les|toutes les) [^\s,;:.()\ue000]{1,40}|(?:para|por"
    r"|de) cada [^\s,;:.()\ue000]{1,40}|(?:per|di) ogni [^\s,;:.()\ue000]{1,40}|(?:voor|van"
    r"|per) elke? [^\s,;:.()\ue000]{1,40}"
    r"|dla każd\w+ [^\s,;:.()\ue000]{1,40}"
    r"|pro každ\w+ [^\s,;:.()\ue000]{1,40}|(?:для|у|по) кажд\w+ [^\s,;:.()\ue000]{1,40}"
    r"|her (?:bir )?[^\s,;:.()\ue000]{1,40} için"
    r"|minden [^\s,;:.()\ue000]{1,40}(?:hez|höz|hoz|ről|ról|nél|nál|ből|ból)"
)

CONJUNCTIONS: dict[str, str] = {
    "en": r"and|as well as|plus|along with|&",
    "de": r"und|sowie|als auch|samt",
    "fr": r"et|ainsi que",
    "es": r"y|e|así como",
    "it": r"e|ed|nonché",
    "nl": r"en|alsmede|evenals",
    "pt": r"e|bem como|assim como",
    "pl": r"i|oraz|a także",
    "cs": r"a|i|a také",
    "ru": r"и|а также",
    "uk": r"і|й|та|а також",
    "tr": r"ve|ile",
    "hu": r"és|valamint|meg",
    "sv": r"och|samt",
    "da": r"og|samt",
    "ro": r"și|precum și",
    "zh": r"和|及|以及|与|與|跟",
    "ja": r"および|及び",
    "ko": r"및|그리고|하고",
}
_EVERYWHERE = r"and|und|et|oraz|och|og|és|ve|as well as|sowie"


def separator(language: str) -> Pattern:
    """What stands between two fields of a list in this language: commas, and its words for "and"."""
    words = CONJUNCTIONS.get(language, "")
    if language == "zh":
        extra = r"|以及|(?<![共总總平])和(?![谐平])|及|(?<!参)[与與]"
    elif language == "ja":
        extra = r"|(?:、?)(?:および|及び)|と(?=[^\s,、。:]{1,12}(?:[,、。をの (]|$))|・(?=\S)"
    elif language == "ko":
        extra = r"|(?<=[\uac00-\ud7af\w])(?:과|와|이?랑)\s+|\s(?:및|그리고)\s"
    else:
        extra = ""
    latin = f"{_EVERYWHERE}|{words}" if extra == "" and words else _EVERYWHERE
    return Pattern(rf"[,;\n、]|\s&\s|\s\|\s|\s\+\s|(?<=\s)(?:{latin})(?=\s){extra}")


# Where a field's name ends and a word on where it comes from begins: "title of the book", "prix du produit".
ENDERS: dict[str, str] = {
    "en": r"exactly|verbatim|without(?= the (?:quot|foot))"
    r"|for|from|on|of (?:the|all|each|every|these|those|this|that|any|an?)|in (?:the|this"
    r"|each|every)|at|into|to|per|where|when|which|that|who|whose|listed|shown|displayed|found|available"
    r"|then|so|using|via|until|if|given|as|in|by|=|must|should|are|is|be",
    "de": r"von|vom|aus|auf|für|im|in|der|des|aller|jedes|jeder|pro|bei|an|zu|zum|als|je|wie|extrahieren"
    r"|auslesen|sammeln|exportieren|speichern|holen|ausgeben|auflisten|aus|erfassen|scrapen|ab|sind|steht"
    r"|sowie|nach",
    "fr": r"de (?:la|chaque|tous|toutes|ce|cette|ces)|de l|du|des|sur|dans|pour|depuis|en|comme|tels? que?l?s?"
    r"|telles? que?l?l?e?s?|au|aux|à|par|qui|que",
    "es": r"de (?:la|las|los|cada|todos|todas|este|esta|estos)|del|en|desde|para|tal|como|por|que|a|al",
    "it": r"del|della|dello|dei|degli|delle|di (?:ogni|tutti|tutte|ciascun\w*)|dal|dalla|su|sul|sulla|nella|nel"
    r"|per|in|come|da|che|a",
    "nl": r"van (?:de|het|elke|elk|alle|deze)|op|uit|voor|in|bij|als|per|naar|die|dat",
    "pt": r"da|das|do|dos|de (?:cada|todos|todas)|na|no|nas|nos|em|para|desde|tal|como|por|que",
    "pl": r"ze|z|na|dla|w|we|każde\w+|wszystkich|do|jako|od|po",
    "cs": r"ze|z|na|pro|v|ve|každé\w+|všech|do|jako|od|po",
    "ru": r"со|с|из|на|для|в|каждо\w+|всех|от|по|как|у",
    "uk": r"з|із|на|для|в|кожно\w+|всіх|від|як",
    "tr": r"için|olarak|bilgi\w+|çıkar\w*|listele\w*|topla\w*|çek\w*|al|getir\w*|kaydet\w*|yaz|ver|dahil"
    r"|içer\w*|sütun\w*|alan\w*|ile",
    "hu": r"adatokat|oszlop\w*|mező\w*|formátum\w*|ki|az oldalról|minden|mint|a|az|listáját|listája",
    "sv": r"från|på|för|i|som|till",
    "da": r"fra|på|for|i|som|til",
    "ro": r"din|de pe|pentru|ca|în|la",
}
CJK_ENDS = Pattern(
    r"(?:等(?:信息|資訊|字段|数据)?|这些信息|這些資訊|的(?:列表|信息|数据|資料|清单)|并|並|保存|输出|輸出"
    r"|导出|存成|以及?(?=csv|json)|信息|を|の一覧|のリスト"
    r"|といった|などの?|して|すべて|で出力|を(?:取得|抽出|収集|出力)|정보|등을?"
    r"|(?<=[\uac00-\ud7af\w])(?:을|를)(?=\s|$|[,.])|추출|수집|가져|저장"
    r"|포함).*$"
)
