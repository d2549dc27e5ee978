"""Selects the sandbox of a session, and says why."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from scrapewright import plugins
from scrapewright.loop.ports import Limits, Sandbox, SandboxUnavailable
from scrapewright.sandboxes import local
from scrapewright.session.events import Noted

Prefer = Literal["auto", "docker", "local", "bwrap", "namespaces"]


class Chosen(NamedTuple):
    """A sandbox with a spare ready, and the reason in a few words; empty where it was asked for by name.

    `warnings` are limits that it can't keep.
    """

    sandbox: Sandbox
    why: str = ""
    warnings: tuple[str, ...] = ()

    def notes(self) -> list[Noted]:
        """What a person should know of it: why it was taken, and what it can't do."""
        why = [Noted(text=f"sandbox {self.sandbox.name}: {self.why}")] if self.why else []
        return [*why, *(Noted(text=warning, level="warning") for warning in self.warnings)]


async def choose(prefer: Prefer, limits: Limits | None = None) -> Chosen:
    """The sandbox that was asked for. `auto` is Docker where an engine answers and has the image, else the local one.

    Raises SandboxUnavailable with what to do.
    """
    from scrapewright.sandboxes.docker.engine import NoEngine, NoImage
    from scrapewright.sandboxes.docker.sandbox import choose_docker

    if prefer in plugins.names("sandboxes") and prefer not in get_args(Prefer):
        try:
            added = await plugins.made("sandboxes", prefer, limits or Limits())
            if not all(callable(getattr(added, name, None)) for name in ("prepare", "run", "close")):
                raise TypeError(f"it is no sandbox but {type(added).__name__}")
            return Chosen(added)
        except SandboxUnavailable:
            raise
        except SystemExit as error:
            raise SandboxUnavailable(f"the sandbox {prefer} can't be had: {plugins.left(error)}") from error
        except Exception as error:
            raise SandboxUnavailable(f"the sandbox {prefer} can't be had: {error}") from error
    if prefer in ("local", "bwrap", "namespaces"):
        return Chosen(await local.choose_local(prefer, limits))
    try:
        docker = await choose_docker(limits)
    except SandboxUnavailable as error:
        if prefer == "docker":
            raise
        if isinstance(error, NoEngine):
            why = "no container engine answers"
        elif isinstance(error, NoImage):
            why = "a container engine answers, but the image is not there: scrapewright image build"
        else:
            why = f"containers can't be had: {error}"
        try:
            return Chosen(await local.choose_local("auto", limits), why)
        except SandboxUnavailable as neither:
            raise SandboxUnavailable(f"{neither}\n  docker: {error}") from neither
    about = docker.engine.about
    why = f"{about.name} {about.version} answers and has the image" if prefer == "auto" else ""
    return Chosen(docker, why, docker.warnings)


async def diagnose() -> list[local.Check]:
    """What every sandbox finds on this host, for the doctor: each is really started."""
    from scrapewright.sandboxes.docker.diagnose import diagnose as docker

    return [*await local.diagnose(), await docker()]
