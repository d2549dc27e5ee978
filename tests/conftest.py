"""What all tests share: nobody's own folders, keys or .env are touched, and programs run locally."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

_HOMES = ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")


@pytest.fixture(autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home: Path | None = None
    for name in list(os.environ):
        if name.startswith(("SCRAPEWRIGHT_", "OPENAI_", "AZURE_OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("SCRAPEWRIGHT_SANDBOX", "local")  # the same with and without a container engine
    for name in _HOMES:
        home = home or tmp_path_factory.mktemp("home")
        monkeypatch.setenv(name, str(home / name.lower()))


@pytest.fixture(autouse=True)
def _what_stays_is_not_collected() -> None:
    """What the modules and the collected tests hold, some 400,000 objects, is not gone through again and again: that
    was a third of the time of a test of the screen."""
    if not gc.get_freeze_count():
        gc.collect()
        gc.freeze()
