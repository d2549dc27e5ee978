"""What is said about a field beside its name: its type, how a date is written, that it may be missing."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from scrapewright.query.lexicon import TYPES, concepts_of
from scrapewright.query.model import FieldType
from scrapewright.query.pattern import Pattern
from scrapewright.query.wordlist import word_set


class Note(msgspec.Struct, frozen=True):
    """The reading of a note. `type` is "" where it says none; `plural`: the type was said of several fields at once."""

    type: FieldType | Literal[""] = ""
    plural: bool = False
    optional: bool = False
    absolute: bool = False
    date_format: str = ""
    rest: str = ""
    """The parts that say neither of these: what the page may call the field, or where it stands."""


# Words that name a type wherever they stand in a note, and words that do so only where they are all that a part of it
# says: "number" in "the number of the case" is no type.
_ANYWHERE: tuple[tuple[FieldType, str], ...] = (
    ("int",
        r"int|ints|integer|integers|whole numbers?|ganzzahl(?:en|ig)?|ganze zahl(?:en)?|entiers?"
        r"|nombres? entiers?|enteros?|intero|interi"
     r"|gehele? getal(?:len)?|inteiros?|liczb[ay] całkowit[ae]|cel[éá] čísl[oa]|цел(?:ое|ым|ые)(?: числ\w+)?"
     r"|tam ?sayı\w*|egész(?: szám\w*)?|heltal"),
    ("float",
        r"float|floats|decimal|decimals|decimal numbers?|double|floating[- ]point|dezimalzahl(?:en)?"
        r"|kommazahl(?:en)?|nombres? décima(?:l|ux)"
     r"|décima(?:l|ux)|decimales?|decimal[ei]|kommagetal|decima(?:l|is)|liczb[ay] dziesiętn[ae]"
     r"|desetinn[éá] čísl[oa]|дробн\w+|вещественн\w+"
     r"|ondalık\w*|tizedes\w*"),
    ("bool",
        r"bool|boolean|booleans|true[/ ]?(?:or )?false|yes[/ ]?(?:or )?no|ja[/ ]?(?:oder )?nein"
        r"|oui[/ ]?(?:ou )?non|s[íì][/ ]no|да/нет|tak/nie|ano/ne|evet/hayır"),
    ("list",
        r"(?:json )?arrays?|as (?:a )?lists?|list of \w+|lists of \w+|als (?:eine )?listen?"
        r"|comme (?:une )?liste|come (?:una )?lista|como (?:una |uma )?lista"
     r"|als (?:een )?lijst|jako (?:lista|listę|seznam)|списком|как список|в виде списка|liste olarak|listaként"),
    ("datetime", r"datetime|timestamp|date and time|datum und uhrzeit|date et heure|дата и время|fecha y hora"),
)  # fmt: skip
_ALONE: tuple[tuple[FieldType, str], ...] = (
    ("float",
        r"numbers?|numeric|numeric value|number only|numbers only|just (?:the )?number|only (?:the )?number"
        r"|plain numbers?|without (?:the )?currency(?: sign| symbol)?"
     r"|zahl(?:en)?|nur (?:die )?zahl|numerisch|nombres?|chiffres?|número|números|solo (?:el )?número"
     r"|solo (?:il )?numero|numero|numeri|getal(?:len)?|alleen het getal"
     r"|apenas (?:o )?número|liczb[ayęą]?|tylko liczba|čísl[oa]|číslem|число|числом|числа|только число|sayı"
     r"|sadece sayı|szám|csak (?:a )?szám|számként"),
    ("date",
        r"date|dates|iso|iso dates?|iso 8601|iso[- ]format|iso[- ]8601 format|datum|iso-datum|date iso|fecha"
        r"|fecha iso|data|data iso|дата|дата iso|datę|tarih|dátum"),
    ("url",
        r"urls?|links?|hrefs?|absolute|absolut|absolut\w*|absolu|absolue|abszolút|абсолютн\w+|(?:absolute "
        r"|full |complete |entire )+(?:urls?|links?|address|href)"
     r"|vollständige (?:url|adresse)|url compl[eè]te?|url absolue|lien absolu|url complet[oa]|enlace|lien"
     r"|ссылка|ссылкой|полная ссылка|bağlantı|link assoluto|url assoluto"
     r"|odkaz|hivatkozás|volledige url|absolute (?:url|link)s?|pełny adres|absolutní url"),
    ("list", r"lists?|listen?|lista|liste|elenco|lijst|seznam|listę|список|liste halinde"),
    ("text", r"text|texts|string|strings|str|texte|texto|testo|tekst|текст|строка|metin|szöveg|as text|zeichenkette"),
)  # fmt: skip
_ANYWHERE_RE = [(t, Pattern(rf"(?<!\w)(?:{p})(?!\w)")) for t, p in _ANYWHERE]
_ALONE_RE = [(t, Pattern(rf"(?:{p})")) for t, p in _ALONE]
_CJK_TYPES: tuple[tuple[FieldType, str], ...] = (
    ("int", "整数|整數|정수"),
    ("float", "小数|小數|浮点|浮點|実数|소수|실수|数字|數字|数値|數值|数值|숫자"),
    ("datetime", "日期时间|日期時間|日時"),
    ("date", "^(?:日期|日付|날짜)$"),
    ("bool", "布尔|布林|真偽|真伪"),
    ("list", "列表|数组|陣列|リスト|配列|목록|리스트|배열"),
    (
        "url",
        "^(?:链接|鏈接|連結|网址|網址|リンク|링크|绝对链接|絕對連結|完整链接|絶対url|절대 ?url)$|绝对|絕對|絶対|절대",
    ),
    ("text", "^(?:文本|文字|字符串|テキスト|文字列|문자열|텍스트)$"),
)
_CJK_RE = [(t, Pattern(p)) for t, p in _CJK_TYPES]
_ABSOLUTE = Pattern(
    r"(?<!\w)(?:absolut\w*|absolu\w*|assolut\w*|bezwzględn\w+|абсолютн\w+|abszolút|mutlak|full (?:url|link"
    r"|address)|complete (?:url|link)"
    r"|vollständige\w* (?:url|link|adresse)|url compl[eè]t\w*|полн\w+ (?:ссылк|url|адрес)\w*|tam (?:url"
    r"|adres)\w*|teljes (?:url|link)\w*"
    r"|volledige (?:url|link)|pełn\w+ (?:adres|url|link)\w*|including (?:the )?domain)(?!\w)|绝对|絕對|完整(?:链接|鏈接"
    r"|网址|網址|url)|絶対|절대"
)
_OPTIONAL = Pattern(
    r"(?<!\w)(?:optional\w*|opcional\w*|opzional\w*|facultati\w+|optionnel\w*|opcjonaln\w+|volitelné?"
    r"|необязательн\w+|isteğe bağlı|opcionális"
    r"|(?:may|can|could|might) be (?:blank|empty|missing|absent|null|none)|(?:blank|empty|null|none|n/a"
    r"|missing|0|zero) (?:if|when|where|for|unless|in case|it)"
    r"|if (?:any|available|present|there is (?:one|any)|given|shown|listed|it (?:exists|has one)|possible)"
    r"|when (?:available|present|given|shown)|where (?:available|present|given)"
    r"|or (?:blank|empty|null|none)|else (?:blank|empty|null)|(?:sometimes|often) (?:missing|empty|blank)"
    r"|not always (?:there|present|given)"
    r"|falls (?:vorhanden|angegeben|verfügbar)|wenn (?:vorhanden|angegeben|verfügbar)|sonst leer|oder leer"
    r"|leer,? (?:wenn|falls)|(?:kann|darf) (?:leer sein|fehlen)|kann leer"
    r"|si (?:disponible|présente?|existe|indiqué)|s'il y en a|s'il existe|peut être vide|vide si|ou vide|sinon vide"
    r"|si (?:está disponible|hay|existe|aparece)|puede (?:estar vacío|faltar)|vacío si|o vacío|se (?:presente"
    r"|disponibile|c'è|indicat\w)|può (?:essere vuoto|mancare)|vuoto se|o vuoto"
    r"|indien (?:aanwezig|beschikbaar|vermeld)|mag leeg zijn|kan (?:leeg zijn|ontbreken)|leeg als|of leeg"
    r"|se (?:disponível|houver|existir|presente)|pode (?:estar vazio|faltar|ser vazio)|vazio se|ou vazio"
    r"|jeśli (?:jest|dostępn\w+|podan\w+)|może być pust\w+|pust[ye] (?:jeśli|gdy)|lub pust\w+|pokud (?:je"
    r"|existuje|je uveden\w*)|může být prázdn\w+|může chybět|prázdn[éý],? (?:pokud|když)|jinak prázdn\w+"
    r"|если (?:есть|указан\w*|имеется)|может (?:быть пуст\w+|отсутствовать)|пуст\w+,? если|или пуст\w+"
    r"|иначе пуст\w+|varsa|yoksa boş|boş olabilir"
    r"|ha van|ha megadták|lehet üres|üres lehet|üres,? ha|egyébként üres)(?!\w)"
    r"|可选|可選|可为空|可為空|可以为空|如果有|如有|若有|没有则(?:留)?空|任意"
    r"|省略可|空欄可|空でもよい|あれば|なければ空"
    r"|ない場合は空|있으면|있는 경우|없으면 (?:비|빈)|비어 있을 수|선택"
)
_PLURALS = Pattern(
    r"(?<!\w)(?:ints|integers|floats|decimals|numbers|booleans|dates|urls|links|strings|lists|zahlen"
    r"|ganzzahlen|entiers|enteros|interi|getallen|inteiros|числа|numeri|números)(?!\w)"
)
_LEAD = Pattern(
    r"^(?:(?:as|in|is|be|being|to|an?|the|als|im|in|eine?|format(?:iert als)?|en(?: tant que| formato"
    r"| format)?|comme|au format|como|em(?: formato)?|un|una|une|come|in formato|nel formato|jako|ve formátu"
    r"|w formacie|в формате|в виде|как|olarak|formatında|kao|een|just|only|plain|converted to|formatted as"
    r"|form|format|of type|type)(?!\w)[: ]*)+"
)
_EXAMPLE = Pattern(
    r"(?:such as|like|e\.g\.?|for example|z\. ?b\.|par ex\w*|wie|p\. ?ej\.|ad es\w*|bijv\w*|np\.|např\w*"
    r"|например|örneğin|pl\.|比如|例如|例えば|예:?) ?[^,;]{0,40}?(?:[^\W\d_]\d|\d[^\W\d_])"
)
_YEAR = "yjaråégг"
_DATE = Pattern(
    rf"(?<!\w)(?:([{_YEAR}])\1{{3}}([-./ ]?)([^\W\d_])\3\2([^\W\d_])\4"
    rf"|([^\W\d_])\5([-./ ])([^\W\d_])\7\6([{_YEAR}])\8(?:\8\8)?)(?:(?=t[^\W\d_]{{2}}:)|(?![^\W_]))"
)
_TIME = Pattern(r"(?:(?<!\w)|(?<=\wt)|(?<=^t))([^\W\d_])\1:([^\W\d_])\2(:([^\W\d_])\4)?(?!\w)")
_STRFTIME = Pattern(r"%[YyBbmdeHMSIpjAa](?:[-./:, T]*%[YyBbmdeHMSIpjAa])*")


def date_format_of(low: str) -> tuple[str, bool]:
    """The strftime pattern of a written pattern (YYYY-MM-DD, TT.MM.JJJJ, ГГГГ-ММ-ДД) in lower-case text, and whether
    it has a time of day; ("", False) where there is none. The letters differ by language, so places decide."""
    said = _STRFTIME.search(low)
    if said and "%" in said[0] and len(said[0]) > 2:
        pattern = said[0].replace("%y", "%Y").replace("%h", "%H")
        return pattern, "%H" in pattern or "%I" in pattern
    match = _DATE.search(low)
    if not match:
        return "", False
    if match[1]:
        pattern = f"%Y{match[2]}%m{match[2]}%d"
    else:
        sep = match[6]
        year = "%Y" if len(match[0]) == 10 else "%y"
        first, second = ("%m", "%d") if match[5] in "mм" and match[7] not in "mм" else ("%d", "%m")
        pattern = f"{first}{sep}{second}{sep}{year}"
    clock = _TIME.search(low, match.end())
    if clock:
        between = low[match.end() : clock.start()]
        glue = between.upper() if between in (" ", "t") else " "
        pattern += glue + ("%H:%M:%S" if clock[3] else "%H:%M")
    return pattern, clock is not None


def read_note(note: str) -> Note:
    """Reads what was written about a field. Anything can be given; what says nothing known comes back in `rest`."""
    low = note.lower()
    date_format, clock = date_format_of(low)
    kind: FieldType | Literal[""] = ""
    if date_format:
        kind = "datetime" if clock else "date"
    rest: list[str] = []
    plural = bool(_PLURALS.search(low))
    low = _OPTIONAL.sub(lambda m: m[0].replace(", ", " "), low)
    example = _EXAMPLE.search(low)
    for part in re.split(r"[,;()—–]| - ", low.replace("(s)", "s")):
        bare = _LEAD.sub("", part.strip(" .:\"'“”=")).strip(" .:\"'“”")
        if not bare:
            continue
        said = _type_of_part(bare, part)
        if said == "float" and example and not _ANYWHERE_RE[1][1].search(part):
            said = ""  # "just the number, such as AB-12": a number in name only
        if said and not kind:
            kind = said
        elif not said and not date_format_of(part)[0] and not _OPTIONAL.search(part):
            rest.append(part.strip(" .:="))
    iso = {"%Y-%m-%d": "", "%Y-%m-%dT%H:%M:%S": ""}
    return Note(
        type=kind,
        plural=plural and bool(kind),
        optional=bool(_OPTIONAL.search(low)),
        absolute=bool(_ABSOLUTE.search(low)),
        date_format=iso.get(date_format, date_format),
        rest=", ".join(rest),
    )


def _type_of_part(bare: str, part: str) -> FieldType | Literal[""]:
    for kind, pattern in _CJK_RE:
        if pattern.search(bare):
            return kind
    for kind, pattern in _ALONE_RE:
        if pattern.fullmatch(bare):
            return kind
    for kind, pattern in _ANYWHERE_RE:
        if pattern.search(part):
            return kind
    if re.search(r"(?<!\w)iso[- ]?(?:8601 )?(?:dates?|format|datum)(?!\w)|(?<!\w)iso 8601(?!\w)", part):
        return "date"
    return ""


def says_optional(low: str) -> bool:
    """Whether lower-case text says that something may be missing."""
    return bool(_OPTIONAL.search(low))


_COUNT_SHAPES = Pattern(
    r"^(?:num|nr|no|n|number_of|count_of|total|amount_of)_\w+|_(?:count|counts|total|qty|quantity|anzahl)$"
)
_TEXT_ENDS = word_set(
    """text name title label code number no nr id sku phone zip type range note string raw currency unit symbol"""
)
_DATE_ENDS = frozenset(["date", "datum", "day", "fecha", "tarih", "дата", "at", "on"])
_FLOAT_UNITS = word_set("""eur usd gbp chf pln czk huf rub try jpy cny krw kg km price rate percent pct""")


def type_of_name(name: str, words: tuple[str, ...]) -> FieldType:
    """The type that a column's name alone suggests; "text" where it suggests none."""
    low = name.lower()
    tokens = [w for w in re.split(r"[\W_]+", low) if w] or list(words)
    if not tokens:
        return "text"
    if re.match(r"^(?:is|has|can)_", low):
        return "bool"
    last = tokens[-1]
    if low.startswith(
        (
            "number_of_",
            "num_",
            "count_of_",
            "nb_",
            "anzahl_",
            "nombre_de_",
            "número_de_",
            "numero_di_",
            "aantal_",
            "liczba_",
            "počet_",
            "количество_",
        )
    ):
        return "int"
    if len(tokens) > 1 and _COUNT_SHAPES.search(low):
        return "float" if concepts_of(tokens)[-1:] == ["price"] else "int"
    if len(tokens) > 1 and last in _TEXT_ENDS:
        return "text"
    if any(t in ("url", "link", "href", "uri", "src") for t in tokens):
        return "url"
    if "date" in tokens or (len(tokens) > 1 and last in _DATE_ENDS and tokens[0] not in ("based",)):
        return "date"
    tokens = [t for i, t in enumerate(tokens) if t != "data" or i == 0]
    concepts = concepts_of(tokens) or concepts_of(words)
    if not concepts:
        return "text"
    if last in _FLOAT_UNITS and "price" in concepts:
        return "float"
    # A head noun comes last in "image url" and first in "date of birth", "prix de vente".
    head = concepts[-1] if not _BACKWARD.search(low) else concepts[0]
    if len(tokens) > 1 and head in ("count",) and "price" in concepts:
        return "float"
    if len(tokens) > 1 and head in ("identifier", "text", "name", "title", "description", "status", "type", "other"):
        return "text"
    return TYPES[head]


_BACKWARD = Pattern(r"_(?:of|de|del|du|di|der|des|da|do|van|von)_")
