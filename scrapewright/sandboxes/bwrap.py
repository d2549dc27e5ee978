"""The sandbox by bubblewrap (https://github.com/containers/bubblewrap), 0.8 or newer."""

from __future__ import annotations

import shutil

from scrapewright.sandboxes.layout import SCRATCH, SHARED_MEMORY, Layout


def find() -> str | None:
    """The absolute path of bwrap, if it is installed."""
    return shutil.which("bwrap") or shutil.which("bwrap", path="/usr/bin:/bin:/usr/local/bin")


def argv(program: str, layout: Layout, disk: int) -> list[str]:
    """The command line. `disk` is the size of the writable directory in bytes.

    The harness is PID 1, so the program can neither kill nor stop it. /dev and /proc are remounted read-only, since the
    first is an unbounded tmpfs and the second has the kernel's settings.
    """
    line = [
        program,
        *("--unshare-all", "--unshare-user", "--disable-userns", "--as-pid-1", "--die-with-parent", "--new-session"),
        *("--clearenv", "--cap-drop", "ALL", "--uid", "1000", "--gid", "1000", "--hostname", "sandbox"),
    ]
    for name, value in layout.environment:
        line += ["--setenv", name, value]
    for name, target in layout.links:
        line += ["--symlink", target, f"/{name}"]
    for host, inside in layout.binds:
        line += ["--ro-bind", host, inside]
    for path in layout.covers:
        line += ["--size", "4096", "--tmpfs", path, "--remount-ro", path]
    line += ["--proc", "/proc"]
    for path in layout.masks:
        line += ["--ro-bind", "/dev/null", path]
    line += ["--dev", "/dev", "--size", str(SHARED_MEMORY), "--tmpfs", "/dev/shm"]
    line += ["--size", str(disk), "--tmpfs", SCRATCH]
    line += ["--remount-ro", "/dev", "--remount-ro", "/proc", "--remount-ro", "/"]
    return [*line, "--chdir", layout.cwd, "--", *layout.argv]
