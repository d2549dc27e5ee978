"""The distributions that a program in the local sandbox may import, found where they are installed.

Only these are shown to it, entry by entry under one site directory: neither scrapewright nor anything else of the
host's environment is there to be imported or read.
"""

from __future__ import annotations

import csv
import importlib.metadata
import importlib.util
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ALLOWED = ("requests", "beautifulsoup4", "lxml", "numpy", "pandas")
PRELOAD = ("requests", "bs4", "pandas")
"""The modules that a sandbox imports before it has a job."""
ESSENTIAL = ("requests", "bs4")
"""The modules that every generated program imports: a sandbox where one of them fails is of no use."""

_IMPORT_NAMES = {"beautifulsoup4": "bs4", "python-dateutil": "dateutil"}


@dataclass(frozen=True)
class Site:
    """What the sandbox's site directory is made of: host paths by their name in it, and the versions by distribution.

    `missing` names allowed distributions that are not installed or can't be shown, each with the reason.
    """

    entries: dict[str, Path] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)


def find(wanted: Sequence[str] = ALLOWED, path: list[str] | None = None) -> Site:
    """The wanted distributions with all they need (extras aside), as installed on `path` (default: sys.path)."""
    site = Site()
    todo, seen = [(name, True) for name in wanted], set[str]()
    while todo:
        asked, must = todo.pop(0)
        name = canonical(asked)
        if name in seen:
            continue
        seen.add(name)
        distribution = _distribution(name, path)
        if distribution is None:
            if must:
                site.missing[name] = "not installed"
            continue
        found = entries(distribution) or _by_import(name)
        if not found:
            site.missing[name] = "its files are not listed in its metadata, and it can't be found by import"
            continue
        site.versions[name] = distribution.version
        for entry, place in found.items():
            site.entries.setdefault(entry, place)
        todo += [(needed, False) for needed in requirements(distribution.requires or ())]
    return site


def canonical(name: str) -> str:
    """A distribution's name in its normal form (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def requirements(lines: Iterable[str]) -> list[str]:
    """The names of what is required without extras.

    Other markers are not evaluated: what they rule out is as a rule not installed, and then it isn't shown.
    """
    names = []
    for line in lines:
        requirement, _, marker = line.partition(";")
        name = re.match(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)", requirement)
        if name and not re.search(r"\bextra\b", marker):
            names.append(name[1])
    return names


def entries(distribution: importlib.metadata.Distribution) -> dict[str, Path]:
    """A distribution's own top-level entries: host paths by their name in a site directory.

    A directory that is no package of its own (a namespace) may hold other distributions' parts, so its children are
    named instead. A single-file module brings its compiled file, or it is compiled anew at each start. Empty where the
    metadata lists no files, or none that are beside it (an editable install).
    """
    root = Path(os.path.realpath(str(distribution.locate_file(""))))
    found: dict[str, Path] = {}
    for parts in _recorded(distribution):
        if not parts or parts[0] in ("..", "/", "__pycache__") or parts[0].endswith(".pth"):
            continue
        top = root / parts[0]
        name = parts[0]
        if len(parts) > 2 and name.isidentifier() and name not in found and not _is_package(top):
            name = "/".join(parts[:2])
            top = root / name
        if name in found or not top.exists():
            continue
        found[name] = top
        if top.suffix == ".py":
            compiled = Path(importlib.util.cache_from_source(str(top)))
            if compiled.exists():
                found[f"__pycache__/{compiled.name}"] = compiled
    if not any("." not in Path(name).name or name.endswith((".py", ".so")) for name in found):
        return {}
    return found


def _recorded(distribution: importlib.metadata.Distribution) -> Iterable[tuple[str, ...]]:
    """The files' paths as parts. RECORD is read as text: `files` makes an object of each and asks the disk for it."""
    text = distribution.read_text("RECORD")
    if text is not None:
        return {_shortened(row[0]) for row in csv.reader(text.splitlines()) if row}
    if distribution.files is not None:
        return {_shortened(str(file)) for file in distribution.files}
    names = (distribution.read_text("top_level.txt") or "").split()
    return [(place,) for name in names for place in (name, f"{name}.py")]


def _shortened(path: str) -> tuple[str, ...]:
    return tuple(path.split("/", 3)[:3]) if not path.startswith("/") else ("/",)


def _is_package(folder: Path) -> bool:
    return (folder / "__init__.py").exists() or any(folder.glob("__init__.*.so"))


def _by_import(name: str) -> dict[str, Path]:
    """Where the import system finds it, for an editable install or a system package without a list of files."""
    module = _IMPORT_NAMES.get(name, name.replace("-", "_"))
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return {}
    if spec is None or spec.origin is None:
        return {}
    if spec.submodule_search_locations:
        return {module: Path(os.path.realpath(spec.submodule_search_locations[0]))}
    return {Path(spec.origin).name: Path(os.path.realpath(spec.origin))}


def _distribution(name: str, path: list[str] | None) -> importlib.metadata.Distribution | None:
    if path is None:
        try:
            return importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            return None
    return next(iter(importlib.metadata.distributions(name=name, path=path)), None)
