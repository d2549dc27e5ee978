"""Selectors for a set of records in the whole document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec
from lxml import etree

from scrapewright.survey import css, tables
from scrapewright.survey.dom import classes_of, stability
from scrapewright.survey.relative import fragility

Element = etree._Element


class Located(msgspec.Struct, frozen=True):
    """A selector, what it selects, and whether that is exactly the set that was asked for."""

    selector: str
    members: list[Element]
    exact: bool


def locate(root: Element, wanted: Sequence[Element]) -> Located | None:
    """The most robust selector that selects exactly `wanted`, else the nearest one. None where nothing is near."""
    target = set(wanted)
    best: tuple[float, str, list[Element]] | None = None
    near: list[tuple[float, str, list[Element]]] = []
    for selector in dict.fromkeys(_bases(root, wanted)):
        found = _select(root, selector)
        if not found:
            continue
        hit = sum(1 for element in found if element in target)
        if hit == len(target) == len(found):
            cost = fragility(selector)
            if best is None or cost < best[0]:
                best = (cost, selector, found)
            if cost < 0.5:
                break
        elif hit == len(target):
            near.append((len(found) / hit + fragility(selector) * 0.1, selector, found))
    if best is not None and best[0] < 1.0:
        return Located(best[1], best[2], True)
    near.sort(key=lambda item: item[0])
    for _, selector, found in near[:4]:
        extra = [element for element in found if element not in target]
        for refined in _refinements(selector, wanted, extra):
            if best is not None and fragility(refined) + 0.3 >= best[0]:
                continue
            if set(_select(root, refined)) == target:
                best = (fragility(refined) + 0.3, refined, list(wanted))
                break
        if best is not None:
            break
    if best is not None:
        return Located(best[1], best[2], True)
    for selector in _paths(wanted):
        found = _select(root, selector)
        if set(found) == target:
            return Located(selector, found, True)
    if near and len(near[0][2]) <= len(target) * 1.5 + 1:
        return Located(near[0][1], near[0][2], False)
    return None


def _select(root: Element, selector: str) -> list[Element]:
    try:
        return css.select_all(root, selector)
    except (css.BadSelector, etree.XPathError):
        return []


def _common_classes(elements: Sequence[Element]) -> list[str]:
    shared = set(classes_of(elements[0]))
    for element in elements[1:]:
        shared &= set(classes_of(element))
    ordered = [name for name in classes_of(elements[0]) if name in shared and css.is_identifier(name)]
    return sorted((n for n in ordered if stability(n) or not n[-1].isdigit()), key=lambda name: -stability(name))


def _compounds(elements: Sequence[Element]) -> Iterator[str]:
    """Compounds that all the elements match, most telling first."""
    tag = str(elements[0].tag)
    names = [name for name in _common_classes(elements) if stability(name)]
    for name in names:
        yield f"{tag}.{name}"
    for k, one in enumerate(names[:3]):
        for two in names[k + 1 : 4]:
            yield f"{tag}.{one}.{two}"
    for attr in ("itemtype", "itemprop", "data-testid", "typeof", "data-component", "role"):
        value = elements[0].get(attr)
        if value and '"' not in value and all(element.get(attr) == value for element in elements):
            yield f'{tag}[{attr}="{value}"]' if attr == "role" else f'[{attr}="{value}"]'
    for attr in (
        "data-id",
        "data-product-id",
        "data-item",
        "data-key",
        "data-index",
        "onclick",
        "bgcolor",
        "align",
        "valign",
        "height",
        "itemscope",
    ):
        if all(element.get(attr) is not None for element in elements):
            yield f"{tag}[{attr}]"
    ends = {(element.get("href") or "").rpartition(".")[2] for element in elements} if tag == "a" else set()
    if len(ends) == 1 and (end := ends.pop()).isalnum() and len(end) <= 4:
        yield f'a[href$=".{end}"]'
    stem = _id_stem([element.get("id") or "" for element in elements])
    if stem:
        yield f'{tag}[id^="{stem}"]'
    for name in _common_classes(elements):
        if not stability(name):
            yield f"{tag}.{name}"
    yield tag


def _id_stem(ids: Sequence[str]) -> str:
    first, last = min(ids), max(ids)
    n = 0
    while n < min(len(first), len(last)) and first[n] == last[n] and not first[n].isdigit():
        n += 1
    return first[:n] if n >= 3 and '"' not in first[:n] else ""


def _bases(root: Element, wanted: Sequence[Element]) -> Iterator[str]:
    compounds = list(_compounds(wanted))
    yield from compounds
    ends = compounds[:2] + [c for c in compounds[-1:] if c not in compounds[:2]]
    parents = [element.getparent() for element in wanted]
    chain: list[str] = []
    level = list(dict.fromkeys(parent for parent in parents if parent is not None))
    for depth in range(8):
        if not level or level[0].tag in ("body", "html") or len({element.tag for element in level}) != 1:
            break
        for name in _identities(level):
            for end in ends:
                if depth:
                    yield f"{name} {end}"
                    yield " > ".join([name, *reversed(chain), end])
                else:
                    yield f"{name} > {end}"
        chain.append(str(level[0].tag))
        above = [element.getparent() for element in level]
        level = list(dict.fromkeys(parent for parent in above if parent is not None))
    if chain:
        for end in ends:
            yield " > ".join([*reversed(chain[:2]), end])
    yield from (f"body > {end}" for end in ends if any(p is not None and p.tag == "body" for p in parents))


def _identities(elements: Sequence[Element]) -> list[str]:
    tag = str(elements[0].tag)
    out = []
    if len(elements) == 1:
        identifier = elements[0].get("id") or ""
        if css.is_identifier(identifier) and stability(identifier) >= 1:
            out.append(f"#{identifier}")
        if tag in ("main", "article"):
            out.append(tag)
    names = _common_classes(elements)
    out.extend(f"{tag}.{name}" for name in names[:3] if stability(name))
    if tag in ("ul", "ol", "table", "dl", "tbody", "pre", "section"):
        out.append(tag)
    return out


def _refinements(selector: str, wanted: Sequence[Element], extra: Sequence[Element]) -> Iterator[str]:
    """The selector with a condition that the wanted elements meet and the others do not."""
    tag = str(wanted[0].tag)
    bad = set(classes_of(extra[0])) if extra else set()
    for element in extra[1:]:
        bad &= set(classes_of(element))
    for element in wanted:
        bad -= set(classes_of(element))
    for name in sorted(bad, key=lambda n: (-stability(n), n)):
        if css.is_identifier(name):
            yield f"{selector}:not(.{name})"
    some = wanted[:20]
    full = set(_inside(some[0]))
    for element in some[1:]:
        full &= set(_inside(element))
    outside: set[str] = set()
    for element in extra[:20]:
        outside |= set(_inside(element))
    telling = [name for name in full if name not in outside]
    for name in sorted(telling, key=lambda n: (fragility(n) + 0.5 * n.count(">"), n))[:8]:
        yield f"{selector}:has({name})"
    if tag == "tr" and not any(child.tag == "th" for element in wanted for child in element):
        yield f"{selector}:has(> td)"
    if tag == "tr":
        yield from _without_sums(selector, extra)
    before = _leading(wanted)
    if before:
        yield f"{selector}:nth-of-type(n+{before + 1})"
    if telling or not extra:
        return
    for name in sorted(full, key=lambda n: (fragility(n), n))[:6]:
        if before:
            yield f"{selector}:has({name}):nth-of-type(n+{before + 1})"


def _without_sums(selector: str, extra: Sequence[Element]) -> Iterator[str]:
    """Rows of data without those that add them up, by the word that these say ("Total")."""
    sums = [row for row in extra if tables.is_summary(row)]
    said: dict[str, str] = {}
    for row in sums:
        leaf = next((e for e in row.iter() if isinstance(e.tag, str) and (e.text or "").strip()), None)
        text = " ".join((leaf.text or "").split()) if leaf is not None else ""
        if leaf is None or not text or len(text) > 40 or '"' in text or "\\" in text:
            return
        said[text] = str(leaf.tag)
    if 0 < len(said) <= 3:
        lacks = "".join(f':not(:has({tag}:-soup-contains-own("{text}")))' for text, tag in said.items())
        yield selector + lacks
        yield f"{selector}:has(> td){lacks}"


def _leading(wanted: Sequence[Element]) -> int:
    """How many siblings of the same tag are before the first wanted one under each parent, if always as many."""
    first: dict[Element, int] = {}
    for element in wanted:
        parent = element.getparent()
        if parent is not None and parent not in first:
            first[parent] = sum(1 for _ in element.itersiblings(str(element.tag), preceding=True))
    counts = set(first.values())
    return counts.pop() if len(counts) == 1 else 0


def _inside(element: Element) -> Iterator[str]:
    for number, child in enumerate(element):
        if isinstance(child.tag, str) and number < 30:
            yield from _condition(child, "> ")
    count: Counter[str] = Counter(str(child.tag) for child in element)
    for tag, n in count.items():
        if tag in ("td", "th", "div", "span", "a"):
            for k in range(2, min(n, 12) + 1):
                yield f"> {tag}:nth-of-type({k})"
    for number, below in enumerate(element.iterdescendants()):
        if number > 40:
            break
        if isinstance(below.tag, str):
            yield from _condition(below, "")


def _condition(element: Element, lead: str) -> Iterator[str]:
    tag = str(element.tag)
    for name in classes_of(element):
        if stability(name) and css.is_identifier(name):
            yield f"{lead}{tag}.{name}"
    if element.get("itemprop"):
        yield f'{lead}[itemprop="{element.get("itemprop")}"]'
    if tag == "a" and element.get("href"):
        yield f"{lead}a[href]"
    for attr in ("colspan", "align", "valign", "headers"):
        value = element.get(attr)
        if value and value.isalnum():
            yield f'{lead}{tag}[{attr}="{value}"]'
    yield f"{lead}{tag}"


def _paths(wanted: Sequence[Element]) -> Iterator[str]:
    """Paths from the body with positions above the place where the members part."""
    chain = []
    for steps in zip(*(_up(element) for element in wanted), strict=False):
        tags = {str(element.tag) for element in steps}
        if len(tags) != 1:
            return
        chain.append(steps)
    positioned = []
    for steps in chain:
        element = steps[0]
        tag = str(element.tag)
        if len(set(steps)) == 1 and tag not in ("body",):
            before = sum(1 for _ in element.itersiblings(tag, preceding=True))
            after = next(element.itersiblings(tag), None) is not None
            positioned.append(f"{tag}:nth-of-type({before + 1})" if before or after else tag)
        else:
            positioned.append(tag)
    yield " > ".join(positioned)
    leading = _leading(wanted)
    if leading:
        yield " > ".join(positioned) + f":nth-of-type(n+{leading + 1})"


def _up(element: Element) -> list[Element]:
    chain = [element, *element.iterancestors()]
    return [e for e in reversed(chain) if e.tag != "html"]
