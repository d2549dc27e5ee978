"""Word lists are written as running text, which is read and kept in order more easily than as quoted items."""

from __future__ import annotations


def word_set(*texts: str) -> frozenset[str]:
    """The words of the texts, as a set."""
    return frozenset(word for text in texts for word in text.split())
