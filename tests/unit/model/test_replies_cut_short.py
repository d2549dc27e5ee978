"""Replies that break off, errors in place of one, and replies that would never end."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from scrapewright.loop.ports import BadReply, ProgrammerUnavailable
from scrapewright.programmers.model import completion
from scrapewright.programmers.model import endpoint as endpoints
from tests.fakes.asking import FENCED, GOOD, KEY, PROMPT, PROTOCOLS, Speaker, ask, every_protocol, spec
from tests.fakes.model_server import Reply, Speech, chat, serve


@every_protocol
@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (lambda speak: speak(Speech(GOOD, error="overloaded, alas")), "broke off: .*overloaded, alas"),
        (lambda speak: Reply(speak(Speech(GOOD)).body[:300], cut=True), "broke off"),
        (lambda speak: Reply("\n\n".join(speak(Speech(FENCED)).body.split("\n\n")[:8]) + "\n\n"), "broke off"),
        (lambda speak: Reply('event: message_start\ndata: {"type": "oops\n\n'), "no reply of a model"),
        (lambda speak: Reply('{"choices": []}', kind="application/json"), "no reply of a model"),
        (lambda speak: Reply("[]", kind="application/json"), "no reply of a model"),
    ],
)
async def test_a_reply_that_breaks_off_is_none(protocol: str, reply: Callable[[Speaker], Reply], says: str) -> None:
    with serve(reply(PROTOCOLS[protocol][0])) as server, pytest.raises(BadReply, match=says):
        await ask(spec(server.base, protocol))


async def test_what_came_of_a_reply_that_breaks_off_is_counted() -> None:
    with serve(chat(Speech(GOOD, error="overloaded, alas"))) as server, pytest.raises(BadReply) as raised:
        await ask(spec(server.base, input_price=1.0, output_price=1.0))
    assert (raised.value.tokens, raised.value.cost) == (PROMPT.tokens + len(GOOD) // 4, pytest.approx(3e-05, rel=0.5))


@every_protocol
@pytest.mark.parametrize(
    "reply",
    [
        lambda speak: speak(Speech(error="overloaded, alas")),
        lambda speak: Reply(
            json.dumps({"type": "error", "error": {"message": "overloaded, alas"}}), kind="application/json"
        ),
    ],
    ids=["stream", "body"],
)
async def test_an_error_in_place_of_a_reply_says_that_the_model_can_not_be_asked(
    protocol: str, reply: Callable[[Speaker], Reply]
) -> None:
    with (
        serve(reply(PROTOCOLS[protocol][0])) as server,
        pytest.raises(ProgrammerUnavailable, match=r"failed: .*overloaded, alas"),
    ):
        await ask(spec(server.base, protocol))


@pytest.mark.parametrize("error", ["overloaded, alas", {"message": "overloaded, alas", "code": 429}])
async def test_an_error_may_be_a_text_alone(error: object) -> None:
    with (
        serve(Reply(json.dumps({"error": error}), kind="application/json")) as server,
        pytest.raises(ProgrammerUnavailable, match="failed: overloaded, alas"),
    ):
        await ask(spec(server.base))


@every_protocol
@pytest.mark.parametrize(
    "speech",
    [Speech("x" * 500), Speech("x", reasoning="x" * 500), Speech("x" * 300, refusal="no")],
    ids=["text", "reasoning", "refusal"],
)
async def test_a_reply_without_an_end_is_stopped_and_charged(
    protocol: str, speech: Speech, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(completion, "CHARACTERS_AT_MOST", 200)
    with (
        serve(PROTOCOLS[protocol][0](speech)) as server,
        pytest.raises(BadReply, match="broke off: stopped after 200 characters") as raised,
    ):
        await ask(spec(server.base, protocol))
    assert raised.value.tokens >= PROMPT.tokens + 50


@every_protocol
async def test_a_body_without_an_end_is_not_read_to_it(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoints, "BODY_AT_MOST", 200)
    with (
        serve(PROTOCOLS[protocol][1](Speech("x" * 500))) as server,
        pytest.raises(ProgrammerUnavailable, match="failed: stopped after 200 bytes"),
    ):
        await ask(spec(server.base, protocol))


@every_protocol
async def test_a_reply_that_takes_for_ever_is_stopped(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoints, "REPLY_SECONDS", 0.0)
    with (
        serve(PROTOCOLS[protocol][0](Speech(GOOD))) as server,
        pytest.raises(BadReply, match="was at its reply for 0 s, and was stopped"),
    ):
        await ask(spec(server.base, protocol))


async def test_a_key_at_the_end_of_what_is_shown_of_an_answer_is_left_out() -> None:
    body = json.dumps({"error": {"message": "x" * 260 + KEY}})
    with serve(Reply(body, kind="application/json")) as server, pytest.raises(ProgrammerUnavailable) as raised:
        await ask(spec(server.base))
    assert KEY[:4] not in str(raised.value)
