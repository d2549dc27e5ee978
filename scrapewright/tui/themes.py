"""Palettes: one TOML file each, shipped in themes/."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from textual.theme import Theme

from scrapewright.assets import themes_dir

DEFAULT = "slate"
COLORS = (
    "primary",
    "secondary",
    "accent",
    "foreground",
    "background",
    "surface",
    "panel",
    "success",
    "warning",
    "error",
)
VARIABLES = ("line-crashed", "line-running", "line-added", "line-removed", "text-quiet")
SYNTAX = ("keyword", "string", "number", "comment", "function", "name", "operator")
_HEX = re.compile(r"#[0-9a-fA-F]{6}\Z")


class ThemeError(ValueError):
    """A theme file that can't be used; the message names the file and the key."""


@dataclass(frozen=True)
class Palette:
    """A theme as Textual takes it, and the colours of code."""

    theme: Theme
    syntax: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.theme.name


def read_palette(path: Path) -> Palette:
    """Raises ThemeError."""
    try:
        with path.open("rb") as file:
            data = tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ThemeError(f"{path}: {error}") from error
    name = data.get("name")
    if not isinstance(name, str) or not name:
        raise ThemeError(f"{path}: name is missing")
    colors = _table(path, data, "colors", COLORS)
    variables = _table(path, data, "variables", VARIABLES)
    theme = Theme(name=name, dark=bool(data.get("dark", True)), variables=variables, **cast(Any, colors))
    return Palette(theme, _table(path, data, "syntax", SYNTAX))


def _table(path: Path, data: dict[str, Any], name: str, keys: tuple[str, ...]) -> dict[str, str]:
    table = data.get(name)
    if not isinstance(table, dict):
        raise ThemeError(f"{path}: [{name}] is missing")
    for key in keys:
        if not isinstance(table.get(key), str) or not _HEX.match(table[key]):
            raise ThemeError(f"{path}: {name}.{key} must be a colour such as #7aa2d6")
    if unknown := sorted(set(table) - set(keys)):
        raise ThemeError(f"{path}: {name}.{unknown[0]} is not known; known are {', '.join(keys)}")
    return {key: table[key] for key in keys}


def palettes(folder: Path | None = None) -> tuple[dict[str, Palette], list[str]]:
    """All palettes by name, and what was wrong with the files that could not be read."""
    found: dict[str, Palette] = {}
    wrong: list[str] = []
    for path in sorted((folder or themes_dir()).glob("*.toml")):
        try:
            palette = read_palette(path)
        except ThemeError as error:
            wrong.append(str(error))
        else:
            found[palette.name] = palette
    return found, wrong
