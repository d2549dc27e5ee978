"""The key bindings, and what is wrong with the user's own in `[keys]`."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widget import Widget

PACKAGE = "scrapewright.tui"


@dataclass(frozen=True)
class Known:
    """A binding of ours: its id, its keys as they are shipped, what it does, and the class that has it."""

    id: str
    keys: tuple[str, ...]
    description: str
    action: str
    owner: type[DOMNode]


@runtime_checkable
class SaysWhyNot(Protocol):
    """A screen that says of a key that does nothing there what prevents it."""

    def say_why_not(self, key: str) -> None: ...


def known_bindings() -> list[Known]:
    """All that have an id, of every class of the screen that is loaded, in the order of the classes' names."""
    found: dict[tuple[str, str], Known] = {}
    for owner in sorted(_classes(DOMNode), key=lambda c: (c.__module__, c.__qualname__)):
        for binding in Binding.make_bindings(owner.__dict__.get("BINDINGS", ())):
            if not binding.id:
                continue
            before = found.get((binding.id, binding.action))
            keys = (*(before.keys if before is not None else ()), binding.key)
            known = Known(
                binding.id, tuple(dict.fromkeys(keys)), binding.description, binding.action,
                before.owner if before is not None else owner,
            )  # fmt: skip
            found[binding.id, binding.action] = known
    return list(found.values())


def _classes(base: type[DOMNode]) -> Iterator[type[DOMNode]]:
    for child in base.__subclasses__():
        if child.__module__.startswith(PACKAGE):
            yield child
        yield from _classes(child)


def complaints(keymap: Mapping[str, str], known: Iterable[Known]) -> list[str]:
    """Warnings about the user's `[keys]`: names that no binding has, and keys that two bindings have."""
    known = list(known)
    ids = sorted({binding.id for binding in known})
    wrong = []
    for name, keys in keymap.items():
        if name not in ids:
            near = difflib.get_close_matches(name, ids, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]}?" if near else "F1 lists them"
            wrong.append(f"[keys] {name}: there is no such command; {hint}")
        elif not [key for key in keys.split(",") if key.strip()]:
            wrong.append(f"[keys] {name}: no key is given")
    clashes = _clashes(keymap, known)
    if clashes:
        wrong.append("[keys] one key for two commands: " + "; ".join(clashes))
    return wrong


def _clashes(keymap: Mapping[str, str], known: list[Known]) -> list[str]:
    """Only those that a remapped binding brings: where ours share a key, they are never valid at the same time."""
    clashes: dict[str, str] = {}
    for one in known:
        if one.id not in keymap:
            continue
        for key in keys_of(one, keymap):
            for other in known:
                if other.id == one.id or key not in keys_of(other, keymap) or not _meet(one, other):
                    continue
                pair = " and ".join(sorted((one.id, other.id)))
                clashes.setdefault(f"{key}{pair}", f"{key} is {pair}")
    return sorted(clashes.values())


def keys_of(binding: Known, keymap: Mapping[str, str]) -> tuple[str, ...]:
    """Its keys as they are now: the user's own take the place of ours."""
    given = keymap.get(binding.id)
    return binding.keys if given is None else tuple(key.strip() for key in given.split(",") if key.strip())


def _meet(one: Known, other: Known) -> bool:
    """Both can have the key at one time: one is the application's or the screen's, or they are of one widget.

    Two screens of ours are never up at once.
    """
    first, second = one.owner, other.owner
    if issubclass(first, second) or issubclass(second, first):
        return True
    screens = [issubclass(owner, Screen) for owner in (first, second)]
    return not all(screens) and (any(screens) or not all(issubclass(owner, Widget) for owner in (first, second)))
