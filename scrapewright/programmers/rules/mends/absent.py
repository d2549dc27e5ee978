"""What is missing: another selector where this one fits nowhere; else None for that, and for what is made of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from rapidfuzz import fuzz

from scrapewright.programmers.rules.mends.places import value_of
from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import METHODS, Fix, Lookup, Scene, lookup_of, quoted
from scrapewright.programmers.rules.source import Source, called, is_name

_NONE = re.compile(
    r"'NoneType' object (has no attribute|is not (subscriptable|iterable|callable))|got '?NoneType'?|not 'NoneType'"
)
_CONVERTERS = frozenset({
    "float", "int", "str", "len", "Decimal", "urljoin", "bool", "list", "sorted", "round", "text_of", "clean",
    "strptime", "fromisoformat", "sub", "search", "match", "findall", "join",
})  # fmt: skip
"""Functions and methods that make one value of another, so None of None."""
_NEVER_NONE = frozenset({"strip", "split", "replace", "get_text", "find_all", "select", "join", "lower", "upper"})
_MARKED = re.compile(r"^[^:/]*[.#][a-zA-Z_][\w-]*")
LIKE = 80
"""How like two class names must be (0 to 100) to be taken for a slip of the pen."""


def _is_none(scene: Scene) -> bool:
    return scene.kind in ("AttributeError", "TypeError") and bool(_NONE.search(scene.message))


def reselect(scene: Scene) -> Fix | None:
    """A selector that fits nothing on any fetched page, and None, no rows or an empty column for it: the nearest one
    that does."""
    source = scene.source
    places: list[ast.AST] = []
    if _is_none(scene):
        names = [node for node in scene.nodes if isinstance(node, ast.Name)]
        bound = (source.assigned(name.id, source.function(name), scene.line)[:1] for name in names)
        places = [*scene.nodes, *(assign.value for assigns in bound for assign in assigns)]
    elif findings := list(scene.findings("no-rows", "empty-column")):
        loops = [node.iter for node in ast.walk(source.tree) if isinstance(node, ast.For | ast.comprehension)]
        places = [*(value for one in findings for value in value_of(source, one.column)), *loops, source.tree]
    for place in places if scene.pages else ():
        for call in source.calls(*METHODS, *source.functions, inside=place):
            for node, lookup, written in _lookups(scene, call):
                better = None if scene.matches(lookup) else _nearest(scene, lookup)
                if better is not None:
                    old = source.text(node)
                    why = f"{old} found nothing: no fetched page has it. It takes the nearest now: {better!r}."
                    line = getattr(node, "lineno", 0)
                    return scene.fix(f"In line {line} {why}", source.replaced(node, written.format(literal(better))))
    return None


def _lookups(scene: Scene, call: ast.Call) -> Iterator[tuple[ast.expr, Lookup, str]]:
    """What a call looks up: what to replace, the lookup, and the new text for a selector; of a function of the program
    itself each argument that is a selector with a class or an id."""
    source, lookup = scene.source, lookup_of(call)
    if lookup is not None and lookup.method.startswith("find") and isinstance(call.func, ast.Attribute):
        method = "select_one" if lookup.method == "find" else "select"
        yield call, lookup, f"{source.text(call.func.value)}.{method}({{}})"
    elif lookup is not None or called(call) in source.functions:
        for arg in call.args:
            match arg:
                case ast.Constant(value=str(text)) if lookup is not None or _MARKED.search(text):
                    yield arg, Lookup("select", (text,), {}), "{}"


def _nearest(scene: Scene, lookup: Lookup) -> str | None:
    """A selector that matches, as near to the lookup that does not as there is."""
    selector = lookup.selector
    trials = (selector, *_relaxed(scene, selector)) if selector else ()
    return next((trial for trial in trials if scene.matches(Lookup("select", (trial,), {}))), None)


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
    parts = re.findall(r"([.#])([\w-]+)", bare)
    strange = [(mark, name) for mark, name in parts if name not in (names if mark == "." else idents)]
    for mark, name in sorted(strange, key=lambda part: part[0] == "#"):
        likeness = {other: fuzz.ratio(name.lower(), other.lower()) for other in (names if mark == "." else idents)}
        for other in sorted(likeness, key=likeness.__getitem__, reverse=True)[:2]:
            if likeness[other] >= LIKE:
                yield from new(bare.replace(f"{mark}{name}", f"{mark}{other}"))
    for mark, name in strange if len(parts) > 1 else ():
        yield from new(bare.replace(f"{mark}{name}", "", 1))


def skip(scene: Scene) -> Fix | None:
    """A member of the loop that has none of the fields is no record: it is passed over."""
    source = scene.source
    around = (above for node in scene.nodes for above in source.up(node)) if _is_none(scene) else ()
    for loop in around:
        if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name):
            continue
        iterated = loop.iter.value if isinstance(loop.iter, ast.Subscript) else loop.iter
        every = lookup_of(iterated)
        members = scene.matches(every) if every is not None else []
        fields = _fields(source, loop, loop.target.id)
        if not members or len(fields) < 2:
            continue
        held = [sum(bool(lookup.run(member)) for lookup in fields.values()) for member in members]
        strangers = [member for member, count in zip(members, held, strict=True) if not count]
        if not strangers or len(strangers) > 0.5 * len(members) or any(0 < count < len(fields) for count in held):
            continue
        text = " ".join(strangers[0].get_text(" ").split())[:40]
        return scene.fix_here(
            f"{len(strangers)} of {len(members)} members of {source.text(loop.iter)} hold none of the fields "
            f"({text!r}): they are no records and are passed over.",
            source.before(loop.body[0], f"if {next(iter(fields))} is None:", "    continue"),
        )
    return None


def _fields(source: Source, loop: ast.For, name: str) -> dict[str, Lookup]:
    """The lookups of one element in the loop's variable, by their text."""
    found = ((call, lookup_of(call)) for call in source.calls("find", "select_one", inside=loop))
    mine = [(call, lookup) for call, lookup in found if lookup and is_name(getattr(call.func, "value", None), name)]
    return {source.text(call): lookup for call, lookup in mine}


def missing(scene: Scene) -> Fix | None:
    """An element, a match, an item or a key that is not there: what is made of it is None."""
    source = scene.source
    found = next(_absent(scene), None)
    if found is None:
        return None
    node, got, test, what = found
    held = node.id if isinstance(node, ast.Name) and not got else source.fresh("found", "tag", "element")
    top = outermost(source, node)
    (start, end), (first, last) = source.span(top), source.span(node)
    bound = held if held == source.text(node) else f"({held} := {got or source.text(node)})"
    body = source.code[start:first] + held + source.code[last:end]
    above = source.parents.get(top)
    other = "[]" if isinstance(above, ast.For | ast.comprehension) and above.iter is top else "None"
    new = got if got and top is node else f"({body} if {test.format(bound)} else {other})"
    return scene.fix_here(f"{what}: it is {other} where it is missing.", source.replaced(top, new))


def _absent(scene: Scene) -> Iterator[tuple[ast.expr, str, str, str]]:
    """What may be what was missing: the expression, the one to ask for it by (where it is another), the test of that
    it is there, and what was seen."""
    source = scene.source
    if _is_none(scene) and (node := _empty(scene)) is not None:
        yield node, "", "{} is not None", f"{source.text(node)} was None"
    for node in without_key(scene):
        base = source.text(node.value)
        yield node, f"{base}.get({source.text(node.slice)})", "{} is not None", f"{base} had no {scene.message.strip()}"
    for node in scene.nodes if scene.kind == "IndexError" and "out of range" in scene.message else ():
        match node:
            case ast.Subscript(value=items, slice=ast.Constant(value=int(index))):
                seen = scene.described(items) if isinstance(items, ast.Name) else ""
                was = f", which was {quoted(seen)[1:-1]}" if seen else ""
                test = f"len({{}}) > {index}" if index else "{}"
                yield items, "", test, f"{source.text(items)} has no item {index}{was}"


def _empty(scene: Scene) -> ast.expr | None:
    """The expression that was None: the base of the failing attribute or index, or the argument that was refused."""
    attribute = re.search(r"has no attribute '(\w+)'", scene.message)
    found: list[ast.expr] = []
    for node in scene.nodes:
        match node:
            case ast.Attribute(value=held, attr=name) if attribute and name == attribute[1]:
                found.append(held)
            case ast.Subscript(value=held) if "subscriptable" in scene.message:
                found.append(held)
            case ast.expr() if "iterable" in scene.message:
                found.append(node)
            case ast.Call(args=[*_, last]) if not attribute and "'NoneType'" in scene.message:
                found += [last, node.args[0]]
    return next((node for node in found if _may_be_none(scene, node)), None)


def _may_be_none(scene: Scene, node: ast.expr) -> bool:
    """Lookups, matches and `get` give None at times; names if they were seen so, or if their value is not known."""
    if isinstance(node, ast.Name):
        return scene.described(node) in ("", "None")
    return isinstance(node, ast.Call | ast.Attribute | ast.Subscript) and called(node) not in _NEVER_NONE


def without_key(scene: Scene) -> Iterator[ast.Subscript]:
    """The subscripts at the failing place whose key may be the one that was missing."""
    key = scene.message.strip()
    for node in scene.nodes if scene.kind == "KeyError" else ():
        match node:
            case ast.Subscript(slice=ast.Constant(value=constant), ctx=ast.Load()):
                if constant is None or key == repr(constant) or key.strip("'\"") == constant:
                    yield node
            case ast.Subscript(ctx=ast.Load()):
                yield node


def outermost(source: Source, node: ast.expr) -> ast.expr:
    """The largest expression that makes no sense where `node` is None: attributes, calls, indexes, conversions."""
    above = source.parents.get(node)
    match above:
        case ast.Attribute() | ast.BinOp() | ast.JoinedStr() | ast.FormattedValue():
            return outermost(source, above)
        case ast.Subscript(value=base) | ast.Call(func=base) if base is node:
            return outermost(source, above)
        case ast.Call(args=args) if node in args and called(above) in _CONVERTERS:
            return outermost(source, above)
    return node


def compare(scene: Scene) -> Fix | None:
    """Sorting by a column that is None in places: those rows come last."""
    if not re.search(r"not supported between instances .*NoneType", scene.message):
        return None
    for call in scene.calls("sort", "sorted", "min", "max", "nsmallest", "nlargest"):
        keywords = {keyword.arg: keyword.value for keyword in call.keywords}
        key = keywords.get("key")
        if isinstance(key, ast.Lambda) and not isinstance(key.body, ast.Tuple):
            body = scene.source.text(key.body)
            sign = "is not None" if "reverse" in keywords else "is None"
            return scene.fix_here(
                f"rows were sorted by {body}, which is None in some: these come last now.",
                scene.source.replaced(key.body, f"({body} {sign}, {body} if {body} is not None else 0)"),
            )
    return None


MENDS = (reselect, skip, missing, compare)
