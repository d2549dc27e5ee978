"""Reads a request in a person's words into a Query. Rules and word lists only; any text gives a Query."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from scrapewright.query import phrases
from scrapewright.query.clauses import Clause, find_clauses
from scrapewright.query.fields import FieldList, find_fields
from scrapewright.query.filters import find_filters
from scrapewright.query.languages import SMALL, language_of
from scrapewright.query.lexicon import concepts_of
from scrapewright.query.model import Doubt, Field, Format, Order, PagingMode, Query
from scrapewright.query.notes import type_of_name
from scrapewright.query.order import OrderClause, find_order
from scrapewright.query.pattern import Pattern
from scrapewright.query.sections import find_section
from scrapewright.query.subject import find_subject, with_their
from scrapewright.query.superlatives import Superlative, column_of, find_superlatives
from scrapewright.query.text import URL, Text
from scrapewright.query.unread import find_unread
from scrapewright.query.weight import find_doubts
from scrapewright.query.wordlist import word_set

MAX_READ = 12_000
"""Characters of a request that are read; what comes after them is listed as not understood."""

Span = tuple[int, int]


def read_query(text: str) -> Query:
    """The reading of a request. Never raises; what can't be read is in `unread`, and nothing is in the Query that the
    text does not say (types that a name suggests are not `typed`)."""
    whole = text.encode("utf-8", "replace").decode("utf-8")
    view = Text(whole[:MAX_READ])
    language = language_of(view.low.replace(URL, " "))
    all_supers = supers = find_superlatives(view)
    clauses = _counted(find_clauses(view), supers)
    before = find_order(view, (), [(c.start, c.end) for c in clauses if c.kind == "keep-order"])
    stops = [*clauses, *(Clause("order", o.start, o.end) for o in before)]
    section = find_section(view)
    if section is not None:
        clauses = [c for c in clauses if c.kind != "exclude" or not _overlaps((c.start, c.end), section[:2])]
        clauses.append(Clause("section", section[0], section[1], section[2]))
        stops.append(clauses[-1])
    stops += [Clause("superlative", a, b) for one in supers for a, b in one.spans]
    found = find_fields(view, sorted(stops, key=lambda c: c.start), language)
    fields = _leave_empty(found.fields, view, clauses)
    spans: list[Span] = list(found.spans)
    clauses = [c for c in clauses if not _inside(c, spans) or c.kind in ("leave-empty", "distinct")]
    supers = [one for one in supers if not _within(one.start, spans)]
    closed = [(c.start, c.end) for c in stops if c.kind not in ("distinct", "manner")]
    counted = [c.end for c in clauses if c.kind == "limit"]
    counted += [end for one in supers for _, end in reversed(one.spans) if end not in counted]
    subject, subject_spans = find_subject(view, closed, spans, counted)
    fields, extra = _subject_fields(view, found, fields, subject)
    fields, aliases = _aliases(view, fields, spans)
    extra += aliases
    fields, added = _added_fields(view, fields, [*spans, *((c.start, c.end) for c in clauses), *subject_spans])
    extra += added
    closed = [*spans, *((c.start, c.end) for c in clauses if c.kind == "keep-order")]
    closed += [span for one in supers for span in one.spans]
    order_clauses = find_order(view, tuple(f.name for f in fields), closed)
    order = _order(order_clauses, fields)
    supers, order = _superlative_order(supers, order, fields)
    filters = find_filters(view, clauses, fields, spans)
    paging, pages = _paging(clauses, view)
    format_, said, filename = _format(clauses)
    follow = _unique(w for c in clauses if c.kind == "follow" for w in c.value)
    lost = [one for one in all_supers if one not in supers and not _within(one.start, spans)]
    holes = {span for one in lost for span in one.spans}
    used = [
        *spans,
        *subject_spans,
        *extra,
        *((c.start, c.end) for c in clauses if (c.start, c.end) not in holes),
        *((o.start, o.end) for o in order_clauses),
        *((a, b) for a, b, _ in filters),
        *(span for one in supers for span in one.spans),
        *((a.start, a.end) for a in view.addresses),
        *(match.span() for match in (_WHATS_ON.match(view.low.lstrip()),) if match),
    ]
    left = find_unread(view, used, subject)
    unread = tuple(phrase.said for phrase in left)
    if len(whole) > MAX_READ:
        unread = (*unread, whole[MAX_READ : MAX_READ + 200].strip() + " …")
    return Query(
        text=whole,
        urls=_unique(a.url for a in view.addresses),
        fields=fields,
        subject=subject,
        section=next((str(c.value) for c in clauses if c.kind == "section"), ""),
        paging=paging,
        pages=pages,
        follow=follow[:8],
        filters=tuple(f for _, _, f in filters),
        order=order,
        limit=next((int(c.value) for c in clauses if c.kind == "limit" and int(c.value) > 0), None),
        distinct=_distinct(clauses, view, fields, subject),
        single=not supers and _single(clauses, view, found),
        format=format_,
        format_said=said,
        filename=filename,
        language=language,
        unread=unread,
        doubts=(
            *find_doubts(view, left, used, subject_spans),
            *(Doubt(str(c.value), "format") for c in clauses if c.kind == "other-format"),
            *(_untyped(unread) if len(fields) > 1 else _unnamed(unread)),
        ),
    )


def _unnamed(unread: Sequence[str]) -> tuple[Doubt, ...]:
    """What a request that names one column or none leaves over, where it is called like columns or typed like them."""
    words = {word for said in unread for word in re.findall(r"[^\W\d_]+", said.lower())}
    named = [word for word in words if concepts_of((word,)) or word in ("int", "float", "integer", "isbn", "sku")]
    return (Doubt(", ".join(unread)[:200], "column"),) if len(named) >= 2 else ()


_TYPE_WORD = Pattern(
    r"(?:as )?(?:an? )?(?:ints?|integers?|floats?|decimals?|booleans?|ganzzahl(?:en)?|entiers?|enteros?)"
)


def _untyped(unread: Sequence[str]) -> tuple[Doubt, ...]:
    """A type that was left over belongs to a column that was not read."""
    left = next((at for at, said in enumerate(unread) if _TYPE_WORD.fullmatch(said.lower())), None)
    return () if left is None else (Doubt(", ".join(unread[max(0, left - 1) : left + 1])[:200], "column"),)


def _unique(values: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _within(at: int, spans: Sequence[Span]) -> bool:
    return any(a <= at < b for a, b in spans)


def _overlaps(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _inside(clause: Clause, spans: Sequence[Span]) -> bool:
    return _within(clause.start, spans)


def _leave_empty(fields: tuple[Field, ...], text: Text, clauses: Sequence[Clause]) -> tuple[Field, ...]:
    """Marks as optional the fields that the request says to leave empty in some rows."""
    named: set[str] = set()
    for clause in clauses:
        if clause.kind == "leave-empty":
            named |= set(re.findall(r"[^\W]+", str(clause.value).lower()))
    return tuple(msgspec.structs.replace(f, optional=True) if f.name.lower() in named else f for f in fields)


def _subject_fields(
    text: Text, found: FieldList, fields: tuple[Field, ...], subject: tuple[str, ...]
) -> tuple[tuple[Field, ...], list[Span]]:
    """ "All projects with their description" asks for the project too; "all article titles" asks for the title."""
    if not subject:
        return fields, []
    if not fields:
        last = concepts_of(subject[-1:])
        if last and last[0] in (
            "title",
            "price",
            "url",
            "email",
            "phone",
            "address",
            "date",
            "image",
            "author",
            "description",
            "rating",
        ):
            name = subject[-1]
            return (Field(name=name, type=type_of_name(name, (name,)), words=(name,)),), []
        return fields, []
    naming = {"title", "name"}
    unnamed = not any(naming & set(concepts_of(f.words)) for f in fields)
    if found.spans and unnamed and subject[-1] in _HEADLINES:
        return (Field(name=subject[-1], words=subject), *fields), []
    if found.spans and with_their(text.low, found.spans[0][0]) and unnamed:
        name = "_".join(subject)
        if name not in {f.name for f in fields}:
            return (Field(name=name, words=subject), *fields), []
    return fields, []


_HEADLINES = word_set("headline title name titel überschrift titre título titolo naam nazwa název заголовок")
"""What a row is called when it is what is collected: "the headlines with date and author"."""
_WITH_TOO = Pattern(
    r"(?<!\w)(?:with|including|incl\.|plus|along with|as well as|mit|inklusive|avec|con|met)"
    r"(?: (?:the|their|its|den|dem|der|les?|la|el))? (?P<name>[^\W\d_]{3,}(?: [^\W\d_]{3,})?)(?= ?(?:[.;,]|$))"
)


_TOO = frozenset(("email", "phone", "price", "date", "url", "author", "address", "rating", "description"))
"""What records have, all of them: "recipes with pictures" may be some of the recipes."""


def _added_fields(text: Text, fields: tuple[Field, ...], spans: Sequence[Span]) -> tuple[tuple[Field, ...], list[Span]]:
    """Columns that come behind the address or the list: "list the staff and their roles on …, with email"."""
    added: list[Field] = []
    used: list[Span] = []
    for match in text.top(_WITH_TOO, 0, len(text.low)) if fields else ():
        words = tuple(match["name"].split())
        name = "_".join(words)
        free = not any(a < match.end() and match.start() < b for a, b in spans)
        if (
            free
            and all(_TOO.intersection(concepts_of((word,))) for word in words)
            and name not in {f.name for f in (*fields, *added)}
        ):
            added.append(Field(name=name, type=type_of_name(name, words), words=words))
            used.append(match.span())
    return (*fields, *added), used


_CONTENT = Pattern(r"[^\W\d_]{2,}")


def _aliases(text: Text, fields: tuple[Field, ...], spans: Sequence[Span]) -> tuple[tuple[Field, ...], list[Span]]:
    """ "the number of guests (servings)" beside a list that names `servings`: the phrase is what the page may say."""
    names = {f.name: i for i, f in enumerate(fields)}
    out = list(fields)
    used: list[Span] = []
    for opened, closed in text.pairs.items():
        name = text.plain[opened + 1 : closed].strip()
        if text.plain[opened] != "(" or name not in names or _within(opened, spans):
            continue
        start = max(text.low.rfind(mark, max(0, opened - 80), opened) for mark in (",", ":", ";", ")", URL)) + 1
        start = max(start, opened - 80)
        said = [w for w in _CONTENT.findall(text.low[start:opened]) if w not in SMALL]
        index = names[name]
        words = tuple(dict.fromkeys((*out[index].words, *said[-4:])))
        out[index] = msgspec.structs.replace(out[index], words=words)
        used.append((start, closed + 1))
    return tuple(out), used


def _counted(clauses: Sequence[Clause], supers: Sequence[Superlative]) -> list[Clause]:
    """The clauses with the superlatives' numbers among them as limits, in place of what they were taken for."""
    spans = [span for one in supers for span in one.spans]
    kept = [c for c in clauses if c.kind != "limit" or not any(a < c.end and c.start < b for a, b in spans)]
    kept += [Clause("limit", *one.spans[0], one.limit) for one in supers if one.limit is not None]
    return sorted(kept, key=lambda c: (c.start, -c.end))


def _superlative_order(
    supers: Sequence[Superlative], order: tuple[Order, ...], fields: tuple[Field, ...]
) -> tuple[list[Superlative], tuple[Order, ...]]:
    """The superlatives that were understood, and the order with their keys in front: they choose the rows."""
    read: list[Superlative] = []
    keys: dict[str, Order] = {}
    for one in supers:
        column = column_of(one, fields)
        if column is None:
            continue
        read.append(one)
        words, descending = column
        name = words[0] if words[0] in {f.name for f in fields} else _column(words, fields)
        keys.setdefault(name, Order(name, descending))
    for key in order:
        keys.setdefault(key.field, key)
    return read, tuple(keys.values())


def _order(clauses: Sequence[OrderClause], fields: tuple[Field, ...]) -> tuple[Order, ...]:
    keys: dict[str, Order] = {}
    for clause in clauses:
        name = _column(clause.words, fields)
        keys.setdefault(name, Order(name, clause.descending))
    return tuple(keys.values())


def _column(words: tuple[str, ...], fields: tuple[Field, ...]) -> str:
    """The field that these words mean; where there is none, the words themselves as a name."""
    joined = "_".join(words)
    lower = {f.name.lower(): f.name for f in fields}
    if joined in lower:
        return lower[joined]
    for word in words:
        if word in lower:
            return lower[word]
    for field in fields:
        if set(words) & _name_words(field):
            return field.name
    wanted = concepts_of(words)
    # "nom de pays" is the country's column: what is said of the name says less than what is named.
    for concept in sorted(wanted, key=lambda concept: concept in ("name", "title")):
        meant = [f for f in fields if concept in concepts_of(tuple(_name_words(f)))]
        if meant and (concept != "count" or len(meant) == 1):
            return meant[0].name
    for field in fields:
        if set(words) & set(field.words):
            return field.name
    for concept in wanted:
        matching = [f for f in fields if concept in concepts_of(_own_words(f))]
        if matching and (concept != "count" or len(matching) == 1):
            return matching[0].name
    if "name" in wanted or "title" in wanted:
        for field in fields:
            if {"name", "title"} & set(concepts_of(_own_words(field))):
                return field.name
    if "date" in wanted:
        for field in fields:
            if field.type in ("date", "datetime"):
                return field.name
    for field in fields:
        if any(
            len(w) > 3 and any(len(o) > 3 and (o.startswith(w[:-1]) or w.startswith(o[:-1])) for o in field.words)
            for w in words
        ):
            return field.name
    return joined


def _own_words(field: Field) -> tuple[str, ...]:
    return field.words or (field.name.lower(),)


def _name_words(field: Field) -> set[str]:
    """The words of the column's name alone, without those of the remarks beside it."""
    return set(re.split(r"[\W_]+", field.name.lower()))


def _paging(clauses: Sequence[Clause], text: Text) -> tuple[PagingMode, int | None]:
    for clause in clauses:
        if clause.kind == "page-count":
            count = int(clause.value)
            return ("first", None) if count == 1 else ("count", max(count, 1))
    if any(c.kind == "this-page" for c in clauses):
        return "first", None
    if any(c.kind == "all-pages" for c in clauses):
        return "all", None
    return "unsaid", None


def _format(clauses: Sequence[Clause]) -> tuple[Format, bool, str]:
    filename = next((str(c.value) for c in clauses if c.kind == "file"), "")
    said = [str(c.value) for c in clauses if c.kind == "format"]
    if "jsonl" in said:
        return "jsonl", True, filename
    if filename and not said:
        ending = filename.rsplit(".", 1)[1].lower()
        return {"csv": "csv", "json": "json"}.get(ending, "jsonl"), True, filename  # type: ignore[return-value]
    if said:
        return ("json" if said[0] == "json" else "csv"), True, filename
    return "csv", False, filename


def _distinct(
    clauses: Sequence[Clause], text: Text, fields: tuple[Field, ...], subject: tuple[str, ...]
) -> tuple[str, ...]:
    clause = next((c for c in clauses if c.kind == "distinct"), None)
    if clause is None:
        return ()
    after = re.findall(r"[^\W]+", text.low[clause.end : clause.end + 40])[:3]
    lower = {f.name.lower(): f.name for f in fields}
    for word in after:
        for form in (word, word.rstrip("s")):
            if form in lower:
                return (lower[form],)
    for field in fields:
        if (
            {"name", "title"} & set(concepts_of(_own_words(field)))
            and subject
            and subject[-1] in after + [w.rstrip("s") for w in after]
        ):
            return (field.name,)
    return tuple(f.name for f in fields) or subject


_MANY = Pattern(
    r"(?<!\w)(?:all|every|each|per|list|rows|entries|items|objects|alle[rn]?|jede[nrs]?|pro|liste|zeilen|tous"
    r"|toutes|chaque|todos|todas|cada|tutti|tutte|ogni|elke|wszystk\w+|každ\w+|każd\w+|všech\w*|все|всех"
    r"|кажд\w+|tüm|bütün|her|minden|összes)(?!\w)|所有|全部|每|すべて|全て|各|모든|각"
)


_WHATS_ON = Pattern(
    r"(?:what(?:'s|’s| is)|was ist) (?:on|new|up|happening|going on|coming up|playing|showing|available|here|there"
    r"|los|neu)(?!\w)"
)
"""What's on, what's new: no question for one value."""


_WHICH_ONES = Pattern(
    r"(?:which|what|who) (?:(?!is(?!\w)|was(?!\w))[^\s,;:.?]+ ){1,4}(?:are|were|have|do|can)(?!\w)"
    r"|welche (?:[^\s,;:.?]+ ){1,3}(?:sind|gibt|haben|stehen)(?!\w)"
    r"|quel(?:le)?s (?:sont|[^\s,;:.?]+ (?:sont|ont))(?!\w)"
    r"|(?:qué|cuáles|quali|welke|které|jakie|какие) "
)
"""A question for several: "which flats are listed"."""


def _single(clauses: Sequence[Clause], text: Text, found: FieldList) -> bool:
    if any(c.kind == "single" for c in clauses):
        return True
    asked = phrases.QUESTION.match(text.low.lstrip())
    if not (found.question or asked) or _WHATS_ON.match(text.low.lstrip()):
        return False
    if asked and len(found.fields) > 1 and _WHICH_ONES.match(text.low.lstrip()):
        return False
    outside = "".join(c if depth == 0 else " " for c, depth in zip(text.low, text.depth, strict=True))
    return not _MANY.search(outside)
