"""Names, codecs, parsers and selectors that are wrong as written."""

from __future__ import annotations

import ast
import difflib
import re

import soupsieve

from scrapewright.loop.undefined_names import import_for
from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene
from scrapewright.programmers.rules.source import Edit, Source
from scrapewright.survey.decode import decode

_FETCHES = ("get", "post", "request", "urlopen")


def unbound(scene: Scene) -> Fix | None:
    """A name that nothing binds: its import is added, or the name it was meant to be is taken."""
    found = re.search(r"name '(\w+)' is not defined", scene.message)
    if scene.kind not in ("NameError", "UnboundLocalError") or not found:
        return None
    source, name = scene.source, found[1]
    statement = import_for(name, source.tree)
    if statement is not None:
        return Fix(
            source.edited([], [statement]), f"In line {scene.line} {name} was not imported: `{statement}` is added."
        )
    used = [
        n for n in ast.walk(source.tree) if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)
    ]
    bound = {n.id for n in ast.walk(source.tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    bound |= {n.arg for n in ast.walk(source.tree) if isinstance(n, ast.arg)} | set(source.functions)
    near = difflib.get_close_matches(name, bound, 1, 0.75)
    if not near or not used:
        return None
    edits = [(*source.span(node), near[0]) for node in used]
    return Fix(source.edited(edits), f"In line {scene.line} {name} was never bound: {near[0]} is meant.")


def parser(scene: Scene) -> Fix | None:
    """A parser that is not installed."""
    if scene.kind != "FeatureNotFound":
        return None
    source = scene.source
    edits: list[Edit] = []
    for node in ast.walk(source.tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name | ast.Attribute)
            and "BeautifulSoup" in source.text(node.func)
        ):
            named = [keyword.value for keyword in node.keywords if keyword.arg == "features"]
            for arg in [*node.args[1:2], *named]:
                if isinstance(arg, ast.Constant) and arg.value not in ("lxml", "html.parser", "xml", "lxml-xml"):
                    edits.append((*source.span(arg), '"lxml"'))
    lost = re.search(r"requested: (\S+?)[.,]? ", scene.message + " ")
    which = lost[1] if lost else "asked for"
    return Fix(source.edited(edits), f"The parser {which} is not there: lxml is used instead.") if edits else None


def selector(scene: Scene) -> Fix | None:
    """A selector that is no CSS: values are quoted, foreign pseudo-classes put into their own form."""
    if scene.kind not in ("SelectorSyntaxError", "NotImplementedError", "ValueError"):
        return None
    source = scene.source
    edits: list[Edit] = []
    shown = ""
    for node in ast.walk(source.tree):
        if (
            not isinstance(node, ast.Call)
            or not isinstance(node.func, ast.Attribute)
            or node.func.attr not in ("select", "select_one")
        ):
            continue
        arg = node.args[0] if node.args else None
        if not isinstance(arg, ast.Constant) or not isinstance(arg.value, str) or _is_css(arg.value):
            continue
        right = _as_css(arg.value)
        if right is not None:
            edits.append((*source.span(arg), literal(right)))
            shown = shown or f"{arg.value!r} is no valid CSS: {right!r} is"
    return Fix(source.edited(edits), f"The selector {shown}.") if edits else None


def _is_css(text: str) -> bool:
    try:
        soupsieve.compile(text)
    except Exception:
        return False
    return True


def _as_css(text: str) -> str | None:
    """The selector as it was meant, if that is clear."""
    trial = re.sub(r"\[([\w:-]+)\s*([~|^$*]?=)\s*([^\"'\]\s]+)\s*\]", r'[\1\2"\3"]', text)
    trial = re.sub(r"\[@", "[", trial)
    trial = re.sub(r":contains\(", ":-soup-contains(", trial)
    trial = re.sub(r":(?:-soup-)?contains\(([^\"')]+)\)", r':-soup-contains("\1")', trial)
    trial = re.sub(r":eq\((\d+)\)", lambda m: f":nth-of-type({int(m[1]) + 1})", trial)
    trial = re.sub(r":first\b(?!-)", ":nth-of-type(1)", trial)
    trial = re.sub(r":last\b(?!-)", ":nth-last-of-type(1)", trial)
    trial = re.sub(r"#(\d[\w-]*)", r'[id="\1"]', trial)
    trial = re.sub(r"\.(\d[\w-]*)", r'[class~="\1"]', trial)
    trial = re.sub(r"::?(text|attr\([^)]*\)|before|after)\b", "", trial)
    trial = re.sub(r"\s*[>,+~]\s*$|^\s*[>,+~]\s*", "", trial).strip()
    return trial if trial != text and trial and _is_css(trial) else None


def codec(scene: Scene) -> Fix | None:
    """Bytes decoded with a codec written into the program: the parser reads the page's own, or it is put right."""
    if scene.kind != "UnicodeDecodeError":
        return None
    source = scene.source
    for node in (*scene.nodes, *ast.walk(source.tree)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "decode":
            continue
        above = source.parents.get(node)
        if isinstance(above, ast.Call) and "BeautifulSoup" in source.text(above.func):
            code = source.edited([(*source.span(node), source.text(node.func.value))])
            return Fix(
                code,
                f"In line {scene.line} the page is in another codec: the parser finds it out now.",
            )
        name = _codec_of(scene)
        code = source.edited([(*source.span(node), f'{source.text(node.func.value)}.decode("{name}", "replace")')])
        return Fix(code, f"In line {scene.line} the page is not in the codec written there: it is {name}.")
    return None


def _codec_of(scene: Scene) -> str:
    names = [decode(page.body, page.content_type).encoding for page in scene.pages]
    return max(set(names), key=names.count) if names else "utf-8"


def mojibake(scene: Scene) -> Fix | None:
    """Text that was decoded as Latin-1 for want of a charset in the header: the parser gets the bytes."""
    columns = list(scene.findings("mojibake"))
    if not columns:
        return None
    source = scene.source
    edits: list[Edit] = []
    seen = f"{columns[0].column} held {columns[0].got!r}"
    responses = _responses(source)
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.Call):
            continue
        if "BeautifulSoup" in source.text(node.func):
            page = node.args[0] if node.args else None
            if isinstance(page, ast.Attribute) and page.attr == "text":
                end = source.span(page)[1]
                edits.append((end - len("text"), end, "content"))
            edits += [(*_with_comma(source, k), "") for k in node.keywords if k.arg == "from_encoding"]
    if not edits:
        name = _codec_of(scene)
        for assign in responses:
            target = assign.targets[0]
            if isinstance(target, ast.Name):
                end = source.span(assign)[1]
                edits.append((end, end, f'\n{source.indent(assign)}{target.id}.encoding = "{name}"'))
    if not edits:
        return None
    return Fix(source.edited(edits), f"{seen}: the page was decoded with the wrong codec. Its own is used now.")


def _responses(source: Source) -> list[ast.Assign]:
    """Assignments of what a fetch gives."""
    return [
        node
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        and node.value.func.attr in _FETCHES
        and not isinstance(node.value.func.value, ast.Constant)
        and ("requests" in source.text(node.value.func) or "session" in source.text(node.value.func).lower())
    ]


def _with_comma(source: Source, node: ast.keyword) -> tuple[int, int]:
    start, end = source.span(node)
    before = source.code[:start].rstrip()
    return (len(before) - 1 if before.endswith(",") else start), end


MENDS = (unbound, parser, selector, codec, mojibake)
