"""The part of CSS that the survey writes, evaluated on lxml trees: below an element, or below many at once.

What a selector selects here it selects in soupsieve on the same markup. Understood: type, id, class, attribute tests
(presence, =, ^=, $=, *=, ~=), :nth-of-type(n), :nth-of-type(n+k), :has(), :not(),
:-soup-contains-own("…"), :scope at the start, namespace prefixes, the four combinators and commas.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import cast

from lxml import etree

from scrapewright.survey.dom import Element, Tree

_IDENT = r"-?[A-Za-z_\u0080-\U0010ffff][\w\u0080-\U0010ffff-]*"
_TOKEN = re.compile(
    rf"""(?P<comb>\s*[>+~]\s*|\s+)
    |(?P<type>(?:{_IDENT}\|)?(?:{_IDENT}|\*))
    |\#(?P<id>{_IDENT})
    |\.(?P<cls>{_IDENT})
    |\[(?P<attr>[\w:.-]+)\s*(?:(?P<op>[\^$*~]?=)\s*"(?P<val>[^"\\]*)")?\s*\]
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
    found = _compiled(selector, True, xml)(scope)
    return cast("list[Element]", found)


def select_all(root: Element, selector: str, *, xml: bool = False) -> list[Element]:
    """Elements of the whole document that match, the root among them."""
    found = _compiled(selector, False, xml)(root.getroottree())
    return cast("list[Element]", found)


def selected(tree: Tree, selector: str) -> list[Element]:
    """The same of a survey's tree, looked up once."""
    if selector not in tree.selected:
        tree.selected[selector] = select_all(tree.elements[0], selector)
    return tree.selected[selector]


@lru_cache(maxsize=4096)
def _compiled(selector: str, scoped: bool, xml: bool) -> etree.XPath:
    branches = [_Parser(part, xml).branch(scoped) for part in members(selector)]
    return etree.XPath(" | ".join(branches), namespaces=None, smart_strings=False)


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


def _literal(value: str) -> str:
    return f"'{value}'" if "'" not in value else f'"{value}"'


def _before(tag: str, count: int, *, exactly: bool = False) -> str:
    """A test for so many siblings of a tag before, or more. Not by counting them: 10,000 rows took a minute."""
    if count < 0 and exactly:
        return "false()"
    enough = f"preceding-sibling::{tag}[{count}]" if count > 0 else "true()"
    return f"{enough} and not(preceding-sibling::{tag}[{count + 1}])" if exactly else enough


@dataclass
class _Compound:
    """A node test of XPath with its conditions."""

    node: str = "*"
    tests: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return self.node + "".join(f"[{test}]" for test in self.tests)


class _Parser:
    def __init__(self, text: str, xml: bool = False) -> None:
        self.text = text
        self.xml = xml
        self.at = 0

    def branch(self, scoped: bool) -> str:
        text = self.text
        if text.startswith(":scope"):
            if text == ":scope":
                return "self::*"
            self.at = len(":scope")
            return "self::node()" + self._forward(self._chain(leading=True))
        chain = self._chain()
        axis = "descendant::" if scoped else "descendant-or-self::"
        return f"{axis}{chain[-1][1]}{self._backward(chain)}"

    def _chain(self, leading: bool = False, until: str = "") -> list[tuple[str, _Compound]]:
        chain: list[tuple[str, _Compound]] = []
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
                into.tests.append(f"name() = {_literal(f'{prefix}:{local}')}")
            elif name != "*" and self.xml:
                into.tests.append(f"local-name() = {_literal(name)}")
            else:
                into.node = name
        elif kind == "id":
            into.tests.append(f"@id = {_literal(name)}")
        elif kind == "cls":
            # The plain test comes first: it is cheap and rules out nearly everything.
            into.tests.append(f"contains(@class, {_literal(name)}) and {_has_word('@class', name)}")
        elif kind in ("attr", "val"):
            into.tests.append(_attribute(match["attr"], match["op"], match["val"]))
        elif kind in ("nth", "from"):
            if into.node == "*":
                raise BadSelector("nth-of-type needs a tag")
            into.tests.append(_before(into.node, int(name) - 1, exactly=kind == "nth"))
        elif kind == "own":
            into.tests.append(f"text()[contains(., {_literal(name)})]")
        else:
            chain = self._chain(leading=name == "has", until=")")
            self.at += 1
            if name == "not" and chain[0][0]:
                raise BadSelector(self.text)
            backward = f"not(self::{chain[-1][1]}{self._backward(chain)})"
            into.tests.append(f".{self._forward(chain)}" if name == "has" else backward)

    @staticmethod
    def _forward(chain: list[tuple[str, _Compound]]) -> str:
        axes = {">": "/child::", "+": "/following-sibling::*[1]/self::", "~": "/following-sibling::"}
        return "".join(f"{axes.get(combinator, '/descendant::')}{compound}" for combinator, compound in chain)

    @staticmethod
    def _backward(chain: list[tuple[str, _Compound]]) -> str:
        axes = {">": "parent::", "+": "preceding-sibling::*[1]/self::", "~": "preceding-sibling::"}
        test = ""
        for (_, left), (combinator, _) in pairwise(chain):
            test = f"[{axes.get(combinator, 'ancestor::')}{left}{test}]"
        return test


def _has_word(node: str, word: str) -> str:
    return f"contains(concat(' ', normalize-space({node}), ' '), {_literal(f' {word} ')})"


def _attribute(name: str, op: str | None, value: str | None) -> str:
    node = f"@*[name() = {_literal(name)}]" if ":" in name else f"@{name}"
    if op is None or value is None:
        return node
    literal = _literal(value)
    return {
        "=": f"{node} = {literal}",
        "^=": f"starts-with({node}, {literal})",
        "*=": f"contains({node}, {literal})",
        "~=": _has_word(node, value),
        "$=": f"substring({node}, string-length({node}) - {len(value) - 1}) = {literal}",
    }[op]


# Below many elements at once: one look through the document instead of one for each of them.

MANY = 150
"""Fewer scopes than this are looked through one by one: that is quicker."""


class Within:
    """Scopes of one document or several, and what selectors select below each of them.

    Raises BadSelector or etree.XPathError for a selector that is not understood.
    """

    def __init__(self, scopes: Sequence[Element | None], *, xml: bool = False) -> None:
        self.scopes = scopes
        self.xml = xml
        self._known: dict[str, list[list[Element]]] = {}

    @cached_property
    def _owner(self) -> dict[Element, int]:
        """The number of the scope that each element lies in. Empty where one scope lies inside another."""
        owner: dict[Element, int] = {}
        count = 0
        for number, scope in enumerate(self.scopes):
            for element in scope.iter() if scope is not None else ():
                owner[element] = number
                count += 1
        return owner if len(owner) == count else {}

    @cached_property
    def _roots(self) -> list[Element]:
        return list(dict.fromkeys(scope.getroottree().getroot() for scope in self.scopes if scope is not None))

    def select(self, selector: str) -> list[list[Element]]:
        """For each scope the elements below it that match, in document order; none for a scope that is None."""
        if selector not in self._known:
            self._known[selector] = self._select(selector)
        return self._known[selector]

    def _select(self, selector: str) -> list[list[Element]]:
        if not selector:
            return [[scope] if scope is not None else [] for scope in self.scopes]
        if len(self.scopes) < MANY or ":scope" in selector or not self._owner or len(self._roots) > 2:
            return [select(scope, selector, xml=self.xml) if scope is not None else [] for scope in self.scopes]
        found: list[list[Element]] = [[] for _ in self.scopes]
        for root in self._roots:
            for element in select_all(root, selector, xml=self.xml):
                number = self._owner.get(element)
                if number is not None and element is not self.scopes[number]:
                    found[number].append(element)
        return found
