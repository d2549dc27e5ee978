"""What works here, told on a stream."""

from __future__ import annotations

import io
from pathlib import Path

from scrapewright.headless.doctor import Check, show, web
from scrapewright.session.exit_codes import ExitCode
from scrapewright.settings import Secret, Web


def test_what_an_engine_says_of_itself_is_harmless() -> None:
    out = io.StringIO()
    said = "Docker 29\x1b]0;mine\x07 \x9b31m\u202e"
    checks = [Check("engine", True, said), Check("sandbox docker", False, "none", f"see {said}", needed=True)]
    assert show(checks, out, as_json=False) == ExitCode.RETRY_LATER
    assert out.getvalue().count("Docker 29 ") == 2
    assert not {"\x1b", "\x9b", "\u202e", "\x07"}.intersection(out.getvalue())


def test_the_proxy_and_the_cookies(tmp_path: Path) -> None:
    file = tmp_path / "cookies.txt"
    file.write_text("shop.test\tTRUE\t/\tTRUE\t0\tsid\tpl4nted\n")
    environ = {"HTTPS_PROXY": "http://wendy:pl4nted@proxy.test:3128"}
    (direct,) = web(Web(), {})
    (offers,) = web(Web(), environ)
    proxy, cookies = web(Web(proxy=Secret("env"), cookies=str(file)), environ)
    bad, gone = web(Web(proxy=Secret("ftp://wendy:pl4nted@x"), cookies="gone.txt"), environ)
    assert direct.detail == "none; sites are dialled directly"
    assert offers.detail == "HTTPS_PROXY is set and not used: --proxy env uses it"
    assert (proxy.detail, cookies.detail) == ("http://proxy.test:3128", f"1 in {file}")
    assert [check.ok for check in (bad, gone)] == [False, False]
    assert "pl4nted" not in str([direct, offers, proxy, cookies, bad, gone])
