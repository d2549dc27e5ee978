"""Where in a program a column gets its value, and where its rows are written."""

from __future__ import annotations

import ast

from scrapewright.programmers.rules.source import Source


def value_of(source: Source, column: str) -> list[ast.expr]:
    """The expressions that a column is filled with: in a dict display, by item assignment, by keyword of dict()."""
    found: list[ast.expr] = []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == column:
                    found.append(value)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if (
                    isinstance(target, ast.Subscript)
                    and isinstance(target.slice, ast.Constant)
                    and target.slice.value == column
                ):
                    found.append(node.value)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
            found += [keyword.value for keyword in node.keywords if keyword.arg == column]
    return [value for value in found if not isinstance(value, ast.Constant) or value.value is not None]


def definition(source: Source, node: ast.expr) -> list[ast.expr]:
    """What a name was bound to in its function, where the expression is a name; else the expression itself."""
    if not isinstance(node, ast.Name):
        return [node]
    return [assign.value for assign in source.assigned(node.id, source.function(node), node.lineno + 1)] or [node]


def written_rows(source: Source) -> tuple[str, ast.stmt] | None:
    """The name of the list that is written out, and the statement that first uses it for that."""
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.Call):
            continue
        function = source.text(node.func)
        args = node.args
        named = (
            function.endswith(("writerows", "DataFrame", "json.dump", "json.dumps", "dump", "dumps"))
            and args
            and isinstance(args[0], ast.Name)
        )
        if named and isinstance(args[0], ast.Name):
            return args[0].id, outermost(source, source.statement(node))
    for node in ast.walk(source.tree):
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Name) and _writes(source, node):
            return node.iter.id, outermost(source, node)
    return None


def _writes(source: Source, loop: ast.For) -> bool:
    calls = [node for node in ast.walk(loop) if isinstance(node, ast.Call)]
    return any(source.text(call.func).endswith(("writerow", ".write")) for call in calls)


def outermost(source: Source, statement: ast.stmt) -> ast.stmt:
    """The `with` around a statement, if it is in one: what must come before it comes before that."""
    best = statement
    for above in source.up(statement):
        if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module | ast.For | ast.While):
            break
        if isinstance(above, ast.With):
            best = above
    return best
