"""Paging that does not end well: pages visited again, empty ones asked for again and again, a dead link to the next."""

from __future__ import annotations

import ast
from collections import Counter

from scrapewright.programmers.rules.mends.answers import counts
from scrapewright.programmers.rules.scene import Fix, Scene, lookup_of
from scrapewright.programmers.rules.source import Edit, Source
from scrapewright.session.result import PROGRAM_NAME

_FETCH = ("get", "post", "urlopen", "fetch", "get_soup", "get_page", "fetch_page", "load")


def visited(scene: Scene) -> Fix | None:
    """A loop that comes back to pages it had: it stops at the first one seen before."""
    endless = scene.result.status == "timeout" or any(r.note.startswith("spent:") for r in scene.result.requests)
    if not endless and not list(scene.findings("duplicate-rows")):
        return None
    again = [(url, n) for url, n in Counter(r.name for r in scene.result.requests).most_common(1) if n > 1]
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


def dead_page(scene: Scene) -> Fix | None:
    """A later page that is not there: a loop over pages ends, one over addresses goes on with the next of them."""
    requests, source = scene.result.requests, scene.source
    if scene.error is None or len(requests) < 2 or requests[0].status >= 400 or requests[-1].status < 400:
        return None
    if scene.kind not in ("HTTPError", "ConnectionError", "ReadTimeout", "URLError"):
        return None
    frames = [frame for frame in scene.error.frames if frame.file == PROGRAM_NAME]
    for frame in reversed(frames):
        found = next(((s, loop) for s in _simple(source, frame.line) if (loop := _loop(source, s)) is not None), None)
        if found is None:
            continue
        statement, loop = found
        leave = "break" if isinstance(loop, ast.While) or counts(loop) else "continue"
        indent = source.indent(statement)
        kind = (
            "requests.RequestException"
            if scene.error.type.startswith("requests.") and source.imports("requests")
            else "OSError"
        )
        inner = source.text(statement).replace("\n", "\n    ")
        text = f"\n{indent}".join((
            "try:", f"    {inner}", f"except {kind} as error:", '    print(f"No such page: {error}")', f"    {leave}",
        ))  # fmt: skip
        last = requests[-1]
        outcome = "the paging ends there" if leave == "break" else "it is passed over"
        return Fix(
            source.edited([(*source.span(statement), text)]),
            f"{last.url} answered {last.status}: {outcome}, and the rows of the other pages are kept.",
        )
    return None


def _simple(source: Source, line: int) -> list[ast.stmt]:
    """The statement of a line that can be put below a `try`: a plain one without texts of several lines."""
    return [
        node
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr)
        and node.lineno <= line <= (node.end_lineno or node.lineno)
        and not any(
            isinstance(one, ast.Constant | ast.JoinedStr) and (one.end_lineno or one.lineno) > one.lineno
            for one in ast.walk(node)
        )
    ]


def _loop(source: Source, statement: ast.stmt) -> ast.While | ast.For | None:
    """The loop around the statement in its own function, unless that is there to try one page again."""
    for above in source.up(statement):
        if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef):
            return None
        if isinstance(above, ast.While | ast.For):
            returns = any(isinstance(node, ast.Return) for node in ast.walk(above))
            return None if returns else above
    return None


MENDS = (visited, empty_page, dead_page)
