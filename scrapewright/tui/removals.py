"""Sessions that were removed on Home: until the program ends each can be had back."""

from __future__ import annotations

from pathlib import Path


class Removals:
    """Newest last. A program that is killed has removed none of them."""

    def __init__(self, folder: Path) -> None:
        """`folder` holds the stored sessions."""
        self._folder = folder
        self._taken: list[str] = []

    def __contains__(self, session: str) -> bool:
        return session in self._taken

    def __bool__(self) -> bool:
        return bool(self._taken)

    def take(self, session: str) -> None:
        """Blocks. Raises NoSuchSession, SessionBusy where another process has it, OSError."""
        from scrapewright.store.sessions import SessionStore

        with SessionStore(self._folder) as store:
            store.own(store.find(session)).release()
        self._taken.append(session)

    def undo(self) -> str:
        """Has the last one back. Returns its id, empty where there is none."""
        return self._taken.pop() if self._taken else ""

    def finish(self) -> list[str]:
        """Really removes them. Blocks. Returns why for each that could not be."""
        if not self._taken:
            return []
        from scrapewright.store.sessions import NoSuchSession, SessionBusy, SessionStore

        wrong: list[str] = []
        try:
            with SessionStore(self._folder) as store:
                for session in self._taken:
                    try:
                        store.remove(session)
                    except (NoSuchSession, SessionBusy, OSError) as error:
                        wrong.append(f"session {session} was not removed: {error}")
        except OSError as error:
            wrong.append(f"removed sessions are still there: {error}")
        self._taken.clear()
        return wrong
