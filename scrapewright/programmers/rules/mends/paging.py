"""Paging that does not end well: pages visited again, pages that are not there."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from scrapewright.programmers.rules.scene import Fix, Scene
from scrapewright.programmers.rules.source import FETCHES, Source, called, spans_lines


def visited(scene: Scene) -> Fix | None:
    """A loop that comes back to pages it had: it stops at the first one seen before."""
    source, requests = scene.source, scene.result.requests
    endless = scene.result.status == "timeout" or any(request.note.startswith("spent:") for request in requests)
    url, times = max(Counter(request.name for request in requests).items(), key=lambda item: item[1], default=("", 0))
    if times < 2 or not (endless or any(scene.findings("duplicate-rows"))):
        return None
    loops = [node for node in ast.walk(source.tree) if isinstance(node, ast.While)]
    for loop, statement in ((each, statement) for each in loops for statement in each.body):
        fetches = source.calls("post", *FETCHES, inside=statement)
        names = [arg.id for call in fetches for arg in call.args if isinstance(arg, ast.Name)]
        name = next((name for name in names if source.assigned(name, loop)), None)
        if name is not None:
            seen = source.fresh("visited", "seen_urls")
            return scene.fix(
                f"The program asked for {url} {times} times over: it stops at a page that it has visited.",
                source.before(loop, f"{seen} = set()"),
                source.before(statement, f"if {name} in {seen}:", "    break", f"{seen}.add({name})"),
            )
    return None


def dead_page(scene: Scene) -> Fix | None:
    """A later page that is not there, or no JSON as those before it: a loop over pages ends, one over addresses goes on
    with the next of them."""
    requests, source = scene.result.requests, scene.source
    if scene.error is None or len(requests) < 2 or requests[0].status >= 400:
        return None
    no_json = scene.kind == "JSONDecodeError"
    failed = requests[-1].status >= 400
    if not no_json and not (failed and scene.kind in ("HTTPError", "ConnectionError", "ReadTimeout", "URLError")):
        return None
    by_requests = scene.error.type.startswith("requests.") and "requests" in source.names
    raised = "ValueError" if no_json else "requests.RequestException" if by_requests else "OSError"
    for statement in (statement for frame in scene.frames for statement in _simple(source, frame.line)):
        loop = _loop(source, statement)
        if loop is None or (no_json and not _read_before(scene, statement)):
            continue
        counts = isinstance(loop, ast.While) or called(loop.iter) in ("range", "count")
        leave, outcome = ("break", "the paging ends there") if counts else ("continue", "it is passed over")
        indent = source.indent(statement)
        tried = source.text(statement).replace("\n", "\n    ")
        text = f"\n{indent}".join((
            "try:", f"    {tried}", f"except {raised} as error:", '    print(f"No such page: {error}")', f"    {leave}",
        ))  # fmt: skip
        answer = "did not answer with JSON" if no_json else f"answered {requests[-1].status}"
        return scene.fix(
            f"{requests[-1].url} {answer}: {outcome}, and the rows of the other pages are kept.",
            source.replaced(statement, text),
        )
    return None


def _simple(source: Source, line: int) -> Iterator[ast.stmt]:
    """The statement of a line that can be put below a `try`: a plain one without texts of several lines."""
    for node in ast.walk(source.tree):
        match node:
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Expr():
                here = node.lineno <= line <= (node.end_lineno or node.lineno)
                if here and not any(map(spans_lines, ast.walk(node))):
                    yield node


def _loop(source: Source, statement: ast.stmt) -> ast.While | ast.For | None:
    """The loop around the statement in its own function, unless that is there to try one page again."""
    for above in source.up(statement):
        if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef):
            return None
        if isinstance(above, ast.While | ast.For):
            return None if any(isinstance(node, ast.Return) for node in ast.walk(above)) else above
    return None


def _read_before(scene: Scene, statement: ast.stmt) -> bool:
    """Whether the statement went well before: without that the whole endpoint is no JSON, and no row can come of it."""
    lines = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
    return any(step.line in lines and step.kind == "set" for step in scene.steps)
