"""The session that the person asks for: a new one with its settings, or a stored one to continue."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from scrapewright.errors import UsageError
from scrapewright.options import RunOptions, Writer, check_options, check_size
from scrapewright.query.reading import Reading
from scrapewright.session.questions import Decision

if TYPE_CHECKING:
    from scrapewright.loop.answers import Answer
    from scrapewright.loop.handle import SessionHandle
    from scrapewright.loop.ports import OfferedTables


@dataclass(frozen=True)
class SessionSpec:
    """`reading` is the reading as the person corrected it, None where the text's own serves. `changes` are settings by
    name, for this session alone. `decisions` are what the person decided about columns. `program` is one to start from.
    `resume` is the id of a session to go on with; the rest does not matter then, but for `act`: what the person does in
    it. One that is over is only opened without it. `writer` writes its programs from there on."""

    text: str = ""
    reading: Reading | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)
    pages: int | None = None
    decisions: tuple[Decision, ...] = ()
    program: str = ""
    resume: str = ""
    act: Answer | None = None
    writer: Writer | None = None


OpenSession = Callable[[SessionSpec], AbstractAsyncContextManager["SessionHandle"]]
"""Starts or continues a session."""
OfferTables = Callable[[SessionSpec], Awaitable["OfferedTables"]]
"""Looks at the page of a request that says nothing but its address. Raises UsageError, OSError."""
FindModels = Callable[[], Awaitable[Mapping[str, Sequence[str]]]]
"""Finds the models that servers on this machine offer, by provider."""


def run_options(spec: SessionSpec, given: RunOptions) -> RunOptions:
    """The command's options with the person's settings over them. Blocks: it reads the text. Raises UsageError."""
    ready = check_options(
        given.settings, spec.text, dict(spec.changes), out=given.out, pages=spec.pages, allow=given.allow,
        need_url=spec.reading is None,
    )  # fmt: skip
    program = spec.program or given.program
    ready = msgspec.structs.replace(
        ready, program=program, origin="file" if program else given.origin, decisions=spec.decisions or ready.decisions
    )
    if spec.reading is None or spec.reading == ready.reading:
        return ready
    if not spec.reading.urls:
        raise UsageError("the reading has no address; add one to it, or to the request")
    check_size(spec.reading)
    return msgspec.structs.replace(ready, reading=spec.reading, as_read=ready.reading)
