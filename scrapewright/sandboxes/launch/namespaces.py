"""The sandbox by plain namespaces, for a machine without bubblewrap: the same as the bubblewrap arguments give.

SPEC: {"parent": PID, "uid": U, "gid": G, "binds": [[host, inside]...], "covers": [path...],
"masks": [path...], "links": [[name, target]...], "tmpfs": [[path, bytes]...], "environment": {...}, "cwd": path}, then
the program's argv.

As root the namespaces are made as root and the user is given up before the program; else a user namespace comes first.
The process that is started stays as monitor: it ends with its parent, with it the program, and it passes the program's
exit status on.
"""

# os.path throughout: pathlib would double a launcher's imports.
# ruff: noqa: PTH112, PTH211
from __future__ import annotations

import json
import os
import socket
import sys
from typing import Any, NoReturn

from scrapewright.sandboxes.launch import kernel

_SPACES = kernel.NEWNS | kernel.NEWPID | kernel.NEWNET | kernel.NEWIPC | kernel.NEWUTS | kernel.NEWCGROUP
_DEVICES = ("null", "zero", "full", "random", "urandom")
_DEVICE_LINKS = {
    "fd": "/proc/self/fd",
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
    "stderr": "/proc/self/fd/2",
}
_ROOT = "/tmp"  # the new root is mounted over it, in a mount namespace that nobody else sees


def main() -> None:
    spec, argv = json.loads(sys.argv[1]), sys.argv[2:]
    try:
        start(spec, argv)
    except OSError as error:
        kernel.fail(error)


def start(spec: dict[str, Any], argv: list[str]) -> NoReturn:
    root = os.geteuid() == 0 and spec["uid"] != 0
    kernel.die_with_parent(spec["parent"])
    kernel.prefer_oom_kill()
    if root:
        kernel.unshare(_SPACES)
    else:
        uid, gid = os.getuid(), os.getgid()
        kernel.unshare(_SPACES | kernel.NEWUSER)
        for name, value in (("setgroups", "deny"), ("uid_map", f"1000 {uid} 1"), ("gid_map", f"1000 {gid} 1")):
            _write(f"/proc/self/{name}", value)
        _forbid_user_namespaces()
    child = os.fork()
    if child:
        _monitor(child, spec, root)
    # From here on this is PID 1 of the new namespace. Its parent is outside: getppid() gives 0 whether it lives or not.
    # Should the parent die before the next line, the end of stdin ends the program.
    kernel.die_with_parent(0)
    _build(spec)
    kernel.forget_capabilities()
    if root:
        kernel.set_user(spec["uid"], spec["gid"])
    kernel.drop_capabilities()
    kernel.no_new_privileges()
    kernel.die_with_parent(0)  # again: the change of user has forgotten it
    os.setsid()
    os.umask(0o022)
    os.chdir(spec["cwd"])
    kernel.close_others()
    kernel.execute(argv, spec["environment"])


def _monitor(child: int, spec: dict[str, Any], root: bool) -> NoReturn:
    if root:
        kernel.set_user(spec["uid"], spec["gid"])
    kernel.die_with_parent(spec["parent"])
    os.closerange(0, 2)
    kernel.close_others()
    _, status = os.waitpid(child, 0)
    os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))


def _forbid_user_namespaces() -> None:
    """No user namespace inside ours (bubblewrap's --disable-userns). Without capabilities it can't be set back."""
    try:
        _write("/proc/sys/user/max_user_namespaces", "0")
    except OSError:
        return


def _build(spec: dict[str, Any]) -> None:
    kernel.private_mounts()
    kernel.loopback_up()
    # Opened first: the new root covers /tmp, and what is to be shown may lie there.
    held = [(os.open(host, os.O_PATH | os.O_CLOEXEC), inside) for host, inside in spec["binds"]]
    devices = [(os.open(f"/dev/{name}", os.O_PATH | os.O_CLOEXEC), name) for name in _DEVICES]
    kernel.tmpfs(_ROOT, 1 << 20)
    for descriptor, inside in held:
        kernel.make(_ROOT + inside, os.path.isdir(f"/proc/self/fd/{descriptor}"))
        kernel.bind(f"/proc/self/fd/{descriptor}", _ROOT + inside)
        os.close(descriptor)
    kernel.seal(_ROOT)
    for path in spec["covers"]:
        kernel.tmpfs(_ROOT + path, 4096)
        kernel.mount(None, _ROOT + path, None, kernel.REMOUNT | kernel.RDONLY | kernel.NOSUID | kernel.NODEV)
    for name, target in spec["links"]:
        os.symlink(target, f"{_ROOT}/{name}")
    kernel.make(f"{_ROOT}/dev", True)
    for descriptor, name in devices:
        kernel.make(f"{_ROOT}/dev/{name}", False)
        kernel.mount(f"/proc/self/fd/{descriptor}", f"{_ROOT}/dev/{name}", None, kernel.BIND)
        os.close(descriptor)
    for name, target in _DEVICE_LINKS.items():
        os.symlink(target, f"{_ROOT}/dev/{name}")
    for path, size in spec["tmpfs"]:
        kernel.make(_ROOT + path, True)
        kernel.tmpfs(_ROOT + path, size, "1777")
    kernel.make(f"{_ROOT}/proc", True)
    safe = kernel.NOSUID | kernel.NODEV | kernel.NOEXEC
    kernel.mount("proc", f"{_ROOT}/proc", "proc", safe)
    for path in spec["masks"]:
        kernel.bind(f"{_ROOT}/dev/null", _ROOT + path)
    kernel.seal(f"{_ROOT}/proc")
    kernel.mount(None, f"{_ROOT}/proc", None, kernel.REMOUNT | kernel.BIND | kernel.RDONLY | safe)
    kernel.pivot_root(_ROOT)
    kernel.mount(None, "/", None, kernel.REMOUNT | kernel.BIND | kernel.RDONLY | kernel.NOSUID | kernel.NODEV)
    socket.sethostname("sandbox")


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)
