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
    data = wire.dump({"seen": seen, "claimed": claimed})
    if len(data) > wire.MAX_MESSAGE:
        note = "the report was too large to pass on"
        claimed = {**claimed, "exception": None, "steps": [], "recorder_note": note}
        data = wire.dump({"seen": seen, "claimed": claimed})
    if len(data) > wire.MAX_MESSAGE:
        cut = {
            stream: {**seen[stream], "head": seen[stream]["head"][:CUT], "tail": seen[stream]["tail"][-CUT:]}
            for stream in ("stdout", "stderr")
        }
        data = wire.dump({"seen": {**seen, **cut}, "claimed": claimed})
    return data
