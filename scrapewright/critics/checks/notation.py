"""Figures read the wrong way round, as the column's others tell: thousands for a fraction, brackets or a falling arrow
without their minus, the day for the month."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from scrapewright.critics.bench import Bench, listed, shown
from scrapewright.critics.dates import order_of
from scrapewright.critics.document import Span
from scrapewright.query.numerals import APOSTROPHES, BLANKS, CURRENCY, Numeral, numerals
from scrapewright.session.verdict import Finding
from scrapewright.survey.dom import word_set

_MONEY = re.compile(rf"[{CURRENCY}]|\b(?:EUR|USD|GBP|CHF|PLN|Kč|zł|kr|Ft)\b")
_PER_UNIT = re.compile(r"/|\bper\b|\bpro\b|\bje\b")
_ACCOUNT = re.compile(rf"\(\s*[{CURRENCY}]?\s?\d[\d.,{BLANKS}{APOSTROPHES}]*\s?[{CURRENCY}%]?\s*\)")


def notation(bench: Bench) -> Iterator[Finding]:
    """Numbers read against the column's own notation: 1.299 for "1.299 €" beside "950 €", 1200 for "(1,200)"."""
    for column, field in bench.evidence.fields.items():
        if field.type not in ("int", "float"):
            continue
        said = {row: texts[0] for row in bench.evidence.rows if len(texts := bench.shape.at(row, column)) == 1}
        if wrong := _misread(bench, column, said) or _unsigned(bench, column, said):
            message = f"{column} misreads {shown(said[wrong[0]])!r}, as its other values tell; {listed(wrong)}"
            yield bench.finding("ungrounded", column, wrong, message)
        elif fallen := _fallen(bench, column):
            message = f"{column} lacks the minus that the page shows by an arrow; {listed(fallen)}"
            yield bench.finding("ungrounded", column, fallen, message)


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
    fractions = {row: float(first[row].text.replace(mark, ".")) for row in doubtful}
    given = {row: abs(bench.evidence.needles[row][column].number or 0.0) for row in doubtful}
    return [row for row in doubtful if abs(given[row] - fractions[row]) < 1e-9]


def _unsigned(bench: Bench, column: str, said: dict[int, str]) -> list[int]:
    """Rows whose figures are in brackets, as accountants write a minus, and that are given without it."""
    bracketed = [row for row, text in said.items() if _ACCOUNT.fullmatch(text.strip())]
    plain = [text for text in said.values() if "(" not in text and any(c.isdigit() for c in text)]
    if not bracketed or not plain or len(bracketed) + len(plain) < 0.9 * len(said):
        return []
    return [row for row in bracketed if (bench.evidence.needles[row][column].number or 0.0) > 0]


def _fallen(bench: Bench, column: str) -> list[int]:
    """Rows whose number is above 0 beside an icon of an arrow down, where others have one of an arrow up."""
    ways: dict[int, set[str]] = {}
    for row in bench.evidence.rows:
        value, hit = bench.evidence.needles[row][column].number, bench.evidence.find(row, column)
        place = next(iter(bench.evidence.places[row]), None)
        if value is None or hit is None or place is None or not place.node <= hit.node < place.model.end[place.node]:
            continue
        model, node = place.model, hit.node
        if value < 0:
            return []
        while node > place.node and model.length(model.parent[node]) == model.length(node):
            node = model.parent[node]  # an icon beside it has no text
        icons = (model.chain[at] for at in range(node, model.end[node]) if not model.length(at))
        arrows = [set(re.findall(r"[^\W\d_]+", name.lower())) for chain in icons for name in chain.split(".")]
        ways[row] = {way for way in ("up", "down") for words in arrows if way in words and words & _ARROWS}
    found = [row for row, way in ways.items() if way == {"down"} and bench.evidence.needles[row][column].number]
    return found if any(way == {"up"} for way in ways.values()) else []


_ARROWS = word_set("arrow caret chevron triangle trend trending")


def day_order(bench: Bench) -> Iterator[Finding]:
    """Rows that read the figures of a date in another order than most rows read those at the same place."""
    evidence = bench.evidence
    for column, field in evidence.fields.items():
        if field.type not in ("date", "datetime", "text"):
            continue
        said: dict[str, dict[int, str]] = defaultdict(dict)
        for row in evidence.rows:
            date = evidence.needles[row][column].date
            for place in evidence.places[row][:1] if date else ():
                span = Span(place.model, place.node)
                for piece in (*span.texts, *span.values):
                    short = len(piece.text) < (80 if piece.name else 200)
                    if date and short and (order := order_of(piece.text, date)):
                        said[piece.name][row] = order
        wrong, there = Counter[int](), Counter[int]()
        for orders in said.values():
            there.update(orders.keys())
            (usual, count), *others = Counter(orders.values()).most_common()
            if others and count > 1:
                wrong.update(row for row, order in orders.items() if order != usual)
        if rows := [row for row in wrong if wrong[row] == there[row]]:
            exchanged = f"{column} has day and month exchanged in {listed(rows)}"
            yield bench.finding("day-order", column, rows, exchanged, share=len(rows) / len(there))
