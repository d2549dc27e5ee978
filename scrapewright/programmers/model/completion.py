"""What a model is asked and what comes back, whatever protocol lies between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

import msgspec

from scrapewright.programmers.model.accepted import Accepted
from scrapewright.session.sanitize import to_json

Finish = Literal["stop", "length", "content_filter", "tool_calls"]


class Prompt(msgspec.Struct, frozen=True):
    """A system message, a user message, and the JSON schema that the reply is to follow, None for plain text."""

    system: str
    user: str
    schema: dict[str, Any] | None = None

    @property
    def tokens(self) -> int:
        """An estimate: four characters each."""
        return (len(self.system) + len(self.user)) // 4

    @property
    def stored(self) -> str:
        """As it is kept: a JSON object of `system`, `user` and `schema`."""
        return to_json(self).decode()


class Completion(msgspec.Struct, frozen=True):
    """A whole reply. `tokens` is what the endpoint counted, or an estimate where it does not count."""

    text: str
    finish: str
    refusal: str = ""
    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


class BrokenOff(Exception):
    """The endpoint ended its reply with an error."""


class Heard:
    """Gathers a reply from its pieces. Reasoning is counted where the endpoint does not count, and not kept."""

    def __init__(self, on_text: Callable[[str], None]) -> None:
        self._on_text = on_text
        self._text: list[str] = []
        self._refusal: list[str] = []
        self._reasoned = 0
        self.finish: Finish = "stop"
        self.input_tokens: int | None = None
        self.output_tokens: int | None = None

    def text(self, piece: str | None) -> None:
        if piece:
            self._text.append(piece)
            self._on_text(piece)

    def refusal(self, piece: str | None) -> None:
        self._refusal.append(piece or "")

    def reasoning(self, piece: object) -> None:
        if isinstance(piece, str):
            self._reasoned += len(piece)

    def completion(self, asked: int) -> Completion:
        """`asked` is the estimate of the prompt's tokens."""
        text = "".join(self._text)
        return Completion(
            text=text,
            finish=self.finish,
            refusal="".join(self._refusal),
            input_tokens=asked if self.input_tokens is None else self.input_tokens,
            output_tokens=(len(text) + self._reasoned) // 4 if self.output_tokens is None else self.output_tokens,
        )


class Dialect(Protocol):
    """One protocol. `sdk` is the package that speaks it; the errors of all such packages have the same names."""

    @property
    def sdk(self) -> Any: ...

    def parameters(self, prompt: Prompt, accepted: Accepted) -> dict[str, Any]:
        """The body of a request."""
        ...

    async def send(self, parameters: dict[str, Any]) -> Any:
        """The package's stream of events. Raises the package's errors."""
        ...

    def hear(self, event: Any, heard: Heard) -> None:
        """Takes in an event of a stream. Raises BrokenOff, ValueError for what is none."""
        ...

    def hear_whole(self, body: bytes, heard: Heard) -> None:
        """Takes in the body of a server that does not stream. Raises BrokenOff, ValueError for what is no reply."""
        ...

    async def close(self) -> None: ...
