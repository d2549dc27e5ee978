"""Programs whose values, exceptions, sources and patches are made to break whoever reports on them.

Run inside a sandbox only. Marked and expected as in programs_run.
"""

from __future__ import annotations

from tests.hostile.expected import Programs

program = REPORTS = Programs()

# -- values that fight back

HOSTILE_VALUES = {
    "repr_raises": "def __repr__(self): raise ValueError",
    "repr_systemexit": "def __repr__(self): raise SystemExit(0)",
    "repr_infinite": "def __repr__(self):\n            while True: pass",
    "repr_os_exit": "def __repr__(self):\n            import os; os._exit(0)",
    "repr_nonstr": "def __repr__(self): return 5",
    "class_lies": "__class__ = property(lambda self: 1 / 0)",
    "getattribute_raises": "def __getattribute__(self, name): raise SystemExit(0)",
    "eq_hash_lie": "def __eq__(self, other): raise SystemExit(0)\n        def __hash__(self): raise SystemExit(0)",
}
for _name, _body in HOSTILE_VALUES.items():
    program(_name, f"""
    class Liar:
        {_body}
    def fail():
        liar = Liar()
        held = [liar]
        1 / 0  # HERE
    fail()
    """, "error", type="ZeroDivisionError")  # fmt: skip
program("len_lies", """
    class Liar(list):
        def __len__(self): return 1 << 62
        def __iter__(self): raise SystemExit(0)
        def __getitem__(self, key): raise SystemExit(0)
    class Texter(str):
        def __str__(self): raise SystemExit(0)
        def __len__(self): raise SystemExit(0)
        def __getitem__(self, key): raise SystemExit(0)
    def fail():
        liar, texter = Liar([1]), Texter("x")
        1 / 0  # HERE
    fail()
""", "error", type="ZeroDivisionError")  # fmt: skip
program("meta_lies", """
    class Meta(type):
        def __getattribute__(cls, name): raise SystemExit(0)
        def __repr__(cls): raise SystemExit(0)
        def __instancecheck__(cls, other): raise SystemExit(0)
    class Liar(metaclass=Meta):
        pass
    def fail():
        liar = type.__call__(Liar)
        1 / 0  # HERE
    fail()
""", "error", type="ZeroDivisionError")  # fmt: skip
program("exc_str_raises", """
    class Bad(Exception):
        def __str__(self): raise SystemExit(0)
        def __repr__(self): raise SystemExit(0)
    raise Bad("x")  # HERE
""", "error", type="Bad")  # fmt: skip
program("exc_huge_msg", "raise ValueError('m' * 50_000_000)  # HERE\n", "error", type="ValueError")
program("exc_deep_chain", """
    error = None
    for number in range(100_000):
        fresh = ValueError(number)
        fresh.__cause__ = error
        error = fresh
    raise error  # HERE
""", "error", type="ValueError")  # fmt: skip
program("exc_cycle", """
    one, two = ValueError(1), KeyError(2)
    one.__cause__, two.__cause__ = two, one
    one.__context__ = one
    raise one  # HERE
""", "error", type="ValueError")  # fmt: skip
program("exc_group_huge", """
    raise ExceptionGroup("many", [ValueError(number) for number in range(100_000)])  # HERE
""", "error", type="ExceptionGroup")  # fmt: skip
program("int_huge_local", """
    def fail():
        big = 1 << 10_000_000
        1 / 0  # HERE
    fail()
""", "error", type="ZeroDivisionError")  # fmt: skip

# -- sources

program("syntax_error", "x = 1\nif x  # HERE\n    pass\n", "error", type="SyntaxError", stdout="")
program("null_byte_src", "x = 1\n\0\n", "error", stdout="")
program("deep_src", "x = " + "(" * 100_000 + "1" + ")" * 100_000 + "\n", "error", stdout="")
program("surrogate_src", "x = '\ud800'\n", "error", stdout="")

# -- sabotage

program("settrace_off", """
    import sys, threading
    sys.settrace(None)
    threading.settrace(None)
    if hasattr(sys, "monitoring"):
        for tool in range(6):
            sys.monitoring.free_tool_id(tool)
    value = 41
    value / 0  # HERE
""", "error", type="ZeroDivisionError")  # fmt: skip
program("excepthook_replace", """
    import os, sys
    sys.excepthook = lambda *args: os._exit(0)
    1 / 0  # HERE
""", "error", type="ZeroDivisionError")  # fmt: skip
program("patch_builtins", """
    import builtins
    for name in "len str repr type isinstance dict list getattr int sorted object BaseException".split():
        setattr(builtins, name, None)
    1 / 0  # HERE
""", "error", type="ZeroDivisionError")  # fmt: skip
program("patch_json_os", """
    import json, os, struct, sys, traceback, binascii, atexit, gc, io
    for module in (json, os, struct, traceback, binascii, atexit, gc, io):
        for name in list(vars(module)):
            if not name.startswith("__"):
                setattr(module, name, None)
    1 / 0  # HERE
""", "error", type="ZeroDivisionError")  # fmt: skip
program("sys_modules_clear", """
    import sys
    sys.modules.clear()
    1 / 0  # HERE
""", "error", type="ZeroDivisionError")  # fmt: skip
program("stdout_replaced", """
    import sys
    class Broken:
        def write(self, text): raise SystemExit(0)
        def flush(self): raise SystemExit(0)
    sys.stdout = sys.stderr = sys.__stdout__ = Broken()
    1 / 0  # HERE
""", "error", type="ZeroDivisionError")  # fmt: skip
program("chdir_gone", """
    import os
    os.mkdir("gone")
    os.chdir("gone")
    os.rmdir("../gone")
    1 / 0  # HERE
""", "error", type="ZeroDivisionError")  # fmt: skip
program("work_gone", """
    import os, shutil
    folder = os.getcwd()
    os.chdir("/")
    shutil.rmtree(folder)
    1 / 0  # HERE
""", "error", type="ZeroDivisionError")  # fmt: skip
program("weird_global_names", """
    globals()[5] = "five"
    globals()["\\ud800"] = "surrogate"
    globals()[(1, 2)] = None
    globals()["x" * 100_000] = 1
    def fail():
        1 / 0  # HERE
    fail()
""", "error", type="ZeroDivisionError")  # fmt: skip
program("many_globals", """
    for number in range(50_000):
        globals()[f"name_{number}"] = "v" * 500
    1 / 0  # HERE
""", "error", type="ZeroDivisionError")  # fmt: skip
