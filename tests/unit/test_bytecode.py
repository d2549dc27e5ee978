"""Compiling ahead what the sandbox, which can't write, would compile at each start."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from scrapewright.sandboxes import bytecode


def result(file: Path) -> Path:
    return Path(importlib.util.cache_from_source(str(file)))


async def test_the_folder_and_what_the_modules_import_are_compiled(tmp_path: Path) -> None:
    site, folder = tmp_path / "site", tmp_path / "harness"
    (site / "shop").mkdir(parents=True)
    folder.mkdir()
    (site / "shop/__init__.py").write_text("import shop.used\n")
    (site / "shop/used.py").write_text("")
    (site / "shop/unused.py").write_text("")
    (folder / "wire.py").write_text("")
    await bytecode.compile_ahead([folder], ["shop", "absent"], {"shop": site / "shop"})
    assert result(folder / "wire.py").exists()
    assert result(site / "shop/__init__.py").exists()
    assert result(site / "shop/used.py").exists()
    assert not result(site / "shop/unused.py").exists()


async def test_what_is_compiled_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "wire.py"
    file.write_text("")
    await bytecode.compile_ahead([tmp_path], [], {})
    before = result(file).stat().st_mtime_ns
    assert not bytecode.stale([file])
    await bytecode.compile_ahead([tmp_path], [], {})
    assert result(file).stat().st_mtime_ns == before
    later = file.stat().st_mtime + 10
    os.utime(file, (later, later))
    assert bytecode.stale([file])


async def test_a_broken_module_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad/__init__.py").write_text("raise RuntimeError\n")
    (tmp_path / "worse.py").write_text("not python at all\n")
    await bytecode.compile_ahead([tmp_path], ["bad"], {"bad": tmp_path / "bad"})
    assert bytecode.stale([tmp_path / "worse.py"])
