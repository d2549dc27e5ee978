"""What is fetched once is not fetched again, and what is secret is not written."""

from __future__ import annotations

import asyncio
from pathlib import Path

import diskcache
import pytest

from scrapewright.web.disk import BytesStore
from scrapewright.web.gateway import Gateway
from scrapewright.web.tape import Exchange, Tape, TapeError, remove
from tests.unit.web.site import Got, Say, Site, rig, serving


def exchange(url: str = "http://shop.test/", status: int = 200, **more: object) -> Exchange:
    values: dict[str, object] = {"method": "GET", "url": url, "key": "k" + url, "place": "p" + url, "at": 1.0}
    return Exchange(**(values | {"status": status} | more))  # type: ignore[arg-type]


async def test_a_retry_fetches_nothing_twice(tmp_path: Path) -> None:
    site = Site({"/": Say(b"one"), "/gone": Say(b"", 410), "/moved": Say(status=301, headers=[("Location", "/")])})
    async with serving(site):
        for attempt in range(2):
            async with rig([site.base], tmp_path, attempt=attempt) as made:
                assert (await made.gateway.fetch(site.base + "/")).body == b"one"
                assert (await made.get(site.base + "/")).content == b"one"
                assert (await made.get(site.base + "/moved")).content == b"one"
                assert (await made.get(site.base + "/gone")).status_code == 410
                assert (await made.get(site.base + "/lost")).status_code == 404
        assert site.paths() == ["/", "/moved", "/gone", "/lost"]
        assert all(seen.from_tape and seen.verdict == "tape" for seen in made.log)


async def test_only_works_with_the_server_stopped(tmp_path: Path) -> None:
    site = Site(
        {
            "/": Say(b"one", headers=[("Content-Type", "text/html")]),
            "/search": lambda got: Say(b"found " + got.body),
            "/busy": Say(b"later", 503),
        }
    )
    async with serving(site), rig([site.base], tmp_path) as made:
        await made.get(site.base + "/")
        await made.get(site.base + "/search", "POST", data=b"a")
        await made.get(site.base + "/search", "POST", data=b"b")
        await made.get(site.base + "/busy")
    for session in ("one", "another"):
        async with rig([site.base], tmp_path, session=session, mode="only") as made:
            page = await made.get(site.base + "/")
            assert (page.content, page.headers["Content-Type"]) == (b"one", "text/html")
            assert (await made.get(site.base + "/search", "POST", data=b"a")).content == b"found a"
            assert (await made.get(site.base + "/search", "POST", data=b"b")).content == b"found b"
            miss = await made.get(site.base + "/search", "POST", data=b"c")
            assert (miss.status_code, miss.headers["X-Scrapewright"]) == (504, "miss")
            assert "not on the tape" in miss.text
            busy = await made.get(site.base + "/busy")
            assert (busy.status_code, busy.headers["X-Scrapewright"]) == (504, "miss")
            assert (await made.gateway.fetch(site.base + "/other")).error == "miss"
            assert (await made.gateway.fetch(site.base + "/")).from_tape
            assert [seen.verdict for seen in made.log] == ["tape"] * 3 + ["miss"] * 3 + ["tape"]
            assert made.gateway.pages()[site.base + "/"].body == b"one"
    remove(tmp_path / "tape", "one")
    async with rig([site.base], tmp_path, session="another", mode="only") as made:
        assert (await made.get(site.base + "/")).content == b"one"  # its tape held a copy of its own


async def test_only_says_that_there_is_just_a_503(tmp_path: Path) -> None:
    site = Site({"/busy": Say(b"later", 503)})
    async with serving(site), rig([site.base], tmp_path) as made:
        await made.get(site.base + "/busy")
    async with rig([site.base], tmp_path, mode="only") as made:
        assert "only a 503 is" in (await made.get(site.base + "/busy")).text


async def test_the_policy_holds_for_the_tape_too(tmp_path: Path) -> None:
    site = Site({"/": Say(b"one")})
    async with serving(site), rig([site.base], tmp_path) as made:
        await made.get(site.base + "/")
    for mode in ("reuse", "only"):
        async with rig(["http://shop.test/"], tmp_path, mode=mode) as made:
            assert (await made.get(site.base + "/")).status_code == 403


async def test_a_stored_503_is_not_replayed(tmp_path: Path) -> None:
    answers = iter([Say(b"later", 503)] * 3 + [Say(b"here", 200)])
    site = Site({"/": lambda got: next(answers)})
    async with serving(site), rig([site.base], tmp_path) as made:
        assert (await made.get(site.base + "/")).status_code == 503
        assert (await made.get(site.base + "/")).content == b"here"
        assert (await made.get(site.base + "/")).content == b"here"
    assert len(site.got) == 4
    assert [exchange.status for exchange in Tape(tmp_path / "tape", "one").exchanges()] == [503, 200]


async def test_live_asks_again_and_still_writes(tmp_path: Path) -> None:
    site = Site({"/": lambda got: Say(str(len(site.got)).encode())})
    async with serving(site), rig([site.base], tmp_path, mode="live") as made:
        assert [(await made.get(site.base + "/")).content for _ in range(3)] == [b"1", b"2", b"3"]
        assert made.gateway.pages()[site.base + "/"].body == b"3"
    async with rig([site.base], tmp_path, mode="only") as made:
        assert (await made.get(site.base + "/")).content == b"3"


async def test_another_session_fetches_for_itself(tmp_path: Path) -> None:
    site = Site({"/": lambda got: Say(str(len(site.got)).encode())})
    async with serving(site):
        for session in ("one", "two"):
            async with rig([site.base], tmp_path, session=session) as made:
                await made.get(site.base + "/")
    assert len(site.got) == 2


async def test_posts_go_out_each_time(tmp_path: Path) -> None:
    site = Site({"/": lambda got: Say(str(len(site.got)).encode())})
    async with serving(site), rig([site.base], tmp_path) as made:
        assert (await made.get(site.base + "/", "POST", data=b"a")).content == b"1"
        assert (await made.get(site.base + "/", "POST", data=b"a")).content == b"2"


async def test_the_same_page_at_the_same_time_is_fetched_once(tmp_path: Path) -> None:
    site = Site({"/": Say(b"one")})
    async with serving(site), rig([site.base], tmp_path) as made:
        await asyncio.gather(*(made.gateway.fetch(site.base + "/") for _ in range(8)))
    assert len(site.got) == 1


async def test_a_head_is_answered_from_a_taped_get(tmp_path: Path) -> None:
    site = Site({"/": Say(b"one", headers=[("X-Own", "1")])})
    async with serving(site), rig([site.base], tmp_path) as made:
        await made.get(site.base + "/")
        head = await made.get(site.base + "/", "HEAD")
    assert (head.headers["X-Own"], head.headers["Content-Length"], head.content) == ("1", "3", b"")
    assert len(site.got) == 1


async def test_parts_and_conditions_are_kept_apart(tmp_path: Path) -> None:
    def answer(got: Got) -> Say:
        if "range" in got.headers:
            return Say(b"ne", 206, [("Content-Range", "bytes 1-2/3")])
        if "if-none-match" in got.headers:
            return Say(status=304, headers=[("ETag", '"1"')])
        return Say(b"one")

    site = Site({"/": answer})
    async with serving(site), rig([site.base], tmp_path) as made:
        for _ in range(2):
            assert (await made.get(site.base + "/", headers={"Range": "bytes=1-2"})).content == b"ne"
            assert (await made.get(site.base + "/", headers={"If-None-Match": '"1"'})).status_code == 304
            assert (await made.get(site.base + "/")).content == b"one"
    assert len(site.got) == 3
    assert site.got[0].headers["accept-encoding"] == "identity"
    async with rig([site.base], tmp_path, session="two", mode="only") as made:
        assert (await made.get(site.base + "/")).content == b"one"


async def test_vary_is_heeded(tmp_path: Path) -> None:
    def answer(got: Got) -> Say:
        return Say(got.headers.get("accept", "").encode(), headers=[("Vary", "Accept, User-Agent, Accept-Encoding")])

    site = Site({"/": answer})
    async with serving(site), rig([site.base], tmp_path) as made:
        for _ in range(2):
            for kind in ("application/json", "text/html"):
                assert (await made.get(site.base + "/", headers={"Accept": kind})).text == kind
            await made.get(site.base + "/", headers={"User-Agent": "mine/1.0", "Accept": "*/*"})
            await made.get(site.base + "/", headers={"User-Agent": "mine/2.0", "Accept": None})
    assert len(site.got) == 3


SECRET = "s3cr3t-Value-0123456789abcdef"


def disk_text(directory: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file())


async def test_no_secret_reaches_the_disk_or_the_log(tmp_path: Path) -> None:
    site = Site(
        {
            "/": Say(
                b"page",
                headers=[
                    ("Set-Cookie", f"session={SECRET}; Path=/; HttpOnly"),
                    ("X-Auth-Token", SECRET),
                    ("Location", f"/next?access_token={SECRET}&page=2"),
                ],
            ),
            "/next": Say(b"next"),
        }
    )
    async with serving(site), rig([site.base], tmp_path) as made:
        first = await made.get(
            f"{site.base}/?api_key={SECRET}&page=1", headers={"Authorization": f"Bearer {SECRET}", "X-Api-Key": SECRET}
        )
        assert first.cookies["session"] == SECRET  # the program itself gets what the site sent
        await made.get(site.base + "/next", "POST", data={"password": SECRET}, cookies={"own": SECRET})
        await made.gateway.fetch(site.base.replace("://", f"://user:{SECRET}@") + "/next")
        again = await made.get(f"{site.base}/?api_key={SECRET}&page=1", headers={"Authorization": f"Bearer {SECRET}"})
        assert again.headers["X-Auth-Token"] == SECRET
        pages = made.gateway.pages()
        assert made.log[0].url in pages  # as the log has it
        assert pages[made.log[0].url] is pages[f"{site.base}/?api_key={SECRET}&page=1"]
    assert site.got[0].headers["authorization"] == f"Bearer {SECRET}"
    assert site.got[0].target == f"/?api_key={SECRET}&page=1"
    assert [got.headers.get("authorization", "")[:5] for got in site.got[2:]] == ["Basic"]
    written = disk_text(tmp_path / "tape")
    assert b"page=1" in written
    assert SECRET.encode() not in written
    assert all(SECRET not in seen.url and SECRET not in seen.note for seen in made.log)
    assert made.log[0].url.endswith("&page=1")


async def test_a_redirect_with_a_token_replays_from_the_disk(tmp_path: Path) -> None:
    site = Site(
        {
            "/": Say(status=302, headers=[("Location", f"/in?token={SECRET}"), ("Set-Cookie", f"id={SECRET}; Path=/")]),
            "/in": lambda got: Say(b"in", status=200 if got.headers.get("cookie") == f"id={SECRET}" else 403),
        }
    )
    async with serving(site), rig([site.base], tmp_path) as made:
        assert (await made.get(site.base + "/")).content == b"in"
    async with rig([site.base], tmp_path, mode="only") as made:
        assert (await made.get(site.base + "/")).content == b"in"
        assert (await made.gateway.fetch(site.base + "/")).body == b"in"
        [page] = [page for url, page in made.gateway.pages().items() if url == site.base + "/"]
        assert page.body == b"in"


async def test_visitor_numbers_do_not_part_what_is_the_same(tmp_path: Path) -> None:
    """A program that keeps cookies finds what the survey fetched without; a cookie of its own is another page."""
    site = Site({})

    def answer(got: Got) -> Say:
        return Say(
            got.target.encode(), headers=[("Set-Cookie", f"visitor={len(site.got):04}-0123456789abcdef; Path=/")]
        )

    site.routes = {"/1": answer, "/2": answer}
    async with serving(site), rig([site.base], tmp_path) as made:
        for path in ("/1", "/2"):
            await made.gateway.fetch(site.base + path)
        for path in ("/1", "/2", "/1"):
            assert (await made.get(site.base + path)).text == path
        assert site.paths() == ["/1", "/2"]
        await made.get(site.base + "/1", cookies={"currency": "EUR"})
        assert site.paths() == ["/1", "/2", "/1"]


async def test_a_login_is_another_page(tmp_path: Path) -> None:
    def login(got: Got) -> Say:
        return Say(b"welcome", headers=[("Set-Cookie", "sid=0123456789abcdef0123; Path=/")])

    def page(got: Got) -> Say:
        return Say(b"mine" if "sid=" in got.headers.get("cookie", "") else b"everybody's")

    site = Site({"/login": login, "/": page})
    async with serving(site), rig([site.base], tmp_path) as made:
        assert (await made.get(site.base + "/")).content == b"everybody's"
        await made.get(site.base + "/login", "POST", data=b"user=a")
        assert (await made.get(site.base + "/")).content == b"mine"
        made.session.cookies.clear()
        assert (await made.get(site.base + "/")).content == b"everybody's"
    assert len(site.got) == 3


async def test_a_session_known_only_by_its_token_is_not_sent_on(tmp_path: Path) -> None:
    site = Site({"/": Say(b"one", headers=[("Set-Cookie", f"sid={SECRET}; Path=/")]), "/new": Say(b"two")})
    async with serving(site):
        async with rig([site.base], tmp_path) as made:
            await made.get(site.base + "/")
        async with rig([site.base], tmp_path) as made:  # as after a restart
            await made.get(site.base + "/")
            assert made.session.cookies["sid"].startswith("veiled-")
            await made.get(site.base + "/new", cookies={"mine": "1"})
    assert site.paths() == ["/", "/new"]
    assert site.got[1].headers["cookie"] == "mine=1"


async def test_pages_by_url_asked_and_final(tmp_path: Path) -> None:
    site = Site(
        {
            "/": Say(status=302, headers=[("Location", "/home")]),
            "/home": Say(b"home", headers=[("Content-Type", "text/html")]),
            "/flaky": Say(b"good"),
            "/find": lambda got: Say(b"found " + got.body),
            "/loop": Say(status=302, headers=[("Location", "/loop")]),
        }
    )
    async with serving(site), rig([site.base], tmp_path, mode="live") as made:
        await made.get(site.base + "/")
        await made.get(site.base + "/flaky")
        site.routes["/flaky"] = Say(b"oops", 500)
        await made.get(site.base + "/flaky")
        await made.get(site.base + "/find", "POST", data=b"a")
        await made.get(site.base + "/home", "HEAD")
        assert (await made.gateway.fetch(site.base + "/loop")).error == "redirects"
        pages = made.gateway.pages()
        assert (pages[site.base + "/"].body, pages[site.base + "/"].url) == (b"home", site.base + "/home")
        assert pages[site.base + "/"].asked == site.base + "/"
        assert pages[site.base + "/home"].media_type == "text/html"
        assert pages[site.base + "/flaky"].body == b"good"
        [found] = [page for url, page in pages.items() if "#POST" in url]
        assert (found.url, found.body, found.method) == (site.base + "/find", b"found a", "POST")
        assert pages[site.base + "/find"] is found
        assert pages[site.base + "/home"] is pages[site.base + "/home"]
        assert site.base + "/nowhere" not in pages
        with pytest.raises(KeyError):
            pages[site.base + "/nowhere"]
        bodies = await asyncio.to_thread(lambda: {url: page.body for url, page in pages.items()})  # critics run beside
        assert len(bodies) == len(pages) == 5


async def test_a_gateway_that_is_not_open_says_so(tmp_path: Path) -> None:
    gateway = Gateway([], tape=tmp_path / "tape", session="one")
    with pytest.raises(RuntimeError, match="not open"):
        gateway.connect(1)
    await gateway.close()


def test_exchanges_are_only_added(tmp_path: Path) -> None:
    one, two = Tape(tmp_path, "s"), Tape(tmp_path, "s")  # a second writer does not overwrite the first
    one.add(exchange("a"), b"A")
    two.add(exchange("b"), b"B")
    one.add(exchange("c"), b"C")
    found = Tape(tmp_path, "s")
    assert [entry.url for entry in found.exchanges()] == ["a", "b", "c"]
    assert [found.body(entry) for entry in found.exchanges()] == [b"A", b"B", b"C"]


def test_a_write_that_fails_leaves_no_hole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tape = Tape(tmp_path, "s")
    tape.add(exchange("a"), b"A")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(diskcache.Disk, "_write", full)
        with pytest.raises(TapeError, match="No space left"):
            tape.add(exchange("b"), b"B" * 100_000)
    tape.add(exchange("c"), b"C")
    assert [entry.url for entry in tape.exchanges()] == ["a", "c"]
    assert [entry.url for entry in Tape(tmp_path, "s").exchanges()] == ["a", "c"]


def test_bodies_are_kept_once_and_go_with_their_last_holder(tmp_path: Path) -> None:
    body = b"x" * 100_000
    stored = [Tape(tmp_path, session).add(exchange(), body) for session in ("one", "two")]
    assert stored[0].body == stored[1].body
    assert sum(path.stat().st_size for path in tmp_path.rglob("*.val")) == len(body)
    assert remove(tmp_path, "one") == 1
    left = Tape(tmp_path, "two")
    assert left.body(left.exchanges()[0]) == body
    assert left.find_shared("khttp://shop.test/", "phttp://shop.test/") is not None
    assert remove(tmp_path, "two") == 1
    assert remove(tmp_path, "two") == 0
    assert list(tmp_path.rglob("*.val")) == []
    assert left.find_shared("khttp://shop.test/", "phttp://shop.test/") is None


def test_a_lost_or_changed_body_is_a_miss(tmp_path: Path) -> None:
    tape = Tape(tmp_path, "s")
    stored = tape.add(exchange(), b"x" * 100_000)
    [path] = tmp_path.rglob("*.val")
    path.write_bytes(b"y" * 100_000)
    assert tape.body(stored) is None
    path.unlink()
    assert tape.body(stored) is None
    assert tape.body(exchange()) == b""
    tape.add(exchange(), b"x" * 100_000)  # fetched again, it is whole again
    assert tape.body(stored) == b"x" * 100_000


def test_nothing_is_evicted(tmp_path: Path) -> None:
    tape = Tape(tmp_path, "s")
    for number in range(50):
        tape.add(exchange(str(number)), bytes([number]) * 40_000)
    assert len(Tape(tmp_path, "s").exchanges()) == 50


@pytest.mark.parametrize("session", ["", "a/b"])
def test_a_session_has_an_id(tmp_path: Path, session: str) -> None:
    with pytest.raises(ValueError, match="id"):
        Tape(tmp_path, session)


def test_a_tape_that_can_not_be_opened_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TapeError, match="can't be opened"):
        Tape(tmp_path / "file", "s")
    broken = tmp_path / "broken"
    Tape(broken, "s").add(exchange(), b"x")
    with BytesStore(broken, flush=False) as rows:
        rows.set("t/s/00000000", b"not msgpack")
    with pytest.raises(TapeError, match="can't be read"):
        Tape(broken, "s")


def test_a_damaged_tape_can_be_removed(tmp_path: Path) -> None:
    tape = Tape(tmp_path, "s")
    tape.add(exchange("a"), b"A" * 100_000)
    tape.add(exchange("b"), b"B" * 100_000)
    tape.close()
    with BytesStore(tmp_path, flush=False) as rows:
        rows.set("t/s/00000000", b"not msgpack")
        rows.set("q/pb", b"nor this")
    assert remove(tmp_path, "s") == 2
    assert Tape(tmp_path, "s").exchanges() == ()
    with BytesStore(tmp_path, flush=False) as rows:
        assert not [key for key, _ in rows.items() if key.startswith("t/")]


def test_a_tape_that_can_not_be_written_is_reported_when_removing(tmp_path: Path) -> None:
    (tmp_path / "cache.db").write_bytes(b"no database" * 500)
    with pytest.raises(TapeError, match="not a database"):
        remove(tmp_path, "s")


async def test_a_page_is_passed_on_even_if_it_can_not_be_taped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = Site({"/": Say(b"one")})

    def full(*_: object) -> Exchange:
        raise TapeError("the tape can't be written: no space left")

    async with serving(site), rig([site.base], tmp_path) as made:
        monkeypatch.setattr(Tape, "add", full)
        assert (await made.get(site.base + "/")).content == b"one"
    assert made.log[0].note.startswith("the tape can't be written: no space left")
