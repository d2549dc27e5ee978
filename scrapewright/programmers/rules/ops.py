"""The steps that turn a text of the page into a value.

A step is written once, as the code that the program gets, and the plan runs that same code to choose between readings
of a page. A step raises ValueError, KeyError, IndexError or TypeError on a text it was not made for: in the program
that shows the value in the trace instead of hiding it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Any, ClassVar, cast

import msgspec
from bs4 import BeautifulSoup


def literal(text: str) -> str:
    """A string literal as ruff writes it: double quotes unless that needs more escapes."""
    plain = repr(text)
    if plain.startswith("'") and '"' not in text:
        return '"' + plain[1:-1].replace("\\'", "'") + '"'
    return plain


def raw_literal(pattern: str) -> str:
    """A regular expression as a raw string where that is possible and useful."""
    if "\\" in pattern and not pattern.endswith("\\") and pattern.isprintable():
        for quote in "\"'":
            if quote not in pattern:
                return f"r{quote}{pattern}{quote}"
    return literal(pattern)


def _table(pairs: Iterable[tuple[str, object]]) -> str:
    """The source of a dict."""
    return "{" + ", ".join(f"{literal(key)}: {value}" for key, value in pairs) + "}"


class Op(msgspec.Struct, frozen=True):
    """One step. It has either `code` or, where one expression won't do, `statements`."""

    def code(self, value: str) -> str:
        """The expression that does the step to the value of an expression."""
        raise NotImplementedError

    def statements(self, value: str) -> tuple[list[str], str]:
        """The same: lines to put before, and the expression of the outcome."""
        return [], self.code(value)

    @property
    def constants(self) -> dict[str, str]:
        """The shared constants that the code uses, by their names."""
        return {}

    def apply(self, value: Any) -> Any:
        """What the step makes of a value."""
        return _function(self)(value)


@lru_cache(maxsize=1 << 13)
def _function(op: Op) -> Callable[[Any], Any]:
    """The step's code as a function. What it holds of a page are literals alone (see `literal`): nothing of it runs."""
    before, outcome = op.statements("text")
    lines = [f"{name} = {source}" for name, source in op.constants.items()]
    lines += ["def step(text):", *(f"    {line}" for line in before), f"    return {outcome}"]
    space: dict[str, Any] = dict(_NAMES)
    exec("\n".join(lines), space)
    return cast("Callable[[Any], Any]", space["step"])


_NAMES = {
    "re": re, "datetime": datetime, "date": date, "UTC": UTC, "parsedate_to_datetime": parsedate_to_datetime,
    "BeautifulSoup": BeautifulSoup,
}  # fmt: skip
"""What the code of steps may use beside builtins."""


class Trim(Op, frozen=True):
    """Takes a fixed beginning and end away. Nothing happens where they are missing."""

    prefix: str = ""
    suffix: str = ""

    def code(self, value: str) -> str:
        if self.prefix:
            value += f".removeprefix({literal(self.prefix)})"
        if self.suffix:
            value += f".removesuffix({literal(self.suffix)})"
        return value + ".strip()"


class Part(Op, frozen=True):
    """The text before or after a separator: the first one met, or the last."""

    separator: str
    after: bool = False
    last: bool = False

    def code(self, value: str) -> str:
        method = "rpartition" if self.last else "partition"
        return f"{value}.{method}({literal(self.separator)})[{2 if self.after else 0}].strip()"


class Piece(Op, frozen=True):
    """The nth of the pieces between separators."""

    separator: str
    index: int

    def code(self, value: str) -> str:
        return f"{value}.split({literal(self.separator)})[{self.index}].strip()"


def _matched(pattern: str, value: str, optional: bool) -> list[str]:
    """The lines that look for a pattern; `optional`: no match ends the steps with None."""
    lines = [f"match = re.search({raw_literal(pattern)}, {value})"]
    return [*lines, "if match is None:", "    return None"] if optional else lines


class Search(Op, frozen=True):
    """What a regular expression finds: its group, or all of the match. `optional`: no match gives None."""

    pattern: str
    group: int = 0
    optional: bool = False

    def statements(self, value: str) -> tuple[list[str], str]:
        if not self.optional:
            return [], f"re.search({raw_literal(self.pattern)}, {value})[{self.group}]"
        return _matched(self.pattern, value, True), f"match[{self.group}]"


class Swap(Op, frozen=True):
    """Replaces one text by another."""

    old: str
    new: str = ""

    def code(self, value: str) -> str:
        return f"{value}.replace({literal(self.old)}, {literal(self.new)})"


class Rewrite(Op, frozen=True):
    """Replaces every match of a regular expression."""

    pattern: str
    new: str

    def code(self, value: str) -> str:
        return f"re.sub({raw_literal(self.pattern)}, {raw_literal(self.new)}, {value})"


class Scaled(Op, frozen=True):
    """A number times what the word behind it says: "1.5 million". `pattern` has two groups, the number and the word.

    `drop` are the marks that group digits, `comma` says that the decimal mark is one. A word that is none of `words`
    does not count. `optional`: no number gives None.
    """

    pattern: str
    words: tuple[tuple[str, int], ...]
    drop: tuple[str, ...] = ()
    comma: bool = False
    whole: bool = False
    optional: bool = False

    def statements(self, value: str) -> tuple[list[str], str]:
        amount = "match[1]" + "".join(f".replace({literal(mark)}, {literal('')})" for mark in self.drop)
        amount += '.replace(",", ".")' if self.comma else ""
        lines = [*_matched(self.pattern, value, self.optional), f"amount = float({amount})"]
        return lines, f"round(amount * SCALES.get(match[2], 1){'' if self.whole else ', 6'})"

    @property
    def constants(self) -> dict[str, str]:
        return {"SCALES": _table((word, f"{size:_}") for word, size in self.words)}


class Blank(Op, frozen=True):
    """Texts that stand for no value ("-", "n/a")."""

    texts: tuple[str, ...]

    def statements(self, value: str) -> tuple[list[str], str]:
        listed = ", ".join(map(literal, self.texts))
        test = f"== {listed}" if len(self.texts) == 1 else f"in ({listed})"
        return [f"if {value} {test}:", "    return None"], value


class NumberWord(Op, frozen=True):
    """A word that stands for a number: "none yet" for no replies. Looked for without regard to case."""

    word: str
    number: int

    def statements(self, value: str) -> tuple[list[str], str]:
        test = f"if {literal(self.word.casefold())} in {value}.casefold():"
        return [test, f"    return {self.number}"], value


class ToInt(Op, frozen=True):
    def code(self, value: str) -> str:
        return f"int({value})"


class ToFloat(Op, frozen=True):
    def code(self, value: str) -> str:
        return f"float({value})"


class Lookup(Op, frozen=True):
    """The number of a word from a small vocabulary, or whether it says yes. A word that was not seen raises KeyError.
    `name` is the constant's name."""

    name: str
    words: tuple[tuple[str, int | bool], ...]

    def code(self, value: str) -> str:
        return f"{self.name}[{value}]"

    @property
    def constants(self) -> dict[str, str]:
        return {self.name: _table(self.words)}


class Split(Op, frozen=True):
    """A list from one text. `last`: the word that is between the last two, if there is one."""

    separator: str
    last: str = ""

    def code(self, value: str) -> str:
        if self.last:
            mark, last = re.escape(self.separator), re.escape(self.last)
            pattern = rf"{mark}(?:\s*{last}\s)?|\s{last}\s"
            return f"[part.strip() for part in re.split({raw_literal(pattern)}, {value}) if part.strip()]"
        return f"[part.strip() for part in {value}.split({literal(self.separator)}) if part.strip()]"


class Plain(Op, frozen=True):
    """What markup that is itself a text says, as feeds and JSON hold it: "<p>Fish &amp; chips</p>".

    It is put into an element: of a text that is nothing but an address or a file's name bs4 warns otherwise.
    """

    def code(self, value: str) -> str:
        return f'" ".join(BeautifulSoup("<p>" + {value}, "html.parser").get_text(" ").split())'


class Count(ToInt, frozen=True):
    """How many elements a slot's selector finds in a record; it is the first step. The text is the number."""


class Present(Op, frozen=True):
    """Whether a slot's selector finds anything in a record (`said`: whether the slot has a text there, and `words`, in
    lower case, are in it), or finds nothing (`absent`); it is the first step. The text is True or False. `mark`: what
    that says wherever it is."""

    said: bool = False
    words: str = ""
    absent: bool = False
    mark: str = ""

    def code(self, value: str) -> str:
        return f'{value} == "True"'


# dates and lengths of time


def _written(moment: str, into: str, time: bool) -> str:
    """The expression of a datetime as it is written: by the strftime format `into`, else in the ISO way."""
    if into and into != "%Y-%m-%d":
        return f"{moment}.strftime({literal(into)})"
    return f"{moment}.isoformat()" if time else f"{moment}.date().isoformat()"


class ParseDate(Op, frozen=True):
    """A date by a strptime format; `into` is the strftime format asked for, empty for ISO. `time`: with the time of
    day."""

    form: str
    into: str = ""
    time: bool = False

    def code(self, value: str) -> str:
        return _written(f"datetime.strptime({value}, {literal(self.form)})", self.into, self.time)


class IsoDate(Op, frozen=True):
    """An ISO 8601 date or moment."""

    into: str = ""
    time: bool = False
    reader: ClassVar[str] = "datetime.fromisoformat({})"

    def code(self, value: str) -> str:
        return _written(self.reader.format(value), self.into, self.time)


class MailDate(IsoDate, frozen=True):
    """The date form of feeds and HTTP (RFC 2822)."""

    reader: ClassVar[str] = "parsedate_to_datetime({})"


class UnixDate(IsoDate, frozen=True):
    """Seconds since 1970."""

    reader: ClassVar[str] = "datetime.fromtimestamp(int({}), UTC)"


class NamedMonth(Op, frozen=True):
    """A date whose month is a word that strptime does not know. `pattern` has the groups day, month and year."""

    pattern: str
    months: tuple[tuple[str, int], ...]
    optional: bool = False

    def statements(self, value: str) -> tuple[list[str], str]:
        lines = [*_matched(self.pattern, value, self.optional), 'month = MONTHS[match["month"].lower()]']
        return lines, 'date(int(match["year"]), month, int(match["day"])).isoformat()'

    @property
    def constants(self) -> dict[str, str]:
        return {"MONTHS": _table(self.months)}


class Minutes(Op, frozen=True):
    """A length of time in minutes, from parts such as PT1H30M or "1 h 30 min". The patterns have one group each."""

    hours: str
    minutes: str

    def statements(self, value: str) -> tuple[list[str], str]:
        return [
            f"hours = re.search({raw_literal(self.hours)}, {value})",
            f"minutes = re.search({raw_literal(self.minutes)}, {value})",
        ], "60 * int(hours[1] if hours else 0) + int(minutes[1] if minutes else 0)"


class Seconds(Op, frozen=True):
    """The seconds of a length of time such as 4:05 or 1:04:05."""

    def code(self, value: str) -> str:
        return f'sum(60**n * int(part) for n, part in enumerate(reversed({value}.split(":"))))'


class Between(Op, frozen=True):
    """Minutes from one time of day to the next, over midnight where that is the earlier. `pattern` finds the times,
    `form` is their strptime format. Not two of them: no value."""

    pattern: str
    form: str

    def statements(self, value: str) -> tuple[list[str], str]:
        return [
            f"times = re.findall({raw_literal(self.pattern)}, {value})",
            "if len(times) != 2:",
            "    return None",
            f"start, end = (datetime.strptime(time, {literal(self.form)}) for time in times)",
        ], "(end - start).seconds // 60"


def run(ops: Sequence[Op], value: Any) -> Any:
    """The value after all steps; None stays None and an empty text becomes it, as in the program."""
    if value == "":
        return None
    for op in ops:
        if value is None:
            return None
        before, value = value, op.apply(value)
        if isinstance(op, NumberWord) and value is not before:
            return value
    return value


FAILURES = (ValueError, KeyError, IndexError, TypeError, OverflowError)
"""What a step raises on a text that it was not made for."""


def value_of(text: str | None, ops: Sequence[Op]) -> Any:
    """What the steps make of a text; None where one fails."""
    try:
        return run(ops, text)
    except FAILURES:
        return None
