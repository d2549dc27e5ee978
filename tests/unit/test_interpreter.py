"""What is shown of the interpreter: enough to run, in place, and no installed packages."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from scrapewright.sandboxes import elf, interpreter
from tests.suite import examples

BINARY = Path(os.path.realpath(getattr(sys, "_base_executable", sys.executable)))


def test_headers_of_the_running_interpreter() -> None:
    found = elf.read(BINARY)
    assert found is not None
    assert Path(found.interpreter).exists()
    assert any(name.startswith(("libc.so", "libc.musl", "libpython")) for name in found.needed)


def test_what_is_no_elf_file_is_none(tmp_path: Path) -> None:
    for number, content in enumerate((b"", b"\x7fELF", b"#!/bin/sh\n", b"\x7fELF\x01\x01" + bytes(100))):
        file = tmp_path / str(number)
        file.write_bytes(content)
        assert elf.read(file) is None
    assert elf.read(tmp_path / "absent") is None


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4095), st.integers(0, 255)), max_size=12), st.integers(0, 8192))
def test_broken_headers_never_raise(changes: list[tuple[int, int]], length: int) -> None:
    data = bytearray(BINARY.read_bytes()[:length])
    for at, value in changes:
        if at < len(data):
            data[at] = value
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        result = elf.read(Path(file.name))
    assert result is None or all(isinstance(name, str) for name in (*result.needed, *result.search))


def test_the_closure_follows_every_name_in_the_headers() -> None:
    modules = [m for folder in interpreter.standard_library() for m in folder.glob("lib-dynload/*.so")]
    found = elf.closure([BINARY, *modules], inside=interpreter.library_folders())
    places = {*interpreter.library_folders(), *(place.parent for place in found)}
    for file in [BINARY, *modules, *found.values()]:
        headers = elf.read(file)
        assert headers is not None
        for name in headers.needed:
            assert any((place / name).exists() for place in places), f"{name} of {file}"


def test_the_loader_is_shown_where_the_binary_asks_for_it() -> None:
    headers = elf.read(BINARY)
    assert headers is not None
    shown = interpreter.find().shown
    loader = Path(headers.interpreter)
    place = loader.parent.resolve() / loader.name
    assert place in shown or any(parent in shown for parent in place.parents)


def test_all_is_shown_in_its_place_and_packages_are_covered() -> None:
    found = interpreter.find()
    assert found.binary == BINARY
    assert found.binary in found.shown or any(parent in found.shown for parent in BINARY.parents)
    folders = interpreter.standard_library()
    assert all(any(f == s or f.is_relative_to(s) for s in found.shown) for f in folders)
    for folder in folders:
        for name in ("site-packages", "dist-packages"):
            if (folder / name).is_dir():
                assert folder / name in found.covered
    home = Path.home()
    assert home not in found.shown
    assert Path("/usr") not in found.shown
    assert not any(str(place).startswith("/etc/") and place.name in ("passwd", "shadow") for place in found.shown)


def test_what_a_shown_folder_holds_is_not_shown_twice() -> None:
    shown = {Path(p): Path(r) for p, r in (("/a", "/a"), ("/a/b", "/a/b"), ("/a/c", "/elsewhere"), ("/ab", "/ab"))}
    assert list(map(str, interpreter.outermost(shown))) == ["/a", "/a/c", "/ab"]


def test_the_c_library_of_other_systems(tmp_path: Path) -> None:
    maps = tmp_path / "maps"
    line = "7f00-7f01 r--p 00000000 fe:00 1 {}\n"
    for path in ("/nix/glibc-2/lib/libc.so.6", "/lib/ld-musl-x86_64.so.1", "/old/lib/libc-2.31.so"):
        maps.write_text(line.format("/usr/bin/python3") + line.format(path) + line.format("/x/libcrypto.so.3"))
        assert interpreter.library_folders(str(maps)) == [Path(os.path.realpath(Path(path).parent))]
