"""Columns: there, filled, of the type asked for, readable."""

from __future__ import annotations

import re
from typing import Any

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.dates import read_as, read_iso
from scrapewright.critics.normal import demojibake, is_plain_number, looks_mojibake, number, squash
from scrapewright.critics.rows import column_of, is_empty
from scrapewright.query.reading import Field
from scrapewright.session.verdict import Finding, Severity
from scrapewright.survey.dom import word_set
from scrapewright.survey.values import has_date, is_date
from scrapewright.survey.words import concepts_of, tokens

_BOOLS = frozenset({"true", "false", "0", "1", "yes", "no", "y", "n"})
_SAYS_RELATIVE = re.compile(r"\brelativ|as (it )?(is|stands|written)|wie im|tel quel", re.I)


def presence(bench: Bench) -> list[Finding]:
    """Every field asked for is a column, and one with something in it."""
    findings: list[Finding] = []
    for field in bench.query.fields:
        column = bench.evidence.columns.get(field.name)
        if column is None:
            there = ", ".join(bench.table.columns) or "none"
            findings.append(
                Finding(
                    "missing-column", f"there is no column {field.name} (there are: {there})", field.name, got=there
                )
            )
        elif column_of(field.name, (column,)) is None:
            message = f"the column {field.name} is called {column}"
            # The rules mend a name; a program of somebody else's may have the better one.
            severity: Severity = "error" if bench.author == "rules" else "warning"
            findings.append(Finding("missing-column", message, field.name, (), severity, field.name, column))
        elif bench.table.rows and all(is_empty(value) for value in bench.table.column(column)):
            # What may be missing in a record is not what all of several records lack.
            lone = field.optional and len(bench.table.rows) < 3
            severity = "warning" if lone else "error"
            findings.append(Finding("empty-column", f"{column} is empty in every row", column, severity=severity))
    return findings


def types(bench: Bench) -> list[Finding]:
    """Numbers, dates and truth values are written as such."""
    findings: list[Finding] = []
    for field in bench.query.fields:
        column = bench.evidence.columns.get(field.name)
        if column is None or field.type in ("text", "url", "list"):
            continue
        wrong = [row for row in range(len(bench.table.rows)) if not _fits(bench.value(row, column), field)]
        if not wrong:
            continue
        sample = shown(bench.value(wrong[0], column))
        message = f"{column} should be {_named(field)}; {listed(wrong)}: {sample!r}"
        lax = field.type == "int" and all(is_plain_number(bench.value(row, column)) for row in wrong)
        whole = lax and all((number(bench.value(row, column)) or 0.0).is_integer() for row in wrong)
        text = not field.typed and field.type in ("date", "datetime", "int", "float") and _is_text(bench, column, wrong)
        if text:
            continue
        severity = "warning" if whole or (not field.typed and field.type in ("bool", "datetime")) else "error"
        findings.append(Finding("wrong-type", message, column, tuple(wrong[:SHOWN]), severity, field.type, sample))  # type: ignore[arg-type]
    return findings


def _is_text(bench: Bench, column: str, wrong: list[int]) -> bool:
    """No value of the column could have been a date or a number, whatever its name: all are told as they stand."""
    filled = [row for row in range(len(bench.table.rows)) if not is_empty(bench.value(row, column))]
    said = [str(bench.value(row, column)) for row in filled]
    return len(wrong) == len(filled) and not any(
        has_date(text) or re.fullmatch(r"\W*\d[\d.,\s]*\W*", text) for text in said
    )


def confused(bench: Bench) -> list[Finding]:
    """A column that holds what belongs to another one: its values, its date or price, or the label it stands under."""
    evidence = bench.evidence
    findings: list[Finding] = []
    columns = {
        column: field for column, field in evidence.fields.items() if field.type == "text" and not field.date_format
    }
    filled = {
        column: [n for row in evidence.rows if not (n := evidence.needles[row][column]).empty]
        for column in evidence.fields
    }
    for column, field in columns.items():
        values = [needle.flat for needle in filled[column]]
        told = filled[column][0].text if values else ""
        if len(values) > 1 and len(set(values)) == 1 and _LEADS_ON.search(told):
            message = f"{column} is {shown(told)!r} in every row, which leads to a name and is none"
            findings.append(Finding("constant-column", message, column, got=shown(told)))
        pieced = [text for text in (needle.text for needle in filled[column]) if len(_MARKED.split(text)) > 2]
        if len(pieced) > 1 and len(pieced) == len(values) and not set(concepts_of(tokens(field.name))) & _SEVERAL:
            message = f"{column} holds several values between marks: {shown(pieced[0])!r}"
            findings.append(Finding("wrong-record", message, column, got=shown(pieced[0])))
        counted = [text for text in (needle.text for needle in filled[column]) if re.fullmatch(r"#?\d{1,3}[.)]", text)]
        if len(counted) > 1 and len(counted) == len(values) and not _is_rank(field):
            message = f"{column} is the number of its record: {shown(counted[0])!r}"
            findings.append(Finding("wrong-record", message, column, got=shown(counted[0])))
        sums = [needle.text for needle in filled[column] if _SUM.fullmatch(needle.text.strip())]
        means = set(concepts_of(tokens(field.name)))
        if len(sums) > 1 and len(sums) == len(values) and means & _NAMES and "price" not in means:
            message = f"{column} is a sum of money: {shown(sums[0])!r}"
            findings.append(Finding("wrong-record", message, column, got=shown(sums[0])))
        quoted = [needle.text for needle in filled[column] if _WRAPPED.fullmatch(needle.text.strip())]
        if _UNQUOTED.search(field.note) and quoted:
            message = f"{column} was asked for without quotation marks: {shown(quoted[0])!r}"
            findings.append(Finding("wrong-record", message, column, got=shown(quoted[0])))
        if len(values) < 3:
            continue
        other = _count_of(bench, column)
        if other:
            message = f"{column} says how many {other}: {shown(filled[column][0].text)!r}"
            findings.append(Finding("wrong-record", message, column, got=shown(filled[column][0].text)))
        sample = shown(filled[column][0].text)
        for other, field in evidence.fields.items():
            same = bench.shape.spots.get(column) is not None and bench.shape.spots.get(column) == bench.shape.spots.get(
                other
            )
            dated = field.type in ("date", "datetime") and all(_says_a_date(n.text) for n in filled[column])
            if same and dated and other != column:
                message = f"{column} holds the text that {other} was read from: {sample!r}"
                findings.append(Finding("wrong-record", message, column, got=sample))
        if len(set(values)) == 1 and values[0] in _labels(bench, column):
            message = f"{column} is {sample!r} in every row, which is a label"
            findings.append(Finding("constant-column", message, column, got=sample))
    return findings


_SUM = re.compile(r"[$€£¥₽₩₹₺]\s?\d[\d.,]*|\d[\d.,]*\s?[$€£¥₽₩₹₺]")
_NAMES = frozenset(("title", "name", "author", "brand", "category", "company", "location", "status", "availability"))
_MARKED = re.compile(r"\s[·|•]\s")
_SEVERAL = frozenset(("text", "description", "tags", "category", "address", "location", "list"))
_RANK_WORDS = word_set("rank ranking position no nr number num place pos platz rang index id lot item")


def _is_rank(field: Field) -> bool:
    """Whether the column is for the number of a record."""
    return bool(_RANK_WORDS & {*tokens(field.name), *(word for said in field.words for word in tokens(said))})


_LEADS_ON = re.compile(r"(?:^|\s)(?:by|von|par|por|door|av|przez|от)$", re.I)
_WRAPPED = re.compile(r"[“„«‹《〈「『\"'‘].+[”“»›》〉」』\"'’]", re.S)
_UNQUOTED = re.compile(
    r"without (?:the )?quot|ohne (?:die )?anf|sans (?:les )?guillemets|sin (?:las )?comillas|senza (?:le )?virgolette"
    r"|без кавычек|不[带帶含](?:书名号|書名號|引号|引號)|(?:かっこ|カッコ|括弧)(?:なし|を除)",
    re.I,
)


def _count_of(bench: Bench, column: str) -> str:
    """The other column whose number this one is made of, with the other's name behind it: "88 comments"."""
    for other, field in bench.evidence.fields.items():
        if other == column or field.type != "int":
            continue
        name = re.sub(r"[\W\d_]+", "", other.lower()).rstrip("s")
        counts = [
            (needles[column].text, needles[other])
            for needles in bench.evidence.needles.values()
            if not (needles[column].empty or needles[other].empty)
        ]
        said = [
            text for text, needle in counts if re.fullmatch(rf"[\d., ]+ {name}s?", text.lower()) and needle.says(text)
        ]
        if len(name) >= _SHORTEST and len(said) >= 2 and len(said) >= 0.5 * len(counts):
            return other
    return ""


_SHORTEST = 4


def _labels(bench: Bench, column: str) -> set[str]:
    """What the request calls the other columns."""
    others = [field for other, field in bench.evidence.fields.items() if other != column]
    named = [word for field in others for word in (field.name, field.note, *field.words)]
    return {squash(word) for word in (*named, *(w for f in others for w in re.findall(r"[^\W\d]{4,}", f.note)))}


def _says_a_date(text: str) -> bool:
    """A date and hardly anything else."""
    return is_date(text) or (len(text) <= 32 and has_date(text))


def _named(field: Field) -> str:
    names = {
        "int": "a whole number",
        "float": "a number",
        "date": "a date",
        "datetime": "a date with time",
        "bool": "true or false",
    }
    form = f" written {field.date_format}" if field.date_format else " (YYYY-MM-DD)" if field.type == "date" else ""
    return names[field.type] + form


def _fits(value: Any, field: Field) -> bool:
    if is_empty(value):
        return True
    text = str(value).strip()
    if field.type == "bool":
        return isinstance(value, bool) or text.lower() in _BOOLS
    if field.type in ("date", "datetime"):
        if field.date_format:
            return read_as(text, field.date_format) is not None
        return read_iso(text) is not None
    return is_plain_number(value, whole=field.type == "int")


def links(bench: Bench) -> list[Finding]:
    """Links lead somewhere by themselves."""
    findings: list[Finding] = []
    for field in bench.query.fields:
        column = bench.evidence.columns.get(field.name)
        if column is None or field.type != "url" or _SAYS_RELATIVE.search(field.note):
            continue
        values = bench.table.column(column)
        called = [row for row, value in enumerate(values) if str(value).startswith(("mailto:", "tel:", "javascript:"))]
        if called and len(called) < sum(not is_empty(value) for value in values):
            sample = shown(values[called[0]])
            message = f"{column} leads to pages, and in {listed(called)} nowhere: {sample!r}"
            findings.append(Finding("wrong-record", message, column, tuple(called[:SHOWN]), got=sample))
        relative = [row for row, value in enumerate(values) if not is_empty(value) and _is_relative(value)]
        if relative:
            sample = shown(values[relative[0]])
            message = f"{column} holds relative links; {listed(relative)}: {sample!r}"
            findings.append(
                Finding("relative-link", message, column, tuple(relative[:SHOWN]), "error", "an absolute link", sample)
            )
    return findings


def _is_relative(value: Any) -> bool:
    if isinstance(value, list):
        return any(_is_relative(item) for item in value)
    return not re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:", str(value).strip())


def mojibake(bench: Bench) -> list[Finding]:
    """No text that was decoded with the wrong codec: it looks so, and the pages do not say it."""
    findings: list[Finding] = []
    streams = [model.text + "\n" + model.attrs for _, model in bench.evidence.models]
    for column in bench.evidence.judged:
        spoilt: list[int] = []
        meant = ""
        for row, value in enumerate(bench.table.column(column)):
            text = (
                str(value) if isinstance(value, str) else " ".join(map(str, value)) if isinstance(value, list) else ""
            )
            if text.isascii() or len(spoilt) >= 50:
                continue
            flat = squash(text)
            if any(flat in stream for stream in streams):
                continue
            back = next(
                (b for b in demojibake(text) if squash(b) and any(squash(b) in stream for stream in streams)), None
            )
            if back is not None or looks_mojibake(text):
                spoilt.append(row)
                meant = meant or shown(back or "")
        if spoilt:
            sample = shown(bench.value(spoilt[0], column))
            message = f"{column} was decoded with the wrong codec; {listed(spoilt)}: {sample!r}" + (
                f" for {meant!r}" if meant else ""
            )
            findings.append(Finding("mojibake", message, column, tuple(spoilt[:SHOWN]), "error", meant, sample))
    return findings
