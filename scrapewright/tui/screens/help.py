"""What the keys do here and now: the pane with the focus, the session, everywhere. Made from the bindings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.containers import Vertical
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen

from scrapewright.tui.keymap import Known, keys_of, known_bindings
from scrapewright.tui.panes.base import Pane
from scrapewright.tui.stale_resize import StaleResizeFilter
from scrapewright.tui.widgets.plain import Line, Plain
from scrapewright.tui.widgets.prose import Prose

QUIET = "$text-quiet"


def help_lines(
    screen: Screen[object], active: Mapping[str, ActiveBinding], known: Iterable[Known], show: App[int]
) -> list[Line]:
    """The keys valid now, by where they are; below them the screen's others, which are valid at other times."""
    pane = None
    if screen.focused is not None:
        pane = next((w for w in screen.focused.ancestors_with_self if isinstance(w, Pane)), None)
    lines: list[Line] = []
    sections: dict[str, dict[str, tuple[list[str], str]]] = {"here": {}, "session": {}, "everywhere": {}}
    seen = set()
    for found in active.values():
        binding = found.binding
        if not found.enabled or not binding.id or not binding.description:
            continue
        seen.add(binding.id)
        where = "everywhere" if isinstance(found.node, App) else "session" if found.node is screen else "here"
        keys, _ = sections[where].setdefault(binding.action, ([], binding.description))
        keys.append(show.get_key_display(binding))
    if pane is not None or sections["here"]:
        title, said = ((pane.id or "").capitalize(), pane.HELP or "") if pane is not None else ("Here", "")
        lines.append([(title, "bold $primary")])
        lines += [[("  " + " ".join(part.split()), "")] for part in said.replace("`", "").split("\n\n") if part]
        lines += [*_keys(sections["here"]), []]
    for name, title in (("session", "Now, in this session"), ("everywhere", "Everywhere")):
        if sections[name]:
            lines += [[(title, "bold $primary")], *_keys(sections[name]), []]
    others: dict[str, tuple[list[str], str]] = {}
    for other in known:
        if isinstance(screen, other.owner) and other.id not in seen and other.description:
            shown = [show.get_key_display(Binding(key, "", "")) for key in keys_of(other, show._keymap)]
            others[other.id] = (shown, other.description)
    if others:
        lines += [[("At other times", "bold $primary")], *_keys(others), []]
    lines.append([("Keys are remapped in [keys] of config.toml, by these names:", QUIET)])
    lines.append([("  " + ", ".join(sorted(name for name in seen | set(others) if name)), QUIET)])
    return lines


def _keys(section: Mapping[str, tuple[list[str], str]]) -> list[Line]:
    """A line for each action; two whose keys are shown as a pair, as `[ ]`, have one."""
    shown = [key for keys, _ in section.values() for key in keys]
    pairs = {part: pair for pair in shown if " " in pair for part in pair.split()}
    lines: dict[str, list[str]] = {}
    for keys, description in section.values():
        label = "  ".join(dict.fromkeys(pairs.get(key, key) for key in keys))
        lines.setdefault(label, []).append(description)
    return [[(f"  {label:16} ", "$accent"), (" / ".join(said), "")] for label, said in lines.items()]


class HelpScreen(StaleResizeFilter, ModalScreen[None]):
    """Over the screen that it tells of."""

    DEFAULT_CSS = """
    HelpScreen {
        align: center middle;
        #help-box {
            width: 84; max-width: 96%; height: 90%; background: $surface; border: round $primary; padding: 0 1;
        }
        #help-foot { height: 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,q,question_mark", "dismiss", "Close", id="help-close", priority=True),
    ]

    def __init__(self, lines: list[Line]) -> None:
        super().__init__()
        self._said = lines

    def compose(self) -> ComposeResult:
        with Vertical(id="help-box") as box:
            box.border_title = "Help"
            yield Prose(id="help-rows")
            yield Plain(id="help-foot")

    def on_mount(self) -> None:
        self.query_one(Prose).show(self._said)
        self.query_one(Prose).focus()
        self.query_one("#help-foot", Plain).show([[("j k g G scroll · esc closes", QUIET)]])


def open_help(app: App[int]) -> None:
    """For the screen that is up."""
    screen = app.screen
    if isinstance(screen, ModalScreen):
        return
    node: DOMNode = screen
    assert isinstance(node, Screen)
    app.push_screen(HelpScreen(help_lines(node, screen.active_bindings, known_bindings(), app)))
