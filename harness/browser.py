"""Draws a page in Chromium, inside the sandbox: starts it, waits until the page has settled, and writes down its DOM.

Run as a job: `from harness.browser import main; main()` with a JSON object as its argument (see `main`). Chromium is
spoken to by its DevTools protocol over a pair of pipes (--remote-debugging-pipe: JSON messages that end in a zero byte,
read from descriptor 3 and written to 4), so no port is open.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import subprocess
import sys
import time
from typing import Any

READY = 20.0
"""Seconds until Chromium answers."""
QUIET = 0.6
"""Seconds without a request under way and with the same DOM: the page has settled."""
POLL = 0.2
ANSWER = 8.0
"""Seconds that the page may take to give its document."""

_FLAGS = (
    "--headless", "--no-sandbox", "--no-zygote", "--disable-gpu", "--disable-dev-shm-usage", "--mute-audio",
    "--disable-quic", "--disable-extensions", "--disable-sync", "--disable-default-apps", "--disable-component-update",
    "--disable-background-networking", "--disable-domain-reliability", "--disable-client-side-phishing-detection",
    "--disable-breakpad", "--disable-field-trial-config", "--no-first-run", "--no-pings", "--password-store=basic",
    "--disable-features=IsolateOrigins,site-per-process,PreconnectToSearch,AimServerEligibilityEnabled,AimServerRequestOnStartupEnabled,MediaRouter,OptimizationHints,Translate,HttpsUpgrades",
    "--renderer-process-limit=2",
    # Every connection ends in the gateway, which checks the certificates of sites itself.
    "--ignore-certificate-errors",
    # What Chromium asks of its maker by itself ends here, where nothing listens: the page has a proxy of its own.
    "--proxy-server=127.0.0.1:1", "--proxy-bypass-list=<-loopback>",
    "--remote-debugging-pipe",
)  # fmt: skip
_LEFT_OUT = [{"resourceType": kind} for kind in ("Image", "Media", "Font")]
"""What no record is read from is not fetched."""
_DRAWING = ("Script", "XHR", "Fetch")
_MOST_ASKED = 200
"""Scripts and their requests that are reported, and the characters beyond which an address is not."""
_LONGEST = 1000
_OPEN_ENDED = ("EventSource", "WebSocket", "Ping", "Prefetch")
_LOOK = "[document.readyState, document.documentElement.outerHTML.length]"
_TAKE = """(() => {
  if (!document.querySelector("base[href]") && location.href.split("#")[0] !== %s && document.head) {
    const base = document.createElement("base");
    base.href = location.href;
    document.head.prepend(base);
  }
  return "<!doctype html>\\n" + document.documentElement.outerHTML;
})()"""


class DrawingError(Exception):
    """The page can't be drawn; the message says why."""


class Browser:
    """A started Chromium with one page. Raises DrawingError wherever it does not do what is asked in time."""

    def __init__(self, binary: str, agent: str, proxy: str, profile: str, most: int) -> None:
        self._most = most
        self._buffer = bytearray()
        self._number = 0
        self._session = ""
        self.under_way: set[str] = set()
        self.asked: list[str] = []
        """What the page can't be drawn without: its scripts, and what they ask for."""
        self.loaded = False
        self.status = 0
        self.quiet_since = time.monotonic()
        flags = [*_FLAGS, f"--user-data-dir={profile}"]
        to_read, self._to = os.pipe()
        self._from, from_write = os.pipe()

        def as_three_and_four() -> None:
            ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_read, from_write)]  # out of the way first
            for number, end in enumerate(ends, 3):
                os.dup2(end, number)

        self._process = subprocess.Popen(
            [binary, *flags, *([f"--user-agent={agent}"] if agent else []), "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=as_three_and_four,
        )  # fmt: skip
        os.close(to_read)
        os.close(from_write)
        self.version = str(self.call("Browser.getVersion", READY).get("product", ""))
        own = {"proxyServer": proxy, "proxyBypassList": "<-loopback>"}
        context = self.call("Target.createBrowserContext", READY, **own)["browserContextId"]
        target = self.call("Target.createTarget", READY, url="about:blank", browserContextId=context)["targetId"]
        self._session = self.call("Target.attachToTarget", READY, targetId=target, flatten=True)["sessionId"]
        self.call("Network.enable", READY)
        self.call("Page.enable", READY)
        self.call("Fetch.enable", READY, patterns=_LEFT_OUT)

    def call(self, method: str, seconds: float, **params: Any) -> dict[str, Any]:
        """The result of a command; what happens meanwhile is taken note of."""
        number = self._send(method, **params)
        until = time.monotonic() + seconds
        while True:
            message = self._receive(until)
            if message is None:
                raise DrawingError(f"Chromium did not answer {method} in {seconds:g} s")
            if message.get("id") != number:
                continue
            if "error" in message:
                raise DrawingError(f"Chromium refuses {method}: {str(message['error'].get('message'))[:200]}")
            result = message.get("result")
            return result if isinstance(result, dict) else {}

    def value(self, expression: str, seconds: float) -> Any:
        """What an expression gives in the page."""
        found = self.call("Runtime.evaluate", seconds, expression=expression, returnByValue=True)
        return found.get("result", {}).get("value")

    def listen(self, seconds: float) -> None:
        """Takes note of what happens in that time."""
        until = time.monotonic() + seconds
        while self._receive(until) is not None:
            pass

    def end(self) -> None:
        self._process.kill()

    def _send(self, method: str, **params: Any) -> int:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        try:
            while data:
                data = data[os.write(self._to, data) :]
        except OSError as error:
            raise DrawingError("Chromium has ended") from error
        return self._number

    def _receive(self, until: float) -> dict[str, Any] | None:
        """The next message, None where none came until then."""
        while (end := self._buffer.find(b"\0")) < 0:
            ready, _, _ = select.select([self._from], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                return None
            data = os.read(self._from, 1 << 18)
            if not data:
                raise DrawingError(f"Chromium has ended (status {self._process.wait()})")
            self._buffer += data
            if len(self._buffer) > 6 * self._most:
                raise DrawingError(f"the page is larger than {self._most >> 20} MB")
        message = json.loads(bytes(self._buffer[:end]))
        del self._buffer[: end + 1]
        if "method" in message:
            self._note(message["method"], message.get("params", {}))
        return message  # type: ignore[no-any-return]

    def _note(self, event: str, params: dict[str, Any]) -> None:
        if event == "Network.requestWillBeSent" and params.get("type") not in _OPEN_ENDED:
            self.under_way.add(params["requestId"])
            url = str(params["request"]["url"])
            if params.get("type") in _DRAWING and len(self.asked) < _MOST_ASKED and len(url) <= _LONGEST:
                self.asked.append(url)
            self.quiet_since = time.monotonic()
        elif event in ("Network.loadingFinished", "Network.loadingFailed"):
            self.under_way.discard(params["requestId"])
            self.quiet_since = time.monotonic()
        elif event == "Network.responseReceived" and params.get("type") == "Document" and not self.status:
            self.status = int(params["response"]["status"])
        elif event == "Page.loadEventFired":
            self.loaded = True
        elif event == "Fetch.requestPaused":
            self._send("Fetch.failRequest", requestId=params["requestId"], errorReason="Aborted")
        elif event == "Page.javascriptDialogOpening":
            self._send("Page.handleJavaScriptDialog", accept=True)


def draw(browser: Browser, url: str, seconds: float, settle: float, stuck: float) -> tuple[str, str]:
    """The page's DOM as HTML, and in words why it was not waited for to the end; empty where it has settled.

    It has `seconds` in all, and `settle` once it has loaded; its scripts are ended after `stuck` without an answer.
    """
    until = time.monotonic() + seconds
    opened = browser.call("Page.navigate", seconds, url=url)
    if opened.get("isDownload"):
        raise DrawingError("it is a file to be saved, and no page")
    if failed := opened.get("errorText"):
        if browser.status >= 400:  # without a body: what Chromium shows in its place is its own
            return "<!doctype html>", ""
        raise DrawingError(f"Chromium can't open it: {str(failed)[:200]}")
    before: Any = None
    note, loaded_at = "", 0.0
    while True:
        browser.listen(POLL)
        now = time.monotonic()
        loaded_at = loaded_at or (now if browser.loaded else 0.0)
        if now > until or (loaded_at and now > loaded_at + settle):
            note = "the page never came to rest; it is as it was after a while"
            break
        try:
            look = browser.value(_LOOK, stuck)
        except DrawingError:
            # A script that does not end keeps the page from answering. Without it there is a page to be read.
            browser.call("Runtime.terminateExecution", ANSWER)
            note = "a script of the page did not end, and was ended"
            break
        if look != before:
            before, browser.quiet_since = look, now
        at_rest = not browser.under_way and now - browser.quiet_since >= QUIET
        if at_rest and isinstance(look, list) and look[0] == "complete":
            break
    html = browser.value(_TAKE % json.dumps(url.partition("#")[0]), ANSWER)
    if not isinstance(html, str):
        raise DrawingError("the page gave no document")
    return html, note


def main() -> None:
    """Writes `page.html` and `drawn.json` (version, status, note, error, asked) into the working directory.

    The argument: `binary`, `url`, `agent` (the User-Agent), `bytes` (the most that the page may have), and `seconds`,
    `settle` and `stuck` as `draw` takes them.
    """
    wanted = json.loads(sys.argv[1])
    report: dict[str, object] = {"version": "", "status": 0, "note": "", "error": "", "asked": []}
    profile = os.path.join(os.path.dirname(os.getcwd()), "profile")  # beside the folder whose files are handed out
    try:
        browser = Browser(wanted["binary"], wanted["agent"], os.environ["http_proxy"], profile, wanted["bytes"])
        report["version"] = browser.version
        html, report["note"] = draw(browser, wanted["url"], wanted["seconds"], wanted["settle"], wanted["stuck"])
        report["status"], report["asked"] = browser.status, browser.asked
        page = html.encode("utf-8", "replace")
        if len(page) > wanted["bytes"]:
            raise DrawingError(f"the page is larger than {wanted['bytes'] >> 20} MB")
        with open("page.html", "wb") as file:
            file.write(page)
        browser.end()
    except (DrawingError, OSError) as error:
        report["error"] = str(error)
    with open("drawn.json", "w", encoding="utf-8") as file:
        json.dump(report, file)
