"""The reading that comes with a model's first program: it replaces the grammar's, never a person's, and is recorded."""

from __future__ import annotations

from scrapewright.headless.narrate import Narrator
from scrapewright.loop.ports import Draft, Said
from scrapewright.query.reading import Column, Reading, combined
from scrapewright.session import events as ev
from scrapewright.session.state import replay
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, ran

MODELS = Said(Reading(columns=(Column("headline"),), pages="all", format="json"), ("columns", "pages", "format"))


async def test_the_models_reading_is_what_the_rows_are_judged_by() -> None:
    programmer = FakeProgrammer(Draft("a = 1", author="model", reading=MODELS))
    programmer.author = "model"
    bench = await Bench(programmer, FakeSandbox(ran()), FakeCritic(RIGHT)).open()
    started = bench.journal.session.reading
    await bench.journal.append(ev.ReadingChanged(reading=_with_pages(started)))
    await bench.run()
    reading = bench.journal.session.reading
    assert [column.name for column in reading.columns] == ["headline"]
    assert (reading.pages, reading.format) == (2, "json")
    assert reading.urls == started.urls
    assert reading.sources == {"pages": "person", "columns": "model", "format": "model"}
    assert bench.critic.cases[0].reading == reading
    changed = [event for event in bench.journal.events if isinstance(event, ev.ReadingChanged)]
    assert [event.source for event in changed] == ["person", "model"]
    assert replay(bench.journal.events).reading == reading
    notes = [note.text for note in bench.journal.session.notes]
    assert "the model reads the request otherwise: columns, format" in notes
    narrator = Narrator(bench.blobs)
    lines = [line for event in bench.journal.events for line in narrator.tell(event)]
    assert "the model reads the request so:" in lines
    assert "  field: headline" in lines


async def test_a_model_that_reads_the_same_changes_nothing() -> None:
    programmer = FakeProgrammer(Draft("a = 1", author="model", reading=Said(Reading(), ("filters", "order"))))
    bench = await Bench(programmer, FakeSandbox(ran()), FakeCritic(RIGHT)).open()
    await bench.run()
    assert not any(note.text.startswith("the model reads") for note in bench.journal.session.notes)


def _with_pages(reading: Reading) -> Reading:
    return combined(reading, Reading(pages=2), ("pages",), "person")
