"""A small site on loopback, hand-made surveys, and a way to run a generated program."""

from __future__ import annotations

import contextlib
import csv
import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec

from scrapewright.loop.ports import Brief
from scrapewright.programmers.rules.programmer import RulesProgrammer, first
from scrapewright.session.questions import NONE, Decision, Question
from scrapewright.survey.model import Group, NextPage, Slot, Survey, SurveyedPage
from scrapewright.web.page import Page
from tests.suite import FULL
from tests.unit.rules.forks import server

RUFF = str(Path(sys.executable).with_name("ruff"))
"""The program itself: an interpreter before it takes ten times as long."""

Content = str | bytes | tuple[bytes, str]


class Site:
    """Pages by path (with query), served from memory; `hits` are the paths asked for."""

    def __init__(self, pages: Mapping[str, Content]) -> None:
        self.pages = dict(pages)
        self.hits: list[str] = []
        self.base = ""

    def body(self, path: str) -> tuple[bytes, str]:
        content = self.pages[path]
        if isinstance(content, tuple):
            return content
        if isinstance(content, bytes):
            return content, "text/html"
        text = content.replace("{BASE}", self.base)
        return text.encode(), "application/json" if text.lstrip()[:1] in "[{" else "text/html; charset=utf-8"

    def page(self, path: str) -> Page:
        body, media = self.body(path)
        return Page(
            url=self.base + path, asked=self.base + path, status=200, headers={"content-type": media}, body=body
        )


@contextlib.contextmanager
def served(pages: Mapping[str, Content]) -> Iterator[Site]:
    site = Site(pages)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.hits.append(self.path)
            if self.path not in site.pages:
                self.send_error(404)
                return
            body, media = site.body(self.path)
            self.send_response(200)
            self.send_header("Content-Type", media)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site.base = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def survey_of(url: str, *groups: Group, onward: NextPage | None = None, **extra: Any) -> Survey:
    page = SurveyedPage(url=url, status=200, media_type="text/html", encoding="utf-8", declared="header", language="en")
    return Survey(pages=(page,), groups=groups, next=onward or NextPage(), **extra)


def group_of(selector: str, *slots: Slot, kind: str = "list", count: int = 10, **extra: Any) -> Group:
    return Group(id="g1", kind=kind, selector=selector, count=count, slots=slots, score=1.0, **extra)  # type: ignore[arg-type]


def run_program(code: str, directory: Path, timeout: float = 30) -> subprocess.CompletedProcess[str]:
    """Runs a program of ours alone, with nothing of scrapewright in reach; in an interpreter of its own where the
    whole suite is asked for.
    """
    (directory / "scraper.py").write_text(code, encoding="utf-8")
    if not FULL:
        return server().run(directory, timeout)
    return subprocess.run(
        [sys.executable, "-I", "scraper.py"],
        cwd=directory,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def rows_of(path: Path) -> list[dict[str, Any]]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".csv":
        return list(csv.DictReader(text.splitlines()))
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines()]
    data = json.loads(text)
    return data if isinstance(data, list) else [data]


def lint(code: str) -> str:
    """Ruff's complaints under its default rules, a line length of 100 and its layout; empty where it has none."""
    shared = ["--isolated", "--line-length", "100", "--stdin-filename", "scraper.py"]
    checked = subprocess.run(
        [RUFF, "check", "--extend-select", "E501", *shared, "-"],
        input=code, capture_output=True, text=True, check=False,
    )  # fmt: skip
    laid = subprocess.run(
        [RUFF, "format", "--diff", *shared, "-"],
        input=code,
        capture_output=True,
        text=True,
        check=False,
    )
    return (checked.stdout if checked.returncode else "") + (laid.stdout if laid.returncode else "")


def decided(brief: Brief, *decisions: Decision) -> Brief:
    """The brief once these are decided, too."""
    return msgspec.structs.replace(brief, decisions=(*brief.decisions, *decisions))


async def asked(brief: Brief) -> list[Question]:
    """All the questions, none of which is answered but by "none"."""
    programmer, found = RulesProgrammer(), []
    while (question := await programmer.question(brief)) is not None:
        found.append(question)
        brief = decided(brief, Decision(*question.decides, NONE))
        assert len(found) < 12
    return found


def produced(brief: Brief, tmp_path: Path) -> list[dict[str, Any]]:
    """The rows of the first program for a brief, run in an ordinary process."""
    code = first(brief).code
    assert lint(code) == ""
    done = run_program(code, tmp_path)
    assert done.returncode == 0, done.stderr
    return rows_of(tmp_path / "rows.csv")
