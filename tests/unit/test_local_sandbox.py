"""The local sandbox: chosen by a real start, refused with the reasons, and what it shows as root and from a wheel."""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from scrapewright import assets
from scrapewright.loop.ports import Limits, SandboxUnavailable
from scrapewright.sandboxes import bwrap, distributions, interpreter, isolation, layout, local, spawn
from scrapewright.sandboxes.instance import SandboxInstance
from scrapewright.sandboxes.local import LocalSandbox, choose_local, diagnose
from scrapewright.sandboxes.spawn import Kind
from tests.hostile.backends import LOCAL, absence, kind
from tests.hostile.elsewhere import command
from tests.hostile.processes import descendants, living

__all__ = ["kind"]


async def until(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    """Waits for something that the kernel does in its own time, such as the end of killed processes."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.005)


@pytest.mark.full
async def test_the_first_kind_that_starts_is_chosen() -> None:
    working = [kind for kind in LOCAL if not absence(kind)]
    if not working:
        with pytest.raises(SandboxUnavailable):
            await choose_local()
        return
    chosen = await choose_local()
    assert chosen.name == working[0]
    await chosen.close()


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has tried nothing yet."""
    for name, empty in (("_refused", {}), ("_proved", set()), ("_layouts", {}), ("_failed_imports", {})):
        monkeypatch.setattr(local, name, empty)


async def test_without_bubblewrap_the_launcher_of_our_own_is_taken(
    forgotten: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if reason := absence("namespaces"):
        pytest.skip(reason)
    monkeypatch.setattr(bwrap, "find", lambda: None)
    chosen = await choose_local()
    assert chosen.name == "namespaces"
    await chosen.close()
    with pytest.raises(SandboxUnavailable, match="bubblewrap is not installed"):
        await choose_local("bwrap")


async def test_where_nothing_starts_it_is_refused_with_the_reasons(
    forgotten: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    old = tmp_path / "bwrap"
    old.write_text("#!/bin/sh\necho 'bwrap: Unknown option --disable-userns' >&2\nexit 1\n")
    old.chmod(0o755)
    tmp_path.chmod(0o755)
    monkeypatch.setattr(bwrap, "find", lambda: str(old))
    monkeypatch.setattr(spawn, "launcher", lambda name, spec: ["/bin/sh", "-c", "echo no such luck >&2; exit 125"])
    before = descendants(os.getpid())
    with pytest.raises(SandboxUnavailable) as refusal:
        await choose_local()
    text = str(refusal.value)
    assert "never run without" in text
    assert "no such luck" in text
    assert "--sandbox docker" in text
    if os.geteuid() != 0:
        assert "Unknown option" in text
    checks = await diagnose()
    assert [check.ok for check in checks if check.name.startswith("sandbox ")] == [False, False]
    assert all(check.advice for check in checks if not check.ok)
    assert descendants(os.getpid()) <= before


async def test_what_failed_is_not_tried_again(forgotten: None, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[None] = []
    monkeypatch.setattr(bwrap, "find", lambda: looked.append(None))
    tries = []
    for _ in range(2):
        with pytest.raises(SandboxUnavailable):
            await choose_local("bwrap")
        tries.append(len(looked))
    assert tries[0] == tries[1] > 0


@pytest.mark.every_backend
async def test_a_sandbox_that_starts_but_does_not_hold_is_refused(
    forgotten: None, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    real = spawn.command

    def leaky(kind: Kind, plan: layout.Layout, disk: int) -> list[str]:
        """The host's network or message queues left in, as by an option that is misspelt or ignored."""
        line = real(kind, plan, disk)
        if kind == "bwrap":
            line.insert(line.index("--unshare-all") + 1, "--share-net")
        else:
            boot = line.index("-c") + 1
            weakened = "import namespaces as n; n._SPACES &= ~n.kernel.NEWIPC; n.main()"
            line[boot] = line[boot].replace(".namespaces import main; main()", f" {weakened}")
            assert weakened in line[boot]
        return line

    monkeypatch.setattr(spawn, "command", leaky)
    with pytest.raises(SandboxUnavailable, match="net namespace" if kind == "bwrap" else "ipc namespace"):
        await choose_local(kind)


@pytest.mark.every_backend
async def test_a_sandbox_without_what_programs_need_is_refused(
    forgotten: None, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    site = distributions.find()
    bare = distributions.Site({n: p for n, p in site.entries.items() if not n.startswith("requests")}, site.versions)
    monkeypatch.setattr(distributions, "find", lambda: bare)
    with pytest.raises(SandboxUnavailable, match="can't import requests"):
        await choose_local(kind)


async def test_the_doctor_names_what_it_started() -> None:
    checks = {check.name: check for check in await diagnose()}
    for name in LOCAL:
        assert checks[f"sandbox {name}"].ok is not bool(absence(name))
    assert "requests" in checks["packages for programs"].detail


def test_other_systems_are_sent_to_docker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "system", lambda: "Darwin")
    assert "Linux" in isolation.supported()
    with pytest.raises(SandboxUnavailable, match="docker"):
        asyncio.run(choose_local())


@pytest.mark.every_backend
async def test_it_runs_from_an_installed_package(kind: Kind, tmp_path: Path) -> None:
    """As a wheel lays it out: the harness inside the package, nothing beside it, no checkout."""
    package = tmp_path / "site/scrapewright"
    source = assets.harness_dir().parent
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(source / "scrapewright", package, ignore=ignore)
    shutil.copytree(source / "harness", package / "_harness", ignore=ignore)
    paths = [
        str(tmp_path / "site"),
        *sorted({str(p.parent) for n, p in distributions.find().entries.items() if "/" not in n}),
    ]
    code = (
        f"import sys; sys.path[len(sys.path):] = {paths!r}\n"
        "import asyncio, scrapewright\n"
        "from scrapewright.loop.ports import Job\n"
        "from scrapewright.sandboxes.local import LocalSandbox\n"
        "async def main():\n"
        f"    made = LocalSandbox({kind!r}, preload=(), spare=False)\n"
        "    ran = await made.run(Job(code='print(6 * 7)'), None, lambda tick: None)\n"
        "    print(scrapewright.__file__, ran.result.stdout.text)\n"
        "asyncio.run(main())\n"
    )
    done = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, cwd="/"
    )
    assert done.stdout.split() == [str(package / "__init__.py"), "42"], done.stderr


needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root to give it up")


@needs_root
async def test_root_shows_what_lies_in_a_closed_folder_and_nothing_else(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    (closed / "shown/deep").mkdir(parents=True)
    for name in ("shown/deep/file.txt", "alone.txt", "hidden.txt"):
        (closed / name).write_text(name)
    closed.chmod(0o700)
    exposed = [str(closed / "shown"), str(closed / "alone.txt"), *map(str, interpreter.find().shown.values())]
    code = (
        "import os, sys\n"
        "closed = sys.argv[1]\n"
        "print(os.getresuid(), os.getresgid(), os.getgroups())\n"
        "print(sorted(os.listdir(closed)))\n"
        "print(open(closed + '/shown/deep/file.txt').read(), open(closed + '/alone.txt').read())\n"
        "for name in ('shown/deep/file.txt', 'new.txt'):\n"
        "    try:\n"
        "        open(closed + '/' + name, 'w')\n"
        "    except OSError as error:\n"
        "        print(error.strerror)\n"
    )
    uid = spawn.unprivileged()
    launcher = spawn.launcher("drop_privileges", {"uid": uid, "gid": uid, "expose": exposed})
    python = str(interpreter.find().binary)
    done = await asyncio.to_thread(
        subprocess.run, [*launcher, python, "-I", "-S", "-c", code, str(closed)], capture_output=True, text=True
    )
    assert done.stdout.splitlines() == [
        f"{(uid,) * 3} {(uid,) * 3} []",
        "['alone.txt', 'shown']",
        "shown/deep/file.txt alone.txt",
        *["Read-only file system"] * 2,
    ], done.stderr
    assert (closed / "hidden.txt").read_text() == "hidden.txt"


@needs_root
@pytest.mark.every_backend
async def test_as_root_nothing_of_the_sandbox_runs_as_root(kind: Kind) -> None:
    before = descendants(os.getpid())
    made = LocalSandbox(kind, preload=())
    await made.prepare(Limits())
    owners = {pid: Path(f"/proc/{pid}/status").read_text() for pid, _ in descendants(os.getpid()) - before}
    await made.close()
    assert owners
    assert not [pid for pid, status in owners.items() if "0" in status.split("Uid:")[1].split()[:4]]


async def test_a_launcher_that_cannot_start_the_program_says_so(tmp_path: Path) -> None:
    if reason := absence("namespaces"):
        pytest.skip(reason)
    plan = layout.build(assets.harness_dir(), ())
    broken = spawn.command("namespaces", plan, 1 << 20)
    broken[-len(plan.argv)] = "/no/such/python"
    box = SandboxInstance(await spawn.spawn(broken), "namespaces")
    with pytest.raises(SandboxUnavailable, match="/no/such/python could not be started"):
        await box.ready(10)
    await box.kill()


OUTLIVES_ITS_PARENT = """
import os, sys
if os.fork() == 0:
    while os.read(0, 1):
        pass
    os._exit(0)
os.wait()
"""


@pytest.mark.parametrize("turns", range(2, 7))
async def test_a_start_that_is_cancelled_ends_what_only_the_pipes_end_ends(turns: int) -> None:
    before = descendants(os.getpid())
    task = asyncio.create_task(spawn.spawn([sys.executable, "-I", "-S", "-c", OUTLIVES_ITS_PARENT]))
    for _ in range(turns):
        await asyncio.sleep(0)
    began = time.monotonic()
    while len(descendants(os.getpid()) - before) < 2:  # without a turn of the loop: the pipes stay as they are
        assert time.monotonic() < began + 10, "it never forked"
    started = descendants(os.getpid()) - before
    task.cancel()
    async with asyncio.timeout(4):
        try:
            spawn.kill(await task)  # too late to be cancelled: then it is ours to end
        except asyncio.CancelledError:
            pass
    await until(lambda: not living(started))


WITHOUT_NAMESPACES = """
import asyncio, os
from scrapewright.sandboxes.launch import kernel
from scrapewright.sandboxes.local import choose_local
from scrapewright.loop.ports import SandboxUnavailable

uid, gid = os.getuid(), os.getgid()
kernel.unshare(kernel.NEWUSER)
for name, text in (("self/setgroups", "deny"), ("self/uid_map", f"{uid} {uid} 1"), ("self/gid_map", f"{gid} {gid} 1")):
    with open(f"/proc/{name}", "w") as file:
        file.write(text)
with open("/proc/sys/user/max_user_namespaces", "w") as file:
    file.write("0")
kernel.drop_capabilities()
try:
    asyncio.run(choose_local())
except SandboxUnavailable as error:
    print(error)
"""


async def test_a_host_that_forbids_user_namespaces_is_named() -> None:
    """A real refusal, in a user namespace that lets nobody make another one."""
    if reason := absence("namespaces"):
        pytest.skip(reason)
    code = f"exec({WITHOUT_NAMESPACES!r})"
    argv = command(code) if os.geteuid() == 0 else [sys.executable, "-c", code]
    done = await asyncio.to_thread(
        subprocess.run, argv, capture_output=True, text=True, cwd=assets.harness_dir().parent
    )
    assert "launch: unshare: No space left on device" in done.stdout, done.stderr
    assert "user namespaces are switched off" in done.stdout
    assert "user.max_user_namespaces" in done.stdout
    assert "--sandbox docker" in done.stdout
