"""Anthropic's Messages API, through its own package, which is an extra."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import msgspec

from scrapewright.programmers.model.accepted import Accepted
from scrapewright.programmers.model.chat import RETRIES, is_own_address
from scrapewright.programmers.model.completion import BrokenOff, Finish, Prompt, ReplyBuilder
from scrapewright.settings import ModelSpec

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

MAX_OUTPUT = 16_000
"""Tokens of a reply where the settings do not say: the protocol wants a number."""
_FINISHES: dict[str, Finish] = {
    "max_tokens": "length", "model_context_window_exceeded": "length", "tool_use": "tool_calls",
}  # fmt: skip


class Messages:
    """Implements completion.Dialect."""

    def __init__(self, spec: ModelSpec) -> None:
        self._spec = spec
        self._client: AsyncAnthropic | None = None

    @property
    def sdk(self) -> Any:
        import anthropic

        return anthropic

    def parameters(self, prompt: Prompt, accepted: Accepted) -> dict[str, Any]:
        spec = self._spec
        body: dict[str, Any] = {
            "model": spec.model, "system": prompt.system, "messages": [{"role": "user", "content": prompt.user}],
            "max_tokens": spec.max_output or MAX_OUTPUT, "stream": True,
        }  # fmt: skip
        config: dict[str, Any] = {}
        if prompt.schema is not None and accepted.format == "json_schema":
            config["format"] = {"type": "json_schema", "schema": prompt.schema}
        if spec.reasoning and accepted.reasoning:
            config["effort"] = spec.reasoning
        if config:
            body["output_config"] = config
        if spec.temperature is not None and accepted.temperature:
            body["extra_body"] = {"temperature": spec.temperature}  # the package does not know it any more
        return body

    async def send(self, parameters: dict[str, Any]) -> Any:
        if self._client is None:
            import anthropic
            import httpx2

            spec = self._spec
            direct = None
            if not spec.costs:  # without a transport of its own the package mounts the environment's proxies
                plain = httpx2.AsyncHTTPTransport()
                direct = anthropic.DefaultAsyncHttpxClient(trust_env=False, transport=plain)
            self._client = anthropic.AsyncAnthropic(
                api_key=spec.key.reveal(), base_url=spec.base_url.removesuffix("/v1"), timeout=spec.timeout,
                max_retries=RETRIES, http_client=direct,
            )  # fmt: skip
            if not is_own_address(spec, "anthropic"):
                self._client._custom_headers = {}
        return await cast(Any, self._client.messages.create)(**parameters)

    def take_event(self, event: Any, builder: ReplyBuilder) -> None:
        match event.type:
            case "message_start":
                _count(event.message.usage.to_dict(), builder)
            case "content_block_delta" if event.delta.type == "text_delta":
                builder.text(event.delta.text)
            case "content_block_delta" if event.delta.type == "thinking_delta":
                builder.reasoning(event.delta.thinking)
            case "message_delta":
                _end(event.delta.stop_reason, event.usage.to_dict() if event.usage else {}, builder)

    def take_body(self, body: bytes, builder: ReplyBuilder) -> None:
        reply = msgspec.json.decode(body)
        if isinstance(reply, dict) and reply.get("type") == "error":
            raise BrokenOff((reply.get("error") or {}).get("message") or "an error without a message")
        if not isinstance(reply, dict) or not isinstance(reply.get("content"), list):
            raise ValueError(body.decode("utf-8", "replace"))
        for block in reply["content"]:
            if block.get("type") == "text":
                builder.text(block.get("text"))
        _end(reply.get("stop_reason"), reply.get("usage") or {}, builder)

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None


def _end(reason: str | None, usage: dict[str, Any], builder: ReplyBuilder) -> None:
    builder.finish = _FINISHES.get(reason or "", builder.finish)
    builder.ended = builder.ended or bool(reason)
    if reason == "refusal":
        builder.refusal("it gives no reason")
    _count(usage, builder)


def _count(usage: dict[str, Any], builder: ReplyBuilder) -> None:
    """What is read from the provider's cache, or written to it, is counted beside the rest."""
    parts = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    if (total := sum(usage.get(part) or 0 for part in parts)) > 0:
        builder.input_tokens = total
    if usage.get("output_tokens") is not None:
        builder.output_tokens = usage["output_tokens"]
