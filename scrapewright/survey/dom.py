"""A flat index of a parsed page, and the texts, regions and names that every part of the survey asks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import takewhile
from operator import attrgetter
from typing import cast

from lxml import etree

from scrapewright.query.lexicon import concepts_of, tokens
from scrapewright.query.lexicon import word_set as word_set

Element = etree._Element

FRAME = ("nav", "header", "footer", "aside")
"""The regions of a page that are around what it is about."""
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
INLINE = word_set("a abbr b bdi bdo big br cite code em font i img mark q s small span strong sub sup time tt u wbr")
_REGIONS = {"nav": "nav", "header": "header", "footer": "footer", "aside": "aside", "main": "main", "article": "main"}
_ROLES = {
    "navigation": "nav", "menu": "nav", "menubar": "nav", "banner": "header", "contentinfo": "footer",
    "complementary": "aside", "main": "main",
}  # fmt: skip
_OF_PAGE = r"(?:site|page|global|main|layout|left|right|primary|secondary|l)[-_]+"
"""What a class of the page's own frame begins with: an article's header, a card's footer are none."""
_REGION_WORDS = {
    region: re.compile(rf"(?:{begins})(?:{words})(?:$|[-_ ])", re.I)
    for region, begins, words in (
        ("nav", "^|[-_ ]", "nav|navbar|navigation|menu|submenu|breadcrumbs?|pagination|pager|tabs|toolbar"),
        ("footer", rf"(?:^| )(?:{_OF_PAGE})?", "footer"),
        ("header", rf"(?:^| )(?:{_OF_PAGE})?", "header|masthead|topbar"),
        ("aside", rf"(?:^| )(?:{_OF_PAGE})?", "sidebar|aside|widget"),
    )
}

_STATE = word_set(
    "active first last odd even alt selected current hover open closed hidden visible disabled enabled "
    "clearfix new hot sale featured sticky collapsed expanded show hide in fade on off js lazy lazyload "
    "lazyloaded loaded cf clear left right center top bottom start end is-active even-row odd-row "
    "row-even row-odd first-child last-child"
)
_LAYS_OUT = word_set(
    "col row span offset order w h p mt mb ml mr mx my pt pb pl pr px py g gap grid flex d float pull push text "
    "font bg border rounded shadow align justify items self block inline table container wrapper wrap inner outer "
    "position relative absolute overflow leading tracking space divide z opacity cursor u l min max visible hidden "
    "sm md lg xl xs large small medium desktop mobile tablet size btn button clickable no has fs fw lh"
)
"""What a class begins with that says how its element is laid out or looks."""
_PLAIN = word_set("text size order position offset table button")
_HASHED = re.compile(
    r"^(?:css|sc|jss|emotion|styled|svelte|astro|ng|v|data-v)-?[\w-]*\d[\w-]*$|^_?[A-Za-z0-9]{0,3}\d[A-Za-z0-9]*[a-z]\d|"
    r"(?:__|^sc-|^css-)(?=\w*(?:\d|[a-z][A-Z]|[A-Z]{2}))\w{4,7}$|"
    r"^(?=[A-Za-z]{5,7}$)(?:[A-Z]*[a-z]+[A-Z]+){3}[a-z]*$|"
    r"^[a-f0-9]{6,}$|\d{3,}|[-_]\d+$|^\d"
)
_MODULE = re.compile(
    r"^(?:([A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)*__)(?=\w*(?:\d|[a-z][A-Z]|[A-Z]{2}))\w{5,7}"
    r"|(_[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)*_)\w{5}_\d+"
    r"|([A-Za-z][A-Za-z0-9-]*-module--[A-Za-z0-9-]+--)\w{5,7})$"
)
"""As the bundlers of CSS modules write them: "Price_now__Hq8zW", "_now_1x9qf_27", "price-module--now--1a2b3"."""
_WORDS = re.compile(r"[^\W\d_]{2,}")


def squeeze(text: str) -> str:
    """White space as one blank, none at the ends."""
    return " ".join(text.split())


def shared_start(texts: Sequence[str]) -> str:
    """What all of the texts begin with."""
    first, last = min(texts), max(texts)
    return "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))


def text_of(element: Element) -> str:
    """As `" ".join(tag.get_text(" ").split())` in bs4."""
    return " ".join(
        (" ".join(cast("Iterator[str]", element.itertext())) if len(element) else element.text or "").split()
    )


def own_text(element: Element) -> str:
    """The element's own text nodes, not its children's."""
    return squeeze(" ".join([element.text or "", *(child.tail or "" for child in element)]))


def value_of(element: Element, attr: str, own: bool = False) -> str:
    """What a slot reads of an element: "text" (`own`: but its children's), "head" before its first child, "tail" right
    behind it, or an attribute."""
    if attr == "text":
        return own_text(element) if own else text_of(element)
    said = element.tail if attr == "tail" else element.text if attr == "head" else element.get(attr)
    return squeeze(said or "")


def drawn_label(element: Element) -> tuple[str, str]:
    """The attribute that says what an icon in an element stands for, and what it says: ("title", "Phone")."""
    for inner in element.iterdescendants():
        for name in ("title", "aria-label", "alt"):
            if said := squeeze(inner.get(name) or ""):
                return name, said
    return "", ""


def classes_of(element: Element) -> tuple[str, ...]:
    return tuple((element.get("class") or "").split())


@lru_cache(maxsize=16384)
def stability(name: str) -> int:
    """How well a class or id names a thing: 2 semantic, 1 utility, 0 hashed, numbered or a state."""
    if len(name) < 2 or name.lower() in _STATE or not re.match(r"^-?[A-Za-z_\u0080-\uffff][\w-]*$", name):
        return 0
    if _HASHED.search(name) or module_of(name):
        return 0
    return 1 if _is_utility(name.lower()) else 2


@lru_cache(maxsize=16384)
def module_of(name: str) -> str:
    """What stays of a class that a build names by component, element and hash ("Price_now__Hq8zW"): all up to the
    hash. "" where it is no such class."""
    found = _MODULE.match(name)
    return found[found.lastindex or 0] if found else ""


def _is_utility(name: str) -> bool:
    """Whether a class says how its element looks, and not what it is: "col-md-6", "text-muted"; "text-title" does."""
    head, *rest = re.split("[-_]+", name)
    return name not in _PLAIN and head in _LAYS_OUT and not concepts_of(rest[-1:])


def stable_classes(element: Element) -> tuple[str, ...]:
    """Classes worth a selector, semantic ones first, in the order of the attribute."""
    return _stable(element.get("class") or "")


@lru_cache(maxsize=4096)
def _stable(classes: str) -> tuple[str, ...]:
    names = [(stability(name), name) for name in classes.split()]
    return tuple(name for level in (2, 1) for rank, name in names if rank == level)


@lru_cache(maxsize=16384)
def words_of(name: str) -> tuple[str, ...]:
    """A class, id or attribute value as words of letters: "product-Price__now" gives product, price, now."""
    return tuple(word for part in tokens(name) for word in _WORDS.findall(part))


class Named(dict[str, list[Element]]):
    """Elements by tag ("li"), class (".item", "li.item") and attribute ("[href]", "a[href]"); all of them for "*"."""

    def __init__(self, elements: Iterable[Element], tag_of: Callable[[Element], object] = attrgetter("tag")) -> None:
        self._tag_of = tag_of
        self["*"] = every = list(elements)
        for element in every:
            for key in (str(tag_of(element)), *{f".{name}" for name in (element.get("class") or "").split()}):
                if key in self:
                    self[key].append(element)
                else:
                    self[key] = [element]

    def __missing__(self, key: str) -> list[Element]:
        """Few attributes, and few classes with a tag, are asked for: they are looked for then."""
        tag, mark, name = re.split(r"([.\[]|$)", key, maxsplit=1)
        found = self[mark + name] if tag and mark else self["*"] if mark == "[" else []
        if tag:
            found = [element for element in found if self._tag_of(element) == tag]
        elif mark == "[":
            found = [element for element in found if element.get(name[:-1]) is not None]
        self[key] = found
        return found


class Tree:
    """Elements in document order with parents, subtree ends, tag paths and text sizes.

    Positions are indexes into `elements`; the subtree of `i` is `range(i, end[i])`. `path[i]` numbers the tag path from
    the body without positions, so that elements of one path share a number. `size[i]` is the length of the text
    below, `linked[i]` of that in links.
    """

    def __init__(self, body: Element) -> None:
        self.elements: list[Element] = []
        self.parent: list[int] = []
        self.depth: list[int] = []
        self.end: list[int] = []
        self.path: list[int] = []
        self.tags: list[str] = []
        self.own: list[int] = []
        self.position: dict[Element, int] = {}
        self.selected: dict[str, list[Element]] = {}
        """What selectors were found to select, kept by `css.selected`."""
        self._regions: dict[int, str] = {}
        paths: dict[tuple[int, str], int] = {}
        for element in body.iter():
            box, tag = element.getparent(), cast("object", element.tag)
            parent = self.position[box] if self.elements and box is not None else -1
            if parent >= 0 and (tail := element.tail):
                self.own[parent] += len(tail.strip())
            if not isinstance(tag, str):
                continue
            i = self.position[element] = len(self.elements)
            self.elements.append(element)
            self.parent.append(parent)
            self.depth.append(self.depth[parent] + 1 if i else 0)
            self.end.append(i + 1)
            self.tags.append(tag)
            self.path.append(paths.setdefault((self.path[parent] if i else -1, tag), len(paths)))
            self.own.append(len(text.strip()) if (text := element.text) else 0)
        for i in range(len(self) - 1, 0, -1):
            self.end[self.parent[i]] = max(self.end[self.parent[i]], self.end[i])
        self.size = self._summed(self.own)
        self.linked = self._summed([size if tag == "a" else 0 for tag, size in zip(self.tags, self.size, strict=True)])

    def _summed(self, own: list[int]) -> list[int]:
        """What the elements have of their own with what is in those below them."""
        whole = list(own)
        for i in range(len(whole) - 1, 0, -1):
            whole[self.parent[i]] += whole[i]
        return whole

    @cached_property
    def named(self) -> Named:
        """All elements of the document, also outside of the body, by their tags, classes and attributes."""
        return Named(self.elements[0].getroottree().getroot().iter("*"))

    def __len__(self) -> int:
        return len(self.elements)

    def behind(self, i: int) -> Iterator[int]:
        """The siblings behind an element, nearest first."""
        sibling, parent, ends = self.end[i], self.parent[i], self.end
        while sibling < len(ends) and self.parent[sibling] == parent:
            yield sibling
            sibling = ends[sibling]

    def contains(self, outer: int, inner: int) -> bool:
        return outer < inner < self.end[outer]

    def ancestors(self, i: int) -> Iterator[int]:
        i = self.parent[i]
        while i >= 0:
            yield i
            i = self.parent[i]

    def region(self, i: int) -> str:
        """The nearest landmark: main, nav, header, footer, aside, or empty. Class and id words count as a weak sign."""
        way = []
        while i >= 0 and i not in self._regions:
            way.append(i)
            i = self.parent[i]
        found = self._regions.get(i, "")
        for j in reversed(way):
            found = self._regions[j] = self._landmark(j) or found
        return found

    def _landmark(self, i: int) -> str:
        """What landmark an element is by itself, or seems to be by its class and id; "" for none."""
        element = self.elements[i]
        found = _ROLES.get(element.get("role") or "") or _REGIONS.get(self.tags[i]) or ""
        if found == "header" and self.depth[i] > 3:
            found = ""
        if not found and self.tags[i] not in ("body", "html"):
            found = _region_called(f"{element.get('class') or ''} {element.get('id') or ''}")
            # A word in a class is a weak sign: a wrapper of the page, or a menu of dishes, is no navigation.
            if self.size[i] > self.size[0] * 0.6 or (found == "nav" and self.linked[i] < 0.5 * self.size[i]):
                found = ""
        return found


@lru_cache(maxsize=4096)
def _region_called(label: str) -> str:
    return next((name for name, pattern in _REGION_WORDS.items() if pattern.search(label)), "")
