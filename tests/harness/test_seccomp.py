"""The filter's logic, run by a small BPF interpreter for both architectures; the kernel runs this machine's."""

from __future__ import annotations

import errno
import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from harness import seccomp

MACHINES = sorted(seccomp.ARCHITECTURES)
EPERM = 0x00050000 | errno.EPERM
HIGHEST = 600


def simulate(program: bytes, architecture: int, number: int, *arguments: int) -> int:
    """What the filter returns for a system call: struct seccomp_data, classic BPF with 32-bit words."""
    data = struct.pack("=IIQ6Q", number, architecture, 0, *arguments, *[0] * (6 - len(arguments)))
    code = [struct.unpack_from("=HBBI", program, start) for start in range(0, len(program), 8)]
    accumulator = position = 0
    while True:
        operation, then, otherwise, value = code[position]
        position += 1
        if operation == 0x20:
            (accumulator,) = struct.unpack_from("=I", data, value)
        elif operation == 0x06:
            return value
        else:
            holds = {0x15: accumulator == value, 0x35: accumulator >= value, 0x45: bool(accumulator & value)}[operation]
            position += then if holds else otherwise


class Machine:
    def __init__(self, name: str) -> None:
        self.column = 0 if name == "x86_64" else 1
        self.audit = seccomp.ARCHITECTURES[name]
        self.program = seccomp.build(name)

    def call(self, numbers: tuple[int | None, ...], *arguments: int) -> int:
        number = numbers[self.column]
        assert number is not None
        return simulate(self.program, self.audit, number, *arguments)


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest) -> Machine:
    return Machine(request.param)


def test_denied_calls(machine: Machine) -> None:
    there = {name: numbers for name, numbers in seccomp.DENIED.items() if numbers[machine.column] is not None}
    assert {name: machine.call(numbers) for name, numbers in there.items()} == dict.fromkeys(there, EPERM)
    assert len(there) > 50


def test_only_internet_sockets(machine: Machine) -> None:
    allowed = {family for family in range(64) if machine.call(seccomp.SOCKET, family) == seccomp.ALLOW}
    assert allowed == {2, 10}
    assert machine.call(seccomp.SOCKET, 1) == 0x00050000 | errno.EAFNOSUPPORT


@pytest.mark.parametrize("flag", [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000])
def test_no_new_namespaces(machine: Machine, flag: int) -> None:
    assert machine.call(seccomp.CLONE, flag | 17) == EPERM


def test_threads_and_forks_go_on(machine: Machine) -> None:
    assert machine.call(seccomp.CLONE, 0x3D0F00) == machine.call(seccomp.CLONE, 17) == seccomp.ALLOW
    assert machine.call(seccomp.CLONE3) == 0x00050000 | errno.ENOSYS


def test_no_typing_into_the_terminal(machine: Machine) -> None:
    assert machine.call(seccomp.IOCTL, 0, 0x5412) == machine.call(seccomp.IOCTL, 0, 0x541C) == EPERM
    assert machine.call(seccomp.IOCTL, 0, 0x5401) == seccomp.ALLOW


def test_limits_and_scheduling_of_oneself_alone(machine: Machine) -> None:
    for numbers in seccomp.OWN_PID.values():
        assert machine.call(numbers, 0, 7) == seccomp.ALLOW
        assert machine.call(numbers, 1, 7) == machine.call(numbers, 4242, 7) == EPERM
    for first, second, which in seccomp.OWN_WHO.values():
        numbers = (first, second)
        assert machine.call(numbers, which, 0) == seccomp.ALLOW
        assert machine.call(numbers, which, 1) == EPERM
        assert {machine.call(numbers, other, 0) for other in range(4) if other != which} == {EPERM}


def test_all_else_is_allowed(machine: Machine) -> None:
    special = [*seccomp.DENIED.values(), *seccomp.OWN_PID.values(), *seccomp.OWN_WHO.values()]
    special += [seccomp.SOCKET, seccomp.CLONE, seccomp.CLONE3, seccomp.IOCTL]
    named = {numbers[machine.column] for numbers in special}
    for number in set(range(HIGHEST)) - named:
        assert simulate(machine.program, machine.audit, number, 1, 1) == seccomp.ALLOW


def test_another_architectures_calls_kill(machine: Machine) -> None:
    for audit in {0x40000003, 0xC00000B7, 0xC000003E} - {machine.audit}:
        assert {simulate(machine.program, audit, number) for number in (0, 1, 41, 198)} == {seccomp.KILL}


def test_x32_calls_kill() -> None:
    machine = Machine("x86_64")
    for number in (0, 41, 0x3FFFFFFF):
        assert simulate(machine.program, machine.audit, seccomp.X32 + number) == seccomp.KILL


def test_an_unknown_architecture_has_no_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyError):
        seccomp.build("mips")
    unknown = os.uname_result(("Linux", "here", "6", "1", "mips"))
    monkeypatch.setattr(os, "uname", lambda: unknown)
    with pytest.raises(OSError, match="no seccomp filter for mips"):
        seccomp.install()


INSTALLED = """
import errno, os, resource, socket, sys, threading
sys.path.insert(0, sys.argv[1])
from harness import seccomp
seccomp.install()
found = []
for family in (socket.AF_UNIX, socket.AF_NETLINK, socket.AF_INET, socket.AF_INET6):
    try:
        socket.socket(family).close()
        found.append("ok")
    except OSError as error:
        found.append(errno.errorcode[error.errno])
for pair in socket.socketpair():
    pair.close()
for pid in (0, os.getppid()):
    try:
        resource.prlimit(pid, resource.RLIMIT_NOFILE)
        found.append("ok")
    except OSError as error:
        found.append(errno.errorcode[error.errno])
thread = threading.Thread(target=found.append, args=("thread",))
thread.start()
thread.join()
child = os.fork()
if child == 0:
    os._exit(7)
found.append(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))
print(" ".join(found))
"""


def test_the_kernel_takes_it() -> None:
    folder = str(Path(seccomp.__file__).parents[1])
    command = [sys.executable, "-I", "-c", INSTALLED, folder]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout.split() == ["EAFNOSUPPORT", "EAFNOSUPPORT", "ok", "ok", "ok", "EPERM", "thread", "7"]
