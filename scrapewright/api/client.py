"""The two clients. Nothing heavy is imported before the first call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Literal, TypeAlias, TypeVar, Unpack

    import pandas

    from scrapewright.api.answers import Answerer, Question, Reply
    from scrapewright.api.page import Page
    from scrapewright.api.result import Result
    from scrapewright.api.worker import Worker
    from scrapewright.loop.ports import Ran
    from scrapewright.options import RunOptions
    from scrapewright.session.journal import Item
    from scrapewright.session.verdict import RowsReport

    T = TypeVar("T")
    Rows: TypeAlias = Sequence[Mapping[str, Any]] | pandas.DataFrame


class Request(TypedDict, total=False):
    """What `run` and `stream` take besides the request's text.

    `pages`: how many. `allow`: hosts that may be reached besides those that the request names. `reading`: the request
    as a reading, in the JSON form that `scrapewright schema reading` prints, over what the text says. `selectors` and
    `examples`: where columns are, or a value of each as the page shows it, by column. `program`: a program to start
    from. `out`: a folder to write the rows and the program to, or a file for the rows, of the kind that its name says
    (`rows.xlsx`); to a database `append` adds them, by the column `key`. Without it nothing is written but the session.
    """

    pages: int
    allow: str | Iterable[str]
    reading: Mapping[str, Any]
    selectors: Mapping[str, str]
    examples: Mapping[str, str]
    program: str
    out: Path | str
    append: bool
    key: str


class _Client:
    """Settings, and no more: every call opens what it needs and closes it again."""

    def __init__(
        self,
        *,
        programmer: Literal["auto", "rules", "model", "command"] | None = None,
        model: str | None = None,
        api_key: str | None = None,
        base_url: str | None = None,
        sandbox: Literal["auto", "docker", "local", "bwrap", "namespaces"] | None = None,
        max_iterations: int | None = None,
        mode: Literal["auto", "approve", "step"] | None = None,
        time_limit: float | None = None,
        tokens: int | None = None,
        max_cost: float | None = None,
        fresh: bool | None = None,
        tape: Literal["reuse", "live", "only"] | None = None,
        render: Literal["auto", "always", "never"] | None = None,
        robots: bool | None = None,
        review: bool | None = None,
        data_dir: Path | str | None = None,
        headers: Mapping[str, str] | None = None,
        cookies: Path | str | None = None,
        auth: Mapping[str, str] | None = None,
        proxy: str | None = None,
    ) -> None:
        from scrapewright.api.calls import settings_of

        self._settings = settings_of(
            programmer=programmer, model=model, api_key=api_key, base_url=base_url, sandbox=sandbox,
            max_iterations=max_iterations, mode=mode, time_limit=time_limit, tokens=tokens, max_cost=max_cost,
            fresh=fresh, tape=tape, render=render, robots=robots, review=review, data_dir=data_dir, headers=headers,
            cookies=cookies, auth=auth, proxy=proxy,
        )  # fmt: skip

    def _options(self, query: str, **given: Any) -> RunOptions:
        from scrapewright.api.calls import options_of

        return options_of(self._settings, query, **given)


class Scrapewright(_Client):
    """Writes, runs, judges and repairs scrapers. Its calls block; `AsyncScrapewright` has the same for asyncio.

    What a parameter does not say comes from where the command takes it: the environment, `.env` and `config.toml`.
    `programmer` and `model`: who writes the code, with `api_key` and `base_url` of the model's server.
    `max_iterations`: programs in all, repairs among them. `tokens` and `max_cost` (dollars): what models may take.
    `fresh` True asks them anew where a reply to the same is kept. `mode` "approve" and "step" ask about each run and
    each phase. `time_limit`: seconds of a run. `tape` "only" works offline. `render` "never" draws no page
    in a browser, "always" each. `data_dir`: where sessions and fetched
    pages are kept. `review` False asks no model whether rows are right. `headers`, `cookies` (a file), `auth`
    (`{"shop.example": "basic:NAME"}`, the variable that holds it) and `proxy`: what is sent to the sites of a request,
    and through what.

    Calls are independent of each other: any number may run at once, in as many threads, and where an event loop runs
    already (which they block, as any blocking call does). Ctrl+C stops the session, keeps what it has done, and is
    raised then. Nothing is printed, and no signal handler, environment variable or logger is touched.

    >>> from scrapewright import Scrapewright
    >>> scrapewright = Scrapewright(programmer="rules", max_iterations=4)
    >>> result = scrapewright.run("every product on https://shop.example/: title, price as float")
    >>> result.ok, len(result.rows), result.rows[0]
    (True, 8, {'title': 'Harbour Lamp', 'price': 7.61})

    Raises UsageError.
    """

    def run(self, query: str, *, answer: Answerer | None = None, **given: Unpack[Request]) -> Result:
        """A session to its end. `answer` is called with each question, in the thread of the call.

        Raises UsageError, Unavailable where there is no sandbox or no model, SiteError where the site does not give
        what is asked for (HostRefused: it is at a host that was not named), what `answer` raises, and BadAnswer
        where a question does not take its answer. Rows that are not right raise nothing: see `Result.ok`.

        >>> def answer(question):
        ...     return "2" if question.kind == "pages" else question.options[0]
        >>> result = scrapewright.run("products on https://shop.example/: title, price as float", answer=answer)
        >>> result.to_pandas().shape
        (16, 2)
        """
        from scrapewright.api import calls

        options = self._options(query, **given)
        return _finished(lambda worker: calls.run(options, _asking(worker, answer)))

    def stream(
        self, query: str, *, answer: Answerer | None = None, ticks: bool = False, **given: Unpack[Request]
    ) -> Generator[Item, None, None]:
        """The session's events as they happen, the last one a SessionFinished; with `ticks` also what is not kept:
        pieces of the program as it is written, of output, the line being run. Left early, it stops the session.

        Raises as `run`, but for how the session ended, which the last event says.

        >>> from scrapewright import events
        >>> for event in scrapewright.stream("every product on https://shop.example/: title, price as float"):
        ...     match event:
        ...         case events.CodeWritten():
        ...             print("attempt", event.attempt, "by", event.author)
        ...         case events.Judged():
        ...             print("right:", event.verdict.ok, event.verdict.rows)
        attempt 1 by rules
        right: True 8
        """
        options = self._options(query, **given)
        return self._stream(options, answer, ticks)

    def _stream(self, options: RunOptions, answer: Answerer | None, ticks: bool) -> Generator[Item, None, None]:
        from scrapewright.api import calls
        from scrapewright.api.worker import Worker

        async def work(worker: Worker[Item, None]) -> None:
            async for item in calls.stream(options, _asking(worker, answer), ticks=ticks):
                worker.put(item)

        worker = Worker(work)
        yield from worker.items()
        worker.result()

    def result(self, session: str) -> Result:
        """The result of a past session, by its id or the beginning of it. Raises UsageError where there is none.

        >>> scrapewright.result(result.session).rows == result.rows
        True
        """
        from scrapewright.api import calls

        return _finished(lambda worker: calls.result(self._settings, session))

    def check(
        self, rows: Rows, query: str, *, pages: int | None = None, allow: str | Iterable[str] = (),
        reading: Mapping[str, Any] | None = None,
    ) -> RowsReport:  # fmt: skip
        """Judges rows that anything scraped: mappings, or a DataFrame. Raises UsageError.

        >>> query = "every product on https://shop.example/: title, price as float"
        >>> report = scrapewright.check(result.rows[1:], query)
        >>> report.ok, [finding.code for finding in report.findings if finding.severity == "error"]
        (False, ['too-few-rows'])
        """
        from scrapewright.api import calls

        options = self._options(query, pages=pages, allow=allow, reading=reading)
        return _finished(lambda worker: calls.check(options, rows))

    def trace(
        self, code: str, *, args: Sequence[str] = (), allow: str | Iterable[str] = (), recorder: bool = True
    ) -> Ran:
        """Runs any program once in the sandbox, under the flight recorder: its record and the files that it left. It
        reaches the hosts in `allow` alone. Raises UsageError, Unavailable.

        >>> ran = scrapewright.trace("price = 'from £12'\\nfloat(price)")
        >>> ran.result.status, ran.result.where, ran.result.exception.frames[-1].locals
        ('error', 2, {'price': "'from £12'"})
        """
        from scrapewright.api import calls

        options = self._options("", program=code, allow=allow, need_url=False)
        return _finished(lambda worker: calls.trace(options, recorder=recorder, args=args))

    def page(self, url: str, *, allow: str | Iterable[str] = ()) -> Page:
        """Fetches a page as a session does, with what the survey proposes there. Raises UsageError, SiteError.

        >>> page = scrapewright.page("https://shop.example/")
        >>> group = page.groups[0]
        >>> group.selector, group.count
        ('article.product', 8)
        >>> {slot.selector: slot.samples[0] for slot in group.slots if slot.selector == "p.price"}
        {'p.price': '£7.61'}
        """
        from scrapewright.api import calls

        options = self._options(url, allow=allow)
        return _finished(lambda worker: calls.page(options))


class AsyncScrapewright(_Client):
    """The same for asyncio, with the parameters and errors of `Scrapewright`; `answer` may be async.

    Cancelling a call stops its session, which keeps what it has done, before the cancellation goes on.

    >>> import asyncio
    >>> from scrapewright import AsyncScrapewright
    >>> async def main():
    ...     client = AsyncScrapewright(programmer="rules")
    ...     queries = [f"every product on https://shop.example/: title, {name}" for name in ("price", "rating")]
    ...     return await asyncio.gather(*map(client.run, queries))
    >>> [result.ok for result in asyncio.run(main())]
    [True, True]
    """

    async def run(self, query: str, *, answer: Answerer | None = None, **given: Unpack[Request]) -> Result:
        """As `Scrapewright.run`; `answer` is called on the event loop."""
        from scrapewright.api import calls

        return await calls.run(self._options(query, **given), answer)

    def stream(
        self, query: str, *, answer: Answerer | None = None, ticks: bool = False, **given: Unpack[Request]
    ) -> AsyncGenerator[Item, None]:
        """As `Scrapewright.stream`. Where the loop is left early, `contextlib.aclosing` waits until the session has
        stopped; without it that happens by itself, soon afterwards.
        """
        from scrapewright.api import calls

        return calls.stream(self._options(query, **given), answer, ticks=ticks)

    async def result(self, session: str) -> Result:
        """As `Scrapewright.result`."""
        from scrapewright.api import calls

        return await calls.result(self._settings, session)

    async def check(
        self, rows: Rows, query: str, *, pages: int | None = None, allow: str | Iterable[str] = (),
        reading: Mapping[str, Any] | None = None,
    ) -> RowsReport:  # fmt: skip
        """As `Scrapewright.check`."""
        from scrapewright.api import calls

        return await calls.check(self._options(query, pages=pages, allow=allow, reading=reading), rows)

    async def trace(
        self, code: str, *, args: Sequence[str] = (), allow: str | Iterable[str] = (), recorder: bool = True
    ) -> Ran:
        """As `Scrapewright.trace`."""
        from scrapewright.api import calls

        options = self._options("", program=code, allow=allow, need_url=False)
        return await calls.trace(options, recorder=recorder, args=args)

    async def page(self, url: str, *, allow: str | Iterable[str] = ()) -> Page:
        """As `Scrapewright.page`."""
        from scrapewright.api import calls

        return await calls.page(self._options(url, allow=allow))


def _finished(work: Callable[[Worker[Any, T]], Any]) -> T:
    """What a coroutine returns, for a caller that blocks."""
    from scrapewright.api.worker import Worker

    worker: Worker[Any, T] = Worker(work)
    for _ in worker.items():
        pass
    return worker.result()


def _asking(worker: Worker[Any, Any], answer: Answerer | None) -> Callable[[Question], Awaitable[Reply]] | None:
    """The callable, called in the thread of the worker's caller."""
    return None if answer is None else lambda question: worker.call(lambda: answer(question))
