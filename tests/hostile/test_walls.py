"""The sandbox's walls, tried from inside: files, network, kernel, other processes."""

from __future__ import annotations

import json
import os
import re
import secrets
import socket
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from scrapewright.loop.ports import Ran
from scrapewright.sandboxes.layout import ENVIRONMENT
from tests.hostile import programs_walls as programs
from tests.hostile.backends import BACKENDS, AnySandbox, Backend, present, run
from tests.hostile.elsewhere import Elsewhere

CHECKOUT = Path(__file__).resolve().parents[2]
READ_ONLY = {"EROFS", "ENOENT", "EACCES", "EPERM", "ENOTDIR"}
NOT_ALLOWED = {"EPERM", "ENOSYS"}


@pytest.fixture(
    scope="module",
    params=[(backend, user) for backend in BACKENDS for user in backend.users],
    ids=lambda pair: f"{pair[0]}-{pair[1]}",
)
def host(request: pytest.FixtureRequest) -> Iterator[tuple[Backend, Elsewhere | None]]:
    """Each backend, as who runs the tests and, where that is root, as an ordinary user."""
    backend, user = request.param
    present(backend.name)
    if user == "self":
        yield backend, None
        return
    if os.geteuid() != 0:
        pytest.skip("the tests run as an ordinary user already")
    elsewhere = Elsewhere(backend.name)
    yield backend, elsewhere
    elsewhere.close()


@pytest.fixture
async def sandbox(host: tuple[Backend, Elsewhere | None]) -> AsyncIterator[AnySandbox | Elsewhere]:
    """A sandbox that starts quickly: nothing is imported ahead, and no spare is kept."""
    backend, elsewhere = host
    if elsewhere is not None:
        yield elsewhere
        return
    made = await backend.make(preload=(), spare=False)
    yield made
    await made.close()


async def tried(sandbox: AnySandbox | Elsewhere, program: str, *argv: str) -> dict[str, Any]:
    """What a program found. It ran to its end: a wall is an error that it sees, not its death."""
    ran = await run(sandbox, programs.PRELUDE + program, *argv)
    assert ran.result.status == "ok", (ran.result.stderr.text, ran.result.note)
    found: dict[str, Any] = json.loads(ran.result.stdout.text)
    assert set(found.get("denied", {}).values()) & {"NameError", "TypeError", "AttributeError"} == set()
    return found


def outside(found: dict[str, str], allowed: set[str]) -> dict[str, str]:
    return {name: result for name, result in found.items() if result not in allowed}


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file that everybody on the host may read, and the same words in the host's environment."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "secret.txt")
        file.write_text(f"PLANTED-{secrets.token_hex(8)}")
        os.chmod(folder, 0o755)
        monkeypatch.setenv("PLANTED_KEY", file.read_text())
        yield file


async def test_nothing_but_the_scratch_folders_can_be_written(sandbox: AnySandbox | Elsewhere) -> None:
    found = await tried(sandbox, programs.WRITE_ROOT)
    assert outside(found["denied"], READ_ONLY) == {}
    assert set(found["allowed"].values()) == {"ok"}


async def test_the_kernels_files_are_closed(sandbox: AnySandbox | Elsewhere) -> None:
    found = await tried(sandbox, programs.KERNEL_FILES)
    assert outside(found["denied"], READ_ONLY) == {}
    assert found["denied"]["sys/kernel/core_pattern"] in {"EROFS", "EACCES"}


@pytest.mark.every_backend
async def test_nothing_of_the_host_can_be_read(
    sandbox: AnySandbox | Elsewhere, host: tuple[Backend, Elsewhere | None], secret: Path
) -> None:
    found = await tried(sandbox, programs.SECRETS, str(secret), str(CHECKOUT))
    own = host[0].differs("files of its own", {})
    assert set(outside(found["denied"], {"ENOENT", "EACCES", "EPERM", "ENOTDIR"})) == set(found["read"]) <= set(own)
    for name, content in found["read"].items():
        assert re.fullmatch(own[name], content), (name, content)
    assert found["denied"][str(secret)] == found["denied"][f"{CHECKOUT}/pyproject.toml"] == "ENOENT"
    assert not found["leaked"]
    assert found["modules"] == found["importable"] == []
    assert set(found["processes"]) == {1, found["pid"]}
    proxies = {f"{scheme}_proxy" for scheme in ("http", "https")}
    known = {*ENVIRONMENT, *proxies, *map(str.upper, proxies), "PWD", "LD_LIBRARY_PATH"}
    assert set(found["environment"]) <= known
    assert set(found["home"]) <= {"work", "ca.pem"}


async def test_no_descriptor_of_the_host_is_left_open(sandbox: AnySandbox | Elsewhere) -> None:
    targets = await tried(sandbox, programs.DESCRIPTORS)
    assert {"0", "1", "2"} <= set(targets)
    kinds = ("/dev/null", "/dev/zero", "/proc/", "pipe:", "anon_inode:", "/memfd:", "/tmp/")
    assert {number: target for number, target in targets.items() if not target.startswith(kinds)} == {}


async def test_links_and_devices_carry_nothing_out(sandbox: AnySandbox | Elsewhere, secret: Path) -> None:
    ran = await run(sandbox, programs.PRELUDE + programs.ESCAPES, str(secret))
    assert ran.result.status == "ok", ran.result.stderr.text
    found = json.loads(ran.result.stdout.text)["found"]
    for name in ("hard link", "hard link to a host file", "block device", "character device"):
        assert found[name] in {"EPERM", "EXDEV", "EACCES", "EROFS", "ENOENT"}, name
    assert found["read through the link"] == found["go through the link"] == "ENOENT"
    assert ran.files == {"plain.txt": b"plain", "deep/own.txt": b"own"}
    assert secret.read_text() not in repr(ran)


@pytest.fixture
def listeners() -> Iterator[dict[str, socket.socket]]:
    """The host's own: TCP and UDP on its loopback, and sockets by path and by abstract name. Nobody may come."""
    with ExitStack() as stack:
        made = {"tcp": stack.enter_context(socket.create_server(("127.0.0.1", 0)))}
        made["udp"] = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        made["udp"].bind(("127.0.0.1", 0))
        port = made["tcp"].getsockname()[1]
        if socket.has_ipv6:
            try:
                made["tcp6"] = stack.enter_context(socket.create_server(("::1", port), family=socket.AF_INET6))
            except OSError:
                pass  # a host without IPv6 has no such door
        made["abstract"] = stack.enter_context(socket.socket(socket.AF_UNIX))
        made["abstract"].bind(f"\0scrapewright-{secrets.token_hex(8)}")
        made["abstract"].listen()
        for listener in made.values():
            listener.setblocking(False)
        yield made


def nobody_came(listeners: dict[str, socket.socket]) -> bool:
    for name, listener in listeners.items():
        with pytest.raises(BlockingIOError):
            listener.recv(1) if name == "udp" else listener.accept()
    return True


@pytest.mark.every_backend
async def test_no_network_but_its_own_loopback(
    sandbox: AnySandbox | Elsewhere, listeners: dict[str, socket.socket]
) -> None:
    ports = [str(listeners[name].getsockname()[1]) for name in ("tcp", "udp")]
    found = await tried(sandbox, programs.NETWORK, *ports)
    refused = {"ECONNREFUSED", "ENETUNREACH", "EADDRNOTAVAIL", "EAFNOSUPPORT", "gaierror"}
    assert outside(found["denied"], refused) == {}
    assert found["denied"]["name"] == "gaierror"
    assert [device.rstrip(":") for device in found["devices"]] == ["lo"]
    assert found["routes"] == []
    assert found["own"] == "ok"
    assert nobody_came(listeners)


async def test_no_other_kind_of_socket(sandbox: AnySandbox | Elsewhere) -> None:
    found = await tried(sandbox, programs.FAMILIES)
    assert outside(found["denied"], {"EAFNOSUPPORT", "EPERM", "EACCES"}) == {}
    for family in ("unix", "netlink", "packet", "vsock"):
        assert found["denied"][f"{family} 2"] == "EAFNOSUPPORT"
    assert (found["pair"], found["inet"], found["inet6"]) == ("hello", "ok", "ok")


async def test_no_unix_socket_of_the_host(
    sandbox: AnySandbox | Elsewhere, listeners: dict[str, socket.socket], tmp_path: Path
) -> None:
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as named:
        named.bind(str(path))
        named.listen()
        named.setblocking(False)
        address = listeners["abstract"].getsockname().decode().removeprefix("\0")
        found = await tried(sandbox, programs.UNIX_SOCKETS, address, str(path))
        assert outside(found["denied"], {"EAFNOSUPPORT", "ECONNREFUSED", "EISCONN", "EPERM"}) == {}
        assert nobody_came({**listeners, "named": named})


@pytest.mark.every_backend
async def test_no_namespace_mount_or_root_of_its_own(sandbox: AnySandbox | Elsewhere) -> None:
    found = await tried(sandbox, programs.NAMESPACES)
    assert outside(found["denied"], NOT_ALLOWED) == {}
    assert found["denied"]["clone3"] == "ENOSYS"


async def test_no_system_call_that_opens_the_kernel(sandbox: AnySandbox | Elsewhere) -> None:
    found = await tried(sandbox, programs.SYSTEM_CALLS)
    assert outside(found["denied"], NOT_ALLOWED) == {}


@pytest.mark.every_backend
async def test_no_privilege_to_gain(sandbox: AnySandbox | Elsewhere) -> None:
    found = await tried(sandbox, programs.PRIVILEGES)
    assert outside(found["denied"], {"EPERM", "EINVAL", "ENOENT", "ValueError"}) == {}
    for who in ("own", "first"):
        status = found[who]
        for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
            assert int(status[name][0], 16) == 0, (who, name)
        assert status["NoNewPrivs"] == ["1"]
        assert status["Seccomp"] == ["2"]
        assert "0" not in status["Uid"] + status["Gid"]
        assert set(status["Groups"]) <= {"65534", *status["Gid"]}


async def test_no_terminal(sandbox: AnySandbox | Elsewhere) -> None:
    found = await tried(sandbox, programs.TERMINAL)
    assert outside(found["denied"], {"EPERM", "ENXIO", "ENOENT", "ENOTTY", "EACCES"}) == {}
    assert found["terminal"] == [False] * 3


@pytest.mark.every_backend
async def test_the_supervisor_is_out_of_reach(sandbox: AnySandbox | Elsewhere) -> None:
    found = await tried(sandbox, programs.OTHERS)
    assert outside(found["denied"], {"EPERM", "EACCES"}) == {}
    assert set(found["own"].values()) == {"ok"}
    assert found["first"] in {"S", "R"}


async def test_the_proxys_port_cannot_be_shared(sandbox: AnySandbox | Elsewhere) -> None:
    found = await tried(sandbox, programs.STOLEN_PORT)
    assert set(found["denied"].values()) == {"EADDRINUSE"}


@pytest.mark.every_backend
async def test_the_next_run_knows_nothing_of_the_last(sandbox: AnySandbox | Elsewhere) -> None:
    traces = "import os; print([sorted(os.listdir(folder)) for folder in ('.', '/tmp', '/dev/shm')])"
    clean: Ran = await run(sandbox, traces)
    dirty = await run(sandbox, "for p in ('x', '/tmp/y', '/dev/shm/z'): open(p, 'w').write('left behind')")
    again = await run(sandbox, traces)
    assert dirty.result.status == clean.result.status == "ok"
    assert again.result.stdout == clean.result.stdout
    assert os.path.exists("/tmp/y") is False
