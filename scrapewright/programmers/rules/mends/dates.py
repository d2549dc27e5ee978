"""Dates written in another way than the program reads them."""

from __future__ import annotations

import ast
import re
from datetime import datetime

from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene, quoted

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
_UNREAD = re.compile(r"time data (.+) does not match format .*")
_HELPER = '''
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


def widen(scene: Scene) -> Fix | None:
    """A text that the format does not fit: the form it has is read too. Needs the value that was seen."""
    for call in scene.calls("strptime") if scene.kind in ("ValueError", "TypeError") else ():
        match call:
            case ast.Call(func=ast.Attribute(value=maker), args=[given, ast.Constant(value=str(form))]):
                bare = _bare(given)
                texts = scene.texts(bare)
                if not texts and not isinstance(given, ast.Name | ast.Constant):
                    texts = scene.unread(_UNREAD)  # no name ever held it
                return _widened(scene, call, maker, bare, form, texts) if texts else None
    return None


def _bare(node: ast.expr) -> ast.expr:
    """The text without its stripping: the helper strips it anyway."""
    match node:
        case ast.Call(func=ast.Attribute(value=held, attr="strip" | "rstrip" | "lstrip")):
            return _bare(held)
    return node


def _widened(scene: Scene, call: ast.Call, maker: ast.expr, given: ast.expr, old: str, texts: list[str]) -> Fix:
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
        "sample": quoted(seen[0], 40),
        "forms": ", ".join(map(literal, forms)) + ("," if len(forms) == 1 else ""),
        "expression": f"{source.text(maker)}.strptime(text, form){tail}",
    }
    name, helper = source.helper("date_in", lambda name: _HELPER.format(name=name, **known))
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


MENDS = (widen,)
