"""What the gateway sends on the person's behalf: where it goes, where it does not, and that nobody else has it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapewright.settings import Secret
from scrapewright.web.cookies import Cookies
from scrapewright.web.credentials import Credentials, StoredCookie, parse_headers, parse_login, with_secret
from scrapewright.web.echoes import Echoes
from scrapewright.web.identity import SET_AT_MOST, Identity
from scrapewright.web.urls import parse_url
from tests import suite
from tests.unit.web.site import Got, Say, Site, rig, serving

TOKEN = "pl4nted-tok/en+1"
CREDENTIALS = Credentials(headers=parse_headers(["X-Key: pl4nted-key", "Accept-Language: de-DE,de"]))


def login(text: str, secret: str) -> Credentials:
    return Credentials(logins=(with_secret(parse_login(text), Secret(secret)),))


def cookies(*found: StoredCookie) -> Credentials:
    return Credentials(cookies=found, cookies_from="cookies.txt")


def cookie(name: str, value: str, domain: str = "127.0.0.1", **more: object) -> StoredCookie:
    return StoredCookie(name, Secret(value), domain, **more)  # type: ignore[arg-type]


def sent(
    credentials: Credentials, sites: list[str], url: str, headers: Mapping[str, str] | None = None
) -> dict[str, str]:
    return dict(Identity(credentials, sites, b"salt").outgoing(list((headers or {}).items()), parse_url(url)))


# Where it goes.


@pytest.mark.parametrize(
    ("site", "url", "goes"),
    [
        ("https://shop.test/a", "https://shop.test/b?c", True),
        ("https://shop.test/", "https://www.shop.test/", True),
        ("https://www.shop.test/", "https://shop.test/", True),
        ("http://shop.test/", "https://shop.test/", True),
        ("http://shop.test:8000/", "http://shop.test:8000/", True),
        ("https://shop.test/", "http://shop.test/", False),
        ("http://shop.test:8000/", "http://shop.test/", False),
        ("http://shop.test/", "http://shop.test:8000/", False),
        ("https://shop.test/", "https://evil.shop.test/", False),
        ("https://shop.test/", "https://notshop.test/", False),
        ("http://127.0.0.1:1/", "http://127.0.0.1:2/", False),
    ],
)
def test_headers_go_to_the_sites_that_the_request_names(site: str, url: str, goes: bool) -> None:
    assert (sent(CREDENTIALS, [site], url).get("X-Key") == "pl4nted-key") is goes


@pytest.mark.parametrize(
    ("place", "site", "url", "goes"),
    [
        ("shop.test", "https://shop.test/", "https://shop.test/", True),
        ("shop.test", "http://shop.test:8000/", "http://shop.test:8000/", True),
        ("api.shop.test", "http://shop.test/", "https://api.shop.test/", True),
        ("api.shop.test", "http://shop.test/", "http://api.shop.test/", False),
        ("http://api.shop.test", "http://shop.test/", "http://api.shop.test/", True),
        ("shop.test:8000", "http://shop.test/", "http://shop.test/", False),
        ("shop.test", "https://shop.test/", "https://other.test/", False),
    ],
)
def test_a_login_goes_to_its_host(place: str, site: str, url: str, goes: bool) -> None:
    found = sent(login(f"{place}=bearer:SHOP", "pl4nted"), [site], url)
    assert (found.get("Authorization") == "Bearer pl4nted") is goes


def test_a_login_overrides_headers_of_the_same_name() -> None:
    both = Credentials(
        headers=parse_headers(["Authorization: Token x"]), logins=login("a.test=basic:A", "wendy:pässword").logins
    )
    found = sent(both, ["https://a.test/", "https://b.test/"], "https://a.test/", {"authorization": "the program's"})
    assert found == {"Authorization": "Basic d2VuZHk6cMOkc3N3b3Jk"}
    assert sent(both, ["https://a.test/", "https://b.test/"], "https://b.test/") == {"Authorization": "Token x"}


@pytest.mark.parametrize(
    ("given", "url", "goes"),
    [
        (cookie("a", "1", "shop.test"), "http://shop.test/", True),
        (cookie("a", "1", "shop.test"), "http://www.shop.test/", False),
        (cookie("a", "1", "shop.test", host_only=False), "http://www.shop.test/", True),
        (cookie("a", "1", "shop.test", host_only=False), "http://notshop.test/", False),
        (cookie("a", "1", "shop.test", path="/in"), "http://shop.test/in/x", True),
        (cookie("a", "1", "shop.test", path="/in"), "http://shop.test/inside", False),
        (cookie("a", "1", "shop.test", secure=True), "http://shop.test/", False),
        (cookie("a", "1", "shop.test", secure=True), "https://shop.test/", True),
        (cookie("a", "1", "shop.test", expires=1), "http://shop.test/", False),
        (cookie("a", "1", "localhost"), "http://localhost:8000/", True),
        (cookie("a", "1", "127.0.0.1"), "http://127.0.0.1:8000/", True),
    ],
)
def test_cookies_go_by_their_own_rules(given: StoredCookie, url: str, goes: bool) -> None:
    assert (sent(cookies(given), ["http://shop.test/"], url).get("Cookie") == "a=1") is goes


def test_cookies_that_a_site_sets_go_where_it_says() -> None:
    jar = Cookies()
    jar.take([("Set-Cookie", "own=1; Path=/"), ("Set-Cookie", "all=2; Path=/; Domain=shop.test")], "http://shop.test/")
    assert sorted(jar.pairs("http://shop.test/x")) == ["all=2", "own=1"]
    assert jar.pairs("http://www.shop.test/") == ["all=2"]
    jar.take([("Set-Cookie", "own=; Path=/; Max-Age=0")], "http://shop.test/")
    assert jar.pairs("http://shop.test/") == ["all=2"]


def test_a_programs_own_cookies_stay_beside_those_of_the_file() -> None:
    found = sent(cookies(cookie("sid", "ours", "shop.test")), [], "http://shop.test/", {"Cookie": "sid=its; lang=de"})
    assert found == {"Cookie": "lang=de; sid=ours"}


async def test_nothing_follows_a_redirect_or_a_program_to_another_site(tmp_path: Path) -> None:
    def listed(got: Got) -> Say:
        return Say(repr(sorted(got.headers.items())).encode())

    other = Site({"/": listed})
    async with serving(other):
        site = Site({"/": Say(status=302, headers=[("Location", other.base + "/")]), "/own": listed})
        async with serving(site):
            given = Credentials(CREDENTIALS.headers, login(f"{site.base}=basic:S", "wendy:pl4nted-pw").logins)
            async with rig([site.base], tmp_path, allow=[other.base], credentials=given) as made:
                page = await made.gateway.fetch(site.base + "/")
                answer = await made.get(other.base + "/")
                await made.get(site.base + "/own", headers={"X-Key": "mine", "Authorization": "mine"})
    assert page.url == other.base + "/"
    assert answer.status_code == 200
    for got in other.got:
        assert "pl4nted" not in str(got.headers)
        assert not {"x-key", "authorization"} & got.headers.keys()
    for got in site.got:
        assert (got.headers["x-key"], got.headers["authorization"]) == ("pl4nted-key", "Basic d2VuZHk6cGw0bnRlZC1wdw==")


# Nobody else has it.


async def test_the_gateway_keeps_the_cookies_of_a_site_that_gets_any(tmp_path: Path) -> None:
    """A session that the site renews is the gateway's, too: no program sees it, and the next request has it."""

    def page(got: Got) -> Say:
        fresh = f"sid=pl4nted-{len(site.got)}; Path=/; HttpOnly"
        return Say(
            fresh.encode(), headers=[("Set-Cookie", fresh), ("Set-Cookie", "basket=b1; Path=/"), ("X-Other", "kept")]
        )

    site = Site({"/": page})
    async with serving(site), rig([site.base], tmp_path, credentials=cookies(cookie("sid", "pl4nted-0"))) as made:
        first = await made.gateway.fetch(site.base + "/")
        answer = await made.get(site.base + "/?2")
        assert not answer.cookies
        assert answer.text.startswith("sid=veiled-")
        assert answer.headers["X-Other"] == first.headers["x-other"] == "kept"
        assert "set-cookie" not in first.headers
    assert [got.headers["cookie"] for got in site.got] == ["sid=pl4nted-0", "basket=b1; sid=pl4nted-1"] or [
        got.headers["cookie"] for got in site.got
    ] == ["sid=pl4nted-0", "sid=pl4nted-1; basket=b1"]
    assert not found_below(tmp_path, b"pl4nted")


def test_a_site_that_sets_ever_new_cookies_is_not_looked_through_for_all_of_them() -> None:
    identity = Identity(CREDENTIALS, ["https://shop.test/"], b"salt")
    target = parse_url("https://shop.test/")
    for number in range(SET_AT_MOST + 10):
        identity.incoming([("Set-Cookie", f"sid=number-{number:04}")], target)
    newest, first = (f"number-{number:04}".encode() for number in (SET_AT_MOST + 9, 0))
    hidden = identity.echoes(target).hide(newest + b" " + first)
    assert hidden.startswith(b"veiled-")
    assert hidden.endswith(first)


async def test_what_a_site_repeats_is_hidden_and_put_back_on_the_way_to_it(tmp_path: Path) -> None:
    """A site that prints the token into a form gets it back from a program that has never seen it."""

    async def in_pieces(text: bytes) -> AsyncGenerator[bytes]:
        for start in range(0, len(text), 3):
            yield text[start : start + 3]

    def form(got: Got) -> Say:
        text = f"<input value='{got.headers['cookie'].partition('=')[2]}'> {got.headers['x-key']} de-DE,de"
        return Say(pieces=in_pieces(text.encode()), headers=[("X-Seen", got.headers["x-key"])], chunked=True)

    site = Site({"/": form, "/post": lambda got: Say(str(len(got.body)).encode())})
    given = Credentials(CREDENTIALS.headers, (), cookies(cookie("csrf", TOKEN)).cookies, "cookies.txt")
    async with serving(site), rig([site.base], tmp_path, credentials=given) as made:
        answer = await made.get(site.base + "/", method="GET")
        hidden = answer.text.split("'")[1]
        assert hidden.startswith("veiled-")
        assert "pl4nted" not in answer.text + str(answer.headers)
        assert answer.text.endswith(" de-DE,de")
        again = await made.get(site.base + "/", method="GET")
        assert (again.text, made.log[-1].verdict) == (answer.text, "tape")
        await made.get(site.base + f"/post?t={hidden}", method="POST", data={"t": hidden}, headers={"X-T": hidden})
        await made.get(site.base + "/post", method="POST", json={"t": hidden})
        # a header's token is put back nowhere: a site could be made to show it to others
        shown = answer.text.split("> ")[1].partition(" ")[0]
        assert shown.startswith("veiled-")
        await made.get(site.base + "/post", method="POST", data=shown)
    first, second, third = site.got[-3:]
    assert third.body == shown.encode()
    assert (first.body, first.headers["x-t"]) == (b"t=pl4nted-tok%2Fen%2B1", TOKEN)
    assert first.target == "/post?t=pl4nted-tok%2Fen%2B1"
    assert b'"pl4nted-tok/en+1"' in second.body
    assert not found_below(tmp_path, b"pl4nted")


async def test_a_token_is_worth_nothing_at_another_site(tmp_path: Path) -> None:
    site, other = Site({"/": lambda got: Say(got.headers["x-key"].encode())}), Site({"/": Say(b"x")})
    async with (
        serving(site), serving(other),
        rig([site.base], tmp_path, allow=[other.base], credentials=CREDENTIALS) as made,
    ):  # fmt: skip
        hidden = (await made.get(site.base + "/")).text
        assert hidden.startswith("veiled-")
        await made.get(f"{other.base}/?{hidden}", method="POST", data=hidden, headers={"X-T": hidden})
    assert "pl4nted" not in other.got[0].target + str(other.got[0].headers) + other.got[0].body.decode()


@settings(max_examples=suite.examples(30))  # each makes tokens, which are slow to make
@given(
    st.lists(st.text("ab<&\"'/%é\\ ", min_size=8, max_size=12), min_size=1, max_size=3),
    st.lists(st.text("ab<&é ", max_size=6)),
    st.integers(1, 7),
    st.data(),
)
async def test_no_piece_of_a_body_shows_a_value(
    values: list[str], rest: list[str], size: int, data: st.DataObject
) -> None:
    texts = [*rest, *(data.draw(st.sampled_from(values)) for _ in range(3))]
    body = "|".join(data.draw(st.permutations(texts))).encode()
    echoes = Echoes(values, b"salt")

    async def pieces() -> AsyncGenerator[bytes]:
        for start in range(0, len(body), size):
            yield body[start : start + size]

    found = b"".join([piece async for piece in echoes.hidden(pieces())])
    assert found == echoes.hide(body)
    assert not [value for value in values if value.encode() in found]


# The tape.


async def test_an_answer_is_for_who_asked(tmp_path: Path) -> None:
    def page(got: Got) -> Say:
        return Say(got.headers.get("authorization", "nobody").encode()[-6:])

    site = Site({"/": page})
    async with serving(site):
        one, two = (login(f"{site.base}=bearer:S", secret) for secret in ("pl4nted-wendy", "pl4nted-peter"))

        async def fetched(session: str, mode: str, credentials: Credentials | None) -> tuple[bytes, str]:
            async with rig([site.base], tmp_path, session=session, mode=mode, credentials=credentials) as made:
                page = await made.gateway.fetch(site.base + "/")
                return page.body, page.error

        assert await fetched("a", "reuse", one) == (b"-wendy", "")
        assert await fetched("a", "reuse", one) == (b"-wendy", "")
        assert len(site.got) == 1
        assert await fetched("b", "only", one) == (b"-wendy", "")
        assert await fetched("a", "only", None) == (b"", "miss")
        assert await fetched("a", "only", two) == (b"", "miss")
        assert await fetched("c", "only", None) == (b"", "miss")
        assert await fetched("a", "reuse", two) == (b"-peter", "")
        assert await fetched("a", "reuse", None) == (b"nobody", "")
        assert await fetched("d", "only", None) == (b"nobody", "")
        assert await fetched("d", "only", two) == (b"-peter", "")
    assert len(site.got) == 3


async def test_a_renewed_session_is_still_the_same_person(tmp_path: Path) -> None:
    site = Site({"/": lambda got: Say(b"x", headers=[("Set-Cookie", f"sid=pl4nted{len(site.got):012}; Path=/")])})
    async with serving(site), rig([site.base], tmp_path, credentials=cookies(cookie("sid", "pl4nted-0"))) as made:
        for _ in range(3):
            assert (await made.get(site.base + "/")).text == "x"
    assert len(site.got) == 1


def found_below(folder: Path, text: bytes) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and text in path.read_bytes()]
