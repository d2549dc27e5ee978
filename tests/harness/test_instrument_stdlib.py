"""The standard library's own tests, run with and without the recorder, must come out the same, test by test.

Each test module is compiled by the recorder and run by unittest in a process of its own, once per Python that has the
`test` package. What may differ is listed in `EXPECTED`, one by one, with the reason.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

MODULES = (
    *("test_generators", "test_coroutines", "test_asyncgen", "test_patma", "test_named_expressions", "test_scope"),
    *("test_enum", "test_dataclasses", "test_except_star", "test_exceptions", "test_class", "test_decorators"),
    *("test_with", "test_contextlib", "test_functools", "test_itertools", "test_descr", "test_fstring", "test_global"),
    *("test_unpack", "test_listcomps", "test_typing"),
)

_TRACING = "counts the line events that a trace function of its own sees: frame introspection"
EXPECTED = {
    "test.test_exceptions.ExceptionTests.test_recursion_in_except_handler": (
        "sets the recursion limit to ten frames above its own: a hook takes some of them (recursion depth)"
    ),
    "test.test_descr.ClassPropertiesAndMethods.test_slots": (
        "counts all objects that the collector tracks: the ring's entries are some (reference counts)"
    ),
    **{
        f"test.test_patma.TestTracing.{name}": _TRACING
        for name in (
            *("test_default_wildcard", "test_default_capture", "test_no_default"),
            *("test_only_default_wildcard", "test_only_default_capture", "test_unreachable_code"),
        )
    },
}

HERE = Path(__file__).resolve().parent
RUNNER = HERE / "stdlib_runner.py"


def pythons() -> dict[str, str]:
    """By version: this interpreter, and each of another version that the person's version manager has, from 3.11 on.

    With ONE_PYTHON set, this one alone: for whoever runs the tests on each of them in turn.
    """
    found = {"{}.{}".format(*sys.version_info): sys.executable}
    if os.environ.get("ONE_PYTHON"):
        return found
    for path in sorted(Path(os.path.expanduser("~/.pyenv/versions")).glob("3.*/bin/python")):
        major, minor, *_ = path.parent.parent.name.split(".")
        if minor.isdigit() and int(minor) >= 11:
            found.setdefault(f"{major}.{minor}", str(path))
    return found


def results(python: str, module: str, recorder: str) -> dict[str, str]:
    """Each test's outcome by its id, and "*" with how the whole ended."""
    done = subprocess.run(
        [python, "-I", str(RUNNER), module, recorder],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        cwd=HERE,
    )
    assert done.stdout, done.stderr[-3000:]
    found: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("version", pythons())
def test_module(version: str, module: str) -> None:
    python = pythons()[version]
    plain = results(python, module, "off")
    if plain["*"] == "missing":
        pytest.skip(f"Python {version} here has no test.{module}")
    recorded = results(python, module, "on")
    assert recorded["*"] == "recorded"
    assert len(plain) > 1
    differing = {
        name: f"{plain.get(name)} plain, {recorded.get(name)} recorded"
        for name in {*plain, *recorded} - {"*"} - set(EXPECTED)
        if plain.get(name) != recorded.get(name)
    }
    assert not differing
