"""The tape under SIGKILL, and with several writers."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

from scrapewright.web.tape import Exchange, Tape, remove

WRITER = """
import sys
from pathlib import Path
from scrapewright.web.tape import Exchange, Tape

tape = Tape(Path(sys.argv[1]), "s")
for number in range(10_000):
    url = f"http://shop.test/{number}"
    body = (url * (2000 if number % 3 else 1)).encode()
    tape.add(Exchange(method="GET", url=url, key=url, place=url, at=0.0, status=200), body)
    print(number, flush=True)
"""


def test_what_was_acknowledged_survives_sigkill(tmp_path: Path) -> None:
    chance = random.Random(20)
    known = 0
    for _ in range(5):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        for _ in range(chance.randrange(1, 60)):
            assert writer.stdout.readline()
            known += 1
        writer.send_signal(signal.SIGKILL)
        known += len(writer.stdout.read().splitlines())
        writer.stdout.close()
        writer.wait()
        tape = Tape(tmp_path, "s")
        found = tape.exchanges()
        assert len(found) >= known
        for exchange in found:
            body = tape.body(exchange)
            assert body is not None
            assert body.startswith(exchange.url.encode())
        known = len(found)
        tape.close()


def test_sessions_that_hold_the_same_bodies_at_the_same_time(tmp_path: Path) -> None:
    bodies = [bytes([number]) * 50_000 for number in range(8)]
    Tape(tmp_path, "first").close()
    failures: list[BaseException] = []

    def work(session: str) -> None:
        try:
            tape = Tape(tmp_path, session)
            for number, body in enumerate(bodies):
                url = f"http://shop.test/{number}"
                tape.add(Exchange(method="GET", url=url, key=url, place=url, at=0.0, status=200), body)
            tape.close()
            if session.startswith("gone"):
                assert remove(tmp_path, session) == len(bodies)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in ("kept", "gone-1", "kept-too", "gone-2")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    for session in ("kept", "kept-too"):
        tape = Tape(tmp_path, session)
        assert [tape.body(exchange) for exchange in tape.exchanges()] == bodies
        tape.close()
    assert Tape(tmp_path, "gone-1").exchanges() == ()
    assert len(list(tmp_path.rglob("*.val"))) == len(bodies)
