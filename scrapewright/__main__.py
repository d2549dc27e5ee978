"""`python -m scrapewright`, and the console script. The version is told before anything is imported."""

from __future__ import annotations

import sys


def main() -> None:
    """Exits with one of the documented codes."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from scrapewright import __version__

        print(f"scrapewright {__version__}")
        return
    try:
        from scrapewright.dispatch import is_plain, open_plain

        if is_plain(sys.argv[1:]):
            raise SystemExit(open_plain(sys.argv[1:]))
        from scrapewright.cli import main as door

        door()
    except KeyboardInterrupt:
        from scrapewright.session.exit_codes import ExitCode

        raise SystemExit(ExitCode.INTERRUPTED) from None


if __name__ == "__main__":
    main()
