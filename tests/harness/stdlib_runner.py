"""Runs one module of the standard library's tests, recorded or not, and prints each test's outcome as JSON."""

from __future__ import annotations

import importlib.util
import io
import json
import sys
import types
import unittest
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from harness.recorder import Recorder
from harness.trail import Trail


class Outcomes(unittest.TextTestResult):
    """Keeps what became of each test, subtests among them."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.outcomes: dict[str, str] = {}

    def _keep(self, test: unittest.TestCase, outcome: str) -> None:
        self.outcomes[test.id()] = outcome

    def addSuccess(self, test: unittest.TestCase) -> None:  # noqa: N802
        super().addSuccess(test)
        self._keep(test, "passed")

    def addFailure(self, test, err) -> None:  # type: ignore[no-untyped-def]  # noqa: N802
        super().addFailure(test, err)
        self._keep(test, "failed")

    def addError(self, test, err) -> None:  # type: ignore[no-untyped-def]  # noqa: N802
        super().addError(test, err)
        self._keep(test, "error")

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:  # noqa: N802
        super().addSkip(test, reason)
        self._keep(test, "skipped")

    def addExpectedFailure(self, test, err) -> None:  # type: ignore[no-untyped-def]  # noqa: N802
        super().addExpectedFailure(test, err)
        self._keep(test, "expected failure")

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:  # noqa: N802
        super().addUnexpectedSuccess(test)
        self._keep(test, "unexpected success")

    def addSubTest(self, test, subtest, err) -> None:  # type: ignore[no-untyped-def]  # noqa: N802
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._keep(subtest, "failed")


def main() -> None:
    name, mode = sys.argv[1:3]
    full = f"test.{name}"
    try:
        spec = importlib.util.find_spec(full)
    except ModuleNotFoundError:
        spec = None
    if spec is None or spec.origin is None:
        print(json.dumps({"*": "missing"}))
        return
    source = Path(spec.origin).read_text(encoding="utf-8")
    state = "plain"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if mode == "on":
            recorder = Recorder(Trail())
            code = recorder.compile(source, spec.origin)
            state = "recorded" if recorder.state == "on" else recorder.note
        else:
            code = compile(source, spec.origin, "exec", dont_inherit=True)
    module = types.ModuleType(full)
    module.__dict__.update(__file__=spec.origin, __spec__=spec, __package__="test", __loader__=spec.loader)
    sys.modules[full] = module
    sys.modules["test"].__dict__[name] = module
    exec(code, module.__dict__)
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    stream = io.StringIO()
    runner = unittest.TextTestRunner(stream=stream, resultclass=Outcomes, warnings="ignore")
    outcome = runner.run(suite)
    assert isinstance(outcome, Outcomes)
    if "-v" in sys.argv:
        print(stream.getvalue(), file=sys.stderr)
    print()
    print(json.dumps({**outcome.outcomes, "*": state}))


if __name__ == "__main__":
    main()
