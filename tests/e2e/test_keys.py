"""Keys of models: looked for in everything that is written, printed or sent elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrapewright import wiring
from scrapewright.headless import doctor
from scrapewright.programmers.model.endpoint import Endpoint
from scrapewright.programmers.model.programmer import ModelProgrammer
from scrapewright.session.events import SessionFinished
from scrapewright.settings import load
from scrapewright.settings.models import PROVIDERS
from tests.e2e.site import MUGS, called, command
from tests.e2e.site import serve as site
from tests.fakes.model_server import (
    Asked,
    Reply,
    Speech,
    certificates_read_once,
    chat,
    messages,
    nothing_remembered,
    refusal_of_request,
    serve,
)  # fmt: skip
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeSandbox, ran

__all__ = ["certificates_read_once", "nothing_remembered"]  # fixtures
KEYS = {name: f"planted-{name.replace('.', '-')}-0123456789" for name in PROVIDERS}
PROGRAM = """\
import csv
import os
import requests
from bs4 import BeautifulSoup

print(dict(os.environ))
for place in ("/proc/self/environ", "/proc/1/environ", ".env"):
    try:
        print(open(place).read())
    except OSError as error:
        print(error)
soup = BeautifulSoup(requests.get("{base}/", timeout=30).content, "lxml")
with open("rows.csv", "w", newline="", encoding="utf-8") as file:
    out = csv.writer(file)
    out.writerow(["name", "price"])
    for mug in soup.select("li.mug"):
        out.writerow([mug.h3.get_text(strip=True), float(mug.select_one(".price").get_text(strip=True)[1:])])
"""


def variables(base: str) -> dict[str, str]:
    """Every provider set up with its key, at that server."""
    given = {}
    for name, provider in PROVIDERS.items():
        version = "" if name in {"azure", "anthropic"} else "/v1"
        given |= {provider.key: KEYS[name], provider.address: f"{base}{version}", provider.named: "m"}
    return given


def keys_in(*texts: str | bytes) -> list[str]:
    return [
        key for key in KEYS.values() for text in texts if (key.encode() if isinstance(text, bytes) else key) in text
    ]


def files_below(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in folder.rglob("*") if path.is_file()]


def repeating(asked: Asked) -> Reply:
    """A server that repeats the key it was sent, as it refuses that."""
    return refusal_of_request(f"wrong: {asked.headers.get('api-key') or asked.headers['authorization']}", 403)


def test_no_key_reaches_the_sandbox_the_store_the_results_or_the_streams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    work = tmp_path / "work"
    work.mkdir()
    with site({"/": MUGS}) as shop:
        program = json.dumps({"diagnosis": "", "program": PROGRAM.format(base=shop.base)})
        with serve(chat(Speech(program))) as server:
            given = variables(server.base)
            planted = {key: given.pop(key) for key in (PROVIDERS["qwen"].key, PROVIDERS["mistral"].key)}
            (tmp_path / "work" / ".env").write_text("".join(f"{k}={v}\n" for k, v in planted.items()))
            query = f"name and price of all mugs from {shop.base}/"
            run = command("run", query, "--model", "qwen/m", "--out", "out", "--json", cwd=work, **given)
        asked = len(server.asked)
        again = called("run", query, "--model", "qwen/m", "--out", "again", cwd=work, **given)
        session = json.loads(run.stdout.splitlines()[0])["session"]
        recorded = called("cassette", "record", session, "shop.json", cwd=work)
        (work / ".env").unlink()
        played = called("run", query, "--cassette", "shop.json", "--out", "played", "--json", cwd=work)
    assert (again.returncode, recorded.returncode, played.returncode) == (0, 0, 0), again.stderr + played.stderr
    assert len(server.asked) == asked, "the second time the replies were kept, the third time they were played"
    assert "lines, from the cache" in again.stderr
    assert [event.get("kept") for event in map(json.loads, played.stdout.splitlines())].count("cassette") == asked
    assert run.returncode == 0, run.stderr
    assert server.asked[0].headers["authorization"] == f"Bearer {KEYS['qwen']}", "it was there to be found"
    assert "PATH" in run.stdout, "the program printed its environment"
    kept = files_below(tmp_path)
    assert sum(b"li.mug" in body for body in kept) >= 4, "the program is in the store, the cache and the cassette"
    streams = [text for one in (run, again, recorded, played) for text in (one.stdout, one.stderr)]
    assert not keys_in(*streams, *kept, server.asked[0].text)


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_no_key_reaches_the_journal_where_a_provider_repeats_it(provider: str, tmp_path: Path) -> None:
    speak = messages if provider == "anthropic" else chat
    refused = speak(Speech("", refusal=f"not with {KEYS[provider]}"))
    with serve(refused, rule=lambda asked: repeating(asked) if len(server.asked) > 1 else None) as server:
        spec = load(variables(server.base), tmp_path).models.find(f"{provider}/m")
        bench = await Bench(ModelProgrammer([Endpoint(spec)]), FakeSandbox(ran()), FakeCritic(RIGHT)).open()  # type: ignore[arg-type]
        end: SessionFinished = await bench.run()
    assert KEYS[provider] in str(server.asked[0].headers)
    assert (end.outcome, len(server.asked)) == ("configuration", 2), end
    assert "wrong: " in end.reason
    assert "…" in end.reason
    assert not keys_in(*bench.log.rows, *bench.blobs.data.values())


async def test_no_key_is_shown_by_the_doctor_where_all_are_tried(tmp_path: Path) -> None:
    with serve(rule=repeating) as server:
        settings = load(variables(server.base), tmp_path)
        checks = await doctor.models(settings, {}, wiring.try_model)
        shown = called("config", "show", "--json", cwd=tmp_path, **variables(server.base))
    assert [(check.name, check.ok) for check in checks] == [(f"model {name}/m", False) for name in PROVIDERS]
    assert all("wrong: " in check.detail for check in checks)
    assert {key for key in KEYS.values() if key in str([asked.headers for asked in server.asked])} == {*KEYS.values()}
    assert not keys_in(str(checks), shown.stdout, shown.stderr)
