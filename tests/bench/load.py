"""What else the machine does, to be reported beside the figures."""

from __future__ import annotations

import os


def load() -> str:
    """Processes that run or wait to, over the last minute, and how many can."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"
