"""The fixed texts of prompts, from the files in `prompts/` and those of the same names in the user's own folder."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from scrapewright.errors import UsageError
from scrapewright.settings.values import SettingsError, check_known

Name = Literal["program", "review", "weak"]
NAMES: tuple[Name, ...] = get_args(Name)
CONVENTIONS_AT_MOST = 64 << 10
"""Bytes of a file of conventions."""
FOLDER = Path(__file__).with_name("prompts")


class Texts(msgspec.Struct, frozen=True):
    """One file's texts, by their dotted keys. `version` is that of the shipped file; `own` are the keys that the user's
    file `source` replaces, and `made_for` the version that it names, 0 where it names none.
    """

    name: Name
    version: int
    texts: dict[str, str]
    source: str = ""
    own: tuple[str, ...] = ()
    made_for: int = 0

    def __getitem__(self, key: str) -> str:
        return self.texts[key]

    @property
    def in_words(self) -> str:
        said = f"{self.name} version {self.version}"
        if not self.source:
            return said
        older = f", made for version {self.made_for}" if self.made_for not in {0, self.version} else ""
        return f"{said} with {', '.join(self.own) or 'nothing'} of {self.source}{older}"


@cache
def shipped(name: Name) -> Texts:
    """The texts of the package."""
    version, texts = _read(FOLDER / f"{name}.toml")
    return Texts(name, version, texts)


def load(name: Name, folder: Path) -> Texts:
    """The texts of the package, replaced by those that a file of the name in the folder has. Raises UsageError."""
    texts, path = shipped(name), folder / f"{name}.toml"
    if not path.is_file():
        return texts
    try:
        version, own = _read(path)
        for key in own:
            check_known(key, tuple(texts.texts), str(path))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path} can't be read: {error}") from error
    return msgspec.structs.replace(texts, texts=texts.texts | own, source=str(path), own=tuple(own), made_for=version)


def _read(path: Path) -> tuple[int, dict[str, str]]:
    """The version, 0 if it names none, and the texts. Raises SettingsError, OSError, ValueError where it is no TOML."""
    with path.open("rb") as file:
        data = tomllib.load(file)
    version = data.pop("version", 0)
    if type(version) is not int:
        raise SettingsError(f"{path}: version must be a whole number")
    return version, _flat(data, "", path)


def _flat(data: dict[str, Any], above: str, path: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in data.items():
        if isinstance(value, dict) and not above:
            found |= _flat(value, f"{key}.", path)
        elif isinstance(value, str):
            found[above + key] = value
        else:
            raise SettingsError(f"{path}: {above}{key} must be a text")
    return found


def conventions(file: str) -> str:
    """The person's own, which the settings name; empty where they name none. Raises UsageError."""
    if not file:
        return ""
    path = Path(file).expanduser()
    try:
        with path.open("rb") as opened:
            data = opened.read(CONVENTIONS_AT_MOST + 1)
        if len(data) > CONVENTIONS_AT_MOST:
            raise UsageError(f"conventions: {path} is larger than {CONVENTIONS_AT_MOST >> 10} KB")
        return data.decode("utf-8").strip()
    except OSError as error:
        raise UsageError(f"conventions: {path} can't be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"conventions: {path} is no UTF-8 text") from error
