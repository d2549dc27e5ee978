"""Finds what ships beside the code: the harness, the themes, the image's recipe; installed or in a checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _find(installed: str, checkout: str) -> Path:
    for path in (_PACKAGE / installed, _PACKAGE.parent / checkout):
        if path.exists():
            return path
    raise FileNotFoundError(f"this installation of scrapewright lacks {checkout}")


@cache
def harness_dir() -> Path:
    """The folder of the harness package. Raises FileNotFoundError where the installation is damaged."""
    return _find("_harness", "harness")


@cache
def themes_dir() -> Path:
    """The folder of the palettes. Raises FileNotFoundError."""
    return _find("_themes", "themes")


@cache
def dockerfile() -> Path:
    """The recipe of the sandbox image. Raises FileNotFoundError."""
    return _find("_image/sandbox.Dockerfile", "sandbox.Dockerfile")
