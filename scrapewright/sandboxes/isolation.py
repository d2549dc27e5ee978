"""Checks the isolation of a local sandbox; where there can be none, says what forbids it and how to allow it."""

from __future__ import annotations

import os
import platform
import re
from dataclasses import dataclass
from pathlib import Path

_DOCKER = "or use Docker (--sandbox docker)"


@dataclass(frozen=True)
class Obstacle:
    """Something on this host that forbids namespaces, and the way out."""

    what: str
    advice: str


def obstacles(root: Path = Path("/")) -> list[Obstacle]:
    """What this host is known to forbid, most telling first. An empty list promises nothing: only a real start does."""
    found = []
    if _number(root / "proc/sys/user/max_user_namespaces") == 0:
        found.append(Obstacle("user namespaces are switched off", "sudo sysctl user.max_user_namespaces=15000"))
    if _number(root / "proc/sys/kernel/unprivileged_userns_clone") == 0:
        found.append(Obstacle("user namespaces are for root alone", "sudo sysctl kernel.unprivileged_userns_clone=1"))
    if _number(root / "proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1:
        found.append(
            Obstacle(
                "AppArmor forbids user namespaces to programs without a profile",
                "install bubblewrap with its AppArmor profile (Ubuntu: sudo apt install bubblewrap apparmor-profiles), "
                "or sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0",
            )
        )
    if (container := _container(root)) is not None:
        found.append(
            Obstacle(
                f"this is {container}, which keeps namespaces or a fresh /proc from its programs",
                "start the container with --security-opt seccomp=unconfined --security-opt systempaths=unconfined "
                "--cap-add SYS_ADMIN, or run scrapewright outside it",
            )
        )
    if "microsoft" in _text(root / "proc/sys/kernel/osrelease").lower() and not (root / "run/WSL").exists():
        found.append(Obstacle("this may be WSL 1, which has no namespaces", "wsl --set-version DISTRIBUTION 2"))
    return found


def explain(reasons: dict[str, str], root: Path = Path("/")) -> str:
    """The message of a refusal: what each kind of sandbox reported, what forbids it here, what to do."""
    lines = ["No local sandbox could be started, and programs are never run without one."]
    lines += [f"  {name}: {reason}" for name, reason in reasons.items()]
    known = obstacles(root)
    lines += [f"  Here {obstacle.what}. To allow it: {obstacle.advice}." for obstacle in known]
    lines.append(f"  Install bubblewrap 0.8 or newer, {_DOCKER}." if not known else f"  Otherwise {_DOCKER[3:]}.")
    return "\n".join(lines)


def supported() -> str:
    """Why this platform has no local sandbox, or nothing."""
    if platform.system() != "Linux":
        return f"the local sandbox is for Linux, this is {platform.system()}"
    if platform.machine() not in ("x86_64", "aarch64"):
        return f"no local sandbox for {platform.machine()} processors"
    return ""


def breaches(pid: int, proc: Path = Path("/proc"), *, root_is_user: bool = False) -> list[str]:
    """What is wrong with the isolation of the sandbox that `pid` started, from outside; empty where it is complete.

    That a sandbox started does not show that it holds: an option that an old program ignores, or a kernel without a
    namespace, would pass silently. `root_is_user`: this is a user namespace whose root is an ordinary user outside.
    """
    inner = _init(pid, proc)
    if inner is None:
        return ["no process of it is the first of a process namespace of its own"]
    wrong = []
    status = _status(inner, proc)
    if "0" in status.get("Uid", "0").split() and not root_is_user:
        wrong.append("it runs as root")
    wrong += [
        f"it holds capabilities ({name} {status[name]})"
        for name in ("CapPrm", "CapEff", "CapBnd", "CapAmb")
        if int(status.get(name, "0"), 16)
    ]
    if status.get("NoNewPrivs") != "1":
        wrong.append("it may gain privileges")
    if status.get("Seccomp") != "2":
        wrong.append("no seccomp filter is loaded")
    for name in ("net", "mnt", "pid", "ipc", "uts"):
        own, theirs = _namespace(os.getpid(), name, proc), _namespace(inner, name, proc)
        if not own or not theirs:
            wrong.append(f"its {name} namespace can't be distinguished from the host's")
        elif own == theirs:
            wrong.append(f"it shares the host's {name} namespace")
    return wrong


def _init(pid: int, proc: Path) -> int | None:
    """The process among `pid` and its descendants that is number 1 in its own namespace."""
    todo, seen = [pid], set[int]()
    while todo:
        candidate = todo.pop()
        if candidate in seen:
            continue
        seen.add(candidate)
        numbers = _status(candidate, proc).get("NSpid", "").split()
        if len(numbers) > 1 and numbers[-1] == "1":
            return candidate
        todo += _children(candidate, proc)
    return None


def _children(pid: int, proc: Path) -> list[int]:
    try:
        return [int(n) for task in (proc / f"{pid}/task").iterdir() for n in (task / "children").read_text().split()]
    except OSError:
        pass
    # A kernel without CONFIG_PROC_CHILDREN: ask every process for its parent.
    found = []
    for entry in proc.iterdir():
        if entry.name.isdigit() and _status(int(entry.name), proc).get("PPid") == str(pid):
            found.append(int(entry.name))
    return found


def _status(pid: int, proc: Path) -> dict[str, str]:
    lines = (line.partition(":") for line in _text(proc / f"{pid}/status").splitlines())
    return {name: value.strip() for name, _, value in lines}


def _namespace(pid: int, name: str, proc: Path) -> str:
    try:
        return str((proc / f"{pid}/ns/{name}").readlink())
    except OSError:
        return ""


def _container(root: Path) -> str | None:
    if (root / ".dockerenv").exists():
        return "a Docker container"
    if (root / "run/.containerenv").exists():
        return "a Podman container"
    if (root / "var/run/secrets/kubernetes.io").exists():
        return "a Kubernetes pod"
    # A masked /proc: something is mounted on files below it.
    if re.search(r" /proc/(kcore|keys|timer_list|sched_debug) ", _text(root / "proc/self/mountinfo")):
        return "a container"
    return None


def _number(path: Path) -> int | None:
    try:
        return int(_text(path))
    except ValueError:
        return None


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""
