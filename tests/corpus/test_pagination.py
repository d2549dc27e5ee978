"""Next-page detection on pages whose links were marked by hand, where that collection lies beside the checkout."""

from __future__ import annotations

import json
import os
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest

from scrapewright.survey.decode import parse
from scrapewright.survey.paging import detect
from scrapewright.web.page import Page

CORPUS = Path(os.environ.get("SCRAPEWRIGHT_CORPUS", Path(__file__).resolve().parents[3] / "shared" / "corpus"))
LABELS = CORPUS / "pagination" / "pagination.json"
FLOOR = 0.95

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(not LABELS.is_file(), reason=f"no labelled pages at {LABELS.parent}"),
]


def _key(url: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    parts = urlsplit(url)
    return unquote(parts.path).rstrip("/"), tuple(sorted(parse_qsl(parts.query, keep_blank_values=True)))


def test_next_links_are_found_as_people_marked_them() -> None:
    """A link to older posts counts where the labels have it as "previous": which way is on differs between labellers,
    and a scraper of a blog's first page goes on to the older posts."""
    right, strict, pages = 0, 0, json.loads(LABELS.read_text(encoding="utf-8"))["pages"]
    for entry in pages:
        body = (LABELS.parent / entry["file"]).read_bytes()
        headers = {"content-type": f"text/html; charset={entry['encoding']}"}
        step = detect(parse(Page(entry["url"], entry["url"], 200, headers, body)))
        marked = {_key(url) for url in entry["next"]}
        hit = _key(step.url) in marked if step.how != "none" else not marked
        older = step.how != "none" and _key(step.url) in {_key(url) for url in entry["prev"]}
        strict += hit
        right += hit or older
    print(f"next page: {strict}/{len(pages)} as marked, {right}/{len(pages)} with older posts taken as next")
    assert right / len(pages) >= FLOOR
