"""One endpoint that speaks OpenAI's chat protocol: streaming, fallback of reply formats, errors in plain words."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, cast

import msgspec

from scrapewright.loop.ports import BadReply, ProgrammerUnavailable
from scrapewright.session.exit_codes import ExitCode
from scrapewright.settings import CONFIG, Model

if TYPE_CHECKING:
    from openai import AsyncOpenAI

ReplyFormat = Literal["json_schema", "json_object", "text"]
REPLY_FORMATS: tuple[ReplyFormat, ...] = ("json_schema", "json_object", "text")
DEFAULT_MODEL = "gpt-5-mini"
_ANOTHER_MODEL = "try another model (OPENAI_MODEL), or --programmer rules"

_rungs: dict[tuple[str, str], ReplyFormat] = {}
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
    def reply_format(self) -> ReplyFormat:
        return _rungs.get(self._key, REPLY_FORMATS[0])

    def loosen_format(self) -> bool:
        """Asks for the next looser reply format from now on; False where there is none."""
        place = REPLY_FORMATS.index(self.reply_format)
        if place + 1 >= len(REPLY_FORMATS):
            return False
        _rungs[self._key] = REPLY_FORMATS[place + 1]
        return True

    async def complete(
        self, messages: list[dict[str, str]], schema: dict[str, Any], on_text: Callable[[str], None]
    ) -> Completion:
        """Streams a reply of that JSON schema, or in a looser format where the endpoint refuses one.

        Raises ProgrammerUnavailable where it can't be reached, refuses the key or the request or is out of quota, and
        BadReply where what came is no whole reply.
        """
        import openai

        where = self._where
        try:
            while True:
                try:
                    return await self._ask(messages, schema, on_text)
                except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                    if _about_format(str(error)) and self.loosen_format():
                        continue
                    refused = f"{where} refused the request: {_short(error)}"
                    raise ProgrammerUnavailable(refused, _ANOTHER_MODEL, ExitCode.UNREPAIRED) from error
        except openai.APITimeoutError as error:
            message = f"{where} sent nothing for {self._settings.timeout:g} s"
            raise ProgrammerUnavailable(message, f"try again later, or raise timeout in [model] of {CONFIG}") from error
        except openai.APIConnectionError as error:
            raise ProgrammerUnavailable(f"{where} can't be reached: {_short(error.__cause__ or error)}") from error
        except openai.AuthenticationError as error:
            raise ProgrammerUnavailable(
                f"{where} refused the key", f"check {self._key_name}", ExitCode.USAGE
            ) from error
        except openai.PermissionDeniedError as error:
            message = f"{where} does not allow it: {_short(error)}"
            raise ProgrammerUnavailable(
                message, f"check what {self._key_name} may be used for", ExitCode.USAGE
            ) from error
        except openai.NotFoundError as error:
            message = f"{where} has no model {self.model!r}, or the address is not that of the API: {_short(error)}"
            raise ProgrammerUnavailable(message, self._check_address, ExitCode.USAGE) from error
        except openai.RateLimitError as error:
            raise ProgrammerUnavailable(f"{where}: out of quota or too many requests: {_short(error)}") from error
        except openai.APIStatusError as error:
            raise ProgrammerUnavailable(f"{where} failed ({error.status_code}): {_short(error)}") from error
        except UnicodeEncodeError as error:
            message = f"{self._key_name} holds characters that no key has"
            raise ProgrammerUnavailable(message, f"check {self._key_name}", ExitCode.USAGE) from error

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None

    @property
    def _where(self) -> str:
        return self._key[0] or "OpenAI"

    @property
    def _key_name(self) -> str:
        return "AZURE_OPENAI_API_KEY" if self._settings.azure else "OPENAI_API_KEY"

    @property
    def _check_address(self) -> str:
        if self._settings.azure:
            return "check AZURE_OPENAI_DEPLOYMENT, and that AZURE_OPENAI_ENDPOINT is the address of the resource"
        return "check OPENAI_MODEL, and that OPENAI_BASE_URL is the address of the API (most end in /v1)"

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

    async def _ask(
        self, messages: list[dict[str, str]], schema: dict[str, Any], on_text: Callable[[str], None]
    ) -> Completion:
        """Raises what the client raises before an answer comes, ProgrammerUnavailable, and BadReply after that."""
        import openai

        client = self._open()
        request: dict[str, Any] = {"model": self.model, "messages": messages, "stream": True}
        if self.reply_format == "json_schema":
            request["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "scraper", "strict": True, "schema": schema},
            }
        elif self.reply_format == "json_object":
            request["response_format"] = {"type": "json_object"}
        if not self._settings.base_url:
            request["stream_options"] = {"include_usage": True}
        asked = sum(len(m["content"]) for m in messages) // 4
        stream = cast(Any, await client.chat.completions.create(**request))
        async with stream:
            kind = stream.response.headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind == "text/html":
                message = f"{self._where} answers with a web page"
                raise ProgrammerUnavailable(message, self._check_address, ExitCode.USAGE)
            try:
                if kind == "application/json":  # a server that does not stream
                    return _whole(await stream.response.aread(), asked, on_text)
                return await _streamed(stream, asked, on_text)
            except openai.APITimeoutError:
                raise
            except openai.APIError as error:
                raise BadReply(f"{self._where} broke off: {_short(error.__cause__ or error)}") from error
            except ValueError as error:
                raise BadReply(f"{self._where} sent what is no reply of a model: {_short(error)}") from error


async def _streamed(stream: Any, asked: int, on_text: Callable[[str], None]) -> Completion:
    """Raises what the client raises, ValueError where a piece can't be read."""
    parts: list[str] = []
    refusal: list[str] = []
    finish, usage = "", None
    async for chunk in stream:
        usage = getattr(chunk, "usage", None) or usage
        for choice in (chunk.choices or ())[:1]:
            finish = choice.finish_reason or finish
            if choice.delta is None:
                continue
            if text := choice.delta.content or "":
                parts.append(text)
                on_text(text)
            refusal.append(getattr(choice.delta, "refusal", None) or "")
    return _completion("".join(parts), finish, "".join(refusal), usage, asked)


def _whole(body: bytes, asked: int, on_text: Callable[[str], None]) -> Completion:
    """Raises ValueError for anything but a completion."""
    from openai.types.chat import ChatCompletion

    try:
        reply = ChatCompletion.model_validate_json(body)
    except ValueError as error:
        raise ValueError(body[:300].decode("utf-8", "replace")) from error
    if not reply.choices:
        return _completion("", "", "", reply.usage, asked)
    choice = reply.choices[0]
    text = choice.message.content or ""
    on_text(text)
    return _completion(text, choice.finish_reason, choice.message.refusal or "", reply.usage, asked)


def _completion(text: str, finish: str, refusal: str, usage: Any, asked: int) -> Completion:
    """`asked` is the estimate of the request's tokens."""
    return Completion(
        text=text,
        finish=finish or "stop",
        refusal=refusal,
        input_tokens=usage.prompt_tokens if usage else asked,
        output_tokens=usage.completion_tokens if usage else len(text) // 4,
    )


def _about_format(message: str) -> bool:
    text = message.lower()
    return any(
        word in text for word in ("response_format", "json_schema", "json_object", "schema", "grammar", "format")
    )


def _short(error: object) -> str:
    text = re.sub(r"^Error code: \d+ - ", "", " ".join(str(error).split()))  # what stands before it says that
    return text[:300] or type(error).__name__
