"""The Python API: real sessions against real sites, in this process and, where it is interrupted, in one of its own."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, closing
from pathlib import Path

import pytest

from scrapewright import (
    Answer,
    AsyncScrapewright,
    BadAnswer,
    HostRefused,
    Question,
    Scrapewright,
    SiteError,
    Unavailable,
    UsageError,
    events,
)
from scrapewright.store.sessions import SessionStore, Summary
from tests.e2e.site import MUGS, Site, serve
from tests.fakes import openai_server
from tests.fakes.loopback import Handler

QUERY = "all mugs on {base}/: name, price (float)"
ROWS = [{"name": f"{name} mug", "price": price}
        for name, price in [("Blue", 3.5), ("Red", 4.25), ("Green", 2.75), ("Grey", 9.0)]]  # fmt: skip
PATIENCE = 30.0


@pytest.fixture
def site() -> Iterator[Site]:
    with serve({"/": MUGS}) as site:
        yield site


@pytest.fixture
def client() -> Scrapewright:
    return Scrapewright(programmer="rules")


@pytest.fixture
def last() -> Iterator[SessionStore]:
    store = SessionStore(Path(os.environ["XDG_DATA_HOME"]) / "scrapewright")
    yield store
    store.close()


def newest(store: SessionStore) -> Summary:
    return store.list()[0]


def test_rows_come_typed_and_nothing_else_is_touched(
    site: Site, client: Scrapewright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    before = dict(os.environ), [signal.getsignal(n) for n in (2, 15, 1)], list(logging.root.handlers)
    result = client.run(QUERY.format(base=site.base))
    assert (result.ok, result.rows, result.unverified) == (True, ROWS, [])
    assert result.columns == ("name", "price")
    assert result.verdict is not None
    assert result.verdict.ok
    assert [(attempt.id, attempt.author) for attempt in result.attempts] == [(1, "rules")]
    assert result.code == result.attempts[0].code
    assert "import requests" in result.code
    frame = result.to_pandas()
    assert list(frame.columns) == ["name", "price"]
    assert frame["price"].sum() == 19.5
    assert client.result(result.session) == result
    assert repr(result) == f"<Result {result.session}: success, 4 rows, 1 attempts>"
    assert (dict(os.environ), [signal.getsignal(n) for n in (2, 15, 1)], list(logging.root.handlers)) == before
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr() == ("", "")


def test_a_csv_that_is_asked_for_is_written_and_its_rows_are_typed(
    site: Site, client: Scrapewright, tmp_path: Path
) -> None:
    result = client.run(f"all mugs on {site.base}/: name, price (float). CSV", out=tmp_path / "out")
    assert [Path(path).name for path in result.files] == ["rows.csv", "scraper.py"]
    assert result.rows == ROWS


def test_rows_that_are_not_trusted_are_kept_apart(site: Site, client: Scrapewright) -> None:
    program = 'import json\njson.dump([{"name": "Pink mug", "price": 1.5}], open("rows.json", "w"))\n'
    result = Scrapewright(programmer="rules", max_iterations=1).run(QUERY.format(base=site.base), program=program)
    assert (result.ok, result.rows, result.outcome) == (False, [], "budget")
    assert result.unverified == [{"name": "Pink mug", "price": 1.5}]
    assert result.to_pandas().empty
    assert len(result.to_pandas(unverified=True)) == 1
    assert result.attempts[0].code == program


def test_what_is_known_beforehand_is_said(site: Site, client: Scrapewright) -> None:
    result = client.run(
        f"all mugs on {site.base}/: name, cost", selectors={"cost": "p.price"},
        reading={"columns": [{"name": "name"}, {"name": "cost", "type": "float"}]},
    )  # fmt: skip
    assert [row["cost"] for row in result.rows] == [3.5, 4.25, 2.75, 9.0]


# Questions.


def listing(number: int) -> str:
    onward = f'<a class="next" href="/?page={number + 1}">next</a>' if number < 2 else ""
    return MUGS.replace(" mug<", f" mug {number}<").replace("</body>", f"{onward}</body>")


SHELF = {"/": listing(1), "/?page=2": listing(2)}


def test_an_answer_is_asked_for_in_the_callers_thread() -> None:
    asked: list[tuple[Question, threading.Thread]] = []

    def answer(question: Question) -> str:
        asked.append((question, threading.current_thread()))
        return "all"

    with serve(SHELF) as site:
        result = Scrapewright(programmer="rules").run(QUERY.format(base=site.base), answer=answer)
    ((question, thread),) = asked
    assert (question.kind, [option.id for option in question.options]) == ("pages", ["first", "all"])
    assert thread is threading.current_thread()
    assert len(result.rows) == 8


async def test_answers_may_be_awaited_and_a_program_is_shown_before_it_runs() -> None:
    programs = []

    async def answer(question: Question) -> object:
        await asyncio.sleep(0)
        if question.kind == "run":
            programs.append(question.program)
            return "go"
        return question.options[1]

    with serve(SHELF) as site:
        result = await AsyncScrapewright(programmer="rules", mode="approve").run(
            QUERY.format(base=site.base), answer=answer,  # type: ignore[arg-type]
        )  # fmt: skip
    assert len(result.rows) == 8
    assert programs == [result.code]


def test_none_leaves_a_question_open(client: Scrapewright) -> None:
    with serve(SHELF) as site:
        result = client.run(QUERY.format(base=site.base), answer=lambda question: None)
    assert len(result.rows) == 4
    assert "a next page is there" in result.reason


def test_a_host_is_asked_about(site: Site) -> None:
    asked = []

    def answer(question: Question) -> str:
        asked.append((question.kind, question.host))
        return "deny"

    with serve({"/data": "a"}) as other:
        program = f'import requests\nrequests.get("{other.base}/data").raise_for_status()\n'
        client = Scrapewright(programmer="rules", max_iterations=1)
        client.run(QUERY.format(base=site.base), program=program, answer=answer)
    assert asked == [("host", other.base.removeprefix("http://"))]
    assert other.seen == []


@pytest.mark.parametrize(
    ("reply", "error", "says"),
    [
        (Answer("choose", option="third"), BadAnswer, "there is no option 'third'; there are first, all, none"),
        pytest.param("a few", BadAnswer, "say how many pages, or all", marks=pytest.mark.full),
        pytest.param("hint", BadAnswer, "a hint needs some words", marks=pytest.mark.full),
        (7, TypeError, "an answer is an Option, an Answer, a text or None, not int"),
    ],
)
def test_what_is_no_answer_ends_the_session(
    reply: object, error: type[Exception], says: str, client: Scrapewright, last: SessionStore
) -> None:
    with serve(SHELF) as site, pytest.raises(error, match=says):
        client.run(QUERY.format(base=site.base), answer=lambda question: reply)  # type: ignore[arg-type,return-value]
    assert newest(last).outcome == "stopped"


def test_what_the_callable_raises_is_raised_and_the_session_is_kept(client: Scrapewright, last: SessionStore) -> None:
    def answer(question: Question) -> str:
        raise LookupError("nobody at home")

    with serve(SHELF) as site, pytest.raises(LookupError, match="nobody at home"):
        client.run(QUERY.format(base=site.base), answer=answer)
    assert newest(last).outcome == "stopped"
    assert client.result(newest(last).id).outcome == "stopped"


# Where it may be called.


def test_sessions_run_at_once_in_threads(site: Site, client: Scrapewright) -> None:
    with ThreadPoolExecutor(2) as threads:
        results = list(threads.map(lambda _: client.run(QUERY.format(base=site.base)), range(2)))
    assert [result.rows for result in results] == [ROWS, ROWS]
    assert len({result.session for result in results}) == 2


async def test_a_blocking_call_works_where_an_event_loop_runs(site: Site, client: Scrapewright) -> None:
    assert client.page(f"{site.base}/").groups[0].count == 4


async def test_a_session_that_is_cancelled_is_stopped_and_kept(last: SessionStore) -> None:
    hung = asyncio.Event()
    loop = asyncio.get_running_loop()

    def hang(handler: Handler) -> None:
        loop.call_soon_threadsafe(hung.set)
        handler.state.over.wait(PATIENCE)

    with serve({"/": hang}) as site:
        work = asyncio.create_task(AsyncScrapewright(programmer="rules").run(QUERY.format(base=site.base)))
        await hung.wait()
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
    assert newest(last).outcome == "stopped"


def test_a_stream_that_is_left_stops_its_session(site: Site, client: Scrapewright, last: SessionStore) -> None:
    stream = client.stream(QUERY.format(base=site.base))
    for event in stream:
        if isinstance(event, events.Surveyed):
            break
    stream.close()
    assert newest(last).outcome == "stopped"


async def test_an_async_stream_has_every_event_or_stops_its_session(site: Site, last: SessionStore) -> None:
    client = AsyncScrapewright(programmer="rules")
    seen = [event async for event in client.stream(QUERY.format(base=site.base))]
    assert [event.seq for event in seen] == list(range(1, len(seen) + 1))  # type: ignore[union-attr]
    assert isinstance(seen[-1], events.SessionFinished)
    async with aclosing(client.stream(QUERY.format(base=site.base))) as stream:
        async for _ in stream:
            break
    assert newest(last).outcome == "stopped"


INTERRUPTED = """\
import sys
from scrapewright import Scrapewright
try:
    Scrapewright(programmer="rules").run(sys.argv[1])
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.full
def test_an_interrupt_stops_the_session_and_is_raised(last: SessionStore) -> None:
    hung = threading.Event()

    def hang(handler: Handler) -> None:
        hung.set()
        handler.state.over.wait(PATIENCE)

    with serve({"/": hang}) as site:
        command = [sys.executable, "-c", INTERRUPTED, QUERY.format(base=site.base)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            assert hung.wait(PATIENCE)
            child.send_signal(signal.SIGINT)
            assert child.communicate(timeout=PATIENCE) == ("interrupted\n", "")
    assert (newest(last).outcome, newest(last).exit_code) == ("stopped", 130)


FLAG = "<b class=flag>Pinned</b>"
FORUM = "<html><body><h1>Forum</h1>" + "".join(
    f"<div class=thread><h3>Thread {name}</h3>{FLAG if n < 2 else ''}<i class=replies>{n}4</i></div>"
    for n, name in enumerate(("one", "two", "three", "four", "five", "six", "seven"))
) + "</body></html>"  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize(
    ("text", "count"), [("skip the pinned ones", 5), ("only the pinned ones", 2), ("skip the dusty ones", 7)]
)
def test_an_answer_says_what_a_condition_in_words_means(
    site: Site, client: Scrapewright, text: str, count: int
) -> None:
    site.pages["/forum"] = (200, "text/html; charset=utf-8", FORUM.encode())
    asked = []

    def answer(question: Question) -> str:
        asked.append(question.kind)
        return question.options[0].id if question.options else "none"

    query = f"all threads on {site.base}/forum: title, replies (int)"
    result = client.run(query, reading={"filters": [{"text": text}]}, answer=answer)
    assert "condition" in asked
    assert (result.ok, result.reason, len(result.rows)) == (True, result.reason, count)
    assert result.verdict is not None


# Errors.


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"programmer": "model"}, r"programmer='model' needs a key: api_key="),
        ({"programmer": "nobody"}, "programmer: 'nobody' is none of auto, rules, model"),
        ({"max_iterations": 0}, "max_iterations: 0 is too small; the least is 1"),
        ({"max_cost": -1.0}, "max_cost: -1.0 is too small"),
        ({"fresh": "perhaps"}, "fresh: 'perhaps' is neither true nor false"),
        ({"sandbox": "none"}, "sandbox: 'none' is none of"),
        ({"headers": ["a: b"]}, "headers must be a dict of texts"),
        ({"headers": {"a": None}}, "headers must be a dict of texts"),
        ({"proxy": ""}, "proxy is empty; leave it out"),
        ({"auth": "h=basic:X"}, "auth must be a dict of texts"),
        ({"base_url": "127.0.0.1:9", "model": "m"}, "base_url must be an address"),
        (
            {"base_url": "http://ann:hunter2@127.0.0.1:9/v1", "model": "m"},
            "base_url: an address of models holds no password",
        ),
    ],
)
def test_a_bad_parameter_is_said_by_its_name(parameters: dict[str, object], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        Scrapewright(**parameters)  # type: ignore[arg-type]


def test_a_key_is_never_shown() -> None:
    client = Scrapewright(
        programmer="model", api_key="sk-secret-words", headers={"X-Key": "sk-secret-words"},
        proxy="http://ann:sk-secret-words@127.0.0.1:1",
    )  # fmt: skip
    assert "sk-secret-words" not in repr(vars(client))


def test_headers_go_to_the_sites_of_a_request(site: Site) -> None:
    asked = []

    def answer(handler: Handler) -> None:
        asked.append(handler.headers.get("X-Key"))
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + MUGS.encode())

    site.pages["/mugs"] = answer
    found = Scrapewright(headers={"X-Key": "opens-the-door"}).page(f"{site.base}/mugs")
    assert (found.status, asked) == (200, ["opens-the-door"])
    with pytest.raises(UsageError, match=r"--cookies: .*nowhere"):
        Scrapewright(cookies="nowhere.txt").page(f"{site.base}/mugs")


@pytest.mark.parametrize(
    ("query", "given", "says"),
    [
        ("all mugs", {}, "the query names no address"),
        ("mugs on http://127.0.0.1:1/: name", {"pages": 0}, "pages: 0 is too small"),
        ("mugs on http://127.0.0.1:1/: name", {"pages": "x"}, "pages: 'x' is"),
        ("mugs on http://127.0.0.1:1/: name", {"program": " "}, "the program is empty"),
        ("mugs on http://127.0.0.1:1/: name", {"reading": {"colums": []}}, "reading: .*colums"),
        ("mugs on http://127.0.0.1:1/: name", {"selectors": {"cost": "p"}}, "there is no column 'cost'"),
        ("mugs on http://127.0.0.1:1/: name", {"allow": ""}, "an empty host"),
    ],
)
def test_a_bad_request_is_an_error_before_anything_runs(
    query: str, given: dict[str, object], says: str, client: Scrapewright
) -> None:
    with pytest.raises(UsageError, match=says):
        client.run(query, **given)  # type: ignore[arg-type]


def test_approval_needs_somebody_to_give_it() -> None:
    with pytest.raises(UsageError, match="mode='approve' asks questions: give answer="):
        Scrapewright(mode="approve", programmer="rules").run("mugs on http://127.0.0.1:1/: name")


def test_without_a_sandbox_nothing_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nothing.sock")
    client = Scrapewright(sandbox="docker", programmer="rules")
    with pytest.raises(Unavailable, match="docker"):
        client.trace("print(1)")


@pytest.mark.parametrize(
    ("status", "error", "says"),
    [(401, UsageError, "key"), pytest.param(503, Unavailable, "try again later", marks=pytest.mark.full)],
)
def test_a_model_that_gives_nothing_is_an_error(status: int, error: type[Exception], says: str, site: Site) -> None:
    with openai_server.serve(*[openai_server.Say("no", status=status)] * 9) as endpoint:
        client = Scrapewright(programmer="model", model="m-1", api_key="sk-mine", base_url=endpoint.base)
        with pytest.raises(error, match=says):
            client.run(QUERY.format(base=site.base))
    assert endpoint.requests[0]["model"] == "m-1"
    assert endpoint.headers[0]["authorization"] == "Bearer sk-mine"


def test_a_key_goes_to_its_own_address_alone(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai")
    with openai_server.serve(openai_server.Say("no", status=401)) as endpoint:
        client = Scrapewright(programmer="model", model="m-1", base_url=endpoint.base)
        with pytest.raises(UsageError, match="check the key"):
            client.run(QUERY.format(base=site.base))
    assert endpoint.requests
    assert "sk-of-openai" not in str(endpoint.headers)


@pytest.mark.full
def test_a_site_that_is_down_is_an_error_that_names_its_session(client: Scrapewright) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        base = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(SiteError, match="the site refused the connection") as caught:
            client.run(QUERY.format(base=base))
        assert client.result(caught.value.session).outcome == "refused"
        with pytest.raises(SiteError, match="the site refused the connection"):
            client.page(base)


def test_a_page_that_leads_to_another_host_is_refused_until_it_is_allowed(client: Scrapewright) -> None:
    with serve({"/": MUGS}) as other:

        def elsewhere(handler: Handler) -> None:
            handler.wfile.write(f"HTTP/1.1 302 Found\r\nLocation: {other.base}/\r\n\r\n".encode())

        host = other.base.removeprefix("http://")
        with serve({"/": elsewhere}) as site:
            for call in (client.page, lambda url: client.run(QUERY.format(base=url))):
                with pytest.raises(HostRefused, match=f"allow it with --allow {host}"):
                    call(site.base)
            assert client.page(site.base, allow=host).url == f"{other.base}/"


@pytest.mark.parametrize("rows", [["Blue mug"], None, 7])
def test_rows_that_are_none_are_refused(rows: object, client: Scrapewright) -> None:
    with pytest.raises(UsageError, match="rows are mappings of column names to values, or a DataFrame"):
        client.check(rows, "mugs on http://127.0.0.1:1/: name")  # type: ignore[arg-type]


def test_a_frame_is_judged_as_its_rows_are(site: Site, client: Scrapewright) -> None:
    import pandas

    frame = pandas.DataFrame(ROWS)
    assert client.check(frame, QUERY.format(base=site.base)).ok
    frame.loc[1, "price"] = 99.0
    report = client.check(frame, QUERY.format(base=site.base))
    assert not report.ok
    assert {finding.column for finding in report.findings if finding.severity == "error"} == {"price"}


def test_a_trace_has_the_run_and_its_files(site: Site, client: Scrapewright) -> None:
    program = f'import requests, sys\nopen(sys.argv[1], "w").write(requests.get("{site.base}/").text)\n'
    ran = client.trace(program, args=["page.html"], allow=site.base)
    assert (ran.result.status, ran.files) == ("ok", {"page.html": MUGS.encode()})
    assert [request.url for request in ran.result.requests][-1] == f"{site.base}/"
    assert client.trace("exit(3)").result.exit_code == 3


@pytest.mark.full
def test_rows_are_added_to_a_database_as_the_site_changes(site: Site, client: Scrapewright, tmp_path: Path) -> None:
    out = tmp_path / "mugs.sqlite"
    live = Scrapewright(programmer="rules", tape="live")
    query = QUERY.format(base=site.base)
    assert live.run(query, out=out, append=True, key="name").ok
    site.pages["/"] = (200, "text/html", MUGS.replace("£4.25", "£5.25").replace("Grey", "Pink").encode())
    assert live.run(query, out=out, append=True, key="name").ok
    with closing(sqlite3.connect(out)) as database:
        rows = dict(database.execute("SELECT name, price FROM rows"))
    assert rows == {"Blue mug": 3.5, "Red mug": 5.25, "Green mug": 2.75, "Grey mug": 9.0, "Pink mug": 9.0}
    with closing(sqlite3.connect(out)) as database:
        database.executescript('DROP INDEX "key name"; INSERT INTO rows SELECT * FROM rows')
    with pytest.raises(UsageError, match=r"rows that are there already share a name; take them out"):
        client.run(query, out=out, append=True, key="name")
    with pytest.raises(UsageError, match="--key: there is no column 'url'"):
        client.run(query, out=out, append=True, key="url")
    with pytest.raises(UsageError, match="--append adds rows to a database"):
        client.run(query, out=tmp_path, append=True)
