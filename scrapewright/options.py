"""A command's options, checked."""

from __future__ import annotations

import io
import tokenize
from pathlib import Path
from typing import Any

import msgspec

from scrapewright.query.model import Query
from scrapewright.session.events import MAX_EVENT_BYTES
from scrapewright.session.result import PROGRAM_AT_MOST
from scrapewright.session.state import Session
from scrapewright.settings import AT_MOST, CHOICES, Settings, SettingsError, checked

QUERY_AT_MOST = 10_000
ALLOW_AT_MOST = 4_000
"""Characters. The query, its reading and the hosts are in one event, whose size is limited."""


class UsageError(ValueError):
    """Bad input; the message says what to do. Exit code 2."""


class RunOptions(msgspec.Struct, frozen=True):
    """The settings with the command's options over them, and the query as it was read.

    `query` is the reading that the session works from; where the person corrected it, `as_read` is what was read.
    `out` is the folder for results, None where none was named. `program` is an existing program to start from.
    """

    settings: Settings
    query: Query
    out: Path | None = None
    allow: tuple[str, ...] = ()
    program: str = ""
    origin: str = "query"
    as_read: Query | None = None


def check_options(
    settings: Settings, text: str, changes: dict[str, Any], *, out: Path | None = None, pages: int | None = None,
    allow: tuple[str, ...] = (), from_file: Path | None = None, need_url: bool = True, read: bool = True,
) -> RunOptions:  # fmt: skip
    """Without `read` the query holds the text alone: the screen shows it first and reads it then.

    Raises UsageError: no address in the query, a folder that can't be written, a program that can't be read.
    """
    from scrapewright.exports.deliver import Delivery

    try:
        given = {name: checked(name, value, "--" + name.replace("_", "-")) for name, value in changes.items()}
    except SettingsError as error:
        raise UsageError(str(error)) from error
    settings = msgspec.structs.replace(settings, **given)
    if pages is not None and pages > AT_MOST:
        raise UsageError(f"--pages: {pages} is too large")
    if sum(map(len, allow)) > ALLOW_AT_MOST:
        raise UsageError(f"--allow: all hosts together may have {ALLOW_AT_MOST} characters at most")
    if len(text) > QUERY_AT_MOST:
        raise UsageError(f"the query has {len(text)} characters; {QUERY_AT_MOST} are the most it may have")
    text = text.encode("utf-8", "replace").decode()  # an argument's odd bytes come as lone surrogates
    query = _read(text) if read else Query(text=text)
    check_size(query)
    if need_url and not query.urls:
        raise UsageError("the query names no address; write it like: all books on https://example.org/: title, price")
    if pages is not None:
        query = msgspec.structs.replace(query, paging="first" if pages == 1 else "count", pages=pages)
    program = _read_program(from_file) if from_file is not None else ""
    folder = out.expanduser() if out is not None else None
    if folder is not None or need_url:
        try:
            Delivery(folder or Path()).check()
        except OSError as error:
            reason = error.strerror or str(error)
            where = folder or "the current folder"
            raise UsageError(f"{where} can't be written: {reason}; name a folder with --out") from error
    return RunOptions(settings, query, folder, allow, program, "file" if from_file is not None else "query")


def restored_options(options: RunOptions, state: Session) -> RunOptions:
    """The options that a stored session was started with, from its events; the rest is from the current settings."""
    kept = {"programmer": state.programmer, "sandbox": state.sandbox, "mode": str(state.mode), "tape": state.tape}
    settings = msgspec.structs.replace(
        options.settings, **{name: value for name, value in kept.items() if value in CHOICES[name]},
        attempts=state.max_attempts, time_limit=state.time_limit,
    )  # fmt: skip
    if state.model and state.model != settings.model.name:
        settings = msgspec.structs.replace(settings, model=msgspec.structs.replace(settings.model, name=state.model))
    return msgspec.structs.replace(
        options, settings=settings, query=state.query, as_read=None, program="", origin=state.origin,
        allow=(*options.allow, *state.allow),
    )  # fmt: skip


def check_size(query: Query) -> None:
    """Raises UsageError where a reading is too large for an event of the journal."""
    if len(msgspec.json.encode(query)) > MAX_EVENT_BYTES * 3 // 4:
        raise UsageError("the query is too long to be kept with its reading; say it in fewer words")


def _read(text: str) -> Query:
    from scrapewright.query.read import read_query  # slow to load

    return read_query(text)


def _read_program(path: Path) -> str:
    try:
        with path.open("rb") as file:
            source = file.read(PROGRAM_AT_MOST + 1)
        if len(source) > PROGRAM_AT_MOST:
            raise UsageError(f"{path} is larger than {PROGRAM_AT_MOST >> 20} MB, the most that a program may be")
        program = _decoded(source)
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror or error}") from error
    except (SyntaxError, LookupError, UnicodeError) as error:
        raise UsageError(f"{path} is no UTF-8 text, and names no encoding that it is in") from error
    if not program.strip():
        raise UsageError(f"{path} is empty")
    return program


def _decoded(source: bytes) -> str:
    """A program's text as Python reads it (PEP 263): UTF-8, or what its first lines say; a byte order mark is no text.

    Raises SyntaxError or LookupError (no such encoding of text) or UnicodeError.
    """
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    return source.decode(encoding)
