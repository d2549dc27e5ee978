"""A small site on loopback, and the command run for real against it."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from unittest.mock import patch

from scrapewright import cli
from tests.fakes.loopback import Handler, listening

Odd = Callable[[Handler], None]
"""Writes an answer as it likes; the connection ends after it."""


@dataclass
class Site:
    """`pages` maps a path to (status, content type, body) or to the odd way it is answered in, which has to end when
    `over` is set. `seen` are the paths asked for, in order.
    """

    base: str
    pages: dict[str, tuple[int, str, bytes] | Odd]
    seen: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)


@contextmanager
def serve(pages: Mapping[str, tuple[int, str, bytes] | str | Odd]) -> Iterator[Site]:
    """Serves pages; a text is an HTML page in UTF-8. Anything else is a 404."""
    whole = {
        path: (200, "text/html; charset=utf-8", page.encode()) if isinstance(page, str) else page
        for path, page in pages.items()
    }
    site = Site("", whole)
    with listening(_Handler, site) as site.base:
        try:
            yield site
        finally:
            site.over.set()


class _Handler(Handler, BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        site: Site = self.state
        site.seen.append(self.path)
        page = site.pages.get(self.path, (404, "text/html", b"<h1>Not found</h1>"))
        if callable(page):
            self.close_connection = True
            with suppress(OSError):
                page(self)
            return
        status, kind, body = page
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


LIST = "".join(
    f'<li class="mug"><h3 class="name"><a href="/mug/{n}">{name} mug</a></h3><p class="price">£{price}</p></li>'
    for n, (name, price) in enumerate([("Blue", "3.50"), ("Red", "4.25"), ("Green", "2.75"), ("Grey", "9.00")], 1)
)
MUGS = f"<!doctype html><html><head><title>Mugs</title></head><body><h1>Our mugs</h1><ul>{LIST}</ul></body></html>"


def command(*args: str, cwd: Path, timeout: float = 120, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs scrapewright as a user would, in a process of its own; stdin is empty."""
    return subprocess.run(
        [sys.executable, "-m", "scrapewright", *args],
        capture_output=True, text=True, timeout=timeout, cwd=cwd, stdin=subprocess.DEVNULL, check=False,
        env={**os.environ, "NO_COLOR": "1", **variables},
    )  # fmt: skip


def called(*args: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """The same in this process: real but for the interpreter's start, which is most of what a short command costs."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with (
        chdir(cwd), open(os.devnull, encoding="utf-8") as nothing, redirect_stdout(out), redirect_stderr(err),
        patch.object(sys, "stdin", nothing), patch.dict(os.environ, {"NO_COLOR": "1", **variables}),
    ):  # fmt: skip
        try:
            cli.main(list(args))
        except SystemExit as end:
            code = end.code
    assert isinstance(code, int)
    printed, complained = (stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(args, code, printed, complained)


def written(run: subprocess.CompletedProcess[str], folder: Path) -> list[dict[str, Any]]:
    """The rows of a run that ended well, or that nothing but an undecided column or list keeps unverified."""
    if run.returncode == 0:
        return json.loads((folder / "rows.json").read_text(encoding="utf-8"))
    against = re.findall(r"^ +[?✗] (.+)", run.stderr.rpartition("verdict: ")[2], re.MULTILINE)
    assert run.returncode == 1, run.stderr
    assert against, run.stderr
    assert all(said.startswith("undecided: ") for said in against), run.stderr
    return json.loads((folder / "rows.unverified.json").read_text(encoding="utf-8"))
