"""scrapewright: a terminal workbench that turns a sentence about a web site into a scraper that works.

From Python, `Scrapewright` (blocking) and `AsyncScrapewright` do the same. Names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapewright.api.answers import Question
    from scrapewright.api.client import AsyncScrapewright, Scrapewright
    from scrapewright.api.page import Page
    from scrapewright.api.result import Result
    from scrapewright.errors import HostRefused, ScrapewrightError, SiteError, Unavailable, UsageError
    from scrapewright.loop.answers import Answer, BadAnswer
    from scrapewright.loop.ports import Attempt, Ran
    from scrapewright.session import events
    from scrapewright.session.questions import Option
    from scrapewright.session.result import RunResult
    from scrapewright.session.verdict import Finding, RowsReport, Verdict

__version__ = "0.1.0"

__all__ = [
    "Answer", "AsyncScrapewright", "Attempt", "BadAnswer", "Finding", "HostRefused", "Option", "Page", "Question",
    "Ran", "Result", "RowsReport", "RunResult", "Scrapewright", "ScrapewrightError", "SiteError", "Unavailable",
    "UsageError", "Verdict", "__version__", "events",
]  # fmt: skip

_MODULES = {
    "api.answers": ("Question",),
    "api.client": ("AsyncScrapewright", "Scrapewright"),
    "api.page": ("Page",),
    "api.result": ("Result",),
    "errors": ("HostRefused", "ScrapewrightError", "SiteError", "Unavailable", "UsageError"),
    "loop.gate": ("Answer", "BadAnswer"),
    "loop.ports": ("Attempt", "Ran"),
    "session.questions": ("Option",),
    "session.result": ("RunResult",),
    "session.verdict": ("Finding", "RowsReport", "Verdict"),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name == "events":
        return import_module("scrapewright.session.events")
    if name not in _HOME:
        raise AttributeError(f"module 'scrapewright' has no attribute {name!r}")
    value = getattr(import_module(f"scrapewright.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
