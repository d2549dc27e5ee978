"""Lists taken for mappings and mappings for lists, as JSON brings them."""

from __future__ import annotations

import ast
import re

from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene, quoted
from scrapewright.programmers.rules.source import Source, is_name

_TOKEN = re.compile(r"""(["'])(?P<text>(?:\\.|(?!\1).)*)\1|[\[{(]|[\]})]""", re.S)
"""A text in a described value, or a bracket."""
_VALUE = re.compile(r":\s*(\S)")


def list_for_mapping(scene: Scene) -> Fix | None:
    """A key asked of a list. Gone through, the list itself is meant; else its first item. Needs the list seen."""
    indices = scene.kind == "TypeError" and "list indices must be" in scene.message
    asked = re.search(r"'list' object has no attribute '(get|items|keys|values)'", scene.message)
    source, method = scene.source, asked[1] if asked else ""
    for node in scene.nodes if indices or asked else ():
        whole: ast.expr | None = None
        match node, source.parents.get(node):
            case ast.Subscript(value=held), _:
                whole = node
            case ast.Attribute(value=held, attr=name), above if name == method:
                whole = above if isinstance(above, ast.Call) and above.func is node else node
        described = scene.described(held) if whole is not None else ""
        if whole is None or not described.startswith("["):
            continue
        text = source.text(held)
        if method == "items":
            edit, what = source.replaced(whole, f"enumerate({text})"), "its items are gone through by number"
        elif method == "values" or _gone_through(source, whole):
            edit, what = source.replaced(whole, text), "it is gone through itself"
        elif "{" in described[:4]:
            edit, what = source.replaced(held, f"{text}[0]"), "its first item is taken"
        else:
            continue
        return scene.fix_here(f"{text} was {quoted(described)[1:-1]}, a list: {what}.", edit)
    return None


def mapping_for_list(scene: Scene) -> Fix | None:
    """A mapping where a list was expected: the list in it is meant, or its values. Needs the mapping seen."""
    source = scene.source
    for node in scene.nodes:
        held = _iterated(scene, node) or _indexed(scene, node)
        described = scene.described(held) if held is not None else ""
        if held is None or not described.startswith("{"):
            continue
        text, members = source.text(held), _members(described)
        key = next((key for key, first in members if first == "["), None)
        if key is not None:
            new, what = f"{text}[{literal(key)}]", f"its list {key!r} is taken"
        elif members and all(first == "{" for _, first in members):
            indexed = isinstance(source.parents.get(held), ast.Subscript)
            new, what = f"list({text}.values())" if indexed else f"{text}.values()", "its values are taken"
        else:
            continue
        return scene.fix_here(f"{text} was {quoted(described)[1:-1]}, a mapping: {what}.", source.replaced(held, new))
    return None


def _gone_through(source: Source, node: ast.expr) -> bool:
    """Whether an expression, or the name it is bound to, is what a loop goes over."""
    above = source.parents.get(node)
    if isinstance(above, ast.BoolOp):
        above = source.parents.get(above)
    match above:
        case ast.For() | ast.comprehension():
            return True
        case ast.Assign(targets=[ast.Name(id=name)]):
            loops = [n for n in ast.walk(source.function(above)) if isinstance(n, ast.For | ast.comprehension)]
            return any(is_name(loop.iter, name) for loop in loops)
    return False


def _iterated(scene: Scene, node: ast.expr) -> ast.expr | None:
    """What the loop goes over whose variable turned out to be a text: a mapping's key."""
    text = scene.kind == "TypeError" and "string indices must be" in scene.message
    text = text or (scene.kind == "AttributeError" and "'str' object has no attribute 'get'" in scene.message)
    match node:
        case ast.Subscript(value=ast.Name(id=name)) | ast.Attribute(value=ast.Name(id=name)) if text:
            return next((loop.iter for loop in scene.source.loops(node) if is_name(loop.target, name)), None)
    return None


def _indexed(scene: Scene, node: ast.expr) -> ast.expr | None:
    """What a number or a slice was asked of."""
    missing, message = scene.kind == "KeyError", scene.message.strip()
    number = missing and re.fullmatch(r"-?\d+", message)
    match node:
        case ast.Subscript(value=held, slice=ast.Slice()) if missing or "unhashable type: 'slice'" in message:
            return held
        case ast.Subscript(value=held, slice=ast.Constant(value=asked)) if number and repr(asked) == message:
            return held
        case ast.Subscript(value=held, slice=ast.Name() | ast.BinOp()) if number:
            return held
    return None


def _members(described: str) -> list[tuple[str, str]]:
    """The keys of a described mapping with the first character of each value, as far as the description goes."""
    found: list[tuple[str, str]] = []
    depth = 0
    for token in _TOKEN.finditer(described):
        if token["text"] is None:
            depth += 1 if token[0] in "[{(" else -1
        elif depth == 1 and (value := _VALUE.match(described, token.end())):
            found.append((token["text"], value[1]))
    return found


MENDS = (list_for_mapping, mapping_for_list)
