"""The command programmer with real commands: what they are given, and what is made of what they leave."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from scrapewright.errors import UsageError
from scrapewright.loop.ports import Attempt, BadReply, Brief, ProgrammerUnavailable
from scrapewright.options import agent_command
from scrapewright.programmers.command.programmer import CommandProgrammer
from scrapewright.query.reading import Column, Reading
from scrapewright.session.result import PROGRAM_AT_MOST
from scrapewright.settings import Settings, SettingsError, as_rows, load
from tests.fakes.parts import crashed, wrong

PROGRAM = "import requests\n\nprint('£')\n"
DRAFT = "import os\n\nprint('a draft of more text than the program has')\n"
PRINTED = f"Reads the mugs.\n```python\n{DRAFT}```\nBetter:\n```python\n{PROGRAM}```\n"
QUERY = Reading(
    text="all mugs on http://shop.test/: name, price",
    urls=("http://shop.test/",),
    columns=(Column("name"), Column("price", "float")),
)
BRIEF = Brief(reading=QUERY, survey=None)
WRITES = f"open('scraper.py', 'w', encoding='utf-8').write({PROGRAM!r})"


def agent(script: str, *words: str, **changes: Any) -> CommandProgrammer:
    settings = msgspec.structs.replace(Settings(), **changes)
    return CommandProgrammer(settings, [sys.executable, "-I", "-c", script, *words])


async def written(script: str, *words: str, brief: Brief = BRIEF, **changes: Any) -> Any:
    return await agent(script, *words, **changes).write(brief, lambda tick: None)


@pytest.mark.parametrize(
    ("script", "diagnosis"),
    [
        (WRITES, ""),
        (f"print({PRINTED!r})", "Reads the mugs."),
        (f"print('Done.\\n```python\\nimport os\\nos.abort()\\n```\\n'); {WRITES}", "Done."),
        (f"import json; print(json.dumps({{'diagnosis': 'd', 'program': {PROGRAM!r}}}))", "d"),
    ],
)
async def test_the_program_is_the_file_that_was_left_else_the_last_block(script: str, diagnosis: str) -> None:
    draft = await written(script)
    assert (draft.code, draft.diagnosis, draft.author) == (PROGRAM, diagnosis, "command")
    assert draft.model == Path(sys.executable).name
    assert draft.reading is None


async def test_how_it_reads_the_request_counts_as_a_models_does() -> None:
    said = '```json\n{"columns": [{"name": "name", "type": "text"}], "limit": 3}\n```\n'
    draft = await written(f"print({said!r}); {WRITES}")
    assert draft.reading.reading.limit == 3
    repair = msgspec.structs.replace(BRIEF, attempts=(Attempt(1, "command", "x = 1", result=crashed()),))
    assert (await written(f"print({said!r}); {WRITES}", brief=repair)).reading is None


TELLS = """
import json, os, sys
given = sys.stdin.read()
received = {"stdin": given, "argv": sys.argv[1:], "files": os.listdir(), "cwd": os.getcwd(), "env": dict(os.environ)}
if sys.argv[1:]:
    received["prompt"] = open(sys.argv[1].partition("=")[2], encoding="utf-8").read()
print("```python\\nimport os\\n# " + json.dumps(received) + "\\n```")
"""


async def received_by(*words: str, **given: Any) -> dict[str, Any]:
    draft = await written(TELLS, *words, **given)
    return msgspec.json.decode(draft.code.partition("# ")[2])


async def test_the_prompt_is_its_input_or_a_file_in_an_empty_folder_of_its_own() -> None:
    by_input, by_file = await received_by(), await received_by("--file={prompt_file}")
    assert by_input["stdin"] == by_file["prompt"]
    assert (by_input["files"], by_file["files"], by_file["stdin"]) == ([], ["prompt.md"], "")
    assert QUERY.text in by_input["stdin"]
    assert "scraper.py" in by_input["stdin"]
    for place in (by_input["cwd"], by_file["cwd"]):
        assert Path(place).parent == Path(tempfile.gettempdir())
        assert not Path(place).exists(), "it is gone afterwards"
    assert by_input["cwd"] != by_file["cwd"]


async def test_a_repair_is_asked_for_as_of_a_model() -> None:
    attempt = Attempt(1, "command", "x = float(text)\n", result=crashed(), verdict=wrong())
    prompt = (await received_by(brief=msgspec.structs.replace(BRIEF, attempts=(attempt,), hint="look again")))["stdin"]
    for part in ("x = float(text)", "could not convert", "'call us'", "the column price is empty", "look again"):
        assert part in prompt


async def test_it_is_given_the_conventions(tmp_path: Path) -> None:
    (tmp_path / "CONVENTIONS.md").write_text("Type every function. £\n", encoding="utf-8")
    assert "Type every function. £" in (await received_by(conventions=str(tmp_path / "CONVENTIONS.md")))["stdin"]


async def test_no_key_that_the_settings_know_is_given_to_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = tmp_path / "config" / "scrapewright"
    home.mkdir(parents=True)
    (home / "config.toml").write_text(
        '[models.own]\nkey = "MY_OWN_KEY"\n[web.auth]\n"shop.test" = "basic:SHOP_LOGIN"\n', encoding="utf-8"
    )
    secrets = (
        "OPENAI_API_KEY",
        "AZURE_OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "MY_OWN_KEY",
        "SHOP_LOGIN",
        "SCRAPEWRIGHT_PROXY",
    )
    for name in secrets:
        monkeypatch.setenv(name, "socks5://planted:planted@127.0.0.1:1")
    monkeypatch.setenv("OF_NO_CONCERN", "kept")
    settings = load({**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "config")}, tmp_path)
    found = (await received_by(models=settings.models, web=settings.web))["env"]
    assert found["OF_NO_CONCERN"] == "kept"
    assert "planted" not in str(found)
    assert settings.without_web().secret_names == settings.secret_names
    with pytest.raises(ProgrammerUnavailable) as raised:
        await written("raise SystemExit(1)", models=settings.models, web=settings.web)
    assert "MY_OWN_KEY" in raised.value.advice


@pytest.mark.parametrize(
    ("script", "says", "exit_code"),
    [
        ("import time; time.sleep(1000)", "was not done after 0.2 s, and was killed", 3),
        ("import sys; print('x\\nnot logged in\\x1b[2J', file=sys.stderr); sys.exit(4)",
         "ended with exit code 4: not logged in", 3),
        ("print('out of credit'); raise SystemExit(1)", "ended with exit code 1: out of credit", 3),
        (f"{WRITES}; raise SystemExit(1)", "ended with exit code 1", 3),
        ("raise SystemExit(127)", "ended with exit code 127", 2),
        ("import os; os.kill(os.getpid(), 9)", "was killed by signal 9", 3),
    ],
)  # fmt: skip
async def test_a_command_that_does_not_end_well(script: str, says: str, exit_code: int) -> None:
    with pytest.raises(ProgrammerUnavailable) as raised:
        await written(script, agent_time_limit=0.2 if "sleep" in script else 60.0)
    message = str(raised.value)
    assert message.startswith("the command python")
    assert says in message
    assert "\n" not in message
    assert "\x1b" not in message
    assert raised.value.exit_code == exit_code
    assert raised.value.advice


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("", "left no scraper.py and printed no ```python block"),
        ("import os; os.rmdir(os.getcwd())", "left no scraper.py and printed no ```python block"),
        ("print('I can not do that.')", "it printed: I can not do that."),
        ("for n in range(9): open(f'{n}\\x1b[2J\\n.txt', 'w')", "it left 0 .txt, 1 .txt, 2 .txt and 6 more"),
        ("print('```python\\nNo.\\n```')", "printed no ```python block"),
        ("import os; os.mkdir('scraper.py')", "can't be read: Is a directory"),
        ("import os; os.mkfifo('scraper.py')", "is no file"),
        ("import os; os.symlink('/etc/passwd', 'scraper.py')", "can't be read"),
        ("open('scraper.py', 'wb').write(b'\\xff\\xfe')", "is no UTF-8 text"),
        ("open('scraper.py', 'w')", "is empty"),
        (f"open('scraper.py', 'w').write('x' * {PROGRAM_AT_MOST + 1})", "is larger than 1 MB"),
    ],
)
async def test_a_command_that_gives_no_program(script: str, says: str) -> None:
    with pytest.raises(BadReply) as raised:
        await written(script)
    assert says in str(raised.value)
    assert not {"\n", "\x1b"} & set(str(raised.value))


async def test_a_folder_full_of_rubbish_is_removed() -> None:
    script = f"""
import os
os.makedirs("a/b/c")
open("a/b/c/d", "w")
os.symlink("/", "root")
os.mkfifo("pipe")
os.chmod("a/b", 0)
print(os.getcwd())
{WRITES}
"""
    draft = await written(script)
    assert draft.code == PROGRAM
    assert Path(draft.diagnosis).name.startswith("scrapewright-agent-")
    assert not Path(draft.diagnosis).exists()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "the programmer command needs a command line: AGENT_CMD="),
        ("no-such-agent --print", "environment: AGENT_CMD: there is no command 'no-such-agent' here"),
        ("./agent", "there is no command './agent' here"),
        ("agent 'unclosed sk-secret", "environment: AGENT_CMD: the command line can't be read: No closing quotation"),
    ],
)
def test_a_command_that_is_not_there(line: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as raised:
        agent_command(load({"AGENT_CMD": line}, tmp_path))
    assert says in str(raised.value)
    assert "secret" not in str(raised.value)


def test_a_command_is_named_by_a_variable_or_the_config_file(tmp_path: Path) -> None:
    home = tmp_path / "config" / "scrapewright"
    home.mkdir(parents=True)
    (home / "config.toml").write_text(
        'agent = "true --a"\nagent_time_limit = 30\nconventions = "mine.md"\n', encoding="utf-8"
    )
    variables = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    settings = load(variables, tmp_path)
    words = agent_command(settings)
    assert (Path(words[0]).name, words[1:], settings.agent_time_limit) == ("true", ["--a"], 30.0)
    assert settings.conventions == str(home / "mine.md")
    with pytest.raises(UsageError, match=r"mine\.md can't be read"):
        CommandProgrammer(settings)
    assert agent_command(load({**variables, "AGENT_CMD": "true '{prompt_file}'"}, tmp_path))[1:] == ["{prompt_file}"]
    with pytest.raises(SettingsError, match=r"AGENT_TIME_LIMIT: 0\.0 is too small"):
        load({**variables, "SCRAPEWRIGHT_AGENT_TIME_LIMIT": "0"}, tmp_path)


def test_a_folder_does_not_name_a_command(tmp_path: Path) -> None:
    """Its .env may have come with what somebody else wrote."""
    (tmp_path / ".env").write_text(
        "AGENT_CMD=true\nSCRAPEWRIGHT_PROGRAMMER=command\nSCRAPEWRIGHT_CONVENTIONS=~/notes.md\n"
    )
    settings = load({}, tmp_path)
    assert (settings.agent, settings.programmer, settings.conventions) == ("", "auto", "")
    assert ("agent", "", ".env: AGENT_CMD, which is not read there") in as_rows(settings)
    with pytest.raises(UsageError, match=r"\.env: AGENT_CMD, which is not read there"):
        agent_command(settings)
    assert load({"AGENT_CMD": "false"}, tmp_path).agent == "false"
