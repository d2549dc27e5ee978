"""How things are shown: rows unbroken, a query that can be read while it is typed, one pane over the whole screen."""

from __future__ import annotations

import asyncio
import time

import pytest
from textual.geometry import Offset
from textual.selection import Selection

from scrapewright.query.read import read_request
from scrapewright.session import events as ev
from scrapewright.session.events import Mode
from scrapewright.session.result import ExceptionInfo, Frame, Request, RunResult
from scrapewright.session.state import Session
from scrapewright.tui.live_output import LINES_KEPT
from scrapewright.tui.panes.output import OutputPane
from scrapewright.tui.panes.query import QueryPane
from scrapewright.tui.screens.replay import ReplayScreen
from scrapewright.tui.view import in_short
from scrapewright.tui.view.trace import frame_list
from scrapewright.tui.view_state import ViewState
from scrapewright.tui.widgets.codeview import CodeView
from scrapewright.tui.widgets.inputs import SafeInput
from scrapewright.tui.widgets.questionbar import QuestionBar
from scrapewright.tui.widgets.rows import Rows
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, MemoryBlobs, ran, wrong
from tests.pilot.stage import bench_screen, frame, leave, make_app, question, until

LONG = "http://127.0.0.1/" + "a" * 60
CSV = f"title,price,url\nBlue mug,3.50,{LONG}\n".encode()


def one_run(mode: Mode = Mode.AUTO) -> Bench:
    files = {"rows.csv": CSV}
    return Bench(
        FakeProgrammer("print()\n", "print(1)\n"), FakeSandbox(ran(files), files=files), FakeCritic(RIGHT), mode=mode
    )


async def test_the_query_can_be_read_while_it_is_typed() -> None:
    app = make_app(one_run(), query="", start=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press(*"mugs on x")
        await until(pilot, lambda: "│ mugs on x" in frame(app))


async def test_the_query_of_a_session_shows_its_beginning() -> None:
    bench = one_run()
    app = make_app(bench)
    session = Session(text="all the mugs on http://127.0.0.1/: title" + ", price" * 40)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)
        await until(pilot, lambda: bench_screen(app).shown == bench.journal.session.seq)
        app.screen.query_one(QueryPane).show(ViewState(session, MemoryBlobs()))
        await until(pilot, lambda: "│ all the mugs on http://127.0.0.1/" in frame(app))
        await until(pilot, lambda: "│ price, price" in frame(app) and "fields as the page names them" in frame(app))


async def test_what_was_asked_is_no_field_and_another_request_is_a_key_away() -> None:
    bench = one_run()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)
        await until(pilot, lambda: bench_screen(app).shown == bench.journal.session.seq)
        pane = app.screen.query_one(QueryPane)
        await pilot.press("1")
        await until(pilot, lambda: pane.has_focus_within and "from: http://127.0.0.1/" in frame(app))
        await pilot.press("3")
        await until(pilot, lambda: app.screen.query_one("#trace").has_focus_within)
        assert "3" not in pane.text, "a key is no text"
        await pilot.press("1", "enter")
        await until(pilot, lambda: pane.asking)
        await pilot.press("3", "escape")
        await until(pilot, lambda: not pane.asking and pane.has_focus_within)
        await pilot.press("enter", "end", *", price", "enter")
        await until(pilot, lambda: bench_screen(app).first_query() == f"{bench.journal.session.text}, price")
        await until(pilot, lambda: not pane.asking and bench.journal.session.over)


async def test_a_short_reading_names_what_was_not_understood_first() -> None:
    text = "all lamps on https://shop.example/: title, price (float), url; all pages, sorted by price; the nicest ones"
    (line,) = in_short(read_request(text), 200, 3)
    rest = "".join(part for part, _ in line[1:])
    assert rest == " · lamp: title, price float, url · all pages · sorted by price · rows.csv"
    assert line[0] == ("not understood: nicest", "$warning")
    assert len(in_short(read_request(text), 30, 2)) == 2


def test_a_message_is_broken_and_every_piece_of_it_leads_to_the_whole() -> None:
    message = "could not read a number in " + "'from £12.50 each (was £15.00)' " * 4
    result = RunResult(status="error", exception=ExceptionInfo("ValueError", message, (Frame("scraper.py", 3, "f"),)))
    listed = frame_list(result, None, width=40)
    pieces = ["".join(text for text, _ in entry.spans) for entry in listed.entries[:-1]]
    assert max(map(len, pieces)) <= 40
    assert " ".join(pieces).split() == f"ValueError: {message}".split()
    assert {entry.about for entry in listed.entries[:-1]} == {f"ValueError: {message}"}
    assert listed.entries[listed.start].line == 3


async def test_rows_are_not_broken_and_scroll_sideways() -> None:
    bench = one_run()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)
        await until(pilot, lambda: "rows.csv: 1 row" in frame(app))
        (row,) = [line for line in frame(app).splitlines() if "1 Blue mug" in line]
        assert "3.50  http://127" in row
        await pilot.press("4", "z")
        await until(pilot, lambda: "╭─ 2 Code" not in frame(app))
        assert f"Blue mug   3.50  {LONG[:13]}…{LONG[-26:]}" in frame(app)
        await pilot.press("z")
        await until(pilot, lambda: "╭─ 2 Code" in frame(app))


async def test_a_narrow_screen_turns_to_what_is_asked_about() -> None:
    bench = Bench(FakeProgrammer("print()\n"), FakeSandbox(ran()), FakeCritic(wrong()), mode=Mode.APPROVE)
    app = make_app(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await question(pilot, "run")
        await until(pilot, lambda: "╭─ 2 Code" in frame(app))
        await pilot.press("a")
        await question(pilot, "retry")
        await until(pilot, lambda: "╭─ 4 Output" in frame(app) and "falls short" in frame(app))
        await leave(pilot, bench)


async def test_escape_leaves_the_hint_and_pauses_nothing() -> None:
    bench = one_run(Mode.APPROVE)
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await question(pilot, "run")
        await pilot.press("h", "x")
        bar = app.screen.query_one(QuestionBar)
        await until(pilot, lambda: bar.has_class("hinting"))
        await pilot.press("escape")
        await until(pilot, lambda: not bar.has_class("hinting"))
        assert not bench.journal.session.pause_asked
        await pilot.press("a")
        await until(pilot, lambda: bench.journal.session.over)


async def test_what_is_said_of_keys_is_what_they_do_now() -> None:
    bench = one_run(Mode.APPROVE)
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await question(pilot, "run")
        await until(pilot, lambda: " a  run it   e  edit   h  hint " in frame(app))
        await pilot.press("h")
        await until(pilot, lambda: " enter  send it   esc  no hint" in frame(app) and " run it " not in frame(app))
        await pilot.press("escape", "e")
        await until(pilot, lambda: " f12  hint " in frame(app) and " a  run it " not in frame(app))
        await pilot.press("escape")
        await until(pilot, lambda: " a  run it   e  edit   h  hint " in frame(app))
        await pilot.press("ctrl+y")
        await until(pilot, lambda: bench.journal.session.over)
        await until(pilot, lambda: " R  run again " in frame(app))
        assert "Run again" not in frame(app), "what the bar says is not said twice"


async def test_a_short_home_gives_the_room_to_what_is_in_hand() -> None:
    app = make_app(one_run(), query="", start=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: bool(app.screen.query("#past")))
        reading, past = app.screen.query_one("#reading"), app.screen.query_one("#past")
        await until(pilot, lambda: (reading.region.height, past.region.height) == (11, 5))
        await pilot.press("f3")
        await until(pilot, lambda: past.region.height > 10 and reading.region.height == 5)


async def test_the_pane_that_has_the_keys_stands_out_without_colours() -> None:
    bench = one_run()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)

        def barred() -> list[str | None]:
            panes = bench_screen(app).query("Pane")
            return [pane.id for pane in panes if pane.styles.border_title_style.reverse]

        for key, name in zip("12345", ("query", "code", "trace", "output", "attempts"), strict=True):
            await pilot.press(key)
            await until(pilot, lambda: barred() == [name])  # noqa: B023


async def test_there_is_no_attempt_before_the_first() -> None:
    bench = one_run(Mode.APPROVE)
    bench.surveyor.hold = asyncio.Event()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "surveying  up to 4 attempts" in frame(app))
        bench.surveyor.hold.set()
        await until(pilot, lambda: "waiting  attempt 1 of 4" in frame(app))
        await leave(pilot, bench)


async def test_ctrl_c_while_a_session_starts_ends_it() -> None:
    bench = one_run()
    app = make_app(bench, start=False)
    held, entered, cancelled = asyncio.Event(), asyncio.Event(), asyncio.Event()
    opening = bench.open

    async def slow() -> Bench:
        entered.set()
        try:
            await held.wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return await opening()

    bench.open = slow  # type: ignore[method-assign]
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("enter")
        await until(pilot, entered.is_set)
        await until(pilot, lambda: "  starting" in frame(app))
        await pilot.press("ctrl+c")
        await until(pilot, cancelled.is_set)
        await until(pilot, lambda: "  starting" not in frame(app))
        held.set()
        await until(pilot, lambda: isinstance(app.focused, SafeInput))
        await pilot.press("enter")
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)


@pytest.mark.full
@pytest.mark.drawn
async def test_a_flood_of_output_leaves_the_keys_alive() -> None:
    bench = one_run()
    bench.sandbox.hold = asyncio.Event()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench.sandbox.running == 1)
        output = app.screen.query_one(OutputPane)
        output.choose("stdout")
        log = output.query_one("#output-stdout", Rows)
        await until(pilot, lambda: " stdout " in frame(app) and log.following)

        async def flood() -> None:
            for start in range(0, 100_000, 100):
                text = "".join(f"line {n} {'x' * 60}\n" for n in range(start, start + 100))
                bench.journal.tick(ev.OutputPrinted(attempt=1, stream="stdout", text=text))
                await asyncio.sleep(0)

        flooding = asyncio.create_task(flood())
        waits = []
        while not flooding.done():
            started = time.perf_counter()
            await asyncio.sleep(0)
            waits.append(time.perf_counter() - started)
        await flooding
        await until(pilot, lambda: "line 99999 " in frame(app))
        assert "95,000 earlier lines not shown" in frame(app)
        assert log.row_count == LINES_KEPT, "what is shown is capped"
        before = log.size.height
        app.set_focus(log)
        await until(pilot, lambda: log.size.height > before, "the pane has got more room")
        await pilot.press("pageup")
        await until(pilot, lambda: not log.following and "line 99999 " not in frame(app))
        bench.journal.tick(ev.OutputPrinted(attempt=1, stream="stdout", text="one more\n"))
        await until(pilot, lambda: "95,001 earlier lines not shown" in frame(app))
        assert "one more" not in frame(app), "who reads is left in peace"
        await pilot.press("G")
        await until(pilot, lambda: "one more" in frame(app))
        bench.sandbox.hold.set()
        await until(pilot, lambda: bench.journal.session.over)
    waits.sort()
    assert waits[len(waits) * 95 // 100] < 0.25, "a key never waits long; a quiet machine takes a tenth of this"


async def test_what_was_printed_stays_when_a_request_is_made() -> None:
    bench = one_run()
    bench.sandbox.hold = asyncio.Event()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench.sandbox.running == 1)
        app.screen.query_one(OutputPane).choose("stdout")
        bench.journal.tick(ev.OutputPrinted(attempt=1, stream="stdout", text="page 1\npage"))
        await until(pilot, lambda: "page 1" in frame(app))
        await bench.journal.append(ev.RequestSeen(attempt=1, request=Request("GET", "http://127.0.0.1/", 200)))
        bench.journal.tick(ev.OutputPrinted(attempt=1, stream="stdout", text=" 2\n"))
        await until(pilot, lambda: "page 2" in frame(app))
        assert "page 1" in frame(app)
        bench.sandbox.hold.set()
        await until(pilot, lambda: bench.journal.session.over)


async def test_text_in_rows_can_be_selected() -> None:
    bench = one_run()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)
        await until(pilot, lambda: "Blue mug" in frame(app))
        rows = app.screen.query_one("#output-table", Rows)
        first = len(rows._header)
        app.screen.selections = {rows: Selection(Offset(2, first), Offset(10, first))}
        await until(pilot, lambda: app.screen.get_selected_text() == "Blue mug")
        assert "Blue mug   3.50" in frame(app)


async def test_a_mark_hides_no_line_number() -> None:
    first = "\n".join(f"a{n} = {n}" for n in range(1, 31)) + "\n"
    bench = Bench(
        FakeProgrammer(first, first.replace("a12 = 12", "a12 = 0")), FakeSandbox(ran()), FakeCritic(wrong(), RIGHT)
    )
    app = make_app(bench)
    async with app.run_test(size=(120, 60)) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)
        await until(pilot, lambda: "+12  a12 = 0" in frame(app))


async def test_a_line_of_the_program_that_goes_on_says_so() -> None:
    long = "x = '" + "0123456789" * 20 + "'"
    bench = Bench(FakeProgrammer(f"{long}\ny = 1\n"), FakeSandbox(ran()), FakeCritic(RIGHT))
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)
        await pilot.press("2")
        await until(pilot, lambda: "x = '0123" in frame(app) and "›" in frame(app))
        (row,) = [line for line in frame(app).splitlines() if "y = 1" in line]
        assert "›" not in row
        await pilot.press("end")
        await until(pilot, lambda: "‹" in frame(app) and "789'" in frame(app))


async def test_in_the_terminals_own_colours_a_marked_line_has_one() -> None:
    bench = one_run()
    bench.sandbox.hold = asyncio.Event()
    app = make_app(bench, theme="ansi")
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench.sandbox.running == 1)
        view = app.screen.query_one(CodeView)
        bench.journal.tick(ev.LineReached(attempt=1, line=1))
        await until(pilot, lambda: "▶1" in frame(app))
        segments = [s for s in view.render_line(0).crop(view.gutter_width) if s.style is not None and s.text.strip()]
        assert len({(s.style.color, s.style.reverse) for s in segments if s.style is not None}) == 1
        assert segments[0].style is not None
        assert segments[0].style.reverse
        bench.sandbox.hold.set()
        await until(pilot, lambda: bench.journal.session.over)


async def test_a_past_session_has_the_keys_in_its_program_and_takes_no_request() -> None:
    bench = one_run()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)
        app.push_screen(ReplayScreen(bench.journal.events, bench.blobs))
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        await until(pilot, lambda: any(pane.has_focus_within for pane in app.screen.query("#code")))
        pane = app.screen.query_one(QueryPane)
        assert not pane.asking
        await pilot.press("1")
        await until(pilot, lambda: pane.has_focus_within and "from: http://127.0.0.1/" in frame(app))
        assert "Another request" not in frame(app)
