"""What a local sandbox shows its program, independent of what builds it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from scrapewright.sandboxes import distributions, interpreter

SITE, HARNESS, SCRATCH = "/site", "/harness", "/tmp"
SHARED_MEMORY = 8 << 20
"""Bytes of /dev/shm."""

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": SCRATCH,
    "TMPDIR": SCRATCH,
    "LANG": "C.UTF-8",
    # One arena and one BLAS thread a process: with the defaults 16 threads do not fit the memory limit.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
}

_MASKED = ("/proc/keys", "/proc/key-users")
"""The kernel's key rings are in no namespace: the host user's are listed there."""


class Guest(NamedTuple):
    """What a sandbox shows besides the interpreter and its packages, for another program that is to run in it.

    `shown` are (place inside, host path), bound read-only; `unix`: it needs Unix sockets.
    """

    shown: tuple[tuple[str, str], ...] = ()
    unix: bool = False


@dataclass(frozen=True)
class Layout:
    """What is where inside.

    `binds` are read-only (host path, path inside), parents first; `covers` directories inside them to hide; `masks`
    files of /proc to close; `links` (name in the root, target). `argv` is the harness's, to be run at `cwd` as PID 1.
    """

    binds: tuple[tuple[str, str], ...]
    covers: tuple[str, ...]
    masks: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    environment: tuple[tuple[str, str], ...]
    argv: tuple[str, ...]
    site: distributions.Site
    cwd: str = SCRATCH


def build(harness: Path, preload: tuple[str, ...] = distributions.PRELOAD, guest: Guest | None = None) -> Layout:
    """The layout for this host and interpreter, for a sandbox that imports `preload` before its job.

    Reads the disk: some 0.1 s.
    """
    site = distributions.find()
    python = interpreter.find(site.entries.values())
    shown = {str(place): str(real) for place, real in python.shown.items()}
    shown.update((f"{SITE}/{name}", str(real)) for name, real in sorted(site.entries.items()))
    shown[HARNESS] = str(harness)
    guest = guest or Guest()
    for place, real in guest.shown:
        shown.setdefault(place, real)
    environment = dict(ENVIRONMENT)
    if python.search:
        environment["LD_LIBRARY_PATH"] = ":".join(python.search)
    task = json.dumps({"site": [SITE], "preload": list(preload), **({"unix": True} if guest.unix else {})})
    return Layout(
        binds=tuple((real, place) for place, real in shown.items()),
        covers=tuple(map(str, python.covered)),
        masks=tuple(name for name in _MASKED if Path(name).exists()),
        links=tuple(python.links.items()),
        environment=tuple(environment.items()),
        argv=(str(python.binary), "-I", "-S", "-B", f"{HARNESS}/__main__.py", task),
        site=site,
    )
