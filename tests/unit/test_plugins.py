"""Packages that add something and do not do what is expected: each is said, by name, and ends nothing else."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from scrapewright import plugins
from scrapewright.errors import UnfitRows
from scrapewright.exports.deliver import Delivery
from scrapewright.exports.formats import kind_of
from scrapewright.loop.ports import SandboxUnavailable
from scrapewright.sandboxes.choose import choose
from scrapewright.session.attempt import AttemptState
from scrapewright.session.verdict import Verdict


def leaves(*_: object) -> None:
    sys.exit(3)


async def leaves_later(*_: object) -> None:
    sys.exit(3)


async def gives_nothing(*_: object) -> None:
    return None


def writes_half(path: Path, rows: object) -> None:
    path.write_text("half")
    raise LookupError("half way")


def writes_nothing(path: Path, rows: object) -> None:
    pass


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> Callable[[plugins.Group, str], str]:
    """Adds a function of this module by its name."""

    def add(group: plugins.Group, name: str) -> str:
        point = EntryPoint(name, f"{__name__}:{name}", f"scrapewright.{group}")
        monkeypatch.setattr(plugins, "found", lambda asked: {name: point} if asked == group else {})
        return f"{group} {name} ({__name__}:{name})"

    return add


def test_what_exits_does_not_end_the_program(added: Any) -> None:
    described = added("programmers", "leaves")
    with pytest.raises(plugins.BrokenPlugin) as broken:
        plugins.made("programmers", "leaves", None)
    assert str(broken.value) == f"{described} failed: RuntimeError: it called sys.exit(3)"


def test_a_module_that_exits_as_it_is_imported_can_not_be_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "exits_at_once.py").write_text("import sys\nsys.exit('no licence')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    point = EntryPoint("x", "exits_at_once:x", "scrapewright.critics")
    monkeypatch.setattr(plugins, "found", lambda group: {"x": point})
    with pytest.raises(plugins.BrokenPlugin, match=r"can't be loaded: SystemExit: no licence"):
        plugins.load("critics", "x")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("leaves_later", "the sandbox leaves_later can't be had: it called sys.exit(3)"),
        ("gives_nothing", "the sandbox gives_nothing can't be had: it is no sandbox but NoneType"),
    ],
)
async def test_a_sandbox_that_is_none_is_not_to_be_had(name: str, says: str, added: Any) -> None:
    added("sandboxes", name)
    with pytest.raises(SandboxUnavailable) as missing:
        await choose(name)  # type: ignore[arg-type]
    assert str(missing.value) == says


@pytest.mark.parametrize(
    ("name", "why"),
    [("writes_half", "failed: LookupError: half way"), ("writes_nothing", "wrote no file")],
)
def test_rows_that_could_not_be_written_leave_nothing_behind(name: str, why: str, added: Any, tmp_path: Path) -> None:
    described = added("exports", name)
    out = tmp_path / f"rows.{name}"
    assert kind_of(out) is not None
    attempt = AttemptState(id=1, author="rules", verdict=Verdict(True, 1.0, file="rows.json"))
    with pytest.raises(UnfitRows) as unfit:
        Delivery(out)(attempt, "print()", {"rows.json": b'[{"a": 1}]'}, True)
    assert (str(unfit.value), unfit.value.advice) == (f"{described} {why}", "name another file with --out")
    assert list(tmp_path.iterdir()) == []
