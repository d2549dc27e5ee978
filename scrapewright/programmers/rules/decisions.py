"""What a person decided about the records and the columns, found again on the page: by an option's id, a selector, a
value as the page shows it, or the words that the page has for it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

import soupsieve
from msgspec.structs import replace
from rapidfuzz import fuzz, process

from scrapewright.programmers.rules.fit import fit
from scrapewright.programmers.rules.match import Match, pinned
from scrapewright.programmers.rules.offers import Place, converted, group_id, option_id
from scrapewright.programmers.rules.ops import value_of
from scrapewright.programmers.rules.pairs import alike, pair
from scrapewright.programmers.rules.quantities import like_example, pieces
from scrapewright.programmers.rules.view import View
from scrapewright.query.lexicon import fold, tokens
from scrapewright.query.reading import Field
from scrapewright.session.questions import NONE, Decision
from scrapewright.survey.embedded import is_json
from scrapewright.survey.model import Group, Slot
from scrapewright.survey.selecting import start_of

CALLED = 0.85
"""From this likeness on, typed words are taken for a place's name."""
_AT = re.compile(r"(.*?)@([\w:-]+)\s*", re.S)
_ATTRIBUTES = ("title", "alt", "content", "value", "datetime", "href", "src", "class")
_IS_SELECTOR = re.compile(r"^[.#][\w-]*[^\W\d]|\[|\s[>~+]\s|::?[a-z-]+\(|^[a-z][a-z0-9]*[.#:][a-z_-]|^[>+~]\s")
"""What is no word of a place's name."""


Way = Callable[[str, Field, Place], Match | None]


class NotFound(ValueError):
    """What a person typed is nowhere in the records. The message says what is there instead."""


Decided = Mapping[tuple[str, str], Decision]
"""The last that a person decided of each kind and column (or condition, by its words), in the order it was said."""


def decided_by(decisions: Iterable[Decision]) -> Decided:
    """The decisions, read once."""
    found: dict[tuple[str, str], Decision] = {}
    for one in decisions:
        found.pop((one.kind, one.column), None)
        found[one.kind, one.column] = one
    return found


def wanted_group(decided: Decision | None, groups: Sequence[Group]) -> Group | None:
    """The group that the person decided on; None where they did not, or said that it is none of those offered."""
    if decided is None or decided.option == NONE:
        return None
    if decided.option:
        return next((group for group in groups if group_id(group) == decided.option), None)
    return located_group(decided.text, groups)


def located_group(text: str, groups: Sequence[Group]) -> Group | None:
    """The group that a typed text means: its selector, its heading, or a value in its records."""
    said, folded = " ".join(text.split()), fold(text)
    for group in groups:
        if said and said in (group.selector, group.source):
            return group
    for means in (
        lambda group: bool(folded) and folded == fold(group.context),
        lambda group: any(same_text(sample, said) for slot in group.slots for sample in slot.samples),
        lambda group: len(folded) > 2 and folded in fold(f"{group.context} {group.selector}"),
        lambda group: len(folded) > 2 and folded in fold(group.sample),
    ):
        found = next(filter(means, groups), None)
        if found is not None:
            return found
    return None


def settled(match: Match) -> Match:
    """The match with the type that its values have, where nothing else says one."""
    field = pair(match.field, match.view).typed
    made = pair(field, match.view).fitting if field is not match.field else None
    return replace(match, field=field, made=made) if made is not None else match


def offered_as(option: str, field: Field, place: Place) -> Match | None:
    """The match of the view that was offered under this id."""
    for variant, _ in field.variants:
        kind = variant.type if variant.type != field.type else None
        for view in place.every_view(variant):
            if option_id(view, place, kind) == option:
                return pinned(variant, view)
    return None


def place_of(decision: Decision, field: Field, place: Place) -> Match:
    """The place that a decision means, by its option or by what was typed. Raises NotFound."""
    if decision.option and (match := offered_as(decision.option, field, place)) is not None:
        return match
    if not decision.text:
        raise NotFound(f"the records have no place {decision.option!r}")
    return locate(decision, field, place)


def locate(decision: Decision, field: Field, place: Place) -> Match:
    """The place in the records that a typed text means. Raises NotFound.

    As `how` says a selector or a value; where it says nothing a value of one record comes first, then what the page
    calls the place, behind or before a selector that finds something in the records, as the text looks like one.
    """
    text = decision.text.strip()
    json = is_json(place.group)
    names = {fold(name) for view in place.offered for name in (view.slot.header, view.slot.label) if name}
    plain = json or fold(text) in names  # a header may look like a selector: "Price [EUR]"
    selects = decision.how == "selector" or (not decision.how and not plain and _IS_SELECTOR.search(text))
    ways: tuple[Way, ...] = (
        (by_example, by_selector, by_words) if selects or json else (by_example, by_words, by_selector)
    )
    ways = {"selector": (by_selector,), "example": (by_example,)}.get(decision.how, ways)
    for way in ways:
        found = way(text, field, place)
        if found is not None:
            return found
    if decision.how != "example" and (attr := _says_only(text, field, place)):
        raise NotFound(f"what {text!r} finds has no text that is a {field.name}; its {attr} can be read: {text}@{attr}")
    if selects:
        if wrong := _broken(text):
            raise NotFound(f"{text!r} is no selector that can be read: {wrong}")
        if (other := by_selector(text, replace(field, type="text"), place)) is not None:
            said = other.view.texts[0][:80]
            raise NotFound(f"what {text!r} finds can't be read as {field.name} ({field.type}): {said!r}")
        raise NotFound(f"nothing in the records of {place.group.selector or place.group.source!r} matches {text!r}")
    near = nearest(text, place)
    beside = f"; the values nearest to it are {', '.join(map(repr, near))}" if near else ""
    raise NotFound(f"no record has {text!r}{beside}")


# by selector


def by_selector(text: str, field: Field, place: Place) -> Match | None:
    """What a CSS selector, or a path in JSON, finds in the records; "a@href" reads an attribute.

    It counts from the record, or from what is behind it ("+ td a"). One that is written for the whole page is cut at
    its start until it finds something.
    """
    start, rest = start_of(text)
    selector, attr = _split(rest)
    for home in filter(None, (place.home, place.behind)):
        group, reader, _ = home
        starts = [start] if start else ["+ " * steps for steps in range(group.following + 1)]
        paths = [selector] if is_json(group) else [one + path for one in starts for path in _endings(selector)]
        slots = (slot for path in paths for slot in _slots(path, attr, field, is_json(group)))
        for slot in slots if reader.known(group) else ():
            values, joint = tuple(reader.values(group, slot)), reader.joint(group, slot)
            whole = View(slot, values, joint=joint, language=place.language, value=is_json(group))
            found = pinned(field, replace(whole, detail=home is place.behind)) if any(values) else None
            if found is not None:
                return found
    return None


def _says_only(text: str, field: Field, place: Place) -> str:
    """The attribute that elements have which a selector finds, and which have no text; "" where there is none."""
    if is_json(place.group) or _split(text)[1]:
        return ""
    return next((attr for attr in _ATTRIBUTES if by_selector(f"{text}@{attr}", field, place) is not None), "")


def _broken(text: str) -> str:
    """Why a selector can't be read; empty where it can."""
    try:
        soupsieve.compile(_split(start_of(text)[1])[0] or "*")
    except (soupsieve.SelectorSyntaxError, TypeError, ValueError) as error:
        return str(error).partition("\n")[0]
    return ""


def _split(text: str) -> tuple[str, str]:
    """The selector and the attribute, "" where none is said."""
    match = _AT.fullmatch(text)
    if match and "]" not in match[2] and match[1].count("[") == match[1].count("]"):
        return match[1].strip(), match[2]
    found = re.fullmatch(r"(.*?)::?attr\(([\w-]+)\)\s*", text, re.S)
    return (found[1].strip(), found[2]) if found else (re.sub(r"::text\s*$", "", text).strip(), "")


def _endings(selector: str) -> Iterator[str]:
    """The selector and what is left of it where its first parts are cut off, those that soupsieve can read."""
    depth, starts = 0, [0]
    for at, char in enumerate(selector):
        depth += (char in "([") - (char in ")]")
        if depth == 0 and at and char not in " >+~," and selector[at - 1] in " >+~":
            starts.append(at)
    if "," in re.sub(r"\([^)]*\)|\[[^\]]*\]", "", selector):
        starts = [0]
    for start in starts:
        part = selector[start:].strip()
        try:
            soupsieve.compile(part)
        except (soupsieve.SelectorSyntaxError, TypeError, ValueError):
            continue
        yield part
    if not selector:
        yield ""


def _slots(selector: str, attr: str, field: Field, json: bool) -> Iterator[Slot]:
    """The slots that a selector can mean for a field: the attribute said, else what its type is read from."""
    many = field.type == "list"
    name = hashlib.sha256(selector.encode()).hexdigest()[:8]  # a reader knows what it read by the slot's id
    by_type = {"url": ("href", "src", "text"), "date": ("text", "datetime"), "datetime": ("text", "datetime")}
    attrs = (attr,) if attr else ("text",) if json else by_type.get(field.type, ("text",))
    for kind in attrs:
        yield Slot(id=f"said_{name}_{kind}", selector=selector, attr=kind, many=many)
        if many:
            yield Slot(id=f"said_{name}_{kind}_one", selector=selector, attr=kind)


# by example


def by_example(text: str, field: Field, place: Place) -> Match | None:
    """The place of which one record's value is this one.

    The same text before the same but for case, blanks and the way numbers and dates are written; whole places before
    parts of their texts; of several alike the one whose name is the column's.
    """
    example = read_example(text, field, place.language)
    found: list[tuple[float, Match]] = []
    for at, view in enumerate((*place.offered, *pieces(field, place.offered))):
        match = pinned(field, view)
        if match is None or (len(view.texts) > 2 and len(view.counts) == 1):
            continue  # what all records say is a label
        near = 1.0 if text in view.counts else 0.9 if any(same_text(value, text) for value in view.counts) else 0.0
        near = near or 0.8 * _gives(converted(field, view, match.made, place), example, field)
        worth = 10 * near - (1.0 if view.ops else 0.0) - 0.1 * len(view.ops) + pair(field, view).likeness - 0.001 * at
        found += [(worth + 0.5 * view.coverage, match)] if near else []
    return max(found, key=itemgetter(0))[1] if found else _part_like(text, field, place)


def read_example(text: str, field: Field, language: str = "") -> Any:
    """The example as the column would hold it, None where it can't be read as that."""
    made = fit([text], field, language)
    return value_of(text, made.ops) if made is not None else None


def _gives(values: Sequence[Any], example: Any, field: Field) -> bool:
    """Whether a record has the example; of a list all of it, or, where that is one text, it among others."""
    if example in ("", None):
        return False
    if field.type != "list" and not isinstance(example, list):
        return any(value == example and isinstance(value, bool) == isinstance(example, bool) for value in values)
    wanted = example if isinstance(example, list) else [example]
    listed = [value if isinstance(value, list) else [value] for value in values if value is not None]
    among = (str(one) for some in listed for one in some) if len(wanted) == 1 else ()
    return wanted in listed or any(same_text(one, str(wanted[0])) for one in among)


def same_text(one: str, other: str) -> bool:
    """Whether two texts are the same but for case, blanks, accents and the forms of quotes and dashes."""
    folded = _plain(other)
    return bool(folded) and _plain(one) == folded


def _plain(text: str) -> str:
    text = re.sub(r"[‘’‚‛′`´]", "'", re.sub(r"[“”„‟″«»]", '"', re.sub(r"[‐‑‒–—―−]", "-", text)))
    return " ".join(fold(text).split())


def _part_like(text: str, field: Field, place: Place) -> Match | None:
    """A part of a place's texts that has the example's shape, where a record's text holds the example."""
    holders = [view for view in place.offered if not view.ops and any(text in value for value in view.counts)]
    for view in sorted(holders, key=lambda view: sum(map(len, view.texts)) / len(view.texts)):
        for cut in like_example(view, text, field.name):
            if text in cut.counts and (found := pinned(field, cut)) is not None:
                return found
    return None


# by words


def by_words(text: str, field: Field, place: Place) -> Match | None:
    """The place that the page calls so: by its label, its column's heading, its class."""
    said = tokens(text)
    found: list[tuple[float, Match]] = []
    for at, view in enumerate(place.offered):
        slot = view.slot
        classes = re.findall(r"[.#]([\w-]+)", re.split(r"[\s>+~]", slot.selector)[-1])
        names = [tokens(name) for name in (slot.header, slot.label, *view.names, *slot.names, *classes) if name]
        near = max((alike(said, name) for name in names if name), default=0.0)
        match = pinned(field, view) if near >= CALLED else None
        found += [(near - (0.05 if view.ops else 0.0) - 0.0001 * at, match)] if match is not None else []
    return max(found, key=itemgetter(0))[1] if found else None


def nearest(text: str, place: Place, most: int = 3) -> list[str]:
    """The values in the records that are most like a text."""
    values = {value[:80]: None for view in place.offered if not view.ops for value in view.counts}
    found = process.extract(text, list(values), scorer=fuzz.WRatio, limit=most, score_cutoff=50)
    return [value for value, _, _ in found]
