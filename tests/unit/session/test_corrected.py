"""A corrected reading is reported, and is what the session works from."""

from __future__ import annotations

from scrapewright.headless.narrate import Narrator
from scrapewright.query.correct import corrected
from scrapewright.query.read import read_request
from scrapewright.session import events as ev
from scrapewright.session.state import replay
from tests.fakes.parts import MemoryBlobs


def test_what_was_corrected_is_narrated_and_kept() -> None:
    query = read_request("all mugs on http://127.0.0.1/: title, price")
    other = corrected(query, "column.1", "price: int")
    events: list[ev.Durable] = [
        ev.SessionStarted(seq=1, session="x", text=query.text, reading=query),
        ev.ReadingChanged(seq=2, reading=other),
    ]
    narrator = Narrator(MemoryBlobs())
    narrated = [line for event in events for line in narrator.tell(event)]
    assert narrated[-2:] == ["the reading was corrected", "  field: price (whole number)"]
    assert replay(events).reading == other
    assert replay(events).text == query.text
