"""The page as one record: its labels and values, the elements and lists that are alone of their kind, its meta tags,
and the objects in its scripts that describe it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, takewhile

import msgspec

from scrapewright.survey import css, relative, slots, values
from scrapewright.survey.dom import (
    FRAME,
    HEADINGS,
    Element,
    Tree,
    classes_of,
    drawn_label,
    own_text,
    stability,
    text_of,
    value_of,
    words_of,
)
from scrapewright.survey.embedded import name_of_data
from scrapewright.survey.model import Data, Group, Slot
from scrapewright.survey.observe import label_before, label_inside, line_label
from scrapewright.survey.page_lists import MAX_VALUE, listed_in
from scrapewright.survey.records import sample_of

MOST_OF_DATA = 40
"""Slots of one object in the page's scripts."""
MOST_VALUES = 60
MOST_LINKS = 16
MOST_STEPS = 12
MAX_BOX = 400
"""Characters of a small box."""
MOST_ALIKE = 4
"""Elements of one tag, from more of which on a box is a list."""
MOST_IN_TURN = 80
"""Labels and values that stand by turns in one box."""
_COUNTED = re.compile(r"\d[\d.,]*\s+([^\W\d_][^\d\"]{2,30})|([^\W\d_][^\d\"]{2,30}?)\s+\d[\d.,]*")
_WAY = re.compile(r"(?i)bread-?_?crumb")
_WORDED = re.compile(r"\D{2,40}")


def page_group(
    root: Element, tree: Tree | None, data: Sequence[Group] = (), lists: Sequence[Group] = (), *, whole: bool = True
) -> Group | None:
    """The page as one record. `data` are groups of one object each in its scripts, `lists` the groups of its markup.

    None where it says nothing. Without a `tree` the page has no body that could be read; not `whole`, its labels and
    values alone.
    """
    markup: list[Slot] = []
    listed: list[Slot] = []
    if tree is not None:
        below = css.Within(tree.elements[:1])
        markup = [*_markup(tree, below, _values(tree), MOST_VALUES), *_described(tree)]
        if whole:
            markup += _markup(tree, below, _addresses(tree), MOST_LINKS)
            listed = [*_way(tree, below), *listed_in(tree, below, lists)]
    named: list[Data] = []
    inside: list[Slot] = []
    for group in data:
        name = _name_of(group, named)
        named.append(Data(name, group.source, group.selector))
        inside += [msgspec.structs.replace(slot, data=name) for slot in group.slots[:MOST_OF_DATA]]
    found = _sharing_names([*markup, *listed, *(_meta(root) if whole else ()), *inside])
    if not found:
        return None
    body = tree.elements[0] if tree is not None else root
    main = next((e for e in body.iter("main", "article")), body)
    labelled = sum(1 for slot in markup if slot.label)
    return Group(
        id="p0",
        kind="page",
        selector="html",
        count=1,
        slots=tuple(
            # Found from the body, read from the document, which is the record.
            msgspec.structs.replace(slot, id=f"s{number}", selector=slot.selector.replace(":scope", "body", 1))
            for number, slot in enumerate(found)
        ),
        score=round(10.0 + 3.0 * labelled, 2),
        sample=sample_of(main),
        data=tuple(named),
    )


def with_labelled(group: Group, others: Sequence[Group]) -> Group:
    """The page as one record, with the labelled values that it lacks and another page of its kind has."""
    if group.kind != "page":
        return group
    known = {slot.label for slot in group.slots}
    found = (slot for other in others if other.kind == "page" for slot in other.slots)
    lacking = (slot for slot in found if slot.label and slot.label not in known and slot.label in slot.selector)
    more = (
        msgspec.structs.replace(slot, id=f"s{number}", data="") for number, slot in enumerate(lacking, len(group.slots))
    )
    return msgspec.structs.replace(group, slots=(*group.slots, *more))


def _name_of(group: Group, known: Sequence[Data]) -> str:
    """What the code calls an object: its type or the last key of its path."""
    words = words_of(name_of_data(group.source, group.selector).rpartition(".")[2])
    name = "_".join(re.sub(r"\W", "", word.lower()) for word in words)
    name = f"{name}_data" if name.isidentifier() and name.isascii() else "page_data"
    taken = {data.name for data in known}
    return name if name not in taken else next(new for n in range(2, 99) if (new := f"{name}_{n}") not in taken)


def _sharing_names(found: Sequence[Slot]) -> list[Slot]:
    """Places that say the same have the names of all of them: a heading is what the page's data call its text."""
    called: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for slot in found:
        called[_said(slot)].update(dict.fromkeys(slot.names[:2] if _said(slot) else ()))
    more = ([name for name in called[_said(slot)] if name not in slot.names][:4] for slot in found)
    return [msgspec.structs.replace(slot, names=(*slot.names, *new)) for slot, new in zip(found, more, strict=True)]


def _said(slot: Slot) -> str:
    text = " ".join(slot.samples).casefold()
    return text if len(text) > 3 else ""


def _meta(root: Element) -> list[Slot]:
    """The head's meta tags, its title and its canonical link."""
    found: dict[str, Slot] = {}
    for element in root.iter("meta", "title", "link"):
        names: tuple[str, ...] = ("title", "page title")
        attr, selector = "text", "title"
        if element.tag == "link":
            attr, selector, names = "href", 'link[rel="canonical"]', ("url", "canonical", "link")
        elif element.tag == "meta":
            key = next((k for k in ("name", "property", "itemprop") if element.get(k)), "name")
            name = element.get(key) or ""
            if not css.quotable(name) or _is_of_list(element):
                continue
            attr, selector = "content", f'meta[{key}="{name}"]'
            names = tuple(dict.fromkeys(" ".join(words_of(part)) for part in (name.rpartition(":")[2], name)))
        text = value_of(element, attr)
        if text and selector not in found and css.select(root, selector)[:1] == [element]:
            kind = values.type_of_all([text], attr)
            found[selector] = Slot("", selector, attr, names=names, type=kind, samples=(text[:300],))
    return list(found.values())[: slots.MAX_SLOTS]


def _markup(tree: Tree, below: css.Within, offered: Iterable[Value], limit: int) -> list[Slot]:
    """The places of as many values as `limit`, those of most worth, in page order."""
    body = tree.elements[0]
    found: dict[tuple[str, int, str], tuple[float, int, Slot]] = {}
    headed = any(text_of(e) for e in body.iter("h1", "h2")) or bool(css.select(body, '[itemprop="name"]'))
    for worth, element, attr, label in sorted(offered, key=lambda value: -value[0]):
        if len(found) >= 1.5 * limit:
            break  # each would be looked for in the whole page
        text = value_of(element, attr)[:MAX_VALUE]
        choice = relative.choose(below, [[element]], label=label) if text else None
        if choice is None or choice.agreement < 1.0 or (choice.selector, choice.index, attr) in found:
            continue
        said = label or slots.prefix_of([text, text])
        value = text.removeprefix(said).strip() if said else text
        if not value:
            continue  # a label alone
        position = tree.position[element]
        slot = Slot(
            id="",
            selector=choice.selector,
            attr=attr,
            index=choice.index,
            type=values.type_of_all([value], attr),
            names=_names(element, attr, said, value, headed),
            label=said,
            samples=(text[:300],),
            framed=tree.region(position) in FRAME,
        )
        found[choice.selector, choice.index, attr] = worth - 0.4 * bool(choice.index), position, slot
    best = sorted(found.values(), key=lambda one: -one[0])[:limit]
    return [slot for _, _, slot in sorted(best, key=lambda one: one[1])]


def _way(tree: Tree, below: css.Within) -> Iterator[Slot]:
    """The last two steps of the way to the page that it shows (its breadcrumbs). What the page itself is in is the last
    one, or the one before where that is the page."""
    body = tree.elements[0]
    boxes = (one for one in tree.elements if _WAY.search(f"{one.get('class', '')} {one.get('id', '')}"))
    if (box := next(boxes, None)) is None:
        return
    headings = set(map(text_of, body.iter("h1")))
    for tag in ("li", "a"):
        steps = [step for step in box.iter(tag) if text_of(step)]
        choice = relative.choose(below, [steps], many=True) if steps else None
        if choice is None or choice.agreement < 1.0 or not 1 < len(steps) <= MOST_STEPS:
            continue
        above = 2 if text_of(steps[-1]) in headings else 1
        for back in (1, 2):
            names = ("breadcrumb", "parent category") if back == above else ("breadcrumb",)
            yield Slot("", choice.selector, index=-back, names=names, samples=(text_of(steps[-back])[:300],))
        return


def _names(element: Element, attr: str, label: str, value: str, headed: bool) -> tuple[str, ...]:
    """A value's names. What is in a low heading is the page's title only where nothing higher is."""
    names = slots.names_of([element], attr, "", label, [value])
    low = headed and element.tag in ("h3", "h4", "h5", "h6")
    if element.get("itemprop") and len(prop := _properties(element)) > 1:
        of, said = (" ".join(words_of(one)) for one in prop[-2:])
        names = (*((of,) if said == "name" else ()), f"{of} {said}", *names)
    if attr in ("href", "src"):
        above = element.getparent()
        names += (text_of(element).lower()[:40], element.tag if above is None or element.tag == "a" else above.tag)
    return tuple(name for name in names if name and not (low and name == "title"))


def _described(tree: Tree) -> Iterator[Slot]:
    """The slots of terms that have several descriptions."""
    body = tree.elements[0]
    for term in body.iter("dt"):
        several = list(takewhile(lambda sibling: sibling.tag == "dd", term.itersiblings()))
        if len(several) < 2 or not css.quotable(own_text(term)):
            continue
        first = f'dt:-soup-contains-own("{own_text(term)}")'
        selector = ", ".join(first + " + dd" * number for number in range(1, len(several) + 1))
        if css.select(body, selector) == several:
            label, samples = text_of(term), tuple(text_of(element)[:300] for element in several)
            names = slots.names_of([several[0]], "text", "", label, samples)
            yield Slot("", selector, many=True, type="list", names=names, label=label, samples=samples)


Value = tuple[float, Element, str, str]
"""(worth, element, attribute, label) of what may be a value of the page's subject."""


def _addresses(tree: Tree) -> Iterator[Value]:
    """Links that a class, a rel or an id tells apart, and the addresses of what is shown and played."""
    uses, relations = _uses(tree), Counter(element.get("rel", "") for element in tree.elements)
    headings = filter(text_of, tree.elements[0].iter("h1"))  # a logo is one, too
    boxes = (set(box.iter("img")) for heading in headings for box in heading.iterancestors())
    shown = next(filter(None, boxes), set())  # in the smallest box around the heading that has any
    for i, element in enumerate(tree.elements):
        attr = "href" if tree.tags[i] == "a" else "src"
        address = element.get(attr) or ""
        if attr == "src" and (not address or address.startswith("data:")) and element.get("data-src"):
            attr, address = "data-src", element.get("data-src", "")  # loaded once it is in sight
        if not address or address.startswith(("#", "javascript:", "data:")):
            continue
        base = -0.7 if tree.region(i) in FRAME else 0.0  # what leads to the page before or after is there as well
        names = classes_of(element)
        rare = [name for name in names if stability(name) == 2 and uses[name] <= 2]
        relation = element.get("rel", "")
        told = bool(rare) or (relation and relations[relation] <= 2) or stability(element.get("id") or "") == 2
        dials = address.startswith(("mailto:", "tel:"))
        if told or dials or tree.tags[i] in ("source", "video", "audio"):
            yield base + 1.5, element, attr, ""
        elif tree.tags[i] in ("img", "iframe", "embed"):
            yield base + 0.5 + 0.5 * (not names) + 1.5 * (element in shown), element, attr, ""


def _is_of_list(element: Element) -> bool:
    """Whether it says something of a list's element, a step of the way to the page as a rule, not of the page's
    subject."""
    return any(one.get("itemprop") == "itemListElement" for one in (element, *element.iterancestors()))


def _uses(tree: Tree) -> Counter[str]:
    """How many elements have a class."""
    return Counter(name for element in tree.elements for name in set(classes_of(element)))


def _values(tree: Tree) -> Iterator[Value]:
    """Itemprops, headings, times, labels with their values, elements of a class."""
    uses = _uses(tree)
    # Under a title they head the page's blocks.
    headings = {"h1": 4.0, "h2": 0.5 if any(map(text_of, tree.elements[0].iter("h1"))) else 1.0}
    props, labels, kinds = set[tuple[str, ...]](), set[str](), set[str]()
    asked = {label.get("for"): text_of(label) for label in tree.elements[0].iter("label") if label.get("for")}
    for i, element in enumerate(tree.elements):
        tag, size, region = tree.tags[i], tree.size[i], tree.region(i)
        if i == 0 or tag in ("option", "select", "form", "button", "noscript"):
            continue
        # Who sells it and what it costs is often beside the rest.
        base = 0.0 if region not in FRAME else -0.7 if region == "aside" else -1.5
        prop = _properties(element) if element.get("itemprop") else ()
        if prop and prop not in props and not _is_of_list(element):
            props.add(prop)
            said = [attr for attr in ("content", "datetime", "href", "src") if element.get(attr)]
            # What the head's tags say to people in the body follows them.
            behind = "tail" if tag in ("link", "meta") and (element.tail or "").strip() else ""
            yield from ((base + 4.0, element, attr, "") for attr in (*said, "text" if size else behind) if attr)
        elif tag == "time" or element.get("datetime"):
            if element.get("datetime"):
                yield base + 3.0, element, "datetime", ""
            yield base + 2.5, element, "text", ""
        elif tag == "input" and (label := asked.get(element.get("id"), "")) and element.get("value"):
            yield base + 3.0, element, "value", label
        elif not 0 < size <= MAX_VALUE:
            continue
        elif tag in HEADINGS:
            yield base + headings.get(tag, 0.2), element, "text", ""
        elif label := _label_of_tail(element):
            yield base + 3.0, element, "tail", label
        elif size <= 400 and (label := _label_of(element)):
            # What is labelled once more is of what else the page leads to, as a shop's other goods have a rating each.
            yield base + (0.3 if label in labels else 3.0), element, "text", label
            if region not in FRAME and text_of(element) != label:  # or it is the label itself
                labels.add(label)
        else:
            names = [name for name in classes_of(element) if stability(name) == 2]
            leaf, short = tree.own[i] > 0, size < 200
            worth = 0.0
            if any(uses[name] <= 2 for name in names) and (leaf or (short and _holds_one(tree, i))):
                worth = 1.5 + 0.5 * leaf
            elif leaf and stability(element.get("id") or "") == 2:
                worth = 1.5
            elif leaf and short and (values.has_date(own := own_text(element)) or values.is_price(own)):
                worth = 1.2
            elif leaf and tag == "a" and element.get("rel"):
                worth = 1.0
            elif leaf and short and tag in ("p", "span", "div") and _is_in_named(tree, i, uses):
                worth = 0.9
            elif leaf and not kinds.issuperset(names):
                # What is first of its kind is the page's subject's; others are of what else the page leads to.
                kinds.update(names)
                worth = 0.8
            if worth:
                yield base + worth, element, "text", ""


def _properties(element: Element) -> tuple[str, ...]:
    """The property that an element is, behind those of the things that it is of: ("location", "name")."""
    within = (box for box in element.iterancestors() if box.get("itemscope") is not None and box.get("itemprop"))
    return (*reversed([box.get("itemprop", "") for box in within]), element.get("itemprop", ""))


def _label_of_tail(element: Element) -> str:
    """What an element says of the text behind it: "<b>Field:</b> Mathematics"."""
    tail = (element.tail or "").lstrip()
    if element.tag not in ("b", "strong", "label", "span", "em") or not tail.strip(" \t\r\n\u00a0:|-–"):
        return ""
    label = text_of(element)
    return label if 1 < len(label) <= 40 and (label.endswith((":", "：")) or tail.startswith((":", "："))) else ""


def _holds_one(tree: Tree, i: int) -> bool:
    """Hardly more than one text is below an element: no list, and no block of values."""
    return sum(1 for j in range(i, tree.end[i]) if tree.own[j]) <= 2


def _is_in_named(tree: Tree, i: int, uses: Counter[str]) -> bool:
    """Whether what it is in is small and no list, and a class that hardly another element has names that."""
    box = tree.elements[tree.parent[i]]
    named = (name for name in classes_of(box) if stability(name) == 2)
    alike = islice(box.iterchildren(tree.tags[i]), MOST_ALIKE + 1)
    alone = sum(1 for _ in alike) <= MOST_ALIKE and tree.size[tree.parent[i]] <= MAX_BOX
    return alone and tree.region(i) not in FRAME and any(uses[name] <= 2 for name in named)


def _beside(element: Element) -> str:
    """The label in the first of two elements that make a line of their own, or that stand by turns with others in one
    box, where several are made so."""
    label, line = line_label(element), element.getparent()
    block = line.getparent() if line is not None else None
    if label is None or line is None or block is None:
        return _in_turn(element)
    heads = [line_label(other[1]) for other in block.iterchildren(str(line.tag)) if len(other) == 2]
    alike = [head for head in heads if head is not None and _kind_of(head) == _kind_of(label)]
    return text_of(label) if _are_labels(alike) else ""


def _in_turn(element: Element) -> str:
    """The label before an element in a box of labels and values by turns, which tag or class tell apart; "" for others.

    "<div><i>Area</i><b>54 m²</b><i>Rent</i><b>900 €</b>…</div>"
    """
    box = element.getparent()
    parts = list(islice(box.iterchildren("*"), MOST_IN_TURN + 1)) if box is not None else []
    if len(parts) > MOST_IN_TURN:
        return ""  # counted no further: each of its parts asks
    heads, said = parts[::2], parts[1::2]
    if len(heads) != len(said) or element not in said or len(set(map(_kind_of, heads))) > 1:
        return ""
    apart = _kind_of(heads[0]) not in map(_kind_of, said)
    return text_of(heads[said.index(element)]) if apart and _are_labels(heads) else ""


def _kind_of(element: Element) -> tuple[object, str | None]:
    return element.tag, element.get("class")


def _are_labels(heads: Sequence[Element]) -> bool:
    """Whether elements are several, and say words that are all different."""
    said = [text_of(head) for head in heads]
    return len(said) >= 3 and len(set(said)) == len(said) and all(map(_WORDED.fullmatch, said))


def _counted(item: Element) -> str:
    """What a number in an item of a short list is of: "bedrooms" in "4 bedrooms", "Built in" in "Built in 1889"."""
    match = _COUNTED.fullmatch(text_of(item)) if not len(item) else None
    block = item.getparent()
    return (match[1] or match[2]) if match is not None and block is not None and len(block) <= MOST_STEPS else ""


def _label_of(element: Element) -> str:
    tag, previous = str(element.tag), element.getprevious()
    if tag in ("dt", "th", "label"):
        return ""
    if tag in ("dd", "td"):
        parent, following = element.getparent(), element.getnext()
        text = text_of(previous) if previous is not None else ""
        if previous is not None and previous.tag in ("dt", "th"):
            # One of several descriptions says only a part.
            single = following is None or following.tag != "dd"
            return (text or drawn_label(previous)[1])[:60] if single else ""
        cells = tag == "td" and previous is not None and previous.tag == "td" and 1 < len(text) <= 40
        paired = cells and parent is not None and parent.index(element) % 2 and (len(parent) == 2 or _in_pairs(parent))
        return text if cells and (paired or text.endswith((":", "："))) else ""
    if said := (_counted(element) if tag == "li" else "") or _beside(element):
        return said
    before = label_before(element)
    if before.endswith((":", "：")):
        return before
    return label_inside(element) or (before if len(before) > 1 and _is_one_text(element) else "")


def _in_pairs(row: Element) -> bool:
    """Whether the rows of its table have labels and values by turns, two or three of each, or a label and two values
    under headings of their own."""
    table = next(row.iterancestors("table"), None)
    if table is None or len(row) not in (3, 4, 6):
        return False
    every = list(table.iter("tr"))
    if len(row) == 3:
        firsts = [text_of(one[0]) for one in every[1:] if len(one)]
        headed = len(every[0]) == 3 and all(cell.tag == "th" for cell in every[0])
        few = len(every) <= MOST_STEPS and len(set(firsts)) == len(firsts) and all(map(_WORDED.fullmatch, firsts))
        return headed and (few or not text_of(every[0][0]))
    rows = [one for one in every if len(one) == len(row) and all(cell.tag == "td" for cell in one)]
    heads, said = ([text_of(cell) for one in rows for cell in list(one)[first::2]] for first in (0, 1))
    worded, counted = sum(map(bool, map(_WORDED.fullmatch, heads))), sum(any(map(str.isdigit, text)) for text in said)
    return len(heads) > 3 and len(set(heads)) == len(heads) and worded >= 0.8 * len(heads) and 2 * counted >= len(said)


def _is_one_text(element: Element) -> bool:
    """Nothing but one text is in it, however many elements are around that."""
    return sum(1 for text in element.itertext() if text.strip()) <= 1
