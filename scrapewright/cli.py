"""The door."""

from __future__ import annotations


def main() -> None:
    raise SystemExit(2)
