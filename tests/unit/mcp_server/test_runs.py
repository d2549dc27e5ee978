"""Sessions that are followed from call to call: how many there may be, and that none is left."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest

from scrapewright import AsyncScrapewright
from scrapewright.errors import UsageError
from scrapewright.mcp_server import runs as module
from scrapewright.mcp_server.runs import Runs
from tests.e2e.site import MUGS, serve

PAGED = MUGS.replace("</ul>", '</ul><a class="next" href="/?page=2" rel="next">next</a>')


async def test_as_many_as_may_be_and_none_is_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "AT_MOST", 1)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    said: list[str] = []

    async def report(text: str) -> None:
        said.append(text)

    client = AsyncScrapewright(programmer="rules")
    with serve({"/": PAGED, "/?page=2": PAGED.replace("mug/", "mug/2").replace(" mug<", " cup<")}) as site:
        async with Runs() as runs:
            with pytest.raises(UsageError, match="names no address"):
                runs.start(client, "mugs")
            assert not list(tmp_path.iterdir())
            run = runs.start(client, f"all mugs on {site.base}/: name, price (float)")
            question = await run.next(report)
            assert question is not None
            assert question.kind == "pages"
            assert runs.get(run.session) is run
            with pytest.raises(UsageError, match=f"1 sessions are not over, .*; answer {run.session}, or answer stop"):
                runs.start(client, f"mugs on {site.base}/: name")
            with pytest.raises(UsageError, match="no session"):
                runs.get("another")
            run.answer("stop")
            with pytest.raises(UsageError, match="asks nothing now"):
                run.answer("stop")
            assert await run.next(report) is None
            other = runs.start(client, f"all mugs on {site.base}/: name, price (float)")
            assert await other.next(report) is not None
        assert other.task.cancelled()
        assert (await client.result(other.session)).outcome == "stopped"
    assert f"session {run.session}" in said
    assert not list(tmp_path.glob("scrapewright-*")), "no folder without results is left"
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "mcp run"]
