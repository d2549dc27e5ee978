"""What takes long is seen to go on: pages that are looked at, a program that is written, requests of a run."""

from __future__ import annotations

import asyncio

from scrapewright.loop.ports import Report
from scrapewright.query.reading import Reading
from scrapewright.session import events as ev
from scrapewright.session.events import Mode
from scrapewright.survey.model import Survey
from scrapewright.survey.surveyor import PageSurveyor
from scrapewright.tui.widgets.statusline import StatusLine
from scrapewright.web.page import Fetch, Page
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, FakeSurveyor, ran, request
from tests.pilot.stage import bench_screen, frame, make_app, until

SITE = "http://127.0.0.1/"


class SlowPages(FakeSurveyor):
    """The real surveyor; each page comes when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.let = asyncio.Event()

    async def survey(self, query: Reading, fetch: Fetch, report: Report) -> Survey:
        async def slow(url: str, *, method: str = "GET", headers: dict[str, str] | None = None) -> Page:
            await self.let.wait()
            return Page(url=url, status=200, body=b"<ul><li>a</li></ul>")

        await PageSurveyor().survey(query, slow, report)
        return self.found


def a_bench() -> Bench:
    return Bench(FakeProgrammer("x = 1\n"), FakeSandbox(ran()), FakeCritic(RIGHT), mode=Mode.AUTO)


async def test_each_step_of_a_session_is_seen_to_go_on() -> None:
    bench = a_bench()
    bench.surveyor = pages = SlowPages()
    bench.programmer.hold, bench.sandbox.hold = asyncio.Event(), asyncio.Event()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:

        def status() -> str:
            return str(bench_screen(app).query_one(StatusLine).render())

        await until(pilot, lambda: app.workbench is not None and "0/1 fetching http://127." in status(), "a page")
        pages.let.set()
        await until(pilot, lambda: "import requests" in frame(app) and "being written" in frame(app), "a program")
        bench.programmer.hold.set()
        await until(pilot, lambda: bench.sandbox.running == 1)
        bench.journal.post(ev.RequestSeen(attempt=1, request=request(SITE)))
        await until(pilot, lambda: "1 request " in status())
        for page in range(2, 14):
            bench.journal.post(ev.RequestSeen(attempt=1, request=request(f"{SITE}?page={page}")))
        await until(pilot, lambda: "13 requests " in status())
        bench.sandbox.hold.set()
        await until(pilot, lambda: bench.journal.session.over and "success" in status())
        assert "requests" not in status()
