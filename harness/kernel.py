"""The few calls to the kernel that the standard library lacks. Linux only; each raises OSError."""

from __future__ import annotations

import ctypes
import os

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_SECCOMP = 22
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_MODE_FILTER = 2

_libc = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


def _prctl(option: int, *arguments: object) -> None:
    if _libc.prctl(option, *arguments) != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"prctl({option}): {os.strerror(code)}")


def set_dumpable(on: bool) -> None:
    """Off: no process of the same user may trace this one or read it through /proc."""
    _prctl(_PR_SET_DUMPABLE, int(on), 0, 0, 0)


def set_subreaper() -> None:
    """Orphans below this process become its children."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def set_no_new_privileges() -> None:
    """What is executed from here on gains nothing from set-uid bits or file capabilities."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def load_filter(instructions: bytes) -> None:
    """Installs a seccomp filter (8 bytes an instruction) for this process and all its children, for good."""
    buffer = ctypes.create_string_buffer(instructions, len(instructions))
    program = _Program(len(instructions) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    _prctl(_PR_SET_SECCOMP, ctypes.c_ulong(_SECCOMP_MODE_FILTER), ctypes.byref(program), 0, 0)


def die_with_parent() -> None:
    """The kernel kills this process when the one that made it ends."""
    _prctl(_PR_SET_PDEATHSIG, 9, 0, 0, 0)
