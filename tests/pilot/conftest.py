"""What all pilots share: the screen is drawn where a test looks at it."""

from __future__ import annotations

from typing import Any

import pytest
from textual._compositor import Compositor

from tests.suite import FULL

_DRAW = Compositor.render_update


def _draw_later(compositor: Compositor, full: bool = False, **how: Any) -> Any:
    """An update for a terminal is not made where there is none; a screen that is asked for is."""
    if full or not (compositor.root is not None and compositor.root.app.is_headless):
        return _DRAW(compositor, full, **how)
    compositor._dirty_regions.clear()
    return None


@pytest.fixture(autouse=True)
def _drawn_where_it_is_looked_at(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Updates for a terminal that is not there were two fifths of a pilot's time. `frame` and what exports a picture
    draw the whole screen as it is then. Tests that are about drawing are marked `drawn`; the whole suite draws all.
    """
    if not FULL and request.node.get_closest_marker("drawn") is None:
        monkeypatch.setattr(Compositor, "render_update", _draw_later)
