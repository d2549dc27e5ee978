"""The standard library's own tests, run with and without the recorder, must come out the same, test by test.

Each test module is compiled by the recorder and run by unittest in a process of its own, on the Python that runs the
tests: .ci/run does it on each one that is there. What may differ is listed in `EXPECTED`, one by one, with the reason.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

LONG = (
    *("test_exceptions", "test_itertools", "test_descr"),
    *("test_enum", "test_typing", "test_functools", "test_fstring"),
    *("test_asyncgen", "test_dataclasses"),
)
"""These take longer than all the others together, or are of another's kind."""
MODULES = (
    *("test_generators", "test_coroutines", "test_patma", "test_named_expressions", "test_scope"),
    *("test_except_star", "test_class", "test_decorators", "test_with"),
    *("test_contextlib", "test_global", "test_unpack", "test_listcomps"),
    *(pytest.param(name, marks=pytest.mark.full) for name in LONG),
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


def results(module: str, recorder: str) -> dict[str, str]:
    """Each test's outcome by its id, and "*" with how the whole ended."""
    done = subprocess.run(
        [sys.executable, "-I", str(RUNNER), module, recorder],
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
def test_module(module: str) -> None:
    plain = results(module, "off")
    if plain["*"] == "missing":
        pytest.skip(f"this Python has no test.{module}")
    recorded = results(module, "on")
    assert recorded["*"] == "recorded"
    assert len(plain) > 1
    differing = {
        name: f"{plain.get(name)} plain, {recorded.get(name)} recorded"
        for name in {*plain, *recorded} - {"*"} - set(EXPECTED)
        if plain.get(name) != recorded.get(name)
    }
    assert not differing
