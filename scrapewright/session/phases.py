"""Which phase may follow which."""

from __future__ import annotations

from scrapewright.session.events import TERMINAL, Phase

ACTIVE = frozenset({Phase.SURVEYING, Phase.WRITING, Phase.RUNNING, Phase.JUDGING})
_AFTER: dict[Phase, frozenset[Phase]] = {
    Phase.SURVEYING: frozenset({Phase.SURVEYING, Phase.WRITING, Phase.RUNNING}),
    Phase.WRITING: frozenset({Phase.WRITING, Phase.RUNNING, Phase.SURVEYING}),
    Phase.RUNNING: frozenset({Phase.RUNNING, Phase.JUDGING, Phase.WRITING}),
    Phase.JUDGING: frozenset({Phase.JUDGING, Phase.WRITING, Phase.RUNNING}),
    Phase.WAITING: ACTIVE,
    Phase.PAUSING: ACTIVE,
    Phase.PAUSED: ACTIVE,
}
_FROM_ANYWHERE = frozenset({Phase.WAITING, Phase.PAUSING, Phase.PAUSED})


def may_follow(now: Phase | None, phase: Phase) -> bool:
    """Whether a session in phase `now` may enter the other one. Ends are entered by SessionFinished alone."""
    return phase not in TERMINAL and (now is None or phase in _FROM_ANYWHERE or phase in _AFTER[now])
