"""Rows: the cursor, the tail, the header, search, copying; and logs that are only added to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual import on
from textual.app import App, ComposeResult
from textual.events import MouseScrollUp
from textual.pilot import Pilot
from textual.theme import Theme

from scrapewright.tui.live_output import LINE_AT_MOST, LineLog
from scrapewright.tui.themes import palettes
from scrapewright.tui.widgets.rows import Rows
from tests.pilot.stage import frame, until


class Bed(App[None]):
    """One Rows, and the messages it posted."""

    def __init__(self, rows: Rows) -> None:
        super().__init__()
        self.rows = rows
        self.posted: list[tuple[str, int]] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return {"text-quiet": "#808080"}

    def compose(self) -> ComposeResult:
        yield self.rows

    def on_mount(self) -> None:
        self.register_theme(Theme("bed", primary="#7aa2d6", warning="#d9a862"))
        self.theme = "bed"
        self.rows.focus()

    @on(Rows.Picked)
    def _picked(self, event: Rows.Picked) -> None:
        self.posted.append(("picked", event.index))

    @on(Rows.Moved)
    def _moved(self, event: Rows.Moved) -> None:
        self.posted.append(("moved", event.index))


@asynccontextmanager
async def bed(rows: Rows, size: tuple[int, int] = (40, 10)) -> AsyncIterator[tuple[Bed, Pilot[None]]]:
    app = Bed(rows)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: rows.has_focus and rows.size.height == size[1])
        yield app, pilot


def numbered(count: int, word: str = "row") -> list[list[tuple[str, str]]]:
    return [[(f"{word} ", "$text-quiet"), (str(n), "")] for n in range(count)]


async def test_the_cursor_moves_with_the_keys_and_stays_in_view() -> None:
    rows = Rows(cursor=True)
    async with bed(rows) as (app, pilot):
        rows.show(numbered(100))
        await pilot.press("j", "down", "k")
        await until(pilot, lambda: rows.cursor == 1)
        await pilot.press("G")
        await until(pilot, lambda: rows.cursor == 99 and "row 99" in frame(app))
        await pilot.press("pageup")
        await until(pilot, lambda: rows.cursor == 90)
        await pilot.press("g")
        await until(pilot, lambda: rows.cursor == 0 and "row 0" in frame(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.posted[-1] == ("picked", 0))
    assert [what for what, _ in app.posted] == ["moved"] * 6 + ["picked"]


async def test_the_mouse_moves_the_cursor_and_a_double_click_picks() -> None:
    rows = Rows(cursor=True)
    async with bed(rows) as (app, pilot):
        rows.show(numbered(100), header=[[("head", "bold")]])
        rows.goto(50)
        await until(pilot, lambda: "row 50" in frame(app))
        top = rows.scroll_offset.y
        await pilot.click(rows, offset=(2, 4))
        await until(pilot, lambda: rows.cursor == top + 3)
        await pilot.double_click(rows, offset=(2, 5))
        await until(pilot, lambda: ("picked", top + 4) in app.posted)
        await pilot.click(rows, offset=(2, 0))
        await pilot.pause()
        assert rows.cursor == top + 4, "the header is no row"


async def test_going_somewhere_by_program_posts_nothing() -> None:
    rows = Rows(cursor=True)
    async with bed(rows) as (app, pilot):
        rows.show(numbered(100))
        rows.goto(70)
        await until(pilot, lambda: "row 70" in frame(app))
    assert rows.cursor == 70
    assert app.posted == []


async def test_the_header_stays_while_the_rows_scroll() -> None:
    rows = Rows(cursor=True)
    async with bed(rows) as (app, pilot):
        rows.show(numbered(100), header=[[("head", "bold")]])
        await pilot.press("G")
        await until(pilot, lambda: "row 99" in frame(app))
        shown = frame(app).splitlines()
        assert shown[0].startswith("head")
        assert [line.split()[1] for line in shown[1:]] == [str(n) for n in range(91, 100)]


async def test_the_tail_is_followed_until_the_person_scrolls_up() -> None:
    rows = Rows(tail=True)
    async with bed(rows) as (app, pilot):
        rows.show(numbered(50))
        await until(pilot, lambda: "row 49" in frame(app))
        rows.extend(numbered(3, "more"))
        await until(pilot, lambda: "more 2" in frame(app))
        await pilot.press("k", "k")
        await until(pilot, lambda: rows.scroll_y == 41 and "more 2" not in frame(app))
        rows.extend(numbered(30, "later"))
        await pilot.pause()
        await until(pilot, lambda: rows.virtual_size.height == 83 and frame(app).startswith("row 41"))
        await pilot.press("G")
        await until(pilot, lambda: "later 29" in frame(app))
        rows.extend(numbered(1, "last"))
        await until(pilot, lambda: "last 0" in frame(app))


async def test_a_flood_takes_nobody_back_to_the_end() -> None:
    rows = Rows(tail=True)
    async with bed(rows) as (_, pilot):
        rows.show(numbered(50))
        await until(pilot, lambda: rows.scroll_offset.y == 40 and rows.allow_vertical_scroll)
        rows.action_scroll_up()
        rows.extend(numbered(30, "later"))  # before the view has begun to scroll
        assert not rows.following
        await until(pilot, lambda: rows.scroll_offset.y == 39)


async def test_a_wheel_turned_where_all_is_in_view_leaves_nothing() -> None:
    rows = Rows(tail=True)
    async with bed(rows) as (app, pilot):
        rows.show(numbered(3))
        await until(pilot, lambda: "row 2" in frame(app))
        await pilot.press("k")
        await pilot._post_mouse_events([MouseScrollUp], rows)
        rows.extend(numbered(30, "later"))
        await until(pilot, lambda: "later 29" in frame(app))


async def test_a_last_span_without_text_fills_the_row() -> None:
    rows = Rows()
    async with bed(rows) as (_, pilot):
        rows.show([[("new", "on #203020"), ("", "on #203020")], [("old", "")]])
        await pilot.pause()
        colors = [{s.style.bgcolor.name for s in rows.render_line(y) if s.style and s.style.bgcolor} for y in (0, 1)]
    assert colors[0] == {"#203020"}
    assert "#203020" not in colors[1]


async def test_a_last_span_without_text_gives_the_row_no_colour() -> None:
    rows = Rows()
    async with bed(rows) as (_, pilot):
        rows.show([[("name", "$primary"), (" = value", ""), ("", "$text-quiet")], [("x", ""), (" = value", "")]])
        await pilot.pause()
        first, second = (
            {s.style.color for s in rows.render_line(y) if "value" in s.text and s.style is not None} for y in (0, 1)
        )
    assert first == second, "what has no style of its own is drawn as anywhere else"


async def test_search_goes_round_the_matches() -> None:
    rows = Rows(cursor=True)
    async with bed(rows) as (_, pilot):
        rows.show([[("Blue mug", "")], [("red cup", "")], [("blue blue", "")]])
        assert rows.search("blue") == 3
        assert rows.go_to_match(0) == (1, 3)
        assert rows.go_to_match(1) == (2, 3)
        assert rows.cursor == 2
        assert rows.go_to_match(1) == (3, 3)
        assert rows.go_to_match(1) == (1, 3)
        assert rows.cursor == 0
        assert rows.go_to_match(-1) == (3, 3)
        assert rows.search("Blue") == 1, "a capital makes case count"
        assert rows.search("[.]") == 0
        assert rows.go_to_match(1) == (0, 0)
        assert rows.search("") == 0
        await pilot.pause()


async def test_search_without_a_cursor_starts_at_what_is_in_view() -> None:
    rows = Rows()
    async with bed(rows) as (app, pilot):
        rows.show([[(f"{'hit' if n % 10 == 0 else 'row'} {n}", "")] for n in range(100)])
        rows.scroll_to(y=45, animate=False, force=True, immediate=True)
        assert rows.search("hit") == 10
        assert rows.go_to_match(0) == (6, 10)
        await until(pilot, lambda: "hit 50" in frame(app))
        assert rows.go_to_match(1) == (7, 10)
        await until(pilot, lambda: "hit 60" in frame(app))


async def test_a_match_in_wide_characters_is_brought_into_view() -> None:
    rows = Rows()
    async with bed(rows, (40, 4)) as (app, pilot):
        rows.show([[("日" * 30 + "needle" + "本" * 30, "")]])
        await until(pilot, lambda: rows.allow_horizontal_scroll)
        assert rows.search("needle") == 1
        rows.go_to_match(0)
        await until(pilot, lambda: "needle" in frame(app))


async def test_a_match_is_not_left_under_the_columns_that_stay() -> None:
    rows = Rows()
    async with bed(rows, (40, 4)) as (app, pilot):
        rows.frozen = 10
        rows.show([[("0123456789" + "a" * 5 + "needle" + "b" * 80, "")]])
        await until(pilot, lambda: rows.allow_horizontal_scroll)
        rows.scroll_to(x=10, animate=False, force=True, immediate=True)
        await until(pilot, lambda: frame(app).startswith("0123456789‹"))
        assert "needle" not in frame(app)
        assert rows.search("needle") == 1
        rows.go_to_match(0)
        await until(pilot, lambda: "needle" in frame(app))


async def test_matches_follow_rows_that_are_added_and_dropped() -> None:
    log = LineLog(keep=10)
    rows = Rows(tail=True)
    async with bed(rows) as (_, pilot):
        log.write("".join(f"line {n}\n" for n in range(10)))
        rows.show_log(log)
        assert rows.search("line") == 10
        log.write("line 10\nother 11\n")
        rows.show_log(log)
        assert rows.go_to_match(-1)[1] == 9
        await pilot.pause()
    assert rows.copy_text().splitlines() == [*(f"line {n}" for n in range(2, 11)), "other 11"]


async def test_a_log_is_added_to_and_its_last_line_grows() -> None:
    log = LineLog("one\ntw", keep=100)
    rows = Rows(tail=True)
    async with bed(rows) as (app, pilot):
        rows.show_log(log)
        await until(pilot, lambda: frame(app).split() == ["one", "tw"])
        log.write("o\nthree")
        rows.show_log(log)
        await until(pilot, lambda: frame(app).split() == ["one", "two", "three"])
        log.write("\n" + "".join(f"{n}\n" for n in range(300)))
        rows.show_log(log)
        await until(pilot, lambda: "299" in frame(app))
        assert rows.row_count == 100
        rows.show_log(LineLog("another\n"))
        await until(pilot, lambda: frame(app).split() == ["another"])


async def test_a_reader_keeps_the_place_while_old_lines_are_dropped() -> None:
    log = LineLog("".join(f"line {n}\n" for n in range(100)), keep=100)
    rows = Rows(tail=True)
    async with bed(rows) as (app, pilot):
        rows.show_log(log)
        await pilot.press("g")
        rows.scroll_to(y=50, animate=False, force=True, immediate=True)
        await until(pilot, lambda: frame(app).startswith("line 50"))
        log.write("".join(f"line {n}\n" for n in range(100, 120)))
        rows.show_log(log)
        await until(pilot, lambda: frame(app).startswith("line 50"))


async def test_copying_takes_the_row_whole() -> None:
    rows = Rows(cursor=True)
    async with bed(rows) as (_, pilot):
        rows.show([[("a\tb", ""), ("x" * 10_000, "")], [("two", "")]])
        assert rows.copy_text() == "a   b" + "x" * 10_000
        await pilot.press("j")
        await until(pilot, lambda: rows.copy_text() == "two")


async def test_emoji_are_drawn_without_what_terminals_measure_differently_and_copied_with_it() -> None:
    text = "I \u2764\ufe0f it \U0001f44d\U0001f3fd"
    rows = Rows(cursor=True)
    async with bed(rows) as (app, pilot):
        rows.show([[(text, "")]])
        await until(pilot, lambda: frame(app).startswith("I \u2764 it \U0001f44d\n"))
        assert rows.copy_text() == text
        assert rows.search("\u2764\ufe0f") == 1, "what is typed or pasted is looked for as it is drawn"


async def test_a_very_long_line_says_what_is_not_drawn() -> None:
    rows = Rows()
    async with bed(rows) as (app, pilot):
        rows.show([[("x" * 100_000, "")]])
        await pilot.press("end")
        rows.scroll_to(x=rows.max_scroll_x, animate=False, force=True, immediate=True)
        await until(pilot, lambda: "96,000 more characters" in frame(app))


def test_a_log_keeps_its_memory_flat() -> None:
    log = LineLog()
    for _ in range(2_000):
        log.write("y" * 1_000)
    log.write("\nabc\rdef\n10%\r20%\r\nend")
    (long, over, bar, last) = log.since(0)
    assert long == "y" * LINE_AT_MOST + f" … {2_000_000 - LINE_AT_MOST:,} more characters"
    assert (over, bar, last) == ("def", "20%", "end")


async def test_the_row_under_the_cursor_stands_out() -> None:
    rows = Rows(cursor=True)
    async with bed(rows) as (app, pilot):
        rows.show(numbered(3), marks=[2])
        await until(pilot, lambda: "row 2" in frame(app))

        def grounds(y: int) -> set[object]:
            return {segment.style.bgcolor for segment in rows.render_line(y) if segment.style is not None}

        assert len(grounds(0)) == len(grounds(1)) == len(grounds(2)) == 1, "to the end of the row"
        plain = grounds(1)
        assert len(grounds(0) | plain | grounds(2)) == 3
        rows.search("row 1")
        assert len(grounds(1)) == 2, "what is found stands out of its row"
        assert plain < grounds(1)


async def test_a_theme_that_changes_nothing_but_a_part_is_drawn() -> None:
    rows = Rows(cursor=True)
    async with bed(rows) as (app, pilot):
        rows.show(numbered(3), marks=[2])

        def ground() -> str:
            style = app.screen._compositor.render_strips()[2]._segments[0].style
            assert style is not None
            assert style.bgcolor is not None
            return style.bgcolor.name

        for color in ("#402000", "#004020"):
            app.register_theme(Theme(color, primary="#7aa2d6", variables={"warning-muted": color}))
            app.theme = color
            await until(pilot, lambda: ground() == color)  # noqa: B023


async def test_without_colours_the_cursor_is_a_bar() -> None:
    rows = Rows(cursor=True)
    async with bed(rows) as (app, pilot):
        app.register_theme(palettes()[0]["ansi"].theme)
        app.theme = "ansi"
        rows.show([[("one", "$primary"), ("two", "$error")], [("three", "")]])

        def bar() -> bool:
            return all(segment.style is not None and segment.style.reverse for segment in rows.render_line(0))

        await until(pilot, bar)
        assert len({segment.style.color for segment in rows.render_line(0) if segment.style is not None}) == 1
        assert not any(segment.style is not None and segment.style.reverse for segment in rows.render_line(1))


async def test_a_row_that_goes_on_says_so_at_the_edge() -> None:
    rows = Rows()
    async with bed(rows, (20, 4)) as (app, pilot):
        rows.show([[("0123456789" * 4, "")], [("short", "")]])
        await until(pilot, lambda: "0123456789012345678›" in frame(app) and rows.allow_horizontal_scroll)
        assert "short›" not in frame(app)
        assert len(frame(app).splitlines()[3:]) <= 1, "no line goes to a scroll bar"
        await pilot.press("greater_than_sign")
        await until(pilot, lambda: frame(app).startswith("‹"))
        await pilot.press("greater_than_sign")
        await until(pilot, lambda: "›" not in frame(app))


async def test_a_page_sideways_passes_over_nothing() -> None:
    rows = Rows()
    async with bed(rows, (40, 4)) as (app, pilot):
        rows.frozen = 10
        words = [f"w{n:03}" for n in range(60)]
        rows.show([[("0123456789", ""), (" ".join(words), "")]])
        await until(pilot, lambda: rows.allow_horizontal_scroll)
        seen: set[str] = set()
        for page in range(20):
            left = min(30 * page, rows.max_scroll_x)
            await until(pilot, lambda: rows.scroll_offset.x == left and "0123456789" in frame(app))  # noqa: B023
            seen |= set(frame(app).replace("‹", " ").replace("›", " ").split())
            await pilot.press("greater_than_sign", "less_than_sign", "greater_than_sign")
            if left == rows.max_scroll_x:
                break
        cut = 2 * (page + 1)
        assert len(set(words) - seen) <= cut, "those alone that an edge cuts"
