"""What values of a kind look like, whatever the place is called: addresses of mail, telephone numbers, streets."""

from __future__ import annotations

import re

from scrapewright.programmers.rules.view import View
from scrapewright.query.lexicon import concepts, tokens
from scrapewright.query.reading import Field

_MAIL = re.compile(r"(?:mailto:)?[\w.+-]+(?:@|\s?\[at\]\s?)[\w-]+(?:\.[\w-]+)+")
_BARE_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"\+?\(?\d[\d\s()/.–-]{5,22}\d(?:\s?(?:x|ext\.?)\s?\d+)?")
_FUEL = re.compile(
    r"(?i)(?:petrol|gasoline|unleaded|benzina?|gasolina|essence|bensin|бензин|diesel|gazole|gasóleo|nafta|olej napędowy"
    r"|дизель|electric|elektro|électrique|eléctrico|elettrica|электро"
    r"|hybride?|híbrido|ibrida|гибрид|(?:plug-in )?hybrid|lpg|cng|autogas|erdgas|gpl)(?:\W.{0,20})?"
)
_NUMERALS = re.compile(r"[\d\s.,]+")


def look(field: Field, view: View) -> float:
    """How much the values speak for a text field, or against it; 0.0 for fields whose values have no look."""
    if field.type != "text":
        return 0.0
    wants = frozenset().union(*(concepts(word) for word in tokens(field.name)))
    if "email" in wants:
        return 1.6 * view.share(_BARE_MAIL.fullmatch) + 0.6 * view.share(_MAIL.fullmatch) - 0.8 * view.share(_no_mail)
    if "phone" in wants:
        return 1.0 * view.share(_PHONE.fullmatch) - 1.2 * view.share(_too_short)
    if "fuel" in wants:
        return 1.6 * view.share(_FUEL.fullmatch)
    if "address" in wants:
        return -1.5 * view.share(_NUMERALS.fullmatch)
    return 0.0


def _no_mail(text: str) -> bool:
    return _MAIL.search(text) is None


def _too_short(text: str) -> bool:
    return sum(char.isdigit() for char in text) < 5
