"""The image: what its tag hangs on, what is removed, what a build that fails says; and the pins."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from scrapewright import assets
from scrapewright.sandboxes import dists
from scrapewright.sandboxes.docker import image
from scrapewright.sandboxes.docker.engine import Engine, NoEngine, connect
from scrapewright.sandboxes.docker.image import BuildError
from tests.docker.engines import scripted
from tests.e2e.site import command
from tests.hostile.backends import checkout, packages, present

PINS_HEAD = "# What programs in a container may import, with all that it needs: the versions of constraints.txt.\n"


def test_the_pins_are_the_constraints_of_what_programs_may_import() -> None:
    """`PINS=write pytest tests/docker/test_image.py` writes them anew after a change of constraints.txt."""
    constraints = (checkout() / "constraints.txt").read_text().splitlines()
    wanted = {*packages(), *map(dists.canonical, dists.ALLOWED)}
    text = PINS_HEAD + "".join(f"{line}\n" for line in constraints if line.partition("==")[0] in wanted)
    if os.environ.get("PINS") == "write":
        image.PINS.write_text(text)
    assert image.PINS.read_text() == text
    assert {line.partition("==")[0] for line in text.splitlines()[1:]} == wanted


def test_the_tag_hangs_on_all_that_goes_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    names = set(image.contents())
    assert {"Dockerfile", "pins.txt", "harness/__main__.py", "harness/wire.py"} <= names
    assert not [name for name in names if "pycache" in name]
    seen = {image.digest.__wrapped__()}
    for kind, name in (("dockerfile", "sandbox.Dockerfile"), ("pins", "pins.txt"), ("harness", "wire.py")):
        with monkeypatch.context() as patch:
            if kind == "dockerfile":
                (tmp_path / name).write_bytes(assets.dockerfile().read_bytes() + b"\n")
                patch.setattr(assets, "dockerfile", lambda: tmp_path / "sandbox.Dockerfile")
            elif kind == "pins":
                (tmp_path / name).write_bytes(image.PINS.read_bytes() + b"\n")
                patch.setattr(image, "PINS", tmp_path / name)
            else:
                folder = tmp_path / "harness"
                folder.mkdir()
                for file in assets.harness_dir().glob("*.py"):
                    (folder / file.name).write_bytes(file.read_bytes() + (b"\n" if file.name == name else b""))
                patch.setattr(assets, "harness_dir", lambda: tmp_path / "harness")
            seen.add(image.digest.__wrapped__())
    assert len(seen) == 4
    assert image.digest.__wrapped__() in seen


def test_the_same_content_is_the_same_archive() -> None:
    assert image._context() == image._context()


def test_the_recipe_names_no_index() -> None:
    text = assets.dockerfile().read_text() + image.PINS.read_text()
    assert "http" not in text
    assert "--index" not in text


@pytest.mark.parametrize(
    ("value", "loopback"),
    [
        ("http://127.0.0.1:3141/simple", True), ("http://user:secret@localhost/simple", True),
        ("http://[::1]:8080", True),
        ("https://pypi.example/simple", False), ("proxy.example:3128", False), ("127.0.0.1:3128", True),
    ],
)  # fmt: skip
def test_an_index_on_this_machine_needs_its_network(value: str, loopback: bool) -> None:
    assert image._on_loopback(value) is loopback


# Against an engine that says what a real one says.


def lines(*messages: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(message).encode() + b"\r\n" for message in messages)


STEP = {"stream": "Step 7/17 : RUN pip install\n"}


@pytest.mark.parametrize(
    ("error", "said", "advice"),
    [
        ("write /site/x: no space left on device", [], "docker system prune"),
        ("The command '/bin/sh -c pip install' returned a non-zero code: 1", ["Temporary failure"], "PIP_INDEX"),
        ("Get https://registry.example/v2/: dial tcp: lookup: no such host", [], "docker pull python:3.13-slim"),
        ("toomanyrequests: You have reached your pull rate limit.", [], "docker pull python:3.13-slim"),
        ("unexpected HTTP status: 503", ["Step 1/17 : FROM python:3.13-slim AS packages"], "docker pull python:3.13"),
        ("something that nobody has seen", [], "Build again"),
    ],
)  # fmt: skip
async def test_a_build_that_fails_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: str, said: list[str], advice: str
) -> None:
    place = tmp_path / "engine.sock"
    monkeypatch.setenv("DOCKER_HOST", f"unix://{place}")
    told = lines(STEP, *({"stream": text + "\n"} for text in said), {"error": error, "errorDetail": {"message": error}})
    async with scripted(place, {"/build": (200, told)}):
        engine = await connect()
        heard: list[tuple[str, float, float]] = []
        with pytest.raises(BuildError) as failed:
            await image.build(engine, lambda *progress: heard.append(progress), {})
        engine.close()
    assert error in str(failed.value)
    assert advice in str(failed.value)
    assert all(text in str(failed.value) for text in said)
    assert heard[0] == ("RUN pip install", 6.0, 17.0)


async def test_a_build_that_fails_leaves_nothing_of_what_pip_was_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path / 'engine.sock'}")
    answers = {"/build": (200, lines(STEP, {"error": "it failed"})), "/images/json": (200, [{"Id": "stage"}])}
    async with scripted(tmp_path / "engine.sock", {**answers, "/images/stage": (200, [])}) as asked:
        engine = await connect()
        with pytest.raises(BuildError, match="it failed"):
            await image.build(engine, lambda *_: None, {})
        engine.close()
    listing, removal = asked.asked[-2:]
    assert image.STAGE in listing
    assert removal.startswith("DELETE")


def test_without_an_engine_the_command_says_what_to_do(tmp_path: Path) -> None:
    done = command("image", "build", cwd=tmp_path, DOCKER_HOST="unix:///nowhere")
    assert (done.returncode, done.stdout) == (3, "")
    assert "Start it" in done.stderr
    assert "Traceback" not in done.stderr


async def test_without_an_engine_it_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere")
    with pytest.raises(NoEngine):
        await connect()


# With the real engine.


@pytest.fixture
async def engine() -> AsyncIterator[Engine]:
    present("docker")
    made = await connect()
    yield made
    made.close()


def test_the_image_holds_nothing_of_its_build(engine: Engine) -> None:
    client = engine._client
    about = client.inspect_image(image.tag())
    assert about["Config"]["Labels"] == {image.LABEL: image.digest()}
    assert not about["Config"]["Env"] or not [v for v in about["Config"]["Env"] if not v.startswith("PATH=")]
    history = json.dumps(client.history(image.tag()))
    for name in (*image.PASSED_ON, "pip"):
        assert name not in history
    assert client.images(filters={"label": image.STAGE}) == []


async def test_older_images_of_ours_are_removed_and_others_are_not(engine: Engine) -> None:
    """Two images made of the real one: one says that it is ours and of another content, one says nothing."""

    def make(client: Any, name: str, label: str) -> str:
        container = client.create_container(image.tag(), command=["x"])["Id"]
        try:
            changes = f"LABEL {label}"
            return str(client.commit(container, repository=name, tag="test", changes=changes)["Id"])
        finally:
            client.remove_container(container)

    plain = await engine.call(lambda client: make(client, "somebody-elses", f"{image.LABEL}="))
    old = await engine.call(lambda client: make(client, image.NAME, f"{image.LABEL}=0123456789abcdef"))
    try:
        await engine.call(image._remove_older)
        left = {entry["Id"] for entry in await engine.call(lambda client: client.images())}
        assert old not in left
        assert (await engine.image(image.tag()))["Id"] in left
    finally:
        for name in (plain, old):
            await engine.call(lambda client, name=name: _forget(client, name))


def _forget(client: Any, name: str) -> None:
    from docker.errors import ImageNotFound

    try:
        client.remove_image(name)
    except ImageNotFound:
        pass
