"""The output of the `themes` commands: (lines, errors)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scrapewright.settings import Settings
from scrapewright.tui.themes import DEFAULT, ThemeError, ThemeFolder, describe, read_palette, theme_files


def list_palettes(settings: Settings) -> tuple[Sequence[str], Sequence[str]]:
    """All that there are."""
    found, wrong = ThemeFolder(settings.themes_dir).read()
    return list(describe(found.values(), settings.theme or DEFAULT)), wrong


def check_palettes(settings: Settings, files: Sequence[Path] | None) -> tuple[Sequence[str], Sequence[str]]:
    """The files named, else the user's own."""
    right, wrong = [], []
    chosen = files if files is not None else theme_files(settings.themes_dir)
    for path in chosen:
        try:
            right.append(f"{path}: {read_palette(path).name} is right")
        except ThemeError as error:
            wrong.append(str(error))
    return right if chosen else [f"no theme files in {settings.themes_dir}"], wrong
