"""What a client's calls do, for asyncio. Both clients call these."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import aclosing, closing
from pathlib import Path
from typing import Any

import msgspec

from scrapewright import wiring
from scrapewright.api.answers import Answerer, ask
from scrapewright.api.page import Page, page_of
from scrapewright.api.result import Result, raise_for, result_of
from scrapewright.errors import UsageError
from scrapewright.loop.handle import SessionHandle
from scrapewright.loop.ports import Ran
from scrapewright.loop.tasks import cancel_and_wait
from scrapewright.options import RunOptions, asking_for, check_options
from scrapewright.session import events as ev
from scrapewright.session.journal import Item
from scrapewright.session.sanitize import to_json
from scrapewright.session.state import replay
from scrapewright.session.verdict import RowsReport
from scrapewright.settings import Secret, Settings, Web, checked, load
from scrapewright.settings.models import address

_EXAMPLES = {"headers": '{"Accept-Language": "de"}', "auth": '{"shop.example": "basic:SHOP_LOGIN"}'}
_NAMES = {"max_iterations": "attempts", "max_cost": "money"}
"""Parameters that the settings call otherwise."""


def settings_of(
    *, model: str | None, api_key: str | None, base_url: str | None, data_dir: Path | str | None,
    headers: Mapping[str, str] | None = None, cookies: Path | str | None = None, auth: Mapping[str, str] | None = None,
    proxy: str | None = None, **given: Any,
) -> Settings:  # fmt: skip
    """The settings of the environment, .env and the config file with a client's parameters over them.

    Raises UsageError.
    """
    for name, table in (("headers", headers), ("auth", auth)):
        if table is not None and not (
            isinstance(table, Mapping) and all(isinstance(text, str) for pair in table.items() for text in pair)
        ):
            raise UsageError(f"{name} must be a dict of texts, such as {_EXAMPLES[name]}")
    if proxy == "":  # an unset variable, say: left out it would have sites dialled directly
        raise UsageError("proxy is empty; leave it out, or give None, if that is meant")
    settings = load()
    changes: dict[str, Any] = {
        _NAMES.get(name, name): checked(_NAMES.get(name, name), value, name)
        for name, value in given.items()
        if value is not None
    }
    if data_dir is not None:
        changes["data_dir"] = Path(data_dir).expanduser()
    sent = Web(
        headers=tuple(Secret(f"{name}: {value}") for name, value in (headers or {}).items()),
        auth=tuple(f"{host}={login}" for host, login in (auth or {}).items()),
        cookies=str(cookies or ""),
        proxy=Secret(proxy or ""),
    )
    changes["web"] = sent.over(settings.web)
    settings = _with_model(msgspec.structs.replace(settings, **changes), model, api_key, base_url)
    if settings.programmer == "model" and settings.model_for("programmer") is None:
        raise UsageError(
            "programmer='model' needs a key: api_key=… (or base_url=… for another server), or a provider's variable "
            "such as OPENAI_API_KEY in the environment or in .env"
        )
    return settings


def _with_model(settings: Settings, model: str | None, api_key: str | None, base_url: str | None) -> Settings:
    """The settings with that model as the programmer: a name as --model takes it; with a key or an address of its own
    also a model's bare name, of a server that speaks OpenAI's protocol."""
    if api_key is None and base_url is None:
        changed = msgspec.structs.replace(settings, model=model) if model is not None else settings
        changed.model_for("programmer")  # raises where there is no such model
        return changed
    models = settings.models
    bare = bool(model) and model not in models.tables and str(model).partition("/")[0] not in models.providers
    spec = models.providers["openai"] if bare or not model else models.find(model)
    if base_url is not None and (base_url := address(spec.preset, base_url, "base_url")) != spec.base_url:
        spec = msgspec.structs.replace(spec, base_url=base_url, key=Secret(), key_variable="")  # a key has its address
    if api_key is not None:
        spec = msgspec.structs.replace(spec, key=Secret(api_key), key_variable="")
    if bare and model:
        spec = msgspec.structs.replace(spec, model=model)
    spec = msgspec.structs.replace(spec, name=f"{spec.provider}/{spec.model}")
    models = msgspec.structs.replace(models, tables={**models.tables, spec.name: spec})
    return msgspec.structs.replace(settings, models=models, model=spec.name)


def options_of(
    settings: Settings, query: str, *, need_url: bool = True, out: Path | str | None = None, pages: int | None = None,
    allow: str | Iterable[str] = (), reading: Mapping[str, Any] | None = None, program: str | None = None,
    selectors: Mapping[str, str] | None = None, examples: Mapping[str, str] | None = None, append: bool = False,
    key: str = "",
) -> RunOptions:  # fmt: skip
    """A call's parameters, checked. Rows are asked for as JSON, which keeps their types, unless the request says
    otherwise. Raises UsageError.
    """
    if pages is not None:
        pages = int(checked("attempts", pages, "pages"))
    options = check_options(
        settings, query, {}, out=Path(out) if out is not None else None, pages=pages, need_url=need_url,
        allow=(allow,) if isinstance(allow, str) else tuple(allow), reading=reading, program=program, delivers=False,
        append=append, key=key,
        selectors=tuple(f"{column}={text}" for column, text in (selectors or {}).items()),
        examples=tuple(f"{column}={text}" for column, text in (examples or {}).items()),
    )  # fmt: skip
    return asking_for(options, "json")


async def run(options: RunOptions, answer: Answerer | None) -> Result:
    """A session to its end. Raises UsageError, Unavailable, SiteError. Cancelled, it stops the session first."""
    _needs_answers(options, answer)
    async with wiring.new_session(options, asks=answer is not None) as handle:
        async with aclosing(_follow(handle, answer)) as items:
            async for _ in items:
                pass
        result = await asyncio.to_thread(result_of, handle.journal.session, handle.blobs)
    raise_for(result)
    return result


async def stream(options: RunOptions, answer: Answerer | None, *, ticks: bool) -> AsyncGenerator[Item, None]:
    """The events of a session as they happen. Left early, it stops the session. Raises UsageError, Unavailable."""
    _needs_answers(options, answer)
    async with (
        wiring.new_session(options, asks=answer is not None) as handle,
        aclosing(_follow(handle, answer)) as items,
    ):
        async for item in items:
            if ticks or isinstance(item, ev.Event):
                yield item


def _needs_answers(options: RunOptions, answer: Answerer | None) -> None:
    """Raises UsageError."""
    if answer is None and options.settings.mode != "auto":
        raise UsageError(f"mode={options.settings.mode!r} asks questions: give answer=…, a callable that answers them")


async def _follow(handle: SessionHandle, answer: Answerer | None) -> AsyncGenerator[Item, None]:
    work = asyncio.create_task(handle.loop.run(), name="session")
    try:
        async with aclosing(handle.journal.follow()) as items:
            async for item in items:
                yield item
                if answer is not None and isinstance(item, ev.Asked) and handle.journal.session.question == item:
                    await ask(handle, item, answer)
        await work
    finally:
        await cancel_and_wait(work)


async def result(settings: Settings, session: str) -> Result:
    """Of a stored session. Raises UsageError where there is none, ScrapewrightError where it is damaged."""

    def read() -> Result:
        with closing(wiring.open_store(settings)) as store:
            file = store.read(session)
            return result_of(replay(file.events()), file)

    return await asyncio.to_thread(read)


async def check(options: RunOptions, rows: Any) -> RowsReport:
    """Raises UsageError."""
    body = await asyncio.to_thread(rows_as_json, rows)
    return await wiring.check_rows(options, "rows.json", body, lambda line: None)


def rows_as_json(rows: Sequence[Mapping[str, Any]] | Any) -> bytes:
    """Mappings, or a DataFrame, as a JSON list. Raises UsageError."""
    found = rows.to_dict("records") if hasattr(rows, "to_dict") else rows
    found = list(found) if isinstance(found, Iterable) else [found]
    if not all(isinstance(row, Mapping) for row in found):
        raise UsageError("rows are mappings of column names to values, or a DataFrame")
    plain = [{str(name): value for name, value in row.items()} for row in found]
    return to_json(msgspec.to_builtins(plain, enc_hook=_plain))


def _plain(value: Any) -> Any:
    """A value that JSON has no form for: of numpy and pandas the Python value, NaT None, else its text."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return None if value != value else str(value)


async def trace(options: RunOptions, *, recorder: bool, args: Sequence[str]) -> Ran:
    """Raises UsageError, Unavailable."""
    return await wiring.trace_program(options, lambda line: None, recorder=recorder, argv=tuple(args))


async def page(options: RunOptions) -> Page:
    """Raises UsageError, Unavailable, SiteError."""
    return page_of(*await wiring.survey_page(options))
