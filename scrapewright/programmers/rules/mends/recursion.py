"""Functions that call themselves too often: round in a circle, or one call for each page of many."""

from __future__ import annotations

import ast
from collections import Counter

from scrapewright.programmers.rules.scene import Fix, Scene, quoted
from scrapewright.programmers.rules.source import is_docstring

DEPTH = 20_000


def endless(scene: Scene) -> Fix | None:
    """A function called again with what it had before returns at once. Needs the calls' arguments."""
    source = scene.source
    steps = [step for step in scene.steps if step.kind == "call"] if scene.kind == "RecursionError" else []
    for function in source.functions.values():
        calls_itself = any(source.calls(function.name, inside=function))
        first = next((statement for statement in function.body if not is_docstring(statement)), None)
        if not calls_itself or not function.args.args or first is None:
            continue
        name = function.args.args[0].arg
        mine = [step.values for step in steps if step.function.rpartition(".")[2] == function.name]
        given = Counter(values[name] for values in mine if name in values).most_common(1)
        if not given or given[0][1] < 2 or given[0][0].startswith(("[", "{", "<")):
            continue
        seen = source.fresh("visited", f"{function.name}_seen")
        gap = ("", "") if function in source.tree.body else ()
        return scene.fix(
            f"{function.name} called itself with {name} {quoted(given[0][0])[1:-1]} again and again: once is enough.",
            source.before(function, f"{seen} = set()", *gap),
            source.before(first, f"if {name} in {seen}:", f"    return{_nothing(function)}", f"{seen}.add({name})"),
        )
    return None


def _nothing(function: ast.FunctionDef) -> str:
    """What the function gives where there is nothing: an empty list where it gives a list."""
    lists = ast.List | ast.ListComp
    nodes = list(ast.walk(function))
    targets = [
        target for n in nodes if isinstance(n, ast.Assign) and isinstance(n.value, lists) for target in n.targets
    ]
    names = {target.id for target in targets if isinstance(target, ast.Name)}
    given = [inner for n in nodes if isinstance(n, ast.Return) and n.value is not None for inner in ast.walk(n.value)]
    listed = any(isinstance(n, lists) or (isinstance(n, ast.Name) and n.id in names) for n in given)
    return " []" if listed else ""


def deep(scene: Scene) -> Fix | None:
    """Many calls, each with something new: the limit is raised once, where the work has an end."""
    if scene.kind != "RecursionError" or "setrecursionlimit" in scene.source.code:
        return None
    calls = [tuple(step.values.items()) for step in scene.steps if step.kind == "call" and step.values]
    body = [s for s in scene.source.tree.body if not isinstance(s, ast.Import | ast.ImportFrom) and not is_docstring(s)]
    if len(calls) < 2 or len(set(calls)) < len(calls) or not body:
        return None
    return scene.fix(
        f"One call for each of many steps went deeper than Python allows: up to {DEPTH:,} are allowed.",
        scene.source.before(body[0], f"sys.setrecursionlimit({DEPTH:_})"),
        imports=["import sys"],
    )


MENDS = (endless, deep)
