"""A package that adds a programmer, a sandbox, checks and a kind of file, installed for real."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.site import MUGS, command, serve

PACKAGE = Path(__file__).resolve().parents[1] / "example_package"


@pytest.fixture(scope="module")
def site_packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the package is installed: built by its own build system, without a network."""
    folder = tmp_path_factory.mktemp("site")
    quiet = ["-q", "--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check", "--no-compile"]
    install = [sys.executable, "-m", "pip", "install", *quiet, "--target", str(folder), str(PACKAGE)]
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def before(folder: Path) -> str:
    """PYTHONPATH with one more folder."""
    return os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))


def test_the_doctor_lists_what_is_added_and_what_is_broken(site_packages: Path, tmp_path: Path) -> None:
    done = command("doctor", "--json", cwd=tmp_path, PYTHONPATH=before(site_packages))
    lines = [check for check in json.loads(done.stdout) if check["name"] == "added"]
    assert [(check["ok"], check["detail"].partition(" of ")[0]) for check in lines] == [
        (True, "programmers fixed"), (True, "sandboxes logged"), (True, "critics clumsy"), (True, "critics shouting"),
        (False, "exports gone"), (True, "exports md"),
    ]  # fmt: skip
    assert "scrapewright-example 1.0 (scrapewright_example:nowhere) can't be loaded" in lines[-2]["detail"]


@pytest.mark.sandbox
def test_a_session_works_with_what_is_added(site_packages: Path, tmp_path: Path) -> None:
    loud = MUGS.replace("Blue mug", "BLUE MUG").replace("Red mug", "RED MUG").replace("Green mug", "GREEN MUG")
    given = ("--programmer", "fixed", "--sandbox", "logged", "--attempts", "1")
    with serve({"/": MUGS, "/loud": loud}) as site:
        query = f"all mugs on {site.base}/{{}}: name, price (float)"
        calm = command(
            "run", query.format(""), *given, "--out", "rows.md", cwd=tmp_path, PYTHONPATH=before(site_packages)
        )
        shouts = command("run", query.format("loud"), *given, cwd=tmp_path, PYTHONPATH=before(site_packages))
    assert calm.returncode == 0, calm.stderr
    listed = command("sessions", "list", "--json", cwd=tmp_path)
    assert {session["programmer"] for session in json.loads(listed.stdout)} == {"fixed"}
    assert (tmp_path / "rows.md").read_text().splitlines()[:3] == [
        "| name | price |", "| --- | --- |", "| Blue mug | 3.5 |",
    ]  # fmt: skip
    assert (tmp_path / "scraper.py").read_text().endswith("# Written by the example.\n")
    assert "critics clumsy of scrapewright-example 1.0 (scrapewright_example:clumsy) failed: LookupError" in calm.stderr
    assert shouts.returncode == 4, shouts.stderr
    assert "shouting: the texts of name are in capitals" in shouts.stderr


def test_what_is_not_there_or_broken_is_a_usage_error(site_packages: Path, tmp_path: Path) -> None:
    query = ("run", "all mugs on http://127.0.0.1:9/: name")
    for option, value, says in (
        ("--programmer", "other", "'other' is none of auto, rules, model, command, fixed"),
        ("--sandbox", "other", "'other' is none of auto, docker, local, bwrap, namespaces, logged"),
        (
            "--out",
            "rows.gone",
            "exports gone of scrapewright-example 1.0 (scrapewright_example:nowhere) can't be loaded",
        ),
    ):
        done = command(*query, option, value, cwd=tmp_path, PYTHONPATH=before(site_packages))
        assert done.returncode == 2
        assert says in done.stderr
        assert len(done.stderr.splitlines()) == 1


MINIMAL = """
import sys
from scrapewright.loop.ports import Draft

class Programmer:
    author = "command"

    def __init__(self, settings):
        pass

    async def write(self, brief, report):
        {body}
"""


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("body", "code", "says"),
    [
        (
            "return Draft(code='import csv\\nwith open(\"rows.csv\", \"w\") as f:\\n    csv.writer(f).writerow([1])')",
            4, "attempt 1 · command",
        ),
        ("raise LookupError('the moon is down')", 3, "minimal:Programmer) failed: LookupError: the moon is down"),
        pytest.param(
            "sys.exit(9)", 3, "minimal:Programmer) failed: RuntimeError: it called sys.exit(9)", marks=pytest.mark.full
        ),
        pytest.param("return 'print()'", 3, "minimal:Programmer) gave no Draft but str", marks=pytest.mark.full),
    ],
    ids=["writes", "fails", "exits", "no draft"],
)  # fmt: skip
def test_a_programmer_needs_to_write_and_no_more(body: str, code: int, says: str, tmp_path: Path) -> None:
    added = tmp_path / "minimal-1.dist-info"
    added.mkdir()
    (added / "METADATA").write_text("Metadata-Version: 2.1\nName: minimal\nVersion: 1\n")
    (added / "entry_points.txt").write_text("[scrapewright.programmers]\nminimal = minimal:Programmer\n")
    (tmp_path / "minimal.py").write_text(MINIMAL.format(body=body))
    with serve({"/": MUGS}) as site:
        query = f"all mugs on {site.base}/: name, price (float)"
        done = command(
            "run", query, "--programmer", "minimal", "--attempts", "1", cwd=tmp_path, PYTHONPATH=before(tmp_path)
        )
    assert done.returncode == code, done.stderr
    assert says in done.stderr
    assert "defect" not in done.stderr
