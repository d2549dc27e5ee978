"""The interface by which the screen builds the image for containers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Progress = Callable[[str, float, float], None]
"""Called with what is being done, the steps done and their number (0.0: unknown); from any thread."""


class ImageBuilder(Protocol):
    """Both raise SandboxUnavailable, with what to do, where there is no engine or it fails."""

    async def there(self) -> bool:
        """Whether the engine has the image of this version; one of another version does not count."""
        ...

    async def build(self, progress: Progress) -> None:
        """Builds it. Cancelled, it leaves nothing behind."""
        ...
