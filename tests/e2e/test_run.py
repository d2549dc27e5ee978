"""`scrapewright run`, for real: rows, messages, exit codes, and nothing half-written."""

from __future__ import annotations

import csv
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from scrapewright.loop.briefing import read_files, read_result
from scrapewright.session.state import replay
from scrapewright.store.sessions import SessionStore
from tests.e2e.site import MUGS, called, command, serve
from tests.fakes.loopback import Handler

QUERY = "all mugs on {base}/: name, price (float), url. CSV sorted by price"


def test_rows_on_disk_paths_on_stdout_narration_on_stderr(tmp_path: Path) -> None:
    with serve({"/": MUGS}) as site:
        done = command("run", QUERY.format(base=site.base), "--out", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    paths = [Path(line) for line in done.stdout.splitlines()]
    assert [p.name for p in paths] == ["rows.csv", "scraper.py"]
    rows = list(csv.DictReader((tmp_path / paths[0]).open(newline="", encoding="utf-8")))
    assert [(r["name"], r["price"]) for r in rows] == [
        ("Green mug", "2.75"), ("Blue mug", "3.5"), ("Red mug", "4.25"), ("Grey mug", "9.0"),
    ]  # fmt: skip
    assert rows[0]["url"] == f"{site.base}/mug/3"
    for word in ("session ", "looking at the page", "attempt 1 · rules", "verdict: right"):
        assert word in done.stderr


def test_rows_go_into_a_file_of_the_kind_that_its_name_says(tmp_path: Path) -> None:
    with serve({"/": MUGS}) as site:
        done = called("run", QUERY.format(base=site.base), "--out", "mugs.xlsx", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert [Path(line).name for line in done.stdout.splitlines()] == ["mugs.xlsx", "scraper.py"]
    with zipfile.ZipFile(tmp_path / "mugs.xlsx") as book:
        assert '<c r="B2"><v>2.75</v></c>' in book.read("xl/worksheets/sheet1.xml").decode()


def test_the_program_runs_alone_with_the_same_rows(tmp_path: Path) -> None:
    with serve({"/": MUGS}) as site:
        assert called("run", QUERY.format(base=site.base), "--out", "out", cwd=tmp_path).returncode == 0
        alone = tmp_path / "alone"
        alone.mkdir()
        done = subprocess.run(
            [sys.executable, str(tmp_path / "out" / "scraper.py")],
            cwd=alone,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert (alone / "rows.csv").read_bytes() == (tmp_path / "out" / "rows.csv").read_bytes()


def test_json_is_every_event_and_nothing_is_overwritten(tmp_path: Path) -> None:
    with serve({"/": MUGS}) as site:
        for _ in range(2):
            done = called("run", QUERY.format(base=site.base), "--out", "out", "--json", cwd=tmp_path)
            assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [e["seq"] for e in events] == list(range(1, len(events) + 1))
    assert (events[0]["type"], events[-1]["type"]) == ("SessionStarted", "SessionFinished")
    run = next(e for e in events if e["type"] == "RunFinished")
    assert run["result"]["status"] == "ok"
    assert run["result"]["steps"]
    names = sorted(p.name for p in (tmp_path / "out").iterdir())
    assert names == ["rows-2.csv", "rows.csv", "scraper-2.py", "scraper.py"]


def test_the_tape_serves_a_second_run_with_the_site_gone(tmp_path: Path) -> None:
    with serve({"/": MUGS}) as site:
        query = QUERY.format(base=site.base)
        assert called("run", query, "--out", "one", cwd=tmp_path).returncode == 0
        fetched = [path for path in site.seen if path == "/"]
    assert len(fetched) == 1, "the survey and the program share one fetch"
    done = command("run", query, "--out", "two", "--tape", "only", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "one" / "rows.csv").read_bytes() == (tmp_path / "two" / "rows.csv").read_bytes()


@contextmanager
def closed_port() -> Iterator[int]:
    """A port that refuses connections, and that nobody else can take meanwhile: bound, not listening."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield int(held.getsockname()[1])


def _sends_on(handler: Handler) -> None:
    handler.send_response(302)
    handler.send_header("Location", "/")
    handler.send_header("Content-Length", "0")
    handler.end_headers()


@pytest.mark.parametrize(
    ("pages", "code", "says"),
    [
        pytest.param(None, 3, "refused the connection", marks=pytest.mark.full),
        ({}, 1, "404"),
        ({"/": (200, "image/png", b"\x89PNG\r\n\x1a\n" + b"\0" * 64)}, 1, "not HTML"),
        pytest.param({"/": (503, "text/html", b"<h1>busy</h1>")}, 3, "503", marks=pytest.mark.full),
        ({"/": (429, "text/html", b"<h1>slower</h1>")}, 3, "too many requests"),
        ({"/": _sends_on}, 1, "only sends on"),
        ({"/": (403, "text/html", b"<h1>no</h1>")}, 1, "403"),
    ],
)
def test_sites_that_give_nothing(tmp_path: Path, pages: dict | None, code: int, says: str) -> None:
    if pages is None:
        with closed_port() as port:
            done = called("run", QUERY.format(base=f"http://127.0.0.1:{port}"), "--out", "out", cwd=tmp_path)
    else:
        with serve(pages) as site:
            done = called("run", QUERY.format(base=site.base), "--out", "out", cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert says in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("all the books",), "names no address"),
        (("books on http://127.0.0.1:9/", "--mode", "step"), "no terminal"),
        (("books on http://127.0.0.1:9/", "--sandbox", "vm"), "none of auto, docker"),
        (("books on http://127.0.0.1:9/", "--programmer", "command"), "AGENT_CMD"),
        (("books on http://127.0.0.1:9/", "--programmer", "agent"), "none of auto, rules, model, command"),
        (("books on http://127.0.0.1:9/", "--simulate", "odd"), "none of good, bad, stuck"),
        (("books on http://127.0.0.1:9/", "--simulate", "good", "--programmer", "rules"), "leave --programmer out"),
        (("books on http://127.0.0.1:9/", "--simulate", "good", "--model", "openai"), "asks no model"),
        (("books on http://127.0.0.1:9/", "--attempts", "0"), "attempts"),
        (("books on http://127.0.0.1:9/", "--nonsense"), "nonsense"),
        (("books on http://127.0.0.1:9/", "--programmer", "model"), "OPENAI_API_KEY"),
        (("books on http://127.0.0.1:9/", "--from", "missing.py"), "missing.py can't be read"),
        (("books on http://127.0.0.1:9/", "--out", "/proc/nowhere"), "can't be written"),
        (
            ("books on http://127.0.0.1:9/", "--out", "rows.xlsx", "--append"),
            "name one, --out rows.sqlite or --out rows.duckdb",
        ),
    ],
)
def test_usage_errors(tmp_path: Path, args: tuple[str, ...], says: str) -> None:
    done = called("run", *args, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_files_that_rows_cannot_be_added_to(tmp_path: Path) -> None:
    (tmp_path / "folder.db").mkdir()
    (tmp_path / "notes.db").write_text("not a database, but what somebody wrote\n" * 40)
    with closing(sqlite3.connect(tmp_path / "twice.db")) as database:
        database.executescript("CREATE TABLE rows (url TEXT); INSERT INTO rows VALUES ('/1'), ('/1')")
    for name, says in (
        ("folder.db", "--append adds rows to a database, and folder.db is a folder; name a file with --out"),
        ("notes.db", "notes.db is no SQLite file that rows can be added to: file is not a database; "
         "name another file with --out"),
        ("twice.db", "twice.db: rows that are there already share a url; take them out, or name another column with "
         "--key, or another file with --out"),
        ("/proc/nowhere/a.db", "name another file with --out"),
    ):  # fmt: skip
        request = ("run", "books on http://127.0.0.1:9/: title, url", "--append", "--key", "url", "--out", name)
        done = called(*request, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        assert done.stderr.endswith(f"{says}\n")
        assert done.stderr.count(name) == 1


def test_no_sandbox(tmp_path: Path) -> None:
    done = called(
        "run", "books on http://127.0.0.1:9/", "--sandbox", "docker", cwd=tmp_path, DOCKER_HOST="unix:///nowhere"
    )
    assert done.returncode == 3
    assert "--sandbox local" in done.stderr


def test_a_bad_config_is_a_usage_error(tmp_path: Path) -> None:
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "scrapewright" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("atempts = 3\n")
    done = called("config", "show", cwd=tmp_path)
    assert done.returncode == 2
    assert "did you mean 'attempts'" in done.stderr


@pytest.mark.full
def test_starting_from_a_program_that_crashes(tmp_path: Path) -> None:
    with serve({"/": MUGS}) as site:
        program = (
            "import csv\nimport requests\nfrom bs4 import BeautifulSoup\n\n"
            f'soup = BeautifulSoup(requests.get("{site.base}/").content, "lxml")\n'
            "rows = []\n"
            'for item in soup.select("li.mug"):\n'
            '    price = float(item.select_one(".price").get_text())\n'
            '    rows.append({"name": item.h3.get_text(strip=True), "price": price})\n'
            'with open("rows.csv", "w", newline="", encoding="utf-8") as file:\n'
            '    writer = csv.DictWriter(file, ["name", "price"])\n'
            "    writer.writeheader()\n"
            "    writer.writerows(rows)\n"
        )
        (tmp_path / "mine.py").write_text(program)
        query = f"all mugs on {site.base}/: name, price (float)"
        done = called("run", query, "--from", "mine.py", "--out", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "ValueError" in done.stderr
    assert "£3.50" in done.stderr
    repaired = (tmp_path / "out" / "scraper.py").read_text()
    assert 'for item in soup.select("li.mug"):' in repaired, "the person's own lines stay"
    assert (tmp_path / "mine.py").read_text() == program


def test_past_sessions(tmp_path: Path) -> None:
    with serve({"/": MUGS}) as site:
        done = called("run", QUERY.format(base=site.base), "--out", "out", cwd=tmp_path)
    name = done.stderr.splitlines()[0].removeprefix("session ")
    listed = called("sessions", "list", cwd=tmp_path)
    assert name in listed.stdout
    assert "success" in listed.stdout
    shown = called("sessions", "show", name, cwd=tmp_path)
    assert shown.returncode == 0
    assert [line for line in shown.stdout.splitlines() if line.startswith("attempt")] == [
        line for line in done.stderr.splitlines() if line.startswith("attempt")
    ]
    with SessionStore(Path(os.environ["XDG_DATA_HOME"]) / "scrapewright") as store:
        kept = store.read(name)
        result = read_result(replay(kept.events()).attempts[1], kept)
        assert result is not None
        assert read_files(result, kept) == {"rows.csv": (tmp_path / "out" / "rows.csv").read_bytes()}
    exported = called("export", name, "--as", "script", cwd=tmp_path)
    assert (tmp_path / "out" / "scraper.py").read_text() in exported.stdout
    assert called("sessions", "remove", name, cwd=tmp_path).returncode == 0
    gone = called("sessions", "show", name, cwd=tmp_path)
    assert gone.returncode == 2
    assert "there is no session" in gone.stderr


@pytest.mark.parametrize("times", [pytest.param(1, marks=pytest.mark.full), 2])
def test_interrupted(times: int, tmp_path: Path) -> None:
    """Ctrl+C in the middle of a run, and once more at once: 130, the session is kept, nothing is left running."""
    program, errors = tmp_path / "endless.py", tmp_path / "errors.txt"
    with serve({"/": MUGS}) as site, errors.open("w") as log:
        program.write_text("while True:\n    pass\n")
        child = subprocess.Popen(
            [sys.executable, "-m", "scrapewright", "run", f"mugs on {site.base}/: name", "--json", "--from", program],
            stdout=subprocess.PIPE, stderr=log, text=True, cwd=tmp_path,
        )  # fmt: skip
        try:
            assert child.stdout is not None
            for line in child.stdout:
                if json.loads(line)["type"] == "RunStarted":
                    break
            child.send_signal(signal.SIGINT)
            lines = [child.stdout.readline()]  # it has begun to stop
            if times == 2:
                child.send_signal(signal.SIGINT)
            lines += child.stdout.readlines()
            child.wait(timeout=30)
        finally:
            child.kill()
            child.wait()
    assert child.returncode == 130, errors.read_text()
    assert "Traceback" not in errors.read_text()
    last = json.loads(lines[-1])
    assert (last["type"], last["outcome"]) == ("SessionFinished", "stopped")
    listed = called("sessions", "list", "--json", cwd=tmp_path)
    assert json.loads(listed.stdout)[0]["outcome"] == "stopped"
