"""`trace FILE`: any file that Python runs, its own arguments, and its output as a terminal would leave it."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from scrapewright import cli
from scrapewright.errors import UsageError
from scrapewright.headless.output import Output
from scrapewright.headless.trace import advice, show
from scrapewright.options import check_options
from scrapewright.session.result import Captured, Request, RunResult
from scrapewright.settings import Settings


@pytest.mark.parametrize(
    "source",
    [
        b'print("caf\xc3\xa9")\n',
        b'\xef\xbb\xbfprint("caf\xc3\xa9")\n',
        b'# -*- coding: latin-1 -*-\nprint("caf\xe9")\n',
        b'#!/usr/bin/env python\n# vim: set fileencoding=cp1252 :\nprint("caf\xe9")\n',
    ],
)
def test_a_programs_encoding_is_the_one_it_names(tmp_path: Path, source: bytes) -> None:
    path = tmp_path / "program.py"
    path.write_bytes(source)
    options = check_options(Settings(), "", {}, from_file=path, need_url=False)
    assert options.program.endswith('print("café")\n')
    assert not options.program.startswith("\ufeff")


@pytest.mark.parametrize("source", [b'print("caf\xe9")', b"# coding: rot13\nx", b"# coding: no-such\nx"])
def test_a_program_in_no_encoding_is_refused(tmp_path: Path, source: bytes) -> None:
    path = tmp_path / "program.py"
    path.write_bytes(source)
    with pytest.raises(UsageError, match="names no encoding that it is in"):
        check_options(Settings(), "", {}, from_file=path, need_url=False)


@pytest.mark.parametrize("name", ["huge.py", "/dev/zero"])
def test_a_program_without_end_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "huge.py").write_bytes(b"x = 1\n" * 200_000)
    with pytest.raises(UsageError, match="is larger than 1 MB"):
        check_options(Settings(), "", {}, from_file=tmp_path / name, need_url=False)


def test_output_is_shown_as_a_terminal_leaves_it() -> None:
    stderr = Captured(head="\r 1%|#  |\r99%|## |\r\nsaved\n\r50%\r", bytes=30)
    stream = io.StringIO()
    show(RunResult(status="ok", stderr=stderr), Output(stream))
    assert stream.getvalue().splitlines()[-3:] == ["  99%|## |", "  saved", "  50%"]


def test_a_refused_host_is_named_as_it_can_be_allowed() -> None:
    asked = [
        ("http://127.0.0.1:8000/a", "refused"),
        ("http://127.0.0.1:8000/b", "refused"),
        ("http://a.test/", "error"),
    ]
    result = RunResult("ok", requests=tuple(Request("GET", url, 403, verdict=verdict) for url, verdict in asked))
    assert advice(result) == ["127.0.0.1:8000 was refused; --allow 127.0.0.1:8000 lets the program reach it"]


@pytest.mark.sandbox
def test_the_programs_own_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    path = tmp_path / "program.py"
    path.write_text("import sys\nprint(sys.argv[1:])\n")
    with pytest.raises(SystemExit) as stop:
        cli.main(["trace", str(path), "--sandbox", "local", "--json", "one", "--", "--depth", "3"])
    printed = capsys.readouterr()
    assert stop.value.code == 0, printed.err
    assert json.loads(printed.out)["stdout"]["head"] == "['one', '--depth', '3']\n"
