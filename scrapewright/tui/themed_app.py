"""An application whose themes are the palettes that ship with it and the user's own, as they are written."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from textual.app import App

from scrapewright.session.sanitize import one_line
from scrapewright.tui.themes import CUSTOM, DEFAULT, Palette, ThemeFolder

THEMES_PERIOD = 1.0
"""Seconds between two looks at the user's own palettes."""


class ThemedApp(App[int]):
    """`begin_themes` takes the theme that is wanted and watches the user's folder from then on."""

    def __init__(self, themes: Path, config: Path) -> None:
        """`themes`: the folder of the user's own palettes; `config`: the file that says which is taken at the start."""
        super().__init__()
        self._config = config
        self._folder = ThemeFolder(themes)
        self._palettes: dict[str, Palette] = {}

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict.fromkeys(CUSTOM, "#808080")

    def say(self, message: str, severity: Literal["information", "warning", "error"] = "information") -> None:
        """For a few seconds, in a line."""
        self.notify(one_line(message, 400), severity=severity, markup=False)

    def begin_themes(self, wanted: str) -> None:
        for name in self.available_themes:  # theirs know nothing of marks and quiet text
            self.unregister_theme(name)
        self._read_themes()
        if wanted not in self.available_themes:
            self.say(f"there is no theme {wanted!r}; there are {', '.join(self._palettes)}", "warning")
            wanted = DEFAULT
        if wanted in self.available_themes:
            self.theme = wanted
        self.set_interval(THEMES_PERIOD, self._look_at_themes)

    def _read_themes(self) -> None:
        self._palettes, wrong = self._folder.read()
        for palette in self._palettes.values():
            self.register_theme(palette.theme)
        for message in wrong:
            self.say(message, "warning")

    def _look_at_themes(self) -> None:
        """The user's own palettes, as they are written."""
        if not self._folder.changed():
            return
        before = set(self._palettes)
        self._read_themes()
        for name in before - set(self._palettes) - {self.theme}:
            self.unregister_theme(name)
        self._watch_theme(self.theme)

    def action_take_theme(self, name: str) -> None:
        """For now; the config says what it is at the start."""
        if name != self.theme:
            self.theme = name
            self.say(f'theme = "{name}" in {self._config} keeps it')
