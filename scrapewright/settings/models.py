"""Language models: the providers that are known, and each model with what it takes to ask it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

import msgspec

from scrapewright.settings.values import Secret, SettingsError, as_kind, as_table, check_choice, check_known, in_bounds

Role = Literal["programmer", "reviewer", "reader"]
"""What a model is asked for: programs, a judgement of rows, the reading of a request."""
Api = Literal["", "chat", "responses", "messages"]
"""OpenAI's Chat Completions and Responses, and Anthropic's Messages. Empty: what suits the provider and the model."""
EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")


class Provider(msgspec.Struct, frozen=True):
    """Who serves models. `key`, `address` and `named` are the variables of its key, its base URL and the model that it
    is asked for; `model` is asked for where none is named. A `local` one runs on the user's machine, without a key.
    """

    title: str
    key: str
    address: str
    named: str
    base_url: str = ""
    model: str = ""
    local: bool = False


def _provider(title: str, variables: str, base_url: str, model: str = "", *, local: bool = False) -> Provider:
    key, address, named = (f"{variables}_{what}" for what in ("API_KEY", "BASE_URL", "MODEL"))
    return Provider(title, key, address, named, base_url=base_url, model=model, local=local)


PROVIDERS: dict[str, Provider] = {
    "azure": Provider(
        "Azure OpenAI", "AZURE_OPENAI_API_KEY", "AZURE_OPENAI_ENDPOINT", "AZURE_OPENAI_DEPLOYMENT", model="gpt-5-mini"
    ),
    "openai": _provider("OpenAI", "OPENAI", "https://api.openai.com/v1", "gpt-5-mini"),
    "anthropic": _provider("Anthropic", "ANTHROPIC", "https://api.anthropic.com", "claude-sonnet-5-5"),
    "qwen": _provider("Qwen", "QWEN", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "qwen3-coder-plus"),
    "gemini": _provider(
        "Gemini", "GEMINI", "https://generativelanguage.googleapis.com/v1beta/openai", "gemini-2.5-flash"
    ),
    "mistral": _provider("Mistral", "MISTRAL", "https://api.mistral.ai/v1", "codestral-latest"),
    "openrouter": _provider("OpenRouter", "OPENROUTER", "https://openrouter.ai/api/v1"),
    "ollama": _provider("Ollama", "OLLAMA", "http://127.0.0.1:11434/v1", local=True),
    "llama.cpp": _provider("llama.cpp", "LLAMACPP", "http://127.0.0.1:8080/v1", local=True),
    "lmstudio": _provider("LM Studio", "LMSTUDIO", "http://127.0.0.1:1234/v1", local=True),
    "vllm": _provider("vLLM", "VLLM", "http://127.0.0.1:8000/v1", local=True),
}
"""By name. The first that is set up writes the programs where no model is named."""
_API_VERSION = "2025-04-01-preview"
_API_VERSION_VARIABLE = "AZURE_OPENAI_API_VERSION"


class ModelSpec(msgspec.Struct, frozen=True):
    """A model and how it is asked. `name` is what settings and --model call it: its table, or PROVIDER/MODEL.

    Zero and None leave a limit, the temperature and the effort to the provider. Limits are in tokens, `timeout` in
    seconds, prices in dollars per million tokens, None where they are not known. `key_variable` is where `key` is from.
    One that is `weak` writes no programs: it reads the request and copies values of records, and the rules write. It
    takes its likeliest words (a temperature of 0.0) where the settings do not say otherwise.
    """

    name: str = ""
    provider: str = "openai"
    model: str = ""
    base_url: str = ""
    key: Secret = Secret()
    key_variable: str = ""
    api: Api = ""
    api_version: str = ""
    temperature: float | None = None
    reasoning: str = ""
    max_output: int = 0
    context: int = 0
    input_price: float | None = None
    output_price: float | None = None
    timeout: float = 120.0
    weak: bool = False

    @property
    def preset(self) -> Provider:
        return PROVIDERS[self.provider]

    @property
    def elsewhere(self) -> bool:
        """Whether it is asked at another address than the provider's own."""
        return self.base_url != self.preset.base_url

    @property
    def place(self) -> str:
        """Where it is asked, for people."""
        return self.base_url if self.elsewhere or self.preset.local else self.preset.title

    @property
    def costs(self) -> bool:
        """Whether asking it may cost money: on this machine it does not."""
        host = urlsplit(self.base_url).hostname or ""
        return not (host in {"localhost", "::1"} or host.startswith("127."))

    @property
    def price_known(self) -> bool:
        return not self.costs or (self.input_price is not None and self.output_price is not None)

    @property
    def lacking(self) -> str:
        """What it needs before it can be asked, for people; empty where it needs nothing."""
        preset = self.preset
        if not self.base_url:
            return f"an address: {preset.address}, or base_url in a [models.NAME] table"
        if not self.model:
            return f"the name of a model: {preset.named}, or --model {self.provider}/MODEL"
        compatible = self.provider == "openai" and self.elsewhere  # many such servers want no key
        named = self.key_variable not in {"", preset.key}
        if not self.key and (named or not (preset.local or compatible)):
            return f"a key: {self.key_variable or preset.key} in the environment or in .env"
        return ""


class Models(msgspec.Struct, frozen=True):
    """All models by name: those of `[models.NAME]` tables, and one of each provider as the variables set it up."""

    tables: dict[str, ModelSpec] = {}
    providers: dict[str, ModelSpec] = {}

    def find(self, name: str) -> ModelSpec:
        """The model of a table, or of PROVIDER or PROVIDER/MODEL. Raises SettingsError, which tells what there is."""
        if name in self.tables:
            return self.tables[name]
        provider, _, model = name.partition("/")
        if provider in self.providers:
            return _named(self.providers[provider], model)
        known = [*self.tables, *self.providers]
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        tables = f"a [models.NAME] table ({', '.join(self.tables)})" if self.tables else "a [models.NAME] table"
        raise SettingsError(
            f"there is no model {name!r}; {hint}name {tables}, or PROVIDER/MODEL such as openai/gpt-5-mini; providers "
            f"are {', '.join(self.providers)}"
        )

    def set_up(self) -> list[ModelSpec]:
        """Those that can be asked, the tables' first."""
        return [spec for spec in (*self.tables.values(), *self.providers.values()) if not spec.lacking]


def _named(spec: ModelSpec, model: str = "") -> ModelSpec:
    """The provider's model of that name, its own if none is given."""
    model = model or spec.model
    return msgspec.structs.replace(spec, model=model, name=f"{spec.provider}/{model}" if model else spec.provider)


def read_providers(variables: Mapping[str, tuple[str, str]], sources: dict[str, str]) -> dict[str, ModelSpec]:
    """One model of each provider. `variables` has (value, source) by name. Raises SettingsError."""
    found = {}
    for name, provider in PROVIDERS.items():
        fields: dict[str, Any] = {"base_url": provider.base_url, "model": provider.model, "key_variable": provider.key}
        given = {"key": provider.key, "base_url": provider.address, "model": provider.named}
        if name == "azure":
            fields["api_version"] = _API_VERSION
            given["api_version"] = _API_VERSION_VARIABLE
        for field, variable in given.items():
            if variable not in variables:
                continue
            value, source = variables[variable]
            where = f"{source}: {variable}"
            fields[field] = Secret(value) if field == "key" else value
            if field == "base_url":
                fields[field] = _versioned(provider, _address(value, where))
            sources[f"providers.{name}.{field}"] = where
        found[name] = _named(ModelSpec(provider=name, **fields))
    return found


_KINDS: dict[str, type] = {
    "provider": str, "model": str, "key": str, "base_url": str, "api": str, "api_version": str, "temperature": float,
    "reasoning": str, "max_output": int, "context": int, "input_price": float, "output_price": float, "timeout": float,
    "weak": bool,
}  # fmt: skip
_CHOICES = {"provider": tuple(PROVIDERS), "api": get_args(Api)[1:], "reasoning": EFFORTS}
_SHOWN = tuple(field for field in ModelSpec.__struct_fields__ if field not in {"name", "key_variable"})


def read_tables(
    tables: Any, path: str, providers: Mapping[str, ModelSpec], variables: Mapping[str, tuple[str, str]],
    sources: dict[str, str],
) -> dict[str, ModelSpec]:  # fmt: skip
    """The models of the config file's `[models.NAME]` tables. What one leaves out is its provider's. Raises
    SettingsError.
    """
    found = {}
    for name, table in as_table(tables, f"{path}: models", "such as [models.strong]").items():
        where = f"{path}: models.{name}"
        fields: dict[str, Any] = {}
        for field, value in as_table(table, where, f"[models.{name}]").items():
            check_known(field, _KINDS, f"{path}: [models.{name}]")
            fields[field] = _field(field, value, f"{where}.{field}")
            sources[f"models.{name}.{field}"] = path
        provider = fields.pop("provider", name if name in PROVIDERS else "openai")
        spec = providers[provider]
        if "base_url" in fields:
            fields["base_url"] = _versioned(spec.preset, fields["base_url"])
        variable = fields.pop("key", "")
        if variable:
            value, source = variables.get(variable, ("", ""))
            fields |= {"key_variable": variable, "key": Secret(value)}
            sources[f"models.{name}.key"] = f"{source}: {variable}" if source else f"{variable}, which is not set"
        elif fields.get("base_url", spec.base_url) != spec.base_url:  # a key goes to the address that it is for
            fields |= {"key_variable": "", "key": Secret()}
        if fields.get("weak"):  # what it copies should not hang on chance
            fields.setdefault("temperature", 0.0)
        spec = msgspec.structs.replace(spec, **fields, name=name)
        if (spec.api == "messages") > (spec.provider == "anthropic") or (spec.api, spec.provider) == (
            "responses",
            "anthropic",
        ):
            raise SettingsError(f"{where}.api: {spec.preset.title} has no {spec.api} API")
        found[name] = spec
    return found


def _field(field: str, value: Any, where: str) -> Any:
    if field == "key":
        if not isinstance(value, str) or not _VARIABLE.fullmatch(value):  # it may be a key: it is not repeated
            raise SettingsError(
                f"{where} must be the name of a variable, such as OPENAI_API_KEY; the key itself belongs in .env or "
                "the environment, not in the config file"
            )
        return value
    converted = in_bounds(as_kind(_KINDS[field], value, where), 1 if field == "timeout" else 0, where)
    if field in _CHOICES:
        check_choice(converted, _CHOICES[field], where)
    return _address(converted, where) if field == "base_url" else converted


def _address(value: str, where: str) -> str:
    """A base URL without the slash at its end. Raises SettingsError; the message holds no password."""
    try:
        parts = urlsplit(value)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise SettingsError(f"{where} must be an address such as http://127.0.0.1:11434/v1")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise SettingsError(f"{where}: an address of models holds no password and no query; keys have variables")
    return value.rstrip("/")


def address(provider: Provider, value: str, where: str) -> str:
    """A provider's base URL as it is asked. Raises SettingsError, which begins with `where` and holds no password."""
    return _versioned(provider, _address(value, where))


def _versioned(provider: Provider, address: str) -> str:
    """Servers on this machine are often named by their port alone; what OpenAI's clients ask is below /v1."""
    return f"{address}/v1" if provider.local and not urlsplit(address).path else address


def rows(models: Models, sources: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """(name, value, where it came from) of what is said of models, keys shown as set or not set."""
    kinds = (("models", models.tables), ("providers", models.providers))
    found = []
    for kind, specs in kinds:
        for name, spec in specs.items():
            for field in _SHOWN:
                place = f"{kind}.{name}.{field}"
                if place in sources:
                    found.append((place, str(getattr(spec, field)), sources[place]))
    return found
