"""Which shared libraries a program needs, read from its ELF headers (System V gABI, chapters 4 and 5)."""

from __future__ import annotations

import mmap
import re
import struct
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

_LOAD, _DYNAMIC, _INTERP = 1, 2, 3
_NEEDED, _STRTAB, _RPATH, _RUNPATH = 1, 5, 15, 29


class Elf(NamedTuple):
    """What the loader reads first: the loader's own path, the libraries' names, where to look for them."""

    interpreter: str
    needed: tuple[str, ...]
    search: tuple[str, ...]


def read(path: Path) -> Elf | None:
    """The headers of a 64-bit little-endian ELF file, or None for anything else."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _parse(data)
    except (OSError, ValueError, OverflowError, struct.error, StopIteration):
        return None


def _parse(data: mmap.mmap) -> Elf | None:
    if data[:6] != b"\x7fELF\x02\x01":
        return None
    (offset,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    loads: list[tuple[int, int, int]] = []
    interpreter, dynamic = "", (0, 0)
    for number in range(count):
        kind, _, at, address, _, length = struct.unpack_from("<IIQQQQ", data, offset + number * size)
        if kind == _LOAD:
            loads.append((address, address + length, at))
        elif kind == _DYNAMIC:
            dynamic = (at, length)
        elif kind == _INTERP:
            interpreter = data[at : at + length].rstrip(b"\0").decode()
    names, searches, table = [], [], 0
    for position in range(dynamic[0], dynamic[0] + dynamic[1], 16):
        tag, value = struct.unpack_from("<qQ", data, position)
        if tag == 0:
            break
        if tag == _NEEDED:
            names.append(value)
        elif tag in (_RPATH, _RUNPATH):
            searches.append(value)
        elif tag == _STRTAB:
            table = next(at + value - low for low, high, at in loads if low <= value < high)

    def text(at: int) -> str:
        return data[table + at : data.find(b"\0", table + at)].decode()

    return Elf(interpreter, tuple(map(text, names)), tuple(d for s in searches for d in text(s).split(":") if d))


def loader_cache(path: Path = Path("/etc/ld.so.cache")) -> dict[str, Path]:
    """The libraries that the loader knows by name, from the paths in its cache, which are plain strings."""
    try:
        data = path.read_bytes()
    except OSError:
        return {}
    found: dict[str, Path] = {}
    for match in re.finditer(rb"\0(/[^\0]+)(?=\0)", data):
        library = Path(match[1].decode(errors="replace"))
        found.setdefault(library.name, library)
    return found


def closure(files: Iterable[Path], inside: Iterable[Path], search: Iterable[str] = ()) -> dict[Path, Path]:
    """The libraries that `files` need, directly or not, outside the directories `inside` (which are shown whole).

    Maps the path where the loader looks to the file that is there. `search` is LD_LIBRARY_PATH. What can't be found is
    left out: the loader may know better, and a real start decides.
    """
    shown, cache = [d.resolve() for d in inside], loader_cache()
    libraries: dict[Path, Path] = {}
    todo, seen = list(files), set[Path]()
    while todo:
        file = todo.pop()
        if (real := file.resolve()) in seen:
            continue
        seen.add(real)
        if (elf := read(real)) is None:
            continue
        if elf.interpreter:
            loader = Path(elf.interpreter)
            place = loader.parent.resolve() / loader.name
            if not any(place.is_relative_to(d) for d in shown):
                libraries[place] = place.resolve()
        folders = [*map(Path, search), *_folders(elf, real)]
        for name in elf.needed:
            hit = next((d / name for d in [*folders, *shown] if (d / name).is_file()), cache.get(name))
            if hit is None or "/" in name:
                continue
            place = hit.parent.resolve() / hit.name
            todo.append(place)
            if not any(place.is_relative_to(d) for d in shown):
                libraries[place] = place.resolve()
    return libraries


def _folders(elf: Elf, file: Path) -> list[Path]:
    values = {"ORIGIN": str(file.parent), "LIB": "lib64" if sys.maxsize > 2**32 else "lib"}
    return [Path(re.sub(r"\$\{?(ORIGIN|LIB)\}?", lambda m: values[m[1]], entry)) for entry in elf.search]
