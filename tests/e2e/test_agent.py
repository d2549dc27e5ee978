"""`--programmer command`, from the prompt to the verdict: an agent is a real process that writes the programs."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.site import MUGS, called, serve

QUERY = "all mugs on {base}/: name, price (float), url. CSV sorted by price"
AGENT = '''\
import os, re, sys, time
from pathlib import Path

prompt = Path(sys.argv[1]).read_text(encoding="utf-8")
start = re.search(r"Start at: (\\S+)", prompt)[1]
read = "mug.select_one('.price').get_text(strip=True)" + ("[1:]" if "Your last program" in prompt else "")
Path("scraper.py").write_text(f"""
import csv
import requests
from bs4 import BeautifulSoup
from urllib.parse import urljoin

response = requests.get({start!r}, timeout=30)
response.raise_for_status()
rows = []
for mug in BeautifulSoup(response.content, "lxml").select("li.mug"):
    rows.append([mug.h3.get_text(strip=True), float({read}), urljoin({start!r}, mug.a["href"])])
with open("rows.csv", "w", newline="", encoding="utf-8") as file:
    out = csv.writer(file)
    out.writerow(["name", "price", "url"])
    out.writerows(sorted(rows, key=lambda row: row[1]))
""")
print("Takes the number behind the sign." if "Your last program" in prompt else "Takes the price.")
'''


def test_an_agent_writes_and_repairs_until_the_rows_are_right(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(AGENT, encoding="utf-8")
    line = f"{sys.executable} {tmp_path / 'agent.py'} {{prompt_file}}"
    with serve({"/": MUGS}) as site:
        done = called(
            "run", QUERY.format(base=site.base), "--programmer", "command", "--out", "out", cwd=tmp_path, AGENT_CMD=line
        )
        assert done.returncode == 0, done.stderr
        assert site.seen.count("/") == 1
    for word in ("asking the command", "attempt 1 · command (python", "could not convert string to float",
                 "attempt 2 · command", "Takes the number behind the sign.", "verdict: right"):  # fmt: skip
        assert word in done.stderr
    assert (tmp_path / "out" / "rows.csv").read_text().splitlines()[1] == f"Green mug,2.75,{site.base}/mug/3"


@pytest.mark.parametrize(
    ("kind", "code", "says"),
    [
        ("good", 0, ("attempt 1 · command (simulated-good)", "verdict: right", "success")),
        ("bad", 1, ("attempt 1 · command (simulated-bad)", "ValueError", "verdict: falls short",
                    "unrepaired: the programmer repeats the program of attempt 1")),
        ("stuck", 3, ("retry-later: the command simulated-stuck was not done after 0.5 s, and was killed",
                      "raise agent_time_limit")),
    ],
)  # fmt: skip
def test_a_stand_in_for_an_agent(kind: str, code: int, says: tuple[str, ...], tmp_path: Path) -> None:
    limit = "0.5" if kind == "stuck" else "60"
    with serve({"/": MUGS}) as site:
        done = called(
            "run", QUERY.format(base=site.base), "--simulate", kind, "--out", "out", cwd=tmp_path,
            SCRAPEWRIGHT_AGENT_TIME_LIMIT=limit,
        )  # fmt: skip
    assert done.returncode == code, done.stderr
    for word in says:
        assert word in done.stderr


def test_an_agent_that_gives_no_program_spends_the_attempts(tmp_path: Path) -> None:
    with serve({"/": MUGS}) as site:
        done = called(
            "run", QUERY.format(base=site.base), "--programmer", "command", "--attempts", "2", "--out", "out",
            cwd=tmp_path, AGENT_CMD="echo sorry",
        )  # fmt: skip
    assert done.returncode == 4
    why = "no program came back: the command echo left no scraper.py and printed no ```python block; it printed: sorry"
    assert done.stderr.count(why) == 3, "after each attempt, and at the end"
    assert "another programmer (--programmer)" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.full)])
def test_stopped_nothing_of_the_agent_goes_on(number: signal.Signals, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    os.mkfifo(pids)
    script = tmp_path / "agent.sh"
    script.write_text(f'#!/bin/sh\nsleep 1000 &\necho "$$ $!" >{pids}\nwait\n')
    script.chmod(0o755)
    with serve({"/": MUGS}) as site:
        query = f"mugs on {site.base}/: name"
        child = subprocess.Popen(
            [sys.executable, "-m", "scrapewright", "run", query, "--json", "--programmer", "command"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
            env={**os.environ, "AGENT_CMD": str(script)},
        )  # fmt: skip
        try:
            agents = [int(pid) for pid in pids.read_text().split()]
            watched = [os.pidfd_open(pid) for pid in agents]
            child.send_signal(number)
            out, err = child.communicate(timeout=60)
        finally:
            child.kill()
            child.wait()
    assert child.returncode == 130, err
    assert json.loads(out.splitlines()[-1])["outcome"] == "stopped"
    assert len(watched) == 2
    for descriptor in watched:
        assert select.select([descriptor], [], [], 30)[0], "it goes on"
        os.close(descriptor)


@pytest.mark.full
def test_doctor_tells_of_the_agent(tmp_path: Path) -> None:
    found = called("doctor", cwd=tmp_path, AGENT_CMD="true --key sk-secret").stdout
    assert "/true (--programmer command)" in found
    assert "sk-secret" not in found
    assert "no command 'no-such-agent' here" in called("doctor", cwd=tmp_path, AGENT_CMD="no-such-agent").stdout
    assert "AGENT_CMD names a command" in called("doctor", cwd=tmp_path).stdout
