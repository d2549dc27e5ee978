"""What the process ends with. A session's last event carries its own, so that a past one is known as well."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The command's exit code. RETRY_LATER: something outside is down, or can't be written."""

    OK = 0
    UNREPAIRED = 1
    USAGE = 2
    RETRY_LATER = 3
    BUDGET = 4
    INTERRUPTED = 130
