"""Texts with a piece too little or too much: a word cut off, or another column's text behind them."""

from __future__ import annotations

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.borders import cut_rows, is_text, text_columns
from scrapewright.critics.match import said_in
from scrapewright.critics.normal import squash
from scrapewright.session.verdict import Finding


def borders(bench: Bench) -> list[Finding]:
    """Values cut out of a longer text at a blank, on some rows or all."""
    findings: list[Finding] = []
    rows = len(bench.evidence.rows)
    for column in text_columns(bench.evidence):
        found = bench.borders[column]
        cut = [row for row, rest in cut_rows(found).items() if not _of_others(bench, row, column, rest)]
        if cut:
            sample, whole = shown(bench.value(cut[0], column)), shown(found[cut[0]].text)
            message = f"{column} is a piece of a longer text in {listed(cut)}: {sample!r} of {whole!r}"
            findings.append(
                Finding("cut-text", message, column, tuple(cut[:SHOWN]), "error", whole, sample, len(cut) / len(found))
            )
        joined = joined_rows(bench, column)
        if joined:
            sample = shown(bench.value(joined[0], column))
            message = f"{column} holds another column's text as well in {listed(joined)}: {sample!r}"
            findings.append(
                Finding("joined-text", message, column, tuple(joined[:SHOWN]), "error", "", sample, len(joined) / rows)
            )
    return findings + _same(bench)


def _of_others(bench: Bench, row: int, column: str, rest: str) -> bool:
    """What is left of a text is another column's: the record has several in one line."""
    flat = squash(rest)
    others = [needle for other, needle in bench.evidence.needles[row].items() if other != column and not needle.empty]
    return any((len(n.flat) >= 3 and n.flat in flat) or (n.kind != "text" and said_in(n, rest, flat)) for n in others)


def _same(bench: Bench) -> list[Finding]:
    """Columns that hold the same text in every row, or in nearly every one: one of them is another's."""
    evidence = bench.evidence
    findings: list[Finding] = []
    plain = [column for column, field in evidence.fields.items() if field.type == "text" and not field.date_format]
    whole = text_columns(evidence)
    for n, column in enumerate(evidence.judged):
        filled = [needle for row in evidence.rows if not (needle := evidence.needles[row][column]).empty]
        several = len({needle.flat for needle in filled}) >= 3
        for other in evidence.judged[:n]:
            pairs = [(needles[column].flat, needles[other].flat) for needles in evidence.needles.values()]
            equal = all(one == two for one, two in pairs) and any(len(one) >= 3 for one, _ in pairs)
            alike = several and column in plain and other in plain and _alike(bench, column, other)
            if alike or (equal and column in whole and other in whole):
                sample = shown(filled[0].text)
                message = f"{column} and {other} hold the same in every row: {sample!r}"
                findings.append(Finding("wrong-record", message, column, got=sample))
    return findings


def _alike(bench: Bench, one: str, other: str) -> bool:
    """Nearly every row has the same text in both columns; half of them do where both come from one place."""
    pairs = [(needles[one].flat, needles[other].flat) for needles in bench.evidence.needles.values()]
    known = [pair for pair in pairs if len(pair[0]) >= 3 or len(pair[1]) >= 3]
    spots = bench.shape.spots
    least = 0.5 if spots.get(one) is not None and spots.get(one) == spots.get(other) else 0.9
    return bool(known) and sum(a == b for a, b in known) >= least * len(known)


def joined_rows(bench: Bench, column: str) -> list[int]:
    """Rows whose text no stretch of the record holds, and that hold another column's whole text."""
    evidence, found = bench.evidence, bench.borders[column]
    joined = []
    for row in evidence.rows:
        needle = evidence.needles[row][column]
        if not is_text(needle) or (row in found and found[row].fit == "whole"):
            continue
        said = f" {' '.join(needle.words)} "
        others = [held for other, held in evidence.needles[row].items() if other != column and len(held.flat) >= 3]
        if any(held.words != needle.words and f" {' '.join(held.words)} " in said for held in others):
            joined.append(row)
    return joined
