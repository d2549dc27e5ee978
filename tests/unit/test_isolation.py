"""What forbids a sandbox, and whether one holds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scrapewright.loop.ports import SandboxUnavailable
from scrapewright.sandboxes import isolation, spawn


def host(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return root


def test_a_host_without_obstacles(tmp_path: Path) -> None:
    files = {
        "proc/sys/user/max_user_namespaces": "15000\n",
        "proc/self/mountinfo": "22 1 0:21 / /proc rw - proc proc rw\n",
    }
    assert isolation.obstacles(host(tmp_path, files)) == []


@pytest.mark.parametrize(
    ("file", "text", "what", "advice"),
    [
        ("proc/sys/user/max_user_namespaces", "0\n", "switched off", "user.max_user_namespaces=15000"),
        ("proc/sys/kernel/unprivileged_userns_clone", "0\n", "root alone", "unprivileged_userns_clone=1"),
        ("proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n", "AppArmor", "apparmor-profiles"),
        (".dockerenv", "", "Docker container", "systempaths=unconfined"),
        ("run/.containerenv", "", "Podman container", "outside it"),
        ("proc/self/mountinfo", "9 8 0:5 / /proc/kcore ro - tmpfs tmpfs ro\n", "a container", "outside it"),
        ("proc/sys/kernel/osrelease", "4.4.0-19041-Microsoft\n", "WSL 1", "--set-version"),
    ],
)
def test_each_obstacle_is_named_with_the_way_out(tmp_path: Path, file: str, text: str, what: str, advice: str) -> None:
    root = host(tmp_path, {file: text})
    (obstacle,) = isolation.obstacles(root)
    assert what in obstacle.what
    assert advice in obstacle.advice
    message = isolation.explain({"bwrap": "bwrap: setting up uid map: Permission denied"}, root)
    assert "setting up uid map: Permission denied" in message
    assert what in message
    assert advice in message
    assert "Docker" in message


def test_without_a_known_obstacle_there_is_a_way_out_too(tmp_path: Path) -> None:
    message = isolation.explain({"namespaces": "launch: unshare: Operation not permitted"}, tmp_path)
    assert "Operation not permitted" in message
    assert "bubblewrap 0.8" in message
    assert "--sandbox docker" in message


WALLED = {
    "NSpid": "4242\t1",
    "Uid": "1000 1000 1000 1000",
    "CapPrm": "0000000000000000",
    "CapEff": "0000000000000000",
    "CapBnd": "0000000000000000",
    "CapAmb": "0000000000000000",
    "NoNewPrivs": "1",
    "Seccomp": "2",
}
SPACES = ("net", "mnt", "pid", "ipc", "uts")


def process(proc: Path, pid: int, status: dict[str, str], spaces: dict[str, str]) -> None:
    (proc / f"{pid}/ns").mkdir(parents=True)
    (proc / f"{pid}/status").write_text("".join(f"{name}:\t{value}\n" for name, value in status.items()))
    for name in SPACES:
        (proc / f"{pid}/ns/{name}").symlink_to(spaces.get(name, f"{name}:[{pid}]"))


def sandboxed(proc: Path, changes: dict[str, str], shared: tuple[str, ...] = ()) -> list[str]:
    """The breaches of a monitor (4241) with its first process (4242), on a kernel whose /proc doesn't list children."""
    process(proc, os.getpid(), {"NSpid": str(os.getpid())}, {})
    process(proc, 4241, {"NSpid": "4241", "PPid": str(os.getpid())}, {})
    spaces = {name: f"{name}:[{os.getpid()}]" for name in shared}
    process(proc, 4242, {**WALLED, "PPid": "4241", **changes}, spaces)
    return isolation.breaches(4241, proc)


def test_walls_that_hold(tmp_path: Path) -> None:
    assert sandboxed(tmp_path, {}) == []


@pytest.mark.parametrize(
    ("changes", "shared", "said"),
    [
        ({"Uid": "0 0 0 0"}, (), "runs as root"),
        ({"Uid": "1000 0 1000 1000"}, (), "runs as root"),
        ({"CapEff": "0000000000200000"}, (), "CapEff"),
        ({"CapBnd": "000001ffffffffff"}, (), "CapBnd"),
        ({"NoNewPrivs": "0"}, (), "gain privileges"),
        ({"Seccomp": "0"}, (), "seccomp"),
        ({"NSpid": "4242"}, (), "process namespace"),
        ({}, ("net",), "net namespace"),
        ({}, ("mnt",), "mnt namespace"),
        ({}, ("ipc",), "ipc namespace"),
    ],
)
def test_each_breach_is_seen(tmp_path: Path, changes: dict[str, str], shared: tuple[str, ...], said: str) -> None:
    (breach,) = sandboxed(tmp_path, changes, shared)
    assert said in breach


def test_what_cannot_be_seen_is_not_trusted(tmp_path: Path) -> None:
    assert sandboxed(tmp_path, {}) == []
    (tmp_path / "4242/ns/net").unlink()
    (breach,) = isolation.breaches(4241, tmp_path)
    assert "can't be distinguished" in breach


def test_a_process_without_walls_is_seen() -> None:
    assert isolation.breaches(os.getpid()) != []


ROOT_MAP = "         0          0 4294967295\n"


@pytest.mark.parametrize(
    ("uid_map", "uid"),
    [
        ("0 100000 65536\n", 65534),
        ("0 1000 1\n1 100000 65536\n", 65534),
        ("0 1000 1\n", None),
    ],
)
def test_who_root_becomes(monkeypatch: pytest.MonkeyPatch, uid_map: str, uid: int | None) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert spawn.unprivileged(uid_map) == uid


def test_each_sandbox_of_root_gets_a_user_that_nobody_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    users = {spawn.unprivileged(ROOT_MAP) for _ in range(10)}
    assert len(users) == 10
    assert all(user is not None and 0x7FFF0000 <= user < 0x7FFFFFFF for user in users)


def test_real_root_with_no_other_user_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(SandboxUnavailable, match="no other user"):
        spawn.unprivileged("0 0 1\n")


def test_an_ordinary_user_stays_who_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert spawn.unprivileged(ROOT_MAP) is None
