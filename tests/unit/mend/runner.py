"""Runs real programs under the flight recorder against pages on loopback, and repairs them till they are right."""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec

from scrapewright.critics.judge import RowsCritic
from scrapewright.loop.ports import Attempt, Brief, Case, Draft
from scrapewright.programmers.rules.mends import mend
from scrapewright.query.reading import Reading
from scrapewright.session.result import Artifact, Request, RunResult
from scrapewright.session.verdict import Verdict
from scrapewright.web.page import Page

CHECKOUT = Path(__file__).resolve().parents[3]

_RUNNER = """
import json, os, signal, sys, time
sys.path.insert(0, sys.argv[1])
import bs4, lxml.etree, requests, soupsieve
from harness.recorder import Recorder
from harness.report import exception_report, remember_source

# Compiles the patterns of the parser of selectors, which is done when they are first used: 100 ms for each program.
soupsieve.compile("a#b.c > d[e='f' i] e + f ~ g:not(h):is(i, j):nth-of-type(2n):first-child, *|k:-soup-contains('l')")


def play(folder):
    os.chdir(folder + "/work")
    with open(folder + "/scraper.py", encoding="utf-8") as file:
        source = file.read()
    recorder = Recorder(None)
    remember_source("scraper.py", source)
    code = recorder.compile(source, "scraper.py")
    recorder.install()
    out = {"status": "ok", "exit_code": 0}
    try:
        exec(code, {"__name__": "__main__"})
    except BaseException as error:
        out = {"status": "error", "exit_code": 1, "exception": exception_report(error, "scraper.py")}
    out["steps"] = recorder.steps()
    with open(folder + "/out.json", "w", encoding="utf-8") as file:
        json.dump(out, file)


for line in sys.stdin:
    folder, seconds = json.loads(line)
    child = os.fork()
    if child == 0:
        os.dup2(os.open(folder + "/output.txt", os.O_CREAT | os.O_WRONLY), 1)
        try:
            play(folder)
        finally:
            os._exit(0)
    end = time.monotonic() + seconds
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            break
        time.sleep(0.005)
    print("done", flush=True)
"""


class Runner:
    """A process that has the libraries imported and forks for each program."""

    def __init__(self) -> None:
        command = [sys.executable, "-c", _RUNNER, str(CHECKOUT)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        atexit.register(self.close)

    def play(self, folder: Path, seconds: float) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([str(folder), seconds]) + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "done\n"

    def close(self) -> None:
        self.process.stdin and self.process.stdin.close()
        self.process.stdout and self.process.stdout.close()
        self.process.wait()


_runner: list[Runner] = []


class Site:
    """Pages by path: bytes, or (bytes, Content-Type). `log` has the paths asked for since it was last cleared."""

    def __init__(self, pages: dict[str, bytes | tuple[bytes, str]]) -> None:
        self.pages = {
            path: page if isinstance(page, tuple) else (page, "text/html; charset=utf-8")
            for path, page in pages.items()
        }
        self.log: list[tuple[str, int]] = []
        self.base = ""

    def taped(self) -> dict[str, Page]:
        return {
            self.base + path: Page(self.base + path, self.base + path, 200, {"content-type": kind}, body)
            for path, (body, kind) in self.pages.items()
        }


@contextlib.contextmanager
def served(pages: dict[str, Any]) -> Iterator[Site]:
    """A site on 127.0.0.1 for as long as the block lasts. `{BASE}` in a page stands for its address."""
    site = Site(pages)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body, kind = site.pages.get(self.path, (b"<h1>Not found</h1>", ""))
            status = 200 if kind else 404
            site.log.append((self.path, status))
            self.send_response(status)
            self.send_header("Content-Type", kind or "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site.base = f"http://127.0.0.1:{server.server_address[1]}"
    site.pages = {
        path: (body.replace(b"{BASE}", site.base.encode()), kind) for path, (body, kind) in site.pages.items()
    }
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def run(code: str, site: Site, seconds: float = 20.0) -> tuple[RunResult, dict[str, bytes]]:
    """A run in a process of its own, in an empty directory."""
    site.log.clear()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        work = folder / "work"
        work.mkdir()
        (folder / "scraper.py").write_text(code, encoding="utf-8")
        if not _runner:
            _runner.append(Runner())
        _runner[0].play(folder, seconds)
        out = folder / "out.json"
        report: dict[str, Any] = json.loads(out.read_text(encoding="utf-8")) if out.is_file() else {"status": "timeout"}
        files = {path.name: path.read_bytes() for path in work.iterdir() if path.is_file()}
    report["requests"] = [{"method": "GET", "url": site.base + path, "status": status} for path, status in site.log]
    report["artifacts"] = [
        msgspec.to_builtins(Artifact(name, len(body), hashlib.sha256(body).hexdigest())) for name, body in files.items()
    ]
    return msgspec.convert(report, RunResult), files


def judge(query: Reading, result: RunResult, files: dict[str, bytes], site: Site) -> Verdict:
    return RowsCritic().judge(Case(query, None, result, files, site.taped()))


def attempt(code: str, site: Site, query: Reading, number: int = 1, seconds: float = 20.0) -> Attempt:
    result, files = run(code, site, seconds)
    verdict = judge(query, result, files, site)
    return Attempt(number, "model", code, number - 1, result=result, verdict=verdict)


def brief(query: Reading, site: Site, attempts: list[Attempt], blank: tuple[str, ...] = ()) -> Brief:
    return Brief(query, None, tuple(attempts), site.taped(), blank=blank)


def repaired(
    code: str, site: Site, query: Reading, most: int = 4, seconds: float = 20.0, blank: tuple[str, ...] = ()
) -> tuple[list[Attempt], list[Draft]]:
    """Runs, judges and mends until the verdict is right, no rule applies or the attempts are spent."""
    attempts = [attempt(code, site, query, 1, seconds)]
    drafts: list[Draft] = []
    while len(attempts) < most and not (attempts[-1].verdict and attempts[-1].verdict.ok):
        draft = mend(brief(query, site, attempts, blank))
        if draft is None:
            break
        drafts.append(draft)
        attempts.append(attempt(draft.code, site, query, len(attempts) + 1, seconds))
    return attempts, drafts


def page(body: str, charset: str = "utf-8") -> bytes:
    return f"<!doctype html><html><head><title>Shop</title></head><body>{body}</body></html>".encode(charset)


def request(url: str, status: int = 200) -> Request:
    return Request("GET", url, status)
