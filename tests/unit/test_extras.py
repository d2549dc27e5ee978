"""How a missing package is added, by the way that the command was installed."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

from scrapewright import extras

ROOT = Path(__file__).resolve().parents[2]
NAMED = ["lxml>=6", 'mcp>=2.3; extra == "mcp"', "duckdb>=1.4 ; extra == 'duckdb'"]


@pytest.mark.parametrize(
    ("beside", "command"),
    [
        ("", "pip install 'scrapewright[mcp]'"),
        ("pipx_metadata.json", "pipx inject scrapewright-2 'mcp>=2.3'"),
        ("uv-receipt.toml", "uv pip install --python /tools/python 'mcp>=2.3'"),
    ],
)
def test_the_command_reaches_the_environment_that_this_runs_from(
    beside: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prefix = tmp_path / "scrapewright-2"
    prefix.mkdir()
    if beside:
        (prefix / beside).touch()
    monkeypatch.setattr(sys, "prefix", str(prefix))
    monkeypatch.setattr(sys, "executable", "/tools/python")
    monkeypatch.setattr(extras, "requires", lambda name: NAMED)
    assert extras.how_to_add("mcp") == command


def test_in_a_checkout_that_is_not_installed_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def requires(name: str) -> list[str]:
        raise extras.PackageNotFoundError(name)

    (tmp_path / "pipx_metadata.json").touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(extras, "requires", requires)
    assert extras.how_to_add("serve") == "pip install 'scrapewright[serve]'"


def test_every_extra_is_in_the_readme() -> None:
    """Where a person is told how to install them."""
    named = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    install = (ROOT / "README.md").read_text("utf-8").partition("\n## Install\n")[2].partition("\n## ")[0]
    assert [extra for extra in named if extra not in install] == []
