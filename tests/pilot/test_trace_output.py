"""From a failure to its frames, its values, its steps; from a finding to the rows it names; from rows to a file."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import msgspec
import pytest
from textual.widgets import Input

from scrapewright.exports.table import records
from scrapewright.session import events as ev
from scrapewright.session.events import Mode
from scrapewright.session.result import ExceptionInfo, Frame, Request, RunResult, StackLine, Step
from scrapewright.session.verdict import Finding, Verdict
from scrapewright.tui.panes.code import CodePane
from scrapewright.tui.panes.output import OutputPane
from scrapewright.tui.panes.trace import TracePane
from scrapewright.tui.screens.save import SaveScreen
from scrapewright.tui.widgets.detail import DetailScreen
from scrapewright.tui.widgets.rows import Rows
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, crashed, ran
from tests.pilot.stage import bench_screen, frame, leave, make_app, question, until

CODE = "".join(f"a{n} = {n}\n" for n in range(1, 61))
ROWS = b"title,price\n" + b"".join(b"mug %d,%d.50\n" % (n, n) for n in range(1, 41))
SHORT = Verdict(
    ok=False, score=0.4, rows=40, file="rows.csv", columns=("title", "price"),
    findings=(
        Finding("unchecked", "nothing to compare with", severity="warning"),
        Finding("wrong-type", "the price is no number", column="price", rows=(30, 31), expected="float", got="'x'"),
    ),
)  # fmt: skip


def failed() -> RunResult:
    outer = Frame("scraper.py", 50, "<module>", "main()", locals={"pages": "3"})
    inner = Frame("scraper.py", 40, "parse", "float(text)", locals={"text": "'call us'", "row": "<div>" + "x" * 300})
    cause = ExceptionInfo("KeyError", "'price'", (Frame("scraper.py", 20, "main", "x['price']", locals={"x": "{}"}),))
    steps = tuple(Step(line, "main", 0, 0, "set", {"n": str(line)}) for line in (10, 11, 12))
    return msgspec.structs.replace(
        crashed(line=40), exception=ExceptionInfo("ValueError", "no price", (outer, inner), cause, "context"),
        steps=steps,
    )  # fmt: skip


def bench_of(result: RunResult, files: dict[str, bytes] | None = None, verdict: Verdict = SHORT) -> Bench:
    sandbox = FakeSandbox(result, files=files or {"rows.csv": ROWS})
    return Bench(FakeProgrammer(CODE), sandbox, FakeCritic(verdict), mode=Mode.APPROVE)


async def to_the_retry(pilot, app, bench: Bench) -> None:  # type: ignore[no-untyped-def]
    await question(pilot, "run")
    await pilot.press("a")
    await question(pilot, "retry")
    await until(pilot, lambda: bench.journal.session.seq == bench_screen(app).shown)


async def test_a_chosen_frame_shows_its_values_and_moves_the_code() -> None:
    bench = bench_of(failed())
    app = make_app(bench)
    async with app.run_test(size=(140, 50)) as pilot:
        await to_the_retry(pilot, app, bench)
        await until(pilot, lambda: "text = 'call us'" in frame(app) and "✖40" in frame(app))
        shown = frame(app)
        assert shown.index("KeyError") < shown.index("while that was handled") < shown.index("ValueError: no price")
        await pilot.press("up")
        await until(pilot, lambda: "pages = 3" in frame(app) and "▸50" in frame(app))
        view_state = bench_screen(app).view_state
        assert view_state is not None
        assert (view_state.frame, view_state.line) == (1, 50)
        await pilot.press("g", "down")
        await until(pilot, lambda: "x = {}" in frame(app) and "▸20" in frame(app))
        await pilot.press("G", "enter", "j", "enter")
        await until(pilot, lambda: isinstance(app.screen, DetailScreen) and frame(app).count("xxxxxxxxxx") > 5)
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, DetailScreen))
        await leave(pilot, bench)


async def test_steps_are_walked_back_and_forth_with_the_code() -> None:
    bench = bench_of(failed())
    app = make_app(bench)
    async with app.run_test(size=(140, 50)) as pilot:
        await to_the_retry(pilot, app, bench)
        await until(pilot, lambda: "text = 'call us'" in frame(app))
        for key, place, line in ((",", 3, 12), (",", 2, 11), (",", 1, 10), (",", 1, 10), (".", 2, 11)):
            await pilot.press("comma" if key == "," else "full_stop")
            said = f"step {place} of 3"
            await until(pilot, lambda: said in frame(app) and f"▸{line}" in frame(app))  # noqa: B023
        assert "n = 11   was 10" in frame(app)
        await leave(pilot, bench)


async def test_a_run_that_was_killed_shows_its_stack_and_trail() -> None:
    killed = RunResult(
        status="timeout", signal="SIGKILL", trail=(7, 8, 8, 8),
        stack=(StackLine("socket.py", 9, "recv"), StackLine("scraper.py", 33, "wait")),
    )  # fmt: skip
    bench = bench_of(killed)
    app = make_app(bench)
    async with app.run_test(size=(140, 50)) as pilot:
        await to_the_retry(pilot, app, bench)
        await until(pilot, lambda: "│   33 wait " in frame(app) and "│   8 ×3 " in frame(app))
        app.screen.query_one(TracePane).focus_inside()
        await pilot.press("G")
        await until(pilot, lambda: "▸ 8" in frame(app))
        await leave(pilot, bench)


async def test_a_request_can_be_read_as_a_whole() -> None:
    bench = bench_of(failed())
    gone = Request("GET", "http://127.0.0.1/x", 404, note="gone for good")
    bench.sandbox.during = lambda: bench.requests.request(1, gone)
    app = make_app(bench)
    async with app.run_test(size=(140, 50)) as pilot:
        await to_the_retry(pilot, app, bench)
        pane = app.screen.query_one(TracePane)
        pane.choose("requests")
        pane.focus_inside()
        await until(pilot, lambda: "404 GET" in frame(app) and "1 request" in frame(app))
        await pilot.press("enter")
        await until(pilot, lambda: "sha256" in frame(app) or "not kept" in frame(app))
        assert "gone for good" in frame(app)
        await pilot.press("escape")
        await leave(pilot, bench)


async def test_a_finding_leads_to_the_rows_it_names() -> None:
    bench = bench_of(ran({"rows.csv": ROWS}))
    app = make_app(bench)
    async with app.run_test(size=(140, 50)) as pilot:
        await to_the_retry(pilot, app, bench)
        await until(pilot, lambda: "✖ the price is no number" in frame(app) and "rows 31, 32" in frame(app))
        view_state = bench_screen(app).view_state
        assert view_state is not None
        assert view_state.rows == {30, 31}
        pane = app.screen.query_one(OutputPane)
        pane.focus_inside()
        await pilot.press("enter")
        await until(pilot, lambda: "31 mug 31" in frame(app))
        table = pane.query_one("#output-table", Rows)
        assert table._marks == {30, 31}
        assert table.cursor == 30
        assert "text " in frame(app)
        assert "float" in frame(app)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, DetailScreen) and "row 31 of 40" in frame(app))
        await pilot.press("right", "n")
        await until(pilot, lambda: "row 33 of 40" in frame(app) and "title  mug 33" in frame(app))
        await pilot.press("left")
        await until(pilot, lambda: "row 32 of 40" in frame(app))
        await pilot.press(*["n"] * 9)
        await until(pilot, lambda: "row 40 of 40" in frame(app))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, DetailScreen) and table.cursor == 39)
        await leave(pilot, bench)


async def test_there_is_nothing_to_copy_of_a_table_without_rows() -> None:
    bench = bench_of(ran({"rows.csv": b"title,price\n"}), {"rows.csv": b"title,price\n"})
    app = make_app(bench)
    async with app.run_test(size=(140, 50)) as pilot:
        await to_the_retry(pilot, app, bench)
        pane = app.screen.query_one(OutputPane)
        pane.choose("table")
        pane.focus_inside()
        await until(pilot, lambda: "rows.csv: 0 rows" in frame(app))
        await pilot.press("Y")
        await until(pilot, lambda: "there are no rows here" in " ".join(note.message for note in app._notifications))
        await leave(pilot, bench)


@pytest.mark.drawn
@pytest.mark.parametrize(
    ("kind", "width"),
    [("csv", 25), *(pytest.param(*large, marks=pytest.mark.full) for large in (("json", 250), ("csv", 500)))],
)
async def test_keys_are_live_while_a_large_file_is_read(kind: str, width: int) -> None:
    """A hundred thousand rows; in one of them 50 MB."""
    if kind == "csv":
        data = b"n,text\n" + b"".join(b"%d,%s\n" % (n, b"x" * width) for n in range(100_000))
    else:
        data = json.dumps([{"n": n, "text": "x" * width} for n in range(100_000)]).encode()
    name = f"rows.{kind}"
    bench = bench_of(ran({name: data}), {name: data}, msgspec.structs.replace(SHORT, file=name, findings=()))
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await to_the_retry(pilot, app, bench)
        pane = app.screen.query_one(OutputPane)
        waits = []
        pane.choose("table")
        while "100,000 rows" not in frame(app):
            started = time.perf_counter()
            await asyncio.sleep(0)
            waits.append(time.perf_counter() - started)
            await pilot.pause()
        assert "1 to 1,000 shown" in frame(app)
        pane.focus_inside()
        await pilot.press("right_curly_bracket")
        await until(pilot, lambda: "1,001 to 2,000 shown" in frame(app))
        pane.choose("json")
        await until(pilot, lambda: "are shown" in frame(app) or "of 100,000 rows" in frame(app))
        await leave(pilot, bench)
    waits.sort()
    assert waits[len(waits) * 95 // 100] < 0.5, "a key never waits for the file"


async def test_rows_that_are_not_trusted_are_saved_as_unverified(tmp_path: Path) -> None:
    bench = bench_of(ran({"rows.csv": ROWS}))
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await to_the_retry(pilot, app, bench)
        await pilot.press("s")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen) and "not judged right" in frame(app))
        field = app.screen.query_one(Input)
        assert field.value.endswith("rows.unverified.csv")
        (tmp_path / "file").write_text("in the way")
        field.value = str(tmp_path / "file" / "rows.csv")
        await pilot.press("enter")
        await until(pilot, lambda: "not saved: " in frame(app))
        field.value = str(tmp_path / "new" / "rows.csv")
        await pilot.press("enter")
        await until(pilot, lambda: "its folder is not there: enter makes" in frame(app))
        assert not (tmp_path / "new").exists()
        await pilot.press("enter")
        await until(pilot, lambda: not isinstance(app.screen, SaveScreen))
        assert (tmp_path / "new" / "rows.csv").read_bytes() == ROWS
        await pilot.press("s")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen) and bool(app.screen.query(Input)))
        app.screen.query_one(Input).value = str(tmp_path / "new" / "rows.csv")
        await pilot.press("enter")
        await until(pilot, lambda: "is there: enter saves beside it" in frame(app))
        assert [path.name for path in (tmp_path / "new").iterdir()] == ["rows.csv"]
        await pilot.press("enter")
        await until(pilot, lambda: not isinstance(app.screen, SaveScreen))
        assert (tmp_path / "new" / "rows-2.csv").read_bytes() == ROWS
        (tmp_path / "new" / "rows.json").write_text("mine")
        await pilot.press("s")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen) and bool(app.screen.query(Input)))
        app.screen.query_one(Input).value = str(tmp_path / "new" / "rows.doc")
        await pilot.press("enter")
        await until(pilot, lambda: "not saved: rows.doc has no ending" in frame(app))
        app.screen.query_one(Input).value = str(tmp_path / "new" / "rows.json")
        await pilot.press("enter")
        await until(pilot, lambda: "is there: enter saves beside it" in frame(app))
        await pilot.press("ctrl+o")
        await until(pilot, lambda: not isinstance(app.screen, SaveScreen))
        assert json.loads((tmp_path / "new" / "rows.json").read_text()) == list(records("rows.csv", ROWS))
        await leave(pilot, bench)


async def test_the_program_looked_at_is_saved(tmp_path: Path) -> None:
    bench = bench_of(failed())
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await to_the_retry(pilot, app, bench)
        await pilot.press("S")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen) and bool(app.screen.query(Input)))
        app.screen.query_one(Input).value = f"{tmp_path}/"
        await pilot.press("enter")
        await until(pilot, lambda: not isinstance(app.screen, SaveScreen))
        text = (tmp_path / "scraper.py").read_text()
        assert text.endswith(CODE)
        assert "NOT judged right" in text
        assert app.screen.query_one(CodePane).editing is False
        await leave(pilot, bench)


async def test_requests_come_in_while_it_runs() -> None:
    bench = bench_of(ran())
    bench.sandbox.hold = asyncio.Event()
    app = make_app(bench)
    async with app.run_test(size=(140, 50)) as pilot:
        await question(pilot, "run")
        await pilot.press("a")
        await until(pilot, lambda: bench.sandbox.running == 1)
        app.screen.query_one(TracePane).choose("requests")
        for n in range(1, 4):
            await bench.journal.append(
                ev.RequestSeen(attempt=1, request=Request("GET", f"http://127.0.0.1/{n}", 200, bytes=1_500))
            )
        await until(pilot, lambda: "3 requests · 4.5 kB" in frame(app) and " /3" in frame(app))
        assert "http://127.0.0.1/3" not in frame(app), "the header names the site once, so that paths are seen"
        bench.sandbox.hold.set()
        await question(pilot, "retry")
        await leave(pilot, bench)


async def test_a_run_that_went_well_shows_what_led_to_it_where_frames_would_be() -> None:
    bench = Bench(FakeProgrammer("x = 1\n"), FakeSandbox(ran()), FakeCritic(RIGHT), mode=Mode.AUTO)
    app = make_app(bench)
    async with app.run_test(size=(140, 50)) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)
        listed = app.screen.query_one("#trace-frames-list", Rows)
        await until(pilot, lambda: "because" in [listed.line_text(row).strip() for row in range(listed.row_count)])
        assert "ok  0.00 s" in frame(app)
