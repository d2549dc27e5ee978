"""What loads with the light parts of the web."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"httpcore2", "httpx2", "h11", "trustme", "cryptography", "protego", "diskcache", "idna", "ssl", "asyncio"}


@pytest.mark.parametrize("module", ["page", "urls", "policy", "failure", "redact"])
def test_the_contract_and_the_policy_load_nothing_heavy(module: str) -> None:
    code = f"import scrapewright.web.{module}, sys; print(' '.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert HEAVY.isdisjoint(loaded.split())


def test_the_gateway_loads_nothing_of_other_floors() -> None:
    code = "import scrapewright.web.gateway, sys; print(' '.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    parts = {name.split(".")[1] for name in loaded.split() if name.startswith("scrapewright.")}
    assert parts <= {"web", "session", "query", "settings", "errors", "plugins"}
    assert {"textual", "openai", "docker", "lxml", "pandas", "requests", "httpx2"}.isdisjoint(loaded.split())
