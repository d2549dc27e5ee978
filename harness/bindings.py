"""Which names a statement's targets, receivers and patterns bind or may change."""

from __future__ import annotations

import ast
from collections.abc import Iterable


def targets(given: Iterable[ast.expr]) -> tuple[list[str], bool]:
    """The names among assignment targets, and whether nothing but names is bound: no code of the program runs then."""
    names: list[str] = []
    certain = True
    todo = list(given)[::-1]
    while todo:
        target = todo.pop()
        if isinstance(target, ast.Name):
            names.append(target.id)
        elif isinstance(target, (ast.Tuple, ast.List)):
            todo += target.elts[::-1]
        elif isinstance(target, ast.Starred):
            todo.append(target.value)
        else:
            certain = False
    return names, certain


def bases(given: Iterable[ast.expr]) -> list[str]:
    """The names whose items are assigned or deleted: `x` for `x[a][b]`."""
    names: list[str] = []
    for target in given:
        if isinstance(target, ast.Subscript):
            value = target.value
            while isinstance(value, ast.Subscript):
                value = value.value
            if isinstance(value, ast.Name):
                names.append(value.id)
        elif isinstance(target, (ast.Tuple, ast.List)):
            names += bases(target.elts)
    return names


def receiver(value: ast.expr, only: frozenset[str] | None = None) -> list[str]:
    """The name that a method is called on: `x` for `x.append(1)` or `x[a].append(1)`."""
    if isinstance(value, ast.Await):
        value = value.value
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)):
        return []
    if only is not None and value.func.attr not in only:
        return []
    base = value.func.value
    while isinstance(base, ast.Subscript):
        base = base.value
    return [base.id] if isinstance(base, ast.Name) else []


def captures(pattern: ast.pattern) -> list[str]:
    names: list[str] = []
    for node in ast.walk(pattern):
        if isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            names.append(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            names.append(node.rest)
    return names
