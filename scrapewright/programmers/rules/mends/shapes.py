"""Lists taken for mappings and mappings for lists, as JSON brings them."""

from __future__ import annotations

import ast
import re

from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene, quoted
from scrapewright.programmers.rules.source import Source


def list_for_mapping(scene: Scene) -> Fix | None:
    """A key asked of a list. Gone through, the list itself is meant; else its first item. Needs the list seen."""
    indices = scene.kind == "TypeError" and "list indices must be" in scene.message
    method = re.search(r"'list' object has no attribute '(get|items|keys|values)'", scene.message)
    if not indices and not (scene.kind == "AttributeError" and method):
        return None
    source = scene.source
    for node in scene.nodes:
        whole: ast.expr = node
        if isinstance(node, ast.Subscript):
            held = node.value
        elif isinstance(node, ast.Attribute) and method and node.attr == method[1]:
            held = node.value
            call = source.parents.get(node)
            whole = call if isinstance(call, ast.Call) and call.func is node else node
        else:
            continue
        described = _described(scene, held)
        if not described.startswith("["):
            continue
        text = source.text(held)
        name = method[1] if method else ""
        if name == "items":
            new, what = f"enumerate({text})", "its items are gone through by number"
        elif name == "values" or _gone_through(source, whole):
            new, what = text, "it is gone through itself"
        elif "{" in described[:4]:
            end = source.span(held)[1]
            why = f"{text} was {quoted(described)[1:-1]}, a list: its first item is taken"
            return Fix(source.edited([(end, end, "[0]")]), f"In line {scene.line} {why}.")
        else:
            continue
        why = f"{text} was {quoted(described)[1:-1]}, a list: {what}"
        return Fix(source.edited([(*source.span(whole), new)]), f"In line {scene.line} {why}.")
    return None


def mapping_for_list(scene: Scene) -> Fix | None:
    """A mapping where a list was expected: the list in it is meant, or its values. Needs the mapping seen."""
    source = scene.source
    for node in scene.nodes:
        held = _iterated(scene, node) or _indexed(scene, node)
        if held is None:
            continue
        described = _described(scene, held)
        if not described.startswith("{"):
            continue
        members = _members(described)
        lists = [key for key, first in members if first == "["]
        start, end = source.span(held)
        if lists:
            new, what = f"[{literal(lists[0])}]", f"its list {lists[0]!r} is taken"
            code = source.edited([(end, end, new)])
        elif members and all(first == "{" for _, first in members):
            indexed = isinstance(source.parents.get(held), ast.Subscript)
            text = source.text(held)
            code = source.edited([(start, end, f"list({text}.values())" if indexed else f"{text}.values()")])
            what = "its values are taken"
        else:
            continue
        why = f"{source.text(held)} was {quoted(described)[1:-1]}, a mapping: {what}"
        return Fix(code, f"In line {scene.line} {why}.")
    return None


def _described(scene: Scene, node: ast.expr) -> str:
    """What the trace says of an expression: of a name as it was seen, of anything else by its value."""
    if isinstance(node, ast.Name):
        return next(iter(scene.seen(node.id)), "")
    value = scene.value(node)
    return repr(value) if isinstance(value, list | dict) else ""


def _gone_through(source: Source, node: ast.expr) -> bool:
    """Whether an expression, or the name it is bound to, is what a loop goes over."""
    above = source.parents.get(node)
    if isinstance(above, ast.BoolOp):
        above = source.parents.get(above)
    if isinstance(above, ast.For | ast.comprehension):
        return True
    if isinstance(above, ast.Assign) and len(above.targets) == 1 and isinstance(above.targets[0], ast.Name):
        name = above.targets[0].id
        loops = [n for n in ast.walk(source.function(above)) if isinstance(n, ast.For | ast.comprehension)]
        return any(isinstance(loop.iter, ast.Name) and loop.iter.id == name for loop in loops)
    return False


def _iterated(scene: Scene, node: ast.expr) -> ast.expr | None:
    """What the loop goes over whose variable turned out to be a text: a mapping's key."""
    text = scene.kind == "TypeError" and "string indices must be" in scene.message
    text = text or (scene.kind == "AttributeError" and "'str' object has no attribute 'get'" in scene.message)
    name = node.value if isinstance(node, ast.Subscript | ast.Attribute) else None
    if not text or not isinstance(name, ast.Name):
        return None
    for above in scene.source.up(node):
        generators = getattr(above, "generators", [above])
        for loop in generators:
            target = loop.target if isinstance(loop, ast.For | ast.comprehension) else None
            if isinstance(target, ast.Name) and target.id == name.id:
                return loop.iter  # type: ignore[no-any-return]
    return None


def _indexed(scene: Scene, node: ast.expr) -> ast.expr | None:
    """What a number or a slice was asked of."""
    if not isinstance(node, ast.Subscript):
        return None
    asked, message = node.slice, scene.message.strip()
    sliced = isinstance(asked, ast.Slice) and (scene.kind == "KeyError" or "unhashable type: 'slice'" in message)
    same = repr(asked.value) == message if isinstance(asked, ast.Constant) else isinstance(asked, ast.Name | ast.BinOp)
    numbered = scene.kind == "KeyError" and re.fullmatch(r"-?\d+", message) is not None and same
    return node.value if sliced or numbered else None


def _members(described: str) -> list[tuple[str, str]]:
    """The keys of a described mapping with the first character of each value, as far as the description goes."""
    found: list[tuple[str, str]] = []
    depth, at = 0, 0
    while at < len(described):
        char = described[at]
        if char in "'\"":
            end = _string_end(described, at)
            key = re.match(r":\s*(\S)", described[end:]) if depth == 1 else None
            if key:
                found.append((described[at + 1 : end - 1], key[1]))
            at = end
            continue
        depth += (char in "[{(") - (char in "]})")
        at += 1
    return found


def _string_end(text: str, start: int) -> int:
    at = start + 1
    while at < len(text) and text[at] != text[start]:
        at += 2 if text[at] == "\\" else 1
    return min(at + 1, len(text))


MENDS = (list_for_mapping, mapping_for_list)
