"""The system calls that a launcher makes, by ctypes (the os module has them from 3.12 on at best).

The numbers are those of mount(2), unshare(2), prctl(2) and capset(2); x86_64 and aarch64 differ in pivot_root's alone.
"""

# os.path throughout: pathlib would double a launcher's imports.
# ruff: noqa: PTH102, PTH103, PTH106
from __future__ import annotations

import ctypes
import fcntl
import os
import re
import socket
import struct
from typing import NoReturn

RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, BIND, REC, PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = (
    0x20000,
    0x2000000,
    0x4000000,
    0x8000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
_PDEATHSIG, _CAPBSET_DROP, _NO_NEW_PRIVS, _CAP_AMBIENT, _SIGKILL, _DETACH = 1, 24, 38, 47, 9, 2
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
FAILED = 125
"""A launcher's exit status where it could not start the program; its standard error says why."""

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mount.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_char_p]
_libc.prctl.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong]
_libc.syscall.restype = ctypes.c_long


def fail(why: OSError | str) -> NoReturn:
    """Ends the launcher with a line on its standard error."""
    message = why
    if isinstance(why, OSError):
        place = why.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        message = f"{why.filename}: {why.strerror}" if why.filename else f"{why.strerror}"
        message += f" (in {place.tb_frame.f_code.co_name})" if place is not None else ""
    os.write(2, f"launch: {message}\n".encode(errors="replace"))
    os._exit(FAILED)


def _check(result: int, what: str) -> None:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")


def _path(text: str | None) -> bytes | None:
    return None if text is None else os.fsencode(text)


def mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    """mount(2). Raises OSError that names the target."""
    result = _libc.mount(_path(source), _path(target), _path(kind), flags, _path(data))
    _check(result, f"mount {kind or source or 'again'} on {target}")


def bind(source: str, target: str) -> None:
    """Shows `source` at `target`, with what is mounted below it. Writable until `seal`.

    In a user namespace what lies under a mount of the host's must stay covered: without MS_REC the kernel refuses.
    """
    mount(source, target, None, BIND | REC)


def seal(folder: str) -> None:
    """Makes every mount below `folder` read-only, without set-uid files and devices."""
    with open("/proc/self/mountinfo", "rb") as file:
        places = [_unescaped(line.split(b" ", 5)[4]) for line in file]
    for place in sorted(place for place in places if place.startswith(folder + "/")):
        # The host's noexec is locked in a user namespace: leaving it out of the remount would be refused.
        try:
            locked = os.statvfs(place).f_flag & NOEXEC
            mount(None, place, None, REMOUNT | BIND | RDONLY | NOSUID | NODEV | locked)
        except FileNotFoundError:
            continue  # the host took it away meanwhile, with the folder that it was mounted on


def _unescaped(field: bytes) -> str:
    """Blanks and backslashes are octal escapes in mountinfo (proc_pid_mountinfo(5))."""
    return os.fsdecode(re.sub(rb"\\([0-7]{3})", lambda match: bytes([int(match[1], 8)]), field))


def tmpfs(target: str, size: int, mode: str = "755") -> None:
    """An empty file system of `size` bytes at most."""
    # An empty file costs no bytes of the size but some of the kernel's: their number is bounded, too.
    mount("tmpfs", target, "tmpfs", NOSUID | NODEV, f"mode={mode},size={size},nr_inodes={max(size >> 12, 1024)}")


def private_mounts() -> None:
    """Cuts this mount namespace off from the host's: what is mounted from here on is seen here alone."""
    mount(None, "/", None, REC | PRIVATE)


def unshare(flags: int) -> None:
    _check(_libc.unshare(flags), "unshare")


def pivot_root(new: str) -> None:
    """Makes `new` the root and lets go of the old one."""
    os.mkdir(f"{new}/.old")
    os.chdir(new)
    number = _PIVOT_ROOT.get(os.uname().machine)
    if number is None:
        raise OSError(0, f"no sandbox for {os.uname().machine} yet")
    _check(_libc.syscall(number, b".", b".old"), "pivot_root")
    os.chdir("/")
    _check(_libc.umount2(b"/.old", _DETACH), "umount of the old root")
    os.rmdir("/.old")


def loopback_up() -> None:
    """A new network namespace has its lo down (netdevice(7): SIOCSIFFLAGS, IFF_UP and IFF_RUNNING)."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, 0x8914, struct.pack("16sh14x", b"lo", 0x1 | 0x40))


def die_with_parent(parent: int) -> None:
    """SIGKILL when the parent thread ends. `parent` is its process: it may be gone before this call."""
    _check(_libc.prctl(_PDEATHSIG, _SIGKILL, 0, 0, 0), "PR_SET_PDEATHSIG")
    if os.getppid() != parent:
        fail("the parent is gone")


def prefer_oom_kill() -> None:
    """Makes the kernel's OOM killer end this process and its children before all others."""
    try:
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write("1000")
    except OSError:
        pass  # a preference, not needed for isolation


def no_new_privileges() -> None:
    _check(_libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0), "PR_SET_NO_NEW_PRIVS")


def forget_capabilities() -> None:
    """Empties the bounding and ambient sets: no later exec gives any capability."""
    for capability in range(64):
        if _libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0) < 0:
            break
    _libc.prctl(_CAP_AMBIENT, 4, 0, 0, 0)


def drop_capabilities() -> None:
    """Empties the effective, permitted and inheritable sets (capset(2), version 3)."""

    class Header(ctypes.Structure):
        _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]

    header, nothing = Header(0x20080522, 0), (ctypes.c_uint32 * 6)()
    _check(_libc.capset(ctypes.byref(header), nothing), "capset")


def set_user(uid: int, gid: int) -> None:
    """Changes to another user for good; leaving uid 0 drops every capability."""
    os.setgroups([])
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)


def make(path: str, folder: bool) -> None:
    """A place to mount on."""
    os.makedirs(path if folder else os.path.dirname(path), 0o755, exist_ok=True)
    if not folder and not os.path.lexists(path):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))


def execute(argv: list[str], environment: dict[str, str]) -> NoReturn:
    """Becomes the program."""
    try:
        os.execve(argv[0], argv, environment)
    except OSError as error:
        fail(f"{argv[0]} could not be started: {error.strerror}")


def close_others() -> None:
    """Nothing but stdin, stdout and stderr goes to the program."""
    os.closerange(3, 1 << 16)
