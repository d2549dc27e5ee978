"""Content encodings undone as the bytes come in, in pieces of bounded size."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

ACCEPT_ENCODING = "gzip, deflate"
"""What decoder() can undo; the only encodings ever asked for."""

PIECE = 64 << 10
MAX_MEMBERS = 10_000
"""gzip members in one body. Each costs more than its bytes; blocked gzip has one for every 64 KB."""


class BadEncoding(ValueError):
    """The body is not in the encoding that its headers name."""


class Inflater:
    """gzip (of several members too) or deflate (with or without zlib's wrapper). Cut short, it gives what there is."""

    def __init__(self, encoding: str) -> None:
        self._gzip = encoding in ("gzip", "x-gzip")
        self._zlib = self._new()
        self._untried = not self._gzip
        self._begun = b""
        self._members = 1
        self._done = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The decoded bytes in pieces of at most PIECE. Nothing is decoded ahead: who has had enough stops asking.

        Raises BadEncoding. Bytes may decode to nothing for ever (empty blocks): the caller counts what it feeds, too.
        """
        if self._untried:
            self._begun += data
        while not self._done:
            try:
                piece = self._zlib.decompress(data, PIECE)
            except zlib.error as error:
                if not self._untried:
                    raise BadEncoding(str(error)) from error
                # "deflate" means zlib's wrapper (RFC 9110), but a good many servers send the bare stream
                self._zlib, self._untried = zlib.decompressobj(-zlib.MAX_WBITS), False
                data, self._begun = self._begun, b""
                continue
            if piece:
                self._untried, self._begun = False, b""
                yield piece
            if self._zlib.eof:
                data = self._zlib.unused_data
                if not self._gzip or not data.startswith(b"\x1f"):
                    self._done = bool(data) or not self._gzip  # what follows the last member is padding
                    return
                self._members += 1
                if self._members > MAX_MEMBERS:
                    raise BadEncoding(f"more than {MAX_MEMBERS} gzip members")
                self._zlib = self._new()
            else:
                data = self._zlib.unconsumed_tail
                if not data and len(piece) < PIECE:
                    if len(self._begun) > PIECE:
                        self._untried, self._begun = False, b""  # in zlib's wrapper for so long that it is no accident
                    return

    def _new(self) -> zlib._Decompress:
        return zlib.decompressobj(zlib.MAX_WBITS | 16 if self._gzip else zlib.MAX_WBITS)


class Identity:
    """No encoding."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        if data:
            yield data


def decoder(encoding: str) -> Inflater | Identity | None:
    """A decoder for a Content-Encoding, None for an unknown one, whose body is passed on unchanged."""
    text = encoding.strip().lower()
    if text in ("", "identity"):
        return Identity()
    if text in ("gzip", "x-gzip", "deflate"):
        return Inflater(text)
    return None
