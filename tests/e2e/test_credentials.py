"""Headers, cookies, logins and proxies from the command to the site, and where they are not."""

from __future__ import annotations

import base64
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from scrapewright.sandboxes.pipe import ProcessPipe
from scrapewright.web import resolve
from scrapewright.web.disk import BytesStore
from tests.e2e.site import LIST, MUGS, called, serve
from tests.fakes.loopback import Handler, listening
from tests.fakes.openai_server import Say
from tests.fakes.openai_server import serve as model
from tests.fakes.proxies import http_proxy, socks_proxy

QUERY = "all mugs on {base}/: name, price (float), url. JSON"
PLANTED = ("hdr-pl4nted-1", "ck-pl4nted-22", "prx-pl4nted-3", "wendy:auth-pl4nted-44")
AUTHORIZATION = base64.b64encode(PLANTED[3].encode()).decode()
EVERYWHERE = tuple(text.encode() for text in (*PLANTED, "auth-pl4nted-44", AUTHORIZATION))

AT_ONCE = {"SCRAPEWRIGHT_DELAY": "0"}
"""No waiting between requests to a site that is not on this machine."""
PROGRAM = """\
import csv
import os
import requests
from bs4 import BeautifulSoup

print(sorted(os.environ.items()))
answer = requests.get("{base}/", timeout=30)
print(answer.request.headers, answer.headers, answer.cookies, answer.text)
print(requests.request("TRACE", "{base}/", timeout=30).text)
with open("rows.csv", "w", newline="", encoding="utf-8") as file:
    out = csv.writer(file)
    out.writerow(["name", "price"])
    for mug in BeautifulSoup(answer.content, "lxml").select("li.mug"):
        out.writerow([mug.h3.get_text(strip=True), mug.p.get_text(strip=True).strip("£")])
"""


class _Members(Handler, BaseHTTPRequestHandler):
    """Mugs for those who send all that was planted; it repeats what it was sent in the page and in its headers."""

    def do_GET(self) -> None:
        said = {name.lower(): value for name, value in self.headers.items()}
        self.state.append(said)
        known = (
            said.get("x-key") == PLANTED[0]
            and PLANTED[1] in said.get("cookie", "")
            and said.get("authorization") == f"Basic {AUTHORIZATION}"
        )
        extra = f"<p>{json.dumps(said)} {PLANTED[3]}</p>" if known else ""
        body = (MUGS.replace("<ul>", f"{extra}<ul>") if known else "<h1>Log in</h1>").encode()
        self.send_response(200 if known else 401)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Set-Cookie", f"sid={PLANTED[1]}; Path=/; HttpOnly")
        self.send_header("X-Seen", f"{PLANTED[0]} {PLANTED[1]}")
        self.end_headers()
        self.wfile.write(body)

    do_TRACE = do_GET  # noqa: N815


def cookies_txt(folder: Path, domain: str, value: str = PLANTED[1], expires: int = 0) -> str:
    path = folder / "cookies.txt"
    path.write_text(f"# Netscape HTTP Cookie File\n{domain}\tFALSE\t/\tFALSE\t{expires}\tsid\t{value}\n")
    return str(path)


@contextmanager
def recorded_pipes(monkeypatch: pytest.MonkeyPatch) -> Iterator[bytearray]:
    """All bytes that are written to sandboxes meanwhile."""
    seen = bytearray()
    write = ProcessPipe.write

    def noted(self: ProcessPipe, data: bytes) -> None:
        seen.extend(data)
        write(self, data)

    with monkeypatch.context() as patch:
        patch.setattr(ProcessPipe, "write", noted)
        yield seen


def contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file below a folder, and every row of the stores among them."""
    for path in folder.rglob("*"):
        if path.is_file():
            yield str(path), path.read_bytes()
        if path.name == "cache.db":
            with BytesStore(path.parent, flush=False) as rows:
                yield from ((f"{path}: {key}", value or b"") for key, value in rows.items())


def test_planted_secrets_are_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A site that repeats all it is sent; a program that prints all it sees; a model; a proxy on the way."""

    async def lookup(host: str, port: int) -> list[str]:
        raise OSError("no network")

    monkeypatch.setattr(resolve, "system_lookup", lookup)
    (tmp_path / "given").mkdir()
    given = cookies_txt(tmp_path / "given", "mugs.test")
    seen: list[dict[str, str]] = []
    reply = json.dumps({"diagnosis": "It reads the mugs.", "program": PROGRAM.format(base="http://mugs.test")})
    with (
        listening(_Members, seen) as base, model(*[Say(reply)] * 3) as asked, recorded_pipes(monkeypatch) as pipes,
        http_proxy({"mugs.test": int(base.rpartition(":")[2])}, ("peter", PLANTED[2])) as proxy,
    ):  # fmt: skip
        done = called(
            "run", "name and price of all mugs on http://mugs.test/", "--programmer", "model", "--out", "out", "--json",
            "--header", f"X-Key: {PLANTED[0]}", "--cookies", given, "--auth", "mugs.test=basic:MUGS_LOGIN",
            cwd=tmp_path, MUGS_LOGIN=PLANTED[3], OPENAI_API_KEY="key", OPENAI_BASE_URL=f"{asked.base}/v1",
            OPENAI_MODEL="m", **AT_ONCE, SCRAPEWRIGHT_PROXY=proxy.url("http", f"peter:{PLANTED[2]}"),
        )  # fmt: skip
    assert len(seen) >= 2, done.stderr
    assert all(said["x-key"] == PLANTED[0] and said["cookie"] == f"sid={PLANTED[1]}" for said in seen)
    assert (tmp_path / "out").is_dir(), done.stderr
    assert asked.requests
    assert b"veiled-" in pipes  # the page as the program got it
    homes = Path(os.environ["XDG_DATA_HOME"]).parent
    places = [
        ("stdout", done.stdout.encode()), ("stderr", done.stderr.encode()), ("sandbox", bytes(pipes)),
        ("model", json.dumps([asked.requests, asked.headers]).encode()), *contents(homes), *contents(tmp_path / "out"),
    ]  # fmt: skip
    assert len(places) > 20
    leaks = [(place, text) for place, data in places for text in EVERYWHERE if text in data]
    assert leaks == []


def test_rows_behind_a_login_and_what_is_said_of_it(tmp_path: Path) -> None:
    def page(handler: Handler) -> None:
        known = "sid=pl4nted-22" in (handler.headers["Cookie"] or "")
        body = (MUGS if known else "<title>Log in</title><form><input type='password'></form>").encode()
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html; charset=utf-8")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    with serve({"/": page}) as site:
        query = QUERY.format(base=site.base)
        without = called("run", query, "--out", "none", cwd=tmp_path)
        assert without.returncode == 1
        assert "asks for a login" in without.stderr
        assert "--cookies FILE" in without.stderr
        given = cookies_txt(tmp_path, "127.0.0.1", "pl4nted-22")
        done = called("run", query, "--out", "out", "--cookies", given, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert f"sent to 127.0.0.1: 1 cookie of {given}" in done.stderr
        rows = tmp_path / "out" / "rows.json"
        checked = called("check", str(rows), query, "--cookies", given, cwd=tmp_path)
    assert len(json.loads(rows.read_text())) == LIST.count("<li")
    assert checked.returncode == 0, checked.stdout
    assert f"1 cookie of {given}" in checked.stderr
    assert "pl4nted" not in done.stderr + done.stdout + checked.stderr + checked.stdout


@pytest.mark.parametrize("scheme", [pytest.param("http", marks=pytest.mark.full), "socks5h"])
def test_a_proxy_of_the_environment_is_offered_and_used_when_asked(
    scheme: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lookup(host: str, port: int) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(resolve, "system_lookup", lookup)
    query = QUERY.format(base="http://mugs.test")
    opened = http_proxy if scheme == "http" else socks_proxy
    with serve({"/": MUGS}) as site, opened({"mugs.test": int(site.base.rpartition(":")[2])}) as proxy:
        url = proxy.url(scheme)
        unused = called("run", query, "--out", "none", cwd=tmp_path, HTTP_PROXY=url, **AT_ONCE)
        assert unused.returncode == 3
        assert "HTTP_PROXY is set and not used: --proxy env uses it" in unused.stderr
        assert proxy.asked == []
        done = called("run", query, "--out", "out", "--proxy", "env", cwd=tmp_path, HTTP_PROXY=url, **AT_ONCE)
    assert done.returncode == 0, done.stderr
    assert f"sites are dialled through {url}" in done.stderr
    assert proxy.asked


@pytest.mark.full
def test_proxies_that_do_not_serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def lookup(host: str, port: int) -> list[str]:
        raise OSError("no network")

    monkeypatch.setattr(resolve, "system_lookup", lookup)
    query = QUERY.format(base="http://mugs.test")
    with http_proxy({}, ("peter", "right")) as proxy:
        refuses = called(
            "run", query, "--out", "b", "--proxy", proxy.url("http", "peter:pl4nted"), cwd=tmp_path, **AT_ONCE
        )
    gone = called("run", query, "--out", "c", "--proxy", proxy.url(), cwd=tmp_path, **AT_ONCE)
    assert (refuses.returncode, gone.returncode) == (2, 3)
    assert "--proxy http://user:password@host:port" in refuses.stderr
    assert "does not accept the user and password" in refuses.stderr
    assert "pl4nted" not in refuses.stderr
    assert f"the proxy {proxy.url()} can't be reached: Connection refused" in gone.stderr


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--header", "pl4nted"], "--header: a header has the form 'Name: value'"),
        (
            ["--header", "Cookie: pl4nted"],
            "--header: Cookie can't be given as a header: cookies are given by --cookies",
        ),
        (["--auth", "127.0.0.1=basic:NOT_SET"], "--auth: NOT_SET is set neither in the environment nor in .env"),
        (["--auth", "127.0.0.1=digest:pl4nted"], "--auth: the login for 127.0.0.1 is neither basic nor bearer"),
        (["--auth", "127.0.0.1=bearer:pl4nted_1"], "--auth: the login for 127.0.0.1 takes the NAME of a variable"),
        (["--auth", "127.0.0.1=basic:NO_COLON"], "--auth: NO_COLON has to hold user:password"),
        (["--cookies", "gone.txt"], "--cookies: gone.txt can't be read: No such file"),
        (["--cookies", "old.txt"], "--cookies: old.txt: its cookie has expired, the last on 1970-01-01"),
        (["--cookies", "odd.txt"], "--cookies: odd.txt: line 1 has 1 fields, not the 7"),
        (["--proxy", "ftp://peter:pl4nted@x"], "--proxy: there is no way to use a proxy by 'ftp'"),
        (["--proxy", ""], "--proxy: it is empty"),
        (["--out", "rows.sqlite", "--append", "--key", ""], "--key: it is empty"),
        (["--proxy", "env"], "--proxy: env: none of HTTP_PROXY, HTTPS_PROXY, ALL_PROXY is set"),
    ],
)
def test_bad_values_are_usage_errors(options: list[str], says: str, tmp_path: Path) -> None:
    (tmp_path / "odd.txt").write_text("sid=pl4nted")
    (tmp_path / "old.txt").write_text("127.0.0.1\tFALSE\t/\tFALSE\t5\tsid\tpl4nted\n")
    query = QUERY.format(base="http://127.0.0.1:9")
    done = called("run", query, *options, cwd=tmp_path, NO_COLON="pl4nted")
    assert done.returncode == 2
    assert done.stderr.startswith(f"scrapewright: {says}"), done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "pl4nted" not in done.stderr


def test_trace_and_settings_have_them_too(tmp_path: Path) -> None:
    """From the config file and .env; `config show` says what is set, and no secret."""
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "scrapewright" / "config.toml"
    config.parent.mkdir(parents=True)
    seen: list[str] = []

    def page(handler: Handler) -> None:
        seen.append(handler.headers["Authorization"] or "")
        handler.send_response(204)
        handler.end_headers()

    with serve({"/": page}) as site:
        config.write_text(
            f'[web]\ncookies = "cookies.txt"\n[web.auth]\n"{site.base}" = "bearer:MUGS"\n'
            '[web.headers]\nX-Key = "pl4nted-1"\n'
        )
        cookies_txt(config.parent, "127.0.0.1")
        (tmp_path / ".env").write_text("MUGS=pl4nted-token\nSCRAPEWRIGHT_PROXY=http://peter:pl4nted@127.0.0.1:9\n")
        (tmp_path / "mine.py").write_text(f"import requests\nprint(requests.get('{site.base}/').request.headers)\n")
        traced = called("trace", "mine.py", "--allow", site.base, cwd=tmp_path)
        shown = called("config", "show", cwd=tmp_path)
    assert seen == ["Bearer pl4nted-token"], traced.stderr
    assert f"sent to {site.base}: a login (bearer, MUGS)" in traced.stderr
    assert "pl4nted" not in traced.stdout + traced.stderr + shown.stdout
    said = [line.split(None, 1) for line in shown.stdout.splitlines()]
    assert ["web.proxy", "set  (.env: SCRAPEWRIGHT_PROXY)"] in said
    assert ["web.headers", f"X-Key  ({config})"] in said
