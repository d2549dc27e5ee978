"""The options of commands that several of them take."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrapewright.dispatch import fail

if TYPE_CHECKING:
    from scrapewright.settings import Web


def _given(context: typer.Context, option: typer.CallbackParam, value: str | None) -> str | None:
    """Refuses an empty text, such as an unset variable of the shell gives: taken for an option that is left out it
    would have a site dialled directly, or rows added a second time.
    """
    if value == "" and not context.resilient_parsing:  # which a shell's completion asks for
        fail(f"{option.opts[0]}: it is empty; leave the option out if that is meant")
    return value


def _choices(setting: str) -> Callable[[], list[str]]:
    """What a shell's completion offers for a setting, with what installed packages add."""

    def offered() -> list[str]:
        from scrapewright.plugins import choices
        from scrapewright.settings import CHOICES

        return list(choices(setting, "", CHOICES[setting]))

    return offered


Attempts = Annotated[
    int | None,
    typer.Option("--attempts", "--max-iters", min=1, metavar="N", help="Programs to try, all counted (default 4)."),
]
ProgrammerName = Annotated[
    str | None,
    typer.Option(
        "--programmer", metavar="NAME", autocompletion=_choices("programmer"),
        help="auto, rules, model or command (your own agent, AGENT_CMD).",
    ),
]  # fmt: skip
Simulate = Annotated[
    str | None, typer.Option("--simulate", hidden=True, help="A stand-in for an agent: good, bad or stuck.")
]
ModelName = Annotated[
    str | None, typer.Option("--model", metavar="NAME", help="Who writes: a [models.NAME] table, or PROVIDER/MODEL.")
]
SandboxName = Annotated[
    str | None,
    typer.Option(
        "--sandbox", metavar="NAME", autocompletion=_choices("sandbox"),
        help="auto, docker, local, bwrap or namespaces.",
    ),
]  # fmt: skip
ModeName = Annotated[
    str | None,
    typer.Option("--mode", metavar="MODE", autocompletion=_choices("mode"), help="auto, approve or step."),
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="DIR|FILE",
        help="A folder, or a file for the rows (.csv, .xlsx, .sqlite …); nothing is overwritten.",
    ),
]
TapeMode = Annotated[
    str | None,
    typer.Option("--tape", metavar="MODE", autocompletion=_choices("tape"), help="reuse, live or only (offline)."),
]
RenderMode = Annotated[
    str | None,
    typer.Option(
        "--render", metavar="WHEN", autocompletion=_choices("render"),
        help="Draw pages in a browser: auto (where they need it), always or never.",
    ),
]  # fmt: skip
Pages = Annotated[int | None, typer.Option("--pages", min=1, metavar="N", help="Pages to read at most.")]
Allow = Annotated[
    list[str] | None,
    typer.Option("--allow", metavar="HOST", help="Another host that programs may reach; repeatable."),
]
TimeLimit = Annotated[
    float | None, typer.Option("--time-limit", min=0.1, metavar="SECONDS", help="For each run (default 60).")
]
Tokens = Annotated[int | None, typer.Option("--tokens", min=1, metavar="N", help="Tokens to spend at most.")]
MaxCost = Annotated[
    float | None, typer.Option("--max-cost", min=0.0, metavar="DOLLARS", help="Dollars to spend on models at most.")
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Ask models anew where a reply to the same is kept.")]
CassetteFile = Annotated[
    Path | None, typer.Option("--cassette", metavar="FILE", help="Play recorded replies in place of a model's.")
]
IgnoreRobots = Annotated[bool, typer.Option("--ignore-robots", help="Fetch what robots.txt forbids.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]
Ask = Annotated[
    str | None,
    typer.Option(
        "--ask", metavar="json", help="Questions and answers as JSON lines, events on stdout and answers on stdin."
    ),
]
Set = Annotated[
    list[str] | None, typer.Option("--set", metavar="COLUMN=SELECTOR", help="Where a column is; repeatable.")
]
Example = Annotated[
    list[str] | None,
    typer.Option("--example", metavar="COLUMN=VALUE", help="A column's value as the page shows it; repeatable."),
]
ReadingFile = Annotated[
    Path | None,
    typer.Option("--reading", metavar="FILE", help="How the query is to be read, as JSON; see schema reading."),
]
Headers = Annotated[
    list[str] | None,
    typer.Option("--header", metavar="'NAME: VALUE'", help="Sent to the sites that the query names; repeatable."),
]
Cookies = Annotated[
    Path | None, typer.Option("--cookies", metavar="FILE", help="A browser's cookies: cookies.txt, or exported JSON.")
]
Proxy = Annotated[
    str | None,
    typer.Option(
        "--proxy",
        metavar="URL",
        callback=_given,
        help="http://, socks5:// or socks5h://; env: what HTTP_PROXY and so on name.",
    ),
]
Auth = Annotated[
    list[str] | None,
    typer.Option(
        "--auth", metavar="HOST=SCHEME:NAME",
        help="A login for a host: basic or bearer, and the variable that holds it; repeatable.",
    ),
]  # fmt: skip
Append = Annotated[bool, typer.Option("--append", help="Add the rows to the file of --out FILE.sqlite or .duckdb.")]
Key = Annotated[
    str | None,
    typer.Option("--key", metavar="COLUMN", callback=_given, help="With --append: replace rows of the same value."),
]
NoReview = Annotated[bool, typer.Option("--no-review", help="Ask no model whether the rows are right.")]
From = Annotated[
    Path | None, typer.Option("--from", metavar="FILE", help="Start from this program: run it, then repair it.")
]


def web_of(headers: list[str] | None, auth: list[str] | None, cookies: Path | None, proxy: str | None) -> Web:
    """What the options say of what is sent to sites."""
    from scrapewright.settings import Secret, Web

    given = tuple(Secret(text) for text in headers or ())
    return Web(given, tuple(auth or ()), str(cookies or ""), Secret(proxy or ""))


def examples(*lines: str) -> str:
    """The end of a command's help. The parser joins lines into paragraphs but for those after a \\b."""
    return "\n".join(["\b", "Example:", *(f"  scrapewright {line}" for line in lines)])
