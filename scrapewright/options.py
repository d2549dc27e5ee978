"""A command's options, checked."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import tokenize
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from scrapewright.errors import UnfitRows, UsageError
from scrapewright.plugins import choices
from scrapewright.query.reading import (
    READING_AT_MOST,
    BadReading,
    Format,
    Part,
    Reading,
    combined,
    from_builtins,
    from_json,
)
from scrapewright.session.events import MAX_EVENT_BYTES
from scrapewright.session.questions import Decision
from scrapewright.session.result import PROGRAM_AT_MOST
from scrapewright.session.state import Session
from scrapewright.settings import AT_MOST, CHOICES, ModelSpec, Role, Settings, SettingsError, Web, checked, named_secret

if TYPE_CHECKING:
    from scrapewright.session.cassette import Cassette
    from scrapewright.web.credentials import Credentials, Login
    from scrapewright.web.upstream_proxy import Proxies

QUERY_AT_MOST = 10_000
ALLOW_AT_MOST = 4_000
"""Characters. The query, its reading and the hosts are in one event, whose size is limited."""
DECISIONS_AT_MOST = 6_000
_STEPS = re.compile(r"\^ |(?:\+ )+")
_JSON_PATH = re.compile(r"[\w$@-]+(?:\.(?:[\w$@-]+|\*))*")


class RunOptions(msgspec.Struct, frozen=True):
    """The settings with the command's options over them, and the query as it was read.

    `reading` is the reading that the session works from; where the person corrected it, `as_read` is what was read.
    `out` is the folder for results or a SQLite file for the rows, None where none was named; rows are added to that
    file with `append`, by the column `key` where it is named. `program` is an existing program to start from,
    `decisions` are what --set and --example say of columns. `credentials` and `proxies` are what the settings' `web`
    comes to, None where it is empty.
    """

    settings: Settings
    reading: Reading
    out: Path | None = None
    allow: tuple[str, ...] = ()
    program: str = ""
    origin: str = "query"
    as_read: Reading | None = None
    decisions: tuple[Decision, ...] = ()
    credentials: Credentials | None = None
    proxies: Proxies | None = None
    delivers: bool = True
    """Whether result files are written, into `out` or the session's own folder."""
    append: bool = False
    key: str = ""


def check_options(
    settings: Settings, text: str, changes: dict[str, Any], *, out: Path | None = None, pages: int | None = None,
    allow: tuple[str, ...] = (), from_file: Path | None = None, need_url: bool = True, read: bool = True,
    selectors: tuple[str, ...] = (), examples: tuple[str, ...] = (), reading_file: Path | None = None,
    delivers: bool = True, web: Web | None = None, program: str | None = None,
    reading: Mapping[str, Any] | None = None, append: bool = False, key: str = "",
) -> RunOptions:  # fmt: skip
    """Without `read` the query holds the text alone: the screen shows it first and reads it then. A cassette has a text
    of its own, for where none is given. Without `delivers` nothing will be written. `web` overrides the settings' own.
    `program` and `reading` (the decoded JSON object) say what `from_file` and `reading_file` say, where they are no
    files.

    Raises UsageError: no address in the query, a folder that can't be written, a program that can't be read.
    """
    given = {name: checked(name, value, option_of(name)) for name, value in changes.items()}
    settings = msgspec.structs.replace(settings, **given)
    if settings.simulate:
        if given.get("programmer", "command") != "command":
            raise UsageError("--simulate stands in for the programmer command: leave --programmer out")
        settings = msgspec.structs.replace(settings, programmer="command")
    if given.get("model"):
        _check_model(settings)
    if settings.cassette:
        settings = _with_cassette(settings, given)
        text = text or read_cassette(settings.cassette).request
    sources = settings.sources
    if web is not None:
        settings = msgspec.structs.replace(settings, web=web.over(settings.web))
        sources = {key: source for key, source in sources.items() if not getattr(web, key.removeprefix("web."), None)}
    credentials, proxies = check_web(settings.web, sources) if settings.web != Web() else (None, None)
    if pages is not None and not 1 <= pages <= AT_MOST:
        raise UsageError(f"--pages: {pages} is too {'large' if pages > AT_MOST else 'small; the least is 1'}")
    if sum(map(len, allow)) > ALLOW_AT_MOST:
        raise UsageError(f"--allow: all hosts together may have {ALLOW_AT_MOST} characters at most")
    if len(text) > QUERY_AT_MOST:
        raise UsageError(f"the query has {len(text)} characters; {QUERY_AT_MOST} are the most it may have")
    text = text.encode("utf-8", "replace").decode()  # an argument's odd bytes come as lone surrogates
    as_read = _read(text) if read else Reading(text=text)
    query = _with_file(as_read, reading_file) if reading_file is not None else as_read
    if reading is not None:
        query = _combined(query, lambda: from_builtins(dict(reading), text), "reading")
    check_size(query)
    if need_url and not query.urls:
        raise UsageError("the query names no address; write it like: all books on https://example.org/: title, price")
    if pages is not None:
        query = combined(query, Reading(pages="first" if pages == 1 else pages), ("pages",), "person")
    if from_file is not None:
        program = _read_program(from_file)
    elif program is not None:
        _check_program(program, len(program.encode("utf-8", "replace")), "the program")
    if out is None and settings.out and delivers:
        out = Path(settings.out)
    folder = out.expanduser() if out is not None else None
    if key:
        if not append:
            raise UsageError("--key says which rows are replaced by --append, which is not there")
        key = _column(query, "--key", key)
    asks = _check_delivery(folder, append, key)
    decisions = check_decisions(query, selectors, examples)
    differs = as_read if query != as_read else None
    options = RunOptions(
        settings, query, folder, allow, program or "", "file" if program else "query", as_read=differs,
        decisions=decisions, delivers=delivers or folder is not None, append=append, key=key,
        credentials=credentials, proxies=proxies,
    )  # fmt: skip
    return asking_for(options, asks) if asks is not None else options


def _check_delivery(folder: Path | None, append: bool, key: str) -> Format | None:
    """The format that a file of such a name wants its rows in. Raises UsageError where nothing can be written there.

    Without a folder or a file there is nothing to check, and what writes rows, which is slow to load, is not loaded.
    """
    if folder is None and not append:
        return None
    from scrapewright.exports.deliver import Delivery
    from scrapewright.exports.formats import BUILT_IN, kind_of

    kind = kind_of(folder) if folder is not None else None
    if folder is None or (append and (kind is None or kind.append is None)):
        raise UsageError(
            "--append adds rows to a database: name one, "
            + " or ".join(f"--out rows{kind.suffixes[0]}" for kind in BUILT_IN if kind.append)
        )
    if append and folder.is_dir():
        raise UsageError(f"--append adds rows to a database, and {folder} is a folder; name a file with --out")
    delivery = Delivery(folder, append=append, key=key)
    try:
        delivery.check()
    except UnfitRows as error:
        raise UsageError(f"{error}; {error.advice}") from error
    except OSError as error:
        reason = error.strerror or str(error)
        other = "another file" if delivery.kind is not None else "a folder"
        raise UsageError(f"{folder} can't be written: {reason}; name {other} with --out") from error
    return delivery.kind.asks if delivery.kind is not None else None


def option_of(setting: str) -> str:
    """The option that says what a setting says."""
    return "--max-cost" if setting == "money" else "--" + setting.replace("_", "-")


def asking_for(options: RunOptions, kind: Format) -> RunOptions:
    """Asks the program for rows in that format where the request names none: JSON has types."""
    if options.reading.format_said:
        return options
    as_read = options.as_read and msgspec.structs.replace(options.as_read, format=kind)
    return msgspec.structs.replace(
        options, as_read=as_read, reading=msgspec.structs.replace(options.reading, format=kind)
    )


def check_web(web: Web, sources: Mapping[str, str]) -> tuple[Credentials, Proxies]:
    """Headers, logins with their secrets, cookies and proxies. Raises UsageError, which says where the value is from
    (`sources`, else the option) and repeats no secret.
    """
    from scrapewright.web import credentials as given
    from scrapewright.web.cookie_file import read_cookies
    from scrapewright.web.upstream_proxy import BadProxy, proxies_of

    option = ""
    try:
        option = sources.get("web.headers", "--header")
        headers = given.parse_headers([header.reveal() for header in web.headers])
        option = sources.get("web.auth", "--auth")
        logins = tuple(login_of(text) for text in web.auth)
        option = sources.get("web.cookies", "--cookies")
        cookies = read_cookies(Path(web.cookies)) if web.cookies else ()
        option = sources.get("web.proxy", "--proxy")
        proxies = proxies_of(web.proxy.reveal(), os.environ)
    except (given.BadCredentials, BadProxy, SettingsError) as error:
        raise UsageError(f"{option}: {error}") from error
    return given.Credentials(headers, logins, cookies, web.cookies), proxies


def login_of(text: str) -> Login:
    """A login with its secret. Raises BadCredentials and SettingsError, which repeat no secret."""
    from scrapewright.web.credentials import BadCredentials, parse_login, with_secret

    login = parse_login(text)
    secret = named_secret(login.secret_name)
    if not secret:
        raise BadCredentials(f"{login.secret_name} is set neither in the environment nor in .env")
    return with_secret(login, secret)


def _check_model(settings: Settings) -> None:
    """Raises UsageError where --model names none, or none is asked."""
    try:
        settings.models.find(settings.model)
    except SettingsError as error:
        raise UsageError(f"--model: {error}") from error
    if settings.programmer in {"rules", "command"}:
        raise UsageError(
            f"--model: the programmer {settings.programmer} asks no model; add --programmer model, or leave --model out"
        )


def _with_cassette(settings: Settings, given: Mapping[str, Any]) -> Settings:
    """Raises UsageError where it can't be played, or something else is to write."""
    if given.get("model") or given.get("programmer", "model") not in {"auto", "model"} or settings.simulate:
        raise UsageError("--cassette plays what a model wrote: leave --model, --programmer and --simulate out")
    path = str(Path(settings.cassette).expanduser().absolute())
    read_cassette(path)
    return msgspec.structs.replace(settings, cassette=path, programmer="model")


def read_cassette(path: str) -> Cassette:
    """Raises UsageError."""
    from scrapewright.session.cassette import CASSETTE_AT_MOST, decode

    try:
        with Path(path).open("rb") as file:
            data = file.read(CASSETTE_AT_MOST + 1)
        if len(data) > CASSETTE_AT_MOST:
            raise UsageError(f"--cassette: {path} is larger than {CASSETTE_AT_MOST >> 20} MB")
        return decode(data)
    except OSError as error:
        raise UsageError(f"--cassette: {path} can't be read: {error.strerror or error}") from error
    except ValueError as error:
        raise UsageError(
            f"--cassette: {path} is no cassette, as `scrapewright cassette record` writes them: {error}"
        ) from error


def later_models(settings: Settings) -> list[ModelSpec]:
    """The models that write where the first fell short. Raises UsageError."""
    return [
        model_for(msgspec.structs.replace(settings, model=name, escalate=()), "programmer")
        for name in settings.later_writers
    ]


def model_for(settings: Settings, role: Role) -> ModelSpec:
    """The model of a role, which can be asked as far as its settings go. Raises UsageError with what is lacking."""
    try:
        spec = settings.model_for(role)
    except SettingsError as error:
        raise UsageError(str(error)) from error
    if spec is None:
        raise UsageError(
            "the programmer model needs a key in the environment or in .env, such as OPENAI_API_KEY, or a model that "
            "needs none (--model ollama/NAME); `scrapewright doctor` shows what is set and what answers here"
        )
    if spec.lacking:
        raise UsageError(f"the model {spec.name} needs {spec.lacking}")
    if settings.money and not spec.price_known:
        raise UsageError(
            f"money is limited to ${settings.money:g}, and the price of the model {spec.name} is not known: set "
            "input_price and output_price in a [models.NAME] table"
        )
    return spec


def agent_command(settings: Settings) -> list[str]:
    """The words of the programmer command, the first an executable file's path; `{prompt_file}` may be in the
    others. Raises UsageError with what is lacking."""
    source = settings.sources.get("agent", "")
    if not settings.agent:
        unread = f"; {source}" if source else ""
        raise UsageError(
            "the programmer command needs a command line: AGENT_CMD='my-agent --print --prompt-file {prompt_file}' in "
            f"the environment, or agent in {settings.config_path}{unread}"
        )
    try:
        words = shlex.split(settings.agent)
    except ValueError as error:
        raise UsageError(f"{source}: the command line can't be read: {error}") from error
    found = shutil.which(words[0]) if words else None
    if found is None:
        raise UsageError(
            f"{source}: there is no command {words[0] if words else ''!r} here: install it, or name another"
        )
    return [str(Path(found).absolute()), *words[1:]]


def _with_file(as_read: Reading, path: Path) -> Reading:
    """The reading with what the file says in place of what was read. Raises UsageError."""
    try:
        with path.open("rb") as file:
            data = file.read(READING_AT_MOST + 1)
    except OSError as error:
        raise UsageError(f"--reading: {path} can't be read: {error.strerror or error}") from error
    return _combined(as_read, lambda: from_json(data, as_read.text), f"--reading: {path}")


def _combined(as_read: Reading, read: Callable[[], tuple[Reading, tuple[Part, ...]]], where: str) -> Reading:
    """The reading with what a person says in place of what was read. Raises UsageError."""
    try:
        said, parts = read()
    except BadReading as error:
        raise UsageError(f"{where}: {error}") from error
    return combined(as_read, said, parts, "person")


def check_decisions(query: Reading, selectors: Sequence[str], examples: Sequence[str]) -> tuple[Decision, ...]:
    """What `--set COLUMN=SELECTOR` and `--example COLUMN=VALUE` say. Raises UsageError."""
    said: list[tuple[str, str, Literal["selector", "example"]]] = [("--set", text, "selector") for text in selectors]
    said += [("--example", text, "example") for text in examples]
    decisions: list[Decision] = []
    for option, text, how in said:
        text = text.encode("utf-8", "replace").decode()
        name, sign, value = text.partition("=")
        name, value = name.strip(), value.strip()
        if not sign or not name or not value:
            form = "COLUMN=SELECTOR" if how == "selector" else "COLUMN=VALUE"
            raise UsageError(f"{option} takes {form}, and {text[:100]!r} is not of that form")
        column = _column(query, option, name)
        if any(decision.column == column for decision in decisions):
            raise UsageError(f"{option}: the column {column} is decided by another --set or --example already")
        if how == "selector":
            _check_selector(option, value)
        decisions.append(Decision("column", column, text=value, how=how))
    if len(msgspec.json.encode(decisions)) > DECISIONS_AT_MOST:
        raise UsageError(f"--set and --example: all together may have {DECISIONS_AT_MOST} bytes at most")
    return tuple(decisions)


def _column(query: Reading, option: str, name: str) -> str:
    """The column of that name among those that the request asks for."""
    names = [field.name for field in query.fields]
    if not names:
        raise UsageError(f"{option}: the request names no columns; name them in it, with {name} among them")
    found = next((n for n in names if n == name), next((n for n in names if n.casefold() == name.casefold()), None))
    if found is None:
        raise UsageError(
            f"{option}: there is no column {name[:100]!r}; the request asks for {', '.join(names)}; "
            "a column is added by naming it there"
        )
    return found


def _check_selector(option: str, text: str) -> None:
    """Raises UsageError. Besides CSS, places are taken as questions name them: dotted paths in JSON, and selectors with
    a leading "^" (before the record) or "+" (beside it).
    """
    import soupsieve

    from scrapewright.survey.selecting import UNREADABLE

    steps = _STEPS.match(text)
    selector = text[steps.end() :] if steps else text
    if _JSON_PATH.fullmatch(text) or not selector:
        return
    try:
        soupsieve.compile(selector)
    except UNREADABLE as error:
        reason = str(error).partition("\n")[0].rstrip(".:")
        raise UsageError(f"{option}: {text[:200]!r} is no CSS selector: {reason}") from error


class Writer(msgspec.Struct, frozen=True):
    """Who writes the programs: a value of --programmer, and the name of the model where that asks one."""

    programmer: str
    model: str = ""


def writers(settings: Settings) -> list[Writer]:
    """Those that the settings have all that they need for, the rules first."""
    found = [Writer("rules"), *(Writer("model", spec.name) for spec in settings.models.set_up())]
    with suppress(UsageError):
        agent_command(settings)
        found.append(Writer("command"))
    own = (name for name in choices("programmer", "", CHOICES["programmer"]) if name not in CHOICES["programmer"])
    return [*found, *map(Writer, own)]


def restored_options(options: RunOptions, state: Session, writer: Writer | None = None) -> RunOptions:
    """The options that a stored session was started with, from its events; the rest is from the current settings. With
    `writer` it is that one who writes from now on."""
    kept = {"programmer": state.programmer, "sandbox": state.sandbox, "mode": str(state.mode), "tape": state.tape}
    kept = {name: value for name, value in kept.items() if value in choices(name, value, CHOICES[name])}
    settings = msgspec.structs.replace(
        options.settings, **kept,
        attempts=state.max_attempts, time_limit=state.time_limit, model=state.model or options.settings.model,
        escalate=state.escalate, cassette=state.cassette,
    )  # fmt: skip
    if writer is not None:
        settings = msgspec.structs.replace(
            settings, programmer=writer.programmer, model=writer.model or options.settings.model, escalate=(),
            cassette="",
        )  # fmt: skip
    return msgspec.structs.replace(
        options, settings=settings, reading=state.reading, as_read=None, program="", origin=state.origin,
        allow=(*options.allow, *state.allow),
    )  # fmt: skip


def check_size(query: Reading) -> None:
    """Raises UsageError where a reading is too large for an event of the journal."""
    if len(msgspec.json.encode(query)) > MAX_EVENT_BYTES * 3 // 4:
        raise UsageError("the query is too long to be kept with its reading; say it in fewer words")


def _read(text: str) -> Reading:
    from scrapewright.query.read import read_request  # slow to load

    return read_request(text)


def _read_program(path: Path) -> str:
    try:
        with path.open("rb") as file:
            source = file.read(PROGRAM_AT_MOST + 1)
        program = _decoded(source) if len(source) <= PROGRAM_AT_MOST else ""
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror or error}") from error
    except (SyntaxError, LookupError, UnicodeError) as error:
        raise UsageError(f"{path} is no UTF-8 text, and names no encoding that it is in") from error
    _check_program(program, len(source), str(path))
    return program


def _check_program(program: str, size: int, what: str) -> None:
    """Raises UsageError."""
    if size > PROGRAM_AT_MOST:
        raise UsageError(f"{what} is larger than {PROGRAM_AT_MOST >> 20} MB, the most that a program may be")
    if not program.strip():
        raise UsageError(f"{what} is empty")


def _decoded(source: bytes) -> str:
    """A program's text as Python reads it (PEP 263): UTF-8, or what its first lines say; a byte order mark is no text.

    Raises SyntaxError or LookupError (no such encoding of text) or UnicodeError.
    """
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    return source.decode(encoding)
