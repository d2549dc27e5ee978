"""A sandbox's life on every backend: it runs, ends, and leaves nothing behind, however it is ended."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import platform
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable

import pytest

from scrapewright import assets
from scrapewright.loop.ports import Job, Limits, SandboxUnavailable
from scrapewright.sandboxes import distributions
from tests.hostile.backends import AnySandbox, Backend, backend, ignore_ticks, no_web, packages, run, sandbox
from tests.hostile.elsewhere import command
from tests.hostile.processes import living
from tests.suite import FULL

__all__ = ["backend", "sandbox"]


async def until(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    """Waits for something that the kernel or the engine does in its own time."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.005)


@pytest.fixture
async def warm(backend: Backend) -> AsyncIterator[AnySandbox]:
    """With a spare, of a kind that starts quickly."""
    made = await backend.make(preload=())
    yield made
    await made.close()


@pytest.mark.every_backend
async def test_a_program_finds_its_python_and_the_allowed_packages(backend: Backend) -> None:
    made = await backend.make(spare=False)
    ran = await run(
        made,
        "import sys, requests, bs4, lxml.html, numpy, pandas, ssl, sqlite3, lzma, bz2, ctypes, zoneinfo\n"
        "zoneinfo.ZoneInfo('Europe/Paris')\n"
        "table = '<table><tr><th>a</th></tr><tr><td>1</td></tr></table>'\n"
        "frame = pandas.read_html(__import__('io').StringIO(table))[0]\n"
        "frame.to_csv('rows.csv', index=False)\n"
        "import importlib.metadata as m\n"
        "print(*sorted({d.metadata['Name'].lower().replace('_', '-') for d in m.distributions()}))\n"
        "print(bs4.BeautifulSoup('<p>x</p>', 'lxml').p.text, requests.__file__, ssl.OPENSSL_VERSION)\n",
    )
    await made.close()
    assert ran.result.status == "ok", ran.result.stderr.text
    names, rest = ran.result.stdout.text.splitlines()
    assert names.split() == packages()
    assert rest.startswith("x /site/requests/")
    assert ran.files == {"rows.csv": b"a\n1\n"}
    assert ran.result.sandbox == backend.name
    assert ran.result.python.startswith(backend.differs("python", platform.python_version()))


async def test_a_spare_waits_with_its_modules_imported(backend: Backend) -> None:
    made = await backend.make()
    await made.prepare(Limits())
    ran = await run(
        made, f"import sys; print(all(name in sys.modules for name in {distributions.PRELOAD!r}))", limits=Limits()
    )
    assert ran.result.stdout.text == "True\n"
    await made.close()


async def test_runs_at_once_do_not_meet(warm: AnySandbox) -> None:
    code = (
        "import os; open('mine', 'x').write('x')\n"
        "print(len(os.listdir('.')), sum(name.isdigit() for name in os.listdir('/proc')))"
    )
    results = await asyncio.gather(*(run(warm, code) for _ in range(3)))
    assert {ran.result.stdout.text for ran in results} == {"1 2\n"}


async def test_the_disk_is_as_large_as_the_limits_say(warm: AnySandbox) -> None:
    code = "import os; s = os.statvfs('.'); print(s.f_blocks * s.f_frsize)"
    for size in (4 << 20, 8 << 20):
        ran = await run(warm, code, limits=Limits(disk=size))
        assert int(ran.result.stdout.text) == size


async def test_nothing_is_left_after_many_runs(backend: Backend) -> None:
    before = backend.processes()
    made = await backend.make(preload=())
    daemon = "import os\nif os.fork() == 0:\n    os.setsid()\n    import time; time.sleep(100)\nprint('up')"
    for number in range(20 if FULL else 5):
        ran = await run(made, daemon if number % 4 == 0 else "print('up')")
        assert ran.result.stdout.text == "up\n", ran.result
    during = backend.processes() - before
    await made.close()
    await until(lambda: not living(backend.processes() - before | during))


@pytest.mark.every_backend
async def test_cancelling_a_run_ends_it_at_once(backend: Backend, warm: AnySandbox) -> None:
    before = backend.processes()
    started = asyncio.Event()
    task = asyncio.create_task(
        warm.run(Job(code="print('up', flush=True)\nwhile True: pass"), no_web, lambda tick: started.set())
    )
    await started.wait()
    during = backend.processes() - before
    assert during
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await warm.close()
    await until(lambda: not living(during))


@pytest.mark.parametrize("stage", range(4))
async def test_closing_ends_a_spare_that_is_starting(backend: Backend, stage: int) -> None:
    """Closed when as many processes of it are there as the stage says: none, the launcher, the sandbox, its program."""
    before = backend.processes()
    made = await backend.make(preload=())
    task = asyncio.create_task(made.prepare(Limits()))
    await until(lambda: task.done() or len(backend.processes() - before) >= stage)
    during = backend.processes() - before
    async with asyncio.timeout(10):
        await made.close()
    await asyncio.gather(task, return_exceptions=True)
    await until(lambda: not living(during | (backend.processes() - before)))


@pytest.mark.parametrize("turns", [1, 2, 3, 5, 8, 13])
async def test_a_start_that_is_cancelled_leaves_nothing(backend: Backend, turns: int) -> None:
    """After so many turns of the event loop, which wait for the engine or the kernel between them."""
    before = backend.processes()
    made = await backend.make(preload=(), spare=False)
    task = asyncio.create_task(run(made, "print('up')"))
    for _ in range(turns):
        await asyncio.sleep(0.01)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    await made.close()
    await until(lambda: not living(backend.processes() - before))


async def test_a_spare_killed_from_outside_is_replaced(backend: Backend, warm: AnySandbox) -> None:
    before, remnants = backend.processes(), backend.remnants()
    await warm.prepare(Limits())
    spare = backend.processes() - before
    for pid, _ in spare:
        with contextlib.suppress(ProcessLookupError):  # the first takes the others with it
            os.kill(pid, signal.SIGKILL)
    while living(spare) or backend.remnants() - remnants:
        pass  # on purpose without a turn of the event loop, which so does not know of the end yet
    ran = await run(warm, "print('up')", limits=Limits())
    assert ran.result.stdout.text == "up\n", ran.result


@pytest.mark.every_backend
async def test_one_that_is_killed_in_a_run_is_lost_and_the_next_runs(backend: Backend, warm: AnySandbox) -> None:
    before = backend.processes()
    started = asyncio.Event()
    code = "x = 1\nprint('up', flush=True)\nwhile True:\n    x += 1"
    task = asyncio.create_task(warm.run(Job(code=code), no_web, lambda tick: started.set()))
    await started.wait()
    for pid, _ in backend.processes() - before:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    ran = await task
    assert ran.result.status == "lost"
    assert "no result" in ran.result.note
    assert "signal 9" in ran.result.note or "status 137" in ran.result.note  # which is a launcher's word for it
    assert "memory" not in ran.result.note.replace("not for want of memory", "")
    assert (await run(warm, "print('up')")).result.stdout.text == "up\n"


@pytest.mark.parametrize("user", ["self", "ordinary user"])
async def test_a_host_killed_in_a_run_leaves_nothing(backend: Backend, user: str) -> None:
    if user not in backend.users:
        pytest.skip(f"{backend} is for who runs the tests")
    code = "from tests.hostile.elsewhere import spin; spin()"
    argv = [sys.executable, "-c", code, backend.name]
    if user == "ordinary user":
        if os.geteuid() != 0:
            pytest.skip("the tests run as an ordinary user already")
        argv = command(code, backend.name)
    host = await asyncio.create_subprocess_exec(*argv, stdout=asyncio.subprocess.PIPE, cwd=assets.harness_dir().parent)
    assert host.stdout is not None
    try:
        said = json.loads(await host.stdout.readline())
        assert isinstance(said, list), said
        started = {(pid, start) for pid, start in said}
        # The supervisor, the program, two daemons.
        assert len(living(started)) >= 4
    finally:
        host.kill()
        killed = time.monotonic()
        await host.wait()
    await until(lambda: not living(started), 5.0 - (time.monotonic() - killed))


@pytest.mark.every_backend
async def test_after_the_close_nothing_runs(backend: Backend) -> None:
    made = await backend.make(preload=())
    await made.close()
    with pytest.raises(SandboxUnavailable):
        await made.run(Job(code="print('up')"), no_web, ignore_ticks)
