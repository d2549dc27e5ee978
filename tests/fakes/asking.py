"""Asks a model at a server on loopback, in each protocol."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from scrapewright.programmers.model.completion import Completion, Prompt
from scrapewright.programmers.model.endpoint import Endpoint
from scrapewright.programmers.model.reply import reply_schema
from scrapewright.settings import ModelSpec, Secret
from tests.fakes.model_server import (
    Reply,
    Speech,
    chat,
    chat_whole,
    messages,
    messages_whole,
    responses,
    responses_whole,
)

KEY = "planted-key-0123456789"
PROMPT = Prompt("You write scrapers.", "All mugs, please.", reply_schema(False))
GOOD = json.dumps({"diagnosis": "", "disputes": [], "program": "import requests\n"})
FENCED = f"```python\n{chr(10).join(map(str, range(100)))}\n```"
Speaker = Callable[[Speech], Reply]
PROTOCOLS: dict[str, tuple[Speaker, Speaker]] = {
    "chat": (chat, chat_whole), "responses": (responses, responses_whole), "messages": (messages, messages_whole),
}  # fmt: skip
every_protocol = pytest.mark.parametrize("protocol", PROTOCOLS)


def spec(base: str, protocol: str = "chat", **more: Any) -> ModelSpec:
    provider = "anthropic" if protocol == "messages" else "openai"
    fields = {"name": f"{provider}/m", "provider": provider, "model": "m", "base_url": f"{base}/v1", "api": protocol}
    return ModelSpec(**{**fields, "key": Secret(KEY), "key_variable": "MY_KEY", "timeout": 10.0, **more})


async def ask(asked: ModelSpec, prompt: Prompt = PROMPT) -> tuple[Completion, str]:
    """The completion, and the text as it streamed."""
    streamed: list[str] = []
    endpoint = Endpoint(asked)
    try:
        return await endpoint.complete(prompt, streamed.append), "".join(streamed)
    finally:
        await endpoint.close()
