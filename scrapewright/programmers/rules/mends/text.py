"""Names, codecs, parsers and files that are wrong as written."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator

from scrapewright.loop.undefined_names import import_for
from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene
from scrapewright.programmers.rules.source import Edit, Source, called
from scrapewright.survey.decode import decode


def unbound(scene: Scene) -> Fix | None:
    """A name that nothing binds: its import is added, or the name it was meant to be is taken."""
    found = re.search(r"name '(\w+)' is not defined", scene.message)
    if scene.kind not in ("NameError", "UnboundLocalError") or not found:
        return None
    source, name = scene.source, found[1]
    statement = import_for(name, source.tree)
    if statement is not None:
        return scene.fix_here(f"{name} was not imported: `{statement}` is added.", imports=[statement])
    used, bound = [], set()
    for node in ast.walk(source.tree):
        match node:
            case ast.Name(ctx=ast.Load()) if node.id == name:
                used.append(node)
            case ast.Name(id=other, ctx=ast.Store()) | ast.arg(arg=other):
                bound.add(other)
            case ast.FunctionDef(name=other) | ast.ClassDef(name=other) | ast.alias(name=other, asname=None):
                bound.add(other)
    near = difflib.get_close_matches(name, bound, 1, 0.75)
    if not near or not used:
        return None
    edits = [source.replaced(node, near[0]) for node in used]
    return scene.fix_here(f"{name} was never bound: {near[0]} is meant.", *edits)


def parser(scene: Scene) -> Fix | None:
    """A parser that is not installed."""
    lost = re.search(r"requested: ([\w.-]*\w)", scene.message) if scene.kind == "FeatureNotFound" else None
    which = lost[1] if lost is not None else ""
    edits = [scene.source.replaced(node, '"lxml"') for node, text in scene.source.strings() if which and text == which]
    return scene.fix(f"The parser {which} is not there: lxml is used instead.", *edits) if edits else None


def codec(scene: Scene) -> Fix | None:
    """Text decoded by what the header says, or by a codec written into the program, that is in another one: the parser
    gets the bytes, and finds the page's own; where the program has no parser, it is written there."""
    finding = next(scene.findings("mojibake"), None)
    if scene.kind != "UnicodeDecodeError" and finding is None:
        return None
    source, name = scene.source, _codec_of(scene)
    edits: list[Edit] = []
    for call in source.calls("decode", "BeautifulSoup"):
        match call:
            case ast.Call(func=ast.Attribute(value=content, attr="decode")):
                parsed = called(source.parents.get(call)) == "BeautifulSoup"
                decoded = "" if parsed else f'.decode("{name}", "replace")'
                edits.append(source.replaced(call, source.text(content) + decoded))
            case ast.Call(args=[ast.Attribute(value=response, attr="text") as text, *_]):
                edits.append(source.replaced(text, f"{source.text(response)}.content"))
    edits = edits or [source.after(assign, f'{bound}.encoding = "{name}"') for bound, assign in _responses(source)]
    held = f"{finding.column} held {finding.got!r}: t" if finding is not None else "T"
    why = f"{held}he page was decoded with the wrong codec. Its own is used now."
    return scene.fix(why, *edits) if edits else None


def _codec_of(scene: Scene) -> str:
    names = [decode(page.body, page.content_type).encoding for page in scene.pages]
    return max(set(names), key=names.count) if names else "utf-8"


def _responses(source: Source) -> Iterator[tuple[str, ast.Assign]]:
    """The names that what requests gives is bound to, with the assignment."""
    for node in ast.walk(source.tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(attr=method) as func)):
                by_requests = re.search("requests|session", source.text(func), re.I)
                if by_requests and method in ("get", "post", "request"):
                    yield name, node


_UNWRITABLE = (
    "FileNotFoundError", "PermissionError", "OSError", "IsADirectoryError", "NotADirectoryError", "FileExistsError",
)  # fmt: skip
_FOLDERS = ("makedirs", "mkdir")


def writable(scene: Scene) -> Fix | None:
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
