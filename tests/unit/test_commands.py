"""What the commands make of errors, and what they leave behind."""

from __future__ import annotations

import asyncio
import io
import subprocess
import sys
from pathlib import Path

import pytest

from scrapewright import cli
from scrapewright.commands import _command, remove_sessions
from scrapewright.errors import UsageError
from scrapewright.loop.ports import SandboxUnavailable
from scrapewright.options import RunOptions
from scrapewright.query.reading import Reading
from scrapewright.sandboxes.choose import Chosen
from scrapewright.session import events as ev
from scrapewright.session.journal import JournalBroken
from scrapewright.settings import Settings
from scrapewright.store.sessions import DamagedSession, NoSuchSession, SessionBusy, SessionStore
from scrapewright.web.tape import TapeError
from scrapewright.wiring import chosen_sandbox


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("say it so"), 2),
        (NoSuchSession("there is none"), 2),
        (DamagedSession("event 3 can't be read"), 1),
        (SandboxUnavailable("namespaces are forbidden"), 3),
        (SessionBusy("another has it"), 3),
        (JournalBroken("the disk is full"), 3),
        (TapeError("the tape can't be opened"), 3),
        (OSError("no such device"), 3),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_each_error_is_a_line_and_its_exit_code(
    error: Exception, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    @_command
    def fails() -> int:
        raise error

    assert fails() == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"scrapewright: {error}")
    assert printed.err.count("\n") == 1


def test_a_defect_of_ours_is_not_made_to_look_like_the_persons() -> None:
    @_command
    def fails() -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()


@pytest.mark.parametrize("error", [KeyboardInterrupt, asyncio.CancelledError])
def test_an_interrupted_command_says_nothing(error: type[BaseException], capsys: pytest.CaptureFixture[str]) -> None:
    @_command
    def interrupted() -> int:
        raise error

    assert interrupted() == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["export", "none"], 2),
        (["sessions", "show", "none"], 2),
        (["sessions", "remove", "none"], 2),
        (["sessions"], 0),
    ],
)
def test_a_session_that_is_not_there(args: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main(args)
    assert stop.value.code == code
    assert ("there is no session" in capsys.readouterr().err) is (code == 2)


def test_a_session_named_twice_is_removed_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with SessionStore(tmp_path) as store:
        file = store.own(store.new_id())
        file.append(1, ev.encode(ev.SessionStarted(seq=1, session=file.name, text="", reading=Reading(text=""))))
        file.release()
    assert remove_sessions(Settings(data_dir=tmp_path), [file.name, file.name[:6]]) == 0
    assert capsys.readouterr() == (f"removed {file.name}\n", "")


def test_a_demo_that_cannot_begin_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nowhere")
    for args, code in ((["--mode", "step"], 2), (["--sandbox", "docker"], 3)):
        with pytest.raises(SystemExit) as stop:
            cli.main(["demo", "--headless", *args])
        assert stop.value.code == code
    assert "no terminal" in capsys.readouterr().err


@pytest.mark.parametrize("lacking", ["stdin", "stdout", "stderr", ""])
def test_a_demo_needs_a_whole_terminal_for_its_screen(lacking: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stream(io.StringIO):
        def __init__(self, terminal: bool) -> None:
            super().__init__()
            self.isatty = lambda: terminal  # type: ignore[method-assign]

    shown: list[bool] = []

    def run_demo(options: RunOptions, *, headless: bool, as_json: bool) -> int:
        shown.append(headless)
        return 0

    monkeypatch.setattr("scrapewright.commands.run_demo", run_demo)
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(f"sys.{name}", Stream(name != lacking))
    with pytest.raises(SystemExit):
        cli.main(["demo"])
    assert shown == [bool(lacking)]


async def test_a_sandbox_is_put_away_though_the_end_is_cancelled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, closing, may_close, closed = (asyncio.Event() for _ in range(4))

    class SlowToClose:
        async def close(self) -> None:
            closing.set()
            await may_close.wait()
            closed.set()

    async def choose(*_: object) -> Chosen:
        return Chosen(SlowToClose())  # type: ignore[arg-type]

    monkeypatch.setattr("scrapewright.sandboxes.choose.choose", choose)

    async def work() -> None:
        async with chosen_sandbox(Settings()):
            begun.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await begun.wait()
    task.cancel()
    await closing.wait()
    task.cancel()
    may_close.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert closed.is_set()


@pytest.mark.parametrize(
    "how", ["return ExitCode.INTERRUPTED", pytest.param("raise asyncio.CancelledError", marks=pytest.mark.full)]
)
def test_an_interrupted_command_does_not_wait_for_a_thread_that_computes_on(how: str) -> None:
    program = (
        "import asyncio, sys, threading\nfrom scrapewright.commands import _driven\n"
        "from scrapewright.session.exit_codes import ExitCode\n\n"
        "async def work():\n"
        "    begun, never = threading.Event(), threading.Event()\n"
        "    asyncio.ensure_future(asyncio.to_thread(lambda: (begun.set(), never.wait(600))))\n"
        "    await asyncio.to_thread(begun.wait)\n"
        "    print('stopped')\n"
        f"    {how}\n\n"
        "sys.exit(_driven(work()))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "stopped\n", "")
