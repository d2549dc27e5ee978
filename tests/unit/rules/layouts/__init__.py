"""Pages in layouts that name nothing: what a person would type for each, and the rows that are right.

Each module holds the pages of a few layouts. All are made up.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Case(NamedTuple):
    """A page served at "/", the request ("{URL}" is its address), and the rows that are right."""

    name: str
    request: str
    page: str
    rows: list[dict[str, Any]]
    refused: bool = False
    """The rows of the first program are not right, and are not trusted where nobody answers its questions."""


def framed(inner: str, title: str = "The society") -> str:
    """The page with a menu above and an imprint below, as sites have them."""
    menu = "".join(f'<li><a href="/{word}">{word.title()}</a></li>' for word in ("home", "news", "about", "contact"))
    return (
        f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{title}</title></head><body>"
        f'<ul class="menu">{menu}</ul>{inner}<p class="foot">Imprint. <a href="/privacy">Privacy</a></p>'
        "</body></html>"
    )


def records(columns: str, *rows: tuple[Any, ...]) -> list[dict[str, Any]]:
    """Rows as dicts; `columns` are the names in one text."""
    return [dict(zip(columns.split(), row, strict=True)) for row in rows]
