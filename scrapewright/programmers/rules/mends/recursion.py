"""Functions that call themselves too often: round in a circle, or one call for each page of many."""

from __future__ import annotations

import ast
from collections import Counter

from scrapewright.programmers.rules.scene import Fix, Scene, quoted

DEPTH = 20_000


def endless(scene: Scene) -> Fix | None:
    """A function called again with what it had before returns at once. Needs the calls' arguments."""
    if scene.kind != "RecursionError" or "steps" in scene.brief.blank:
        return None
    source = scene.source
    for function in source.functions.values():
        own = any(
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function.name
            for node in ast.walk(function)
        )
        if not own or not function.args.args:
            continue
        name = function.args.args[0].arg
        calls = [
            step.values[name]
            for step in scene.result.steps
            if step.kind == "call" and step.function.rpartition(".")[2] == function.name and name in step.values
        ]
        again = next((value for value, times in Counter(calls).most_common(1) if times > 1), "")
        if not again or again.startswith(("[", "{", "<")):
            continue
        seen = source.fresh("visited", f"{function.name}_seen")
        first = next((s for s in function.body if not _is_doc(s)), None)
        if first is None:
            continue
        indent, start = source.indent(first), source.span(first)[0]
        check = f"if {name} in {seen}:\n{indent}    return{_nothing(function)}\n{indent}{seen}.add({name})\n{indent}"
        place = min([function.lineno, *(one.lineno for one in function.decorator_list)])
        top = source.offset(place, 0)
        code = source.edited([(start, start, check), (top, top, f"{seen} = set()\n\n\n")])
        return Fix(
            code, f"{function.name} called itself with {name} {quoted(again)[1:-1]} again and again: once is enough."
        )
    return None


def _is_doc(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _nothing(function: ast.FunctionDef) -> str:
    """What the function gives where there is nothing: an empty list where it gives a list."""
    lists = {
        target.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List | ast.ListComp)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and node.value is not None:
            listed = any(
                isinstance(n, ast.List | ast.ListComp) or (isinstance(n, ast.Name) and n.id in lists)
                for n in ast.walk(node.value)
            )
            if listed:
                return " []"
    return ""


def deep(scene: Scene) -> Fix | None:
    """Many calls, each with something new: the limit is raised once, where the work has an end."""
    if scene.kind != "RecursionError" or "setrecursionlimit" in scene.source.code or "steps" in scene.brief.blank:
        return None
    source = scene.source
    calls = [tuple(step.values.items()) for step in scene.result.steps if step.kind == "call" and step.values]
    if len(calls) < 2 or len(set(calls)) < len(calls):
        return None
    body = [s for s in source.tree.body if not isinstance(s, ast.Import | ast.ImportFrom) and not _is_doc(s)]
    if not body:
        return None
    start = source.offset(min([body[0].lineno, *(d.lineno for d in getattr(body[0], "decorator_list", []))]), 0)
    code = source.edited([(start, start, f"sys.setrecursionlimit({DEPTH:_})\n")], ["import sys"])
    return Fix(code, f"One call for each of many steps went deeper than Python allows: up to {DEPTH:,} are allowed.")


MENDS = (endless, deep)
