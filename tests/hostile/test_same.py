"""The same program has the same record on every backend, but for times and what the table of differences names."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from scrapewright.loop.ports import Job, Limits
from scrapewright.session.events import AnyTick, OutputPrinted
from tests.e2e.site import MUGS, command, serve
from tests.hostile.backends import AnySandbox, Backend, by_name, no_web, those_here
from tests.suite import FULL

LIMITS = Limits(seconds=5.0, memory=512 << 20, disk=16 << 20)
TO_ITS_END = msgspec.structs.replace(LIMITS, seconds=1.5)
"""For the program that is waited for until its time is over."""

PROGRAMS = {
    "well": (
        "rows = [n * n for n in range(5)]\nfor row in rows:\n    print(row)\nopen('rows.json', 'w').write(str(rows))\n"
    ),
    "an exception with a cause": (
        "def parse(text):\n    try:\n        return int(text)\n    except ValueError as error:\n"
        "        raise RuntimeError('no number') from error\n\nfor text in ('1', '2', 'three'):\n    parse(text)\n"
    ),
    "a library's exception": "import bs4\nsoup = bs4.BeautifulSoup('<p>x</p>', 'lxml')\nsoup.select_one('a').text\n",
    "an exit": "import sys\nprint('out')\nprint('err', file=sys.stderr)\nsys.exit(3)\n",
    "a time-out": "import time\nbefore = [1, 2]\ntime.sleep(100)\n",
    "a signal": "import os, signal\nbefore = 'here'\nos.kill(os.getpid(), signal.SIGKILL)\n",
    "a leave without a word": "import os\nprint('gone', flush=True)\nos._exit(7)\n",
    "a crash in C": "import ctypes\nctypes.string_at(0)\n",
    "too much memory": "blocks = []\nwhile True:\n    blocks.append(bytearray(64 << 20))\n",
    "a full disk": "with open('big', 'wb') as file:\n    for _ in range(100):\n        file.write(bytes(1 << 20))\n",
    "no such host": "import requests\nrequests.get('http://127.0.0.1:9/')\n",
    "a syntax error": "def f(:\n    pass\n",
    "many lines": "for number in range(20000):\n    print(number, 'x' * 20)\n",
}

ALSO_QUICKLY = ("well", "an exception with a cause", "a crash in C", "a full disk")
"""Those that are compared where the whole suite is not asked for."""

MEASURED = {"seconds", "cpu_seconds", "max_rss_bytes"}
"""What a run uses, which is not the same twice."""
OF_THE_HOST = {"sandbox", "python"}
"""Who ran it."""
COUNTED = {"too much memory": {"hits", "steps", "trail"}}
"""What hangs on how much of its memory the interpreter itself takes."""


def comparable(record: dict[str, Any], name: str) -> dict[str, Any]:
    """Without what may differ; frames of a Python's own library are named by their file's end, lines left out."""
    kept = {key: value for key, value in record.items() if key not in MEASURED | OF_THE_HOST | COUNTED.get(name, set())}
    for step in kept.get("steps", ()):
        step["values"] = {name: _shallow(value) for name, value in step["values"].items()}
    return json.loads(_levelled(json.dumps(kept, sort_keys=True)))  # type: ignore[no-any-return]


def _shallow(value: str) -> str:
    """Plain values whole; of containers and objects only that: how far one is looked into hangs on the time left."""
    return value if value[:1] not in "<{[(" else value[:1]


def _levelled(text: str) -> str:
    text = re.sub(r"0x[0-9a-f]{6,}", "0xADDRESS", text)
    return re.sub(r"127\.0\.0\.1:\d{4,5}|port=\d{4,5}", "PORT", text)


def of_our_own(info: dict[str, Any] | None) -> Any:
    """An exception without the frames inside the standard library, which are another version's."""
    if info is None:
        return None
    frames = [frame for frame in info["frames"] if frame["file"] == "scraper.py"]
    return {**info, "frames": frames, "cause": of_our_own(info.get("cause"))}


@pytest.fixture(scope="module")
def present_ones() -> list[Backend]:
    """At least two backends, or there is nothing to compare."""
    found = those_here()
    if len(found) < 2:
        pytest.skip("one backend alone has nothing to be compared with")
    return found


@pytest.fixture
async def all_of_them(present_ones: list[Backend]) -> AsyncIterator[dict[str, AnySandbox]]:
    made = {backend.name: await backend.make(preload=(), spare=False) for backend in present_ones}
    yield made  # type: ignore[misc]
    for sandbox in made.values():
        await sandbox.close()


@pytest.mark.parametrize("name", PROGRAMS if FULL else ALSO_QUICKLY)
async def test_one_record(all_of_them: dict[str, AnySandbox], name: str) -> None:
    records, printed = {}, {}
    for backend, sandbox in all_of_them.items():
        ticks: list[AnyTick] = []
        limits = TO_ITS_END if name == "a time-out" else LIMITS
        ran = await sandbox.run(Job(code=PROGRAMS[name], limits=limits), no_web, ticks.append)
        record = ran.result.to_builtins()
        assert record["sandbox"] == backend
        records[backend] = {**comparable(record, name), "files": sorted(ran.files.items())}
        printed[backend] = "".join(t.text for t in ticks if isinstance(t, OutputPrinted) and t.stream == "stdout")
    first, *others = records
    pythons = {backend: by_name(backend).differs("python", "the host's") for backend in records}
    for other in others:
        ours, theirs = dict(records[first]), dict(records[other])
        if pythons[first] != pythons[other]:
            for record in (ours, theirs):
                record["exception"] = of_our_own(record["exception"])
                record["stack"] = [line for line in record["stack"] if line["file"] == "scraper.py"]
                record["stderr"] = outcome(record["stderr"]["head"])
        assert ours == theirs, f"{first} and {other}"
        assert printed[first] == printed[other] or name == "many lines"  # of a flood, the live view shows a part


def outcome(stderr: str) -> list[str]:
    """A traceback's own words: how it shows lines and marks places is another in each version of Python."""
    return [line for line in stderr.splitlines() if line and not line.startswith((" ", "Current thread", "Extension"))]


def events(backend: Backend, tmp_path: Path, base: str) -> list[dict[str, Any]]:
    folder = tmp_path / backend.name
    folder.mkdir()
    query = f"all mugs on {base}/: name, price (float), url. CSV sorted by price"
    done = command("run", query, "--sandbox", backend.name, "--json", "--out", "out", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "out" / "rows.csv").exists()
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.full
def test_one_session(present_ones: list[Backend], tmp_path: Path) -> None:
    """`run` gives the same events in the same order, each with the same fields, and the same rows."""
    journals = {}
    with serve({"/": MUGS}) as site:
        for backend in present_ones:
            journals[backend.name] = events(backend, tmp_path, site.base)
    rows = {(tmp_path / name / "out" / "rows.csv").read_bytes() for name in journals}
    assert len(rows) == 1
    kinds = {name: [(e["type"], sorted(e), e.get("status")) for e in listed] for name, listed in journals.items()}
    first = next(iter(kinds))
    assert all(listed == kinds[first] for listed in kinds.values())
    results = [
        comparable(e["result"], "") for listed in journals.values() for e in listed if e["type"] == "RunFinished"
    ]
    for result in results:
        for request in result["requests"]:
            request.pop("ms")
        result["stderr"] = outcome(result["stderr"]["head"])
    for result in results[1:]:
        assert result == results[0]
