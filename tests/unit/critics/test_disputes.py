"""Contested findings weigh less, as far as what they rest on can be mistaken; a verdict shows rows beside records."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.critics.account import samples
from scrapewright.critics.judge import RowsCritic, examined
from scrapewright.critics.probability import features
from scrapewright.loop.ports import Case
from scrapewright.query.reading import Order, Source
from scrapewright.session.sanitize import to_json
from scrapewright.session.verdict import Dispute, Finding, Sample
from tests.json_values import json_values
from tests.unit.critics.shop_pages import BASE, Row, ask, case, site, teas


def invented(**changes: object) -> Case:
    """A run whose fourth row has a name that no page says."""
    rows = teas()
    rows[3] = {**rows[3], "name": "Zanzibar Nights"}
    return msgspec.structs.replace(case(rows, site("cards")), **changes)


def unordered(source: Source, **changes: object) -> Case:
    reading = msgspec.structs.replace(ask(order=(Order("price"),)), sources={"order": source})
    return msgspec.structs.replace(case(teas(), site("cards"), reading), **changes)


def weights(one: Case, code: str) -> dict[str, float]:
    found = examined(one)
    assert found is not None
    return {name: value for name, value in found.features.items() if name.split()[-1] == code}


def test_what_rests_on_the_pages_counts_half_where_it_is_contested() -> None:
    (finding,) = RowsCritic().judge(invented()).findings
    assert finding.source == "pages"
    before = weights(invented(), finding.code)
    after = weights(invented(disputes=(Dispute(finding.code, finding.column, "it is on the box"),)), finding.code)
    assert after == {name: pytest.approx(value / 2, abs=1e-3) for name, value in before.items()}
    elsewhere = invented(disputes=(Dispute(finding.code, "grade", "another column"),))
    assert weights(elsewhere, finding.code) == before
    assert RowsCritic().judge(elsewhere).disputes == ()


@pytest.mark.parametrize(("source", "share"), [("names", 0.0), ("grammar", 0.5), ("model", 0.5), ("person", 0.5)])
def test_what_rests_on_the_reading_counts_by_who_made_it(source: Source, share: float) -> None:
    before = weights(unordered(source), "wrong-order")
    mine = Dispute("wrong-order", reason="the request asks for no order")
    one = unordered(source, disputes=(mine,))
    finding = next(f for f in RowsCritic().judge(one).findings if f.code == "wrong-order")
    mine = msgspec.structs.replace(mine, column=finding.column)
    one = unordered(source, disputes=(mine,))
    assert before
    assert sum(weights(one, "wrong-order").values()) == pytest.approx(share * sum(before.values()), abs=1e-3)
    assert RowsCritic().judge(one).disputes == (mine,)


def test_what_rests_on_names_does_not_count_where_it_is_contested() -> None:
    found = examined(invented())
    assert found is not None
    rival = Finding("rival", "another text would serve", "grade", severity="warning", source="names")
    contested = invented(disputes=(Dispute("rival", "grade", "it is the grade"),))
    assert "names rival" in features(invented(), found.bench, [rival])
    assert "names rival" not in features(contested, found.bench, [rival])


def test_rows_that_findings_name_come_first_beside_their_records() -> None:
    verdict = RowsCritic().judge(invented())
    assert not verdict.ok
    assert [sample.row for sample in verdict.samples] == [3, 0, 1]
    first = verdict.samples[1]
    assert first.values["name"] == teas()[0]["name"]
    assert str(teas()[0]["name"]) in first.record
    found = examined(invented())
    assert found is not None
    many = [Finding("wrong-type", "", rows=(9, 5)), Finding("wrong-type", "", rows=(7, 99)), Finding("no-rows", "")]
    assert [sample.row for sample in samples(found.bench, many)] == [9, 7, 5]


def test_a_row_that_is_nowhere_has_no_record() -> None:
    rows: list[Row] = [{**row, "name": f"Nothing {n}", "url": f"{BASE}/{n}"} for n, row in enumerate(teas(1)[:2])]
    found = examined(case(rows, {}))
    assert found is not None
    assert [(s.row, s.record) for s in samples(found.bench, ())] == [(0, ""), (1, "")]


VALUES = json_values(
    st.one_of(st.none(), st.booleans(), st.integers(-(10**30), 10**30), st.floats(), st.text(max_size=400)),
    most=12,
    max_leaves=12,
)


@given(st.lists(st.dictionaries(st.text(max_size=9), VALUES, min_size=1, max_size=4), min_size=1, max_size=4))
def test_rows_of_any_values_are_shown_as_json_holds_them(rows: list[Row]) -> None:
    found = examined(case(rows, {}))
    assert found is not None
    for sample in samples(found.bench, ()):
        assert msgspec.json.decode(to_json(sample), type=Sample) == sample
