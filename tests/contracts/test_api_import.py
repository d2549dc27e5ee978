"""`from scrapewright import Scrapewright` costs next to nothing, and every public name is there and documented."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import scrapewright

HEAVY = {"textual", "openai", "docker", "pandas", "numpy", "lxml", "bs4", "diskcache", "asyncio", "msgspec", "typer"}
AT_MOST = 0.1
"""Seconds of processor time."""
MEASURED = """\
import sys, time
began = time.process_time()
from scrapewright import AsyncScrapewright, Scrapewright
print(time.process_time() - began, *{name.partition(".")[0] for name in sys.modules})
"""


def test_the_clients_are_imported_in_a_tenth_of_a_second_without_anything_heavy() -> None:
    took = []
    for _ in range(3):  # the least of three: what else runs on the machine costs the caches
        done = subprocess.run([sys.executable, "-c", MEASURED], capture_output=True, text=True, check=True)
        seconds, *loaded = done.stdout.split()
        assert not set(loaded) & HEAVY
        took.append(float(seconds))
        if took[-1] < AT_MOST:
            return
    raise AssertionError(f"seconds: {took}")


@pytest.mark.parametrize("name", scrapewright.__all__)
def test_a_public_name_is_there_and_says_what_it_is(name: str) -> None:
    value = getattr(scrapewright, name)
    assert name in dir(scrapewright)
    assert isinstance(value, str) or inspect.getdoc(value)


def test_any_other_name_is_none() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Scraper'"):
        scrapewright.Scraper  # noqa: B018


@pytest.mark.parametrize("name", ["run", "stream", "result", "check", "trace", "page"])
def test_both_clients_take_the_same(name: str) -> None:
    blocking = inspect.signature(getattr(scrapewright.Scrapewright, name))
    other = inspect.signature(getattr(scrapewright.AsyncScrapewright, name))
    assert blocking.parameters == other.parameters
