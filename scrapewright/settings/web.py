"""What is sent to sites and through which proxy, as config.toml and variables say it: nothing is parsed here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from scrapewright.settings.values import Secret, SettingsError, as_kind, check_known

_KEYS = ("proxy", "cookies", "headers", "auth")
PROXY_VARIABLE = "SCRAPEWRIGHT_PROXY"
_COOKIES = "SCRAPEWRIGHT_COOKIES"
SECRET_NAME = re.compile(r"[A-Z_][A-Z0-9_]*")
"""A variable that holds a login's secret. Most tokens have other letters, and are not taken for one."""
_LOGIN = re.compile(rf"[^@]+=\s*(?i:basic|bearer)\s*:\s*{SECRET_NAME.pattern}\s*")


class Web(msgspec.Struct, frozen=True):
    """`headers` are `Name: value`, `auth` are `HOST=basic:SECRET_NAME`, `cookies` is a file. `proxy` may hold a
    password."""

    headers: tuple[Secret, ...] = ()
    auth: tuple[str, ...] = ()
    cookies: str = ""
    proxy: Secret = Secret()

    def over(self, other: Web) -> Web:
        """The two together. This one's proxy, file of cookies, and headers and logins of the same name count."""
        names = {header.reveal().partition(":")[0].strip().lower() for header in self.headers}
        places = {login.rpartition("=")[0] for login in self.auth}
        others = [h for h in other.headers if h.reveal().partition(":")[0].strip().lower() not in names]
        logins = [login for login in other.auth if login.rpartition("=")[0] not in places]
        return Web((*others, *self.headers), (*logins, *self.auth), self.cookies or other.cookies,
                   self.proxy or other.proxy)  # fmt: skip


def read_web(table: Any, path: Path, given: Mapping[str, tuple[str, str]], sources: dict[str, str]) -> Web:
    """The table [web] of `path`, and the variables over it: (value, source) by name. Raises SettingsError."""
    if not isinstance(table, dict):
        raise SettingsError(f"{path}: web must be a table, [web]")
    web: dict[str, Any] = {}
    for key, value in table.items():
        check_known(key, _KEYS, f"{path}: [web]")
        where = f"{path}: web.{key}"
        if key in {"headers", "auth"}:
            if not isinstance(value, dict) or not all(isinstance(v, str) for v in value.values()):
                example = 'Accept-Language = "de"' if key == "headers" else '"shop.example" = "basic:SHOP_LOGIN"'
                raise SettingsError(f"{where} must be a table of texts, such as {example}")
            if key == "headers":
                web[key] = tuple(Secret(f"{name}: {text}") for name, text in value.items())
            else:
                web[key] = tuple(f"{place}={text}" for place, text in value.items())
        else:
            text = as_kind(str, value, where)
            if key == "proxy" and "@" in text:
                raise SettingsError(f"{where}: passwords belong in .env or the environment, as {PROXY_VARIABLE}")
            web[key] = Secret(text) if key == "proxy" else str(path.parent / Path(text).expanduser()) if text else ""
        sources[f"web.{key}"] = str(path)
    for name, key in ((PROXY_VARIABLE, "proxy"), (_COOKIES, "cookies")):
        if name in given:
            text, source = given[name]
            web[key] = Secret(text) if key == "proxy" else text
            sources[f"web.{key}"] = f"{source}: {name}"
    return Web(**web)


def web_rows(web: Web, sources: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """(name, value, where it came from), without what is secret."""
    shown = {
        "proxy": str(web.proxy),
        "cookies": web.cookies,
        "headers": ", ".join(header.reveal().partition(":")[0] for header in web.headers),
        "auth": ", ".join(map(_shown_login, web.auth)),
    }
    return [(f"web.{key}", text, sources.get(f"web.{key}", "default")) for key, text in shown.items()]


def _shown_login(text: str) -> str:
    """As given where it names a variable. Any other text may be the secret itself."""
    if _LOGIN.fullmatch(text):
        return text
    place = text.partition("=")[0]
    return "set" if "@" in place else f"{place}=set"
