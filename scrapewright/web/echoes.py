"""Secrets that a site repeats in its answers: replaced by tokens on the way in, and put back on the way to the site."""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from urllib.parse import quote, quote_plus

LEAST = 8
"""Characters. Shorter values are words and numbers that pages have anyway."""
_TOKEN = re.compile(r"veiled-[0-9a-f]{24}")
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
        spelt = {form.encode(): value for value in self._values for form in _spellings(value)}
        self._spelt = dict(sorted(spelt.items(), key=lambda pair: len(pair[0]), reverse=True))
        self._longest = max(map(len, self._spelt), default=0)

    def __bool__(self) -> bool:
        return bool(self._spelt)

    def hide(self, data: bytes) -> bytes:
        """The data with tokens for values, as they are and as HTML, URLs and JSON spell them."""
        pattern = self._pattern(data)
        return pattern.sub(lambda match: self._token(self._spelt[match[0]]).encode(), data) if pattern else data

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
        if pattern := self._pattern(data):
            for match in pattern.finditer(data):
                if match.start() < cut < match.end():
                    return match.start()
        return cut

    def _pattern(self, data: bytes) -> re.Pattern[bytes] | None:
        """Finds the values that are there at all, which are few: a pattern of all would be slow on a large body."""
        there = [form for form in self._spelt if form in data]
        return re.compile(b"|".join(map(re.escape, there))) if there else None

    def _token(self, value: str) -> str:
        if value not in self._tokens:
            self._tokens[value] = f"veiled-{slow_digest(value, self._salt)[:24]}"
        return self._tokens[value]


def _spellings(value: str) -> set[str]:
    escaped = html.escape(value)
    return {
        value, escaped, escaped.replace("&#x27;", "&#39;"), html.escape(value, quote=False), quote(value),
        quote(value, safe=""), quote_plus(value), value.replace("\\", "\\\\").replace('"', '\\"'),
        value.replace("/", "\\/"),
    }  # fmt: skip
