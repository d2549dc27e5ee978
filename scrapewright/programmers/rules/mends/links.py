"""Links as the page has them, where whole addresses are wanted."""

from __future__ import annotations

import ast

from scrapewright.programmers.rules.mends.places import value_of
from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene, quoted
from scrapewright.programmers.rules.source import Edit, called

_IMPORT = "from urllib.parse import urljoin"


def fetched(scene: Scene) -> Fix | None:
    """A relative address handed to requests."""
    if scene.error is None or scene.kind not in ("MissingSchema", "InvalidURL", "InvalidSchema"):
        return None
    source = scene.source
    for frame in reversed(scene.error.frames):
        for node in source.at(frame.line, frame.column, frame.end_line, frame.end_column)[:1]:
            for call in source.calls("get", "post", "head", "request", inside=node):
                if not isinstance(call.func, ast.Attribute) or not call.args:
                    continue
                arg = call.args[1 if called(call) == "request" and len(call.args) > 1 else 0]
                value, text = scene.value(arg), source.text(arg)
                was = f" was {quoted(value)}, which" if isinstance(value, str) else ""
                return scene.fix(
                    f"In line {call.lineno} {text}{was} is no whole address: it is joined to one.",
                    source.replaced(arg, f"urljoin({literal(scene.page_url)}, {text})"),
                    imports=[_IMPORT],
                )
    return None


def written(scene: Scene) -> Fix | None:
    """A column of relative links."""
    source = scene.source
    edits: list[Edit] = []
    message = ""
    for finding in scene.findings("relative-link"):
        for node in value_of(source, finding.column):
            if isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
                text = source.text(node)
                joined = f"urljoin({_base(scene, node)}, {text})"
                edits.append(source.replaced(node, f"({joined} if {text} else None)" if _cheap(node) else joined))
                held = f"{finding.column} held {finding.got!r}, a relative link"
                message = message or f"{held}: it is joined to the page's address."
    return scene.fix(message, *edits, imports=[_IMPORT]) if edits else None


def _cheap(node: ast.expr) -> bool:
    return not isinstance(node, ast.Call) or len(ast.dump(node)) < 200


def _base(scene: Scene, node: ast.expr) -> str:
    """The page's address where the link is read: the response's own, a variable called url, else the start page."""
    inside = list(ast.walk(scene.source.function(node)))
    names = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    names |= {n.arg for n in inside if isinstance(n, ast.arg)}
    for name in ("response", "resp", "res", "r"):
        if name in names:
            return f"{name}.url"
    targets = [
        t for statement in scene.source.tree.body if isinstance(statement, ast.Assign) for t in statement.targets
    ]
    constants = {target.id for target in targets if isinstance(target, ast.Name)}
    wanted = [(name, names) for name in ("page_url", "url", "base_url", "base")]
    wanted += [(name, constants) for name in ("START_URL", "URL", "BASE_URL", "url", "base_url", "BASE")]
    return next((name for name, known in wanted if name in known), literal(scene.page_url))


MENDS = (fetched, written)
