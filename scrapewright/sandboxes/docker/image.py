"""The image that programs run in: what it is made of, its tag, how it is built, and what a build leaves.

The tag is a digest of all that goes in: the recipe, the pinned packages and the harness. So an image that is out of
date is never used, it is simply not the one that is looked for.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import os
import re
import secrets
import socket
import tarfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from scrapewright import assets
from scrapewright.sandboxes.docker.engine import LETTING_GO_SECONDS, Engine, EngineError, NoImage, retrieve
from scrapewright.sandboxes.docker.owner import FORGOTTEN_SECONDS, OWNER, left_over, myself

NAME = "scrapewright-sandbox"
LABEL = "scrapewright.image"
"""On every image of ours; its value is the digest."""
BUILD = "scrapewright.build"
"""On all that a build makes, its containers included: its number, as the recipe sets it. What is thrown away of it has
its owner, too."""
PINS = Path(__file__).parent / "pins.txt"

PASSED_ON = (
    "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST", "PIP_DEFAULT_TIMEOUT",
    "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
)  # fmt: skip
"""Variables of this process that pip is given while the image is built. None of it stays in the image."""

Progress = Callable[[str, float, float], None]
"""Called with what is being done, the steps done and their number (0.0: unknown)."""

_STEP = re.compile(r"Step (\d+)/(\d+) : (.*)")

_NOT_FETCHED = (
    "pull access denied", "manifest unknown", "registry", "dial tcp", "no such host", "toomanyrequests", "x509:",
    "tls handshake",
)  # fmt: skip


class BuildError(EngineError):
    """The image could not be built; the message has the last lines of the build and what to do."""


def contents() -> dict[str, bytes]:
    """What goes to the engine, by name."""
    found = {"Dockerfile": assets.dockerfile().read_bytes(), "pins.txt": PINS.read_bytes()}
    found.update((f"harness/{file.name}", file.read_bytes()) for file in sorted(assets.harness_dir().glob("*.py")))
    return found


@cache
def digest() -> str:
    """Of all that the image is made of. Read once for the process, which runs one version of the code."""
    whole = hashlib.sha256()
    for name, data in contents().items():
        whole.update(f"{name} {len(data)}\n".encode() + data)
    return whole.hexdigest()[:16]


def tag() -> str:
    return f"{NAME}:{digest()}"


async def is_there(engine: Engine) -> bool:
    """Whether the engine has the very image that this version runs programs in. Raises EngineError."""
    try:
        found = await engine.image(tag())
    except NoImage:
        return False
    return (found["Config"].get("Labels") or {}).get(LABEL) == digest()


async def build(engine: Engine, progress: Progress, environ: Mapping[str, str] | None = None) -> str:
    """Builds the image and removes older ones of ours that nothing uses. Its tag.

    `progress` is called in another thread. Cancelled, it has the engine give the build up and removes what that had
    made, which is waited for; cancelled again, it leaves that to the next build. Raises EngineError.
    """
    environ = os.environ if environ is None else environ
    passed = {name: environ[name] for name in PASSED_ON if environ.get(name)}
    number = secrets.token_hex(8)
    before = await engine.call(lambda client: [image["Id"] for image in client.images(filters={"label": LABEL})])
    building = _Building(progress)
    call = asyncio.ensure_future(engine.call(lambda _: building.run(engine.client_apart(), passed, number)))
    try:
        await asyncio.shield(call)
    except BaseException:
        building.break_off()
        call.add_done_callback(retrieve)
        await asyncio.wait([call], timeout=LETTING_GO_SECONDS)
        with suppress(EngineError, TimeoutError):
            async with asyncio.timeout(LETTING_GO_SECONDS):
                await engine.call(lambda client: _clear(client, number))
        raise
    if not await is_there(engine):
        raise BuildError(f"The image {tag()} was built, but the engine has another under that name.")
    now = (await engine.image(tag()))["Id"]
    await engine.call(lambda client: _remove(client, [image for image in before if image != now]))
    await engine.call(lambda client: _clear(client, number))
    return tag()


class _Building:
    """A build under way, which another thread may break off."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._lock = threading.Lock()
        self._answer: Any = None
        self._broken_off = False

    def run(self, client: Any, passed: dict[str, str], number: str) -> None:
        """Builds, with a client that is then closed. Raises BuildError, and what docker-py raises."""
        client.hooks["response"].append(self._began)
        # An index or a proxy on this machine's loopback can't be reached from a network of the build's own.
        network = "host" if any(_on_loopback(value) for value in passed.values()) else None
        with closing(client):
            lines = client.build(
                fileobj=io.BytesIO(_context()), custom_context=True, tag=tag(), labels={LABEL: digest()},
                buildargs={**passed, "BUILD": number, "OWNER": myself().label()},
                network_mode=network, rm=True, forcerm=True, decode=True, timeout=3600,
            )  # fmt: skip
            step = total = 0.0
            for text in _output(lines):
                if match := _STEP.match(text):
                    step, total, text = float(match[1]) - 1, float(match[2]), match[3]
                if not self._broken_off:
                    self._progress(text, step, total)

    def break_off(self) -> None:
        """Has the engine give the build up. It then ends its answer, and with it `run`."""
        with self._lock:
            self._broken_off = True
            if self._answer is not None:
                _hang_up(self._answer)

    def _began(self, answer: Any, **_: Any) -> None:
        with self._lock:
            self._answer = answer
            if self._broken_off:
                _hang_up(answer)


def _hang_up(answer: Any) -> None:
    """Closes our half of an answer's connection, if it is still open: the engine takes that for our end, and what it
    says last can be read.
    """
    with suppress(OSError, ValueError, AttributeError), socket.socket(fileno=os.dup(answer.raw.fileno())) as connection:
        connection.shutdown(socket.SHUT_WR)


def _output(lines: Iterator[dict[str, Any]]) -> Iterator[str]:
    """The build's own lines. Raises BuildError at the one that says it failed."""
    said: list[str] = []
    pulled: dict[str, str] = {}
    for line in lines:
        if "error" in line:
            raise BuildError(_explain(str(line["error"]).strip(), said))
        if "stream" in line:
            for text in str(line["stream"]).splitlines():
                if text.strip():
                    said.append(text.strip())
                    del said[:-20]
                    yield text.strip()
        elif "status" in line:  # the base image is being fetched: a line a layer, many times
            key, status = str(line.get("id", "")), str(line["status"])
            if pulled.get(key) != status:
                pulled[key] = status
                yield f"{key} {status}".strip()


def _explain(error: str, said: list[str]) -> str:
    text = " ".join([*said, error]).lower()
    lines = "".join(f"\n  {line[:300]}" for line in said[-8:])
    steps = [line.lower() for line in said if _STEP.match(line)]
    if "no space left on device" in text:
        advice = "Make room (docker system df, docker system prune) and build again."
    elif "pip install" in error.lower() or "no matching distribution" in text or "could not find a version" in text:
        advice = (
            "pip could not get the packages. Where they come from an index or through a proxy of your own, set "
            "PIP_INDEX_URL or HTTPS_PROXY for this command, and build again."
        )
    elif any(word in text for word in _NOT_FETCHED) or (steps and ": from python" in steps[-1]):
        advice = "The base image could not be fetched. docker pull python:3.13-slim tells why; then build again."
    else:
        advice = "Build again; the lines above are the engine's own."
    return f"The image could not be built: {error}.{lines}\n{advice}"


def _context() -> bytes:
    """A tar archive, the same for the same content, so that the engine's cache holds."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, data in contents().items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(data), 0o644
            archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def _on_loopback(value: str) -> bool:
    host = urlsplit(value if "://" in value else f"//{value}").hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")


def _clear(client: Any, number: str) -> None:
    """Removes what a build left: its containers, and its images without a name, whose history has the arguments of pip.
    The same for what is left of builds that no process works on any more.
    """
    for container in client.containers(all=True, filters={"label": f"{BUILD}={number}"}):
        _gone(client.remove_container, container["Id"])
    made = client.images(filters={"label": BUILD, "dangling": True})
    _remove(client, [image["Id"] for image in made if _thrown_away(image, number)])


def _thrown_away(image: dict[str, Any], number: str) -> bool:
    labels = image.get("Labels") or {}
    if OWNER in labels:
        return labels.get(BUILD) == number or left_over(image)
    return labels.get(BUILD) == number or time.time() - float(image.get("Created") or 0) > FORGOTTEN_SECONDS


def _remove(client: Any, images: list[str]) -> None:
    for image in images:
        _gone(client.remove_image, image, force=False)


def _gone(remove: Callable[..., None], name: str, *, force: bool = True) -> None:
    from docker.errors import APIError

    with suppress(APIError):  # in use, or gone meanwhile
        remove(name, force=force)
