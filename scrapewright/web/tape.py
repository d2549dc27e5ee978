"""Every exchange with the web, kept: so that a retry fetches nothing twice and a replay needs no network.

One diskcache for all sessions. Keys are str, values are bytes (msgpack):

    t/SESSION/NNNNNNNN   an Exchange, in the order they came; only ever added
    b/SHA256             a body, decoded, once however many sessions hold it
    r/SHA256             the sessions that hold that body
    p/KEY, q/PLACE       where the newest lasting answer to a request is, whichever session taped it
    salt                 the salt of the digests

Nothing secret is written (see redact.py).
"""

from __future__ import annotations

import hashlib
import io
import os
import sqlite3
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

import diskcache
import msgspec

from scrapewright.web.disk import BytesDisk, NotBytes

MAX_BODY = 16 << 20
PIECE = 64 << 10
LASTING = frozenset({404, 410})


class TapeError(Exception):
    """The tape can't be read or written; the message says why."""


class Exchange(msgspec.Struct, frozen=True, omit_defaults=True):
    """One request and its answer, as written. `key` and `place` are digests (of the whole request; of method and URL).

    `url` and `headers` are redacted. `body` is the sha256 of the decoded body, empty for none. `vary` are the request
    headers that the answer said it depends on. `handed` are visitor numbers (see Veil.cookie_digest).
    """

    method: str
    url: str
    key: str
    place: str
    at: float
    status: int
    reason: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: str = ""
    size: int = 0
    ms: float = 0.0
    attempt: int = 0
    vary: dict[str, str] = {}
    handed: tuple[str, ...] = ()

    @property
    def lasting(self) -> bool:
        """Whether the answer would be the same a moment later: a 503 is a mood, not an answer."""
        return lasting(self.status)


class _Pointer(msgspec.Struct, frozen=True):
    session: str
    number: int


def lasting(status: int) -> bool:
    return 200 <= status < 400 or status in LASTING


def whole(status: int) -> bool:
    """Whether an answer stands for its URL: not one about a part of it, nor "not modified"."""
    return lasting(status) and status not in (206, 304)


def place_digest(method: str, url: str, body: str = "") -> str:
    """Names a request without its cookies and credentials. `url` is the veiled one, `body` a digest."""
    return hashlib.sha256(f"{method}\0{url}\0{body}".encode("utf-8", "surrogateescape")).hexdigest()[:40]


class Recorded:
    """A body on the tape, read in pieces: whoever has it holds a file, not the bytes. Close it. Not thread-safe."""

    def __init__(self, size: int, source: BinaryIO) -> None:
        self.size = size
        self._source = source

    def read(self, size: int) -> bytes:
        """The next bytes, b"" at the end. Raises TapeError."""
        try:
            return self._source.read(size)
        except OSError as error:
            raise TapeError(f"the tape can't be read: {error}") from error

    def close(self) -> None:
        self._source.close()


class Tape:
    """The exchanges of one session on the store's tape. Thread-safe; every method may touch the disk.

    `add` writes, `find` is for this session alone, `find_shared` for whatever session taped it.
    """

    def __init__(self, directory: Path, session: str) -> None:
        if not session or "/" in session:
            raise ValueError(f"{session!r} is not a session's id")
        self.session = session
        self._cache = open_cache(directory)
        self.salt = _salt(self._cache)
        self._lock = threading.Lock()  # of the index: held for moments only, for the event loop takes it too
        self._writing = threading.Lock()
        self._number = 0
        self._by_key: dict[str, list[Exchange]] = {}
        self._by_place: dict[str, Exchange] = {}
        self._passing: dict[str, Exchange] = {}
        self._all: list[Exchange] = []
        for exchange in _read(self._cache, session):
            self._index(exchange)
        self._number = len(self._all)

    def close(self) -> None:
        self._cache.close()

    def exchanges(self) -> tuple[Exchange, ...]:
        """This session's, oldest first."""
        with self._lock:
            return tuple(self._all)

    def add(self, exchange: Exchange, body: bytes) -> Exchange:
        """Writes an exchange with its body, the body first. Returns it with the body's digest. Raises TapeError."""
        digest = hashlib.sha256(body).hexdigest() if body else ""
        return self._add(msgspec.structs.replace(exchange, body=digest, size=len(body)), body)

    def adopt(self, exchange: Exchange) -> Exchange:
        """Writes an exchange of another session as one of this, which then holds its body too. Raises TapeError."""
        return self._add(exchange, None)

    def _add(self, exchange: Exchange, body: bytes | None) -> Exchange:
        digest = exchange.body
        row = msgspec.msgpack.encode(exchange)
        try:
            with self._writing:
                with self._cache.transact(retry=True):
                    if digest:
                        if body is not None and self._get("b/" + digest) is None:
                            self._cache.set("b/" + digest, body)
                        if body is None and "b/" + digest not in self._cache:
                            raise TapeError("the body is not on the tape any more")
                        self._hold_body(digest)
                    number = self._number
                    while not self._cache.add(_row(self.session, number), row):
                        number += 1  # another process holds this number: nothing of its is overwritten
                    pointer = msgspec.msgpack.encode(_Pointer(self.session, number))
                    if exchange.lasting:
                        self._cache.set("p/" + exchange.key, pointer)
                    if whole(exchange.status):
                        self._cache.set("q/" + exchange.place, pointer)
                self._number = number + 1  # only now: a number without a row would end the tape there
        except (OSError, NotBytes, diskcache.Timeout, sqlite3.Error) as error:
            raise TapeError(f"the tape can't be written: {error}") from error
        with self._lock:
            self._index(exchange)
        return exchange

    def find(self, key: str, wanted: Mapping[str, str]) -> Exchange | None:
        """The newest lasting answer to exactly this request in this session.

        `wanted`: the request's headers that an answer may vary on, by lower-case name (RFC 9111, section 4.1).
        """
        with self._lock:
            for exchange in reversed(self._by_key.get(key, ())):
                if all(wanted.get(name, "") == value for name, value in exchange.vary.items()):
                    return exchange
        return None

    def find_place(self, place: str) -> Exchange | None:
        """The newest lasting answer in this session to this method and URL, whatever cookies it was asked with."""
        with self._lock:
            return self._by_place.get(place)

    def find_passing(self, place: str) -> Exchange | None:
        """The newest answer that does not last (a 503), to say what there is."""
        with self._lock:
            return self._passing.get(place)

    def find_shared(self, key: str, place: str) -> Exchange | None:
        """The newest lasting answer that any session has taped: to the same request, else to its method and URL."""
        for name in ("p/" + key, "q/" + place):
            raw = self._get(name)
            if raw is None:
                continue
            try:
                pointer = msgspec.msgpack.decode(raw, type=_Pointer)
                row = self._get(_row(pointer.session, pointer.number))
                if row is not None:
                    return msgspec.msgpack.decode(row, type=Exchange)
            except msgspec.MsgspecError:
                continue
        return None

    def body(self, exchange: Exchange) -> bytes | None:
        """The body, None where it is lost. What does not match its digest counts as lost."""
        if not exchange.body:
            return b""
        data = self._get("b/" + exchange.body)
        if data is None or hashlib.sha256(data).hexdigest() != exchange.body:
            return None
        return data

    def open_body(self, exchange: Exchange) -> bytes | Recorded | None:
        """The body; one larger than PIECE is to be read in pieces. None where it is lost, as in `body`. Its digest is
        checked here.
        """
        if exchange.size <= PIECE:
            return self.body(exchange)
        try:
            found: bytes | BinaryIO | None = self._cache.get("b/" + exchange.body, read=True, retry=True)
        except (OSError, NotBytes, diskcache.Timeout, sqlite3.Error):
            return None
        if found is None:
            return None
        source = io.BytesIO(found) if isinstance(found, bytes) else found
        try:
            digest, size = hashlib.sha256(), 0
            while piece := source.read(PIECE):
                digest.update(piece)
                size += len(piece)
            source.seek(0)
        except OSError:
            source.close()
            return None
        if digest.hexdigest() != exchange.body:
            source.close()
            return None
        return Recorded(size, source)

    def _get(self, name: str) -> bytes | None:
        try:
            found: bytes | None = self._cache.get(name, retry=True)
        except (OSError, NotBytes, diskcache.Timeout, sqlite3.Error):
            return None
        return found

    def _hold_body(self, digest: str) -> None:
        holders = _holders(self._cache, digest)
        if self.session not in holders:
            self._cache.set("r/" + digest, msgspec.msgpack.encode([*holders, self.session]))

    def _index(self, exchange: Exchange) -> None:
        self._all.append(exchange)
        if exchange.lasting:
            self._by_key.setdefault(exchange.key, []).append(exchange)
        if whole(exchange.status):
            self._by_place[exchange.place] = exchange
        elif not exchange.lasting:
            self._passing[exchange.place] = exchange


def open_cache(directory: Path) -> diskcache.Cache:
    """The store's tape. Nothing is ever evicted from it; sessions are removed by name. Raises TapeError.

    Commits are not flushed to the platter one by one: a killed process loses nothing, and after a power cut a page that
    is missing is fetched again, and one that is damaged does not match its digest.
    """
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        return diskcache.Cache(
            str(directory),
            disk=BytesDisk,
            eviction_policy="none",
            cull_limit=0,
            sqlite_synchronous=1,
            size_limit=1 << 40,
        )
    except (OSError, diskcache.Timeout, sqlite3.Error) as error:
        raise TapeError(f"the tape in {directory} can't be opened: {error}") from error


def remove(directory: Path, session: str) -> int:
    """Removes a session's exchanges, and the bodies that no other session holds. Returns how many there were."""
    with open_cache(directory) as cache:
        number = 0
        for number, exchange in enumerate(_read(cache, session), start=1):  # noqa: B007
            with cache.transact(retry=True):
                for name in ("p/" + exchange.key, "q/" + exchange.place):
                    raw = cache.get(name)
                    if raw and msgspec.msgpack.decode(raw, type=_Pointer).session == session:
                        cache.delete(name)
                if exchange.body:
                    holders = [holder for holder in _holders(cache, exchange.body) if holder != session]
                    if holders:
                        cache.set("r/" + exchange.body, msgspec.msgpack.encode(holders))
                    else:
                        cache.delete("r/" + exchange.body)
                        cache.delete("b/" + exchange.body)
        for index in range(number):
            cache.delete(_row(session, index), retry=True)
        return number


def _read(cache: diskcache.Cache, session: str) -> list[Exchange]:
    found: list[Exchange] = []
    while True:
        try:
            raw = cache.get(_row(session, len(found)), retry=True)
            if raw is None:
                return found
            found.append(msgspec.msgpack.decode(raw, type=Exchange))
        except (msgspec.MsgspecError, NotBytes) as error:
            raise TapeError(f"exchange {len(found)} of session {session} can't be read: {error}") from error


def _holders(cache: diskcache.Cache, digest: str) -> list[str]:
    raw = cache.get("r/" + digest)
    return msgspec.msgpack.decode(raw, type=list[str]) if raw else []


def _salt(cache: diskcache.Cache) -> bytes:
    cache.add("salt", os.urandom(32), retry=True)
    salt: bytes = cache["salt"]
    return salt


def _row(session: str, number: int) -> str:
    return f"t/{session}/{number:08d}"
