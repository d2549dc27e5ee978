"""What every test of a model's endpoint begins with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scrapewright.programmers.model import endpoint
from tests.fakes.model_server import certificates_read_once


@pytest.fixture(autouse=True, scope="module")
def _certificates() -> Iterator[None]:
    with certificates_read_once():
        yield


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    endpoint._accepted.clear()
