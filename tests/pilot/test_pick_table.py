"""A bare address on Home: the page is looked at first, and a table and its columns are picked."""

from __future__ import annotations

import asyncio
from pathlib import Path

from scrapewright.errors import UsageError
from scrapewright.loop.ports import OfferedColumn, OfferedTable, OfferedTables
from scrapewright.query.reading import Column
from scrapewright.session.questions import Decision
from scrapewright.tui.screens.home import HomeScreen
from scrapewright.tui.screens.pick_table import PickTableScreen
from scrapewright.tui.session_spec import SessionSpec
from scrapewright.tui.widgets.inputs import TransientInput
from tests.pilot.stage import frame, until
from tests.pilot.test_home import QUERY, SIZE, home_app, read


async def test_a_bare_address_is_looked_at_first_and_its_table_and_columns_are_picked(tmp_path: Path) -> None:
    def offered(name: str, records: int, *columns: str) -> OfferedTable:
        made = [
            OfferedColumn(Column(c), Decision("column", c, option=f"{name}-{c}"), (f"a {c}",), 1.0) for c in columns
        ]
        return OfferedTable(
            f"{records} × record", f"ul.{name} > li", records, Decision("group", option=name), tuple(made)
        )

    looked: list[SessionSpec] = []
    page = OfferedTables("Mugs", (offered("mugs", 8, "product", "stock", "price"), offered("shelves", 4, "shelf")))

    async def offer_tables(spec: SessionSpec) -> OfferedTables:
        looked.append(spec)
        if len(looked) == 1:
            raise UsageError("the address can't be used")
        return page if len(looked) < 4 else OfferedTables("Nothing", (), "no records")

    app, specs = home_app(tmp_path, "https://shop.test/mugs", offer_tables=offer_tables)
    async with app.run_test(size=(80, 24)) as pilot:
        await read(pilot, "https://shop.test/mugs")
        await pilot.press("f2")
        await until(pilot, lambda: "the address can't be used" in frame(app))
        await pilot.press("f2")
        await until(pilot, lambda: isinstance(app.screen, PickTableScreen) and "a product" in frame(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        assert not specs, "nothing runs that was left"
        await pilot.press("f2")
        await until(pilot, lambda: isinstance(app.screen, PickTableScreen) and "a product" in frame(app))
        await pilot.press("down")
        await until(pilot, lambda: "a shelf" in frame(app))
        await pilot.press("enter", "space")
        await until(pilot, lambda: "one column at least" in frame(app))
        await pilot.press("escape", "up", "enter", "enter")
        await until(pilot, lambda: app.screen.query_one(TransientInput).is_open)
        await pilot.press(*[*(["backspace"] * 7), *"name", "enter", "down", "space"])
        await until(pilot, lambda: "✓ name" in frame(app) and "✓ stock" not in frame(app))
        await pilot.press("down", "enter", *": money", "enter")
        await until(pilot, lambda: "'money' is no type" in frame(app))
        await pilot.press(*(["backspace"] * 5), *"float", "f2")
        await until(pilot, lambda: bool(specs))
    (spec,) = specs
    assert spec.text == "https://shop.test/mugs"
    assert spec.reading is not None
    assert [(c.name, c.type) for c in spec.reading.columns] == [("name", None), ("price", "float")]
    assert spec.reading.sources["columns"] == "person"
    assert [(d.kind, d.column, d.option) for d in spec.decisions] == [
        ("group", "", "mugs"), ("column", "name", "mugs-product"), ("column", "price", "mugs-price"),
    ]  # fmt: skip
    assert [one.text for one in looked] == ["https://shop.test/mugs"] * 3


async def test_a_sentence_and_a_page_without_tables_go_on_without_a_choice(tmp_path: Path) -> None:
    looked: list[SessionSpec] = []

    async def offer_tables(spec: SessionSpec) -> OfferedTables:
        looked.append(spec)
        return OfferedTables("Nothing", (), "no records")

    for text, count in ((QUERY, 0), ("http://127.0.0.1/", 1)):
        app, specs = home_app(tmp_path, text, offer_tables=offer_tables)
        async with app.run_test(size=SIZE) as pilot:
            await read(pilot, text)
            await pilot.press("f2")
            await until(pilot, lambda specs=specs: bool(specs))
        assert (specs[0].text, specs[0].decisions, len(looked)) == (text, (), count)


async def test_a_slow_page_is_waited_for_in_seconds_and_can_be_left(tmp_path: Path) -> None:
    async def offer_tables(spec: SessionSpec) -> OfferedTables:
        await asyncio.Event().wait()
        raise AssertionError

    app, specs = home_app(tmp_path, "http://127.0.0.1/", offer_tables=offer_tables)
    async with app.run_test(size=SIZE) as pilot:
        await read(pilot, "http://127.0.0.1/")
        await pilot.press("f2")
        await until(pilot, lambda: "1 s · esc leaves it" in frame(app))
        await pilot.press("escape")
        await until(pilot, lambda: "esc leaves it" not in frame(app))
    assert not specs
