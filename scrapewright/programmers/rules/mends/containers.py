"""Lists and mappings that hold less than expected, and lists taken for single elements."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from scrapewright.programmers.rules.mends.absent import without_key
from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import METHODS, Fix, Scene, plain, quoted
from scrapewright.programmers.rules.source import called, is_name
from scrapewright.query.lexicon import NUMBERS, fold

_SINGLE = {"find_all": "find", "findAll": "find", "select": "select_one"}


def single(scene: Scene) -> Fix | None:
    """A method of one element called on the list of all: `find` for `find_all`, `select_one` for `select`."""
    found = re.search(r"(?:ResultSet|list)'? object has no attribute ['\"]?(\w+)", scene.message)
    source = scene.source
    for node in scene.nodes if found else ():
        if not found or not isinstance(node, ast.Attribute) or node.attr != found[1]:
            continue
        call: ast.expr | None = node.value
        if isinstance(call, ast.Name):
            function, name = source.function(node), call.id
            uses = [use for use in ast.walk(function) if is_name(use, name) and isinstance(use.ctx, ast.Load)]
            listed = any(isinstance(source.parents[use], ast.For | ast.Subscript | ast.comprehension) for use in uses)
            bound = source.assigned(name, function, scene.line)
            call = None if listed or not bound else bound[0].value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and called(call) in _SINGLE:
            end, old, new = source.span(call.func)[1], called(call), _SINGLE[called(call)]
            why = f"{old}() gives a list, which has no {found[1]}; {new}() gives the first element."
            return scene.fix_here(why, (end - len(old), end, new))
        if call is None:
            text = source.text(node.value)
            why = f"{text} is a list, which has no {found[1]}: its first element is taken."
            return scene.fix_here(why, source.replaced(node.value, f"{text}[0]"))
    return None


def strings_among_children(scene: Scene) -> Fix | None:
    """`.children` and `.contents` hold the text between elements too: only elements are gone through."""
    if "NavigableString" not in scene.message:
        return None
    for loop in (loop for node in scene.nodes for loop in scene.source.loops(node)):
        if isinstance(loop.iter, ast.Attribute) and loop.iter.attr in ("children", "contents"):
            return scene.fix_here(
                "a text between elements was taken for one: only elements are gone through.",
                scene.source.replaced(loop.iter, f"{scene.source.text(loop.iter.value)}.find_all(recursive=False)"),
            )
    return None


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


MENDS = (single, strings_among_children, short_row, linkless, longer_table)
