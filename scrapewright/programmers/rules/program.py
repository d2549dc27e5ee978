"""The program under construction: its constants and functions in, its text out, with the imports and helpers that they
need, laid out as formatters do it; and the code that reads one record, an expression for each column with the functions
that convert.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import symtable
from collections.abc import Iterable, Iterator

from scrapewright.programmers.rules.helpers import HELPERS, step_of
from scrapewright.programmers.rules.ops import Count, Lookup, Op, Present, Search, ToFloat, ToInt, literal, raw_literal
from scrapewright.programmers.rules.plan import Column, Plan
from scrapewright.query.lexicon import fold
from scrapewright.survey.model import Slot

_IMPORTED = {
    "csv": "", "json": "", "re": "", "requests": "", "BeautifulSoup": "bs4", "NavigableString": "bs4", "Tag": "bs4",
    "copy": "copy", "count": "itertools", "islice": "itertools", "date": "datetime", "datetime": "datetime",
    "UTC": "datetime", "parsedate_to_datetime": "email.utils", "urljoin": "urllib.parse",
}  # fmt: skip
"""The names that programs have from elsewhere, with their modules; "" where the name is itself a module."""
_THIRD = ("import requests", "from bs4")


class Program:
    """Collects the parts; `text` puts them together."""

    def __init__(self, title: str) -> None:
        self.title = title
        self._names = {"main", "scrape", "save", "fetch", "fetch_json", "next_page", *HELPERS}
        self._constants: dict[str, str] = {}
        self._functions: list[str] = []

    def name(self, wanted: str) -> str:
        """A name for a function, handed out once."""
        name, number = wanted, 2
        while name in self._names:
            name = f"{wanted}_{number}"
            number += 1
        self._names.add(name)
        return name

    def constant(self, name: str, value: str) -> str:
        """A module constant; the same name with another value gets a number."""
        number, wanted = 2, name
        while self._constants.get(name, value) != value:
            name = f"{wanted}_{number}"
            number += 1
        self._constants[name] = value
        return name

    def function(self, signature: str, doc: str, body: Iterable[str]) -> None:
        """A function; body lines are indented already where they are inside a block, by the block alone."""
        lines = [f"def {signature}:"]
        if doc:
            lines.append(f'    """{doc}"""')
        for line in body:
            code = line.lstrip(" ")
            lines += lay(code, 4 + len(line) - len(code)) if code else [""]
        self._functions.append("\n".join(lines))

    def text(self) -> str:
        constants = [line for name, value in self._constants.items() for line in lay(f"{name} = {value}")]
        needed: set[str] = set()
        found = _names_read("\n".join([*constants, *self._functions]))
        while found:
            needed |= found
            helpers = [HELPERS[name] for name in found if name in HELPERS]
            found = set().union(*map(_names_read, helpers)) - needed
        blocks = [[f'"""{self.title}"""'], *_imports(needed - self._constants.keys()), constants]
        parts = ["\n\n".join("\n".join(block) for block in blocks if block)]
        parts += [source for name, source in HELPERS.items() if name in needed]
        parts += [*self._functions, 'if __name__ == "__main__":\n    main()']
        return "\n\n\n".join(parts) + "\n"


def _names_read(code: str) -> set[str]:
    """The global names that some code reads."""
    tables = [symtable.symtable(code, "program", "exec")]
    for table in tables:
        tables += table.get_children()
    symbols = (symbol for table in tables for symbol in table.get_symbols())
    return {symbol.get_name() for symbol in symbols if symbol.is_global() and symbol.is_referenced()}


def _imports(names: Iterable[str]) -> list[list[str]]:
    """The import lines for those of some names that are imported: of the standard library, and of other packages."""
    plain = sorted(f"import {name}" for name in names if _IMPORTED.get(name) == "")
    of: dict[str, list[str]] = {}
    for name in sorted(names, key=lambda name: (not name.isupper(), name)):
        if module := _IMPORTED.get(name):
            of.setdefault(module, []).append(name)
    lines = [*plain, *(f"from {module} import {', '.join(of[module])}" for module in sorted(of))]
    return [[line for line in lines if line.startswith(_THIRD) == third] for third in (False, True)]


_TAKEN = frozenset(dir(builtins)) | frozenset(keyword.kwlist) | frozenset(keyword.softkwlist)


def identifier(text: str, default: str) -> str:
    """A plain ASCII name in snake case, or the default where the text gives none."""
    name = re.sub(r"[^a-z0-9]+", "_", fold(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text))).strip("_")
    if not name or name[0].isdigit() or len(name) > 32 or name in _TAKEN:
        return default
    return name


WIDTH = 100
_OPEN, _CLOSE = "([{", ")]}"


def lay(code: str, indent: int = 0, tail: str = "") -> list[str]:
    """The lines of one statement (or one element with a comma as `tail`), at most WIDTH wide where it can be broken."""
    pad = " " * indent
    if len(pad) + len(code) + len(tail) <= WIDTH:
        return [pad + code + tail]
    cut = _last_bracket(code)
    if cut is None:
        return _broken_text(code, indent, tail)
    start, end = cut
    head, inner, rest = code[: start + 1], code[start + 1 : end], code[end:] + tail
    if not inner.strip():
        return [pad + code + tail]
    clauses = _clauses(inner)
    if len(pad) + 4 + len(inner) <= WIDTH and (len(clauses) > 1 or not _is_collection(code, start)):
        return [pad + head, pad + "    " + inner, pad + rest]
    lines = [pad + head]
    if len(clauses) > 1:
        for clause in clauses:
            lines += lay(clause, indent + 4)
    else:
        for part in split_arguments(inner):
            lines += lay(part, indent + 4, ",")
    return [*lines, pad + rest]


def _clauses(inner: str) -> list[str]:
    """A comprehension's element and its clauses; one piece where it is none."""
    cuts = [at for at, _, depth in _scan(inner) if depth == 0 and inner.startswith((" for ", " if "), at)]
    if not any(inner.startswith(" for ", at) for at in cuts):
        return [inner]
    return [inner[start:end].strip() for start, end in zip([0, *cuts], [*cuts, len(inner)], strict=True)]


def _is_collection(code: str, start: int) -> bool:
    """Whether the bracket opens a dict, a set or a list and not a call's arguments."""
    return code[start] == "{" or (
        code[start] == "[" and (start == 0 or not (code[start - 1].isalnum() or code[start - 1] in "_)]"))
    )


def _scan(code: str) -> Iterator[tuple[int, str, int]]:
    """(position, character, depth before it) of everything outside of string literals."""
    depth, at, quote = 0, 0, ""
    while at < len(code):
        char = code[at]
        if quote:
            if char == "\\":
                at += 1
            elif char == quote:
                quote = ""
        elif char in "\"'":
            quote = char
        else:
            if char in _CLOSE:
                depth -= 1
            yield at, char, depth
            if char in _OPEN:
                depth += 1
        at += 1


def _last_bracket(code: str) -> tuple[int, int] | None:
    """The outermost bracket pair with the most in it."""
    best: tuple[int, int] | None = None
    start = -1
    for at, char, depth in _scan(code):
        if depth == 0 and char in _OPEN:
            start = at
        elif depth == 0 and char in _CLOSE and start >= 0 and (best is None or at - start > best[1] - best[0]):
            best = start, at
    return best


def split_arguments(inner: str) -> list[str]:
    """The arguments between a call's parentheses."""
    parts, start = [], 0
    for at, char, depth in _scan(inner):
        if char == "," and depth == 0:
            parts.append(inner[start:at].strip())
            start = at + 1
    parts.append(inner[start:].strip())
    return [part for part in parts if part]


def _broken_text(code: str, indent: int, tail: str) -> list[str]:
    """A string literal too long for a line becomes several, joined by the compiler."""
    pad = " " * indent
    prefix, sep, rest = code.partition(" = ")
    if sep and prefix.isidentifier():
        lines = _broken_text(rest, indent + 4, "")
        return [f"{pad}{prefix} = (", *lines, pad + ")" + tail] if len(lines) > 1 else [pad + code + tail]
    if not code.startswith(('"', "'", 'r"', "r'")):
        return [pad + code + tail]
    try:
        text = ast.literal_eval(code)
    except (SyntaxError, ValueError):
        return [pad + code + tail]
    room = WIDTH - indent - 8
    pieces = []
    while len(text) > room:
        at = max(text.rfind(mark, 0, room) for mark in (" ", ",", ">", "/", "&"))
        at = at + 1 if at > room // 3 else room
        pieces.append(text[:at])
        text = text[at:]
    pieces.append(text)
    write = raw_literal if code.startswith("r") else literal
    lines = [pad + write(piece) for piece in pieces]
    lines[-1] += tail
    return lines


# the code that reads one record


class ColumnWriter:
    """Writes columns into a program. Conversions that are the same become one function."""

    def __init__(self, program: Program, plan: Plan) -> None:
        self.program = program
        self.plan = plan
        self._parsers: dict[tuple[tuple[Op, ...], bool], str] = {}

    def expression(self, column: Column, record: str, json: bool = False) -> str:
        """The column's value, from the variable `record`."""
        slot = column.slot
        if slot is None:
            return "None"
        if slot.data:
            record, json = slot.data, True
        first = column.ops[0] if column.ops else None
        if isinstance(first, Present):
            if first.words:
                text = self.read(slot, record, column.joint)
                return f'{literal(first.words)} {"not " if first.absent else ""}in ({text} or "").casefold()'
            tag = f"{_base(slot, record)}.select_one({literal(slot.inner)})"
            found = self.read(slot, record, column.joint) if first.said else tag
            return f"{found} is {'' if first.absent else 'not '}None"
        if isinstance(first, Count):
            return f"len({_base(slot, record)}.select({literal(slot.inner)}))"
        if json:
            found = self._json(slot, record)
            several = found if found.startswith("[") else f"{found} or []"
            if column.field.type == "list" and not column.ops:
                return several
            if isinstance(first, Lookup) and {word for word, _ in first.words} <= {"True", "False"}:
                return found  # true and false themselves
            if slot.many:
                found = f'"; ".join(map(str, {several}))'
        elif slot.many:
            found = self._many(column, slot, record)
            return found if column.field.type == "list" else self._parsed(column, found, json)
        else:
            found = self.read(slot, record, column.joint)
        if column.rest is not None:
            found = f"joined({found}, {self.read(column.rest.slot, record)}, {literal(column.rest.joint)})"
        if column.field.type == "url":
            return f"absolute(page_url, {self._parsed(column, found, json)})"
        return self._parsed(column, found, json)

    def _parsed(self, column: Column, value: str, json: bool) -> str:
        return f"{self.parser(column.ops, column, json)}({value})" if column.ops else value

    def read(self, slot: Slot, record: str, joint: str = "") -> str:
        """The slot's text (or attribute) as an expression that gives None where it is missing."""
        return self._value(slot, self.tag(slot, record), joint)

    def tag(self, slot: Slot, record: str) -> str:
        """The slot's tag as an expression that gives None where it is missing."""
        selector, base = slot.inner, _base(slot, record)
        if slot.above:
            simple = re.fullmatch(r"([a-z][a-z0-9]*)(?:\.([\w-]+))?", selector)
            if simple:
                rest = f", class_={literal(simple[2])}" if simple[2] else ""
                return f"{record}.find_previous({literal(simple[1])}{rest})"
            return f"nearest_before({record}, {literal(selector)})"
        if not selector:
            return base
        if slot.index:
            found = f"nth({base}.select({literal(selector)}), {slot.index})"
        else:
            found = f"{base}.select_one({literal(selector)})"
        return f"{base} and {found}" if slot.steps else found

    def _value(self, slot: Slot, tag: str, joint: str) -> str:
        if slot.attr in ("head", "tail"):
            return f"{slot.attr}_of({tag})"
        if slot.attr == "class":
            return f"classes_of({tag})"
        if slot.attr != "text":
            return f"attribute_of({tag}, {literal(slot.attr)})"
        if slot.own:
            return f"own_text_of({tag})"
        return f"text_of({tag}, {literal(joint)})" if joint else f"text_of({tag})"

    def _many(self, column: Column, slot: Slot, record: str) -> str:
        """All of a slot's values: a list, or one text for a field that is none."""
        base = _base(slot, record)
        tags = f"{base}.select({literal(slot.inner)})"
        if slot.steps:
            tags = f"({tags} if {base} else [])"
        value = self._value(slot, "tag", column.joint)
        if slot.attr in ("href", "src"):
            value = f"absolute(page_url, {value})"
        listed = f"filter(None, [{value} for tag in {tags}])"
        return f"list({listed})" if column.field.type == "list" else f'"; ".join({listed})'

    def _json(self, slot: Slot, record: str) -> str:
        path = slot.selector.split(".") if slot.selector else []
        if not path:
            return record
        if "*" in path:
            at = path.index("*")
            outer = self._reach(record, path[:at])
            inner = self._reach("item", path[at + 1 :])
            return f"[{inner} for item in {outer} or []]"
        return self._reach(record, path)

    def _reach(self, base: str, path: list[str]) -> str:
        if not path:
            return base
        steps = list(map(step_of, path))
        if len(path) == 1 and steps != path:  # a key, and no index
            return f"{base}.get({steps[0]})"
        return f"dig({base}, {', '.join(steps)})"

    def parser(self, ops: tuple[Op, ...], column: Column, json: bool = False) -> str:
        """The name of the function that does the steps; it is written when first asked for."""
        key = (ops, json)
        if key in self._parsers:
            return self._parsers[key]
        name = self.program.name(f"parse_{identifier(column.name, column.field.type)}")
        self._parsers[key] = name
        body: list[str] = ["if text is None:" if json else "if not text:", "    return None"]
        value = "text"
        used: dict[str, str] = {}
        for op in ops:
            if isinstance(op, ToInt | ToFloat) and body[-1].startswith("text = ") and value == "text":
                value = body.pop().removeprefix("text = ")
            for constant, source in op.constants.items():
                used[constant] = self.program.constant(constant, source)
            before, value = op.statements(value)
            body += before
            if value != "text" and op is not ops[-1] and (len(value) > 40 or (isinstance(op, Search) and not before)):
                body.append(f"text = {value}")
                value = "text"
        body.append(f"return {value}")
        body = [_renamed(line, used) for line in body]
        self.program.function(f"{name}(text)", "", body)
        return name


def _renamed(line: str, used: dict[str, str]) -> str:
    for wanted, given in used.items():
        if wanted != given:
            line = re.sub(rf"\b{wanted}\b", given, line)
    return line


def _base(slot: Slot, record: str) -> str:
    """The variable of the tag that a slot's selector counts from."""
    return sibling_name(slot.steps) if slot.steps else record


def sibling_name(steps: int) -> str:
    """The variable for the tag that many siblings after the record."""
    return "following" if steps == 1 else f"following_{steps}"
