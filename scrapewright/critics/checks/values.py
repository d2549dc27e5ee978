"""Values that stand in their own record, and yet are not what their column asks for.

A number can be read the wrong way round (thousands for a fraction, brackets without their minus), be borrowed from
another column's text ("Model 300"), or a column can be made of one part of the record while another bears its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.document import Model
from scrapewright.critics.evidence import Place
from scrapewright.critics.match import Needle, said_in
from scrapewright.critics.normal import squash
from scrapewright.session.verdict import Finding
from scrapewright.survey.dom import word_set
from scrapewright.survey.numerals import APOSTROPHES, BLANKS, CURRENCY, Numeral, numerals
from scrapewright.survey.values import has_date
from scrapewright.survey.words import concepts_of, tokens

_MONEY = re.compile(rf"[{CURRENCY}]|\b(?:EUR|USD|GBP|CHF|PLN|Kč|zł|kr|Ft)\b")
_PER_UNIT = re.compile(r"/|\bper\b|\bpro\b|\bje\b")
_ACCOUNT = re.compile(rf"\(\s*[{CURRENCY}]?\s?\d[\d.,{BLANKS}{APOSTROPHES}]*\s?[{CURRENCY}%]?\s*\)")
_VAGUE = frozenset(
    (
        *(
            "text",
            "label",
            "name",
            "title",
            "link",
            "content",
            "item",
            "value",
            "info",
            "data",
            "field",
            "type",
            "kind",
        ),
        *(
            "number",
            "no",
            "nr",
            "image",
            "img",
            "button",
            "icon",
            "header",
            "body",
            "main",
            "box",
            "row",
            "cell",
            "col",
        ),
        *("column", "list", "entry", "details", "detail", "meta", "url", "href", "page", "left", "right", "top"),
    )
)
"""Class names that pages give to anything: they don't tell what stands there."""
ENOUGH = 0.8
"""Share of the records in which an element that bears a column's name must stand."""


def notation(bench: Bench) -> list[Finding]:
    """Numbers read against the column's own notation: 1.299 for "1.299 €" beside "950 €", 1200 for "(1,200)"."""
    findings: list[Finding] = []
    for column, field in bench.evidence.fields.items():
        if field.type not in ("int", "float"):
            continue
        said = {row: texts[0] for row in bench.evidence.rows if len(texts := bench.shape.at(row, column)) == 1}
        wrong = _misread(bench, column, said) or _unsigned(bench, column, said)
        if wrong:
            message = f"{column} misreads {shown(said[wrong[0]])!r} as {shown(bench.value(wrong[0], column))}"
            message += f", which the column's other values rule out; {listed(wrong)}"
            findings.append(Finding("ungrounded", message, column, tuple(wrong[:SHOWN]), got=shown(said[wrong[0]])))
    return findings


def _misread(bench: Bench, column: str, said: dict[int, str]) -> list[int]:
    """Rows that hold figures in threes as a fraction though the column divides its thousands so."""
    first: dict[int, Numeral] = {row: found for row, text in said.items() if (found := next(numerals(text), None))}
    doubtful: dict[int, str] = {}
    decimals: set[str] = set()
    for row, numeral in first.items():
        marks = [mark for mark in numeral.text if mark in ".,"]
        head, _, tail = numeral.text.rpartition(marks[-1]) if marks else ("", "", "")
        if len(marks) == 1 and len(tail) == 3 and head.isdigit() and len(head) <= 3 and not head.startswith("0"):
            doubtful[row] = marks[0]
        elif marks and (len(marks) == 1 or marks.count(marks[-1]) == 1):
            decimals.add(marks[-1])
    if not doubtful or len(set(doubtful.values())) > 1:
        return []
    mark = next(iter(doubtful.values()))
    priced = sum(bool(_MONEY.search(text)) for text in said.values()) >= 0.5 * len(said)
    money = priced and not decimals and len(doubtful) < len(first) and not any(map(_PER_UNIT.search, said.values()))
    if not money and decimals != {"," if mark == "." else "."}:
        return []
    return [row for row in doubtful if _is(bench, row, column, float(first[row].text.replace(mark, ".")))]


def _is(bench: Bench, row: int, column: str, value: float) -> bool:
    number = bench.evidence.needles[row][column].number
    return number is not None and abs(abs(number) - value) < 1e-9


def _unsigned(bench: Bench, column: str, said: dict[int, str]) -> list[int]:
    """Rows whose figures stand in brackets, as accountants write a minus, and that are given without it."""
    bracketed = [row for row, text in said.items() if _ACCOUNT.fullmatch(text.strip())]
    plain = [text for text in said.values() if "(" not in text and any(c.isdigit() for c in text)]
    if not bracketed or not plain or len(bracketed) + len(plain) < 0.9 * len(said):
        return []
    return [row for row in bracketed if (bench.evidence.needles[row][column].number or 0.0) > 0]


def borrowed(bench: Bench) -> list[Finding]:
    """A number that stands in another column's text alone, while the record has a number that no column took."""
    findings: list[Finding] = []
    evidence = bench.evidence
    for column, field in evidence.fields.items():
        if field.type not in ("int", "float"):
            continue
        priced = "price" in concepts_of(tokens(field.name))
        filled = [row for row in evidence.rows if evidence.places[row] and not evidence.needles[row][column].empty]
        wrong = [row for row in filled if _taken_from(bench, row, column, tokens(field.name), priced)]
        if len(wrong) >= 2 and len(wrong) >= 0.5 * len(filled):
            sample = shown(bench.value(wrong[0], column))
            message = f"{column} holds a number out of another column's text; {listed(wrong)}: {sample!r}"
            findings.append(Finding("wrong-record", message, column, tuple(wrong[:SHOWN]), got=sample))
    return findings


def _taken_from(bench: Bench, row: int, column: str, name: tuple[str, ...], priced: bool) -> bool:
    needles = bench.evidence.needles[row]
    needle = needles[column]
    others = [n for other, n in needles.items() if other != column and n.kind == "text" and n.flat]
    taken = [n for other, n in needles.items() if other != column and n.kind != "text" and not n.empty]
    if not any(needle.says(other.text) for other in others):
        return False
    span = bench.evidence.span(bench.evidence.places[row][0])
    model, free = span.model, False
    for x in range(span.x0, span.x1):
        flat = model.flats[x]
        if not any(c.isdigit() for c in flat):
            continue
        if any(flat in other.flat for other in others):
            continue
        rest = model.pieces[x]
        for other in others:
            rest = re.sub(re.escape(other.text), " ", rest) if other.text else rest
        if needle.says(rest):
            return False
        named = _bears(model, model.piece_node[x], name)
        left = any(not any(n.says(one.text) for n in taken) for one in numerals(rest)) and rest != model.pieces[x]
        free = free or named or left or (priced and bool(_MONEY.search(rest)) and any(c.isdigit() for c in rest))
    for y in range(span.y0, span.y1):
        value = model.attr_values[y]
        own = not any(other.flat in squash(value) or squash(value) in other.flat for other in others)
        if own and "/" not in value and said_in(needle, value, squash(value), model.attr_name[y]):
            return False
    return free


def pointed(bench: Bench) -> list[Finding]:
    """A column made of one part of its record, while an element of the record that it did not take bears its name."""
    findings: list[Finding] = []
    for column, field in bench.evidence.fields.items():
        name = tokens(field.name)
        spot = bench.shape.spots.get(column)
        if field.type not in ("text", "int", "float") or not name or set(name) & _VAGUE or spot is None:
            continue
        if spot[1] and name in (tokens(spot[1]), tokens(spot[1].removeprefix("data-"))):
            continue
        if any(word in tokens(spot[0].replace(".", " ").replace("/", " ")) for word in name):
            continue
        there: dict[int, str] = {}
        for row, place in bench.shape.places.items():
            texts = [text for node in _named(place, name) if (text := place.model.said(node))]
            if len(texts) == 1:
                there[row] = texts[0]
        rows = [row for row in there if _is_other(bench, row, column, there[row])]
        least = max(2.0, ENOUGH * len(bench.shape.places))
        if len(rows) < least or len({there[row] for row in rows}) < 2:
            continue
        sample, better = shown(bench.value(rows[0], column)), shown(there[rows[0]])
        message = f"{column} is {sample!r}; the record has an element called {field.name}: {better!r}"
        findings.append(Finding("wrong-record", message, column, tuple(rows[:SHOWN]), expected=better, got=sample))
    return findings


def _named(place: Place, name: tuple[str, ...]) -> Iterator[int]:
    model = place.model
    for node in range(place.node + 1, model.end[place.node]):
        if _bears(model, node, name):
            yield node


def _bears(model: Model, node: int, name: tuple[str, ...]) -> bool:
    """A class of the element, or its itemprop, is the name and nothing more."""
    classes = model.chain[node].split(".")[1:]
    props = (
        model.attr_values[y]
        for y in range(model.y0[node], model.y1[node])
        if model.attr_node[y] == node and model.attr_name[y] == "itemprop"
    )
    return any(tokens(word) == name for word in (*classes, *props))


def _is_other(bench: Bench, row: int, column: str, text: str) -> bool:
    """The text is not the column's value, nor part of it, and no other column holds it."""
    needles = bench.evidence.needles[row]
    needle, flat = needles[column], squash(text)
    if needle.empty or not flat or len(text) > 200:
        return False
    if needle.kind in ("int", "float") and not any(c.isdigit() for c in text):
        return False
    if _says(needle, text, flat) or (needle.kind == "text" and flat in needle.flat):
        return False
    return not any(other != column and _says(needles[other], text, flat) for other in needles)


def _says(needle: Needle, text: str, flat: str) -> bool:
    return not needle.empty and said_in(needle, text, flat)


def spliced(bench: Bench) -> list[Finding]:
    """A text put together from what stands before and behind another column's value: an element's own text alone."""
    findings: list[Finding] = []
    evidence = bench.evidence
    for column, field in evidence.fields.items():
        wrong = []
        for row in evidence.rows if field.type == "text" else ():
            needles, places = evidence.needles[row], evidence.places[row]
            others = {n.flat for other, n in needles.items() if other != column and len(n.flat) >= 3}
            if places and len(needles[column].flat) >= 3 and _jumps(places[0], needles[column].flat, others):
                wrong.append(row)
        if len(wrong) >= 2 and len(wrong) >= 0.5 * len(evidence.rows):
            sample = shown(bench.value(wrong[0], column))
            message = f"{column} leaves out what stands in the midst of its text; {listed(wrong)}: {sample!r}"
            findings.append(Finding("wrong-record", message, column, tuple(wrong[:SHOWN]), got=sample))
    return findings


def _jumps(place: Place, flat: str, others: set[str]) -> bool:
    model, node = place.model, place.node
    pieces = range(model.x0[node], model.x1[node])
    for own in {model.piece_node[x] for x in pieces}:
        mine = [x for x in pieces if model.piece_node[x] == own]
        if len(mine) > 1 and "".join(model.flats[x] for x in mine) == flat:
            return any(model.flats[x] in others for x in range(mine[0], mine[-1]) if x not in mine)
    return False


_LABEL = re.compile(r"(?:^|(?<=\s))([^\W\d_][^\W\d_]{2,}(?: [^\W\d_]+)?):(?=\s)")
_LONG = frozenset({"description", "text"})
_SUCH = re.compile(
    r"(?:\be\. ?g\.|\bsuch as|\blike|\bz\. ?B\.|\bp\. ?ex\.|\bfor example|\bpar exemple|\bbijv\.|\bnp\.)\W{0,4}$", re.I
)
_QUOTED = re.compile(r"[\"“„«「『]([^\"”“»」』]{2,80})[\"”“»」』]")


def boxes(bench: Bench) -> list[Finding]:
    """A column of short values that holds a box of several labelled ones ("Posts: 4 Seen: today")."""
    findings: list[Finding] = []
    for column, field in bench.evidence.fields.items():
        if field.type != "text" or concepts_of(tokens(field.name)) & _LONG or bench.query.single:
            continue
        texts = {row: n.text for row in bench.evidence.rows if not (n := bench.evidence.needles[row][column]).empty}
        labels = [set(_LABEL.findall(text)) for text in texts.values()]
        common = [
            label for label in set().union(*labels) if sum(label in one for one in labels) >= ENOUGH * len(labels)
        ]
        behind = [label for label in common if not any(text.startswith(label + ":") for text in texts.values())]
        if len(texts) >= 3 and (len(common) >= 2 or behind):
            rows = tuple(texts)[:SHOWN]
            sample = shown(texts[rows[0]])
            named = " and ".join(f"{label}:" for label in sorted(common)[:2])
            message = f"{column} holds several labelled values at once ({named}): {sample!r}"
            findings.append(Finding("wrong-record", message, column, rows, got=sample))
            continue
        around = [row for row in texts if _holds_others(bench, row, column)]
        if len(around) >= max(2.0, ENOUGH * len(texts)) and set(concepts_of(tokens(field.name))) & _NAMES:
            sample = shown(texts[around[0]])
            message = f"{column} holds other columns' values as well; {listed(around)}: {sample!r}"
            findings.append(Finding("wrong-record", message, column, tuple(around[:SHOWN]), got=sample))
    return findings


_NAMES = frozenset({"title", "name", "author", "brand", "company"})


def _holds_others(bench: Bench, row: int, column: str) -> bool:
    """Whether the column's text is put together from elements that say what two other columns say."""
    needles, places = bench.evidence.needles[row], bench.evidence.places[row]
    flat = needles[column].flat
    if not places or len(flat) < 3:
        return False
    model, node = places[0].model, places[0].node
    pieces = [x for x in range(model.x0[node], model.x1[node]) if model.flats[x] in flat and model.flats[x] != flat]
    held = 0
    for other, needle in needles.items():
        if other != column and not needle.empty and needle.flat != flat and not needle.url:
            held += any(_says(needle, model.pieces[x], model.flats[x]) for x in pieces if len(model.flats[x]) >= 2)
    return held >= 2


def exampled(bench: Bench) -> list[Finding]:
    """A column whose values are nothing like the example that the request quotes for it: one word for a phrase."""
    findings: list[Finding] = []
    for column, field in bench.evidence.fields.items():
        quoted = [text for text in _QUOTED.findall(field.note) if _SUCH.search(field.note.partition(text)[0])]
        if field.type != "text" or not quoted:
            continue
        texts = {row: n.text for row in bench.evidence.rows if not (n := bench.evidence.needles[row][column]).empty}
        if len(texts) < 3:
            continue
        least = min(len(text.split()) for text in quoted)
        short = [row for row, text in texts.items() if 2 * len(text.split()) < least]
        figures = all(any(c.isdigit() for c in text) for text in quoted)
        bare = [row for row, text in texts.items() if figures and not any(c.isdigit() for c in text)]
        wrong = short if least >= 3 and len(short) >= 0.5 * len(texts) else []
        wrong = wrong or (bare if len(bare) >= ENOUGH * len(texts) else [])
        if wrong:
            sample = shown(texts[wrong[0]])
            message = f"{column} is nothing like the example {quoted[0]!r}; {listed(wrong)}: {sample!r}"
            findings.append(Finding("wrong-record", message, column, tuple(wrong[:SHOWN]), "error", quoted[0], sample))
    return findings


_CLOCK = re.compile(r"(?<![\d:.])(?:[01]?\d|2[0-3]):[0-5]\d(?![\d:])")


def midnight(bench: Bench) -> list[Finding]:
    """Times of day that were asked for and are all midnight, while the records say others."""
    findings: list[Finding] = []
    for column, field in bench.evidence.fields.items():
        if field.type != "datetime":
            continue
        dates = {row: bench.evidence.needles[row][column].date for row in bench.shape.places}
        if not any(dates.values()) or any(date and (date[3] or date[4]) for date in dates.values()):
            continue
        said = {row: _CLOCK.findall(place.model.said(place.node)) for row, place in bench.shape.places.items()}
        wrong = [row for row, clocks in said.items() if dates[row] and any(not re.match("0?0:00", c) for c in clocks)]
        if len(wrong) >= max(2.0, 0.5 * len(dates)):
            sample, better = shown(bench.value(wrong[0], column)), said[wrong[0]][0]
            message = f"{column} is midnight in every row, where the records say {better!r}"
            findings.append(Finding("wrong-record", message, column, tuple(wrong[:SHOWN]), "error", better, sample))
    return findings


_RANKS = word_set(
    """rank ranking rang position pos place platz no nr number nummer num index id row line item lot n platzierung
    puesto posizione positie miejsce pořadí místo"""
)


def counted(bench: Bench) -> list[Finding]:
    """A column that merely numbers the page's records, where something else than their rank was asked for."""
    findings: list[Finding] = []
    for column, field in bench.evidence.fields.items():
        numbers = [bench.evidence.needles[row][column].number for row in bench.evidence.rows]
        if field.type not in ("int", "float") or len(numbers) < 5 or None in numbers:
            continue
        if _RANKS & {*tokens(field.name), *(word for said in field.words for word in tokens(said))}:
            continue
        ordered = [numbers[bench.evidence.rows.index(row)] for row in _as_listed(bench)]
        if ordered in ([float(n) for n in range(1, len(numbers) + 1)], [float(n) for n in range(len(numbers), 0, -1)]):
            message = f"{column} numbers the records from 1 to {len(numbers)}"
            findings.append(Finding("wrong-record", message, column, tuple(bench.evidence.rows)[:SHOWN]))
    return findings


def _as_listed(bench: Bench) -> list[int]:
    """The rows as the pages list their records, whatever they were sorted by; as they are where that can't be told."""
    places = {row: found[0] for row in bench.evidence.rows if (found := bench.evidence.places[row])}
    if len(places) < len(bench.evidence.rows):
        return list(bench.evidence.rows)
    return sorted(places, key=lambda row: (places[row].page, places[row].node))


_DAY = re.compile(r"(?<!\d)\d{1,2}[-. ](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}(?![^\W\d_])", re.I)


def dated(bench: Bench) -> list[Finding]:
    """Figures that are a piece of a date in a few rows, where the others' stand by themselves."""
    findings: list[Finding] = []
    for column, field in bench.evidence.fields.items():
        if field.type not in ("int", "float"):
            continue
        dates: dict[int, str] = {}
        told = 0
        for row, place in bench.shape.places.items():
            needle, model = bench.evidence.needles[row][column], place.model
            inside = range(model.x0[place.node], model.x1[place.node])
            said = [model.pieces[x] for x in inside if not needle.empty and needle.says(model.pieces[x])]
            if said and all(has_date(text) or _DAY.search(text) for text in said):
                dates[row] = said[0]
            told += bool(said)
        if dates and len(dates) < 0.3 * told:
            row, text = next(iter(dates.items()))
            message = (
                f"{column} is {shown(bench.value(row, column))!r} in {listed(list(dates))}, a piece of {shown(text)!r}"
            )
            findings.append(Finding("wrong-record", message, column, tuple(dates)[:SHOWN], "error", "", shown(text)))
    return findings
