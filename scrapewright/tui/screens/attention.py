"""Which pane and tab to show when a question opens, a run fails or the session ends; on a screen of one pane also when
a model's program begins to arrive; and at no other time.

A pure decision without widgets: the state of the session in, the pane and tabs to show out.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scrapewright.session.events import Phase
from scrapewright.session.state import ACTIVE, Session

OWN_CHOICE = 3.0
"""Seconds for which the person's own choice of a pane is kept, while something is going on."""


@dataclass(frozen=True)
class FocusChange:
    """What to turn to. `front` takes the focus; `tabs` are (pane, tab) pairs, some of panes that stay behind."""

    front: str = ""
    tabs: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Scene:
    """What matters of a session. `question` is the ticket of the open one, 0 if there is none; `streamed` says that
    a part of the program can be read while a model writes it."""

    question: int = 0
    kind: str = ""
    step: str | None = None
    attempt: int = 0
    runs: int = 0
    status: str | None = None
    judged: bool = False
    good: bool = False
    has_parent: bool = False
    over: bool = False
    live: bool = False
    writing: bool = False
    streamed: bool = False

    @classmethod
    def of(cls, session: Session, *, streamed: bool = False) -> Scene:
        attempt, asked = session.attempt, session.question
        parent = session.attempts.get(attempt.parent) if attempt is not None else None
        return cls(
            question=asked.seq if asked is not None else 0,
            kind=asked.kind if asked is not None else "",
            step=asked.step if asked is not None else None,
            attempt=session.current,
            runs=attempt.runs if attempt is not None else 0,
            status=attempt.status if attempt is not None and not attempt.running else None,
            judged=attempt is not None and attempt.verdict is not None,
            good=attempt is not None and attempt.good,
            has_parent=parent is not None and bool(parent.code),
            over=session.over,
            live=session.phase in ACTIVE or session.phase is Phase.PAUSING,
            writing=session.phase is Phase.WRITING,
            streamed=streamed,
        )


@dataclass
class Attention:
    """Remembers what was seen, so that each thing is turned to once."""

    _before: Scene = field(default_factory=Scene)
    _compared: bool = False
    _since: float = 1e9
    """`since_choice` as it was last: where it is smaller now, the person has chosen in between."""
    _watched: bool = False
    """Whether the program being written was turned to, or the person has chosen what to see meanwhile."""

    def look(
        self, scene: Scene, *, editing: bool = False, since_choice: float = 1e9, one_pane: bool = False
    ) -> FocusChange | None:
        """What to turn to now, None to leave everything where it is.

        `since_choice` is how long ago, in seconds, the person chose where to look; `one_pane`, whether the others are
        hidden.
        """
        before, self._before = self._before, scene
        chose, self._since = since_choice < self._since, since_choice
        self._watched = scene.writing and before.writing and (self._watched or chose)
        if editing:
            return None
        opened = scene.question != before.question and scene.question != 0
        ended = scene.over and not before.over
        failed = _failed(scene) and not (_failed(before) and _same_run(scene, before))
        if not (opened or ended or failed):
            if one_pane and scene.writing and scene.streamed and not self._watched and since_choice >= OWN_CHOICE:
                self._watched = True
                return _CODE
            return self._uncompare(scene)
        if since_choice < OWN_CHOICE and before.live:
            return None
        turn = _asked(scene) if opened else _ended(scene) if ended else _FAILED
        self._compared = ("code", "diff") in turn.tabs
        return turn

    def _uncompare(self, scene: Scene) -> FocusChange | None:
        """The diff that was turned to for a question gives way to the program as it runs."""
        if self._compared and scene.question == 0 and scene.live:
            self._compared = False
            return FocusChange(tabs=(("code", "code"),))
        return None


def _failed(scene: Scene) -> bool:
    return scene.status is not None and scene.status not in {"ok", "exit"}


def _same_run(one: Scene, other: Scene) -> bool:
    return (one.attempt, one.runs) == (other.attempt, other.runs)


def _asked(scene: Scene) -> FocusChange:
    match scene.kind, scene.step:
        case "run", _:
            return FocusChange("code", (("code", "diff" if scene.has_parent else "code"),))
        case "host", _:
            return FocusChange("trace", (("trace", "requests"),))
        case "programmer", _:
            return _CODE
        case ("phase", "survey") | ("columns" | "group" | "column" | "condition" | "pages", _):
            return FocusChange("query")
        case _ if _failed(scene):
            return _FAILED
        case _ if scene.judged and not scene.good:
            return _SHORT
        case "phase", _:
            return FocusChange("output", (("output", "table"),))
        case _:
            return _CODE


def _ended(scene: Scene) -> FocusChange:
    if scene.good:
        return FocusChange("output", (("output", "table"),))
    if _failed(scene):
        return _FAILED
    return _SHORT if scene.judged else FocusChange()


_CODE = FocusChange("code", (("code", "code"),))
_FAILED = FocusChange("trace", (("trace", "frames"), ("code", "code")))
_SHORT = FocusChange("output", (("output", "checks"),))
