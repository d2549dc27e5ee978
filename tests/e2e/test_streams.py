"""Readers that go away, full disks, closed descriptors, odd folders: the session goes on, or the command says why."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import suite
from tests.e2e.site import MUGS, called, serve

FULL = Path("/dev/full")
SAY = [sys.executable, "-m", "scrapewright"]


def run(query: str, *args: str, cwd: Path, **streams: int) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*SAY, "run", query, "--out", "out", *args], cwd=cwd, timeout=100, check=False, stdin=subprocess.DEVNULL,
        **streams,  # type: ignore[call-overload]
    )  # fmt: skip


@pytest.mark.full
def test_a_reader_that_leaves_does_not_stop_the_session(tmp_path: Path) -> None:
    with serve({"/": MUGS}) as site:
        child = subprocess.Popen(
            [*SAY, "run", f"all mugs on {site.base}/: name, price (float)", "--out", "out", "--json"],
            cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline()
        child.stdout.close()
        stderr = child.stderr.read()
        assert child.wait() == 0
        child.stderr.close()
    assert "verdict: right" in stderr
    assert "pipe" not in stderr.lower()
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["rows.csv", "scraper.py"]


@pytest.mark.full
def test_a_closed_stderr_does_not_put_the_narration_into_the_data(tmp_path: Path) -> None:
    with serve({"/": MUGS}) as site:
        done = subprocess.run(
            ["sh", "-c", 'exec "$@" 2>&-', "sh", *SAY, "run", f"all mugs on {site.base}/: name", "--out", "out"],
            cwd=tmp_path, stdout=subprocess.PIPE, text=True, timeout=100, check=False,
        )  # fmt: skip
    assert done.returncode == 0
    assert done.stdout.splitlines() == ["out/rows.csv", "out/scraper.py"]


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
def test_a_full_stdout_is_reported_and_the_rows_are_kept(tmp_path: Path) -> None:
    with serve({"/": MUGS}) as site, FULL.open("wb") as full:
        query = f"all mugs on {site.base}/: name, price (float)"
        done = run(query, cwd=tmp_path, stdout=full.fileno(), stderr=subprocess.PIPE)
        assert done.returncode == 3
        assert b"standard output can't be written: No space left on device" in done.stderr
        assert (tmp_path / "out" / "rows.csv").exists()
        quiet = run(query, cwd=tmp_path, stdout=subprocess.PIPE, stderr=full.fileno())
        assert quiet.returncode == 0
        assert b"rows-2.csv" in quiet.stdout
        for args in (["config", "show"], *([["doctor"], ["sessions"]] if suite.FULL else [])):
            done = subprocess.run(
                [*SAY, *args], cwd=tmp_path, stdout=full.fileno(), stderr=subprocess.PIPE, check=False
            )
            assert done.returncode == 3
            assert b"No space left on device" in done.stderr
            assert b"Traceback" not in done.stderr


def test_a_query_too_long_to_be_kept(tmp_path: Path) -> None:
    done = called("run", "books on http://127.0.0.1:9/ " + "x" * 10_000, cwd=tmp_path)
    assert done.returncode == 2
    assert "10000 are the most" in done.stderr


def test_a_data_folder_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for args in (["sessions", "list"], ["run", "books on http://127.0.0.1:9/"]):
        done = called(*args, cwd=tmp_path, XDG_DATA_HOME=str(tmp_path / "file"))
        assert done.returncode == 2
        assert "XDG_DATA_HOME" in done.stderr
        assert "Traceback" not in done.stderr


def test_without_a_folder_results_go_into_the_sessions_own(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with serve({"/": MUGS}) as site:
        for more in ({}, {"SCRAPEWRIGHT_OUT": str(tmp_path / "set")}):
            (here := tmp_path / f"here{len(more)}").mkdir()
            done = called("run", f"all mugs on {site.base}/: name", cwd=here, XDG_DATA_HOME=str(home), **more)
            assert done.returncode == 0, done.stderr
            assert list(here.iterdir()) == [], "nothing unasked in the current folder"
            rows = Path(done.stdout.splitlines()[0])
            assert rows.read_text().startswith("name\n")
            assert rows.is_relative_to(tmp_path / "set" if more else home / "scrapewright" / "results")
        own = next((home / "scrapewright" / "results").iterdir())
        assert called("sessions", "remove", own.name, cwd=tmp_path, XDG_DATA_HOME=str(home)).returncode == 0
        assert not own.exists()


def test_an_option_found_wrong_late_leaves_no_session(tmp_path: Path) -> None:
    done = called("run", "books on http://127.0.0.1:9/: title", "--allow", "http://[", cwd=tmp_path)
    assert done.returncode == 2
    assert called("sessions", "--json", cwd=tmp_path).stdout.strip() == "[]"


@pytest.mark.full
def test_an_export_into_a_folder_and_to_nowhere(tmp_path: Path) -> None:
    with serve({"/": MUGS}) as site:
        done = called("run", f"all mugs on {site.base}/: name", "--out", "out", cwd=tmp_path)
    name = done.stderr.splitlines()[0].removeprefix("session ")
    exported = called("export", name, "-o", "out", cwd=tmp_path)
    assert exported.stdout == f"out{os.sep}scraper-2.py\n"
    nowhere = called("export", name, "-o", "/proc/nowhere/scraper.py", cwd=tmp_path)
    assert nowhere.returncode == 2
    assert "can't be written" in nowhere.stderr
