"""Parsing programs without the warnings about their literals, which belong to whoever runs them."""

from __future__ import annotations

import ast
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_TURN = threading.Lock()


@contextmanager
def without_warnings() -> Iterator[None]:
    """Not to be nested. The filters are the whole process's: sessions in several threads take turns, or one would put
    back what another has set."""
    with _TURN, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def parse(code: str) -> ast.Module:
    """The tree of a program. Raises SyntaxError, ValueError, RecursionError, MemoryError."""
    with without_warnings():
        return ast.parse(code)
