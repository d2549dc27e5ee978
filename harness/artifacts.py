"""Collects the files a program left in its working directory, without following anything it may have planted there.

Every directory and file is opened relative to its parent's descriptor and without following links; only regular files
are taken. What is left out is counted and said.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from time import monotonic
from typing import NamedTuple

MAX_DEPTH = 16
MAX_ENTRIES = 10_000
"""Directory entries looked at in all."""
MAX_NAME = 500
"""Characters of a relative name."""
PAUSE = 100
"""Entries looked at between two pauses."""

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


class Found(NamedTuple):
    """A regular file, open for reading. `name` is relative, with `/`, without `..`, and printable."""

    name: str
    bytes: int
    descriptor: int


class Collection:
    """Walks a directory once; files come in the order of their names, each to be closed by the caller.

    It gives up after `seconds` of walking, which a tree of any shape within MAX_ENTRIES is far from taking.
    """

    def __init__(self, folder: str, count: int, total_bytes: int, seconds: float = 5.0) -> None:
        self._folder = folder
        self._count = count
        self._room = total_bytes
        self._entries = 0
        self._looked = 0
        self._seconds = seconds
        self._names: set[str] = set()
        self._numbers: dict[str, int] = {}
        self._left_out: dict[str, int] = {}

    @property
    def note(self) -> str:
        """What was left out, by reason ("links: 3; special files: 1"), or ""."""
        return "; ".join(f"{what}: {number}" for what, number in self._left_out.items())

    def files(self) -> Iterator[Found | None]:
        """The files, while they fit, and a None now and then, for the caller to see to other things.

        Raises nothing: what can't be read is left out.
        """
        try:
            descriptor = os.open(self._folder, _DIRECTORY)
        except OSError:
            self._leave_out("directories that can't be read")
            return
        began = monotonic()
        for found in self._walk(descriptor, "", 0):
            self._seconds -= monotonic() - began
            yield found
            began = monotonic()
        if self._seconds <= 0:
            self._leave_out("directories left when the time for looking was up")

    def _leave_out(self, what: str) -> None:
        self._left_out[what] = self._left_out.get(what, 0) + 1

    def _walk(self, directory: int, prefix: str, depth: int) -> Iterator[Found | None]:
        try:
            try:
                names = self._list(directory)
            except OSError:
                self._leave_out("directories that can't be read")
                return
            for name in names:
                self._looked += 1
                if self._looked % PAUSE == 0:
                    yield None
                if self._seconds <= 0:
                    return
                try:
                    mode = os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode
                    if stat.S_ISDIR(mode):
                        if depth >= MAX_DEPTH:
                            self._leave_out("directories nested too deep")
                            continue
                        shown = self._unique(prefix + clean(name))
                        if shown is None:
                            self._leave_out("directories with a name too long")
                            continue
                        below = os.open(name, _DIRECTORY, dir_fd=directory)
                    elif stat.S_ISREG(mode):
                        found = self._take(directory, name, prefix)
                        if found is not None:
                            yield found
                        continue
                    else:
                        self._leave_out("links" if stat.S_ISLNK(mode) else "special files")
                        continue
                except OSError:
                    self._leave_out("files that can't be read")
                    continue
                yield from self._walk(below, shown + "/", depth + 1)
        finally:
            os.close(directory)

    def _list(self, directory: int) -> list[str]:
        names = []
        with os.scandir(directory) as entries:
            for entry in entries:
                if self._entries >= MAX_ENTRIES:
                    self._leave_out(f"directories beyond {MAX_ENTRIES} entries")
                    break
                self._entries += 1
                names.append(entry.name)
        return sorted(names)

    def _take(self, directory: int, name: str, prefix: str) -> Found | None:
        if self._count <= 0:
            self._leave_out("files beyond the number allowed")
            return None
        descriptor = os.open(name, _FILE, dir_fd=directory)
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > self._room:
            os.close(descriptor)
            self._leave_out("files beyond the bytes allowed" if stat.S_ISREG(status.st_mode) else "special files")
            return None
        shown = self._unique(prefix + clean(name))
        if shown is None:
            os.close(descriptor)
            self._leave_out("files with a name too long")
            return None
        self._count -= 1
        self._room -= status.st_size
        return Found(shown, status.st_size, descriptor)

    def _unique(self, name: str) -> str | None:
        """The name, numbered where cleaning made two the same."""
        candidate, number = name, self._numbers.get(name, 1)
        while candidate in self._names:
            number += 1
            candidate = f"{name}~{number}"
        if len(candidate) > MAX_NAME:
            return None
        self._numbers[name] = number  # or thousands of names that clean to one would be counted through each time
        self._names.add(candidate)
        return candidate


def clean(name: str) -> str:
    """One path component that is safe to show and to use: printable, no separator, not `.` or `..`."""
    safe = "".join("_" if character in "/\\" or not character.isprintable() else character for character in name)
    return safe if safe.strip(".") else "_" * max(len(safe), 1)


def content(found: Found, size: int) -> Iterator[bytes]:
    """The file in pieces of `size`, `found.bytes` in all; where it turns out shorter, filled up with zeros.

    Closes the descriptor.
    """
    left = found.bytes
    try:
        while left:
            try:
                data = os.read(found.descriptor, min(size, left))
            except OSError:
                data = b""
            data = data or bytes(min(size, left))
            left -= len(data)
            yield data
    finally:
        os.close(found.descriptor)
