"""Servers of models on this machine: which of the known ones run, and which models they have."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import msgspec

from scrapewright.settings import ModelSpec

SECONDS = 1.0
"""For all of them together, beside each other."""
BODY_AT_MOST = 1 << 20
NAME_AT_MOST, MODELS_AT_MOST = 200, 100


def looked_for(spec: ModelSpec) -> bool:
    """Whether a provider's server is looked for: on this machine alone, and not at the port of many other programs."""
    return spec.preset.local and not spec.costs and (spec.provider != "vllm" or spec.elsewhere)


async def find_servers(specs: Iterable[ModelSpec], seconds: float = SECONDS) -> dict[str, tuple[str, ...]]:
    """The models by provider of those that answer in time. One that has none yet is listed with none."""
    wanted = [spec for spec in specs if looked_for(spec)]
    answers = await asyncio.gather(*(_models(spec, seconds) for spec in wanted))
    return {spec.provider: names for spec, names in zip(wanted, answers, strict=True) if names is not None}


async def _models(spec: ModelSpec, seconds: float) -> tuple[str, ...] | None:
    """The names of its models; None where nothing answers there, or something else."""
    import httpcore2

    headers = [("Authorization", f"Bearer {spec.key.reveal()}")] if spec.key else []
    body = b""
    try:
        async with asyncio.timeout(seconds), httpcore2.AsyncConnectionPool() as pool:
            address = f"{spec.base_url}/models"
            async with pool.stream("GET", address, headers=headers) as response:
                if response.status != 200:
                    return None
                async for piece in response.aiter_stream():
                    body += piece
                    if len(body) > BODY_AT_MOST:
                        return None
    except (TimeoutError, OSError, httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError):
        return None
    except (UnicodeEncodeError, ValueError):  # a key or an address that no header can hold
        return None
    return _names(body)


def _names(body: bytes) -> tuple[str, ...] | None:
    try:
        listed: Any = msgspec.json.decode(body)
        models = listed["data"] or ()  # Ollama without models says null
        names = [model["id"] for model in models]
    except (msgspec.MsgspecError, UnicodeDecodeError, LookupError, TypeError):
        return None
    good = [name for name in names if isinstance(name, str) and name.isprintable() and 0 < len(name) <= NAME_AT_MOST]
    return tuple(good[:MODELS_AT_MOST])
