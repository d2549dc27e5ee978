"""Servers of models on this machine: what is found, and what is not mistaken for one."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path

import pytest

from scrapewright import wiring
from scrapewright.programmers.model.local_servers import BODY_AT_MOST, MODELS_AT_MOST, find_servers
from scrapewright.settings import ModelSpec, load
from tests.fakes.model_server import Reply, serve


def listing(*names: object) -> Reply:
    models = [{"id": name, "object": "model"} for name in names]
    return Reply(json.dumps({"object": "list", "data": models}), kind="application/json")


def spec(base: str, provider: str = "ollama") -> ModelSpec:
    return ModelSpec(provider=provider, base_url=f"{base}/v1")


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        (listing("llama3.2:3b", "qwen3:4b"), {"ollama": ("llama3.2:3b", "qwen3:4b")}),
        (listing(), {"ollama": ()}),
        (Reply('{"object": "list", "data": null}'), {"ollama": ()}),
        (listing("good", "bad\x1b[2J", "", 3, "x" * 300), {"ollama": ("good",)}),
        (listing(*map(str, range(200))), {"ollama": tuple(map(str, range(MODELS_AT_MOST)))}),
        (Reply("<h1>Welcome</h1>", kind="text/html"), {}),
        (Reply("[]"), {}),
        (Reply('{"data": [3]}'), {}),
        (Reply("gone", status=404), {}),
        (Reply("x" * (BODY_AT_MOST + 1)), {}),
        (Reply('{"data": []}', cut=True), {}),
    ],
)
async def test_only_a_list_of_models_is_taken_for_one(reply: Reply, found: dict[str, tuple[str, ...]]) -> None:
    with serve(reply) as server:
        assert await find_servers([spec(server.base)]) == found
    assert [asked.path for asked in server.asked] == ["/v1/models"]


async def test_the_silent_ones_are_not_waited_for_one_after_another() -> None:
    with socket.socket() as silent, socket.socket() as closed, serve(listing("m")) as server:
        for held in (silent, closed):
            held.bind(("127.0.0.1", 0))
        silent.listen()
        places = [f"http://127.0.0.1:{held.getsockname()[1]}" for held in (silent, closed)]
        specs = [spec(places[0]), spec(places[1], "llama.cpp"), spec(server.base, "lmstudio"), spec(places[0], "vllm")]
        began = time.monotonic()
        assert await find_servers(specs, seconds=1.0) == {"lmstudio": ("m",)}
    assert time.monotonic() - began < 1.9, "two are silent"


async def test_no_other_machine_is_dialled() -> None:
    assert await find_servers([ModelSpec(provider="ollama", base_url="http://198.51.100.1:9/v1")], seconds=60) == {}
    assert await find_servers([ModelSpec(provider="openai", base_url="http://127.0.0.1:9/v1")], seconds=60) == {}


async def test_they_are_looked_for_where_the_settings_say(tmp_path: Path) -> None:
    with serve(listing("m")) as server:
        places = {f"{name}_BASE_URL": f"{server.base}/{name}/v1" for name in ("OLLAMA", "LLAMACPP", "LMSTUDIO", "VLLM")}
        settings = load(places, tmp_path)
        found = await wiring.find_models(settings)
        assert found == dict.fromkeys(("ollama", "llama.cpp", "lmstudio", "vllm"), ("m",))
        asked = len(server.asked)
        assert await wiring.find_models(load({**places, "SCRAPEWRIGHT_FIND_MODELS": "no"}, tmp_path)) == {}
        assert len(server.asked) == asked
