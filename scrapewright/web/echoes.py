"""Secrets that a site repeats in its answers: replaced by tokens on the way in, and put back on the way to the site."""

from __future__ import annotations

import hashlib
import re
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from functools import lru_cache
from html.entities import html5

LEAST = 8
"""Characters. Shorter values are words and numbers that pages have anyway."""
_TOKEN = re.compile(r"veiled-[0-9a-f]{24}")
_RUN = re.compile(r"[A-Za-z0-9]+")
_ZEROS = 3
"""Leading zeros that a numeric entity may have."""
_COST = {"n": 2**12, "r": 8, "p": 1}


def slow_digest(text: str, salt: bytes) -> str:
    """A salted digest that takes some milliseconds: a password can't be found from it by trying many out."""
    return hashlib.scrypt(text.encode("utf-8", "surrogateescape"), salt=salt, **_COST).hex()[:32]


class Echoes:
    """Replaces some values by tokens, and tokens by the values. A value has the same token in every process."""

    def __init__(self, values: Iterable[str], salt: bytes) -> None:
        self._salt = salt
        self._values = {value for value in values if len(value) >= LEAST}
        self._tokens: dict[str, str] = {}
        spelt = {value: _spelling(value) for value in sorted(self._values, key=len, reverse=True)}
        self._patterns = {value: pattern for value, (pattern, _) in spelt.items()}
        self._runs = {value: max(_RUN.findall(value), key=len, default="").encode() for value in spelt}
        self._longest = max((length for _, length in spelt.values()), default=0)

    def __bool__(self) -> bool:
        return bool(self._values)

    def hide(self, data: bytes) -> bytes:
        """The data with tokens for values, as they are and as HTML, URLs and JSON spell them."""
        there = self._there(data)
        if not there:
            return data
        return self._pattern(there).sub(lambda match: self._token(there[(match.lastindex or 1) - 1]).encode(), data)

    def hide_text(self, text: str) -> str:
        """The same for a header's value, whose characters are bytes."""
        return self.hide(text.encode("latin-1")).decode("latin-1")

    def restore(self, text: str, spell: Callable[[str], str]) -> str:
        """The text with values for tokens, spelt as they have to be there; other tokens stay."""
        if not _TOKEN.search(text):
            return text
        values = {self._token(value): spell(value) for value in self._values}
        return _TOKEN.sub(lambda match: values.get(match[0], match[0]), text)

    async def hidden(self, chunks: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
        """A body with tokens for values. Its end is held back till more comes: a value may lie across two pieces."""
        held = b""
        async with aclosing(chunks):
            async for chunk in chunks:
                held += chunk
                cut = self._safe_cut(held)
                if cut:
                    yield self.hide(held[:cut])
                    held = held[cut:]
        if held:
            yield self.hide(held)

    def _safe_cut(self, data: bytes) -> int:
        """Up to where the data can be passed on: no value lies across it, or can turn out to with what comes."""
        cut = max(0, len(data) - self._longest + 1)
        if there := self._there(data):
            for match in self._pattern(there).finditer(data):
                if match.start() < cut < match.end():
                    return match.start()
        return cut

    def _there(self, data: bytes) -> list[str]:
        """The values that can be there at all, which are few: a pattern of all would be slow on a large body."""
        return [value for value, run in self._runs.items() if run in data]

    def _pattern(self, values: list[str]) -> re.Pattern[bytes]:
        """A group for each of the values."""
        return re.compile(b"|".join(b"(%b)" % self._patterns[value] for value in values))

    def _token(self, value: str) -> str:
        if value not in self._tokens:
            self._tokens[value] = f"veiled-{slow_digest(value, self._salt)[:24]}"
        return self._tokens[value]


def _spelling(value: str) -> tuple[bytes, int]:
    """A pattern of every spelling of the value, and the length of the longest.

    A backslash is either doubled all through or never: with the choice at each one, a run of them would take for ever.
    """
    ways = [[_spellings(char, escaped) for char in value] for escaped in ((True, False) if "\\" in value else (True,))]
    pattern = b"|".join(b"".join(b"(?:%b)" % b"|".join(forms) for forms in way) for way in ways)
    return pattern, max(sum(max(forms.values()) for forms in way) for way in ways)


@lru_cache(1024)
def _spellings(char: str, escaped: bool) -> dict[bytes, int]:
    """Patterns of what may be written for a character, longer ones before those that they begin with, and how long each
    can be. No encoder in use touches ASCII letters and digits. `escaped`: as in a string of JSON or JavaScript.
    """
    if _RUN.fullmatch(char):
        return {char.encode(): 1}
    code, utf8 = ord(char), char.encode("utf-8", "surrogateescape")
    raw = [utf8, bytes([code])] if 0x80 <= code <= 0xFF else [utf8]
    forms: dict[bytes, int] = {}
    for data in raw:
        forms[b"(?i:%b)" % b"".join(b"%%%02x" % byte for byte in data)] = 3 * len(data)
    for name in (name for name, text in html5.items() if text == char and name.endswith(";")):
        forms[b"&" + name.encode()] = 1 + len(name)
    forms[b"&#0{0,%d}%d;" % (_ZEROS, code)] = len(f"&#{code};") + _ZEROS
    forms[b"(?i:&#x0{0,%d}%x;)" % (_ZEROS, code)] = len(f"&#x{code:x};") + _ZEROS
    if escaped:
        units = char.encode("utf-16-be", "surrogatepass").hex()
        words = [units[at : at + 4].encode() for at in range(0, len(units), 4)]
        forms[b"".join(rb"\\u(?i:%b)" % word for word in words)] = 6 * len(words)
        if code <= 0xFF:
            forms[rb"\\x(?i:%02x)" % code] = 4
        if char == "\t":
            forms[rb"\\t"] = 2
        forms[rb"\\" + re.escape(utf8)] = 1 + len(utf8)
    if char == " ":
        forms[rb"\+"] = 1
    if not (escaped and char == "\\"):
        forms |= {re.escape(data): len(data) for data in raw}
    return forms
