"""Runs the saved-site tasks and keeps what the critic judged: `python -m tests.calibrate.collect FOLDER [KIND …]`.

A case is a program's rows with all that is known of how they came to be. KIND says whose, and with which reading:
    reply-true, reply-own    the recorded programs of a strong model, with the true reading and with the grammar's own
    rules-true, rules-own    the rules' programs, each attempt of them
    rules-person             with the true reading, where a person answers the questions from the expected rows
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.calibrate.cases import CORPUS, Kept, corpus_module

KINDS = ("reply-true", "reply-own", "rules-true", "rules-own", "rules-person")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("kinds", nargs="*", default=KINDS)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sandbox", default="auto")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    readings = {
        one["task"]: one for one in map(json.loads, (CORPUS / "readings.jsonl").read_text("utf-8").splitlines())
    }
    work = [
        (path.stem, kind)
        for kind in args.kinds
        for path in sorted((CORPUS / "tasks").glob("*.json"))
        if not kind.startswith("reply") or (CORPUS / "replies" / f"{path.stem}.py").exists()
    ]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        done = pool.map(lambda one: collect(one[0], one[1], readings[one[0]], args), work)
        for (task, kind), kept in zip(work, done, strict=True):
            print(f"{kind:14} {task:32} {kept} cases", flush=True)


def collect(name: str, kind: str, reading: dict[str, Any], args: argparse.Namespace) -> int:
    """Runs one task, and writes a file for each case of it. Returns how many there were."""
    serve, person = corpus_module("serve"), corpus_module("person")
    task = json.loads((CORPUS / "tasks" / f"{name}.json").read_text("utf-8"))
    site = serve.start(task["site"], opts=serve.Opts(), root=str(CORPUS))
    with tempfile.TemporaryDirectory() as folder:
        tmp = Path(folder)
        (tmp / "cases").mkdir()
        homes = {f"XDG_{home}_HOME": str(tmp / home.lower()) for home in ("DATA", "CACHE", "CONFIG", "STATE")}
        here = str(Path(__file__).resolve().parents[2])
        env = {**os.environ, **homes, "NO_COLOR": "1", "PYTHONPATH": here}
        command = [sys.executable, "-m", "tests.calibrate.recorded", str(tmp / "cases"), "run"]
        command += [task["query"].replace("{BASE}", site.base), "--sandbox", args.sandbox, "--programmer", "rules"]
        command += ["--mode", "auto", "--out", str(tmp / "out"), "--attempts", "1" if kind.startswith("reply") else "4"]
        if kind.endswith(("true", "person")):
            text = json.dumps({key: value for key, value in reading.items() if key != "task"}, ensure_ascii=False)
            (tmp / "reading.json").write_text(text.replace("{BASE}", site.base), "utf-8")
            command += ["--reading", str(tmp / "reading.json")]
        if kind.startswith("reply"):
            program = (CORPUS / "replies" / f"{name}.py").read_text("utf-8")
            (tmp / "given.py").write_text(program.replace("{BASE}", site.base), "utf-8")
            command += ["--from", str(tmp / "given.py")]
        if kind == "rules-person":
            person.play([*command, "--ask", "json"], task, site.base, env, folder, 180)
        else:
            subprocess.run(
                command, capture_output=True, check=False, env=env, cwd=folder, stdin=subprocess.DEVNULL, timeout=180
            )
        found = sorted((tmp / "cases").iterdir())
        for number, path in enumerate(found):
            kept = Kept(name, task["site"], kind, site.base, pickle.loads(path.read_bytes()))
            (args.folder / f"{kind}--{name}--{number}.pickle").write_bytes(pickle.dumps(kept))
    site.shutdown()
    site.server_close()
    return len(found)


if __name__ == "__main__":
    main()
