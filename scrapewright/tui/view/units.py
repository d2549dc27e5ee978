"""Formats sizes, counts and times in few characters."""

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


def compact(count: float) -> str:
    """A count in at most four characters: 999, 1.2k, 12k, 3.4M."""
    if count < 1_000:
        return str(int(count))
    value = float(count)
    for unit in "kMGT":
        value /= 1_000
        if value < 9.95:
            return f"{value:.1f}{unit}"
        if value < 999.5:
            return f"{value:.0f}{unit}"
    return "lots"


def took(seconds: float) -> str:
    """A duration in at most five characters below a hundred hours: 0.4 s, 12 s, 3:05, 1h02."""
    if seconds < 9.95:
        return f"{max(0.0, seconds):.1f} s"
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}" if minutes < 60 else f"{minutes // 60}h{minutes % 60:02}"


def clock(seconds: float) -> str:
    """A clock that runs: 0:42, 3:05, 1:02:03."""
    minutes, rest = divmod(max(0, int(seconds)), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"
