"""The image: what its tag hangs on, what is removed, what a build that fails says; and the pins."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from scrapewright import assets
from scrapewright.sandboxes import distributions
from scrapewright.sandboxes.docker import image
from scrapewright.sandboxes.docker.engine import Engine, NoEngine, connect
from scrapewright.sandboxes.docker.image import BuildError
from scrapewright.sandboxes.docker.owner import FORGOTTEN_SECONDS, OWNER, Owner, myself
from tests.docker.engines import scripted
from tests.e2e.site import command
from tests.hostile.backends import checkout, packages, present

PINS_HEAD = "# What programs in a container may import, with all that it needs: the versions of constraints.txt.\n"


def test_the_pins_are_the_constraints_of_what_programs_may_import() -> None:
    """`PINS=write pytest tests/docker/test_image.py` writes them anew after a change of constraints.txt."""
    constraints = (checkout() / "constraints.txt").read_text().splitlines()
    wanted = {*packages(), *map(distributions.canonical, distributions.ALLOWED)}
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
    sent = lines(STEP, *({"stream": text + "\n"} for text in said), {"error": error, "errorDetail": {"message": error}})
    async with scripted(place, {"/build": (200, sent), "/images/json": (200, [])}):
        engine = await connect()
        progress: list[tuple[str, float, float]] = []
        with pytest.raises(BuildError) as failed:
            await image.build(engine, lambda *step: progress.append(step), {})
        engine.close()
    assert error in str(failed.value)
    assert advice in str(failed.value)
    assert all(text in str(failed.value) for text in said)
    assert progress[0] == ("RUN pip install", 6.0, 17.0)


def made(number: str, owner: Owner | None = None, age: float = 0.0) -> dict[str, Any]:
    """An image without a name, as the engine lists it, that a build made."""
    return {
        "Id": number,
        "Created": time.time() - age,
        "Labels": {image.BUILD: number, **({OWNER: owner.label()} if owner else {})},
    }


NOBODY = myself()._replace(started="1")
OTHER_MACHINE = myself()._replace(boot="another-boot")


async def test_a_build_that_fails_clears_up_after_itself_and_after_those_that_are_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path / 'engine.sock'}")
    monkeypatch.setattr("scrapewright.sandboxes.docker.image.secrets.token_hex", lambda size: "this")
    listed = [
        made("this", myself()), made("left-by-a-killed-one", NOBODY), made("old", age=FORGOTTEN_SECONDS + 60),
        made("under-way", myself()), made("under-way-too"), made("elsewhere", OTHER_MACHINE),
    ]  # fmt: skip
    answers: dict[str, tuple[int, Any]] = {
        "/build": (200, lines(STEP, {"error": "it failed"})),
        "/images/json": (200, listed),
        "/containers/json": (200, [{"Id": "step"}]),
        "/containers/step": (204, {}),
        **{f"/images/{one['Id']}": (200, []) for one in listed},
    }
    async with scripted(tmp_path / "engine.sock", answers) as engine_said:
        engine = await connect()
        with pytest.raises(BuildError, match="it failed"):
            await image.build(engine, lambda *_: None, {})
        engine.close()
    removed = {line.partition("?")[0].rsplit("/", 1)[1] for line in engine_said.asked if line.startswith("DELETE")}
    assert removed == {"step", "this", "left-by-a-killed-one", "old"}
    (containers,) = [unquote(line) for line in engine_said.asked if "/containers/json" in line]
    assert f"{image.BUILD}=this" in containers


@pytest.mark.parametrize("option", [[], ["--force"]])
async def test_an_image_that_is_there_is_built_anew_only_if_that_is_asked(tmp_path: Path, option: list[str]) -> None:
    place = tmp_path / "engine.sock"
    there = {"Id": "x", "Config": {"Labels": {image.LABEL: image.digest()}}}
    sent = lines({"stream": "Step 1/2 : FROM scratch\n"})
    answers: dict[str, tuple[int, Any]] = {f"/images/{image.tag()}/json": (200, there), "/build": (200, sent)}
    async with scripted(place, {**answers, "/images/json": (200, []), "/containers/json": (200, [])}) as engine:
        done = await asyncio.to_thread(command, "image", "build", *option, cwd=tmp_path, DOCKER_HOST=f"unix://{place}")
    assert (done.returncode, done.stdout) == (0, f"{image.tag()}\n"), done.stderr
    assert any("/build?" in line for line in engine.asked) is bool(option)
    assert ("--force rebuilds it" in done.stderr) is not bool(option)
    assert ("FROM scratch" in done.stderr) is bool(option)


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
    labels = about["Config"]["Labels"]
    assert labels.pop(image.BUILD)
    assert labels == {image.LABEL: image.digest()}
    assert not about["Config"]["Env"] or not [v for v in about["Config"]["Env"] if not v.startswith("PATH=")]
    history = json.dumps(client.history(image.tag()))
    for name in (*image.PASSED_ON, "pip", OWNER):
        assert name not in history


REAL = image.tag()
SMALL = f"""
FROM {REAL} AS packages
ARG BUILD
ARG OWNER
LABEL {image.BUILD}=$BUILD {OWNER}="$OWNER"
RUN ["/usr/bin/python3", "-c", "DO"]
FROM scratch
ARG BUILD
LABEL {image.BUILD}=$BUILD
COPY --from=packages /harness /harness
RUN ["/nothing/of/the/kind"]
"""
"""A recipe with the real one's stages that needs no network: it is made of the real image. It fails at the end."""
GOOD = SMALL.replace("DO", "pass").partition('RUN ["/nothing')[0]
"""The same without the step that fails."""


@pytest.fixture
async def small(engine: Engine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[Path]:
    """The recipe's file, which is the one that is built. Its images have a label of their own: no others are ours."""
    recipe = tmp_path / "sandbox.Dockerfile"
    recipe.write_text(SMALL.replace("DO", "pass"))
    monkeypatch.setattr(assets, "dockerfile", lambda: recipe)
    monkeypatch.setattr(image, "LABEL", f"scrapewright.test-{secrets.token_hex(4)}")
    image.digest.cache_clear()
    yield recipe
    for found in await engine.call(lambda client: client.images(filters={"label": image.LABEL})):
        await engine.call(lambda client, name=found["Id"]: _forget(client, name))
    image.digest.cache_clear()


async def left(engine: Engine, number: str) -> list[str]:
    """What the engine has of a build."""

    def look(client: Any) -> list[str]:
        mine = {"label": f"{image.BUILD}={number}"}
        found = [*client.containers(all=True, filters=mine), *client.images(all=True, filters=mine)]
        return [one["Id"] for one in found]

    return await engine.call(look)


@pytest.fixture
def number(monkeypatch: pytest.MonkeyPatch) -> str:
    """The number of the next build."""
    given = secrets.token_hex(8)
    monkeypatch.setattr("scrapewright.sandboxes.docker.image.secrets.token_hex", lambda size: given)
    return given


@pytest.mark.parametrize("at", ["up", pytest.param("COPY --from", marks=pytest.mark.full)])
async def test_a_build_that_is_broken_off_leaves_nothing(engine: Engine, small: Path, number: str, at: str) -> None:
    if at == "up":
        small.write_text(SMALL.replace("DO", "print('up', flush=True); import time; time.sleep(600)"))
    there, loop = asyncio.Event(), asyncio.get_running_loop()

    def on_progress(text: str, done: float, total: float) -> None:
        if text.startswith(at):
            loop.call_soon_threadsafe(there.set)

    building = asyncio.create_task(image.build(engine, on_progress, {}))
    waiting = asyncio.create_task(there.wait())
    await asyncio.wait([building, waiting], return_when=asyncio.FIRST_COMPLETED)
    assert await left(engine, number)
    building.cancel()
    with pytest.raises((asyncio.CancelledError, BuildError)):  # its last steps may be quicker
        await building
    waiting.cancel()
    assert await left(engine, number) == []


async def test_a_build_that_fails_leaves_nothing(engine: Engine, small: Path, number: str) -> None:
    with pytest.raises(BuildError, match="/nothing/of/the/kind"):
        await image.build(engine, lambda *_: None, {})
    assert await left(engine, number) == []


@pytest.mark.full
async def test_builds_at_one_time_leave_each_other_alone(engine: Engine, small: Path) -> None:
    small.write_text(GOOD)
    finished = await asyncio.gather(*(image.build(engine, lambda *_: None, {}) for _ in range(3)))
    assert finished == [image.tag()] * 3
    assert await image.is_there(engine)


@pytest.mark.full
async def test_older_images_of_ours_are_removed_and_others_are_not(engine: Engine, small: Path) -> None:
    def make(client: Any, name: str, label: str) -> str:
        container = client.create_container(REAL, command=["x"])["Id"]
        try:
            return str(client.commit(container, repository=name, tag="test", changes=f"LABEL {label}=1")["Id"])
        finally:
            client.remove_container(container)

    small.write_text(GOOD)
    first = (await engine.image(await image.build(engine, lambda *_: None, {})))["Id"]
    plain = await engine.call(lambda client: make(client, "somebody-elses", "nobody-knows"))
    old = await engine.call(lambda client: make(client, image.NAME, image.LABEL))
    try:
        again = (await engine.image(await image.build(engine, lambda *_: None, {})))["Id"]
        left = {entry["Id"] for entry in await engine.call(lambda client: client.images(all=True))}
        assert {again, plain} <= left
        assert not {first, old} & left
    finally:
        for name in (plain, old):
            await engine.call(lambda client, name=name: _forget(client, name))


def _forget(client: Any, name: str) -> None:
    from docker.errors import ImageNotFound

    try:
        client.remove_image(name, force=True)
    except ImageNotFound:
        pass
