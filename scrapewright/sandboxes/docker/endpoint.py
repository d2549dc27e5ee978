"""Where the container engine listens: what the environment says, the Docker CLI's context, the usual sockets.

Nothing of docker-py is loaded until there is something to talk to, so a start on a machine without an engine pays for a
few looks at the disk.
"""

from __future__ import annotations

import json
import os
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from scrapewright.loop.ports import SandboxUnavailable

DEFAULT_SOCKET = "/var/run/docker.sock"


@dataclass(frozen=True)
class Endpoint:
    """An address for docker-py, and where it was found, for people. `options` go to docker-py's client, too."""

    url: str
    origin: str
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def socket(self) -> str:
        """The path of a Unix socket; empty for another kind of address."""
        scheme, _, rest = self.url.partition("://")
        return "/" + rest.lstrip("/") if scheme in ("unix", "http+unix") else ""

    @property
    def address(self) -> tuple[str, int, ssl.SSLContext | None]:
        """Host, port and TLS of one that is reached by TCP. Raises SandboxUnavailable for a kind that can't be."""
        try:
            parts = urlsplit(self.url)
            host, port = parts.hostname, parts.port
        except ValueError:
            host = None
        if not host or parts.scheme not in ("tcp", "http", "https"):
            raise SandboxUnavailable(
                f"A container engine at {self.url} ({self.origin}) can't be used; unix:// and tcp:// can. "
                "For one behind SSH: ssh -nNT -L /tmp/docker.sock:/var/run/docker.sock HOST, then "
                "DOCKER_HOST=unix:///tmp/docker.sock."
            )
        tls = self.options.get("tls")
        try:
            return host, port or (2376 if tls else 2375), _context(tls) if tls else None
        except OSError as error:
            raise SandboxUnavailable(
                f"The certificates for the container engine at {self.url} ({self.origin}) can't be read: {error}."
            ) from error

    def __str__(self) -> str:
        return f"{self.url} ({self.origin})"


def find(environ: Mapping[str, str] | None = None) -> Endpoint | None:
    """The engine that the docker command would use; failing that, one that listens where engines do.

    None where nothing says that there is one. Raises SandboxUnavailable where what the environment or the context says
    makes no sense.
    """
    environ = os.environ if environ is None else environ
    if environ.get("DOCKER_HOST") or _context_named(environ):
        return _configured(environ)
    for path, origin in _usual(environ):
        if Path(path).exists():
            return Endpoint(f"unix://{path}", origin)
    return None


def _usual(environ: Mapping[str, str]) -> list[tuple[str, str]]:
    """Sockets in the order of preference: the system's Docker, then the user's own, then Podman's."""
    runtime = environ.get("XDG_RUNTIME_DIR", "")
    places = [(DEFAULT_SOCKET, "the usual socket")]
    if runtime:
        places.append((f"{runtime}/docker.sock", "rootless Docker's socket"))
    if home := environ.get("HOME"):
        places.append((f"{home}/.docker/run/docker.sock", "Docker Desktop's socket"))
    if runtime:
        places.append((f"{runtime}/podman/podman.sock", "Podman's socket"))
    return [*places, ("/run/podman/podman.sock", "Podman's system socket")]


def _context_named(environ: Mapping[str, str]) -> str:
    """The context that the Docker CLI is set to use; empty where it is the default one."""
    name = environ.get("DOCKER_CONTEXT")
    if not name:
        folder = environ.get("DOCKER_CONFIG") or os.path.join(environ.get("HOME", ""), ".docker")
        try:
            config = json.loads(Path(folder, "config.json").read_bytes())
        except (OSError, ValueError):
            return ""
        name = config.get("currentContext") if isinstance(config, dict) else None
    return name if isinstance(name, str) and name != "default" else ""


def _configured(environ: Mapping[str, str]) -> Endpoint:
    from docker.context import ContextAPI
    from docker.errors import DockerException
    from docker.utils import kwargs_from_env

    try:
        options = kwargs_from_env(environment=dict(environ))
        origin = "from DOCKER_HOST"
        if "base_url" not in options:
            origin = "from the Docker context"
            options = {**ContextAPI.kwargs_from_context(environment=dict(environ)), **options}
            if "base_url" not in options and (name := _context_named(environ)):
                # docker-py takes the usual socket then, which is not the engine that was asked for
                raise SandboxUnavailable(f"There is no Docker context {name!r}. `docker context ls` shows all.")
    except (DockerException, OSError, ValueError) as error:
        raise SandboxUnavailable(
            f"The Docker configuration can't be used: {error}. `docker context ls` shows it."
        ) from error
    except SandboxUnavailable:
        raise
    except Exception as error:  # docker-py raises bare exceptions for a context's file that it can't read
        raise SandboxUnavailable(f"The Docker context can't be read: {error}. `docker context ls` shows it.") from error
    url = options.pop("base_url", f"unix://{DEFAULT_SOCKET}")
    return Endpoint(url, origin, options)


def _context(tls: Any) -> ssl.SSLContext:
    """docker-py's TLS settings for a connection of our own."""
    verify = getattr(tls, "verify", True)
    context = ssl.create_default_context(cafile=getattr(tls, "ca_cert", None) or None)
    if verify is False:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    elif getattr(tls, "assert_hostname", None) is False:
        context.check_hostname = False
    if cert := getattr(tls, "cert", None):
        context.load_cert_chain(*cert)
    return context
