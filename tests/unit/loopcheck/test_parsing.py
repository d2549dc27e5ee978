"""Programs are parsed in any thread, and the process's warnings stay as they are."""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Iterator

import pytest

from scrapewright.loop.parsing import parse

ODD = 'pattern = "\\d+"\n' * 400
"""Its literals are warned about."""


@pytest.fixture
def _often_interrupted() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_often_interrupted")
def test_threads_that_parse_at_once_leave_the_filters_as_they_were() -> None:
    warnings.simplefilter("error")
    before = list(warnings.filters)
    failed: list[Exception] = []

    def work() -> None:
        try:
            for _ in range(20):
                parse(ODD)
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert warnings.filters == before
