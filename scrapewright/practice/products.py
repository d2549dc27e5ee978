"""The practice shop's products. Everything is computed from the lists below, so it is the same on every machine."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

RATINGS = ("One", "Two", "Three", "Four", "Five")
SHELVES = ("Lamps", "Textiles", "Kitchen", "Paper")

_TITLES = """Harbour Lamp|Wool Throw, Undyed|Café Ladle|The Long Winter Notebook with Dotted Pages
Reading Lamp No. 4|Linen Curtain “Mist”|Stoneware Teapot for Two or Three Friends|Desk Calendar
Paper Lantern|Woven Table Runner|Olive Wood Spoon|Pocket Sketchbook
Copper Wall Light with an Adjustable Arm|Felt Slippers|Salt Cellar|Letter Set – Twelve Sheets
Storm Lantern|Patchwork Quilt in Blue and Ochre|Enamel Milk Pan|Marbled Journal|Clamp Lamp
Tea Towel, Pair|Oak Chopping Board with a Juice Groove|Wrapping Paper, Fern|Candle Snuffer
Cotton Rug|Jam Funnel|Recipe Cards & Tin|Glass Oil Lamp|Flannel Sheet Set|Pepper Mill “Señor”
Ledger, Red Spine|Night Light Moth|Door Curtain with Brass Rings, Extra Long|Bread Crock
Ink, Walnut Brown|Bicycle Lamp|Hammock|Kettle, Two Litres|Bookplates, Set of Fifty"""

PER_PAGE = 8
"""Products on a listing page."""


class Product(msgspec.Struct, frozen=True):
    """One product: what it is, and the texts that its page shows for it.

    `price`, `rating`, `stock` and `added` are the values that a right row holds (None: the shop gives none);
    the texts beside them are what is on the page.
    """

    number: int
    title: str
    slug: str
    shelf: str
    price: float | None
    price_text: str
    rating: int | None
    rating_class: str
    stock: int | None
    stock_text: str
    added: date | None
    added_text: str
    code: str
    linked: bool = True


def products() -> list[Product]:
    """All products in the order of the shop. Every rating is on the first page."""
    titles = [t.strip() for t in _TITLES.replace("\n", "|").split("|")]
    made: list[Product] = []
    for number, title in enumerate(titles):
        pence = 450 + (number * 2_777 + 311) % 9_400
        stars = (number * 3 + 2) % 5
        stock = 2 + (number * 7) % 23
        added = date(2024, 1, 9) + timedelta(days=11 * number)
        made.append(
            Product(
                number=number,
                title=title,
                slug=_slug(title),
                shelf=SHELVES[number % len(SHELVES)],
                price=pence / 100,
                price_text=f"£{pence / 100:.2f}",
                rating=stars + 1,
                rating_class=RATINGS[stars],
                stock=stock,
                stock_text=f"In stock ({stock} available)",
                added=added,
                added_text=f"{added.day} {_MONTHS[added.month - 1]} {added.year}",
                code=f"LL-{1000 + number * 37}",
            )
        )
    return made


_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def _slug(title: str) -> str:
    folded = title.lower().replace("é", "e").replace("ñ", "n")
    return "-".join("".join(c if c.isascii() and c.isalnum() else " " for c in folded).split())
