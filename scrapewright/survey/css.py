"""The part of CSS that the survey writes, looked for in lxml trees: below an element, below many, or in all.

What a selector selects here it selects in soupsieve on the same markup. Understood: type, id, class, attribute tests
(presence, =, ^=, $=, *=, ~=), :nth-of-type(n), :nth-of-type(n+k), :has(), :not(),
:-soup-contains-own("…"), :scope at the start, namespace prefixes, the four combinators and commas.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice, pairwise

from lxml import etree

from scrapewright.survey.dom import Element, Tree

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
UNREADABLE = (BadSelector, etree.XPathError)
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
    return _found(selector, xml, scope, scope.iterdescendants)


def select_all(root: Element, selector: str, *, xml: bool = False) -> list[Element]:
    """Elements of the whole document that match, the root among them."""
    root = root.getroottree().getroot()
    return _found(selector, xml, root, root.iter)


def selected(tree: Tree, selector: str) -> list[Element]:
    """The same of a survey's tree, looked up once."""
    if selector not in tree.selected:
        root = tree.elements[0].getroottree().getroot()
        tree.selected[selector] = _found(selector, False, root, lambda tag: tree.tagged.get(tag, ()))
    return tree.selected[selector]


class Within:
    """Scopes, and what selectors select below each of them.

    Raises BadSelector or etree.XPathError for a selector that is not understood.
    """

    def __init__(self, scopes: Sequence[Element | None], *, xml: bool = False) -> None:
        self.scopes = scopes
        self.xml = xml
        self._known: dict[str, list[list[Element]]] = {}

    @cached_property
    def _below(self) -> tuple[dict[str, list[Element]], dict[Element, int]]:
        """The elements below the scopes by tag, and the number of each one's scope."""
        below: defaultdict[str, list[Element]] = defaultdict(list)
        owner: dict[Element, int] = {}
        for number, scope in enumerate(self.scopes):
            for element in scope.iterdescendants("*") if scope is not None else ():
                below[_local(element) if self.xml else str(element.tag)].append(element)
                owner[element] = number
        return below, owner

    def select(self, selector: str) -> list[list[Element]]:
        """For each scope the elements below it that match, in document order, itself for ""; none for a scope that is
        None."""
        if selector not in self._known:
            self._known[selector] = self._select(selector)
        return self._known[selector]

    def _select(self, selector: str) -> list[list[Element]]:
        plain = matching(selector, self.xml) if selector and "," not in selector and ":scope" not in selector else None
        below, owner = self._below
        among = below.get(plain.tag.removeprefix("{*}"), []) if plain is not None else []
        if plain is None or plain.tag == "*" or len(owner) < sum(map(len, below.values())):  # a scope lies in another
            return [
                [] if scope is None else select(scope, selector, xml=self.xml) if selector else [scope]
                for scope in self.scopes
            ]
        found: list[list[Element]] = [[] for _ in self.scopes]
        for element in plain.among(among):
            found[owner[element]].append(element)
        return found


Test = Callable[[Element], bool]
Walk = Callable[[str], Iterable[Element]]
"""Gives the elements of a tag ("*" for all) that are looked through, in document order."""
Branch = Callable[[Element, Walk], Iterable[Element]]
"""From a scope and what is looked through to what a member of a selector list selects."""


def _found(selector: str, xml: bool, scope: Element, walk: Walk) -> list[Element]:
    branches = _compiled(selector, xml)
    if len(branches) == 1:
        return list(branches[0](scope, walk))
    return _in_order(scope, {element for branch in branches for element in branch(scope, walk)})


def _in_order(scope: Element, found: set[Element]) -> list[Element]:
    """The elements in document order. Most often all of them are below the scope."""
    inside = [element for element in scope.iter("*") if element in found]
    if len(inside) == len(found):
        return inside
    return [element for element in scope.getroottree().getroot().iter("*") if element in found]


@lru_cache(maxsize=4096)
def _compiled(selector: str, xml: bool) -> list[Branch]:
    return [_Parser(part, xml).branch() for part in members(selector)]


@lru_cache(maxsize=4096)
def matching(selector: str, xml: bool = False) -> _Compound:
    """What a selector without commas and :scope selects: its `test` says whether an element is such a one."""
    return _Parser(selector, xml).compound()


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
    """The tag of an element, as lxml's iterators take it, what else must hold of it, and of what it is in."""

    tag: str = "*"
    tests: list[Test] = field(default_factory=list)
    box: Test | None = None

    def among(self, elements: Iterable[Element]) -> Iterable[Element]:
        """Those of elements of the tag for which the rest holds."""
        for test in self.tests:
            elements = filter(test, elements)
        return elements if self.box is None else self._boxed(elements, self.box)

    @staticmethod
    def _boxed(elements: Iterable[Element], holds: Test) -> Iterable[Element]:
        known: dict[Element | None, bool] = {None: False}
        for element in elements:
            box = element.getparent()
            if box is not None and box not in known:
                known[box] = holds(box)
            if known[box]:
                yield element

    def test(self, element: Element) -> bool:
        return _is(element, self.tag) and some(self.among((element,)))


def _is(element: Element, tag: str) -> bool:
    return tag in ("*", element.tag) or (tag[:3] == "{*}" and _local(element) == tag[3:])


def _local(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def some(elements: Iterable[Element]) -> bool:
    """Whether there is one."""
    return next(iter(elements), None) is not None


Chain = list[tuple[str, _Compound]]
"""Compounds, each with the combinator before it."""


def _ahead(element: Element, steps: Chain) -> Iterable[Element]:
    """What the steps of a chain lead to from an element; some of it several times."""
    (combinator, compound), *rest = steps
    if combinator == ">":
        found: Iterable[Element] = element.iterchildren(compound.tag)
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
            compound.box = before.test if combinator == ">" else _within(before)
        else:
            compound.tests.append(_follows(before, 1 if combinator == "+" else None))
    return steps[-1][1]


def _within(compound: _Compound) -> Test:
    return lambda box: compound.test(box) or some(compound.among(box.iterancestors(compound.tag)))


def _follows(compound: _Compound, most: int | None) -> Test:
    return lambda element: any(map(compound.test, islice(element.itersiblings("*", preceding=True), most)))


class _Parser:
    def __init__(self, text: str, xml: bool = False) -> None:
        self.text = text
        self.xml = xml
        self.at = 0

    def branch(self) -> Branch:
        if self.text == ":scope":
            return lambda scope, walk: [scope]
        if not self.text.startswith(":scope"):
            compound = self.compound()
            return lambda scope, walk: compound.among(walk(compound.tag))
        self.at = len(":scope")
        chain = self._chain(leading=True)
        if all(combinator == ">" for combinator, _ in chain):
            return lambda scope, walk: _ahead(scope, chain)
        return lambda scope, walk: _in_order(scope, set(_ahead(scope, chain)))

    def compound(self) -> _Compound:
        """The compound of what a selector selects."""
        return _back(self._chain())

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
                into.tests.append(lambda element: _name(element) == f"{prefix}:{local}")
            else:
                into.tag = f"{{*}}{name}" if name != "*" and self.xml else name
        elif kind == "id":
            into.tests.append(lambda element: element.get("id") == name)
        elif kind == "cls":
            into.tests.append(_has_word("class", name))
        elif kind in ("attr", "val"):
            into.tests.append(_attribute(match["attr"], match["op"], match["val"]))
        elif kind in ("nth", "from"):
            if into.tag == "*" or self.xml:
                raise BadSelector("nth-of-type needs a tag")
            into.tests.append(_nth(into.tag, int(name) - 1, exactly=kind == "nth"))
        elif kind == "own":
            into.tests.append(lambda element: any(name in text for text in _texts(element)))
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


def _name(element: Element) -> str:
    """The name as it is written, its prefix before it."""
    local = _local(element)
    return f"{element.prefix}:{local}" if element.prefix else local


def _texts(element: Element) -> Iterable[str]:
    """The texts of an element's own."""
    return (text for text in (element.text, *(child.tail for child in element)) if text)


def _nth(tag: str, before: int, *, exactly: bool) -> Test:
    """A test for so many siblings of a tag before, or more: no more of them are counted than it takes."""

    def test(element: Element) -> bool:
        others = element.itersiblings(tag, preceding=True)
        count = sum(1 for _ in islice(others, max(0, before + 1)))
        return count == before if exactly else count >= before

    return test


def _has_word(name: str, word: str) -> Test:
    # The plain test comes first: it is cheap and rules out nearly everything.
    return lambda element: word in (said := element.get(name) or "") and word in said.split()


def _attribute(name: str, op: str | None, value: str | None) -> Test:
    def read(element: Element) -> str | None:
        return _prefixed(element, name) if prefixed else element.get(name)

    prefixed = ":" in name
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


def _prefixed(element: Element, name: str) -> str | None:
    """The value of an attribute whose name has a prefix, in XML that of a namespace."""
    prefix, _, local = name.partition(":")
    space = _XML if prefix == "xml" else element.nsmap.get(prefix)
    return element.get(f"{{{space}}}{local}" if space else name)


_XML = "http://www.w3.org/XML/1998/namespace"
