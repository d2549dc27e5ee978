"""The host's view of processes: which come from which, and which of them still live."""

from __future__ import annotations

from pathlib import Path


def descendants(pid: int) -> set[tuple[int, str]]:
    """The living processes below `pid`, each as its number and its start time."""
    parents: dict[int, tuple[int, str]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (found := stat(int(entry.name))) is not None:
            parents[int(entry.name)] = found
    below, before = {pid}, 0
    while len(below) != before:
        before = len(below)
        below |= {child for child, (parent, _) in parents.items() if parent in below}
    return {(child, parents[child][1]) for child in below - {pid}}


def living(processes: set[tuple[int, str]]) -> set[tuple[int, str]]:
    """Those of the processes that still run: neither gone, nor ended and waiting for their parent to notice."""
    return {(pid, start) for pid, start in processes if (found := stat(pid)) is not None and found[1] == start}


def stat(pid: int) -> tuple[int, str] | None:
    """Parent and start time, or None where the process has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else (int(fields[1]), fields[19])
