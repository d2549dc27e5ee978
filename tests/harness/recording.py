"""Programs under the recorder, and what it noted of them."""

from __future__ import annotations

import textwrap
from typing import Any

from harness.recorder import Recorder
from harness.trail import Trail

PROGRAM = "scraper.py"


def record(source: str, **names: Any) -> tuple[dict[str, Any], Recorder]:
    namespace: dict[str, Any] = {"__name__": "__main__", **names}
    recorder = Recorder(Trail(shared=False))
    code = recorder.compile(textwrap.dedent(source).lstrip("\n"), PROGRAM)
    assert recorder.state == "on", recorder.note
    recorder.install()
    exec(code, namespace)
    return namespace, recorder


def sets(recorder: Recorder) -> list[tuple[int, dict[str, str]]]:
    return [(step["line"], step["values"]) for step in recorder.steps() if step["kind"] == "set"]


def steps(recorder: Recorder) -> list[tuple[Any, ...]]:
    return [(s["kind"], s["line"], *([s["values"]] if s["values"] else [])) for s in recorder.steps()]
