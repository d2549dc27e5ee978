"""The commands that serve: tools for agents, and the workbench in browsers."""

from __future__ import annotations

from typing import Annotated

import typer

from scrapewright.cli_options import examples


def register(app: typer.Typer) -> None:
    """Adds them to the application."""
    app.command(epilog=examples("mcp"))(mcp)
    app.command(epilog=examples("serve", "serve --port 8100"))(serve)


def mcp() -> None:
    """Serve tools for agents (MCP) on stdin and stdout."""
    from scrapewright.commands import serve_mcp

    raise SystemExit(serve_mcp())


def serve(
    query: Annotated[list[str] | None, typer.Argument(metavar="QUERY", help="A query that is filled in.")] = None,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen. Other than 127.0.0.1, other machines reach it.")
    ] = ("127.0.0.1"),
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="N", help="0: one that is free.")] = 8000,
) -> None:
    """Serve the workbench to browsers. Prints the address, whose token is needed."""
    from scrapewright.commands import serve_workbench

    words = ["--", " ".join(query)] if query else []
    raise SystemExit(serve_workbench(words, host=host, port=port))
