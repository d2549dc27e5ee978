"""What a person is asked besides whether to go on, and what they decided: which records, which place, how many pages.

The shapes are the contract of `run --ask json`.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from typing import Any, Literal, get_args

import msgspec

from scrapewright.session.sanitize import one_line, to_json

Kind = Literal["columns", "group", "column", "condition", "pages"]
KINDS: frozenset[str] = frozenset(get_args(Kind))
NONE = "none"
"""The answer that no option is right."""
NOTHING = "nothing"
"""The option that words which were not read say nothing about the rows, or name no columns, or that no place has a
column."""
WHOLE_PAGE = "page-"
"""What the id of a group begins with that is the page as a whole, one record."""
UNSAID = "unsaid"
"""The option that they do, in a way that is none of the options."""
_SAYING = "say:"
OPTIONS_AT_MOST = 8
REFUSED_AT_MOST = 64
"""Options of one column, or of the records, after which "none" is not followed by further ones."""
SAMPLES_AT_MOST = 12
SAMPLE_CHARACTERS = 800
"""Of a record's text; a column's value, which may be what an article says, is shown as whole as an event has room."""
VALUE_CHARACTERS = (6_000, 2_400, SAMPLE_CHARACTERS)
"""Of a column's value, the shorter ones where the longer leave room for fewer than `_ENOUGH` samples."""
_ENOUGH = 4
QUESTIONS_AT_MOST = 20
"""Questions of these kinds in one session."""
SURE = 0.9
"""A best guess that is as likely as this does not withhold a verdict where nobody decided."""
_TEXT_CHARACTERS = (400, 100, 20)
"""Of a prompt, an option's text and its place; the shorter ones where the longer do not fit."""


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """One possible answer.

    `id` is stable for the same survey. `text` says in a few words what it is, `where` is its place (a selector, a path
    in JSON). `samples`, in page order: for a column the converted values as the column would hold them (null where a
    record has none), for a group the records' texts, for a condition the texts of the records that say its words, both
    cut at 800 characters.
    """

    id: str
    text: str
    where: str = ""
    samples: tuple[Any, ...] = ()


class Question(msgspec.Struct, frozen=True, omit_defaults=True):
    """A choice that is close or a part that is missing. `options` are 8 at most, the best guess first.

    `column` is the column asked about, of a condition its words; where it is which columns are wanted, an option's
    `text` lists them. `phrase`: words of the request that it asks the meaning of, by the values that the column then
    has. `confidence` is how likely the best guess is, 0.0 to 1.0.
    """

    kind: Kind
    prompt: str
    options: tuple[Option, ...] = ()
    column: str = ""
    confidence: float = 0.0
    phrase: str = ""

    @property
    def decides(self) -> tuple[Kind, str]:
        """The kind and the column of the decision that answers it."""
        return ("condition", self.phrase) if self.phrase else (self.kind, self.column)

    @property
    def withholds(self) -> bool:
        """Rows can't be called right as long as nobody has decided it."""
        return self.kind != "pages" and self.confidence < SURE


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a person decided. One of `option` (an option's id, or "none") and `text` is set; `column` is the question's.

    `text` is what they typed: a selector, a value as the page shows it, or words; `how` says which where it was said
    outright (`--set`: "selector", `--example`: "example"), and is empty where it has to be found out. A correction has
    both, `text` being the option's place, and `values`: what the column holds then in the first records. `refused` are
    the ids of the options that were shown where none of them is right.
    """

    kind: Kind
    column: str = ""
    option: str = ""
    text: str = ""
    how: Literal["", "selector", "example"] = ""
    values: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()

    @property
    def leaves_more(self) -> bool:
        """Whether options that were not shown yet may be."""
        return self.option == NONE and 0 < len(self.refused) <= REFUSED_AT_MOST


class Copied(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a model copied for a column out of a record of the surveyed page; records are counted from 0."""

    column: str
    record: int
    text: str


def value_text(value: Any) -> str:
    """A value of a column as a decision says it."""
    if value is None:
        return ""
    return "; ".join(map(str, value)) if isinstance(value, list) else " ".join(str(value).split())


def comparable(value: Any) -> str:
    """The same for a value as a place gives it, as a file of rows has it and as a decision says it."""
    text = value_text(value)
    try:
        return repr(float(text))
    except ValueError:
        return text


def best_guess(question: Question) -> Decision:
    """The first option; that none is right where there are no options."""
    return chosen(question, question.options[0].id if question.options else NONE)


def answered(question: Question, answer: str, option: str, text: str, earlier: Iterable[Decision]) -> Decision | None:
    """What an answer decides (choose, say or go, which takes the best guess); None for any other."""
    kind, column = question.decides
    if answer == "choose" and option == NONE and kind in ("group", "column"):
        before = [d.refused for d in earlier if (d.kind, d.column) == (kind, column)]
        shown = (one.id for one in question.options if one.id != NOTHING)
        refused = (*(before[0] if before else ()), *shown)
        return Decision(kind, column, option=NONE, refused=refused)
    if answer == "go":
        return best_guess(question)
    if answer == "choose":
        return chosen(question, option)
    return Decision(kind, column, text=text) if answer == "say" else None


def chosen(question: Question, option: str) -> Decision:
    """What it decides to choose an option."""
    kind, column = question.decides
    if option.startswith(_SAYING):
        return Decision(kind, column, text=option.removeprefix(_SAYING))
    return Decision(kind, column, option=NONE if kind == "column" and option == NOTHING else option)


def said_as(words: str) -> str:
    """The id of an option that is the same as to type these words."""
    return _SAYING + words


def condition_option(op: Literal["lacks", "contains"], place: str, words: str) -> str:
    """The id of what a condition in words can mean: rows whose place lacks or contains the words."""
    return f"{op}:{place}:{words}"


def meaning_of(decision: Decision) -> tuple[Literal["lacks", "contains"], str] | None:
    """(test, words) of the option chosen for a condition; None where it is no such option."""
    op, _, rest = decision.option.partition(":")
    _, found, words = rest.partition(":")
    if not (found and words):
        return None
    return ("lacks", words) if op == "lacks" else ("contains", words) if op == "contains" else None


def with_decision(decisions: Iterable[Decision], new: Decision) -> tuple[Decision, ...]:
    """`new` at the end, in place of an earlier decision of the same kind and column."""
    return (*(d for d in decisions if (d.kind, d.column) != (new.kind, new.column)), new)


def still_held(decisions: Iterable[Decision], guess: Iterable[Option], new: Decision) -> tuple[Decision, ...]:
    """The decisions before an answer that hold after it (`guess`: the first of the options, if there is one): which
    places the records that were guessed lack says nothing of others that are chosen instead."""
    instead = new.kind == "group" and new.option not in ("", NONE, *(option.id for option in guess))
    return tuple(d for d in decisions if not (instead and d.kind == "column" and d.option == NONE and d.refused))


def is_decided(question: Question, decisions: Iterable[Decision]) -> bool:
    """Whether there is nothing left to ask. After "none" that is so, but for options that were not shown before."""
    of_it = [d for d in decisions if (d.kind, d.column) == question.decides]
    shown = {option.id for option in question.options}
    return any(not (d.leaves_more and shown and shown.isdisjoint(d.refused)) for d in of_it)


def fitted(question: Question, room: int) -> Question:
    """The question in `room` bytes of JSON: by fewer samples, as many of each option, and never by fewer options.

    What is over the contract's limits is left out first; where no samples fit, texts are cut shorter. A fitted
    question is the same when it is read back from JSON. Raises ValueError where ids and column alone are too long.
    """
    lengths = VALUE_CHARACTERS if question.kind == "column" else (SAMPLE_CHARACTERS,)
    attempts = [
        (_TEXT_CHARACTERS[0], length, count) for length in lengths for count in range(SAMPLES_AT_MOST, _ENOUGH - 1, -1)
    ]
    attempts += [(_TEXT_CHARACTERS[0], SAMPLE_CHARACTERS, count) for count in range(_ENOUGH - 1, 0, -1)]
    attempts += [(characters, 0, 0) for characters in _TEXT_CHARACTERS]
    for characters, length, count in attempts:
        small = msgspec.structs.replace(
            question,
            prompt=question.prompt[:characters],
            options=tuple(
                msgspec.structs.replace(
                    o,
                    text=o.text[:characters],
                    where=o.where[:characters],
                    samples=tuple(_short(sample, length) for sample in o.samples[:count]),
                )
                for o in question.options[:OPTIONS_AT_MOST]
            ),
        )
        data = to_json(small)
        if len(data) <= room:
            return msgspec.json.decode(data, type=Question)
    raise ValueError(f"a question with {len(question.options)} options does not fit into {room} bytes")


def _short(sample: Any, length: int) -> Any:
    """A sample as JSON holds it, cut at so many characters; of a list whole items are left out at the end."""
    if isinstance(sample, int) and not -(1 << 63) <= sample < 1 << 63:
        return str(sample)[:length]  # JSON readers take no more
    value = msgspec.json.decode(to_json(sample))
    if isinstance(value, str):
        return value[:length]
    if isinstance(value, list):
        kept: list[Any] = []
        room = length
        for item in value:
            room -= len(to_json(item).decode()) + 1
            if room < 0:
                break
            kept.append(item)
        return kept
    if isinstance(value, dict):
        text = to_json(value).decode()
        return value if len(text) <= length else text[:length]
    return value


def undecided(question: Question) -> str:
    """That nobody decided it, between what, and how to say it, in a sentence or two."""
    shown = [f"{o.text} ({o.where})" if o.where and o.where != o.text else o.text for o in question.options]
    between = f" between {'; '.join(one_line(text, 80) for text in shown[:4])}" if shown else ""
    more = f" and {len(shown) - 4} more" if len(shown) > 4 else ""
    nothing = "every row was kept" if question.kind == "condition" else "it was left empty"
    guess = "the first was taken" if shown else nothing
    return f"undecided: {one_line(question.prompt, 200)}{between}{more}; {guess}. {how_to_say(question)}"


def how_to_say(question: Question) -> str:
    """What decides the question without being asked."""
    if question.kind == "pages":
        return 'Say "all pages" or --pages N.'
    if question.kind == "group":
        return 'Name the heading above the right ones: under the heading "NAME".'
    if question.kind == "columns":
        return "Say columns: and their names, with commas."
    if question.kind == "condition":
        return "Say it by a column: only where COLUMN is VALUE."
    place = next((o.where for o in question.options if o.where), "SELECTOR")
    samples = (s for o in question.options for s in o.samples if isinstance(s, str) and s.strip())
    value = one_line(next(samples, "VALUE"), 60)
    return (
        f"Say --set {shlex.quote(f'{question.column}={place}')} "
        f"or --example {shlex.quote(f'{question.column}={value}')}."
    )
