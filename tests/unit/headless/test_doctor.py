"""What works here, printed on a stream."""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
import pytest

from scrapewright.headless.doctor import Check, models, show, web
from scrapewright.loop.ports import ProgrammerUnavailable
from scrapewright.session.exit_codes import ExitCode
from scrapewright.settings import ModelSpec, Secret, Web, load


def test_what_an_engine_says_of_itself_is_harmless() -> None:
    out = io.StringIO()
    said = "Docker 29\x1b]0;mine\x07 \x9b31m\u202e"
    checks = [Check("engine", True, said), Check("sandbox docker", False, "none", f"see {said}", needed=True)]
    assert show(checks, out, as_json=False) == ExitCode.RETRY_LATER
    assert out.getvalue().count("Docker 29 ") == 2
    assert not {"\x1b", "\x9b", "\u202e", "\x07"}.intersection(out.getvalue())


def test_the_proxy_and_the_cookies(tmp_path: Path) -> None:
    file = tmp_path / "cookies.txt"
    file.write_text("shop.test\tTRUE\t/\tTRUE\t0\tsid\tpl4nted\n")
    environ = {"HTTPS_PROXY": "http://wendy:pl4nted@proxy.test:3128"}
    (direct,) = web(Web(), {})
    (offers,) = web(Web(), environ)
    proxy, cookies = web(Web(proxy=Secret("env"), cookies=str(file)), environ)
    bad, gone = web(Web(proxy=Secret("ftp://wendy:pl4nted@x"), cookies="gone.txt"), environ)
    assert direct.detail == "none; sites are dialled directly"
    assert offers.detail == "HTTPS_PROXY is set and not used: --proxy env uses it"
    assert (proxy.detail, cookies.detail) == ("http://proxy.test:3128", f"1 in {file}")
    assert [check.ok for check in (bad, gone)] == [False, False]
    assert "pl4nted" not in str([direct, offers, proxy, cookies, bad, gone])


def test_headers_and_logins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each that no run could be started with is shown, and no secret is."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("SHOP=wendy:pl4nted\nODD=pl4nted\n")
    logins = ("shop.test=basic:SHOP", "a.test=bearer:NOT_SET", "b.test=basic:ODD", "c.test=bearer:sk-pl4nted")
    _, headers, *checks = web(Web(headers=(Secret("X-Key: pl4nted"),), auth=logins), {})
    _, bad = web(Web(headers=(Secret("Host: pl4nted"),)), {})
    assert (headers.ok, headers.detail) == (True, "X-Key")
    assert [(check.name, check.ok) for check in checks] == [("login", text is logins[0]) for text in logins]
    assert checks[0].detail == "shop.test (basic, SHOP)"
    assert "NOT_SET is set neither" in checks[1].detail
    assert "ODD has to hold user:password" in checks[2].detail
    assert "c.test takes the NAME of a variable" in checks[3].detail
    assert not bad.ok
    assert "Host can't be given as a header" in bad.detail
    assert "pl4nted" not in str([headers, bad, *checks])


async def test_models_are_listed_with_their_roles_and_asked_only_where_that_is_wanted(tmp_path: Path) -> None:
    variables = {"QWEN_API_KEY": "k", "OLLAMA_MODEL": "m", "SCRAPEWRIGHT_REVIEWER": "openai/gpt-5"}
    settings = load(variables, tmp_path)
    asked: list[str] = []

    async def ask(spec: ModelSpec) -> str:
        asked.append(spec.name)
        if spec.name == "ollama/m":
            raise ProgrammerUnavailable("nobody answers", "start it")
        return "answers"

    names = [f"model-{number}" for number in range(10)]
    by_name = {c.name: c for c in await models(settings, {"ollama": names, "lmstudio": ()}, None)}
    assert by_name["model qwen/qwen3-coder-plus"].detail == "qwen3-coder-plus at Qwen (programmer, reader)"
    assert by_name["model openai/gpt-5"] == Check(
        "model openai/gpt-5", False, "gpt-5 at OpenAI (reviewer)",
        "it needs a key: OPENAI_API_KEY in the environment or in .env",
    )  # fmt: skip
    without = await models(msgspec.structs.replace(settings, review=False), {}, None)
    assert not [check for check in without if "reviewer" in check.detail]
    assert "doctor --try" in by_name["models"].detail
    assert by_name["Ollama"].detail.startswith(
        "runs at http://127.0.0.1:11434/v1; --model ollama/model-0, ollama/model-1"
    )
    assert by_name["Ollama"].detail.endswith("ollama/model-7, 2 more")
    assert "no models yet" in by_name["LM Studio"].detail
    tried = {c.name: c for c in await models(settings, {}, ask)}
    assert sorted(asked) == ["ollama/m", "qwen/qwen3-coder-plus"]
    assert tried["model qwen/qwen3-coder-plus"].detail.endswith(": answers")
    assert (tried["model ollama/m"].ok, tried["model ollama/m"].advice) == (False, "start it")


async def test_without_a_model_the_rules_are_named(tmp_path: Path) -> None:
    (check,) = await models(load({}, tmp_path), {}, None)
    assert "the rule programmer writes the code" in check.detail
