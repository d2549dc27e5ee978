"""A programmer that is not set up: an error where a session begins, and said by itself where one is opened again."""

from __future__ import annotations

import pytest

from scrapewright.errors import UsageError
from scrapewright.loop.ports import Brief, ProgrammerUnavailable
from scrapewright.programmers.choose import choose, choose_adviser
from scrapewright.query.reading import Reading
from scrapewright.session.exit_codes import ExitCode
from scrapewright.settings import Settings


async def test_it_says_what_it_lacks_where_it_is_to_write(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    settings = Settings(programmer="model", model="nowhere")
    with pytest.raises(UsageError) as needed:
        choose(settings)
    programmer, reviewer = choose(settings, needed=False)
    assert (reviewer, choose_adviser(settings, programmer)) == (None, None)
    with pytest.raises(ProgrammerUnavailable, match="nowhere") as raised:
        await programmer.write(Brief(Reading(text="q"), None), lambda tick: None)
    assert (str(raised.value), raised.value.exit_code) == (str(needed.value), ExitCode.USAGE)
