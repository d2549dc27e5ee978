"""The sandbox by plain Linux namespaces, made by our own launcher: nothing to install, the same isolation."""

from __future__ import annotations

from typing import Any

from scrapewright.sandboxes.layout import SCRATCH, SHARED_MEMORY, Layout


def spec(layout: Layout, disk: int) -> dict[str, Any]:
    """What launch/namespaces.py builds. `disk` is the size of the writable directory in bytes."""
    return {
        "binds": layout.binds,
        "covers": layout.covers,
        "masks": layout.masks,
        "links": layout.links,
        "tmpfs": [(SCRATCH, disk), ("/dev/shm", SHARED_MEMORY)],
        "environment": dict(layout.environment),
        "cwd": layout.cwd,
    }
