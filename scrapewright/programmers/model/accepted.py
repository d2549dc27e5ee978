"""What an endpoint takes of a request: known of its provider at first, then learnt from what it refuses."""

from __future__ import annotations

import re
from collections.abc import Collection
from importlib.util import find_spec
from typing import Literal

import msgspec

from scrapewright.settings import ModelSpec

ReplyFormat = Literal["json_schema", "json_object", "text"]
REPLY_FORMATS: tuple[ReplyFormat, ...] = ("json_schema", "json_object", "text")
Protocol = Literal["chat", "responses", "messages"]


class Accepted(msgspec.Struct, frozen=True):
    """`limits` are the names to try for the most tokens of a reply, the first now. `usage`: it may be asked to count
    tokens. The rest is whether that part of the settings is sent."""

    protocol: Protocol = "chat"
    format: ReplyFormat = "json_schema"
    limits: tuple[str, ...] = ("max_completion_tokens", "max_tokens")
    usage: bool = True
    temperature: bool = True
    reasoning: bool = True


_COMPATIBLE = ("max_tokens", "max_completion_tokens")
"""Servers that speak OpenAI's protocol know the older name, and some ignore the newer one without a word."""
_FIRST = {
    "azure": Accepted(),
    "openai": Accepted(),
    "mistral": Accepted(limits=_COMPATIBLE, usage=False),  # counts unasked, and refuses what it does not know
    "anthropic": Accepted(format="text", limits=_COMPATIBLE),  # its compatible endpoint ignores response_format
}


def accepted_at_first(spec: ModelSpec) -> Accepted:
    """What is tried first. Anthropic's own protocol needs its package, else its compatible endpoint is asked."""
    if spec.provider == "anthropic" and (spec.api == "messages" or (not spec.api and find_spec("anthropic"))):
        return Accepted(protocol="messages", limits=("max_tokens",))
    first = _FIRST.get(spec.provider, Accepted(limits=_COMPATIBLE))
    if spec.provider == "openai" and spec.elsewhere:
        first = Accepted(limits=_COMPATIBLE)
    return msgspec.structs.replace(first, protocol=spec.api or "chat")


_REFUSED = re.compile(
    r"unsupported|not support|unknown|unrecogni[sz]ed|unexpected|extra|not permitted|not allowed|instead|invalid param"
)
_TOO_MUCH = re.compile(r"too (large|high|many)|at most|exceed|maximum|greater than")
_FORMAT = re.compile(r"\b(response_format|json_schema|json_object|json mode|schema|grammar|format|output_config)\b")
_REASONING = re.compile(r"\b(reasoning|reasoning_effort|effort|thinking|think)\b")


def conceded(accepted: Accepted, message: str, sent: Collection[str]) -> Accepted | None:
    """What to try after a refusal with that message; None where it is about nothing that could be left out.

    `sent` are the names of the request's parameters. Each answer takes less than the one before, so that asking ends.
    """
    text = message.lower()
    if accepted.protocol == "chat" and "v1/responses" in text:
        return msgspec.structs.replace(accepted, protocol="responses")
    if "temperature" in text and "temperature" in sent:
        return msgspec.structs.replace(accepted, temperature=False)
    if _REASONING.search(text) and {"reasoning_effort", "reasoning", "output_config"} & {*sent} and accepted.reasoning:
        return msgspec.structs.replace(accepted, reasoning=False)
    if re.search("stream_options|include_usage", text) and "stream_options" in sent:
        return msgspec.structs.replace(accepted, usage=False)
    limit = next(iter(accepted.limits), "")
    if limit in sent and limit in text and _REFUSED.search(text) and not _TOO_MUCH.search(text):
        return msgspec.structs.replace(accepted, limits=accepted.limits[1:])
    if _FORMAT.search(text) and {"response_format", "text", "output_config"} & {*sent}:
        return looser(accepted)
    return None


def looser(accepted: Accepted) -> Accepted | None:
    """With the next looser format of replies; None where there is none."""
    place = REPLY_FORMATS.index(accepted.format)
    if place + 1 >= len(REPLY_FORMATS):
        return None
    return msgspec.structs.replace(accepted, format=REPLY_FORMATS[place + 1])
