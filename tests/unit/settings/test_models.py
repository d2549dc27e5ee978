"""Which models there are, what each is asked with, and what is said of those that can't be asked."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.errors import UsageError
from scrapewright.options import RunOptions, check_options, later_models, model_for, restored_options
from scrapewright.query.reading import Reading
from scrapewright.session.state import Session
from scrapewright.settings import ModelSpec, Role, Secret, Settings, SettingsError, as_rows, load
from scrapewright.settings.models import PROVIDERS, _address

TABLES = """
model = "strong"
reviewer = "small"

[models.strong]
provider = "openai"
model = "gpt-5"
key = "MY_OWN_KEY"
reasoning = "low"
max_output = 9000
context = 200000
input_price = 1.25
output_price = 10
timeout = 30

[models.small]
provider = "ollama"
model = "qwen3:4b"
temperature = 0
"""


def loaded(folder: Path, config: str = "", env_file: str = "", **variables: str) -> Settings:
    home = folder / "config" / "scrapewright"
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text(config, encoding="utf-8")
    (folder / ".env").write_text(env_file, encoding="utf-8")
    return load({"XDG_CONFIG_HOME": str(folder / "config"), **variables}, folder)


def asked(settings: Settings, role: Role = "programmer") -> ModelSpec:
    spec = settings.model_for(role)
    assert spec is not None
    return spec


def test_tables_say_what_is_asked_and_with_what(tmp_path: Path) -> None:
    settings = loaded(tmp_path, TABLES, "MY_OWN_KEY=from-env-file\n", OPENAI_API_KEY="not this one")
    assert asked(settings) == ModelSpec(
        name="strong", provider="openai", model="gpt-5", base_url="https://api.openai.com/v1",
        key=Secret("from-env-file"), key_variable="MY_OWN_KEY", reasoning="low", max_output=9000, context=200_000,
        input_price=1.25, output_price=10.0, timeout=30.0,
    )  # fmt: skip
    small = asked(settings, "reviewer")
    assert (small.model, small.base_url, small.temperature, small.lacking) == (
        "qwen3:4b", "http://127.0.0.1:11434/v1", 0.0, "",
    )  # fmt: skip
    assert asked(settings, "reader") == asked(settings), "the same where no other is named"
    shown = as_rows(settings)
    assert ("models.strong.key", "set", ".env: MY_OWN_KEY") in shown
    assert ("models.small.model", "qwen3:4b", str(settings.config_path)) in shown


@pytest.mark.parametrize(
    ("variables", "name"),
    [
        ({}, None),
        ({"OPENAI_API_KEY": "k"}, "openai/gpt-5-mini"),
        ({"OPENAI_API_KEY": "k", "OPENAI_MODEL": "m"}, "openai/m"),
        ({"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}, "openai/gpt-5-mini"),
        ({"OPENAI_MODEL": "m"}, None),
        ({"AZURE_OPENAI_API_KEY": "k", "AZURE_OPENAI_ENDPOINT": "https://x.test"}, "azure/gpt-5-mini"),
        ({"AZURE_OPENAI_API_KEY": "k"}, None),
        ({"AZURE_OPENAI_API_KEY": "k", "AZURE_OPENAI_ENDPOINT": "https://x.test", "OPENAI_API_KEY": "k"},
         "azure/gpt-5-mini"),
        ({"QWEN_API_KEY": "k"}, "qwen/qwen3-coder-plus"),
        ({"ANTHROPIC_API_KEY": "k", "QWEN_API_KEY": "k"}, "anthropic/claude-sonnet-5-5"),
        ({"OPENROUTER_API_KEY": "k"}, None),
        ({"OPENROUTER_API_KEY": "k", "OPENROUTER_MODEL": "a/b"}, "openrouter/a/b"),
        ({"OLLAMA_BASE_URL": "http://127.0.0.1:1/v1"}, None),
        ({"OLLAMA_MODEL": "llama3.2"}, "ollama/llama3.2"),
        ({"QWEN_API_KEY": "k", "SCRAPEWRIGHT_MODEL": "mistral/x", "MISTRAL_API_KEY": "k"}, "mistral/x"),
    ],
)  # fmt: skip
def test_without_a_name_the_first_that_is_set_up_is_asked(
    variables: dict[str, str], name: str | None, tmp_path: Path
) -> None:
    spec = loaded(tmp_path, **variables).model_for("programmer")
    assert (spec.name if spec else None) == name


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("strong", ("openai", "gpt-5")),
        ("openai/gpt-5-nano", ("openai", "gpt-5-nano")),
        ("openrouter/meta/llama", ("openrouter", "meta/llama")),
        ("qwen", ("qwen", "qwen3-coder-plus")),
        ("ollama", ("ollama", "")),
    ],
)
def test_a_model_is_named_by_its_table_or_its_provider(name: str, spec: tuple[str, str], tmp_path: Path) -> None:
    found = loaded(tmp_path, TABLES).models.find(name)
    assert (found.provider, found.model) == spec


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ('model = "strnog"\n[models.strong]\nmodel = "m"', "model: there is no model 'strnog'; did you mean 'strong'?"),
        ('reviewer = "gpt-6"', "reviewer: there is no model 'gpt-6'; name a [models.NAME] table, or PROVIDER/MODEL"),
        ("models = 3", "models must be a table, such as [models.strong]"),
        ("[models]\nstrong = 3", "models.strong must be a table, [models.strong]"),
        ("[models.a]\nmodle = 'x'", "[models.a]: unknown key 'modle'; did you mean 'model'?"),
        ("[models.a]\nprovider = 'opnai'", "models.a.provider: 'opnai' is none of azure, openai"),
        ("[models.a]\ntimeout = 0", "models.a.timeout: 0.0 is too small; the least is 1"),
        ("[models.a]\ninput_price = -1", "the least is 0"),
        ("[models.a]\ntemperature = nan", "is too small"),
        ("[models.a]\nreasoning = 'much'", "models.a.reasoning: 'much' is none of none, minimal, low"),
        ("[models.a]\napi = 'messages'", "models.a.api: OpenAI has no messages API"),
        ("[models.a]\nprovider = 'anthropic'\napi = 'responses'", "models.a.api: Anthropic has no responses API"),
        ("[models.a]\nbase_url = 'localhost:11434'", "models.a.base_url must be an address such as"),
        ("[models.a]\nbase_url = 'http://me:secret@x.test/v1'", "holds no password"),
    ],
)
def test_a_bad_table_is_reported_with_its_file_and_key(config: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"config\.toml: ") as raised:
        loaded(tmp_path, config)
    assert says in str(raised.value)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("line", ["key = 'sk-secret'", "key = 'gsk_secret'", "api_key = 'sk-secret'", "key = 3"])
def test_a_key_in_the_config_file_is_refused_and_not_repeated(line: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as raised:
        loaded(tmp_path, f"[models.a]\n{line}\n")
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("provider", "address", "asked_at"),
    [
        ("ollama", "http://127.0.0.1:5", "http://127.0.0.1:5/v1"),
        ("vllm", "http://127.0.0.1:5/", "http://127.0.0.1:5/v1"),
        ("lmstudio", "http://127.0.0.1:5/api/v0", "http://127.0.0.1:5/api/v0"),
        ("qwen", "http://127.0.0.1:5", "http://127.0.0.1:5"),
    ],
)
def test_a_server_on_this_machine_may_be_named_by_its_port(
    provider: str, address: str, asked_at: str, tmp_path: Path
) -> None:
    table = f"[models.a]\nprovider = '{provider}'\nmodel = 'm'\nbase_url = '{address}'\n"
    settings = loaded(tmp_path, table, **{PROVIDERS[provider].address: address})
    assert settings.models.find("a").base_url == asked_at
    assert settings.models.find(provider).base_url == asked_at


def test_a_key_goes_to_the_address_that_it_is_for(tmp_path: Path) -> None:
    elsewhere = "[models.a]\nbase_url = 'http://127.0.0.1:1/v1'\nmodel = 'm'\n"
    spec = asked(loaded(tmp_path, elsewhere, OPENAI_API_KEY="k"))
    assert (spec.name, spec.key, spec.lacking) == ("a", Secret(), "")
    said = asked(loaded(tmp_path, f"{elsewhere}key = 'OPENAI_API_KEY'\n", OPENAI_API_KEY="k"))
    assert said.key == Secret("k")


@pytest.mark.parametrize(
    ("config", "changes", "says"),
    [
        ("", {}, "needs a key in the environment or in .env, such as OPENAI_API_KEY"),
        (TABLES, {}, "the model strong needs a key: MY_OWN_KEY in the environment or in .env"),
        (TABLES, {"model": "ollama"}, "needs the name of a model: OLLAMA_MODEL, or --model ollama/MODEL"),
        (TABLES, {"model": "azure"}, "needs an address: AZURE_OPENAI_ENDPOINT"),
        ("", {"model": "gpt-6"}, "--model: there is no model 'gpt-6'"),
        (TABLES, {"model": "small", "programmer": "rules"}, "--model: the programmer rules asks no model"),
    ],
)
def test_what_a_model_lacks_is_reported(config: str, changes: dict[str, Any], says: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as raised:
        model_for(check_options(loaded(tmp_path, config), "", changes, need_url=False).settings, "programmer")
    assert says in str(raised.value)


def test_a_session_whose_model_is_gone_says_so(tmp_path: Path) -> None:
    stored = Session(programmer="model", model="strong", reading=Reading(text="q"))
    kept = restored_options(RunOptions(loaded(tmp_path, TABLES, MY_OWN_KEY="k"), Reading()), stored).settings
    assert model_for(kept, "programmer").name == "strong"
    (tmp_path / "config" / "scrapewright" / "config.toml").unlink()
    gone = restored_options(
        RunOptions(load({"XDG_CONFIG_HOME": str(tmp_path / "config")}, tmp_path), Reading()), stored
    )
    with pytest.raises(UsageError, match="there is no model 'strong'"):
        model_for(gone.settings, "programmer")


def test_a_limit_of_money_needs_a_price(tmp_path: Path) -> None:
    settings = loaded(tmp_path, "money = 1\n", OPENAI_API_KEY="k")
    with pytest.raises(UsageError, match="the price of the model openai/gpt-5-mini is not known"):
        model_for(settings, "programmer")
    assert model_for(loaded(tmp_path, "money = 1\n", OLLAMA_MODEL="m"), "programmer").price_known
    assert model_for(loaded(tmp_path, f"money = 1\n{TABLES}", MY_OWN_KEY="k"), "programmer").price_known


def test_one_that_is_to_review_alone_does_not_write(tmp_path: Path) -> None:
    small = TABLES[TABLES.index("[models.small]") :]
    alone = loaded(tmp_path, f'reviewer = "small"\n{small}')
    assert alone.model_for("programmer") is None
    assert model_for(alone, "reviewer").name == "small"
    beside = loaded(tmp_path, f'reviewer = "small"\n{small}', OPENAI_API_KEY="k")
    assert model_for(beside, "programmer").provider == "openai"


@pytest.mark.parametrize(("said", "temperature"), [("", None), ("weak = true", 0.0), ("weak = false", None)])
def test_a_weak_model_takes_its_likeliest_words(said: str, temperature: float | None, tmp_path: Path) -> None:
    table = f'[models.tiny]\nprovider = "ollama"\nmodel = "qwen3:0.6b"\n{said}\n'
    assert asked(loaded(tmp_path, table)).temperature == temperature
    assert asked(loaded(tmp_path, f"{table}temperature = 0.7\n")).temperature == 0.7


@pytest.mark.parametrize(
    ("config", "first", "later"),
    [
        ('escalate = ["small", "strong"]', "small", ("strong",)),
        ('escalate = ["small", "strong", "small"]\nmodel = "strong"', "strong", ("small",)),
        ('escalate = ["small"]\nmodel = "strong"', "strong", ("small",)),
        ('escalate = ["small"]\nmodel = "small"', "small", ()),
        ('escalate = ["tiny", "small", "tiny"]\nmodel = "tiny"', "small", ()),
        ('escalate = ["tiny"]', "tiny", ()),
        ('model = "small"', "small", ()),
    ],
)
def test_models_write_one_after_the_other(config: str, first: str, later: tuple[str, ...], tmp_path: Path) -> None:
    tables = TABLES[TABLES.index("[models.strong]") :]
    tables += '\n[models.tiny]\nprovider = "ollama"\nmodel = "qwen3:0.6b"\nweak = true\n'
    settings = loaded(tmp_path, f"{config}\n{tables}", MY_OWN_KEY="k")
    assert asked(settings).name == first
    assert settings.later_writers == later
    assert [spec.name for spec in later_models(settings)] == [*later]
    stored = Session(programmer="model", model=first, escalate=later, attempts={})
    again = restored_options(RunOptions(loaded(tmp_path, tables, MY_OWN_KEY="k"), Reading()), stored).settings
    assert (asked(again).name, again.later_writers) == (first, later)


@pytest.mark.parametrize(
    ("config", "variables", "says"),
    [
        ('escalate = ["smal"]', {}, "escalate: there is no model 'smal'; did you mean 'small'"),
        ("escalate = [1]", {}, 'escalate must be a list of names, such as \\["small", "strong"\\]'),
        ('escalate = "small,"', {}, "escalate must be a list of names"),
        ("", {"SCRAPEWRIGHT_ESCALATE": "small, gone"}, "environment: SCRAPEWRIGHT_ESCALATE: escalate: there is no"),
    ],
)
def test_models_that_there_are_not_can_not_follow(
    config: str, variables: dict[str, str], says: str, tmp_path: Path
) -> None:
    with pytest.raises(SettingsError, match=says):
        loaded(tmp_path, config + TABLES, **variables)


def test_a_model_that_lacks_its_key_is_missed_before_it_is_its_turn(tmp_path: Path) -> None:
    settings = loaded(tmp_path, 'escalate = ["small", "strong"]\n' + TABLES.replace('model = "strong"', "", 1))
    with pytest.raises(UsageError, match="the model strong needs a key: MY_OWN_KEY"):
        later_models(settings)


@given(st.text() | st.text().map("http://{}".format))
def test_an_address_is_one_or_is_refused(text: str) -> None:
    with suppress(SettingsError):
        assert _address(text, "here").lower().startswith(("http://", "https://"))


def test_the_variables_of_providers_are_their_own() -> None:
    names = [name for p in PROVIDERS.values() for name in (p.key, p.address, p.named)]
    assert len(names) == len({*names})
