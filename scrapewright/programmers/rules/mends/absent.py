"""None where an element, a match or a text was expected: another selector if this one fits nowhere, else a guard."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from rapidfuzz import fuzz

from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Lookup, Scene, lookup_of
from scrapewright.programmers.rules.source import Source

_NONE = re.compile(
    r"'NoneType' object (has no attribute|is not (subscriptable|iterable|callable))|got '?NoneType'?|not 'NoneType'"
)
_CONVERTERS = frozenset(
    {"float", "int", "str", "len", "Decimal", "urljoin", "bool", "list", "sorted", "round", "text_of", "clean"}
)
LIKE = 80
"""How like two class names must be (0 to 100) to be taken for a slip of the pen."""


def reselect(scene: Scene) -> Fix | None:
    """The selector fits nothing on any taped page: the nearest one that does."""
    if not _is_none(scene):
        return None
    for call in _lookups(scene):
        lookup = lookup_of(call)
        if lookup is None or not scene.pages or scene.matches(lookup):
            continue
        better = _nearest(scene, lookup)
        if better is not None:
            new, shown = better
            source = scene.source
            edits = [(*source.span(call), f"{source.text(_receiver(call))}.{new}")]
            old = source.text(call).removeprefix(source.text(_receiver(call))).lstrip(".")
            return Fix(
                source.edited(edits),
                f"In line {scene.line} {old} found nothing: no fetched page has it. It takes the nearest now: {shown}.",
            )
    return None


def _is_none(scene: Scene) -> bool:
    return scene.kind in ("AttributeError", "TypeError") and bool(_NONE.search(scene.message))


def _receiver(call: ast.Call) -> ast.expr:
    assert isinstance(call.func, ast.Attribute)
    return call.func.value


def _lookups(scene: Scene) -> Iterable[ast.Call]:
    """The lookups that may have given the None: at the failing place, else where the name there was bound."""
    for node in scene.nodes:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Call) and lookup_of(inner) is not None:
                yield inner
    for node in scene.nodes:
        if isinstance(node, ast.Name):
            for assign in scene.source.assigned(node.id, scene.source.function(node), scene.line)[:1]:
                for inner in ast.walk(assign.value):
                    if isinstance(inner, ast.Call) and lookup_of(inner) is not None:
                        yield inner


def _nearest(scene: Scene, lookup: Lookup) -> tuple[str, str] | None:
    """A lookup that matches, as near to the one that does not as there is: (call text, what to call it)."""
    one = lookup.method in ("find", "select_one")
    if lookup.method.startswith("select"):
        selector = str(lookup.args[0]) if lookup.args else ""
        for trial in _relaxed(scene, selector):
            if scene.matches(Lookup("select", (trial,), {})):
                return f"{lookup.method}({literal(trial)})", repr(trial)
        return None
    tag = lookup.args[0] if lookup.args and isinstance(lookup.args[0], str) else ""
    attributes = next((arg for arg in lookup.args[1:] if isinstance(arg, dict)), None) or lookup.keywords.get("attrs")
    classes = lookup.keywords.get("class_")
    if isinstance(attributes, dict):
        classes = classes or attributes.get("class")
    elif len(lookup.args) > 1 and isinstance(lookup.args[1], str):
        classes = lookup.args[1]
    if isinstance(classes, str) and classes.split():
        selector = tag + "".join(f".{name}" for name in classes.split())
        method = "select_one" if one else "select"
        for trial in (selector, *_relaxed(scene, selector)):
            if scene.matches(Lookup("select", (trial,), {})):
                return f"{method}({literal(trial)})", repr(trial)
    return None


def _relaxed(scene: Scene, selector: str) -> Iterable[str]:
    """Selectors near a given one: without tbody, without places, with the page's own spelling, without a wrong part."""
    seen = {selector}

    def new(trial: str) -> Iterable[str]:
        trial = re.sub(r"\s+", " ", trial).strip(" >")
        if trial and trial not in seen:
            seen.add(trial)
            yield trial

    bare = re.sub(r"\s*>?\s*\btbody\b", "", selector)
    yield from new(bare)
    yield from new(re.sub(r":nth-(child|of-type)\([^)]*\)|:first-child|:last-child", "", bare))
    yield from new(re.sub(r"\s*>\s*", " ", bare))
    names = {name for soup in scene.soups for tag in soup.find_all(class_=True) for name in tag.get("class") or ()}
    idents = {str(tag["id"]) for soup in scene.soups for tag in soup.find_all(id=True)}
    for mark, known in ((".", names), ("#", idents)):
        for name in re.findall(rf"\{mark}([\w-]+)", bare):
            if name in known:
                continue
            ranked = sorted(known, key=lambda other: -fuzz.ratio(name.lower(), other.lower()))[:2]
            for other in ranked:
                if fuzz.ratio(name.lower(), other.lower()) >= LIKE:
                    yield from new(bare.replace(f"{mark}{name}", f"{mark}{other}"))
    parts = re.findall(r"[.#][\w-]+", bare)
    if len(parts) > 1:
        for part in parts:
            if part[1:] not in names | idents:
                yield from new(bare.replace(part, "", 1))


def skip(scene: Scene) -> Fix | None:
    """A member of the loop that has none of the fields is no record: it is passed over."""
    if not _is_none(scene):
        return None
    for node in scene.nodes:
        for loop in scene.source.up(node):
            if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name):
                continue
            all_of = lookup_of(loop.iter) or _sliced(loop.iter)
            fields = [(call, lookup) for call in ast.walk(loop) if (lookup := _field(call, loop.target.id)) is not None]
            members = scene.matches(all_of) if all_of is not None else []
            if not members or len({scene.source.text(call) for call, _ in fields}) < 2:
                continue
            strangers = [member for member in members if not any(lookup.run(member) for _, lookup in fields)]
            odd = [
                member
                for member in members
                if member not in strangers and not all(lookup.run(member) for _, lookup in fields)
            ]
            if not strangers or len(strangers) > 0.5 * len(members) or odd:
                continue
            first = next(call for call, _ in fields)
            indent = scene.source.indent(loop.body[0])
            start = scene.source.span(loop.body[0])[0]
            check = f"if {scene.source.text(first)} is None:\n{indent}    continue\n{indent}"
            text = " ".join(strangers[0].get_text(" ").split())[:40]
            where = f"In line {scene.line} {len(strangers)} of {len(members)} members of {scene.source.text(loop.iter)}"
            why = f"{where} hold none of the fields ({text!r}): they are no records and are passed over."
            return Fix(scene.source.edited([(start, start, check)]), why)
    return None


def _sliced(node: ast.expr) -> Lookup | None:
    return lookup_of(node.value) if isinstance(node, ast.Subscript) else None


def _field(node: ast.AST, name: str) -> Lookup | None:
    """A lookup of one element in the loop's variable."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    receiver = node.func.value
    mine = isinstance(receiver, ast.Name) and receiver.id == name and node.func.attr in ("find", "select_one")
    return lookup_of(node) if mine else None


def guard(scene: Scene) -> Fix | None:
    """The element is missing in some records: what is made of it becomes None there."""
    if not _is_none(scene):
        return None
    source = scene.source
    empty = _empty(scene)
    if empty is None:
        return None
    node, top = empty, chain(source, empty)
    test, edits = _tested(source, node)
    body = _with(source, top, edits)
    other = "[]" if _is_looped_over(source, top) else "None"
    replaced = f"({body} if {test} is not None else {other})"
    code = source.edited([(*source.span(top), replaced)])
    found = source.text(node)
    return Fix(code, f"In line {scene.line} {found} was None: not every record has it. It is left {other} there.")


def _empty(scene: Scene) -> ast.expr | None:
    """The expression that was None: the base of the failing attribute or index, or the argument that was refused."""
    if not scene.nodes:
        return None
    attribute = re.search(r"has no attribute '(\w+)'", scene.message)
    for node in scene.nodes:
        if (
            attribute
            and isinstance(node, ast.Attribute)
            and node.attr == attribute[1]
            and _may_be_none(scene, node.value)
        ):
            return node.value
        if "subscriptable" in scene.message and isinstance(node, ast.Subscript) and _may_be_none(scene, node.value):
            return node.value
        if "iterable" in scene.message and _may_be_none(scene, node):
            return node
        if not attribute and "'NoneType'" in scene.message and isinstance(node, ast.Call) and node.args:
            for arg in (node.args[-1], node.args[0]):
                if _may_be_none(scene, arg):
                    return arg
    return None


def _may_be_none(scene: Scene, node: ast.expr) -> bool:
    """Lookups, matches and `get` give None at times; names if they were seen so, or if their value is not known."""
    if isinstance(node, ast.Name):
        seen = scene.seen(node.id)
        return seen[0] == "None" if seen else True
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr not in (
            "strip",
            "split",
            "replace",
            "get_text",
            "find_all",
            "select",
            "join",
            "lower",
            "upper",
        )
    return isinstance(node, ast.Call | ast.Attribute | ast.Subscript)


def chain(source: Source, node: ast.expr) -> ast.expr:
    """The largest expression that makes no sense where `node` is None: attributes, calls, indexes, conversions."""
    top = node
    while True:
        above = source.parents.get(top)
        based = isinstance(above, ast.Attribute | ast.Subscript) and above.value is top
        called = isinstance(above, ast.Call) and (above.func is top or (top in above.args and _converts(above)))
        if isinstance(above, ast.expr) and (
            based or called or isinstance(above, ast.BinOp | ast.JoinedStr | ast.FormattedValue)
        ):
            top = above
        else:
            return top


def _converts(call: ast.Call) -> bool:
    """A call that makes one value of another, so None of None."""
    if isinstance(call.func, ast.Name):
        return call.func.id in _CONVERTERS
    if isinstance(call.func, ast.Attribute):
        return call.func.attr in ("strptime", "sub", "search", "match", "findall", "urljoin", "fromisoformat", "join")
    return False


def _tested(source: Source, node: ast.expr) -> tuple[str, list[tuple[int, int, str]]]:
    """The test of an expression, and the edit by which what follows uses what was tested."""
    if isinstance(node, ast.Name):
        return node.id, []
    name = source.fresh("found", "tag", "element")
    return f"({name} := {source.text(node)})", [(*source.span(node), name)]


def _with(source: Source, top: ast.expr, edits: list[tuple[int, int, str]]) -> str:
    start, end = source.span(top)
    text = source.code[start:end]
    for first, last, new in edits:
        text = text[: first - start] + new + text[last - start :]
    return text


def _is_looped_over(source: Source, node: ast.expr) -> bool:
    above = source.parents.get(node)
    return (isinstance(above, ast.For) and above.iter is node) or (
        isinstance(above, ast.comprehension) and above.iter is node
    )


def compare(scene: Scene) -> Fix | None:
    """Sorting by a column that is None in places: those rows come last."""
    if (
        scene.kind != "TypeError"
        or "not supported between instances" not in scene.message
        or "NoneType" not in scene.message
    ):
        return None
    for node in scene.nodes:
        for call in (node, *scene.source.up(node)):
            if not isinstance(call, ast.Call) or not any(keyword.arg == "key" for keyword in call.keywords):
                continue
            key = next(keyword.value for keyword in call.keywords if keyword.arg == "key")
            if isinstance(key, ast.Lambda) and not isinstance(key.body, ast.Tuple):
                body = scene.source.text(key.body)
                turned = any(k.arg == "reverse" for k in call.keywords)
                sign = "is not None" if turned else "is None"
                new = f"({body} {sign}, {body} if {body} is not None else 0)"
                code = scene.source.edited([(*scene.source.span(key.body), new)])
                return Fix(
                    code,
                    f"In line {scene.line} rows were sorted by {body}, which is None in some: these come last now.",
                )
    return None


MENDS = (reselect, skip, guard, compare)
