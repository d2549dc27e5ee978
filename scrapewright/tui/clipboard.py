"""Copying: to the terminal's clipboard by OSC 52, and to the desktop's by an installed tool."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping

AT_MOST = 1 << 20
"""Characters that are handed on; more is no clipboard's business."""
PATIENCE = 2.0
"""Seconds for the tool; a display that does not answer must not hold anything up."""

_TOOLS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
    ("", ("pbcopy",)),
)


def tool(environ: Mapping[str, str], which: Callable[[str], str | None] = shutil.which) -> tuple[str, ...]:
    """The command that takes the clipboard's text on its standard input; empty where there is none."""
    for variable, command in _TOOLS:
        if variable and not environ.get(variable):
            continue
        if found := which(command[0]):
            return found, *command[1:]
    return ()


def copy_with_tool(command: tuple[str, ...], text: str, patience: float = PATIENCE) -> bool:
    """Gives the text to the tool. Blocks for at most `patience` seconds, so it is for a thread. False if it failed."""
    try:
        done = subprocess.run(  # its output goes nowhere: a tool that stays as a server would keep a pipe open
            command, input=text.encode("utf-8", "replace"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            timeout=patience, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def fit(text: str) -> tuple[str, str]:
    """(what is copied, what is said of it)."""
    text = text.encode("utf-8", "replace").decode()
    lines = text.count("\n") + 1
    said = f"copied {lines:,} lines" if lines > 1 else f"copied {len(text):,} characters"
    if len(text) > AT_MOST:
        return text[:AT_MOST], f"copied the first {AT_MOST:,} of {len(text):,} characters"
    return text, said
