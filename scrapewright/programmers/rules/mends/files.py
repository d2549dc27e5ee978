"""Files that can't be written where the program wants them, under the name asked for, or in the codec it writes in."""

from __future__ import annotations

import ast
import re

from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene
from scrapewright.programmers.rules.source import Edit, called

_UNWRITABLE = (
    "FileNotFoundError", "PermissionError", "OSError", "IsADirectoryError", "NotADirectoryError", "FileExistsError",
)  # fmt: skip
_FOLDERS = ("makedirs", "mkdir")


def place(scene: Scene) -> Fix | None:
    """A path outside the working directory: the file is written there, under the name asked for."""
    source, name = scene.source, scene.brief.reading.output_name
    for call in scene.calls("open", "to_csv", "to_json", *_FOLDERS) if scene.kind in _UNWRITABLE else ():
        if called(call) in _FOLDERS:
            why = f"no folder can be made ({scene.kind}): the rows go to the working directory."
            return scene.fix_here(why, source.replaced(source.statement(call), "pass"))
        modes = [str(arg.value)[:1] for arg in call.args[1:] if isinstance(arg, ast.Constant)]
        if not call.args or (called(call) == "open" and not any(mode in "wax" for mode in modes)):
            continue
        path = call.args[0]
        bound = source.assigned(path.id, source.tree) if isinstance(path, ast.Name) else []
        path = bound[0].value if bound else path
        if source.text(path) != literal(name):
            why = (
                f"{source.text(path)} can't be written ({scene.kind}): the rows go to {name} in the working directory."
            )
            return scene.fix_here(why, source.replaced(path, literal(name)))
    return None


def writing_codec(scene: Scene) -> Fix | None:
    """A file opened without a codec, or in one that lacks a letter of the rows: UTF-8."""
    spoilt = any("UTF-8" in finding.message for finding in scene.findings("unreadable-file"))
    if scene.kind != "UnicodeEncodeError" and not spoilt:
        return None
    source = scene.source
    edits: list[Edit] = []
    for call in source.calls("open", "to_csv", "write_text"):
        modes = [arg.value for arg in call.args[1:] if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        if not call.args or any("b" in mode and len(mode) < 4 for mode in modes):
            continue
        given = [keyword.value for keyword in call.keywords if keyword.arg == "encoding"]
        edits += [source.replaced(codec, '"utf-8"') for codec in given if source.text(codec) != '"utf-8"']
        if not given:
            edits.append(source.appended(call, 'encoding="utf-8"'))
    letter = re.search(r"character '(\S+?)'", scene.message)
    which = f" such as {letter[1]}" if letter else ""
    why = f"The file was written in a codec that lacks letters of the rows{which}: it is UTF-8 now."
    return scene.fix(why, *edits) if edits else None


def named(scene: Scene) -> Fix | None:
    """The rows were written, but under another name than the one asked for."""
    name = scene.brief.reading.output_name
    if not any(finding.expected == name for finding in scene.findings("no-file", "wrong-format")):
        return None
    left = [artifact.name for artifact in scene.result.artifacts]
    for node, other in scene.source.strings():
        like = other != name and other.endswith(name[name.rfind(".") :]) and not re.search(r"://| ", other)
        if like and (other in left or not left):
            why = f"The rows were written to {other}: they go to {name} now."
            return scene.fix(why, scene.source.replaced(node, literal(name)))
    return None


MENDS = (place, writing_codec, named)
