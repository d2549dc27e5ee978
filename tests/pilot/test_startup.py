"""What waits until the first paint is there."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

from tests.contracts import test_floors
from tests.pilot.stage import until
from tests.pilot.test_home import home_app

HEAVY = (test_floors.HEAVY | {"pydantic"}) - {"textual", "rich"}
UP_TO_THE_FIRST_PAINT = """\
import asyncio, os, sys
from pathlib import Path
import scrapewright.commands, scrapewright.tui.launch
from scrapewright.settings import Settings
from scrapewright.tui.app import WorkbenchApp
from scrapewright.tui.screens.home import HomeScreen

class Watched(WorkbenchApp):
    def post_display_hook(self):
        if isinstance(self.screen, HomeScreen) and self.screen.query("#past") and self.screen.query("#past")[0].size:
            print(*sorted({name.split(".")[0] for name in sys.modules}), flush=True)
            os._exit(0)

nowhere = Path("/nonexistent")
app = Watched(None, Settings(data_dir=nowhere, config_dir=nowhere), query="all mugs on https://shop.example/: price")
app.run(headless=True, size=(120, 40))
"""


def test_nothing_heavy_is_loaded_before_the_first_paint() -> None:
    done = subprocess.run(
        [sys.executable, "-c", UP_TO_THE_FIRST_PAINT], capture_output=True, text=True, check=False, timeout=60
    )
    loaded = set(done.stdout.split())
    assert "textual" in loaded, done.stderr
    assert not loaded & HEAVY


async def test_the_collector_is_set_going_when_all_is_loaded(tmp_path: Path) -> None:
    app, _ = home_app(tmp_path)
    gc.disable()
    try:
        async with app.run_test() as pilot:
            await until(pilot, gc.isenabled)
            assert gc.get_freeze_count() > 10_000, "what was loaded is not looked through again"
    finally:
        gc.enable()
        gc.unfreeze()
        gc.collect()
        gc.freeze()  # as tests/conftest.py has it: without it each full collection goes through all that tests hold
