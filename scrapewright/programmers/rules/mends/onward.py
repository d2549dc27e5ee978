"""Paging that was never followed: the program reads one page, and the critics name the next."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from urllib.parse import urljoin

from scrapewright.programmers.rules.mends.places import FETCHES
from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene
from scrapewright.programmers.rules.source import Edit, Source, called, spans_lines
from scrapewright.survey.decode import parse
from scrapewright.survey.dom import text_of
from scrapewright.survey.pagelinks import link_selector

_PARSES = ("BeautifulSoup", "get_soup", "make_soup")


def follow(scene: Scene) -> Fix | None:
    """Puts what reads a page into a loop over the links to the next one, as the page has them."""
    wanted = next((finding.expected for finding in scene.findings("page-not-fetched") if finding.expected), "")
    source = scene.source
    if not wanted or any(isinstance(node, ast.While) for node in ast.walk(source.tree)):
        return None
    selector = _selector(scene, wanted)
    place = _place(source)
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


def _place(source: Source) -> tuple[ast.Call, list[ast.stmt], str] | None:
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


MENDS = (follow,)
