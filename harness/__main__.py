"""The sandbox's first process; its stdin and stdout are the pipe.

Started as `python -I -S -B harness/__main__.py '{"site": [...], "preload": [...]}'`: `site` are folders of installed
packages, `preload` modules to import before the job comes. `"unix": true` lets Unix sockets be made (see seccomp).
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import signal
import sys


def _load_package() -> None:
    """Makes `harness` importable without putting the folder it lies in, which may be /, on the path."""
    here = os.path.dirname(os.path.realpath(__file__))
    spec = importlib.util.spec_from_file_location("harness", here + "/__init__.py", submodule_search_locations=[here])
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["harness"] = module
    spec.loader.exec_module(module)


def main() -> None:
    # Before anything else, so that no moment exists in which /proc would give the pipe or the memory away.
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE
    # The only handler that Python sets of itself and a program could reach.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    options = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}
    _load_package()
    from harness import seccomp, startup, wire
    from harness.supervisor import Supervisor

    source, target = startup.take_pipe()
    try:
        sys.path += options.get("site", [])
        failed = startup.prepare(options.get("preload", []))
        seccomp.install(unix=options.get("unix", False))
        serving = Supervisor(source, target, startup.describe_self(failed))
    except Exception as error:
        os.write(
            target, wire.frame(wire.FAULT, 0, f"{type(error).__name__}: {error}".encode("utf-8", "replace")[:4096])
        )
        os._exit(1)
    serving.serve()


if __name__ == "__main__":
    main()
