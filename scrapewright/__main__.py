"""`python -m scrapewright`, and the console script. `--version` is answered before anything else is imported."""

from __future__ import annotations

import sys


def main() -> None:
    """Exits with one of the documented codes."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from scrapewright import __version__

        print(f"scrapewright {__version__}")
        return
    try:
        from scrapewright.dispatch import is_query_at_terminal, open_query

        if is_query_at_terminal(sys.argv[1:]):
            raise SystemExit(open_query(sys.argv[1:]))
        from scrapewright import cli

        cli.main()
    except KeyboardInterrupt:
        from scrapewright.session.exit_codes import ExitCode

        raise SystemExit(ExitCode.INTERRUPTED) from None


if __name__ == "__main__":
    main()
