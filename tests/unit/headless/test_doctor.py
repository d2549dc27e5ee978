"""What works here, told on a stream."""

from __future__ import annotations

import io

from scrapewright.headless.doctor import Check, show
from scrapewright.session.exit_codes import ExitCode


def test_what_an_engine_says_of_itself_is_harmless() -> None:
    out = io.StringIO()
    said = "Docker 29\x1b]0;mine\x07 \x9b31m\u202e"
    checks = [Check("engine", True, said), Check("sandbox docker", False, "none", f"see {said}", needed=True)]
    assert show(checks, out, as_json=False) == ExitCode.RETRY_LATER
    assert out.getvalue().count("Docker 29 ") == 2
    assert not {"\x1b", "\x9b", "\u202e", "\x07"}.intersection(out.getvalue())
