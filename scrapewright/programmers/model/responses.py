"""OpenAI's Responses API, which some models are asked through alone."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from scrapewright.programmers.model.accepted import Accepted
from scrapewright.programmers.model.chat import OpenAIClient, error_said
from scrapewright.programmers.model.completion import BrokenOff, Prompt, ReplyBuilder


class Responses(OpenAIClient):
    """Implements completion.Dialect. Nothing is kept by the provider (`store`)."""

    def parameters(self, prompt: Prompt, accepted: Accepted) -> dict[str, Any]:
        spec = self._spec
        body: dict[str, Any] = {
            "model": spec.model, "instructions": prompt.system, "input": [{"role": "user", "content": prompt.user}],
            "stream": True, "store": False,
        }  # fmt: skip
        if prompt.schema is not None and accepted.format == "json_schema":
            form = {"type": "json_schema", "name": "reply", "strict": True, "schema": prompt.schema}
            body["text"] = {"format": form}
        elif prompt.schema is not None and accepted.format == "json_object":
            body["text"] = {"format": {"type": "json_object"}}
        if spec.max_output:
            body["max_output_tokens"] = spec.max_output
        if spec.temperature is not None and accepted.temperature:
            body["temperature"] = spec.temperature
        if spec.reasoning and accepted.reasoning:
            body["reasoning"] = {"effort": spec.reasoning}
        return body

    async def send(self, parameters: dict[str, Any]) -> Any:
        return await cast(Any, self.client().responses.create)(**parameters)

    def take_event(self, event: Any, builder: ReplyBuilder) -> None:
        match event.type:
            case "response.output_text.delta":
                builder.text(event.delta)
            case "response.refusal.delta":
                builder.refusal(event.delta)
            case "response.reasoning_text.delta" | "response.reasoning_summary_text.delta":
                builder.reasoning(event.delta)
            case "response.completed" | "response.incomplete" | "response.failed":
                _end(event.response.to_dict(), builder)
            case "error":
                raise BrokenOff(event.message)

    def take_body(self, body: bytes, builder: ReplyBuilder) -> None:
        reply = msgspec.json.decode(body)
        if not isinstance(reply, dict) or not isinstance(reply.get("output"), list):
            if said := error_said(body):
                raise BrokenOff(said)
            raise ValueError(body.decode("utf-8", "replace"))
        for item in reply["output"]:
            for part in item.get("content") or ():
                if part.get("type") == "output_text":
                    builder.text(part.get("text"))
                builder.refusal(part.get("refusal"))
        _end(reply, builder)


def _end(reply: dict[str, Any], builder: ReplyBuilder) -> None:
    """Takes in how a response ended and what it used. Raises BrokenOff."""
    if reply.get("status") == "failed":
        raise BrokenOff((reply.get("error") or {}).get("message") or "the response failed")
    builder.ended = True
    reason = (reply.get("incomplete_details") or {}).get("reason")
    if reason is not None:
        builder.finish = "content_filter" if reason == "content_filter" else "length"
    usage = reply.get("usage") or {}
    builder.input_tokens, builder.output_tokens = usage.get("input_tokens"), usage.get("output_tokens")
