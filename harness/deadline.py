"""When a program's time is up. Pure."""

from __future__ import annotations


class Deadline:
    """The time limit, which is paused while the host holds a request of the program back.

    It is put off for what was announced and for nothing else: overlapping waits of several connections count once, and
    no later than `wall` seconds after the beginning (where that is more than `seconds`) the time is up all the same.
    """

    def __init__(self, began: float, seconds: float, wall: float = 0.0) -> None:
        self._limit = began + seconds
        self._last = max(self._limit, began + wall)
        self._held_until = began
        self.at = self._limit
        """The moment, on the clock that `began` was read from."""

    @property
    def waited(self) -> float:
        """Seconds by which the limit was put off."""
        return self.at - self._limit

    def hold(self, now: float, seconds: float) -> None:
        """A request is held back for so many seconds from now on."""
        start = max(now, self._held_until)
        self._held_until = max(self._held_until, now + seconds)
        self.at = min(self.at + max(self._held_until - start, 0.0), self._last)
