"""A page as a tree: elements with tag, id, classes and text, or a JSON answer; folded so that the records are seen."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any

from scrapewright.survey import css
from scrapewright.survey.dom import HEADINGS, INLINE, own_text, squeeze, stability, word_set
from scrapewright.tui.view.cells import flat
from scrapewright.tui.view.spans import QUIET, Spans

ALIKE = 4
"""Siblings of one shape from which on only the first few are shown."""
SHOWN = 3
MORE = 40
"""How many more of them come at once."""
TEXT = 90
MANY = 200
"""Children from which on an element's own text is not looked for between them."""
SCALARS = 40
_BOILERPLATE = word_set("head nav header footer aside svg form iframe noscript select template")
_LEAVES = frozenset(
    (*HEADINGS, *INLINE, "p", "td", "th", "dt", "dd", "label", "figcaption", "time", "button", "option")
)
_SHOWN = ("href", "src", "datetime", "content", "itemprop", "alt", "title", "value", "type", "name", "rel")


class Nodes(ABC):
    """What a tree is made of."""

    @abstractmethod
    def roots(self) -> list[Any]: ...

    @abstractmethod
    def key(self, node: Any) -> Hashable: ...

    @abstractmethod
    def children(self, node: Any) -> list[Any]: ...

    @abstractmethod
    def has_children(self, node: Any) -> bool:
        """Quick, however many there are."""

    @abstractmethod
    def parent(self, node: Any) -> Any:
        """None for a root."""

    @abstractmethod
    def shape(self, node: Any) -> Hashable:
        """Siblings of the same shape are records of one kind; None is like nothing."""

    @abstractmethod
    def label(self, node: Any, *, folded: bool) -> Spans: ...

    @abstractmethod
    def starts_folded(self, node: Any, depth: int) -> bool: ...


@dataclass(frozen=True)
class Line:
    """A line of the tree: a node, or (`more`) so many siblings that are not shown, from the node on."""

    node: Any
    depth: int
    more: int = 0


class Tree:
    """The lines that are unfolded, as a sequence of spans. `tags` are words before what a node is, by its key."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self.tags: dict[Hashable, str] = {}
        self._folds: dict[Hashable, bool] = {}
        self._shown: dict[Hashable, int] = {}
        """Of a run of siblings, by its first one's key: how many are shown."""
        self._grouped: dict[Hashable, list[tuple[Hashable, list[Any]]]] = {}
        self.lines: list[Line] = []
        self.width = 400
        self.lay()

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, row: int) -> Spans:
        line = self.lines[row]
        margin = "  " * min(line.depth, 24)
        if line.more:
            named = "".join(text for text, _ in self.nodes.label(line.node, folded=True)[:3])
            return [(f"{margin}  … {line.more:,} more like this: ", "$warning"), (named, QUIET)]
        key = self.nodes.key(line.node)
        children = self.nodes.has_children(line.node)
        folded = self._is_folded(line.node, line.depth)
        sign = "▸ " if children and folded else "▾ " if children else "  "
        spans: Spans = [(margin + sign, QUIET)]
        if key in self.tags:
            spans.append((f"{self.tags[key]} ◂ ", "bold $warning"))
        spans += self.nodes.label(line.node, folded=folded and children)
        return [span for span in spans if span[0]]

    def node(self, row: int) -> Any:
        """The node on a row, None where there is none."""
        return self.lines[row].node if 0 <= row < len(self.lines) and not self.lines[row].more else None

    def toggle(self, row: int) -> bool:
        """Folds, unfolds, or shows more of the siblings. Says whether anything changed."""
        if not 0 <= row < len(self.lines):
            return False
        line = self.lines[row]
        if line.more:
            first = self._first_of_run(line.node)
            self._shown[first] = self._shown.get(first, SHOWN) + MORE
        elif self.nodes.has_children(line.node):
            self._folds[self.nodes.key(line.node)] = not self._is_folded(line.node, line.depth)
        else:
            return False
        self.lay()
        return True

    def is_folded(self, row: int) -> bool:
        """Whether more is to be seen there, of an element or of its siblings."""
        if not 0 <= row < len(self.lines):
            return False
        line = self.lines[row]
        return bool(line.more) or (self.nodes.has_children(line.node) and self._is_folded(line.node, line.depth))

    def reveal(self, node: Any) -> int:
        """Unfolds what is above the node, and the node; returns its row."""
        above = node
        while above is not None:
            self._folds[self.nodes.key(above)] = False
            first, place = self._place_in_run(above)
            if place >= self._shown.get(first, SHOWN):
                self._shown[first] = place + SHOWN
            above = self.nodes.parent(above)
        self.lay()
        return self.row_of(node)

    def row_of(self, node: Any) -> int:
        """The row of a node, 0 where it is not to be seen."""
        wanted = self.nodes.key(node)
        found = (n for n, line in enumerate(self.lines) if not line.more and self.nodes.key(line.node) == wanted)
        return next(found, 0)

    def below(self, row: int) -> range:
        """The rows of a node and all that is seen below it."""
        end = row + 1
        while end < len(self.lines) and self.lines[end].depth > self.lines[row].depth:
            end += 1
        return range(row, end)

    def lay(self) -> None:
        """Works out which lines are seen."""
        self.lines = []
        waiting: list[Line] = [Line(root, 0) for root in reversed(self.nodes.roots())]
        while waiting:
            line = waiting.pop()
            self.lines.append(line)
            if line.more or self._is_folded(line.node, line.depth):
                continue
            waiting += reversed(self._children(line.node, line.depth + 1))

    def _children(self, node: Any, depth: int) -> list[Line]:
        found: list[Line] = []
        for shape, members in self._runs(node):
            shown = len(members)
            if shape is not None and len(members) >= ALIKE:
                shown = self._shown.get(self.nodes.key(members[0]), SHOWN)
                for number, member in enumerate(members):
                    self._folds.setdefault(self.nodes.key(member), number > 0)
            found += [Line(member, depth) for member in members[:shown]]
            if len(members) > shown:
                found.append(Line(members[shown], depth, len(members) - shown))
        return found

    def _runs(self, node: Any) -> list[tuple[Hashable, list[Any]]]:
        """The children of a node, in runs of one shape. Kept: there may be very many."""
        key = self.nodes.key(node)
        if key not in self._grouped:
            grouped = groupby(self.nodes.children(node), self.nodes.shape)
            self._grouped[key] = [(shape, list(run)) for shape, run in grouped]
        return self._grouped[key]

    def _is_folded(self, node: Any, depth: int) -> bool:
        key = self.nodes.key(node)
        return self._folds[key] if key in self._folds else self.nodes.starts_folded(node, depth)

    def _first_of_run(self, node: Any) -> Hashable:
        return self._place_in_run(node)[0]

    def _place_in_run(self, node: Any) -> tuple[Hashable, int]:
        """(key of the first of the siblings of its shape that it is among, its place there)."""
        parent = self.nodes.parent(node)
        key = self.nodes.key(node)
        for _, members in self._runs(parent) if parent is not None else []:
            for place, member in enumerate(members):
                if self.nodes.key(member) == key:
                    return self.nodes.key(members[0]), place
        return key, 0


class HtmlNodes(Nodes):
    """The elements of a document. What only wraps one element is on that one's line."""

    def __init__(self, root: Any) -> None:
        self._root = root

    def roots(self) -> list[Any]:
        return [self._root]

    def key(self, node: Any) -> Hashable:
        key: Hashable = node
        return key

    def children(self, node: Any) -> list[Any]:
        return [child for child in node if isinstance(child.tag, str)]

    def has_children(self, node: Any) -> bool:
        return any(isinstance(child.tag, str) for child in node)

    def parent(self, node: Any) -> Any:
        return node.getparent() if node is not self._root else None

    def shape(self, node: Any) -> Hashable:
        return node.tag, next(iter((node.get("class") or "").split()), "")

    def label(self, node: Any, *, folded: bool) -> Spans:
        spans: Spans = [(flat(str(node.tag).rpartition("}")[2]), "bold $primary")]
        if identifier := node.get("id"):
            spans.append((f"#{flat(identifier)[:40]}", "$warning"))
        if classes := (node.get("class") or "").split():
            spans.append(("".join(f".{flat(name)}" for name in classes)[:80], "$accent"))
        for name in _SHOWN:
            if value := node.get(name):
                spans.append((f" {name}={flat(value)[:60]}", QUIET))
        said = ""
        if folded or not self.has_children(node):
            said = _beginning(node)
        elif next(islice(node, MANY, None), None) is None:  # len() counts them all
            said = own_text(node)
        if said:
            cut = flat(said)[:TEXT] + ("…" if len(said) > TEXT else "")
            spans.append((f"  “{cut}”", ""))
        return spans

    def starts_folded(self, node: Any, depth: int) -> bool:
        return node.tag in _BOILERPLATE or (depth > 1 and node.tag in _LEAVES and not own_text(node) and len(node) > 8)


class JsonNodes(Nodes):
    """The values of a JSON answer; a node is (path, value), a path the keys and indices that lead there."""

    def __init__(self, data: Any) -> None:
        self._data = data

    def roots(self) -> list[Any]:
        return [((), self._data)]

    def key(self, node: Any) -> Hashable:
        path: tuple[Any, ...] = node[0]
        return path

    def children(self, node: Any) -> list[Any]:
        path, value = node
        if isinstance(value, dict):
            return [((*path, key), item) for key, item in value.items()]
        if isinstance(value, list):
            return [((*path, place), item) for place, item in enumerate(value)]
        return []

    def has_children(self, node: Any) -> bool:
        return _holds(node[1]) and bool(node[1])

    def parent(self, node: Any) -> Any:
        path = node[0]
        if not path:
            return None
        value = self._data
        for step in path[:-1]:
            value = value[step]
        return path[:-1], value

    def shape(self, node: Any) -> Hashable:
        path, value = node
        if not path or not isinstance(path[-1], int):
            return None
        return type(value).__name__

    def label(self, node: Any, *, folded: bool) -> Spans:
        path, value = node
        name = flat(str(path[-1])) if path else ""
        head: Spans = [(name, "$accent" if path and isinstance(path[-1], str) else QUIET)] if name else []
        head += [(": ", QUIET)] if name else []
        if isinstance(value, dict):
            shown = islice(value.items(), SCALARS) if folded else ()
            said = ", ".join(f"{key}: {_scalar(item)}" for key, item in shown if not _holds(item))
            return [*head, (f"{{{len(value):,}}}", QUIET), (f"  {flat(said)[:TEXT]}" if folded else "", "")]
        if isinstance(value, list):
            return [*head, (f"[{len(value):,}]", QUIET)]
        return [*head, (flat(_scalar(value))[:400], "$success" if isinstance(value, str) else "$primary")]

    def starts_folded(self, node: Any, depth: int) -> bool:
        return depth > 6


def _beginning(node: Any) -> str:
    """The first characters of all that an element says."""
    said: list[str] = []
    length = 0
    for text in node.itertext():
        said.append(text)
        length += len(text.strip())
        if length > TEXT:
            break
    return squeeze(" ".join(said))


def _holds(value: Any) -> bool:
    return isinstance(value, (dict, list))


def _scalar(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if not _holds(value) else ""


def selector_of(node: Any, root: Any) -> str:
    """A short selector for an element: its tag with id or classes, below the nearest ancestor with an id or class."""
    own = _compound(node)
    if "." in own or "#" in own or node is root:
        return own
    above = node.getparent()
    while above is not None and above is not root:
        said = _compound(above)
        if "." in said or "#" in said:
            return f"{said} > {own}" if above is node.getparent() else f"{said} {own}"
        above = above.getparent()
    return own


def _compound(node: Any) -> str:
    tag = str(node.tag).rpartition("}")[2]
    names = [name for name in (node.get("class") or "").split() if css.is_identifier(name)]
    best: Sequence[str] = [name for name in names if stability(name) == 2] or names
    if best:
        return f"{tag}.{best[0]}"
    identifier = node.get("id") or ""
    return f"{tag}#{identifier}" if identifier and css.is_identifier(identifier) else tag
