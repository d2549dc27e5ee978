"""The one product unlike the others: values that a program fitted to the first pages does not expect.

Each kind is something that real shops do, and each has a right value, so that a repair can be judged.
"""

from __future__ import annotations

from datetime import date
from typing import Literal

import msgspec

from scrapewright.practice.products import Product

DefectField = Literal["price", "rating", "stock", "added", "title"]

KINDS: dict[DefectField, tuple[str, ...]] = {
    "price": ("thousands", "range", "euro", "words"),
    "rating": ("zero", "unrated"),
    "stock": ("thousands", "words"),
    "added": ("iso", "numeric"),
    "title": ("unlinked",),
}
"""The kinds of each field; the first is the one taken where none is named."""


class Defect(msgspec.Struct, frozen=True):
    """One product of `page` (1-based) whose `field` is unlike the others'.

    price: thousands "£1,249.00"; range "from £12.50 each (was £15.00)", worth 12.50; euro "1.250,00 €"; words "Price on
    request", worth nothing. rating: zero (a class that no other product has, worth 0); unrated (no class, worth
    nothing). stock: thousands "In stock (1,200 available)"; words "Last one in stock", worth 1. added: iso
    "2025-03-12"; numeric "12.03.2025". title: unlinked (a heading without a link, so without an address).
    """

    field: DefectField = "price"
    page: int = 3
    kind: str = ""

    def __post_init__(self) -> None:
        if self.kind and self.kind not in KINDS[self.field]:
            raise ValueError(f"a defect of {self.field} is one of {', '.join(KINDS[self.field])}, not {self.kind!r}")

    @property
    def chosen(self) -> str:
        return self.kind or KINDS[self.field][0]


def apply_defect(product: Product, defect: Defect) -> Product:
    """The product with the defect; its values are what a right program finds."""
    change: dict[str, object]
    match (defect.field, defect.chosen):
        case ("price", "thousands"):
            change = {"price": 1249.0, "price_text": "£1,249.00"}
        case ("price", "range"):
            change = {"price": 12.5, "price_text": "from £12.50 each (was £15.00)"}
        case ("price", "euro"):
            change = {"price": 1250.0, "price_text": "1.250,00 €"}
        case ("price", _):
            change = {"price": None, "price_text": "Price on request"}
        case ("rating", "zero"):
            change = {"rating": 0, "rating_class": "Zero"}
        case ("rating", _):
            change = {"rating": None, "rating_class": ""}
        case ("stock", "thousands"):
            change = {"stock": 1200, "stock_text": "In stock (1,200 available)"}
        case ("stock", _):
            change = {"stock": 1, "stock_text": "Last one in stock"}
        case ("added", "iso"):
            change = {"added": date(2025, 3, 12), "added_text": "2025-03-12"}
        case ("added", _):
            change = {"added": date(2025, 3, 12), "added_text": "12.03.2025"}
        case _:
            change = {"linked": False}
    return msgspec.structs.replace(product, **change)
