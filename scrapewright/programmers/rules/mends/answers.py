"""Answers that are no plain JSON: a byte order mark, a callback around it, a page of HTML, nothing at all."""

from __future__ import annotations

import ast
import re

from scrapewright.programmers.rules.mends.places import way_out
from scrapewright.programmers.rules.scene import Fix, Scene, quoted
from scrapewright.programmers.rules.source import called

_RESPONSE = re.compile(r"<Response \d+ '([^']+)'")
_CALLBACK = re.compile(r"\s*(?:/\*.*?\*/\s*)?[\w$.]+\s*\(\s*[\[{]", re.S)
_ASSIGNED = re.compile(r"\s*(?:var|let|const|window\.)?\s*[\w$.]+\s*=\s*([\[{])")


def undecodable(scene: Scene) -> Fix | None:
    """`json()` or `json.loads` of something else. Needs the text seen, or the response whose answer is taped."""
    for call in scene.nodes if scene.kind == "JSONDecodeError" else ():
        match call:
            case ast.Call(args=[held, *_]) if called(call) == "loads":
                text, seen = scene.source.text(held), _text_of(scene, held)
            case ast.Call(func=ast.Attribute(value=held, attr="json")):
                text, seen = f"{scene.source.text(held)}.text", _answer(scene, held)
            case _:
                continue
        if seen is not None:
            return _unwrapped(scene, call, text, seen) or _passed_over(scene, call, text, seen)
    return None


def _text_of(scene: Scene, node: ast.expr) -> str | None:
    """The text handed to json.loads: as the trace has it, or the answer of the response it was read from."""
    texts = scene.texts(node)
    if texts:
        return texts[0]
    return _answer(scene, node.value) if isinstance(node, ast.Attribute) and node.attr in ("text", "content") else None


def _answer(scene: Scene, node: ast.expr) -> str | None:
    """The taped answer of the response that the trace shows under a name."""
    for described in scene.seen(node.id) if isinstance(node, ast.Name) else []:
        found = _RESPONSE.match(described)
        page = scene.brief.pages.get(found[1]) if found else None
        if page is not None:
            return page.body.decode("utf-8", "replace")
    return None


def _unwrapped(scene: Scene, call: ast.Call, text: str, seen: str) -> Fix | None:
    """JSON inside something thin: the mark, the call or the assignment around it is taken off."""
    if seen.startswith("\ufeff"):
        new, why = f'{text}.lstrip("\\ufeff")', "begins with a byte order mark, which is taken off"
    elif _CALLBACK.match(seen):
        new = f'{text}.partition("(")[2].rpartition(")")[0]'
        why = "is a call around JSON (JSONP): what is in its brackets is read"
    elif found := _ASSIGNED.match(seen):
        close = {"[": "]", "{": "}"}[found[1]]
        new = f'{text}[{text}.index("{found[1]}") : {text}.rindex("{close}") + 1]'
        why = "assigns JSON to a variable: what is assigned is read"
    else:
        return None
    edit = scene.source.replaced(call, f"json.loads({new})")
    return scene.fix(f"In line {call.lineno} the answer {quoted(seen)} {why}.", edit, imports=["import json"])


def _passed_over(scene: Scene, call: ast.Call, text: str, seen: str) -> Fix | None:
    """An answer with nothing to read, after others that had something: it is passed over, or ends the paging."""
    kind = "is empty" if not seen.strip() else "is HTML" if seen.lstrip()[:1] == "<" else ""
    source = scene.source
    statement = source.statement(call)
    loop = next((above for above in source.up(statement) if isinstance(above, ast.For | ast.While)), None)
    if not kind or loop is None or statement not in loop.body or not _read_before(scene, statement):
        return None
    leave = way_out(loop)
    outcome = "the loop ends there" if leave == "break" else "it is passed over"
    return scene.fix(
        f"In line {call.lineno} the answer {quoted(seen)} {kind}, not JSON: {outcome}.",
        source.before(statement, f'if {text}.lstrip()[:1] not in ("[", "{{"):', f"    {leave}"),
    )


def _read_before(scene: Scene, statement: ast.stmt) -> bool:
    """Whether the statement went well before: without that the whole endpoint is no JSON, and no row can come of it."""
    lines = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
    return any(step.line in lines and step.kind == "set" for step in scene.steps)


MENDS = (undecodable,)
