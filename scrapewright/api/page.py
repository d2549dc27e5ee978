"""A page with what the survey proposes there."""

from __future__ import annotations

import msgspec

from scrapewright.errors import HostRefused, SiteError
from scrapewright.loop.failure import classify
from scrapewright.survey import model
from scrapewright.web import page as web


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """A fetched page and its survey.

    `url` is where it came from after redirects; `headers` have lower-case names. `verdict` is "ok" where the page has
    something to list, else "blocked", "javascript", "not-html", "empty", "login" or "error", with a `reason`. `groups`
    are sets of records of one shape, the likeliest first, each with its slots: the places in a record where values
    are, with samples. `next` is the way to the next page. `msgspec.to_builtins` makes dicts and lists of it all.
    """

    url: str
    status: int
    headers: dict[str, str]
    body: bytes
    encoding: str = "utf-8"
    title: str = ""
    verdict: model.PageVerdict = "ok"
    reason: str = ""
    groups: tuple[model.Group, ...] = ()
    next: model.NextPage = model.NextPage()
    apis: tuple[model.Api, ...] = ()
    feeds: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return self.body.decode(self.encoding, "replace")

    def __repr__(self) -> str:
        return f"<Page {self.status} {self.url}: {self.verdict}, {len(self.groups)} groups>"


def page_of(fetched: web.Page | None, survey: model.Survey) -> Page:
    """Raises SiteError where no answer came, whatever its status: HostRefused where the address leads to a host that
    was not named."""
    if survey.page.error or fetched is None:
        failure = classify(None, survey, {})
        raise (HostRefused if failure.kind == "host" else SiteError)(f"{failure.message}; {failure.advice}")
    return Page(
        url=fetched.url, status=fetched.status, headers=fetched.headers, body=fetched.body,
        encoding=survey.page.encoding, title=survey.page.title, verdict=survey.verdict, reason=survey.reason,
        groups=survey.groups, next=survey.next, apis=survey.apis, feeds=survey.feeds,
    )  # fmt: skip
