"""What a command was asked to do, checked."""

from __future__ import annotations

import io
import tokenize
from pathlib import Path
from typing import Any

import msgspec

from scrapewright.query.model import Query
from scrapewright.session.events import MAX_EVENT_BYTES
from scrapewright.settings import AT_MOST, Settings, SettingsError, checked

QUERY_AT_MOST = 10_000
"""Characters. The query and its reading stand in one event, which has a size."""


class UsageError(ValueError):
    """Bad input; the message says what to do. Exit code 2."""


class RunOptions(msgspec.Struct, frozen=True):
    """The settings with the command's options over them, and the query as it was read.

    `out` is the folder for results, None where none was named. `program` is an existing program to start from.
    """

    settings: Settings
    query: Query
    out: Path | None = None
    allow: tuple[str, ...] = ()
    program: str = ""
    program_path: str = ""
    origin: str = "query"


def check_options(
    settings: Settings, text: str, changes: dict[str, Any], *, out: Path | None = None, pages: int | None = None,
    allow: tuple[str, ...] = (), from_file: Path | None = None, need_url: bool = True,
) -> RunOptions:  # fmt: skip
    """Raises UsageError: no address in the query, a folder that can't be written, a program that can't be read."""
    from scrapewright.exports.deliver import Delivery
    from scrapewright.query.read import read_query

    try:
        given = {name: checked(name, value, "--" + name.replace("_", "-")) for name, value in changes.items()}
    except SettingsError as error:
        raise UsageError(str(error)) from error
    settings = msgspec.structs.replace(settings, **given)
    if pages is not None and pages > AT_MOST:
        raise UsageError(f"--pages: {pages} is too large")
    if len(text) > QUERY_AT_MOST:
        raise UsageError(f"the query has {len(text)} characters; {QUERY_AT_MOST} are the most it may have")
    query = read_query(text.encode("utf-8", "replace").decode())  # an argument's odd bytes come as lone surrogates
    if len(msgspec.json.encode(query)) > MAX_EVENT_BYTES * 3 // 4:
        raise UsageError("the query is too long to be kept with its reading; say it in fewer words")
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
            raise UsageError(f"{folder or Path.cwd()} can't be written: {reason}; name a folder with --out") from error
    return RunOptions(
        settings, query, folder, allow, program, str(from_file or ""), "file" if from_file is not None else "query"
    )


def _read_program(path: Path) -> str:
    try:
        program = _decoded(path.read_bytes())
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
