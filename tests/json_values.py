"""Values as JSON has them, for property tests: the leaves a test chooses, in lists and objects."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

KEYS = st.text(max_size=5)


def json_values(
    leaves: SearchStrategy[Any], keys: SearchStrategy[str] = KEYS, *, most: int | None = 4, max_leaves: int = 100
) -> SearchStrategy[Any]:
    """`most`: how many a list or an object holds at most; None for any number."""

    # No lambda: hypothesis parses the source of one, which can fail deep in a stack on CPython 3.11.
    def around(inner: SearchStrategy[Any]) -> SearchStrategy[Any]:
        return st.lists(inner, max_size=most) | st.dictionaries(keys, inner, max_size=most)

    return st.recursive(leaves, around, max_leaves=max_leaves)
