"""Where a program asks its selectors: of a whole page, or of each of the elements that another selector found."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from scrapewright.loop.css_selectors import Scope, scopes
from scrapewright.loop.parsing import parse

_ELSEWHERE = frozenset({"find_next", "find_parent"})
"""They look anywhere but below the element that they are asked of."""
_FIND = _ELSEWHERE | {"find", "find_all", "findAll"}
_PASSES_ON = frozenset({"enumerate", "list", "reversed", "sorted", "tuple"})
"""Functions that give the elements of what they are given."""
MOST_NAMES = 200
"""Names that are followed in one program."""
MAX_SELECTORS = 24


class SelectorCall(msgspec.Struct, frozen=True, order=True):
    """A selector at a line of the program. `within` is that of the elements it is asked of, one by one; empty for a
    page, and where the program does not show it."""

    line: int
    selector: str
    within: str = ""


def selector_calls(code: str) -> list[SelectorCall]:
    """For each of the select, select_one, find or find_all calls, by line; none on a syntax error."""
    try:
        tree = parse(code)
    except (SyntaxError, ValueError):
        return []
    of = _Elements(scopes(tree))
    found = {
        SelectorCall(line, selector, of.asked_of(call, scope) if _looks_below(call) else "")
        for scope in of.scopes
        for call in scope.calls
        for line, selector in _selectors(call, scope)
    }
    return sorted(found)[:MAX_SELECTORS]


def _looks_below(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr not in _ELSEWHERE


def _selectors(call: ast.Call, scope: Scope) -> Iterator[tuple[int, str]]:
    if isinstance(call.func, ast.Attribute) and call.func.attr in _FIND:
        if selector := _found(call):
            yield call.lineno, selector
    else:
        yield from scope.asked(call)


class _Elements:
    """Follows an element of a program back to the selectors that found it."""

    def __init__(self, scopes: list[Scope]) -> None:
        self.scopes = scopes
        self._names: dict[tuple[int, str], str] = {}
        """What the names are that were followed; empty while one is."""

    def asked_of(self, call: ast.Call, scope: Scope) -> str:
        """The selector of the elements that a call is made on; empty for a page's, and where that is not known."""
        assert isinstance(call.func, ast.Attribute)
        return self._of(call.func.value, scope)

    def _of(self, element: ast.expr, scope: Scope) -> str:
        match element:
            case ast.Call():
                return self._by_call(element, scope)
            case ast.Subscript(value=elements):
                return self._of(elements, scope)
            case ast.Name(id=name):
                return self._named(name, scope)
        return ""

    def _named(self, name: str, scope: Scope) -> str:
        """The one selector of all that a name is; empty where there are several."""
        key = (id(scope), name)
        if key not in self._names and len(self._names) < MOST_NAMES:
            self._names[key] = ""
            given = self._given(scope, name) if name in scope.parameters else ()
            sources = [*given, *((scope, bound) for bound in scope.sources(name))]
            found = {self._of(source, where) for where, source in sources}
            self._names[key] = found.pop() if len(found) == 1 else ""
        return self._names.get(key, "")

    def _by_call(self, call: ast.Call, scope: Scope) -> str:
        """The selector of what a call gives."""
        match call.func:
            case ast.Name(id=name) if name in _PASSES_ON and call.args:
                return self._of(call.args[0], scope)
            case ast.Attribute() if _looks_below(call):
                own = [selector for _, selector in _selectors(call, scope)]
                if len(own) != 1:
                    return ""
                above = self.asked_of(call, scope)
                if above and ("," in above + own[0] or ":scope" in own[0]):
                    return ""  # would not be the same joined
                return f"{above} {own[0]}".strip()
        return ""

    def _given(self, function: Scope, name: str) -> Iterator[tuple[Scope, ast.expr]]:
        """What a function is called with for a parameter, and where."""
        place = function.parameters.index(name)
        for scope in self.scopes:
            for call in scope.calls:
                if isinstance(call.func, ast.Name) and call.func.id == function.name:
                    given = [keyword.value for keyword in call.keywords if keyword.arg == name]
                    for value in given or call.args[place : place + 1]:
                        yield scope, value


def _found(call: ast.Call) -> str:
    """The selector that says what a find call says."""
    first = call.args[0] if call.args else None
    text = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
    parts = [text]
    attributes = call.args[1] if len(call.args) > 1 else None
    if isinstance(attributes, ast.Dict):
        for key, value in zip(attributes.keys, attributes.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(value, ast.Constant) and isinstance(value.value, str):
                parts.append(_attribute(str(key.value), value.value))
    elif isinstance(attributes, ast.Constant) and isinstance(attributes.value, str):
        parts.append(_attribute("class", attributes.value))
    for keyword in call.keywords:
        if keyword.arg in {"class_", "id"} and isinstance(keyword.value, ast.Constant):
            parts.append(_attribute(keyword.arg.rstrip("_"), str(keyword.value.value)))
    return "".join(parts)


def _attribute(name: str, value: str) -> str:
    if name == "class":
        return "".join(f".{word}" for word in value.split())
    return f'[{name}="{value}"]'
