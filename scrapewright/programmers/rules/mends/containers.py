"""Lists that hold less than expected, and lists taken for single elements."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from scrapewright.programmers.rules.mends.absent import without_key
from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import METHODS, Fix, Scene, plain, quoted
from scrapewright.programmers.rules.source import called, is_name
from scrapewright.session.result import PROGRAM_NAME

_SINGLE = {"find_all": "find", "findAll": "find", "select": "select_one"}
_LISTED = re.compile(r"(?:ResultSet|list)'? object has no attribute ['\"]?(\w+)|^list (indices) must be")


def single(scene: Scene) -> Fix | None:
    """A list of all elements used as one: `find` for `find_all`, `select_one` for `select`, else its first item."""
    found = re.search(
        r"(?:ResultSet|list)'? object has no attribute ['\"]?(\w+)|^list (indices) must be", scene.message
    )
    source = scene.source
    for node in scene.nodes if found else ():
        match node:
            case ast.Attribute(value=held, attr=name) if found and name == found[1]:
                missing = name
            case ast.Subscript(value=held) if found and found[2]:
                missing = source.text(node.slice)
            case _:
                continue
        where = [held]
        if isinstance(held, ast.Name):
            function = source.function(node)
            uses = [use for use in ast.walk(function) if is_name(use, held.id) and isinstance(use.ctx, ast.Load)]
            listed = any(isinstance(source.parents[use], ast.For | ast.comprehension) for use in uses)
            bound = source.assigned(held.id, function, scene.line)[:1]
            where = [] if listed else [assign.value for assign in bound] or _given(scene, function)
        for call in where:
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and called(call) in _SINGLE:
                end, old, new = source.span(call.func)[1], called(call), _SINGLE[called(call)]
                why = f"{old}() gives a list, which has no {missing}; {new}() gives the first element."
                return scene.fix(f"In line {call.lineno} {why}", (end - len(old), end, new))
        text = source.text(held)
        why = f"{text} is a list, which has no {missing}: its first element is taken."
        return scene.fix_here(why, source.replaced(held, f"{text}[0]"))
    return None


def _given(scene: Scene, function: ast.AST) -> list[ast.expr]:
    """What a function was given by the call that failed in it."""
    frames = scene.error.frames if scene.error is not None else ()
    lines = {frame.line for frame in frames if frame.file == PROGRAM_NAME}
    calls = scene.source.calls(getattr(function, "name", ""))
    return [arg for call in calls if lines & {*range(call.lineno, (call.end_lineno or 0) + 1)} for arg in call.args]


def short_row(scene: Scene) -> Fix | None:
    """A row with fewer cells than the program reads (a header, a spacer) is passed over. Needs the list seen."""
    source = scene.source
    for node in scene.nodes if scene.kind == "IndexError" else ():
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
            continue
        name = node.value.id
        loop = next((above for above in source.up(node) if isinstance(above, ast.For)), None)
        sizes = [_size(described) for described in scene.seen(name)]
        if not sizes or sizes[0] is None or loop is None:
            return None
        reads = set(_indexes(loop, name))
        bound = [assign for assign in source.assigned(name, loop) if assign in loop.body]
        least = max(reads, default=0) + 1
        if len(reads) < 2 or not bound or sizes[0] >= least:
            return None
        if 0.7 * least < sizes[0] == max(size for size in sizes if size is not None):
            return None
        was = f"{name} was {quoted(scene.seen(name)[0])[1:-1]}, {sizes[0]} long"
        return scene.fix_here(
            f"{was}, where {least} are read: such rows are passed over.",
            source.after(bound[0], f"if len({name}) < {least}:", "    continue"),
        )
    return None


def unpacked(scene: Scene) -> Fix | None:
    """A row with other than as many cells as there are names for them is passed over."""
    source = scene.source
    found = re.search(r"values to unpack \(expected (\d+)", scene.message)
    for statement in (n for n in ast.walk(source.tree) if isinstance(n, ast.Assign) and n.lineno == scene.line):
        loop = source.parents.get(statement)
        if found and isinstance(loop, ast.For | ast.While) and isinstance(statement.targets[0], ast.Tuple):
            cells = source.text(statement.value)
            return scene.fix_here(
                f"{cells} had {scene.message.partition('(')[2].rstrip(')')}: such rows are passed over.",
                source.before(statement, f"if len({cells}) != {found[1]}:", "    continue"),
            )
    return None


def _indexes(inside: ast.AST, name: str) -> Iterator[int]:
    """The constant places of a list that are read."""
    for node in ast.walk(inside):
        match node:
            case ast.Subscript(value=ast.Name(id=held), slice=ast.Constant(value=int(index))) if held == name:
                yield index


def _size(described: str) -> int | None:
    """The length of a list, as a description tells it."""
    found = re.match(r"<ResultSet of (\d+)", described) or re.search(r"… \+(\d+)\]$", described)
    value = plain(described)
    return int(found[1]) if found else len(value) if isinstance(value, list | tuple) else None


def linkless(scene: Scene) -> Fix | None:
    """`for a in soup.find_all("a")` with `a["href"]`: those without the attribute are of no use."""
    source = scene.source
    for node in without_key(scene):
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value="href" | "src" as key)):
                pass
            case _:
                continue
        for loop in source.loops(node):
            call = loop.iter
            if not is_name(loop.target, name) or not isinstance(call, ast.Call):
                continue
            match METHODS.get(called(call)), call.args:
                case "find_all", [ast.Constant(), *_]:
                    edit = source.appended(call, f"{key}=True")
                case "select", [ast.Constant(value=str(selector)), *_]:
                    edit = source.replaced(call.args[0], literal(f"{selector}[{key}]"))
                case _:
                    continue
            what = f"{source.text(call)} gave an element without {key}"
            return scene.fix_here(f"{what}: only those with one are taken.", edit)
    return None


MENDS = (single, short_row, unpacked, linkless)
