"""The line about models that servers on this machine offer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scrapewright.session.sanitize import one_line
from scrapewright.tui.view.spans import QUIET
from scrapewright.tui.widgets.plain import Plain

SHOWN = 3
"""Models of a server that are named; all can be chosen."""


def offered(found: Mapping[str, Sequence[str]]) -> list[str]:
    """The names by which they are chosen, as --model takes them."""
    return [f"{provider}/{model}" for provider, models in found.items() for model in models]


class ModelsLine(Plain):
    """Hidden unless something was found."""

    DEFAULT_CSS = """
    ModelsLine { height: auto; max-height: 2; padding: 0 2; display: none; &.shown { display: block; } }
    """

    def tell(self, found: Mapping[str, Sequence[str]]) -> None:
        self.set_class(bool(found), "shown")
        servers = []
        for provider, models in found.items():
            more = f" and {len(models) - SHOWN} more" if len(models) > SHOWN else ""
            named = ", ".join(one_line(f"{provider}/{model}", 60) for model in models[:SHOWN])
            servers.append(f"{named}{more}" if models else f"{provider}, without models yet")
        self.show([[("runs here: ", QUIET), (" \u00b7 ".join(servers), ""), ("  (choose it as model above)", QUIET)]])
