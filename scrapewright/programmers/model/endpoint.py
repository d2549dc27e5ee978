"""One model at one endpoint: streaming, what it refuses left out, errors in plain words."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import msgspec

from scrapewright.errors import UsageError
from scrapewright.extras import how_to_add
from scrapewright.loop.ports import BadReply, LeastCost, ProgrammerUnavailable
from scrapewright.programmers.model.accepted import Accepted, ReplyFormat, accepted_at_first, conceded, looser
from scrapewright.programmers.model.anthropic_messages import Messages
from scrapewright.programmers.model.chat import Chat
from scrapewright.programmers.model.completion import BrokenOff, Completion, Dialect, Prompt, ReplyBuilder, WithoutKey
from scrapewright.programmers.model.kept import KeptReplies
from scrapewright.programmers.model.reply import whole_reply
from scrapewright.programmers.model.responses import Responses
from scrapewright.session.exit_codes import ExitCode
from scrapewright.session.sanitize import to_json, well_formed
from scrapewright.settings import CONFIG, ModelSpec

_ANOTHER_MODEL = "try another model (--model), or --programmer rules"
_DIALECTS: dict[str, Callable[[ModelSpec], Dialect]] = {"chat": Chat, "responses": Responses, "messages": Messages}
_TRIAL = Prompt("You are being tested.", "Answer with the word: ready")
TRY_SECONDS = 30.0
TRY_TOKENS = 1_000
"""The most that a trial may take: a model that reasons says more than the word."""
REPLY_SECONDS = 3_600.0
"""The most that one reply may take: a small model on a slow machine may reason for half an hour."""
BODY_AT_MOST = 16_000_000
"""Bytes of a reply that does not stream."""
_KEY_AT_LEAST = 8
"""Characters of a key that is looked for in what an endpoint says: a shorter one ("none") is no secret."""

_accepted: dict[tuple[str, ...], Accepted] = {}
"""What each (address, model, API) is known to take, for this process."""


class Endpoint:
    """Sends prompts and streams the replies. One request at a time."""

    def __init__(self, spec: ModelSpec, replies: KeptReplies | None = None) -> None:
        """`replies`: those that are kept, None where none are. Raises UsageError where the package that it needs is not
        there."""
        self._spec = spec
        self._replies = replies
        self._at = (spec.provider, spec.base_url, spec.model, spec.api)
        self._dialect: Dialect | None = None
        self._protocol = ""
        if spec.api == "messages" and not find_spec("anthropic"):
            raise UsageError(
                f"the model {spec.name} is asked through the package anthropic, which is not installed: "
                f'{how_to_add("anthropic")} adds it, or api = "chat" for the endpoint that needs no package'
            )

    @property
    def model(self) -> str:
        return self._spec.model

    @property
    def accepted(self) -> Accepted:
        return _accepted.get(self._at) or accepted_at_first(self._spec)

    @property
    def reply_format(self) -> ReplyFormat:
        return self.accepted.format

    def loosen_format(self) -> bool:
        """Asks for the next looser reply format from now on; False where there is none."""
        return self._learn(looser(self.accepted))

    def _learn(self, accepted: Accepted | None) -> bool:
        if accepted is not None:
            _accepted[self._at] = accepted
        return accepted is not None

    def cost(self, done: Completion) -> float:
        """Dollars; 0.0 where a price is not known."""
        s = self._spec
        if s.input_price is None or s.output_price is None:
            return 0.0
        return (done.input_tokens * s.input_price + done.output_tokens * s.output_price) / 1e6

    def holds(self, prompt: Prompt) -> bool:
        return not self._spec.context or prompt.tokens + self._spec.max_output <= self._spec.context

    def least_cost(self, prompt: Prompt) -> LeastCost | None:
        if self._replies is not None and self._replies.find(self._spec, prompt):
            return None
        return LeastCost(self.model, prompt.tokens, prompt.tokens * (self._spec.input_price or 0.0) / 1e6)

    async def complete(self, prompt: Prompt, on_text: Callable[[str], None]) -> Completion:
        """Streams a reply of the prompt's schema, or in a looser format where the endpoint refuses one; one that is
        kept comes in one piece.

        Raises ProgrammerUnavailable where it can't be reached, refuses the key or the request or is out of quota, and
        BadReply where what came is no whole reply.
        """
        spec = self._spec
        if self._replies is not None and (kept := await asyncio.to_thread(self._replies.find, spec, prompt)):
            on_text(kept.text)
            return kept
        if not self.holds(prompt):
            raise ProgrammerUnavailable(
                f"the prompt has about {prompt.tokens:,} tokens, and {spec.name} takes {spec.context:,} with its reply",
                "raise context in its [models] table if it takes more; else try another model (--model)",
                ExitCode.UNREPAIRED,
            )
        if (key := spec.key.reveal()) and not (key.isascii() and key.isprintable()):  # an error would repeat it
            message = f"{self._key_name} holds characters that no key has"
            raise ProgrammerUnavailable(message, f"check {self._key_name}", ExitCode.USAGE)
        prompt = msgspec.structs.replace(prompt, system=well_formed(prompt.system), user=well_formed(prompt.user))
        written_for = self.reply_format
        try:
            while True:
                dialect = self._open()
                body = dialect.parameters(self._with_schema(prompt, written_for), self.accepted)
                try:
                    return await self._ask(dialect, body, prompt.tokens, on_text)
                except dialect.sdk.APIStatusError as error:
                    refused = error.status_code in {400, 404, 422}
                    sent = {**body, **body.get("extra_body", {})}
                    if not (refused and self._learn(conceded(self.accepted, str(error), sent))):
                        raise
        except dialect.sdk.APIError as error:
            raise self._explained(dialect.sdk, error) from error

    def _with_schema(self, prompt: Prompt, written_for: ReplyFormat) -> Prompt:
        """The prompt, with its schema in words where that was refused since the prompt was written."""
        if prompt.schema is None or written_for != "json_schema" or self.reply_format == written_for:
            return prompt
        said = f"The schema of the JSON object: {to_json(prompt.schema).decode()}"
        return msgspec.structs.replace(prompt, user=f"{prompt.user}\n\n{said}")

    async def settle(self, prompt: Prompt, done: Completion, *, good: bool) -> None:
        if self._replies is not None:
            await asyncio.to_thread(self._replies.settle, self._spec, prompt, done, good=good)

    async def close(self) -> None:
        if self._dialect is not None:
            await self._dialect.close()
            self._dialect = None

    def _open(self) -> Dialect:
        protocol = self.accepted.protocol
        if self._dialect is None or self._protocol != protocol:
            self._dialect, self._protocol = _DIALECTS[protocol](self._spec), protocol
        return self._dialect

    async def _ask(
        self, dialect: Dialect, body: dict[str, Any], asked: int, on_text: Callable[[str], None]
    ) -> Completion:
        """Raises what the package raises before an answer comes, ProgrammerUnavailable, and BadReply after that."""
        import httpx2

        key = self._spec.key.reveal()
        shown = WithoutKey(on_text, key) if len(key) >= _KEY_AT_LEAST else None
        builder = ReplyBuilder(shown.feed if shown is not None else on_text)
        stream = await dialect.send(body)
        async with stream:
            kind = stream.response.headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind == "text/html":
                message = f"{self._spec.place} answers with a web page"
                raise ProgrammerUnavailable(message, self._check_address, ExitCode.USAGE)
            try:
                async with asyncio.timeout(REPLY_SECONDS):
                    if kind == "application/json":  # a server that does not stream
                        content = bytearray()
                        async for piece in stream.response.aiter_bytes():
                            content += piece
                            if len(content) > BODY_AT_MOST:
                                raise BrokenOff(f"stopped after {BODY_AT_MOST:,} bytes")
                        dialect.take_body(bytes(content), builder)
                    else:
                        async for event in stream:
                            dialect.take_event(event, builder)
                        if builder.cut:
                            raise BrokenOff("its stream ended before the reply did")
            except dialect.sdk.APITimeoutError:
                raise
            except TimeoutError as error:
                message = f"{self._spec.place} was at its reply for {REPLY_SECONDS:,.0f} s, and was stopped"
                raise self._broken_off(message, builder.completion(asked)) from error
            except httpx2.TimeoutException as error:  # not each of the packages makes one of its own of it
                raise dialect.sdk.APITimeoutError(stream.response.request) from error
            except (dialect.sdk.APIError, httpx2.HTTPError, BrokenOff) as error:
                cut = isinstance(error, httpx2.HTTPError | dialect.sdk.APIConnectionError)
                if not (builder.begun or cut):  # an error in place of a reply
                    raise ProgrammerUnavailable(f"{self._spec.place} failed: {self._short(error)}") from error
                message = f"{self._spec.place} broke off: {self._short(error.__cause__ or error)}"
                raise self._broken_off(message, builder.completion(asked)) from error
            except (ValueError, TypeError, AttributeError) as error:  # the packages check little of what they read
                message = f"{self._spec.place} sent what is no reply of a model: {self._short(error)}"
                raise BadReply(message) from error
        if shown is not None:
            shown.end()
        done = builder.completion(asked)
        return msgspec.structs.replace(done, text=self._without_key(done.text), refusal=self._without_key(done.refusal))

    # What went wrong, in plain words.

    def _broken_off(self, message: str, so_far: Completion) -> BadReply:
        """What came so far is charged."""
        return BadReply(message, so_far.tokens, self.cost(so_far))

    def _explained(self, sdk: Any, error: Exception) -> ProgrammerUnavailable:
        where, said = self._spec.place, self._short(error)
        if isinstance(error, sdk.APITimeoutError):
            advice = f"try again later, or raise timeout of the model in {CONFIG}"
            return ProgrammerUnavailable(f"{where} sent nothing for {self._spec.timeout:g} s", advice)
        if isinstance(error, sdk.APIConnectionError):
            return ProgrammerUnavailable(f"{where} can't be reached: {self._short(error.__cause__ or error)}")
        status = getattr(error, "status_code", 0)
        if status == 401 or (status == 400 and "api key" in said.lower()):
            return ProgrammerUnavailable(f"{where} refused the key", f"check {self._key_name}", ExitCode.USAGE)
        if status == 403:
            advice = f"check what {self._key_name} may be used for"
            return ProgrammerUnavailable(f"{where} does not allow it: {said}", advice, ExitCode.USAGE)
        if status == 404:
            message = f"{where} has no model {self.model!r}, or the address is not that of the API: {said}"
            return ProgrammerUnavailable(message, self._check_address, ExitCode.USAGE)
        if status in {400, 422}:
            return ProgrammerUnavailable(f"{where} refused the request: {said}", _ANOTHER_MODEL, ExitCode.UNREPAIRED)
        if status in {402, 429}:
            message = f"{where}: out of quota or too many requests: {said}"
        else:
            message = f"{where} failed ({status}): {said}"
        return ProgrammerUnavailable(message, _try_again(error))

    @property
    def _key_name(self) -> str:
        of_provider = self._spec.name.startswith(f"{self._spec.provider}/")
        return self._spec.key_variable or (
            "the key" if of_provider else "the key: its [models] table names no variable"
        )

    @property
    def _check_address(self) -> str:
        spec, preset = self._spec, self._spec.preset
        if not spec.name.startswith(f"{spec.provider}/"):
            return f"check model and base_url of [models.{spec.name}] in {CONFIG} (most addresses end in /v1)"
        if spec.provider == "azure":
            return f"check {preset.named}, and that {preset.address} is the address of the resource"
        return f"check {preset.named}, and that {preset.address} is the address of the API (most end in /v1)"

    def _short(self, error: object) -> str:
        text = re.sub(r"^Error code: \d+ - ", "", " ".join(str(error).split()))  # the text before it says that
        return self._without_key(text)[:300] or type(error).__name__

    def _without_key(self, text: str) -> str:
        """Some endpoints repeat the key that they refuse."""
        key = self._spec.key.reveal()
        return text.replace(key, "…") if len(key) >= _KEY_AT_LEAST else text


async def try_once(spec: ModelSpec) -> str:
    """Asks one short question; says how long the answer took and how many tokens. Raises UsageError, what `complete`
    raises, BadReply where it says nothing, and ProgrammerUnavailable where nothing came in time.
    """
    began = time.monotonic()
    endpoint = Endpoint(msgspec.structs.replace(spec, max_output=TRY_TOKENS, context=0))
    try:
        async with asyncio.timeout(TRY_SECONDS):
            done = await endpoint.complete(_TRIAL, lambda text: None)
    except TimeoutError as error:
        message = f"{spec.place} gave no answer within {TRY_SECONDS:g} s"
        raise ProgrammerUnavailable(message, "try again: a server may have been loading the model") from error
    finally:
        await endpoint.close()
    if done.finish != "length":  # a model that reasons may have spent all of it on that
        whole_reply(done.text, finish=done.finish, refusal=done.refusal)
    return f"answers ({time.monotonic() - began:.1f} s, {done.input_tokens} + {done.output_tokens} tokens)"


def _try_again(error: Exception) -> str:
    """When the endpoint says that another try may help (its Retry-After header)."""
    response = getattr(error, "response", None)
    wait = response.headers.get("retry-after", "") if response is not None else ""
    return f"try again in {wait} s" if wait.isdigit() and int(wait) else "try again later"
