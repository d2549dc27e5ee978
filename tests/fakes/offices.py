"""A site as ASP.NET Web Forms and other form-bound servers make them: a register paged by postbacks, a search, a login,
and a map whose records are drawn by its script.

Its postbacks are checked as a server checks them: the hidden inputs have to be those of the page that was sent to this
visitor, and the control has to be on it.
"""

from __future__ import annotations

import hashlib
import html
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler
from typing import Literal
from urllib.parse import parse_qs, parse_qsl, urlsplit

from tests.fakes.loopback import Handler, listening

Pager = Literal["numbers", "next", "button", "plain"]
TOWNS = (
    "Ashford",
    "Burnham",
    "Corby",
    "Dover",
    "Ely",
    "Frome",
    "Goole",
    "Hexham",
    "Ilkley",
    "Jarrow",
    "Kendal",
    "Leek",
)
PAGE = 4
SESSION = "s3ss-pl4nted-77aa"
"""The cookie of somebody who is logged in."""
PASSWORD = "pl4nted-w0rd-31"
"""What the login takes, whoever the user is."""
KEY = 23
"""Hides the map's records from whoever does not run its script."""


@dataclass
class Offices:
    """`pager`: GridView's page numbers, a "Next" link, a submit button, or a form of plain hidden fields. `search`: the
    method of the form on /find. `asked` is (method, path, fields) of what was asked for."""

    pager: Pager = "numbers"
    search: str = "get"
    base: str = ""
    asked: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    salt: str = field(default_factory=lambda: secrets.token_hex(4))

    @property
    def rows(self) -> list[dict[str, object]]:
        """What a right program finds in the register."""
        return [{"town": town, "staff": 3 * n + 2} for n, town in enumerate(TOWNS)]

    def state(self, page: int, visitor: str) -> str:
        return hashlib.sha256(f"{page} {visitor} {self.salt}".encode()).hexdigest()[:40] + f"-{page}"

    def register(self, page: int, visitor: str) -> str:
        last = -(-len(TOWNS) // PAGE)
        shown = self.rows[(page - 1) * PAGE : page * PAGE]
        rows = "".join(f"<tr class=office><td>{row['town']}</td><td>{row['staff']}</td></tr>" for row in shown)
        hidden = "".join(
            f'<input type="hidden" name="{name}" value="{value}">'
            for name, value in (
                ("__EVENTTARGET", ""), ("__EVENTARGUMENT", ""), ("__VIEWSTATE", self.state(page, visitor)),
                ("__EVENTVALIDATION", f"ev{page}"),
            )
        )  # fmt: skip
        filters = (
            '<select name="ctl00$Area"><option value="all">All areas<option value="north" selected>North</select>'
            '<input name="ctl00$Find" value=""><input type="submit" name="ctl00$Go" value="Search">'
        )
        table = (
            f"<table id=Grid class=offices><tr><th>Town</th><th>Staff</th></tr>{rows}{self._pager(page, last)}</table>"
        )
        if self.pager == "plain":
            onward = (
                f'<form method="post" action="/register"><input type="hidden" name="page" value="{page + 1}">'
                f'<input type="hidden" name="state" value="{self.state(page, visitor)}">'
                '<button class="next" name="go" value="1">Next page</button></form>'
            )
            return _page("Offices", table + (onward if page < last else ""))
        return _page("Offices", f'<form method="post" action="./register" id="form1">{hidden}{filters}{table}</form>')

    def _pager(self, page: int, last: int) -> str:
        def link(text: str, target: str, argument: str) -> str:
            return f'<a href="javascript:__doPostBack(&#39;{target}&#39;,&#39;{argument}&#39;)">{text}</a>'

        if self.pager == "numbers":
            cells = (
                f"<td><span>{n}</span></td>" if n == page else f"<td>{link(str(n), 'ctl00$Grid', f'Page${n}')}</td>"
                for n in range(1, last + 1)
            )
            return f"<tr><td colspan=2><table><tr>{''.join(cells)}</tr></table></td></tr>"
        if self.pager == "next":
            onward = link("Next", "ctl00$Next", "") if page < last else '<a class="aspNetDisabled">Next</a>'
            return f'<tr class="pager"><td colspan=2>{onward}</td></tr>'
        if self.pager == "button":
            off = "" if page < last else " disabled"
            return (
                f'<tr class="pager"><td colspan=2><input type="submit" name="ctl00$Next" value="Next"{off}></td></tr>'
            )
        return ""

    def turned(self, sent: dict[str, str], visitor: str) -> int:
        """The page that a postback leads to; 0 where the server refuses it."""
        if self.pager == "plain":
            page = int(sent.get("page", "0")) - 1
            return page + 1 if sent.get("state") == self.state(page, visitor) and sent.get("go") == "1" else 0
        page = int(sent.get("__VIEWSTATE", "-0").rpartition("-")[2])
        if sent.get("__VIEWSTATE") != self.state(page, visitor) or sent.get("__EVENTVALIDATION") != f"ev{page}":
            return 0
        if sent.get("ctl00$Area") != "north" or "ctl00$Find" not in sent or "ctl00$Go" in sent:
            return 0
        if self.pager == "numbers":
            kind, _, number = sent.get("__EVENTARGUMENT", "").partition("$")
            return int(number) if (sent.get("__EVENTTARGET"), kind) == ("ctl00$Grid", "Page") else 0
        pressed = sent.get("__EVENTTARGET") == "ctl00$Next" if self.pager == "next" else "ctl00$Next" in sent
        return page + 1 if pressed else 0

    def found(self, words: str) -> str:
        """The page of a search's results."""
        rows = [row for row in self.rows if words.lower() in str(row["town"]).lower()]
        listed = "".join(
            f"<li class=hit><b class=town>{r['town']}</b> <i class=staff>{r['staff']}</i></li>" for r in rows
        )
        form = (
            f'<form method="{self.search}" action="/results"><input type="hidden" name="in" value="towns">'
            '<input type="text" name="q" placeholder="Search offices"><button>Search</button></form>'
        )
        return _page(
            "Find an office", f"<h1>Find an office</h1>{form}" + (f"<ul class=hits>{listed}</ul>" if words else "")
        )

    def map(self) -> str:
        """The offices nowhere but in what the script draws."""
        hidden = [ord(char) ^ KEY for char in json.dumps([[row["town"], row["staff"]] for row in self.rows])]
        script = _DRAWS.replace("HIDDEN", json.dumps(hidden)).replace("KEY", str(KEY))
        return _page("Map of the offices", f'<div id="root"></div><script>{script}</script>')


_DRAWS = """
const text = HIDDEN.map(code => String.fromCharCode(code ^ KEY)).join("");
setTimeout(() => {
  document.getElementById("root").innerHTML = "<h1>Map of the offices</h1><ul class=pins>" + JSON.parse(text).map(
    ([town, staff]) => `<li class=pin><b class=town>${town}</b> <i class=staff>${staff}</i></li>`).join("") + "</ul>";
}, 150);
"""


def _page(title: str, body: str) -> str:
    return f"<!doctype html><html lang=en><head><title>{html.escape(title)}</title></head><body>{body}</body></html>"


LOGIN = _page(
    "Log in", '<h1>Log in</h1><form method="post" action="/login"><input name="user">'
    '<input type="password" name="password"><button>Log in</button></form>',
)  # fmt: skip


class _Server(Handler, BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        offices: Offices = self.state
        parts = urlsplit(self.path)
        sent = dict(parse_qsl(parts.query))
        offices.asked.append(("GET", parts.path, sent))
        cookies = SimpleCookie(self.headers.get("Cookie", ""))
        if parts.path == "/register":
            visitor = secrets.token_hex(12)
            self._answer(offices.register(1, visitor), cookie=f"ASP.NET_SessionId={visitor}; path=/; HttpOnly")
        elif parts.path == "/members":
            known = "sid" in cookies and cookies["sid"].value == SESSION
            self._answer(offices.register(3, "") if known else LOGIN)
        elif parts.path == "/map":
            self._answer(offices.map())
        elif parts.path == "/find":
            self._answer(offices.found(""))
        elif parts.path == "/results" and offices.search == "get" and sent.get("in") == "towns":
            self._answer(offices.found(sent.get("q", "")))
        else:
            self._answer("<h1>Not found</h1>", 404)

    def do_POST(self) -> None:
        offices: Offices = self.state
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        sent = {name: values[0] for name, values in parse_qs(body, keep_blank_values=True).items()}
        offices.asked.append(("POST", self.path, sent))
        cookies = SimpleCookie(self.headers.get("Cookie", ""))
        visitor = cookies["ASP.NET_SessionId"].value if "ASP.NET_SessionId" in cookies else ""
        if self.path == "/register" and (page := offices.turned(sent, visitor)):
            self._answer(offices.register(page, visitor))
        elif self.path == "/results" and offices.search == "post" and sent.get("in") == "towns":
            self._answer(offices.found(sent.get("q", "")))
        elif self.path == "/login" and sent.get("password") == PASSWORD:
            self._answer(_page("Welcome", "<h1>Welcome</h1>"), cookie=f"sid={SESSION}; path=/; HttpOnly")
        else:
            self._answer("<h1>Validation of viewstate MAC failed</h1>", 500)

    def _answer(self, page: str, status: int = 200, cookie: str = "") -> None:
        data = page.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        if cookie:
            self.send_header("Set-Cookie", cookie)
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def serve(offices: Offices) -> Iterator[Offices]:
    with listening(_Server, offices) as offices.base:
        yield offices
