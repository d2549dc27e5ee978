"""How well a group of records serves a request.

In: the request, the group and the places that its columns have. Out: its utility, to be compared with those of the
page's other groups: a conditional logit as that of the places (choice.py), with the weights of group_choice.json.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from scrapewright.programmers.rules.choice import weights
from scrapewright.programmers.rules.match import Match, alike
from scrapewright.programmers.rules.view import View
from scrapewright.query.lexicon import fold, tokens
from scrapewright.query.reading import Field, Reading
from scrapewright.survey.dom import FRAME
from scrapewright.survey.model import Group

WEIGHTS = Path(__file__).with_name("group_choice.json")
_FEED = re.compile("rss|atom|feed")


def worth(
    query: Reading, group: Group, fields: Sequence[Field], matches: Mapping[str, Match], rank: int, section: float
) -> float:
    """The group's utility: the difference of two is the logarithm of how much likelier one is than the other, and
    above 0.0 it is likelier than that none of the page's groups is meant."""
    fitted = weights(WEIGHTS)
    found = features(query, group, fields, matches, rank, section)
    return sum(fitted.weights[name] * value for name, value in found.items()) - fitted.none


def features(
    query: Reading, group: Group, fields: Sequence[Field], matches: Mapping[str, Match], rank: int, section: float
) -> dict[str, float]:
    """What speaks for a group or against it. `rank`: its position in the survey, from 0; `section`: whether its records
    are where the request says, from -1.0 to 1.0."""
    count = max(1, len(fields))
    found = [matches[field.name] for field in fields if field.name in matches]
    missing = [field for field in fields if field.name not in matches]
    views = [match.view for match in found]
    said = " ".join((group.context, group.selector, group.source, group.id))
    near = tuple(word for word in tokens(said) if len(word) > 2)
    subject = [word for phrase in query.subject for word in tokens(phrase) if len(word) > 2]
    one = group.count == 1
    return {
        "score": sum(match.score for match in found) / count / 4,
        "without a place": sum(not field.optional for field in missing) / count,
        "optional without a place": sum(field.optional for field in missing) / count,
        "one of several": _one_of_several(group, views) / count,
        "subject": max((alike((word,), (other,)) for word in subject for other in near), default=0.0),
        "in the page's frame": float(group.region in FRAME and not query.section),
        "one for one": float(query.single and one),
        "several for one": float(query.single and not one),
        "one for several": float(one and not query.single and not query.one_or_several),
        "one, where neither is said": float(one and query.one_or_several),
        "records": min(math.log1p(group.count), 4.0),
        "a feed where one is asked for": float(group.kind == "feed" and bool(_FEED.search(fold(query.text)))),
        "rank": float(rank),
        "not the first": float(rank > 0),
        "page behind": float(bool(query.follow) and any(view.detail for view in views)),
        "in the section": max(0.0, section),
        "in another section": max(0.0, -section),
    }


def _one_of_several(group: Group, views: Sequence[View]) -> int:
    """How many columns have one element of a kind that the records have several of, which no other column shares."""
    taken = Counter((view.slot.selector, view.slot.attr) for view in views)
    several = {(slot.selector, slot.attr) for slot in group.slots if slot.many}
    places = [(view.slot.selector, view.slot.attr) for view in views if not view.slot.many]
    return sum(place in several and taken[place] == 1 for place in places)
