"""Lists that hold less than expected, and lists taken for single elements."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from scrapewright.programmers.rules.mends.absent import without_key
from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene, plain, quoted
from scrapewright.programmers.rules.source import Edit, called, is_name
from scrapewright.query.lexicon import NUMBERS, fold

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
    lines = {frame.line for frame in scene.frames}
    calls = scene.source.calls(getattr(function, "name", ""))
    return [arg for call in calls if lines & {*range(call.lineno, (call.end_lineno or 0) + 1)} for arg in call.args]


def passed_over(scene: Scene) -> Fix | None:
    """What is no record among the members of a loop is passed over: a row with fewer cells than are read, or other than
    as many as there are names for, a link without an address."""
    for edit, why in (*_short(scene), *_unpacked(scene), *_linkless(scene)):
        return scene.fix_here(why, edit)
    return None


def _short(scene: Scene) -> Iterator[tuple[Edit, str]]:
    """Needs the list seen. One that is nearly as long as expected lacks an item, and is a record."""
    source = scene.source
    for node in scene.nodes if scene.kind == "IndexError" else ():
        loop = next((above for above in source.up(node) if isinstance(above, ast.For)), None)
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name) or loop is None:
            continue
        name = node.value.id
        seen = scene.seen(name)
        sizes = [size for size in map(_size, seen) if size is not None]
        bound = [assign for assign in source.assigned(name, loop) if assign in loop.body]
        reads = set(_indexes(loop, name))
        least = max(reads, default=0) + 1
        if len(reads) > 1 and bound and sizes and not (0.7 * least < sizes[0] == max(sizes)) and sizes[0] < least:
            was = f"{name} was {quoted(seen[0])[1:-1]}, {sizes[0]} long"
            edit = source.after(bound[0], f"if len({name}) < {least}:", "    continue")
            yield edit, f"{was}, where {least} are read: such rows are passed over."


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


def _unpacked(scene: Scene) -> Iterator[tuple[Edit, str]]:
    source = scene.source
    found = re.search(r"values to unpack \((expected (\d+).*)\)", scene.message)
    for statement in ast.walk(source.tree) if found else ():
        if not found or not isinstance(statement, ast.Assign) or statement.lineno != scene.line:
            continue
        if isinstance(source.parents[statement], ast.For) and not isinstance(statement.value, ast.GeneratorExp):
            cells = source.text(statement.value)
            edit = source.before(statement, f"if len({cells}) != {found[2]}:", "    continue")
            yield edit, f"{cells} had {found[1]}: such rows are passed over."


def _linkless(scene: Scene) -> Iterator[tuple[Edit, str]]:
    source = scene.source
    for node in without_key(scene):
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value="href" | "src" as key)):
                for loop in source.up(node):
                    if isinstance(loop, ast.For) and is_name(loop.target, name):
                        edit = source.before(loop.body[0], f"if not {name}.get({literal(key)}):", "    continue")
                        yield edit, f"{source.text(loop.iter)} gave an element without {key}: such are passed over."


def longer_table(scene: Scene) -> Fix | None:
    """A table of words for numbers that lacks the word seen: added, where the other entries say what it is worth."""
    source = scene.source
    for node in without_key(scene):
        word = scene.value(node.slice) or (scene.message.strip().strip("'\"") if scene.locals else None)
        if isinstance(node.slice, ast.Constant) or not isinstance(word, str) or fold(word) not in NUMBERS:
            continue
        tables = source.assigned(node.value.id, source.tree) if isinstance(node.value, ast.Name) else []
        for table in (assign.value for assign in tables):
            if isinstance(table, ast.Dict) and table.keys and _is_of_numbers(table):
                worth = NUMBERS[fold(word)]
                what = f"{source.text(node.value)} had no entry for {word!r}: it stands for {worth}."
                return scene.fix_here(what, source.appended(table, f"{literal(word)}: {worth}"))
    return None


def _is_of_numbers(table: ast.Dict) -> bool:
    """Whether every entry is a word with the number that it stands for."""
    try:
        entries = ast.literal_eval(table)
    except ValueError:
        return False
    return all(isinstance(key, str) and NUMBERS.get(fold(key)) == value for key, value in entries.items())


MENDS = (single, longer_table, passed_over)
