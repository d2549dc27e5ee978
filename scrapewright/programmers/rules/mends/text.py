"""Names, codecs, parsers, selectors and files that are wrong as written."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Callable, Iterator

import soupsieve

from scrapewright.loop.css_selectors import css_selectors
from scrapewright.loop.undefined_names import import_for
from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene
from scrapewright.programmers.rules.source import Edit, Source, called
from scrapewright.survey.decode import decode

_MEANT: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"\[@", "["),
    (r"\[([\w:-]+)\s*([~|^$*]?=)\s*([^\"'\]\s]+)\s*\]", r'[\1\2"\3"]'),
    (r":contains\(", ":-soup-contains("),
    (r":-soup-contains\(([^\"')]+)\)", r':-soup-contains("\1")'),
    (r":eq\((\d+)\)", lambda found: f":nth-of-type({int(found[1]) + 1})"),
    (r":first\b(?!-)", ":nth-of-type(1)"),
    (r":last\b(?!-)", ":nth-last-of-type(1)"),
    (r"#(\d[\w-]*)", r'[id="\1"]'),
    (r"\.(\d[\w-]*)", r'[class~="\1"]'),
    (r"::?(text|attr\([^)]*\)|before|after)\b", ""),
    (r"\s*[>,+~]\s*$|^\s*[>,+~]\s*", ""),
)
"""What is no CSS (XPath's, jQuery's and Scrapy's own, values without quotes), and what it means in bs4's selectors."""


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


def selector(scene: Scene) -> Fix | None:
    """A selector that is no CSS: values are quoted, foreign pseudo-classes put into their own form."""
    if scene.kind not in ("SelectorSyntaxError", "NotImplementedError", "ValueError"):
        return None
    used = [text for _, text in css_selectors(scene.source.tree)]
    right = {text: meant for text in used if not _is_css(text) and (meant := _as_css(text))}
    if not right:
        return None
    text, meant = next(iter(right.items()))
    edits = [scene.source.replaced(node, literal(right[old])) for node, old in scene.source.strings() if old in right]
    return scene.fix(f"The selector {text!r} is no valid CSS: {meant!r} is.", *edits)


def _is_css(text: str) -> bool:
    try:
        soupsieve.compile(text)
    except Exception:
        return False
    return True


def _as_css(text: str) -> str | None:
    """The selector as it was meant, if that is clear."""
    trial = text
    for pattern, meant in _MEANT:
        trial = re.sub(pattern, meant, trial)
    trial = trial.strip()
    return trial if trial != text and trial and _is_css(trial) else None


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
    keywords = [keyword for call in source.calls("BeautifulSoup") for keyword in call.keywords]
    edits = edits or [_without(source, keyword) for keyword in keywords if keyword.arg == "from_encoding"]
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


def _without(source: Source, keyword: ast.keyword) -> Edit:
    """Takes an argument off, with the comma before it."""
    start, end = source.span(keyword)
    before = source.code[:start].rstrip()
    return len(before) - 1 if before.endswith(",") else start, end, ""


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


def named_file(scene: Scene) -> Fix | None:
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
