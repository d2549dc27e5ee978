"""One endpoint that speaks OpenAI's chat protocol: streaming, the ladder of reply formats, errors in plain words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, cast

import msgspec

from scrapewright.loop.ports import BadReply, ProgrammerUnavailable
from scrapewright.programmers.model.reply import SCHEMA
from scrapewright.settings import Model

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Rung = Literal["json_schema", "json_object", "text"]
LADDER: tuple[Rung, ...] = ("json_schema", "json_object", "text")
DEFAULT_MODEL = "gpt-5-mini"

_rungs: dict[tuple[str, str], Rung] = {}
"""What each (endpoint, model) is known to take, for this process."""


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


class Endpoint:
    """Sends messages and streams the reply. One request at a time."""

    def __init__(self, settings: Model) -> None:
        self._settings = settings
        self._client: AsyncOpenAI | None = None
        self.model = (settings.azure_deployment if settings.azure else "") or settings.name or DEFAULT_MODEL
        self._key = (settings.azure_endpoint if settings.azure else settings.base_url, self.model)

    @property
    def rung(self) -> Rung:
        return _rungs.get(self._key, LADDER[0])

    def step_down(self) -> bool:
        """Asks for a looser format from now on; False at the foot of the ladder."""
        place = LADDER.index(self.rung)
        if place + 1 >= len(LADDER):
            return False
        _rungs[self._key] = LADDER[place + 1]
        return True

    async def complete(self, messages: list[dict[str, str]], on_text: Callable[[str], None]) -> Completion:
        """Streams a reply, stepping down the ladder while the endpoint refuses the format.

        Raises ProgrammerUnavailable where it can't be reached, refuses the key or is out of quota, and BadReply where
        it refuses this very request.
        """
        import openai

        try:
            while True:
                try:
                    return await self._stream(messages, on_text)
                except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                    if _about_format(str(error)) and self.step_down():
                        continue
                    raise BadReply(f"{self._where} refused the request: {_short(error)}") from error
        except openai.APIConnectionError as error:
            cause = error.__cause__ or error
            raise ProgrammerUnavailable(f"{self._where} can't be reached: {_short(cause)}") from error
        except openai.AuthenticationError as error:
            raise ProgrammerUnavailable(f"{self._where} refused the key; check OPENAI_API_KEY") from error
        except openai.PermissionDeniedError as error:
            raise ProgrammerUnavailable(f"{self._where} does not allow it: {_short(error)}") from error
        except openai.NotFoundError as error:
            raise ProgrammerUnavailable(
                f"{self._where} has no model {self.model!r}, or the address is not that of the API: {_short(error)}"
            ) from error
        except openai.RateLimitError as error:
            raise ProgrammerUnavailable(f"{self._where}: out of quota or too many requests: {_short(error)}") from error
        except openai.APIStatusError as error:
            raise ProgrammerUnavailable(f"{self._where} failed ({error.status_code}): {_short(error)}") from error
        except openai.APIError as error:  # an error in mid-stream
            raise BadReply(f"{self._where} broke off: {_short(error)}") from error

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None

    @property
    def _where(self) -> str:
        return self._key[0] or "OpenAI"

    def _open(self) -> AsyncOpenAI:
        if self._client is None:
            import openai

            s = self._settings
            if s.azure:
                self._client = openai.AsyncAzureOpenAI(
                    api_key=s.azure_api_key.reveal(),
                    azure_endpoint=s.azure_endpoint,
                    api_version=s.azure_api_version or "2025-04-01-preview",
                    timeout=s.timeout,
                    max_retries=2,
                )
            else:
                self._client = openai.AsyncOpenAI(
                    api_key=s.api_key.reveal() or "none",
                    base_url=s.base_url or None,
                    timeout=s.timeout,
                    max_retries=2,
                )
        return self._client

    async def _stream(self, messages: list[dict[str, str]], on_text: Callable[[str], None]) -> Completion:
        client = self._open()
        request: dict[str, Any] = {"model": self.model, "messages": messages, "stream": True}
        if self.rung == "json_schema":
            request["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "scraper", "strict": True, "schema": SCHEMA},
            }
        elif self.rung == "json_object":
            request["response_format"] = {"type": "json_object"}
        if not self._settings.base_url:
            request["stream_options"] = {"include_usage": True}
        stream = cast(Any, await client.chat.completions.create(**request))
        parts: list[str] = []
        refusal: list[str] = []
        finish, usage = "", None
        async with stream:
            async for chunk in stream:
                usage = getattr(chunk, "usage", None) or usage
                for choice in chunk.choices[:1]:
                    finish = choice.finish_reason or finish
                    if choice.delta is None:
                        continue
                    if text := choice.delta.content or "":
                        parts.append(text)
                        on_text(text)
                    refusal.append(getattr(choice.delta, "refusal", None) or "")
        whole = "".join(parts)
        return Completion(
            text=whole,
            finish=finish or "stop",
            refusal="".join(refusal),
            input_tokens=usage.prompt_tokens if usage else sum(len(m["content"]) for m in messages) // 4,
            output_tokens=usage.completion_tokens if usage else len(whole) // 4,
        )


def _about_format(message: str) -> bool:
    text = message.lower()
    return any(
        word in text for word in ("response_format", "json_schema", "json_object", "schema", "grammar", "format")
    )


def _short(error: object) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__
