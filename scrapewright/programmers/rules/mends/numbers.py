"""Numbers and prices: a text unlike those that the conversion was written for."""

from __future__ import annotations

import ast
import re

from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene, plain, quoted
from scrapewright.programmers.rules.source import Source
from scrapewright.survey.numerals import family, numerals

_CLEANERS = frozenset(
    {"strip", "lstrip", "rstrip", "replace", "removeprefix", "removesuffix", "translate", "lower", "upper"}
)
_SEARCHES = ("search", "match", "fullmatch", "findall")
_HELPER = r'''
def {name}(text):
    """The first number in a text such as {sample}, None where there is none."""
    text = (text or "").replace("\u2212", "-")
    found = r"\d{{1,3}}(?:[ \xa0\u2009\u202f'’]\d{{3}})+(?!\d)(?:[.,]\d+)?|\d[\d.,]*"
    match = re.search(rf"(?:(?<![\w.,)])-)?(?:{{found}})", text)
    if match is None:
        return None
    digits = re.sub(r"[^\d.,-]", "", match[0]).rstrip(".,")
    if digits.rfind(",") > digits.rfind(".") and not re.fullmatch(r"-?\d{{1,3}}(,\d{{3}})+", digits):
        digits = digits.replace(".", "").replace(",", ".")  # a decimal comma
    elif digits.count(".") > 1{dots}:
        digits = digits.replace(".", "")
    return {kind}(digits.replace(",", ""))
'''
_SCALED = r"""    number = float(digits.replace(",", ""))
    scale = re.match(r"[ \xa0-]?({words})", text[match.end() :])
    return {made}(number * {table}[scale[1]] if scale else number)
"""
_MOST = 200_000
"""Characters of a page that are looked through for scaling words."""
_DOTS = ' or re.fullmatch(r"-?[1-9]\\d{0,2}\\.\\d{3}", digits)'


def widen(scene: Scene) -> Fix | None:
    """`float` or `int` of a text that is no such number: reads the number wherever it is, or gives None.

    Needs the value that was seen: what the message quotes is only what was left of it.
    """
    if scene.kind not in ("ValueError", "TypeError", "InvalidOperation", "AttributeError", "IndexError"):
        return None
    for node in scene.nodes:
        call = _conversion(scene.source, node)
        if call is None:
            continue
        base = raw(call.args[0], scene.kind == "IndexError")
        whole = raw(call.args[0], True)
        if whole is not base and _first(scene.value(whole)) == _first(scene.value(base)) is not None:
            base = whole  # the piece that was split off is where the text's first number is anyway
        if scene.kind in ("TypeError", "AttributeError", "IndexError") and not _searched(call.args[0]):
            return None
        texts = scene.texts(base)
        if not texts and not isinstance(base, ast.Name | ast.Constant):
            base, texts = call.args[0], _quoted_text(scene)  # no name ever held it: what is taken off it still is
        if not texts:
            return None
        return _widened(scene, call, base, texts)
    return None


def _quoted_text(scene: Scene) -> list[str]:
    """The text that float or int says it could not read."""
    found = re.fullmatch(r"(?:could not convert string to float|invalid literal for int\(\) .*?): (.+)", scene.message)
    value = plain(found[1]) if found else None
    return [value] if isinstance(value, str) else []


def _widened(scene: Scene, call: ast.Call, base: ast.expr, texts: list[str]) -> Fix:
    source, seen = scene.source, texts[0]
    whole = isinstance(call.func, ast.Name) and call.func.id == "int"
    name, helper = helper_for(scene, seen, whole, scene.line)
    edits = [(*source.span(call), f"{name}({source.text(base)})")]
    code = source.edited(edits, ["import re"], helper, scene.line)
    others = f" after values such as {quoted(texts[-1])}" if len(texts) > 1 else ""
    outcome = (
        "reads the number wherever it is" if any(c.isdigit() for c in seen) else "gives None where there is no number"
    )
    what = f"{source.text(base)} was {quoted(seen)}{others}, which {_name(call)}() can't read"
    return Fix(code, f"In line {scene.line} {what}: it now {outcome}.")


def scales_on(scene: Scene) -> frozenset[str]:
    """Words such as "million" behind numbers of the taped pages: the next value may have one."""
    texts = [soup.get_text(" ")[:_MOST] for soup in scene.soups[:3]]
    return frozenset(n.word for text in texts for n in numerals(text) if len(n.word) > 1 and n.sure)


def helper_for(scene: Scene, sample: str, whole: bool, before: int) -> tuple[str, str]:
    """(name, text) of a function that reads numbers, for line `before`; see Source.helper."""
    scales = scales_on(scene)
    wanted = "whole_number_in" if whole else "number_in"
    return scene.source.helper(wanted, lambda name: helper_text(name, sample, whole, scales), before)


def helper_text(name: str, sample: str, whole: bool, scales: frozenset[str] = frozenset()) -> str:
    """A function that reads numbers as people write them. `whole`: figures in threes are always thousands."""
    kind = "int" if whole else "float"
    continental = whole or bool(re.search(r"\d[.]\d{3}(,|\s*(€|EUR|kr|zł|Kč|Ft))", sample))
    text = _HELPER.format(
        name=name, sample=quoted(" ".join(sample.split()), 40), dots=_DOTS if continental else "", kind=kind
    )
    words = family(scales | {one.word for one in numerals(sample) if one.word and one.sure})
    if words:
        listed = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
        end = r"\b" if listed.isascii() else ""
        table = "{" + ", ".join(f"{literal(word)}: {int(size):_}" for word, size in words.items()) + "}"
        made = "round" if whole else ""
        head = text[: text.index("    return " + kind + "(digits")]
        return head + _SCALED.format(words=listed, table=table, made=made).replace(f"({listed})", f"({listed}){end}")
    if whole:
        text = text.replace('return int(digits.replace(",", ""))', 'return int(float(digits.replace(",", "")))')
    return text


def _first(text: object) -> str | None:
    """The first figures of a text."""
    found = re.search(r"\d[\d.,]*", text) if isinstance(text, str) else None
    return found[0] if found else None


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else "Decimal"


def _conversion(source: Source, node: ast.AST) -> ast.Call | None:
    """The call of float, int or Decimal that a node is or is part of."""
    for candidate in (node, *source.up(node)):
        if isinstance(candidate, ast.Call) and isinstance(candidate.func, ast.Name) and len(candidate.args) == 1:
            converts = candidate.func.id in ("float", "int", "Decimal")
            if converts:
                return candidate
        if isinstance(candidate, ast.stmt):
            return None
    return None


def raw(node: ast.expr, pieces: bool = False) -> ast.expr:
    """The text that a conversion starts from: cleaning steps and searches for figures are taken off.

    `pieces`: a later piece of a split text is taken off too (it was the one that is missing).
    """
    while (inner := _inner(node, pieces)) is not None:
        node = inner
    return node


def _inner(node: ast.expr, pieces: bool) -> ast.expr | None:
    """What a cleaning step is made on, None where the node is no such step."""
    if isinstance(node, ast.Subscript):
        index = node.slice.value if isinstance(node.slice, ast.Constant) else None
        first_word = _method(node.value) in ("split", "partition") and (pieces or index == 0)
        matched = isinstance(node.value, ast.Call) and _method(node.value) in _SEARCHES
        return node.value if isinstance(node.slice, ast.Slice) or first_word or matched else None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    method = node.func.attr
    if _is_re(node.func):
        place = 2 if method == "sub" else 1
        return node.args[place] if method in ("sub", *_SEARCHES) and len(node.args) > place else None
    if method in _CLEANERS or method in ("group", "split", "partition"):
        return node.func.value
    if method == "join" and len(node.args) == 1:
        parts = node.args[0]
        if isinstance(parts, ast.GeneratorExp | ast.ListComp):
            return parts.generators[0].iter
        return parts if isinstance(parts, ast.Call) else None
    return None


def _method(node: ast.expr) -> str:
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def _is_re(func: ast.Attribute) -> bool:
    return isinstance(func.value, ast.Name) and func.value.id in ("re", "regex")


def _searched(node: ast.expr) -> bool:
    """A regular expression's match, or a piece of a split, is inside."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
            if inner.func.attr in _SEARCHES and _is_re(inner.func):
                return True
            if inner.func.attr in ("split", "partition"):
                return True
    return False


MENDS = (widen,)
