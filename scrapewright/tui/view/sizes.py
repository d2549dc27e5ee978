"""Sizes and times in as few characters as say enough."""

from __future__ import annotations


def human_bytes(count: int) -> str:
    """999 B, 1.2 kB, 34 MB; powers of 1,000."""
    if count < 1_000:
        return f"{count} B"
    value = float(count)
    for unit in ("kB", "MB", "GB"):
        value /= 1_000
        if value < 999.5 or unit == "GB":
            break
    return f"{value:.1f} {unit}" if value < 9.95 else f"{value:.0f} {unit}"


def human_ms(ms: float) -> str:
    """45 ms, 1.2 s."""
    return f"{ms:.0f} ms" if ms < 999.5 else f"{ms / 1_000:.1f} s"


def counted(count: int, one: str, many: str = "") -> str:
    """1 row, 1,200 rows."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
