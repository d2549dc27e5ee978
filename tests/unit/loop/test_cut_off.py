"""A session that is cut off has no end: it can be gone on with from where it was."""

from __future__ import annotations

import asyncio

import pytest

from scrapewright.loop.answers import Answer
from scrapewright.session.events import Mode
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, crashed, ran, wrong


@pytest.mark.parametrize("mode", [Mode.APPROVE, Mode.AUTO])
async def test_nothing_is_recorded_of_it_and_the_session_goes_on(mode: Mode) -> None:
    bench = Bench(FakeProgrammer("x = 1\n"), FakeSandbox(crashed()), FakeCritic(wrong()), mode=mode)
    await bench.open()
    work = asyncio.create_task(bench.loop.run())
    if mode is Mode.APPROVE:  # a question is open
        assert bench.gate.answer((await bench.question("run")).seq, Answer("go"))
        await bench.question("retry")
    else:  # a step is in hand
        bench.sandbox.hold = asyncio.Event()
        await bench.until(lambda: bench.journal.session.attempt is not None and bench.journal.session.attempt.running)
    before = list(bench.names)
    bench.gate.cut_off()
    assert await asyncio.wait_for(work, 10) is None
    await bench.journal.close()
    assert bench.names == before
    assert bench.sandbox.running == 0
    assert bench.delivered == []
    assert not bench.journal.session.over

    later = Bench(
        FakeProgrammer("x = 2\n"), FakeSandbox(ran()), FakeCritic(RIGHT), log=bench.log, blobs=bench.blobs
    )  # fmt: skip
    await later.open()
    later.gate.set_mode(Mode.AUTO)
    end = await later.run()
    assert end.outcome == "success"
