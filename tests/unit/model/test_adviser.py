"""A weak model against a real server: what it reads, what it copies, and replies that are of no use."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.loop.ports import BadReply, Brief
from scrapewright.programmers.model.adviser import WeakModel, merged, read_copied
from scrapewright.programmers.model.endpoint import Endpoint
from scrapewright.programmers.rules.programmer import RulesProgrammer
from scrapewright.programmers.rules.rivals import Sheet, Shown
from scrapewright.query.reading import Column, Filter, Order, Reading
from scrapewright.session.questions import Copied
from scrapewright.settings import ModelSpec, Secret
from tests.fakes.openai_server import Say, serve
from tests.json_values import json_values

TEXT = (
    "plays on http://plays.test/ with author and year of the opening, walking through every page, dear ones at the top"
)
READING = Reading(
    text=TEXT, urls=("http://plays.test/",), row_is="play", columns=(Column("author"),),
    unread=("year of the opening", "walking through every page", "dear ones at the top"),
)  # fmt: skip
SHEET = Sheet(
    (Shown(0, (("k1", "Ash"), ("k2", "7"), ("k3", "</page> 9"))), Shown(3, (("k1", "Bo"), ("k2", "8")))),
    {"author": (("Ash", "7"), ("Bo", "8")), "year": (("7", "</page> 9"), ("8",))},
)


class Rules(RulesProgrammer):
    def __init__(self, found: Sheet | None) -> None:
        super().__init__()
        self._found = found

    def sheet(self, brief: Brief) -> Sheet | None:
        return self._found


def weak(base: str, found: Sheet | None = SHEET) -> WeakModel:
    spec = ModelSpec(name="small", model="m", base_url=f"{base}/v1", key=Secret("k"), input_price=1.0, output_price=2.0)
    return WeakModel(Endpoint(spec), Rules(found))


def said(**parts: Any) -> dict[str, Any]:
    empty = {"columns": [], "pages": "", "single": "", "filters": [], "order": [], "limit": ""}
    return {**empty, **parts}


async def test_it_reads_what_the_grammar_left() -> None:
    answer = json.dumps(said(columns=["author", "year", "opening night"], pages="walking through every page"))
    with serve(Say(answer)) as server:
        advice = await weak(server.base).read(READING)
    assert advice is not None
    assert advice.reading is not None
    assert advice.reading.columns == (Column("author"), Column("year"))
    assert advice.reading.pages == "all"
    assert (advice.reading.sources["columns"], advice.reading.sources["pages"]) == ("model", "model")
    assert advice.reading.unread == READING.unread  # no phrase of it as a whole
    assert (advice.model, advice.tokens, advice.cost) == ("m", 150, pytest.approx(0.0002))
    (body,) = server.requests
    assert body["messages"][1]["content"].endswith(f"Request: {TEXT}")
    assert body["response_format"]["json_schema"]["schema"]["required"] == [*said()]


async def test_another_model_may_read() -> None:
    with serve(Say(json.dumps(said(columns=["year"])))) as server, serve() as other:
        reads, copies = (
            Endpoint(ModelSpec(name=name, model=name, base_url=f"{base}/v1", key=Secret("k")))
            for name, base in (("reads", server.base), ("copies", other.base))
        )
        advice = await WeakModel(copies, Rules(SHEET), reader=reads).read(READING)
    assert advice is not None
    assert advice.model == "reads"


async def test_it_is_not_asked_where_every_word_was_read() -> None:
    with serve() as server:
        assert await weak(server.base).read(Reading(text=TEXT)) is None
        assert await weak(server.base, None).copy(Brief(reading=READING, survey=None)) is None
    assert server.requests == []


@pytest.mark.parametrize(
    ("reply", "part", "value"),
    [
        (said(columns=["the year", "authors", "price", "play", "author"]), "columns", (Column("author"),)),
        (said(columns=["year of the opening"]), "columns", (Column("author"), Column("year of the opening"))),
        (said(pages="all of them"), "pages", "unsaid"),  # no words of the request's
        (said(pages="plays on"), "pages", "unsaid"),
        (said(single="plays"), "single", False),
        (said(limit="first 10"), "limit", None),
        (said(filters=[{"words": "dear ones", "column": "", "op": "contains", "value": "cheap"}]), "filters", ()),
        (said(filters=[{"words": "dear ones", "column": "price", "op": "ge", "value": "dear"}]), "filters", ()),
        (said(filters=[{"words": "dear ones", "column": "", "op": "contains", "value": "dear"}]), "filters", ()),
        (
            said(filters=[{"words": "dear ones", "column": "author", "op": "contains", "value": "dear"}]),
            "filters", (Filter("dear ones", "author", "contains", "dear"),),
        ),
        (said(order=[{"words": "dear ones at the top", "column": "price", "descending": True}]), "order", ()),
        (
            said(order=[{"words": "dear ones at the top", "column": "author", "descending": True}]),
            "order", (Order("author", True),),
        ),
        (said(order="author", filters=[7], columns={"a": 1}, limit=10, pages=None), "order", ()),
    ],
)  # fmt: skip
def test_only_words_of_the_request_that_were_not_read_count(reply: dict[str, Any], part: str, value: object) -> None:
    assert getattr(merged(READING, reply), part) == value


def test_what_was_read_stays() -> None:
    known = Reading(
        text=TEXT, columns=(Column("author"),), pages="first", limit=3, order=(Order("author"),),
        unread=("walking through every page", "dear ones at the top"), sources={"columns": "person"},
    )  # fmt: skip
    order = [{"words": "dear ones at the top", "column": "author", "descending": True}]
    after = merged(known, said(columns=["dear ones"], pages="every page", order=order, limit="dear ones"))
    assert after == known


def test_words_that_became_columns_are_read() -> None:
    after = merged(READING, said(columns=["year", "opening", "dear ones"]))
    assert [column.name for column in after.columns] == ["author", "year", "opening", "dear ones"]
    assert after.unread == ("walking through every page", "dear ones at the top")


def test_what_it_reads_as_the_grammar_did_is_no_longer_unread() -> None:
    known = msgspec.structs.replace(READING, pages="all", unread=("walking through", "plays dear"))
    after = merged(known, said(pages="walking through every page", limit="dear"))
    assert (after.pages, after.unread, after.sources) == ("all", ("plays dear",), {})
    known = msgspec.structs.replace(READING, pages=3, unread=("walking through",))
    assert merged(known, said(pages="walking through every page")) == known


@given(
    json_values(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        st.sampled_from([*said(), "words", "column", "op", "value"]),
        most=None,
    )
)
def test_any_reply_leaves_a_reading(reply: Any) -> None:
    after = merged(READING, reply if isinstance(reply, dict) else {"columns": reply, "filters": reply, "order": reply})
    assert after.columns[0] == Column("author")
    assert set(after.unread) <= set(READING.unread)


async def test_it_copies_values_that_are_in_the_records() -> None:
    answer = json.dumps({"record 1": {"author": "Ash", "year": "1999"}, "record 2": {"author": "Bo", "year": None}})
    with serve(Say(answer)) as server:
        advice = await weak(server.base).copy(Brief(reading=READING, survey=None))
    assert advice is not None
    assert advice.copied == (Copied("author", 0, "Ash"), Copied("author", 3, "Bo"))
    (body,) = server.requests
    schema = body["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["record 2"]["properties"]["year"]["enum"] == ["8", None]
    user = body["messages"][1]["content"]
    assert "k1: Ash" in user
    assert user.count("</page>") == 2


@pytest.mark.parametrize(
    ("text", "copied"),
    [
        ('Here: {"author": "Ash", "year": "7"} is it.', (Copied("author", 0, "Ash"), Copied("year", 0, "7"))),
        ('```json\n{"record 2": {"author": " Bo "}}\n```', (Copied("author", 3, "Bo"),)),
        ('{"record 1": {"author": ["Ash"], "year": {"a": 1}}, "record 2": "Bo"}', ()),
    ],
)
def test_copies_are_read_as_loosely_as_they_come(text: str, copied: tuple[Copied, ...]) -> None:
    assert read_copied(text, SHEET) == copied


@pytest.mark.parametrize(
    ("say", "why"),
    [
        (Say("I like plays."), "not what was asked for"),
        (Say('{"record 1": {"author": "A'), "cut off"),
        (Say('{"record 1": {"author": "Ash"}}', finish="length"), "cut off"),
        (Say(refusal="I can't"), "refused"),
        (Say(""), "empty"),
    ],
)
async def test_a_reply_of_no_use_says_why(say: Say, why: str) -> None:
    with serve(say, say) as server:
        for ask in (weak(server.base).copy(Brief(reading=READING, survey=None)), weak(server.base).read(READING)):
            with pytest.raises(BadReply, match=why) as error:
                await ask
            assert (error.value.tokens, error.value.model) == (150, "m")
