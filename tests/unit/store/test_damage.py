"""Damaged rows and a full disk: what can be read is read, and what can't is said."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from scrapewright.headless.sessions import show_one
from scrapewright.query.reading import Reading
from scrapewright.session import events as ev
from scrapewright.store.sessions import DamagedSession, SessionFile, SessionStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SessionStore]:
    with SessionStore(tmp_path / "data") as store:
        yield store


def session(store: SessionStore) -> str:
    """A session of three events, the third with a program."""
    file = store.own(store.new_id())
    query = Reading(text="all mugs", urls=("http://shop.test/",))
    code = file.put(b"print('mugs')\n")
    events: list[ev.Event] = [
        ev.SessionStarted(session=file.name, text="all mugs", reading=query),
        ev.PhaseChanged(phase=ev.Phase.WRITING, step="write"),
        ev.AttemptStarted(attempt=1, author="rules"),
        ev.CodeWritten(attempt=1, author="rules", code=code, lines=1),
    ]
    for seq, event in enumerate(events, 1):
        file.append(seq, ev.encode(type(event)(**{**_fields(event), "seq": seq, "at": float(seq)})))
    file.release()
    return file.name


def _fields(event: ev.Event) -> dict[str, object]:
    return {name: getattr(event, name) for name in event.__struct_fields__}


def _fill(file: SessionFile) -> None:
    for number in range(1000):
        file.put(b"%d" % number * 2000)


def put(store: SessionStore, key: str, value: bytes) -> None:
    store._rows.set(key, value)


def test_what_comes_before_a_damaged_event_is_reported(store: SessionStore) -> None:
    name = session(store)
    put(store, f"{name}/3", b'{"type":"Nothing"}')
    out = io.StringIO()
    with pytest.raises(DamagedSession, match=f"event 3 of session {name} can't be read"):
        show_one(store.read(name), out, as_json=True)
    assert len(out.getvalue().splitlines()) == 2


def test_an_event_of_another_version_is_named(store: SessionStore) -> None:
    name = session(store)
    first = store.read(name).read()[0]
    put(store, f"{name}/1", first.replace(b'"session":', b'"schema":99,"session":'))
    with pytest.raises(DamagedSession, match="schema 99"):
        store.read(name).events()


def test_a_damaged_program_does_not_hide_the_rest(store: SessionStore) -> None:
    name = session(store)
    code = store.read(name).events()[3]
    assert isinstance(code, ev.CodeWritten)
    put(store, f"{name}/blob/{code.code}", b"something else")
    out = io.StringIO()
    show_one(store.read(name), out, as_json=False)
    assert "attempt 1 · rules · 1 lines" in out.getvalue()
    assert "can't be read from the store" in out.getvalue()
    show_one(store.read(name), out, as_json=True)


def test_a_damaged_summary_is_made_anew(store: SessionStore) -> None:
    name = session(store)
    whole = store.list()
    store._summaries.set(name, b"{nonsense")
    (again,) = store.list()
    assert (again.id, again.text, again.attempts) == (name, "all mugs", 1)
    assert again.started_at == whole[0].started_at


def test_a_summary_too_long_for_its_row_is_in_the_list(store: SessionStore) -> None:
    name = session(store)
    short = store.list()[0]
    long = msgspec.structs.replace(short, text="mugs " * 20_000)
    store._summaries.set(name, msgspec.json.encode(long))
    assert store.list() == [long]


def test_a_damaged_lease_holds_nobody_back(store: SessionStore) -> None:
    name = session(store)
    put(store, f"{name}/lease", b"?")
    store.own(name).release()
    store.remove(name)
    assert store.list() == []


def test_a_full_disk_is_an_oserror(store: SessionStore) -> None:
    file = store.own(store.new_id())
    pages = store._rows._rows._sql("PRAGMA page_count").fetchone()[0]
    store._rows._rows._sql(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(OSError, match="full"):
        _fill(file)
    query = Reading(text="x" * 10_000)  # in the database; a larger row would be a file
    with pytest.raises(OSError, match="full"):
        file.append(1, ev.encode(ev.SessionStarted(seq=1, session=file.name, text=query.text, reading=query)))
    file.release()
