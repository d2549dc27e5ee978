"""Chromium in a local sandbox, where it draws pages for the gateway: found on this machine, started for each page."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from scrapewright.loop.ports import Job, Limits, SandboxUnavailable
from scrapewright.sandboxes import elf, isolation
from scrapewright.sandboxes.interpreter import library_folders
from scrapewright.sandboxes.layout import Guest
from scrapewright.sandboxes.local import Check, LocalSandbox
from scrapewright.sandboxes.spawn import KINDS, Kind
from scrapewright.web.page import ByteStream, Connect
from scrapewright.web.render import CannotDraw, Drawn

NAMES = (
    "chromium-headless-shell", "chrome-headless-shell", "headless_shell", "chromium", "chromium-browser",
    "google-chrome", "google-chrome-stable", "chrome",
)  # fmt: skip
"""In the order in which they are taken: the shells have no windows to begin with, and start in a third of the time."""
INSTALL = "install one (Debian: apt install chromium-headless-shell; elsewhere the package chromium)"
_MARK = "icudtl.dat"
"""Lies beside every Chromium: what has the name alone may be a script or a launcher."""
_DATA = ("/etc/fonts", "/usr/share/fonts")
PAGE_BYTES = 8 << 20
ASKED = 200
"""Requests of a page's scripts that are taken note of."""
SECONDS = 60.0
"""Within which a page is to be drawn."""
SETTLE = 15.0
"""The same for one that has loaded and never comes to rest."""
STUCK = 8.0
"""Without an answer from the page, after which its scripts are ended."""
LIMITS = Limits(
    seconds=SECONDS + 40.0, memory=2 << 30, reserve=1 << 46, processes=400, files=2048, file_bytes=256 << 20,
    disk=256 << 20, artifacts=2, artifact_bytes=PAGE_BYTES + (64 << 10),
)  # fmt: skip
"""V8 maps terabytes that it does not use, and a page has some hundred threads, which the kernel counts as processes."""
_CODE = "from harness.browser import main\n\nmain()\n"


class Found(NamedTuple):
    """A Chromium. `shell`: one without windows, which needs no Unix sockets."""

    binary: Path
    shell: bool


class _Report(msgspec.Struct, frozen=True):
    """What harness/browser.py writes down."""

    version: str = ""
    status: int = 0
    note: str = ""
    error: str = ""
    asked: tuple[str, ...] = ()


def find(path: str | None = None, names: tuple[str, ...] = NAMES) -> Found | None:
    """The first Chromium on `path` (default: PATH), by the program itself and not the script that starts it."""
    for name in names:
        if (command := shutil.which(name, path=path)) is None:
            continue
        for binary in _behind(Path(os.path.realpath(command)), name):
            if (binary.parent / _MARK).is_file() and elf.read(binary) is not None:
                return Found(binary, "shell" in binary.name)
    return None


def _behind(command: Path, name: str) -> Iterator[Path]:
    yield command
    yield command.parent / "chrome"
    for folder in ("/usr/lib", "/usr/lib64"):
        for place in ("chromium", "chromium-browser"):
            yield Path(folder, place, name)


class Chromium:
    """Fills web.render.Draws. `kinds` are the sandboxes to try; `find` says what browser there is, if any."""

    def __init__(self, kinds: tuple[Kind, ...] = KINDS, found: Found | None = None) -> None:
        self._kinds = kinds
        self._found = found or find()
        self.version = ""
        """As the browser calls itself, once it has drawn a page."""

    async def draw(self, url: str, user_agent: str, connect: Connect) -> Drawn:
        if reason := isolation.supported():
            raise CannotDraw(f"pages are drawn in a local sandbox alone, and {reason}")
        if self._found is None:
            raise CannotDraw(f"no Chromium is here to draw it; {INSTALL}")
        wanted = {
            "binary": str(self._found.binary), "url": url, "agent": user_agent, "bytes": PAGE_BYTES,
            "seconds": SECONDS, "settle": SETTLE, "stuck": STUCK,
        }  # fmt: skip
        job = Job(_CODE, recorder=False, argv=(msgspec.json.encode(wanted).decode(),), limits=LIMITS)
        guest = guest_of(self._found)
        reasons = []
        for kind in self._kinds:
            sandbox = LocalSandbox(kind, preload=(), spare=False, guest=guest)
            try:
                ran = await sandbox.run(job, connect, lambda tick: None)
            except SandboxUnavailable as error:
                reasons.append(f"{kind}: {error}")
                continue
            finally:
                await sandbox.close()
            report = _parse_report(ran.files.get("drawn.json", b""))
            if report is None:
                what = {"timeout": "it took too long", "memory": "it took too much memory"}.get(ran.result.status, "")
                why = what or ran.result.note or f"Chromium gave no page ({ran.result.status})"
                raise CannotDraw(f"the page can't be drawn: {why}")
            self.version = report.version or self.version
            if report.error or "page.html" not in ran.files:
                raise CannotDraw(f"the page can't be drawn: {report.error or 'it is too large'}")
            return Drawn(ran.files["page.html"], report.status, report.note[:200], report.asked[:ASKED])
        raise CannotDraw(f"no local sandbox for Chromium: {'; '.join(reasons)}")


def guest_of(found: Found) -> Guest:
    """What a sandbox shows for this Chromium to run in it."""
    folder = found.binary.parent
    shown = {str(place): str(place) for place in (folder, *map(Path, _DATA)) if place.is_dir()}
    needed = elf.closure([found.binary], inside=[*library_folders(), folder])
    shown.update((str(place), str(real)) for place, real in needed.items())
    return Guest(tuple(sorted(shown.items())), unix=not found.shell)


def _parse_report(data: bytes) -> _Report | None:
    try:
        return msgspec.json.decode(data, type=_Report)
    except msgspec.MsgspecError:
        return None


async def diagnose() -> Check:
    """Whether pages can be drawn here, for the doctor: one is."""
    if (found := find()) is None:
        return Check("browser", False, "no Chromium: pages that need JavaScript can't be drawn", INSTALL)
    browser = Chromium(found=found)

    async def no_web(stream: ByteStream) -> None:
        stream.close()

    try:
        await browser.draw("data:text/html,<p>drawn", "", no_web)
    except CannotDraw as error:
        return Check("browser", False, f"{found.binary}: {error}", "install another Chromium, or mend the sandbox")
    return Check("browser", True, f"{browser.version} at {found.binary} draws pages that need JavaScript")
