"""Cookies as browsers export them: Netscape's cookies.txt, and the JSON of extensions and of Playwright."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from scrapewright.settings import Secret
from scrapewright.web.credentials import BadCredentials, StoredCookie
from scrapewright.web.urls import BadURL, parse_host

AT_MOST = 8 << 20
"""Bytes of a file."""
_HTTP_ONLY = "#HttpOnly_"
_BAD = re.compile(r"[\x00-\x1f\x7f;]")


def read_cookies(path: Path, now: float | None = None) -> tuple[StoredCookie, ...]:
    """The cookies of a file that have not expired. Raises BadCredentials, which names the file and the line."""
    try:
        with path.expanduser().open("rb") as file:
            data = file.read(AT_MOST + 1)
    except OSError as error:
        raise BadCredentials(f"{path} can't be read: {error.strerror or error}") from error
    if len(data) > AT_MOST:
        raise BadCredentials(f"{path} is larger than {AT_MOST >> 20} MB, the most that a file of cookies may be")
    try:
        cookies = parse_cookies(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadCredentials(f"{path} is no UTF-8 text") from error
    except BadCredentials as error:
        raise BadCredentials(f"{path}: {error}") from error
    now = time.time() if now is None else now
    left = tuple(cookie for cookie in cookies if cookie.expires is None or cookie.expires > now)
    if not left:
        last = max(cookie.expires or 0 for cookie in cookies)
        day = datetime.fromtimestamp(last, UTC).date().isoformat()
        which = "its cookie has expired" if len(cookies) == 1 else f"all of its {len(cookies)} cookies have expired"
        raise BadCredentials(f"{path}: {which}, the last on {day}; log in with the browser and export them again")
    return left


def parse_cookies(text: str) -> tuple[StoredCookie, ...]:
    """The cookies of an export, expired ones too. Raises BadCredentials."""
    found = tuple(_from_json(text) if text.lstrip()[:1] in ("[", "{") else _from_netscape(text))
    if not found:
        raise BadCredentials("there are no cookies in it; export cookies.txt (Netscape) or JSON from the browser")
    return found


def _from_netscape(text: str) -> Iterator[StoredCookie]:
    for number, line in enumerate(text.splitlines(), 1):
        http_only = line.startswith(_HTTP_ONLY)
        line = line.removeprefix(_HTTP_ONLY)
        if not line.strip() or line.startswith("#"):
            continue
        parts = line.split("\t")
        where = f"line {number}"
        if len(parts) == 6:  # a cookie without a value whose last tab an editor has cut off
            parts.append("")
        if len(parts) != 7:
            raise BadCredentials(
                f"{where} has {len(parts)} fields, not the 7 of cookies.txt, with tabs between (domain, subdomains, "
                "path, secure, expires, name, value)"
            )
        domain, subdomains, path, secure, expires, name, value = parts
        try:
            ends = float(expires or 0)
        except ValueError as error:
            raise BadCredentials(f"{where}: the time of expiry is not a number") from error
        yield _cookie(
            where, name, value, domain, path, host_only=subdomains.upper() != "TRUE", secure=secure.upper() == "TRUE",
            http_only=http_only, expires=ends,
        )  # fmt: skip


def _from_json(text: str) -> Iterator[StoredCookie]:
    try:
        data = msgspec.json.decode(text.encode())
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise BadCredentials("it is not valid JSON") from error
    entries = data.get("cookies") if isinstance(data, dict) else data
    if not isinstance(entries, list):
        raise BadCredentials("the JSON is neither a list of cookies nor an object with one under 'cookies'")
    for number, entry in enumerate(entries, 1):
        where = f"cookie {number}"
        if not isinstance(entry, dict):
            raise BadCredentials(f"{where} is not an object")
        domain = _text(entry, "domain", where)
        expires = entry.get("expirationDate", entry.get("expires"))
        if expires is not None and (isinstance(expires, bool) or not isinstance(expires, int | float)):
            raise BadCredentials(f"{where}: the time of expiry is not a number")
        yield _cookie(
            where, _text(entry, "name", where), _text(entry, "value", where), domain, entry.get("path") or "/",
            host_only=entry.get("hostOnly", not domain.startswith(".")) is True, secure=entry.get("secure") is True,
            http_only=entry.get("httpOnly") is True, expires=0.0 if entry.get("session") is True else expires or 0.0,
        )  # fmt: skip


def _text(entry: dict[str, Any], key: str, where: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str):
        raise BadCredentials(f"{where} has no text under {key!r}")
    return value


def _cookie(
    where: str, name: str, value: str, domain: str, path: object, *, host_only: bool, secure: bool, http_only: bool,
    expires: float,
) -> StoredCookie:  # fmt: skip
    """`expires` of 0 and less: with the browser."""
    if not name or _BAD.search(name) or "=" in name or _BAD.search(value):
        raise BadCredentials(f"{where}: its name or value has characters that no cookie can have")
    if not isinstance(path, str) or not path.startswith("/") or _BAD.search(path):
        raise BadCredentials(f"{where}: its path does not begin with a slash")
    try:
        host = parse_host(domain.removeprefix("."))
    except BadURL as error:
        raise BadCredentials(f"{where}: its domain is no host name") from error
    ends = int(min(expires, 2**53)) if expires > 0 else None
    return StoredCookie(name, Secret(value), host, host_only, path, secure, http_only, ends)
