"""What the whole recorder costs: values, trail and hits, CPU time on against off.

    python -m tests.bench.recorder [FOLDER] [RUNS] [PYTHON]

Each run is a process of its own, since the collector's state and the memory's layout are worth more than the recorder
is; on and off take turns, so that whatever else the machine does falls on both. Where FOLDER (workloads named *.py) is
not given, four workloads of this file's are weighed: a scraper as one writes them, then what is worst for a recorder, a
parser that calls the program back for each tag, and two loops of nothing but lines, in a function and in a module.
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
    "scrape": """
import csv, io, random, re
from urllib.parse import urljoin
from bs4 import BeautifulSoup

def page(number, size=120):
    chance = random.Random(number)
    cards = []
    for item in range(size):
        numbers = [chance.randrange(40) for _ in range(3)]
        tags = "".join(f'<li><a href="/tag/{tag}">tag {tag}</a></li>' for tag in numbers)
        price = f"{chance.randrange(1, 3000)},{chance.randrange(100):02d}"
        cards.append(
            f'<article class="card c{item % 4}"><h3><a href="../item/{number}-{item}.html" title="Item {item}">Item '
            f'{item} &amp; more</a></h3><p class="price old">&euro; {price}</p><p class="stars s{item % 5 + 1}"></p>'
            f'<div class="text"><p>Some <b>words</b> about it, and <i>more</i> of them: {"lorem " * 20}</p></div>'
            f'<ul class="tags">{tags}</ul></article>'
        )
    follow = f'<a class="next" href="/page/{number + 1}">next</a>' if number < 4 else ""
    menu = "".join(f'<li><a href="/section/{place}">Section {place}</a></li>' for place in range(30))
    return f"<html><body><nav><ul>{menu}</ul></nav><main>{''.join(cards)}</main><footer>{follow}</footer></body></html>"

def amount(text):
    found = re.search(r"\\d[\\d.,]*", text)
    if found is None:
        return None
    digits = found[0].replace(".", "").replace(",", ".")
    return float(digits)

def read(card, base):
    row = {}
    link = card.select_one("h3 a")
    row["title"] = link.get_text(" ", strip=True)
    row["url"] = urljoin(base, link["href"])
    row["price"] = amount(card.select_one(".price").get_text())
    stars = card.select_one(".stars")
    for name in stars["class"]:
        if name[1:].isdigit():
            row["stars"] = int(name[1:])
    row["tags"] = "; ".join(tag.get_text(strip=True) for tag in card.select(".tags a"))
    return row

rows = []
number = 1
while number:
    base = f"https://shop.test/page/{number}"
    soup = BeautifulSoup(page(number), "html.parser")
    for card in soup.select("article.card"):
        row = read(card, base)
        if row["price"] is None:
            continue
        rows.append(row)
    following = soup.select_one("a.next")
    number = int(following["href"].rpartition("/")[2]) if following else 0
rows.sort(key=lambda row: row["price"], reverse=True)
total = 0.0
for row in rows:
    total += row["price"]
out = io.StringIO()
writer = csv.DictWriter(out, ["title", "url", "price", "stars", "tags"])
writer.writeheader()
for row in rows:
    writer.writerow(row)
assert len(rows) == 480
""",
    "callbacks": """
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

    for name in ("bs4", "csv", "html.parser"):
        __import__(name)
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
                [python, __file__, "--one", str(path), mode], capture_output=True, text=True, timeout=300
            )
            if done.returncode != 0:
                raise SystemExit(f"{path.stem}, recorder {mode}, did not run with {python}:\n{done.stderr}")
            found.append(float(done.stdout.split()[-1]))
    return statistics.median(seconds["off"]), statistics.median(seconds["on"])


def main() -> None:
    arguments = sys.argv[1:]
    if arguments[:1] == ["--one"]:
        print(one(*arguments[1:3]))
        return
    from tests.bench.load import load  # not to be had by the interpreter that runs one workload

    folder = Path(arguments[0]) if arguments and arguments[0] else None
    runs = int(arguments[1]) if len(arguments) > 1 else 9
    python = arguments[2] if len(arguments) > 2 else sys.executable
    with tempfile.TemporaryDirectory() as scratch:
        if folder is None:
            paths = [Path(scratch, f"{name}.py") for name in OWN]
            for path, source in zip(paths, OWN.values(), strict=True):
                path.write_text(source, encoding="utf-8")
        else:
            paths = sorted(folder.glob("*.py"))
            if not paths:
                raise SystemExit(f"no workloads (*.py) in {folder}")
        print(f"recorder on against off, median CPU seconds of {runs} runs each, {python}, {load()}")
        for path in paths:
            off, on = weigh(path, runs, python)
            print(f"  {path.stem:10} {off:7.3f} {on:7.3f}  x{on / off:.2f}")


if __name__ == "__main__":
    main()
