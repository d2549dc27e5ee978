"""A question fits into an event by fewer samples, never by fewer options; decisions follow from the events alone."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrapewright.loop.answers import OPTION_CHOICES
from scrapewright.loop.questions import ROOM
from scrapewright.query.reading import Reading
from scrapewright.session import events as ev
from scrapewright.session.questions import (
    NOTHING,
    OPTIONS_AT_MOST,
    REFUSED_AT_MOST,
    SAMPLES_AT_MOST,
    Decision,
    Kind,
    Option,
    Question,
    fitted,
    is_decided,
    still_held,
    undecided,
    with_decision,
)
from scrapewright.session.state import Session, replay
from scrapewright.session.transitions import IllegalTransition

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=30),
    st.builds(lambda text, times: text * times, st.text(min_size=1, max_size=9), st.integers(1, 400)),
)  # fmt: skip
SAMPLES = st.one_of(SCALARS, st.lists(SCALARS, max_size=9), st.dictionaries(st.text(max_size=9), SCALARS, max_size=3))
OPTIONS = st.builds(
    Option, st.text(max_size=100), st.text(max_size=600), st.text(max_size=600),
    st.lists(SAMPLES, max_size=15).map(tuple),
)  # fmt: skip
KINDS: tuple[Kind, ...] = ("group", "column", "condition", "pages")
QUESTIONS = st.builds(
    Question, st.sampled_from(KINDS), st.text(max_size=900), st.lists(OPTIONS, max_size=10).map(tuple),
    st.text(max_size=100), st.floats(0, 1),
)  # fmt: skip


def asked(question: Question) -> ev.Asked:
    return ev.Asked(
        seq=10**9, at=1e9, attempt=10**6, kind=question.kind, step="write", prompt=question.prompt,
        choices=OPTION_CHOICES, column=question.column, options=question.options,
    )  # fmt: skip


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(QUESTIONS)
def test_any_question_fits_into_its_events_and_comes_back_the_same(question: Question) -> None:
    small = fitted(question, ROOM)
    for event in (asked(small), ev.LeftOpen(seq=10**9, at=1e9, attempt=10**6, question=small)):
        assert ev.decode(ev.encode(event)) == event  # encode raises where it is too large
    kept = question.options[:OPTIONS_AT_MOST]
    assert len(small.options) == len(kept)
    assert [o.id for o in small.options] == [o.id for o in kept]
    for before, after in zip(kept, small.options, strict=True):
        assert len(after.samples) <= min(len(before.samples), SAMPLES_AT_MOST)
    assert fitted(small, ROOM) == small


def test_samples_give_way_evenly_and_only_as_far_as_they_must() -> None:
    texts = tuple("x" * 5_000 for _ in range(30))
    question = Question("group", "which?", tuple(Option(f"g{n}", f"list {n}", samples=texts) for n in range(8)))
    small = fitted(question, ROOM)
    assert [len(o.samples) for o in small.options] == [8] * 8  # 8 x 8 x 803 bytes; 9 of each are too many
    assert {len(s) for o in small.options for s in o.samples} == {800}
    few = Question("group", "which?", question.options[:2])
    assert [len(o.samples) for o in fitted(few, ROOM).options] == [12, 12]


def test_the_samples_of_a_column_keep_their_types() -> None:
    samples: tuple[Any, ...] = (12.5, None, True, 7, "A Light in the Attic", ["a", "b"], 1 << 70)
    (option,) = fitted(Question("column", "which?", (Option("a", "price", samples=samples),)), ROOM).options
    assert option.samples == (12.5, None, True, 7, "A Light in the Attic", ["a", "b"], str(1 << 70))


def test_long_values_of_a_column_are_whole_where_there_is_room() -> None:
    article, steps = "word " * 1_100, [f"step {n} " + "stir " * 30 for n in range(20)]
    alone = tuple(Option(f"a{n}", "text", samples=(article,)) for n in range(8))
    assert fitted(Question("column", "which?", alone), ROOM).options == alone
    (listed,) = fitted(Question("column", "which?", (Option("a", "steps", samples=(steps,)),)), ROOM).options
    assert listed.samples == (steps,)
    many = tuple(Option(f"a{n}", "text", samples=(article,) * 12) for n in range(8))
    assert [len(option.samples) for option in fitted(Question("column", "which?", many), ROOM).options] == [8] * 8
    (group,) = fitted(Question("group", "which?", alone[:1]), ROOM).options
    assert group.samples == (article[:800],)


def test_a_question_that_can_not_fit_says_so() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        fitted(Question("column", "which?", (Option("i" * ROOM, "x"),)), ROOM)


def test_a_decision_takes_the_place_of_an_earlier_one_of_the_same_column() -> None:
    site, title = Decision("column", "site", option="a"), Decision("column", "title", option="b")
    again = Decision("column", "site", text=".sitestr")
    assert with_decision((site, title), again) == (title, again)
    assert with_decision((site,), Decision("group", option="g")) == (site, Decision("group", option="g"))


def test_places_that_were_refused_in_other_records_are_asked_anew_in_those_chosen_instead() -> None:
    refused = Decision("column", "site", option="none", refused=("a", "b"))
    said, guess = Decision("column", "note", option="none"), (Option("f", "1"),)
    assert still_held((refused, said), guess, Decision("group", option="g")) == (said,)
    for same in ("f", "none"):
        assert still_held((refused, said), guess, Decision("group", option=same)) == (refused, said)


def test_after_none_only_options_that_were_not_shown_are_asked() -> None:
    refused = Decision("column", "site", option="none", refused=("a", "b"))
    shown, new = Option("b", "second"), Option("c", "third")
    assert is_decided(Question("column", "?", (shown, new), "site"), [refused])
    assert is_decided(Question("column", "?", (), "site"), [refused])
    assert not is_decided(Question("column", "?", (new,), "site"), [refused])
    assert is_decided(Question("column", "?", (new,), "site"), [Decision("column", "site", option="none")])
    often = Decision("column", "site", option="none", refused=tuple(f"o{n}" for n in range(REFUSED_AT_MOST + 1)))
    assert is_decided(Question("column", "?", (new,), "site"), [often])


def test_what_is_undecided_says_between_what_and_how_to_decide_it() -> None:
    question = Question(
        "column", 'which of these is "site"?',
        (Option("a", "the text in brackets", ".sitestr", (None, "example.org")), Option("b", "the link", "a")), "site",
    )  # fmt: skip
    assert undecided(question) == (
        'undecided: which of these is "site"? between the text in brackets (.sitestr); the link (a); '
        "the first was taken. Say --set site=.sitestr or --example site=example.org."
    )
    assert "--set 'price=[itemprop=price]'" in undecided(
        Question("column", "?", (Option("a", "a", "[itemprop=price]"),), "price")
    )
    assert 'under the heading "NAME"' in undecided(Question("group", "which are the records?"))
    nothing = undecided(Question("condition", "what is left out?", (), "no old"))
    assert "every row was kept. Say it by a column" in nothing


# The session's decisions, from its events.

SITE = Question("column", "which is site?", (Option("a", "first"), Option("b", "second")), "site", 0.4)


def session_of(*answers: ev.Answered, decisions: tuple[Decision, ...] = ()) -> Session:
    """A session in which the question about the site was asked once for each answer; replayed from its bytes."""
    happened: list[ev.Event] = [
        ev.SessionStarted(session="s", text="t", reading=Reading(text="t"), decisions=decisions)
    ]
    for answered in answers:
        happened.append(
            ev.Asked(
                kind="column",
                prompt=SITE.prompt,
                choices=OPTION_CHOICES,
                column="site",
                options=SITE.options,
                seq=len(happened) + 1,
            )
        )
        happened.append(answered)
    rows = [ev.encode(type(e)(**{**fields(e), "seq": n})) for n, e in enumerate(happened, 1)]
    return replay([ev.decode(row) for row in rows])


def fields(event: ev.Event) -> dict[str, Any]:
    return {name: getattr(event, name) for name in event.__struct_fields__}


@pytest.mark.parametrize(
    ("answered", "decision"),
    [
        (ev.Answered(ticket=2, answer="choose", option="b"), Decision("column", "site", option="b")),
        (
            ev.Answered(ticket=2, answer="choose", option="none"),
            Decision("column", "site", option="none", refused=("a", "b")),
        ),
        (ev.Answered(ticket=2, answer="say", text=".sitestr"), Decision("column", "site", text=".sitestr")),
        (ev.Answered(ticket=2, answer="go"), Decision("column", "site", option="a")),
        (ev.Answered(ticket=2, answer="go", unattended=True), None),
        (ev.Answered(ticket=2, answer="hint", text="the one in brackets"), None),
    ],
    ids=["an option", "none", "text", "the best guess", "nobody was there", "a hint"],
)
def test_an_answer_decides(answered: ev.Answered, decision: Decision | None) -> None:
    session = session_of(answered)
    assert session.decisions == ((decision,) if decision is not None else ())
    assert session.questions == 1


def test_what_was_decided_beforehand_holds_until_it_is_decided_anew() -> None:
    beforehand = (Decision("column", "site", text=".s", how="selector"), Decision("column", "title", text="Attic"))
    assert session_of(decisions=beforehand).decisions == beforehand
    session = session_of(ev.Answered(ticket=2, answer="choose", option="b"), decisions=beforehand)
    assert session.decisions == (beforehand[1], Decision("column", "site", option="b"))


def test_an_option_that_is_not_there_is_no_answer() -> None:
    with pytest.raises(IllegalTransition, match="option 'c', which the question does not have"):
        session_of(ev.Answered(ticket=2, answer="choose", option="c"))


def test_what_was_left_open_is_so_until_somebody_decides_it() -> None:
    session = Session()
    session.apply(ev.SessionStarted(seq=1, session="s", text="t", reading=Reading(text="t")))
    session.apply(ev.LeftOpen(seq=2, question=SITE))
    assert session.left_open == (SITE,)
    session.apply(
        ev.Asked(seq=3, kind="column", prompt="?", choices=OPTION_CHOICES, column="site", options=SITE.options)
    )
    session.apply(ev.Answered(seq=4, ticket=3, answer="choose", option="b"))
    assert session.left_open == ()


def test_nothing_leaves_a_column_empty_and_is_not_among_what_was_refused() -> None:
    happened: list[ev.Event] = [ev.SessionStarted(session="s", text="t", reading=Reading(text="t"))]
    for ids, answer in ((("a", "b"), "none"), (("c", NOTHING), "none"), (("d", NOTHING), NOTHING)):
        question = Question("column", "?", tuple(Option(one, one) for one in ids), "x")
        happened.append(
            ev.Asked(kind="column", step="write", prompt="?", choices=("choose",), options=question.options, column="x")
        )
        happened.append(ev.Answered(ticket=len(happened), answer="choose", option=answer))
    rows = [msgspec.structs.replace(event, seq=n) for n, event in enumerate(happened, 1)]
    refused, emptied = replay(rows[:5]).decisions, replay(rows).decisions
    assert refused == (Decision("column", "x", option="none", refused=("a", "b", "c")),)
    assert not is_decided(Question("column", "?", (Option("d", "d"), Option(NOTHING, "empty")), "x"), refused)
    assert emptied == (Decision("column", "x", option="none"),)
    assert is_decided(Question("column", "?", (Option("e", "e"), Option(NOTHING, "empty")), "x"), emptied)


def test_what_was_refused_adds_up() -> None:
    happened: list[ev.Event] = [ev.SessionStarted(session="s", text="t", reading=Reading(text="t"))]
    for ids in ("ab", "cd"):
        options = tuple(Option(one, one) for one in ids)
        happened.append(
            ev.Asked(kind="column", step="write", prompt="?", choices=("choose",), options=options, column="x")
        )
        happened.append(ev.Answered(ticket=len(happened), answer="choose", option="none"))
    rows = [msgspec.structs.replace(event, seq=n) for n, event in enumerate(happened, 1)]
    assert replay(rows).decisions == (Decision("column", "x", option="none", refused=("a", "b", "c", "d")),)
