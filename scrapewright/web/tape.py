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
import itertools
import os
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

import msgspec

from scrapewright.errors import Unavailable
from scrapewright.web.disk import BytesStore, NotBytes

MAX_BODY = 16 << 20
PIECE = 64 << 10
LASTING = frozenset({404, 410})


class TapeError(Unavailable, OSError):
    """The tape can't be read or written; the message says why."""


class Exchange(msgspec.Struct, frozen=True, omit_defaults=True):
    """One request and its answer, as written. `key` and `place` are digests (of the whole request; of method and URL).

    `url` and `headers` are redacted. `body` is the sha256 of the decoded body, empty for none. `vary` are the request
    headers that the answer said it depends on. `handed` are visitor numbers (see Redactor.cookie_digest).
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
    def fragment(self) -> str:
        """What its page is named by behind its URL: nothing for a GET, else the method and what was sent."""
        return "" if self.method == "GET" else f"#{self.method}:{self.place[:12]}"

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
    """Whether an answer is its URL's whole page: not one about a part of it, nor "not modified"."""
    return lasting(status) and status not in (206, 304)


def place_digest(method: str, url: str, body: str = "", identity: str = "") -> str:
    """Names a request without the client's cookies and credentials. `url` is the veiled one, `body` and `identity` (of
    who asks, where the gateway sends anything) are digests."""
    text = "\0".join([method, url, body, *([identity] if identity else [])])
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:40]


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
        self._rows = _open(directory)
        try:
            self.salt = _salt(self._rows)
            found = list(_read(self._rows, session))
        except BaseException:
            self._rows.close()
            raise
        self._lock = threading.Lock()  # of the index: held for moments only, for the event loop takes it too
        self._writing = threading.Lock()
        self._number = 0
        self._by_key: dict[str, list[Exchange]] = {}
        self._by_place: dict[str, Exchange] = {}
        self._passing: dict[str, Exchange] = {}
        self._all: list[Exchange] = []
        for exchange in found:
            self._index(exchange)
        self._number = len(self._all)

    def close(self) -> None:
        self._rows.close()

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
                with self._rows.transaction():
                    if digest:
                        if body is not None and self._get("b/" + digest) is None:
                            self._rows.set("b/" + digest, body)
                        if body is None and "b/" + digest not in self._rows:
                            raise OSError("the body is not on the tape any more")
                        self._hold_body(digest)
                    number = self._number
                    while not self._rows.add(_row(self.session, number), row):
                        number += 1  # another process holds this number: nothing of its is overwritten
                    pointer = msgspec.msgpack.encode(_Pointer(self.session, number))
                    if exchange.lasting:
                        self._rows.set("p/" + exchange.key, pointer)
                    if whole(exchange.status):
                        self._rows.set("q/" + exchange.place, pointer)
                self._number = number + 1  # only now: a number without a row would end the tape there
        except (OSError, NotBytes) as error:
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
            try:
                pointer = _pointer(self._rows, name)
                row = self._rows.get(_row(pointer.session, pointer.number)) if pointer is not None else None
                if row is not None:
                    return msgspec.msgpack.decode(row, type=Exchange)
            except (OSError, NotBytes, msgspec.MsgspecError):
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
            found = self._rows.open("b/" + exchange.body)
        except (OSError, NotBytes):
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
            return self._rows.get(name)
        except (OSError, NotBytes):
            return None

    def _hold_body(self, digest: str) -> None:
        holders = _holders(self._rows, digest)
        if self.session not in holders:
            self._rows.set("r/" + digest, msgspec.msgpack.encode([*holders, self.session]))

    def _index(self, exchange: Exchange) -> None:
        self._all.append(exchange)
        if exchange.lasting:
            self._by_key.setdefault(exchange.key, []).append(exchange)
        if whole(exchange.status):
            self._by_place[exchange.place] = exchange
        elif not exchange.lasting:
            self._passing[exchange.place] = exchange


def remove(directory: Path, session: str) -> int:
    """Removes a session's exchanges, and the bodies that no other session holds. Returns how many there were.

    What can't be read is removed too. Raises TapeError.
    """
    with _open(directory) as rows:
        try:
            count = next(number for number in itertools.count() if _row(session, number) not in rows)
            for number in reversed(range(count)):  # a removal that is cut off can be taken up again
                with rows.transaction():
                    _let_go(rows, session, _row(session, number))
                    rows.delete(_row(session, number))
        except OSError as error:
            raise TapeError(f"session {session} can't be removed from the tape: {error}") from error
    return count


def _let_go(rows: BytesStore, session: str, name: str) -> None:
    """Removes the body of an exchange unless another exchange has it."""
    try:
        exchange = msgspec.msgpack.decode(rows.get(name) or b"", type=Exchange)
    except (msgspec.MsgspecError, NotBytes):
        return
    for place in ("p/" + exchange.key, "q/" + exchange.place):
        if (pointer := _pointer(rows, place)) is not None and pointer.session == session:
            rows.delete(place)
    if not exchange.body:
        return
    holders = [holder for holder in _holders(rows, exchange.body) if holder != session]
    if holders:
        rows.set("r/" + exchange.body, msgspec.msgpack.encode(holders))
    else:
        rows.delete("r/" + exchange.body)
        rows.delete("b/" + exchange.body)


def _open(directory: Path) -> BytesStore:
    """The store's tape. Sessions are removed from it by name. Raises TapeError.

    It is not flushed: after a power cut a page that is missing is fetched again, and one that is damaged does not match
    its digest.
    """
    try:
        return BytesStore(directory, flush=False)
    except OSError as error:
        raise TapeError(f"the tape can't be opened: {error}") from error


def _read(rows: BytesStore, session: str) -> Iterator[Exchange]:
    """A session's exchanges, oldest first. Raises TapeError."""
    for number in itertools.count():
        try:
            row = rows.get(_row(session, number))
            if row is None:
                return
            exchange = msgspec.msgpack.decode(row, type=Exchange)
        except (msgspec.MsgspecError, NotBytes, OSError) as error:
            raise TapeError(f"exchange {number} of session {session} can't be read: {error}") from error
        yield exchange


def _pointer(rows: BytesStore, name: str) -> _Pointer | None:
    """Where the newest answer is; None where there is none, or none that makes sense."""
    try:
        row = rows.get(name)
        return None if row is None else msgspec.msgpack.decode(row, type=_Pointer)
    except (msgspec.MsgspecError, NotBytes):
        return None


def _holders(rows: BytesStore, digest: str) -> list[str]:
    """The sessions that hold a body; nobody where the row makes no sense, and the body is then taped again."""
    try:
        row = rows.get("r/" + digest)
        return msgspec.msgpack.decode(row, type=list[str]) if row else []
    except (msgspec.MsgspecError, NotBytes):
        return []


def _salt(rows: BytesStore) -> bytes:
    """The same for every process. Raises TapeError."""
    try:
        rows.add("salt", os.urandom(32))
        salt = rows.get("salt")
    except (OSError, NotBytes) as error:
        raise TapeError(f"the tape's salt can't be read: {error}") from error
    assert salt is not None
    return salt


def _row(session: str, number: int) -> str:
    return f"t/{session}/{number:08d}"
