"""Past sessions on a plain terminal."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TextIO

import msgspec

from scrapewright.exports.deliver import write_new
from scrapewright.exports.script import script
from scrapewright.headless.narrate import Narrator
from scrapewright.headless.output import for_stream
from scrapewright.headless.run import event_line
from scrapewright.session import cassette
from scrapewright.session.journal import get_text
from scrapewright.session.result import PROGRAM_NAME
from scrapewright.session.sanitize import one_line
from scrapewright.session.state import replay
from scrapewright.store.sessions import SessionFile, SessionStore, Summary


def show_list(store: SessionStore, out: TextIO, *, as_json: bool) -> None:
    """A line a session, newest first."""
    rows = store.list()
    if as_json:
        whole = [{name: getattr(row, name) for name in Summary.__struct_fields__} for row in rows]  # empty values too
        print(for_stream(msgspec.json.format(msgspec.json.encode(whole), indent=1).decode(), out), file=out)
        return
    for row in rows:
        print(_line(row), file=out)
    if not rows:
        print("no sessions yet; `scrapewright demo` makes one", file=out)


def _line(row: Summary) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.started_at))
    outcome = row.outcome or ("open now" if row.open else "not ended")
    return f"{row.id}  {when}  {outcome:12} {row.attempts:2} attempts {row.rows:5} rows  {one_line(row.text, 90)}"


def show_one(file: SessionFile, out: TextIO, *, as_json: bool) -> None:
    """Narrates a session from its stored events. Raises DamagedSession after those that could be read."""
    narrator = Narrator(file)
    for event in file.iter_events():
        if as_json:
            print(for_stream(event_line(event, file), out), file=out)
        else:
            for line in narrator.tell(event):
                print(line, file=out)


def show_prompt(file: SessionFile, attempt: int | None, out: TextIO, *, review: bool, as_json: bool) -> None:
    """What a model was asked for an attempt's program, or with `review` for the review of its rows; of the last attempt
    that has such a prompt where none is named. Raises LookupError where there is none, DamagedSession.
    """
    session = replay(file.events())
    if review:
        prompts = {event.attempt: event.prompt for event in session.reviews.values() if event.prompt}
    else:
        prompts = {a.id: a.prompt for a in session.attempts.values() if a.prompt}
    number = max(prompts, default=0) if attempt is None else attempt
    if number not in prompts:
        what = "a review" if review else "a program"
        of = f"attempt {number} of session {session.id}" if number else f"session {session.id}"
        known = f"; there are prompts of {', '.join(map(str, sorted(prompts)))}" if prompts else ""
        raise LookupError(f"no model was asked for {what} in {of}{known}")
    text = get_text(file, prompts[number])
    if not as_json:
        sent = msgspec.json.decode(text)
        text = f"system:\n\n{sent['system']}\n\nuser:\n\n{sent['user']}"
    print(for_stream(text, out), file=out)


def export_script(file: SessionFile, path: Path | None) -> str:
    """The session's best program, written to a new file at `path` or in that folder: where it is then. Without a path
    the program itself. Raises LookupError where there is none, OSError, DamagedSession."""
    text = script(replay(file.events()), file)
    if path is None:
        return text
    return str(write_new(path / PROGRAM_NAME if path.is_dir() else path, text.encode("utf-8", "replace")))


def record_cassette(file: SessionFile, path: Path) -> str:
    """The session's replies of models, written to a new file: where it is then. Raises LookupError where there are
    none, OSError, DamagedSession."""
    return str(write_new(path, cassette.encode(cassette.of_session(file.events(), file))))
