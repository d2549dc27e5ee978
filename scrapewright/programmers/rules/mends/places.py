"""Where in a program pages are fetched, a column gets its value, and rows are written."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from scrapewright.programmers.rules.source import Source

FETCHES = (
    "get", "urlopen", "fetch", "get_soup", "get_page", "fetch_page", "load", "load_page", "make_soup",
)  # fmt: skip
"""Functions and methods that people let fetch a page by its address."""


def value_of(source: Source, column: str) -> list[ast.expr]:
    """The expressions that a column is filled with: in a dict display, by item assignment, by keyword of dict()."""
    found: list[ast.expr | None] = []
    for node in ast.walk(source.tree):
        match node:
            case ast.Dict(keys=keys, values=values):
                found += [
                    value
                    for key, value in zip(keys, values, strict=True)
                    if isinstance(key, ast.Constant) and key.value == column
                ]
            case ast.Assign(targets=targets):
                keys = [target.slice for target in targets if isinstance(target, ast.Subscript)]
                found += [node.value for key in keys if isinstance(key, ast.Constant) and key.value == column]
            case ast.Call(func=ast.Name(id="dict"), keywords=keywords):
                found += [keyword.value for keyword in keywords if keyword.arg == column]
    return [part for value in found if value is not None for part in _parts(value)]


def _parts(value: ast.expr) -> Iterator[ast.expr]:
    """What an expression may give, but for constants: both sides of `a if b else c`, each of `a or b`."""
    match value:
        case ast.IfExp(body=body, orelse=other):
            yield from (*_parts(body), *_parts(other))
        case ast.BoolOp(values=values):
            yield from (part for one in values for part in _parts(one))
        case ast.Constant():
            return
        case _:
            yield value


def written_rows(source: Source) -> tuple[str, ast.stmt] | None:
    """The name of the list that is written out, and the statement that first uses it for that."""
    for call in source.calls("writerows", "DataFrame", "dump", "dumps"):
        if call.args and isinstance(call.args[0], ast.Name):
            return call.args[0].id, _outermost(source, source.statement(call))
    for node in ast.walk(source.tree):
        match node:
            case ast.For(iter=ast.Name(id=name)) if any(source.calls("writerow", "write", inside=node)):
                return name, _outermost(source, node)
    return None


def _outermost(source: Source, statement: ast.stmt) -> ast.stmt:
    """The `with` around a statement, if it is in one: what must come before it comes before that."""
    best = statement
    for above in source.up(statement):
        if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.For | ast.While):
            break
        if isinstance(above, ast.With):
            best = above
    return best
