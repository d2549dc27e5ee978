"""A bare address: what its page offers, and a session of what was picked of it."""

from __future__ import annotations

import csv
from pathlib import Path

import msgspec

from scrapewright import wiring
from scrapewright.loop.ports import OfferedTables
from scrapewright.options import check_options
from scrapewright.query.correct import column_text, corrected
from scrapewright.settings import Settings
from tests.e2e.site import MUGS, serve


async def test_a_page_s_table_is_offered_and_becomes_the_rows(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data", config_dir=tmp_path, mode="auto", programmer="rules")
    with serve({"/": MUGS}) as site:
        options = check_options(settings, f"{site.base}/", {}, out=tmp_path / "out")
        offered = await wiring.offered_tables(options)
        table = offered.tables[0]
        kept = [one for one in table.columns if one.column.name != table.columns[-1].column.name]
        assert len(kept) > 0
        reading = options.reading
        for at, one in enumerate(kept):
            reading = corrected(reading, f"column.{at}", column_text(one.column).replace(one.column.name, f"my{at}", 1))
        places = [msgspec.structs.replace(one.place, column=f"my{at}") for at, one in enumerate(kept)]
        picked = msgspec.structs.replace(options, reading=reading, decisions=(table.place, *places))
        async with wiring.new_session(picked, asks=False) as handle:
            finished = await handle.loop.run()
    assert finished is not None
    with (tmp_path / "out" / "rows.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == table.records == 4
    assert list(rows[0]) == [f"my{at}" for at in range(len(kept))]
    assert [row["my0"] for row in rows][:3] == list(kept[0].samples)


async def test_a_page_without_tables_says_why(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data", config_dir=tmp_path)
    with serve({"/": "<p>Nothing to see here.</p>"}) as site:
        offered = await wiring.offered_tables(check_options(settings, f"{site.base}/gone", {}))
    assert offered == OfferedTables(offered.title, (), offered.problem)
    assert offered.problem
