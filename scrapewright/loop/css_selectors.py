"""The CSS selectors of a program, read from its syntax tree, and what is wrong with them."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

_SELECTS = frozenset({"select", "select_one", "iselect"})
AROUND = 60
"""Characters of a selector that are shown."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
Block = Function | ast.Module


def css_selectors(tree: ast.Module) -> list[tuple[int, str]]:
    """(line, selector) for each text that is given to `select` or `select_one`, once each, by line.

    Followed are constants, names that are bound to nothing else, lists of constants that are looped over, and what a
    parameter is called with; texts that are put together at run time are not.
    """
    return sorted({(line, text) for scope in scopes(tree) for call in scope.calls for line, text in scope.asked(call)})


def scopes(tree: ast.Module) -> list[Scope]:
    """Those of a program, the module itself among them."""
    return [Scope(node, tree) for node in ast.walk(tree) if isinstance(node, Block)]


def selector_problems(tree: ast.Module) -> list[tuple[int, str]]:
    """(line, what is wrong) for each selector that soupsieve, which bs4 asks, can't read."""
    import soupsieve  # slow to load

    from scrapewright.survey.selecting import UNREADABLE

    found = []
    for line, selector in css_selectors(tree):
        try:
            with warnings.catch_warnings(action="ignore"):  # older names of what it still reads
                soupsieve.compile(selector)
        except UNREADABLE as error:
            reason = (str(error).splitlines() or [""])[0].rstrip(".:")
            hint = "; bs4 gives texts by get_text() and attributes by [name]" if "::" in selector else ""
            shown = selector if len(selector) <= AROUND else f"{selector[:AROUND]}…"
            found.append((line, f"line {line}: {shown!r} is no selector that bs4 reads: {reason}{hint}"))
    return found


class Scope:
    """A function, or the module around all of them, with the calls in it, without those in a function inside."""

    def __init__(self, node: Block, tree: ast.Module) -> None:
        self._node, self._tree = node, tree
        self._own = list(_own(node))
        self.calls = [inner for inner in self._own if isinstance(inner, ast.Call)]
        self.name = node.name if isinstance(node, Function) else ""
        self.parameters = _parameters(node) if isinstance(node, Function) else []

    def sources(self, name: str) -> Iterator[ast.expr]:
        """What a name is bound to here, or is an item of."""
        for node in self._own:
            match node:
                case ast.Assign(targets=[ast.Name(id=bound)], value=source) if bound == name:
                    yield source
                case ast.NamedExpr(target=ast.Name(id=bound), value=source) if bound == name:
                    yield source
                case ast.For(target=target, iter=source) | ast.comprehension(target=target, iter=source):
                    last = target.elts[-1] if isinstance(target, ast.Tuple) else target  # of enumerate
                    if isinstance(last, ast.Name) and last.id == name:
                        yield source

    def asked(self, call: ast.Call) -> Iterator[tuple[int, str]]:
        """(line, selector) for each text that a call of `select` or `select_one` may be given."""
        selects = isinstance(call.func, ast.Attribute) and call.func.attr in _SELECTS and call.args
        if selects and not any(keyword.arg == "custom" for keyword in call.keywords):  # names of the program's own
            yield from self.texts(call.args[0])

    def texts(self, value: ast.expr) -> Iterator[tuple[int, str]]:
        """(line, text) for each constant that an expression may be."""
        match value:
            case ast.Constant(value=str(text)):
                yield value.lineno, text
            case ast.IfExp():
                yield from self.texts(value.body)
                yield from self.texts(value.orelse)
            case ast.Name(id=name):
                if name not in self.parameters:
                    yield from self._bound(name)
                elif not _binds(self._own, name):
                    yield from self._called_with(name)

    def _bound(self, name: str) -> Iterator[tuple[int, str]]:
        """What a name is bound to here, or in the module if it is not bound here; nothing where that is not known."""
        nodes = self._own if _binds(self._own, name) else list(_own(self._tree))
        found: list[ast.expr] = []
        for node in nodes:
            match node:
                case ast.Assign(targets=[ast.Name(id=bound)]) | ast.AnnAssign(target=ast.Name(id=bound)):
                    values = [node.value]
                case ast.For(target=ast.Name(id=bound), iter=ast.Tuple(elts=items) | ast.List(elts=items)):
                    values = [*items]
                case _:
                    continue
            found += [value for value in values if bound == name and value is not None]
        if len(found) < _binds(nodes, name) or not all(isinstance(value, ast.Constant) for value in found):
            return
        for value in found:
            yield from self.texts(value)

    def _called_with(self, name: str) -> Iterator[tuple[int, str]]:
        """The constants that this function is called with for one of its parameters."""
        place = self.parameters.index(name)
        for call in ast.walk(self._tree):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == self.name):
                continue
            given = [keyword.value for keyword in call.keywords if keyword.arg == name]
            if place < len(call.args) and not any(isinstance(arg, ast.Starred) for arg in call.args[: place + 1]):
                given.append(call.args[place])
            for value in given:
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield value.lineno, value.value


def _own(scope: Block) -> Iterator[ast.AST]:
    """The nodes of a scope, without those of the functions in it."""
    waiting: list[ast.AST] = list(scope.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, Function):
            waiting += node.decorator_list
            continue
        yield node
        waiting += ast.iter_child_nodes(node)


def _binds(nodes: list[ast.AST], name: str) -> int:
    """How often a name is bound."""
    return sum(isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store) for node in nodes)


def _parameters(function: Function) -> list[str]:
    """By place, then those that are given by name alone."""
    given = function.args
    return [arg.arg for arg in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
