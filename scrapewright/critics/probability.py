"""How likely rows are right: what was found of them, weighed as `calibration.json` says.

The weights are fitted by `make calibrate-verdict` (tests/calibrate). A weight is what a feature takes from the
log-odds; none of them is negative, so that no finding can speak for rows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec

from scrapewright.critics.bench import Bench
from scrapewright.loop.ports import Case
from scrapewright.session.verdict import Finding, FindingCode

TRUSTED = 0.9
"""Rows as likely right as this are called right."""
_OF_THE_READING: frozenset[FindingCode] = frozenset(
    ("too-few-rows", "page-lost", "extra-rows", "wrong-order", "missing-column", "empty-column", "page-not-fetched")
)
"""Findings that words of the request explain: of one that was read in part they say little."""
DATA = Path(__file__).with_name("calibration.json")


class Calibration(msgspec.Struct, frozen=True):
    """`sure` are the log-odds of rows of which nothing is found; the weights of what was found are taken from them.

    `unseen` are the weights of what no row of the fit had, by severity.
    """

    sure: float
    weights: dict[str, float]
    unseen: dict[str, float]

    def against(self, found: Mapping[str, float]) -> float:
        """What is taken from the log-odds for these features."""
        unseen = {name: self.unseen.get(name.rpartition(" ")[0], 0.0) for name in found}
        return sum(self.weights.get(name, unseen[name]) * value for name, value in found.items())


@cache
def calibration() -> Calibration:
    return msgspec.json.decode(DATA.read_bytes(), type=Calibration)


def features(case: Case, bench: Bench, findings: Sequence[Finding]) -> dict[str, float]:
    """What speaks against the rows, by name: 0.0 nothing, 1.0 all it can; several columns count more than one.

    A finding's feature is its severity and code; no name of a site, a column or a word of a request is one. A contested
    finding counts half, and not at all where it rests on what the page calls its places.
    """
    found: dict[str, float] = {}
    disputed = {(dispute.code, dispute.column) for dispute in case.disputes}
    half_read = bool(case.reading.unread)
    for finding in findings:
        contested = (finding.code, finding.column) in disputed
        ends = finding.code == "page-failed" and finding.severity == "warning"  # a listing may end in a dead link
        if ends or (contested and finding.source == "names"):
            continue
        half = "half-read " * (half_read and finding.code in _OF_THE_READING)
        name, counts = f"{half}{_kind(case, finding)} {finding.code}", 0.5 if contested else 1.0
        found[name] = min(2.0, found.get(name, 0.0) + counts * (0.5 + 0.5 * min(1.0, finding.share)))
    found.pop("doubt undecided", None)
    unread = found.pop("doubt not-understood", 0.0)
    placed = sum(bool(bench.evidence.places[row]) for row in bench.evidence.rows)
    if bench.evidence.rows:
        found["unplaced" if placed else "nowhere"] = 1.0 - placed / len(bench.evidence.rows)
    if case.author == "rules":  # other authors have read the request themselves, and chosen by themselves
        doubts = sum(1.0 - question.confidence for question in case.open if question.kind != "pages")
        found |= {"rules": 1.0, "rules unread": unread, "rules undecided": min(2.0, doubts)}
    elif half_read:
        found["half-read"] = 1.0
    if not case.reading.fields:
        found["no columns"] = 1.0  # none was read that the rows could be held against
    return {name: round(value, 4) for name, value in found.items() if value > 0}


def _kind(case: Case, finding: Finding) -> str:
    """What a finding weighs as: the rules guess, so what may be wrong with their rows more often is."""
    if finding.source == "names":
        return "names"
    return f"rules {finding.severity}" if case.author == "rules" and finding.severity == "warning" else finding.severity


def probability(found: Mapping[str, float], fitted: Calibration | None = None) -> float:
    """From 0.0 to 1.0."""
    fitted = fitted or calibration()
    return 1.0 / (1.0 + math.exp(fitted.against(found) - fitted.sure))


def score(found: Mapping[str, float]) -> float:
    """How good rows are beside others of the same session, from 0.0 to 1.0: nothing speaks against them."""
    return round(1.0 / (1.0 + calibration().against(found) / 4.0), 4)
