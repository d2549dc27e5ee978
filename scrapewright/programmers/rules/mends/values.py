"""Columns, links and rows that the critics found wrong, where the program shows what to change; numbers, prices and
dates that are written otherwise than their conversion was made for."""

from __future__ import annotations

import ast
import re
from datetime import datetime

from rapidfuzz import fuzz, process

from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.scene import Fix, Scene, in_docstring, quoted
from scrapewright.programmers.rules.source import Edit, Source, called, value_of, written_rows
from scrapewright.query.reading import Order


def renamed(scene: Scene) -> Fix | None:
    """A column under another name than asked for."""
    verdict = scene.attempt.verdict
    missing = [finding.column for finding in scene.findings("missing-column")]
    if verdict is None or not missing:
        return None
    wanted = {field.name for field in scene.brief.reading.fields}
    extra = [column for column in verdict.columns if column not in wanted]
    pairs: dict[str, str] = {}
    for name in missing:
        near = process.extractOne(name, extra, scorer=fuzz.WRatio, processor=str.lower, score_cutoff=75)
        if near is not None:
            pairs[near[0]] = name
            extra.remove(near[0])
    left = [name for name in missing if name not in pairs.values()]
    if len(left) == len(extra) == 1:
        pairs[extra[0]] = left[0]
    source = scene.source
    edits = [source.replaced(node, literal(pairs[text])) for node, text in source.strings() if text in pairs]
    renames = ", ".join(f"{old!r} is {new!r} now" for old, new in pairs.items())
    return scene.fix(f"Columns had other names than asked for: {renames}.", *edits) if edits else None


def typed(scene: Scene) -> Fix | None:
    """A number left as text, or a column that a swallowed error left empty: it is read wherever it is."""
    source = scene.source
    fields = {_short(field.name): field for field in scene.brief.reading.fields}
    for finding in scene.findings("wrong-type", "low-coverage", "empty-column"):
        field = fields.get(_short(finding.column))
        sample = finding.got if finding.code == "wrong-type" else finding.expected
        if field is None or field.type not in ("int", "float") or not any(c.isdigit() for c in sample):
            continue
        values = value_of(source, finding.column)
        places = (_read_at(source, bound) for value in values for bound in _definition(source, value))
        for target, text in (place for place in places if place is not None):
            name, helper = helper_for(scene, sample, field.type == "int")
            edit = source.replaced(target, f"{name}({text})")
            what = f"{finding.column} was not read from {quoted(sample)}: the number is read wherever it is."
            return scene.fix(what, edit, imports=["import re"], helper=helper)
    return None


def _definition(source: Source, node: ast.expr) -> list[ast.expr]:
    """What a name was bound to in its function, where the expression is a name; else the expression itself."""
    if not isinstance(node, ast.Name):
        return [node]
    return [assign.value for assign in source.assigned(node.id, source.function(node), node.lineno + 1)] or [node]


def _read_at(source: Source, node: ast.expr) -> tuple[ast.expr, str] | None:
    """What is to be replaced and the text to read from: a conversion, also inside a function of the program."""
    match node:
        case ast.Constant():
            return None
        case ast.Call(func=ast.Name(id=name)) if name in source.functions:
            for call in filter(is_conversion, source.calls(*CONVERSIONS, inside=source.functions[name])):
                return call, source.text(raw(call.args[0]))
            return (node, source.text(node)) if len(node.args) == 1 and "text" in name else None
        case ast.Call(args=[text]) if is_conversion(node):
            return node, source.text(raw(text))
    return node, source.text(node)


def _short(name: str) -> str:
    """A column's name without case, blanks and punctuation."""
    return re.sub(r"[\W_]+", "", name.casefold())


def sliced(scene: Scene) -> Fix | None:
    """Records cut off behind a number of them: all are taken."""
    source = scene.source
    for node in ast.walk(source.tree) if any(scene.findings("too-few-rows")) else ():
        match node:
            case ast.Subscript(value=whole, slice=ast.Slice(lower=lower, upper=ast.expr())):
                if isinstance(source.parents[node], ast.For | ast.comprehension):
                    kept = source.text(whole) + (f"[{source.text(lower)}:]" if lower is not None else "")
                    why = f"There were too few rows: {source.text(node)} cuts records off, so all are taken."
                    return scene.fix(why, source.replaced(node, kept))
    return None


def header(scene: Scene) -> Fix | None:
    """A table's header row among the rows."""
    if not any("header" in finding.message for finding in scene.findings("extra-rows")):
        return None
    for node in ast.walk(scene.source.tree):
        iterated = node.iter if isinstance(node, ast.For | ast.comprehension) else None
        text = scene.source.text(iterated) if isinstance(iterated, ast.Call) else ""
        if iterated is not None and re.search(r"""["'][^"']*\btr["']""", text):
            why = f"The table's header was taken for a record: {text} is read from its second row on."
            return scene.fix(why, scene.source.replaced(iterated, f"{text}[1:]"))
    return None


def arranged(scene: Scene) -> Fix | None:
    """Rows that repeat, hold nothing, are in another order than asked for, or are more: put right before they are
    written."""
    reading, place = scene.brief.reading, written_rows(scene.source)
    columns = (*reading.distinct, *(key.field for key in reading.order))
    if place is None or not all(value_of(scene.source, column) for column in columns):
        return None  # no rows that are mappings
    rows, lines, whys = place[0], [], []
    if repeated := next(scene.findings("not-distinct", "duplicate-rows"), None):
        items = "".join(f"row[{literal(name)}], " for name in reading.distinct)
        key = f"({items.strip()})" if items else "tuple(map(str, row.values()))"
        whys.append(f"{repeated.message}: of rows that are the same the first is kept")
        lines.append(f"{rows} = list({{{key}: row for row in reversed({rows})}}.values())[::-1]")
    if any("nothing at all" in finding.message for finding in scene.findings("extra-rows")):
        whys.append("some rows held nothing at all: they are left out")
        lines.append(f"{rows} = [row for row in {rows} if any(row.values())]")
    if reading.order and any(scene.findings("wrong-order")):
        keys = ", ".join(f"{key.field}, {'highest' if key.descending else 'lowest'} first" for key in reading.order)
        whys.append(f"the rows were not in the order asked for: they are sorted by {keys}")
        lines += [_sorting(rows, key) for key in reversed(reading.order)]
    if reading.limit and any(scene.findings("limit-broken")):
        whys.append(f"there were more rows than the {reading.limit} asked for: the rest is left out")
        lines.append(f"{rows} = {rows}[:{reading.limit}]")
    why = "; ".join(whys)
    return scene.fix(f"{why[:1].upper()}{why[1:]}.", scene.source.before(place[1], *lines)) if lines else None


def _sorting(rows: str, key: Order) -> str:
    item = f"row[{literal(key.field)}]"
    if key.descending:
        return f"{rows}.sort(key=lambda row: ({item} is not None, {item}), reverse=True)"
    return f"{rows}.sort(key=lambda row: ({item} is None, {item}))"


_IMPORT = "from urllib.parse import urljoin"
_RESPONSES = ("response", "resp", "res", "r")
_ADDRESSES = ("page_url", "url", "base_url", "base", "START_URL", "URL", "BASE_URL", "BASE")


def fetched_link(scene: Scene) -> Fix | None:
    """A relative address handed to requests."""
    source = scene.source
    relative = scene.kind in ("MissingSchema", "InvalidURL", "InvalidSchema")
    for call in scene.calls("get", "post", "head", "request") if relative else ():
        if not isinstance(call.func, ast.Attribute) or not call.args:
            continue
        arg = call.args[1 if called(call) == "request" and len(call.args) > 1 else 0]
        value, text = scene.value(arg), source.text(arg)
        was = f" was {quoted(value)}, which" if isinstance(value, str) else ""
        return scene.fix_here(
            f"{text}{was} is no whole address: it is joined to one.",
            source.replaced(arg, f"urljoin({literal(scene.page_url)}, {text})"),
            imports=[_IMPORT],
        )
    return None


def written_links(scene: Scene) -> Fix | None:
    """A column of relative links."""
    source = scene.source
    edits: list[Edit] = []
    message = ""
    for finding in scene.findings("relative-link"):
        for node in value_of(source, finding.column):
            if isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
                text = source.text(node)
                edits.append(source.replaced(node, f"(urljoin({_base(scene, node)}, {text}) if {text} else None)"))
                held = f"{finding.column} held {finding.got!r}, a relative link"
                message = message or f"{held}: it is joined to the page's address."
    return scene.fix(message, *edits, imports=[_IMPORT]) if edits else None


def _base(scene: Scene, node: ast.expr) -> str:
    """The page's address where the link is read: the response's own, a variable called url, else the start page."""
    source, function = scene.source, scene.source.function(node)
    inside = {n.arg for n in ast.walk(function) if isinstance(n, ast.arg)}
    stored = [n for n in ast.walk(source.tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    inside |= {n.id for n in stored if source.function(n) is function}
    known = inside | {n.id for n in stored if source.function(n) is source.tree}
    names = [f"{name}.url" for name in _RESPONSES if name in inside] + [name for name in _ADDRESSES if name in known]
    return next(iter(names), literal(scene.page_url))


# numbers, prices and dates: a text unlike those that its conversion was written for

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
