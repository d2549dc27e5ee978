"""String literals as ruff lays them out."""

from __future__ import annotations


def literal(text: str) -> str:
    """A string literal as ruff writes it: double quotes unless that needs more escapes."""
    plain = repr(text)
    if plain.startswith("'") and '"' not in text:
        return '"' + plain[1:-1].replace("\\'", "'") + '"'
    return plain


def raw_literal(pattern: str) -> str:
    """A regular expression as a raw string where that is possible and useful."""
    if "\\" not in pattern:
        return literal(pattern)
    if '"' not in pattern and not pattern.endswith("\\") and pattern.isprintable():
        return f'r"{pattern}"'
    if "'" not in pattern and not pattern.endswith("\\") and pattern.isprintable():
        return f"r'{pattern}'"
    return literal(pattern)
