"""The fixed texts of prompts: files of the package, and the user's own over them."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from scrapewright.errors import UsageError
from scrapewright.loop.ports import Attempt, Brief
from scrapewright.programmers.choose import choose
from scrapewright.programmers.model.prompt import messages
from scrapewright.programmers.model.texts import CONVENTIONS_AT_MOST, FOLDER, NAMES, Name, conventions, load, shipped
from scrapewright.query.reading import Column, Reading
from scrapewright.settings import load as load_settings
from tests.fakes.openai_server import Say, serve
from tests.fakes.parts import crashed

READING = Reading(text="all mugs", urls=("http://shop.test/",), columns=(Column("name"),))
DIGESTS = {
    ("program", 2): "495393e48a0b118df09d697c06d8be98c8a9e0bb76efef9af544d76feeaf9de5",
    ("review", 1): "5d67bd7db9b6712653adcd012edc8b94b67a27496e0b642aa4eb33b2f0558ef0",
    ("weak", 1): "db6ca2a782764e5ade6bd6f2f5fc0d577c031bea4acf12f1abcfeea8ca199bad",
}
"""Of what a version says: a text that is changed gets the next version, and its digest here."""


@pytest.mark.parametrize("name", NAMES)
def test_a_text_that_changes_gets_a_new_version(name: Name) -> None:
    texts = shipped(name)
    joined = "\0".join(f"{key}\0{text}" for key, text in sorted(texts.texts.items()))
    assert hashlib.sha256(joined.encode()).hexdigest() == DIGESTS[name, texts.version]
    assert texts.in_words == f"{name} version {texts.version}"


def test_a_file_of_the_users_own_replaces_the_texts_that_it_has(tmp_path: Path) -> None:
    assert load("program", tmp_path) is shipped("program")
    (tmp_path / "program.toml").write_text('version = 7\ncontract = "Be brief."\n[first]\ntext = "So: {reading}"\n')
    texts = load("program", tmp_path)
    system, user = (message["content"] for message in messages(Brief(reading=READING, survey=None), "text", texts))
    assert system == "Be brief."
    assert user.endswith(f"So: {shipped('program')['reading']}")
    assert texts["first.json_object"] == shipped("program")["first.json_object"]
    assert texts.in_words == (
        f"program version 2 with contract, first.text of {tmp_path / 'program.toml'}, made for version 7"
    )


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'contrat = "x"', "program.toml: unknown key 'contrat'; did you mean 'contract'"),
        (b'[frst]\ntext = "x"', "unknown key 'frst.text'; did you mean 'first.text'"),
        (b"contract = 3", "program.toml: contract must be a text"),
        (b'[first.text]\na = "x"', "program.toml: first.text must be a text"),
        (b'version = "1"', "program.toml: version must be a whole number"),
        (b"contract = ", "program.toml can't be read: Invalid value"),
        (b"\xff", "program.toml can't be read: "),
    ],
)
def test_a_file_that_can_not_be_used(content: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / "program.toml").write_bytes(content)
    with pytest.raises(UsageError) as raised:
        load("program", tmp_path)
    assert says in str(raised.value)


def test_each_file_of_the_package_is_one_of_the_names() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(f"{name}.toml" for name in NAMES)


@pytest.mark.parametrize("attempts", [(), (Attempt(1, "model", "x = 1\n", result=crashed()),)])
async def test_a_file_of_conventions_is_in_each_prompt_for_a_program(
    attempts: tuple[Attempt, ...], tmp_path: Path
) -> None:
    home = tmp_path / "scrapewright"
    home.mkdir()
    (home / "config.toml").write_text('conventions = "STYLE.md"\n')
    (home / "STYLE.md").write_text("Type every function. £\n", encoding="utf-8")
    reply = '{"diagnosis": "", "program": "import requests\\n"}'
    with serve(Say(reply)) as server:
        variables = {"XDG_CONFIG_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "OPENAI_API_KEY": "key"}
        programmer, _ = choose(load_settings({**variables, "OPENAI_BASE_URL": f"{server.base}/v1"}, tmp_path))
        await programmer.write(Brief(reading=READING, survey=None, attempts=attempts), lambda tick: None)
    user = server.requests[0]["messages"][1]["content"]
    assert "to be kept where they leave the choice:\nType every function. £\n" in user


@pytest.mark.parametrize(
    ("content", "says"),
    [(None, "can't be read: No such file"), (b"\xff", "is no UTF-8 text"), (b"x" * (CONVENTIONS_AT_MOST + 1), "64 KB")],
)
def test_a_file_of_conventions_that_can_not_be_used(content: bytes | None, says: str, tmp_path: Path) -> None:
    file = tmp_path / "STYLE.md"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UsageError, match=says):
        conventions(str(file))
    assert conventions("") == ""
