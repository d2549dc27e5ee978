"""What each provider is sent, and what is made of its answers: real requests to a server that speaks its protocol."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.errors import UsageError
from scrapewright.loop.ports import BadReply, ProgrammerUnavailable
from scrapewright.programmers.model import accepted as accepting
from scrapewright.programmers.model import endpoint as endpoints
from scrapewright.programmers.model.completion import Completion, Prompt, WithoutKey
from scrapewright.programmers.model.endpoint import Endpoint, try_once
from scrapewright.programmers.model.reply import read_reply
from scrapewright.session.exit_codes import ExitCode
from scrapewright.settings import ModelSpec, Secret, Settings, as_rows, load
from scrapewright.settings.models import PROVIDERS
from tests.fakes.asking import GOOD, KEY, PROMPT, PROTOCOLS, Speaker, ask, every_protocol, spec
from tests.fakes.model_server import (
    USED,
    Asked,
    Reply,
    Speech,
    chat,
    messages,
    refusal_of_request,
    responses,
    serve,
)

# Each provider, from the variables that set it up to the request that arrives.

BEARER = ("authorization", f"Bearer {KEY}")
SET_UP: dict[str, tuple[str, Speaker, dict[str, str], str, tuple[str, str]]] = {
    "azure": ("/", chat, {"AZURE_OPENAI_API_VERSION": "2025-04-01-preview"},
              "/openai/deployments/m/chat/completions?api-version=2025-04-01-preview", ("api-key", KEY)),
    "openai": ("/v1", chat, {}, "/v1/chat/completions", BEARER),
    "anthropic": ("/", messages, {}, "/v1/messages", BEARER),
    "qwen": ("/compatible-mode/v1", chat, {}, "/compatible-mode/v1/chat/completions", BEARER),
    "gemini": ("/v1beta/openai/", chat, {}, "/v1beta/openai/chat/completions", BEARER),
    "mistral": ("/v1", chat, {}, "/v1/chat/completions", BEARER),
    "openrouter": ("/api/v1", chat, {}, "/api/v1/chat/completions", BEARER),
    "ollama": ("/v1", chat, {}, "/v1/chat/completions", BEARER),
    "llama.cpp": ("/v1", chat, {}, "/v1/chat/completions", BEARER),
    "lmstudio": ("/v1", chat, {}, "/v1/chat/completions", BEARER),
    "vllm": ("/v1", chat, {}, "/v1/chat/completions", BEARER),
}  # fmt: skip


def test_every_provider_is_tried() -> None:
    assert SET_UP.keys() == PROVIDERS.keys()


def settings_of(provider: str, base: str, folder: Path) -> Settings:
    preset, more = PROVIDERS[provider], SET_UP[provider][2]
    address = base + SET_UP[provider][0].rstrip("/")
    return load({preset.key: KEY, preset.address: address, preset.named: "m", **more}, folder)


@pytest.mark.parametrize("provider", SET_UP)
async def test_a_provider_is_asked_at_its_own_path_with_its_own_header(provider: str, tmp_path: Path) -> None:
    _, speak, _, path, (header, value) = SET_UP[provider]
    with serve(speak(Speech(GOOD))) as server:
        settings = settings_of(provider, server.base, tmp_path)
        one = settings.model_for("programmer")
        assert one is not None
        done, streamed = await ask(one)
    assert (one.name, one.lacking) == (f"{provider}/m", "")
    assert [(asked.path, asked.headers[header], asked.body["model"]) for asked in server.asked] == [(path, value, "m")]
    assert (done.text, done.finish, done.input_tokens, done.output_tokens) == (GOOD, "stop", *USED)
    assert streamed == GOOD
    assert KEY not in repr(settings) + str(as_rows(settings)) + server.asked[0].text


@pytest.mark.parametrize("provider", SET_UP)
async def test_a_key_that_a_provider_repeats_is_not_shown(provider: str, tmp_path: Path) -> None:
    with serve(refusal_of_request(f"the key {KEY} is wrong", 400)) as server:
        one = settings_of(provider, server.base, tmp_path).model_for("programmer")
        assert one is not None
        with pytest.raises(ProgrammerUnavailable, match="the key … is wrong") as raised:
            await ask(one)
    assert KEY not in f"{raised.value} {raised.value.advice}"


@pytest.mark.parametrize("provider", SET_UP)
async def test_a_key_in_a_reply_is_neither_streamed_nor_kept(provider: str, tmp_path: Path) -> None:
    with serve(SET_UP[provider][1](Speech(f"print('{KEY}') # {KEY[:9]}"))) as server:
        one = settings_of(provider, server.base, tmp_path).model_for("programmer")
        assert one is not None
        done, streamed = await ask(one)
    assert streamed == done.text == f"print('…') # {KEY[:9]}"


@given(st.data())
def test_a_streamed_key_is_left_out_however_it_is_cut(data: st.DataObject) -> None:
    key = "sk-sk-key"
    text = "".join(data.draw(st.lists(st.sampled_from([key, "sk-", "sk-sk-ke", "k", "x"]), max_size=6)))
    seen: list[str] = []
    shown = WithoutKey(seen.append, key)
    at = 0
    while at < len(text):
        size = data.draw(st.integers(1, 12))
        shown.feed(text[at : at + size])
        at += size
    shown.end()
    assert "".join(seen) == text.replace(key, "…")


async def test_no_proxy_is_asked_for_a_server_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(refusal_of_request("I am the proxy", 403)) as proxy, serve(chat(Speech(GOOD))) as server:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.base)
        done, _ = await ask(spec(server.base))
    assert (done.text, proxy.asked) == (GOOD, [])


async def test_azure_has_a_path_for_responses() -> None:
    with serve(responses(Speech(GOOD))) as server:
        azure = ModelSpec(
            name="azure/m", provider="azure", model="m", base_url=server.base, key=Secret(KEY), api="responses",
            api_version="2025-04-01-preview",
        )  # fmt: skip
        await ask(azure)
    assert server.asked[0].path == "/openai/responses?api-version=2025-04-01-preview"


async def test_without_its_package_anthropic_is_asked_at_its_compatible_endpoint(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for module in (accepting, endpoints):
        monkeypatch.setattr(module, "find_spec", lambda name: None)
    with serve(chat(Speech(GOOD))) as server:
        one = settings_of("anthropic", server.base, tmp_path).model_for("programmer")
        assert one is not None
        await ask(one)
        with pytest.raises(UsageError, match=r"pip install 'scrapewright\[anthropic\]'"):
            Endpoint(msgspec.structs.replace(one, api="messages"))
    (asked,) = server.asked
    assert (asked.path, asked.headers["authorization"]) == ("/v1/chat/completions", f"Bearer {KEY}")
    assert "response_format" not in asked.body


# What is sent.


@every_protocol
async def test_headers_and_proxies_of_the_environment_are_for_a_providers_own_address(
    protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "mine")
    for name in ("OPENAI_CUSTOM_HEADERS", "ANTHROPIC_CUSTOM_HEADERS"):
        monkeypatch.setenv(name, "x-own: mine")
    for name in ("http_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with serve(PROTOCOLS[protocol][0](Speech(GOOD))) as server:
        await ask(spec(server.base, protocol))
    assert "mine" not in server.asked[0].headers.values()


@every_protocol
async def test_what_the_settings_say_is_sent(protocol: str) -> None:
    with serve(PROTOCOLS[protocol][0](Speech(GOOD))) as server:
        await ask(spec(server.base, protocol, temperature=0.3, reasoning="low", max_output=900))
    body = server.asked[0].body
    limit = {"chat": "max_tokens", "responses": "max_output_tokens", "messages": "max_tokens"}[protocol]
    assert (body["temperature"], body[limit], body["stream"]) == (0.3, 900, True)
    assert '"low"' in server.asked[0].text
    assert '"json_schema"' in server.asked[0].text
    assert PROMPT.system in server.asked[0].text
    if protocol == "responses":
        assert body["store"] is False


@every_protocol
async def test_what_the_settings_leave_out_is_the_providers(protocol: str) -> None:
    with serve(PROTOCOLS[protocol][0](Speech("ready"))) as server:
        await ask(spec(server.base, protocol), Prompt("You are tested.", "Say: ready"))
    assert not {"temperature", "response_format", "text", "output_config", "reasoning_effort", "reasoning",
                "max_completion_tokens", "max_output_tokens"}.intersection(server.asked[0].body)  # fmt: skip


def refusing(message: str, *names: str, status: int = 400) -> Callable[[Asked], Reply | None]:
    """Refuses requests that have a parameter of those names."""
    return lambda asked: refusal_of_request(message, status) if {*names} & asked.body.keys() else None


ALL = {"temperature": 0.3, "reasoning": "low", "max_output": 900}
REFUSALS: list[tuple[str, str, str, int, str]] = [
    # protocol, the parameter, what the server says of it, status, what takes its place
    ("chat", "max_completion_tokens", "Unrecognized request argument supplied: max_completion_tokens", 400,
     "max_tokens"),
    ("chat", "max_tokens", "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
     "'max_completion_tokens' instead.", 400, "max_completion_tokens"),
    ("chat", "temperature", "Unsupported value: 'temperature' does not support 0.3 with this model.", 400, ""),
    ("responses", "temperature", "Unsupported parameter: 'temperature' is not supported with this model.", 400, ""),
    ("messages", "temperature", "`temperature` is deprecated for this model.", 400, ""),
    ("chat", "reasoning_effort", "Unrecognized request argument supplied: reasoning_effort", 400, ""),
    ("chat", "reasoning_effort", '"llama3" does not support thinking', 400, ""),
    ("responses", "reasoning", "Unsupported parameter: 'reasoning.effort' is not supported with this model.", 400, ""),
    ("chat", "stream_options", '[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are '
     'not permitted"}]', 422, ""),
    ("chat", "response_format", "This model does not support response_format json_schema", 400, ""),
    ("chat", "response_format", "'response_format.type' must be 'text'", 422, ""),
    ("chat", "response_format", "failed to parse grammar", 400, ""),
    ("responses", "text", "Invalid parameter: 'text.format' of type 'json_schema' is not supported", 400, ""),
    ("messages", "output_config", "output_config.format: structured outputs are not supported", 400, ""),
]  # fmt: skip


@pytest.mark.parametrize(("protocol", "parameter", "message", "status", "instead"), REFUSALS)
async def test_what_an_endpoint_refuses_is_left_out_from_then_on(
    protocol: str, parameter: str, message: str, status: int, instead: str
) -> None:
    speak = PROTOCOLS[protocol][0]
    more = {k: v for k, v in ALL.items() if not (parameter == "output_config" and k == "reasoning")}
    elsewhere = parameter != "max_completion_tokens"
    with serve(speak(Speech(GOOD)), rule=refusing(message, parameter, status=status)) as server:
        one = spec(server.base, protocol, **more)
        if not elsewhere:  # OpenAI's own address is asked by the newer name first
            one = msgspec.structs.replace(one, provider="azure", api_version="2025-04-01-preview")
        done, _ = await ask(one)
        tries = len(server.asked)
        await ask(one)
    assert done.text == GOOD
    assert tries > 1, "it was sent at first"
    assert len(server.asked) == tries + 1, "what was learnt is kept"
    last = server.asked[-1].body
    assert parameter not in last
    assert not instead or last[instead] == 900
    kept = {"temperature"} if protocol != "chat" else {"temperature", "reasoning_effort", "response_format"}
    assert kept - {parameter} <= last.keys()


async def test_a_schema_that_is_refused_is_said_in_words() -> None:
    def rule(asked: Asked) -> Reply | None:
        return refusal_of_request("json_schema is not supported") if "json_schema" in str(asked.body) else None

    with serve(chat(Speech(GOOD)), rule=rule) as server:
        await ask(spec(server.base))
        await ask(spec(server.base))  # such a prompt is written for the looser format
    sent = [asked.body["messages"][1]["content"] for asked in server.asked]
    assert (sent[0], sent[2]) == (PROMPT.user, PROMPT.user)
    assert sent[1].startswith(f"{PROMPT.user}\n\nThe schema of the JSON object: {{")
    assert '"disputes"' in sent[1]


async def test_a_model_that_wants_the_responses_api_is_asked_so() -> None:
    message = "This model is only supported in v1/responses and not in v1/chat/completions."

    def rule(asked: Asked) -> Reply | None:
        return refusal_of_request(message, 404) if asked.path.endswith("/chat/completions") else None

    with serve(responses(Speech(GOOD)), rule=rule) as server:
        for _ in range(2):
            done, _ = await ask(spec(server.base, "chat", api=""))
            assert done.text == GOOD
    assert [a.path for a in server.asked] == ["/v1/chat/completions", "/v1/responses", "/v1/responses"]


@pytest.mark.parametrize(
    "message",
    [
        "max_tokens is too large: 900. This model supports at most 512 completion tokens",
        "The prompt triggered the content filter. For more information see the documentation.",
        "This model's maximum context length is 4096 tokens",
    ],
)
async def test_a_refusal_of_something_else_is_reported_and_not_tried_again(message: str) -> None:
    with serve(refusal_of_request(message)) as server, pytest.raises(ProgrammerUnavailable) as raised:
        await ask(spec(server.base, **ALL))
    assert (raised.value.exit_code, len(server.asked)) == (ExitCode.UNREPAIRED, 1)
    assert message in str(raised.value)


async def test_a_prompt_beyond_the_context_is_not_sent() -> None:
    with serve(chat(Speech(GOOD))) as server, pytest.raises(ProgrammerUnavailable, match="takes 1,000 with its reply"):
        await ask(spec(server.base, context=1000, max_output=500), Prompt("", "x" * 2_100))
    assert not server.asked


# What comes back.


@every_protocol
@pytest.mark.parametrize("usage", ["own", "last", "each", ""])
async def test_tokens_are_counted_where_given_and_estimated_where_not(protocol: str, usage: str) -> None:
    with serve(PROTOCOLS[protocol][0](Speech(GOOD, usage=usage, reasoning="r" * 400))) as server:
        done, _ = await ask(spec(server.base, protocol))
    assert done.text == GOOD
    thought = 200 if protocol == "chat" else 100  # the chat server says it under both of its names
    estimate = (PROMPT.tokens, len(GOOD) // 4 + thought)
    assert abs(done.output_tokens - (USED if usage else estimate)[1]) <= 1
    assert done.input_tokens == (USED if usage else estimate)[0]


@every_protocol
@pytest.mark.parametrize("parts", [False, True])
async def test_reasoning_is_no_part_of_the_reply(protocol: str, parts: bool) -> None:
    with serve(PROTOCOLS[protocol][0](Speech(GOOD, reasoning="import bs4  # a draft", parts=parts))) as server:
        done, streamed = await ask(spec(server.base, protocol))
    assert done.text == streamed == GOOD


@every_protocol
@pytest.mark.parametrize(
    ("speech", "says"),
    [
        (Speech("", refusal="I may not"), "the model refused: "),
        (Speech(GOOD, finish="length"), "cut off"),
        (Speech("", tool=True), "(called a tool|empty)"),
        (Speech(""), "empty"),
    ],
)
async def test_replies_without_a_program_are_distinguished(protocol: str, speech: Speech, says: str) -> None:
    with serve(PROTOCOLS[protocol][0](speech)) as server:
        done, _ = await ask(spec(server.base, protocol))
    with pytest.raises(BadReply, match=says):
        read_reply(done.text, finish=done.finish, refusal=done.refusal)


@pytest.mark.parametrize("count", ["many", 12.5, -3, 10**20, {"total": 1}])
async def test_a_count_that_is_none_is_estimated(count: Any) -> None:
    speech = chat(Speech(GOOD))
    speech.body = speech.body.replace(f'"prompt_tokens": {USED[0]}', f'"prompt_tokens": {json.dumps(count)}')
    with serve(speech) as server:
        done, _ = await ask(spec(server.base))
    assert (done.input_tokens, done.output_tokens) == (PROMPT.tokens, USED[1])


@pytest.mark.parametrize("key", [f"{KEY}\nsecond-key-987654321", f"{KEY}\x00", f"{KEY}\u00e9"])
@every_protocol
async def test_a_key_that_no_header_can_hold_is_not_repeated(protocol: str, key: str) -> None:
    with serve(chat(Speech(GOOD))) as server, pytest.raises(ProgrammerUnavailable) as raised:
        await ask(spec(server.base, protocol, key=Secret(key)))
    assert str(raised.value) == "MY_KEY holds characters that no key has"
    assert server.asked == []


async def test_a_text_that_utf_8_can_not_hold_is_sent_and_read() -> None:
    with serve(chat(Speech("a \ud83d b"))) as server:
        done, _ = await ask(spec(server.base), Prompt("You write scrapers.", "All \ud83d mugs."))
    assert (done.text, server.asked[0].body["messages"][1]["content"]) == ("a \ufffd b", "All \ufffd mugs.")


@every_protocol
async def test_a_server_that_does_not_stream_is_understood(protocol: str) -> None:
    with serve(PROTOCOLS[protocol][1](Speech(GOOD))) as server:
        done, streamed = await ask(spec(server.base, protocol))
    assert (done.text, streamed, done.input_tokens, done.output_tokens) == (GOOD, GOOD, *USED)


@every_protocol
@pytest.mark.parametrize(
    ("status", "headers", "says", "advice", "code"),
    [
        (401, {}, "refused the key", "MY_KEY", ExitCode.USAGE),
        (402, {}, "out of quota", "later", ExitCode.RETRY_LATER),
        (403, {}, "does not allow it", "MY_KEY", ExitCode.USAGE),
        (404, {}, "has no model 'm'", "base_url|BASE_URL", ExitCode.USAGE),
        (429, {}, "out of quota or too many requests", "later", ExitCode.RETRY_LATER),
        (429, {"retry_after": "17"}, "too many requests", "in 17 s", ExitCode.RETRY_LATER),
        (500, {}, r"failed \(500\)", "later", ExitCode.RETRY_LATER),
        (503, {"retry_after": "9"}, r"failed \(503\)", "in 9 s", ExitCode.RETRY_LATER),
        (529, {}, r"failed \(529\)", "later", ExitCode.RETRY_LATER),
    ],
)
async def test_errors_say_what_to_do(
    protocol: str, status: int, headers: dict[str, str], says: str, advice: str, code: ExitCode
) -> None:
    refused = refusal_of_request("no", status, **headers)
    with serve(refused) as server, pytest.raises(ProgrammerUnavailable, match=says) as raised:
        await ask(spec(server.base, protocol))
    assert any(part in raised.value.advice for part in advice.split("|"))
    assert raised.value.exit_code == code


async def test_a_key_may_be_refused_as_a_bad_request() -> None:
    refused = refusal_of_request("API key not valid. Please pass a valid API key.", 400)
    with serve(refused) as server, pytest.raises(ProgrammerUnavailable, match="refused the key") as raised:
        await ask(spec(server.base))
    assert raised.value.exit_code == ExitCode.USAGE


@every_protocol
async def test_a_busy_server_is_asked_again_when_it_says(protocol: str) -> None:
    busy = [refusal_of_request("busy", status, x_should_retry="true", retry_after_ms="1") for status in (429, 503)]
    with serve(*busy, PROTOCOLS[protocol][0](Speech(GOOD))) as server:
        done, _ = await ask(spec(server.base, protocol))
    assert (done.text, len(server.asked)) == (GOOD, 3)


@pytest.mark.parametrize(
    ("prices", "cost"),
    [((2.0, 10.0), (100 * 2 + 50 * 10) / 1e6), ((0.0, 0.0), 0.0), ((2.0, None), 0.0), ((None, None), 0.0)],
)
def test_a_cost_is_counted_only_where_both_prices_are_known(
    prices: tuple[float | None, float | None], cost: float
) -> None:
    endpoint = Endpoint(spec("http://127.0.0.1:9", input_price=prices[0], output_price=prices[1]))
    assert endpoint.cost(Completion("", "stop", input_tokens=100, output_tokens=50)) == pytest.approx(cost)


async def test_one_short_question_says_that_a_model_answers() -> None:
    with serve(chat(Speech("ready"))) as server:
        assert "tokens" in await try_once(spec(server.base))
    assert "program" not in server.asked[0].text
    assert server.asked[0].body["max_tokens"] == endpoints.TRY_TOKENS


@pytest.mark.parametrize(
    ("speech", "says"),
    [(Speech(""), "empty"), (Speech("", finish="content_filter"), "filter"), (Speech(tool=True), "tool")],
)
async def test_a_model_that_says_nothing_does_not_answer(speech: Speech, says: str) -> None:
    with serve(chat(speech)) as server, pytest.raises(BadReply, match=says):
        await try_once(spec(server.base, context=500))


async def test_a_trial_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoints, "TRY_SECONDS", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(ProgrammerUnavailable, match=r"no answer within 0\.2 s"):
            await try_once(spec(f"http://127.0.0.1:{silent.getsockname()[1]}"))
