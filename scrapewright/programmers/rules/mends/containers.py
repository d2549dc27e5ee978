"""Lists and mappings that hold less than expected, and lists taken for single elements."""

from __future__ import annotations

import ast
import re

from scrapewright.programmers.rules.lexicon import NUMBER_WORDS, fold
from scrapewright.programmers.rules.mends.absent import chain
from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import METHODS, Fix, Scene, quoted

_WORTH = {fold(word): number for word, number in NUMBER_WORDS.items()} | dict.fromkeys(
    ("zero", "cero", "null", "nul"), 0
)
_SINGLE = {"find_all": "find", "findAll": "find", "select": "select_one"}


def single(scene: Scene) -> Fix | None:
    """A method of one element called on the list of all: `find` for `find_all`, `select_one` for `select`."""
    found = re.search(r"(?:ResultSet|list)'? object has no attribute ['\"]?(\w+)", scene.message)
    if scene.kind != "AttributeError" or not found:
        return None
    source = scene.source
    for node in scene.nodes:
        if not isinstance(node, ast.Attribute) or node.attr != found[1]:
            continue
        call: ast.expr | None = node.value
        if isinstance(call, ast.Name):
            uses = [
                n
                for n in ast.walk(source.function(node))
                if isinstance(n, ast.Name) and n.id == call.id and isinstance(n.ctx, ast.Load)
            ]
            listed = any(
                isinstance(source.parents.get(use), ast.For | ast.Subscript | ast.comprehension) for use in uses
            )
            bound = source.assigned(call.id, source.function(node), scene.line)
            call = None if listed or not bound else bound[0].value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _SINGLE:
            end = source.span(call.func)[1]
            new = _SINGLE[call.func.attr]
            edit = (end - len(call.func.attr), end, new)
            why = f"{call.func.attr}() gives a list, which has no {found[1]}; {new}() gives the first element"
            return Fix(source.edited([edit]), f"In line {scene.line} {why}.")
        if call is None:
            end = source.span(node.value)[1]
            why = f"{source.text(node.value)} is a list, which has no {found[1]}: its first element is taken"
            return Fix(source.edited([(end, end, "[0]")]), f"In line {scene.line} {why}.")
    return None


def strings_among_children(scene: Scene) -> Fix | None:
    """`.children` and `.contents` hold the text between elements too: only elements are gone through."""
    if scene.kind not in ("AttributeError", "TypeError") or "NavigableString" not in scene.message:
        return None
    source = scene.source
    for node in scene.nodes:
        for above in source.up(node):
            loop = above.iter if isinstance(above, ast.For | ast.comprehension) else None
            if isinstance(loop, ast.Attribute) and loop.attr in ("children", "contents"):
                start, end = source.span(loop)
                new = f"{source.text(loop.value)}.find_all(recursive=False)"
                return Fix(
                    source.edited([(start, end, new)]),
                    f"In line {scene.line} a text between elements was taken for one: only elements are gone through.",
                )
    return None


def short_row(scene: Scene) -> Fix | None:
    """A row with fewer cells than the program reads (a header, a spacer) is passed over. Needs the list seen."""
    if scene.kind != "IndexError":
        return None
    source = scene.source
    for node in scene.nodes:
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
            continue
        name = node.value.id
        seen = scene.seen(name)
        loop = next((above for above in source.up(node) if isinstance(above, ast.For)), None)
        if not seen or loop is None:
            return None
        size = _size(seen[0])
        reads = _indexes(loop, name)
        bound = [n for n in source.assigned(name, loop) if n in loop.body]
        if size is None or len(set(reads)) < 2 or not bound or size > max(reads):
            return None
        usual = max((s for text in seen if (s := _size(text)) is not None), default=0)
        least = max(reads) + 1
        if size > 0.7 * least and usual == size:
            return None
        indent = source.indent(bound[0])
        end = source.span(bound[0])[1]
        check = f"\n{indent}if len({name}) < {least}:\n{indent}    continue"
        why = f"{name} was {quoted(seen[0])[1:-1]}, {size} long, where {least} are read: such rows are passed over"
        return Fix(source.edited([(end, end, check)]), f"In line {scene.line} {why}.")
    return None


def _indexes(inside: ast.AST, name: str) -> list[int]:
    """The constant places of a list that are read."""
    return [
        n.slice.value
        for n in ast.walk(inside)
        if isinstance(n, ast.Subscript)
        and isinstance(n.value, ast.Name)
        and n.value.id == name
        and isinstance(n.slice, ast.Constant)
        and isinstance(n.slice.value, int)
    ]


def _size(described: str) -> int | None:
    """The length of a list, as a description tells it."""
    found = re.match(r"<ResultSet of (\d+)", described)
    if found:
        return int(found[1])
    try:
        value = ast.literal_eval(described)
    except (ValueError, SyntaxError):
        more = re.search(r"… \+(\d+)\]$", described)
        return int(more[1]) if more else None
    return len(value) if isinstance(value, list | tuple) else None


def missing_item(scene: Scene) -> Fix | None:
    """An index beyond the end: None there, and what is made of it is None too."""
    if scene.kind != "IndexError" or "out of range" not in scene.message:
        return None
    source = scene.source
    for node in scene.nodes:
        if not isinstance(node, ast.Subscript) or isinstance(node.slice, ast.Slice):
            continue
        top = chain(source, node)
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if not isinstance(index, int):
            continue
        if isinstance(node.value, ast.Name):
            held, body = node.value.id, source.text(top)
            test = f"len({held}) > {index}" if index else held
        else:
            held = source.fresh("found", "items", "pieces")
            bound = f"({held} := {source.text(node.value)})"
            test = f"len({bound}) > {index}" if index else bound
            start, (first, last) = source.span(top)[0], source.span(node.value)
            text = source.text(top)
            body = text[: first - start] + held + text[last - start :]
        seen = scene.seen(held)[:1] if isinstance(node.value, ast.Name) else []
        was = f", which was {quoted(seen[0])[1:-1]}" if seen else ""
        code = source.edited([(*source.span(top), f"({body} if {test} else None)")])
        return Fix(
            code,
            f"In line {scene.line} {source.text(node.value)} has no item {index}{was}: it is None where it is missing.",
        )
    return None


def missing_key(scene: Scene) -> Fix | None:
    """An attribute or a key that is not there: links without an address are left out, else `get`."""
    if scene.kind != "KeyError":
        return None
    source = scene.source
    key = scene.message.strip()
    for node in scene.nodes:
        if not isinstance(node, ast.Subscript) or isinstance(node.ctx, ast.Store | ast.Del):
            continue
        constant = node.slice.value if isinstance(node.slice, ast.Constant) else None
        if constant is not None and repr(constant) != key and constant != key.strip("'\""):
            continue
        if isinstance(constant, str) and (fix := _only_with(scene, node, constant)) is not None:
            return fix
        if constant is None and (fix := _longer_table(scene, node)) is not None:
            return fix
        top = chain(source, node)
        got = f"{source.text(node.value)}.get({source.text(node.slice)})"
        if top is node:
            code = source.edited([(*source.span(node), got)])
        else:
            held = source.fresh("found", "value", "item")
            start, (first, last) = source.span(top)[0], source.span(node)
            text = source.text(top)
            body = text[: first - start] + held + text[last - start :]
            code = source.edited([(*source.span(top), f"({body} if ({held} := {got}) is not None else None)")])
        return Fix(
            code, f"In line {scene.line} {source.text(node.value)} had no {key}: it is None where it is missing."
        )
    return None


def _only_with(scene: Scene, node: ast.Subscript, key: str) -> Fix | None:
    """`for a in soup.find_all("a")`: those without the attribute are of no use."""
    source = scene.source
    if not isinstance(node.value, ast.Name) or key not in ("href", "src"):
        return None
    for above in source.up(node):
        loops = [above] if isinstance(above, ast.For) else getattr(above, "generators", [])
        for loop in loops:
            if (
                not isinstance(loop.target, ast.Name)
                or loop.target.id != node.value.id
                or not isinstance(loop.iter, ast.Call)
            ):
                continue
            call = loop.iter
            if not isinstance(call.func, ast.Attribute) or call.func.attr not in METHODS:
                continue
            if METHODS[call.func.attr] == "find_all" and call.args and isinstance(call.args[0], ast.Constant):
                end = source.span(call)[1]
                edit = (end - 1, end - 1, f", {key}=True")
            elif METHODS[call.func.attr] == "select" and isinstance(call.args[0], ast.Constant):
                edit = (*source.span(call.args[0]), literal(f"{ast.literal_eval(call.args[0])}[{key}]"))
            else:
                continue
            what = source.text(call)
            return Fix(
                source.edited([edit]),
                f"In line {scene.line} {what} gave an element without {key}: only those with one are taken.",
            )
    return None


def _longer_table(scene: Scene, node: ast.Subscript) -> Fix | None:
    """A table of words for numbers that lacks the word seen: added, where the other entries say what it is worth."""
    source = scene.source
    word = scene.value(node.slice)
    if word is None and isinstance(node.slice, ast.expr) and scene.locals():
        word = scene.message.strip().strip("'\"")
    if not isinstance(word, str) or not isinstance(node.value, ast.Name):
        return None
    for assign in source.assigned(node.value.id, source.tree):
        table = assign.value
        if not isinstance(table, ast.Dict) or not table.keys:
            continue
        try:
            entries = ast.literal_eval(table)
        except ValueError:
            continue
        if fold(word) in _WORTH and all(isinstance(k, str) and _WORTH.get(fold(k)) == v for k, v in entries.items()):
            end = source.span(table)[1] - 1
            gap = "" if source.code[:end].rstrip().endswith(",") else ", "
            code = source.edited([(end, end, f"{gap}{literal(word)}: {_WORTH[fold(word)]}")])
            return Fix(
                code,
                f"In line {scene.line} {node.value.id} had no entry for {word!r}: it stands for {_WORTH[fold(word)]}.",
            )
    return None


MENDS = (single, strings_among_children, short_row, missing_item, missing_key)
