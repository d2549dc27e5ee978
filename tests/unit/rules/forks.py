"""Runs programs in forks of an interpreter that has imported what they import, which is most of what a short one costs.

A program finds a module `__main__` of its own, an empty stdin, its folder, and nothing of scrapewright in reach.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
import tempfile
from pathlib import Path

_SERVER = """
import csv, json, os, re, signal, sys, time, traceback, types
import bs4, lxml.etree, lxml.html, requests, soupsieve

# Compiles the patterns of the parser of selectors, which is done when they are first used: 100 ms for each program.
soupsieve.compile("a#b.c > d[e='f' i] e + f ~ g:not(h):is(i, j):nth-of-type(2n):first-child, *|k:-soup-contains('l')")


def run(folder, output, errors):
    os.chdir(folder)
    for number, path in ((0, os.devnull), (1, output), (2, errors)):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), number)
    sys.stdin = open(0, closefd=False)
    sys.argv = ["scraper.py"]
    module = sys.modules["__main__"] = types.ModuleType("__main__")
    module.__file__ = "scraper.py"
    try:
        with open("scraper.py", encoding="utf-8") as file:
            code = compile(file.read(), "scraper.py", "exec", dont_inherit=True)
        exec(code, module.__dict__)
        return 0
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1


for line in sys.stdin:
    folder, output, errors, seconds = json.loads(line)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = run(folder, output, errors)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code & 0xFF)
    end = time.monotonic() + seconds
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            print(os.waitstatus_to_exitcode(status), flush=True)
            break
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            print("late", flush=True)
            break
        time.sleep(0.002)
"""


class Server:
    """The interpreter that forks. It ends with its stdin, at the latest with this process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        atexit.register(self.close)

    def run(self, folder: Path, seconds: float) -> subprocess.CompletedProcess[str]:
        """Runs the scraper.py in the folder. Raises subprocess.TimeoutExpired."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with tempfile.TemporaryDirectory() as streams:
            output, errors = Path(streams, "stdout"), Path(streams, "stderr")
            print(json.dumps([str(folder), str(output), str(errors), seconds]), file=self._process.stdin, flush=True)
            said = self._process.stdout.readline().strip()
            if said == "late":
                raise subprocess.TimeoutExpired("scraper.py", seconds)
            printed, complained = (path.read_text("utf-8") for path in (output, errors))
        return subprocess.CompletedProcess("scraper.py", int(said), printed, complained)

    def close(self) -> None:
        self._process.communicate()


_servers: list[Server] = []


def server() -> Server:
    """One for the process, started when it is first needed."""
    if not _servers:
        _servers.append(Server())
    return _servers[0]
