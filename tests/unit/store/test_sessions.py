"""Sessions on disk, by the real diskcache."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import diskcache
import pytest

from scrapewright.query.reading import Reading
from scrapewright.session import events as ev
from scrapewright.session.events import Phase
from scrapewright.store.owner import Owner, is_alive, myself
from scrapewright.store.sessions import DamagedSession, NoSuchSession, SessionBusy, SessionStore, SessionTaken
from scrapewright.web.disk import BytesStore
from scrapewright.web.tape import Exchange, Tape


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SessionStore]:
    with SessionStore(tmp_path / "data") as store:
        yield store


def start(store: SessionStore, text: str = "all books", at: float = 1.0) -> str:
    file = store.own(store.new_id())
    query = Reading(text=text, urls=("http://shop.test/",))
    file.append(1, ev.encode(ev.SessionStarted(seq=1, at=at, session=file.name, text=text, reading=query)))
    file.release()
    return file.name


def test_events_and_blobs_come_back(store: SessionStore) -> None:
    name = start(store)
    file = store.own(name)
    file.read()
    blob = file.put(b"import requests\n")
    file.append(2, ev.encode(ev.Noted(seq=2, text="hello")))
    again = store.read(name)
    assert [e.seq for e in again.events()] == [1, 2]
    assert again.get(blob) == b"import requests\n"
    with pytest.raises(KeyError):
        again.get("0" * 64)


def test_a_session_that_goes_on_after_its_end_is_not_over_in_the_list(store: SessionStore) -> None:
    name = start(store)
    file = store.own(name)
    file.read()
    file.append(2, ev.encode(ev.SessionFinished(seq=2, phase=Phase.STOPPED, outcome="stopped", exit_code=130)))
    assert [summary.outcome for summary in store.list()] == ["stopped"]
    file.append(3, ev.encode(ev.Intervened(seq=3, kind="go")))
    file.release()
    (summary,) = store.list()
    assert (summary.outcome, summary.exit_code) == ("", None), "cut off now, it is gone on with from there"


def test_the_attempts_of_a_session_count_in_the_list_before_any_is_judged(store: SessionStore) -> None:
    name = start(store)
    file = store.own(name)
    file.read()
    for seq in (2, 3):
        file.append(seq, ev.encode(ev.AttemptStarted(seq=seq, at=seq + 6.0, attempt=seq - 1, author="rules")))
    file.release()
    (summary,) = store.list()
    assert (summary.attempts, summary.at - summary.started_at, summary.outcome) == (2, 8.0, "")


def test_a_second_writer_fails_instead_of_overwriting(store: SessionStore) -> None:
    name = start(store)
    one, two = store.own(name), store.read(name)
    one.read()
    two.read()
    one.append(2, ev.encode(ev.Noted(seq=2, text="one")))
    with pytest.raises(SessionTaken):
        two.append(2, ev.encode(ev.Noted(seq=2, text="two")))
    events = store.read(name).events()
    assert isinstance(events[1], ev.Noted)
    assert events[1].text == "one"


def test_one_owner_at_a_time(store: SessionStore) -> None:
    name = start(store)
    file = store.own(name)
    with pytest.raises(SessionBusy, match=str(os.getpid())):
        store.own(name)
    with pytest.raises(SessionBusy):
        store.remove(name)
    assert [summary.open for summary in store.list()] == [True]
    file.release()
    assert [summary.open for summary in store.list()] == [False]
    store.own(name).release()


def test_a_dead_owners_session_can_be_taken_over(store: SessionStore, tmp_path: Path) -> None:
    name = start(store)
    code = (
        "import sys; from pathlib import Path; from scrapewright.store.sessions import SessionStore\n"
        "SessionStore(Path(sys.argv[1])).own(sys.argv[2]); print('owned', flush=True); sys.stdin.read()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(store.path), name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "owned\n"
        with pytest.raises(SessionBusy, match=str(child.pid)):
            store.own(name)
        child.send_signal(signal.SIGKILL)
    finally:
        child.kill()
        child.communicate()
    store.own(name).release()


def test_a_process_of_the_same_number_is_not_the_owner() -> None:
    me = myself()
    assert is_alive(me)
    assert not is_alive(Owner(pid=me.pid, boot=me.boot, started="1"))
    assert not is_alive(Owner(pid=me.pid, boot="another boot", started=me.started))


def test_the_list_is_newest_first_and_an_id_may_be_shortened(store: SessionStore) -> None:
    names = [start(store, f"query {n}", at=float(n)) for n in range(3)]
    assert [s.id for s in store.list()] == names[::-1]
    assert store.list()[0].text == "query 2"
    assert store.find(names[1]) == names[1]
    with pytest.raises(NoSuchSession, match="begins several"):
        store.find(names[0][:4])
    with pytest.raises(NoSuchSession, match="sessions list"):
        store.find("zzz")


def test_removing_takes_everything_along(store: SessionStore) -> None:
    kept, gone = start(store, "kept"), start(store, "gone")
    blob = store.own(gone)
    blob.put(b"x" * 100_000)
    blob.release()
    store.remove(gone)
    assert [s.id for s in store.list()] == [kept]
    assert all(not key.startswith(gone) for key, _ in store._rows.items())
    with pytest.raises(NoSuchSession):
        store.read(gone)


def test_removing_takes_the_pages_along(store: SessionStore) -> None:
    name = start(store)
    page = Exchange(method="GET", url="http://shop.test/", key="k", place="p", at=1.0, status=200)
    pages = Tape(store.tape, name)
    pages.add(page, b"<ul>" * 50_000)
    pages.close()
    store.remove(name)
    assert Tape(store.tape, name).exchanges() == ()
    assert not list(store.tape.rglob("*.val"))


def test_a_session_whose_pages_cannot_be_removed_stays_and_is_free(store: SessionStore) -> None:
    name = start(store)
    store.tape.mkdir()
    (store.tape / "cache.db").write_bytes(b"no database" * 500)
    for _ in range(2):  # the lease is given back
        with pytest.raises(OSError, match="moved away"):
            store.remove(name)
    (store.tape / "cache.db").unlink()
    store.remove(name)
    assert store.list() == []


def test_a_removal_that_was_cut_short_is_done_again(store: SessionStore, monkeypatch: pytest.MonkeyPatch) -> None:
    name = start(store)
    for part in ("evict", "delete"):
        with monkeypatch.context() as patch:
            patch.setattr(BytesStore, part, failing)
            with pytest.raises(OSError, match="cut short"):
                store.remove(name)
        assert [s.id for s in store.list()] == [name]
    store.remove(name)
    assert store.list() == []
    assert not store._rows.items()


def failing(*_: object) -> None:
    raise OSError("cut short")


def test_a_pickled_event_is_damage(store: SessionStore) -> None:
    name = start(store)
    with diskcache.Cache(str(store.path / "sessions")) as plain:
        plain.set(f"{name}/2", {"evil": True})
    with pytest.raises(DamagedSession, match=r"event 2 .*pickled"):
        store.read(name).read()


def test_a_damaged_blob_is_seen(store: SessionStore) -> None:
    name = start(store)
    blob = store.read(name).put(b"rows")
    store._rows.set(f"{name}/blob/{blob}", b"other rows")
    with pytest.raises(ValueError, match="damaged"):
        store.read(name).get(blob)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        SessionStore(tmp_path / "file" / "data")
