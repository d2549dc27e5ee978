"""The container engine through docker-py: its calls in threads, its failures in words that say what to do."""

from __future__ import annotations

import asyncio
import ssl
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from scrapewright.loop.ports import SandboxUnavailable
from scrapewright.sandboxes.docker import endpoint as endpoints
from scrapewright.sandboxes.docker.attach import ContainerPipe, attach
from scrapewright.sandboxes.docker.endpoint import Endpoint
from scrapewright.sandboxes.docker.owner import OWNER, left_over

if TYPE_CHECKING:
    from docker import APIClient

ANSWER_SECONDS = 2.0
"""How long the engine may take to say that it is there."""
CALL_SECONDS = 60.0
AUTOPSY_SECONDS = 2.0
GONE_SECONDS = 5.0
LETTING_GO_SECONDS = 10.0
"""How long whoever ends or was cancelled waits for an engine that may hang. A container that is left behind then ends
with its stdin where it runs, and the next host's sweep removes it where it was never started."""
_OLDEST = (1, 40)
"""The API of Docker 19.03."""
_LIMITS = (
    ("MemoryLimit", "Memory", "the memory"), ("SwapLimit", "MemorySwap", "swap"),
    ("PidsLimit", "PidsLimit", "the number of processes"),
)  # fmt: skip
"""What an engine tells of the limits that it can keep: its name for it, a HostConfig's, ours."""
_THREADS = 8
_LOCAL = "or use --sandbox local"

T = TypeVar("T")


class EngineError(SandboxUnavailable):
    """The engine can't be reached or can't do it. The message says why and what to do."""


class NoEngine(EngineError):
    """There is none, as far as can be seen."""


class NoImage(EngineError):
    """The engine is there, the image is not."""


@dataclass(frozen=True)
class About:
    """What the engine says of itself. `warnings`: limits that it can't keep."""

    name: str
    version: str
    nested: bool
    """Its containers' users are of a user namespace, which maps 65536 of them."""
    warnings: tuple[str, ...]
    unable: frozenset[str]
    """The same limits, as a HostConfig names them."""
    own_tmpfs: tuple[str, ...]
    """Where it mounts something to write to by itself."""


class Engine:
    """One engine. Every call may raise EngineError. A call that is cancelled goes on in its thread."""

    def __init__(self, endpoint: Endpoint, client: APIClient, about: About) -> None:
        self.endpoint = endpoint
        self.about = about
        self._client = client
        self._turns = asyncio.Semaphore(_THREADS)
        self._left: set[str] = set()
        """Containers that could not be removed, to be tried again."""

    def close(self) -> None:
        """Lets go of the connections, without waiting for what threads still do on them."""
        self._client.close()

    async def call(self, work: Callable[[APIClient], T]) -> T:
        """The result of `work` with docker-py's client, in a thread that this process does not wait for at its end.

        Not in an executor's: the interpreter joins those, so that Ctrl+C would wait for a build or for an engine that
        hangs.
        """
        result: Future[T] = Future()
        try:
            async with self._turns:
                threading.Thread(target=_work, args=(result, work, self._client), name="engine", daemon=True).start()
                return await asyncio.wrap_future(result)
        except Exception as error:
            raise translate(error, self.endpoint) from error

    def client_apart(self) -> APIClient:
        """A client with connections of its own, to be closed by the caller: for a call that may be broken off."""
        return _client(self.endpoint, self._client.api_version, CALL_SECONDS)

    async def image(self, tag: str) -> dict[str, Any]:
        """What the engine knows of an image. Raises NoImage."""
        found: dict[str, Any] = await self.call(lambda client: client.inspect_image(tag))  # type: ignore[no-untyped-call]
        return found

    async def start(self, config: dict[str, Any]) -> tuple[ContainerPipe, str, tuple[str, ...]]:
        """Creates, attaches to and starts a container: its pipe, its id and what the engine warns of.

        `config` are docker-py's arguments to create_container. Cancelled, it removes what it has made.
        """
        await self.tidy()
        name = config["name"]
        making = asyncio.ensure_future(self.call(lambda client: client.create_container(**config)))
        try:
            made = await asyncio.shield(making)
            reader, writer = await attach(self.endpoint, self._client.api_version, name)
            try:
                await self.call(lambda client: client.start(name))
            except BaseException:
                writer.transport.abort()
                raise
        except BaseException:
            # By the name: the engine may have made it although its answer never came.
            making.add_done_callback(retrieve)
            answered, _ = await asyncio.wait([making], timeout=LETTING_GO_SECONDS)
            if answered:
                await asyncio.shield(self._put_away(name))
            else:
                self._left.add(name)
            raise
        container = made["Id"]
        pipe = ContainerPipe(
            reader, writer, lambda by_us: self._ended(container, by_us), lambda: self._halted(container)
        )
        return pipe, container, tuple(made.get("Warnings") or ())

    async def inspect(self, container: str) -> dict[str, Any]:
        """What the engine knows of a container."""
        found: dict[str, Any] = await self.call(lambda client: client.inspect_container(container))
        return found

    async def sweep(self) -> int:
        """Removes our containers whose owner is gone. Returns their number."""
        listed = await self.call(lambda client: client.containers(all=True, filters={"label": OWNER}))
        gone = [container["Id"] for container in listed if left_over(container)]
        await asyncio.gather(*(self._put_away(container) for container in gone))
        return len(gone)

    async def tidy(self) -> None:
        """Tries again to remove what could not be removed."""
        left, self._left = self._left, set()
        await asyncio.gather(*(self._put_away(container) for container in left))

    async def _put_away(self, container: str) -> None:
        try:
            async with asyncio.timeout(LETTING_GO_SECONDS):
                await self.call(lambda client: _remove(client, container))
        except (EngineError, TimeoutError):
            # One that runs ends with its stdin, and the engine removes it; one that was never started stays.
            self._left.add(container)

    async def _halted(self, container: str) -> str:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                state = (await self.inspect(container)).get("State") or {}
        except (EngineError, TimeoutError):
            return ""
        return "its container was paused" if state.get("Paused") else ""

    async def _ended(self, container: str, by_us: bool) -> str:
        """Removes the container; says how it ended, which is asked only where it was not our doing."""
        try:
            how = "ended" if by_us else await self.call(lambda client: _end_reason(client, container))
            await self.call(lambda client: _remove(client, container))
        except EngineError as error:
            self._left.add(container)
            return f"the container engine was lost: {error}"
        return how


def retrieve(task: asyncio.Future[Any]) -> None:
    """Marks a failure as seen, or asyncio complains of an answer that came too late for anybody."""
    if not task.cancelled():
        task.exception()


def _work(result: Future[T], work: Callable[[APIClient], T], client: APIClient) -> None:
    if not result.set_running_or_notify_cancel():
        return
    try:
        done = work(client)
    except BaseException as error:
        result.set_exception(error)
    else:
        result.set_result(done)


def _remove(client: APIClient, container: str) -> None:
    """Kills and removes it, and waits until it is gone. One that is gone already is fine."""
    from docker.errors import APIError, NotFound

    deadline = time.monotonic() + GONE_SECONDS
    pause = 0.005
    while True:
        try:
            client.remove_container(container, force=True, v=True)
            return
        except NotFound:
            return
        except APIError as error:
            # The engine is at it already: it removes by itself what has ended.
            if error.status_code != 409 or time.monotonic() > deadline:
                raise
        time.sleep(pause)
        pause = min(pause * 2, 0.1)


def _end_reason(client: APIClient, container: str) -> str:
    """How a container ended that was not ended by us, from the engine's events.

    Asked of the events, since a container that has ended is soon removed and can't be looked at any more.
    """
    code, oom = "", False
    until = int(time.time() + AUTOPSY_SECONDS) + 1
    events = client.events(since=1, until=until, filters={"container": [container]}, decode=True)
    try:
        for event in events:
            action = str(event.get("status") or event.get("Action"))
            if action == "oom":
                oom = True
            elif action == "die":
                attributes = (event.get("Actor") or {}).get("Attributes") or {}
                code = str(attributes.get("exitCode") or attributes.get("containerExitCode") or "")
            elif action in ("destroy", "remove"):
                break
    finally:
        events.close()
    if oom:
        return f"killed by the kernel for want of memory (exit status {code or '137'})"
    if code == "137":
        return "killed by signal 9, not for want of memory"
    return f"exit status {code}" if code else "ended, and the engine does not say how"


async def connect(*, answer_within: float = ANSWER_SECONDS) -> Engine:
    """The engine that the environment, the Docker context or the usual sockets lead to.

    Raises NoEngine where there is none, EngineError where it can't be used.
    """
    endpoint = endpoints.find()
    if endpoint is None:
        raise NoEngine(
            "No container engine was found: no socket in the usual places, and no DOCKER_HOST or Docker context that "
            f"names another. Install Docker or start it (sudo systemctl start docker), {_LOCAL}."
        )
    if not endpoint.socket:
        _ = endpoint.address  # says so where it can't be reached in a way that we know
    try:
        client, about = await asyncio.to_thread(_open, endpoint, answer_within)
    except Exception as error:
        raise translate(error, endpoint) from error
    return Engine(endpoint, client, about)


def _client(endpoint: Endpoint, api_version: str, timeout: float) -> APIClient:
    """Loads docker-py: some 0.1 s.

    What requests takes from the environment is left out: REQUESTS_CA_BUNDLE would be taken for the engine's own
    authority, and a proxy would be asked for an engine that the streams are then had from directly.
    """
    from docker import APIClient

    client = APIClient(base_url=endpoint.url, version=api_version, timeout=timeout, **endpoint.options)  # type: ignore[arg-type]
    client.trust_env = False
    return client


def _open(endpoint: Endpoint, answer_within: float) -> tuple[APIClient, About]:
    with closing(_client(endpoint, ".".join(map(str, _OLDEST)), answer_within)) as first:
        version = first.version(api_version=False)
    client = _client(endpoint, str(version["ApiVersion"]), answer_within)
    try:
        info = client.info()
    except BaseException:
        client.close()
        raise
    api = tuple(int(part) for part in client.api_version.split("."))
    if api < _OLDEST:
        client.close()
        raise EngineError(
            f"The container engine at {endpoint} is too old: it speaks API {client.api_version}, and "
            f"{'.'.join(map(str, _OLDEST))} (Docker 19.03) is the least. Update it, {_LOCAL}."
        )
    client.timeout = int(CALL_SECONDS)
    security = " ".join(map(str, info.get("SecurityOptions") or ()))
    components = version.get("Components") or [{}]
    name = "Podman" if "podman" in str(components[0].get("Name", "")).lower() else "Docker"
    lacking = {limit: what for key, limit, what in _LIMITS if info.get(key) is False}
    warnings = (f"{name} can't limit {' and '.join(lacking.values())} here",) if lacking else ()
    nested = "name=rootless" in security or "name=userns" in security
    own_tmpfs = ("/run", "/var/tmp") if name == "Podman" else ()  # beside a root that is read-only
    version_said = str(version.get("Version", "?"))
    return client, About(name, version_said, nested, warnings, frozenset(lacking), own_tmpfs)


def translate(error: Exception, endpoint: Endpoint) -> EngineError:
    """docker-py's or the system's error as one that says what is wrong and what to do."""
    from docker.errors import APIError, ImageNotFound
    from requests.exceptions import Timeout

    if isinstance(error, EngineError):
        return error
    chain = _chain(error)
    said = _said(error)
    if isinstance(error, ImageNotFound) or "no such image" in said.lower():
        return NoImage(
            "The image that programs run in is not there, or is of another version. Make it: scrapewright image build."
        )
    if "no space left on device" in said.lower():
        return EngineError(
            f"The container engine has no space left: {said}. Make room (docker system df, docker system prune), "
            f"{_LOCAL}."
        )
    if any(isinstance(cause, PermissionError) for cause in chain):
        return EngineError(
            f"No permission to talk to the container engine at {endpoint}. Join its group (sudo usermod -aG docker "
            f"$USER, then log in again), or use rootless Docker or Podman, {_LOCAL}."
        )
    if isinstance(error, APIError):
        code = f" (status {error.status_code})" if error.status_code else ""
        return EngineError(f"The container engine at {endpoint} refused{code}: {said}. Its log says more, {_LOCAL}.")
    if any(isinstance(cause, ssl.SSLError) for cause in chain):
        return EngineError(
            f"The certificate of the container engine at {endpoint}, or ours, is not accepted: {said}. ca.pem, "
            f"cert.pem and key.pem in DOCKER_CERT_PATH must be of the engine's authority, {_LOCAL}."
        )
    if any(isinstance(cause, (Timeout, TimeoutError)) for cause in chain):
        return EngineError(
            f"The container engine at {endpoint} does not answer in time. Restart it (sudo systemctl restart docker), "
            f"{_LOCAL}."
        )
    if any(isinstance(cause, (ConnectionError, FileNotFoundError)) for cause in chain):
        return NoEngine(
            f"No container engine answers at {endpoint}. Start it (sudo systemctl start docker, or Docker Desktop), "
            f"name another with DOCKER_HOST, {_LOCAL}."
        )
    return EngineError(
        f"The container engine at {endpoint} can't be used: {said}. `docker info` may tell more, {_LOCAL}."
    )


def _chain(error: BaseException) -> list[BaseException]:
    """The error with all that it came from; urllib3 keeps the cause in `reason` or among the arguments."""
    found: list[BaseException] = []
    todo: list[object] = [error]
    while todo and len(found) < 50:
        one = todo.pop()
        if not isinstance(one, BaseException) or any(one is other for other in found):
            continue
        found.append(one)
        todo += [one.__cause__, one.__context__, getattr(one, "reason", None), *one.args]
    return found


def _said(error: Exception) -> str:
    text = str(getattr(error, "explanation", None) or error) or type(error).__name__
    return " ".join(text.split())[:500].rstrip(".")
