"""What is done before a job can come: imports, the pipe out of reach, the working directory."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from typing import Any

from harness import wire


def prepare(preload: list[str]) -> dict[str, str]:
    """Imports what programs are likely to import, so that they find it there. What failed, with the reason."""
    import multiprocessing

    # 3.14 would use a fork server, whose Unix socket the filter forbids.
    multiprocessing.set_start_method("fork", force=True)
    failed = {}
    for name in preload:
        try:
            __import__(name)
        except Exception as error:
            failed[name] = f"{type(error).__name__}: {error}"[:500]
    gc.collect()
    gc.freeze()  # a collection in the child would touch, and so copy, every page of it
    return failed


def take_pipe() -> tuple[int, int]:
    """Moves the pipe off descriptors 0 and 1, which then lead nowhere, as does anything printed here by mistake."""
    source, target = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.close(null)
    return source, target


def make_folder(alone: bool) -> str:
    """The folder that holds the working directory; the same path in every sandbox, so that messages compare."""
    folder = tempfile.gettempdir() if alone else tempfile.mkdtemp(prefix="run-")
    os.makedirs(folder + "/work", exist_ok=True)
    return folder


def describe_self(failed: dict[str, str]) -> dict[str, Any]:
    """What READY says."""
    return {
        "version": wire.VERSION,
        "python": ".".join(str(part) for part in sys.version_info[:3]),
        "pid": os.getpid(),
        "preload_failed": failed,
    }
