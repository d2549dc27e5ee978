"""Columns and rows that the critics found wrong, where the program shows what to change."""

from __future__ import annotations

import ast
import re

from rapidfuzz import fuzz

from scrapewright.programmers.rules.mends.numbers import helper_for, raw
from scrapewright.programmers.rules.mends.places import definition, value_of, written_rows
from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene, quoted
from scrapewright.programmers.rules.source import Edit


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
        near = max(extra, key=lambda column: fuzz.WRatio(column.lower(), name.lower()), default="")
        if near and fuzz.WRatio(near.lower(), name.lower()) >= 75:
            pairs[near] = name
            extra.remove(near)
    left = [name for name in missing if name not in pairs.values()]
    if len(left) == len(extra) == 1:
        pairs[extra[0]] = left[0]
    source = scene.source
    edits: list[Edit] = [
        (*source.span(node), literal(pairs[node.value]))
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in pairs
    ]
    if not edits:
        return None
    renames = ", ".join(f"{old!r} is {new!r} now" for old, new in pairs.items())
    return Fix(source.edited(edits), f"Columns had other names than asked for: {renames}.")


def typed(scene: Scene) -> Fix | None:
    """A number left as text, or a column that a swallowed error left empty: it is read wherever it is."""
    source = scene.source
    fields = {_short(field.name): field for field in scene.brief.reading.fields}
    for finding in scene.findings("wrong-type", "low-coverage", "empty-column"):
        field = fields.get(_short(finding.column))
        if field is None or field.type not in ("int", "float"):
            continue
        sample = finding.got if finding.code == "wrong-type" else finding.expected
        if not any(c.isdigit() for c in sample):
            continue
        whole = field.type == "int"
        for value in value_of(source, finding.column):
            for bound in definition(source, value):
                place = _conversion_in(scene, bound)
                if place is None:
                    continue
                target, text = place
                name, helper = helper_for(scene, sample, whole, target.lineno)
                edits: list[Edit] = [(*source.span(target), f"{name}({text})")]
                code = source.edited(edits, ["import re"], helper, target.lineno)
                what = f"{finding.column} was not read from {quoted(sample)}"
                return Fix(code, f"{what}: the number is read wherever it is.")
    return None


def _conversion_in(scene: Scene, node: ast.expr) -> tuple[ast.expr, str] | None:
    """What is to be replaced and the text to read from: a conversion, also inside a function of the program."""
    source = scene.source
    functions = source.functions
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions:
        inside = [call for call in ast.walk(functions[node.func.id]) if _is_conversion(call)]
        calls = [call for call in inside if isinstance(call, ast.Call)]
        if calls:
            return calls[0], source.text(raw(calls[0].args[0]))
        return None if len(node.args) != 1 or "text" not in node.func.id else (node, source.text(node))
    if isinstance(node, ast.Constant):
        return None
    if isinstance(node, ast.Call) and _is_conversion(node):
        return node, source.text(raw(node.args[0]))
    return node, source.text(node)


def _is_conversion(node: ast.AST) -> bool:
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and bool(node.args)
    return named and isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("float", "int")


def _short(name: str) -> str:
    """A column's name without case, blanks and punctuation."""
    return re.sub(r"[\W_]+", "", name.casefold())


def sliced(scene: Scene) -> Fix | None:
    """Records cut off by a slice: the first that was no header, or all beyond a number."""
    lost = [
        finding for finding in scene.findings("too-few-rows") if finding.expected.isdigit() and finding.got.isdigit()
    ]
    if not lost:
        return None
    source, short = scene.source, int(lost[0].expected) - int(lost[0].got)
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Slice) or node.slice.step is not None:
            continue
        lower, upper = (_number(part) for part in (node.slice.lower, node.slice.upper))
        lookup = (
            isinstance(node.value, ast.Call)
            and isinstance(node.value.func, ast.Attribute)
            and node.value.func.attr in ("select", "find_all", "findAll")
        )
        listed = isinstance(source.parents.get(node), ast.For | ast.comprehension)
        if not (lookup or listed):
            continue
        cut = (lower or 0) - (upper if upper is not None and upper < 0 else 0)
        if ((upper is None or upper < 0) and cut and cut <= short) or (
            upper is not None and upper > 0 and upper <= int(lost[0].got) + cut
        ):
            code = source.edited([(*source.span(node), source.text(node.value))])
            return Fix(code, f"{lost[0].message}: {source.text(node)} cuts records off, so it is taken whole.")
    return None


def _number(node: ast.expr | None) -> int | None:
    try:
        value = ast.literal_eval(node) if node is not None else None
    except ValueError:
        return None
    return value if isinstance(value, int) else None


def header(scene: Scene) -> Fix | None:
    """A table's header row among the rows."""
    if not any("header" in finding.message for finding in scene.findings("extra-rows")):
        return None
    source = scene.source
    for node in ast.walk(source.tree):
        iterated = node.iter if isinstance(node, ast.For | ast.comprehension) else None
        if isinstance(iterated, ast.Call) and re.search(r"""["'][^"']*\btr["']""", source.text(iterated)):
            end = source.span(iterated)[1]
            code = source.edited([(end, end, "[1:]")])
            return Fix(
                code,
                f"The table's header was taken for a record: {source.text(iterated)} is read from its second row on.",
            )
    return None


def ordered(scene: Scene) -> Fix | None:
    """Rows that are not in the order asked for: sorted before they are written."""
    order = scene.brief.reading.order
    if not order or not list(scene.findings("wrong-order")):
        return None
    place = written_rows(scene.source)
    if place is None:
        return None
    name, statement = place
    indent, start = scene.source.indent(statement), scene.source.span(statement)[0]
    lines = ""
    for key in reversed(order):
        item = f"row[{literal(key.field)}]"
        if key.descending:
            lines += f"{name}.sort(key=lambda row: ({item} is not None, {item}), reverse=True)\n{indent}"
        else:
            lines += f"{name}.sort(key=lambda row: ({item} is None, {item}))\n{indent}"
    keys = ", ".join(f"{key.field}, {'highest' if key.descending else 'lowest'} first" for key in order)
    return Fix(
        scene.source.edited([(start, start, lines)]),
        f"The rows were not in the order asked for: they are sorted by {keys}.",
    )


def distinct(scene: Scene) -> Fix | None:
    """Rows that repeat: the first of each is kept."""
    keys = scene.brief.reading.distinct
    findings = list(scene.findings("not-distinct", "duplicate-rows"))
    place = written_rows(scene.source)
    if not findings or place is None:
        return None
    name, statement = place
    indent, start = scene.source.indent(statement), scene.source.span(statement)[0]
    if keys:
        key = "(" + ", ".join(f"row[{literal(k)}]" for k in keys) + ("," if len(keys) == 1 else "") + ")"
    else:
        key = "tuple(map(str, row.values()))"
    line = f"{name} = list({{{key}: row for row in reversed({name})}}.values())[::-1]\n{indent}"
    return Fix(
        scene.source.edited([(start, start, line)]),
        f"{findings[0].message}. Of rows that are the same the first is kept.",
    )


def limited(scene: Scene) -> Fix | None:
    """More rows than asked for."""
    limit = scene.brief.reading.limit
    place = written_rows(scene.source)
    if not limit or place is None or not list(scene.findings("limit-broken")):
        return None
    name, statement = place
    indent, start = scene.source.indent(statement), scene.source.span(statement)[0]
    code = scene.source.edited([(start, start, f"{name} = {name}[:{limit}]\n{indent}")])
    return Fix(code, f"There were more rows than the {limit} asked for: the rest is left out.")


MENDS = (renamed, typed, header, sliced, ordered, distinct, limited)
