"""What the screen needs to have the image made that programs run in with a container engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Progress = Callable[[str, float, float], None]
"""Told what is being done, the steps done and how many there are (0.0 where that is not known); from any thread."""


class ImageBuilder(Protocol):
    """Both raise SandboxUnavailable, with what to do, where no engine can be had or it can't do it."""

    async def there(self) -> bool:
        """Whether the engine has the image of this version: one of another version is as good as none."""
        ...

    async def build(self, progress: Progress) -> None:
        """Makes it. Cancelled, it leaves nothing behind."""
        ...
