"""The supervisor on this interpreter: a job in, a record out."""

from __future__ import annotations

import os
import textwrap
import time
from pathlib import Path

import pytest

from harness import wire
from tests.harness.supervisor_helpers import Host, alive, run


def program(code: str) -> str:
    return textwrap.dedent(code).lstrip("\n")


def test_output_files_and_steps() -> None:
    answer = run(
        program("""
            import os
            total = 0
            for number in range(3):
                total += number
            print("total", total)
            os.makedirs("out/deep")
            with open("out/deep/total.txt", "w") as file:
                file.write(str(total))
        """)
    )
    assert (answer.seen["status"], answer.seen["exit_code"], answer.seen["signal"]) == ("ok", 0, "")
    assert answer.seen["stdout"] == {"head": "total 3\n", "tail": "", "bytes": 8}
    assert answer.files == {"out/deep/total.txt": b"3"}
    assert answer.claimed["recorder"] == "on"
    assert answer.claimed["trail"][-1] == 8
    assert answer.claimed["hits"]["4"] == 3
    assert {"total": "3"} in [step["values"] for step in answer.claimed["steps"]]
    assert 0 < answer.seen["seconds"] < 10
    assert 0 < answer.seen["cpu_seconds"] < 10
    assert answer.seen["max_rss_bytes"] > 1 << 20
    texts = [frame for frame in answer.ticks if frame.kind == wire.OUTPUT]
    assert b"".join(wire.read_output(frame.payload)[1] for frame in texts if frame.stream == 1) == b"total 3\n"


def test_without_the_recorder() -> None:
    answer = run("x = 1\nx / 0\n", recorder=False)
    assert (answer.seen["status"], answer.claimed["recorder"], answer.claimed["steps"]) == ("error", "off", [])
    assert answer.claimed["exception"]["frames"][-1]["line"] == 2
    assert "x / 0" in answer.seen["stderr"]["head"]


@pytest.mark.parametrize(
    ("code", "exit_code", "stderr"),
    [
        ("raise SystemExit", 0, ""),
        ("import sys\nsys.exit(259)", 3, ""),
        ("exit()", 0, ""),
        ("quit('so it ends')", 1, "so it ends\n"),
        ("import sys\nsys.exit(True)", 1, ""),
        ("import os\nos._exit(9)", 9, ""),
    ],
)
def test_exit_codes(code: str, exit_code: int, stderr: str) -> None:
    seen = run(code).seen
    assert (seen["status"], seen["exit_code"], seen["stderr"]["head"]) == ("exit", exit_code, stderr)


def test_a_traceback_as_python_prints_it() -> None:
    answer = run("def fail(row):\n    return row['a']['b']\nfail({'a': None})\n")
    lines = answer.seen["stderr"]["head"].splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert '  File "scraper.py", line 2, in fail' in lines
    assert "    return row['a']['b']" in lines
    assert lines[-1] == "TypeError: 'NoneType' object is not subscriptable"
    assert "harness" not in answer.seen["stderr"]["head"]
    assert answer.claimed["exception"]["type"] == "TypeError"


def test_time_limit_names_line_and_values() -> None:
    answer = run("import time\nn = 7\ndef wait():\n    time.sleep(60)\nwait()\n", seconds=0.5)
    assert (answer.seen["status"], answer.seen["exit_code"]) == ("timeout", 124)
    assert [frame["line"] for frame in answer.claimed["exception"]["frames"]] == [5, 4]
    assert ("scraper.py", 4) in [(line["file"], line["line"]) for line in answer.claimed["stack"]]
    assert 0.5 <= answer.seen["seconds"] < 3
    assert answer.claimed["trail"][-1] == 4


def test_the_line_is_reported_while_it_runs() -> None:
    with Host() as host:
        assert host.receive() is not None
        host.job("import time\nprint('here')\ntime.sleep(60)\n")
        received = []
        while not (
            wire.LINE in [frame.kind for frame in received] and wire.OUTPUT in [frame.kind for frame in received]
        ):
            frame = host.receive()
            assert frame is not None
            received.append(frame)
        lines = [wire.read_number(frame.payload) for frame in received if frame.kind == wire.LINE]
        assert set(lines) <= {1, 2, 3}
        host.send(wire.frame(wire.CANCEL))
        answer = host.answer()
    assert (answer.seen["status"], answer.seen["note"]) == ("killed", "stopped before its end")
    assert answer.claimed["trail"][-1] in (2, 3)


def test_the_end_of_stdin_ends_everything() -> None:
    with Host() as host:
        assert host.receive() is not None
        host.job("import os, time\nif os.fork() == 0:\n    os.setsid()\nprint(os.getpid())\ntime.sleep(60)\n")
        said = b""
        while said.count(b"\n") < 2:
            frame = host.receive()
            assert frame is not None
            if frame.kind == wire.OUTPUT:
                said += wire.read_output(frame.payload)[1]
        pids = [int(word) for word in said.split()]
        assert all(map(alive, pids))
    deadline = time.monotonic() + 5
    while any(map(alive, pids)):
        assert time.monotonic() < deadline


def test_processes_left_over_are_ended() -> None:
    answer = run(
        program("""
            import os, time
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    with open("daemon", "w") as file:
                        file.write(str(os.getpid()))
                    time.sleep(60)
                os._exit(0)
            while not os.path.exists("daemon") or not os.path.getsize("daemon"):
                time.sleep(0.001)
        """)
    )
    assert answer.seen["status"] == "ok"
    assert answer.seen["seconds"] < 10
    assert not alive(int(answer.files["daemon"]))


def test_requests_go_through_the_pipe() -> None:
    def reply(request: bytes) -> bytes:
        line = request.split(b"\r\n")[0]
        return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(line), line)

    with Host(reply=reply) as host:
        assert host.receive() is not None
        host.job(
            program("""
                import urllib.request
                for number in range(3):
                    print(urllib.request.urlopen(f"http://shop.test/{number}").read().decode())
            """)
        )
        answer = host.answer()
    assert answer.seen["stdout"]["head"] == "".join(f"GET http://shop.test/{n} HTTP/1.1\n" for n in range(3))


def test_pools_work_whatever_this_pythons_default() -> None:
    answer = run(
        program("""
            import multiprocessing
            from concurrent.futures import ProcessPoolExecutor

            def square(number):
                return number * number

            if __name__ == "__main__":
                with ProcessPoolExecutor(2) as pool:
                    print(list(pool.map(square, range(5))))
                with multiprocessing.Pool(2) as pool:
                    print(pool.map(square, range(5)))
        """)
    )
    assert answer.seen["stdout"]["head"] == "[0, 1, 4, 9, 16]\n" * 2, answer.seen["stderr"]


def test_preloaded_modules_are_there_and_failures_reported() -> None:
    with Host("decimal", "no_such_module") as host:
        frame = host.receive()
        assert frame is not None
        ready = wire.load(frame.payload)
        assert ready["version"] == wire.VERSION
        assert list(ready["preload_failed"]) == ["no_such_module"]
        host.job("import sys\nprint('decimal' in sys.modules, 'harness' in sys.path, sys.argv, __name__, __file__)\n")
        assert host.answer().seen["stdout"]["head"] == "True False ['scraper.py'] __main__ scraper.py\n"


def test_it_answers_while_the_program_computes() -> None:
    with Host() as host:
        ready = host.receive()
        host.job("total = 0\nwhile True:\n    total += 1\n")
        while (frame := host.receive()) is not None and frame.kind != wire.LINE:
            pass
        host.send(wire.frame(wire.PING) * 3)
        answers = 0
        while answers < 3 and (frame := host.receive()) is not None:
            answers += frame.kind == wire.PONG
    assert ready is not None
    assert answers == 3


def test_the_memory_limit_is_an_error_with_its_line() -> None:
    answer = run("held = []\nheld.append(bytearray(1 << 30))\n", memory=512 << 20)
    assert answer.seen["status"] == "error"
    assert answer.claimed["exception"]["type"] == "MemoryError"
    assert answer.claimed["exception"]["frames"][-1]["line"] == 2


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        wire.frame(wire.RESULT, 0, b"{}"),
        wire.frame(wire.JOB, 0, b"[]"),
        wire.frame(wire.JOB, 9, b"{}"),
        wire.frame(wire.READY, 0, b"{}"),
    ],
)
def test_a_host_that_breaks_the_protocol_is_reported(data: bytes) -> None:
    with Host() as host:
        assert host.receive() is not None
        host.send(data)
        frame = host.receive()
        assert frame is not None
        assert frame.kind == wire.FAULT
        assert b"the host broke the protocol" in frame.payload
        assert host.receive() is None


def test_frames_for_streams_that_are_gone_mean_nothing() -> None:
    with Host() as host:
        assert host.receive() is not None
        for kind, payload in ((wire.DATA, b"x"), (wire.CREDIT, wire.number(5)), (wire.CLOSE, b"")):
            host.send(wire.frame(kind, 77, payload))
        host.job("print('fine')")
        assert host.answer().seen["stdout"]["head"] == "fine\n"


def test_no_scratch_folder_is_left() -> None:
    answer = run("import os\nprint(os.getcwd())\nopen('a', 'w').close()\n")
    folder = Path(answer.seen["stdout"]["head"].strip())
    assert folder.name == "work"
    assert not folder.exists()
    assert not os.path.exists(folder.parent)


def test_a_memory_limit_below_the_interpreters_own_leaves_it_room() -> None:
    assert run("print('fine')", memory=1 << 20).seen["stdout"]["head"] == "fine\n"


def test_an_answer_too_large_for_a_message_is_cut_to_fit() -> None:
    answer = run("import os\nfor _ in range(4):\n    os.write(1, b'\\xff' * (1 << 20))\n", output=4 << 20)
    assert answer.seen["status"] == "ok"
    assert answer.seen["stdout"]["bytes"] == 4 << 20
    assert set(answer.seen["stdout"]["head"]) == {"\ufffd"}
    assert 0 < len(answer.seen["stdout"]["head"]) < 4 << 20
    assert answer.claimed["recorder_note"] == "the report was too large to pass on"


def test_finalisers_run_and_find_what_they_use() -> None:
    answer = run(
        program("""
            import os

            def name():
                return os.path.join("saved.txt")

            class Saver:
                def __del__(self):
                    with open(name(), "w") as file:
                        file.write(type(self).__name__)

            saver = Saver()
            saver.itself = saver
        """)
    )
    assert (answer.seen["status"], answer.files) == ("ok", {"saved.txt": b"Saver"})


def test_threads_left_behind() -> None:
    answer = run(
        program("""
            import itertools, threading, time
            lines = []

            def work(count):
                for number in count:
                    lines.append(number)
                    time.sleep(0.001)

            threading.Thread(target=work, args=(itertools.count(),), daemon=True).start()
            threading.Thread(target=lambda: (time.sleep(0.2), print("the other one"))).start()
            print("main")
        """)
    )
    assert (answer.seen["status"], answer.seen["stderr"]["head"]) == ("ok", "")
    assert answer.seen["stdout"]["head"] == "main\nthe other one\n"


def test_the_end_cannot_be_patched_away() -> None:
    answer = run("from harness import child\nchild._exit = lambda code: 1 / 0\nprint('done')\n", seconds=0.5)
    # It never ends by itself, so it is out of time whatever it says.
    assert (answer.seen["status"], answer.seen["signal"]) == ("timeout", "SIGKILL")
    assert answer.seen["stdout"]["head"] == "done\n"


def test_a_program_that_answers_the_time_limit_with_an_exit_is_timed_out() -> None:
    answer = run("import sys, time\ntry:\n    time.sleep(60)\nexcept BaseException:\n    sys.exit(0)\n", seconds=0.3)
    assert (answer.seen["status"], answer.seen["exit_code"]) == ("timeout", 124)
    assert answer.claimed["exception"]["type"] == "TimeLimit"
    assert answer.claimed["exception"]["frames"][-1]["line"] == 3


def test_files_written_before_the_time_limit_are_kept() -> None:
    code = """
        import threading, time
        threading.Thread(target=time.sleep, args=(60,)).start()
        file = open("rows.csv", "w")
        file.write("a,b")
        time.sleep(60)
    """
    answer = run(program(code), seconds=0.3)
    assert (answer.seen["status"], answer.files) == ("timeout", {"rows.csv": b"a,b"})


def test_pools_that_are_ended_as_soon_as_they_are_made() -> None:
    code = """
        import multiprocessing
        for _ in range(10):
            with multiprocessing.Pool(4):
                pass
        print("done")
    """
    answer = run(program(code))
    assert (answer.seen["status"], answer.seen["stdout"]["head"]) == ("ok", "done\n")
