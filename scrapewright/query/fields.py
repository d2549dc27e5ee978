"""Finds the list of fields in a request and reads its items.

Every place where a list may begin (a colon, "with", "columns", a verb) is tried, each list is read up to where it stops
looking like one, and the one whose items look most like columns wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from scrapewright.query import triggers
from scrapewright.query.clauses import Clause
from scrapewright.query.filters import conditions_at
from scrapewright.query.items import Item, is_condition, named_alike, read_item
from scrapewright.query.lexicon import concepts_of
from scrapewright.query.model import Field
from scrapewright.query.notes import read_note, says_optional, type_of_name
from scrapewright.query.pattern import Pattern
from scrapewright.query.text import URL, Text
from scrapewright.query.wordlist import word_set

_MAX_CANDIDATES = 48
_MAX_ITEMS = 80
_MAX_LENGTH = 6000


class FieldList(msgspec.Struct, frozen=True):
    """The list that was found: its fields, and the spans of the text that it was read from."""

    fields: tuple[Field, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    question: bool = False


class _Candidate(msgspec.Struct, frozen=True):
    start: int
    end: int
    bonus: float
    lead: int
    kind: str


def find_fields(text: Text, clauses: Sequence[Clause], language: str) -> FieldList:
    """The fields asked for, in their order. None is no error: the request may name none."""
    begun = {c.start for c in clauses if text.depth[c.start] == 0 and c.kind in _STOPPING}
    stops = sorted(begun | set(conditions_at(text)))
    ends = [c.end for c in clauses if text.depth[c.start] == 0 and c.kind in _STOPPING]
    sep = triggers.separator(language)
    closed = [(c.start, c.end) for c in clauses if c.kind == "superlative"]
    taken = [(c.start, c.end) for c in clauses if c.kind in _STOPPING and c.kind not in ("leave-empty", "single")]
    best: tuple[float, _Candidate, list[Item], list[tuple[int, int]]] | None = None
    seen: set[tuple[int, int]] = set()
    for count, candidate in enumerate(_candidates(text, stops, ends)):
        if count >= _MAX_CANDIDATES:
            break
        if (candidate.start, candidate.end) in seen or any(a < candidate.start < b for a, b in closed):
            continue
        seen.add((candidate.start, candidate.end))
        items, holes = _read(text, candidate, sep, language, taken)
        score = _score(items, candidate)
        if score > 0.0 and (best is None or score > best[0] + 1e-9):
            best = (score, candidate, items, holes)
    if best is None:
        return FieldList()
    _, candidate, items, holes = best
    fields = _to_fields(_spread_plurals(named_alike(items)))
    end = max(i.end for i in items)
    spans: list[tuple[int, int]] = []
    at = candidate.lead
    for start, stop in [*(hole for hole in holes if hole[0] < end), (end, end)]:
        if start > at:
            spans.append((at, start))
        at = stop
    return FieldList(fields, tuple(spans), candidate.kind == "question")


_STOPPING = frozenset(
    {
        "format",
        "file",
        "all-pages",
        "this-page",
        "page-count",
        "keep-order",
        "exclude",
        "leave-empty",
        "follow",
        "limit",
        "order",
        "superlative",
        "section",
        "other-format",
        "single",
    }
)


def _candidates(text: Text, stops: list[int], ends: Sequence[int] = ()) -> Iterator[_Candidate]:
    for start, end in text.sentences():
        for match in re.finditer(":", text.plain[start:end]):
            at = start + match.start()
            if text.depth[at] == 0 and _is_list_colon(text, at):
                yield _Candidate(at + 1, _stop(stops, at + 1, end), 1.0, at, "colon")
        for match in text.top(triggers.COLUMNS, start, end):
            yield _Candidate(match.end(), _stop(stops, match.end(), end), 2.0, match.start(), "columns")
        for match in text.top(triggers.COLUMNS_AFTER, start, end):
            begin = _clause_start(text, start, match.start())
            begin = max([begin, *(e for e in ends if begin < e <= match.start())])
            yield _Candidate(begin, match.start(), 1.0, begin, "columns")
        for match in text.top(triggers.QUESTION_LEAD, start, end):
            yield _Candidate(match.end(), _stop(stops, match.end(), end), 0.4, match.start(), "question")
        for match in text.top(triggers.WITH, start, end):
            yield _Candidate(match.end(), _stop(stops, match.end(), end), 0.5, match.start(), "with")
        for match in text.top(triggers.VERB, start, end):
            yield _Candidate(match.end(), _stop(stops, match.end(), end), 0.2, match.start(), "verb")
        for match in text.top(triggers.PER, start, end):
            yield _Candidate(match.end(), _stop(stops, match.end(), end), 0.5, match.end(), "per")
        for match in re.finditer(f"{URL}+", text.plain[start:end]):
            yield _Candidate(
                start + match.end(), _stop(stops, start + match.end(), end), 0.0, start + match.end(), "address"
            )
        yield _Candidate(start, _stop(stops, start, end), 0.0, start, "sentence")
    for opened, closed in text.pairs.items():
        if text.plain[opened] in "({[" and text.depth[opened] <= 2 and _only_names(text.plain[opened + 1 : closed]):
            told = _TOLD_BEFORE.search(text.low, max(0, opened - 90), opened)
            yield _Candidate(opened + 1, closed, 1.5, told.start() if told else opened, "bracket")


_TOLD_BEFORE = Pattern(
    rf"(?<!\w)(?:with|including|mit|samt|avec|con|met|com) [^,;:.()\n{URL}]{{2,70}} $",
)
"""What says in other words what the brackets name: "with its last change (loc, lastmod)"."""
_FORM = r"(?: (?:as )?(?:int|float|integer|date|url|list|bool|[ymdhj]{2,4}(?:[-/.:][ymdhst]{2,4})+))?"
_NAMES = Pattern(
    rf"\s*[\"'`]?[^\W\d]\w*[\"'`]?{_FORM}(?:\s*:\s*[\"'`]?\w+[\"'`]?)?(?:\s*[,;]\s*[\"'`]?[^\W\d]\w*[\"'`]?{_FORM}"
    r"(?:\s*:\s*[\"'`]?\w+[\"'`]?)?){1,60}\s*,?\s*",
    re.IGNORECASE,
)
_TYPES_ALONE = Pattern(
    r"(?:^|[,;])\s*(?:ints?|integers?|floats?|decimals?|numbers?|numeric|strings?|bool(?:ean)?s?|iso|absolute)\s*(?:[,;]|$)",
    re.IGNORECASE,
)


def _only_names(inside: str) -> bool:
    if len(inside) >= 2000 or inside.count(" ") > 3 * (inside.count(",") + 2) or _TYPES_ALONE.search(inside):
        return False  # "(year, int)" is said of one column
    return bool(_NAMES.fullmatch(inside))


_NO_LIST_BEFORE = Pattern(
    r"(?:following|these|those|folgende[nr]?|suivante?s|siguientes|seguenti|volgende) (?!data|fields?"
    r"|columns?|info|information|details|attributes|values|properties|things|items|daten|felder|spalten"
    r"|champs|données|datos|campos|dati|gegevens|velden|\w+ data)"
    r"(?:[^\s:,]+)(?: [^\s:,]+)?\s*$|(?:note|hint|hinweis|example|beispiel|e\.g|important|url|urls)\s*$"
)


_CLOCK_COLON = Pattern(r"(?<=\d):(?=\d)|(?<=(?<!\w)hh):(?=mm)|(?<=(?<!\w)h):(?=mm)|(?<=:mm):(?=ss)")
"""The colon of a time of day, or of the pattern of one: 9:30, HH:MM:SS."""


def _end_colon(text: Text, start: int, end: int) -> int:
    """The first colon there that is not part of a time of day; -1 where there is none."""
    at = text.plain.find(":", start, end)
    while at >= 0 and _CLOCK_COLON.match(text.low, at):
        at = text.plain.find(":", at + 1, end)
    return at


def _is_list_colon(text: Text, at: int) -> bool:
    if _CLOCK_COLON.match(text.low, at):
        return False
    return not _NO_LIST_BEFORE.search(text.low[max(0, at - 60) : at])


def _clause_start(text: Text, start: int, at: int) -> int:
    """Where the clause that ends at `at` begins: after an address, a colon, or the sentence's start."""
    low = max(start, at - 400)
    begin = max(text.plain.rfind(URL, low, at), text.plain.rfind(":", low, at), text.plain.rfind(";", low, at)) + 1
    return max(begin, low)


def _stop(stops: list[int], start: int, end: int) -> int:
    for stop in stops:
        if start < stop < end and stop - start >= 2:
            return stop
    return min(end, start + _MAX_LENGTH)


def _read(
    text: Text,
    candidate: _Candidate,
    sep: Pattern,
    language: str,
    taken: Sequence[tuple[int, int]] = (),
) -> tuple[list[Item], list[tuple[int, int]]]:
    """The items, and the spans between them that say which rows are wanted."""
    holes: list[tuple[int, int]] = []
    depth = text.depth[candidate.start - 1] if candidate.kind == "bracket" else 0
    items: list[Item] = []
    at = candidate.start
    cuts = [m for m in sep.finditer(text.low, candidate.start, candidate.end) if text.depth[m.start()] <= depth][
        : _MAX_ITEMS * 2
    ]
    edges = [(m.start(), m.end()) for m in cuts] + [(candidate.end, candidate.end)]
    missed = 0
    edges_end = False
    for cut, after in edges:
        if text.plain[at:cut].strip():
            colon = _end_colon(text, at, cut) if candidate.kind not in ("colon", "columns", "bracket") else -1
            if colon >= 0 and text.depth[colon] == 0:
                cut, after, edges_end = colon, candidate.end, True
            if is_condition(text, at, cut) or _is_taken(text, at, cut, taken):
                holes.append((at, cut))
                at = after
                continue
            item = read_item(text, at, cut, language)
            if item is None:
                # One thing that is no field may stand before the list, but not within it.
                missed += 1
                if items or missed > 1 or candidate.kind in ("colon", "bracket", "sentence", "address"):
                    break
            else:
                items.append(item)
                if item.last or edges_end or len(items) >= _MAX_ITEMS:
                    break
        if edges_end:
            break
        at = after
    return items, holes


_MERELY = Pattern(r"[\s.;]+|(?<!\w)(?:only|alone|nur|seulement|uniquement|solo|sólo|alleen)(?!\w)")


def _is_taken(text: Text, start: int, end: int, taken: Sequence[tuple[int, int]]) -> bool:
    """All of it was read as something else: "first 2 pages only"."""
    while start < end and text.plain[start].isspace():
        start += 1
    return any(a <= start and not _MERELY.sub("", text.low[b:end]) for a, b in taken if start < b <= end)


_OF_ALL = Pattern(
    r"(?:of|from) (?:all|every|each)(?!\w)|aller(?!\w)|von (?:allen|jede[mr])(?!\w)"
    r"|de (?:tou(?:s|tes)|chaque|tod[oa]s|cada)(?!\w)|di (?:tutt[ie]|ogni)(?!\w)|van (?:alle|elke?)(?!\w)"
    r"|wszystkich(?!\w)|všech(?!\w)|всех(?!\w)"
)
"""What follows a column's name, and no row's: "titles of all jobs"."""
WHATS_ON = Pattern(
    r"(?:on|new|up|happening|going_on|coming_up|playing|showing|available|here|there|los|neu|nuevo|nuovo)$"
)
"""What follows "what's" and asks for a list of things, not for one value."""


def _score(items: list[Item], candidate: _Candidate) -> float:
    if not items:
        return 0.0
    quality = sum(i.quality for i in items)
    known = sum(1 for i in items if i.known)
    explicit = candidate.kind in ("columns", "bracket")
    if not explicit:
        asked = candidate.kind == "question" and len(items) == 1 and len(items[0].words) <= 5
        asked = asked and not WHATS_ON.match(items[0].name)
        if known == 0 and not asked and (candidate.kind != "colon" or len(items) < 2):
            return 0.0
        if known * 3 < len(items):
            quality *= 0.5
    if len(items) == 1 and not explicit:
        item = items[0]
        of_all = item.known and bool(_OF_ALL.match(item.note))
        if candidate.kind in ("sentence", "address") and not of_all:
            return 0.0
        if candidate.kind in ("verb", "with", "per") and item.weak and not of_all:
            return 0.0
        quality *= 0.8
    if candidate.kind == "sentence":
        quality -= 0.6
    return quality + candidate.bonus


def _spread_plurals(items: list[Item]) -> list[Item]:
    """ "wins, losses (ints)" types both: a type said in the plural holds for the fields before it as well, back to one
    that has a type of its own or a name that speaks against it."""
    out = list(items)
    for index, item in enumerate(items):
        note = read_note(item.note)
        if not note.plural or note.type in ("list",):
            continue
        for back in range(index - 1, -1, -1):
            before = read_note(out[back].note)
            if before.type or before.date_format:
                break
            guess = type_of_name(out[back].name, out[back].words)
            numeric = note.type in ("int", "float")
            # A name that is known for something else ends the run: "team, won, lost (ints)".
            fits = guess == note.type or (guess in ("int", "float", "text") if numeric else guess == "text")
            if not fits or (concepts_of(out[back].words) and guess == "text"):
                break
            out[back] = msgspec.structs.replace(out[back], spread=note.type)
    return out


_AS_SHOWN = Pattern(
    r"(?<!\w)(?:as (?:it is |it's |they are )?(?:shown|displayed|printed|written|given)|as (?:it|they) appears?"
    r"|wie (?:angezeigt|angegeben|auf der seite)|tel(?:le)?s? (?:qu'affichée?s?|que?l?(?:le)?s?)|(?:tal )?(?:y )?como"
    r" (?:aparecen?|se muestran?)|così come (?:appa\w+|mostrat\w+)|zoals (?:getoond|weergegeven|op de (?:pagina|site))"
    r"|jak (?:je|jsou) uveden\w+|jak podan\w+|как (?:на (?:странице|сайте)|указан\w*))(?!\w)"
    r"|原样|原樣|そのまま|그대로"
)


def _to_fields(items: list[Item]) -> tuple[Field, ...]:
    fields: dict[str, Field] = {}
    for item in items:
        if item.name in fields:
            continue
        note = read_note(item.note)
        kind = note.type or item.spread or ("text" if _AS_SHOWN.search(f"{item.note} {item.remark}".lower()) else "")
        words = _words(item, read_note(item.remark).rest)
        guess = type_of_name(item.name, item.words)
        fields[item.name] = Field(
            name=item.name,
            type=kind or ("url" if note.absolute and guess == "text" else guess),
            words=words,
            note=item.note,
            optional=note.optional,
            typed=bool(kind),
            absolute=note.absolute,
            date_format=note.date_format,
        )
    return tuple(_held(field, fields.values()) for field in fields.values())


def _held(field: Field, others: Iterable[Field]) -> Field:
    """The position of people, who have addresses, is no number."""
    near = {concept for other in others for concept in concepts_of(other.words)}
    if field.typed or field.type != "int" or field.words[-1:] != ("position",) or not near & _OF_PEOPLE:
        return field
    return msgspec.structs.replace(field, type="text")


_OF_PEOPLE = frozenset(("email", "phone", "company", "salary"))
_SMALL = word_set(
    """the a an of and or for with from all every each to in on by as is are it its just only not be no der die
    das den des dem und mit von le la les du de et el los las y con il lo gli e di het een en van z s a i w v
    и с в на ve és"""
)


def _words(item: Item, rest: str) -> tuple[str, ...]:
    """The words of the name, and those of short remarks beside it: what the page may call the field."""
    words = list(item.words)
    for part in rest.split(","):
        found = re.findall(r"[^\W\d_]{2,}", part.lower())
        if 0 < len(found) <= 3 and not says_optional(part):
            words += [w for w in found if w not in _SMALL and w not in words and len(set(w)) > 1]
    return tuple(words[:12])
