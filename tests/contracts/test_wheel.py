"""The wheel, in an empty environment: it brings its harness, themes and image file along, and a query runs."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

from scrapewright import __version__

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(ROOT, tmp_path_factory.mktemp("wheel"))


def built(source: Path, folder: Path) -> Path:
    """The wheel of a source tree or archive, made without a network."""
    quiet = ("-q", "--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check")
    run(sys.executable, "-m", "pip", "wheel", *quiet, "-w", str(folder), str(source))
    (found,) = folder.glob("*.whl")
    return found


def run(*args: str, **more: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(args, capture_output=True, text=True, check=False, cwd="/", env={**os.environ, **more})
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def test_nothing_but_the_package_is_installed(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"scrapewright"}
    for needed in (
        "_harness/supervisor.py",
        "_harness/wire.py",
        "_image/sandbox.Dockerfile",
        "py.typed",
        "sandboxes/docker/pins.txt",
        "programmers/model/prompts/program.toml",
    ):
        assert f"scrapewright/{needed}" in names
    assert any(name.startswith("scrapewright/_themes/") and name.endswith(".toml") for name in names)
    assert not [name for name in names if "test" in name.split("/")[0]]


def test_the_version_is_said_in_one_place(wheel: Path) -> None:
    assert wheel.name == f"scrapewright-{__version__}-py3-none-any.whl"
    assert "version" not in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.mark.full
def test_the_source_archive_gives_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True)
    (archive,) = tmp_path.glob("scrapewright-*.tar.gz")
    other = built(archive, tmp_path)
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(other) as two:
        assert {info.filename: info.CRC for info in one.infolist()} == {i.filename: i.CRC for i in two.infolist()}


@pytest.mark.full
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "packages", ["those of this environment", pytest.param("those that it names", marks=pytest.mark.full)]
)
def test_a_query_runs_from_an_empty_environment(packages: str, wheel: Path, tmp_path: Path) -> None:
    """Installed from outside, and compiled only as far as it is used: that is half of the time."""
    run(sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv"))
    install = ["-m", "pip", "--python", str(tmp_path / "venv" / "bin" / "python"), "install", "-q", "--no-compile"]
    (site,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    if packages == "those that it names":
        install += ["-c", str(ROOT / "constraints.txt")]
    else:
        install.append("--no-deps")
        (site / "packages.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    run(sys.executable, *install, str(wheel))
    assert not list(site.rglob("harness"))
    command = str(tmp_path / "venv" / "bin" / "scrapewright")
    done = run(command, "demo", "--headless", "--out", str(tmp_path / "out"), PYTHONPATH="")
    assert "success" in done.stderr
    assert any(path.suffix == ".csv" for path in (tmp_path / "out").iterdir())
    asked = "import scrapewright; print(scrapewright.__file__)"
    where = run(str(tmp_path / "venv" / "bin" / "python"), "-c", asked, PYTHONPATH="")
    assert Path(where.stdout).is_relative_to(site)
