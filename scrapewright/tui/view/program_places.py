"""Where a program reads each column: the selectors in its own text, not where the page happens to say the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache

import msgspec

from scrapewright.loop.parsing import parse

LONGEST = 400_000
"""Characters of a program that is looked into."""
DEPTH = 12
"""Names that are followed from one to what they were set to."""
_SELECTS = frozenset({"select", "select_one", "css", "css_first", "cssselect", "xpath"})
_FINDS = frozenset({"find", "find_all"})


class ReadAt(msgspec.Struct, frozen=True):
    """A place in a record: a selector ("" is the record itself, "+ td" is in the element behind it), which of its
    matches (None: all, or the first), and the attribute ("" is the text). In a program that selects nothing, of JSON,
    `selector` is a dotted path."""

    selector: str = ""
    attr: str = ""
    index: int | None = None

    def __str__(self) -> str:
        number = f" [{self.index + 1 if self.index >= 0 else self.index}]" if self.index is not None else ""
        attr = f"@{self.attr}" if self.attr else ""
        return f"{self.selector}{number}{attr}" or "(the record)"


Scope = Mapping[str, ast.expr]


@lru_cache(maxsize=8)
def places_in(code: str) -> Mapping[str, tuple[ReadAt, ...]]:
    """By column the places that its value is read from, the first one first; columns that are built in another way than
    under their names in a dict are not in it."""
    if len(code) > LONGEST:
        return {}
    try:
        tree = parse(code)
        found: dict[str, tuple[ReadAt, ...]] = {}
        nodes = list(ast.walk(tree))
        keyed = not any(isinstance(node, ast.Attribute) and node.attr in _SELECTS | _FINDS for node in nodes)
        for function in (node for node in nodes if isinstance(node, ast.FunctionDef | ast.Module)):
            reader = _Reader(function, keyed=keyed)
            for column, value in _set_in(function):
                if column and column not in found and (places := tuple(dict.fromkeys(reader.read(value)))):
                    found[column] = places
        return found
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}


def _own(function: ast.FunctionDef | ast.Module) -> Iterator[ast.AST]:
    """What is in it, in order, without the functions in it."""
    waiting: list[ast.AST] = list(reversed(function.body))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            waiting.extend(reversed(list(ast.iter_child_nodes(node))))


def _set_in(function: ast.FunctionDef | ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """(key, value) of each dict that is written out, and of each `row["key"] = value`."""
    for node in _own(function):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, value
        elif isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Subscript):
            yield _text(target.slice), node.value


class _Reader:
    """Reads expressions of one function. `keyed`: names in brackets are keys of JSON, not attributes."""

    def __init__(self, function: ast.FunctionDef | ast.Module, *, keyed: bool) -> None:
        self._keyed = keyed
        self._record = function.args.args[0].arg if isinstance(function, ast.FunctionDef) and function.args.args else ""
        self._names: dict[str, ast.expr] = {}
        for node in _own(function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self._names.setdefault(node.targets[0].id, node.value)
            elif isinstance(node, ast.comprehension) and isinstance(node.target, ast.Name):
                self._names.setdefault(node.target.id, node.iter)

    def read(self, node: ast.AST, depth: int = DEPTH) -> list[ReadAt]:
        """The places that an expression reads."""
        if depth <= 0:
            return []
        match node:
            case ast.Name(id=name) if name == self._record:
                return [ReadAt()]
            case ast.Name(id=name):
                return self.read(self._names[name], depth - 1) if name in self._names else []
            case ast.Call(func=ast.Attribute(value=base, attr=called), args=args) if called in _SELECTS | _FINDS:
                selector = _found(node) if called in _FINDS else _text(args[0]) if args else ""
                return _below(self.read(base, depth - 1), selector) if selector else self.read(base, depth - 1)
            case ast.Call(func=ast.Attribute(value=base, attr="find_next_sibling"), args=[]):
                return _behind(self.read(base, depth - 1))
            case ast.Call(func=ast.Attribute(value=base, attr="get"), args=[ast.Constant(value=str(name)), *_]):
                return self._at(self.read(base, depth - 1), name)
            case ast.Call(func=ast.Attribute(value=base)):
                return self.read(base, depth - 1)
            case ast.Call(func=ast.Name(id=called), args=[first, *rest]):
                return self._called(called, first, rest, depth - 1)
            case ast.Subscript(value=base, slice=ast.Constant(value=str(name))):
                return self._at(self.read(base, depth - 1), name)
            case ast.Subscript(value=base, slice=ast.Constant(value=int(number))):
                return _nth(self.read(base, depth - 1), number)
            case ast.Subscript(value=base):
                return self.read(base, depth - 1)
            case ast.BoolOp(op=ast.And(), values=[*_, value]):  # what is before it only keeps None from being asked
                return self.read(value, depth)
            case ast.IfExp(body=body, orelse=other):
                return self.read(body, depth) + self.read(other, depth)
        return [place for child in ast.iter_child_nodes(node) for place in self.read(child, depth)]

    def _at(self, places: list[ReadAt], name: str) -> list[ReadAt]:
        """The attribute, or the key, of that name at these places."""
        if self._keyed:
            return [ReadAt(f"{place.selector}.{name}".strip(".")) for place in places]
        return [msgspec.structs.replace(place, attr=name) for place in places]

    def _called(self, called: str, first: ast.expr, rest: list[ast.expr], depth: int) -> list[ReadAt]:
        """A function's arguments; of those that the rules write, which attribute or which of several is read."""
        places, more = self.read(first, depth), _text(rest[0]) if rest else ""
        number = rest[0].value if rest and isinstance(rest[0], ast.Constant) else None
        match called:
            case "attribute_of" if more:
                return self._at(places, more)
            case "classes_of":
                return self._at(places, "class")
            case "nth" if isinstance(number, int):
                return _nth(places, number)
            case "dig" if self._keyed:
                path = ".".join(str(one.value) for one in rest if isinstance(one, ast.Constant))
                return self._at(places, path)
            case "nearest_before":  # not below the record
                return []
        return places + [place for each in rest for place in self.read(each, depth)]


def _text(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _found(call: ast.Call) -> str:
    """The selector that says what `find` is asked for; empty where it is asked otherwise than by a name and a class."""
    tag = _text(call.args[0]) if call.args else ""
    classes = [one.value for one in call.keywords if one.arg == "class_"]
    if len(call.args) > 1 or len(classes) != len(call.keywords):
        return ""
    return tag + "".join(f".{name}" for value in classes for name in _text(value).split())


def _below(places: list[ReadAt], selector: str) -> list[ReadAt]:
    above = places or [ReadAt()]
    return [ReadAt(f"{place.selector} {selector}".strip(), index=place.index) for place in above]


def _behind(places: list[ReadAt]) -> list[ReadAt]:
    """The elements behind records, or behind those; another's is taken for the element itself."""
    return [ReadAt(f"+ {one.selector}".strip()) if not one.selector.strip("+ ") else one for one in places]


def _nth(places: list[ReadAt], number: int) -> list[ReadAt]:
    return [msgspec.structs.replace(place, index=number) for place in places if not place.attr]
