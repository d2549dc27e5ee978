"""Dates written in another way than the program reads them."""

from __future__ import annotations

import ast
import re
from datetime import datetime

from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene, plain, quoted

_FORMS = (
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%d/%m/%Y", "%d-%m-%Y", "%m/%d/%Y", "%m-%d-%Y", "%d.%m.%y",
    "%d/%m/%y", "%m/%d/%y", "%d %B %Y", "%d %b %Y", "%B %d, %Y", "%b %d, %Y", "%B %d %Y", "%b %d %Y", "%d. %B %Y",
    "%d-%b-%Y", "%d-%b-%y", "%b-%d-%y", "%A, %d %B %Y", "%a, %d %b %Y", "%A, %B %d, %Y", "%a %b %d %Y", "%Y年%m月%d日",
    "%Y%m%d", "%B %Y",
)  # fmt: skip
_TIMES = (
    "",
    " %H:%M",
    " %H:%M:%S",
    "T%H:%M:%S",
    "T%H:%M:%S%z",
    " %I:%M%p",
    " %I:%M %p",
    ", %H:%M",
    " at %H:%M",
    " %H:%M:%S %z",
    " %H:%M:%S %Z",
)
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
    if scene.kind not in ("ValueError", "TypeError"):
        return None
    source = scene.source
    for node in scene.nodes:
        for call in (node, *source.up(node)):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
                continue
            if call.func.attr not in ("strptime", "fromisoformat") or not call.args:
                continue
            texts = scene.texts(_bare(call.args[0]))
            if not texts and not isinstance(call.args[0], ast.Name | ast.Constant):
                texts = _quoted_text(scene)  # no name ever held it
            if not texts:
                return None
            old = call.args[1] if len(call.args) > 1 else None
            form = old.value if isinstance(old, ast.Constant) else "%Y-%m-%d" if old is None else None
            return _widened(scene, call, form, texts) if isinstance(form, str) else None
    return None


def _quoted_text(scene: Scene) -> list[str]:
    """The text that strptime or fromisoformat says it could not read."""
    found = re.fullmatch(r"(?:time data (.+) does not match format .*|Invalid isoformat string: (.+))", scene.message)
    value = plain(found[1] or found[2]) if found else None
    return [value] if isinstance(value, str) else []


def _bare(node: ast.expr) -> ast.expr:
    """The text without its stripping: the helper strips it anyway."""
    while (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("strip", "rstrip", "lstrip")
    ):
        node = node.func.value
    return node


def _widened(scene: Scene, call: ast.Call, old: str, texts: list[str]) -> Fix | None:
    assert isinstance(call.func, ast.Attribute)
    source, seen = scene.source, " ".join(texts[0].split())
    form = form_of(seen, old)
    before = [" ".join(text.split()) for text in texts[1:]]
    turned = (
        form is not None
        and form != old
        and _letters(form) == _letters(old)
        and all(_fits(text, form) for text in before)
    )
    forms = [form] if turned and form else [old, *([form] if form and form != old else [])]
    top: ast.expr = call
    while True:  # what is made of the date goes into the function, so that no date gives None
        above = source.parents.get(top)
        if (isinstance(above, ast.Attribute) and above.value is top) or (
            isinstance(above, ast.Call) and above.func is top
        ):
            top = above
        else:
            break
    start, end = source.span(top)
    tail = source.code[source.span(call)[1] : end]
    base = source.text(call.func.value)
    maker = base if call.func.attr == "strptime" else "datetime"
    expression = f"{maker}.strptime(text, form){tail}" if call.func.attr == "strptime" else _iso(maker, base, tail)
    listed = ", ".join(map(literal, forms)) + ("," if len(forms) == 1 else "")
    sample = quoted(seen, 40)
    name, helper = source.helper(
        "date_in",
        lambda name: _HELPER.format(name=name, sample=sample, forms=listed, expression=expression),
        scene.line,
    )
    imports = (
        ["from datetime import datetime"] if call.func.attr != "strptime" and not source.imports("datetime") else []
    )
    code = source.edited([(start, end, f"{name}({source.text(_bare(call.args[0]))})")], imports, helper, scene.line)
    did = f"it is read as {form}" if form and turned else f"that form ({form}) is read too" if form else "it gives None"
    return Fix(
        code,
        f"In line {scene.line} {source.text(call.args[0])} was {quoted(texts[0])}, which is not written {old}: {did}.",
    )


def _iso(maker: str, base: str, tail: str) -> str:
    made = f"{maker}.strptime(text, form)"
    return f"{made}.date(){tail}" if base.endswith("date") and not base.endswith("datetime") else f"{made}{tail}"


def form_of(text: str, like: str = "") -> str | None:
    """The strptime form of a text; among several that fit, the one nearest to `like`."""
    fits = [form + time for form in _FORMS for time in _TIMES if _fits(text, form + time)]
    if not fits:
        return None
    return max(fits, key=lambda form: (_letters(form) == _letters(like), -abs(len(form) - len(like))))


def _letters(form: str) -> list[str]:
    return sorted(re.findall(r"%(\w)", form))


def _fits(text: str, form: str) -> bool:
    try:
        read = datetime.strptime(text, form)
    except ValueError:
        return False
    return 1000 <= read.year <= 2200


MENDS = (widen,)
