"""Checks that installed packages add (see scrapewright.plugins)."""

from __future__ import annotations

from scrapewright import plugins
from scrapewright.critics.bench import Bench
from scrapewright.session.verdict import Finding

MESSAGE_AT_MOST = 500
FINDINGS_AT_MOST = 20
"""Of one check."""


def added(bench: Bench) -> tuple[list[Finding], list[str]]:
    """What they find, and in words which of them failed: one that does is left out."""
    findings: list[Finding] = []
    failed: list[str] = []
    for name, point in plugins.found("critics").items():
        try:
            said = plugins.load("critics", name)(bench.table.rows, bench.pages, bench.query)
            messages = [
                str(message)[:MESSAGE_AT_MOST] for message, _ in zip(said, range(FINDINGS_AT_MOST), strict=False)
            ]
        except plugins.BrokenPlugin as error:
            failed.append(str(error))
        except Exception as error:
            failed.append(f"{plugins.described(point)} failed: {type(error).__name__}: {error}"[:MESSAGE_AT_MOST])
        else:
            findings += [Finding("added-check", f"{name}: {message}", source=name) for message in messages]
    return findings, failed
