"""Answers that are no plain JSON: a byte order mark, a callback around it, a page of HTML, nothing at all."""

from __future__ import annotations

import ast
import re

from scrapewright.programmers.rules.scene import Fix, Scene, quoted
from scrapewright.programmers.rules.source import Source

_RESPONSE = re.compile(r"<Response \d+ '([^']+)'")
_CALLBACK = re.compile(r"\s*(?:/\*.*?\*/\s*)?[\w$.]+\s*\(\s*[\[{]", re.S)
_ASSIGNED = re.compile(r"\s*(?:var|let|const|window\.)?\s*[\w$.]+\s*=\s*([\[{])")


def undecodable(scene: Scene) -> Fix | None:
    """`json()` or `json.loads` of something else. Needs the text seen, or the response whose answer is taped."""
    if scene.kind != "JSONDecodeError":
        return None
    source = scene.source
    for call in (node for node in scene.nodes if isinstance(node, ast.Call)):
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("json", "loads"):
            continue
        loads = call.func.attr == "loads"
        held = call.args[0] if loads and call.args else call.func.value
        seen = _text_of(scene, held) if loads else _answer(scene, held)
        if seen is None:
            continue
        text = source.text(held) if loads else f"{source.text(held)}.text"
        return _unwrapped(scene, call, text, seen) or _passed_over(scene, call, text, seen)
    return None


def _text_of(scene: Scene, node: ast.expr) -> str | None:
    """The text handed to json.loads: as the trace has it, or the answer of the response it was read from."""
    texts = scene.texts(node)
    if texts:
        return texts[0]
    if isinstance(node, ast.Attribute) and node.attr in ("text", "content"):
        return _answer(scene, node.value)
    return None


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
        new, why = f'json.loads({text}.lstrip("\\ufeff"))', "begins with a byte order mark, which is taken off"
    elif _CALLBACK.match(seen):
        new = f'json.loads({text}.partition("(")[2].rpartition(")")[0])'
        why = "is a call around JSON (JSONP): what is in its brackets is read"
    elif found := _ASSIGNED.match(seen):
        close = {"[": "]", "{": "}"}[found[1]]
        new = f'json.loads({text}[{text}.index("{found[1]}") : {text}.rindex("{close}") + 1])'
        why = "assigns JSON to a variable: what is assigned is read"
    else:
        return None
    code = scene.source.edited([(*scene.source.span(call), new)], ["import json"])
    return Fix(code, f"In line {call.lineno} the answer {quoted(seen)} {why}.")


def _passed_over(scene: Scene, call: ast.Call, text: str, seen: str) -> Fix | None:
    """An answer with nothing to read, after others that had something: it is passed over, or ends the paging."""
    kind = "is empty" if not seen.strip() else "is HTML" if seen.lstrip()[:1] == "<" else ""
    source = scene.source
    statement = source.statement(call)
    loop = next((above for above in source.up(statement) if isinstance(above, ast.For | ast.While)), None)
    if not kind or loop is None or statement not in loop.body or not _read_before(scene, source, statement):
        return None
    indent, start = source.indent(statement), source.span(statement)[0]
    ends = isinstance(loop, ast.While) or counts(loop)
    leave = "break" if ends else "continue"
    check = f'if {text}.lstrip()[:1] not in ("[", "{{"):\n{indent}    {leave}\n{indent}'
    outcome = "the loop ends there" if ends else "it is passed over"
    return Fix(
        source.edited([(start, start, check)]),
        f"In line {call.lineno} the answer {quoted(seen)} {kind}, not JSON: {outcome}.",
    )


def _read_before(scene: Scene, source: Source, statement: ast.stmt) -> bool:
    """Whether the statement went well before: without that the whole endpoint is no JSON, and no row can come of it."""
    lines = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
    done = [step for step in scene.result.steps if step.line in lines and step.kind == "set"]
    return bool(done) and "steps" not in scene.brief.blank and bool(source.code)


def counts(loop: ast.For | ast.While) -> bool:
    """A loop over numbers goes on past the last page; one over a list of addresses does not."""
    if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Call):
        return False
    func = loop.iter.func
    return (isinstance(func, ast.Name) and func.id == "range") or (
        isinstance(func, ast.Attribute) and func.attr == "count"
    )


MENDS = (undecodable,)
