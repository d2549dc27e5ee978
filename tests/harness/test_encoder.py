"""The encoder writes what the standard one reads, whatever it is given and whatever became of builtins."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness import encoder
from tests.json_values import json_values

SCALARS = st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 63) - 1) | st.floats(allow_nan=False) | st.text()
VALUES = json_values(
    SCALARS.filter(lambda value: not (isinstance(value, float) and math.isinf(value))), st.text(), most=5, max_leaves=30
)


@given(VALUES)
def test_round_trip(value: object) -> None:
    assert json.loads(encoder.encode(value)) == value


@given(st.text(st.characters()))
def test_any_text_is_utf_8_afterwards(text: str) -> None:
    read = json.loads(encoder.encode(text + "\udc80"))
    read.encode("utf-8")
    assert read.endswith("\\udc80")


def test_what_json_lacks_becomes_null() -> None:
    class Liar(dict):  # type: ignore[type-arg]
        def items(self) -> object:  # type: ignore[override]
            raise AssertionError("called")

        def __repr__(self) -> str:
            raise AssertionError("called")

    values = [float("nan"), float("inf"), 1 << 63, 10**10_000, object(), b"x", {1}, Liar(a=1), (1, 2)]
    assert json.loads(encoder.encode(values)) == [None] * 8 + [[1, 2]]
    assert json.loads(encoder.encode({1: 2, "a": 3, None: 4})) == {"a": 3}


def test_depth_is_bounded() -> None:
    nested: list[object] = []
    for _ in range(10_000):
        nested = [nested]
    text = encoder.encode(nested).decode()
    assert text == "[" * encoder.MAX_DEPTH + "null" + "]" * encoder.MAX_DEPTH
    cycle: list[object] = []
    cycle.append(cycle)
    assert len(encoder.encode(cycle)) < 200


def test_size_is_bounded() -> None:
    assert encoder.encode("x" * 98, 100) == b'"' + b"x" * 98 + b'"'
    for large in ("x" * 99, ["x" * 50] * 2, {"k" * 100: 1}, [0] * 60):
        with pytest.raises(encoder.TooLarge):
            encoder.encode(large, 100)


SABOTAGE = """
import builtins, json, sys
sys.path.insert(0, sys.argv[1])
from harness import encoder
out, put = sys.stdout, setattr
for name in list(vars(builtins)):
    put(builtins, name, None)
json.dumps = json.JSONEncoder = None
sys.modules.clear()
out.write(encoder.encode({"a": [1, 2.5, "\\ud800x", None, {"b": ()}]}).decode())
out.flush()
"""


def test_builtins_may_be_broken() -> None:
    command = [sys.executable, "-I", "-c", SABOTAGE, str(Path(encoder.__file__).parents[1])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert json.loads(done.stdout) == {"a": [1, 2.5, "\\ud800x", None, {"b": []}]}, done.stderr
