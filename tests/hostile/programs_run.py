"""Programs that end badly, or try to: each with what the record of its run must say, and where.

They are run inside a sandbox only. The line that a record must name is marked `# HERE`, several where any is right.
`ENDINGS` is one list for every backend.
"""

from __future__ import annotations

from tests.hostile.expected import IN_TIME, LONG, SHORT, SMALL, TREE, Programs

program = ENDINGS = Programs()

# -- leaving

program("sys_exit_3", "import sys\nprint('x')\nsys.exit(3)  # HERE\n", "exit", exit_code=3, stdout="x\n")
program("os__exit_0", """
    import os
    print("kept")
    os._exit(0)  # HERE
""", "exit", exit_code=0, stdout="kept\n", note="without a report")  # fmt: skip
program("os_abort", "import os\nos.abort()  # HERE\n", "killed", signal="SIGABRT", stack=True, note="Aborted")
program("segv_ctypes", """
    import ctypes
    def deep():
        ctypes.string_at(0)  # HERE
    deep()
""", "killed", signal="SIGSEGV", stack=True, note="Segmentation fault")  # fmt: skip
program("kill_self_9", """
    import os, signal
    os.kill(os.getpid(), signal.SIGKILL)  # HERE
""", "killed", signal="SIGKILL")  # fmt: skip
program("term_self", """
    import os, signal
    os.kill(os.getpid(), signal.SIGTERM)  # HERE
    while True:
        pass
""", "killed", signal="SIGTERM")  # fmt: skip

# -- the supervisor

program("kill_parent", """
    import os, signal
    for number in range(1, 65):
        try:
            os.kill(os.getppid(), number)
        except OSError:
            pass
    print("done")
""", "ok", stdout="done\n")  # fmt: skip
program("kill_all_-1", """
    import os
    try:
        os.kill(-1, 9)
    except ProcessLookupError:
        print("nobody to kill")
""", "ok", stdout="nobody to kill\n")  # fmt: skip
program("stop_parent", """
    import os, signal
    for number in (signal.SIGSTOP, signal.SIGTSTP, signal.SIGINT, signal.SIGQUIT):
        os.kill(1, number)
    print("done")
""", "ok", stdout="done\n")  # fmt: skip
program("stop_self", """
    import os, signal
    os.kill(os.getpid(), signal.SIGSTOP)  # HERE
    while True:  # HERE
        x = 1  # HERE
""", "timeout", limits=SHORT)  # fmt: skip
program("write_parent_fd", """
    import os
    opened = []
    for pid in {1, os.getppid()}:
        for number in range(256):
            for mode in (os.O_RDONLY, os.O_WRONLY):
                try:
                    opened.append(os.open(f"/proc/{pid}/fd/{number}", mode))
                except OSError:
                    pass
        try:
            opened += os.listdir(f"/proc/{pid}/fd")
        except OSError:
            pass
    print(opened)
""", "ok", stdout="[]\n")  # fmt: skip
program("read_parent_mem", """
    import ctypes, os
    libc = ctypes.CDLL(None, use_errno=True)
    got = []
    for name in ("mem", "environ", "maps", "stack", "syscall"):
        try:
            with open(f"/proc/1/{name}", "rb") as file:
                got.append((name, file.read(1)))
        except OSError:
            pass
    print(got, libc.ptrace(16, 1, 0, 0), libc.ptrace(0x4206, 1, 0, 0))
""", "ok", stdout="[] -1 -1\n")  # fmt: skip

# -- descriptors and forged frames

program("close_all_fds", """
    import os
    x = 5
    os.closerange(0, 65536)
    x / 0  # HERE
""", "error", type="ZeroDivisionError")  # fmt: skip
program("close_stdout_then_print", """
    import os
    os.close(1)
    print("lost")  # HERE
""", "error", type="OSError")  # fmt: skip
program("fake_result_stdout", """
    import json, os, struct
    seen = {"status": "ok", "exit_code": 0, "signal": "", "note": "forged"}
    forged = json.dumps({"seen": seen, "claimed": {}}).encode()
    for kind in range(1, 15):
        os.write(1, struct.pack(">BII", kind, 0, len(forged)) + forged)
    raise ValueError("honest")  # HERE
""", "error", type="ValueError")  # fmt: skip
program("fake_result_all_fds", """
    import os, struct
    for number in range(1024):
        try:
            os.write(number, struct.pack(">BII", 14, 0, 2) + b"{}")
        except OSError:
            pass
    raise ValueError("honest")  # HERE
""", "error", type="ValueError")  # fmt: skip
program("forged_report", """
    import gc, os
    for thing in gc.get_objects():
        if type(thing).__name__ == "Exchange":
            thing.write(b'{"outcome": "ok", "exit_code": 0, "steps": [], "exception": null}')
    from harness import child
    child.Child._write = lambda self: None
    os._exit(7)  # HERE
""", "exit", exit_code=7)  # fmt: skip
program("forged_end", """
    import gc, os, signal
    from harness import child, exchange
    child.Child._write = lambda self: None
    shared = next(thing for thing in gc.get_objects() if type(thing).__name__ == "Exchange")
    shared.write(b'{"outcome": "ok", "exit_code": 0, "steps": [], "exception": null}')
    shared.phase = exchange.THREADS
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:  # HERE
        shared.phase = exchange.THREADS  # HERE
""", "timeout", limits=SHORT, signal="SIGKILL")  # fmt: skip
program("forged_reporting", """
    import gc, os, signal
    from harness import child, exchange
    child.Child._write = lambda self: None
    shared = next(thing for thing in gc.get_objects() if type(thing).__name__ == "Exchange")
    shared.write(b'{"outcome": "ok", "exit_code": 0, "steps": [], "exception": null}')
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:  # HERE
        shared.phase = exchange.REPORTING  # HERE
""", "timeout", limits=SHORT, signal="SIGKILL")  # fmt: skip
program("senseless_report", """
    import os
    from harness import exchange
    for thing in __import__("gc").get_objects():
        if type(thing).__name__ == "Exchange":
            thing.write(b'{"outcome": "error", "exception": [], "steps": [{"line": "x"}], "recorder_note": 7}')
    os._exit(1)  # HERE
""", "error", note="report of its exception made no sense")  # fmt: skip
program("damaged_report", """
    import mmap, gc
    from harness import child, exchange
    exchange.Exchange.write = lambda self, report: self._memory.write(b"\\xff" * len(self._memory))
    raise ValueError("unheard")  # HERE
""", "exit", exit_code=1, note="without a report")  # fmt: skip
program("garbage_all_fds", """
    import os
    junk = os.urandom(100_000)
    for number in range(1024):
        try:
            os.set_blocking(number, False)
            os.write(number, junk)
        except OSError:
            pass
    {}["missing"]  # HERE
""", "error", type="KeyError")  # fmt: skip

# -- loops

program("inf_loop", """
    count = 0
    while True:  # HERE
        count += 1  # HERE
""", "timeout", limits=SHORT, type="TimeLimit", seconds=IN_TIME, stack=True)  # fmt: skip
program("inf_loop_except", """
    def stubborn():
        while True:
            try:
                while True:  # HERE
                    x = 1  # HERE
            except BaseException:
                pass
    stubborn()
""", "timeout", limits=SHORT, type="TimeLimit", seconds=IN_TIME, stack=True)  # fmt: skip
program("inf_loop_in_C", "total = sum(iter(int, 1))  # HERE\n", "timeout", limits=SHORT, seconds=IN_TIME, stack=True)
program("regex_redos", """
    import re
    text = "a" * 60
    re.match(r"(a+)+$", text + "b")  # HERE
""", "timeout", limits=SHORT, seconds=IN_TIME, stack=True)  # fmt: skip
program("bigint_pow", "x = 9\ny = 9**x**x  # HERE\n", "timeout", limits=SHORT, seconds=IN_TIME, stack=True)
program("ignore_sigterm_sleep", """
    import signal, time
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(100)  # HERE
""", "timeout", limits=SHORT, signal="SIGKILL", seconds=IN_TIME, stack=True)  # fmt: skip
program("block_all_signals", """
    import signal, time
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    time.sleep(100)  # HERE
""", "timeout", limits=SHORT, signal="SIGKILL", seconds=IN_TIME)  # fmt: skip
program("sleep", """
    import time
    def wait(seconds):
        time.sleep(seconds)  # HERE
    wait(100)
""", "timeout", limits=SHORT, type="TimeLimit", seconds=IN_TIME, stack=True)  # fmt: skip

# -- what outlives the program's last line

program("sleep_forever_thread", """
    import threading, time
    threading.Thread(target=time.sleep, args=(100,)).start()
    open("kept.txt", "w").write("whole")
    print("done")
""", "ok", limits=SHORT, stdout="done\n", seconds=IN_TIME, note="a thread was still running")  # fmt: skip
program("daemon_thread", """
    import threading, time
    threading.Thread(target=time.sleep, args=(100,), daemon=True).start()
    print("done")
""", "ok", stdout="done\n", seconds=1.0)  # fmt: skip
program("atexit_hang", """
    import atexit, time
    atexit.register(time.sleep, 100)
    print("done")
""", "ok", limits=SHORT, stdout="done\n", seconds=IN_TIME, note="an exit handler was still running")  # fmt: skip
program("del_hang", """
    class Sticky:
        def __del__(self):
            while True:  # HERE
                pass  # HERE
    sticky = Sticky()
    print("done")
""", "timeout", limits=SHORT, stdout="done\n", seconds=IN_TIME)  # fmt: skip
program("generator_close_hang", """
    def clinging():
        while True:
            try:
                yield
            except GeneratorExit:
                pass
    it = clinging()
    next(it)
    it.close()  # HERE
""", "error", type="RuntimeError")  # fmt: skip
program("unflushed_file", """
    import atexit, json
    held = open("a.json", "w")
    held.write(json.dumps([1, 2, 3]))
    atexit.register(lambda: open("b.txt", "w").write("from the exit handler"))
    cycle = {"file": open("c.txt", "w")}
    cycle["self"] = cycle
    cycle["file"].write("in a cycle")
""", "ok")  # fmt: skip
program("input_block", "name = input('? ')  # HERE\n", "error", type="EOFError", seconds=1.0)

# -- output

program("huge_stdout", """
    import os
    block = b"x" * (1 << 20)
    for _ in range(200):
        os.write(1, block)
""", "ok", seconds=4.0)  # fmt: skip
program("huge_one_line_stderr", """
    import sys
    for _ in range(300):
        sys.stderr.write("y" * (1 << 20))
""", "ok", seconds=6.0)  # fmt: skip
program("binary_stdout", """
    import sys
    sys.stdout.buffer.write(bytes(range(256)))
""", "ok")  # fmt: skip
program("surrogates", "print('a\\ud800b\\udcffc')\n", "ok", stdout="a\\ud800b\\udcffc\n")
program("ansi_stdout", r"""
    print("\x1b]0;owned\x07\x1b[2J[/] [red]")
""", "ok", stdout="\x1b]0;owned\x07\x1b[2J[/] [red]\n")  # fmt: skip

# -- recursion

program("deep_recursion", """
    def down(n):  # HERE
        return down(n + 1)  # HERE
    down(0)
""", "error", type="RecursionError")  # fmt: skip
program("deep_recursion_unlimited", """
    import sys
    sys.setrecursionlimit(10**9)
    def down(n):  # HERE
        return list(map(down, [n + 1]))  # HERE
    down(0)
""", "killed", "error", limits=SHORT)  # fmt: skip
program("deep_recursion_C", """
    nested = []
    for _ in range(1_000_000):
        nested = [nested]
    repr(nested)  # HERE
""", "error", type="RecursionError")  # fmt: skip
program("recursion_in_except", """
    def twice():  # HERE
        try:  # HERE
            twice()  # HERE
        finally:
            twice()  # HERE
    twice()  # HERE
""", "timeout", limits=SHORT, seconds=IN_TIME)  # fmt: skip

# -- memory

program("mem_bomb_list", """
    hoard = []
    while True:
        hoard.append(bytearray(10 << 20))  # HERE
""", "error", type="MemoryError", limits=SMALL)  # fmt: skip
program("mem_bomb_one", "big = bytearray(64 << 30)  # HERE\n", "error", type="MemoryError")
program("mem_bomb_small", """
    hoard = []
    while True:  # HERE
        hoard.append({len(hoard): [len(hoard)]})  # HERE
""", "error", "timeout", limits=SMALL)  # fmt: skip
program("mem_bomb_exc_locals", """
    def fail():
        huge = ["y" * 1000] * 1_000_000
        text = "z" * (300 << 20)
        return 1 / 0  # HERE
    ballast = bytearray(450 << 20)
    fail()
""", "error", type="ZeroDivisionError")  # fmt: skip

# -- processes, threads, descriptors, disk

# It takes all processors from the supervisor that is to end it, beside what else runs: that it is ended is what counts.
program("fork_bomb", """
    import os
    def multiply():
        while True:  # HERE
            try:  # HERE
                os.fork()  # HERE
            except OSError:  # HERE
                pass  # HERE
    multiply()
""", "timeout", limits=SHORT, seconds=5 * IN_TIME, type="TimeLimit")  # fmt: skip
program("fork_tree_memory", """
    import os, time
    for _ in range(8):
        if os.fork() == 0:
            block = bytearray(b"x") * (60 << 20)
            time.sleep(60)
            os._exit(0)
    time.sleep(60)  # HERE
""", "oom", limits=TREE, signal="SIGKILL", stack=True, note="together; 256 MiB is the most")  # fmt: skip
program("fork_tree_of_orphans", """
    import os, time
    if os.fork() == 0:
        os.setsid()
        for _ in range(8):
            if os.fork() == 0:
                if os.fork() == 0:
                    block = bytearray(b"x") * (60 << 20)
                    time.sleep(60)
                os._exit(0)
        os._exit(0)
    time.sleep(60)  # HERE
""", "oom", limits=TREE, signal="SIGKILL", stack=True, note="together; 256 MiB is the most")  # fmt: skip
program("shared_memory", """
    import ctypes, errno, os
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmget(0, 1 << 20, 0o1600)
    print(errno.errorcode[ctypes.get_errno()])
    try:
        os.memfd_create("kept")
    except OSError as error:
        print(errno.errorcode[error.errno])
""", "ok", stdout="EPERM\nEPERM\n")  # fmt: skip
program("ended_before_the_users_programs", """
    print(int(open("/proc/self/oom_score_adj").read()) >= 500)
""", "ok", stdout="True\n")  # fmt: skip
program("thread_bomb", """
    import threading, time
    threads = []
    try:
        while True:
            threads.append(threading.Thread(target=time.sleep, args=(60,), daemon=True))
            threads[-1].start()
    except RuntimeError:
        print("stopped", len(threads) < 100)
""", "ok", stdout="stopped True\n")  # fmt: skip
program("fd_bomb", """
    import os
    held = []
    try:
        while True:
            held.append(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        print("stopped", len(held) < 300)
""", "ok", stdout="stopped True\n")  # fmt: skip
program("daemonize", """
    import os, time
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 1024)
            time.sleep(100)
        os._exit(0)
    os.wait()
    print("done")
""", "ok", stdout="done\n", seconds=1.0)  # fmt: skip
program("daemon_holds_stdout", """
    import os, time
    if os.fork() == 0:
        os.setsid()
        while True:
            time.sleep(1)
    print("done")
""", "ok", stdout="done\n", seconds=1.0)  # fmt: skip
program("slow_cpu_child", """
    import os
    if os.fork() == 0:
        while True:
            pass
    print("done")
""", "ok", stdout="done\n", seconds=1.0)  # fmt: skip
program("fork_falls_through", """
    import os
    pid = os.fork()
    if pid == 0:
        raise ValueError("in the fork")
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    print("parent", status)
""", "ok", stdout="parent 1\n")  # fmt: skip
program("disk_fill", """
    import errno
    count = 0
    try:
        while count < 100:
            with open(f"f{count}", "wb") as file:
                file.write(bytes(1 << 20))
            count += 1
    except OSError as error:
        print(errno.errorcode[error.errno], count < 20)
""", "ok", stdout="ENOSPC True\n")  # fmt: skip
program("disk_one_big", """
    import errno, signal
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with open("big", "wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 20))
    except OSError as error:
        print(errno.errorcode[error.errno])
""", "ok", stdout="EFBIG\n")  # fmt: skip

# -- honest programs that ask much

program("process_pool", """
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    def square(number):
        return number * number

    if __name__ == "__main__":
        with ProcessPoolExecutor(2) as pool:
            print(list(pool.map(square, range(5))))
        with multiprocessing.Pool(2) as pool:
            print(pool.map(square, range(5)))
""", "ok", stdout="[0, 1, 4, 9, 16]\n" * 2, limits=LONG)  # fmt: skip
