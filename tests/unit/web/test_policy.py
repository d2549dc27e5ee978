from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.web.policy import Policy, address_kind, is_loopback
from scrapewright.web.urls import BadURL, parse_url

PUBLIC = "93.184.215.14"


def allowed(policy: Policy, url: str) -> bool:
    return policy.judge(parse_url(url)) is None


@pytest.mark.parametrize(
    "url",
    [
        "http://shop.test/",
        "https://shop.test/",
        "http://www.shop.test/x",
        "https://img.cdn.shop.test/",
        "http://SHOP.test./",
        "http://shop.test:80/",
    ],
)
def test_the_site_its_subdomains_and_its_twin(url: str) -> None:
    assert allowed(Policy(["http://shop.test/list"]), url)


@pytest.mark.parametrize(
    "url",
    [
        "http://shop.test.evil.test/",
        "http://evilshop.test/",
        "http://evil-shop.test/",
        "http://shop.tes/",
        "http://test/",
        "http://xn--shop-8qa.test/",
        "http://shöp.test/",
        "http://wwwshop.test/",
        "http://shop.test:8080/",
        "http://shop.test:22/",
    ],
)
def test_what_only_looks_like_the_site(url: str) -> None:
    assert not allowed(Policy(["http://shop.test/list"]), url)


def test_a_www_host_has_its_bare_twin_but_not_the_twins_subdomains() -> None:
    policy = Policy(["https://www.shop.test/"])
    assert allowed(policy, "https://shop.test/")
    assert allowed(policy, "https://a.www.shop.test/")
    assert not allowed(policy, "https://other.shop.test/")
    assert not allowed(Policy(["https://www.test/"]), "https://test/")


def test_a_port_is_that_port() -> None:
    policy = Policy(["http://shop.test:8080/"])
    assert allowed(policy, "http://shop.test:8080/")
    assert allowed(policy, "https://shop.test/")
    assert not allowed(policy, "http://shop.test:8081/")
    refusal = policy.judge(parse_url("http://shop.test:8081/"))
    assert refusal is not None
    assert refusal.kind == "port"


def test_an_address_is_that_address_and_that_port() -> None:
    policy = Policy(["http://127.0.0.1:8000/"])
    assert allowed(policy, "http://127.0.0.1:8000/x")
    assert allowed(policy, "http://0x7f.1:8000/x")
    for url in (
        "http://127.0.0.1/",
        "http://127.0.0.2:8000/",
        "http://localhost:8000/",
        "http://a.127.0.0.1.test:8000/",
    ):
        assert not allowed(policy, url)


def test_names_without_a_dot_have_no_family() -> None:
    policy = Policy(["http://localhost:8000/"])
    assert allowed(policy, "http://localhost:8000/")
    assert not allowed(policy, "http://a.localhost:8000/")
    assert not allowed(policy, "http://localhost/")


def test_nothing_named_nothing_allowed() -> None:
    policy = Policy([])
    for url in ("http://shop.test/", "http://127.0.0.1/", "https://example.test:8443/"):
        assert not allowed(policy, url)
    assert policy.hosts == ()


def test_allowing_more_while_it_runs() -> None:
    policy = Policy(["http://shop.test/"])
    assert not allowed(policy, "https://cdn.test/x")
    policy.allow("cdn.test")
    assert allowed(policy, "https://cdn.test/x")
    assert allowed(policy, "http://cdn.test/x")
    assert not allowed(policy, "http://cdn.test:8080/x")
    policy.allow("cdn.test:8080")
    assert allowed(policy, "http://cdn.test:8080/x")
    policy.allow("*.other.test")
    assert allowed(policy, "http://a.other.test/")


def test_an_ipv6_address_is_allowed_as_people_write_it() -> None:
    policy = Policy([], ["2606:4700::1111", "[::1]:8080"])
    assert allowed(policy, "https://[2606:4700::1111]/")
    assert not allowed(policy, "https://[2606:4700::1111]:8443/")
    assert allowed(policy, "http://[::1]:8080/")


def test_what_was_allowed_can_be_taken_back_and_what_was_named_stays() -> None:
    policy = Policy(["http://shop.test:8080/"], ["cdn.test"])
    for entry in ("img.test", "img.test:8080", "shop.test", "cdn.test:8080"):
        policy.allow(entry)
    for entry in ("img.test", "shop.test:8080", "shop.test", "cdn.test", "cdn.test:8080", "never.test"):
        policy.forbid(entry)
    assert allowed(policy, "http://img.test:8080/")
    policy.forbid("img.test:8080")
    assert not allowed(policy, "http://img.test:8080/")
    assert not allowed(policy, "http://img.test/")
    assert allowed(policy, "http://shop.test:8080/")
    assert allowed(policy, "https://cdn.test/")
    assert not allowed(policy, "http://cdn.test:8080/")
    assert policy.hosts == ("cdn.test", "shop.test")


@pytest.mark.parametrize(
    "entry", ["", "*.", "http://", "a b", "ftp://a.test/", "a.test:x", "a.test:1:2", "1:2:3", "@", "/etc"]
)
def test_an_entry_that_is_no_host_is_an_error_and_allows_nothing(entry: str) -> None:
    policy = Policy([])
    with pytest.raises(BadURL):
        policy.allow(entry)
    with pytest.raises(BadURL):
        Policy([], allow=[entry])
    assert policy.hosts == ()


def test_a_query_url_that_is_none_is_an_error() -> None:
    with pytest.raises(BadURL):
        Policy(["shop.test"])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("127.0.0.1", "loopback"),
        ("127.255.0.9", "loopback"),
        ("0.0.0.0", "this host"),
        ("10.1.2.3", "a private network"),
        ("172.31.0.1", "a private network"),
        ("192.168.1.1", "a private network"),
        ("169.254.169.254", "cloud metadata"),
        ("169.254.1.1", "link-local"),
        ("100.64.0.1", "a carrier's shared network"),
        ("100.100.100.200", "cloud metadata"),
        ("192.0.2.1", "documentation"),
        ("198.18.0.1", "benchmarking"),
        ("224.0.0.1", "multicast"),
        ("255.255.255.255", "reserved"),
        ("::", "reserved"),
        ("::1", "loopback"),
        ("::ffff:10.0.0.1", "a private network"),
        ("::10.0.0.1", "reserved"),
        ("64:ff9b::a00:1", "a private network"),
        ("64:ff9b::7f00:1", "loopback"),
        ("64:ff9b::a9fe:a9fe", "cloud metadata"),
        ("64:ff9b:1::1", "a local NAT64 network"),
        ("2002:7f00:1::", "6to4"),
        ("2001:0:7f00:1::", "reserved"),
        ("fc00::1", "a private network"),
        ("fd00:ec2::254", "cloud metadata"),
        ("fe80::1", "link-local"),
        ("fe80::1%3", "link-local"),
        ("ff02::1", "multicast"),
        ("4000::1", "reserved"),
        (PUBLIC, ""),
        ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", ""),
        ("64:ff9b::5db8:d70e", ""),
    ],
)
def test_kinds_of_addresses(text: str, kind: str) -> None:
    assert address_kind(ipaddress.ip_address(text)) == kind


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.5", "169.254.169.254", "100.64.1.1", "::1", "64:ff9b::a00:1"])
def test_a_subdomain_does_not_lead_into_a_private_network(address: str) -> None:
    policy = Policy(["http://shop.test/"])
    for addresses in ([address], [PUBLIC, address], [address, PUBLIC]):
        refusal = policy.check("in.shop.test", 80, addresses)
        assert refusal is not None
        assert refusal.kind == "address"


def test_a_name_of_the_intranet_has_to_be_named_with_its_port() -> None:
    policy = Policy(["http://wiki.corp.test:8080/"])
    assert policy.check("wiki.corp.test", 8080, ["10.0.0.5", "10.0.0.6"]) is None
    assert policy.check("wiki.corp.test", 80, ["10.0.0.5"]) is not None
    assert policy.check("www.wiki.corp.test", 8080, ["10.0.0.5"]) is not None
    # one public and one private address is what rebinding looks like
    assert policy.check("wiki.corp.test", 8080, ["10.0.0.5", PUBLIC]) is not None


@pytest.mark.parametrize("address", ["169.254.169.254", "fe80::1", "0.0.0.0", "224.0.0.1", "fd00:ec2::254"])
def test_no_name_leads_to_metadata_or_link_local(address: str) -> None:
    assert Policy(["http://wiki.corp.test/"]).check("wiki.corp.test", 80, [address]) is not None
    assert (
        Policy([f"http://{address}/"] if ":" not in address else [f"http://[{address}]/"]).check(address, 80, [address])
        is None
    )


def test_an_answer_to_a_question_opens_no_private_network() -> None:
    policy = Policy(["http://shop.test/"])
    policy.allow("10.0.0.5")
    policy.allow("in.corp.test:8080")
    assert policy.check("10.0.0.5", 80, ["10.0.0.5"]) is not None
    assert policy.check("in.corp.test", 8080, ["10.0.0.5"]) is not None
    upfront = Policy([], allow=["10.0.0.5:8080"])
    assert upfront.check("10.0.0.5", 8080, ["10.0.0.5"]) is None
    assert upfront.judge(parse_url("http://10.0.0.5/")) is not None


def test_no_address_and_no_known_address_are_refused() -> None:
    policy = Policy(["http://shop.test/"])
    assert policy.check("shop.test", 80, []) is not None
    assert policy.check("shop.test", 80, ["nonsense"]) is not None
    assert policy.check("shop.test", 80, [PUBLIC]) is None


LABEL = st.from_regex(r"[a-z][a-z0-9]{0,6}", fullmatch=True)


@given(st.lists(LABEL, min_size=2, max_size=4), st.lists(LABEL, min_size=1, max_size=5))
def test_only_true_subdomains(site: list[str], other: list[str]) -> None:
    policy = Policy([f"http://{'.'.join(site)}/"])
    twin = other == ["www", *site] or ["www", *other] == site
    inside = other[-len(site) :] == site and len(other) >= len(site)
    # "www.x" has no bare twin "x": a name without a dot would be a whole top-level domain
    expected = inside or (twin and len(other) > 1)
    assert allowed(policy, f"http://{'.'.join(other)}/") == expected


@given(st.ip_addresses())
def test_no_address_is_allowed_by_chance(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    policy = Policy(["http://shop.test/"])
    host = f"[{address}]" if address.version == 6 else str(address)
    assert not allowed(policy, f"http://{host}/")
    if address.is_private or address.is_loopback or address.is_link_local or address.is_multicast:
        assert policy.check("a.shop.test", 80, [str(address)]) is not None


def test_loopback() -> None:
    assert all(is_loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost", "a.localhost"))
    assert not any(is_loopback(host) for host in ("10.0.0.1", "shop.test", "localhost.test"))
