"""Defaults, the config file, .env and the environment, read into one frozen Settings.

The later wins: default < config.toml < .env < environment < the command's own options. Nothing heavy is imported here.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from scrapewright.errors import UsageError

APP = "scrapewright"
CONFIG = "config.toml"


class SettingsError(UsageError):
    """A file or a variable that can't be used. The message names it and says what is valid."""


class Secret:
    """A secret that is not printed by accident."""

    __slots__ = ("_value",)

    def __init__(self, value: str = "") -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __repr__(self) -> str:
        return "set" if self._value else "not set"


class Model(msgspec.Struct, frozen=True):
    """Who is asked for code, and what it costs in dollars per million tokens (0.0: not counted)."""

    api_key: Secret = Secret()
    base_url: str = ""
    name: str = ""
    azure_api_key: Secret = Secret()
    azure_endpoint: str = ""
    azure_api_version: str = ""
    azure_deployment: str = ""
    input_price: float = 0.0
    output_price: float = 0.0
    timeout: float = 120.0

    @property
    def azure(self) -> bool:
        return bool(self.azure_api_key and self.azure_endpoint)

    @property
    def configured(self) -> bool:
        """Whether a model is set up: a key, Azure, or a base URL, which may need no key."""
        return bool(self.api_key) or self.azure or bool(self.base_url)


class Web(msgspec.Struct, frozen=True):
    """What is sent to sites, and through which proxy, as it was given: nothing is parsed here.

    `headers` are `Name: value`, `auth` are `HOST=basic:SECRET_NAME`, `cookies` is a file. `proxy` may hold a password.
    """

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


class Settings(msgspec.Struct, frozen=True):
    """All of it. Seconds, bytes and counts; `money` in dollars, 0 means no limit for tokens, money and seconds."""

    programmer: str = "auto"
    sandbox: str = "auto"
    mode: str = "auto"
    attempts: int = 4
    tokens: int = 0
    money: float = 0.0
    seconds: float = 0.0
    time_limit: float = 60.0
    memory: int = 2 << 30
    tape: str = "reuse"
    robots: bool = True
    delay: float = 1.0
    user_agent: str = ""
    max_requests: int = 2_000
    max_bytes: int = 512 << 20
    theme: str = ""
    bell: bool = True
    keys: dict[str, str] = {}
    model: Model = Model()
    web: Web = Web()
    data_dir: Path = Path()
    cache_dir: Path = Path()
    config_dir: Path = Path()
    sources: dict[str, str] = {}
    """Where each value that is not a default came from, by its dotted name."""

    def without_web(self) -> Settings:
        """The same, with nothing sent and no proxy."""
        return msgspec.structs.replace(self, web=Web())

    @property
    def config_path(self) -> Path:
        return self.config_dir / CONFIG

    @property
    def themes_dir(self) -> Path:
        """The user's own palettes."""
        return self.config_dir / "themes"


CHOICES: dict[str, tuple[str, ...]] = {
    "programmer": ("auto", "rules", "model"),
    "sandbox": ("auto", "docker", "local", "bwrap", "namespaces"),
    "mode": ("auto", "approve", "step"),
    "tape": ("reuse", "live", "only"),
}
AT_MOST = 10**15
"""Of any number: events are JSON, which has no infinity, and whole numbers of 64 bits."""
_AT_LEAST = {"attempts": 1, "time_limit": 0.1, "memory": 256 << 20, "max_requests": 1, "max_bytes": 1 << 20,
             "model.timeout": 1}  # fmt: skip
_SETTABLE = (
    "programmer", "sandbox", "mode", "attempts", "tokens", "money", "seconds", "time_limit", "memory", "tape", "robots",
    "delay", "user_agent", "max_requests", "max_bytes", "theme", "bell",
)  # fmt: skip
_MODEL_VARIABLES = {
    "OPENAI_API_KEY": "api_key",
    "OPENAI_BASE_URL": "base_url",
    "OPENAI_MODEL": "name",
    "AZURE_OPENAI_API_KEY": "azure_api_key",
    "AZURE_OPENAI_ENDPOINT": "azure_endpoint",
    "AZURE_OPENAI_API_VERSION": "azure_api_version",
    "AZURE_OPENAI_DEPLOYMENT": "azure_deployment",
}
_MODEL_KEYS = ("base_url", "name", "azure_endpoint", "azure_api_version", "azure_deployment", "input_price",
               "output_price", "timeout")  # fmt: skip


_WEB_KEYS = ("proxy", "cookies", "headers", "auth")
_PROXY_VARIABLE = "SCRAPEWRIGHT_PROXY"
_COOKIES_VARIABLE = "SCRAPEWRIGHT_COOKIES"


def load(environ: Mapping[str, str] | None = None, cwd: Path | None = None) -> Settings:
    """Reads it all. Raises SettingsError, naming the file or the variable, the key, and the nearest valid one."""
    environ = os.environ if environ is None else environ
    folders = _folders(environ)
    config = folders["config_dir"] / CONFIG
    values: dict[str, Any] = {}
    model: dict[str, Any] = {}
    web: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for key, value in _read_toml(config).items():
        where = f"{config}: {key}"
        if key == "model":
            _read_model_table(value, config, model, sources)
        elif key == "web":
            _read_web_table(value, config, web, sources)
        elif key == "keys":
            values["keys"] = _read_keys(value, where)
            sources["keys"] = str(config)
        else:
            _known(key, _SETTABLE, str(config))
            values[key] = _convert(key, value, where)
            sources[key] = str(config)
    for source, variables in ((".env", _read_env_file((cwd or Path()) / ".env")), ("environment", environ)):
        _read_variables(source, variables, values, model, web, sources)
    return Settings(model=Model(**model), web=Web(**web), **folders, **values, sources=sources)


def _read_model_table(table: Any, path: Path, model: dict[str, Any], sources: dict[str, str]) -> None:
    if not isinstance(table, dict):
        raise SettingsError(f"{path}: model must be a table, [model]")
    for key, value in table.items():
        if key in {"api_key", "azure_api_key"}:
            raise SettingsError(f"{path}: model.{key}: keys belong in .env or the environment, not in the config file")
        _known(key, _MODEL_KEYS, f"{path}: [model]")
        where = f"{path}: model.{key}"
        model[key] = _in_bounds(_as(type(getattr(Model(), key)), value, where), _AT_LEAST.get(f"model.{key}", 0), where)
        sources[f"model.{key}"] = str(path)


def _read_web_table(table: Any, path: Path, web: dict[str, Any], sources: dict[str, str]) -> None:
    if not isinstance(table, dict):
        raise SettingsError(f"{path}: web must be a table, [web]")
    for key, value in table.items():
        _known(key, _WEB_KEYS, f"{path}: [web]")
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
            text = _as(str, value, where)
            if key == "proxy" and "@" in text:
                raise SettingsError(f"{where}: passwords belong in .env or the environment, as {_PROXY_VARIABLE}")
            web[key] = Secret(text) if key == "proxy" else str(path.parent / Path(text).expanduser()) if text else ""
        sources[f"web.{key}"] = str(path)


def _read_keys(table: Any, where: str) -> dict[str, str]:
    if not isinstance(table, dict) or not all(isinstance(v, str) for v in table.values()):
        raise SettingsError(f'{where} must be a table of texts, such as run = "f5,ctrl+r"')
    return dict(table)


def _read_variables(
    source: str, variables: Mapping[str, str], values: dict[str, Any], model: dict[str, Any], web: dict[str, Any],
    sources: dict[str, str],
) -> None:  # fmt: skip
    for name, field in _MODEL_VARIABLES.items():
        if text := variables.get(name, "").strip():
            model[field] = Secret(text) if field.endswith("api_key") else text
            sources[f"model.{field}"] = f"{source}: {name}"
    for name, key in ((_PROXY_VARIABLE, "proxy"), (_COOKIES_VARIABLE, "cookies")):
        if text := variables.get(name, "").strip():
            web[key] = Secret(text) if key == "proxy" else text
            sources[f"web.{key}"] = f"{source}: {name}"
    for key in _SETTABLE:
        name = f"{APP.upper()}_{key.upper()}"
        if text := variables.get(name, "").strip():
            values[key] = _convert(key, text, f"{source}: {name}")
            sources[key] = f"{source}: {name}"


def named_secret(name: str, environ: Mapping[str, str] | None = None, cwd: Path | None = None) -> Secret:
    """The variable of that name in the environment, else in .env; empty where neither has it. Raises SettingsError."""
    environ = os.environ if environ is None else environ
    return Secret(environ.get(name, "") or _read_env_file((cwd or Path()) / ".env").get(name, ""))


def config_path(environ: Mapping[str, str] | None = None) -> Path:
    """Where the config file is, or would be: known also where it can't be read."""
    return Path(_folders(os.environ if environ is None else environ)["config_dir"]) / CONFIG


def _folders(environ: Mapping[str, str]) -> dict[str, Any]:
    """The XDG directories on Linux, what platformdirs says elsewhere."""
    import platformdirs

    given = {"data_dir": "XDG_DATA_HOME", "cache_dir": "XDG_CACHE_HOME", "config_dir": "XDG_CONFIG_HOME"}
    defaults = {
        "data_dir": platformdirs.user_data_path,
        "cache_dir": platformdirs.user_cache_path,
        "config_dir": platformdirs.user_config_path,
    }
    found: dict[str, Any] = {}
    for name, variable in given.items():
        base = environ.get(variable, "").strip()
        found[name] = Path(base) / APP if base and Path(base).is_absolute() else Path(defaults[name](APP))
    return found


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except FileNotFoundError:
        return {}
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: {_why(error)}") from error


def _read_env_file(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    from dotenv import dotenv_values

    try:
        return {name: value for name, value in dotenv_values(path, interpolate=False).items() if value is not None}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: {_why(error)}") from error


def _why(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is no UTF-8 text"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _known(key: str, known: tuple[str, ...], where: str) -> None:
    if key in known:
        return
    near = difflib.get_close_matches(key, known, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(known)}"
    raise SettingsError(f"{where}: unknown key {key!r}{hint}")


def checked(key: str, value: Any, where: str) -> Any:
    """The value as that setting takes it. Raises SettingsError, which begins with `where`."""
    return _convert(key, value, where)


def _convert(key: str, value: Any, where: str) -> Any:
    converted = _as(type(getattr(Settings(), key)), value, where)
    if key in CHOICES and converted not in CHOICES[key]:
        raise SettingsError(f"{where}: {converted!r} is none of {', '.join(CHOICES[key])}")
    return _in_bounds(converted, _AT_LEAST.get(key, 0), where)


def _in_bounds(value: Any, least: float, where: str) -> Any:
    if isinstance(value, (int, float)):
        if not value >= least:
            raise SettingsError(f"{where}: {value} is too small; the least is {least}")
        if value > AT_MOST:
            raise SettingsError(f"{where}: {value} is too large")
    return value


def _as(kind: type, value: Any, where: str) -> Any:
    if kind is bool and isinstance(value, str):
        if value.lower() in {"1", "true", "yes", "on"}:
            return True
        if value.lower() in {"0", "false", "no", "off"}:
            return False
        raise SettingsError(f"{where}: {value!r} is neither true nor false")
    try:
        return msgspec.convert(value, kind, strict=not (isinstance(value, str) and kind is not str))
    except msgspec.ValidationError:
        words = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
        raise SettingsError(f"{where}: {value!r} is not {words.get(kind, kind.__name__)}") from None


def as_rows(settings: Settings) -> list[tuple[str, str, str]]:
    """(name, value, where it came from) for every setting, secrets shown as set or not set."""
    rows = []
    for name in (*_SETTABLE, "keys", "data_dir", "cache_dir", "config_dir"):
        rows.append((name, str(getattr(settings, name)), settings.sources.get(name, "default")))
    for name in Model.__struct_fields__:
        value = getattr(settings.model, name)
        rows.append((f"model.{name}", str(value), settings.sources.get(f"model.{name}", "default")))
    web = settings.web
    shown = {
        "proxy": str(web.proxy),
        "cookies": web.cookies,
        "headers": ", ".join(header.reveal().partition(":")[0] for header in web.headers),
        "auth": ", ".join(web.auth),
    }
    return [
        *rows,
        *((f"web.{key}", text, settings.sources.get(f"web.{key}", "default")) for key, text in shown.items()),
    ]
