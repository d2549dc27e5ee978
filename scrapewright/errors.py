"""The exceptions that a caller can do something about. Messages say what is wrong and what to do."""

from __future__ import annotations


class ScrapewrightError(Exception):
    """The base of them all.

    `exit_code` is what a command ends with, `session` the id of the session that ended so, where there was one.
    """

    exit_code = 1
    session = ""


class UsageError(ScrapewrightError, ValueError):
    """Bad input: no address in the request, an unknown option, no key for the model."""

    exit_code = 2


class UnfitRows(ValueError):
    """Rows that a database can't take as it is; room on the disk does not help. `advice` says what does."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


class Unavailable(ScrapewrightError):
    """Something that is needed can't be had now: a sandbox, the model's server, room on the disk."""

    exit_code = 3


class SiteError(ScrapewrightError):
    """The site does not give what is asked for: it is down, refuses, asks for a login, has no such page."""


class HostRefused(SiteError):
    """What is asked for is at a host that was not named: `allow` lets it be reached."""
