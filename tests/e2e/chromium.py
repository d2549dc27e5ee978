"""A headless Chromium, driven by its DevTools protocol over two pipes."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import re
import select
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--enable-unsafe-swiftshader",
    "--remote-debugging-pipe",
)  # fmt: skip
PATIENCE = 60.0
KEYS = {"F2": 113, "F3": 114, "F4": 115, "F6": 117, "Enter": 13, "Escape": 27, "Tab": 9}
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")


class Browser:
    """One page. `received` is all that its websockets got, as the text of a terminal without its sequences."""

    def __init__(self, profile: Path) -> None:
        assert CHROMIUM is not None
        commands, self._out = _pipe()
        self._in, answers = _pipe()

        def as_three_and_four() -> None:
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        self._process = subprocess.Popen(
            [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "about:blank"], pass_fds=(3, 4),
            preexec_fn=as_three_and_four, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        os.close(commands)
        os.close(answers)
        self._number = 0
        self._left = b""
        self._data = b""
        self._session = ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._target = target
        for domain in ("Network", "Page", "Runtime"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=1200, height=800, deviceScaleFactor=1, mobile=False)

    def call(self, method: str, **params: Any) -> Any:
        """Raises AssertionError where the browser says that it can't be done, or says nothing."""
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next(time.monotonic() + PATIENCE)
            assert answer is not None, f"{method}: no answer"
            if answer.get("id") == number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer.get("result", {})

    def evaluate(self, script: str) -> Any:
        return self.call("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def open(self, url: str) -> None:
        self.call("Page.navigate", url=url)

    def close_page(self) -> None:
        self.call("Target.closeTarget", targetId=self._target)

    def press(self, *keys: str) -> None:
        for key in keys:
            text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
            code = KEYS.get(key, ord(key.upper()) if len(key) == 1 else 0)
            given = {"key": key, "code": key if len(key) > 1 else "", "windowsVirtualKeyCode": code}
            self.call("Input.dispatchKeyEvent", type="keyDown", **given, **({"text": text} if text else {}))
            self.call("Input.dispatchKeyEvent", type="keyUp", **given)

    @property
    def received(self) -> str:
        return _SEQUENCE.sub("", self._data.decode("utf-8", "replace"))

    def until(self, *texts: str) -> None:
        """Until the page has got all of them since this was last waited for."""
        deadline = time.monotonic() + PATIENCE
        while not all(text in self.received for text in texts):
            assert self._next(deadline) is not None, f"{texts} never came:\n{self.received[-3000:]}"
        self._data = b""

    def close(self) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)  # a group of its own
        self._process.wait()
        os.close(self._in)
        os.close(self._out)

    def _next(self, deadline: float) -> Any:
        """The next message of the browser; None where none comes in time."""
        while b"\0" not in self._left:
            if not select.select([self._in], [], [], max(0.0, deadline - time.monotonic()))[0]:
                return None
            piece = os.read(self._in, 1 << 16)
            if not piece:
                return None
            self._left += piece
        raw, _, self._left = self._left.partition(b"\0")
        message = json.loads(raw)
        if message.get("method") == "Network.webSocketFrameReceived":
            frame = message["params"]["response"]
            if frame["opcode"] == 2:
                self._data += base64.b64decode(frame["payloadData"])
        return message


def _pipe() -> tuple[int, int]:
    """Both ends, neither of them where the browser looks for its own."""
    found = []
    for end in os.pipe():
        found.append(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10))
        os.close(end)
    return found[0], found[1]
