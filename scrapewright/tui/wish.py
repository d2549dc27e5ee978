"""What the person wants done: a new session as they set it up, or an old one gone on with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from scrapewright.options import RunOptions, UsageError, check_options, check_size
from scrapewright.query.model import Query

if TYPE_CHECKING:
    from scrapewright.loop.kit import Kit


@dataclass(frozen=True)
class Wish:
    """`query` is the reading as the person corrected it, None where the text's own serves. `changes` are settings by
    name, for this session alone. `program` is one to start from. `resume` is the id of a session to go on with; the
    rest does not matter then."""

    text: str = ""
    query: Query | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)
    model: str = ""
    pages: int | None = None
    program: str = ""
    resume: str = ""


OpenSession = Callable[[Wish], AbstractAsyncContextManager["Kit"]]
"""Starts a session, or goes on with one, and puts it together."""


def options_of(wish: Wish, given: RunOptions) -> RunOptions:
    """What the command was given, with what was wished over it. Blocks: it reads the text. Raises UsageError."""
    settings = given.settings
    if wish.model:
        settings = msgspec.structs.replace(settings, model=msgspec.structs.replace(settings.model, name=wish.model))
    ready = check_options(
        settings, wish.text, dict(wish.changes), out=given.out, pages=wish.pages, allow=given.allow,
        need_url=wish.query is None,
    )  # fmt: skip
    program = wish.program or given.program
    ready = msgspec.structs.replace(ready, program=program, origin="file" if program else given.origin)
    if wish.query is None or wish.query == ready.query:
        return ready
    if not wish.query.urls:
        raise UsageError("the reading has no address; add one to it, or to the request")
    check_size(wish.query)
    return msgspec.structs.replace(ready, query=wish.query, as_read=ready.query)
