"""What the examples of a request say: (e.g. "Nr. 17/3"), such as AB123."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrapewright.programmers.rules.ops import Search
from scrapewright.programmers.rules.view import View, part
from scrapewright.query.reading import Field

_SUCH_AS = re.compile(
    r"(?:such as|like|e\.g\.|z\. ?B\.|(?<!\w)ex\.|par exemple|por ejemplo|ad es\.|bijv\.|np\.|např\.|напр\.|например"
    r"|例如|例えば)"
    r":?\s+([^\s,;)\"“]{2,40})"
)
_FORM = re.compile(r"(?<![\w-])(?:(?:YYYY|JJJJ|AAAA|MM|DD|TT|JJ|HH|hh|mm|ss|SS)[/.:-]?){2,6}(?![\w-])")
"""A moment's form, such as MM/YYYY: its example is "11/1111"."""


def examples(field: Field) -> tuple[str, ...]:
    """Values that the request itself quotes: (e.g. "Nr. 17/3"), such as AB123."""
    found = re.findall(r"[\"“„«「『]([^\"”“»」』]{2,60})[\"”“»」』]", field.note)
    found += [match[1] for match in _SUCH_AS.finditer(field.note)]
    found += [re.sub(r"[^\W\d_]", "1", form[0]) for form in _FORM.finditer(field.note)] if field.type == "text" else []
    return tuple(text for text in dict.fromkeys(found) if not re.fullmatch(r"[YMDHSymdhs\W]+", text))


def shape(text: str) -> str:
    """A text's outline: "2026 KV 40" and "2024 KV 7" have the same."""
    text = re.sub(r"\d+", "9", text)
    text = re.sub(r"[^\W\d_]*[a-zà-ÿа-я][^\W\d_]*", "a", text)
    text = re.sub(r"[A-Z]+", "A", text)
    return re.sub(r"(a[ ,.'&-]*)+", "a", text)


def example_score(field: Field, view: View) -> float:
    """1.0 and more where a value is one that the request quotes, up to 0.6 where values look like it.

    Negative where none do.
    """
    if field.type != "text":
        return 0.0
    quoted = examples(field)
    if not quoted:
        return 0.0
    texts = view.texts
    if any(text == example for example in quoted for text in texts):
        return 1.0 if any(c.isdigit() for c in "".join(quoted)) else 1.5
    shapes = {shape(example) for example in quoted}
    like = view.share(lambda text: shape(text) in shapes) if texts else 0.0
    return 0.6 * like if like > 0.3 else -0.2


def exemplified(fields: Sequence[Field], offered: list[View]) -> list[View]:
    """Parts that look like the examples in the request: such as AB123, e.g. "Nr. 17/3"."""
    found = []
    for field in fields:
        if field.type != "text":
            continue
        for example in examples(field):
            made = (like_example(view, example, field.name) for view in offered if not view.ops)
            found += [view for view in made if view is not None]
    return found


def like_example(whole: View, example: str, name: str) -> View | None:
    """The part of a text that has an example's shape: its letters, and digits where it has digits; None for an example
    without digits."""
    if whole.slot.many or not re.search(r"\d", example):
        return None
    pattern = re.sub(r"\d+", r"\\d+", re.escape(example).replace("\\ ", " ").replace("\\-", "-"))
    for shaped in (pattern, re.sub(r"[A-Z]+(?=\\d)", "[A-Z]+", pattern)):
        hits = sum(re.search(shaped, text) is not None for text in whole.texts)
        if hits >= 0.6 * len(whole.texts) and any(not re.fullmatch(shaped, text) for text in whole.texts):
            optional = hits < len(whole.texts)
            return part(whole, [Search(shaped, 0, optional)], 0.2, names=(name,), place=("example", name))
    return None
