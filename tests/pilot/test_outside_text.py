"""Text from outside can't be markup, can't be an escape sequence, can't crash a pane."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from scrapewright.session.events import Mode
from scrapewright.session.result import Captured, ExceptionInfo, Frame, Request, Step
from scrapewright.tui.panes.tabbed import TabbedPane
from tests.fakes.parts import Bench, FakeCritic, FakeProgrammer, FakeSandbox, crashed, ran, wrong
from tests.pilot.stage import bench_screen, frame, make_app, question, until

pytestmark = pytest.mark.drawn

TUI = Path(__file__).resolve().parents[2] / "scrapewright" / "tui"

HOSTILE = [
    "[/]", "[bold", "closing [/foo]", "[/", "\\[x]", "[@click=app.quit]x[/]", "\x1b]2;PWNED\x07", "\x1b[31mred\x1b[0m",
    "\x9b31m", "\u202egnp.exe", "\0null", "a\tb\rc", "日本語テキスト", "e\u0301\u0301\u0301", "\ud800",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467", "x" * 5000,
]  # fmt: skip
"""What broke or fooled terminal programs before, each a line of some page, value or message."""


TABS = {"trace": ("frames", "steps", "stderr", "requests"), "output": ("table", "json", "checks", "stdout", "files")}


@pytest.mark.parametrize("size", [(120, 40), pytest.param((80, 24), marks=pytest.mark.full)])
async def test_every_pane_shows_hostile_text(size: tuple[int, int]) -> None:
    everything = "\n".join(HOSTILE)
    names = {f"n{i}{t}"[:50]: t for i, t in enumerate(HOSTILE)}
    rows = "\n".join(["title," + "y", *(f'"{t}",1' for t in HOSTILE if '"' not in t)]).encode("utf-8", "replace")
    shot = ran({"rows.csv": rows})
    inner = Frame(file="scraper.py", line=2, function=HOSTILE[0], source=HOSTILE[2], locals=names)
    result = msgspec.structs.replace(
        crashed(), stdout=Captured(everything, bytes=9), stderr=Captured(everything, bytes=9), artifacts=shot.artifacts,
        exception=ExceptionInfo("Odd[/]Error", everything[:400], (inner,)), note=HOSTILE[6],
        steps=tuple(Step(line=1, function=t, values={t: t}) for t in HOSTILE),
        requests=tuple(Request("GET", f"http://x/{t}", 200, note=t) for t in HOSTILE),
    )  # fmt: skip
    bench = Bench(
        FakeProgrammer(f"x = {everything!r}\n" + everything.replace("\ud800", "")),
        FakeSandbox(result, files={"rows.csv": rows}), FakeCritic(wrong(0.1, everything[:300])), mode=Mode.APPROVE,
    )  # fmt: skip
    app = make_app(bench, query=f"{HOSTILE[0]} all on http://127.0.0.1/: {HOSTILE[2]}")
    async with app.run_test(size=size) as pilot:
        await question(pilot, "run")
        await pilot.press("a")
        await question(pilot, "retry")
        screen = bench_screen(app)
        for name, tabs in TABS.items():
            screen.action_pane(name)
            pane = screen.query_one(f"#{name}", TabbedPane)
            for tab in tabs:
                pane.choose(tab)
                await pilot.pause()
                await until(pilot, lambda: pane.tab == tab and tab in frame(app))  # noqa: B023
                written = app.export_screenshot()
                assert "\x1b" not in written, tab
                assert "\u202e" not in written, tab
                assert "PWNED" not in written, tab
        screen.action_stop()
        await until(pilot, lambda: bench.journal.session.over)


def test_outside_text_has_no_other_way_in() -> None:
    """Plain, SafeInput and `markup=False` are the only ways; a bare Static, Label or notify would read markup."""
    wrong = []
    for path in TUI.rglob("*.py"):
        text = path.read_text("utf-8")
        if path.name != "plain.py" and re.search(r"\b(Static|Label|RichLog|Log|Markdown)\(", text):
            wrong.append(f"{path.name}: a widget that reads markup or raw text")
        if re.search(r"(?<!class )\b(Input|TextArea|MaskedInput)\(", text):
            wrong.append(f"{path.name}: a field that draws a pasted sequence; SafeInput does not")
        for call in re.findall(r"notify\((?:[^()]|\([^()]*\))*\)", text):
            if "markup=False" not in call:
                wrong.append(f"{path.name}: {call}")
        for call in re.findall(r"OptionList\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", text):
            if "markup=False" not in call:
                wrong.append(f"{path.name}: {call}")
    assert not wrong
