"""A site whose pages are drawn by their own scripts: from a JSON answer, from data that is nowhere as such, and
pages whose scripts never end, ask for too much, or ask elsewhere.
"""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

from tests.fakes.loopback import Handler, listening

LAMPS = [
    {"name": f"{kind} Lamp", "price": round(9.5 + 3.25 * n, 2), "watts": 5 * n + 10}
    for n, kind in enumerate(("Harbour", "Attic", "Reading", "Orchard", "Station", "Cellar", "Porch", "Studio"))
]
PEAKS = [
    {"peak": name, "metres": 2400 + 137 * n}
    for n, name in enumerate(("Altberg", "Brunnkogel", "Cimone", "Dreispitz", "Eisenkopf", "Felsenhorn"))
]
PAGE = 3
"""Peaks on a page."""
KEY = 23


@dataclass
class Drawn:
    """`elsewhere`: where the page /outside gets its script from. `asked` are the paths that were asked for."""

    elsewhere: str = ""
    base: str = ""
    asked: list[str] = field(default_factory=list)

    def page(self, path: str, number: int) -> str | None:
        script = _SCRIPTS.get(path)
        if script is None:
            return None
        shown = PEAKS[(number - 1) * PAGE : number * PAGE]
        hidden = [ord(char) ^ KEY for char in json.dumps([[row["peak"], row["metres"]] for row in shown])]
        onward = f"/peaks?page={number + 1}" if number * PAGE < len(PEAKS) else ""
        for name, value in (("HIDDEN", json.dumps(hidden)), ("ONWARD", onward), ("ELSEWHERE", self.elsewhere)):
            script = script.replace(name, value)
        return (
            "<!doctype html><html lang=en><head><title>Drawn</title><link rel=icon href='data:,'></head>"
            f'<body><div id="root"></div><script>{script}</script></body></html>'
        )


_PEAKS = """
const text = HIDDEN.map(code => String.fromCharCode(code ^ 23)).join("");
const list = document.createElement("ul");
list.className = "peaks";
for (const [name, metres] of JSON.parse(text)) {
  const item = document.createElement("li");
  item.className = "peak";
  item.innerHTML = `<b class="name">${name}</b> <span class="metres">${metres}</span>`;
  list.append(item);
}
setTimeout(() => {
  document.getElementById("root").innerHTML = "<h1>Peaks</h1>";
  document.getElementById("root").append(list);
  if ("ONWARD") {
    const next = document.createElement("a");
    next.rel = "next"; next.className = "next"; next.href = "ONWARD"; next.textContent = "Next page";
    document.getElementById("root").append(next);
  }
}, 150);
"""
_SCRIPTS = {
    "/lamps": """
fetch(["", "ap" + "i", "lam" + "ps"].join("/")).then(answer => answer.json()).then(found => {
  document.getElementById("root").innerHTML = "<h1>Lamps</h1>" + found.items.map(lamp =>
    `<article class="lamp"><h2>${lamp.name}</h2><p class="price">${lamp.price.toFixed(2)}</p></article>`).join("");
});
""",
    "/guarded": _PEAKS + """
fetch(["", "api", "guarded"].join("/"), {headers: {"X-Key": "peaks"}}).then(answer => answer.json());
""",
    "/peaks": _PEAKS,
    "/endless": _PEAKS.replace("setTimeout(() => {", "{", 1).replace("}, 150);", "}") + "\nfor (;;) {}",
    "/flood": """
let number = 0;
setInterval(() => { for (let n = 0; n < 20; n++) fetch("/drop/" + number++); }, 20);
""",
    "/hoard": """
const kept = [];
setInterval(() => {
  for (let n = 0; n < 8; n++) kept.push(new Uint8Array(16 << 20).fill(7));
  document.getElementById("root").append("and more ");
}, 5);
""",
    "/again": """
fetch("/peaks", {headers: {"X-Scrapewright-Render": "1"}}).then(answer => answer.text()).then(text => {
  document.getElementById("root").textContent = text.includes("class=\\"peak\\"") ? "drawn" : "as sent";
});
""",
    "/alone": 'document.getElementById("root").innerHTML = "<p>Nothing to list.</p>";',
    "/outside": """
const script = document.createElement("script");
script.src = "ELSEWHERE/list.js";
script.onerror = () => document.getElementById("root").textContent = "kept out";
document.head.append(script);
""",
}  # fmt: skip


class _Server(Handler, BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        site: Drawn = self.state
        parts = urlsplit(self.path)
        site.asked.append(parts.path)
        number = int(parse_qs(parts.query).get("page", ["1"])[0])
        page = site.page(parts.path, number)
        if page is not None:
            self._answer(page, "text/html; charset=utf-8")
        elif parts.path == "/api/lamps":
            self._answer(json.dumps({"items": LAMPS}), "application/json")
        elif parts.path == "/api/guarded" and self.headers.get("X-Key") == "peaks":
            found = [{"name": row["peak"], "metres": row["metres"]} for row in PEAKS[:PAGE]]
            self._answer(json.dumps(found), "application/json")
        elif parts.path == "/api/guarded":
            self._answer("no key", "text/plain", 403)
        elif parts.path == "/file.zip":
            self._answer("PK", "application/zip")
        elif parts.path == "/bare":
            self._answer("", "text/html", 404)
        elif parts.path.startswith("/drop/"):
            self._answer("drop", "text/plain")
        elif parts.path == "/list.js":
            script = site.page("/peaks", 1) or ""
            self._answer(script.partition("<script>")[2].partition("</script>")[0], "text/javascript")
        else:
            self._answer("<h1>Not found</h1>", "text/html", 404)

    def _answer(self, text: str, media_type: str, status: int = 200) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def serve(site: Drawn, context: ssl.SSLContext | None = None) -> Iterator[Drawn]:
    with listening(_Server, site, context) as site.base:
        yield site
