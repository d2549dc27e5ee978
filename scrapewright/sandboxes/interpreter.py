"""What the sandbox needs of the interpreter that scrapewright runs on: binary, standard library, shared libraries.

The programs run on the same interpreter, since lxml, numpy and pandas are compiled for it, but on the base one and not
on a virtual environment's. Every path keeps its place, so that what is compiled into the binary stays right.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from scrapewright.sandboxes import elf

_PACKAGES = ("site-packages", "dist-packages")
_DATA = ("/usr/share/zoneinfo", "/etc/ld.so.cache", "/etc/localtime")
_ROOT_LINKS = ("lib", "lib64", "lib32", "bin", "sbin")


@dataclass(frozen=True)
class Interpreter:
    """What to show, and where.

    `shown` maps places in the sandbox to host paths, to be bound read-only, parents before children. `covered` are
    directories below them with other people's packages, to be hidden. `links` are the root's own (usr-merge) links.
    `search` is LD_LIBRARY_PATH where a library was found through it alone.
    """

    binary: Path
    shown: dict[Path, Path]
    covered: tuple[Path, ...]
    links: dict[str, str]
    search: tuple[str, ...] = ()


def find(packages: Iterable[Path] = ()) -> Interpreter:
    """This process's base interpreter, with the libraries that it and the modules in `packages` are linked with."""
    binary = Path(os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable))
    libraries, own = library_folders(), standard_library()
    packages = [package for package in packages if package.is_dir()]
    modules = [module for folder in own for module in folder.glob("lib-dynload/*.so")]
    modules += [module for package in packages for module in package.rglob("*.so")]
    search = [folder for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder]
    needed = elf.closure(
        [binary, *modules],
        inside=[*libraries, *packages],
        search=search,
    )
    shown = {path: path for path in [*libraries, *own, binary]}
    shown.update((place, real) for place, real in needed.items())
    shown.update((path, Path(os.path.realpath(path))) for path in map(Path, _DATA) if path.exists())
    if (alternatives := Path("/etc/alternatives")).is_dir():
        # Debian's libblas and liblapack are links through here; the directory holds nothing but links.
        shown[alternatives] = alternatives
    return Interpreter(
        binary=binary,
        shown=outermost(shown),
        covered=tuple(sorted(_packages_below([*libraries, *own]))),
        links={name: str(link.readlink()) for name in _ROOT_LINKS if (link := Path("/", name)).is_symlink()},
        search=tuple(sorted({str(place.parent) for place in needed} & {os.path.realpath(folder) for folder in search})),
    )


def library_folders(maps: str = "/proc/self/maps") -> list[Path]:
    """The directory of the C library that this process has loaded: /usr/lib/<multiarch>, /usr/lib64, ..."""
    pattern = re.compile(r"\s(/\S*/)(?:libc\.so|libc-\d|ld-musl|libc\.musl)\S*$", re.MULTILINE)
    return sorted({Path(os.path.realpath(folder)) for folder in pattern.findall(Path(maps).read_text())})


def standard_library() -> list[Path]:
    """The directories of the standard library: most often one."""
    folders = {Path(os.path.realpath(os.path.dirname(os.__file__)))}
    folders.update(Path(os.path.realpath(entry)).parent for entry in sys.path if entry.endswith("/lib-dynload"))
    return sorted(folders)


def outermost(shown: dict[Path, Path]) -> dict[Path, Path]:
    """Without what a shown directory has in it anyway."""
    kept: dict[Path, Path] = {}
    for place, real in sorted(shown.items()):
        if not any(parent in kept and kept[parent] / place.relative_to(parent) == real for parent in place.parents):
            kept[place] = real
    return kept


def _packages_below(folders: Iterable[Path]) -> set[Path]:
    """Where packages are installed inside what is shown: beside the standard library, or in /usr/lib64/python3.x."""
    patterns = [pattern for name in _PACKAGES for pattern in (name, f"python3*/{name}")]
    return {found for folder in folders for pattern in patterns for found in folder.glob(pattern) if found.is_dir()}
