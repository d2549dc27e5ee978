"""Compiles ahead what a sandbox imports at its start, since everything in a sandbox is read-only.

An installer that compiles nothing (uv by default) leaves pandas without: each start would then take seconds.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

_COMPILE = """
import compileall, importlib, json, sys
task = json.loads(sys.argv[1])
sys.path[len(sys.path):] = task["path"]
for name in task["modules"]:
    try:
        importlib.import_module(name)
    except ImportError:
        pass
for folder in task["folders"]:
    compileall.compile_dir(folder, quiet=2, maxlevels=0)
"""


def stale(files: Iterable[Path]) -> bool:
    """Whether one of the source files has no compiled one as new as itself."""
    for file in files:
        try:
            source, result = file.stat(), os.stat(importlib.util.cache_from_source(str(file)))  # noqa: PTH116
        except OSError:
            return True
        if result.st_mtime < source.st_mtime:
            return True
    return False


async def compile_ahead(folders: Sequence[Path], modules: Iterable[str], entries: dict[str, Path]) -> None:
    """Compiles the folders' files, and what importing the modules from where they are installed takes.

    Best effort: where the directories can't be written to, starts are slower and nothing else.
    """
    command = await asyncio.to_thread(_command, folders, [name for name in modules if name in entries], entries)
    if not command:
        return
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        await process.wait()
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise


def _command(folders: Sequence[Path], names: list[str], entries: dict[str, Path]) -> list[str]:
    """The command line that compiles, or nothing where all is compiled."""
    if not stale(
        [
            *(file for folder in folders for file in folder.glob("*.py")),
            *(entries[name] / "__init__.py" for name in names),
        ]
    ):
        return []
    path = sorted({str(place.parent) for name, place in entries.items() if "/" not in name})
    task = json.dumps({"path": path, "modules": names, "folders": list(map(str, folders))})
    python = os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)
    return [python, "-I", "-S", "-c", _COMPILE, task]
