from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from email.utils import formatdate
from pathlib import Path

import httpcore2
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.web.politeness import USER_AGENT, Politeness, RobotsReply, Throttle, read_robots, retry_after
from tests.unit.web.site import PUBLIC, QUICK, Got, Say, Site, rig, serving

POLITE = msgspec.structs.replace(QUICK, robots=True)


def rules(text: str) -> Say:
    return Say(text.encode(), headers=[("Content-Type", "text/plain")])


async def test_robots_rules_are_kept_and_said(tmp_path: Path) -> None:
    site = Site({"/robots.txt": rules("User-agent: *\nDisallow: /private\n"), "/": Say(b"x"), "/private/a": Say(b"no")})
    async with serving(site), rig([site.base], tmp_path, politeness=POLITE) as made:
        assert (await made.get(site.base + "/")).content == b"x"
        refused = await made.get(site.base + "/private/a")
        page = await made.gateway.fetch(site.base + "/private/a")
    assert (refused.status_code, refused.headers["X-Scrapewright"]) == (403, "robots")
    assert "--ignore-robots" in refused.text
    assert (page.error, page.status) == ("robots", 0)
    assert site.paths() == ["/robots.txt", "/"]
    assert [seen.verdict for seen in made.log] == ["allowed", "allowed", "robots", "robots"]


async def test_robots_is_a_page_only_where_somebody_asked_for_it(tmp_path: Path) -> None:
    site = Site({"/robots.txt": rules("User-agent: *\nDisallow: /private\n"), "/": Say(b"x")})
    async with serving(site), rig([site.base], tmp_path, politeness=POLITE) as made:
        await made.get(site.base + "/")
        assert set(made.gateway.pages()) == {site.base + "/"}
        await made.get(site.base + "/robots.txt")
        assert set(made.gateway.pages()) == {site.base + "/", site.base + "/robots.txt"}
    assert site.paths() == ["/robots.txt", "/"]


async def test_robots_can_be_switched_off(tmp_path: Path) -> None:
    site = Site({"/robots.txt": rules("User-agent: *\nDisallow: /\n"), "/": Say(b"x")})
    async with serving(site), rig([site.base], tmp_path, politeness=QUICK) as made:
        assert (await made.get(site.base + "/")).content == b"x"
        assert (await made.get(site.base + "/?2")).content == b"x"
    assert site.paths() == ["/", "/?2"]
    assert [seen.note for seen in made.log] == ["robots.txt was not asked", ""]


async def test_robots_rules_for_us_by_name_count_whatever_the_program_calls_itself(tmp_path: Path) -> None:
    text = "User-agent: scrapewright\nDisallow: /a\n\nUser-agent: mine\nDisallow: /b\n\nUser-agent: *\nDisallow: /c\n"
    site = Site({"/robots.txt": rules(text)} | {path: Say(b"x") for path in ("/a", "/b", "/c", "/d")})
    async with serving(site), rig([site.base], tmp_path, politeness=POLITE) as made:
        own = [(await made.get(site.base + path)).status_code for path in ("/a", "/b", "/c", "/d")]
        made.session.headers["User-Agent"] = "mine/1.0"
        named = [(await made.get(site.base + path)).status_code for path in ("/a?1", "/b?1", "/c?1", "/d?1")]
    assert own == [403, 200, 200, 200]
    assert named == [403, 403, 200, 200]


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (Say(b"", 404), 200),
        (Say(b"", 410), 200),
        (Say(b"", 401), 200),
        (Say(b"", 403), 200),
        (Say(b"", 500), 403),
        (Say(b"", 503), 403),
        (Say(b"", 429), 403),
        (Say(b"\x00\xff<html>not rules</html>"), 200),
        (Say(b"\xef\xbb\xbfUser-agent: *\r\nDisallow: /\r\n"), 403),
        (Say(b"User-agent: *\nDisallow:\n"), 200),
        (Say(b"#" * (600 << 10) + b"\nUser-agent: *\nDisallow: /\n"), 200),
        (Say(status=302, headers=[("Location", "/elsewhere")]), 403),
        (Say(status=302, headers=[("Location", "http://evil.test/robots.txt")]), 200),
        (Say(status=302, headers=[("Location", "/robots.txt")]), 200),
        (Say(status=302, headers=[("Location", "gopher://x")]), 200),
        (Say(raw=b"\x00\r\n\r\n"), 403),
    ],
    ids=lambda value: value if isinstance(value, int) else f"{value.status}-{(value.raw or value.body)[:12]!r}",
)
async def test_what_an_odd_robots_answer_means(tmp_path: Path, answer: Say, status: int) -> None:
    site = Site({"/robots.txt": answer, "/": Say(b"x"), "/elsewhere": rules("User-agent: *\nDisallow: /")})
    async with serving(site), rig([site.base], tmp_path, politeness=POLITE) as made:
        got = await made.get(site.base + "/")
        assert made.gateway.refused() == []  # where robots.txt leads is no question for the person
    assert got.status_code == status
    if status == 403:
        assert got.headers["X-Scrapewright"] == "robots"


async def test_a_site_that_recovers_is_asked_for_its_rules_again(tmp_path: Path) -> None:
    site = Site({"/robots.txt": Say(b"", 500), "/": Say(b"x")})
    async with serving(site), rig([site.base], tmp_path, politeness=POLITE) as made:
        assert (await made.get(site.base + "/")).status_code == 403
        site.routes["/robots.txt"] = rules("User-agent: *\nAllow: /")
        assert (await made.get(site.base + "/")).status_code == 200


async def test_an_unreachable_site_is_that_and_not_robots(tmp_path: Path) -> None:
    async def lookup(host: str, port: int) -> Sequence[str]:
        raise OSError(-2, "Name or service not known")

    site = Site()
    await site.start()
    await site.stop()
    async with rig([site.base, "http://no.test/"], tmp_path, politeness=POLITE, lookup=lookup) as made:
        assert (await made.gateway.fetch(site.base + "/")).error == "refused"
        assert (await made.gateway.fetch("http://no.test/")).error == "dns"


async def test_robots_is_taped_and_not_needed_for_what_is_on_the_tape(tmp_path: Path) -> None:
    site = Site({"/robots.txt": rules("User-agent: *\nDisallow: /b"), "/a": Say(b"a"), "/b": Say(b"b")})
    async with serving(site):
        async with rig([site.base], tmp_path, politeness=POLITE) as made:
            await made.get(site.base + "/a")
        async with rig([site.base], tmp_path, politeness=POLITE) as made:
            assert (await made.get(site.base + "/a")).content == b"a"
            assert (await made.get(site.base + "/b")).status_code == 403
            assert [seen.verdict for seen in made.log] == ["tape", "tape", "robots"]
    assert site.paths() == ["/robots.txt", "/a"]
    async with rig([site.base], tmp_path, politeness=POLITE, mode="only") as made:
        assert (await made.get(site.base + "/a")).content == b"a"


@pytest.mark.parametrize("status", [429, 502, 503, 504])
async def test_passing_troubles_are_tried_again(tmp_path: Path, status: int) -> None:
    answers = iter([Say(b"", status), Say(b"", status, [("Retry-After", "0")]), Say(b"here")])
    site = Site({"/": lambda got: next(answers)})
    async with serving(site), rig([site.base], tmp_path) as made:
        got = await made.get(site.base + "/")
    assert got.content == b"here"
    [seen] = made.log
    assert (seen.status, seen.note) == (200, "try 3; robots.txt was not asked")


async def test_trying_again_ends(tmp_path: Path) -> None:
    site = Site({"/": Say(b"later", 503, [("X-Own", "1")]), "/post": Say(b"", 503), "/error": Say(b"", 500)})
    async with serving(site), rig([site.base], tmp_path) as made:
        got = await made.get(site.base + "/")
        assert (got.status_code, got.content, got.headers["X-Own"]) == (503, b"later", "1")
        assert (await made.get(site.base + "/post", "POST", data=b"a")).status_code == 503
        assert (await made.get(site.base + "/error")).status_code == 500
    assert site.paths() == ["/"] * 3 + ["/post", "/error"]


async def test_a_retry_after_that_is_too_long_is_for_the_person(tmp_path: Path) -> None:
    site = Site({"/": Say(b"", 429, [("Retry-After", "3600")])})
    async with serving(site), rig([site.base], tmp_path) as made:
        assert (await made.get(site.base + "/")).status_code == 429
    assert len(site.got) == 1


async def test_a_broken_connection_is_tried_again(tmp_path: Path) -> None:
    answers = iter([Say(raw=b""), Say(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhal"), Say(b"whole")])
    site = Site({"/": lambda got: next(answers)})
    async with serving(site), rig([site.base], tmp_path) as made:
        assert (await made.get(site.base + "/")).content == b"whole"


async def test_a_post_is_not_sent_twice(tmp_path: Path) -> None:
    site = Site({"/": Say(raw=b"")})
    async with serving(site), rig([site.base], tmp_path) as made:
        assert (await made.get(site.base + "/", "POST", data=b"order")).status_code == 502
    assert len(site.got) == 1


async def test_a_site_that_does_not_answer(tmp_path: Path) -> None:
    async def never(got: Got) -> Say:
        await asyncio.Event().wait()
        raise AssertionError

    site = Site({"/": never})
    quick = msgspec.structs.replace(QUICK, read_timeout=0.1, tries=2)
    async with serving(site), rig([site.base], tmp_path, politeness=quick) as made:
        got = await made.get(site.base + "/")
        page = await made.gateway.fetch(site.base + "/")
    assert (got.status_code, got.headers["X-Scrapewright"]) == (504, "timeout")
    assert page.error == "timeout"
    assert len(site.got) == 4


async def test_a_head_that_trickles_is_given_up(tmp_path: Path) -> None:
    async def trickle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            writer.write(b"HTTP/1.1 200 OK\r\n")
            while True:
                writer.write(b"X: y\r\n")
                await writer.drain()
                await asyncio.sleep(0.02)
        except OSError:
            writer.close()

    server = await asyncio.start_server(trickle, "127.0.0.1", 0)
    base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    quick = msgspec.structs.replace(QUICK, connect_timeout=0.1, read_timeout=0.2, tries=1)
    async with rig([base], tmp_path, politeness=quick) as made:
        assert (await made.gateway.fetch(base + "/")).error == "timeout"
    server.close()
    await server.wait_closed()


async def test_a_page_that_never_ends_is_given_up_by_the_survey(tmp_path: Path) -> None:
    async def drip() -> object:
        while True:
            yield b"a"
            await asyncio.sleep(0.02)

    site = Site({"/": lambda got: Say(pieces=drip())})  # type: ignore[arg-type]
    quick = msgspec.structs.replace(QUICK, page_timeout=0.3)
    async with serving(site), rig([site.base], tmp_path, politeness=quick) as made:
        assert (await made.gateway.fetch(site.base + "/")).error == "timeout"


async def test_one_at_a_time(tmp_path: Path) -> None:
    now, most = 0, 0

    async def slow(got: Got) -> Say:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        now -= 1
        return Say(b"x")

    site = Site({"/": slow})
    async with serving(site), rig([site.base], tmp_path) as made:
        await asyncio.gather(*(made.gateway.fetch(f"{site.base}/?n={number}") for number in range(6)))
    assert len(site.got) == 6
    assert most == 1


async def test_a_pause_between_requests_but_not_on_loopback() -> None:
    pace = Throttle(Politeness(delay=0.15))
    moments: list[float] = []
    reported: list[float] = []

    async def go(host: str) -> None:
        async with pace.turn(host, reported.append):
            moments.append(time.monotonic())

    await asyncio.gather(*(go("shop.test") for _ in range(3)))
    assert moments[1] - moments[0] >= 0.14
    assert moments[2] - moments[1] >= 0.14
    assert len(reported) == 2
    await asyncio.gather(*(go("127.0.0.1") for _ in range(3)), go("other.test"))
    assert len(moments) == 7
    assert len(reported) == 2, "nobody else has waited"


async def test_a_pause_is_reported_before_it_begins() -> None:
    pace = Throttle(Politeness(delay=0.05))
    reported: list[float] = []
    for _ in range(3):
        async with pace.turn("shop.test", reported.append):
            assert not reported or reported[-1] <= 0.05
    assert len(reported) == 2
    assert min(reported) > 0


async def test_a_crawl_delay_slows_down_up_to_a_bound() -> None:
    pace = Throttle(Politeness(delay=0.1, longest_delay=0.2))
    assert pace.ask("slow.test", 3600) == "robots.txt asks for 3600 s between requests; 0.2 s are kept"
    assert pace.ask("fast.test", 0.001) == ""
    for host, delay in (("slow.test", 0.2), ("fast.test", 0.1)):
        reported: list[float] = []
        async with pace.turn(host):
            started = time.monotonic()
        async with pace.turn(host, reported.append):
            assert time.monotonic() - started >= delay
        assert all(0 < pause <= delay for pause in reported)


async def test_a_crawl_delay_is_read_from_robots(tmp_path: Path) -> None:
    dialled: list[float] = []
    site = Site({"/robots.txt": rules("User-agent: *\nCrawl-delay: 0.3\n"), "/": Say(b"x")})

    async def lookup(host: str, port: int) -> Sequence[str]:
        return [PUBLIC]

    async with serving(site):

        async def dial(address: str, port: int, seconds: float) -> httpcore2.AsyncNetworkStream:
            return await httpcore2.AnyIOBackend().connect_tcp("127.0.0.1", site.port)

        site.routes["/"] = lambda got: dialled.append(time.monotonic()) or Say(b"x")  # type: ignore[func-returns-value]
        politeness = msgspec.structs.replace(POLITE, delay=0.01)
        async with rig(["http://shop.test/"], tmp_path, politeness=politeness, lookup=lookup, dial=dial) as made:
            for number in range(3):
                assert (await made.gateway.fetch(f"http://shop.test/?n={number}")).status == 200
    assert dialled[2] - dialled[1] >= 0.28


async def test_who_we_say_we_are(tmp_path: Path) -> None:
    site = Site({"/": lambda got: Say(got.headers["user-agent"].encode())})
    async with serving(site), rig([site.base], tmp_path, mode="live") as made:
        library = await made.get(site.base + "/")  # python-requests/2.x
        own = await made.get(site.base + "/", headers={"User-Agent": "mine/1.0"})
        none = await made.get(site.base + "/", headers={"User-Agent": None})
        survey = await made.gateway.fetch(site.base + "/")
    assert [answer.text for answer in (library, own, none)] == [USER_AGENT, "mine/1.0", USER_AGENT]
    assert survey.body.decode() == USER_AGENT
    assert "scrapewright/" in USER_AGENT


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("0", 0.0), ("120", 120.0), (" 5 ", 5.0), ("", None), ("soon", None), ("-1", None), ("1.5", None), ("٣", None)],
)
def test_retry_after(value: str, seconds: float | None) -> None:
    assert retry_after(value, 1000.0) == seconds


def test_retry_after_as_a_date() -> None:
    assert retry_after(formatdate(1060, usegmt=True), 1000.0) == 60.0
    assert retry_after(formatdate(900, usegmt=True), 1000.0) == 0.0


def test_a_robots_file_that_breaks_its_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(text: str) -> None:
        raise RecursionError

    monkeypatch.setattr("scrapewright.web.politeness.Protego.parse", broken)
    rules, verdict = read_robots(RobotsReply(200, b"User-agent: *"))
    assert rules is None
    assert verdict.allowed
    assert "can't be read" in verdict.note


@given(st.text(max_size=40))
def test_any_retry_after_is_a_number_or_none(value: str) -> None:
    found = retry_after(value, 0.0)
    assert found is None or found >= 0


@given(st.binary(max_size=400), st.integers(100, 599))
def test_any_robots_file_can_be_read(body: bytes, status: int) -> None:
    read_robots(RobotsReply(status, body))
