"""Columns, links and rows that the critics found wrong, where the program shows what to change."""

from __future__ import annotations

import ast
import re

from rapidfuzz import fuzz, process

from scrapewright.programmers.rules.mends.conversions import CONVERSIONS, helper_for, is_conversion, raw
from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene, quoted
from scrapewright.programmers.rules.source import Edit, Source, called, value_of, written_rows
from scrapewright.query.reading import Order


def renamed(scene: Scene) -> Fix | None:
    """A column under another name than asked for."""
    verdict = scene.attempt.verdict
    missing = [finding.column for finding in scene.findings("missing-column")]
    if verdict is None or not missing:
        return None
    wanted = {field.name for field in scene.brief.reading.fields}
    extra = [column for column in verdict.columns if column not in wanted]
    pairs: dict[str, str] = {}
    for name in missing:
        near = process.extractOne(name, extra, scorer=fuzz.WRatio, processor=str.lower, score_cutoff=75)
        if near is not None:
            pairs[near[0]] = name
            extra.remove(near[0])
    left = [name for name in missing if name not in pairs.values()]
    if len(left) == len(extra) == 1:
        pairs[extra[0]] = left[0]
    source = scene.source
    edits = [source.replaced(node, literal(pairs[text])) for node, text in source.strings() if text in pairs]
    renames = ", ".join(f"{old!r} is {new!r} now" for old, new in pairs.items())
    return scene.fix(f"Columns had other names than asked for: {renames}.", *edits) if edits else None


def typed(scene: Scene) -> Fix | None:
    """A number left as text, or a column that a swallowed error left empty: it is read wherever it is."""
    source = scene.source
    fields = {_short(field.name): field for field in scene.brief.reading.fields}
    for finding in scene.findings("wrong-type", "low-coverage", "empty-column"):
        field = fields.get(_short(finding.column))
        sample = finding.got if finding.code == "wrong-type" else finding.expected
        if field is None or field.type not in ("int", "float") or not any(c.isdigit() for c in sample):
            continue
        values = value_of(source, finding.column)
        places = (_read_at(source, bound) for value in values for bound in _definition(source, value))
        for target, text in (place for place in places if place is not None):
            name, helper = helper_for(scene, sample, field.type == "int")
            edit = source.replaced(target, f"{name}({text})")
            what = f"{finding.column} was not read from {quoted(sample)}: the number is read wherever it is."
            return scene.fix(what, edit, imports=["import re"], helper=helper)
    return None


def _definition(source: Source, node: ast.expr) -> list[ast.expr]:
    """What a name was bound to in its function, where the expression is a name; else the expression itself."""
    if not isinstance(node, ast.Name):
        return [node]
    return [assign.value for assign in source.assigned(node.id, source.function(node), node.lineno + 1)] or [node]


def _read_at(source: Source, node: ast.expr) -> tuple[ast.expr, str] | None:
    """What is to be replaced and the text to read from: a conversion, also inside a function of the program."""
    match node:
        case ast.Constant():
            return None
        case ast.Call(func=ast.Name(id=name)) if name in source.functions:
            for call in filter(is_conversion, source.calls(*CONVERSIONS, inside=source.functions[name])):
                return call, source.text(raw(call.args[0]))
            return (node, source.text(node)) if len(node.args) == 1 and "text" in name else None
        case ast.Call(args=[text]) if is_conversion(node):
            return node, source.text(raw(text))
    return node, source.text(node)


def _short(name: str) -> str:
    """A column's name without case, blanks and punctuation."""
    return re.sub(r"[\W_]+", "", name.casefold())


def sliced(scene: Scene) -> Fix | None:
    """Records cut off behind a number of them: all are taken."""
    source = scene.source
    for node in ast.walk(source.tree) if any(scene.findings("too-few-rows")) else ():
        match node:
            case ast.Subscript(value=whole, slice=ast.Slice(lower=lower, upper=ast.expr())):
                if isinstance(source.parents[node], ast.For | ast.comprehension):
                    kept = source.text(whole) + (f"[{source.text(lower)}:]" if lower is not None else "")
                    why = f"There were too few rows: {source.text(node)} cuts records off, so all are taken."
                    return scene.fix(why, source.replaced(node, kept))
    return None


def header(scene: Scene) -> Fix | None:
    """A table's header row among the rows."""
    if not any("header" in finding.message for finding in scene.findings("extra-rows")):
        return None
    for node in ast.walk(scene.source.tree):
        iterated = node.iter if isinstance(node, ast.For | ast.comprehension) else None
        text = scene.source.text(iterated) if isinstance(iterated, ast.Call) else ""
        if iterated is not None and re.search(r"""["'][^"']*\btr["']""", text):
            why = f"The table's header was taken for a record: {text} is read from its second row on."
            return scene.fix(why, scene.source.replaced(iterated, f"{text}[1:]"))
    return None


def arranged(scene: Scene) -> Fix | None:
    """Rows that repeat, hold nothing, are in another order than asked for, or are more: put right before they are
    written."""
    reading, place = scene.brief.reading, written_rows(scene.source)
    columns = (*reading.distinct, *(key.field for key in reading.order))
    if place is None or not all(value_of(scene.source, column) for column in columns):
        return None  # no rows that are mappings
    rows, lines, whys = place[0], [], []
    if repeated := next(scene.findings("not-distinct", "duplicate-rows"), None):
        items = "".join(f"row[{literal(name)}], " for name in reading.distinct)
        key = f"({items.strip()})" if items else "tuple(map(str, row.values()))"
        whys.append(f"{repeated.message}: of rows that are the same the first is kept")
        lines.append(f"{rows} = list({{{key}: row for row in reversed({rows})}}.values())[::-1]")
    if any("nothing at all" in finding.message for finding in scene.findings("extra-rows")):
        whys.append("some rows held nothing at all: they are left out")
        lines.append(f"{rows} = [row for row in {rows} if any(row.values())]")
    if reading.order and any(scene.findings("wrong-order")):
        keys = ", ".join(f"{key.field}, {'highest' if key.descending else 'lowest'} first" for key in reading.order)
        whys.append(f"the rows were not in the order asked for: they are sorted by {keys}")
        lines += [_sorting(rows, key) for key in reversed(reading.order)]
    if reading.limit and any(scene.findings("limit-broken")):
        whys.append(f"there were more rows than the {reading.limit} asked for: the rest is left out")
        lines.append(f"{rows} = {rows}[:{reading.limit}]")
    why = "; ".join(whys)
    return scene.fix(f"{why[:1].upper()}{why[1:]}.", scene.source.before(place[1], *lines)) if lines else None


def _sorting(rows: str, key: Order) -> str:
    item = f"row[{literal(key.field)}]"
    if key.descending:
        return f"{rows}.sort(key=lambda row: ({item} is not None, {item}), reverse=True)"
    return f"{rows}.sort(key=lambda row: ({item} is None, {item}))"


_IMPORT = "from urllib.parse import urljoin"
_RESPONSES = ("response", "resp", "res", "r")
_ADDRESSES = ("page_url", "url", "base_url", "base", "START_URL", "URL", "BASE_URL", "BASE")


def fetched_link(scene: Scene) -> Fix | None:
    """A relative address handed to requests."""
    source = scene.source
    relative = scene.kind in ("MissingSchema", "InvalidURL", "InvalidSchema")
    for call in scene.calls("get", "post", "head", "request") if relative else ():
        if not isinstance(call.func, ast.Attribute) or not call.args:
            continue
        arg = call.args[1 if called(call) == "request" and len(call.args) > 1 else 0]
        value, text = scene.value(arg), source.text(arg)
        was = f" was {quoted(value)}, which" if isinstance(value, str) else ""
        return scene.fix_here(
            f"{text}{was} is no whole address: it is joined to one.",
            source.replaced(arg, f"urljoin({literal(scene.page_url)}, {text})"),
            imports=[_IMPORT],
        )
    return None


def written_links(scene: Scene) -> Fix | None:
    """A column of relative links."""
    source = scene.source
    edits: list[Edit] = []
    message = ""
    for finding in scene.findings("relative-link"):
        for node in value_of(source, finding.column):
            if isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
                text = source.text(node)
                edits.append(source.replaced(node, f"(urljoin({_base(scene, node)}, {text}) if {text} else None)"))
                held = f"{finding.column} held {finding.got!r}, a relative link"
                message = message or f"{held}: it is joined to the page's address."
    return scene.fix(message, *edits, imports=[_IMPORT]) if edits else None


def _base(scene: Scene, node: ast.expr) -> str:
    """The page's address where the link is read: the response's own, a variable called url, else the start page."""
    source, function = scene.source, scene.source.function(node)
    inside = {n.arg for n in ast.walk(function) if isinstance(n, ast.arg)}
    stored = [n for n in ast.walk(source.tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    inside |= {n.id for n in stored if source.function(n) is function}
    known = inside | {n.id for n in stored if source.function(n) is source.tree}
    names = [f"{name}.url" for name in _RESPONSES if name in inside] + [name for name in _ADDRESSES if name in known]
    return next(iter(names), literal(scene.page_url))
