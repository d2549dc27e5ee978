"""Replies of models that are kept on this disk: the same prompt to the same model again costs nothing."""

from __future__ import annotations

import hashlib
from collections import Counter
from contextlib import suppress
from pathlib import Path

import msgspec

from scrapewright.programmers.model.completion import Completion, Prompt
from scrapewright.session.sanitize import to_json
from scrapewright.settings import ModelSpec

AT_MOST = 64 << 20
"""Bytes of all of them: some thousands of replies. The oldest go first."""


class KeptReplies:
    """Those that one session may use. A reply is kept by the model, its parameters and the prompt, and, where a session
    asks the same again, by how often: who asks for another try gets another reply.

    A folder that can't be read or written keeps nothing: the model is then asked. With `fresh` it is always asked.
    """

    def __init__(self, folder: Path, *, fresh: bool = False) -> None:
        self._folder = folder
        self._fresh = fresh
        self._given: Counter[str] = Counter()

    def find(self, spec: ModelSpec, prompt: Prompt) -> Completion | None:
        """A reply that took nothing; None where there is none. Blocks."""
        from scrapewright.web.disk import BytesStore, NotBytes

        if self._fresh or not self._folder.is_dir():
            return None
        with suppress(OSError, NotBytes, msgspec.MsgspecError):
            with BytesStore(self._folder, flush=False, at_most=AT_MOST) as store:
                row = store.get(self._name(spec, prompt))
            text = msgspec.json.decode(row, type=str) if row is not None else ""
            return Completion(text, "stop", kept="cache") if text else None
        return None

    def settle(self, spec: ModelSpec, prompt: Prompt, done: Completion, *, good: bool) -> None:
        """Keeps a whole reply that was of use, and removes a kept one that was not. Blocks."""
        from scrapewright.web.disk import BytesStore

        name = self._name(spec, prompt)
        whole = good and done.finish == "stop" and not done.refusal
        with suppress(OSError):
            if whole and not done.kept:
                with BytesStore(self._folder, flush=False, at_most=AT_MOST) as store:
                    store.set(name, to_json(done.text))
            elif done.kept and not good:
                with BytesStore(self._folder, flush=False, at_most=AT_MOST) as store:
                    store.delete(name)
        if good:
            self._given[_digest(spec, prompt)] += 1

    def _name(self, spec: ModelSpec, prompt: Prompt) -> str:
        digest = _digest(spec, prompt)
        return f"{digest}/{self._given[digest]}"


def _digest(spec: ModelSpec, prompt: Prompt) -> str:
    """Of all that a reply depends on: nothing secret is in it."""
    asked = (spec.provider, spec.base_url, spec.model, spec.api, spec.temperature, spec.reasoning, spec.max_output)
    return hashlib.sha256(to_json([asked, prompt.stored])).hexdigest()
