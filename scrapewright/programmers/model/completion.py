"""What a model is asked and what comes back, whatever protocol lies between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol, TypeVar

import msgspec

from scrapewright.loop.ports import BadReply, LeastCost
from scrapewright.programmers.model.accepted import Accepted, ReplyFormat
from scrapewright.session.sanitize import to_json, well_formed
from scrapewright.session.spending import Kept

T = TypeVar("T")
Finish = Literal["stop", "length", "content_filter", "tool_calls"]
TOKENS_AT_MOST = 10**9
"""Of a count that is believed."""
CHARACTERS_AT_MOST = 2_000_000
"""Of a reply with its reasoning: a server that repeats itself for ever is stopped there."""


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
    """A whole reply. `tokens` is what the endpoint counted, or an estimate where it does not count; none where the
    reply was `kept`, and the model not asked."""

    text: str
    finish: str
    refusal: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    kept: Kept = ""

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


class BrokenOff(Exception):
    """The endpoint ended its reply with an error, or the reply was stopped."""


class ReplyBuilder:
    """Gathers a reply from its pieces. Reasoning is counted where the endpoint does not count, and not kept."""

    def __init__(self, on_text: Callable[[str], None]) -> None:
        self._on_text = on_text
        self._text: list[str] = []
        self._refusal: list[str] = []
        self._written = self._reasoned = 0
        self.finish: Finish = "stop"
        self.ended = False
        """Whether the endpoint said that the reply is over."""
        self.input_tokens: object = None
        self.output_tokens: object = None

    @property
    def begun(self) -> bool:
        """Whether anything of a reply came."""
        return bool(self._written or self._reasoned)

    @property
    def cut(self) -> bool:
        """Whether it stops inside a fenced block, and nothing said that it is over: some servers never do."""
        return not self.ended and "".join(self._text).count("```") % 2 == 1

    def text(self, piece: str | None) -> None:
        if piece:
            if not isinstance(piece, str):
                raise ValueError(f"a text is {str(piece)[:100]!r}")
            self._text.append(piece)
            self._written += len(piece)
            self._on_text(piece)
            self._check_length()

    def refusal(self, piece: str | None) -> None:
        self._refusal.append(str(piece) if piece else "")
        self._written += len(self._refusal[-1])
        self._check_length()

    def reasoning(self, piece: object) -> None:
        if isinstance(piece, str):
            self._reasoned += len(piece)
            self._check_length()

    def _check_length(self) -> None:
        if self._written + self._reasoned > CHARACTERS_AT_MOST:
            raise BrokenOff(f"stopped after {CHARACTERS_AT_MOST:,} characters")

    def completion(self, asked: int) -> Completion:
        """`asked` is the estimate of the prompt's tokens."""
        text = well_formed("".join(self._text))
        return Completion(
            text=text,
            finish=self.finish,
            refusal="".join(self._refusal),
            input_tokens=_counted(self.input_tokens, asked),
            output_tokens=_counted(self.output_tokens, (len(text) + self._reasoned) // 4),
        )


def _counted(said: object, estimate: int) -> int:
    """What an endpoint counted, as far as that can be a count; else the estimate."""
    return said if type(said) is int and 0 <= said <= TOKENS_AT_MOST else estimate


class WithoutKey:
    """Passes a text on as it streams, with "…" in place of a key, however the pieces cut it."""

    def __init__(self, on_text: Callable[[str], None], key: str) -> None:
        self._on_text = on_text
        self._key = key
        self._held = ""

    def feed(self, piece: str) -> None:
        """Holds back what may be the key's beginning."""
        text = (self._held + piece).replace(self._key, "…")
        begun = (n for n in range(min(len(text), len(self._key) - 1), 0, -1) if text.endswith(self._key[:n]))
        passed = len(text) - next(begun, 0)
        self._held = text[passed:]
        if passed:
            self._on_text(text[:passed])

    def end(self) -> None:
        if self._held:
            self._on_text(self._held)
            self._held = ""


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

    def take_event(self, event: Any, builder: ReplyBuilder) -> None:
        """Takes in an event of a stream. Raises BrokenOff, ValueError for what is none."""
        ...

    def take_body(self, body: bytes, builder: ReplyBuilder) -> None:
        """Takes in the body of a server that does not stream. Raises BrokenOff, ValueError for what is no reply."""
        ...

    async def close(self) -> None: ...


class Model(Protocol):
    """What answers prompts."""

    @property
    def model(self) -> str:
        """The provider's name of it."""
        ...

    @property
    def reply_format(self) -> ReplyFormat: ...

    def loosen_format(self) -> bool:
        """Asks for the next looser reply format from now on; False where there is none."""
        ...

    def cost(self, done: Completion) -> float:
        """Dollars; 0.0 where a price is not known."""
        ...

    def holds(self, prompt: Prompt) -> bool:
        """Whether it takes a prompt of that length, as far as is known."""
        ...

    def least_cost(self, prompt: Prompt) -> LeastCost | None:
        """What asking takes before a word of the reply, without dollars where no price is known; None where it takes
        nothing. Blocks."""
        ...

    async def complete(self, prompt: Prompt, on_text: Callable[[str], None]) -> Completion:
        """A reply. Raises ProgrammerUnavailable, BadReply."""
        ...

    async def settle(self, prompt: Prompt, done: Completion, *, good: bool) -> None:
        """Says whether the reply to a prompt was of use, and so may be kept."""
        ...

    async def close(self) -> None: ...


async def answered(
    model: Model, prompt: Prompt, read: Callable[[Completion], T], on_text: Callable[[str], None]
) -> tuple[T, Completion]:
    """What `read` makes of a model's reply, and the reply. One that can't be read loosens the next reply format.

    Raises ProgrammerUnavailable, and BadReply with what was asked and answered and what it took.
    """
    done = Completion("", "")
    try:
        done = await model.complete(prompt, on_text)
        found = read(done)
    except BadReply as error:
        if done.text.strip() and done.finish == "stop":
            model.loosen_format()
        await model.settle(prompt, done, good=False)
        raise BadReply(
            str(error), error.tokens or done.tokens, error.cost or model.cost(done), model=model.model,
            prompt=prompt.stored, reply=done.text, kept=done.kept,
        ) from error  # fmt: skip
    finally:
        await model.close()
    await model.settle(prompt, done, good=True)
    return found, done
