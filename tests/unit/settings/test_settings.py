"""Where settings come from, which wins, and what is said of bad ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapewright import cli
from scrapewright.errors import UsageError
from scrapewright.options import check_options
from scrapewright.settings import Secret, Settings, SettingsError, Web, as_rows, config_path, load, named_secret
from scrapewright.tui.session_spec import SessionSpec, run_options
from scrapewright.web.upstream_proxy import parse_proxy


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }


def write_config(env: dict[str, str], text: str) -> Path:
    path = Path(env["XDG_CONFIG_HOME"]) / "scrapewright" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_defaults(env: dict[str, str], tmp_path: Path) -> None:
    settings = load(env, tmp_path)
    assert (settings.attempts, settings.programmer, settings.model_for("programmer")) == (4, "auto", None)
    assert settings.data_dir == tmp_path / "data" / "scrapewright"
    assert settings.sources == {}


def test_the_later_wins(env: dict[str, str], tmp_path: Path) -> None:
    path = write_config(env, 'attempts = 5\ntime_limit = 10\nsandbox = "local"\nmodel = "qwen/from-toml"\n')
    (tmp_path / ".env").write_text(
        "SCRAPEWRIGHT_ATTEMPTS=6\nSCRAPEWRIGHT_MODEL=openai/from-env-file\nOPENAI_API_KEY=sk-1\n"
    )
    settings = load(env | {"SCRAPEWRIGHT_ATTEMPTS": "7"}, tmp_path)
    assert (settings.attempts, settings.time_limit, settings.sandbox) == (7, 10.0, "local")
    spec = settings.model_for("programmer")
    assert spec is not None
    assert (spec.model, spec.key) == ("from-env-file", Secret("sk-1"))
    assert settings.sources["sandbox"] == str(path)
    assert settings.sources["attempts"] == "environment: SCRAPEWRIGHT_ATTEMPTS"
    assert settings.sources["model"] == ".env: SCRAPEWRIGHT_MODEL"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("attemps = 3", "did you mean 'attempts'"),
        ("attempts = 'three'", "'three' is not a whole number"),
        ("attempts = 0", "the least is 1"),
        ("sandbox = 'vm'", "none of auto, docker, local"),
        ("[model]\nname = 'x'", "[models.NAME] tables"),
        ("web = 3", "must be a table"),
        ("[web]\nprxy = 'x'", "did you mean 'proxy'"),
        (
            "[web]\nproxy = 'http://wendy:pl4nted@x'",
            "passwords belong in .env or the environment, as SCRAPEWRIGHT_PROXY",
        ),
        ("[web]\ncookies = 3", "3 is not a text"),
        ("[web]\nheaders = 'X-Key: pl4nted'", "table of texts, such as Accept-Language"),
        ("[web.auth]\n'shop.test' = 3", 'table of texts, such as "shop.example" = "basic:SHOP_LOGIN"'),
        ("[keys]\nrun = 3", "table of texts"),
        ("attempts = = 3", "config.toml"),
    ],
)
def test_a_bad_config_says_which_file_and_key(env: dict[str, str], tmp_path: Path, text: str, says: str) -> None:
    write_config(env, text)
    with pytest.raises(SettingsError, match=r"config\.toml") as raised:
        load(env, tmp_path)
    assert says in str(raised.value)


def test_files_that_are_no_text_are_reported_in_words(env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match=r"\.env: it is no UTF-8 text"):
        load(env, tmp_path)
    write_config(env, "").write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match=r"config\.toml: it is no UTF-8 text"):
        load(env, tmp_path)
    config_path(env).unlink()
    config_path(env).mkdir()
    with pytest.raises(SettingsError, match=r"config\.toml: Is a directory$"):
        load(env, tmp_path)


def test_the_path_is_reported_of_a_config_that_cannot_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    config_path().parent.mkdir(parents=True)
    config_path().write_text("attempts = = 3")
    with pytest.raises(SystemExit) as stop:
        cli.main(["config", "path"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"{config_path()}\n"


def test_a_bad_variable_is_named(env: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="environment: SCRAPEWRIGHT_TIME_LIMIT"):
        load(env | {"SCRAPEWRIGHT_TIME_LIMIT": "soon"}, tmp_path)


@pytest.mark.parametrize(
    ("name", "value"), [("time_limit", "inf"), ("time_limit", "nan"), ("attempts", "9" * 20), ("seconds", "-1")]
)
def test_numbers_that_no_event_can_hold(env: dict[str, str], tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=r"too (large|small)"):
        load(env | {f"SCRAPEWRIGHT_{name.upper()}": value}, tmp_path)
    number = float(value) if name == "time_limit" else int(value)
    with pytest.raises(UsageError, match=f"--{name.replace('_', '-')}"):
        check_options(Settings(), "", {name: number}, need_url=False)


def test_secrets_do_not_show(env: dict[str, str], tmp_path: Path) -> None:
    settings = load(env | {"OPENAI_API_KEY": "sk-secret"}, tmp_path)
    spec = settings.model_for("programmer")
    assert spec is not None
    shown = repr(settings) + str(as_rows(settings)) + f"{spec.key}"
    assert "sk-secret" not in shown
    assert ("providers.openai.key", "set", "environment: OPENAI_API_KEY") in as_rows(settings)
    assert spec.key.reveal() == "sk-secret"


def test_settings_are_frozen() -> None:
    with pytest.raises(AttributeError):
        Settings().attempts = 3  # type: ignore[misc]


def test_what_is_sent_to_sites(env: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the config file, .env and the options; the workbench's sessions have it, too."""
    path = write_config(
        env,
        "[web]\nproxy = 'http://config.test'\ncookies = 'mine.txt'\n[web.headers]\nX-One = '1'\nX-Two = '2'\n"
        "[web.auth]\n'shop.test' = 'basic:SHOP'\n",
    )
    (path.parent / "mine.txt").write_text("shop.test\tTRUE\t/\tTRUE\t0\tsid\tpl4nted\n")
    (tmp_path / ".env").write_text("SCRAPEWRIGHT_PROXY=socks5://wendy:pl4nted@env.test\nSHOP=wendy:pl4nted\n")
    settings = load(env, tmp_path)
    assert settings.web.proxy.reveal() == "socks5://wendy:pl4nted@env.test"
    assert settings.web.cookies == str(path.parent / "mine.txt")
    assert "pl4nted" not in str(as_rows(settings)) + repr(settings)
    assert named_secret("SHOP", {}, tmp_path) == named_secret("OTHER", {"OTHER": "wendy:pl4nted"}, tmp_path)
    assert not named_secret("NONE", {}, tmp_path)

    monkeypatch.chdir(tmp_path)
    given = Web(headers=(Secret("x-two: 3"),), proxy=Secret("http://option.test"))
    options = check_options(settings, "", {}, need_url=False, web=given)
    later = run_options(SessionSpec(text="all books on https://shop.test/: title"), options)
    for found in (options, later):
        assert found.credentials is not None
        assert found.proxies is not None
        assert [(h.name, h.value.reveal()) for h in found.credentials.headers] == [("X-One", "1"), ("x-two", "3")]
        assert [login.secret.reveal() for login in found.credentials.logins] == ["wendy:pl4nted"]
        assert [cookie.name for cookie in found.credentials.cookies] == ["sid"]
        assert found.proxies.http == found.proxies.https == parse_proxy("http://option.test")
    assert check_options(settings.without_web(), "", {}, need_url=False).credentials is None


@pytest.mark.parametrize(
    ("place", "text", "shown"),
    [
        ("shop.test:8443", "basic:SHOP_1", "shop.test:8443=basic:SHOP_1"),
        ("http://shop.test/?a=b", "Bearer: SHOP", "http://shop.test/?a=b=Bearer: SHOP"),
        ("shop.test", "bearer:sk-pl4nted.def", "shop.test=set"),
        ("shop.test", "bearer:pl4nted==", "shop.test=set"),
        ("shop.test", "pl4nted", "shop.test=set"),
        ("https://wendy:pl4nted@shop.test", "basic:SHOP", "set"),
    ],
)
def test_a_token_in_place_of_a_name_is_not_shown(
    place: str, text: str, shown: str, env: dict[str, str], tmp_path: Path
) -> None:
    write_config(env, f"[web.auth]\n'{place}' = '{text}'\n")
    rows = {name: value for name, value, _ in as_rows(load(env, tmp_path))}
    assert rows["web.auth"] == shown


def test_what_can_not_be_sent_names_where_it_is_from(env: dict[str, str], tmp_path: Path) -> None:
    path = write_config(env, "[web]\nproxy = 'ftp://x'\n[web.auth]\n'shop.test' = 'basic:NOT_SET'\n")
    settings = load(env, tmp_path)
    with pytest.raises(UsageError, match=f"^{path}: NOT_SET is set neither in the environment nor in .env"):
        check_options(settings, "", {}, need_url=False)
    with pytest.raises(UsageError, match=r"^--auth: the login for shop.test is neither"):
        check_options(settings, "", {}, need_url=False, web=Web(auth=("shop.test=digest:X",)))
    path.write_text("[web]\nproxy = 'ftp://x'\n")
    with pytest.raises(UsageError, match=f"^{path}: there is no way to use a proxy by 'ftp'"):
        check_options(load(env, tmp_path), "", {}, need_url=False, web=Web(cookies=""))
    with pytest.raises(UsageError, match=r"^--proxy: there is no way"):
        check_options(load(env, tmp_path), "", {}, need_url=False, web=Web(proxy=Secret("gopher://x")))
