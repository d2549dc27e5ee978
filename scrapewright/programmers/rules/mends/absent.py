"""What is missing: another selector where this one fits nowhere; else None for that, and for what is made of it. Lists
that hold less than expected, and lists taken for single elements."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from rapidfuzz import fuzz, process

from scrapewright.loop.css_selectors import css_selectors
from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Lookup, Scene, lookup_of, plain, quoted
from scrapewright.programmers.rules.source import Edit, Source, called, is_name, value_of
from scrapewright.query.lexicon import NUMBERS, fold

_NONE = re.compile(
    r"'NoneType' object (has no attribute|is not (subscriptable|iterable|callable))|got '?NoneType'?|not 'NoneType'"
)
_CONVERTERS = frozenset({
    "float", "int", "str", "len", "Decimal", "urljoin", "bool", "list", "sorted", "round", "text_of", "clean",
    "strptime", "fromisoformat", "sub", "search", "match", "findall", "join",
})  # fmt: skip
"""Functions and methods that make one value of another, so None of None."""
_NEVER_NONE = frozenset({"strip", "split", "replace", "get_text", "find_all", "select", "join", "lower", "upper"})
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
        places += [node for frame in scene.frames for node in source.at(frame.line)]
    elif findings := list(scene.findings("no-rows", "empty-column")):
        loops = [node.iter for node in ast.walk(source.tree) if isinstance(node, ast.For | ast.comprehension)]
        places = [*(value for one in findings for value in value_of(source, one.column)), *loops, source.tree]
    used = {selector for _, selector in css_selectors(source.tree)} if places and scene.pages else set()
    for node in (node for place in places for node in ast.walk(place)):
        lookup, new = lookup_of(node), "{}"
        if isinstance(node, ast.Constant) and node.value in used:
            lookup = Lookup("select", (node.value,), {})
        elif lookup is None or not lookup.method.startswith("find") or not isinstance(node, ast.Call):
            continue
        elif isinstance(node.func, ast.Attribute):
            new = f"{source.text(node.func.value)}.{'select_one' if lookup.method == 'find' else 'select'}({{}})"
        better = _nearest(scene, lookup)
        if better is not None:
            why = f"found nothing: no fetched page has it. It takes the nearest now: {better!r}."
            edit = source.replaced(node, new.format(literal(better)))
            return scene.fix(f"In line {node.lineno} {source.text(node)} {why}", edit)
    return None


def _nearest(scene: Scene, lookup: Lookup) -> str | None:
    """A selector that matches, as near to a lookup that matches nothing as there is; None where that matches."""
    if not scene.pages or scene.matches(lookup) or not lookup.selector:
        return None
    trials = (re.sub(r"\s+", " ", trial).strip(" >") for trial in _relaxed(scene, lookup.selector))
    return next((trial for trial in trials if trial and scene.matches(Lookup("select", (trial,), {}))), None)


def _relaxed(scene: Scene, selector: str) -> Iterator[str]:
    """Selectors near a given one: without tbody, without places, with the page's own spelling, without a wrong part."""
    bare = re.sub(r"\s*>?\s*\btbody\b", "", selector)
    yield from (selector, bare)
    yield re.sub(r":nth-(child|of-type)\([^)]*\)|:first-child|:last-child", "", bare)
    yield re.sub(r"\s*>\s*", " ", bare)
    tags = [tag for soup in scene.soups for tag in soup.find_all(True)]
    known = {".": {name for tag in tags for name in tag.get("class") or ()}, "#": {str(tag.get("id")) for tag in tags}}
    parts = re.findall(r"([.#])([\w-]+)", bare)
    strange = [(mark, name) for mark, name in parts if name not in known[mark]]
    for mark, name in sorted(strange, key=lambda part: part[0] == "#"):
        for other, *_ in process.extract(name, sorted(known[mark]), scorer=fuzz.ratio, limit=2, score_cutoff=LIKE):
            yield bare.replace(f"{mark}{name}", f"{mark}{other}")
    for mark, name in strange if len(parts) > 1 else ():
        yield bare.replace(f"{mark}{name}", "", 1)


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


_SINGLE = {"find_all": "find", "findAll": "find", "select": "select_one"}
_LISTED = re.compile(r"(?:ResultSet|list)'? object has no attribute ['\"]?(\w+)|^list (indices) must be")


def single(scene: Scene) -> Fix | None:
    """A list of all elements used as one: `find` for `find_all`, `select_one` for `select`, else its first item."""
    found = _LISTED.search(scene.message)
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
