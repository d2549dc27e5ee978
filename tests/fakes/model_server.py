"""A real HTTP server on loopback that speaks the protocols of models: Chat Completions, Responses, Messages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from unittest.mock import patch

import httpx2
import pytest

from scrapewright.programmers.model import endpoint
from tests.fakes.loopback import Handler, listening

PIECE = 7
USED = (100, 50)


@dataclass
class Reply:
    """One answer. `cut`: the connection is closed before the body is whole."""

    body: str
    status: int = 200
    kind: str = "text/event-stream"
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False


@dataclass
class Asked:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def text(self) -> str:
        return json.dumps(self.body)


Rule = Callable[[Asked], Reply | None]


@dataclass
class Server:
    base: str
    script: list[Reply]
    rule: Rule
    asked: list[Asked] = field(default_factory=list)


@contextmanager
def serve(*script: Reply, rule: Rule = lambda asked: None) -> Iterator[Server]:
    """Answers as `rule` says, else in turn as the script does; the last answer again and again."""
    server = Server("", list(script), rule)
    with listening(_Handler, server) as server.base:
        yield server


class _Handler(Handler, BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def _answer(self, body: dict[str, Any]) -> None:
        server: Server = self.state
        asked = Asked(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
        server.asked.append(asked)
        reply = server.rule(asked) or (server.script.pop(0) if len(server.script) > 1 else server.script[0])
        data = reply.body.encode()
        self.send_response(reply.status)
        headers = {"Content-Type": reply.kind, "Content-Length": str(len(data) + (100 if reply.cut else 0))}
        for name, value in {**headers, "Connection": "close", **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
        self.close_connection = True


@pytest.fixture(autouse=True, scope="module")
def certificates_read_once() -> Iterator[None]:
    """Each client reads all certificates for itself, though none of these servers has one: half of the tests' time."""
    context = httpx2.create_ssl_context()
    with patch("httpx2._transports.default.create_ssl_context", lambda **_: context):
        yield


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    """The process knows what each endpoint was found to take; each test begins without that."""
    endpoint._accepted.clear()


def refusal_of_request(message: str, status: int = 400, **headers: str) -> Reply:
    """An error as OpenAI, Anthropic and those like them send it. It is not tried again unless the headers say so."""
    body = {"type": "error", "error": {"message": message, "type": "invalid_request_error", "code": None}}
    retry = {"x-should-retry": "false", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return Reply(json.dumps(body), status, "application/json", retry)


def pieces(text: str) -> list[str]:
    return [text[at : at + PIECE] for at in range(0, len(text), PIECE)]


@dataclass(frozen=True)
class Speech:
    """What a model says, for each protocol to say in its own way. `usage`: "own" (a piece of its own), "last" (in the
    last one), "each", "" (never). `tool`: it calls a tool in place of an answer."""

    text: str = ""
    finish: str = "stop"
    refusal: str = ""
    reasoning: str = ""
    usage: str = "own"
    tool: bool = False
    error: str = ""
    """A message that breaks the stream off after the text."""
    parts: bool = False
    """Text and reasoning in a list of parts, as Mistral sends them."""


def chat(speech: Speech) -> Reply:
    counted = {"usage": {"prompt_tokens": USED[0], "completion_tokens": USED[1], "total_tokens": sum(USED)}}
    each = counted if speech.usage == "each" else {}
    events: list[dict[str, Any]] = [{"choices": [], "prompt_filter_results": []}]  # Azure begins so
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    for name in ("reasoning_content", "reasoning"):
        deltas += [{"content": None, name: piece} for piece in pieces(speech.reasoning)]
    for piece in pieces(speech.text):
        part = [{"type": "text", "text": piece}]
        thought = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]
        deltas.append({"content": [*thought, *part] if speech.parts else piece})
    if speech.refusal:
        deltas.append({"refusal": speech.refusal})
    if speech.tool:
        call = {"index": 0, "id": "t", "type": "function", "function": {"name": "write", "arguments": "{}"}}
        deltas.append({"tool_calls": [call]})
    events += [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}], **each} for delta in deltas]
    finish = "tool_calls" if speech.tool else speech.finish
    if speech.error:
        events.append({"error": {"message": speech.error}})
    else:
        last = counted if speech.usage == "last" else each
        events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}], **last})
        if speech.usage == "own":
            events.append({"choices": [], **counted})
    frame = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    lines = [f"data: {json.dumps(event if 'error' in event else frame | event)}\n\n" for event in events]
    return Reply(": comment\n\n" + "".join(lines) + "data: [DONE]\n\n")


def chat_whole(speech: Speech) -> Reply:
    message = {"role": "assistant", "content": speech.text, "refusal": speech.refusal or None}
    whole = {
        "id": "c", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": speech.finish}],
        "usage": {"prompt_tokens": USED[0], "completion_tokens": USED[1], "total_tokens": sum(USED)},
    }  # fmt: skip
    return Reply(json.dumps(whole), kind="application/json")


def responses(speech: Speech) -> Reply:
    events: list[dict[str, Any]] = [{"type": "response.created", "response": _response(speech, "in_progress")}]
    place = {"item_id": "i", "output_index": 0, "content_index": 0}
    for piece in pieces(speech.reasoning):
        events.append({"type": "response.reasoning_summary_text.delta", "summary_index": 0, "delta": piece, **place})
    if speech.tool:
        events.append({"type": "response.function_call_arguments.delta", "delta": "{}", **place})
    for piece in pieces(speech.text):
        events.append({"type": "response.output_text.delta", "delta": piece, "logprobs": [], **place})
    if speech.refusal:
        events.append({"type": "response.refusal.delta", "delta": speech.refusal, **place})
    if speech.error:
        failed = _response(speech, "failed") | {"error": {"code": "server_error", "message": speech.error}}
        events.append({"type": "response.failed", "response": failed})
    else:
        status = "completed" if speech.finish == "stop" else "incomplete"
        events.append({"type": f"response.{status}", "response": _response(speech, status)})
    for number, event in enumerate(events):
        event["sequence_number"] = number
    return Reply("".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events))


def responses_whole(speech: Speech) -> Reply:
    status = "completed" if speech.finish == "stop" else "incomplete"
    return Reply(json.dumps(_response(speech, status)), kind="application/json")


def _response(speech: Speech, status: str) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    if speech.text:
        content.append({"type": "output_text", "text": speech.text, "annotations": []})
    if speech.refusal:
        content.append({"type": "refusal", "refusal": speech.refusal})
    thought = {"type": "reasoning", "id": "r", "summary": []}
    message = {"type": "message", "id": "i", "role": "assistant", "status": "completed", "content": content}
    reason = {"length": "max_output_tokens"}.get(speech.finish, speech.finish)
    counted = {
        "input_tokens": USED[0], "output_tokens": USED[1], "total_tokens": sum(USED),
        "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0},
    }  # fmt: skip
    return {
        "id": "r", "object": "response", "created_at": 1, "model": "m", "status": status, "error": None,
        "output": [thought, message], "tools": [], "tool_choice": "auto", "parallel_tool_calls": False,
        "incomplete_details": {"reason": reason} if status == "incomplete" else None,
        "usage": counted if speech.usage and status != "in_progress" else None,
    }  # fmt: skip


def messages(speech: Speech) -> Reply:
    used = {"input_tokens": USED[0] - 30, "cache_read_input_tokens": 30, "output_tokens": 1} if speech.usage else {}
    start = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": used}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": start}, {"type": "ping"}]
    blocks: list[tuple[dict[str, Any], list[dict[str, Any]]]] = []
    if speech.reasoning:
        deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces(speech.reasoning)]
        blocks.append(({"type": "thinking", "thinking": "", "signature": ""}, deltas))
    if speech.tool:
        block = {"type": "tool_use", "id": "t", "name": "write", "input": {}}
        blocks.append((block, [{"type": "input_json_delta", "partial_json": "{}"}]))
    if speech.text:
        blocks.append(({"type": "text", "text": ""}, [{"type": "text_delta", "text": p} for p in pieces(speech.text)]))
    for index, (block, deltas) in enumerate(blocks):
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    if speech.error:
        events.append({"type": "error", "error": {"type": "overloaded_error", "message": speech.error}})
    else:
        counted = {"output_tokens": USED[1]} if speech.usage else {}
        stop = {"stop_reason": _stop(speech), "stop_sequence": None}
        events += [{"type": "message_delta", "delta": stop, "usage": counted}, {"type": "message_stop"}]
    return Reply("".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events))


def messages_whole(speech: Speech) -> Reply:
    whole = {
        "id": "m", "type": "message", "role": "assistant", "model": "m", "stop_reason": _stop(speech),
        "content": [{"type": "text", "text": speech.text}],
        "usage": {"input_tokens": USED[0], "output_tokens": USED[1]},
    }  # fmt: skip
    return Reply(json.dumps(whole), kind="application/json")


def _stop(speech: Speech) -> str:
    if speech.refusal:
        return "refusal"
    return "tool_use" if speech.tool else {"stop": "end_turn", "length": "max_tokens"}.get(speech.finish, speech.finish)
