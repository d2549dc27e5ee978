"""What an address says about pages: its number, the parameter that counts, and how two addresses differ."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from scrapewright.survey.dom import word_set

_PARAMS = word_set(
    "page p pg paged pagenum pageno page_no pagenumber pn seite pagina pag str strona sida side sayfa "
    "page_id pageindex start offset from skip first begin startrow currentpage curpage cpage pagen_1 s"
)
_OFFSETS = word_set("start offset from skip first begin startrow")
_PATH = re.compile(
    r"(?:^|/)(?:page|p|seite|pagina|page-|p-|strona|sida|str|paged|index)[/=_-]?(\d{1,5})(?:/|\.\w+|$)", re.I
)
_TAIL = re.compile(r"[/_-](\d{1,4})(?:/|\.(?:html?|php|aspx?))?$")


def is_page_param(name: str) -> bool:
    """Whether a query parameter's name is one that pages are counted by."""
    name = name.lower().rpartition(":")[2]
    return name in _PARAMS or name.startswith("page") or name.endswith(("page", "pageno"))


def is_offset_param(name: str) -> bool:
    """Whether it counts records, not pages."""
    return name.lower() in _OFFSETS


class Counted(NamedTuple):
    """The number by which an address tells its page."""

    param: str
    """The query parameter that holds it; empty where the path does."""
    number: int
    offset: bool
    """It counts records, not pages."""


def page_number(url: str, base: str) -> Counted | None:
    """What an address counts its page by; a number at the end of its path counts only where `base` is built alike."""
    parts = urlsplit(url)
    for key, value in parse_qsl(parts.query):
        name = key.lower().rpartition(":")[2]
        if value.isdecimal() and len(value) <= 6 and is_page_param(name):
            if name in ("p", "s") and len(value) > 4:  # a post's number
                continue
            return Counted(key, int(value), is_offset_param(name))
    match = _PATH.search(unquote(parts.path)) or (
        _TAIL.search(parts.path) if _stem(parts.path) == _stem(urlsplit(base).path) else None
    )
    return Counted("", int(match[1]), False) if match else None


def _stem(path: str) -> str:
    return re.sub(r"[/_-]?\d{1,4}(?=/|\.\w+$|$)", "", path).rstrip("/").removesuffix(".html")


def param_of(here: str, there: str) -> tuple[str, int, int]:
    """(parameter, start, step) where the next address differs from this one by a counted query parameter."""
    one, two = dict(parse_qsl(urlsplit(here).query)), dict(parse_qsl(urlsplit(there).query))
    changed = [key for key in two if one.get(key) != two[key]]
    counted = [key for key in changed if two[key].isdecimal() and (not one.get(key) or one[key].isdecimal())]
    if len(counted) != 1 or len(changed) > 1 + sum(1 for key in changed if key not in one):
        return "", 1, 1
    key = counted[0]
    target = int(two[key])
    if key in one:
        return key, int(one[key]), target - int(one[key]) or 1
    known = page_number(there, here)
    if known is not None and known.param == key and known.offset:
        return key, 0, target or 1
    return (key, target - 1, 1) if target in (1, 2) else (key, 0, target)


def normal(url: str) -> str:
    """An address without scheme, "www.", fragment and order of parameters: equal where the page is the same."""
    parts = urlsplit(url)
    query = "&".join(sorted(f"{key}={value}" for key, value in parse_qsl(parts.query)))
    return f"{parts.netloc.lower().removeprefix('www.')}{unquote(parts.path).rstrip('/')}?{query}"


def same_site(one: str, other: str) -> bool:
    """Whether one host is the other, or lies under it."""
    a, b = urlsplit(one).netloc.lower().removeprefix("www."), urlsplit(other).netloc.lower().removeprefix("www.")
    return a == b or a.endswith("." + b) or b.endswith("." + a)
