"""Reads which days the rows are to be of: "posted since 2024-01-05", "in 2023 or later"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from scrapewright.query.lexicon import concepts_of
from scrapewright.query.model import Field, Filter
from scrapewright.query.pattern import Pattern
from scrapewright.query.text import URL, Text
from scrapewright.query.wordlist import word_set

DATED = Pattern(
    r"(?<!\w)(?P<lead>(?:dated|published|posted|released|filed|decided|updated|created|from|since|starting|on"
    r"|datiert|veröffentlicht|ab|seit|nach|vor|after|before|until|not before|depuis|après|avant|desde"
    r"|después de|antes de|dal|dopo il|prima del|vanaf|na|voor|sinds|od|po|przed|před|с|после|до)(?: (?:dem"
    r"|le|el|il|on|after|before|since|from|than|the|del|de|ab|dniu))*) "
    r"(?P<date>\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4}|(?:19|20)\d\d(?![\d-]))(?P<tail> (?:or"
    r"|and) (?:later|after|newer|earlier|before|older)|(?: oder| und) (?:später|früher)| (?:ou|o|of|lub|nebo"
    r"|или) (?:après|plus tard|posterior|later|później|později|позже))?"
)
_BEFORE = Pattern(r"(?<!\w)(?:before|until|vor|avant|antes|prima|voor|przed|před|до)(?!\w)")
_AFTER = Pattern(r"(?<!\w)(?:after|nach|après|después|dopo|na|po|после)(?!\w)")
_ON_OR = Pattern(r"(?<!\w)(?:on|in|am|im|le|el|il|op|w|v) (?:or|oder|und|ou|o|of|lub|nebo|или) $")
"""What makes "after" mean no later day alone: "on or after"."""
_YEAR_NAMES = word_set("year jahr année annee año ano anno jaar rok год yıl év 年 年份 年度")


def find_days(text: Text, fields: tuple[Field, ...]) -> Iterator[tuple[int, int, Filter]]:
    """The conditions on dates, with the spans they were read from."""
    for match in DATED.finditer(text.low):
        if text.depth[match.start()] > 1 or URL in match[0]:
            continue
        lead, tail = match["lead"], match["tail"] or ""
        bare = lead.split()[0]
        short = not tail and bare in ("on", "na", "po", "с", "до", "od", "dal") and len(match["date"]) == 4
        if short:
            continue
        down = bool(_BEFORE.search(lead)) or bool(re.search(r"earlier|before|older|früher", tail))
        exact = (
            not tail
            and bare in ("on", "from", "dated")
            and not _BEFORE.search(lead)
            and not _AFTER.search(lead)
            and bare != "from"
        )
        op: Literal["eq", "lt", "le", "gt", "ge"] = "lt" if down else ("gt" if _AFTER.search(lead) else "ge")
        inclusive = _ON_OR.search(text.low, max(0, match.start() - 12), match.start())
        if tail or inclusive:
            op = "le" if down else "ge"
        elif exact:
            op = "eq"
        name = next((f.name for f in fields if f.type in ("date", "datetime")), "")
        name = name or next((f.name for f in fields if {"date"} & set(concepts_of(f.words))), "")
        if not name and len(match["date"]) == 4:
            name = next((f.name for f in fields if _YEAR_NAMES & {f.name.lower(), *f.words}), "")
        name = name or "date"
        said, value = text.said(*match.span()), _iso(match["date"])
        if len(value) == 4 and op in ("gt", "le"):
            # A year is all of its days: after 2024 is from 2025 on, 2024 or earlier is before 2025.
            op, value = ("ge" if op == "gt" else "lt"), str(int(value) + 1)
        span = (inclusive.start() if inclusive else match.start(), match.end())
        yield *span, Filter(text=said, field=name, op=op, value=value)
        if len(value) == 4 and not tail and lead in ("from", "dated", "published", "posted", "released"):
            yield *match.span(), Filter(text=said, field=name, op="lt", value=str(int(value) + 1))


def _iso(said: str) -> str:
    parts = re.split(r"[./]", said)
    return f"{parts[2]}-{int(parts[1]):02d}-{int(parts[0]):02d}" if len(parts) == 3 else said
