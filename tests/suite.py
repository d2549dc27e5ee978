"""How much of the suite runs: all of it where FULL_SUITE is set, as by .ci/run; else what fits into five minutes.

What `make test` leaves out are repetitions. Tests of a sandbox run on one backend in full, and on the others where
they are marked `every_backend`, with the names of these if not on all; tests marked `full` are left out; for the rest
see the uses of FULL.
"""

from __future__ import annotations

import os
from typing import get_args

import pytest

from scrapewright.sandboxes import bwrap
from scrapewright.sandboxes.choose import Prefer

FULL = bool(os.environ.get("FULL_SUITE"))


def in_full() -> Prefer:
    """The backend that all tests run on: what is chosen where there is no container engine."""
    return "bwrap" if bwrap.find() is not None else "namespaces"


def runs(item: pytest.Item) -> bool:
    """Whether a test runs where the whole suite is not asked for."""
    if item.get_closest_marker("full") is not None:
        return False
    call = getattr(item, "callspec", None)
    for name in ("backend", "kind", "host") if call is not None else ():  # the fixtures of a test's backend
        value = call.params.get(name)
        backend = str(value[0] if isinstance(value, tuple) else value)
        if backend in get_args(Prefer):
            marker = item.get_closest_marker("every_backend")
            return backend == in_full() or (marker is not None and backend in (marker.args or get_args(Prefer)))
    return True


def examples(number: int) -> int:
    """How many examples a search for a counter-example tries: all of them in the whole suite, else a fifth."""
    return number if FULL else max(1, number // 5)
