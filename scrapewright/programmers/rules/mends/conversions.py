"""Numbers, prices and dates: a text unlike those that its conversion was written for."""

from __future__ import annotations

import ast
import re
from datetime import datetime

from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene, in_docstring, quoted
from scrapewright.programmers.rules.source import called

CONVERSIONS = ("float", "int", "Decimal")
_SPLITS = ("split", "partition")
_CLEANERS = frozenset({
    "strip", "lstrip", "rstrip", "replace", "removeprefix", "removesuffix", "translate", "lower", "upper", "group",
    *_SPLITS,
})  # fmt: skip
_SEARCHES = ("search", "match", "fullmatch", "findall")
_NO_NUMBER = re.compile(r"(?:could not convert string to float|invalid literal for int\(\) .*?): (.+)")
_NUMBER_HELPER = r'''
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
    {result}
'''
_DOTS = ' or re.fullmatch(r"-?[1-9]\\d{0,2}\\.\\d{3}", digits)'


def number(scene: Scene) -> Fix | None:
    """`float` or `int` of a text that is no such number: reads the number wherever it is, or gives None.

    Needs the value that was seen: what the message quotes is only what was left of it.
    """
    if scene.kind not in ("ValueError", "TypeError", "InvalidOperation", "AttributeError", "IndexError"):
        return None
    for call in filter(is_conversion, scene.calls(*CONVERSIONS)):
        given = call.args[0]
        base, whole = raw(given, scene.kind == "IndexError"), raw(given, True)
        if _first(scene.value(whole)) == _first(scene.value(base)) is not None:
            base = whole  # the piece that was split off is where the text's first number is anyway
        searched = any(called(inner) in (*_SEARCHES, *_SPLITS) for inner in ast.walk(given))
        if scene.kind in ("TypeError", "AttributeError", "IndexError") and not searched:
            return None
        texts = scene.texts(base)
        if not texts and not isinstance(base, ast.Name | ast.Constant):
            base, texts = given, scene.unread(_NO_NUMBER)  # no name ever held it: what is taken off it still is
        return _number_widened(scene, call, base, texts) if texts else None
    return None


def _number_widened(scene: Scene, call: ast.Call, base: ast.expr, texts: list[str]) -> Fix:
    source, seen = scene.source, texts[0]
    name, helper = helper_for(scene, seen, called(call) == "int")
    edit = source.replaced(call, f"{name}({source.text(base)})")
    others = f" after values such as {quoted(texts[-1])}" if len(texts) > 1 else ""
    figures = any(c.isdigit() for c in seen)
    outcome = "reads the number wherever it is" if figures else "gives None where there is no number"
    what = f"{source.text(base)} was {quoted(seen)}{others}, which {called(call)}() can't read"
    return scene.fix_here(f"{what}: it now {outcome}.", edit, imports=["import re"], helper=helper)


def helper_for(scene: Scene, sample: str, whole: bool) -> tuple[str, str]:
    """(name, text) of a function that reads numbers as people write them; see Source.helper. `whole`: figures in threes
    are always thousands."""
    continental = whole or re.search(r"\d[.]\d{3}(,|\s*(€|EUR|kr|zł|Kč|Ft))", sample)
    read = 'float(digits.replace(",", ""))'
    known = {
        "sample": in_docstring(sample),
        "dots": _DOTS if continental else "",
        "result": f"return int({read})" if whole else f"return {read}",
    }
    wanted = "whole_number_in" if whole else "number_in"
    return scene.source.helper(wanted, lambda name: _NUMBER_HELPER.format(name=name, **known))


def _first(text: object) -> str | None:
    """The first figures of a text."""
    found = re.search(r"\d[\d.,]*", text) if isinstance(text, str) else None
    return found[0] if found else None


def is_conversion(call: ast.Call) -> bool:
    """A call of float, int or Decimal with a text."""
    return isinstance(call.func, ast.Name) and call.func.id in CONVERSIONS and len(call.args) == 1


def raw(node: ast.expr, pieces: bool = False) -> ast.expr:
    """The text that a conversion starts from: cleaning steps and searches for figures are taken off.

    `pieces`: a later piece of a split text is taken off too (it was the one that is missing).
    """
    while (inner := _inner(node, pieces)) is not None:
        node = inner
    return node


def _inner(node: ast.expr, pieces: bool) -> ast.expr | None:
    """What a cleaning step is made on, None where the node is no such step."""
    match node:
        case ast.Subscript(value=held, slice=ast.Slice()):
            return held
        case ast.Subscript(value=held, slice=place):
            first = isinstance(place, ast.Constant) and place.value == 0
            piece = called(held) in _SPLITS and (pieces or first)
            return held if piece or called(held) in _SEARCHES else None
        case ast.Call(func=ast.Attribute(value=ast.Name(id="re" | "regex"), attr=method), args=args):
            text = args[2:3] if method == "sub" else args[1:2] if method in _SEARCHES else []
            return text[0] if text else None
        case ast.Call(func=ast.Attribute(value=held, attr=method)) if method in _CLEANERS:
            return held
        case ast.Call(
            func=ast.Attribute(attr="join"), args=[ast.GeneratorExp() | ast.ListComp() | ast.Call() as parts]
        ):
            return parts if isinstance(parts, ast.Call) else parts.generators[0].iter
    return None


_FORMS = (
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%d/%m/%Y", "%d-%m-%Y", "%m/%d/%Y", "%m-%d-%Y", "%d.%m.%y",
    "%d/%m/%y", "%m/%d/%y", "%d %B %Y", "%d %b %Y", "%B %d, %Y", "%b %d, %Y", "%B %d %Y", "%b %d %Y", "%d. %B %Y",
    "%d-%b-%Y", "%d-%b-%y", "%b-%d-%y", "%A, %d %B %Y", "%a, %d %b %Y", "%A, %B %d, %Y", "%a %b %d %Y", "%Y年%m月%d日",
    "%Y%m%d", "%B %Y",
)  # fmt: skip
_TIMES = (
    "", " %H:%M", " %H:%M:%S", "T%H:%M:%S", "T%H:%M:%S%z", " %I:%M%p", " %I:%M %p", ", %H:%M", " at %H:%M",
    " %H:%M:%S %z", " %H:%M:%S %Z",
)  # fmt: skip
_NO_DATE = re.compile(r"time data (.+) does not match format .*")
_DATE_HELPER = '''
def {name}(text):
    """A date such as {sample}, None where the text is none."""
    text = " ".join((text or "").split())
    for form in ({forms}):
        try:
            return {expression}
        except ValueError:
            continue
    return None
'''


def day(scene: Scene) -> Fix | None:
    """A text that the format does not fit: the form it has is read too. Needs the value that was seen."""
    for call in scene.calls("strptime") if scene.kind in ("ValueError", "TypeError") else ():
        match call:
            case ast.Call(func=ast.Attribute(value=maker), args=[given, ast.Constant(value=str(form))]):
                bare = _bare(given)
                texts = scene.texts(bare)
                if not texts and not isinstance(given, ast.Name | ast.Constant):
                    texts = scene.unread(_NO_DATE)  # no name ever held it
                return _date_widened(scene, call, maker, bare, form, texts) if texts else None
    return None


def _bare(node: ast.expr) -> ast.expr:
    """The text without its stripping: the helper strips it anyway."""
    match node:
        case ast.Call(func=ast.Attribute(value=held, attr="strip" | "rstrip" | "lstrip")):
            return _bare(held)
    return node


def _date_widened(scene: Scene, call: ast.Call, maker: ast.expr, given: ast.expr, old: str, texts: list[str]) -> Fix:
    """Reads the new form beside the old one; in its place where both have the same parts and the new one fits all texts
    seen: days and months are in the other order then."""
    source, seen = scene.source, [" ".join(text.split()) for text in texts]
    form = form_of(seen[0], old)
    turned = form not in (None, old) and _letters(form) == _letters(old) and all(_fits(text, form) for text in seen)
    forms = dict.fromkeys(one for one in ("" if turned else old, form) if one)
    top: ast.expr = call  # what is made of the date goes into the function, so that no date gives None
    while isinstance(above := source.parents.get(top), ast.Attribute | ast.Call) and top not in getattr(
        above, "args", ()
    ):
        top = above
    tail = source.code[source.span(call)[1] : source.span(top)[1]]
    known = {
        "sample": in_docstring(seen[0]),
        "forms": ", ".join(map(literal, forms)) + ("," if len(forms) == 1 else ""),
        "expression": f"{source.text(maker)}.strptime(text, form){tail}",
    }
    name, helper = source.helper("date_in", lambda name: _DATE_HELPER.format(name=name, **known))
    did = f"it is read as {form}" if turned else f"that form ({form}) is read too" if form else "it gives None"
    return scene.fix_here(
        f"{source.text(given)} was {quoted(texts[0])}, which is not written {old}: {did}.",
        source.replaced(top, f"{name}({source.text(given)})"),
        helper=helper,
    )


def form_of(text: str, like: str = "") -> str | None:
    """The strptime form of a text; among several that fit, the one nearest to `like`."""
    fits = [form + time for form in _FORMS for time in _TIMES if _fits(text, form + time)]
    return max(fits, key=lambda form: (_letters(form) == _letters(like), -abs(len(form) - len(like))), default=None)


def _letters(form: str | None) -> list[str]:
    return sorted(re.findall(r"%(\w)", form or ""))


def _fits(text: str, form: str | None) -> bool:
    try:
        return 1000 <= datetime.strptime(text, form or "").year <= 2200
    except ValueError:
        return False
