"""Paging that never ends: pages visited again, or empty ones asked for again and again."""

from __future__ import annotations

import ast
from collections import Counter

from scrapewright.programmers.rules.scene import Fix, Scene, lookup_of
from scrapewright.programmers.rules.source import Edit

_FETCH = ("get", "post", "urlopen", "fetch", "get_soup", "get_page", "fetch_page", "load")


def visited(scene: Scene) -> Fix | None:
    """A loop that comes back to pages it had: it stops at the first one seen before."""
    endless = scene.result.status == "timeout" or any(r.note.startswith("spent:") for r in scene.result.requests)
    if not endless and not list(scene.findings("duplicate-rows")):
        return None
    again = [(url, n) for url, n in Counter(r.url for r in scene.result.requests).most_common(1) if n > 1]
    if not again:
        return None
    source = scene.source
    for loop in [node for node in ast.walk(source.tree) if isinstance(node, ast.While)]:
        for call in ast.walk(loop):
            if not isinstance(call, ast.Call) or source.text(call.func).rpartition(".")[2] not in _FETCH:
                continue
            name = next((arg for arg in call.args if isinstance(arg, ast.Name) and source.assigned(arg.id, loop)), None)
            if name is None:
                continue
            statement = _in_body(loop, source.statement(call), scene)
            seen = source.fresh("visited", "seen_urls")
            indent, inner = source.indent(loop), source.indent(statement)
            check = f"if {name.id} in {seen}:\n{inner}    break\n{inner}{seen}.add({name.id})\n{inner}"
            edits: list[Edit] = [
                (source.span(loop)[0], source.span(loop)[0], f"{seen} = set()\n{indent}"),
                (source.span(statement)[0], source.span(statement)[0], check),
            ]
            url, n = again[0]
            return Fix(
                source.edited(edits),
                f"The program asked for {url} {n} times over: it stops at a page that it has visited.",
            )
    return None


def _in_body(loop: ast.While, statement: ast.stmt, scene: Scene) -> ast.stmt:
    """The statement of the loop's own body that a statement is in."""
    while scene.source.parents[statement] is not loop:
        above = scene.source.parents[statement]
        if not isinstance(above, ast.stmt):
            break
        statement = above
    return statement


def empty_page(scene: Scene) -> Fix | None:
    """A loop that counts pages up beyond the last one: it stops at the first page without records."""
    if scene.result.status != "timeout" or len(scene.result.requests) < 3:
        return None
    source = scene.source
    for loop in [node for node in ast.walk(source.tree) if isinstance(node, ast.While)]:
        inner_loops = [node for node in loop.body if isinstance(node, ast.For)]
        for each in inner_loops:
            lookup = lookup_of(each.iter) or next(
                (lookup_of(a.value) for a in source.assigned(getattr(each.iter, "id", ""), loop) if lookup_of(a.value)),
                None,
            )
            if lookup is None or _stops(loop):
                continue
            bare = [page.url for page, soup in zip(scene.pages, scene.soups, strict=True) if not lookup.run(soup)]
            if not bare:
                continue
            indent = source.indent(each)
            start = source.span(each)[0]
            if isinstance(each.iter, ast.Name):
                name, before = each.iter.id, ""
            else:
                name = source.fresh("records", "found")
                before = f"{name} = {source.text(each.iter)}\n{indent}"
            edits: list[Edit] = [(start, start, f"{before}if not {name}:\n{indent}    break\n{indent}")]
            if before:
                edits.append((*source.span(each.iter), name))
            return Fix(
                source.edited(edits),
                f"The program went on asking after the last page ({bare[0]} has no records): it stops there.",
            )
    return None


def _stops(loop: ast.While) -> bool:
    """The loop already ends where nothing is found."""
    return any(
        isinstance(node, ast.If)
        and isinstance(node.test, ast.UnaryOp)
        and any(isinstance(s, ast.Break) for s in node.body)
        for node in loop.body
    )


MENDS = (visited, empty_page)
