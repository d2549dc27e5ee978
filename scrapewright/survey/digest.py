"""A survey in words for a model's eyes: what it needs to write a scraper, in a bounded number of tokens.

Slots are flat lines of selector, coverage and samples: models point at nodes best from flat path-and-text lists
(NEXT-EVAL, arXiv 2505.17125), and attribute-less or nested digests lose what selectors are made of.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from scrapewright.query.reading import Reading
from scrapewright.survey.model import Group, NextPage, Slot, Survey
from scrapewright.survey.rank import fit
from scrapewright.web.page import RENDER

CHARS_PER_TOKEN = 3.6
"""Measured on digests of pages in Latin scripts; other scripts are counted by tokens_in."""
SAMPLE, SAMPLES = 48, 100
"""Characters of a value, and of all values of a slot."""
BEST, OTHERS = 3, 6
MANY = 3
"""Records of which a constant text says nothing."""
_WORD = re.compile(r"\w+")
_PLAIN = frozenset({"url", "link", "image", "alt", "src", "title"})
"""Names of many places that say no more than the attribute does."""
_PICTURES = frozenset({"src", "srcset", "data-src", "data-original"})
_KINDS = {
    "list": "repeated elements", "table": "table rows", "feed": "feed items (parse with the xml parser)",
    "page": "record, the page as a whole", "json": "JSON records",
}  # fmt: skip

_FORMS = {
    "": "",
    "run": ", each record is a match with all its following siblings up to the next match{until}, put in a box",
    "parts": ", what is in it between {breaks} <br> in a row, hr or headings is a record, put in a box",
    "text": ", each line that says something is a record: make a tr of td, cut at the places {cuts}, then its links",
    "blocks": ", what is between blank lines is a record: make a tr with a td for each line, then its links",
}


def tokens_in(text: str) -> int:
    """An estimate from above of a model's tokens: a letter beyond Latin, Greek and Cyrillic counts as one."""
    wide = sum(1 for char in text if ord(char) > 0x4FF)
    return int((len(text) - wide) / CHARS_PER_TOKEN) + wide + 1


def digest(survey: Survey, query: Reading, max_tokens: int) -> str:
    """The survey as text of at most `max_tokens` estimated tokens; what does not fit is left out from the end."""
    budget = _Budget(max_tokens)
    page = survey.page
    said = f" (said in: {page.declared})" if page.declared else ""
    kind = page.media_type or "no type"
    budget.add(f"PAGE {page.url}\nstatus {page.status}, {kind}, encoding {page.encoding}{said}, {page.bytes} bytes")
    budget.add(f"title: {page.title[:120]}" + (f", language {page.language}" if page.language else ""))
    if survey.verdict != "ok":
        budget.add(f"VERDICT {survey.verdict}: {survey.reason}")
    if survey.base and survey.base != page.url:
        budget.add(f"links are relative to {survey.base}")
    if (search := survey.search) is not None:
        pressed = f" and its button {search.button[0]!r}={search.button[1]!r}" if search.button[0] else ""
        budget.add(
            f"REACHED BY POST of the form {search.selector!r} on {search.url}: its fields, hidden ones too{pressed}, "
            f"with {search.field!r}={search.text!r}"
        )
    if survey.drawn:
        budget.add(
            "DRAWN BY SCRIPT: below is the page as a browser draws it, which a plain request does not get. Send the "
            f"header {RENDER}: 1 with each GET (timeout 120); where the answer lacks it, exit with the message that "
            "this program has to be run with scrapewright trace"
        )
    budget.add(_next(survey.next))
    for api in survey.apis[:3]:
        budget.add(
            f"JSON endpoint {api.url}: {api.count} records at {api.records or 'the top'}"
            + (f", paged by {api.param}" if api.param else "")
        )
    shares = (0.55, 0.75, 0.9)
    for number, group in enumerate(survey.groups[:3]):
        limit = max_tokens * shares[number] if survey.detail is None else max_tokens * shares[number] * 0.7
        _group(budget, group, query, limit, f"GROUP {number + 1}", rival=number > 0 and group.kind != "page")
    if survey.detail is not None and survey.detail.groups:
        slot = next((s for s in survey.groups[0].slots if s.id == survey.follow_slot), None)
        where = f"{slot.selector or 'the record'} @{slot.attr}" if slot else "a link of each record"
        budget.add(f"DETAIL PAGE behind {where}: {survey.detail.page.url}")
        for group in survey.detail.groups[:2]:
            _group(budget, group, query, max_tokens * 0.95, "DETAIL GROUP")
    for note in survey.notes:
        budget.add(f"note: {note}")
    return "\n".join(budget.lines)


@dataclass
class _Budget:
    total: int
    used: int = 0
    lines: list[str] = field(default_factory=list)

    def add(self, line: str) -> bool:
        cost = tokens_in(line)
        if not line or self.used + cost > self.total:
            return False
        self.used += cost
        self.lines.append(line)
        return True


def _next(step: NextPage) -> str:
    if step.how == "none":
        return "NEXT PAGE none found"
    checked = "checked: page 2 has other records of the same shape" if step.verified else "not checked"
    last = f", last page {step.last}" if step.last else ""
    named = "its text or the end of its argument is the next number" if step.numbered else repr(step.text)
    pressed = f"__doPostBack in {step.script}: __EVENTTARGET, __EVENTARGUMENT" if step.script else "the button's name"
    how = {
        "form": f"POST the form around {step.selector!r} ({named}): its fields, hidden ones too, and {pressed}",
        "link": f"follow href of the first {step.selector!r} ({step.text!r})",
        "numbers": f"among {step.selector!r} the link whose text is the current number plus one",
        "param": f"count {step.param!r} up by {step.step} from {step.start}",
        "json": f"{step.selector!r} in the answer tells whether there is more; "
        f"{step.param!r} counts from {step.start} by {step.step}",
    }[step.how]
    return f"NEXT PAGE {how} -> {step.url} ({checked}{last})"


def _group(budget: _Budget, group: Group, query: Reading, limit: float, title: str, *, rival: bool = False) -> None:
    """Of a `rival` of the group that ranks first, the places are shown that a column may be in, and a few others."""
    where = f" in {group.source}" if group.source else ""
    context = f", under {group.context[:80]!r}" if group.context else ""
    skip = ", leaving out {} at the start and {} at the end".format(*group.skip) if any(group.skip) else ""
    until = f" or {group.until}" if group.until else ""
    form = _FORMS[group.form].format(until=until, breaks=group.breaks, cuts=list(group.cuts))
    chosen = f"select {group.selector!r}{form}{skip}"
    if not budget.add(f"{title}: {group.count} {_KINDS[group.kind]}{where}, {chosen}{context}"):
        return
    for data in group.data:
        kind = "the JSON-LD object of type" if data.source == "ld+json" else f"in {data.source}"
        budget.add(f"  {data.name} is {kind} {data.selector}")
    wanted = _wanted(group, query)
    seen: set[object] = set()
    for slot in sorted(group.slots, key=lambda slot: slot.id not in wanted):
        if budget.used > limit or (rival and len(seen) >= len(wanted) + OTHERS):
            budget.add("  … more slots left out")
            return
        values = (slot.attr, slot.many, slot.coverage, slot.samples)
        if values in seen or (slot.id not in wanted and _says_nothing(slot, group)):
            continue
        seen.add(values)
        budget.add(_slot(slot))


def _wanted(group: Group, query: Reading) -> set[str]:
    """The slots that a column of the query may be in, by id: the best three of each."""
    return {slot.id for asked in query.fields for slot in sorted(group.slots, key=lambda s: -fit(asked, s))[:BEST]}


def _says_nothing(slot: Slot, group: Group) -> bool:
    """Whether it holds more than another slot does, or is the same text in all of many records, as a button's is, or
    the address of a picture."""
    if slot.attr == "text" and not slot.own and slot.samples:
        start = slot.samples[0]
        if any(s.attr == "text" and s.samples and start.startswith(f"{s.samples[0]} ") for s in group.slots):
            return True
    constant = len(slot.samples) == 1 and slot.coverage > 0.9 and group.count >= MANY and not slot.vocabulary
    return constant or slot.attr in _PICTURES


def _slot(slot: Slot) -> str:
    how = slot.attr if slot.attr != "text" or not slot.own else "own text"
    marks = [f"[{slot.index}]" if slot.index else "", "all" if slot.many else ""]
    mark = " ".join(filter(None, marks))
    known = {*_WORD.findall(f"{slot.selector} {slot.attr} {slot.label}".lower()), *_PLAIN}
    telling = [name for name in slot.names if not known.issuperset(_WORD.findall(name.lower()))]
    names = f" names: {', '.join(telling[:3])};" if telling else ""
    label = f" label {slot.label!r};" if slot.label and repr(slot.label)[1:-1] not in slot.selector else ""
    words = f" words: {', '.join(slot.vocabulary)};" if slot.vocabulary else ""
    where = f"{slot.selector or '(the record)'} {mark}".rstrip()
    where = f"{where} in {slot.data}" if slot.data else where
    kind = "" if slot.type == "text" else f", {slot.type}"
    coverage = "" if slot.coverage > 0.995 else f", {slot.coverage:.0%}"
    return f"  {where} @{how}{kind}{coverage};{names}{label}{words} e.g. {_samples(slot)}"


def _samples(slot: Slot) -> str:
    """The first value, and others as far as there is room: short ones tell more together than long ones."""
    shown = [sample[:SAMPLE] for sample in slot.samples[:3]]
    while len(shown) > 1 and sum(map(len, shown)) > SAMPLES:
        shown.pop()
    return " | ".join(shown)


# One record as on the page, without what no selector needs.

_EMPTY = re.compile(
    r"<(svg|script|style|noscript|iframe)\b[^>]*>.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL | re.IGNORECASE
)
_TAG = re.compile(r"<[a-zA-Z][^<>]*>?")
_ATTRIBUTE = re.compile(r"""\s+([\w:.@-]+)(?:\s*=\s*("[^"]*"?|'[^']*'?|[^\s"'>]+))?""")
_BLANK = re.compile(r"\s+")
_TEXT = re.compile(r">([^<>]+)")
_NOISE = re.compile(
    r"(?:srcset|sizes|style|loading|decoding|width|height|on\w+|xmlns.*|fetchpriority|target|rel|integrity|nonce|tabindex|data-(?:src|srcset|original|lazy.*))"
)
VALUE, TEXT = 100, 240
"""Characters of an attribute's value, and of a text."""


def shortened(sample: str, most: int) -> str:
    """A record's markup (or JSON) in `most` characters at most: without pictures' and scripts' insides and attributes
    that nothing is selected by, long values and texts cut, and what is left cut between two elements.
    """
    if sample.lstrip()[:1] in "{[":
        return sample[:most]
    text = _EMPTY.sub(lambda found: f"<{found[1]}/>" if found[1] else "", sample)
    text = _BLANK.sub(" ", _TAG.sub(_tag, text))
    text = _TEXT.sub(lambda found: ">" + _cut(found[1], TEXT), text).replace("> <", "><").strip()
    if len(text) <= most:
        return text
    end = text.rfind("<", 0, most)
    return text[: end if end > most // 2 else most] + "…"


def _tag(found: re.Match[str]) -> str:
    def attribute(one: re.Match[str]) -> str:
        name, value = one[1], one[2]
        if _NOISE.fullmatch(name.lower()):
            return ""
        return f" {name}" if value is None else f" {name}={value[:1] + _cut(value[1:-1], VALUE) + value[-1:]}"

    return _ATTRIBUTE.sub(attribute, found[0])


def _cut(value: str, most: int) -> str:
    return value if len(value) <= most else f"{value[: most * 3 // 4]}…{value[-most // 4 :]}"
