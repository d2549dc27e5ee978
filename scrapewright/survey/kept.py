"""Which records a request may want. In: a document, a group of its records and the request. Out: their numbers, as far
as the headings above them and their own texts say it; a condition on what a text does not show leaves none out."""

from __future__ import annotations

import re

from scrapewright.query.lexicon import fold
from scrapewright.query.reading import Filter, Reading
from scrapewright.survey.dom import text_of
from scrapewright.survey.extract import Extract, one_line
from scrapewright.survey.rank import names_section

_KEEPING = {"eq": r"(?<!\w){}(?!\w)", "contains": "{}", "starts": r"(?<![\w.,]){}", "ends": r"{}(?![\w.,])"}
_LEAVING = {"ne": _KEEPING["eq"], "lacks": _KEEPING["contains"]}


def may_be_wanted(query: Reading, extract: Extract) -> list[int]:
    """The numbers of the records that no condition of the request leaves out; all where none would be left."""
    left = list(range(len(extract.records)))
    if query.section:
        for slot in extract.group.slots:
            if slot.above and (under := _under(query, extract.values(slot))):
                left = under
                break
    texts = [fold(one_line(one) if extract.is_json else text_of(one)) for one in extract.records]
    for wanted in query.filters:
        left = [at for at in left if _passes(wanted, texts[at])] or left
    return left


def _under(query: Reading, headings: list[str]) -> list[int]:
    named = [at for at, heading in enumerate(headings) if heading and names_section(query, heading)]
    exact = [at for at in named if fold(headings[at]) == fold(query.section)]
    return exact or named


def _passes(wanted: Filter, text: str) -> bool:
    """Whether a record's text says what the condition asks for; True where the value is not a text."""
    form = _KEEPING.get(wanted.op) or _LEAVING.get(wanted.op)
    if form is None or not isinstance(wanted.value, str) or not wanted.value.strip():
        return True
    said = re.search(form.format(re.escape(fold(wanted.value.strip()))), text) is not None
    return said == (wanted.op in _KEEPING)
