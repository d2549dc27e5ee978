"""Paging that does not end well (pages visited again, empty ones asked for again, pages that are not there), or was
never followed: the program reads one page, and the critics name the next."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from urllib.parse import urljoin

from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene, lookup_of
from scrapewright.programmers.rules.source import FETCHES, Edit, Source, called, spans_lines
from scrapewright.survey.decode import parse
from scrapewright.survey.dom import text_of
from scrapewright.survey.paging import link_selector


def visited(scene: Scene) -> Fix | None:
    """A loop that comes back to pages it had: it stops at the first one seen before."""
    source, requests = scene.source, scene.result.requests
    endless = scene.result.status == "timeout" or any(request.note.startswith("spent:") for request in requests)
    url, times = max(Counter(request.name for request in requests).items(), key=lambda item: item[1], default=("", 0))
    if times < 2 or not (endless or any(scene.findings("duplicate-rows"))):
        return None
    for loop, statement in _looped(source):
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


def empty_page(scene: Scene) -> Fix | None:
    """A loop that counts pages up beyond the last one: it stops at the first page without records."""
    source = scene.source
    if scene.result.status != "timeout" or len(scene.result.requests) < 3:
        return None
    for loop, each in _looped(source):
        if not isinstance(each, ast.For):
            continue
        name = each.iter.id if isinstance(each.iter, ast.Name) else ""
        gone_through = [each.iter, *(assign.value for assign in source.assigned(name, loop))]
        lookup = next((lookup for node in gone_through if (lookup := lookup_of(node)) is not None), None)
        pages = zip(scene.pages, scene.soups, strict=True)
        bare = [page.url for page, soup in pages if not lookup.run(soup)] if lookup is not None else []
        if bare:
            records = name or source.fresh("records", "found")
            made = [] if name else [f"{records} = {source.text(each.iter)}"]
            return scene.fix(
                f"The program went on asking after the last page ({bare[0]} has no records): it stops there.",
                source.before(each, *made, f"if not {records}:", "    break"),
                source.replaced(each.iter, records),
            )
    return None


def _looped(source: Source) -> Iterator[tuple[ast.While, ast.stmt]]:
    """The `while` loops, each with each statement of its own."""
    for loop in ast.walk(source.tree):
        if isinstance(loop, ast.While):
            yield from ((loop, statement) for statement in loop.body)


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


_PARSES = ("BeautifulSoup", "get_soup", "make_soup")


def follow(scene: Scene) -> Fix | None:
    """Puts what reads a page into a loop over the links to the next one, as the page has them."""
    wanted = next((finding.expected for finding in scene.findings("page-not-fetched") if finding.expected), "")
    source = scene.source
    if not wanted or any(isinstance(node, ast.While) for node in ast.walk(source.tree)):
        return None
    selector = _selector(scene, wanted)
    place = _reading(source)
    if not selector or place is None:
        return None
    call, block, soup = place
    if _cannot_be_indented(block):
        return None
    url, seen = source.fresh("page_url", "next_url"), source.fresh("visited", "seen_urls")
    link = source.fresh("following", "next_link")
    bound = f" and len({seen}) < {scene.brief.reading.page_count}" if scene.brief.reading.page_count else ""
    address, lists = call.args[0], [statement for statement in block[1:] if _starts_empty(statement)]
    start, _, head = source.before(
        block[0],
        *(source.code[source.span(one)[0] : source.offset((one.end_lineno or 0) + 1, 0)].rstrip() for one in lists),
        f"{url} = {source.text(address)}",
        f"{seen} = set()",
        f"while {url} and {url} not in {seen}{bound}:",
        f"    {seen}.add({url})",
    )
    onward = source.after(
        block[-1],
        f"    {link} = {soup}.select_one({literal(selector)})",
        f'    {url} = urljoin({url}, {link}["href"]) if {link} else None',
    )
    return scene.fix(
        f"The next page {wanted} was never asked for: the link {selector!r} is followed until there is none.",
        (start, start, f"{head}    "), *_indented(source, block, address, lists), source.replaced(address, url), onward,
        imports=["from urllib.parse import urljoin"],
    )  # fmt: skip


def _indented(source: Source, block: list[ast.stmt], address: ast.expr, without: list[ast.stmt]) -> Iterator[Edit]:
    """Puts the lines behind a block's first one into the loop, but for statements that go before it. The lines of the
    address are replaced as a whole."""
    gone = {line for one in without for line in range(one.lineno, (one.end_lineno or 0) + 1)}
    for line in range(block[0].lineno + 1, (block[-1].end_lineno or 0) + 1):
        start, end = source.offset(line, 0), source.offset(line + 1, 0)
        if line in gone:
            yield start, end, ""
        elif source.code[start:end].strip() and not address.lineno < line <= (address.end_lineno or 0):
            yield start, start, "    "


def _reading(source: Source) -> tuple[ast.Call, list[ast.stmt], str] | None:
    """The fetching call, the statements from it to the last that reads the page, the soup's name."""
    for call in source.calls(*FETCHES):
        statement = source.statement(call)
        body: list[ast.stmt] = getattr(source.parents.get(statement), "body", [])
        if not call.args or not isinstance(statement, ast.Assign) or statement not in body:
            continue
        block = body[body.index(statement) :]
        soups = {name for one in block if (name := _soup(one))}
        while block and not (
            isinstance(block[-1], ast.For) and any(source.calls("append", "writerow", inside=block[-1]))
        ):
            block.pop()
        if block and len(soups) == 1 and not _is_param(source, call.args[0]):
            return call, block, soups.pop()
    return None


def _is_param(source: Source, node: ast.expr) -> bool:
    """An address that the function was given: its caller goes through the pages."""
    function = source.function(node)
    arguments = function.args.args if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) else []
    return any(isinstance(n, ast.Name) and n.id == argument.arg for n in ast.walk(node) for argument in arguments)


def _soup(statement: ast.stmt) -> str:
    """The name that a statement binds to a parsed page."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name), *_]) if called(statement.value) in _PARSES:
            return name
    return ""


def _starts_empty(statement: ast.stmt) -> bool:
    """A list made empty on the way must be made before the loop."""
    value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
    return isinstance(value, ast.List) and not value.elts


def _cannot_be_indented(block: list[ast.stmt]) -> bool:
    """What can't be put into a loop by moving it to the right: texts of several lines, lines of several statements, and
    ways out."""
    nodes = [node for statement in block for node in ast.walk(statement)]
    return (
        len({statement.lineno for statement in block}) < len(block)
        or any(map(spans_lines, nodes))
        or any(isinstance(node, ast.Return | ast.FunctionDef | ast.ClassDef) for node in nodes)
    )


def _selector(scene: Scene, wanted: str) -> str:
    """A selector whose first match on a page is the link wanted; "" where none can be trusted on the pages after it."""
    for document in map(parse, scene.pages):
        links = document.root.iter("a", "link") if document.root is not None else ()
        there = (link for link in links if urljoin(document.base, link.get("href") or "") == wanted)
        if found := next(filter(None, (link_selector(document.root, link, text_of(link)) for link in there)), ""):
            return found
    return ""
