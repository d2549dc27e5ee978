"""What the whole recorder costs: values, trail and hits, CPU time on against off.

    python -m tests.bench.recorder [FOLDER] [RUNS] [PYTHON]

Each run is a process of its own, since the collector's state and the memory's layout are worth more than the recorder
is; on and off take turns, so that whatever else the machine does falls on both. Where FOLDER (workloads named *.py) is
not given, three small workloads of this file's are weighed: one that works in library code between its lines, and two
loops of nothing but lines, in a function and in a module.
"""

from __future__ import annotations

import gc
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = str(Path(__file__).resolve().parents[2])

OWN = {
    "pages": """
from html.parser import HTMLParser
class Rows(HTMLParser):
    def __init__(self):
        super().__init__()
        self.rows = []
        self.name = None
    def handle_starttag(self, tag, attrs):
        if tag == "a":
            self.name = dict(attrs).get("href")
    def handle_data(self, data):
        if self.name:
            self.rows.append({"href": self.name, "text": data.strip()})
            self.name = None
page = "".join(f"<tr class='row'><td><a href='/item/{i}'>Item {i}</a></td><td>{i},50</td></tr>" for i in range(3000))
parser = Rows()
parser.feed(page)
total = 0
for row in parser.rows:
    number = int(row["text"].split()[1])
    total += number
""",
    "loop": """
def work(n):
    total, name = 0, "abc"
    for i in range(n):
        total = total + i
        if total & 1:
            total = total >> 1
    return total
result = work(300_000)
""",
    "module": """
total, name = 0, "abc"
for i in range(200_000):
    total = total + i
    if total & 1:
        total = total >> 1
""",
}


def one(path: str, mode: str) -> float:
    """CPU seconds of one run in this process, its imports not counted."""
    sys.path.insert(0, ROOT)
    from harness.recorder import Recorder
    from harness.trail import Trail

    try:
        __import__("bs4")
    except ImportError:
        pass
    source = Path(path).read_text(encoding="utf-8")
    if mode == "on":
        recorder = Recorder(Trail())
        code = recorder.compile(source, "scraper.py")
        recorder.install()
        assert recorder.state == "on", recorder.note
    else:
        code = compile(source, "scraper.py", "exec", dont_inherit=True)
    gc.collect()
    start = time.process_time()
    exec(code, {"__name__": "__main__"})
    return time.process_time() - start


def weigh(path: Path, runs: int, python: str) -> tuple[float, float]:
    """Medians of the CPU seconds without and with the recorder."""
    seconds: dict[str, list[float]] = {"off": [], "on": []}
    for _ in range(runs):
        for mode, found in seconds.items():
            done = subprocess.run(
                [python, __file__, "--one", str(path), mode], capture_output=True, text=True, check=True, timeout=300
            )
            found.append(float(done.stdout.split()[-1]))
    return statistics.median(seconds["off"]), statistics.median(seconds["on"])


def main() -> None:
    arguments = sys.argv[1:]
    if arguments[:1] == ["--one"]:
        print(one(*arguments[1:3]))
        return
    folder = Path(arguments[0]) if arguments and arguments[0] else None
    runs = int(arguments[1]) if len(arguments) > 1 else 9
    python = arguments[2] if len(arguments) > 2 else sys.executable
    with tempfile.TemporaryDirectory() as scratch:
        if folder is None or not folder.is_dir():
            folder = Path(scratch)
            for name, source in OWN.items():
                (folder / f"{name}.py").write_text(source, encoding="utf-8")
        print(f"recorder on against off, median CPU seconds of {runs} runs each, {python}")
        for path in sorted(folder.glob("*.py")):
            off, on = weigh(path, runs, python)
            print(f"  {path.stem:10} {off:7.3f} {on:7.3f}  x{on / off:.2f}")


if __name__ == "__main__":
    main()
