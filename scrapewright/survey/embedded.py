"""Data that a page carries beside its markup: JSON-LD, what scripts give variables and functions, what they stream,
JSON in attributes, JSON answers, and the calls that fetch it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any
from urllib.parse import urljoin

import msgspec

from scrapewright.survey import slots, values
from scrapewright.survey.addresses import is_offset_param
from scrapewright.survey.decode import Document, Script
from scrapewright.survey.dom import squeeze, word_set, words_of
from scrapewright.survey.model import SAMPLE_AT_MOST, Group, Slot
from scrapewright.survey.script_data import loaded, script_values

# Values in JSON, read as a generated program reads them.


def is_json(group: Group) -> bool:
    """Whether the group's records are JSON values; else they are tags."""
    return bool(group.source) or group.kind == "json"


def dig(value: Any, path: str) -> Any:
    """A value in JSON by a dotted path; numbers index lists, "*" goes through one, or through an object's values. None
    where there is nothing."""
    if not path:
        return value
    key, _, rest = path.partition(".")
    if key == "*":
        items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        inner = [dig(item, rest) for item in items]
        return [item for item in inner if item is not None]
    if isinstance(value, dict):
        return dig(value.get(key), rest)
    if isinstance(value, list) and re.fullmatch(r"-?\d+", key):
        return dig(value[int(key)], rest) if -len(value) <= int(key) < len(value) else None
    return None


def json_text(value: Any) -> str | None:
    """A JSON value as the text that fits are made for; None where it is none."""
    if value is None or isinstance(value, dict):
        return None
    return ("; ".join(map(str, value)) if isinstance(value, list) else squeeze(str(value))) or None


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def typed_items(value: Any, kind: str = "", depth: int = 0) -> list[dict[str, Any]]:
    """The objects of a JSON-LD type, wherever they are but in each other; all that have a type where none is said."""
    typed = value if isinstance(value, dict) else {}
    own, inner = as_list(typed.get("@type")), value if isinstance(value, list) else typed.values()
    if kind and kind in own:
        return [typed]
    found = [thing for item in inner for thing in typed_items(item, kind, depth + 1)] if depth < MOST_LEVELS else []
    return [typed, *found] if own and not kind else found


MOST_TYPES = 100
"""Types of a page's JSON-LD that are looked at: each is one walk through all of it."""
MOST_LEVELS = 40
"""Levels of JSON-LD that are looked into."""
_SCENERY = word_set(
    "BreadcrumbList ListItem WebSite Organization ImageObject SearchAction WebPage CollectionPage "
    "ContactPoint PostalAddress EntryPoint SiteNavigationElement ReadAction PropertyValueSpecification "
    "Corporation NewsMediaOrganization HowToStep NutritionInformation AggregateRating Offer Rating Brand "
    "Person VideoObject SpeakableSpecification ItemList Country"
)
_CALL = re.compile(
    r"""(?:fetch|axios(?:\.get)?|\$\.(?:get|getJSON|ajax|post)|jQuery\.(?:get|getJSON|ajax)|getJSON|\.open)\s*\(\s*(?:["'](?:GET|POST)["']\s*,\s*)?(?P<call>["'`][^"'`\n]{2,300}["'`])
    |(?:\burl|endpoint|apiUrl|api_url|dataUrl|ajaxUrl|data-url|src)["']?\s*[:=]\s*(?P<named>["'`][^"'`\n]{2,300}["'`])
    |(?P<path>["'`](?:https?://[^"'`\s]{4,200})?/(?:[\w./-]*/)?(?:api|ajax|graphql|rest|wp-json|json|data|v\d)/[^"'`\s<>]{0,200}["'`]
        |["'`][^"'`\s<>]{1,200}\.json(?:\?[^"'`\s<>]*)?["'`])""",
    re.X,
)
_DATA = re.compile(
    r"""\s*,\s*(?:(?:params|data)\s*:\s*|\{\s*params\s*:\s*)?\{[^{}]{0,120}?\b(page|p|offset|start|skip)["']?\s*[:,}]"""
)
_STATIC = re.compile(
    r"^(?:data:|#|javascript:|mailto:)|\.(?:js|css|png|jpe?g|gif|svg|woff2?|ico|html?|mp4|webp)(?:\?|$)|google|facebook|analytics|doubleclick|schema\.org|cdn",
    re.I,
)
MAX_WALK = 20000


def json_groups(document: Document) -> list[Group]:
    """Groups of every JSON value that a page holds; of the page itself where it is JSON."""
    if document.kind == "json":
        return arrays_of(document.data, "body")
    arrays: dict[tuple[str, str], Group] = {}
    for source, value in script_values(document):
        for group in arrays_of(value, source):
            if group.selector or source != "flight":  # a line as a whole is told from others by nothing
                arrays.setdefault((source, group.selector), group)
    return [*_linked_data(document.scripts), *arrays.values()]


def objects(document: Document, serves: Callable[[Group], float], most: int = 6) -> list[Group]:
    """Single JSON objects in the page's scripts that can say more of what the page is about: of JSON-LD those that are
    alone of their type, most telling first, then of other scripts those with many values of their own, those first that
    serve best."""
    linked = [group for group in _linked_data(document.scripts) if group.count == 1]
    held = [
        (source, path, item)
        for source, value in script_values(document)
        for path, item in _telling(value)
        if path or source != "flight"
    ]
    held.sort(key=lambda one: -_plain(one[2]))
    others = [
        _group(source, path, [item], record_slots([item], MOST_OF_OBJECT)) for source, path, item in held[:MOST_OBJECTS]
    ]
    linked.sort(key=lambda group: -group.score)
    # What is inside another serves as well where it has all that is wanted, and less beside it.
    others.sort(key=lambda group: (-serves(group), -group.selector.count("."), -group.score))
    return [*linked, *others][:most]


def _group(
    source: str, path: str, records: Sequence[dict[str, Any]], found: tuple[Slot, ...], context: str = ""
) -> Group:
    """The group of JSON objects that are at a path of a source."""
    sample = json.dumps(records[0], ensure_ascii=False, default=str)[:SAMPLE_AT_MOST]
    worth = score_of(records, found)
    return Group(
        "", "json", path, len(records), found, worth, source, headings=(context,) if context else (), sample=sample
    )


def _containers(value: Any) -> Iterator[tuple[str, Any]]:
    """The objects and arrays in a JSON value with their paths, outer ones first; of an array the first four items."""
    left: list[tuple[str, Any]] = [("", value)] if isinstance(value, (dict, list)) else []
    for _ in range(MAX_WALK):
        if not left:
            return
        path, value = left.pop()
        yield path, value
        items = enumerate(value[:4]) if isinstance(value, list) else filter(_is_step, value.items())
        inner = [(key, item) for key, item in items if isinstance(item, (dict, list))]
        if path.count(".") < MOST_STEPS:
            left += [(f"{path}.{key}".strip("."), item) for key, item in reversed(inner)]


def _is_step(item: tuple[str, Any]) -> bool:
    """Whether the key can be a step of a dotted path, and is neither a list's index nor the mark of all its items."""
    return "." not in item[0] and item[0] != "*" and not item[0].isdigit()


def _telling(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Objects that hold several plain values themselves, with their paths; of those inside another one these that hold
    more than it (a page's state says the build and the locale, too); none of an array's."""
    most: dict[str, int] = {}
    for path, item in _containers(value):
        above = path.rpartition(".")[0]
        if not isinstance(item, dict) or (path and above not in most):
            continue
        plain, outer = _plain(item), most[above] if path else 0
        most[path] = max(outer, plain if plain >= LEAST_OF_OBJECT else 0)
        if most[path] > outer:
            yield path, item


MOST_STEPS = 8
"""Dots in the path of an object or an array that is looked into."""
MOST_OBJECTS = 24
"""Objects of a page's state that are looked at."""
MOST_OF_OBJECT = 160
"""Values of an object that is alone of its kind: it may hold far more than the page shows."""
LEAST_OF_OBJECT = 6
"""Plain values that an object has that says something of its own."""


def _plain(value: dict[str, Any]) -> int:
    """How many plain values an object has."""
    return sum(isinstance(item, (str, int, float)) and item != "" for item in value.values())


def linked_data(scripts: Sequence[Script]) -> dict[str, list[dict[str, Any]]]:
    """The objects of the page's JSON-LD by their types, wherever they are in it."""
    whole = [loaded(script.text) for script in scripts if "ld+json" in script.attrs.get("type", "").lower()]
    kinds = [kind for thing in typed_items(whole) for kind in as_list(thing["@type"]) if isinstance(kind, str)]
    return {kind: typed_items(whole, kind) for kind in islice(dict.fromkeys(kinds), MOST_TYPES)}


def _linked_data(scripts: Sequence[Script]) -> list[Group]:
    out: list[Group] = []
    for kind, things in linked_data(scripts).items():
        found = record_slots(things, MOST_OF_OBJECT if len(things) == 1 else slots.MAX_SLOTS)
        if len(found) > 1:
            group = _group("ld+json", kind, things, found, kind)
            aside = {"score": 0.25 * group.score, "region": "footer"} if kind in _SCENERY else {}
            out.append(msgspec.structs.replace(group, id=f"ld{len(out)}", **aside))
    return out


def arrays_of(value: Any, source: str, least: int = 2) -> list[Group]:
    """Groups of the arrays of objects in a JSON value, best first, at most three."""
    found: list[Group] = []
    for path, items in _containers(value):
        if isinstance(items, dict) and _are_records(items):
            path, items = f"{path}.*".strip("."), list(items.values())
        records = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
        if len(records) < max(least, 0.8 * len(items)) or not isinstance(items[0], dict):
            continue
        if made := record_slots(records):
            found.append(_group(source, path, records, made, name_of_data(source, path.removesuffix(".*"))))
    found.sort(key=lambda group: -group.score)
    return [msgspec.structs.replace(group, id=f"j{number}") for number, group in enumerate(found[:3])]


LEAST_KEYED = 3
"""Objects that are records where the keys of an object around them tell them apart."""


def _are_records(keyed: dict[str, Any]) -> bool:
    """Whether an object's values are objects that have some keys in common, as records by their ids have."""
    shared = [set(item) if isinstance(item, dict) else set() for item in islice(keyed.values(), 20)]
    return len(shared) >= LEAST_KEYED and len(set.intersection(*shared)) > 1


def score_of(records: Sequence[dict[str, Any]], found: Sequence[Slot]) -> float:
    """On the scale of the markup's candidates, so that both can be ranked together."""
    text = sum(len(sample) for slot in found for sample in slot.samples[:1])
    some = [json.dumps(record, sort_keys=True, default=str)[:400] for record in records[:60]]
    distinct = len(set(some)) / len(some)
    fields = sum(1 for slot in found if slot.coverage >= 0.5)
    return round(math.log(1 + len(records)) * min(fields, 14) * math.log(2 + min(text, 600)) * distinct, 2)


def record_slots(records: Sequence[dict[str, Any]], most: int = slots.MAX_SLOTS) -> tuple[Slot, ...]:
    """Slots of JSON objects: dotted paths to their scalars and lists of scalars, to a depth of four, an object's own
    values before those of what is in it."""
    records = records[:400]
    paths: dict[tuple[str, bool], list[Any]] = {}
    for k, record in enumerate(records):
        for key, many, value in _leaves(record, "", 0):
            column = paths.setdefault((key, many), [None] * len(records))
            if column[k] is None:
                column[k] = value
    out: list[Slot] = []
    for (key, many), column in sorted(paths.items(), key=lambda item: item[0][0].count(".")):
        held = [[squeeze(str(x)) for x in as_list(value) if x is not None] for value in column if value not in _NOTHING]
        if held and len(held) >= 0.04 * len(records):
            out.append(data_slot(f"s{len(out)}", key, held, len(records), _key_names(key), many=many))
        if len(out) >= most:
            break
    return tuple(out)


_NOTHING: tuple[Any, ...] = (None, "", [])


def data_slot(
    number: str, path: str, held: Sequence[Sequence[str]], size: int, names: tuple[str, ...], attr: str = "text",
    *, many: bool = False,
) -> Slot:  # fmt: skip
    """The slot of a place in data. `held` is what those of its `size` records say that have it, each a value or
    `many`."""
    texts = [text for one in held for text in one]
    return Slot(
        id=number,
        selector=path,
        attr=attr,
        many=many,
        type="list" if many else values.type_of_data(texts, attr),
        names=names,
        coverage=round(len(held) / size, 3),
        distinct=round(len(set(map(tuple, held))) / len(held), 3),
        samples=slots.samples_of(texts),
    )


def _leaves(value: dict[str, Any], path: str, depth: int) -> Iterator[tuple[str, bool, Any]]:
    for key, item in value.items():
        if "." in key or key in ("*", "@context"):
            continue
        here = f"{path}.{key}".strip(".")
        if isinstance(item, dict):
            if depth < 3:
                yield from _leaves(item, here, depth + 1)
        elif isinstance(item, list):
            if item and all(isinstance(x, (str, int, float)) for x in item):
                yield here, True, item
                yield f"{here}.0", False, item[0]
            elif item and isinstance(item[0], dict) and depth < 3:
                yield from ((f"{here}.0{k[len(here) :]}", m, v) for k, m, v in _leaves(item[0], here, depth + 1))
                yield from _columns(item, here)
        elif item is not None:
            yield here, False, item


def _columns(items: list[Any], path: str) -> Iterator[tuple[str, bool, list[Any]]]:
    objects = [item for item in items if isinstance(item, dict)]
    for key in dict.fromkeys(k for item in objects for k, v in item.items() if isinstance(v, (str, int, float))):
        if "." not in key:
            yield f"{path}.*.{key}", True, [item[key] for item in objects if key in item]


def _key_names(path: str) -> tuple[str, ...]:
    steps = [step for step in path.split(".") if step != "*" and not step.isdigit()]
    names = [" ".join(words_of(step)) or step.lower() for step in reversed(steps)]
    if len(steps) > 1:
        if steps[-1] in ("name", "title", "value", "text", "@value", "slug"):  # of what it is in
            names = names[1::-1]
        names.append(" ".join(reversed(names[:2])))
    return tuple(dict.fromkeys(filter(None, names)))[:5]


def name_of_data(source: str, path: str) -> str:
    """What data are called: by the last step of the way to them, else by what holds them."""
    return path.rpartition(".")[2].strip("*") or [*source.split(" "), source][1]


def api_urls(document: Document) -> list[str]:
    """Addresses that the page's scripts seem to fetch data from, best first.

    A string that goes on with a page number (`"/api/items?page=" + page`) is completed with 1.
    """
    found: dict[str, float] = {}
    for script in document.scripts:
        if script.attrs.get("src") or "json" in script.attrs.get("type", ""):
            continue
        for match in _CALL.finditer(script.text):
            kind = match.lastgroup or ""
            url = _completed(match[kind][1:-1].replace("\\/", "/"), script.text[match.end() : match.end() + 160])
            if not url or _STATIC.search(url) or (kind == "named" and "/" not in url and "?" not in url):
                continue
            worth = {"call": 3.0, "path": 2.0, "named": 1.0}[kind] + 2.0 * bool(re.search(r"api|json|ajax", url))
            absolute = urljoin(document.base, url)
            found[absolute] = max(found.get(absolute, 0.0), worth)
    return sorted(found, key=lambda url: -found[url])


def _completed(text: str, behind: str) -> str:
    """A whole address from a string literal, with page numbers filled in; "" where it can't be known."""
    text += "${}" if re.match(r"\s*\+", behind) else ""  # what is added to it, as in a template
    text = re.sub(r"([?&](?:page|p|pg|offset|start|skip)=|/pages?/)\$\{[^}]*\}", lambda it: it[1] + _first(it[1]), text)
    text = re.sub(r"[?&][\w-]+=\$\{[^}]*\}|(?<=\w)\$\{\}$", "", text)
    if any(mark in text for mark in ("${", "{{", "<%", " ")):
        return ""
    match = _DATA.match(behind)
    return f"{text}{'&' if '?' in text else '?'}{match[1]}={_first(match[1])}" if match else text


def _first(param: str) -> str:
    return "0" if is_offset_param(param.strip("?&=")) else "1"
