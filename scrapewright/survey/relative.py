"""Selectors for elements: candidates from the most to the least robust, checked against what they must select.

The order follows what wrapper-induction work found to survive site changes (Dalvi, Bohannon, Sha, "Robust web
extraction", SIGMOD 2009): markup meant for machines, semantic classes and ids, labels, short paths, positions last.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice, pairwise, takewhile

from scrapewright.survey import css, observe
from scrapewright.survey.dom import Element, classes_of, drawn_label, module_of, stability, text_of, word_set

_MACHINE = (
    "itemprop", "data-testid", "data-test", "data-qa", "data-field", "data-label", "data-title", "property", "data-th",
    "data-column", "name", "scheme", "domain",
)  # fmt: skip
_NAMING = frozenset((*_MACHINE, "class"))
_TELLING = word_set(
    "h1 h2 h3 h4 h5 h6 time img address blockquote figcaption summary cite dt dd meta input label article"
)
_PART = re.compile(r"^[A-Za-z_-]{2,24}$")
_STEM = re.compile(r"^([A-Za-z][A-Za-z_-]*[A-Za-z][_-]?)[\dA-Fa-f_-]*\d[\w-]*$")
CHECKED = 24
SURE = 0.999
"""The share of records from which on a selector counts as right in all."""
FEW = 4
"""Whole pages below which it may be by chance that what is wanted is the first of its kind on all of them."""
LABELLED = 100
"""How much a label is worth in a selector: more than any rank."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A selector with the share of records in which it selects what it should, and its rank (0 is the most robust)."""

    selector: str
    agreement: float
    rank: int
    index: int = 0
    alone: bool = True
    """It selects nothing else in any record."""


def choose(
    below: css.Within,
    wanted: Sequence[Sequence[Element]],
    *,
    many: bool = False,
    last: bool = False,
    label: str = "",
) -> Choice | None:
    """The most robust selector, relative to each scope, that selects `wanted`.

    With `many` all matches must be the wanted ones; else the match at the choice's `index`, from the end for `last`,
    must be the wanted one.
    None where no candidate selects anything right.
    """
    pairs = [(scope, want) for scope, want in zip(below.scopes, wanted, strict=True) if scope is not None]
    filled = [(scope, want) for scope, want in pairs if want]
    if any(want[0] is scope for scope, want in filled):
        return Choice("", 1.0, 0)
    if not filled:
        return None
    few = len(pairs) < FEW and all(scope.tag in ("html", "body") for scope, _ in pairs)
    whole = [element for _, want in filled for element in want]
    numbers = [number for number, scope in enumerate(below.scopes) if scope is not None]
    sample = numbers if len(numbers) <= CHECKED else [numbers[k * len(numbers) // CHECKED] for k in range(CHECKED)]
    best: Choice | None = None
    tried: set[str] = set()
    reduced = [pair for pair in filled if next(pair[0].iter(*observe.STRUCK), None) is not None][:1]
    for source_scope, want in (filled[0], filled[len(filled) // 2], filled[-1], *reduced):
        for rank, selector in enumerate(candidates(source_scope, want[0], label, all_of=want if many else None)):
            if selector in tried:
                continue
            tried.add(selector)
            if below.together(selector) == whole:
                choice: Choice | None = Choice(selector, 1.0, rank, -1 if last else 0)
            else:
                choice = _judge(below, sample, wanted, selector, rank=rank, many=many, last=last)
                if choice is not None and choice.agreement >= SURE and len(sample) < len(numbers):
                    choice = _judge(below, numbers, wanted, selector, rank=rank, many=many, last=last) or choice
            if choice is None:
                continue
            if best is None or _cost(choice, label, few) < _cost(best, label, few):
                best = choice
            if choice.agreement >= SURE and (choice.alone or not (label or few)):
                break
        if best is not None and best.agreement >= SURE:
            break
    return best


def _cost(choice: Choice, label: str, few: bool) -> tuple[float, int]:
    """The less the better. A label tells more than the first or a number among others: the next record may lack one.
    What `few` pages have first among others need not be so on the next."""
    if choice.agreement < SURE:
        return 1 - choice.agreement, choice.rank
    placed = 5 if choice.index or (few and not choice.alone) else 0
    return 0.0, choice.rank + placed - (LABELLED if label and label in choice.selector else 0)


_CLASS = re.compile(r"\.([A-Za-z_][\w-]*)")


def fragility(selector: str) -> float:
    """How easily a change of the page breaks a selector: 0 for a class, more for paths, positions, and classes that the
    next build or state of the page changes."""
    if not selector:
        return 0.5
    cost = len(selector) * 0.005 + 0.6 * selector.count(" ")
    cost += 2.0 * sum(not stability(name) for name in _CLASS.findall(selector))
    cost += 2.0 * selector.count(":nth") + (1.5 if selector.startswith(":scope") else 0.0)
    if not any(sign in selector for sign in (".", "#", "[")):
        cost += 0.5 if selector.split()[-1] in _TELLING else 1.0
    return cost


def _judge(
    below: css.Within, numbers: Sequence[int], wanted: Sequence[Sequence[Element]], selector: str, *,
    rank: int, many: bool, last: bool,
) -> Choice | None:  # fmt: skip
    """The selector with its share of right scopes among those of these numbers, at the place among its matches where
    what is wanted mostly is, counted from the end for `last`."""
    indexes: Counter[int] = Counter()
    empty: list[int] = []
    most, selected = 1, below.select(selector)
    for looked_at, number in enumerate(numbers):
        if looked_at == 8 and indexes.total() + empty.count(0) < 4:
            return None
        found, want = selected[number], wanted[number]
        most = max(most, len(found))
        if many:
            indexes[0] += found == want
        elif not want:
            empty.append(len(found))
        elif want[0] in (shown := found[-12:] if last else found[:12]):
            indexes[shown.index(want[0]) - (len(shown) if last else 0)] += 1
    if not any(indexes.values()):
        return None
    index = max(indexes, key=lambda i: (indexes[i], -abs(i)))
    right = indexes[index] + sum(count < -index if last else count <= index for count in empty)
    return Choice(selector, right / len(numbers), rank, index, many or most == 1)


def identities(element: Element) -> tuple[str, ...]:
    """Compounds that name the element itself, machine markup first, then semantic classes and ids."""
    return _identities(str(element.tag), tuple(pair for pair in element.items() if pair[0] in _NAMING))


@lru_cache(maxsize=4096)
def _identities(tag: str, attributes: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    held = dict(attributes)
    marks = [attr for attr in _MACHINE if attr in held and (attr != "name" or tag in ("meta", "input", "a"))]
    found = [
        f'{tag if attr == "name" else ""}[{attr}="{held[attr]}"]'
        for attr in marks
        if len(held[attr]) <= 40 and css.quotable(held[attr])
    ]
    said = held.get("class", "")
    classes = list(filter(css.is_identifier, said.split()))
    strong = [name for name in classes if stability(name) == 2]
    sets = ((name,) for name in strong), pairwise(strong), [strong] if len(strong) > 2 else ()
    found += (".".join((tag, *names)) for names in chain.from_iterable(sets))
    return (*found, *(tag + of_module(said, stem) for stem in filter(None, map(module_of, classes))))


def of_module(classes: str, stem: str) -> str:
    """The condition that one of an element's classes begins so: the first, or another one."""
    return f'[class^="{stem}"]' if classes.lstrip().startswith(stem) else f'[class*=" {stem}"]'


def candidates(
    scope: Element, element: Element, label: str = "", all_of: Sequence[Element] | None = None
) -> Iterator[str]:
    """Selectors for `element` relative to `scope`, most robust first."""
    tag = str(element.tag)
    own = identities(element)
    yield from own
    if struck := _struck_beside(scope, element):
        yield from (f"{compound}:not({struck} *)" for compound in own)
    ancestors = _between(scope, element)
    if tag in _TELLING:
        yield tag
    named = ((box, compound) for box in ancestors for compound in islice(identities(box), 2))
    for box, compound in islice(named, 4):
        yield f"{compound} > {tag}" if box is ancestors[0] else f"{compound} {tag}"
        yield from (f"{compound} {mine}" for mine in own[:1])
    rel = element.get("rel")
    if rel and css.is_identifier(rel):
        yield f'{tag}[rel="{rel}"]'
    if label:
        yield from _labelled(element, tag, label)
        signs = [condition for name, condition in observe.signs_of(element) if name == label]
        yield from (compound + condition for compound in (tag, *own[:1]) for condition in signs)
    yield from _stems(element, tag)
    identifier = element.get("id")
    if identifier and css.is_identifier(identifier) and stability(identifier) == 2:
        yield f"{tag}#{identifier}"
    yield from (f"{tag}.{name}" for name in classes_of(element) if stability(name) == 1 and css.is_identifier(name))
    if tag == "a":
        yield "a[href]"
    if not element.get("class") and any(other.get("class") for other in scope.iter(tag)):
        yield f"{tag}:not([class])"  # the others are of a kind, this one is the plain one
    yield tag
    steps = [*reversed(ancestors), element]
    tags, places = [str(step.tag) for step in steps], [positioned(step) for step in steps]
    cells = [place if name in ("td", "th") else name for place, name in zip(places, tags, strict=True)]
    for path in (tags, places, cells) if all_of is None else (tags, [*places[:-1], tag]):
        yield " > ".join((":scope", *path))
    if ancestors:
        yield f"{ancestors[0].tag} > {tag}"


def _struck_beside(scope: Element, element: Element) -> str:
    """The tag that strikes out an element of the same tag and class elsewhere in the scope, "" where none does."""
    classes = element.get("class")
    if not classes or next(scope.iter(*observe.STRUCK), None) is None or observe.struck_by(element):
        return ""
    others = (observe.struck_by(other) for other in scope.iter(str(element.tag)) if other.get("class") == classes)
    return next(filter(None, others), "")


def _between(scope: Element, element: Element) -> list[Element]:
    """Ancestors of `element` below `scope`, nearest first."""
    return list(takewhile(lambda above: above is not scope, element.iterancestors()))


def positioned(element: Element) -> str:
    """The element's tag, with its number among its siblings of that tag where it has some."""
    tag = str(element.tag)
    before = sum(1 for _ in element.itersiblings(tag, preceding=True))
    after = next(element.itersiblings(tag), None) is not None
    return f"{tag}:nth-of-type({before + 1})" if before or after or tag in ("td", "th") else tag


def _labelled(element: Element, tag: str, label: str) -> Iterator[str]:
    text = label.strip()
    if not css.quotable(text):
        return
    previous = element.getprevious()
    if previous is not None and text in " ".join((previous.text or "").split()):
        yield f'{previous.tag}:-soup-contains-own("{text}") + {tag}'
    elif previous is not None and (drawn := drawn_label(previous))[1] == text and not text_of(previous):
        yield f'{previous.tag}:has([{drawn[0]}="{text}"]) + {tag}'
    if text in " ".join((element.text or "").split()):
        yield f'{tag}:-soup-contains-own("{text}")'


def _stems(element: Element, tag: str) -> Iterator[str]:
    """Attribute beginnings that stay while their numbers change: id="score_12", href="user?id=x"."""
    match = _STEM.match(element.get("id") or "")
    if match and len(match[1]) >= 3:
        yield f'{tag}[id^="{match[1]}"]'
    href = element.get("href") or ""
    if scheme := re.match("mailto:|tel:", href):
        yield f'a[href^="{scheme[0]}"]'
    if tag != "a" or scheme or href.startswith(("#", "javascript:")):
        return
    path, _, query = href.partition("?")
    key, says, _ = query.partition("&")[0].partition("=")
    if says and css.is_identifier(key or "-"):
        yield f'a[href*="{path.rpartition("/")[2]}?{key}="]'
    parts = [part for part in re.sub(r"^(?:https?:)?//[^/]+", "", path).split("/") if part]
    outer = dict.fromkeys((*parts[:-1][:1], *parts[1:-1][-1:]))
    yield from (f'a[href*="/{part}/"]' for part in outer if _PART.match(part))
