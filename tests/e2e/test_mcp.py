"""`scrapewright mcp` with a real client over stdio: after a handshake, and by rounds as of 2026-07-28."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import ElicitResult, InputRequiredResult

from tests.e2e.site import LIST, MUGS, called, serve
from tests.fakes.loopback import Handler
from tests.fakes.openai_server import Say
from tests.fakes.openai_server import serve as model_server

MODES = (pytest.param("legacy", marks=pytest.mark.full), "auto")
PAGED = MUGS.replace("</ul>", '</ul><a class="next" href="/?page=2" rel="next">next</a>')
SECOND = MUGS.replace("mug/", "mug/2").replace(" mug<", " cup<")
LONG = "".join(
    f'<li class="mug"><h3 class="name">Mug {n} {"long " * 100}</h3><p class="price">£{n}.50</p></li>' for n in range(90)
)


@pytest.fixture(autouse=True)
def _results_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "results").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "results"))


@asynccontextmanager
async def connected(mode: str = "auto", **callbacks: Any) -> AsyncIterator[Client]:
    env = {name: value for name, value in os.environ.items() if name.startswith(("XDG_", "SCRAPEWRIGHT_", "TMPDIR"))}
    server = StdioServerParameters(command=sys.executable, args=["-m", "scrapewright", "mcp"], env=env)
    async with asyncio.timeout(100), Client(server, mode=mode, **callbacks) as client:
        yield client


async def result_of(client: Client, tool: str, **arguments: Any) -> Any:
    """What a tool returned, which is no error."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """The message of a tool's error."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result
    return str(result.content[0].text)  # type: ignore[union-attr]


@pytest.mark.parametrize("mode", MODES)
async def test_a_run_asks_and_gives_rows_that_are_trusted(mode: str) -> None:
    said: list[str] = []

    async def progress(number: float, total: float | None, message: str | None) -> None:
        said.append(message or "")

    with serve({"/": PAGED, "/?page=2": SECOND}) as site:
        async with connected(mode) as client:
            request = f"all mugs on {site.base}/: name, price (float)"
            begun = await client.call_tool("run", {"request": request}, progress_callback=progress)
            asks = begun.structured_content
            assert asks["status"] == "waiting"
            assert (asks["question"]["kind"], [o["id"] for o in asks["question"]["options"]]) == (
                "pages",
                ["first", "all"],
            )
            session = asks["session"]
            assert "'odd' is neither" in await refused(client, "answer", session=session, reply="odd")
            over = await result_of(client, "answer", session=session, reply="all")
            assert "waits for an answer" in await refused(client, "answer", session=session, reply="all")
            kept = await result_of(client, "sessions", session=session)
            listed = (await result_of(client, "sessions"))["sessions"]
    assert (over["status"], over["trusted"], over["outcome"], over["exit_code"]) == ("over", True, "success", 0)
    assert over["rows"][0] == {"name": "Blue mug", "price": 3.5}
    assert over["rows_shown"] == over["rows_total"] == len(over["rows"])
    assert {row["name"].split()[1] for row in over["rows"]} == {"mug", "cup"}
    assert over["verdict"]["ok"]
    rows, program = map(Path, over["files"])
    assert json.loads(rows.read_text()) == over["rows"]
    assert program.name == "scraper.py"
    assert kept["rows"] == over["rows"]
    assert listed[0]["session"] == session
    assert "looking at the page" in said


async def test_page_check_and_trace(tmp_path: Path) -> None:
    with serve({"/": MUGS}) as site:
        async with connected() as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == [
                "page", "run", "answer", "check", "trace", "sessions",
            ]  # fmt: skip
            page = await result_of(client, "page", url=f"{site.base}/")
            group = page["groups"][0]
            rows = [{"name": f"{color} mug", "price": 1.0} for color in ("Red", "Green")]
            report = await result_of(
                client, "check", rows=rows, request=f"all mugs on {site.base}/: name, price (float)"
            )
            code = "import sys\nprice = sys.argv[1]\nopen('out.txt', 'w').write('kept')\nfloat(price)"
            ran = await result_of(client, "trace", code=code, args=["from £3\x1b[2J"])
            reached = await result_of(
                client, "trace", code=f"import requests; print(requests.get('{site.base}/').status_code)",
                hosts=[site.base.removeprefix("http://")],
            )  # fmt: skip
            closed = await result_of(
                client, "trace", code=f"import requests; requests.get('{site.base}/').raise_for_status()"
            )
            assert "names no address" in await refused(client, "run", request="mugs")
            gone = await result_of(client, "page", url=f"{site.base}/gone")
            assert "no session 'x'" in await refused(client, "answer", session="x", reply="go")
    assert (group["selector"], group["records"]) == ("li.mug", 4)
    assert any("£4.25" in place["samples"] for place in group["places"])
    assert (gone["status"], gone["verdict"], gone["reason"]) == (404, "error", "the server answered: Not Found (404)")
    assert not report["ok"]
    assert report["findings"]
    assert (ran["status"], ran["where"], ran["exception"]["type"]) == ("error", 4, "ValueError")
    assert "from £3" in str(ran["exception"]["frames"])
    assert "\x1b" not in str(ran)
    assert Path(ran["files"][0]).read_text() == "kept"
    assert (reached["status"], reached["stdout"]) == ("ok", "200\n")
    assert closed["status"] == "error"
    assert closed["requests"][0]["verdict"] == "refused"


PRICED = """programmer = "{programmer}"
model = "small"
[models.small]
model = "m"
base_url = "{base}/v1"
input_price = 10.0
output_price = 10.0
"""
RIGHT = json.dumps(
    {"columns": [{"column": c, "judgement": "right", "reason": "", "rows": []} for c in ("name", "price")]}
)


def configured(base: str, programmer: str) -> None:
    folder = Path(os.environ["XDG_CONFIG_HOME"]) / "scrapewright"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.toml").write_text(PRICED.format(base=base, programmer=programmer), encoding="utf-8")


@pytest.mark.full
async def test_a_run_may_say_what_models_may_cost() -> None:
    with serve({"/": MUGS}) as site, model_server(Say("no program"), Say("none either")) as model:
        configured(model.base, "model")
        async with connected() as client:
            request = f"all mugs on {site.base}/: name, price (float)"
            over = await result_of(client, "run", request=request, max_cost=0.001)
            none = await refused(client, "run", request=request, max_cost=0)
    assert (over["outcome"], over["exit_code"]) == ("budget", 4)
    assert "the budget of $0.00 is spent" in over["reason"]
    assert len(model.requests) == 1
    assert "0 would be no limit" in none


@pytest.mark.full
async def test_a_run_may_ask_models_anew() -> None:
    with serve({"/": MUGS}) as site, model_server(Say(RIGHT), Say(RIGHT)) as model:
        configured(model.base, "rules")
        async with connected() as client:
            request = f"all mugs on {site.base}/: name, price (float)"
            asked = []
            for given in ({}, {"fresh": True}, {}):
                assert (await result_of(client, "run", request=request, **given))["trusted"]
                asked.append(len(model.requests))
    assert asked == [1, 2, 2]


@pytest.mark.full
async def test_rows_are_cut_and_the_file_has_them_all() -> None:
    with serve({"/": MUGS.replace(LIST, LONG)}) as site:
        async with connected() as client:
            over = await result_of(client, "run", request=f"all mugs on {site.base}/: name, price (float)")
    assert (over["rows_shown"], over["rows_total"]) == (50, 90)
    assert len(over["rows"]) == 50
    assert all(len(row["name"]) == 400 and row["name"].endswith("…") for row in over["rows"])
    whole = json.loads(Path(over["files"][0]).read_text())
    assert len(whole) == 90
    assert len(whole[0]["name"]) > 400


def elsewhere(base: str) -> Any:
    def sends_on(handler: Handler) -> None:
        handler.send_response(302)
        handler.send_header("Location", f"{base}/")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return sends_on


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("answer", "allowed"),
    [
        (ElicitResult(action="accept", content={"answer": "allow"}), True),
        pytest.param(None, False, marks=pytest.mark.full),
        pytest.param(ElicitResult(action="decline"), False, marks=pytest.mark.full),
        pytest.param(ElicitResult(action="accept", content={"answer": "deny"}), False, marks=pytest.mark.full),
        pytest.param(ElicitResult(action="accept", content={"odd": "allow"}), False, marks=pytest.mark.full),
    ],
)
async def test_only_a_person_allows_a_host_that_was_not_named(
    answer: ElicitResult | None, allowed: bool, mode: str, tmp_path: Path
) -> None:
    """Of this machine nothing is reached even so: a loopback address must be in the request."""
    asked: list[str] = []

    async def person(context: Any, parameters: Any) -> ElicitResult:
        asked.append(parameters.message)
        assert answer is not None
        return answer

    callbacks = {"elicitation_callback": person} if answer is not None else {}
    with serve({"/": MUGS}) as other, serve({"/": elsewhere(other.base)}) as site:
        async with connected(mode, **callbacks) as client:
            over = await result_of(client, "run", request=f"all mugs on {site.base}/: name, price (float)")
    host = other.base.removeprefix("http://")
    events = [json.loads(line) for line in shown(over["session"], tmp_path).splitlines()]
    assert [event["host"] for event in events if event["type"] == "HostAllowed"] == ([host] if allowed else [])
    assert over.get("refused_hosts", []) == ([] if allowed else [host])
    assert (over["outcome"], over["trusted"]) == ("host", False)
    assert all(f"may {host} be reached?" in message for message in asked)
    assert len(asked) == (answer is not None)
    assert other.seen == []


def shown(session: str, folder: Path) -> str:
    return called("sessions", "show", session, "--json", cwd=folder).stdout


@pytest.mark.full
async def test_a_model_can_not_allow_a_host_itself() -> None:
    async def person(context: Any, parameters: Any) -> ElicitResult:
        raise AssertionError("the client does not come to it")

    with serve({"/": MUGS}) as other, serve({"/": elsewhere(other.base)}) as site:
        async with connected(elicitation_callback=person) as client:
            request = {"request": f"all mugs on {site.base}/: name, price (float)"}
            round_one = await client.session.call_tool("run", request, allow_input_required=True)
            assert isinstance(round_one, InputRequiredResult)
            session = (await result_of(client, "sessions"))["sessions"][0]["session"]
            for reply in ("allow", "allow-once", "go"):
                assert "for the person to say" in await refused(client, "answer", session=session, reply=reply)
            over = await result_of(client, "answer", session=session, reply="deny")
    assert over["outcome"] == "host"
    assert other.seen == []


@pytest.mark.parametrize("mode", MODES)
async def test_a_call_that_is_cancelled_stops_its_session(mode: str) -> None:
    entered = asyncio.Event()
    loop = asyncio.get_running_loop()

    def hangs(handler: Handler) -> None:
        loop.call_soon_threadsafe(entered.set)
        handler.state.over.wait()

    with serve({"/": hangs}) as site:
        async with connected(mode) as client:
            call = asyncio.create_task(client.call_tool("run", {"request": f"mugs on {site.base}/: name"}))
            await entered.wait()
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            while (newest := (await result_of(client, "sessions"))["sessions"][0])["outcome"] == "not over":
                pass
    assert newest["outcome"] == "stopped"


@pytest.mark.full
async def test_what_waits_when_the_client_leaves_is_stopped(tmp_path: Path) -> None:
    with serve({"/": PAGED, "/?page=2": SECOND}) as site:
        async with connected() as client:
            await result_of(client, "run", request=f"all mugs on {site.base}/: name, price (float)")
        listed = json.loads(called("sessions", "list", "--json", cwd=tmp_path).stdout)
    assert [row["outcome"] for row in listed] == ["stopped"]


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.full)])
def test_a_signal_ends_it_while_it_listens(number: signal.Signals) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "scrapewright", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdin is not None
    assert child.stdout is not None
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}
    try:
        child.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}) + "\n")
        child.stdin.flush()
        assert json.loads(child.stdout.readline())["result"]["serverInfo"]["name"] == "scrapewright"
        child.send_signal(number)
        assert child.wait(30) == 130
    finally:
        child.kill()
        child.communicate()


def test_without_its_package_it_says_what_to_do() -> None:
    code = "import sys; sys.modules['mcp'] = None; from scrapewright.cli import main; main(['mcp'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'scrapewright[mcp]'" in done.stderr
    assert done.stderr.count("\n") == 1
