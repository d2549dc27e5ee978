"""A real HTTP server on loopback that speaks OpenAI's chat protocol, as scripted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.fakes.loopback import Handler, listening


@dataclass
class Say:
    """One scripted answer. With a `status` `text` is the error's message; `drop` ends it in mid-stream. `raw` is
    sent as it is: events in place of the ones made of `text`, or with another `kind` a whole body.
    """

    text: str = ""
    status: int = 200
    finish: str = "stop"
    refusal: str = ""
    code: str = ""
    chunk: int = 7
    drop: bool = False
    usage: tuple[int, int] | None = (100, 50)
    raw: str = ""
    kind: str = "text/event-stream"


@dataclass
class Endpoint:
    """`requests` are the bodies received, `paths` and `headers` beside them."""

    base: str
    script: list[Say]
    rejects: Callable[[dict[str, Any]], str] = lambda body: ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


@contextmanager
def serve(*script: Say, rejects: Callable[[dict[str, Any]], str] | None = None) -> Iterator[Endpoint]:
    """Answers in turn. `rejects(body)` returns the message of a 400, or nothing."""
    endpoint = Endpoint("", list(script))
    if rejects is not None:
        endpoint.rejects = rejects
    with listening(_Handler, endpoint) as endpoint.base:
        yield endpoint


class _Handler(Handler, BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        endpoint: Endpoint = self.state
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        endpoint.requests.append(body)
        endpoint.paths.append(self.path)
        endpoint.headers.append({k.lower(): v for k, v in self.headers.items()})
        if message := endpoint.rejects(body):
            self._error(400, message, "")
            return
        say = endpoint.script.pop(0)
        if say.status != 200:
            self._error(say.status, say.text, say.code)
            return
        self.send_response(200)
        self.send_header("Content-Type", say.kind)
        self.send_header("Connection", "close")
        self.end_headers()
        if say.raw:
            self.wfile.write(say.raw.encode())
            self.close_connection = True
            return
        for start in range(0, len(say.text), say.chunk):
            self._event({"content": say.text[start : start + say.chunk]})
            if say.drop:
                self.close_connection = True
                return
        if say.refusal:
            self._event({"refusal": say.refusal})
        self._event({}, finish=say.finish)
        if say.usage:
            prompt, completion = say.usage
            counted = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
            self._send({"choices": [], "usage": counted})
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True

    def _event(self, delta: dict[str, Any], finish: str | None = None) -> None:
        self._send({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    def _send(self, data: dict[str, Any]) -> None:
        whole = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", **data}
        self.wfile.write(b"data: " + json.dumps(whole).encode() + b"\n\n")
        self.wfile.flush()

    def _error(self, status: int, message: str, code: str) -> None:
        data = json.dumps({"error": {"message": message, "type": "x", "code": code}}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("x-should-retry", "false")
        self.end_headers()
        self.wfile.write(data)
