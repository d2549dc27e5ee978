"""Files that can't be written where the program wants them, or not in the codec it writes in."""

from __future__ import annotations

import ast
import re

from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene
from scrapewright.programmers.rules.source import Edit

_UNWRITABLE = (
    "FileNotFoundError",
    "PermissionError",
    "OSError",
    "IsADirectoryError",
    "NotADirectoryError",
    "FileExistsError",
)


def place(scene: Scene) -> Fix | None:
    """A path outside the working directory: the file is written there, under the name asked for."""
    if scene.kind not in _UNWRITABLE:
        return None
    source, name = scene.source, scene.brief.reading.output_name
    edits: list[Edit] = []
    shown = ""
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        value = node.value
        file_like = re.search(r"[\\/][^\\/]*\.(csv|json|jsonl|ndjson|tsv|txt)$", value)
        if file_like and "://" not in value:
            edits.append((*source.span(node), literal(name)))
            shown = shown or value
    if not edits:
        return _wrapped(scene)
    return Fix(
        source.edited(edits),
        f"{shown!r} can't be written ({scene.kind}): the rows go to {name} in the working directory.",
    )


def _wrapped(scene: Scene) -> Fix | None:
    """The path is put together at run time: the name asked for replaces it."""
    source, name = scene.source, scene.brief.reading.output_name
    for node in scene.nodes:
        for call in (node, *source.up(node)):
            if not isinstance(call, ast.Call) or not call.args:
                continue
            function = source.text(call.func).rpartition(".")[2]
            if function in ("open", "to_csv", "to_json"):
                path = call.args[0]
                written = function != "open" or any(
                    isinstance(a, ast.Constant) and str(a.value)[:1] in "wax" for a in call.args[1:]
                )
                if written and source.text(path) != literal(name):
                    code = source.edited([(*source.span(path), literal(name))])
                    return Fix(
                        code, f"In line {scene.line} the path can't be written ({scene.kind}): the rows go to {name}."
                    )
            if function in ("makedirs", "mkdir"):
                statement = source.statement(call)
                code = source.edited([(*source.span(statement), "pass")])
                return Fix(
                    code,
                    f"In line {scene.line} no folder can be made ({scene.kind}): the rows go to the working directory.",
                )
    return None


def writing_codec(scene: Scene) -> Fix | None:
    """A file opened without a codec, or in one that lacks a letter of the rows: UTF-8."""
    spoilt = any("UTF-8" in finding.message for finding in scene.findings("unreadable-file"))
    if scene.kind != "UnicodeEncodeError" and not spoilt:
        return None
    source = scene.source
    edits: list[Edit] = []
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.Call):
            continue
        function = source.text(node.func).rpartition(".")[2]
        binary = any(
            isinstance(a, ast.Constant) and isinstance(a.value, str) and "b" in a.value and len(a.value) < 4
            for a in node.args[1:]
        )
        if function not in ("open", "to_csv", "write_text") or binary or not node.args:
            continue
        given = [keyword for keyword in node.keywords if keyword.arg == "encoding"]
        if given:
            edits += [
                (*source.span(keyword.value), '"utf-8"') for keyword in given if source.text(keyword.value) != '"utf-8"'
            ]
        else:
            end = source.span(node)[1] - 1
            gap = "" if source.code[:end].rstrip().endswith(",") else ", "
            edits.append((end, end, f'{gap}encoding="utf-8"'))
    if not edits:
        return None
    letter = re.search(r"character '(\S+?)'", scene.message)
    which = f" such as {letter[1]}" if letter else ""
    return Fix(
        source.edited(edits), f"The file was written in a codec that lacks letters of the rows{which}: it is UTF-8 now."
    )


def named(scene: Scene) -> Fix | None:
    """The rows were written, but under another name than the one asked for."""
    name = scene.brief.reading.output_name
    if not any(finding.expected == name for finding in scene.findings("no-file", "wrong-format")):
        return None
    source = scene.source
    left = [artifact.name for artifact in scene.result.artifacts]
    suffix = name[name.rfind(".") :]
    for node in ast.walk(source.tree):
        value = node.value if isinstance(node, ast.Constant) else None
        if not isinstance(value, str) or value == name or not value.endswith(suffix) or "://" in value or " " in value:
            continue
        if value in left or not left:
            code = source.edited([(*source.span(node), literal(name))])
            return Fix(code, f"The rows were written to {value}: they go to {name} now.")
    return None


MENDS = (place, writing_codec, named)
