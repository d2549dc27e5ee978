"""The doctor's checks of containers."""

from __future__ import annotations

from scrapewright.loop.ports import SandboxUnavailable
from scrapewright.sandboxes.docker import image
from scrapewright.sandboxes.docker.engine import NoEngine, NoImage
from scrapewright.sandboxes.docker.sandbox import choose_docker
from scrapewright.sandboxes.local import Check


async def diagnose() -> Check:
    """The engine, the image, and a real start."""
    name = "sandbox docker"
    try:
        sandbox = await choose_docker()
    except NoEngine as error:
        return Check(name, False, "no container engine answers", str(error))
    except NoImage as error:
        return Check(name, False, "a container engine answers, but the image is not there", str(error))
    except SandboxUnavailable as error:
        return Check(name, False, str(error), "`docker info` and the engine's log may tell more.")
    await sandbox.close()
    about = sandbox.engine.about
    detail = f"{about.name} {about.version} at {sandbox.engine.endpoint}, image {image.tag()}: starts and isolates"
    return Check(name, True, "; ".join((detail, *sandbox.warnings)))
