"""Reads what `faulthandler` wrote, which names the line even inside C code and after a crash."""

from __future__ import annotations

import re

MAX_LINES = 100

_FATAL = re.compile(r"^Fatal Python error: (.{1,200})$", re.MULTILINE)
_THREAD = re.compile(r"^(Current thread|Thread) (0x[0-9a-fA-F]+)\b.*\(most recent call first\):")
_STACK = re.compile(r"^Stack \(most recent call first\):")
_LINE = re.compile(r'^  File "(.*)", line (\d{1,9}) in (.*)$')


def parse(text: str, without: str) -> list[dict[str, object]]:
    """[{file, line, function, thread}], innermost first, the thread that got the signal before the others.

    Takes the last dump in the text: a program may have written to the descriptor before. Files in the folder `without`,
    the harness's own, are left out.
    """
    threads: dict[str, list[dict[str, object]]] = {}
    current = name = ""
    lines: list[dict[str, object]] | None = None
    for line in text.splitlines():
        heading = _THREAD.match(line)
        if heading or _STACK.match(line):
            name = heading[2] if heading else ""
            if name in threads:  # a later dump: what came before is stale
                threads = {}
                current = ""
            if heading is None or heading[1] == "Current thread":
                current = name
            lines = threads.setdefault(name, [])
            continue
        entry = _LINE.match(line)
        if entry is None or entry[1].startswith(without):
            continue
        if lines is not None and len(lines) < MAX_LINES:
            lines.append({"file": entry[1][:500], "line": int(entry[2]), "function": entry[3][:200], "thread": name})
    ordered = [threads.get(current, [])] + [entries for name, entries in threads.items() if name != current]
    return [entry for entries in ordered for entry in entries][:MAX_LINES]


def fatal(text: str) -> str:
    """What the interpreter died of ("Segmentation fault"), or ""."""
    found = _FATAL.findall(text)
    return found[-1] if found else ""
