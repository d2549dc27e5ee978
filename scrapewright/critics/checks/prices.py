"""Prices that no longer hold, and prices that were passed over."""

from __future__ import annotations

import re

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.document import Model
from scrapewright.critics.shape import form
from scrapewright.query.lexicon import concepts_of
from scrapewright.session.verdict import Finding
from scrapewright.survey.dom import word_set
from scrapewright.survey.numerals import CURRENCY, numerals
from scrapewright.survey.observe import STRUCK
from scrapewright.survey.words import tokens

_MONEY = re.compile(rf"[{CURRENCY}]|\b(?:EUR|USD|GBP|CHF|PLN|Kč|zł|kr|Ft)\b")
_FORMER = word_set(
    """old original regular former previous was before list rrp msrp uvp full usual struck crossed undiscounted
    alt alter alte alten altpreis ursprünglich ursprünglicher statt vorher barré ancien initial original antes
    anterior viejo vecchio precedente oude oorspronkelijke stara původní старая"""
)
ENOUGH = 0.6


def prices(bench: Bench) -> list[Finding]:
    """A column of numbers read from what the page strikes out, or empty where its record has a sum that stands."""
    findings: list[Finding] = []
    for column, field in bench.evidence.fields.items():
        spot = bench.shape.spots.get(column)
        former = _FORMER.intersection(tokens(f"{field.name} {field.note}"))
        if field.type not in ("int", "float", "text") or spot is None:
            continue
        if former:
            findings += _not_struck(bench, column)
            continue
        places = bench.shape.places
        sums = {row: _sums(place.model, place.node) for row, place in places.items()}
        former_sums = {row: _sums(place.model, place.node, struck=True) for row, place in places.items()}
        filled = [row for row in places if not bench.evidence.needles[row][column].empty]
        priced = [row for row in filled if any(bench.evidence.needles[row][column].says(text) for text in sums[row])]
        if any(step.partition(".")[0].partition("#")[0] in STRUCK for step in spot[0].split("/")):
            wrong = [row for row in filled if sums[row] and row not in priced]
            if len(wrong) >= max(1.0, ENOUGH * len(filled)):
                got, better = shown(bench.value(wrong[0], column)), shown(sums[wrong[0]][0])
                message = f"{column} is {got!r}, which the page strikes out; what stands is {better!r}"
                findings.append(Finding("wrong-record", message, column, tuple(wrong[:SHOWN]), "error", better, got))
                continue
        held = {row: bench.evidence.needles[row][column] for row in filled if row not in priced and sums[row]}
        wrong = [row for row, needle in held.items() if any(needle.says(text) for text in former_sums[row])]
        if wrong and len(priced) + len(wrong) >= ENOUGH * len(filled):
            got, better = shown(bench.value(wrong[0], column)), shown(sums[wrong[0]][0])
            message = f"{column} is {got!r} in {listed(wrong)}, which the page strikes out; what stands is {better!r}"
            findings.append(Finding("wrong-record", message, column, tuple(wrong[:SHOWN]), "error", better, got))
            continue
        if field.type == "text" or len(priced) < max(2.0, ENOUGH * len(filled)):
            continue
        known = bench.shape.forms.get(column, set())
        lost = {
            row: text
            for row in places
            if row not in filled
            for text in sums[row]
            if form(text) in known and not any(needle.says(text) for needle in bench.evidence.needles[row].values())
        }
        if lost:
            text = shown(next(iter(lost.values())))
            message = f"{column} is empty in {listed(list(lost))}, where the record says {text!r}"
            findings.append(Finding("low-coverage", message, column, tuple(lost)[:SHOWN], "error", text, ""))
    return findings


def one_price(bench: Bench) -> list[Finding]:
    """Two columns of prices with the same sum in every row, where records tell several."""
    evidence = bench.evidence
    columns = [
        column
        for column, field in evidence.fields.items()
        if field.type in ("int", "float") and "price" in concepts_of(tokens(column))
    ]
    for at, column in enumerate(columns):
        for other in columns[:at]:
            pairs = {
                row: (needles[column].number, needles[other].number)
                for row, needles in evidence.needles.items()
                if needles[column].number is not None and needles[other].number is not None
            }
            several = [
                row
                for row in pairs
                if row in bench.shape.places
                and len(_amounts(bench.shape.places[row].model, bench.shape.places[row].node)) > 1
            ]
            if several and len(pairs) > 1 and all(one == two for one, two in pairs.values()):
                sample = f"{pairs[several[0]][0]:g}"
                message = (
                    f"{column} and {other} are the same in every row, where {listed(several)} tell two prices: {sample}"
                )
                return [Finding("wrong-record", message, column, tuple(several[:SHOWN]), got=sample)]
    return []


def _amounts(model: Model, top: int) -> set[str]:
    return {
        numeral.text
        for x in range(model.x0[top], model.x1[top])
        if _MONEY.search(model.pieces[x])
        for numeral in numerals(model.pieces[x])
    }


def _not_struck(bench: Bench, column: str) -> list[Finding]:
    """The former price was asked for, and a record that strikes one out gave the one that stands."""
    wrong = {}
    for row, place in bench.shape.places.items() if "price" in concepts_of(tokens(column)) else ():
        struck = _sums(place.model, place.node, struck=True)
        needle = bench.evidence.needles[row][column]
        stands = any(needle.says(text) for text in _sums(place.model, place.node))
        if struck and stands and not any(needle.says(text) for text in struck):
            wrong[row] = struck[0]
    if not wrong:
        return []
    row, better = next(iter(wrong.items()))
    got = shown(bench.value(row, column))
    message = f"{column} is {got!r} in {listed(list(wrong))}, where the page strikes out {better!r}"
    return [Finding("wrong-record", message, column, tuple(wrong)[:SHOWN], "error", shown(better), got)]


def _sums(model: Model, top: int, struck: bool = False) -> list[str]:
    """The texts of a record that tell a sum of money and are not struck out; with `struck` those that are."""
    found = []
    for x in range(model.x0[top], model.x1[top]):
        text, node = model.pieces[x], model.piece_node[x]
        if not _MONEY.search(text) or not any(c.isdigit() for c in text):
            continue
        while node > top and model.tag[node] not in STRUCK:
            node = model.parent[node]
        if (node > top) == struck:
            found.append(text)
    return found
