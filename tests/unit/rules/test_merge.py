"""What was changed in two versions of a program, together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.programmers.rules.programmer import merged

BASE = "import csv\n\nfor record in records:\n    title = text(record)\n    price = number(record)\n"

texts = st.lists(st.sampled_from("abcd"), max_size=8).map(lambda lines: "".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (
            BASE.replace("text(record)", "text(record) or ''"),
            BASE.replace("number(record)", "number(record, '.old')"),
            BASE.replace("text(record)", "text(record) or ''").replace("number(record)", "number(record, '.old')"),
        ),
        (BASE.replace("number(", "float("), BASE.replace("number(", "int("), None),
        (f"import re\n{BASE}", f"import json\n{BASE}", None),
        (f"import re\n{BASE}", BASE.replace("import csv", "import json"), f"import re\n{BASE}".replace("csv", "json")),
        (f"import re\n{BASE}", f"import re\n{BASE}print()\n", f"import re\n{BASE}print()\n"),
        (
            BASE.removesuffix("\n"),
            BASE.replace("import csv\n", ""),
            BASE.replace("import csv\n", "").removesuffix("\n"),
        ),
    ],
    ids=["neighbours", "the same line", "the same place", "before a changed line", "alike", "no line end"],
)
def test_changes_of_both(one: str, other: str, both: str | None) -> None:
    assert merged(BASE, one, other) == merged(BASE, other, one) == both


@given(texts, texts, texts)
def test_a_version_without_changes_leaves_the_other_as_it_is(base: str, one: str, other: str) -> None:
    assert merged(base, base, one) == merged(base, one, base) == merged(base, one, one) == one
    both = merged(base, one, other)
    assert both == merged(base, other, one)
    assert both is None or set(both.split()) <= set((base + one + other).split())
