"""Which encoding a program has to name, where BeautifulSoup by itself would take another one."""

from __future__ import annotations

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding

from scrapewright.survey.model import SurveyedPage
from scrapewright.web.page import Page

_HEAD = 8192
"""Bytes in which a page says its charset."""
_DECODED = ("text/html", "xml")


def to_name(page: Page, surveyed: SurveyedPage) -> str:
    """A sentence that says which `from_encoding` to pass, and why; empty where the page's own markup says it.

    BeautifulSoup sees the bytes alone: it goes by the markup's charset, and by a guess where there is none.
    """
    if surveyed.declared == "bom" or not any(kind in page.media_type for kind in _DECODED):
        return ""
    header = http_content_type_encoding(page.content_type or None)
    inside = html_body_declared_encoding(page.body[:_HEAD])
    used = surveyed.encoding
    if used == (inside or "utf-8"):
        return ""
    said = [f"the header says {header}"] if header else []
    said.append(f"the markup says {inside}" if inside else "the markup says none")
    return f"{', '.join(said)}; it is {used}: pass from_encoding={used!r} to BeautifulSoup."
