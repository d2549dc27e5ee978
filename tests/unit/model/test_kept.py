"""Replies that no model is asked for again: those kept on this disk, and those of a cassette. And models in turn."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.loop.answers import Answer
from scrapewright.loop.ports import BadReply, Brief, Draft, LeastCost, ProgrammerUnavailable
from scrapewright.programmers.model.completion import Completion, Prompt
from scrapewright.programmers.model.endpoint import Endpoint
from scrapewright.programmers.model.kept import KeptReplies
from scrapewright.programmers.model.player import Player
from scrapewright.programmers.model.programmer import ModelProgrammer
from scrapewright.query.reading import Reading
from scrapewright.session import events as ev
from scrapewright.session.cassette import Cassette, Recorded, decode, encode, of_session, rehomed
from scrapewright.session.events import Mode
from scrapewright.session.spending import Spent
from scrapewright.session.state import replay
from scrapewright.settings import ModelSpec, Secret
from tests.fakes.openai_server import Say, serve
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, MemoryBlobs, ran, wrong

KEY = "sk-planted-0123456789"
BRIEF = Brief(reading=Reading(text="all mugs", urls=("http://shop.test/",)), survey=None, attempt=1)


def program(text: str) -> str:
    return json.dumps({"diagnosis": text, "program": f"import requests\n\nprint({text!r})\n"})


def endpoint(base: str, replies: KeptReplies | None = None, **more: Any) -> Endpoint:
    fields = {"name": "openai/m", "model": "m", "key": Secret(KEY), "input_price": 1.0, "output_price": 1.0, **more}
    return Endpoint(ModelSpec(base_url=f"{base}/v1", **fields), replies)


async def written(*models: Endpoint | Player, fell_short: int = 0) -> Draft:
    brief = Brief(reading=BRIEF.reading, survey=None, attempt=1, fell_short=fell_short)
    return await ModelProgrammer(models).write(brief, lambda tick: None)


async def test_the_same_step_again_takes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "replies"
    with serve(Say(program("one")), Say(program("two")), Say(program("three")), Say(program("four"))) as server:
        first = await written(endpoint(server.base, KeptReplies(folder)))
        assert (first.diagnosis, first.kept, first.tokens, first.cost > 0) == ("one", "", 150, True)
        replies = KeptReplies(folder)
        again = await written(endpoint(server.base, replies))
        assert (again.diagnosis, again.kept, again.tokens, again.cost) == ("one", "cache", 0, 0.0)
        assert (again.code, again.reply, again.prompt) == (first.code, first.reply, first.prompt)
        assert len(server.requests) == 1
        another = await written(endpoint(server.base, replies))
        assert (another.diagnosis, another.kept) == ("two", ""), "who asks for another try in a session gets one"
        warm = await written(endpoint(server.base, KeptReplies(folder), temperature=0.7))
        assert (warm.diagnosis, warm.kept) == ("three", ""), "other parameters are another step"
        fresh = await written(endpoint(server.base, KeptReplies(folder, fresh=True)))
        assert (fresh.diagnosis, fresh.kept) == ("four", "")
        assert (await written(endpoint(server.base, KeptReplies(folder)))).diagnosis == "four", "the newest is kept"
    assert len(server.requests) == 4
    assert not [path for path in folder.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


@pytest.mark.parametrize(
    "say",
    [
        Say("no program in it"),
        Say(program("cut"), finish="length"),
        Say("", refusal="not that"),
        Say(program("broken off"), drop=True),
        Say(status=429, text="later"),
    ],
    ids=["without a program", "cut", "refused", "broken off", "quota"],
)
async def test_a_reply_that_was_of_no_use_is_not_kept(say: Say, tmp_path: Path) -> None:
    with serve(say, Say(program("good"))) as server:
        with pytest.raises((BadReply, ProgrammerUnavailable)) as raised:
            await written(endpoint(server.base, KeptReplies(tmp_path)))
        draft = await written(endpoint(server.base, KeptReplies(tmp_path)))
    assert (draft.diagnosis, draft.kept) == ("good", "")
    assert isinstance(raised.value, ProgrammerUnavailable) or (raised.value.model, raised.value.prompt != "") == (
        "m",
        True,
    )


async def test_a_kept_reply_that_can_not_be_read_any_more_goes(tmp_path: Path) -> None:
    replies, prompt = KeptReplies(tmp_path), Prompt("s", "u")
    spec = ModelSpec(model="m")
    replies.settle(spec, prompt, Completion("kept", "stop"), good=True)
    kept = KeptReplies(tmp_path).find(spec, prompt)
    assert kept == Completion("kept", "stop", kept="cache")
    KeptReplies(tmp_path).settle(spec, prompt, kept, good=False)
    assert KeptReplies(tmp_path).find(spec, prompt) is None


async def test_a_folder_that_can_not_be_used_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    replies = KeptReplies(tmp_path / "file")
    with serve(Say(program("one")), Say(program("two"))) as server:
        assert (await written(endpoint(server.base, replies))).diagnosis == "one"
        assert (await written(endpoint(server.base, replies))).diagnosis == "two"


async def test_what_a_prompt_takes_is_known_before_it_is_sent(tmp_path: Path) -> None:
    with serve(Say(program("one"))) as server:
        programmer = ModelProgrammer([endpoint(server.base, KeptReplies(tmp_path), input_price=2.0)])
        least = programmer.least_cost(BRIEF)
        assert least is not None
        draft = await programmer.write(BRIEF, lambda tick: None)
        sent = json.loads(draft.prompt)
        tokens = len(sent["system"] + sent["user"]) // 4
        assert least == LeastCost("m", tokens, tokens * 2 / 1e6)
        again = ModelProgrammer([endpoint(server.base, KeptReplies(tmp_path), input_price=2.0)])
        assert again.least_cost(BRIEF) is None, "it is kept"
        unpriced = ModelProgrammer([endpoint(server.base, input_price=None)])
        assert unpriced.least_cost(BRIEF) == LeastCost("m", tokens, 0.0)
    assert Player(CASSETTE, "programmer").least_cost(Prompt("", "")) is None


@pytest.mark.parametrize(("mode", "kinds"), [(Mode.APPROVE, ["retry"]), (Mode.STEP, ["phase", "retry"])])
async def test_the_least_cost_is_shown_where_the_next_program_is_approved(mode: Mode, kinds: list[str]) -> None:
    programmer = FakeProgrammer("x = 1", "x = 2")
    programmer.least = LeastCost("gpt", 2480, 0.0031)
    bench = await Bench(programmer, FakeSandbox(ran()), FakeCritic(wrong(), RIGHT), mode=mode).open()
    running = asyncio.create_task(bench.run())
    priced = []
    async for event in bench.journal.follow():
        if isinstance(event, ev.Asked):
            if event.prompt.endswith(" (gpt: at least 2480 tokens, $0.0031)"):
                priced.append(event.kind)
            bench.gate.answer(event.seq, Answer("go"))
    await running
    assert priced == kinds


async def test_the_next_model_writes_once_one_fell_short() -> None:
    with serve(Say(program("small"))) as small, serve(*[Say(program("strong"))] * 2) as strong:
        models = (endpoint(small.base, model="qwen"), endpoint(strong.base, model="gpt"))
        drafts = [await written(*models, fell_short=count) for count in (0, 1, 5)]
    assert [(draft.diagnosis, draft.model) for draft in drafts] == [
        ("small", "qwen"), ("strong", "gpt"), ("strong", "gpt")
    ]  # fmt: skip


async def test_a_session_tells_who_wrote_and_what_each_took() -> None:
    """A reply without a program counts as one that fell short, and is counted."""
    with serve(Say("sorry")) as small, serve(Say(program("a")), Say(program("b"))) as strong:
        models = [endpoint(small.base, model="qwen"), endpoint(strong.base, model="gpt")]
        programmer: Any = ModelProgrammer(models)
        bench = await Bench(programmer, FakeSandbox(ran()), FakeCritic(wrong(0.2), wrong(0.9))).open()
        end = await bench.run()
    session = bench.journal.session
    written = [(e.attempt, e.model, e.tokens) for e in bench.journal.events if isinstance(e, ev.CodeWritten)]
    assert written == [(1, "gpt", 150), (2, "gpt", 150)]
    unused = [e for e in bench.journal.events if isinstance(e, ev.ReplyUnused)]
    assert [(e.model, e.problem, bench.blobs.get(e.reply)) for e in unused] == [
        ("qwen", "the reply holds no program: sorry", b"sorry")
    ]
    assert end.spent[:3] == (
        Spent(1, "programmer", "qwen", 1, 150, pytest.approx(0.00015)),
        Spent(1, "programmer", "gpt", 1, 150, pytest.approx(0.00015)),
        Spent(2, "programmer", "gpt", 1, 150, pytest.approx(0.00015)),
    )
    assert session.tokens == bench.loop.budget.tokens == sum(one.tokens for one in end.spent)
    assert replay(bench.journal.events).spent == session.spent


@pytest.mark.parametrize(
    ("fell_short", "writer", "escalated_from"),
    [(0, "tiny", ""), (1, "small", "tiny"), (2, "strong", "small"), (3, "strong", "")],
)
def test_the_state_knows_who_writes_next(fell_short: int, writer: str, escalated_from: str) -> None:
    started = ev.SessionStarted(
        seq=1, session="s", text="t", reading=Reading(text="t"), model="tiny", escalate=("small", "strong")
    )
    short = [ev.ReplyUnused(seq=2 + n, model="m", problem="none") for n in range(fell_short)]
    session = replay([started, *short])
    assert (session.writer, session.escalated_from) == (writer, escalated_from)


# Cassettes.

CASSETTE = Cassette(
    1, "all mugs", ("http://127.0.0.1:8000/mugs",),
    (
        Recorded("reader", "small", '{"columns": []}'),
        Recorded("programmer", "gpt", "no program"),
        Recorded("reviewer", "small", "{}"),
        Recorded("programmer", "gpt", program("http://127.0.0.1:8000/mugs")),
    ),
)  # fmt: skip


async def test_a_cassette_is_played_by_step_whatever_the_prompt() -> None:
    player = Player(CASSETTE, "programmer", ("http://127.0.0.1:9/other",))
    with pytest.raises(BadReply, match="holds no program"):
        await written(player)
    draft = await written(player)
    assert (draft.diagnosis, draft.kept, draft.tokens, draft.model) == ("http://127.0.0.1:9/mugs", "cassette", 0, "gpt")
    with pytest.raises(ProgrammerUnavailable, match="holds 2 replies of the programmer, and another one is asked for"):
        await written(player)
    assert Player(CASSETTE, "programmer", (), [Spent(1, "programmer", "gpt", 2)]).left == 0
    assert Player(CASSETTE, "reviewer").left == 1
    assert (Player(CASSETTE, "reader").holds_any, Player(CASSETTE, "mapper").holds_any) == (True, False)


def test_a_session_becomes_a_cassette_and_back() -> None:
    blobs = MemoryBlobs()
    kept = [blobs.put(reply.text.encode()) for reply in CASSETTE.replies]
    events: list[ev.Durable] = [
        ev.SessionStarted(session="s", text="all mugs", reading=Reading(text="all mugs", urls=CASSETTE.urls)),
        ev.Advised(role="reader", model="small", reply=kept[0]),
        ev.Advised(role="mapper", model="small", problem="can't be reached"),
        ev.ReplyUnused(model="gpt", problem="no program", reply=kept[1]),
        ev.CodeWritten(attempt=1, author="rules", code=kept[1], lines=1),
        ev.Reviewed(attempt=1, of="", model="small", reply=kept[2]),
        ev.Reviewed(attempt=1, of="", model="small", problem="can't be reached"),
        ev.CodeWritten(attempt=2, author="model", model="gpt", code=kept[1], lines=1, reply=kept[3]),
    ]
    assert of_session(events, blobs) == CASSETTE
    assert decode(encode(CASSETTE)) == CASSETTE
    with pytest.raises(LookupError, match="no model replied"):
        of_session(events[:1], blobs)
    with pytest.raises(LookupError, match="attempt 1 was not kept"):
        of_session([ev.CodeWritten(attempt=1, author="model", code="c", lines=1)], blobs)


@given(st.binary() | st.text().map(str.encode))
def test_a_file_is_a_cassette_or_no_cassette(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode(data)


def test_origins_of_the_recorded_request_become_those_of_this_one() -> None:
    before, now = ("http://a.test:80/x", "https://b.test/"), ("http://127.0.0.1:5/y", "https://b.test/z")
    text = "http://a.test:80/x http://a.test:8080/ http://a.test:80 https://b.test/z http://a.test:80.evil/"
    assert rehomed(text, before, now) == (
        "http://127.0.0.1:5/x http://a.test:8080/ http://127.0.0.1:5 https://b.test/z http://a.test:80.evil/"
    )
    assert rehomed(text, before, ()) == text
