"""One row where several were asked for: what a program makes of a page whose records it could not tell apart."""

from __future__ import annotations

import re

from scrapewright.critics.bench import Bench, shown
from scrapewright.critics.normal import squash
from scrapewright.query.reading import Reading
from scrapewright.session.verdict import Finding, Severity

_ALL = re.compile(
    r"\b(?:all|every|each|lists?|listing|alle[rsn]?|jede[rsn]?|liste|tous|toutes|chaque|todos|todas|cada|lista|tutt[ie]"
    r"|ogni|wszystkie|všechny|minden|kaikki|alla|все|список)\b|全部|所有|すべて|一覧|모든",
    re.I,
)
_ONE = re.compile(
    r"(?<![\d.,])(?:1|one|a single)\s+(?:\w+\s+){0,2}?(?:results?|products?|items?|hits?|match(?:es)?|entr(?:y|ies)|"
    r"records?|listings?|articles?|posts?|ergebnis|treffer|résultat|resultado|risultato|resultaat|wynik)\b"
    r"|\b1 (?:of|von|sur|de|di) 1\b|1\s?件",
    re.I,
)


def alone(bench: Bench) -> list[Finding]:
    """A single row from a page as a whole, where the request speaks of several and the page does not say "1 result"."""
    query, survey = bench.query, bench.survey
    if len(bench.table.rows) != 1 or query.single or bench.narrowed or survey is None:
        return []
    if not several(query) and not _out_of_table(bench):
        return []
    group = survey.groups[0] if survey.groups else None
    if group is None or any(g.count == 1 and g.kind in ("json", "feed", "list", "table") for g in survey.groups):
        return []
    if any(_ONE.search(model.said(0)[:20_000]) for _, model in bench.evidence.models if model.tag):
        return []
    sample = shown(" | ".join(str(value) for value in bench.table.rows[0].values()))
    message = f"there is one row, read from the page as a whole, where several were asked for: {sample!r}"
    severity: Severity = "error" if bench.author == "rules" else "warning"  # others have read the request
    return [Finding("too-few-rows", message, severity=severity, got="1")]


def _out_of_table(bench: Bench) -> bool:
    """The row's value stands in a column, under its heading, of a table of several rows."""
    survey = bench.survey
    said = {n.flat for n in bench.evidence.needles.get(0, {}).values() if len(n.flat) >= 3}
    tables = [group for group in survey.groups if group.kind == "table" and group.count >= 3] if survey else []
    columns = [slot for group in tables for slot in group.slots if slot.header and slot.distinct > 0.5]
    return any(squash(sample) in said for slot in columns for sample in slot.samples)


def several(query: Reading) -> bool:
    """Whether the request names what it wants in the plural, or says "all", "every", "list"."""
    text = re.sub(r"\S+://\S+|\([^()]*\)", " ", query.text).lower()  # "(list)" is a column's type
    if _ALL.search(text):
        return True
    for subject in query.subject:
        word = subject.lower().rpartition(" ")[2]
        stem = word[:-1] + "ies" if word.endswith("y") else rf"{re.escape(word)}(?:s|es)"
        if re.search(rf"\b{stem}\b", text) and not word.endswith("s"):
            return True
    return False
