"""The requests that a program made, one row each."""

from __future__ import annotations

from collections.abc import Sequence

from scrapewright.session.attempt import AttemptState
from scrapewright.session.result import Request, RunResult
from scrapewright.session.sanitize import one_line
from scrapewright.session.state import Session
from scrapewright.tui.view.cells import fit
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.view.units import counted, human_bytes, human_ms

_HAPPENED = {
    "dns": "no host", "refused": "no link", "tls": "no tls", "timeout": "timeout", "too-large": "too big",
    "redirects": "circles", "protocol": "broken", "proxy": "proxy", "proxy-auth": "proxy", "spent": "limit",
    "dropped": "gave up",
}  # fmt: skip
"""What is said of a request that nobody answered, by the kind of its failure, in the seven cells of the time."""
REQUESTS = 1_000
"""Rows that are shown, the last ones."""


def requests_of(session: Session, attempt: AttemptState | None, result: RunResult | None) -> Sequence[Request]:
    """The requests of the attempt, as they come; before there is one, the survey's."""
    if result is not None and result.requests and not (attempt is not None and attempt.running):
        return result.requests
    number = attempt.id if attempt is not None else 0
    return [request for of, request in session.requests if of == number]


def is_bad(request: Request) -> bool:
    """It did not bring what was asked for."""
    return request.verdict not in {"allowed", "tape"} or request.status >= 400


def request_lines(requests: Sequence[Request]) -> list[Spans]:
    """The last ones, a row each; where all are of one site, which the header then names, their paths."""
    site = site_of(requests)
    return [_row(request, site) for request in requests[-REQUESTS:]]


def site_of(requests: Sequence[Request]) -> str:
    """Scheme and host of several requests that all go there; else empty."""
    sites = {"/".join(request.url.split("/", 3)[:3]) for request in requests}
    return sites.pop() if len(sites) == 1 and len(requests) > 1 else ""


def request_header(requests: Sequence[Request]) -> list[Spans]:
    """The totals, and what is left out."""
    if not requests:
        return [[("no requests", QUIET)]]
    taped = sum(request.from_tape for request in requests)
    bad = sum(map(is_bad, requests))
    said = [counted(len(requests), "request"), human_bytes(sum(request.bytes for request in requests))]
    if taped:
        said.append(f"{taped:,} from tape")
    said.append(human_ms(sum(request.ms for request in requests if not request.from_tape)))
    if site := site_of(requests):
        said.append(one_line(site, 60))
    if len(requests) > REQUESTS:
        said.append(f"the last {REQUESTS:,} are shown")
    return [[(" · ".join(said), QUIET), (f" · {bad:,} failed" if bad else "", "$error")]]


def _row(request: Request, site: str) -> Spans:
    bad = is_bad(request)
    took = "tape" if request.from_tape else human_ms(request.ms)
    if request.verdict not in {"allowed", "tape"}:
        happened = "" if request.answered else _HAPPENED.get(request.note.partition(":")[0], "")
        took = one_line(happened or request.verdict, 8)
    kind = one_line(request.media_type, 40).rpartition("/")[2][:5]
    return [
        (f"{(request.answered and request.status) or '---'} ", "bold $error" if bad else "$success"),
        (f"{fit(one_line(request.method, 20), 4)} ", ""),
        (f"{human_bytes(request.bytes):>6} ", QUIET), (f"{took:>7} ", "$error" if bad else QUIET),
        (f"{fit(kind, 5)} ", QUIET), (one_line(request.url[len(site) :] or "/", 2_000), ""),
        (f"  {one_line(request.note, 300)}" if request.note else "", "$error" if bad else QUIET),
    ]  # fmt: skip


def request_parts(request: Request) -> list[tuple[str, str]]:
    """All that is known of it, as names and values."""
    return [
        ("url", request.url), ("method", request.method), ("status", _status(request)),
        ("verdict", request.verdict), ("note", request.note), ("type", request.media_type),
        ("bytes", f"{request.bytes:,}"), ("took", "from the tape" if request.from_tape else f"{request.ms:.1f} ms"),
        ("body", f"sha256 {request.body}" if request.body else "not kept"),
    ]  # fmt: skip


def _status(request: Request) -> str:
    if request.answered or not request.status:
        return str(request.status or "none")
    return f"none, nobody answered; the program got {request.status}"
