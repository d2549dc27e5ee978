"""How a package that an extra names is added, to the environment that this command runs from."""

from __future__ import annotations

import shlex
import sys
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

_NAME = "scrapewright"


def how_to_add(extra: str) -> str:
    """The command that adds it. Environments of pipx and uv have no pip of their own, and the pip on the PATH would put
    the package where this command does not look."""
    prefix = Path(sys.prefix)
    wanted = shlex.join(_packages(extra))
    if wanted and (prefix / "pipx_metadata.json").is_file():
        return f"pipx inject {shlex.quote(prefix.name)} {wanted}"
    if wanted and (prefix / "uv-receipt.toml").is_file():
        return f"uv pip install --python {shlex.quote(sys.executable)} {wanted}"
    return f"pip install '{_NAME}[{extra}]'"


def _packages(extra: str) -> list[str]:
    """What the extra names, with the versions that serve; none where this runs from a checkout."""
    try:
        named = requires(_NAME) or []
    except PackageNotFoundError:
        return []
    pairs = (line.partition(";") for line in named)
    return [
        package.strip() for package, _, marker in pairs if marker.replace('"', "'").strip() == f"extra == '{extra}'"
    ]
