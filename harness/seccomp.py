"""The seccomp filter: what no program in a sandbox may ask of the kernel, whatever the backend.

Namespaces keep files, processes and the network apart; the filter closes what they leave open: sockets of other
families, io_uring, keyrings, tracing, new namespaces, and the calls that change another process of the same user by
its number (`prlimit(1, RLIMIT_CPU, 0)` makes the kernel kill a namespace's init, which no signal of the program's
could).

Classic BPF, assembled here; no libseccomp. System call numbers from asm/unistd_64.h and asm-generic/unistd.h.
"""

from __future__ import annotations

import errno
import os
import struct

from harness import kernel

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""AUDIT_ARCH_* by machine name."""

ALLOW = 0x7FFF0000
KILL = 0x80000000
_ERRNO = 0x00050000
X32 = 0x40000000
"""x86_64 only: numbers from here up are the x32 calls, which would pass by the rules."""

FAMILIES = (2, 10)
"""AF_INET and AF_INET6. socketpair(AF_UNIX) is another call and stays."""
AF_UNIX = 1
NEW_NAMESPACES = 0x7E020000
"""Every CLONE_NEW* flag that clone takes."""
TERMINAL_REQUESTS = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX: they type into the terminal."""

# (x86_64, aarch64); None where the architecture lacks the call
SOCKET = (41, 198)
CLONE = (56, 220)
CLONE3 = (435, 435)
IOCTL = (16, 29)

DENIED: dict[str, tuple[int | None, int | None]] = {
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "process_madvise": (440, 440),
    # large surfaces of the kernel
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    # memory that outlives its process and counts against none
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "msgget": (68, 186), "semget": (64, 190),
    "memfd_create": (319, 279),
    "bpf": (321, 280), "userfaultfd": (323, 282), "perf_event_open": (298, 241), "vmsplice": (278, 75),
    "memfd_secret": (447, 447), "modify_ldt": (154, None), "uselib": (134, None), "personality": (135, 92),
    # namespaces and mounts
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "open_tree_attr": (467, 467), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262), "quotactl": (179, 60), "quotactl_fd": (443, 443), "lookup_dcookie": (212, 18),
    # the machine
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89),
    "syslog": (103, 116), "sethostname": (170, 161), "setdomainname": (171, 162), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "clock_adjtime": (305, 266), "adjtimex": (159, 171), "vhangup": (153, 58),
    "iopl": (172, None), "ioperm": (173, None),
}  # fmt: skip

OWN_PID: dict[str, tuple[int, int]] = {
    "prlimit64": (302, 261), "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118), "sched_setattr": (314, 274),
}  # fmt: skip
"""Allowed where the first argument, a process id, is 0: oneself."""

OWN_WHO: dict[str, tuple[int, int, int]] = {"setpriority": (141, 140, 0), "ioprio_set": (251, 30, 1)}
"""(numbers, the `which` that means a process): allowed for that `which` and process id 0 alone."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND = 0, 4, 16, 24


class _Assembler:
    """Instructions whose jumps name labels; None falls through."""

    def __init__(self) -> None:
        self._code: list[tuple[int, int, str | None, str | None]] = []
        self._labels: dict[str, int] = {}

    def add(self, operation: int, value: int, then: str | None = None, otherwise: str | None = None) -> None:
        self._code.append((operation, value, then, otherwise))

    def label(self, name: str) -> None:
        self._labels[name] = len(self._code)

    def bytes(self) -> bytes:
        """struct sock_filter each. Jumps are forward and at most 255 instructions long, or struct.error is raised."""

        def distance(label: str | None, here: int) -> int:
            return 0 if label is None else self._labels[label] - here - 1

        return b"".join(
            struct.pack("=HBBI", operation, distance(then, here), distance(otherwise, here), value)
            for here, (operation, value, then, otherwise) in enumerate(self._code)
        )


def build(machine: str, families: tuple[int, ...] = FAMILIES) -> bytes:
    """The filter for an architecture, with the sockets that may be made. Raises KeyError for one it doesn't know."""
    audit = ARCHITECTURES[machine]
    column = 0 if machine == "x86_64" else 1
    program = _Assembler()
    add, label = program.add, program.label

    add(_LOAD, _ARCHITECTURE)
    add(_EQUAL, audit, None, "kill")
    add(_LOAD, _NUMBER)
    if machine == "x86_64":
        add(_AT_LEAST, X32, "kill", None)
    add(_EQUAL, SOCKET[column], "socket")
    add(_EQUAL, CLONE[column], "clone")
    add(_EQUAL, CLONE3[column], "enosys")
    add(_EQUAL, IOCTL[column], "ioctl")
    for pid_numbers in OWN_PID.values():
        add(_EQUAL, pid_numbers[column], "own pid")
    for name, who_numbers in OWN_WHO.items():
        add(_EQUAL, who_numbers[column], name)
    for numbers in DENIED.values():
        denied = numbers[column]
        if denied is not None:
            add(_EQUAL, denied, "eperm")
    add(_RETURN, ALLOW)

    label("socket")
    add(_LOAD, _FIRST)
    for family in families:
        add(_EQUAL, family, "allow")
    add(_RETURN, _ERRNO | errno.EAFNOSUPPORT)
    label("clone")
    add(_LOAD, _FIRST)
    add(_ANY_BIT, NEW_NAMESPACES, "eperm", "allow")
    label("ioctl")
    add(_LOAD, _SECOND)
    for request in TERMINAL_REQUESTS:
        add(_EQUAL, request, "eperm")
    add(_RETURN, ALLOW)
    for name, (_, _, which) in OWN_WHO.items():
        label(name)
        add(_LOAD, _FIRST)
        add(_EQUAL, which, None, "eperm")
        add(_LOAD, _SECOND)
        add(_EQUAL, 0, "allow", "eperm")
    label("own pid")
    add(_LOAD, _FIRST)
    add(_EQUAL, 0, "allow", "eperm")
    label("allow")
    add(_RETURN, ALLOW)
    label("eperm")
    add(_RETURN, _ERRNO | errno.EPERM)
    label("enosys")  # the flags of clone3 lie in memory, out of a filter's sight; the C library then uses clone
    add(_RETURN, _ERRNO | errno.ENOSYS)
    label("kill")
    add(_RETURN, KILL)
    return program.bytes()


def install(*, unix: bool = False) -> None:
    """Loads the filter into this process, for good. Raises OSError; an architecture it doesn't know is one.

    `unix`: sockets of that family may be made, which a browser does not start without. They reach what is in the
    sandbox alone: their names are in its own network namespace and its own file system.
    """
    machine = os.uname().machine
    if machine not in ARCHITECTURES:
        raise OSError(errno.ENOSYS, f"no seccomp filter for {machine}")
    kernel.set_no_new_privileges()
    kernel.load_filter(build(machine, (*FAMILIES, AF_UNIX) if unix else FAMILIES))
