"""What is sent where, and through which proxy, in words: names of headers and variables, never values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from scrapewright.web.credentials import Credentials
from scrapewright.web.identity import cookies_of, places_of
from scrapewright.web.policy import Policy, is_loopback
from scrapewright.web.upstream_proxy import Proxies, offered
from scrapewright.web.urls import BadURL, Target, parse_url

Note = tuple[Literal["info", "warning"], str]


def notes(
    credentials: Credentials, proxies: Proxies, sites: Iterable[str], allow: Iterable[str], environ: Mapping[str, str]
) -> list[Note]:
    """What a person should know before anything is fetched. `sites` are the URLs that the request names."""
    try:
        targets = [parse_url(site, userinfo=True) for site in sites]
        policy = Policy([target.url for target in targets], allow)
    except BadURL:
        return []  # which is said where the gateway is made
    return [*_sent(credentials, targets, policy), *_dialled(proxies, targets, policy, environ)]


def _sent(credentials: Credentials, targets: list[Target], policy: Policy) -> list[Note]:
    found: list[Note] = []
    hosts = list(dict.fromkeys(target.authority for target in targets))
    if credentials.headers and hosts:
        names = ", ".join(header.name for header in credentials.headers)
        found.append(("info", f"sent to {', '.join(hosts)}: {_counted(len(credentials.headers), 'header')} ({names})"))
    for login in credentials.logins:
        places = [place for place in places_of(login, targets) if policy.judge(place) is None]
        if places:
            where = ", ".join(place.origin for place in places)
            found.append(("info", f"sent to {where}: a login ({login.scheme}, {login.secret_name})"))
        else:
            text = f"the login {login.secret_name} is for {login.place}, which is not reached: it is not sent"
            found.append(("warning", text))
    if not credentials.cookies:
        return found
    reached = dict.fromkeys([*(target.host for target in targets), *policy.hosts])
    counted = [(host, len(cookies_of(credentials, host))) for host in reached]
    for host, count in counted:
        if count:
            text = f"sent to {host}: {_counted(count, 'cookie')} of {credentials.cookies_from}, by path and scheme"
            found.append(("info", text))
    if reached and not any(count for _, count in counted):
        every = _counted(len(credentials.cookies), "cookie")
        found.append(("warning", f"{every} in {credentials.cookies_from}, and none is for {', '.join(reached)}"))
    return found


def _dialled(proxies: Proxies, targets: list[Target], policy: Policy, environ: Mapping[str, str]) -> list[Note]:
    if not (proxies.http or proxies.https):
        named = offered(environ)
        if named and not all(is_loopback(host) for host in policy.hosts):
            return [("info", f"{unused(named)}; sites are dialled directly")]
        return []
    direct = [t.authority for t in targets if proxies.of(t.scheme, t.host, t.port) is None]
    found: list[Note] = []
    if len(direct) < len(targets) or not targets:
        found.append(("info", f"sites are dialled through {', '.join(proxies.names)}"))
    if direct:
        found.append(("info", f"dialled directly, not through the proxy: {', '.join(dict.fromkeys(direct))}"))
    return found


def unused(variables: Iterable[str]) -> str:
    """That proxies of the environment are not used, and how to use them."""
    named = list(variables)
    one = len(named) == 1
    said = f"{' and '.join(named)} {'is' if one else 'are'} set and not used"
    return f"{said}: --proxy env uses {'it' if one else 'them'}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
