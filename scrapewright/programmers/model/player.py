"""Plays the replies of a cassette in place of a model's."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scrapewright.loop.ports import LeastCost, ProgrammerUnavailable
from scrapewright.programmers.model.accepted import ReplyFormat
from scrapewright.programmers.model.completion import Completion, Prompt
from scrapewright.session.cassette import Cassette, rehomed
from scrapewright.session.exit_codes import ExitCode
from scrapewright.session.spending import Role, Spent


class Player:
    """Implements completion.Model: the replies to one role in turn, whatever the prompt. They take no tokens.

    `urls` are the addresses of the request: they take the place of those of the request that was recorded. `spent`:
    what was played of the session before.
    """

    def __init__(self, cassette: Cassette, role: Role, urls: Sequence[str] = (), spent: Sequence[Spent] = ()) -> None:
        self._cassette, self._urls, self._role = cassette, urls, role
        self._replies = [reply for reply in cassette.replies if reply.role == role]
        self._at = sum(one.replies for one in spent if one.role == role)

    @property
    def holds_any(self) -> bool:
        """Whether there is a reply to its role at all."""
        return bool(self._replies)

    @property
    def left(self) -> int:
        """Replies that have not been played."""
        return max(0, len(self._replies) - self._at)

    @property
    def model(self) -> str:
        """That of the reply played last, of the next one before the first."""
        return self._replies[min(max(0, self._at - 1), len(self._replies) - 1)].model if self._replies else ""

    @property
    def reply_format(self) -> ReplyFormat:
        return "json_schema"

    def loosen_format(self) -> bool:
        return False

    def cost(self, done: Completion) -> float:
        return 0.0

    def holds(self, prompt: Prompt) -> bool:
        return True

    def least_cost(self, prompt: Prompt) -> LeastCost | None:
        return None

    async def complete(self, prompt: Prompt, on_text: Callable[[str], None]) -> Completion:
        """Raises ProgrammerUnavailable behind the last reply."""
        if not self.left:
            raise ProgrammerUnavailable(
                f"the cassette holds {len(self._replies)} replies of the {self._role}, and another one is asked for",
                "play it against what it was recorded from, or record one of a longer session",
                ExitCode.UNREPAIRED,
            )
        text = rehomed(self._replies[self._at].text, self._cassette.urls, self._urls)
        self._at += 1
        on_text(text)
        return Completion(text, "stop", kept="cassette")

    async def settle(self, prompt: Prompt, done: Completion, *, good: bool) -> None:
        pass

    async def close(self) -> None:
        pass
