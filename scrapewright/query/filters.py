"""Reads which rows are to be kept and which left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from scrapewright.query.clauses import Clause
from scrapewright.query.days import DATED, find_days
from scrapewright.query.files import ENDINGS, find_files
from scrapewright.query.lexicon import concept_of, concepts_of
from scrapewright.query.model import Field, Filter
from scrapewright.query.pattern import Pattern
from scrapewright.query.phrases import phrase
from scrapewright.query.text import URL, Text

Op = Literal["lt", "le", "gt", "ge"]

_COMPARISONS: tuple[tuple[Op, str], ...] = (
    ("ge",
        r"at least|no less than|not less than|>=|≥|minimum(?: of)?|min\.?|mindestens|wenigstens|au moins"
        r"|al menos|como mínimo|almeno|minstens|ten minste|pelo menos|no mínimo|co najmniej|przynajmniej"
        r"|alespoň|nejméně|не менее|не меньше|минимум|en az|legalább"),
    ("le",
        r"at most|no more than|not more than|<=|≤|maximum(?: of)?|max\.?|up to|höchstens|maximal|au plus"
        r"|como máximo|al massimo|hoogstens|maximaal|no máximo|co najwyżej|najwyżej|maksymalnie|nejvýše"
        r"|maximálně|не более|не больше|максимум|en fazla|legfeljebb"),
    ("gt",
        r"more than|greater than|higher than|above|over|exceeding|>|mehr als|über|größer als|plus de"
        r"|supérieure? à|au-dessus de|más de|mayor (?:que|de|a)|superior a|più di|oltre|maggiore di"
        r"|superiore a|meer dan|boven|hoger dan|mais de|maior que|acima de|więcej niż|ponad|powyżej|více než"
        r"|nad|больше|более|свыше|выше|дороже|több mint|nagyobb mint"),
    ("lt",
        r"less than|fewer than|lower than|below|under|cheaper than|<|weniger als|unter|kleiner als"
        r"|günstiger als|billiger als|moins de|inférieure? à|en dessous de|sous|menos de|menor (?:que|de|a)"
        r"|inferior a|meno di|sotto(?: i)?|minore di|inferiore a|minder dan|onder(?: de)?|lager dan"
        r"|goedkoper dan|abaixo de|mniej niż|poniżej|tańsze niż|méně než|pod|levnější než|меньше|менее|ниже"
        r"|дешевле|kevesebb mint|kisebb mint|olcsóbb mint"),
)  # fmt: skip
_SCALES = {
    "million": 6,
    "millions": 6,
    "millionen": 6,
    "mio": 6,
    "mln": 6,
    "millones": 6,
    "milioni": 6,
    "milhões": 6,
    "миллион": 6,
    "thousand": 3,
    "tausend": 3,
    "tys": 3,
    "тыс": 3,
    "billion": 9,
}
_CURRENCY = r"(?:[£$€¥₽₺₩]|gbp |usd |eur |chf |pln |czk |huf )?"
_VALUE = (
    rf"{_CURRENCY} ?(\d[\d.,  ]{{0,18}}\d|\d)(?: ?(?:[£$€¥₽₺₩%]|(?:euros?|eur|usd|dollars?|pounds?|gbp|chf|zł|pln|kč"
    rf"|czk|ft|forint\w*|руб\w*|₽|tl|lira|yen|円|元|won|원|percent|prozent|stars?|sterne[n]?|étoiles|estrellas"
    rf"|stelle|sterren|points?|punkte[n]?|votes?|comments?)(?!\w)))?"
)
_SPELT = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "ein": "1", "eine": "1", "einen": "1", "zwei": "2", "drei": "3", "deux": "2", "trois": "3",
}  # fmt: skip
_COMPARE = Pattern(
    rf"(?P<op>{'|'.join(f'(?P<{op}>{p})' for op, p in _COMPARISONS)})\s*"
    rf"(?P<value>{_VALUE}|(?:{'|'.join(_SPELT)})(?!\w))"
)
_EDGED = Pattern(rf"(?<!\w)(?:{_COMPARE.pattern})(?!\w)")
_CJK_COMPARE = Pattern(
    r"(?P<name>[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7afa-z_]{1,10}?)(?:が|は|이"
    r"|가)?\s*(?P<pre>不?(?:低于|小于|少于|高于"
    r"|大于|超过|超過|多于))\s*(?P<v1>\d[\d.,]*)"
    r"|(?P<name2>[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7afa-z_]{1,10}?)(?:が|は|이|가)?\s*(?P<v2>\d[\d.,]*)\s*(?:円"
    r"|元|원|点|점|個|개|人|件)?\s*(?:を)?(?P<post>以上|以下|以内|未満|超|より大きい|이상|이하|미만|초과)"
)
_IN_STOCK = phrase(
    r"(?:only |that are |which are |currently ){0,5}in stock(?: items| products| ones)?(?: only)?(?=\s|$|[.,;])"
    r"|only available(?: \w+)?|(?:nur|uniquement|seulement|solo|sólo|alleen|apenas|somente|tylko|pouze|jen|только)"
    r"(?: (?:los|las|les|i|gli|le|die|de|os|as))? \w+ (?:auf lager|en stock|disponibles?|disponibili|op voorraad"
    r"|em estoque|disponíveis|dostępne|skladem|в наличии)|nur (?:lieferbare|verfügbare|auf lager)(?: \w+)?"
    r"|uniquement en stock"
    r"|solo disponibles|solo disponibili|alleen op voorraad|tylko dostępne|pouze skladem|только в наличии"
    r"|sadece stokta olan\w*|csak raktáron"
)
_BETWEEN = Pattern(
    rf"(?<!\w)(?:between|zwischen|entre|tra|fra|tussen|między|mezi|между) (?P<low>{_VALUE})"
    rf" (?:and|und|et|y|e|en|i|a|и) (?P<high>{_VALUE})(?!\w)"
)
_OR_MORE = Pattern(
    rf"(?<!\w)(?<!\d[.,])(?P<value>{_VALUE})(?: \w+)? (?:(?P<up>or (?:more|higher|better|above|up)|and (?:up|above"
    rf"|more)"
    rf"|oder mehr"
    r"|und mehr|ou plus|o más|o più|of meer|ou mais|lub więcej|a více|или (?:больше|более))|(?P<down>or (?:less|lower"
    r"|fewer|below)"
    r"|and (?:below|under)|oder weniger|ou moins|o menos|o meno|of minder|ou menos|lub mniej|или (?:меньше"
    r"|менее)))(?!\w)"
)
_CJK_MONEY = Pattern(
    r"(?<!\d)(?<!\d[.,])(?P<value>\d[\d.,]{0,14})\s*(?:円|元|원|块|塊)\s*(?P<post>以上|以下|以内|未満|超|이상|이하|미만|초과)"
    r"|(?P<pre>不?(?:低于|少于|高于|超过|超過))\s*(?P<value2>\d[\d.,]{0,14})\s*(?:円|元|원|块|塊)"
)
_ONLY = phrase(
    r"(?:but )?only(?: the| those| include| keep| take)?(?: (?:ones|entries|rows|items))?(?: that are"
    r"| which are| with| from| in| about| by)?|nur(?: die| diejenigen)?|seulement(?: les)?"
    r"|uniquement(?: les)?|solo(?: los| las| i| le| gli)?|sólo(?: los| las)?|alleen(?: de)?|apenas(?: os"
    r"| as)?|tylko|pouze|jen|только|sadece|csak(?: a| az)?",
    r"只要?|仅限?|のみ|だけ",
)
_WHERE = phrase(
    r"where|whose|dessen|deren|bei denen|wo|où|dont|donde|cuy[oa]s?|dove|il cui|waar(?:van)?|cuj[oa]s?|onde"
    r"|gdzie|których|kde|jejichž|где|у которых|которые|amelyek\w*|ahol"
)
_CONTAINS = Pattern(
    r"(?<!\w)(?P<neg>(?:does |do )?not |doesn't |don't |nicht |ne |no |non |niet |não |nie |не )?(?:contains?"
    r"|containing|includes?|mentions?|enthält|enthalten|contient|contiene|contenga\w*|bevat|contém|zawiera"
    r"|obsahuje|содержит|içeren|tartalmaz\w*)(?: the word"
    r"| the text)? (?P<value>[\"'“„«][^\"'”“»]{1,60}[\"'”“»]|[^\s,.;]{1,40})"
)
_EQUALS = Pattern(
    r"(?<!\w)(?P<name>[^\s,;:.()]{1,30}) (?:is|=|==|equals|equal to|ist|est|es|è|é|jest|je) (?P<neg>not "
    r"|nicht |no |non |niet |nie )?(?P<value>[\"'“„«][^\"'”“»]{1,60}[\"'”“»]|[\w-]{1,30})(?!\w)"
)
_NUMBER = Pattern(r"\d[\d.,  ]*")


def find_filters(
    text: Text, clauses: Sequence[Clause], fields: tuple[Field, ...], spans: Sequence[tuple[int, int]]
) -> list[tuple[int, int, Filter]]:
    """Filters with the spans they were read from, none of them inside `spans` (the field list)."""

    closed = [*spans, *((c.start, c.end) for c in clauses if c.kind in ("limit", "page-count", "all-pages", "order"))]

    def free(start: int, end: int) -> bool:
        return not any(a < end and start < b for a, b in closed)

    found: list[tuple[int, int, Filter]] = []

    def add(start: int, end: int, what: Filter) -> None:
        # Two bounds may be read from one phrase: "between 10 and 20".
        if free(start, end) and not any(a < end and start < b and (a, b) != (start, end) for a, b, _ in found):
            found.append((start, end, what))

    # "url of the .zip files only" stands in the list of fields and is a condition all the same.
    found += find_files(text, fields)
    for start, end, what in find_days(text, fields):
        add(start, end, what)
    for match in text.top(_IN_STOCK, 0, len(text.low)):
        name = next((f.name for f in fields if "availability" in concepts_of(f.words)), "availability")
        said = text.said(match.start(), match.end())
        add(match.start(), match.end(), Filter(text=said, field=name, op="contains", value=_core_stock(said)))
    for start, end, what in _ranges(text, fields):
        add(start, end, what)
    for start, end, what in _numbers(text, fields):
        if _OF_ROWS.search(text.low, max(0, start - 60), start):
            found.append((start, end, what))
        else:
            add(start, end, what)
    for start, end, what in _conditions(text, fields):
        add(start, end, what)
    for clause in clauses:
        if clause.kind == "exclude":
            said = str(clause.value)
            add(
                clause.start,
                clause.end,
                Filter(text=text.said(clause.start, clause.end), op="exclude", value=_core(said)),
            )
    return found


_OF_ROWS = Pattern(
    r"(?<!\w)(?:of|for|from) (?:everything|anything|all(?: the)? [^\W\d_]+s"
    r"|(?:the )?(?:items|products|articles|ones|those))(?: (?:that|which))?"
    r"(?: (?:costs?|costing|priced|are|is|with(?: an?)?(?: price)?))?(?: of)? $"
)
"""What makes a bound one of the rows, though it stands in the list of columns: "price of everything over $50"."""


def _core(said: str) -> str:
    """The words that name what is to be left out: what is quoted, or the bare phrase."""
    quoted = re.search(r"[\"“„«「『]([^\"”“»」』]{1,80})[\"”“»」』]", said)
    if quoted:
        return quoted[1].strip()
    said = re.sub(r"\s*[(\[（].*$", "", said, flags=re.DOTALL).strip()
    come = re.search(
        r"(?:that|which|who) (?:is|are|was|were|come|comes|came|have|has|had|belong|belongs|say|says|mention"
        r"|mentions)(?: (?:marked|labelled|labeled|flagged|tagged|listed|shown|called))?(?: (?:as|from|with"
        r"|to))?(?: an?| the)? (.+)$",
        said,
        re.IGNORECASE,
    )
    if come:
        return come[1].strip()
    marked = re.search(r"(?:marked|labelled|labeled|flagged|tagged)(?: as| with)? (.+)$", said, re.IGNORECASE)
    if marked:
        return marked[1].strip()
    bare = re.sub(
        r"^(?:(?:all|any|the|an?|every|entries|rows|items|of|der|die|das|den|alle|les?|la|des|los|las|el|il"
        r"|lo|gli|i|le|de|het|os|as)\s+)+",
        "",
        said,
        flags=re.IGNORECASE,
    )
    return bare.strip() or said


_IN_STORE = Pattern(
    r"(?:in stock|available|auf lager|lieferbar|verfügbar|en stock|disponibles?|disponibili|op voorraad|em estoque"
    r"|disponíveis|dostępne|skladem|в наличии|raktáron)$"
)


def _core_stock(said: str) -> str:
    stated = _IN_STORE.search(said.lower().strip(" .,;"))
    if stated and " " in said:
        return said.strip(" .,;")[stated.start() :]
    said = re.sub(r"(?:\s+(?:only|items|products|ones))+$", "", said, flags=re.IGNORECASE)
    return re.sub(
        r"^(?:only|that are|which are|currently|nur|solo|uniquement|alleen|tylko|pouze|только)\s+", "", said, flags=re.I
    )


def _field_near(text: Text, start: int, end: int, fields: tuple[Field, ...], kinds: tuple[str, ...]) -> str:
    """The field that a comparison speaks of: a name of the list or a known word just before it, else just after."""
    low = text.low
    numeric = [f for f in fields if f.type in ("int", "float", "date", "datetime")]
    after_first = re.match(r"\W*([^\W\d]+)", low[end : end + 30])
    if after_first:
        word = after_first[1]
        several = next((field.name for field in numeric if field.name.lower() == word + "s"), "")
        if several:
            return several  # "at least one bid" counts the bids
        for field in numeric:
            same = concept_of(word) and concept_of(word) in concepts_of(field.words)
            if word == field.name.lower() or (same and concept_of(word) != "count"):
                return field.name
    before = re.findall(r"[^\W]+", low[max(0, start - 60) : start])[-4:]
    after = re.findall(r"[^\W]+", low[end : end + 30])[:2]
    for word in [*reversed(before), *after]:
        for field in numeric:
            if word == field.name.lower():
                return field.name
    inside = re.findall(r"[^\W\d]+", low[start:end])
    for word in [*reversed(before), *after, *reversed(inside)]:
        concept = concept_of(word)
        if not concept or concept in ("other", "name", "text", "title"):
            continue
        for field in numeric:
            if concept in concepts_of(field.words) and (
                concept != "count" or word in field.words or word.rstrip("s") in field.words
            ):
                return field.name
        if concept in kinds:
            return str(word)
    return ""


def _amount(said: str) -> str:
    if said in _SPELT:
        return _SPELT[said]
    digits = _NUMBER.search(said)
    if not digits:
        return ""
    value = digits[0].strip().replace(" ", "").replace(" ", "")
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", value):
        return re.sub(r"\D", "", value)
    return value.replace(",", ".") if value.count(",") == 1 and "." not in value else value.replace(",", "")


def _scaled(amount: str, zeros: int) -> str:
    return f"{float(amount) * 10**zeros:.0f}" if zeros and re.fullmatch(r"\d+(?:\.\d+)?", amount) else amount


def _numbers(text: Text, fields: tuple[Field, ...]) -> Iterator[tuple[int, int, Filter]]:
    for match in _EDGED.finditer(text.low):
        if text.depth[match.start()] > 1:
            continue
        op: Op = next(o for o, _ in _COMPARISONS if match[o])
        kinds = ("price", "rating", "count", "percent", "date")
        name = _field_near(text, match.start(), match.end(), fields, kinds)
        value = match["value"]
        scale = re.match(r" ?([^\W\d]+)", text.low[match.end() : match.end() + 14])
        zeros = _SCALES.get(scale[1], 0) if scale else 0
        stop = match.end() + (scale.end() if scale and zeros else 0)
        if zeros and not name:
            name = _field_near(text, match.start(), stop, fields, kinds)
        money = bool(
            re.search(r"[£$€¥₽₺₩]|(?:euro|eur|usd|dollar|pound|gbp|chf|zł|pln|kč|czk|forint|руб|tl|lira)", value)
        )
        if money or (
            not name
            and re.match(r"cheaper|günstiger|billiger|goedkoper|tańsze|levnější|дешевле|дороже|olcsóbb", match["op"])
        ):
            name = next((f.name for f in fields if "price" in concepts_of(f.words)), name or "price")
        if not name and re.match(r"under|below|over|above|unter|über|sous|sotto|onder|boven|pod|nad", match["op"]):
            # "lamps under 20": a bare bound is one of the price, where there is one.
            name = next((f.name for f in fields if "price" in concepts_of(f.words)), "")
        if not name:
            continue
        unit = re.match(r" ([^\W\d]+)", text.low[stop : stop + 24])
        same = unit is not None and unit[1].rstrip("s") == name.lower().rstrip("s")
        if unit and (same or (concept_of(unit[1]) and concept_of(unit[1]) in concepts_of([name]))):
            stop += unit.end()
        start = match.start()
        lead = re.search(
            r"(?:(?:only|with|having|where|costing|priced|nur|mit|avec|con|met|com|z|s|с)\s+)?(?:(?:the|an?"
            r"|der|die|das|einem?r?|un|une|el|la|il)\s+)?[^\s,;:.()\ue000]{1,20}\s+(?:(?:is|are|of|ist|von|de"
            r"|di|van)\s+)?$",
            text.low[max(0, start - 50) : start],
        )
        if lead and name.lower() in lead[0]:
            start = start - (len(lead[0]))
        amount = _scaled(_amount(value), zeros)
        yield start, stop, Filter(text=text.said(start, stop), field=name, op=op, value=amount)
    for match in _CJK_COMPARE.finditer(text.low):
        word = match["name"] or match["name2"]
        if not concept_of(word):
            continue
        concept = concept_of(word)
        name = next((f.name for f in fields if concept in concepts_of(f.words)), word)
        said = match["pre"] or match["post"]
        yield (
            match.start(),
            match.end(),
            Filter(
                text=text.said(match.start(), match.end()),
                field=name,
                op=_cjk_op(said),
                value=_amount(match["v1"] or match["v2"]),
            ),
        )


def _ranges(text: Text, fields: tuple[Field, ...]) -> Iterator[tuple[int, int, Filter]]:
    """ "between 10 and 20 euros", "4 stars or more", "2000円以下"."""
    kinds = ("price", "rating", "count", "percent")
    for match in text.top(_BETWEEN, 0, len(text.low)):
        name = _money_or_near(text, match, fields, kinds)
        if name:
            said = text.said(*match.span())
            yield *match.span(), Filter(text=said, field=name, op="ge", value=_amount(match["low"]))
            yield *match.span(), Filter(text=said, field=name, op="le", value=_amount(match["high"]))
    for match in text.top(_OR_MORE, 0, len(text.low)):
        name = _money_or_near(text, match, fields, kinds)
        if name:
            op: Op = "ge" if match["up"] else "le"
            yield *match.span(), Filter(text=text.said(*match.span()), field=name, op=op, value=_amount(match["value"]))
    price = next((f.name for f in fields if "price" in concepts_of(f.words)), "price")
    for match in text.top(_CJK_MONEY, 0, len(text.low)):
        op = _cjk_op(match["post"] or match["pre"])
        value = _amount(match["value"] or match["value2"])
        yield *match.span(), Filter(text=text.said(*match.span()), field=price, op=op, value=value)


_MONEY = Pattern(r"[£$€¥₽₺₩]|euro|eur|usd|dollar|pound|gbp|chf|zł|pln|kč|czk|forint|руб|tl|lira")


def _money_or_near(text: Text, match: re.Match[str], fields: tuple[Field, ...], kinds: tuple[str, ...]) -> str:
    if _MONEY.search(match[0]):
        return next((f.name for f in fields if "price" in concepts_of(f.words)), "price")
    stars = re.search(r"stars?|sterne|étoiles|estrellas|stelle|sterren|estrelas", match[0])
    rated = next((f.name for f in fields if "rating" in concepts_of(f.words)), "rating") if stars else ""
    return rated or _field_near(text, *match.span(), fields, kinds)


def begins_condition(low: str, start: int, end: int) -> bool:
    """Whether lower-case text from `start` to `end` is a condition and no name: "under 20 euros", "in stock only"."""
    for pattern in (_EDGED, _BETWEEN, _OR_MORE, _CJK_MONEY, _CJK_COMPARE, _IN_STOCK, DATED, ENDINGS):
        match = pattern.match(low, start, end)
        if match and not low[match.end() : end].strip(" .;"):
            return True
    return False


def conditions_at(text: Text) -> list[int]:
    """Where "where" and its like begin a condition with a comparison, so that no list of names goes on."""
    found = []
    for match in text.top(_WHERE, 0, len(text.low)):
        rest = text.low[match.end() : match.end() + 60]
        if re.search(r"[<>=≤≥]|(?<!\w)\d", rest) or _CONTAINS.search(rest) or _EDGED.search(rest):
            found.append(match.start())
    return found


def _cjk_op(said: str) -> Op:
    table: dict[str, Op] = {
        "以上": "ge",
        "이상": "ge",
        "以下": "le",
        "以内": "le",
        "超": "gt",
        "이하": "le",
        "未満": "lt",
        "미만": "lt",
    }
    if said in table:
        return table[said]
    if said.startswith("不"):
        return "ge" if said[1:] in ("低于", "小于", "少于") else "le"
    return "lt" if said in ("低于", "小于", "少于") else "gt"


_HAS_VALUE = Pattern(
    r"(?<!\w)(?:with|having) (?:the |an? )?(?P<name>state|status|category|type|genre|language|colou?r|brand|country"
    r"|city|region|licen[cs]e|severity|priority|level|format) (?:of |= ?|is )?"
    r"(?P<value>\"[^\"]{1,40}\"|[^\W\d_][\w-]{1,30})"
    rf"(?=\s*(?:[:,.;)]|$|{URL})| (?:only|on|from|and sort)(?!\w))"
)
"""A value with the name of its column before it: "issues with state open"."""


def _conditions(text: Text, fields: tuple[Field, ...]) -> Iterator[tuple[int, int, Filter]]:
    names = {f.name.lower(): f.name for f in fields}
    for match in text.top(_HAS_VALUE, 0, len(text.low)):
        if match["value"] in ("and", "or", "in", "as"):
            continue
        value = text.raw[match.start("value") : match.end("value")].strip('"')
        name = names.get(match["name"], match["name"])
        yield *match.span(), Filter(text=text.said(*match.span()), field=name, op="eq", value=value)
    for match in text.top(_WHERE, 0, len(text.low)):
        end = min((text.low.find(c, match.end()) % (len(text.low) + 1) for c in ".;\n"), default=len(text.low))
        end = min(end, match.end() + 160)
        part = text.low[match.end() : end]
        said = _CONTAINS.search(part)
        before = part[: said.start()] if said else part
        if said:
            name = next((names[w] for w in re.findall(r"[^\W]+", before) if w in names), "") or next(
                (w for w in re.findall(r"[^\W]+", before) if concept_of(w)), ""
            )
            value = text.raw[match.end() + said.start("value") : match.end() + said.end("value")].strip("\"'“”„«»")
            stop = match.end() + said.end()
            yield (
                match.start(),
                stop,
                Filter(
                    text=text.said(match.start(), stop),
                    field=name,
                    op="lacks" if said["neg"] else "contains",
                    value=value,
                ),
            )
            continue
        equal = _EQUALS.search(part)
        if equal and (equal["name"] in names or concept_of(equal["name"])):
            value = text.raw[match.end() + equal.start("value") : match.end() + equal.end("value")].strip("\"'“”„«»")
            stop = match.end() + equal.end()
            yield (
                match.start(),
                stop,
                Filter(
                    text=text.said(match.start(), stop),
                    field=names.get(equal["name"], equal["name"]),
                    op="ne" if equal["neg"] else "eq",
                    value=value,
                ),
            )
