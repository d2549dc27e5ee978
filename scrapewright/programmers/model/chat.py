"""OpenAI's Chat Completions, as OpenAI, Azure OpenAI and the many servers that are compatible with them speak it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import msgspec

from scrapewright.programmers.model.accepted import Accepted
from scrapewright.programmers.model.completion import BrokenOff, Finish, Prompt, ReplyBuilder
from scrapewright.settings import ModelSpec

if TYPE_CHECKING:
    from openai import AsyncOpenAI

RETRIES = 2
_FINISHES: dict[str, Finish] = {
    "length": "length", "content_filter": "content_filter", "tool_calls": "tool_calls", "function_call": "tool_calls",
}  # fmt: skip


def is_own_address(spec: ModelSpec, provider: str) -> bool:
    """Whether it is asked at the provider's own address: the headers that its package adds from the environment are
    for that alone."""
    return spec.provider == provider and not spec.elsewhere


class OpenAIClient:
    """The package's client, made when it is first used: the package is slow to load."""

    def __init__(self, spec: ModelSpec) -> None:
        self._spec = spec
        self._client: AsyncOpenAI | None = None

    @property
    def sdk(self) -> Any:
        import openai

        return openai

    def client(self) -> AsyncOpenAI:
        if self._client is None:
            import openai

            spec = self._spec
            # No proxy of the environment is used between a program and its own machine.
            direct = None if spec.costs else openai.DefaultAsyncHttpxClient(trust_env=False)
            if spec.provider == "azure":
                self._client = openai.AsyncAzureOpenAI(
                    api_key=spec.key.reveal(), azure_endpoint=spec.base_url, api_version=spec.api_version,
                    timeout=spec.timeout, max_retries=RETRIES, http_client=direct,
                )  # fmt: skip
            else:
                # The package adds paths to it; Anthropic's own address has no version in it.
                base = f"{spec.base_url.removesuffix('/v1')}/v1" if spec.provider == "anthropic" else spec.base_url
                self._client = openai.AsyncOpenAI(
                    api_key=spec.key.reveal() or "none", base_url=base, timeout=spec.timeout, max_retries=RETRIES,
                    http_client=direct,
                )  # fmt: skip
            if not is_own_address(spec, "openai"):
                self._client.organization = self._client.project = None
                self._client._custom_headers = {}
        return self._client

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None


class Chat(OpenAIClient):
    """Implements completion.Dialect."""

    def parameters(self, prompt: Prompt, accepted: Accepted) -> dict[str, Any]:
        spec = self._spec
        messages = [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}]
        body: dict[str, Any] = {"model": spec.model, "messages": messages, "stream": True}
        if prompt.schema is not None and accepted.format == "json_schema":
            named = {"name": "reply", "strict": True, "schema": prompt.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif prompt.schema is not None and accepted.format == "json_object":
            body["response_format"] = {"type": "json_object"}
        if accepted.usage:
            body["stream_options"] = {"include_usage": True}
        if spec.max_output and accepted.limits:
            body[accepted.limits[0]] = spec.max_output
        if spec.temperature is not None and accepted.temperature:
            body["temperature"] = spec.temperature
        if spec.reasoning and accepted.reasoning:
            body["reasoning_effort"] = spec.reasoning
        return body

    async def send(self, parameters: dict[str, Any]) -> Any:
        return await cast(Any, self.client().chat.completions.create)(**parameters)

    def take_event(self, event: Any, builder: ReplyBuilder) -> None:
        """The last count of tokens is used: it comes in a piece of its own, in the last one, in each, or never."""
        _count(getattr(event, "usage", None), builder)
        for choice in (event.choices or ())[:1]:
            builder.finish = _FINISHES.get(choice.finish_reason or "", builder.finish)
            builder.ended = builder.ended or bool(choice.finish_reason)
            if choice.delta is not None:
                _take(choice.delta, builder)

    def take_body(self, body: bytes, builder: ReplyBuilder) -> None:
        from openai.types.chat import ChatCompletion

        try:
            reply = ChatCompletion.model_validate_json(body)
        except ValueError as error:
            if said := error_said(body):
                raise BrokenOff(said) from error
            raise ValueError(body.decode("utf-8", "replace")) from error
        _count(reply.usage, builder)
        for choice in reply.choices[:1]:
            builder.finish = _FINISHES.get(choice.finish_reason, "stop")
            _take(choice.message, builder)


def error_said(body: bytes) -> str:
    """The message of an error that is the body of a good answer, as routers of models send it; empty for another."""
    try:
        error = msgspec.json.decode(body)["error"]
        return str((error.get("message") if isinstance(error, dict) else "") or error or "")
    except (msgspec.DecodeError, LookupError, TypeError):
        return ""


def _count(usage: Any, builder: ReplyBuilder) -> None:
    asked, answered = (getattr(usage, name, None) for name in ("prompt_tokens", "completion_tokens"))
    builder.input_tokens = builder.input_tokens if asked is None else asked
    builder.output_tokens = builder.output_tokens if answered is None else answered


def _take(message: Any, builder: ReplyBuilder) -> None:
    """A message, whole or in part. Reasoning is in fields of its own (vLLM, llama.cpp and Qwen name it
    reasoning_content, OpenRouter and Ollama reasoning), or beside the text in a list of parts (Mistral)."""
    builder.reasoning(getattr(message, "reasoning_content", None) or getattr(message, "reasoning", None))
    builder.refusal(getattr(message, "refusal", None))
    content = message.content
    if isinstance(content, list):
        for part in content:
            if isinstance(part, Mapping) and part.get("type") == "text":
                builder.text(part.get("text"))
    else:
        builder.text(content)
