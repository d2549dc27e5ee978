"""What can go wrong on the way to an answer."""

from __future__ import annotations

from typing import Literal

Kind = Literal[
    "dns", "refused", "tls", "timeout", "policy", "robots", "miss", "too-large", "redirects", "protocol", "spent",
    "proxy", "proxy-auth", "render", "dropped",
]  # fmt: skip
"""As in Page.error; "spent": a run has used up what it may; "render": the page can't be drawn; "dropped": who asked did
not wait for the answer."""


class WebFailure(Exception):
    """No answer could be had. `passing`: trying again may help. `unsent`: the request certainly did not go out."""

    def __init__(self, kind: Kind, message: str, *, passing: bool = False, unsent: bool = True) -> None:
        super().__init__(message)
        self.kind: Kind = kind
        self.message = message
        self.passing = passing
        self.unsent = unsent
