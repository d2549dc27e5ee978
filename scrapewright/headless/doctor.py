"""What works here, in a few lines."""

from __future__ import annotations

import asyncio
import json
import os
import platform
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import TextIO, get_args

from scrapewright import __version__, plugins
from scrapewright.errors import UsageError
from scrapewright.loop.ports import BadReply, ProgrammerUnavailable
from scrapewright.options import agent_command, login_of
from scrapewright.session.exit_codes import ExitCode
from scrapewright.session.sanitize import sanitize
from scrapewright.settings import ModelSpec, Role, Settings, SettingsError, Web
from scrapewright.web.cookie_file import read_cookies
from scrapewright.web.credentials import BadCredentials, parse_headers
from scrapewright.web.summary import unused
from scrapewright.web.upstream_proxy import BadProxy, offered, proxies_of

SHOWN = 8
"""Models of a server that are named."""


@dataclass(frozen=True)
class Check:
    """One line. `needed`: without it nothing runs."""

    name: str
    ok: bool
    detail: str
    advice: str = ""
    needed: bool = False


def basics(settings: Settings) -> list[Check]:
    """Versions and folders."""
    checks = [
        Check("scrapewright", True, f"{__version__}, Python {platform.python_version()} on {platform.platform()}"),
        Check(
            "packages", True, ", ".join(f"{n} {_version(n)}" for n in ("textual", "lxml", "beautifulsoup4", "openai"))
        ),
    ]
    for name, folder in (("data", settings.data_dir), ("cache", settings.cache_dir), ("config", settings.config_dir)):
        checks.append(Check(f"{name} folder", _writable(folder), str(folder), "make it writable", name == "data"))
    return [*checks, *web(settings.web, os.environ), agent(settings), *added()]


def added() -> list[Check]:
    """What installed packages add, each loaded once to see whether it can be."""
    checks = []
    for group in plugins.GROUPS:
        for name, point in plugins.found(group).items():
            try:
                plugins.load(group, name)
                checks.append(Check("added", True, plugins.described(point)))
            except plugins.BrokenPlugin as error:
                checks.append(Check("added", False, str(error), "it is left out; mend or uninstall that package"))
    return checks


def agent(settings: Settings) -> Check:
    """The command that writes programs with --programmer command, without its options."""
    if not settings.agent:
        return Check("agent", True, "none; AGENT_CMD names a command that writes programs (--programmer command)")
    try:
        return Check("agent", True, f"{agent_command(settings)[0]} (--programmer command)")
    except UsageError as error:
        return Check("agent", False, str(error))


def web(given: Web, environ: Mapping[str, str]) -> list[Check]:
    """The proxy that is dialled through, or those of the environment that are not, and what is sent to sites."""
    checks = []
    try:
        names = proxies_of(given.proxy.reveal(), environ).names
    except BadProxy as error:
        checks.append(Check("proxy", False, str(error), "correct [web] proxy in config.toml, or SCRAPEWRIGHT_PROXY"))
    else:
        named = offered(environ)
        unset = unused(named) if named else "none; sites are dialled directly"
        checks.append(Check("proxy", True, ", ".join(names) or unset))
    if given.headers:
        try:
            headers = parse_headers([header.reveal() for header in given.headers])
            checks.append(Check("headers", True, ", ".join(header.name for header in headers)))
        except BadCredentials as error:
            checks.append(Check("headers", False, str(error), "correct [web.headers] in config.toml"))
    for text in given.auth:
        try:
            login = login_of(text)
            checks.append(Check("login", True, f"{login.place} ({login.scheme}, {login.secret_name})"))
        except (BadCredentials, SettingsError) as error:
            checks.append(Check("login", False, str(error), "correct [web.auth] in config.toml, or set the variable"))
    if given.cookies:
        try:
            checks.append(Check("cookies", True, f"{len(read_cookies(Path(given.cookies)))} in {given.cookies}"))
        except BadCredentials as error:
            checks.append(Check("cookies", False, str(error), "name another file, or none"))
    return checks


Try = Callable[[ModelSpec], Awaitable[str]]
"""Asks a model one short question: what came of it. Raises UsageError, ProgrammerUnavailable, BadReply."""


async def models(settings: Settings, found: Mapping[str, Sequence[str]], ask: Try | None) -> list[Check]:
    """What is set up, with its roles, each asked at once where `ask` is given; and what runs on this machine."""
    specs = {spec.name: spec for spec in settings.models.tables.values()}
    roles: dict[str, list[Role]] = {}
    for role in get_args(Role):
        if role == "reviewer" and not settings.review:
            continue
        if (spec := settings.model_for(role)) is not None:
            specs.setdefault(spec.name, spec)
            roles.setdefault(spec.name, []).append(role)
    specs |= {spec.name: spec for spec in settings.models.set_up()}
    checks = list(await asyncio.gather(*(_model(spec, roles.get(spec.name, []), ask) for spec in specs.values())))
    if not specs:
        checks.append(Check("model", True, "none is set up; the rule programmer writes the code"))
    elif ask is None:
        checks.append(
            Check("models", True, "set up, not asked; `scrapewright doctor --try` asks each one short question")
        )
    for provider, names in found.items():
        spec = settings.models.providers[provider]
        offers = ", ".join(f"{provider}/{name}" for name in names[:SHOWN]) or "no models yet"
        more = f", {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        checks.append(Check(spec.preset.title, True, f"runs at {spec.base_url}; --model {offers}{more}"))
    return checks


async def _model(spec: ModelSpec, roles: Sequence[Role], ask: Try | None) -> Check:
    used = f" ({', '.join(roles)})" if roles else ""
    said = f"{spec.model or 'no model'} at {spec.place}{used}"
    if spec.lacking:
        return Check(f"model {spec.name}", False, said, f"it needs {spec.lacking}")
    if ask is None:
        return Check(f"model {spec.name}", True, said)
    try:
        return Check(f"model {spec.name}", True, f"{said}: {await ask(spec)}")
    except ProgrammerUnavailable as error:
        return Check(f"model {spec.name}", False, f"{said}: {error}", error.advice)
    except (UsageError, BadReply) as error:
        return Check(f"model {spec.name}", False, f"{said}: {error}")


def show(checks: list[Check], out: TextIO, *, as_json: bool) -> int:
    """Prints them; 0, or 3 where something that is needed does not work."""
    if as_json:
        print(json.dumps([asdict(check) for check in checks], indent=1), file=out)
    else:
        width = max(len(check.name) for check in checks)
        for check in checks:
            print(f"{'ok' if check.ok else '--'}  {check.name.ljust(width)}  {sanitize(check.detail)}", file=out)
            if not check.ok and check.advice:
                print(f"    {' ' * width}  {sanitize(check.advice)}", file=out)
    return ExitCode.RETRY_LATER if any(check.needed and not check.ok for check in checks) else ExitCode.OK


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "missing"


def _writable(folder: Path) -> bool:
    probe = folder
    while not probe.exists() and probe != probe.parent:
        probe = probe.parent
    return probe.is_dir() and os.access(probe, os.W_OK)
