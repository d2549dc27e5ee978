"""The part of CSS that the survey writes, looked for in lxml trees: below an element, below many, or in all.

What a selector selects here it selects in soupsieve on the same markup. Understood: type, id, class, attribute tests
(presence, =, ^=, $=, *=, ~=), :nth-of-type(n), :nth-of-type(n+k), :has(), :not(),
:-soup-contains-own("…"), :scope at the start, namespace prefixes, the four combinators and commas.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice, pairwise
from operator import methodcaller
from typing import Any

from lxml import etree

from scrapewright.survey.dom import Element, Named, Tree

_IDENT = r"-?[A-Za-z_\u0080-\U0010ffff][\w\u0080-\U0010ffff-]*"
_TOKEN = re.compile(
    rf"""(?P<comb>\s*[>+~]\s*|\s+)
    |(?P<type>(?:{_IDENT}\|)?(?:{_IDENT}|\*))
    |\#(?P<id>{_IDENT})
    |\.(?P<cls>{_IDENT})
    |\[(?P<attr>[^\W\d][\w:.-]*)\s*(?:(?P<op>[\^$*~]?=)\s*"(?P<val>[^"\\]*)")?\s*\]
    |:nth-of-type\((?P<nth>\d+)\)
    |:nth-of-type\(n\s*\+\s*(?P<from>\d+)\)
    |:-soup-contains-own\("(?P<own>[^"\\]*)"\)
    |:(?P<func>has|not)\(""",
    re.X,
)
_SIMPLE_IDENT = re.compile(rf"^{_IDENT}$")


class BadSelector(ValueError):
    """A selector outside the part of CSS that is understood here."""


ROOTS = frozenset({"html", "body", ":root", "head"})
"""Selectors of the page as a whole."""
UNREADABLE = BadSelector
"""What selecting raises for a selector that is not understood."""


@lru_cache(maxsize=16384)
def is_identifier(name: str) -> bool:
    """Whether an id or class can be written in a selector without escapes."""
    return bool(_SIMPLE_IDENT.match(name))


def quotable(text: str) -> bool:
    """Whether a text can be written between quotes in a selector."""
    return bool(text) and '"' not in text and "\\" not in text


def select(scope: Element, selector: str, *, xml: bool = False) -> list[Element]:
    """Elements below `scope` that match, in document order, as `Tag.select` gives them.

    `xml`: names without a prefix match in every namespace, as soupsieve has it after bs4's "xml" parser.
    """
    return _found(selector, xml, scope, lambda one: one.among(scope.iterdescendants(one.tag)))


def select_all(root: Element, selector: str, *, xml: bool = False) -> list[Element]:
    """Elements of the whole document that match, the root among them."""
    root = root.getroottree().getroot()
    return _found(selector, xml, root, lambda one: one.among(root.iter(one.tag)))


def selected(tree: Tree, selector: str) -> list[Element]:
    """The same of a survey's tree, looked up once."""
    if selector not in tree.selected:
        root = tree.elements[0].getroottree().getroot()
        tree.selected[selector] = _found(selector, False, root, lambda one: one.of(tree.named))
    return tree.selected[selector]


class Within:
    """Scopes, and what selectors select below each of them. Raises BadSelector for one that is not understood."""

    def __init__(self, scopes: Sequence[Element | None], *, xml: bool = False) -> None:
        self.scopes = scopes
        self.xml = xml
        self._together: dict[str, list[Element] | None] = {}
        self._each: dict[str, list[list[Element]]] = {"": [[one] if one is not None else [] for one in scopes]}

    @cached_property
    def _below(self) -> tuple[Named, dict[Element, int], bool]:
        """The elements below the scopes, the number of each one's scope, and whether it has one alone: no scope is in
        another."""
        owner: dict[Element, int] = {}
        count = 0
        for number, scope in enumerate(self.scopes):
            below = list(scope.iterdescendants("*")) if scope is not None else []
            count += len(below)
            owner.update(dict.fromkeys(below, number))
        return Named(owner, local_name) if self.xml else Named(owner), owner, count == len(owner)

    def select(self, selector: str) -> list[list[Element]]:
        """For each scope the elements below it that match, in document order, itself for ""; none for a scope that is
        None."""
        if selector in self._each:
            return self._each[selector]
        if (together := self.together(selector)) is None:
            each = (select(scope, selector, xml=self.xml) if scope is not None else [] for scope in self.scopes)
            return self._each.setdefault(selector, list(each))
        _, owner, _ = self._below
        found: list[list[Element]] = [[] for _ in self.scopes]
        for element in together:
            found[owner[element]].append(element)
        return found

    def together(self, selector: str) -> list[Element] | None:
        """What it selects below any of the scopes. None where each has to be looked at by itself: it is several
        selectors, or begins at its scope, or a scope is in another."""
        if selector not in self._together:
            (steps, last), *others = _compiled(selector, self.xml)
            named, _, alone = self._below
            self._together[selector] = None if steps or others or not alone else list(last.of(named))
        return self._together[selector]


Test = Callable[[Element], bool]
Chain = list[tuple[str, "_Compound"]]
"""Compounds, each with the combinator before it ("." for the scope itself)."""


def _found(selector: str, xml: bool, scope: Element, of: Callable[[_Compound], Iterable[Element]]) -> list[Element]:
    """What is selected, in document order. `of` looks through all elements that may be."""
    parts = [(steps, list(_ahead(scope, steps) if steps else of(last))) for steps, last in _compiled(selector, xml)]
    if len(parts) == 1 and (not parts[0][0] or all(combinator in ">." for combinator, _ in parts[0][0])):
        return parts[0][1]
    found = {element for _, part in parts for element in part}
    inside = [element for element in scope.iter("*") if element in found]
    every = scope.getroottree().getroot().iter("*") if len(inside) < len(found) else ()
    return [element for element in every if element in found] or inside


@lru_cache(maxsize=4096)
def _compiled(selector: str, xml: bool) -> list[tuple[Chain, _Compound]]:
    return [_Parser(part, xml).way() for part in members(selector)]


def matching(selector: str) -> _Compound:
    """What a selector without commas and :scope selects: its `test` says whether an element is such a one."""
    return _compiled(selector, False)[0][1]


def members(selector: str) -> list[str]:
    """The members of a selector list. Texts in it are between double quotes."""
    parts, depth, quote, start = [], 0, False, 0
    for i, char in enumerate(selector):
        if char == '"':
            quote = not quote
        elif quote:
            continue
        elif char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(selector[start:i].strip())
            start = i + 1
    parts.append(selector[start:].strip())
    return parts


@dataclass
class _Compound:
    """The tag of an element, as lxml's iterators take it, what else must hold of it, and what it must be in."""

    tag: str = "*"
    tests: list[Test] = field(default_factory=list)
    box: _Compound | None = None
    near: bool = False
    """`box` is the element that it is directly in."""
    sign: str = ""
    """A class or an attribute that it has, as `dom.Named` has it."""
    number: int | None = None
    """How many siblings of its tag are before it, where that is said."""

    def of(self, named: Named) -> Iterable[Element]:
        """Those of elements by their tags, classes and attributes."""
        tag = self.tag.removeprefix("{*}")
        return self.among(named[self.sign if self.sign and tag == "*" else f"{tag}{self.sign}"])

    def among(self, elements: Iterable[Element]) -> Iterable[Element]:
        """Those of elements of the tag for which the rest holds."""
        for test in self.tests:
            elements = filter(test, elements)
        if self.box is None:
            return elements
        known: dict[Element | None, bool] = {None: False}
        return (element for element in elements if self._is_in(element.getparent(), known))

    def _is_in(self, box: Element | None, known: dict[Element | None, bool]) -> bool:
        """Whether what is in a box is in such a one; `known` are those looked at before."""
        if box not in known and self.box is not None and box is not None:
            known[box] = self.box.test(box) or (not self.near and self._is_in(box.getparent(), known))
        return known[box]

    def test(self, element: Element) -> bool:
        if not _is(element, self.tag):
            return False
        for test in self.tests:
            if not test(element):
                return False
        return self.box is None or self._is_in(element.getparent(), {None: False})

    def precedes(self, element: Element, most: int | None = None) -> bool:
        return any(map(self.test, islice(element.itersiblings("*", preceding=True), most)))

    def is_next(self, element: Element) -> bool:
        return self.precedes(element, 1)


def _is(element: Element, tag: str) -> bool:
    return tag in ("*", element.tag) or (tag[:3] == "{*}" and local_name(element) == tag[3:])


def local_name(element: Element) -> str:
    """The element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def some(elements: Iterable[Element]) -> bool:
    """Whether there is one."""
    return next(iter(elements), None) is not None


def _ahead(element: Element, steps: Chain) -> Iterable[Element]:
    """What the steps of a chain lead to from an element; some of it several times."""
    (combinator, compound), *rest = steps
    if combinator == ".":
        return (element,)
    if combinator == ">":
        at = compound.number
        children = element.iterchildren(compound.tag)
        found: Iterable[Element] = children if at is None else islice(children, at, at + 1)
    elif combinator == "~":
        found = element.itersiblings(compound.tag)
    elif combinator == "+":
        found = (one for one in islice(element.itersiblings("*"), 1) if _is(one, compound.tag))
    else:
        found = element.iterdescendants(compound.tag)
    found = compound.among(found)
    return (last for one in found for last in _ahead(one, rest)) if rest else found


def _back(steps: Chain) -> _Compound:
    """The last compound of a chain, with what comes before it as what must hold of it or of what it is in."""
    for (_, before), (combinator, compound) in pairwise(steps):
        if combinator in "> ":
            compound.box, compound.near = before, combinator == ">"
        else:
            compound.tests.append(before.precedes if combinator == "~" else before.is_next)
    return steps[-1][1]


class _Parser:
    def __init__(self, text: str, xml: bool = False) -> None:
        self.text = text
        self.xml = xml
        self.at = 0

    def way(self) -> tuple[Chain, _Compound]:
        """The steps from a scope for a selector that begins there, else none and what is selected wherever it is."""
        if not self.text.startswith(":scope"):
            return [], _back(self._chain())
        self.at = len(":scope")
        return [(".", _Compound())] if self.text == ":scope" else self._chain(leading=True), _Compound()

    def _chain(self, leading: bool = False, until: str = "") -> Chain:
        chain: Chain = []
        combinator = ""
        current: _Compound | None = None
        while self.at < len(self.text):
            if until and self.text[self.at] == until:
                break
            match = _TOKEN.match(self.text, self.at)
            if match is None:
                raise BadSelector(self.text)
            self.at = match.end()
            if match["comb"] is not None:
                if current is not None:
                    chain.append((combinator, current))
                    current = None
                elif chain or not (leading or until):
                    raise BadSelector(self.text)
                combinator = match["comb"].strip() or " "
                continue
            if current is None:
                current = _Compound()
            self._simple(match, current)
        if current is None:
            raise BadSelector(self.text)
        chain.append((combinator, current))
        return chain

    def _simple(self, match: re.Match[str], into: _Compound) -> None:
        kind = match.lastgroup or ""
        name: str = match[kind]
        if kind == "type":
            prefix, bar, local = name.rpartition("|")
            if bar:
                into.tests.append(lambda element: (element.prefix, local_name(element)) == (prefix, local))
            else:
                into.tag = f"{{*}}{name}" if name != "*" and self.xml else name
        elif kind == "id":
            into.tests.append(lambda element: element.get("id") == name)
        elif kind == "cls":
            into.tests.append(_has_word("class", name))
            into.sign = f".{name}"
        elif kind in ("attr", "val"):
            into.tests.append(_attribute(match["attr"], match["op"], match["val"]))
            into.sign = into.sign or (f"[{match['attr']}]" if ":" not in match["attr"] else "")
        elif kind in ("nth", "from"):
            if into.tag == "*" or self.xml:
                raise BadSelector("nth-of-type needs a tag")
            into.tests.append(_nth(into.tag, int(name) - 1, exactly=kind == "nth"))
            into.number = int(name) - 1 if kind == "nth" and name != "0" else into.number
        elif kind == "own":
            into.tests.append(
                lambda element: name in (element.text or "") or any(name in (child.tail or "") for child in element)
            )
        else:
            chain = self._chain(leading=name == "has", until=")")
            self.at += 1
            if name == "has":
                into.tests.append(lambda element: some(_ahead(element, chain)))
                return
            if chain[0][0]:
                raise BadSelector(self.text)
            inner = _back(chain)
            into.tests.append(lambda element: not inner.test(element))


def _nth(tag: str, before: int, *, exactly: bool) -> Test:
    """A test for so many siblings of a tag before, or more: no more of them are counted than it takes."""

    def test(element: Element) -> bool:
        count = sum(1 for _ in islice(element.itersiblings(tag, preceding=True), max(0, before + 1)))
        return count == before if exactly else count >= before

    return test


def _has_word(name: str, word: str) -> Test:
    # The plain test comes first: it is cheap and rules out nearly everything.
    return lambda element: word in (said := element.get(name) or "") and word in said.split()


def _attribute(name: str, op: str | None, value: str | None) -> Test:
    read: Callable[[Element], Any] = methodcaller("get", name)
    if ":" in name:  # lxml knows it by the address of its prefix
        read = etree.XPath(f'string(@*[name() = "{name}"])')
    if op is None or value is None:
        return lambda element: read(element) is not None
    tests: dict[str, Test] = {
        "=": lambda element: read(element) == value,
        "^=": lambda element: (read(element) or "").startswith(value),
        "*=": lambda element: value in (read(element) or ""),
        "~=": _has_word(name, value),
        "$=": lambda element: (read(element) or "").endswith(value),
    }
    return tests[op]
