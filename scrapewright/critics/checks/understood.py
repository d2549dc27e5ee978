"""Words of the request that some rows answer and others do not: what a row is called, kinds of files, bundles."""

from __future__ import annotations

import re

from scrapewright.critics.bench import SHOWN, Bench, is_marked, listed
from scrapewright.critics.headings import heading_above
from scrapewright.session.verdict import Finding
from scrapewright.survey.words import tokens


def unread(bench: Bench) -> list[Finding]:
    """Phrases that nobody understood. They make rows less sure; they are no fault of theirs.

    Words that the fetched page is called by (its title, its first headings, its address), or that stand in the record
    of every row, say nothing that the rows could be wrong in.
    """
    if not bench.query.unread:
        return []
    about = _names_of_pages(bench)
    records = [places[0] for places in bench.evidence.places.values() if places]
    findings: list[Finding] = []
    for phrase in bench.query.unread:
        wanted = tuple(word for word in re.findall(r"[^\W_]+", phrase.lower()) if len(word) >= 3)
        if wanted and _holds(wanted, about):
            continue
        if wanted and len(records) >= 3 and all(_holds(wanted, p.model.said(p.node)[:_LONG]) for p in records):
            continue
        findings.append(Finding("not-understood", f"not understood: {phrase!r}", severity="doubt", got=phrase))
    return findings


def _names_of_pages(bench: Bench) -> str:
    """What the addresses asked for and the pages behind them are called."""
    said = [re.sub(r"[\W_]+", " ", url.partition("//")[2].partition("/")[2]) for url in bench.query.urls]
    for _, model in bench.evidence.models[:3]:
        said += [model.said(node) for node, tag in enumerate(model.tag) if tag in ("title", "h1")][:4]
    return " ".join(said)


_LONG = 4000


def inexpressible(bench: Bench) -> list[Finding]:
    """Conditions that no comparison says. A model reads their words; the rules' program leaves them out."""
    return [
        Finding("not-understood", f"a condition in words was not applied: {wanted.text!r}", severity="doubt")
        for wanted in bench.query.filters
        if wanted.op == "other" and bench.author == "rules"
    ]


def kinds(bench: Bench) -> list[Finding]:
    """ "All remote jobs", where some records are marked as remote and others are not, asks for the former alone.

    A mark is a short text that is no name: of one to three words, in no heading and no link.
    """
    findings: list[Finding] = []
    titles = " ".join(page.title for page in bench.survey.pages) if bench.survey is not None else ""
    places = {row: bench.evidence.places[row][0] for row in bench.evidence.rows if bench.evidence.places[row]}
    for word in dict.fromkeys(bench.query.subject[:-1]):
        about = f"{titles} {' '.join(bench.query.urls)} {bench.query.section}"
        if len(word) < 3 or len(places) < 3 or bench.query.filters or _holds((word,), about):
            continue
        said = {row for row, place in places.items() if _holds((word,), place.model.said(place.node)[:4000])}
        under = {row for row, place in places.items() if _holds((word,), heading_above(place.model, place.node))}
        marked = [row for row in said if is_marked(places[row], word)]
        bare = sorted(set(places) - said - under)
        if marked and bare:
            what = " ".join(bench.query.subject)
            message = (
                f"asked for was {what!r}: {listed(marked)} say {word!r}, {listed(bare)} do not."
                f' Say it as a condition: "only where COLUMN contains {word}"'
            )
            findings.append(Finding("filter-broken", message, rows=tuple(bare[:SHOWN]), got=word))
    return findings


_FILES = {
    "pdf": "pdf", "xls": "xlsx?", "excel": "xlsx?", "xlsx": "xlsx", "csv": "csv", "doc": "docx?", "docx": "docx",
    "word": "docx?", "zip": "zip", "mp3": "mp3", "epub": "epub", "ppt": "pptx?", "pptx": "pptx",
}  # fmt: skip
_ANY_FILE = frozenset(("link", "url", "href", "file", "document", "download", "doc", "pdf", "csv", "xls", "zip", "mp3"))
"""Words of a column's name that leave open which file is meant."""
_FILE = re.compile(r"\.(?:pdf|xlsx?|csv|docx?|zip|mp3|epub|pptx?|txt|odt|ods|rtf|tar|gz|jpe?g|png)(?=$|[?#])", re.I)


def files(bench: Bench) -> list[Finding]:
    """ "All PDFs", and a row whose record leads to files of another kind alone."""
    kind = next((kind for word in bench.query.subject if (kind := _FILES.get(word))), "")
    if not kind:
        return []
    other = []
    for row in bench.evidence.rows:
        for place in bench.evidence.places[row][:1]:
            links = [link.url for link in place.model.links if place.node <= link.node < place.model.end[place.node]]
            found = [match[0] for url in links if (match := _FILE.search(url))]
            if found and not any(re.fullmatch(kind, end[1:], re.I) for end in found):
                other.append((row, found[0]))
    if not other or len(other) == len(bench.evidence.rows):
        return []
    rows = [row for row, _ in other]
    message = (
        f"files of one kind were asked for ({' '.join(bench.query.subject)}): {listed(rows)} lead to {other[0][1]}"
    )
    return [Finding("extra-rows", message, rows=tuple(rows[:SHOWN]), got=other[0][1])]


def bundles(bench: Bench) -> list[Finding]:
    """Records that hold several files of one kind, where a row names one and its column says no more than "link".

    The rows are then groups of what was asked for. A column with a name of its own ("agenda") picks one of several.
    """
    evidence = bench.evidence
    wanted = [column for column, field in evidence.fields.items() if field.type == "url"]
    findings = []
    for column in wanted:
        if not set(tokens(column)) <= _ANY_FILE:
            continue
        several = []
        for row in evidence.rows:
            ending = _FILE.search(str(bench.value(row, column)))
            for place in evidence.places[row][:1] if ending else ():
                links = [link for link in place.model.links if place.node <= link.node < place.model.end[place.node]]
                same = {
                    link.url for link in links if (end := _FILE.search(link.url)) and ending and end[0] == ending[0]
                }
                if len(same) > len(wanted):
                    several.append(row)
        if len(several) > 0.4 * len(evidence.rows):
            message = f"{listed(several)} stand for several files each, of which {column} names one"
            findings.append(Finding("wrong-record", message, column, tuple(several)[:SHOWN]))
    return findings


def _holds(wanted: tuple[str, ...], text: str) -> bool:
    there = set(re.findall(r"[^\W_]+", text.lower()))
    return all(word in there or (len(word) > 3 and any(t.startswith(word[:-1]) for t in there)) for word in wanted)
