"""The image that programs run in: what it is made of, its tag, and how it is built.

The tag is a digest of all that goes in: the recipe, the pinned packages and the harness. So an image that is out of
date is never used, it is simply not the one that is looked for.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import tarfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from scrapewright import assets
from scrapewright.sandboxes.docker.engine import Engine, EngineError

NAME = "scrapewright-sandbox"
LABEL = "scrapewright.image"
"""On every image of ours; its value is the digest."""
STAGE = "scrapewright.stage"
"""On what the build leaves behind, as the recipe sets it: the packages before they were copied."""
PINS = Path(__file__).parent / "pins.txt"

PASSED_ON = (
    "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST", "PIP_DEFAULT_TIMEOUT",
    "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
)  # fmt: skip
"""Variables of this process that pip is given while the image is built. None of it stays in the image."""

Progress = Callable[[str, float, float], None]
"""Told what is being done, the steps done and how many there are (0.0 where that is not known)."""

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


async def build(engine: Engine, progress: Progress, environ: Mapping[str, str] | None = None) -> str:
    """Builds the image and removes older ones of ours that nothing uses. Its tag.

    `progress` is called in another thread. Cancelled, it tells no more, and the engine gives the build up when this
    process ends; what is left then the next build removes. Raises EngineError.
    """
    environ = os.environ if environ is None else environ
    passed = {name: environ[name] for name in PASSED_ON if environ.get(name)}
    # An index or a proxy on this machine's loopback can't be reached from a network of the build's own.
    network = "host" if any(_on_loopback(value) for value in passed.values()) else None
    stopped = threading.Event()
    try:
        await engine.call(lambda client: _build(client, passed, network, progress, stopped))
    except EngineError:
        with suppress(EngineError):
            await engine.call(_remove_stages)
        raise
    finally:
        stopped.set()
    if (await engine.image(tag()))["Config"].get("Labels", {}).get(LABEL) != digest():
        raise BuildError(f"The image {tag()} was built, but the engine has another under that name.")
    await engine.call(_remove_older)
    return tag()


def _build(
    client: Any, passed: dict[str, str], network: str | None, progress: Progress, stopped: threading.Event
) -> None:
    lines = client.build(
        fileobj=io.BytesIO(_context()), custom_context=True, tag=tag(), labels={LABEL: digest()}, buildargs=passed,
        network_mode=network, rm=True, forcerm=True, decode=True, timeout=3600,
    )  # fmt: skip
    step = total = 0.0
    for text in _told(lines):
        if stopped.is_set():
            return
        if match := _STEP.match(text):
            step, total, text = float(match[1]) - 1, float(match[2]), match[3]
        progress(text, step, total)


def _told(lines: Iterator[dict[str, Any]]) -> Iterator[str]:
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
        advice = "Build again; what stands above is the engine's last word."
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


def _remove_older(client: Any) -> None:
    """Images of ours other than the one just built, where no container uses them."""
    ours = client.images(filters={"label": LABEL})
    _remove(client, [image["Id"] for image in ours if (image.get("Labels") or {}).get(LABEL) != digest()])
    _remove_stages(client)


def _remove_stages(client: Any) -> None:
    """What is left of first stages, of this build and of those that failed or were given up: their history has what pip
    was told.
    """
    _remove(client, [image["Id"] for image in client.images(filters={"label": STAGE, "dangling": True})])


def _remove(client: Any, images: list[str]) -> None:
    from docker.errors import APIError

    for image in images:
        try:
            client.remove_image(image, force=False)
        except APIError:
            pass  # in use, or gone meanwhile
