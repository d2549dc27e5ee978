"""Classifies why a run failed, and whether another program could do better.

A failure that no program can repair spends no attempt and no token: the person learns what it is and what to do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

import msgspec

from scrapewright.session.result import Request, RunResult
from scrapewright.session.verdict import Verdict
from scrapewright.survey.model import Survey
from scrapewright.web.page import Page


class Failure(msgspec.Struct, frozen=True):
    """`kind`: dns, refused, tls, timeout, dropped, robots, miss, too-large, redirects, protocol, host, unauthorized,
    forbidden, proxy, proxy-auth, rate-limited, server-error, client-error, blocked, login, javascript, not-html, empty,
    sandbox (all but host: not repairable), endless, memory, killed, program, rows. `exit_code` is what the command ends
    with if it stays so.
    """

    kind: str
    repairable: bool
    message: str
    advice: str = ""
    exit_code: int = 1


_LOGIN_ADVICE = (
    "log in with a browser, export its cookies and give them with --cookies FILE; a login by HTTP is given with "
    "--auth HOST=basic:SECRET_NAME"
)
_PROXY_LOGIN = "give the proxy's login: --proxy http://user:password@host:port, or SCRAPEWRIGHT_PROXY in .env"
_NETWORK: dict[str, tuple[str, str, int]] = {
    "dns": ("the name could not be resolved", "check the address in the query, and the connection", 3),
    "refused": ("the site refused the connection", "check the address; if it is right, try again later", 3),
    "timeout": ("the site did not answer in time", "try again later", 3),
    "dropped": ("the site did not answer before the program gave up or was killed", "try again later", 3),
    "tls": ("no secure connection could be made", "the site's certificate does not hold; check the address", 1),
    "robots": ("the site's robots.txt forbids it", "ask the site, or run with --ignore-robots where you may", 1),
    "miss": ("the page is not on the tape", "run once with --tape reuse or --tape live", 1),
    "too-large": ("the answer is larger than allowed", "ask for a smaller page", 1),
    "redirects": ("the site only sends on and on", "check the address; the page may want a login first", 1),
    "protocol": ("the site did not answer properly", "try again later", 3),
    "proxy": ("the proxy could not be used", "check --proxy; if it is right, try again later", 3),
    "proxy-auth": ("the proxy wants a login", _PROXY_LOGIN, 2),
}
_STATUS: dict[int, tuple[str, str, str, int]] = {
    401: ("unauthorized", "the page wants a login", _LOGIN_ADVICE, 1),
    403: (
        "forbidden",
        "the site refuses to give the page",
        "the site does not want programs there; ask it for access",
        1,
    ),
    407: ("proxy-auth", "a proxy on the way wants a login", _PROXY_LOGIN, 2),
    429: ("rate-limited", "the site answers that there were too many requests", "try again later, with fewer pages", 3),
}


def classify(
    result: RunResult | None, survey: Survey | None, pages: Mapping[str, Page], verdict: Verdict | None = None
) -> Failure:
    """What went wrong. `result` None: nothing was run, the survey alone is judged (then its verdict is not "ok").

    `verdict` on the rows of a run that ended well may say that pages are missing which no program can get. `pages` are
    those that survey and programs fetched. A run without fault gives kind "rows": its rows are the matter.
    """
    if survey is not None and survey.verdict != "ok":
        return _from_survey(survey)
    if result is None:
        return Failure("survey", False, "the page could not be looked at", "try again", 1)
    if result.status == "lost":
        return Failure(
            "sandbox", False, f"the run was lost: {result.note or 'no report could be had'}", "try again; see doctor", 3
        )
    if result.status == "ok" or (result.status == "exit" and not result.exit_code):
        return _missing(result, verdict) or Failure("rows", True, "the program ended well; its rows fall short")
    failing = _failing_request(result)
    if failing is not None:
        outside = _request_failure(failing, survey, pages)
        if outside is not None:
            return outside
    where = f" in line {result.where}" if result.where else ""
    if result.status == "timeout":
        return Failure("endless", True, f"the time limit was reached{where}", "raise --time-limit if the site is slow")
    if result.status == "oom":
        return Failure("memory", True, f"the memory limit was reached{where}")
    if result.status == "killed":
        return Failure("killed", True, f"the program was ended by {result.signal or 'a signal'}{where}")
    if result.exception is not None:
        error = result.exception
        return Failure("program", True, f"{error.type}{where}: {error.message}"[:500])
    return Failure("program", True, f"the program ended with exit code {result.exit_code}{where}")


def signature(result: RunResult | None, verdict: Verdict | None) -> tuple[str, str, str]:
    """(class, place, message) of a failure, the same for the same failure: addresses, timings and ports are levelled.

    The place is the failing line's text where it is known, so that lines added above it do not hide a repeat.
    """
    if result is not None and result.status not in ("ok",) and not (result.status == "exit" and not result.exit_code):
        error = result.exception
        place = f"line {result.where}" if result.where else ""
        if error is not None:
            source = next(
                (f.source.strip() for f in reversed(error.frames) if f.line == result.where and f.source.strip()), ""
            )
            return error.type.rpartition(".")[2], source or place, without_details(error.message)
        return result.status, place, result.signal or str(result.exit_code or "")
    if verdict is not None:
        return (
            "verdict",
            "",
            "; ".join(sorted({f"{f.code} {f.column}".strip() for f in verdict.findings if f.severity == "error"})),
        )
    return "none", "", ""


def without_details(message: str) -> str:
    """A message without what changes from run to run."""
    text = re.sub(r"0x[0-9a-fA-F]+", "0x…", message)
    text = re.sub(r"(?<=:)\d{2,5}(?=[/'\"\s)]|$)", "…", text)
    text = re.sub(r"\b\d+\.\d+ ?(s|ms|seconds)\b", "…", text)
    return " ".join(text.split())[:300]


def _from_survey(survey: Survey) -> Failure:
    first = survey.pages[0] if survey.pages else None
    reason = survey.reason
    if first is not None and first.error:
        return _network(first.error, first.url, reason)
    if first is not None and first.status == 429 and (found := _by_status(429, first.url)):  # blocked for now alone
        return found
    if survey.verdict == "blocked":
        return Failure(
            "blocked",
            False,
            reason or "the site shows a page that keeps programs out",
            "open the site in a browser; ask it for access",
            1,
        )
    if survey.verdict == "javascript":
        why = reason or "the page is empty until its JavaScript runs"
        advice = "name the address that the page loads its data from, or another page of the site"
        return Failure("javascript", False, why, advice, 1)
    if first is not None and (found := _by_status(first.status, first.url)):
        return found
    if survey.verdict == "not-html":
        return Failure(
            "not-html",
            False,
            reason or "the address holds no page",
            "give the address of a page, a feed or a JSON answer",
            1,
        )
    if survey.verdict == "login":
        return _login(reason)
    if survey.verdict == "empty":
        return Failure("empty", False, reason or "the page is empty", "check the address", 1)
    return Failure("error", False, reason or "the page could not be had", "try again later", 3)


def _missing(result: RunResult, verdict: Verdict | None) -> Failure | None:
    """Pages that the rows lack and that no program gets. One that is not there ends the session if all else is right:
    till then the program can be made better."""
    errors = [finding for finding in verdict.findings if finding.severity == "error"] if verdict is not None else []
    for finding in errors:
        if finding.code == "asks-login":
            return _login(finding.message)
        request = next((r for r in reversed(result.requests) if r.url == finding.expected), None)
        if finding.code != "page-failed" or request is None:
            continue
        failure = _request_failure(request, None, {}) or _by_status(request.status, request.url)
        if failure is None or failure.kind == "client-error":
            failure = Failure("client-error", False, "", "ask for fewer pages, or for another one", 1)
            if any(other.code != "page-failed" for other in errors):
                continue
        if not failure.repairable:
            return msgspec.structs.replace(failure, message=finding.message)
    return None


def _login(message: str) -> Failure:
    return Failure("login", False, message, _LOGIN_ADVICE, 1)


def _failing_request(result: RunResult) -> Request | None:
    """The request that the program may have died of: the last one, if it failed and the program died of the network."""
    if not result.requests:
        return None
    last = result.requests[-1]
    if last.verdict not in ("refused", "miss", "robots", "error") and last.status < 400:
        return None
    return last


def _request_failure(request: Request, survey: Survey | None, pages: Mapping[str, Page]) -> Failure | None:
    """A failure outside the program, or None where the program itself asked for what is not there."""
    if request.verdict == "refused":
        host = host_of(request.url)
        return Failure(
            "host",
            True,
            f"the program asked for {host}, which the query does not name",
            f"allow it with --allow {host}",
            1,
        )
    if request.verdict in ("robots", "miss"):
        return _network(request.verdict, request.url, request.note)
    if request.verdict == "error" or request.status == 0:
        kind, _, message = request.note.partition(": ")
        if kind == "spent":
            return Failure("endless", True, message, "raise max_requests or max_bytes if the site is that large")
        return _network(kind, request.url, request.note) if kind in _NETWORK else None
    found = _by_status(request.status, request.url)
    if found is None or found.kind == "client-error":
        return None  # a page that is not there: the program may have asked for the wrong one
    if found.kind in ("unauthorized", "forbidden") and not _was_named(request.url, survey, pages):
        return None  # an address that no page names: the program made it up
    return found


def host_of(url: str) -> str:
    """The host of a URL as `--allow` takes it: with its port, where that is not the scheme's own."""
    return urlsplit(url).netloc.rpartition("@")[2] or url


def _was_named(url: str, survey: Survey | None, pages: Mapping[str, Page]) -> bool:
    """Whether the address is in the query or on a fetched page."""
    if survey is not None and any(page.url == url for page in survey.pages):
        return True
    parts = urlsplit(url)
    needle = (parts.path + (f"?{parts.query}" if parts.query else "")).encode()
    if needle in (b"", b"/"):
        return True
    short = needle.rsplit(b"/", 1)[-1] or needle
    escaped = short.replace(b"&", b"&amp;")
    return any(short in page.body or escaped in page.body for page in {id(p): p for p in pages.values()}.values())


def _by_status(status: int, url: str) -> Failure | None:
    if status in _STATUS:
        kind, message, advice, code = _STATUS[status]
        return Failure(kind, False, f"{message} ({status}): {url}", advice, code)
    if status >= 500:
        return Failure("server-error", False, f"the site answers with an error ({status}): {url}", "try again later", 3)
    if status >= 400:
        return Failure(
            "client-error", False, f"the site has no such page ({status}): {url}", "check the address in the query", 1
        )
    return None


def _network(kind: str, url: str, note: str) -> Failure:
    if kind == "policy":
        host = host_of(url)
        message = f"the page is at {host}, which the query does not name"
        return Failure("host", True, message, f"name that address in the query, or allow it with --allow {host}", 1)
    message, advice, code = _NETWORK.get(kind, _NETWORK["protocol"])
    note = note.removeprefix(f"{kind}: ")
    detail = f" ({note})" if note and note.lower() not in message.lower() else ""
    return Failure(kind if kind in _NETWORK else "protocol", False, f"{message}: {url}{detail}"[:500], advice, code)
