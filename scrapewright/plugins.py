"""What installed packages add, by entry points: programmers, sandboxes, critics and kinds of files for rows.

The groups are scrapewright.programmers and so on. A name stands for a callable: of `programmers` a function of the
settings that gives a `loop.ports.Programmer`; of `sandboxes` an async function of the limits that gives a
`loop.ports.Sandbox`; of `critics` a function of the rows, the fetched pages and the reading that gives, in words, what
is wrong with the rows; of `exports` a function of a path and rows that writes a file, the name being the ending of the
file's. Nothing is imported before it is used.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, Literal, get_args

from scrapewright.errors import UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Group = Literal["programmers", "sandboxes", "critics", "exports"]
GROUPS: tuple[Group, ...] = get_args(Group)


class BrokenPlugin(UsageError):
    """A package that adds something can't be loaded. The message says which, and why."""


@cache
def found(group: Group) -> dict[str, EntryPoint]:
    """The entry points of a group by name; of several with one name the first."""
    from importlib.metadata import entry_points

    points: dict[str, EntryPoint] = {}
    for point in entry_points(group=f"scrapewright.{group}"):
        points.setdefault(point.name, point)
    return points


def names(group: Group) -> tuple[str, ...]:
    return tuple(found(group))


def load(group: Group, name: str) -> Callable[..., Any]:
    """The callable of that name. Raises BrokenPlugin, KeyError."""
    point = found(group)[name]
    try:
        loaded = point.load()
    except (Exception, SystemExit) as error:
        raise BrokenPlugin(f"{described(point)} can't be loaded: {type(error).__name__}: {error}") from error
    if not callable(loaded):
        raise BrokenPlugin(f"{described(point)} is no function but {type(loaded).__name__}")
    return _staying(loaded)


def _staying(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, where leaving the program is an error like any other."""

    @wraps(function)
    def called(*arguments: object) -> Any:
        try:
            return function(*arguments)
        except SystemExit as error:
            raise left(error) from error

    return called


def left(error: SystemExit) -> RuntimeError:
    return RuntimeError(f"it called sys.exit({error.code!r})")


def choices(key: str, value: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """What a setting can be: the `known` ones, and where `value` is none of these those that packages add."""
    group: dict[str, Group] = {"programmer": "programmers", "sandbox": "sandboxes"}
    return known if value in known or key not in group else (*known, *names(group[key]))


def made(group: Group, name: str, *arguments: object) -> Any:
    """What the callable of that name gives. Raises BrokenPlugin."""
    try:
        return load(group, name)(*arguments)
    except BrokenPlugin:
        raise
    except Exception as error:
        raise BrokenPlugin(f"{described(found(group)[name])} failed: {type(error).__name__}: {error}") from error


def described(point: EntryPoint) -> str:
    """The name, what it stands for and the package that has it."""
    package = f" of {point.dist.name} {point.dist.version}" if point.dist is not None else ""
    return f"{point.group.removeprefix('scrapewright.')} {point.name}{package} ({point.value})"
