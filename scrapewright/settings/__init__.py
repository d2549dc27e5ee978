"""Defaults, the config file, .env and the environment, read into one frozen Settings.

The later wins: default < config.toml < .env < environment < the command's own options. Nothing heavy is imported here.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from scrapewright import plugins
from scrapewright.settings.models import PROVIDERS, Models, ModelSpec, Role, read_providers, read_tables, rows
from scrapewright.settings.values import (
    AT_MOST,
    Secret,
    SettingsError,
    as_kind,
    check_choice,
    check_known,
    in_bounds,
)
from scrapewright.settings.web import PROXY_VARIABLE, Web, read_web, web_rows

__all__ = [
    "APP", "AT_MOST", "CHOICES", "CONFIG", "ModelSpec", "Models", "Role", "Secret", "Settings", "SettingsError",
    "Web", "as_rows", "checked", "config_path", "load", "named_secret",
]  # fmt: skip

APP = "scrapewright"
CONFIG = "config.toml"


class Settings(msgspec.Struct, frozen=True):
    """All of it. Seconds, bytes and counts; `money` in dollars, 0 means no limit for tokens, money and seconds.

    `model` writes the programs, `reviewer` judges rows and `reader` reads requests: names of models, as --model takes
    them. Without `model` it is the first that is set up; the others are the same where they are not named.

    `escalate` are names of models that write one after the other, each once an attempt of the one before fell short;
    `model` begins where it is named. `fresh`: replies of models that are kept are not used.

    `agent` is the command line of the programmer command, `agent_time_limit` the seconds that it has for a program;
    `simulate` names what stands in for it. `conventions` is a file that goes into each prompt for a program.
    """

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
    render: str = "auto"
    """When pages are drawn in a browser: where they need it, always, never."""
    robots: bool = True
    delay: float = 1.0
    user_agent: str = ""
    max_requests: int = 2_000
    max_bytes: int = 512 << 20
    out: str = ""
    """The folder for results where no --out is given; without it they go into the session's own."""
    theme: str = ""
    bell: bool = True
    model: str = ""
    escalate: tuple[str, ...] = ()
    reviewer: str = ""
    reader: str = ""
    review: bool = True
    """Whether a model that is set up reviews rows."""
    find_models: bool = True
    """Whether servers of models on this machine are looked for."""
    agent: str = ""
    agent_time_limit: float = 600.0
    conventions: str = ""
    simulate: str = ""
    fresh: bool = False
    cassette: str = ""
    """A file whose replies are played in place of a model's."""
    keys: dict[str, str] = {}
    models: Models = Models()
    web: Web = Web()
    unsent: Web = Web()
    """What would be sent, where a command sends nothing: its secrets are still known."""
    data_dir: Path = Path()
    cache_dir: Path = Path()
    config_dir: Path = Path()
    sources: dict[str, str] = {}
    """Where each value that is not a default came from, by its dotted name."""

    def without_web(self) -> Settings:
        """The same, with nothing sent and no proxy."""
        return msgspec.structs.replace(self, web=Web(), unsent=self.web)

    @property
    def secret_names(self) -> frozenset[str]:
        """Variables that hold keys, logins or a proxy's password, as far as the settings know them."""
        keys = {spec.key_variable for spec in (*self.models.tables.values(), *self.models.providers.values())}
        logins = {login.rpartition(":")[2].strip() for login in (*self.web.auth, *self.unsent.auth)}
        return frozenset({*keys, *logins, PROXY_VARIABLE, *(provider.key for provider in PROVIDERS.values())} - {""})

    @property
    def config_path(self) -> Path:
        return self.config_dir / CONFIG

    @property
    def themes_dir(self) -> Path:
        """The user's own palettes."""
        return self.config_dir / "themes"

    @property
    def prompts_dir(self) -> Path:
        """The user's own texts of prompts."""
        return self.config_dir / "prompts"

    def model_for(self, role: Role) -> ModelSpec | None:
        """The model of a role, also where something is lacking before it can be asked; None where none is set up.

        Raises SettingsError where the name is none of a model.
        """
        name = {"programmer": "", "reviewer": self.reviewer, "reader": self.reader}[role]
        if name := name or next(iter(self._writers), ""):
            return self.models.find(name)
        others = {self.reviewer, self.reader}
        return next((spec for spec in self.models.set_up() if spec.name not in others), None)

    @property
    def later_writers(self) -> tuple[str, ...]:
        """The models that may write after the first: those behind it in `escalate`, all where it is not there."""
        return self._writers[1:]

    @property
    def _writers(self) -> tuple[str, ...]:
        """The models that are named, in turn; weak ones only where all are."""
        first = self.model or next(iter(self.escalate), "")
        later = self.escalate[self.escalate.index(first) + 1 :] if first in self.escalate else self.escalate
        named = (first, *later) if first else ()
        tables = self.models.tables
        return tuple(name for name in named if not (name in tables and tables[name].weak)) or named[:1]


CHOICES: dict[str, tuple[str, ...]] = {
    "programmer": ("auto", "rules", "model", "command"),
    "sandbox": ("auto", "docker", "local", "bwrap", "namespaces"),
    "mode": ("auto", "approve", "step"),
    "tape": ("reuse", "live", "only"),
    "render": ("auto", "always", "never"),
    "simulate": ("good", "bad", "stuck"),
}
_AT_LEAST = {
    "attempts": 1,
    "time_limit": 0.1,
    "agent_time_limit": 0.1,
    "memory": 256 << 20,
    "max_requests": 1,
    "max_bytes": 1 << 20,
}
_SETTABLE = (
    "programmer", "sandbox", "mode", "attempts", "tokens", "money", "seconds", "time_limit", "memory", "tape", "render",
    "robots", "delay", "user_agent", "max_requests", "max_bytes", "out", "theme", "bell", "model", "escalate",
    "reviewer", "reader", "review", "fresh", "find_models", "agent", "agent_time_limit", "conventions",
)  # fmt: skip
_VARIABLES = {"agent": "AGENT_CMD"}
"""Variables with another name than the setting's behind the program's own."""
_ROLE_SETTINGS: dict[str, Role] = {"model": "programmer", "reviewer": "reviewer", "reader": "reader"}


def load(environ: Mapping[str, str] | None = None, cwd: Path | None = None) -> Settings:
    """Reads it all. Raises SettingsError, naming the file or the variable, the key, and the nearest valid one."""
    environ = os.environ if environ is None else environ
    folders = _folders(environ)
    config = folders["config_dir"] / CONFIG
    values: dict[str, Any] = {}
    tables: Any = {}
    sent: Any = {}
    sources: dict[str, str] = {}
    for key, value in _read_toml(config).items():
        where = f"{config}: {key}"
        if key == "models":
            tables = value
        elif key == "web":
            sent = value
        elif key == "keys":
            values["keys"] = _read_keys(value, where)
            sources["keys"] = str(config)
        elif key == "model" and isinstance(value, dict):
            raise SettingsError(f"{where} is the name of a model; what is asked, and how, is in [models.NAME] tables")
        else:
            check_known(key, (*_SETTABLE, "keys", "models", "web"), str(config))
            values[key] = _convert(key, value, where)
            sources[key] = str(config)
            if key == "conventions" and value:
                values[key] = str(config.parent / Path(value).expanduser())
    given: dict[str, tuple[str, str]] = {}
    for source, variables in ((".env", _read_env_file((cwd or Path()) / ".env")), ("environment", environ)):
        given |= {name: (text.strip(), source) for name, text in variables.items() if text.strip()}
    for key in _SETTABLE:
        name = _VARIABLES.get(key, f"{APP.upper()}_{key.upper()}")
        if name in given:
            text, source = given[name]
            of_agent = key in ("agent", "conventions") or (key == "programmer" and text == "command")
            if of_agent and source == ".env":  # a folder of somebody else's must neither start an agent nor tell it
                sources.setdefault(key, f".env: {name}, which is not read there")
                continue
            values[key] = _convert(key, text, f"{source}: {name}")
            sources[key] = f"{source}: {name}"
    providers = read_providers(given, sources)
    models = Models(read_tables(tables, str(config), providers, given, sources), providers)
    web = read_web(sent, config, given, sources)
    settings = Settings(models=models, web=web, **folders, **values, sources=sources)
    check_roles(settings)
    return settings


def check_roles(settings: Settings) -> None:
    """Raises SettingsError where a role is given to a model that there is not."""
    for key, role in _ROLE_SETTINGS.items():
        try:
            settings.model_for(role)
        except SettingsError as error:
            raise SettingsError(f"{settings.sources.get(key, '--model')}: {key}: {error}") from error
    for name in settings.escalate:
        try:
            settings.models.find(name)
        except SettingsError as error:
            raise SettingsError(f"{settings.sources.get('escalate', '')}: escalate: {error}") from error


def _read_keys(table: Any, where: str) -> dict[str, str]:
    if not isinstance(table, dict) or not all(isinstance(v, str) for v in table.values()):
        raise SettingsError(f'{where} must be a table of texts, such as run = "f5,ctrl+r"')
    return dict(table)


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


def checked(key: str, value: Any, where: str) -> Any:
    """The value as that setting takes it. Raises SettingsError, which begins with `where`."""
    return _convert(key, value, where)


def _convert(key: str, value: Any, where: str) -> Any:
    converted = as_kind(type(getattr(Settings(), key)), value, where)
    if key in CHOICES:
        check_choice(converted, plugins.choices(key, converted, CHOICES[key]), where)
    return in_bounds(converted, _AT_LEAST.get(key, 0), where)


def as_rows(settings: Settings) -> list[tuple[str, str, str]]:
    """(name, value, where it came from) for every setting, secrets shown as set or not set."""
    shown = [
        (name, _in_a_row(getattr(settings, name)), settings.sources.get(name, "default"))
        for name in (*_SETTABLE, "keys", "data_dir", "cache_dir", "config_dir")
    ]
    return [*shown, *rows(settings.models, settings.sources), *web_rows(settings.web, settings.sources)]


def _in_a_row(value: Any) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)
