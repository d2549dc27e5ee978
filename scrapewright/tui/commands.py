"""The command palette: every command that is valid now, with its keys, and the themes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_downloads_path
from textual.app import SystemCommand
from textual.await_complete import AwaitComplete
from textual.command import CommandList, CommandPalette
from textual.screen import Screen

from scrapewright.tui.stale_resize import StaleResizeFilter

if TYPE_CHECKING:
    from textual.app import App

LEFT_OUT = frozenset({"palette"})


class CommandScreen(StaleResizeFilter, CommandPalette):
    """Textual's own, which ends the application where a key comes twice at once or pages through a list that a small
    screen leaves no room for."""

    def dismiss(self, result: Any = None) -> AwaitComplete:
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()

    def _action_command_list(self, action: str) -> None:
        if self.query_one(CommandList).scrollable_content_region:
            super()._action_command_list(action)


def open_commands(app: App[Any]) -> None:
    """Once: the key is a key in it, too."""
    if not CommandPalette.is_open(app):
        app.push_screen(CommandScreen(id="--command-palette"))


def commands(app: App[int], screen: Screen[Any], themes: Iterable[str]) -> Iterator[SystemCommand]:
    """For Textual's palette. Scrolling and the like are left out: they are keys, not commands."""
    found: dict[str, tuple[str, list[str], Any, Any]] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        name = binding.id or ""
        if not active.enabled or not name or not binding.description or name in LEFT_OUT or name.startswith("scroll-"):
            continue
        entry = found.setdefault(name, (binding.description, [], binding.action, active.node))
        entry[1].append(app.get_key_display(binding))
    for description, keys, action, node in found.values():
        yield SystemCommand(description, f"key {' or '.join(keys)}", partial(_run, app, action, node))
    yield SystemCommand("Save a picture of the screen", "an SVG file", partial(save_picture, app))
    for name in themes:
        if name != app.theme:
            yield SystemCommand(f"Theme: {name}", "until the workbench is left", partial(_take, app, name))


def save_picture(app: App[int]) -> None:
    """Among the downloads, or in the home folder where there are none, as on a server."""
    downloads = user_downloads_path()
    app.deliver_screenshot(path=str(downloads if downloads.is_dir() else Path.home()))


async def _run(app: App[int], action: str, node: Any) -> None:
    await app.run_action(action, node)


async def _take(app: App[int], name: str) -> None:
    await app.run_action(f"app.take_theme('{name}')")
