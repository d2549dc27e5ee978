"""Serves the workbench to browsers: each tab is a workbench of its own, in a process of its own."""

from __future__ import annotations

import asyncio
import secrets
import shlex
import sys
from collections.abc import Awaitable, Callable, Sequence
from html import escape
from ipaddress import ip_address

from aiohttp import web
from textual_serve.server import Server

from scrapewright.errors import UsageError
from scrapewright.tui.serving.driver import NAME, VARIABLE

PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="referrer" content="no-referrer">
  <title>scrapewright</title>
  <link rel="stylesheet" href="static/css/xterm.css">
  <style>
    @font-face {{ font-family: "Roboto Mono"; src: url("static/fonts/RobotoMono-VariableFont_wght.ttf"); }}
    html, body {{ margin: 0; height: 100%; background: #101418; }}
    #terminal {{ width: 100vw; height: 100vh; }}
    #closed {{ display: none; position: fixed; inset: 0; padding: 2em; background: #101418e0; color: #d0d0d0;
              font: 16px "Roboto Mono", monospace; }}
    body.-closed #closed {{ display: block; }}
  </style>
  <script>history.replaceState(null, "", location.pathname);</script>
  <script src="static/js/textual.js"></script>
</head>
<body>
  <div id="terminal" class="textual-terminal" data-session-websocket-url="{websocket}" data-font-size="{size}"></div>
  <script>
    new MutationObserver((_, seen) => {{  // keys go to it from the start, once there is somebody to hear them
      if (document.body.classList.contains("-first-byte")) {{
        seen.disconnect();
        document.querySelector(".xterm-helper-textarea").focus();
      }}
    }}).observe(document.body, {{attributes: true}});
  </script>
  <div id="closed">The workbench was left. <a href="." style="color: inherit">Open it again</a>; a session that was at
  work goes on with c on Home.</div>
</body>
</html>
"""
REFUSED = "The token is missing or another one: open the address that `scrapewright serve` printed.\n"
FONT_SIZE = 14
CLOSING = 2.0
"""Seconds that open tabs have to be left in at the end."""


class WorkbenchServer(Server):
    """Nothing is served to who has not shown the token once; a cookie stands for it then."""

    def __init__(self, words: Sequence[str], host: str, port: int, token: str) -> None:
        """`words` are the arguments of each workbench."""
        command = shlex.join([sys.executable, "-m", "scrapewright", *words])
        super().__init__(f"{VARIABLE}={NAME} exec {command}", host=host, port=port, title="scrapewright")
        self._token = token
        self._cookie = f"scrapewright-{secrets.token_hex(4)}"  # ports of one host share their cookies

    async def make_app(self) -> web.Application:
        app = await super()._make_app()
        app.on_startup.clear()  # it prints
        app.middlewares.append(self._guard)
        return app

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        known = self._is_token(request.cookies.get(self._cookie, ""))
        shown = request.path == "/" and self._is_token(request.query.get("token", ""))
        if not (known or shown):
            return web.Response(status=403, text=REFUSED)
        response = await handler(request)
        if shown:
            response.set_cookie(self._cookie, self._token, httponly=True, samesite="Strict")
        return response

    def _is_token(self, text: str) -> bool:
        return secrets.compare_digest(text.encode("utf-8", "replace"), self._token.encode())

    async def handle_index(self, request: web.Request) -> web.Response:
        scheme = "wss" if request.secure else "ws"
        websocket = f"{scheme}://{request.host}/ws"
        text = PAGE.format(websocket=escape(websocket), size=FONT_SIZE)
        headers = {"Cache-Control": "no-store", "X-Frame-Options": "DENY"}
        return web.Response(text=text, content_type="text/html", headers=headers)


def is_loopback(host: str) -> bool:
    """Whether only programs of this machine reach it."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def serve(words: Sequence[str], host: str, port: int, said: Callable[[str], None]) -> None:
    """Serves until it is cancelled. `said` gets the address with the token once it answers. Raises UsageError where
    nothing can listen there."""
    token = secrets.token_urlsafe(24)
    server = WorkbenchServer(words, host, port, token)
    runner = web.AppRunner(await server.make_app(), handle_signals=False, access_log=None, shutdown_timeout=CLOSING)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            reason = error.strerror or error
            raise UsageError(f"nothing can be served on {host}, port {port}: {reason}; --port names another") from error
        bound = runner.addresses[0][1]
        shown = f"[{host}]" if ":" in host else host
        said(f"http://{shown}:{bound}/?token={token}")
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()
