"""Every command at every moment: its key does what it says, or says why it can't."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.screen import ModalScreen, Screen
from textual.widgets import Input

from scrapewright.loop.handle import SessionHandle
from scrapewright.loop.parts import Options
from scrapewright.session import events as ev
from scrapewright.session.events import Mode, Phase
from scrapewright.session.state import Session
from scrapewright.settings import Settings
from scrapewright.tui.app import WorkbenchApp
from scrapewright.tui.keymap import known_bindings
from scrapewright.tui.panes.code import CodePane
from scrapewright.tui.screens.confirm import ConfirmScreen
from scrapewright.tui.screens.help import HelpScreen
from scrapewright.tui.screens.home import HomeScreen
from scrapewright.tui.screens.jump import JumpScreen
from scrapewright.tui.screens.menu import MenuScreen
from scrapewright.tui.screens.save import SaveScreen
from scrapewright.tui.screens.session import PANES
from scrapewright.tui.screens.workbench import WorkbenchScreen
from scrapewright.tui.session_spec import SessionSpec
from scrapewright.tui.widgets.questionbar import QuestionBar
from tests.fakes.parts import RIGHT, Bench, FakeProgrammer, FakeSandbox, crashed, ran, wrong
from tests.pilot.stage import HeldCritic, bench_screen, until

ONE = "import requests\n\nx = float(text)\n"
PROGRAMS = [ONE.replace("float", name) for name in ("float", "price", "number", "amount")]
SCREENS: dict[str, type[Screen[Any]]] = {
    "save-rows": SaveScreen, "save-program": SaveScreen, "jump": JumpScreen, "help": HelpScreen, "home": HomeScreen,
    "palette": CommandPalette,
}  # fmt: skip
"""Commands that open something, which escape leaves."""


class Scene:
    """A session that is brought to a moment, and what its screen says."""

    def __init__(self, mode: Mode) -> None:
        self.critic = HeldCritic(wrong(0.1), wrong(0.2), RIGHT)
        self.bench = Bench(
            FakeProgrammer(*PROGRAMS), FakeSandbox(crashed(line=3), crashed(line=3, message="other"), ran()),
            self.critic, options=Options(attended=True), mode=mode,
        )  # fmt: skip
        self.opening = asyncio.Event()
        self.opening.set()
        self.opened: list[SessionSpec] = []
        self.mark = 0
        nowhere = Path("/nonexistent")
        ticking = iter(range(10**9))
        self.app = WorkbenchApp(
            self._open, Settings(data_dir=nowhere, config_dir=nowhere), query="all mugs on http://127.0.0.1/: title",
            start=True, clock=lambda: 0.0, monotonic=lambda: float(next(ticking)),
        )  # fmt: skip
        self.pilot: Pilot[int]
        self.messages: list[str] = []
        """Every remark; those on the screen are soon gone."""
        notify = self.app.notify

        def tell(message: str, **how: Any) -> None:
            self.messages.append(message)
            notify(message, **how)

        self.app.notify = tell  # type: ignore[method-assign]

    @asynccontextmanager
    async def _open(self, spec: SessionSpec) -> AsyncIterator[SessionHandle]:
        self.opened.append(spec)
        await self.opening.wait()
        bench = self.bench
        await bench.open()
        try:
            yield SessionHandle(bench.journal, bench.gate, bench.loop, bench.blobs)
        finally:
            await bench.journal.close()

    @property
    def screen(self) -> WorkbenchScreen:
        return bench_screen(self.app)

    @property
    def session(self) -> Session:
        return self.bench.journal.session

    def since(self, *kinds: type[ev.Event]) -> list[ev.Durable]:
        """What has happened since the mark."""
        return [event for event in self.bench.journal.events if event.seq > self.mark and isinstance(event, kinds)]

    def said(self, answer: str) -> bool:
        """The person answered that, or stepped in with it."""
        return answer in {getattr(event, "answer", "") or getattr(event, "kind", "")
                          for event in self.since(ev.Answered, ev.Intervened)}  # fmt: skip

    async def until(self, condition: Callable[[], bool], what: str = "") -> None:
        await until(self.pilot, condition, what)

    async def asked(self, kind: str, choice: str = "") -> None:
        """Until a question of that kind is on the screen."""
        bar = self.screen.query_one(QuestionBar)
        await self.until(lambda: bar.question is not None and bar.question.kind == kind, kind)
        if choice:
            assert bar.question is not None
            assert choice in bar.question.choices

    def press(self, command: str) -> None:
        """What comes of it is waited for by whoever pressed."""
        self.app.simulate_key(KEYS[command])


KEYS = {known.id: known.keys[0] for known in known_bindings()}
DESCRIPTIONS = {known.id: known.description for known in known_bindings()}


# The moments: how they are come to, which answers are open then, and what can't be done then and why.


async def at_the_start(scene: Scene) -> None:
    await scene.until(lambda: scene.opened != [])


async def at_the_survey(scene: Scene) -> None:
    await scene.until(lambda: scene.bench.surveyor.calls == 1)


async def at_the_writing(scene: Scene) -> None:
    await scene.until(lambda: scene.bench.programmer.briefs != [])


async def at_the_run(scene: Scene) -> None:
    await scene.until(lambda: scene.bench.sandbox.running == 1)


async def at_the_judging(scene: Scene) -> None:
    await scene.until(lambda: scene.critic.judging and scene.session.phase is Phase.JUDGING)


async def while_it_pauses(scene: Scene) -> None:
    await at_the_run(scene)
    scene.press("pause")
    await scene.until(lambda: scene.session.phase is Phase.PAUSING)


async def while_it_is_paused(scene: Scene) -> None:
    await while_it_pauses(scene)
    scene.press("pause")
    await scene.until(lambda: scene.session.phase is Phase.PAUSED)


async def before_a_run(scene: Scene) -> None:
    await scene.asked("run")


async def after_a_failure(scene: Scene) -> None:
    await scene.asked("run")
    scene.press("answer-go")
    await scene.asked("retry", "go")


async def after_a_refusal(scene: Scene) -> None:
    await scene.asked("run")
    scene.press("answer-refuse")
    await scene.asked("retry", "hint")


async def after_a_phase(scene: Scene) -> None:
    await scene.asked("phase")
    scene.press("answer-go")
    await scene.asked("run")
    scene.press("answer-go")
    await scene.asked("phase")


async def about_a_host(scene: Scene) -> None:
    scene.bench.web.refusals = [("cdn.test", "https://cdn.test/a.js")]
    await scene.asked("host")


async def at_the_end(scene: Scene) -> None:
    await scene.until(lambda: scene.opened != [] and scene.screen.handle is not None and scene.session.over)
    await scene.until(lambda: not scene.screen.running)


SAME_KEY = {"go": "allow", "allow": "go", "refuse": "deny", "deny": "refuse"}
"""Yes and no to whatever is asked."""


@dataclass(frozen=True)
class Moment:
    """`held` is the part that is to wait. `answers` are open; `cannot` says what else can't be done, and why."""

    arrive: Callable[[Scene], Awaitable[None]]
    mode: Mode = Mode.AUTO
    held: str = ""
    answers: tuple[str, ...] = ()
    cannot: tuple[tuple[str, str], ...] = ()

    def why(self) -> dict[str, str]:
        """What the key of each command that can't be done is to say."""
        reason = dict(self.cannot)
        closed = reason.get("answers", "it is no answer to this question" if self.answers else "nothing is asked now")
        found = {command: why for command, why in self.cannot if command != "answers"}
        for command in ANSWERS:
            answer = command.removeprefix("answer-")
            does_else = SAME_KEY.get(answer) in self.answers or (answer == "say" and "correct" not in found)
            if answer not in self.answers and not does_else:
                found.setdefault(command, closed)
        return found


ANY_TIME = ("answer-edit", "answer-hint", "answer-rewind", "edit-outside")
ANSWERS = [name for name in KEYS if name.startswith("answer-") and name not in ANY_TIME]
NOT_PAUSED = (("resume", "nothing is paused"),)
WAITS = (*NOT_PAUSED, ("pause", "it waits for an answer, and nothing runs meanwhile"))
UNCORRECTED = ("undo", "there is nothing to undo")
ONE_PAGE = ("all-pages", "no next page was found")
AT_WORK = (
    ("again", "a session is running"), ("save-rows", "there are no rows yet"), ("correct", "there are no rows yet"),
    UNCORRECTED, ONE_PAGE, ("programmer", "the session is at work; stop it first"),
)  # fmt: skip
NO_PROGRAM = (
    ("answer-edit", "there is no program yet"), ("edit-outside", "there is no program yet"),
    ("save-program", "there is no program yet"), ("answer-rewind", "there is no attempt to go back to yet"),
)  # fmt: skip
STARTING, OVER = "the session is only starting", "the session is over"
MOMENTS = {
    "starting": Moment(
        at_the_start, held="opening",
        cannot=(*AT_WORK, ("save-program", "there is no program yet"),
                *((name, STARTING) for name in ("answers", "pause", "resume", "mode", "all-pages", *ANY_TIME))),
    ),
    "surveying": Moment(
        at_the_survey, held="surveyor",
        cannot=(*AT_WORK, *NOT_PAUSED, *NO_PROGRAM, ("all-pages", "the page was not looked at")),
    ),
    "writing": Moment(at_the_writing, held="programmer", cannot=(*AT_WORK, *NOT_PAUSED, *NO_PROGRAM)),
    "running": Moment(at_the_run, held="sandbox", cannot=(*AT_WORK, *NOT_PAUSED)),
    "judging": Moment(at_the_judging, held="critic", cannot=(*AT_WORK, *NOT_PAUSED)),
    "pausing": Moment(while_it_pauses, held="sandbox", cannot=AT_WORK),
    "paused": Moment(while_it_is_paused, held="sandbox", cannot=(*AT_WORK, ("pause", "it is paused already"))),
    "run?": Moment(before_a_run, Mode.APPROVE, answers=("go", "refuse", "stop"), cannot=(*AT_WORK, *WAITS)),
    "repair?": Moment(
        after_a_failure, Mode.APPROVE, answers=("go", "retry", "accept", "stop"), cannot=(*AT_WORK, *WAITS)
    ),
    "what instead?": Moment(
        after_a_refusal, Mode.APPROVE, answers=("stop",),
        cannot=(*(one for one in AT_WORK if one is not UNCORRECTED), *WAITS),
    ),
    "next phase?": Moment(
        after_a_phase, Mode.STEP, "critic", answers=("go", "iterate", "stop"), cannot=(*AT_WORK, *WAITS)
    ),
    "host?": Moment(
        about_a_host, answers=("allow-once", "allow", "deny", "stop"), cannot=(*AT_WORK, *WAITS)
    ),
    "over": Moment(
        at_the_end,
        cannot=(UNCORRECTED, ONE_PAGE, ("answer-go", "it ended well: correct it, or run it again"),
                *((name, OVER) for name in ("answers", "pause", "resume", "mode", "stop"))),
    ),
}  # fmt: skip


@asynccontextmanager
async def at(moment: Moment, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scene]:
    """The application at that moment, with the attempts in focus; stopped in the end."""
    for name in ("VISUAL", "EDITOR", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    scene = Scene(moment.mode)
    hold = asyncio.Event()
    if moment.held == "opening":
        scene.opening.clear()
    elif moment.held == "critic":
        scene.critic.let.clear()
    elif moment.held:
        getattr(scene.bench, moment.held).hold = hold
    async with scene.app.run_test(size=(120, 40)) as pilot:
        scene.pilot = pilot
        monkeypatch.setattr(type(scene.app._driver), "can_suspend", True)
        await moment.arrive(scene)
        await scene.until(lambda: scene.screen.handle is None or scene.screen.shown == scene.session.seq)
        await take_focus(scene, "attempts")
        try:
            yield scene
        finally:
            scene.critic.let.set()
            hold.set()
            if scene.app.is_running and scene.screen.running:
                scene.screen.action_stop()
                await scene.until(lambda: not scene.screen.running)


async def take_focus(scene: Scene, pane: str) -> None:
    def there() -> bool:
        found = scene.screen.pane_of(scene.screen.focused)
        return found is not None and found.id == pane

    scene.press(f"pane-{pane}")
    await scene.until(there, pane)


async def opens_and_leaves(scene: Scene, command: str) -> None:
    scene.press(command)
    await scene.until(lambda: isinstance(scene.app.screen, SCREENS[command]), command)
    scene.app.simulate_key("escape")
    await scene.until(lambda: scene.app.screen is scene.screen, f"{command} left")


async def leave(scene: Scene) -> None:
    """A hint or an edit that was begun."""
    pane, bar = scene.screen.query_one(CodePane), scene.screen.query_one(QuestionBar)
    if pane.editing or bar.has_class("hinting"):
        scene.app.simulate_key("escape")
    await scene.until(lambda: not pane.editing and not bar.has_class("hinting"))
    await take_focus(scene, "attempts")


DONE: dict[str, Callable[[Scene], bool]] = {
    "pause": lambda scene: scene.since(ev.PauseAsked) != [],
    "resume": lambda scene: scene.since(ev.Resumed) != [],
    "mode": lambda scene: scene.since(ev.ModeChanged) != [],
    "stop": lambda scene: not scene.screen.running,
    "again": lambda scene: len(scene.opened) == 2,
    "answer-edit": lambda scene: scene.screen.query_one(CodePane).editing,
    "answer-hint": lambda scene: scene.screen.query_one(QuestionBar).has_class("hinting"),
    "answer-rewind": lambda scene: scene.said("rewind") or any("is at attempt" in text for text in scene.messages),
    "edit-outside": lambda scene: any("no editor is set" in text for text in scene.messages),
    **{name: partial(Scene.said, answer=name.removeprefix("answer-")) for name in ANSWERS},
}
"""What has happened once a command is done."""


async def does(scene: Scene, command: str) -> None:
    scene.mark = scene.session.seq if scene.screen.handle is not None else 0
    if command == "again":
        scene.bench = Scene(Mode.AUTO).bench
    scene.press(command)
    if command == "mode":
        await scene.until(lambda: isinstance(scene.app.screen, MenuScreen))
        scene.app.simulate_key("enter")
    elif command == "answer-accept":
        await scene.until(lambda: isinstance(scene.app.screen, ConfirmScreen))
        scene.app.simulate_key("y")
    await scene.until(lambda: DONE[command](scene), command)


def test_the_table_has_every_command_of_a_session() -> None:
    of_the_screen = {known.id for known in known_bindings() if known.owner is WorkbenchScreen}
    assert of_the_screen == {
        *ANSWERS,
        *ANY_TIME,
        "to-question",
        "pause",
        "resume",
        "mode",
        "stop",
        "again",
        "correct",
        "undo",
        "all-pages",
        "programmer",
    }


ALIKE = {"surveying", "writing", "next phase?", "what instead?"}
"""Moments at which the same is said as at `judging` and at `run?`, but for what the question offers."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.full] if name in ALIKE else []) for name in MOMENTS]
)
async def test_what_can_not_be_done_says_why_and_what_can_is_done(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    moment = MOMENTS[name]
    why = moment.why()
    async with at(moment, monkeypatch) as scene:
        before = scene.session.seq if scene.screen.handle is not None else 0
        for command in why:
            scene.press(command)
        for command, reason in why.items():
            said = f"{DESCRIPTIONS[command]}: {reason}"
            await scene.until(lambda: any(said in text for text in scene.messages), said)  # noqa: B023
        assert before == (scene.session.seq if scene.screen.handle is not None else 0), "nothing was done"
        for command in ("answer-hint", "answer-edit", "edit-outside"):
            if command not in why:
                await does(scene, command)
            if command != "edit-outside":
                await leave(scene)
        for command in ("mode", "pause", "quit", "stop"):
            if command == "quit" and scene.screen.running:
                scene.press("quit")
                await scene.until(lambda: isinstance(scene.app.screen, ConfirmScreen))
                scene.app.simulate_key("n")
                await scene.until(lambda: scene.app.screen is scene.screen)
            elif command != "quit" and command not in why:
                await does(scene, command)
        assert not scene.screen.running


@pytest.mark.parametrize(
    "name",
    ["running", *(pytest.param(name, marks=pytest.mark.full) for name in ("run?", "starting", "paused", "over"))],
)
async def test_everything_can_be_looked_at_all_the_time(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    moment = MOMENTS[name]
    async with at(moment, monkeypatch) as scene:
        for command in SCREENS:
            if command not in moment.why():
                await opens_and_leaves(scene, command)
        for one in (True, False):
            scene.press("maximise")
            await scene.until(lambda: scene.screen.has_class("one") is one)  # noqa: B023
        for pane in PANES:
            await take_focus(scene, pane)
        scene.press("copy")
        await scene.until(lambda: any(text.startswith(("copied", "Copy")) for text in scene.messages), "copy")


DESTROYS = [
    (name, command)
    for name, moment in MOMENTS.items()
    for command in (*(f"answer-{answer}" for answer in moment.answers), "answer-rewind", "resume", "again")
    if command not in moment.why()
    if command != "answer-rewind" or name in {"running", "paused", "run?", "host?"}
]

ONCE = set({command: (name, command) for name, command in DESTROYS}.values())
"""Each command at one of its moments."""


@pytest.mark.parametrize(
    ("name", "command"),
    [
        pytest.param(*each, id=" ".join(each), marks=[] if each in ONCE else [pytest.mark.full]) for each in DESTROYS
    ],
)  # fmt: skip
async def test_what_changes_the_session_is_done(name: str, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with at(MOMENTS[name], monkeypatch) as scene:
        await does(scene, command)


@pytest.mark.parametrize(("typed", "kept"), [("hacer", "acer"), ("Aha", "Aha"), ("1 more", "1 more")])
async def test_what_is_typed_as_a_question_comes_is_offered_as_a_hint(
    typed: str, kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at(MOMENTS["repair?"], monkeypatch) as scene:
        bar, opened = scene.screen.query_one(QuestionBar), scene.screen.query_one(QuestionBar)._opened
        bar._clock = lambda: opened
        for letter in typed:
            scene.app.post_message(events.Key("space" if letter == " " else letter, letter))
        await scene.until(lambda: bar.query_one(Input).value == kept)
        assert bar.has_class("hinting")
        scene.app.simulate_key("escape")
        await scene.until(lambda: not bar.has_class("hinting"))
        scene.press("quit")
        await scene.until(lambda: isinstance(scene.app.screen, ConfirmScreen))
        scene.app.simulate_key("n")  # is no text either: it answers what lies over the question
        await scene.until(lambda: scene.app.screen is scene.screen)
        assert not bar.has_class("hinting")
        assert scene.session.question is not None
        assert not scene.screen.query_one(CodePane).editing


async def test_text_is_no_answer_to_a_question_that_takes_no_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at(MOMENTS["host?"], monkeypatch) as scene:
        bar, now = scene.screen.query_one(QuestionBar), [0.0]
        bar._opened = 0.0
        bar._clock = lambda: now[0]
        for now[0] in (0.4, 0.8, 1.2):  # the question is new as long as somebody types
            scene.app.simulate_key("a")
            await scene.until(lambda: bar._opened == now[0])
        assert scene.session.question is not None
        assert any("only just been asked" in text for text in scene.messages)
        now[0] = 2.0
        scene.app.simulate_key("a")
        await scene.until(lambda: scene.said("allow"))


def test_a_letter_means_one_thing_everywhere() -> None:
    """But for y and n, yes and no where that alone is asked, and v, which goes between a row and its record."""
    meanings: dict[str, set[str]] = {}
    for known in known_bindings():
        if issubclass(known.owner, ModalScreen):
            continue
        meaning = {"allow": "Go on", "deny": "Refuse"}.get(known.id.removeprefix("answer-"), known.description)
        for key in (key for key in known.keys if len(key) == 1 and key.isalpha()):
            meanings.setdefault(key, set()).add(meaning)
    assert {key: found for key, found in meanings.items() if len(found) > 1} == {"v": {"In the page", "Its row"}}
