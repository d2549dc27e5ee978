"""A pane of several texts, one shown at a time."""

from __future__ import annotations

from typing import cast, get_args

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.widget import Widget
from textual.widgets import ContentSwitcher

from scrapewright.tui.panes.base import Pane
from scrapewright.tui.view import log_header
from scrapewright.tui.view_state import Stream, ViewState
from scrapewright.tui.widgets.focus import focus_now
from scrapewright.tui.widgets.plain import Plain, Span
from scrapewright.tui.widgets.rows import Rows
from scrapewright.tui.widgets.search import Searchable

LOGS = frozenset(get_args(Stream))


class TabbedPane(Pane):
    """Subclasses name the tabs, and show what belongs in the one that is seen; only that is worked out.

    A tab named stdout or stderr is that stream's log, and keeps its end in view.
    """

    TABS: tuple[str, ...] = ()
    CURSOR: frozenset[str] = frozenset()
    """The tabs whose rows have a cursor."""
    DEFAULT_CSS = """
    TabbedPane {
        ContentSwitcher { height: 1fr; }
    }
    """
    BINDINGS = [
        Binding("left_square_bracket", "tab(-1)", "Tab before", show=False, id="tab-before"),
        Binding("right_square_bracket", "tab(1)", "Next tab", id="tab-next", key_display="[ ]"),
    ]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._tab = 0
        self._key: object = None

    def compose(self) -> ComposeResult:
        yield Plain(classes="tabs")
        with ContentSwitcher(initial=self._tab_id(0)):
            for number, tab in enumerate(self.TABS):
                yield self.make_tab(tab, self._tab_id(number))

    def make_tab(self, tab: str, id: str) -> Widget:  # noqa: A002
        """The widget of a tab."""
        return Rows(cursor=tab in self.CURSOR, tail=tab in LOGS, id=id)

    def on_mount(self) -> None:
        super().on_mount()
        self._titles()

    def _show_log(self, view_state: ViewState, tab: str) -> None:
        log = view_state.log(cast(Stream, tab))
        key = (tab, id(log), log.end, log.written)
        if key != self._key:
            self._key = key
            self.query_one(f"#{self._tab_id(self._tab)}", Rows).show_log(log, log_header(log))

    @property
    def tab(self) -> str:
        """The name of the tab that is seen."""
        return self.TABS[self._tab]

    @property
    def tab_widget(self) -> Widget:
        """The widget of the tab that is seen."""
        return self.query_one(f"#{self._tab_id(self._tab)}")

    @property
    def front(self) -> Widget | None:
        shown = self.tab_widget
        return shown if isinstance(shown, Searchable) else None

    def focus_inside(self) -> None:
        focus_now(self.tab_widget)

    def choose(self, tab: str) -> None:
        """Shows the tab of that name."""
        self._tab = self.TABS.index(tab)
        self.query_one(ContentSwitcher).current = self._tab_id(self._tab)
        self._titles()
        self.show(self._subject)

    def action_tab(self, step: int) -> None:
        self.choose(self.TABS[(self._tab + step) % len(self.TABS)])
        self.focus_inside()

    def on_click(self, event: events.Click) -> None:
        """A click on a tab's name."""
        if not isinstance(event.widget, Plain) or not event.widget.has_class("tabs"):
            return
        place = 0
        for tab in self.TABS:
            place += len(tab) + 2
            if event.x < place:
                self.choose(tab)
                self.focus_inside()
                break

    def _tab_id(self, number: int) -> str:
        return f"{self.id}-{self.TABS[number]}"

    def on_descendant_focus(self) -> None:
        self._titles()

    def on_descendant_blur(self) -> None:
        self._titles()

    def _titles(self) -> None:
        """The tab in front stands out where the keys go more than elsewhere."""
        front = "bold underline $primary" if self.has_focus_within else "bold underline"
        spans: list[Span] = []
        for number, tab in enumerate(self.TABS):
            spans += [(" ", ""), (tab, front if number == self._tab else "$text-quiet"), (" ", "")]
        self.query_one(".tabs", Plain).show([spans])
