"""A verdict in words, the same on the screen and in narration."""

from __future__ import annotations

from scrapewright.session.verdict import Finding, Verdict

_READ_BY = {"grammar": "the grammar", "model": "the model", "person": "a person"}


def likelihood(probability: float) -> str:
    """ "93 % likely right"; never more than was computed. Empty for 0.0: nothing to be right, or an older session."""
    return f"{int(probability * 100 + 1e-9)} % likely right" if probability else ""


def rests_on(finding: Finding) -> str:
    """What a finding holds the rows against, where that is not the pages themselves; else empty."""
    if finding.source == "names":
        return "by what the page calls its places"
    if finding.source == "review":
        return "by a model's review of the rows"
    if finding.severity == "doubt" or finding.source not in _READ_BY:  # a doubt is about the reading anyway
        return ""
    return f"by the request as read by {_READ_BY[finding.source]}"


def account(verdict: Verdict) -> list[str]:
    """What the rows were compared with, and what was not checked: a line each, where there is anything."""
    said = (("checked", verdict.checked), ("not checked", verdict.unchecked))
    return [f"{what}: {'; '.join(parts)}" for what, parts in said if parts]
