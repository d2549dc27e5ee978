"""Palettes: one TOML file each, shipped in themes/ and in the user's own folder, which is watched while it is used."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
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
CUSTOM = (*VARIABLES, *(f"syntax-{kind}" for kind in SYNTAX))
"""The variables of a theme that Textual has none of."""
TABLES = {"colors": COLORS, "variables": VARIABLES, "syntax": SYNTAX}
FILE_AT_MOST = 64 * 1024
_SWITCHES = ("dark", "ansi")
_HEX = re.compile(r"#[0-9a-fA-F]{6}\Z")
_ANSI = re.compile(r"ansi_(default|(bright_)?(black|red|green|yellow|blue|magenta|cyan|white))\Z")
_ANSI_EXTRA = {
    "block-cursor-foreground": "ansi_black",
    "block-cursor-background": "ansi_white",
    "ansi-background": "ansi_default",
    "ansi-foreground": "ansi_default",
    "input-cursor-background": "ansi_default",
    "input-cursor-foreground": "ansi_default",
    "input-cursor-text-style": "reverse",
    "input-selection-background": "ansi_blue",
    "input-selection-foreground": "ansi_white",
    "screen-selection-background": "ansi_blue",
    "screen-selection-foreground": "ansi_white",
    "border-blurred": "ansi_bright_black",
}
"""What the cursors of an ANSI palette are: without them they can't be seen."""

_TRACKS = (
    "scrollbar-background", "scrollbar-background-hover", "scrollbar-background-active", "scrollbar-corner-color",
)  # fmt: skip
"""What a scroll bar moves in: the pane's own colour, so that it is no block of black in it."""


class ThemeError(ValueError):
    """A theme file that can't be used; the message names the file and the key."""


@dataclass(frozen=True)
class Palette:
    """A theme as Textual takes it, with the colours of code among its variables, and the file it came from."""

    theme: Theme
    path: Path = Path()

    @property
    def name(self) -> str:
        return self.theme.name

    @property
    def syntax(self) -> dict[str, str]:
        """The colours of code, by what they colour."""
        return {kind: self.theme.variables[f"syntax-{kind}"] for kind in SYNTAX}


def read_palette(path: Path) -> Palette:
    """Raises ThemeError."""
    try:
        if path.stat().st_size > FILE_AT_MOST:
            raise ThemeError(f"{path}: larger than {FILE_AT_MOST} bytes, which no palette is")
        with path.open("rb") as file:
            data = tomllib.load(file)
    except OSError as error:
        raise ThemeError(f"{path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ThemeError(f"{path}: {error}") from error
    if unknown := sorted(set(data) - {"name", *_SWITCHES, *TABLES}):
        raise ThemeError(f"{path}: {_unknown(unknown[0], ('name', *_SWITCHES, *TABLES))}")
    name = data.get("name")
    if not isinstance(name, str) or not re.fullmatch(r"[\w.-]{1,40}", name):
        raise ThemeError(f"{path}: name is missing, or is more than letters, digits, '-', '_' and '.'")
    for switch in _SWITCHES:
        if not isinstance(data.get(switch, True), bool):
            raise ThemeError(f"{path}: {switch} must be true or false")
    ansi = data.get("ansi", False)
    colors, variables, syntax = (_table(path, data, table, keys, ansi=ansi) for table, keys in TABLES.items())
    theme = Theme(
        name=name, dark=data.get("dark", True), ansi=ansi,
        variables={
            **dict.fromkeys(_TRACKS, colors["surface"]), **(_ANSI_EXTRA if ansi else {}), **variables,
            **{f"syntax-{kind}": color for kind, color in syntax.items()},
        },
        **cast(Any, colors),
    )  # fmt: skip
    return Palette(theme, path)


def _table(path: Path, data: dict[str, Any], name: str, keys: tuple[str, ...], *, ansi: bool) -> dict[str, str]:
    table = data.get(name)
    if not isinstance(table, dict):
        raise ThemeError(f"{path}: [{name}] is missing")
    if unknown := sorted(set(table) - set(keys)):
        raise ThemeError(f"{path}: {name}.{_unknown(unknown[0], keys)}")
    for key in keys:
        value = table.get(key)
        if not isinstance(value, str) or not (_HEX.match(value) or (ansi and _ANSI.match(value))):
            wanted = "one of the terminal's, such as ansi_blue" if ansi else "a colour such as #7aa2d6"
            raise ThemeError(f"{path}: {name}.{key} must be {wanted}, {'is missing' if value is None else repr(value)}")
    return {key: table[key] for key in keys}


def _unknown(key: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(key, known, n=1)
    return f"{key} is not known; " + (f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}")


def rich_color(color: str) -> str:
    """A colour as Rich names it, for what is drawn without the style sheet."""
    return color.removeprefix("ansi_")


def syntax_colors(variables: Mapping[str, str]) -> dict[str, str]:
    """Rich's colours of code, from a theme's variables."""
    return {kind: rich_color(variables[f"syntax-{kind}"]) for kind in SYNTAX}


def line_marks(variables: Mapping[str, str]) -> dict[str, str]:
    """Rich's colours of marked lines and of their glyphs ("crashed", "crashed-glyph"), from a theme's variables."""
    marks = {kind: variables[f"line-{kind}"] for kind in ("crashed", "running", "added", "removed")}
    glyphs = {"crashed": "error", "running": "warning", "added": "success", "removed": "error"}
    marks |= {f"{kind}-glyph": variables[name] for kind, name in glyphs.items()}
    return {kind: rich_color(color) for kind, color in marks.items()}


def theme_files(*folders: Path) -> list[Path]:
    """The theme files in the folders, in the order in which they are read."""
    return [path for folder in folders for path in sorted(folder.glob("*.toml"))]


def palettes(*folders: Path) -> tuple[dict[str, Palette], list[str]]:
    """All palettes by name, and what was wrong with the files that could not be read. Without folders, those that
    ship; a name in a later folder takes the place of the same in an earlier one."""
    found: dict[str, Palette] = {}
    wrong: list[str] = []
    for path in theme_files(*(folders or (themes_dir(),))):
        try:
            palette = read_palette(path)
        except ThemeError as error:
            wrong.append(str(error))
            continue
        before = found.get(palette.name)
        if before is not None and before.path.parent == path.parent:
            wrong.append(f"{path}: name is {palette.name!r}, as in {before.path.name}")
        found[palette.name] = palette
    return found, wrong


class ThemeFolder:
    """The palettes that ship and the user's own; `changed` tells whether a file came, went or was written."""

    def __init__(self, own: Path) -> None:
        self.own = own
        self._seen: object = None

    def read(self) -> tuple[dict[str, Palette], list[str]]:
        """All of them, as they are now, and what is wrong with some."""
        self._seen = self._stamp()
        return palettes(themes_dir(), self.own)

    def changed(self) -> bool:
        """Since they were read. A look at a few files' times: it takes no thread."""
        return self._stamp() != self._seen

    def _stamp(self) -> list[tuple[str, int, int]]:
        found = []
        for path in theme_files(self.own):
            try:
                status = path.stat()
            except OSError:
                continue
            found.append((path.name, status.st_mtime_ns, status.st_size))
        return found


def describe(found: Iterable[Palette], current: str) -> list[str]:
    """A line for each palette: which is in use, its kind, where it comes from."""
    lines = []
    for palette in found:
        mark = "*" if palette.name == current else " "
        kind = "ansi" if palette.theme.ansi else "dark" if palette.theme.dark else "light"
        lines.append(f"{mark} {palette.name:12} {kind:6} {palette.path}")
    return lines
