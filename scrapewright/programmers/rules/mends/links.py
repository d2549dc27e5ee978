"""Links as the page has them, where whole addresses are wanted."""

from __future__ import annotations

import ast

from scrapewright.programmers.rules.mends.places import value_of
from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene, quoted
from scrapewright.programmers.rules.source import Edit

_IMPORT = "from urllib.parse import urljoin"


def fetched(scene: Scene) -> Fix | None:
    """A relative address handed to requests."""
    if scene.kind not in ("MissingSchema", "InvalidURL", "InvalidSchema"):
        return None
    source = scene.source
    for frame in reversed(scene.error.frames if scene.error is not None else ()):
        for node in source.at(frame.line, frame.column, frame.end_line, frame.end_column)[:1]:
            calls = [n for n in ast.walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
            for call in calls:
                assert isinstance(call.func, ast.Attribute)
                if call.func.attr in ("get", "post", "head", "request") and call.args:
                    arg = call.args[1 if call.func.attr == "request" and len(call.args) > 1 else 0]
                    base = literal(scene.page_url)
                    code = source.edited([(*source.span(arg), f"urljoin({base}, {source.text(arg)})")], [_IMPORT])
                    value = scene.value(arg)
                    was = f" was {quoted(value)}, which" if isinstance(value, str) else ""
                    return Fix(
                        code,
                        f"In line {call.lineno} {source.text(arg)}{was} is no whole address: it is joined to one.",
                    )
    return None


def written(scene: Scene) -> Fix | None:
    """A column of relative links."""
    source = scene.source
    edits: list[Edit] = []
    message = ""
    for finding in scene.findings("relative-link"):
        for node in value_of(source, finding.column):
            base = _base(scene, node)
            if isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
                text = source.text(node)
                edits.append(
                    (
                        *source.span(node),
                        f"(urljoin({base}, {text}) if {text} else None)"
                        if _cheap(node)
                        else f"urljoin({base}, {text})",
                    )
                )
                message = (
                    message
                    or f"{finding.column} held {finding.got!r}, a relative link: it is joined to the page's address."
                )
    return Fix(source.edited(edits, [_IMPORT]), message) if edits else None


def _cheap(node: ast.expr) -> bool:
    return not isinstance(node, ast.Call) or len(ast.dump(node)) < 200


def _base(scene: Scene, node: ast.expr) -> str:
    """The page's address where the link is read: the response's own, a variable called url, else the start page."""
    function = scene.source.function(node)
    names = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    names |= {a.arg for n in ast.walk(function) if isinstance(n, ast.arguments) for a in n.args}
    for name in ("response", "resp", "res", "r"):
        if name in names:
            return f"{name}.url"
    for name in ("page_url", "url", "base_url", "base"):
        if name in names:
            return name
    assigned = [node for node in scene.source.tree.body if isinstance(node, ast.Assign)]
    module = {target.id for node in assigned for target in node.targets if isinstance(target, ast.Name)}
    for name in ("START_URL", "URL", "BASE_URL", "url", "base_url", "BASE"):
        if name in module:
            return name
    return literal(scene.page_url)


MENDS = (fetched, written)
