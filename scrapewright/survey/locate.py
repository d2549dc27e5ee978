"""Selectors for a set of records in the whole document."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import combinations, takewhile

from scrapewright.survey import css, tables
from scrapewright.survey.dom import Element, Tree, classes_of, module_of, shared_start, stability, stable_classes
from scrapewright.survey.relative import fragility, of_module, positioned

_PRESENT = (
    "data-id", "data-product-id", "data-item", "data-key", "data-index", "onclick", "bgcolor", "align", "valign",
    "height", "itemscope",
)  # fmt: skip
"""Attributes that tell the elements that have them from others, whatever their values."""


def locate(tree: Tree, wanted: Sequence[Element]) -> tuple[str, list[Element]] | None:
    """The most robust selector that selects exactly `wanted`, else the nearest one, and what it selects. None where
    nothing is near."""
    target = set(wanted)
    best: tuple[float, str] | None = None
    near: list[tuple[float, str, str]] = []
    surplus: dict[str, list[Element]] = {}
    alike: dict[str, list[list[Element]]] = {}
    leading = cache(partial(_leading, wanted))
    for selector, end in dict.fromkeys(_bases(wanted)):
        if end not in surplus:
            found = css.selected(tree, end)
            surplus[end] = [element for element in found if element not in target]
            if len(found) == len(target) + len(surplus[end]):
                alike[end] = _alike(surplus[end])
        if end not in alike:
            continue
        cost, held = fragility(selector), set(css.matching(selector).among([kin[0] for kin in alike[end]]))
        if more := sum(len(kin) for kin in alike[end] if kin[0] in held):
            near.append(((len(target) + more) / len(target) + cost * 0.1, selector, end))
        elif best is None or cost < best[0]:
            best = cost, selector
            if cost < 0.5:
                break
    near.sort(key=lambda item: item[0])
    for _, selector, end in near[:4] if best is None or best[0] >= 1.0 else ():
        extra = list(css.matching(selector).among(surplus[end]))
        refined = ((fragility(one) + 0.3, one) for one in _refinements(selector, wanted, extra, leading))
        cheaper = (one for one in refined if best is None or one[0] < best[0])
        best = next((one for one in cheaper if _parts(one[1], wanted, extra)), best)
        if best is not None:
            break
    paths = (path for path in _paths(tree, wanted, leading) if set(css.selected(tree, path)) == target)
    if exact := best[1] if best else next(paths, ""):
        return exact, css.selected(tree, exact)
    found = css.selected(tree, near[0][1]) if near else []
    return (near[0][1], found) if 0 < len(found) <= len(target) * 1.5 + 1 else None


def _alike(elements: Sequence[Element]) -> list[list[Element]]:
    """The elements by what they are in: those of one kind no selector tells apart by the boxes around them."""
    kinds: dict[object, int] = {}
    known: dict[Element | None, int] = {None: 0}
    groups: defaultdict[int, list[Element]] = defaultdict(list)
    for element in elements:
        parent = element.getparent()
        above = takewhile(lambda box: box not in known, element.iterancestors()) if parent not in known else ()
        for box in reversed(list(above)):
            identifier = box.get("id") or ""
            signs = box.tag, stable_classes(box), identifier if stability(identifier) else ""
            known[box] = kinds.setdefault((known[box.getparent()], *signs), len(kinds) + 1)
        groups[known[parent]].append(element)
    return list(groups.values())


def _parts(selector: str, wanted: Sequence[Element], others: Sequence[Element]) -> bool:
    """Whether a selector selects of all these elements those that are wanted."""
    found = css.matching(selector)
    return not css.some(found.among(others)) and sum(1 for _ in found.among(wanted)) == len(wanted)


def _common_classes(elements: Sequence[Element]) -> list[str]:
    shared = set(classes_of(elements[0]))
    for element in elements if shared else ():
        shared.intersection_update(classes_of(element))
    ordered = [name for name in classes_of(elements[0]) if name in shared and css.is_identifier(name)]
    kept = (name for name in ordered if stability(name) or module_of(name) or not name[-1].isdigit())
    return sorted(kept, key=lambda name: -stability(name))


def _compounds(elements: Sequence[Element]) -> Iterator[str]:
    """Compounds that all the elements match, most telling first."""
    tag = str(elements[0].tag)
    names = [name for name in _common_classes(elements) if stability(name)]
    yield from (f"{tag}.{name}" for name in names)
    yield from (f"{tag}.{one}.{two}" for one, two in combinations(names[:4], 2))
    for attr in ("itemtype", "itemprop", "data-testid", "typeof", "data-component", "role"):
        value = elements[0].get(attr)
        if value and css.quotable(value) and all(element.get(attr) == value for element in elements):
            yield f'{tag}[{attr}="{value}"]' if attr == "role" else f'[{attr}="{value}"]'
    for attr in _PRESENT:
        if all(element.get(attr) is not None for element in elements):
            yield f"{tag}[{attr}]"
    stem = _id_stem([element.get("id") or "" for element in elements])
    if stem:
        yield f'{tag}[id^="{stem}"]'
    common = _common_classes(elements)
    yield from (tag + of_module(elements[0].get("class") or "", stem) for stem in filter(None, map(module_of, common)))
    yield from (f"{tag}.{name}" for name in common if not stability(name))
    yield tag


def _id_stem(ids: Sequence[str]) -> str:
    stem = "".join(takewhile(lambda char: not char.isdigit(), shared_start(ids)))
    return stem if len(stem) >= 3 and css.quotable(stem) else ""


def _bases(wanted: Sequence[Element]) -> Iterator[tuple[str, str]]:
    """Selectors that select all of the wanted elements, each with its last compound."""
    compounds = list(_compounds(wanted))
    yield from zip(compounds, compounds, strict=True)
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
                    yield f"{name} {end}", end
                yield " > ".join([name, *reversed(chain), end]), end
        chain.append(str(level[0].tag))
        above = [element.getparent() for element in level]
        level = list(dict.fromkeys(parent for parent in above if parent is not None))
    if chain:
        for end in ends:
            yield " > ".join([*reversed(chain[:2]), end]), end
    yield from ((f"body > {end}", end) for end in ends if all(p is not None and p.tag == "body" for p in parents))


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


def _refinements(
    selector: str, wanted: Sequence[Element], extra: Sequence[Element], leading: Callable[[], int]
) -> Iterator[str]:
    """The selector with a condition that the wanted elements meet and the others do not."""
    tag = str(wanted[0].tag)
    bad = set.intersection(*(set(classes_of(element)) for element in extra)) if extra else set()
    bad -= {name for said in {element.get("class") or "" for element in wanted} for name in said.split()}
    for name in sorted(filter(css.is_identifier, bad), key=lambda n: (-stability(n), n)):
        yield f"{selector}:not(.{name})"
    full = set.intersection(*(set(_inside(element)) for element in wanted[:20]))
    telling = full - {name for element in extra[:20] for name in _inside(element)}
    for name in sorted(telling, key=lambda n: (fragility(n) + 0.5 * n.count(">"), n))[:8]:
        yield f"{selector}:has({name})"
    if tag == "tr":
        if not any(child.tag == "th" for element in wanted for child in element):
            yield f"{selector}:has(> td)"
        yield from _without_sums(selector, extra)
    if before := leading():
        yield f"{selector}:nth-of-type(n+{before + 1})"
        for name in sorted(full, key=lambda n: (fragility(n), n))[:6] if extra and not telling else ():
            yield f"{selector}:has({name}):nth-of-type(n+{before + 1})"


def _without_sums(selector: str, extra: Sequence[Element]) -> Iterator[str]:
    """Rows of data without those that add them up, by the word that these say ("Total")."""
    sums = [row for row in extra if tables.is_summary(row)]
    said: dict[str, str] = {}
    for row in sums:
        leaf = next((e for e in row.iter() if isinstance(e.tag, str) and (e.text or "").strip()), None)
        text = " ".join((leaf.text or "").split()) if leaf is not None else ""
        if leaf is None or len(text) > 40 or not css.quotable(text):
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
    for child in list(element)[:30]:
        yield from _condition(child, "> ")
    for tag, n in Counter(child.tag for child in element).items():
        if tag in ("td", "th", "div", "span", "a"):
            yield from (f"> {tag}:nth-of-type({k})" for k in range(2, min(n, 12) + 1))
    for below, _ in zip(element.iterdescendants("*"), range(40), strict=False):
        yield from _condition(below, "")


def _condition(element: Element, lead: str) -> Iterator[str]:
    tag = str(element.tag)
    yield f"{lead}{tag}"
    yield from (f"{lead}{tag}.{name}" for name in classes_of(element) if stability(name) and css.is_identifier(name))
    if css.quotable(prop := element.get("itemprop") or ""):
        yield f'{lead}[itemprop="{prop}"]'
    if tag == "a" and element.get("href"):
        yield f"{lead}a[href]"
    for attr in ("colspan", "align", "valign", "headers"):
        value = element.get(attr)
        if value and value.isalnum():
            yield f'{lead}{tag}[{attr}="{value}"]'


def _paths(tree: Tree, wanted: Sequence[Element], leading: Callable[[], int]) -> Iterator[str]:
    """Paths from the body with positions above the place where the members part."""
    levels: defaultdict[int, set[int]] = defaultdict(set)
    for i in map(tree.position.__getitem__, wanted):
        levels[tree.depth[i]].add(i)
    least = min(levels)
    for depth in range(max(levels), 0, -1):
        levels[depth - 1].update(map(tree.parent.__getitem__, levels[depth]))
    chain = []
    for level in map(levels.__getitem__, range(least + 1)):
        first = tree.elements[min(level)]
        if len({tree.tags[i] for i in level}) != 1:
            return
        chain.append(str(first.tag) if len(level) > 1 or first.tag == "body" else positioned(first))
    yield " > ".join(chain)
    if before := leading():
        yield " > ".join(chain) + f":nth-of-type(n+{before + 1})"
