"""The command programmer: the prompt goes to a command of the user's, which leaves or prints a program."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import stat
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from scrapewright.loop.ports import BadReply, Brief, Draft, ProgrammerUnavailable, Report
from scrapewright.loop.tasks import acquired_in_thread
from scrapewright.options import agent_command
from scrapewright.programmers.command.process import Ended, run
from scrapewright.programmers.model import texts
from scrapewright.programmers.model.completion import Prompt
from scrapewright.programmers.model.draft import to_draft
from scrapewright.programmers.model.prompt import messages
from scrapewright.programmers.model.reply import Reply, in_fences, read_reply
from scrapewright.programmers.without_questions import PromptReader
from scrapewright.session.events import CodeStreamed
from scrapewright.session.exit_codes import ExitCode
from scrapewright.session.result import PROGRAM_AT_MOST, PROGRAM_NAME, Author
from scrapewright.session.sanitize import one_line
from scrapewright.settings import Settings

_PLACEHOLDER = "{prompt_file}"
_PROMPT_NAME = "prompt.md"
_NAMED = 3
"""Files that are named of those that a command left."""
_SAID_AT_MOST = 200
_HAND_OVER = f"""\
In place of the ```python block you may leave the program as {PROGRAM_NAME} in your working directory, an empty folder
of your own: it counts before what you print. You need not run it: it is run for you, in a sandbox with what is named
above and nothing else, and you get a report of the run."""


class CommandProgrammer(PromptReader):
    """Implements loop.ports.Programmer for any command that takes a prompt, from a file or from its input."""

    def __init__(self, settings: Settings, argv: list[str] | None = None) -> None:
        """`argv` in place of what the settings name. Raises UsageError where there is no such command, or a file of
        prompt texts can't be used."""
        self._argv = argv or agent_command(settings)
        self._name = Path(self._argv[0]).name
        self._seconds = settings.agent_time_limit
        self._conventions = texts.conventions(settings.conventions)
        self._texts = texts.load("program", settings.prompts_dir)
        self._withheld = sorted(settings.secret_names & os.environ.keys())

    @property
    def author(self) -> Author:
        return "command"

    async def write(self, brief: Brief, report: Report) -> Draft:
        """A first program or a repaired one. Cancelled, it kills the command with all that it started.

        Raises ProgrammerUnavailable where the command fails or takes too long, BadReply where it gives no program.
        """
        prompt = await asyncio.to_thread(self._prompt, brief)
        async with acquired_in_thread(_new_folder, TemporaryDirectory.cleanup) as opened:
            folder = Path(opened.name)
            ended = await self._run(folder, prompt)
            reply = await asyncio.to_thread(self._reply, folder, ended.stdout)
        report(CodeStreamed(attempt=brief.attempt, text=reply.program))
        return to_draft(reply, brief, author="command", model=self._name, prompt=Prompt("", prompt).stored)

    def _prompt(self, brief: Brief) -> str:
        parts = [message["content"] for message in messages(brief, "text", self._texts, self._conventions)]
        return "\n\n".join([*parts, _HAND_OVER, ""])

    async def _run(self, folder: Path, prompt: str) -> Ended:
        """Raises ProgrammerUnavailable where it does not end well."""
        argv, given = self._argv, prompt
        if any(_PLACEHOLDER in word for word in argv):
            file = folder / _PROMPT_NAME
            await asyncio.to_thread(file.write_text, prompt, "utf-8", "replace")
            argv, given = [word.replace(_PLACEHOLDER, str(file)) for word in argv], ""
        environment = {name: value for name, value in os.environ.items() if name not in self._withheld}
        try:
            ended = await run(
                argv, folder=folder, environment={**environment, "NO_COLOR": "1"}, stdin=given, seconds=self._seconds
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            message = f"the command {self._name} can't be started: {reason}"
            raise ProgrammerUnavailable(
                message, "correct AGENT_CMD, or agent in config.toml", ExitCode.USAGE
            ) from error
        if ended.code is None:
            message = f"the command {self._name} was not done after {self._seconds:g} s, and was killed"
            raise ProgrammerUnavailable(message, "raise agent_time_limit, or see by hand what it waits for")
        if ended.code:
            raise self._failed(ended)
        return ended

    def _failed(self, ended: Ended) -> ProgrammerUnavailable:
        code = ended.code or 0
        how = f"ended with exit code {code}" if code > 0 else f"was killed by signal {-code}"
        said = next(
            (line for line in reversed((ended.stderr.strip() or ended.stdout).splitlines()) if line.strip()), ""
        )
        advice = "run it by hand to see why"
        if self._withheld:
            advice += f"; it is not given the keys that scrapewright uses ({', '.join(self._withheld)})"
        message = f"the command {self._name} {how}{f': {one_line(said, _SAID_AT_MOST)}' if said else ''}"
        missing = code in {126, 127}  # of a shell: what it was to start can't be, or is not there
        return ProgrammerUnavailable(message, advice, ExitCode.USAGE if missing else ExitCode.RETRY_LATER)

    def _reply(self, folder: Path, printed: str) -> Reply:
        """The program that was left, else the last one that was printed. Raises BadReply."""
        program = self._left(folder)
        if program is not None:
            return dataclasses.replace(in_fences(printed), program=program)
        try:
            return read_reply(printed, last=True)
        except BadReply as error:
            message = f"the command {self._name} left no {PROGRAM_NAME} and printed no ```python block"
            names: list[str] = []
            with suppress(OSError):  # it may have removed its folder
                names = sorted(path.name for path in folder.iterdir() if path.name != _PROMPT_NAME)
            if names:
                more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
                message += f"; it left {one_line(', '.join(names[:_NAMED]), _SAID_AT_MOST)}{more}"
            if printed.strip():
                message += f"; it printed: {one_line(' '.join(printed.split()), _SAID_AT_MOST)}"
            raise BadReply(message) from error

    def _left(self, folder: Path) -> str | None:
        """The text of the file, None where there is none. Raises BadReply where it is no program's: what was left may
        be anything, and no link in it is followed."""
        try:
            with open(folder / PROGRAM_NAME, "rb", opener=_open_no_link) as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise BadReply(f"what {self._name} left as {PROGRAM_NAME} is no file")
                data = file.read(PROGRAM_AT_MOST + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BadReply(f"the {PROGRAM_NAME} that {self._name} left can't be read: {error.strerror}") from error
        if len(data) > PROGRAM_AT_MOST:
            raise BadReply(f"the {PROGRAM_NAME} that {self._name} left is larger than {PROGRAM_AT_MOST >> 20} MB")
        try:
            program = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise BadReply(f"the {PROGRAM_NAME} that {self._name} left is no UTF-8 text") from error
        if not program.strip():
            raise BadReply(f"the {PROGRAM_NAME} that {self._name} left is empty")
        return program


def _open_no_link(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _new_folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="scrapewright-agent-", ignore_cleanup_errors=True)
