"""Links as the page has them, where whole addresses are wanted."""

from __future__ import annotations

import ast

from scrapewright.programmers.rules.mends.places import value_of
from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene, quoted
from scrapewright.programmers.rules.source import Edit, called

_IMPORT = "from urllib.parse import urljoin"
_RESPONSES = ("response", "resp", "res", "r")
_ADDRESSES = ("page_url", "url", "base_url", "base", "START_URL", "URL", "BASE_URL", "BASE")


def fetched(scene: Scene) -> Fix | None:
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


def written(scene: Scene) -> Fix | None:
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


MENDS = (fetched, written)
