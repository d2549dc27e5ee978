"""The RESULT's message: {seen, claimed}, what the supervisor saw and what the program's process says of itself."""

from __future__ import annotations

from typing import Any

from harness import wire

CUT = 256 << 10
"""Characters left of each part of the output where a message could not hold more."""


def claim(report: bytes) -> dict[str, Any]:
    """The program's own report; empty where there is none, or none that can be read."""
    if not report:
        return {}
    try:
        return wire.load(report)
    except wire.WireError:
        return {}


def encode(seen: dict[str, Any], claimed: dict[str, Any]) -> bytes:
    """As JSON that a message can hold. Where it could not, the claims go first, then most of the output."""
    try:
        data = wire.dump({"seen": seen, "claimed": claimed})
    except (ValueError, RecursionError):  # numbers or depths that no writer of ours makes
        claimed = {}
        data = wire.dump({"seen": seen, "claimed": claimed})
    if len(data) > wire.MAX_MESSAGE:
        kept = {name: claimed[name] for name in ("outcome", "exit_code") if type(claimed.get(name)) in (str, int)}
        claimed = {**kept, "recorder": "off", "recorder_note": "the report was too large to pass on"}
        if len(str(claimed)) > CUT:
            claimed = {}
        data = wire.dump({"seen": seen, "claimed": claimed})
    if len(data) > wire.MAX_MESSAGE:
        cut = {
            stream: {**seen[stream], "head": seen[stream]["head"][:CUT], "tail": seen[stream]["tail"][-CUT:]}
            for stream in ("stdout", "stderr")
        }
        data = wire.dump({"seen": {**seen, **cut}, "claimed": claimed})
    return data
