"""Who writes the programs and who reviews the rows, by the settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, get_args

from scrapewright import plugins
from scrapewright.errors import UsageError
from scrapewright.loop.ports import Adviser, Programmer, Reviewer
from scrapewright.options import later_models, model_for
from scrapewright.programmers.without_questions import AbsentProgrammer
from scrapewright.session.result import Author
from scrapewright.session.spending import Spent
from scrapewright.settings import CHOICES, Settings

if TYPE_CHECKING:
    from scrapewright.programmers.model.completion import Model
    from scrapewright.programmers.rules.programmer import RulesProgrammer

REPLIES = "replies"
"""The folder below the cache folder that replies of models are kept in."""


def choose(
    settings: Settings, urls: Sequence[str] = (), spent: Sequence[Spent] = (), *, needed: bool = True
) -> tuple[Programmer, Reviewer | None]:
    """Both for one session. `urls` are those of its request, and `spent` what models did in it already: a cassette goes
    on behind that. Without a reviewer none is set up or it is switched off.

    Raises UsageError where one that the settings name is not set up; where it is not `needed`, it says so itself once
    it is to write.
    """
    try:
        return _choose(settings, urls, spent)
    except UsageError as error:
        if needed:
            raise
        return AbsentProgrammer(str(error)), None


def _choose(settings: Settings, urls: Sequence[str], spent: Sequence[Spent]) -> tuple[Programmer, Reviewer | None]:
    name = settings.programmer
    if name == "auto":
        of_model = settings.model or settings.escalate or settings.cassette or settings.models.set_up()
        name = "model" if of_model else "rules"
    if settings.cassette:
        return _played(settings, urls, spent)
    return _programmer(settings, name), choose_reviewer(settings)


def choose_adviser(
    settings: Settings, programmer: Programmer, urls: Sequence[str] = (), spent: Sequence[Spent] = ()
) -> Adviser | None:
    """The model beside the rules where it is weak, or beside itself for the case that it turns out to be; None where no
    model is to write. The rest is as for `choose`. Raises UsageError.
    """
    if isinstance(programmer, AbsentProgrammer):
        return None
    if settings.cassette:
        return _played_adviser(settings, programmer, urls, spent)
    if settings.programmer not in ("auto", "model"):
        return None
    if programmer.author != "model" and not _weak(settings):
        return None
    from scrapewright.programmers.model import texts
    from scrapewright.programmers.model.adviser import WeakModel
    from scrapewright.programmers.model.endpoint import Endpoint
    from scrapewright.programmers.model.kept import KeptReplies

    replies = KeptReplies(settings.cache_dir / REPLIES, fresh=settings.fresh)
    model = Endpoint([model_for(settings, "programmer"), *later_models(settings)][-1], replies)
    reader = Endpoint(model_for(settings, "reader"), replies) if settings.reader else None
    return WeakModel(model, _rules(programmer), texts.load("weak", settings.prompts_dir), reader=reader)


def _rules(programmer: Programmer) -> RulesProgrammer:
    """The programmer itself where it is the rules."""
    from scrapewright.programmers.rules.programmer import RulesProgrammer

    return programmer if isinstance(programmer, RulesProgrammer) else RulesProgrammer()


def _weak(settings: Settings) -> bool:
    """Whether all models that are to write are said to be too weak for it."""
    spec = settings.model_for("programmer")
    return spec is not None and spec.weak


def _programmer(settings: Settings, name: str) -> Programmer:
    if name == "model" and _weak(settings):
        model_for(settings, "programmer")  # raises what it lacks
        name = "rules"
    if name == "rules":
        from scrapewright.programmers.rules.programmer import RulesProgrammer

        return RulesProgrammer()
    if name == "command":
        from scrapewright.programmers.command.programmer import CommandProgrammer
        from scrapewright.programmers.command.simulated import SimulatedProgrammer

        return (SimulatedProgrammer if settings.simulate else CommandProgrammer)(settings)
    if name in plugins.names("programmers") and name not in CHOICES["programmer"]:
        from scrapewright.programmers.added import AddedProgrammer

        programmer = plugins.made("programmers", name, settings)
        if getattr(programmer, "author", "") not in get_args(Author):
            known = ", ".join(get_args(Author))
            raise plugins.BrokenPlugin(f"the programmer {name} has no author that is one of {known}")
        if not callable(getattr(programmer, "write", None)):
            raise plugins.BrokenPlugin(f"the programmer {name} has no method write")
        return AddedProgrammer(programmer, plugins.described(plugins.found("programmers")[name]))
    from scrapewright.programmers.model import texts
    from scrapewright.programmers.model.endpoint import Endpoint
    from scrapewright.programmers.model.kept import KeptReplies
    from scrapewright.programmers.model.programmer import ModelProgrammer

    replies = KeptReplies(settings.cache_dir / REPLIES, fresh=settings.fresh)
    specs = (model_for(settings, "programmer"), *later_models(settings))
    return ModelProgrammer(
        [Endpoint(spec, replies) for spec in specs],
        texts.load("program", settings.prompts_dir),
        texts.conventions(settings.conventions),
    )


def choose_reviewer(settings: Settings) -> Reviewer | None:
    """None where it is switched off or none is set up. Raises UsageError where the one that the settings name can't be
    asked.
    """
    if not settings.review:
        return None
    from scrapewright.programmers.model import texts

    model: Model
    try:
        spec = model_for(settings, "reviewer")
        from scrapewright.programmers.model.endpoint import Endpoint
        from scrapewright.programmers.model.kept import KeptReplies
        from scrapewright.programmers.model.reviewer import ModelReviewer

        model = Endpoint(spec, KeptReplies(settings.cache_dir / REPLIES, fresh=settings.fresh))
    except UsageError:
        if settings.reviewer:
            raise
        return None
    return ModelReviewer(model, texts.load("review", settings.prompts_dir))


def _played(settings: Settings, urls: Sequence[str], spent: Sequence[Spent]) -> tuple[Programmer, Reviewer | None]:
    """Both from a cassette: the rules where no model wrote, no reviewer where it holds no review."""
    from scrapewright.options import read_cassette
    from scrapewright.programmers.model import texts
    from scrapewright.programmers.model.player import Player
    from scrapewright.programmers.model.programmer import ModelProgrammer
    from scrapewright.programmers.model.reviewer import ModelReviewer

    cassette = read_cassette(settings.cassette)
    programs, reviews = (Player(cassette, role, urls, spent) for role in ("programmer", "reviewer"))
    programmer: Programmer
    if programs.holds_any:
        programmer = ModelProgrammer([programs], texts.load("program", settings.prompts_dir))
    else:
        programmer = _programmer(settings, "rules")
    if not (settings.review and reviews.left):
        return programmer, None
    return programmer, ModelReviewer(reviews, texts.load("review", settings.prompts_dir))


def _played_adviser(
    settings: Settings, programmer: Programmer, urls: Sequence[str], spent: Sequence[Spent]
) -> Adviser | None:
    """None where a cassette holds nothing of a weak model's."""
    from scrapewright.options import read_cassette
    from scrapewright.programmers.model import texts
    from scrapewright.programmers.model.adviser import WeakModel
    from scrapewright.programmers.model.player import Player

    cassette = read_cassette(settings.cassette)
    reader, mapper = (Player(cassette, role, urls, spent) for role in ("reader", "mapper"))
    if not (reader.holds_any or mapper.holds_any):
        return None
    return WeakModel(mapper, _rules(programmer), texts.load("weak", settings.prompts_dir), reader=reader)
