"""As root: give up root and start a program as an unprivileged user, with some paths still readable to it.

SPEC: {"uid": U, "gid": G, "expose": [paths]}. Where a path lies below a directory that others can't enter (root's
home), that directory is covered in a mount namespace of our own by an empty one, and the path alone is bound back into
it. So every path keeps its name, and nothing else of the directory is there. The mounts end with the processes in it.
"""

# os.path throughout: pathlib would double a launcher's imports.
# ruff: noqa: PTH110, PTH112, PTH116
from __future__ import annotations

import json
import os
import stat
import sys

from scrapewright.sandboxes.launch import kernel


def main() -> None:
    spec, argv = json.loads(sys.argv[1]), sys.argv[2:]
    try:
        kernel.prefer_oom_kill()
        expose(spec["expose"])
        kernel.set_user(spec["uid"], spec["gid"])
        os.umask(0o022)
        os.chdir("/")
        # The exec'd program asks for SIGKILL with its parent itself: a change of user forgets such a wish.
        kernel.execute(argv, dict(os.environ))
    except OSError as error:
        kernel.fail(error)


def closed_folder(path: str) -> str | None:
    """The topmost folder above `path` that others can't enter."""
    place = "/"
    for part in path.strip("/").split("/")[:-1]:
        place = os.path.join(place, part)
        if not os.stat(place).st_mode & stat.S_IXOTH:
            return place
    return None


def expose(paths: list[str]) -> None:
    wanted: dict[str, list[str]] = {}
    for path in paths:
        folder = closed_folder(path)
        if folder is not None:
            wanted.setdefault(folder, []).append(path)
    if not wanted:
        return
    kernel.unshare(kernel.NEWNS)
    kernel.private_mounts()
    for folder, below in wanted.items():
        # Opened after unshare: a descriptor from before belongs to the other mount namespace and can't be bound.
        held = [(path, os.open(path, os.O_PATH | os.O_CLOEXEC), os.path.isdir(path)) for path in sorted(below)]
        kernel.tmpfs(folder, 1 << 20)
        for path, descriptor, is_folder in held:
            if not os.path.exists(path):
                kernel.make(path, is_folder)
                kernel.bind(f"/proc/self/fd/{descriptor}", path)
            os.close(descriptor)
        kernel.seal(folder)
        kernel.mount(None, folder, None, kernel.REMOUNT | kernel.RDONLY | kernel.NOSUID | kernel.NODEV)
