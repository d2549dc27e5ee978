"""What all tests share: the user's own folders, keys and .env are left alone, and programs run locally."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

from scrapewright.settings.models import PROVIDERS
from tests import suite

# No deadline: the machine may be busy with other tests.
settings.register_profile("suite", max_examples=suite.examples(100), deadline=None)
settings.load_profile("suite")

_PROVIDERS = tuple({f"{provider.key.removesuffix('API_KEY')}" for provider in PROVIDERS.values()})
"""What the variables that set up models begin with."""
_HOMES = ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leaves out what only the whole suite runs: it is not among the tests then, so that a skip stays a finding.

    Tests with a time limit of their own take minutes: they come first, so that no process ends with one.
    """
    if not suite.FULL:
        items[:] = [item for item in items if suite.runs(item)]
    items.sort(key=lambda item: item.get_closest_marker("timeout") is None)


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for each test. To find a free name, `mktemp` looks through all those that there are, at every test."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def _own_folders(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    home = next(_homes)
    for name in list(os.environ):
        if name.startswith(("SCRAPEWRIGHT_", "AGENT_CMD", *_PROVIDERS)) or name.upper().endswith("_PROXY"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("SCRAPEWRIGHT_FIND_MODELS", "no")  # a test finds servers of its own alone
    monkeypatch.setenv("SCRAPEWRIGHT_SANDBOX", "local")  # the same with and without a container engine
    monkeypatch.setenv("SCRAPEWRIGHT_RENDER", "never")  # the same with and without a Chromium
    for name in _HOMES:
        monkeypatch.setenv(name, str(home / name.lower()))


@pytest.fixture(autouse=True, scope="session")
def _what_stays_is_not_collected() -> None:
    """What the modules and the collected tests hold, some 400,000 objects, is not gone through again and again: that
    was a third of the time of a test of the screen. Once: even to ask whether it has been done takes milliseconds.
    """
    gc.collect()
    gc.freeze()
