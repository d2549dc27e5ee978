"""Pages are drawn here, as they are for whoever says nothing of it."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCRAPEWRIGHT_RENDER")
