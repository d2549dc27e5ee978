"""A session's replies of models as one file, to be played in place of the models."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

import msgspec

from scrapewright.session import events as ev
from scrapewright.session.journal import Blobs, get_text
from scrapewright.session.sanitize import to_json
from scrapewright.session.spending import Role

VERSION = 1
CASSETTE_AT_MOST = 64 << 20
"""Bytes of a file."""


class Recorded(msgspec.Struct, frozen=True):
    """A reply as it came."""

    role: Role
    model: str
    text: str


class Cassette(msgspec.Struct, frozen=True):
    """The replies of one session in their order; `urls` and `request` are those that they belong to."""

    cassette: int
    request: str
    urls: tuple[str, ...]
    replies: tuple[Recorded, ...]


def of_session(events: Iterable[ev.Durable], blobs: Blobs) -> Cassette:
    """What was recorded. Raises LookupError where no model replied, or a reply is not stored any more."""
    request: str = ""
    urls: tuple[str, ...] = ()
    replies: list[Recorded] = []
    for event in events:
        match event:
            case ev.SessionStarted():
                request, urls = event.text, event.reading.urls
            case ev.CodeWritten(author="model") | ev.ReplyUnused():
                replies.append(Recorded("programmer", event.model, _text(event, blobs)))
            case ev.Advised() if event.reply:
                replies.append(Recorded(event.role, event.model, _text(event, blobs)))
            case ev.Reviewed() if event.reply:
                replies.append(Recorded("reviewer", event.model, _text(event, blobs)))
    if not replies:
        raise LookupError("no model replied in it")
    return Cassette(VERSION, request, urls, tuple(replies))


def _text(event: ev.CodeWritten | ev.ReplyUnused | ev.Advised | ev.Reviewed, blobs: Blobs) -> str:
    if not event.reply:
        if isinstance(event, ev.ReplyUnused):  # nothing came before it was broken off
            return ""
        raise LookupError(f"the reply that became attempt {event.attempt} was not kept: it is from an older version")
    try:
        return get_text(blobs, event.reply)
    except ValueError as error:
        raise LookupError(str(error)) from error


def encode(cassette: Cassette) -> bytes:
    """Indented JSON."""
    return msgspec.json.format(to_json(cassette), indent=1) + b"\n"


def decode(data: bytes) -> Cassette:
    """Raises ValueError."""
    cassette = msgspec.json.decode(data, type=Cassette)
    if cassette.cassette != VERSION:
        raise ValueError(f"it has version {cassette.cassette}; this program reads version {VERSION}")
    return cassette


def rehomed(text: str, before: Sequence[str], now: Sequence[str]) -> str:
    """The text with the origins (scheme, host and port) of the first addresses in place of those of the others."""
    moved = {old: new for old, new in zip(map(_origin, before), map(_origin, now), strict=False) if old and new != old}
    if not moved:
        return text
    pattern = "|".join(re.escape(origin) for origin in sorted(moved, key=len, reverse=True))
    return re.sub(rf"(?:{pattern})(?![\w.:-])", lambda found: moved[found[0]], text)


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
